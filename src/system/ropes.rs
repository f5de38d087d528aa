//! Balance of forces at the end of a step at tension-only springs, tendons and lines of one
//! segment.
//!
//! Where the last increment of an iteration lets one of them fall slack, or snap, the increment was
//! computed with the wrong stiffness, so that the test on increments does not hold. Longer lines
//! have nodes of their own that show it.

use super::lines::BALANCE;
use super::motion::{Motion, State, site};
use super::views::{ElementForces, Lines};
use super::{Environment, System, Workspace};
use crate::elements::{Description, Element, MOST_NODES, NoPath, Site, Tendon, TendonSlip, Tie};
use crate::model::{EntityKind, LineLength};
use crate::spatial::Vec3;
use std::ops::Range;

/// Part of weight, inertia, tension and reactions that may be left by elements in energy form.
const BALANCE_OF_FORMS: f64 = 1e-8;

/// Rounding of a position, as part of its distance from the origin of the model.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

impl ElementForces<'_> {
    /// Whether there are tension-only springs or tendons.
    pub fn have_ropes(self) -> bool {
        self.0.has_ropes
    }

    /// Whether the nodes at their points, and at those of springs with tables, are in balance in
    /// the last evaluation.
    pub fn ropes_balance(self, e: &Environment, workspace: &Workspace) -> bool {
        // What is left does work: energy is to be kept.
        let part = if e.form.is_some() { BALANCE_OF_FORMS } else { BALANCE };
        let motions = &workspace.motions;
        let ties: &[[Tie; 2]] = self.0.elements.ties_of(EntityKind::Spring, &self.0.connections).as_chunks().0;
        let ropes = self.0.elements.springs.iter().zip(ties).filter(|(spring, _)| spring.has_kink());
        let balance = |ties: &[Tie], ends: &[Site], stiffness: f64, (length, tension): (f64, f64)| {
            let far = ends.iter().map(|end| end.x.amax()).fold(length, f64::max);
            let noise = stiffness * ROUNDING * far;
            ties.iter().zip(ends).all(|(tie, end)| self.0.holds(tie.node, &end.arm, [tension, noise], part, workspace))
        };
        let springs = ropes.into_iter().all(|(spring, ties)| {
            let ends = ties.each_ref().map(|tie| site(&motions[tie.node], tie));
            balance(ties, &ends, spring.stiffness, spring.length_and_tension(&ends))
        });
        let lengths = self.lengths(&e.loads.lines);
        springs
            && self.tendons().all(|(k, (tendon, ties))| {
                let at = ties.each_ref().map(|tie| site(&motions[tie.node], tie));
                // An eye between two parts has both.
                let (length, [_, tension]) = tendon.length_and_tensions(&at, &workspace.z[self.own(k)], lengths);
                balance(ties, &at, Description::stiffness(tendon), (length, 2.0 * tension))
            })
    }
}

impl<'a> ElementForces<'a> {
    /// The first tendon that has no path over its sheaves at motions of the carriers, and where.
    pub fn lost_path(self, motions: &[Motion]) -> Option<(usize, NoPath)> {
        let sites = |ties: &[Tie; MOST_NODES]| ties.each_ref().map(|tie| site(&motions[tie.node], tie));
        self.tendons().find_map(|(k, (tendon, ties))| Some((k, tendon.lost(&sites(ties))?)))
    }

    /// The same in a state.
    pub fn lost_path_in(self, state: &State) -> Option<(usize, NoPath)> {
        self.tendons().find_map(|(k, (tendon, ties))| Some((k, tendon.lost(&self.0.sites(ties, state))?)))
    }

    /// Tendons with their ties.
    fn tendons(self) -> impl Iterator<Item = (usize, (&'a Tendon, &'a [Tie; MOST_NODES]))> {
        let ties = self.0.elements.ties_of(EntityKind::Tendon, &self.0.connections).as_chunks().0;
        self.0.elements.tendons.iter().zip(ties).enumerate()
    }

    /// Places along a tendon, in the host's coordinates.
    pub fn tendon_places(self, tendon: usize, state: &State) -> Vec<[f64; 3]> {
        let places = self.tendons().nth(tendon).map(|(_, (own, ties))| own.polygon(&self.0.sites(ties, state)));
        places.unwrap_or_default().into_iter().map(|place| (self.0.origin + place).into()).collect()
    }

    /// The angle by which a tendon wraps a sheave.
    pub fn tendon_wrap(self, tendon: usize, point: usize, state: &State) -> f64 {
        let path =
            self.tendons().nth(tendon).and_then(|(_, (own, ties))| own.path(&self.0.sites(ties, state), None).ok());
        path.map_or(f64::NAN, |path| path.wraps[point])
    }

    /// Length of a tendon, and its tension at its first point.
    pub fn tendon_force(self, tendon: usize, state: &State, lengths: &[LineLength]) -> (f64, f64) {
        let Some((_, (own, ties))) = self.tendons().nth(tendon) else { return (f64::NAN, f64::NAN) };
        let z = &state.z[self.own(tendon)];
        let (length, [tension, _]) = own.length_and_tensions(&self.0.sites(ties, state), z, self.lengths(lengths));
        (length, tension)
    }

    /// What friction does at a point of a tendon.
    pub fn tendon_slip(
        self,
        (tendon, point): (usize, usize),
        state: &State,
        lengths: &[LineLength],
    ) -> Option<TendonSlip> {
        let (_, (own, ties)) = self.tendons().nth(tendon)?;
        own.slip(&self.0.sites(ties, state), (&state.z[self.own(tendon)], self.lengths(lengths)), point)
    }

    /// Lets tendons with friction start anew, with one tension.
    pub fn wind_tendons(self, state: &mut State) {
        (0..self.0.elements.tendons.len()).for_each(|tendon| state.z[self.own(tendon)].fill(0.0));
    }

    /// The own variables of a tendon.
    fn own(self, tendon: usize) -> Range<usize> {
        self.0.connections.parts(self.0.elements.place(EntityKind::Tendon, tendon)).own
    }
}

impl System {
    /// True if a node is in balance within a part of its weight, its inertia, the reactions of its
    /// joints ([`System::measure_reactions`]) and a pull at a lever arm, plus the noise of the
    /// pull. Forces of other elements do not count, so that the result may be false although the
    /// node is in balance. A node with imposed motion is always in balance.
    fn holds(&self, node: usize, arm: &Vec3, [pull, noise]: [f64; 2], part: f64, workspace: &Workspace) -> bool {
        if node >= self.layout.carriers() || !self.nodes().is_free(node) {
            return true;
        }
        let motion = &workspace.motions[node];
        let (bodies, points) = self.layout.split(&workspace.residual);
        let weight = self.gravity.norm() + motion.vdot.norm();
        // NaN is detected elsewhere.
        let is_within =
            |left: Vec3, terms: f64, noise: f64| left.norm().is_nan() || left.norm() <= part * terms + noise;
        let Some(rows) = bodies.get(node) else {
            let point = node - bodies.len();
            return is_within(points[point].into(), self.points[point].dry_mass() * weight + pull.abs(), noise);
        };
        let (inertia, lever) = (&self.inertias[node], arm.norm());
        let spin = motion.omegadot.norm() + motion.omega.norm_squared();
        let offset = inertia.eta.norm();
        let [of_joints, moment_of_joints] = workspace.reaction_sizes[node];
        let force = inertia.mass * (weight + offset * spin) + of_joints + pull.abs();
        let moment =
            inertia.inertia.norm() * spin + inertia.mass * offset * weight + moment_of_joints + pull.abs() * lever;
        is_within(Vec3::from_column_slice(&rows[..3]), force, noise)
            && is_within(Vec3::from_column_slice(&rows[3..]), moment, noise * lever)
    }
}

impl Lines<'_> {
    /// Whether the nodes at the ends of lines without a free node are in balance in the last
    /// evaluation.
    pub fn carriers_balance(self, e: &Environment, workspace: &Workspace) -> bool {
        self.0.lines.iter().zip(&workspace.lines.evaluations).enumerate().all(|(k, (line, evaluation))| {
            let segment = line.unstretched(k, &e.loads.lines).0 / line.segments.len() as f64;
            let mut ends = line.tied().map(|(end, _, tie)| (tie, evaluation.end_forces[end].norm()));
            (0..line.nodes.len()).any(|node| line.is_free(node))
                || ends.all(|(tie, pull)| {
                    let motion = &workspace.motions[tie.node];
                    let noise = line.chain.noise(segment, motion.x.amax());
                    self.0.holds(tie.node, &motion.arm(&tie.at), [pull, noise], BALANCE, workspace)
                })
        })
    }
}
