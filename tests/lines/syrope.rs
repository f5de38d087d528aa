//! Polyester ropes of the Syrope model against their curves and equations: slow cycles, swings;
//! energy, rest, modes.

use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::model::{Syrope, Viscoelastic, WorkingCurve};
use pintle::{Id, Simulation};
use std::f64::consts::TAU;

const G: f64 = 9.81;
const MASS: f64 = 50.0;
/// B_s of a rope, half of which moves with the mass.
const ROPE: Material = Material { d: 0.02, w: 20.0, ea: 1e5, ba: 4e4, ei: 0.0, cdn: 0.0, can: 0.0, cdt: 0.0, cat: 0.0 };
/// The original curve.
const STRAINS: [f64; 4] = [0.0, 0.02, 0.05, 0.1];
const TENSIONS: [f64; 4] = [0.0, 1.2e3, 3.9e3, 9.4e3];
const LAW: Viscoelastic = Viscoelastic { stiffness: 4e5, slope: 0.0, damping: 500.0 };
/// Stiffer under load.
const LOADED: Viscoelastic = Viscoelastic { slope: 20.0, ..LAW };
const CURVES: [Syrope; 4] = [
    Syrope { curve: WorkingCurve::Linear, k1: 0.3, k2: 0.0 },
    Syrope { curve: WorkingCurve::Stiffness, k1: 1.5e5, k2: 0.0 },
    Syrope { curve: WorkingCurve::Quadratic, k1: 0.25, k2: 1.0 },
    Syrope { curve: WorkingCurve::Exponential, k1: 0.2, k2: 1.5 },
];

/// A rope of 1 m on a fixed point, along a direction, and what is at its other end.
#[derive(Debug, Clone, Copy)]
struct Hung {
    law: Viscoelastic,
    curves: Syrope,
    largest: f64,
    at: V3,
    along: V3,
    gravity: f64,
    segments: usize,
    w: f64,
    /// Metres are so many units of length.
    length: f64,
}

const HUNG: Hung = Hung {
    law: LAW,
    curves: CURVES[3],
    largest: 0.0,
    at: [0.0; 3],
    along: [0.0, 0.0, -1.0],
    gravity: G,
    segments: 1,
    w: ROPE.w,
    length: 1.0,
};

impl Hung {
    fn described(&self, scheme: &str, end: impl Fn(&mut Simulation, V3) -> Id, strain: f64) -> Simulation {
        let mut sim = system(scheme, &Sea { g: G, ..Sea::NONE });
        sim.settings().set_gravity(&scale(self.gravity * self.length, self.along)).unwrap();
        let hook = fixed(&mut sim, self.at);
        let end = end(&mut sim, add(self.at, scale((1.0 + strain) * self.length, self.along)));
        // Forces are kg m/s^2: lengths of millimetres make them a thousand times as large.
        let force = self.length;
        let units = Material { ea: ROPE.ea * force, ba: ROPE.ba * force, w: self.w / self.length, ..ROPE };
        let kind = line_type(&mut sim, &units);
        sim.elements().set_line_type_table(kind, "ea", &STRAINS, &TENSIONS.map(|tension| tension * force)).unwrap();
        let Viscoelastic { stiffness, slope, damping } = self.law;
        let law = Viscoelastic { stiffness: stiffness * force, slope, damping: damping * force };
        let is_stiffness = self.curves.curve == WorkingCurve::Stiffness;
        let curves = Syrope { k1: self.curves.k1 * if is_stiffness { force } else { 1.0 }, ..self.curves };
        sim.elements().set_line_type_syrope(kind, law, curves).unwrap();
        sim.elements().add_line(kind, hook, end, self.length, self.segments as i32).unwrap();
        sim.inputs().set_line_largest_tensions(0, &[self.largest * force]).unwrap();
        sim
    }

    /// With a mass at its end.
    fn mass(&self, scheme: &str, strain: f64, speed: f64) -> Simulation {
        let mut sim = self.described(scheme, |sim, at| free(sim, MASS, at), strain);
        sim.build().set_point_velocity(1, &scale(speed * self.length, self.along)).unwrap();
        if self.length > 1.0 {
            host_tolerances(&mut sim);
        }
        sim
    }

    /// The strain of the rope.
    fn strain(&self, sim: &Simulation) -> f64 {
        let x = sim.points().position(1).unwrap();
        dot(add(x, scale(-1.0, self.at)), self.along) / self.length - 1.0
    }

    fn largest(&self, sim: &Simulation) -> f64 {
        let mut tensions = vec![0.0; self.segments];
        sim.lines().largest_tensions(0, &mut tensions).unwrap();
        tensions[0] / self.length
    }
}

fn interpolate(from: &[f64], to: &[f64], x: f64) -> f64 {
    let k = (1..from.len() - 1).find(|k| from[*k] > x).unwrap_or(from.len() - 1);
    to[k - 1] + (to[k] - to[k - 1]) / (from[k] - from[k - 1]) * (x - from[k - 1])
}

/// Mean tension at a strain of rest, after a largest tension.
fn curve(curves: &Syrope, x: f64, largest: f64) -> f64 {
    let end = interpolate(&TENSIONS, &STRAINS, largest);
    if x >= end {
        return interpolate(&STRAINS, &TENSIONS, x);
    }
    let Syrope { curve, k1, k2 } = *curves;
    let start = if curve == WorkingCurve::Stiffness { end - largest / k1 } else { k1 * end };
    let xi = ((x - start) / (end - start)).max(0.0);
    largest
        * match curve {
            WorkingCurve::Linear | WorkingCurve::Stiffness => xi,
            WorkingCurve::Quadratic => xi * (k2 * xi + 1.0 - k2),
            WorkingCurve::Exponential => ((k2 * xi).exp() - 1.0) / (k2.exp() - 1.0),
        }
}

/// The strain of the dynamic spring at a mean tension.
fn stretch(law: &Viscoelastic, tension: f64) -> f64 {
    let q = law.slope / law.stiffness;
    if q == 0.0 { tension / law.stiffness } else { (q * tension).ln_1p() / law.slope }
}

/// Mean tension at a slow strain, by bisection.
fn tension_of(hung: &Hung, z: f64, largest: f64) -> [f64; 2] {
    let [mut low, mut high] = [0.0, 1.0];
    for _ in 0..60 {
        let x = 0.5 * (low + high);
        let is_above = x - stretch(&hung.law, curve(&hung.curves, x, largest)) > z;
        if is_above { high = x } else { low = x }
    }
    let x = 0.5 * (low + high);
    [x, curve(&hung.curves, x, largest)]
}

/// The strain of the swinging mass, which stays taut, and the largest tension, by Runge-Kutta 4 in
/// steps after each of which the largest tension grows.
fn swung(hung: &Hung, strain: f64, speed: f64, time: f64) -> [f64; 2] {
    let mut largest = hung.largest.max(curve(&hung.curves, strain, hung.largest));
    let first = curve(&hung.curves, strain, hung.largest);
    let mut y = [strain, speed, strain - stretch(&hung.law, first)];
    let steps = 4000;
    let h = time / f64::from(steps);
    for _ in 0..steps {
        let rate = |y: [f64; 3]| {
            let [x, t] = tension_of(hung, y[2], largest);
            let e = hung.law.stiffness + hung.law.slope * t;
            assert!(t + e * (y[0] - x) > 0.0, "the dynamic spring is slack");
            let slow_rate = (e * (y[0] - x) + hung.law.damping * y[1]) / (ROPE.ba + hung.law.damping);
            let tension = t + ROPE.ba * slow_rate;
            [y[1], hung.gravity - tension / (MASS + 0.5 * hung.w), slow_rate]
        };
        let next = |y: [f64; 3], dy: [f64; 3], h: f64| [0, 1, 2].map(|k| y[k] + h * dy[k]);
        let a = rate(y);
        let b = rate(next(y, a, 0.5 * h));
        let c = rate(next(y, b, 0.5 * h));
        let d = rate(next(y, c, h));
        y = [0, 1, 2].map(|k| y[k] + h / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]));
        largest = largest.max(tension_of(hung, y[2], largest)[1]);
    }
    [y[0], largest]
}

/// Slow loading follows the original curve, unloading and loading again the working curve; without
/// tension a strain is left.
#[test]
fn slow_cycles_follow_the_curves() {
    for curves in CURVES {
        for law in [LAW, LOADED] {
            let hung = Hung { curves, law, largest: 800.0, ..HUNG };
            let mut sim = hung.described("generalized-alpha", moved, 0.01);
            sim.initialize(0.0).unwrap();
            let mut largest: f64 = 800.0;
            for strain in [0.01, 0.016, 0.03, 0.02, 0.028, 0.04, 0.07, 0.05, 0.02, 0.06, 0.07, 0.08, 0.1] {
                let at = scale(1.0 + strain, hung.along);
                sim.inputs().set_point_motion(1, &at, &[0.0; 3], &[0.0; 3]).unwrap();
                (0..8).for_each(|_| sim.step(1e4).unwrap());
                let expected = curve(&curves, strain, largest);
                largest = largest.max(expected);
                let off = [tensions(&sim, 0, 1)[0] - expected, hung.largest(&sim) - largest].map(f64::abs);
                assert!(
                    off[0] < 1e-9 * largest && off[1] < 1e-9 * largest,
                    "{curves:?} {strain}: {off:?} of {expected}"
                );
            }
        }
    }
}

/// Every scheme reaches the solution at its order, at most two, on a working curve and on the
/// original one; over the kink between them, where the end of a step decides, it comes near.
#[test]
fn swings_converge_at_second_order() {
    // Taut all the time; the rest is at 600 N.
    let worn = Hung { largest: 5e3, ..HUNG };
    for (hung, strain, speed, time) in
        [(worn, 0.022, 0.05, 0.3), (Hung { law: LOADED, ..worn }, 0.022, 0.05, 0.3), (HUNG, 0.022, 1.0, 0.02)]
    {
        let [exact, largest] = swung(&hung, strain, speed, time);
        assert!((largest > hung.largest) == (hung.largest == 0.0));
        let off = |sim: &Simulation| hung.strain(sim) - exact;
        check_second_order(|scheme| hung.mass(scheme, strain, speed), time, off, &format!("{hung:?}"));
    }
    let [exact, largest] = swung(&HUNG, 0.012, 0.05, 0.3);
    for scheme in ["generalized-alpha", "newmark", "rk4"] {
        let mut sim = HUNG.mass(scheme, 0.012, 0.05);
        sim.initialize(0.0).unwrap();
        (0..640).for_each(|_| sim.step(0.3 / 640.0).unwrap());
        let off = [(HUNG.strain(&sim) - exact).abs(), (HUNG.largest(&sim) / largest - 1.0).abs()];
        assert!(off[0] < 2e-6 && off[1] < 1e-4, "{scheme}: {off:?}");
    }
}

/// The motion does not depend on place, direction, unit of length and number of equal segments.
#[test]
fn the_same_rope_elsewhere_swings_alike() {
    let base = Hung { w: 1e-3, law: LOADED, largest: 1e3, ..HUNG };
    let far = Hung { at: [1e6, -1e6, 1e6], ..base };
    let across = Hung { along: [0.6, -0.8, 0.0], ..base };
    let millimetres = Hung { length: 1e3, ..base };
    let four = Hung { segments: 4, ..base };
    for scheme in ["generalized-alpha", "newmark"] {
        let swing = |hung: Hung| {
            let mut sim = hung.mass(scheme, 0.022, 0.5);
            sim.initialize(0.0).unwrap();
            for k in 0..160 {
                sim.step(0.3 / 160.0 * if k % 2 == 0 { 0.5 } else { 1.5 }).unwrap();
            }
            [hung.strain(&sim), hung.largest(&sim)]
        };
        let [strain, largest] = swing(base);
        assert!(largest > 1.2e3);
        for (hung, tolerance) in [(far, 1e-7), (across, 1e-9), (millimetres, 1e-7), (four, 1e-5)] {
            let [other, greatest] = swing(hung);
            let off = [other - strain, greatest / largest - 1.0].map(f64::abs);
            assert!(off[0] < tolerance && off[1] < 1e2 * tolerance, "{scheme}: {off:?} of {hung:?}");
        }
    }
}

/// Equilibrium and rest are on the working curve below the largest tension, on the original one
/// beyond it, and a small fast swing about it finds E = alpha + beta T, as modes do.
#[test]
fn rest_is_on_the_curves_and_modes_are_dynamic() {
    for curves in CURVES {
        for largest in [0.0, 3e3] {
            let law = Viscoelastic { damping: 0.0, ..LOADED };
            let hung = Hung { law, curves, largest, ..HUNG };
            let mut sim = hung.mass("generalized-alpha", 0.03, 0.0);
            sim.initialize(0.0).unwrap();
            let weight = (MASS + 0.5 * ROPE.w) * G;
            let greatest = hung.largest(&sim).max(largest);
            sim.solve_equilibrium(50, 1e-12).unwrap();
            let off = curve(&curves, hung.strain(&sim), greatest) / weight - 1.0;
            assert!(off.abs() < 1e-9, "{curves:?} {largest}: {off:e}");
            assert!((hung.largest(&sim) / greatest.max(weight) - 1.0).abs() < 1e-9);
            let before = hung.strain(&sim);
            (0..50).for_each(|_| sim.step(0.02).unwrap());
            assert!((hung.strain(&sim) / before - 1.0).abs() < 1e-9);
            let (modes, _) = sim.analysis().modes().unwrap();
            let highest = modes.iter().map(|mode| mode.frequency).fold(0.0, f64::max);
            let e = law.stiffness + law.slope * weight;
            let off = TAU * highest / (e / (MASS + 0.5 * ROPE.w)).sqrt() - 1.0;
            assert!(off.abs() < 1e-2, "{curves:?}: {highest} {off:e}");
        }
    }
}

/// A rope that hangs between two points starts with the tensions that its curves have at the
/// strains of its segments, and stays there; one that was stretched hangs lower.
#[test]
fn a_hanging_rope_starts_at_rest_on_its_curves() {
    for curves in CURVES {
        let shape = |largest: f64, segments: usize| {
            let mut sim = system("generalized-alpha", &Sea { g: G, ..Sea::NONE });
            let [a, b] = [0.0, 20.3].map(|x| fixed(&mut sim, [x, 0.0, 0.0]));
            let kind = line_type(&mut sim, &Material { w: 2.0, ..ROPE });
            sim.elements().set_line_type_table(kind, "ea", &STRAINS, &TENSIONS).unwrap();
            sim.elements().set_line_type_syrope(kind, LOADED, curves).unwrap();
            sim.elements().add_line(kind, a, b, 20.0, segments as i32).unwrap();
            sim.inputs().set_line_largest_tensions(0, &[largest]).unwrap();
            sim.initialize(0.0).unwrap();
            let mut nodes = vec![[0.0; 3]; segments + 1];
            sim.lines().positions(0, &mut nodes).unwrap();
            let length = 20.0 / segments as f64;
            for (ends, tension) in nodes.windows(2).zip(tensions(&sim, 0, segments)) {
                let chord = add(ends[1], scale(-1.0, ends[0]));
                let expected = curve(&curves, dot(chord, chord).sqrt() / length - 1.0, largest);
                assert!((tension - expected).abs() < 1e-6 * expected, "{curves:?} {largest}: {tension} {expected}");
            }
            let sag = -nodes[segments / 2][2];
            (0..20).for_each(|_| sim.step(0.5).unwrap());
            sim.lines().positions(0, &mut nodes).unwrap();
            assert!((nodes[segments / 2][2] + sag).abs() < 1e-6 * sag, "{curves:?} {largest}: {sag}");
            sag
        };
        let [new, worn, fine] = [shape(0.0, 10), shape(6e3, 10), shape(6e3, 40)];
        assert!(worn > 1.02 * new && (fine / worn - 1.0).abs() < 0.02, "{new} {worn} {fine}");
    }
}

/// With newmark, which has no numerical dissipation, the energy falls in every step, while the rope
/// is stretched further than before, goes slack and snaps.
#[test]
fn energy_falls_in_every_step() {
    for curves in CURVES {
        for h in [1e-3, 0.02, 0.3] {
            let hung = Hung { curves, ..HUNG };
            let mut sim = hung.mass("newmark", 0.02, 3.0);
            sim.initialize(0.0).unwrap();
            let energy = |sim: &Simulation| {
                let (kinetic, potential) = sim.outputs().energy().map(|energy| (energy.0, energy.1)).unwrap();
                kinetic + potential
            };
            let (mut last, size) = (energy(&sim), 0.5 * MASS * 9.0);
            let (start, new, mut slack) = (last, hung.largest(&sim), 0);
            for k in 0..400 {
                sim.step(h).unwrap();
                let now = energy(&sim);
                assert!(now < last + 1e-9 * size, "{curves:?}, {h}: step {k} adds {:e}", now - last);
                last = now;
                slack += u32::from(hung.strain(&sim) < 0.0);
            }
            assert!(slack > 0 && last < start - 0.1 * size, "{slack} {last}");
            assert!(hung.largest(&sim) > 1.1 * new, "{curves:?}, {h}: {} {new}", hung.largest(&sim));
        }
    }
}

/// A saved state has slow strains and largest tensions: a fresh system goes on to the bit, also
/// from a trial.
#[test]
fn a_restored_rope_goes_on_to_the_bit() {
    let hung = Hung { largest: 1e3, law: LOADED, ..HUNG };
    for scheme in schemes() {
        assert_restored_runs_agree(|| hung.mass(&scheme, 0.03, 1.0), &scheme);
    }
}

/// Largest tensions that are set between steps choose another working curve, with the slow strains
/// that there are; no tension is below that of the original curve at these strains.
#[test]
fn largest_tensions_are_set_and_read_back() {
    let hung = Hung { segments: 4, law: LOADED, gravity: 0.0, w: 1e-3, largest: 1e3, ..HUNG };
    let mut sim = hung.described("generalized-alpha", moved, 0.03);
    let mut found = [0.0; 4];
    sim.lines().largest_tensions(0, &mut found).unwrap();
    assert_eq!(found, [1e3; 4]);
    sim.initialize(0.0).unwrap();
    let mut slow = [0.0; 4];
    sim.lines().slow_strains(0, &mut slow).unwrap();
    let z = 0.03 - stretch(&hung.law, curve(&hung.curves, 0.03, 1e3));
    assert!(slow.iter().all(|slow| (slow / z - 1.0).abs() < 1e-9), "{slow:?} {z}");
    sim.inputs().set_line_largest_tensions(0, &[0.0, 2e3, 4e3, 8e3]).unwrap();
    sim.lines().largest_tensions(0, &mut found).unwrap();
    let original = curve(&hung.curves, 0.03, 0.0);
    assert!((found[0] / original - 1.0).abs() < 1e-9 && (found[1] / original - 1.0).abs() < 1e-9, "{found:?}");
    assert_eq!(found[2..], [4e3, 8e3]);
    let mut after = [0.0; 4];
    sim.lines().slow_strains(0, &mut after).unwrap();
    assert!(slow.iter().zip(&after).all(|(before, after)| (after / before - 1.0).abs() < 1e-12), "{after:?}");
    sim.inputs().set_line_slow_strains(0, &[0.0, 0.02, 0.05, -0.01]).unwrap();
    sim.lines().slow_strains(0, &mut after).unwrap();
    let off = [0.0, 0.02, 0.05, -0.01].iter().zip(&after).map(|(set, got)| (set - got).abs()).fold(0.0, f64::max);
    assert!(off < 1e-14, "{after:?}");
    let why = sim.inputs().set_line_largest_tensions(0, &[1.0, 2.0]).unwrap_err().to_string();
    assert!(why.contains("1 or 4"), "{why}");
    let why = sim.inputs().set_line_largest_tensions(0, &[-1.0]).unwrap_err().to_string();
    assert!(why.contains("-1 is negative"), "{why}");
    sim.step(0.01).unwrap();
}

#[test]
fn curves_that_do_not_fit_are_refused() {
    let mut sim = Hung { largest: 1e3, ..HUNG }.described("generalized-alpha", moved, 0.0);
    let refused = |sim: &mut Simulation, law: Viscoelastic, curves: Syrope, wanted: &str| {
        let why = sim.elements().set_line_type_syrope(0, law, curves).unwrap_err().to_string();
        assert!(why.contains(wanted), "{why}");
    };
    let [linear, stiffness, quadratic, exponential] = CURVES;
    refused(&mut sim, LAW, Syrope { k1: -0.1, ..linear }, "-0.1 is not from 0 to below 1");
    refused(&mut sim, LAW, Syrope { k1: 0.0, ..stiffness }, "0 is not above 0: it is a stiffness");
    refused(&mut sim, LAW, Syrope { k1: 5e4, ..stiffness }, "50000 is so small that");
    refused(&mut sim, LAW, Syrope { k2: 1.1, ..quadratic }, "1.1 is not above 0 and at most 1");
    refused(&mut sim, LAW, Syrope { k2: 0.0, ..exponential }, "0 is not from 0.001 to below 100");
    refused(&mut sim, LAW, Syrope { k2: f64::NAN, ..exponential }, "k2");
    // The original curve is hollow: a straight line from its beginning is above it.
    refused(&mut sim, LAW, Syrope { k1: 0.0, ..linear }, "give back more energy");
    refused(
        &mut sim,
        Viscoelastic { stiffness: 1.1e5, ..LAW },
        linear,
        "110000 is not more than the stiffness of the curves",
    );
    refused(&mut sim, Viscoelastic { slope: -1.0, ..LAW }, linear, "-1 is negative");
    sim.elements().set_line_type_viscoelastic(0, Viscoelastic::NONE).unwrap();
    assert_eq!(sim.description().line_type_info(0).unwrap().syrope, None);
    // Its lines have no largest tensions any more, in files either.
    let mut largest = [1.0];
    sim.lines().largest_tensions(0, &mut largest).unwrap();
    assert_eq!(largest, [0.0]);
    let path = std::env::temp_dir().join(format!("pintle-syrope-{}.toml", std::process::id()));
    sim.save_model(&path).unwrap();
    let loaded = Simulation::load_model(&path);
    std::fs::remove_file(&path).unwrap();
    loaded.unwrap();
    let why = sim.inputs().set_line_largest_tensions(0, &[1.0]).unwrap_err().to_string();
    assert!(why.contains("line 0 has no curves"), "{why}");
    sim.elements().set_line_type_table(0, "ea", &[0.0, 0.1], &[0.0, 0.0]).unwrap_err();
    sim.elements().set_line_type_table(0, "ea", &[0.0, 0.1, 0.2], &[0.0, 1e3, 1e3]).unwrap();
    refused(&mut sim, LAW, linear, "1000 is a tension of its table that is no more than the one before");
    sim.elements().set_line_type_table(0, "ea", &[0.1, 0.2], &[1e3, 3e3]).unwrap();
    refused(&mut sim, LAW, linear, "1000 is the first tension of its table");
}
