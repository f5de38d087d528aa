/*
 * A floating wind turbine platform on three taut mooring lines, pushed about by prescribed forces and moments: the platform case
 * of Kynema-FMB's tests, and the least that a hydrodynamics host has to do: loads in, step, motions out.
 *
 *   floating_platform [directory]       writes directory/floating_platform.csv when a directory is given
 *
 * The program runs 60 s and compares the motion at 10.01 s and at 60 s with independent solutions. Exit status 1 means that a
 * number is not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/floating_platform.c target/release/libpintle.a -lm -o target/floating_platform
 */
#include <math.h>
#include <stdbool.h>

#include "example.h"

static const double pi = 3.14159265358979323846;

/* The model: reference point = centre of mass, inertial frame at the still water line, z up, SI units. */
static const double mass = 1.419625e7;
static const double inertia[6] = {1.2898e10, 1.2851e10, 1.4189e10, 0.0, 0.0, 0.0};
static const double start[7] = {0.0, 0.0, -7.53, 1.0, 0.0, 0.0, 0.0};
static const double gravity = 9.8124;

enum { LINES = 3 };
static const double fairlead[LINES][3] = {{-40.87, 0.0, -14.0}, {20.43, -35.39, -14.0}, {20.43, 35.39, -14.0}};
static const double anchor[LINES][3] = {{-105.47, 0.0, -58.4}, {52.73, -91.34, -58.4}, {52.73, 91.34, -58.4}};
static const double line_stiffness = 48.9e3;
static const double line_rest_length = 55.432;
static const double line_pull = 1907514.4912628897; /* vertical pull of the three lines at the start, N */

static const double time_step = 0.01;
static const double duration = 60.0;

typedef struct {
    pintle_system *system;
    int32_t body;
    int32_t line[LINES];
} platform;

/* What a hydrodynamics code would compute: buoyancy that carries weight and lines, and forces and moments of five periods. */
static void set_loads(const platform *p, double t)
{
    const double buoyancy = line_pull + mass * gravity;
    const double wrench[6] = {
        0.0,
        1e6 * sin(2.0 * pi * t / 20.0),
        buoyancy + 0.5 * line_pull * sin(2.0 * pi * t / 20.0),
        5e5 * sin(2.0 * pi * t / 15.0),
        1e6 * sin(2.0 * pi * t / 30.0),
        2e7 * sin(2.0 * pi * t / 60.0),
    };
    CHECK(p->system, pintle_set_body_load(p->system, p->body, PINTLE_FRAME_INERTIAL, wrench));
}

static platform create_platform(void)
{
    platform p = {.system = NULL};
    CHECK(NULL, pintle_create(&p.system));

    const double down[3] = {0.0, 0.0, -gravity};
    const double com[3] = {0.0, 0.0, 0.0};
    CHECK(p.system, pintle_set_gravity(p.system, down));
    CHECK(p.system, pintle_add_rigid_body(p.system, mass, com, inertia, start, &p.body));

    /* Springs take their ends in the axes of the body they hang on; ends on ground are in the inertial frame. The platform starts
     * upright, so that its axes are those of the inertial frame and only the origin differs. */
    for (int i = 0; i < LINES; i++) {
        const double on_platform[3] = {fairlead[i][0] - start[0], fairlead[i][1] - start[1], fairlead[i][2] - start[2]};
        CHECK(p.system, pintle_add_spring(p.system, p.body, on_platform, PINTLE_GROUND, anchor[i], line_stiffness, 0.0,
                                          line_rest_length, 0, &p.line[i]));
    }

    /* rho_inf = 1: no numerical damping, the platform has none either. */
    CHECK(p.system, pintle_set_option(p.system, "rho_inf", 1.0));

    /* The loads at t = 0 belong to the initial accelerations, which initialize computes. */
    set_loads(&p, 0.0);
    CHECK(p.system, pintle_initialize(p.system, 0.0));
    return p;
}

/* ------------------------------------------------------------------------------------------------------------- output */

typedef struct {
    double time;
    double position[3]; /* surge, sway, heave: displacement of the reference point, m */
    double angle[3];    /* roll, pitch, yaw, degrees */
    double tension[LINES];
} motion;

static motion read_motion(const platform *p, double t)
{
    motion m = {.time = t};
    double displacement[7], length;
    CHECK(p->system, pintle_get_body_displacement(p->system, p->body, displacement));
    CHECK(NULL, pintle_quat_to_euler_zyx(&displacement[3], m.angle));
    for (int i = 0; i < 3; i++) {
        m.position[i] = displacement[i];
        m.angle[i] *= 180.0 / pi;
    }
    for (int i = 0; i < LINES; i++) {
        CHECK(p->system, pintle_get_spring_force(p->system, p->line[i], &length, &m.tension[i]));
    }
    return m;
}

static void write_header(FILE *csv)
{
    fprintf(csv, "time_s,surge_m,sway_m,heave_m,roll_deg,pitch_deg,yaw_deg,tension_1_N,tension_2_N,tension_3_N\n");
}

static void write_motion(FILE *csv, const motion *m)
{
    fprintf(csv, "%.3f,%.9f,%.9f,%.9f,%.9f,%.9f,%.9f,%.3f,%.3f,%.3f\n", m->time, m->position[0], m->position[1], m->position[2],
            m->angle[0], m->angle[1], m->angle[2], m->tension[0], m->tension[1], m->tension[2]);
}

static void print_header(void)
{
    printf("  time (s)  surge (m)   sway (m)  heave (m)  roll (deg)  pitch (deg)  yaw (deg)   line tensions (kN)\n");
}

static void print_motion(const motion *m)
{
    printf("%10.2f %10.5f %10.5f %10.5f %11.5f %12.5f %10.5f   %7.1f %7.1f %7.1f\n", m->time, m->position[0], m->position[1],
           m->position[2], m->angle[0], m->angle[1], m->angle[2], 1e-3 * m->tension[0], 1e-3 * m->tension[1],
           1e-3 * m->tension[2]);
}

/* ----------------------------------------------------------------------------------------------------------- checking */

/* A moment at which an independent solution is known. */
typedef struct {
    double time;
    double displacement[3];
    double rounding; /* half a unit of the last digit given */
} known_point;

enum { POINTS = 2 };
static const known_point known[POINTS] = {
    {10.01, {-0.000301454149, 2.1671437349, 2.0676041751}, 0.5e-10},
    /* Euler's equations and the springs by the classical Runge-Kutta method, step 0.005 s, without pintle. */
    {60.00, {-0.001997901004, -2.930229592826, -4.147206629935}, 0.5e-10},
};

static double distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

/* Runs `duration` with step dt. `at_known` receives the displacements at the known moments; with `verbose` the run prints a
 * table, and writes every tenth of a second to csv unless that is NULL. */
static void run(double dt, double at_known[POINTS][3], bool verbose, FILE *csv)
{
    const long steps = lround(duration / dt);
    const long per_record = lround(0.1 / dt), per_line = lround(10.0 / dt);
    platform p = create_platform();
    motion m = read_motion(&p, 0.0);
    if (verbose) {
        print_header();
        print_motion(&m);
    }
    if (csv != NULL) {
        write_header(csv);
        write_motion(csv, &m);
    }

    for (long n = 1; n <= steps; n++) {
        const double t = (double)n * dt;

        /* The coming step ends at t, and the loads are those of its END. */
        set_loads(&p, t);
        CHECK(p.system, pintle_step(p.system, dt));

        m = read_motion(&p, t);
        bool noted = false;
        for (int k = 0; k < POINTS; k++) {
            if (n == lround(known[k].time / dt)) {
                noted = true;
                for (int i = 0; i < 3; i++) {
                    at_known[k][i] = m.position[i];
                }
            }
        }
        if (verbose && (noted || n % per_line == 0)) {
            print_motion(&m);
        }
        if (csv != NULL && n % per_record == 0) {
            write_motion(csv, &m);
        }
    }
    CHECK(p.system, pintle_destroy(&p.system));
}

/* A second-order scheme: the error at dt is 4/3 of the difference to the run at dt/2, and a quarter of it is left at dt/2. Both
 * are checked against the independent solution; the estimate gets 10 % room for the next order in dt. */
static void check_point(const known_point *point, const double full[3], const double half[3])
{
    const double estimate = 4.0 / 3.0 * distance(full, half);
    const double error = distance(full, point->displacement), error_half = distance(half, point->displacement);
    printf("at %5.2f s: error %.2e m at dt %g, %.2e m at dt %g; expected from their difference %.2e m\n", point->time, error,
           time_step, error_half, 0.5 * time_step, estimate);
    REQUIRE(fabs(error - estimate) <= 0.1 * estimate + 2.0 * point->rounding, "error at %g s is %.3e m", point->time, error);
    REQUIRE(fabs(error_half - 0.25 * estimate) <= 0.1 * 0.25 * estimate + 2.0 * point->rounding,
            "error at %g s is %.3e m at half the step", point->time, error_half);
}

int main(int argc, char **argv)
{
    printf("floating platform, pintle %s, rho_inf 1, dt %g s\n\n", pintle_version(), time_step);

    FILE *csv = argc > 1 ? example_create(argv[1], "floating_platform.csv") : NULL;
    double full[POINTS][3] = {{0.0}}, half[POINTS][3] = {{0.0}};
    run(time_step, full, true, csv);
    if (csv != NULL) {
        REQUIRE(fclose(csv) == 0, "floating_platform.csv could not be written");
    }

    /* The same once more at half the step, to know how large the error of the first run may be. */
    run(0.5 * time_step, half, false, NULL);

    printf("\nu(10.01 s)   (%.12f, %.10f, %.10f)\n", full[0][0], full[0][1], full[0][2]);
    printf("independent  (%.12f, %.10f, %.10f)\n", known[0].displacement[0], known[0].displacement[1], known[0].displacement[2]);
    REQUIRE(fabs(full[0][1] - known[0].displacement[1]) < 5e-6, "sway at 10.01 s is %.9f m", full[0][1]);
    for (int k = 0; k < POINTS; k++) {
        check_point(&known[k], full[k], half[k]);
    }
    if (csv != NULL) {
        printf("\nwritten: %s/floating_platform.csv\n", argv[1]);
    }
    return EXIT_SUCCESS;
}
