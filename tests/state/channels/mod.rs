//! Channels: the numbers of the getters under names that are unique, in every phase and with every
//! scheme.

mod inputs;

use crate::common::*;
use pintle::simulation::SCHEME_NAMES;
use pintle::{Contacts, EntityKind, Error, Frame, GROUND, Id, JointKind, Phase, Simulation, Tendons};
use std::collections::{BTreeSet, HashSet};

const INERTIA: [f64; 6] = [0.2, 0.3, 0.4, 0.01, 0.02, 0.03];

/// The prescribed body and the free one, after a body for each kind of joint and a four-bar.
const MOVED: Id = JointKind::ALL.len() as Id + 3;
const HULL: Id = MOVED + 1;

/// Every kind of joint between bodies that move, a planar loop with redundant constraints, a
/// prescribed body, springs, a bushing, markers, points of every kind, a gear; reference points off
/// the centres of mass; some entities with names. `far`: where it stands.
fn everything(far: f64) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.5, 0.0, -9.81]).unwrap();
    let add = |sim: &mut Simulation, x: V3| {
        sim.build().add_rigid_body(2.0, &[0.1, 0.0, -0.05], &INERTIA, &pose(add(x, [far; 3]), UNROTATED)).unwrap()
    };
    for (k, kind) in JointKind::ALL.into_iter().enumerate() {
        let x = 3.0 * k as f64;
        let body = add(&mut sim, [x, 0.0, 1.0]);
        let at = pose([far + x, far, far], UNROTATED);
        let joint = if kind == JointKind::Distance {
            sim.build().add_joint(kind, GROUND, body, &at, &ORIGIN).unwrap()
        } else if kind == JointKind::Rolling {
            // An upright disc.
            let upright = pose([0.0; 3], quat_exp([std::f64::consts::FRAC_PI_2, 0.0, 0.0]));
            let joint = sim.build().add_joint(kind, GROUND, body, &at, &upright).unwrap();
            pintle::set_joint_radius(&mut sim, joint, 1.0).unwrap();
            joint
        } else {
            sim.build().add_joint_at(kind, GROUND, body, &[far + x, far, far], Some(&[0.6, 0.0, 0.8])).unwrap()
        };
        match kind {
            JointKind::Screw => sim.build().set_joint_pitch(joint, 0.4).unwrap(),
            JointKind::Prismatic => sim.build().set_joint_offset(joint, 0.25).unwrap(),
            JointKind::Cylindrical => sim.inputs().set_joint_slide_load(joint, -1.5).unwrap(),
            JointKind::Revolute => sim.inputs().set_joint_load(joint, 0.75).unwrap(),
            _ => {}
        }
    }
    // A four-bar in the plane: 3 of its constraints follow from the others.
    let links = [[0.0, 9.0, 0.5], [0.5, 9.0, 1.1], [1.0, 9.0, 0.6]].map(|x| add(&mut sim, x));
    let ends = [GROUND, links[0], links[1], links[2], GROUND];
    for (k, [x, z]) in [[0.0, 0.0], [0.0, 1.0], [1.0, 1.2], [1.0, 0.0]].into_iter().enumerate() {
        let at = [far + x, far + 9.0, far + z];
        sim.build().add_joint_at(JointKind::Revolute, ends[k], ends[k + 1], &at, Some(&[0.0, 1.0, 0.0])).unwrap();
    }
    let moved = add(&mut sim, [0.0, 20.0, 0.0]);
    sim.build().set_body_prescribed(moved, true).unwrap();
    let free = add(&mut sim, [0.0, 22.0, 0.0]);
    sim.elements().add_spring(moved, &[0.0, 0.5, 0.0], free, &[0.1, -0.5, 0.0], 40.0, 0.5, 0.8, false).unwrap();
    sim.elements().add_spring(GROUND, &[far, far + 24.0, far], free, &[0.0; 3], 20.0, 0.1, 1.0, true).unwrap();
    let (at, k) = (pose([far, far + 22.0, far + 1.0], UNROTATED), diagonal([30.0; 6]));
    sim.elements().add_bushing(GROUND, free, &at, &pose([0.0, 0.0, 1.0], UNROTATED), &k, &diagonal([0.3; 6])).unwrap();
    sim.elements().add_cylinder(free, [&[0.0; 3], &[0.2, 0.0, 1.0]], 0.3, 2, [1.0, 0.9, 0.8, 0.7]).unwrap();
    // It has no law: this model is for every scheme.
    sim.elements().add_contact_spheres([moved, free], [&[0.0; 3], &[0.1, 0.0, 0.0]], [0.3, 0.2], false).unwrap();
    let eyes = [[far, far + 6.0, far], [0.1, -0.5, 0.0], [0.2, 0.0, 0.1]];
    sim.elements().add_tendon(&[GROUND, free, moved], &eyes, 30.0, 0.2, 3.0).unwrap();
    for body in [0, moved, free] {
        sim.build().add_marker(body, &pose([0.3, -0.2, 0.1], unit([0.9, 0.1, 0.3, -0.2]))).unwrap();
    }
    // A point that moves between one that stays, one that is moved, and one on a body.
    let points = [[0.3, 22.0, 0.5], [0.0, 24.0, 0.5], [1.0, 22.0, 0.5], [0.0; 3]];
    let points = points.map(|x: V3| sim.build().add_point(0.3, 0.1, &x.map(|x| far + x)).unwrap());
    sim.build().fix_point(points[1]).unwrap();
    sim.build().set_point_prescribed(points[2], true).unwrap();
    sim.build().attach_point(points[3], free, &[0.2, 0.0, 0.1]).unwrap();
    for other in &points[1..] {
        sim.elements().add_point_spring(points[0], *other, 25.0, 0.2, 0.4, false).unwrap();
    }
    let joint = |kind: JointKind| JointKind::ALL.iter().position(|own| *own == kind).unwrap() as Id;
    sim.elements().add_gear(joint(JointKind::Revolute), joint(JointKind::Screw), 1.5).unwrap();
    sim.elements().add_gear(joint(JointKind::Revolute), joint(JointKind::Prismatic), 0.2).unwrap();
    sim.build().set_name(EntityKind::Point, points[1], "anchor").unwrap();
    sim.build().set_name(EntityKind::Gear, 1, "rack").unwrap();
    sim.build().set_name(EntityKind::Body, free, "hull").unwrap();
    sim.build().set_name(EntityKind::Joint, 2, "yaw").unwrap();
    sim.build().set_name(EntityKind::Marker, 1, "hull").unwrap();
    sim.settings().set_openfast_platform(free).unwrap();
    sim
}

/// All channels as they follow from the getters and docs/channels.md, in order.
fn expected(sim: &Simulation) -> Vec<(String, f64)> {
    let mut all = Vec::new();
    let named = |kind: EntityKind, id: Id| match (kind, id) {
        (EntityKind::Body, HULL) => "hull".to_owned(),
        (EntityKind::Joint, 2) => "yaw".to_owned(),
        (EntityKind::Marker, 1) => "marker:hull".to_owned(),
        (EntityKind::Point, 1) => "anchor".to_owned(),
        (EntityKind::Gear, 1) => "rack".to_owned(),
        _ => format!("{}{id}", kind.name()),
    };
    let moving = |label: &str, pose: [f64; 7], v: [f64; 6], a: [f64; 6]| -> Vec<(String, f64)> {
        let q = [pose[3], pose[4], pose[5], pose[6]];
        let angles = pintle::spatial::convert::quat_to_euler_zyx(&q).unwrap();
        let names = [
            "pos.x", "pos.y", "pos.z", "quat.w", "quat.x", "quat.y", "quat.z", "roll", "pitch", "yaw", "vel.x",
            "vel.y", "vel.z", "omega.x", "omega.y", "omega.z", "acc.x", "acc.y", "acc.z", "alpha.x", "alpha.y",
            "alpha.z",
        ];
        let values = [&pose[..], &angles, &v, &a].concat();
        names.iter().map(|name| format!("{label}.{name}")).zip(values).collect()
    };
    let wrench = |label: &str, w: [f64; 6]| {
        let names = ["fx", "fy", "fz", "mx", "my", "mz"].map(|name| format!("{label}.reaction.{name}"));
        names.into_iter().zip(w).collect::<Vec<_>>()
    };
    let three = |label: &str, names: [&str; 3], values: [f64; 3]| {
        names.map(|name| format!("{label}.{name}")).into_iter().zip(values).collect::<Vec<_>>()
    };
    let (kinetic, potential) = sim.outputs().energy().unwrap();
    let system = [("time", sim.time().unwrap()), ("energy.kinetic", kinetic), ("energy.potential", potential)];
    all.extend(system.map(|(name, value)| (name.to_owned(), value)));
    let of_body = |label: &str, body: Id| {
        let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap();
        let a = sim.outputs().body_acceleration(body, Frame::Inertial).unwrap();
        moving(label, sim.outputs().body_pose(body).unwrap(), v, a)
    };
    for body in 0..sim.description().count(EntityKind::Body) {
        let label = named(EntityKind::Body, body);
        all.extend(of_body(&label, body));
        if let Ok(reaction) = sim.outputs().body_reaction(body, Frame::Inertial) {
            all.extend(wrench(&label, reaction));
        }
    }
    for joint in 0..sim.description().count(EntityKind::Joint) {
        let label = named(EntityKind::Joint, joint);
        let is_slide = [JointKind::Prismatic, JointKind::PointOnLine].iter().any(|kind| joint == *kind as Id);
        if let Ok(now) = sim.outputs().joint_coordinate(joint) {
            let name = if is_slide { "displacement" } else { "angle" };
            all.extend(three(&label, [name, "rate", "acc"], now));
            all.push((format!("{label}.load"), if joint == JointKind::Revolute as i32 { 0.75 } else { 0.0 }));
        }
        if let Ok(now) = sim.outputs().joint_slide(joint) {
            all.extend(three(&label, ["slide", "slide_rate", "slide_acc"], now));
        }
        if joint as usize == JointKind::Cylindrical as usize {
            all.push((format!("{label}.slide_load"), -1.5));
        }
        all.extend(wrench(&label, sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap()));
    }
    for spring in 0..sim.description().count(EntityKind::Spring) {
        let (length, tension) = sim.outputs().spring_force(spring).unwrap();
        let label = named(EntityKind::Spring, spring);
        let mean = sim.lines().spring_mean_tension(spring).unwrap();
        let values = [("length", length), ("tension", tension), ("tension_mean", mean)];
        all.extend(values.map(|(name, value)| (format!("{label}.{name}"), value)));
    }
    for bushing in 0..sim.description().count(EntityKind::Bushing) {
        let label = named(EntityKind::Bushing, bushing);
        sim.outputs()
            .element_outputs(EntityKind::Bushing, bushing, &mut |name, _, value| {
                all.push((format!("{label}.{name}"), value));
            })
            .unwrap();
    }
    for cylinder in 0..sim.description().count(EntityKind::Cylinder) {
        let (label, loads) = (named(EntityKind::Cylinder, cylinder), sim.outputs().cylinder_loads(cylinder).unwrap());
        let one = [("submerged", loads.submerged), ("buoyancy", loads.buoyancy[2])];
        all.extend(one.map(|(name, value)| (format!("{label}.{name}"), value)));
        for (part, wrench) in [("drag", loads.drag), ("inertia", loads.inertia)] {
            all.extend(three(&format!("{label}.{part}"), ["fx", "fy", "fz"], [wrench[0], wrench[1], wrench[2]]));
        }
        // There is no seabed here (tests/loads/cylinders/seabed.rs).
        all.push((format!("{label}.seabed"), 0.0));
    }
    for contact in 0..sim.description().count(EntityKind::Contact) {
        let (label, forces) = (named(EntityKind::Contact, contact), Contacts::of(sim).forces(contact).unwrap());
        all.extend([(format!("{label}.gap"), forces.gap), (format!("{label}.normal"), forces.normal)]);
        all.extend(three(&format!("{label}.tangential"), ["x", "y", "z"], forces.tangential.into()));
        all.extend(three(&format!("{label}.moment"), ["x", "y", "z"], forces.moment.into()));
    }
    for tendon in 0..sim.description().count(EntityKind::Tendon) {
        let (length, tension) = Tendons::of(sim).force(tendon).unwrap();
        let label = named(EntityKind::Tendon, tendon);
        all.extend([(format!("{label}.length"), length), (format!("{label}.tension"), tension)]);
    }
    for marker in 0..sim.description().count(EntityKind::Marker) {
        let v = sim.outputs().marker_velocity(marker, Frame::Inertial).unwrap();
        let a = sim.outputs().marker_acceleration(marker, Frame::Inertial).unwrap();
        all.extend(moving(&named(EntityKind::Marker, marker), sim.outputs().marker_pose(marker).unwrap(), v, a));
    }
    for point in 0..sim.description().count(EntityKind::Point) {
        let label = named(EntityKind::Point, point);
        let (x, v) = (sim.points().position(point).unwrap(), sim.points().velocity(point).unwrap());
        all.extend(three(&label, ["pos.x", "pos.y", "pos.z"], x));
        all.extend(three(&label, ["vel.x", "vel.y", "vel.z"], v));
        all.extend(three(&label, ["acc.x", "acc.y", "acc.z"], sim.points().acceleration(point).unwrap()));
        if let Ok(reaction) = sim.points().reaction(point) {
            all.extend(three(&label, ["reaction.fx", "reaction.fy", "reaction.fz"], reaction));
        }
    }
    for gear in 0..sim.description().count(EntityKind::Gear) {
        all.push((format!("{}.gear_load", named(EntityKind::Gear, gear)), sim.outputs().gear_load(gear).unwrap()));
    }
    let names = [
        ("PtfmSurge", 0),
        ("PtfmSway", 1),
        ("PtfmHeave", 2),
        ("PtfmRoll", 7),
        ("PtfmPitch", 8),
        ("PtfmYaw", 9),
        ("PtfmTVxi", 10),
        ("PtfmTVyi", 11),
        ("PtfmTVzi", 12),
        ("PtfmRVxi", 13),
        ("PtfmRVyi", 14),
        ("PtfmRVzi", 15),
        ("PtfmTAxi", 16),
        ("PtfmTAyi", 17),
        ("PtfmTAzi", 18),
        ("PtfmRAxi", 19),
        ("PtfmRAyi", 20),
        ("PtfmRAzi", 21),
    ];
    let platform = of_body("", HULL);
    all.extend(names.map(|(name, k)| {
        let in_degrees = (7..10).contains(&k) || (13..16).contains(&k) || k > 18;
        (name.to_owned(), if in_degrees { platform[k].1.to_degrees() } else { platform[k].1 })
    }));
    all
}

fn values(sim: &Simulation) -> Vec<f64> {
    let mut values = vec![f64::NAN; sim.channels().count().unwrap() as usize];
    sim.channels().values(&mut values).unwrap();
    values
}

fn names(sim: &Simulation) -> Vec<String> {
    (0..sim.channels().count().unwrap()).map(|i| sim.channels().name(i).unwrap()).collect()
}

/// The value of one channel by its name.
fn value(sim: &Simulation, name: &str) -> f64 {
    let found = names(sim).iter().position(|own| own == name);
    values(sim)[found.unwrap_or_else(|| panic!("no channel is named {name}"))]
}

fn assert_expected(sim: &Simulation, when: &str) {
    let (names, values, expected) = (names(sim), values(sim), expected(sim));
    let told: Vec<&String> = expected.iter().map(|(name, _)| name).collect();
    assert_eq!(names.iter().collect::<Vec<_>>(), told, "{when}");
    for ((name, expected), value) in expected.iter().zip(values) {
        assert_eq!(value.to_bits(), expected.to_bits(), "{when}, {name}: {value}, {expected}");
    }
}

#[test]
fn channels_are_the_numbers_of_the_getters_with_every_scheme_and_in_every_phase() {
    for (scheme, far) in SCHEME_NAMES.into_iter().map(|name| (name, 0.0)).chain([("generalized-alpha", 1e6)]) {
        let scheme = scheme.replace('N', "4");
        let mut sim = everything(far);
        sim.settings().set_scheme(&scheme).unwrap();
        sim.settings().set_option("assemble", 1.0).unwrap();
        sim.initialize(0.0).unwrap();
        assert_expected(&sim, &format!("{scheme}, start"));
        // Steps of changing length.
        for dt in [1e-4, 2e-4, 1.3e-4] {
            sim.step(dt).unwrap_or_else(|error| panic!("{scheme}: {error}"));
        }
        assert_expected(&sim, &format!("{scheme}, accepted"));
        let (accepted, saved) = (values(&sim), sim.save().unwrap());
        sim.advance(1e-4).unwrap();
        assert_expected(&sim, &format!("{scheme}, trial"));
        let trial = values(&sim);
        assert_ne!(accepted, trial, "{scheme}: something moves");
        // Earlier reads do not affect the values.
        sim.reject().unwrap();
        assert_eq!(accepted, values(&sim), "{scheme}: rejected");
        let copy = sim.clone();
        assert_eq!(accepted, values(&copy), "{scheme}: a clone");
        let mut fresh = everything(far);
        fresh.settings().set_scheme(&scheme).unwrap();
        fresh.settings().set_option("assemble", 1.0).unwrap();
        fresh.initialize(0.0).unwrap();
        fresh.restore(&saved).unwrap();
        assert_eq!(accepted, values(&fresh), "{scheme}: restored into a fresh object");
        sim.advance(1e-4).unwrap();
        sim.mark_failed();
        assert_eq!(sim.phase(), Phase::Failed);
        assert_eq!(accepted, values(&sim), "{scheme}: the accepted state in phase FAILED");
    }
}

#[test]
fn a_hanging_weight_shows_in_reaction_and_tension() {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -10.0]).unwrap();
    let pin = sim.build().add_rigid_body(3.0, &[0.0; 3], &INERTIA, &pose([0.0, 0.0, -2.0], UNROTATED)).unwrap();
    let joint = sim.build().add_joint_at(JointKind::Spherical, GROUND, pin, &[0.0; 3], None).unwrap();
    let load = sim.build().add_rigid_body(1.0, &[0.0; 3], &INERTIA, &pose([5.0, 0.0, -2.5], UNROTATED)).unwrap();
    let spring = sim.elements().add_spring(GROUND, &[5.0, 0.0, 0.0], load, &[0.0; 3], 20.0, 0.0, 2.0, true).unwrap();
    sim.build().set_name(EntityKind::Joint, joint, "pin").unwrap();
    sim.build().set_name(EntityKind::Spring, spring, "line").unwrap();
    sim.initialize(0.0).unwrap();
    for _ in 0..10 {
        sim.step(0.01).unwrap();
    }
    // At rest and balanced: m g, and k (L - L0) = 20 * 0.5 = m g; rounding of some operations on
    // numbers of that size.
    for (name, exact) in
        [("pin.reaction.fz", 30.0), ("pin.reaction.fx", 0.0), ("line.tension", 10.0), ("line.length", 2.5)]
    {
        assert!((value(&sim, name) - exact).abs() < 1e-12, "{name}");
    }
    // The weight of both, from z = 0.
    assert!((value(&sim, "energy.potential") - (-60.0 - 25.0 + 2.5)).abs() < 1e-12);
    assert!((value(&sim, "time") - 0.1).abs() < 1e-15);
}

#[test]
fn loads_of_joints_are_those_of_the_time_of_the_state() {
    let mut sim = Simulation::new();
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    let joint = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
    sim.build().set_name(EntityKind::Joint, joint, "motor").unwrap();
    sim.inputs().set_joint_load(joint, 2.0).unwrap();
    sim.initialize(0.0).unwrap();
    assert_eq!([value(&sim, "motor.load"), value(&sim, "motor.acc")], [2.0, 2.0]);
    sim.inputs().set_joint_load(joint, 5.0).unwrap();
    assert_eq!(value(&sim, "motor.load"), 2.0, "5 is for the end of the coming step");
    sim.advance(0.1).unwrap();
    assert_eq!(value(&sim, "motor.load"), 5.0);
    sim.inputs().set_joint_load(joint, 7.0).unwrap();
    assert_eq!(value(&sim, "motor.load"), 5.0, "of the trial as it was made");
    sim.reject().unwrap();
    assert_eq!(value(&sim, "motor.load"), 2.0);
    sim.step(0.1).unwrap();
    assert_eq!(value(&sim, "motor.load"), 7.0);
}

/// An imposed motion of the platform: all of ElastoDyn's channels are known.
#[test]
fn openfast_names_are_position_tait_bryan_angles_and_rates_in_degrees() {
    for [roll, pitch, yaw] in [[3.0, -4.0, 5.0], [-20.0, 15.0, 170.0], [0.0, 0.0, 0.0]] {
        let mut sim = Simulation::new();
        let angles = [roll, pitch, yaw].map(f64::to_radians);
        // R = Rz(yaw) Ry(pitch) Rx(roll), composed here from the half angles about each axis.
        let about = |axis: usize| {
            let mut q = [(angles[axis] / 2.0).cos(), 0.0, 0.0, 0.0];
            q[axis + 1] = (angles[axis] / 2.0).sin();
            pose([0.0; 3], q)
        };
        let turned = mechanisms::compose(&mechanisms::compose(&about(2), &about(1)), &about(0));
        let q = [turned[3], turned[4], turned[5], turned[6]];
        let at = pose([5.0, -3.0, 1.5], q);
        let body = sim.build().add_rigid_body(1e7, &[0.0, 0.0, -80.0], &[1e10, 1e10, 1e9, 0.0, 0.0, 0.0], &at).unwrap();
        sim.build().set_body_prescribed(body, true).unwrap();
        let (v, a) = ([1.0, 2.0, 3.0, 0.01, -0.02, 0.03], [0.4, 0.5, 0.6, -0.1, 0.2, 0.3]);
        sim.inputs().set_body_motion(body, &at, &v, &a).unwrap();
        sim.settings().set_openfast_platform(body).unwrap();
        sim.initialize(0.0).unwrap();
        let degrees = |x: f64| x * 180.0 / std::f64::consts::PI;
        let exact = [
            ("PtfmSurge", 5.0),
            ("PtfmSway", -3.0),
            ("PtfmHeave", 1.5),
            ("PtfmRoll", roll),
            ("PtfmPitch", pitch),
            ("PtfmYaw", yaw),
            ("PtfmTVxi", 1.0),
            ("PtfmTVyi", 2.0),
            ("PtfmTVzi", 3.0),
            ("PtfmRVxi", degrees(0.01)),
            ("PtfmRVyi", degrees(-0.02)),
            ("PtfmRVzi", degrees(0.03)),
            ("PtfmTAxi", 0.4),
            ("PtfmTAyi", 0.5),
            ("PtfmTAzi", 0.6),
            ("PtfmRAxi", degrees(-0.1)),
            ("PtfmRAyi", degrees(0.2)),
            ("PtfmRAzi", degrees(0.3)),
        ];
        for (name, exact) in exact {
            // Rounding of positions about the centre of mass 80 m off, and of angles of some
            // degrees.
            assert!((value(&sim, name) - exact).abs() < 1e-13 * 200.0, "{name}: {} is not {exact}", value(&sim, name));
        }
        let count = sim.channels().count().unwrap();
        let units: Vec<_> = (count - 18..count).map(|i| sim.channels().unit(i).unwrap()).collect();
        assert_eq!(units.concat(), "mmmdegdegdegm/sm/sm/sdeg/sdeg/sdeg/sm/s^2m/s^2m/s^2deg/s^2deg/s^2deg/s^2");
    }
}

#[test]
fn the_platform_may_be_changed_until_initialize_and_goes_with_the_model_file() {
    let mut sim = Simulation::new();
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &INERTIA, &ORIGIN).unwrap();
    let other = sim.build().add_rigid_body(1.0, &[0.0; 3], &INERTIA, &pose([2.0, 0.0, 0.0], UNROTATED)).unwrap();
    sim.build().set_name(EntityKind::Body, other, "the hull").unwrap();
    let plain = sim.clone();
    sim.settings().set_openfast_platform(body).unwrap();
    sim.settings().set_openfast_platform(other).unwrap();
    assert!(matches!(sim.settings().set_openfast_platform(2), Err(Error::BadId { argument: "body", .. })));
    assert!(matches!(sim.settings().set_openfast_platform(-2), Err(Error::BadId { argument: "body", .. })));
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("channels_platform.toml");
    sim.save_model(&path).unwrap();
    assert!(std::fs::read_to_string(&path).unwrap().contains("openfast_platform = \"the hull\"\n"));
    let mut loaded = Simulation::load_model(&path).unwrap();
    for one in [&mut sim, &mut loaded] {
        one.initialize(0.0).unwrap();
        assert_eq!(value(one, "PtfmSurge"), 2.0, "the last one set");
        assert!(matches!(one.settings().set_openfast_platform(GROUND), Err(Error::BadPhase { .. })));
    }
    let mut removed = plain.clone();
    removed.settings().set_openfast_platform(body).unwrap();
    removed.settings().set_openfast_platform(GROUND).unwrap();
    removed.initialize(0.0).unwrap();
    assert_eq!(removed.channels().count().unwrap(), sim.channels().count().unwrap() - 18);
    // Outputs are no part of the model: states go from one to the other.
    removed.restore(&sim.save().unwrap()).unwrap();
    for (text, wrong) in [("\"nobody\"", "nobody"), ("5", "5"), ("true", "openfast_platform")] {
        let model = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, model.replace("platform = \"the hull\"", &format!("platform = {text}"))).unwrap();
        let error = Simulation::load_model(&path).err().expect("a refusal").to_string();
        assert!(error.contains("openfast_platform") && error.contains(wrong), "{error}");
        sim.save_model(&path).unwrap();
    }
    std::fs::remove_file(&path).unwrap();
}

/// Names of entities that resemble channels of others.
#[test]
fn no_two_channels_have_the_same_name_whatever_entities_are_called() {
    let hostile = [
        "hull",
        "joint:hull",
        "marker:hull",
        "body:hull",
        "body0",
        "body1",
        "joint0",
        "#body1",
        "#joint0",
        "hull.pos",
        "hull.slide",
        "hull.reaction",
        "energy",
        "time",
        "PtfmSurge",
        "hull.x",
        "hull\"quoted\", twice",
        " ",
        ".",
        "..",
        "é",
    ];
    for shift in 0..hostile.len() {
        let mut sim = Simulation::new();
        let mut bodies = Vec::new();
        for k in 0..6 {
            let body =
                sim.build().add_rigid_body(1.0, &[0.0; 3], &INERTIA, &pose([k as f64, 0.0, 0.0], UNROTATED)).unwrap();
            let kind = [JointKind::Cylindrical, JointKind::Prismatic, JointKind::Revolute][k % 3];
            sim.build().add_joint_at(kind, GROUND, body, &[k as f64, 0.0, 0.0], Some(&[0.0, 0.0, 1.0])).unwrap();
            sim.build().add_marker(body, &ORIGIN).unwrap();
            bodies.push(body);
        }
        let still = sim.build().add_rigid_body(1.0, &[0.0; 3], &INERTIA, &pose([0.0, 9.0, 0.0], UNROTATED)).unwrap();
        sim.build().set_body_prescribed(still, true).unwrap();
        sim.elements().add_spring(0, &[0.0; 3], 1, &[0.0; 3], 1.0, 0.0, 1.0, false).unwrap();
        sim.settings().set_openfast_platform(0).unwrap();
        // The same names for each kind, in steps that meet each other in all ways as `shift` goes
        // round.
        for (stride, kind) in
            [EntityKind::Body, EntityKind::Joint, EntityKind::Spring, EntityKind::Marker].into_iter().enumerate()
        {
            for id in (0..sim.description().count(kind)).filter(|id| (*id as usize + shift) % 4 != 3) {
                let name = hostile[(id as usize + shift * (stride + 1)) % hostile.len()];
                sim.build().set_name(kind, id, name).unwrap();
            }
        }
        sim.initialize(0.0).unwrap();
        let names = names(&sim);
        let different: HashSet<&String> = names.iter().collect();
        assert_eq!(different.len(), names.len(), "{names:?}");
    }
}

#[test]
fn a_name_that_two_kinds_share_stays_with_the_first() {
    let mut sim = Simulation::new();
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &INERTIA, &ORIGIN).unwrap();
    let other = sim.build().add_rigid_body(1.0, &[0.0; 3], &INERTIA, &pose([1.0, 0.0, 0.0], UNROTATED)).unwrap();
    let joint = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
    let marker = sim.build().add_marker(other, &ORIGIN).unwrap();
    sim.build().set_name(EntityKind::Body, body, "yaw").unwrap();
    sim.build().set_name(EntityKind::Joint, joint, "yaw").unwrap();
    sim.build().set_name(EntityKind::Marker, marker, "body1").unwrap();
    sim.initialize(0.0).unwrap();
    let names = names(&sim);
    for name in ["yaw.pos.x", "joint:yaw.angle", "joint:yaw.reaction.mz", "body1.pos.x", "#body1.pos.x"] {
        assert!(names.iter().any(|own| own == name), "{name}");
    }
}

#[test]
fn names_and_units_can_be_read_before_the_model_runs() {
    let units = |sim: &Simulation| -> Vec<_> {
        (0..sim.channels().count().unwrap()).map(|i| sim.channels().unit(i).unwrap()).collect()
    };
    assert_eq!(names(&Simulation::new()), ["time", "energy.kinetic", "energy.potential"]);
    let mut sim = everything(0.0);
    let before = (names(&sim), units(&sim));
    // Channels of new entities are placed with their kind.
    sim.build().add_point(1.0, 0.0, &[0.0, 0.0, 50.0]).unwrap();
    let mut without = names(&sim);
    let added = without.extract_if(.., |name| !before.0.contains(name)).count();
    assert!(added > 0 && without == before.0);
    let described = (names(&sim), units(&sim));
    sim.settings().set_option("assemble", 1.0).unwrap();
    sim.initialize(0.0).unwrap();
    assert_eq!(described, (names(&sim), units(&sim)));
}

#[test]
fn what_is_asked_wrongly_is_refused_and_nothing_is_written() {
    let mut sim = everything(0.0);
    let mut failed = everything(0.0);
    failed.mark_failed();
    let phase = |error: Option<Error>| matches!(error, Some(Error::BadPhase { phase: Phase::Failed, .. }));
    assert!(
        phase(failed.channels().count().err())
            && phase(failed.channels().name(0).err())
            && phase(failed.channels().unit(0).err())
            && phase(failed.channels().values(&mut []).err())
    );
    let mut kept = vec![7.0; sim.channels().count().unwrap() as usize];
    let refused = sim.channels().values(&mut kept);
    assert!(matches!(refused, Err(Error::BadPhase { phase: Phase::Building, .. })) && kept.iter().all(|x| *x == 7.0));
    assert!(matches!(sim.channels().name(kept.len() as i32), Err(Error::BadValue { argument: "i", .. })));
    sim.settings().set_option("assemble", 1.0).unwrap();
    sim.initialize(0.0).unwrap();
    let count = sim.channels().count().unwrap();
    for i in [-1, count, i32::MAX, i32::MIN] {
        let error = sim.channels().name(i).unwrap_err();
        assert!(matches!(error, Error::BadValue { argument: "i", .. }) && error.to_string().contains(&i.to_string()));
        assert_eq!(error, sim.channels().unit(i).unwrap_err());
    }
    for size in [0, count as usize - 1, count as usize + 1] {
        let mut kept = vec![7.0; size];
        assert!(matches!(sim.channels().values(&mut kept), Err(Error::BadSize { argument: "n", .. })));
        assert!(kept.iter().all(|x| *x == 7.0));
    }
    // A rate in rad/s that is a number, and none in deg/s.
    let mut fast = Simulation::new();
    let body = fast.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    fast.build().set_body_prescribed(body, true).unwrap();
    fast.settings().set_openfast_platform(body).unwrap();
    fast.inputs().set_body_motion(body, &ORIGIN, &[0.0; 6], &[0.0, 0.0, 0.0, 0.0, 0.0, 1e307]).unwrap();
    fast.initialize(0.0).unwrap();
    assert_eq!(fast.outputs().body_acceleration(body, Frame::Inertial).unwrap()[5], 1e307);
    let mut kept = vec![7.0; fast.channels().count().unwrap() as usize];
    assert_eq!(fast.channels().values(&mut kept), Err(Error::Overflow { output: "PtfmRAzi" }));
    assert!(kept.iter().all(|x| *x == 7.0));
}

#[test]
fn the_tables_of_the_docs_are_the_channels() {
    let page = include_str!("../../../docs/channels.md");
    let mut told = BTreeSet::new();
    let mut motion = Vec::new();
    // Channels of MoorDyn exist only on request.
    for section in page.split("\n## ").skip(1).filter(|section| !section.starts_with("MoorDyn")) {
        let kind = match section.lines().next().unwrap() {
            "Bodies" | "Prescribed bodies" => "body",
            "Joints with an angle"
            | "Joints with a displacement"
            | "Joints that slide"
            | "Slides with a load"
            | "Friction and stops on an angle"
            | "Friction and stops on a displacement"
            | "Friction and stops on a slide"
            | "All joints" => "joint",
            "Springs" => "spring",
            "Bushings" => "bushing",
            "Cylinders" => "cylinder",
            "Elements of beams" => "beam_element",
            "Contacts" => "contact",
            "Tendons" => "tendon",
            "Points" => "point",
            "Gears" => "gear",
            "Lines" => "line",
            "Clutches" => "clutch",
            _ => "",
        };
        for row in section.lines().filter(|line| line.starts_with("| `")) {
            let cells: Vec<&str> = row.split(" | ").collect();
            for name in cells[0].trim_start_matches("| ").split(", ").map(|name| name.trim_matches('`')) {
                told.insert([kind.to_owned(), name.to_owned(), cells[1].to_owned()]);
                if section.starts_with("Bodies") {
                    motion.push([name.to_owned(), cells[1].to_owned()]);
                }
            }
        }
    }
    told.extend(motion.into_iter().map(|[name, unit]| ["marker".to_owned(), name, unit]));
    let mut sim = everything(0.0);
    let chain = pintle::model::LineType { diameter: 0.1, mass_per_length: 2.0, ea: 1e4, ..Default::default() };
    let chain = sim.elements().add_line_type(chain).unwrap();
    sim.elements().add_line(chain, 1, 0, 2.0, 4).unwrap();
    let (soft, light) = ([2.0; 6], [0.5, 0.2, 0.1, 0.1]);
    let beam =
        sim.elements().add_uniform_beam([&[0.0; 3], &[1.0, 0.0, 0.0]], &[0.0, 1.0, 0.0], &soft, &light, &[0.0; 6]);
    let beam = beam.unwrap();
    sim.elements().attach_beam(beam, 0, GROUND).unwrap();
    sim.elements().mesh_beam(beam, 1).unwrap();
    // On all that have a coordinate.
    for joint in 0..sim.description().count(EntityKind::Joint) {
        for slide in [false, true] {
            let _ = sim.build().set_joint_friction((joint, slide), [0.1, 0.2, 0.0, 0.0, 0.0]);
        }
    }
    let of = |kind: JointKind| JointKind::ALL.iter().position(|own| *own == kind).map(|joint| (joint as Id, false));
    for b in [JointKind::Cylindrical, JointKind::Prismatic] {
        let of = [JointKind::Revolute, b].map(|kind| of(kind).unwrap());
        pintle::add_clutch(&mut sim, of, [1.5, 1.0, 0.0], [0.0; 2]).unwrap();
    }
    sim.settings().set_option("assemble", 1.0).unwrap();
    sim.initialize(0.0).unwrap();
    // Of segments and nodes, whose number depends on the line.
    let of_parts = |suffix: &str| suffix.starts_with("tension.") || suffix.starts_with("node");
    let found: BTreeSet<[String; 3]> = (0..sim.channels().count().unwrap())
        .map(|i| {
            let name = sim.channels().name(i).unwrap();
            let name = name
                .replace("marker:hull.", "marker1.")
                .replace("hull.", &format!("body{HULL}."))
                .replace("yaw.", "joint2.");
            let name = name.replace("anchor.", "point1.").replace("rack.", "gear1.");
            let unit = sim.channels().unit(i).unwrap().to_owned();
            match name.split_once('.') {
                Some((label, suffix)) if label != "energy" => {
                    [label.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned(), suffix.to_owned(), unit]
                }
                _ => [String::new(), name, unit],
            }
        })
        .filter(|[_, suffix, _]| !of_parts(suffix))
        .collect();
    assert_eq!(told, found);
}

#[test]
fn moordyns_names_of_the_docs_are_channels_with_these_units() {
    let page = include_str!("../../../docs/channels.md");
    let section = page.split("\n## ").find(|section| section.starts_with("MoorDyn's names")).unwrap();
    let mut sim = Simulation::new();
    for x in [0.0, 5.0] {
        let pose = [x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose).unwrap();
    }
    for x in [0.0, 5.0, 10.0] {
        let point = sim.build().add_point(1.0, 0.0, &[x, 0.0, 0.0]).unwrap();
        sim.build().fix_point(point).unwrap();
    }
    let rope = pintle::model::LineType { diameter: 0.1, mass_per_length: 2.0, ea: 1e4, ..Default::default() };
    let rope = sim.elements().add_line_type(rope).unwrap();
    sim.elements().add_line(rope, 0, 1, 4.9, 5).unwrap();
    sim.elements().add_line(rope, 1, 2, 4.9, 5).unwrap();
    // What a file of MoorDyn makes of a rod.
    for (end, z) in [("A", 0.0), ("B", 1.0)] {
        let point = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
        sim.build().attach_point(point, 0, &[0.0, 0.0, z]).unwrap();
        sim.build().set_name(EntityKind::Point, point, &format!("rod 1 end {end}")).unwrap();
    }
    let rod = sim.elements().add_cylinder(0, [&[0.0; 3], &[0.0, 0.0, 1.0]], 0.1, 1, [0.0; 4]).unwrap();
    sim.build().set_name(EntityKind::Cylinder, rod, "rod 1").unwrap();
    let mut told = Vec::new();
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        for name in cells[0].trim_start_matches("| ").split(", ").map(|name| name.trim_matches('`')) {
            sim.settings().add_moordyn_channel(name).unwrap();
            told.push((name.to_owned(), cells[1]));
        }
    }
    assert!(told.len() > 25, "{told:?}");
    sim.initialize(0.0).unwrap();
    let first = sim.channels().count().unwrap() - told.len() as i32;
    let found: Vec<_> = (first..)
        .take(told.len())
        .map(|i| (sim.channels().name(i).unwrap(), sim.channels().unit(i).unwrap()))
        .collect();
    assert_eq!(told, found);
}

/// ElastoDyn integrates its yaw, so that it has no jumps.
#[test]
fn yaw_of_the_platform_is_counted_over_turns_by_every_scheme_and_belongs_to_the_state() {
    // About a principal axis through the centre of mass: the rate is constant.
    const PRINCIPAL: [f64; 6] = [0.2, 0.3, 0.4, 0.0, 0.0, 0.0];
    let spinning = |scheme: &str, rate: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_scheme(scheme).unwrap();
        let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &PRINCIPAL, &pose([0.0; 3], UNROTATED)).unwrap();
        let axis = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 0.0, 1.0]));
        axis.unwrap();
        sim.build().set_body_velocity(body, &[0.0, 0.0, 0.0, 0.0, 0.0, rate]).unwrap();
        sim.settings().set_openfast_platform(body).unwrap();
        sim.initialize(0.0).unwrap();
        sim
    };
    for scheme in SCHEME_NAMES.map(|name| name.replace('N', "20")) {
        // A tenth of a turn per step, in both directions.
        for rate in [6.0, -6.0] {
            let mut sim = spinning(&scheme, rate);
            for n in 1..=50 {
                sim.step(0.1).unwrap();
                let (yaw, angle) = (value(&sim, "PtfmYaw"), sim.outputs().joint_coordinate(0).unwrap()[0].to_degrees());
                assert!((yaw - angle).abs() < 1e-6, "{scheme}, {rate} rad/s, step {n}: {yaw} deg is not {angle} deg");
            }
            assert!(value(&sim, "PtfmYaw") * rate.signum() > 720.0, "{scheme}, {rate} rad/s");
        }
    }
    // Three turns and a bit per step.
    let mut sim = spinning("generalized-alpha", 20.0);
    (0..10).for_each(|_| sim.step(1.0).unwrap());
    let angle = sim.outputs().joint_coordinate(0).unwrap()[0].to_degrees();
    let yaw = value(&sim, "PtfmYaw");
    assert!(angle > 3600.0 && (yaw - angle).abs() < 1e-9 * angle, "{yaw} deg is not {angle} deg");
    let mut bytes = Simulation::clone(&sim);
    let saved = sim.save().unwrap();
    let mut fresh = spinning("generalized-alpha", 20.0);
    fresh.restore(&fresh.deserialize(&saved.to_bytes()).unwrap()).unwrap();
    sim.step(1.0).unwrap();
    let goes_on = value(&sim, "PtfmYaw");
    for other in [&mut bytes, &mut fresh] {
        other.step(1.0).unwrap();
        assert_eq!(value(other, "PtfmYaw"), goes_on);
    }
    // A trial that is thrown away counts nothing.
    sim.advance(1.0).unwrap();
    sim.reject().unwrap();
    assert_eq!(value(&sim, "PtfmYaw"), goes_on);
    sim.restore(&saved).unwrap();
    assert!((value(&sim, "PtfmYaw") - angle).abs() < 1e-9 * angle);
    // Other coordinates are given by poses: the nearest yaw is meant.
    sim.inputs().set_coordinates(&[pose([0.0; 3], UNROTATED)], &[[0.0; 6]]).unwrap();
    let yaw = value(&sim, "PtfmYaw");
    assert!((yaw - angle).abs() <= 180.0 && (yaw / 360.0).fract().abs() < 1e-12, "{yaw} deg after {angle} deg");
}
