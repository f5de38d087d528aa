//! Energy, momentum, reactions: what the host reads to judge a run.

use super::assembly::Level;
use super::views::Balance;
use super::{BodyState, Environment, Failure, Motion, State, Workspace, hydrodynamics, inertia_terms};
use crate::model::{Hydrodynamics, LineLength, Water};
use crate::spatial::{Vec3, Vec6, join, upper};

impl Balance<'_> {
    /// Kinetic energy (of bodies and points with their added mass, of lines without) and potential energy (weight, buoyancy, force elements,
    /// springs on joints, lines with the seabed under them; weight is zero at the inertial origin). `lengths`: unstretched ones
    /// of lines.
    pub fn energy(self, state: &State, h: &[Hydrodynamics], water: &Water, lengths: &[LineLength]) -> (f64, f64) {
        let (mut kinetic, mut potential) = (0.0, 0.0);
        for (body, (inertia, motion)) in self.0.inertias.iter().zip(state.motions().map(|s| Motion::of(&s))).enumerate()
        {
            let (momentum, eta) = inertia_terms(inertia, &motion);
            kinetic += 0.5 * (upper(&momentum).dot(&motion.v) + crate::spatial::lower(&momentum).dot(&motion.omega));
            potential -= inertia.mass * self.0.gravity.dot(&(self.0.origin + motion.x + eta));
            if let Some(a) = &h[body].added_mass {
                let reference = self.0.references().state(body, &state.body(body));
                kinetic += hydrodynamics::kinetic_energy(a, &motion.r, &reference.v);
            }
        }
        for point in self.0.points.iter().filter(|point| point.mass > 0.0) {
            let BodyState { x, v, .. } = state.body(point.node);
            kinetic += 0.5 * point.mass * upper(&v).norm_squared();
            potential -= point.mass * self.0.gravity.dot(&(self.0.origin + x));
        }
        let elevation =
            |k: usize| state.lines.fluid.get(self.0.layout.chained() + k).map_or(0.0, |fluid| fluid.elevation);
        for (k, point) in self.0.points.iter().enumerate() {
            if let Some(wet) = &point.wet {
                let BodyState { x, v, .. } = state.body(point.node);
                let height = x.z + self.0.origin.z;
                kinetic += wet.kinetic_energy(height, &upper(&v), water, elevation(k));
                potential += wet.energy(height, self.0.gravity.z, water, elevation(k));
            }
        }
        for (line, length) in lengths.iter().enumerate() {
            let energies = self.0.lines().energies(line, length.length, state, water);
            (kinetic, potential) = (kinetic + energies.kinetic, potential + energies.potential());
        }
        for (element, ties) in self.0.elements.iter().zip(&self.0.ties) {
            potential += element.potential(&self.0.elements().sites(ties, state));
        }
        for (joint, near) in self.0.joints.iter().zip(&state.coordinates) {
            let [a, b] = self.0.end_motions(joint.ends(), state);
            potential += joint.potential([&a, &b], *near);
        }
        (kinetic, potential)
    }

    /// Linear momentum, and angular momentum about a point (in the host's coordinates), of all bodies, points and lines (added mass is the
    /// fluid's). `lengths`: unstretched ones of lines.
    pub fn momentum(self, state: &State, about: &Vec3, lengths: &[LineLength]) -> Vec6 {
        let (motions, about) = (state.motions().map(|state| Motion::of(&state)), about - self.0.origin);
        let bodies = self.0.inertias.iter().zip(motions).fold(Vec6::zeros(), |sum, (inertia, motion)| {
            let (momentum, _) = inertia_terms(inertia, &motion);
            let linear = upper(&momentum);
            let angular = crate::spatial::lower(&momentum) + (motion.x - about).cross(&linear);
            sum + join(&linear, &angular)
        });
        let points = self.0.points.iter().filter(|point| point.mass > 0.0).fold(bodies, |sum, point| {
            let BodyState { x, v, .. } = state.body(point.node);
            let linear = upper(&v) * point.mass;
            sum + join(&linear, &(x - about).cross(&linear))
        });
        self.0.lines.iter().enumerate().fold(points, |sum, (k, line)| {
            let (last, length) = (line.nodes.len() - 1, line.unstretched(k, lengths).0);
            // What a winch has paid out or taken in has its mass, too.
            let mass = line.mass * (length / line.length);
            line.nodes.clone().enumerate().fold(sum, |sum, (k, node)| {
                let BodyState { x, v, .. } = state.body(self.0.layout.chained_node(node));
                let share = if k == 0 || k == last { 0.5 } else { 1.0 };
                let linear = upper(&v) * (share * mass / last as f64);
                sum + join(&linear, &(x - about).cross(&linear))
            })
        })
    }

    /// What must be applied to the nodes with imposed motion at a state with its accelerations and multipliers; and what is read
    /// of lines there, whose stick points follow.
    pub fn reactions(self, e: &Environment, state: &mut State, workspace: &mut Workspace) -> Result<(), Failure> {
        if self.has_reactions() {
            self.forces_at(e, state, workspace)?;
            state.reactions.clone_from(&workspace.reactions);
            self.0.lines().conclude(e, state, workspace);
        }
        Ok(())
    }

    /// Whether [`Balance::reactions`] evaluates forces.
    pub fn has_reactions(self) -> bool {
        !(self.0.nodes().all_free() && self.0.lines.is_empty())
    }

    /// The forces out of balance at a state with its accelerations and multipliers, into the residual of the workspace.
    pub fn forces_at(self, e: &Environment, state: &State, workspace: &mut Workspace) -> Result<(), Failure> {
        self.0.move_to(state, workspace);
        let coefficients = self.0.acceleration_coefficients();
        self.0.assemble_residual(e, Level::Acceleration, coefficients, &state.lambda, workspace)
    }
}
