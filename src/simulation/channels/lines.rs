//! Channels of lines that depend on the number of segments: after those of all lines, the tensions
//! of the segments and the positions of the nodes.

use crate::model::Line;
use std::fmt::{Display, Formatter, Result};

/// Their number.
pub(super) fn count(line: &Line) -> usize {
    line.segments + 3 * (line.segments + 1)
}

/// Suffix and unit of one. The suffix is formatted on request: units are read without allocation.
pub(super) fn named(line: &Line, k: usize) -> Option<(Name<'static>, &'static str)> {
    if k >= count(line) {
        return None;
    }
    Some(match k.checked_sub(line.segments) {
        None => (Name::Tension(k), "N"),
        Some(place) => (Name::Node(place / 3, ["x", "y", "z"][place % 3]), "m"),
    })
}

/// The name of a channel after the label of its entity.
pub(super) enum Name<'m> {
    /// A stored name.
    Given(&'m str),
    /// Tension of a segment.
    Tension(usize),
    /// A coordinate of a node.
    Node(usize, &'static str),
}

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Name::Given(name) => f.write_str(name),
            Name::Tension(segment) => write!(f, "tension.{segment}"),
            Name::Node(node, axis) => write!(f, "node{node}.{axis}"),
        }
    }
}
