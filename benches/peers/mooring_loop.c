/* Hosts' loops in C, so that the caller's Python does not count: lines whose upper ends are moved, in pintle and in MoorDyn.
 *
 * `motion` has per step and point position, velocity and acceleration (9 numbers), `steps` + 1 times; `tension` receives that of the
 * upper end segment of each line after each step. The result is the first status that is not 0. Processor seconds go to `cpu`. */
#include <stdint.h>
#include <time.h>

enum { MAX_LINES = 8 };

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef int32_t (*pintle_motion_fn)(void *, int32_t, const double *, const double *, const double *);
typedef int32_t (*pintle_step_fn)(void *, double);
typedef int32_t (*pintle_tensions_fn)(void *, int32_t, int32_t, double *);

/* Point and line ids of the moved ends are 0 to lines - 1; `room` has a number per segment. */
int32_t pintle_loop(pintle_motion_fn move, pintle_step_fn step, pintle_tensions_fn read, void *system, int32_t lines,
                    int32_t segments, double dt, int64_t steps, const double *motion, double *room, double *tension, double *cpu)
{
    const double begin = seconds();
    for (int64_t i = 1; i <= steps; i++) {
        for (int32_t k = 0; k < lines; k++) {
            const double *at = motion + 9 * (i * lines + k);
            const int32_t status = move(system, k, at, at + 3, at + 6);
            if (status != 0) {
                return status;
            }
        }
        int32_t status = step(system, dt);
        for (int32_t k = 0; k < lines && status == 0; k++) {
            status = read(system, k, segments, room);
            *tension++ = room[segments - 1];
        }
        if (status != 0) {
            return status;
        }
    }
    *cpu = seconds() - begin;
    return 0;
}

typedef int (*moordyn_step_fn)(void *, const double *, const double *, double *, double *, double *);
typedef int (*moordyn_tension_fn)(void *, double *);

/* MoorDyn moves coupled points in straight lines over a host's step: with the mean velocity they arrive where they should. */
int32_t moordyn_loop(moordyn_step_fn step, moordyn_tension_fn read, void *system, int32_t lines, void *const *line, double dt,
                     int64_t steps, const double *motion, double *tension, double *cpu)
{
    double x[3 * MAX_LINES], v[3 * MAX_LINES], force[3 * MAX_LINES];
    const double begin = seconds();
    for (int64_t i = 0; i < steps; i++) {
        for (int32_t k = 0; k < lines; k++) {
            const double *from = motion + 9 * (i * lines + k), *to = from + 9 * lines;
            for (int c = 0; c < 3; c++) {
                x[3 * k + c] = from[c];
                v[3 * k + c] = (to[c] - from[c]) / dt;
            }
        }
        double t = (double)i * dt, length = dt;
        int status = step(system, x, v, force, &t, &length);
        for (int32_t k = 0; k < lines && status == 0; k++) {
            status = read(line[k], tension++);
        }
        if (status != 0) {
            return status;
        }
    }
    *cpu = seconds() - begin;
    return 0;
}
