/*
 * A controller in the host: the yaw drive of a wind turbine. The nacelle with its spinning rotor turns on top of a tower that
 * sways as the host says.
 *
 *   1. The yaw motor is a torque on the joint, from a sampled PI controller that follows the wind through a step and a ramp of
 *      more than one turn; the bearing has friction.
 *   2. The same yaw joint is driven: the host gives the angle, and reads back the torque that this takes.
 *
 * Everything is checked against equations of the yaw motion that do not come from pintle, at two time steps: the errors of a
 * second-order scheme go to a quarter. Exit status 1 means that a number is not what it must be.
 * fortran_examples/yaw_drive.f90 is the same in Fortran and prints the same numbers.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/yaw_drive.c target/release/libpintle.a -lm -o target/yaw_drive
 */
#include <math.h>
#include <stdbool.h>

#include "example.h"

static const double pi = 3.14159265358979323846;

/* SI units, z up. Distances are from the yaw bearing at the top of the tower; x points downwind, z is the yaw axis. */
static const double gravity = 9.81, tower_top = 87.6;
static const double nacelle_mass = 240e3, nacelle_x = 1.9, nacelle_z = 1.75, nacelle_inertia = 1.74e6;
static const double rotor_mass = 110e3, rotor_x = -5.0, rotor_z = 2.4, rotor_polar = 38.8e6, rotor_diametral = 19.4e6;
static const double rotor_speed = 1.267;
static const double friction = 35e6; /* moment per yaw rate */

/* What the equations of the yaw motion need: moments of mass, and the inertia about the yaw axis. (Numbers once more: in C, a
 * constant is no constant expression.) */
static const double mass_x = 240e3 * 1.9 - 110e3 * 5.0, mass_z = 240e3 * 1.75 + 110e3 * 2.4;
static const double mass_xz = 240e3 * 1.9 * 1.75 - 110e3 * 5.0 * 2.4;
static const double yaw_inertia = 1.74e6 + 240e3 * 1.9 * 1.9 + 19.4e6 + 110e3 * 5.0 * 5.0;

static const double time_step = 0.05, duration = 80.0;

/* The tower top moves along x: displacement, velocity, acceleration. */
static const double sway_amplitude = 1.0, sway_frequency = 1.5;

static void sway(double t, double s[3])
{
    const double phase = sway_frequency * t;
    s[0] = sway_amplitude * (1.0 - cos(phase));
    s[1] = sway_amplitude * sway_frequency * sin(phase);
    s[2] = sway_amplitude * sway_frequency * sway_frequency * cos(phase);
}

/* ------------------------------------------------------------------------------------------------------- controller */

/* Sampled every 0.2 s, its torque is held in between. With the friction the poles are those of a period of 9 s, damped by 0.8,
 * and of a decay in 3.3 s. */
static const double sample_time = 0.2, gain = 20.5e6, integral_gain = 3.64e6;

static double wind_direction(double t)
{
    const double ramp = fmin(fmax(t - 10.0, 0.0), 35.0);
    return (t < 2.0 ? 0.0 : 30.0 + 10.0 * ramp) * pi / 180.0;
}

typedef struct {
    double integral;
} controller;

static double motor_torque(controller *c, double t, double yaw)
{
    const double error = wind_direction(t) - yaw;
    c->integral += sample_time * error;
    return gain * error + integral_gain * c->integral;
}

/* The yaw motion without pintle: yaw_inertia yaw'' + friction yaw' = torque + mass_x sway'' sin(yaw), over one sample time by
 * the classical Runge-Kutta method. */
static void integrate_sample(double t, double torque, double y[2])
{
    enum { STEPS = 40 };
    const double h = sample_time / STEPS, at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    for (int n = 0; n < STEPS; n++) {
        double slope[2] = {0.0, 0.0}, sum[2] = {0.0, 0.0}, s[3];
        for (int i = 0; i < 4; i++) {
            const double yaw = y[0] + at[i] * h * slope[0], rate = y[1] + at[i] * h * slope[1];
            sway(t + (n + at[i]) * h, s);
            slope[0] = rate;
            slope[1] = (torque - friction * rate + mass_x * s[2] * sin(yaw)) / yaw_inertia;
            sum[0] += weight[i] * slope[0];
            sum[1] += weight[i] * slope[1];
        }
        y[0] += h / 6.0 * sum[0];
        y[1] += h / 6.0 * sum[1];
    }
}

/* ------------------------------------------------------------------------------------------------------------- model */

typedef struct {
    pintle_system *system;
    int32_t tower, nacelle, rotor, yaw, shaft;
} turbine;

/* The prescribed body at the END of the coming step. */
static void move_tower(const turbine *w, double t)
{
    double s[3];
    sway(t, s);
    const double pose[7] = {s[0], 0.0, tower_top, 1.0, 0.0, 0.0, 0.0};
    const double velocity[6] = {s[1], 0.0, 0.0, 0.0, 0.0, 0.0}, acceleration[6] = {s[2], 0.0, 0.0, 0.0, 0.0, 0.0};
    CHECK(w->system, pintle_set_body_motion(w->system, w->tower, pose, velocity, acceleration));
}

static turbine create_turbine(bool driven)
{
    turbine w = {.system = NULL};
    CHECK(NULL, pintle_create(&w.system));
    pintle_system *s = w.system;

    const double down[3] = {0.0, 0.0, -gravity}, origin[3] = {0.0, 0.0, 0.0}, com[3] = {nacelle_x, 0.0, nacelle_z};
    const double top[7] = {0.0, 0.0, tower_top, 1.0, 0.0, 0.0, 0.0};
    const double hub[7] = {rotor_x, 0.0, tower_top + rotor_z, 1.0, 0.0, 0.0, 0.0};
    const double of_tower[6] = {1e6, 1e6, 1e6, 0.0, 0.0, 0.0};
    const double of_nacelle[6] = {nacelle_inertia, nacelle_inertia, nacelle_inertia, 0.0, 0.0, 0.0};
    const double of_rotor[6] = {rotor_polar, rotor_diametral, rotor_diametral, 0.0, 0.0, 0.0};
    const double spin[6] = {0.0, 0.0, 0.0, rotor_speed, 0.0, 0.0}, x[3] = {1.0, 0.0, 0.0}, z[3] = {0.0, 0.0, 1.0};
    CHECK(s, pintle_set_gravity(s, down));
    CHECK(s, pintle_add_rigid_body(s, 50e3, origin, of_tower, top, &w.tower));
    CHECK(s, pintle_add_rigid_body(s, nacelle_mass, com, of_nacelle, top, &w.nacelle));
    CHECK(s, pintle_add_rigid_body(s, rotor_mass, origin, of_rotor, hub, &w.rotor));
    CHECK(s, pintle_set_body_velocity(s, w.rotor, spin));
    CHECK(s, pintle_set_body_prescribed(s, w.tower, 1));
    CHECK(s, pintle_add_joint_at(s, PINTLE_JOINT_REVOLUTE, w.tower, w.nacelle, top, z, &w.yaw));
    CHECK(s, pintle_add_joint_at(s, PINTLE_JOINT_REVOLUTE, w.nacelle, w.rotor, hub, x, &w.shaft));

    /* Friction in the bearing: a joint spring without stiffness. */
    CHECK(s, pintle_set_joint_spring(s, w.yaw, 0.0, friction, 0.0));
    CHECK(s, pintle_set_joint_driven(s, w.yaw, driven ? 1 : 0));
    move_tower(&w, 0.0);
    CHECK(s, pintle_initialize(s, 0.0));
    return w;
}

/* -------------------------------------------------------------------------------------------------------------- runs */

/* The motor follows the wind. Returns the largest error of the yaw angle, rad. */
static double control(double dt, bool verbose)
{
    const long samples = lround(duration / sample_time), per_sample = lround(sample_time / dt);
    turbine w = create_turbine(false);
    controller ours = {0.0}, other = {0.0};
    double yaw = 0.0, rate, acceleration, reference[2] = {0.0, 0.0}, worst = 0.0;
    for (long k = 0; k < samples; k++) {
        const double t = (double)k * sample_time, torque = motor_torque(&ours, t, yaw);
        if (verbose && k % 50 == 0) {
            printf("%8.1f %11.4f %11.4f %11.4f %14.1f\n", t, wind_direction(t) * 180.0 / pi, yaw * 180.0 / pi,
                   reference[0] * 180.0 / pi, 1e-3 * torque);
        }

        /* The torque jumps at each sample, and is held over the steps to the next. Without saying that it jumps, errors would be
         * of first order, and far larger. */
        CHECK(w.system, pintle_set_joint_load(w.system, w.yaw, torque));
        CHECK(w.system, pintle_mark_discontinuity(w.system));
        for (long n = 1; n <= per_sample; n++) {
            move_tower(&w, t + (double)n * dt);
            CHECK(w.system, pintle_step(w.system, dt));
        }
        CHECK(w.system, pintle_get_joint_coordinate(w.system, w.yaw, &yaw, &rate, &acceleration));

        integrate_sample(t, motor_torque(&other, t, reference[0]), reference);
        worst = fmax(worst, fabs(yaw - reference[0]));
    }
    REQUIRE(fabs(yaw - wind_direction(duration)) < 0.01, "the yaw angle ends at %g rad", yaw);
    REQUIRE(yaw > 2.0 * pi, "angles count over turns, but this is %g rad", yaw);
    CHECK(w.system, pintle_destroy(&w.system));
    return worst;
}

/* The host gives the angle: 400 degrees in 80 s, smoothly. errors[]: of the motor's torque and of the bearing's tilting moment. */
static void drive(double dt, bool verbose, double errors[2])
{
    const double turn = 400.0 * pi / 180.0, frequency = 2.0 * pi / duration;
    turbine w = create_turbine(true);
    errors[0] = errors[1] = 0.0;
    for (long n = 1; n <= lround(duration / dt); n++) {
        const double t = (double)n * dt, phase = frequency * t;
        const double yaw = turn * (t / duration - sin(phase) / (2.0 * pi)), rate = turn / duration * (1.0 - cos(phase));
        const double acceleration = turn / duration * frequency * sin(phase);
        move_tower(&w, t);
        CHECK(w.system, pintle_set_joint_motion(w.system, w.yaw, yaw, rate, acceleration));
        CHECK(w.system, pintle_step(w.system, dt));

        /* The motor's torque is the reaction about the joint's axis. About y the bearing carries weight, sway, and the gyroscopic
         * moment of the rotor. */
        double wrench[6], s[3];
        CHECK(w.system, pintle_get_joint_reaction(w.system, w.yaw, PINTLE_FRAME_BODY, wrench));
        sway(t, s);
        const double torque = yaw_inertia * acceleration + friction * rate - mass_x * s[2] * sin(yaw);
        const double tilt =
            rotor_polar * rotor_speed * rate - mass_x * gravity + mass_z * s[2] * cos(yaw) - mass_xz * rate * rate;
        errors[0] = fmax(errors[0], fabs(wrench[5] - torque));
        errors[1] = fmax(errors[1], fabs(wrench[4] - tilt));
        if (verbose && n % lround(10.0 / dt) == 0) {
            printf("%8.1f %11.4f %14.2f %14.2f %14.2f %14.2f\n", t, yaw * 180.0 / pi, 1e-3 * wrench[5], 1e-3 * torque,
                   1e-3 * wrench[4], 1e-3 * tilt);
        }
    }
    CHECK(w.system, pintle_destroy(&w.system));
}

static void check_order(const char *what, const char *unit, double full, double half, double limit)
{
    printf("%s: largest error %.3e %s, at half the step %.3e, ratio %.2f\n", what, full, unit, half, full / half);
    REQUIRE(full < limit && fabs(full / half - 4.0) < 1.0, "%s is off by %.3e %s", what, full, unit);
}

int main(void)
{
    printf("yaw drive, pintle %s, dt %.2f s\n\nPI controller\n", pintle_version(), time_step);
    printf("time (s)  wind (deg)   yaw (deg) independent  torque (kN m)\n");
    const double full = control(time_step, true), half = control(0.5 * time_step, false);
    check_order("yaw angle", "rad", full, half, 1e-4);

    double of_full[2], of_half[2];
    printf("\ndriven\ntime (s)   yaw (deg)  torque (kN m)       expected    tilt (kN m)       expected\n");
    drive(time_step, true, of_full);
    drive(0.5 * time_step, false, of_half);
    check_order("torque", "N m", of_full[0], of_half[0], 1e3);
    check_order("tilting moment", "N m", of_full[1], of_half[1], 5e3);
    return EXIT_SUCCESS;
}
