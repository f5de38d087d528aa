//! Clutches: friction and stops on the difference q_b - ratio q_a of two coordinates of joints.
//!
//! A clutch has up to four nodes, fewer where its joints share bodies. With q = sum of c_i q_i, B
//! the sum of the rows of both joints, dBdot the derivative of B v, and tau the force of the law
//! with k = -dtau/dq and c = -dtau/d(dq/dt):
//!
//! ```text
//! r -= B^T tau,   K = B^T (k B + c dBdot) - tau d(B^T)/dq,   C = c B^T B
//! ```
//!
//! Turns of angles enter as whole numbers, so that the difference of two shafts that turn together
//! is as exact after a million turns as at first.

use super::{Gradient, Machines};
use crate::elements::Local;
use crate::elements::machine::{Friction, Machine, Modes, STATES};
use crate::linear::Assemble;
use crate::model::Clutch;
use crate::spatial::Vec6;
use crate::system::assembly::Assembly;
use crate::system::joints::scalar::Scalar;
use crate::system::joints::{JointElement, acceleration, rate};
use crate::system::{Motion, State, System};
use std::f64::consts::TAU;

/// A clutch in the assembled model.
#[derive(Debug, Clone)]
pub struct ClutchElement {
    /// Joint, coordinate (0) or slide (1), and coefficient: of a and of b.
    parts: [(usize, usize, f64); 2],
    /// Friction without a force of its own: the capacities are brakes.
    pub machine: Machine,
    /// Where its own variables begin.
    pub first: usize,
}

impl ClutchElement {
    /// From the description.
    pub fn new(clutch: &Clutch) -> ClutchElement {
        let Clutch { coordinates: [a, b], ratio, static_ratio, slip, stop } = *clutch;
        let friction = Friction { static_ratio, slip, ..Friction::NONE };
        ClutchElement {
            parts: [(a.0, a.1, -ratio), (b.0, b.1, 1.0)],
            machine: Machine { friction: Some(friction), stop },
            first: 0,
        }
    }

    /// Its joints.
    pub fn joints(&self) -> [usize; 2] {
        self.parts.map(|(joint, ..)| joint)
    }

    /// Whether none of its joints is broken.
    pub fn is_whole(&self, joints: &[JointElement]) -> bool {
        self.parts.iter().all(|(joint, which, _)| joints[*joint].has_coordinate(*which))
    }

    /// Whether the difference is an angle, that is, coordinate b.
    pub fn is_angle(&self, joints: &[JointElement]) -> bool {
        let (joint, which, _) = self.parts[1];
        which == 0 && joints[joint].has_angle()
    }

    /// The difference with its rate and its acceleration, at the motions of the ends of both
    /// joints; and the terms of both. `near`: recent coordinates of all joints.
    fn at(&self, joints: &[JointElement], ends: &[[Motion; 2]; 2], near: &[f64]) -> ([f64; 3], [Option<Scalar>; 2]) {
        let (mut sums, mut turns) = ([0.0; 3], 0.0);
        let scalars = [0, 1].map(|k| {
            let (joint, which, factor) = self.parts[k];
            let (element, [a, b]) = (&joints[joint], &ends[k]);
            let scalar = element.scalar_of(which, [a, b])?;
            if which == 0 {
                sums[0] += factor * element.after_turns(scalar.value, 0.0);
                turns += factor * element.turns(scalar.value, near[joint]);
            } else {
                sums[0] += factor * scalar.value;
            }
            let scaled = scalar.times(factor);
            sums[1] += rate(&scaled.row, a, b);
            sums[2] += acceleration(&scaled.row, a, b) + scaled.velocity_term(a, b);
            Some(scaled)
        });
        sums[0] += TAU * turns;
        (sums, scalars)
    }
}

impl System {
    /// Adds the forces of all clutches, whose own variables are in `z`; `near` as above.
    pub(in crate::system) fn assemble_clutches<A: Assemble>(
        &self,
        near: &[f64],
        z: &[f64],
        assembly: &mut Assembly<A>,
    ) {
        for clutch in self.clutches.iter().filter(|clutch| clutch.is_whole(&self.joints)) {
            let nodes = clutch.joints().map(|joint| self.joints[joint].ends());
            let ends = nodes.map(|nodes| nodes.map(|node| assembly.motions[node]));
            let ([q, qdot, _], scalars) = clutch.at(&self.joints, &ends, near);
            let modes = Modes::read(&z[clutch.first..clutch.first + STATES]);
            let [tau, by_q, by_rate] = clutch.machine.force(&modes, [q, qdot]);
            let rows = rows_of(&scalars);
            let mut local: Local<4> = Local::zero(false, assembly.wants_tangents());
            local.residual = rows.map(|row| row * -tau);
            if let Some(tangents) = &mut local.tangents {
                let turns = turns_of(&scalars, &ends);
                for (i, row) in rows.iter().enumerate() {
                    for (j, (other, turn)) in rows.iter().zip(&turns).enumerate() {
                        tangents.stiffness[i][j] = row * (other * -by_q + turn * -by_rate).transpose();
                        tangents.damping[i][j] = row * (other * -by_rate).transpose();
                        if let (true, Some(scalar)) = (i / 2 == j / 2, &scalars[i / 2]) {
                            tangents.stiffness[i][j] -= scalar.second[i % 2][j % 2] * tau;
                        }
                    }
                }
            }
            let [[a, b], [c, d]] = nodes;
            assembly.add_local([a, b, c, d], &local);
        }
    }

    /// Energy of the springs of clutches that hold.
    pub(in crate::system) fn energy_of_clutches(&self, state: &State) -> f64 {
        let energy = |clutch: &ClutchElement| {
            let modes = Modes::read(&state.z[clutch.first..clutch.first + STATES]);
            let ([q, qdot, _], _) = clutch.at(&self.joints, &self.ends_of_clutch(clutch, state), &state.coordinates);
            clutch.machine.potential(&modes, [q, qdot])
        };
        self.clutches.iter().filter(|clutch| clutch.is_whole(&self.joints)).map(energy).sum()
    }

    fn ends_of_clutch(&self, clutch: &ClutchElement, state: &State) -> [[Motion; 2]; 2] {
        clutch.joints().map(|joint| self.end_motions(self.joints[joint].ends(), state))
    }
}

/// The parts of the gradient, of both ends of joint a, then of joint b.
fn rows_of(scalars: &[Option<Scalar>; 2]) -> [Vec6; 4] {
    let [[a, b], [c, d]] = scalars
        .each_ref()
        .map(|scalar| scalar.as_ref().map_or([Vec6::zeros(); 2], |scalar| [scalar.row.a, scalar.row.b]));
    [a, b, c, d]
}

/// The derivatives of the rate by the motions of the same ends.
fn turns_of(scalars: &[Option<Scalar>; 2], ends: &[[Motion; 2]; 2]) -> [Vec6; 4] {
    let [[a, b], [c, d]] = [0, 1].map(|k| {
        let of_rate = scalars[k].as_ref().map(|scalar| scalar.rate_gradient(&ends[k][0], &ends[k][1]));
        of_rate.map_or([Vec6::zeros(); 2], |row| [row.a, row.b])
    });
    [a, b, c, d]
}

impl Machines<'_> {
    /// The difference of a clutch, its rate and its acceleration.
    pub(super) fn clutch_motion(self, clutch: usize, state: &State) -> [f64; 3] {
        let clutch = &self.0.clutches[clutch];
        clutch.at(&self.0.joints, &self.0.ends_of_clutch(clutch, state), &state.coordinates).0
    }

    /// Its gradient.
    pub(super) fn clutch_row(self, clutch: usize, state: &State) -> Gradient {
        let clutch = &self.0.clutches[clutch];
        let (_, scalars) = clutch.at(&self.0.joints, &self.0.ends_of_clutch(clutch, state), &state.coordinates);
        let nodes = clutch.joints().map(|joint| self.0.joints[joint].ends());
        let rows = rows_of(&scalars);
        std::array::from_fn(|k| (rows[k], nodes[k / 2][k % 2]))
    }
}
