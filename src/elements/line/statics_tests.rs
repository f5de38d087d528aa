//! Lines at rest against closed forms, from all kinds of starts.

use super::catenary::{Hanging, hang};
use super::{Around, Chain, Line, LineType, Settled, Slow, Statics, Unsettled, Water};
use crate::spatial::Vec3;
use crate::spatial::noise::Noise;

const GRAVITY: f64 = 9.81;

/// A chain on 200 m of water (that of the OC4 semi-submersible).
fn chain_type() -> LineType {
    LineType { diameter: 0.0766, mass_per_length: 113.35, ea: 753.6e6, ba: -1.0, ..LineType::default() }
}

fn sea(depth: f64) -> Water {
    Water { density: 1025.0, depth, friction: 0.7, current: vec![(0.0, [1.0, 0.5, 0.0])], ..Water::default() }
}

pub(super) struct Case {
    of: LineType,
    water: Water,
    origin: f64,
    gravity: Vec3,
}

impl Case {
    pub(super) fn new(of: LineType, water: Water) -> Case {
        Case { of, water, origin: 0.0, gravity: Vec3::new(0.0, 0.0, -GRAVITY) }
    }

    pub(super) fn shape(&self, length: f64, segments: usize, ends: [Vec3; 2]) -> (Statics, Result<Settled, Unsettled>) {
        let line = Line { line_type: 0, points: [0, 1], length, segments, ..Line::default() };
        let chain = Chain::new(&line, &self.of);
        let mut statics = Statics::new(&chain);
        let sticks = vec![[0.0; 2]; segments + 1];
        let around = Around {
            gravity: self.gravity,
            water: &self.water,
            origin: Vec3::new(0.0, 0.0, self.origin),
            fluid: None,
            sticks: &sticks,
            slow: Slow::AT_REST,
        };
        let found = statics.shape(&chain, length, ends, &around);
        (statics, found)
    }

    pub(super) fn settled(&self, length: f64, segments: usize, ends: [Vec3; 2]) -> Statics {
        let (statics, found) = self.shape(length, segments, ends);
        found.unwrap_or_else(|why| panic!("{why:?}"));
        statics
    }
}

/// Of a fine division of a catenary: the largest error of the balance `d(T t)/ds = w z`, of a force
/// of size `H + w L`.
fn unbalanced(of: &Hanging, ends: [Vec3; 2]) -> f64 {
    let n = 40_000;
    let mut nodes = vec![Vec3::zeros(); n + 1];
    hang(of, ends, &mut nodes);
    let l = of.length / n as f64;
    let forces: Vec<Vec3> = nodes
        .windows(2)
        .map(|pair| {
            let chord = pair[1] - pair[0];
            chord / chord.norm() * (of.stiffness * (chord.norm() / l - 1.0))
        })
        .collect();
    // Sums from end A on, so that what is compared is a force and not a difference of neighbours.
    let weight = |k: usize| Vec3::new(0.0, 0.0, of.weight * l * k as f64);
    let errors = forces.iter().enumerate().map(|(k, force)| (force - forces[0] - weight(k)).norm());
    errors.fold(0.0, f64::max) / (forces[0].norm() + of.weight.abs() * of.length)
}

#[test]
fn catenaries_carry_their_weight() {
    for length in [85.0, 100.1, 120.0, 160.0, 200.0] {
        for (span, height) in [(80.0, 60.0), (60.0, -80.0), (99.0, 0.0), (20.0, 84.0)] {
            for weight in [800.0, -50.0] {
                let of = Hanging { length, weight, stiffness: 1e6, floor: None, penetration: 0.0 };
                let ends = [Vec3::new(5.0, 7.0, 1.0), Vec3::new(5.0 + 0.6 * span, 7.0 - 0.8 * span, 1.0 + height)];
                let error = unbalanced(&of, ends);
                // Chords for arcs: (w l/H)^2/24 of the tension, where H is above 1/60 of w L, and
                // rounding in strains of 1e-16/1e-4.
                assert!(error < 2e-5, "length {length}, span {span}, height {height}, weight {weight}: {error:e}");
            }
        }
    }
}

/// The pull at the upper end of a line that partly lies, `H` and `V = sqrt(w Z (2 H + w Z))`
/// without stretch.
#[test]
fn a_line_on_the_bed_lies_to_where_it_lifts_off() {
    let (length, weight, depth) = (300.0, 1000.0, 100.0);
    let of = Hanging { length, weight, stiffness: 1e13, floor: Some(-depth), penetration: 0.0 };
    // From H: V, the hanging length V/w, and the span.
    let horizontal = 50e3f64;
    let vertical = (weight * depth * (2.0 * horizontal + weight * depth)).sqrt();
    let span = length - vertical / weight + horizontal / weight * (vertical / horizontal).asinh();
    for flip in [false, true] {
        let (a, b) = (Vec3::new(0.0, 0.0, -depth), Vec3::new(span, 0.0, 0.0));
        let ends = if flip { [b, a] } else { [a, b] };
        let mut nodes = vec![Vec3::zeros(); 3001];
        hang(&of, ends, &mut nodes);
        let lying = length - vertical / weight;
        for (k, node) in nodes.iter().enumerate() {
            let s = if flip { length - 0.1 * k as f64 } else { 0.1 * k as f64 };
            let up = (s - lying).max(0.0) * weight / horizontal;
            let x = s.min(lying) + horizontal / weight * up.asinh();
            let z = horizontal / weight * (up.hypot(1.0) - 1.0) - depth;
            // H is found to 1e-14 of the span, the stretch is 1e-8 of the length.
            assert!((node - Vec3::new(x, 0.0, z)).norm() < 1e-5, "flip {flip}, s {s}: {node:?}, {x} {z}");
        }
    }
}

#[test]
fn slack_lines_drop_to_the_bed_and_lie_there() {
    let of = Hanging { length: 250.0, weight: 1000.0, stiffness: 1e13, floor: Some(-100.0), penetration: 0.01 };
    for span in [130.0, 10.0, 0.0] {
        let mut nodes = vec![Vec3::zeros(); 251];
        hang(&of, [Vec3::new(0.0, 0.0, -100.0), Vec3::new(span, 0.0, 0.0)], &mut nodes);
        for (k, node) in nodes.iter().enumerate().skip(1) {
            if k < 149 {
                assert_eq!(node.z, -100.01, "span {span}, node {k}");
            } else if k > 151 {
                assert!(
                    (node - Vec3::new(span, 0.0, k as f64 - 250.0)).norm() < 1e-6,
                    "span {span}, node {k}: {node:?}"
                );
            }
            assert!((node - nodes[k - 1]).norm() > 0.1, "span {span}, node {k}: segments keep a direction");
        }
    }
}

/// Forces of the ends approach those of the catenary with the square of the segments' length.
#[test]
fn hanging_lines_approach_the_catenary_with_order_two() {
    let case = Case::new(chain_type(), Water { density: 0.0, ..Water::default() });
    let ends = [Vec3::new(0.0, 0.0, -90.0), Vec3::new(120.0, 50.0, -10.0)];
    let length = 170.0;
    let weight = 113.35 * GRAVITY;
    // H and V from the spans by bisection of both, of the inextensible line, then the stretch:
    // found apart from the code's own search, from forces to spans.
    let of = |n: usize| {
        let statics = case.settled(length, n, ends);
        statics.evaluation.end_forces
    };
    let (coarse, middle, fine) = (of(20), of(40), of(80));
    for end in 0..2 {
        let (first, second) = ((coarse[end] - middle[end]).norm(), (middle[end] - fine[end]).norm());
        let order = (first / second).log2();
        assert!((order - 2.0).abs() < 0.05, "end {end}: order {order}");
        // The limit's two sides: sum of both forces is the weight, always.
        assert!((coarse[0] + coarse[1] + Vec3::new(0.0, 0.0, weight * length)).norm() < 1e-6 * weight * length);
        // Elastic catenary of the extrapolated force: its span.
        let limit = fine[end] + (fine[end] - middle[end]) / 3.0;
        let upper = fine[1] + (fine[1] - middle[1]) / 3.0;
        let (horizontal, vertical) = (limit.x.hypot(limit.y), -upper.z);
        let angle = |v: f64| (v / horizontal).asinh();
        let span =
            horizontal / weight * (angle(vertical) - angle(vertical - weight * length)) + horizontal * length / 753.6e6;
        // What is left is of fourth order: (w l/H)^4 of the span, 1e-6.
        assert!((span / 130.0 - 1.0).abs() < 1e-6, "end {end}: span {span}");
    }
}

/// The line of the OC3 spar buoy: 911.09 kN at the fairlead by the catenary on the bed.
#[test]
fn the_line_of_oc3_pulls_as_its_catenary() {
    let of = LineType { diameter: 0.09, mass_per_length: 77.7066, ea: 384.243e6, ba: -0.8, ..LineType::default() };
    let mut case = Case::new(of, sea(320.0));
    case.gravity.z = -9.80665;
    let ends = [Vec3::new(853.87, 0.0, -320.0), Vec3::new(5.2, 0.0, -70.0)];
    // Net force of N = 10, 20, 100: 0.3 %, -0.13 %, -0.004 % from the catenary. The tension of the
    // last segment of N = 20 is 900.75 kN on a bed whose spring sets in at once; this one lets
    // nodes in a few centimetres deeper, which is 0.01 % of the force.
    for (segments, bound) in [(10, 4e-3), (20, 1.5e-3), (100, 3e-4)] {
        let statics = case.settled(902.2, segments, ends);
        let force = statics.evaluation.end_forces[1].norm();
        assert!((force / 911.09e3 - 1.0).abs() < bound, "{segments}: {force}");
        if segments == 20 {
            assert!(
                (statics.evaluation.tensions[19] / 900.75e3 - 1.0).abs() < 1e-3,
                "{}",
                statics.evaluation.tensions[19]
            );
        }
    }
}

/// Slack to taut, on and off the bed, 20 to 500 segments.
#[test]
fn nearly_all_of_a_grid_of_lines_come_to_rest_and_half_of_them_soon() {
    let case = Case::new(chain_type(), sea(200.0));
    let mut iterations = Vec::new();
    let mut failed = Vec::new();
    for segments in [20, 100, 500] {
        for (span, height, over) in
            [(796.7, 186.0, 0.0), (100.0, 180.0, 0.0), (400.0, 100.0, 90.0), (10.0, 150.0, 40.0), (600.0, 0.0, 0.0)]
        {
            let ends = [Vec3::new(0.0, 0.0, over - 200.0), Vec3::new(0.6 * span, 0.8 * span, over + height - 200.0)];
            for ratio in [0.98, 0.995, 1.0, 1.005, 1.02, 1.05, 1.1, 1.25, 1.5, 1.75, 2.0] {
                let length = ratio * f64::hypot(span, height);
                match case.shape(length, segments, ends) {
                    (_, Ok(settled)) => iterations.push((settled.iterations, segments, [span, height, over], ratio)),
                    (_, Err(why)) => failed.push((segments, span, ratio, why)),
                }
            }
        }
    }
    iterations.sort_by_key(|(iterations, ..)| *iterations);
    let half = iterations[iterations.len() / 2].0;
    println!("{} at rest, half within {half} steps, failed: {failed:?}", iterations.len());
    println!("the last ones: {:?}", &iterations[iterations.len() - 5..]);
    assert!(failed.len() <= 1, "{failed:?}");
    assert!(half <= 10, "half of them after {half} steps");
}

/// Potentials of lines without bending are convex: from wherever nodes are thrown, descent comes to
/// the one shape at rest.
#[test]
fn descent_comes_to_the_same_shape_from_anywhere() {
    let mut random = Noise(7);
    let still = |depth: f64| Water { current: Vec::new(), friction: 0.0, ..sea(depth) };
    let case = Case::new(chain_type(), still(200.0));
    let line = |length: f64, segments: usize| Line { points: [0, 1], length, segments, ..Line::default() };
    for (ends, length, segments) in [
        ([Vec3::new(0.0, 0.0, -200.0), Vec3::new(150.0, 0.0, -14.0)], 300.0, 20),
        ([Vec3::new(0.0, 0.0, -150.0), Vec3::new(90.0, 20.0, -100.0)], 105.0, 12),
        ([Vec3::new(0.0, 0.0, -200.0), Vec3::new(100.0, 0.0, 20.0)], 250.0, 16),
    ] {
        let rest = case.settled(length, segments, ends);
        let chain = Chain::new(&line(length, segments), &case.of);
        let sticks = vec![[0.0; 2]; segments + 1];
        let around = Around {
            gravity: case.gravity,
            water: &case.water,
            origin: Vec3::zeros(),
            fluid: None,
            sticks: &sticks,
            slow: Slow::AT_REST,
        };
        for _ in 0..5 {
            let mut statics = Statics::new(&chain);
            statics.x.copy_from_slice(&rest.x);
            for x in &mut statics.x[1..segments] {
                *x += random.vec3() * (0.3 * length);
            }
            let found = statics.descend(&chain, length, [true; 2], &around);
            assert!(found.is_some(), "length {length}");
            // What lies slack may lie anywhere on the bed; tensions and forces of the ends are
            // those of the one least potential. Both are balanced to 1e-9 of the weight of a
            // segment at every node.
            for end in 0..2 {
                let [force, same] = [&rest, &statics].map(|s| s.evaluation.end_forces[end]);
                assert!((force - same).norm() < 1e-6 * force.norm() + 1e-3, "length {length}: {force:?}, {same:?}");
            }
        }
    }
}

/// Rotated about the vertical, moved, and measured from elsewhere: the same line.
#[test]
fn places_do_not_matter() {
    let case = Case::new(chain_type(), sea(200.0));
    let (a, b) = (Vec3::new(0.0, 0.0, -200.0), Vec3::new(796.7, 0.0, -14.0));
    let here = case.settled(835.5, 20, [a, b]);
    let moved = Vec3::new(3e3, -2e3, 5e3);
    let elsewhere = Case { origin: -5e3, ..Case::new(chain_type(), sea(200.0)) };
    let there = elsewhere.settled(835.5, 20, [a + moved, b + moved]);
    let flipped = case.settled(835.5, 20, [b, a]);
    for k in 0..=20 {
        // The tolerance of forces over the stiffness of shapes, about w: 1e-9 l; and the rounding
        // of coordinates of 5 km.
        assert!((here.x[k] + moved - there.x[k]).norm() < 1e-6, "node {k}");
        assert!((here.x[k] - flipped.x[20 - k]).norm() < 1e-6, "node {k} from the other end");
    }
}

#[test]
fn lines_rise_and_stand_and_float_without_weight() {
    // Rises: the mirror image of one that sinks as much.
    let sinks = LineType { diameter: 0.2, mass_per_length: 2.0 * 1025.0 * 0.01 * std::f64::consts::PI, ..chain_type() };
    let rises = LineType { mass_per_length: 0.0 + 1e-9, ..sinks.clone() };
    let deep = Case::new(sinks, Water { current: Vec::new(), ..sea(0.0) });
    let light = Case::new(rises, Water { current: Vec::new(), ..sea(0.0) });
    let (a, b) = (Vec3::new(0.0, 0.0, -300.0), Vec3::new(100.0, 0.0, -250.0));
    let flip = |x: Vec3| Vec3::new(x.x, x.y, -600.0 - x.z);
    let (down, up) = (deep.settled(150.0, 30, [a, b]), light.settled(150.0, 30, [flip(a), flip(b)]));
    for k in 0..=30 {
        assert!((flip(down.x[k]) - up.x[k]).norm() < 1e-6, "node {k}: {:?} {:?}", down.x[k], up.x[k]);
    }
    // Neither sinks nor rises: straight.
    let floats = LineType { mass_per_length: 1025.0 * 0.01 * std::f64::consts::PI, ..light.of.clone() };
    let neutral = Case::new(floats, light.water.clone());
    for length in [110.0, 150.0] {
        let straight = neutral.settled(length, 30, [a, b]);
        for (k, x) in straight.x.iter().enumerate() {
            assert!((x - (a + (b - a) * (k as f64 / 30.0))).norm() < 1e-9, "length {length}, node {k}");
        }
    }
    // Stands upright, stretched by its weight: T = EA (Z - L)/L + w (s - L/2).
    let case = Case::new(chain_type(), Water { density: 0.0, ..Water::default() });
    let upright = case.settled(100.0, 20, [Vec3::zeros(), Vec3::new(0.0, 0.0, 100.5)]);
    for (k, tension) in upright.evaluation.tensions.iter().enumerate() {
        let expected = 753.6e6 * 0.005 + 113.35 * GRAVITY * (5.0 * k as f64 + 2.5 - 50.0);
        assert!((tension - expected).abs() < 1e-6 * expected, "segment {k}: {tension}, {expected}");
    }
}

/// In millimetres and in kilometres: the same line.
#[test]
fn units_do_not_matter() {
    let shape = |unit: f64| {
        let of = LineType {
            diameter: 0.0766 * unit,
            mass_per_length: 113.35 / unit,
            ea: 753.6e6 * unit,
            ..LineType::default()
        };
        let water = Water {
            density: 1025.0 / (unit * unit * unit),
            depth: 200.0 * unit,
            // Force per area and length, kg/(m^2 s^2); and smoothing.
            stiffness: 3e6 / (unit * unit),
            smoothing: 0.1 * unit,
            ..Water::default()
        };
        let mut case = Case::new(of, water);
        case.gravity *= unit;
        [790.0, 250.0, 10.0].map(|span| {
            let ends = [Vec3::new(0.0, 0.0, -200.0 * unit), Vec3::new(span * unit, 0.0, -14.0 * unit)];
            let statics = case.settled((span + 46.0) * unit, 40, ends);
            (statics.x, statics.evaluation.end_forces[1] / unit)
        })
    };
    let metres = shape(1.0);
    for unit in [1e3, 1e-3] {
        for ((x, force), (same, same_force)) in metres.iter().zip(&shape(unit)) {
            // Both to 1e-9 of the weight of a segment.
            assert!((force - same_force).norm() < 1e-6 * force.norm(), "unit {unit}: {force:?} {same_force:?}");
            let error = x.iter().zip(same).map(|(x, same)| (x - same / unit).norm()).fold(0.0, f64::max);
            assert!(error < 1e-5, "unit {unit}: {error}");
        }
    }
}

/// Ends in one place, ends upright over each other, gravity along the level: all have shapes at
/// rest.
#[test]
fn unusual_lines_come_to_rest_too() {
    let case = Case::new(chain_type(), sea(200.0));
    for (a, b, length) in [
        (Vec3::new(0.0, 0.0, -50.0), Vec3::new(0.0, 0.0, -50.0), 60.0),
        (Vec3::new(0.0, 0.0, -50.0), Vec3::new(0.0, 0.0, -20.0), 61.0),
        (Vec3::new(0.0, 0.0, -200.0), Vec3::new(0.0, 0.0, -10.0), 300.0),
        (Vec3::new(0.0, 0.0, -150.0), Vec3::new(20.0, 0.0, -160.0), 300.0),
        // From the air into the water.
        (Vec3::new(0.0, 0.0, -60.0), Vec3::new(90.0, 0.0, 40.0), 150.0),
    ] {
        for segments in [1, 2, 3, 21, 50] {
            let (_, found) = case.shape(length, segments, [a, b]);
            assert!(found.is_ok(), "{a:?} {b:?} {length} {segments}: {found:?}");
        }
    }
    let aside = Case { gravity: Vec3::new(5.0, 0.0, -5.0), ..Case::new(chain_type(), sea(0.0)) };
    assert!(aside.shape(120.0, 20, [Vec3::zeros(), Vec3::new(100.0, 0.0, 0.0)]).1.is_ok());
}

/// Bending: a beam held at both ends by pins sags as `5 q L^4/(384 EI)` where it is far from a
/// cable.
#[test]
fn stiff_lines_sag_as_beams() {
    let stiff = LineType { ei: 1e9, ea: 1e10, mass_per_length: 10.0, ..chain_type() };
    let case = Case::new(stiff, Water { density: 0.0, ..Water::default() });
    let sag = |n: usize| case.settled(40.0, n, [Vec3::zeros(), Vec3::new(40.0, 0.0, 0.0)]).x[n / 2].z;
    let exact = -5.0 * 10.0 * GRAVITY * 40f64.powi(4) / (384.0 * 1e9);
    let (coarse, fine) = (sag(10) / exact - 1.0, sag(20) / exact - 1.0);
    // Second order: the lumped beam's error is 4/5 of (l/L)^2 within a factor; the pull of so small
    // a sag is 1e-6 of the load.
    assert!(coarse.abs() < 2e-2 && fine.abs() < 5e-3, "{coarse} {fine}");
    assert!((coarse / fine / 4.0 - 1.0).abs() < 0.05, "{coarse} {fine}");
}

/// A line with length to spare is straightened by its bending stiffness, and stretched less and
/// less: where that would have to push, segments fold up, and its shapes end. The search tells that
/// limit, from wherever it comes. (Beyond it there are shapes with folded neighbours at some
/// stiffnesses, 1e8 among them, and whether the search comes upon one of these is a matter of
/// rounding.)
#[test]
fn bending_stiffness_has_the_limit_where_it_would_push_segments() {
    let ends = [Vec3::new(0.0, 0.0, -30.0), Vec3::new(90.0, 0.0, -10.0)];
    let pipe = |ei: f64| {
        let of = LineType { diameter: 0.2, mass_per_length: 100.0, ea: 5e8, ei, ..LineType::default() };
        Case::new(of, Water { density: 1025.0, ..Water::default() })
    };
    let mut limits = Vec::new();
    for ei in [3e8, 1e9, 1e11] {
        let (_, found) = pipe(ei).shape(100.0, 20, ends);
        let Err(Unsettled { bends: Some(part), .. }) = found else { panic!("EI {ei:e}: {found:?}") };
        limits.push(part * ei);
    }
    // The search ends where a part that is larger by less than 1.02^2 has no shape any more.
    assert!(limits.iter().all(|limit| (limit / limits[0] - 1.0).abs() < 0.05), "{limits:?}");
    // A fifth of it leaves all segments stretched; just before it some are slack and short.
    let least = |statics: &Statics| statics.evaluation.tensions.iter().fold(f64::INFINITY, |least, h| h.min(least));
    assert!(least(&pipe(0.2 * limits[0]).settled(100.0, 20, ends)) > 0.0);
    let bowed = pipe(0.98 * limits[0]).settled(100.0, 20, ends);
    let shortest = bowed.x.windows(2).map(|pair| (pair[1] - pair[0]).norm()).fold(f64::INFINITY, f64::min);
    assert!(least(&bowed) == 0.0 && shortest < 0.2 * 5.0, "{} N, {shortest} m", least(&bowed));
    // What is taut may be as stiff as it likes.
    pipe(1e12).settled(92.1, 20, ends);
}
