//! `[[input]]`: inputs that follow tables. Steps are those of a host that gives the same numbers,
//! bit for bit; rates are the derivatives of what is interpolated; the host may take an input over.

use crate::model_file::{Scratch, load, saved};
use pintle::model::{Interpolation, Series};
use pintle::simulation::follow_table;
use pintle::{Error, Frame, JointMachines, Simulation, break_joint};
use std::path::Path;

/// A pendulum on a trolley that is driven along a rail, with a load on the pendulum.
const TROLLEY: &str = r#"pintle_model = 1
gravity = [0, 0, -9.81]
[[body]]
name = "trolley"
mass = 20
inertia = [1, 1, 1, 0, 0, 0]
position = [0, 0, 0]
[[body]]
name = "bob"
mass = 3
inertia = [0.1, 0.1, 0.1, 0, 0, 0]
position = [0, 0, -2]
[[joint]]
name = "rail"
kind = "prismatic"
body_a = "ground"
body_b = "trolley"
point = [0, 0, 0]
axis = [1, 0, 0]
driven = true
[[joint]]
name = "pivot"
kind = "revolute"
body_a = "trolley"
body_b = "bob"
point = [0, 0, 0]
axis = [0, 1, 0]
"#;

const TIMES: [f64; 5] = [0.0, 0.4, 0.9, 1.3, 2.0];
const PLACES: [f64; 5] = [0.0, 0.3, -0.2, 0.5, 0.5];
const FORCES: [f64; 5] = [0.0, 4.0, -3.0, 7.0, 1.0];

fn tables() -> String {
    format!(
        "[[input]]\nname = \"joint.rail.motion.displacement\"\ntimes = {TIMES:?}\nvalues = {PLACES:?}\n\
         [[input]]\nname = \"body.bob.load.fy\"\ntimes = {TIMES:?}\nvalues = {FORCES:?}\n\
         [[input]]\nname = \"joint.pivot.load\"\ntimes = [0, 1]\nvalues = [0, 2]\ninterpolation = \"monotone\"\n"
    )
}

fn series(values: [f64; 5], interpolation: Interpolation) -> Series {
    Series::new(TIMES.into(), values.to_vec(), interpolation, true).unwrap()
}

/// All that a run depends on, as bits.
fn bits(sim: &Simulation) -> Vec<u8> {
    sim.save().unwrap().to_bytes()
}

/// Poses and velocities, as bits.
fn motion(sim: &Simulation) -> Vec<u64> {
    let of = |body| {
        let (pose, velocity) = (sim.outputs().body_pose(body), sim.outputs().body_velocity(body, Frame::Inertial));
        [&pose.unwrap()[..], &velocity.unwrap()].concat()
    };
    (0..2).flat_map(of).map(f64::to_bits).collect()
}

/// Steps of changing length, beyond the last row, where values rest.
fn steps() -> impl Iterator<Item = f64> {
    (0..60).map(|k| if k % 3 == 0 { 0.07 } else { 0.03 })
}

fn set_by_the_host(sim: &mut Simulation, t: f64) {
    let [rail, force] = [(PLACES, Interpolation::Cubic), (FORCES, Interpolation::Linear)]
        .map(|(values, interpolation)| series(values, interpolation).at(t).unwrap());
    let moment = Series::new([0.0, 1.0].into(), vec![0.0, 2.0], Interpolation::Monotone, true).unwrap().at(t).unwrap();
    sim.inputs().set_joint_motion(0, rail[0], rail[1], rail[2]).unwrap();
    sim.inputs().set_body_load(1, Frame::Inertial, &[0.0, force[0], 0.0, 0.0, 0.0, 0.0]).unwrap();
    sim.inputs().set_joint_load(1, moment[0]).unwrap();
}

#[test]
fn a_pendulum_follows_its_file_as_it_follows_a_host() {
    let mut by_file = load(TROLLEY.to_owned() + &tables()).unwrap();
    let mut by_host = load(TROLLEY).unwrap();
    set_by_the_host(&mut by_host, 0.0);
    by_file.initialize(0.0).unwrap();
    by_host.initialize(0.0).unwrap();
    for dt in steps() {
        by_file.step(dt).unwrap();
        let t = by_file.time().unwrap();
        set_by_the_host(&mut by_host, t);
        by_host.step(dt).unwrap();
        assert_eq!(motion(&by_file), motion(&by_host), "at {t}");
    }
    assert!(by_file.time().unwrap() > 2.0);
    // The drive ends at rest.
    assert_eq!(by_file.outputs().joint_coordinate(0).unwrap()[0], 0.5);
}

#[test]
fn a_saved_model_has_the_same_tables() {
    let mut sim = load(TROLLEY.to_owned() + &tables()).unwrap();
    let text = saved(&sim);
    let mut again = load(&text).unwrap();
    assert_eq!(saved(&again), text);
    sim.initialize(0.0).unwrap();
    again.initialize(0.0).unwrap();
    // Values at the start belong to the run, not to the description.
    assert_eq!(saved(&sim), text);
    for dt in steps() {
        sim.step(dt).unwrap();
        again.step(dt).unwrap();
    }
    assert_eq!(bits(&sim), bits(&again));
}

#[test]
fn trials_clones_and_restored_states_follow_their_tables() {
    let start = || {
        let mut sim = load(TROLLEY.to_owned() + &tables()).unwrap();
        sim.initialize(0.0).unwrap();
        sim
    };
    let (mut straight, mut other) = (start(), start());
    for (k, dt) in steps().enumerate() {
        straight.step(dt).unwrap();
        // Longer trials set later inputs, which the last one replaces.
        other.advance(2.0 * dt).unwrap();
        other.advance(0.5 * dt).unwrap();
        if k == 20 {
            let state = other.save().unwrap().to_bytes();
            let mut fresh = start();
            fresh.restore(&fresh.deserialize(&state).unwrap()).unwrap();
            other = fresh.clone();
        }
        other.advance(dt).unwrap();
        other.accept().unwrap();
        assert_eq!(motion(&straight), motion(&other), "step {k}");
    }
    assert_eq!(bits(&straight), bits(&other));
    let mut slower = load(TROLLEY.to_owned() + &tables().replace("2.0]", "2.5]")).unwrap();
    slower.initialize(0.0).unwrap();
    let error = slower.deserialize(&bits(&straight)).unwrap_err();
    assert!(matches!(error, Error::Fingerprint { .. }), "{error}");
}

#[test]
fn an_input_that_the_host_sets_follows_its_table_no_more() {
    let mut sim = load(TROLLEY.to_owned() + &tables()).unwrap();
    sim.initialize(0.0).unwrap();
    sim.step(0.1).unwrap();
    sim.inputs().set_joint_motion(0, 0.25, 0.0, 0.0).unwrap();
    let state = sim.save().unwrap();
    for _ in 0..5 {
        sim.step(0.1).unwrap();
    }
    // The drive stays, loads go on.
    assert_eq!(sim.given().joint_motion(0).unwrap(), [0.25, 0.0, 0.0]);
    let force = |sim: &Simulation| sim.given().body_load(1, Frame::Inertial).unwrap()[1];
    assert_eq!(force(&sim), series(FORCES, Interpolation::Linear).at(sim.time().unwrap()).unwrap()[0]);
    let last = motion(&sim);
    let mut again = load(TROLLEY.to_owned() + &tables()).unwrap();
    again.initialize(0.0).unwrap();
    again.restore(&state).unwrap();
    for _ in 0..5 {
        again.step(0.1).unwrap();
    }
    assert_eq!(motion(&again), last);
    again.inputs().clear_loads().unwrap();
    again.step(0.1).unwrap();
    assert_eq!(force(&again), 0.0);
    // Before the start, too.
    let mut sim = load(TROLLEY.to_owned() + &tables()).unwrap();
    sim.inputs().set_joint_motion(0, 0.1, 0.0, 0.0).unwrap();
    sim.initialize(0.0).unwrap();
    sim.step(0.1).unwrap();
    assert_eq!(sim.given().joint_motion(0).unwrap(), [0.1, 0.0, 0.0]);
}

/// A prescribed body that moves along x and turns about a skew axis by an angle phi(t) = 2 sin t:
/// angular velocity and acceleration are axis phi' and axis phi''.
#[test]
fn rates_of_a_prescribed_body_are_those_of_the_exact_motion() {
    let error = |rows: usize, far: f64| {
        let axis = [2.0 / 7.0, -3.0 / 7.0, 6.0 / 7.0];
        let mut text = "pintle_model = 1\n[[body]]\nname = \"ship\"\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\n\
                        position = [0, 0, 0]\nprescribed = true\n"
            .to_owned();
        let times: Vec<f64> = (0..rows).map(|k| 4.0 * k as f64 / (rows - 1) as f64).collect();
        let mut table = |name: &str, value: &dyn Fn(f64) -> f64| {
            let values: Vec<f64> = times.iter().map(|t| value(*t)).collect();
            text += &format!(
                "[[input]]\nname = \"body.ship.motion.{name}\"\nends = \"free\"\ntimes = {times:?}\nvalues = {values:?}\n"
            );
        };
        table("pos.x", &|t| far + (1.3 * t).sin());
        // Quaternions of either sign mean the same orientation.
        let sign = |t: f64| if (2.0..3.0).contains(&t) { -1.0 } else { 1.0 };
        table("quat.w", &|t| sign(t) * t.sin().cos());
        for (k, name) in ["quat.x", "quat.y", "quat.z"].into_iter().enumerate() {
            table(name, &|t| sign(t) * axis[k] * t.sin().sin());
        }
        let mut sim = load(&text).unwrap();
        sim.initialize(0.0).unwrap();
        let mut most = [0.0f64; 2];
        while sim.time().unwrap() < 3.9 {
            // No multiple of the intervals: at the rows themselves rates have a higher order.
            sim.step(0.0137).unwrap();
            let t = sim.time().unwrap();
            // The slopes at the ends, whose error decays by 0.27 a row, are those of another
            // polynomial.
            if !(0.5..3.5).contains(&t) {
                continue;
            }
            let (_, velocity, acceleration) = sim.given().body_motion(0).unwrap();
            let exact = [[1.3 * (1.3 * t).cos(), 2.0 * t.cos()], [-1.69 * (1.3 * t).sin(), -2.0 * t.sin()]];
            for (order, found) in [velocity, acceleration].into_iter().enumerate() {
                most[order] = most[order].max((found[0] - exact[order][0]).abs());
                for k in 0..3 {
                    most[order] = most[order].max((found[3 + k] - axis[k] * exact[order][1]).abs());
                }
            }
        }
        most
    };
    // Orders 3 and 2 of the derivatives of a cubic spline; the next terms are smaller by the
    // interval of 0.05, and samples find the largest error to some tenths: 0.4.
    let [coarse, fine] = [81, 161].map(|rows| error(rows, 0.0));
    for (order, expected) in [3.0, 2.0].into_iter().enumerate() {
        let found = (coarse[order] / fine[order]).log2();
        assert!((found - expected).abs() < 0.4, "derivative {order}: {found}, {coarse:?} {fine:?}");
    }
    // A million metres away: rounding of 1e6 by 1.2e-10 over intervals of 0.025, and over their
    // square.
    let far = error(161, 1e6);
    assert!(far[0] < fine[0] + 4e-8 && far[1] < fine[1] + 4e-6, "{far:?} {fine:?}");
}

/// A winch that pays out, and a table of CSV beside the model.
#[test]
fn a_winch_follows_a_table_in_a_file_beside_the_model() {
    let model = r#"pintle_model = 1
gravity = [0, 0, -9.81]
[[line_type]]
name = "rope"
diameter = 0.02
mass_per_length = 1
ea = 1e6
[[point]]
name = "head"
position = [0, 0, 0]
fixed = true
[[point]]
name = "hook"
position = [0, 0, -10]
mass = 50
[[line]]
name = "rope"
type = "rope"
point_a = "head"
point_b = "hook"
length = 10
segments = 4
[[input]]
file = "winch.csv"
"#;
    let file = Scratch::new();
    let csv = file.0.with_file_name(format!("winch-{}.csv", std::process::id()));
    let model = model.replace("winch.csv", csv.file_name().unwrap().to_str().unwrap());
    std::fs::write(&file.0, &model).unwrap();
    std::fs::write(&csv, "time [s],line.rope.length [m]\n0,10\n1,11\n2,14\n").unwrap();
    let mut sim = Simulation::load_model(&file.0).unwrap();
    sim.initialize(0.0).unwrap();
    for _ in 0..150 {
        sim.step(0.01).unwrap();
    }
    let t = sim.time().unwrap();
    let expected = Series::new([0.0, 1.0, 2.0].into(), vec![10.0, 11.0, 14.0], Interpolation::Cubic, true).unwrap();
    let [length, rate, _] = expected.at(t).unwrap();
    assert_eq!(sim.lines().length(0).unwrap(), (length, rate));
    // The saved model has the table itself.
    assert!(saved(&sim).contains("times = [0.0, 1.0, 2.0]"));

    // A start with another length than that of the model, after which nothing has changed.
    let mut late = Simulation::load_model(&file.0).unwrap();
    let text = saved(&late);
    let error = late.initialize(0.5).unwrap_err().to_string();
    assert!(
        error.contains("t0: \"line.rope.length\" starts with 10.125, but the line is 10 long in the model"),
        "{error}"
    );
    assert_eq!(saved(&late), text);
    late.initialize(0.0).unwrap();

    for (text, expected) in [
        (
            "time,line.rope.lengths\n0,10\n1,11\n",
            ":1: column 2 (line.rope.lengths): no input has this name: `pintle check --inputs` lists them; did you mean \"line.rope.length\"?",
        ),
        ("time,line.rope.length\n0,10\n1\n", ":3: 1 columns where the first line has 2"),
        ("time,line.rope.length\n0,10\n0,11\n", ":3: column 1 (time): 0.0 comes after 0.0: times must rise"),
        ("time,line.rope.length\n0,10\n1,nan\n", ":3: column 2 (line.rope.length): \"nan\" is no finite number"),
    ] {
        std::fs::write(&csv, text).unwrap();
        let error = Simulation::load_model(&file.0).err().unwrap().to_string();
        assert!(error.contains("line 24, input 0, key \"file\": ") && error.contains(expected), "{error}");
    }
    std::fs::remove_file(&csv).unwrap();
    let error = Simulation::load_model(&file.0).err().unwrap().to_string();
    assert!(error.contains("key \"file\": cannot read ") && error.contains("winch-"), "{error}");
}

#[test]
fn what_is_wrong_with_a_table_is_said_with_its_key() {
    let drive = "name = \"joint.rail.motion.displacement\"\n";
    let quaternion = |part: &str, times: &str| {
        format!("[[input]]\nname = \"body.ship.motion.quat.{part}\"\ntimes = [{times}]\nvalues = [1, 1]\n")
    };
    let ship =
        "[[body]]\nname = \"ship\"\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\nposition = [0, 5, 0]\nprescribed = true\n";
    for (table, expected) in [
        (format!("{drive}times = [0, 1]\n"), "input 0, key \"values\": is missing"),
        (
            format!("{drive}times = [0, 1, 2]\nvalues = [0, 1]\n"),
            "input: \"joint.rail.motion.displacement\": values = 2, expected 3, one per time",
        ),
        (format!("{drive}times = []\nvalues = []\n"), "values = 0, expected 1 or more"),
        (
            format!("{drive}times = [0, 2, 2]\nvalues = [0, 1, 2]\n"),
            "times[2] = 2 is not after times[1] = 2: they must rise",
        ),
        (format!("{drive}times = [0, 1]\nvalues = [0, nan]\n"), "values[1] = NaN is not finite"),
        (format!("{drive}times = [0, 1e-300]\nvalues = [0, 1e300]\nends = \"free\"\n"), "is too large for a double"),
        (
            format!("{drive}times = [0, 1]\nvalues = [0, \"x\"]\n"),
            "key \"values\": expected an array of numbers, found an array of 2, where element [1] is a string",
        ),
        (
            format!("{drive}times = [0, 1]\nvalues = [0, 1]\ninterpolation = \"spline\"\n"),
            "key \"interpolation\": \"spline\" is unknown; known: linear, cubic, monotone",
        ),
        (
            format!("{drive}times = [0, 1]\nvalues = [0, 1]\ninterpolation = \"linear\"\n"),
            "a motion by straight lines would jump in its rate: cubic or monotone",
        ),
        (
            format!("{drive}times = [0, 1]\nvalues = [0, 1]\nends = \"open\"\n"),
            "key \"ends\": \"open\" is unknown; known: rest, free",
        ),
        (
            format!("{drive}times = [0, 1]\nvalues = [0, 1]\nscale = 2\n"),
            "input 0, key \"scale\": is unknown; known: name, times",
        ),
        (format!("{drive}file = \"a.csv\"\n"), "key \"name\": \"file\" says the same in another way"),
        ("file = \"../a.csv\"\n".into(), "key \"file\": \"../a.csv\" is not in the folder of the model"),
        ("file = \"/etc/passwd\"\n".into(), "key \"file\": \"/etc/passwd\" is not in the folder of the model"),
        (
            "name = \"joint.pivot.motion.angle\"\ntimes = [0]\nvalues = [0]\n".into(),
            "input 0, key \"name\": no input has this name",
        ),
        (
            format!("{drive}times = [0, 1]\nvalues = [0, 1]\n[[input]]\n{drive}times = [0, 1]\nvalues = [0, 2]\n"),
            "\"joint.rail.motion.displacement\": has two tables",
        ),
        (
            format!(
                "{drive}times = [0, 1]\nvalues = [0, 1]\n[[input]]\nname = \"joint.rail.motion.acc\"\ntimes = [0]\nvalues = [0]\n"
            ),
            "\"joint.rail.motion.rate\": has no table: a motion needs those of all of its numbers, or of positions alone",
        ),
        (
            format!("{drive}times = [0, 1]\nvalues = [0, 1]\n{}{ship}", quaternion("w", "0, 1")),
            "\"body.ship.motion.quat.x\": has no table: an orientation needs those of all four",
        ),
        (
            format!(
                "{drive}times = [0, 1]\nvalues = [0, 1]\n{ship}{}",
                ["w", "x", "y"].map(|part| quaternion(part, "0, 1")).concat() + &quaternion("z", "0, 2")
            ),
            "\"body.ship.motion.quat.z\": has other times than the rest of the quaternion",
        ),
    ] {
        let text = format!("{TROLLEY}[[input]]\n{table}");
        let error = load(&text).err().unwrap_or_else(|| panic!("{table} was read")).to_string();
        assert!(error.contains(expected), "{table}\n{error}");
    }
}

#[test]
fn a_step_beyond_a_table_without_rest_is_refused() {
    let text = format!("{TROLLEY}{}", tables().replacen("values = ", "ends = \"free\"\nvalues = ", 1));
    let mut sim = load(&text).unwrap();
    let error = sim.initialize(-0.1).unwrap_err().to_string();
    assert!(
        error.starts_with("t0: time -0.1 is outside of the table of \"joint.rail.motion.displacement\", from 0 to 2"),
        "{error}"
    );
    sim.initialize(0.0).unwrap();
    for _ in 0..20 {
        sim.step(0.1).unwrap();
    }
    let before = bits(&sim);
    let error = sim.step(0.1).unwrap_err().to_string();
    assert!(error.starts_with("dt: time 2.1 is outside of the table"), "{error}");
    assert_eq!(bits(&sim), before);
}

/// Without tables of its own a system follows one that its host names, up to its ends.
#[test]
fn a_table_of_the_host_replaces_that_of_the_file() {
    let file = Scratch::new();
    let csv = file.0.with_extension("csv");
    std::fs::write(&csv, "time,joint.rail.motion.displacement\n0,0\n1,1\n2,4\n3,9\n").unwrap();
    let mut sim = load(TROLLEY.to_owned() + &tables()).unwrap();
    assert_eq!(follow_table(&mut sim, &csv).unwrap(), [0.0, 3.0]);
    sim.initialize(0.0).unwrap();
    for _ in 0..10 {
        sim.step(0.15).unwrap();
    }
    // t^2 is a cubic polynomial: rounding alone.
    let [q, rate, _] = sim.outputs().joint_coordinate(0).unwrap();
    assert!((q - 2.25).abs() < 1e-13 && (rate - 3.0).abs() < 1e-13, "{q} {rate}");
    assert!(follow_table(&mut sim, &csv).is_err(), "in a run");
    let mut sim = load(TROLLEY).unwrap();
    assert!(follow_table(&mut sim, Path::new("/none.csv")).unwrap_err().to_string().contains("/none.csv"));
    std::fs::remove_file(&csv).unwrap();
}

/// The pivot by its strength, the driven rail by the host; an earlier state has both with their
/// tables.
#[test]
fn tables_of_joints_that_break_are_followed_no_more() {
    let text = TROLLEY.replace("name = \"pivot\"", "name = \"pivot\"\nstrength_force = 31") + &tables();
    let mut sim = load(&text).unwrap();
    sim.initialize(0.0).unwrap();
    let start = sim.save().unwrap();
    let height = |sim: &Simulation, body| sim.outputs().body_pose(body).unwrap()[2];
    let mut count = 0;
    while !JointMachines::of(&sim).is_broken(1).unwrap() {
        sim.step(0.02).unwrap();
        count += 1;
        assert!(count < 100);
    }
    let broken = bits(&sim);
    (0..10).for_each(|_| sim.step(0.02).unwrap());
    assert!(height(&sim, 0).abs() < 1e-12);
    break_joint(&mut sim, 0).unwrap();
    let [_, _, z, ..] = sim.outputs().body_velocity(1, Frame::Inertial).unwrap();
    let before = height(&sim, 1);
    (0..10).for_each(|_| sim.step(0.02).unwrap());
    let fall = 0.5 * 9.81 * 0.04;
    assert!((height(&sim, 0) + fall).abs() < 1e-12 && (height(&sim, 1) - before - 0.2 * z + fall).abs() < 1e-12);
    sim.restore(&start).unwrap();
    (0..count).for_each(|_| sim.step(0.02).unwrap());
    assert!(bits(&sim) == broken);
}
