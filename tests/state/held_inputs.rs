//! Inputs that a host sets once keep their values: the run equals, bit for bit, one in which the
//! host sets all inputs before every step, whatever it does in between. Marks of discontinuities
//! act on one step only.

use crate::common::*;
use pintle::{EntityKind, Frame, GROUND, JointKind, Phase, Simulation};

const DT: f64 = 2e-3;
const STEPS: usize = 120;

/// A pendulum of two links with a motor in the second joint; `held`: with a prescribed body beside
/// it.
fn described(scheme: &str, order: f64, held: bool) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_option("input_order", order).unwrap();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let inertia = [0.1, 0.2, 0.3, 0.0, 0.0, 0.0];
    let links = [0.5, 1.5].map(|x| {
        sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose([x, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0])).unwrap()
    });
    sim.build().add_joint_at(JointKind::Spherical, GROUND, links[0], &[0.0; 3], None).unwrap();
    let axis = Some(&[0.0, 1.0, 0.0]);
    let motor = sim.build().add_joint_at(JointKind::Revolute, links[0], links[1], &[1.0, 0.0, 0.0], axis).unwrap();
    sim.build().set_name(EntityKind::Joint, motor, "motor").unwrap();
    if held {
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose([9.0; 3], [1.0, 0.0, 0.0, 0.0])).unwrap();
        sim.build().set_body_prescribed(body, true).unwrap();
    }
    sim
}

/// Sets the inputs from one step on.
fn set(sim: &mut Simulation, (moment, force): (f64, f64)) {
    sim.inputs().set_joint_load(1, moment).unwrap();
    sim.inputs().set_body_load(1, Frame::Inertial, &[0.0, force, 0.0, 0.0, 0.0, 0.0]).unwrap();
}

/// The inputs for the end of step n: they change now and then.
fn given(n: usize) -> (f64, f64) {
    let part = [0, 0, 0, 3, 3, 4, 4, 4, 4, 9, 9][n % 11] + n / 11;
    (0.3 * part as f64, 1.0 - 0.1 * part as f64)
}

fn bits(sim: &Simulation) -> Vec<u64> {
    let outputs = sim.outputs();
    let all = [0, 1].map(|body| {
        [&outputs.body_pose(body).unwrap()[..], &outputs.body_acceleration(body, Frame::Inertial).unwrap()].concat()
    });
    all.concat().into_iter().map(f64::to_bits).collect()
}

/// The moment of the motor that acts at the time of the outputs.
fn moment(sim: &Simulation) -> f64 {
    let channels = sim.channels();
    let mut values = vec![0.0; channels.count().unwrap() as usize];
    channels.values(&mut values).unwrap();
    let of_motor = (0..).zip(values).find(|(k, _)| channels.name(*k).unwrap() == "motor.load");
    of_motor.unwrap().1
}

#[test]
fn inputs_that_stay_are_those_that_are_set_anew_before_every_step() {
    for (scheme, held) in ["generalized-alpha", "rk4", "ab2"].into_iter().flat_map(|s| [(s, false), (s, true)]) {
        for order in [0.0, 1.0] {
            let start = || {
                let mut sim = described(scheme, order, held);
                set(&mut sim, given(0));
                sim.initialize(0.0).unwrap();
                sim
            };
            let (mut each, mut once) = (start(), start());
            for n in 1..STEPS {
                set(&mut each, given(n));
                each.step(DT).unwrap();
                if given(n) != given(n - 1) {
                    set(&mut once, given(n));
                }
                match n % 7 {
                    1 => {
                        // With other inputs first, which are then replaced.
                        set(&mut once, (7.0, 8.0));
                        once.advance(DT).unwrap();
                        set(&mut once, given(n));
                        once.advance(DT).unwrap();
                        once.accept().unwrap();
                    }
                    2 => {
                        once.advance(0.5 * DT).unwrap();
                        once.reject().unwrap();
                        once.step(DT).unwrap();
                    }
                    3 => {
                        let saved = once.save().unwrap();
                        set(&mut once, (7.0, 8.0));
                        once.step(DT).unwrap();
                        once.step(DT).unwrap();
                        once.restore(&saved).unwrap();
                        once.step(DT).unwrap();
                    }
                    4 => {
                        let saved = once.save().unwrap();
                        once = start();
                        once.step(DT).unwrap();
                        once.restore(&saved).unwrap();
                        once.step(DT).unwrap();
                    }
                    5 => {
                        once = once.clone();
                        once.step(DT).unwrap();
                    }
                    _ => once.step(DT).unwrap(),
                }
                assert_eq!(bits(&once), bits(&each), "{scheme}, input_order {order}, held {held}: step {n}");
                assert_eq!([&once, &each].map(moment), [given(n).0; 2], "{scheme}: step {n}");
            }
        }
    }
}

#[test]
fn a_state_without_a_trial_is_the_same_bytes_whatever_was_tried() {
    let mut sim = described("generalized-alpha", 1.0, false);
    sim.initialize(0.0).unwrap();
    sim.step(DT).unwrap();
    let bytes = sim.save().unwrap().to_bytes();
    sim.advance(3.0 * DT).unwrap();
    sim.reject().unwrap();
    assert_eq!(sim.save().unwrap().to_bytes(), bytes, "a trial that was rejected");
    // An imposed load so large that numbers overflow: the step fails.
    set(&mut sim, (1e308, 1e308));
    sim.step(DT).unwrap_err();
    set(&mut sim, (0.0, 0.0));
    let mut again = described("generalized-alpha", 1.0, false);
    again.initialize(0.0).unwrap();
    again.step(DT).unwrap();
    set(&mut again, (0.0, 0.0));
    assert_eq!(sim.save().unwrap().to_bytes(), again.save().unwrap().to_bytes(), "a step that failed");
}

#[test]
fn a_mark_is_read_at_the_time_that_it_belongs_to() {
    let mut sim = described("generalized-alpha", 0.0, false);
    assert!(sim.given().discontinuity().is_err(), "a model has no time");
    sim.initialize(0.0).unwrap();
    let is_marked = |sim: &Simulation| sim.given().discontinuity().unwrap();
    assert!(!is_marked(&sim));
    sim.inputs().mark_discontinuity().unwrap();
    assert!(is_marked(&sim));
    let mut fresh = described("generalized-alpha", 0.0, false);
    fresh.initialize(0.0).unwrap();
    fresh.restore(&fresh.deserialize(&sim.save().unwrap().to_bytes()).unwrap()).unwrap();
    assert!(is_marked(&fresh) && is_marked(&sim.clone()));
    sim.advance(DT).unwrap();
    assert!(!is_marked(&sim), "the time of the trial has none");
    sim.inputs().mark_discontinuity().unwrap();
    assert!(is_marked(&sim));
    sim.advance(DT).unwrap();
    assert!(!is_marked(&sim), "the mark acted on the trial that was made anew");
    sim.reject().unwrap();
    assert!(is_marked(&sim), "the step from here is yet to come");
    sim.step(DT).unwrap();
    assert!(!is_marked(&sim));
    sim.inputs().mark_discontinuity().unwrap();
    sim.mark_failed();
    assert_eq!(sim.phase(), Phase::Failed);
    assert!(is_marked(&sim));
}
