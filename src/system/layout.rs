//! Indices of nodes and constraints in flat vectors. No other file multiplies by 6 or 3.
//!
//! A node has unknowns of its own. A node that turns has width 6 (u, theta), one that does not has
//! width 3 (u); there are no other widths. Nodes that turn come first: bodies in order of creation,
//! which have an inertia of their own, then those that only elements give inertia. Points follow:
//! all these are the carriers, to which joints, elements and ends of lines are tied. Nodes of lines
//! come last, line by line, both ends included. Velocities, accelerations and forces have the width
//! of their node. Positions have one number more where a node turns: x, then the quaternion i j k
//! w. Multipliers follow the unknowns of the nodes. Among carriers the ground has the index after
//! the last one.

use crate::elements::line::Fluid;
use std::ops::Range;

/// Width of a node that turns, in vectors of velocities, and in positions.
const TURNING: usize = 6;
const TURNING_PLACE: usize = 7;

/// Width of a node that does not turn, in both.
const POINT: usize = 3;

/// The nodes of a system, from which all indices follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layout {
    bodies: usize,
    /// Nodes that turn, bodies included.
    turning: usize,
    points: usize,
    /// Nodes of lines.
    chained: usize,
    /// Own variables.
    own: Own,
}

/// How many numbers the elements that steps take in energy form keep, and how many forces of theirs
/// act on nodes that move by the equations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KinkCounts {
    /// Memories.
    pub memories: usize,
    /// Forces.
    pub forces: usize,
    /// Bodies whose accelerations turn along.
    pub turning: usize,
}

/// Indices of own variables in their vector: those of the elements of the list, then of lines the
/// stick points, x and y of each node, for each end what it is tied to, EA, internal pressures, and
/// slow strains; then springs on joints. The host's motion of the water follows, if there is a
/// fluid callback.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Own {
    elements: usize,
    /// Nodes of lines.
    nodes: usize,
    lines: usize,
    /// Nodes of lines that have internal pressure.
    pressed: usize,
    /// Numbers of viscoelastic lines.
    slow: usize,
    /// Springs on coordinates and slides of joints.
    springs: usize,
    /// Places of the water: nodes of lines, points, places of elements, bodies in water.
    pub places: usize,
    /// Elements in energy form.
    pub kinks: KinkCounts,
}

impl Own {
    /// Their number, without the water.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.springs().end
    }

    /// Stick points.
    #[inline(always)]
    pub fn sticks(&self) -> Range<usize> {
        self.elements..self.elements + 2 * self.nodes
    }

    /// What ends of lines are tied to.
    #[inline(always)]
    pub fn holds(&self) -> Range<usize> {
        let first = self.sticks().end;
        first..first + 2 * self.lines
    }

    /// EA of lines, 0 where a table says.
    #[inline(always)]
    pub fn stiffnesses(&self) -> Range<usize> {
        let first = self.holds().end;
        first..first + self.lines
    }

    /// Internal pressures at the nodes of the lines that have them.
    #[inline(always)]
    pub fn pressures(&self) -> Range<usize> {
        let first = self.stiffnesses().end;
        first..first + self.pressed
    }

    /// Of each viscoelastic line the time, and slow strains, strains and largest tensions at that
    /// time.
    #[inline(always)]
    pub fn slow(&self) -> Range<usize> {
        let first = self.pressures().end;
        first..first + self.slow
    }

    /// Stiffness, damping and rest of springs on joints.
    #[inline(always)]
    pub fn springs(&self) -> Range<usize> {
        let first = self.slow().end;
        first..first + 3 * self.springs
    }

    /// Size of the motion of the water, if the host gives it: at the nodes of lines, then at the
    /// points, then at the places of elements.
    pub fn fluid(&self) -> usize {
        Fluid::NUMBERS * self.places
    }
}

impl Layout {
    /// A layout of so many bodies, points, and nodes of lines.
    pub fn new(bodies: usize, points: usize, chained: usize) -> Layout {
        Layout { bodies, turning: bodies, points, chained, own: Own::default() }
    }

    /// The same with more nodes that turn and are not bodies.
    #[cfg(test)]
    pub fn with_turning(self, more: usize) -> Layout {
        Layout { turning: self.turning + more, ..self }
    }

    /// The same with lines, nodes of those with pressure, numbers of viscoelastic ones, and springs
    /// on joints, and own variables of the elements of the list, which ask for the motion of the
    /// water at so many places.
    pub fn with_own(
        self,
        [lines, pressed, slow, springs]: [usize; 4],
        [elements, water]: [usize; 2],
        kinks: KinkCounts,
    ) -> Layout {
        let [nodes, places] = [self.chained, self.chained + self.points + water];
        Layout { own: Own { elements, nodes, lines, pressed, slow, springs, places, kinks }, ..self }
    }

    /// Indices of the own variables.
    #[inline(always)]
    pub fn own(&self) -> Own {
        self.own
    }

    /// Number of bodies.
    #[inline(always)]
    pub fn bodies(&self) -> usize {
        self.bodies
    }

    /// Number of nodes that turn, which come first.
    #[inline(always)]
    pub fn turning(&self) -> usize {
        self.turning
    }

    /// Whether a node turns; the ground does not.
    #[inline(always)]
    pub fn turns(&self, node: usize) -> bool {
        node < self.turning
    }

    /// Number of nodes.
    #[inline(always)]
    pub fn nodes(&self) -> usize {
        self.turning + self.points + self.chained
    }

    /// Number of carriers: nodes that turn, and points. In lists of motions the ground follows
    /// them.
    #[inline(always)]
    pub fn carriers(&self) -> usize {
        self.turning + self.points
    }

    /// Number of nodes of lines.
    #[inline(always)]
    pub fn chained(&self) -> usize {
        self.chained
    }

    /// The node of a node of a line, counted over all lines.
    #[inline(always)]
    pub fn chained_node(&self, k: usize) -> usize {
        self.carriers() + k
    }

    /// The node of a point.
    #[inline(always)]
    pub fn point(&self, point: usize) -> usize {
        self.turning + point
    }

    /// Number of velocities.
    #[inline(always)]
    pub fn dofs(&self) -> usize {
        TURNING * self.turning + POINT * (self.points + self.chained)
    }

    /// Number of positions.
    #[inline(always)]
    pub fn places(&self) -> usize {
        TURNING_PLACE * self.turning + POINT * (self.points + self.chained)
    }

    /// Number of velocities of a node.
    #[inline(always)]
    pub fn width(&self, node: usize) -> usize {
        if self.turns(node) { TURNING } else { POINT }
    }

    /// Widths of all nodes.
    pub fn widths(self) -> impl Iterator<Item = usize> {
        (0..self.nodes()).map(move |node| self.width(node))
    }

    /// The first velocity, or unknown, of a node.
    #[inline(always)]
    pub fn unknown(&self, node: usize) -> usize {
        TURNING * node.min(self.turning) + POINT * node.saturating_sub(self.turning)
    }

    /// Velocities of a node.
    #[inline(always)]
    pub fn velocities(&self, node: usize) -> Range<usize> {
        let first = self.unknown(node);
        first..first + self.width(node)
    }

    /// Positions of a node.
    #[inline(always)]
    pub fn positions(&self, node: usize) -> Range<usize> {
        let first = TURNING_PLACE * node.min(self.turning) + POINT * node.saturating_sub(self.turning);
        first..first + if self.turns(node) { TURNING_PLACE } else { POINT }
    }

    /// The unknown of a multiplier.
    #[inline(always)]
    pub fn multiplier(&self, k: usize) -> usize {
        self.dofs() + k
    }

    /// The node of an unknown that is not a multiplier, and the component: 0 to 2 translations, 3
    /// to 5 rotations.
    #[inline(always)]
    pub fn component(&self, unknown: usize) -> (usize, usize) {
        match unknown.checked_sub(TURNING * self.turning) {
            None => (unknown / TURNING, unknown % TURNING),
            Some(of_points) => (self.turning + of_points / POINT, of_points % POINT),
        }
    }

    /// Whether an unknown that is not a multiplier is a rotation.
    #[inline(always)]
    pub fn is_rotation(&self, unknown: usize) -> bool {
        unknown < TURNING * self.turning && unknown % TURNING >= POINT
    }

    /// Velocities (or accelerations, or forces) of the nodes that turn, and of those that do not,
    /// without multipliers.
    #[inline(always)]
    pub fn split<'a>(&self, velocities: &'a [f64]) -> (&'a [[f64; 6]], &'a [[f64; 3]]) {
        let (turning, points) = velocities[..self.dofs()].split_at(TURNING * self.turning);
        (turning.as_chunks().0, points.as_chunks().0)
    }

    /// The same, mutable.
    #[inline(always)]
    pub fn split_mut<'a>(&self, velocities: &'a mut [f64]) -> (&'a mut [[f64; 6]], &'a mut [[f64; 3]]) {
        let (turning, points) = velocities[..self.dofs()].split_at_mut(TURNING * self.turning);
        (turning.as_chunks_mut().0, points.as_chunks_mut().0)
    }

    /// The same of the nodes of lines.
    #[inline(always)]
    pub fn chained_in<'a>(&self, velocities: &'a [f64]) -> &'a [[f64; 3]] {
        &self.split(velocities).1[self.points..]
    }

    /// The same, mutable.
    #[inline(always)]
    pub(super) fn chained_in_mut<'a>(&self, velocities: &'a mut [f64]) -> &'a mut [[f64; 3]] {
        &mut self.split_mut(velocities).1[self.points..]
    }

    /// Positions of the nodes of lines.
    #[inline(always)]
    pub fn chained_places<'a>(&self, positions: &'a [f64]) -> &'a [[f64; 3]] {
        &self.split_places(positions).1[self.points..]
    }

    /// Positions of the nodes that turn, and of those that do not.
    #[inline(always)]
    pub fn split_places<'a>(&self, positions: &'a [f64]) -> (&'a [[f64; 7]], &'a [[f64; 3]]) {
        let (turning, points) = positions.split_at(TURNING_PLACE * self.turning);
        (turning.as_chunks().0, points.as_chunks().0)
    }

    /// The same, mutable.
    #[inline(always)]
    pub fn split_places_mut<'a>(&self, positions: &'a mut [f64]) -> (&'a mut [[f64; 7]], &'a mut [[f64; 3]]) {
        let (turning, points) = positions.split_at_mut(TURNING_PLACE * self.turning);
        (turning.as_chunks_mut().0, points.as_chunks_mut().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_each_other_without_gaps() {
        let layout = Layout::new(1, 1, 2).with_turning(1);
        let (mut velocities, mut positions) = (0, 0);
        for node in 0..layout.nodes() {
            assert_eq!(layout.velocities(node).start, velocities);
            assert_eq!(layout.positions(node).start, positions);
            (velocities, positions) = (layout.velocities(node).end, layout.positions(node).end);
            for (k, unknown) in layout.velocities(node).enumerate() {
                assert_eq!(layout.component(unknown), (node, k));
                assert_eq!(layout.is_rotation(unknown), k >= 3);
                assert_eq!(layout.turns(node), layout.width(node) == 6);
            }
        }
        assert_eq!((velocities, positions), (layout.dofs(), layout.places()));
        assert_eq!((layout.dofs(), layout.places()), (21, 23));
        assert_eq!((layout.point(0), layout.carriers(), layout.chained_node(0)), (2, 3, 3));
    }
}
