/*
 * A substitute for OpenFAST: loads FASTlinkDLL.so as its OrcaFlex module does, and integrates a platform with the mass of the OC4
 * DeepCwind under the returned loads. The trapezoidal rule repeats each step until motion and loads agree (OpenFAST calls once
 * per time).
 *
 *   driver FASTlinkDLL.so root dt end surge      from rest, `surge` m aside; prints time, surge, heave, pitch at every second
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*initialise_fn)(const float *dt, const float *tmax);
typedef void (*loads_fn)(const float x[6], const float xd[6], const float *time, const char *root, float am[36], float ft[6]);
typedef void (*finalise_fn)(void);

static void *procedure(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "no %s: %s\n", name, dlerror());
        exit(2);
    }
    return found;
}

/* Platform and turbine as one rigid body about the reference point: entries (row, column, value) of the upper half. */
static const double gravity = 9.80665;
static const struct {
    int row, column;
    double value;
} entries[] = {
    {0, 0, 14072718.0}, {1, 1, 14072718.0}, {2, 2, 14072718.0}, {0, 4, -139164818.427}, {1, 3, 139164818.427},
    {1, 5, -94000.089}, {2, 4, 94000.089}, {3, 3, 12702321679.97}, {4, 4, 12691907690.86}, {5, 5, 12290103910.89},
    {3, 5, 8756409.875},
};

static void mass_matrix(double m[36])
{
    memset(m, 0, 36 * sizeof *m);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        m[6 * entries[i].row + entries[i].column] = entries[i].value;
        m[6 * entries[i].column + entries[i].row] = entries[i].value;
    }
}

/* Solves a x = b, a symmetric and positive definite, by elimination; both are overwritten, b by x. */
static void solve(double a[36], double b[6])
{
    for (int k = 0; k < 6; k++) {
        for (int i = k + 1; i < 6; i++) {
            const double factor = a[6 * i + k] / a[6 * k + k];
            for (int j = k; j < 6; j++) {
                a[6 * i + j] -= factor * a[6 * k + j];
            }
            b[i] -= factor * b[k];
        }
    }
    for (int k = 5; k >= 0; k--) {
        for (int j = k + 1; j < 6; j++) {
            b[k] -= a[6 * k + j] * b[j];
        }
        b[k] /= a[6 * k + k];
    }
}

/* (M + AM) acceleration = FT + weight, for rotations of a few degrees; the centre of mass is on the mass matrix. */
static void accelerate(loads_fn loads, const char *root, double time, const double q[6], const double qd[6], double qdd[6])
{
    float x[6], xd[6], am[36], ft[6], t = (float)time;
    double m[36];
    for (int i = 0; i < 6; i++) {
        x[i] = (float)q[i];
        xd[i] = (float)qd[i];
    }
    loads(x, xd, &t, root, am, ft);
    mass_matrix(m);
    /* m c: from the corner [m I, m ~c^T] of the mass matrix. */
    const double c[3] = {-m[6 * 2 + 4], 0.0, m[6 * 0 + 4]}; /* y: this platform is symmetric */
    const double turned[3] = {c[0] + q[4] * c[2], q[5] * c[0] - q[3] * c[2], c[2] - q[4] * c[0]};
    double b[6] = {0.0, 0.0, -gravity * m[0], -gravity * turned[1], gravity * turned[0], 0.0};
    for (int i = 0; i < 6; i++) {
        b[i] += ft[i];
        if (isnan(b[i])) {
            fprintf(stderr, "loads are not numbers at %g s\n", time);
            exit(1);
        }
    }
    for (int i = 0; i < 36; i++) {
        m[i] += am[i];
    }
    solve(m, b);
    memcpy(qdd, b, sizeof b);
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "driver FASTlinkDLL.so root dt end surge\n");
        return 2;
    }
    void *library = dlopen(argv[1], RTLD_NOW);
    if (library == NULL) {
        fprintf(stderr, "cannot load %s: %s\n", argv[1], dlerror());
        return 2;
    }
    /* POSIX says that a data pointer of dlsym holds a function; ISO C has no cast for it. */
    initialise_fn initialise;
    loads_fn loads;
    finalise_fn finalise;
    *(void **)&initialise = procedure(library, "OrcaFlexUserPtfmLdInitialise");
    *(void **)&loads = procedure(library, "OrcaFlexUserPtfmLd");
    *(void **)&finalise = procedure(library, "OrcaFlexUserPtfmLdFinalise");

    const double dt = atof(argv[3]), end = atof(argv[4]);
    const float single_dt = (float)dt, single_end = (float)end;
    double q[6] = {atof(argv[5])}, qd[6] = {0.0}, qdd[6], next[6], rate[6], acceleration[6];
    initialise(&single_dt, &single_end);
    accelerate(loads, argv[2], 0.0, q, qd, qdd);
    const long steps = lround(end / dt), second = lround(1.0 / dt);
    for (long n = 0; n <= steps; n++) {
        if (n % second == 0) {
            printf("%.6f %.9f %.9f %.9f\n", (double)n * dt, q[0], q[2], q[4]);
        }
        memcpy(acceleration, qdd, sizeof acceleration);
        double change = INFINITY;
        /* Loads are in single precision: 8 N of the 140 MN of buoyancy, so that accelerations agree to 1e-6 m/s2 at best. */
        for (int correction = 0; correction < 20 && change > 1e-6; correction++) {
            double answer[6];
            for (int i = 0; i < 6; i++) {
                rate[i] = qd[i] + 0.5 * dt * (qdd[i] + acceleration[i]);
                next[i] = q[i] + dt * qd[i] + 0.25 * dt * dt * (qdd[i] + acceleration[i]);
            }
            accelerate(loads, argv[2], (double)(n + 1) * dt, next, rate, answer);
            change = 0.0;
            for (int i = 0; i < 6; i++) {
                change = fmax(change, fabs(answer[i] - acceleration[i]));
            }
            memcpy(acceleration, answer, sizeof acceleration);
        }
        memcpy(q, next, sizeof q);
        memcpy(qd, rate, sizeof qd);
        memcpy(qdd, acceleration, sizeof qdd);
    }
    finalise();
    return 0;
}
