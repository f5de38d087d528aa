//! Failures of line ends.

/// Ends of lines at one point that break off together.
#[derive(Debug, Clone, PartialEq)]
pub struct LineFailure {
    /// Lines, and which end of each: 0 is A, 1 is B.
    pub ends: Vec<(usize, usize)>,
    /// Time at which they break off; 0 for none.
    pub time: f64,
    /// Tension of one of the end segments above which they break off; 0 for none.
    pub tension: f64,
    /// The waiting point to which they remain tied; None leaves each end free.
    pub point: Option<usize>,
}
