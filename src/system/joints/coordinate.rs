//! The coordinate of a joint: its value over any number of turns, rates, and the spring, damper and load on it.

use super::{Assembly, JointElement, Motion, PairTangent, acceleration, rate, wrap};
use crate::linear::Assemble;
use crate::model::Coordinate;
use crate::spatial::Vec6;

impl JointElement {
    /// Whether the coordinate is an angle.
    pub fn has_angle(&self) -> bool {
        self.kind.coordinate() == Some(Coordinate::Angle)
    }

    /// The coordinate nearest to `near` (angles come back after a turn), its rate and its acceleration. None for joints
    /// that have none.
    pub fn coordinate(&self, [a, b]: [&Motion; 2], near: f64) -> Option<[f64; 3]> {
        let scalar = self.coordinate.as_ref()?.scalar(a, b)?;
        let q = match self.kind.coordinate()? {
            Coordinate::Angle => near + wrap(scalar.value - near),
            Coordinate::Displacement => scalar.value,
        };
        let qdd = acceleration(&scalar.row, a, b) + scalar.velocity_term(a, b);
        Some([q, rate(&scalar.row, a, b), qdd])
    }

    /// Energy of the spring on the coordinate.
    pub fn potential(&self, ends: [&Motion; 2], near: f64) -> f64 {
        match (&self.spring, self.coordinate(ends, near)) {
            (Some(spring), Some([q, ..])) => 0.5 * spring.stiffness * (q - spring.rest) * (q - spring.rest),
            _ => 0.0,
        }
    }

    /// Adds the generalized force `tau = load - k (q - rest) - c qdot`: B^T tau acts, on both bodies oppositely.
    pub fn assemble_force<A: Assemble>(&self, assembly: &mut Assembly<A>, load: f64, near: f64) {
        if self.spring.is_none() && load == 0.0 {
            if self.coordinate.is_some() {
                assembly.reserve_pair(self.ends);
            }
            return;
        }
        let motions = assembly.motions;
        let [a, b] = self.ends.map(|end| &motions[end]);
        let Some(scalar) = self.coordinate.as_ref().and_then(|coordinate| coordinate.scalar(a, b)) else { return };
        let (mut tau, mut k, mut c) = (load, 0.0, 0.0);
        if let (Some(spring), Some([q, qdot, _])) = (&self.spring, self.coordinate([a, b], near)) {
            (k, c) = (spring.stiffness, spring.damping);
            tau -= k * (q - spring.rest) + c * qdot;
        }
        let rows = [scalar.row.a, scalar.row.b];
        let of_rate = scalar.rate_gradient(a, b);
        let turn = [of_rate.a, of_rate.b];
        let outer = |i: usize, other: &Vec6| rows[i] * other.transpose();
        let stiffness = |i: usize, j: usize| outer(i, &(rows[j] * k + turn[j] * c)) - scalar.second[i][j] * tau;
        let damping = |i: usize, j: usize| outer(i, &(rows[j] * c));
        for (i, row) in rows.iter().enumerate() {
            assembly.add_residual(self.ends[i], &(row * -tau));
        }
        assembly.add_pair(
            self.ends,
            &PairTangent {
                stiffness: [[stiffness(0, 0), stiffness(0, 1)], [stiffness(1, 0), stiffness(1, 1)]],
                damping: [[damping(0, 0), damping(0, 1)], [damping(1, 0), damping(1, 1)]],
            },
        );
    }
}
