//! Force elements in the assembled model: which nodes their ends are tied to, how these move, and where wrenches and tangents
//! go. What a force is knows `crate::elements` alone.

use super::System;
use super::assembly::Assembly;
use super::layout::Layout;
use super::motion::{Motion, State};
use super::views::ElementForces;
use crate::elements::{Attachment, End, Quantity, Site, Tie};
use crate::linear::Assemble;
use crate::model::{EntityKind, Model};

/// Which nodes the ends of all elements are tied to, in the order of [`crate::elements::Elements`]. An end on a point that is
/// attached to a body is one on that body.
pub fn ties(model: &Model, layout: Layout) -> Vec<[Tie; 2]> {
    let tie = |end: &Attachment| match end.to {
        End::Ground => Tie { node: layout.carriers(), at: end.at },
        End::Body(body) => Tie { node: body, at: end.at },
        End::Point(point) => match model.points[point].body() {
            Some(body) => Tie { node: body, at: model.points[point].position },
            None => Tie { node: layout.point(point), at: end.at },
        },
    };
    model.elements.iter().map(|element| element.ends().each_ref().map(tie)).collect()
}

/// How an end moves with its node.
#[inline(always)]
pub fn site(motion: &Motion, tie: &Tie) -> Site {
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
                Some(tangent) => assembly.add_pair(nodes, tangent, false),
                None => assembly.reserve_pair(nodes, false),
            }
        });
    }
}

impl ElementForces<'_> {
    /// How the ends of an element move at a state.
    pub(super) fn sites(self, ties: &[Tie; 2], state: &State) -> [Site; 2] {
        let [a, b] = self.0.end_motions(ties.each_ref().map(|tie| tie.node), state);
        [site(&a, &ties[0]), site(&b, &ties[1])]
    }

    /// Length and tension of a spring.
    pub fn spring_force(self, spring: usize, state: &State) -> (f64, f64) {
        let place = self.0.elements.place(EntityKind::Spring, spring);
        self.0.elements.springs[spring].length_and_tension(&self.sites(&self.0.ties[place], state))
    }

    /// Outputs of an element by name.
    pub fn outputs(
        self,
        kind: EntityKind,
        index: usize,
        state: &State,
        each: &mut dyn FnMut(&'static str, Quantity, f64),
    ) {
        let place = self.0.elements.place(kind, index);
        if let Some(element) = self.0.elements.get(kind, index) {
            let mut names = element.outputs().0.iter();
            element.output_values(&self.sites(&self.0.ties[place], state), &mut |value| {
                if let Some((name, quantity)) = names.next() {
                    each(name, *quantity, value);
                }
            });
        }
    }
}
