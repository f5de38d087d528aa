//! Callbacks of the host, converted to those of the core.
//!
//! The safety argument is that of `boundary`: the host vouches for its function and pointer (see
//! the head of `pintle.h`); arrays have the documented sizes and do not outlive the call.

use std::ffi::c_void;
use std::sync::Arc;

use super::floating_point;
use super::last_error;
use crate::model::{FluidFn, FluidMotion};
use crate::{BodyLoad, BodyLoadFn, BodyMotion, CoupledLoad, CoupledLoadFn, CoupledMotion, ProgressFn};

/// The type of a `pintle_load_fn` that is not NULL.
pub type LoadFunction = unsafe extern "C" fn(
    user: *mut c_void,
    time: f64,
    body: i32,
    pose: *const f64,
    velocity: *const f64,
    acceleration: *const f64,
    wrench: *mut f64,
    stiffness36: *mut f64,
    damping36: *mut f64,
) -> i32;

/// A load function of the host with its user pointer.
struct HostLoad {
    function: LoadFunction,
    user: *mut c_void,
}

// SAFETY: the pointer is passed back, never dereferenced. It belongs to its system, and the host
// calls a system from one thread at a time; that the callback may run on the thread that steps is
// part of its contract (`pintle.h`).
unsafe impl Send for HostLoad {}
// SAFETY: as above; a clone of a system shares the pointer, and the contract says so.
unsafe impl Sync for HostLoad {}

impl HostLoad {
    fn evaluate(&self, motion: &BodyMotion, load: &mut BodyLoad) -> std::result::Result<(), i32> {
        let BodyMotion { time, body, pose, velocity, acceleration } = motion;
        let BodyLoad { wrench, stiffness, damping } = load;
        // While the host's code runs, panics are the host's, and so is the floating-point
        // environment.
        let before = last_error::set_inside(false);
        // SAFETY: arrays of the sizes that the contract names; the host vouches for the function,
        // which must not unwind.
        let status = floating_point::as_host(|| unsafe {
            (self.function)(
                self.user,
                *time,
                *body,
                pose.as_ptr(),
                velocity.as_ptr(),
                acceleration.as_ptr(),
                wrench.as_mut_ptr(),
                stiffness.as_mut_ptr(),
                damping.as_mut_ptr(),
            )
        });
        last_error::set_inside(before);
        if status == 0 { Ok(()) } else { Err(status) }
    }
}

/// The host's function as a load function of the core; None for NULL.
pub(super) fn host_load(function: Option<LoadFunction>, user: *mut c_void) -> Option<BodyLoadFn> {
    let host = HostLoad { function: function?, user };
    Some(Arc::new(move |motion: &BodyMotion, load: &mut BodyLoad| host.evaluate(motion, load)))
}

/// The type of a `pintle_progress_fn` that is not NULL.
pub type ProgressFunction = unsafe extern "C" fn(user: *mut c_void, time: f64, fraction: f64) -> i32;

/// A progress function of the host with its user pointer.
struct HostProgress {
    function: ProgressFunction,
    user: *mut c_void,
}

// SAFETY: as for `HostLoad`: the pointer is passed back, never dereferenced, on the thread that
// calls the system.
unsafe impl Send for HostProgress {}
// SAFETY: as above.
unsafe impl Sync for HostProgress {}

impl HostProgress {
    fn ask(&self, time: f64, fraction: f64) -> i32 {
        let before = last_error::set_inside(false);
        // SAFETY: the host vouches for the function, which must not unwind.
        let status = floating_point::as_host(|| unsafe { (self.function)(self.user, time, fraction) });
        last_error::set_inside(before);
        status
    }
}

/// The host's function as a progress function of the core; None for NULL.
pub(super) fn host_progress(function: Option<ProgressFunction>, user: *mut c_void) -> Option<ProgressFn> {
    let host = HostProgress { function: function?, user };
    Some(Arc::new(move |time, fraction| host.ask(time, fraction)))
}

/// The type of a `pintle_coupled_load_fn` that is not NULL.
pub type CoupledLoadFunction = unsafe extern "C" fn(
    user: *mut c_void,
    time: f64,
    n: i32,
    bodies: *const i32,
    poses: *const f64,
    velocities: *const f64,
    accelerations: *const f64,
    wrenches: *mut f64,
    stiffness: *mut f64,
    damping: *mut f64,
    mass: *mut f64,
) -> i32;

/// A coupled load function of the host with its user pointer.
struct HostCoupledLoad {
    function: CoupledLoadFunction,
    user: *mut c_void,
}

// SAFETY: as of `HostLoad`.
unsafe impl Send for HostCoupledLoad {}
// SAFETY: as of `HostLoad`.
unsafe impl Sync for HostCoupledLoad {}

impl HostCoupledLoad {
    fn evaluate(&self, motion: &CoupledMotion, load: &mut CoupledLoad) -> std::result::Result<(), i32> {
        let CoupledMotion { time, bodies, poses, velocities, accelerations } = motion;
        let before = last_error::set_inside(false);
        // SAFETY: arrays of the sizes that the contract names; the host vouches for the function,
        // which must not unwind.
        let status = floating_point::as_host(|| unsafe {
            (self.function)(
                self.user,
                *time,
                bodies.len() as i32,
                bodies.as_ptr(),
                poses.as_flattened().as_ptr(),
                velocities.as_flattened().as_ptr(),
                accelerations.as_flattened().as_ptr(),
                load.wrenches.as_flattened_mut().as_mut_ptr(),
                load.stiffness.as_mut_ptr(),
                load.damping.as_mut_ptr(),
                load.mass.as_mut_ptr(),
            )
        });
        last_error::set_inside(before);
        if status == 0 { Ok(()) } else { Err(status) }
    }
}

/// The host's function as a coupled load function of the core; None for NULL.
pub(super) fn host_coupled_load(function: Option<CoupledLoadFunction>, user: *mut c_void) -> Option<CoupledLoadFn> {
    let host = HostCoupledLoad { function: function?, user };
    Some(Arc::new(move |motion: &CoupledMotion, load: &mut CoupledLoad| host.evaluate(motion, load)))
}

/// The type of a `pintle_fluid_fn` that is not NULL.
pub type FluidFunction = unsafe extern "C" fn(
    user: *mut c_void,
    time: f64,
    n: i32,
    positions: *const f64,
    velocities: *mut f64,
    accelerations: *mut f64,
    elevations: *mut f64,
) -> i32;

/// A fluid function of the host with its user pointer.
struct HostFluid {
    function: FluidFunction,
    user: *mut c_void,
}

// SAFETY: as of `HostLoad`.
unsafe impl Send for HostFluid {}
// SAFETY: as of `HostLoad`.
unsafe impl Sync for HostFluid {}

impl HostFluid {
    fn ask(&self, time: f64, positions: &[[f64; 3]], motion: &mut FluidMotion) -> std::result::Result<(), i32> {
        let before = last_error::set_inside(false);
        // SAFETY: arrays of the sizes that the contract names; the host vouches for the function,
        // which must not unwind.
        let status = floating_point::as_host(|| unsafe {
            (self.function)(
                self.user,
                time,
                positions.len() as i32,
                positions.as_flattened().as_ptr(),
                motion.velocities.as_flattened_mut().as_mut_ptr(),
                motion.accelerations.as_flattened_mut().as_mut_ptr(),
                motion.elevations.as_mut_ptr(),
            )
        });
        last_error::set_inside(before);
        if status == 0 { Ok(()) } else { Err(status) }
    }
}

/// The host's function as a fluid function of the core; None for NULL.
pub(super) fn host_fluid(function: Option<FluidFunction>, user: *mut c_void) -> Option<FluidFn> {
    let host = HostFluid { function: function?, user };
    Some(Arc::new(move |time: f64, positions: &[[f64; 3]], motion: &mut FluidMotion| host.ask(time, positions, motion)))
}
