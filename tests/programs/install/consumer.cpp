// A falling body: 1 s, prints where it is.
#include <cstdio>

#include <pintle.hpp>

int main()
{
    pintle::System system;
    system.set_gravity({{0, 0, -10}});
    const pintle::Id body = system.add_rigid_body(1.0, {{0, 0, 0}}, {{1, 1, 1, 0, 0, 0}}, {{0, 0, 0, 1, 0, 0, 0}});
    system.initialize(0.0);
    for (int n = 0; n < 10; n++) {
        system.step(0.1);
    }
    std::printf("pintle %s z %.3f\n", pintle::version().c_str(), system.get_body_pose(body)[2]);
}
