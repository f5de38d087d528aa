//! Lines in the assembled system: indices of their nodes, carriers of their ends, and their own
//! variables.
//!
//! The physics of a line is `crate::elements::line`. Its nodes 0..=N are nodes of the layout after
//! bodies and points. Both end nodes are tied to a carrier (a body, a point, the ground) and follow
//! it: their rows are identities, and their forces act on the carrier through `J = [I, -~s]`, s the
//! lever arm. A released end is not tied: its node moves by the equations of motion like the inner
//! ones. So the number of unknowns never changes.

mod assembly;
mod failures;
mod fluid;
mod joined;
mod motions;
mod own;
mod shapes;
mod state;
mod statics;
#[cfg(test)]
mod tangent_tests;
mod work;

pub use failures::{Hold, held};
pub use motions::BALANCE;
pub use own::{begin_lines, relax_lines, set_slow_strains, slow_strains, spring_tensions};
pub use shapes::{Restless, Shapes, Unrest};
pub use state::LineForces;
pub use statics::Unsettled;
pub use work::LineWork;

use super::Motion;
use super::layout::Layout;
use super::views::Lines;
use crate::elements::Tie;
use crate::elements::line::Chain;
use crate::model::{LineLength, Model};
use crate::spatial::Vec3;
use std::ops::Range;

/// A line in the assembled model.
#[derive(Debug, Clone)]
pub struct LineElement {
    /// Its physics.
    pub chain: Chain,
    /// Its nodes, counted over the nodes of all lines.
    pub nodes: Range<usize>,
    /// Its segments, counted over all lines.
    pub segments: Range<usize>,
    /// Carriers of its ends.
    pub ends: [Tie; 2],
    /// The same before any failure.
    pub described: [Tie; 2],
    /// What its ends are tied to.
    pub holds: [Hold; 2],
    /// Where its numbers are among those of viscoelastic lines; empty where it is none.
    pub slow: Range<usize>,
    /// Axes of clamps, in the axes of the carriers.
    pub clamps: [Option<Vec3>; 2],
    /// Unstretched length as described.
    pub length: f64,
    /// Mass of the whole line.
    pub mass: f64,
}

/// The lines of a model. The carrier of an end on an attached point is the body.
pub fn elements(model: &Model, layout: Layout) -> Vec<LineElement> {
    let (mut nodes, mut segments, mut slow) = (0, 0, 0);
    let tie = |point: usize| match model.points[point].body() {
        Some(body) => Tie { node: body, at: model.points[point].position },
        None => Tie { node: layout.point(point), at: Vec3::zeros() },
    };
    let mut element = |line: &crate::model::Line| {
        let (first, first_segment) = (nodes, segments);
        nodes += line.segments + 1;
        segments += line.segments;
        let line_type = &model.line_types[line.line_type];
        let first_slow = slow;
        slow += slow_numbers(model, line);
        LineElement {
            chain: Chain::new(line, line_type),
            nodes: first..nodes,
            segments: first_segment..segments,
            ends: line.points.map(tie),
            described: line.points.map(tie),
            holds: [Hold::Point; 2],
            slow: first_slow..slow,
            clamps: line.clamps.map(|clamp| clamp.map(|clamp| clamp.axis)),
            length: line.length,
            mass: line.length * line_type.mass_per_length,
        }
    };
    model.lines.iter().map(&mut element).collect()
}

/// Number of nodes of all lines of a model.
pub fn count_nodes(model: &Model) -> usize {
    model.lines.iter().map(|line| line.segments + 1).sum()
}

/// How many numbers a viscoelastic line has of its own: the time, and per segment slow strain,
/// strain and largest tension at that time. None of others.
fn slow_numbers(model: &Model, line: &crate::model::Line) -> usize {
    model.line_types[line.line_type].viscoelastic.map_or(0, |_| 1 + 3 * line.segments)
}

/// Those of all lines of a model.
pub fn count_slow(model: &Model) -> usize {
    model.lines.iter().map(|line| slow_numbers(model, line)).sum()
}

/// Whether each node of the lines is free, one after the other.
pub fn free(lines: &[LineElement]) -> impl Iterator<Item = bool> + '_ {
    lines.iter().flat_map(|line| {
        let last = line.nodes.len() - 1;
        (0..=last).map(move |node| match node {
            0 => line.released()[0],
            _ if node == last => line.released()[1],
            _ => true,
        })
    })
}

impl LineElement {
    /// Unstretched length and its rate of line `k`: as `given`, or as described if nothing was
    /// given.
    #[inline(always)]
    pub fn unstretched(&self, k: usize, given: &[LineLength]) -> (f64, f64) {
        given.get(k).map_or((self.length, 0.0), |given| (given.length, given.rate))
    }

    /// Which of its ends are released.
    #[inline(always)]
    pub fn released(&self) -> [bool; 2] {
        self.holds.map(|hold| hold == Hold::Free)
    }

    /// Whether a node of the line, counted from end A, is free.
    #[inline(always)]
    pub fn is_free(&self, node: usize) -> bool {
        match node {
            0 => self.holds[0] == Hold::Free,
            _ if node + 1 == self.nodes.len() => self.holds[1] == Hold::Free,
            _ => true,
        }
    }

    /// The axes of its ends that are clamped, inertial axes, from what turns the vectors of a
    /// carrier.
    #[inline(always)]
    pub fn axes(&self, turn: impl Fn(&Tie, &Vec3) -> Vec3) -> [Option<Vec3>; 2] {
        [0, 1].map(|end| {
            let is_tied = self.holds[end] == Hold::Point;
            self.clamps[end].filter(|_| is_tied).map(|axis| turn(&self.ends[end], &axis))
        })
    }

    /// Its tied ends: index, node, carrier.
    #[inline(always)]
    pub fn tied(&self) -> impl Iterator<Item = (usize, usize, &Tie)> {
        let nodes = [0, self.nodes.len() - 1];
        (0..2).filter(|end| self.holds[*end] != Hold::Free).map(move |end| (end, nodes[end], &self.ends[end]))
    }
}

impl Lines<'_> {
    /// Number of lines.
    pub fn count(self) -> usize {
        self.0.lines.len()
    }

    /// For every line its nodes among those of all lines, its unstretched length as described, its
    /// number of segments.
    #[inline(always)]
    pub fn lengths(self) -> impl Iterator<Item = (Range<usize>, f64, usize)> {
        self.0.lines.iter().map(|line| (line.nodes.clone(), line.length, line.segments.len()))
    }

    /// The nodes of a line, by their indices in the layout.
    pub fn nodes(self, line: usize) -> Range<usize> {
        let Range { start, end } = self.0.lines[line].nodes;
        self.0.layout.chained_node(start)..self.0.layout.chained_node(end)
    }

    /// The segments of a line, in lists of those of all lines.
    pub fn segments(self, line: usize) -> Range<usize> {
        self.0.lines[line].segments.clone()
    }

    /// The line of an unknown, and the index of the node in the line.
    pub fn of_unknown(self, unknown: usize) -> Option<(usize, usize)> {
        if unknown < self.0.dofs() { self.of_node(self.0.layout.component(unknown).0) } else { None }
    }

    /// The line of a node of the layout, and the index of the node in the line.
    pub fn of_node(self, node: usize) -> Option<(usize, usize)> {
        let k = node.checked_sub(self.0.layout.carriers())?;
        let line = self.0.lines.iter().position(|line| line.nodes.contains(&k))?;
        Some((line, k - self.0.lines[line].nodes.start))
    }
}

/// Motion of an end with its carrier: position, velocity, acceleration, and the lever arm.
#[inline(always)]
fn end_motion(tie: &Tie, motions: &[Motion]) -> [Vec3; 4] {
    let motion = &motions[tie.node];
    let arm = motion.arm(&tie.at);
    [motion.x + arm, motion.velocity_at(&arm), motion.acceleration_at(&arm), arm]
}
