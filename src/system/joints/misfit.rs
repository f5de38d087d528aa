//! Violations of a joint: residuals of its equations, and misalignment of its frames.

use super::{Drives, JointElement, MOST_ROWS, rate};
use crate::model::joint_kinds::{Aligned, Axis};
use crate::spatial::{Mat3, Vec3, rotation};
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

/// A joint, and the motions of its bodies.
pub struct Misfit<'a> {
    /// The joint.
    pub joint: &'a JointElement,
    /// Motions of both ends.
    pub ends: [&'a Motion; 2],
}

impl Misfit<'_> {
    /// Angle between the axes that must be aligned: 0 in the right solution of the equations, half
    /// a turn in the others.
    pub fn misalignment(&self) -> f64 {
        let turned = |end: usize| rotation::compose(&self.ends[end].q, &self.joint.rest.frames[end].rotation);
        let (a, b) = (turned(0), turned(1));
        let (ra, rb) = (rotation::matrix(&a), rotation::matrix(&b));
        let axis = |r: &Mat3, k: Axis| Vec3::from(r.column(k as usize));
        let between = |u: &Vec3, w: &Vec3| u.cross(w).norm().atan2(u.dot(w));
        match self.joint.kind.facts().aligned {
            Aligned::Nothing => 0.0,
            Aligned::Z => between(&axis(&ra, Axis::Z), &axis(&rb, Axis::Z)),
            Aligned::Cross => axis(&ra, Axis::X).dot(&axis(&rb, Axis::Y)).clamp(-1.0, 1.0).asin().abs(),
            Aligned::Frames => rotation::log(&(a.inverse() * b)).norm(),
        }
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
