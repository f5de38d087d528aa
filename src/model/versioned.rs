//! Copies that are updated only if the original has changed. Inputs of a model of 10,000 bodies are
//! more than a megabyte, and most steps do not change them.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};

/// A value that counts its mutable borrows.
#[derive(Debug)]
pub struct Versioned<T> {
    value: T,
    version: Version,
}

/// A copy of such a value, or a value of its own.
#[derive(Debug)]
pub struct CopyOf<T> {
    value: T,
    /// None if it is not a copy, or was changed since.
    version: Option<Version>,
}

/// Two values of the same version are equal: an id of the object in this process, and the number of
/// its changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Version {
    object: u64,
    changes: u64,
}

impl<T> Versioned<T> {
    /// A value with a new version.
    pub fn new(value: T) -> Versioned<T> {
        static OBJECTS: AtomicU64 = AtomicU64::new(0);
        Versioned { value, version: Version { object: OBJECTS.fetch_add(1, Ordering::Relaxed), changes: 0 } }
    }
}

impl<T> CopyOf<T> {
    /// Copies `original` by `copy`, unless the versions are equal.
    pub fn follow(&mut self, original: &Versioned<T>, copy: impl FnOnce(&mut T, &T)) {
        if self.version != Some(original.version) {
            // If `copy` panics, it is not a copy.
            self.version = None;
            copy(&mut self.value, &original.value);
            self.version = Some(original.version);
        }
    }
}

impl<T> From<T> for CopyOf<T> {
    fn from(value: T) -> CopyOf<T> {
        CopyOf { value, version: None }
    }
}

impl<T> Deref for Versioned<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Versioned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        self.version.changes += 1;
        &mut self.value
    }
}

impl<T> Deref for CopyOf<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for CopyOf<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        self.version = None;
        &mut self.value
    }
}

impl<T: Default> Default for Versioned<T> {
    fn default() -> Versioned<T> {
        Versioned::new(T::default())
    }
}

/// A clone has a version of its own.
impl<T: Clone> Clone for Versioned<T> {
    fn clone(&self) -> Versioned<T> {
        Versioned::new(self.value.clone())
    }
}

impl<T: Clone> Clone for CopyOf<T> {
    fn clone(&self) -> CopyOf<T> {
        CopyOf { value: self.value.clone(), version: self.version }
    }
}

/// Compares values, not versions.
impl<T: PartialEq> PartialEq for Versioned<T> {
    fn eq(&self, other: &Versioned<T>) -> bool {
        self.value == other.value
    }
}

/// Compares values, not versions.
impl<T: PartialEq> PartialEq for CopyOf<T> {
    fn eq(&self, other: &CopyOf<T>) -> bool {
        self.value == other.value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Updates a copy, and returns whether something was copied.
    fn follow(copy: &mut CopyOf<Vec<i32>>, original: &Versioned<Vec<i32>>) -> bool {
        let mut copied = false;
        copy.follow(original, |to, from| {
            to.clone_from(from);
            copied = true;
        });
        assert_eq!(**copy, **original);
        copied
    }

    #[test]
    fn copies_are_made_once_for_each_change() {
        let mut original = Versioned::new(vec![1, 2]);
        let mut copy = CopyOf::from(vec![]);
        assert_eq!([(); 3].map(|()| follow(&mut copy, &original)), [true, false, false]);
        original[1] = 3;
        assert_eq!([(); 2].map(|()| follow(&mut copy, &original)), [true, false]);
        assert!(!follow(&mut copy.clone(), &original), "a clone of a copy is a copy");
    }

    #[test]
    fn what_was_changed_is_no_copy_any_more() {
        let original = Versioned::new(vec![1, 2]);
        let mut copy = CopyOf::from(vec![]);
        assert!(follow(&mut copy, &original));
        copy[0] = 7;
        assert!(follow(&mut copy, &original));
    }

    #[test]
    fn a_clone_that_changed_as_often_is_another_version() {
        let mut original = Versioned::new(vec![1, 2]);
        let mut clone = original.clone();
        (original[0], clone[0]) = (5, 6);
        let mut copy = CopyOf::from(vec![]);
        assert_eq!([&original, &clone, &original].map(|each| follow(&mut copy, each)), [true; 3]);
    }

    #[test]
    fn a_copy_that_was_not_finished_is_none() {
        let original = Versioned::new(vec![1, 2]);
        let mut copy = CopyOf::from(vec![]);
        let torn =
            std::panic::AssertUnwindSafe(|| copy.follow(&original, |_, _| std::panic::resume_unwind(Box::new(()))));
        assert!(std::panic::catch_unwind(torn).is_err());
        assert!(follow(&mut copy, &original));
    }
}
