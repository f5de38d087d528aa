//! Tables of joints and bushings that the host changes during a run.

use super::changed_springs::{AFTER, BEFORE, MASS, SCHEMES, check_order, exact, frame, motion};
use crate::common::*;
use pintle::{Error, Frame, GROUND, Id, JointKind, JointTable, Simulation, set_bushing_table, set_joint_table};

const ALONG: bool = false;

/// Gives a joint a straight spring and damper by tables.
fn set(sim: &mut Simulation, joint: Id, [stiffness, damping, rest]: [f64; 3]) -> Result<(), Error> {
    let (x, y) = ([rest - 2.0, rest + 1.0], [-2.0 * stiffness, stiffness]);
    set_joint_table(sim, (joint, ALONG), JointTable::Spring, [&x, &y])?;
    let (x, y) = ([-5.0, 0.0, 9.0], [-5.0 * damping, 0.0, 9.0 * damping]);
    set_joint_table(sim, (joint, ALONG), JointTable::Damper, [&x, &y])
}

/// A mass on a slide, pulled out by 0.5 m.
fn slider() -> (Simulation, Id) {
    let mut sim = Simulation::new();
    let inertia = [0.5, 0.5, 0.5, 0.0, 0.0, 0.0];
    let at = pose([0.5, 0.0, 0.0], UNROTATED);
    let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &inertia, &at).unwrap();
    let joint = sim.build().add_joint(JointKind::Prismatic, GROUND, body, &frame([0.0; 3]), &frame([0.0; 3])).unwrap();
    (sim, joint)
}

fn oscillator(scheme: &str) -> (Simulation, Id) {
    let (mut sim, joint) = slider();
    sim.settings().set_scheme(scheme).unwrap();
    set(&mut sim, joint, BEFORE).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, joint)
}

/// Error at 2 s, with the change at 1 s.
fn error(scheme: &str, steps: usize) -> f64 {
    let (mut sim, joint) = oscillator(scheme);
    let h = 1.0 / steps as f64;
    (0..steps).for_each(|_| sim.step(h).unwrap());
    set(&mut sim, joint, AFTER).unwrap();
    (0..steps).for_each(|_| sim.step(h).unwrap());
    let expected = exact(AFTER, exact(BEFORE, [0.5, 0.0], 1.0), 1.0);
    let reached = motion(&sim, joint);
    (reached[0] - expected[0]).hypot((reached[1] - expected[1]) / 5.0)
}

#[test]
fn changed_tables_act_from_the_accepted_time_on_and_keep_the_order() {
    SCHEMES.into_iter().for_each(|scheme| check_order(scheme, error));
}

#[test]
fn a_changed_table_of_a_bushing_gives_the_period_of_its_stiffness() {
    let error = |scheme: &str, steps: usize| {
        let mut sim = Simulation::new();
        sim.settings().set_scheme(scheme).unwrap();
        let (at, inertia) = (pose([0.5, 0.0, 0.0], UNROTATED), [0.5, 0.5, 0.5, 0.0, 0.0, 0.0]);
        let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &inertia, &at).unwrap();
        let place = pose([0.0; 3], UNROTATED);
        let none = [0.0; 36];
        let bushing = sim.elements().add_bushing(GROUND, body, &place, &place, &none, &none).unwrap();
        let set = |sim: &mut Simulation, k: f64| {
            set_bushing_table(sim, bushing, 0, &[-1.0, 2.0], &[-k, 2.0 * k]).unwrap();
        };
        set(&mut sim, 18.0);
        sim.initialize(0.0).unwrap();
        let h = 1.0 / steps as f64;
        (0..steps).for_each(|_| sim.step(h).unwrap());
        set(&mut sim, 50.0);
        (0..steps).for_each(|_| sim.step(h).unwrap());
        let [x, v] = exact([50.0, 0.0, 0.0], exact([18.0, 0.0, 0.0], [0.5, 0.0], 1.0), 1.0);
        let (reached, velocity) =
            (sim.outputs().body_pose(body).unwrap(), sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
        (reached[0] - x).hypot((velocity[0] - v) / 5.0)
    };
    let is_one_step = |(scheme, _): &(&str, i32)| !scheme.ends_with("ab3");
    SCHEMES.into_iter().filter(is_one_step).for_each(|scheme| check_order(scheme, error));
}

/// A stop of 1e5 N/m in the place of one of 1e4, at steps that do not resolve it, adds nothing to
/// the energy but what its spring stores at the change: none, as it is not touched then.
#[test]
fn a_changed_stop_by_table_keeps_the_energy() {
    let stop = |sim: &mut Simulation, joint: Id, k: f64| {
        let (x, y) = ([-1.0, -0.2, 0.0, 0.3, 1.0], [-0.8 * k, 0.0, 0.0, 0.0, 0.7 * k]);
        set_joint_table(sim, (joint, ALONG), JointTable::Spring, [&x, &y]).unwrap();
    };
    let (mut sim, joint) = slider();
    sim.settings().set_option("rho_inf", 1.0).unwrap();
    // Newton's method ends within 1e-12 m of forces of 2e4 N: 2e-8 J a step, of 200 J.
    sim.settings().set_option("abs_tolerance", 1e-12).unwrap();
    sim.settings().set_option("rel_tolerance", 1e-12).unwrap();
    stop(&mut sim, joint, 1e4);
    sim.initialize(0.0).unwrap();
    let energy = |sim: &Simulation| {
        let (kinetic, potential) = sim.outputs().energy().unwrap();
        kinetic + potential
    };
    // Begins 0.2 m beyond the upper end: k 0.2^2/2.
    let given = energy(&sim);
    let mut free = false;
    for k in 0..200 {
        sim.step(0.005).unwrap();
        assert!((energy(&sim) / given - 1.0).abs() < 1e-8, "{k}: {}", energy(&sim) / given - 1.0);
        let [x, _] = motion(&sim, joint);
        if !free && k > 20 && x.abs() < 0.1 {
            stop(&mut sim, joint, 1e5);
            free = true;
        }
    }
    assert!(free, "the mass crosses the play");
}

#[test]
fn tables_belong_to_the_state() {
    for scheme in ["generalized-alpha", "momentum-alpha", "rk4", "lab3"] {
        let (mut sim, joint) = oscillator(scheme);
        (0..50).for_each(|_| sim.step(0.01).unwrap());
        let early = sim.save().unwrap();
        set(&mut sim, joint, AFTER).unwrap();
        let late = sim.save().unwrap();
        let mut bytes = vec![0; late.serialized_len()];
        late.serialize_into(&mut bytes).unwrap();
        let run = |sim: &mut Simulation| {
            (0..50).for_each(|_| sim.step(0.01).unwrap());
            motion(sim, joint).map(f64::to_bits)
        };
        let mut clone = sim.clone();
        let expected = run(&mut sim);
        assert_eq!(run(&mut clone), expected, "{scheme}: a clone");
        let (mut fresh, _) = oscillator(scheme);
        fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
        assert_eq!(run(&mut fresh), expected, "{scheme}: from bytes in a fresh object");
        fresh.restore(&early).unwrap();
        let (mut unchanged, _) = oscillator(scheme);
        unchanged.restore(&early).unwrap();
        let back = run(&mut fresh);
        assert_eq!(back, run(&mut unchanged), "{scheme}: an early state");
        // Equal tables change nothing, also where the scheme would start anew.
        unchanged.restore(&early).unwrap();
        set(&mut unchanged, joint, BEFORE).unwrap();
        assert_eq!(run(&mut unchanged), back, "{scheme}: equal tables");
    }
}

#[test]
fn only_tables_that_are_described_change() {
    let (mut sim, joint) = slider();
    let table = |sim: &mut Simulation, table| set_joint_table(sim, (joint, ALONG), table, [&[1.0, 2.0], &[3.0, 4.0]]);
    table(&mut sim, JointTable::Damper).unwrap();
    sim.initialize(0.0).unwrap();
    let refused = table(&mut sim, JointTable::Spring).unwrap_err().to_string();
    assert!(refused.contains("joint 0 has no table of a spring"), "{refused}");
    table(&mut sim, JointTable::Damper).unwrap();
    sim.advance(0.1).unwrap();
    assert!(matches!(table(&mut sim, JointTable::Damper), Err(Error::BadPhase { .. })));
    sim.reject().unwrap();
    for (rates, forces, named) in [
        ([-1.0, 1.0], [2.0, 3.0], "y[0] = 2 at a rate of -1"),
        ([0.0, 1.0], [2.0, 3.0], "y[0] = 2 at a rate of 0"),
        ([1.0, 0.5], [2.0, 3.0], "x[1] = 0.5 is not more than x[0] = 1"),
        ([1.0, 2.0], [3.0, 2.0], "y[1] = 2 is less than y[0] = 3"),
        ([1.0, f64::NAN], [3.0, 4.0], "x"),
    ] {
        let refused = set_joint_table(&mut sim, (joint, ALONG), JointTable::Damper, [&rates, &forces]).unwrap_err();
        assert!(refused.to_string().contains(named), "{refused}");
    }
    let damper = pintle::JointMachines::of(&sim).damper(joint, ALONG).unwrap();
    assert_eq!(damper, [[1.0, 3.0], [2.0, 4.0]]);
}
