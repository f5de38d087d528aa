//! Setters and getters of lines in every phase: descriptions are read back, impossible values are
//! refused with the name of the line, winches, released ends and the fluid callback act where they
//! are set, and all are part of saved states.

use pintle::model::{FluidFn, FluidMotion, LineType};
use pintle::{EntityKind, Error, Id, Phase, Simulation};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

const SEGMENTS: [i32; 2] = [8, 5];
const LENGTHS: [f64; 2] = [60.0, 30.0];

/// A chain of 20 kg/m.
fn chain() -> LineType {
    LineType {
        diameter: 0.05,
        mass_per_length: 20.0,
        ea: 1e6,
        ba: -0.5,
        cdn: 1.5,
        can: 1.0,
        cdt: 0.1,
        cat: 0.2,
        ..LineType::default()
    }
}

/// From an anchor on the bed to a clump that is free, and from there to a fairlead that the host
/// moves.
fn described() -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    for (key, value) in [("water_density", 1025.0), ("depth", 40.0), ("seabed_friction", 0.5)] {
        sim.settings().set_environment(key, value).unwrap();
    }
    let places = [[-60.0, 0.0, -40.0], [-15.0, 1.0, -30.0], [0.0, 0.0, -5.0]];
    let [anchor, clump, fairlead] = places.map(|place| sim.build().add_point(100.0, 0.05, &place).unwrap());
    sim.build().fix_point(anchor).unwrap();
    sim.build().set_point_prescribed(fairlead, true).unwrap();
    sim.build().set_point_drag(clump, 0.5, 1.0).unwrap();
    let chain = sim.elements().add_line_type(chain()).unwrap();
    sim.elements().add_line(chain, anchor, clump, LENGTHS[0], SEGMENTS[0]).unwrap();
    sim.elements().add_line(chain, clump, fairlead, LENGTHS[1], SEGMENTS[1]).unwrap();
    sim.build().set_name(EntityKind::Line, 1, "hawser").unwrap();
    sim
}

fn started() -> Simulation {
    let mut sim = described();
    sim.initialize(0.0).unwrap();
    sim
}

/// Moves the fairlead as it is at the end of the coming step, which starts at `time`.
fn heave(sim: &mut Simulation, time: f64) {
    let (x, v) = (0.3 * time.sin(), 0.3 * time.cos());
    sim.inputs().set_point_motion(2, &[0.0, 0.0, -5.0 + x], &[0.0, 0.0, v], &[0.0, 0.0, -x]).unwrap();
}

fn tensions(sim: &Simulation, line: Id) -> Vec<f64> {
    let mut tensions = vec![0.0; SEGMENTS[line as usize] as usize];
    sim.lines().tensions(line, &mut tensions).unwrap();
    tensions
}

fn positions(sim: &Simulation, line: Id) -> Vec<[f64; 3]> {
    let mut positions = vec![[0.0; 3]; SEGMENTS[line as usize] as usize + 1];
    sim.lines().positions(line, &mut positions).unwrap();
    positions
}

/// The call is refused in these words, and nothing has changed.
#[track_caller]
fn refused<T>(sim: &mut Simulation, call: impl FnOnce(&mut Simulation) -> Result<T, Error>, words: &[&str]) {
    let before = (sim.phase() != Phase::Building).then(|| sim.save().unwrap().to_bytes());
    let Err(error) = call(sim) else { panic!("accepted; expected: {words:?}") };
    let text = error.to_string();
    assert!(words.iter().all(|word| text.contains(word)), "{text}: expected {words:?}");
    let after = (sim.phase() != Phase::Building).then(|| sim.save().unwrap().to_bytes());
    assert!(before == after, "{text}");
}

#[test]
fn descriptions_come_back_as_they_were_given_in_every_phase() {
    let mut sim = described();
    let check = |sim: &Simulation| {
        assert_eq!(*sim.description().line_type_info(0).unwrap(), chain());
        let line = sim.description().line_info(1).unwrap();
        assert_eq!((line.line_type, line.points, line.length, line.segments), (0, [1, 2], 30.0, 5));
        assert_eq!(sim.description().point_drag(1), Ok((0.5, 1.0)));
        assert_eq!(sim.given().environment_value("seabed_stiffness"), Ok(3e6));
        assert_eq!(sim.given().environment_value("depth"), Ok(40.0));
        assert_eq!(sim.lines().length(0), Ok((60.0, 0.0)));
        assert_eq!(sim.given().line_length(0), Ok((60.0, 0.0)));
        assert_eq!(sim.lines().released(1), Ok([false; 2]));
        assert_eq!(sim.description().count(EntityKind::Line), 2);
        assert_eq!(sim.description().count(EntityKind::LineType), 1);
        assert_eq!(sim.description().find(EntityKind::Line, "hawser"), Ok(1));
        assert_eq!(sim.given().fluid_callback(), (false, false));
        assert!(sim.given().current().is_empty());
    };
    check(&sim);
    sim.initialize(0.0).unwrap();
    check(&sim);
    sim.advance(0.05).unwrap();
    check(&sim);
    let nodes = SEGMENTS.iter().map(|n| n + 1).sum::<i32>();
    assert_eq!(sim.outputs().statistic("dofs"), Ok(f64::from(3 * (3 + nodes))));
}

#[test]
fn tables_come_back_and_take_the_place_of_a_stiffness() {
    let mut sim = described();
    assert_eq!(sim.description().line_type_table(0, "ea"), Ok([&[][..], &[][..]]));
    let (x, y) = ([0.0, 0.02, 0.1], [0.0, 2e4, 2e5]);
    sim.elements().set_line_type_table(0, "ea", &x, &y).unwrap();
    assert_eq!(sim.description().line_type_table(0, "ea"), Ok([&x[..], &y[..]]));
    assert_eq!(sim.description().line_type_table(0, "ba"), Ok([&[][..], &[][..]]));
    let soft = sim.elements().add_line_type(LineType { ea: 0.0, ..chain() }).unwrap();
    sim.build().set_name(EntityKind::LineType, soft, "rope").unwrap();
    refused(&mut sim, |sim| sim.initialize(0.0), &["line_type 1 \"rope\"", "axial stiffness 0"]);
    sim.elements().set_line_type_table(soft, "ea", &x, &y).unwrap();
    sim.initialize(0.0).unwrap();
    assert_eq!(sim.outputs().warning(), Ok(String::new()));
}

#[test]
fn a_segment_that_is_strained_beyond_its_table_is_told() {
    let mut sim = Simulation::new();
    let [a, b] = [0.0, 10.5].map(|x| sim.build().add_point(0.0, 0.0, &[x, 0.0, 0.0]).unwrap());
    sim.build().fix_point(a).unwrap();
    sim.build().fix_point(b).unwrap();
    let rope = sim.elements().add_line_type(LineType { ea: 0.0, ..chain() }).unwrap();
    sim.elements().set_line_type_table(rope, "ea", &[0.0, 0.01], &[0.0, 1e3]).unwrap();
    sim.elements().add_line(rope, a, b, 10.0, 4).unwrap();
    sim.initialize(0.0).unwrap();
    // Strain of a twentieth: five times that of the table's last point, where the curve is
    // continued linearly.
    let mut tensions = [0.0; 4];
    sim.lines().tensions(0, &mut tensions).unwrap();
    assert!(tensions.iter().all(|tension| (tension - 5e3).abs() < 1e-6 * 5e3), "{tensions:?}");
    let warning = sim.outputs().warning().unwrap();
    assert!(warning.contains("segment 0 of line 0 is strained by 0.05, beyond the table"), "{warning}");
}

#[test]
fn what_cannot_be_is_refused_where_it_is_said() {
    let sim = &mut described();
    for (change, words) in [
        (LineType { diameter: 0.0, ..chain() }, ["diameter", "0 is not above 0"]),
        (LineType { mass_per_length: -1.0, ..chain() }, ["mass_per_length", "-1 is not above 0"]),
        (LineType { ea: -2.0, ..chain() }, ["ea", "-2 is negative"]),
        (LineType { cat: f64::NAN, ..chain() }, ["cat", "NaN is not finite"]),
    ] {
        refused(sim, |sim| sim.elements().add_line_type(change), &words);
    }
    refused(sim, |sim| sim.elements().add_line(0, 1, 1, 10.0, 4), &["point_b", "1 is point_a too"]);
    refused(sim, |sim| sim.elements().add_line(0, 0, 1, 0.0, 4), &["length", "0 is not above 0"]);
    refused(sim, |sim| sim.elements().add_line(0, 0, 1, 10.0, 0), &["segments", "0 is no number of segments"]);
    refused(sim, |sim| sim.elements().add_line(1, 0, 1, 10.0, 4), &["type = 1 is not a line_type: the model has 1"]);
    refused(
        sim,
        |sim| sim.elements().set_line_type_table(0, "ei", &[0.0, 1.0], &[0.0, 1.0]),
        &["what", "\"ei\" is unknown"],
    );
    refused(sim, |sim| sim.inputs().set_line_length(0, 50.0, 0.0), &["BUILDING", "call pintle_initialize first"]);
    refused(sim, |sim| sim.inputs().release_line(0, 1), &["BUILDING", "call pintle_initialize first"]);
    refused(sim, |sim| sim.settings().set_environment("deepth", 1.0), &["\"deepth\" is unknown", "seabed_friction"]);
    refused(sim, |sim| sim.settings().set_current(&[1.0, 1.0], &[[0.0; 3]; 2]), &["depths[1] = 1 is not more"]);
}

#[test]
fn what_shows_when_all_is_said_is_refused_by_initialize_and_can_be_mended() {
    let mut sim = described();
    sim.settings().set_environment("depth", 0.0).unwrap();
    refused(&mut sim, |sim| sim.initialize(0.0), &["depth", "\"seabed_friction\" is 0.5"]);
    sim.settings().set_environment("depth", 39.0).unwrap();
    refused(&mut sim, |sim| sim.initialize(0.0), &["point 0", "z = -40", "below the seabed at -39"]);
    sim.settings().set_environment("depth", 40.0).unwrap();
    let hull = sim.build().add_rigid_body(
        1e4,
        &[0.0; 3],
        &[1e4, 1e4, 1e4, 0.0, 0.0, 0.0],
        &[0.0, 9.0, 0.0, 1.0, 0.0, 0.0, 0.0],
    );
    let deep = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
    sim.build().set_name(EntityKind::Point, deep, "hawsepipe").unwrap();
    sim.build().attach_point(deep, hull.unwrap(), &[0.0, 0.0, -41.0]).unwrap();
    refused(&mut sim, |sim| sim.initialize(0.0), &["point 3 \"hawsepipe\" on body 0", "z = -41"]);
    sim.settings().set_environment("depth", 41.0).unwrap();
    let lost = sim.build().add_point(0.0, 0.0, &[5.0, 5.0, 0.0]).unwrap();
    refused(&mut sim, |sim| sim.initialize(0.0), &["point 4 has no mass"]);
    // A line gives the point mass.
    sim.elements().add_line(0, lost, 2, 12.0, 4).unwrap();
    sim.initialize(0.0).unwrap();
}

/// The check for points below the bed uses their initial places, by the motion of their body,
/// wherever the model is.
#[test]
fn depth_is_compared_with_where_points_start() {
    for added in [-20.0, -60.0] {
        for start in [-20.0, -60.0] {
            let mut sim = Simulation::new();
            let pose = |z: f64| [0.0, 0.0, z, 1.0, 0.0, 0.0, 0.0];
            let inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
            let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose(added)).unwrap();
            sim.build().set_body_prescribed(body, true).unwrap();
            sim.inputs().set_body_motion(body, &pose(start), &[0.0; 6], &[0.0; 6]).unwrap();
            let fairlead = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
            sim.build().attach_point(fairlead, body, &[0.0; 3]).unwrap();
            let anchor = sim.build().add_point(0.0, 0.0, &[10.0, 0.0, -50.0]).unwrap();
            sim.build().fix_point(anchor).unwrap();
            sim.elements().add_line_type(chain()).unwrap();
            sim.elements().add_line(0, fairlead, anchor, 60.0, 8).unwrap();
            sim.settings().set_environment("water_density", 1025.0).unwrap();
            // Without a bed first, so that the check is tested in both phases.
            let words = ["point 0 on body 0", "z = -60", "below the seabed at -55"];
            sim.settings().set_environment("depth", 55.0).unwrap();
            if start < -55.0 {
                refused(&mut sim, |sim| sim.initialize(0.0), &words);
            }
            sim.settings().set_environment("depth", 0.0).unwrap();
            sim.initialize(0.0).unwrap();
            let mut deepen =
                |depth: f64| sim.settings().set_environment("depth", depth).map_err(|error| error.to_string());
            match deepen(55.0) {
                Ok(()) => assert!(start > -55.0),
                Err(said) => assert!(start < -55.0 && words.iter().all(|word| said.contains(word)), "{said}"),
            }
            deepen(61.0).unwrap();
        }
    }
    // Prescribed and fixed points of a model far below the origin, where the library subtracts the
    // model's own origin from positions.
    let mut sim = Simulation::new();
    let points = [[0.0, 0.0, -400.0], [2.0, 0.0, -401.0]].map(|at| sim.build().add_point(0.0, 0.0, &at).unwrap());
    sim.build().set_point_prescribed(points[0], true).unwrap();
    sim.build().fix_point(points[1]).unwrap();
    sim.elements().add_line_type(chain()).unwrap();
    sim.elements().add_line(0, points[0], points[1], 2.5, 5).unwrap();
    sim.settings().set_environment("water_density", 1025.0).unwrap();
    sim.initialize(0.0).unwrap();
    refused(&mut sim, |sim| sim.settings().set_environment("depth", 300.0), &["point 0", "z = -400", "seabed at -300"]);
    sim.settings().set_environment("depth", 402.0).unwrap();
}

#[test]
fn a_winch_acts_at_the_end_of_the_step_and_is_held() {
    let mut sim = started();
    refused(
        &mut sim,
        |sim| sim.inputs().set_line_length(1, 0.29, 0.0),
        &["0.29 is less than a hundredth", "line 1 \"hawser\""],
    );
    refused(&mut sim, |sim| sim.inputs().set_line_length(1, f64::NAN, 0.0), &["length = NaN is not finite"]);
    sim.inputs().set_line_length(1, 29.9, -2.0).unwrap();
    assert_eq!((sim.lines().length(1), sim.given().line_length(1)), (Ok((30.0, 0.0)), Ok((29.9, -2.0))));
    sim.advance(0.05).unwrap();
    assert_eq!(sim.lines().length(1), Ok((29.9, -2.0)));
    // A second value for the same step.
    sim.inputs().set_line_length(1, 29.95, -1.0).unwrap();
    sim.advance(0.05).unwrap();
    assert_eq!(sim.lines().length(1), Ok((29.95, -1.0)));
    sim.reject().unwrap();
    assert_eq!(sim.lines().length(1), Ok((30.0, 0.0)));
    for _ in 0..2 {
        sim.step(0.05).unwrap();
        assert_eq!(sim.lines().length(1), Ok((29.95, -1.0)));
    }
}

#[test]
fn an_end_that_is_let_go_is_free_until_an_earlier_state_is_restored() {
    let mut sim = started();
    let whole = sim.save().unwrap();
    refused(&mut sim, |sim| sim.inputs().release_line(1, 2), &["end", "2 is neither 0"]);
    sim.inputs().release_line(1, 1).unwrap();
    assert_eq!(sim.lines().released(1), Ok([false, true]));
    refused(&mut sim, |sim| sim.inputs().release_line(1, 1), &["end B of line 1 \"hawser\" is free already"]);
    let broken = sim.save().unwrap();
    let run = |sim: &mut Simulation| {
        for k in 1..=10 {
            heave(sim, 0.05 * f64::from(k));
            sim.step(0.05).unwrap();
        }
        let tip = positions(sim, 1)[SEGMENTS[1] as usize];
        (tip, sim.points().position(2).unwrap(), sim.save().unwrap().to_bytes())
    };
    let (tip, fairlead, bytes) = run(&mut sim);
    assert!(tip[2] < fairlead[2] - 0.3, "the end falls: {tip:?}, {fairlead:?}");
    // Restoring states attaches the end again, then frees it, also in a system that never released
    // it.
    sim.restore(&whole).unwrap();
    assert_eq!(sim.lines().released(1), Ok([false; 2]));
    let (tip, fairlead, _) = run(&mut sim);
    assert!((0..3).all(|i| (tip[i] - fairlead[i]).abs() < 1e-9), "{tip:?}, {fairlead:?}");
    sim.restore(&broken).unwrap();
    assert!(run(&mut sim).2 == bytes);
    let mut fresh = started();
    let state = fresh.deserialize(&broken.to_bytes()).unwrap();
    fresh.restore(&state).unwrap();
    assert!(run(&mut fresh).2 == bytes);
    let mut copy = fresh.clone();
    copy.restore(&broken).unwrap();
    assert!(run(&mut copy).2 == bytes);
}

#[test]
fn trials_states_checkpoints_and_clones_carry_all_of_lines() {
    let path = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lines_abi.checkpoint");
    let mut sim = started();
    let drive = |sim: &mut Simulation, k: i32| {
        let time = 0.05 * f64::from(k);
        heave(sim, time);
        sim.inputs().set_line_length(0, 60.0 - 0.2 * time, -0.2).unwrap();
    };
    for k in 1..=8 {
        drive(&mut sim, k);
        sim.step(0.05).unwrap();
    }
    sim.settings().set_current(&[0.0, 40.0], &[[0.8, 0.0, 0.0], [0.0; 3]]).unwrap();
    let saved = sim.save().unwrap();
    sim.write_checkpoint(&path).unwrap();
    let go_on = |sim: &mut Simulation| {
        for k in 9..=14 {
            drive(sim, k);
            if k == 11 {
                // A trial that is thrown away leaves nothing behind.
                sim.inputs().set_line_length(0, 59.0, 0.0).unwrap();
                sim.advance(0.05).unwrap();
                sim.reject().unwrap();
                drive(sim, k);
            }
            sim.advance(0.05).unwrap();
            sim.accept().unwrap();
        }
        sim.save().unwrap().to_bytes()
    };
    let expected = go_on(&mut sim);
    sim.restore(&saved).unwrap();
    assert!(go_on(&mut sim) == expected, "restored");
    let mut other = started();
    other.read_checkpoint(&path).unwrap();
    assert_eq!(other.given().current().len(), 2);
    let mut copy = other.clone();
    assert!(go_on(&mut other) == expected, "from a checkpoint");
    assert!(go_on(&mut copy) == expected, "a clone");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn outputs_agree_with_each_other_and_with_channels() {
    let mut sim = started();
    for k in 1..=5 {
        heave(&mut sim, 0.05 * f64::from(k));
        sim.step(0.05).unwrap();
    }
    sim.advance(0.05).unwrap();
    let (mut ends, mut forces) = ([[0.0; 2]; 2], [[0.0; 6]; 2]);
    sim.lines().end_tensions(&mut ends).unwrap();
    sim.lines().end_forces(&mut forces).unwrap();
    let mut values = vec![0.0; sim.channels().count().unwrap() as usize];
    sim.channels().values(&mut values).unwrap();
    let channel = |name: String| {
        let place = (0..values.len()).find(|k| sim.channels().name(*k as i32).unwrap() == name);
        values[place.unwrap_or_else(|| panic!("no channel {name}"))]
    };
    for line in 0..2 {
        let label = ["line0", "hawser"][line];
        let (all, nodes) = (tensions(&sim, line as Id), positions(&sim, line as Id));
        assert_eq!(ends[line], [all[0], all[all.len() - 1]]);
        assert_eq!(channel(format!("{label}.tension_b")), ends[line][1]);
        for (k, tension) in all.iter().enumerate() {
            assert_eq!(channel(format!("{label}.tension.{k}")), *tension);
        }
        for (k, node) in nodes.iter().enumerate() {
            assert_eq!(["x", "y", "z"].map(|axis| channel(format!("{label}.node{k}.{axis}"))), *node);
        }
        for (end, name) in [(0, "a"), (1, "b")] {
            let force = sim.lines().end_force(line as Id, end).unwrap();
            assert_eq!(force, std::array::from_fn(|k| forces[line][3 * end as usize + k]));
            assert_eq!(["x", "y", "z"].map(|axis| channel(format!("{label}.force_{name}.{axis}"))), force);
        }
        assert_eq!(channel(format!("{label}.length")), LENGTHS[line]);
        // Positions of ends are those of their points.
        for (node, point) in [(nodes[0], line as Id), (nodes[nodes.len() - 1], line as Id + 1)] {
            let place = sim.points().position(point).unwrap();
            assert!((0..3).all(|i| (node[i] - place[i]).abs() < 1e-9), "{node:?}, {place:?}");
        }
    }
    let wrong = sim.lines().tensions(0, &mut [0.0; 3]).unwrap_err();
    assert_eq!(wrong.to_string(), "n = 3, expected 8 (the count)");
}

#[test]
fn a_model_file_gives_the_same_lines_and_the_same_run() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join("lines_abi.toml");
    let mut sim = described();
    sim.elements().set_line_type_table(0, "ba", &[0.0, 1.0], &[0.0, 2e4]).unwrap();
    sim.settings().set_current(&[0.0, 10.0], &[[0.5, 0.1, 0.0], [0.0; 3]]).unwrap();
    sim.settings().add_moordyn_channel("FairTen2").unwrap();
    sim.settings().add_moordyn_channel("L1N3PZ").unwrap();
    sim.save_model(&path).unwrap();
    let mut again = Simulation::load_model(&path).unwrap();
    for each in [&mut sim, &mut again] {
        each.initialize(0.0).unwrap();
        for k in 1..=5 {
            heave(each, 0.05 * f64::from(k));
            each.step(0.05).unwrap();
        }
    }
    assert!(sim.save().unwrap().to_bytes() == again.save().unwrap().to_bytes());
    assert_eq!(again.channels().count(), sim.channels().count());
    let last = again.channels().count().unwrap() - 1;
    assert_eq!(again.channels().name(last), Ok("L1N3PZ".to_owned()));
    let mut values = vec![0.0; last as usize + 1];
    again.channels().values(&mut values).unwrap();
    assert_eq!(values[last as usize], positions(&again, 0)[3][2]);
    // A line has no state before the run, but its length is part of the fingerprint.
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("length = 60.0", "length = 60.5")).unwrap();
    let mut longer = Simulation::load_model(&path).unwrap();
    longer.initialize(0.0).unwrap();
    assert!(matches!(longer.restore(&sim.save().unwrap()), Err(Error::Fingerprint { .. })));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn the_environment_acts_from_ready_on_and_not_in_a_trial() {
    let mut sim = started();
    sim.settings().set_environment("water_density", 1000.0).unwrap();
    refused(&mut sim, |sim| sim.settings().set_environment("depth", 0.0), &["\"seabed_friction\" is 0.5"]);
    sim.advance(0.05).unwrap();
    refused(&mut sim, |sim| sim.settings().set_environment("depth", 50.0), &["TRIAL"]);
    refused(&mut sim, |sim| sim.settings().set_current(&[], &[]), &["TRIAL"]);
    refused(&mut sim, |sim| sim.inputs().release_line(0, 0), &["TRIAL"]);
    sim.accept().unwrap();
    // A current drags the clump along.
    let mut still = sim.clone();
    sim.settings().set_current(&[0.0], &[[0.0, 3.0, 0.0]]).unwrap();
    for _ in 0..10 {
        sim.step(0.05).unwrap();
        still.step(0.05).unwrap();
    }
    let y = |sim: &Simulation| sim.points().position(1).unwrap()[1];
    assert!(y(&sim) > y(&still) + 1e-3, "{}, {}", y(&sim), y(&still));
}

#[test]
fn the_fluid_callback_is_asked_for_all_nodes_and_points_and_its_failures_are_named() {
    let n = (SEGMENTS[0] + SEGMENTS[1] + 2 + 3) as usize;
    let calls = Arc::new(AtomicU32::new(0));
    let counted = calls.clone();
    let waves: FluidFn = Arc::new(move |_, positions: &[[f64; 3]], motion: &mut FluidMotion| {
        counted.fetch_add(1, Ordering::Relaxed);
        assert_eq!(positions.len(), n);
        assert!(motion.velocities.iter().flatten().chain(motion.elevations.iter()).all(|x| *x == 0.0));
        // The anchor is the first node and, as the first point, again after the nodes.
        assert_eq!(positions[0], [-60.0, 0.0, -40.0]);
        assert_eq!(positions[n - 3], [-60.0, 0.0, -40.0]);
        motion.velocities.fill([0.0, 2.0, 0.0]);
        Ok(())
    });
    let mut sim = started();
    let mut still = sim.clone();
    sim.settings().set_fluid_callback(Some(waves.clone()), false).unwrap();
    assert_eq!(sim.given().fluid_callback(), (true, false));
    for k in 1..=10 {
        for each in [&mut sim, &mut still] {
            heave(each, 0.05 * f64::from(k));
            each.step(0.05).unwrap();
        }
    }
    let once = calls.swap(0, Ordering::Relaxed);
    let y = |sim: &Simulation| sim.points().position(1).unwrap()[1];
    assert!(y(&sim) > y(&still) + 1e-3, "{}, {}", y(&sim), y(&still));
    // A run from a saved state, with the motion of the water there.
    let saved = sim.save().unwrap();
    sim.step(0.05).unwrap();
    let expected = sim.save().unwrap().to_bytes();
    let mut other = started();
    other.settings().set_fluid_callback(Some(waves.clone()), false).unwrap();
    let state = other.deserialize(&saved.to_bytes()).unwrap();
    other.restore(&state).unwrap();
    other.step(0.05).unwrap();
    assert!(other.save().unwrap().to_bytes() == expected);

    let mut implicit = started();
    implicit.settings().set_fluid_callback(Some(waves), true).unwrap();
    calls.store(0, Ordering::Relaxed);
    for k in 1..=10 {
        heave(&mut implicit, 0.05 * f64::from(k));
        implicit.step(0.05).unwrap();
    }
    assert!(calls.load(Ordering::Relaxed) > once, "asked at every iterate: {calls:?}, once a step: {once}");

    let broken: FluidFn = Arc::new(|_, _: &[[f64; 3]], motion: &mut FluidMotion| {
        motion.accelerations[11][1] = f64::NAN;
        Ok(())
    });
    sim.settings().set_fluid_callback(Some(broken), false).unwrap();
    let before = sim.save().unwrap().to_bytes();
    let error = sim.advance(0.05).unwrap_err();
    assert!(matches!(error, Error::Callback { .. }), "{error}");
    // Node 2 of the second line.
    let text = error.to_string();
    assert!(text.contains("line 1 \"hawser\"") && text.contains("node 2"), "{text}");
    assert!(sim.save().unwrap().to_bytes() == before);
    let refusing: FluidFn = Arc::new(|_, _: &[[f64; 3]], _: &mut FluidMotion| Err(7));
    sim.settings().set_fluid_callback(Some(refusing), true).unwrap();
    let error = sim.advance(0.05).unwrap_err();
    assert!(matches!(error, Error::Callback { .. }) && error.to_string().contains("returned 7"), "{error}");
    sim.settings().set_fluid_callback(None, false).unwrap();
    sim.step(0.05).unwrap();
}

#[test]
fn tables_that_leave_a_force_at_rest_are_refused() {
    let mut sim = described();
    for what in ["ea", "ba"] {
        let mut set = |x: &[f64], y: &[f64]| sim.elements().set_line_type_table(0, what, x, y);
        let error = set(&[0.1, 0.2], &[1000.0, 1100.0]).unwrap_err().to_string();
        assert!(error.contains("900") && error.contains("jump"), "{what}: {error}");
        // Tables may begin at zero, or lead to it.
        set(&[0.1, 0.2], &[0.0, 1100.0]).unwrap();
        set(&[0.1, 0.3], &[1000.0, 3000.0]).unwrap();
        set(&[0.1, 0.2], &[1000.0, 3000.0]).unwrap();
    }
}
