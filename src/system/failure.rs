//! Why an evaluation or a step failed, by indices; `simulation` turns them into names, times and
//! messages.

use super::Torn;
use crate::model::Leap;

/// Which iteration grew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Growing {
    /// The substeps of a semi-implicit scheme.
    Substeps,
    /// The iteration that brings the end of a step onto the constraints.
    Projection,
}

/// Why an evaluation or a step failed; the caller knows the names and the time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Failure {
    /// There was no pivot.
    Singular {
        /// The unknown of its column, if known.
        unknown: Option<usize>,
    },
    /// A factorisation in the middle of a step needs more memory than was reserved, and the system
    /// has none.
    OutOfMemory {
        /// How much.
        bytes: usize,
    },
    /// A number is NaN or infinite.
    NotFinite {
        /// Index of the unknown.
        unknown: usize,
        /// Iterations done.
        iterations: u32,
    },
    /// Newton did not converge.
    NoConvergence {
        /// Iterations done.
        iterations: u32,
        /// The convergence measure, 1 at the limit.
        error: f64,
        /// The unknown with the largest residual.
        unknown: usize,
        /// Residual energies of translations and rotations (Newton's iteration of a step).
        energies: Option<[f64; 2]>,
    },
    /// The step errs by more than the tolerance, and no shorter one is left.
    StepError {
        /// By how many tolerances.
        size: f64,
        /// The length of the step.
        length: f64,
        /// The first unknown of the node that errs most.
        unknown: usize,
    },
    /// An iteration diverged.
    Diverged {
        /// Which one.
        growing: Growing,
        /// Iterations done.
        iterations: u32,
        /// The unknown with the largest change.
        unknown: usize,
    },
    /// A driven joint would turn by more than half a turn in one step.
    Jump {
        /// The joint.
        joint: usize,
        /// By how much (rad).
        turn: f64,
    },
    /// The positions of an imposed motion differ from its rates by more than a step can follow.
    Leap(Leap),
    /// A winch makes a line or a tendon too short during a step.
    Short {
        /// The line; tendons come after the lines.
        line: usize,
        /// The shortest length.
        length: f64,
    },
    /// An imposed motion jumps to a rate that would turn a body too far in one step.
    Kick {
        /// The body.
        body: usize,
        /// By how much (rad).
        turn: f64,
    },
    /// A step turns a body by more than half a turn.
    HalfTurn {
        /// The body.
        body: usize,
        /// By how much (rad).
        turn: f64,
    },
    /// A joint is open or turned over at the end of a step.
    Torn(Torn),
    /// A joint violates a redundant constraint, which followed from the others at the initial
    /// poses.
    Contradiction {
        /// The joint.
        joint: usize,
    },
    /// A gear does so.
    GearContradiction {
        /// The gear.
        gear: usize,
    },
    /// A rolling disc turns further in one step than it leans.
    Overturns {
        /// The joint.
        joint: usize,
        /// How far it leans from where it lies flat, and how far it turns (rad).
        by: [f64; 2],
    },
    /// A disc rolls, where an analysis needs it at rest.
    Rolls {
        /// The joint.
        joint: usize,
    },
    /// A joint of a gear would turn so far in one step that its turns could not be counted.
    LostTurns {
        /// The joint.
        joint: usize,
        /// By how much (rad).
        turn: f64,
    },
    /// A load callback failed: it returned a nonzero code, or (None) numbers that are not finite.
    Callback {
        /// The body.
        body: usize,
        /// The code.
        code: Option<i32>,
    },
    /// The fluid callback failed: it returned a nonzero code, or (None) numbers that are not
    /// finite.
    Fluid {
        /// The node with these numbers: of a line, or of a point.
        place: Option<usize>,
        /// The code.
        code: Option<i32>,
    },
    /// The host's progress callback ended the call.
    Stopped {
        /// Its return.
        code: i32,
    },
    /// A coupled load callback failed in the same way.
    CoupledCallback {
        /// Its id.
        callback: usize,
        /// The code.
        code: Option<i32>,
    },
}
