//! The three policies if Newton's iteration does not converge: fail, accept and count, or cut the
//! step.

use crate::common::models::heavy_top;
use crate::common::*;
use pintle::{Error, Frame, GROUND, Simulation};

/// The heavy top: at steps of 1 rad and more of its spin Newton needs many iterations.
fn top(options: &[(&str, f64)]) -> Simulation {
    let (mut sim, ..) = heavy_top::top();
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    sim.initialize(0.0).unwrap();
    sim
}

const LARGE: f64 = 0.016;
const FEW: (&str, f64) = ("max_iterations", 2.0);

#[test]
fn by_default_the_step_fails_with_time_and_iterations() {
    let mut sim = top(&[FEW]);
    match sim.step(LARGE) {
        Err(Error::NoConvergence { time, step, iterations, error, entity, energies }) => {
            assert!((time - LARGE).abs() < 1e-12 && (step - LARGE).abs() < 1e-12, "{time} {step}");
            assert_eq!(iterations, 2);
            assert!(error > 1.0 || error.is_nan() || error > 0.0, "{error}");
            assert!(!entity.is_empty());
            assert!(energies.contains("of translations"), "{energies}");
        }
        other => panic!("expected no convergence, got {other:?}"),
    }
    assert_eq!(sim.time().unwrap(), 0.0);
    // smaller steps continue from the unchanged state
    sim.step(1e-4).unwrap();
}

#[test]
fn accepting_counts_every_step_that_did_not_converge() {
    let mut sim = top(&[("max_iterations", 1.0), ("on_no_convergence", 1.0)]);
    for _ in 0..10 {
        sim.step(1e-3).unwrap();
    }
    assert_eq!(
        sim.outputs().statistic("not_converged_steps").unwrap(),
        10.0,
        "one iteration never meets the tolerance here"
    );
    assert_eq!(sim.outputs().statistic("iterations").unwrap(), 10.0);
    assert!((sim.time().unwrap() - 0.01).abs() < 1e-12);
    // the accepted step is still accurate: one Newton update from a predictor of error (w h)^2
    // leaves its square
    let p = sim.outputs().body_pose(0).unwrap();
    assert!(distance(place(&p), [0.0, 1.0, 0.0]) < 0.1 && p.iter().all(|x| x.is_finite()), "{p:?}");
}

#[test]
fn cutting_the_step_succeeds_where_failing_would_not() {
    let mut fine = top(&[]);
    for _ in 0..160 {
        fine.step(1e-4).unwrap();
    }
    let mut sim = top(&[FEW, ("on_no_convergence", 2.0)]);
    sim.step(LARGE).unwrap();
    assert!((sim.time().unwrap() - LARGE).abs() < 1e-12);
    assert_eq!(sim.outputs().statistic("not_converged_steps").unwrap(), 0.0);
    assert!(sim.outputs().statistic("rejected_steps").unwrap() >= 1.0, "the failed attempts are counted");
    // the parts are at most LARGE/2: frequency error (150 * 8e-3)^2/6 of the 2.4 rad turned would
    // be the worst; the published error constant 2400 h^2 at 2 s gives 2400 * 6.4e-5 * 0.016/2 =
    // 1.2e-3 m in u
    let (a, b) = (sim.outputs().body_pose(0).unwrap(), fine.outputs().body_pose(0).unwrap());
    assert!(distance(place(&a), place(&b)) < 1.2e-3, "{a:?} {b:?}");
    let w = sim.outputs().body_velocity(0, Frame::Inertial).unwrap();
    assert!(w.iter().all(|x| x.is_finite()));
    // the gap of the joint is closed as after any converged step
    assert!(sim.outputs().constraint_violation().unwrap().0 < 1e-6);
}

#[test]
fn cutting_gives_up_after_ten_halvings_and_changes_nothing() {
    // tolerances that no step of any size can meet in one iteration: 2^-10 of the step still turns
    // by 2e-3 rad
    let hopeless =
        [("max_iterations", 1.0), ("on_no_convergence", 2.0), ("abs_tolerance", 1e-14), ("rel_tolerance", 1e-14)];
    let mut sim = top(&hopeless);
    let before = sim.outputs().body_pose(0).unwrap();
    assert!(matches!(sim.step(LARGE), Err(Error::NoConvergence { .. })));
    assert_eq!(sim.outputs().body_pose(0).unwrap(), before);
    assert_eq!(sim.time().unwrap(), 0.0);
}

/// 1 kg at x = 1 at rest on 100 N/m, one iteration of newmark over 0.1 s: the predictor with the
/// acceleration of the start, -100, is at x = 0.5, so that r = -100 + 50 = -50; S = 4/h^2 + 100 =
/// 500, dx = 0.1, and R_X = sqrt(50 * 0.1).
fn displaced(options: &[(&str, f64)]) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_scheme("newmark").unwrap();
    for (key, value) in options.iter().chain(&[("convergence", 1.0), ("max_iterations", 1.0)]) {
        sim.settings().set_option(key, *value).unwrap();
    }
    let at = pose([1.0, 0.0, 0.0], UNROTATED);
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &at).unwrap();
    sim.elements().add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &diagonal([100.0; 6]), &diagonal([0.0; 6])).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

const ENERGIES: &str = "residual energies 2.236 of translations, 0 of rotations";

#[test]
fn residual_energies_are_those_of_ashes_and_stand_in_the_message_with_the_time() {
    let mut sim = displaced(&[]);
    let text = sim.step(0.1).unwrap_err().to_string();
    assert!(text.contains("time 0.1") && text.contains(ENERGIES), "{text}");
    // the criterion is their sum against 10^eps_a
    for (tolerance, converges) in [(2.2, false), (2.3, true)] {
        let mut sim = displaced(&[("energy_tolerance", tolerance)]);
        assert_eq!(sim.step(0.1).is_ok(), converges, "{tolerance}");
    }
}

#[test]
fn residual_energies_are_told_after_every_step() {
    let energies = |sim: &Simulation| {
        ["last_residual_energy_x", "last_residual_energy_r"].map(|key| sim.outputs().statistic(key).unwrap())
    };
    let mut sim = top(&[]);
    sim.step(1e-3).unwrap();
    let told = energies(&sim);
    assert!(told.iter().all(|e| *e > 0.0 && *e < 1e-2), "small, not zero, after convergence: {told:?}");
    sim.settings().set_scheme("rk4").unwrap();
    sim.step(1e-3).unwrap();
    assert_eq!(energies(&sim), [0.0; 2], "no Newton iteration, no residual energies");
}

#[test]
fn going_on_without_convergence_is_counted_and_said() {
    let mut sim = displaced(&[("on_no_convergence", 1.0)]);
    assert_eq!(sim.outputs().warning().unwrap(), "");
    sim.step(0.1).unwrap();
    let [x, r] = ["last_residual_energy_x", "last_residual_energy_r"].map(|key| sim.outputs().statistic(key).unwrap());
    assert!((x - 5.0f64.sqrt()).abs() < 1e-12 && r == 0.0, "sqrt(50 * 0.1), no rotation: {x} {r}");
    let text = sim.outputs().warning().unwrap();
    assert!(text.contains("time 0.1") && text.contains(ENERGIES) && text.contains("1 such"), "{text}");
    sim.step(0.1).unwrap();
    assert!(sim.outputs().warning().unwrap().contains("2 such"), "{}", sim.outputs().warning().unwrap());
    assert_eq!(sim.outputs().statistic("not_converged_steps").unwrap(), 2.0);
}
