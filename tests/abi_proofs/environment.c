/*
 * A host with a floating-point environment of its own: the library computes in the default one, gives the host's back,
 * and lets load callbacks run in it. The motion has the same bits under all of them.
 */
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmmintrin.h>

#include "pintle.h"

enum { STEPS = 20, TRAPS = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW, FLUSH_DENORMALS = 0x8040, CONTROL = 0xffc0 };

static unsigned host; /* what the host has set */

static void require(int condition, const char *what)
{
    if (!condition) {
        fesetenv(FE_DFL_ENV);
        fprintf(stderr, "%s (environment %x)\n", what, host);
        exit(EXIT_FAILURE);
    }
}

/* Every call must leave the environment as it was, and raise no flag. */
static void check(int32_t status, int32_t expected, const char *what)
{
    require((_mm_getcsr() & CONTROL) == host, "the environment is another one after a call");
    require(fetestexcept(FE_ALL_EXCEPT) == 0, "a call left exception flags");
    require(status == expected, what);
}

static int32_t load(void *user, double time, int32_t body, const double pose[7], const double velocity[6],
                    const double acceleration[6], double wrench[6], double *stiffness36, double *damping36)
{
    char text[8];
    (void)user, (void)time, (void)body, (void)pose, (void)velocity, (void)acceleration, (void)stiffness36, (void)damping36;
    require((_mm_getcsr() & CONTROL) == host, "the environment is another one in a load callback");
    pintle_error_message(NULL, (int32_t)sizeof text, text, NULL);
    require((_mm_getcsr() & CONTROL) == host, "the environment is another one after a call in a load callback");
    wrench[1] = 1.0;
    return 0;
}

/* A spinning pendulum and a body with zero added mass, and calls with NaN. */
static void run(double pose[7])
{
    const double com[3] = {0, 0, 0}, inertia[6] = {0.1, 0.2, 0.15, 0, 0, 0}, origin[3] = {0, 0, 0}, zero[36] = {0};
    const double start[7] = {1, 0, 0, 1, 0, 0, 0}, down[3] = {0, 0, -9.81}, spin[6] = {0, 0, 0, 1, 0, 0};
    int32_t body, joint;
    pintle_system *s = NULL;
    check(pintle_create(&s), PINTLE_OK, "create");
    check(pintle_set_gravity(s, down), PINTLE_OK, "set_gravity");
    check(pintle_add_rigid_body(s, 1.0, com, inertia, start, &body), PINTLE_OK, "add_rigid_body");
    check(pintle_set_body_velocity(s, body, spin), PINTLE_OK, "set_body_velocity");
    check(pintle_add_joint_at(s, PINTLE_JOINT_SPHERICAL, PINTLE_GROUND, body, origin, NULL, &joint), PINTLE_OK, "add_joint_at");
    check(pintle_set_added_mass(s, body, zero, PINTLE_FRAME_INERTIAL), PINTLE_OK, "set_added_mass");
    check(pintle_set_load_callback(s, body, load, NULL), PINTLE_OK, "set_load_callback");
    check(pintle_initialize(s, 0.0), PINTLE_OK, "initialize");
    for (int n = 0; n < STEPS; n++) {
        check(pintle_step(s, 0.01), PINTLE_OK, "step");
    }
    check(pintle_step(s, (double)NAN), PINTLE_ERR_NOT_FINITE, "a step of NaN");
    check(pintle_step(s, (double)INFINITY), PINTLE_ERR_NOT_FINITE, "a step of infinity");
    check(pintle_set_option(s, "rho_inf", (double)NAN), PINTLE_ERR_NOT_FINITE, "an option of NaN");
    check(pintle_get_body_pose(s, body, pose), PINTLE_OK, "get_body_pose");
    check(pintle_destroy(&s), PINTLE_OK, "destroy");
}

int main(void)
{
    double expected[7], found[7];
    for (int kind = 0; kind < 4; kind++) {
        fesetenv(FE_DFL_ENV);
        if (kind == 1) {
            feenableexcept(TRAPS);
        } else if (kind == 2) {
            _mm_setcsr(_mm_getcsr() | FLUSH_DENORMALS);
        } else if (kind == 3) {
            fesetround(FE_UPWARD);
        }
        host = _mm_getcsr() & CONTROL;
        run(kind == 0 ? expected : found);
        require(kind == 0 || memcmp(found, expected, sizeof found) == 0, "the motion depends on the environment");
    }
    printf("4 environments\n");
    return EXIT_SUCCESS;
}
