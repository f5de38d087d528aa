//! Channels with MoorDyn's names: the values of the getters, under the names given in the file.

use crate::moordyn::{V2, load};
use pintle::{EntityKind, Error, Simulation};

const NAMES: [&str; 20] = [
    "FairTen1",
    "anchten2",
    "Line2TenA",
    "L2TenB",
    "L2N4PX",
    "Line2N0VY",
    "L2N30AZ",
    "L2NBPZ",
    "L1N0FX",
    "L1N20FZ",
    "L2N4T",
    "L2N0Ten",
    "Point3VZ",
    "Con1PX",
    "P2AX",
    "Point3FX",
    "C1Ten",
    "Body2RX",
    "B2RVY",
    "Body1PZ",
];

fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// What the getters give under these names.
fn expected(sim: &Simulation) -> [f64; 20] {
    let [mut x, mut v, mut a] = [[[0.0; 3]; 31]; 3];
    sim.lines().positions(1, &mut x).unwrap();
    sim.lines().velocities(1, &mut v).unwrap();
    sim.lines().accelerations(1, &mut a).unwrap();
    let mut tensions = [0.0; 30];
    sim.lines().tensions(1, &mut tensions).unwrap();
    let force = |line, end| sim.lines().end_force(line, end).unwrap();
    let [_, _, _, qw, qx, qy, qz] = sim.outputs().body_pose(1).unwrap();
    let roll = (-2.0 * (qy * qz - qw * qx)).atan2(1.0 - 2.0 * (qx * qx + qy * qy)).to_degrees();
    [
        norm(force(0, 1)),
        norm(force(1, 0)),
        norm(force(1, 0)),
        norm(force(1, 1)),
        x[4][0],
        v[0][1],
        a[30][2],
        x[30][2],
        force(0, 0)[0],
        force(0, 1)[2],
        0.5 * (tensions[3] + tensions[4]),
        norm(force(1, 0)),
        sim.points().velocity(2).unwrap()[2],
        400.0,
        sim.points().acceleration(1).unwrap()[0],
        // end B of the first line, end A of the second
        force(0, 1)[0] + force(1, 0)[0],
        norm(force(0, 0)),
        roll,
        sim.outputs().body_velocity(1, pintle::Frame::Inertial).unwrap()[4].to_degrees(),
        -5.0,
    ]
}

/// The last channels.
fn told(sim: &Simulation, count: usize) -> Vec<f64> {
    let mut values = vec![0.0; sim.channels().count().unwrap() as usize];
    sim.channels().values(&mut values).unwrap();
    values.split_off(values.len() - count)
}

#[test]
fn values_are_those_of_the_getters() {
    let mut sim = load(V2.split("---------------------- OUTPUTS").next().unwrap()).unwrap();
    for name in NAMES {
        sim.settings().add_moordyn_channel(name).unwrap();
    }
    // Those of the model so far are those of the run, if nothing is added.
    let table = |sim: &Simulation| -> Vec<_> {
        let channels = sim.channels();
        (0..channels.count().unwrap()).map(|i| (channels.name(i).unwrap(), channels.unit(i).unwrap())).collect()
    };
    let described = table(&sim);
    assert!(described.iter().rev().zip(NAMES.iter().rev()).all(|((told, _), name)| told == name));
    sim.initialize(0.0).unwrap();
    assert_eq!(described, table(&sim));
    let count = sim.channels().count().unwrap();
    for (k, name) in NAMES.iter().enumerate() {
        assert_eq!(sim.channels().name(count - 20 + k as i32).unwrap(), *name, "as it was given");
    }
    for (k, unit) in [(0, "N"), (4, "m"), (5, "m/s"), (6, "m/s^2"), (17, "deg"), (18, "deg/s")] {
        assert_eq!(sim.channels().unit(count - 20 + k).unwrap(), unit);
    }
    for _ in 0..5 {
        sim.step(0.02).unwrap();
        for ((told, expected), name) in told(&sim, 20).into_iter().zip(expected(&sim)).zip(NAMES) {
            assert!((told - expected).abs() <= 1e-12 * expected.abs(), "{name}: {told} {expected}");
        }
    }
}

#[test]
fn they_go_with_model_files_and_a_platform() {
    let mut sim = load(V2).unwrap();
    sim.settings().set_openfast_platform(0).unwrap();
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("named-{}.toml", std::process::id()));
    sim.save_model(&path).unwrap();
    let mut again = Simulation::load_model(&path).unwrap();
    let _ = std::fs::remove_file(&path);
    for sim in [&mut sim, &mut again] {
        sim.initialize(0.0).unwrap();
        let count = sim.channels().count().unwrap();
        let names: Vec<String> = (count - 6..count).map(|k| sim.channels().name(k).unwrap()).collect();
        assert_eq!(names, ["PtfmRAzi", "FairTen1", "AnchTen2", "L2N4PX", "Point3VZ", "Body2RX"]);
    }
    assert_eq!(told(&sim, 5), told(&again, 5));
}

#[test]
fn names_in_one_pair_of_quotes_are_several() {
    // OpenFAST's files quote lists of outputs.
    for quoted in
        ["\"FairTen1, AnchTen2\"", "\"FairTen1 AnchTen2\"", "\"FairTen1\", \"AnchTen2\"", "'FairTen1,AnchTen2'"]
    {
        let text = V2.replace("FairTen1\n", &format!("{quoted}\n"));
        assert_ne!(text, V2);
        let text: String =
            text.lines().filter(|line| line.trim() != "AnchTen2").map(|line| format!("{line}\n")).collect();
        let mut sim = load(&text).unwrap();
        sim.initialize(0.0).unwrap();
        let names: Vec<String> =
            (0..sim.channels().count().unwrap()).map(|k| sim.channels().name(k).unwrap()).collect();
        for name in ["FairTen1", "AnchTen2"] {
            assert_eq!(names.iter().filter(|own| *own == name).count(), 1, "{quoted}: {names:?}");
        }
    }
}

#[test]
fn messages_repeat_the_begin_of_a_word_of_megabytes() {
    let text = V2.replace("FairTen1\n", &format!("{}\n", "x".repeat(10_000_000)));
    let message = load(&text).err().unwrap().to_string();
    assert!(message.len() < 2000 && message.contains("xxx..."), "{} bytes", message.len());
}

#[test]
fn names_that_mean_nothing_are_refused() {
    let mut sim = load(V2).unwrap();
    assert_eq!(sim.description().count(EntityKind::Line), 3);
    for name in [
        "",
        "PX",
        "L",
        "L1",
        "L1N",
        "L1NC",
        "L1N21PX",
        "L0N1PX",
        "Line4TenA",
        "Point7PX",
        "Body1",
        "FairTen",
        "Body1P",
        "Ü1PX",
        "L1NÜ",
        "Rod1PX",
        "RodPX",
    ] {
        assert!(
            matches!(sim.settings().add_moordyn_channel(name), Err(Error::BadValue { argument: "name", .. })),
            "{name}"
        );
    }
    for name in ["Body1FX", "Body1Ten", "Point1MX", "L1N5FX"] {
        assert!(
            matches!(sim.settings().add_moordyn_channel(name), Err(Error::Unsupported { argument: "name", .. })),
            "{name}"
        );
    }
    assert!(sim.settings().add_moordyn_channel("FAIRTEN1").is_err(), "there already");
    sim.settings().add_moordyn_channel("FairTen2").unwrap();
}
