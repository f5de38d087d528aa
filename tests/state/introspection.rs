//! Getters of everything that the host has set: the model in all phases, inputs, poses before
//! initialize. And set_gravity after initialize.

use crate::common::*;
use pintle::simulation::JointInfo;
use pintle::{BodyLoad, BodyMotion, EntityKind, Error, Frame, GROUND, Id, JointKind, Phase, Simulation};
use std::path::PathBuf;
use std::sync::Arc;

/// A model with one entity of each kind, and the values that were set.
struct Told {
    poses: Vec<[f64; 7]>,
    velocities: Vec<[f64; 6]>,
    acceleration: [f64; 6],
    masses: Vec<(f64, V3, [f64; 6])>,
    gravity: V3,
    fluid: [([f64; 36], Frame); 3],
    points: [V3; 2],
    frames: [[f64; 7]; 2],
    matrices: [[f64; 36]; 2],
    marker: [f64; 7],
    axis_frames: [[f64; 7]; 2],
}

const BODIES: usize = 4;
const PRESCRIBED: Id = 3;
const REVOLUTE: Id = 0;
const CYLINDER: Id = 1;
const SCREW: Id = 2;
const DISTANCE: Id = 3;

/// The frames of joints on bodies 0 and 1 agree at their initial poses.
fn described() -> (Simulation, Told) {
    let mut dice = Random(7);
    let mut sim = Simulation::new();
    let gravity: V3 = dice.many();
    sim.settings().set_gravity(&gravity).unwrap();
    let poses: Vec<[f64; 7]> = (0..BODIES).map(|_| dice.pose()).collect();
    let masses: Vec<(f64, V3, [f64; 6])> = (0..BODIES)
        .map(|k| (1.0 + 0.37 * k as f64, dice.many(), [2.1, 2.3 + 0.1 * k as f64, 2.6, 0.11, -0.07, 0.13]))
        .collect();
    for (pose, (mass, com, inertia)) in poses.iter().zip(&masses) {
        sim.build().add_rigid_body(*mass, com, inertia, pose).unwrap();
    }
    let mut velocities = vec![[0.0; 6]; BODIES];
    velocities[PRESCRIBED as usize] = dice.many();
    sim.build().set_body_velocity(PRESCRIBED, &velocities[PRESCRIBED as usize]).unwrap();
    let acceleration = dice.many();
    sim.build().set_body_acceleration(PRESCRIBED, &acceleration).unwrap();
    sim.build().set_body_prescribed(PRESCRIBED, true).unwrap();

    // On the ground the frame is the one of the body, as the inertial axes see it.
    let on_body = dice.pose();
    let axis_frames = [compose_poses(&poses[0], &on_body), on_body];
    sim.build().add_joint(JointKind::Revolute, GROUND, 0, &axis_frames[0], &axis_frames[1]).unwrap();
    for (kind, body) in [(JointKind::Cylindrical, 1), (JointKind::Screw, 2)] {
        let (point, axis) = (dice.many(), dice.many());
        sim.build().add_joint_at(kind, GROUND, body, &point, Some(&axis)).unwrap();
    }
    sim.build().add_joint(JointKind::Distance, 0, 1, &ORIGIN, &ORIGIN).unwrap();
    sim.build().set_joint_driven(CYLINDER, true).unwrap();
    sim.build().set_joint_slide_driven(CYLINDER, true).unwrap();
    sim.build().set_joint_pitch(SCREW, 0.731).unwrap();
    sim.build().set_joint_spring(REVOLUTE, 1.23, 0.456, -0.789).unwrap();
    sim.build().set_joint_slide_spring(CYLINDER, 3.21, 0.654, 0.987).unwrap();
    sim.build().set_joint_offset(SCREW, 12.3).unwrap();

    let points = [dice.many(), dice.many()];
    sim.elements().add_spring(0, &points[0], GROUND, &points[1], 5.5, 0.51, 1.7, true).unwrap();
    let frames = [dice.pose(), dice.pose()];
    let matrices: [[f64; 36]; 2] = [dice.many(), dice.many()];
    sim.elements().add_bushing(GROUND, 2, &frames[0], &frames[1], &matrices[0], &matrices[1]).unwrap();
    let marker = dice.pose();
    sim.build().add_marker(1, &marker).unwrap();
    let fluid = [(dice.definite(), Frame::Body), (dice.many(), Frame::Inertial), (dice.many(), Frame::Body)];
    sim.settings().set_added_mass(0, &fluid[0].0, fluid[0].1).unwrap();
    sim.settings().set_linear_damping(0, &fluid[1].0, fluid[1].1).unwrap();
    sim.settings().set_quadratic_drag(0, &fluid[2].0, fluid[2].1).unwrap();
    sim.build().set_name(EntityKind::Body, 0, "hull").unwrap();
    sim.build().set_name(EntityKind::Joint, CYLINDER, "sleeve").unwrap();
    let told =
        Told { poses, velocities, acceleration, masses, gravity, fluid, points, frames, matrices, marker, axis_frames };
    (sim, told)
}

fn compose_poses(a: &[f64; 7], b: &[f64; 7]) -> [f64; 7] {
    pose(add(place(a), rotate(turn(a), place(b))), unit(quat_mul(turn(a), turn(b))))
}

/// Asserts that the description of `sim` has the values that were set, bit for bit where they are
/// not converted.
fn check_description(sim: &Simulation, told: &Told, case: &str) {
    let said = sim.description();
    assert_eq!(said.gravity(), told.gravity, "{case}");
    for (body, (mass, com, inertia)) in told.masses.iter().enumerate() {
        let j = [
            [inertia[0], inertia[3], inertia[4]],
            [inertia[3], inertia[1], inertia[5]],
            [inertia[4], inertia[5], inertia[2]],
        ];
        let expected = mass_matrix(*mass, *com, j);
        let found = said.body_mass(body as Id).unwrap();
        for (k, x) in found.iter().enumerate() {
            // Computed from mass, centre of mass and inertia: a few roundings of numbers up to 10.
            assert!((x - expected[k % 6][k / 6]).abs() < 1e-14, "{case}: body {body}, entry {k}");
        }
        let motion = said.body_initial_motion(body as Id).unwrap();
        assert_eq!(motion.pose, told.poses[body], "{case}");
        assert_eq!(motion.velocity, told.velocities[body], "{case}");
        assert_eq!(said.body_prescribed(body as Id), Ok(body as Id == PRESCRIBED), "{case}");
    }
    assert_eq!(said.body_initial_motion(PRESCRIBED).unwrap().acceleration, told.acceleration, "{case}");
    assert_eq!(said.added_mass(0), Ok(told.fluid[0]), "{case}");
    assert_eq!(said.linear_damping(0), Ok(told.fluid[1]), "{case}");
    assert_eq!(said.quadratic_drag(0), Ok(told.fluid[2]), "{case}");
    assert_eq!(said.quadratic_drag(1), Ok(([0.0; 36], Frame::Inertial)), "{case}");

    let revolute =
        JointInfo { kind: JointKind::Revolute, bodies: [GROUND, 0], frames: told.axis_frames, driven: false };
    assert_eq!(said.joint_info(REVOLUTE), Ok(revolute), "{case}");
    let sleeve = said.joint_info(CYLINDER).unwrap();
    assert_eq!((sleeve.kind, sleeve.bodies, sleeve.driven), (JointKind::Cylindrical, [GROUND, 1], true), "{case}");
    assert_eq!(said.joint_slide_driven(CYLINDER), Ok(true), "{case}");
    assert_eq!(said.joint_slide_driven(REVOLUTE), Ok(false), "{case}");
    assert_eq!(said.joint_spring(REVOLUTE), Ok([1.23, 0.456, -0.789]), "{case}");
    assert_eq!(said.joint_spring(SCREW), Ok([0.0; 3]), "{case}");
    assert_eq!(said.joint_slide_spring(CYLINDER), Ok([3.21, 0.654, 0.987]), "{case}");
    assert_eq!(said.joint_offset(SCREW), Ok(12.3), "{case}");
    assert_eq!(said.joint_pitch(SCREW), Ok(0.731), "{case}");
    let apart = norm(sub(place(&told.poses[1]), place(&told.poses[0])));
    assert!((said.joint_distance(DISTANCE).unwrap() - apart).abs() < 1e-14 * apart, "{case}");
    assert_eq!(said.joint_distance(SCREW), Ok(0.0), "{case}");

    let spring = said.spring_info(0).unwrap();
    assert_eq!((spring.bodies, spring.points), ([0, GROUND], told.points), "{case}");
    assert_eq!((spring.stiffness, spring.damping, spring.rest_length), (5.5, 0.51, 1.7), "{case}");
    assert!(spring.tension_only, "{case}");
    let bushing = said.bushing_info(0).unwrap();
    assert_eq!((bushing.bodies, bushing.frames), ([GROUND, 2], told.frames), "{case}");
    assert_eq!([bushing.stiffness, bushing.damping], told.matrices, "{case}");
    assert_eq!((bushing.preload, bushing.tables), ([0.0; 6], [[&[][..]; 2]; 6]), "{case}");
    assert_eq!(said.marker_info(0), Ok((1, told.marker)), "{case}");

    assert_eq!(said.name(EntityKind::Body, 0).unwrap(), "hull", "{case}");
    assert_eq!(said.name(EntityKind::Joint, CYLINDER).unwrap(), "sleeve", "{case}");
    assert_eq!(said.name(EntityKind::Body, 2).unwrap(), "body 2", "{case}");
    assert_eq!(said.name(EntityKind::Bushing, 0).unwrap(), "bushing 0", "{case}");
    assert!(matches!(said.name(EntityKind::Marker, 1), Err(Error::BadId { .. })), "{case}");
}

/// A model whose joints cannot hold at random poses is read, not run: the DISTANCE joint ties
/// bodies that others drive.
#[test]
fn a_description_comes_back_bit_for_bit_from_any_phase_a_clone_and_a_file() {
    let (sim, told) = described();
    check_description(&sim, &told, "BUILDING");
    check_description(&sim.clone(), &told, "a clone");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("introspection-{}.toml", std::process::id()));
    sim.save_model(&path).unwrap();
    let loaded = Simulation::load_model(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    check_description(&loaded, &told, "a model file");

    let mut run = sim.clone();
    run.initialize(0.25).unwrap();
    check_description(&run, &told, "READY");
    run.advance(1e-4).unwrap();
    check_description(&run, &told, "TRIAL");
    run.accept().unwrap();
    let saved = run.save().unwrap();
    run.step(1e-4).unwrap();
    run.restore(&saved).unwrap();
    check_description(&run, &told, "after restoring");
    run.mark_failed();
    check_description(&run, &told, "FAILED");
}

/// The inputs of a run, each with numbers of its own.
struct Inputs {
    on_body: [f64; 6],
    on_marker: [f64; 6],
    on_joint: f64,
    on_slide: f64,
    drive: [f64; 3],
    slide: [f64; 3],
    motion: ([f64; 7], [f64; 6], [f64; 6]),
}

/// A free body with a marker, one on a driven sleeve, one on a sleeve that is free, a prescribed
/// one.
fn loaded_model() -> Simulation {
    let mut sim = Simulation::new();
    let inertia = [1.1, 1.2, 1.3, 0.0, 0.0, 0.0];
    for x in [0.0, 2.0, 4.0, 6.0] {
        let turned = unit([0.9, 0.1, -0.3, 0.2]);
        sim.build().add_rigid_body(1.5, &[0.1, 0.2, -0.1], &inertia, &pose([x, 0.3, -0.7], turned)).unwrap();
    }
    sim.build().add_marker(0, &pose([0.4, -0.2, 0.1], UNROTATED)).unwrap();
    for (body, x) in [(1, 2.0), (2, 4.0)] {
        sim.build().add_joint_at(JointKind::Cylindrical, GROUND, body, &[x, 0.0, 0.0], Some(&[0.0, 0.0, 1.0])).unwrap();
    }
    sim.build().set_joint_driven(0, true).unwrap();
    sim.build().set_joint_slide_driven(0, true).unwrap();
    sim.build().set_body_prescribed(3, true).unwrap();
    sim
}

/// Inputs near those that the system has at `t`, so that steps can follow them.
fn set_inputs(sim: &mut Simulation, dice: &mut Random, t: f64) -> Inputs {
    let turned = unit([0.9, 0.1, -0.3, 0.2]);
    let inputs = Inputs {
        on_body: dice.many(),
        on_marker: dice.many(),
        on_joint: dice.signed(),
        on_slide: dice.signed(),
        drive: [0.0, 0.1 * t, 0.1],
        slide: [0.0, -0.3 * t, -0.3],
        motion: (pose([6.0 + 0.7 * t, 0.3, -0.7], turned), [0.7, 0.0, 0.0, 0.0, 0.0, 0.0], dice.many()),
    };
    sim.inputs().set_body_load(0, Frame::Body, &inputs.on_body).unwrap();
    sim.inputs().set_marker_load(0, Frame::Inertial, &inputs.on_marker).unwrap();
    sim.inputs().set_joint_load(1, inputs.on_joint).unwrap();
    sim.inputs().set_joint_slide_load(1, inputs.on_slide).unwrap();
    let [q, qd, qdd] = inputs.drive;
    sim.inputs().set_joint_motion(0, q, qd, qdd).unwrap();
    let [s, sd, sdd] = inputs.slide;
    sim.inputs().set_joint_slide_motion(0, s, sd, sdd).unwrap();
    let (at, velocity, acceleration) = &inputs.motion;
    sim.inputs().set_body_motion(3, at, velocity, acceleration).unwrap();
    inputs
}

fn check_inputs(sim: &Simulation, inputs: &Inputs, case: &str) {
    let given = sim.given();
    assert_eq!(given.body_load(0, Frame::Body), Ok(inputs.on_body), "{case}");
    assert_eq!(given.marker_load(0, Frame::Inertial), Ok(inputs.on_marker), "{case}");
    assert_eq!(given.joint_load(1), Ok(inputs.on_joint), "{case}");
    assert_eq!(given.joint_slide_load(1), Ok(inputs.on_slide), "{case}");
    assert_eq!(given.joint_motion(0), Ok(inputs.drive), "{case}");
    assert_eq!(given.joint_slide_motion(0), Ok(inputs.slide), "{case}");
    assert_eq!(given.body_motion(3), Ok(inputs.motion), "{case}");
    assert_eq!(given.body_load(1, Frame::Inertial), Ok([0.0; 6]), "{case}");

    // In the other axes it is the same wrench, turned with the body: three products and sums of
    // numbers below 1.
    let turned = turn(&sim.outputs().body_pose(0).unwrap());
    let (force, moment) = halves(inputs.on_body);
    let inertial = join(rotate(turned, force), rotate(turned, moment));
    assert_close(case, &given.body_load(0, Frame::Inertial).unwrap(), &inertial, 1e-14);
    let (force, moment) = halves(inputs.on_marker);
    let body = join(unrotate(turned, force), unrotate(turned, moment));
    assert_close(case, &given.marker_load(0, Frame::Body).unwrap(), &body, 1e-14);
    let (mut bodies, mut markers) = ([[f64::NAN; 6]; 4], [[f64::NAN; 6]; 1]);
    given.body_loads(Frame::Body, &mut bodies).unwrap();
    given.marker_loads(Frame::Inertial, &mut markers).unwrap();
    assert_eq!((bodies[0], bodies[2], markers[0]), (inputs.on_body, [0.0; 6], inputs.on_marker), "{case}");
}

#[test]
fn inputs_come_back_bit_for_bit_in_every_phase_and_with_a_saved_state() {
    let mut dice = Random(3);
    let mut sim = loaded_model();
    let first = set_inputs(&mut sim, &mut dice, 0.0);
    check_inputs(&sim, &first, "BUILDING");
    sim.initialize(0.0).unwrap();
    check_inputs(&sim, &first, "after initialize");
    let ready = set_inputs(&mut sim, &mut dice, 0.01);
    check_inputs(&sim, &ready, "READY");
    sim.advance(0.01).unwrap();
    check_inputs(&sim, &ready, "after advance");
    let trial = set_inputs(&mut sim, &mut dice, 0.01);
    check_inputs(&sim, &trial, "TRIAL");
    let saved = sim.save().unwrap();
    sim.accept().unwrap();
    check_inputs(&sim, &trial, "after accept");
    let later = set_inputs(&mut sim, &mut dice, 0.02);
    check_inputs(&sim.clone(), &later, "a clone");
    let mut fresh = loaded_model();
    set_inputs(&mut fresh, &mut Random(3), 0.0);
    fresh.initialize(0.0).unwrap();
    fresh.restore(&fresh.deserialize(&saved.to_bytes()).unwrap()).unwrap();
    assert_eq!(fresh.phase(), Phase::Trial);
    check_inputs(&fresh, &trial, "restored into a fresh system");
    sim.inputs().clear_loads().unwrap();
    assert_eq!(sim.given().body_load(0, Frame::Body), Ok([0.0; 6]));
    assert_eq!(sim.given().joint_load(1), Ok(0.0));
    assert_eq!(sim.given().joint_motion(0), Ok(later.drive));
}

#[test]
fn what_the_host_did_not_set_is_what_initialize_takes() {
    let mut sim = loaded_model();
    sim.build().set_body_velocity(3, &[0.1, 0.2, 0.3, -0.3, 0.2, 0.1]).unwrap();
    sim.build().set_body_acceleration(3, &[0.5, 0.0, 0.0, 0.0, 0.0, -0.5]).unwrap();
    let described = sim.given().body_motion(3).unwrap();
    assert_eq!(described.1, [0.1, 0.2, 0.3, -0.3, 0.2, 0.1]);
    assert!(matches!(sim.given().joint_motion(0), Err(Error::BadValue { .. })));
    assert!(matches!(sim.given().joint_motion(1), Err(Error::BadValue { .. })));
    assert!(matches!(sim.given().body_motion(0), Err(Error::BadValue { .. })));
    assert!(matches!(sim.given().joint_slide_motion(1), Err(Error::BadValue { .. })));
    sim.initialize(0.0).unwrap();
    assert_eq!(sim.given().body_motion(3), Ok(described));
    assert_eq!(sim.outputs().body_acceleration(3, Frame::Inertial), Ok(described.2));
    assert_eq!(sim.given().joint_motion(0), sim.outputs().joint_coordinate(0).map(|[q, ..]| [q, 0.0, 0.0]));
}

#[test]
fn callbacks_that_are_set_are_told() {
    let mut sim = loaded_model();
    let push = |_: &BodyMotion, _: &mut BodyLoad| Ok(());
    let given = |sim: &Simulation| (sim.given().has_load_callback(0).unwrap(), sim.given().has_progress_callback());
    assert_eq!(given(&sim), (false, false));
    sim.inputs().set_load_callback(0, Some(Arc::new(push))).unwrap();
    sim.inputs().set_progress_callback(Some(Arc::new(|_, _| 0)));
    assert_eq!(given(&sim), (true, true));
    assert_eq!(sim.given().has_load_callback(1), Ok(false));
    let id = sim.inputs().set_coupled_load_callback(&[2, 0], Some(Arc::new(|_, _| Ok(())))).unwrap();
    assert_eq!(sim.given().coupled_load_callback(id), Ok((2, true)));
    assert_eq!([0, 1].map(|k| sim.given().coupled_load_body(id, k).unwrap()), [2, 0]);
    assert!(matches!(sim.given().coupled_load_body(id, 2), Err(Error::BadValue { .. })));
    sim.initialize(0.0).unwrap();
    sim.inputs().set_coupled_load_callback(&[0, 2], None).unwrap();
    sim.inputs().set_load_callback(0, None).unwrap();
    sim.inputs().set_progress_callback(None);
    assert_eq!(sim.given().coupled_load_callback(id), Ok((2, false)));
    assert_eq!(given(&sim), (false, false));
}

#[test]
fn poses_and_velocities_can_be_read_while_the_model_is_described() {
    for shift in [0.0, 1e6] {
        let mut sim = Simulation::new();
        let at = pose([1.0 + shift, -2.0, 0.5], unit([0.8, -0.2, 0.4, 0.1]));
        let spin = [0.3, -0.2, 0.1, 1.1, -0.7, 0.4];
        let inertia = [1.1, 1.2, 1.3, 0.0, 0.0, 0.0];
        let body = sim.build().add_rigid_body(2.0, &[0.3, 0.1, -0.2], &inertia, &at).unwrap();
        sim.build().set_body_velocity(body, &spin).unwrap();
        let frame = pose([0.5, 0.25, -1.0], unit([0.5, 0.5, -0.5, 0.5]));
        let marker = sim.build().add_marker(body, &frame).unwrap();
        let moved = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &ORIGIN).unwrap();
        sim.build().set_body_prescribed(moved, true).unwrap();
        let goes = pose([shift, 3.0, 0.0], UNROTATED);
        sim.inputs().set_body_motion(moved, &goes, &spin, &[0.0; 6]).unwrap();

        assert_eq!(sim.outputs().body_pose(body), Ok(at));
        assert_eq!(sim.outputs().body_pose(moved), Ok(goes));
        assert_eq!(sim.outputs().body_velocity(body, Frame::Inertial), Ok(spin));
        assert!(matches!(sim.outputs().body_acceleration(body, Frame::Inertial), Err(Error::BadPhase { .. })));
        let (mut poses, mut velocities) = ([[0.0; 7]; 2], [[0.0; 6]; 2]);
        sim.outputs().body_poses(&mut poses).unwrap();
        sim.outputs().body_velocities(&mut velocities).unwrap();
        assert_eq!((poses, velocities), ([at, goes], [spin, spin]));
        let (mut poses, mut velocities) = ([[0.0; 7]; 1], [[0.0; 6]; 1]);
        sim.outputs().marker_poses(&mut poses).unwrap();
        sim.outputs().marker_velocities(&mut velocities).unwrap();
        assert_eq!(sim.outputs().marker_pose(marker), Ok(poses[0]));
        assert_eq!(sim.outputs().marker_velocity(marker, Frame::Inertial), Ok(velocities[0]));
        // Rigid motion: x + R s, v + omega x R s.
        let arm = rotate(turn(&at), place(&frame));
        let (v, omega) = halves(spin);
        // A unit in the last place of the position, 1.2e-10 at 1e6, and products of numbers
        // around 1.
        let rounding = 1e-15 * (10.0 + shift);
        assert_close("place", &place(&poses[0]), &add(place(&at), arm), rounding);
        assert_close("velocity", &velocities[0], &join(add(v, cross(omega, arm)), omega), 1e-14);
        let in_body = sim.outputs().marker_velocity(marker, Frame::Body).unwrap();
        assert_close("spin in body axes", &in_body[3..], &unrotate(turn(&at), omega), 1e-14);

        // The run starts there.
        let body_axes = sim.outputs().body_velocity(body, Frame::Body).unwrap();
        sim.initialize(0.0).unwrap();
        assert_close("marker", &sim.outputs().marker_pose(marker).unwrap(), &poses[0], rounding);
        assert_close(
            "velocity",
            &sim.outputs().marker_velocity(marker, Frame::Inertial).unwrap(),
            &velocities[0],
            1e-14,
        );
        assert_close("in body axes", &sim.outputs().body_velocity(body, Frame::Body).unwrap(), &body_axes, 1e-14);
    }
}

/// A hanging chain with a prescribed support, a load callback, added mass and a spring: everything
/// that depends on gravity.
fn chain(gravity: Option<V3>, scheme: &str, given_accelerations: bool) -> Simulation {
    let mut sim = Simulation::new();
    if let Some(gravity) = gravity {
        sim.settings().set_gravity(&gravity).unwrap();
    }
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_option("initial_acceleration", f64::from(u8::from(given_accelerations))).unwrap();
    let inertia = [0.3, 0.4, 0.5, 0.0, 0.0, 0.0];
    let support = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &ORIGIN).unwrap();
    sim.build().set_body_prescribed(support, true).unwrap();
    let mut last = support;
    for k in 0..3 {
        let x = k as f64 + 0.5;
        let next =
            sim.build().add_rigid_body(1.2, &[0.1, 0.0, 0.2], &inertia, &pose([x, 0.0, 0.0], UNROTATED)).unwrap();
        sim.build()
            .add_joint_at(JointKind::Revolute, last, next, &[k as f64, 0.0, 0.0], Some(&[0.0, 1.0, 0.0]))
            .unwrap();
        last = next;
    }
    sim.elements().add_spring(GROUND, &[4.0, 0.0, 1.0], last, &[0.5, 0.0, 0.0], 30.0, 0.5, 1.0, false).unwrap();
    sim.settings().set_added_mass(2, &diagonal([0.4; 6]), Frame::Body).unwrap();
    sim.build().set_body_acceleration(2, &[0.0, 0.0, -0.1, 0.0, 0.2, 0.0]).unwrap();
    let drag = |motion: &BodyMotion, load: &mut BodyLoad| {
        for k in 0..6 {
            load.wrench[k] = -0.3 * motion.velocity[k];
            load.damping[7 * k] = 0.3;
        }
        Ok(())
    };
    sim.inputs().set_load_callback(1, Some(Arc::new(drag))).unwrap();
    sim
}

const DOWN: V3 = [0.3, -0.2, -9.81];

#[test]
fn gravity_set_before_the_first_step_is_gravity_from_the_beginning() {
    for scheme in ["generalized-alpha", "newmark", "rk4", "leuler", "midpoint2"] {
        for given in [false, true] {
            let mut early = chain(Some(DOWN), scheme, given);
            early.initialize(2.0).unwrap();
            let mut late = chain(Some([0.0, 5.0, 0.0]), scheme, given);
            late.initialize(2.0).unwrap();
            let before = late.save().unwrap();
            late.settings().set_gravity(&DOWN).unwrap();
            assert_eq!(late.description().gravity(), DOWN);
            let case = format!("{scheme}, accelerations given: {given}");
            assert!(late.save().unwrap() == early.save().unwrap(), "{case}");
            assert!(matches!(late.restore(&before), Err(Error::Fingerprint { .. })), "{case}");
            for step in 0..5 {
                let dt = if scheme == "leuler" { 1e-4 } else { 0.002 };
                early.step(dt).unwrap();
                late.step(dt).unwrap();
                assert!(late.save().unwrap() == early.save().unwrap(), "{case}, step {step}");
            }
            assert_eq!(late.outputs().energy(), early.outputs().energy(), "{case}");
            // Not within a trial.
            late.advance(1e-4).unwrap();
            assert!(matches!(late.settings().set_gravity(&[0.0; 3]), Err(Error::BadPhase { .. })), "{case}");
            late.reject().unwrap();
            early.step(1e-4).unwrap();
            late.step(1e-4).unwrap();
            assert!(late.save().unwrap() == early.save().unwrap(), "{case}");
        }
    }
}

#[test]
fn gravity_set_late_reaches_linear_analysis_stable_steps_and_equilibrium() {
    // Frozen at the initial state: M, C, K and the loads there.
    let linear = |gravity: V3, late: bool| {
        let mut sim = chain(Some(if late { [1.0, 2.0, 3.0] } else { gravity }), "generalized-alpha", false);
        sim.settings().set_option("linear", 1.0).unwrap();
        sim.initialize(0.0).unwrap();
        if late {
            sim.settings().set_gravity(&gravity).unwrap();
        }
        sim.step(0.01).unwrap();
        sim.save().unwrap()
    };
    assert!(linear(DOWN, true) == linear(DOWN, false));

    let stable = |late: bool| {
        let mut sim = chain(Some(if late { [0.0; 3] } else { DOWN }), "rk4", false);
        sim.initialize(0.0).unwrap();
        sim.outputs().statistic("stable_step").unwrap();
        sim.settings().set_gravity(&DOWN).unwrap();
        sim.outputs().statistic("stable_step").unwrap()
    };
    assert_eq!(stable(true), stable(false));

    // A pendulum that hangs along gravity, wherever that points: set before, and set after another
    // equilibrium was found.
    let mut sim = Simulation::new();
    let body =
        sim.build().add_rigid_body(2.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &pose([1.0, 0.0, 0.0], UNROTATED));
    let joint = sim.build().add_joint_at(JointKind::Spherical, GROUND, body.unwrap(), &[0.0; 3], None).unwrap();
    sim.settings().set_gravity(&[0.0, -9.0, 0.0]).unwrap();
    sim.initialize(0.0).unwrap();
    for gravity in [[0.0, 0.0, -9.81], [3.0, 0.0, 4.0]] {
        sim.solve_equilibrium(100, 1e-10).unwrap();
        sim.settings().set_gravity(&gravity).unwrap();
        // It is no longer in equilibrium where it hung before.
        sim.solve_equilibrium(100, 1e-10).unwrap();
        let g = norm(gravity);
        // 1e-10 of the weight out of balance is 1e-10 rad off.
        assert_close("hangs", &place(&sim.outputs().body_pose(0).unwrap()), &scale(1.0 / g, gravity), 1e-8);
        let pull = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap();
        assert_close("reaction", &pull[..3], &scale(-2.0, gravity), 1e-7);
    }
}

#[test]
fn gravity_that_cannot_be_set_changes_nothing() {
    let mut sim = chain(Some(DOWN), "generalized-alpha", false);
    sim.initialize(0.0).unwrap();
    let before = sim.save().unwrap();
    assert!(matches!(sim.settings().set_gravity(&[0.0, f64::NAN, 0.0]), Err(Error::NotFinite { .. })));
    sim.inputs().set_load_callback(2, Some(Arc::new(|_: &BodyMotion, _: &mut BodyLoad| Err(7)))).unwrap();
    assert!(matches!(sim.settings().set_gravity(&[0.0; 3]), Err(Error::Callback { .. })));
    sim.inputs().set_load_callback(2, None).unwrap();
    assert!(sim.save().unwrap() == before);
    assert_eq!(sim.description().gravity(), DOWN);
}

#[test]
fn what_points_were_described_with_is_read_in_every_phase() {
    let (place, velocity) = ([0.3, -1.2, 5.7], [0.11, -0.7, 2.3]);
    let mut sim = Simulation::new();
    let body = sim
        .build()
        .add_rigid_body(2.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([0.0; 3], [1.0, 0.0, 0.0, 0.0]))
        .unwrap();
    let points = [(); 4].map(|()| sim.build().add_point(1.5, 0.0, &place).unwrap());
    let [free, prescribed, fixed, attached] = points;
    sim.build().set_point_prescribed(prescribed, true).unwrap();
    for point in points {
        sim.build().set_point_velocity(point, &velocity).unwrap();
    }
    sim.build().fix_point(fixed).unwrap();
    sim.build().attach_point(attached, body, &[7.0, 8.0, 9.0]).unwrap();
    let check = |sim: &Simulation| {
        let said = sim.description();
        assert_eq!(said.point_initial_motion(free), Ok([place, velocity]));
        assert_eq!(said.point_initial_motion(prescribed), Ok([place, velocity]));
        assert_eq!(said.point_initial_motion(fixed), Ok([place, [0.0; 3]]));
        assert_eq!(said.point_initial_motion(attached), Ok([[7.0, 8.0, 9.0], [0.0; 3]]));
        assert!(said.point_initial_motion(4).is_err() && said.point_initial_motion(-1).is_err());
    };
    check(&sim);
    sim.initialize(0.0).unwrap();
    check(&sim);
    sim.advance(0.1).unwrap();
    check(&sim);
    sim.accept().unwrap();
    check(&sim);
    sim.mark_failed();
    check(&sim);
}

/// Functions whose getter has another name than `get_` in place of `set_`.
const OTHERWISE: [(&str, &str); 47] = [
    ("pintle_add_body", "pintle_get_body_mass"),
    ("pintle_add_rigid_body", "pintle_get_body_mass"),
    ("pintle_add_joint", "pintle_get_joint_info"),
    ("pintle_add_joint_at", "pintle_get_joint_info"),
    ("pintle_add_spring", "pintle_get_spring_info"),
    ("pintle_set_spring", "pintle_get_spring_info"),
    ("pintle_add_bushing", "pintle_get_bushing_info"),
    ("pintle_add_cylinder", "pintle_get_cylinder_info"),
    ("pintle_add_beam", "pintle_get_beam_info"),
    ("pintle_set_beam_lumped", "pintle_get_beam_info"),
    ("pintle_add_beam_station", "pintle_get_beam_station"),
    ("pintle_add_uniform_beam", "pintle_get_beam_station"),
    ("pintle_add_beam_node", "pintle_beam_body"),
    ("pintle_add_beam_load", "pintle_get_beam_load"),
    ("pintle_add_contact_plane", "pintle_get_contact_info"),
    ("pintle_add_tendon", "pintle_get_tendon_info"),
    ("pintle_add_shape", "pintle_get_shape_info"),
    ("pintle_add_contact_spheres", "pintle_get_contact_info"),
    ("pintle_add_marker", "pintle_get_marker_info"),
    ("pintle_add_gear", "pintle_get_gear_info"),
    ("pintle_add_coupling", "pintle_get_coupling"),
    ("pintle_add_clutch", "pintle_get_clutch_info"),
    ("pintle_add_joint_damper_point", "pintle_get_joint_damper_point"),
    ("pintle_add_joint_spring_point", "pintle_get_joint_spring_point"),
    ("pintle_set_joint_table", "pintle_get_joint_spring_point"),
    ("pintle_add_point", "pintle_get_point_info"),
    ("pintle_add_point_spring", "pintle_get_spring_points"),
    ("pintle_set_point_prescribed", "pintle_get_point_info"),
    ("pintle_set_point_motion", "pintle_get_point_motion_input"),
    ("pintle_add_line_type", "pintle_get_line_type_info"),
    ("pintle_add_line", "pintle_get_line_info"),
    ("pintle_set_line_coordinates", "pintle_get_line_positions"),
    ("pintle_set_point_coordinates", "pintle_get_point_position"),
    ("pintle_set_irregular_waves", "pintle_get_waves"),
    ("pintle_set_wave_spectrum", "pintle_get_waves"),
    ("pintle_set_wave_record", "pintle_get_waves"),
    ("pintle_set_line_length", "pintle_get_line_length_input"),
    ("pintle_add_moordyn_channel", "pintle_channel_name"),
    ("pintle_mark_discontinuity", "pintle_get_discontinuity"),
    // The short names are those of outputs.
    ("pintle_set_body_velocity", "pintle_get_body_initial_motion"),
    ("pintle_set_body_velocity_in", "pintle_get_body_initial_motion"),
    ("pintle_set_body_acceleration", "pintle_get_body_initial_motion"),
    ("pintle_set_point_velocity", "pintle_get_point_initial_motion"),
    ("pintle_set_body_motion", "pintle_get_body_motion_input"),
    ("pintle_set_joint_motion", "pintle_get_joint_motion_input"),
    ("pintle_set_joint_slide_motion", "pintle_get_joint_slide_motion_input"),
    ("pintle_set_coordinates", "pintle_get_coordinates"),
];

#[test]
fn every_function_that_sets_or_adds_has_one_that_reads_it_back() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/include/pintle.h");
    let header = std::fs::read_to_string(path).unwrap();
    let names: Vec<&str> = header
        .lines()
        .filter_map(|line| line.strip_prefix("int32_t ")?.split_once('('))
        .map(|(name, _)| name)
        .collect();
    let setters: Vec<&&str> = names
        .iter()
        .filter(|name| ["pintle_set_", "pintle_add_", "pintle_mark_"].iter().any(|start| name.starts_with(start)))
        .collect();
    assert!(setters.len() > 30, "the header was read: {setters:?}");
    for setter in setters {
        let otherwise = OTHERWISE.iter().find(|(name, _)| name == setter).map(|(_, getter)| (*getter).to_owned());
        let getter = otherwise.unwrap_or_else(|| setter.replacen("_set_", "_get_", 1));
        assert!(getter != **setter && names.contains(&getter.as_str()), "{setter} is read back by {getter}");
    }
}
