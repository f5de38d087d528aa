/*
 * pintle: rigid multibody dynamics behind a C ABI, for programs that have no structural solver of
 * their own.
 *
 * A system is bodies, joints, springs, bushings, gears, markers, points and mooring lines. The host
 * describes it, initializes it, and then repeats: inputs in, advance, outputs out. The motion is
 * integrated on R3 x SO(3) by an implicit generalized-alpha scheme with Lagrange multipliers for
 * joints. docs/theory.md of the sources has the equations.
 *
 *     pintle_system *sys = NULL;
 *     int32_t body = -1, joint = -1, status;
 *     const double gravity[3] = {0, 0, -9.81}, origin[3] = {0, 0, 0};
 *     const double com[3] = {0, 0, 0}, inertia[6] = {0.1, 0.1, 0.1, 0, 0, 0};
 *     double pose[7] = {1, 0, 0,  1, 0, 0, 0}, t = 0;
 *
 *     pintle_create(&sys);
 *     pintle_set_gravity(sys, gravity);
 *     pintle_add_rigid_body(sys, 1.0, com, inertia, pose, &body);
 *     pintle_add_joint_at(sys, PINTLE_JOINT_SPHERICAL, PINTLE_GROUND, body, origin, NULL, &joint);
 *     status = pintle_initialize(sys, 0.0);
 *     while (status == PINTLE_OK && t < 10.0) { status = pintle_step(sys, 0.01); t += 0.01; }
 *     pintle_get_body_pose(sys, body, pose);
 *     if (status != PINTLE_OK) { char text[256]; pintle_error_message(sys, 256, text, NULL); puts(text); }
 *     pintle_destroy(&sys);
 *
 * UNITS. Any consistent set, for example kg, m, s; angles in rad.
 *
 * FRAMES. I is the inertial frame, right-handed; B are the axes of a body.
 *     pose[7]         x y z of the body's reference point in I, then the unit quaternion qw qx qy qz, active, body to
 *                     inertial: v_I = R(q) v_B. Norms off 1 by more than 1e-6 are refused, others are normalised.
 *     velocity[6]     linear of the reference point, then angular, in I; acceleration[6] likewise.
 *     wrench[6]       force, then moment about the reference point (or marker), in I.
 * Where a function takes `frame`, the same six numbers may be given or asked for in other axes:
 * PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY. The reference point stays the same.
 *     6x6 matrices    act on (translation, rotation) in that order, column-major: a[i + 6*j].
 *     batches         are contiguous per item: double x[n][7] in C, x(7,n) in Fortran.
 *
 * IDS. int32_t, dense from 0 in order of creation, for each kind of entity. PINTLE_GROUND stands
 * for the inertial frame.
 *
 * PHASES. BUILDING: describe the model. pintle_initialize leads to READY: there is an accepted
 * state. pintle_advance leads to TRIAL: beside the accepted state there is a trial state, and
 * outputs are those of the trial; advance again from the accepted state with better inputs, or
 * pintle_accept, or pintle_reject. FAILED: the library caught a bug of its own; getters of the
 * accepted state, pintle_state_restore, pintle_read_checkpoint and pintle_destroy work. A function
 * may be called in the phases that it lists under "Phases"; in others it returns
 * PINTLE_ERR_BAD_PHASE.
 *
 * ERRORS. Every function that can fail returns a status: PINTLE_OK is 0, anything above is a
 * failure, also numbers that this header does not know. 200s are the caller's mistake, 300s
 * numerics (a smaller step may help), 400s the environment, 500 a bug of this library.
 * pintle_error_message describes the error. A failed call leaves the object as it was, and a failed
 * step leaves the accepted state, so that the host may try again; results are not written. In
 * addition to the statuses that it lists under "Errors", every function may return
 * PINTLE_ERR_NULL_ARGUMENT, PINTLE_ERR_BAD_HANDLE, PINTLE_ERR_BAD_PHASE if the object is in use,
 * PINTLE_ERR_OUT_OF_MEMORY (which a call that needs much memory returns before it begins), and
 * PINTLE_ERR_PANIC. The library does not print, exit, abort, raise signals, read the environment or
 * start threads.
 *
 * OWNERSHIP. Handles come from functions with a parameter of type `pintle_system **` or
 * `pintle_state **`; the caller frees each once with pintle_destroy or pintle_state_destroy, in any
 * order. Everything else is copied: no pointer of the caller is kept after return, except the user
 * pointers of callbacks. Input and output arrays may overlap. Array arguments have the size in
 * brackets; arrays of other sizes are preceded by their length, which is checked. Use of a handle
 * that was freed through another variable is detected on a best-effort basis.
 *
 * TEXT. In: NUL-terminated UTF-8 of at most 8191 bytes (else PINTLE_ERR_BAD_SIZE). Out: (cap, buf,
 * len): at most cap bytes with the NUL go to buf, the full length without the NUL to len (which may
 * be NULL). Text that does not fit is cut and PINTLE_ERR_BUFFER_TOO_SMALL returned; a call with cap
 * = 0 only returns the length.
 *
 * THREADS. Different systems may be used from different threads at the same time, one system by one
 * thread at a time; a state counts as a system here. A call on an object that is in use returns
 * PINTLE_ERR_BAD_PHASE: from a second thread, and from a load callback that calls its own system.
 * Functions without a handle may be called from any thread.
 *
 * REPRODUCIBILITY. Results are bit-identical from run to run on one machine, and after save and
 * restore.
 *
 * The functions stand in this order: library, life cycle, model, settings, inputs, stepping,
 * outputs, channels, state, rotation helpers, and pintle_get_api for hosts that load the library at
 * run time.
 *
 * MIT OR Apache-2.0. Generated by scripts/generate from src/capi: do not edit.
 */

#ifndef PINTLE_H
#define PINTLE_H

#include <stdint.h>

/** Stands for the inertial frame where the id of a body is asked for. */
#define PINTLE_GROUND (-1)

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A load on a body that depends on its motion; see pintle_set_load_callback. Called inside the
 * iteration, several times per step, on the thread that steps. It must not call back into its own
 * system (other than pintle_error_message), and must not leave by longjmp or a C++ exception.
 *
 * - `user`: what was given to pintle_set_load_callback.
 * - `time`: at which the load is asked for.
 * - `body`: id.
 * - `pose[7]`, `velocity[6]`, `acceleration[6]`: the trial motion of the body, in I.
 * - `wrench[6]`: zero; receives force and moment about the reference point, in I.
 * - `stiffness36`, `damping36`: `[36]`, zero; may be filled with -d wrench / d (displacement,
 *   rotation vector) and -d wrench / d velocity, column-major, in I, to keep Newton's method
 *   quadratic.
 *
 * Returns 0; anything else fails the step with PINTLE_ERR_CALLBACK, as do numbers that are not
 * finite.
 */
typedef int32_t (*pintle_load_fn)(void *user, double time, int32_t body, const double pose[7],
                                  const double velocity[6], const double acceleration[6], double wrench[6],
                                  double *stiffness36, double *damping36);

/**
 * Called from time to time during a long call, which it may stop; see pintle_set_progress_callback.
 * Called on the thread that made the call. It must not call back into its own system (other than
 * pintle_error_message), and must not leave by longjmp or a C++ exception.
 *
 * - `user`: what was given to pintle_set_progress_callback.
 * - `time`: at which the call works.
 * - `fraction`: of the call that is done, 0 to 1; 0 where it is not known.
 *
 * Returns 0; anything else stops the call with PINTLE_ERR_STOPPED, and nothing has changed.
 */
typedef int32_t (*pintle_progress_fn)(void *user, double time, double fraction);

/**
 * Loads on a set of bodies that depend on the motion of all of them; see
 * pintle_set_coupled_load_callback. Called inside the iteration, several times per step, on the
 * thread that steps; the restrictions of pintle_load_fn apply.
 *
 * - `user`: what was given to pintle_set_coupled_load_callback.
 * - `time`: at which the loads are asked for.
 * - `n`: the number of bodies.
 * - `bodies`: `[n]`, their ids, in the order given to pintle_set_coupled_load_callback, as in what
 *   follows.
 * - `poses`: `[n][7]`, the trial poses of the reference points, in I.
 * - `velocities`, `accelerations`: `[n][6]`, those of the trial motion, in I.
 * - `wrenches`: `[n][6]`, zero; receives force and moment about the reference point of each body,
 *   in I.
 * - `stiffness`, `damping`, `mass`: `[6*n][6*n]`, zero; may be filled with -d wrenches / d
 *   (displacements, rotation vectors), / d velocities and / d accelerations, column-major, in I,
 *   cross terms between the bodies included.
 *
 * Returns 0; anything else fails the step with PINTLE_ERR_CALLBACK, as do numbers that are not
 * finite.
 */
typedef int32_t (*pintle_coupled_load_fn)(void *user, double time, int32_t n, const int32_t *bodies,
                                          const double *poses, const double *velocities, const double *accelerations,
                                          double *wrenches, double *stiffness, double *damping, double *mass);

/**
 * Computes the motion of the water at nodes of lines, at points, on cylinders; see
 * pintle_set_fluid_callback for their order and the times of calls. Called on the thread that
 * steps; the restrictions of pintle_load_fn apply.
 *
 * - `user`: what was given to pintle_set_fluid_callback.
 * - `time`: at which the motion is asked for.
 * - `n`: the number of places.
 * - `positions`: `[n][3]`, in I.
 * - `velocities`: `[n][3]`, zero; receives velocities of the water, in I.
 * - `accelerations`: `[n][3]`, zero; receives its accelerations, in I.
 * - `elevations`: `[n]`, zero; receives elevations of its surface over z = 0.
 *
 * Returns 0; anything else fails the step with PINTLE_ERR_CALLBACK, as do numbers that are not
 * finite.
 */
typedef int32_t (*pintle_fluid_fn)(void *user, double time, int32_t n, const double *positions, double *velocities,
                                   double *accelerations, double *elevations);

#ifdef __cplusplus
}  // extern "C"
#endif

/// Success.
#define PINTLE_OK 0

/// A required pointer is NULL.
#define PINTLE_ERR_NULL_ARGUMENT 200

/// A handle that is not a live object of its type.
#define PINTLE_ERR_BAD_HANDLE 201

/// An id that the model does not have.
#define PINTLE_ERR_BAD_ID 202

/// A length that does not match.
#define PINTLE_ERR_BAD_SIZE 203

/// A value outside its range; the message has the range.
#define PINTLE_ERR_BAD_VALUE 204

/// NaN or infinity in an argument.
#define PINTLE_ERR_NOT_FINITE 205

/// The call is not allowed in the present phase, or the object is in use by a call that has not
/// returned.
#define PINTLE_ERR_BAD_PHASE 206

/// The buffer is shorter than the result.
#define PINTLE_ERR_BUFFER_TOO_SMALL 207

/// Part of the interface, but not supported in this version.
#define PINTLE_ERR_UNSUPPORTED 208

/// Text that is not UTF-8.
#define PINTLE_ERR_BAD_UTF8 209

/// Header and library have different versions.
#define PINTLE_ERR_ABI_MISMATCH 210

/// Bytes or a file that are not a state or not a model, or are damaged.
#define PINTLE_ERR_FORMAT 211

/// The state of another model.
#define PINTLE_ERR_FINGERPRINT 212

/// The iteration of a step did not converge; a smaller step may.
#define PINTLE_ERR_NO_CONVERGENCE 300

/// A matrix has no inverse.
#define PINTLE_ERR_SINGULAR 301

/// Constraints that contradict each other.
#define PINTLE_ERR_REDUNDANT_CONSTRAINTS 302

/// Initial positions or velocities that violate a joint.
#define PINTLE_ERR_INCONSISTENT_STATE 303

/// A load callback returned nonzero, or numbers that are not finite.
#define PINTLE_ERR_CALLBACK 304

/// Numbers are no longer finite, in a step or in a result, or a step diverged.
#define PINTLE_ERR_UNSTABLE 305

/// The progress callback stopped the call; nothing has changed.
#define PINTLE_ERR_STOPPED 306

/// The operating system refused to read or write.
#define PINTLE_ERR_IO 400

/// No memory.
#define PINTLE_ERR_OUT_OF_MEMORY 401

/// A bug of this library, caught; the system is in phase FAILED.
#define PINTLE_ERR_PANIC 500

/// The model is being described.
#define PINTLE_PHASE_BUILDING 0

/// Initialized; no step is pending.
#define PINTLE_PHASE_READY 1

/// A trial step is pending: accept it, reject it, or advance again.
#define PINTLE_PHASE_TRIAL 2

/// A panic was caught: getters of the accepted state, restore and destroy work.
#define PINTLE_PHASE_FAILED 3

/// Given in the axes of the inertial frame I.
#define PINTLE_FRAME_INERTIAL 0

/// Given in the axes of the body concerned, which turn with it: of a marker the body that it is on,
/// of a reaction in a joint the body that it acts on; not those of the marker or of the joint
/// frame.
#define PINTLE_FRAME_BODY 1

/// No freedom.
#define PINTLE_JOINT_FIXED 0

/// The origins of both frames coincide.
#define PINTLE_JOINT_SPHERICAL 1

/// Turns about z.
#define PINTLE_JOINT_REVOLUTE 2

/// Slides along z.
#define PINTLE_JOINT_PRISMATIC 3

/// Turns about z and slides along it.
#define PINTLE_JOINT_CYLINDRICAL 4

/// Origins coincide, x of frame a stays perpendicular to y of frame b.
#define PINTLE_JOINT_UNIVERSAL 5

/// The origin of b stays in the xy plane of a, z axes parallel.
#define PINTLE_JOINT_PLANAR 6

/// Turns about z and slides along it, tied by the pitch.
#define PINTLE_JOINT_SCREW 7

/// The origins keep their initial distance.
#define PINTLE_JOINT_DISTANCE 8

/// The origin of b stays on the z axis of a; rotations are free.
#define PINTLE_JOINT_POINT_ON_LINE 9

/// The origin of b stays in the xy plane of a; rotations are free.
#define PINTLE_JOINT_POINT_ON_PLANE 10

/// The disc of a radius about the origin of b, normal to z of frame b, rolls without slip on the xy
/// plane of a, on the side of z.
#define PINTLE_JOINT_ROLLING 11

/// A spring and a damper that do not pull.
#define PINTLE_STOP_SPRING 0

/// Velocities jump, with Newton's restitution; a spring carries what rests.
#define PINTLE_STOP_IMPULSE 1

/// A spring with the damping that gives the restitution.
#define PINTLE_STOP_RESTITUTION 2

/// A contact of a sphere with a plane.
#define PINTLE_CONTACT_PLANE 0

/// A contact of a sphere with a sphere.
#define PINTLE_CONTACT_SPHERE 1

/// A contact of a sphere with the inside of a sphere.
#define PINTLE_CONTACT_HOLLOW 2

/// A stop or a contact closes.
#define PINTLE_EVENT_CLOSES 0

/// A stop or a contact opens.
#define PINTLE_EVENT_OPENS 1

/// Velocities jump: a stop or a contact is hit, or a brake locks.
#define PINTLE_EVENT_HITS 2

/// Friction holds.
#define PINTLE_EVENT_STICKS 3

/// Friction gives way, or changes its direction.
#define PINTLE_EVENT_SLIPS 4

/// A joint breaks.
#define PINTLE_EVENT_BREAKS 5

/// The ABI that this header describes: compare with pintle_abi_version(). Raised when a program
/// that was compiled before would no longer work.
#define PINTLE_ABI 1

/// A copy of everything that a step depends on. Made by pintle_state_save, freed by
/// pintle_state_destroy.
typedef struct pintle_state pintle_state;

/// A multibody system: model, settings, accepted and trial state. Made by pintle_create, freed by
/// pintle_destroy.
typedef struct pintle_system pintle_system;

/// All functions of this header but pintle_get_api, named without "pintle_": `api.step(sys, dt)` is pintle_step.
typedef struct {
    /// sizeof(pintle_api) of the library: at least what the host asked for.
    int64_t size;
    /// PINTLE_ABI of the library.
    int32_t abi;
    /// 0.
    int32_t reserved;
    const char *(*version)(void);
    int32_t (*abi_version)(void);
    const char *(*status_name)(int32_t status);
    int32_t (*error_message)(const pintle_system *sys, int32_t cap, char *buf, int32_t *len);
    int32_t (*status_severity)(int32_t status);
    int32_t (*create)(pintle_system **out);
    int32_t (*clone)(const pintle_system *sys, pintle_system **out);
    int32_t (*destroy)(pintle_system **sys);
    int32_t (*phase)(const pintle_system *sys, int32_t *phase);
    int32_t (*initialize)(pintle_system *sys, double t0);
    int32_t (*set_gravity)(pintle_system *sys, const double *gravity);
    int32_t (*add_body)(pintle_system *sys, const double *mass, const double *pose, int32_t *body);
    int32_t (*add_rigid_body)(pintle_system *sys,
                              double mass,
                              const double *com,
                              const double *inertia,
                              const double *pose,
                              int32_t *body);
    int32_t (*set_body_velocity)(pintle_system *sys, int32_t body, const double *velocity);
    int32_t (*set_body_acceleration)(pintle_system *sys, int32_t body, const double *acceleration);
    int32_t (*add_joint)(pintle_system *sys,
                         int32_t kind,
                         int32_t body_a,
                         int32_t body_b,
                         const double *frame_a,
                         const double *frame_b,
                         int32_t *joint);
    int32_t (*add_joint_at)(pintle_system *sys,
                            int32_t kind,
                            int32_t body_a,
                            int32_t body_b,
                            const double *point,
                            const double *axis,
                            int32_t *joint);
    int32_t (*add_spring)(pintle_system *sys,
                          int32_t body_a,
                          const double *point_a,
                          int32_t body_b,
                          const double *point_b,
                          double stiffness,
                          double damping,
                          double rest_length,
                          int32_t tension_only,
                          int32_t *spring);
    int32_t (*add_bushing)(pintle_system *sys,
                           int32_t body_a,
                           int32_t body_b,
                           const double *frame_a,
                           const double *frame_b,
                           const double *stiffness,
                           const double *damping,
                           int32_t *bushing);
    int32_t (*add_marker)(pintle_system *sys, int32_t body, const double *frame, int32_t *marker);
    int32_t (*set_name)(pintle_system *sys, const char *kind, int32_t id, const char *name);
    int32_t (*find)(const pintle_system *sys, const char *kind, const char *name, int32_t *id);
    int32_t (*count)(const pintle_system *sys, const char *kind, int32_t *count);
    int32_t (*set_added_mass)(pintle_system *sys, int32_t body, const double *a, int32_t frame);
    int32_t (*set_linear_damping)(pintle_system *sys, int32_t body, const double *c, int32_t frame);
    int32_t (*set_quadratic_drag)(pintle_system *sys, int32_t body, const double *d, int32_t frame);
    int32_t (*set_scheme)(pintle_system *sys, const char *name);
    int32_t (*get_scheme)(const pintle_system *sys, int32_t cap, char *buf, int32_t *len);
    int32_t (*set_option)(pintle_system *sys, const char *key, double value);
    int32_t (*get_option)(const pintle_system *sys, const char *key, double *value);
    int32_t (*clear_loads)(pintle_system *sys);
    int32_t (*set_body_load)(pintle_system *sys, int32_t body, int32_t frame, const double *wrench);
    int32_t (*set_body_loads)(pintle_system *sys, int32_t frame, int32_t n, const double *wrenches);
    int32_t (*set_marker_load)(pintle_system *sys, int32_t marker, int32_t frame, const double *wrench);
    int32_t (*set_marker_loads)(pintle_system *sys, int32_t frame, int32_t n, const double *wrenches);
    int32_t (*set_load_callback)(pintle_system *sys, int32_t body, pintle_load_fn fn, void *user);
    int32_t (*mark_discontinuity)(pintle_system *sys);
    int32_t (*step)(pintle_system *sys, double dt);
    int32_t (*advance)(pintle_system *sys, double dt);
    int32_t (*accept)(pintle_system *sys);
    int32_t (*reject)(pintle_system *sys);
    int32_t (*time)(const pintle_system *sys, double *time);
    int32_t (*get_statistic)(const pintle_system *sys, const char *key, double *value);
    int32_t (*get_body_pose)(const pintle_system *sys, int32_t body, double *pose);
    int32_t (*get_body_displacement)(const pintle_system *sys, int32_t body, double *displacement);
    int32_t (*get_body_velocity)(const pintle_system *sys, int32_t body, int32_t frame, double *velocity);
    int32_t (*get_body_acceleration)(const pintle_system *sys, int32_t body, int32_t frame, double *acceleration);
    int32_t (*get_body_poses)(const pintle_system *sys, int32_t n, double *poses);
    int32_t (*get_body_velocities)(const pintle_system *sys, int32_t n, double *velocities);
    int32_t (*get_body_accelerations)(const pintle_system *sys, int32_t n, double *accelerations);
    int32_t (*get_marker_pose)(const pintle_system *sys, int32_t marker, double *pose);
    int32_t (*get_marker_velocity)(const pintle_system *sys, int32_t marker, int32_t frame, double *velocity);
    int32_t (*get_marker_acceleration)(const pintle_system *sys, int32_t marker, int32_t frame, double *acceleration);
    int32_t (*get_marker_poses)(const pintle_system *sys, int32_t n, double *poses);
    int32_t (*get_marker_velocities)(const pintle_system *sys, int32_t n, double *velocities);
    int32_t (*get_marker_accelerations)(const pintle_system *sys, int32_t n, double *accelerations);
    int32_t (*get_joint_reaction)(const pintle_system *sys, int32_t joint, int32_t frame, double *wrench);
    int32_t (*get_spring_force)(const pintle_system *sys, int32_t spring, double *length, double *tension);
    int32_t (*get_constraint_violation)(const pintle_system *sys, double *position, double *velocity);
    int32_t (*get_energy)(const pintle_system *sys, double *kinetic, double *potential);
    int32_t (*get_momentum)(const pintle_system *sys, const double *about, double *momentum);
    int32_t (*state_save)(const pintle_system *sys, pintle_state **state);
    int32_t (*state_restore)(pintle_system *sys, const pintle_state *state);
    int32_t (*state_destroy)(pintle_state **state);
    int32_t (*state_serialize)(const pintle_state *state, int64_t cap, uint8_t *bytes, int64_t *len);
    int32_t (*state_deserialize)(const pintle_system *sys, int64_t len, const uint8_t *bytes, pintle_state **state);
    int32_t (*write_checkpoint)(const pintle_system *sys, const char *path);
    int32_t (*read_checkpoint)(pintle_system *sys, const char *path);
    int32_t (*quat_to_dcm)(const double *q, double *dcm);
    int32_t (*quat_from_dcm)(const double *dcm, double *q);
    int32_t (*quat_to_rotvec)(const double *q, double *rotvec);
    int32_t (*quat_from_rotvec)(const double *rotvec, double *q);
    int32_t (*quat_to_euler_zyx)(const double *q, double *angles);
    int32_t (*quat_from_euler_zyx)(const double *angles, double *q);
    int32_t (*set_body_prescribed)(pintle_system *sys, int32_t body, int32_t prescribed);
    int32_t (*set_joint_driven)(pintle_system *sys, int32_t joint, int32_t driven);
    int32_t (*set_joint_spring)(pintle_system *sys, int32_t joint, double stiffness, double damping, double rest);
    int32_t (*set_joint_pitch)(pintle_system *sys, int32_t joint, double pitch);
    int32_t (*set_joint_load)(pintle_system *sys, int32_t joint, double generalized_force);
    int32_t (*set_joint_motion)(pintle_system *sys, int32_t joint, double q, double qd, double qdd);
    int32_t (*set_body_motion)(pintle_system *sys,
                               int32_t body,
                               const double *pose,
                               const double *velocity,
                               const double *acceleration);
    int32_t (*get_joint_coordinate)(const pintle_system *sys, int32_t joint, double *q, double *qd, double *qdd);
    int32_t (*get_body_reaction)(const pintle_system *sys, int32_t body, int32_t frame, double *wrench);
    int32_t (*solve_equilibrium)(pintle_system *sys, int32_t max_iterations, double tolerance);
    int32_t (*get_coordinates)(const pintle_system *sys, int32_t n, double *poses, double *velocities);
    int32_t (*set_coordinates)(pintle_system *sys, int32_t n, const double *poses, const double *velocities);
    int32_t (*eval_accelerations)(const pintle_system *sys,
                                  int32_t n,
                                  const double *poses,
                                  const double *velocities,
                                  double *accelerations);
    int32_t (*retract)(int32_t n, const double *poses, const double *increments, double *moved);
    int32_t (*difference)(int32_t n, const double *from, const double *to, double *increments);
    int32_t (*get_mass_matrix)(const pintle_system *sys, int32_t n, double *mass);
    int32_t (*get_constraint_jacobian)(const pintle_system *sys, int32_t m, int32_t n, double *jacobian);
    int32_t (*linearize)(const pintle_system *sys,
                         int32_t n_bodies,
                         const int32_t *bodies,
                         int32_t n_loads,
                         const int32_t *load_markers,
                         int32_t n_sensors,
                         const int32_t *sensor_markers,
                         int32_t n_states,
                         double *a,
                         double *b,
                         double *c,
                         double *d);
    int32_t (*get_state_name)(const pintle_system *sys, int32_t state, int32_t cap, char *buf, int32_t *len);
    int32_t (*get_modes)(const pintle_system *sys,
                         int32_t n,
                         int32_t *count,
                         double *frequencies,
                         double *damping_ratios,
                         int32_t n_bodies,
                         double *shapes,
                         double *motion);
    int32_t (*get_load_compliance)(const pintle_system *sys,
                                   int32_t n_markers,
                                   const int32_t *markers,
                                   double dt,
                                   int32_t n,
                                   double *out);
    int32_t (*suggest_time_step)(double radius, double *dt);
    int32_t (*get_warning)(const pintle_system *sys, int32_t cap, char *buf, int32_t *len);
    int32_t (*load_model)(const char *path, pintle_system **out);
    int32_t (*save_model)(const pintle_system *sys, const char *path);
    int32_t (*get_redundant_constraints)(const pintle_system *sys, int32_t cap, char *buf, int32_t *len);
    int32_t (*get_joint_reaction_on_a)(const pintle_system *sys, int32_t joint, int32_t frame, double *wrench);
    int32_t (*set_body_velocity_in)(pintle_system *sys, int32_t body, int32_t frame, const double *velocity);
    int32_t (*set_joint_offset)(pintle_system *sys, int32_t joint, double q0);
    int32_t (*set_joint_slide_driven)(pintle_system *sys, int32_t joint, int32_t driven);
    int32_t (*set_joint_slide_spring)(pintle_system *sys, int32_t joint, double stiffness, double damping, double rest);
    int32_t (*set_joint_slide_load)(pintle_system *sys, int32_t joint, double force);
    int32_t (*set_joint_slide_motion)(pintle_system *sys, int32_t joint, double s, double sd, double sdd);
    int32_t (*set_coupled_load_callback)(pintle_system *sys,
                                         int32_t n,
                                         const int32_t *bodies,
                                         pintle_coupled_load_fn fn,
                                         void *user,
                                         int32_t *callback);
    int32_t (*set_progress_callback)(pintle_system *sys, pintle_progress_fn fn, void *user);
    int32_t (*get_joint_slide)(const pintle_system *sys, int32_t joint, double *s, double *sd, double *sdd);
    int32_t (*frame_from_axes)(const double *origin, const double *z, const double *x, double *frame);
    int32_t (*set_spring_table)(pintle_system *sys,
                                int32_t spring,
                                int32_t n,
                                const double *lengths,
                                const double *forces);
    int32_t (*get_spring_table)(const pintle_system *sys,
                                int32_t spring,
                                int32_t cap,
                                double *lengths,
                                double *forces,
                                int32_t *n);
    int32_t (*add_point)(pintle_system *sys, double mass, double volume, const double *position, int32_t *point);
    int32_t (*fix_point)(pintle_system *sys, int32_t point);
    int32_t (*attach_point)(pintle_system *sys, int32_t point, int32_t body, const double *position);
    int32_t (*set_point_prescribed)(pintle_system *sys, int32_t point, int32_t prescribed);
    int32_t (*set_point_velocity)(pintle_system *sys, int32_t point, const double *velocity);
    int32_t (*set_point_motion)(pintle_system *sys,
                                int32_t point,
                                const double *position,
                                const double *velocity,
                                const double *acceleration);
    int32_t (*set_point_load)(pintle_system *sys, int32_t point, const double *force);
    int32_t (*get_point_load)(const pintle_system *sys, int32_t point, double *force);
    int32_t (*add_point_spring)(pintle_system *sys,
                                int32_t point_a,
                                int32_t point_b,
                                double stiffness,
                                double damping,
                                double rest_length,
                                int32_t tension_only,
                                int32_t *spring);
    int32_t (*get_point_position)(const pintle_system *sys, int32_t point, double *position);
    int32_t (*get_point_velocity)(const pintle_system *sys, int32_t point, double *velocity);
    int32_t (*get_point_acceleration)(const pintle_system *sys, int32_t point, double *acceleration);
    int32_t (*get_point_positions)(const pintle_system *sys, int32_t n, double *positions);
    int32_t (*get_point_velocities)(const pintle_system *sys, int32_t n, double *velocities);
    int32_t (*get_point_accelerations)(const pintle_system *sys, int32_t n, double *accelerations);
    int32_t (*get_point_reaction)(const pintle_system *sys, int32_t point, double *force);
    int32_t (*get_point_info)(const pintle_system *sys,
                              int32_t point,
                              double *mass,
                              double *volume,
                              int32_t *body,
                              double *position,
                              int32_t *fixed,
                              int32_t *prescribed);
    int32_t (*get_spring_points)(const pintle_system *sys, int32_t spring, int32_t *point_a, int32_t *point_b);
    int32_t (*get_name)(const pintle_system *sys, const char *kind, int32_t id, int32_t cap, char *buf, int32_t *len);
    int32_t (*get_gravity)(const pintle_system *sys, double *gravity);
    int32_t (*get_body_mass)(const pintle_system *sys, int32_t body, double *mass);
    int32_t (*get_body_initial_motion)(const pintle_system *sys,
                                       int32_t body,
                                       double *pose,
                                       double *velocity,
                                       double *acceleration);
    int32_t (*get_body_prescribed)(const pintle_system *sys, int32_t body, int32_t *prescribed);
    int32_t (*get_added_mass)(const pintle_system *sys, int32_t body, double *a, int32_t *frame);
    int32_t (*get_linear_damping)(const pintle_system *sys, int32_t body, double *c, int32_t *frame);
    int32_t (*get_quadratic_drag)(const pintle_system *sys, int32_t body, double *d, int32_t *frame);
    int32_t (*get_joint_info)(const pintle_system *sys,
                              int32_t joint,
                              int32_t *kind,
                              int32_t *body_a,
                              int32_t *body_b,
                              double *frame_a,
                              double *frame_b,
                              int32_t *driven);
    int32_t (*get_joint_driven)(const pintle_system *sys, int32_t joint, int32_t *driven);
    int32_t (*get_joint_slide_driven)(const pintle_system *sys, int32_t joint, int32_t *driven);
    int32_t (*get_joint_spring)(const pintle_system *sys,
                                int32_t joint,
                                double *stiffness,
                                double *damping,
                                double *rest);
    int32_t (*get_joint_slide_spring)(const pintle_system *sys,
                                      int32_t joint,
                                      double *stiffness,
                                      double *damping,
                                      double *rest);
    int32_t (*get_joint_offset)(const pintle_system *sys, int32_t joint, double *q0);
    int32_t (*get_joint_pitch)(const pintle_system *sys, int32_t joint, double *pitch);
    int32_t (*get_joint_distance)(const pintle_system *sys, int32_t joint, double *distance);
    int32_t (*get_spring_info)(const pintle_system *sys,
                               int32_t spring,
                               int32_t *body_a,
                               double *point_a,
                               int32_t *body_b,
                               double *point_b,
                               double *stiffness,
                               double *damping,
                               double *rest_length,
                               int32_t *tension_only);
    int32_t (*get_bushing_info)(const pintle_system *sys,
                                int32_t bushing,
                                int32_t *body_a,
                                int32_t *body_b,
                                double *frame_a,
                                double *frame_b,
                                double *stiffness,
                                double *damping);
    int32_t (*get_marker_info)(const pintle_system *sys, int32_t marker, int32_t *body, double *frame);
    int32_t (*get_body_load)(const pintle_system *sys, int32_t body, int32_t frame, double *wrench);
    int32_t (*get_body_loads)(const pintle_system *sys, int32_t frame, int32_t n, double *wrenches);
    int32_t (*get_marker_load)(const pintle_system *sys, int32_t marker, int32_t frame, double *wrench);
    int32_t (*get_marker_loads)(const pintle_system *sys, int32_t frame, int32_t n, double *wrenches);
    int32_t (*get_joint_load)(const pintle_system *sys, int32_t joint, double *generalized_force);
    int32_t (*get_joint_slide_load)(const pintle_system *sys, int32_t joint, double *force);
    int32_t (*get_joint_motion_input)(const pintle_system *sys, int32_t joint, double *q, double *qd, double *qdd);
    int32_t (*get_joint_slide_motion_input)(const pintle_system *sys, int32_t joint, double *s, double *sd, double *sdd);
    int32_t (*get_body_motion_input)(const pintle_system *sys,
                                     int32_t body,
                                     double *pose,
                                     double *velocity,
                                     double *acceleration);
    int32_t (*get_load_callback)(const pintle_system *sys, int32_t body, int32_t *is_set);
    int32_t (*get_coupled_load_callback)(const pintle_system *sys, int32_t callback, int32_t *n_bodies, int32_t *is_set);
    int32_t (*get_coupled_load_body)(const pintle_system *sys, int32_t callback, int32_t k, int32_t *body);
    int32_t (*get_progress_callback)(const pintle_system *sys, int32_t *is_set);
    int32_t (*set_openfast_platform)(pintle_system *sys, int32_t body);
    int32_t (*channel_count)(const pintle_system *sys, int32_t *n);
    int32_t (*channel_name)(const pintle_system *sys, int32_t i, int32_t cap, char *buf, int32_t *len);
    int32_t (*channel_unit)(const pintle_system *sys, int32_t i, int32_t cap, char *buf, int32_t *len);
    int32_t (*get_channels)(const pintle_system *sys, int32_t n, double *values);
    int32_t (*get_body_compliance)(const pintle_system *sys,
                                   int32_t n,
                                   const int32_t *bodies,
                                   double dt,
                                   int32_t m,
                                   double *out);
    int32_t (*get_joint_compliance)(const pintle_system *sys,
                                    int32_t n,
                                    const int32_t *joints,
                                    double dt,
                                    int32_t m,
                                    double *out);
    int32_t (*linearize_inputs)(const pintle_system *sys,
                                int32_t n_bodies,
                                const int32_t *bodies,
                                int32_t n_loads,
                                const int32_t *load_markers,
                                int32_t n_joints,
                                const int32_t *joints,
                                int32_t n_slides,
                                const int32_t *slides,
                                int32_t n_sensors,
                                const int32_t *sensor_markers,
                                int32_t n_states,
                                double *a,
                                double *b,
                                double *c,
                                double *d);
    int32_t (*add_gear)(pintle_system *sys, int32_t joint_a, int32_t joint_b, double ratio, int32_t *gear);
    int32_t (*get_gear_info)(const pintle_system *sys, int32_t gear, int32_t *joint_a, int32_t *joint_b, double *ratio);
    int32_t (*get_gear_load)(const pintle_system *sys, int32_t gear, double *torque);
    int32_t (*get_point_motion_input)(const pintle_system *sys,
                                      int32_t point,
                                      double *position,
                                      double *velocity,
                                      double *acceleration);
    int32_t (*get_openfast_platform)(const pintle_system *sys, int32_t *body);
    int32_t (*add_line_type)(pintle_system *sys,
                             double diameter,
                             double mass_per_length,
                             double ea,
                             double ba,
                             double ei,
                             double cdn,
                             double can,
                             double cdt,
                             double cat,
                             int32_t *type);
    int32_t (*set_line_type_table)(pintle_system *sys,
                                   int32_t type,
                                   const char *what,
                                   int32_t n,
                                   const double *x,
                                   const double *y);
    int32_t (*get_line_type_table)(const pintle_system *sys,
                                   int32_t type,
                                   const char *what,
                                   int32_t cap,
                                   double *x,
                                   double *y,
                                   int32_t *n);
    int32_t (*get_line_type_info)(const pintle_system *sys,
                                  int32_t type,
                                  double *diameter,
                                  double *mass_per_length,
                                  double *ea,
                                  double *ba,
                                  double *ei,
                                  double *cdn,
                                  double *can,
                                  double *cdt,
                                  double *cat);
    int32_t (*set_point_drag)(pintle_system *sys, int32_t point, double cda, double ca);
    int32_t (*get_point_drag)(const pintle_system *sys, int32_t point, double *cda, double *ca);
    int32_t (*add_line)(pintle_system *sys,
                        int32_t type,
                        int32_t point_a,
                        int32_t point_b,
                        double length,
                        int32_t segments,
                        int32_t *line);
    int32_t (*get_line_info)(const pintle_system *sys,
                             int32_t line,
                             int32_t *type,
                             int32_t *point_a,
                             int32_t *point_b,
                             double *length,
                             int32_t *segments);
    int32_t (*set_line_length)(pintle_system *sys, int32_t line, double length, double rate);
    int32_t (*get_line_length)(const pintle_system *sys, int32_t line, double *length, double *rate);
    int32_t (*get_line_length_input)(const pintle_system *sys, int32_t line, double *length, double *rate);
    int32_t (*release_line)(pintle_system *sys, int32_t line, int32_t end);
    int32_t (*get_line_released)(const pintle_system *sys, int32_t line, int32_t *end_a, int32_t *end_b);
    int32_t (*get_line_positions)(const pintle_system *sys, int32_t line, int32_t n, double *positions);
    int32_t (*get_line_velocities)(const pintle_system *sys, int32_t line, int32_t n, double *velocities);
    int32_t (*get_line_accelerations)(const pintle_system *sys, int32_t line, int32_t n, double *accelerations);
    int32_t (*get_line_tensions)(const pintle_system *sys, int32_t line, int32_t n, double *tensions);
    int32_t (*get_line_end_force)(const pintle_system *sys, int32_t line, int32_t end, double *force);
    int32_t (*get_line_end_tensions)(const pintle_system *sys, int32_t n, double *tensions);
    int32_t (*get_line_end_forces)(const pintle_system *sys, int32_t n, double *forces);
    int32_t (*set_environment)(pintle_system *sys, const char *key, double value);
    int32_t (*get_environment)(const pintle_system *sys, const char *key, double *value);
    int32_t (*set_current)(pintle_system *sys, int32_t n, const double *depths, const double *velocities);
    int32_t (*get_current)(const pintle_system *sys, int32_t cap, double *depths, double *velocities, int32_t *n);
    int32_t (*set_fluid_callback)(pintle_system *sys, pintle_fluid_fn fn, void *user, int32_t implicit);
    int32_t (*get_fluid_callback)(const pintle_system *sys, int32_t *is_set, int32_t *implicit);
    int32_t (*load_moordyn)(const char *path, pintle_system **out);
    int32_t (*add_moordyn_channel)(pintle_system *sys, const char *name);
    int32_t (*get_point_initial_motion)(const pintle_system *sys, int32_t point, double *position, double *velocity);
    int32_t (*get_discontinuity)(const pintle_system *sys, int32_t *is_marked);
    int32_t (*load_trusted_moordyn)(const char *path, pintle_system **out);
    int32_t (*add_cylinder)(pintle_system *sys,
                            int32_t body,
                            const double *end_a,
                            const double *end_b,
                            double diameter,
                            int32_t segments,
                            double cd,
                            double ca,
                            double cd_end,
                            double ca_end,
                            int32_t *cylinder);
    int32_t (*get_cylinder_info)(const pintle_system *sys,
                                 int32_t cylinder,
                                 int32_t *body,
                                 double *end_a,
                                 double *end_b,
                                 double *diameter,
                                 int32_t *segments,
                                 double *coefficients);
    int32_t (*get_cylinder_loads)(const pintle_system *sys,
                                  int32_t cylinder,
                                  double *submerged,
                                  double *buoyancy,
                                  double *drag,
                                  double *inertia);
    int32_t (*set_waves)(pintle_system *sys,
                         int32_t n,
                         const double *amplitudes,
                         const double *frequencies,
                         const double *headings,
                         const double *phases);
    int32_t (*set_irregular_waves)(pintle_system *sys,
                                   double height,
                                   double period,
                                   double peak_factor,
                                   double heading,
                                   double spreading,
                                   int32_t seed,
                                   int32_t components);
    int32_t (*set_wave_spectrum)(pintle_system *sys,
                                 int32_t n,
                                 const double *frequencies,
                                 const double *densities,
                                 double heading,
                                 double spreading,
                                 int32_t seed,
                                 int32_t components);
    int32_t (*set_wave_record)(pintle_system *sys,
                               int32_t n,
                               double start,
                               double step,
                               const double *elevations,
                               double heading,
                               double max_frequency);
    int32_t (*get_waves)(const pintle_system *sys,
                         int32_t cap,
                         double *amplitudes,
                         double *frequencies,
                         double *headings,
                         double *phases,
                         int32_t *n);
    int32_t (*get_water_motion)(const pintle_system *sys,
                                int32_t n,
                                const double *positions,
                                double *velocities,
                                double *accelerations,
                                double *elevations);
    int32_t (*set_line_failure)(pintle_system *sys,
                                int32_t n,
                                const int32_t *lines,
                                const int32_t *ends,
                                double time,
                                double tension,
                                int32_t point);
    int32_t (*get_line_failure)(const pintle_system *sys,
                                int32_t line,
                                int32_t end,
                                double *time,
                                double *tension,
                                int32_t *point);
    int32_t (*add_beam)(pintle_system *sys, const double *damping, int32_t *beam);
    int32_t (*add_beam_station)(pintle_system *sys,
                                int32_t beam,
                                double s,
                                const double *pose,
                                const double *stiffness,
                                const double *mass);
    int32_t (*add_uniform_beam)(pintle_system *sys,
                                const double *point_a,
                                const double *point_b,
                                const double *axis,
                                const double *stiffness,
                                const double *mass,
                                const double *damping,
                                int32_t *beam);
    int32_t (*set_beam_lumped)(pintle_system *sys, int32_t beam, int32_t lumped);
    int32_t (*attach_beam)(pintle_system *sys, int32_t beam, int32_t node, int32_t body);
    int32_t (*add_beam_node)(pintle_system *sys, int32_t beam, double s);
    int32_t (*mesh_beam)(pintle_system *sys, int32_t beam, int32_t n_elements);
    int32_t (*beam_body)(const pintle_system *sys, int32_t beam, int32_t node, int32_t *body);
    int32_t (*get_beam_info)(const pintle_system *sys,
                             int32_t beam,
                             double *damping,
                             int32_t *lumped,
                             int32_t *n_stations,
                             int32_t *n_elements,
                             int32_t *first_element);
    int32_t (*get_beam_station)(const pintle_system *sys,
                                int32_t beam,
                                int32_t station,
                                double *s,
                                double *pose,
                                double *stiffness,
                                double *mass);
    int32_t (*get_beam_motion)(const pintle_system *sys, int32_t beam, double s, double *pose, double *velocity);
    int32_t (*set_line_stiffness)(pintle_system *sys, int32_t line, double ea);
    int32_t (*get_line_stiffness)(const pintle_system *sys, int32_t line, double *ea);
    int32_t (*get_line_node_loads)(const pintle_system *sys, int32_t line, const char *what, int32_t n, double *out);
    int32_t (*add_beam_load)(pintle_system *sys,
                             int32_t beam,
                             double s,
                             const double *offset,
                             int32_t distributed,
                             int32_t *place);
    int32_t (*set_beam_load)(pintle_system *sys, int32_t beam, int32_t place, int32_t frame, const double *wrench);
    int32_t (*beam_load_count)(const pintle_system *sys, int32_t beam, int32_t *count);
    int32_t (*get_beam_load)(const pintle_system *sys,
                             int32_t beam,
                             int32_t place,
                             double *s,
                             double *offset,
                             int32_t *distributed,
                             int32_t *frame,
                             double *wrench);
    int32_t (*get_beam_load_motion)(const pintle_system *sys,
                                    int32_t beam,
                                    int32_t place,
                                    double *pose,
                                    double *velocity);
    int32_t (*get_beam_section_load)(const pintle_system *sys, int32_t beam, double s, int32_t frame, double *wrench);
    int32_t (*get_beam_strains)(const pintle_system *sys, int32_t beam, double s, double *strains);
    int32_t (*set_joint_stop)(pintle_system *sys,
                              int32_t joint,
                              int32_t slide,
                              double lower,
                              double upper,
                              int32_t law,
                              double stiffness,
                              double damping,
                              double restitution);
    int32_t (*get_joint_stop)(const pintle_system *sys,
                              int32_t joint,
                              int32_t slide,
                              double *lower,
                              double *upper,
                              int32_t *law,
                              double *stiffness,
                              double *damping,
                              double *restitution);
    int32_t (*set_joint_friction)(pintle_system *sys,
                                  int32_t joint,
                                  int32_t slide,
                                  double kinetic,
                                  double holding,
                                  double viscous,
                                  double quadratic,
                                  double slip);
    int32_t (*get_joint_friction)(const pintle_system *sys,
                                  int32_t joint,
                                  int32_t slide,
                                  double *kinetic,
                                  double *holding,
                                  double *viscous,
                                  double *quadratic,
                                  double *slip);
    int32_t (*set_joint_brake)(pintle_system *sys, int32_t joint, int32_t slide, double capacity);
    int32_t (*get_joint_brake)(const pintle_system *sys, int32_t joint, int32_t slide, double *capacity);
    int32_t (*get_joint_machine)(const pintle_system *sys,
                                 int32_t joint,
                                 int32_t slide,
                                 int32_t *mode,
                                 double *friction,
                                 double *stop_force,
                                 double *limit,
                                 double *dissipated);
    int32_t (*event_count)(const pintle_system *sys, int32_t *n);
    int32_t (*get_event)(const pintle_system *sys,
                         int32_t i,
                         double *time,
                         int32_t *change,
                         int32_t *joint,
                         int32_t *slide,
                         double *impulse);
    int32_t (*advance_to)(pintle_system *sys, double t, int32_t stop_at_events, double *reached);
    int32_t (*add_joint_damper_point)(pintle_system *sys, int32_t joint, int32_t slide, double rate, double force);
    int32_t (*joint_damper_point_count)(const pintle_system *sys, int32_t joint, int32_t slide, int32_t *n);
    int32_t (*get_joint_damper_point)(const pintle_system *sys,
                                      int32_t joint,
                                      int32_t slide,
                                      int32_t point,
                                      double *rate,
                                      double *force);
    int32_t (*get_joint_damper_force)(const pintle_system *sys, int32_t joint, int32_t slide, double *force);
    int32_t (*add_contact_plane)(pintle_system *sys,
                                 int32_t body_a,
                                 const double *frame_a,
                                 int32_t body_b,
                                 const double *centre_b,
                                 double radius_b,
                                 int32_t *contact);
    int32_t (*add_contact_spheres)(pintle_system *sys,
                                   int32_t body_a,
                                   const double *centre_a,
                                   double radius_a,
                                   int32_t body_b,
                                   const double *centre_b,
                                   double radius_b,
                                   int32_t inside,
                                   int32_t *contact);
    int32_t (*set_contact_law)(pintle_system *sys,
                               int32_t contact,
                               int32_t law,
                               double stiffness,
                               double exponent,
                               double damping,
                               double restitution,
                               double kinetic,
                               double holding,
                               double slip);
    int32_t (*get_contact_law)(const pintle_system *sys,
                               int32_t contact,
                               int32_t *law,
                               double *stiffness,
                               double *exponent,
                               double *damping,
                               double *restitution,
                               double *kinetic,
                               double *holding,
                               double *slip);
    int32_t (*get_contact_info)(const pintle_system *sys,
                                int32_t contact,
                                int32_t *surface,
                                int32_t *body_a,
                                double *frame_a,
                                double *radius_a,
                                int32_t *body_b,
                                double *centre_b,
                                double *radius_b);
    int32_t (*get_contact)(const pintle_system *sys,
                           int32_t contact,
                           int32_t *mode,
                           double *gap,
                           double *normal,
                           double *tangential,
                           double *point);
    int32_t (*get_event_contact)(const pintle_system *sys, int32_t i, int32_t *contact);
    int32_t (*set_spring)(pintle_system *sys, int32_t spring, double stiffness, double damping, double rest_length);
    int32_t (*set_body_mass)(pintle_system *sys, int32_t body, double mass, const double *com, const double *inertia);
    int32_t (*set_seabed_grid)(pintle_system *sys, int32_t n, const double *points);
    int32_t (*get_seabed_grid)(const pintle_system *sys, int32_t cap, double *points, int32_t *n);
    int32_t (*set_current_grid)(pintle_system *sys, int32_t n, const double *points);
    int32_t (*get_current_grid)(const pintle_system *sys, int32_t cap, double *points, int32_t *n);
    int32_t (*add_joint_spring_point)(pintle_system *sys, int32_t joint, int32_t slide, double coordinate, double force);
    int32_t (*joint_spring_point_count)(const pintle_system *sys, int32_t joint, int32_t slide, int32_t *n);
    int32_t (*get_joint_spring_point)(const pintle_system *sys,
                                      int32_t joint,
                                      int32_t slide,
                                      int32_t point,
                                      double *coordinate,
                                      double *force);
    int32_t (*get_joint_spring_force)(const pintle_system *sys, int32_t joint, int32_t slide, double *force);
    int32_t (*clamp_line)(pintle_system *sys, int32_t line, int32_t end, int32_t body, const double *axis);
    int32_t (*get_line_clamp)(const pintle_system *sys,
                              int32_t line,
                              int32_t end,
                              int32_t *clamped,
                              int32_t *body,
                              double *axis);
    int32_t (*join_lines)(pintle_system *sys, int32_t line_a, int32_t end_a, int32_t line_b, int32_t end_b);
    int32_t (*get_line_joint)(const pintle_system *sys,
                              int32_t line,
                              int32_t end,
                              int32_t *other_line,
                              int32_t *other_end);
    int32_t (*get_line_end_moment)(const pintle_system *sys, int32_t line, int32_t end, double *moment);
    int32_t (*set_line_pressure)(pintle_system *sys, int32_t line, int32_t n, const double *pressure);
    int32_t (*get_line_pressure)(const pintle_system *sys, int32_t line, int32_t n, double *pressure);
    int32_t (*set_line_type_viscoelastic)(pintle_system *sys,
                                          int32_t type,
                                          double ea_dynamic,
                                          double ea_slope,
                                          double ba_dynamic);
    int32_t (*get_line_type_viscoelastic)(const pintle_system *sys,
                                          int32_t type,
                                          double *ea_dynamic,
                                          double *ea_slope,
                                          double *ba_dynamic);
    int32_t (*set_line_slow_strains)(pintle_system *sys, int32_t line, int32_t n, const double *strains);
    int32_t (*get_line_slow_strains)(const pintle_system *sys, int32_t line, int32_t n, double *strains);
    int32_t (*set_line_coordinates)(pintle_system *sys,
                                    int32_t line,
                                    int32_t n,
                                    const double *positions,
                                    const double *velocities);
    int32_t (*set_point_coordinates)(pintle_system *sys, int32_t point, const double *position, const double *velocity);
    int32_t (*add_coupling)(pintle_system *sys,
                            int32_t n,
                            const int32_t *joints,
                            const double *coefficients,
                            int32_t *gear);
    int32_t (*get_coupling)(const pintle_system *sys,
                            int32_t gear,
                            int32_t part,
                            int32_t *n,
                            int32_t *joint,
                            double *coefficient);
    int32_t (*set_body_in_water)(pintle_system *sys, int32_t body, int32_t in_water, double volume, const double *centre);
    int32_t (*get_body_in_water)(const pintle_system *sys,
                                 int32_t body,
                                 int32_t *in_water,
                                 double *volume,
                                 double *centre);
    int32_t (*set_line_type_syrope)(pintle_system *sys,
                                    int32_t type,
                                    int32_t curve,
                                    double k1,
                                    double k2,
                                    double ea_dynamic,
                                    double ea_slope,
                                    double ba_dynamic);
    int32_t (*get_line_type_syrope)(const pintle_system *sys, int32_t type, int32_t *curve, double *k1, double *k2);
    int32_t (*set_line_largest_tensions)(pintle_system *sys, int32_t line, int32_t n, const double *tensions);
    int32_t (*get_line_largest_tensions)(const pintle_system *sys, int32_t line, int32_t n, double *tensions);
    int32_t (*set_joint_strength)(pintle_system *sys, int32_t joint, double force, double moment);
    int32_t (*get_joint_strength)(const pintle_system *sys, int32_t joint, double *force, double *moment);
    int32_t (*break_joint)(pintle_system *sys, int32_t joint);
    int32_t (*get_joint_broken)(const pintle_system *sys, int32_t joint, int32_t *broken);
    int32_t (*add_tendon)(pintle_system *sys,
                          int32_t n,
                          const int32_t *bodies,
                          const double *points,
                          double stiffness_ea,
                          double damping,
                          double rest_length,
                          int32_t *tendon);
    int32_t (*get_tendon_info)(const pintle_system *sys,
                               int32_t tendon,
                               int32_t *n,
                               double *stiffness_ea,
                               double *damping,
                               double *rest_length);
    int32_t (*get_tendon_point)(const pintle_system *sys, int32_t tendon, int32_t point, int32_t *body, double *position);
    int32_t (*set_tendon_length)(pintle_system *sys, int32_t tendon, double length, double rate);
    int32_t (*get_tendon_length)(const pintle_system *sys, int32_t tendon, double *length, double *rate);
    int32_t (*get_tendon_length_input)(const pintle_system *sys, int32_t tendon, double *length, double *rate);
    int32_t (*get_tendon_force)(const pintle_system *sys, int32_t tendon, double *length, double *tension);
    int32_t (*add_shape)(pintle_system *sys,
                         int32_t body,
                         const char *kind,
                         int32_t n,
                         const double *numbers,
                         const char *file,
                         const char *name,
                         const char *colour,
                         int32_t *shape);
    int32_t (*shape_count)(const pintle_system *sys, int32_t *n);
    int32_t (*get_shape_info)(const pintle_system *sys, int32_t shape, int32_t *body, int32_t *n, double *numbers);
    int32_t (*get_shape_text)(const pintle_system *sys,
                              int32_t shape,
                              const char *what,
                              int32_t cap,
                              char *buf,
                              int32_t *len);
    int32_t (*get_spring_mean_tension)(const pintle_system *sys, int32_t spring, double *tension);
    int32_t (*get_line_mean_tensions)(const pintle_system *sys, int32_t n, double *tensions);
    int32_t (*add_clutch)(pintle_system *sys,
                          int32_t joint_a,
                          int32_t slide_a,
                          int32_t joint_b,
                          int32_t slide_b,
                          double ratio,
                          double capacity_back,
                          double capacity_forth,
                          double static_ratio,
                          double slip,
                          int32_t *clutch);
    int32_t (*set_clutch_capacity)(pintle_system *sys, int32_t clutch, double capacity_back, double capacity_forth);
    int32_t (*get_clutch_capacity)(const pintle_system *sys,
                                   int32_t clutch,
                                   double *capacity_back,
                                   double *capacity_forth);
    int32_t (*get_clutch_info)(const pintle_system *sys,
                               int32_t clutch,
                               int32_t *joint_a,
                               int32_t *slide_a,
                               int32_t *joint_b,
                               int32_t *slide_b,
                               double *ratio,
                               double *static_ratio,
                               double *slip);
    int32_t (*get_clutch)(const pintle_system *sys,
                          int32_t clutch,
                          int32_t *mode,
                          double *torque,
                          double *slip_rate,
                          double *limit_back,
                          double *limit_forth,
                          double *dissipated);
    int32_t (*get_event_clutch)(const pintle_system *sys, int32_t i, int32_t *clutch);
    int32_t (*set_bushing_table)(pintle_system *sys,
                                 int32_t bushing,
                                 int32_t axis,
                                 int32_t n,
                                 const double *deflections,
                                 const double *forces);
    int32_t (*get_bushing_table)(const pintle_system *sys,
                                 int32_t bushing,
                                 int32_t axis,
                                 int32_t cap,
                                 double *deflections,
                                 double *forces,
                                 int32_t *n);
    int32_t (*set_bushing_preload)(pintle_system *sys, int32_t bushing, const double *preload);
    int32_t (*get_bushing_preload)(const pintle_system *sys, int32_t bushing, double *preload);
    int32_t (*set_tendon_sheave)(pintle_system *sys,
                                 int32_t tendon,
                                 int32_t point,
                                 double radius,
                                 const double *axis,
                                 double wrap);
    int32_t (*get_tendon_sheave)(const pintle_system *sys,
                                 int32_t tendon,
                                 int32_t point,
                                 double *radius,
                                 double *axis,
                                 double *wrap);
    int32_t (*get_tendon_wrap)(const pintle_system *sys, int32_t tendon, int32_t point, double *wrap);
    int32_t (*set_joint_radius)(pintle_system *sys, int32_t joint, double radius);
    int32_t (*get_joint_radius)(const pintle_system *sys, int32_t joint, double *radius);
    int32_t (*set_clutch_stop)(pintle_system *sys,
                               int32_t clutch,
                               double lower,
                               double upper,
                               int32_t law,
                               double stiffness,
                               double damping,
                               double restitution);
    int32_t (*get_clutch_stop)(const pintle_system *sys,
                               int32_t clutch,
                               double *lower,
                               double *upper,
                               int32_t *law,
                               double *stiffness,
                               double *damping,
                               double *restitution);
    int32_t (*set_joint_friction_load)(pintle_system *sys,
                                       int32_t joint,
                                       int32_t slide,
                                       double axial,
                                       double radial,
                                       double bending,
                                       double static_ratio);
    int32_t (*get_joint_friction_load)(const pintle_system *sys,
                                       int32_t joint,
                                       int32_t slide,
                                       double *axial,
                                       double *radial,
                                       double *bending,
                                       double *static_ratio);
    int32_t (*set_joint_table)(pintle_system *sys,
                               int32_t joint,
                               int32_t slide,
                               const char *what,
                               int32_t n,
                               const double *x,
                               const double *y);
    int32_t (*set_tendon_friction)(pintle_system *sys, int32_t tendon, int32_t point, double coefficient);
    int32_t (*get_tendon_friction)(const pintle_system *sys, int32_t tendon, int32_t point, double *coefficient);
    int32_t (*get_tendon_slip)(const pintle_system *sys,
                               int32_t tendon,
                               int32_t point,
                               double *before,
                               double *after,
                               double *limit,
                               int32_t *slips,
                               double *dissipated);
    int32_t (*set_contact_resistance)(pintle_system *sys, int32_t contact, double rolling, double spinning);
    int32_t (*get_contact_resistance)(const pintle_system *sys, int32_t contact, double *rolling, double *spinning);
    int32_t (*get_contact_moment)(const pintle_system *sys,
                                  int32_t contact,
                                  int32_t *rolling_mode,
                                  int32_t *spinning_mode,
                                  double *moment);
} pintle_api;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/// Sets the strength of a joint: it breaks where the norm of the force, or of the moment, of its
/// reaction (pintle_get_joint_reaction) reaches it. The internal step is made again so that it ends
/// there, as at an event of friction (PINTLE_EVENT_BREAKS of pintle_get_event), and the bodies go
/// on with their velocities. What a broken joint is says pintle_break_joint. Works with
/// generalized-alpha, momentum-alpha, newmark and hht, as friction does.
///
/// In a loop with constraints that follow from others the reaction is the one of least norm. A step
/// in which a joint breaks allocates memory.
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `force`: >= 0; INFINITY: none breaks it, which is the default.
/// - `moment`: >= 0; INFINITY as for `force`.
///
/// In READY the strength holds from the accepted time on, where the scheme starts anew, and belongs
/// to the state.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE (NaN), BAD_VALUE (negative),
/// OUT_OF_MEMORY.
int32_t pintle_set_joint_strength(pintle_system *sys, int32_t joint, double force, double moment);

/// The strength of a joint (pintle_set_joint_strength).
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `force`, `moment`: receive it, INFINITY for none; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_joint_strength(const pintle_system *sys, int32_t joint, double *force, double *moment);

/// Breaks a joint at the accepted time, for the rest of the run: the bodies go on with their
/// velocities, and the scheme starts anew. Accelerations and the reactions of other joints are
/// those before it until the next step.
///
/// A broken joint has no reaction and no coordinate. Springs, dampers, friction, stops, drives and
/// loads on it, and gears with it, act no more; setting them is BAD_VALUE. It stays in lists, and
/// its channels are 0. That it is broken belongs to the state: one that was saved before mends it.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that is not broken.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (a broken joint), SINGULAR (it leaves a body
/// without inertia), CALLBACK, NO_CONVERGENCE (a load callback that depends on accelerations),
/// UNSTABLE (numbers too large for a double), OUT_OF_MEMORY; then nothing is changed.
int32_t pintle_break_joint(pintle_system *sys, int32_t joint);

/// Whether a joint is broken: in the trial if one is pending, else in the accepted state.
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `broken`: receives 1 or 0.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_joint_broken(const pintle_system *sys, int32_t joint, int32_t *broken);

/// Adds a contact between a sphere on body b and the half-space below a plane on body a, such as a
/// floor, a fender or a bed. The gap is the height of the sphere over the plane. A new contact has
/// no law: it measures the gap, and exerts no force (pintle_set_contact_law).
///
/// - `sys`: the system.
/// - `body_a`: id of the body with the plane, or PINTLE_GROUND.
/// - `frame_a[7]`: a frame in the axes of body a (ground: in I), whose plane of x and y it is; z
///   points out of the half-space.
/// - `body_b`: id of the body with the sphere, or PINTLE_GROUND.
/// - `centre_b[3]`: centre of the sphere in the axes of body b (ground: in I).
/// - `radius_b`: length, >= 0; 0 is a point.
/// - `contact`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_QUATERNION, BAD_VALUE,
/// OUT_OF_MEMORY.
int32_t pintle_add_contact_plane(pintle_system *sys,
                                 int32_t body_a,
                                 const double frame_a[7],
                                 int32_t body_b,
                                 const double centre_b[3],
                                 double radius_b,
                                 int32_t *contact);

/// Adds a contact between a sphere on body b and one on body a, or the inside of a hollow sphere on
/// body a, such as the clearance of a bearing. The gap is the distance of both surfaces. A new
/// contact has no law: it measures the gap, and exerts no force (pintle_set_contact_law).
///
/// - `sys`: the system.
/// - `body_a`, `body_b`: ids; one of them may be PINTLE_GROUND.
/// - `centre_a[3]`, `centre_b[3]`: centres in the axes of each body (ground: in I).
/// - `radius_a`, `radius_b`: lengths, >= 0.
/// - `inside`: 1 if b is inside of the sphere on a, whose radius is then the larger one; else 0.
/// - `contact`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE, OUT_OF_MEMORY.
int32_t pintle_add_contact_spheres(pintle_system *sys,
                                   int32_t body_a,
                                   const double centre_a[3],
                                   double radius_a,
                                   int32_t body_b,
                                   const double centre_b[3],
                                   double radius_b,
                                   int32_t inside,
                                   int32_t *contact);

/// Sets the law of a contact, in place of the former one. A step ends where the contact closes,
/// opens, sticks or slips, and the scheme starts anew there.
///
/// The normal force follows the laws of stops (pintle_set_joint_stop) over the indentation delta
/// = -gap: PINTLE_STOP_SPRING, PINTLE_STOP_IMPULSE, or PINTLE_STOP_RESTITUTION, whose force is
/// stiffness delta^exponent (1 + chi d delta/dt); exponent 1.5 is that of elastic spheres (Hertz).
/// Coulomb friction acts in the tangent plane, in any direction: kinetic times the normal force
/// against what slips; what has come to rest sticks, and rolls, up to holding times the normal
/// force, without creeping. Impulses have friction, too. Only generalized-alpha, momentum-alpha,
/// newmark and hht locate such events. In READY the law of a contact that was described with one
/// changes from the accepted time on.
///
/// - `sys`: the system.
/// - `contact`: id.
/// - `law`: PINTLE_STOP_SPRING, PINTLE_STOP_IMPULSE or PINTLE_STOP_RESTITUTION.
/// - `stiffness`: force / length^exponent, > 0.
/// - `exponent`: 1 to 3 with PINTLE_STOP_RESTITUTION; 1 with the other laws.
/// - `damping`: force / velocity, of PINTLE_STOP_SPRING, >= 0.
/// - `restitution`: of the other laws, 0 to 1; PINTLE_STOP_RESTITUTION needs more than 0.
/// - `kinetic`: coefficient of friction while it slips, >= 0.
/// - `holding`: coefficient of friction up to which it sticks, >= kinetic; 0 for no friction.
/// - `slip`: displacement while it sticks with the largest force, >= 0; 0 is 1e-6 of the model's
///   length.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE, OUT_OF_MEMORY.
/// pintle_initialize and steps refuse schemes that do not locate events (UNSUPPORTED).
int32_t pintle_set_contact_law(pintle_system *sys,
                               int32_t contact,
                               int32_t law,
                               double stiffness,
                               double exponent,
                               double damping,
                               double restitution,
                               double kinetic,
                               double holding,
                               double slip);

/// The law of a contact, as set.
///
/// - `sys`: the system.
/// - `contact`: id.
/// - `law`: receives PINTLE_STOP_SPRING, PINTLE_STOP_IMPULSE or PINTLE_STOP_RESTITUTION, -1 without
///   a law; may be NULL.
/// - `stiffness`, `exponent`, `damping`, `restitution`, `kinetic`, `holding`, `slip`: receive the
///   values of pintle_set_contact_law; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_contact_law(const pintle_system *sys,
                               int32_t contact,
                               int32_t *law,
                               double *stiffness,
                               double *exponent,
                               double *damping,
                               double *restitution,
                               double *kinetic,
                               double *holding,
                               double *slip);

/// Sets the resistance of a contact to the relative angular velocity of its bodies, in place of the
/// former one: dry friction in two directions against what rolls, and against what spins about the
/// normal. What turns has a moment of the arm times the normal force against it; what has come to
/// rest is held up to this moment, without creeping. Impulses have resistance, too. A wheel of
/// radius R with a coefficient of rolling resistance c has rolling = c R. Friction in the tangent
/// plane (pintle_set_contact_law) lets a ball roll; resistance does not need it. In READY the
/// resistance of a contact that was described with one above 0 changes from the accepted time on.
///
/// - `sys`: the system.
/// - `contact`: id of a contact with a law.
/// - `rolling`: arm of rolling resistance, a length, >= 0.
/// - `spinning`: arm of spinning resistance, a length, >= 0.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE, OUT_OF_MEMORY.
int32_t pintle_set_contact_resistance(pintle_system *sys, int32_t contact, double rolling, double spinning);

/// The resistance of a contact, as set.
///
/// - `sys`: the system.
/// - `contact`: id.
/// - `rolling`, `spinning`: receive the arms of pintle_set_contact_resistance; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_contact_resistance(const pintle_system *sys, int32_t contact, double *rolling, double *spinning);

/// The moment of rolling and spinning resistance at present (pintle_set_contact_resistance).
///
/// - `sys`: the system.
/// - `contact`: id.
/// - `rolling_mode`: receives 0 if it is open or has no rolling resistance, 1 if it rolls, 2 if it
///   is held; may be NULL.
/// - `spinning_mode`: receives the same of spinning; may be NULL.
/// - `moment[3]`: receives the moment of both on body b, in I; body a has the opposite; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, NOT_FINITE.
int32_t pintle_get_contact_moment(const pintle_system *sys,
                                  int32_t contact,
                                  int32_t *rolling_mode,
                                  int32_t *spinning_mode,
                                  double moment[3]);

/// A contact as it was added.
///
/// - `sys`: the system.
/// - `contact`: id.
/// - `surface`: receives PINTLE_CONTACT_PLANE, PINTLE_CONTACT_SPHERE or PINTLE_CONTACT_HOLLOW: what
///   the sphere on body b touches; may be NULL.
/// - `body_a`, `body_b`: receive ids, one of them perhaps PINTLE_GROUND; each may be NULL.
/// - `frame_a[7]`: receives the frame of the plane, or the centre of the sphere with a unit
///   quaternion, in the axes of body a (ground: in I); may be NULL.
/// - `radius_a`, `radius_b`: receive the radii, radius_a = 0 of a plane; each may be NULL.
/// - `centre_b[3]`: receives the centre in the axes of body b (ground: in I); may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_contact_info(const pintle_system *sys,
                                int32_t contact,
                                int32_t *surface,
                                int32_t *body_a,
                                double frame_a[7],
                                double *radius_a,
                                int32_t *body_b,
                                double centre_b[3],
                                double *radius_b);

/// What a contact does at present.
///
/// - `sys`: the system.
/// - `contact`: id.
/// - `mode`: receives 0 if it is open, 1 if it is closed and slips or has no friction, 2 if it is
///   closed and sticks; may be NULL.
/// - `gap`: receives the distance of both surfaces, negative inside; may be NULL.
/// - `normal`: receives the normal force, >= 0; may be NULL.
/// - `tangential[3]`: receives the force of friction on body b, in I; may be NULL.
/// - `point[3]`: receives the point of the sphere on body b that is nearest, in I, where the forces
///   act on both bodies; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, NOT_FINITE.
int32_t pintle_get_contact(const pintle_system *sys,
                           int32_t contact,
                           int32_t *mode,
                           double *gap,
                           double *normal,
                           double tangential[3],
                           double point[3]);

/// The contact at which an event of the last step or trial happened (pintle_get_event).
///
/// - `sys`: the system.
/// - `i`: 0 to the number of pintle_event_count - 1.
/// - `contact`: receives the id; -1 for an event of a joint or a clutch.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_VALUE (i).
int32_t pintle_get_event_contact(const pintle_system *sys, int32_t i, int32_t *contact);

/// Adds a spring with a damper between two points; tension is stiffness times elongation plus
/// damping times its rate. With tension_only it is zero while slack, and the damper's part is at
/// most the spring's, so that the tension of a line that tightens at speed starts from zero
/// (docs/theory.md).
///
/// - `sys`: the system.
/// - `body_a`, `body_b`: ids; one of them may be PINTLE_GROUND.
/// - `point_a[3]`, `point_b[3]`: ends in the axes of each body (ground: in I).
/// - `stiffness`: force / length, >= 0.
/// - `damping`: force / velocity, >= 0.
/// - `rest_length`: length without force, >= 0.
/// - `tension_only`: 1 if it only pulls, like a rope; 0 if it also pushes.
/// - `spring`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE.
int32_t pintle_add_spring(pintle_system *sys,
                          int32_t body_a,
                          const double point_a[3],
                          int32_t body_b,
                          const double point_b[3],
                          double stiffness,
                          double damping,
                          double rest_length,
                          int32_t tension_only,
                          int32_t *spring);

/// Sets stiffness, damping and rest length of a spring, in place of the former ones, as of a winch
/// or a valve. In READY they act from the accepted time on, and the scheme starts anew; the change
/// belongs to the state. Equal values change nothing.
///
/// - `sys`: the system.
/// - `spring`: id of a spring without a table.
/// - `stiffness`: force / length, >= 0.
/// - `damping`: force / velocity, >= 0.
/// - `rest_length`: length without force, >= 0.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (negative; a table).
int32_t pintle_set_spring(pintle_system *sys, int32_t spring, double stiffness, double damping, double rest_length);

/// Replaces stiffness and rest length of a spring, or its former table, by a table of tensions over
/// lengths: interpolated by monotone cubics (Fritsch, Carlson 1980), and beyond the ends by
/// straight lines with the slopes of the ends. Damping is unchanged, and so is tension_only, which
/// treats tensions below zero as zero. Forces that decrease with length would be a negative
/// stiffness, and are refused. The cubics depend on the lengths in the table, so give more points
/// where the tension is curved.
///
/// - `sys`: the system.
/// - `spring`: id.
/// - `n`: how many points, at least 2.
/// - `lengths`: `[n]` lengths, >= 0, each more than the one before.
/// - `forces`: `[n]` tensions at these, positive where the spring pulls, none less than the one
///   before.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), NOT_FINITE, BAD_VALUE (lengths that
/// do not rise or are negative, forces that fall: the message names the point), OUT_OF_MEMORY.
int32_t pintle_set_spring_table(pintle_system *sys,
                                int32_t spring,
                                int32_t n,
                                const double *lengths,
                                const double *forces);

/// The table of a spring, as given to pintle_set_spring_table. Call it with `cap` = 0 to learn `n`,
/// then with arrays of that size.
///
/// - `sys`: the system.
/// - `spring`: id.
/// - `cap`: capacity of the arrays; with 0 only `n` is written.
/// - `lengths`: receives lengths, `n` of its `[cap]` numbers; may be NULL with `cap` = 0.
/// - `forces`: receives tensions at these, `n` of its `[cap]` numbers; may be NULL with `cap` = 0.
/// - `n`: receives how many points there are: 0 for a spring without a table.
///
/// Phases: all. Errors: BAD_ID, BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (0 < cap < n; nothing is
/// written).
int32_t pintle_get_spring_table(const pintle_system *sys,
                                int32_t spring,
                                int32_t cap,
                                double *lengths,
                                double *forces,
                                int32_t *n);

/// The mean tension of a spring over the last step of pintle_step or pintle_advance, as
/// pintle_get_line_mean_tensions has those of lines.
///
/// - `sys`: the system.
/// - `spring`: id.
/// - `tension`: receives it, positive where it pulls.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_spring_mean_tension(const pintle_system *sys, int32_t spring, double *tension);

/// Adds a bushing: a 6x6 spring and damper between two frames. The wrench of a on b, in frame a, is
/// -K (displacement, rotation vector) - C (rates), with a preload by pintle_set_bushing_preload and
/// forces that are not linear by pintle_set_bushing_table.
///
/// - `sys`: the system.
/// - `body_a`, `body_b`: ids; one of them may be PINTLE_GROUND.
/// - `frame_a[7]`, `frame_b[7]`: pose of the frame in the axes of each body (ground: in I).
/// - `stiffness[36]`, `damping[36]`: K and C, column-major; K may be unsymmetric (hydrostatics).
/// - `bushing`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE.
int32_t pintle_add_bushing(pintle_system *sys,
                           int32_t body_a,
                           int32_t body_b,
                           const double frame_a[7],
                           const double frame_b[7],
                           const double stiffness[36],
                           const double damping[36],
                           int32_t *bushing);

/// Takes the force, or moment, of a bushing on one component of its deflection from a table, in the
/// place of the diagonal entry of K or of a former table: interpolated by monotone cubics (Fritsch,
/// Carlson 1980), and beyond the ends by straight lines with the slopes of the ends. It acts against
/// the deflection: b receives minus the force, in frame a. Other entries of K and C are unchanged.
///
/// - `sys`: the system.
/// - `bushing`: id.
/// - `axis`: 0, 1, 2 for the displacement along x, y, z of frame a; 3, 4, 5 for the rotation vector.
/// - `n`: how many points, at least 2.
/// - `deflections`: `[n]` displacements, or angles (rad), each more than the one before.
/// - `forces`: `[n]` forces, or moments, at these, none less than the one before.
///
/// In READY it acts from the accepted time on, in the place of a table, and belongs to the state.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), NOT_FINITE, BAD_VALUE (axis,
/// in READY one without a table; deflections that do not rise, forces that fall: the message names
/// the point), OUT_OF_MEMORY.
int32_t pintle_set_bushing_table(pintle_system *sys,
                                 int32_t bushing,
                                 int32_t axis,
                                 int32_t n,
                                 const double *deflections,
                                 const double *forces);

/// The table of a bushing on one component of its deflection, as given to pintle_set_bushing_table.
/// Call it with `cap` = 0 to learn `n`, then with arrays of that size.
///
/// - `sys`: the system.
/// - `bushing`: id.
/// - `axis`: 0 to 5, as in pintle_set_bushing_table.
/// - `cap`: capacity of the arrays; with 0 only `n` is written.
/// - `deflections`: receives deflections, `n` of its `[cap]` numbers; may be NULL with `cap` = 0.
/// - `forces`: receives forces at these, `n` of its `[cap]` numbers; may be NULL with `cap` = 0.
/// - `n`: receives how many points there are: 0 without a table.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (axis), BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (0 < cap < n;
/// nothing is written).
int32_t pintle_get_bushing_table(const pintle_system *sys,
                                 int32_t bushing,
                                 int32_t axis,
                                 int32_t cap,
                                 double *deflections,
                                 double *forces,
                                 int32_t *n);

/// Sets the wrench that a bushing exerts without deflection: the weight that a mount carries, the
/// tension of a bolt. In READY it acts from the accepted time on, where the scheme starts anew, and
/// belongs to the state: pintle_restore brings back the preload of its time.
///
/// - `sys`: the system.
/// - `bushing`: id.
/// - `preload[6]`: force and moment of a on b without deflection, axes of frame a, about the origin
///   of frame b; 0 by default.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, OUT_OF_MEMORY.
int32_t pintle_set_bushing_preload(pintle_system *sys, int32_t bushing, const double *preload);

/// The present preload of a bushing.
///
/// - `sys`: the system.
/// - `bushing`: id.
/// - `preload[6]`: receives force and moment, as in pintle_set_bushing_preload.
///
/// Phases: all. Errors: BAD_ID.
int32_t pintle_get_bushing_preload(const pintle_system *sys, int32_t bushing, double *preload);

/// Adds a circular cylinder in water: hydrostatics in closed form at any attitude, and Morison's
/// inertia and drag on the part of it in the water (docs/water.md). It has no mass of its own, but
/// for the added mass of the water: weight and inertia are those of the body. Several cylinders on
/// a body make a floater; each displaces its own volume, so that where they overlap the water
/// counts twice. Water density and current are those of pintle_set_environment and
/// pintle_set_current, waves those of pintle_set_fluid_callback. The seabed carries its axis, but
/// for cylinders on the ground, with the spring and the damper that it has for lines, and without
/// friction.
///
/// - `sys`: the system.
/// - `body`: id, or PINTLE_GROUND.
/// - `end_a[3]`, `end_b[3]`: centres of its flat ends in body axes (ground: in I).
/// - `diameter`: above 0.
/// - `segments`: into how many parts it is divided for drag and waves, 1 to 1000; hydrostatics and
///   added mass in still water do not depend on it.
/// - `cd`: drag across the axis, per length density * diameter * cd/2 * |u| u, >= 0.
/// - `ca`: added mass across the axis, in parts of the displaced mass, >= 0.
/// - `cd_end`: drag along the axis at each end in the water, density * area * cd_end/2 * |u| u,
///   >= 0.
/// - `ca_end`: added mass along the axis at each end in the water, in parts of the mass of a half
///   sphere of water, density * 2/3 * pi * radius^3, >= 0.
/// - `cylinder`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (diameter not above 0, ends
/// that coincide, segments not from 1 to 1000, negative coefficients).
int32_t pintle_add_cylinder(pintle_system *sys,
                            int32_t body,
                            const double end_a[3],
                            const double end_b[3],
                            double diameter,
                            int32_t segments,
                            double cd,
                            double ca,
                            double cd_end,
                            double ca_end,
                            int32_t *cylinder);

/// The loads of the water on a cylinder: wrenches about its end A in I. Their sum is the wrench of
/// the water.
///
/// - `sys`: the system.
/// - `cylinder`: id.
/// - `submerged`: receives the length of the axis in the water, with the cross-sections that the
///   surface cuts counted by their part in the water; may be NULL.
/// - `buoyancy[6]`: receives the wrench of the hydrostatic pressure under the surface, which waves
///   move; may be NULL.
/// - `drag[6]`: receives that of drag on the sides and the ends; may be NULL.
/// - `inertia[6]`: receives that of the accelerations of the water (Froude-Krylov) and of the added
///   mass; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_cylinder_loads(const pintle_system *sys,
                                  int32_t cylinder,
                                  double *submerged,
                                  double buoyancy[6],
                                  double drag[6],
                                  double inertia[6]);

/// The number of events of friction, stops, contacts and clutches, and of joints that broke, in the
/// last step or trial, of which at most 1000 are kept.
///
/// - `sys`: the system.
/// - `n`: receives the number; 0 before the first step.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE.
int32_t pintle_event_count(const pintle_system *sys, int32_t *n);

/// An event of friction, a stop, a contact or a clutch, or of a joint that broke, in the last step
/// or trial, in the order of their times.
///
/// - `sys`: the system.
/// - `i`: 0 to the number of pintle_event_count - 1.
/// - `time`: receives when; may be NULL.
/// - `change`: receives what happened: PINTLE_EVENT_CLOSES, PINTLE_EVENT_OPENS, PINTLE_EVENT_HITS,
///   PINTLE_EVENT_STICKS, PINTLE_EVENT_SLIPS or PINTLE_EVENT_BREAKS; may be NULL.
/// - `joint`: receives the id of the joint, -1 for an event of a contact
///   (pintle_get_event_contact) or a clutch (pintle_get_event_clutch); may be NULL.
/// - `slide`: receives 1 if it happened on the slide of a CYLINDRICAL joint, else 0; may be NULL.
/// - `impulse`: receives the impulse on the coordinate (force time, or moment time), or along the
///   normal of a contact, of PINTLE_EVENT_HITS, else 0; may be NULL.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_VALUE (i).
int32_t pintle_get_event(const pintle_system *sys,
                         int32_t i,
                         double *time,
                         int32_t *change,
                         int32_t *joint,
                         int32_t *slide,
                         double *impulse);

/// Adds a place to a beam at which the host gives loads (pintle_set_beam_load): a force and a
/// moment there, or per length. Loads per length are linear from each place of this kind to the
/// next one, and zero before the first and behind the last. Nodes get what does the same work on
/// the motion of the place (pintle_get_beam_load_motion).
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `s`: arc length, from the first to the last node of the beam; for loads per length above that
///   of the place of this kind before.
/// - `offset[3]`: from the axis to the place, in the axes of the section.
/// - `distributed`: 1 if the load is per length, else 0.
/// - `place`: receives the number of the place: 0 and up on each beam.
///
/// Phases: BUILDING, after the beam has its elements. Errors: BAD_PHASE, BAD_ID, NOT_FINITE,
/// BAD_VALUE (s; distributed; a beam without elements), OUT_OF_MEMORY.
int32_t pintle_add_beam_load(pintle_system *sys,
                             int32_t beam,
                             double s,
                             const double offset[3],
                             int32_t distributed,
                             int32_t *place);

/// Sets the load at a place of a beam. It replaces the former one and acts until it is set again;
/// in phase BUILDING it is the value at the initial time, later the value at the end of the coming
/// step (option "input_order", as for loads of bodies).
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `place`: of pintle_add_beam_load.
/// - `frame`: PINTLE_FRAME_INERTIAL, or PINTLE_FRAME_BODY for the axes of the section, with which
///   the load turns.
/// - `wrench[6]`: force, then moment about the place; per length if the place is distributed.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (place, frame).
int32_t pintle_set_beam_load(pintle_system *sys, int32_t beam, int32_t place, int32_t frame, const double wrench[6]);

/// How many places a beam has at which loads act.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `count`: receives the number of its places.
///
/// Phases: all. Errors: BAD_ID.
int32_t pintle_beam_load_count(const pintle_system *sys, int32_t beam, int32_t *count);

/// A place of a beam at which loads act, and the load that is set there, as it was given.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `place`: of pintle_add_beam_load.
/// - `s`: receives its arc length; may be NULL.
/// - `offset[3]`: receives its offset from the axis; may be NULL.
/// - `distributed`: receives 1 if its load is per length, else 0; may be NULL.
/// - `frame`: receives the axes of the load; may be NULL.
/// - `wrench[6]`: receives the load; may be NULL.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (place).
int32_t pintle_get_beam_load(const pintle_system *sys,
                             int32_t beam,
                             int32_t place,
                             double *s,
                             double offset[3],
                             int32_t *distributed,
                             int32_t *frame,
                             double wrench[6]);

/// The motion of a place of a beam at which loads act. The load does the work of its force on the
/// velocity and of its moment on the angular velocity that are returned here.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `place`: of pintle_add_beam_load.
/// - `pose[7]`: receives the place in I, and the orientation of the axes of the section; may be
///   NULL.
/// - `velocity[6]`: receives the velocity and the angular velocity in I; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (place), UNSTABLE (numbers
/// too large for a double).
int32_t pintle_get_beam_load_motion(const pintle_system *sys,
                                    int32_t beam,
                                    int32_t place,
                                    double pose[7],
                                    double velocity[6]);

/// Force and moment of a section of a beam about its place, anywhere along the beam: what the part
/// behind it does on the part before it, just before a load at that arc length. Loads and inertia
/// between the ends of the element and the section are included; at a root on the ground it is the
/// reaction, to rounding.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `s`: arc length, from the first to the last node of the beam.
/// - `frame`: PINTLE_FRAME_INERTIAL, or PINTLE_FRAME_BODY for the axes of the section.
/// - `wrench[6]`: receives force, then moment.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (s, frame),
/// UNSTABLE (numbers too large for a double).
int32_t pintle_get_beam_section_load(const pintle_system *sys, int32_t beam, double s, int32_t frame, double wrench[6]);

/// The strains of a section of a beam, anywhere along it: those of the force and the moment of
/// pintle_get_beam_section_load less what damping has of them.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `s`: arc length, from the first to the last node of the beam.
/// - `strains[6]`: receives extension, shear along axes 2 and 3, and per length twist and bending
///   about axes 2 and 3 of the section.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (s), UNSTABLE
/// (numbers too large for a double).
int32_t pintle_get_beam_strains(const pintle_system *sys, int32_t beam, double s, double strains[6]);

/// Adds a beam: geometrically exact, with any stiffness and mass of its sections (docs/beams.md).
/// Describe its sections by pintle_add_beam_station, say which nodes are bodies of the model
/// (pintle_attach_beam), and divide it into elements (pintle_mesh_beam): all in phase BUILDING.
///
/// - `sys`: the system.
/// - `damping[6]`: mu, a time >= 0, of each strain: extension, shear 2 and 3, twist, bending 2
///   and 3. Section loads are C (strains + mu rates); a mode of the angular frequency w has the
///   damping ratio mu w/2 where all six are equal.
/// - `beam`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (negative).
int32_t pintle_add_beam(pintle_system *sys, const double damping[6], int32_t *beam);

/// Adds a station to a beam, behind those that it has. Between stations, the axis is a cubic along
/// the first axes of both sections, orientations turn evenly, stiffness and mass are linear. The
/// beam is without stress in this shape.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `s`: arc length along the axis, above that of the station before, and not less than the
///   distance from there.
/// - `pose[7]`: place of the section in I and orientation of its axes at the start: axis 1 along
///   the beam, less than 60 degrees from the lines to the stations beside it, axes 2 and 3 in the
///   section.
/// - `stiffness[36]`: C, column-major, symmetric and positive definite: force and moment in the
///   axes of the section per strain (extension, shear 2, shear 3) and curvature (twist, bending 2,
///   bending 3).
/// - `mass[36]`: mass per length about the place of the section, column-major, in the form of the
///   6x6 mass matrix of a rigid body.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (s, pose, stiffness, mass; a
/// beam that has its elements), OUT_OF_MEMORY.
int32_t pintle_add_beam_station(pintle_system *sys,
                                int32_t beam,
                                double s,
                                const double pose[7],
                                const double stiffness[36],
                                const double mass[36]);

/// Adds a straight beam of one section: a beam with stations at both ends. Attach it and divide it
/// into elements as any other.
///
/// - `sys`: the system.
/// - `point_a[3]`, `point_b[3]`: ends of the axis in I.
/// - `axis[3]`: direction in I of axis 2 of the section; the part of it along the beam is left out.
/// - `stiffness[6]`: EA, GA2, GA3, GJ, EI2, EI3, all > 0.
/// - `mass[4]`: mass per length, and moments of inertia per length about axes 1, 2, 3.
/// - `damping[6]`: as in pintle_add_beam.
/// - `beam`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (a beam without length, or along
/// axis; stiffness, mass, damping), OUT_OF_MEMORY.
int32_t pintle_add_uniform_beam(pintle_system *sys,
                                const double point_a[3],
                                const double point_b[3],
                                const double axis[3],
                                const double stiffness[6],
                                const double mass[4],
                                const double damping[6],
                                int32_t *beam);

/// Says whether the inertia of each element is lumped at its ends, or spread over it as its points
/// move (the default). Spread, frequencies converge with the fourth order in the length of
/// elements; lumped, with the second, but steps keep momentum to rounding, and rotors may use
/// "rho_inf" above 0.9 (docs/beams.md).
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `lumped`: 1 or 0.
///
/// Phases: BUILDING, before the beam has its elements. Errors: BAD_PHASE, BAD_ID, BAD_VALUE
/// (lumped; a beam that has its elements).
int32_t pintle_set_beam_lumped(pintle_system *sys, int32_t beam, int32_t lumped);

/// Makes a node of a beam a part of a body, or fixes it to the ground: no joint is needed, and the
/// node may be anywhere on the body. Other nodes become bodies of their own.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `node`: 0 to the number of elements that the beam will have.
/// - `body`: id, or PINTLE_GROUND.
///
/// Phases: BUILDING, before the beam has its elements. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (node;
/// a node that is attached already; a beam that has its elements).
int32_t pintle_attach_beam(pintle_system *sys, int32_t beam, int32_t node, int32_t body);

/// Adds a node to a beam that pintle_mesh_beam shall divide at given places: where something is
/// attached, or where sections change fast.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `s`: arc length of the node, above that of the node before, from the first station to the last
///   at most.
///
/// Phases: BUILDING, after the stations. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (s; a
/// beam that has its elements), OUT_OF_MEMORY.
int32_t pintle_add_beam_node(pintle_system *sys, int32_t beam, double s);

/// Divides a beam into elements. Each node that is not attached becomes a new
/// body without mass of its own, with the pose of the section there (pintle_beam_body): joints,
/// springs, lines, markers, loads, imposed motions and getters of bodies act on it. Elements have
/// the kind "beam_element".
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `n_elements`: how many of equal arc length, at most 100000; 0 for elements between the nodes
///   of pintle_add_beam_node.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (n_elements; fewer than two stations or
/// nodes; attached nodes that it does not have, or neighbours on one body; axis 2 along an element;
/// a beam that has its elements), OUT_OF_MEMORY.
int32_t pintle_mesh_beam(pintle_system *sys, int32_t beam, int32_t n_elements);

/// The body that is a node of a beam.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `node`: 0 to the number of its elements.
/// - `body`: receives the id, or PINTLE_GROUND.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (node; a beam without elements).
int32_t pintle_beam_body(const pintle_system *sys, int32_t beam, int32_t node, int32_t *body);

/// A beam as it was added.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `damping[6]`: receives mu of each strain; may be NULL.
/// - `lumped`: receives 1 if inertia is lumped, else 0; may be NULL.
/// - `n_stations`: receives how many stations it has; may be NULL.
/// - `n_elements`: receives how many elements it has, 0 before pintle_mesh_beam; may be NULL.
/// - `first_element`: receives the number of its first element among those of all beams (kind
///   "beam_element"); may be NULL.
///
/// Phases: all. Errors: BAD_ID.
int32_t pintle_get_beam_info(const pintle_system *sys,
                             int32_t beam,
                             double damping[6],
                             int32_t *lumped,
                             int32_t *n_stations,
                             int32_t *n_elements,
                             int32_t *first_element);

/// A station of a beam as it was added.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `station`: 0 to one less than the number of its stations.
/// - `s`: receives its arc length; may be NULL.
/// - `pose[7]`: receives place and orientation of the section in I; may be NULL.
/// - `stiffness[36]`: receives C, column-major; may be NULL.
/// - `mass[36]`: receives the mass per length, column-major; may be NULL.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (station).
int32_t pintle_get_beam_station(const pintle_system *sys,
                                int32_t beam,
                                int32_t station,
                                double *s,
                                double pose[7],
                                double stiffness[36],
                                double mass[36]);

/// The motion of a section of a beam, anywhere along it.
///
/// - `sys`: the system.
/// - `beam`: id.
/// - `s`: arc length, from the first to the last node of the beam.
/// - `pose[7]`: receives place of the section in I and orientation of its axes; may be NULL.
/// - `velocity[6]`: receives the velocity of its place and its angular velocity in I; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (s), UNSTABLE
/// (numbers too large for a double).
int32_t pintle_get_beam_motion(const pintle_system *sys, int32_t beam, double s, double pose[7], double velocity[6]);

/// Adds a clutch between two coordinates of joints: dry friction on the slip s = q_b - ratio q_a, q
/// their coordinates (pintle_get_joint_coordinate) or slides. It transmits a torque, or a force, T
/// to q_b and -ratio T to q_a. While s grows, T = -capacity_back; while it falls, T =
/// capacity_forth; where it comes to rest, the clutch holds up to static_ratio times these, without
/// creeping. Capacities of 0 open it. INFINITY locks: both capacities make a dog clutch, which
/// closes by an impulse (pintle_get_event); capacities 0 and INFINITY make a freewheel, which
/// drives b and lets it overrun, INFINITY and 0 one that holds it back. A step ends where the
/// clutch holds and slips, and the scheme starts anew there.
///
/// - `sys`: the system.
/// - `joint_a`, `joint_b`: ids of joints that have a coordinate; they may be driven.
/// - `slide_a`, `slide_b`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `ratio`: rate of b over rate of a without slip, not zero.
/// - `capacity_back`: largest torque, or force, against q_b while it slips, >= 0; INFINITY locks.
/// - `capacity_forth`: the same along q_b.
/// - `static_ratio`: capacity while it holds over that, >= 1.
/// - `slip`: displacement of s while it holds with its largest torque, >= 0; 0 is 1e-6 rad, or of
///   the model's length if q_b is a displacement. What is locked has a stiff spring in its place.
/// - `clutch`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a joint without coordinate,
/// the same coordinate twice, a number out of range), OUT_OF_MEMORY. pintle_initialize and steps
/// refuse schemes that do not locate events (UNSUPPORTED). A clutch on a broken joint does nothing.
int32_t pintle_add_clutch(pintle_system *sys,
                          int32_t joint_a,
                          int32_t slide_a,
                          int32_t joint_b,
                          int32_t slide_b,
                          double ratio,
                          double capacity_back,
                          double capacity_forth,
                          double static_ratio,
                          double slip,
                          int32_t *clutch);

/// Sets the capacities of a clutch, from the accepted time on.
///
/// - `sys`: the system.
/// - `clutch`: id.
/// - `capacity_back`, `capacity_forth`: as for pintle_add_clutch.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (negative).
int32_t pintle_set_clutch_capacity(pintle_system *sys, int32_t clutch, double capacity_back, double capacity_forth);

/// The capacities of a clutch, as set.
///
/// - `sys`: the system.
/// - `clutch`: id.
/// - `capacity_back`, `capacity_forth`: receive the values of pintle_set_clutch_capacity; each may
///   be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_clutch_capacity(const pintle_system *sys,
                                   int32_t clutch,
                                   double *capacity_back,
                                   double *capacity_forth);

/// Sets stops at both ends of the range of s = q_b - ratio q_a, in place of those before, as
/// pintle_set_joint_stop does on one joint. Gears with backlash are a clutch of the capacities 0
/// with stops at both ends of their play: their teeth hit each other. In READY they act from the
/// accepted time on.
///
/// - `sys`: the system.
/// - `clutch`: id.
/// - `lower`, `upper`: bounds of s; -INFINITY and INFINITY for none.
/// - `law`: PINTLE_STOP_SPRING, PINTLE_STOP_IMPULSE or PINTLE_STOP_RESTITUTION.
/// - `stiffness`: moment / angle, or force / length, on q_b, > 0.
/// - `damping`: moment / angular velocity, or force / velocity, of PINTLE_STOP_SPRING, >= 0.
/// - `restitution`: of the other laws, 0 to 1; PINTLE_STOP_RESTITUTION needs more than 0.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (lower above upper; a
/// law, a stiffness or a restitution out of range), OUT_OF_MEMORY.
int32_t pintle_set_clutch_stop(pintle_system *sys,
                               int32_t clutch,
                               double lower,
                               double upper,
                               int32_t law,
                               double stiffness,
                               double damping,
                               double restitution);

/// The stops of a clutch, as set.
///
/// - `sys`: the system.
/// - `clutch`: id.
/// - `lower`, `upper`, `law`, `stiffness`, `damping`, `restitution`: receive the values of
///   pintle_set_clutch_stop; infinite bounds and zeros unless set; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_clutch_stop(const pintle_system *sys,
                               int32_t clutch,
                               double *lower,
                               double *upper,
                               int32_t *law,
                               double *stiffness,
                               double *damping,
                               double *restitution);

/// A clutch as it was added.
///
/// - `sys`: the system.
/// - `clutch`: id.
/// - `joint_a`, `slide_a`, `joint_b`, `slide_b`, `ratio`, `static_ratio`, `slip`: receive the
///   values of pintle_add_clutch; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_clutch_info(const pintle_system *sys,
                               int32_t clutch,
                               int32_t *joint_a,
                               int32_t *slide_a,
                               int32_t *joint_b,
                               int32_t *slide_b,
                               double *ratio,
                               double *static_ratio,
                               double *slip);

/// What a clutch does at present: of the trial if one is pending, else of the accepted state.
///
/// - `sys`: the system.
/// - `clutch`: id.
/// - `mode`: receives 1 where it holds, 2 where it is at a stop, 0 where it slips or is open, 4
///   where one of its joints is broken; may be NULL.
/// - `torque`: receives T and that of the stops, torque or force on q_b; may be NULL.
/// - `slip_rate`: receives the rate of q_b less ratio times that of q_a; may be NULL.
/// - `limit_back`, `limit_forth`: receive the largest torques that it holds; each may be NULL.
/// - `dissipated`: receives the work that it has taken while slipping; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_clutch(const pintle_system *sys,
                          int32_t clutch,
                          int32_t *mode,
                          double *torque,
                          double *slip_rate,
                          double *limit_back,
                          double *limit_forth,
                          double *dissipated);

/// The clutch at which an event of the last step or trial happened (pintle_get_event).
///
/// - `sys`: the system.
/// - `i`: 0 to the number of pintle_event_count - 1.
/// - `clutch`: receives the id; -1 for an event of a joint or a contact.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_VALUE (i).
int32_t pintle_get_event_clutch(const pintle_system *sys, int32_t i, int32_t *clutch);

/// Adds a gear between two joints: q_b - q_b0 = ratio (q_a - q_a0), q their coordinates
/// (pintle_get_joint_coordinate: angle or displacement, in either place) and q0 the coordinates at
/// the poses that bodies were added with. Wheels that turn against each other have a negative
/// ratio; a rack (PRISMATIC) follows its pinion (REVOLUTE) with the pitch radius. A joint may be in
/// several gears, and be driven. If the first motion of a driven joint or a prescribed body is away
/// from these poses, also by whole turns, the other joint must have the coordinate that follows
/// from the gear, or is moved there by option "assemble", and its turns are counted accordingly.
/// Angles count over any number of turns; the slower one of two, or the driven one where one alone
/// is driven, must turn by less than half a turn in one internal step, by its rate at the start of
/// the step (else NO_CONVERGENCE), unless the other turns a whole number of times as fast.
///
/// - `sys`: the system.
/// - `joint_a`, `joint_b`: ids of two different joints that have a coordinate.
/// - `ratio`: rate of b over rate of a, not zero.
/// - `gear`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a joint without a
/// coordinate, the same joint twice, ratio 0). A gear that follows from joints and gears before it
/// is left out, as such constraints of joints are (pintle_get_redundant_constraints); one that
/// contradicts them is found by pintle_initialize.
int32_t pintle_add_gear(pintle_system *sys, int32_t joint_a, int32_t joint_b, double ratio, int32_t *gear);

/// Adds a gear between the coordinates of two or more joints: the sum of c_i (q_i - q_i0) is 0, q
/// and q0 as for pintle_add_gear, which is the one of two joints with coefficients -ratio and 1. A
/// differential has the coefficients 1, 1, -2 for its two shafts and its cage; a planetary gear,
/// with joints between its frame and sun, ring and carrier, has z_sun, z_ring, -(z_sun + z_ring)
/// (Willis 1841); a tackle the numbers of its falls for PRISMATIC joints. It is a gear in all else:
/// kind "gear", with pintle_get_gear_load, and loads of c_i/c_n times that on coordinate i.
///
/// Angles count over any number of turns; all but one of them must turn by less than half a turn in
/// one internal step, by their rates at the start of the step (else NO_CONVERGENCE), unless the one
/// turns a whole number of times as fast: that with the smallest coefficient, of those that are not
/// driven.
///
/// - `sys`: the system.
/// - `n`: number of joints, 2 or more.
/// - `joints`: `[n]` ids of different joints that have a coordinate.
/// - `coefficients`: `[n]`, not zero; only their ratios matter.
/// - `gear`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_SIZE (fewer than two joints), BAD_ID, NOT_FINITE,
/// BAD_VALUE (a joint without a coordinate, a joint twice, a coefficient of 0), OUT_OF_MEMORY.
/// Gears that follow from others are left out as for pintle_add_gear.
int32_t pintle_add_coupling(pintle_system *sys,
                            int32_t n,
                            const int32_t *joints,
                            const double *coefficients,
                            int32_t *gear);

/// A part of a gear: one of its joints, and the coefficient of its coordinate.
///
/// - `sys`: the system.
/// - `gear`: id.
/// - `part`: number of the part, from 0.
/// - `n`: receives the number of parts; may be NULL.
/// - `joint`: receives the id of the joint; may be NULL.
/// - `coefficient`: receives the coefficient as set; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (no such part).
int32_t pintle_get_coupling(const pintle_system *sys,
                            int32_t gear,
                            int32_t part,
                            int32_t *n,
                            int32_t *joint,
                            double *coefficient);

/// Joints and ratio of a gear.
///
/// - `sys`: the system.
/// - `gear`: id.
/// - `joint_a`: receives the id of the first joint; may be NULL.
/// - `joint_b`: receives the id of the second joint; may be NULL.
/// - `ratio`: receives rate of b over rate of a; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a gear of more than two
/// joints: pintle_get_coupling).
int32_t pintle_get_gear_info(const pintle_system *sys, int32_t gear, int32_t *joint_a, int32_t *joint_b, double *ratio);

/// The load that a gear transmits: its generalized force on the coordinate of its last joint, on
/// body b of that joint (the opposite acts on its body a): a torque on an angle, a force on a
/// displacement. The force on the coordinate of the first of two joints is minus ratio times that.
/// Zero for a gear that follows from joints and gears before it: those carry the load.
///
/// - `sys`: the system.
/// - `gear`: id.
/// - `torque`: receives it.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_gear_load(const pintle_system *sys, int32_t gear, double *torque);

/// Replaces the table of a spring or a damper on a joint's coordinate. In READY it acts from the
/// accepted time on, and belongs to the state.
///
/// A spring pushes the coordinate back with the force at its value; a damper acts against its rate,
/// and its table goes through 0 at rest. Between their points tables are monotone cubics (Fritsch,
/// Carlson 1980), beyond them straight lines. Forces and rates of a damper are mirrored where all
/// are on one side.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `what`: "spring" or "damper".
/// - `n`: number of points, 2 or more.
/// - `x`: `[n]`, coordinates or rates, rising.
/// - `y`: `[n]`, forces, or moments of angles, at these, not falling; of a damper with the signs of
///   the rates.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, BAD_UTF8, BAD_SIZE (n), NOT_FINITE, BAD_VALUE
/// (what; x that does not rise; y that falls, or drives what it damps; a joint without coordinate,
/// a broken one, in READY one without such a table), OUT_OF_MEMORY.
int32_t pintle_set_joint_table(pintle_system *sys,
                               int32_t joint,
                               int32_t slide,
                               const char *what,
                               int32_t n,
                               const double *x,
                               const double *y);

/// Adds a point to the table of a damper on a joint's coordinate, which acts against its rate: a
/// monotone cubic through 0 at rest and the points, in whatever order they come, and straight lines
/// beyond. Where all points are on one side of 0, the other side mirrors them. The damper acts
/// beside the spring, and with every scheme.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `rate`: of the coordinate, not 0.
/// - `force`: force, or moment, against it, of the sign of the rate; it must not fall with the
///   rate.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a rate that is 0 or has a
/// force; a force that falls; a joint without coordinate), OUT_OF_MEMORY.
int32_t pintle_add_joint_damper_point(pintle_system *sys, int32_t joint, int32_t slide, double rate, double force);

/// The number of points in the table of a damper on a joint; 0 without one.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `n`: receives the number.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
int32_t pintle_joint_damper_point_count(const pintle_system *sys, int32_t joint, int32_t slide, int32_t *n);

/// A point in the table of a damper on a joint.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `point`: 0 to one less than their number, in the order of rates.
/// - `rate`, `force`: receive the values of pintle_add_joint_damper_point; each may be NULL.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (point; a joint without coordinate).
int32_t pintle_get_joint_damper_point(const pintle_system *sys,
                                      int32_t joint,
                                      int32_t slide,
                                      int32_t point,
                                      double *rate,
                                      double *force);

/// The force of the damper with a table on a joint's coordinate, on body b: of the sign against the
/// rate. Its power, -force times the rate, is what a power take-off absorbs.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `force`: receives the force, or moment; 0 without a table.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (a joint without coordinate).
int32_t pintle_get_joint_damper_force(const pintle_system *sys, int32_t joint, int32_t slide, double *force);

/// Adds a point to the table of a spring on a joint's coordinate, which pushes it back: a monotone
/// cubic through the points, in whatever order they come, and straight lines beyond; a single point
/// is a constant force. The spring acts beside that of pintle_set_joint_spring, and with every
/// scheme; its potential energy counts from the greatest coordinate without force. Backlash is a
/// table with a flat middle.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `coordinate`: a value that has no force yet.
/// - `force`: force, or moment, on body a along the coordinate, and against it on body b; it must
///   not fall with the coordinate.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a coordinate that has a
/// force; a force that falls; a joint without coordinate), OUT_OF_MEMORY.
int32_t pintle_add_joint_spring_point(pintle_system *sys,
                                      int32_t joint,
                                      int32_t slide,
                                      double coordinate,
                                      double force);

/// The number of points in the table of a spring on a joint; 0 without one.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `n`: receives the number.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
int32_t pintle_joint_spring_point_count(const pintle_system *sys, int32_t joint, int32_t slide, int32_t *n);

/// A point in the table of a spring on a joint.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `point`: 0 to one less than their number, in the order of coordinates.
/// - `coordinate`, `force`: receive the values of pintle_add_joint_spring_point; each may be NULL.
///
/// Phases: all. Errors: BAD_ID, BAD_VALUE (point; a joint without coordinate).
int32_t pintle_get_joint_spring_point(const pintle_system *sys,
                                      int32_t joint,
                                      int32_t slide,
                                      int32_t point,
                                      double *coordinate,
                                      double *force);

/// The force of the springs on a joint's coordinate, on body b: of pintle_add_joint_spring_point
/// and of pintle_set_joint_spring, without the damping of that.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `force`: receives the force, or moment; 0 without springs.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (a joint without coordinate).
int32_t pintle_get_joint_spring_force(const pintle_system *sys, int32_t joint, int32_t slide, double *force);

/// Lets ends of lines break off together, as when the point breaks that they are tied to: at a
/// time, or when the tension of one of their end segments is above a limit, whichever comes first.
/// Ends break off when an internal step ends, which it does at `time`; the scheme starts anew then,
/// as after pintle_mark_discontinuity. A time that is not after the initial one acts in the first
/// step. Each end is free afterwards (pintle_release_line); or the ends stay together on `point`,
/// which waits at rest until then, moves to the first of them, and is a free point from then on, of
/// its mass, volume and drag.
///
/// - `sys`: the system.
/// - `n`: number of ends, 1 or more, all at one point.
/// - `lines`: `[n]` ids.
/// - `ends`: `[n]`: 0 is end A, 1 is end B.
/// - `time`: >= 0; 0: at no time.
/// - `tension`: >= 0; 0: at no tension.
/// - `point`: id of a free point that carries nothing, of any position and mass; -1 for none.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_SIZE (n below 0), BAD_VALUE (no
/// ends; another end; ends at several points; an end with a failure; a negative number; both 0; a
/// point that is not free).
int32_t pintle_set_line_failure(pintle_system *sys,
                                int32_t n,
                                const int32_t *lines,
                                const int32_t *ends,
                                double time,
                                double tension,
                                int32_t point);

/// The failure of an end of a line (pintle_set_line_failure).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `end`: which: 0 is end A, 1 is end B.
/// - `time`, `tension`: receive them, 0 for none; may be NULL.
/// - `point`: receives the id of its point, -1 for none; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (end).
int32_t pintle_get_line_failure(const pintle_system *sys,
                                int32_t line,
                                int32_t end,
                                double *time,
                                double *tension,
                                int32_t *point);

/// Releases an end of a line, as when it breaks there: from the present time on the end is not
/// tied, and moves freely with its present velocity. The scheme starts anew, as after
/// pintle_mark_discontinuity.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `end`: which: 0 is end A, 1 is end B.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (end; it is released already).
int32_t pintle_release_line(pintle_system *sys, int32_t line, int32_t end);

/// Whether the ends of a line were released (pintle_release_line, pintle_set_line_failure).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `end_a`, `end_b`: receive 1 for an end that has left its point, else 0; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_line_released(const pintle_system *sys, int32_t line, int32_t *end_a, int32_t *end_b);

/// Sets the axial stiffness of a line from the present time on, as of polyester, which is stiffer
/// the faster it is loaded. The tension jumps with it, and the scheme starts anew, as after
/// pintle_mark_discontinuity. A damping that is a part of the critical one follows the stiffness.
///
/// - `sys`: the system.
/// - `line`: id of a line whose type has no table of tensions and is not viscoelastic.
/// - `ea`: force per strain, above 0.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (not above 0; a table;
/// a viscoelastic line).
int32_t pintle_set_line_stiffness(pintle_system *sys, int32_t line, double ea);

/// The axial stiffness of a line (pintle_add_line_type, pintle_set_line_stiffness).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `ea`: receives it, in force per strain, the static one of a viscoelastic line; 0 where a table
///   says.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_line_stiffness(const pintle_system *sys, int32_t line, double *ea);

/// Moves the nodes of a line at constant time, as to where another program left them. Accelerations
/// follow from the present loads, and the next step starts anew. Friction of the seabed holds the
/// nodes where they are put; a viscoelastic line is at rest there (pintle_set_line_slow_strains).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: the number of nodes, one more than segments.
/// - `positions`, `velocities`: `[n][3]`, in I, from end A to end B. Those of ends that are tied
///   are not used: ends move with their points.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), NOT_FINITE, SINGULAR, CALLBACK,
/// NO_CONVERGENCE (a load callback that depends on accelerations), UNSTABLE (numbers too large for
/// a double), STOPPED; then nothing is changed.
int32_t pintle_set_line_coordinates(pintle_system *sys,
                                    int32_t line,
                                    int32_t n,
                                    const double *positions,
                                    const double *velocities);

/// Sets the internal pressure of a line, such as a riser or a hose. What fills a line pushes it
/// apart: the effective tension of a segment is that of its strain less p A, with the mean p of its
/// nodes and the area A of its diameter, and a bent line bends more. The pressure of the water
/// outside is in the buoyancy. The mass per length must contain the contents. A steady flow of
/// density rho and speed u acts as an additional pressure rho u^2. Where the bore is narrower than
/// the line, multiply the pressure by the ratio of the areas.
///
/// - `sys`: the system.
/// - `line`: id; in READY of a line that was given a pressure in BUILDING, which may be 0.
/// - `n`: 1, for one pressure in the whole line, or the number of nodes, one more than segments.
/// - `pressure`: `[n]`, from end A to end B.
///
/// In READY it holds from the present time on, and the scheme starts anew, as after
/// pintle_mark_discontinuity.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), NOT_FINITE, BAD_VALUE (a line
/// that was given none in BUILDING), OUT_OF_MEMORY.
int32_t pintle_set_line_pressure(pintle_system *sys, int32_t line, int32_t n, const double *pressure);

/// The internal pressure at the nodes of a line (pintle_set_line_pressure).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: the number of nodes, one more than segments.
/// - `pressure`: receives `[n]`, from end A to end B; zeros for a line without.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_SIZE (n).
int32_t pintle_get_line_pressure(const pintle_system *sys, int32_t line, int32_t n, double *pressure);

/// The forces of one cause on the nodes of a line, from end A to end B, without the inertia of the
/// line and of the water that moves along.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `what`: "tension" (with its damping), "bending", "pressure" (internal), "weight", "buoyancy",
///   "drag", "froude_krylov" (of the acceleration of the water, with its part of the added mass),
///   "seabed" (with friction), or "net", the sum of these.
/// - `n`: the number of nodes, one more than segments.
/// - `out`: receives `[n][3]`, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_UTF8, BAD_VALUE (what), BAD_SIZE
/// (n), UNSTABLE (numbers too large for a double).
int32_t pintle_get_line_node_loads(const pintle_system *sys, int32_t line, const char *what, int32_t n, double *out);

/// Clamps an end of a line with bending stiffness, as a bend stiffener or a flange does: the line
/// leaves the end along `axis`, and passes a moment on. Without it ends are hinged. The energy of a
/// clamp is 2 EI/l (1 - cos) of the angle between the axis and the end segment, of unstretched
/// length l. An end that breaks off is not clamped any more.
///
/// - `sys`: the system.
/// - `line`: id of a line whose type has bending stiffness.
/// - `end`: which: 0 is end A, 1 is end B.
/// - `body`: id of the body that the point of the end is attached to; PINTLE_GROUND for a point
///   that is fixed or prescribed.
/// - `axis[3]`: from the end into the line, of any length, in the axes of the body or in I;
///   replaces that of an earlier call.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (end; a free point, or one
/// that is not on the body; a type without bending stiffness; an axis without direction).
int32_t pintle_clamp_line(pintle_system *sys, int32_t line, int32_t end, int32_t body, const double axis[3]);

/// The clamp of an end of a line (pintle_clamp_line).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `end`: which: 0 is end A, 1 is end B.
/// - `clamped`: receives 1 if it was described as clamped, else 0; may be NULL.
/// - `body`: receives the id of the body, PINTLE_GROUND for none; may be NULL.
/// - `axis[3]`: receives the axis, of length 1, in the axes of the body or in I; zeros without a
///   clamp.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (end).
int32_t pintle_get_line_clamp(const pintle_system *sys,
                              int32_t line,
                              int32_t end,
                              int32_t *clamped,
                              int32_t *body,
                              double axis[3]);

/// Joins ends of two lines with bending stiffness at one point, as where two cables are spliced, or
/// a bend stiffener begins: bending passes on, as at an inner node. The joint has no mass, and the
/// angle across it the stiffness 2/(l1/EI1 + l2/EI2), from both end segments. Without it each line
/// is hinged at the point. Where an end breaks off, the joint ends.
///
/// - `sys`: the system.
/// - `line_a`, `line_b`: ids of different lines, of two segments or more.
/// - `end_a`, `end_b`: which end of each: 0 is end A, 1 is end B; both are at the same point, of
///   any support.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (an end; one line; different points; a
/// line of one segment, or without bending stiffness; an end that is clamped, or joined),
/// OUT_OF_MEMORY.
int32_t pintle_join_lines(pintle_system *sys, int32_t line_a, int32_t end_a, int32_t line_b, int32_t end_b);

/// The end that an end of a line is joined to (pintle_join_lines).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `end`: which: 0 is end A, 1 is end B.
/// - `other_line`: receives the id of the other line, -1 for none; may be NULL.
/// - `other_end`: receives which end of it, -1 for none; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (end).
int32_t pintle_get_line_joint(const pintle_system *sys,
                              int32_t line,
                              int32_t end,
                              int32_t *other_line,
                              int32_t *other_end);

/// The bending moment of a clamped end of a line on what holds it, about the end: what a hang-off
/// is designed for; or of a joined end on the other line. That of its force
/// (pintle_get_line_end_force) about another place is not in it.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `end`: which: 0 is end A, 1 is end B.
/// - `moment[3]`: receives it, in I; zeros at an end that is neither clamped nor joined, or has
///   broken off.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (end), UNSTABLE (numbers too
/// large for a double).
int32_t pintle_get_line_end_moment(const pintle_system *sys, int32_t line, int32_t end, double moment[3]);

/// Adds a type of lines, with their material properties.
///
/// - `sys`: the system.
/// - `diameter`: volume-equivalent, above 0.
/// - `mass_per_length`: of unstretched length, in air, above 0.
/// - `ea`: axial stiffness, force per strain, >= 0; 0 where pintle_set_line_type_table gives a
///   table in its place.
/// - `ba`: axial damping, force per strain rate; below 0: minus the part of a segment's critical
///   damping.
/// - `ei`: bending stiffness, >= 0.
/// - `cdn`, `can`: transverse coefficients of drag and added mass, >= 0.
/// - `cdt`, `cat`: axial coefficients, >= 0; drag is referred to the circumference.
/// - `type`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (negative; 0 for diameter or mass),
/// OUT_OF_MEMORY.
int32_t pintle_add_line_type(pintle_system *sys,
                             double diameter,
                             double mass_per_length,
                             double ea,
                             double ba,
                             double ei,
                             double cdn,
                             double can,
                             double cdt,
                             double cat,
                             int32_t *type);

/// Replaces a number of a type of lines, or a former table, by a table: linear between its points,
/// and extrapolated linearly beyond the ends, not below zero. A segment that is not stretched has
/// no elastic tension.
///
/// - `sys`: the system.
/// - `type`: id of a type of lines.
/// - `what`: "ea": tensions over strains; "ba": damping forces over strain rates, with the sign of
///   the rate.
/// - `n`: number of points, 2 or more.
/// - `x`: `[n]`, strains or strain rates, rising, not negative.
/// - `y`: `[n]`, forces there, not falling, not negative; 0 at x = 0, or where the first piece goes
///   on to it.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_UTF8, BAD_SIZE (n), NOT_FINITE, BAD_VALUE
/// (what; x that does not rise; y that falls, is negative, or leaves a force at x = 0),
/// OUT_OF_MEMORY.
int32_t pintle_set_line_type_table(pintle_system *sys,
                                   int32_t type,
                                   const char *what,
                                   int32_t n,
                                   const double *x,
                                   const double *y);

/// A table of a type of lines, as given to pintle_set_line_type_table. Call it with `cap` = 0 to
/// learn `n`, then with arrays of that size.
///
/// - `sys`: the system.
/// - `type`: id of a type of lines.
/// - `what`: "ea" or "ba".
/// - `cap`: capacity of the arrays; with 0 only `n` is written.
/// - `x`: receives strains or strain rates, `n` of its `[cap]` numbers; may be NULL with `cap` = 0.
/// - `y`: receives forces there, `n` of its `[cap]` numbers; may be NULL with `cap` = 0.
/// - `n`: receives how many points there are: 0 for a type without such a table.
///
/// Phases: all. Errors: BAD_ID, BAD_UTF8, BAD_VALUE (what), BAD_SIZE (cap < 0), BUFFER_TOO_SMALL
/// (0 < cap < n; nothing is written).
int32_t pintle_get_line_type_table(const pintle_system *sys,
                                   int32_t type,
                                   const char *what,
                                   int32_t cap,
                                   double *x,
                                   double *y,
                                   int32_t *n);

/// A type of lines as it was described.
///
/// - `sys`: the system.
/// - `type`: id of a type of lines.
/// - `diameter`, `mass_per_length`, `ea`, `ba`, `ei`, `cdn`, `can`, `cdt`, `cat`: receive what
///   pintle_add_line_type was given; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_line_type_info(const pintle_system *sys,
                                  int32_t type,
                                  double *diameter,
                                  double *mass_per_length,
                                  double *ea,
                                  double *ba,
                                  double *ei,
                                  double *cdn,
                                  double *can,
                                  double *cdt,
                                  double *cat);

/// Sets drag and added mass of a point in water. Those of an attached point act at its place on the
/// body, whose buoyancy, like its mass, is the body's own: the volume of the point only says how
/// much water its added mass has.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `cda`: drag coefficient times area, >= 0.
/// - `ca`: added mass as part of the mass of the water that its volume displaces, >= 0.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (negative).
int32_t pintle_set_point_drag(pintle_system *sys, int32_t point, double cda, double ca);

/// Drag and added mass of a point (pintle_set_point_drag); 0 unless set.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `cda`: receives drag coefficient times area; may be NULL.
/// - `ca`: receives the coefficient of added mass; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_point_drag(const pintle_system *sys, int32_t point, double *cda, double *ca);

/// Adds a line between two points: end A at the first, end B at the second. Its nodes 0 (end A) to
/// `segments` (end B) get their positions from pintle_initialize, which computes the shape of each
/// line at rest between its ends; pintle_solve_equilibrium then also moves free points and bodies.
/// A line that is too stiff to have such a shape starts in that of a line without bending stiffness
/// if one of its ends is free; else pintle_initialize refuses it.
/// On an attached point the line acts on the body there.
///
/// - `sys`: the system.
/// - `type`: id of a type of lines.
/// - `point_a`, `point_b`: ids of different points.
/// - `length`: unstretched, above 0.
/// - `segments`: how many, 1 or more.
/// - `line`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (both ends on one point;
/// length or segments not above 0), OUT_OF_MEMORY.
int32_t pintle_add_line(pintle_system *sys,
                        int32_t type,
                        int32_t point_a,
                        int32_t point_b,
                        double length,
                        int32_t segments,
                        int32_t *line);

/// A line as it was described.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `type`: receives the id of its type; may be NULL.
/// - `point_a`, `point_b`: receive the ids of the points at its ends; may be NULL.
/// - `length`: receives the unstretched length; may be NULL.
/// - `segments`: receives the number of segments; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_line_info(const pintle_system *sys,
                             int32_t line,
                             int32_t *type,
                             int32_t *point_a,
                             int32_t *point_b,
                             double *length,
                             int32_t *segments);

/// Sets the unstretched length of a line and its rate at the END of the coming step, as a winch
/// changes them; in between the length is the cubic with these values at both ends. All segments
/// keep equal lengths. Held until it is set again: with a rate that is not zero, set it for every
/// step. Where the cubic passes below a hundredth of the described length the step fails with
/// NO_CONVERGENCE. Until the step is made, outputs and analyses have the present length;
/// pintle_solve_equilibrium stops the winch there.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `length`: at least a hundredth of the described length.
/// - `rate`: of that length.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (too short).
int32_t pintle_set_line_length(pintle_system *sys, int32_t line, double length, double rate);

/// The unstretched length of a line and its rate.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `length`: receives the length; may be NULL.
/// - `rate`: receives its rate; may be NULL.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_line_length(const pintle_system *sys, int32_t line, double *length, double *rate);

/// The unstretched length of a line and its rate that are set for the end of the coming step
/// (pintle_set_line_length).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `length`: receives the length; may be NULL.
/// - `rate`: receives its rate; may be NULL.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_line_length_input(const pintle_system *sys, int32_t line, double *length, double *rate);

/// The positions of the nodes of a line, from end A to end B.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: the number of nodes, one more than segments.
/// - `positions`: receives `[n][3]`, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), UNSTABLE (numbers too
/// large for a double).
int32_t pintle_get_line_positions(const pintle_system *sys, int32_t line, int32_t n, double *positions);

/// The velocities of the nodes of a line, from end A to end B.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: the number of nodes, one more than segments.
/// - `velocities`: receives `[n][3]`, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), UNSTABLE (numbers too
/// large for a double).
int32_t pintle_get_line_velocities(const pintle_system *sys, int32_t line, int32_t n, double *velocities);

/// The accelerations of the nodes of a line, from end A to end B.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: the number of nodes, one more than segments.
/// - `accelerations`: receives `[n][3]`, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), UNSTABLE (numbers too
/// large for a double).
int32_t pintle_get_line_accelerations(const pintle_system *sys, int32_t line, int32_t n, double *accelerations);

/// The tensions of the segments of a line, from end A to end B: elastic and damping force, positive
/// where a segment pulls; a slack one may push a little, by its damping. The tension of an end
/// segment is not the force of the end (pintle_get_line_end_force), from which it differs by half a
/// segment's weight and drag.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: the number of segments.
/// - `tensions`: receives `[n]`.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), UNSTABLE (numbers too
/// large for a double).
int32_t pintle_get_line_tensions(const pintle_system *sys, int32_t line, int32_t n, double *tensions);

/// The net force of an end of a line on its point: tension, weight, drag and seabed of the half
/// segment there, without its inertia. At a released end it is balanced by that inertia.
///
/// - `sys`: the system.
/// - `line`: id.
/// - `end`: which: 0 is end A, 1 is end B.
/// - `force[3]`: receives it, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (end), UNSTABLE (numbers too
/// large for a double).
int32_t pintle_get_line_end_force(const pintle_system *sys, int32_t line, int32_t end, double force[3]);

/// The tensions of the end segments of all lines: those of ends A and B of line 0, then of line 1,
/// and so on.
///
/// - `sys`: the system.
/// - `n`: the number of lines.
/// - `tensions`: receives `[n][2]`.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_line_end_tensions(const pintle_system *sys, int32_t n, double *tensions);

/// The mean tensions of the end segments of all lines over the last step of pintle_step or
/// pintle_advance, whatever internal steps it was cut into: those of ends A and B of line 0, then
/// of line 1, and so on. Where a line snaps, tensions at the ends of steps swing about these, which
/// are the impulse over the time: what a coupled host needs. In smooth motion they are those of
/// half a step ago. generalized-alpha, momentum-alpha, newmark and hht (option "energy_form" 1)
/// have the tension that acted, the others the mean of the tensions at both ends of each internal
/// step. Before the first step, and after pintle_solve_equilibrium or pintle_set_coordinates, they
/// are the present tensions.
///
/// - `sys`: the system.
/// - `n`: the number of lines.
/// - `tensions`: receives `[n][2]`.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_line_mean_tensions(const pintle_system *sys, int32_t n, double *tensions);

/// The net forces of the ends of all lines on their points (pintle_get_line_end_force): end A of
/// line 0, its end B, end A of line 1, and so on.
///
/// - `sys`: the system.
/// - `n`: the number of lines.
/// - `forces`: receives `[n][6]`: force of end A, then of end B, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_line_end_forces(const pintle_system *sys, int32_t n, double *forces);

/// Sets stops at both ends of the range of a joint's coordinate, in place of those before. A step
/// ends where a stop closes or opens, and the scheme starts anew there.
///
/// With delta the indentation, the force is stiffness delta + damping d delta/dt until it is zero
/// (PINTLE_STOP_SPRING); stiffness delta (1 + chi d delta/dt) with the chi that gives the
/// restitution at the speed of closing (PINTLE_STOP_RESTITUTION); or velocities jump, with Newton's
/// restitution, and stiffness carries what rests, or more than it where a force would move that by
/// more than 1e-6 model lengths or rad (PINTLE_STOP_IMPULSE). Nothing bounces below option
/// "rest_speed". Only generalized-alpha, momentum-alpha, newmark and hht locate such events.
///
/// In READY the stops act from the accepted time on: what is beyond them is pressed in, and hits
/// PINTLE_STOP_IMPULSE if it moves on.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `lower`, `upper`: bounds of the coordinate; -INFINITY and INFINITY for none.
/// - `law`: PINTLE_STOP_SPRING, PINTLE_STOP_IMPULSE or PINTLE_STOP_RESTITUTION.
/// - `stiffness`: force / length, or moment / angle, > 0.
/// - `damping`: force / velocity, or moment / angular velocity, of PINTLE_STOP_SPRING, >= 0.
/// - `restitution`: of the other laws, 0 to 1; PINTLE_STOP_RESTITUTION needs more than 0.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (lower above upper; a
/// law, a stiffness or a restitution out of range; a joint without coordinate, in READY one without
/// friction, brake and stop), OUT_OF_MEMORY. pintle_initialize and steps refuse schemes that do not
/// locate events (UNSUPPORTED).
int32_t pintle_set_joint_stop(pintle_system *sys,
                              int32_t joint,
                              int32_t slide,
                              double lower,
                              double upper,
                              int32_t law,
                              double stiffness,
                              double damping,
                              double restitution);

/// The stops of a joint, as set.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `lower`, `upper`, `law`, `stiffness`, `damping`, `restitution`: receive the values of
///   pintle_set_joint_stop; infinite bounds and zeros unless set; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
int32_t pintle_get_joint_stop(const pintle_system *sys,
                              int32_t joint,
                              int32_t slide,
                              double *lower,
                              double *upper,
                              int32_t *law,
                              double *stiffness,
                              double *damping,
                              double *restitution);

/// Sets dry friction and drag on a joint's coordinate, in place of those before. While the joint
/// slips, kinetic + viscous |qd| + quadratic qd^2 acts against its rate qd. It sticks where qd
/// comes to zero and a force up to holding balances the others; it holds without creeping, by a
/// spring that begins with just that force. Steps end where it sticks and slips, as with stops. In
/// READY it acts from the accepted time on.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `kinetic`: force, or moment, while it slips, >= 0.
/// - `holding`: largest force, or moment, while it sticks, >= kinetic.
/// - `viscous`: force / velocity, or moment / angular velocity, >= 0.
/// - `quadratic`: force / velocity^2, or moment / angular velocity^2, >= 0.
/// - `slip`: displacement while it sticks with the largest force, >= 0; 0 is 1e-6 of the model's
///   length, or rad.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (negative; holding
/// below kinetic; a joint without coordinate, in READY one without friction, brake and stop),
/// OUT_OF_MEMORY. pintle_initialize and steps refuse schemes that do not locate events
/// (UNSUPPORTED). On a driven coordinate friction adds to the reaction.
int32_t pintle_set_joint_friction(pintle_system *sys,
                                  int32_t joint,
                                  int32_t slide,
                                  double kinetic,
                                  double holding,
                                  double viscous,
                                  double quadratic,
                                  double slip);

/// The friction of a joint, as set; all zero unless set.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `kinetic`, `holding`, `viscous`, `quadratic`, `slip`: receive the values of
///   pintle_set_joint_friction; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
int32_t pintle_get_joint_friction(const pintle_system *sys,
                                  int32_t joint,
                                  int32_t slide,
                                  double *kinetic,
                                  double *holding,
                                  double *viscous,
                                  double *quadratic,
                                  double *slip);

/// Sets what the reaction of a joint adds to its friction, as of a yaw bearing or a sliding
/// bearing: with F and M its force and moment on body b at the origin of frame b, and z the axis of
/// the joint, axial max(0, F_z) + radial |F_xy| + bending |M_xy| is added to kinetic of
/// pintle_set_joint_friction, and static_ratio times that to holding. A negative axial counts force
/// against z, -axial max(0, -F_z). The reaction is that of the same time. What sticks is held by a
/// spring of 1e4 times the mass over the square of a step's time.
///
/// Where friction grows with the reaction that it causes, steps converge as long as it adds less
/// than it is: a joint that jams by its own friction ends in NO_CONVERGENCE.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `axial`: moment / force = length, of an angle; 0 of a displacement.
/// - `radial`: length of an angle, coefficient of friction of a displacement, >= 0.
/// - `bending`: coefficient of an angle, 1 / length of a displacement, >= 0.
/// - `static_ratio`: what holds over what slips, >= 1.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (out of range; a joint
/// without coordinate, in READY one without friction, brake and stop), UNSUPPORTED (in READY and at
/// pintle_initialize: a joint in a loop with redundant constraints, whose reactions are not
/// unique), OUT_OF_MEMORY.
int32_t pintle_set_joint_friction_load(pintle_system *sys,
                                       int32_t joint,
                                       int32_t slide,
                                       double axial,
                                       double radial,
                                       double bending,
                                       double static_ratio);

/// What the reaction of a joint adds to its friction, as set; zeros and a static_ratio of 1 unless
/// set.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `axial`, `radial`, `bending`, `static_ratio`: receive the values of
///   pintle_set_joint_friction_load; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
int32_t pintle_get_joint_friction_load(const pintle_system *sys,
                                       int32_t joint,
                                       int32_t slide,
                                       double *axial,
                                       double *radial,
                                       double *bending,
                                       double *static_ratio);

/// Sets the capacity of the brake on a joint: it adds to kinetic and to holding of its friction,
/// from the accepted time on. A joint without friction gets its brake in phase BUILDING, where 0 is
/// enough. INFINITY locks the joint where it is: what moves stops by an impulse, which
/// pintle_get_event tells, and a stiff spring holds it, which a force moves by 1e-6 of its way in a
/// step.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `capacity`: force, or moment, >= 0; 0 is off, INFINITY locks.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (negative; a
/// joint without coordinate; in READY and TRIAL one without friction and brake).
int32_t pintle_set_joint_brake(pintle_system *sys, int32_t joint, int32_t slide, double capacity);

/// The capacity of the brake on a joint, as set; 0 unless set.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `capacity`: receives the value of pintle_set_joint_brake.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
int32_t pintle_get_joint_brake(const pintle_system *sys, int32_t joint, int32_t slide, double *capacity);

/// What friction and stops on a joint do at present: of the trial if one is pending, else of the
/// accepted state. All zero for a joint without them.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `slide`: 1 if the slide of a CYLINDRICAL joint is meant, 0 for the coordinate.
/// - `mode`: receives 1 where friction holds the joint, 2 where it is at a stop, 4 where it is
///   broken (pintle_break_joint), 0 where it slips or is free; may be NULL.
/// - `friction`: receives force or moment of friction and brake on b; may be NULL.
/// - `stop_force`: receives that of the stops; may be NULL.
/// - `limit`: receives the largest force or moment that friction and brake hold; may be NULL.
/// - `dissipated`: receives the work that friction and brake have taken while slipping, without
///   drag; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (a joint without coordinate).
int32_t pintle_get_joint_machine(const pintle_system *sys,
                                 int32_t joint,
                                 int32_t slide,
                                 int32_t *mode,
                                 double *friction,
                                 double *stop_force,
                                 double *limit,
                                 double *dissipated);

/// Adds a point: a mass without rotation, free to move until it is fixed, attached or prescribed.
///
/// - `sys`: the system.
/// - `mass`: >= 0; not zero for a point that stays free.
/// - `volume`: >= 0; its buoyancy counts once there is a fluid.
/// - `position[3]`: initial position in I.
/// - `point`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (negative), OUT_OF_MEMORY.
int32_t pintle_add_point(pintle_system *sys, double mass, double volume, const double position[3], int32_t *point);

/// Fixes a point at its position; an initial velocity is removed.
///
/// - `sys`: the system.
/// - `point`: id of a free point.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (fixed, attached or prescribed already).
int32_t pintle_fix_point(pintle_system *sys, int32_t point);

/// Attaches a point to a body, with which it moves; springs on it, and its load, act on the body
/// there, as do its drag and added mass (pintle_set_point_drag). Mass and buoyancy of an attached
/// point are ignored: the body has its own; an initial velocity is removed.
///
/// - `sys`: the system.
/// - `point`: id of a free point.
/// - `body`: id.
/// - `position[3]`: where on the body, in body axes.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (fixed, attached or
/// prescribed already).
int32_t pintle_attach_point(pintle_system *sys, int32_t point, int32_t body, const double position[3]);

/// Says whether the host imposes the motion of a point (pintle_set_point_motion), which is held
/// like that of a prescribed body; with 0 a motion that was set is removed.
///
/// - `sys`: the system.
/// - `point`: id of a point that is neither fixed nor attached.
/// - `prescribed`: 1 or 0.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (prescribed; a fixed or attached point).
int32_t pintle_set_point_prescribed(pintle_system *sys, int32_t point, int32_t prescribed);

/// Sets the initial velocity of a point.
///
/// - `sys`: the system.
/// - `point`: id of a point that is neither fixed nor attached.
/// - `velocity[3]`: in I.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a fixed or attached point).
int32_t pintle_set_point_velocity(pintle_system *sys, int32_t point, const double velocity[3]);

/// Moves a free point at constant time, as pintle_set_coordinates moves bodies: accelerations
/// follow from the present loads, and the next step starts anew. Nodes of its lines move in
/// proportion; a line whose end moves by more than half a segment gets a new shape at rest.
///
/// - `sys`: the system.
/// - `point`: id of a free point.
/// - `position[3]`, `velocity[3]`: in I.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a point that is not free),
/// SINGULAR, CALLBACK, NO_CONVERGENCE (a load callback that depends on accelerations; a line
/// without a shape at rest), UNSTABLE (numbers too large for a double), STOPPED; then nothing is
/// changed.
int32_t pintle_set_point_coordinates(pintle_system *sys,
                                     int32_t point,
                                     const double position[3],
                                     const double velocity[3]);

/// Sets the motion of a prescribed point at the END of the coming step (in BUILDING: at the start,
/// where it replaces the initial position and velocity). In between the motion is the quintic
/// polynomial with these values at both ends, as for pintle_set_body_motion, and jumps of the
/// velocity are treated as there.
///
/// - `sys`: the system.
/// - `point`: id of a prescribed point.
/// - `position[3]`, `velocity[3]`, `acceleration[3]`: in I; they should fit together.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a point that
/// is not prescribed; a position whose distance from the origin of the model overflows).
int32_t pintle_set_point_motion(pintle_system *sys,
                                int32_t point,
                                const double position[3],
                                const double velocity[3],
                                const double acceleration[3]);

/// Sets the force on a point, in place of the one before: at the initial time in BUILDING, later at
/// the END of the coming step. On an attached point it acts on the body there.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `force[3]`: in I.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE.
int32_t pintle_set_point_load(pintle_system *sys, int32_t point, const double force[3]);

/// The force on a point that is set (pintle_set_point_load).
///
/// - `sys`: the system.
/// - `point`: id.
/// - `force[3]`: receives it, in I.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_point_load(const pintle_system *sys, int32_t point, double force[3]);

/// Adds a spring with a damper between two points: as pintle_add_spring, and with an id among those
/// springs.
///
/// - `sys`: the system.
/// - `point_a`, `point_b`: ids of different points.
/// - `stiffness`: force / length, >= 0.
/// - `damping`: force / velocity, >= 0.
/// - `rest_length`: length without force, >= 0.
/// - `tension_only`: 1 if it only pulls, like a rope; 0 if it also pushes.
/// - `spring`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE, OUT_OF_MEMORY.
int32_t pintle_add_point_spring(pintle_system *sys,
                                int32_t point_a,
                                int32_t point_b,
                                double stiffness,
                                double damping,
                                double rest_length,
                                int32_t tension_only,
                                int32_t *spring);

/// The position of a point.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `position[3]`: receives it, in I.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_ID, UNSTABLE (numbers too
/// large for a double).
int32_t pintle_get_point_position(const pintle_system *sys, int32_t point, double position[3]);

/// The velocity of a point.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `velocity[3]`: receives it, in I.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_ID, UNSTABLE (numbers too
/// large for a double).
int32_t pintle_get_point_velocity(const pintle_system *sys, int32_t point, double velocity[3]);

/// The acceleration of a point.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `acceleration[3]`: receives it, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_point_acceleration(const pintle_system *sys, int32_t point, double acceleration[3]);

/// The positions of all points.
///
/// - `sys`: the system.
/// - `n`: the number of points.
/// - `positions`: receives `[n][3]`, in I.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_SIZE (n), UNSTABLE (numbers
/// too large for a double).
int32_t pintle_get_point_positions(const pintle_system *sys, int32_t n, double *positions);

/// The velocities of all points.
///
/// - `sys`: the system.
/// - `n`: the number of points.
/// - `velocities`: receives `[n][3]`, in I.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_SIZE (n), UNSTABLE (numbers
/// too large for a double).
int32_t pintle_get_point_velocities(const pintle_system *sys, int32_t n, double *velocities);

/// The accelerations of all points.
///
/// - `sys`: the system.
/// - `n`: the number of points.
/// - `accelerations`: receives `[n][3]`, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_point_accelerations(const pintle_system *sys, int32_t n, double *accelerations);

/// The reaction of a fixed or prescribed point: the force that must be applied for its imposed
/// motion, in addition to gravity, springs and its load.
///
/// - `sys`: the system.
/// - `point`: id of a fixed or prescribed point.
/// - `force[3]`: receives it, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (a free or attached point),
/// UNSTABLE (numbers too large for a double).
int32_t pintle_get_point_reaction(const pintle_system *sys, int32_t point, double force[3]);

/// A point as it was described.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `mass`: receives the mass; may be NULL.
/// - `volume`: receives the volume; may be NULL.
/// - `body`: receives the id of the body that it is attached to, PINTLE_GROUND for none; may be
///   NULL.
/// - `position[3]`: receives the initial position in I, of an attached point its place in body
///   axes; may be NULL.
/// - `fixed`: receives 1 for a fixed point, else 0; may be NULL.
/// - `prescribed`: receives 1 for a prescribed point, else 0; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_point_info(const pintle_system *sys,
                              int32_t point,
                              double *mass,
                              double *volume,
                              int32_t *body,
                              double position[3],
                              int32_t *fixed,
                              int32_t *prescribed);

/// The position and velocity with which a point was described, not the present ones.
///
/// - `sys`: the system.
/// - `point`: id.
/// - `position[3]`: receives the initial position in I, of an attached point its place in body
///   axes; may be NULL.
/// - `velocity[3]`: receives the initial velocity in I (pintle_set_point_velocity), zero unless
///   set, and of fixed and attached points; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_point_initial_motion(const pintle_system *sys,
                                        int32_t point,
                                        double position[3],
                                        double velocity[3]);

/// The points at the ends of a spring (pintle_add_point_spring).
///
/// - `sys`: the system.
/// - `spring`: id.
/// - `point_a`, `point_b`: receive the ids of the points, -1 for an end on a body or the ground;
///   may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_spring_points(const pintle_system *sys, int32_t spring, int32_t *point_a, int32_t *point_b);

/// The motion that is set for a prescribed point (pintle_set_point_motion); if none was set, the
/// described one. Far from the origin it is returned with rounding, like that of a body.
///
/// - `sys`: the system.
/// - `point`: id of a prescribed point.
/// - `position[3]`, `velocity[3]`, `acceleration[3]`: receive it, in I; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a point that is not
/// prescribed), UNSTABLE (numbers too large for a double).
int32_t pintle_get_point_motion_input(const pintle_system *sys,
                                      int32_t point,
                                      double position[3],
                                      double velocity[3],
                                      double acceleration[3]);

/// Adds a tendon: a massless rope through the eyes `points[0]` to `points[n-1]`, in which it slides
/// without friction, such as a hoist, a block and tackle, a towing line over a fairlead or a cable
/// of a robot. It is tied to the first and the last one. With L the sum of the distances from eye
/// to eye and l the unstretched length, its one tension is
///
/// T = stiffness_ea (L - l)/l + damping (dL/dt - L/l dl/dt)
///
/// where L > l, and 0 where it is slack. It never pushes, and its damper carries no more than its
/// stiffness does, as that of a tension-only spring. Eyes that are in one place have no direction
/// between them, and exert no force on each other. Free masses are bodies. pintle_set_tendon_sheave
/// puts sheaves in the place of eyes.
///
/// - `sys`: the system.
/// - `n`: number of points, 2 to 8.
/// - `bodies`: `[n]` ids, in the order of the rope, some of them perhaps PINTLE_GROUND or the same,
///   not all of them.
/// - `points`: `[n][3]`, in the axes of each body (ground: in I).
/// - `stiffness_ea`: force per strain, > 0.
/// - `damping`: force / velocity, >= 0.
/// - `rest_length`: unstretched length, > 0 (pintle_set_tendon_length).
/// - `tendon`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_SIZE (n), BAD_ID, NOT_FINITE, BAD_VALUE (all on one
/// body; numbers that are not positive), OUT_OF_MEMORY.
int32_t pintle_add_tendon(pintle_system *sys,
                          int32_t n,
                          const int32_t *bodies,
                          const double *points,
                          double stiffness_ea,
                          double damping,
                          double rest_length,
                          int32_t *tendon);

/// A tendon as it was added.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `n`: receives the number of points (pintle_get_tendon_point); may be NULL.
/// - `stiffness_ea`, `damping`, `rest_length`: receive what pintle_add_tendon was given; each may
///   be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_tendon_info(const pintle_system *sys,
                               int32_t tendon,
                               int32_t *n,
                               double *stiffness_ea,
                               double *damping,
                               double *rest_length);

/// A point of a tendon.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `point`: 0 to the number of its points - 1.
/// - `body`: receives the id of its body, or PINTLE_GROUND; may be NULL.
/// - `position[3]`: receives its place in the axes of the body (ground: in I); may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (no such point).
int32_t pintle_get_tendon_point(const pintle_system *sys,
                                int32_t tendon,
                                int32_t point,
                                int32_t *body,
                                double position[3]);

/// Lets a tendon run over a sheave at one of its inner points, in the place of an eye or of a former
/// sheave. The sheave is a circle about the point, in the plane across its axis, and turns with its
/// body; from the first point of the tendon to the last one, the rope runs right-handed about the
/// axis. It leaves the circle as a tangent, as seen along the axis; where it leaves the plane of the
/// sheave, the length is that of the straight part from there, and the arc stays in the plane. The
/// rope slides on the sheave without friction, or turns one without inertia: the body feels no moment
/// about the axis, but for pintle_set_tendon_friction. As in a block, the rope does not lift off:
/// where it would, its wrap is negative.
///
/// The wrap is the angle of the arc. It is counted as the one within half a turn of `wrap`, and must
/// stay within 150 degrees of that: pi for a rope that comes and goes on the same side, more for
/// several turns about a drum. Where it does not stay there, or where a neighbouring point comes
/// within the radius, pintle_initialize gives BAD_VALUE and a step NO_CONVERGENCE or UNSTABLE, with
/// a message that names the point.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `point`: 1 to the number of its points - 2.
/// - `radius`: to the centre of the rope, > 0.
/// - `axis[3]`: in the axes of the body (ground: in I), of any length but 0.
/// - `wrap`: an angle (rad), >= 0.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE.
int32_t pintle_set_tendon_sheave(pintle_system *sys,
                                 int32_t tendon,
                                 int32_t point,
                                 double radius,
                                 const double axis[3],
                                 double wrap);

/// The sheave at a point of a tendon, as given to pintle_set_tendon_sheave.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `point`: 0 to the number of its points - 1.
/// - `radius`: receives the radius, 0 at an eye; may be NULL.
/// - `axis[3]`: receives the axis, zeros at an eye; may be NULL.
/// - `wrap`: receives the angle that was given, 0 at an eye; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (no such point).
int32_t pintle_get_tendon_sheave(const pintle_system *sys,
                                 int32_t tendon,
                                 int32_t point,
                                 double *radius,
                                 double axis[3],
                                 double *wrap);

/// The angle by which a tendon wraps a sheave at present.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `point`: 0 to the number of its points - 1.
/// - `wrap`: receives the angle (rad), 0 at an eye.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (no such point), UNSTABLE (the
/// rope has no path).
int32_t pintle_get_tendon_wrap(const pintle_system *sys, int32_t tendon, int32_t point, double *wrap);

/// Lets the rope of a tendon rub at one of its inner points, an eye or a sheave (Euler, Eytelwein):
/// where it turns by the angle w, the tensions on both sides differ by at most the factor
/// exp(coefficient w). Below it the rope holds, so that a sheave turns with it and a drum that turns
/// hauls it in; beyond it just so much rope slips that they differ by this factor. Points with
/// friction divide the rope into runs, each with its own unstretched length and tension; at the start
/// all have one tension. A winch (pintle_set_tendon_length) pays out at the first point.
///
/// The rope has no mass, so that slip is a condition on the unstretched lengths at the end of each
/// internal step, and no event. Runs meet in the middle of a wrap. A sheave must turn by less than
/// half a turn per internal step. The first four schemes take tensions at the ends of steps:
/// oscillations along a rope that steps do not resolve are damped, and energy never grows. A tendon
/// with friction has no damper. Linear models and modes take rope as held at all points.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `point`: 1 to the number of its points - 2.
/// - `coefficient`: of friction, >= 0; 0: none.
///
/// In READY friction of a point that was described with some changes from the accepted time on, and
/// belongs to the state; it stays above 0.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE, OUT_OF_MEMORY.
int32_t pintle_set_tendon_friction(pintle_system *sys, int32_t tendon, int32_t point, double coefficient);

/// The coefficient of friction at a point of a tendon.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `point`: 0 to the number of its points - 1.
/// - `coefficient`: receives it, 0 without friction.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (no such point).
int32_t pintle_get_tendon_friction(const pintle_system *sys, int32_t tendon, int32_t point, double *coefficient);

/// What friction does at a point of a tendon at present.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `point`: one with friction (pintle_set_tendon_friction).
/// - `before`: receives the tension on the side of the first point; may be NULL.
/// - `after`: receives the tension on the side of the last point; may be NULL.
/// - `limit`: receives the largest factor between both, exp(coefficient w), at most exp(300); may be
///   NULL.
/// - `slips`: receives 1 if they differ by this factor, to nine digits, else 0; may be NULL.
/// - `dissipated`: receives the energy that was dissipated there since the start; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (no such point, or none with
/// friction), UNSTABLE (numbers too large for a double).
int32_t pintle_get_tendon_slip(const pintle_system *sys,
                               int32_t tendon,
                               int32_t point,
                               double *before,
                               double *after,
                               double *limit,
                               int32_t *slips,
                               double *dissipated);

/// Sets the unstretched length of a tendon and its rate at the END of the coming step, as a winch
/// changes them; in between the length is the cubic with these values at both ends. Held until it
/// is set again: with a rate that is not zero, set it for every step. Where the cubic passes below
/// a hundredth of the described length the step fails with NO_CONVERGENCE. Until the step is made,
/// outputs and analyses have the present length; pintle_solve_equilibrium stops the winch there.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `length`: at least a hundredth of rest_length (pintle_add_tendon).
/// - `rate`: of that length.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (too short).
int32_t pintle_set_tendon_length(pintle_system *sys, int32_t tendon, double length, double rate);

/// The unstretched length of a tendon and its rate.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `length`: receives the length; may be NULL.
/// - `rate`: receives its rate; may be NULL.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_tendon_length(const pintle_system *sys, int32_t tendon, double *length, double *rate);

/// The unstretched length of a tendon and its rate that are set for the end of the coming step
/// (pintle_set_tendon_length).
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `length`: receives the length; may be NULL.
/// - `rate`: receives its rate; may be NULL.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_tendon_length_input(const pintle_system *sys, int32_t tendon, double *length, double *rate);

/// What a tendon does at present.
///
/// - `sys`: the system.
/// - `tendon`: id.
/// - `length`: receives the length of its path, from point to point and about its sheaves; may be
///   NULL.
/// - `tension`: receives its tension, 0 where it is slack; that at its first point where there is
///   friction; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_tendon_force(const pintle_system *sys, int32_t tendon, double *length, double *tension);

/// Makes a type of lines viscoelastic, as synthetic ropes are. EA and BA of the type become a
/// static spring with a dashpot, in series with a dynamic spring with another dashpot: slow changes
/// of the tension find the stiffness EA, which both springs have together, fast ones find that of
/// the dynamic spring, `ea_dynamic` + `ea_slope` times the mean tension. In between, the static
/// pair creeps with the time (ba + ba_dynamic)/(sum of the stiffnesses of both springs). A line
/// begins at rest, where EA holds; linearisation and modes have the dynamic stiffness, equilibrium
/// the static one.
///
/// - `sys`: the system.
/// - `type`: id of a type of lines with numbers EA and BA, BA not 0 (below 0: a part of the
///   critical damping of EA).
/// - `ea_dynamic`: dynamic stiffness without tension, more than EA; 0: the type is not
///   viscoelastic.
/// - `ea_slope`: how much stiffer per tension, not negative.
/// - `ba_dynamic`: damping of the dynamic spring, force per strain rate, not negative.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (not more than EA; negative;
/// a type with a table, or without damping).
int32_t pintle_set_line_type_viscoelastic(pintle_system *sys,
                                          int32_t type,
                                          double ea_dynamic,
                                          double ea_slope,
                                          double ba_dynamic);

/// The dynamic stiffness of a type of lines (pintle_set_line_type_viscoelastic,
/// pintle_set_line_type_syrope); zeros of a type that is not viscoelastic.
///
/// - `sys`: the system.
/// - `type`: id.
/// - `ea_dynamic`, `ea_slope`, `ba_dynamic`: receive the numbers that were given; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_line_type_viscoelastic(const pintle_system *sys,
                                          int32_t type,
                                          double *ea_dynamic,
                                          double *ea_slope,
                                          double *ba_dynamic);

/// Gives a type of lines the Syrope model of polyester ropes: a viscoelastic type
/// (pintle_set_line_type_viscoelastic) whose slow spring has curves in place of EA. A rope that has
/// its largest mean tension follows the original curve, the table of the type. Below the largest
/// tension it follows a working curve, from that point of the original curve to a permanent strain
/// without tension: 0, linear, with the permanent strain k1 times that at the largest tension; 1,
/// linear, with the stiffness k1; with xi from 0 to 1 along the strain, 2, quadratic, the part xi
/// (k2 xi + 1 - k2), or 3, exponential, (exp(k2 xi) - 1)/(exp(k2) - 1), of the largest tension,
/// both with k1 as of 0. The dynamic stiffness at a mean tension is `ea_dynamic` + `ea_slope` times
/// this tension. A line begins at rest, as new or as pintle_set_line_largest_tensions says.
///
/// - `sys`: the system.
/// - `type`: id of a type of lines with a table of tensions that begins at 0 and rises
///   (pintle_set_line_type_table), and a number BA, not 0.
/// - `curve`: kind of the working curve, 0 to 3.
/// - `k1`: from 0 to below 1; of kind 1 above 0.
/// - `k2`: of kind 2 above 0, at most 1; of kind 3 from 0.001 to below 100; of others it does not
///   matter.
/// - `ea_dynamic`: dynamic stiffness without tension; with `ea_slope` more than the stiffness of
///   all curves, at every tension of the table.
/// - `ea_slope`: how much stiffer per tension, not negative.
/// - `ba_dynamic`: damping of the dynamic spring, force per strain rate, not negative.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (another kind; out of range;
/// a type without a table or with one that does not fit, or without damping; curves stiffer than
/// the dynamic spring, or that give back more energy than the original curve takes).
int32_t pintle_set_line_type_syrope(pintle_system *sys,
                                    int32_t type,
                                    int32_t curve,
                                    double k1,
                                    double k2,
                                    double ea_dynamic,
                                    double ea_slope,
                                    double ba_dynamic);

/// The working curve of a type of lines (pintle_set_line_type_syrope); its original curve is in
/// pintle_get_line_type_table, its dynamic stiffness in pintle_get_line_type_viscoelastic.
///
/// - `sys`: the system.
/// - `type`: id.
/// - `curve`: receives the kind, -1 of a type without; may be NULL.
/// - `k1`, `k2`: receive the numbers that were given, 0 of a type without; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_line_type_syrope(const pintle_system *sys, int32_t type, int32_t *curve, double *k1, double *k2);

/// Sets the largest mean tensions that the segments of a line have had, which choose the working
/// curve (pintle_set_line_type_syrope). Without them a line begins as new.
///
/// - `sys`: the system.
/// - `line`: id of a line whose type has the Syrope model.
/// - `n`: 1, for one tension in the whole line, or the number of segments.
/// - `tensions`: `[n]`, from end A to end B, not negative.
///
/// In READY they hold from the present time on, with the slow strains that segments have; the
/// tension jumps, and the scheme starts anew, as after pintle_mark_discontinuity. A segment whose
/// slow strain is on the original curve beyond has the tension there as its largest.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), NOT_FINITE, BAD_VALUE
/// (negative; another line), OUT_OF_MEMORY.
int32_t pintle_set_line_largest_tensions(pintle_system *sys, int32_t line, int32_t n, const double *tensions);

/// The largest mean tensions that the segments of a line have had
/// (pintle_set_line_largest_tensions).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: number of segments.
/// - `tensions`: receives `[n]`, from end A to end B; zeros of a line without the Syrope model.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_SIZE (n), UNSTABLE (numbers too
/// large for a double).
int32_t pintle_get_line_largest_tensions(const pintle_system *sys, int32_t line, int32_t n, double *tensions);

/// Sets the slow strains of a viscoelastic line at the present time: how far its segments have
/// crept, which is what a saved state has of the loads before. A line begins at rest, and so it
/// does after pintle_solve_equilibrium. The tension jumps with it, and the scheme starts anew, as
/// after pintle_mark_discontinuity.
///
/// - `sys`: the system.
/// - `line`: id of a line whose type is viscoelastic (pintle_set_line_type_viscoelastic).
/// - `n`: number of segments.
/// - `strains`: `[n]`, of the slow springs, from end A to end B.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), NOT_FINITE, BAD_VALUE (another line).
int32_t pintle_set_line_slow_strains(pintle_system *sys, int32_t line, int32_t n, const double *strains);

/// The slow strains of a viscoelastic line (pintle_set_line_slow_strains).
///
/// - `sys`: the system.
/// - `line`: id.
/// - `n`: number of segments.
/// - `strains`: receives `[n]`, from end A to end B; zeros of a line that is not viscoelastic.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_SIZE (n), UNSTABLE (numbers too
/// large for a double).
int32_t pintle_get_line_slow_strains(const pintle_system *sys, int32_t line, int32_t n, double *strains);

/// Sets a number of the water, which acts on lines, points and cylinders, or of the seabed, which
/// acts on lines and, without friction, on cylinders. z points upwards, and z = 0 of I is the mean
/// water level. Keys and defaults:
///
/// - "water_density" 0: density of the water; 0: there is none.
/// - "depth" 0: depth of the seabed below z = 0; 0: there is none, unless pintle_set_seabed_grid
///   says otherwise.
/// - "seabed_stiffness" 3e6: force per area of a line (diameter times length) and penetration.
/// - "seabed_damping" 3e5: force per area and speed; spring and damper together do not pull, unless
///   "seabed_adhesion" is set.
/// - "seabed_smoothing" 0.1: penetration over which both increase to their full values; for each
///   line at most its diameter.
/// - "seabed_friction" 0: coefficient of friction.
/// - "friction_slip" 0.02: distance from its stick point at which a node slips.
/// - "seabed_adhesion" 0: part of the damper's pull that acts on a node that leaves the seabed, 0
///   to 1; 1: all of it, as in MoorDyn.
/// - "wave_ramp" 0: time from time zero over which waves grow from nothing to full height, as 3
///   s^2 - 2 s^3 with s = time/ramp; 0: they have always been there.
///
/// Set in READY, it acts from the accepted time on, and the scheme starts anew, as after
/// pintle_mark_discontinuity. Before the first step lines get new shapes at rest, as if it had been
/// set in BUILDING, unless the state is no longer that of pintle_initialize.
///
/// - `sys`: the system.
/// - `key`: text.
/// - `value`: the new value, >= 0; of "seabed_smoothing" and "friction_slip" above 0, of
///   "seabed_adhesion" at most 1.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_UTF8, BAD_VALUE (key unknown: the message lists
/// the known ones; value outside its range; in READY settings of a seabed without depth, which
/// pintle_initialize refuses, too; before the first step a point below the seabed), NOT_FINITE,
/// NO_CONVERGENCE (a line without a shape at rest), SINGULAR, CALLBACK, UNSTABLE; then nothing is
/// changed.
int32_t pintle_set_environment(pintle_system *sys, const char *key, double value);

/// A number of the water or the seabed.
///
/// - `sys`: the system.
/// - `key`: as for pintle_set_environment.
/// - `value`: receives the value.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_UTF8, BAD_VALUE (unknown; the message lists
/// the known ones).
int32_t pintle_get_environment(const pintle_system *sys, const char *key, double *value);

/// Sets the steady current, in place of the one before: velocities at depths, linear in between,
/// constant above and below; pintle_set_current_grid adds one that changes in time. Like
/// pintle_set_environment it acts from the start if set before the first step, later from the
/// accepted time on.
///
/// - `sys`: the system.
/// - `n`: number of depths; 0: no current.
/// - `depths`: `[n]`, below z = 0, rising.
/// - `velocities`: `[n][3]`, in I.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_SIZE (n < 0), NOT_FINITE, BAD_VALUE (depths that
/// do not rise), OUT_OF_MEMORY; before the first step those of pintle_set_environment there:
/// NO_CONVERGENCE, SINGULAR, CALLBACK, UNSTABLE; then nothing is changed.
int32_t pintle_set_current(pintle_system *sys, int32_t n, const double *depths, const double *velocities);

/// The steady current (pintle_set_current). Call it with `cap` = 0 to learn `n`, then with arrays
/// of that size.
///
/// - `sys`: the system.
/// - `cap`: capacity of the arrays; with 0 only `n` is written.
/// - `depths`: receives depths, `n` of its `[cap]` numbers; may be NULL with `cap` = 0.
/// - `velocities`: receives velocities there, `n` of its `[cap][3]` rows, in I; may be NULL with
///   `cap` = 0.
/// - `n`: receives how many depths there are: 0 without current.
///
/// Phases: all. Errors: BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (0 < cap < n; nothing is written).
int32_t pintle_get_current(const pintle_system *sys, int32_t cap, double *depths, double *velocities, int32_t *n);

/// Sets a current that changes in time, or also in x and y, by velocities at the nodes of a
/// rectangular grid, in place of the grid before. It is added to the steady current
/// (pintle_set_current) and to waves. Velocities are linear along x, y, depth and time, and
/// constant beyond the first and the last node of each: before the first time and after the last
/// one the current is steady. Lines, points and cylinders feel the velocity and its derivative by
/// time as they feel those of waves: implicit schemes find them once per step, at the predicted
/// places of its end, explicit ones at each stage. At a time of the grid above 0 the derivative is
/// the mean of both sides; steps that end at such times keep their order. pintle_solve_equilibrium
/// takes the current of the present time if it is the same at all x and y, else none of the grid.
/// The grid is part of states, checkpoints and model files.
///
/// Set in READY, it acts from the accepted time on, and the scheme starts anew, as after
/// pintle_mark_discontinuity.
///
/// - `sys`: the system.
/// - `n`: number of nodes, all x times all y times all depths times all times; 0: no grid.
/// - `points`: `[n][7]`, of each node x, y, depth below z = 0, time, and the velocity, in I. x
///   rises fastest, then y, then the depth; the time rises slowest. An axis may have one node: a
///   profile that changes in time has x = y = 0 in all rows.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_SIZE (n < 0), NOT_FINITE, BAD_VALUE (nodes that
/// do not rise, or are not in their place: a node is missing), OUT_OF_MEMORY; before the first step
/// those of pintle_set_environment there: NO_CONVERGENCE, SINGULAR, CALLBACK, UNSTABLE; then
/// nothing is changed.
int32_t pintle_set_current_grid(pintle_system *sys, int32_t n, const double *points);

/// The nodes of the grid of currents (pintle_set_current_grid). Call it with `cap` = 0 to learn
/// `n`, then with an array of that size.
///
/// - `sys`: the system.
/// - `cap`: capacity of the array; with 0 only `n` is written.
/// - `points`: receives x, y, depth, time and velocity of nodes, `n` of its `[cap][7]` rows, in I;
///   may be NULL with `cap` = 0.
/// - `n`: receives how many nodes there are: 0 without a grid.
///
/// Phases: all. Errors: BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (0 < cap < n; nothing is written).
int32_t pintle_get_current_grid(const pintle_system *sys, int32_t cap, double *points, int32_t *n);

/// Sets the depths of the seabed at the nodes of a rectangular grid, in place of "depth"
/// (pintle_set_environment), which remains the depth of waves. The depth is bilinear within cells,
/// and outside of the grid that of its nearest edge. Kinks at the edges of cells are rounded over a
/// fiftieth of the shorter cell beside them, so that lines come to rest in valleys, too. Lines and
/// cylinders feel the force of the bed along its normal: spring and damper have the penetration and
/// its rate along z, and friction acts along the bed. Like pintle_set_environment it acts from the
/// start if set before the first step, later from the accepted time on.
///
/// - `sys`: the system.
/// - `n`: number of nodes, all columns times all rows of the grid, at least 2; 0: no grid.
/// - `points`: `[n][3]`, of each node x, y and the depth below z = 0, in I, row by row: x rises
///   within a row, y from row to row. Depths below 0 are above the mean water level.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_SIZE (n < 0, n = 1), NOT_FINITE, BAD_VALUE
/// (nodes that do not rise, rows that differ: a node is missing; in READY those of
/// pintle_set_environment), OUT_OF_MEMORY; before the first step those of pintle_set_environment
/// there: NO_CONVERGENCE, SINGULAR, CALLBACK, UNSTABLE; then nothing is changed.
int32_t pintle_set_seabed_grid(pintle_system *sys, int32_t n, const double *points);

/// The nodes of the grid of the seabed (pintle_set_seabed_grid). Call it with `cap` = 0 to learn
/// `n`, then with an array of that size.
///
/// - `sys`: the system.
/// - `cap`: capacity of the array; with 0 only `n` is written.
/// - `points`: receives x, y and depth of nodes, `n` of its `[cap][3]` rows, in I; may be NULL with
///   `cap` = 0.
/// - `n`: receives how many nodes there are: 0 without a grid.
///
/// Phases: all. Errors: BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (0 < cap < n; nothing is written).
int32_t pintle_get_seabed_grid(const pintle_system *sys, int32_t cap, double *points, int32_t *n);

/// Sets the function that computes the motion of the water, at all nodes of all lines, at all
/// points, on the axes of all cylinders and at all bodies in water (pintle_set_body_in_water), in
/// one call; currents and waves are added. Drag, inertia and buoyancy of lines, points and
/// cylinders, drag and inertia of these bodies depend on this motion. See pintle_fluid_fn.
///
/// The nodes come first, those of line 0 from end A to end B, then those of line 1, and so on; then
/// the points by their ids; then of each cylinder by its id, from end A to end B, the ends of its
/// segments, one place more than segments, between which the motion is linear; then the reference
/// points of the bodies in water by their ids. The function is code: not part of states,
/// checkpoints and model files, but copied by pintle_clone as function and user pointer. Its last
/// results are part of states. The scheme starts anew, as after pintle_mark_discontinuity, also
/// where the function is the same: set it once, not in every step.
///
/// - `sys`: the system.
/// - `fn`: the function; NULL removes the present one.
/// - `user`: passed to the function; never dereferenced. It must stay valid until the callback is
///   removed and the system and its clones are destroyed.
/// - `implicit`: 1 if it is called at every iterate of a step; 0: once per step, at the predicted
///   positions of its end. Explicit schemes call it at each of their stages; with leuler and lab2
///   to lab5 all entities take the step of the fastest then.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_VALUE (implicit).
int32_t pintle_set_fluid_callback(pintle_system *sys, pintle_fluid_fn fn, void *user, int32_t implicit);

/// Whether a fluid callback is set, and when it is called.
///
/// - `sys`: the system.
/// - `is_set`: receives 1 if there is one, else 0; may be NULL.
/// - `implicit`: receives 1 if it is called at every iterate, else 0; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED.
int32_t pintle_get_fluid_callback(const pintle_system *sys, int32_t *is_set, int32_t *implicit);

/// Sets linear waves (Airy) as a sum of long-crested components, in place of the waves before.
/// Lines, points, cylinders and bodies in water feel their velocity, acceleration and elevation, in
/// addition to currents and the fluid callback. Component i has the elevation
///
/// a cos(k (x cos b + y sin b) - w t + p), with w^2 = g k tanh(k h),
///
/// a, w, b, p the i-th amplitude, frequency, heading and phase, h the depth of
/// pintle_set_environment (0: deep water), t the time of the system. Depths are stretched linearly
/// from the elevated surface to the mean water level (Wheeler 1970); docs/water.md has the
/// formulas. Implicit schemes find the motion of the water once per step, at the predicted places
/// of its end, explicit ones at each stage; with leuler and lab2 to lab5 all entities take the step
/// of the fastest. Equilibria are those of still water. Waves are part of states, checkpoints and
/// model files.
///
/// Set in READY, they act from the accepted time on, and the scheme starts anew, as after
/// pintle_mark_discontinuity.
///
/// - `sys`: the system.
/// - `n`: number of components, at most 10000; 0: no waves.
/// - `amplitudes`: `[n]`, >= 0.
/// - `frequencies`: `[n]`, angular (rad per time), > 0.
/// - `headings`: `[n]`, angles from the x axis of I to the direction of travel, about z, in rad.
/// - `phases`: `[n]`, in rad.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_SIZE (n < 0 or above 10000), NOT_FINITE,
/// BAD_VALUE (an amplitude below 0, a frequency not above 0; in READY without "water_density", or
/// with a gravity that is not along -z, which pintle_initialize refuses, too), OUT_OF_MEMORY;
/// before the first step those of pintle_set_environment there: NO_CONVERGENCE, SINGULAR, CALLBACK,
/// UNSTABLE; then nothing is changed.
int32_t pintle_set_waves(pintle_system *sys,
                         int32_t n,
                         const double *amplitudes,
                         const double *frequencies,
                         const double *headings,
                         const double *phases);

/// Sets the waves of an irregular sea with a JONSWAP spectrum (Hasselmann et al. 1973), scaled to
/// its height; components as pintle_set_waves describes them. All have the same energy, and
/// frequencies that halve the energy of their bands between 0.4 and 10 peak frequencies, so that
/// the sea does not repeat itself. Equal arguments give equal waves on all machines.
///
/// - `sys`: the system.
/// - `height`: significant wave height, four times the standard deviation of the elevation, > 0.
/// - `period`: peak period, > 0.
/// - `peak_factor`: peak enhancement factor, >= 1; 1: Pierson-Moskowitz; 3.3: the mean of JONSWAP.
/// - `heading`: mean direction of travel, in rad from the x axis of I.
/// - `spreading`: exponent s >= 0 of the distribution cos^2s((b - heading)/2) of directions b, one
///   of which each component draws; 0: all travel along `heading`.
/// - `seed`: of phases and directions.
/// - `components`: their number, 1 to 10000; 200 are usual.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (outside the ranges above),
/// BAD_SIZE (too many components); those of pintle_set_waves: NO_CONVERGENCE, SINGULAR, CALLBACK,
/// UNSTABLE, OUT_OF_MEMORY; then nothing is changed.
int32_t pintle_set_irregular_waves(pintle_system *sys,
                                   double height,
                                   double period,
                                   double peak_factor,
                                   double heading,
                                   double spreading,
                                   int32_t seed,
                                   int32_t components);

/// The same as pintle_set_irregular_waves with a spectrum of the host.
///
/// - `sys`: the system.
/// - `n`: number of rows of the spectrum, >= 2.
/// - `frequencies`: `[n]`, angular (rad per time), rising from above 0.
/// - `densities`: `[n]`, spectral density of the elevation over angular frequency (length^2 time
///   per rad) there, >= 0; linear in between, zero outside. Their integral is the variance of the
///   elevation.
/// - `heading`, `spreading`, `seed`, `components`: as for pintle_set_irregular_waves.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_SIZE (n < 2, too many components), NOT_FINITE,
/// BAD_VALUE (frequencies that do not rise, a negative density, no energy); those of
/// pintle_set_waves: NO_CONVERGENCE, SINGULAR, CALLBACK, UNSTABLE, OUT_OF_MEMORY; then nothing is
/// changed.
int32_t pintle_set_wave_spectrum(pintle_system *sys,
                                 int32_t n,
                                 const double *frequencies,
                                 const double *densities,
                                 double heading,
                                 double spreading,
                                 int32_t seed,
                                 int32_t components);

/// Sets waves whose elevation at x = y = 0 is that of a record: its Fourier series, which passes
/// through the samples, repeats itself after `n` steps, and lacks the record's mean and its
/// frequencies above `max_frequency`. Each frequency is a component (pintle_set_waves), and the
/// cost of a step grows with their number.
///
/// - `sys`: the system.
/// - `n`: number of samples, 2 to 200000.
/// - `start`: time of the first sample.
/// - `step`: time between samples, > 0.
/// - `elevations`: `[n]`.
/// - `heading`: direction of travel, in rad from the x axis of I.
/// - `max_frequency`: highest angular frequency, > 0.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_SIZE (n outside its range), NOT_FINITE,
/// BAD_VALUE (a step or frequency not above 0; no component, or more than 10000, up to
/// `max_frequency`); those of pintle_set_waves: NO_CONVERGENCE, SINGULAR, CALLBACK, UNSTABLE,
/// OUT_OF_MEMORY; then nothing is changed.
int32_t pintle_set_wave_record(pintle_system *sys,
                               int32_t n,
                               double start,
                               double step,
                               const double *elevations,
                               double heading,
                               double max_frequency);

/// The components of the waves, by whichever function they were set. Call it with `cap` = 0 to
/// learn `n`, then with arrays of that size.
///
/// - `sys`: the system.
/// - `cap`: capacity of the arrays; with 0 only `n` is written.
/// - `amplitudes`, `frequencies`, `headings`, `phases`: receive `n` of their `[cap]` numbers; may
///   be NULL with `cap` = 0.
/// - `n`: receives how many components there are: 0 without waves.
///
/// Phases: all. Errors: BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (0 < cap < n; nothing is written).
int32_t pintle_get_waves(const pintle_system *sys,
                         int32_t cap,
                         double *amplitudes,
                         double *frequencies,
                         double *headings,
                         double *phases,
                         int32_t *n);

/// The motion of the water at places and the present time: currents and waves, as lines,
/// points and cylinders there feel it; without what a fluid callback adds.
///
/// - `sys`: the system.
/// - `n`: number of places.
/// - `positions`: `[n][3]`, in I. Above the surface the motion is that of the surface.
/// - `velocities`: receives velocities, `[n][3]`, in I.
/// - `accelerations`: receives accelerations, `[n][3]`, in I.
/// - `elevations`: receives elevations of the surface over the mean water level, `[n]`.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n < 0), NOT_FINITE, OUT_OF_MEMORY.
int32_t pintle_get_water_motion(const pintle_system *sys,
                                int32_t n,
                                const double *positions,
                                double *velocities,
                                double *accelerations,
                                double *elevations);

/// The version of the library, as "MAJOR.MINOR.PATCH". Static text; never NULL.
const char *pintle_version(void);

/// The ABI of the library: a host that was compiled with another PINTLE_ABI must not continue.
int32_t pintle_abi_version(void);

/// The name of a status as in this header, for example "PINTLE_ERR_BAD_ID". Static text; never
/// NULL.
///
/// - `status`: what a function returned; unknown numbers give "PINTLE_ERR_UNKNOWN".
const char *pintle_status_name(int32_t status);

/// The message of the last failed call, with function, argument, entity and value. Empty if no call
/// failed yet.
///
/// It may be called at any time, also inside a load callback, and does not change the stored
/// message, even when it fails itself.
///
/// - `sys`: the last failed call on this system; NULL: the calling thread's last failed call,
///   whatever handle it had (cut at 1024 bytes).
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated UTF-8; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: all. Errors: BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (cap <= full length; the text is cut).
int32_t pintle_error_message(const pintle_system *sys, int32_t cap, char *buf, int32_t *len);

/// A status on the scale 0 ok, 1 info, 2 warning, 3 severe, 4 fatal (OpenFAST's ErrID): 0 for
/// PINTLE_OK, 4 for every other number, known or not.
///
/// - `status`: what a function returned.
int32_t pintle_status_severity(int32_t status);

/// A time step for a model with a rotor, as Ashes calculates it: 2 pi radius/(6 x 11.4 m/s) x
/// 2/360, in which the rotor turns by 2 degrees at 11.4 m/s and tip speed ratio 6, cut to one
/// significant digit. 62.941 m gives 0.03 s.
///
/// - `radius`: of the rotor, m; 0 for a model without rotor, which gives 0.03 s.
/// - `dt`: receives the step, s.
///
/// Errors: NOT_FINITE, BAD_VALUE (radius negative).
int32_t pintle_suggest_time_step(double radius, double *dt);

/// Makes an empty system in phase BUILDING. The caller owns it and frees it with pintle_destroy.
///
/// - `out`: receives the handle; what was there is overwritten.
///
/// Errors: OUT_OF_MEMORY.
int32_t pintle_create(pintle_system **out);

/// Makes a copy, independent of the original: model, settings, accepted and trial state, inputs,
/// statistics. Load and progress callbacks are copied as function and user pointer, so both systems
/// call the same functions with the same pointers. From pintle_initialize on the copies share
/// constant data, so that a clone takes as long as pintle_state_save; its first step allocates the
/// memory of its steps. Clones may be used from different threads at the same time, and be
/// destroyed in any order.
///
/// - `sys`: the system to copy.
/// - `out`: receives the handle, which the caller owns; what was there is overwritten.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, OUT_OF_MEMORY.
int32_t pintle_clone(const pintle_system *sys, pintle_system **out);

/// Frees a system and sets `*sys` to NULL. Nothing happens if it is NULL already.
///
/// - `sys`: the address of the handle.
///
/// Phases: all, but not inside a call on the same system (a load callback). Errors: BAD_PHASE.
int32_t pintle_destroy(pintle_system **sys);

/// The phase of a system.
///
/// - `sys`: the system.
/// - `phase`: receives one of the PINTLE_PHASE_ numbers.
///
/// Phases: all.
int32_t pintle_phase(const pintle_system *sys, int32_t *phase);

/// Ends the description of the model, BUILDING to READY: checks the model as a whole, checks that
/// joints are assembled and velocities admissible (with option "assemble" = 1 it projects instead),
/// finds redundant constraints (they are handled, counted in the statistics, and named by
/// pintle_get_redundant_constraints), and computes accelerations and reactions at the initial time.
///
/// - `sys`: the system.
/// - `t0`: initial time.
///
/// Phases: BUILDING; after a failure still BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE,
/// INCONSISTENT_STATE (the message names the joint and the gap), REDUNDANT_CONSTRAINTS (constraints
/// or imposed motions contradict each other: the message names the joint and what others fix
/// already), SINGULAR, CALLBACK, NO_CONVERGENCE (a load callback that depends on accelerations),
/// UNSTABLE (numbers too large for a double), STOPPED (by the progress callback).
int32_t pintle_initialize(pintle_system *sys, double t0);

/// Sets the acceleration of gravity; 0 0 0 unless set. Before the first step of a run, while the
/// accepted state is at the initial time, accelerations, multipliers and all else that depends on
/// gravity are computed again, as if it had been set before pintle_initialize; positions,
/// velocities and inputs are unchanged. A state of the run that was saved before then belongs to
/// another model (FINGERPRINT). Later it acts from the accepted time on, and the scheme starts
/// anew; the change belongs to the state.
///
/// - `sys`: the system.
/// - `gravity[3]`: in I, length / time^2.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, NOT_FINITE; in a run also BAD_VALUE (with waves, not
/// along -z); before its first step also SINGULAR, CALLBACK, NO_CONVERGENCE (a load callback that
/// depends on accelerations), REDUNDANT_CONSTRAINTS (joints contradict each other),
/// INCONSISTENT_STATE, UNSTABLE (numbers too large for a double), STOPPED; then nothing is changed.
int32_t pintle_set_gravity(pintle_system *sys, const double gravity[3]);

/// Adds a body with any 6x6 mass matrix.
///
/// - `sys`: the system.
/// - `mass[36]`: column-major, in body axes, about the reference point: `[m I, m~eta^T; m~eta, J]`;
///   symmetric, positive semi-definite.
/// - `pose[7]`: initial and reference pose.
/// - `body`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (mass unsymmetric or not positive
/// semi-definite; quaternion not of unit norm within 1e-6).
int32_t pintle_add_body(pintle_system *sys, const double mass[36], const double pose[7], int32_t *body);

/// Adds a rigid body from mass, centre of mass and inertia.
///
/// A point mass (inertia zero) may be joined so that its rotation is held: FIXED to a body with
/// inertia, PRISMATIC, driven. A body without mass may be driven in every direction, such as a
/// trolley that is driven along a rail and carries a pendulum: its drive then carries the pendulum.
/// Where there is no inertia in a direction that the joints leave free, pintle_initialize returns
/// PINTLE_ERR_SINGULAR, and the message names the body.
///
/// - `sys`: the system.
/// - `mass`: mass.
/// - `com[3]`: centre of mass from the reference point, in body axes.
/// - `inertia[6]`: xx yy zz xy xz yz (entries of the inertia tensor) about the centre of mass, in
///   body axes.
/// - `pose[7]`: initial and reference pose of the reference point.
/// - `body`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (mass negative, inertia not positive
/// semi-definite or against the triangle inequality; quaternion not of unit norm).
int32_t pintle_add_rigid_body(pintle_system *sys,
                              double mass,
                              const double com[3],
                              const double inertia[6],
                              const double pose[7],
                              int32_t *body);

/// Sets mass, centre of mass and inertia of a body, in place of the former ones: ballast, fuel,
/// cargo.
///
/// In READY they act from the accepted time on, and the scheme starts anew; the change belongs to
/// the state. Velocities stay: what comes has the velocity that the body has at its place, and what
/// goes takes its momentum with it. Another momentum is a load, or a velocity set by
/// pintle_set_coordinates. Coefficients of the fluid and elements stay. Equal values change
/// nothing.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `mass`: mass.
/// - `com[3]`: centre of mass from the reference point, in body axes.
/// - `inertia[6]`: xx yy zz xy xz yz (entries of the inertia tensor) about the centre of mass, in
///   body axes.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (as of
/// pintle_add_rigid_body; with the added mass of the body not positive semi-definite).
int32_t pintle_set_body_mass(pintle_system *sys,
                             int32_t body,
                             double mass,
                             const double com[3],
                             const double inertia[6]);

/// Sets the initial velocity of a body; zero unless set.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `velocity[6]`: of the reference point, then angular, in I.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE.
int32_t pintle_set_body_velocity(pintle_system *sys, int32_t body, const double velocity[6]);

/// Sets the initial velocity of a body in axes of choice; zero unless set. Replaces that of
/// pintle_set_body_velocity.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of velocity, those of the body
///   at its initial pose.
/// - `velocity[6]`: of the reference point, then angular.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame; a velocity that overflows when it
/// is turned into I), NOT_FINITE.
int32_t pintle_set_body_velocity_in(pintle_system *sys, int32_t body, int32_t frame, const double velocity[6]);

/// Sets the initial acceleration of a body, used only with option "initial_acceleration" = 1 (for
/// comparison with codes that start so); otherwise pintle_initialize computes it.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `acceleration[6]`: of the reference point, then angular, in I.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE.
int32_t pintle_set_body_acceleration(pintle_system *sys, int32_t body, const double acceleration[6]);

/// Adds a joint between two bodies, or a body and ground, from a frame on each side. The free axis
/// is the frames' z axis; motions are those of b relative to a. REVOLUTE, PRISMATIC, CYLINDRICAL,
/// SCREW and POINT_ON_LINE have a coordinate (pintle_get_joint_coordinate).
///
/// - `sys`: the system.
/// - `kind`: one of the PINTLE_JOINT_ numbers.
/// - `body_a`, `body_b`: ids; one of them may be PINTLE_GROUND.
/// - `frame_a[7]`, `frame_b[7]`: pose of the joint frame in the axes of each body (ground: in I).
/// - `joint`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (kind; a body joined to
/// itself; quaternion not of unit norm; origins of a DISTANCE joint that coincide, or whose
/// distance overflows). Frames that do not fit together are found by pintle_initialize.
int32_t pintle_add_joint(pintle_system *sys,
                         int32_t kind,
                         int32_t body_a,
                         int32_t body_b,
                         const double frame_a[7],
                         const double frame_b[7],
                         int32_t *joint);

/// Adds a joint from one point and one axis in I, at the initial poses: it is assembled by
/// construction.
///
/// - `sys`: the system.
/// - `kind`: one of the PINTLE_JOINT_ numbers.
/// - `body_a`, `body_b`: ids; one of them may be PINTLE_GROUND.
/// - `point[3]`: origin of both joint frames, in I.
/// - `axis[3]`: their z axis, in I, of any length but zero; may be NULL for FIXED and SPHERICAL.
///   Where x and y of the frames matter (UNIVERSAL), use pintle_add_joint.
/// - `joint`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NULL_ARGUMENT (axis needed), NOT_FINITE, BAD_VALUE
/// (kind, axis of length zero, a body joined to itself; DISTANCE, which lies between two points).
int32_t pintle_add_joint_at(pintle_system *sys,
                            int32_t kind,
                            int32_t body_a,
                            int32_t body_b,
                            const double point[3],
                            const double axis[3],
                            int32_t *joint);

/// Says whether the motion of a body is imposed by the host (pintle_set_body_motion) instead of
/// following from loads; pintle_get_body_reaction returns the wrench that it needs. Motions are
/// held like all inputs: pose and velocity remain those of the start, or of the last motion set, so
/// that a body that moves needs its motion for every step.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `prescribed`: 1 or 0; with 0 a motion that was set is removed.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (prescribed).
int32_t pintle_set_body_prescribed(pintle_system *sys, int32_t body, int32_t prescribed);

/// Says whether the coordinate of a joint is imposed by the host (pintle_set_joint_motion). Unless
/// a motion is set, the joint keeps its initial coordinate.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate, but no SCREW (CYLINDRICAL: the angle; its slide:
///   pintle_set_joint_slide_driven).
/// - `driven`: 1 or 0; with 0 a motion that was set is removed.
///
/// In READY the drive comes or goes at the accepted time, and the scheme starts anew; the change
/// belongs to the state. What is released goes on with its coordinate and rate. A drive that comes
/// keeps the present coordinate unless pintle_set_joint_motion sets the motion for the end of the
/// coming step: what moves otherwise jumps to the rate of the drive, as where a motion jumps.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (driven; another kind of joint).
int32_t pintle_set_joint_driven(pintle_system *sys, int32_t joint, int32_t driven);

/// Sets a spring with a damper on the coordinate q of a joint, in place of the one before: the
/// generalized force -stiffness (q - rest) - damping qd acts on b, and the opposite on a.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `stiffness`: moment / angle, or force / length, >= 0.
/// - `damping`: moment / angular velocity, or force / velocity, >= 0.
/// - `rest`: q without force; angles count over any number of turns.
///
/// In READY it changes the spring that the joint was described with, of any stiffness, from the
/// accepted time on, and the scheme starts anew; the change belongs to the state.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (negative; a joint
/// without coordinate; in READY one without spring).
int32_t pintle_set_joint_spring(pintle_system *sys, int32_t joint, double stiffness, double damping, double rest);

/// Sets the coordinate of a joint at coincident joint frames, zero unless set: it is the offset of
/// coordinates, rest positions of springs, loads and drives. Frames of pintle_add_joint_at coincide
/// at the initial poses.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `q0`: angle, over any number of turns, or displacement.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a joint without coordinate).
int32_t pintle_set_joint_offset(pintle_system *sys, int32_t joint, double q0);

/// Says whether the slide of a CYLINDRICAL joint is imposed by the host
/// (pintle_set_joint_slide_motion). Unless a motion is set, it keeps its initial value. If the
/// angle is driven, too, the joint imposes both, like a driven screw.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint.
/// - `driven`: 1 or 0; with 0 a motion that was set is removed.
///
/// Phases: BUILDING, READY, as of pintle_set_joint_driven. Errors: BAD_PHASE, BAD_ID, BAD_VALUE
/// (driven; another kind of joint).
int32_t pintle_set_joint_slide_driven(pintle_system *sys, int32_t joint, int32_t driven);

/// Sets a spring with a damper on the slide s of a CYLINDRICAL joint, in place of the one before:
/// the force -stiffness (s - rest) - damping sd along z of a acts on b, and the opposite on a.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint.
/// - `stiffness`: force / length, >= 0.
/// - `damping`: force / velocity, >= 0.
/// - `rest`: s without force.
///
/// Phases: BUILDING, READY, as of pintle_set_joint_spring. Errors: BAD_PHASE, BAD_ID, NOT_FINITE,
/// BAD_VALUE (negative; another kind of joint; in READY one without spring).
int32_t pintle_set_joint_slide_spring(pintle_system *sys, int32_t joint, double stiffness, double damping, double rest);

/// Sets the pitch of a SCREW joint, which it needs.
///
/// - `sys`: the system.
/// - `joint`: id of a SCREW joint.
/// - `pitch`: displacement of b along z of a per turn about it, length; negative for a left-hand
///   screw, not zero.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (zero; another kind of
/// joint).
int32_t pintle_set_joint_pitch(pintle_system *sys, int32_t joint, double pitch);

/// Sets the radius of the disc of a ROLLING joint, which it needs.
///
/// The disc has its centre at the origin of frame b and its axis along z of frame b. Its lowest
/// point stays on the xy plane of frame a, on whose side of positive z the centre is, and does not
/// slip there: the joint takes one freedom of position and three of velocity. The reaction is a
/// force at that point; pintle_get_joint_reaction gives its wrench about the origins of both
/// frames. Discs may not lie flat.
///
/// Option `assemble` moves a disc to its plane without slip, and pintle_solve_equilibrium finds a
/// balance that it can roll to. pintle_linearize and pintle_get_modes treat discs at rest, and
/// return UNSUPPORTED while one turns.
///
/// - `sys`: the system.
/// - `joint`: id of a ROLLING joint.
/// - `radius`: of the disc, length, positive.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (not positive; another kind
/// of joint).
int32_t pintle_set_joint_radius(pintle_system *sys, int32_t joint, double radius);

/// Adds a marker: a point with axes on a body, for loads and sensors.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `frame[7]`: pose of the marker in body axes.
/// - `marker`: receives the id.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (quaternion not of unit
/// norm).
int32_t pintle_add_marker(pintle_system *sys, int32_t body, const double frame[7], int32_t *marker);

/// Names an entity; messages and pintle_find use the name.
///
/// - `sys`: the system.
/// - `kind`: "body", "joint", "spring", "bushing", "cylinder", "beam_element", "contact",
///   "tendon", "marker",
///   "callback" (coupled load callbacks), "point", "gear", "line", "line_type", "beam" or "clutch".
/// - `id`: id of that kind.
/// - `name`: text of 1 to 255 bytes, unique among its kind; copied.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_UTF8, BAD_ID, BAD_VALUE (kind unknown, name empty or
/// taken).
int32_t pintle_set_name(pintle_system *sys, const char *kind, int32_t id, const char *name);

/// The id of the entity with a name.
///
/// - `sys`: the system.
/// - `kind`: "body", "joint", "spring", "bushing", "cylinder", "beam_element", "contact",
///   "tendon", "marker",
///   "callback" (coupled load callbacks), "point", "gear", "line", "line_type", "beam" or "clutch".
/// - `name`: as given to pintle_set_name.
/// - `id`: receives the id.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_UTF8, BAD_VALUE (kind or name unknown).
int32_t pintle_find(const pintle_system *sys, const char *kind, const char *name, int32_t *id);

/// How many entities of a kind the model has.
///
/// - `sys`: the system.
/// - `kind`: "body", "joint", "spring", "bushing", "cylinder", "beam_element", "contact",
///   "tendon", "marker",
///   "callback" (coupled load callbacks), "point", "gear", "line", "line_type", "beam" or "clutch".
/// - `count`: receives the number.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_UTF8, BAD_VALUE (kind unknown).
int32_t pintle_count(const pintle_system *sys, const char *kind, int32_t *count);

/// Adds a shape: how a body looks on the pages of `pintle view`, in ParaView and in other programs
/// that draw (docs/view.md). It has no mass and no forces, and is part of neither the fingerprint
/// of the model nor its states. pintle_save_model writes it, pintle_load_model reads it. A body may
/// have several; one without has the box of its inertia. Numbers are in the axes of the body
/// (ground: in I):
///
/// - "box": size x y z of its edges, frame (x y z, then qw qx qy qz) with its centre and axes: n =
///   10
/// - "cylinder", "capsule": end_a (x y z), end_b (x y z), diameter: n = 7; ends of a capsule are
///   the centres of its half spheres
/// - "sphere": position (x y z) of its centre, diameter: n = 4
/// - "stl": scale, frame (x y z, then qw qx qy qz): n = 8; triangles of an STL file, which is read
///   by the program that draws
///
/// - `sys`: the system.
/// - `body`: id, or PINTLE_GROUND.
/// - `kind`: "box", "cylinder", "capsule", "sphere" or "stl".
/// - `n`: the number of numbers of the kind.
/// - `numbers`: `[n]`, as above.
/// - `file`: of "stl", its file, relative to the folder of the model file; of other kinds "".
///   pintle_save_model leaves out shapes whose file is not in that folder or in a folder there.
/// - `name`: what programs call it; "" for the name of the body.
/// - `colour`: such as "#e0a526"; "" lets programs choose.
/// - `shape`: receives the id; may be NULL.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_UTF8, BAD_ID, BAD_SIZE (n), NOT_FINITE, BAD_VALUE (kind
/// unknown, a size, diameter or scale that is not positive, a quaternion that is not unit, equal
/// ends, a missing file, or one of another kind, no colour), OUT_OF_MEMORY.
int32_t pintle_add_shape(pintle_system *sys,
                         int32_t body,
                         const char *kind,
                         int32_t n,
                         const double *numbers,
                         const char *file,
                         const char *name,
                         const char *colour,
                         int32_t *shape);

/// The number of shapes.
///
/// - `sys`: the system.
/// - `n`: receives the number.
///
/// Phases: BUILDING, READY, TRIAL, FAILED.
int32_t pintle_shape_count(const pintle_system *sys, int32_t *n);

/// The body and the numbers of a shape.
///
/// - `sys`: the system.
/// - `shape`: id.
/// - `body`: receives the id of its body, or PINTLE_GROUND; may be NULL.
/// - `n`: receives how many numbers its kind has; may be NULL.
/// - `numbers[10]`: receives these (pintle_add_shape), and zeros after them; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_shape_info(const pintle_system *sys, int32_t shape, int32_t *body, int32_t *n, double numbers[10]);

/// A text of a shape.
///
/// - `sys`: the system.
/// - `shape`: id.
/// - `what`: "kind", "file", "name" or "colour", which are those of pintle_add_shape.
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated text; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_UTF8, BAD_VALUE (what unknown),
/// BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (text cut).
int32_t pintle_get_shape_text(const pintle_system *sys,
                              int32_t shape,
                              const char *what,
                              int32_t cap,
                              char *buf,
                              int32_t *len);

/// Sets the added mass of a body, about its reference point; zero unless set. In frame INERTIAL the
/// wrench is -A (acceleration) with constant A; in frame BODY it follows Kirchhoff's equations with
/// body-fixed A. Set in TRIAL it belongs to the next pintle_advance; if the trial is accepted, it
/// keeps the value with which it was computed, and the new value acts from the trial's end on. In
/// both cases the scheme starts anew, as after pintle_mark_discontinuity, unless the value is
/// unchanged.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `a[36]`: A, column-major; symmetric and positive semi-definite up to rounding in single
///   precision: differences, and negative eigenvalues with rotations scaled to translations, of
///   1e-5 of the largest entry of a 3x3 block. The symmetric part is used.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (frame;
/// unsymmetric; not positive semi-definite, by itself or together with the body's own mass matrix).
int32_t pintle_set_added_mass(pintle_system *sys, int32_t body, const double a[36], int32_t frame);

/// Sets the linear damping of a body, about its reference point; zero unless set. The wrench is -C
/// (velocity). Set in TRIAL it belongs to the next pintle_advance; if the trial is accepted, it
/// keeps the value with which it was computed, and the new value acts from the trial's end on. In
/// both cases the scheme starts anew, as after pintle_mark_discontinuity, unless the value is
/// unchanged.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `c[36]`: C, column-major.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of velocity, wrench and C.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (frame).
int32_t pintle_set_linear_damping(pintle_system *sys, int32_t body, const double c[36], int32_t frame);

/// Sets the quadratic drag of a body, about its reference point; zero unless set. The wrench is w_i
/// = -sum_j d_ij v_j |v_j|, v the velocity; in moving water see pintle_set_body_in_water. Set in
/// TRIAL it belongs to the next pintle_advance; if the trial is accepted, it keeps the value with
/// which it was computed, and the new value acts from the trial's end on. In both cases the scheme
/// starts anew, as after pintle_mark_discontinuity, unless the value is unchanged.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `d[36]`: column-major: d_ij stands at i + 6 j.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of velocity, wrench and d.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (frame).
int32_t pintle_set_quadratic_drag(pintle_system *sys, int32_t body, const double d[36], int32_t frame);

/// Lets the motion of the water act on a body: current, waves and what the host's fluid callback
/// returns, at the reference point of the body. The wrench of its coefficients is then, in the axes
/// that were given with each of them, with U and a_U the velocity and acceleration of the water and
/// u = v - U:
///
/// - added mass: as without, with a - a_U in place of a, and u in place of v in Kirchhoff's
///   equations;
/// - linear damping: -C v, as without;
/// - quadratic drag: -D (|u| u, |omega| omega), with the speeds |u| and |omega| in place of those
///   along each axis: along one axis it is the same as without;
/// - and density V a_U at a place on the body, the Froude-Krylov force on its volume V.
///
/// The body counts as wholly in the water, and omega is its own: water does not turn here. Weight
/// and buoyancy are loads of the host's or those of cylinders.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `in_water`: 1 or 0; 0 unless set.
/// - `volume`: V, >= 0; 0 for none.
/// - `centre[3]`: where its force acts, in body axes from the reference point.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a flag; a negative volume).
int32_t pintle_set_body_in_water(pintle_system *sys,
                                 int32_t body,
                                 int32_t in_water,
                                 double volume,
                                 const double centre[3]);

/// Whether the motion of the water acts on a body (pintle_set_body_in_water).
///
/// - `sys`: the system.
/// - `body`: id.
/// - `in_water`: receives 1 or 0; may be NULL.
/// - `volume`, `centre[3]`: receive the volume and its place; 0 where it does not; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_body_in_water(const pintle_system *sys,
                                 int32_t body,
                                 int32_t *in_water,
                                 double *volume,
                                 double centre[3]);

/// Makes a system from a model file (TOML; docs/hosts.md lists the keys): the same entities, names,
/// arguments and checks as the functions of this section, with initial loads, motions and options.
/// The new system is in phase BUILDING: the host may add to it, and calls pintle_initialize. The
/// caller owns it and frees it with pintle_destroy. Inputs that the file gives over time are set by
/// pintle_initialize and by each step, until the host sets them itself.
///
/// - `path`: of the file; tables that it names are files in its folder or in folders there.
/// - `out`: receives the handle; what was there is overwritten.
///
/// Errors: BAD_UTF8 (path), IO, FORMAT (not TOML or UTF-8, key unknown or missing, value of another
/// type or size, no body of that name), and for values that a function refuses, its status: BAD_ID,
/// BAD_VALUE, NOT_FINITE, OUT_OF_MEMORY. The message names file, line and key. No system is made
/// then, and `*out` is unchanged.
int32_t pintle_load_model(const char *path, pintle_system **out);

/// Writes the model to a file that pintle_load_model reads back bit for bit: a run of the new
/// system is that of this one from its start. The file is replaced as pintle_write_checkpoint
/// replaces one. Loads and motions are those given in phase BUILDING, and later ones belong to the
/// run (pintle_write_checkpoint); options, scheme, and the fluid's matrices are the present ones.
/// Load callbacks are left out, and a comment in the file says where: the host sets them again.
///
/// - `sys`: the system.
/// - `path`: of the file.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_UTF8, BAD_VALUE (path names no file), IO.
int32_t pintle_save_model(const pintle_system *sys, const char *path);

/// Makes a system from an input file of MoorDyn, version 1 or 2 (docs/mooring.md describes the
/// conversion): line types with their tables, bodies, points and lines, each numbered from 0 in the
/// order of the file, gravity, water, seabed, a current and waves (from files beside
/// it), and the outputs of the file as channels under their names. Free points and bodies are free;
/// fixed and coupled bodies and coupled points are prescribed; points on bodies are attached, and
/// their mass and volume become part of the body. Rods become cylinders on bodies of their own, on
/// bodies of the file or on the ground, with names such as "rod 1" (docs/mooring.md). The new
/// system is in phase BUILDING: the host may add to it, and calls pintle_initialize, then
/// pintle_solve_equilibrium. pintle_get_warning lists entries of the file that are ignored, such as
/// time steps, and names or units of columns that contradict the expected ones. The caller owns the
/// system and frees it with pintle_destroy.
///
/// - `path`: of the file; tables that it names are files in its folder or in folders there.
/// - `out`: receives the handle; what was there is overwritten.
///
/// Errors: BAD_UTF8 (path), IO, FORMAT (no such file, a word that is not understood, a table that
/// is incomplete or whose path is absolute or has a `..`), UNSUPPORTED (control, waves but those of
/// `WaveKin` 1, 2, 3 and 7, currents but those of `Currents` 1, 2 and 5, vortex-induced vibrations,
/// tables of bending stiffness, two lines with bending stiffness at an end of a rod without length,
/// external damping of points, quadratic one of rods), and for values that a function refuses, its
/// status: BAD_SIZE, BAD_VALUE, NOT_FINITE, OUT_OF_MEMORY. The message names file, line and word.
/// No system is made then, and `*out` is unchanged.
int32_t pintle_load_moordyn(const char *path, pintle_system **out);

/// As pintle_load_moordyn, for a file that the host trusts: the paths of its tables may be absolute
/// and have `..`.
///
/// - `path`: of the file.
/// - `out`: receives the handle; what was there is overwritten.
///
/// Errors: those of pintle_load_moordyn, BAD_UTF8 (path), IO, FORMAT, UNSUPPORTED, BAD_SIZE,
/// BAD_VALUE, NOT_FINITE, OUT_OF_MEMORY, for the same reasons.
int32_t pintle_load_trusted_moordyn(const char *path, pintle_system **out);

/// Chooses the time integration scheme; "generalized-alpha" unless set. Names (docs/schemes.md has
/// their orders, limits and costs):
///
/// - "generalized-alpha", "momentum-alpha", "newmark", "hht": implicit, second order, Newton's
///   iteration. "momentum-alpha" is "generalized-alpha" on angular momentum, for bodies that spin
///   or tumble: a step must turn no body by more than half a turn.
/// - "euler", "heun", "rk2", "rk3", "rk4", "ab2" to "ab5": explicit; constraints are kept by
///   projection.
/// - "leuler", "lab2" to "lab5": the same with local steps: every set of bodies tied by joints
///   takes steps of its own; in models with lines or gears all sets take the shortest.
/// - "beulerN", "midpointN", "andersonN", "acaN", "wilsonN": semi-implicit, N relaxed substeps, N =
///   1 to 1000.
///
/// A change in phase READY starts the scheme's history anew.
///
/// - `sys`: the system.
/// - `name`: text.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, OUT_OF_MEMORY, BAD_UTF8, BAD_VALUE (unknown, or N
/// missing or outside its range; the message lists the known ones), UNSUPPORTED (option "linear" is
/// 1 and the scheme none of the first four).
int32_t pintle_set_scheme(pintle_system *sys, const char *name);

/// The name of the scheme.
///
/// - `sys`: the system.
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated text; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (text cut).
int32_t pintle_get_scheme(const pintle_system *sys, int32_t cap, char *buf, int32_t *len);

/// Sets an option. Keys and defaults:
///
/// - "rho_inf" 0.8: spectral radius at infinite frequency, 0 (damps most) to 1 (no numerical
///   damping).
/// - "abs_tolerance" 1e-8, "rel_tolerance" 1e-6: of the weighted norm of increments, or of a
///   thousand times the next increments that their rate of contraction predicts. In models with
///   lines the test for bodies is on these predicted increments themselves, and that for a node of
///   a line is 3 "abs_tolerance" of its line's length, at most 3e-8.
/// - "max_iterations" 20: of Newton's method in one internal step; as many again where lines, or
///   bodies and points at tension-only springs, were not in balance after the last. In models with
///   lines one iteration is hardly ever enough.
/// - "max_time_step" infinity: longer host steps are cut into equal internal ones; where it is
///   infinite, explicit schemes cut them at "cfl" times statistic "stable_step". With local steps
///   it is the longest tick: slow entities take several.
/// - "max_substeps" 10000: most internal steps of one host step, those of halved ones included; a
///   step that asks for more fails with BAD_VALUE.
/// - "input_order" 0: inputs are held over the step; 1: they are interpolated linearly from the
///   last accepted value (loads that were never given before act from the initial time on, if no
///   step was made yet).
/// - "assemble" 0: pintle_initialize refuses initial states that violate joints; 1: it projects
///   them.
/// - "on_no_convergence" 0: the step fails; 1: it is accepted and counted; 2: it is cut in halves,
///   up to 10 times. Where there are lines, springs that only pull or springs with tables, and
///   where bodies on bushings or beams turn by more than 0.01 rad in the step, the first four
///   schemes cut a step in halves up to 4 times before it fails with 0, and with 1 where it fails
///   for other reasons; the message has the time and the length of the part that failed.
/// - "convergence" 0: weighted norm of increments; 1: energy norm with "energy_tolerance" 1e-3,
///   beside the test of lines.
/// - "initial_acceleration" 0: computed; 1: as given by pintle_set_body_acceleration, and the start
///   is not perturbed (docs/theory.md).
/// - "newmark_gamma" 0.5 (0.5 to 1), "newmark_beta" 0.25 (above 0, to 1): of scheme "newmark".
/// - "hht_alpha" -0.1 (-1/3 to 0): of scheme "hht".
/// - "relaxation" 1: of semi-implicit schemes, as in MoorDyn's code; 0: as on its page.
/// - "relaxation_c0", "relaxation_c1" -1: the constants C0 and C1 of that relaxation, 0 to 1; -1:
///   the scheme's own.
/// - "cfl" 0.5 (above 0, to 1): part of the stable step that explicit schemes take.
/// - "integrate_about" 0: bodies are integrated about their centres of mass; 1: about their
///   reference points. All inputs and outputs are about the reference points in both cases. Changes
///   in phase BUILDING only. Where "linear" is 1 at pintle_initialize, equations are about the
///   reference points too.
/// - "linear" 0; 1: M, C and K frozen at the initial state, one solve per step
///   ("generalized-alpha", "momentum-alpha", "newmark", "hht"). Load callbacks are called at the
///   initial poses and velocities, without accelerations; their dependence on the motion enters
///   only by their matrices at the initial time.
/// - "constraint_damping" 1: the first four schemes damp oscillations normal to joints that
///   alternate from step to step; 0: the published algorithms, in which these may grow on curved
///   constraints if "rho_inf" is near 1.
/// - "line_tension_change" 0: most that the tension of a segment of a line may change in one
///   internal step before that is cut in halves, for lines that snap; 0: no limit.
/// - "energy_form" 1: the first four schemes take lines with the seabed, springs that only pull,
///   and springs with tables, by the work that they do over a step, so that jumps of their
///   stiffness add no energy; 0: by their forces at the ends of steps.
/// - "max_events" 200: most events of friction and stops that are located in one step of the host;
///   others change modes at the ends of internal steps. "rest_speed" 1e-4: model lengths, or rad,
///   per time, below which nothing bounces.
/// - "rotating_modes" 0; 1: where a body turns, pintle_get_modes finds the steady turning of the
///   whole model about the axis and at the rate of the first one that does, and returns the modes
///   about it in axes that turn along, as for a Campbell diagram.
/// - "step_tolerance" 0; above 0: internal steps have the lengths at which each errs by about this
///   much at most, in model lengths and rad (docs/schemes.md, "Steps by tolerance"); for the first
///   four schemes, "euler", "heun", "rk2", "rk3", "rk4", without "linear".
///
/// - `sys`: the system.
/// - `key`: text.
/// - `value`: the new value.
///
/// Phases: BUILDING, READY. Errors: BAD_PHASE, OUT_OF_MEMORY, BAD_UTF8, BAD_VALUE (key unknown: the
/// message lists the known ones; value outside its range), NOT_FINITE, UNSUPPORTED ("linear" = 1
/// with another scheme).
int32_t pintle_set_option(pintle_system *sys, const char *key, double value);

/// The value of an option.
///
/// - `sys`: the system.
/// - `key`: as for pintle_set_option.
/// - `value`: receives the value.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_UTF8, BAD_VALUE (unknown; the message lists
/// the known ones).
int32_t pintle_get_option(const pintle_system *sys, const char *key, double *value);

/// The name of an entity. For one without a name it is kind and id, such as "body 3", which
/// pintle_find does not find.
///
/// - `sys`: the system.
/// - `kind`: "body", "joint", "spring", "bushing", "cylinder", "beam_element", "contact",
///   "tendon", "marker",
///   "callback" (coupled load callbacks), "point", "gear", "line", "line_type", "beam" or "clutch".
/// - `id`: id of that kind.
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated text; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_UTF8, BAD_VALUE (kind unknown),
/// BAD_ID, BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (text cut).
int32_t pintle_get_name(const pintle_system *sys, const char *kind, int32_t id, int32_t cap, char *buf, int32_t *len);

/// The acceleration of gravity.
///
/// - `sys`: the system.
/// - `gravity[3]`: receives it in I, length / time^2.
///
/// Phases: BUILDING, READY, TRIAL, FAILED.
int32_t pintle_get_gravity(const pintle_system *sys, double gravity[3]);

/// The mass matrix of a body. It is computed from mass, centre of mass and inertia, which are
/// stored, so that the matrix given to pintle_add_body is returned up to rounding.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `mass[36]`: receives `[m I, m~eta^T; m~eta, J]`, column-major, in body axes, about the
///   reference point.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_body_mass(const pintle_system *sys, int32_t body, double mass[36]);

/// The pose, velocity and acceleration with which a body was described, not the present ones.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `pose[7]`: receives the initial and reference pose, x y z in I, then qw qx qy qz; may be NULL.
/// - `velocity[6]`: receives the initial velocity, linear, then angular, in I; may be NULL.
/// - `acceleration[6]`: receives the initial acceleration of pintle_set_body_acceleration, linear,
///   then angular, in I; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_body_initial_motion(const pintle_system *sys,
                                       int32_t body,
                                       double pose[7],
                                       double velocity[6],
                                       double acceleration[6]);

/// Whether the motion of a body is imposed (pintle_set_body_prescribed).
///
/// - `sys`: the system.
/// - `body`: id.
/// - `prescribed`: receives 1 or 0.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_body_prescribed(const pintle_system *sys, int32_t body, int32_t *prescribed);

/// The added mass of a body about its reference point, as set; zero, in frame INERTIAL, unless set.
/// Only its symmetric part is stored.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `a[36]`: receives the matrix, column-major.
/// - `frame`: receives PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes it was given in; may be
///   NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_added_mass(const pintle_system *sys, int32_t body, double a[36], int32_t *frame);

/// The linear damping of a body about its reference point, as set; zero, in frame INERTIAL, unless
/// set.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `c[36]`: receives the matrix, column-major.
/// - `frame`: receives PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes it was given in; may be
///   NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_linear_damping(const pintle_system *sys, int32_t body, double c[36], int32_t *frame);

/// The quadratic drag of a body about its reference point, as set; zero, in frame INERTIAL, unless
/// set.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `d[36]`: receives the matrix, column-major.
/// - `frame`: receives PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes it was given in; may be
///   NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_quadratic_drag(const pintle_system *sys, int32_t body, double d[36], int32_t *frame);

/// A joint as it was added: kind, bodies, frames.
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `kind`: receives PINTLE_JOINT_...; may be NULL.
/// - `body_a`, `body_b`: receive ids, one of them perhaps PINTLE_GROUND; each may be NULL.
/// - `frame_a[7]`, `frame_b[7]`: receive the joint frames in the axes of each body (ground: in I);
///   those of pintle_add_joint_at coincide at the initial poses. Each may be NULL.
/// - `driven`: receives 1 if its coordinate is imposed (pintle_set_joint_driven), else 0; may be
///   NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_joint_info(const pintle_system *sys,
                              int32_t joint,
                              int32_t *kind,
                              int32_t *body_a,
                              int32_t *body_b,
                              double frame_a[7],
                              double frame_b[7],
                              int32_t *driven);

/// Whether the coordinate of a joint is imposed (pintle_set_joint_driven).
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `driven`: receives 1 or 0.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_joint_driven(const pintle_system *sys, int32_t joint, int32_t *driven);

/// Whether the slide of a joint is imposed (pintle_set_joint_slide_driven); of kinds other than
/// CYLINDRICAL it is not.
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `driven`: receives 1 or 0.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_joint_slide_driven(const pintle_system *sys, int32_t joint, int32_t *driven);

/// The spring and damper on the coordinate of a joint, as set; all zero unless set.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `stiffness`, `damping`, `rest`: receive the values of pintle_set_joint_spring; each may be
///   NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
int32_t pintle_get_joint_spring(const pintle_system *sys,
                                int32_t joint,
                                double *stiffness,
                                double *damping,
                                double *rest);

/// The spring and damper on the slide of a CYLINDRICAL joint, as set; all zero unless set.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint.
/// - `stiffness`, `damping`, `rest`: receive the values of pintle_set_joint_slide_spring; each may
///   be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (another kind of joint).
int32_t pintle_get_joint_slide_spring(const pintle_system *sys,
                                      int32_t joint,
                                      double *stiffness,
                                      double *damping,
                                      double *rest);

/// The coordinate of a joint at coincident joint frames (pintle_set_joint_offset); 0 unless set.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `q0`: receives angle or displacement.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
int32_t pintle_get_joint_offset(const pintle_system *sys, int32_t joint, double *q0);

/// The pitch of a SCREW joint; 0 until it is set.
///
/// - `sys`: the system.
/// - `joint`: id of a SCREW joint.
/// - `pitch`: receives the displacement of b along z of a per turn about it.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (another kind of joint).
int32_t pintle_get_joint_pitch(const pintle_system *sys, int32_t joint, double *pitch);

/// The radius of the disc of a ROLLING joint; 0 until it is set.
///
/// - `sys`: the system.
/// - `joint`: id of a ROLLING joint.
/// - `radius`: receives the radius, length.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (another kind of joint).
int32_t pintle_get_joint_radius(const pintle_system *sys, int32_t joint, double *radius);

/// The distance that a DISTANCE joint keeps between the origins of its frames, from the reference
/// poses; 0 for the other kinds.
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `distance`: receives the length.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_joint_distance(const pintle_system *sys, int32_t joint, double *distance);

/// A spring as it was added.
///
/// - `sys`: the system.
/// - `spring`: id.
/// - `body_a`, `body_b`: receive ids, one of them perhaps PINTLE_GROUND; each may be NULL.
/// - `point_a[3]`, `point_b[3]`: receive its ends in the axes of each body (ground: in I); each may
///   be NULL.
/// - `stiffness`, `damping`, `rest_length`: receive what pintle_add_spring was given; each may be
///   NULL.
/// - `tension_only`: receives 1 if it only pulls, else 0; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_spring_info(const pintle_system *sys,
                               int32_t spring,
                               int32_t *body_a,
                               double point_a[3],
                               int32_t *body_b,
                               double point_b[3],
                               double *stiffness,
                               double *damping,
                               double *rest_length,
                               int32_t *tension_only);

/// A bushing as it was added.
///
/// - `sys`: the system.
/// - `bushing`: id.
/// - `body_a`, `body_b`: receive ids, one of them perhaps PINTLE_GROUND; each may be NULL.
/// - `frame_a[7]`, `frame_b[7]`: receive its frames in the axes of each body (ground: in I); each
///   may be NULL.
/// - `stiffness[36]`, `damping[36]`: receive K and C, column-major, K without the diagonal
///   entries of components with a table (pintle_get_bushing_table); each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_bushing_info(const pintle_system *sys,
                                int32_t bushing,
                                int32_t *body_a,
                                int32_t *body_b,
                                double frame_a[7],
                                double frame_b[7],
                                double stiffness[36],
                                double damping[36]);

/// A cylinder as it was added.
///
/// - `sys`: the system.
/// - `cylinder`: id.
/// - `body`: receives the id, or PINTLE_GROUND; may be NULL.
/// - `end_a[3]`, `end_b[3]`: receive the centres of its ends in body axes (ground: in I); each may
///   be NULL.
/// - `diameter`: receives the diameter; may be NULL.
/// - `segments`: receives the number of segments; may be NULL.
/// - `coefficients[4]`: receives cd, ca, cd_end, ca_end; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_cylinder_info(const pintle_system *sys,
                                 int32_t cylinder,
                                 int32_t *body,
                                 double end_a[3],
                                 double end_b[3],
                                 double *diameter,
                                 int32_t *segments,
                                 double coefficients[4]);

/// A marker as it was added.
///
/// - `sys`: the system.
/// - `marker`: id.
/// - `body`: receives the id of its body; may be NULL.
/// - `frame[7]`: receives the pose of the marker in body axes; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_marker_info(const pintle_system *sys, int32_t marker, int32_t *body, double frame[7]);

/// The load that is set on a body: the input, not the load at the state of the outputs.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the result. In the axes in
///   which the load was given it is returned unchanged; in the others it is transformed with the
///   body's present rotation (of the trial if one is pending; in BUILDING as described).
/// - `wrench[6]`: receives force, moment about the reference point; 0 unless set.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (frame), UNSTABLE (numbers too
/// large for a double).
int32_t pintle_get_body_load(const pintle_system *sys, int32_t body, int32_t frame, double wrench[6]);

/// The loads on all bodies that are set, each as for pintle_get_body_load.
///
/// - `sys`: the system.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the results.
/// - `n`: the number of bodies.
/// - `wrenches`: receives `[n][6]`, force and moment about the reference point of each body.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_SIZE (n), BAD_VALUE (frame), UNSTABLE
/// (numbers too large for a double).
int32_t pintle_get_body_loads(const pintle_system *sys, int32_t frame, int32_t n, double *wrenches);

/// The load that is set at a marker: the input, not the load at the state of the outputs.
///
/// - `sys`: the system.
/// - `marker`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the result. In the axes in
///   which the load was given it is returned unchanged; in the others it is transformed with the
///   present rotation of the marker's body (of the trial if one is pending; in BUILDING as
///   described).
/// - `wrench[6]`: receives force, moment about the marker; 0 unless set.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (frame), UNSTABLE (numbers too
/// large for a double).
int32_t pintle_get_marker_load(const pintle_system *sys, int32_t marker, int32_t frame, double wrench[6]);

/// The loads at all markers that are set, each as for pintle_get_marker_load.
///
/// - `sys`: the system.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the results.
/// - `n`: the number of markers.
/// - `wrenches`: receives `[n][6]`, force and moment about each marker.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_SIZE (n), BAD_VALUE (frame), UNSTABLE
/// (numbers too large for a double).
int32_t pintle_get_marker_loads(const pintle_system *sys, int32_t frame, int32_t n, double *wrenches);

/// The generalized force that is set on the coordinate of a joint; 0 unless set.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `generalized_force`: receives moment about z, or force along it (of a displacement), on b.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint without coordinate).
int32_t pintle_get_joint_load(const pintle_system *sys, int32_t joint, double *generalized_force);

/// The force that is set on the slide of a CYLINDRICAL joint; 0 unless set.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint.
/// - `force`: receives the force along z, on b.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (another kind of joint).
int32_t pintle_get_joint_slide_load(const pintle_system *sys, int32_t joint, double *force);

/// The motion that is set on the coordinate of a driven joint; if none was set, that of
/// pintle_initialize: at rest at the initial coordinate.
///
/// - `sys`: the system.
/// - `joint`: id of a driven joint.
/// - `q`, `qd`, `qdd`: receive coordinate, rate and acceleration; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a joint that is not driven;
/// in BUILDING also one whose motion was not set).
int32_t pintle_get_joint_motion_input(const pintle_system *sys, int32_t joint, double *q, double *qd, double *qdd);

/// The motion that is set on the driven slide of a joint, as pintle_get_joint_motion_input.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint whose slide is driven.
/// - `s`, `sd`, `sdd`: receive displacement, rate and acceleration; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a slide that is not driven;
/// in BUILDING also one whose motion was not set).
int32_t pintle_get_joint_slide_motion_input(const pintle_system *sys,
                                            int32_t joint,
                                            double *s,
                                            double *sd,
                                            double *sdd);

/// The motion that is set for a prescribed body; if none was set, the described one. In a run
/// positions are stored relative to the middle of the model, if it is far from zero (by 100 lengths
/// of the model), and are then returned with rounding.
///
/// - `sys`: the system.
/// - `body`: id of a prescribed body.
/// - `pose[7]`: receives x y z in I, then qw qx qy qz; may be NULL.
/// - `velocity[6]`, `acceleration[6]`: receive linear, then angular, in I; each may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (a body that is not
/// prescribed), UNSTABLE (numbers too large for a double).
int32_t pintle_get_body_motion_input(const pintle_system *sys,
                                     int32_t body,
                                     double pose[7],
                                     double velocity[6],
                                     double acceleration[6]);

/// Whether a body has a load callback of its own (pintle_set_load_callback).
///
/// - `sys`: the system.
/// - `body`: id.
/// - `is_set`: receives 1 or 0.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_load_callback(const pintle_system *sys, int32_t body, int32_t *is_set);

/// The number of bodies of a coupled load callback, and whether it is still set.
///
/// - `sys`: the system.
/// - `callback`: id.
/// - `n_bodies`: receives their number; may be NULL.
/// - `is_set`: receives 1, or 0 once it was removed; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
int32_t pintle_get_coupled_load_callback(const pintle_system *sys,
                                         int32_t callback,
                                         int32_t *n_bodies,
                                         int32_t *is_set);

/// One of the bodies of a coupled load callback, in the order in which they were given last.
///
/// - `sys`: the system.
/// - `callback`: id.
/// - `k`: index from 0, below the number of its bodies.
/// - `body`: receives the id.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID, BAD_VALUE (k).
int32_t pintle_get_coupled_load_body(const pintle_system *sys, int32_t callback, int32_t k, int32_t *body);

/// Whether a discontinuity is marked at the present time (pintle_mark_discontinuity), so that the
/// step from there starts the scheme anew.
///
/// - `sys`: the system.
/// - `is_marked`: receives 1 or 0. While a trial is pending it refers to the trial's time, not the
///   accepted one; a new trial has no mark.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE.
int32_t pintle_get_discontinuity(const pintle_system *sys, int32_t *is_marked);

/// Whether a progress callback is set (pintle_set_progress_callback).
///
/// - `sys`: the system.
/// - `is_set`: receives 1 or 0.
///
/// Phases: BUILDING, READY, TRIAL, FAILED.
int32_t pintle_get_progress_callback(const pintle_system *sys, int32_t *is_set);

/// Sets all loads on bodies, markers, beams, joints and points to zero; load callbacks and imposed
/// motions stay.
///
/// - `sys`: the system.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE.
int32_t pintle_clear_loads(pintle_system *sys);

/// Sets the load on a body, replacing the former one.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of wrench (body axes turn with
///   the body).
/// - `wrench[6]`: force, moment about the reference point.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame), NOT_FINITE.
int32_t pintle_set_body_load(pintle_system *sys, int32_t body, int32_t frame, const double wrench[6]);

/// Sets the loads on all bodies, replacing the former ones.
///
/// - `sys`: the system.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the wrenches.
/// - `n`: the number of bodies.
/// - `wrenches`: `[n][6]`, force and moment about the reference point of each body.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE (n), BAD_VALUE (frame), NOT_FINITE.
int32_t pintle_set_body_loads(pintle_system *sys, int32_t frame, int32_t n, const double *wrenches);

/// Sets the load at a marker, replacing the former one.
///
/// - `sys`: the system.
/// - `marker`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (axes of the marker's body): the axes of
///   wrench.
/// - `wrench[6]`: force, moment about the marker.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame), NOT_FINITE.
int32_t pintle_set_marker_load(pintle_system *sys, int32_t marker, int32_t frame, const double wrench[6]);

/// Sets the loads at all markers, replacing the former ones.
///
/// - `sys`: the system.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (axes of each marker's body): the axes of
///   the wrenches.
/// - `n`: the number of markers.
/// - `wrenches`: `[n][6]`, force and moment about each marker.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE (n), BAD_VALUE (frame), NOT_FINITE.
int32_t pintle_set_marker_loads(pintle_system *sys, int32_t frame, int32_t n, const double *wrenches);

/// Sets the load on the coordinate of a joint, in place of the one before: it acts on b, and the
/// opposite on a.
///
/// - `sys`: the system.
/// - `joint`: id of a joint that has a coordinate.
/// - `generalized_force`: moment about z, of a displacement force along z, of the joint frame of a.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a joint
/// without coordinate).
int32_t pintle_set_joint_load(pintle_system *sys, int32_t joint, double generalized_force);

/// Sets the motion of a driven joint at the END of the coming step (in BUILDING: at the start). In
/// between, and in the internal steps of option "max_time_step", the motion is the quintic
/// polynomial with these values at both ends. An angle may change by at most half a turn per
/// internal step; more is NO_CONVERGENCE from pintle_advance.
///
/// A motion that runs from the start is given in BUILDING too, so that joint and bodies start with
/// its rate; or it begins with a ramp. A rate that is first given at the end of a step, or that
/// ends there, is a jump: with generalized-alpha, momentum-alpha, newmark and hht the joint then
/// has its new rate from the start of that step on, and bodies get its impulse, whether
/// pintle_mark_discontinuity was called or not; a jump that would turn a body by more than a
/// quarter turn in an internal step is NO_CONVERGENCE. A jump is recognised by rates that fit the
/// coordinates; if rates are left at zero, these schemes use the coordinates alone, while other
/// schemes follow the rates as given.
///
/// - `sys`: the system.
/// - `joint`: id of a driven joint.
/// - `q`: coordinate: angle of b against a, over any number of turns, or displacement.
/// - `qd`, `qdd`: its rate and acceleration; they should be those of q.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a joint that
/// is not driven).
int32_t pintle_set_joint_motion(pintle_system *sys, int32_t joint, double q, double qd, double qdd);

/// Sets the force on the slide of a CYLINDRICAL joint, in place of the one before: it acts on b,
/// and the opposite on a.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint.
/// - `force`: along z of the joint frame of a.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (another kind
/// of joint).
int32_t pintle_set_joint_slide_load(pintle_system *sys, int32_t joint, double force);

/// Sets the motion of a driven slide at the END of the coming step (in BUILDING: at the start). In
/// between it is the quintic polynomial with these values at both ends, as for
/// pintle_set_joint_motion.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL joint whose slide is driven.
/// - `s`: displacement of b along z of a.
/// - `sd`, `sdd`: its rate and acceleration; they should be those of s.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a slide that
/// is not driven).
int32_t pintle_set_joint_slide_motion(pintle_system *sys, int32_t joint, double s, double sd, double sdd);

/// Sets the motion of a prescribed body at the END of the coming step (in BUILDING: at the start,
/// where it replaces the initial pose and velocity). In between, and in the internal steps of
/// option "max_time_step", the motion is the quintic polynomial, in position and rotation vector,
/// with these values at both ends; less than half a turn per step.
///
/// A motion that runs from the start is given in BUILDING, and bodies that go with it get its
/// velocity there; or it begins with a ramp. Jumps of the velocity are as those of
/// pintle_set_joint_motion: the body has its new velocity from the start of the step on, and bodies
/// joined to it get its impulse.
///
/// - `sys`: the system.
/// - `body`: id of a prescribed body.
/// - `pose[7]`, `velocity[6]`, `acceleration[6]`: of the reference point, in I; they should fit
///   together.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (a body that is
/// not prescribed; quaternion not of unit norm; a position whose distance from the origin of the
/// model overflows).
int32_t pintle_set_body_motion(pintle_system *sys,
                               int32_t body,
                               const double pose[7],
                               const double velocity[6],
                               const double acceleration[6]);

/// Sets the function that computes the load on a body inside the iteration, at the trial motion; it
/// adds to the other loads. See pintle_load_fn. Within a step it must be a function of its
/// arguments; between steps it may change; call pintle_mark_discontinuity where it jumps.
///
/// A step ends with OK only if motion and load agree: after the last iteration the function is
/// called once more, and its wrench must agree to option "rel_tolerance" / 100 with the wrench for
/// which the accelerations were computed; else the iteration continues, or the step fails with
/// NO_CONVERGENCE. (Wrenches that are rounded, for example to single precision, count as agreeing
/// if they differ by less than 1e-6 of themselves and come no closer.) So the matrices, exact,
/// rough or left zero, determine the number of evaluations of a step, not its accuracy: derivatives
/// that they lack, also an added mass larger than the body's, are found by a quasi-Newton update
/// from the evaluations within a step, at about one evaluation per direction of motion (option
/// "max_iterations" should be 20 or more). pintle_linearize, pintle_get_modes,
/// pintle_get_load_compliance, option "linear" and estimates of stable steps use the matrices only,
/// which have no derivatives with respect to accelerations: for these an added mass belongs into
/// pintle_set_added_mass or the mass matrix of a pintle_set_coupled_load_callback, which may have
/// one body.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `fn`: the function; NULL removes the present one.
/// - `user`: passed to the function; never dereferenced. It must stay valid until the callback is
///   removed and the system and its clones are destroyed.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID.
int32_t pintle_set_load_callback(pintle_system *sys, int32_t body, pintle_load_fn fn, void *user);

/// Sets the function that computes the loads on a set of bodies inside the iteration, at their
/// trial motion, with cross terms between the bodies and a mass matrix; it adds to the other loads.
/// See pintle_coupled_load_fn. The rules of pintle_set_load_callback for the function and for the
/// end of a step apply. The mass matrix belongs to the inertia of the system in every scheme and
/// analysis, pintle_get_mass_matrix included (but not to energies and momenta). Bodies may be
/// prescribed: their wrench is part of pintle_get_body_reaction. Bodies of one callback are one
/// entity for schemes with local steps.
///
/// A set of bodies, in whichever order, has one function: setting another one replaces it and keeps
/// the id. Different sets may overlap. Ids (kind "callback") are dense in the order in which sets
/// first appear, and stay when others are removed: a set whose function was removed keeps its id
/// and counts. Like those of pintle_set_load_callback they are code: not part of states,
/// checkpoints and model files, but copied by pintle_clone as function and user pointer.
///
/// - `sys`: the system.
/// - `n`: the number of bodies of the set, 1 or more.
/// - `bodies`: `[n]`, ids, each once, in the order of the function's arguments.
/// - `fn`: the function; NULL removes the present one of this set.
/// - `user`: passed to the function; never dereferenced. It must stay valid until the callback is
///   removed and the system and its clones are destroyed.
/// - `callback`: receives the id; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE (n), BAD_ID, BAD_VALUE (a body
/// twice; nothing to remove).
int32_t pintle_set_coupled_load_callback(pintle_system *sys,
                                         int32_t n,
                                         const int32_t *bodies,
                                         pintle_coupled_load_fn fn,
                                         void *user,
                                         int32_t *callback);

/// Marks a jump of the loads at the present time, so that the step from there starts the scheme's
/// history anew, with the loads set for its end acting from its start on. Without it a jump is
/// smeared over the first steps after it and costs accuracy there. In phase TRIAL the present time
/// is that of the trial; if the host then advances again instead of accepting, the mark acts on
/// that step.
///
/// - `sys`: the system.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE.
int32_t pintle_mark_discontinuity(pintle_system *sys);

/// Advances by one step and accepts it. After a failure the accepted state is as before.
///
/// - `sys`: the system.
/// - `dt`: time step, > 0.
///
/// Phases: READY. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (dt: not positive, below the rounding of
/// the time, or more internal steps than option "max_substeps" allows), NO_CONVERGENCE, SINGULAR,
/// CALLBACK, UNSTABLE (numbers that are not finite, joints that the step tears open or turns over),
/// STOPPED (by the progress callback), REDUNDANT_CONSTRAINTS (a loop that started in a singular
/// position came apart), UNSUPPORTED (newmark_gamma and newmark_beta that cannot hold constraints).
int32_t pintle_step(pintle_system *sys, double dt);

/// Makes a trial step from the ACCEPTED state, to phase TRIAL. Repeat it with corrected inputs as
/// often as needed, then accept or reject. Inputs that are set while a trial is pending belong to
/// the next step: to the one after the trial if that is accepted, to the next trial if the host
/// advances again.
///
/// - `sys`: the system.
/// - `dt`: time step, > 0.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (dt, as in pintle_step),
/// NO_CONVERGENCE, SINGULAR, CALLBACK, UNSTABLE, REDUNDANT_CONSTRAINTS, UNSUPPORTED; then the
/// accepted state is unchanged, and no trial is pending. STOPPED (by the progress callback): then a
/// trial that was pending before still is.
int32_t pintle_advance(pintle_system *sys, double dt);

/// Makes a trial step from the ACCEPTED state to a time, as pintle_advance does, or to the first
/// event of friction or a stop before that time: there the loads are those of that time (option
/// "input_order" 1), or those of the step. What happened is told by pintle_get_event.
///
/// - `sys`: the system.
/// - `t`: time, after the accepted one.
/// - `stop_at_events`: 1 if the first event after the accepted time ends the step, 0 if t does.
/// - `reached`: receives the time of the trial; may be NULL.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, NOT_FINITE, BAD_VALUE (t not after the accepted time,
/// or as for dt in pintle_step), NO_CONVERGENCE, SINGULAR, CALLBACK, UNSTABLE,
/// REDUNDANT_CONSTRAINTS, UNSUPPORTED; then the accepted state is unchanged, and no trial is
/// pending. STOPPED (by the progress callback): then a trial that was pending before still is.
int32_t pintle_advance_to(pintle_system *sys, double t, int32_t stop_at_events, double *reached);

/// Makes the trial the accepted state, TRIAL to READY, with the loads that it was computed with:
/// those that were set since are for the end of the next step.
///
/// - `sys`: the system.
///
/// Phases: TRIAL. Errors: BAD_PHASE.
int32_t pintle_accept(pintle_system *sys);

/// Discards the trial, TRIAL to READY; the accepted state is unchanged.
///
/// - `sys`: the system.
///
/// Phases: TRIAL. Errors: BAD_PHASE.
int32_t pintle_reject(pintle_system *sys);

/// The time of the trial if one is pending, else of the accepted state.
///
/// - `sys`: the system.
/// - `time`: receives the time.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE.
int32_t pintle_time(const pintle_system *sys, double *time);

/// Sets the function that long calls call from time to time, and which may stop them: steps (of
/// many internal steps, or of large models), pintle_initialize, pintle_solve_equilibrium,
/// pintle_linearize, pintle_get_modes and the like. See pintle_progress_fn. It is called after a
/// fixed amount of work (64 evaluations of one body), so that short calls never call it;
/// computations without evaluations, such as eigenvalues, are not interrupted. A clone of the
/// system calls the same function; it is not part of states.
///
/// - `sys`: the system.
/// - `fn`: the function; NULL removes the present one.
/// - `user`: passed to the function; never dereferenced. It must stay valid until the callback is
///   removed and the system and its clones are destroyed.
///
/// Phases: all.
int32_t pintle_set_progress_callback(pintle_system *sys, pintle_progress_fn fn, void *user);

/// A number about the model or about the work done since pintle_initialize (restoring a state does
/// not reset it). Keys:
///
/// - "steps" accepted; "substeps": internal steps that succeeded; "rejected_steps": trials
///   rejected, repeated or failed, and internal steps cut in halves; "not_converged_steps":
///   internal steps accepted without convergence.
/// - "iterations" of Newton's method, or substeps of a semi-implicit scheme, in total,
///   "last_iterations" of the last internal step, "factorizations".
/// - "evaluations" of accelerations or of the iteration matrix, of the whole model or (local time
///   stepping) of one entity; "body_evaluations": the same, counted once per body.
/// - "events" of friction and stops, "event_steps": internal steps made again to locate them,
///   "unlocated_events": those taken at the end of an internal step, "unsettled_events": those
///   whose forces or impulses had not settled after the last sweep over all contacts, stops and
///   frictions.
/// - In accepted steps in energy form (option "energy_form") "crossings": segments of lines,
///   springs, tendons and joints whose stiffness jumped, slack or taut, and nodes of lines that
///   came to the seabed or left it; "unresolved_snaps": jumps of a stiffness k between masses m
///   (counted as free) in an internal step h with k h^2 > m, whose peaks of tension are means over
///   the step.
/// - With option "step_tolerance" (else 0) "last_step_error": estimated error of the last internal
///   step, 1 at the tolerance, "suggested_step": length of the next internal step,
///   "rejected_by_error": internal steps made again because they erred too much, or failed.
/// - "last_residual": largest residual force of the last internal step, moments over the model's
///   length; "last_error": its last convergence measure, 1 at the limit; above 1 where only
///   rounding remained.
/// - "last_residual_energy_x", "last_residual_energy_r": residual energies of translations and of
///   rotations, sqrt(sum |r dx|) over residuals and increments, at the last Newton iteration of the
///   last internal step; 0 for schemes without.
/// - "stable_step": the longest stable step of an explicit scheme, estimated from masses, springs,
///   bushings and dampers at the initial poses (load callbacks are called there for their
///   stiffness), of lines at their present length or up to a twentieth less; infinite for the other
///   schemes.
/// - "dofs": 6 per body, 3 per point and node of a line; "constraints": independent ones;
///   "redundant_constraints"; "mobility": dofs less constraints, without the dofs of prescribed
///   bodies and points, fixed and attached points and tied ends of lines.
///
/// - `sys`: the system.
/// - `key`: text.
/// - `value`: receives the number.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_UTF8, BAD_VALUE (unknown; the message lists
/// the known ones), UNSTABLE (numbers too large for a double).
int32_t pintle_get_statistic(const pintle_system *sys, const char *key, double *value);

/// Warnings, one per line: entries of the file of pintle_load_moordyn that are ignored; the last
/// step that was accepted without convergence (option "on_no_convergence" = 1), its time,
/// iterations and residual energies, and how many there were; that loads which change in every step
/// are held over each (option "input_order" = 0) by a scheme that is of higher order without
/// ("rk3", "rk4", "ab2" to "ab5", "lab2" to "lab5"); that imposed positions change in every step
/// while their rates stay zero, with a scheme that needs the rates. Empty if there are none.
///
/// - `sys`: the system.
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated text; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (text cut).
int32_t pintle_get_warning(const pintle_system *sys, int32_t cap, char *buf, int32_t *len);

/// Adds channels under the names that OpenFAST's module ElastoDyn has for the motion of a floating
/// platform, for a body: PtfmSurge, PtfmSway, PtfmHeave (m): its reference point in I; PtfmRoll,
/// PtfmPitch, PtfmYaw (deg): yaw about z, then pitch about the new y, then roll about the new x, as
/// in pintle_quat_to_euler_zyx, but yaw is within half a turn of zero only at the start and counted
/// over turns from there; PtfmTVxi, yi, zi (m/s), PtfmTAxi ... (m/s^2): velocity and
/// acceleration of that point in I; PtfmRVxi ... (deg/s), PtfmRAxi ... (deg/s^2): angular ones in
/// I.
///
/// They equal ElastoDyn's if the origin of I, the reference point and the body axes are placed as
/// there: zero at the undisplaced platform (x downwind, z upward from the mean water level). A body
/// that is added elsewhere starts with that offset, as ElastoDyn's initial PtfmSurge does.
/// ElastoDyn's angles are small ones about the axes of I; these agree with them to first order, are
/// exact for large yaw, and are those that HydroDyn and SubDyn extract from an orientation.
///
/// - `sys`: the system.
/// - `body`: id, or PINTLE_GROUND for no such channels.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_ID.
int32_t pintle_set_openfast_platform(pintle_system *sys, int32_t body);

/// Adds a channel under the name that MoorDyn's section OUTPUTS has for it, in small or capital
/// letters. Names number entities from 1: `Body1` is body 0. Of bodies, points and nodes of lines:
/// `Body2PX` (or `B2PX`), `Point3VZ` (`P3VZ`, `Con3VZ`), `Line2N4AX` (`L2N4AX`; node 0 is end A;
/// `L2NAPX` and `L2NBPX` of the ends): position (P), velocity (V), acceleration (A) along X, Y or
/// Z. Of bodies: `Body2RX`, `Body2RVX`, `Body2RAX`: angles about x, the new y and the new z,
/// angular velocity and acceleration, in degrees. Of lines: `FairTen1` (`Line1TenB`) and `AnchTen1`
/// (`Line1TenA`): size of the net force of end B and A on its point; `L2N4Ten` (`L2N4T`): the mean
/// tension of the segments at an inner node, at ends as before; `L2N0FX`: net force of an end. Of
/// points: `Point3FX`, `Point3Ten`: net force of all ends of lines there.
///
/// - `sys`: the system.
/// - `name`: of the channel.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_UTF8, BAD_VALUE (unknown name, an entity that does not
/// exist, a channel that exists already), UNSUPPORTED (rods, net forces and moments of bodies,
/// forces of inner nodes).
int32_t pintle_add_moordyn_channel(pintle_system *sys, const char *name);

/// The number of channels.
///
/// - `sys`: the system.
/// - `n`: receives the number.
///
/// Phases: BUILDING (of the model so far), READY, TRIAL, FAILED. Errors: BAD_PHASE (FAILED without
/// a state), OUT_OF_MEMORY.
int32_t pintle_channel_count(const pintle_system *sys, int32_t *n);

/// The name of a channel. There is a fixed list of them from pintle_initialize on. Before, each
/// call makes the list of the model so far; channels of entities that are added later are inserted
/// between these. No two have the same name. `hull` stands for the name of an entity, or for
/// `body3` and the like where it has none; x for x, y and z:
///
/// - system: `time`, `energy.kinetic`, `energy.potential`
/// - body, of its reference point in I, and marker, of its origin in I: `hull.pos.x`, `hull.quat.w`
///   (w, x, y, z), `hull.roll`, `hull.pitch`, `hull.yaw` as in pintle_quat_to_euler_zyx,
///   `hull.vel.x`, `hull.omega.x`, `hull.acc.x`, `hull.alpha.x`
/// - prescribed body: `hull.reaction.fx` (fx, fy, fz, mx, my, mz) as in pintle_get_body_reaction,
///   in I
/// - joint with an angle: `yaw.angle`, `yaw.rate`, `yaw.acc`; with a displacement:
///   `rail.displacement`, `rail.rate`, `rail.acc`; both as in pintle_get_joint_coordinate; and the
///   `yaw.load` of pintle_set_joint_load at the time of the state
/// - joint that slides: `rail.slide`, `rail.slide_rate`, `rail.slide_acc` as in
///   pintle_get_joint_slide; CYLINDRICAL also the `rail.slide_load` of pintle_set_joint_slide_load
/// - every joint: `yaw.reaction.fx` (fx, fy, fz, mx, my, mz) as in pintle_get_joint_reaction: on
///   body b at its joint frame, in I
/// - spring: `line.length`, `line.tension`; bushing: `seat.deflection.x`, `seat.deflection.rx`,
///   `seat.wrench.fx`, `seat.wrench.mx`; cylinder: `leg.submerged`, `leg.buoyancy`, `leg.drag.fx`,
///   `leg.inertia.fx`; element of a beam: `root.section_a.fx`, `root.section_b.mz`;
///   contact: `fender.gap`, `fender.normal`, `fender.tangential.x`
/// - point: `buoy.pos.x`, `buoy.vel.x`, `buoy.acc.x`, `buoy.reaction.fx`; gear:
///   `first_gear.gear_load`
/// - mooring line: `chain.length`, `chain.length_rate`, `chain.tension_a`, `chain.force_a.x`, and
///   b; then of each segment and node, from end A on: `chain.tension.0`, `chain.node0.x`
/// - the platform of pintle_set_openfast_platform: `PtfmSurge`, `PtfmSway`, `PtfmHeave`,
///   `PtfmRoll`, `PtfmPitch`, `PtfmYaw`, `PtfmTVxi`, `PtfmRVxi`, `PtfmTAxi`, `PtfmRAxi`
/// - those of pintle_add_moordyn_channel, under the given names
///
/// Of entities of different kinds with the same name, the first in the order body, joint, spring,
/// bushing, cylinder, marker, point, gear, line keeps it; another gets its kind before it, as in
/// `joint:yaw.angle`, and so does a name that starts with `#` or with a kind and a colon: the body
/// `#1` has `body:#1.pos.x`. Names of entities are not changed and may contain blanks, commas and
/// dots: programs that write them to a file must quote them.
///
/// - `sys`: the system.
/// - `i`: which one, from 0.
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated text; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: BUILDING (of the model so far), READY, TRIAL, FAILED. Errors: BAD_PHASE (FAILED without
/// a state), BAD_VALUE (i), BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (text cut), OUT_OF_MEMORY.
int32_t pintle_channel_name(const pintle_system *sys, int32_t i, int32_t cap, char *buf, int32_t *len);

/// The unit of a channel: the symbol of its SI unit ("m", "rad", "N m", "-" for a number), which
/// means the host's unit of that dimension, because units are any consistent set. Only channels
/// under names of OpenFAST and MoorDyn have "deg".
///
/// - `sys`: the system.
/// - `i`: which one, from 0.
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated text; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: BUILDING (of the model so far), READY, TRIAL, FAILED. Errors: BAD_PHASE (FAILED without
/// a state), BAD_VALUE (i), BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (text cut), OUT_OF_MEMORY.
int32_t pintle_channel_unit(const pintle_system *sys, int32_t i, int32_t cap, char *buf, int32_t *len);

/// The values of all channels in one call, equal to the results of the functions of outputs.
///
/// - `sys`: the system.
/// - `n`: the number of channels.
/// - `values`: receives `[n]`, in the order of the names.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE (numbers too large for a
/// double), OUT_OF_MEMORY.
int32_t pintle_get_channels(const pintle_system *sys, int32_t n, double *values);

/// The body whose motion has channels under OpenFAST's names (pintle_set_openfast_platform).
///
/// - `sys`: the system.
/// - `body`: receives the id, PINTLE_GROUND for none.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: none beyond those of every function.
int32_t pintle_get_openfast_platform(const pintle_system *sys, int32_t *body);

/// The pose of a body.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `pose[7]`: receives x y z of the reference point in I, then qw qx qy qz.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID.
int32_t pintle_get_body_pose(const pintle_system *sys, int32_t body, double pose[7]);

/// The displacement of a body from its reference pose (the one that it was added with).
///
/// - `sys`: the system.
/// - `body`: id.
/// - `displacement[7]`: receives u in I, then the quaternion of the rotation away from the
///   reference.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_body_displacement(const pintle_system *sys, int32_t body, double displacement[7]);

/// The velocity of a body.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the result.
/// - `velocity[6]`: receives that of the reference point, then angular.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE
/// (frame), UNSTABLE (numbers too large for a double).
int32_t pintle_get_body_velocity(const pintle_system *sys, int32_t body, int32_t frame, double velocity[6]);

/// The acceleration of a body.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the result.
/// - `acceleration[6]`: receives that of the reference point, then angular.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame),
/// UNSTABLE (numbers too large for a double).
int32_t pintle_get_body_acceleration(const pintle_system *sys, int32_t body, int32_t frame, double acceleration[6]);

/// The poses of all bodies.
///
/// - `sys`: the system.
/// - `n`: the number of bodies.
/// - `poses`: receives `[n][7]`, each as for pintle_get_body_pose.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE
/// (numbers too large for a double).
int32_t pintle_get_body_poses(const pintle_system *sys, int32_t n, double *poses);

/// The velocities of all bodies, in I.
///
/// - `sys`: the system.
/// - `n`: the number of bodies.
/// - `velocities`: receives `[n][6]`, each of the reference point, then angular.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE
/// (numbers too large for a double).
int32_t pintle_get_body_velocities(const pintle_system *sys, int32_t n, double *velocities);

/// The accelerations of all bodies, in I.
///
/// - `sys`: the system.
/// - `n`: the number of bodies.
/// - `accelerations`: receives `[n][6]`, each of the reference point, then angular.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_body_accelerations(const pintle_system *sys, int32_t n, double *accelerations);

/// The pose of a marker.
///
/// - `sys`: the system.
/// - `marker`: id.
/// - `pose[7]`: receives x y z of the marker in I, then qw qx qy qz of its axes.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE
/// (numbers too large for a double).
int32_t pintle_get_marker_pose(const pintle_system *sys, int32_t marker, double pose[7]);

/// The velocity of a marker.
///
/// - `sys`: the system.
/// - `marker`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (axes of the marker's body): the axes of
///   the result.
/// - `velocity[6]`: receives that of the marker's point, then angular.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE
/// (frame), UNSTABLE (numbers too large for a double).
int32_t pintle_get_marker_velocity(const pintle_system *sys, int32_t marker, int32_t frame, double velocity[6]);

/// The acceleration of a marker.
///
/// - `sys`: the system.
/// - `marker`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (axes of the marker's body): the axes of
///   the result.
/// - `acceleration[6]`: receives that of the marker's point, then angular.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame),
/// UNSTABLE (numbers too large for a double).
int32_t pintle_get_marker_acceleration(const pintle_system *sys, int32_t marker, int32_t frame, double acceleration[6]);

/// The poses of all markers.
///
/// - `sys`: the system.
/// - `n`: the number of markers.
/// - `poses`: receives `[n][7]`, each as for pintle_get_marker_pose.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE
/// (numbers too large for a double).
int32_t pintle_get_marker_poses(const pintle_system *sys, int32_t n, double *poses);

/// The velocities of all markers, in I.
///
/// - `sys`: the system.
/// - `n`: the number of markers.
/// - `velocities`: receives `[n][6]`, each of the marker's point, then angular.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE
/// (numbers too large for a double).
int32_t pintle_get_marker_velocities(const pintle_system *sys, int32_t n, double *velocities);

/// The accelerations of all markers, in I.
///
/// - `sys`: the system.
/// - `n`: the number of markers.
/// - `accelerations`: receives `[n][6]`, each of the marker's point, then angular.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_marker_accelerations(const pintle_system *sys, int32_t n, double *accelerations);

/// The coordinate of a joint, b against a, zero at coincident joint frames unless
/// pintle_set_joint_offset was called.
///
/// - `sys`: the system.
/// - `joint`: id of a REVOLUTE, CYLINDRICAL or SCREW joint (angle about z, counted over any number
///   of turns), or of a PRISMATIC or POINT_ON_LINE one (displacement along z).
/// - `q`, `qd`, `qdd`: receive coordinate, rate and acceleration; each may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (a joint without coordinate),
/// UNSTABLE (numbers too large for a double).
int32_t pintle_get_joint_coordinate(const pintle_system *sys, int32_t joint, double *q, double *qd, double *qdd);

/// The displacement of the origin of b along z of a in a joint that slides; zero at coincident
/// joint frames.
///
/// - `sys`: the system.
/// - `joint`: id of a CYLINDRICAL, PRISMATIC, SCREW or POINT_ON_LINE joint. (Of PRISMATIC and
///   POINT_ON_LINE it is the coordinate without its offset.)
/// - `s`, `sd`, `sdd`: receive displacement, rate and acceleration; each may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (a joint that does not
/// slide), UNSTABLE (numbers too large for a double).
int32_t pintle_get_joint_slide(const pintle_system *sys, int32_t joint, double *s, double *sd, double *sdd);

/// The reaction in a joint: the wrench of its constraints, a drive's included, of body a on body b
/// at the origin of b's joint frame. Springs, dampers and loads on its coordinate are not part of
/// it.
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (axes of body b): the axes of the result.
/// - `wrench[6]`: receives force, moment.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame),
/// UNSTABLE (numbers too large for a double), OUT_OF_MEMORY.
int32_t pintle_get_joint_reaction(const pintle_system *sys, int32_t joint, int32_t frame, double wrench[6]);

/// The reaction in a joint on its other side: the wrench of body b on body a at the origin of a's
/// joint frame. It balances that of pintle_get_joint_reaction; the moments differ by the force
/// times the distance of the two origins.
///
/// - `sys`: the system.
/// - `joint`: id.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY (axes of body a; the ground's are
///   inertial): the axes of the result.
/// - `wrench[6]`: receives force, moment.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame),
/// UNSTABLE (numbers too large for a double), OUT_OF_MEMORY.
int32_t pintle_get_joint_reaction_on_a(const pintle_system *sys, int32_t joint, int32_t frame, double wrench[6]);

/// The reaction of a prescribed body: the wrench about its reference point that must be applied for
/// its imposed motion, in addition to gravity, joints, elements and loads.
///
/// - `sys`: the system.
/// - `body`: id of a prescribed body.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of the result.
/// - `wrench[6]`: receives force and moment.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, BAD_VALUE (frame; a body that is not
/// prescribed), UNSTABLE (numbers too large for a double).
int32_t pintle_get_body_reaction(const pintle_system *sys, int32_t body, int32_t frame, double wrench[6]);

/// The state of a spring.
///
/// - `sys`: the system.
/// - `spring`: id.
/// - `length`: receives the distance of its ends; may be NULL.
/// - `tension`: receives the force along it, positive where it pulls; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_ID, UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_spring_force(const pintle_system *sys, int32_t spring, double *length, double *tension);

/// Violation of the joints: largest absolute residual of all constraint equations.
///
/// - `sys`: the system.
/// - `position`: receives that of the constraints; may be NULL.
/// - `velocity`: receives that of their time derivatives; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, UNSTABLE (numbers too large for a double).
int32_t pintle_get_constraint_violation(const pintle_system *sys, double *position, double *velocity);

/// Names the constraints that follow from the others, as in closed loops: one line for each joint
/// that has some, for example `joint 3 "closing" (REVOLUTE, bodies 1 and 2): 3 of its 5 constraints
/// follow from the others: translation along inertial z, rotation about y, rotation about x` (axes
/// of frame a unless inertial). Empty text if there are none. They are found once, at the initial
/// poses, and left out: the motion is exact, and reactions are those of least norm. Of a loop,
/// those of joints created later are left out. (The norm adds squares of forces and of moments in
/// the units of the host: the self-stress of redundant joints is not determined, and the chosen one
/// depends on these units.)
///
/// - `sys`: the system.
/// - `cap`, `buf[cap]`: the buffer, which receives NUL-terminated text; 0 and NULL to ask for the
///   length only.
/// - `len`: receives the full length without the NUL; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (text
/// cut).
int32_t pintle_get_redundant_constraints(const pintle_system *sys, int32_t cap, char *buf, int32_t *len);

/// The mechanical energy: kinetic energy of bodies, points and lines, and of the added mass of
/// bodies and points, 1/2 v^T A v, so that the sum is conserved without dissipation, in still
/// water, below its surface (the added mass of lines, which turns with them, is left out);
/// potential energy of weight and buoyancy, springs, bushings, springs on joints, and of lines
/// and cylinders with the seabed under them. (pintle_get_momentum is without the fluid.)
///
/// - `sys`: the system.
/// - `kinetic`: receives the kinetic energy; may be NULL.
/// - `potential`: receives the potential energy; may be NULL.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, UNSTABLE (numbers too large for a double).
int32_t pintle_get_energy(const pintle_system *sys, double *kinetic, double *potential);

/// The momentum of all bodies, points and lines, without that of the fluid: the added mass is not
/// in it, though its kinetic energy is in pintle_get_energy. (The impulse A v of the fluid is not a
/// momentum in a balance: the pressure far away contributes to it. There is no such contribution to
/// the energy.)
///
/// - `sys`: the system.
/// - `about[3]`: the point of the angular momentum, in I.
/// - `momentum[6]`: receives linear, then angular momentum about that point, in I.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, NOT_FINITE, UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_momentum(const pintle_system *sys, const double about[3], double momentum[6]);

/// Saves the accepted state, and a pending trial, with everything that a step depends on: motion,
/// inputs, options, the scheme's history, and data from the start of the run. A system of the same
/// model that is restored from it, wherever it started, continues bit for bit as this one does
/// (load callbacks are the host's: they must return the same).
///
/// - `sys`: the system.
/// - `state`: the address of the state's handle. If that is NULL: a new state is made, which the
///   caller owns and frees with pintle_state_destroy. Otherwise that state is overwritten, without
///   allocation if it came from the same model.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, OUT_OF_MEMORY.
int32_t pintle_state_save(const pintle_system *sys, pintle_state **state);

/// Restores a saved state, and the phase in which it was saved: READY, or TRIAL with its trial. A
/// trial that is pending now is discarded.
///
/// - `sys`: a system with the same model as the one that the state was saved from.
/// - `state`: the state; it is not changed.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, FINGERPRINT (another model).
int32_t pintle_state_restore(pintle_system *sys, const pintle_state *state);

/// Frees a state and sets `*state` to NULL. Nothing happens if it is NULL already.
///
/// - `state`: the address of the state's handle.
///
/// Errors: BAD_HANDLE, BAD_PHASE (in use by another call).
int32_t pintle_state_destroy(pintle_state **state);

/// Writes a state as bytes: versioned and checksummed, the same on every machine of the same byte
/// order.
///
/// - `state`: the state.
/// - `cap`, `bytes[cap]`: the buffer; 0 and NULL to ask for the length only.
/// - `len`: receives the full length.
///
/// Errors: BAD_PHASE (in use by another call), BAD_SIZE (cap < 0), BUFFER_TOO_SMALL (0 < cap < full
/// length; only len is written).
int32_t pintle_state_serialize(const pintle_state *state, int64_t cap, uint8_t *bytes, int64_t *len);

/// Reads a state from bytes.
///
/// - `sys`: a system with the same model as the one that the state was saved from; it is only read.
/// - `len`, `bytes[len]`: the bytes of pintle_state_serialize.
/// - `state`: the address of the state's handle. If that is NULL: a new state is made, which the
///   caller owns. Otherwise that state is overwritten.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (len < 0), FORMAT (not a state, or
/// damaged), FINGERPRINT (another model), OUT_OF_MEMORY.
int32_t pintle_state_deserialize(const pintle_system *sys, int64_t len, const uint8_t *bytes, pintle_state **state);

/// Writes the state that pintle_state_save saves, including a pending trial, to a file, which is
/// replaced as a whole or not at all, however many threads and processes write it at once and
/// whenever they are killed. It is written in the same folder, under a name ".pintle-*.tmp" that
/// the next writer removes if this one is killed, and then renamed. Symbolic links are followed,
/// permissions kept; anything but a regular file (directory, device, FIFO) is refused.
///
/// - `sys`: the system.
/// - `path`: of the file.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_UTF8, BAD_VALUE (path names no file), IO.
int32_t pintle_write_checkpoint(const pintle_system *sys, const char *path);

/// Reads a file that pintle_write_checkpoint wrote and restores it as pintle_state_restore does.
///
/// - `sys`: a system with the same model as the one that wrote it.
/// - `path`: of the file.
///
/// Phases: READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_UTF8, IO (no regular file, or the system
/// refuses), FORMAT (not a state, or damaged, or of another version's format), FINGERPRINT (another
/// model).
int32_t pintle_read_checkpoint(pintle_system *sys, const char *path);

/// Quaternion to matrix.
///
/// - `q[4]`: qw qx qy qz, of unit norm.
/// - `dcm[9]`: receives column-major direction cosines, body to inertial: v_I = R v_B, R_ij at i +
///   3 j.
///
/// Errors: NOT_FINITE, BAD_VALUE (q not of unit norm within 1e-6).
int32_t pintle_quat_to_dcm(const double q[4], double dcm[9]);

/// Matrix to quaternion.
///
/// - `dcm[9]`: column-major direction cosines, body to inertial: v_I = R v_B, R_ij at i + 3 j.
/// - `q[4]`: receives qw qx qy qz of unit norm, qw >= 0.
///
/// Errors: NOT_FINITE, BAD_VALUE (not orthogonal within 1e-6, or a reflection).
int32_t pintle_quat_from_dcm(const double dcm[9], double q[4]);

/// Quaternion to rotation vector.
///
/// - `q[4]`: qw qx qy qz, of unit norm.
/// - `rotvec[3]`: receives axis times angle, angle in 0..pi rad.
///
/// Errors: NOT_FINITE, BAD_VALUE (q not of unit norm within 1e-6).
int32_t pintle_quat_to_rotvec(const double q[4], double rotvec[3]);

/// Rotation vector to quaternion.
///
/// - `rotvec[3]`: axis times angle, in rad, any angle.
/// - `q[4]`: receives qw qx qy qz of unit norm.
///
/// Errors: NOT_FINITE.
int32_t pintle_quat_from_rotvec(const double rotvec[3], double q[4]);

/// Quaternion to Euler angles: yaw about z, then pitch about the new y, then roll about the new x.
///
/// - `q[4]`: qw qx qy qz, of unit norm.
/// - `angles[3]`: receives roll, pitch, yaw in rad; pitch in -pi/2..pi/2, at its ends roll and yaw
///   are not unique.
///
/// Errors: NOT_FINITE, BAD_VALUE (q not of unit norm within 1e-6).
int32_t pintle_quat_to_euler_zyx(const double q[4], double angles[3]);

/// Euler angles to quaternion: yaw about z, then pitch about the new y, then roll about the new x.
///
/// - `angles[3]`: roll, pitch, yaw in rad.
/// - `q[4]`: receives qw qx qy qz of unit norm.
///
/// Errors: NOT_FINITE.
int32_t pintle_quat_from_euler_zyx(const double angles[3], double q[4]);

/// A frame from its origin and two of its axes, for pintle_add_joint, pintle_add_bushing and
/// pintle_add_marker.
///
/// - `origin[3]`: position of the frame.
/// - `z[3]`: its z axis, of any length but zero.
/// - `x[3]`: its x axis, of any length but zero; its component along z is removed. It may be NULL:
///   then any x axis is chosen.
/// - `frame[7]`: receives origin, then qw qx qy qz; in the axes in which the arguments are given.
///
/// Errors: NOT_FINITE, BAD_VALUE (z or x of length zero; x parallel to z within 1e-6).
int32_t pintle_frame_from_axes(const double origin[3], const double z[3], const double x[3], double frame[7]);

/// Moves the accepted state to a static equilibrium under the present loads at constant time, by
/// Newton's method with line search, and with artificial inertia where needed. Velocities become
/// zero, multipliers and accelerations those of the equilibrium; imposed motions stop at their
/// accepted positions, until others are given. The next step starts anew. Bodies without stiffness
/// and without force keep their positions. A state in equilibrium is kept, whether stable or not.
/// Lines have their shapes at rest, under the current, without friction and fluid callback; their
/// stick points are then at their nodes. Where lines have bending stiffness and no equilibrium is
/// found from the accepted state, one without bending stiffness is, and then the stiffness grows to
/// the whole. The search ends with NO_CONVERGENCE after `max_iterations`, or if a body or point has
/// moved by a million lengths of the model. That length is the longest arm from a body to one of
/// its joints, or to a force element (of its two ends the shorter), the largest distance of a
/// DISTANCE joint, or the size of a body by its moments of inertia, whichever is longest; in models
/// of points alone the distance between them.
///
/// - `sys`: the system.
/// - `max_iterations`: most Newton steps, > 0. Where lines have bending stiffness it bounds each of
///   up to three searches; while that stiffness grows there are at most a thousand more steps.
/// - `tolerance`: largest residual force that counts as zero, relative to the largest of weights,
///   initial reactions and the first residual force; between 0 and 1, such as 1e-9.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_VALUE, NOT_FINITE, NO_CONVERGENCE (the message names the
/// body or point that keeps moving, or the line without a shape at rest, and its node, and the part
/// of the bending stiffness up to which there is an equilibrium), SINGULAR, CALLBACK, UNSTABLE,
/// STOPPED, UNSUPPORTED (stops or contacts that close and open in turn); then nothing is changed.
int32_t pintle_solve_equilibrium(pintle_system *sys, int32_t max_iterations, double tolerance);

/// The coordinates of all bodies, as arguments of pintle_set_coordinates and
/// pintle_eval_accelerations. Velocities of a run by generalized-alpha, newmark or hht violate the
/// joints by the error of the scheme; pintle_set_coordinates accepts them with option "assemble" =
/// 1.
///
/// - `sys`: the system.
/// - `n`: the number of bodies.
/// - `poses`: receives `[n][7]`, x y z in I, then qw qx qy qz.
/// - `velocities`: receives `[n][6]`, linear, then angular, in I.
///
/// Phases: BUILDING (as described), READY, TRIAL, FAILED. Errors: BAD_PHASE, BAD_SIZE (n), UNSTABLE
/// (numbers too large for a double).
int32_t pintle_get_coordinates(const pintle_system *sys, int32_t n, double *poses, double *velocities);

/// Makes given coordinates the accepted state at constant time; accelerations and multipliers
/// follow from the present loads, and the next step starts anew. Entries of prescribed bodies are
/// not used: they keep their motion, and so do points, except attached ones, which move with their
/// bodies. Nodes of lines move in proportion to the ends; a line with an end that moves by more
/// than half a segment gets a new shape at rest between its ends.
///
/// - `sys`: the system.
/// - `n`: the number of bodies.
/// - `poses`: `[n][7]`, x y z in I, then qw qx qy qz of unit norm.
/// - `velocities`: `[n][6]`, linear, then angular, in I.
///
/// Phases: READY. Errors: BAD_PHASE, BAD_SIZE (n), NOT_FINITE, BAD_VALUE (quaternion),
/// INCONSISTENT_STATE (names the joint that is violated; with option "assemble" = 1 the coordinates
/// are projected instead), REDUNDANT_CONSTRAINTS (joints contradict each other), SINGULAR,
/// CALLBACK, NO_CONVERGENCE (a load callback that depends on accelerations; a line without a shape
/// at rest), UNSTABLE (numbers too large for a double), STOPPED; then nothing is changed.
int32_t pintle_set_coordinates(pintle_system *sys, int32_t n, const double *poses, const double *velocities);

/// The accelerations that bodies would have at given coordinates, under the present loads, at the
/// present time: `M vdot = f - g - B^T lambda`, `B vdot = -gamma`. Changes nothing. Prescribed
/// bodies and points keep their motion.
///
/// - `sys`: the system.
/// - `n`: the number of bodies.
/// - `poses`: `[n][7]`, x y z in I, then qw qx qy qz of unit norm.
/// - `velocities`: `[n][6]`, linear, then angular, in I.
/// - `accelerations`: receives `[n][6]`, linear, then angular, in I.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE (n), NOT_FINITE, BAD_VALUE (quaternion),
/// SINGULAR, CALLBACK, NO_CONVERGENCE (a load callback that depends on accelerations), UNSTABLE
/// (numbers too large for a double), STOPPED.
int32_t pintle_eval_accelerations(const pintle_system *sys,
                                  int32_t n,
                                  const double *poses,
                                  const double *velocities,
                                  double *accelerations);

/// Moves poses by increments: x + u, exp(theta) R, rotation vectors in I.
///
/// - `n`: how many.
/// - `poses`: `[n][7]`, x y z, then qw qx qy qz of unit norm.
/// - `increments`: `[n][6]`, u, then theta (rad), in I.
/// - `moved`: receives `[n][7]`; may be `poses`.
///
/// Errors: BAD_SIZE (n < 0), NOT_FINITE, BAD_VALUE (quaternion), UNSTABLE (numbers too large for a
/// double).
int32_t pintle_retract(int32_t n, const double *poses, const double *increments, double *moved);

/// The increments between poses, so that pintle_retract moves the first to the second; |theta| <=
/// pi.
///
/// - `n`: how many.
/// - `from`, `to`: `[n][7]`, x y z, then qw qx qy qz of unit norm.
/// - `increments`: receives `[n][6]`, u, then theta (rad), in I.
///
/// Errors: BAD_SIZE (n < 0), NOT_FINITE, BAD_VALUE (quaternion), UNSTABLE (numbers too large for a
/// double).
int32_t pintle_difference(int32_t n, const double *from, const double *to, double *increments);

/// The mass matrix in I, added mass and the mass of coupled load callbacks included: 6 x 6 blocks
/// of the bodies in the order of their ids, then 3 x 3 blocks of the points, then of the nodes of
/// lines. Rows and columns of bodies and points that are prescribed, and of points that are fixed
/// or attached to a body, are zero, and so are those of ends of lines that are tied.
///
/// - `sys`: the system.
/// - `n`: 6 times the number of bodies and 3 times the number of points and nodes of lines
///   (statistic "dofs").
/// - `mass`: receives `[n][n]`, column-major.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE (n), CALLBACK, UNSTABLE (numbers too large for
/// a double), STOPPED.
int32_t pintle_get_mass_matrix(const pintle_system *sys, int32_t n, double *mass);

/// The constraint Jacobian B: `B v` are the rates of the independent constraints for the velocities
/// v of all bodies (linear, then angular, in I) and then of all points, whose columns are zero.
///
/// - `sys`: the system.
/// - `m`: the number of independent constraints (statistic "constraints").
/// - `n`: 6 times the number of bodies and 3 times the number of points and nodes of lines
///   (statistic "dofs").
/// - `jacobian`: receives `[n][m]`, column-major.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE (m, n), UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_constraint_jacobian(const pintle_system *sys, int32_t m, int32_t n, double *jacobian);

/// Linearises about the present state, constraints eliminated: xdot = A x + B u, y = C x + D u for
/// deviations x, u, y from the motion through it. With f = mobility, the first f states are
/// independent displacements of bodies and points (translations, or rotation vectors, in I), the
/// others the changes of the same components of the velocities; pintle_get_state_name says which.
/// Inputs are wrenches in I, outputs motions of markers in I. The matrices are exact at moving
/// states too; eigenvalues of A are natural modes where it stays the same (an equilibrium, a steady
/// spin).
///
/// - `sys`: the system.
/// - `n_bodies`: how many bodies carry inputs.
/// - `bodies`: `[n_bodies]` ids of bodies whose loads (about the reference point) are inputs, 6
///   each.
/// - `n_loads`: how many markers carry inputs.
/// - `load_markers`: `[n_loads]` ids of markers whose loads are the inputs after these, 6 each.
/// - `n_sensors`: how many markers give outputs.
/// - `sensor_markers`: `[n_sensors]` ids of markers whose motions are outputs, 18 each:
///   displacement and rotation vector, velocity, acceleration.
/// - `n_states`: 2 x mobility (statistic "mobility").
/// - `a`: receives `[n_states][n_states]`, like the others column-major, each `[column][row]`.
/// - `b`: receives `[6*(n_bodies+n_loads)][n_states]`.
/// - `c`: receives `[n_states][18*n_sensors]`.
/// - `d`: receives `[6*(n_bodies+n_loads)][18*n_sensors]`.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE, BAD_ID, SINGULAR, CALLBACK, STOPPED,
/// NO_CONVERGENCE (a load callback that depends on accelerations), UNSUPPORTED (a disc that rolls),
/// UNSTABLE (numbers too large for a double).
int32_t pintle_linearize(const pintle_system *sys,
                         int32_t n_bodies,
                         const int32_t *bodies,
                         int32_t n_loads,
                         const int32_t *load_markers,
                         int32_t n_sensors,
                         const int32_t *sensor_markers,
                         int32_t n_states,
                         double *a,
                         double *b,
                         double *c,
                         double *d);

/// The meaning of a state of pintle_linearize at the present state of the system, such as
/// `body 0 "hull": rotation z`.
///
/// - `sys`: the system.
/// - `state`: index from 0.
/// - `cap`, `buf`, `len`: text out, see above.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_VALUE (state), BAD_SIZE (cap < 0),
/// BUFFER_TOO_SMALL, SINGULAR.
int32_t pintle_get_state_name(const pintle_system *sys, int32_t state, int32_t cap, char *buf, int32_t *len);

/// Natural modes exp(s t) of the present state: eigenvalues of the matrix of pintle_linearize with
/// Im s >= 0, slowest first. A pair of conjugate roots is one mode, a real root is one by itself;
/// each motion without stiffness is one of frequency 0. They are those of an equilibrium only where
/// the system is at rest in one: `motion` says how far from it the state is.
///
/// - `sys`: the system.
/// - `n`: room for modes: 2 x mobility (statistic "mobility").
/// - `count`: receives how many there are.
/// - `frequencies`: receives `[n]` undamped natural frequencies |s|/(2 pi), in Hz if time is in s;
///   0 past `count`.
/// - `damping_ratios`: receives `[n]` ratios -Re s/|s|; 1 for a real root that decays, -1 for one
///   that grows.
/// - `n_bodies`: the number of bodies.
/// - `shapes`: receives `[n][n_bodies][12]`: displacement and rotation of each body in I, real
///   parts, then imaginary parts; the largest component of a mode, those of points included (which
///   are not returned), is 1.
/// - `motion[2]`: receives the largest velocity and the largest acceleration of a body or a point
///   (rotations times the model's length): both 0 at an equilibrium.
///
/// Option "rotating_modes" 1: of a model that turns they are modes about steady turning, in axes
/// that turn along; `motion` is that in these axes, 0.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE (n, n_bodies), BAD_VALUE (option
/// "rotating_modes" where gravity, loads or supports do not turn with the model), SINGULAR,
/// CALLBACK, NO_CONVERGENCE, STOPPED, UNSUPPORTED (a disc that rolls), UNSTABLE (numbers too large
/// for a double).
int32_t pintle_get_modes(const pintle_system *sys,
                         int32_t n,
                         int32_t *count,
                         double *frequencies,
                         double *damping_ratios,
                         int32_t n_bodies,
                         double *shapes,
                         double motion[2]);

/// How the motions of markers at the end of a step answer to wrenches there: the interface Jacobian
/// of an implicit coupling, from the iteration matrix of the scheme. Where the added mass of a
/// fluid exceeds the body's, exchanging loads and motions diverges; a host that knows
/// d(motion)/d(load) corrects its loads by Newton's method and needs two or three exchanges.
///
/// In phase TRIAL the derivatives are those of the end of the step tried from the accepted state,
/// whose length `dt` must be; in READY those about the accepted state. They hold for steps that go
/// on: at the first step after a start or a discontinuity loads act on the start values too; where
/// the length of the step changes they are good to a hundredth.
///
/// - `sys`: the system.
/// - `n_markers`: how many markers, k.
/// - `markers`: `[n_markers]` ids.
/// - `dt`: time step, > 0, not above option "max_time_step"; in phase TRIAL that of the step tried
///   (of its last internal step, where it was made in several).
/// - `n`: size of `out`: 3 x 6k x 6k.
/// - `out`: receives `[n]`: three 6k x 6k matrices, each column-major: d(acceleration),
///   d(velocity), d(displacement and rotation vector) of the markers (rows) over their wrenches
///   (columns: force, moment about the marker), all in I.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE, BAD_ID, NOT_FINITE, BAD_VALUE (dt), SINGULAR,
/// CALLBACK, STOPPED, UNSUPPORTED (a scheme without iteration matrix: all but generalized-alpha,
/// momentum-alpha, newmark, hht, and these with "linear" = 1), UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_load_compliance(const pintle_system *sys,
                                   int32_t n_markers,
                                   const int32_t *markers,
                                   double dt,
                                   int32_t n,
                                   double *out);

/// As pintle_get_load_compliance, for the reference points of bodies in place of markers:
/// derivatives of their motions at the end of a step with respect to loads there
/// (pintle_set_body_load).
///
/// - `sys`: the system.
/// - `n`: how many bodies, k.
/// - `bodies`: `[n]` ids.
/// - `dt`: time step, > 0, not above option "max_time_step"; in phase TRIAL that of the step tried
///   (of its last internal step, where it was made in several).
/// - `m`: size of `out`: 3 x 6k x 6k.
/// - `out`: receives `[m]`: three 6k x 6k matrices, each column-major: d(acceleration),
///   d(velocity), d(displacement and rotation vector) of the reference points (rows) over the
///   wrenches (columns: force, moment about the reference point), all in I. Rows and columns of
///   prescribed bodies are zero.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE, BAD_ID, NOT_FINITE, BAD_VALUE (dt), SINGULAR,
/// CALLBACK, STOPPED, UNSUPPORTED (a scheme without iteration matrix: all but generalized-alpha,
/// momentum-alpha, newmark, hht, and these with "linear" = 1), UNSTABLE (numbers too large for a
/// double).
int32_t pintle_get_body_compliance(const pintle_system *sys,
                                   int32_t n,
                                   const int32_t *bodies,
                                   double dt,
                                   int32_t m,
                                   double *out);

/// As pintle_get_load_compliance, for the coordinates of joints in place of markers: derivatives of
/// these at the end of a step with respect to generalized forces on them (pintle_set_joint_load),
/// for a host that computes the torque of a generator, a brake or an actuator with the motion.
/// Those of a driven coordinate are zero.
///
/// - `sys`: the system.
/// - `n`: how many joints, k.
/// - `joints`: `[n]` ids of joints that have a coordinate (the angle, but for PRISMATIC and
///   POINT_ON_LINE).
/// - `dt`: time step, > 0, not above option "max_time_step"; in phase TRIAL that of the step tried
///   (of its last internal step, where it was made in several).
/// - `m`: size of `out`: 3 x k x k.
/// - `out`: receives `[m]`: three k x k matrices, each column-major: d(qdd), d(qd), d(q) of the
///   coordinates (rows) over the generalized forces (columns).
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE, BAD_ID, NOT_FINITE, BAD_VALUE (dt; a joint
/// without coordinate), SINGULAR, CALLBACK, STOPPED, UNSUPPORTED (a scheme without iteration
/// matrix, as for pintle_get_load_compliance), UNSTABLE (numbers too large for a double).
int32_t pintle_get_joint_compliance(const pintle_system *sys,
                                    int32_t n,
                                    const int32_t *joints,
                                    double dt,
                                    int32_t m,
                                    double *out);

/// pintle_linearize with loads on joints among the inputs: first the wrenches on bodies, then those
/// on markers, then the generalized forces on coordinates of joints, then the forces on slides. A
/// coordinate that is driven does not answer to a load on it: its columns are zero but for
/// rounding.
///
/// - `sys`: the system.
/// - `n_bodies`: how many bodies carry inputs.
/// - `bodies`: `[n_bodies]` ids of bodies whose loads (about the reference point) are inputs, 6
///   each.
/// - `n_loads`: how many markers carry inputs.
/// - `load_markers`: `[n_loads]` ids of markers whose loads are the inputs after these, 6 each.
/// - `n_joints`: how many joints carry inputs on their coordinates.
/// - `joints`: `[n_joints]` ids of joints that have a coordinate, whose loads
///   (pintle_set_joint_load) are the inputs after these, one each.
/// - `n_slides`: how many joints carry inputs on their slides.
/// - `slides`: `[n_slides]` ids of CYLINDRICAL joints, whose loads on the slide
///   (pintle_set_joint_slide_load) are the last inputs, one each.
/// - `n_sensors`: how many markers give outputs.
/// - `sensor_markers`: `[n_sensors]` ids of markers whose motions are outputs, 18 each:
///   displacement and rotation vector, velocity, acceleration.
/// - `n_states`: 2 x mobility (statistic "mobility").
/// - `a`: receives `[n_states][n_states]`, like the others column-major, each `[column][row]`.
/// - `b`: receives `[6*(n_bodies+n_loads)+n_joints+n_slides][n_states]`.
/// - `c`: receives `[n_states][18*n_sensors]`.
/// - `d`: receives `[6*(n_bodies+n_loads)+n_joints+n_slides][18*n_sensors]`.
///
/// Phases: READY, TRIAL. Errors: BAD_PHASE, BAD_SIZE, BAD_ID, BAD_VALUE (a joint without coordinate
/// or slide), SINGULAR, CALLBACK, STOPPED, NO_CONVERGENCE (a load callback that depends on
/// accelerations), UNSUPPORTED (a disc that rolls), UNSTABLE (numbers too large for a double).
int32_t pintle_linearize_inputs(const pintle_system *sys,
                                int32_t n_bodies,
                                const int32_t *bodies,
                                int32_t n_loads,
                                const int32_t *load_markers,
                                int32_t n_joints,
                                const int32_t *joints,
                                int32_t n_slides,
                                const int32_t *slides,
                                int32_t n_sensors,
                                const int32_t *sensor_markers,
                                int32_t n_states,
                                double *a,
                                double *b,
                                double *c,
                                double *d);

/// Returns the whole table, so that a host that loads the library at run time looks up one symbol only.
///
/// - `abi_version`: PINTLE_ABI of the header that the host was compiled with.
/// - `size`: sizeof(pintle_api) there. Functions that were added to the library later are not filled in.
/// - `out`: receives the table.
///
/// Errors: ABI_MISMATCH (other ABI, or the library is older than the header), BAD_SIZE.
int32_t pintle_get_api(int32_t abi_version, int64_t size, pintle_api *out);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* PINTLE_H */
