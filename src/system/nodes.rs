//! Nodes of the layout: which are free, which entity each of them is, and where points and nodes of
//! lines are.

use super::views::Nodes;
use super::{JointElement, Motion, State};
use crate::elements::Tie;
use crate::model::EntityKind;
use crate::spatial::{Mat3, Vec3};

impl<'a> Nodes<'a> {
    /// Moments of inertia of a body about its integrated point, body axes.
    pub fn inertia(self, body: usize) -> &'a Mat3 {
        &self.0.inertias[body].inertia
    }

    /// Whether a node is free: it moves by the equations of motion (else its motion is imposed).
    #[inline(always)]
    pub fn is_free(self, node: usize) -> bool {
        self.0.free[node]
    }

    /// Whether all nodes are free.
    #[inline(always)]
    pub fn all_free(self) -> bool {
        self.0.all_free
    }

    /// Nodes whose motion is imposed.
    pub fn imposed(self) -> impl Iterator<Item = usize> {
        self.0.free.iter().enumerate().filter(|(_, free)| !**free).map(|(node, _)| node)
    }

    /// Whether an unknown that is not a multiplier belongs to a free node.
    pub fn is_free_unknown(self, unknown: usize) -> bool {
        self.0.free[self.0.layout.component(unknown).0]
    }

    /// Number of velocity unknowns of free nodes.
    pub fn free_dofs(self) -> usize {
        self.0.layout.widths().zip(&self.0.free).filter(|(_, free)| **free).map(|(width, _)| width).sum()
    }

    /// The body, point, line, joint or gear that an unknown belongs to.
    pub fn owner(self, unknown: usize) -> (EntityKind, usize) {
        match unknown.checked_sub(self.0.dofs()) {
            None => self.entity(self.0.layout.component(unknown).0),
            Some(k) => {
                let owner = self.0.owners.get(k).copied().unwrap_or(0);
                match owner.checked_sub(self.0.joints.len()) {
                    Some(gear) if gear < self.0.gears.len() => (EntityKind::Gear, gear),
                    _ => (EntityKind::Joint, owner),
                }
            }
        }
    }

    /// The nodes of an unknown: its own, or those of its joint.
    pub fn of_unknown(self, unknown: usize) -> [usize; 2] {
        match unknown.checked_sub(self.0.dofs()) {
            None => [self.0.layout.component(unknown).0; 2],
            Some(k) => self.of_joint(self.0.owners.get(k).copied().unwrap_or(0)),
        }
    }

    /// The nodes of a joint; for the ground, and for indices that are no joint, the index after the
    /// last node.
    pub fn of_joint(self, joint: usize) -> [usize; 2] {
        self.0.joints.get(joint).map_or([self.0.layout.nodes(); 2], JointElement::ends)
    }

    /// The entity of a node.
    pub fn entity(self, node: usize) -> (EntityKind, usize) {
        match node.checked_sub(self.0.bodies()) {
            None => (EntityKind::Body, node),
            Some(point) if node < self.0.layout.carriers() => (EntityKind::Point, point),
            Some(_) => (EntityKind::Line, self.0.lines().of_node(node).map_or(0, |(line, _)| line)),
        }
    }

    /// Calls `each` for the velocities of every free node.
    #[inline(always)]
    pub fn for_each_free(self, mut each: impl FnMut(std::ops::Range<usize>)) {
        let free = self.0.free.iter().enumerate().filter(|(_, free)| **free);
        free.for_each(|(node, _)| each(self.0.layout.velocities(node)));
    }

    /// Position, in the host's coordinates, velocity and acceleration of a node that does not turn.
    pub fn motion(self, node: usize, state: &State) -> [Vec3; 3] {
        let (places, rates) = (self.0.layout.positions(node), self.0.layout.velocities(node));
        let vector = |numbers: &[f64]| Vec3::from_column_slice(numbers);
        [vector(&state.q[places]) + self.0.origin, vector(&state.v[rates.clone()]), vector(&state.vdot[rates])]
    }

    /// Position (in the host's coordinates), velocity and acceleration of a point.
    pub fn point_motion(self, point: usize, state: &State) -> [Vec3; 3] {
        let Tie { node, at } = self.0.points[point].tie;
        let motion = Motion::of(&state.body(node));
        let arm = motion.arm(&at);
        [motion.x + arm + self.0.origin, motion.velocity_at(&arm), motion.acceleration_at(&arm)]
    }
}
