//! Options, schemes, statistics: ranges, messages, meaning of rho_inf, energy criterion, counts.

use crate::common::*;
use pintle::{Error, Frame, GROUND, Id, JointKind, Simulation};

fn pendulum(options: &[(&str, f64)]) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    let body = sim
        .build()
        .add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &pose([1.0, 0.0, 0.0], UNROTATED))
        .unwrap();
    sim.build().add_joint_at(JointKind::Spherical, GROUND, body, &[0.0; 3], None).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, body)
}

const DEFAULTS: [(&str, f64); 28] = [
    ("rho_inf", 0.8),
    ("abs_tolerance", 1e-8),
    ("rel_tolerance", 1e-6),
    ("max_iterations", 20.0),
    ("max_time_step", f64::INFINITY),
    ("input_order", 0.0),
    ("assemble", 0.0),
    ("on_no_convergence", 0.0),
    ("convergence", 0.0),
    ("energy_tolerance", 1e-3),
    ("initial_acceleration", 0.0),
    ("newmark_gamma", 0.5),
    ("newmark_beta", 0.25),
    ("hht_alpha", -0.1),
    ("relaxation", 1.0),
    ("cfl", 0.5),
    ("linear", 0.0),
    ("max_substeps", 1e4),
    ("integrate_about", 0.0),
    ("constraint_damping", 1.0),
    ("relaxation_c0", -1.0),
    ("relaxation_c1", -1.0),
    ("line_tension_change", 0.0),
    ("energy_form", 1.0),
    ("max_events", 200.0),
    ("rest_speed", 1e-4),
    ("rotating_modes", 0.0),
    ("step_tolerance", 0.0),
];

#[test]
fn options_have_the_defaults_of_the_contract() {
    let sim = Simulation::new();
    for (key, value) in DEFAULTS {
        assert_eq!(sim.given().option(key).unwrap(), value, "{key}");
    }
    assert_eq!(sim.given().scheme(), "generalized-alpha");
}

#[test]
fn unknown_key_or_scheme_lists_the_known_ones() {
    let mut sim = Simulation::new();
    for result in [sim.settings().set_option("rho", 0.5), sim.given().option("rho").map(|_| ())] {
        let Err(error @ Error::BadValue { .. }) = result else { panic!("not refused as a bad value: {result:?}") };
        let text = error.to_string();
        assert!(text.contains("rho"), "{text}");
        for (key, _) in DEFAULTS {
            assert!(text.contains(key), "{key} is not listed: {text}");
        }
    }
    let Err(error @ Error::BadValue { .. }) = sim.settings().set_scheme("leapfrog") else { panic!("not refused") };
    let text = error.to_string();
    assert!(text.contains("leapfrog") && text.contains("generalized-alpha"), "{text}");
    assert_eq!(sim.given().scheme(), "generalized-alpha");
    sim.settings().set_scheme("generalized-alpha").unwrap();
    let Err(error @ Error::BadValue { .. }) = pendulum(&[]).0.outputs().statistic("speed").map(|_| ()) else {
        panic!("not refused")
    };
    let text = error.to_string();
    for key in STATISTICS {
        assert!(text.contains(key), "{key} is not listed: {text}");
    }
}

#[test]
fn values_out_of_range_are_refused_and_change_nothing() {
    let bad = [
        ("rho_inf", vec![-0.1, 1.1, 2.0]),
        ("abs_tolerance", vec![-1e-9]),
        ("rel_tolerance", vec![-1e-9]),
        ("max_iterations", vec![0.0, -1.0, 2.5]),
        ("max_time_step", vec![0.0, -1.0]),
        ("input_order", vec![-1.0, 2.0, 0.5]),
        ("assemble", vec![-1.0, 0.5, 2.0]),
        ("on_no_convergence", vec![-1.0, 3.0, 1.5]),
        ("convergence", vec![-1.0, 2.0, 0.5]),
        ("energy_tolerance", vec![0.0, -1.0]),
        ("initial_acceleration", vec![-1.0, 2.0, 0.5]),
    ];
    let mut sim = Simulation::new();
    for (key, values) in bad {
        let before = sim.given().option(key).unwrap();
        for value in values {
            match sim.settings().set_option(key, value) {
                Err(error @ Error::BadValue { .. }) => {
                    let text = error.to_string();
                    assert!(text.contains(key), "{key} = {value}: the message does not name the key: {text}");
                    // as %g writes it
                    let written = if value == -1e-9 { "-1e-09".to_owned() } else { value.to_string() };
                    assert!(text.contains(&written), "{key} = {value}: the message does not give the value: {text}");
                }
                other => panic!("{key} = {value}: expected a bad value, got {other:?}"),
            }
            assert_eq!(sim.given().option(key).unwrap(), before);
        }
        assert!(matches!(sim.settings().set_option(key, f64::NAN), Err(Error::NotFinite { .. })), "{key} = NaN");
    }
    for (key, value) in [("rho_inf", 0.0), ("rho_inf", 1.0), ("max_time_step", f64::INFINITY), ("max_iterations", 1.0)]
    {
        sim.settings().set_option(key, value).unwrap();
        assert_eq!(sim.given().option(key).unwrap(), value);
    }
}

/// Amplitudes after 100 and after 200 steps of a stiff oscillator, w h = 1e4.
fn stiff_amplitudes(rho: f64) -> [f64; 2] {
    let mut sim = Simulation::new();
    sim.settings().set_option("rho_inf", rho).unwrap();
    let body = sim
        .build()
        .add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([0.01, 0.0, 0.0], UNROTATED))
        .unwrap();
    sim.elements()
        .add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &diagonal([1e10, 1.0, 1.0, 1.0, 1.0, 1.0]), &[0.0; 36])
        .unwrap();
    sim.initialize(0.0).unwrap();
    [100, 200].map(|_| {
        let mut last = 0.0f64;
        for n in 0..100 {
            sim.step(0.1).unwrap();
            if n >= 95 {
                last = last.max(sim.outputs().body_pose(body).unwrap()[0].abs());
            }
        }
        last
    })
}

#[test]
fn rho_inf_is_the_amplitude_left_per_step_at_infinite_frequency() {
    // At infinite frequency all three roots are -rho: x decays like n^2 rho^n, which falls from 100
    // to 200 steps by 4 rho^100. The triple root splits by (w h)^(-2/3) = 0.2 %.
    for rho in [0.5, 0.7, 0.9] {
        let [early, late] = stiff_amplitudes(rho);
        let per_step = (late / early / 4.0).powf(0.01);
        assert!((per_step / rho - 1.0).abs() < 0.01, "rho {rho}: {per_step} per step");
    }
    let undamped = stiff_amplitudes(1.0);
    assert!(undamped[1] > 0.005, "undamped: {undamped:?}");
    let damped = stiff_amplitudes(0.0);
    assert!(damped[0] < 1e-12, "everything gone in a few steps: {damped:?}");
}

const STATISTICS: [&str; 11] = [
    "steps",
    "iterations",
    "last_iterations",
    "factorizations",
    "rejected_steps",
    "not_converged_steps",
    "redundant_constraints",
    "dofs",
    "constraints",
    "last_residual",
    "last_error",
];

#[test]
fn statistics_count_what_happened() {
    let (mut sim, _) = pendulum(&[]);
    let of = |sim: &Simulation, key: &str| sim.outputs().statistic(key).unwrap();
    assert_eq!((of(&sim, "dofs"), of(&sim, "constraints"), of(&sim, "redundant_constraints")), (6.0, 3.0, 0.0));
    assert_eq!((of(&sim, "steps"), of(&sim, "iterations")), (0.0, 0.0));
    let mut total = 0.0;
    for n in 1..=50 {
        sim.step(0.01).unwrap();
        let last = of(&sim, "last_iterations");
        assert!((1.0..=20.0).contains(&last) && last.fract() == 0.0, "{last} iterations in step {n}");
        total += last;
        assert_eq!(of(&sim, "iterations"), total, "total of the iterations, step {n}");
        assert_eq!(of(&sim, "steps"), n as f64);
        assert!(of(&sim, "factorizations") <= total + 5.0, "at most one per iteration, and some at the start");
        assert!(of(&sim, "factorizations") >= 1.0);
        assert!(
            of(&sim, "last_error") <= 1.0,
            "a converged step has error {} in units of the tolerance",
            of(&sim, "last_error")
        );
        assert!(of(&sim, "last_residual") >= 0.0 && of(&sim, "last_residual") < 1.0);
    }
    assert_eq!((of(&sim, "rejected_steps"), of(&sim, "not_converged_steps")), (0.0, 0.0));
    for key in STATISTICS {
        assert!(of(&sim, key).is_finite(), "{key}");
    }
}

#[test]
fn dofs_and_constraints_follow_the_joints() {
    let mut sim = Simulation::new();
    let j = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];
    for k in 0..3 {
        sim.build().add_rigid_body(1.0, &[0.0; 3], &j, &pose([k as f64, 0.0, 0.0], UNROTATED)).unwrap();
    }
    sim.build().add_joint_at(JointKind::Fixed, GROUND, 0, &[0.0; 3], None).unwrap();
    sim.build().add_joint_at(JointKind::Revolute, 0, 1, &[0.5, 0.0, 0.0], Some(&[0.0, 0.0, 1.0])).unwrap();
    sim.build().add_joint_at(JointKind::Spherical, 1, 2, &[1.5, 0.0, 0.0], None).unwrap();
    sim.initialize(0.0).unwrap();
    assert_eq!(sim.outputs().statistic("dofs").unwrap(), 18.0);
    assert_eq!(sim.outputs().statistic("constraints").unwrap(), 6.0 + 5.0 + 3.0);
}

#[test]
fn energy_criterion_converges_to_the_same_motion() {
    // residual energies below 1e-20 J pin the motion as increments do; both leave less than 1e-8
    // per step, 200 steps
    let run = |options: &[(&str, f64)]| {
        let (mut sim, body) = pendulum(options);
        for _ in 0..200 {
            sim.step(5e-3).unwrap();
        }
        (sim.outputs().body_pose(body).unwrap(), sim.outputs().statistic("iterations").unwrap())
    };
    let (tight, _) = run(&[("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)]);
    let (energy, many) = run(&[("convergence", 1.0), ("energy_tolerance", 1e-8)]);
    assert_close("same motion", &energy, &tight, 1e-6);
    // a looser criterion must not cost more iterations
    let (loose, few) = run(&[("convergence", 1.0), ("energy_tolerance", 1e-3)]);
    assert!(few <= many, "{few} iterations with 1e-3, {many} with 1e-8");
    // R = 1e-3 means sum |r dx| < 1e-6 J on a body of 1 kg: dx below 1e-3 m/s h = 5e-6 m per step,
    // the error of 200 of them
    assert_close("loose", &loose, &tight, 200.0 * 5e-6);
}

#[test]
fn looser_tolerances_never_cost_more_iterations() {
    let iterations = |tolerance: f64| {
        let (mut sim, _) = pendulum(&[("abs_tolerance", tolerance), ("rel_tolerance", tolerance)]);
        for _ in 0..100 {
            sim.step(0.01).unwrap();
        }
        sim.outputs().statistic("iterations").unwrap()
    };
    let counts: Vec<f64> = [1e-3, 1e-5, 1e-7, 1e-9, 1e-11].map(iterations).to_vec();
    // The motions differ by what a tolerance leaves, so that a few of the 100 steps may fall on the
    // other side of the next one.
    assert!(counts.windows(2).all(|w| w[0] <= w[1] + 3.0), "{counts:?}");
    assert!(counts[4] > counts[0], "{counts:?}: the tolerance has an effect");
}

#[test]
fn options_may_change_between_steps() {
    let (mut sim, body) = pendulum(&[]);
    for rho in [0.9, 0.5, 1.0, 0.8] {
        sim.settings().set_option("rho_inf", rho).unwrap();
        for _ in 0..20 {
            sim.step(2e-3).unwrap();
        }
    }
    // 0.16 s from the horizontal: J_O phi'' = m g L cos(phi); each restart errs by O(h^2) like the
    // scheme: (w h)^2 = 1e-5 of 0.11 rad
    let rate = |_t: f64, y: &[f64], dy: &mut [f64]| dy.copy_from_slice(&[y[1], 9.81 / 1.1 * y[0].cos()]);
    let phi = rk4_samples(rate, &[0.0, 0.0], 0.16, 1, 200)[1][0];
    let p = sim.outputs().body_pose(body).unwrap();
    assert_close("angle", &[(-p[2]).atan2(p[0])], &[phi], 5e-6);
}

#[test]
fn assembling_projects_a_gap_that_is_refused_otherwise() {
    let build = |assemble: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_option("assemble", assemble).unwrap();
        let body = sim
            .build()
            .add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &pose([1.0, 0.0, 0.0], UNROTATED))
            .unwrap();
        let gap = pose([-1.01, 0.02, 0.0], UNROTATED); // misses the ground's point by 0.022 m
        sim.build().add_joint(JointKind::Spherical, GROUND, body, &ORIGIN, &gap).unwrap();
        sim.build().set_body_velocity(body, &[0.1, 0.0, 0.0, 0.0, 0.0, 2.0]).unwrap(); // and its velocity is not admissible
        let result = sim.initialize(0.0);
        (sim, body, result)
    };
    let (_, _, refused) = build(0.0);
    assert!(matches!(refused, Err(Error::InconsistentState { .. })), "{refused:?}");
    let (mut sim, body, result) = build(1.0);
    result.unwrap();
    let (position, velocity) = sim.outputs().constraint_violation().unwrap();
    assert!(position < 1e-12 && velocity < 1e-12, "{position:e} {velocity:e}");
    let p = sim.outputs().body_pose(body).unwrap();
    // projection is near: the point moves by the gap, so the body by no more than that (times a
    // lever below 1 + 1)
    assert!(distance(place(&p), [1.0, 0.0, 0.0]) < 0.05, "{p:?}");
    assert!(norm(add(place(&p), rotate(turn(&p), [-1.01, 0.02, 0.0]))) < 1e-12);
    let (v, w) = halves(sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
    assert!(norm(add(v, cross(w, rotate(turn(&p), [-1.01, 0.02, 0.0])))) < 1e-12);
    sim.step(0.01).unwrap();
}
