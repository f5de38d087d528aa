//! The shape of one line at rest, its ends held: where simulations start, and what equilibria start
//! from.
//!
//! From the catenary (`catenary`), Newton's method on all nodes with some stiffness mu against
//! moving at all,
//!
//! ```text
//! (K + mu I) dr = F,
//! ```
//!
//! mu falling with every step that lowers the forces, and rising where one raises them much: slack
//! segments have no stiffness across. Between held ends friction and current are left out: they act
//! from the state on that is found here.
//!
//! A line with clamped ends has a second start, a curve along their axes.
//!
//! Where that goes to and fro, as with a current on what lies on the bed, a slower search descends
//! to the shape from the same start (`descent`).
//!
//! A line that bends has another shape than the catenary, and where bending carries more than
//! tension does the way there is long. Where it is not found at once, bending stiffness comes in by
//! and by, from none on, each shape the start of the next. So does the surface of the water with a
//! line that floats: nodes in the air fall, nodes under water rise, and steps jump over the
//! thickness of the line, within which they would be in balance. At first such a line leaves the
//! water over a tenth of its length.

use super::catenary::{Hanging, hang};
use super::crossing::{Crossing, cross};
use super::seabed::Seabed;
use super::{Around, Chain, Evaluation, Factors, Motions, Water};
use crate::linear::band::{Band, Rows};
use crate::spatial::Vec3;
use std::ops::Range;

/// mu over EA/l: at first, and at least.
pub(super) const FIRST: f64 = 1e-3;
const LEAST: f64 = 1e-9;

/// Its factors after steps taken and taken back.
pub(super) const FALL: f64 = 0.25;
pub(super) const RISE: f64 = 8.0;

/// A step that raises the forces by more is taken back.
const WORST: f64 = 100.0;

/// Forces out of balance, relative to the weight of a segment, below which a line is at rest.
const TOLERANCE: f64 = 1e-9;

/// Most steps; half of all lines need ten, those that are just slack may need hundreds.
const MOST_STEPS: u32 = 1000;

/// What comes in by and by: the factor from one shape to the next and the least, and the most steps
/// to all of them.
const MORE: f64 = 4.0;
const LEAST_MORE: f64 = 1.02;
const STEPS_IN_ALL: u32 = 20_000;

/// Of bending stiffness: its part at first, and the most steps to one shape.
const BENDS_FIRST: f64 = 1e-6;
const BENDS_STEPS: u32 = 100;

/// Of the surface: the part of the length of a line over which it leaves the water at first, and
/// the most steps to one shape.
const SURFACING: f64 = 0.1;
const SURFACING_STEPS: u32 = 300;

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settled {
    /// Steps taken.
    pub iterations: u32,
    /// Largest force out of balance at a node that is not held.
    pub force: f64,
    /// Below which it counted as none.
    pub noise: f64,
}

/// Why there is no shape at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unsettled {
    /// The node with the largest force out of balance.
    pub node: usize,
    /// That force.
    pub force: f64,
    /// Steps taken.
    pub iterations: u32,
    /// Of a line that bends: the largest part of its bending stiffness with which a shape was
    /// found, if any was.
    pub bends: Option<f64>,
}

/// Memory of the statics of one line.
#[derive(Debug, Clone)]
pub struct Statics {
    /// Positions of the nodes 0..=N.
    pub x: Vec<Vec3>,
    /// Axes of clamped ends, as in [`Motions`]; those of a new one are none.
    pub axes: [Option<Vec3>; 2],
    /// The evaluation there, without tangents by velocities and accelerations.
    pub evaluation: Evaluation,
    band: Band,
    rest: Vec<Vec3>,
    pub(super) before: Vec<Vec3>,
    pub(super) step: Vec<Vec3>,
}

impl Statics {
    /// For a line.
    pub fn new(chain: &Chain) -> Statics {
        let n = chain.segments;
        let zeros = || vec![Vec3::zeros(); n + 1];
        Statics {
            x: zeros(),
            axes: [None; 2],
            evaluation: Evaluation::new(n, chain.bends()),
            band: Band::new(n + 1),
            rest: zeros(),
            before: zeros(),
            step: zeros(),
        }
    }

    /// Finds the shape of a line of unstretched `length` between `ends`, held there, without
    /// friction and current; it is left in `x`. Gravity that is none, or has parts along the level,
    /// lets the search start from a straight line. Error: no shape was found.
    pub fn shape(
        &mut self,
        chain: &Chain,
        length: f64,
        ends: [Vec3; 2],
        around: &Around,
    ) -> Result<Settled, Unsettled> {
        chain.start(length, ends, around, &mut self.x);
        let water = Water { friction: 0.0, current: Vec::new(), ..around.water.clone() };
        let around = Around { water: &water, fluid: None, ..*around };
        let mut found = self.settle(chain, length, [true; 2], &around);
        let there = self.x.clone();
        if found.is_err() && self.axes != [None; 2] {
            chain.curve(length, ends, self.axes, &mut self.x);
            found = self.settle(chain, length, [true; 2], &around);
        }
        let mut softened = |first: f64, each: u32, softer: &dyn Fn(f64) -> Chain| {
            chain.start(length, ends, &around, &mut self.x);
            let found = self.by_and_by((first, each, softer), length, &around);
            if found.is_err() {
                // Where the search from the catenary ended.
                self.x.copy_from_slice(&there);
            }
            found
        };
        if found.is_err() && chain.floats(ends, &around) {
            let first = chain.surfacing / (SURFACING * length);
            let softer = |part| Chain { surfacing: chain.surfacing / part, ..chain.clone() };
            found = found.or_else(|why| softened(first, SURFACING_STEPS, &softer).map_err(|_| why));
        }
        if found.is_err() && chain.bends() {
            let softer = |part| chain.softened(part);
            found = found
                .or_else(|why| softened(BENDS_FIRST, BENDS_STEPS, &softer).map_err(|bends| Unsettled { bends, ..why }));
        }
        found
    }

    /// From the positions in `x` to shapes of `softer` lines, from a first part of what makes them
    /// hard up to the whole. Error: the next one is not found, however near it is; then the part of
    /// the last one.
    fn by_and_by(
        &mut self,
        (first, each, softer): (f64, u32, &dyn Fn(f64) -> Chain),
        length: f64,
        around: &Around,
    ) -> Result<Settled, Option<f64>> {
        let (mut part, mut factor, mut steps) = (0.0, MORE, 0);
        let mut good = self.x.clone();
        while factor > LEAST_MORE && steps < STEPS_IN_ALL {
            let next = (part * factor).max(first).min(1.0);
            match self.search(&softer(next), length, [true; 2], around, each) {
                Ok(found) => {
                    steps += found.iterations;
                    if next == 1.0 {
                        return Ok(Settled { iterations: steps, ..found });
                    }
                    (part, factor) = (next, (factor * factor).min(MORE));
                    good.copy_from_slice(&self.x);
                }
                Err(_) if part == 0.0 => return Err(None),
                Err(why) => {
                    steps += why.iterations;
                    factor = factor.sqrt();
                    self.x.copy_from_slice(&good);
                }
            }
        }
        Err(Some(part))
    }

    /// The same from the positions in `x`, of which those of ends that are `held` stay, with all
    /// that `around` says.
    pub fn settle(
        &mut self,
        chain: &Chain,
        length: f64,
        held: [bool; 2],
        around: &Around,
    ) -> Result<Settled, Unsettled> {
        let start = self.x.clone();
        self.search(chain, length, held, around, MOST_STEPS).or_else(|why| {
            let there = std::mem::replace(&mut self.x, start);
            self.descend(chain, length, held, around).ok_or_else(|| {
                // Where the first search ended.
                self.x.copy_from_slice(&there);
                why
            })
        })
    }

    /// The same in at most so many steps.
    fn search(
        &mut self,
        chain: &Chain,
        length: f64,
        held: [bool; 2],
        around: &Around,
        most: u32,
    ) -> Result<Settled, Unsettled> {
        let n = chain.segments;
        let (first, end) = (usize::from(held[0]), n + 1 - usize::from(held[1]));
        if first >= end {
            self.evaluate(chain, length, around, first..first);
            return Ok(Settled { iterations: 0, force: 0.0, noise: 0.0 });
        }
        let free = first..end;
        let l = length / n as f64;
        let stiffness = chain.axial.stretching() / l;
        let enough = self.enough(chain, length, around);
        let mut mu = FIRST;
        let mut iterations = 0;
        let (mut worst, mut force) = self.evaluate(chain, length, around, free.clone());
        while force > enough || force.is_nan() {
            if iterations == most {
                return Err(Unsettled { node: worst, force, iterations, bends: None });
            }
            iterations += 1;
            let Some(longest) = self.newton(free.clone(), mu * stiffness, false) else {
                mu *= RISE;
                continue;
            };
            let part = (0.5 * l / longest).min(1.0);
            self.before.copy_from_slice(&self.x);
            for (x, step) in self.x[free.clone()].iter_mut().zip(&self.step) {
                *x += step * part;
            }
            let (node, found) = self.evaluate(chain, length, around, free.clone());
            if found <= WORST * force {
                // Where forces grew, segments went slack or taut: less of mu would let them go back
                // and forth.
                let fall = if found > force { 1.0 } else { FALL };
                mu = (mu * fall).max(LEAST);
                (worst, force) = (node, found);
            } else {
                self.x.copy_from_slice(&self.before);
                self.evaluate(chain, length, around, free.clone());
                mu *= RISE;
            }
        }
        Ok(Settled { iterations, force, noise: enough })
    }

    /// Forces out of balance that count as none where the ends are now.
    pub(super) fn enough(&self, chain: &Chain, length: f64, around: &Around) -> f64 {
        chain.balanced(length, [self.x[0], self.x[chain.segments]], around)
    }

    /// A step of the free nodes, into `step`: how far the farthest goes. None where the matrix is
    /// singular, or not positive definite and to be so.
    pub(super) fn newton(&mut self, free: Range<usize>, shift: f64, definite: bool) -> Option<f64> {
        let Statics { evaluation: e, band, step, .. } = self;
        let (first, count) = (free.start, free.len());
        let next = first..first + count - 1;
        let far = if e.upper_two.is_empty() { 0..0 } else { first..first + count.max(2) - 2 };
        let rows = Rows {
            diagonal: &e.diagonal[free.clone()],
            upper: &e.upper[next.clone()],
            lower: &e.lower[next],
            upper_two: &e.upper_two[far.clone()],
            lower_two: &e.lower_two[far],
        };
        let step = &mut step[..count];
        for (step, r) in step.iter_mut().zip(&e.residual[free]) {
            *step = -r;
        }
        let solved = if definite { band.solve_definite(&rows, shift, step) } else { band.solve(&rows, shift, step) };
        solved.ok()?;
        let longest = step.iter().fold(0.0, |longest, step| if step.norm() <= longest { longest } else { step.norm() });
        longest.is_finite().then_some(longest)
    }

    /// Evaluates at rest: the free node with the largest force out of balance, and that force.
    pub(super) fn evaluate(&mut self, chain: &Chain, length: f64, around: &Around, free: Range<usize>) -> (usize, f64) {
        let motions = Motions { x: &self.x, v: &self.rest, a: &self.rest, axes: self.axes };
        let factors = Factors { mass: 0.0, damping: 0.0, stiffness: 1.0, all: true };
        chain.evaluate((length, 0.0), motions, around, Some(factors), None, &mut self.evaluation);
        let sizes = free.clone().map(|node| (node, self.evaluation.residual[node].norm()));
        sizes.fold((free.start, 0.0), |worst, (node, size)| if size <= worst.1 { worst } else { (node, size) })
    }
}

impl Chain {
    /// The same line with a part of its bending stiffness.
    pub fn softened(&self, part: f64) -> Chain {
        Chain { bending: self.bending * part, ..self.clone() }
    }

    /// Largest force out of balance with which a node of a line between two places is at rest.
    pub fn balanced(&self, length: f64, ends: [Vec3; 2], around: &Around) -> f64 {
        let l = length / self.segments as f64;
        let weight = (self.mass + around.water.density * self.area) * around.gravity.norm() * l;
        self.noise(l, ends[0].amax().max(ends[1].amax())).max(TOLERANCE * weight)
    }

    /// The catenary between two ends, or a straight line where gravity is none or has parts along
    /// the level.
    fn start(&self, length: f64, ends: [Vec3; 2], around: &Around, nodes: &mut [Vec3]) {
        let g = around.gravity;
        let stiffness = self.axial.stretching();
        // A line that never pulls does not hang.
        let upright = g.x == 0.0 && g.y == 0.0 && g.z != 0.0 && stiffness > 0.0;
        let surface = -around.origin.z;
        if upright && g.z < 0.0 && self.floats(ends, around) {
            let weights = [-g.z * self.mass, -g.z * (around.water.density * self.area - self.mass)];
            let above = ends.map(|end| end.z > surface);
            if above == [true; 2] {
                let lies = Hanging { length, weight: weights[0], stiffness, floor: Some(surface), penetration: 0.0 };
                return hang(&lies, ends, nodes);
            } else if above != [false; 2] {
                let crosses = Crossing { length, stiffness, weights, surface };
                cross(&crosses, if above[0] { ends } else { [ends[1], ends[0]] }, nodes);
                if above[1] {
                    nodes.reverse();
                }
                return;
            }
        }
        // Between the ends, some of it may be out of the water.
        let depths = ends.map(|end| -(end.z + around.origin.z));
        let below = if around.water.density > 0.0 { self.part_below(depths) } else { 0.0 };
        let weight = -g.z * (self.mass - around.water.density * self.area * below);
        let bed = Seabed::new(around.water, around.origin, self.diameter);
        let (floor, penetration) = match bed {
            // Under its lower end, from where it follows the slopes below.
            Some(bed) if weight > 0.0 => {
                let lower = if ends[0].z < ends[1].z { ends[0] } else { ends[1] };
                (Some(bed.height(&lower)), bed.penetration_under(weight / self.diameter))
            }
            _ if weight < 0.0 && below == 1.0 => (Some(-around.origin.z), 0.0),
            _ => (None, 0.0),
        };
        let weight = if upright { weight } else { 0.0 };
        hang(&Hanging { length, weight, stiffness, floor, penetration }, ends, nodes);
        if let Some(bed) = bed.filter(|bed| bed.has_grid() && weight > 0.0) {
            let lies = |z: f64| floor.is_some_and(|floor| z <= floor);
            let last = nodes.len() - 1;
            for node in &mut nodes[1..last] {
                let depth = bed.ground(node).penetration;
                if depth > 0.0 || lies(node.z) {
                    node.z += depth - penetration;
                }
            }
        }
    }

    /// A curve of third order between the ends, along the axes of those that are clamped.
    fn curve(&self, length: f64, [a, b]: [Vec3; 2], axes: [Option<Vec3>; 2], nodes: &mut [Vec3]) {
        let along = |axis: Option<Vec3>, sign: f64| axis.map_or(b - a, |axis| axis * (sign * length));
        let (from, to) = (along(axes[0], 1.0), along(axes[1], -1.0));
        for (k, node) in nodes.iter_mut().enumerate() {
            let s = k as f64 / self.segments as f64;
            let r = 1.0 - s;
            *node = a * (r * r * (1.0 + 2.0 * s)) + b * (s * s * (1.0 + 2.0 * r)) + (from * r - to * s) * (s * r);
        }
    }

    /// Whether it rises in the water, and an end is above it.
    fn floats(&self, ends: [Vec3; 2], around: &Around) -> bool {
        let is_light = self.mass < around.water.density * self.area;
        is_light && self.mass > 0.0 && ends.iter().any(|end| end.z + around.origin.z > -self.surfacing)
    }

    /// Part of the straight line between two depths that is under water.
    fn part_below(&self, depths: [f64; 2]) -> f64 {
        let [shallow, deep] = [depths[0].min(depths[1]), depths[0].max(depths[1])];
        if shallow >= 0.0 {
            1.0
        } else if deep <= 0.0 {
            0.0
        } else {
            deep / (deep - shallow)
        }
    }
}
