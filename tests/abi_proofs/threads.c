/*
 * Four threads, each with a system of its own, at the same time and without any warming up before: run under helgrind.
 * All must come to the same bits. Each thread also makes a mistake and finds its own message.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pintle.h"

enum { THREADS = 4, STEPS = 50 };

typedef struct {
    int32_t number;
    double pose[7];
    double load_time;
} job;

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "%s\n", what);
        exit(EXIT_FAILURE);
    }
}

static int32_t push(void *user, double time, int32_t body, const double pose[7], const double velocity[6],
                    const double acceleration[6], double wrench[6], double *stiffness36, double *damping36)
{
    (void)body, (void)acceleration, (void)stiffness36;
    ((job *)user)->load_time = time;
    wrench[0] = -pose[0] - velocity[0];
    damping36[0] = 1.0;
    return 0;
}

/* A pendulum on a spring: joint, spring, callback, trial steps, a saved state. */
static void *run(void *argument)
{
    job *j = argument;
    const double com[3] = {0, 0, 0}, inertia[6] = {0.1, 0.2, 0.15, 0, 0, 0}, origin[3] = {0, 0, 0}, up[3] = {0, 0, 3};
    const double pose[7] = {1, 0, 0, 1, 0, 0, 0}, down[3] = {0, 0, -9.81};
    int32_t body, joint, spring;
    char message[256], number[16];
    pintle_system *s = NULL;
    pintle_state *state = NULL;
    require(pintle_create(&s) == PINTLE_OK, "create");
    require(pintle_set_gravity(s, down) == PINTLE_OK, "set_gravity");
    require(pintle_add_rigid_body(s, 1.0, com, inertia, pose, &body) == PINTLE_OK, "add_rigid_body");
    require(pintle_add_joint_at(s, PINTLE_JOINT_SPHERICAL, PINTLE_GROUND, body, origin, NULL, &joint) == PINTLE_OK, "add_joint_at");
    require(pintle_add_spring(s, body, com, PINTLE_GROUND, up, 20.0, 0.1, 1.0, 0, &spring) == PINTLE_OK, "add_spring");
    require(pintle_set_load_callback(s, body, push, j) == PINTLE_OK, "set_load_callback");
    require(pintle_initialize(s, 0.0) == PINTLE_OK, "initialize");
    for (int n = 0; n < STEPS; n++) {
        require(pintle_state_save(s, &state) == PINTLE_OK, "state_save");
        require(pintle_advance(s, 0.02) == PINTLE_OK, "advance");
        require(pintle_state_restore(s, state) == PINTLE_OK, "state_restore");
        require(pintle_step(s, 0.01) == PINTLE_OK, "step");
        require(pintle_get_body_pose(s, 1000 + j->number, j->pose) == PINTLE_ERR_BAD_ID, "a wrong id is refused");
        require(pintle_error_message(NULL, sizeof message, message, NULL) == PINTLE_OK, "error_message");
        snprintf(number, sizeof number, "%d", 1000 + (int)j->number);
        require(strstr(message, number) != NULL, "the message of another thread");
    }
    require(pintle_get_body_pose(s, body, j->pose) == PINTLE_OK, "get_body_pose");
    require(pintle_state_destroy(&state) == PINTLE_OK, "state_destroy");
    require(pintle_destroy(&s) == PINTLE_OK, "destroy");
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    job jobs[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i].number = i;
        require(pthread_create(&threads[i], NULL, run, &jobs[i]) == 0, "no thread");
    }
    for (int i = 0; i < THREADS; i++) {
        require(pthread_join(threads[i], NULL) == 0, "no join");
        require(memcmp(jobs[i].pose, jobs[0].pose, sizeof jobs[0].pose) == 0, "threads differ");
    }
    printf("%d threads, %d steps\n", THREADS, STEPS);
    return EXIT_SUCCESS;
}
