//! The two ways to multipliers of least norm agree: the walk round a single loop, and least squares
//! over all of its rows.

use super::sharing::Loop;
use super::*;
use crate::model::{Body, Joint, JointKind};
use crate::spatial::noise::Noise;
use crate::spatial::rotation;

/// A loop of `n` bodies at random poses through the ground (or without it, then joint 0 joins the
/// first and the last), its joints of `kinds` in turn with parallel z axes.
fn ring(n: usize, kinds: &[JointKind], through_ground: bool, noise: &mut Noise) -> (Model, State) {
    let mut model = Model::default();
    let mut bodies = Vec::new();
    let axes = rotation::exp(&(noise.vec3() * 2.0));
    for _ in 0..n {
        let inertia = RigidInertia::from_com(1.3, &[0.0; 3], &[1.0, 1.2, 0.9, 0.1, -0.2, 0.05]).unwrap();
        let pose = Pose { position: noise.vec3() * n as f64, rotation: rotation::exp(&(noise.vec3() * 1.5)) };
        let (velocity, acceleration) = (Vec6::zeros(), Vec6::zeros());
        model.bodies.push(Body::new(inertia, pose, velocity, acceleration));
        bodies.push(BodyState { x: pose.position, q: pose.rotation, v: Vec6::zeros(), vdot: Vec6::zeros() });
    }
    let joints = if through_ground { n + 1 } else { n };
    for k in 0..joints {
        let ends = match (through_ground, k) {
            (true, _) => [k.checked_sub(1), (k < n).then_some(k)],
            (false, k) => [Some(k), Some((k + 1) % n)],
        };
        // Any direction round the loop, and any order of creation.
        let ends = if noise.number() > 0.0 { ends } else { [ends[1], ends[0]] };
        let turn = rotation::exp(&(Vec3::z() * noise.number()));
        let place = Pose { position: noise.vec3() * n as f64, rotation: axes * turn };
        let frame = |end: Option<usize>| match end {
            Some(body) => {
                let pose = &model.bodies[body].pose;
                let back = pose.rotation.inverse();
                Pose { position: back * (place.position - pose.position), rotation: back * place.rotation }
            }
            None => place,
        };
        let joint = Joint::new(kinds[k % kinds.len()], ends[0], ends[1], frame(ends[0]), frame(ends[1]));
        model.joints.push(joint);
    }
    let count = model.joints.len();
    for k in (1..count).rev() {
        let other = ((noise.number() + 1.0) * 0.5 * (k + 1) as f64) as usize;
        model.joints.swap(k, other.min(k));
    }
    let mut state = State::new(Layout::new(n, 0, 0), 0, count);
    bodies.iter().enumerate().for_each(|(node, body)| state.set_body(node, body));
    (model, state)
}

#[test]
fn a_walk_round_a_loop_finds_what_least_squares_find() {
    use JointKind::*;
    let mut noise = Noise(11);
    for (kinds, least) in [
        (&[Revolute][..], 3),
        (&[Revolute, Prismatic], 2),
        (&[Fixed], 6),
        (&[Fixed, Revolute], 3),
        (&[Cylindrical, Revolute], 2),
        (&[Planar, Revolute, Prismatic], 1),
        (&[Revolute, Spherical, Revolute, Revolute], 1),
    ] {
        for (n, through_ground) in [(1, true), (3, true), (3, false), (12, true), (40, false)] {
            let (model, mut state) = ring(n, kinds, through_ground, &mut noise);
            let system = System::new(&model);
            let [walked, mut solved] = [system.clone(), system];
            solved.loops = solved.loops.iter().map(Loop::without_ring).collect();
            let memories = [&walked, &solved].map(|system| system.joints().sharing());
            for _ in 0..3 {
                state.lambda = (0..walked.multipliers()).map(|_| noise.number()).collect();
                let claim = format!("{kinds:?}, {n} bodies, ground: {through_ground}");
                if kinds.len() == 1 {
                    assert!(walked.redundant >= least, "{claim}: {}", walked.redundant);
                }
                for joint in 0..model.joints.len() {
                    let [a, b] = [(&walked, &memories[0]), (&solved, &memories[1])]
                        .map(|(system, sharing)| system.joint_multipliers(joint, &state, sharing));
                    // Both solve to rounding times the condition of the loop's rows: 1e-16 over
                    // ALPHA, for numbers of size 1.
                    for (a, b) in a.iter().zip(&b) {
                        assert!((a - b).abs() < 1e-9, "{claim}: joint {joint}: {a} and {b}");
                    }
                }
                assert!(memories[0].was_walked(), "{claim}");
            }
        }
    }
}
