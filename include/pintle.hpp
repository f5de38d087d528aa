/*
 * pintle.hpp: pintle.h for C++11 and later; header only, nothing to link but libpintle.
 *
 *     pintle::System system;
 *     system.set_gravity({{0, 0, -9.81}});
 *     pintle::Id body = system.add_rigid_body(1.0, {{0, 0, 0}}, {{0.1, 0.1, 0.1, 0, 0, 0}}, {{1, 0, 0, 1, 0, 0, 0}});
 *     system.add_joint_at(pintle::JointKind::spherical, pintle::ground, body, {{0, 0, 0}});
 *     system.initialize(0.0);
 *     system.step(0.01);
 *     pintle::Pose pose = system.get_body_pose(body);
 *
 * Names are those of pintle.h without "pintle_", and what the functions do stands there: units, frames, phases, errors.
 *
 * OWNERSHIP. System and State free what they hold; they move, and System copies only by clone().
 *
 * ERRORS. A failure throws pintle::Error with status, severity and the library's message. Where a failure belongs to
 * the business of a correct program (numerics, files), a twin named try_... returns the status instead.
 *
 * THREADS. As in pintle.h: one system or state by one thread at a time.
 */
#ifndef PINTLE_HPP
#define PINTLE_HPP

#include <array>
#include <cstdint>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "pintle.h"

namespace pintle {

/* ------------------------------------------------------------------------------------------------------------ types */

using Id = std::int32_t;
using Vector3 = std::array<double, 3>;
using Quaternion = std::array<double, 4>; /* qw qx qy qz */
using Vector6 = std::array<double, 6>;    /* velocity, acceleration, wrench: translational part, then rotational part */
using Pose = std::array<double, 7>;       /* x y z qw qx qy qz */
using Matrix3 = std::array<double, 9>;    /* column-major, as all matrices */
using Matrix6 = std::array<double, 36>;

/* Stands for the inertial frame where a body is asked for. */
constexpr Id ground = PINTLE_GROUND;

enum class Phase : std::int32_t {
    building = PINTLE_PHASE_BUILDING,
    ready = PINTLE_PHASE_READY,
    trial = PINTLE_PHASE_TRIAL,
    failed = PINTLE_PHASE_FAILED
};

enum class Frame : std::int32_t { inertial = PINTLE_FRAME_INERTIAL, body = PINTLE_FRAME_BODY };

enum class JointKind : std::int32_t {
    fixed = PINTLE_JOINT_FIXED,
    spherical = PINTLE_JOINT_SPHERICAL,
    revolute = PINTLE_JOINT_REVOLUTE,
    prismatic = PINTLE_JOINT_PRISMATIC,
    cylindrical = PINTLE_JOINT_CYLINDRICAL,
    universal = PINTLE_JOINT_UNIVERSAL,
    planar = PINTLE_JOINT_PLANAR,
    screw = PINTLE_JOINT_SCREW,
    distance = PINTLE_JOINT_DISTANCE
};

/* xdot = A x + B u, y = C x + D u; column-major. */
struct Linearization {
    std::int32_t states, inputs, outputs;
    std::vector<double> a, b, c, d;
};
/* Natural frequencies and damping ratios; shapes of 12 numbers for each body of each mode; how far from an equilibrium. */
struct Modes {
    std::vector<double> frequencies, damping_ratios, shapes;
    std::array<double, 2> motion;
};
struct JointCoordinate {
    double q, qd, qdd;
};
struct SpringForce {
    double length, tension;
};
struct ConstraintViolation {
    double position, velocity;
};
struct Energy {
    double kinetic, potential;
};

/* What a load function is given: the trial motion of its body, in the inertial frame. */
struct Motion {
    double time;
    Id body;
    Pose pose;
    Vector6 velocity, acceleration;
};

/* What a load function fills in; all zero before. See pintle_load_fn for the two matrices. */
struct Load {
    Vector6 wrench;
    Matrix6 stiffness, damping;
};

/* ----------------------------------------------------------------------------------------------------------- errors */

inline std::string version() { return pintle_version(); }
inline std::int32_t abi_version() { return pintle_abi_version(); }
inline std::string status_name(std::int32_t status) { return pintle_status_name(status); }
inline std::int32_t status_severity(std::int32_t status) { return pintle_status_severity(status); }

/* The message of the last failed call on a system; nullptr: of the calling thread's last failed call. */
inline std::string error_message(const pintle_system *system = nullptr)
{
    std::int32_t length = 0;
    pintle_error_message(system, 0, nullptr, &length);
    std::vector<char> text(static_cast<std::size_t>(length) + 1);
    pintle_error_message(system, length + 1, text.data(), nullptr);
    return text.data();
}

class Error : public std::runtime_error {
public:
    Error(std::int32_t status, const std::string &message)
        : std::runtime_error(pintle::status_name(status) + ": " + message), status_(status)
    {
    }
    std::int32_t status() const noexcept { return status_; }
    std::int32_t severity() const noexcept { return pintle_status_severity(status_); }

private:
    std::int32_t status_;
};

namespace detail {

inline void check(std::int32_t status, const pintle_system *system = nullptr)
{
    if (status != PINTLE_OK) {
        throw Error(status, error_message(system));
    }
}

template <std::size_t N>
const double *rows(const std::vector<std::array<double, N>> &items)
{
    static_assert(sizeof(std::array<double, N>) == N * sizeof(double), "items follow each other without gaps");
    return items.empty() ? nullptr : items.front().data();
}

template <std::size_t N>
double *rows(std::vector<std::array<double, N>> &items)
{
    return items.empty() ? nullptr : items.front().data();
}

template <class T>
std::int32_t length(const std::vector<T> &items)
{
    /* A length that does not fit is refused by the library, as any other wrong one. */
    return items.size() > INT32_MAX ? -1 : static_cast<std::int32_t>(items.size());
}

/* The length of both, or one that the library refuses. */
template <class A, class B>
std::int32_t common_length(const std::vector<A> &a, const std::vector<B> &b)
{
    return a.size() == b.size() ? length(a) : -1;
}

inline std::size_t product(std::int32_t a, std::int32_t b)
{
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

/* A load function in the hands of a system: the object, which clones of the system share, and what it threw. */
struct HeldLoad {
    std::shared_ptr<void> function;
    pintle_load_fn call;
    std::exception_ptr thrown;
};

/* What the library calls. An exception ends here: the step fails, and System throws it again from there. */
template <class F>
std::int32_t call_load(void *user, double time, std::int32_t body, const double *pose, const double *velocity,
                       const double *acceleration, double *wrench, double *stiffness36, double *damping36) noexcept
{
    HeldLoad *held = static_cast<HeldLoad *>(user);
    try {
        Motion motion;
        Load load = Load();
        motion.time = time;
        motion.body = body;
        std::memcpy(motion.pose.data(), pose, sizeof motion.pose);
        std::memcpy(motion.velocity.data(), velocity, sizeof motion.velocity);
        std::memcpy(motion.acceleration.data(), acceleration, sizeof motion.acceleration);
        (*static_cast<F *>(held->function.get()))(static_cast<const Motion &>(motion), load);
        std::memcpy(wrench, load.wrench.data(), sizeof load.wrench);
        std::memcpy(stiffness36, load.stiffness.data(), sizeof load.stiffness);
        std::memcpy(damping36, load.damping.data(), sizeof load.damping);
        return 0;
    } catch (...) {
        held->thrown = std::current_exception();
        return 1;
    }
}

} // namespace detail

/* ------------------------------------------------------------------------------------------------------------ state */

/* A copy of everything that a step depends on. Empty until System::state_save fills it. */
class State {
public:
    State() = default;
    ~State() { pintle_state_destroy(&handle_); }
    State(State &&other) noexcept { *this = std::move(other); }
    State &operator=(State &&other) noexcept
    {
        std::swap(handle_, other.handle_);
        return *this;
    }
    State(const State &) = delete;
    State &operator=(const State &) = delete;

    const pintle_state *get() const noexcept { return handle_; }

    std::vector<std::uint8_t> serialize() const
    {
        std::int64_t length = 0;
        detail::check(pintle_state_serialize(handle_, 0, nullptr, &length));
        std::vector<std::uint8_t> bytes(static_cast<std::size_t>(length));
        detail::check(pintle_state_serialize(handle_, length, bytes.data(), &length));
        return bytes;
    }

private:
    friend class System;
    pintle_state *handle_ = nullptr;
};

/* ----------------------------------------------------------------------------------------------------------- system */

class System {
public:
    System()
    {
        if (pintle_abi_version() != PINTLE_ABI) {
            throw Error(PINTLE_ERR_ABI_MISMATCH, "the program was compiled with another ABI of pintle");
        }
        detail::check(pintle_create(&handle_));
    }
    ~System() { pintle_destroy(&handle_); }
    System(System &&other) noexcept { *this = std::move(other); }
    System &operator=(System &&other) noexcept
    {
        std::swap(handle_, other.handle_);
        std::swap(loads_, other.loads_);
        return *this;
    }
    System(const System &) = delete;
    System &operator=(const System &) = delete;

    /* A deep copy. Load functions are shared: both systems call the same object. */
    System clone() const
    {
        System copy{Empty()};
        check(pintle_clone(handle_, &copy.handle_));
        for (const auto &load : loads_) {
            copy.hold(load.first, load.second->function, load.second->call);
        }
        return copy;
    }

    /* The system that a file describes. */
    static System load_model(const std::string &path)
    {
        System loaded;
        detail::check(try_load_model(path, loaded));
        return loaded;
    }
    /* Takes the place of `system`, which stays as it is at a failure. */
    static std::int32_t try_load_model(const std::string &path, System &system)
    {
        System loaded{Empty()};
        const std::int32_t status = pintle_load_model(path.c_str(), &loaded.handle_);
        if (status == PINTLE_OK) {
            system = std::move(loaded);
        }
        return status;
    }
    void save_model(const std::string &path) const { check(try_save_model(path)); }
    std::int32_t try_save_model(const std::string &path) const { return pintle_save_model(handle_, path.c_str()); }

    /* For calls of the C functions themselves; the system stays the owner. */
    pintle_system *get() const noexcept { return handle_; }

    Phase phase() const { return static_cast<Phase>(number<std::int32_t>(pintle_phase)); }
    void initialize(double t0) { check(pintle_initialize(handle_, t0)); }
    std::int32_t try_initialize(double t0) { return attempt(pintle_initialize(handle_, t0)); }

    /* Model. */

    void set_gravity(const Vector3 &gravity) { check(pintle_set_gravity(handle_, gravity.data())); }
    Id add_body(const Matrix6 &mass, const Pose &pose) { return made(pintle_add_body, mass.data(), pose.data()); }
    Id add_rigid_body(double mass, const Vector3 &com, const Vector6 &inertia, const Pose &pose)
    {
        return made(pintle_add_rigid_body, mass, com.data(), inertia.data(), pose.data());
    }
    void set_body_velocity(Id body, const Vector6 &v) { check(pintle_set_body_velocity(handle_, body, v.data())); }
    void set_body_acceleration(Id body, const Vector6 &a)
    {
        check(pintle_set_body_acceleration(handle_, body, a.data()));
    }
    Id add_joint(JointKind kind, Id body_a, Id body_b, const Pose &frame_a, const Pose &frame_b)
    {
        return made(pintle_add_joint, number_of(kind), body_a, body_b, frame_a.data(), frame_b.data());
    }
    Id add_joint_at(JointKind kind, Id body_a, Id body_b, const Vector3 &point, const Vector3 &axis)
    {
        return made(pintle_add_joint_at, number_of(kind), body_a, body_b, point.data(), axis.data());
    }
    /* Without an axis: fixed and spherical joints. */
    Id add_joint_at(JointKind kind, Id body_a, Id body_b, const Vector3 &point)
    {
        return made(pintle_add_joint_at, number_of(kind), body_a, body_b, point.data(), nullptr);
    }
    void set_body_prescribed(Id body, bool prescribed)
    {
        check(pintle_set_body_prescribed(handle_, body, prescribed ? 1 : 0));
    }
    void set_joint_driven(Id joint, bool driven) { check(pintle_set_joint_driven(handle_, joint, driven ? 1 : 0)); }
    void set_joint_spring(Id joint, double stiffness, double damping, double rest)
    {
        check(pintle_set_joint_spring(handle_, joint, stiffness, damping, rest));
    }
    void set_joint_pitch(Id joint, double pitch) { check(pintle_set_joint_pitch(handle_, joint, pitch)); }
    Id add_spring(Id body_a, const Vector3 &point_a, Id body_b, const Vector3 &point_b, double stiffness,
                  double damping, double rest_length, bool tension_only = false)
    {
        return made(pintle_add_spring, body_a, point_a.data(), body_b, point_b.data(), stiffness, damping, rest_length,
                    tension_only ? 1 : 0);
    }
    Id add_bushing(Id body_a, Id body_b, const Pose &frame_a, const Pose &frame_b, const Matrix6 &stiffness,
                   const Matrix6 &damping)
    {
        return made(pintle_add_bushing, body_a, body_b, frame_a.data(), frame_b.data(), stiffness.data(),
                    damping.data());
    }
    Id add_marker(Id body, const Pose &frame) { return made(pintle_add_marker, body, frame.data()); }
    void set_name(const std::string &kind, Id id, const std::string &name)
    {
        check(pintle_set_name(handle_, kind.c_str(), id, name.c_str()));
    }
    Id find(const std::string &kind, const std::string &name) const
    {
        return made(pintle_find, kind.c_str(), name.c_str());
    }
    std::int32_t count(const std::string &kind) const { return made(pintle_count, kind.c_str()); }
    void set_added_mass(Id body, const Matrix6 &a, Frame frame)
    {
        check(pintle_set_added_mass(handle_, body, a.data(), number_of(frame)));
    }
    void set_linear_damping(Id body, const Matrix6 &c, Frame frame)
    {
        check(pintle_set_linear_damping(handle_, body, c.data(), number_of(frame)));
    }
    void set_quadratic_drag(Id body, const Matrix6 &d, Frame frame)
    {
        check(pintle_set_quadratic_drag(handle_, body, d.data(), number_of(frame)));
    }

    /* Settings. */

    void set_scheme(const std::string &name) { check(pintle_set_scheme(handle_, name.c_str())); }
    std::string get_scheme() const { return text(pintle_get_scheme); }
    void set_option(const std::string &key, double value) { check(pintle_set_option(handle_, key.c_str(), value)); }
    double get_option(const std::string &key) const { return value(pintle_get_option, key); }

    /* Inputs. */

    void clear_loads() { check(pintle_clear_loads(handle_)); }
    void set_body_load(Id body, Frame frame, const Vector6 &wrench)
    {
        check(pintle_set_body_load(handle_, body, number_of(frame), wrench.data()));
    }
    void set_body_loads(Frame frame, const std::vector<Vector6> &wrenches)
    {
        check(pintle_set_body_loads(handle_, number_of(frame), detail::length(wrenches), detail::rows(wrenches)));
    }
    void set_marker_load(Id marker, Frame frame, const Vector6 &wrench)
    {
        check(pintle_set_marker_load(handle_, marker, number_of(frame), wrench.data()));
    }
    void set_marker_loads(Frame frame, const std::vector<Vector6> &wrenches)
    {
        check(pintle_set_marker_loads(handle_, number_of(frame), detail::length(wrenches), detail::rows(wrenches)));
    }

    void set_joint_load(Id joint, double generalized_force)
    {
        check(pintle_set_joint_load(handle_, joint, generalized_force));
    }
    void set_joint_motion(Id joint, double q, double qd, double qdd)
    {
        check(pintle_set_joint_motion(handle_, joint, q, qd, qdd));
    }
    void set_body_motion(Id body, const Pose &pose, const Vector6 &velocity, const Vector6 &acceleration)
    {
        check(pintle_set_body_motion(handle_, body, pose.data(), velocity.data(), acceleration.data()));
    }

    /* `function(const Motion &, Load &)`, called inside the iteration; the system keeps it. What it throws comes out of
     * initialize, step or advance, whose call has then failed like any other. It must not turn to its own system. */
    template <class F>
    void set_load_callback(Id body, F &&function)
    {
        using Function = typename std::decay<F>::type;
        hold(body, std::make_shared<Function>(std::forward<F>(function)), detail::call_load<Function>);
    }
    void remove_load_callback(Id body)
    {
        check(pintle_set_load_callback(handle_, body, nullptr, nullptr));
        loads_.erase(body);
    }
    void mark_discontinuity() { check(pintle_mark_discontinuity(handle_)); }

    /* Stepping. */

    void step(double dt) { check(pintle_step(handle_, dt)); }
    std::int32_t try_step(double dt) { return attempt(pintle_step(handle_, dt)); }
    void advance(double dt) { check(pintle_advance(handle_, dt)); }
    std::int32_t try_advance(double dt) { return attempt(pintle_advance(handle_, dt)); }
    void accept() { check(pintle_accept(handle_)); }
    void reject() { check(pintle_reject(handle_)); }
    double time() const { return number<double>(pintle_time); }
    double get_statistic(const std::string &key) const { return value(pintle_get_statistic, key); }
    std::string get_warning() const
    {
        std::int32_t length = 0;
        pintle_get_warning(handle_, 0, nullptr, &length);
        std::vector<char> text(static_cast<std::size_t>(length) + 1);
        check(pintle_get_warning(handle_, length + 1, text.data(), nullptr));
        return text.data();
    }

    /* Outputs. */

    Pose get_body_pose(Id body) const { return item<7>(pintle_get_body_pose, body); }
    Pose get_body_displacement(Id body) const { return item<7>(pintle_get_body_displacement, body); }
    Vector6 get_body_velocity(Id body, Frame f) const { return item(pintle_get_body_velocity, body, f); }
    Vector6 get_body_acceleration(Id body, Frame f) const { return item(pintle_get_body_acceleration, body, f); }
    Pose get_marker_pose(Id marker) const { return item<7>(pintle_get_marker_pose, marker); }
    Vector6 get_marker_velocity(Id marker, Frame f) const { return item(pintle_get_marker_velocity, marker, f); }
    Vector6 get_marker_acceleration(Id marker, Frame f) const
    {
        return item(pintle_get_marker_acceleration, marker, f);
    }

    /* Those of all bodies or markers. The vector gets their number of items, and memory only if that changed. */
    void get_body_poses(std::vector<Pose> &poses) const { items(pintle_get_body_poses, "body", poses); }
    void get_body_velocities(std::vector<Vector6> &v) const { items(pintle_get_body_velocities, "body", v); }
    void get_body_accelerations(std::vector<Vector6> &a) const { items(pintle_get_body_accelerations, "body", a); }
    void get_marker_poses(std::vector<Pose> &poses) const { items(pintle_get_marker_poses, "marker", poses); }
    void get_marker_velocities(std::vector<Vector6> &v) const { items(pintle_get_marker_velocities, "marker", v); }
    void get_marker_accelerations(std::vector<Vector6> &a) const
    {
        items(pintle_get_marker_accelerations, "marker", a);
    }

    JointCoordinate get_joint_coordinate(Id joint) const
    {
        JointCoordinate c = {0.0, 0.0, 0.0};
        check(pintle_get_joint_coordinate(handle_, joint, &c.q, &c.qd, &c.qdd));
        return c;
    }
    Vector6 get_body_reaction(Id body, Frame f) const { return item(pintle_get_body_reaction, body, f); }
    Vector6 get_joint_reaction(Id joint, Frame f) const { return item(pintle_get_joint_reaction, joint, f); }
    Vector6 get_joint_reaction_on_a(Id joint, Frame f) const { return item(pintle_get_joint_reaction_on_a, joint, f); }
    SpringForce get_spring_force(Id spring) const
    {
        SpringForce force = {0.0, 0.0};
        check(pintle_get_spring_force(handle_, spring, &force.length, &force.tension));
        return force;
    }
    ConstraintViolation get_constraint_violation() const
    {
        ConstraintViolation violation = {0.0, 0.0};
        check(pintle_get_constraint_violation(handle_, &violation.position, &violation.velocity));
        return violation;
    }
    std::string get_redundant_constraints() const { return text(pintle_get_redundant_constraints); }
    Energy get_energy() const
    {
        Energy energy = {0.0, 0.0};
        check(pintle_get_energy(handle_, &energy.kinetic, &energy.potential));
        return energy;
    }
    Vector6 get_momentum(const Vector3 &about) const
    {
        Vector6 momentum;
        check(pintle_get_momentum(handle_, about.data(), momentum.data()));
        return momentum;
    }

    /* State. */

    /* Analyses. Matrices are column-major. */

    void solve_equilibrium(std::int32_t max_iterations, double tolerance)
    {
        check(pintle_solve_equilibrium(handle_, max_iterations, tolerance));
    }
    std::int32_t try_solve_equilibrium(std::int32_t max_iterations, double tolerance)
    {
        return attempt(pintle_solve_equilibrium(handle_, max_iterations, tolerance));
    }
    void get_coordinates(std::vector<Pose> &poses, std::vector<Vector6> &velocities) const
    {
        const std::int32_t n = count("body");
        poses.resize(static_cast<std::size_t>(n));
        velocities.resize(static_cast<std::size_t>(n));
        check(pintle_get_coordinates(handle_, n, detail::rows(poses), detail::rows(velocities)));
    }
    void set_coordinates(const std::vector<Pose> &poses, const std::vector<Vector6> &velocities)
    {
        check(pintle_set_coordinates(handle_, detail::common_length(poses, velocities), detail::rows(poses),
                                     detail::rows(velocities)));
    }
    std::vector<Vector6> eval_accelerations(const std::vector<Pose> &poses, const std::vector<Vector6> &velocities) const
    {
        std::vector<Vector6> accelerations(poses.size());
        check(pintle_eval_accelerations(handle_, detail::common_length(poses, velocities), detail::rows(poses),
                                        detail::rows(velocities), detail::rows(accelerations)));
        return accelerations;
    }
    std::vector<double> get_mass_matrix() const
    {
        const std::int32_t n = whole("dofs");
        std::vector<double> mass(detail::product(n, n));
        check(pintle_get_mass_matrix(handle_, n, mass.data()));
        return mass;
    }
    std::vector<double> get_constraint_jacobian() const
    {
        const std::int32_t m = whole("constraints"), n = whole("dofs");
        std::vector<double> jacobian(detail::product(m, n));
        check(pintle_get_constraint_jacobian(handle_, m, n, jacobian.data()));
        return jacobian;
    }
    Linearization linearize(const std::vector<Id> &bodies, const std::vector<Id> &load_markers,
                            const std::vector<Id> &sensor_markers) const
    {
        Linearization l;
        l.states = 2 * whole("mobility");
        l.inputs = 6 * (detail::length(bodies) + detail::length(load_markers));
        l.outputs = 18 * detail::length(sensor_markers);
        l.a.resize(detail::product(l.states, l.states));
        l.b.resize(detail::product(l.states, l.inputs));
        l.c.resize(detail::product(l.outputs, l.states));
        l.d.resize(detail::product(l.outputs, l.inputs));
        check(pintle_linearize(handle_, detail::length(bodies), bodies.data(), detail::length(load_markers),
                               load_markers.data(), detail::length(sensor_markers), sensor_markers.data(), l.states,
                               l.a.data(), l.b.data(), l.c.data(), l.d.data()));
        return l;
    }
    std::string get_state_name(std::int32_t state) const
    {
        std::int32_t length = 0;
        pintle_get_state_name(handle_, state, 0, nullptr, &length);
        std::vector<char> text(static_cast<std::size_t>(length) + 1);
        check(pintle_get_state_name(handle_, state, length + 1, text.data(), nullptr));
        return text.data();
    }
    Modes get_modes() const
    {
        const std::int32_t n = 2 * whole("mobility"), bodies = count("body");
        std::int32_t found = 0;
        Modes modes;
        modes.frequencies.resize(detail::product(n, 1));
        modes.damping_ratios.resize(detail::product(n, 1));
        modes.shapes.resize(detail::product(12 * n, bodies));
        check(pintle_get_modes(handle_, n, &found, modes.frequencies.data(), modes.damping_ratios.data(), bodies,
                               modes.shapes.data(), modes.motion.data()));
        modes.frequencies.resize(detail::product(found, 1));
        modes.damping_ratios.resize(detail::product(found, 1));
        modes.shapes.resize(detail::product(12 * found, bodies));
        return modes;
    }
    std::vector<double> get_load_compliance(const std::vector<Id> &markers, double dt) const
    {
        const std::int32_t rows = 6 * detail::length(markers);
        std::vector<double> out(detail::product(3 * rows, rows));
        check(pintle_get_load_compliance(handle_, detail::length(markers), markers.data(), dt, 3 * rows * rows, out.data()));
        return out;
    }

    State state_save() const
    {
        State state;
        state_save(state);
        return state;
    }
    /* Overwrites a state; without allocation if it came from the same model. */
    void state_save(State &state) const { check(pintle_state_save(handle_, &state.handle_)); }
    void state_restore(const State &state) { check(pintle_state_restore(handle_, state.handle_)); }
    State state_deserialize(const std::vector<std::uint8_t> &bytes) const
    {
        State state;
        check(try_state_deserialize(bytes, state));
        return state;
    }
    std::int32_t try_state_deserialize(const std::vector<std::uint8_t> &bytes, State &state) const
    {
        return pintle_state_deserialize(handle_, static_cast<std::int64_t>(bytes.size()), bytes.data(), &state.handle_);
    }
    void write_checkpoint(const std::string &path) const { check(try_write_checkpoint(path)); }
    std::int32_t try_write_checkpoint(const std::string &path) const
    {
        return pintle_write_checkpoint(handle_, path.c_str());
    }
    void read_checkpoint(const std::string &path) { check(try_read_checkpoint(path)); }
    std::int32_t try_read_checkpoint(const std::string &path) { return pintle_read_checkpoint(handle_, path.c_str()); }

private:
    struct Empty {};
    explicit System(Empty) {}

    /* Throws what a load function threw, or else the library's own error. */
    void check(std::int32_t status) const
    {
        if (status == PINTLE_ERR_CALLBACK) {
            for (const auto &load : loads_) {
                if (load.second->thrown) {
                    std::exception_ptr thrown;
                    std::swap(thrown, load.second->thrown);
                    std::rethrow_exception(thrown);
                }
            }
        }
        detail::check(status, handle_);
    }

    /* Leaves the status to the caller; what a load function threw is forgotten. */
    std::int32_t attempt(std::int32_t status) const
    {
        for (const auto &load : loads_) {
            load.second->thrown = nullptr;
        }
        return status;
    }

    void hold(Id body, std::shared_ptr<void> function, pintle_load_fn call)
    {
        std::unique_ptr<detail::HeldLoad> held(new detail::HeldLoad{std::move(function), call, nullptr});
        const auto place = loads_.emplace(body, nullptr).first; /* what may throw comes before the library knows */
        const std::int32_t status = pintle_set_load_callback(handle_, body, call, held.get());
        if (status == PINTLE_OK) {
            place->second = std::move(held);
        } else if (!place->second) {
            loads_.erase(place);
        }
        check(status);
    }

    template <class Enum>
    static std::int32_t number_of(Enum value)
    {
        return static_cast<std::int32_t>(value);
    }

    /* The shapes that C functions have: (system, ..., int32_t *out), (system, T *out), (system, key, double *out),
     * (system, id, double out[N]), (system, id, frame, double out[6]), (system, n, double *out), (system, cap, buf, len). */
    template <class Function, class... Arguments>
    std::int32_t made(Function function, Arguments... arguments) const
    {
        std::int32_t result = -1;
        check(function(handle_, arguments..., &result));
        return result;
    }
    template <class T>
    T number(std::int32_t (*function)(const pintle_system *, T *)) const
    {
        T result = T();
        check(function(handle_, &result));
        return result;
    }
    double value(std::int32_t (*function)(const pintle_system *, const char *, double *), const std::string &key) const
    {
        double result = 0.0;
        check(function(handle_, key.c_str(), &result));
        return result;
    }
    std::string text(std::int32_t (*function)(const pintle_system *, std::int32_t, char *, std::int32_t *)) const
    {
        std::int32_t length = 0;
        function(handle_, 0, nullptr, &length);
        std::vector<char> result(static_cast<std::size_t>(length) + 1);
        check(function(handle_, length + 1, result.data(), nullptr));
        return result.data();
    }
    template <std::size_t N>
    std::array<double, N> item(std::int32_t (*function)(const pintle_system *, std::int32_t, double *), Id id) const
    {
        std::array<double, N> result;
        check(function(handle_, id, result.data()));
        return result;
    }
    Vector6 item(std::int32_t (*function)(const pintle_system *, std::int32_t, std::int32_t, double *), Id id,
                 Frame frame) const
    {
        Vector6 result;
        check(function(handle_, id, number_of(frame), result.data()));
        return result;
    }
    std::int32_t whole(const char *key) const { return static_cast<std::int32_t>(get_statistic(key)); }
    template <std::size_t N>
    void items(std::int32_t (*function)(const pintle_system *, std::int32_t, double *), const char *kind,
               std::vector<std::array<double, N>> &result) const
    {
        const std::int32_t n = count(kind);
        result.resize(static_cast<std::size_t>(n));
        check(function(handle_, n, detail::rows(result)));
    }

    pintle_system *handle_ = nullptr;
    std::map<Id, std::unique_ptr<detail::HeldLoad>> loads_;
};

/* -------------------------------------------------------------------------------------- rotations, run-time loading */

namespace detail {

template <std::size_t N, std::size_t M>
std::array<double, N> convert(std::int32_t (*function)(const double *, double *), const std::array<double, M> &in)
{
    std::array<double, N> out;
    check(function(in.data(), out.data()));
    return out;
}

} // namespace detail

inline double suggest_time_step(double radius)
{
    double dt = 0;
    detail::check(pintle_suggest_time_step(radius, &dt));
    return dt;
}

inline Matrix3 quat_to_dcm(const Quaternion &q) { return detail::convert<9>(pintle_quat_to_dcm, q); }
inline Quaternion quat_from_dcm(const Matrix3 &dcm) { return detail::convert<4>(pintle_quat_from_dcm, dcm); }
inline Vector3 quat_to_rotvec(const Quaternion &q) { return detail::convert<3>(pintle_quat_to_rotvec, q); }
inline Quaternion quat_from_rotvec(const Vector3 &r) { return detail::convert<4>(pintle_quat_from_rotvec, r); }
inline Vector3 quat_to_euler_zyx(const Quaternion &q) { return detail::convert<3>(pintle_quat_to_euler_zyx, q); }
inline Quaternion quat_from_euler_zyx(const Vector3 &a) { return detail::convert<4>(pintle_quat_from_euler_zyx, a); }

inline std::vector<Pose> retract(const std::vector<Pose> &poses, const std::vector<Vector6> &increments)
{
    std::vector<Pose> moved(poses.size());
    detail::check(pintle_retract(detail::common_length(poses, increments), detail::rows(poses), detail::rows(increments),
                                 detail::rows(moved)));
    return moved;
}
inline std::vector<Vector6> difference(const std::vector<Pose> &from, const std::vector<Pose> &to)
{
    std::vector<Vector6> increments(from.size());
    detail::check(pintle_difference(detail::common_length(from, to), detail::rows(from), detail::rows(to),
                                    detail::rows(increments)));
    return increments;
}

/* The table of all functions, for code that passes it on. */
inline pintle_api get_api()
{
    pintle_api api;
    detail::check(pintle_get_api(PINTLE_ABI, static_cast<std::int64_t>(sizeof api), &api));
    return api;
}

} // namespace pintle

#endif
