/*
 * The cases of an ensemble, for ensemble_threads.c and ensemble_mpi.c: one floating platform in regular waves of many periods
 * and with several added masses.
 *
 * The platform is described and initialized once. Each case runs on a clone of it, which costs no more than saving a state:
 * clones share what does not change any more. A case that fails keeps its status and message; the others go on.
 */
#ifndef PINTLE_ENSEMBLE_H
#define PINTLE_ENSEMBLE_H

#include <math.h>
#include <string.h>

#include "example.h"

/* Heave of a barge-like platform (SI units): weight and buoyancy cancel and are left out, so is the water's part in surge, sway
 * and yaw; moorings hold these. */
static const double platform_mass = 2.0e6;
static const double platform_inertia[6] = {2.0e8, 2.0e8, 3.0e8, 0.0, 0.0, 0.0};
static const double added_mass_heave = 1.5e6;
static const double damping_heave = 1.2e6;
static const double stiffness_heave = 1.2e6;
static const double wave_force = 1.0e6; /* amplitude */

static const double time_step = 0.05;
enum { STEPS = 2400, ENSEMBLE_CASES = 24, BROKEN_CASE = 7 };

/* What is different from case to case. */
typedef struct {
    double period;     /* of the wave, s */
    double added_mass; /* in heave, kg */
} ensemble_case;

/* What came of a case: where it stands at the end, and its status; the message where it failed. */
typedef struct {
    int32_t status;
    double time;      /* reached, s */
    double amplitude; /* of heave at the end, m */
    double pose[7];
    double velocity[6];
    char message[160];
} case_result;

/* Periods from 4 s to 15.5 s; the table has an error, as tables do: the period of one case is 0, its frequency infinite. */
static inline ensemble_case ensemble_at(int i)
{
    const ensemble_case c = {i == BROKEN_CASE ? 0.0 : 4.0 + 0.5 * i, (0.8 + 0.2 * (i % 3)) * added_mass_heave};
    return c;
}

static inline void diagonal(double heave, double other, double matrix[36])
{
    memset(matrix, 0, 36 * sizeof *matrix);
    for (int i = 0; i < 6; i++) {
        matrix[7 * i] = i == 2 ? heave : other;
    }
}

/* The platform at rest, initialized: what all cases start from. */
static inline pintle_system *create_platform(int32_t *body)
{
    pintle_system *sys = NULL;
    const double com[3] = {0.0, 0.0, 0.0}, origin[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    double stiffness[36], damping[36];
    int32_t moorings;
    CHECK(NULL, pintle_create(&sys));
    CHECK(sys, pintle_add_rigid_body(sys, platform_mass, com, platform_inertia, origin, body));
    diagonal(stiffness_heave, 1.0e7, stiffness);
    diagonal(damping_heave, 1.0e6, damping);
    CHECK(sys, pintle_add_bushing(sys, PINTLE_GROUND, *body, origin, origin, stiffness, damping, &moorings));
    /* The trapezoidal rule: its answer to a harmonic load is known in closed form. */
    CHECK(sys, pintle_set_option(sys, "rho_inf", 1.0));
    CHECK(sys, pintle_set_option(sys, "abs_tolerance", 1e-10));
    CHECK(sys, pintle_set_option(sys, "rel_tolerance", 1e-10));
    CHECK(sys, pintle_initialize(sys, 0.0));
    return sys;
}

/* Of the wave, rad/s; the case without a period has none, and no division by zero, which hosts may trap. */
static inline double frequency(const ensemble_case *c)
{
    return c->period == 0.0 ? (double)NAN : 2.0 * 3.14159265358979323846 / c->period;
}

/* All steps of a case: stops at the first failure and returns its status. */
static inline int32_t sail(pintle_system *sys, int32_t body, const ensemble_case *c, case_result *result)
{
    const double omega = frequency(c);
    double added_mass[36];
    diagonal(c->added_mass, 0.0, added_mass);
    int32_t status = pintle_set_added_mass(sys, body, added_mass, PINTLE_FRAME_INERTIAL);
    for (int n = 1; n <= STEPS && status == PINTLE_OK; n++) {
        /* The load at the end of the step. */
        const double wrench[6] = {0.0, 0.0, wave_force * cos(omega * n * time_step), 0.0, 0.0, 0.0};
        status = pintle_set_body_load(sys, body, PINTLE_FRAME_INERTIAL, wrench);
        if (status == PINTLE_OK) {
            status = pintle_step(sys, time_step);
        }
    }
    pintle_time(sys, &result->time);
    pintle_get_body_pose(sys, body, result->pose);
    pintle_get_body_velocity(sys, body, PINTLE_FRAME_INERTIAL, result->velocity);

    /* The trapezoidal rule sees a harmonic of frequency omega as one of 2/h tan(omega h/2). */
    const double seen = 2.0 / time_step * tan(0.5 * omega * time_step);
    result->amplitude = status == PINTLE_OK ? hypot(result->pose[2], result->velocity[2] / seen) : 0.0;
    return status;
}

/* Runs case i on a clone, which it frees. Nothing here ends the program: what fails is this case. */
static inline void run_case(pintle_system *clone, int32_t body, int i, case_result *result)
{
    const ensemble_case c = ensemble_at(i);
    result->status = sail(clone, body, &c, result);
    if (result->status != PINTLE_OK) {
        pintle_error_message(clone, (int32_t)sizeof result->message, result->message, NULL);
    }
    pintle_destroy(&clone);
}

/* Steady heave: the transient has decayed by e^-18 at the end; what is left is the convergence tolerance of the steps. */
static inline double expected_amplitude(const ensemble_case *c)
{
    const double omega = frequency(c);
    const double seen = 2.0 / time_step * tan(0.5 * omega * time_step);
    return wave_force / hypot(stiffness_heave - seen * seen * (platform_mass + c->added_mass), damping_heave * seen);
}

/* The table of the first cases, the same for any number of threads and ranks: the last column stands for all bits of the results. */
static inline void print_table(const case_result *results, int cases)
{
    int failed = 0;
    printf("case  period (s)  added mass (kg)  heave (m)  exact (m)   status      bits\n");
    for (int i = 0; i < cases; i++) {
        const ensemble_case c = ensemble_at(i);
        const case_result *r = &results[i];
        /* FNV-1a over the state at the end. */
        uint64_t bits = 14695981039346656037u;
        const double numbers[14] = {r->time,        r->pose[0],     r->pose[1],     r->pose[2],     r->pose[3],
                                    r->pose[4],     r->pose[5],     r->pose[6],     r->velocity[0], r->velocity[1],
                                    r->velocity[2], r->velocity[3], r->velocity[4], r->velocity[5]};
        unsigned char bytes[sizeof numbers];
        memcpy(bytes, numbers, sizeof numbers);
        for (size_t k = 0; k < sizeof bytes; k++) {
            bits = (bits ^ bytes[k]) * 1099511628211u;
        }
        printf("%4d  %10.1f  %15.4g  ", i, c.period, c.added_mass);
        if (r->status == PINTLE_OK) {
            const double exact = expected_amplitude(&c);
            printf("%9.6f  %9.6f", r->amplitude, exact);
            REQUIRE(fabs(r->amplitude - exact) < 1e-6 * exact, "case %d heaves by %.9f m, not %.9f", i, r->amplitude, exact);
        } else {
            printf("%9s  %9s", "-", "-");
            failed++;
        }
        printf("   %-20s  %016llx\n", pintle_status_name(r->status), (unsigned long long)bits);
    }
    for (int i = 0; i < cases; i++) {
        if (results[i].status != PINTLE_OK) {
            printf("case %d stopped at %g s: %s\n", i, results[i].time, results[i].message);
        }
    }
    printf("%d cases, %d failed\n", cases, failed);
    REQUIRE(failed == 1 && results[BROKEN_CASE].status == PINTLE_ERR_NOT_FINITE, "%d cases failed", failed);
}

#endif
