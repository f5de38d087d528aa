//! Errors in a file are reported with file, line and key; no contents of a file make the library
//! panic.

use crate::common::Random;
use crate::model_file::everything::everything;
use crate::model_file::{load, saved};
use pintle::Error;

/// A model, line by line; the tests spoil one line at a time.
const MODEL: &str = r#"pintle_model = 1
gravity = [0, 0, -9.81]
[settings]
scheme = "generalized-alpha"
rho_inf = 0.9
[[body]]
name = "one"
mass = 2.0
com = [0, 0, 0]
inertia = [1, 1, 1, 0, 0, 0]
pose = [0, 0, 0, 1, 0, 0, 0]
velocity = [0, 0, 0, 0, 0, 0]
prescribed = true
motion = { pose = [0, 0, 0, 1, 0, 0, 0], velocity = [0, 0, 0, 0, 0, 0], acceleration = [0, 0, 0, 0, 0, 0] }
load = { frame = "inertial", wrench = [0, 0, 1, 0, 0, 0] }
[body.added_mass]
frame = "body"
matrix = [1, 1, 1, 1, 1, 1]
[[body]]
name = "two"
mass_matrix = [3, 3, 3, 1, 1, 1]
pose = [2, 0, 0, 1, 0, 0, 0]
[[joint]]
kind = "revolute"
body_a = "ground"
body_b = "two"
point = [1, 0, 0]
axis = [0, 0, 1]
driven = true
motion = [0, 0, 0]
spring = { stiffness = 1, damping = 0 }
load = 1.5
[[joint]]
kind = "screw"
body_a = 0
body_b = "two"
frame_a = [2, 0, 0, 1, 0, 0, 0]
frame_b = [0, 0, 0, 1, 0, 0, 0]
pitch = 0.5
[[spring]]
body_a = "one"
point_a = [0, 0, 0]
body_b = "ground"
point_b = [0, 0, 5]
stiffness = 10
rest_length = 4
tension_only = true
[[bushing]]
body_a = "one"
body_b = "ground"
frame_a = [0, 0, 0, 1, 0, 0, 0]
frame_b = [0, 0, 0, 1, 0, 0, 0]
stiffness = [1, 2, 3, 4, 5, 6]
[[marker]]
name = "bow"
body = "two"
frame = [0, 0, 0, 1, 0, 0, 0]
[[point]]
name = "fair"
mass = 0
position = [0, 0, 1]
body = "one"
[[point]]
mass = 1.5
position = [0, 0, 3]
velocity = [0, 0, 0]
prescribed = true
motion = { position = [0, 0, 3], velocity = [0, 0, 0], acceleration = [0, 0, 0] }
load = [0, 0, 1]
[[spring]]
at_point_a = "fair"
at_point_b = 1
stiffness = 10
rest_length = 4
[[gear]]
joint_a = 0
joint_b = 1
ratio = 2
[[shape]]
body = "two"
kind = "stl"
file = "parts/hull.stl"
scale = 0.001
[[clutch]]
joint_a = 0
joint_b = 1
static_ratio = 1.5
"#;

/// The kind of error of a file.
#[derive(Debug, PartialEq)]
enum Status {
    Format,
    BadId,
    BadValue,
    NotFinite,
}

fn status(error: &Error) -> Status {
    match error {
        Error::Format { argument: "path", .. } => Status::Format,
        Error::InFile { cause, .. } => match **cause {
            Error::BadId { .. } => Status::BadId,
            Error::BadValue { .. } => Status::BadValue,
            Error::NotFinite { .. } => Status::NotFinite,
            _ => panic!("{error}"),
        },
        _ => panic!("{error}"),
    }
}

/// Replaces line `number` (from 1), which must be the one that starts so.
fn with_line(number: usize, starts: &str, new: &str) -> String {
    let mut lines: Vec<&str> = MODEL.lines().collect();
    assert!(lines[number - 1].starts_with(starts), "line {number} is {}", lines[number - 1]);
    lines[number - 1] = new;
    lines.join("\n")
}

#[test]
fn every_mistake_is_refused_with_file_line_and_key() {
    load(MODEL).unwrap();
    use Status::*;
    #[rustfmt::skip] // one line each: line, how it starts, what stands there instead, status, what is said behind the line
    let mistakes = [
        // Versions and syntax.
        (1, "pintle", "", Format, 1, ", key \"pintle_model\": is missing"),
        (1, "pintle", "pintle_model = 2", Format, 1, ", key \"pintle_model\": 2 is not a version of model files that this library reads, which is 1"),
        (1, "pintle", "pintle_model = \"1\"", Format, 1, ", key \"pintle_model\": expected an integer, found a string"),
        (8, "mass", "mass = ", Format, 8, ": "),
        (8, "mass", "mass 2", Format, 8, ": "),
        (8, "mass", "mass = 2 # \u{7f}", Format, 8, ": "),
        (20, "name", "name = \"two", Format, 20, ": "),
        (9, "com", "mass = 3.0", Format, 9, ": duplicate key"),
        (23, "[[joint", "[[joint]", Format, 23, ": "),
        (2, "gravity", "openfast_platform = 7", Format, 2, ", key \"openfast_platform\": 7 is not a body: the model has 2"),
        (2, "gravity", "openfast_platform = \"nobody\"", Format, 2, ", key \"openfast_platform\": no body is named \"nobody\""),
        // Unknown keys: in each table.
        (2, "gravity", "gravitation = [0, 0, 0]", Format, 2, ", key \"gravitation\": is unknown; known: pintle_model, gravity, openfast_platform, moordyn_channels, settings, environment, body, beam, joint, point, spring, bushing, cylinder, contact, tendon, marker, gear, clutch, line_type, line, line_joint, line_failure, input, shape"),
        (5, "rho", "rho = 0.5", Format, 5, ", key \"settings.rho\": is unknown; known: scheme, rho_inf, abs_tolerance"),
        (12, "velocity", "speed = [0, 0, 0, 0, 0, 0]", Format, 12, ", body 0, key \"speed\": is unknown; known: name, mass, com"),
        (14, "motion", "motion = { place = 0 }", Format, 14, ", body 0, key \"motion.place\": is unknown; known: pose, velocity, acceleration"),
        (15, "load", "load = { frame = \"body\", force = [0] }", Format, 15, ", body 0, key \"load.force\": is unknown; known: frame, wrench"),
        (17, "frame", "frames = \"body\"", Format, 17, ", body 0, key \"added_mass.frames\": is unknown; known: frame, matrix"),
        (31, "spring", "spring = { k = 1 }", Format, 31, ", joint 0, key \"spring.k\": is unknown; known: stiffness, damping, rest"),
        (39, "pitch", "lead = 1", Format, 39, ", joint 1, key \"lead\": is unknown; known: name, kind"),
        (47, "tension", "rope = true", Format, 47, ", spring 0, key \"rope\": is unknown; known: name, body_a, body_b, at_point_a, at_point_b, point_a"),
        (53, "stiff", "stiffnes = [1, 2, 3, 4, 5, 6]", Format, 53, ", bushing 0, key \"stiffnes\": is unknown; known: name, body_a"),
        (49, "body_a", "at_point_a = \"fair\"", Format, 49, ", bushing 0, key \"at_point_a\": is unknown; known: name, body_a, body_b, frame_a"),
        (55, "name", "nam = \"bow\"", Format, 55, ", marker 0, key \"nam\": is unknown; known: name, body, frame, load"),
        // Missing keys, named at the head of their table.
        (8, "mass", "", Format, 6, ", body 0, key \"mass\": is missing"),
        (10, "inertia", "", Format, 6, ", body 0, key \"inertia\": is missing"),
        (11, "pose", "", Format, 6, ", body 0, key \"pose\": is missing"),
        (17, "frame", "", Format, 16, ", body 0, key \"added_mass.frame\": is missing"),
        (14, "motion", "motion = { pose = [0, 0, 0, 1, 0, 0, 0], velocity = [0, 0, 0, 0, 0, 0] }", Format, 14, ", body 0, key \"motion.acceleration\": is missing"),
        (24, "kind", "", Format, 23, ", joint 0, key \"kind\": is missing"),
        (26, "body_b", "", Format, 23, ", joint 0, key \"body_b\": is missing"),
        (27, "point", "", Format, 23, ", joint 0, key \"point\": is missing"),
        (28, "axis", "", Format, 23, ", joint 0, key \"axis\": is missing"),
        (38, "frame_b", "", Format, 33, ", joint 1, key \"frame_b\": is missing"),
        (46, "rest", "", Format, 40, ", spring 0, key \"rest_length\": is missing"),
        // Types and sizes.
        (2, "gravity", "gravity = 9.81", Format, 2, ", key \"gravity\": expected an array of 3 numbers, found the number 9.81"),
        (2, "gravity", "gravity = [0, 0]", Format, 2, ", key \"gravity\": expected an array of 3 numbers, found an array of 2"),
        (2, "gravity", "gravity = [0, 0, \"g\"]", Format, 2, ", key \"gravity\": expected an array of 3 numbers, found an array of 3, where element [2] is a string"),
        (2, "gravity", "moordyn_channels = [\"FairTen1\", 2]", Format, 2, ", key \"moordyn_channels\": expected an array of strings, found an array of 2, where element [1] is the integer 2"),
        (11, "pose", "pose = [0, 0, 0, 1, 0, true, 0]", Format, 11, ", body 0, key \"pose\": expected an array of 7 numbers, found an array of 7, where element [5] is true"),
        (11, "pose", "pose = [0, 0, 0, 1e999, 0, 0, 0]", Format, 11, ", body 0, key \"pose\": expected an array of 7 numbers, found an array of 7, where element [3] is the number 1e999"),
        (18, "matrix", "matrix = [1, 1, 1, \"\", 1, 1]", Format, 18, ", body 0, key \"added_mass.matrix\": expected 6 rows of 6 numbers, or the 6 numbers of a diagonal, found an array of 6, where element [3] is a string"),
        (18, "matrix", "matrix = [[0,0,0,0,0,0], [0,0,0,0,0,0], [0,0,0,0,0], [0,0,0,0,0,0], [0,0,0,0,0,0], [0,0,0,0,0,0]]", Format, 18, ", body 0, key \"added_mass.matrix\": expected 6 rows of 6 numbers, or the 6 numbers of a diagonal, found an array of 6, where row [2] is an array of 5"),
        (18, "matrix", "matrix = [[0,0,0,0,0,0], [0,0,0,{},0,0], [0,0,0,0,0,0], [0,0,0,0,0,0], [0,0,0,0,0,0], [0,0,0,0,0,0]]", Format, 18, ", body 0, key \"added_mass.matrix\": expected 6 rows of 6 numbers, or the 6 numbers of a diagonal, found an array of 6, where row [1] is an array of 6, where element [3] is a table"),
        (5, "rho", "rho_inf = true", Format, 5, ", key \"settings.rho_inf\": expected a number, found true"),
        (7, "name", "name = 1", Format, 7, ", body 0, key \"name\": expected a string, found the integer 1"),
        (8, "mass", "mass = 1e999", Format, 8, ", body 0, key \"mass\": expected a number, found the number 1e999"),
        (8, "mass", "mass = 0x10", Format, 8, ", body 0, key \"mass\": expected a number, found the integer 0x10"),
        (8, "mass", "mass = 2000-01-01", Format, 8, ", body 0, key \"mass\": expected a number, found a date"),
        (11, "pose", "pose = [0, 0, 0, 1, 0, 0]", Format, 11, ", body 0, key \"pose\": expected an array of 7 numbers, found an array of 6"),
        (13, "prescribed", "prescribed = 1", Format, 13, ", body 0, key \"prescribed\": expected true or false, found the integer 1"),
        (15, "load", "load = [0, 0, 1, 0, 0, 0]", Format, 15, ", body 0, key \"load\": expected a table, found an array of 6"),
        (18, "matrix", "matrix = [1, 2, 3]", Format, 18, ", body 0, key \"added_mass.matrix\": expected 6 rows of 6 numbers, or the 6 numbers of a diagonal, found an array of 3"),
        (21, "mass_matrix", "mass_matrix = [[3], [3], [3], [1], [1], [1]]", Format, 21, ", body 1, key \"mass_matrix\": expected 6 rows of 6 numbers"),
        (25, "body_a", "body_a = 0.5", Format, 25, ", joint 0, key \"body_a\": expected the name or the id of a body, or \"ground\", found the number 0.5"),
        (25, "body_a", "body_a = 99999999999", Format, 25, ", joint 0, key \"body_a\": expected the name or the id of a body"),
        (54, "[[marker", "[marker]", Format, 54, ", key \"marker\": expected tables, each under its own [[marker]], found a table"),
        // Two ways at once.
        (20, "name", "mass = 3", Format, 20, ", body 1, key \"mass\": \"mass_matrix\" says the same in another way"),
        (12, "velocity", "inertia_about_reference = [1, 1, 1, 0, 0, 0]", Format, 12, ", body 0, key \"inertia_about_reference\": \"inertia\" says the same in another way"),
        (39, "pitch", "point = [0, 0, 0]", Format, 39, ", joint 1, key \"point\": \"frame_a\" says the same in another way"),
        // Names and ids of bodies.
        (26, "body_b", "body_b = \"three\"", Format, 26, ", joint 0, key \"body_b\": no body is named \"three\""),
        (56, "body", "body = \"one \"", Format, 56, ", marker 0, key \"body\": no body is named \"one \""),
        (35, "body_a", "body_a = 7", BadId, 35, ", joint 1, key \"body_a\": body_a = 7 is not a body: the model has 2"),
        (56, "body", "body = \"ground\"", BadId, 56, ", marker 0, key \"body\": body = -1 is not a body: the model has 2"),
        (26, "body_b", "body_b = \"ground\"", BadValue, 26, ", joint 0, key \"body_b\": body_b: -1 is body_a too"),
        (20, "name", "name = \"one\"", BadValue, 20, ", body 1, key \"name\": name: \"one\" is the name of body 0"),
        (20, "name", "name = \"b\\u0000c\"", BadValue, 20, ", body 1, key \"name\": name: has a NUL as byte 1"),
        (55, "name", "name = \"\\u0000\"", BadValue, 55, ", marker 0, key \"name\": name: has a NUL as byte 0"),
        (20, "name", "name = \"\"", BadValue, 20, ", body 1, key \"name\": name: has 0 bytes"),
        // Values that functions refuse.
        (2, "gravity", "gravity = [0, nan, 0]", NotFinite, 2, ", key \"gravity\": gravity[1] = NaN is not finite"),
        (4, "scheme", "scheme = \"magic\"", BadValue, 4, ", key \"settings.scheme\": name: \"magic\" is not a scheme"),
        (5, "rho", "rho_inf = 1.5", BadValue, 5, ", key \"settings.rho_inf\": value: 1.5 for \"rho_inf\", expected 0 to 1"),
        (5, "rho", "rho_inf = inf", NotFinite, 5, ", key \"settings.rho_inf\": value = inf is not finite"),
        (8, "mass", "mass = -1", BadValue, 8, ", body 0, key \"mass\": mass: -1 is negative"),
        (9, "com", "com = [0, inf, 0]", NotFinite, 9, ", body 0, key \"com\": com[1] = inf is not finite"),
        (10, "inertia", "inertia = [1, 1, 3, 0, 0, 0]", BadValue, 10, ", body 0, key \"inertia\": inertia: principal inertias"),
        (10, "inertia", "inertia_about_reference = [1, 1, 3, 0, 0, 0]", BadValue, 10, ", body 0, key \"inertia_about_reference\": inertia_about_reference: principal inertias"),
        (10, "inertia", "inertia_about_reference = [1, 1, nan, 0, 0, 0]", NotFinite, 10, ", body 0, key \"inertia_about_reference\": inertia_about_reference[2] = NaN"),
        (11, "pose", "pose = [0, 0, 0, 2, 0, 0, 0]", BadValue, 11, ", body 0, key \"pose\": pose: quaternion (2, 0, 0, 0) has norm 2, not 1"),
        (12, "velocity", "velocity = [0, 0, 0, 0, 0, nan]", NotFinite, 12, ", body 0, key \"velocity\": velocity[5]"),
        (12, "velocity", "acceleration = [0, 0, 0, 0, 0, nan]", NotFinite, 12, ", body 0, key \"acceleration\": acceleration[5]"),
        (13, "prescribed", "", BadValue, 14, ", body 0, key \"motion\": body: body 0 is not prescribed"),
        (14, "motion", "motion = { pose = [0, 0, nan, 1, 0, 0, 0], velocity = [0, 0, 0, 0, 0, 0], acceleration = [0, 0, 0, 0, 0, 0] }", NotFinite, 14, ", body 0, key \"motion.pose\": pose[2] = NaN"),
        (15, "load", "load = { frame = \"here\", wrench = [0, 0, 0, 0, 0, 0] }", BadValue, 15, ", body 0, key \"load.frame\": frame: \"here\" is unknown; known: inertial, body"),
        (15, "load", "load = { frame = \"body\", wrench = [0, 0, inf, 0, 0, 0] }", NotFinite, 15, ", body 0, key \"load.wrench\": wrench[2] = inf"),
        (18, "matrix", "matrix = [1, 1, 1, 1, 1, -1]", BadValue, 18, ", body 0, key \"added_mass.matrix\": a: not positive semi-definite"),
        (21, "mass_matrix", "mass_matrix = [3, 3, 4, 1, 1, 1]", BadValue, 21, ", body 1, key \"mass_matrix\": mass: not the matrix of a rigid body"),
        (24, "kind", "kind = \"hinge\"", BadValue, 24, ", joint 0, key \"kind\": kind: \"hinge\" is unknown; known: fixed, spherical, revolute,"),
        (24, "kind", "kind = \"distance\"", BadValue, 24, ", joint 0, key \"kind\": kind: a DISTANCE joint lies between two points"),
        (28, "axis", "axis = [0, 0, 0]", BadValue, 28, ", joint 0, key \"axis\": axis: has no direction"),
        (29, "driven", "", BadValue, 30, ", joint 0, key \"motion\": joint: joint 0 is not driven"),
        (31, "spring", "spring = { stiffness = -1 }", BadValue, 31, ", joint 0, key \"spring.stiffness\": stiffness: -1 is negative"),
        (32, "load", "load = nan", NotFinite, 32, ", joint 0, key \"load\": generalized_force = NaN"),
        (39, "pitch", "pitch = 0", BadValue, 39, ", joint 1, key \"pitch\": pitch: 0 is no screw"),
        (34, "kind", "kind = \"spherical\"", BadValue, 39, ", joint 1, key \"pitch\": joint: joint 1 is SPHERICAL"),
        (45, "stiffness", "stiffness = -10", BadValue, 45, ", spring 0, key \"stiffness\": stiffness: -10 is negative"),
        (44, "point_b", "point_b = [0, 0, nan]", NotFinite, 44, ", spring 0, key \"point_b\": point_b[2]"),
        (52, "frame_b", "frame_b = [0, 0, 0, 0, 0, 0, 0]", BadValue, 52, ", bushing 0, key \"frame_b\": frame_b: quaternion"),
        (53, "stiffness", "stiffness = [1, 2, 3, 4, 5, nan]", NotFinite, 53, ", bushing 0, key \"stiffness\": stiffness[35]"),
        (57, "frame", "frame = [0, 0, 0, 1, 1, 0, 0]", BadValue, 57, ", marker 0, key \"frame\": frame: quaternion"),
        // Points, springs between them, gears.
        (59, "name", "nam = \"x\"", Format, 59, ", point 0, key \"nam\": is unknown; known: "),
        (60, "mass", "mass = -1", BadValue, 60, ", point 0, key \"mass\": mass: -1 is negative"),
        (60, "mass", "volume = inf", NotFinite, 60, ", point 0, key \"volume\": volume = inf"),
        (61, "position", "", Format, 58, ", point 0, key \"position\": is missing"),
        (61, "position", "position = [0, nan, 1]", NotFinite, 61, ", point 0, key \"position\": position[1] = NaN"),
        (62, "body", "body = \"three\"", Format, 62, ", point 0, key \"body\": no body is named \"three\""),
        (62, "body", "body = \"ground\"", Format, 62, ", point 0, key \"body\": no body is named \"ground\""),
        (62, "body", "body = 2", BadId, 62, ", point 0, key \"body\": body = 2 is not a body: the model has 2"),
        (60, "mass", "fixed = true", BadValue, 60, ", point 0, key \"fixed\": point: point 0 \"fair\" is attached to body 0 \"one\" already"),
        (60, "mass", "load = [0, 0, nan]", NotFinite, 60, ", point 0, key \"load\": force[2] = NaN"),
        (66, "velocity", "velocity = [0, 0, inf]", NotFinite, 66, ", point 1, key \"velocity\": velocity[2] = inf"),
        (67, "prescribed", "", BadValue, 68, ", point 1, key \"motion\": point: point 1 is not prescribed"),
        (60, "mass", "velocity = [0, 0, 1]", BadValue, 60, ", point 0, key \"velocity\": point: point 0 \"fair\" is fixed or attached: it has no velocity of its own"),
        (67, "prescribed", "fixed = true", BadValue, 66, ", point 1, key \"velocity\": point: point 1 is fixed or attached: it has no velocity of its own"),
        (66, "velocity", "fixed = true", BadValue, 67, ", point 1, key \"prescribed\": point: point 1 is fixed already"),
        (68, "motion", "motion = { position = [0, nan, 3], velocity = [0, 0, 0], acceleration = [0, 0, 0] }", NotFinite, 68, ", point 1, key \"motion.position\": position[1] = NaN"),
        (68, "motion", "motion = { position = [0, 0, 3], velocity = [0, 0, 0] }", Format, 68, ", point 1, key \"motion.acceleration\": is missing"),
        (71, "at_point_a", "at_point_a = \"bow\"", Format, 71, ", spring 1, key \"at_point_a\": no point is named \"bow\""),
        (71, "at_point_a", "at_point_a = 2", BadId, 71, ", spring 1, key \"at_point_a\": point = 2 is not a point"),
        (71, "at_point_a", "at_point_a = 1", Format, 72, ", spring 1, key \"at_point_b\": is at_point_a too"),
        (71, "at_point_a", "", Format, 72, ", spring 1, key \"at_point_b\": goes with at_point_a"),
        (72, "at_point_b", "", Format, 71, ", spring 1, key \"at_point_a\": goes with at_point_b"),
        (72, "at_point_b", "body_b = \"two\"", Format, 71, ", spring 1, key \"at_point_a\": goes with at_point_b"),
        (73, "stiffness", "stiffness = -1", BadValue, 73, ", spring 1, key \"stiffness\": stiffness: -1 is negative"),
        (76, "joint_a", "joint_a = \"yaw\"", Format, 76, ", gear 0, key \"joint_a\": no joint is named \"yaw\""),
        (80, "body", "body = \"three\"", Format, 80, ", shape 0, key \"body\": no body is named \"three\""),
        (80, "body", "body = 2", BadId, 80, ", shape 0, key \"body\": body = 2 is not a body: the model has 2"),
        (81, "kind", "kind = \"cube\"", BadValue, 81, ", shape 0, key \"kind\": kind: \"cube\" is no kind of shape; known: box, cylinder, capsule, sphere, stl"),
        (81, "kind", "kind = \"sphere\"", Format, 82, ", shape 0, key \"file\": is unknown; known: name, body, kind, colour, position, diameter"),
        (82, "file", "", Format, 79, ", shape 0, key \"file\": is missing"),
        (82, "file", "file = \"\"", BadValue, 82, ", shape 0, key \"file\": file: is missing"),
        (82, "file", "file = \"../hull.stl\"", Format, 82, ", shape 0, key \"file\": \"../hull.stl\" is not in the folder of the model"),
        (83, "scale", "scale = 0", BadValue, 83, ", shape 0, key \"scale\": scale: 0 is not above 0"),
        (83, "scale", "frame = [0, 0, nan, 1, 0, 0, 0]", NotFinite, 83, ", shape 0, key \"frame\": frame[2] = NaN"),
        (83, "scale", "colour = \"red\"", BadValue, 83, ", shape 0, key \"colour\": colour: \"red\" is no colour such as"),
        (83, "scale", "name = \"\\u0000\"", BadValue, 83, ", shape 0, key \"name\": name: has a NUL as byte 0"),
        (77, "joint_b", "joint_b = 2", BadId, 77, ", gear 0, key \"joint_b\": joint_b = 2 is not a joint"),
        (77, "joint_b", "joint_b = 0", BadValue, 77, ", gear 0, key \"joint_b\": joint_b: "),
        (39, "pitch", "pitch = 1\nstrength_force = -1", BadValue, 40, ", joint 1, key \"strength_force\": force: -1 is no strength of joint 1"),
        (39, "pitch", "pitch = 1\nstrength_moment = nan", NotFinite, 40, ", joint 1, key \"strength_moment\": moment = NaN"),
        (85, "joint_a", "joint_a = \"yaw\"", Format, 85, ", clutch 0, key \"joint_a\": no joint is named \"yaw\""),
        (86, "joint_b", "joint_b = 0", BadValue, 86, ", clutch 0, key \"joint_b\": joint_b: 0 is joint_a too"),
        (86, "joint_b", "joint_b = 1\nslide_b = true", BadValue, 87, ", clutch 0, key \"slide_b\": slide_b: 1: joint 1 is SCREW"),
        (87, "static_ratio", "static_ratio = 0.5", BadValue, 87, ", clutch 0, key \"static_ratio\": static_ratio: 0.5 is below 1"),
        (87, "static_ratio", "capacity_back = -1", BadValue, 87, ", clutch 0, key \"capacity_back\": capacity_back: -1 is negative"),
        (87, "static_ratio", "slip = nan", NotFinite, 87, ", clutch 0, key \"slip\": slip = NaN"),
        (78, "ratio", "ratio = 0", BadValue, 78, ", gear 0, key \"ratio\": ratio: "),
        (78, "ratio", "joints = [0, 1]", Format, 76, ", gear 0, key \"joint_a\": a gear has joint_a, joint_b and ratio, or joints and coefficients"),
    ];
    let mut faults = Vec::new();
    for (number, starts, new, expected, line, says) in mistakes {
        let error = load(with_line(number, starts, new)).err().unwrap_or_else(|| panic!("`{new}` is accepted"));
        let said = error.to_string();
        assert_eq!(status(&error), expected, "`{new}`: {said}");
        let (file, rest) = said.strip_prefix("path: \"").and_then(|rest| rest.split_once("\" line ")).expect(&said);
        assert!(file.ends_with(".toml") && file.starts_with('/'), "{said}");
        assert!(!said.contains('\n'), "{said}");
        if !rest.starts_with(&format!("{line}{says}")) {
            faults.push(format!("`{new}`: expected line {line}{says}\n{said}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn files_that_are_no_text_are_refused() {
    for (bytes, line) in [(&b"\xff"[..], 1), (b"pintle_model = 1\n# caf\xe9\n", 2)] {
        let error = load(bytes).err().expect("not UTF-8");
        assert_eq!(status(&error), Status::Format);
        assert!(error.to_string().ends_with(&format!("line {line}: not UTF-8")), "{error}");
    }
    for bytes in [&b""[..], b"PINTLEST\0\0", b"\0\0\0\0"] {
        assert_eq!(status(&load(bytes).err().expect("no model")), Status::Format);
    }
}

#[test]
fn a_model_cut_anywhere_loads_or_is_refused() {
    let text = saved(&everything());
    let (mut loaded, mut refused) = (0, 0);
    for end in 0..=text.len() {
        match load(&text.as_bytes()[..end]) {
            Ok(_) => loaded += 1,
            Err(Error::Format { .. }) => refused += 1,
            // A number that lost its last digits.
            Err(error @ Error::InFile { .. }) => assert_eq!(status(&error), Status::BadValue, "{error}"),
            Err(error) => panic!("cut at {end}: {error}"),
        }
    }
    assert!(loaded > 10 && refused > 1000, "{loaded} loaded, {refused} refused");
}

#[test]
fn a_model_with_spoilt_bytes_loads_or_is_refused() {
    let (text, mut dice) = (saved(&everything()), Random(5));
    let alphabet = b"0123456789.-+e=[]{}\"#\n, abinf_\\\xc3\x00";
    for _ in 0..4000 {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..=(2.0 * dice.signed().abs()) as usize {
            let at = (dice.signed().abs() * bytes.len() as f64) as usize % bytes.len();
            bytes[at] = alphabet[(dice.signed().abs() * alphabet.len() as f64) as usize % alphabet.len()];
        }
        if let Err(error) = load(&bytes) {
            assert!(matches!(error, Error::Format { .. } | Error::InFile { .. }), "{error}");
        }
    }
}

#[test]
fn nesting_does_not_exhaust_the_stack() {
    for deep in ["gravity = ".to_owned() + &"[".repeat(1_000_000), "gravity = ".to_owned() + &"{a=".repeat(1_000_000)]
        .into_iter()
        .chain(
            ["{} = 1", "[{}]", "[[{}]]", "gravity = { {} = 1 }"]
                .map(|form| form.replace("{}", &["a"; 1_000_000].join("."))),
        )
    {
        let error = load(format!("pintle_model = 1\n{deep}")).err().expect("too deep");
        assert_eq!(status(&error), Status::Format);
        assert!(error.to_string().len() < 1000, "{error}");
    }
}
