/*
 * A model from a file: loads models/heavy_top.toml, runs it for 2 s, and prints where the top is.
 *
 *   model_file path/to/heavy_top.toml
 *
 * The host needs no line of code for what the file says; it finds bodies and joints by their names. Exit status 1 means that a
 * number is not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   gcc -Iinclude c_examples/model_file.c target/release/libpintle.a -lm -o target/model_file
 */
#include <math.h>

#include "example.h"

static const double time_step = 1e-3, duration = 2.0;

/* The exact displacement after 2 s; at this step the scheme is off by 2.4e-3 m (c_examples/heavy_top.c). */
static const double displacement_end[3] = {-0.150416822747, -1.724165591637, -0.673022269560};

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s path/to/heavy_top.toml\n", argv[0]);
        return EXIT_FAILURE;
    }

    /* The new system is in phase BUILDING: the host may add to it before it initializes. A mistake in the file comes back as a
     * status, and the message names file, line and key. */
    pintle_system *sys = NULL;
    int32_t top, tip;
    CHECK(NULL, pintle_load_model(argv[1], &sys));
    CHECK(sys, pintle_find(sys, "body", "top", &top));
    CHECK(sys, pintle_find(sys, "joint", "tip", &tip));
    CHECK(sys, pintle_initialize(sys, 0.0));

    printf("%s, pintle %s, dt %g s\n\n", argv[1], pintle_version(), time_step);
    printf("time (s)      x (m)      y (m)      z (m)   force at the tip (N)\n");
    const long steps = lround(duration / time_step);
    double u[7], pose[7], wrench[6];
    for (long n = 1; n <= steps; n++) {
        CHECK(sys, pintle_step(sys, time_step));
        if (n % (steps / 10) == 0) {
            CHECK(sys, pintle_get_body_pose(sys, top, pose));
            CHECK(sys, pintle_get_joint_reaction(sys, tip, PINTLE_FRAME_INERTIAL, wrench));
            printf("%8.2f %10.6f %10.6f %10.6f %12.3f\n", (double)n * time_step, pose[0], pose[1], pose[2],
                   sqrt(wrench[0] * wrench[0] + wrench[1] * wrench[1] + wrench[2] * wrench[2]));
        }
    }

    CHECK(sys, pintle_get_body_displacement(sys, top, u));
    double error = 0.0;
    for (int i = 0; i < 3; i++) {
        error = fmax(error, fabs(u[i] - displacement_end[i]));
    }
    printf("\nerror at %g s: %.3e m\n", duration, error);
    REQUIRE(error < 2.5e-3, "the top is off by %.3e m", error);
    CHECK(sys, pintle_destroy(&sys));
    return EXIT_SUCCESS;
}
