//! What clones of a simulation, and the states saved from it, have in common: described once, and read by all of them.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A value that copies of its owner share. Whoever changes it while others share it changes a copy of its own.
#[derive(Debug, PartialEq)]
pub(super) struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// A value that nobody shares yet.
    pub(super) fn new(value: T) -> Shared<T> {
        Shared(Arc::new(value))
    }

    /// Whether both are one and the same value in memory.
    pub(super) fn is_same(&self, other: &Shared<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

// Derived, it would ask for T: Clone.
impl<T> Clone for Shared<T> {
    fn clone(&self) -> Shared<T> {
        Shared(Arc::clone(&self.0))
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Shared<T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
    }
}
