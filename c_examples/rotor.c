/*
 * A rotor of three flexible blades under its weight: a hub on a driven hinge spins up, and holds its speed. The blades are beams
 * whose roots are parts of the hub. Then the frequencies of a blade at several speeds: its Campbell diagram.
 *
 *   rotor
 *
 * Exit status 1 means that a number is not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/rotor.c target/release/libpintle.a -lm -o target/rotor
 */
#include <math.h>

#include "example.h"

static const double pi = 3.14159265358979323846;
static const double gravity = 9.81;

/* Blades of one section from the hub's radius on: mass per length, bending stiffness. SI units. */
static const double hub_mass = 3000.0, hub_radius = 1.0, length = 20.0, mass_per_length = 50.0, bending = 5e7;
static const double damping_time = 0.02, speed = 1.5, spin_up = 3.0, dt = 0.02;

enum { BLADES = 3, ELEMENTS = 4, STEPS = 400 };

/* Angle, rate and acceleration of the rotor: the rate rises as half a cosine, and stays. */
static void rotate(double t, double motion[3])
{
    const double w = pi / spin_up;
    if (t < spin_up) {
        motion[0] = 0.5 * speed * (t - sin(w * t) / w);
        motion[1] = 0.5 * speed * (1.0 - cos(w * t));
        motion[2] = 0.5 * speed * w * sin(w * t);
    } else {
        motion[0] = 0.5 * speed * spin_up + speed * (t - spin_up);
        motion[1] = speed;
        motion[2] = 0.0;
    }
}

/* The lowest two frequencies in Hz of one blade, without gravity, at a speed: in the rotor's plane, where it turns, and out of it. */
static void campbell(double rate, double lowest[2])
{
    const double none[3] = {0.0, 0.0, 0.0}, axis[3] = {1.0, 0.0, 0.0}, root[3] = {0.0, 0.0, 1.0}, tip[3] = {0.0, 0.0, 21.0};
    const double inertia[6] = {2000.0, 1500.0, 1500.0, 0.0, 0.0, 0.0}, pose[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    const double stiffness[6] = {1e9, 3e8, 3e8, 3e7, bending, bending}, mass[4] = {mass_per_length, 20.0, 10.0, 10.0};
    const double damping[6] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, turning[6] = {0.0, 0.0, 0.0, rate, 0.0, 0.0};
    enum { BODIES = ELEMENTS + 1, MODES = 12 * ELEMENTS };
    static double frequencies[MODES], ratios[MODES], shapes[MODES * BODIES * 12];
    double motion[2];
    int32_t hub, hinge, blade, count;
    pintle_system *s = NULL;
    CHECK(NULL, pintle_create(&s));
    CHECK(s, pintle_set_gravity(s, none));
    CHECK(s, pintle_add_rigid_body(s, hub_mass, none, inertia, pose, &hub));
    CHECK(s, pintle_set_body_velocity(s, hub, turning));
    CHECK(s, pintle_add_joint_at(s, PINTLE_JOINT_REVOLUTE, PINTLE_GROUND, hub, none, axis, &hinge));
    CHECK(s, pintle_set_joint_driven(s, hinge, 1));
    CHECK(s, pintle_set_joint_motion(s, hinge, 0.0, rate, 0.0));
    CHECK(s, pintle_add_uniform_beam(s, root, tip, axis, stiffness, mass, damping, &blade));
    CHECK(s, pintle_attach_beam(s, blade, 0, hub));
    CHECK(s, pintle_mesh_beam(s, blade, ELEMENTS));
    CHECK(s, pintle_set_option(s, "rotating_modes", 1.0));
    CHECK(s, pintle_initialize(s, 0.0));
    CHECK(s, pintle_get_modes(s, MODES, &count, frequencies, ratios, BODIES, shapes, motion));
    lowest[0] = frequencies[0];
    lowest[1] = frequencies[1];
    CHECK(s, pintle_destroy(&s));
}

int main(void)
{
    const double down[3] = {0.0, 0.0, -gravity}, centre[3] = {0.0, 0.0, 0.0}, axis[3] = {1.0, 0.0, 0.0};
    const double inertia[6] = {2000.0, 1500.0, 1500.0, 0.0, 0.0, 0.0}, pose[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    /* EA, GA2, GA3, GJ, EI2, EI3; mass and moments of inertia per length about axes 1, 2, 3. */
    const double stiffness[6] = {1e9, 3e8, 3e8, 3e7, bending, bending}, mass[4] = {mass_per_length, 20.0, 10.0, 10.0};
    double damping[6];
    int32_t hub, hinge, tips[BLADES];
    pintle_system *s = NULL;
    printf("a rotor of %d flexible blades, pintle %s\n\n", BLADES, pintle_version());
    for (int k = 0; k < 6; k++) {
        damping[k] = damping_time;
    }
    CHECK(NULL, pintle_create(&s));
    CHECK(s, pintle_set_gravity(s, down));
    CHECK(s, pintle_add_rigid_body(s, hub_mass, centre, inertia, pose, &hub));
    CHECK(s, pintle_add_joint_at(s, PINTLE_JOINT_REVOLUTE, PINTLE_GROUND, hub, centre, axis, &hinge));
    CHECK(s, pintle_set_joint_driven(s, hinge, 1));
    for (int b = 0; b < BLADES; b++) {
        const double angle = 2.0 * pi * b / BLADES, out[2] = {-sin(angle), cos(angle)};
        const double root[3] = {0.0, hub_radius * out[0], hub_radius * out[1]};
        const double tip[3] = {0.0, (hub_radius + length) * out[0], (hub_radius + length) * out[1]};
        int32_t blade;
        CHECK(s, pintle_add_uniform_beam(s, root, tip, axis, stiffness, mass, damping, &blade));
        CHECK(s, pintle_attach_beam(s, blade, 0, hub));
        CHECK(s, pintle_mesh_beam(s, blade, ELEMENTS));
        CHECK(s, pintle_beam_body(s, blade, ELEMENTS, &tips[b]));
    }
    CHECK(s, pintle_initialize(s, 0.0));

    /* The tip in axes that turn with the hub: along the blade, and across it in the rotor's plane. */
    double largest = 0.0, torque = 0.0, weight = 0.0, samples = 0.0;
    printf("   time s   rate rad/s   tip across m   torque kN m\n");
    for (int k = 1; k <= STEPS; k++) {
        double motion[3], place[7], reaction[6];
        rotate(k * dt, motion);
        CHECK(s, pintle_set_joint_motion(s, hinge, motion[0], motion[1], motion[2]));
        CHECK(s, pintle_step(s, dt));
        CHECK(s, pintle_get_body_pose(s, tips[0], place));
        CHECK(s, pintle_get_joint_reaction(s, hinge, PINTLE_FRAME_INERTIAL, reaction));
        const double across = place[1] * cos(motion[0]) + place[2] * sin(motion[0]);
        if (k % 50 == 0) {
            printf("%9.2f %12.3f %14.4f %13.3f\n", k * dt, motion[1], across, 1e-3 * reaction[3]);
        }
        if (k * dt > spin_up + 1.0) {
            largest = fmax(largest, fabs(across));
            torque += reaction[3];
            weight += reaction[2];
            samples += 1.0;
        }
    }
    const double total = hub_mass + BLADES * mass_per_length * length;
    const double sag = mass_per_length * gravity * pow(length, 4) / (8.0 * bending);
    weight /= samples;
    torque /= samples;
    printf("\ntip across the blade by its weight: %.4f m, %.4f m for a level blade at rest\n", largest, sag);
    printf("mean force of the hinge: %.1f kN, weight %.1f kN; mean torque %.3f kN m\n", 1e-3 * weight, 1e-3 * total * gravity,
           1e-3 * torque);
    /* The speed is a sixth of the blade's first frequency, 8.8 rad/s: 3 % of amplification, less what pull stiffens; the rest of
     * the ringing of the spin-up. */
    REQUIRE(fabs(largest / sag - 1.0) < 0.1, "%.17g for %.17g", largest, sag);
    /* Ringing of the start, which damping takes away within seconds. */
    REQUIRE(fabs(weight / (total * gravity) - 1.0) < 0.01, "%.17g", weight);
    REQUIRE(fabs(torque) < 0.01 * total * gravity * hub_radius, "%.17g", torque);
    CHECK(s, pintle_destroy(&s));

    printf("\nfrequencies of a blade in Hz\n   rate rad/s   in plane   out of plane\n");
    double lowest[4][2];
    for (int k = 0; k <= 3; k++) {
        campbell(k * 1.0, lowest[k]);
        printf("%13.1f %10.4f %14.4f\n", k * 1.0, lowest[k][0], lowest[k][1]);
        /* Equal stiffness in both planes: what the pull adds out of the plane, the plane has less the square of the rate,
         * but for the rotational inertia of sections. */
        const double rate = k / (2.0 * pi), apart = pow(lowest[k][1], 2) - pow(lowest[k][0], 2);
        REQUIRE(fabs(apart - rate * rate) < 5e-3 * pow(lowest[k][1], 2), "%.17g at %d rad/s", apart, k);
    }
    /* Southwell: the square rises with that of the rate. */
    const double rise = (pow(lowest[3][1], 2) - pow(lowest[0][1], 2)) / (pow(lowest[1][1], 2) - pow(lowest[0][1], 2));
    REQUIRE(fabs(rise / 9.0 - 1.0) < 0.01, "%.17g", rise);
    return 0;
}
