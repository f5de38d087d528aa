/*
 * Time schemes by name: one damped oscillator, every scheme, two step sizes. For each the error against the closed form, the order
 * that two errors show, and what a second of motion cost.
 *
 *   schemes
 *
 * docs/schemes.md says which scheme is for what. Exit status 1 means that a scheme does not have its order.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/schemes.c target/release/libpintle.a -lm -o target/schemes
 */
#include <math.h>

#include "example.h"

/* 2 kg on 200 N/m with a tenth of the critical damping, let go at 1 m: w = 10 rad/s. */
static const double mass = 2.0, frequency = 10.0, ratio = 0.1;
static const double end = 1.0;

static const struct {
    const char *name;
    int order;
} schemes[] = {
    {"generalized-alpha", 2}, {"newmark", 2}, {"hht", 2},  {"euler", 1},   {"leuler", 1},    {"heun", 2},      {"rk2", 2},
    {"rk3", 3},               {"rk4", 4},     {"ab2", 2},  {"ab3", 3},     {"ab4", 4},       {"ab5", 5},       {"lab2", 2},
    {"lab3", 3},              {"lab4", 4},    {"lab5", 5}, {"beuler5", 1}, {"midpoint5", 2}, {"anderson5", 1}, {"aca5", 2},
    {"wilson5", 2},
};

/* Displacement of the closed form. */
static double exact(double t)
{
    const double damped = frequency * sqrt(1.0 - ratio * ratio);
    return exp(-ratio * frequency * t) * (cos(damped * t) + ratio * frequency / damped * sin(damped * t));
}

/* Integrates to the end in so many steps; returns the error, and how often accelerations or the iteration matrix were evaluated. */
static double run(const char *scheme, int steps, double *evaluations)
{
    const double origin[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0}, start[7] = {1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    const double com[3] = {0.0, 0.0, 0.0}, inertia[6] = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0};
    double k[36] = {0.0}, c[36] = {0.0}, pose[7];
    int32_t body, bushing;
    pintle_system *s = NULL;
    for (int i = 0; i < 6; i++) {
        k[7 * i] = mass * frequency * frequency;
        c[7 * i] = 2.0 * ratio * frequency * mass;
    }
    CHECK(NULL, pintle_create(&s));
    CHECK(s, pintle_add_rigid_body(s, mass, com, inertia, start, &body));
    CHECK(s, pintle_add_bushing(s, PINTLE_GROUND, body, origin, origin, k, c, &bushing));
    CHECK(s, pintle_set_scheme(s, scheme));
    /* Explicit schemes would cut steps that are too long for them; here each is to take the host's. */
    CHECK(s, pintle_set_option(s, "max_time_step", end));
    CHECK(s, pintle_initialize(s, 0.0));
    for (int n = 0; n < steps; n++) {
        CHECK(s, pintle_step(s, end / steps));
    }
    CHECK(s, pintle_get_body_pose(s, body, pose));
    CHECK(s, pintle_get_statistic(s, "evaluations", evaluations));
    CHECK(s, pintle_destroy(&s));
    return fabs(pose[0] - exact(end));
}

int main(void)
{
    printf("a damped oscillator by every scheme, pintle %s\n\n", pintle_version());
    printf("%-18s %12s %12s %6s %12s\n", "scheme", "h = 1/400", "h = 1/800", "order", "evaluations");
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        double coarse_cost, cost;
        const double coarse = run(schemes[i].name, 400, &coarse_cost), fine = run(schemes[i].name, 800, &cost);
        const double order = log2(coarse / fine);
        printf("%-18s %12.3e %12.3e %6.2f %12.0f\n", schemes[i].name, coarse, fine, order, cost);
        REQUIRE(fabs(order - schemes[i].order) < 0.1, "%s has order %.2f", schemes[i].name, order);
    }
    /* A name that is none is refused, and the message lists those that are. */
    pintle_system *s = NULL;
    char message[512];
    CHECK(NULL, pintle_create(&s));
    REQUIRE(pintle_set_scheme(s, "midpoint") == PINTLE_ERR_BAD_VALUE, "midpoint without a number of substeps");
    CHECK(s, pintle_error_message(s, (int32_t)sizeof message, message, NULL));
    printf("\n%s\n", message);
    CHECK(s, pintle_destroy(&s));
    return EXIT_SUCCESS;
}
