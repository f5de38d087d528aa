/*
 * A mooring line of the OC3 Hywind spar whose fairlead the host moves: motions in, tension out. This is all that a host needs which
 * integrates its floating body itself.
 *
 *   fairlead [directory]       writes directory/fairlead.csv when a directory is given
 *
 * The program runs 40 s and compares force and tension at rest with the elastic catenary, and tensions on the way with those of
 * another code. Exit status 1 means that a number is not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/fairlead.c target/release/libpintle.a -lm -o target/fairlead
 */
#include <math.h>

#include "example.h"

static const double pi = 3.14159265358979323846;

/* Jonkman (2010), NREL/TP-500-47535: a line with the properties of the published ones, in 320 m of water. */
static const double depth = 320.0, water = 1025.0, gravity = 9.80665;
static const double diameter = 0.09, mass_per_length = 77.7066, ea = 384.243e6, length = 902.2;
static const double anchor[3] = {853.87, 0.0, -320.0}, fairlead[3] = {5.2, 0.0, -70.0};
enum { SEGMENTS = 20 };

static const double time_step = 0.1; /* the waves along a segment take a third of it: no matter */

typedef struct {
    double x[3], v[3], a[3];
} motion;

/* A sine that sets in within 10 s, with velocity and acceleration. */
static void swing(double t, double amplitude, double period, double *x, double *v, double *a)
{
    const double w = 2.0 * pi / period, s = sin(w * t), c = cos(w * t), u = t / 10.0;
    double ramp = 1.0, slope = 0.0, bend = 0.0;
    if (u < 1.0) {
        ramp = u * u * (3.0 - 2.0 * u);
        slope = 6.0 * u * (1.0 - u) / 10.0;
        bend = (6.0 - 12.0 * u) / 100.0;
    }
    *x += amplitude * ramp * s;
    *v += amplitude * (slope * s + ramp * w * c);
    *a += amplitude * (bend * s + 2.0 * slope * w * c - ramp * w * w * s);
}

/* What the host's floating body does at the fairlead: surge, sway and heave of three periods. */
static motion host_motion(double t)
{
    motion m = {.x = {fairlead[0], fairlead[1], fairlead[2]}};
    swing(t, 2.0, 10.0, &m.x[0], &m.v[0], &m.a[0]);
    swing(t, 0.5, 13.0, &m.x[1], &m.v[1], &m.a[1]);
    swing(t, 1.0, 9.0, &m.x[2], &m.v[2], &m.a[2]);
    return m;
}

typedef struct {
    pintle_system *system;
    int32_t fairlead, line;
} mooring;

static mooring create_mooring(void)
{
    mooring m = {.system = NULL};
    int32_t type, bed;
    const double down[3] = {0.0, 0.0, -gravity};
    CHECK(NULL, pintle_create(&m.system));
    CHECK(m.system, pintle_set_gravity(m.system, down));
    CHECK(m.system, pintle_set_environment(m.system, "water_density", water));
    CHECK(m.system, pintle_set_environment(m.system, "depth", depth));

    /* Drag 1.6 across and 0.1 along, added mass 1 across; 0.8 of the damping that is critical for the waves of a segment. */
    CHECK(m.system, pintle_add_line_type(m.system, diameter, mass_per_length, ea, -0.8, 0.0, 1.6, 1.0, 0.1, 0.0, &type));
    CHECK(m.system, pintle_add_point(m.system, 0.0, 0.0, anchor, &bed));
    CHECK(m.system, pintle_fix_point(m.system, bed));
    CHECK(m.system, pintle_add_point(m.system, 0.0, 0.0, fairlead, &m.fairlead));
    CHECK(m.system, pintle_set_point_prescribed(m.system, m.fairlead, 1));
    CHECK(m.system, pintle_add_line(m.system, type, bed, m.fairlead, length, SEGMENTS, &m.line));

    /* High frequencies are damped within few steps, as the waves along segments may be. */
    CHECK(m.system, pintle_set_option(m.system, "rho_inf", 0.3));

    /* Lines hang in their shapes at rest from here on. */
    CHECK(m.system, pintle_initialize(m.system, 0.0));
    return m;
}

static double read_tension(const mooring *m)
{
    double tensions[SEGMENTS];
    CHECK(m->system, pintle_get_line_tensions(m->system, m->line, SEGMENTS, tensions));
    return tensions[SEGMENTS - 1];
}

static void check_rest(const mooring *m)
{
    double force[3];
    CHECK(m->system, pintle_get_line_end_force(m->system, m->line, 1, force));
    const double net = sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]);
    printf("at rest: force on the fairlead %.2f kN (elastic catenary 911.09), tension of the last segment %.2f kN\n\n",
           1e-3 * net, 1e-3 * read_tension(m));
    /* 20 segments leave 0.13 % of the force; the segment is the middle of the last 45 m, which is why its tension is less. */
    REQUIRE(fabs(1e-3 * net / 911.09 - 1.0) < 2e-3, "the force at rest is %.3f kN", 1e-3 * net);
    REQUIRE(force[0] > 0.0 && force[2] < 0.0, "the line pulls to its anchor and down");
}

/* MoorDyn 2.7.2, Runge-Kutta method of order 4 with steps of 1.25 ms: tension of the last segment in kN. Its largest is 1332.19. */
enum { KNOWN = 6 };
static const struct {
    double time, tension;
} known[KNOWN] = {{5.0, 975.766}, {10.0, 722.206}, {15.0, 1093.913}, {20.0, 649.183}, {25.0, 1174.942}, {40.0, 484.631}};
static const double largest_known = 1332.188;

int main(int argc, char **argv)
{
    printf("a line whose fairlead is moved, pintle %s, %d segments, dt %g s\n", pintle_version(), SEGMENTS, time_step);
    FILE *csv = argc > 1 ? example_create(argv[1], "fairlead.csv") : NULL;
    if (csv != NULL) {
        fprintf(csv, "time_s,surge_m,sway_m,heave_m,tension_kN\n");
    }
    mooring m = create_mooring();
    check_rest(&m);

    printf("  time (s)  surge (m)  heave (m)  tension (kN)  known (kN)\n");
    double largest = 0.0;
    for (int n = 1; n <= 400; n++) {
        const double t = n * time_step;
        const motion host = host_motion(t); /* at the END of the coming step */
        CHECK(m.system, pintle_set_point_motion(m.system, m.fairlead, host.x, host.v, host.a));
        CHECK(m.system, pintle_step(m.system, time_step));
        const double tension = 1e-3 * read_tension(&m);
        largest = fmax(largest, tension);
        if (csv != NULL) {
            fprintf(csv, "%.1f,%.6f,%.6f,%.6f,%.4f\n", t, host.x[0] - fairlead[0], host.x[1], host.x[2] - fairlead[2], tension);
        }
        for (int k = 0; k < KNOWN; k++) {
            if (n == lround(known[k].time / time_step)) {
                printf("%10.1f %10.4f %10.4f %13.3f %11.3f\n", t, host.x[0] - fairlead[0], host.x[2] - fairlead[2], tension,
                       known[k].tension);
                /* What steps of 0.1 s and a bed that gives way smoothly make of it. */
                REQUIRE(fabs(tension - known[k].tension) < 5e-3 * largest_known, "the tension at %g s is %.3f kN", t, tension);
            }
        }
    }
    double iterations;
    CHECK(m.system, pintle_get_statistic(m.system, "iterations", &iterations));
    printf("\nlargest tension %.2f kN (known %.2f), %.2f iterations per step\n", largest, largest_known, iterations / 400.0);
    REQUIRE(fabs(largest / largest_known - 1.0) < 5e-3, "the largest tension is %.3f kN", largest);
    CHECK(m.system, pintle_destroy(&m.system));
    if (csv != NULL) {
        REQUIRE(fclose(csv) == 0, "fairlead.csv could not be written");
        printf("written: %s/fairlead.csv\n", argv[1]);
    }
    return EXIT_SUCCESS;
}
