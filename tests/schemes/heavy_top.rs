//! The heavy top of the Lie-group literature: accelerations, second order in motion and reaction,
//! start, rounding.
//!
//! The model is `common::models::heavy_top`. The reference integrates Euler's equations about the
//! fixed point in body axes and a quaternion with Runge-Kutta 4 at 5e-6 s: halving the step changes
//! its state at 2 s by 3e-13, far below everything asked here.

use crate::common::models::heavy_top::*;
use crate::common::*;
use pintle::{Frame, Id, Simulation};
use std::sync::OnceLock;

const END: f64 = 2.0;
const VDOT: V3 = [0.0, -21.3017325444, -30.9608307692];
/// Some print 661.346153846, which belongs to omega_z = -60/13; with the -4.61538 of the model (and
/// of VDOT) it is -(J_y - J_O) w_y w_z / J_O less the moment of the weight: 661.3461692307692.
const OMEGADOT: V3 = [661.3461692307692, 0.0, 0.0];

/// Steps and errors at rho_inf 0.9.
const PUBLISHED: [(f64, f64); 6] =
    [(2e-3, 9.6e-3), (1e-3, 2.4e-3), (5e-4, 6e-4), (2.5e-4, 1.5e-4), (1e-4, 2.4e-5), (1e-5, 2.4e-7)];

/// q(4), body angular velocity(3) at multiples of `FINE`.
struct Reference(Vec<Vec<f64>>);

const FINE: f64 = 1e-5;

fn reference() -> &'static Reference {
    static TABLE: OnceLock<Reference> = OnceLock::new();
    TABLE.get_or_init(|| Reference(rk4_samples(rate, &START, FINE, (END / FINE).round() as usize, 2)))
}

impl Reference {
    fn row(&self, t: f64) -> &[f64] {
        let n = (t / FINE).round() as usize;
        assert!((n as f64 * FINE - t).abs() < 1e-9, "t = {t} is not a multiple of the reference step");
        &self.0[n]
    }

    fn state(&self, t: f64) -> (Quat, V3) {
        attitude(self.row(t))
    }

    fn reaction(&self, t: f64) -> V3 {
        reaction(self.row(t))
    }
}

/// The top with its reference point at `arm` from the joint, with turned body axes and with
/// options.
fn top(arm: V3, axes: Quat, options: &[(&str, f64)]) -> (Simulation, Id, Id) {
    let (mut sim, body, joint) = top_about(arm, axes);
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    (sim, body, joint)
}

const RHO_09: (&str, f64) = ("rho_inf", 0.9);
const TIGHT: [(&str, f64); 2] = [("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)];

/// Reference points: the centre of mass, the spherical joint itself, and somewhere else.
const ARMS: [(&str, V3); 3] = [("com", COM), ("joint", [0.0; 3]), ("elsewhere", [0.3, 0.4, -0.2])];

/// Largest errors of a run over all its steps up to `end`.
#[derive(Debug, Default, Clone, Copy)]
struct Errors {
    u: f64,
    /// Largest component of the error of u at `end`.
    end: f64,
    rotation: f64,
    velocity: f64,
    omega: f64,
    reaction: f64,
}

fn errors(sim: &mut Simulation, body: Id, joint: Id, arm: V3, dt: f64, end: f64) -> Errors {
    let table = reference();
    let mut worst = Errors::default();
    let steps = (end / dt).round() as usize;
    for n in 1..=steps {
        sim.step(dt).unwrap_or_else(|e| panic!("step {n} of {steps} at dt {dt:e} failed: {e}"));
        let t = n as f64 * dt;
        let (q, w) = table.state(t);
        let d = sim.outputs().body_displacement(body).unwrap();
        let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap();
        let (v, omega) = halves(v);
        let reaction = halves(sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap());
        let exact = sub(rotate(q, arm), arm);
        worst.u = worst.u.max(distance(place(&d), exact));
        worst.end = sub(place(&d), exact).iter().fold(0.0, |largest, x| x.abs().max(largest));
        worst.rotation = worst.rotation.max(quat_error(turn(&d), q));
        worst.velocity = worst.velocity.max(distance(v, rotate(q, cross(w, arm))));
        worst.omega = worst.omega.max(distance(omega, rotate(q, w)));
        worst.reaction = worst.reaction.max(distance(reaction.0, table.reaction(t)));
        // a spherical joint carries no moment
        assert!(norm(reaction.1) < 1e-6 * norm(reaction.0), "moment {:?} in a spherical joint", reaction.1);
    }
    for key in ["rejected_steps", "not_converged_steps"] {
        assert_eq!(sim.outputs().statistic(key).unwrap(), 0.0, "{key} at dt {dt:e}");
    }
    worst
}

fn run(arm: V3, dt: f64, end: f64, options: &[(&str, f64)]) -> Errors {
    let (mut sim, body, joint) = top(arm, UNROTATED, options);
    sim.initialize(0.0).unwrap();
    errors(&mut sim, body, joint, arm, dt, end)
}

/// The same with scheme `momentum-alpha`.
fn on_momentum(dt: f64, end: f64, rho: f64) -> (Errors, f64) {
    let (mut sim, body, joint) = top(COM, UNROTATED, &[("rho_inf", rho)]);
    sim.settings().set_scheme("momentum-alpha").unwrap();
    sim.initialize(0.0).unwrap();
    let found = errors(&mut sim, body, joint, COM, dt, end);
    (found, sim.outputs().statistic("iterations").unwrap() / (end / dt).round())
}

#[test]
fn on_momentum_the_top_is_fifty_times_more_accurate() {
    // Asked at rho_inf 0.9: 2.5e-4 m at 2 ms and 6e-5 at 1 ms at 2 s, order 2, where the published
    // scheme errs by 9.6e-3 and 2.4e-3.
    let runs = [2e-3, 1e-3, 5e-4].map(|dt| (dt, on_momentum(dt, END, 0.9)));
    runs.iter().for_each(|(dt, (errors, iterations))| println!("{dt:e}: {errors:?}, {iterations:.2} iterations"));
    assert!(runs[0].1.0.end < 2.5e-4 && runs[1].1.0.end < 6e-5);
    let column = |f: fn(&Errors) -> f64| runs.iter().map(|(dt, (errors, _))| (*dt, f(errors))).collect::<Vec<_>>();
    assert_order("u", &column(|e| e.end), 2.0, 0.1);
    assert_order("reaction", &column(|e| e.reaction), 2.0, 0.15);
    // No more iterations than generalized-alpha needs.
    assert!(runs.iter().all(|(_, (_, iterations))| *iterations < 3.0));
    // From the first step on: below 0.3 N over 40 ms at 1 ms, and second order counted in steps
    // too.
    let [coarse, fewer] = [(1e-3, 40e-3), (5e-4, 20e-3)].map(|(dt, end)| on_momentum(dt, end, 0.9).0.reaction);
    println!("reaction over 40 steps: {coarse:.4} N, at half the step {fewer:.4} N");
    assert!(coarse < 0.3 && coarse / fewer > 3.6, "{coarse} {fewer}");
}

#[test]
fn on_momentum_the_undamped_top_keeps_its_energy() {
    // Moments are summed by the trapezoidal rule in inertial axes while the top nutates: the spin
    // about its axis, which is constant, goes to and fro by a part of second order, and the energy
    // by twice that part. It does not drift, and follows h^2: asked is 1e-6 of the total energy,
    // which holds from 0.38 ms down.
    let mut table = Vec::new();
    for dt in [1e-3, 5e-4, 2.5e-4] {
        let (mut sim, ..) = top(COM, UNROTATED, &[("rho_inf", 1.0), TIGHT[0], TIGHT[1]]);
        sim.settings().set_scheme("momentum-alpha").unwrap();
        sim.initialize(0.0).unwrap();
        let total = |sim: &Simulation| sim.outputs().energy().map(|(kinetic, potential)| kinetic + potential).unwrap();
        let (start, mut worst) = (total(&sim), [0.0f64; 2]);
        let steps = (10.0f64 / dt).round() as usize;
        for n in 0..steps {
            sim.step(dt).unwrap();
            let half = usize::from(2 * n >= steps);
            worst[half] = worst[half].max((total(&sim) / start - 1.0).abs());
        }
        println!("dt {dt:e}: energy in both halves {worst:?}");
        // A tenth of a percent: where the steps meet the turning points of the nutation.
        assert!((worst[1] / worst[0] - 1.0).abs() < 1e-3, "it drifts: {worst:?}");
        assert_eq!(sim.outputs().statistic("rejected_steps").unwrap(), 0.0);
        table.push((dt, worst[0]));
    }
    assert!(table[2].1 < 1e-6, "{table:?}");
    assert_order("energy", &table, 2.0, 0.1);
}

#[test]
fn reference_meets_the_published_state_at_two_seconds() {
    let (q, _) = reference().state(END);
    // printed with twelve decimals, where the last is uncertain by 1 (two programs): 2e-12
    assert_close("u(2 s)", &sub(rotate(q, COM), COM), &[-0.150416822747, -1.724165591637, -0.673022269560], 2e-12);
    let printed = [0.122947135041, -0.491079892551, 0.350430030343, -0.787986887550];
    assert!(quat_error(q, printed) < 2e-12, "{q:?}");
    assert_close("vdot0", &scale(1.0 / MASS, add(reference().reaction(0.0), scale(MASS, GRAVITY))), &VDOT, 1e-9);
}

#[test]
fn initial_accelerations_are_exact_for_any_reference_point() {
    for (name, arm) in ARMS {
        for axes in [UNROTATED, unit([0.8, 0.2, -0.5, 0.3])] {
            let (mut sim, body, joint) = top(arm, axes, &[]);
            sim.initialize(0.0).unwrap();
            let (vdot, omegadot) = halves(sim.outputs().body_acceleration(body, Frame::Inertial).unwrap());
            // printed to 1e-10 (vdot) and 1e-9 (omegadot, about 661): asked is 1e-9
            assert_close(&format!("omegadot0, reference {name}"), &omegadot, &OMEGADOT, 1e-9);
            let exact = add(cross(OMEGADOT, arm), cross(OMEGA, cross(OMEGA, arm)));
            if arm == COM {
                assert_close("the arm formula", &exact, &VDOT, 1e-9);
            }
            // |omega|^2 |arm| is 2e4 m/s^2 for a point off the spin axis: 1e-9 absolute there is 5e-14 relative
            assert_close(&format!("vdot0, reference {name}"), &vdot, &exact, 1e-9 * (1.0f64).max(norm(exact) / 37.6));
            // the host reads its own velocity, not the perturbed start values
            let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap();
            assert_close("v0", &v, &join(cross(OMEGA, arm), OMEGA), 1e-13 * 150.0);
            let reaction = halves(sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap()).0;
            assert_close(&format!("reaction at t0, {name}"), &reaction, &reference().reaction(0.0), 1e-8);
        }
    }
}

#[test]
fn heavy_top_error_is_the_published_one_down_to_steps_of_1e_5() {
    // "Max error in u" is the largest component of the error at 2 s. The published numbers have two
    // digits: 9.6e-3 stands for 9.55e-3..9.65e-3, 2.4e-5 for 2.35e-5..2.45e-5 (2.1 %). The others
    // follow from "falls by 4 per halving".
    let mut table = Vec::new();
    for (dt, error) in PUBLISHED {
        let got = run(COM, dt, END, &[RHO_09]).end;
        println!("dt {dt:e}: error of u at 2 s {got:.4e}, published {error:.1e}");
        table.push((dt, got));
        assert!((got / error - 1.0).abs() < 0.021, "dt {dt:e}: {got:.4e} instead of {error:.1e}");
    }
    assert_order("heavy top, u, rho 0.9", &table, 2.0, 0.1);
}

#[test]
fn no_step_fails_with_tolerances_of_1e_10() {
    // `errors` panics at the first failed step; the accuracy must be the same too (same numbers as
    // above)
    for (dt, error) in PUBLISHED {
        let got = run(COM, dt, END, &[RHO_09, TIGHT[0], TIGHT[1]]).end;
        assert!((got / error - 1.0).abs() < 0.021, "dt {dt:e}: {got:.4e} instead of {error:.1e}");
    }
}

#[test]
fn undamped_top_runs_ten_seconds_with_bounded_energy_and_reaction() {
    // rho_inf = 1, where index-3 integration is weakly unstable if nothing is done (the plain
    // scheme fails at 3.6 s here). Asked for: energy within 1e-5 of its 5.5 kJ, multipliers bounded
    // and second order.
    let mut forces = Vec::new();
    for dt in [1e-3, 5e-4, 2.5e-4] {
        let (mut sim, body, joint) = top(COM, UNROTATED, &[("rho_inf", 1.0), TIGHT[0], TIGHT[1]]);
        sim.initialize(0.0).unwrap();
        let total = |sim: &Simulation| sim.outputs().energy().map(|(kinetic, potential)| kinetic + potential).unwrap();
        let start = total(&sim);
        let reaction = errors(&mut sim, body, joint, COM, dt, END).reaction;
        let mut worst = 0.0f64;
        let mut largest = 0.0f64;
        for _ in 0..(8.0 / dt).round() as usize {
            sim.step(dt).unwrap();
            worst = worst.max((total(&sim) / start - 1.0).abs());
            largest = largest.max(norm(halves(sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap()).0));
        }
        println!("rho 1, dt {dt:e}: energy {worst:.2e}, reaction error {reaction:.3} N, largest {largest:.2} N");
        assert!(worst < 1e-5, "{worst:e} of the energy");
        // the exact reaction repeats its largest value at each nutation: 875.73 N, with the error
        // of the first 2 s again
        assert!(largest < 875.8 + reaction, "{largest}");
        forces.push((dt, reaction));
    }
    assert_order("reaction, rho 1", &forces, 2.0, 0.1);
}

#[test]
fn heavy_top_converges_at_second_order() {
    // Everything that a host reads, at three numerical dampings. The next term of the expansion is
    // (Omega h)^2 relative, 2 % at 1e-3, which moves the first order by 0.03; tight tolerances keep
    // the iteration error out.
    for rho in [0.0, 0.6, 0.9, 1.0] {
        let mut runs = Vec::new();
        for dt in [1e-3, 5e-4, 2.5e-4, 1.2e-4] {
            runs.push((dt, run(COM, dt, 0.6, &[("rho_inf", rho), TIGHT[0], TIGHT[1]])));
        }
        let column = |f: fn(&Errors) -> f64| runs.iter().map(|(h, e)| (*h, f(e))).collect::<Vec<_>>();
        assert_order(&format!("u, rho {rho}"), &column(|e| e.u), 2.0, 0.1);
        assert_order(&format!("q, rho {rho}"), &column(|e| e.rotation), 2.0, 0.1);
        assert_order(&format!("v, rho {rho}"), &column(|e| e.velocity), 2.0, 0.1);
        assert_order(&format!("omega, rho {rho}"), &column(|e| e.omega), 2.0, 0.1);
        assert_order(&format!("reaction, rho {rho}"), &column(|e| e.reaction), 2.0, 0.1);
    }
}

#[test]
fn motion_does_not_depend_on_the_reference_point() {
    // Same motion means: every choice converges at second order to the one exact motion (the
    // discrete motions differ by the error of the method, since x of another point is another
    // discrete variable).
    for (name, arm) in ARMS {
        let table: Vec<(f64, f64)> =
            [1e-3, 5e-4, 2.5e-4].map(|dt| (dt, run(arm, dt, 0.6, &[RHO_09]).rotation)).to_vec();
        assert_order(&format!("rotation, reference {name}"), &table, 2.0, 0.1);
        // Over 0.6 s at Omega = 150 the angle turned is 90 rad; a frequency error of |kappa| (Omega
        // h)^2 <= (Omega h)^2 / 6 gives 90 * (150 h)^2 / 6 as a generous ceiling: 0.34
        // h^2/(1e-3)^2.
        for (h, e) in table {
            assert!(e < 0.34 * (h / 1e-3f64).powi(2), "reference {name}, dt {h:e}: {e:.3e}");
        }
    }
}

#[test]
fn motion_does_not_depend_on_the_body_axes() {
    // Increments are inertial: turning the body axes changes nothing but rounding. A velocity
    // recovered from positions carries eps/h = 2e-13 per step; 600 of them, all of one sign, over
    // 0.6 s: 7e-11. Newton stops at increments of 1e-10 and leaves less than that after its
    // quadratic last update. 1e-9 is above both.
    let options = [RHO_09, TIGHT[0], TIGHT[1]];
    let (mut a, body_a, _) = top(COM, UNROTATED, &options);
    let axes = unit([0.3, -0.7, 0.6, 0.2]);
    let (mut b, body_b, _) = top(COM, axes, &options);
    a.initialize(0.0).unwrap();
    b.initialize(0.0).unwrap();
    for _ in 0..600 {
        a.step(1e-3).unwrap();
        b.step(1e-3).unwrap();
    }
    let (da, db) = (a.outputs().body_displacement(body_a).unwrap(), b.outputs().body_displacement(body_b).unwrap());
    assert_close("u with turned axes", &place(&db), &place(&da), 1e-9);
    assert!(quat_error(turn(&da), turn(&db)) < 1e-9, "displacement rotation is inertial: {da:?} {db:?}");
    let absolute = quat_mul(turn(&db), axes);
    assert!(
        quat_error(absolute, turn(&b.outputs().body_pose(body_b).unwrap())) < 1e-13,
        "pose = displacement * reference pose"
    );
}

fn reaction_error(dt: f64, end: f64, options: &[(&str, f64)], given: bool) -> f64 {
    let (mut sim, body, joint) = top(COM, UNROTATED, options);
    if given {
        // exact accelerations in full precision, from the formulas of the reference
        let omegadot = omega_rate(UNROTATED, OMEGA);
        let vdot = add(cross(omegadot, COM), cross(OMEGA, cross(OMEGA, COM)));
        sim.build().set_body_acceleration(body, &join(vdot, omegadot)).unwrap();
    }
    sim.initialize(0.0).unwrap();
    errors(&mut sim, body, joint, COM, dt, end).reaction
}

#[test]
fn reaction_is_second_order_from_the_first_step() {
    // published: 0.30 N at dt 1e-3 and 0.074 N at half the step; bound 1 N; the ratio 4 carries
    // (Omega h)^2 = 2 % (10 % allowed)
    let coarse = reaction_error(1e-3, 40e-3, &[RHO_09], false);
    let fine = reaction_error(5e-4, 40e-3, &[RHO_09], false);
    println!("reaction error over 40 ms: {coarse:.3} N, at half the step {fine:.4} N");
    assert!(coarse < 1.0, "{coarse}");
    assert!((coarse / fine / 4.0 - 1.0).abs() < 0.1, "{coarse} -> {fine}");
    // the same counted in steps: 40 steps of half the size (a first-order transient would show here
    // as a ratio of 2)
    let fewer = reaction_error(5e-4, 20e-3, &[RHO_09], false);
    assert!(coarse / fewer > 3.6, "{coarse} -> {fewer} over the first 40 steps");
}

#[test]
fn plain_start_spoils_the_reaction() {
    // Published: 64 N of 430 N at dt 1e-3, rho_inf 0.9. The damping of parasitic modes takes most
    // of the transient away from the fourth step on, so less is left; first order it stays, half of
    // it at half the step.
    let plain = [RHO_09, ("initial_acceleration", 1.0)];
    let coarse = reaction_error(1e-3, 40e-3, &plain, true);
    let fine = reaction_error(5e-4, 40e-3, &plain, true);
    println!("plain start: {coarse:.2} N, {fine:.2} N");
    assert!(coarse > 10.0 && coarse < 65.0, "{coarse}");
    assert!((coarse / fine / 2.0 - 1.0).abs() < 0.1, "{coarse} -> {fine}: first order expected");
}

/// Kynema's regression case: the published algorithm from given accelerations, without the filter
/// of constraint violations. Its figures are printed to 15 digits; iterations end at 1e-11, and 400
/// steps at 0.3 rad each keep errors below 1e-9.
#[test]
fn without_constraint_damping_it_is_the_published_algorithm_to_rounding() {
    let options = [
        RHO_09,
        ("constraint_damping", 0.0),
        ("initial_acceleration", 1.0),
        ("abs_tolerance", 1e-11),
        ("rel_tolerance", 1e-11),
    ];
    let run = |damping: f64| {
        let (mut sim, body, _) = top(COM, UNROTATED, &options);
        sim.settings().set_option("constraint_damping", damping).unwrap();
        let vdot = [0.0, -21.3017325444, -30.960830769230824, 661.3461692307692, 0.0, 0.0];
        sim.build().set_body_acceleration(body, &vdot).unwrap();
        sim.initialize(0.0).unwrap();
        (0..400).for_each(|_| sim.step(2e-3).unwrap());
        place(&sim.outputs().body_displacement(body).unwrap())
    };
    let published = [-0.422178022738935, -0.094582635300505, -0.044554604889534];
    assert_close("displacement at step 400", &run(0.0), &published, 1e-9);
    assert!(distance(run(1.0), published) > 1e-6, "the filter makes a difference that this test would see");
}
