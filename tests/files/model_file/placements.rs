//! Poses and frames in the ways that people write them.

use crate::model_file::{load, saved};
use pintle::{EntityKind, Error};

/// A model of one body that is placed by some lines.
fn placed(lines: &str) -> String {
    format!("pintle_model = 1\n[[body]]\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n{lines}\n")
}

fn pose(lines: &str) -> [f64; 7] {
    let sim = load(placed(lines)).unwrap_or_else(|error| panic!("{lines}: {error}"));
    sim.description().body_initial_motion(0).unwrap().pose
}

fn assert_near(a: [f64; 7], b: [f64; 7], lines: &str) {
    // q and -q are the same rotation.
    let sign = if (3..7).map(|k| a[k] * b[k]).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
    for k in 0..7 {
        let other = if k < 3 { b[k] } else { sign * b[k] };
        assert!((a[k] - other).abs() < 1e-15, "{lines}: {a:?} and {b:?}");
    }
}

#[test]
fn all_ways_to_write_an_orientation_give_the_same_pose() {
    let half = 0.5f64.sqrt();
    for (expected, ways) in [
        (
            [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
            vec![
                "quat = [1, 0, 0, 0]",
                "euler_deg = [0, 0, 0]",
                "axis = [1, 2, 3]\nangle_deg = 0",
                "axis = [0, 0, 7]\nangle_deg = 360",
                "x_axis = [1, 0, 0]\nz_axis = [0, 0, 1]",
                "",
            ],
        ),
        // A quarter about z.
        (
            [0.0, 0.0, 0.0, half, 0.0, 0.0, half],
            vec![
                "quat = [0.707, 0, 0, 0.707]",
                "quat = [0.71, 0, 0, 0.71]",
                "euler_deg = [0, 0, 90]",
                "axis = [0, 0, 1e-300]\nangle_deg = 90",
                "axis = [0, 0, -1e300]\nangle_deg = -90",
                "x_axis = [0, 2, 5]\nz_axis = [0, 0, 3]",
            ],
        ),
        // A quarter of yaw, then a quarter of pitch about the new y axis: x goes to -z, z to y.
        (
            [0.0, 0.0, 0.0, 0.5, -0.5, 0.5, 0.5],
            vec![
                "euler_deg = [0, 90, 90]",
                "x_axis = [0, 0, -1]\nz_axis = [0, 1, 0]",
                "axis = [-1, 1, 1]\nangle_deg = 120",
                "quat = [-0.503, 0.503, -0.503, -0.503]",
            ],
        ),
    ] {
        for way in ways {
            assert_near(pose(&format!("position = [0, 0, 0]\n{way}")), expected, way);
        }
    }
    // The position, and a pose of few digits.
    assert_near(pose("position = [1, -2, 3]\neuler_deg = [0, 0, 90]"), [1.0, -2.0, 3.0, half, 0.0, 0.0, half], "");
    assert_near(pose("pose = [1, -2, 3, 0.707, 0, 0, 0.707]"), [1.0, -2.0, 3.0, half, 0.0, 0.0, half], "");
    assert_near(
        pose("pose = { position = [1, 2, 3], axis = [0, 0, 1], angle_deg = 180 }"),
        [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0],
        "",
    );
}

/// Roll, pitch and yaw are those of the channels.
#[test]
fn euler_angles_are_roll_pitch_and_yaw_of_the_channels() {
    let found = pose("position = [0, 0, 0]\neuler_deg = [10, -20, 130]");
    let angles = pintle::spatial::convert::quat_to_euler_zyx(&[found[3], found[4], found[5], found[6]]).unwrap();
    for (angle, degrees) in angles.iter().zip([10.0f64, -20.0, 130.0]) {
        assert!((angle - degrees.to_radians()).abs() < 1e-14, "{angles:?}");
    }
}

const FRAMES: &str = r#"
[[body]]
mass = 1
inertia = [1, 1, 1, 0, 0, 0]
position = [0, 0, 2]
[[joint]]
kind = "revolute"
body_a = 0
body_b = 1
frame_a = { position = [0, 0, 1], euler_deg = [-90, 0, 0] }
frame_b = { position = [0, 0, -1], x_axis = [1, 0, 0], z_axis = [0, 1, 0] }
[[bushing]]
body_a = "ground"
body_b = 1
frame_a = { position = [0, 0, 2] }
frame_b = { axis = [0, 0, 1], angle_deg = 0 }
stiffness = [1, 1, 1, 1, 1, 1]
[[marker]]
body = 1
frame = { position = [0, 0, 1], quat = [0.707, 0.707, 0, 0] }
"#;

#[test]
fn frames_are_written_in_the_same_ways_and_saved_as_seven_numbers() {
    let sim = load(placed("position = [0, 0, 0]") + FRAMES).unwrap_or_else(|error| panic!("{error}"));
    let half = 0.5f64.sqrt();
    let joint = sim.description().joint_info(0).unwrap();
    assert_near(joint.frames[0], [0.0, 0.0, 1.0, half, -half, 0.0, 0.0], "frame_a");
    assert_near(joint.frames[1], [0.0, 0.0, -1.0, half, -half, 0.0, 0.0], "frame_b");
    assert_near(sim.description().marker_info(0).unwrap().1, [0.0, 0.0, 1.0, half, half, 0.0, 0.0], "marker");
    let text = saved(&sim);
    assert!(!text.contains("position") && !text.contains("euler"), "{text}");
    let again = load(&text).unwrap();
    assert_eq!(saved(&again), text);
    assert_eq!(again.description().count(EntityKind::Bushing), 1);
}

#[test]
fn wrong_placements_are_refused_with_line_table_and_key() {
    for (lines, line, says) in [
        ("", 2, "body 0, key \"pose\": is missing"),
        ("euler_deg = [0, 0, 0]", 2, "body 0, key \"position\": is missing"),
        (
            "pose = [0, 0, 0, 1, 0, 0, 0]\nposition = [0, 0, 0]",
            6,
            "body 0, key \"position\": \"pose\" says the same in another way",
        ),
        ("position = [0, 0]", 5, "body 0, key \"position\": expected an array of 3 numbers, found an array of 2"),
        ("position = [0, nan, 0]", 5, "body 0, key \"position\": position[1] = NaN is not finite"),
        (
            "position = [0, 0, 0]\nquat = [1, 0, 0, 0]\neuler_deg = [0, 0, 0]",
            7,
            "body 0, key \"euler_deg\": \"quat\" says the same in another way",
        ),
        (
            "position = [0, 0, 0]\neuler_deg = [0, 0, 0]\nangle_deg = 3",
            7,
            "body 0, key \"angle_deg\": \"euler_deg\" says the same",
        ),
        (
            "position = [0, 0, 0]\nz_axis = [0, 0, 1]\naxis = [0, 0, 1]\nangle_deg = 3",
            6,
            "body 0, key \"z_axis\": \"axis\" says the same",
        ),
        ("position = [0, 0, 0]\naxis = [0, 0, 1]", 2, "body 0, key \"angle_deg\": is missing"),
        ("position = [0, 0, 0]\nangle_deg = 1", 2, "body 0, key \"axis\": is missing"),
        ("position = [0, 0, 0]\nx_axis = [0, 0, 1]", 2, "body 0, key \"z_axis\": is missing"),
        ("position = [0, 0, 0]\nz_axis = [0, 0, 1]", 2, "body 0, key \"x_axis\": is missing"),
        (
            "position = [0, 0, 0]\nquat = [0.9, 0, 0, 0]",
            6,
            "body 0, key \"quat\": quat: quaternion (0.9, 0, 0, 0) has norm 0.9, not 1",
        ),
        (
            "position = [0, 0, 0]\nquat = [0, 0, 0, 0]",
            6,
            "body 0, key \"quat\": quat: quaternion (0, 0, 0, 0) has norm 0, not 1",
        ),
        ("position = [0, 0, 0]\nquat = [1, inf, 0, 0]", 6, "body 0, key \"quat\": quat[1] = inf is not finite"),
        (
            "pose = [0, 0, 0, 1.011, 0, 0, 0]",
            5,
            "body 0, key \"pose\": pose: quaternion (1.011, 0, 0, 0) has norm 1.011, not 1",
        ),
        (
            "position = [0, 0, 0]\neuler_deg = [0, 0, nan]",
            6,
            "body 0, key \"euler_deg\": euler_deg[2] = NaN is not finite",
        ),
        ("position = [0, 0, 0]\naxis = [0, 0, 0]\nangle_deg = 1", 6, "body 0, key \"axis\": axis: has no direction"),
        (
            "position = [0, 0, 0]\naxis = [0, 0, 1]\nangle_deg = inf",
            7,
            "body 0, key \"angle_deg\": angle_deg = inf is not finite",
        ),
        (
            "position = [0, 0, 0]\nx_axis = [0, 0, 2]\nz_axis = [0, 0, 1]",
            6,
            "body 0, key \"x_axis\": x: is parallel to z",
        ),
        (
            "position = [0, 0, 0]\nx_axis = [1, 0, 0]\nz_axis = [0, 0, 0]",
            7,
            "body 0, key \"z_axis\": z_axis: has no direction",
        ),
        (
            "pose = { position = [0, 0, 0], euler = [0, 0, 0] }",
            5,
            "body 0, key \"pose.euler\": is unknown; known: position, quat",
        ),
        ("pose = { axis = [0, 0, 0], angle_deg = 1 }", 5, "body 0, key \"pose.axis\": axis: has no direction"),
    ] {
        let error = load(placed(lines)).err().unwrap_or_else(|| panic!("{lines} is accepted")).to_string();
        assert!(error.contains(&format!(" line {line}, {says}")), "{lines}: expected line {line}, {says}\n{error}");
    }
    let text =
        placed("position = [0, 0, 0]") + &FRAMES.replace("quat = [0.707, 0.707, 0, 0]", "quat = [0.707, 0, 0, 0]");
    let error = load(text).err().expect("no unit quaternion").to_string();
    assert!(
        error.contains("marker 0, key \"frame.quat\": quat: quaternion (0.707, 0, 0, 0) has norm 0.707"),
        "{error}"
    );
}

/// A pendulum whose rod is a tenth too long for its bearing.
const APART: &str = "
position = [1.1, 0, 0]
[[joint]]
name = \"pin\"
kind = \"revolute\"
body_a = \"ground\"
body_b = 0
frame_a = { euler_deg = [-90, 0, 0] }
frame_b = { position = [-1, 0, 0], euler_deg = [-90, 0, 0] }
";

#[test]
fn a_file_by_hand_is_assembled_unless_it_says_otherwise() {
    let mut sim = load(placed(APART)).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(sim.given().option("assemble"), Ok(1.0));
    sim.initialize(0.0).unwrap();
    let [x, y, z, ..] = sim.outputs().body_pose(0).unwrap();
    assert!((x.hypot(y).hypot(z) - 1.0).abs() < 1e-12, "{x} {y} {z}");
    let mut strict = load(placed(APART) + "[settings]\nassemble = 0\n").unwrap();
    let error = strict.initialize(0.0).unwrap_err();
    assert!(matches!(&error, Error::InconsistentState { detail } if detail.contains("\"pin\"")), "{error}");
}

/// The library writes the option in every file: a saved model keeps the host's.
#[test]
fn a_saved_model_keeps_its_option_assemble() {
    for given in [0.0, 1.0] {
        let mut sim = pintle::Simulation::new();
        sim.settings().set_option("assemble", given).unwrap();
        assert_eq!(load(saved(&sim)).unwrap().given().option("assemble"), Ok(given));
    }
}

#[test]
fn a_slip_of_the_keyboard_is_answered_with_the_word_that_was_meant() {
    let text = placed("name = \"hull\"\nposition = [0, 0, 0]");
    for (old, new, says) in [
        ("mass", "mas", "key \"mas\": is unknown; known: name, "),
        ("mass", "mas", "; did you mean \"mass\"?"),
        ("inertia =", "inertai =", "; did you mean \"inertia\"?"),
        ("[[body]]", "[[bdoy]]", "; did you mean \"body\"?"),
        ("[[body]]", "[settings]\nscheme = \"newmrk\"\n[[body]]", "; did you mean \"newmark\"?"),
        ("[[body]]", "[settings]\nrho_in = 1\n[[body]]", "; did you mean \"rho_inf\"?"),
        (
            "[[body]]",
            "[[marker]]\nbody = \"hulk\"\nframe = {}\n[[body]]",
            "no body is named \"hulk\"; did you mean \"hull\"?",
        ),
    ] {
        let error = load(text.replace(old, new)).err().expect("a slip").to_string();
        assert!(error.contains(says), "{error}");
    }
    for (old, new) in
        [("mass", "weight"), ("mass", "m"), ("[[body]]", &*format!("{} = 1\n[[body]]", "a".repeat(100_000)))]
    {
        let error = load(text.replace(old, new)).err().expect("no slip").to_string();
        assert!(error.contains("is unknown; known: ") && !error.contains("did you mean"), "{}", &error[..200]);
    }
}
