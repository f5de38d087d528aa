/*
 * A host in C++: a buoy that heaves on its hydrostatic stiffness, with the loads as a function of the motion. The system frees
 * itself, mistakes are exceptions, failed steps a status, and a saved state takes the host back.
 *
 *   cpp_host
 *
 * The program compares the motion with the exact one. Exit status 1 means that a number is not what it must be.
 *
 * Compile in the root of the repository, after cargo build --release:
 *   g++ -Iinclude c_examples/cpp_host.cpp target/release/libpintle.a -o target/cpp_host
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "pintle.hpp"

namespace {

constexpr double mass = 1000.0;       /* kg */
constexpr double stiffness = 9810.0;  /* N/m: water density * gravity * waterplane area */
constexpr double damping = 500.0;     /* N s/m */
constexpr double start_heave = 1.0;   /* m */
constexpr double duration = 10.0;     /* s */

/* z = exp(-d t) (cos w t + d/w sin w t), d = c/2m, w^2 = k/m - d^2. */
double exact_heave(double t)
{
    const double d = damping / (2.0 * mass);
    const double w = std::sqrt(stiffness / mass - d * d);
    return start_heave * std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t));
}

void require(bool condition, const char *what)
{
    if (!condition) {
        std::fprintf(stderr, "wrong result: %s\n", what);
        std::exit(EXIT_FAILURE);
    }
}

/* What a hydrodynamics code would compute. Weight and buoyancy at rest cancel and are left out. The system calls it inside its
 * iteration; the two derivatives keep that fast. */
void hydrodynamics(const pintle::Motion &motion, pintle::Load &load)
{
    const std::size_t z = 2;
    load.wrench[z] = -stiffness * motion.pose[z] - damping * motion.velocity[z];
    load.stiffness[z + 6 * z] = stiffness;
    load.damping[z + 6 * z] = damping;
}

pintle::System create_buoy()
{
    pintle::System system;
    const pintle::Id buoy = system.add_rigid_body(mass, {{0, 0, 0}}, {{400, 400, 500, 0, 0, 0}}, {{0, 0, start_heave, 1, 0, 0, 0}});
    system.set_name("body", buoy, "buoy");
    system.set_load_callback(buoy, hydrodynamics);
    system.set_option("rho_inf", 1.0); /* no numerical damping: the buoy has its own */
    system.initialize(0.0);
    return system;
}

double heave(const pintle::System &system) { return system.get_body_pose(system.find("body", "buoy"))[2]; }

/* Runs to the end; returns the largest error over all steps. */
double run(double dt, bool verbose)
{
    pintle::System system = create_buoy();
    const long steps = std::lround(duration / dt);
    double largest = 0.0;
    for (long n = 1; n <= steps; n++) {
        /* A step that fails leaves the accepted state, so that a host may try it with half the step. */
        if (system.try_step(dt) != PINTLE_OK) {
            system.step(0.5 * dt);
            system.step(0.5 * dt);
        }
        const double t = static_cast<double>(n) * dt;
        largest = std::fmax(largest, std::fabs(heave(system) - exact_heave(t)));
        if (verbose && n % std::lround(1.0 / dt) == 0) {
            std::printf("%8.2f  %10.6f  %10.6f\n", t, heave(system), exact_heave(t));
        }
    }
    return largest;
}

/* A host that has gone too far returns to a state and gets the same bits again; a clone goes on by itself. */
void check_rollback()
{
    pintle::System system = create_buoy();
    const pintle::State start = system.state_save();
    system.step(0.02);
    pintle::System other = system.clone();
    system.step(0.02);
    const double first = heave(system);

    system.state_restore(start);
    system.step(0.02);
    system.step(0.02);
    other.step(0.02);
    require(heave(system) == first && heave(other) == first, "the way back and the clone give other bits");
}

void check_mistake()
{
    pintle::System system = create_buoy();
    try {
        system.step(-0.02);
        require(false, "a negative step was not refused");
    } catch (const pintle::Error &error) {
        std::printf("\na mistake: %s\n", error.what());
        require(error.status() == PINTLE_ERR_BAD_VALUE, "the status is another one");
    }
}

} // namespace

int main()
{
    std::printf("buoy in heave, pintle %s\n\ntime (s)   heave (m)   exact (m)\n", pintle::version().c_str());
    try {
        const double error = run(0.02, true), error_half = run(0.01, false);
        const double order = std::log2(error / error_half);
        std::printf("\nlargest error: %.3e m at dt 0.02, %.3e m at dt 0.01, order %.2f\n", error, error_half, order);
        require(error < 2e-3, "the error is too large");
        require(std::fabs(order - 2.0) < 0.05, "the error should fall by 4 when the step is halved");
        check_rollback();
        check_mistake();
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
