/*
 * A host that knows pintle only at run time: no link to the library, one symbol, one table of functions. This is how a controller
 * interface or a plug-in loader takes it.
 *
 *   dlopen_host path/to/libpintle.so
 *
 * It runs a compound pendulum: 1 kg at 1 m from a revolute joint about y at the origin, released horizontally, 200 steps of 0.05 s.
 * Exit status 1 means that the library does not fit or that a number is not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/dlopen_host.c -ldl -lm -o target/dlopen_host
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pintle.h"

static const double mass = 1.0;
static const double length = 1.0;
static const double inertia_com = 0.1;
static const double gravity = 9.81;
static const double time_step = 0.05;
enum { STEPS = 200 };

typedef int32_t (*get_api_fn)(int32_t abi_version, int64_t size, pintle_api *out);

/* ------------------------------------------------------------------------------------------------------------- loading */

/* The only symbol that is looked up. ISO C has no cast from void * to a function pointer; copying the bytes is what POSIX means. */
static get_api_fn find_get_api(void *library)
{
    get_api_fn get_api;
    void *symbol = dlsym(library, "pintle_get_api");
    if (symbol == NULL) {
        fprintf(stderr, "this is not pintle: %s\n", dlerror());
        exit(EXIT_FAILURE);
    }
    memcpy(&get_api, &symbol, sizeof get_api);
    return get_api;
}

/* The library compares the numbers: PINTLE_ABI is that of the header this program was compiled with. */
static pintle_api load_table(get_api_fn get_api)
{
    pintle_api api;
    int32_t status = get_api(PINTLE_ABI, (int64_t)sizeof api, &api);
    if (status == PINTLE_ERR_ABI_MISMATCH) {
        fprintf(stderr, "this program was compiled for ABI %d of pintle, and the library has another one: update either\n", PINTLE_ABI);
        exit(EXIT_FAILURE);
    }
    if (status != PINTLE_OK) {
        fprintf(stderr, "pintle_get_api failed with status %d\n", (int)status);
        exit(EXIT_FAILURE);
    }
    return api;
}

/* What a program of another generation would see: a refusal instead of a crash. */
static void show_refusal(get_api_fn get_api, const pintle_api *api)
{
    const int32_t other = PINTLE_ABI + 1;
    char message[256] = "";
    pintle_api never;
    int32_t status = get_api(other, (int64_t)sizeof never, &never);
    api->error_message(NULL, (int32_t)sizeof message, message, NULL);
    printf("asked for ABI %d: %s, \"%s\"\n", (int)other, api->status_name(status), message);
    if (status != PINTLE_ERR_ABI_MISMATCH) {
        fprintf(stderr, "a wrong ABI number was not refused\n");
        exit(EXIT_FAILURE);
    }
}

/* ------------------------------------------------------------------------------------------------------------ pendulum */

static void check(const pintle_api *api, const pintle_system *system, int32_t status, const char *what)
{
    if (status != PINTLE_OK) {
        char message[512] = "";
        api->error_message(system, (int32_t)sizeof message, message, NULL);
        fprintf(stderr, "%s failed with %s: %s\n", what, api->status_name(status), message);
        exit(EXIT_FAILURE);
    }
}

static pintle_system *create_pendulum(const pintle_api *api)
{
    const double down[3] = {0.0, 0.0, -gravity}, com[3] = {0.0, 0.0, 0.0}, origin[3] = {0.0, 0.0, 0.0}, axis[3] = {0.0, 1.0, 0.0};
    const double inertia[6] = {inertia_com, inertia_com, inertia_com, 0.0, 0.0, 0.0};
    const double pose[7] = {length, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    int32_t body, joint;
    pintle_system *s = NULL;
    check(api, NULL, api->create(&s), "create");
    check(api, s, api->set_gravity(s, down), "set_gravity");
    check(api, s, api->add_rigid_body(s, mass, com, inertia, pose, &body), "add_rigid_body");
    check(api, s, api->add_joint_at(s, PINTLE_JOINT_REVOLUTE, PINTLE_GROUND, body, origin, axis, &joint), "add_joint_at");
    check(api, s, api->set_option(s, "rho_inf", 1.0), "set_option"); /* no numerical damping: energy should stay */
    check(api, s, api->initialize(s, 0.0), "initialize");
    return s;
}

static double energy_of(const pintle_api *api, const pintle_system *s)
{
    double kinetic, potential;
    check(api, s, api->get_energy(s, &kinetic, &potential), "get_energy");
    return kinetic + potential;
}

static void print_row(const pintle_api *api, const pintle_system *s, double t, double energy_start)
{
    double pose[7], kinetic, potential;
    check(api, s, api->get_body_pose(s, 0, pose), "get_body_pose");
    check(api, s, api->get_energy(s, &kinetic, &potential), "get_energy");
    printf("%8.2f  %9.5f  %9.5f  %11.6f  %13.6f  %11.2e\n", t, pose[0], pose[2], kinetic, potential,
           kinetic + potential - energy_start);
}

/* Runs the pendulum over the same time with step dt; returns the largest change of its energy. */
static double run(const pintle_api *api, double dt, int steps, int steps_per_row)
{
    pintle_system *s = create_pendulum(api);
    const double energy_start = energy_of(api, s);
    double largest = 0.0;
    if (steps_per_row > 0) {
        printf("\ntime (s)      x (m)      z (m)  kinetic (J)  potential (J)   change (J)\n");
        print_row(api, s, 0.0, energy_start);
    }
    for (int n = 1; n <= steps; n++) {
        check(api, s, api->step(s, dt), "step");
        largest = fmax(largest, fabs(energy_of(api, s) - energy_start));
        if (steps_per_row > 0 && n % steps_per_row == 0) {
            print_row(api, s, n * dt, energy_start);
        }
    }
    check(api, s, api->destroy(&s), "destroy");
    return largest;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s path/to/libpintle.so\n", argv[0]);
        return EXIT_FAILURE;
    }
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fprintf(stderr, "cannot load pintle: %s\n", dlerror());
        return EXIT_FAILURE;
    }
    get_api_fn get_api = find_get_api(library);
    pintle_api api = load_table(get_api);
    printf("pintle %s, ABI %d\n", api.version(), (int)api.abi_version());
    show_refusal(get_api, &api);

    /* Energy comes back after each swing; within one it differs by the error of the scheme, which is of second order. */
    const double change = run(&api, time_step, STEPS, 20);
    const double change_half = run(&api, 0.5 * time_step, 2 * STEPS, 0);
    const double order = log2(change / change_half);
    printf("\nlargest change of energy: %.3e J at dt %g, %.3e J at dt %g, order %.2f\n", change, time_step, change_half,
           0.5 * time_step, order);
    if (!(fabs(order - 2.0) < 0.1)) {
        fprintf(stderr, "the energy error should fall by 4 when the step is halved\n");
        return EXIT_FAILURE;
    }

    if (dlclose(library) != 0) {
        fprintf(stderr, "cannot unload pintle: %s\n", dlerror());
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
