//! Where the numbers of nodes and constraints stand in flat vectors. Nobody else multiplies by 6 or 3.
//!
//! A node is what has unknowns of its own: a body, of width 6 (u, theta), a point, or a node of a line, of width 3 (u).
//! Bodies come first, in order of creation, then points: these are the carriers, to which joints, forces and ends of lines are
//! tied. Nodes of lines come last, line by line, both ends included. Velocities, accelerations and forces have the width of their node. Positions have one
//! number more where a node turns: x, then the quaternion i j k w. Multipliers follow the unknowns of the nodes. Among
//! carriers the ground is the index past the last one.

use std::ops::Range;

/// Numbers of a body in vectors of velocities, and in positions.
const BODY: usize = 6;
const BODY_PLACE: usize = 7;

/// Numbers of a point, or of a node of a line, in both.
const POINT: usize = 3;

/// The nodes of a system, from which all places follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layout {
    bodies: usize,
    points: usize,
    /// Nodes of lines.
    chained: usize,
}

impl Layout {
    /// For so many bodies, points, and nodes of lines.
    pub fn new(bodies: usize, points: usize, chained: usize) -> Layout {
        Layout { bodies, points, chained }
    }

    /// Number of bodies.
    #[inline(always)]
    pub fn bodies(&self) -> usize {
        self.bodies
    }

    /// Number of nodes.
    #[inline(always)]
    pub fn nodes(&self) -> usize {
        self.bodies + self.points + self.chained
    }

    /// Number of bodies and points. In lists of motions the ground stands behind them.
    #[inline(always)]
    pub fn carriers(&self) -> usize {
        self.bodies + self.points
    }

    /// Number of nodes of lines.
    #[inline(always)]
    pub fn chained(&self) -> usize {
        self.chained
    }

    /// A node of a line, counted over all lines.
    #[inline(always)]
    pub fn chained_node(&self, k: usize) -> usize {
        self.carriers() + k
    }

    /// The node of a point.
    #[inline(always)]
    pub fn point(&self, point: usize) -> usize {
        self.bodies + point
    }

    /// Number of velocities.
    #[inline(always)]
    pub fn dofs(&self) -> usize {
        BODY * self.bodies + POINT * (self.points + self.chained)
    }

    /// Number of positions.
    #[inline(always)]
    pub fn places(&self) -> usize {
        BODY_PLACE * self.bodies + POINT * (self.points + self.chained)
    }

    /// How many velocities a node has.
    #[inline(always)]
    pub fn width(&self, node: usize) -> usize {
        if node < self.bodies { BODY } else { POINT }
    }

    /// Widths of all nodes.
    pub fn widths(self) -> impl Iterator<Item = usize> {
        (0..self.nodes()).map(move |node| self.width(node))
    }

    /// The first velocity, or unknown, of a node.
    #[inline(always)]
    pub fn unknown(&self, node: usize) -> usize {
        BODY * node.min(self.bodies) + POINT * node.saturating_sub(self.bodies)
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
        let first = BODY_PLACE * node.min(self.bodies) + POINT * node.saturating_sub(self.bodies);
        first..first + if node < self.bodies { BODY_PLACE } else { POINT }
    }

    /// The unknown of a multiplier.
    #[inline(always)]
    pub fn multiplier(&self, k: usize) -> usize {
        self.dofs() + k
    }

    /// The node of an unknown that is no multiplier, and the component: 0 to 2 translations, 3 to 5 rotations.
    #[inline(always)]
    pub fn component(&self, unknown: usize) -> (usize, usize) {
        match unknown.checked_sub(BODY * self.bodies) {
            None => (unknown / BODY, unknown % BODY),
            Some(of_points) => (self.bodies + of_points / POINT, of_points % POINT),
        }
    }

    /// Whether an unknown that is no multiplier is a rotation.
    #[inline(always)]
    pub fn is_rotation(&self, unknown: usize) -> bool {
        unknown < BODY * self.bodies && unknown % BODY >= POINT
    }

    /// Velocities, or the like, of the bodies, and of the points and nodes of lines; multipliers that follow are left out.
    #[inline(always)]
    pub fn split<'a>(&self, velocities: &'a [f64]) -> (&'a [[f64; 6]], &'a [[f64; 3]]) {
        let (bodies, points) = velocities[..self.dofs()].split_at(BODY * self.bodies);
        (bodies.as_chunks().0, points.as_chunks().0)
    }

    /// The same to change.
    #[inline(always)]
    pub fn split_mut<'a>(&self, velocities: &'a mut [f64]) -> (&'a mut [[f64; 6]], &'a mut [[f64; 3]]) {
        let (bodies, points) = velocities[..self.dofs()].split_at_mut(BODY * self.bodies);
        (bodies.as_chunks_mut().0, points.as_chunks_mut().0)
    }

    /// Those of the nodes of lines.
    #[inline(always)]
    pub fn chained_in<'a>(&self, velocities: &'a [f64]) -> &'a [[f64; 3]] {
        &self.split(velocities).1[self.points..]
    }

    /// Positions of the nodes of lines.
    #[inline(always)]
    pub fn chained_places<'a>(&self, positions: &'a [f64]) -> &'a [[f64; 3]] {
        &self.split_places(positions).1[self.points..]
    }

    /// Positions of the bodies, and of the points and nodes of lines.
    #[inline(always)]
    pub fn split_places<'a>(&self, positions: &'a [f64]) -> (&'a [[f64; 7]], &'a [[f64; 3]]) {
        let (bodies, points) = positions.split_at(BODY_PLACE * self.bodies);
        (bodies.as_chunks().0, points.as_chunks().0)
    }

    /// The same to change.
    #[inline(always)]
    pub fn split_places_mut<'a>(&self, positions: &'a mut [f64]) -> (&'a mut [[f64; 7]], &'a mut [[f64; 3]]) {
        let (bodies, points) = positions.split_at_mut(BODY_PLACE * self.bodies);
        (bodies.as_chunks_mut().0, points.as_chunks_mut().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_follow_each_other_without_gaps() {
        let layout = Layout::new(2, 1, 2);
        let (mut velocities, mut positions) = (0, 0);
        for node in 0..layout.nodes() {
            assert_eq!(layout.velocities(node).start, velocities);
            assert_eq!(layout.positions(node).start, positions);
            (velocities, positions) = (layout.velocities(node).end, layout.positions(node).end);
            for (k, unknown) in layout.velocities(node).enumerate() {
                assert_eq!(layout.component(unknown), (node, k));
                assert_eq!(layout.is_rotation(unknown), k >= 3);
            }
        }
        assert_eq!((velocities, positions), (layout.dofs(), layout.places()));
        assert_eq!((layout.dofs(), layout.places()), (21, 23));
    }
}
