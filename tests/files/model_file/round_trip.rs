//! A model that is saved and loaded gives the same run, bit for bit.

use crate::common::Random;
use crate::model_file::everything::everything;
use crate::model_file::{load, saved};
use pintle::model::{OPTION_KEYS, Shape, ShapeKind};
use pintle::simulation::shapes;
use pintle::{EntityKind, Error, Frame, GROUND, JointKind, Simulation, add_shape};

const UPRIGHT: [f64; 7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

/// Runs two systems beside each other; all that a step depends on must agree, the fingerprint of
/// the model included.
fn assert_same_run(mut a: Simulation, mut b: Simulation, steps: usize) {
    a.initialize(0.5).unwrap();
    b.initialize(0.5).unwrap();
    for n in 0..=steps {
        let (of_a, of_b) = (a.save().unwrap().to_bytes(), b.save().unwrap().to_bytes());
        assert!(of_a == of_b, "after {n} steps");
        a.step(0.01).unwrap();
        b.step(0.01).unwrap();
    }
}

#[test]
fn a_model_with_everything_runs_bit_identically() {
    let original = everything();
    let text = saved(&original);
    let again = load(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(saved(&again), text);
    for key in OPTION_KEYS {
        assert_eq!(again.given().option(key), original.given().option(key));
    }
    assert_eq!(again.given().scheme(), original.given().scheme());
    for kind in EntityKind::ALL {
        assert_eq!(again.description().count(kind), original.description().count(kind));
    }
    for (kind, name) in
        [(EntityKind::Body, "ground"), (EntityKind::Bushing, "# no comment"), (EntityKind::Marker, "bow")]
    {
        assert_eq!(again.description().find(kind, name), original.description().find(kind, name), "{name}");
    }
    assert_eq!(shapes(&again), shapes(&original));
    assert_same_run(original, again, 50);
}

#[test]
fn shapes_change_neither_states_nor_fingerprints() {
    let one = "pintle_model = 1\n[[body]]\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\npose = [0, 0, 0, 1, 0, 0, 0]\n";
    let with = one.to_owned() + "[[shape]]\nbody = 0\nkind = \"sphere\"\ndiameter = 1\n";
    let [mut bare, mut shaped] = [one, &with].map(|text| load(text).unwrap());
    assert_same_run(bare.clone(), shaped.clone(), 3);
    bare.initialize(0.0).unwrap();
    shaped.initialize(0.0).unwrap();
    bare.step(0.1).unwrap();
    shaped.restore(&bare.save().unwrap()).unwrap();
    assert_eq!((shapes(&bare).len(), shapes(&shaped).len(), shapes(&shaped.clone()).len()), (0, 1, 1));
    assert_eq!(saved(&shaped).replace(&saved(&bare), "").matches("[[shape]]").count(), 1);
    let ball = shapes(&shaped)[0].clone();
    assert!(matches!(add_shape(&mut shaped, ball), Err(Error::BadPhase { .. })));
}

#[test]
fn a_shape_whose_file_is_in_another_folder_is_left_out() {
    let mut sim = load("pintle_model = 1").unwrap();
    let kind = ShapeKind::from_name("stl").unwrap();
    let numbers = [&[1.0][..], &UPRIGHT].concat();
    for file in ["/parts/plate.stl", "../plate.stl", "parts/plate.stl"] {
        let (file, numbers) = (file.into(), numbers.clone());
        let shape = Shape { body: GROUND, kind, numbers, file, name: String::new(), colour: String::new() };
        add_shape(&mut sim, shape).unwrap();
    }
    let text = saved(&sim);
    assert_eq!(shapes(&load(&text).unwrap()), &shapes(&sim)[2..]);
    let said = "# A shape of body = \"ground\" has the file \"../plate.stl\" in another folder: add it again.";
    assert!(text.contains(said), "{text}");
}

#[test]
fn given_initial_accelerations_come_back() {
    let mut original = everything();
    original.settings().set_option("initial_acceleration", 1.0).unwrap();
    let again = load(saved(&original)).unwrap();
    assert_same_run(original, again, 5);
}

#[test]
fn every_inertia_and_orientation_comes_back_to_the_bit() {
    let mut dice = Random(3);
    for _ in 0..300 {
        let mut original = Simulation::new();
        let q: [f64; 4] = crate::common::unit(std::array::from_fn(|_| dice.signed()));
        let pose = [dice.signed(), 1e9 * dice.signed(), 1e-9 * dice.signed(), q[0], q[1], q[2], q[3]];
        let size = 10f64.powf(6.0 * dice.signed());
        let products = std::array::from_fn::<f64, 3, _>(|_| 0.05 * size * dice.signed());
        let inertia = [size, 1.3 * size, 1.1 * size, products[0], products[1], products[2]];
        let com = std::array::from_fn(|_| dice.signed());
        original.build().add_rigid_body(size * dice.signed().abs(), &com, &inertia, &pose).unwrap();
        let a = original
            .build()
            .add_rigid_body(1.0, &[0.0, -0.0, 0.0], &[1.0, 1.0, 1.0, -0.0, 0.0, 0.0], &UPRIGHT)
            .unwrap();
        // Frames that the library composed, of norms that rounding left.
        let axis = std::array::from_fn(|_| dice.signed());
        original.build().add_joint_at(JointKind::Universal, 0, a, &[0.1, 0.2, 0.3], Some(&axis)).unwrap();
        let again = load(saved(&original)).unwrap();
        assert_eq!(saved(&again), saved(&original));
        assert_same_run(original, again, 1);
    }
}

#[test]
fn files_say_things_in_other_ways_too() {
    let short = "
pintle_model = 1
gravity = [0, 0, -9.81]
[settings]
scheme = \"generalized-alpha\"
max_time_step = inf
[[body]]
mass_matrix = [2, 2, 2, 0.5, 0.5, 0.5]
pose = [1, 0, 0, 1, 0, 0, 0]
name = \"arm\"
added_mass = { frame = \"body\", matrix = [[1, 0, 0, 0, 0, 0], [0, 2, 0, 0, 0, 0], [0, 0, 3, 0, 0, 0],
                                          [0, 0, 0, 4, 0, 0], [0, 0, 0, 0, 5, 0], [0, 0, 0, 0, 0, 6]] }
linear_damping = { frame = \"inertial\", matrix = [[0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0],
                                                  [0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 7], [0, 0, 0, 0, 0, 0]] }
[[joint]]
kind = \"REVOLUTE\"
body_a = -1
body_b = 0
point = [0, 0, 0]
axis = [0, 2, 0]
spring = { stiffness = 1_000 }
load = 4
[[marker]]
body = \"arm\"
frame = [0, 0, 1, 1, 0, 0, 0]
load = { frame = \"body\", wrench = [0, 0, 0, 1, 2, 3] }
";
    let mut by_calls = Simulation::new();
    by_calls.settings().set_option("assemble", 1.0).unwrap();
    by_calls.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let mass = std::array::from_fn(|k| if k % 7 == 0 { [2.0, 0.5][k / 21] } else { 0.0 });
    let arm = by_calls.build().add_body(&mass, &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
    by_calls.build().set_name(EntityKind::Body, arm, "arm").unwrap();
    let added = std::array::from_fn(|k| if k % 7 == 0 { (k / 7) as f64 + 1.0 } else { 0.0 });
    by_calls.settings().set_added_mass(arm, &added, Frame::Body).unwrap();
    // Row 0, column 1 and row 4, column 5: i + 6 j.
    let mut damping = [0.0; 36];
    (damping[6], damping[34]) = (1.0, 7.0);
    by_calls.settings().set_linear_damping(arm, &damping, Frame::Inertial).unwrap();
    by_calls.build().add_joint_at(JointKind::Revolute, GROUND, arm, &[0.0; 3], Some(&[0.0, 2.0, 0.0])).unwrap();
    by_calls.build().set_joint_spring(0, 1000.0, 0.0, 0.0).unwrap();
    by_calls.inputs().set_joint_load(0, 4.0).unwrap();
    by_calls.build().add_marker(arm, &[0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
    by_calls.inputs().set_marker_load(0, Frame::Body, &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]).unwrap();
    let loaded = load(short).unwrap();
    assert_eq!(saved(&loaded), saved(&by_calls));
    assert_same_run(loaded, by_calls, 20);
}

#[test]
fn a_loaded_model_may_be_added_to() {
    let mut sim = load("pintle_model = 1").unwrap();
    assert_eq!(sim.phase(), pintle::Phase::Building);
    sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &UPRIGHT).unwrap();
    sim.initialize(0.0).unwrap();
    sim.step(0.1).unwrap();
}

#[test]
fn motions_of_what_is_not_imposed_any_more_are_forgotten() {
    let mut sim = everything();
    sim.build().set_joint_driven(2, false).unwrap();
    sim.build().set_joint_slide_driven(4, false).unwrap();
    sim.build().set_body_prescribed(pintle::JointKind::ALL.len() as pintle::Id, false).unwrap();
    let text = saved(&sim);
    assert!(!text.contains("motion ") && !text.contains("[body.motion]"), "{text}");
    assert_same_run(sim, load(&text).unwrap(), 5);
}
