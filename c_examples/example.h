/*
 * What all examples share: two ways to stop with a message.
 *
 * A real host returns the status to its caller instead, or maps it to its own error levels with pintle_status_severity.
 */
#ifndef PINTLE_EXAMPLE_H
#define PINTLE_EXAMPLE_H

#include <stdio.h>
#include <stdlib.h>

#include "pintle.h"

/* Every pintle function returns a status. CHECK stops the program at the first failure with the library's own explanation, which
 * is kept with the system; `system` may be NULL, then it is that of the calling thread's last failed call. */
#define CHECK(system, call) example_check((system), (call), #call)

static inline void example_check(const pintle_system *system, int32_t status, const char *call)
{
    if (status == PINTLE_OK) {
        return;
    }
    char message[512] = "";
    pintle_error_message(system, (int32_t)sizeof message, message, NULL);
    fprintf(stderr, "%s\n  failed with %s: %s\n", call, pintle_status_name(status), message);
    exit(EXIT_FAILURE);
}

/* The examples verify their own numbers: REQUIRE(condition, format, ...) stops the program when one is off. */
#define REQUIRE(condition, ...)                                    \
    do {                                                           \
        if (!(condition)) {                                        \
            fprintf(stderr, "wrong result, not %s: ", #condition); \
            fprintf(stderr, __VA_ARGS__);                          \
            fputc('\n', stderr);                                   \
            exit(EXIT_FAILURE);                                    \
        }                                                          \
    } while (0)

/* Opens `directory`/`name` for writing, or stops. */
static inline FILE *example_create(const char *directory, const char *name)
{
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "w") : NULL;
    if (file == NULL) {
        fprintf(stderr, "cannot write %s/%s\n", directory, name);
        exit(EXIT_FAILURE);
    }
    return file;
}

#endif
