//! Frames for ParaView, read back by VTK itself where its Python package can be had.

use super::{folder, model, pintle, printed, table};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A Python that has vtk: one of the machine, or of an environment that is made once. None where it
/// cannot be had.
fn python_with_vtk() -> Option<PathBuf> {
    let imports = |python: &Path| {
        Command::new(python).args(["-c", "import vtk"]).output().is_ok_and(|done| done.status.success())
    };
    let own = PathBuf::from("python3");
    if imports(&own) {
        return Some(own);
    }
    let environment = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-vtk");
    let python = environment.join("bin/python");
    if !imports(&python) {
        let made = Command::new("python3").args(["-m", "venv"]).arg(&environment).output().ok()?;
        // Its dependencies are for drawing only.
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "vtk"];
        let installed = Command::new(&python).args(install).output().ok()?;
        if !made.status.success() || !installed.status.success() {
            return None;
        }
    }
    imports(&python).then_some(python)
}

/// A pendulum, a body on a spring that rides on it, a point on it, and a rope between two others:
/// something of each part.
const MODEL: &str = r#"
pintle_model = 1
gravity = [0, 0, -9.81]
[settings]
abs_tolerance = 1e-10
rel_tolerance = 1e-10
[[body]]
name = "bob"
mass = 2
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
pose = [0, 0, 1, 1, 0, 0, 0]
[[body]]
name = "rider"
mass = 1
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
pose = [0, 0, 2, 1, 0, 0, 0]
[[joint]]
name = "hinge"
kind = "revolute"
body_a = "ground"
body_b = "bob"
point = [-1, 0, 1]
axis = [0, 1, 0]
[[point]]
position = [10, 0, -10]
fixed = true
[[point]]
position = [0.5, 0, 0]
body = "bob"
[[point]]
position = [-4, 0, -10]
fixed = true
[[spring]]
body_a = "bob"
point_a = [0, 0, 0]
body_b = "rider"
point_b = [0, 0, -0.25]
stiffness = 1000
rest_length = 0.5
[[line_type]]
name = "rope"
diameter = 0.05
mass_per_length = 3
ea = 1e6
[[line]]
type = "rope"
point_a = 0
point_b = 2
length = 15
segments = 6
"#;

/// Prints, for each part of a frame, what VTK reads: counts of vertices, lines and triangles, and
/// for each array its numbers, without those that the part does not have.
const SCRIPT: &str = r#"
import math, sys, vtk
errors = []
reader = vtk.vtkXMLPolyDataReader()
reader.AddObserver("ErrorEvent", lambda *_: errors.append(sys.argv[1]))
reader.SetFileName(sys.argv[1])
reader.Update()
data = reader.GetOutput()
points, cells = data.GetPointData(), data.GetCellData()
def of_part(arrays, part):
    array = arrays.GetArray("part")
    return [k for k in range(array.GetNumberOfTuples()) if array.GetComponent(k, 0) == part]
def show(name, array, tuples):
    numbers = [array.GetComponent(k, j) for k in tuples for j in range(array.GetNumberOfComponents())]
    if not all(math.isnan(x) or (array.GetDataType() == vtk.VTK_INT and x == -1) for x in numbers):
        print(name, *map(repr, numbers))
for part in range(6):
    own = of_part(cells, part)
    print("cells", *(sum(data.GetCellType(k) == kind for k in own) for kind in (vtk.VTK_VERTEX, vtk.VTK_LINE, vtk.VTK_TRIANGLE)))
    show("points", data.GetPoints().GetData(), of_part(points, part))
    for where, arrays, tuples in (("at point", points, of_part(points, part)), ("at cell", cells, own)):
        for k in range(arrays.GetNumberOfArrays()):
            show(where + " " + arrays.GetArrayName(k) + ":", arrays.GetArray(k), tuples)
sys.exit(len(errors))
"#;

#[test]
fn frames_are_listed_with_their_times_and_read_by_vtk() {
    let folder = folder("vtk");
    std::fs::write(folder.join("parts.toml"), MODEL).unwrap();
    let arguments = [
        "--step",
        "0.01",
        "--end",
        "0.1",
        "--vtk",
        "frames",
        "--vtk-interval",
        "0.04",
        "--out",
        "run.csv",
        "--every",
        "4",
    ];
    printed(pintle(&folder, &["run", "parts.toml"]).args(arguments));
    let listed = std::fs::read_to_string(folder.join("frames/parts.pvd")).unwrap();
    let entries: Vec<&str> = listed.lines().filter(|line| line.starts_with("<DataSet")).collect();
    let (titles, rows) = table(&std::fs::read_to_string(folder.join("run.csv")).unwrap());
    // Steps 0, 4, 8 and the last; rows were recorded at the same steps.
    assert_eq!((entries.len(), rows.len()), (4, 4));
    for (number, (entry, row)) in entries.iter().zip(&rows).enumerate() {
        let file = format!("parts_{number:06}.vtp");
        assert_eq!(*entry, format!("<DataSet timestep=\"{:?}\" file=\"{file}\"/>", row[0]));
        assert!(folder.join("frames").join(file).exists());
    }
    // The .pvd and a file for each frame.
    assert_eq!(std::fs::read_dir(folder.join("frames")).unwrap().count(), 5);
    let Some(python) = python_with_vtk() else {
        eprintln!("skipped: pip has no vtk here; the frames were not read back");
        return;
    };
    let last = "frames/parts_000003.vtp";
    let output = Command::new(python).args(["-c", SCRIPT, last]).current_dir(&folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let parts: Vec<&str> = text.split("cells ").skip(1).collect();
    // Two reference points, spokes to the hinge, the spring and the point; a joint; three points; a
    // spring; six segments; the boxes of both bodies.
    let cells: Vec<&str> = parts.iter().map(|part| part.lines().next().unwrap()).collect();
    assert_eq!(cells, ["2 3 0", "1 0 0", "3 0 0", "0 1 0", "0 6 0", "0 0 24"]);
    let numbers = |part: usize, name: &str| -> Vec<f64> {
        let line =
            parts[part].lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{name}\n{text}"));
        line.split_whitespace().map(|x| x.parse().unwrap()).collect()
    };
    let value = |title: &str| rows[3][titles.iter().position(|own| own == title).unwrap_or_else(|| panic!("{title}"))];
    let values = |stem: &str, ends: &[&str]| ends.iter().map(|end| value(&format!("{stem}{end}"))).collect::<Vec<_>>();
    let axes = ["x [m]", "y [m]", "z [m]"];
    assert_eq!(numbers(0, "points")[..3], values("bob.pos.", &axes));
    assert_eq!(numbers(0, "at point velocity:")[..3], values("bob.vel.", &["x [m/s]", "y [m/s]", "z [m/s]"]));
    assert_eq!(numbers(0, "at cell body:"), [0.0, 1.0, 0.0, 1.0, 0.0]);
    // The spoke to the hinge ends where the hinge is, to the tolerance of the iteration; its end
    // moves as a place on the body, v + omega x r, to rounding. (The scheme keeps the hinge in
    // place, and lets it have a velocity of second order in the step.)
    let (spokes, moving) = (numbers(0, "points"), numbers(0, "at point velocity:"));
    assert!((spokes[6] + 1.0).abs() < 1e-8 && (spokes[8] - 1.0).abs() < 1e-8, "{spokes:?}");
    let omega = value("bob.omega.y [rad/s]");
    let arm = [spokes[6] - spokes[0], spokes[8] - spokes[2]];
    let turning = [moving[0] + omega * arm[1], moving[2] - omega * arm[0]];
    assert!((moving[6] - turning[0]).abs() < 1e-12 && (moving[8] - turning[1]).abs() < 1e-12, "{moving:?} {turning:?}");
    assert_eq!(numbers(1, "at point force:"), values("hinge.reaction.", &["fx [N]", "fy [N]", "fz [N]"]));
    assert_eq!(numbers(3, "at cell tension:"), [value("spring0.tension [N]")]);
    let tensions: Vec<f64> = (0..6).map(|k| value(&format!("line0.tension.{k} [N]"))).collect();
    assert!(tensions.iter().all(|tension| *tension > 0.0), "{tensions:?}");
    assert_eq!(numbers(4, "at cell tension:"), tensions);
    let nodes: Vec<f64> = (0..7).flat_map(|k| values(&format!("line0.node{k}."), &axes)).collect();
    assert_eq!(numbers(4, "points"), nodes);
    // The box of the bob, with edges of sqrt(6 I/m), stands about it: its corners, to rounding.
    let (box_, bob) = (numbers(5, "points"), values("bob.pos.", &axes));
    for corner in box_.chunks(3).take(8) {
        let away = (0..3).map(|k| (corner[k] - bob[k]).powi(2)).sum::<f64>().sqrt();
        assert!((away - 0.75f64.sqrt() * 0.3f64.sqrt()).abs() < 1e-14, "{away}");
    }
    assert_eq!(numbers(5, "at cell body:"), [[0.0; 12], [1.0; 12]].concat());
    // A folder with frames of another model, without anything of some parts.
    let arguments = ["--step", "0.01", "--end", "0.01", "--vtk", "frames"];
    printed(pintle(&folder, &["run"]).arg(model("pendulum")).args(arguments));
    assert!(folder.join("frames/pendulum_000001.vtp").exists() && folder.join("frames/parts.pvd").exists());
}
