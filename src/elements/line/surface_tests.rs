//! Lines that float, and lines that stretch without a force at first: their shapes at rest.

use super::statics_tests::Case;
use super::{LineType, Table, Water};
use crate::spatial::Vec3;
use std::sync::Arc;

/// A rope of polypropylene, a hose, and a buoyant thread.
fn types() -> [LineType; 3] {
    let of = |diameter: f64, density: f64, ea: f64| {
        let area = 0.25 * std::f64::consts::PI * diameter * diameter;
        LineType { diameter, mass_per_length: density * area, ea, ..LineType::default() }
    };
    [of(0.08, 910.0, 2e6), of(0.5, 400.0, 5e7), of(0.01, 700.0, 1e5)]
}

#[test]
fn floating_lines_come_to_rest_between_ends_above_the_water() {
    let mut failed = Vec::new();
    let mut count = 0;
    for (k, of) in types().into_iter().enumerate() {
        let case = Case::new(of, Water { density: 1025.0, ..Water::default() });
        for segments in [1, 2, 5, 20, 60] {
            for (low, high) in [(-60.0, 15.0), (-5.0, 5.0), (2.0, 12.0), (0.0, 8.0), (-100.0, 0.5), (4.0, 4.0)] {
                for span in [5.0, 60.0, 150.0] {
                    for ratio in [0.99, 1.001, 1.05, 1.3, 2.0] {
                        let ends = [Vec3::new(0.0, 0.0, low), Vec3::new(span, 0.0, high)];
                        let length = ratio * (ends[1] - ends[0]).norm();
                        count += 1;
                        if let (_, Err(why)) = case.shape(length, segments, ends) {
                            failed.push((k, segments, low, high, span, ratio, why));
                        }
                    }
                }
            }
        }
    }
    failed.iter().for_each(|failed| println!("{failed:?}"));
    println!("{} of {count} not at rest", failed.len());
    assert!(failed.is_empty());
}

/// Above the surface tension grows by the weight with the height, below it by the buoyancy less the
/// weight with the depth, from one value at the surface on, whether the line lies there or just
/// crosses it.
#[test]
fn tension_follows_height_and_depth() {
    let [rope, hose, _] = types();
    for of in [rope, hose] {
        let (radius, area) = (0.5 * of.diameter, 0.25 * std::f64::consts::PI * of.diameter * of.diameter);
        let weights = [9.81 * of.mass_per_length, 9.81 * (1025.0 * area - of.mass_per_length)];
        let case = Case::new(of, Water { density: 1025.0, ..Water::default() });
        for (low, high, ratio) in [(-60.0, 15.0, 1.5), (-60.0, 15.0, 1.05), (-30.0, 20.0, 1.02), (3.0, 12.0, 1.6)] {
            let n = 400;
            let ends = [Vec3::new(0.0, 0.0, low), Vec3::new(60.0, 80.0, high)];
            let length = ratio * (ends[1] - ends[0]).norm();
            let statics = case.settled(length, n, ends);
            let forces: Vec<(f64, f64, f64)> = (0..n)
                .map(|k| {
                    let chord = statics.x[k + 1] - statics.x[k];
                    let tension = statics.evaluation.tensions[k];
                    (0.5 * (statics.x[k].z + statics.x[k + 1].z), tension, tension * chord.xy().norm() / chord.norm())
                })
                .collect();
            let horizontal = forces[0].2;
            let at_surface: Vec<f64> = forces
                .iter()
                .filter(|(z, ..)| z.abs() > 2.0 * length / n as f64 && z.abs() > 2.0 * radius)
                .map(|(z, tension, _)| tension - weights[usize::from(*z < 0.0)] * z.abs())
                .collect();
            let [least, most] = [f64::INFINITY, -f64::INFINITY].map(|from| {
                let choose = if from > 0.0 { f64::min } else { f64::max };
                at_surface.iter().copied().fold(from, choose)
            });
            println!("{ratio}: H {horizontal}, at the surface {least} to {most}, weights {weights:?}");
            // Forces along the level are in balance to the tolerance of the search; heights count
            // from where the thickness of the line ends; and chords lie beside arcs by l^2 w/(8 H).
            assert!(forces.iter().all(|(.., h)| (h - horizontal).abs() < 1e-6 * horizontal + 1e-3), "{forces:?}");
            let weight = weights[0].max(weights[1]);
            let l = length / n as f64;
            let beside = (l * l * weight / (8.0 * horizontal)).min(0.5 * l);
            assert!(most - least < weight * (2.0 * radius + beside), "{least} to {most}, beside {beside}");
        }
    }
}

/// Up to a strain of 0.02 no force: such a line hangs as one that is so much longer, and pulls as
/// its table says.
#[test]
fn lines_that_stretch_freely_at_first_hang_as_longer_ones() {
    let air = || Water { density: 0.0, ..Water::default() };
    let (longer, w) = (1.02, 9.81 * 5.0);
    // By the strain of the longer line: EA' e' with l' = 1.02 l, so that the slopes of both tables
    // are 1.02 apart.
    let table = |x: &[f64], y: &[f64]| Some(Arc::new(Table { x: x.into(), y: y.into() }));
    let of = |tension, mass_per_length| LineType { diameter: 0.02, mass_per_length, tension, ..LineType::default() };
    let free = Case::new(of(table(&[0.0, 0.02, 0.03], &[0.0, 0.0, 1e4]), 5.0), air());
    let plain = Case::new(LineType { ea: 1.02e6, ..of(None, 5.0 / longer) }, air());
    for ratio in [0.99, 1.0, 1.1, 1.6] {
        let ends = [Vec3::new(0.0, 0.0, 5.0), Vec3::new(60.0, -80.0, 25.0)];
        let length = ratio * (ends[1] - ends[0]).norm();
        let (one, other) = (free.settled(length, 40, ends), plain.settled(longer * length, 40, ends));
        for k in 0..40 {
            let [tension, expected] = [&one, &other].map(|statics| statics.evaluation.tensions[k]);
            // Both are in balance to 1e-9 of the weight of a segment, w l.
            assert!((tension - expected).abs() < 1e-6 * w * length, "{ratio}, segment {k}: {tension}, {expected}");
            assert!((one.x[k] - other.x[k]).norm() < 1e-6 * length, "{ratio}, node {k}");
        }
    }
    // What never pulls has no shape; the force that is left over is a number.
    let (_, found) =
        Case::new(of(table(&[0.0, 1.0], &[0.0, 0.0]), 5.0), air()).shape(110.0, 10, [Vec3::zeros(), Vec3::x() * 100.0]);
    assert!(found.is_err_and(|why| why.force.is_finite()), "{found:?}");
}

/// The same on dry land, where what is not pulled lies; up to a strain of 0.1 no force.
#[test]
fn lines_that_stretch_freely_at_first_lie_on_land_as_longer_ones() {
    let land = || Water { density: 0.0, depth: 20.0, smoothing: 0.01, ..Water::default() };
    let longer = 1.1;
    for (segments, heights, span, length, mass) in
        [(22, [10.0, 25.0], 20.0, 30.0, 0.5), (22, [10.0, 25.0], 20.0, 30.0, 2.0), (25, [2.0, 15.0], 10.0, 20.0, 0.5)]
    {
        let table = Table { x: [0.0, 0.1, 0.11].into(), y: [0.0, 0.0, 1e6].into() };
        let free =
            LineType { diameter: 0.05, mass_per_length: mass, tension: Some(Arc::new(table)), ..LineType::default() };
        // The same mass and the same area on the bed on the longer length.
        let plain = LineType {
            diameter: 0.05 / longer,
            mass_per_length: mass / longer,
            ea: 1e8 * longer,
            tension: None,
            ..free.clone()
        };
        let ends = [Vec3::new(0.0, 0.0, heights[0] - 20.0), Vec3::new(span, 0.0, heights[1] - 20.0)];
        let one = Case::new(free, land()).settled(length, segments, ends);
        let other = Case::new(plain, land()).settled(longer * length, segments, ends);
        for k in 0..segments {
            let [tension, expected] = [&one, &other].map(|statics| statics.evaluation.tensions[k]);
            // Nodes are in balance to the rounding of forces, 8 EA/l 1e-16 of 50 m: 1e-5 N.
            assert!((tension - expected).abs() < 1e-3, "{heights:?}, segment {k}: {tension}, {expected}");
        }
    }
}
