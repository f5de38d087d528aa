//! The functions of FMI 2.0 for co-simulation. Types and meaning are those of the standard;
//! docs/fmu.md describes the choices that the standard leaves.
#![allow(non_snake_case)]
#![allow(clippy::missing_safety_doc)] // that of the standard, which every importer knows; see `arguments`

use crate::arguments::{array, optional_text, output, scalar, text};
pub use crate::boundary::Logger2;
use crate::boundary::{self, DefaultEnvironment, Held, Log, Logger, enter};
use crate::common;
use crate::failure::{Failure, Status};
use crate::instance::Outcome;
use std::ffi::{c_char, c_int, c_uint, c_void};

type Component = *mut c_void;
type Reference = c_uint;
type Boolean = c_int;
type Text = *const c_char;

/// fmi2CallbackFunctions.
#[repr(C)]
pub struct Callbacks {
    /// Called with messages.
    pub logger: Option<Logger2>,
    /// Not used: instances are on the library's own heap.
    pub allocate_memory: *const c_void,
    /// Not used.
    pub free_memory: *const c_void,
    /// Not used: steps are synchronous.
    pub step_finished: *const c_void,
    /// Passed to the logger.
    pub environment: *mut c_void,
}

const CO_SIMULATION: c_int = 1;
const LAST_SUCCESSFUL_TIME: c_int = 2;
const TERMINATED: c_int = 3;

/// "default".
#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> Text {
    c"default".as_ptr()
}

/// "2.0".
#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> Text {
    c"2.0".as_ptr()
}

/// Turns warnings on or off; failures are always logged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetDebugLogging(c: Component, on: Boolean, _: usize, _: *const Text) -> c_int {
    enter("fmi2SetDebugLogging", c, |held| {
        held.log.wordy = on != 0;
        Ok(())
    })
}

/// A new instance; NULL if it cannot be made.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Instantiate(
    name: Text,
    kind: c_int,
    guid: Text,
    location: Text,
    functions: *const Callbacks,
    _visible: Boolean,
    logging_on: Boolean,
) -> Component {
    let _environment = DefaultEnvironment::enter();
    let functions = array("functions", functions, 1).ok().and_then(|functions| functions.first());
    let logger = functions.and_then(|functions| functions.logger).map_or(Logger::None, Logger::Two);
    let environment = functions.map_or(std::ptr::null_mut(), |functions| functions.environment);
    let log = Log::new(logger, environment, optional_text("instanceName", name).unwrap_or_default(), logging_on != 0);
    if kind != CO_SIMULATION {
        log.tell(Status::Error, "fmi2Instantiate: this FMU is for co-simulation");
        return std::ptr::null_mut();
    }
    boundary::instantiate(log, optional_text("fmuGUID", guid), text("fmuResourceLocation", location), false)
}

/// Frees an instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeInstance(c: Component) {
    boundary::free(c);
}

/// Sets the start time and the stop time. The tolerance is ignored: the iteration has parameters of
/// its own.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetupExperiment(
    c: Component,
    _tolerance_defined: Boolean,
    _tolerance: f64,
    start_time: f64,
    stop_time_defined: Boolean,
    stop_time: f64,
) -> c_int {
    let stop_time = (stop_time_defined != 0).then_some(stop_time);
    enter("fmi2SetupExperiment", c, |held| held.instance.set_times(start_time, stop_time))
}

/// Instantiated -> Initialization Mode.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2EnterInitializationMode(c: Component) -> c_int {
    enter("fmi2EnterInitializationMode", c, |held| held.instance.enter_initialization())
}

/// Initialization Mode -> step mode.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2ExitInitializationMode(c: Component) -> c_int {
    enter("fmi2ExitInitializationMode", c, |held| {
        held.instance.exit_initialization()?;
        held.warn()
    })
}

/// Ends the run.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Terminate(c: Component) -> c_int {
    enter("fmi2Terminate", c, |held| held.instance.terminate())
}

/// Restores the state after instantiation.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Reset(c: Component) -> c_int {
    enter("fmi2Reset", c, |held| held.instance.reset())
}

/// Reads real variables.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetReal(c: Component, vr: *const Reference, n: usize, value: *mut f64) -> c_int {
    enter("fmi2GetReal", c, |held| {
        let (vr, value) = (array("vr", vr, n)?, output("value", value, n)?);
        let mut each = vr.iter().zip(value.chunks_mut(1));
        each.try_for_each(|(vr, value)| held.instance.get(*vr, value))
    })
}

/// Sets real variables: inputs, and before the first step parameters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetReal(c: Component, vr: *const Reference, n: usize, value: *const f64) -> c_int {
    enter("fmi2SetReal", c, |held| {
        let (vr, value) = (array("vr", vr, n)?, array("value", value, n)?);
        // All are checked before any is set.
        let each = || vr.iter().zip(value.chunks(1));
        each().try_for_each(|(vr, value)| held.instance.check_set(*vr, value).map(drop))?;
        each().try_for_each(|(vr, value)| held.instance.set(*vr, value))
    })
}

/// There are no variables of this type.
fn no_variables(held: &Held, vr: *const Reference, n: usize, kind: &str) -> Outcome<()> {
    match array("vr", vr, n)?.first() {
        None => Ok(()),
        Some(vr) => Err(Failure::error(format!("{} is not {kind}", held.instance.model().name_of(*vr)))),
    }
}

macro_rules! without_variables {
    ($($function:ident($value:ty): $kind:literal;)*) => {$(
        /// There are no variables of this type.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $function(c: Component, vr: *const Reference, n: usize, _: $value) -> c_int {
            enter(stringify!($function), c, |held| no_variables(held, vr, n, $kind))
        }
    )*};
}

without_variables! {
    fmi2GetInteger(*mut c_int): "an integer variable";
    fmi2SetInteger(*const c_int): "an integer variable";
    fmi2GetBoolean(*mut Boolean): "a Boolean variable";
    fmi2SetBoolean(*const Boolean): "a Boolean variable";
}

/// Reads the time scheme; the texts live until the next call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetString(c: Component, vr: *const Reference, n: usize, value: *mut Text) -> c_int {
    enter("fmi2GetString", c, |held| common::texts(held, array("vr", vr, n)?, output("value", value, n)?))
}

/// Sets the time scheme.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetString(c: Component, vr: *const Reference, n: usize, value: *const Text) -> c_int {
    enter("fmi2SetString", c, |held| common::set_schemes(held, array("vr", vr, n)?, array("value", value, n)?))
}

/// Copies the state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetFMUstate(c: Component, state: *mut *mut c_void) -> c_int {
    enter("fmi2GetFMUstate", c, |held| common::get_state(held, state))
}

/// Restores a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetFMUstate(c: Component, state: *mut c_void) -> c_int {
    enter("fmi2SetFMUstate", c, |held| held.instance.set_state(boundary::state(state)?))
}

/// Frees a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeFMUstate(c: Component, state: *mut *mut c_void) -> c_int {
    enter("fmi2FreeFMUstate", c, |_| common::drop_state(state))
}

/// Number of bytes of a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializedFMUstateSize(c: Component, state: *mut c_void, size: *mut usize) -> c_int {
    enter("fmi2SerializedFMUstateSize", c, |held| {
        *scalar("size", size)? = common::bytes(held, state)?.len();
        Ok(())
    })
}

/// The bytes of a state.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializeFMUstate(c: Component, state: *mut c_void, bytes: *mut u8, size: usize) -> c_int {
    enter("fmi2SerializeFMUstate", c, |held| common::serialize(held, state, bytes, size))
}

/// A state from its bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DeSerializeFMUstate(
    c: Component,
    bytes: *const u8,
    size: usize,
    state: *mut *mut c_void,
) -> c_int {
    enter("fmi2DeSerializeFMUstate", c, |held| common::deserialize(held, bytes, size, state))
}

/// Directional derivatives of outputs with respect to inputs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetDirectionalDerivative(
    c: Component,
    unknowns: *const Reference,
    n_unknowns: usize,
    knowns: *const Reference,
    n_knowns: usize,
    seed: *const f64,
    sensitivity: *mut f64,
) -> c_int {
    enter("fmi2GetDirectionalDerivative", c, |held| {
        let (unknowns, knowns) = ((unknowns, n_unknowns), (knowns, n_knowns));
        common::directional(held, unknowns, knowns, (seed, n_knowns), (sensitivity, n_unknowns))
    })
}

/// Sets first derivatives of inputs, for the coming step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetRealInputDerivatives(
    c: Component,
    vr: *const Reference,
    n: usize,
    order: *const c_int,
    value: *const f64,
) -> c_int {
    enter("fmi2SetRealInputDerivatives", c, |held| {
        let (vr, order, value) = (array("vr", vr, n)?, array("order", order, n)?, array("value", value, n)?);
        if let Some(order) = order.iter().find(|order| **order != 1) {
            return Err(Failure::error(format!("derivatives of order {order}: only the first is taken")));
        }
        let each = || vr.iter().zip(value);
        each().try_for_each(|(vr, value)| held.instance.check_input_derivative(*vr, *value).map(drop))?;
        each().try_for_each(|(vr, value)| held.instance.set_input_derivative(*vr, *value))
    })
}

/// There are none: maxOutputDerivativeOrder is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealOutputDerivatives(
    c: Component,
    _: *const Reference,
    n: usize,
    _: *const c_int,
    _: *mut f64,
) -> c_int {
    enter("fmi2GetRealOutputDerivatives", c, |_| match n {
        0 => Ok(()),
        _ => Err(Failure::error("this FMU gives no derivatives of outputs (maxOutputDerivativeOrder is 0)")),
    })
}

/// Makes a step. If it fails, `fmi2Discard` with the instance unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DoStep(c: Component, time: f64, dt: f64, _no_set_state_before: Boolean) -> c_int {
    enter("fmi2DoStep", c, |held| {
        held.instance.step(time, dt, false)?;
        held.warn()
    })
}

/// Steps are synchronous: there is none to cancel.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2CancelStep(c: Component) -> c_int {
    enter("fmi2CancelStep", c, |_| Err(Failure::error("no step is pending: they are synchronous")))
}

fn no_status(kind: c_int) -> Outcome<()> {
    let message = format!("there is no such status of kind {kind}: steps are synchronous");
    Err(Failure { status: Status::Discard, message })
}

/// Steps are synchronous: none is pending.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetStatus(c: Component, kind: c_int, _: *mut c_int) -> c_int {
    enter("fmi2GetStatus", c, |_| no_status(kind))
}

/// The time of the instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealStatus(c: Component, kind: c_int, value: *mut f64) -> c_int {
    enter("fmi2GetRealStatus", c, |held| {
        if kind != LAST_SUCCESSFUL_TIME {
            return no_status(kind);
        }
        *scalar("value", value)? = held.instance.time();
        Ok(())
    })
}

/// There is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetIntegerStatus(c: Component, kind: c_int, _: *mut c_int) -> c_int {
    enter("fmi2GetIntegerStatus", c, |_| no_status(kind))
}

/// Whether the FMU wants to end the run: never.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBooleanStatus(c: Component, kind: c_int, value: *mut Boolean) -> c_int {
    enter("fmi2GetBooleanStatus", c, |_| {
        if kind != TERMINATED {
            return no_status(kind);
        }
        *scalar("value", value)? = 0;
        Ok(())
    })
}

/// There is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetStringStatus(c: Component, kind: c_int, _: *mut Text) -> c_int {
    enter("fmi2GetStringStatus", c, |_| no_status(kind))
}
