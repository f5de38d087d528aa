/* The additions of pintle.hpp to pintle.h: ownership, exceptions, load functions, batches. */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <type_traits>

#include "pintle.hpp"

using namespace pintle;

static_assert(!std::is_copy_constructible<System>::value && !std::is_copy_assignable<System>::value, "moves only");
static_assert(!std::is_copy_constructible<State>::value && !std::is_copy_assignable<State>::value, "moves only");
static_assert(std::is_nothrow_move_constructible<System>::value && std::is_nothrow_move_assignable<State>::value, "");
static_assert(std::is_base_of<std::runtime_error, Error>::value, "");

static void require(bool condition, const char *what)
{
    if (!condition) {
        std::fprintf(stderr, "%s\n", what);
        std::exit(EXIT_FAILURE);
    }
}

template <class Call>
static void require_error(std::int32_t status, Call call, const char *what)
{
    try {
        call();
    } catch (const Error &error) {
        require(error.status() == status && error.severity() == 4, what);
        require(std::string(error.what()).find(status_name(status)) == 0, "the text starts with the name");
        return;
    }
    require(false, what);
}

static System two_bodies()
{
    System system;
    for (int i = 0; i < 2; i++) {
        system.add_rigid_body(1.0 + i, {{0, 0, 0}}, {{1, 1, 1, 0, 0, 0}}, {{double(i), 0, 0, 1, 0, 0, 0}});
    }
    return system;
}

/* Counts how many of it are alive: nothing may be lost or freed twice. */
struct Push {
    static int alive;
    double force;
    explicit Push(double f) : force(f) { alive++; }
    Push(const Push &other) : force(other.force) { alive++; }
    ~Push() { alive--; }
    void operator()(const Motion &, Load &load) { load.wrench[0] = force; }
};
int Push::alive = 0;

static void test_ownership()
{
    System a = two_bodies(), b;
    pintle_system *handle = a.get();
    b = std::move(a);
    require(b.get() == handle, "moved");
    System c(std::move(b));
    require(c.get() == handle && b.get() == nullptr && c.count("body") == 2, "moved again");
    require_error(PINTLE_ERR_NULL_ARGUMENT, [&] { b.step(0.1); }, "a system that was moved away");
    System d = c.clone();
    c.initialize(0.0);
    require(d.phase() == Phase::building && c.phase() == Phase::ready, "a clone is independent");

    State empty, state = c.state_save();
    require_error(PINTLE_ERR_NULL_ARGUMENT, [&] { c.state_restore(empty); }, "an empty state");
    empty = std::move(state);
    c.state_restore(c.state_deserialize(empty.serialize()));
    require(c.try_state_deserialize({1, 2, 3}, empty) == PINTLE_ERR_FORMAT, "bytes that are no state");
}

static void test_imposed_motions()
{
    System system = two_bodies();
    Id joint = system.add_joint_at(JointKind::revolute, ground, 0, {{0, 0, 0}}, {{0, 0, 1}});
    system.set_joint_driven(joint, true);
    system.set_body_prescribed(1, true);
    Id screw = system.clone().add_joint_at(JointKind::screw, ground, 0, {{0, 0, 0}}, {{0, 0, 1}});
    require_error(PINTLE_ERR_BAD_ID, [&] { system.set_joint_pitch(screw, 0.5); }, "a joint of the clone");
    system.set_joint_spring(joint, 1.0, 0.0, 0.0);
    system.set_joint_motion(joint, 0.0, 0.0, 1.0);
    system.initialize(0.0);
    system.set_joint_load(joint, 3.0);
    system.set_joint_motion(joint, 0.005, 0.1, 1.0);
    system.set_body_motion(1, {{1, 0, 0, 1, 0, 0, 0}}, {{0, 0, 0, 0, 0, 0}}, {{0, 2, 0, 0, 0, 0}});
    system.step(0.1);
    JointCoordinate c = system.get_joint_coordinate(joint);
    require(std::abs(c.q - 0.005) < 1e-12 && std::abs(c.qd - 0.1) < 1e-6, "a driven joint");
    Vector6 wrench = system.get_body_reaction(1, Frame::inertial);
    require(wrench[1] > 3.99 && wrench[1] < 4.01, "what a prescribed body takes");
}

static void test_analyses()
{
    System system;
    system.add_rigid_body(2.0, {{0, 0, 0}}, {{1, 1, 1, 0, 0, 0}}, {{0, 0, 0, 1, 0, 0, 0}});
    Matrix6 k = {{0}};
    k[0] = 8.0; /* along x; the others are held */
    system.add_joint_at(JointKind::prismatic, ground, 0, {{0, 0, 0}}, {{1, 0, 0}});
    system.add_bushing(ground, 0, {{0, 0, 0, 1, 0, 0, 0}}, {{0, 0, 0, 1, 0, 0, 0}}, k, Matrix6{{0}});
    Id slack = system.add_spring(ground, {{0, 0, 0}}, 0, {{0, 0, 0}}, 0, 0, 0);
    require(system.get_spring_table(slack).lengths.empty(), "a spring without a table");
    system.set_spring_table(slack, {1, 2}, {0, 3});
    require(system.get_spring_table(slack).forces == std::vector<double>({0, 3}), "its table");
    system.set_spring_table(slack, {1, 2}, {0, 0});
    Id marker = system.add_marker(0, {{0, 0, 0, 1, 0, 0, 0}});
    system.set_body_load(0, Frame::inertial, {{4, 0, 0, 0, 0, 0}});
    system.initialize(0.0);
    system.solve_equilibrium(50, 1e-10);
    std::vector<Pose> poses;
    std::vector<Vector6> velocities;
    system.get_coordinates(poses, velocities);
    require(std::abs(poses[0][0] - 0.5) < 1e-9, "the spring gives way by 4/8");
    std::vector<Pose> moved = retract(poses, {{{0.25, 0, 0, 0, 0, 0}}});
    require(std::abs(difference(poses, moved)[0][0] - 0.25) < 1e-15, "there and back");
    require(std::abs(system.eval_accelerations(moved, velocities)[0][0] + 1.0) < 1e-9, "and pulls it back");
    require_error(PINTLE_ERR_BAD_SIZE, [&] { system.set_coordinates(moved, {}); }, "a velocity for each pose");
    system.set_coordinates(poses, velocities);
    require(system.get_mass_matrix().size() == 36 && system.get_constraint_jacobian().size() == 30, "sizes");
    Linearization l = system.linearize({0}, {}, {marker});
    require(l.states == 2 && std::abs(l.a[1] + 4.0) < 1e-9 && std::abs(l.b[1] - 0.5) < 1e-12, "x'' = -4 x + u/2");
    require(system.get_warning().empty() && pintle::suggest_time_step(62.941) == 0.03, "a suggestion, no warning");
    require(system.get_state_name(0).find("body 0") == 0, "states have names");
    Modes modes = system.get_modes();
    require(modes.frequencies.size() == 1 && std::abs(modes.frequencies[0] - 0.3183098861837907) < 1e-9, "2 rad/s");
    require(system.get_load_compliance({marker}, 0.01).size() == 108, "three matrices");
}

static void test_load_functions()
{
    {
        System system = two_bodies();
        system.set_load_callback(0, Push(2.0));
        system.set_load_callback(1, Push(3.0));
        system.set_load_callback(1, Push(4.0));
        require(Push::alive == 2, "a function that is replaced is freed");
        require_error(PINTLE_ERR_BAD_ID, [&] { system.set_load_callback(7, Push(1.0)); }, "a body that is not there");
        system.initialize(0.0);
        System copy = system.clone();
        system.remove_load_callback(1);
        require(Push::alive == 2, "the clone still has it");
        system.step(0.1);
        copy.step(0.1);
        require(system.get_body_acceleration(0, Frame::inertial)[0] == 2.0, "the load of a function");
        require(copy.get_body_acceleration(1, Frame::inertial)[0] == 2.0, "the load of a function in a clone");
        require(Push::alive == 2, "none is lost");
    }
    require(Push::alive == 0, "all are freed");
}

static void test_exceptions_of_load_functions()
{
    System system = two_bodies();
    bool fails = false;
    system.set_load_callback(1, [&fails](const Motion &motion, Load &) {
        if (fails) {
            throw std::out_of_range("body " + std::to_string(motion.body));
        }
    });
    system.initialize(0.0);
    fails = true;
    System copy = system.clone();
    for (System *each : {&system, &copy}) {
        try {
            each->step(0.1);
            require(false, "the exception was lost");
        } catch (const std::out_of_range &error) {
            require(std::string(error.what()) == "body 1", "the exception is another one");
        }
        require(each->phase() == Phase::ready && each->time() == 0.0, "the step did not happen");
        require(each->try_step(0.1) == PINTLE_ERR_CALLBACK, "a status instead");
    }
    fails = false;
    system.step(0.1);
    system.set_load_callback(1, [](const Motion &, Load &load) { load.wrench[0] = 1.0 / 0.0; });
    require_error(PINTLE_ERR_CALLBACK, [&] { system.step(0.1); }, "numbers that are not finite, and no exception");
}

/* Two masses of 1 and 2 kg; what the fluid does to each depends on the acceleration of the other. */
struct Tie {
    static int alive;
    double force;
    explicit Tie(double f) : force(f) { alive++; }
    Tie(const Tie &other) : force(other.force) { alive++; }
    ~Tie() { alive--; }
    void operator()(const CoupledMotion &motion, CoupledLoad &load)
    {
        require(motion.bodies.size() == 2 && load.mass.size() == 144, "sizes");
        for (std::size_t b = 0; b < 2; b++) {
            load.wrenches[b][0] = force - 0.5 * motion.accelerations[1 - b][0];
            load.mass[6 * b + 12 * (6 * (1 - b))] = 0.5;
        }
    }
};
int Tie::alive = 0;

static void test_coupled_load_functions()
{
    {
        System system = two_bodies();
        const Id id = system.set_coupled_load_callback({1, 0}, Tie(1.0));
        const Id again = system.set_coupled_load_callback({0, 1}, Tie(3.5));
        require(again == id && Tie::alive == 1 && system.count("callback") == 1, "one function for a set");
        require_error(PINTLE_ERR_BAD_VALUE, [&] { system.set_coupled_load_callback({0, 0}, Tie(1.0)); }, "a body twice");
        require_error(PINTLE_ERR_BAD_ID, [&] { system.set_coupled_load_callback({0, 7}, Tie(1.0)); }, "a strange body");
        require(Tie::alive == 1, "a function that is refused is freed");
        system.initialize(0.0);
        System copy = system.clone(), moved = std::move(system);
        moved.step(0.1);
        /* a + b/2 = 3.5, a/2 + 2 b = 3.5 */
        require(std::abs(moved.get_body_acceleration(0, Frame::inertial)[0] - 3.0) < 1e-12, "the first mass");
        require(std::abs(moved.get_body_acceleration(1, Frame::inertial)[0] - 1.0) < 1e-12, "the second mass");
        require(std::abs(moved.get_mass_matrix()[6] - 0.5) < 1e-15, "the mass matrix has the cross term");
        moved.remove_coupled_load_callback({1, 0});
        require(Tie::alive == 1, "the clone still has it");
        moved.step(0.1);
        copy.step(0.1);
        require(std::abs(copy.get_body_acceleration(0, Frame::inertial)[0] - 3.0) < 1e-12, "the function in a clone");
        copy.set_coupled_load_callback({0, 1}, [](const CoupledMotion &, CoupledLoad &) { throw std::out_of_range("x"); });
        require(Tie::alive == 0, "a function that is replaced is freed");
        try {
            copy.step(0.1);
            require(false, "the exception was lost");
        } catch (const std::out_of_range &) {
        }
        require(copy.try_step(0.1) == PINTLE_ERR_CALLBACK, "a status instead");
        copy.set_coupled_load_callback({0, 1}, [](const CoupledMotion &, CoupledLoad &load) { load.mass.clear(); });
        try {
            copy.step(0.1);
            require(false, "a result of another size was accepted");
        } catch (const std::length_error &) {
        }
    }
    require(Tie::alive == 0, "all are freed");
}

static void test_lines()
{
    System system;
    system.set_gravity({{0, 0, -9.81}});
    system.set_environment("water_density", 1000.0);
    system.set_environment("depth", 9.0);
    system.set_current({0, 9}, {{{1, 0, 0}}, {{0, 0, 0}}});
    require(system.get_current().velocities[0] == Vector3({{1, 0, 0}}) && system.get_current().depths[1] == 9.0, "a current");
    system.set_current({}, {});
    system.set_irregular_waves(2.0, 8.0, 3.3, 0.0, 0.0, 5, 30);
    system.set_wave_spectrum({0.5, 1.0}, {1.0, 0.0}, 0.0, 0.0, 5, 10);
    require(system.get_waves().amplitudes.size() == 10, "a spectrum");
    system.set_wave_record(0.0, 0.5, {0.5, 0.0, -0.5, 0.0}, 0.0, 99.0);
    Waves waves = system.get_waves();
    require(waves.frequencies.size() == 2 && std::abs(waves.amplitudes[0] - 0.5) < 1e-12, "a record");
    waves.amplitudes = {0.0, 0.0};
    system.set_waves(waves);
    require(system.get_waves().amplitudes[1] == 0.0, "waves");
    system.set_waves({});
    const Id anchor = system.add_point(0.0, 0.0, {{0, 0, -9}}), top = system.add_point(0.0, 0.0, {{4, 0, -1}});
    system.fix_point(anchor);
    system.fix_point(top);
    const Id chain = system.add_line_type(0.05, 10.0, 0.0, -0.5, 0.0, 1.2, 1.0, 0.1, 0.0);
    system.set_line_type_table(chain, "ea", {0, 0.1}, {0, 1e4});
    require(system.get_line_type_table(chain, "ea").y[1] == 1e4 && system.get_line_type_table(chain, "ba").x.empty(), "tables");
    const Id line = system.add_line(chain, anchor, top, 9.2, 4);
    require(system.get_line_info(line).segments == 4 && system.count("line") == 1, "a line");
    system.set_line_failure({line}, {1}, 1e6, 0.0);
    require(system.get_line_failure(line, 1).time == 1e6 && system.get_line_failure(line, 1).point == -1, "a failure");
    std::vector<Vector3> nodes;
    std::vector<double> tensions;
    {
        Push push(2.0);
        system.set_fluid_callback([push](const FluidPlaces &places, FluidMotion &water) {
            if (places.positions.size() != 7) {
                throw std::length_error("nodes and points");
            }
            for (Vector3 &velocity : water.velocities) {
                velocity[1] = push.force;
            }
        });
    }
    require(Push::alive == 1, "the system keeps its function");
    system.initialize(0.0);
    system.step(0.01);
    system.get_line_velocities(line, nodes);
    require(nodes.size() == 5 && nodes[2][1] > 0.0, "the water carries it along");
    require(system.get_water_motion({{{1, 2, -3}}}).elevations == std::vector<double>{0.0}, "still water");
    system.get_line_positions(line, nodes);
    system.get_line_tensions(line, tensions);
    require(nodes[4][0] == 4.0 && tensions.size() == 4 && tensions[3] > 0.0, "nodes and segments");
    {
        System copy = system.clone();
        copy.step(0.01);
        copy.set_fluid_callback([](const FluidPlaces &, FluidMotion &) { throw std::out_of_range("x"); }, true);
        try {
            copy.step(0.01);
            require(false, "the exception was lost");
        } catch (const std::out_of_range &) {
        }
        require(copy.try_step(0.01) == PINTLE_ERR_CALLBACK, "and as a status");
    }
    system.remove_fluid_callback();
    require(Push::alive == 0 && system.get_fluid_callback().is_set == 0, "nobody is asked");
    require(system.get_line_node_loads(line, "weight").size() == 5, "loads of nodes");
    system.release_line(line, 1);
    system.set_line_length(line, 9.1, 0.0);
    system.step(0.01);
    require(system.get_line_released(line).end_b == 1 && system.get_line_length(line).length == 9.1, "a broken end");
}

static void test_progress_functions()
{
    System system = two_bodies();
    system.set_option("max_time_step", 1e-3);
    system.initialize(0.0);
    double last = -1.0;
    system.set_progress_callback([&last](double, double fraction) {
        last = fraction;
        return fraction < 0.5;
    });
    require_error(PINTLE_ERR_STOPPED, [&] { system.step(1.0); }, "a step that is stopped");
    require(last >= 0.5 && last < 1.0 && system.time() == 0.0, "half way, and nothing has changed");
    System copy = system.clone();
    require(copy.try_step(1.0) == PINTLE_ERR_STOPPED, "the clone asks as well");
    system.set_progress_callback([](double, double) -> bool { throw std::out_of_range("x"); });
    try {
        system.step(1.0);
        require(false, "the exception was lost");
    } catch (const std::out_of_range &) {
    }
    system.remove_progress_callback();
    system.step(1.0);
    require(system.time() == 1.0, "nobody is asked");
}

static void test_slides_and_frames()
{
    System system = two_bodies();
    const Pose frame = frame_from_axes({{1, 0, 0}}, {{0, 0, 2}});
    require(frame[0] == 1.0 && std::abs(quat_to_dcm({{frame[3], frame[4], frame[5], frame[6]}})[8] - 1.0) < 1e-15, "z");
    require(frame_from_axes({{1, 0, 0}}, {{0, 0, 2}}, {{3, 0, 1}}) == Pose({{1, 0, 0, 1, 0, 0, 0}}), "x, and z first");
    const Id joint = system.add_joint_at(JointKind::cylindrical, ground, 0, {{0, 0, 0}}, {{0, 0, 1}});
    system.set_joint_offset(joint, 0.25);
    system.set_joint_slide_spring(joint, 4.0, 0.0, 0.0);
    system.set_body_velocity_in(0, Frame::body, {{0, 0, 0, 0, 0, 0}});
    system.initialize(0.0);
    system.set_joint_slide_load(joint, 1.0);
    system.mark_discontinuity();
    system.step(0.01);
    const JointSlide slide = system.get_joint_slide(joint);
    require(slide.s > 0.0 && slide.s < 6e-5 && std::abs(slide.sdd - 1.0) < 1e-3, "s'' = 1 - 4 s");
    require(system.get_joint_coordinate(joint).q == 0.25, "the angle counts from its offset");
    System driven = two_bodies();
    driven.add_joint_at(JointKind::cylindrical, ground, 0, {{0, 0, 0}}, {{0, 0, 1}});
    driven.set_joint_slide_driven(0, true);
    driven.initialize(0.0);
    driven.set_joint_slide_motion(0, 0.5e-4, 0.01, 1.0);
    driven.step(0.01);
    require(std::abs(driven.get_body_pose(0)[2] - 0.5e-4) < 1e-12, "a driven slide");
}

static void test_batches()
{
    System system = two_bodies();
    std::vector<Pose> poses;
    std::vector<Vector6> velocities(5);
    system.set_body_loads(Frame::inertial, {{{1, 0, 0, 0, 0, 0}}, {{4, 0, 0, 0, 0, 0}}});
    require_error(PINTLE_ERR_BAD_SIZE, [&] { system.set_body_loads(Frame::inertial, {}); }, "no loads for two bodies");
    system.set_marker_loads(Frame::inertial, {});
    system.initialize(0.0);
    system.advance(0.1);
    system.accept();
    system.get_body_poses(poses);
    std::vector<double> channels = system.get_channels();
    require(static_cast<std::int32_t>(channels.size()) == system.channel_count(), "a value of each channel");
    require(system.channel_name(3) == "body0.pos.x" && system.channel_unit(3) == "m", "the name and unit of a channel");
    require(channels[3] == poses[0][0], "the value of a channel");
    system.get_body_velocities(velocities);
    require(poses.size() == 2 && poses[1] == system.get_body_pose(1), "poses");
    require(velocities.size() == 2 && velocities[1][0] > velocities[0][0] && velocities[0][0] > 0.0, "velocities");
    system.get_marker_poses(poses);
    require(poses.empty(), "no markers");
}

static void test_texts_and_rotations()
{
    require(version() == pintle_version() && abi_version() == PINTLE_ABI && status_severity(PINTLE_OK) == 0, "version");
    System system;
    require(system.get_scheme() == "generalized-alpha" && system.get_option("rho_inf") == 0.8, "settings");
    require_error(PINTLE_ERR_BAD_VALUE, [&] { system.set_scheme("none"); }, "no such scheme");
    require(error_message(system.get()) == error_message(), "one message for system and thread");
    require(get_api().size == sizeof(pintle_api), "the table");
    const Quaternion q = quat_from_euler_zyx({{0.1, 0.2, 0.3}});
    require(std::abs(quat_to_euler_zyx(quat_from_dcm(quat_to_dcm(q)))[2] - 0.3) < 1e-15, "there and back");
    require(std::abs(quat_from_rotvec(quat_to_rotvec(q))[0] - q[0]) < 1e-15, "there and back");
}

static void test_model_files()
{
    System saved;
    const Id body = saved.add_rigid_body(1.0, {{0, 0, 0}}, {{1, 1, 1, 0, 0, 0}}, {{0, 0, 0, 1, 0, 0, 0}});
    for (int i = 0; i < 2; i++) {
        saved.add_joint_at(JointKind::fixed, ground, body, {{0, 0, 0}});
    }
    saved.save_model("wrapper.toml");
    System loaded = System::load_model("wrapper.toml");
    require(loaded.phase() == Phase::building && loaded.count("joint") == 2, "a model read back");
    loaded.initialize(0.0);
    const std::string redundant = loaded.get_redundant_constraints();
    require(redundant.find("joint 1 (FIXED, bodies -1 and 0): 6 of its 6") == 0, redundant.c_str());
    std::remove("wrapper.toml");
    require_error(PINTLE_ERR_IO, [] { System::load_model("wrapper.toml"); }, "a file that is not there");
    require(System::try_load_model("wrapper.toml", saved) == PINTLE_ERR_IO && saved.count("joint") == 2, "a try");
}

int main()
{
    test_ownership();
    test_imposed_motions();
    test_analyses();
    test_load_functions();
    test_exceptions_of_load_functions();
    test_coupled_load_functions();
    test_lines();
    test_progress_functions();
    test_slides_and_frames();
    test_batches();
    test_texts_and_rotations();
    test_model_files();
    std::puts("ok");
}
