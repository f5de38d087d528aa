//! Steps whose matrix needs another factorisation than earlier ones: memory that no earlier call
//! has reserved.

use crate::heap::with_refusal;
use pintle::error::Error;
use pintle::{Frame, GROUND, JointKind, Simulation};

/// Bodies in a row, at rest, each tied to the one before by springs beside its middle (`ties` of
/// them), after two steps so short that the springs are negligible in the matrix. In a long step
/// they dominate, and because they act in some directions only, blocks of the matrix are singular
/// or nearly so.
fn row(bodies: usize, ties: usize, stiffness: f64, options: &[(&str, f64)], joint: Option<JointKind>) -> Simulation {
    let mut sim = Simulation::new();
    let mut last = GROUND;
    for k in 0..bodies {
        let at = [k as f64, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.1, 1.2, 0.0, 0.0, 0.0], &at).unwrap();
        for tie in 0..ties.min(k + 1) {
            let (from, to): ([f64; 3], [f64; 3]) = ([0.4, 0.2, 0.1], [-0.3, 0.5 + 0.1 * tie as f64, 0.4]);
            let other = if tie == 0 { last } else { body - 1 - tie as i32 };
            let reach = if other == GROUND { k as f64 } else { f64::from(body - other) };
            let gap = [reach + to[0] - from[0], to[1] - from[1], to[2] - from[2]];
            let length = gap.iter().map(|x| x * x).sum::<f64>().sqrt();
            sim.elements().add_spring(other, &from, body, &to, stiffness, 0.0, length, false).unwrap();
        }
        if let Some(kind) = joint.filter(|_| k % 4 == 1) {
            sim.build().add_joint_at(kind, last, body, &[k as f64 - 0.5, 0.0, 0.0], Some(&[0.0, 1.0, 0.0])).unwrap();
        }
        last = body;
    }
    options.iter().for_each(|(key, value)| sim.settings().set_option(key, *value).unwrap());
    sim.initialize(0.0).unwrap();
    let step = 1e-3 / stiffness.sqrt();
    sim.inputs().set_body_load(last, Frame::Inertial, &[0.0, 1e-3, 0.0, 0.0, 0.0, 0.0]).unwrap();
    (0..2).for_each(|_| sim.step(step).unwrap());
    sim
}

/// Bodies in a row on hinges, every fifth with a spring, after two steps so short that the springs
/// are negligible: the matrix is eliminated while it is assembled. In a long step the springs
/// dominate, and the entries that were not stored are needed.
fn hinged(bodies: usize, stiffness: f64) -> Simulation {
    let mut sim = Simulation::new();
    for k in 0..bodies {
        let at = [k as f64, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.1, 1.2, 0.0, 0.0, 0.0], &at).unwrap();
        let place = [k as f64 - 0.5, 0.0, 0.0];
        let joint =
            sim.build().add_joint_at(JointKind::Revolute, body - 1, body, &place, Some(&[0.0, 1.0, 0.0])).unwrap();
        if k % 5 == 4 {
            sim.build().set_joint_spring(joint, stiffness, 0.0, 0.0).unwrap();
        }
    }
    sim.initialize(0.0).unwrap();
    let step = 1e-3 / stiffness.sqrt();
    sim.inputs().set_body_load(bodies as i32 - 1, Frame::Inertial, &[0.0, 0.0, 1e-3, 0.0, 0.0, 0.0]).unwrap();
    (0..2).for_each(|_| sim.step(step).unwrap());
    sim
}

#[test]
fn a_step_that_needs_entries_which_were_not_kept_returns_a_status_when_memory_is_refused() {
    for (bodies, stiffness) in [(60, 1e8), (160, 1e7)] {
        refuse(&|| hinged(bodies, stiffness), 1.0, &format!("{bodies} bodies on hinges, springs of {stiffness:e}"));
    }
}

#[test]
fn a_step_that_needs_another_factorisation_returns_a_status_when_memory_is_refused() {
    // Iterative refinement, or pivoting among all rows, dense and sparse; some steps do not
    // converge then.
    let free =
        [(4, 1, 1e4), (4, 1, 1e8), (40, 1, 1e4), (160, 1, 1e4), (60, 2, 1e6), (60, 3, 1e6), (60, 2, 1e8), (60, 3, 1e7)];
    for (bodies, ties, stiffness) in free {
        refuse(
            &|| row(bodies, ties, stiffness, &[], None),
            1.0,
            &format!("{bodies} bodies, {ties} springs each of {stiffness:e}"),
        );
    }
    for (kind, stiffness) in [(JointKind::Spherical, 1e6), (JointKind::Revolute, 1e6), (JointKind::Revolute, 1e4)] {
        refuse(&|| row(40, 1, stiffness, &[], Some(kind)), 1.0, &format!("{kind:?} joints, springs of {stiffness:e}"));
    }
    refuse(&|| row(40, 1, 1e6, &[("linear", 1.0)], Some(JointKind::Spherical)), 1.0, "linear");
    refuse(&|| row(40, 1, 1e6, &[("on_no_convergence", 2.0)], None), 1.0, "steps that may be cut");
}

/// After a long step whose matrix was factorised with pivoting among all rows, other lengths have
/// other pivots, and may have factors with more entries: in the factorisation, or in a second one
/// when a solution is not accurate enough to be used. If any allocation of such a step fails, the
/// step returns a status.
#[test]
fn a_step_of_another_length_returns_a_status_when_memory_is_refused() {
    let mut asked = 0;
    for (bodies, stiffness, joint, policy) in [
        (160, 1e8, None, 0.0),
        (160, 1e8, None, 2.0),
        (74, 1e8, Some(JointKind::Spherical), 1.0),
        (90, 1e7, None, 0.0),
        (104, 1e7, None, 1.0),
    ] {
        for (before, last) in [([1.0, 0.1], 3.0), ([0.04, 2.0], 3.0)] {
            let make = || {
                let mut sim = row(bodies, 1, stiffness, &[("on_no_convergence", policy)], joint);
                before.iter().for_each(|h| drop(sim.step(*h)));
                sim
            };
            let name = format!("{bodies} bodies, springs of {stiffness:e}, steps {before:?} and {last}");
            asked += refusals(&make, last, &name);
        }
    }
    assert!(asked > 0, "none of these steps asks for memory");
}

/// Makes the allocations of a step fail one after another; the step must allocate.
fn refuse(make: &dyn Fn() -> Simulation, step: f64, name: &str) {
    assert!(refusals(make, step, name) >= 2, "{name}: nothing was asked for");
}

/// Makes one allocation of a step fail, each in a separate run; returns the number of runs that
/// ended with OUT_OF_MEMORY.
fn refusals(make: &dyn Fn() -> Simulation, step: f64, name: &str) -> usize {
    let reached = |sim: &Simulation| {
        let poses: Vec<_> = (0..4).map(|body| sim.outputs().body_pose(body).unwrap().map(f64::to_bits)).collect();
        (sim.time().unwrap(), poses)
    };
    let outcome = |sim: &mut Simulation| (sim.step(step).is_ok(), reached(sim));
    let expected = outcome(&mut make());
    let mut refusals = 0;
    for for_good in [false, true] {
        // A sparse factorisation makes thousands of requests: the first few are refused one by one,
        // later ones a fifth further on each.
        let mut grants = 0;
        loop {
            let mut sim = make();
            let before = sim.time().unwrap();
            let (refused, done) = with_refusal(grants, for_good, || sim.step(step));
            if let Err(Error::OutOfMemory { bytes, .. }) = done {
                assert!(refused > 0 && bytes > 0, "{name}, request {grants}");
                assert_eq!(sim.time().unwrap(), before, "{name}, request {grants}");
                assert_eq!(outcome(&mut sim), expected, "{name}, request {grants}, with memory");
                refusals += 1;
            } else {
                assert_eq!((done.is_ok(), reached(&sim)), expected, "{name}, request {grants}: {done:?}");
            }
            if refused == 0 {
                break;
            }
            grants += 1 + grants / 5;
        }
    }
    refusals
}
