//! The floating-point environment: a library computes in the default one, whatever that of its host
//! is.
//!
//! Rust's compiler assumes the default environment. It turns `if x > 0.0 { 1.0 / x } else { 1.0 }`
//! into a division and a selection, and an unused SIMD lane may divide 0 by 0: harmless, unless the
//! host traps such operations (gfortran -ffpe-trap, OpenFAST), which would end its process. And a
//! host that flushes denormal numbers or rounds otherwise would get other bits. So every call from
//! outside, of the C API and of an FMU, sets the default environment if necessary, and restores the
//! host's own, including status flags, when it returns and while code of the host runs.

/// Traps of exceptions, rounding mode, treatment of denormal numbers, and the flags of past
/// exceptions: the register MXCSR. Hosts on other processors do not trap, and their environment is
/// not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Environment(u32);

impl Environment {
    /// Nothing traps, numbers are rounded to nearest, denormal numbers are kept, no flag is set.
    pub const DEFAULT: Environment = Environment(if cfg!(target_arch = "x86_64") { 0x1f80 } else { 0 });

    /// Whether it is the default one except for its flags.
    #[inline]
    pub fn computes_alike(self) -> bool {
        const FLAGS: u32 = 0x3f;
        self.0 & !FLAGS == Environment::DEFAULT.0
    }
}

#[cfg(target_arch = "x86_64")]
impl Environment {
    /// That of this thread.
    #[inline]
    pub fn present() -> Environment {
        let mut value = 0u32;
        // SAFETY: stores four bytes to the variable.
        unsafe { std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack, preserves_flags)) };
        Environment(value)
    }

    /// Sets the environment of this thread. Other ones than the default are set only right before
    /// code of the host continues.
    #[inline]
    pub fn set(self) {
        // SAFETY: loads four bytes from the variable; every value is the default or was read from
        // the register, so no reserved bit is set.
        unsafe { std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const self.0, options(nostack, preserves_flags)) };
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Environment {
    /// The default one: hosts on this processor do not trap.
    pub fn present() -> Environment {
        Environment::DEFAULT
    }

    /// Does nothing.
    pub fn set(self) {}
}
