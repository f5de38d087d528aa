//! Lines at rest: catenaries off and on the bed, straight lines, buoyant lines, a pipe that bends.

use crate::catenary::{Catenary, bisect};
use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::{Id, Simulation};

const PLAIN: Material = Material { d: 0.1, w: 70.0, ea: 4e7, ba: 0.0, ei: 0.0, cdn: 1.0, can: 1.0, cdt: 0.1, cat: 0.1 };

/// A line from a lower point at the origin to an upper one at (X, 0, Z) turned by a third of a
/// circle, in the air.
fn hung(one: &Catenary, of: &Material, segments: usize) -> (Simulation, Id, [V3; 2]) {
    let mut sim = system("generalized-alpha", &Sea { g: one.w / of.w, ..Sea::NONE });
    let [x, z] = one.at(one.length);
    let across = [(2.0f64).cos(), (2.0f64).sin(), 0.0];
    let ends = [[0.0; 3], add(scale(x, across), [0.0, 0.0, z])];
    let points = ends.map(|at| fixed(&mut sim, at));
    let id = line(&mut sim, &Material { ea: one.ea, ..*of }, points, one.length, segments);
    (sim, id, [across, [0.0, 0.0, 1.0]])
}

fn in_space(axes: [V3; 2], [x, z]: [f64; 2]) -> V3 {
    add(scale(x, axes[0]), scale(z, axes[1]))
}

/// Slack to twice the span: H so that L = 2 X between ends of equal height.
fn twice_as_long() -> Catenary {
    let with = |h: f64| Catenary { w: 686.7, ea: 4e7, length: 500.0, h, v: 0.5 * 686.7 * 500.0, bed: false };
    with(bisect(|h| with(h).at(500.0)[0] - 250.0, 1.0, 1e7))
}

#[test]
fn end_forces_and_shapes_off_the_bed_are_of_second_order() {
    let of = |h: f64, v: f64| Catenary { w: 686.7, ea: 4e7, length: 500.0, h, v, bed: false };
    for (what, one) in [
        ("sagging below its lower end", of(2e5, 3e5)),
        ("inclined", of(2e5, 6e5)),
        ("taut", of(5e6, 8e5)),
        ("steep", of(1e4, 5e5)),
        ("twice as long as its span", twice_as_long()),
    ] {
        let mut forces = Vec::new();
        let mut shapes = Vec::new();
        for n in [20, 40, 80, 160] {
            let (mut sim, id, axes) = hung(&one, &PLAIN, n);
            sim.initialize(0.0).unwrap();
            sim.solve_equilibrium(100, 1e-10).unwrap();
            let error = end_forces(&sim, id)
                .into_iter()
                .zip(one.end_forces())
                .map(|(found, exact)| distance(found, in_space(axes, exact)))
                .fold(0.0, f64::max);
            let exact: Vec<V3> = (0..=n).map(|i| in_space(axes, one.at(one.length * i as f64 / n as f64))).collect();
            forces.push((1.0 / n as f64, error));
            shapes.push((1.0 / n as f64, apart(&nodes(&sim, id, n), &exact)));
        }
        // A chain of segments is the midpoint rule on the differential equation of the catenary.
        assert_order(&format!("{what}: forces"), &forces, 2.0, 0.1);
        assert_order(&format!("{what}: shape"), &shapes, 2.0, 0.1);
    }
}

#[test]
fn what_initialize_places_is_at_rest() {
    for one in [twice_as_long(), Catenary { w: 686.7, ea: 4e7, length: 500.0, h: 5e6, v: 8e5, bed: false }] {
        for n in [10, 100] {
            let (mut sim, id, _) = hung(&one, &PLAIN, n);
            sim.initialize(0.0).unwrap();
            let (placed, forces) = (nodes(&sim, id, n), end_forces(&sim, id));
            sim.solve_equilibrium(100, 1e-10).unwrap();
            // Statics end where increments are below 1e-7 of a segment; forces follow by EA/l.
            assert!(apart(&placed, &nodes(&sim, id, n)) < 1e-5 * one.length, "{n}");
            for (a, b) in forces.into_iter().zip(end_forces(&sim, id)) {
                assert_close("force", &a, &b, 1e-6 * one.ea);
            }
        }
    }
}

#[test]
fn the_line_of_oc3_lies_on_the_bed_as_its_catenary_does() {
    let sea = Sea::water(OC3_DEPTH);
    let w = (OC3.w - sea.rho * OC3.area()) * sea.g;
    // The bed is penetrated by p, with stiffness p^2/(2 smoothing) d = w: the height of the
    // fairlead over the resting part is larger by p.
    let gives = (2.0 * OC3.d * w / (sea.stiffness * OC3.d)).sqrt();
    // But near the touchdown point the line presses less, so that the result is between this and a
    // rigid bed.
    let over = |height: f64| {
        let exact = Catenary::over([OC3_ANCHOR[0] - OC3_FAIRLEAD[0], height], OC3_LENGTH, w, OC3.ea, true);
        let [_, [h, v]] = exact.end_forces();
        (h.hypot(v), v)
    };
    let ((low, v), (high, _)) = (over(250.0), over(250.0 + gives));
    println!("catenary: {:.3} to {:.3} kN", 1e-3 * low, 1e-3 * high);
    // The part that hangs.
    let hangs = -v / w;
    for n in [10, 20, 50, 100, 200] {
        let mut sim = system("generalized-alpha", &sea);
        let ends = [fixed(&mut sim, OC3_ANCHOR), fixed(&mut sim, OC3_FAIRLEAD)];
        let id = line(&mut sim, &OC3, ends, OC3_LENGTH, n);
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(100, 1e-10).unwrap();
        let [anchor, fairlead] = end_forces(&sim, id);
        let found = norm(fairlead);
        println!("N {n}: {:.3} kN, {:+.4} % of the lower", 1e-3 * found, 1e2 * (found / low - 1.0));
        // A polygon of segments l hangs over some 600 m: (l/s)^2.
        let part = OC3_LENGTH / n as f64 / hangs;
        let square = part * part;
        assert!(found > low * (1.0 - square) && found < high * (1.0 + square), "N {n}: {found}");
        // Without friction the horizontal force at the anchor is that at the fairlead.
        assert!(
            (anchor[0] + fairlead[0]).abs() < 1e-7 * found && anchor[1].abs().max(fairlead[1].abs()) < 1e-7 * found
        );
        // Both ends and the bed carry the weight.
        let carried = -anchor[2] - fairlead[2];
        assert!(carried > 0.0 && carried < w * OC3_LENGTH);
        let lies = nodes(&sim, id, n).iter().filter(|r| r[2] < -OC3_DEPTH).count() as f64 * OC3_LENGTH / n as f64;
        assert!((lies - (OC3_LENGTH - hangs)).abs() < 1.5 * OC3_LENGTH / n as f64, "N {n}: {lies} m lie");
    }
}

/// A line longer than the distance along the bed and up: it hangs straight down, and the rest lies
/// on the bed.
#[test]
fn a_slack_line_hangs_straight_down_to_the_bed() {
    let sea = Sea::water(200.0);
    let w = (PLAIN.w - sea.rho * PLAIN.area()) * sea.g;
    for (n, x, length) in [(40, 50.0, 160.0), (50, 100.0, 220.0), (100, 20.0, 240.0)] {
        let mut sim = system("generalized-alpha", &sea);
        let ends = [fixed(&mut sim, [x, 0.0, -200.0]), fixed(&mut sim, [0.0, 0.0, -100.0])];
        let id = line(&mut sim, &PLAIN, ends, length, n);
        sim.initialize(0.0).unwrap();
        let [anchor, top] = end_forces(&sim, id);
        let l = length / n as f64;
        // The lowest segment that hangs ends somewhere between two nodes.
        assert_close("weight of what hangs", &[-top[2]], &[100.0 * w], 1.5 * w * l);
        assert!(top[0].hypot(top[1]) < w * l && anchor[0].hypot(anchor[1]) < w * l, "{top:?} {anchor:?}");
    }
}

#[test]
fn a_vertical_line_stretches_under_its_own_weight() {
    let (g, length, of) = (9.81, 300.0, PLAIN);
    let below = 2e5;
    let w = of.w * g;
    // T = below + w s: the stretch is (below L + w L^2/2)/EA; the midpoint rule is exact for what
    // is linear.
    let z = length + (below * length + 0.5 * w * length * length) / of.ea;
    for n in [1, 2, 7, 50] {
        let mut sim = system("generalized-alpha", &Sea { g, ..Sea::NONE });
        let ends = [fixed(&mut sim, [3.0, 4.0, -z]), fixed(&mut sim, [3.0, 4.0, 0.0])];
        let id = line(&mut sim, &of, ends, length, n);
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(100, 1e-10).unwrap();
        let [low, high] = end_forces(&sim, id);
        // EA/l times the rounding of coordinates, 300 m 1e-16, and the error of the iteration.
        let tolerance = 1e-9 * (below + w * length);
        assert_close(&format!("{n}, below"), &low, &[0.0, 0.0, below], tolerance);
        assert_close(&format!("{n}, above"), &high, &[0.0, 0.0, -below - w * length], tolerance);
        let l = length / n as f64;
        let expected: Vec<f64> = (0..n).map(|j| below + w * (j as f64 + 0.5) * l).collect();
        assert_close("tensions", &tensions(&sim, id, n), &expected, tolerance);
    }
}

#[test]
fn a_buoyant_line_is_a_heavy_one_upside_down() {
    let n = 30;
    // 5 kg/m in the air, and 5 kg/m less than nothing in water of this density.
    let rope = Material { w: 5.0, ea: 4e6, ..PLAIN };
    let rho = 10.0 / rope.area();
    let of = |rho: f64, up: f64| {
        let mut sim = system("generalized-alpha", &Sea { rho, ..Sea::NONE });
        let at = |x: f64, z: f64| [x, 0.0, -500.0 + up * z];
        let ends = [fixed(&mut sim, at(0.0, 0.0)), fixed(&mut sim, at(80.0, 20.0))];
        let id = line(&mut sim, &rope, ends, 110.0, n);
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(100, 1e-10).unwrap();
        (end_forces(&sim, id), nodes(&sim, id, n))
    };
    let (forces, shape) = of(0.0, 1.0);
    let (mirrored, mirrored_shape) = of(rho, -1.0);
    for (a, b) in forces.into_iter().zip(mirrored) {
        assert_close("force", &a, &[b[0], b[1], -b[2]], 1e-6 * norm(a));
    }
    let back: Vec<V3> = mirrored_shape.iter().map(|r| [r[0], r[1], -1000.0 - r[2]]).collect();
    assert!(apart(&shape, &back) < 1e-6);
}

/// The pipe of a published comparison (Orcina; MoorDyn's test of bending): forces of both ends to
/// the printed digits.
#[test]
fn a_jumper_that_bends_has_the_published_forces() {
    let of = Material { d: 0.396, w: 165.0, ea: 5e8, ba: 0.0, ei: 120.8e3, cdn: 0.0, can: 0.0, cdt: 0.0, cat: 0.0 };
    let mut sim = system("generalized-alpha", &Sea { g: 9.807, rho: 1000.0, ..Sea::NONE });
    let ends = [fixed(&mut sim, [-100.0, 0.0, -55.0]), fixed(&mut sim, [0.0, 0.0, -5.0])];
    let id = line(&mut sim, &of, ends, 170.0, 68);
    sim.initialize(0.0).unwrap();
    sim.solve_equilibrium(100, 1e-10).unwrap();
    let [low, high] = end_forces(&sim, id);
    println!("bottom {low:?}, top {high:?}");
    // Half of the last digit, and what iterations leave; it was computed with as many segments.
    let tolerance = 0.6;
    assert_close("top", &[-high[0], -high[2]], &[11.398e3, 45.713e3], tolerance);
    assert_close("bottom", &[low[0], -low[2]], &[11.398e3, 24.037e3], tolerance);
    // A chain of the same weight is another: its catenary.
    let w = (of.w - 1000.0 * of.area()) * 9.807;
    let chain = Catenary::over([100.0, 50.0], 170.0, w, of.ea, false);
    assert!((chain.h - 11.398e3).abs() > 20.0 * tolerance, "{chain:?}");
}
