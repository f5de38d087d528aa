//! Shapes of lines at rest at given poses of their carriers, under all forces: for every pose of a
//! search for equilibrium.

use super::super::views::{Adjust, Lines};
use super::super::{Environment, State, System};
use super::LineElement;
use crate::elements::line::{Fluid, Statics};
use crate::model::{LineLength, Water};
use crate::spatial::Vec3;

/// Memory of the statics of all lines.
pub struct Shapes(Vec<Statics>);

/// A line without a shape at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Restless {
    /// The node of the layout with the largest residual force.
    pub node: usize,
    /// The largest residual force.
    pub force: f64,
    /// Distance that the node has moved.
    pub distance: f64,
    /// Number of steps.
    pub iterations: u32,
}

/// Forces out of balance on the free nodes of all lines.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Unrest {
    /// The largest force.
    pub force: f64,
    /// Whether every line is at rest.
    pub none: bool,
    /// The largest force with which a node of any line is at rest: rounding.
    pub noise: f64,
}

impl Adjust<'_> {
    /// Gives the lines a part of the bending stiffness that they have in another system of the same
    /// model.
    pub fn soften(self, of: &System, part: f64) {
        for (line, full) in self.0.lines.iter_mut().zip(&of.lines) {
            line.chain = full.chain.softened(part);
        }
    }
}

impl Lines<'_> {
    /// Whether any line has bending stiffness.
    pub fn bend(self) -> bool {
        self.0.lines.iter().any(|line| line.chain.bends())
    }

    /// The largest stiffness over mass of the nodes of all lines.
    pub fn stiffest(self, lengths: &[LineLength], water: &Water) -> f64 {
        let lines = self.0.lines.iter().enumerate();
        let square = |(k, line): (usize, &LineElement)| {
            line.chain.bounds(line.unstretched(k, lengths).0, water).axial.frequency.powi(2)
        };
        lines.map(square).fold(0.0, f64::max)
    }

    /// The largest change of a chord between two states, relative to the unstretched length of its
    /// segment.
    pub fn largest_change(self, from: &State, to: &State, lengths: &[LineLength]) -> f64 {
        let [from, to] = [from, to].map(|state| self.0.layout.chained_places(&state.q));
        let moved = |node: usize| Vec3::from(to[node]) - Vec3::from(from[node]);
        let lines = self.0.lines.iter().enumerate().map(|(k, line)| {
            let segment = line.unstretched(k, lengths).0 / line.segments.len() as f64;
            let chords = line.nodes.start..line.nodes.end - 1;
            chords.map(|node| (moved(node + 1) - moved(node)).norm() / segment).fold(0.0, f64::max)
        });
        lines.fold(0.0, f64::max)
    }

    /// Compares the forces out of balance at a state with those with which lines are at rest.
    pub fn unrest(self, environment: &Environment, state: &State, forces: &[f64]) -> Unrest {
        let [forces, places] = [self.0.layout.chained_in(forces), self.0.layout.chained_places(&state.q)];
        let mut unrest = Unrest { none: true, ..Unrest::default() };
        for (k, line) in self.0.lines.iter().enumerate() {
            let (length, _) = line.unstretched(k, &environment.loads.lines);
            let around = self.0.around(environment.water, &line.nodes, state.sticks(), &[]);
            let ends = [line.nodes.start, line.nodes.end - 1].map(|node| Vec3::from(places[node]));
            let balanced = line.chain.balanced(length, ends, &around);
            let free = line.nodes.clone().filter(|node| line.is_free(node - line.nodes.start));
            let sizes = free.map(|node| Vec3::from(forces[node]).norm());
            // NaN counts as the largest.
            let force = sizes.fold(0.0, |largest, size| if size <= largest { largest } else { size });
            unrest.none &= force <= balanced;
            unrest.noise = unrest.noise.max(balanced);
            unrest.force = if force <= unrest.force { unrest.force } else { force };
        }
        unrest
    }

    /// Memory for [`Lines::settle`].
    pub fn shapes(self) -> Shapes {
        Shapes(self.0.lines.iter().map(|line| Statics::new(&line.chain)).collect())
    }

    /// Computes the shape at rest of every line between its ends, which follow their carriers,
    /// under all forces. `before` has the positions of a shape at rest nearby, from which a node
    /// may not move far. Returns the force that is rounding.
    pub fn settle(
        self,
        environment: &Environment,
        before: Option<&[f64]>,
        state: &mut State,
        shapes: &mut Shapes,
    ) -> Result<f64, Restless> {
        self.follow_ends(state);
        let fluid: Vec<Fluid> = state.fluid().collect();
        let mut noise = 0.0f64;
        for (k, (line, statics)) in self.0.lines.iter().zip(&mut shapes.0).enumerate() {
            let (length, _) = line.unstretched(k, &environment.loads.lines);
            self.take_places(line, state, &mut statics.x);
            if let Some(before) = before {
                let places = &self.0.layout.chained_places(before)[line.nodes.clone()];
                keep_near(places, line.released(), 0.5 * length / line.chain.segments() as f64, &mut statics.x);
            }
            let ends = [statics.x[0], statics.x[line.chain.segments()]];
            let around = self.0.around(environment.water, &line.nodes, state.sticks(), &fluid);
            statics.axes = self.axes(line, state);
            let held = line.released().map(|released| !released);
            let mut found = statics.settle(&line.chain, length, held, &around);
            if found.is_err() && held == [true; 2] {
                // From a catenary, then under the forces that the first search omits.
                let _ = statics.shape(&line.chain, length, ends, &around);
                found = statics.settle(&line.chain, length, held, &around);
            }
            let settled = found.map_err(|why| {
                let node = line.nodes.start + why.node;
                let start = Vec3::from(self.0.layout.chained_places(&state.q)[node]);
                let distance = (statics.x[why.node] - start).norm();
                let node = self.0.layout.chained_node(node);
                Restless { node, force: why.force, distance, iterations: why.iterations }
            })?;
            noise = noise.max(settled.noise);
            self.give_places(line, &statics.x, state);
        }
        Ok(noise)
    }

    fn take_places(self, line: &LineElement, state: &State, x: &mut [Vec3]) {
        let places = &self.0.layout.chained_places(&state.q)[line.nodes.clone()];
        x.iter_mut().zip(places).for_each(|(x, place)| *x = Vec3::from(*place));
    }

    fn give_places(self, line: &LineElement, x: &[Vec3], state: &mut State) {
        for (k, x) in line.nodes.clone().zip(x) {
            let range = self.0.layout.positions(self.0.layout.chained_node(k));
            state.q[range].copy_from_slice(x.as_slice());
        }
    }
}

/// If a node is farther than `most` from where the motion of the ends alone would have moved it,
/// all nodes are moved there.
fn keep_near(before: &[[f64; 3]], released: [bool; 2], most: f64, x: &mut [Vec3]) {
    let last = x.len() - 1;
    let gone = |node: usize, x: &[Vec3]| x[node] - Vec3::from(before[node]);
    let ends = match released {
        [false, false] => [gone(0, x), gone(last, x)],
        [false, true] => [gone(0, x); 2],
        [true, false] => [gone(last, x); 2],
        [true, true] => [Vec3::zeros(); 2],
    };
    let carried = |node: usize| ends[0] + (ends[1] - ends[0]) * (node as f64 / last as f64);
    let far = |node: usize| (gone(node, x) - carried(node)).norm();
    if (0..=last).any(|node| far(node) > most || far(node).is_nan()) {
        for node in 0..=last {
            x[node] = Vec3::from(before[node]) + carried(node);
        }
    }
}
