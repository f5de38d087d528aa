//! Detects when an iteration with load callbacks has reached their rounding, perhaps of single
//! precision, and no longer converges.

/// Largest part of the iterated quantity that may be noise of a callback.
pub const NOISY: f64 = 1e-6;

/// Number of successive iterations without convergence and without an update of A that count as a
/// stall.
const MOST: u32 = 5;

/// Counts the successive iterations without progress.
pub struct Stalls {
    /// A change above this part of the smallest change so far is not progress.
    part: f64,
    least: f64,
    lessons: u32,
    count: u32,
}

impl Stalls {
    /// Before the first iteration.
    pub fn new(part: f64) -> Stalls {
        Stalls { part, least: f64::INFINITY, lessons: 0, count: 0 }
    }

    /// Whether the iteration stalls after an iteration with this change, `small` if it may be
    /// noise, and this number of updates of A.
    pub fn behind(&mut self, change: f64, small: bool, lessons: u32) -> bool {
        let teaches = std::mem::replace(&mut self.lessons, lessons) < lessons;
        let gets_on = teaches || change < self.part * self.least || !small;
        self.count = if gets_on { 0 } else { self.count + 1 };
        self.least = self.least.min(change);
        self.count >= MOST
    }
}
