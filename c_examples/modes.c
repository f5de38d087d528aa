/*
 * Equilibrium and natural modes: a platform on a foundation of springs and dampers that carries a pendulum. The host asks for the
 * static equilibrium under the weight, then for frequencies, damping ratios and shapes about it.
 *
 *   modes
 *
 * Heave, yaw and pitch have closed forms; surge and pendulum are coupled, and satisfy a quadratic. Exit status 1 means that a number is not
 * what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/modes.c target/release/libpintle.a -lm -o target/modes
 */
#include <math.h>

#include "example.h"

static const double pi = 3.14159265358979323846;
static const double gravity = 9.81;

/* The platform: a cuboid of 20 t; the foundation acts at its centre of mass. SI units. */
static const double mass = 2.0e4;
static const double inertia[3] = {3.0e5, 4.0e5, 5.0e5};
static const double stiffness[6] = {8.0e5, 6.0e5, 2.0e6, 3.0e7, 4.0e7, 1.0e7};
static const double damping_ratio = 0.02; /* of each motion of the platform, taken alone */

/* The pendulum: a point mass below a hinge about y at the platform's centre of mass. */
static const double bob_mass = 500.0;
static const double rod = 2.0;

enum { BODIES = 2, STATES = 14, MODES = 7 };

static double inertia_of(int freedom)
{
    return freedom < 3 ? mass : inertia[freedom - 3];
}

static pintle_system *create_platform(void)
{
    const double down[3] = {0.0, 0.0, -gravity}, origin[3] = {0.0, 0.0, 0.0}, hinge_axis[3] = {0.0, 1.0, 0.0};
    const double own[6] = {inertia[0], inertia[1], inertia[2], 0.0, 0.0, 0.0}, none[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    const double here[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0}, below[7] = {0.0, 0.0, -rod, 1.0, 0.0, 0.0, 0.0};
    double k[36] = {0.0}, c[36] = {0.0};
    for (int i = 0; i < 6; i++) {
        k[7 * i] = stiffness[i];
        c[7 * i] = 2.0 * damping_ratio * sqrt(stiffness[i] * inertia_of(i));
    }
    int32_t platform, bob, foundation, hinge;
    pintle_system *s = NULL;
    CHECK(NULL, pintle_create(&s));
    CHECK(s, pintle_set_gravity(s, down));
    CHECK(s, pintle_add_rigid_body(s, mass, origin, own, here, &platform));
    CHECK(s, pintle_add_rigid_body(s, bob_mass, origin, none, below, &bob));
    CHECK(s, pintle_set_name(s, "body", platform, "platform"));
    CHECK(s, pintle_set_name(s, "body", bob, "bob"));
    CHECK(s, pintle_add_bushing(s, PINTLE_GROUND, platform, here, here, k, c, &foundation));
    CHECK(s, pintle_add_joint_at(s, PINTLE_JOINT_REVOLUTE, platform, bob, origin, hinge_axis, &hinge));
    CHECK(s, pintle_initialize(s, 0.0));
    return s;
}

/* Undamped, about the equilibrium: heave moves both masses, roll and sway carry the bob along; surge x and the angle a of the
 * pendulum share (M + m) x'' + m L a'' + k x = 0, x'' + L a'' + g a = 0. Ascending, in Hz, for the coupled pair. */
static void surge_and_pendulum(double f[2])
{
    const double total = mass + bob_mass, k = stiffness[0], w2 = gravity / rod;
    /* total (w2 - x) ... : mass x^2 - (k + total w2) x + k w2 = 0 in x = omega^2 */
    const double half = 0.5 * (k + total * w2) / mass, root = sqrt(half * half - k * w2 / mass);
    f[0] = sqrt(half - root) / (2.0 * pi);
    f[1] = sqrt(half + root) / (2.0 * pi);
}

/* The frequency among those found that is nearest to an expected one. */
static double nearest(const double *found, int32_t count, double expected)
{
    double best = found[0];
    for (int32_t i = 1; i < count; i++) {
        best = fabs(found[i] - expected) < fabs(best - expected) ? found[i] : best;
    }
    return best;
}

int main(void)
{
    printf("modes of a platform with a pendulum, pintle %s\n\n", pintle_version());
    pintle_system *s = create_platform();

    /* The foundation gives way under the weight. */
    double pose[7];
    const double sag = -(mass + bob_mass) * gravity / stiffness[2];
    CHECK(s, pintle_solve_equilibrium(s, 50, 1e-12));
    CHECK(s, pintle_get_body_pose(s, 0, pose));
    printf("equilibrium: the platform sinks by %.9f m, by hand %.9f m\n\n", -pose[2], -sag);
    REQUIRE(fabs(pose[2] - sag) < 1e-9, "sag %.12f m", pose[2]);

    /* How many there can be, the library says; this model's numbers are known when compiling. */
    double mobility, frequencies[STATES], ratios[STATES], shapes[STATES][BODIES][12], rest[2];
    int32_t count;
    CHECK(s, pintle_get_statistic(s, "mobility", &mobility));
    REQUIRE(2.0 * mobility == STATES, "mobility %g", mobility);
    CHECK(s, pintle_get_modes(s, STATES, &count, frequencies, ratios, BODIES, &shapes[0][0][0], rest));
    REQUIRE(count == MODES, "%d modes", (int)count);
    REQUIRE(rest[0] < 1e-12 && rest[1] < 1e-9, "not at rest in an equilibrium: %g, %g", rest[0], rest[1]);

    static const char *const freedoms[6] = {"x", "y", "z", "about x", "about y", "about z"};
    printf("frequency (Hz)  damping ratio  the platform moves mostly\n");
    for (int32_t i = 0; i < count; i++) {
        int largest = 0;
        for (int j = 0; j < 6; j++) {
            const double *shape = shapes[i][0];
            largest = hypot(shape[j], shape[6 + j]) > hypot(shape[largest], shape[6 + largest]) ? j : largest;
        }
        printf("%14.6f  %13.6f  %s\n", frequencies[i], ratios[i], freedoms[largest]);
    }

    /* Heave carries the bob, whose mass shares the damper; yaw does not. */
    const double heave = sqrt(stiffness[2] / (mass + bob_mass)) / (2.0 * pi), yaw = sqrt(stiffness[5] / inertia[2]) / (2.0 * pi);
    REQUIRE(fabs(nearest(frequencies, count, heave) / heave - 1.0) < 1e-9, "heave %.9f Hz", heave);
    REQUIRE(fabs(nearest(frequencies, count, yaw) / yaw - 1.0) < 1e-9, "yaw %.9f Hz", yaw);
    /* Damping shifts the modulus of coupled roots by the square of the ratio. */
    double pair[2];
    surge_and_pendulum(pair);
    for (int i = 0; i < 2; i++) {
        REQUIRE(fabs(nearest(frequencies, count, pair[i]) / pair[i] - 1.0) < damping_ratio * damping_ratio, "surge and pendulum: %.9f Hz",
                pair[i]);
    }
    CHECK(s, pintle_destroy(&s));
    return EXIT_SUCCESS;
}
