//! A model with every feature: each kind of entity and joint, each way to describe it, each option,
//! initial loads and motions. Each joint has bodies of its own, turned by angles without a pattern,
//! so that no number is a round one.

use crate::common::*;
use pintle::elements::InWater;
use pintle::model::{OPTION_KEYS, SHAPE_KINDS, Shape};
use pintle::{
    ContactLaw, Frame, FrictionLoad, GROUND, Id, JointKind, Simulation, add_clutch, add_shape, set_clutch_stop,
    set_joint_friction_load, set_joint_strength, set_tendon_friction, set_tendon_sheave,
};

/// Values that no default has.
const OPTIONS: [(&str, f64); 10] = [
    ("rho_inf", 0.85),
    ("abs_tolerance", 1.1e-9),
    ("rel_tolerance", 3.3e-8),
    ("max_iterations", 33.0),
    ("max_time_step", 0.007),
    ("input_order", 1.0),
    ("on_no_convergence", 2.0),
    ("convergence", 1.0),
    ("energy_tolerance", 1.7e-7),
    ("assemble", 1.0),
];

/// The model, in phase BUILDING; its initial state satisfies the joints.
pub fn everything() -> Simulation {
    let mut dice = Random(11);
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, -0.0, -9.81]).unwrap();
    for (key, value) in OPTIONS {
        assert!(OPTION_KEYS.contains(&key));
        sim.settings().set_option(key, value).unwrap();
    }
    let bodies: Vec<Id> = JointKind::ALL.iter().enumerate().map(|(k, _)| body(&mut sim, &mut dice, k)).collect();
    for (kind, body) in JointKind::ALL.into_iter().zip(&bodies) {
        joint(&mut sim, &mut dice, kind, *body);
    }
    let prescribed = body(&mut sim, &mut dice, 0);
    let free = body(&mut sim, &mut dice, 2);
    sim.build().set_body_prescribed(prescribed, true).unwrap();
    sim.inputs().set_body_motion(prescribed, &dice.pose(), &dice.many(), &dice.many()).unwrap();
    sim.build().set_body_velocity(free, &dice.many()).unwrap();
    sim.build().set_body_acceleration(free, &dice.many()).unwrap();
    sim.settings().set_added_mass(free, &dice.definite(), Frame::Body).unwrap();
    sim.settings().set_linear_damping(free, &dice.many(), Frame::Inertial).unwrap();
    sim.settings().set_quadratic_drag(free, &dice.definite(), Frame::Inertial).unwrap();
    let part = InWater { volume: 0.7, centre: dice.many::<3>().into() };
    sim.settings().set_body_in_water(free, Some(part)).unwrap();
    sim.settings()
        .set_added_mass(bodies[0], &std::array::from_fn(|k| if k % 7 == 0 { 0.3 } else { 0.0 }), Frame::Inertial)
        .unwrap();
    sim.inputs().set_body_load(free, Frame::Body, &dice.many()).unwrap();
    sim.inputs().set_body_load(bodies[3], Frame::Inertial, &[0.0; 6]).unwrap();

    sim.elements().add_spring(free, &dice.many(), GROUND, &dice.many(), 7.7, 0.3, 1.1, true).unwrap();
    sim.elements().add_spring(bodies[1], &dice.many(), bodies[2], &dice.many(), 0.7, 0.0, 2.2, false).unwrap();
    let (a, b) = (dice.pose(), dice.pose());
    sim.elements().add_bushing(prescribed, free, &a, &b, &dice.definite(), &dice.definite()).unwrap();
    pintle::set_bushing_table(&mut sim, 0, 1, &[-0.5, 0.9, 2.0], &[-3.0, 0.0, 8.0]).unwrap();
    pintle::set_bushing_table(&mut sim, 0, 5, &[-0.25, 0.25], &[-3.0, 1.0]).unwrap();
    pintle::set_bushing_preload(&mut sim, 0, &dice.many()).unwrap();
    sim.elements().add_cylinder(free, [&dice.many(), &dice.many()], 0.3, 7, [1.1, 0.9, 0.8, 0.7]).unwrap();
    sim.elements().add_cylinder(GROUND, [&dice.many(), &dice.many()], 0.4, 1, [0.0; 4]).unwrap();
    for law in 0..3 {
        let contact = match law {
            0 => sim.elements().add_contact_plane(GROUND, &dice.pose(), free, &dice.many(), 0.25),
            _ => sim.elements().add_contact_spheres(
                [bodies[2], free],
                [&dice.many(), &dice.many()],
                [0.75, 0.2],
                law == 2,
            ),
        };
        let (exponent, damping) = (if law == 2 { 1.5 } else { 1.0 }, 0.1);
        let numbers = [7.0, exponent, damping, 0.5, 0.25, 0.3, 1e-5];
        let [stiffness, exponent, damping, restitution, kinetic, holding, slip] = numbers;
        let law = ContactLaw { law, stiffness, exponent, damping, restitution, kinetic, holding, slip };
        let (contact, arms) = (contact.unwrap(), [0.5 * f64::from(law.law), 0.125]);
        sim.elements().set_contact_law(contact, law).unwrap();
        if law.law > 0 {
            pintle::set_contact_resistance(&mut sim, contact, arms).unwrap();
        }
    }
    sim.elements().add_contact_plane(free, &dice.pose(), GROUND, &dice.many(), 0.0).unwrap();
    let of = |kind| JointKind::ALL.iter().position(|own| *own == kind).unwrap() as Id;
    let between = [(of(JointKind::Screw), false), (of(JointKind::Cylindrical), true)];
    add_clutch(&mut sim, between, [-0.3, 1.25, 1e-7], [0.01, f64::INFINITY]).unwrap();
    let play = add_clutch(&mut sim, [between[1], between[0]], [0.7, 1.0, 0.0], [0.0, 0.02]).unwrap();
    set_clutch_stop(&mut sim, play, [-50.0, f64::INFINITY], 0, [1e4, 3.0, 0.0]).unwrap();
    let through = [GROUND, free, free, bodies[1], GROUND, free, bodies[2], GROUND];
    for n in [8, 2, 3] {
        let points: Vec<[f64; 3]> = (0..n).map(|_| dice.many()).collect();
        let damping = if n == 8 { 0.0 } else { 0.3 };
        sim.elements().add_tendon(&through[..n], &points, 70.0, damping, 2.0 * n as f64).unwrap();
    }
    // Points of a random tendon are near each other.
    set_tendon_sheave(&mut sim, 0, 1, 1e-9, &[0.3, -0.7, 0.1], 0.5).unwrap();
    [1, 3].into_iter().for_each(|point| set_tendon_friction(&mut sim, 0, point, 0.2).unwrap());
    sim.build().add_marker(free, &dice.pose()).unwrap();
    sim.build().add_marker(bodies[1], &dice.pose()).unwrap();
    sim.inputs().set_marker_load(1, Frame::Body, &dice.many()).unwrap();

    let points: [Id; 4] = std::array::from_fn(|_| sim.build().add_point(0.7, 0.1, &dice.many()).unwrap());
    sim.build().set_point_velocity(points[0], &dice.many()).unwrap();
    sim.build().fix_point(points[1]).unwrap();
    sim.build().attach_point(points[2], free, &dice.many()).unwrap();
    sim.build().set_point_prescribed(points[3], true).unwrap();
    sim.inputs().set_point_motion(points[3], &dice.many(), &dice.many(), &dice.many()).unwrap();
    for (point, next) in points.iter().zip(points.iter().cycle().skip(1)) {
        sim.inputs().set_point_load(*point, &dice.many()).unwrap();
        sim.elements().add_point_spring(*point, *next, 5.5, 0.2, 0.9, *point == points[2]).unwrap();
    }
    sim.elements().set_spring_table(3, &[0.5, 0.9, 2.0], &[-3.0, 0.0, 8.0]).unwrap();

    sim.build().set_point_drag(points[0], 0.3, 0.6).unwrap();
    let around = [
        ("water_density", 1.025),
        ("depth", 40.5),
        ("seabed_friction", 0.4),
        ("friction_slip", 0.03),
        ("seabed_adhesion", 0.3),
        ("wave_ramp", 12.5),
    ];
    for (key, value) in around {
        sim.settings().set_environment(key, value).unwrap();
    }
    sim.settings().set_current(&[0.0, 3.5], &[dice.many(), dice.many()]).unwrap();
    let [a, b, c, d] = [0, 1, 2, 3].map(|_| 90.0 + dice.signed());
    let grid = [[-100.0, -90.5, a], [100.25, -90.5, b], [-100.0, 90.0, c], [100.25, 90.0, d]];
    sim.settings().set_seabed_grid(&grid).unwrap();
    let mut node = |x: f64, time: f64| {
        let [u, v, w] = dice.many();
        [x, -7.5, 3.25, time, u, v, w]
    };
    let grid = [node(-30.5, 0.25), node(40.0, 0.25), node(-30.5, 9.5), node(40.0, 9.5)];
    sim.settings().set_current_grid(&grid).unwrap();
    let wave =
        |[amplitude, frequency, heading, phase]: [f64; 4]| pintle::model::Wave { amplitude, frequency, heading, phase };
    sim.settings().set_waves(vec![wave([0.3, 1.1, 0.2, -0.7]), wave([0.0, 2.1, -3.0, 40.0])]).unwrap();
    let given = pintle::model::LineType {
        diameter: 0.05,
        mass_per_length: 0.9,
        ea: 333.3,
        ba: -0.7,
        ei: 0.3,
        ..Default::default()
    };
    let [chain, rope, worn] = [(); 3].map(|()| sim.elements().add_line_type(given.clone()).unwrap());
    sim.elements().set_line_type_table(rope, "ea", &[0.0, 0.11, 0.5], &[0.0, 30.0, 300.3]).unwrap();
    sim.elements().set_line_type_table(rope, "ba", &[0.0, 1.1], &[0.0, 7.7]).unwrap();
    let law = pintle::model::Viscoelastic { stiffness: 444.4, slope: 5.5, damping: 6.6 };
    sim.elements().set_line_type_viscoelastic(chain, law).unwrap();
    sim.elements().set_line_type_table(worn, "ea", &[0.0, 0.1, 0.5], &[0.0, 30.0, 130.0]).unwrap();
    let curves = pintle::model::Syrope { curve: pintle::model::WorkingCurve::Quadratic, k1: 0.1, k2: 0.7 };
    let law = pintle::model::Viscoelastic { stiffness: 888.8, ..law };
    sim.elements().set_line_type_syrope(worn, law, curves).unwrap();
    sim.elements().add_line(chain, points[1], points[0], 3.3, 4).unwrap();
    sim.elements().add_line(rope, points[2], points[3], 2.2, 3).unwrap();
    sim.elements().clamp_line(0, 0, GROUND, &dice.many()).unwrap();
    sim.inputs().set_line_pressure(0, &dice.many::<5>()).unwrap();
    let spliced = sim.elements().add_line(rope, points[3], points[0], 1.1, 2).unwrap();
    sim.elements().join_lines([1, spliced], [1, 0]).unwrap();
    let aged = sim.elements().add_line(worn, points[3], points[0], 1.1, 2).unwrap();
    sim.inputs().set_line_largest_tensions(aged, &[40.4, 4.4]).unwrap();
    let spare = sim.build().add_point(0.0, 0.0, &dice.many()).unwrap();
    sim.elements().set_line_failure(&[0, 1], &[0, 0], 7.7, 0.0, -1).unwrap_err();
    sim.elements().set_line_failure(&[0], &[0], 7.7, 1e9, spare).unwrap();
    sim.elements().set_line_failure(&[1], &[1], 0.0, 1e9, -1).unwrap();
    sim.settings().add_moordyn_channel("Body1PX").unwrap();

    use pintle::EntityKind::*;
    let odd = "quote \" backslash \\ tab\t newline\n bell\u{7} häll";
    for (kind, id, name) in [
        (Body, bodies[0], "ground"),
        (Body, bodies[1], odd),
        (Body, free, "free"),
        (Joint, 4, odd),
        (Spring, 1, "rope"),
        (Bushing, 0, "# no comment"),
        (Cylinder, 1, "leg"),
        (Contact, 2, "bearing"),
        (Tendon, 1, "hoist"),
        (Marker, 0, "bow"),
        (Point, points[1], "ground"),
        (Point, points[2], odd),
        (LineType, rope, "rope"),
        (Line, 0, odd),
    ] {
        sim.build().set_name(kind, id, name).unwrap();
    }
    sim.settings().set_openfast_platform(0).unwrap();
    for (k, kind) in SHAPE_KINDS.iter().enumerate() {
        let numbers = |(name, count): &(&str, usize)| match *name {
            "frame" => dice.pose().to_vec(),
            "size" | "diameter" | "scale" => (0..*count).map(|_| dice.signed().abs()).collect(),
            _ => dice.many::<3>().to_vec(),
        };
        let numbers = kind.parts.iter().flat_map(numbers).collect();
        let file = if kind.name == "stl" { "parts/hull v1.stl".into() } else { String::new() };
        let (name, colour) = ([odd, ""][k % 2].into(), ["", "#01aBf9"][k % 2].into());
        add_shape(&mut sim, Shape { body: [GROUND, free][k % 2], kind, numbers, file, name, colour }).unwrap();
    }
    sim
}

/// A body somewhere, described in one of two ways.
fn body(sim: &mut Simulation, dice: &mut Random, k: usize) -> Id {
    let (mass, com) = (1.0 + 0.1 * k as f64, if k == 2 { [0.0; 3] } else { scale(0.3, dice.many()) });
    let inertia = [1.1, 1.2, 1.3, 0.1 * dice.signed(), 0.1 * dice.signed(), 0.1 * dice.signed()];
    if k.is_multiple_of(3) {
        let [xx, yy, zz, xy, xz, yz] = inertia;
        let matrix = mass_matrix(mass, com, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]);
        return sim.build().add_body(&std::array::from_fn(|k| matrix[k % 6][k / 6]), &dice.pose()).unwrap();
    }
    sim.build().add_rigid_body(mass, &com, &inertia, &dice.pose()).unwrap()
}

/// A joint between the ground and a body, with all that may act on its kind.
fn joint(sim: &mut Simulation, dice: &mut Random, kind: JointKind, body: Id) {
    let joint = match kind {
        JointKind::Distance => sim.build().add_joint(kind, GROUND, body, &dice.pose(), &dice.pose()).unwrap(),
        JointKind::Rolling => {
            // A plane that the disc touches where it is; its normal is not the axis of the disc.
            let radius = 0.75;
            let plane = pose([-radius, 0.0, 0.0], quat_exp([0.0, 1.2, 0.0]));
            let plane = mechanisms::compose(&sim.outputs().body_pose(body).unwrap(), &plane);
            let disc = sim.build().add_joint(kind, GROUND, body, &plane, &ORIGIN).unwrap();
            pintle::set_joint_radius(sim, disc, radius).unwrap();
            disc
        }
        _ => sim.build().add_joint_at(kind, GROUND, body, &scale(5.0, dice.many()), Some(&dice.many())).unwrap(),
    };
    match kind {
        JointKind::Revolute => {
            sim.build().set_joint_driven(joint, true).unwrap();
            sim.inputs().set_joint_motion(joint, 0.0, dice.signed(), dice.signed()).unwrap();
        }
        JointKind::Prismatic => sim.build().set_joint_driven(joint, true).unwrap(),
        JointKind::Screw => sim.build().set_joint_pitch(joint, 0.1 * dice.signed()).unwrap(),
        JointKind::Cylindrical => {
            sim.build().set_joint_spring(joint, 3.3, 0.1, dice.signed()).unwrap();
            sim.inputs().set_joint_load(joint, dice.signed()).unwrap();
            sim.build().set_joint_offset(joint, dice.signed()).unwrap();
            sim.build().set_joint_slide_spring(joint, 2.2, 0.3, dice.signed()).unwrap();
            sim.build().set_joint_slide_driven(joint, true).unwrap();
            sim.inputs().set_joint_slide_motion(joint, 0.0, dice.signed(), dice.signed()).unwrap();
            sim.inputs().set_joint_slide_load(joint, dice.signed()).unwrap();
            for (slide, rate, force) in [(false, 0.5, 0.2), (false, -1.0, -0.7), (false, 2.0, 0.4), (true, 1.5, 3.0)] {
                sim.build().add_joint_damper_point((joint, slide), rate, force).unwrap();
                sim.build().add_joint_spring_point((joint, slide), 0.1 * rate, force).unwrap();
            }
            let numbers = [0.1, 0.3, 0.01, 0.02, 1e-7];
            sim.build().set_joint_friction((joint, false), numbers).unwrap();
            let load = FrictionLoad { axial: -0.01, radial: 0.02, bending: 0.03, static_ratio: 1.25 };
            set_joint_friction_load(sim, (joint, false), load).unwrap();
            sim.inputs().set_joint_brake(joint, false, 0.2).unwrap();
            set_joint_strength(sim, joint, 1e9 + dice.signed(), f64::INFINITY).unwrap();
            sim.build().set_joint_stop((joint, false), [-200.0, f64::INFINITY], 2, [1e4, 0.0, 0.6]).unwrap();
        }
        _ => {}
    }
}
