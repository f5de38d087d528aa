//! Violations of a joint: residuals of its equations, and misalignment of its frames.

use super::{Drives, JointElement, MOST_ROWS, Primitive, rate};
use crate::model::joint_kinds::{Aligned, Axis};
use crate::spatial::{Quat, Vec3, rotation};
use crate::system::assembly::Level;
use crate::system::motion::Motion;

/// Violation of a joint, as a length and an angle.
#[derive(Debug, Clone, Copy)]
pub struct Gap {
    /// Distance of the origins.
    pub length: f64,
    /// Angle between the axes that must be aligned (rad), also where the equations have another
    /// solution.
    pub angle: f64,
}

/// Misalignment (rad) beyond which the equations of axes may lead to opposite directions: Newton's
/// method on sin(phi) = 0 finds phi = 0 from less than 1.165.
const FAR: f64 = 1.0;

/// Part of a larger misalignment that a step of Newton's method corrects. So it does not end near a
/// right angle, where the equations are singular, from any larger angle.
const PART: f64 = 0.6;

/// A joint, and the motions of its bodies.
pub struct Misfit<'a> {
    /// The joint.
    pub joint: &'a JointElement,
    /// Motions of both ends.
    pub ends: [&'a Motion; 2],
}

/// An axis of a frame.
fn axis(frame: &Quat, k: Axis) -> Vec3 {
    Vec3::from(rotation::matrix(frame).column(k as usize))
}

impl Misfit<'_> {
    /// Angle between the axes that must be aligned: 0 in the right solution of the equations, half
    /// a turn in the others.
    pub fn misalignment(&self) -> f64 {
        if self.joint.kind.facts().aligned != Aligned::Cross {
            return self.turn().norm();
        }
        let [a, b] = self.frames();
        axis(&a, Axis::X).dot(&axis(&b, Axis::Y)).clamp(-1.0, 1.0).asin().abs()
    }

    /// The rotation from the axes of a to those of b that must be aligned with them, as a vector.
    fn turn(&self) -> Vec3 {
        let [a, b] = self.frames();
        match self.joint.kind.facts().aligned {
            // These have no wrong solution.
            Aligned::Nothing | Aligned::Cross => Vec3::zeros(),
            Aligned::Z => {
                let (u, w) = (axis(&a, Axis::Z), axis(&b, Axis::Z));
                let normal = u.cross(&w);
                // Opposite axes may turn about any axis across them.
                let across = normal.try_normalize(f64::EPSILON).unwrap_or_else(|| axis(&a, Axis::X));
                across * normal.norm().atan2(u.dot(&w))
            }
            Aligned::Frames => rotation::log(&(b * a.inverse())),
        }
    }

    /// Calls `each(index, residual)` for the independent equations of axes that are [`FAR`] from
    /// aligned: with these residuals, a step of Newton's method turns them by [`PART`] of their
    /// misalignment.
    pub fn lead(&self, mut each: impl FnMut(usize, f64)) {
        let turn = self.turn();
        if turn.norm_squared() <= FAR * FAR {
            return;
        }
        let mut row = 0;
        for primitive in &self.joint.primitives {
            if let (Primitive::Perpendicular(axes), Some(index)) = (primitive, self.joint.indices[row]) {
                // dPhi = (u x w) . (dtheta_a - dtheta_b).
                let (_, gradient) = axes.equation(Level::Position, self.ends[0], self.ends[1]);
                each(index.get(), -PART * gradient.dot(&turn));
            }
            row += primitive.rows();
        }
    }

    /// The rotations of both joint frames.
    fn frames(&self) -> [Quat; 2] {
        [0, 1].map(|end| rotation::compose(&self.ends[end].q, &self.joint.rest.frames[end].rotation))
    }

    /// Distance and misalignment of the joint frames, and of driven coordinates from their imposed
    /// values.
    pub fn gap(&self, drives: &Drives) -> Gap {
        let angle = self.misalignment();
        let mut gap = Gap { length: 0.0, angle };
        self.joint.for_each_row(self.ends, |k, phi, _, is_length| {
            if is_length && self.joint.drive_of(k).is_none() {
                gap.length = gap.length.hypot(phi);
            }
        });
        if self.joint.driven != [false; 2] {
            self.joint.for_each_row(self.ends, |k, phi, _, is_length| {
                if self.joint.drive_of(k).is_some() {
                    let part = if is_length { &mut gap.length } else { &mut gap.angle };
                    *part = part.max(self.joint.misfit(k, phi, drives).abs());
                }
            });
        }
        gap
    }

    /// Largest violation of a constraint, redundant ones included.
    pub fn largest(&self, drives: &Drives) -> f64 {
        let mut largest = 0.0f64;
        self.joint
            .for_each_row(self.ends, |k, phi, _, _| largest = largest.max(self.joint.misfit(k, phi, drives).abs()));
        largest
    }

    /// Residuals of redundant constraints, and whether each is a length.
    pub fn left_out(&self, drives: &Drives) -> impl Iterator<Item = (f64, bool)> + use<> {
        let mut misfits = [(0.0, true); MOST_ROWS];
        self.joint.for_each_row(self.ends, |k, phi, _, is_length| {
            if self.joint.indices[k].is_none() {
                misfits[k] = (self.joint.misfit(k, phi, drives), is_length);
            }
        });
        misfits.into_iter()
    }

    /// Largest rates of the constraints: of lengths, and of angles.
    pub fn rates(&self, drives: &Drives) -> Gap {
        let mut gap = Gap { length: 0.0, angle: 0.0 };
        self.joint.for_each_row(self.ends, |k, _, row, is_length| {
            let rate = (rate(&row, self.ends[0], self.ends[1]) - self.joint.imposed(k, drives, 1)).abs();
            let part = if is_length { &mut gap.length } else { &mut gap.angle };
            // `max` would hide NaN.
            if rate > *part || rate.is_nan() {
                *part = rate;
            }
        });
        gap
    }
}
