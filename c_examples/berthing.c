/*
 * Contacts of a ship: with two fenders of a quay that it berths at, and with the bed on which its keel runs aground.
 *
 *   berthing
 *
 * The speed with which it leaves the fenders, and the way that it slides on the bed, are known in closed form, and compared. Exit
 * status 1 means that a number is not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/berthing.c target/release/libpintle.a -lm -o target/berthing
 */
#include <math.h>

#include "example.h"

/* SI units: mass and added mass of the ship, half of the distance between its fenders, half its beam, its draught; gravity. */
static const double mass = 20e6, added = 15e6, apart = 60.0, beam = 16.0, draught = 9.0, g = 9.81;

static const char *const names[] = {"closes", "opens", "hits", "sticks", "slips"};

/* A ship that floats at the origin with a velocity along x; buoyancy is a load of the host. */
static pintle_system *ship(double velocity, int32_t *hull)
{
    const double zero[3] = {0.0, 0.0, 0.0}, gravity[3] = {0.0, 0.0, -g}, pose[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    const double inertia[6] = {2e9, 3e10, 3e10, 0.0, 0.0, 0.0}, motion[6] = {velocity, 0.0, 0.0, 0.0, 0.0, 0.0};
    pintle_system *s = NULL;
    CHECK(NULL, pintle_create(&s));
    CHECK(s, pintle_set_gravity(s, gravity));
    CHECK(s, pintle_add_rigid_body(s, mass, zero, inertia, pose, hull));
    CHECK(s, pintle_set_body_velocity(s, *hull, motion));
    return s;
}

/* Makes a step, and prints what switches. */
static void step(pintle_system *s, double dt)
{
    int32_t n = 0;
    CHECK(s, pintle_step(s, dt));
    CHECK(s, pintle_event_count(s, &n));
    for (int32_t i = 0; i < n; i++) {
        double time;
        int32_t change, contact;
        CHECK(s, pintle_get_event(s, i, &time, &change, NULL, NULL, NULL));
        CHECK(s, pintle_get_event_contact(s, i, &contact));
        printf("%10.6f s: contact %d %s\n", time, contact, names[change]);
    }
}

/* The ship goes sideways, along -x, against a quay at x = 0. */
static void berth(void)
{
    const double speed = 0.15, restitution = 0.4, zero[3] = {0.0, 0.0, 0.0}, out[3] = {1.0, 0.0, 0.0}, clearance = 0.3;
    const double buoyancy[6] = {0.0, 0.0, mass * g, 0.0, 0.0, 0.0};
    double added_mass[36] = {0.0}, quay[7], velocity[6], most = 0.0, deepest = 0.0;
    int32_t hull, fender[2];
    pintle_system *s = ship(-speed, &hull);
    added_mass[0] = added;
    CHECK(s, pintle_set_added_mass(s, hull, added_mass, PINTLE_FRAME_INERTIAL));
    CHECK(s, pintle_frame_from_axes(zero, out, NULL, quay));
    for (int k = 0; k < 2; k++) {
        /* A fender of 1 m that the hull carries, and the face of the quay, at the distance of the clearance. */
        const double centre[3] = {-beam, (2 * k - 1) * apart, 0.0};
        quay[0] = -beam - 1.0 - clearance;
        CHECK(s, pintle_add_contact_plane(s, PINTLE_GROUND, quay, hull, centre, 1.0, &fender[k]));
        /* Stiffer the further it is pressed in. */
        CHECK(s, pintle_set_contact_law(s, fender[k], PINTLE_STOP_RESTITUTION, 3e6, 1.5, 0.0, restitution, 0.0, 0.0, 0.0));
    }
    CHECK(s, pintle_set_body_load(s, hull, PINTLE_FRAME_INERTIAL, buoyancy));
    CHECK(s, pintle_initialize(s, 0.0));
    printf("berthing with %.2f m/s\n", speed);
    for (int k = 0; k < 300; k++) {
        double gap, normal;
        step(s, 0.05);
        CHECK(s, pintle_get_contact(s, fender[0], NULL, &gap, &normal, NULL, NULL));
        most = fmax(most, normal);
        deepest = fmin(deepest, gap);
    }
    CHECK(s, pintle_get_body_velocity(s, hull, PINTLE_FRAME_INERTIAL, velocity));
    /* Without damping: energy. */
    const double elastic = pow(2.5 * 0.5 * (mass + added) * speed * speed / (2.0 * 3e6), 0.4);
    printf("each fender is pressed in by %.3f m, %.3f without damping, with %.2f MN; the ship leaves with %.4f m/s, %.4f in closed form\n\n",
           -deepest, elastic, 1e-6 * most, velocity[0], restitution * speed);
    /* The contact is resolved by 20 steps: (w h)^2/12 = 2e-3. */
    REQUIRE(fabs(velocity[0] - restitution * speed) < 5e-3 * speed, "%.17g", velocity[0]);
    REQUIRE(-deepest < elastic && -deepest > 0.5 * elastic, "%.17g", deepest);
    CHECK(s, pintle_destroy(&s));
}

/* The ship goes ahead, along x, and has lost a twentieth of its buoyancy: its keel meets the bed, and it slides. */
static void ground(void)
{
    const double speed = 1.0, part = 0.05, friction = 0.5, depth = 0.02;
    const double bed[7] = {0.0, 0.0, -draught - depth, 1.0, 0.0, 0.0, 0.0};
    const double buoyancy[6] = {0.0, 0.0, (1.0 - part) * mass * g, 0.0, 0.0, 0.0};
    double pose[7], velocity[6], drift;
    int32_t hull, mode, keel = 0;
    pintle_system *s = ship(speed, &hull);
    for (int k = 0; k < 4; k++) {
        const double point[3] = {k < 2 ? -80.0 : 80.0, k % 2 == 0 ? -6.0 : 6.0, -draught};
        CHECK(s, pintle_add_contact_plane(s, PINTLE_GROUND, bed, hull, point, 0.0, &keel));
        CHECK(s, pintle_set_contact_law(s, keel, PINTLE_STOP_IMPULSE, 1e9, 1.0, 0.0, 0.0, friction, friction, 0.0));
    }
    CHECK(s, pintle_set_body_load(s, hull, PINTLE_FRAME_INERTIAL, buoyancy));
    CHECK(s, pintle_initialize(s, 0.0));
    printf("running aground with %.1f m/s\n", speed);
    for (int k = 0; k < 200; k++) {
        step(s, 0.05);
    }
    CHECK(s, pintle_get_body_pose(s, hull, pose));
    CHECK(s, pintle_get_body_velocity(s, hull, PINTLE_FRAME_INERTIAL, velocity));
    CHECK(s, pintle_get_contact(s, keel, &mode, NULL, NULL, NULL, NULL));
    /* It sinks by the depth; the impulse of the bed takes friction times that speed; then it slides to rest. */
    const double weight = part * g, time = sqrt(2.0 * depth / weight), after = speed - friction * weight * time;
    const double way = speed * time + after * after / (2.0 * friction * weight);
    printf("it came to rest after %.6f m, %.6f in closed form\n", pose[0], way);
    REQUIRE(mode == 2 && fabs(velocity[0]) < 1e-9, "%.17g", velocity[0]);
    REQUIRE(fabs(pose[0] - way) < 1e-3 * way, "%.17g", pose[0] - way);
    const double place = pose[0];
    for (int k = 0; k < 1200; k++) {
        step(s, 0.05);
    }
    CHECK(s, pintle_get_body_pose(s, hull, pose));
    drift = pose[0] - place;
    printf("and lay there for a minute: it moved by %.1e m\n", drift);
    REQUIRE(fabs(drift) < 1e-9, "%.17g", drift);
    CHECK(s, pintle_destroy(&s));
}

int main(void)
{
    printf("contacts of a ship, pintle %s\n\n", pintle_version());
    berth();
    ground();
    return 0;
}
