//! Lines at steps that do not resolve how their segments tighten, or how they meet the seabed: no
//! energy comes out of it, and what the scheme carries of their forces belongs to the state.

use crate::common::energy::{G, KEEPING, gains, system};
use crate::common::*;
use crate::models::*;
use crate::reference::Material;
use pintle::{Id, Simulation};

/// Schemes that take lines in energy form, and their parameters.
const DISSIPATING: [(&str, &[(&str, f64)]); 6] = [
    ("generalized-alpha", &[("rho_inf", 0.0)]),
    ("generalized-alpha", &[("rho_inf", 0.3)]),
    ("generalized-alpha", &[]),
    ("generalized-alpha", &[("rho_inf", 0.95)]),
    ("momentum-alpha", &[]),
    ("hht", &[]),
];
fn rope(ea: f64, w: f64) -> Material {
    Material { d: 0.01, w, ea, ba: 0.0, ei: 0.0, cdn: 0.0, can: 0.0, cdt: 0.0, cat: 0.0 }
}

/// A mass of 10 kg that falls by a metre into a slack rope of 2 m.
fn drop(sim: &mut Simulation, segments: usize) -> f64 {
    let hook = fixed(sim, [0.0; 3]);
    let mass = free(sim, 10.0, [0.0, 0.0, -1.0]);
    line(sim, &rope(1.5e5, 0.1), [hook, mass], 2.0, segments);
    sim.initialize(0.0).unwrap();
    10.0 * G
}

/// A rope of 10 m and ten segments, level, one end of which breaks loose.
fn let_go(sim: &mut Simulation, slack: f64) -> f64 {
    let ends = [fixed(sim, [0.0; 3]), fixed(sim, [10.0 * (1.0 - slack), 0.0, 0.0])];
    let id = line(sim, &rope(1e6, 1.0), ends, 10.0, 10);
    sim.initialize(0.0).unwrap();
    sim.inputs().release_line(id, 1).unwrap();
    10.0 * G * 5.0
}

/// A rope of 20 m that falls by 3 m onto the bed, one end held above it.
fn onto_bed(sim: &mut Simulation) -> f64 {
    for (key, value) in [("depth", 8.0), ("seabed_stiffness", 1e6), ("seabed_smoothing", 1e-3)] {
        sim.settings().set_environment(key, value).unwrap();
    }
    let ends = [fixed(sim, [0.0, 0.0, -5.0]), fixed(sim, [19.5, 0.0, -5.0])];
    let id = line(sim, &rope(1e6, 1.0), ends, 20.0, 20);
    sim.initialize(0.0).unwrap();
    sim.inputs().release_line(id, 1).unwrap();
    20.0 * G * 3.0
}

/// Builds a case, and returns the energy of the fall.
type Case = (&'static str, fn(&mut Simulation) -> f64);
const FALLS: [Case; 3] =
    [("1 segment", |sim| drop(sim, 1)), ("2 segments", |sim| drop(sim, 2)), ("10 segments", |sim| drop(sim, 10))];
const RELEASES: [Case; 3] =
    [("taut", |sim| let_go(sim, 1e-4)), ("slack", |sim| let_go(sim, 0.05)), ("onto the bed", onto_bed)];

/// Steps from those that resolve a segment to those that step over all of it.
const STEPS: [f64; 4] = [1e-3, 5e-3, 2e-2, 0.1];

#[test]
fn ropes_that_tighten_give_no_energy() {
    for (name, build) in FALLS {
        for (scheme, options) in DISSIPATING {
            for h in STEPS {
                let mut sim = system(scheme, options);
                let fall = build(&mut sim);
                let case = format!("{name}, {scheme} {options:?}, {h} s");
                let [gain, end] = gains(&mut sim, h, ((3.0 / h) as usize).min(1000), fall, &case);
                assert!(gain < 1e-9, "{case}: {gain:e}");
                // With rho_inf 0 and long steps the mass comes to rest: below the start by what the
                // rope is long, and stretched.
                assert!(end > -1.05, "{case}: {end:e}");
            }
        }
    }
}

/// What breaks loose under tension starts with accelerations that the first step does not resolve:
/// it gains a part of what these would give in a step, and nothing afterwards.
#[test]
fn ropes_that_break_loose_gain_no_more_than_the_first_step_has() {
    for (name, build) in RELEASES {
        for (scheme, options) in DISSIPATING {
            for h in STEPS {
                let mut sim = system(scheme, options);
                let fall = build(&mut sim);
                let case = format!("{name}, {scheme} {options:?}, {h} s");
                let [gain, _] = gains(&mut sim, h, ((3.0 / h) as usize).min(1000), fall, &case);
                assert!(gain < 2e-3, "{case}: {gain:e}");
            }
        }
    }
}

/// With rho_inf 1 nothing is lost, however often the rope tightens; what is left is what the
/// iteration leaves of each step.
#[test]
fn without_dissipation_energy_is_kept() {
    for (name, build) in [FALLS[0], FALLS[1]] {
        for (scheme, options) in KEEPING {
            for h in STEPS {
                let mut sim = system(scheme, options);
                let fall = build(&mut sim);
                let case = format!("{name}, {scheme} {options:?}, {h} s");
                let [gain, end] = gains(&mut sim, h, ((3.0 / h) as usize).min(1000), fall, &case);
                assert!(gain < 1e-6 && end.abs() < 1e-6, "{case}: {gain:e} {end:e}");
            }
        }
    }
}

/// Peaks of 3.9 kN at most, by m g H = T^2/(2 k) - m g T/k; the sample form had 1100 kN.
#[test]
fn a_rope_that_tightens_within_a_step_pulls_no_more_than_it_can() {
    let k = 1.5e5 / 2.0;
    let weight = 10.0 * G;
    let peak = weight + (weight * weight + 2.0 * k * weight).sqrt();
    for h in [1e-3, 5e-3] {
        let mut sim = system("generalized-alpha", &[]);
        drop(&mut sim, 1);
        let most = (0..1000).fold(0.0f64, |most, _| {
            sim.step(h).unwrap();
            most.max(tensions(&sim, 0, 1)[0])
        });
        // The mean over a step is right; its end swings about that by no more than it has itself.
        assert!(most > 0.8 * peak && most < 2.0 * peak, "{most} N of {peak} N in steps of {h} s");
    }
}

/// A bar of 10 m with bending stiffness, 20 kg at each end, free in space, that spins about an axis
/// across it at 3 rad/s, while its ends fly apart and bend it. It is one line, two that are joined,
/// or one that is clamped to a body of the mass of one end.
fn spinning_bar(sim: &mut Simulation, kind: &str) -> f64 {
    sim.settings().set_gravity(&[0.0; 3]).unwrap();
    let of = Material { ei: 1e5, ..rope(1e6, 10.0) };
    let (length, rate, aside) = (10.0, 3.0, 1.0);
    let parts = if kind == "joined" { 2 } else { 1 };
    let velocity = |x: f64| [0.0, x * rate, aside * (x.abs() / 5.0 - 0.5)];
    let places = (0..=parts).map(|k| length * (k as f64 / parts as f64 - 0.5));
    let points: Vec<_> = places
        .map(|x| {
            let is_clamped = kind == "clamped" && x < 0.0;
            let mass = if x.abs() < 4.0 || is_clamped { 0.0 } else { 20.0 };
            let point = free(sim, mass, [x, 0.0, 0.0]);
            sim.build().set_point_velocity(point, &velocity(x)).unwrap();
            if is_clamped {
                let [vx, vy, vz] = velocity(x);
                let at = pose([x, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]);
                let inertia = [30.0, 40.0, 50.0, 0.0, 0.0, 0.0];
                let body = sim.build().add_rigid_body(20.0, &[0.0; 3], &inertia, &at).unwrap();
                sim.build().set_body_velocity(body, &[vx, vy, vz, 0.0, 0.0, rate]).unwrap();
                sim.build().attach_point(point, body, &[0.0; 3]).unwrap();
            }
            point
        })
        .collect();
    let between = |ends: &[Id]| line(sim, &of, [ends[0], ends[1]], length / parts as f64, 8 / parts);
    let lines: Vec<_> = points.windows(2).map(between).collect();
    match kind {
        "joined" => sim.elements().join_lines([lines[0], lines[1]], [1, 0]).unwrap(),
        "clamped" => sim.elements().clamp_line(lines[0], 0, 0, &[1.0, 0.0, 0.0]).unwrap(),
        _ => {}
    }
    sim.initialize(0.0).unwrap();
    (20.0 + 10.0 * length / 12.0) * (0.5 * length * rate).powi(2)
}

/// Bars whose axes turn by 0.3 rad per step: forces at the ends of steps would let their bending
/// grow. A clamp without numerical dissipation is left out: the accelerations of the body ring
/// there, more and more (docs/schemes.md).
#[test]
fn bars_that_spin_gain_no_energy() {
    let steps = 4000;
    for kind in ["one line", "joined", "clamped"] {
        let keeping: &[_] = if kind == "clamped" { &[] } else { &KEEPING };
        for (k, (scheme, options)) in DISSIPATING.iter().chain(keeping).enumerate() {
            let mut sim = system(scheme, options);
            // What the iteration leaves would be the largest error.
            let left = 1e-12;
            for key in ["abs_tolerance", "rel_tolerance"] {
                sim.settings().set_option(key, left).unwrap();
            }
            let turning = spinning_bar(&mut sim, kind);
            let case = format!("{kind}, {scheme} {options:?}");
            let before = sim.outputs().momentum(&[0.0; 3]).unwrap();
            let [gain, end] = gains(&mut sim, 0.1, steps, turning, &case);
            assert!(gain < 1e-9, "{case}: {gain:e}");
            // Of 140 kg at 15 m/s, in every step; at arms of 5 m.
            let off = left * 140.0 * 15.0 * steps as f64;
            let ([p, l], [p0, l0]) = (halves(sim.outputs().momentum(&[0.0; 3]).unwrap()).into(), halves(before).into());
            assert_close(&case, &p, &p0, off);
            if k >= DISSIPATING.len() {
                assert!(end.abs() < 1e-9, "{case}: {end:e}");
                assert_close(&case, &l, &l0, 5.0 * off);
            }
        }
    }
}

/// On a rope that stays taut and straight the law is linear: steps are those of the scheme without
/// the form.
#[test]
fn on_a_taut_upright_rope_the_form_is_the_scheme() {
    for (scheme, options) in DISSIPATING.iter().chain(&KEEPING) {
        let run = |form: f64| {
            let mut sim = system(scheme, options);
            for (key, value) in [("energy_form", form), ("abs_tolerance", 1e-13), ("rel_tolerance", 1e-13)] {
                sim.settings().set_option(key, value).unwrap();
            }
            let hook = fixed(&mut sim, [0.0; 3]);
            let mass = free(&mut sim, 10.0, [0.0, 0.0, -2.001]);
            line(&mut sim, &rope(1.5e5, 0.1), [hook, mass], 2.0, 4);
            sim.initialize(0.0).unwrap();
            (0..200).for_each(|_| sim.step(2e-3).unwrap());
            (sim.points().position(mass).unwrap(), sim.points().velocity(mass).unwrap())
        };
        let ([x, v], [y, w]) = (<[V3; 2]>::from(run(0.0)), <[V3; 2]>::from(run(1.0)));
        // It swings by 3 mm and 0.1 m/s; the iteration leaves 1e-13 of 2 m in each of 200 steps,
        // and of speeds that over the step.
        assert!(norm(sub(x, y)) < 1e-10 && norm(sub(v, w)) < 1e-7, "{scheme} {options:?}: {x:?} {y:?} {v:?} {w:?}");
    }
}

/// In the middle of snapping: a saved state goes on bit by bit in a fresh object, a rejected step
/// leaves no trace.
#[test]
fn what_lines_carry_belongs_to_the_state() {
    let h = 2e-2;
    let mut sim = system("generalized-alpha", &[]);
    drop(&mut sim, 10);
    (0..60).for_each(|_| sim.step(h).unwrap());
    let saved = sim.save().unwrap().to_bytes();
    let end = |sim: &mut Simulation| {
        (0..20).for_each(|_| sim.step(h).unwrap());
        sim.save().unwrap().to_bytes()
    };
    let mut fresh = system("generalized-alpha", &[]);
    drop(&mut fresh, 10);
    let state = fresh.deserialize(&saved).unwrap();
    fresh.restore(&state).unwrap();
    let mut rejecting = sim.clone();
    rejecting.advance(0.5 * h).unwrap();
    rejecting.reject().unwrap();
    let wanted = end(&mut sim);
    assert!(end(&mut fresh) == wanted && end(&mut rejecting) == wanted);
}

/// A winch that starts at 1 m/s under 1000 kg stops after 10 m: the mass swings on with the speed
/// that the start gave it.
#[test]
fn a_winch_gives_the_energy_that_it_works() {
    for h in [1e-2f64, 5e-2, 0.1] {
        let mut sim = system("generalized-alpha", &[]);
        let hook = fixed(&mut sim, [0.0; 3]);
        let mass = free(&mut sim, 1000.0, [0.0, 0.0, -20.0]);
        let of = Material { ba: 1e4, ..rope(1e7, 1.0) };
        let id = line(&mut sim, &of, [hook, mass], 20.0, 10);
        sim.initialize(0.0).unwrap();
        let steps = (10.0 / h).round() as usize;
        for n in 1..=steps {
            sim.inputs().set_line_length(id, 20.0 - h * n as f64, -1.0).unwrap();
            sim.step(h).unwrap();
        }
        let [_, _, z] = sim.points().position(mass).unwrap();
        // The rope stretches by m g l/EA, and swings by the speed of 1 m/s over the frequency of
        // its end: m v^2 = EA/l u^2.
        let (l, k) = (10.0, 1e7 / 10.0);
        let swing = (1000.0f64 / k).sqrt() + 1000.0 * G / k;
        assert!((z + l).abs() < 2.0 * swing, "steps of {h} s: {z} m");
        let speed = sim.points().velocity(mass).unwrap()[2];
        assert!((speed - 1.0).abs() < 1.5, "steps of {h} s: {speed} m/s");
    }
}

/// Within one piece of a table that becomes stiffer beyond, a line is the linear line with the
/// slope of the piece: the numerical dissipation follows the stiffness of the step, not the largest
/// of the table.
#[test]
fn a_line_within_one_piece_of_its_table_is_the_linear_line() {
    for (scheme, options) in DISSIPATING.into_iter().chain(KEEPING) {
        let run = |is_table: bool| {
            let mut sim = system(scheme, options);
            let ends = [fixed(&mut sim, [0.0; 3]), free(&mut sim, 10.0, [0.0, 0.0, -2.0013])];
            line(&mut sim, &rope(1.5e5, 0.1), ends, 2.0, 2);
            if is_table {
                sim.elements().set_line_type_table(0, "ea", &[0.0, 0.0625, 0.125], &[0.0, 9375.0, 93750.0]).unwrap();
            }
            sim.build().set_point_velocity(ends[1], &[0.0, 0.0, 0.05]).unwrap();
            sim.initialize(0.0).unwrap();
            let mut seen = Vec::new();
            for _ in 0..200 {
                sim.step(0.005).unwrap();
                seen.extend([sim.points().position(ends[1]).unwrap()[2], sim.points().velocity(ends[1]).unwrap()[2]]);
            }
            seen
        };
        // It stays taut: 1.3 mm longer at rest, and 0.6 mm of motion. Iterations end at 1e-8 of the
        // forces.
        assert_close(&format!("{scheme} {options:?}"), &run(true), &run(false), 1e-9);
    }
}
