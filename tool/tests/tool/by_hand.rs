//! Model files as people write them: values replaced by `--set`, warnings about what is seldom
//! meant, what was moved onto the joints, words that were meant.

use super::{folder, outcome, pintle, printed, table};
use std::fs;

/// A pendulum of 1 m on a rope whose ends are 1.3 m apart; its rod is a tenth too long for the
/// bearing.
const MODEL: &str = r#"pintle_model = 1
gravity = [0, 0, -10]
[[body]]
name = "bob v1.2"
mass = 2
inertia = [
  1, 1,
  1, 0, 0, 0,
]
position = [1.1, 0, 0]
load = { frame = "inertial", wrench = [0, 0, 0, 0, 0, 0] }
[[joint]]
name = "pin"
kind = "revolute"
body_a = "ground"
body_b = 0
frame_a = { euler_deg = [-90, 0, 0] }
frame_b = { position = [-1, 0, 0], euler_deg = [-90, 0, 0] }
[[spring]]
name = "rope"
body_a = "ground"
point_a = [2.3, 0, 0]
body_b = "bob v1.2"
point_b = [0, 0, 0]
stiffness = 1
rest_length = 1
tension_only = true
[[shape]]
body = 0
kind = "sphere"
diameter = 0.2
"#;

#[test]
fn values_of_the_file_are_replaced_by_name_or_id() {
    let folder = folder("replaced");
    fs::write(folder.join("model.toml"), MODEL).unwrap();
    let run = |set: &[&str]| {
        let arguments = ["run", "model.toml", "--step", "0.01", "--end", "0.1", "--quiet"];
        table(&printed(pintle(&folder, &arguments).args(set.iter().flat_map(|set| ["--set", set]))))
    };
    for (set, (old, new)) in [
        ("body.bob v1.2.mass=3", ("mass = 2", "mass = 3")),
        ("body.0.mass = 3", ("mass = 2", "mass = 3")),
        ("bob v1.2.mass=3", ("mass = 2", "mass = 3")),
        ("gravity=[0, 0, -5]", ("-10", "-5")),
        ("body.0.load.wrench=[0,0,7,0,0,0]", ("wrench = [0, 0, 0,", "wrench = [0, 0, 7,")),
        ("spring.rope.body_b=\"ground\"", ("body_b = \"bob v1.2\"", "body_b = \"bob v1.2\" # as it was")),
    ] {
        fs::write(folder.join("other.toml"), MODEL.replace(old, new)).unwrap();
        let arguments = ["run", "other.toml", "--step", "0.01", "--end", "0.1", "--quiet"];
        if set.starts_with("spring") {
            let (code, _, stderr) = outcome(pintle(&folder, &["check", "model.toml", "--set"]).arg(set));
            assert!(code == 2 && stderr.contains("is body_a too") && stderr.contains("(with --set spring"), "{stderr}");
            continue;
        }
        assert_eq!(run(&[set]), table(&printed(&mut pintle(&folder, &arguments))), "{set}");
        assert_ne!(run(&[set]), run(&[]), "{set}");
    }
    // Lines keep their numbers.
    let (code, _, stderr) = outcome(&mut pintle(
        &folder,
        &["check", "model.toml", "--set", "body.0.inertia=[1, 1, 1, 0, 0, 0]", "--set", "shape.0.diameter=-1"],
    ));
    assert!(
        code == 2 && stderr.contains("line 31, shape 0, key \"diameter\": diameter: -1 is not above 0"),
        "{stderr}"
    );
}

#[test]
fn wrong_replacements_are_refused_with_what_there_is() {
    let folder = folder("not_replaced");
    fs::write(folder.join("model.toml"), MODEL).unwrap();
    fs::write(folder.join("same.toml"), MODEL.replace("\"pin\"", "\"rope\"")).unwrap();
    fs::write(folder.join("lines.txt"), "--- LINE TYPES ---\n").unwrap();
    for (file, set, says) in [
        ("model.toml", "body.bib.mass=1", "--set body.bib.mass=1: no body of the file has the name or id \"bib\""),
        ("model.toml", "body.0.mas=1", "this body has no \"mas\" to replace; it has "),
        ("model.toml", "body.0.mas=1", "; did you mean \"mass\"?"),
        ("model.toml", "bdoy.0.mass=1", "the file has no \"bdoy\" to replace; it has "),
        ("model.toml", "bdoy.0.mass=1", "; did you mean \"body\"?"),
        ("model.toml", "roep.stiffness=1", "; did you mean \"rope\"?"),
        ("model.toml", "bob v1.2.mas=1", "this body has no \"mas\" to replace; it has "),
        ("same.toml", "rope.stiffness=1", "the file has several: joint.rope.stiffness, spring.rope.stiffness"),
        ("model.toml", "body.0.mass.x=1", "mass is no table"),
        ("model.toml", "body.7.mass=1", "no body of the file has the name or id \"7\""),
        ("model.toml", "body.0.mass=", "the value is no TOML"),
        ("model.toml", "body.0.mass=1\ncom = [0, 0, 0]", "the value is no TOML"),
        (
            "model.toml",
            "body.0.mass=-1",
            "line 5, body 0, key \"mass\": mass: -1 is negative (with --set body.0.mass=-1)",
        ),
        ("model.toml", "rho_in=1", "; did you mean \"rho_inf\"?"),
        ("model.toml", "rho_inf=many", "--set rho_inf=many: expected KEY=NUMBER"),
        ("lines.txt", "body.0.mass=1", "only model files have values to replace"),
    ] {
        let (code, stdout, stderr) = outcome(&mut pintle(&folder, &["check", file, "--set", set]));
        assert!(code == 2 && stdout.is_empty() && stderr.contains(says), "{set}: {stderr}");
    }
}

#[test]
fn check_and_run_tell_what_was_moved_onto_the_joints() {
    let folder = folder("assembled");
    fs::write(folder.join("model.toml"), MODEL).unwrap();
    let text = printed(&mut pintle(&folder, &["check", "model.toml"]));
    assert!(text.contains("assembled\n  bob v1.2: moved by 1.000e-1 m\n"), "{text}");
    let run = ["run", "model.toml", "--step", "0.01", "--end", "0.1"];
    let (_, _, stderr) = outcome(&mut pintle(&folder, &run));
    assert!(stderr.contains("assembled: bob v1.2: moved by 1.000e-1 m\n"), "{stderr}");
    let (_, _, stderr) = outcome(pintle(&folder, &run).arg("--quiet"));
    assert_eq!(stderr, "");
    // Nothing is told of a model that fits, and a file may refuse.
    let fits = printed(&mut pintle(&folder, &["check", "model.toml", "--set", "body.0.position=[1, 0, 0]"]));
    assert!(!fits.contains("assembled"), "{fits}");
    let (code, _, stderr) = outcome(&mut pintle(&folder, &["check", "model.toml", "--set", "assemble=0"]));
    assert!(code == 1 && stderr.contains("\"pin\"") && stderr.contains("not assembled"), "{stderr}");
}

#[test]
fn check_warns_of_what_is_seldom_meant() {
    let folder = folder("doubts");
    fs::write(folder.join("model.toml"), MODEL).unwrap();
    let warnings = |set: &[&str]| {
        let text = printed(pintle(&folder, &["check", "model.toml"]).args(set.iter().flat_map(|set| ["--set", set])));
        text.split_once("warnings\n").expect("warnings").1.to_owned()
    };
    let fits = "body.0.position=[1, 0, 0]";
    assert_eq!(
        warnings(&[fits]),
        "  rope: stretched by 30.0 %: its ends are 1.300000 m apart, its length is 1.000000 m\n"
    );
    assert_eq!(warnings(&[fits, "spring.0.rest_length=1.2"]), "  none\n");
    assert!(warnings(&[fits, "spring.0.rest_length=1.5"]).starts_with("  rope: slack by 13.3 %"));
    assert_eq!(warnings(&[fits, "spring.0.rest_length=1.2", "gravity=[0, 0, 0]"]), "  gravity is zero\n");
    let slender = "body.0.inertia=[0, 1, 1, 0, 0, 0]";
    assert_eq!(warnings(&[fits, "spring.0.rest_length=1.2", slender]), "  bob v1.2: the inertia is zero about x\n");
    let thrown = warnings(&[fits, "spring.0.rest_length=1.2", "body.0.load.wrench=[0, 0, 1e6, 0, 0, 0]"]);
    assert!(
        thrown.starts_with("  bob v1.2: starts with an acceleration of ") && thrown.lines().count() == 1,
        "{thrown}"
    );
}
