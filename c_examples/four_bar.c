/*
 * A planar four-bar linkage of four revolute joints: crank, coupler and rocker between two bearings on ground. All axes are
 * parallel, so that three of the 20 constraints say again what the others say; pintle finds and counts them.
 *
 *   1. The crank is driven at constant speed: angles against Freudenstein's equation, motor torque against the power balance.
 *   2. The same linkage swings freely: the energy stays, and the joints stay closed to rounding.
 *
 * Exit status 1 means that a number is not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/four_bar.c target/release/libpintle.a -lm -o target/four_bar
 */
#include <math.h>
#include <stdbool.h>

#include "example.h"

static const double pi = 3.14159265358979323846;

/* Slender uniform links in the xy plane; the bearings stand at (0, 0) and (GROUND_LINK, 0). SI units. */
enum { CRANK, COUPLER, ROCKER, LINKS };
static const double length[LINKS] = {0.10, 0.35, 0.25};
static const double mass[LINKS] = {0.5, 1.5, 1.0};
static const double ground_link = 0.40;
static const double gravity = 9.81;
static const double start_angle = 1.0; /* of the crank, rad */

/* ------------------------------------------------------------------------------------------------------- closed form */

/* Angles of the links from x, their rates and accelerations, where the crank turns at constant speed. */
typedef struct {
    double angle[LINKS], rate[LINKS], acceleration[LINKS];
} kinematics;

static kinematics four_bar(double theta, double omega)
{
    const double a = length[CRANK], b = length[COUPLER], c = length[ROCKER], d = ground_link;

    /* Freudenstein: K1 cos psi - K2 cos theta + K3 = cos(theta - psi), that is p cos psi + q sin psi + r = 0. */
    const double p = d / a - cos(theta), q = -sin(theta);
    const double r = (a * a + c * c + d * d - b * b) / (2.0 * a * c) - d / c * cos(theta);
    const double psi = atan2(q, p) + acos(-r / hypot(p, q));
    const double phi = atan2(c * sin(psi) - a * sin(theta), d + c * cos(psi) - a * cos(theta));

    /* The closed loop a e^(i theta) + b e^(i phi) = d + c e^(i psi), differentiated once and twice. */
    const double phi_t = a * omega * sin(psi - theta) / (b * sin(phi - psi));
    const double psi_t = a * omega * sin(theta - phi) / (c * sin(psi - phi));
    const double phi_tt = (c * psi_t * psi_t - a * omega * omega * cos(theta - psi) - b * phi_t * phi_t * cos(phi - psi)) /
                          (b * sin(phi - psi));
    const double psi_tt = (a * omega * omega * cos(theta - phi) + b * phi_t * phi_t - c * psi_t * psi_t * cos(psi - phi)) /
                          (c * sin(psi - phi));
    const kinematics k = {{theta, phi, psi}, {omega, phi_t, psi_t}, {0.0, phi_tt, psi_tt}};
    return k;
}

/* Power balance: the motor's torque times its speed is the rate of kinetic and potential energy. */
static double motor_torque(const kinematics *k)
{
    const double a = length[CRANK], b = length[COUPLER], c = length[ROCKER];
    const double omega = k->rate[CRANK], phi_t = k->rate[COUPLER], psi_t = k->rate[ROCKER];
    const double phi_tt = k->acceleration[COUPLER], between = k->angle[CRANK] - k->angle[COUPLER];

    /* Coupler: m/2 (a^2 omega^2 + b^2/4 phi_t^2 + a b omega phi_t cos(theta - phi)) + m b^2/24 phi_t^2. Rocker: m c^2/6 psi_t^2. */
    const double coupler = mass[COUPLER] * (b * b / 3.0 * phi_t * phi_tt + 0.5 * a * b * omega * phi_tt * cos(between) -
                                            0.5 * a * b * omega * phi_t * (omega - phi_t) * sin(between));
    const double rocker = mass[ROCKER] * c * c / 3.0 * psi_t * k->acceleration[ROCKER];
    const double lifted = (0.5 * mass[CRANK] + mass[COUPLER]) * a * omega * cos(k->angle[CRANK]) +
                          0.5 * mass[COUPLER] * b * phi_t * cos(k->angle[COUPLER]) +
                          0.5 * mass[ROCKER] * c * psi_t * cos(k->angle[ROCKER]);
    return (coupler + rocker + gravity * lifted) / omega;
}

/* ------------------------------------------------------------------------------------------------------------- model */

typedef struct {
    pintle_system *system;
    int32_t link[LINKS];
    int32_t motor, coupling, bearing; /* ground - crank, crank - coupler, ground - rocker */
    kinematics start;
} linkage;

static linkage create_linkage(double speed, bool driven)
{
    linkage l = {.system = NULL, .start = four_bar(start_angle, speed)};
    const double down[3] = {0.0, -gravity, 0.0}, z[3] = {0.0, 0.0, 1.0}, origin[3] = {0.0, 0.0, 0.0};
    const double foot[3] = {ground_link, 0.0, 0.0};
    CHECK(NULL, pintle_create(&l.system));
    CHECK(l.system, pintle_set_gravity(l.system, down));

    /* Each link has its reference point at its first pin and lies along its x axis. */
    double pin[LINKS][3] = {{0.0}, {length[CRANK] * cos(start_angle), length[CRANK] * sin(start_angle), 0.0}, {ground_link}};
    for (int i = 0; i < LINKS; i++) {
        const double inertia = mass[i] * length[i] * length[i] / 12.0, half = 0.5 * l.start.angle[i];
        const double tensor[6] = {1e-3 * inertia, inertia, inertia, 0.0, 0.0, 0.0}, com[3] = {0.5 * length[i], 0.0, 0.0};
        const double pose[7] = {pin[i][0], pin[i][1], 0.0, cos(half), 0.0, 0.0, sin(half)};
        CHECK(l.system, pintle_add_rigid_body(l.system, mass[i], com, tensor, pose, &l.link[i]));

        /* Velocities at the start must fit the joints; only the coupler's pin moves. */
        const double moves = i == COUPLER ? speed : 0.0;
        const double velocity[6] = {-moves * pin[i][1], moves * pin[i][0], 0.0, 0.0, 0.0, l.start.rate[i]};
        CHECK(l.system, pintle_set_body_velocity(l.system, l.link[i], velocity));
    }

    const double psi = l.start.angle[ROCKER];
    const double far[3] = {ground_link + length[ROCKER] * cos(psi), length[ROCKER] * sin(psi), 0.0};
    int32_t closing;
    CHECK(l.system, pintle_add_joint_at(l.system, PINTLE_JOINT_REVOLUTE, PINTLE_GROUND, l.link[CRANK], origin, z, &l.motor));
    CHECK(l.system, pintle_add_joint_at(l.system, PINTLE_JOINT_REVOLUTE, l.link[CRANK], l.link[COUPLER], pin[COUPLER], z,
                                        &l.coupling));
    CHECK(l.system, pintle_add_joint_at(l.system, PINTLE_JOINT_REVOLUTE, l.link[COUPLER], l.link[ROCKER], far, z, &closing));
    CHECK(l.system, pintle_add_joint_at(l.system, PINTLE_JOINT_REVOLUTE, PINTLE_GROUND, l.link[ROCKER], foot, z, &l.bearing));

    /* A driven joint: the host gives its coordinate, here 0 at the start, with rate and acceleration. */
    if (driven) {
        CHECK(l.system, pintle_set_joint_driven(l.system, l.motor, 1));
        CHECK(l.system, pintle_set_joint_motion(l.system, l.motor, 0.0, speed, 0.0));
    }
    CHECK(l.system, pintle_set_option(l.system, "rho_inf", driven ? 0.8 : 1.0));
    CHECK(l.system, pintle_set_option(l.system, "abs_tolerance", 1e-10));
    CHECK(l.system, pintle_set_option(l.system, "rel_tolerance", 1e-10));
    CHECK(l.system, pintle_initialize(l.system, 0.0));

    double redundant, mobility;
    CHECK(l.system, pintle_get_statistic(l.system, "redundant_constraints", &redundant));
    CHECK(l.system, pintle_get_statistic(l.system, "mobility", &mobility));
    REQUIRE(redundant == 3.0 && mobility == (driven ? 0.0 : 1.0), "%g redundant, mobility %g", redundant, mobility);
    return l;
}

/* Angles of all links from x, out of joint coordinates, which count from the start. */
static void read_angles(const linkage *l, double angle[LINKS])
{
    double crank, coupler, rocker, rate, acceleration;
    CHECK(l->system, pintle_get_joint_coordinate(l->system, l->motor, &crank, &rate, &acceleration));
    CHECK(l->system, pintle_get_joint_coordinate(l->system, l->coupling, &coupler, &rate, &acceleration));
    CHECK(l->system, pintle_get_joint_coordinate(l->system, l->bearing, &rocker, &rate, &acceleration));
    angle[CRANK] = l->start.angle[CRANK] + crank;
    angle[COUPLER] = l->start.angle[COUPLER] + crank + coupler;
    angle[ROCKER] = l->start.angle[ROCKER] + rocker;
}

/* The scheme solves the constraints themselves in each step, to rounding; their rates follow at second order in the step. */
static double worst_gap(const linkage *l, double before)
{
    double position, velocity;
    CHECK(l->system, pintle_get_constraint_violation(l->system, &position, &velocity));
    return fmax(before, position);
}

/* ------------------------------------------------------------------------------------------------------------- runs */

/* Two turns at constant speed; returns the largest error of the torque. */
static double drive(int per_turn, bool verbose)
{
    const double speed = 2.0 * pi, dt = 1.0 / per_turn; /* one turn per second */
    linkage l = create_linkage(speed, true);
    double torque_error = 0.0, angle_error = 0.0, gap = 0.0;
    for (int n = 0; n <= 2 * per_turn; n++) {
        const double turned = speed * n * dt;
        if (n > 0) {
            CHECK(l.system, pintle_set_joint_motion(l.system, l.motor, turned, speed, 0.0));
            CHECK(l.system, pintle_step(l.system, dt));
        }

        /* The reaction is that of the constraints on the crank, the drive included: its moment about z is the motor's. */
        const kinematics exact = four_bar(start_angle + turned, speed);
        double angle[LINKS], wrench[6];
        read_angles(&l, angle);
        CHECK(l.system, pintle_get_joint_reaction(l.system, l.motor, PINTLE_FRAME_INERTIAL, wrench));
        for (int i = 0; i < LINKS; i++) {
            angle_error = fmax(angle_error, fabs(angle[i] - exact.angle[i]));
        }
        torque_error = fmax(torque_error, fabs(wrench[5] - motor_torque(&exact)));
        gap = worst_gap(&l, gap);
        if (verbose && n % (per_turn / 4) == 0) {
            printf("%8.2f %11.4f %11.4f %11.4f %12.5f %12.5f\n", n * dt, angle[CRANK], angle[COUPLER], angle[ROCKER], wrench[5],
                   motor_torque(&exact));
        }
    }
    REQUIRE(angle_error < 1e-10 && gap < 1e-12, "angles off by %.1e rad, joints open by %.1e", angle_error, gap);
    CHECK(l.system, pintle_destroy(&l.system));
    return torque_error;
}

/* Free for a second from a push; returns the largest change of energy, in parts of the largest kinetic energy. */
static double swing(double dt)
{
    linkage l = create_linkage(2.0 * pi, false);
    double kinetic, potential, change = 0.0, gap = 0.0;
    CHECK(l.system, pintle_get_energy(l.system, &kinetic, &potential));
    const double energy = kinetic + potential;
    double scale = kinetic;
    for (int n = 0; n < lround(1.0 / dt); n++) {
        CHECK(l.system, pintle_step(l.system, dt));
        CHECK(l.system, pintle_get_energy(l.system, &kinetic, &potential));
        change = fmax(change, fabs(kinetic + potential - energy));
        scale = fmax(scale, kinetic);
        gap = worst_gap(&l, gap);
    }

    /* Wherever the crank is, the other links are where Freudenstein has them. */
    double angle[LINKS];
    read_angles(&l, angle);
    const kinematics exact = four_bar(angle[CRANK], 1.0);
    REQUIRE(fabs(angle[ROCKER] - exact.angle[ROCKER]) < 1e-10, "rocker at %.12f rad", angle[ROCKER]);
    REQUIRE(gap < 1e-12, "joints open by %.1e", gap);
    printf("  dt %-7g crank at %9.5f rad after 1 s, largest change of energy %.2e\n", dt, angle[CRANK], change / scale);
    CHECK(l.system, pintle_destroy(&l.system));
    return change / scale;
}

int main(void)
{
    printf("four-bar linkage, pintle %s: 3 redundant constraints\n\ndriven at one turn per second\n", pintle_version());
    printf("time (s)  crank (rad)     coupler      rocker  torque (N m)  power balance\n");
    const double full = drive(200, true), half = drive(400, false);
    printf("torque: largest error %.2e N m at 200 steps per turn, %.2e at 400\n", full, half);

    printf("\nfree\n");
    const double change = swing(1e-3), change_half = swing(5e-4);
    printf("ratios on halving the step: torque %.2f, energy %.2f\n", full / half, change / change_half);
    REQUIRE(fabs(change / change_half - 4.0) < 0.3 && change < 2e-3, "energy changes by %.2e", change);
    /* Second order: in parts of (omega dt)^2, 1e-3, of the torque of 1.7 N m, and a quarter of it at half the step. */
    const double second_order = 1.7 * pow(2.0 * pi / 200.0, 2.0);
    REQUIRE(full < second_order && fabs(full / half - 4.0) < 0.3, "torque is off by %.2e N m", full);
    return EXIT_SUCCESS;
}
