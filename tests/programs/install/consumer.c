/* A falling body: 1 s, prints where it is. */
#include <stdio.h>

#include <pintle.h>

int main(void)
{
    const double gravity[3] = {0, 0, -10}, com[3] = {0, 0, 0}, inertia[6] = {1, 1, 1, 0, 0, 0};
    double pose[7] = {0, 0, 0, 1, 0, 0, 0};
    int32_t body, failed = 0;
    pintle_system *system = NULL;
    failed |= pintle_create(&system);
    failed |= pintle_set_gravity(system, gravity);
    failed |= pintle_add_rigid_body(system, 1.0, com, inertia, pose, &body);
    failed |= pintle_initialize(system, 0.0);
    for (int n = 0; n < 10; n++) {
        failed |= pintle_step(system, 0.1);
    }
    failed |= pintle_get_body_pose(system, body, pose);
    failed |= pintle_destroy(&system);
    printf("pintle %s z %.3f\n", pintle_version(), pose[2]);
    return failed != PINTLE_OK;
}
