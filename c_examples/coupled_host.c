/*
 * A host with a fluid model of its own, coupled to pintle by iteration: a buoy, a vertical cylinder with a heave plate, floats in
 * waves. The host computes buoyancy, drag, waves and the memory of radiated waves; pintle moves the body. Neither knows the other.
 *
 * The fluid loads of a step depend on the motion at its END, which depends on the loads. So each step is repeated with corrected
 * loads until both agree. There are two ways to repeat it, and the program shows both:
 *
 *   - pintle_advance starts from the accepted state every time it is called, until pintle_accept ends the step;
 *   - pintle_state_save and pintle_state_restore around plain steps, as hosts with checkpoints of whole solvers do (preCICE).
 *
 * The loads must not contain the part that follows the acceleration: the added mass of this buoy is 1.5 times its own mass, and the
 * iteration would grow by that factor each time. pintle_set_added_mass hands it to pintle, and each iteration gains 3 digits.
 *
 * Where a fluid solver cannot tell its added mass, pintle_get_load_compliance helps: the last part of the program.
 *
 * The program compares the heave period with its formula, and the motion in waves with a Runge-Kutta integration that does without
 * pintle. Exit status 1 means that a number is not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/coupled_host.c target/release/libpintle.a -lm -o target/coupled_host
 */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "example.h"

static const double pi = 3.14159265358979323846;
static const double gravity = 9.81;

/* ------------------------------------------------------------------------------------------------------ the fluid model */

/* The buoy and the sea around it, SI units. */
typedef struct {
    double mass;               /* of the body = displaced mass: it floats at rest with heave 0 */
    double pitch_inertia;      /* about the centre of mass */
    double centre_of_mass;     /* z at rest, still water line at 0 */
    double added_mass;         /* heave, constant */
    double added_inertia;      /* pitch */
    double area;               /* of the water plane */
    double draught;
    double metacentric_height;
    double water_density;
    double heave_drag;         /* force = -heave_drag w |w| */
    double pitch_drag;
    double memory_damping;     /* radiated waves: a force that follows the heave velocity ... */
    double memory_time;        /* ... with this delay */
    double wave_force, wave_moment, wave_period;
} sea;

/* Motion in the two freedoms that the fluid model knows. */
typedef struct {
    double heave, heave_rate; /* of the centre of mass from its place at rest, m */
    double pitch, pitch_rate; /* rotation about y */
} motion;

static sea calm_sea(void)
{
    const double radius = 5.0;
    sea s = {.area = pi * radius * radius, .draught = 12.0, .centre_of_mass = -7.0, .metacentric_height = 1.5,
             .water_density = 1025.0, .memory_time = 2.0, .wave_period = 8.0};
    s.mass = s.water_density * s.area * s.draught;
    s.pitch_inertia = s.mass * 5.0 * 5.0;
    s.added_mass = 1.5 * s.mass;
    s.added_inertia = 0.3 * s.pitch_inertia;
    return s;
}

static sea rough_sea(void)
{
    sea s = calm_sea();
    s.heave_drag = 0.5 * s.water_density * s.area * 4.0;
    s.pitch_drag = 1.0 * s.pitch_inertia;
    s.memory_damping = 2e5;
    s.wave_force = 8e5;
    s.wave_moment = 2e6;
    return s;
}

/* The fluid's force and moment at time t, for a body that moves so; `memory` is the fluid's own state. Added mass is not in it. */
static void fluid_loads(const sea *s, double t, const motion *m, double memory, double *force, double *moment)
{
    const double phase = 2.0 * pi * t / s->wave_period;
    const double buoyancy = s->water_density * gravity * s->area * (s->draught - m->heave);
    *force = buoyancy - s->heave_drag * m->heave_rate * fabs(m->heave_rate) - memory + s->wave_force * sin(phase);
    *moment = -buoyancy * s->metacentric_height * sin(m->pitch) - s->pitch_drag * m->pitch_rate * fabs(m->pitch_rate) +
              s->wave_moment * cos(phase);
}

/* memory' = (damping heave_rate - memory) / time, by the trapezoidal rule from the velocities at both ends of the step. */
static double memory_after(const sea *s, double memory, double rate_begin, double rate_end, double dt)
{
    const double r = 0.5 * dt / s->memory_time;
    return ((1.0 - r) * memory + r * s->memory_damping * (rate_begin + rate_end)) / (1.0 + r);
}

/* ------------------------------------------------------------------------------------------------------------- the host */

/* What the host keeps of the last accepted step. */
typedef struct {
    double time;
    motion motion;
    double memory;
    double wrench[6]; /* the loads that belong to this moment; also the first guess for the next step */
} host_state;

typedef struct {
    const sea *sea;
    pintle_system *system;
    int32_t body;
    host_state now;
    pintle_state *saved; /* only for the second way; allocated once, then reused */
    long iterations;
} host;

/* Reads the motion from pintle: that of the trial if one is pending, else of the accepted state. */
static motion read_motion(const host *h)
{
    double pose[7], velocity[6], angles[3];
    CHECK(h->system, pintle_get_body_pose(h->system, h->body, pose));
    CHECK(h->system, pintle_get_body_velocity(h->system, h->body, PINTLE_FRAME_INERTIAL, velocity));
    CHECK(NULL, pintle_quat_to_euler_zyx(&pose[3], angles));
    return (motion){pose[2] - h->sea->centre_of_mass, velocity[2], angles[1], velocity[4]};
}

/* The fluid's answer to the motion that pintle found for the end of the step. Starts from h->now and leaves it alone, so that it can
 * be repeated: the fluid's memory needs the same care as the body's state. */
static host_state answer_of_fluid(const host *h, double dt)
{
    host_state end = {.time = h->now.time + dt, .motion = read_motion(h)};
    end.memory = memory_after(h->sea, h->now.memory, h->now.motion.heave_rate, end.motion.heave_rate, dt);
    fluid_loads(h->sea, end.time, &end.motion, end.memory, &end.wrench[2], &end.wrench[4]);
    return end;
}

/* Change of the loads from one iteration to the next, relative to the weight (and the weight at an arm of 1 m). */
static double change_of_loads(const host *h, const double a[6], const double b[6])
{
    const double weight = h->sea->mass * gravity;
    return fmax(fabs(a[2] - b[2]), fabs(a[4] - b[4])) / weight;
}

enum { MAX_ITERATIONS = 20 };
static const double coupling_tolerance = 1e-12;

/* One coupled step, the first way: set loads, advance, compare, correct, accept. */
static void coupled_step_advance(host *h, double dt)
{
    double wrench[6];
    memcpy(wrench, h->now.wrench, sizeof wrench);
    for (int i = 1; i <= MAX_ITERATIONS; i++) {
        CHECK(h->system, pintle_set_body_load(h->system, h->body, PINTLE_FRAME_INERTIAL, wrench));
        CHECK(h->system, pintle_advance(h->system, dt));
        const host_state end = answer_of_fluid(h, dt);
        const double change = change_of_loads(h, end.wrench, wrench);
        memcpy(wrench, end.wrench, sizeof wrench);
        h->iterations++;
        if (change < coupling_tolerance) {
            CHECK(h->system, pintle_accept(h->system));
            h->now = end;
            return;
        }
    }
    REQUIRE(false, "no agreement of fluid and body at %g s", h->now.time + dt);
}

/* The same, the second way: save, then step and restore until both agree. Restoring brings back the old loads as well, so the new
 * ones are set after it. */
static void coupled_step_restore(host *h, double dt)
{
    double wrench[6];
    memcpy(wrench, h->now.wrench, sizeof wrench);
    CHECK(h->system, pintle_state_save(h->system, &h->saved));
    for (int i = 1; i <= MAX_ITERATIONS; i++) {
        CHECK(h->system, pintle_set_body_load(h->system, h->body, PINTLE_FRAME_INERTIAL, wrench));
        CHECK(h->system, pintle_step(h->system, dt));
        const host_state end = answer_of_fluid(h, dt);
        const double change = change_of_loads(h, end.wrench, wrench);
        memcpy(wrench, end.wrench, sizeof wrench);
        h->iterations++;
        if (change < coupling_tolerance) {
            h->now = end;
            return;
        }
        CHECK(h->system, pintle_state_restore(h->system, h->saved));
    }
    REQUIRE(false, "no agreement of fluid and body at %g s", h->now.time + dt);
}

typedef void (*coupled_step_fn)(host *h, double dt);

static host create_host(const sea *s, const motion *start, double rho_inf)
{
    host h = {.sea = s};
    CHECK(NULL, pintle_create(&h.system));

    const double down[3] = {0.0, 0.0, -gravity}, com[3] = {0.0, 0.0, 0.0};
    const double inertia[6] = {s->pitch_inertia, s->pitch_inertia, 0.5 * s->pitch_inertia, 0.0, 0.0, 0.0};
    const double pose[7] = {0.0, 0.0, s->centre_of_mass + start->heave, cos(0.5 * start->pitch), 0.0, sin(0.5 * start->pitch), 0.0};
    const double velocity[6] = {0.0, 0.0, start->heave_rate, 0.0, start->pitch_rate, 0.0};
    CHECK(h.system, pintle_set_gravity(h.system, down));
    CHECK(h.system, pintle_add_rigid_body(h.system, s->mass, com, inertia, pose, &h.body));
    CHECK(h.system, pintle_set_body_velocity(h.system, h.body, velocity));

    /* The loads of the moment t = 0, for the initial accelerations; then the added mass, a 6x6 matrix on (translation, rotation). */
    double added[36] = {0.0};
    added[2 + 6 * 2] = s->added_mass;
    added[4 + 6 * 4] = s->added_inertia;
    h.now = (host_state){.motion = *start};
    fluid_loads(s, 0.0, start, 0.0, &h.now.wrench[2], &h.now.wrench[4]);
    CHECK(h.system, pintle_set_body_load(h.system, h.body, PINTLE_FRAME_INERTIAL, h.now.wrench));
    CHECK(h.system, pintle_set_added_mass(h.system, h.body, added, PINTLE_FRAME_INERTIAL));

    CHECK(h.system, pintle_set_option(h.system, "rho_inf", rho_inf));
    CHECK(h.system, pintle_set_option(h.system, "rel_tolerance", 1e-10));
    CHECK(h.system, pintle_set_option(h.system, "abs_tolerance", 1e-12));
    CHECK(h.system, pintle_initialize(h.system, 0.0));
    return h;
}

static void destroy_host(host *h)
{
    CHECK(NULL, pintle_state_destroy(&h->saved));
    CHECK(h->system, pintle_destroy(&h->system));
}

/* --------------------------------------------------------------------------------------------------- check: heave period */

/* Free decay without anything that decays: 0.1 m up, let go, twenty periods. */
static void check_heave_period(void)
{
    enum { CYCLES = 20 };
    const double dt = 0.05;
    const sea s = calm_sea();
    const double omega = sqrt(s.water_density * gravity * s.area / (s.mass + s.added_mass));
    const double period = 2.0 * pi / omega;

    const motion start = {.heave = 0.1};
    host h = create_host(&s, &start, 1.0);
    double first = 0.0, last = 0.0;
    for (int crossings = 0; crossings <= CYCLES;) {
        const double before = h.now.motion.heave, time_before = h.now.time;
        coupled_step_advance(&h, dt);
        if (before < 0.0 && h.now.motion.heave >= 0.0) {
            last = time_before + dt * before / (before - h.now.motion.heave);
            first = crossings == 0 ? last : first;
            crossings++;
        }
    }
    const double measured = (last - first) / CYCLES;

    /* With rho_inf = 1 the scheme is the trapezoidal rule on a linear oscillator, and its period is known: tan(omega_n dt/2) =
     * omega dt/2. What is left is the interpolation of the crossings: a chord of the sine between -a and b crosses zero off by
     * a b (b - a)/6, at most (a + b)^3/(36 sqrt 3), a + b = omega dt; once at either end. */
    const double expected = pi * dt / atan(0.5 * omega * dt);
    const double interpolation = 2.0 * pow(omega * dt, 3) / (36.0 * sqrt(3.0)) / omega / CYCLES;
    printf("heave period: %.6f s measured over %d cycles, %.6f s for this scheme at dt %g, %.6f s by 2 pi sqrt((m + a)/(rho g A))\n",
           measured, CYCLES, expected, dt, period);
    REQUIRE(fabs(measured - expected) <= interpolation + 1e-9, "period differs by %.2e s", measured - expected);
    REQUIRE(fabs(expected / period - 1.0) <= 1.01 * pow(omega * dt, 2) / 12.0, "the scheme's period is %.6f s", expected);
    destroy_host(&h);
}

/* ----------------------------------------------------------------------------------- check: waves, by another integrator */

static const double wave_duration = 60.0;
static const motion wave_start = {.heave = 0.5, .pitch = 0.15};

/* heave, heave_rate, pitch, pitch_rate, memory */
typedef struct {
    double y[5];
} sea_state;

static sea_state sea_rate(const sea *s, double t, const sea_state *x)
{
    const motion m = {x->y[0], x->y[1], x->y[2], x->y[3]};
    double force, moment;
    fluid_loads(s, t, &m, x->y[4], &force, &moment);
    return (sea_state){{m.heave_rate, (force - s->mass * gravity) / (s->mass + s->added_mass), m.pitch_rate,
                        moment / (s->pitch_inertia + s->added_inertia), (s->memory_damping * m.heave_rate - x->y[4]) / s->memory_time}};
}

static sea_state sea_moved(const sea_state *x, double h, const sea_state *rate)
{
    sea_state out;
    for (int i = 0; i < 5; i++) {
        out.y[i] = x->y[i] + h * rate->y[i];
    }
    return out;
}

/* The end of the run by the classical Runge-Kutta method on the two equations of motion and the memory, without pintle. */
static motion reference_end(const sea *s)
{
    const int steps = 60000;
    const double h = wave_duration / steps;
    sea_state x = {{wave_start.heave, wave_start.heave_rate, wave_start.pitch, wave_start.pitch_rate, 0.0}};
    for (int n = 0; n < steps; n++) {
        const double t = n * h;
        const sea_state k1 = sea_rate(s, t, &x), x2 = sea_moved(&x, 0.5 * h, &k1);
        const sea_state k2 = sea_rate(s, t + 0.5 * h, &x2), x3 = sea_moved(&x, 0.5 * h, &k2);
        const sea_state k3 = sea_rate(s, t + 0.5 * h, &x3), x4 = sea_moved(&x, h, &k3);
        const sea_state k4 = sea_rate(s, t + h, &x4);
        for (int i = 0; i < 5; i++) {
            x.y[i] += h / 6.0 * (k1.y[i] + 2.0 * k2.y[i] + 2.0 * k3.y[i] + k4.y[i]);
        }
    }
    return (motion){x.y[0], x.y[1], x.y[2], x.y[3]};
}

/* Runs the buoy through the waves; `history` receives the motion after each step. */
static void run_in_waves(const sea *s, coupled_step_fn coupled_step, double dt, int steps, motion *history, double *iterations)
{
    host h = create_host(s, &wave_start, 0.8);
    for (int n = 0; n < steps; n++) {
        coupled_step(&h, dt);
        history[n] = h.now.motion;
    }
    *iterations = (double)h.iterations / steps;
    destroy_host(&h);
}

static double motion_distance(const motion *a, const motion *b)
{
    return hypot(a->heave - b->heave, a->pitch - b->pitch);
}

static void check_waves(void)
{
    enum { STEPS = 600 };
    const double dt = wave_duration / STEPS;
    const sea s = rough_sea();
    motion *by_advance = malloc(STEPS * sizeof *by_advance), *by_restore = malloc(STEPS * sizeof *by_restore);
    motion *half_step = malloc(2 * STEPS * sizeof *half_step);
    REQUIRE(by_advance != NULL && by_restore != NULL && half_step != NULL, "out of memory");

    double iterations, iterations_restore, iterations_half;
    run_in_waves(&s, coupled_step_advance, dt, STEPS, by_advance, &iterations);
    run_in_waves(&s, coupled_step_restore, dt, STEPS, by_restore, &iterations_restore);
    run_in_waves(&s, coupled_step_advance, 0.5 * dt, 2 * STEPS, half_step, &iterations_half);

    printf("\nin waves, dt %g s, coupling tolerance %.0e\n", dt, coupling_tolerance);
    printf("time (s)   heave (m)  pitch (deg)\n");
    for (int n = STEPS / 6; n <= STEPS; n += STEPS / 6) {
        printf("%8.1f  %10.6f  %11.6f\n", n * dt, by_advance[n - 1].heave, by_advance[n - 1].pitch * 180.0 / pi);
    }
    printf("fluid iterations per step: %.2f by advance and accept, %.2f by save and restore\n", iterations, iterations_restore);

    /* Both ways hand pintle the same loads in the same order, each time from the same state, and pintle's results are bit-identical
     * from the same state: so the motions are equal to the last bit, not only to the coupling tolerance. */
    const bool identical = memcmp(by_advance, by_restore, STEPS * sizeof *by_advance) == 0;
    printf("the two ways give %s motions\n", identical ? "bit-identical" : "different");
    REQUIRE(identical && iterations == iterations_restore, "advance and restore should not differ");

    /* Against the reference: an error that falls by 4 when the step is halved. */
    const motion exact = reference_end(&s);
    const double error = motion_distance(&by_advance[STEPS - 1], &exact), error_half = motion_distance(&half_step[2 * STEPS - 1], &exact);
    printf("at %g s against Runge-Kutta without pintle: %.2e at dt %g, %.2e at dt %g, order %.2f\n", wave_duration, error, dt,
           error_half, 0.5 * dt, log2(error / error_half));
    REQUIRE(fabs(log2(error / error_half) - 2.0) < 0.1, "the coupled motion converges with order %.3f", log2(error / error_half));
    free(by_advance);
    free(by_restore);
    free(half_step);
}

/* --------------------------------------------------------------------------------- a fluid that keeps its added mass to itself */

/* Some fluid solvers give forces only, with the added mass inside them: here twice that of the body. The host iterates on one
 * wrench at a marker in the middle of the body, force = push - added * acceleration at the end of the step. */
static const double light_mass = 100.0;
static const double fluid_push = 50.0;
static double fluid_force(double acceleration)
{
    return fluid_push - 2.0 * light_mass * acceleration;
}

static pintle_system *create_light_body(int32_t *marker)
{
    const double com[3] = {0.0, 0.0, 0.0}, inertia[6] = {10.0, 10.0, 10.0, 0.0, 0.0, 0.0};
    const double pose[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    int32_t body;
    pintle_system *system = NULL;
    CHECK(NULL, pintle_create(&system));
    CHECK(system, pintle_add_rigid_body(system, light_mass, com, inertia, pose, &body));
    CHECK(system, pintle_add_marker(system, body, pose, marker));
    CHECK(system, pintle_initialize(system, 0.0));
    return system;
}

/* One exchange: pintle moves under `force` to the end of the step, the fluid answers. Returns what the answer is off by. */
static double exchange(pintle_system *system, int32_t marker, double dt, double force)
{
    const double wrench[6] = {0.0, 0.0, force, 0.0, 0.0, 0.0};
    double acceleration[6];
    CHECK(system, pintle_set_marker_load(system, marker, PINTLE_FRAME_INERTIAL, wrench));
    CHECK(system, pintle_advance(system, dt));
    CHECK(system, pintle_get_marker_acceleration(system, marker, PINTLE_FRAME_INERTIAL, acceleration));
    return fluid_force(acceleration[2]) - force;
}

/* Taking the fluid's answer as the next load makes the gap grow by added/mass each time. Newton's method on the gap needs
 * d(acceleration)/d(force), which pintle has: d(gap)/d(force) = -added * compliance - 1. */
static void check_strong_coupling(void)
{
    const double dt = 0.1;
    int32_t marker;
    pintle_system *system = create_light_body(&marker);
    /* The first step starts the scheme; the compliance is that of steps that go on. */
    CHECK(system, pintle_step(system, dt));

    double force = 0.0, gap = 0.0;
    printf("\nadded mass of twice the body's, kept by the fluid: gap of the force (N)\nplain iteration  ");
    for (int k = 0; k < 6; k++) {
        gap = exchange(system, marker, dt, force);
        printf(" %10.3e", gap);
        force += gap;
    }
    REQUIRE(fabs(gap) > 30.0 * fluid_push, "plain iteration should diverge, gap %.3e N", gap);

    double out[3 * 36]; /* d(acceleration), d(velocity), d(displacement) over the wrench, 6 x 6 each, column-major */
    int exchanges = 0;
    force = 0.0;
    printf("\nwith compliance  ");
    do {
        gap = exchange(system, marker, dt, force);
        exchanges++;
        printf(" %10.3e", gap);
        CHECK(system, pintle_get_load_compliance(system, 1, &marker, dt, 3 * 36, out));
        force += gap / (1.0 + 2.0 * light_mass * out[2 + 6 * 2]);
    } while (fabs(gap) > 1e-9 * fluid_push && exchanges < 10);
    CHECK(system, pintle_accept(system));
    printf("\n");
    REQUIRE(exchanges <= 3, "%d exchanges", exchanges);
    CHECK(system, pintle_destroy(&system));
}

int main(void)
{
    printf("buoy with a fluid model in the host, pintle %s\n\n", pintle_version());
    check_heave_period();
    check_waves();
    check_strong_coupling();
    return EXIT_SUCCESS;
}
