/*
 * The heavy top of Geradin & Cardona (2001), as Bruls, Cardona & Arnold (2012) use it: a disk of 15 kg at the end of a 1 m rod
 * whose other end is held at the origin by a spherical joint. It spins with 150 rad/s, so that a step of 2 ms turns it by 17
 * degrees: a hard test for a time integrator on rotations.
 *
 *   heavy_top [directory | short]       writes directory/heavy_top.csv when a directory is given; short: no steps below 0.25 ms
 *
 * The program runs the top for 2 s at six step sizes and compares every step with a solution that is computed here without the
 * library: Euler's equations about the fixed point. Exit status 1 means that a number is not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/heavy_top.c target/release/libpintle.a -lm -o target/heavy_top
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "example.h"

/* The published model. */
static const double mass = 15.0;
static const double inertia_com[3] = {0.234375, 0.46875, 0.234375}; /* principal, about the centre of mass */
static const double arm[3] = {0.0, 1.0, 0.0};                       /* from the fixed point to the centre of mass, body axes */
static const double omega_start[3] = {0.0, 150.0, -4.61538};
static const double gravity[3] = {0.0, 0.0, -9.81};
static const double duration = 2.0;

/* The exact motion after 2 s. */
static const double displacement_end[3] = {-0.150416822747, -1.724165591637, -0.673022269560};
static const double quaternion_end[4] = {0.122947135041, -0.491079892551, 0.350430030343, -0.787986887550};

/* ------------------------------------------------------------------------------------------------------- small vectors */

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

static double largest_component(const double a[3], const double b[3])
{
    return fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2])));
}

/* Distance of two rotations: q and -q are the same one. */
static double quaternion_distance(const double p[4], const double q[4])
{
    double minus = 0.0, plus = 0.0;
    for (int i = 0; i < 4; i++) {
        minus += (p[i] - q[i]) * (p[i] - q[i]);
        plus += (p[i] + q[i]) * (p[i] + q[i]);
    }
    return sqrt(fmin(minus, plus));
}

/* v + 2 w u x v + 2 u x (u x v), (w, u) = q: body axes to inertial axes. */
static void rotate(const double q[4], const double v[3], double out[3])
{
    double t[3], s[3];
    cross(&q[1], v, t);
    cross(&q[1], t, s);
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] + 2.0 * (q[0] * t[i] + s[i]);
    }
}

static void rotate_back(const double q[4], const double v[3], double out[3])
{
    const double conjugate[4] = {q[0], -q[1], -q[2], -q[3]};
    rotate(conjugate, v, out);
}

/* ------------------------------------------------------------------------------------------- reference, without pintle */

/* Three rotational freedoms are all that the joint leaves: orientation and angular velocity in body axes. */
typedef struct {
    double q[4];
    double omega[3];
} top_state;

/* q' = 1/2 q (0, omega);  J0 omega' = -omega x J0 omega + arm x R^T m g, J0 about the fixed point. */
static top_state top_rate(const top_state *s)
{
    const double j[3] = {inertia_com[0] + mass, inertia_com[1], inertia_com[2] + mass}; /* arm along y, 1 m */
    const double weight[3] = {mass * gravity[0], mass * gravity[1], mass * gravity[2]};
    const double *q = s->q, *w = s->omega;
    const double spin[3] = {j[0] * w[0], j[1] * w[1], j[2] * w[2]};
    double gyroscopic[3], weight_body[3], torque[3];
    cross(w, spin, gyroscopic);
    rotate_back(q, weight, weight_body);
    cross(arm, weight_body, torque);

    top_state rate;
    rate.q[0] = 0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]);
    rate.q[1] = 0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]);
    rate.q[2] = 0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]);
    rate.q[3] = 0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]);
    for (int i = 0; i < 3; i++) {
        rate.omega[i] = (torque[i] - gyroscopic[i]) / j[i];
    }
    return rate;
}

static top_state top_moved(const top_state *s, double h, const top_state *rate)
{
    top_state out;
    for (int i = 0; i < 4; i++) {
        out.q[i] = s->q[i] + h * rate->q[i];
    }
    for (int i = 0; i < 3; i++) {
        out.omega[i] = s->omega[i] + h * rate->omega[i];
    }
    return out;
}

/* One step of the classical Runge-Kutta method; the quaternion is normalised after it. */
static top_state top_step(const top_state *s, double h)
{
    const top_state k1 = top_rate(s);
    const top_state s2 = top_moved(s, 0.5 * h, &k1), k2 = top_rate(&s2);
    const top_state s3 = top_moved(s, 0.5 * h, &k2), k3 = top_rate(&s3);
    const top_state s4 = top_moved(s, h, &k3), k4 = top_rate(&s4);
    top_state mean, out;
    for (int i = 0; i < 4; i++) {
        mean.q[i] = (k1.q[i] + 2.0 * k2.q[i] + 2.0 * k3.q[i] + k4.q[i]) / 6.0;
    }
    for (int i = 0; i < 3; i++) {
        mean.omega[i] = (k1.omega[i] + 2.0 * k2.omega[i] + 2.0 * k3.omega[i] + k4.omega[i]) / 6.0;
    }
    out = top_moved(s, h, &mean);
    double norm = sqrt(out.q[0] * out.q[0] + out.q[1] * out.q[1] + out.q[2] * out.q[2] + out.q[3] * out.q[3]);
    for (int i = 0; i < 4; i++) {
        out.q[i] /= norm;
    }
    return out;
}

/* Displacement of the centre of mass from its place at the start. */
static void top_displacement(const top_state *s, double u[3])
{
    rotate(s->q, arm, u);
    for (int i = 0; i < 3; i++) {
        u[i] -= arm[i];
    }
}

/* What the joint exerts on the top: m (a - g), a = omega' x arm + omega x (omega x arm). */
static void top_reaction(const top_state *s, double force[3])
{
    const top_state rate = top_rate(s);
    double tangential[3], swing[3], centripetal[3], body[3], a[3];
    cross(rate.omega, arm, tangential);
    cross(s->omega, arm, swing);
    cross(s->omega, swing, centripetal);
    for (int i = 0; i < 3; i++) {
        body[i] = tangential[i] + centripetal[i];
    }
    rotate(s->q, body, a);
    for (int i = 0; i < 3; i++) {
        force[i] = mass * (a[i] - gravity[i]);
    }
}

/* The reference at multiples of the smallest step size of the table; the others are multiples of it. */
#define REFERENCE_STEP 1e-5
#define REFERENCE_STEPS 200000

static top_state *reference_solution(void)
{
    top_state *states = malloc((REFERENCE_STEPS + 1) * sizeof *states);
    REQUIRE(states != NULL, "out of memory");
    states[0] = (top_state){.q = {1.0, 0.0, 0.0, 0.0}, .omega = {omega_start[0], omega_start[1], omega_start[2]}};
    for (int n = 0; n < REFERENCE_STEPS; n++) {
        states[n + 1] = top_step(&states[n], REFERENCE_STEP);
    }

    /* Its own error: it must meet the exact end to the digits that are known, with room for the rounding of 2e5 steps. */
    double u[3];
    top_displacement(&states[REFERENCE_STEPS], u);
    double error = distance(u, displacement_end);
    double turned = quaternion_distance(states[REFERENCE_STEPS].q, quaternion_end);
    printf("reference at 2 s: error of u %.1e m, of q %.1e\n", error, turned);
    REQUIRE(error < 1e-11 && turned < 1e-11, "the reference does not reach the exact end: %.3e m, %.3e", error, turned);
    return states;
}

/* ---------------------------------------------------------------------------------------------------------- with pintle */

typedef struct {
    pintle_system *system;
    int32_t body;
    int32_t joint;
} top;

static top create_top(void)
{
    top t = {NULL, -1, -1};
    CHECK(NULL, pintle_create(&t.system));
    CHECK(t.system, pintle_set_gravity(t.system, gravity));

    /* The reference point of the body is its centre of mass: com = 0 in body axes, and the pose says where that is. */
    const double com[3] = {0.0, 0.0, 0.0};
    const double inertia[6] = {inertia_com[0], inertia_com[1], inertia_com[2], 0.0, 0.0, 0.0};
    const double pose[7] = {arm[0], arm[1], arm[2], 1.0, 0.0, 0.0, 0.0};
    CHECK(t.system, pintle_add_rigid_body(t.system, mass, com, inertia, pose, &t.body));

    /* Initial velocities must fit the joint: the centre of mass moves with omega x arm. */
    double velocity[6] = {0.0, 0.0, 0.0, omega_start[0], omega_start[1], omega_start[2]};
    cross(omega_start, arm, velocity);
    CHECK(t.system, pintle_set_body_velocity(t.system, t.body, velocity));

    /* Ground is a, the top is b: the reaction will be what ground exerts on the top. */
    const double origin[3] = {0.0, 0.0, 0.0};
    CHECK(t.system, pintle_add_joint_at(t.system, PINTLE_JOINT_SPHERICAL, PINTLE_GROUND, t.body, origin, NULL, &t.joint));

    CHECK(t.system, pintle_set_option(t.system, "rho_inf", 0.9));
    CHECK(t.system, pintle_set_option(t.system, "abs_tolerance", 1e-10));
    CHECK(t.system, pintle_set_option(t.system, "rel_tolerance", 1e-10));
    CHECK(t.system, pintle_initialize(t.system, 0.0));
    return t;
}

/* The library finds the accelerations that fit loads, velocities and joints; nobody has to supply them. */
static void check_initial_accelerations(void)
{
    const double expected[6] = {0.0, -21.3017325444, -30.9608307692, 661.346169231, 0.0, 0.0};
    double found[6];
    top t = create_top();
    CHECK(t.system, pintle_get_body_acceleration(t.system, t.body, PINTLE_FRAME_INERTIAL, found));
    printf("initial acceleration: linear (%.10f, %.10f, %.10f)  angular (%.9f, %.9f, %.9f)\n\n", found[0], found[1], found[2],
           found[3], found[4], found[5]);
    for (int i = 0; i < 6; i++) {
        /* The expected values are printed to 10 (linear) and 9 (angular) decimals: half a unit of the last one. */
        double tolerance = i < 3 ? 0.5e-10 : 0.5e-9;
        REQUIRE(fabs(found[i] - expected[i]) <= 1.01 * tolerance, "initial acceleration %d is %.12f", i, found[i]);
    }
    CHECK(t.system, pintle_destroy(&t.system));
}

typedef struct {
    double dt;
    double end_error;            /* largest component of the error of u at 2 s, m: what is published */
    double max_error;            /* largest distance from the exact u over all steps, m */
    int failed_steps;
    double iterations_per_step;
    double microseconds_per_step;
    double end[7];               /* displacement and quaternion at 2 s */
} run_result;

static double seconds_now(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static run_result run(double dt, const top_state *reference)
{
    const int steps = (int)lround(duration / dt);
    const int stride = REFERENCE_STEPS / steps;
    run_result result = {.dt = dt};
    double(*history)[7] = calloc((size_t)steps + 1, sizeof *history);
    REQUIRE(history != NULL, "out of memory");
    top t = create_top();

    /* The whole work of a host without loads: step, read. The comparison comes later, so that it is not timed. */
    double started = seconds_now();
    for (int n = 1; n <= steps; n++) {
        if (pintle_step(t.system, dt) != PINTLE_OK) {
            result.failed_steps++;
        }
        pintle_get_body_displacement(t.system, t.body, history[n]);
    }
    result.microseconds_per_step = 1e6 * (seconds_now() - started) / steps;

    double iterations;
    CHECK(t.system, pintle_get_statistic(t.system, "iterations", &iterations));
    result.iterations_per_step = iterations / steps;

    for (int n = 1; n <= steps; n++) {
        double exact[3];
        top_displacement(&reference[(long)n * stride], exact);
        result.max_error = fmax(result.max_error, distance(history[n], exact));
    }
    for (int i = 0; i < 7; i++) {
        result.end[i] = history[steps][i];
    }
    result.end_error = largest_component(result.end, displacement_end);
    free(history);
    CHECK(t.system, pintle_destroy(&t.system));
    return result;
}

/* Largest error of the joint's force in the first `steps` steps: it shows whether the start is as good as the scheme. */
static double reaction_error(double dt, int steps, const top_state *reference)
{
    const long stride = lround(dt / REFERENCE_STEP);
    double error = 0.0;
    top t = create_top();
    for (int n = 1; n <= steps; n++) {
        double wrench[6], exact[3];
        CHECK(t.system, pintle_step(t.system, dt));
        CHECK(t.system, pintle_get_joint_reaction(t.system, t.joint, PINTLE_FRAME_INERTIAL, wrench));
        top_reaction(&reference[n * stride], exact);
        error = fmax(error, distance(wrench, exact));
    }
    CHECK(t.system, pintle_destroy(&t.system));
    return error;
}

/* ---------------------------------------------------------------------------------------------------------- the tables */

/* Step sizes, and the error at 2 s where it is published: to two digits, so within half a unit of the second one. 0 where
 * it is not. */
typedef struct {
    double dt;
    double known_error;
    double half_unit;
} table_row;

static const table_row rows[] = {
    {2e-3, 9.6e-3, 0.05e-3}, {1e-3, 0.0, 0.0},        {5e-4, 0.0, 0.0},
    {2.5e-4, 0.0, 0.0},      {1e-4, 2.4e-5, 0.05e-5}, {1e-5, 2.4e-7, 0.05e-7},
};
enum { ROWS = sizeof rows / sizeof rows[0], SHORT_ROWS = 4 };

static double observed_order(double coarse_error, double fine_error, double coarse_dt, double fine_dt)
{
    return log(coarse_error / fine_error) / log(coarse_dt / fine_dt);
}

static void check_row(const run_result *r, const table_row *row, bool first, double order)
{
    REQUIRE(r->failed_steps == 0, "%d steps failed at dt = %g", r->failed_steps, r->dt);
    REQUIRE(row->known_error == 0.0 || fabs(r->end_error - row->known_error) <= row->half_unit,
            "error %.4e m at dt = %g, known is %.1e", r->end_error, r->dt, row->known_error);
    REQUIRE(first || fabs(order - 2.0) < 0.1, "observed order %.3f at dt = %g", order, r->dt);
}

/* The end of the finest run beside the exact one. Displacement and rotation must both approach it with the square of dt. */
static void check_end(const run_result *coarse, const run_result *fine)
{
    const double *u = fine->end, *q = fine->end + 3;
    printf("\nat 2 s, dt = %g:\n", fine->dt);
    printf("  u       (%.9f, %.9f, %.9f)\n", u[0], u[1], u[2]);
    printf("  exact   (%.9f, %.9f, %.9f)\n", displacement_end[0], displacement_end[1], displacement_end[2]);
    printf("  q       (%.9f, %.9f, %.9f, %.9f)\n", q[0], q[1], q[2], q[3]);
    printf("  exact   (%.9f, %.9f, %.9f, %.9f)\n\n", quaternion_end[0], quaternion_end[1], quaternion_end[2], quaternion_end[3]);

    double order_u = observed_order(distance(coarse->end, displacement_end), distance(u, displacement_end), coarse->dt, fine->dt);
    double order_q = observed_order(quaternion_distance(coarse->end + 3, quaternion_end), quaternion_distance(q, quaternion_end),
                                    coarse->dt, fine->dt);
    REQUIRE(fabs(order_u - 2.0) < 0.1, "u(2 s) converges with order %.3f", order_u);
    REQUIRE(fabs(order_q - 2.0) < 0.1, "q(2 s) converges with order %.3f", order_q);
}

static void convergence_table(const top_state *reference, int row_count, FILE *csv)
{
    run_result results[ROWS];
    printf("generalized-alpha, rho_inf 0.9, tolerances 1e-10, %g s\n", duration);
    printf("error: largest component of u - exact at 2 s; largest: greatest distance from the exact u on the way\n");
    printf("      dt (s)   error (m)  order  largest (m)  failed steps  iterations/step  us/step\n");
    if (csv != NULL) {
        fprintf(csv, "dt_s,error_m,order,largest_m,failed_steps,iterations_per_step,us_per_step\n");
    }
    for (int i = 0; i < row_count; i++) {
        results[i] = run(rows[i].dt, reference);
        const run_result *r = &results[i];
        double order = i == 0 ? 0.0 : observed_order(r[-1].end_error, r->end_error, r[-1].dt, r->dt);
        char order_text[16] = "";
        if (i > 0) {
            snprintf(order_text, sizeof order_text, "%.2f", order);
        }
        printf("%12g  %10.3e  %5s  %11.3e  %12d  %15.2f  %7.2f\n", r->dt, r->end_error, order_text, r->max_error,
               r->failed_steps, r->iterations_per_step, r->microseconds_per_step);
        if (csv != NULL) {
            fprintf(csv, "%g,%.6e,%s,%.6e,%d,%.4f,%.3f\n", r->dt, r->end_error, order_text, r->max_error, r->failed_steps,
                    r->iterations_per_step, r->microseconds_per_step);
        }
        check_row(r, &rows[i], i == 0, order);
    }

    check_end(&results[row_count - 2], &results[row_count - 1]);
}

static void reaction_table(const top_state *reference)
{
    const int steps = 40;
    const double coarse = reaction_error(1e-3, steps, reference), fine = reaction_error(5e-4, steps, reference);
    double exact[3];
    const double zero[3] = {0.0, 0.0, 0.0};
    top_reaction(&reference[0], exact);
    printf("joint reaction in the first %d steps (%.0f N at the start)\n", steps, distance(exact, zero));
    printf("      dt (s)  max error (N)  order\n");
    printf("%12g  %13.3f\n", 1e-3, coarse);
    printf("%12g  %13.3f  %5.2f\n\n", 5e-4, fine, log2(coarse / fine));
    REQUIRE(coarse < 1.0, "the reaction is wrong by %.3f N", coarse);
    REQUIRE(fabs(log2(coarse / fine) - 2.0) < 0.2, "the reaction converges with order %.2f", log2(coarse / fine));
}

int main(int argc, char **argv)
{
    printf("heavy top, pintle %s\n\n", pintle_version());
    check_initial_accelerations();

    const bool is_short = argc > 1 && strcmp(argv[1], "short") == 0;
    top_state *reference = reference_solution();
    FILE *csv = argc > 1 && !is_short ? example_create(argv[1], "heavy_top.csv") : NULL;
    convergence_table(reference, is_short ? SHORT_ROWS : ROWS, csv);
    reaction_table(reference);
    if (csv != NULL) {
        REQUIRE(fclose(csv) == 0, "heavy_top.csv could not be written");
        printf("written: %s/heavy_top.csv\n", argv[1]);
    }
    free(reference);
    return EXIT_SUCCESS;
}
