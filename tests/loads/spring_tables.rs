//! Springs with tension from a table: what the curve gives in motion, in model files, as a rope,
//! for stable steps.

use crate::common::*;
use pintle::elements::Quantity;
use pintle::{EntityKind, Frame, GROUND, Id, Simulation};
use std::f64::consts::PI;

const MASS: f64 = 2.0;
const FREE: f64 = 3.0;

/// A mass at rest on the x axis, tied to the origin by a spring.
fn tied(length: f64, stiffness: f64, damping: f64, rope: bool) -> (Simulation, Id, Id) {
    let mut sim = Simulation::new();
    let at = pose([length, 0.0, 0.0], UNROTATED);
    let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &at).unwrap();
    let spring = sim.elements().add_spring(GROUND, &[0.0; 3], body, &[0.0; 3], stiffness, damping, FREE, rope).unwrap();
    (sim, body, spring)
}

const LINEAR: f64 = 20.0;
const CUBIC: f64 = 60.0;

/// Hardening: `T = k e + k3 e^3`, e from -1.5 to 1.5.
fn duffing(intervals: usize) -> [Vec<f64>; 2] {
    let e = |k: usize| 3.0 * k as f64 / intervals as f64 - 1.5;
    let tension = |e: f64| LINEAR * e + CUBIC * e * e * e;
    [(0..=intervals).map(|k| FREE + e(k)).collect(), (0..=intervals).map(|k| tension(e(k))).collect()]
}

fn energy(sim: &Simulation) -> f64 {
    let (kinetic, potential) = sim.outputs().energy().unwrap();
    kinetic + potential
}

/// Period of the mass let go at elongation 1, from the second time that it stands still; its
/// velocity is linear there but for the third order.
fn period(intervals: usize) -> f64 {
    let (mut sim, body, spring) = tied(FREE + 1.0, 0.0, 0.0, false);
    let [lengths, forces] = duffing(intervals);
    sim.elements().set_spring_table(spring, &lengths, &forces).unwrap();
    sim.settings().set_scheme("rk4").unwrap();
    sim.initialize(0.0).unwrap();
    let (h, mut turns, mut before) = (5e-4, 0, -1.0);
    for n in 1.. {
        sim.step(h).unwrap();
        let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[0];
        if n > 1 && (v > 0.0) != (before > 0.0) {
            turns += 1;
            if turns == 2 {
                return h * (f64::from(n) - v / (v - before));
            }
        }
        before = v;
    }
    unreachable!()
}

#[test]
fn period_of_a_hardening_oscillator_converges_to_the_elliptic_integral() {
    // Duffing: period 4 K(m)/w with w^2 = (k + k3)/M, m = k3/(2 (k + k3)), K(m) = pi/(2 agm(1,
    // sqrt(1 - m))) (Kovacic, Brennan 2011, The Duffing Equation, sect. 2.2), amplitude 1.
    let (w, m) = (((LINEAR + CUBIC) / MASS).sqrt(), CUBIC / (2.0 * (LINEAR + CUBIC)));
    let (mut a, mut g) = (1.0_f64, (1.0 - m).sqrt());
    for _ in 0..6 {
        (a, g) = ((a + g) / 2.0, (a * g).sqrt());
    }
    let exact = 4.0 * PI / (2.0 * a) / w;
    // Inside the table slopes of parabolas are off by H^2/6 T''' = H^2 k3, so tensions by at most
    // 0.1 H^3 k3, to either side of the middle of an interval; relative to the tension at the
    // amplitude, k + k3, the period is off by less.
    let table: Vec<(f64, f64)> =
        [30, 60, 120].map(|n| (3.0 / n as f64, (period(n) / exact - 1.0).abs())).into_iter().collect();
    for (step, error) in &table {
        assert!(*error < 0.1 * step.powi(3) * CUBIC / (LINEAR + CUBIC), "{step}: {error:e}");
    }
}

#[test]
fn energy_is_kept_at_any_step() {
    // Steps take the table in energy form (docs/theory.md): at rho_inf = 1 the work of a step is
    // the energy that the spring gives up.
    let error = |h: f64| {
        let (mut sim, _, spring) = tied(FREE + 1.0, 0.0, 0.0, false);
        let [lengths, forces] = duffing(12);
        sim.elements().set_spring_table(spring, &lengths, &forces).unwrap();
        sim.settings().set_option("rho_inf", 1.0).unwrap();
        sim.initialize(0.0).unwrap();
        let start = energy(&sim);
        let mut largest = 0.0_f64;
        for _ in 0..(4.0 / h).round() as usize {
            sim.step(h).unwrap();
            largest = largest.max((energy(&sim) - start).abs());
        }
        largest / start
    };
    for h in [0.1, 0.01, 0.005, 0.0025, 0.00125] {
        // Steps end with 1e-8 of the forces out of balance at most, along four amplitudes a period.
        let error = error(h);
        assert!(error < 1e-8, "{h}: {error:e}");
    }
}

#[test]
fn a_straight_table_moves_like_the_linear_spring() {
    for rope in [false, true] {
        let stiffness = 50.0;
        let run = |table: bool| {
            let (mut sim, body, spring) = tied(FREE + 0.5, if table { 0.0 } else { stiffness }, 1.5, rope);
            if table {
                let lengths = [0.5, 1.0, 2.5, 4.0];
                sim.elements()
                    .set_spring_table(spring, &lengths, &lengths.map(|length| stiffness * (length - FREE)))
                    .unwrap();
            }
            sim.build().set_body_velocity(body, &[0.3, 1.0, -0.5, 0.2, 0.1, 0.4]).unwrap();
            sim.initialize(0.0).unwrap();
            let mut seen = Vec::new();
            for _ in 0..400 {
                sim.step(0.005).unwrap();
                seen.extend(sim.outputs().body_pose(body).unwrap());
                let (length, tension) = sim.outputs().spring_force(spring).unwrap();
                seen.extend([length, tension, energy(&sim)]);
            }
            seen
        };
        // Newton's tolerance of both runs, 1e-10 relative in a step, over 400 steps.
        assert_close(&format!("rope {rope}"), &run(true), &run(false), 1e-7);
    }
}

#[test]
fn a_rope_with_a_table_pulls_and_never_pushes() {
    // A weight falls into it with 7 m/s: the damper of a rope carries no more than its spring,
    // whatever the speed.
    let (mut sim, body, spring) = tied(FREE - 0.5, 0.0, 300.0, true);
    sim.elements().set_spring_table(spring, &[2.0, 3.0, 3.5, 5.0], &[-50.0, 0.0, 400.0, 9000.0]).unwrap();
    sim.settings().set_gravity(&[9.81, 0.0, 0.0]).unwrap();
    sim.build().set_body_velocity(body, &[7.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    sim.initialize(0.0).unwrap();
    let mut last = 0.0;
    for n in 0..6000 {
        sim.step(1e-3).unwrap();
        let (length, tension) = sim.outputs().spring_force(spring).unwrap();
        assert!(tension >= 0.0, "step {n}");
        assert!(length > FREE || tension == 0.0, "step {n}: {length} {tension}");
        last = tension;
    }
    // At rest it holds the weight.
    assert!((last - MASS * 9.81).abs() < 1e-3 * MASS * 9.81, "{last}");
}

#[test]
fn stable_steps_follow_from_the_steepest_slope() {
    let ready = |table: bool, stiffness: f64| {
        let (mut sim, _, spring) = tied(FREE, stiffness, 0.0, false);
        if table {
            let lengths = [1.0, 2.0, 3.0, 3.5, 4.0, 4.5, 6.0];
            sim.elements()
                .set_spring_table(spring, &lengths, &[-510.0, -500.0, -490.0, 10.0, 510.0, 1010.0, 1025.0])
                .unwrap();
        }
        sim.settings().set_scheme("rk4").unwrap();
        sim.initialize(0.0).unwrap();
        sim
    };
    let limit = |sim: &Simulation| sim.outputs().statistic("stable_step").unwrap();
    let mut sim = ready(true, 0.0);
    let found = limit(&sim);
    let mut tension = |length: f64| {
        sim.inputs().set_coordinates(&[pose([length, 0.0, 0.0], UNROTATED)], &[[0.0; 6]]).unwrap();
        sim.outputs().spring_force(0).unwrap().1
    };
    let (h, mut steepest, mut before) = (1e-3, 0.0_f64, tension(1.0));
    for k in 1..=5000 {
        let here = tension(1.0 + h * f64::from(k));
        steepest = steepest.max((here - before) / h);
        before = here;
    }
    // The steepest place lies within an interval: more than the 1000 of the points. Quotients of
    // differences are off by h^2/24 times the third derivative there, about 1e4.
    assert!(steepest > 1050.0);
    let bound = limit(&ready(false, steepest));
    assert!((found / bound - 1.0).abs() < 1e-6, "{found} {bound}");
    assert!(bound < 0.5 * limit(&ready(false, 100.0)));
}

#[test]
fn tables_stand_in_model_files_fingerprints_and_getters() {
    let file = std::env::temp_dir().join(format!("pintle-spring-table-{}.toml", std::process::id()));
    let [lengths, forces] = duffing(7);
    let build = |forces: &[f64]| {
        let (mut sim, _, spring) = tied(FREE + 1.0, 11.0, 0.5, true);
        assert_eq!(sim.description().spring_table(spring).unwrap(), [&[][..], &[]]);
        sim.elements().set_spring_table(spring, &lengths, forces).unwrap();
        sim
    };
    let mut sim = build(&forces);
    sim.save_model(&file).unwrap();
    let mut loaded = Simulation::load_model(&file).unwrap();
    assert_eq!(loaded.description().spring_table(0).unwrap(), [&lengths[..], &forces]);
    for one in [&mut sim, &mut loaded] {
        one.initialize(0.0).unwrap();
        (0..50).for_each(|_| one.step(0.01).unwrap());
    }
    assert_eq!(
        sim.outputs().body_pose(0).unwrap().map(f64::to_bits),
        loaded.outputs().body_pose(0).unwrap().map(f64::to_bits)
    );
    let state = sim.save().unwrap();
    let mut bytes = vec![0; state.serialized_len()];
    state.serialize_into(&mut bytes).unwrap();
    assert!(loaded.deserialize(&bytes).is_ok());
    let mut other = forces.clone();
    other[3] += 1e-9;
    let mut stranger = build(&other);
    stranger.initialize(0.0).unwrap();
    let refusal = stranger.deserialize(&bytes).map(drop).unwrap_err().to_string();
    assert!(refusal.contains("another model"), "{refusal}");

    // What the file says in two ways, and what the curve refuses, is told with its place.
    let text = std::fs::read_to_string(&file).unwrap();
    for (from, to, says) in [
        ("damping = 0.5", "damping = 0.5\nstiffness = 1.0", "\"table\" says the same in another way"),
        ("lengths = [1.5", "lengths = [-1.5", "spring 0, key \"table\": lengths: lengths[0] = -1.5 is negative"),
        ("forces = [", "tensions = [", "key \"table.tensions\": is unknown; known: lengths, forces"),
    ] {
        assert!(text.contains(from), "{text}");
        std::fs::write(&file, text.replacen(from, to, 1)).unwrap();
        let refusal = Simulation::load_model(&file).map(drop).unwrap_err().to_string();
        assert!(refusal.contains(says), "{refusal}");
    }
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn far_away_turned_and_in_millimetres_it_is_the_same_spring() {
    let q = unit([0.7, 0.3, -0.5, 0.4]);
    let axis = |length: f64| rotate(q, [length, 0.0, 0.0]);
    let run = |shift: V3, unit: f64, turned: bool| {
        let place = |length: f64| {
            let at = if turned { axis(length) } else { [length, 0.0, 0.0] };
            std::array::from_fn::<f64, 3, _>(|k| unit * (at[k] + shift[k]))
        };
        let mut sim = Simulation::new();
        let inertia = [unit * unit, unit * unit, unit * unit, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &inertia, &pose(place(FREE + 1.0), UNROTATED)).unwrap();
        let spring = sim.elements().add_spring(GROUND, &place(0.0), body, &[0.0; 3], 0.0, 0.4, 0.0, false).unwrap();
        let [lengths, forces] = duffing(20).map(|column| column.iter().map(|x| unit * x).collect::<Vec<f64>>());
        sim.elements().set_spring_table(spring, &lengths, &forces).unwrap();
        sim.initialize(0.0).unwrap();
        let mut seen = Vec::new();
        for n in 0..300 {
            sim.step(if n % 3 == 0 { 0.004 } else { 0.007 }).unwrap();
            let (length, tension) = sim.outputs().spring_force(spring).unwrap();
            seen.extend([length / unit, tension / unit]);
        }
        seen
    };
    let here = run([0.0; 3], 1.0, false);
    // Newton's tolerance; far away what is left of the digits of the end at the ground, 1e6 *
    // 1e-16, times the stiffness.
    assert_close("turned", &run([0.0; 3], 1.0, true), &here, 1e-7);
    assert_close("in mm", &run([0.0; 3], 1000.0, false), &here, 1e-7);
    assert_close("far away", &run([1e6, -2e6, 5e5], 1.0, false), &here, 1e-6);
}

#[test]
fn outputs_by_name_are_those_of_the_getter() {
    let (mut sim, _, spring) = tied(FREE + 0.25, 8.0, 0.0, false);
    let frame = pose([0.0; 3], UNROTATED);
    let k: [f64; 36] = std::array::from_fn(|k| if k % 7 == 0 { 2.0 } else { 0.0 });
    let bushing = sim.elements().add_bushing(GROUND, 0, &frame, &frame, &k, &[0.0; 36]).unwrap();
    sim.initialize(0.0).unwrap();
    let outputs = |kind, id| {
        let mut found = Vec::new();
        sim.outputs()
            .element_outputs(kind, id, &mut |name, quantity, value| found.push((name, quantity, value)))
            .unwrap();
        found
    };
    let (length, tension) = sim.outputs().spring_force(spring).unwrap();
    let mean = sim.lines().spring_mean_tension(spring).unwrap();
    let forces = [("tension", Quantity::Force, tension), ("tension_mean", Quantity::Force, mean)];
    assert_eq!(outputs(EntityKind::Spring, spring)[0], ("length", Quantity::Length, length));
    assert_eq!(outputs(EntityKind::Spring, spring)[1..], forces);
    let found = outputs(EntityKind::Bushing, bushing);
    assert_eq!(found[0], ("deflection.x", Quantity::Length, FREE + 0.25));
    // The wrench on b: back to frame a.
    assert_eq!(found[6], ("wrench.fx", Quantity::Force, -2.0 * (FREE + 0.25)));
    assert_eq!(found.len(), 12);
    assert!(sim.outputs().element_outputs(EntityKind::Joint, 0, &mut |_, _, _| ()).is_err());
    assert!(sim.outputs().element_outputs(EntityKind::Spring, 1, &mut |_, _, _| ()).is_err());
}

/// A weight on a spring whose table bends smoothly, in energy form: of second order in place, rate
/// and acceleration, though the stiffness changes in every step.
#[test]
fn smooth_tables_are_of_second_order() {
    let run = |scheme: &str, options: &[(&str, f64)], h: f64| {
        let mut sim = crate::common::energy::system(scheme, options);
        let hook = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
        sim.build().fix_point(hook).unwrap();
        let weight = sim.build().add_point(1.0, 0.0, &[0.2, 0.0, -1.6]).unwrap();
        let spring = sim.elements().add_point_spring(hook, weight, 0.0, 0.0, 1.0, false).unwrap();
        let lengths: Vec<f64> = (0..=150).map(|k| 0.02 * f64::from(k)).collect();
        let forces: Vec<f64> = lengths.iter().map(|s| 20.0 * (s - 1.0) + 30.0 * (s - 1.0).powi(3)).collect();
        sim.elements().set_spring_table(spring, &lengths, &forces).unwrap();
        sim.initialize(0.0).unwrap();
        (0..(1.0 / h).round() as usize).for_each(|_| sim.step(h).unwrap());
        let points = sim.points();
        [points.position(weight).unwrap(), points.velocity(weight).unwrap(), points.acceleration(weight).unwrap()]
    };
    let exact = run("rk4", &[], 5e-4);
    for rho in [0.0, 0.8] {
        let errors = [0.01, 0.005, 0.0025].map(|h| (h, run("generalized-alpha", &[("rho_inf", rho)], h)));
        for (k, what) in ["position", "velocity", "acceleration"].iter().enumerate() {
            let table = errors.map(|(h, found)| (h, distance(found[k], exact[k])));
            assert_order(&format!("{rho} {what}"), &table, 2.0, 0.3);
        }
    }
}
