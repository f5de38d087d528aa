//! Energy, momentum and reactions, by which the host judges a run.

use super::assembly::Level;
use super::motion::site;
use super::points::PointElement;
use super::views::Balance;
use super::{BodyState, Environment, Failure, Motion, State, Workspace, inertia_terms};
use crate::elements::{Element, Surroundings, Tie};
use crate::model::{Hydrodynamics, LineLength, Water};
use crate::spatial::{Vec3, Vec6, join, upper};

impl Balance<'_> {
    /// Kinetic energy (of bodies and points including added mass, of lines without it) and
    /// potential energy (weight, buoyancy, springs and bushings, springs on joints, lines with the
    /// seabed; the potential of weight is zero at the inertial origin). `lengths` are the
    /// unstretched lengths of lines, then of tendons.
    pub fn energy(self, state: &State, h: &[Hydrodynamics], water: &Water, lengths: &[LineLength]) -> (f64, f64) {
        let (mut kinetic, mut potential) = (0.0, 0.0);
        for (body, (inertia, motion)) in self.0.inertias.iter().zip(state.motions().map(|s| Motion::of(&s))).enumerate()
        {
            let (momentum, eta) = inertia_terms(inertia, &motion);
            kinetic += 0.5 * (upper(&momentum).dot(&motion.v) + crate::spatial::lower(&momentum).dot(&motion.omega));
            potential -= inertia.mass * self.0.gravity.dot(&(self.0.origin + motion.x + eta));
            kinetic += h[body].kinetic_energy(&site(&motion, &Tie { node: body, at: self.0.references[body] }));
        }
        let mut fluid = state.fluid().skip(self.0.layout.chained());
        for PointElement { tie, mass } in &self.0.points {
            let fluid = fluid.next();
            let Some(mass) = mass else { continue };
            let around = Surroundings { fluid: fluid.as_slice(), ..self.0.elements().surroundings(state.time, water) };
            let at = [site(&Motion::of(&state.body(tie.node)), tie)];
            kinetic += mass.kinetic_energy(&at[0], &around);
            potential += mass.potential(&at, &around, &[]);
        }
        for (line, length) in lengths.iter().enumerate().take(self.0.lines.len()) {
            let energies = self.0.lines().energies(line, length.length, state, water);
            (kinetic, potential) = (kinetic + energies.kinetic, potential + energies.potential());
        }
        potential += self.0.lines().energy_of_joints(lengths, state);
        let (of_elements, energy, _) = self.0.elements().sums(state, water, lengths, Vec3::zeros());
        (kinetic, potential) = (kinetic + of_elements, potential + energy);
        for (joint, near) in self.0.joints.iter().zip(&state.coordinates) {
            let [a, b] = self.0.end_motions(joint.ends(), state);
            potential += joint.potential([&a, &b], *near, &state.z);
        }
        potential += self.0.energy_of_clutches(state);
        (kinetic, potential)
    }

    /// Linear momentum, and angular momentum about a point (in the host's coordinates), of all
    /// bodies, points and lines, without added mass. `lengths` are the unstretched lengths of
    /// lines.
    pub fn momentum(self, state: &State, about: &Vec3, lengths: &[LineLength]) -> Vec6 {
        let (motions, about) = (state.motions().map(|state| Motion::of(&state)), about - self.0.origin);
        let bodies = self.0.inertias.iter().zip(motions).fold(Vec6::zeros(), |sum, (inertia, motion)| {
            let (momentum, _) = inertia_terms(inertia, &motion);
            let linear = upper(&momentum);
            let angular = crate::spatial::lower(&momentum) + (motion.x - about).cross(&linear);
            sum + join(&linear, &angular)
        });
        let points = self.0.points.iter().filter(|point| point.dry_mass() > 0.0).fold(bodies, |sum, point| {
            let BodyState { x, v, .. } = state.body(point.tie.node);
            let linear = upper(&v) * point.dry_mass();
            sum + join(&linear, &(x - about).cross(&linear))
        });
        let (_, _, of_elements) = self.0.elements().sums(state, &Water::default(), lengths, about);
        self.0.lines.iter().enumerate().fold(points + of_elements, |sum, (k, line)| {
            let (last, length) = (line.nodes.len() - 1, line.unstretched(k, lengths).0);
            // A winch changes the mass of a line with its length.
            let mass = line.mass * (length / line.length);
            line.nodes.clone().enumerate().fold(sum, |sum, (k, node)| {
                let BodyState { x, v, .. } = state.body(self.0.layout.chained_node(node));
                let share = if k == 0 || k == last { 0.5 } else { 1.0 };
                let linear = upper(&v) * (share * mass / last as f64);
                sum + join(&linear, &(x - about).cross(&linear))
            })
        })
    }

    /// Computes the reactions on nodes with imposed motion at a state with its accelerations and
    /// multipliers; and the outputs of lines there, which update the stick points.
    pub fn reactions(self, e: &Environment, state: &mut State, workspace: &mut Workspace) -> Result<(), Failure> {
        if self.has_reactions() {
            self.forces_at(e, state, workspace)?;
            self.keep_reactions(e, state, workspace);
        }
        Ok(())
    }

    /// The same from the last evaluation of forces, which was at this state.
    #[inline(never)]
    pub fn keep_reactions(self, e: &Environment, state: &mut State, workspace: &mut Workspace) {
        state.reactions.clone_from(&workspace.reactions);
        self.0.lines().conclude(e, state, workspace);
    }

    /// Whether [`Balance::reactions`] has to evaluate forces.
    pub fn has_reactions(self) -> bool {
        !(self.0.nodes().all_free() && self.0.lines.is_empty())
    }

    /// Writes the residual of the equations of motion at a state, with its accelerations and
    /// multipliers, into the workspace.
    #[inline(never)]
    pub fn forces_at(self, e: &Environment, state: &State, workspace: &mut Workspace) -> Result<(), Failure> {
        self.0.move_to(state, workspace);
        let coefficients = self.0.acceleration_coefficients();
        self.0.assemble_residual(e, Level::Acceleration, coefficients, &state.lambda, workspace)
    }
}
