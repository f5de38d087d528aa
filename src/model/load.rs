//! Loads that the host applies: held wrenches on bodies and markers, and callbacks inside the iteration.

use super::{Frame, Id};
use crate::spatial::Vec6;
use std::sync::Arc;

/// A wrench and the axes it is given in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Load {
    /// Axes of the wrench; body axes turn with the body (a follower load).
    pub frame: Frame,
    /// Force, then moment about the reference point or marker.
    pub wrench: Vec6,
    /// Whether the host ever gave it: one first given after `initialize` acts from the initial time on.
    pub given: bool,
}

impl Load {
    /// No load, never given.
    pub const NONE: Load =
        Load { frame: Frame::Inertial, wrench: Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0), given: false };
}

/// All held loads at one time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Loads {
    /// One per body.
    pub bodies: Vec<Load>,
    /// One per marker.
    pub markers: Vec<Load>,
}

impl Loads {
    /// Sets every load to zero (a value that the host gave).
    pub fn clear(&mut self) {
        for load in self.bodies.iter_mut().chain(&mut self.markers) {
            *load = Load { given: true, ..Load::NONE };
        }
    }

    /// Becomes `from + fraction (to - from)`. A load whose axes changed between the two is held at its new value.
    pub fn interpolate(&mut self, from: &Loads, to: &Loads, fraction: f64) {
        let blend = |out: &mut Vec<Load>, from: &[Load], to: &[Load]| {
            for ((out, from), to) in out.iter_mut().zip(from).zip(to) {
                *out = *to;
                if from.frame == to.frame && fraction < 1.0 {
                    out.wrench = from.wrench + (to.wrench - from.wrench) * fraction;
                }
            }
        };
        blend(&mut self.bodies, &from.bodies, &to.bodies);
        blend(&mut self.markers, &from.markers, &to.markers);
    }

    /// Takes from `later` each load that was never given here.
    pub fn complete_from(&mut self, later: &Loads) {
        let fill = |own: &mut Vec<Load>, later: &[Load]| {
            for (own, later) in own.iter_mut().zip(later) {
                if !own.given {
                    *own = *later;
                }
            }
        };
        fill(&mut self.bodies, &later.bodies);
        fill(&mut self.markers, &later.markers);
    }

    /// Copies without allocation (the counts of one model never change).
    pub fn copy_from(&mut self, other: &Loads) {
        self.bodies.clone_from(&other.bodies);
        self.markers.clone_from(&other.markers);
    }
}

/// Motion of a body as a load callback sees it: the trial motion of the present iteration, inertial axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyMotion {
    /// Time at which the load is asked for.
    pub time: f64,
    /// The body.
    pub body: Id,
    /// Position of the reference point, then quaternion w x y z.
    pub pose: [f64; 7],
    /// Linear, then angular velocity.
    pub velocity: [f64; 6],
    /// Linear, then angular acceleration.
    pub acceleration: [f64; 6],
}

/// What a load callback fills; all zero on entry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyLoad {
    /// Force and moment about the reference point, inertial axes.
    pub wrench: [f64; 6],
    /// `-dw/d(displacement, rotation)`, column-major; may stay zero at the price of Newton's convergence.
    pub stiffness: [f64; 36],
    /// `-dw/dvelocity`, column-major; may stay zero.
    pub damping: [f64; 36],
}

/// A load that depends on the motion, evaluated inside the iteration. `Err(code)` fails the step.
pub type BodyLoadFn = Arc<dyn Fn(&BodyMotion, &mut BodyLoad) -> Result<(), i32> + Send + Sync>;
