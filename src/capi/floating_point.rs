//! The floating-point environment: the library computes in the default one, whatever the host runs with.
//!
//! Compilers of Rust assume the default environment. Of `if x > 0.0 { 1.0 / x } else { 1.0 }` they make a division and
//! a choice, and a spare lane of a vector divides 0 by 0: harmless, unless the host traps such operations (gfortran
//! -ffpe-trap, OpenFAST), which would end its process. And a host that flushes denormal numbers or rounds otherwise
//! would get other bits. So every call sets the default environment if it has to, and gives the host its own one back,
//! status flags included, when it returns and while a load callback runs.

use super::thread::{DEFAULT, THREAD};

/// The default environment until drop.
pub(super) struct DefaultEnvironment {
    /// What stood for the host before: of the call whose load callback made this one.
    outer: u32,
}

impl DefaultEnvironment {
    /// Keeps the host's environment and sets the default one.
    #[inline]
    pub(super) fn enter() -> DefaultEnvironment {
        let host = register::read();
        if host & !register::FLAGS != DEFAULT {
            register::write(DEFAULT);
        }
        DefaultEnvironment { outer: THREAD.with(|thread| thread.host.replace(host)) }
    }
}

impl Drop for DefaultEnvironment {
    #[inline]
    fn drop(&mut self) {
        let host = THREAD.with(|thread| thread.host.replace(self.outer));
        if register::read() != host {
            register::write(host);
        }
    }
}

/// Runs the host's code in the host's environment, and remembers what it made of it.
#[inline]
pub(super) fn as_host<R>(code: impl FnOnce() -> R) -> R {
    register::write(THREAD.with(|thread| thread.host.get()));
    let result = code();
    THREAD.with(|thread| thread.host.set(register::read()));
    register::write(DEFAULT);
    result
}

/// MXCSR: which exceptions trap, how to round, what to do with denormal numbers; and the flags of past exceptions.
#[cfg(target_arch = "x86_64")]
mod register {
    use std::arch::asm;

    /// The status flags.
    pub const FLAGS: u32 = 0x3f;

    #[inline]
    pub fn read() -> u32 {
        let mut value = 0u32;
        // SAFETY: stores four bytes to the variable.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack, preserves_flags)) };
        value
    }

    #[inline]
    pub fn write(value: u32) {
        // SAFETY: loads four bytes from the variable; all values are DEFAULT or were read from the register, so no
        // reserved bit is set. Rust code runs under DEFAULT: others are written only right before the host goes on.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, preserves_flags)) };
    }
}

/// Other processors: hosts do not trap there, and the environment is taken as it is.
#[cfg(not(target_arch = "x86_64"))]
mod register {
    use super::DEFAULT;

    pub const FLAGS: u32 = 0;

    pub fn read() -> u32 {
        DEFAULT
    }

    pub fn write(_: u32) {}
}
