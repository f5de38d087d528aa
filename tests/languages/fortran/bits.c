/* One half of a comparison, bits.f90 is the other: the same model and the same calls from C and from Fortran must give the same
 * bits. Prints pose, velocity and acceleration of both bodies and the reactions after every step, in hexadecimal. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pintle.h"

static void ok(int32_t status)
{
    if (status != PINTLE_OK) {
        fprintf(stderr, "%s\n", pintle_status_name(status));
        exit(EXIT_FAILURE);
    }
}

static void print_bits(int n, const double *x)
{
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        printf("%016" PRIX64 "\n", bits);
    }
}

int main(void)
{
    const double zero[7] = {0, 0, 0, 1, 0, 0, 0}, z[3] = {0, 0, 1}, down[3] = {0, 0, -9.81};
    const double inertia[6] = {0.2, 0.25, 0.3, 0.01, 0.02, 0.03}, above[3] = {0.5, 0.25, 3.0};
    const double pose_a[7] = {1, 0, 0, 1, 0, 0, 0}, pose_b[7] = {2, 0, 0, 1, 0, 0, 0}, fast[6] = {0, 1, 2, 0, -2, 1};
    double mass[36] = {0}, stiffness[36] = {0}, loads[2][6] = {{0}};
    pintle_system *sys = NULL;
    int32_t a, b, joint, spring, bushing;
    for (int i = 0; i < 6; i++) {
        mass[7 * i] = i < 3 ? 1.5 : 0.25;
        stiffness[7 * i] = 10.0 + i;
    }
    stiffness[3 + 6 * 1] = 2.0; /* row 4, column 2 in Fortran: an unsymmetric matrix shows a transposed one */

    ok(pintle_create(&sys));
    ok(pintle_set_gravity(sys, down));
    ok(pintle_add_rigid_body(sys, 2.0, zero, inertia, pose_a, &a));
    ok(pintle_add_body(sys, mass, pose_b, &b));
    ok(pintle_set_body_velocity(sys, a, fast));
    ok(pintle_add_joint_at(sys, PINTLE_JOINT_SPHERICAL, PINTLE_GROUND, a, zero, NULL, &joint));
    ok(pintle_add_spring(sys, b, zero, PINTLE_GROUND, above, 200.0, 1.0, 2.5, 1, &spring));
    ok(pintle_add_bushing(sys, a, b, zero, zero, stiffness, mass, &bushing));
    ok(pintle_set_added_mass(sys, b, mass, PINTLE_FRAME_BODY));
    ok(pintle_set_option(sys, "rho_inf", 0.6));
    ok(pintle_initialize(sys, 0.0));
    for (int n = 1; n <= 200; n++) {
        double poses[2][7], velocities[2][6], accelerations[2][6], wrench[6], length, tension, about_z[6];
        loads[1][0] = 0.01 * n;
        loads[0][5] = -0.02 * n;
        ok(pintle_set_body_loads(sys, PINTLE_FRAME_BODY, 2, &loads[0][0]));
        ok(pintle_step(sys, 0.01));
        ok(pintle_get_body_poses(sys, 2, &poses[0][0]));
        ok(pintle_get_body_velocities(sys, 2, &velocities[0][0]));
        ok(pintle_get_body_accelerations(sys, 2, &accelerations[0][0]));
        ok(pintle_get_joint_reaction(sys, joint, PINTLE_FRAME_INERTIAL, wrench));
        ok(pintle_get_spring_force(sys, spring, &length, &tension));
        ok(pintle_get_momentum(sys, z, about_z));
        print_bits(14, &poses[0][0]);
        print_bits(12, &velocities[0][0]);
        print_bits(12, &accelerations[0][0]);
        print_bits(6, wrench);
        print_bits(1, &length);
        print_bits(1, &tension);
        print_bits(6, about_z);
    }
    ok(pintle_write_checkpoint(sys, "bits.checkpoint"));
    ok(pintle_destroy(&sys));
    return EXIT_SUCCESS;
}
