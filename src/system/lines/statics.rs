//! Shapes at rest of lines between their ends as these stand, and bounds of their steps.

use super::super::{BodyState, State, System};
use crate::elements::line::{Bounds, Statics};
use crate::model::{LineLength, Water};

/// Force out of balance, as part of the weight of a segment, with which a shape is good enough to start from.
const BALANCED: f64 = 1e-3;

/// A line without a shape at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unsettled {
    /// The node with the largest force out of balance.
    pub node: usize,
    /// That force.
    pub force: f64,
    /// How far the node is from the straight connection of the ends by now.
    pub distance: f64,
    /// Steps taken.
    pub iterations: u32,
}

impl System {
    /// Lays the nodes of every line where they are at rest between its ends as these stand, without friction and current, and
    /// lets them stick there. Their velocities are those of a line that is carried along by its ends. Errors: the line
    /// without such a shape.
    pub fn hang_lines(
        &self,
        state: &mut State,
        lengths: &[LineLength],
        water: &Water,
    ) -> Result<(), (usize, Unsettled)> {
        self.stretch_lines(state);
        for (k, line) in self.lines.iter().enumerate() {
            let (length, _) = line.unstretched(k, lengths);
            let ends = [line.nodes.start, line.nodes.end - 1].map(|k| self.layout.chained_node(k));
            let [a, b] = ends.map(|node| state.body(node).x);
            let around = self.around(water, &line.nodes, &state.lines.sticks, &[]);
            let mut statics = Statics::new(&line.chain);
            let found = statics.shape(&line.chain, length, [a, b], &around);
            let chord = |node: usize| a + (b - a) * (node as f64 / line.segments.len() as f64);
            if let Err(unsettled) = found {
                let weight = line.mass / line.segments.len() as f64 * self.gravity.norm();
                let (node, force) = (unsettled.node, unsettled.force);
                if force.is_nan() || force > BALANCED * weight {
                    let distance = (statics.x[node] - chord(node)).norm();
                    return Err((k, Unsettled { node, force, distance, iterations: unsettled.iterations }));
                }
            }
            for (node, x) in (ends[0] + 1..ends[1]).zip(&statics.x[1..]) {
                state.set_body(node, &BodyState { x: *x, ..state.body(node) });
            }
        }
        self.let_lines_stick(state);
        Ok(())
    }

    /// What bounds the steps of explicit schemes on a line of some unstretched length.
    pub fn line_bounds(&self, line: usize, length: f64, water: &Water) -> Bounds {
        self.lines[line].chain.bounds(length, water)
    }
}
