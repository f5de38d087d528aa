//! Constant data that clones of a simulation and its saved states share.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A value that clones of its owner share (copy on write).
#[derive(Debug, PartialEq)]
pub(super) struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// A value that is not shared yet.
    pub(super) fn new(value: T) -> Shared<T> {
        Shared(Arc::new(value))
    }

    /// Whether both are the same value in memory.
    pub(super) fn is_same(&self, other: &Shared<T>) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

// A derived one would require T: Clone.
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
