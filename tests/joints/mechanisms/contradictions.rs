//! Redundant constraints are named; inconsistent ones are refused at `initialize`, with the joint.

use crate::mechanisms::kane::tight;
use pintle::{EntityKind, Error, GROUND, Id, JointKind, Simulation};

const INERTIA: [f64; 6] = [0.2, 0.3, 0.4, 0.0, 0.0, 0.0];

fn at(x: f64, y: f64) -> [f64; 7] {
    [x, y, 0.0, 1.0, 0.0, 0.0, 0.0]
}

fn body(sim: &mut Simulation, x: f64, y: f64) -> Id {
    sim.build().add_rigid_body(1.0, &[0.0; 3], &INERTIA, &at(x, y)).unwrap()
}

/// A four-bar in the xy plane, or in a plane that stands on the x axis.
fn four_bar(axis: [f64; 3]) -> Simulation {
    let mut sim = tight(0.8);
    let up = [0.0, axis[2], -axis[1]];
    let links: Vec<Id> = [[0.0, 0.5], [0.4, 1.0], [1.0, 0.4]]
        .map(|[x, s]| {
            let pose = [x, s * up[1], s * up[2], 1.0, 0.0, 0.0, 0.0];
            sim.build().add_rigid_body(1.0, &[0.0; 3], &INERTIA, &pose).unwrap()
        })
        .into();
    let ends = [GROUND, links[0], links[1], links[2], GROUND];
    for (k, [x, s]) in [[0.0, 0.0], [0.0, 1.0], [1.0, 1.2], [1.0, 0.0]].into_iter().enumerate() {
        let point = [x, s * up[1], s * up[2]];
        sim.build().add_joint_at(JointKind::Revolute, ends[k], ends[k + 1], &point, Some(&axis)).unwrap();
    }
    sim
}

#[test]
fn redundant_constraints_of_a_four_bar_are_named() {
    let mut sim = four_bar([0.0, 0.0, 1.0]);
    sim.build().set_name(EntityKind::Joint, 3, "closing").unwrap();
    assert!(matches!(sim.analysis().redundant_constraints(), Err(Error::BadPhase { .. })));
    sim.initialize(0.0).unwrap();
    let named = "joint 3 \"closing\" (REVOLUTE, bodies 2 and -1): 3 of its 5 constraints follow from the others: \
                 translation along inertial z, rotation about y, rotation about x";
    assert_eq!(sim.analysis().redundant_constraints().unwrap(), named);
    sim.advance(0.01).unwrap();
    assert_eq!(sim.analysis().redundant_constraints().unwrap(), named, "TRIAL");
    sim.mark_failed();
    assert_eq!(sim.analysis().redundant_constraints().unwrap(), named, "FAILED");

    // In another plane the axes are others, and as many constraints are redundant.
    let mut sim = four_bar([0.0, 0.6, 0.8]);
    sim.initialize(0.0).unwrap();
    let said = sim.analysis().redundant_constraints().unwrap();
    assert!(said.starts_with("joint 3 (REVOLUTE, bodies 2 and -1): 3 of its 5 constraints follow"), "{said}");
}

#[test]
fn every_joint_with_redundant_constraints_has_a_line() {
    let mut sim = tight(0.8);
    let (one, two) = (body(&mut sim, 0.0, 0.0), body(&mut sim, 1.0, 0.0));
    for kind in [JointKind::Fixed, JointKind::Prismatic] {
        sim.build().add_joint_at(kind, GROUND, one, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
    }
    sim.build().add_joint_at(JointKind::Spherical, one, two, &[0.5, 0.0, 0.0], None).unwrap();
    sim.build().add_joint(JointKind::Distance, GROUND, one, &at(0.0, 2.0), &at(0.0, 0.0)).unwrap();
    sim.initialize(0.0).unwrap();
    let said = sim.analysis().redundant_constraints().unwrap();
    let expected = [
        "joint 1 (PRISMATIC, bodies -1 and 0): 5 of its 5 constraints follow from the others: rotation about y, \
         rotation about x, rotation about z, translation along x, translation along y",
        "joint 3 (DISTANCE, bodies -1 and 0): 1 of its 1 constraints follows from the others: distance of the origins",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 6.0);
}

#[test]
fn nothing_is_said_where_nothing_is_redundant() {
    let mut sim = tight(0.8);
    let one = body(&mut sim, 0.0, 0.0);
    sim.build().add_joint_at(JointKind::Fixed, GROUND, one, &[0.0; 3], None).unwrap();
    sim.initialize(0.0).unwrap();
    assert_eq!(sim.analysis().redundant_constraints().unwrap(), "");
}

/// A function that adds inconsistent constraints, and the text that the message must contain.
type Contradiction = (&'static str, fn(&mut Simulation), &'static str);

fn weld(sim: &mut Simulation, second: &[f64; 7]) {
    let one = body(sim, 1.0, 0.0);
    for frame in [&at(1.0, 0.0), second] {
        sim.build().add_joint(JointKind::Fixed, GROUND, one, frame, &at(0.0, 0.0)).unwrap();
    }
}

fn drives(sim: &mut Simulation, [q, qd, qdd]: [f64; 3]) {
    let one = body(sim, 1.0, 0.0);
    for _ in 0..2 {
        let joint =
            sim.build().add_joint_at(JointKind::Revolute, GROUND, one, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
        sim.build().set_joint_driven(joint, true).unwrap();
    }
    sim.inputs().set_joint_motion(1, q, qd, qdd).unwrap();
}

fn prescribed(sim: &mut Simulation, [x, v, a]: [f64; 3]) {
    let one = body(sim, 1.0, 0.0);
    sim.build().set_body_prescribed(one, true).unwrap();
    sim.inputs()
        .set_body_motion(one, &at(1.0 + x, 0.0), &[v, 0.0, 0.0, 0.0, 0.0, 0.0], &[a, 0.0, 0.0, 0.0, 0.0, 0.0])
        .unwrap();
    sim.build().add_joint(JointKind::Fixed, GROUND, one, &at(1.0, 0.0), &at(0.0, 0.0)).unwrap();
}

fn rods(sim: &mut Simulation) {
    let (one, two) = (body(sim, 0.0, 0.0), body(sim, 1.0, 0.0));
    for _ in 0..2 {
        sim.build().add_joint(JointKind::Distance, one, two, &at(0.0, 0.0), &at(0.0, 0.0)).unwrap();
    }
    // The joint holds the bodies further apart than they are.
    sim.build().add_joint(JointKind::Fixed, one, two, &at(1.2, 0.0), &at(0.0, 0.0)).unwrap();
}

fn two_drives_of_a_four_bar(sim: &mut Simulation) {
    *sim = four_bar([0.0, 0.0, 1.0]);
    for joint in [0, 3] {
        sim.build().set_joint_driven(joint, true).unwrap();
    }
    sim.inputs().set_joint_motion(0, 0.0, 0.0, 0.5).unwrap();
}

const TURNED: [f64; 7] = [1.0, 0.0, 0.0, 0.8, 0.0, 0.0, 0.6];

#[test]
fn contradictory_constraints_are_refused_by_the_joint() {
    let of_positions: [Contradiction; 5] = [
        ("welded at two places", |sim| weld(sim, &at(1.1, 0.0)), "joint 1 (FIXED, bodies -1 and 0)"),
        ("welded at two angles", |sim| weld(sim, &TURNED), "joint 1 (FIXED, bodies -1 and 0)"),
        ("drives to two angles", |sim| drives(sim, [0.1, 0.0, 0.0]), "joint 1 (REVOLUTE, bodies -1 and 0)"),
        ("prescribed off its joint", |sim| prescribed(sim, [0.2, 0.0, 0.0]), "joint 0 (FIXED, bodies -1 and 0)"),
        ("rods of another length", rods, "joint 2 (FIXED, bodies 0 and 1)"),
    ];
    let of_rates: [Contradiction; 2] = [
        ("drives of two rates", |sim| drives(sim, [0.0, 0.2, 0.0]), "joint 1 (REVOLUTE, bodies -1 and 0)"),
        ("prescribed to leave", |sim| prescribed(sim, [0.0, 0.2, 0.0]), "joint 0 (FIXED, bodies -1 and 0)"),
    ];
    let of_accelerations: [Contradiction; 3] = [
        ("drives that part", |sim| drives(sim, [0.0, 0.0, 0.3]), "joint 1 (REVOLUTE, bodies -1 and 0)"),
        ("prescribed to part", |sim| prescribed(sim, [0.0, 0.0, 0.2]), "joint 0 (FIXED, bodies -1 and 0)"),
        ("two drives of one freedom", two_drives_of_a_four_bar, "joint 3 (REVOLUTE, bodies 2 and -1)"),
    ];
    let said = |(what, describe, joint): &Contradiction, assemble: f64| {
        let mut sim = tight(0.8);
        describe(&mut sim);
        sim.settings().set_option("assemble", assemble).unwrap();
        let error = sim.initialize(0.0).expect_err(what);
        assert!(error.to_string().contains(joint), "{what}: {error}");
        assert_eq!(sim.phase(), pintle::Phase::Building, "{what}");
        error
    };
    for case in of_positions.iter().chain(&of_rates) {
        // The initial poses do not satisfy the constraints; with option "assemble" the library
        // finds that no poses do.
        let error = said(case, 0.0);
        assert!(
            matches!(&error, Error::InconsistentState { detail } if detail.contains("option \"assemble\" = 1")),
            "{error}"
        );
        let error = said(case, 1.0);
        assert!(matches!(&error, Error::RedundantConstraints { .. }), "{}: {error}", case.0);
        assert!(error.to_string().contains("already fix its") && !error.to_string().contains("option"), "{error}");
    }
    for case in &of_accelerations {
        for assemble in [0.0, 1.0] {
            let error = said(case, assemble);
            assert!(matches!(&error, Error::RedundantConstraints { .. }), "{}: {error}", case.0);
            assert!(error.to_string().contains("accelerations tear"), "{error}");
        }
    }
}

#[test]
fn constraints_that_agree_are_accepted_whatever_moves() {
    // The same motion imposed twice, turning and accelerating.
    let mut sim = tight(0.8);
    drives(&mut sim, [0.0, 2.0, 3.0]);
    sim.inputs().set_joint_motion(0, 0.0, 2.0, 3.0).unwrap();
    sim.build().set_body_velocity(0, &[0.0, 2.0, 0.0, 0.0, 0.0, 2.0]).unwrap();
    sim.initialize(0.0).unwrap();
    assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 6.0);
}

#[test]
fn a_body_described_at_rest_is_set_in_motion_by_its_drive() {
    let mut sim = tight(0.8);
    sim.settings().set_option("assemble", 1.0).unwrap();
    let one = body(&mut sim, 1.0, 0.0);
    let joint =
        sim.build().add_joint_at(JointKind::Revolute, GROUND, one, &[0.1, 0.2, 0.3], Some(&[0.3, -0.5, 0.7])).unwrap();
    sim.build().set_joint_driven(joint, true).unwrap();
    sim.inputs().set_joint_motion(joint, 0.0, 0.123, 0.0).unwrap();
    sim.initialize(0.0).unwrap();
    assert!((sim.outputs().joint_coordinate(joint).unwrap()[1] - 0.123).abs() < 1e-15);
}

/// Bodies that are described far from their joints come to the solution with aligned axes, not to
/// one of those in which axes point the opposite way and the equations hold as well.
#[test]
fn option_assemble_aligns_axes_from_any_misalignment() {
    for kind in [JointKind::Fixed, JointKind::Revolute, JointKind::Prismatic, JointKind::Cylindrical] {
        for axis in [[0.0, 1.0, 0.0], [0.6, 0.0, 0.8], [0.48, 0.6, 0.64]] {
            for angle in [0.5f64, 1.2, 1.5, 1.7, 2.0, 2.5, 3.0, 3.1] {
                let mut sim = Simulation::new();
                sim.settings().set_option("assemble", 1.0).unwrap();
                // A pendulum of two bodies, so that the correction moves both.
                let turned = |angle: f64, x: f64| {
                    let (cos, sin) = ((0.5 * angle).cos(), (0.5 * angle).sin());
                    [x, 0.0, 0.0, cos, axis[0] * sin, axis[1] * sin, axis[2] * sin]
                };
                let inertia = [0.3, 0.4, 0.5, 0.0, 0.0, 0.0];
                let mut body = |pose: [f64; 7]| sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose).unwrap();
                let (one, two) = (body(turned(0.0, 0.0)), body(turned(angle, 1.0)));
                let ends = [at(0.5, 0.0), at(-0.5, 0.0)];
                sim.build().add_joint(JointKind::Spherical, GROUND, one, &at(0.0, 0.0), &at(0.0, 0.0)).unwrap();
                sim.build().add_joint(kind, one, two, &ends[0], &ends[1]).unwrap();
                let what = format!("{kind:?}, {angle} rad about {axis:?}");
                sim.initialize(0.0).unwrap_or_else(|error| panic!("{what}: {error}"));
                // Axes that point the opposite way are refused; here the equations hold to
                // rounding.
                let violation = sim.outputs().constraint_violation().unwrap().0;
                assert!(violation < 1e-12, "{what}: {violation:e}");
            }
        }
    }
}
