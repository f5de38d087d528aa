//! Channels of lines that depend on how many segments they have: after those that all have, the tensions of the segments and
//! the positions of the nodes.

use crate::model::Line;

/// How many.
pub(super) fn count(line: &Line) -> usize {
    line.segments + 3 * (line.segments + 1)
}

/// Suffix and unit of one.
pub(super) fn named(line: &Line, k: usize) -> Option<(String, &'static str)> {
    if k >= count(line) {
        return None;
    }
    Some(match k.checked_sub(line.segments) {
        None => (format!("tension.{k}"), "N"),
        Some(place) => (format!("node{}.{}", place / 3, ["x", "y", "z"][place % 3]), "m"),
    })
}
