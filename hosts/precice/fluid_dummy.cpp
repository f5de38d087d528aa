/*
 * A substitute for a flow solver: water around a float, with an added mass, a hydrostatic stiffness in heave and the force of a wave.
 * All three depend on the mean displacement of the surface only, so that the coupled motion is known.
 *
 *   fluid-dummy config.xml ADDED_MASS STIFFNESS FORCE FREQUENCY        kg, N/m, N, rad/s
 *
 * Participant "Fluid" with mesh "Fluid-Mesh": a surface of its own, finer than the float's.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include <precice/precice.hpp>

namespace {

/* Position, rate and acceleration of the mean surface. */
struct Motion {
    double d[3] = {0, 0, 0}, v[3] = {0, 0, 0}, a[3] = {0, 0, 0};
};

/* The trapezoidal rule, which pintle's scheme is at rho_inf 1: so the coupled motion is that of one model with added mass. */
Motion moved(const Motion &from, const double d[3], double dt)
{
    Motion to;
    for (int i = 0; i < 3; i++) {
        to.d[i] = d[i];
        to.a[i] = 4.0 / (dt * dt) * (d[i] - from.d[i] - dt * from.v[i]) - from.a[i];
        to.v[i] = from.v[i] + 0.5 * dt * (from.a[i] + to.a[i]);
    }
    return to;
}

void run(char **argv)
{
    const double added_mass = std::atof(argv[2]), stiffness = std::atof(argv[3]);
    const double force = std::atof(argv[4]), frequency = std::atof(argv[5]);
    precice::Participant precice("Fluid", argv[1], 0, 1);
    std::vector<double> coordinates;
    /* A box of 2 m x 2 m x 1 m. Even numbers of points: each has one nearest corner, and mapped forces have no moment. */
    for (int k = 0; k < 64; k++) {
        for (double x : {0.5 * (k % 4) - 0.75, 0.5 * (k / 4 % 4) - 0.75, 0.25 * (k / 16) - 0.375}) {
            coordinates.push_back(x);
        }
    }
    const std::size_t points = coordinates.size() / 3;
    std::vector<precice::VertexID> vertices(points);
    std::vector<double> displacements(3 * points), forces(3 * points, 0.0);
    precice.setMeshVertices("Fluid-Mesh", coordinates, vertices);
    if (precice.requiresInitialData()) {
        precice.writeData("Fluid-Mesh", "Force", vertices, forces);
    }
    precice.initialize();
    Motion now, checkpoint;
    double time = 0.0, checkpoint_time = 0.0;
    while (precice.isCouplingOngoing()) {
        if (precice.requiresWritingCheckpoint()) {
            checkpoint = now;
            checkpoint_time = time;
        }
        const double dt = precice.getMaxTimeStepSize();
        precice.readData("Fluid-Mesh", "Displacement", vertices, dt, displacements);
        double mean[3] = {0, 0, 0};
        for (std::size_t i = 0; i < displacements.size(); i++) {
            mean[i % 3] += displacements[i] / static_cast<double>(points);
        }
        now = moved(now, mean, dt);
        time += dt;
        for (std::size_t i = 0; i < forces.size(); i++) {
            const double wave = i % 3 == 1 ? 0.0 : force * std::sin(frequency * time);
            const double water = -added_mass * now.a[i % 3] - (i % 3 == 2 ? stiffness * now.d[2] : 0.0);
            forces[i] = (water + wave) / static_cast<double>(points);
        }
        precice.writeData("Fluid-Mesh", "Force", vertices, forces);
        precice.advance(dt);
        if (precice.requiresReadingCheckpoint()) {
            now = checkpoint;
            time = checkpoint_time;
        }
    }
    precice.finalize();
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 6) {
        std::fprintf(stderr, "fluid-dummy config.xml ADDED_MASS STIFFNESS FORCE FREQUENCY\n");
        return 2;
    }
    try {
        run(argv);
        return 0;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "fluid-dummy: %s\n", error.what());
        return 1;
    }
}
