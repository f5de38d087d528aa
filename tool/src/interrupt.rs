//! SIGINT and SIGTERM: recorded, and checked between steps and in long computations, so that files
//! are complete. A second signal ends the process at once.

use crate::failure::{Failure, Outcome};
use pintle::{ProgressFn, Simulation};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// The number of the signal, 0 if there was none.
static CAME: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

fn came() -> &'static Arc<AtomicUsize> {
    CAME.get_or_init(Default::default)
}

/// Installs the handlers. Errors: the system refuses.
pub fn watch() -> Outcome {
    let again = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order, so that the first signal does not end the process.
        let registered = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&again))
            .and_then(|_| flag::register(signal, Arc::clone(&again)))
            .and_then(|_| flag::register_usize(signal, Arc::clone(came()), signal as usize));
        registered.map_err(|error| Failure::Run(format!("signals cannot be caught: {error}")))?;
    }
    Ok(())
}

/// The number of the signal, 0 if there was none.
pub fn signal() -> u8 {
    came().load(Ordering::Relaxed) as u8
}

/// Errors: there was a signal.
pub fn check() -> Outcome {
    if signal() == 0 { Ok(()) } else { Err(Failure::interrupted()) }
}

/// Stops long calls of a system after a signal.
pub fn stop_long_calls(system: &mut Simulation) {
    let ask: ProgressFn = Arc::new(|_, _| i32::from(signal()));
    system.inputs().set_progress_callback(Some(ask));
}
