//! Load tables: linear between rows, at the end of each step; errors name line and column.

use super::{folder, model, outcome, pintle, printed, table};
use pintle::{Frame, Simulation};

const STEP: &str = "0.01";

#[test]
fn loads_go_linearly_between_rows_and_are_those_of_the_end_of_each_step() {
    let folder = folder("linear");
    // Titles with and without units, blanks, a comment, columns in any order; 0.035 lies between
    // steps.
    let text =
        "# a push\ntime, body.mass.load.mz [N m] ,body.mass.load.fx\n0,0,10\n0.035,7,-4\n# rising\n 0.1 , 7.5,3e1\n";
    std::fs::write(folder.join("push.csv"), text).unwrap();
    let file = model("oscillator");
    let arguments = ["--step", STEP, "--end", "0.1", "--load-table", "push.csv", "--channels", "mass.*"];
    let (titles, rows) = table(&printed(pintle(&folder, &["run"]).arg(&file).args(arguments)));
    let mut sim = Simulation::load_model(&file).unwrap();
    let set = |sim: &mut Simulation, t: f64| {
        let between = |a: f64, b: f64, from: f64, to: f64| a + (b - a) * ((t - from) / (to - from));
        let (fx, mz) = match t {
            0.1 => (30.0, 7.5),
            t if t < 0.035 => (between(10.0, -4.0, 0.0, 0.035), between(0.0, 7.0, 0.0, 0.035)),
            _ => (between(-4.0, 30.0, 0.035, 0.1), between(7.0, 7.5, 0.035, 0.1)),
        };
        sim.inputs().set_body_load(0, Frame::Inertial, &[fx, 0.0, 0.0, 0.0, 0.0, mz]).unwrap();
    };
    set(&mut sim, 0.0);
    sim.initialize(0.0).unwrap();
    let x = titles.iter().position(|title| title == "mass.pos.x [m]").unwrap();
    let yaw = titles.iter().position(|title| title == "mass.yaw [rad]").unwrap();
    for (n, row) in rows.iter().enumerate().skip(1) {
        set(&mut sim, n as f64 * 0.01);
        sim.step(0.01).unwrap();
        let pose = sim.outputs().body_pose(0).unwrap();
        let angles = pintle::spatial::convert::quat_to_euler_zyx(&[pose[3], pose[4], pose[5], pose[6]]).unwrap();
        assert_eq!([row[x].to_bits(), row[yaw].to_bits()], [pose[0].to_bits(), angles[2].to_bits()], "row {n}");
    }
    assert_eq!(rows.len(), 11);
}

/// The four-bar's motor by a table, with a constant rate: after a turn the mechanism is in its
/// initial position.
#[test]
fn a_drive_by_a_table_turns_the_four_bar_once() {
    let folder = folder("drive");
    let rate = std::f64::consts::TAU;
    let row = |t: f64| format!("{t:?},{:?},{rate:?},0\n", rate * t);
    let titles =
        "time [s],joint.motor.motion.angle [rad],joint.motor.motion.rate [rad/s],joint.motor.motion.acc [rad/s^2]\n";
    std::fs::write(folder.join("motor.csv"), format!("{titles}{}{}", row(0.0), row(1.0))).unwrap();
    let arguments = ["--step", "0.005", "--end", "1", "--load-table", "motor.csv", "--channels", "*.pos.?,*.quat.?"];
    let (titles, rows) = table(&printed(pintle(&folder, &["run"]).arg(model("four_bar")).args(arguments)));
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    assert_eq!(rows.len(), 201);
    for (k, title) in titles.iter().enumerate().skip(1) {
        // Positions are constraints of the imposed angle: exact to the tolerance of the iteration,
        // 1e-10 relative; a turn may bring a quaternion back with the other sign.
        let difference = (first[k] - last[k]).abs().min((first[k] + last[k]).abs());
        assert!(difference < 1e-8, "{title}: {} and {}", first[k], last[k]);
    }
}

#[test]
fn what_is_wrong_with_a_table_is_said_with_line_and_column() {
    let folder = folder("refused");
    let file = model("oscillator");
    for (text, expected) in [
        ("", "loads.csv:1: column 1: expected \"time\""),
        ("t,body.mass.load.fx\n0,1\n1,1\n", "loads.csv:1: column 1: expected \"time\""),
        ("time [ms],body.mass.load.fx\n0,1\n1,1\n", "loads.csv:1: column 1: expected \"time\""),
        ("time\n0\n1\n", "loads.csv:1: no inputs beside the time"),
        ("time,body.hull.load.fx\n0,1\n1,1\n", "loads.csv:1: column 2 (body.hull.load.fx): no input has this name"),
        (
            "time,body.mass.load.fx [kN]\n0,1\n1,1\n",
            "loads.csv:1: column 2 (body.mass.load.fx [kN]): the unit is N, not kN",
        ),
        (
            "time,body.mass.load.fx,body.mass.load.fx\n0,1,1\n",
            "loads.csv:1: column 3 (body.mass.load.fx): stands in the table twice",
        ),
        ("time,body.mass.load.fx\n0,1\n0.5,\n1,1\n", "loads.csv:3: column 2 (body.mass.load.fx): is empty"),
        (
            "time,body.mass.load.fx\n0,1\n# more\n0.5,many\n1,1\n",
            "loads.csv:4: column 2 (body.mass.load.fx): \"many\" is no finite number",
        ),
        (
            "time,body.mass.load.fx\n0,1\n0.5,nan\n",
            "loads.csv:3: column 2 (body.mass.load.fx): \"nan\" is no finite number",
        ),
        (
            "time,body.mass.load.fx\n0,1e999\n",
            "loads.csv:2: column 2 (body.mass.load.fx): \"1e999\" is no finite number",
        ),
        (
            "\n# titles\n\"time\",\"body.mass.load.fx [N]\"\n\n0;1\n1;1\n",
            "loads.csv:5: 1 columns where the first line has 2",
        ),
        ("time,body.mass.load.fx\n0,1\n1,2,3\n", "loads.csv:3: 3 columns where the first line has 2"),
        ("time,body.mass.load.fx\n0,1\n1\n", "loads.csv:3: 1 columns where the first line has 2"),
        (
            "time,body.mass.load.fx\n0,1\n0.5,1\n0.4,1\n",
            "loads.csv:4: column 1 (time): 0.4 comes after 0.5: times must rise",
        ),
        ("time,body.mass.load.fx\n0,1\n0,1\n", "loads.csv:3: column 1 (time): 0.0 comes after 0.0: times must rise"),
        ("time,body.mass.load.fx\n", "loads.csv: no rows below the titles"),
        (
            "time,body.mass.load.fx\n0,1\n0.5,2\n",
            "loads.csv: times from 0.0 to 0.5 do not reach over the run from 0.0 to 1.0",
        ),
        ("time,body.mass.load.fx\n0.1,1\n5,2\n", "do not reach over the run"),
    ] {
        std::fs::write(folder.join("loads.csv"), text).unwrap();
        let arguments = ["--step", "0.1", "--end", "1", "--out", "run.csv", "--load-table", "loads.csv"];
        let (code, stdout, stderr) = outcome(pintle(&folder, &["run"]).arg(&file).args(arguments));
        assert_eq!((code, stdout.as_str()), (2, ""), "{text}: {stderr}");
        assert!(stderr.contains(expected), "{text}: {stderr}");
        assert!(!folder.join("run.csv").exists(), "nothing is begun");
    }
    std::fs::write(folder.join("loads.csv"), b"time,body.mass.load.fx\n0,1\n0.5,\xff\xfe\n").unwrap();
    let arguments = ["--step", "0.1", "--end", "0.5", "--load-table", "loads.csv"];
    let (code, _, stderr) = outcome(pintle(&folder, &["run"]).arg(&file).args(arguments));
    assert!(code == 2 && stderr.contains("loads.csv:3: not text in UTF-8"), "{stderr}");
    let (code, _, stderr) =
        outcome(pintle(&folder, &["run"]).arg(&file).args(["--step", "0.1", "--end", "1", "--load-table", "none.csv"]));
    assert!(code == 2 && stderr.contains("none.csv"), "{stderr}");
    // A motion with its rate, but without its acceleration.
    let text = "time,joint.motor.motion.angle,joint.motor.motion.rate\n0,0,1\n1,1,1\n";
    std::fs::write(folder.join("loads.csv"), text).unwrap();
    let arguments = ["--step", "0.1", "--end", "1", "--load-table", "loads.csv"];
    let (code, _, stderr) = outcome(pintle(&folder, &["run"]).arg(model("four_bar")).args(arguments));
    assert!(
        code == 2 && stderr.contains("loads.csv: \"joint.motor.motion.acc\": has no table: a motion needs"),
        "{stderr}"
    );
}

/// A drive by its angle alone, at constant rate: the four-bar is that with all columns, to rounding
/// of the spline and of the iteration.
#[test]
fn a_table_of_angles_alone_gives_rates_and_accelerations() {
    let folder = folder("angles");
    let rate = std::f64::consts::TAU;
    let rows = |more: &str| (0..5).map(|k| format!("{},{:?}{more}\n", k, rate * f64::from(k))).collect::<String>();
    let angle = "time,joint.motor.motion.angle";
    std::fs::write(folder.join("angles.csv"), format!("{angle}\n{}", rows(""))).unwrap();
    let all = format!("{angle},joint.motor.motion.rate,joint.motor.motion.acc\n{}", rows(&format!(",{rate:?},0")));
    std::fs::write(folder.join("all.csv"), all).unwrap();
    let [angles, all] = ["angles.csv", "all.csv"].map(|name| {
        let arguments = ["--step", "0.01", "--end", "4", "--every", "10", "--load-table", name];
        table(&printed(
            pintle(&folder, &["run"]).arg(model("four_bar")).args(arguments).args(["--channels", "*.pos.?,*.vel.?"]),
        ))
        .1
    });
    assert_eq!(angles.len(), 41);
    for (row, other) in angles.iter().zip(&all) {
        // The tolerance of the iteration is 1e-10; velocities are of the size of 2 pi.
        row.iter().zip(other).for_each(|(a, b)| assert!((a - b).abs() < 1e-8, "{row:?}\n{other:?}"));
    }
}
