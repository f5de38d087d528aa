/*
 * A wave energy converter of two bodies: a float slides on a spar that carries a plate deep below. The power take-off between them is
 * a generator whose force over speed is a table, with the dry friction of its bearings, between end stops. A controller latches the
 * float where it turns round relative to the spar, and lets it go when the wave pushes it: steps end at that event.
 *
 *   wave_energy [short]       short: a fifth of the waves
 *
 * The program prints the mean power for three times of latching. It requires that the latch does not creep, that the stops hold, and
 * that the right time makes more power than none. Exit status 1 means that a number is not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/wave_energy.c target/release/libpintle.a -lm -o target/wave_energy
 */
#include <math.h>
#include <string.h>

#include "example.h"

/* SI units. Float and spar are upright cylinders on one axis, each as heavy as the water that it takes the place of at rest; the
 * spar's plate lies below it. */
static const double pi = 3.14159265358979323846, gravity = 9.81, water = 1025.0, depth = 100.0;
static const double float_diameter = 10.0, float_draught = 2.0, spar_diameter = 4.0, spar_draught = 35.0;
static const double plate_diameter = 24.0, plate_thickness = 1.0;
static const double period = 8.0, amplitude = 1.0, dt = 0.05;

/* The generator: force over speed, the same in both directions. */
static const double table[4][2] = {{0.25, 60e3}, {0.5, 110e3}, {1.0, 180e3}, {2.0, 220e3}};
static const double friction = 5e3, stop = 1.2, stop_stiffness = 2e7, stop_damping = 1e6;

typedef struct {
    pintle_system *system;
    int32_t floater, spar, pto;
} converter;

/* What a run gives: means over the last half of it. */
typedef struct {
    double power, most, latched_for, moved_while_latched;
    int latches;
} result;

static int32_t add_body(pintle_system *s, double volume)
{
    const double centre[3] = {0.0, 0.0, 0.0}, pose[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0}, mass = water * volume;
    const double inertia[6] = {mass, mass, mass, 0.0, 0.0, 0.0};
    int32_t body;
    CHECK(s, pintle_add_rigid_body(s, mass, centre, inertia, pose, &body));
    return body;
}

/* With coefficients of its ends, added mass and drag. */
static void add_upright(pintle_system *s, int32_t body, double diameter, double low, double high, double end_mass, double end_drag)
{
    const double bottom[3] = {0.0, 0.0, low}, top[3] = {0.0, 0.0, high};
    int32_t cylinder;
    CHECK(s, pintle_add_cylinder(s, body, bottom, top, diameter, 6, 0.6, 1.0, end_drag, end_mass, &cylinder));
}

static double volume(double diameter, double length)
{
    return pi / 4.0 * diameter * diameter * length;
}

static converter create(void)
{
    converter c = {.system = NULL};
    const double down[3] = {0.0, 0.0, -gravity}, origin[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0};
    const double frequency = 2.0 * pi / period, zero = 0.0;
    int32_t guide;
    CHECK(NULL, pintle_create(&c.system));
    CHECK(c.system, pintle_set_gravity(c.system, down));
    CHECK(c.system, pintle_set_environment(c.system, "water_density", water));
    CHECK(c.system, pintle_set_environment(c.system, "depth", depth));
    CHECK(c.system, pintle_set_environment(c.system, "wave_ramp", 2.0 * period));
    c.floater = add_body(c.system, volume(float_diameter, float_draught));
    add_upright(c.system, c.floater, float_diameter, -float_draught, 2.0, 0.6, 0.5);
    c.spar = add_body(c.system, volume(spar_diameter, spar_draught) + volume(plate_diameter, plate_thickness));
    add_upright(c.system, c.spar, spar_diameter, -spar_draught, 5.0, 0.0, 0.0);
    add_upright(c.system, c.spar, plate_diameter, -spar_draught - plate_thickness, -spar_draught, 1.0, 4.0);
    CHECK(c.system, pintle_add_joint_at(c.system, PINTLE_JOINT_PRISMATIC, PINTLE_GROUND, c.spar, origin, up, &guide));
    CHECK(c.system, pintle_add_joint_at(c.system, PINTLE_JOINT_PRISMATIC, c.spar, c.floater, origin, up, &c.pto));
    for (int k = 0; k < 4; k++) {
        CHECK(c.system, pintle_add_joint_damper_point(c.system, c.pto, 0, table[k][0], table[k][1]));
    }
    CHECK(c.system, pintle_set_joint_friction(c.system, c.pto, 0, friction, friction, 0.0, 0.0, 1e-6));
    CHECK(c.system, pintle_set_joint_stop(c.system, c.pto, 0, -stop, stop, PINTLE_STOP_SPRING, stop_stiffness, stop_damping, 0.0));
    CHECK(c.system, pintle_initialize(c.system, 0.0));
    CHECK(c.system, pintle_set_waves(c.system, 1, &amplitude, &frequency, &zero, &zero));
    return c;
}

/* What the generator takes at present. */
static double power(const converter *c)
{
    double force, rate;
    CHECK(c->system, pintle_get_joint_damper_force(c->system, c->pto, 0, &force));
    CHECK(c->system, pintle_get_joint_coordinate(c->system, c->pto, NULL, &rate, NULL));
    return -force * rate;
}

/* Waves for a number of periods, with the float latched for `latch` seconds whenever it turns round; 0: never. */
static result run(double latch, int periods)
{
    converter c = create();
    result r = {0.0, 0.0, 0.0, 0.0, 0};
    const double end = periods * period, begin = 0.5 * end;
    double t = 0.0, before = power(&c), work = 0.0, release = -1.0, held_at = 0.0;
    while (t < end - 1e-9) {
        /* To the next step of the host, or the time of release, or the event before these. */
        const double last = t, planned = release > t && release < t + dt ? release : t + dt;
        double reached, place, now;
        int32_t events = 0;
        CHECK(c.system, pintle_advance_to(c.system, fmin(planned, end), latch > 0.0 && release < 0.0, &reached));
        CHECK(c.system, pintle_accept(c.system));
        CHECK(c.system, pintle_event_count(c.system, &events));
        CHECK(c.system, pintle_get_joint_coordinate(c.system, c.pto, &place, NULL, NULL));
        t = reached;
        now = power(&c);
        if (last >= begin) {
            work += 0.5 * (t - last) * (before + now);
            r.most = fmax(r.most, fabs(place));
        }
        before = now;
        if (release >= 0.0) {
            r.moved_while_latched = fmax(r.moved_while_latched, fabs(place - held_at));
            if (t >= release - 1e-9) {
                CHECK(c.system, pintle_set_joint_brake(c.system, c.pto, 0, 0.0));
                release = -1.0;
            }
            continue;
        }
        for (int32_t i = 0; latch > 0.0 && i < events && release < 0.0; i++) {
            int32_t change;
            double time;
            CHECK(c.system, pintle_get_event(c.system, i, &time, &change, NULL, NULL, NULL));
            /* It turns round: friction holds it, or acts the other way now. An event at the start of the step is its release. */
            const int turns = change == PINTLE_EVENT_STICKS || change == PINTLE_EVENT_SLIPS;
            if (turns && time > last + 1e-9 && t > 2.0 * period) {
                CHECK(c.system, pintle_set_joint_brake(c.system, c.pto, 0, INFINITY));
                release = t + latch;
                held_at = place;
                r.latches++;
                r.latched_for += latch;
            }
        }
    }
    r.power = work / (end - begin);
    CHECK(c.system, pintle_destroy(&c.system));
    return r;
}

int main(int argc, char **argv)
{
    const int is_short = argc > 1 && strcmp(argv[1], "short") == 0, periods = is_short ? 8 : 40;
    const double latches[3] = {0.0, 0.8, 1.6};
    printf("a wave energy converter, pintle %s: waves of %.1f m and %.0f s\n\n", pintle_version(), 2.0 * amplitude, period);
    printf("  latched for   power    most displacement   latches   moved while latched\n");
    double first = 0.0;
    for (int k = 0; k < 3; k++) {
        const result r = run(latches[k], periods);
        printf("   %4.1f s      %5.1f kW        %.3f m         %3d        %.1e m\n", latches[k], 1e-3 * r.power, r.most, r.latches,
               r.moved_while_latched);
        REQUIRE(r.power > 0.0, "the generator takes %g W", r.power);
        /* A stop takes 0.12 m for the 300 t of the float and its added mass at 1 m/s, and 0.04 m for the buoyancy of 1 m of it. */
        REQUIRE(r.most < stop + 0.16, "the stops let it go to %g m", r.most);
        REQUIRE(r.moved_while_latched < 1e-4, "the latch creeps by %g m", r.moved_while_latched);
        first = k == 0 ? r.power : first;
        REQUIRE(k != 2 || r.power > 1.5 * first, "latching makes %g W of %g W", r.power, first);
    }
    return EXIT_SUCCESS;
}
