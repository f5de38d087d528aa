//! Why an evaluation or a step failed, by indices; who knows names and times makes words of it.

use super::Torn;
use crate::model::Leap;

/// What grew.
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
    /// No pivot was found; the unknown it belongs to, where it is known.
    Singular {
        /// Index of the unknown.
        unknown: Option<usize>,
    },
    /// A factorisation needs memory that was not asked for before the call, and there is none.
    OutOfMemory {
        /// How much.
        bytes: usize,
    },
    /// A number stopped being finite.
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
    /// An iteration grew instead of shrinking.
    Diverged {
        /// Whose it was.
        growing: Growing,
        /// Iterations done.
        iterations: u32,
        /// The unknown that changed most.
        unknown: usize,
    },
    /// A driven joint was to turn by more than half a turn in one step.
    Jump {
        /// The joint.
        joint: usize,
        /// By how much (rad).
        turn: f64,
    },
    /// The positions of an imposed motion run further from its rates than a step can follow.
    Leap(Leap),
    /// A winch makes a line too short on the way through a step.
    Short {
        /// The line.
        line: usize,
        /// The least length.
        length: f64,
    },
    /// An imposed motion jumps to a rate that would turn a body further in one step than a step can follow.
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
    /// A joint does not hold its bodies at the end of a step.
    Torn(Torn),
    /// A joint came apart in a constraint that was left out because it followed from the others at the initial poses.
    Contradiction {
        /// The joint.
        joint: usize,
    },
    /// So did a gear.
    GearContradiction {
        /// The gear.
        gear: usize,
    },
    /// A joint of a gear is to turn so far in one step that its turns are lost.
    LostTurns {
        /// The joint.
        joint: usize,
        /// By how much (rad).
        turn: f64,
    },
    /// A load callback failed: its nonzero return, or None for numbers that are not finite.
    Callback {
        /// The body.
        body: usize,
        /// The return.
        code: Option<i32>,
    },
    /// The fluid callback failed: its nonzero return, or None for numbers that are not finite.
    Fluid {
        /// The node with these: of a line, or of a point.
        place: Option<usize>,
        /// The return.
        code: Option<i32>,
    },
    /// The host's progress callback ended the call.
    Stopped {
        /// Its return.
        code: i32,
    },
    /// So did a coupled one.
    CoupledCallback {
        /// Its id.
        callback: usize,
        /// The return.
        code: Option<i32>,
    },
}
