//! What every call notes of the thread that it runs on: one thread-local, because to find one takes a tenth of a short call.

use std::cell::Cell;

/// The default floating-point environment, as `floating_point` has it in its register (MXCSR): nothing traps, round to nearest,
/// denormal numbers are kept, no flags. Other processors: hosts do not trap there, and the environment is taken as it is.
pub(super) const DEFAULT: u32 = if cfg!(target_arch = "x86_64") { 0x1f80 } else { 0 };

/// No field has a destructor: a thread-local with one would keep the library mapped after `dlclose`.
pub(super) struct Thread {
    /// The host's floating-point environment while this thread is inside a call; a harmless one before the first.
    pub(super) host: Cell<u32>,
    /// This thread is inside the panic barrier: a panic is stored, not printed.
    pub(super) inside: Cell<bool>,
}

thread_local! {
    pub(super) static THREAD: Thread = const { Thread { host: Cell::new(DEFAULT), inside: Cell::new(false) } };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_calls_note_has_no_destructor() {
        assert!(!std::mem::needs_drop::<Thread>());
    }
}
