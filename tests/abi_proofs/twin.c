/* A platform on springs with a load callback, in C; twin.cpp is the same in C++. Prints all bits of the motion. */
#include <stdio.h>
#include <stdlib.h>

#include "pintle.h"

static void check(int32_t status)
{
    if (status != PINTLE_OK) {
        fprintf(stderr, "%s\n", pintle_status_name(status));
        exit(EXIT_FAILURE);
    }
}

static int32_t drag(void *user, double time, int32_t body, const double pose[7], const double velocity[6],
                    const double acceleration[6], double wrench[6], double *stiffness36, double *damping36)
{
    const double coefficient = *(const double *)user;
    (void)time, (void)body, (void)pose, (void)acceleration, (void)stiffness36;
    for (int i = 0; i < 6; i++) {
        wrench[i] = -coefficient * velocity[i];
        damping36[i + 6 * i] = coefficient;
    }
    return 0;
}

static void print(const pintle_system *system, int32_t body)
{
    double pose[7], velocity[6], kinetic, potential;
    check(pintle_get_body_pose(system, body, pose));
    check(pintle_get_body_velocity(system, body, PINTLE_FRAME_BODY, velocity));
    check(pintle_get_energy(system, &kinetic, &potential));
    printf("%a %a %a %a %a %a %a", pose[0], pose[1], pose[2], pose[3], pose[4], pose[5], pose[6]);
    printf(" %a %a %a %a\n", velocity[0], velocity[5], kinetic, potential);
}

int main(void)
{
    const double gravity[3] = {0, 0, -9.81}, com[3] = {0.1, 0, 0}, inertia[6] = {1, 2, 3, 0.1, 0, 0};
    const double start[7] = {0, 0, -1, 1, 0, 0, 0}, velocity[6] = {0.5, 0, 0, 0, 0, 0.2}, zero[3] = {0, 0, 0};
    const double anchors[2][3] = {{-3, 0, 4}, {3, 1, 4}};
    double coefficient = 0.7;
    int32_t body, spring;
    pintle_system *system = NULL;
    check(pintle_create(&system));
    check(pintle_set_gravity(system, gravity));
    check(pintle_add_rigid_body(system, 2.0, com, inertia, start, &body));
    check(pintle_set_body_velocity(system, body, velocity));
    for (int i = 0; i < 2; i++) {
        check(pintle_add_spring(system, body, zero, PINTLE_GROUND, anchors[i], 30.0, 0.5, 4.0, 1, &spring));
    }
    check(pintle_set_load_callback(system, body, drag, &coefficient));
    check(pintle_initialize(system, 0.0));
    print(system, body);
    for (int n = 0; n < 50; n++) {
        check(pintle_advance(system, 0.05));
        check(pintle_advance(system, 0.02));
        check(pintle_accept(system));
        print(system, body);
    }
    check(pintle_destroy(&system));
    return EXIT_SUCCESS;
}
