//! Spring with a table of forces over the coordinate q of a joint, or over a component of the
//! deflection of a bushing, `tau = -t(q)`, with t monotone ([`Curve`]): by its law, and over a step
//! in energy form (`energy_form`).
//!
//! With 0 and 1 for start and end of a step, H is the pull of the step on q in the place of a
//! length. It acts along the mean of the joint's axis z, which turns with body a:
//!
//! ```text
//! an angle:        -H zbar on b, H zbar on a,      zbar = (z0 + z1)/2,
//! a displacement:  the wrench (0, 0, H, 0, 0, 0) of `discrete_gradient`.
//! ```
//!
//! The work of a displacement is -H dq to rounding, whatever turns. That of an angle is -H dq where
//! the axis keeps its direction; where the axis turns by psi across itself in a step it is less by
//! a part of psi^2/12. Forces on a and b are opposite.

use super::curve::{SHORT, Value};
use super::discrete_gradient::Over;
use super::energy_form::{EnergyForm, Mean, Memory, Pull};
use super::{Curve, Local, Site};
use crate::error::Result;
use crate::spatial::{Mat3, Mat6, Quat, Vec3, Vec6, add_block, join, rotation, skew};

/// A spring with a table on the coordinate of a joint.
#[derive(Debug, Clone)]
pub struct CoordinateSpring {
    curve: Curve,
    has_kink: bool,
}

impl CoordinateSpring {
    /// From coordinates and forces; a single point is a constant force. Errors: those of a table.
    #[inline(never)]
    pub fn new(points: &[[f64; 2]]) -> Result<CoordinateSpring> {
        let column = |k: usize| points.iter().map(|point| point[k]).collect::<Vec<f64>>();
        let (mut coordinates, mut forces) = (column(0), column(1));
        if let [[q, force]] = points {
            coordinates.push(q + q.abs().max(1.0));
            forces.push(*force);
        }
        Ok(CoordinateSpring::of(Curve::through(["lengths", "forces"], coordinates, forces)?))
    }

    /// With the forces of a table.
    pub fn of(curve: Curve) -> CoordinateSpring {
        CoordinateSpring { has_kink: !curve.is_straight(), curve }
    }

    /// Coordinates and forces of the table.
    pub fn points(&self) -> [&[f64]; 2] {
        self.curve.points()
    }

    /// Force against the coordinate, its slope and its integral.
    #[inline(never)]
    pub fn at(&self, q: f64) -> Value {
        self.curve.at(q)
    }

    /// The greatest coordinate without force.
    pub fn free(&self) -> f64 {
        self.curve.free_length()
    }

    /// The largest slope.
    pub fn steepest(&self) -> f64 {
        self.curve.steepest()
    }

    /// Whether its stiffness changes: then steps take it in energy form.
    pub fn has_kink(&self) -> bool {
        self.has_kink
    }

    /// The pull of a step from q0 to q1, and whether the stiffness jumped.
    pub fn pull(&self, form: &EnergyForm, [q0, q1]: [f64; 2], last: &Memory) -> (Pull, bool) {
        let (dq, k) = (q1 - q0, self.steepest());
        let [start, end] = [q0, q1].map(|q| self.at(q));
        let [tension, slope] = self.curve.mean(q0, q1);
        // Of coordinates that are nearly equal the difference of forces is rounding.
        let [known, _] = self.points();
        let size = known.first().into_iter().chain(known.last()).fold(q1.abs(), |size, q| size.max(q.abs()));
        let (secant, secant_slope) = match dq.abs() > SHORT * size {
            true => ((end.force - start.force) / dq, (end.slope - (end.force - start.force) / dq) / dq),
            false => (end.slope, 0.0),
        };
        let (secant, secant_slope) = (secant / k, secant_slope / k);
        let mean = Mean { tension, slope, secant, secant_slope, end: [end.force, end.slope] };
        (form.pull(&mean, [q0, q1], [k, 0.0], last), (start.slope - end.slope).abs() > 0.5 * k)
    }
}

/// Adds the pull of a step on an angle about an axis that turns from z0 to z1; `gradient`: the
/// change of the angle with the rotation of b.
pub fn add_turning(z: [Vec3; 2], gradient: &Vec3, pull: &Pull, out: &mut Local<2>) {
    let mean = (z[0] + z[1]) * 0.5;
    let moment = join(&Vec3::zeros(), &(mean * pull.tension));
    out.residual[0] -= moment;
    out.residual[1] += moment;
    let Some(tangents) = &mut out.tangents else { return };
    // d zbar = theta_a x z1/2.
    let by_b = mean * gradient.transpose() * pull.slope;
    let by_a = -by_b - skew(&z[1]) * (0.5 * pull.tension);
    for (row, sign) in [(0, -1.0), (1, 1.0)] {
        for (column, block) in [by_a, by_b].iter().enumerate() {
            add_block(&mut tangents.stiffness[row][column], 1, 1, &(block * sign));
        }
    }
}

/// Adds the pull of a step on a displacement along z of the frame on the first place.
pub fn add_sliding([from, at]: [&[Site; 2]; 2], frame: &Quat, pull: &Pull, out: &mut Local<2>) {
    let [start, end] = [from, at].map(|[a, b]| {
        let axes: Mat3 = rotation::matrix(&rotation::compose(&a.q, frame));
        ([axes; 2], join(&axes.tr_mul(&(b.x - a.x)), &Vec3::zeros()))
    });
    let (mut wrench, mut stiffness) = (Vec6::zeros(), Mat6::zeros());
    (wrench[2], stiffness[(2, 2)]) = (pull.tension, pull.slope);
    Over::of([from, at], [&start, &end], (wrench, stiffness), false).add(out);
}
