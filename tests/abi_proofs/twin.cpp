/* The model of twin.c in C++. */
#include <cstdio>

#include "pintle.hpp"

static void print(const pintle::System &system, pintle::Id body)
{
    const pintle::Pose pose = system.get_body_pose(body);
    const pintle::Vector6 velocity = system.get_body_velocity(body, pintle::Frame::body);
    const pintle::Energy energy = system.get_energy();
    std::printf("%a %a %a %a %a %a %a", pose[0], pose[1], pose[2], pose[3], pose[4], pose[5], pose[6]);
    std::printf(" %a %a %a %a\n", velocity[0], velocity[5], energy.kinetic, energy.potential);
}

int main()
{
    const pintle::Vector3 zero = {{0, 0, 0}}, anchors[2] = {{{-3, 0, 4}}, {{3, 1, 4}}};
    const double coefficient = 0.7;
    pintle::System system;
    system.set_gravity({{0, 0, -9.81}});
    const pintle::Id body = system.add_rigid_body(2.0, {{0.1, 0, 0}}, {{1, 2, 3, 0.1, 0, 0}}, {{0, 0, -1, 1, 0, 0, 0}});
    system.set_body_velocity(body, {{0.5, 0, 0, 0, 0, 0.2}});
    for (const pintle::Vector3 &anchor : anchors) {
        system.add_spring(body, zero, pintle::ground, anchor, 30.0, 0.5, 4.0, true);
    }
    system.set_load_callback(body, [coefficient](const pintle::Motion &motion, pintle::Load &load) {
        for (std::size_t i = 0; i < 6; i++) {
            load.wrench[i] = -coefficient * motion.velocity[i];
            load.damping[i + 6 * i] = coefficient;
        }
    });
    system.initialize(0.0);
    print(system, body);
    for (int n = 0; n < 50; n++) {
        system.advance(0.05);
        system.advance(0.02);
        system.accept();
        print(system, body);
    }
}
