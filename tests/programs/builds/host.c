/* Runs a model from a file and prints which file the library is, then the bits of all channels at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pintle.h>

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s MODEL STEP STEPS\n", argv[0]);
        return 2;
    }
    const double step = atof(argv[2]);
    const long steps = atol(argv[3]);
    pintle_system *system = NULL;
    int32_t count = 0, status = pintle_load_model(argv[1], &system);
    if (!status) status = pintle_initialize(system, 0.0);
    for (long n = 0; n < steps && !status; n++) status = pintle_step(system, step);
    if (!status) status = pintle_channel_count(system, &count);
    double *values = calloc((size_t)count + 1, sizeof *values);
    if (!status) status = pintle_get_channels(system, count, values);
    if (status) {
        char text[512];
        pintle_error_message(system, sizeof text, text, NULL);
        fprintf(stderr, "%s\n", text);
        return 1;
    }

    /* ISO C has no cast from a function pointer to void *; POSIX means the same bytes. */
    void *address;
    int32_t (*function)(pintle_system *, double) = pintle_step;
    Dl_info info;
    memcpy(&address, &function, sizeof address);
    if (!dladdr(address, &info)) return 1;
    puts(info.dli_fname);
    for (int32_t k = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &values[k], sizeof bits);
        printf("%016" PRIx64 "\n", bits);
    }
    free(values);
    pintle_destroy(&system);
    return 0;
}
