//! The parts of benches/peers, which compares pintle with other codes, that need no other code and
//! no network: the problems are consistent, the reference solution is right, and a record becomes a
//! table and a picture.

use crate::common::models::heavy_top;
use crate::common::programs::{everything, fresh_directory, output, root, tool};
use std::path::Path;
use std::process::Command;

/// Python that finds the scripts and writes no files beside them.
fn python() -> Command {
    let mut python = tool("python3");
    python.env("PYTHONPATH", root().join("benches/peers")).env("PYTHONDONTWRITEBYTECODE", "1");
    python
}

/// The output of a Python program, which must succeed.
fn printed(program: &str) -> String {
    output(python().arg("-c").arg(program))
}

fn report(record: &Path, docs: &Path) -> Command {
    let mut command = python();
    command.arg(root().join("benches/peers/run.py")).arg("--report").arg(record).arg("--docs").arg(docs);
    command
}

fn recorded() -> String {
    std::fs::read_to_string(root().join("tests/programs/peers/record.json")).expect("the record")
}

#[test]
fn all_scripts_are_python() {
    let scripts =
        std::fs::read_dir(root().join("benches/peers")).expect("the folder").map(|entry| entry.unwrap().path());
    let scripts: Vec<_> = scripts.filter(|path| path.extension().is_some_and(|end| end == "py")).collect();
    assert!(scripts.len() > 5, "{scripts:?}");
    for script in scripts {
        output(python().args(["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())"]).arg(&script));
    }
}

#[test]
fn joints_of_all_problems_are_closed_and_rotations_are_rotations() {
    // Largest distances between a joint's point on the body and on its parent, whose bars end half
    // a length from their centres, and largest difference of a rotation matrix from that of its
    // quaternion and of R^T R from 1. A chain of 1000 bars is 500 m long and adds up 1000 roundings
    // of 1e-13 m.
    let said = printed(
        "
import problems
def matrix(w, x, y, z):
    return [[1-2*(y*y+z*z), 2*(x*y-w*z), 2*(x*z+w*y)], [2*(x*y+w*z), 1-2*(x*x+z*z), 2*(y*z-w*x)],
            [2*(x*z-w*y), 2*(y*z+w*x), 1-2*(x*x+y*y)]]
gap = turn = 0.0
for problem in problems.problems():
    for body in problem.bodies:
        arm = problems.turned(body.rotation, problems.turned_back(body.rotation, problems.minus(body.position, body.point)))
        ends = [problems.minus(body.position, arm)]
        if body.parent != problems.GROUND:
            parent = problem.bodies[body.parent]
            ends.append(problems.plus(parent.position, problems.turned(parent.rotation, problems.HALF)))
        gap = max([gap] + [abs(a - b) for end in ends for a, b in zip(end, body.point)])
        again = matrix(*problems.quaternion(body.rotation))
        transposed = [list(column) for column in zip(*body.rotation)]
        one = problems.multiply(transposed, body.rotation)
        turn = max([turn] + [abs(a - b) for p, q in zip(again, body.rotation) for a, b in zip(p, q)]
                   + [abs(one[i][j] - (i == j)) for i in range(3) for j in range(3)])
print(gap, turn)",
    );
    let numbers: Vec<f64> = said.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    assert_eq!(numbers.len(), 2, "{said}");
    assert!(numbers[0] < 1e-10 && numbers[1] < 1e-10, "{said}");
}

/// The reference does not know rotations; the Runge-Kutta scheme of pintle does not know symmetry.
/// At steps of 1e-4 s the scheme's error is (150 rad/s 1e-4 s)^4 of its 5e-8 m at 1e-3 s: far below
/// 1e-8 m.
#[test]
fn the_reference_of_the_heavy_top_is_its_motion() {
    let (mut sim, top, _) = heavy_top::top();
    sim.settings().set_scheme("rk4").unwrap();
    sim.initialize(0.0).unwrap();
    (0..5000).for_each(|_| sim.step(1e-4).unwrap());
    let pose = sim.outputs().body_pose(top).unwrap();
    let said = printed("import reference; print(*reference.centre_of_mass(0.5))");
    let expected: Vec<f64> = said.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    assert_eq!(expected.len(), 3);
    for (found, expected) in pose.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-8, "{pose:?} instead of {expected}");
    }
}

/// A disturbed short run must not make a step look short, as in the second round here: 5 s - 4 s.
#[test]
fn a_time_is_the_difference_of_the_fastest_runs() {
    let said = printed("import run; print(run.difference_of_least([(1.0, 6.0), (4.0, 5.0), (2.0, 7.0)]))");
    assert_eq!(said.trim(), "4.0");
}

#[test]
fn a_record_becomes_a_section_of_the_page_that_replaces_the_one_before() {
    let docs = fresh_directory("peers_report");
    let page = docs.join("benchmarks.md");
    std::fs::write(&page, "# Benchmarks\n\nWhat stands there.\n").unwrap();
    let record = root().join("tests/programs/peers/record.json");
    output(&mut report(&record, &docs));
    let first = std::fs::read_to_string(&page).unwrap();
    // The table has the times of the record, and their ratios: 8/2 and 2/0.4.
    let top = first.lines().find(|line| line.starts_with("| heavy top")).expect("a row");
    assert_eq!(top, "| heavy top | 2.00 (3.0) | 8.00 (6.6) | 4.00 | 0.400 (3.0) | 5.00 | 0.667 | 1.21 |  |");
    // Explicit: 3/1. Positions that are not the reference's have a dagger.
    let rows: Vec<&str> = first.lines().filter(|line| line.starts_with("| heavy top")).collect();
    assert_eq!(rows[1], "| heavy top | 3.00 | 1.00 | 3.00 |  |  |");
    assert!(first.contains("| chain of spherical joints, 100 | 1,800 | 125 † | 14.4 |  |  |"), "{first}");
    // Medians of the rounds, above the times: 2.1/2, 3/3, 8.4/8, 1.1/1, 0.4/0.4, 615/600,
    // 1900/1800, 126/125.
    assert!(first.contains("above that by 4 %\n(half of them; the worst by 10 %)"), "{first}");
    assert!(first.contains("mujoco was not there: ModuleNotFoundError"), "{first}");
    assert!(first.starts_with("# Benchmarks\n\nWhat stands there.\n"));
    // Text after the section stays, and the section is not written twice.
    std::fs::write(&page, format!("{first}\n## After\n")).unwrap();
    output(&mut report(&record, &docs));
    assert_eq!(std::fs::read_to_string(&page).unwrap(), format!("{first}\n## After\n"));
}

/// One decade is as long everywhere on an axis, more time is to the right and more error is up.
#[test]
fn the_picture_has_logarithmic_axes() {
    let docs = fresh_directory("peers_picture");
    output(&mut report(&root().join("tests/programs/peers/record.json"), &docs));
    let picture = std::fs::read_to_string(docs.join("pictures/peers_work_precision.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    let lines: Vec<Vec<f64>> = picture
        .split("<polyline points=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap())
        .map(|points| points.split([' ', ',']).map(|word| word.parse().expect("a number")).collect())
        .collect();
    // The method without points has no line.
    assert_eq!(lines.len(), 2, "{picture}");
    // 1 ms, 10 ms, 100 ms; errors of 0.1, 0.001, 0.00001 m. Numbers are written with one digit
    // behind the point.
    let [x0, y0, x1, y1, x2, y2] = lines[0][..] else { panic!("{:?}", lines[0]) };
    assert!(x0 < x1 && y0 < y1, "{:?}", lines[0]);
    assert!((x2 - 2.0 * x1 + x0).abs() <= 0.3 && (y2 - 2.0 * y1 + y0).abs() <= 0.3, "{:?}", lines[0]);
}

#[test]
fn a_code_that_is_not_there_says_so_and_ends() {
    let said = output(python().arg(root().join("benches/peers/worker.py")).arg("nothing"));
    assert!(said.starts_with("{\"missing\": \"ModuleNotFoundError") && said.lines().count() == 1, "{said}");
}

#[test]
fn a_record_in_which_pintle_is_wrong_is_a_failure() {
    let docs = fresh_directory("peers_wrong");
    let wrong = docs.join("record.json");
    std::fs::write(&wrong, recorded().replacen("\"agrees\": true", "\"agrees\": false", 1)).unwrap();
    let output = report(&wrong, &docs).output().expect("Python runs");
    assert!(!output.status.success());
    assert!(everything(&output).contains("pintle disagrees with the reference: heavy top"), "{}", everything(&output));
}
