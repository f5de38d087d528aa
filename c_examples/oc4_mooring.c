/*
 * The OC4 DeepCwind semisubmersible on its three mooring lines: equilibrium, free decay in surge, heave, pitch and yaw, and waves.
 * Body and lines are solved together, so that the step is the body's and not that of the waves along the chains.
 *
 *   oc4_mooring [directory | short]       writes oc4_decay.csv, oc4_lines.csv and oc4_waves.csv there when a directory is given;
 *                                         short: with the decay in surge alone, without waves
 *
 * For each decay the platform is pulled aside by a constant load, comes to equilibrium there, and is let go; waves of the
 * library move the water at the lines, and the host pushes the platform. The program compares the periods with published ones and the
 * motion in waves with that of linear theory. Exit status 1 means that a number is not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/oc4_mooring.c target/release/libpintle.a -lm -o target/oc4_mooring
 */
#include <math.h>
#include <string.h>

#include "example.h"

static const double pi = 3.14159265358979323846;

/* Robertson et al. (2014), NREL/TP-5000-60601: platform with the NREL 5-MW turbine as one rigid body, SI, about the tower's axis in
 * the still water line; inertia of platform, tower, nacelle and rotor (Jonkman et al. 2009, NREL/TP-500-38060) together. */
static const double gravity = 9.80665, water = 1025.0, depth = 200.0;
static const double displaced_volume = 13917.0;

/* Entries (row, column) of symmetric 6x6 matrices, of each pair one. */
typedef struct {
    int row, column;
    double value;
} entry;

static const entry inertia[] = {
    {0, 0, 14072718.0}, {1, 1, 14072718.0}, {2, 2, 14072718.0}, {0, 4, -139164818.427}, {1, 3, 139164818.427},
    {1, 5, -94000.089}, {2, 4, 94000.089}, {3, 3, 12702321679.97}, {4, 4, 12691907690.86}, {5, 5, 12290103910.89},
    {3, 5, 8756409.875},
};
/* At zero frequency (WAMIT's output for the report), because free motions are slow beside waves. */
static const entry added_mass[] = {
    {0, 0, 8.74e6}, {1, 1, 8.74e6}, {2, 2, 14.99e6}, {0, 4, -107.6e6}, {1, 3, 107.6e6},
    {3, 3, 7.63e9}, {4, 4, 7.63e9}, {5, 5, 6.43e9},
};
/* Of water plane and buoyancy; the part of the weight comes with gravity by itself. */
static const entry hydrostatic[] = {{2, 2, 3.836e6}, {3, 3, -377.6e6}, {4, 4, -377.6e6}};

enum { LINES = 3, SEGMENTS = 20, NODES = SEGMENTS + 1 };
static const double heading[LINES] = {60.0, 180.0, 300.0}; /* degrees */
static const double anchor_radius = 837.6, fairlead_radius = 40.868, fairlead_depth = 14.0, line_length = 835.5;

#define SPREAD(entries, matrix) spread(entries, sizeof entries / sizeof *entries, matrix)

static void spread(const entry *entries, size_t n, double matrix[36])
{
    memset(matrix, 0, 36 * sizeof *matrix);
    for (size_t i = 0; i < n; i++) {
        matrix[6 * entries[i].row + entries[i].column] = entries[i].value;
        matrix[6 * entries[i].column + entries[i].row] = entries[i].value;
    }
}

typedef struct {
    pintle_system *system;
    int32_t body, line[LINES];
} platform;

/* Buoyancy, which carries weight and lines, and a load that pulls the platform aside. */
static void set_loads(const platform *p, const double pull[6])
{
    double wrench[6] = {0.0, 0.0, water * gravity * displaced_volume};
    for (int i = 0; i < 6; i++) {
        wrench[i] += pull[i];
    }
    CHECK(p->system, pintle_set_body_load(p->system, p->body, PINTLE_FRAME_INERTIAL, wrench));
}

static platform create_platform(void)
{
    platform p = {.system = NULL};
    const double down[3] = {0.0, 0.0, -gravity}, start[7] = {0.0, 0.0, 0.0, 1.0}, origin[7] = {0.0, 0.0, 0.0, 1.0};
    const double none[36] = {0.0};
    double matrix[36];
    int32_t bushing, type;
    CHECK(NULL, pintle_create(&p.system));
    CHECK(p.system, pintle_set_gravity(p.system, down));
    SPREAD(inertia, matrix);
    CHECK(p.system, pintle_add_body(p.system, matrix, start, &p.body));
    SPREAD(added_mass, matrix);
    CHECK(p.system, pintle_set_added_mass(p.system, p.body, matrix, PINTLE_FRAME_INERTIAL));
    SPREAD(hydrostatic, matrix);
    CHECK(p.system, pintle_add_bushing(p.system, PINTLE_GROUND, p.body, origin, origin, matrix, none, &bushing));

    CHECK(p.system, pintle_set_environment(p.system, "water_density", water));
    CHECK(p.system, pintle_set_environment(p.system, "depth", depth));
    CHECK(p.system, pintle_add_line_type(p.system, 0.0766, 113.35, 753.6e6, -1.0, 0.0, 2.0, 0.8, 0.25, 0.0, &type));
    for (int i = 0; i < LINES; i++) {
        const double c = cos(heading[i] * pi / 180.0), s = sin(heading[i] * pi / 180.0);
        const double anchor[3] = {anchor_radius * c, anchor_radius * s, -depth};
        const double fairlead[3] = {fairlead_radius * c, fairlead_radius * s, -fairlead_depth};
        int32_t bed, upper;
        CHECK(p.system, pintle_add_point(p.system, 0.0, 0.0, anchor, &bed));
        CHECK(p.system, pintle_fix_point(p.system, bed));
        CHECK(p.system, pintle_add_point(p.system, 0.0, 0.0, fairlead, &upper));
        CHECK(p.system, pintle_attach_point(p.system, upper, p.body, fairlead));
        CHECK(p.system, pintle_add_line(p.system, type, bed, upper, line_length, SEGMENTS, &p.line[i]));
    }
    const double nothing[6] = {0.0};
    set_loads(&p, nothing);
    CHECK(p.system, pintle_set_option(p.system, "rho_inf", 0.9));
    CHECK(p.system, pintle_initialize(p.system, 0.0));
    return p;
}

/* Surge, sway, heave in m; roll, pitch, yaw in degrees. */
static void read_motion(const platform *p, double motion[6])
{
    double pose[7], angles[3];
    CHECK(p->system, pintle_get_body_pose(p->system, p->body, pose));
    CHECK(NULL, pintle_quat_to_euler_zyx(&pose[3], angles));
    for (int i = 0; i < 3; i++) {
        motion[i] = pose[i];
        motion[3 + i] = angles[i] * 180.0 / pi;
    }
}

static void solve(const platform *p, const double pull[6], double motion[6])
{
    set_loads(p, pull);
    CHECK(p->system, pintle_solve_equilibrium(p->system, 200, 1e-9));
    read_motion(p, motion);
}

/* -------------------------------------------------------------------------------------------------------------- decays */

static const double time_step = 0.1;
enum { STEPS = 4000, RECORD = 5, RECORDS = STEPS / RECORD + 1 };

/* Period expected of this rigid body; published natural frequency (OC4 Phase II, NREL/TP-5000-60601), and period of the tank test
 * (Coulling et al. 2013). Theirs have a flexible tower, which lengthens pitch. Published sway, as surge for this model, is 0.0088 Hz, 112 s. */
typedef struct {
    const char *name, *unit;
    int component;
    double pull, expected, published_frequency, tank;
} decay;

enum { DECAYS = 4 };
static const decay decays[DECAYS] = {
    {"surge", "m", 0, 70e3, 113.0, 0.0093, 107.0},
    {"heave", "m", 2, 2e6, 17.3, 0.0578, 17.5},
    {"pitch", "deg", 4, 30e6, 25.5, 0.0373, 26.8},
    {"yaw", "deg", 5, 5e6, 80.2, 0.0125, 82.3},
};

/* Lets the platform go and measures the period between passages downward through the equilibrium. */
static double run_decay(const decay *d, double record[RECORDS], double *iterations)
{
    platform p = create_platform();
    const double nothing[6] = {0.0};
    double pull[6] = {0.0}, rest[6], motion[6];
    solve(&p, nothing, rest);
    pull[d->component] = d->pull;
    solve(&p, pull, motion);

    /* From here on without the pull: loads that are set hold from the beginning of the coming step. */
    set_loads(&p, nothing);
    CHECK(p.system, pintle_mark_discontinuity(p.system));
    double last = motion[d->component] - rest[d->component], first = -1.0, latest = -1.0, before;
    int passages = 0;
    record[0] = last;
    CHECK(p.system, pintle_get_statistic(p.system, "iterations", &before));
    for (int n = 1; n <= STEPS; n++) {
        CHECK(p.system, pintle_step(p.system, time_step));
        read_motion(&p, motion);
        const double now = motion[d->component] - rest[d->component];
        if (last > 0.0 && now <= 0.0 && passages < 4) {
            latest = time_step * (n - 1 + last / (last - now));
            if (passages++ == 0) {
                first = latest;
            }
        }
        last = now;
        if (n % RECORD == 0) {
            record[n / RECORD] = now;
        }
    }
    CHECK(p.system, pintle_get_statistic(p.system, "iterations", iterations));
    *iterations = (*iterations - before) / STEPS;
    CHECK(p.system, pintle_destroy(&p.system));
    REQUIRE(passages >= 3, "%s passes its equilibrium only %d times", d->name, passages);
    return (latest - first) / (passages - 1);
}

/* ---------------------------------------------------------------------------------------------------- rest, line shapes */

static void read_lines(const platform *p, double nodes[LINES][NODES][3])
{
    for (int i = 0; i < LINES; i++) {
        CHECK(p->system, pintle_get_line_positions(p->system, p->line[i], NODES, &nodes[i][0][0]));
    }
}

/* Shapes at rest and with 1 MN of wind on the platform, and forces on the fairleads. */
static void look_at_rest(FILE *csv)
{
    static double rest_nodes[LINES][NODES][3], pulled_nodes[LINES][NODES][3];
    const double nothing[6] = {0.0}, wind[6] = {1e6};
    double rest[6], pulled[6];
    platform p = create_platform();
    solve(&p, nothing, rest);
    read_lines(&p, rest_nodes);
    printf("at rest: heave %.4f m, pitch %.4f deg; forces of the lines on their fairleads (kN)", rest[2], rest[4]);
    for (int i = 0; i < LINES; i++) {
        double force[3];
        CHECK(p.system, pintle_get_line_end_force(p.system, p.line[i], 1, force));
        printf(" %.1f", 1e-3 * sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]));
    }
    solve(&p, wind, pulled);
    read_lines(&p, pulled_nodes);
    printf("\nwith 1 MN of wind: surge %.3f m, pitch %.3f deg\n\n", pulled[0], pulled[4]);
    REQUIRE(pulled[0] > rest[0] && fabs(pulled[1]) < 0.1, "the wind moves the platform to (%g, %g) m", pulled[0], pulled[1]);
    if (csv != NULL) {
        fprintf(csv, "line,node,x_m,y_m,z_m,x_wind_m,y_wind_m,z_wind_m\n");
        for (int i = 0; i < LINES; i++) {
            for (int k = 0; k < NODES; k++) {
                const double *a = rest_nodes[i][k], *b = pulled_nodes[i][k];
                fprintf(csv, "%d,%d,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f\n", i, k, a[0], a[1], a[2], b[0], b[1], b[2]);
            }
        }
    }
    CHECK(p.system, pintle_destroy(&p.system));
}

/* --------------------------------------------------------------------------------------------------------------- waves */

/* A regular wave along x on deep water, that sets in over the first minute. */
static const double wave_amplitude = 3.0, wave_period = 14.0, set_in = 60.0;

/* The run, and the part of it where all is steady: whole waves. */
enum { WAVE_STEPS = 3200, STEADY_WAVES = 8, WAVE_RECORDS = WAVE_STEPS / RECORD + 1, WAVE_COLUMNS = 8 };

static double wave_frequency(void) { return 2.0 * pi / wave_period; }

static double wave_number(void) { return wave_frequency() * wave_frequency() / gravity; }

/* As the library lets waves grow. */
static double ramp(double time)
{
    const double s = fmin(time / set_in, 1.0);
    return s * s * (3.0 - 2.0 * s);
}

/* Amplitudes of the wave's load on the platform, which is short beside the wave: the water in its place and its added mass are
 * accelerated, 10 m below the surface; in heave the pressure lifts it and the added mass takes part, 20 m below. */
static void wave_load(double *surge, double *heave, double *pitch)
{
    const double w2 = wave_frequency() * wave_frequency(), k = wave_number();
    *surge = -wave_amplitude * w2 * exp(-10.0 * k) * (water * displaced_volume + added_mass[0].value);
    *heave = wave_amplitude * exp(-20.0 * k) * (hydrostatic[0].value - w2 * added_mass[2].value);
    *pitch = -10.0 * *surge;
}

/* Amplitudes of surge, as a sine, and of heave, as a cosine, of the platform alone. The lines, left out, are 2 % of the stiffness
 * against which the wave works and less than 1 % of the mass. */
static void expected_in_waves(double *surge, double *heave)
{
    const double w2 = wave_frequency() * wave_frequency();
    double f1, f3, f5;
    wave_load(&f1, &f3, &f5);
    const double m11 = inertia[0].value + added_mass[0].value, m15 = inertia[3].value + added_mass[3].value;
    const double m55 = inertia[8].value + added_mass[6].value;
    /* Of the centre of mass under the reference point too: its weight rights the platform. */
    const double c55 = hydrostatic[2].value - gravity * inertia[3].value, c33 = hydrostatic[0].value;
    const double a11 = -w2 * m11, a15 = -w2 * m15, a55 = c55 - w2 * m55;
    *surge = (f1 * a55 - f5 * a15) / (a11 * a55 - a15 * a15);
    *heave = f3 / (c33 - w2 * (inertia[2].value + added_mass[2].value));
}

/* Elevation, motion and tensions at the fairleads over time; amplitudes of the steady part. */
static void run_waves(double records[WAVE_RECORDS][WAVE_COLUMNS])
{
    platform p = create_platform();
    const double nothing[6] = {0.0};
    double rest[6], motion[6], found[2] = {0.0, 0.0}, surge, heave, f1, f3, f5, expected_surge, expected_heave;
    solve(&p, nothing, rest);
    const double frequency = wave_frequency(), zero = 0.0;
    CHECK(p.system, pintle_set_environment(p.system, "wave_ramp", set_in));
    CHECK(p.system, pintle_set_waves(p.system, 1, &wave_amplitude, &frequency, &zero, &zero));
    wave_load(&f1, &f3, &f5);
    const int steady = (int)lround(STEADY_WAVES * wave_period / time_step);
    for (int n = 0; n <= WAVE_STEPS; n++) {
        const double time = n * time_step, phase = wave_frequency() * time;
        if (n > 0) {
            /* Loads are those at the end of the coming step. */
            const double now[6] = {f1 * ramp(time) * sin(phase), 0.0, f3 * ramp(time) * cos(phase), 0.0,
                                   f5 * ramp(time) * sin(phase)};
            set_loads(&p, now);
            CHECK(p.system, pintle_step(p.system, time_step));
        }
        read_motion(&p, motion);
        surge = motion[0] - rest[0];
        heave = motion[2] - rest[2];
        if (n > WAVE_STEPS - steady) {
            found[0] += 2.0 / steady * surge * sin(phase);
            found[1] += 2.0 / steady * heave * cos(phase);
        }
        if (n % RECORD == 0) {
            double *record = records[n / RECORD], tensions[2 * LINES];
            CHECK(p.system, pintle_get_line_end_tensions(p.system, LINES, tensions));
            record[0] = time;
            record[1] = wave_amplitude * ramp(time) * cos(phase);
            record[2] = surge;
            record[3] = heave;
            record[4] = motion[4] - rest[4];
            for (int i = 0; i < LINES; i++) {
                record[5 + i] = 1e-3 * tensions[2 * i + 1];
            }
        }
    }
    CHECK(p.system, pintle_destroy(&p.system));
    expected_in_waves(&expected_surge, &expected_heave);
    printf("\nwaves of %g m and %g s: surge %.3f m, heave %.3f m; linear theory without lines %.3f m, %.3f m\n",
           2.0 * wave_amplitude, wave_period, found[0], found[1], expected_surge, expected_heave);
    REQUIRE(fabs(found[0] / expected_surge - 1.0) < 0.03, "surge in waves is %.4f m", found[0]);
    REQUIRE(fabs(found[1] / expected_heave - 1.0) < 0.03, "heave in waves is %.4f m", found[1]);
}

int main(int argc, char **argv)
{
    static double records[DECAYS][RECORDS], in_waves[WAVE_RECORDS][WAVE_COLUMNS];
    printf("OC4 DeepCwind on three lines of %d segments, pintle %s, dt %g s\n\n", SEGMENTS, pintle_version(), time_step);
    const int is_short = argc > 1 && strcmp(argv[1], "short") == 0, writes = argc > 1 && !is_short;
    FILE *lines = writes ? example_create(argv[1], "oc4_lines.csv") : NULL;
    look_at_rest(lines);

    printf("free decay   period (s)   expected   published   tank   iterations per step\n");
    for (int k = 0; k < (is_short ? 1 : DECAYS); k++) {
        const decay *d = &decays[k];
        double iterations;
        const double period = run_decay(d, records[k], &iterations);
        printf("%-10s %12.2f %10.1f %11.1f %6.1f %13.2f\n", d->name, period, d->expected, 1.0 / d->published_frequency, d->tank,
               iterations);
        REQUIRE(fabs(period / d->expected - 1.0) < 0.015, "the period of %s is %.3f s", d->name, period);
    }
    if (!is_short) {
        run_waves(in_waves);
    }
    if (writes) {
        FILE *waves = example_create(argv[1], "oc4_waves.csv");
        fprintf(waves, "time_s,elevation_m,surge_m,heave_m,pitch_deg,tension_1_kN,tension_2_kN,tension_3_kN\n");
        for (int n = 0; n < WAVE_RECORDS; n++) {
            for (int k = 0; k < WAVE_COLUMNS; k++) {
                fprintf(waves, k == 0 ? "%.1f" : ",%.6f", in_waves[n][k]);
            }
            fputc('\n', waves);
        }
        FILE *csv = example_create(argv[1], "oc4_decay.csv");
        fprintf(csv, "time_s");
        for (int k = 0; k < DECAYS; k++) {
            fprintf(csv, ",%s_%s", decays[k].name, decays[k].unit);
        }
        for (int n = 0; n < RECORDS; n++) {
            fprintf(csv, "\n%.1f", n * RECORD * time_step);
            for (int k = 0; k < DECAYS; k++) {
                fprintf(csv, ",%.6f", records[k][n]);
            }
        }
        fputc('\n', csv);
        REQUIRE(fclose(csv) == 0 && fclose(lines) == 0 && fclose(waves) == 0, "the tables could not be written");
        printf("\nwritten: oc4_decay.csv, oc4_lines.csv, oc4_waves.csv in %s\n", argv[1]);
    }
    return EXIT_SUCCESS;
}
