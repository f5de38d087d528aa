//! The whole C API as one table: for hosts that load the library at run time and look up a single symbol.
//!
//! Members are named as the functions, without `pintle_`. The table only grows at its end: an older host gets the part
//! that it knows. `scripts/generate` writes this file from `generator/hand_written/api_table.rs` and the entries.

use std::ffi::{c_char, c_void};

use super::boundary::{pintle_state, pintle_system, table_output, without_system};
use super::inputs::pintle_coupled_load_fn;
use super::inputs::pintle_load_fn;
use super::stepping::pintle_progress_fn;
use super::{analysis, inputs, library, life_cycle, model, model_file, outputs, rotation, settings, state, stepping};
use crate::Error;

/// All functions of this header but pintle_get_api, named without "pintle_": `api.step(sys, dt)` is pintle_step.
#[repr(C)]
#[derive(Clone, Copy)]
#[allow(missing_docs)] // each member is the function of that name
pub struct pintle_api {
    /// sizeof(pintle_api) of the library: at least what the host asked for.
    pub size: i64,
    /// PINTLE_ABI of the library.
    pub abi: i32,
    /// 0.
    pub reserved: i32,
    pub version: extern "C" fn() -> *const c_char,
    pub abi_version: extern "C" fn() -> i32,
    pub status_name: extern "C" fn(status: i32) -> *const c_char,
    pub error_message:
        unsafe extern "C" fn(sys: *const pintle_system, cap: i32, buf: *mut c_char, len: *mut i32) -> i32,
    pub status_severity: extern "C" fn(status: i32) -> i32,
    pub create: unsafe extern "C" fn(out: *mut *mut pintle_system) -> i32,
    pub clone: unsafe extern "C" fn(sys: *const pintle_system, out: *mut *mut pintle_system) -> i32,
    pub destroy: unsafe extern "C" fn(sys: *mut *mut pintle_system) -> i32,
    pub phase: unsafe extern "C" fn(sys: *const pintle_system, phase: *mut i32) -> i32,
    pub initialize: unsafe extern "C" fn(sys: *mut pintle_system, t0: f64) -> i32,
    pub set_gravity: unsafe extern "C" fn(sys: *mut pintle_system, gravity: *const f64) -> i32,
    pub add_body:
        unsafe extern "C" fn(sys: *mut pintle_system, mass: *const f64, pose: *const f64, body: *mut i32) -> i32,
    pub add_rigid_body: unsafe extern "C" fn(
        sys: *mut pintle_system,
        mass: f64,
        com: *const f64,
        inertia: *const f64,
        pose: *const f64,
        body: *mut i32,
    ) -> i32,
    pub set_body_velocity: unsafe extern "C" fn(sys: *mut pintle_system, body: i32, velocity: *const f64) -> i32,
    pub set_body_acceleration:
        unsafe extern "C" fn(sys: *mut pintle_system, body: i32, acceleration: *const f64) -> i32,
    pub add_joint: unsafe extern "C" fn(
        sys: *mut pintle_system,
        kind: i32,
        body_a: i32,
        body_b: i32,
        frame_a: *const f64,
        frame_b: *const f64,
        joint: *mut i32,
    ) -> i32,
    pub add_joint_at: unsafe extern "C" fn(
        sys: *mut pintle_system,
        kind: i32,
        body_a: i32,
        body_b: i32,
        point: *const f64,
        axis: *const f64,
        joint: *mut i32,
    ) -> i32,
    pub add_spring: unsafe extern "C" fn(
        sys: *mut pintle_system,
        body_a: i32,
        point_a: *const f64,
        body_b: i32,
        point_b: *const f64,
        stiffness: f64,
        damping: f64,
        rest_length: f64,
        tension_only: i32,
        spring: *mut i32,
    ) -> i32,
    pub add_bushing: unsafe extern "C" fn(
        sys: *mut pintle_system,
        body_a: i32,
        body_b: i32,
        frame_a: *const f64,
        frame_b: *const f64,
        stiffness: *const f64,
        damping: *const f64,
        bushing: *mut i32,
    ) -> i32,
    pub add_marker:
        unsafe extern "C" fn(sys: *mut pintle_system, body: i32, frame: *const f64, marker: *mut i32) -> i32,
    pub set_name:
        unsafe extern "C" fn(sys: *mut pintle_system, kind: *const c_char, id: i32, name: *const c_char) -> i32,
    pub find:
        unsafe extern "C" fn(sys: *const pintle_system, kind: *const c_char, name: *const c_char, id: *mut i32) -> i32,
    pub count: unsafe extern "C" fn(sys: *const pintle_system, kind: *const c_char, count: *mut i32) -> i32,
    pub set_added_mass: unsafe extern "C" fn(sys: *mut pintle_system, body: i32, a: *const f64, frame: i32) -> i32,
    pub set_linear_damping: unsafe extern "C" fn(sys: *mut pintle_system, body: i32, c: *const f64, frame: i32) -> i32,
    pub set_quadratic_drag: unsafe extern "C" fn(sys: *mut pintle_system, body: i32, d: *const f64, frame: i32) -> i32,
    pub set_scheme: unsafe extern "C" fn(sys: *mut pintle_system, name: *const c_char) -> i32,
    pub get_scheme: unsafe extern "C" fn(sys: *const pintle_system, cap: i32, buf: *mut c_char, len: *mut i32) -> i32,
    pub set_option: unsafe extern "C" fn(sys: *mut pintle_system, key: *const c_char, value: f64) -> i32,
    pub get_option: unsafe extern "C" fn(sys: *const pintle_system, key: *const c_char, value: *mut f64) -> i32,
    pub clear_loads: unsafe extern "C" fn(sys: *mut pintle_system) -> i32,
    pub set_body_load: unsafe extern "C" fn(sys: *mut pintle_system, body: i32, frame: i32, wrench: *const f64) -> i32,
    pub set_body_loads: unsafe extern "C" fn(sys: *mut pintle_system, frame: i32, n: i32, wrenches: *const f64) -> i32,
    pub set_marker_load:
        unsafe extern "C" fn(sys: *mut pintle_system, marker: i32, frame: i32, wrench: *const f64) -> i32,
    pub set_marker_loads:
        unsafe extern "C" fn(sys: *mut pintle_system, frame: i32, n: i32, wrenches: *const f64) -> i32,
    pub set_load_callback:
        unsafe extern "C" fn(sys: *mut pintle_system, body: i32, r#fn: pintle_load_fn, user: *mut c_void) -> i32,
    pub mark_discontinuity: unsafe extern "C" fn(sys: *mut pintle_system) -> i32,
    pub step: unsafe extern "C" fn(sys: *mut pintle_system, dt: f64) -> i32,
    pub advance: unsafe extern "C" fn(sys: *mut pintle_system, dt: f64) -> i32,
    pub accept: unsafe extern "C" fn(sys: *mut pintle_system) -> i32,
    pub reject: unsafe extern "C" fn(sys: *mut pintle_system) -> i32,
    pub time: unsafe extern "C" fn(sys: *const pintle_system, time: *mut f64) -> i32,
    pub get_statistic: unsafe extern "C" fn(sys: *const pintle_system, key: *const c_char, value: *mut f64) -> i32,
    pub get_body_pose: unsafe extern "C" fn(sys: *const pintle_system, body: i32, pose: *mut f64) -> i32,
    pub get_body_displacement:
        unsafe extern "C" fn(sys: *const pintle_system, body: i32, displacement: *mut f64) -> i32,
    pub get_body_velocity:
        unsafe extern "C" fn(sys: *const pintle_system, body: i32, frame: i32, velocity: *mut f64) -> i32,
    pub get_body_acceleration:
        unsafe extern "C" fn(sys: *const pintle_system, body: i32, frame: i32, acceleration: *mut f64) -> i32,
    pub get_body_poses: unsafe extern "C" fn(sys: *const pintle_system, n: i32, poses: *mut f64) -> i32,
    pub get_body_velocities: unsafe extern "C" fn(sys: *const pintle_system, n: i32, velocities: *mut f64) -> i32,
    pub get_body_accelerations: unsafe extern "C" fn(sys: *const pintle_system, n: i32, accelerations: *mut f64) -> i32,
    pub get_marker_pose: unsafe extern "C" fn(sys: *const pintle_system, marker: i32, pose: *mut f64) -> i32,
    pub get_marker_velocity:
        unsafe extern "C" fn(sys: *const pintle_system, marker: i32, frame: i32, velocity: *mut f64) -> i32,
    pub get_marker_acceleration:
        unsafe extern "C" fn(sys: *const pintle_system, marker: i32, frame: i32, acceleration: *mut f64) -> i32,
    pub get_marker_poses: unsafe extern "C" fn(sys: *const pintle_system, n: i32, poses: *mut f64) -> i32,
    pub get_marker_velocities: unsafe extern "C" fn(sys: *const pintle_system, n: i32, velocities: *mut f64) -> i32,
    pub get_marker_accelerations:
        unsafe extern "C" fn(sys: *const pintle_system, n: i32, accelerations: *mut f64) -> i32,
    pub get_joint_reaction:
        unsafe extern "C" fn(sys: *const pintle_system, joint: i32, frame: i32, wrench: *mut f64) -> i32,
    pub get_spring_force:
        unsafe extern "C" fn(sys: *const pintle_system, spring: i32, length: *mut f64, tension: *mut f64) -> i32,
    pub get_constraint_violation:
        unsafe extern "C" fn(sys: *const pintle_system, position: *mut f64, velocity: *mut f64) -> i32,
    pub get_energy: unsafe extern "C" fn(sys: *const pintle_system, kinetic: *mut f64, potential: *mut f64) -> i32,
    pub get_momentum: unsafe extern "C" fn(sys: *const pintle_system, about: *const f64, momentum: *mut f64) -> i32,
    pub state_save: unsafe extern "C" fn(sys: *const pintle_system, state: *mut *mut pintle_state) -> i32,
    pub state_restore: unsafe extern "C" fn(sys: *mut pintle_system, state: *const pintle_state) -> i32,
    pub state_destroy: unsafe extern "C" fn(state: *mut *mut pintle_state) -> i32,
    pub state_serialize:
        unsafe extern "C" fn(state: *const pintle_state, cap: i64, bytes: *mut u8, len: *mut i64) -> i32,
    pub state_deserialize: unsafe extern "C" fn(
        sys: *const pintle_system,
        len: i64,
        bytes: *const u8,
        state: *mut *mut pintle_state,
    ) -> i32,
    pub write_checkpoint: unsafe extern "C" fn(sys: *const pintle_system, path: *const c_char) -> i32,
    pub read_checkpoint: unsafe extern "C" fn(sys: *mut pintle_system, path: *const c_char) -> i32,
    pub quat_to_dcm: unsafe extern "C" fn(q: *const f64, dcm: *mut f64) -> i32,
    pub quat_from_dcm: unsafe extern "C" fn(dcm: *const f64, q: *mut f64) -> i32,
    pub quat_to_rotvec: unsafe extern "C" fn(q: *const f64, rotvec: *mut f64) -> i32,
    pub quat_from_rotvec: unsafe extern "C" fn(rotvec: *const f64, q: *mut f64) -> i32,
    pub quat_to_euler_zyx: unsafe extern "C" fn(q: *const f64, angles: *mut f64) -> i32,
    pub quat_from_euler_zyx: unsafe extern "C" fn(angles: *const f64, q: *mut f64) -> i32,
    pub set_body_prescribed: unsafe extern "C" fn(sys: *mut pintle_system, body: i32, prescribed: i32) -> i32,
    pub set_joint_driven: unsafe extern "C" fn(sys: *mut pintle_system, joint: i32, driven: i32) -> i32,
    pub set_joint_spring:
        unsafe extern "C" fn(sys: *mut pintle_system, joint: i32, stiffness: f64, damping: f64, rest: f64) -> i32,
    pub set_joint_pitch: unsafe extern "C" fn(sys: *mut pintle_system, joint: i32, pitch: f64) -> i32,
    pub set_joint_load: unsafe extern "C" fn(sys: *mut pintle_system, joint: i32, generalized_force: f64) -> i32,
    pub set_joint_motion: unsafe extern "C" fn(sys: *mut pintle_system, joint: i32, q: f64, qd: f64, qdd: f64) -> i32,
    pub set_body_motion: unsafe extern "C" fn(
        sys: *mut pintle_system,
        body: i32,
        pose: *const f64,
        velocity: *const f64,
        acceleration: *const f64,
    ) -> i32,
    pub get_joint_coordinate:
        unsafe extern "C" fn(sys: *const pintle_system, joint: i32, q: *mut f64, qd: *mut f64, qdd: *mut f64) -> i32,
    pub get_body_reaction:
        unsafe extern "C" fn(sys: *const pintle_system, body: i32, frame: i32, wrench: *mut f64) -> i32,
    pub solve_equilibrium: unsafe extern "C" fn(sys: *mut pintle_system, max_iterations: i32, tolerance: f64) -> i32,
    pub get_coordinates:
        unsafe extern "C" fn(sys: *const pintle_system, n: i32, poses: *mut f64, velocities: *mut f64) -> i32,
    pub set_coordinates:
        unsafe extern "C" fn(sys: *mut pintle_system, n: i32, poses: *const f64, velocities: *const f64) -> i32,
    pub eval_accelerations: unsafe extern "C" fn(
        sys: *const pintle_system,
        n: i32,
        poses: *const f64,
        velocities: *const f64,
        accelerations: *mut f64,
    ) -> i32,
    pub retract: unsafe extern "C" fn(n: i32, poses: *const f64, increments: *const f64, moved: *mut f64) -> i32,
    pub difference: unsafe extern "C" fn(n: i32, from: *const f64, to: *const f64, increments: *mut f64) -> i32,
    pub get_mass_matrix: unsafe extern "C" fn(sys: *const pintle_system, n: i32, mass: *mut f64) -> i32,
    pub get_constraint_jacobian:
        unsafe extern "C" fn(sys: *const pintle_system, m: i32, n: i32, jacobian: *mut f64) -> i32,
    pub linearize: unsafe extern "C" fn(
        sys: *const pintle_system,
        n_bodies: i32,
        bodies: *const i32,
        n_loads: i32,
        load_markers: *const i32,
        n_sensors: i32,
        sensor_markers: *const i32,
        n_states: i32,
        a: *mut f64,
        b: *mut f64,
        c: *mut f64,
        d: *mut f64,
    ) -> i32,
    pub get_state_name:
        unsafe extern "C" fn(sys: *const pintle_system, state: i32, cap: i32, buf: *mut c_char, len: *mut i32) -> i32,
    pub get_modes: unsafe extern "C" fn(
        sys: *const pintle_system,
        n: i32,
        count: *mut i32,
        frequencies: *mut f64,
        damping_ratios: *mut f64,
        n_bodies: i32,
        shapes: *mut f64,
        motion: *mut f64,
    ) -> i32,
    pub get_load_compliance: unsafe extern "C" fn(
        sys: *const pintle_system,
        n_markers: i32,
        markers: *const i32,
        dt: f64,
        n: i32,
        out: *mut f64,
    ) -> i32,
    pub suggest_time_step: unsafe extern "C" fn(radius: f64, dt: *mut f64) -> i32,
    pub get_warning: unsafe extern "C" fn(sys: *const pintle_system, cap: i32, buf: *mut c_char, len: *mut i32) -> i32,
    pub load_model: unsafe extern "C" fn(path: *const c_char, out: *mut *mut pintle_system) -> i32,
    pub save_model: unsafe extern "C" fn(sys: *const pintle_system, path: *const c_char) -> i32,
    pub get_redundant_constraints:
        unsafe extern "C" fn(sys: *const pintle_system, cap: i32, buf: *mut c_char, len: *mut i32) -> i32,
    pub get_joint_reaction_on_a:
        unsafe extern "C" fn(sys: *const pintle_system, joint: i32, frame: i32, wrench: *mut f64) -> i32,
    pub set_body_velocity_in:
        unsafe extern "C" fn(sys: *mut pintle_system, body: i32, frame: i32, velocity: *const f64) -> i32,
    pub set_joint_offset: unsafe extern "C" fn(sys: *mut pintle_system, joint: i32, q0: f64) -> i32,
    pub set_joint_slide_driven: unsafe extern "C" fn(sys: *mut pintle_system, joint: i32, driven: i32) -> i32,
    pub set_joint_slide_spring:
        unsafe extern "C" fn(sys: *mut pintle_system, joint: i32, stiffness: f64, damping: f64, rest: f64) -> i32,
    pub set_joint_slide_load: unsafe extern "C" fn(sys: *mut pintle_system, joint: i32, force: f64) -> i32,
    pub set_joint_slide_motion:
        unsafe extern "C" fn(sys: *mut pintle_system, joint: i32, s: f64, sd: f64, sdd: f64) -> i32,
    pub set_coupled_load_callback: unsafe extern "C" fn(
        sys: *mut pintle_system,
        n: i32,
        bodies: *const i32,
        r#fn: pintle_coupled_load_fn,
        user: *mut c_void,
        callback: *mut i32,
    ) -> i32,
    pub set_progress_callback:
        unsafe extern "C" fn(sys: *mut pintle_system, r#fn: pintle_progress_fn, user: *mut c_void) -> i32,
    pub get_joint_slide:
        unsafe extern "C" fn(sys: *const pintle_system, joint: i32, s: *mut f64, sd: *mut f64, sdd: *mut f64) -> i32,
    pub frame_from_axes: unsafe extern "C" fn(origin: *const f64, z: *const f64, x: *const f64, frame: *mut f64) -> i32,
    pub add_gear:
        unsafe extern "C" fn(sys: *mut pintle_system, joint_a: i32, joint_b: i32, ratio: f64, gear: *mut i32) -> i32,
    pub get_gear_info: unsafe extern "C" fn(
        sys: *const pintle_system,
        gear: i32,
        joint_a: *mut i32,
        joint_b: *mut i32,
        ratio: *mut f64,
    ) -> i32,
    pub get_gear_load: unsafe extern "C" fn(sys: *const pintle_system, gear: i32, torque: *mut f64) -> i32,
}

/// What pintle_get_api hands over.
static TABLE: pintle_api = pintle_api {
    size: size_of::<pintle_api>() as i64,
    abi: library::PINTLE_ABI,
    reserved: 0,
    version: library::pintle_version,
    abi_version: library::pintle_abi_version,
    status_name: library::pintle_status_name,
    error_message: library::pintle_error_message,
    status_severity: library::pintle_status_severity,
    create: life_cycle::pintle_create,
    clone: life_cycle::pintle_clone,
    destroy: life_cycle::pintle_destroy,
    phase: life_cycle::pintle_phase,
    initialize: life_cycle::pintle_initialize,
    set_gravity: model::pintle_set_gravity,
    add_body: model::pintle_add_body,
    add_rigid_body: model::pintle_add_rigid_body,
    set_body_velocity: model::pintle_set_body_velocity,
    set_body_acceleration: model::pintle_set_body_acceleration,
    add_joint: model::pintle_add_joint,
    add_joint_at: model::pintle_add_joint_at,
    add_spring: model::pintle_add_spring,
    add_bushing: model::pintle_add_bushing,
    add_marker: model::pintle_add_marker,
    set_name: model::pintle_set_name,
    find: model::pintle_find,
    count: model::pintle_count,
    set_added_mass: model::pintle_set_added_mass,
    set_linear_damping: model::pintle_set_linear_damping,
    set_quadratic_drag: model::pintle_set_quadratic_drag,
    set_scheme: settings::pintle_set_scheme,
    get_scheme: settings::pintle_get_scheme,
    set_option: settings::pintle_set_option,
    get_option: settings::pintle_get_option,
    clear_loads: inputs::pintle_clear_loads,
    set_body_load: inputs::pintle_set_body_load,
    set_body_loads: inputs::pintle_set_body_loads,
    set_marker_load: inputs::pintle_set_marker_load,
    set_marker_loads: inputs::pintle_set_marker_loads,
    set_load_callback: inputs::pintle_set_load_callback,
    mark_discontinuity: inputs::pintle_mark_discontinuity,
    step: stepping::pintle_step,
    advance: stepping::pintle_advance,
    accept: stepping::pintle_accept,
    reject: stepping::pintle_reject,
    time: stepping::pintle_time,
    get_statistic: stepping::pintle_get_statistic,
    get_body_pose: outputs::pintle_get_body_pose,
    get_body_displacement: outputs::pintle_get_body_displacement,
    get_body_velocity: outputs::pintle_get_body_velocity,
    get_body_acceleration: outputs::pintle_get_body_acceleration,
    get_body_poses: outputs::pintle_get_body_poses,
    get_body_velocities: outputs::pintle_get_body_velocities,
    get_body_accelerations: outputs::pintle_get_body_accelerations,
    get_marker_pose: outputs::pintle_get_marker_pose,
    get_marker_velocity: outputs::pintle_get_marker_velocity,
    get_marker_acceleration: outputs::pintle_get_marker_acceleration,
    get_marker_poses: outputs::pintle_get_marker_poses,
    get_marker_velocities: outputs::pintle_get_marker_velocities,
    get_marker_accelerations: outputs::pintle_get_marker_accelerations,
    get_joint_reaction: outputs::pintle_get_joint_reaction,
    get_spring_force: outputs::pintle_get_spring_force,
    get_constraint_violation: outputs::pintle_get_constraint_violation,
    get_energy: outputs::pintle_get_energy,
    get_momentum: outputs::pintle_get_momentum,
    state_save: state::pintle_state_save,
    state_restore: state::pintle_state_restore,
    state_destroy: state::pintle_state_destroy,
    state_serialize: state::pintle_state_serialize,
    state_deserialize: state::pintle_state_deserialize,
    write_checkpoint: state::pintle_write_checkpoint,
    read_checkpoint: state::pintle_read_checkpoint,
    quat_to_dcm: rotation::pintle_quat_to_dcm,
    quat_from_dcm: rotation::pintle_quat_from_dcm,
    quat_to_rotvec: rotation::pintle_quat_to_rotvec,
    quat_from_rotvec: rotation::pintle_quat_from_rotvec,
    quat_to_euler_zyx: rotation::pintle_quat_to_euler_zyx,
    quat_from_euler_zyx: rotation::pintle_quat_from_euler_zyx,
    set_body_prescribed: model::pintle_set_body_prescribed,
    set_joint_driven: model::pintle_set_joint_driven,
    set_joint_spring: model::pintle_set_joint_spring,
    set_joint_pitch: model::pintle_set_joint_pitch,
    set_joint_load: inputs::pintle_set_joint_load,
    set_joint_motion: inputs::pintle_set_joint_motion,
    set_body_motion: inputs::pintle_set_body_motion,
    get_joint_coordinate: outputs::pintle_get_joint_coordinate,
    get_body_reaction: outputs::pintle_get_body_reaction,
    solve_equilibrium: analysis::pintle_solve_equilibrium,
    get_coordinates: analysis::pintle_get_coordinates,
    set_coordinates: analysis::pintle_set_coordinates,
    eval_accelerations: analysis::pintle_eval_accelerations,
    retract: analysis::pintle_retract,
    difference: analysis::pintle_difference,
    get_mass_matrix: analysis::pintle_get_mass_matrix,
    get_constraint_jacobian: analysis::pintle_get_constraint_jacobian,
    linearize: analysis::pintle_linearize,
    get_state_name: analysis::pintle_get_state_name,
    get_modes: analysis::pintle_get_modes,
    get_load_compliance: analysis::pintle_get_load_compliance,
    suggest_time_step: library::pintle_suggest_time_step,
    get_warning: stepping::pintle_get_warning,
    load_model: model_file::pintle_load_model,
    save_model: model_file::pintle_save_model,
    get_redundant_constraints: outputs::pintle_get_redundant_constraints,
    get_joint_reaction_on_a: outputs::pintle_get_joint_reaction_on_a,
    set_body_velocity_in: model::pintle_set_body_velocity_in,
    set_joint_offset: model::pintle_set_joint_offset,
    set_joint_slide_driven: model::pintle_set_joint_slide_driven,
    set_joint_slide_spring: model::pintle_set_joint_slide_spring,
    set_joint_slide_load: inputs::pintle_set_joint_slide_load,
    set_joint_slide_motion: inputs::pintle_set_joint_slide_motion,
    set_coupled_load_callback: inputs::pintle_set_coupled_load_callback,
    set_progress_callback: stepping::pintle_set_progress_callback,
    get_joint_slide: outputs::pintle_get_joint_slide,
    frame_from_axes: rotation::pintle_frame_from_axes,
    add_gear: model::pintle_add_gear,
    get_gear_info: model::pintle_get_gear_info,
    get_gear_load: outputs::pintle_get_gear_load,
};

/// Hands over the whole table, so that a host that loads the library at run time looks up one symbol.
///
/// - `abi_version`: PINTLE_ABI of the header that the host was compiled with.
/// - `size`: sizeof(pintle_api) there. Functions that were added to the library later are not filled in.
/// - `out`: receives the table.
///
/// Errors: ABI_MISMATCH (other ABI, or the library is older than the header), BAD_SIZE.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_api(abi_version: i32, size: i64, out: *mut pintle_api) -> i32 {
    without_system("pintle_get_api", || {
        if abi_version != library::PINTLE_ABI {
            let (given, own) = (abi_version.into(), library::PINTLE_ABI.into());
            return Err(Error::AbiMismatch { argument: "abi_version", given, own });
        }
        table_output(out, size, &TABLE)
    })
}
