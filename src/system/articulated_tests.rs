//! Accelerations of forests by articulated elimination and by the general matrix are the same; and
//! which models are forests.

use super::*;
use crate::model::{Body, Gear, Joint, JointKind};
use crate::spatial::noise::Noise;
use crate::spatial::rotation;

const KINDS: [JointKind; 4] = [JointKind::Fixed, JointKind::Revolute, JointKind::Universal, JointKind::Spherical];

fn body(noise: &mut Noise) -> Body {
    let com: [f64; 3] = noise.vec3().into();
    let inertia = RigidInertia::from_com(1.5 + noise.number(), &com, &[1.0, 1.2, 0.9, 0.1, -0.2, 0.05]).unwrap();
    let (velocity, acceleration) = (noise.vec6(), Vec6::zeros());
    Body::new(inertia, noise.pose(), velocity, acceleration)
}

/// A joint between two bodies where they are, at a random place with a random axis.
fn joint(kind: JointKind, ends: [Option<usize>; 2], bodies: &[Body], noise: &mut Noise) -> Joint {
    let mut joint = joint_at(kind, ends, bodies, noise.pose());
    if kind == JointKind::Universal {
        // Turned about its second axis, which leaves it assembled.
        joint.frame_b.rotation *= rotation::exp(&(Vec3::y() * noise.number()));
    }
    joint
}

/// The same with given axes.
fn joint_at(kind: JointKind, ends: [Option<usize>; 2], bodies: &[Body], place: Pose) -> Joint {
    let frame = |end: Option<usize>| {
        let pose = end.map(|end| bodies[end].pose);
        pose.map_or(place, |Pose { position, rotation }| {
            let back = rotation.inverse();
            Pose { position: back * (place.position - position), rotation: back * place.rotation }
        })
    };
    let frames = ends.map(frame);
    Joint::new(kind, ends[0], ends[1], frames[0], frames[1])
}

/// A forest of `count` bodies: each hangs on the ground, on an earlier body, of which the first may
/// be prescribed, or on nothing. Joints of all kinds, in both orders of their bodies, in random
/// order.
fn forest(count: usize, noise: &mut Noise) -> Model {
    let mut model = Model::default();
    model.bodies.extend((0..count).map(|_| body(noise)));
    model.bodies[0].prescribed = noise.number() > 0.0;
    for own in 0..count {
        let pick = (noise.number() + 1.0) * 0.5 * (own + 2) as f64;
        let other = (pick as usize).checked_sub(2);
        if pick < 1.0 || (model.bodies[own].prescribed) {
            continue;
        }
        let kind = KINDS[((noise.number() + 1.0) * 2.0) as usize % 4];
        let ends = if noise.number() > 0.0 { [other, Some(own)] } else { [Some(own), other] };
        let joint = joint(kind, ends, &model.bodies, noise);
        model.joints.push(joint);
        let (last, place) = (model.joints.len() - 1, noise.number());
        model.joints.swap(last, ((place + 1.0) * 0.5 * last as f64) as usize);
    }
    model
}

/// `(x, lambda)` for a right-hand side: by links, and by the matrix. None where the model is no
/// forest.
fn both_ways(model: &Model, right: impl FnMut() -> f64) -> Option<[Vec<f64>; 2]> {
    let system = System::new(model);
    let mut workspace = Workspace::new(&system);
    system.move_to(&system.initial_state(model), &mut workspace);
    let n = system.dofs() + system.multipliers();
    let mut right: Vec<f64> = std::iter::repeat_with(right).take(n).collect();
    for body in system.nodes().imposed() {
        right[6 * body..6 * body + 6].fill(0.0);
    }
    let c = 0.5;
    let links = workspace.articulated.as_mut()?;
    assert!(links.factorize(&system.inertias, &workspace.motions, c));
    let mut by_links = right.clone();
    links.solve(system.dofs(), &mut by_links, true);

    let loads = Loads {
        bodies: vec![crate::model::Load::NONE; model.bodies.len()],
        joints: vec![crate::model::JointLoad::NONE; model.joints.len()],
        slides: vec![crate::model::JointLoad::NONE; model.joints.len()],
        motions: vec![None; model.bodies.len()],
        ..Loads::default()
    };
    let hydrodynamics = vec![Hydrodynamics::default(); model.bodies.len()];
    let (water, callbacks, progress) = (&Water::default(), Callbacks::nobody(), Progress::none());
    let environment =
        Environment { time: 0.0, loads: &loads, hydrodynamics: &hydrodynamics, water, callbacks, progress, form: None };
    let coefficients = Coefficients { mass: c, damping: 0.0, stiffness: 0.0 };
    let lambda = vec![0.0; system.multipliers()];
    system.assemble(&environment, Level::Acceleration, coefficients, &lambda, &mut workspace).unwrap();
    workspace.matrix.factorize().unwrap();
    workspace.matrix.solve(&mut right);
    Some([by_links, right])
}

#[test]
fn links_give_what_the_matrix_gives() {
    let mut noise = Noise(5);
    let mut joints = 0;
    for count in (1..=12).cycle().take(600) {
        let model = forest(count, &mut noise);
        joints += model.joints.len();
        let [by_links, by_matrix] = both_ways(&model, || noise.number()).expect("a forest");
        let size = by_matrix.iter().fold(1.0f64, |size, x| size.max(x.abs()));
        for (k, (x, y)) in by_links.iter().zip(&by_matrix).enumerate() {
            // Rounding of some hundred operations, enlarged by the condition of up to twelve bodies
            // that hang on each other: the matrix itself leaves up to some 1e-13 of the largest
            // number.
            assert!((x - y).abs() <= 1e-11 * size, "{count} bodies, number {k}: {x} by links, {y} by the matrix");
        }
    }
    assert!(joints > 1000);
}

/// A chain of rods of length 1 from the ground on, each turned by up to `bend` rad against a
/// straight line.
fn chain(kind: JointKind, count: usize, bend: f64, noise: &mut Noise) -> Model {
    let mut model = Model::default();
    let mut end = Vec3::zeros();
    for own in 0..count {
        let rotation = rotation::exp(&(noise.vec3() * bend));
        let half = rotation * Vec3::x() * 0.5;
        let inertia = RigidInertia::from_com(1.0, &[0.0; 3], &[0.01, 0.02, 0.02, 0.0, 0.0, 0.0]).unwrap();
        let (velocity, acceleration) = (Vec6::zeros(), Vec6::zeros());
        let pose = Pose { position: end + half, rotation };
        model.bodies.push(Body::new(inertia, pose, velocity, acceleration));
        let place = Pose { position: end, rotation: rotation::exp(&(noise.vec3() * 1.5)) };
        model.joints.push(joint_at(kind, [own.checked_sub(1), Some(own)], &model.bodies, place));
        end += half * 2.0;
    }
    model
}

#[test]
fn long_chains_keep_their_digits() {
    let mut noise = Noise(7);
    for kind in KINDS {
        for bend in [0.0, 1e-3, 1.0] {
            for count in [100, 1000] {
                let model = chain(kind, count, bend, &mut noise);
                let [by_links, by_matrix] = both_ways(&model, || noise.number()).expect("a forest");
                let size = by_matrix.iter().fold(1.0f64, |size, x| size.max(x.abs()));
                let off = by_links.iter().zip(&by_matrix).fold(0.0f64, |off, (x, y)| off.max((x - y).abs()));
                // Each of n links rounds once, and acts on the first one by an arm of up to n
                // lengths. Errors that grew from link to link would be as large as the numbers
                // themselves after some sixty of them.
                let rounding = 10.0 * f64::EPSILON * (count * count) as f64;
                assert!(off <= rounding * size, "{kind:?} {bend} {count}: off by {off:e}, numbers up to {size:e}");
            }
        }
    }
}

#[test]
fn loops_gears_and_other_joints_are_no_forests() {
    let is_forest = |model: &Model| System::new(model).links.is_some();
    let mut noise = Noise(11);
    let chain = |kinds: [JointKind; 2], noise: &mut Noise| {
        let mut model = Model::default();
        model.bodies.extend((0..2).map(|_| body(noise)));
        for (k, kind) in kinds.into_iter().enumerate() {
            let joint = joint(kind, [k.checked_sub(1), Some(k)], &model.bodies, noise);
            model.joints.push(joint);
        }
        model
    };
    let revolute = [JointKind::Revolute; 2];
    assert!(is_forest(&chain(revolute, &mut noise)));
    assert!(!is_forest(&chain([JointKind::Revolute, JointKind::Prismatic], &mut noise)));

    let mut driven = chain(revolute, &mut noise);
    driven.joints[1].driven = true;
    assert!(!is_forest(&driven));

    let mut closed = chain(revolute, &mut noise);
    let joint = joint(JointKind::Spherical, [Some(1), None], &closed.bodies, &mut noise);
    closed.joints.push(joint);
    assert!(!is_forest(&closed));

    let mut geared = chain(revolute, &mut noise);
    geared.gears.push(Gear::of_two([0, 1], 2.0));
    assert!(!is_forest(&geared));

    let mut uneven = chain(revolute, &mut noise);
    uneven.bodies[1].inertia.mass *= 1e5;
    assert!(!is_forest(&uneven));
}

#[test]
fn what_has_no_pivot_is_left_to_the_matrix() {
    // A rod without thickness, which a ball joint at its end lets turn about its own axis.
    let inertia = RigidInertia::from_com(1.0, &[1.0, 0.0, 0.0], &[0.0, 0.3, 0.3, 0.0, 0.0, 0.0]).unwrap();
    let mut noise = Noise(3);
    let rod = Body { inertia, pose: Pose { position: Vec3::zeros(), ..noise.pose() }, ..body(&mut noise) };
    let mut model = Model { bodies: vec![rod], ..Model::default() };
    model.joints.push(Joint::new(JointKind::Spherical, None, Some(0), Pose::identity(), Pose::identity()));
    let system = System::new(&model);
    let mut workspace = Workspace::new(&system);
    system.move_to(&system.initial_state(&model), &mut workspace);
    let links = workspace.articulated.as_mut().expect("a forest");
    assert!(!links.factorize(&system.inertias, &workspace.motions, 1.0));
}
