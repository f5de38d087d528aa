/*
 * Outputs by name: a CSV file of all channels, written by code that knows nothing of the model.
 *
 * The model is a floating platform in free decay from 5 m of surge, with a nacelle on top that a motor turns. The columns have
 * the names of the entities, and those of OpenFAST for the platform. The table goes to channels.csv in the directory that is
 * given, or to the standard output. Columns are checked against closed forms; exit status 1 means that a number is wrong.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/channels.c target/release/libpintle.a -lm -o target/channels
 */
#include <math.h>
#include <string.h>

#include "example.h"

static const double pi = 3.14159265358979323846;

/* ------------------------------------------------------------------------------------------------------- the CSV writer */

typedef struct {
    FILE *file;
    int32_t count;
    double *values;
} table;

/* A field in quotes: names may have commas, and quotes, which are doubled. */
static void write_quoted(FILE *file, const char *name, const char *unit)
{
    fputc('"', file);
    for (; *name != '\0'; name++) {
        if (*name == '"') {
            fputc('"', file);
        }
        fputc(*name, file);
    }
    fprintf(file, " [%s]\"", unit);
}

/* Names are at most 255 bytes of an entity's name with a kind and a suffix. */
enum { NAME = 320, UNIT = 16 };

static table table_begin(const pintle_system *system, FILE *file)
{
    table t = {file, 0, NULL};
    char name[NAME], unit[UNIT];
    CHECK(system, pintle_channel_count(system, &t.count));
    t.values = malloc((size_t)t.count * sizeof *t.values);
    REQUIRE(t.values != NULL, "no memory for %d numbers", (int)t.count);
    for (int32_t i = 0; i < t.count; i++) {
        CHECK(system, pintle_channel_name(system, i, NAME, name, NULL));
        CHECK(system, pintle_channel_unit(system, i, UNIT, unit, NULL));
        if (i > 0) {
            fputc(',', file);
        }
        write_quoted(file, name, unit);
    }
    fputc('\n', file);
    return t;
}

static void table_row(const table *t, const pintle_system *system)
{
    CHECK(system, pintle_get_channels(system, t->count, t->values));
    for (int32_t i = 0; i < t->count; i++) {
        fprintf(t->file, i > 0 ? ",%.9g" : "%.9g", t->values[i]);
    }
    fputc('\n', t->file);
}

/* The place of a channel; -1 if there is none. */
static int32_t channel(const pintle_system *system, const char *wanted)
{
    char name[NAME];
    int32_t n = 0;
    CHECK(system, pintle_channel_count(system, &n));
    for (int32_t i = 0; i < n; i++) {
        CHECK(system, pintle_channel_name(system, i, NAME, name, NULL));
        if (strcmp(name, wanted) == 0) {
            return i;
        }
    }
    return -1;
}

/* ------------------------------------------------------------------------------------------------------------- the model */

/* SI units, z up, the origin in the mean water level. The mooring is a spring in surge; nothing else holds the platform, as its
 * weight is carried by water that is not modelled here. */
static const double hull_mass = 10e6, hull_yaw_inertia = 8e9, nacelle_mass = 0.5e6, nacelle_yaw_inertia = 2e7;
static const double mooring = 60e3, motor = 4e6, start = 5.0;

static pintle_system *make_model(void)
{
    pintle_system *system = NULL;
    const double com[3] = {0, 0, 0}, hull_inertia[6] = {6e9, 6e9, hull_yaw_inertia, 0, 0, 0};
    const double nacelle_inertia[6] = {2e7, 2e7, nacelle_yaw_inertia, 0, 0, 0};
    const double at[7] = {start, 0, 0, 1, 0, 0, 0}, origin[7] = {0, 0, 0, 1, 0, 0, 0};
    const double axis[3] = {0, 0, 1}, point[3] = {start, 0, 0};
    double stiffness[36] = {0}, damping[36] = {0};
    int32_t hull = -1, nacelle = -1, yaw = -1, lines = -1;

    stiffness[0] = mooring;
    CHECK(NULL, pintle_create(&system));
    CHECK(system, pintle_add_rigid_body(system, hull_mass, com, hull_inertia, at, &hull));
    CHECK(system, pintle_add_rigid_body(system, nacelle_mass, com, nacelle_inertia, at, &nacelle));
    CHECK(system, pintle_add_joint_at(system, PINTLE_JOINT_REVOLUTE, hull, nacelle, point, axis, &yaw));
    CHECK(system, pintle_add_bushing(system, PINTLE_GROUND, hull, origin, origin, stiffness, damping, &lines));
    CHECK(system, pintle_set_joint_load(system, yaw, motor));
    CHECK(system, pintle_set_name(system, "body", hull, "hull"));
    CHECK(system, pintle_set_name(system, "body", nacelle, "nacelle, \"upper\""));
    CHECK(system, pintle_set_name(system, "joint", yaw, "yaw"));
    CHECK(system, pintle_set_openfast_platform(system, hull));
    CHECK(system, pintle_initialize(system, 0.0));
    return system;
}

int main(int argc, char **argv)
{
    const double dt = 0.05, omega = sqrt(mooring / (hull_mass + nacelle_mass));
    const double acceleration = motor * (1.0 / hull_yaw_inertia + 1.0 / nacelle_yaw_inertia);
    pintle_system *system = make_model();
    const int32_t surge = channel(system, "PtfmSurge"), heading = channel(system, "PtfmYaw");
    const int32_t angle = channel(system, "yaw.angle"), pull = channel(system, "yaw.reaction.fx");
    FILE *file = argc > 1 ? example_create(argv[1], "channels.csv") : stdout;
    table t = table_begin(system, file);

    REQUIRE(surge >= 0 && heading >= 0 && angle >= 0 && pull >= 0, "a channel is missing");
    table_row(&t, system);
    for (int step = 1; step <= 1200; step++) {
        CHECK(system, pintle_step(system, dt));
        if (step % 20 == 0) {
            const double time = step * dt, phase = omega * time;
            /* The scheme's errors of second order in the phase: w t (w dt)^2 / 12 is less than 1e-5 of the amplitude; a
             * constant torque is integrated exactly. */
            const double x = start * cos(phase), late = start * 5e-5;
            const double turned = 0.5 * acceleration * time * time, back = -0.5 * motor / hull_yaw_inertia * time * time;
            table_row(&t, system);
            REQUIRE(fabs(t.values[surge] - x) < late, "surge %.9g at %g s", t.values[surge], time);
            REQUIRE(fabs(t.values[angle] - turned) < 1e-6 * turned, "yaw angle %.9g at %g s", t.values[angle], time);
            REQUIRE(fabs(t.values[heading] - back * 180.0 / pi) < 1e-6 * 60.0, "heading %.9g deg", t.values[heading]);
            /* The joint takes the nacelle along. */
            REQUIRE(fabs(t.values[pull] + nacelle_mass * omega * omega * x) < nacelle_mass * omega * omega * late,
                    "reaction %.9g at %g s", t.values[pull], time);
        }
    }
    free(t.values);
    if (file != stdout) {
        fclose(file);
        puts("channels.csv written");
    }
    CHECK(system, pintle_destroy(&system));
    return EXIT_SUCCESS;
}
