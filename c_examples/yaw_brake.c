/*
 * The yaw brake of a wind turbine. The brake holds the nacelle against the wind without creeping, gives way in a gust, catches the
 * nacelle, and at last locks it while it turns.
 *
 *   yaw_brake
 *
 * The motion is known in closed form, and compared. Exit status 1 means that a number is not what it must be.
 * fortran_examples/yaw_brake.f90 is the same in Fortran.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/yaw_brake.c target/release/libpintle.a -lm -o target/yaw_brake
 */
#include <math.h>

#include "example.h"

/* SI units: inertia about the tower's axis, moments of the wind, capacity of the brake, and friction of the bearing. */
static const double inertia = 5e6, wind = 2e6, gust = 7e6, capacity = 4e6, bearing = 0.5e6, slip = 1e-6, dt = 0.05;

static const char *const names[] = {"closes", "opens", "hits", "sticks", "slips"};

/* Steps to a time under a moment, and prints what switches. */
static void run(pintle_system *s, int32_t yaw, double moment, double until)
{
    double t = 0.0;
    CHECK(s, pintle_set_joint_load(s, yaw, moment));
    CHECK(s, pintle_mark_discontinuity(s));
    for (CHECK(s, pintle_time(s, &t)); t < until - 0.5 * dt; CHECK(s, pintle_time(s, &t))) {
        int32_t n = 0;
        CHECK(s, pintle_step(s, dt));
        CHECK(s, pintle_event_count(s, &n));
        for (int32_t i = 0; i < n; i++) {
            double time, impulse;
            int32_t change;
            CHECK(s, pintle_get_event(s, i, &time, &change, NULL, NULL, &impulse));
            printf("%10.6f s: %s", time, names[change]);
            if (change == PINTLE_EVENT_HITS) {
                printf(", impulse %.6f MN m s", 1e-6 * impulse);
            }
            printf("\n");
        }
    }
}

int main(void)
{
    const double zero[3] = {0.0, 0.0, 0.0}, up[3] = {0.0, 0.0, 1.0}, pose[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    const double of_nacelle[6] = {inertia, inertia, inertia, 0.0, 0.0, 0.0}, gust_time = 2.0;
    double held, angle, rate, before, friction, limit, dissipated;
    int32_t nacelle, yaw, mode;
    pintle_system *s = NULL;
    printf("a yaw brake, pintle %s\n\n", pintle_version());
    CHECK(NULL, pintle_create(&s));
    CHECK(s, pintle_add_rigid_body(s, 240e3, zero, of_nacelle, pose, &nacelle));
    CHECK(s, pintle_add_joint_at(s, PINTLE_JOINT_REVOLUTE, PINTLE_GROUND, nacelle, zero, up, &yaw));
    CHECK(s, pintle_set_joint_friction(s, yaw, 0, bearing, bearing, 0.0, 0.0, slip));
    CHECK(s, pintle_set_joint_brake(s, yaw, 0, capacity));
    CHECK(s, pintle_set_option(s, "input_order", 0.0));
    CHECK(s, pintle_initialize(s, 0.0));

    /* Held: brake and bearing take 4.5 MN m, the wind gives 2. */
    run(s, yaw, wind, 60.0);
    CHECK(s, pintle_get_joint_coordinate(s, yaw, &held, &rate, NULL));
    CHECK(s, pintle_get_joint_machine(s, yaw, 0, &mode, &friction, NULL, &limit, NULL));
    printf("held for 60 s: mode %d, brake and bearing give %.3f of %.3f MN m, turned by %.1e rad\n\n", mode, 1e-6 * friction,
           1e-6 * limit, held);
    /* Twice what the moment turns the spring of what sticks. */
    REQUIRE(mode == 1 && fabs(held) < 2.0 * slip, "%.17g", held);

    /* A gust of two seconds: the nacelle slips, and comes to rest when the gust is over. */
    run(s, yaw, gust, 60.0 + gust_time);
    run(s, yaw, wind, 70.0);
    const double faster = (gust - limit) / inertia, slower = (limit - wind) / inertia, top = faster * gust_time;
    const double turned = 0.5 * faster * gust_time * gust_time + 0.5 * top * top / slower;
    CHECK(s, pintle_get_joint_coordinate(s, yaw, &angle, &rate, NULL));
    CHECK(s, pintle_get_joint_machine(s, yaw, 0, NULL, NULL, NULL, NULL, &dissipated));
    printf("turned by %.6f rad, %.6f in closed form; the brake took %.3f MJ\n\n", angle, turned, 1e-6 * dissipated);
    REQUIRE(fabs(angle - turned) < 3.0 * slip, "%.17g", angle - turned);
    REQUIRE(fabs(dissipated - limit * turned) < 3.0 * limit * slip, "%.17g", dissipated);

    /* The brake opens, and after a second it locks what moves. */
    CHECK(s, pintle_set_joint_brake(s, yaw, 0, 0.0));
    run(s, yaw, wind, 71.0);
    CHECK(s, pintle_get_joint_coordinate(s, yaw, &before, &rate, NULL));
    printf("%10.6f s: open, %.6f rad/s\n", 71.0, rate);
    REQUIRE(fabs(rate - (wind - bearing) / inertia) < 1e-4, "%.17g", rate);
    CHECK(s, pintle_set_joint_brake(s, yaw, 0, INFINITY));
    run(s, yaw, wind, 80.0);
    CHECK(s, pintle_get_joint_coordinate(s, yaw, &angle, &rate, NULL));
    printf("locked for 9 s: turned by %.1e rad\n", angle - before);
    REQUIRE(fabs(angle - before) < slip, "%.17g", angle - before);
    CHECK(s, pintle_destroy(&s));
    return 0;
}
