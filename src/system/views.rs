//! What schemes and analyses ask of a system beside evaluating it, by concern: each a view that is one reference, taken for a call
//! or a few. The methods stand in the files of their concern.
//!
//! | View | What |
//! |---|---|
//! | [`Lines::count`] | mooring lines: how their nodes move and rest, energies, bounds of steps |

use super::System;

/// Mooring lines: which nodes are whose, how they follow their ends and come to rest; see [`Lines::count`].
#[derive(Clone, Copy)]
pub struct Lines<'a>(pub(super) &'a System);

impl System {
    /// What concerns lines.
    #[inline(always)]
    pub fn lines(&self) -> Lines<'_> {
        Lines(self)
    }
}
