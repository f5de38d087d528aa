/*
 * A spar buoy as a rigid body with one cylinder in water: it is released tilted and too high, finds its equilibrium, and heaves and
 * pitches with periods that have closed forms.
 *
 *   spar
 *
 * Exit status 1 means that a number is not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/spar.c target/release/libpintle.a -lm -o target/spar
 */
#include <math.h>

#include "example.h"

static const double pi = 3.14159265358979323846;
static const double gravity = 9.80665, density = 1025.0;

/* A hull of constant mass per length, and ballast 2 m above its lower end. SI units. */
static const double diameter = 3.0, length = 20.0, mass_per_length = 2000.0;
static const double ballast = 61434.173, ballast_height = 2.0, ballast_inertia = 4e5;
static const double ca = 1.0, ca_end = 0.6;

enum { SEGMENTS = 10, MOST = 12, MODES = 6 };

static double total_mass(void)
{
    return mass_per_length * length + ballast;
}

/* Height of the centre of mass over the lower end. */
static double centre(void)
{
    return (mass_per_length * length * 0.5 * length + ballast * ballast_height) / total_mass();
}

/* Moment of inertia across the axis about the lower end. */
static double inertia_about_end(void)
{
    const double radius = 0.5 * diameter;
    const double hull = mass_per_length * length * (length * length / 3.0 + radius * radius / 4.0);
    return hull + ballast * ballast_height * ballast_height + ballast_inertia;
}

static pintle_system *create_spar(void)
{
    const double down[3] = {0.0, 0.0, -gravity}, com[3] = {0.0, 0.0, centre()};
    const double across = inertia_about_end() - total_mass() * centre() * centre();
    const double inertia[6] = {across, across, 2e5, 0.0, 0.0, 0.0};
    /* The reference point is the centre of the lower end: 13.5 m deep, tilted by 5 degrees about y. */
    const double tilt = 2.5 * pi / 180.0, pose[7] = {0.0, 0.0, -13.5, cos(tilt), 0.0, sin(tilt), 0.0};
    const double lower[3] = {0.0, 0.0, 0.0}, upper[3] = {0.0, 0.0, length};
    int32_t hull, cylinder;
    pintle_system *s = NULL;
    CHECK(NULL, pintle_create(&s));
    CHECK(s, pintle_set_gravity(s, down));
    CHECK(s, pintle_set_environment(s, "water_density", density));
    CHECK(s, pintle_add_rigid_body(s, total_mass(), com, inertia, pose, &hull));
    CHECK(s, pintle_add_cylinder(s, hull, lower, upper, diameter, SEGMENTS, 0.0, ca, 0.0, ca_end, &cylinder));
    CHECK(s, pintle_initialize(s, 0.0));
    return s;
}

int main(void)
{
    const double area = 0.25 * pi * diameter * diameter, displaced = density * area;
    const double draught = total_mass() / displaced, radius = 0.5 * diameter;
    printf("a spar buoy, pintle %s\n\n", pintle_version());
    pintle_system *s = create_spar();

    /* Nothing resists a spin about the axis: the equilibrium leaves it as it is. */
    double pose[7], submerged, buoyancy[6];
    CHECK(s, pintle_solve_equilibrium(s, 100, 1e-11));
    CHECK(s, pintle_get_body_pose(s, 0, pose));
    CHECK(s, pintle_get_cylinder_loads(s, 0, &submerged, buoyancy, NULL, NULL));
    printf("draught  %.6f m, by hand %.6f m\n", -pose[2], draught);
    REQUIRE(fabs(pose[2] + draught) < 1e-6, "depth of the lower end %.9f m", -pose[2]);
    REQUIRE(fabs(submerged - draught) < 1e-6, "length in the water %.9f m", submerged);
    REQUIRE(fabs(buoyancy[2] / (total_mass() * gravity) - 1.0) < 1e-9, "buoyancy %.3f N", buoyancy[2]);

    /* Heave moves the mass of the water below the end along; surge x of the lower end and pitch a share
     * m x'' + s a'' = 0, s x'' + j a'' + k a = 0. */
    const double end_mass = density * ca_end * 2.0 / 3.0 * pi * radius * radius * radius;
    const double heave = sqrt(gravity * displaced / (total_mass() + end_mass)) / (2.0 * pi);
    const double water = ca * displaced * draught, m = total_mass() + water;
    const double first = total_mass() * centre() + water * draught / 2.0;
    const double j = inertia_about_end() + water * draught * draught / 3.0 - first * first / m;
    const double waterplane = area * radius * radius / 4.0;
    const double k = density * gravity * (area * draught * draught / 2.0 + waterplane) - total_mass() * gravity * centre();
    const double pitch = sqrt(k / j) / (2.0 * pi);
    double found[MOST], ratios[MOST], shapes[12 * MOST], motion[2];
    int32_t modes = 0;
    CHECK(s, pintle_get_modes(s, MOST, &modes, found, ratios, 1, shapes, motion));
    REQUIRE(modes == MODES, "%d modes", (int)modes);
    /* Slowest first, after surge, sway and spin, which nothing resists. */
    const double expected[3] = {pitch, pitch, heave};
    printf("\nperiod (s)     found      by hand\n");
    for (int i = 0; i < 3; i++) {
        const double own = found[MODES - 3 + i];
        printf("%-10s %10.6f   %10.6f\n", i < 2 ? "pitch" : "heave", 1.0 / own, 1.0 / expected[i]);
        REQUIRE(fabs(own / expected[i] - 1.0) < 1e-6, "frequency %.9f Hz", own);
    }
    CHECK(s, pintle_destroy(&s));
    return EXIT_SUCCESS;
}
