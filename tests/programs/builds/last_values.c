/*
 * Runs a model and prints the bits of all channels at the end: scripts/packages/check compares those of two systems.
 *
 *   last_values MODEL STEP STEPS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pintle.h"

int main(int argc, char **argv)
{
    pintle_system *sys = NULL;
    double *values = NULL;
    int32_t n = 0, status = argc == 4 ? pintle_load_model(argv[1], &sys) : -1;
    if (!status) status = pintle_initialize(sys, 0.0);
    for (int step = 0; !status && step < atoi(argv[3]); step++) status = pintle_step(sys, atof(argv[2]));
    if (!status) status = pintle_channel_count(sys, &n);
    if (!status) values = calloc((size_t)n, sizeof *values);
    if (!status) status = pintle_get_channels(sys, n, values);
    for (int32_t k = 0; !status && k < n; k++) {
        unsigned long long bits;
        memcpy(&bits, &values[k], sizeof bits);
        printf("%016llx\n", bits);
    }
    if (status) fprintf(stderr, "last_values: status %d\n", (int)status);
    free(values);
    pintle_destroy(&sys);
    return status != 0;
}
