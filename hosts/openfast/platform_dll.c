/*
 * The library that OpenFAST loads for its OrcaFlex module (CompMooring 4, or "OrcaFlex" as hydrodynamics and mooring in one). Each
 * call returns the added mass of the platform and the other loads on it, computed by a pintle model with lines.
 *
 *   gcc -shared -fPIC -O2 platform_dll.c $(pkg-config --cflags --libs pintle) -lm -o FASTlinkDLL.so
 *
 * The model is the file that PINTLE_MODEL names, or else the simulation's root name with ".pintle.toml" behind it. In it the body
 * "platform", whose reference point is that of OpenFAST's platform, has a negligible mass, because the real one is in OpenFAST.
 * The interface cannot report errors. The cause is written to the standard error, and the loads are NaN from then on, at
 * which OpenFAST stops.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pintle.h"

/* OpenFAST has one platform, and calls from one thread. */
static pintle_system *sys;
static int32_t platform;
static double step;      /* between calls, as OpenFAST says */
static long accepted;    /* the step up to which everything is settled */
static int failed;

static int fails(const char *what, int32_t status)
{
    if (status != PINTLE_OK && !failed) {
        char text[512] = "";
        pintle_error_message(sys, (int32_t)sizeof text, text, NULL);
        fprintf(stderr, "pintle, %s: %s: %s\n", what, pintle_status_name(status), text);
    }
    return failed = failed || status != PINTLE_OK;
}

/* OpenFAST's small rotations are those of SmllRotTrans: about their direction, by the arc tangent of their length. */
static void read_motion(const float x[6], const float xd[6], double pose[7], double velocity[6])
{
    const double angle = sqrt((double)x[3] * x[3] + (double)x[4] * x[4] + (double)x[5] * x[5]);
    const double ratio = angle > 0.0 ? atan(angle) / angle : 1.0;
    double rotation[3];
    for (int i = 0; i < 3; i++) {
        pose[i] = x[i];
        rotation[i] = ratio * x[3 + i];
    }
    pintle_quat_from_rotvec(rotation, &pose[3]);
    for (int i = 0; i < 6; i++) {
        velocity[i] = xd[i];
    }
}

/* Loads the model, and finds its equilibrium with the platform at the initial position of OpenFAST. */
static void begin(const char *root, const float x[6], const float xd[6])
{
    const double no_acceleration[6] = {0};
    const char *chosen = getenv("PINTLE_MODEL");
    double pose[7], velocity[6], mass[36];
    char path[4096];
    snprintf(path, sizeof path, chosen != NULL ? "%s" : "%s.pintle.toml", chosen != NULL ? chosen : root);
    if (fails(path, pintle_load_model(path, &sys)) || fails(path, pintle_find(sys, "body", "platform", &platform)) ||
        fails(path, pintle_get_body_mass(sys, platform, mass))) {
        return;
    }
    if (mass[0] > 1.0) {
        fprintf(stderr, "pintle, %s: body \"platform\" has a mass of %g, which OpenFAST carries: give it 1\n", path, mass[0]);
        failed = 1;
        return;
    }
    read_motion(x, xd, pose, velocity);
    accepted = 0;
    if (!fails("start", pintle_set_body_prescribed(sys, platform, 1)) &&
        !fails("start", pintle_set_body_motion(sys, platform, pose, velocity, no_acceleration))) {
        fails("start", pintle_initialize(sys, 0.0));
    }
}

/* Takes step n with this motion at its end. A step that OpenFAST corrects is repeated from its start. */
static void go_to(long n, const float x[6], const float xd[6])
{
    double pose[7], velocity[6], before[6], acceleration[6];
    int32_t phase = PINTLE_PHASE_FAILED;
    double time = 0.0;
    if (fails("phase", pintle_phase(sys, &phase)) || fails("time", pintle_time(sys, &time))) {
        return;
    }
    if (phase == PINTLE_PHASE_TRIAL) {
        const long tried = lround(time / step);
        if (n > tried ? fails("accept", pintle_accept(sys)) : fails("reject", pintle_reject(sys))) {
            return;
        }
        accepted = n > tried ? tried : accepted;
    }
    if (n <= accepted) {
        return; /* the start, or a look back to what is settled */
    }
    read_motion(x, xd, pose, velocity);
    if (fails("velocity", pintle_get_body_velocity(sys, platform, PINTLE_FRAME_INERTIAL, before))) {
        return;
    }
    const double length = (double)(n - accepted) * step;
    for (int i = 0; i < 6; i++) {
        acceleration[i] = (velocity[i] - before[i]) / length;
    }
    if (!fails("motion", pintle_set_body_motion(sys, platform, pose, velocity, acceleration))) {
        fails("step", pintle_advance(sys, length));
    }
}

/* Rows of `turned` are those of R A R^T for both 3x3 halves; A is column-major, and symmetric. */
static void turn(const double q[4], const double a[36], double turned[36])
{
    double r[9], half[36];
    pintle_quat_to_dcm(q, r); /* column-major */
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            half[i + 6 * j] = turned[i + 6 * j] = 0.0;
            for (int k = 0; k < 3; k++) {
                half[i + 6 * j] += r[i % 3 + 3 * k] * a[i / 3 * 3 + k + 6 * j];
            }
        }
    }
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            for (int k = 0; k < 3; k++) {
                turned[i + 6 * j] += half[i + 6 * (j / 3 * 3 + k)] * r[j % 3 + 3 * k];
            }
        }
    }
}

/* The loads on the platform except gravity and inertia; OpenFAST adds -am * acceleration itself. */
static void read_loads(float am[36], float ft[6])
{
    double pose[7], acceleration[6], reaction[6], given[36], a[36];
    int32_t frame = PINTLE_FRAME_INERTIAL;
    if (fails("pose", pintle_get_body_pose(sys, platform, pose)) ||
        fails("acceleration", pintle_get_body_acceleration(sys, platform, PINTLE_FRAME_INERTIAL, acceleration)) ||
        fails("reaction", pintle_get_body_reaction(sys, platform, PINTLE_FRAME_INERTIAL, reaction)) ||
        fails("added mass", pintle_get_added_mass(sys, platform, given, &frame))) {
        return;
    }
    memcpy(a, given, sizeof a);
    if (frame == PINTLE_FRAME_BODY) {
        turn(&pose[3], given, a);
    }
    for (int i = 0; i < 6; i++) {
        double force = -reaction[i];
        for (int j = 0; j < 6; j++) {
            force += a[i + 6 * j] * acceleration[j];
            am[i + 6 * j] = (float)a[i + 6 * j];
        }
        ft[i] = (float)force;
    }
}

void OrcaFlexUserPtfmLdInitialise(const float *dt, const float *tmax)
{
    (void)tmax;
    pintle_destroy(&sys);
    failed = 0;
    step = *dt;
}

void OrcaFlexUserPtfmLd(const float x[6], const float xd[6], const float *time, const char *root, float am[36], float ft[6])
{
    if (sys == NULL && !failed) {
        begin(root, x, xd);
    }
    if (!failed) {
        /* The time is in single precision, with an error of 0.1 ms after an hour: therefore steps are counted. */
        go_to(lround(*time / step), x, xd);
    }
    if (!failed) {
        read_loads(am, ft);
    }
    for (int i = 0; i < 36 && failed; i++) {
        am[i] = 0.0f;
        ft[i / 6] = NAN;
    }
}

void OrcaFlexUserPtfmLdFinalise(void)
{
    pintle_destroy(&sys);
}
