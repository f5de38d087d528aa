//! Inputs by name: each has the effect of its setter, whatever the names of entities; a refused
//! call changes nothing.

use super::{HULL, MOVED, everything, names, value};
use crate::common::*;
use pintle::{
    EntityKind, Error, Frame, GROUND, Id, InputList, JointKind, JointMachines, Simulation, add_clutch,
    set_clutch_capacity,
};
use std::collections::{BTreeSet, HashSet};

/// The mechanisms of the tests of channels, with drives, a line, and loads in axes of bodies.
fn driven() -> Simulation {
    let mut sim = everything(0.0);
    let chain = pintle::model::LineType { diameter: 0.1, mass_per_length: 2.0, ea: 1e4, ..Default::default() };
    let chain = sim.elements().add_line_type(chain).unwrap();
    sim.elements().add_line(chain, 1, 0, 2.0, 4).unwrap();
    let still =
        sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([0.0, 40.0, 0.0], UNROTATED));
    let still = still.unwrap();
    let z = [0.0, 0.0, 1.0];
    let mut joints = Vec::new();
    for (k, kind) in [JointKind::Revolute, JointKind::Prismatic, JointKind::Cylindrical].into_iter().enumerate() {
        let at = [3.0 * k as f64, 43.0, 0.0];
        let body =
            sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose(at, UNROTATED)).unwrap();
        let joint = sim.build().add_joint_at(kind, still.min(GROUND), body, &at, Some(&z)).unwrap();
        match kind {
            JointKind::Cylindrical => sim.build().set_joint_slide_driven(joint, true).unwrap(),
            _ => sim.build().set_joint_driven(joint, true).unwrap(),
        }
        sim.inputs().set_joint_brake(joint, kind == JointKind::Cylindrical, 0.0).unwrap();
        joints.push((joint, false));
    }
    for b in &joints[1..] {
        add_clutch(&mut sim, [joints[0], *b], [1.5, 1.0, 0.0], [0.0; 2]).unwrap();
    }
    sim.inputs().set_body_load(0, Frame::Body, &[0.0; 6]).unwrap();
    sim.inputs().set_marker_load(1, Frame::Body, &[0.0; 6]).unwrap();
    sim.settings().set_option("assemble", 1.0).unwrap();
    sim
}

fn labels(sim: &Simulation) -> Vec<(String, &'static str)> {
    let kinds = [
        EntityKind::Body,
        EntityKind::Joint,
        EntityKind::Marker,
        EntityKind::Point,
        EntityKind::Line,
        EntityKind::Tendon,
        EntityKind::Clutch,
    ];
    let of_kind = |kind: EntityKind| {
        (0..sim.description().count(kind)).map(move |id| {
            let name = sim.description().name(kind, id).unwrap();
            (if name == format!("{} {id}", kind.name()) { id.to_string() } else { name }, kind.name())
        })
    };
    kinds.into_iter().flat_map(of_kind).collect()
}

fn all(sim: &Simulation) -> (InputList, pintle::InputChoice) {
    let list = sim.given().input_list();
    let choice = list.choose(&(0..list.len()).collect::<Vec<_>>()).unwrap();
    (list, choice)
}

/// A different number for each input, such that a step of 1e-3 converges: imposed motions are near
/// their present values.
fn some_values(sim: &Simulation) -> Vec<f64> {
    let (list, choice) = all(sim);
    let mut values = vec![0.0; list.len()];
    sim.given().chosen_inputs(&choice, &mut values).unwrap();
    for (k, value) in values.iter_mut().enumerate() {
        if !list.name(k).unwrap().contains("quat") {
            *value += 1e-4 * (1 + k % 17) as f64;
        }
    }
    values
}

#[test]
fn each_input_is_what_its_setter_takes() {
    let mut by_name = driven();
    by_name.initialize(0.0).unwrap();
    let mut by_setter = by_name.clone();
    let values = some_values(&by_name);
    let (list, choice) = all(&by_name);
    by_name.inputs().set_chosen_inputs(&choice, &values).unwrap();

    let get = |name: String| values[list.find(&name).unwrap_or_else(|| panic!("{name}"))];
    let labels = labels(&by_setter);
    let of = |kind: EntityKind, id: Id| {
        let mut own = labels.iter().filter(|(_, other)| *other == kind.name());
        format!("{}.{}", kind.name(), own.nth(id as usize).unwrap().0)
    };
    let three = |stem: &str| ["x", "y", "z"].map(|axis| get(format!("{stem}.{axis}")));
    let wrench = |stem: &str| ["fx", "fy", "fz", "mx", "my", "mz"].map(|part| get(format!("{stem}.load.{part}")));
    for body in 0..by_setter.description().count(EntityKind::Body) {
        let stem = of(EntityKind::Body, body);
        let frame = if body == 0 { Frame::Body } else { Frame::Inertial };
        by_setter.inputs().set_body_load(body, frame, &wrench(&stem)).unwrap();
        if by_setter.description().body_prescribed(body).unwrap() {
            let q = ["w", "x", "y", "z"].map(|axis| get(format!("{stem}.motion.quat.{axis}")));
            let at = |what: &str| three(&format!("{stem}.motion.{what}"));
            let (v, a) = (join(at("vel"), at("omega")), join(at("acc"), at("alpha")));
            by_setter.inputs().set_body_motion(body, &pose(at("pos"), q), &v, &a).unwrap();
        }
    }
    let (mut drives, mut brakes) = (0, 0);
    for joint in 0..by_setter.description().count(EntityKind::Joint) {
        let stem = of(EntityKind::Joint, joint);
        let info = by_setter.description().joint_info(joint).unwrap();
        if by_setter.outputs().joint_coordinate(joint).is_ok() {
            by_setter.inputs().set_joint_load(joint, get(format!("{stem}.load"))).unwrap();
        }
        if info.driven {
            let coordinate = if info.kind == JointKind::Prismatic { "displacement" } else { "angle" };
            let [q, qd, qdd] = [coordinate, "rate", "acc"].map(|what| get(format!("{stem}.motion.{what}")));
            by_setter.inputs().set_joint_motion(joint, q, qd, qdd).unwrap();
            drives += 1;
        }
        if info.kind == JointKind::Cylindrical {
            by_setter.inputs().set_joint_slide_load(joint, get(format!("{stem}.slide_load"))).unwrap();
        }
        if by_setter.description().joint_slide_driven(joint).unwrap() {
            let [s, sd, sdd] = ["displacement", "rate", "acc"].map(|what| get(format!("{stem}.slide_motion.{what}")));
            by_setter.inputs().set_joint_slide_motion(joint, s, sd, sdd).unwrap();
            drives += 1;
        }
        for (slide, suffix) in [(false, "brake"), (true, "slide_brake")] {
            if let Some(k) = list.find(&format!("{stem}.{suffix}")) {
                by_setter.inputs().set_joint_brake(joint, slide, values[k]).unwrap();
                brakes += 1;
            }
        }
    }
    assert!(drives == 3 && brakes == 3, "{drives} {brakes}");
    for clutch in 0..by_setter.description().count(EntityKind::Clutch) {
        let stem = of(EntityKind::Clutch, clutch);
        let capacities = ["back", "forth"].map(|way| get(format!("{stem}.capacity_{way}")));
        set_clutch_capacity(&mut by_setter, clutch, capacities).unwrap();
    }
    for marker in 0..by_setter.description().count(EntityKind::Marker) {
        let frame = if marker == 1 { Frame::Body } else { Frame::Inertial };
        by_setter.inputs().set_marker_load(marker, frame, &wrench(&of(EntityKind::Marker, marker))).unwrap();
    }
    for point in 0..by_setter.description().count(EntityKind::Point) {
        let stem = of(EntityKind::Point, point);
        let force = ["fx", "fy", "fz"].map(|part| get(format!("{stem}.load.{part}")));
        by_setter.inputs().set_point_load(point, &force).unwrap();
        if by_setter.description().point_info(point).unwrap().prescribed {
            let [x, v, a] = ["pos", "vel", "acc"].map(|what| three(&format!("{stem}.motion.{what}")));
            by_setter.inputs().set_point_motion(point, &x, &v, &a).unwrap();
        }
    }
    by_setter.inputs().set_line_length(0, get("line.0.length".into()), get("line.0.length_rate".into())).unwrap();
    by_setter.inputs().set_tendon_length(0, get("tendon.0.length".into()), get("tendon.0.length_rate".into())).unwrap();

    for sim in [&mut by_name, &mut by_setter] {
        sim.step(1e-3).unwrap();
    }
    for name in names(&by_name) {
        assert_eq!(value(&by_name, &name).to_bits(), value(&by_setter, &name).to_bits(), "{name}");
    }
    // What was set is read back; positions of imposed motions to their rounding about the model's
    // origin.
    let mut back = vec![0.0; list.len()];
    by_name.given().chosen_inputs(&choice, &mut back).unwrap();
    for (k, (back, given)) in back.iter().zip(&values).enumerate() {
        let name = list.name(k).unwrap();
        let rounding = if name.contains("motion") { 50.0 * f64::EPSILON } else { 0.0 };
        assert!((back - given).abs() <= rounding, "{name}: {back} is not {given}");
    }
}

/// The largest double is a lock: a hinge that turns stops at once, and what reads it back locks.
#[test]
fn the_largest_number_locks_a_brake() {
    let mut sim = Simulation::new();
    let inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose([0.0; 3], UNROTATED)).unwrap();
    sim.build().set_body_velocity(body, &[0.0, 0.0, 0.0, 0.0, 0.0, 2.0]).unwrap();
    let hinge = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
    sim.inputs().set_joint_brake(hinge, false, 0.0).unwrap();
    sim.initialize(0.0).unwrap();
    let list = sim.given().input_list();
    let choice = list.choose(&[list.find("joint.0.brake").unwrap()]).unwrap();
    for refused in [-1.0, f64::INFINITY, f64::NAN] {
        let error = sim.inputs().set_chosen_inputs(&choice, &[refused]).unwrap_err().to_string();
        assert!(error.contains("joint.0.brake"), "{error}");
    }
    // A braking moment of 4 on an inertia of 1: 2 - 4 t, in one step.
    sim.inputs().set_chosen_inputs(&choice, &[4.0]).unwrap();
    sim.step(0.25).unwrap();
    let rate = |sim: &Simulation| sim.outputs().joint_coordinate(hinge).unwrap()[1];
    assert!((rate(&sim) - 1.0).abs() < 1e-12, "{}", rate(&sim));
    sim.inputs().set_chosen_inputs(&choice, &[f64::MAX]).unwrap();
    assert_eq!(JointMachines::of(&sim).brake(hinge, false).unwrap(), f64::INFINITY);
    sim.step(0.25).unwrap();
    assert!(rate(&sim).abs() < 1e-12, "{}", rate(&sim));
    let mut back = [0.0];
    sim.given().chosen_inputs(&choice, &mut back).unwrap();
    assert_eq!(back, [f64::MAX]);
}

#[test]
fn a_part_of_a_load_or_motion_leaves_the_rest_and_its_axes() {
    let mut sim = driven();
    sim.inputs().set_body_load(0, Frame::Body, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    let list = sim.given().input_list();
    // In any order, across entities.
    let chosen = ["marker.hull.load.mz", "body.0.load.fy", "body.hull.load.fx", "body.0.load.mx"];
    let chosen = list.choose(&chosen.map(|name| list.find(name).unwrap())).unwrap();
    // In phase BUILDING it acts at the initial time.
    sim.inputs().set_chosen_inputs(&chosen, &[-7.0, -2.0, -1.0, -4.0]).unwrap();
    let given = sim.given();
    assert_eq!(given.body_load(0, Frame::Body).unwrap(), [1.0, -2.0, 3.0, -4.0, 5.0, 6.0]);
    assert_eq!(given.body_load(HULL, Frame::Inertial).unwrap(), [-1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(given.marker_load(1, Frame::Body).unwrap()[5], -7.0);
    let mut twin = driven();
    twin.inputs().set_body_load(0, Frame::Body, &[1.0, -2.0, 3.0, -4.0, 5.0, 6.0]).unwrap();
    twin.inputs().set_body_load(HULL, Frame::Inertial, &[-1.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    twin.inputs().set_marker_load(1, Frame::Body, &[0.0, 0.0, 0.0, 0.0, 0.0, -7.0]).unwrap();
    for one in [&mut sim, &mut twin] {
        one.initialize(0.0).unwrap();
    }
    assert_eq!(value(&sim, "hull.acc.x").to_bits(), value(&twin, "hull.acc.x").to_bits());
    let velocity = list.choose(&[list.find(&format!("body.{MOVED}.motion.vel.x")).unwrap()]).unwrap();
    sim.inputs().set_chosen_inputs(&velocity, &[0.25]).unwrap();
    let (pose, v, _) = sim.given().body_motion(MOVED).unwrap();
    assert_eq!((v, pose[1]), ([0.25, 0.0, 0.0, 0.0, 0.0, 0.0], 20.0));
}

/// Between two orientations, as a table or a master interpolates them: the components are those of
/// a quaternion of norm below 1.
#[test]
fn a_quaternion_that_was_interpolated_is_normalised() {
    let mut sim = driven();
    let list = sim.given().input_list();
    let q = ["w", "x", "y", "z"].map(|axis| list.find(&format!("body.{MOVED}.motion.quat.{axis}")).unwrap());
    let choice = list.choose(&q).unwrap();
    let half = 0.5f64.sqrt();
    // Half way between no turn and a quarter turn about z: an eighth.
    sim.inputs().set_chosen_inputs(&choice, &[0.5 * (1.0 + half), 0.0, 0.0, 0.5 * half]).unwrap();
    let (pose, ..) = sim.given().body_motion(MOVED).unwrap();
    let eighth = std::f64::consts::PI / 8.0;
    assert!((pose[3] - eighth.cos()).abs() < 4.0 * f64::EPSILON && (pose[6] - eighth.sin()).abs() < 4.0 * f64::EPSILON);
    for bad in [[0.4, 0.0, 0.0, 0.0], [0.0; 4], [3.0, 0.0, 0.0, 0.0]] {
        let before = sim.given().body_motion(MOVED).unwrap();
        let error = sim.inputs().set_chosen_inputs(&choice, &bad).unwrap_err().to_string();
        assert!(error.contains(&format!("body.{MOVED}.motion.quat.w")) && error.contains("norm"), "{error}");
        assert_eq!(sim.given().body_motion(MOVED).unwrap(), before);
    }
}

#[test]
fn what_is_refused_leaves_all_inputs_as_they_were() {
    let mut building = driven();
    let (list, choice) = all(&building);
    let find = |name: &str| list.find(name).unwrap();
    let length = list.choose(&[find("body.3.load.fx"), find("line.0.length")]).unwrap();
    assert!(matches!(building.inputs().set_chosen_inputs(&length, &[5.0, 1.9]), Err(Error::BadPhase { .. })));
    assert_eq!(building.given().body_load(3, Frame::Inertial).unwrap(), [0.0; 6]);
    let drive = (0..list.len()).find(|k| list.name(*k).unwrap().ends_with("motion.rate")).unwrap();
    let rate = list.choose(&[drive]).unwrap();
    let error = building.inputs().set_chosen_inputs(&rate, &[1.0]).unwrap_err().to_string();
    assert!(error.contains("no motion of joint"), "{error}");
    assert!(building.given().chosen_inputs(&rate, &mut [0.0]).is_err());

    let mut sim = driven();
    sim.initialize(0.0).unwrap();
    let kept = some_values(&sim);
    sim.inputs().set_chosen_inputs(&choice, &kept).unwrap();
    let inputs = |sim: &Simulation| {
        let mut values = vec![0.0; list.len()];
        sim.given().chosen_inputs(&choice, &mut values).unwrap();
        values
    };
    let before = inputs(&sim);
    // Only the last value is wrong.
    for (bad, name) in [(f64::NAN, "line.0.length"), (f64::INFINITY, "line.0.length_rate"), (0.01, "line.0.length")] {
        let mut values: Vec<f64> = before.iter().map(|x| x + 1.0).collect();
        values[find(name)] = bad;
        let error = sim.inputs().set_chosen_inputs(&choice, &values).unwrap_err();
        assert!(bad.is_finite() || error.to_string().contains(name), "{error}");
        assert_eq!(inputs(&sim), before);
    }
    assert!(matches!(
        sim.inputs().set_chosen_inputs(&choice, &before[1..]),
        Err(Error::BadSize { argument: "values", .. })
    ));
    assert!(matches!(sim.given().chosen_inputs(&choice, &mut [0.0]), Err(Error::BadSize { .. })));
    for wrong in [vec![3, 5, 3], vec![list.len()]] {
        assert!(matches!(list.choose(&wrong), Err(Error::BadValue { .. })));
    }
    assert!(list.find("body.0.load.fw").is_none() && list.name(list.len()).is_err() && list.unit(list.len()).is_err());
    // A list of inputs of another model.
    let mut other = Simulation::new();
    let body = other.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    assert!(matches!(
        other.inputs().set_chosen_inputs(&choice, &before),
        Err(Error::BadId { .. } | Error::BadValue { .. })
    ));
    assert_eq!(other.given().body_load(body, Frame::Inertial).unwrap(), [0.0; 6]);
}

#[test]
fn no_two_inputs_have_the_same_name_whatever_entities_are_called() {
    let hostile = ["0", "1", "#1", "##1", "1.load", "0.motion", "hull", "hull.load", "load", "#", " ", "..", "é"];
    for shift in 0..hostile.len() {
        let mut sim = driven();
        for kind in [EntityKind::Body, EntityKind::Joint, EntityKind::Marker, EntityKind::Point] {
            for id in (0..sim.description().count(kind).min(hostile.len() as i32 - 1))
                .filter(|id| (*id as usize + shift) % 3 != 2)
            {
                // Names of a kind differ from each other, so those that are there go first.
                sim.build().set_name(kind, id, &format!("former {id}")).unwrap();
            }
            for id in (0..sim.description().count(kind).min(hostile.len() as i32 - 1))
                .filter(|id| (*id as usize + shift) % 3 != 2)
            {
                sim.build().set_name(kind, id, hostile[(id as usize + shift) % hostile.len()]).unwrap_or_default();
            }
        }
        let list = sim.given().input_list();
        let names: HashSet<&str> = (0..list.len()).map(|k| list.name(k).unwrap()).collect();
        assert_eq!(names.len(), list.len());
        assert!((0..list.len()).all(|k| list.find(list.name(k).unwrap()) == Some(k)));
    }
}

#[test]
fn the_tables_of_the_docs_are_the_inputs() {
    let page = include_str!("../../../docs/inputs.md");
    let mut told = BTreeSet::new();
    for row in page.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        for name in cells[1].split(", ").filter(|name| name.starts_with('`')).map(|name| name.trim_matches('`')) {
            told.insert((cells[0].to_owned(), name.to_owned(), cells[2].to_owned()));
        }
    }
    let sim = driven();
    let (list, labels) = (sim.given().input_list(), labels(&sim));
    let found: BTreeSet<_> = (0..list.len())
        .map(|k| {
            let ((kind, id), suffix) = (list.entity(k).unwrap(), list.suffix(k).unwrap());
            let label = &labels.iter().filter(|(_, other)| *other == kind.name()).nth(id as usize).unwrap().0;
            assert_eq!(list.name(k).unwrap(), format!("{}.{label}.{suffix}", kind.name()));
            (kind.name().to_owned(), suffix.to_owned(), list.unit(k).unwrap().to_owned())
        })
        .collect();
    assert_eq!(told, found);
}

/// The Rust of docs/inputs.md.
#[rustfmt::skip]
fn page(sim: &mut Simulation) -> pintle::Result<()> {
// The page begins.
let list = sim.given().input_list();
let names = ["body.hull.load.fx", "joint.yaw.load"];
let chosen = list.choose(&names.map(|name| list.find(name).unwrap()))?; // once
sim.inputs().set_chosen_inputs(&chosen, &[1e5, 2e3])?;                           // for the end of the coming step; allocates nothing
sim.step(0.01)?;
// The page ends.
    Ok(())
}

#[test]
fn code_of_the_page_runs() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/inputs.md")).unwrap();
    let shown = text.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block of Rust");
    let here = include_str!("inputs.rs").split("// The page begins.\n").nth(1).unwrap();
    assert_eq!(here.split("// The page ends.").next().unwrap(), shown, "here (left), in docs/inputs.md (right)");
    let mut sim = Simulation::new();
    let hull = sim
        .build()
        .add_rigid_body(1e6, &[0.0; 3], &[1e6, 1e6, 1e6, 0.0, 0.0, 0.0], &pose([0.0; 3], UNROTATED))
        .unwrap();
    let yaw = sim.build().add_joint_at(JointKind::Revolute, GROUND, hull, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
    sim.build().set_name(EntityKind::Body, hull, "hull").unwrap();
    sim.build().set_name(EntityKind::Joint, yaw, "yaw").unwrap();
    sim.initialize(0.0).unwrap();
    page(&mut sim).unwrap();
    assert_eq!(sim.given().body_load(hull, Frame::Inertial).unwrap()[0], 1e5);
}
