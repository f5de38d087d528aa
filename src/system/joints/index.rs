//! Indices of the equations of a joint among the independent constraints of the system.

use super::MOST_ROWS;
use std::num::NonZeroU32;

/// Index of an independent constraint. It takes four bytes, also as an option, because every joint
/// has six of them and each evaluation reads all joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Index(NonZeroU32);

/// One per row of a joint; None for a redundant row.
pub type Indices = [Option<Index>; MOST_ROWS];

impl Index {
    /// From a number; unknowns are numbered by 32 bits.
    pub fn new(index: usize) -> Index {
        Index(NonZeroU32::MIN.saturating_add(index as u32))
    }

    /// The number.
    #[inline(always)]
    pub fn get(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// The first index, if three rows have consecutive indices.
#[inline(always)]
pub fn consecutive(indices: &[Option<Index>]) -> Option<usize> {
    match *indices {
        [Some(i), Some(j), Some(k)] if j.get() == i.get() + 1 && k.get() == i.get() + 2 => Some(i.get()),
        _ => None,
    }
}
