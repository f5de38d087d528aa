//! The fluid's matrices. Added mass, damping and drag of a body, about its reference point, in
//! still or moving water.

use super::boundary::{flag, input, on, optional_output, pintle_system, with_system, with_system_mut};
use crate::elements::InWater;
use crate::{BodiesInWater, Frame};

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
/// cbindgen:ptrs-as-arrays=[[centre;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_body_in_water(
    sys: *mut pintle_system,
    body: i32,
    in_water: i32,
    volume: f64,
    centre: *const f64,
) -> i32 {
    with_system_mut(on("pintle_set_body_in_water", "body", body), sys, |system| {
        let (acts, centre) = (flag("in_water", in_water)?, input::<3>("centre", centre)?);
        let part = InWater { volume, centre: centre.into() };
        system.settings().set_body_in_water(body, acts.then_some(part))
    })
}

/// Whether the motion of the water acts on a body (pintle_set_body_in_water).
///
/// - `sys`: the system.
/// - `body`: id.
/// - `in_water`: receives 1 or 0; may be NULL.
/// - `volume`, `centre[3]`: receive the volume and its place; 0 where it does not; may be NULL.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_ID.
/// cbindgen:ptrs-as-arrays=[[centre;3]]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_get_body_in_water(
    sys: *const pintle_system,
    body: i32,
    in_water: *mut i32,
    volume: *mut f64,
    centre: *mut f64,
) -> i32 {
    with_system(on("pintle_get_body_in_water", "body", body), sys, |system| {
        let (in_water, volume) = (optional_output(in_water), optional_output(volume));
        let centre = optional_output(centre.cast::<[f64; 3]>());
        let part = BodiesInWater::of(system).part(body)?;
        in_water.write(part.is_some().into())?;
        let InWater { volume: own, centre: at } = part.unwrap_or_default();
        volume.write(own)?;
        centre.write(at.into())
    })
}
