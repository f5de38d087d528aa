//! Shapes at rest of lines between given ends, and bounds of the steps of explicit schemes.

use super::super::views::Lines;
use super::super::{BodyState, State};
use super::LineElement;
use crate::elements::Tie;
use crate::elements::line::{Around, Bounds, Statics};
use crate::model::{LineLength, Water};
use crate::spatial::{Vec3, join, upper};

/// Residual force, as part of the weight of a segment, with which a shape may be the start of a
/// run.
const BALANCED: f64 = 1e-3;

/// A line without a shape at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unsettled {
    /// The node with the largest residual force.
    pub node: usize,
    /// The largest residual force.
    pub force: f64,
    /// Distance of the node from the straight connection of the ends.
    pub distance: f64,
    /// Number of steps.
    pub iterations: u32,
    /// For a line with bending stiffness: the largest part of it with which a shape was found, if
    /// any.
    pub bends: Option<f64>,
}

impl Lines<'_> {
    /// Places the nodes of every line at rest between its ends, without friction and current, and
    /// sets their stick points there. Their velocities are interpolated from those of the ends. A
    /// line with bending stiffness and a free end that has no such shape gets the one without
    /// bending stiffness: its end is not at rest there either. Errors: another line without such a
    /// shape.
    pub fn hang(self, state: &mut State, lengths: &[LineLength], water: &Water) -> Result<(), (usize, Unsettled)> {
        self.stretch(state);
        (0..self.0.lines.len()).try_for_each(|k| self.hang_one(k, state, lengths, water).map_err(|why| (k, why)))?;
        self.let_stick(0..self.count(), state, water);
        Ok(())
    }

    /// The same for one line; velocities of its nodes are unchanged.
    fn hang_one(self, k: usize, state: &mut State, lengths: &[LineLength], water: &Water) -> Result<(), Unsettled> {
        let line = &self.0.lines[k];
        let (length, _) = line.unstretched(k, lengths);
        let ends = [line.nodes.start, line.nodes.end - 1].map(|k| self.0.layout.chained_node(k));
        let [a, b] = ends.map(|node| state.body(node).x);
        let around = self.0.around(water, &line.nodes, state.sticks(), &[]);
        let around = Around { slow: line.settled(state), ..around };
        let mut statics = Statics::new(&line.chain);
        statics.axes = self.axes(line, state);
        let mut found = statics.shape(&line.chain, length, [a, b], &around);
        if found.is_err() && line.chain.bends() && self.has_free_end(line) {
            // Where a free end is now it need not be at rest: the shape without bending stiffness.
            let limp = line.chain.softened(0.0);
            let mut hangs = Statics::new(&limp);
            if let Ok(settled) = hangs.shape(&limp, length, [a, b], &around) {
                (statics, found) = (hangs, Ok(settled));
            }
        }
        let chord = |node: usize| a + (b - a) * (node as f64 / line.segments.len() as f64);
        if let Err(unsettled) = found {
            let weight = line.mass / line.segments.len() as f64 * self.0.gravity.norm();
            let (node, force) = (unsettled.node, unsettled.force);
            if force.is_nan() || force > BALANCED * weight {
                let distance = (statics.x[node] - chord(node)).norm();
                return Err(Unsettled {
                    node,
                    force,
                    distance,
                    iterations: unsettled.iterations,
                    bends: unsettled.bends,
                });
            }
        }
        for (node, x) in (ends[0] + 1..ends[1]).zip(&statics.x[1..]) {
            state.set_body(node, &BodyState { x: *x, ..state.body(node) });
        }
        Ok(())
    }

    /// Whether an end is released, or its carrier moves by the equations of motion.
    fn has_free_end(self, line: &LineElement) -> bool {
        let is_free = |tie: &Tie| tie.node < self.0.layout.carriers() && self.0.free[tie.node];
        line.released() != [false; 2] || line.ends.iter().any(is_free)
    }

    /// Lets lines follow carriers that were moved from their poses in the state `before`:
    /// positions, velocities and stick points of the nodes move in proportion to their distance
    /// from the ends. If an end was moved by more than half a segment, the line gets a new shape at
    /// rest, as in [`Lines::hang`]. Errors: such a line without a shape at rest.
    pub fn carry(
        self,
        before: &State,
        state: &mut State,
        lengths: &[LineLength],
        water: &Water,
    ) -> Result<(), (usize, Unsettled)> {
        self.follow_ends(state);
        for (k, line) in self.0.lines.iter().enumerate() {
            let last = line.segments.len();
            let first = self.0.layout.chained_node(line.nodes.start);
            let moved = |node: usize| {
                let [from, to] = [before.body(first + node), state.body(first + node)];
                [to.x - from.x, upper(&to.v) - upper(&from.v)]
            };
            // A released end moves as the other end does.
            let ends = match line.released() {
                [false, false] => [moved(0), moved(last)],
                [false, true] => [moved(0); 2],
                [true, false] => [moved(last); 2],
                [true, true] => continue,
            };
            if ends.iter().flatten().all(|change| *change == Vec3::zeros()) {
                continue;
            }
            for node in (0..=last).filter(|node| line.is_free(*node)) {
                let part = node as f64 / last as f64;
                let [x, v] = [0, 1].map(|k| ends[0][k] + (ends[1][k] - ends[0][k]) * part);
                let at = state.body(first + node);
                state.set_body(first + node, &BodyState { x: at.x + x, v: at.v + join(&v, &Vec3::zeros()), ..at });
                let stick = &mut state.sticks_mut()[line.nodes.start + node];
                *stick = [stick[0] + x.x, stick[1] + x.y];
            }
            let reach = 0.5 * line.unstretched(k, lengths).0 / last as f64;
            let is_far = ends.iter().any(|[x, _]| x.norm() > reach);
            if is_far && line.released() == [false; 2] {
                self.hang_one(k, state, lengths, water).map_err(|why| (k, why))?;
                line.relax(state);
                for node in line.nodes.clone() {
                    let [x, y, _] = self.0.layout.chained_places(&state.q)[node];
                    state.sticks_mut()[node] = [x, y];
                }
                // The earlier oscillation does not belong to the new shape.
                let [a, b] = [0, last].map(|node| state.body(first + node).v);
                for node in (0..=last).filter(|node| line.is_free(*node)) {
                    let v = a + (b - a) * (node as f64 / last as f64);
                    state.set_body(first + node, &BodyState { v, ..state.body(first + node) });
                }
            }
        }
        Ok(())
    }

    /// Bounds of the steps of explicit schemes for a line of a given unstretched length.
    pub fn bounds(self, line: usize, length: f64, water: &Water) -> Bounds {
        self.0.lines[line].chain.bounds(length, water)
    }
}
