//! The functions of MoorDyn 1, which has one system per process, and names from before version 2.
#![allow(non_snake_case)]
#![allow(clippy::missing_safety_doc)] // that of MoorDyn's functions; see `arguments`

use crate::boundary::{CONSOLE, alone};
use crate::log::{SILENCE, WARNING};
use crate::parts::{MoorDyn_GetLineFairTen, MoorDyn_GetLineNodePos, MoorDyn_GetPointForce, MoorDyn_GetPointPos};
use crate::status::{Failure, Status};
use crate::version2::{
    Handle, MoorDyn_Close, MoorDyn_Create, MoorDyn_ExternalWaveKinGetCoordinates, MoorDyn_ExternalWaveKinInit,
    MoorDyn_ExternalWaveKinSet, MoorDyn_GetFASTtens, MoorDyn_GetLine, MoorDyn_GetPoint, MoorDyn_Init, MoorDyn_Step,
};
use std::ffi::{c_char, c_double, c_float, c_int, c_uint};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicPtr, Ordering};

type Numbers = *const c_double;
type Results = *mut c_double;

/// The system, NULL if there is none.
static SYSTEM: AtomicPtr<std::ffi::c_void> = AtomicPtr::new(null_mut());

fn system() -> Handle {
    SYSTEM.load(Ordering::Acquire)
}

/// The system. Otherwise a failure with a code.
fn with_system(function: &str, missing: Status, body: impl FnOnce(Handle) -> c_int) -> c_int {
    match system() {
        system if system.is_null() => {
            alone(function, || Err(Failure::new(missing, "there is no system: MoorDynInit has not succeeded")))
        }
        system => body(system),
    }
}

/// Creates and starts the system, in place of one that is there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDynInit(x: Numbers, xd: Numbers, infilename: *const c_char) -> c_int {
    let new = unsafe { MoorDyn_Create(infilename) };
    if new.is_null() {
        return Status::UnhandledError as c_int;
    }
    let status = unsafe { MoorDyn_Init(new, x, xd) };
    let old = if status == 0 { SYSTEM.swap(new, Ordering::AcqRel) } else { new };
    if !old.is_null() {
        unsafe { MoorDyn_Close(old) };
    }
    status
}

/// See `MoorDyn_Step`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDynStep(x: Numbers, xd: Numbers, f: Results, t: Results, dt: Results) -> c_int {
    with_system("MoorDynStep", Status::InvalidValue, |system| unsafe { MoorDyn_Step(system, x, xd, f, t, dt) })
}

/// Frees the system.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDynClose() -> c_int {
    with_system("MoorDynClose", Status::InvalidValue, |_| unsafe {
        MoorDyn_Close(SYSTEM.swap(null_mut(), Ordering::AcqRel))
    })
}

/// The number of places at which the host gives the motion of the water; 0 without a system.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn externalWaveKinInit() -> c_int {
    let mut n: c_uint = 0;
    with_system("externalWaveKinInit", Status::MemError, |system| unsafe {
        MoorDyn_ExternalWaveKinInit(system, &raw mut n)
    });
    n as c_int
}

/// See `MoorDyn_ExternalWaveKinGetCoordinates`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getWaveKinCoordinates(r_out: Results) {
    with_system("getWaveKinCoordinates", Status::MemError, |system| unsafe {
        MoorDyn_ExternalWaveKinGetCoordinates(system, r_out)
    });
}

/// See `MoorDyn_ExternalWaveKinSet`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn setWaveKin(U_in: Numbers, Ud_in: Numbers, t_in: c_double) {
    with_system("setWaveKin", Status::MemError, |system| unsafe {
        MoorDyn_ExternalWaveKinSet(system, U_in, Ud_in, t_in)
    });
}

/// See `MoorDyn_GetLineFairTen`; -1 if there is no such line.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GetFairTen(l: c_int) -> c_double {
    let mut tension = -1.0;
    with_system("GetFairTen", Status::MemError, |system| unsafe {
        MoorDyn_GetLineFairTen(MoorDyn_GetLine(system, l as c_uint), &raw mut tension)
    });
    tension
}

/// See `MoorDyn_GetFASTtens`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GetFASTtens(
    numLines: *mut c_int,
    FairHTen: *mut c_float,
    FairVTen: *mut c_float,
    AnchHTen: *mut c_float,
    AnchVTen: *mut c_float,
) -> c_int {
    with_system("GetFASTtens", Status::MemError, |system| unsafe {
        MoorDyn_GetFASTtens(system, numLines, FairHTen, FairVTen, AnchHTen, AnchVTen)
    })
}

/// The position of a point, from 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GetPointPos(l: c_int, pos: Results) -> c_int {
    with_system("GetPointPos", Status::MemError, |system| unsafe {
        MoorDyn_GetPointPos(MoorDyn_GetPoint(system, l as c_uint), pos)
    })
}

/// The net force on a point, from 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GetPointForce(l: c_int, force: Results) -> c_int {
    with_system("GetPointForce", Status::MemError, |system| unsafe {
        MoorDyn_GetPointForce(MoorDyn_GetPoint(system, l as c_uint), force)
    })
}

/// The position of a node, from 0, of a line, from 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GetNodePos(LineNum: c_int, NodeNum: c_int, pos: Results) -> c_int {
    with_system("GetNodePos", Status::MemError, |system| unsafe {
        MoorDyn_GetLineNodePos(MoorDyn_GetLine(system, LineNum as c_uint), NodeNum as c_uint, pos)
    })
}

/// Does nothing: steps write the output.
#[unsafe(no_mangle)]
pub extern "C" fn AllOutput(_t: c_double, _dt: c_double) {}

/// Turns messages on standard error off for systems to come, or on.
#[unsafe(no_mangle)]
pub extern "C" fn SetDisableConsole(disable: c_int) {
    CONSOLE.store(if disable == 0 { WARNING } else { SILENCE }, Ordering::Relaxed);
}

// ---- Older names -----------------------------------------------------------------------------------------------------

/// See `GetPointPos`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GetConnectPos(l: c_int, pos: Results) -> c_int {
    unsafe { GetPointPos(l, pos) }
}

/// See `GetPointForce`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn GetConnectForce(l: c_int, force: Results) -> c_int {
    unsafe { GetPointForce(l, force) }
}

/// See `MoorDyn_GetPoint`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MoorDyn_GetConnection(system: Handle, c: c_uint) -> Handle {
    unsafe { MoorDyn_GetPoint(system, c) }
}

/// Creates and starts the system of MoorDyn 1.x from `Mooring/lines.txt`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn LinesInit(x: Numbers, xd: Numbers) -> c_int {
    unsafe { MoorDynInit(x, xd, std::ptr::null()) }
}

/// See `MoorDynStep`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn LinesCalc(x: Numbers, xd: Numbers, f: Results, t: Results, dt: Results) -> c_int {
    unsafe { MoorDynStep(x, xd, f, t, dt) }
}

/// See `MoorDynStep`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn FairleadsCalc2(x: Numbers, xd: Numbers, f: Results, t: Results, dt: Results) -> c_int {
    unsafe { MoorDynStep(x, xd, f, t, dt) }
}

/// See `MoorDynClose`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn LinesClose() -> c_int {
    unsafe { MoorDynClose() }
}
