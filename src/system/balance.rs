//! Energy, momentum, reactions: what the host reads to judge a run.

use super::{BodyState, Motion, State, System, hydrodynamics, inertia_terms};
use crate::model::{Hydrodynamics, LineLength, Water};
use crate::spatial::{Vec3, Vec6, join, upper};

impl System {
    /// Kinetic energy (of bodies and points with their added mass, of lines without) and potential energy (weight, buoyancy, force elements,
    /// springs on joints, lines with the seabed under them; weight is zero at the inertial origin). `lengths`: unstretched ones
    /// of lines.
    pub fn energy(&self, state: &State, h: &[Hydrodynamics], water: &Water, lengths: &[LineLength]) -> (f64, f64) {
        let (mut kinetic, mut potential) = (0.0, 0.0);
        for (body, (inertia, motion)) in self.inertias.iter().zip(state.motions().map(|s| Motion::of(&s))).enumerate() {
            let (momentum, eta) = inertia_terms(inertia, &motion);
            kinetic += 0.5 * (upper(&momentum).dot(&motion.v) + crate::spatial::lower(&momentum).dot(&motion.omega));
            potential -= inertia.mass * self.gravity.dot(&(self.origin + motion.x + eta));
            if let Some(a) = &h[body].added_mass {
                let reference = self.reference_state(body, &state.body(body));
                kinetic += hydrodynamics::kinetic_energy(a, &motion.r, &reference.v);
            }
        }
        for point in self.points.iter().filter(|point| point.mass > 0.0) {
            let BodyState { x, v, .. } = state.body(point.node);
            kinetic += 0.5 * point.mass * upper(&v).norm_squared();
            potential -= point.mass * self.gravity.dot(&(self.origin + x));
        }
        let elevation =
            |k: usize| state.lines.fluid.get(self.layout.chained() + k).map_or(0.0, |fluid| fluid.elevation);
        for (k, point) in self.points.iter().enumerate() {
            if let Some(wet) = &point.wet {
                let BodyState { x, v, .. } = state.body(point.node);
                let height = x.z + self.origin.z;
                kinetic += wet.kinetic_energy(height, &upper(&v), water, elevation(k));
                potential += wet.energy(height, self.gravity.z, water, elevation(k));
            }
        }
        for (line, length) in lengths.iter().enumerate() {
            let energies = self.lines().energies(line, length.length, state, water);
            (kinetic, potential) = (kinetic + energies.kinetic, potential + energies.potential());
        }
        for (element, ties) in self.elements.iter().zip(&self.ties) {
            potential += element.potential(&self.sites(ties, state));
        }
        for (joint, near) in self.joints.iter().zip(&state.coordinates) {
            let [a, b] = self.end_motions(joint.ends(), state);
            potential += joint.potential([&a, &b], *near);
        }
        (kinetic, potential)
    }

    /// Linear momentum, and angular momentum about a point (in the host's coordinates), of all bodies, points and lines (added mass is the
    /// fluid's). `lengths`: unstretched ones of lines.
    pub fn momentum(&self, state: &State, about: &Vec3, lengths: &[LineLength]) -> Vec6 {
        let (motions, about) = (state.motions().map(|state| Motion::of(&state)), about - self.origin);
        let bodies = self.inertias.iter().zip(motions).fold(Vec6::zeros(), |sum, (inertia, motion)| {
            let (momentum, _) = inertia_terms(inertia, &motion);
            let linear = upper(&momentum);
            let angular = crate::spatial::lower(&momentum) + (motion.x - about).cross(&linear);
            sum + join(&linear, &angular)
        });
        let points = self.points.iter().filter(|point| point.mass > 0.0).fold(bodies, |sum, point| {
            let BodyState { x, v, .. } = state.body(point.node);
            let linear = upper(&v) * point.mass;
            sum + join(&linear, &(x - about).cross(&linear))
        });
        self.lines.iter().enumerate().fold(points, |sum, (k, line)| {
            let (last, length) = (line.nodes.len() - 1, line.unstretched(k, lengths).0);
            // What a winch has paid out or taken in has its mass, too.
            let mass = line.mass * (length / line.length);
            line.nodes.clone().enumerate().fold(sum, |sum, (k, node)| {
                let BodyState { x, v, .. } = state.body(self.layout.chained_node(node));
                let share = if k == 0 || k == last { 0.5 } else { 1.0 };
                let linear = upper(&v) * (share * mass / last as f64);
                sum + join(&linear, &(x - about).cross(&linear))
            })
        })
    }
}
