/*
 * The contract, written out: numbers, names, argument names and order as programs outside this repository rely
 * on them. Compiling this file proves that include/pintle.h agrees; tests/abi/header.rs compares the argument names too.
 * To change a line here is to break the ABI; scripts/generate adds what is new and leaves the rest alone.
 */
#include "pintle.h"

#define SAME(constant, number) _Static_assert((constant) == (number), #constant " is not " #number)

SAME(PINTLE_ABI, 1);
SAME(PINTLE_GROUND, -1);

SAME(PINTLE_OK, 0);
SAME(PINTLE_ERR_NULL_ARGUMENT, 200);
SAME(PINTLE_ERR_BAD_HANDLE, 201);
SAME(PINTLE_ERR_BAD_ID, 202);
SAME(PINTLE_ERR_BAD_SIZE, 203);
SAME(PINTLE_ERR_BAD_VALUE, 204);
SAME(PINTLE_ERR_NOT_FINITE, 205);
SAME(PINTLE_ERR_BAD_PHASE, 206);
SAME(PINTLE_ERR_BUFFER_TOO_SMALL, 207);
SAME(PINTLE_ERR_UNSUPPORTED, 208);
SAME(PINTLE_ERR_BAD_UTF8, 209);
SAME(PINTLE_ERR_ABI_MISMATCH, 210);
SAME(PINTLE_ERR_FORMAT, 211);
SAME(PINTLE_ERR_FINGERPRINT, 212);
SAME(PINTLE_ERR_NO_CONVERGENCE, 300);
SAME(PINTLE_ERR_SINGULAR, 301);
SAME(PINTLE_ERR_REDUNDANT_CONSTRAINTS, 302);
SAME(PINTLE_ERR_INCONSISTENT_STATE, 303);
SAME(PINTLE_ERR_CALLBACK, 304);
SAME(PINTLE_ERR_UNSTABLE, 305);
SAME(PINTLE_ERR_STOPPED, 306);
SAME(PINTLE_ERR_IO, 400);
SAME(PINTLE_ERR_OUT_OF_MEMORY, 401);
SAME(PINTLE_ERR_PANIC, 500);

SAME(PINTLE_PHASE_BUILDING, 0);
SAME(PINTLE_PHASE_READY, 1);
SAME(PINTLE_PHASE_TRIAL, 2);
SAME(PINTLE_PHASE_FAILED, 3);

SAME(PINTLE_FRAME_INERTIAL, 0);
SAME(PINTLE_FRAME_BODY, 1);

SAME(PINTLE_JOINT_FIXED, 0);
SAME(PINTLE_JOINT_SPHERICAL, 1);
SAME(PINTLE_JOINT_REVOLUTE, 2);
SAME(PINTLE_JOINT_PRISMATIC, 3);
SAME(PINTLE_JOINT_CYLINDRICAL, 4);
SAME(PINTLE_JOINT_UNIVERSAL, 5);
SAME(PINTLE_JOINT_PLANAR, 6);
SAME(PINTLE_JOINT_SCREW, 7);
SAME(PINTLE_JOINT_DISTANCE, 8);
SAME(PINTLE_JOINT_POINT_ON_LINE, 9);
SAME(PINTLE_JOINT_POINT_ON_PLANE, 10);
SAME(PINTLE_JOINT_ROLLING, 11);
SAME(PINTLE_STOP_SPRING, 0);
SAME(PINTLE_STOP_IMPULSE, 1);
SAME(PINTLE_STOP_RESTITUTION, 2);
SAME(PINTLE_EVENT_CLOSES, 0);
SAME(PINTLE_EVENT_OPENS, 1);
SAME(PINTLE_EVENT_HITS, 2);
SAME(PINTLE_EVENT_STICKS, 3);
SAME(PINTLE_EVENT_SLIPS, 4);
SAME(PINTLE_EVENT_BREAKS, 5);
SAME(PINTLE_CONTACT_PLANE, 0);
SAME(PINTLE_CONTACT_SPHERE, 1);
SAME(PINTLE_CONTACT_HOLLOW, 2);

/* The functions. */

const char *pintle_version(void);
int32_t pintle_abi_version(void);
const char *pintle_status_name(int32_t status);
int32_t pintle_error_message(const pintle_system *sys, int32_t cap, char *buf, int32_t *len);
int32_t pintle_status_severity(int32_t status);
int32_t pintle_suggest_time_step(double radius, double *dt);

int32_t pintle_create(pintle_system **out);
int32_t pintle_clone(const pintle_system *sys, pintle_system **out);
int32_t pintle_destroy(pintle_system **sys);
int32_t pintle_phase(const pintle_system *sys, int32_t *phase);
int32_t pintle_initialize(pintle_system *sys, double t0);

int32_t pintle_set_gravity(pintle_system *sys, const double gravity[3]);
int32_t pintle_add_body(pintle_system *sys, const double mass[36], const double pose[7], int32_t *body);
int32_t pintle_add_rigid_body(pintle_system *sys, double mass, const double com[3], const double inertia[6],
                              const double pose[7], int32_t *body);
int32_t pintle_set_body_velocity(pintle_system *sys, int32_t body, const double velocity[6]);
int32_t pintle_set_body_acceleration(pintle_system *sys, int32_t body, const double acceleration[6]);
int32_t pintle_add_joint(pintle_system *sys, int32_t kind, int32_t body_a, int32_t body_b,
                         const double frame_a[7], const double frame_b[7], int32_t *joint);
int32_t pintle_add_joint_at(pintle_system *sys, int32_t kind, int32_t body_a, int32_t body_b,
                            const double point[3], const double axis[3], int32_t *joint);
int32_t pintle_set_body_prescribed(pintle_system *sys, int32_t body, int32_t prescribed);
int32_t pintle_set_joint_driven(pintle_system *sys, int32_t joint, int32_t driven);
int32_t pintle_set_joint_spring(pintle_system *sys, int32_t joint, double stiffness, double damping, double rest);
int32_t pintle_set_joint_pitch(pintle_system *sys, int32_t joint, double pitch);
int32_t pintle_set_joint_radius(pintle_system *sys, int32_t joint, double radius);
int32_t pintle_add_spring(pintle_system *sys, int32_t body_a, const double point_a[3], int32_t body_b,
                          const double point_b[3], double stiffness, double damping, double rest_length,
                          int32_t tension_only, int32_t *spring);
int32_t pintle_add_bushing(pintle_system *sys, int32_t body_a, int32_t body_b, const double frame_a[7],
                           const double frame_b[7], const double stiffness[36], const double damping[36],
                           int32_t *bushing);
int32_t pintle_add_marker(pintle_system *sys, int32_t body, const double frame[7], int32_t *marker);
int32_t pintle_set_name(pintle_system *sys, const char *kind, int32_t id, const char *name);
int32_t pintle_find(const pintle_system *sys, const char *kind, const char *name, int32_t *id);
int32_t pintle_count(const pintle_system *sys, const char *kind, int32_t *count);
int32_t pintle_set_added_mass(pintle_system *sys, int32_t body, const double a[36], int32_t frame);
int32_t pintle_set_linear_damping(pintle_system *sys, int32_t body, const double c[36], int32_t frame);
int32_t pintle_set_quadratic_drag(pintle_system *sys, int32_t body, const double d[36], int32_t frame);

int32_t pintle_load_model(const char *path, pintle_system **out);
int32_t pintle_save_model(const pintle_system *sys, const char *path);

int32_t pintle_set_scheme(pintle_system *sys, const char *name);
int32_t pintle_get_scheme(const pintle_system *sys, int32_t cap, char *buf, int32_t *len);
int32_t pintle_set_option(pintle_system *sys, const char *key, double value);
int32_t pintle_get_option(const pintle_system *sys, const char *key, double *value);

int32_t pintle_clear_loads(pintle_system *sys);
int32_t pintle_set_body_load(pintle_system *sys, int32_t body, int32_t frame, const double wrench[6]);
int32_t pintle_set_body_loads(pintle_system *sys, int32_t frame, int32_t n, const double *wrenches);
int32_t pintle_set_marker_load(pintle_system *sys, int32_t marker, int32_t frame, const double wrench[6]);
int32_t pintle_set_marker_loads(pintle_system *sys, int32_t frame, int32_t n, const double *wrenches);
typedef int32_t (*pintle_load_fn)(void *user, double time, int32_t body, const double pose[7],
                                  const double velocity[6], const double acceleration[6], double wrench[6],
                                  double *stiffness36, double *damping36);
int32_t pintle_set_joint_load(pintle_system *sys, int32_t joint, double generalized_force);
int32_t pintle_set_joint_motion(pintle_system *sys, int32_t joint, double q, double qd, double qdd);
int32_t pintle_set_body_motion(pintle_system *sys, int32_t body, const double pose[7], const double velocity[6],
                               const double acceleration[6]);
int32_t pintle_set_load_callback(pintle_system *sys, int32_t body, pintle_load_fn fn, void *user);
int32_t pintle_mark_discontinuity(pintle_system *sys);

int32_t pintle_step(pintle_system *sys, double dt);
int32_t pintle_advance(pintle_system *sys, double dt);
int32_t pintle_accept(pintle_system *sys);
int32_t pintle_reject(pintle_system *sys);
int32_t pintle_time(const pintle_system *sys, double *time);
int32_t pintle_get_statistic(const pintle_system *sys, const char *key, double *value);
int32_t pintle_get_warning(const pintle_system *sys, int32_t cap, char *buf, int32_t *len);

int32_t pintle_get_body_pose(const pintle_system *sys, int32_t body, double pose[7]);
int32_t pintle_get_body_displacement(const pintle_system *sys, int32_t body, double displacement[7]);
int32_t pintle_get_body_velocity(const pintle_system *sys, int32_t body, int32_t frame, double velocity[6]);
int32_t pintle_get_body_acceleration(const pintle_system *sys, int32_t body, int32_t frame, double acceleration[6]);
int32_t pintle_get_body_poses(const pintle_system *sys, int32_t n, double *poses);
int32_t pintle_get_body_velocities(const pintle_system *sys, int32_t n, double *velocities);
int32_t pintle_get_body_accelerations(const pintle_system *sys, int32_t n, double *accelerations);
int32_t pintle_get_marker_pose(const pintle_system *sys, int32_t marker, double pose[7]);
int32_t pintle_get_marker_velocity(const pintle_system *sys, int32_t marker, int32_t frame, double velocity[6]);
int32_t pintle_get_marker_acceleration(const pintle_system *sys, int32_t marker, int32_t frame, double acceleration[6]);
int32_t pintle_get_marker_poses(const pintle_system *sys, int32_t n, double *poses);
int32_t pintle_get_marker_velocities(const pintle_system *sys, int32_t n, double *velocities);
int32_t pintle_get_marker_accelerations(const pintle_system *sys, int32_t n, double *accelerations);
int32_t pintle_get_joint_coordinate(const pintle_system *sys, int32_t joint, double *q, double *qd, double *qdd);
int32_t pintle_get_joint_reaction(const pintle_system *sys, int32_t joint, int32_t frame, double wrench[6]);
int32_t pintle_get_joint_reaction_on_a(const pintle_system *sys, int32_t joint, int32_t frame, double wrench[6]);
int32_t pintle_get_body_reaction(const pintle_system *sys, int32_t body, int32_t frame, double wrench[6]);
int32_t pintle_get_spring_force(const pintle_system *sys, int32_t spring, double *length, double *tension);
int32_t pintle_get_constraint_violation(const pintle_system *sys, double *position, double *velocity);
int32_t pintle_get_redundant_constraints(const pintle_system *sys, int32_t cap, char *buf, int32_t *len);
int32_t pintle_get_energy(const pintle_system *sys, double *kinetic, double *potential);
int32_t pintle_get_momentum(const pintle_system *sys, const double about[3], double momentum[6]);

int32_t pintle_state_save(const pintle_system *sys, pintle_state **state);
int32_t pintle_state_restore(pintle_system *sys, const pintle_state *state);
int32_t pintle_state_destroy(pintle_state **state);
int32_t pintle_state_serialize(const pintle_state *state, int64_t cap, uint8_t *bytes, int64_t *len);
int32_t pintle_state_deserialize(const pintle_system *sys, int64_t len, const uint8_t *bytes, pintle_state **state);
int32_t pintle_write_checkpoint(const pintle_system *sys, const char *path);
int32_t pintle_read_checkpoint(pintle_system *sys, const char *path);

int32_t pintle_quat_to_dcm(const double q[4], double dcm[9]);
int32_t pintle_quat_from_dcm(const double dcm[9], double q[4]);
int32_t pintle_quat_to_rotvec(const double q[4], double rotvec[3]);
int32_t pintle_quat_from_rotvec(const double rotvec[3], double q[4]);
int32_t pintle_quat_to_euler_zyx(const double q[4], double angles[3]);
int32_t pintle_quat_from_euler_zyx(const double angles[3], double q[4]);

int32_t pintle_solve_equilibrium(pintle_system *sys, int32_t max_iterations, double tolerance);
int32_t pintle_get_coordinates(const pintle_system *sys, int32_t n, double *poses, double *velocities);
int32_t pintle_set_coordinates(pintle_system *sys, int32_t n, const double *poses, const double *velocities);
int32_t pintle_eval_accelerations(const pintle_system *sys, int32_t n, const double *poses, const double *velocities,
                                  double *accelerations);
int32_t pintle_retract(int32_t n, const double *poses, const double *increments, double *moved);
int32_t pintle_difference(int32_t n, const double *from, const double *to, double *increments);
int32_t pintle_get_mass_matrix(const pintle_system *sys, int32_t n, double *mass);
int32_t pintle_get_constraint_jacobian(const pintle_system *sys, int32_t m, int32_t n, double *jacobian);
int32_t pintle_linearize(const pintle_system *sys, int32_t n_bodies, const int32_t *bodies, int32_t n_loads,
                         const int32_t *load_markers, int32_t n_sensors, const int32_t *sensor_markers,
                         int32_t n_states, double *a, double *b, double *c, double *d);
int32_t pintle_get_state_name(const pintle_system *sys, int32_t state, int32_t cap, char *buf, int32_t *len);
int32_t pintle_get_modes(const pintle_system *sys, int32_t n, int32_t *count, double *frequencies,
                         double *damping_ratios, int32_t n_bodies, double *shapes, double motion[2]);
int32_t pintle_get_load_compliance(const pintle_system *sys, int32_t n_markers, const int32_t *markers, double dt,
                                   int32_t n, double *out);

int32_t pintle_get_api(int32_t abi_version, int64_t size, pintle_api *out);
typedef int32_t (*pintle_progress_fn)(void *user, double time, double fraction);
typedef int32_t (*pintle_coupled_load_fn)(void *user, double time, int32_t n, const int32_t *bodies,
                                          const double *poses, const double *velocities, const double *accelerations,
                                          double *wrenches, double *stiffness, double *damping, double *mass);
int32_t pintle_set_body_velocity_in(pintle_system *sys, int32_t body, int32_t frame, const double velocity[6]);
int32_t pintle_set_joint_offset(pintle_system *sys, int32_t joint, double q0);
int32_t pintle_set_joint_slide_driven(pintle_system *sys, int32_t joint, int32_t driven);
int32_t pintle_set_joint_slide_spring(pintle_system *sys, int32_t joint, double stiffness, double damping, double rest);
int32_t pintle_set_joint_slide_load(pintle_system *sys, int32_t joint, double force);
int32_t pintle_set_joint_slide_motion(pintle_system *sys, int32_t joint, double s, double sd, double sdd);
int32_t pintle_set_coupled_load_callback(pintle_system *sys, int32_t n, const int32_t *bodies,
                                         pintle_coupled_load_fn fn, void *user, int32_t *callback);
int32_t pintle_set_progress_callback(pintle_system *sys, pintle_progress_fn fn, void *user);
int32_t pintle_get_joint_slide(const pintle_system *sys, int32_t joint, double *s, double *sd, double *sdd);
int32_t pintle_frame_from_axes(const double origin[3], const double z[3], const double x[3], double frame[7]);
int32_t pintle_set_spring_table(pintle_system *sys, int32_t spring, int32_t n, const double *lengths,
                                const double *forces);
int32_t pintle_get_spring_table(const pintle_system *sys, int32_t spring, int32_t cap, double *lengths, double *forces,
                                int32_t *n);
int32_t pintle_add_point(pintle_system *sys, double mass, double volume, const double position[3], int32_t *point);
int32_t pintle_fix_point(pintle_system *sys, int32_t point);
int32_t pintle_attach_point(pintle_system *sys, int32_t point, int32_t body, const double position[3]);
int32_t pintle_set_point_prescribed(pintle_system *sys, int32_t point, int32_t prescribed);
int32_t pintle_set_point_velocity(pintle_system *sys, int32_t point, const double velocity[3]);
int32_t pintle_set_point_motion(pintle_system *sys, int32_t point, const double position[3], const double velocity[3],
                                const double acceleration[3]);
int32_t pintle_set_point_load(pintle_system *sys, int32_t point, const double force[3]);
int32_t pintle_get_point_load(const pintle_system *sys, int32_t point, double force[3]);
int32_t pintle_add_point_spring(pintle_system *sys, int32_t point_a, int32_t point_b, double stiffness, double damping,
                                double rest_length, int32_t tension_only, int32_t *spring);
int32_t pintle_get_point_position(const pintle_system *sys, int32_t point, double position[3]);
int32_t pintle_get_point_velocity(const pintle_system *sys, int32_t point, double velocity[3]);
int32_t pintle_get_point_acceleration(const pintle_system *sys, int32_t point, double acceleration[3]);
int32_t pintle_get_point_positions(const pintle_system *sys, int32_t n, double *positions);
int32_t pintle_get_point_velocities(const pintle_system *sys, int32_t n, double *velocities);
int32_t pintle_get_point_accelerations(const pintle_system *sys, int32_t n, double *accelerations);
int32_t pintle_get_point_reaction(const pintle_system *sys, int32_t point, double force[3]);
int32_t pintle_get_point_info(const pintle_system *sys, int32_t point, double *mass, double *volume, int32_t *body,
                              double position[3], int32_t *fixed, int32_t *prescribed);
int32_t pintle_get_spring_points(const pintle_system *sys, int32_t spring, int32_t *point_a, int32_t *point_b);
int32_t pintle_get_name(const pintle_system *sys, const char *kind, int32_t id, int32_t cap, char *buf, int32_t *len);
int32_t pintle_get_gravity(const pintle_system *sys, double gravity[3]);
int32_t pintle_get_body_mass(const pintle_system *sys, int32_t body, double mass[36]);
int32_t pintle_get_body_initial_motion(const pintle_system *sys, int32_t body, double pose[7], double velocity[6],
                                       double acceleration[6]);
int32_t pintle_get_body_prescribed(const pintle_system *sys, int32_t body, int32_t *prescribed);
int32_t pintle_get_added_mass(const pintle_system *sys, int32_t body, double a[36], int32_t *frame);
int32_t pintle_get_linear_damping(const pintle_system *sys, int32_t body, double c[36], int32_t *frame);
int32_t pintle_get_quadratic_drag(const pintle_system *sys, int32_t body, double d[36], int32_t *frame);
int32_t pintle_get_joint_info(const pintle_system *sys, int32_t joint, int32_t *kind, int32_t *body_a, int32_t *body_b,
                              double frame_a[7], double frame_b[7], int32_t *driven);
int32_t pintle_get_joint_driven(const pintle_system *sys, int32_t joint, int32_t *driven);
int32_t pintle_get_joint_slide_driven(const pintle_system *sys, int32_t joint, int32_t *driven);
int32_t pintle_get_joint_spring(const pintle_system *sys, int32_t joint, double *stiffness, double *damping,
                                double *rest);
int32_t pintle_get_joint_slide_spring(const pintle_system *sys, int32_t joint, double *stiffness, double *damping,
                                      double *rest);
int32_t pintle_get_joint_offset(const pintle_system *sys, int32_t joint, double *q0);
int32_t pintle_get_joint_pitch(const pintle_system *sys, int32_t joint, double *pitch);
int32_t pintle_get_joint_radius(const pintle_system *sys, int32_t joint, double *radius);
int32_t pintle_get_joint_distance(const pintle_system *sys, int32_t joint, double *distance);
int32_t pintle_get_spring_info(const pintle_system *sys, int32_t spring, int32_t *body_a, double point_a[3],
                               int32_t *body_b, double point_b[3], double *stiffness, double *damping,
                               double *rest_length, int32_t *tension_only);
int32_t pintle_get_bushing_info(const pintle_system *sys, int32_t bushing, int32_t *body_a, int32_t *body_b,
                                double frame_a[7], double frame_b[7], double stiffness[36], double damping[36]);
int32_t pintle_get_marker_info(const pintle_system *sys, int32_t marker, int32_t *body, double frame[7]);
int32_t pintle_get_body_load(const pintle_system *sys, int32_t body, int32_t frame, double wrench[6]);
int32_t pintle_get_body_loads(const pintle_system *sys, int32_t frame, int32_t n, double *wrenches);
int32_t pintle_get_marker_load(const pintle_system *sys, int32_t marker, int32_t frame, double wrench[6]);
int32_t pintle_get_marker_loads(const pintle_system *sys, int32_t frame, int32_t n, double *wrenches);
int32_t pintle_get_joint_load(const pintle_system *sys, int32_t joint, double *generalized_force);
int32_t pintle_get_joint_slide_load(const pintle_system *sys, int32_t joint, double *force);
int32_t pintle_get_joint_motion_input(const pintle_system *sys, int32_t joint, double *q, double *qd, double *qdd);
int32_t pintle_get_joint_slide_motion_input(const pintle_system *sys, int32_t joint, double *s, double *sd,
                                            double *sdd);
int32_t pintle_get_body_motion_input(const pintle_system *sys, int32_t body, double pose[7], double velocity[6],
                                     double acceleration[6]);
int32_t pintle_get_load_callback(const pintle_system *sys, int32_t body, int32_t *is_set);
int32_t pintle_get_coupled_load_callback(const pintle_system *sys, int32_t callback, int32_t *n_bodies,
                                         int32_t *is_set);
int32_t pintle_get_coupled_load_body(const pintle_system *sys, int32_t callback, int32_t k, int32_t *body);
int32_t pintle_get_progress_callback(const pintle_system *sys, int32_t *is_set);
int32_t pintle_set_openfast_platform(pintle_system *sys, int32_t body);
int32_t pintle_channel_count(const pintle_system *sys, int32_t *n);
int32_t pintle_channel_name(const pintle_system *sys, int32_t i, int32_t cap, char *buf, int32_t *len);
int32_t pintle_channel_unit(const pintle_system *sys, int32_t i, int32_t cap, char *buf, int32_t *len);
int32_t pintle_get_channels(const pintle_system *sys, int32_t n, double *values);
int32_t pintle_get_body_compliance(const pintle_system *sys, int32_t n, const int32_t *bodies, double dt, int32_t m,
                                   double *out);
int32_t pintle_get_joint_compliance(const pintle_system *sys, int32_t n, const int32_t *joints, double dt, int32_t m,
                                    double *out);
int32_t pintle_linearize_inputs(const pintle_system *sys, int32_t n_bodies, const int32_t *bodies, int32_t n_loads,
                                const int32_t *load_markers, int32_t n_joints, const int32_t *joints, int32_t n_slides,
                                const int32_t *slides, int32_t n_sensors, const int32_t *sensor_markers,
                                int32_t n_states, double *a, double *b, double *c, double *d);
int32_t pintle_add_gear(pintle_system *sys, int32_t joint_a, int32_t joint_b, double ratio, int32_t *gear);
int32_t pintle_get_gear_info(const pintle_system *sys, int32_t gear, int32_t *joint_a, int32_t *joint_b, double *ratio);
int32_t pintle_get_gear_load(const pintle_system *sys, int32_t gear, double *torque);
int32_t pintle_get_point_motion_input(const pintle_system *sys, int32_t point, double position[3], double velocity[3],
                                      double acceleration[3]);
int32_t pintle_get_openfast_platform(const pintle_system *sys, int32_t *body);
typedef int32_t (*pintle_fluid_fn)(void *user, double time, int32_t n, const double *positions, double *velocities,
                                   double *accelerations, double *elevations);
int32_t pintle_add_line_type(pintle_system *sys, double diameter, double mass_per_length, double ea, double ba,
                             double ei, double cdn, double can, double cdt, double cat, int32_t *type);
int32_t pintle_set_line_type_table(pintle_system *sys, int32_t type, const char *what, int32_t n, const double *x,
                                   const double *y);
int32_t pintle_get_line_type_table(const pintle_system *sys, int32_t type, const char *what, int32_t cap, double *x,
                                   double *y, int32_t *n);
int32_t pintle_get_line_type_info(const pintle_system *sys, int32_t type, double *diameter, double *mass_per_length,
                                  double *ea, double *ba, double *ei, double *cdn, double *can, double *cdt,
                                  double *cat);
int32_t pintle_set_point_drag(pintle_system *sys, int32_t point, double cda, double ca);
int32_t pintle_get_point_drag(const pintle_system *sys, int32_t point, double *cda, double *ca);
int32_t pintle_add_line(pintle_system *sys, int32_t type, int32_t point_a, int32_t point_b, double length,
                        int32_t segments, int32_t *line);
int32_t pintle_get_line_info(const pintle_system *sys, int32_t line, int32_t *type, int32_t *point_a, int32_t *point_b,
                             double *length, int32_t *segments);
int32_t pintle_set_line_length(pintle_system *sys, int32_t line, double length, double rate);
int32_t pintle_get_line_length(const pintle_system *sys, int32_t line, double *length, double *rate);
int32_t pintle_get_line_length_input(const pintle_system *sys, int32_t line, double *length, double *rate);
int32_t pintle_release_line(pintle_system *sys, int32_t line, int32_t end);
int32_t pintle_get_line_released(const pintle_system *sys, int32_t line, int32_t *end_a, int32_t *end_b);
int32_t pintle_get_line_positions(const pintle_system *sys, int32_t line, int32_t n, double *positions);
int32_t pintle_get_line_velocities(const pintle_system *sys, int32_t line, int32_t n, double *velocities);
int32_t pintle_get_line_accelerations(const pintle_system *sys, int32_t line, int32_t n, double *accelerations);
int32_t pintle_get_line_tensions(const pintle_system *sys, int32_t line, int32_t n, double *tensions);
int32_t pintle_get_line_end_force(const pintle_system *sys, int32_t line, int32_t end, double force[3]);
int32_t pintle_get_line_end_tensions(const pintle_system *sys, int32_t n, double *tensions);
int32_t pintle_get_line_end_forces(const pintle_system *sys, int32_t n, double *forces);
int32_t pintle_set_environment(pintle_system *sys, const char *key, double value);
int32_t pintle_get_environment(const pintle_system *sys, const char *key, double *value);
int32_t pintle_set_current(pintle_system *sys, int32_t n, const double *depths, const double *velocities);
int32_t pintle_get_current(const pintle_system *sys, int32_t cap, double *depths, double *velocities, int32_t *n);
int32_t pintle_set_fluid_callback(pintle_system *sys, pintle_fluid_fn fn, void *user, int32_t implicit);
int32_t pintle_get_fluid_callback(const pintle_system *sys, int32_t *is_set, int32_t *implicit);
int32_t pintle_load_moordyn(const char *path, pintle_system **out);
int32_t pintle_add_moordyn_channel(pintle_system *sys, const char *name);
int32_t pintle_get_point_initial_motion(const pintle_system *sys, int32_t point, double position[3],
                                        double velocity[3]);
int32_t pintle_get_discontinuity(const pintle_system *sys, int32_t *is_marked);
int32_t pintle_load_trusted_moordyn(const char *path, pintle_system **out);
int32_t pintle_add_cylinder(pintle_system *sys, int32_t body, const double end_a[3], const double end_b[3],
                            double diameter, int32_t segments, double cd, double ca, double cd_end, double ca_end,
                            int32_t *cylinder);
int32_t pintle_get_cylinder_info(const pintle_system *sys, int32_t cylinder, int32_t *body, double end_a[3],
                                 double end_b[3], double *diameter, int32_t *segments, double coefficients[4]);
int32_t pintle_get_cylinder_loads(const pintle_system *sys, int32_t cylinder, double *submerged, double buoyancy[6],
                                  double drag[6], double inertia[6]);
int32_t pintle_set_waves(pintle_system *sys, int32_t n, const double *amplitudes, const double *frequencies,
                         const double *headings, const double *phases);
int32_t pintle_set_irregular_waves(pintle_system *sys, double height, double period, double peak_factor, double heading,
                                   double spreading, int32_t seed, int32_t components);
int32_t pintle_set_wave_spectrum(pintle_system *sys, int32_t n, const double *frequencies, const double *densities,
                                 double heading, double spreading, int32_t seed, int32_t components);
int32_t pintle_set_wave_record(pintle_system *sys, int32_t n, double start, double step, const double *elevations,
                               double heading, double max_frequency);
int32_t pintle_get_waves(const pintle_system *sys, int32_t cap, double *amplitudes, double *frequencies,
                         double *headings, double *phases, int32_t *n);
int32_t pintle_get_water_motion(const pintle_system *sys, int32_t n, const double *positions, double *velocities,
                                double *accelerations, double *elevations);
int32_t pintle_set_line_failure(pintle_system *sys, int32_t n, const int32_t *lines, const int32_t *ends, double time,
                                double tension, int32_t point);
int32_t pintle_get_line_failure(const pintle_system *sys, int32_t line, int32_t end, double *time, double *tension,
                                int32_t *point);
int32_t pintle_add_beam(pintle_system *sys, const double damping[6], int32_t *beam);
int32_t pintle_add_beam_station(pintle_system *sys, int32_t beam, double s, const double pose[7],
                                const double stiffness[36], const double mass[36]);
int32_t pintle_add_uniform_beam(pintle_system *sys, const double point_a[3], const double point_b[3],
                                const double axis[3], const double stiffness[6], const double mass[4],
                                const double damping[6], int32_t *beam);
int32_t pintle_set_beam_lumped(pintle_system *sys, int32_t beam, int32_t lumped);
int32_t pintle_attach_beam(pintle_system *sys, int32_t beam, int32_t node, int32_t body);
int32_t pintle_add_beam_node(pintle_system *sys, int32_t beam, double s);
int32_t pintle_mesh_beam(pintle_system *sys, int32_t beam, int32_t n_elements);
int32_t pintle_beam_body(const pintle_system *sys, int32_t beam, int32_t node, int32_t *body);
int32_t pintle_get_beam_info(const pintle_system *sys, int32_t beam, double damping[6], int32_t *lumped,
                             int32_t *n_stations, int32_t *n_elements, int32_t *first_element);
int32_t pintle_get_beam_station(const pintle_system *sys, int32_t beam, int32_t station, double *s, double pose[7],
                                double stiffness[36], double mass[36]);
int32_t pintle_get_beam_motion(const pintle_system *sys, int32_t beam, double s, double pose[7], double velocity[6]);
int32_t pintle_set_line_stiffness(pintle_system *sys, int32_t line, double ea);
int32_t pintle_get_line_stiffness(const pintle_system *sys, int32_t line, double *ea);
int32_t pintle_get_line_node_loads(const pintle_system *sys, int32_t line, const char *what, int32_t n, double *out);
int32_t pintle_add_beam_load(pintle_system *sys, int32_t beam, double s, const double offset[3], int32_t distributed,
                             int32_t *place);
int32_t pintle_set_beam_load(pintle_system *sys, int32_t beam, int32_t place, int32_t frame, const double wrench[6]);
int32_t pintle_beam_load_count(const pintle_system *sys, int32_t beam, int32_t *count);
int32_t pintle_get_beam_load(const pintle_system *sys, int32_t beam, int32_t place, double *s, double offset[3],
                             int32_t *distributed, int32_t *frame, double wrench[6]);
int32_t pintle_get_beam_load_motion(const pintle_system *sys, int32_t beam, int32_t place, double pose[7],
                                    double velocity[6]);
int32_t pintle_get_beam_section_load(const pintle_system *sys, int32_t beam, double s, int32_t frame, double wrench[6]);
int32_t pintle_get_beam_strains(const pintle_system *sys, int32_t beam, double s, double strains[6]);
int32_t pintle_set_joint_stop(pintle_system *sys, int32_t joint, int32_t slide, double lower, double upper, int32_t law,
                              double stiffness, double damping, double restitution);
int32_t pintle_get_joint_stop(const pintle_system *sys, int32_t joint, int32_t slide, double *lower, double *upper,
                              int32_t *law, double *stiffness, double *damping, double *restitution);
int32_t pintle_set_joint_friction(pintle_system *sys, int32_t joint, int32_t slide, double kinetic, double holding,
                                  double viscous, double quadratic, double slip);
int32_t pintle_set_joint_friction_load(pintle_system *sys, int32_t joint, int32_t slide, double axial, double radial,
                                       double bending, double static_ratio);
int32_t pintle_get_joint_friction_load(const pintle_system *sys, int32_t joint, int32_t slide, double *axial,
                                       double *radial, double *bending, double *static_ratio);
int32_t pintle_get_joint_friction(const pintle_system *sys, int32_t joint, int32_t slide, double *kinetic,
                                  double *holding, double *viscous, double *quadratic, double *slip);
int32_t pintle_set_joint_brake(pintle_system *sys, int32_t joint, int32_t slide, double capacity);
int32_t pintle_get_joint_brake(const pintle_system *sys, int32_t joint, int32_t slide, double *capacity);
int32_t pintle_get_joint_machine(const pintle_system *sys, int32_t joint, int32_t slide, int32_t *mode,
                                 double *friction, double *stop_force, double *limit, double *dissipated);
int32_t pintle_event_count(const pintle_system *sys, int32_t *n);
int32_t pintle_get_event(const pintle_system *sys, int32_t i, double *time, int32_t *change, int32_t *joint,
                         int32_t *slide, double *impulse);
int32_t pintle_advance_to(pintle_system *sys, double t, int32_t stop_at_events, double *reached);
int32_t pintle_add_joint_damper_point(pintle_system *sys, int32_t joint, int32_t slide, double rate, double force);
int32_t pintle_joint_damper_point_count(const pintle_system *sys, int32_t joint, int32_t slide, int32_t *n);
int32_t pintle_get_joint_damper_point(const pintle_system *sys, int32_t joint, int32_t slide, int32_t point,
                                      double *rate, double *force);
int32_t pintle_get_joint_damper_force(const pintle_system *sys, int32_t joint, int32_t slide, double *force);
int32_t pintle_add_contact_plane(pintle_system *sys, int32_t body_a, const double frame_a[7], int32_t body_b,
                                 const double centre_b[3], double radius_b, int32_t *contact);
int32_t pintle_add_contact_spheres(pintle_system *sys, int32_t body_a, const double centre_a[3], double radius_a,
                                   int32_t body_b, const double centre_b[3], double radius_b, int32_t inside,
                                   int32_t *contact);
int32_t pintle_set_contact_law(pintle_system *sys, int32_t contact, int32_t law, double stiffness, double exponent,
                               double damping, double restitution, double kinetic, double holding, double slip);
int32_t pintle_get_contact_law(const pintle_system *sys, int32_t contact, int32_t *law, double *stiffness,
                               double *exponent, double *damping, double *restitution, double *kinetic, double *holding,
                               double *slip);
int32_t pintle_get_contact_info(const pintle_system *sys, int32_t contact, int32_t *surface, int32_t *body_a,
                                double frame_a[7], double *radius_a, int32_t *body_b, double centre_b[3],
                                double *radius_b);
int32_t pintle_get_contact(const pintle_system *sys, int32_t contact, int32_t *mode, double *gap, double *normal,
                           double tangential[3], double point[3]);
int32_t pintle_get_event_contact(const pintle_system *sys, int32_t i, int32_t *contact);
int32_t pintle_set_spring(pintle_system *sys, int32_t spring, double stiffness, double damping, double rest_length);
int32_t pintle_set_body_mass(pintle_system *sys, int32_t body, double mass, const double com[3],
                             const double inertia[6]);
int32_t pintle_set_seabed_grid(pintle_system *sys, int32_t n, const double *points);
int32_t pintle_get_seabed_grid(const pintle_system *sys, int32_t cap, double *points, int32_t *n);
int32_t pintle_set_current_grid(pintle_system *sys, int32_t n, const double *points);
int32_t pintle_get_current_grid(const pintle_system *sys, int32_t cap, double *points, int32_t *n);
int32_t pintle_add_joint_spring_point(pintle_system *sys, int32_t joint, int32_t slide, double coordinate,
                                      double force);
int32_t pintle_joint_spring_point_count(const pintle_system *sys, int32_t joint, int32_t slide, int32_t *n);
int32_t pintle_get_joint_spring_point(const pintle_system *sys, int32_t joint, int32_t slide, int32_t point,
                                      double *coordinate, double *force);
int32_t pintle_get_joint_spring_force(const pintle_system *sys, int32_t joint, int32_t slide, double *force);
int32_t pintle_clamp_line(pintle_system *sys, int32_t line, int32_t end, int32_t body, const double axis[3]);
int32_t pintle_get_line_clamp(const pintle_system *sys, int32_t line, int32_t end, int32_t *clamped, int32_t *body,
                              double axis[3]);
int32_t pintle_join_lines(pintle_system *sys, int32_t line_a, int32_t end_a, int32_t line_b, int32_t end_b);
int32_t pintle_get_line_joint(const pintle_system *sys, int32_t line, int32_t end, int32_t *other_line,
                              int32_t *other_end);
int32_t pintle_get_line_end_moment(const pintle_system *sys, int32_t line, int32_t end, double moment[3]);
int32_t pintle_set_line_pressure(pintle_system *sys, int32_t line, int32_t n, const double *pressure);
int32_t pintle_get_line_pressure(const pintle_system *sys, int32_t line, int32_t n, double *pressure);
int32_t pintle_set_line_type_viscoelastic(pintle_system *sys, int32_t type, double ea_dynamic, double ea_slope,
                                          double ba_dynamic);
int32_t pintle_get_line_type_viscoelastic(const pintle_system *sys, int32_t type, double *ea_dynamic, double *ea_slope,
                                          double *ba_dynamic);
int32_t pintle_set_line_slow_strains(pintle_system *sys, int32_t line, int32_t n, const double *strains);
int32_t pintle_get_line_slow_strains(const pintle_system *sys, int32_t line, int32_t n, double *strains);
int32_t pintle_set_line_coordinates(pintle_system *sys, int32_t line, int32_t n, const double *positions,
                                    const double *velocities);
int32_t pintle_set_point_coordinates(pintle_system *sys, int32_t point, const double position[3],
                                     const double velocity[3]);
int32_t pintle_add_coupling(pintle_system *sys, int32_t n, const int32_t *joints, const double *coefficients,
                            int32_t *gear);
int32_t pintle_get_coupling(const pintle_system *sys, int32_t gear, int32_t part, int32_t *n, int32_t *joint,
                            double *coefficient);
int32_t pintle_set_body_in_water(pintle_system *sys, int32_t body, int32_t in_water, double volume,
                                 const double centre[3]);
int32_t pintle_get_body_in_water(const pintle_system *sys, int32_t body, int32_t *in_water, double *volume,
                                 double centre[3]);
int32_t pintle_set_line_type_syrope(pintle_system *sys, int32_t type, int32_t curve, double k1, double k2,
                                    double ea_dynamic, double ea_slope, double ba_dynamic);
int32_t pintle_get_line_type_syrope(const pintle_system *sys, int32_t type, int32_t *curve, double *k1, double *k2);
int32_t pintle_set_line_largest_tensions(pintle_system *sys, int32_t line, int32_t n, const double *tensions);
int32_t pintle_get_line_largest_tensions(const pintle_system *sys, int32_t line, int32_t n, double *tensions);
int32_t pintle_set_joint_strength(pintle_system *sys, int32_t joint, double force, double moment);
int32_t pintle_get_joint_strength(const pintle_system *sys, int32_t joint, double *force, double *moment);
int32_t pintle_break_joint(pintle_system *sys, int32_t joint);
int32_t pintle_get_joint_broken(const pintle_system *sys, int32_t joint, int32_t *broken);
int32_t pintle_add_tendon(pintle_system *sys, int32_t n, const int32_t *bodies, const double *points,
                          double stiffness_ea, double damping, double rest_length, int32_t *tendon);
int32_t pintle_get_tendon_info(const pintle_system *sys, int32_t tendon, int32_t *n, double *stiffness_ea,
                               double *damping, double *rest_length);
int32_t pintle_get_tendon_point(const pintle_system *sys, int32_t tendon, int32_t point, int32_t *body,
                                double position[3]);
int32_t pintle_set_tendon_length(pintle_system *sys, int32_t tendon, double length, double rate);
int32_t pintle_get_tendon_length(const pintle_system *sys, int32_t tendon, double *length, double *rate);
int32_t pintle_get_tendon_length_input(const pintle_system *sys, int32_t tendon, double *length, double *rate);
int32_t pintle_get_tendon_force(const pintle_system *sys, int32_t tendon, double *length, double *tension);
int32_t pintle_add_shape(pintle_system *sys, int32_t body, const char *kind, int32_t n, const double *numbers,
                         const char *file, const char *name, const char *colour, int32_t *shape);
int32_t pintle_shape_count(const pintle_system *sys, int32_t *n);
int32_t pintle_get_shape_info(const pintle_system *sys, int32_t shape, int32_t *body, int32_t *n, double numbers[10]);
int32_t pintle_get_shape_text(const pintle_system *sys, int32_t shape, const char *what, int32_t cap, char *buf,
                              int32_t *len);
int32_t pintle_get_spring_mean_tension(const pintle_system *sys, int32_t spring, double *tension);
int32_t pintle_get_line_mean_tensions(const pintle_system *sys, int32_t n, double *tensions);
int32_t pintle_add_clutch(pintle_system *sys, int32_t joint_a, int32_t slide_a, int32_t joint_b, int32_t slide_b,
                          double ratio, double capacity_back, double capacity_forth, double static_ratio, double slip,
                          int32_t *clutch);
int32_t pintle_set_clutch_capacity(pintle_system *sys, int32_t clutch, double capacity_back, double capacity_forth);
int32_t pintle_get_clutch_capacity(const pintle_system *sys, int32_t clutch, double *capacity_back,
                                   double *capacity_forth);
int32_t pintle_set_clutch_stop(pintle_system *sys, int32_t clutch, double lower, double upper, int32_t law,
                               double stiffness, double damping, double restitution);
int32_t pintle_get_clutch_stop(const pintle_system *sys, int32_t clutch, double *lower, double *upper, int32_t *law,
                               double *stiffness, double *damping, double *restitution);
int32_t pintle_get_clutch_info(const pintle_system *sys, int32_t clutch, int32_t *joint_a, int32_t *slide_a,
                               int32_t *joint_b, int32_t *slide_b, double *ratio, double *static_ratio, double *slip);
int32_t pintle_get_clutch(const pintle_system *sys, int32_t clutch, int32_t *mode, double *torque, double *slip_rate,
                          double *limit_back, double *limit_forth, double *dissipated);
int32_t pintle_get_event_clutch(const pintle_system *sys, int32_t i, int32_t *clutch);
int32_t pintle_set_bushing_table(pintle_system *sys, int32_t bushing, int32_t axis, int32_t n,
                                 const double *deflections, const double *forces);
int32_t pintle_get_bushing_table(const pintle_system *sys, int32_t bushing, int32_t axis, int32_t cap,
                                 double *deflections, double *forces, int32_t *n);
int32_t pintle_set_bushing_preload(pintle_system *sys, int32_t bushing, const double *preload);
int32_t pintle_get_bushing_preload(const pintle_system *sys, int32_t bushing, double *preload);
int32_t pintle_set_tendon_sheave(pintle_system *sys, int32_t tendon, int32_t point, double radius, const double axis[3],
                                 double wrap);
int32_t pintle_get_tendon_sheave(const pintle_system *sys, int32_t tendon, int32_t point, double *radius,
                                 double axis[3], double *wrap);
int32_t pintle_get_tendon_wrap(const pintle_system *sys, int32_t tendon, int32_t point, double *wrap);
int32_t pintle_set_joint_table(pintle_system *sys, int32_t joint, int32_t slide, const char *what, int32_t n,
                               const double *x, const double *y);
int32_t pintle_set_tendon_friction(pintle_system *sys, int32_t tendon, int32_t point, double coefficient);
int32_t pintle_get_tendon_friction(const pintle_system *sys, int32_t tendon, int32_t point, double *coefficient);
int32_t pintle_get_tendon_slip(const pintle_system *sys, int32_t tendon, int32_t point, double *before, double *after,
                               double *limit, int32_t *slips, double *dissipated);
int32_t pintle_set_contact_resistance(pintle_system *sys, int32_t contact, double rolling, double spinning);
int32_t pintle_get_contact_resistance(const pintle_system *sys, int32_t contact, double *rolling, double *spinning);
int32_t pintle_get_contact_moment(const pintle_system *sys, int32_t contact, int32_t *rolling_mode,
                                  int32_t *spinning_mode, double moment[3]);
