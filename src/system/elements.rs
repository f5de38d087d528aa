//! Force elements in the assembled model: which nodes their ends are tied to, how these move, and where wrenches and tangents
//! go. What a force is knows `crate::elements` alone.

use super::System;
use super::assembly::Assembly;
use super::motion::{BodyState, Motion, State};
use crate::elements::{Quantity, Site, Tie};
use crate::linear::Assemble;
use crate::model::{EntityKind, Model};

/// Which nodes the ends of all elements are tied to, in the order of [`crate::elements::Elements`]: bodies are the nodes,
/// the ground is the one past the last.
pub fn ties(model: &Model) -> Vec<[Tie; 2]> {
    let ground = model.bodies.len();
    model.elements.iter().map(|element| element.ends().map(|end| end.tie(ground))).collect()
}

/// How an end moves with its node.
#[inline(always)]
fn site(motion: &Motion, tie: &Tie) -> Site {
    let arm = motion.arm(&tie.at);
    Site { x: motion.x + arm, v: motion.velocity_at(&arm), arm, q: motion.q, omega: motion.omega }
}

impl System {
    /// Adds wrenches and tangents of all elements.
    pub(super) fn assemble_forces<A: Assemble>(&self, assembly: &mut Assembly<A>) {
        let motions = assembly.motions;
        let site = |tie: &Tie| site(&motions[tie.node], tie);
        self.elements.evaluate(&self.ties, assembly.wants_tangents(), site, |nodes, residuals, tangent| {
            assembly.add_residual(nodes[0], &residuals[0]);
            assembly.add_residual(nodes[1], &residuals[1]);
            match tangent {
                Some(tangent) => assembly.add_pair(nodes, tangent),
                None => assembly.reserve_pair(nodes),
            }
        });
    }

    /// How the ends of an element move at a state.
    pub(super) fn sites(&self, ties: &[Tie; 2], bodies: &[BodyState]) -> [Site; 2] {
        let [a, b] = self.end_motions(ties.each_ref().map(|tie| tie.node), bodies);
        [site(&a, &ties[0]), site(&b, &ties[1])]
    }

    /// Length and tension of a spring.
    pub fn spring_force(&self, spring: usize, state: &State) -> (f64, f64) {
        let place = self.elements.place(EntityKind::Spring, spring);
        self.elements.springs[spring].length_and_tension(&self.sites(&self.ties[place], &state.bodies))
    }

    /// Outputs of an element by name.
    pub fn element_outputs(
        &self,
        kind: EntityKind,
        index: usize,
        state: &State,
        each: &mut dyn FnMut(&'static str, Quantity, f64),
    ) {
        let place = self.elements.place(kind, index);
        if let Some(element) = self.elements.get(kind, index) {
            element.outputs(&self.sites(&self.ties[place], &state.bodies), each);
        }
    }
}
