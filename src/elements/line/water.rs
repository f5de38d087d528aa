//! How much of a segment is under water, and the current at a depth.

use super::Water;
use crate::spatial::Vec3;

/// Of the water line of one segment, for the two halves of it that belong to its nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wet {
    /// Submerged share of the segment that its nodes carry; half each when it is wholly under
    /// water.
    pub(super) shares: [f64; 2],
    /// Derivatives of the shares by the depths of the nodes, `[share][node]`, where the surface
    /// cuts the segment.
    pub(super) slopes: Option<[[f64; 2]; 2]>,
}

/// Nothing of it.
pub(super) const DRY: Wet = Wet { shares: [0.0; 2], slopes: None };
/// All of it.
pub(super) const WHOLLY: Wet = Wet { shares: [0.5; 2], slopes: None };

/// Points and weights of Gauss on 0..1, exact for the quintics that occur below.
const GAUSS: [(f64, f64); 3] =
    [(0.112_701_665_379_258_31, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.887_298_334_620_741_7, 5.0 / 18.0)];

/// Submerged share of a segment whose axis lies so deep at its two nodes; `radius` is that of its
/// cross-section.
///
/// A cross-section whose axis is at depth h counts with `sigma(h) = 3 x^2 - 2 x^3`, x = (h +
/// radius)/(2 radius): from none of it, when it has just left the water, to all of it. The share of
/// a node is the integral of sigma over the segment with the weights 1 - xi and xi, so that the
/// buoyancy is the derivative of an energy.
#[inline]
pub(super) fn wet(depths: [f64; 2], radius: f64) -> Wet {
    if depths[0] >= radius && depths[1] >= radius {
        WHOLLY
    } else if depths[0] <= -radius && depths[1] <= -radius {
        DRY
    } else {
        cut(depths, radius)
    }
}

/// Of a segment that the surface cuts: exact, piece by piece.
#[cold]
fn cut(depths: [f64; 2], radius: f64) -> Wet {
    let (mut shares, mut slopes) = ([0.0; 2], [[0.0; 2]; 2]);
    let [from, to] = transition(depths, radius);
    for (x, weight) in GAUSS {
        let xi = from + (to - from) * x;
        let weight = weight * (to - from);
        let shape = [1.0 - xi, xi];
        let s = height(depths, radius, xi);
        let sigma = s * s * (3.0 - 2.0 * s);
        let slope = 6.0 * s * (1.0 - s) / (2.0 * radius);
        for i in 0..2 {
            shares[i] += weight * sigma * shape[i];
            for j in 0..2 {
                slopes[i][j] += weight * slope * shape[i] * shape[j];
            }
        }
    }
    // What is wholly under water before or behind.
    let mut add = |a: f64, b: f64| {
        let upper = 0.5 * (b * b - a * a);
        shares[0] += (b - a) - upper;
        shares[1] += upper;
    };
    if depths[0] > depths[1] {
        add(0.0, from)
    } else {
        add(to, 1.0)
    }
    Wet { shares, slopes: Some(slopes) }
}

/// Integral over the segment of the primitive of sigma, which is h where the cross-section is
/// wholly under water: with `rho g A l` it is the energy of buoyancy.
pub(super) fn wet_energy(depths: [f64; 2], radius: f64) -> f64 {
    let mean = |a: f64, b: f64| (b - a) * (depths[0] + 0.5 * (a + b) * (depths[1] - depths[0]));
    if depths[0] >= radius && depths[1] >= radius {
        return mean(0.0, 1.0);
    }
    if depths[0] <= -radius && depths[1] <= -radius {
        return 0.0;
    }
    let [from, to] = transition(depths, radius);
    let mut energy = if depths[0] > depths[1] { mean(0.0, from) } else { mean(to, 1.0) };
    for (x, weight) in GAUSS {
        let xi = from + (to - from) * x;
        let s = height(depths, radius, xi);
        energy += weight * (to - from) * 2.0 * radius * s * s * s * (1.0 - 0.5 * s);
    }
    energy
}

/// Where on a segment, 0..1, cross-sections are partly in the water.
fn transition(depths: [f64; 2], radius: f64) -> [f64; 2] {
    let rise = depths[1] - depths[0];
    let inside = |h: f64| h.abs() < radius;
    if inside(depths[0]) && inside(depths[1]) {
        return [0.0, 1.0];
    }
    // They differ: one is inside and one is not, or they are on two sides.
    let (a, b) = ((-radius - depths[0]) / rise, (radius - depths[0]) / rise);
    [a.min(b).clamp(0.0, 1.0), a.max(b).clamp(0.0, 1.0)]
}

/// x of sigma at a place on the segment.
fn height(depths: [f64; 2], radius: f64, xi: f64) -> f64 {
    let depth = depths[0] + xi * (depths[1] - depths[0]);
    ((depth + radius) / (2.0 * radius)).clamp(0.0, 1.0)
}

/// The steady current at a depth below the mean water level, and its derivative by the depth:
/// straight between its points, constant beyond them.
#[inline]
pub fn current(water: &Water, depth: f64) -> (Vec3, Option<Vec3>) {
    if water.current.is_empty() { (Vec3::zeros(), None) } else { profile(&water.current, depth) }
}

fn profile(points: &[(f64, [f64; 3])], depth: f64) -> (Vec3, Option<Vec3>) {
    let after = points.partition_point(|(at, _)| *at <= depth);
    if after == 0 {
        return (Vec3::from(points[0].1), None);
    }
    let (from, below) = (points[after - 1].0, Vec3::from(points[after - 1].1));
    if after == points.len() {
        return (below, None);
    }
    let slope = (Vec3::from(points[after].1) - below) / (points[after].0 - from);
    (below + slope * (depth - from), Some(slope))
}
