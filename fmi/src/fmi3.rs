//! The functions of FMI 3.0 for co-simulation. Types and meaning are those of the standard;
//! docs/fmu.md describes the choices that the standard leaves. Booleans are bytes: 0 is false.
#![allow(non_snake_case)]
#![allow(clippy::missing_safety_doc)] // that of the standard, which every importer knows; see `arguments`
#![allow(clippy::too_many_arguments)] // as many as the standard has

use crate::arguments::{array, optional_text, output, scalar, text, write_if};
pub use crate::boundary::Logger3;
use crate::boundary::{self, DefaultEnvironment, Held, Log, Logger, enter};
use crate::common;
use crate::failure::{Failure, Status};
use crate::instance::Outcome;
use std::ffi::{c_char, c_int, c_void};

type Instance = *mut c_void;
type Reference = u32;
type Boolean = u8;
type Text = *const c_char;

/// "3.0".
#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> Text {
    c"3.0".as_ptr()
}

/// Turns warnings on or off; failures are always logged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetDebugLogging(c: Instance, on: Boolean, _: usize, _: *const Text) -> c_int {
    enter("fmi3SetDebugLogging", c, |held| {
        held.log.wordy = on != 0;
        Ok(())
    })
}

fn log(name: Text, wordy: Boolean, environment: *mut c_void, logger: Option<Logger3>) -> Log {
    let name = optional_text("instanceName", name).unwrap_or_default();
    Log::new(logger.map_or(Logger::None, Logger::Three), environment, name, wordy != 0)
}

/// A new instance; NULL if it cannot be made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    name: Text,
    token: Text,
    resource_path: Text,
    _visible: Boolean,
    logging_on: Boolean,
    event_mode_used: Boolean,
    early_return_allowed: Boolean,
    _intermediate: *const Reference,
    n_intermediate: usize,
    environment: *mut c_void,
    logger: Option<Logger3>,
    _intermediate_update: *const c_void,
) -> Instance {
    let _environment = DefaultEnvironment::enter();
    let log = log(name, logging_on, environment, logger);
    if event_mode_used != 0 || n_intermediate != 0 {
        log.tell(Status::Error, "fmi3InstantiateCoSimulation: this FMU has neither Event Mode nor intermediate update");
        return std::ptr::null_mut();
    }
    let (token, path) = (optional_text("instantiationToken", token), text("resourcePath", resource_path));
    boundary::instantiate(log, token, path, early_return_allowed != 0)
}

/// NULL: this FMU is for co-simulation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateModelExchange(
    name: Text,
    _token: Text,
    _resource_path: Text,
    _visible: Boolean,
    logging_on: Boolean,
    environment: *mut c_void,
    logger: Option<Logger3>,
) -> Instance {
    let _environment = DefaultEnvironment::enter();
    log(name, logging_on, environment, logger)
        .tell(Status::Error, "fmi3InstantiateModelExchange: this FMU is for co-simulation");
    std::ptr::null_mut()
}

/// NULL: this FMU is for co-simulation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateScheduledExecution(
    name: Text,
    _token: Text,
    _resource_path: Text,
    _visible: Boolean,
    logging_on: Boolean,
    environment: *mut c_void,
    logger: Option<Logger3>,
    _clock_update: *const c_void,
    _lock: *const c_void,
    _unlock: *const c_void,
) -> Instance {
    let _environment = DefaultEnvironment::enter();
    log(name, logging_on, environment, logger)
        .tell(Status::Error, "fmi3InstantiateScheduledExecution: this FMU is for co-simulation");
    std::ptr::null_mut()
}

/// Frees an instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeInstance(c: Instance) {
    boundary::free(c);
}

/// Sets the start time and the stop time; Instantiated -> Initialization Mode. The tolerance is
/// ignored: the iteration has parameters of its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3EnterInitializationMode(
    c: Instance,
    _tolerance_defined: Boolean,
    _tolerance: f64,
    start_time: f64,
    stop_time_defined: Boolean,
    stop_time: f64,
) -> c_int {
    let stop_time = (stop_time_defined != 0).then_some(stop_time);
    enter("fmi3EnterInitializationMode", c, |held| {
        held.instance.set_times(start_time, stop_time)?;
        held.instance.enter_initialization()
    })
}

/// Initialization Mode -> Step Mode.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3ExitInitializationMode(c: Instance) -> c_int {
    enter("fmi3ExitInitializationMode", c, |held| {
        held.instance.exit_initialization()?;
        held.warn()
    })
}

/// Ends the run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3Terminate(c: Instance) -> c_int {
    enter("fmi3Terminate", c, |held| held.instance.terminate())
}

/// Restores the state after instantiation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3Reset(c: Instance) -> c_int {
    enter("fmi3Reset", c, |held| held.instance.reset())
}

/// The numbers of the next variable.
fn next<'v>(held: &Held, reference: Reference, rest: &mut &'v [f64], given: usize) -> Outcome<&'v [f64]> {
    let (own, others) = rest.split_at_checked(held.instance.width(reference)?).ok_or_else(|| too_few(given))?;
    *rest = others;
    Ok(own)
}

fn too_few(given: usize) -> Failure {
    Failure::error(format!("nValues = {given} is less than the variables have: an array has all its elements"))
}

fn too_many(given: usize) -> Failure {
    Failure::error(format!("nValues = {given} is more than the variables have"))
}

/// Reads real variables, arrays with all their elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFloat64(
    c: Instance,
    vr: *const Reference,
    n: usize,
    values: *mut f64,
    n_values: usize,
) -> c_int {
    enter("fmi3GetFloat64", c, |held| {
        let mut rest = output("values", values, n_values)?;
        for vr in array("valueReferences", vr, n)? {
            let width = held.instance.width(*vr)?;
            let (own, others) =
                std::mem::take(&mut rest).split_at_mut_checked(width).ok_or_else(|| too_few(n_values))?;
            held.instance.get(*vr, own)?;
            rest = others;
        }
        if rest.is_empty() { Ok(()) } else { Err(too_many(n_values)) }
    })
}

/// Sets real variables, arrays with all their elements: inputs, and before the first step
/// parameters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFloat64(
    c: Instance,
    vr: *const Reference,
    n: usize,
    values: *const f64,
    n_values: usize,
) -> c_int {
    enter("fmi3SetFloat64", c, |held| {
        let (vr, values) = (array("valueReferences", vr, n)?, array("values", values, n_values)?);
        // All are checked before any is set. A list of the parts would take memory in every step.
        let mut rest = values;
        for vr in vr {
            held.instance.check_set(*vr, next(held, *vr, &mut rest, n_values)?)?;
        }
        if !rest.is_empty() {
            return Err(too_many(n_values));
        }
        let mut rest = values;
        vr.iter().try_for_each(|vr| {
            let own = next(held, *vr, &mut rest, n_values)?;
            held.instance.set(*vr, own)
        })
    })
}

/// There are no variables of this type.
fn no_variables(held: &Held, vr: *const Reference, n: usize, kind: &str) -> Outcome<()> {
    match array("valueReferences", vr, n)?.first() {
        None => Ok(()),
        Some(vr) => Err(Failure::error(format!("{} is not of type {kind}", held.instance.model().name_of(*vr)))),
    }
}

macro_rules! without_variables {
    ($($get:ident $set:ident $kind:literal: $type:ty;)*) => {$(
        /// There are no variables of this type.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $get(c: Instance, vr: *const Reference, n: usize, _: *mut $type, _: usize) -> c_int {
            enter(stringify!($get), c, |held| no_variables(held, vr, n, $kind))
        }

        /// There are no variables of this type.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $set(c: Instance, vr: *const Reference, n: usize, _: *const $type, _: usize) -> c_int {
            enter(stringify!($set), c, |held| no_variables(held, vr, n, $kind))
        }
    )*};
}

without_variables! {
    fmi3GetFloat32 fmi3SetFloat32 "Float32": f32;
    fmi3GetInt8 fmi3SetInt8 "Int8": i8;
    fmi3GetUInt8 fmi3SetUInt8 "UInt8": u8;
    fmi3GetInt16 fmi3SetInt16 "Int16": i16;
    fmi3GetUInt16 fmi3SetUInt16 "UInt16": u16;
    fmi3GetInt32 fmi3SetInt32 "Int32": i32;
    fmi3GetUInt32 fmi3SetUInt32 "UInt32": u32;
    fmi3GetInt64 fmi3SetInt64 "Int64": i64;
    fmi3GetUInt64 fmi3SetUInt64 "UInt64": u64;
    fmi3GetBoolean fmi3SetBoolean "Boolean": Boolean;
}

/// There are no variables of this type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetBinary(
    c: Instance,
    vr: *const Reference,
    n: usize,
    _: *mut usize,
    _: *mut *const u8,
    _: usize,
) -> c_int {
    enter("fmi3GetBinary", c, |held| no_variables(held, vr, n, "Binary"))
}

/// There are no variables of this type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetBinary(
    c: Instance,
    vr: *const Reference,
    n: usize,
    _: *const usize,
    _: *const *const u8,
    _: usize,
) -> c_int {
    enter("fmi3SetBinary", c, |held| no_variables(held, vr, n, "Binary"))
}

/// There are no variables of this type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetClock(c: Instance, vr: *const Reference, n: usize, _: *mut Boolean) -> c_int {
    enter("fmi3GetClock", c, |held| no_variables(held, vr, n, "Clock"))
}

/// There are no variables of this type.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetClock(c: Instance, vr: *const Reference, n: usize, _: *const Boolean) -> c_int {
    enter("fmi3SetClock", c, |held| no_variables(held, vr, n, "Clock"))
}

/// Reads the time scheme; the texts live until the next call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetString(
    c: Instance,
    vr: *const Reference,
    n: usize,
    values: *mut Text,
    n_values: usize,
) -> c_int {
    enter("fmi3GetString", c, |held| {
        check_count(n, n_values)?;
        common::texts(held, array("valueReferences", vr, n)?, output("values", values, n)?)
    })
}

/// Sets the time scheme.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetString(
    c: Instance,
    vr: *const Reference,
    n: usize,
    values: *const Text,
    n_values: usize,
) -> c_int {
    enter("fmi3SetString", c, |held| {
        check_count(n, n_values)?;
        common::set_schemes(held, array("valueReferences", vr, n)?, array("values", values, n)?)
    })
}

/// Text variables are scalars.
fn check_count(n: usize, n_values: usize) -> Outcome<()> {
    match n_values {
        _ if n_values < n => Err(too_few(n_values)),
        _ if n_values > n => Err(too_many(n_values)),
        _ => Ok(()),
    }
}

/// Copies the state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetFMUState(c: Instance, state: *mut *mut c_void) -> c_int {
    enter("fmi3GetFMUState", c, |held| common::get_state(held, state))
}

/// Restores a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SetFMUState(c: Instance, state: *mut c_void) -> c_int {
    enter("fmi3SetFMUState", c, |held| held.instance.set_state(boundary::state(state)?))
}

/// Frees a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeFMUState(c: Instance, state: *mut *mut c_void) -> c_int {
    enter("fmi3FreeFMUState", c, |_| common::drop_state(state))
}

/// Number of bytes of a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializedFMUStateSize(c: Instance, state: *mut c_void, size: *mut usize) -> c_int {
    enter("fmi3SerializedFMUStateSize", c, |held| {
        *scalar("size", size)? = common::bytes(held, state)?.len();
        Ok(())
    })
}

/// The bytes of a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3SerializeFMUState(c: Instance, state: *mut c_void, bytes: *mut u8, size: usize) -> c_int {
    enter("fmi3SerializeFMUState", c, |held| common::serialize(held, state, bytes, size))
}

/// A state from its bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DeserializeFMUState(
    c: Instance,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> c_int {
    enter("fmi3DeserializeFMUState", c, |held| common::deserialize(held, bytes, size, state))
}

/// Directional derivatives of outputs with respect to inputs; arrays with all their elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3GetDirectionalDerivative(
    c: Instance,
    unknowns: *const Reference,
    n_unknowns: usize,
    knowns: *const Reference,
    n_knowns: usize,
    seed: *const f64,
    n_seed: usize,
    sensitivity: *mut f64,
    n_sensitivity: usize,
) -> c_int {
    enter("fmi3GetDirectionalDerivative", c, |held| {
        let (unknowns, knowns) = ((unknowns, n_unknowns), (knowns, n_knowns));
        common::directional(held, unknowns, knowns, (seed, n_seed), (sensitivity, n_sensitivity))
    })
}

/// Makes a step. If it fails and early return is allowed, the instance stays at the time that was
/// reached; else it is `fmi3Discard` with the instance unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3DoStep(
    c: Instance,
    time: f64,
    dt: f64,
    _no_set_state_before: Boolean,
    event_needed: *mut Boolean,
    terminate: *mut Boolean,
    early_return: *mut Boolean,
    last_successful_time: *mut f64,
) -> c_int {
    enter("fmi3DoStep", c, |held| {
        write_if("eventHandlingNeeded", event_needed, 0)?;
        write_if("terminateSimulation", terminate, 0)?;
        write_if("earlyReturn", early_return, 0)?;
        let outcome = held.instance.step(time, dt, held.may_stop);
        write_if("lastSuccessfulTime", last_successful_time, held.instance.time())?;
        write_if("earlyReturn", early_return, outcome.as_ref().is_ok_and(|reached| reached.early).into())?;
        outcome?;
        held.warn()
    })
}

macro_rules! not_there {
    ($why:literal: $($function:ident($($argument:ty),*);)*) => {$(
        /// Not supported, as the description of the FMU says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(c: Instance, $(_: $argument),*) -> c_int {
            enter(stringify!($function), c, |_| Err(Failure::error($why)))
        }
    )*};
}

not_there! {
    "this FMU has no Event Mode":
    fmi3EnterEventMode();
    fmi3EnterStepMode();
    fmi3EvaluateDiscreteStates();
    fmi3UpdateDiscreteStates(*mut Boolean, *mut Boolean, *mut Boolean, *mut Boolean, *mut Boolean, *mut f64);
}

not_there! {
    "this FMU has no structural parameters":
    fmi3EnterConfigurationMode();
    fmi3ExitConfigurationMode();
}

not_there! {
    "this FMU has no clocks":
    fmi3GetIntervalDecimal(*const Reference, usize, *mut f64, *mut c_int);
    fmi3GetIntervalFraction(*const Reference, usize, *mut u64, *mut u64, *mut c_int);
    fmi3GetShiftDecimal(*const Reference, usize, *mut f64);
    fmi3GetShiftFraction(*const Reference, usize, *mut u64, *mut u64);
    fmi3SetIntervalDecimal(*const Reference, usize, *const f64);
    fmi3SetIntervalFraction(*const Reference, usize, *const u64, *const u64);
    fmi3SetShiftDecimal(*const Reference, usize, *const f64);
    fmi3SetShiftFraction(*const Reference, usize, *const u64, *const u64);
}

not_there! {
    "this FMU does not tell dependencies element by element (providesPerElementDependencies is false)":
    fmi3GetNumberOfVariableDependencies(Reference, *mut usize);
    fmi3GetVariableDependencies(Reference, *mut usize, *mut Reference, *mut usize, *mut c_int, usize);
}

not_there! {
    "this FMU gives no adjoint derivatives (providesAdjointDerivatives is false)":
    fmi3GetAdjointDerivative(*const Reference, usize, *const Reference, usize, *const f64, usize, *mut f64, usize);
}

not_there! {
    "this FMU gives no derivatives of outputs (maxOutputDerivativeOrder is 0)":
    fmi3GetOutputDerivatives(*const Reference, usize, *const i32, *mut f64, usize);
}

not_there! {
    "this FMU is for co-simulation":
    fmi3EnterContinuousTimeMode();
    fmi3CompletedIntegratorStep(Boolean, *mut Boolean, *mut Boolean);
    fmi3SetTime(f64);
    fmi3SetContinuousStates(*const f64, usize);
    fmi3GetContinuousStateDerivatives(*mut f64, usize);
    fmi3GetEventIndicators(*mut f64, usize);
    fmi3GetContinuousStates(*mut f64, usize);
    fmi3GetNominalsOfContinuousStates(*mut f64, usize);
    fmi3GetNumberOfEventIndicators(*mut usize);
    fmi3GetNumberOfContinuousStates(*mut usize);
    fmi3ActivateModelPartition(Reference, f64);
}
