/* A host's loop in C, so that the caller's Python does not count: `steps` calls of pintle_step; the first status that is not 0. */
#include <stdint.h>

int32_t step_loop(int32_t (*step)(void *, double), void *system, double dt, int64_t steps)
{
    for (int64_t i = 0; i < steps; i++) {
        const int32_t status = step(system, dt);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}
