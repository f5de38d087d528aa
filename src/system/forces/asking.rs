//! What an assembly asks of load callbacks.

/// How an assembly treats callbacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asking {
    /// Results at the motions; only their own matrices count.
    Anew,
    /// The first or a later evaluation of an iteration: updates learnt from its evaluations count
    /// too.
    Iterating {
        /// The first one.
        first: bool,
    },
    /// Once more after such an iteration, with other accelerations: results follow from its last
    /// evaluation and A, and no callback is called. Of inertia the matrix has M alone, so that D of
    /// `Kinetics::damped_accelerations` is that of forces, and the start of a body that spins
    /// freely keeps its momentum.
    Recalling,
}
