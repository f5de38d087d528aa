/*
 * Initializes and steps models in threads with little stack, as coroutines and some runtimes give.
 *
 *   small_stack KIBIBYTES MODEL...
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "pintle.h"

enum { STEPS = 20 };

static void require(int32_t status, const pintle_system *sys, const char *model, const char *what)
{
    if (status != PINTLE_OK) {
        char message[1024];
        pintle_error_message(sys, sizeof message, message, NULL);
        fprintf(stderr, "%s: %s: %s\n", model, what, message);
        exit(EXIT_FAILURE);
    }
}

static void *simulate(void *argument)
{
    const char *model = argument;
    pintle_system *sys = NULL;
    require(pintle_load_model(model, &sys), sys, model, "load");
    require(pintle_initialize(sys, 0.0), sys, model, "initialize");
    for (int k = 0; k < STEPS; k++) {
        require(pintle_step(sys, 1e-3), sys, model, "step");
    }
    pintle_destroy(&sys);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    size_t bytes = 1024 * (size_t)atoi(argv[1]);
    if (pthread_attr_setstacksize(&attributes, bytes) != 0) {
        fprintf(stderr, "threads cannot have a stack of %zu bytes\n", bytes);
        return EXIT_FAILURE;
    }
    for (int k = 2; k < argc; k++) {
        pthread_t thread;
        if (pthread_create(&thread, &attributes, simulate, argv[k]) != 0 || pthread_join(thread, NULL) != 0) {
            fprintf(stderr, "no thread\n");
            return EXIT_FAILURE;
        }
    }
    printf("%d models\n", argc - 2);
    return EXIT_SUCCESS;
}
