//! The depth of the seabed on a grid: bilinear within its cells, constant beyond its edges.
//!
//! A bilinear surface has kinks at the edges of cells, and a node that comes to rest in a valley
//! would find no place with balanced forces. So the slope changes linearly over a small distance r
//! on both sides of an edge. Along an axis with nodes at `e_k` and values `v_k` this is
//!
//! ```text
//! v = v_k + L (v_k - v_k-1) + R (v_k+1 - v_k),
//! |x - e_k| < r:   L = (x - e_k - (x - e_k + r)^2/(4 r))/(e_k - e_k-1),   R = (x - e_k + r)^2/(4 r)/(e_k+1 - e_k)
//! ```
//!
//! and L = 0, R = `(x - e_k)/(e_k+1 - e_k)` between the edges. Along a straight way from `x0` to
//! `x1` the height h of the bed changes by
//!
//! ```text
//! h(x1) - h(x0) = s . (x1 - x0),   s = int_0^1 grad h(x0 + t (x1 - x0)) dt,   ds/dx1 = int_0^1 t H dt,
//! ```
//!
//! H the Hessian, which the energy form of a step needs. Both integrands are at most cubic in t
//! between the places where a formula changes: two Gauss points in each piece make them exact.

use super::grid::axes;
use crate::error::{Error, Result};

/// Part of the shorter cell beside an edge over which its kink is rounded, on each side.
const ROUNDED: f64 = 0.02;

/// Places and weights of two Gauss points on 0..1.
const GAUSS: [f64; 2] = [0.211_324_865_405_187_1, 0.788_675_134_594_812_9];

/// Depths at the nodes of a rectangular grid.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bathymetry {
    /// Of x and of y.
    axes: [Axis; 2],
    /// Depths, row by row.
    depths: Vec<f64>,
}

/// The nodes along an axis.
#[derive(Debug, Clone, PartialEq, Default)]
struct Axis {
    /// Coordinates, rising.
    nodes: Vec<f64>,
    /// Where a formula changes: `e_k - r_k`, `e_k + r_k`.
    changes: Vec<f64>,
}

/// The surface of the bed over a place.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Surface {
    /// Its z in the host's coordinates.
    pub(super) height: f64,
    /// Derivatives by x and y.
    pub(super) slope: [f64; 2],
    /// Second derivatives: xx, xy, yy.
    pub(super) curvature: [f64; 3],
}

/// The node that a value is measured from, L and R, and their first and second derivatives.
struct Weights {
    node: usize,
    left: [f64; 3],
    right: [f64; 3],
}

impl Axis {
    fn new(nodes: Vec<f64>) -> Axis {
        let width = |k: usize| nodes.get(k + 1).map_or(f64::INFINITY, |next| next - nodes[k]);
        let rounded = |k: usize| {
            let shorter = k.checked_sub(1).map_or(f64::INFINITY, width).min(width(k));
            if shorter.is_finite() { ROUNDED * shorter } else { 0.0 }
        };
        let changes = nodes.iter().enumerate().flat_map(|(k, node)| [node - rounded(k), node + rounded(k)]);
        let changes = changes.collect();
        Axis { nodes, changes }
    }

    /// Which formula holds at a place: odd numbers at nodes, even ones between them.
    fn piece(&self, x: f64) -> usize {
        self.changes.partition_point(|change| *change <= x)
    }

    /// The weights of a piece at a place.
    fn weights(&self, piece: usize, x: f64) -> Weights {
        let (nodes, node) = (&self.nodes, (piece.max(1) - 1) / 2);
        let from = x - nodes[node];
        let over = |k: usize| nodes.get(k + 1).map(|next| 1.0 / (next - nodes[k]));
        // A side that is not there has no weight, at places beyond all numbers either.
        let scaled = |side: [f64; 3], over: Option<f64>| over.map_or([0.0; 3], |over| side.map(|x| x * over));
        let (left, right) = if piece == 0 {
            ([0.0; 3], [0.0; 3])
        } else if piece.is_multiple_of(2) {
            ([0.0; 3], [from, 1.0, 0.0])
        } else {
            let r = 0.5 * (self.changes[2 * node + 1] - self.changes[2 * node]);
            let part = if r > 0.0 { (from + r) / (2.0 * r) } else { 1.0 };
            let curvature = if r > 0.0 { 0.5 / r } else { 0.0 };
            let right = [r * part * part, part, curvature];
            ([from - right[0], 1.0 - part, -curvature], right)
        };
        Weights { node, left: scaled(left, node.checked_sub(1).and_then(over)), right: scaled(right, over(node)) }
    }
}

impl Weights {
    /// The value, and its first and second derivatives, of values at nodes.
    fn of(&self, value: impl Fn(usize) -> f64) -> [f64; 3] {
        let centre = value(self.node);
        let mut sum = [centre, 0.0, 0.0];
        let mut add = |weights: &[f64; 3], change: f64| {
            sum.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight * change);
        };
        // A side that is not there has no weight.
        if self.left != [0.0; 3] {
            add(&self.left, centre - value(self.node - 1));
        }
        if self.right != [0.0; 3] {
            add(&self.right, value(self.node + 1) - centre);
        }
        sum
    }
}

impl Bathymetry {
    /// From rows of x, y and depth, x rising first. Errors: not finite; fewer than two nodes; nodes
    /// that do not rise; a node that is missing or not in its place.
    pub fn new(points: &[[f64; 3]]) -> Result<Bathymetry> {
        if points.len() < 2 {
            return Err(Error::BadSize {
                argument: "points",
                given: points.len() as i64,
                expected: "2 or more".into(),
            });
        }
        let axes = axes(points, ["x", "y"])?;
        Ok(Bathymetry { axes: axes.map(Axis::new), depths: points.iter().map(|point| point[2]).collect() })
    }

    /// Rows of x, y and depth, as they were given.
    pub fn points(&self) -> impl ExactSizeIterator<Item = [f64; 3]> {
        let [xs, ys] = self.axes.each_ref().map(|axis| &axis.nodes);
        let point = move |(k, depth): (usize, &f64)| [xs[k % xs.len()], ys[k / xs.len()], *depth];
        self.depths.iter().enumerate().map(point)
    }

    /// The pieces of both axes at a place.
    fn pieces(&self, place: [f64; 2]) -> [usize; 2] {
        [0, 1].map(|axis| self.axes[axis].piece(place[axis]))
    }

    /// The surface over a place by the formulas of two pieces.
    fn patch(&self, pieces: [usize; 2], place: [f64; 2]) -> Surface {
        let [along, across] = [0, 1].map(|axis| self.axes[axis].weights(pieces[axis], place[axis]));
        let columns = self.axes[0].nodes.len();
        let row = |row: usize| along.of(|column| -self.depths[row * columns + column]);
        let [height, y, yy] = across.of(|k| row(k)[0]);
        let [x, xy, _] = across.of(|k| row(k)[1]);
        let [xx, ..] = across.of(|k| row(k)[2]);
        Surface { height, slope: [x, y], curvature: [xx, xy, yy] }
    }

    /// The surface over a place.
    #[inline(never)]
    pub(super) fn surface(&self, place: [f64; 2]) -> Surface {
        self.patch(self.pieces(place), place)
    }

    /// The height over a place without rounded kinks.
    pub(super) fn height(&self, place: [f64; 2]) -> f64 {
        let cell = [0, 1].map(|axis| 2 * self.axes[axis].nodes.partition_point(|node| *node <= place[axis]));
        self.patch(cell, place).height
    }

    /// The mean slope over the straight way between two places, with its derivatives by the end in
    /// place of the curvature, and the height at the end.
    #[inline(never)]
    pub(super) fn over(&self, from: [f64; 2], to: [f64; 2]) -> Surface {
        let (mut pieces, last) = (self.pieces(from), self.pieces(to));
        let way = [to[0] - from[0], to[1] - from[1]];
        let mut mean = Surface { height: self.patch(last, to).height, ..Surface::default() };
        let mut start = 0.0;
        loop {
            // The part of the way at which it leaves the piece of either axis.
            let leaves = [0, 1].map(|axis| {
                let (piece, last) = (pieces[axis], last[axis]);
                if piece == last {
                    return f64::INFINITY;
                }
                let change = self.axes[axis].changes[if piece < last { piece } else { piece - 1 }];
                ((change - from[axis]) / way[axis]).max(start).min(1.0)
            });
            let axis = usize::from(leaves[1] < leaves[0]);
            let length = leaves[axis].min(1.0) - start;
            for part in GAUSS {
                let t = start + part * length;
                let there = self.patch(pieces, [from[0] + t * way[0], from[1] + t * way[1]]);
                let weight = 0.5 * length;
                mean.slope.iter_mut().zip(there.slope).for_each(|(sum, x)| *sum += weight * x);
                mean.curvature.iter_mut().zip(there.curvature).for_each(|(sum, x)| *sum += weight * t * x);
            }
            if leaves[axis] == f64::INFINITY {
                return mean;
            }
            pieces[axis] = if pieces[axis] < last[axis] { pieces[axis] + 1 } else { pieces[axis] - 1 };
            start = leaves[axis];
        }
    }

    /// A bound of `1 + |grad h|^2`.
    pub fn steepness(&self) -> f64 {
        let [xs, ys] = self.axes.each_ref().map(|axis| &axis.nodes);
        let steepest = |axis: &[f64], step: usize, node: &dyn Fn(usize) -> usize| {
            let slope = |k: usize| {
                let width = axis.get(node(k) + 1)? - axis[node(k)];
                Some((self.depths[k + step] - self.depths[k]) / width)
            };
            (0..self.depths.len()).filter_map(slope).fold(0.0, |most: f64, slope| most.max(slope.abs()))
        };
        let along = steepest(xs, 1, &|k| k % xs.len());
        let across = steepest(ys, xs.len(), &|k| k / xs.len());
        1.0 + along * along + across * across
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hills() -> Bathymetry {
        let depth = |x: f64, y: f64| 20.0 + 3.0 * (0.7 * x + 0.3).sin() + 2.0 * (0.4 * x * y).cos();
        let node = |x: f64, y: f64| [x, y, depth(x, y)];
        let xs = [-4.0, -1.0, 0.5, 3.0];
        Bathymetry::new(&[-3.0, 0.0, 2.5].map(|y| xs.map(|x| node(x, y))).concat()).unwrap()
    }

    /// Ways within a cell, over one and several edges, back and forth, and out of the grid.
    const WAYS: [[[f64; 2]; 2]; 6] = [
        [[-0.5, 0.4], [0.3, 1.2]],
        [[-0.5, 0.4], [0.9, 1.2]],
        [[2.9, 2.2], [-3.7, -2.8]],
        [[-6.0, -7.0], [5.0, 4.0]],
        [[1.0, 1.0], [1.0, -1.0]],
        [[0.4999999, 0.1], [0.5000001, 0.1]],
    ];

    /// Steps that are far too long lead there.
    #[test]
    fn places_beyond_all_numbers_have_the_depth_of_the_edge() {
        let bed = hills();
        for place in [[f64::INFINITY, 0.0], [0.0, f64::INFINITY], [f64::NEG_INFINITY, f64::NAN]] {
            assert!(bed.surface(place).height.is_finite(), "{place:?}");
            let _ = bed.over([0.0, 0.0], place);
            let _ = bed.over(place, [0.0, 0.0]);
        }
    }

    /// Within cells the surface is bilinear; at a node it is off by a quarter of r times the jumps
    /// of the slopes.
    #[test]
    fn heights_are_bilinear_and_constant_beyond_the_edges() {
        let bed = hills();
        let depth = |k: usize| -bed.depths[k];
        let [a, b, c, d] = [1, 2, 5, 6].map(depth);
        // A quarter of the way from x = -1 to 0.5, a fifth of that from y = -3 to 0.
        let expected = 0.8 * (0.75 * a + 0.25 * b) + 0.2 * (0.75 * c + 0.25 * d);
        assert!((bed.surface([-0.625, -2.4]).height - expected).abs() < 1e-13);
        for [x, y, depth] in bed.points() {
            assert!((bed.surface([x, y]).height + depth).abs() < 0.1);
        }
        let [outside, farther] = [4.0, 50.0].map(|x| bed.surface([x, 1.0]));
        assert_eq!((outside.height, outside.slope[0]), (farther.height, 0.0));
        assert!(outside.slope[1] != 0.0);
    }

    #[test]
    fn slopes_are_derivatives_of_heights() {
        let bed = hills();
        for place in WAYS.concat() {
            let (here, d) = (bed.surface(place), 1e-6);
            let at = |[x, y]: [f64; 2]| bed.surface([place[0] + x, place[1] + y]);
            for (axis, step) in [[d, 0.0], [0.0, d]].into_iter().enumerate() {
                let (more, less) = (at(step), at(step.map(|x| -x)));
                let slope = (more.height - less.height) / (2.0 * d);
                assert!((slope - here.slope[axis]).abs() < 1e-8, "{place:?} {axis}: {slope} {here:?}");
                let curvature = [0, 1].map(|k| (more.slope[k] - less.slope[k]) / (2.0 * d));
                let exact = [here.curvature[axis], here.curvature[axis + 1]];
                assert!(
                    (0..2).all(|k| (curvature[k] - exact[k]).abs() < 1e-7),
                    "{place:?} {axis}: {curvature:?} {here:?}"
                );
            }
        }
    }

    /// The mean slope does the work of the heights, whatever edges the way crosses.
    #[test]
    fn mean_slopes_have_the_difference_of_heights() {
        let bed = hills();
        for [from, to] in WAYS {
            let [a, b] = bed.over(from, to).slope;
            let rise = a * (to[0] - from[0]) + b * (to[1] - from[1]);
            let expected = bed.surface(to).height - bed.surface(from).height;
            // Rounding of heights of 20 and some dozens of operations.
            assert!((rise - expected).abs() < 1e-13, "{from:?} {to:?}: {rise} {expected}");
        }
    }

    #[test]
    fn mean_slopes_have_exact_derivatives() {
        let bed = hills();
        for [from, to] in WAYS {
            let [xx, xy, yy] = bed.over(from, to).curvature;
            for (axis, exact) in [[xx, xy], [xy, yy]].into_iter().enumerate() {
                let d = 1e-6;
                let at = |d: f64| {
                    let mut end = to;
                    end[axis] += d;
                    bed.over(from, end).slope
                };
                let (more, less) = (at(d), at(-d));
                for k in 0..2 {
                    let slope = (more[k] - less[k]) / (2.0 * d);
                    assert!((slope - exact[k]).abs() < 1e-7, "{from:?} {to:?} {axis} {k}: {slope} {}", exact[k]);
                }
            }
        }
    }

    #[test]
    fn grids_with_holes_are_refused() {
        let whole = [[0.0, 0.0, 5.0], [1.0, 0.0, 5.0], [0.0, 2.0, 6.0], [1.0, 2.0, 6.0]];
        let refusal = |points: &[[f64; 3]]| Bathymetry::new(points).unwrap_err().to_string();
        assert_eq!(Bathymetry::new(&whole).unwrap().points().collect::<Vec<_>>(), whole);
        assert!(refusal(&whole[..3]).contains("points[2] at x = 0, y = 2: the last of 3, but the grid has 2 x 2 = 4"));
        assert!(
            refusal(&[whole[0], whole[1], whole[3], whole[2]])
                .contains("points[2] at x = 1, y = 2: expected x = 0, y = 2")
        );
        assert!(refusal(&[whole[1], whole[0]]).contains("points[1] at x = 0, y = 0: x must rise"));
        assert!(refusal(&whole[..1]).contains("2 or more"));
        assert!(refusal(&[[0.0, 0.0, f64::NAN], whole[1]]).contains("points"));
    }

    #[test]
    fn profiles_of_one_row_or_column_are_grids() {
        for points in [[[0.0, 1.0, 5.0], [2.0, 1.0, 9.0]], [[1.0, 0.0, 5.0], [1.0, 2.0, 9.0]]] {
            let bed = Bathymetry::new(&points).unwrap();
            let place = [points[0][0], points[0][1]].map(|x| if x == 1.0 { 7.0 } else { 0.5 });
            assert_eq!(bed.surface(place).height, -6.0);
            assert_eq!(bed.steepness(), 5.0);
        }
    }
}
