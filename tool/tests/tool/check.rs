//! Commands about models: check, modes, linearize, convert.

use super::{folder, model, outcome, pintle, printed, table};
use pintle::Simulation;
use std::fs;

#[test]
fn check_tells_freedoms_and_redundant_constraints_by_name() {
    let folder = folder("check");
    let text = printed(pintle(&folder, &["check"]).arg(model("four_bar")).args(["--channels", "--inputs"]));
    // Three links in the plane: 18 velocities; 4 bearings with 5 constraints each, 3 of which are
    // redundant, and the drive. A loop in the plane has one degree of freedom, which the motor
    // takes.
    for part in [
        "bodies       3\n",
        "joints       4 (4 revolute)\n",
        "degrees of freedom\n  0 = 18 velocities - 18 independent constraints\n",
        "redundant constraints\n  3\n",
        "joint 3 \"bearing\" (REVOLUTE, bodies -1 and 2): 3 of its 5 constraints follow from the others",
        "rocker.pos.x [m]",
        "joint.motor.motion.angle [rad]",
        "warnings\n  none\n",
        "modes\n  none: nothing is free to move",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // A prescribed body is imposed; yaw and shaft are free.
    let text = printed(pintle(&folder, &["check"]).arg(model("yaw_drive")));
    for part in [
        "bodies       3 (1 prescribed)",
        "  2 = 18 velocities - 6 imposed - 10 independent constraints",
        "no equilibrium",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// 60 free bodies have 360 velocities. Gravity is zero, so that they rest; free bodies have modes
/// of frequency zero.
#[test]
fn modes_of_large_models_are_computed_on_demand() {
    let folder = folder("large");
    let body = "[[body]]\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\npose = [0, 0, 0, 1, 0, 0, 0]\n";
    fs::write(folder.join("large.toml"), format!("pintle_model = 1\n{}", body.repeat(60))).unwrap();
    let text = printed(&mut pintle(&folder, &["check", "large.toml"]));
    assert!(text.contains("modes\n  not computed, as the model has 360 velocities: --modes"), "{text}");
    let text = printed(&mut pintle(&folder, &["check", "large.toml", "--modes"]));
    assert!(text.contains("  mode  frequency (Hz)") && text.contains("  and 348 more: pintle modes"), "{text}");
}

/// The roots of a platform on three equal lines come in threes, on which the QR algorithm stalls.
#[test]
fn modes_of_a_symmetric_mooring_are_found_away_from_its_equilibrium() {
    let text = printed(pintle(&folder("moored"), &["check"]).arg(model("oc4_moored")));
    assert!(text.contains("  mode  frequency (Hz)") && text.contains("  and 180 more: pintle modes"), "{text}");
    // Surge and sway, docs/mooring.md.
    assert_eq!(text.matches("0.008849    113.0").count(), 2, "{text}");
}

#[test]
fn modes_are_those_of_the_library() {
    let folder = folder("modes");
    let file = model("modes");
    let text = printed(pintle(&folder, &["modes"]).arg(&file).args(["--equilibrium", "--out", "modes.csv"]));
    let (titles, rows) = table(&fs::read_to_string(folder.join("modes.csv")).unwrap());
    let mut sim = Simulation::load_model(&file).unwrap();
    sim.initialize(0.0).unwrap();
    sim.solve_equilibrium(200, 1e-8).unwrap();
    let (modes, _) = sim.analysis().modes().unwrap();
    assert_eq!(modes.len(), 7);
    assert_eq!((rows.len(), text.lines().count()), (7, 8), "{text}");
    assert_eq!(titles[..5], ["mode", "frequency [Hz]", "damping ratio [-]", "platform.re.x", "platform.re.y"]);
    assert_eq!(titles[titles.len() - 1], "bob.im.rz");
    for (row, mode) in rows.iter().zip(&modes) {
        assert_eq!(row[1..3], [mode.frequency, mode.damping_ratio]);
        assert_eq!(row[3..15], mode.shape[0]);
        assert!(text.contains(&format!("{:14.6}", mode.frequency)), "{text}");
    }
}

#[test]
fn linearize_writes_the_matrices_with_the_names_of_their_columns() {
    let folder = folder("linearize");
    let file = model("yaw_drive");
    let text = fs::read_to_string(&file).unwrap()
        + "\n[[marker]]\nname = \"hub\"\nbody = \"rotor\"\nframe = [0, 0, 0, 1, 0, 0, 0]\n";
    fs::write(folder.join("model.toml"), text).unwrap();
    let matrices = ["--out", "A.csv", "--b", "B.csv", "--c", "C.csv", "--d", "D.csv"];
    let arguments = ["--bodies", "nacelle", "--joints", "yaw,1", "--sensors", "hub"];
    printed(pintle(&folder, &["linearize", "model.toml"]).args(matrices).args(arguments));
    let mut sim = Simulation::load_model(&folder.join("model.toml")).unwrap();
    sim.initialize(0.0).unwrap();
    let inputs = pintle::LinearInputs { bodies: &[1], joints: &[0, 1], ..Default::default() };
    let linear = sim.analysis().linearize_inputs(&inputs, &[0]).unwrap();
    let names: Vec<String> = (0..4).map(|k| sim.analysis().state_name(k).unwrap()).collect();
    let loads: Vec<String> =
        ["fx", "fy", "fz", "mx", "my", "mz"].map(|part| format!("body.nacelle.load.{part}")).into();
    let loads = [loads, vec!["joint.yaw.load".into(), "joint.shaft.load".into()]].concat();
    for (name, matrix, rows, titles) in [
        ("A", &linear.a, 4, &names),
        ("B", &linear.b, 4, &loads),
        ("C", &linear.c, 18, &names),
        ("D", &linear.d, 18, &loads),
    ] {
        let (own, values) = table(&fs::read_to_string(folder.join(format!("{name}.csv"))).unwrap());
        // Names with quotes are quoted.
        let bare = |title: &String| match title.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            Some(inner) => inner.replace("\"\"", "\""),
            None => title.clone(),
        };
        let own: Vec<String> = own.iter().map(bare).collect();
        assert_eq!((&own, values.len()), (titles, rows), "{name}");
        for (row, values) in values.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                assert_eq!(*value, matrix[column * rows + row], "{name} {row} {column}");
            }
        }
    }
    for wrong in [["--bodies", "hull"], ["--sensors", "1"], ["--slides", "yaw"]] {
        let (code, _, stderr) = outcome(pintle(&folder, &["linearize", "model.toml", "--out", "E.csv"]).args(wrong));
        assert!(code == 2 && !folder.join("E.csv").exists(), "{stderr}");
    }
}

/// Two chains between anchors and a float, as a MoorDyn file.
const MOORING: &str = "\
--- LINE TYPES ---
Name  Diam  Mass/m  EA     BA/-zeta  EI  Cd   Ca   CdAx  CaAx
(-)   (m)   (kg/m)  (N)    (N-s)     (-) (-)  (-)  (-)   (-)
chain 0.1   150     7.5e8  -0.8      0   2.0  0.8  0.4   0.25
--- POINTS ---
ID  Attachment  X     Y  Z    Mass  Volume  CdA  Ca
(#) (-)         (m)   (m) (m)  (kg)  (m^3)   (-)  (-)
1   Fixed       -400  0  -100 0     0       0    0
2   Free        0     0  -20  2000  20      1.5  0.7
3   Fixed       400   0  -100 0     0       0    0
--- LINES ---
ID  LineType  AttachA  AttachB  UnstrLen  NumSegs  Outputs
(#) (-)       (-)      (-)      (m)       (-)      (-)
1   chain     1        2        415       10       -
2   chain     3        2        415       10       -
--- OPTIONS ---
100   WtrDpth
0.001 dtM
--- OUTPUTS ---
FairTen1
END
";

#[test]
fn a_file_of_moordyn_becomes_a_model_that_runs_alike() {
    let folder = folder("convert");
    fs::write(folder.join("lines.txt"), MOORING).unwrap();
    let (code, _, stderr) = outcome(&mut pintle(&folder, &["convert", "lines.txt", "lines.toml"]));
    assert_eq!(code, 0, "{stderr}");
    // Warnings list what has no meaning here.
    assert!(stderr.is_empty() || stderr.lines().all(|line| line.starts_with("warning: ")), "{stderr}");
    let runs = ["lines.txt", "lines.toml"].map(|file| {
        let arguments = ["--equilibrium", "--step", "0.05", "--end", "0.5", "--quiet"];
        table(&printed(pintle(&folder, &["run", file]).args(arguments)))
    });
    assert_eq!(runs[0], runs[1]);
    assert!(runs[0].0.contains(&"FairTen1 [N]".to_owned()));
    let broken = MOORING.replace("415       10", "415       many");
    fs::write(folder.join("broken.txt"), broken).unwrap();
    let (code, _, stderr) = outcome(&mut pintle(&folder, &["convert", "broken.txt", "broken.toml"]));
    let line = 1 + MOORING.lines().position(|line| line.starts_with("1   chain")).unwrap();
    assert!(code == 2 && stderr.contains(&format!("line {line}")) && stderr.contains("many"), "{stderr}");
    assert!(!folder.join("broken.toml").exists());
    let (code, _, stderr) = outcome(&mut pintle(&folder, &["convert", "lines.txt", "nowhere/lines.toml"]));
    assert!(code == 3 && stderr.contains("nowhere/lines.toml"), "{stderr}");
}

#[test]
fn only_a_trusted_file_of_moordyn_names_tables_outside_its_folder() {
    let folder = folder("trusted");
    fs::create_dir(folder.join("inner")).unwrap();
    fs::write(folder.join("rope.dat"), "0 0\n0.01 1e6\n").unwrap();
    fs::write(folder.join("inner/lines.txt"), MOORING.replace("7.5e8", "../rope.dat")).unwrap();
    let convert = ["convert", "inner/lines.txt", "lines.toml"];
    let (code, _, stderr) = outcome(&mut pintle(&folder, &convert));
    assert!(code == 2 && stderr.contains("\"../rope.dat\": is outside the folder of this file"), "{stderr}");
    let (code, _, stderr) = outcome(pintle(&folder, &convert).arg("--trusted"));
    assert!(code == 0 && folder.join("lines.toml").exists(), "{stderr}");
}
