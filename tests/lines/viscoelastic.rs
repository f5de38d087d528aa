//! Viscoelastic lines against the standard linear solid: creep, relaxation, complex stiffness, free
//! swings; energy, rest, modes.

use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::model::Viscoelastic;
use pintle::{Id, Simulation};
use std::f64::consts::TAU;

const G: f64 = 9.81;
const MASS: f64 = 50.0;
/// EA and B_s of a rope, half of which moves with the mass.
const ROPE: Material = Material { d: 0.02, w: 20.0, ea: 1e5, ba: 4e4, ei: 0.0, cdn: 0.0, can: 0.0, cdt: 0.0, cat: 0.0 };
const LAW: Viscoelastic = Viscoelastic { stiffness: 1.6e5, slope: 0.0, damping: 500.0 };
/// Stiffer under load.
const LOADED: Viscoelastic = Viscoelastic { slope: 20.0, ..LAW };

/// A rope of 1 m on a fixed point, along a direction, and what is at its other end.
#[derive(Clone, Copy)]
struct Hung {
    of: Material,
    law: Viscoelastic,
    at: V3,
    along: V3,
    gravity: f64,
    segments: usize,
    /// Metres are so many units of length.
    length: f64,
}

const DOWN: V3 = [0.0, 0.0, -1.0];
const HUNG: Hung = Hung { of: ROPE, law: LAW, at: [0.0; 3], along: DOWN, gravity: G, segments: 1, length: 1.0 };

impl Hung {
    fn described(&self, scheme: &str, end: impl Fn(&mut Simulation, V3) -> Id, strain: f64) -> Simulation {
        let mut sim = system(scheme, &Sea { g: G, ..Sea::NONE });
        sim.settings().set_gravity(&scale(self.gravity * self.length, self.along)).unwrap();
        let hook = fixed(&mut sim, self.at);
        let end = end(&mut sim, add(self.at, scale((1.0 + strain) * self.length, self.along)));
        // Forces are kg m/s^2: lengths of millimetres make them a thousand times as large.
        let of = self.of;
        let units = Material { ea: of.ea * self.length, ba: of.ba * self.length, w: of.w / self.length, ..of };
        let kind = line_type(&mut sim, &units);
        let Viscoelastic { stiffness, slope, damping } = self.law;
        let law = Viscoelastic { stiffness: stiffness * self.length, slope, damping: damping * self.length };
        sim.elements().set_line_type_viscoelastic(kind, law).unwrap();
        sim.elements().add_line(kind, hook, end, self.length, self.segments as i32).unwrap();
        sim
    }

    /// With a mass at its end.
    fn mass(&self, scheme: &str, strain: f64, speed: f64) -> Simulation {
        let mut sim = self.described(scheme, |sim, at| free(sim, MASS, at), strain);
        sim.build().set_point_velocity(1, &scale(speed * self.length, self.along)).unwrap();
        sim
    }

    /// With an end that is moved.
    fn moved(&self, scheme: &str, strain: f64) -> Simulation {
        let mut sim = self.described(scheme, moved, strain);
        sim.initialize(0.0).unwrap();
        sim
    }

    /// The strain of the rope.
    fn strain(&self, sim: &Simulation) -> f64 {
        let x = sim.points().position(1).unwrap();
        dot(add(x, scale(-1.0, self.at)), self.along) / self.length - 1.0
    }

    fn move_end(&self, sim: &mut Simulation, strain: f64, rate: f64) {
        let at = add(self.at, scale((1.0 + strain) * self.length, self.along));
        let v = scale(rate * self.length, self.along);
        sim.inputs().set_point_motion(1, &at, &v, &[0.0; 3]).unwrap();
    }

    fn tension(&self, sim: &Simulation) -> f64 {
        tensions(sim, 0, self.segments)[0] / self.length
    }
}

/// The springs of the pairs: T, E at a slow strain.
fn springs(of: &Material, law: &Viscoelastic, z: f64) -> [f64; 2] {
    let (alpha, beta, ea) = (law.stiffness, law.slope, of.ea);
    let sum = alpha + ea + beta * ea * z.max(0.0);
    let e = 0.5 * (sum + (sum * sum - 4.0 * alpha * ea).sqrt());
    [e * ea / (e - ea) * z, e]
}

/// Tension and rate of the slow strain, as the equations of the two pairs say.
fn rope(of: &Material, law: &Viscoelastic, [strain, rate, z]: [f64; 3]) -> [f64; 2] {
    let [t, e] = springs(of, law, z);
    let slow_rate = (e * (strain - z).max(0.0) - t + law.damping * rate) / (of.ba + law.damping);
    [t + of.ba * slow_rate, slow_rate]
}

/// Strain, its rate and the slow strain of the swinging mass, by Runge-Kutta 4.
fn swung(hung: &Hung, strain: f64, speed: f64, time: f64) -> Vec<f64> {
    let rate = |_: f64, y: &[f64], dy: &mut [f64]| {
        let [tension, slow_rate] = rope(&hung.of, &hung.law, [y[0], y[1], y[2]]);
        (dy[0], dy[1], dy[2]) = (y[1], hung.gravity - tension / (MASS + 0.5 * hung.of.w), slow_rate);
    };
    let t = hung.of.ea * strain.max(0.0);
    let z = t / hung.of.ea - t / (hung.law.stiffness + hung.law.slope * t);
    rk4_samples(rate, &[strain, speed, z], time, 1, 20_000).pop().unwrap()
}

/// Every scheme reaches the solution at its order, at most two: the slow strain is exact to second
/// order in the steps.
#[test]
fn swings_converge_at_second_order() {
    for law in [LAW, LOADED] {
        let hung = Hung { law, ..HUNG };
        // Taut all the time: the rest is at 0.0059.
        let (strain, speed, time) = (0.008, 0.1, 0.3);
        let exact = swung(&hung, strain, speed, time)[0];
        let off = |sim: &Simulation| hung.strain(sim) - exact;
        check_second_order(|scheme| hung.mass(scheme, strain, speed), time, off, &format!("{law:?}"));
    }
}

/// The error of steps that change is of second order, too, and so is that of any place, direction,
/// unit of length and number of equal segments: the motion is the same.
#[test]
fn the_same_rope_elsewhere_swings_alike() {
    let (strain, time, n) = (0.02, 0.3, 160);
    let far = Hung { at: [1e6, -1e6, 1e6], ..HUNG };
    let across = Hung { along: [0.6, -0.8, 0.0], ..HUNG };
    let millimetres = Hung { length: 1e3, ..HUNG };
    let four = Hung { segments: 4, of: Material { w: 1e-3, ..ROPE }, ..HUNG };
    for (hung, tolerance) in [(HUNG, 6e-5), (far, 6e-5), (across, 6e-5), (millimetres, 6e-5), (four, 1e-4)] {
        let exact = swung(&hung, strain, 0.3, time)[0];
        for scheme in ["generalized-alpha", "newmark"] {
            let mut sim = hung.mass(scheme, strain, 0.3);
            if hung.length > 1.0 {
                host_tolerances(&mut sim);
            }
            sim.initialize(0.0).unwrap();
            for k in 0..n {
                sim.step(time / f64::from(n) * if k % 2 == 0 { 0.5 } else { 1.5 }).unwrap();
            }
            let off = (hung.strain(&sim) - exact).abs();
            assert!(off < tolerance, "{scheme}: {off:e} at {:?} along {:?}", hung.at, hung.along);
        }
    }
}

/// Where the strain changes at a constant rate the tension is that of the solid, in steps of any
/// length: T + B_s zdot with zdot of the closed form.
#[test]
fn ramps_and_relaxation_are_exact_in_steps_of_any_length() {
    for (scheme, h) in
        [("generalized-alpha", 0.01), ("generalized-alpha", 0.3), ("newmark", 30.0), ("rk4", 0.002), ("ab2", 0.002)]
    {
        let (start, rate, rise) = (0.01, 0.05 / h, 2.0 * h);
        let mut sim = HUNG.moved(scheme, start);
        let [_, e] = springs(&ROPE, &LAW, 0.0);
        let stiff = e * ROPE.ea / (e - ROPE.ea);
        let (both, lambda) = (ROPE.ba + LAW.damping, (e + stiff) / (ROPE.ba + LAW.damping));
        // zdot + lambda z = (E strain + B_d rate)/(B_s + B_d), from rest.
        let particular = |strain: f64, rate: f64| {
            let slope = e * rate / both / lambda;
            ((e * strain + LAW.damping * rate) / both - slope) / lambda
        };
        let after = |z: f64, from: f64, rate: f64, t: f64| {
            particular(from + rate * t, rate) + (z - particular(from, rate)) * (-lambda * t).exp()
        };
        let mut z = start * ROPE.ea / stiff;
        for k in 1..=6 {
            let (rate, from) =
                if k <= 2 { (rate, start + rate * h * f64::from(k - 1)) } else { (0.0, start + rate * rise) };
            let to = from + rate * h;
            HUNG.move_end(&mut sim, to, rate);
            sim.step(h).unwrap();
            z = after(z, from, rate, h);
            let [expected, _] = rope(&ROPE, &LAW, [to, rate, z]);
            let off = (HUNG.tension(&sim) / expected - 1.0).abs();
            assert!(off < 1e-9, "{scheme}, {h}, step {k}: {off:e}");
        }
    }
}

/// In a long harmonic motion tension over strain is the complex stiffness (K_s K_d)/(K_s + K_d) of
/// the pairs K_s = E_s + i w B_s, K_d = E + i w B_d; steps of w h = 2 pi/200 change it by (w
/// h)^2/12 at most.
#[test]
fn the_complex_stiffness_is_that_of_the_solid() {
    for frequency in [0.01, 0.3, 1.0, 10.0] {
        let omega = TAU * frequency;
        let mut sim = HUNG.moved("generalized-alpha", 0.02);
        let steps = 200;
        let (h, a) = (1.0 / frequency / f64::from(steps), 0.002);
        let [_, e] = springs(&ROPE, &LAW, 0.0);
        let stiff = e * ROPE.ea / (e - ROPE.ea);
        let periods = 2 + (3.0 * frequency) as u32 * 4;
        let (mut real, mut imaginary) = (0.0, 0.0);
        for k in 1..=periods * steps {
            let phase = omega * h * f64::from(k);
            HUNG.move_end(&mut sim, 0.02 + a * phase.sin(), a * omega * phase.cos());
            sim.step(h).unwrap();
            if k > (periods - 1) * steps {
                let tension = HUNG.tension(&sim) * 2.0 / (a * f64::from(steps));
                (real, imaginary) = (real + tension * phase.sin(), imaginary + tension * phase.cos());
            }
        }
        let complex = |a: [f64; 2], b: [f64; 2]| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
        let (slow, fast) = ([stiff, omega * ROPE.ba], [e, omega * LAW.damping]);
        let (product, sum) = (complex(slow, fast), [slow[0] + fast[0], slow[1] + fast[1]]);
        let quotient = complex(product, [sum[0], -sum[1]]).map(|part| part / (sum[0] * sum[0] + sum[1] * sum[1]));
        let size = quotient[0].hypot(quotient[1]);
        let off = (real - quotient[0]).hypot(imaginary - quotient[1]) / size;
        let tolerance = (omega * h).powi(2) / 12.0;
        assert!(off < tolerance, "{frequency}: {real} {imaginary}, {quotient:?}, {off:e}");
    }
}

/// Slow loads find the static stiffness, in equilibrium and at rest; a small fast swing about a
/// mean tension finds E = alpha + beta T, and so do modes.
#[test]
fn rest_is_static_and_modes_are_dynamic() {
    for law in [LAW, LOADED] {
        let hung = Hung { law: Viscoelastic { damping: 0.0, ..law }, ..HUNG };
        let mut sim = hung.mass("generalized-alpha", 0.0, 0.0);
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(50, 1e-12).unwrap();
        let rest = (MASS + 0.5 * ROPE.w) * G / ROPE.ea;
        assert!((hung.strain(&sim) / rest - 1.0).abs() < 1e-10);
        (0..50).for_each(|_| sim.step(0.02).unwrap());
        assert!((hung.strain(&sim) / rest - 1.0).abs() < 1e-10);
        let (modes, _) = sim.analysis().modes().unwrap();
        let highest = modes.iter().map(|mode| mode.frequency).fold(0.0, f64::max);
        let e = law.stiffness + law.slope * (MASS + 0.5 * ROPE.w) * G;
        assert!((TAU * highest / (e / (MASS + 0.5 * ROPE.w)).sqrt() - 1.0).abs() < 1e-3, "{highest} {e}");
    }
}

/// With newmark, which has no numerical dissipation, the energy falls in every step, while the rope
/// goes slack and snaps.
#[test]
fn energy_falls_in_every_step() {
    for h in [1e-3, 0.02, 0.3] {
        let mut sim = HUNG.mass("newmark", 0.02, -3.0);
        sim.initialize(0.0).unwrap();
        let energy = |sim: &Simulation| {
            let (kinetic, potential) = sim.outputs().energy().map(|energy| (energy.0, energy.1)).unwrap();
            kinetic + potential
        };
        let (mut last, size) = (energy(&sim), 0.5 * MASS * 9.0);
        let (start, mut slack) = (last, 0);
        for k in 0..400 {
            sim.step(h).unwrap();
            let now = energy(&sim);
            assert!(now < last + 1e-9 * size, "{h}: step {k} adds {:e}", now - last);
            last = now;
            slack += u32::from(HUNG.strain(&sim) < 0.0);
        }
        assert!(slack > 0 && last < start - 0.1 * size, "{slack} {last}");
    }
}

/// A saved state has the slow strains: a fresh system goes on to the bit, also from a trial.
#[test]
fn a_restored_rope_creeps_on_to_the_bit() {
    for scheme in schemes() {
        assert_restored_runs_agree(|| HUNG.mass(&scheme, 0.03, 0.0), &scheme);
    }
}

/// A rope whose strain is all slow has the tension of its slow pair, and creeps to rest at the rate
/// of the solid, lambda.
#[test]
fn slow_strains_that_are_set_relax() {
    let four = Hung { segments: 4, gravity: 0.0, ..HUNG };
    let mut sim = four.moved("generalized-alpha", 0.01);
    sim.inputs().set_line_slow_strains(0, &[0.01; 4]).unwrap();
    let [_, e] = springs(&ROPE, &LAW, 0.0);
    let stiff = e * ROPE.ea / (e - ROPE.ea);
    let (lambda, rest) = ((e + stiff) / (ROPE.ba + LAW.damping), 0.01 * ROPE.ea / stiff);
    for k in 1..=5 {
        four.move_end(&mut sim, 0.01, 0.0);
        sim.step(0.05).unwrap();
        let expected = rest + (0.01 - rest) * (-lambda * 0.05 * f64::from(k)).exp();
        let mut slow = [0.0; 4];
        sim.lines().slow_strains(0, &mut slow).unwrap();
        assert!(slow.iter().all(|slow| (slow / expected - 1.0).abs() < 1e-9), "{slow:?} {expected}");
    }
}

#[test]
fn types_that_cannot_creep_are_refused() {
    let mut sim = HUNG.mass("generalized-alpha", 0.0, 0.0);
    let refused = |sim: &mut Simulation, kind: Id, law: Viscoelastic, wanted: &str| {
        let why = sim.elements().set_line_type_viscoelastic(kind, law).unwrap_err().to_string();
        assert!(why.contains(wanted), "{why}");
    };
    refused(
        &mut sim,
        0,
        Viscoelastic { stiffness: 1e5, ..LAW },
        "100000 is not more than the static stiffness EA = 100000",
    );
    refused(&mut sim, 0, Viscoelastic { slope: -1.0, ..LAW }, "-1 is negative");
    refused(&mut sim, 0, Viscoelastic { damping: -1.0, ..LAW }, "-1 is negative");
    let still = line_type(&mut sim, &Material { ba: 0.0, ..ROPE });
    refused(&mut sim, still, LAW, "damping BA = 0");
    let why = sim.inputs().set_line_slow_strains(0, &[0.0]).unwrap_err().to_string();
    assert!(why.contains("BUILDING"), "{why}");
    let table = sim.elements().set_line_type_table(0, "ea", &[0.0, 1.0], &[0.0, 1.0]).unwrap_err().to_string();
    assert!(table.contains("viscoelastic"), "{table}");
    let plain = line_type(&mut sim, &ROPE);
    sim.elements().set_line_type_table(plain, "ea", &[0.0, 1.0], &[0.0, 1.0]).unwrap();
    refused(&mut sim, plain, LAW, "it has a table");
    sim.settings().set_option("linear", 1.0).unwrap();
    let why = sim.initialize(0.0).unwrap_err().to_string();
    assert!(why.contains("line 0 is viscoelastic, which option \"linear\" = 1 cannot freeze"), "{why}");
    sim.settings().set_option("linear", 0.0).unwrap();
    sim.initialize(0.0).unwrap();
    let why = sim.inputs().set_line_stiffness(0, 2e5).unwrap_err().to_string();
    assert!(why.contains("viscoelastic"), "{why}");
    assert_eq!(sim.lines().stiffness(0), Ok(1e5));
    sim.settings().set_option("linear", 1.0).unwrap();
    let why = sim.step(0.01).unwrap_err().to_string();
    assert!(why.contains("viscoelastic"), "{why}");
}
