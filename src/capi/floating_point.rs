//! The host's floating-point environment during a call of the C API (see
//! [`crate::floating_point`]).

use super::thread::THREAD;
use crate::floating_point::Environment;

/// Sets the default environment until drop.
pub(super) struct DefaultEnvironment {
    /// The host's environment in the call whose load callback made this one.
    outer: Environment,
}

impl DefaultEnvironment {
    /// Saves the host's environment and sets the default one.
    #[inline]
    pub(super) fn enter() -> DefaultEnvironment {
        let host = Environment::present();
        if !host.computes_alike() {
            Environment::DEFAULT.set();
        }
        DefaultEnvironment { outer: THREAD.with(|thread| thread.host.replace(host)) }
    }
}

impl Drop for DefaultEnvironment {
    #[inline]
    fn drop(&mut self) {
        let host = THREAD.with(|thread| thread.host.replace(self.outer));
        if Environment::present() != host {
            host.set();
        }
    }
}

/// Runs the host's code in the host's environment, and stores the environment that it leaves.
#[inline]
pub(super) fn as_host<R>(code: impl FnOnce() -> R) -> R {
    THREAD.with(|thread| thread.host.get()).set();
    let result = code();
    THREAD.with(|thread| thread.host.set(Environment::present()));
    Environment::DEFAULT.set();
    result
}
