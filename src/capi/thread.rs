//! Data of every call about its thread: a single thread-local, because the access to one takes a
//! tenth of a short call.

use crate::floating_point::Environment;
use std::cell::Cell;

/// No field has a destructor: a thread-local with one would keep the library mapped after
/// `dlclose`.
pub(super) struct Thread {
    /// The host's floating-point environment while this thread is inside a call; a harmless one
    /// before the first.
    pub(super) host: Cell<Environment>,
    /// This thread is inside the panic barrier: a panic is stored, not printed.
    pub(super) inside: Cell<bool>,
}

thread_local! {
    pub(super) static THREAD: Thread =
        const { Thread { host: Cell::new(Environment::DEFAULT), inside: Cell::new(false) } };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_calls_note_has_no_destructor() {
        assert!(!std::mem::needs_drop::<Thread>());
    }
}
