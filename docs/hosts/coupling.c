/*
 * How a host couples with pintle, in C. docs/hosts.md shows the marked parts beside those of its Fortran twin, coupling.f90;
 * a test compiles and runs both and compares what they print.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "pintle.h"

static const double dt = 0.1;

/* A failure that this host does not expect ends it. */
static void check(int32_t status)
{
    if (status != PINTLE_OK) {
        char text[512];
        pintle_error_message(NULL, (int32_t)sizeof text, text, NULL);
        fprintf(stderr, "%s\n", text);
        exit(EXIT_FAILURE);
    }
}

/* The host's fluid: a buoy of 1 t in waves, heave only. */
static void fluid_load(double time, const double pose[7], const double velocity[6], double wrench[6])
{
    for (int i = 0; i < 6; i++) {
        wrench[i] = 0.0;
    }
    wrench[2] = 9810.0 - 8000.0 * (pose[2] - 0.3 * sin(0.8 * time)) - 500.0 * velocity[2];
}

/* [phases] */
static pintle_system *create_buoy(int32_t *buoy)
{
    const double gravity[3] = {0, 0, -9.81}, com[3] = {0, 0, 0}, inertia[6] = {500, 500, 500, 0, 0, 0};
    const double pose[7] = {0, 0, 0, 1, 0, 0, 0}, buoyancy[6] = {0, 0, 9810, 0, 0, 0};
    pintle_system *sys = NULL;
    check(pintle_create(&sys)); /* BUILDING: the model is described */
    check(pintle_set_gravity(sys, gravity));
    check(pintle_add_rigid_body(sys, 1000.0, com, inertia, pose, buoy));
    check(pintle_set_body_load(sys, *buoy, PINTLE_FRAME_INERTIAL, buoyancy)); /* acts at the initial time */
    check(pintle_initialize(sys, 0.0));                                       /* READY: there is an accepted state */
    return sys;
}
/* [] */

static void print_heave(const char *what, const pintle_system *sys, int32_t buoy)
{
    double pose[7];
    check(pintle_get_body_pose(sys, buoy, pose));
    printf("%-20s%16.10f\n", what, pose[2]);
}

/* [loads and their time] */
static void step_explicitly(pintle_system *sys, int32_t buoy, int steps)
{
    for (int n = 1; n <= steps; n++) {
        double time, pose[7], velocity[6], wrench[6];
        check(pintle_time(sys, &time));
        check(pintle_get_body_pose(sys, buoy, pose));
        check(pintle_get_body_velocity(sys, buoy, PINTLE_FRAME_INERTIAL, velocity));
        fluid_load(time + dt, pose, velocity, wrench); /* for the END of the step, by the latest motion */
        check(pintle_set_body_load(sys, buoy, PINTLE_FRAME_INERTIAL, wrench));
        check(pintle_step(sys, dt));
    }
}
/* [] */

/* [predictor-corrector] */
static void step_with_corrections(pintle_system *sys, int32_t buoy, int steps)
{
    for (int n = 1; n <= steps; n++) {
        double time, pose[7], velocity[6], wrench[6], change = 1.0;
        check(pintle_time(sys, &time));
        check(pintle_get_body_pose(sys, buoy, pose));
        check(pintle_get_body_velocity(sys, buoy, PINTLE_FRAME_INERTIAL, velocity));
        while (change > 1e-12) {
            const double heave = pose[2];
            fluid_load(time + dt, pose, velocity, wrench);
            check(pintle_set_body_load(sys, buoy, PINTLE_FRAME_INERTIAL, wrench));
            check(pintle_advance(sys, dt));                /* TRIAL; each time from the accepted state */
            check(pintle_get_body_pose(sys, buoy, pose)); /* of the trial */
            check(pintle_get_body_velocity(sys, buoy, PINTLE_FRAME_INERTIAL, velocity));
            change = fabs(pose[2] - heave);
        }
        check(pintle_accept(sys)); /* READY again, one step further; pintle_reject would go back */
    }
}
/* [] */

/* [rollback] */
static void step_twice(pintle_system *sys, int32_t buoy)
{
    pintle_state *saved = NULL; /* made by the first save, used again by later ones */
    check(pintle_state_save(sys, &saved));
    step_explicitly(sys, buoy, 5);
    print_heave("once", sys, buoy);
    check(pintle_state_restore(sys, saved));
    step_explicitly(sys, buoy, 5);
    print_heave("again", sys, buoy); /* the same, bit for bit */
    check(pintle_state_destroy(&saved));
}
/* [] */

/* [sub-steps] */
static void use_sub_steps(pintle_system *sys)
{
    check(pintle_set_option(sys, "max_time_step", 0.02)); /* a step of 0.1 becomes five */
    check(pintle_set_option(sys, "input_order", 1.0));    /* loads go linearly from the last accepted ones */
}
/* [] */

/* [added mass] */
static void use_added_mass(pintle_system *sys, int32_t buoy)
{
    double a[36] = {0.0}; /* column-major, about the reference point */
    a[2 + 6 * 2] = 1500.0;
    check(pintle_set_added_mass(sys, buoy, a, PINTLE_FRAME_INERTIAL)); /* then leave -A vdot out of the loads */
}
/* [] */

/* [model files] */
static void go_through_a_file(const pintle_system *sys, int32_t buoy)
{
    pintle_system *same = NULL;
    check(pintle_save_model(sys, "buoy.toml"));    /* the description, from whatever phase */
    check(pintle_load_model("buoy.toml", &same)); /* a system of its own, BUILDING: more may be added */
    check(pintle_initialize(same, 0.0));
    step_explicitly(same, buoy, 10);
    print_heave("from a file", same, buoy);
    check(pintle_destroy(&same));
}
/* [] */

/* [errors and retry] */
static int32_t step_or_halve(pintle_system *sys, double h)
{
    int32_t status = pintle_step(sys, h);
    /* 300 to 399: numerics. The accepted state stands, and a smaller step may succeed. */
    if (status >= 300 && status < 400 && h > 1e-6) {
        status = step_or_halve(sys, 0.5 * h);
        if (status == PINTLE_OK) {
            status = step_or_halve(sys, 0.5 * h);
        }
    }
    return status; /* the caller asks pintle_error_message, and pintle_status_severity for OpenFAST's scale */
}
/* [] */

/* [threads] */
static void *run_alone(void *result)
{
    int32_t buoy;
    pintle_system *sys = create_buoy(&buoy); /* one system, one thread at a time */
    step_explicitly(sys, buoy, 20);
    check(pintle_get_body_pose(sys, buoy, (double *)result));
    check(pintle_destroy(&sys));
    return NULL;
}

static void run_in_threads(void)
{
    pthread_t threads[2];
    double poses[2][7];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, run_alone, poses[i]);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        printf("%-20s%16.10f\n", "thread", poses[i][2]);
    }
}
/* [] */

/* [load callbacks] */
/* Two buoys in the same waves, heave only: each has an added mass of its own, and feels the other's acceleration. */
static int32_t shared_water(void *user, double time, int32_t n, const int32_t *bodies, const double *poses,
                            const double *velocities, const double *accelerations, double *wrenches, double *stiffness,
                            double *damping, double *mass)
{
    const double *added = user; /* own, shared */
    for (int i = 0; i < n; i++) {
        const int heave = 6 * i + 2, diagonal = heave + 6 * n * heave; /* column-major */
        wrenches[heave] = 9810.0 - 8000.0 * (poses[7 * i + 2] - 0.3 * sin(0.8 * time)) - 500.0 * velocities[heave];
        stiffness[diagonal] = 8000.0; /* optional, but saves iterations */
        damping[diagonal] = 500.0;
        for (int j = 0; j < n; j++) {
            const double a = added[i == j ? 0 : 1];
            wrenches[heave] -= a * accelerations[6 * j + 2];
            mass[heave + 6 * n * (6 * j + 2)] = a;
        }
    }
    return bodies[0] == 0 ? 0 : 1; /* anything but 0 fails the step; bodies are in the order in which they were set */
}

static void couple_two_buoys(void)
{
    double added[2] = {600.0, -200.0}; /* lives as long as the system */
    const double com[3] = {0, 0, 0}, inertia[6] = {500, 500, 500, 0, 0, 0}, gravity[3] = {0, 0, -9.81};
    const double lifted[7] = {0, 0, 0.5, 1, 0, 0, 0}, at_rest[7] = {3, 0, 0, 1, 0, 0, 0};
    int32_t buoys[2];
    pintle_system *sys = NULL;
    check(pintle_create(&sys));
    check(pintle_set_gravity(sys, gravity));
    check(pintle_add_rigid_body(sys, 1000.0, com, inertia, lifted, &buoys[0]));
    check(pintle_add_rigid_body(sys, 1000.0, com, inertia, at_rest, &buoys[1]));
    check(pintle_set_coupled_load_callback(sys, 2, buoys, shared_water, added, NULL));
    check(pintle_initialize(sys, 0.0));
    for (int n = 1; n <= 20; n++) {
        check(pintle_step(sys, dt));
    }
    print_heave("lifted", sys, buoys[0]);
    print_heave("moved by the water", sys, buoys[1]);
    check(pintle_destroy(&sys));
}
/* [] */

int main(void)
{
    int32_t buoy;
    pintle_system *sys = create_buoy(&buoy);
    step_explicitly(sys, buoy, 10);
    print_heave("explicit", sys, buoy);
    go_through_a_file(sys, buoy);
    step_with_corrections(sys, buoy, 10);
    print_heave("corrected", sys, buoy);
    step_twice(sys, buoy);
    use_sub_steps(sys);
    use_added_mass(sys, buoy);
    step_with_corrections(sys, buoy, 10);
    print_heave("added mass", sys, buoy);
    check(pintle_set_option(sys, "max_time_step", 1e30));
    check(step_or_halve(sys, dt));
    print_heave("retry", sys, buoy);
    check(pintle_destroy(&sys));
    couple_two_buoys();
    run_in_threads();
    return EXIT_SUCCESS;
}
