//! End of Newton's iteration in a model with lines: which tolerances apply, how often a step is
//! cut, and that joints elsewhere in the model do not change it.

use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::{Error, GROUND, Id, JointKind, Simulation};
use std::f64::consts::{FRAC_PI_2, PI};

const N: usize = 6;
const LENGTH: f64 = 32.0;
const G: f64 = 9.81;
const STEP: f64 = 0.021;
const ROPE: Material = Material { d: 0.05, w: 20.0, ea: 1e8, ba: 1e4, ei: 0.0, cdn: 0.0, can: 0.0, cdt: 0.0, cat: 0.0 };
const SOFT: Material = Material { ea: 1e6, ..ROPE };

/// A rope between a fixed point and one that the host moves, 28 m apart.
fn hung(of: &Material, options: &[(&str, f64)]) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    let low = fixed(&mut sim, [0.0; 3]);
    let high = moved(&mut sim, [20.0, 0.0, 20.0]);
    line(&mut sim, of, [low, high], LENGTH, N);
    sim.initialize(0.0).unwrap();
    (sim, high)
}

/// Lets the upper end sink by up to twice `amplitude` and come back, with a period of 4 s.
fn move_to(sim: &mut Simulation, high: Id, amplitude: f64, t: f64) {
    let (w, a) = (FRAC_PI_2, amplitude);
    let (s, c) = (w * t).sin_cos();
    let at = [20.0, 0.0, 20.0 - a * (1.0 - c)];
    sim.inputs().set_point_motion(high, &at, &[0.0, 0.0, -a * w * s], &[0.0, 0.0, -a * w * w * c]).unwrap();
}

/// Residual energies are sums over the nodes of lines. Increments of the bodies are rounding only.
#[test]
fn residual_energies_are_below_their_tolerance_after_every_step() {
    let tolerance = 1e-6;
    for ba in [1e4, 0.0] {
        let (mut sim, high) = hung(&Material { ba, ..ROPE }, &[("convergence", 1.0), ("energy_tolerance", tolerance)]);
        let mut worst = 0.0f64;
        for n in 1..=200 {
            move_to(&mut sim, high, 4.0, STEP * f64::from(n));
            sim.step(STEP).unwrap();
            let of = |key| sim.outputs().statistic(key).unwrap();
            worst = worst.max(of("last_residual_energy_x") + of("last_residual_energy_r"));
            assert!(of("last_error") <= 1.0, "BA {ba}, step {n}: {}", of("last_error"));
        }
        println!("BA {ba}: residual energies up to {worst:.1e}");
        // Rounding leaves forces of EA/l times that of positions, 2e7 * 1e-14 N, and increments of
        // that size: sqrt(2e-7 * 1e-14) is 4e-11.
        assert!(worst < tolerance, "BA {ba}: {worst:e}");
    }
}

/// An iteration that contracts at least by half ends where the next increment would be below 3
/// `abs_tolerance` L: what is left is twice that at most, and tensions are off by it times the
/// stiffness of the step, in each of the steps before. No segment falls slack here.
#[test]
fn lines_are_iterated_as_far_as_abs_tolerance_asks() {
    const STEPS: i32 = 200;
    let (h, segment) = (0.084, LENGTH / N as f64);
    let run = |tolerance: f64| {
        let (mut sim, high) = hung(&SOFT, &[("abs_tolerance", tolerance)]);
        let step = |n: i32| {
            move_to(&mut sim, high, 2.0, h * f64::from(n));
            sim.step(h).unwrap();
            (tensions(&sim, 0, N), sim.outputs().statistic("iterations").unwrap())
        };
        let steps: Vec<_> = (1..=STEPS).map(step).collect();
        let iterations = steps.last().unwrap().1;
        (steps.into_iter().map(|(tensions, _)| tensions).collect::<Vec<_>>(), iterations)
    };
    // The damper has the mean rate of the step; chains have four times the stiffness of a segment.
    let stiffness = 4.0 * (SOFT.ea + SOFT.ba / h) / segment;
    let limit = |tolerance: f64| f64::from(STEPS) * stiffness * 2.0 * 3.0 * tolerance * LENGTH;
    let [(default, few), (loose, as_few), (tight, more)] = [1e-8, 1e-3, 1e-13].map(run);
    let apart = default.iter().flatten().zip(tight.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    println!("apart by {apart:.1e} N of {:.1e}, {few} and {more} iterations", limit(1e-8));
    assert!(apart < limit(1e-8), "{apart:e} {:e}", limit(1e-8));
    assert!(apart > 0.0 && more > few, "no difference: {apart:e} {more} {few}");
    assert!((default, few) == (loose, as_few), "nobody can ask for less than a line needs");
}

/// After one increment there is no estimate of the next, so a limit of one iteration lets no step
/// converge: the step is halved four times, and more often if the host allows it.
#[test]
fn steps_with_lines_are_cut_before_they_fail() {
    let of = |sim: &Simulation, key| sim.outputs().statistic(key).unwrap();
    let once = |policy: f64| {
        let (mut sim, high) = hung(&ROPE, &[("max_iterations", 1.0), ("on_no_convergence", policy)]);
        move_to(&mut sim, high, 4.0, STEP);
        let outcome = sim.step(STEP);
        (sim, outcome)
    };
    let (sim, outcome) = once(0.0);
    match outcome {
        Err(Error::NoConvergence { step, iterations, .. }) => {
            assert!((step / (STEP / 16.0) - 1.0).abs() < 1e-12 && iterations == 1, "{step} {iterations}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(sim.time().unwrap(), 0.0);
    assert_eq!(of(&sim, "rejected_steps"), 5.0, "the host's and its first halves");
    let (sim, outcome) = once(1.0);
    outcome.unwrap();
    let counts = ["not_converged_steps", "substeps", "rejected_steps"].map(|key| of(&sim, key));
    assert_eq!(counts, [1.0, 1.0, 0.0], "accepted as it is, and counted");
    let (sim, outcome) = once(2.0);
    outcome.unwrap();
    assert!(of(&sim, "substeps") > 16.0 && of(&sim, "not_converged_steps") == 0.0, "{}", of(&sim, "substeps"));
}

/// Lines of one segment have no inner node whose residual shows that the segment fell slack in the
/// last increment: once, such steps were accepted with errors as large as the forces, and points a
/// metre off.
#[test]
fn a_weight_on_one_segment_is_in_balance() {
    const L: f64 = 10.0;
    for (weight, ea, ba) in [(0.01, 1e7, 0.0), (5.0, 1e8, 1e3)] {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
        let high = moved(&mut sim, [0.0; 3]);
        let low = free(&mut sim, weight, [0.0, 0.0, -L]);
        let rope = line(&mut sim, &Material { d: 0.03, w: 1.0, ea, ba, ..ROPE }, [high, low], L, 1);
        sim.initialize(0.0).unwrap();
        let (mut worst, mut slack) = (0.0f64, 0);
        for n in 1..=160 {
            shake(&mut sim, high, 0.05 * f64::from(n));
            sim.step(0.05).unwrap();
            let a = sim.points().acceleration(low).unwrap();
            let [_, pull] = end_forces(&sim, rope);
            // Half of the line moves with the weight; what it weighs is in the force of its end.
            let force = add(pull, [0.0, 0.0, -weight * G]);
            let (mass, size) = (weight + 0.5 * L, weight * (G + norm(a)) + norm(pull) + 0.5 * L * norm(a));
            // 1e-5, or what a hundredth of the tolerance 1e-8 L leaves.
            let limit = 1.01e-5 * size + ea / L * 1e-10 * L;
            worst = worst.max(norm(sub(force, scale(mass, a))) / limit);
            slack += usize::from(tensions(&sim, rope, 1)[0] <= 0.0);
        }
        println!("{weight} kg, EA {ea:e}: {worst:.1e} of what may be left; {slack} steps slack");
        // The stiffer rope is taut within steps only, but for the first ones.
        assert!(slack > 10 && slack < 160, "{slack}");
        assert!(worst < 1.0, "{weight} kg, EA {ea:e}: {worst:e}");
    }
}

/// Shakes a point to and fro, up and down.
fn shake(sim: &mut Simulation, high: Id, t: f64) {
    let ([s, c], [p, q]) = ([(2.5 * t).sin(), (2.5 * t).cos()], [(1.1 * t).sin(), (1.1 * t).cos()]);
    let acceleration = [-0.363 * p, 0.0, -12.5 * s];
    sim.inputs().set_point_motion(high, &[0.3 * p, 0.0, 2.0 * s], &[0.33 * q, 0.0, 5.0 * c], &acceleration).unwrap();
}

/// A weight on a stiff rope that is shaken: the last iteration of the part that fails went back
/// half an increment.
#[test]
fn a_step_that_fails_tells_its_residual_energies() {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    sim.settings().set_option("max_iterations", 4.0).unwrap();
    let high = moved(&mut sim, [0.0; 3]);
    let weight = free(&mut sim, 50.0, [0.0, 0.0, -10.0]);
    line(&mut sim, &Material { d: 0.03, w: 1.0, ba: 0.0, ..ROPE }, [high, weight], 10.0, N);
    sim.initialize(0.0).unwrap();
    let failed = (1..=80).find_map(|n| {
        shake(&mut sim, high, 0.05 * f64::from(n));
        sim.step(0.05).err()
    });
    let text = failed.expect("a step fails").to_string();
    assert!(text.contains("residual energies"), "{text}");
}

/// The alternating part that joints cause is filtered from the values that the next step starts
/// from. Once, that used positions of line ends of the last iterate instead of those of the bodies
/// that carry them.
#[test]
fn a_joint_elsewhere_does_not_change_the_iteration_of_lines() {
    let run = |has_joint: bool| {
        let sea = Sea { rho: 1025.0, depth: 60.0, stiffness: 3e6, damping: 3e5, ..Sea::NONE };
        let mut sim = system("generalized-alpha", &sea);
        let inertia = [1e6, 1e6, 1e6, 0.0, 0.0, 0.0];
        let place = pose([0.0, 0.0, -5.0], UNROTATED);
        let body = sim.build().add_rigid_body(1e5, &[0.0; 3], &inertia, &place).unwrap();
        let stiffness = diagonal([1e6, 1e6, 1e6, 1e7, 1e7, 1e7]);
        sim.elements().add_bushing(GROUND, body, &place, &ORIGIN, &stiffness, &diagonal([1e4; 6])).unwrap();
        for k in 0..3 {
            let (s, c) = (2.0 * PI / 3.0 * f64::from(k)).sin_cos();
            let anchor = fixed(&mut sim, [180.0 * c, 180.0 * s, -60.0]);
            let fairlead = free(&mut sim, 0.0, [0.0; 3]);
            sim.build().attach_point(fairlead, body, &[2.0 * c, 2.0 * s, -1.0]).unwrap();
            line(&mut sim, &Material { ba: -0.8, ..OC3 }, [anchor, fairlead], 186.0, 12);
        }
        if has_joint {
            // A plumb pendulum at rest, of the same mass and size.
            let at = pose([0.0, 0.0, -10.0], UNROTATED);
            let other = sim.build().add_rigid_body(1e5, &[0.0; 3], &inertia, &at).unwrap();
            sim.build().add_joint_at(JointKind::Spherical, GROUND, other, &[0.0, 0.0, -5.0], None).unwrap();
        }
        sim.initialize(0.0).unwrap();
        for n in 1..=150 {
            let (s, c) = (0.6 * 0.4 * f64::from(n)).sin_cos();
            let load = [3e5 * s, 0.0, 6e5 * c, 0.0, 1e6 * s, 0.0];
            sim.inputs().set_body_load(body, pintle::Frame::Inertial, &load).unwrap();
            sim.step(0.4).unwrap();
        }
        sim.outputs().statistic("iterations").unwrap()
    };
    let [without, with] = [false, true].map(run);
    println!("{without} iterations, with a joint {with}");
    // Scales of the model differ, and so does rounding; a step that touches down may notice.
    assert!((with / without - 1.0).abs() < 0.05, "{without} iterations, with a joint {with}");
}
