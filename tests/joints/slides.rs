//! The slide of CYLINDRICAL joints (springs, loads, drives, with a free, sprung or driven angle),
//! offsets of coordinates, and initial velocities in body axes.

use crate::common::*;
use pintle::{Error, Frame, GROUND, Id, JointKind, Simulation};

const MASS: f64 = 2.0;
const J: f64 = 0.3;
const KINDS: [&str; 9] =
    ["generalized-alpha", "momentum-alpha", "newmark", "hht", "rk4", "ab4", "aca5", "beuler3", "lab4"];

/// A body on a cylindrical joint along an oblique axis, its centre of mass on the axis.
fn sleeve(scheme: &str) -> (Simulation, Id, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    for key in ["abs_tolerance", "rel_tolerance"] {
        sim.settings().set_option(key, 1e-10).unwrap();
    }
    let turn = unit([0.8, 0.3, -0.4, 0.2]);
    let at = pose([1.0, -2.0, 0.5], turn);
    let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &[0.4, 0.4, J, 0.0, 0.0, 0.0], &at).unwrap();
    let axis = rotate(turn, [0.0, 0.0, 1.0]);
    let joint = sim.build().add_joint_at(JointKind::Cylindrical, GROUND, body, &[1.0, -2.0, 0.5], Some(&axis)).unwrap();
    (sim, body, joint)
}

#[test]
fn loads_first_set_between_steps_act_in_long_chains_as_in_a_fresh_object() {
    // The pattern of a sparse matrix is fixed in the first step: loads that act later need entries
    // in it from the start. A clone makes its own matrix in its first step, here with the loads.
    // Both do the same sums in the same order, except for terms that are zero.
    let mut sim = Simulation::new();
    let axis = [0.0, 0.0, 1.0];
    let ids: Vec<(Id, Id)> = (0..4)
        .map(|k| {
            let z = 0.5 * f64::from(k);
            let inertia = [0.4, 0.4, J, 0.0, 0.0, 0.0];
            let body = sim
                .build()
                .add_rigid_body(MASS, &[0.0; 3], &inertia, &pose([0.0, 0.0, z], [1.0, 0.0, 0.0, 0.0]))
                .unwrap();
            let to = if k == 0 { GROUND } else { body - 1 };
            (body, sim.build().add_joint_at(JointKind::Cylindrical, to, body, &[0.1, 0.0, z], Some(&axis)).unwrap())
        })
        .collect();
    sim.initialize(0.0).unwrap();
    sim.step(1e-3).unwrap();
    let mut fresh = sim.clone();
    for sim in [&mut sim, &mut fresh] {
        for (k, (_, joint)) in ids.iter().enumerate() {
            sim.inputs().set_joint_slide_load(*joint, 3.0 + k as f64).unwrap();
            sim.inputs().set_joint_load(*joint, 0.5 - k as f64).unwrap();
        }
        (0..20).for_each(|_| sim.step(1e-3).unwrap());
    }
    for (body, _) in &ids {
        let [v, expected] = [&sim, &fresh].map(|sim| sim.outputs().body_velocity(*body, Frame::Inertial).unwrap());
        assert!(expected[2].abs() > 1e-3 && expected[5].abs() > 1e-3, "{expected:?}");
        v.iter().zip(&expected).for_each(|(v, expected)| assert!((v - expected).abs() < 1e-12, "{v} {expected}"));
    }
}

#[test]
fn sprung_slide_and_angle_oscillate_on_their_own() {
    // m s'' = F - k s - c s': about F/k with w^2 = k/m, d = c/2m; and J q'' = M - kt q - ct q'
    // beside it.
    let (k, c, force, kt, moment) = (50.0, 1.2, 7.0, 4.0, 0.6);
    let decay = |t: f64, w2: f64, d: f64, at: f64| {
        let p = (w2 - d * d).sqrt();
        at * (1.0 - (-d * t).exp() * ((p * t).cos() + d / p * (p * t).sin()))
    };
    for scheme in KINDS {
        let (mut sim, _, joint) = sleeve(scheme);
        sim.build().set_joint_slide_spring(joint, k, c, 0.0).unwrap();
        sim.build().set_joint_spring(joint, kt, 0.0, 0.0).unwrap();
        sim.inputs().set_joint_slide_load(joint, force).unwrap();
        sim.inputs().set_joint_load(joint, moment).unwrap();
        sim.initialize(0.0).unwrap();
        let h = 1e-3;
        let mut worst = 0.0f64;
        for n in 1..=1000 {
            sim.step(h).unwrap();
            let t = n as f64 * h;
            let [s, ..] = sim.outputs().joint_slide(joint).unwrap();
            let [q, ..] = sim.outputs().joint_coordinate(joint).unwrap();
            worst = worst.max((s - decay(t, k / MASS, c / (2.0 * MASS), force / k)).abs());
            worst = worst.max((q - decay(t, kt / J, 0.0, moment / kt)).abs());
        }
        // Second order: (w h)^2/12 w t of the amplitude 0.15 is 3e-6; beuler is of first order with
        // w^2 h/2 t of it.
        let limit = if scheme.starts_with("beuler") { 5e-3 } else { 4e-6 };
        assert!(worst < limit, "{scheme}: off by {worst}");
        let (kinetic, potential) = sim.outputs().energy().unwrap();
        let [s, sd, _] = sim.outputs().joint_slide(joint).unwrap();
        let [q, qd, _] = sim.outputs().joint_coordinate(joint).unwrap();
        let expected = [0.5 * MASS * sd * sd + 0.5 * J * qd * qd, 0.5 * k * s * s + 0.5 * kt * q * q];
        assert_close("energy", &[kinetic, potential], &expected, 1e-12);
    }
}

/// s, sd, sdd of a smooth motion.
fn imposed(t: f64) -> [f64; 3] {
    [0.4 * (2.0 * t).sin(), 0.8 * (2.0 * t).cos(), -1.6 * (2.0 * t).sin()]
}

#[test]
fn driven_slide_leaves_the_angle_free_and_tells_its_force() {
    for scheme in KINDS {
        let (mut sim, _, joint) = sleeve(scheme);
        sim.build().set_joint_slide_driven(joint, true).unwrap();
        sim.inputs().set_joint_slide_motion(joint, 0.0, 0.8, 0.0).unwrap();
        sim.inputs().set_joint_load(joint, 0.6).unwrap();
        sim.settings().set_option("assemble", 1.0).unwrap();
        sim.initialize(0.0).unwrap();
        let h = 5e-3;
        for n in 1..=400 {
            let [s, sd, sdd] = imposed(n as f64 * h);
            sim.inputs().set_joint_slide_motion(joint, s, sd, sdd).unwrap();
            sim.step(h).unwrap();
            let found = sim.outputs().joint_slide(joint).unwrap();
            assert_close(scheme, &found[..1], &[s], 1e-9);
            // Velocities and accelerations of the implicit ones are of second order: (2 h)^2 of
            // 1.6, and a start.
            assert_close(scheme, &found[1..], &[sd, sdd], 40.0 * h * h);
        }
        // The angle turns at M/J, whatever the slide does.
        let t = 400.0 * h;
        let first_order = scheme.starts_with("beuler");
        assert_close(
            scheme,
            &sim.outputs().joint_coordinate(joint).unwrap()[..1],
            &[0.5 * 0.6 / J * t * t],
            if first_order { 0.02 } else { 1e-7 },
        );
        // The load of the drive: m sdd along the axis.
        let r = halves(sim.outputs().joint_reaction(joint, Frame::Body).unwrap()).0;
        assert_close(scheme, &r, &[0.0, 0.0, MASS * sim.outputs().joint_slide(joint).unwrap()[2]], 1e-8);
    }
}

#[test]
fn driven_angle_and_slide_hold_like_a_driven_screw() {
    // q = 3 t, s = 0.2 t: six constraints, nothing is left to move; the same motion as a screw of
    // pitch 0.2 2 pi/3. (beuler compares changes of accelerations, which are rounding where
    // everything is imposed.)
    for scheme in KINDS.into_iter().filter(|scheme| !scheme.starts_with("beuler")) {
        let (mut sim, body, joint) = sleeve(scheme);
        sim.build().set_joint_driven(joint, true).unwrap();
        sim.build().set_joint_slide_driven(joint, true).unwrap();
        sim.inputs().set_joint_motion(joint, 0.0, 3.0, 0.0).unwrap();
        sim.inputs().set_joint_slide_motion(joint, 0.0, 0.2, 0.0).unwrap();
        sim.settings().set_option("assemble", 1.0).unwrap();
        sim.initialize(0.0).unwrap();
        let start = sim.outputs().body_pose(body).unwrap();
        let axis = rotate(turn(&start), [0.0, 0.0, 1.0]);
        for n in 1..=500 {
            let t = 0.01 * n as f64;
            sim.inputs().set_joint_motion(joint, 3.0 * t, 3.0, 0.0).unwrap();
            sim.inputs().set_joint_slide_motion(joint, 0.2 * t, 0.2, 0.0).unwrap();
            sim.step(0.01).unwrap_or_else(|error| panic!("{scheme} at {t}: {error}"));
            assert_close(scheme, &sim.outputs().joint_coordinate(joint).unwrap()[..2], &[3.0 * t, 3.0], 1e-8);
            assert_close(scheme, &sim.outputs().joint_slide(joint).unwrap()[..2], &[0.2 * t, 0.2], 1e-8);
        }
        let end = sim.outputs().body_pose(body).unwrap();
        assert_close(scheme, &place(&end), &add(place(&start), scale(1.0, axis)), 1e-8);
        assert!(quat_error(turn(&end), quat_mul(quat_exp(scale(15.0, axis)), turn(&start))) < 1e-8, "{scheme}");
    }
}

#[test]
fn slide_is_told_for_every_joint_that_slides() {
    for (kind, expected) in [(JointKind::Prismatic, 0.25), (JointKind::Cylindrical, 0.25), (JointKind::Screw, 0.25)] {
        let mut sim = Simulation::new();
        let body = sim
            .build()
            .add_rigid_body(MASS, &[0.0; 3], &[J, J, J, 0.0, 0.0, 0.0], &pose([0.0, 0.0, 0.25], UNROTATED))
            .unwrap();
        let joint = sim.build().add_joint(kind, GROUND, body, &ORIGIN, &ORIGIN).unwrap();
        if kind == JointKind::Screw {
            // One whole turn: aligned frames belong to it.
            sim.build().set_joint_pitch(joint, 0.25).unwrap();
        }
        sim.initialize(0.0).unwrap();
        assert_close("slide", &sim.outputs().joint_slide(joint).unwrap(), &[expected, 0.0, 0.0], 1e-14);
    }
    let (mut sim, body, _) = sleeve("generalized-alpha");
    let hinge =
        sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[1.0, -2.0, 0.5], Some(&[1.0, 0.0, 0.0])).unwrap();
    assert!(matches!(sim.inputs().set_joint_slide_load(hinge, 1.0), Err(Error::BadValue { .. })));
    assert!(matches!(sim.build().set_joint_slide_spring(hinge, 1.0, 0.0, 0.0), Err(Error::BadValue { .. })));
    assert!(matches!(sim.build().set_joint_slide_driven(hinge, true), Err(Error::BadValue { .. })));
    assert!(matches!(sim.inputs().set_joint_slide_motion(0, 1.0, 0.0, 0.0), Err(Error::BadValue { .. })));
    assert!(matches!(sim.build().set_joint_slide_spring(0, -1.0, 0.0, 0.0), Err(Error::BadValue { .. })));
}

#[test]
fn slide_survives_snapshots_files_and_trials() {
    let describe = || {
        let (mut sim, _, joint) = sleeve("generalized-alpha");
        sim.build().set_joint_slide_spring(joint, 50.0, 1.2, 0.1).unwrap();
        sim.inputs().set_joint_slide_load(joint, 3.0).unwrap();
        sim.build().set_joint_offset(joint, 40.0).unwrap();
        sim.build().set_joint_driven(joint, true).unwrap();
        sim
    };
    let march = |sim: &mut Simulation, steps: std::ops::Range<usize>| {
        for n in steps {
            let t = 0.01 * (n + 1) as f64;
            sim.inputs().set_joint_slide_load(0, 3.0 * t.cos()).unwrap();
            sim.inputs().set_joint_motion(0, 40.0 + t * t, 2.0 * t, 2.0).unwrap();
            sim.advance(0.01).unwrap();
            sim.inputs().set_joint_slide_load(0, 3.0 * t.cos() + 0.1).unwrap();
            sim.advance(0.01).unwrap();
            sim.accept().unwrap();
        }
    };
    let outputs = |sim: &Simulation| {
        (
            sim.outputs().joint_slide(0).unwrap(),
            sim.outputs().joint_coordinate(0).unwrap(),
            sim.outputs().body_pose(0).unwrap(),
        )
    };
    let mut sim = describe();
    let path = std::env::temp_dir().join(format!("pintle_slides_{}.toml", std::process::id()));
    sim.save_model(&path).unwrap();
    let mut loaded = Simulation::load_model(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    sim.initialize(0.0).unwrap();
    loaded.initialize(0.0).unwrap();
    march(&mut sim, 0..50);
    march(&mut loaded, 0..50);
    assert_eq!(outputs(&sim), outputs(&loaded));
    assert!((sim.outputs().joint_coordinate(0).unwrap()[0] - 40.25).abs() < 1e-9);
    let bytes = sim.save().unwrap().to_bytes();
    march(&mut sim, 50..100);
    let mut fresh = describe();
    fresh.initialize(0.0).unwrap();
    fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
    march(&mut fresh, 50..100);
    assert_eq!(outputs(&sim), outputs(&fresh));
    // A model with another spring, drive or offset is another model.
    for change in [
        (|sim: &mut Simulation| sim.build().set_joint_slide_spring(0, 50.0, 1.2, 0.2).unwrap()) as fn(&mut Simulation),
        |sim| sim.build().set_joint_slide_driven(0, true).unwrap(),
        |sim| sim.build().set_joint_offset(0, 41.0).unwrap(),
    ] {
        let mut other = describe();
        change(&mut other);
        other.initialize(0.0).unwrap();
        assert!(matches!(other.deserialize(&bytes), Err(Error::Fingerprint { .. })));
    }
}

#[test]
fn offset_moves_coordinates_springs_and_drives_together() {
    // The same swing with and without an offset of several turns, rest and drive counted from it.
    for kind in [JointKind::Revolute, JointKind::Prismatic, JointKind::Cylindrical, JointKind::Screw] {
        for driven in [false, true] {
            if driven && !kind.can_be_driven() {
                continue;
            }
            let run = |q0: f64| {
                let mut sim = Simulation::new();
                sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
                let body =
                    sim.build().add_rigid_body(MASS, &[0.1, 0.0, 0.0], &[J, J, J, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
                let joint = sim.build().add_joint_at(kind, GROUND, body, &[0.0; 3], Some(&[0.0, 0.8, 0.6])).unwrap();
                if kind == JointKind::Screw {
                    sim.build().set_joint_pitch(joint, 0.3).unwrap();
                }
                sim.build().set_joint_offset(joint, q0).unwrap();
                sim.build().set_joint_spring(joint, 20.0, 0.5, q0 + 0.4).unwrap();
                sim.build().set_joint_driven(joint, driven).unwrap_or_default();
                sim.initialize(0.0).unwrap();
                assert_close(
                    "start",
                    &sim.outputs().joint_coordinate(joint).unwrap()[..1],
                    &[q0],
                    1e-14 * (1.0 + q0.abs()),
                );
                let mut out = Vec::new();
                for n in 1..=200 {
                    if driven {
                        let t = 0.01 * n as f64;
                        sim.inputs().set_joint_motion(joint, q0 + t * t * t, 3.0 * t * t, 6.0 * t).unwrap();
                    }
                    sim.step(0.01).unwrap();
                    let [q, qd, qdd] = sim.outputs().joint_coordinate(joint).unwrap();
                    out.extend([q - q0, qd, qdd]);
                }
                out
            };
            let plain = run(0.0);
            for q0 in [100.0, -0.7] {
                // Rounding of a coordinate of 100, and what Newton's tolerance makes of it in
                // accelerations.
                assert_close(&format!("{kind:?} {driven}"), &run(q0), &plain, 1e-6);
            }
        }
    }
    let (mut sim, body, _) = sleeve("generalized-alpha");
    let ball = sim.build().add_joint_at(JointKind::Spherical, GROUND, body, &[1.0, -2.0, 0.5], None).unwrap();
    assert!(matches!(sim.build().set_joint_offset(ball, 1.0), Err(Error::BadValue { .. })));
}

#[test]
fn two_sleeves_on_one_axis_are_redundant_and_contradictory_slides_are_refused() {
    let build = |second: f64| {
        let (mut sim, body, _) = sleeve("generalized-alpha");
        let axis = rotate(unit([0.8, 0.3, -0.4, 0.2]), [0.0, 0.0, 1.0]);
        sim.build().add_joint_at(JointKind::Cylindrical, GROUND, body, &[1.0, -2.0, 0.5], Some(&axis)).unwrap();
        for joint in 0..2 {
            sim.build().set_joint_slide_driven(joint, true).unwrap();
        }
        sim.inputs().set_joint_slide_motion(0, 0.0, 0.0, 1.0).unwrap();
        sim.inputs().set_joint_slide_motion(1, 0.0, 0.0, second).unwrap();
        sim
    };
    let mut sim = build(1.0);
    sim.initialize(0.0).unwrap();
    let named = sim.analysis().redundant_constraints().unwrap();
    assert!(named.ends_with("translation along x, translation along y, driven displacement"), "{named}");
    let refused = build(1.001).initialize(0.0).unwrap_err();
    assert!(matches!(refused, Error::RedundantConstraints { .. }), "{refused}");
    assert!(refused.to_string().contains("driven displacement"), "{refused}");
}

#[test]
fn linearised_slide_has_its_frequency() {
    let (mut sim, _, joint) = sleeve("generalized-alpha");
    sim.build().set_joint_slide_spring(joint, 50.0, 0.0, 0.0).unwrap();
    sim.build().set_joint_spring(joint, 4.0, 0.0, 0.0).unwrap();
    sim.initialize(0.0).unwrap();
    let mut found: Vec<f64> =
        sim.analysis().modes().unwrap().0.iter().map(|mode| mode.frequency * std::f64::consts::TAU).collect();
    found.sort_by(f64::total_cmp);
    assert_close("frequencies", &found, &[(4.0 / J).sqrt(), (50.0 / MASS).sqrt()], 1e-9);
}

#[test]
fn velocity_in_body_axes_is_that_of_the_initial_pose() {
    let turn = unit([0.7, 0.4, -0.3, 0.5]);
    let velocity = [1.0, -0.4, 0.6, 0.8, -1.1, 0.7];
    let build = |frame: Frame| {
        let mut sim = Simulation::new();
        let body = sim
            .build()
            .add_rigid_body(MASS, &[0.1, 0.0, 0.0], &[J, J, J, 0.0, 0.0, 0.0], &pose([1.0, 2.0, 3.0], turn))
            .unwrap();
        sim.build().set_body_velocity_in(body, frame, &velocity).unwrap();
        sim.initialize(0.0).unwrap();
        let of = |frame| sim.outputs().body_velocity(body, frame).unwrap();
        (of(Frame::Inertial), of(Frame::Body))
    };
    assert_close("body axes", &build(Frame::Body).1, &velocity, 1e-15);
    // The body is integrated about its centre of mass: velocities are converted there and back.
    assert_close("inertial axes", &build(Frame::Inertial).0, &velocity, 1e-15);
}
