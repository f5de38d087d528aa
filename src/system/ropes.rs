//! Whether forces are in balance at the end of a step on what springs that only pull, and lines of one segment, lead to.
//!
//! Where the last increment of an iteration lets one of them fall slack, or snap, nothing holds of what was expected of that increment:
//! it was computed with a stiffness that is not there any more. Longer lines have nodes of their own that tell it.

use super::elements::site;
use super::lines::BALANCE;
use super::views::{ElementForces, Lines};
use super::{Environment, System, Workspace};
use crate::elements::Tie;
use crate::model::EntityKind;
use crate::spatial::Vec3;

/// Rounding of a place, as part of its distance from the origin of the model.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

impl ElementForces<'_> {
    /// Whether there are springs that only pull.
    pub fn have_ropes(self) -> bool {
        self.0.has_ropes
    }

    /// Whether what they pull at is in balance, as evaluated last.
    pub fn ropes_balance(self, workspace: &Workspace) -> bool {
        let motions = &workspace.motions;
        let ties: &[[Tie; 2]] = self.0.elements.ties_of(EntityKind::Spring, &self.0.connections).as_chunks().0;
        let ropes = self.0.elements.springs.iter().zip(ties).filter(|(spring, _)| spring.tension_only);
        ropes.into_iter().all(|(spring, ties)| {
            let ends = ties.each_ref().map(|tie| site(&motions[tie.node], tie));
            let (length, tension) = spring.length_and_tension(&ends);
            let far = ends.iter().map(|end| end.x.amax()).fold(length, f64::max);
            let noise = spring.stiffness * ROUNDING * far;
            ties.iter().zip(&ends).all(|(tie, end)| self.0.holds(tie.node, &end.arm, [tension, noise], workspace))
        })
    }
}

impl System {
    /// True if a node is in balance but for a part of its weight, its inertia, the reactions of its joints
    /// ([`System::measure_reactions`]) and a pull at an arm, which has so much noise. Forces of other elements do not count, so
    /// that the answer may be no without need. A node whose motion is imposed is always in balance.
    fn holds(&self, node: usize, arm: &Vec3, [pull, noise]: [f64; 2], workspace: &Workspace) -> bool {
        if node >= self.layout.carriers() || !self.nodes().is_free(node) {
            return true;
        }
        let motion = &workspace.motions[node];
        let (bodies, points) = self.layout.split(&workspace.residual);
        let weight = self.gravity.norm() + motion.vdot.norm();
        // What is no number is found by others.
        let is_within =
            |left: Vec3, terms: f64, noise: f64| left.norm().is_nan() || left.norm() <= BALANCE * terms + noise;
        let Some(rows) = bodies.get(node) else {
            let point = node - bodies.len();
            return is_within(points[point].into(), self.points[point].dry_mass() * weight + pull.abs(), noise);
        };
        let (inertia, lever) = (&self.inertias[node], arm.norm());
        let spin = motion.omegadot.norm() + motion.omega.norm_squared();
        let offset = inertia.eta.norm();
        let [of_joints, moment_of_joints, _] = workspace.limits[node];
        let force = inertia.mass * (weight + offset * spin) + of_joints + pull.abs();
        let moment =
            inertia.inertia.norm() * spin + inertia.mass * offset * weight + moment_of_joints + pull.abs() * lever;
        is_within(Vec3::from_column_slice(&rows[..3]), force, noise)
            && is_within(Vec3::from_column_slice(&rows[3..]), moment, noise * lever)
    }
}

impl Lines<'_> {
    /// Whether what lines without a free node lead to is in balance, as evaluated last.
    pub fn carriers_balance(self, e: &Environment, workspace: &Workspace) -> bool {
        self.0.lines.iter().zip(&workspace.lines.evaluations).enumerate().all(|(k, (line, evaluation))| {
            let segment = line.unstretched(k, &e.loads.lines).0 / line.segments.len() as f64;
            let mut ends = line.tied().map(|(end, _, tie)| (tie, evaluation.end_forces[end].norm()));
            (0..line.nodes.len()).any(|node| line.is_free(node))
                || ends.all(|(tie, pull)| {
                    let motion = &workspace.motions[tie.node];
                    let noise = line.chain.noise(segment, motion.x.amax());
                    self.0.holds(tie.node, &motion.arm(&tie.at), [pull, noise], workspace)
                })
        })
    }
}
