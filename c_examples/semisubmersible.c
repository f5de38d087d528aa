/*
 * The OC4 DeepCwind semisubmersible with its turbine as one rigid body with 22 cylinders in water, on three mooring lines: rest,
 * natural periods, and the response to regular waves. Buoyancy, added mass, drag and the forces of the waves are those of the
 * cylinders; no coefficients of a panel method are needed.
 *
 *   semisubmersible [short]       short: without free decays, and with the first waves alone
 *
 * The program compares the displaced volume and the natural periods with published ones. Exit status 1 means that a number is
 * not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/semisubmersible.c target/release/libpintle.a -lm -o target/semisubmersible
 */
#include <math.h>

#include "example.h"

static const double pi = 3.14159265358979323846;

/* Robertson et al. (2014), NREL/TP-5000-60601: platform with the NREL 5-MW turbine, SI, about the tower's axis in the still water
 * line: mass, centre of mass, and inertia about the reference point xx, yy, zz, xz. */
static const double gravity = 9.80665, water = 1025.0, depth = 200.0;
static const double mass = 14072718.0, centre[3] = {-0.00668, 0.0, -9.888979};
static const double inertia[4] = {12702321680.0, 12691907691.0, 12290103911.0, 94000.089};

/* Coefficients of the report: added mass across, drag of the members; that of the base columns along their axes fits the report's
 * added mass in heave, 14.7e6 kg. Strips know nothing of each other, but together they have 8.8e6 kg in surge, and the panel method of
 * the report has 8.74e6 at zero frequency. */
static const double ca = 0.63, ca_end = 0.66, cd_end = 4.8;
static const double cd_main = 0.56, cd_upper = 0.61, cd_base = 0.68, cd_brace = 0.63;
static const double column_radius = 28.867513, column_heading[3] = {60.0, 180.0, 300.0};

enum { LINES = 3, SEGMENTS = 20, CYLINDERS = 22, MOST = 512, WAVES = 4 };

typedef struct {
    pintle_system *system;
    int32_t body, cylinders[CYLINDERS], count;
} platform;

static void add_cylinder(platform *p, const double a[3], const double b[3], double diameter, int32_t parts, double cd,
                         double end_drag, double end_mass)
{
    CHECK(p->system, pintle_add_cylinder(p->system, p->body, a, b, diameter, parts, cd, ca, end_drag, end_mass,
                                         &p->cylinders[p->count]));
    p->count++;
}

/* A point at a distance from the tower's axis and a height, in the direction of a column. */
static void place(int column, double radius, double z, double out[3])
{
    out[0] = radius * cos(column_heading[column] * pi / 180.0);
    out[1] = radius * sin(column_heading[column] * pi / 180.0);
    out[2] = z;
}

static void add_column(platform *p, int column, double radius, double low, double high, double diameter, double cd,
                       double end_drag, double end_mass)
{
    double a[3], b[3];
    place(column, radius, low, a);
    place(column, radius, high, b);
    add_cylinder(p, a, b, diameter, 8, cd, end_drag, end_mass);
}

/* A brace of 1.6 m diameter from a to b. */
static void add_brace(platform *p, const double a[3], const double b[3])
{
    add_cylinder(p, a, b, 1.6, 4, cd_brace, 0.0, 0.0);
}

static void add_hull(platform *p)
{
    add_column(p, 0, 0.0, -20.0, 10.0, 6.5, cd_main, 0.0, 0.0);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3;
        double a[3], b[3];
        add_column(p, i, column_radius, -14.0, 12.0, 12.0, cd_upper, 0.0, 0.0);
        add_column(p, i, column_radius, -20.0, -14.0, 24.0, cd_base, cd_end, ca_end);
        /* Radial braces above and below, and one that rises from the tower's column. */
        place(i, 3.25, 10.0, a);
        place(i, column_radius - 6.0, 10.0, b);
        add_brace(p, a, b);
        place(i, 3.25, -17.0, a);
        place(i, column_radius - 12.0, -17.0, b);
        add_brace(p, a, b);
        place(i, 3.25, -16.2, a);
        place(i, column_radius - 6.0, 9.13, b);
        add_brace(p, a, b);
        /* Between the columns, from surface to surface. */
        for (int level = 0; level < 2; level++) {
            const double z = level ? 10.0 : -17.0, radius = level ? 6.0 : 12.0, length = column_radius * sqrt(3.0);
            double from[3], to[3];
            place(i, column_radius, z, from);
            place(j, column_radius, z, to);
            for (int k = 0; k < 3; k++) {
                a[k] = from[k] + (to[k] - from[k]) * radius / length;
                b[k] = to[k] + (from[k] - to[k]) * radius / length;
            }
            add_brace(p, a, b);
        }
    }
}

static platform create_platform(void)
{
    platform p = {.system = NULL, .count = 0};
    const double down[3] = {0.0, 0.0, -gravity}, start[7] = {0.0, 0.0, 0.0, 1.0};
    double matrix[36] = {0.0};
    int32_t type;
    CHECK(NULL, pintle_create(&p.system));
    CHECK(p.system, pintle_set_gravity(p.system, down));
    CHECK(p.system, pintle_set_environment(p.system, "water_density", water));
    CHECK(p.system, pintle_set_environment(p.system, "depth", depth));
    /* Column-major: mass, its moments about the reference point, inertia. */
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        matrix[7 * i] = mass;
        matrix[7 * (3 + i)] = inertia[i];
        matrix[j + 6 * (3 + k)] = matrix[3 + k + 6 * j] = mass * centre[i];
        matrix[k + 6 * (3 + j)] = matrix[3 + j + 6 * k] = -mass * centre[i];
    }
    matrix[3 + 6 * 5] = matrix[5 + 6 * 3] = inertia[3];
    CHECK(p.system, pintle_add_body(p.system, matrix, start, &p.body));
    add_hull(&p);

    CHECK(p.system, pintle_add_line_type(p.system, 0.0766, 113.35, 753.6e6, -1.0, 0.0, 2.0, 0.8, 0.25, 0.0, &type));
    for (int i = 0; i < LINES; i++) {
        double anchor[3], fairlead[3];
        int32_t bed, upper, line;
        place(i, 837.6, -depth, anchor);
        place(i, 40.868, -14.0, fairlead);
        CHECK(p.system, pintle_add_point(p.system, 0.0, 0.0, anchor, &bed));
        CHECK(p.system, pintle_fix_point(p.system, bed));
        CHECK(p.system, pintle_add_point(p.system, 0.0, 0.0, fairlead, &upper));
        CHECK(p.system, pintle_attach_point(p.system, upper, p.body, fairlead));
        CHECK(p.system, pintle_add_line(p.system, type, bed, upper, 835.5, SEGMENTS, &line));
    }
    CHECK(p.system, pintle_set_option(p.system, "rho_inf", 0.9));
    CHECK(p.system, pintle_initialize(p.system, 0.0));
    CHECK(p.system, pintle_solve_equilibrium(p.system, 200, 1e-9));
    return p;
}

/* The volume under water at rest, and how far the platform is from where the report has it. */
static void look_at_rest(const platform *p)
{
    double volume = 0.0, pose[7];
    for (int i = 0; i < p->count; i++) {
        double submerged, buoyancy[6];
        CHECK(p->system, pintle_get_cylinder_loads(p->system, p->cylinders[i], &submerged, buoyancy, NULL, NULL));
        volume += buoyancy[2] / (water * gravity);
    }
    CHECK(p->system, pintle_get_body_pose(p->system, p->body, pose));
    printf("at rest: %.0f m3 under water (published 13917), draught %.3f m (20)\n\n", volume, 20.0 - pose[2]);
    REQUIRE(fabs(volume / 13917.0 - 1.0) < 0.01, "the volume under water is %.1f m3", volume);
    REQUIRE(fabs(pose[2]) < 0.1, "the platform rests at %.3f m", pose[2]);
}

/* Free decay: the period between the first and the third upward passage of the place at rest, in direction `axis`, after a pull. */
static double decay(int axis, double pull, double step)
{
    platform p = create_platform();
    double load[6] = {0.0}, rest[7], pose[7], before = 0.0, passages[3];
    int passed = 0;
    CHECK(p.system, pintle_get_body_pose(p.system, p.body, rest));
    load[axis] = pull;
    CHECK(p.system, pintle_set_body_load(p.system, p.body, PINTLE_FRAME_INERTIAL, load));
    CHECK(p.system, pintle_solve_equilibrium(p.system, 200, 1e-9));
    load[axis] = 0.0;
    CHECK(p.system, pintle_set_body_load(p.system, p.body, PINTLE_FRAME_INERTIAL, load));
    CHECK(p.system, pintle_mark_discontinuity(p.system));
    for (int n = 1; n < 20000 && passed < 3; n++) {
        CHECK(p.system, pintle_step(p.system, step));
        CHECK(p.system, pintle_get_body_pose(p.system, p.body, pose));
        /* Of an angle, twice the part of the quaternion. */
        const int entry = axis < 3 ? axis : axis + 1;
        const double now = pose[entry] - rest[entry];
        if (n > 1 && before < 0.0 && now >= 0.0) {
            passages[passed++] = step * (n - now / (now - before));
        }
        before = now;
    }
    CHECK(p.system, pintle_destroy(&p.system));
    REQUIRE(passed == 3, "direction %d passed its rest %d times", axis, passed);
    return 0.5 * (passages[2] - passages[0]);
}

/* Amplitudes of surge, heave and pitch per metre of amplitude of a regular wave along x, over the last five of 20 periods. */
static void respond(double period, double response[3])
{
    platform p = create_platform();
    const double amplitude = 1.0, frequency = 2.0 * pi / period, zero = 0.0;
    enum { PER_WAVE = 50, STEADY = 5, ALL = 20 };
    double sums[3][3] = {{0.0}}, pose[7], angles[3];
    CHECK(p.system, pintle_set_environment(p.system, "wave_ramp", 5.0 * period));
    CHECK(p.system, pintle_set_waves(p.system, 1, &amplitude, &frequency, &zero, &zero));
    for (int n = 1; n <= ALL * PER_WAVE; n++) {
        CHECK(p.system, pintle_step(p.system, period / PER_WAVE));
        if (n > (ALL - STEADY) * PER_WAVE) {
            CHECK(p.system, pintle_get_body_pose(p.system, p.body, pose));
            CHECK(NULL, pintle_quat_to_euler_zyx(&pose[3], angles));
            const double motion[3] = {pose[0], pose[2], angles[1] * 180.0 / pi}, phase = 2.0 * pi * n / PER_WAVE;
            for (int k = 0; k < 3; k++) {
                sums[k][0] += motion[k] * cos(phase);
                sums[k][1] += motion[k] * sin(phase);
            }
        }
    }
    CHECK(p.system, pintle_destroy(&p.system));
    for (int k = 0; k < 3; k++) {
        response[k] = 2.0 / (STEADY * PER_WAVE) * hypot(sums[k][0], sums[k][1]) / amplitude;
    }
}

int main(int argc, char **argv)
{
    const int is_short = argc > 1;
    /* Published: of sway in place of surge, which are the same here; the report's surge is 0.0093 Hz. */
    static const struct {
        const char *name;
        int axis;
        double pull, published, tolerance;
    } decays[] = {{"surge", 0, 4e5, 1.0 / 0.0088, 0.02},
                  {"heave", 2, 2e6, 1.0 / 0.0578, 0.03},
                  {"pitch", 4, 5e7, 1.0 / 0.0373, 0.05},
                  {"yaw", 5, 1e7, 1.0 / 0.0125, 0.03}};
    static const double periods[WAVES] = {8.0, 10.0, 14.0, 20.0};
    (void)argv;
    platform p = create_platform();
    printf("OC4 DeepCwind of %d cylinders on three lines of %d segments, pintle %s\n\n", CYLINDERS, SEGMENTS, pintle_version());
    look_at_rest(&p);
    CHECK(p.system, pintle_destroy(&p.system));

    printf("free decay   period (s)   published\n");
    for (int k = 0; k < (is_short ? 0 : 4); k++) {
        const double period = decay(decays[k].axis, decays[k].pull, 0.2);
        printf("%-10s %12.2f %11.1f\n", decays[k].name, period, decays[k].published);
        REQUIRE(fabs(period / decays[k].published - 1.0) < decays[k].tolerance, "the period of %s is %.2f s", decays[k].name, period);
    }

    printf("\nwaves of 2 m, period (s)   surge (m/m)   heave (m/m)   pitch (deg/m)\n");
    for (int k = 0; k < (is_short ? 1 : WAVES); k++) {
        double response[3];
        respond(periods[k], response);
        printf("%24g %13.3f %13.3f %15.3f\n", periods[k], response[0], response[1], response[2]);
    }
    return 0;
}
