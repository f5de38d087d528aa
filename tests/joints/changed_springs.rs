//! Springs on joints that the host changes during a run.

use crate::common::*;
use pintle::{Error, GROUND, Id, JointKind, Simulation};

pub const SCHEMES: [(&str, i32); 8] = [
    ("generalized-alpha", 2),
    ("momentum-alpha", 2),
    ("newmark", 2),
    ("hht", 2),
    ("heun", 2),
    ("rk4", 4),
    ("ab3", 3),
    ("lab3", 3),
];

pub const MASS: f64 = 2.0;

/// Springs before and after the change: stiffness, damping, rest.
pub const BEFORE: [f64; 3] = [18.0, 0.4, 0.1];
pub const AFTER: [f64; 3] = [50.0, 2.0, -0.2];

/// A mass on a slide, pulled out by 0.5 m.
fn oscillator(scheme: &str, spring: [f64; 3]) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    let inertia = [0.5, 0.5, 0.5, 0.0, 0.0, 0.0];
    let at = pose([0.5, 0.0, 0.0], UNROTATED);
    let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &inertia, &at).unwrap();
    let joint = sim.build().add_joint(JointKind::Prismatic, GROUND, body, &frame([0.0; 3]), &frame([0.0; 3])).unwrap();
    set(&mut sim, joint, spring);
    sim.initialize(0.0).unwrap();
    (sim, joint)
}

/// A frame whose z is the inertial x.
pub fn frame(x: V3) -> [f64; 7] {
    pose(x, quat_exp([0.0, std::f64::consts::FRAC_PI_2, 0.0]))
}

fn set(sim: &mut Simulation, joint: Id, [stiffness, damping, rest]: [f64; 3]) {
    sim.build().set_joint_spring(joint, stiffness, damping, rest).unwrap();
}

pub fn motion(sim: &Simulation, joint: Id) -> [f64; 2] {
    let [q, qdot, _] = sim.outputs().joint_coordinate(joint).unwrap();
    [q, qdot]
}

/// Place and rate of the damped oscillator after a time.
pub fn exact([k, c, rest]: [f64; 3], [q, v]: [f64; 2], t: f64) -> [f64; 2] {
    let (decay, x) = (0.5 * c / MASS, q - rest);
    let w = (k / MASS - decay * decay).sqrt();
    let (cos, sin, shrink) = ((w * t).cos(), (w * t).sin(), (-decay * t).exp());
    let b = (v + decay * x) / w;
    [rest + shrink * (x * cos + b * sin), shrink * ((b * w - decay * x) * cos - (x * w + decay * b) * sin)]
}

/// Error at 2 s, with the change at 1 s.
fn error(scheme: &str, steps: usize) -> f64 {
    let (mut sim, joint) = oscillator(scheme, BEFORE);
    let h = 1.0 / steps as f64;
    (0..steps).for_each(|_| sim.step(h).unwrap());
    set(&mut sim, joint, AFTER);
    (0..steps).for_each(|_| sim.step(h).unwrap());
    let expected = exact(AFTER, exact(BEFORE, [0.5, 0.0], 1.0), 1.0);
    let reached = motion(&sim, joint);
    (reached[0] - expected[0]).hypot((reached[1] - expected[1]) / 5.0)
}

/// The error of a scheme with a change, by its steps per second, is small and of its order.
pub fn check_order((scheme, order): (&str, i32), error: impl Fn(&str, usize) -> f64) {
    let [coarse, fine] = [100, 200].map(|steps| error(scheme, steps));
    // 5 rad/s at 10 ms: h^p w^p/12 per radian over ten radians, and its next term.
    assert!(coarse < 2.0 * (0.05f64).powi(order), "{scheme}: {coarse}");
    let found = (coarse / fine).log2();
    assert!((found - f64::from(order)).abs() < 0.35, "{scheme}: order {found} from {coarse} and {fine}");
}

#[test]
fn a_changed_spring_acts_from_the_accepted_time_on_and_keeps_the_order() {
    SCHEMES.into_iter().for_each(|scheme| check_order(scheme, error));
}

#[test]
fn springs_belong_to_the_state() {
    for scheme in ["generalized-alpha", "rk4", "lab3"] {
        let (mut sim, joint) = oscillator(scheme, BEFORE);
        (0..50).for_each(|_| sim.step(0.01).unwrap());
        let early = sim.save().unwrap();
        set(&mut sim, joint, AFTER);
        let late = sim.save().unwrap();
        let mut bytes = vec![0; late.serialized_len()];
        late.serialize_into(&mut bytes).unwrap();
        let run = |sim: &mut Simulation| {
            (0..50).for_each(|_| sim.step(0.01).unwrap());
            (sim.description().joint_spring(joint).unwrap(), motion(sim, joint))
        };
        let mut clone = sim.clone();
        let expected = run(&mut sim);
        assert_eq!(expected.0, AFTER);
        assert_eq!(run(&mut clone), expected, "{scheme}: a clone");
        let (mut fresh, _) = oscillator(scheme, BEFORE);
        fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
        assert_eq!(run(&mut fresh), expected, "{scheme}: from bytes in a fresh object");
        // Back to before the change, in an object that has changed.
        fresh.restore(&early).unwrap();
        let (mut unchanged, _) = oscillator(scheme, BEFORE);
        unchanged.restore(&early).unwrap();
        let back = run(&mut fresh);
        assert_eq!(back, run(&mut unchanged), "{scheme}: an early state");
        assert_eq!(back.0, BEFORE);
    }
}

/// The estimate of stable steps follows: a mass on a spring is stable up to 2 sqrt(2)/w with rk4,
/// of which `cfl` is half.
#[test]
fn explicit_steps_follow_the_stiffness() {
    let (mut sim, joint) = oscillator("rk4", [18.0, 0.0, 0.0]);
    let stable = |sim: &Simulation| sim.outputs().statistic("stable_step").unwrap();
    let before = stable(&sim);
    set(&mut sim, joint, [1800.0, 0.0, 0.0]);
    assert!((before / stable(&sim) / 10.0 - 1.0).abs() < 0.01, "{before} {}", stable(&sim));
    (0..100).for_each(|_| sim.step(1.0).unwrap());
    assert!(motion(&sim, joint)[0].abs() < 1.0);
}

#[test]
fn what_was_not_described_cannot_be_changed() {
    let (mut sim, joint) = oscillator("generalized-alpha", BEFORE);
    sim.advance(0.01).unwrap();
    assert!(matches!(sim.build().set_joint_spring(joint, 1.0, 0.0, 0.0), Err(Error::BadPhase { .. })));
    sim.accept().unwrap();
    assert!(sim.build().set_joint_spring(joint, -1.0, 0.0, 0.0).is_err());
    assert_eq!(sim.description().joint_spring(joint).unwrap(), BEFORE);
    let mut bare = Simulation::new();
    let body = bare
        .build()
        .add_rigid_body(MASS, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([0.0; 3], UNROTATED))
        .unwrap();
    let joint =
        bare.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
    bare.initialize(0.0).unwrap();
    let text = bare.build().set_joint_spring(joint, 1.0, 0.0, 0.0).unwrap_err().to_string();
    assert!(text.contains("joint 0 has no spring there"), "{text}");
}
