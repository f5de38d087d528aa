//! The library's evaluation of one line at random states, against the reference's.

use crate::common::*;
use crate::reference::{Chain, Material, Sea, Tip};
use nalgebra::Vector3;
use pintle::elements::line;

fn vector(random: &mut Random, size: f64) -> V3 {
    scale(size, random.many())
}

fn nalgebra(all: &[V3]) -> Vec<Vector3<f64>> {
    all.iter().map(|x| Vector3::from(*x)).collect()
}

#[test]
fn forces_and_accelerations_are_those_of_the_reference() {
    let of = Material { d: 0.15, w: 30.0, ea: 4e5, ba: 4e3, ei: 3e3, cdn: 1.4, can: 0.9, cdt: 0.3, cat: 0.2 };
    let mut random = Random(5);
    let (mut grounded, mut slack) = (0, 0);
    for n in [1, 2, 3, 9] {
        for (ei, depth) in [(0.0, 0.0), (0.0, 30.0), (3e3, 30.0)] {
            for (origin, rate) in [(0.0, 0.0), (-12.0, 0.7)] {
                let of = Material { ei, ..of };
                let sea = Sea { current: [0.4, -0.3, 0.1], ..Sea::water(depth) };
                let length = 1.5 * n as f64;
                let chain = Chain {
                    of,
                    n,
                    length: if rate == 0.0 { |n| [n, 0.0] } else { |n| [n, 0.7] },
                    sea,
                    tips: [Tip::Free([0.0; 4]); 2],
                };
                let r: Vec<V3> = (0..=n)
                    .map(|i| {
                        let place = add([1.4 * i as f64, 0.0, -29.9], vector(&mut random, 0.4));
                        [place[0], place[1], place[2].max(-30.2)]
                    })
                    .collect();
                let v: Vec<V3> = (0..=n).map(|_| vector(&mut random, 1.0)).collect();
                // The reference has the length as its time argument.
                let parts = chain.parts(length, &r, &v);
                let accelerations = chain.accelerations(length, &r, &v);
                grounded += parts.iter().filter(|p| p.bed_energy > 0.0).count();
                let type_of = line::LineType {
                    diameter: of.d,
                    mass_per_length: of.w,
                    ea: of.ea,
                    ba: of.ba,
                    ei,
                    cdn: of.cdn,
                    can: of.can,
                    cdt: of.cdt,
                    cat: of.cat,
                    ..line::LineType::default()
                };
                let described = line::Line { points: [0, 1], length, segments: n, ..line::Line::default() };
                let other = line::Chain::new(&described, &type_of);
                let water = line::Water {
                    density: sea.rho,
                    depth,
                    current: vec![(0.0, sea.current)],
                    ..line::Water::default()
                };
                let inside: Vec<V3> = r.iter().map(|x| [x[0], x[1], x[2] - origin]).collect();
                let sticks: Vec<[f64; 2]> = r.iter().map(|x| [x[0], x[1]]).collect();
                let around = line::Around {
                    gravity: Vector3::new(0.0, 0.0, -sea.g),
                    water: &water,
                    origin: Vector3::new(0.0, 0.0, origin),
                    fluid: None,
                    sticks: &sticks,
                    slow: line::Slow::AT_REST,
                };
                let (x, speeds) = (nalgebra(&inside), nalgebra(&v));
                let mut out = line::Evaluation::new(n, ei > 0.0);
                for moving in [false, true] {
                    let a = if moving { nalgebra(&accelerations) } else { vec![Vector3::zeros(); n + 1] };
                    let motions = line::Motions { x: &x, v: &speeds, a: &a, axes: [None; 2] };
                    other.evaluate((length, rate), motions, &around, None, None, &mut out);
                    for (i, (residual, part)) in out.residual.iter().zip(&parts).enumerate() {
                        let expected = if moving { [0.0; 3] } else { scale(-1.0, part.force) };
                        // Rounding of terms of 1e6 N.
                        let what = format!("N {n}, EI {ei}, depth {depth}, moving {moving}, node {i}");
                        assert_close(&what, residual.as_slice(), &expected, 1e-8);
                    }
                }
                let expected = chain.tensions(length, &r, &v);
                assert_close("tensions", &out.tensions, &expected, 1e-8);
                slack += expected.iter().zip(r.windows(2)).filter(|(_, r)| distance(r[0], r[1]) < 1.5).count();
                for (end, node) in [(0, 0), (1, n)] {
                    assert_close("end", out.end_forces[end].as_slice(), &parts[node].force, 1e-8);
                }
                let energies = other.energies(length, |k| x[k], |k| speeds[k], |_| 0.0, [None; 2], &around);
                let [kinetic, strain, height, bed] = chain.energies(length, &r, &v);
                assert_close(
                    "energies",
                    &[energies.kinetic, energies.axial + energies.bending],
                    &[kinetic, strain],
                    1e-8,
                );
                assert_close("energies", &[energies.gravity, energies.seabed], &[height, bed], 1e-8);
            }
        }
    }
    assert!(grounded > 10 && slack > 10, "{grounded} nodes on the bed, {slack} slack segments");
}
