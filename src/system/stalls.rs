//! When an iteration that asks load callbacks is down to what these round, to single precision perhaps, which does not shrink.

/// Largest part of what is iterated that may be noise of a callback.
pub const NOISY: f64 = 1e-6;

/// How often in a row changes must neither shrink nor teach anything to count as such.
const MOST: u32 = 5;

/// Counts the iterations in a row that did not get on.
pub struct Stalls {
    /// What is above this part of the least change so far has not shrunk.
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

    /// Whether the iteration stalls, behind one with this change that is `small` enough to be noise, and so many lessons of what the
    /// callbacks are.
    pub fn behind(&mut self, change: f64, small: bool, lessons: u32) -> bool {
        let teaches = std::mem::replace(&mut self.lessons, lessons) < lessons;
        let gets_on = teaches || change < self.part * self.least || !small;
        self.count = if gets_on { 0 } else { self.count + 1 };
        self.least = self.least.min(change);
        self.count >= MOST
    }
}
