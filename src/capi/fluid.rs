//! The fluid's matrices. Added mass, damping and drag of a body, about its reference point.

use super::boundary::{input, on, pintle_system, with_system_mut};
use crate::Frame;

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
/// cbindgen:ptrs-as-arrays=[[a;36]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_added_mass(sys: *mut pintle_system, body: i32, a: *const f64, frame: i32) -> i32 {
    with_system_mut(on("pintle_set_added_mass", "body", body), sys, |system| {
        let a = input::<36>("a", a)?;
        system.settings().set_added_mass(body, &a, Frame::from_code(frame)?)
    })
}

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
/// cbindgen:ptrs-as-arrays=[[c;36]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_linear_damping(
    sys: *mut pintle_system,
    body: i32,
    c: *const f64,
    frame: i32,
) -> i32 {
    with_system_mut(on("pintle_set_linear_damping", "body", body), sys, |system| {
        let c = input::<36>("c", c)?;
        system.settings().set_linear_damping(body, &c, Frame::from_code(frame)?)
    })
}

/// Sets the quadratic drag of a body, about its reference point; zero unless set. The wrench is w_i
/// = -sum_j d_ij v_j |v_j|, v the velocity. Set in TRIAL it belongs to the next pintle_advance; if
/// the trial is accepted, it keeps the value with which it was computed, and the new value acts
/// from the trial's end on. In both cases the scheme starts anew, as after
/// pintle_mark_discontinuity, unless the value is unchanged.
///
/// - `sys`: the system.
/// - `body`: id.
/// - `d[36]`: column-major: d_ij stands at i + 6 j.
/// - `frame`: PINTLE_FRAME_INERTIAL or PINTLE_FRAME_BODY: the axes of velocity, wrench and d.
///
/// Phases: BUILDING, READY, TRIAL. Errors: BAD_PHASE, BAD_ID, NOT_FINITE, BAD_VALUE (frame).
/// cbindgen:ptrs-as-arrays=[[d;36]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_quadratic_drag(
    sys: *mut pintle_system,
    body: i32,
    d: *const f64,
    frame: i32,
) -> i32 {
    with_system_mut(on("pintle_set_quadratic_drag", "body", body), sys, |system| {
        let d = input::<36>("d", d)?;
        system.settings().set_quadratic_drag(body, &d, Frame::from_code(frame)?)
    })
}
