//! Energy, momentum, reactions: what the host reads to judge a run.

use super::{Motion, State, System, hydrodynamics, inertia_terms};
use crate::model::{Frame, Hydrodynamics};
use crate::spatial::{Vec3, Vec6, join, upper};

impl System {
    /// Kinetic energy (of the bodies and of the added mass) and potential energy (weight, springs, bushings, springs on
    /// joints; weight is zero at the inertial origin).
    pub fn energy(&self, state: &State, h: &[Hydrodynamics]) -> (f64, f64) {
        let (mut kinetic, mut potential) = (0.0, 0.0);
        for (body, (inertia, motion)) in self.inertias.iter().zip(state.bodies.iter().map(Motion::of)).enumerate() {
            let (momentum, eta) = inertia_terms(inertia, &motion);
            kinetic += 0.5 * (upper(&momentum).dot(&motion.v) + crate::spatial::lower(&momentum).dot(&motion.omega));
            potential -= inertia.mass * self.gravity.dot(&(self.origin + motion.x + eta));
            if let Some(a) = &h[body].added_mass {
                let reference = self.reference_state(body, &state.bodies[body]);
                kinetic += hydrodynamics::kinetic_energy(a, &motion.r, &reference.v);
            }
        }
        for spring in &self.springs {
            let [a, b] = self.end_motions(spring.ends, &state.bodies);
            potential += spring.potential([&a, &b]);
        }
        for bushing in &self.bushings {
            let [a, b] = self.end_motions(bushing.ends, &state.bodies);
            potential += bushing.potential([&a, &b]);
        }
        for (joint, near) in self.joints.iter().zip(&state.coordinates) {
            let [a, b] = self.end_motions(joint.ends, &state.bodies);
            potential += joint.potential([&a, &b], *near);
        }
        (kinetic, potential)
    }

    /// Linear momentum, and angular momentum about a point (in the host's coordinates), of all bodies (added mass is the fluid's).
    pub fn momentum(&self, state: &State, about: &Vec3) -> Vec6 {
        let (motions, about) = (state.bodies.iter().map(Motion::of), about - self.origin);
        self.inertias.iter().zip(motions).fold(Vec6::zeros(), |sum, (inertia, motion)| {
            let (momentum, _) = inertia_terms(inertia, &motion);
            let linear = upper(&momentum);
            let angular = crate::spatial::lower(&momentum) + (motion.x - about).cross(&linear);
            sum + join(&linear, &angular)
        })
    }

    /// Length and tension of a spring.
    pub fn spring_force(&self, spring: usize, state: &State) -> (f64, f64) {
        let [a, b] = self.end_motions(self.springs[spring].ends, &state.bodies);
        self.springs[spring].length_and_tension([&a, &b])
    }

    /// The wrench of body a on body b at b's joint frame, inertial axes, for all joints: `each(joint, wrench)`.
    pub fn for_each_joint_reaction(&self, state: &State, mut each: impl FnMut(usize, &Vec6)) {
        self.for_each_joint_multipliers(state, |joint, multipliers| {
            let element = &self.joints[joint];
            let [a, b] = self.end_motions(element.ends, &state.bodies);
            each(joint, &element.reaction([&a, &b], 1, multipliers));
        });
    }

    /// The wrench of the other body on body a (`end` 0) or on body b (1) at its joint frame, in inertial axes or those of
    /// that body. Multipliers of redundant constraints are those of least norm.
    pub fn joint_reaction(&self, joint: usize, end: usize, frame: Frame, state: &State) -> Vec6 {
        let element = &self.joints[joint];
        let [a, b] = self.end_motions(element.ends, &state.bodies);
        let multipliers = self.joint_multipliers(joint, state);
        let wrench = element.reaction([&a, &b], end, &multipliers);
        let r = [&a, &b][end].r;
        match frame {
            Frame::Inertial => wrench,
            Frame::Body => join(&r.tr_mul(&upper(&wrench)), &r.tr_mul(&crate::spatial::lower(&wrench))),
        }
    }
}
