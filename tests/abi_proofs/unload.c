/*
 * Loads libpintle.so, uses it, unloads it, again and again, and looks each time whether the mapping is really gone.
 *
 *   unload path/to/libpintle.so
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pintle.h"

enum { ROUNDS = 100 };

typedef int32_t (*get_api_fn)(int32_t abi_version, int64_t size, pintle_api *out);

static const char *path;

static void require(int condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "%s\n", what);
        exit(EXIT_FAILURE);
    }
}

static int is_mapped(void)
{
    char line[4096];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    require(maps != NULL, "no /proc/self/maps");
    while (fgets(line, sizeof line, maps) != NULL) {
        found |= strstr(line, "libpintle.so") != NULL;
    }
    fclose(maps);
    return found;
}

static void *load(pintle_api *api)
{
    get_api_fn get_api;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    require(library != NULL, "cannot load");
    require(is_mapped(), "the name in /proc/self/maps is another one: this program would prove nothing");
    void *symbol = dlsym(library, "pintle_get_api");
    require(symbol != NULL, "no pintle_get_api");
    memcpy(&get_api, &symbol, sizeof get_api);
    require(get_api(PINTLE_ABI, (int64_t)sizeof *api, api) == PINTLE_OK, "no table");
    return library;
}

static void unload(void *library, const char *left)
{
    require(dlclose(library) == 0, "cannot unload");
    require(!is_mapped(), left);
}

/* A pendulum steps, a call fails and leaves its message with the thread. */
static void use(const pintle_api *api)
{
    const double com[3] = {0, 0, 0}, inertia[6] = {0.1, 0.1, 0.1, 0, 0, 0}, origin[3] = {0, 0, 0};
    const double pose[7] = {1, 0, 0, 1, 0, 0, 0}, down[3] = {0, 0, -9.81};
    int32_t body, joint, length;
    pintle_system *s = NULL;
    pintle_state *state = NULL;
    require(api->create(&s) == PINTLE_OK, "create");
    require(api->set_gravity(s, down) == PINTLE_OK, "set_gravity");
    require(api->add_rigid_body(s, 1.0, com, inertia, pose, &body) == PINTLE_OK, "add_rigid_body");
    require(api->add_joint_at(s, PINTLE_JOINT_SPHERICAL, PINTLE_GROUND, body, origin, NULL, &joint) == PINTLE_OK, "add_joint_at");
    require(api->initialize(s, 0.0) == PINTLE_OK, "initialize");
    for (int n = 0; n < 10; n++) {
        require(api->step(s, 0.01) == PINTLE_OK, "step");
    }
    require(api->state_save(s, &state) == PINTLE_OK, "state_save");
    require(api->step(s, -1.0) == PINTLE_ERR_BAD_VALUE, "a negative step is refused");
    require(api->error_message(NULL, 0, NULL, &length) == PINTLE_ERR_BUFFER_TOO_SMALL && length > 0, "error_message");
    require(api->state_destroy(&state) == PINTLE_OK, "state_destroy");
    require(api->destroy(&s) == PINTLE_OK, "destroy");
}

static void *load_use_unload(void *left)
{
    pintle_api api;
    void *library = load(&api);
    use(&api);
    unload(library, left);
    return NULL;
}

static void in_a_thread(void *(*run)(void *), void *argument)
{
    pthread_t thread;
    require(pthread_create(&thread, NULL, run, argument) == 0, "no thread");
    require(pthread_join(thread, NULL) == 0, "no join");
}

/* A thread that has used the library and lives on while another one unloads it. */
static sem_t used, unloaded;

static void *use_and_wait(void *api)
{
    use(api);
    sem_post(&used);
    sem_wait(&unloaded);
    return NULL;
}

static void unload_under_a_living_thread(void)
{
    pintle_api api;
    pthread_t thread;
    void *library = load(&api);
    require(pthread_create(&thread, NULL, use_and_wait, &api) == 0, "no thread");
    sem_wait(&used);
    unload(library, "still mapped after dlclose while a thread lives that used it");
    sem_post(&unloaded);
    require(pthread_join(thread, NULL) == 0, "no join");
}

int main(int argc, char **argv)
{
    require(argc == 2, "usage: unload path/to/libpintle.so");
    path = argv[1];
    require(!is_mapped(), "mapped before it is loaded");
    sem_init(&used, 0, 0);
    sem_init(&unloaded, 0, 0);
    for (int n = 0; n < ROUNDS; n++) {
        load_use_unload("still mapped after dlclose on the main thread");
        in_a_thread(load_use_unload, "still mapped after dlclose on another thread");
        unload_under_a_living_thread();
    }
    printf("%d rounds\n", ROUNDS);
    return EXIT_SUCCESS;
}
