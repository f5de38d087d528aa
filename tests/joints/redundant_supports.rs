//! Bodies held at rest by redundant constraints: accepted at any position, with reactions that
//! carry the weight; and the same bodies held by inconsistent constraints: refused.

use crate::common::*;
use pintle::{Error, Frame, GROUND, Id, JointKind, Simulation};

const G: f64 = 9.81;

/// Place and unit of a model: lengths per metre, rotation, shift in metres.
struct Place {
    per_metre: f64,
    turn: Quat,
    shift: V3,
}

impl Place {
    fn upright(per_metre: f64, shift: V3) -> Place {
        Place { per_metre, turn: UNROTATED, shift }
    }

    fn direction(&self, d: V3) -> V3 {
        rotate(self.turn, d)
    }

    fn point(&self, p: V3) -> V3 {
        scale(self.per_metre, add(rotate(self.turn, p), self.shift))
    }
}

const MASS: f64 = 20.0;

/// The door's leaf: 20 kg, centre of mass 0.4 m beside the axis, which is z.
fn leaf(sim: &mut Simulation, place: &Place, gravity: V3) -> Id {
    sim.settings().set_gravity(&scale(place.per_metre, place.direction(gravity))).unwrap();
    let inertia = [1.4, 1.1, 0.35, 0.0, 0.0, 0.0].map(|j| j * place.per_metre * place.per_metre);
    let com = [0.4 * place.per_metre, 0.0, 0.0];
    sim.build().add_rigid_body(MASS, &com, &inertia, &pose(place.point([0.0; 3]), place.turn)).unwrap()
}

/// A door on hinges at heights along its axis.
fn door(place: &Place, gravity: V3, heights: &[f64]) -> (Simulation, Id, Vec<Id>) {
    let mut sim = Simulation::new();
    let body = leaf(&mut sim, place, gravity);
    let axis = place.direction([0.0, 0.0, 1.0]);
    let hinge = |z: &f64| {
        sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &place.point([0.0, 0.0, *z]), Some(&axis)).unwrap()
    };
    let hinges = heights.iter().map(hinge).collect();
    (sim, body, hinges)
}

/// A platform of 5 t on several FIXED joints.
fn platform(place: &Place, gravity: V3) -> (Simulation, Vec<Id>) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&scale(place.per_metre, place.direction(gravity))).unwrap();
    let inertia = [8e3, 9e3, 1.6e4, 0.0, 0.0, 0.0].map(|j| j * place.per_metre * place.per_metre);
    let body = sim.build().add_rigid_body(5e3, &[0.0; 3], &inertia, &pose(place.point([0.0; 3]), place.turn)).unwrap();
    let legs = [[1.7, -0.4, -0.3], [-1.1, 0.9, -0.3]];
    let add = |leg: &V3| sim.build().add_joint_at(JointKind::Fixed, GROUND, body, &place.point(*leg), None).unwrap();
    let joints = legs.iter().map(add).collect();
    (sim, joints)
}

/// Sum of what joints exert on their bodies b.
fn sum_of_forces(sim: &Simulation, joints: &[Id]) -> V3 {
    let force = |joint: &Id| halves(sim.outputs().joint_reaction(*joint, Frame::Inertial).unwrap()).0;
    joints.iter().map(force).fold([0.0; 3], add)
}

#[test]
fn door_at_rest_on_two_hinges_is_accepted_and_carried() {
    // Gravity along the axis, and across it with the leaf hanging below: both balanced. Metres, mm,
    // km; far from the origin too, where arms are rounded by 1e-10 m.
    for per_metre in [1.0, 1e3, 1e-3] {
        for shift in [[0.0; 3], [1e6, -2e6, 5e5]] {
            for gravity in [[0.0, 0.0, -G], [G, 0.0, 0.0], [0.0; 3]] {
                let place = Place::upright(per_metre, shift);
                let (mut sim, body, hinges) = door(&place, gravity, &[0.3, 1.8]);
                let case = format!("{per_metre} per metre, at {shift:?}, gravity {gravity:?}");
                sim.initialize(0.0).unwrap_or_else(|error| panic!("{case}: {error}"));
                let weight = scale(-MASS * per_metre, gravity);
                // Rounding of positions over the model's 2 m.
                let rounding = 1e-15 * (100.0 + norm(shift)) * MASS * G * per_metre;
                assert_close(&case, &sum_of_forces(&sim, &hinges), &weight, rounding);
                for _ in 0..20 {
                    sim.step(0.01).unwrap_or_else(|error| panic!("{case}: {error}"));
                }
                let moved =
                    norm(scale(1.0 / per_metre, halves(sim.outputs().body_velocity(body, Frame::Inertial).unwrap()).0));
                assert!(moved < 1e-8, "{case}: it stays at rest, but moves at {moved}");
            }
        }
    }
}

#[test]
fn hinges_share_the_overturning_moment() {
    // Gravity along the axis: the moment m g 0.4 about y is a couple of horizontal forces, and what
    // the hinges' own moments take. About the lower hinge all moments balance.
    let (mut sim, _, hinges) = door(&Place::upright(1.0, [0.0; 3]), [0.0, 0.0, -G], &[0.3, 1.8]);
    sim.initialize(0.0).unwrap();
    let [lower, upper] = [0, 1].map(|k| halves(sim.outputs().joint_reaction(hinges[k], Frame::Inertial).unwrap()));
    let about_lower = add(add(lower.1, upper.1), cross([0.0, 0.0, 1.5], upper.0));
    let of_weight = cross([0.4, 0.0, -0.3], [0.0, 0.0, -MASS * G]);
    assert_close("moments", &add(about_lower, of_weight), &[0.0; 3], 1e-12 * MASS * G);
}

#[test]
fn no_orientation_of_a_balanced_thing_is_refused() {
    let mut random = Random(7);
    for case in 0..500 {
        let per_metre = [1.0, 1e3, 1e-3][case % 3];
        // Near the origin and far from it, where arms are rounded by 1e-10 m.
        let far = if case % 2 == 0 { 0.0 } else { 1e6 };
        let shift = random.many::<3>().map(|x| x * (far + 10.0));
        let place = Place { per_metre, turn: random.turn(), shift };
        let down = rotate(random.turn(), [0.0, 0.0, -G]);
        let said = |what: &str, error: Error| panic!("case {case}, {what}, shift {shift:?}: {error}");
        let (mut sim, joints) = platform(&place, down);
        sim.initialize(0.0).unwrap_or_else(|error| said("platform", error));
        let weight = scale(-5e3 * per_metre, place.direction(down));
        // In km and mm rows of lengths and of angles differ by 1e3, and the least-norm solution
        // loses three digits.
        let rounding = 1e-15 * (1e4 + norm(shift)) * 5e3 * G * per_metre;
        assert_close("carried", &sum_of_forces(&sim, &joints), &weight, rounding);
        sim.step(0.01).unwrap_or_else(|error| said("platform", error));
        let (mut sim, _, _) = door(&place, [0.0, 0.0, -G], &[-0.9, 0.2, 1.8]);
        sim.initialize(0.0).unwrap_or_else(|error| said("door", error));
        sim.step(0.01).unwrap_or_else(|error| said("door", error));
    }
}

#[test]
fn contradictory_drives_at_rest_are_refused_with_and_without_gravity() {
    // Two hinges on one axis, driven at accelerations that differ by 1e-3 rad/s^2; alike they are
    // accepted.
    let mut random = Random(21);
    for case in 0..60 {
        let per_metre = [1.0, 1e3, 1e-3][case % 3];
        let shift = if case % 2 == 0 { [0.0; 3] } else { [1e6, 3e5, -2e6] };
        let place = Place { per_metre, turn: random.turn(), shift };
        for gravity in [[0.0; 3], [0.0, 0.0, -G], [0.0, G, 0.0]] {
            for accelerations in [[0.0, 1e-3], [1e-3, 0.0], [0.2, 0.201]] {
                for contradict in [true, false] {
                    let (mut sim, _, hinges) = door(&place, gravity, &[0.3, 1.8]);
                    for (hinge, own) in hinges.iter().zip(accelerations) {
                        sim.build().set_joint_driven(*hinge, true).unwrap();
                        let qdd = if contradict { own } else { accelerations[0] };
                        sim.inputs().set_joint_motion(*hinge, 0.0, 0.0, qdd).unwrap();
                    }
                    let outcome = sim.initialize(0.0);
                    let claim = format!("case {case}, gravity {gravity:?}, {accelerations:?}, {contradict}");
                    match (contradict, outcome) {
                        (true, Err(Error::RedundantConstraints { .. })) | (false, Ok(())) => {}
                        (_, outcome) => panic!("{claim}: {outcome:?}"),
                    }
                }
            }
        }
    }
}

#[test]
fn prescribed_body_that_accelerates_in_a_lock_is_refused() {
    // No velocities and no gravity: residuals are compared with the imposed acceleration.
    for per_metre in [1.0, 1e3, 1e-3] {
        let place = Place::upright(per_metre, [0.0; 3]);
        let (mut sim, body, _) = door(&place, [0.0; 3], &[0.3, 1.8]);
        sim.build().set_body_prescribed(body, true).unwrap();
        let acceleration = [1e-3 * per_metre, 0.0, 0.0, 0.0, 0.0, 0.0];
        sim.inputs().set_body_motion(body, &pose([0.0; 3], UNROTATED), &[0.0; 6], &acceleration).unwrap();
        let outcome = sim.initialize(0.0);
        assert!(matches!(outcome, Err(Error::RedundantConstraints { .. })), "{outcome:?}");
    }
}
