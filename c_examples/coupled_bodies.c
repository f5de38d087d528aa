/*
 * Two barges side by side that share the water between them: what the fluid does to one depends on how the other moves. The
 * host gives all of it in one function, with an added mass of 12 x 12 that has terms across the two bodies
 * (pintle_set_coupled_load_callback); and it watches over a long step, and stops it (pintle_set_progress_callback).
 *
 * In heave the pair has two modes, in phase and out of phase, each an oscillator of its own:
 *
 *   (m + a +- a') z'' + (b +- b') z' + k z = 0
 *
 * whose frequency and damping pintle_get_modes must give, and whose motion the steps must give: with rho_inf 1 that of the
 * trapezoidal rule, but for its start, and so that of the equation to second order. Exit status 1 means that a number is not what
 * it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/coupled_bodies.c target/release/libpintle.a -lm -o target/coupled_bodies
 */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "example.h"

/* A barge of 20 x 10 m and a draft of 2 m in sea water, SI units. Reference point = centre of mass, in the still water line. */
static const double mass = 410e3, gravity = 9.81, waterline = 1025.0 * 9.81 * 200.0;
static const double inertia[6] = {4.0e6, 1.4e7, 1.6e7, 0.0, 0.0, 0.0};
static const double gap = 14.0; /* between the two centres, along y */

/* The linear model of the fluid: matrices over (displacement, rotation) of the first body, then of the second. */
enum { BODIES = 2, ROWS = 6 * BODIES, HEAVE = 2 };
typedef struct {
    double added_mass[ROWS][ROWS], damping[ROWS][ROWS], stiffness[ROWS][ROWS];
} fluid;

/* Each body feels the other's motion as a part of its own: coupling[0] of it through the added mass, [1] through the damping. */
static const double coupling[2] = {-0.3, 0.4};
static const double radiation = 0.05; /* damping over added mass, 1/s */

static fluid create_fluid(void)
{
    double self[6][6] = {{0.0}};
    const double diagonal[6] = {0.1 * mass, 0.5 * mass, 0.8 * mass, 3e6, 9e6, 8e6};
    const double restoring[6] = {4e4, 4e4, waterline, 1.5e7, 6e7, 1e6};
    for (int i = 0; i < 6; i++) {
        self[i][i] = diagonal[i];
    }
    self[0][4] = self[4][0] = 2e5;  /* surge and pitch */
    self[1][3] = self[3][1] = -3e5; /* sway and roll */

    fluid f;
    memset(&f, 0, sizeof f);
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; j < ROWS; j++) {
            const double a = self[i % 6][j % 6];
            const int same = i / 6 == j / 6;
            f.added_mass[i][j] = same ? a : coupling[0] * a;
            f.damping[i][j] = radiation * (same ? a : coupling[1] * a);
        }
        f.stiffness[i][i] = restoring[i % 6];
    }
    return f;
}

/* The fluid's answer to the motion of both bodies. With the three matrices Newton's method is exact; without them the answer
 * would be the same, after more iterations. */
static int32_t loads(void *user, double time, int32_t n, const int32_t *bodies, const double *poses, const double *velocities,
                     const double *accelerations, double *wrenches, double *stiffness, double *damping, double *added_mass)
{
    const fluid *f = user;
    double displacement[ROWS];
    (void)time;
    (void)bodies;
    if (n != BODIES) {
        return 1; /* fails the step with PINTLE_ERR_CALLBACK */
    }
    for (int b = 0; b < BODIES; b++) {
        const double *pose = &poses[7 * b];
        displacement[6 * b + 0] = pose[0];
        displacement[6 * b + 1] = pose[1] - gap * b;
        displacement[6 * b + 2] = pose[2];
        if (pintle_quat_to_rotvec(&pose[3], &displacement[6 * b + 3]) != PINTLE_OK) {
            return 2;
        }
    }
    for (int i = 0; i < ROWS; i++) {
        double wrench = i % 6 == HEAVE ? mass * gravity : 0.0; /* buoyancy at rest */
        for (int j = 0; j < ROWS; j++) {
            wrench -= f->stiffness[i][j] * displacement[j] + f->damping[i][j] * velocities[j] +
                      f->added_mass[i][j] * accelerations[j];
            stiffness[i + ROWS * j] = f->stiffness[i][j];
            damping[i + ROWS * j] = f->damping[i][j];
            added_mass[i + ROWS * j] = f->added_mass[i][j];
        }
        wrenches[i] = wrench;
    }
    return 0;
}

/* The first body is lifted by `lift`, and both are let go. */
static pintle_system *create_barges(fluid *f, double lift)
{
    const double down[3] = {0.0, 0.0, -gravity}, com[3] = {0.0, 0.0, 0.0};
    pintle_system *sys = NULL;
    int32_t bodies[BODIES], id;
    CHECK(NULL, pintle_create(&sys));
    CHECK(sys, pintle_set_gravity(sys, down));
    for (int b = 0; b < BODIES; b++) {
        const double pose[7] = {0.0, gap * b, b == 0 ? lift : 0.0, 1.0, 0.0, 0.0, 0.0};
        CHECK(sys, pintle_add_rigid_body(sys, mass, com, inertia, pose, &bodies[b]));
    }
    CHECK(sys, pintle_set_coupled_load_callback(sys, BODIES, bodies, loads, f, &id));
    CHECK(sys, pintle_set_option(sys, "rho_inf", 1.0));
    CHECK(sys, pintle_initialize(sys, 0.0));
    return sys;
}

/* The root s of the pair's motion in phase (sign 1) or out of phase (sign -1), Im s > 0. */
static double complex root(int sign)
{
    const double a = 0.8 * mass, m = mass + a * (1.0 + sign * coupling[0]), b = radiation * a * (1.0 + sign * coupling[1]);
    return -b / (2.0 * m) + I * sqrt(waterline / m - b * b / (4.0 * m * m));
}

/* Heave of body 0 or 1, lifted by 1 and let go, after n steps of the trapezoidal rule, which multiplies exp(s t) by
 * (1 + s h/2)/(1 - s h/2) per step; or at time t of the equation itself where h is 0. */
static double closed_form(int body, double t, double h)
{
    double heave = 0.0;
    for (int sign = 1; sign >= -1; sign -= 2) {
        const double complex s = root(sign);
        const double complex grown = h > 0.0 ? cpow((1.0 + 0.5 * h * s) / (1.0 - 0.5 * h * s), round(t / h)) : cexp(s * t);
        heave += 0.5 * (body == 0 ? 1.0 : sign) * (creal(grown) - creal(s) / cimag(s) * cimag(grown));
    }
    return heave;
}

static void check_modes(fluid *f)
{
    enum { STATES = 2 * ROWS };
    double frequency[STATES], ratio[STATES], shapes[STATES * 12 * BODIES], motion[2];
    int32_t count = 0;
    pintle_system *sys = create_barges(f, 0.0);
    CHECK(sys, pintle_get_modes(sys, STATES, &count, frequency, ratio, BODIES, shapes, motion));
    for (int sign = 1; sign >= -1; sign -= 2) {
        const double complex s = root(sign);
        const double expected = cabs(s) / (2.0 * acos(-1.0)), damped = -creal(s) / cabs(s);
        int found = 0;
        for (int k = 1; k < count; k++) {
            found = fabs(frequency[k] - expected) < fabs(frequency[found] - expected) ? k : found;
        }
        printf("heave %s %.9f Hz, damping ratio %.9f (closed form %.9f, %.9f)\n", sign > 0 ? "in phase:    " : "out of phase:",
               frequency[found], ratio[found], expected, damped);
        REQUIRE(fabs(frequency[found] - expected) < 1e-9 && fabs(ratio[found] - damped) < 1e-9, "mode %d", sign);
    }
    CHECK(sys, pintle_destroy(&sys));
}

static void check_motion(fluid *f)
{
    const double h = 0.05, lift = 0.5;
    pintle_system *sys = create_barges(f, lift);
    double worst = 0.0, iterations = 0.0, steps = 0.0;
    printf("\n  time (s)    z1 (m)    z2 (m)   closed form (m)\n");
    for (int n = 1; n <= 600; n++) {
        double poses[BODIES][7];
        CHECK(sys, pintle_step(sys, h));
        CHECK(sys, pintle_get_body_poses(sys, BODIES, poses[0]));
        for (int b = 0; b < BODIES; b++) {
            worst = fmax(worst, fabs(poses[b][HEAVE] - lift * closed_form(b, n * h, h)));
        }
        if (n % 60 == 0) {
            printf("%10.2f %9.5f %9.5f %9.5f %9.5f\n", n * h, poses[0][HEAVE], poses[1][HEAVE],
                   lift * closed_form(0, n * h, 0.0), lift * closed_form(1, n * h, 0.0));
        }
    }
    CHECK(sys, pintle_get_statistic(sys, "iterations", &iterations));
    CHECK(sys, pintle_get_statistic(sys, "steps", &steps));
    printf("off the trapezoidal rule by at most %.1e m; %.2f iterations per step\n", worst, iterations / steps);
    /* Newton's method is exact for a linear model. The start damps accelerations by the third power of
     * x = b h/(m + a) = 2e-3: the first step leaves a velocity off by h/2 x^3 z'' = 2e-10 m/s, which at 1.7 rad/s is 1e-10 m. */
    REQUIRE(worst < 2e-10, "%.3e m", worst);
    CHECK(sys, pintle_destroy(&sys));
}

/* Stops the call once half of it is done; `user` counts how often it was asked. */
static int32_t stop_half_way(void *user, double time, double fraction)
{
    (void)time;
    ++*(int *)user;
    return fraction >= 0.5;
}

static void check_stop(fluid *f)
{
    pintle_system *sys = create_barges(f, 0.5);
    double before[BODIES][7], after[BODIES][7], time = -1.0;
    int asked = 0;
    CHECK(sys, pintle_step(sys, 1.0));
    CHECK(sys, pintle_get_body_poses(sys, BODIES, before[0]));

    /* 60 s in internal steps of 0.02 s. */
    CHECK(sys, pintle_set_option(sys, "max_time_step", 0.02));
    CHECK(sys, pintle_set_progress_callback(sys, stop_half_way, &asked));
    const int32_t status = pintle_step(sys, 60.0);
    printf("\nstopped after %d questions: %s\n", asked, pintle_status_name(status));
    REQUIRE(status == PINTLE_ERR_STOPPED && asked > 1, "status %d", (int)status);
    CHECK(sys, pintle_time(sys, &time));
    CHECK(sys, pintle_get_body_poses(sys, BODIES, after[0]));
    REQUIRE(time == 1.0 && memcmp(before, after, sizeof before) == 0, "a stopped step changes nothing, time %g", time);

    /* Without the callback the same step goes to its end. */
    CHECK(sys, pintle_set_progress_callback(sys, NULL, NULL));
    CHECK(sys, pintle_step(sys, 60.0));
    CHECK(sys, pintle_time(sys, &time));
    printf("then on to %g s\n", time);
    REQUIRE(time == 61.0, "time %g", time);
    CHECK(sys, pintle_destroy(&sys));
}

int main(void)
{
    fluid f = create_fluid();
    printf("two barges with a 12 x 12 added mass, pintle %s\n\n", pintle_version());
    check_modes(&f);
    check_motion(&f);
    check_stop(&f);
    return EXIT_SUCCESS;
}
