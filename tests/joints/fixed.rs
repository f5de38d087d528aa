//! FIXED joints: two bodies as one, redundant FIXED joints, bodies without inertia or mass.

use crate::common::*;
use pintle::{Frame, Id, JointKind, Simulation};

const GRAVITY: V3 = [0.0, 0.0, -9.81];
const M1: f64 = 2.0;
const M2: f64 = 0.8;
const J1: V3 = [0.4, 0.5, 0.7];
const START: V3 = [0.0, 0.0, 5.0];
const VELOCITY: V3 = [0.6, -0.2, 3.0];
const OMEGA: V3 = [1.1, -0.8, 0.9];
/// Reference point of the second body seen from the first's centre of mass (inertial axes at the
/// start), and its turn.
const OFFSET: V3 = [0.7, 0.4, -0.3];
const COM2: V3 = [0.1, 0.05, -0.2];

fn turn2() -> Quat {
    unit([0.7, 0.4, -0.2, 0.5])
}

struct Pair {
    mass2: f64,
    inertia2: V3,
    /// points of the FIXED joints, from the first body's centre of mass
    joints: Vec<V3>,
}

impl Pair {
    fn build(&self) -> (Simulation, Id, Id, Vec<Id>) {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&GRAVITY).unwrap();
        for (key, value) in [("rho_inf", 0.9), ("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)] {
            sim.settings().set_option(key, value).unwrap();
        }
        let one = sim.build().add_rigid_body(M1, &[0.0; 3], &six(&diag(J1)), &pose(START, UNROTATED)).unwrap();
        let com2 = if self.mass2 == 0.0 { [0.0; 3] } else { COM2 };
        let at = add(START, OFFSET);
        let two =
            sim.build().add_rigid_body(self.mass2, &com2, &six(&diag(self.inertia2)), &pose(at, turn2())).unwrap();
        sim.build().set_body_velocity(one, &join(VELOCITY, OMEGA)).unwrap();
        sim.build().set_body_velocity(two, &join(add(VELOCITY, cross(OMEGA, OFFSET)), OMEGA)).unwrap();
        let joints = self
            .joints
            .iter()
            .map(|p| sim.build().add_joint_at(JointKind::Fixed, one, two, &add(START, *p), None).unwrap())
            .collect();
        sim.initialize(0.0).unwrap();
        (sim, one, two, joints)
    }

    /// 6x6 mass of both about the first body's centre of mass, in its axes (parallel to the
    /// inertial ones at the start).
    fn mass(&self) -> M6 {
        let com = add(OFFSET, rotate(turn2(), COM2));
        let two = mass_matrix(self.mass2, com, to_body(conjugate(turn2()), &diag(self.inertia2)));
        let mut sum = mass_matrix(M1, [0.0; 3], diag(J1));
        for (row, other) in sum.iter_mut().zip(two) {
            for (x, y) in row.iter_mut().zip(other) {
                *x += y;
            }
        }
        sum
    }

    fn rate(&self, y: &[f64], dy: &mut [f64]) {
        let q = orientation(y);
        let com = add(OFFSET, rotate(turn2(), COM2));
        let (f1, f2) = (unrotate(q, scale(M1, GRAVITY)), unrotate(q, scale(self.mass2, GRAVITY)));
        kirchhoff_rate(&self.mass(), y, join(add(f1, f2), cross(com, f2)), dy);
    }

    /// RK4 of the one rigid body: 1.25e-3 at 1.7 rad/s, error (2e-3)^4 = 2e-11.
    fn exact(&self) -> Vec<Vec<f64>> {
        let y0 = body_state(&pose(START, UNROTATED), &join(VELOCITY, OMEGA));
        rk4_samples(|_t, y, dy| self.rate(y, dy), &y0, 2.5e-3, 600, 2)
    }

    /// What must act on the second body about the first body's centre of mass, in the inertial
    /// frame: with (p, l) its momentum in the first body's axes, f = p' + w x p - weight, t = l' +
    /// w x l + v x p - com x weight.
    fn exact_wrench(&self, y: &[f64]) -> [f64; 6] {
        let com = add(OFFSET, rotate(turn2(), COM2));
        let two = mass_matrix(self.mass2, com, to_body(conjugate(turn2()), &diag(self.inertia2)));
        let mut dy = [0.0; BODY];
        self.rate(y, &mut dy);
        let (v, w, q) = (linear(y), angular(y), orientation(y));
        let (p, l) = halves(mul6(&two, &join(v, w)));
        let (dp, dl) = halves(mul6(&two, &join(linear(&dy), angular(&dy))));
        let weight = unrotate(q, scale(self.mass2, GRAVITY));
        let force = sub(add(dp, cross(w, p)), weight);
        let moment = sub(add(add(dl, cross(w, l)), cross(v, p)), cross(com, weight));
        join(rotate(q, force), rotate(q, moment))
    }

    fn errors(&self, exact: &[Vec<f64>], dt: f64, stride: usize) -> f64 {
        let (mut sim, one, two, _) = self.build();
        let mut worst = 0.0f64;
        for n in 1..=600 / stride {
            sim.step(dt).unwrap_or_else(|e| panic!("step {n} at {dt}: {e}"));
            let y = &exact[n * stride];
            let (p1, p2) = (sim.outputs().body_pose(one).unwrap(), sim.outputs().body_pose(two).unwrap());
            let q = orientation(y);
            worst = worst.max(distance(place(&p1), position(y))).max(quat_error(turn(&p1), q));
            worst = worst.max(distance(place(&p2), add(position(y), rotate(q, OFFSET))));
            worst = worst.max(quat_error(turn(&p2), quat_mul(q, turn2())));
            // rigid with each other at every step, not only in the limit
            let relative = quat_mul(conjugate(turn(&p1)), turn(&p2));
            assert!(quat_error(relative, turn2()) < 1e-12, "turned against each other: {relative:?}");
            let gap = sub(unrotate(turn(&p1), sub(place(&p2), place(&p1))), OFFSET);
            assert!(norm(gap) < 1e-12, "moved against each other: {gap:?}");
        }
        worst
    }
}

const STEPS: [(f64, usize); 4] = [(0.02, 8), (0.01, 4), (5e-3, 2), (2.5e-3, 1)];

fn assert_moves_as_one(claim: &str, pair: &Pair) {
    let exact = pair.exact();
    let table: Vec<(f64, f64)> = STEPS.iter().map(|(dt, stride)| (*dt, pair.errors(&exact, *dt, *stride))).collect();
    assert_order(claim, &table, 2.0, 0.1);
}

/// Sum of the reactions of all joints on the second body, about the first body's centre of mass.
fn sum_of_reactions(sim: &Simulation, one: Id, joints: &[Id], points: &[V3]) -> [f64; 6] {
    let q = turn(&sim.outputs().body_pose(one).unwrap());
    let mut sum = [0.0; 6];
    for (joint, point) in joints.iter().zip(points) {
        let (f, m) = halves(sim.outputs().joint_reaction(*joint, Frame::Inertial).unwrap());
        let about = add(m, cross(rotate(q, *point), f));
        for (s, x) in sum.iter_mut().zip(join(f, about)) {
            *s += x;
        }
    }
    sum
}

#[test]
fn two_fixed_bodies_move_as_one_rigid_body() {
    let pair = Pair { mass2: M2, inertia2: [0.1, 0.15, 0.12], joints: vec![[0.3, 0.2, -0.1]] };
    assert_moves_as_one("fixed pair", &pair);
    let (sim, ..) = pair.build();
    assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 0.0);
    assert_eq!(sim.outputs().statistic("constraints").unwrap(), 6.0);
}

#[test]
fn body_without_inertia_can_be_fixed_to_another() {
    // a point mass beside its own reference point, and a body of no mass at all (a frame that only
    // carries points)
    assert_moves_as_one("point mass", &Pair { mass2: M2, inertia2: [0.0; 3], joints: vec![[0.3, 0.2, -0.1]] });
    assert_moves_as_one("no mass", &Pair { mass2: 0.0, inertia2: [0.0; 3], joints: vec![[0.3, 0.2, -0.1]] });
}

#[test]
fn redundant_fixation_is_counted_and_does_not_change_the_motion() {
    let points = vec![[0.3, 0.2, -0.1], [0.5, -0.3, 0.2]];
    let twice = Pair { mass2: M2, inertia2: [0.1, 0.15, 0.12], joints: points.clone() };
    let once = Pair { mass2: M2, inertia2: [0.1, 0.15, 0.12], joints: points[..1].to_vec() };
    let (mut sim, one, two, joints) = twice.build();
    assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 6.0);
    assert_moves_as_one("fixed twice", &twice);
    let (mut single, one_single, two_single, joint_single) = once.build();
    for n in 0..200 {
        sim.step(5e-3).unwrap();
        single.step(5e-3).unwrap();
        // the same discrete motion: the constraints span the same space; iteration tolerance 1e-10,
        // last update quadratic
        for (a, b) in [(one, one_single), (two, two_single)] {
            assert_close(
                &format!("step {n}"),
                &sim.outputs().body_pose(a).unwrap(),
                &single.outputs().body_pose(b).unwrap(),
                1e-9,
            );
        }
        // the sum of the reactions is what one joint would carry; multipliers carry eps m/(beta
        // h^2) = 1e-10
        let sum = sum_of_reactions(&sim, one, &joints, &points);
        let alone = sum_of_reactions(&single, one_single, &joint_single, &points[..1]);
        assert_close(&format!("reactions, step {n}"), &sum, &alone, 1e-6);
    }
}

#[test]
fn reactions_of_fixed_joints_are_those_of_newton_and_euler() {
    let points = [[0.3, 0.2, -0.1], [0.5, -0.3, 0.2]];
    for count in [1, 2] {
        let pair = Pair { mass2: M2, inertia2: [0.1, 0.15, 0.12], joints: points[..count].to_vec() };
        let exact = pair.exact();
        let mut table = Vec::new();
        for (dt, stride) in &STEPS[..3] {
            let (mut sim, one, _, joints) = pair.build();
            let mut worst = 0.0f64;
            for n in 1..=600 / stride {
                sim.step(*dt).unwrap();
                let sum = sum_of_reactions(&sim, one, &joints, &pair.joints);
                let wrench = pair.exact_wrench(&exact[n * stride]);
                worst = (0..6).map(|i| (sum[i] - wrench[i]).abs()).fold(worst, f64::max);
            }
            table.push((*dt, worst));
        }
        assert_order(&format!("sum of {count} reactions"), &table, 2.0, 0.1);
    }
}

#[test]
fn chain_of_fixed_bodies_is_one_rigid_body_from_either_end() {
    // three bodies fixed in a row, joints given as (a, b) and as (b, a): same motion as the pair of
    // the first two plus the third
    let build = |reversed: bool| {
        let mut sim = Simulation::new();
        sim.settings().set_option("abs_tolerance", 1e-10).unwrap();
        sim.settings().set_option("rel_tolerance", 1e-10).unwrap();
        let ids: Vec<Id> = (0..3)
            .map(|k| {
                let x = [k as f64, 0.0, 0.0];
                let body = sim
                    .build()
                    .add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.2, 0.2, 0.0, 0.0, 0.0], &pose(x, UNROTATED))
                    .unwrap();
                sim.build().set_body_velocity(body, &join(cross(OMEGA, sub(x, [1.0, 0.0, 0.0])), OMEGA)).unwrap();
                body
            })
            .collect();
        for k in 0..2 {
            let (a, b) = if reversed { (ids[k + 1], ids[k]) } else { (ids[k], ids[k + 1]) };
            sim.build().add_joint_at(JointKind::Fixed, a, b, &[k as f64 + 0.5, 0.0, 0.0], None).unwrap();
        }
        sim.initialize(0.0).unwrap();
        for _ in 0..200 {
            sim.step(5e-3).unwrap();
        }
        ids.iter().map(|id| sim.outputs().body_pose(*id).unwrap()).collect::<Vec<_>>()
    };
    let (forward, backward) = (build(false), build(true));
    for (a, b) in forward.iter().zip(&backward) {
        assert_close("either way", a, b, 1e-9);
    }
    // the middle body is the centre of mass: it rests
    assert_close("centre", &place(&forward[1]), &[1.0, 0.0, 0.0], 1e-9);
    // whole inertia about it: xx 0.3, yy and zz 0.6 + 2 m 1^2 = 2.6; RK4 at 5e-3 errs by 1e-10, the
    // scheme by (1.7 h)^2/6 * 1.7 rad = 2e-5
    let mass = mass_matrix(3.0, [0.0; 3], diag([0.3, 2.6, 2.6]));
    let y0 = body_state(&pose([1.0, 0.0, 0.0], UNROTATED), &join([0.0; 3], OMEGA));
    let y = rk4_samples(|_t, y, dy| kirchhoff_rate(&mass, y, [0.0; 6], dy), &y0, 1.0, 1, 200).pop().unwrap();
    assert!(quat_error(turn(&forward[1]), orientation(&y)) < 2e-5, "{:?} {:?}", forward[1], orientation(&y));
}
