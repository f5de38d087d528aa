//! The models that are shipped are those of the example programs: each program is compiled so that
//! it saves its model where it would initialize it, and that is compared with the file.

use crate::common::programs::{fresh_directory, output, release_directory, root, tool};
use pintle::{Frame, GROUND, JointKind, Simulation};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Stands in for pintle_initialize: saves the model and ends the program.
const SAVE: &str = r#"
#include <stdlib.h>
#include "pintle.h"
int32_t __wrap_pintle_initialize(pintle_system *sys, double t0);
int32_t __wrap_pintle_initialize(pintle_system *sys, double t0)
{
    (void)t0;
    exit(pintle_save_model(sys, getenv("MODEL")));
}
"#;

fn shipped(name: &str) -> Simulation {
    Simulation::load_model(&root().join(format!("models/{name}.toml"))).unwrap_or_else(|error| panic!("{error}"))
}

fn directory() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let directory = fresh_directory("model_file/shipped");
        std::fs::copy(release_directory().join("libpintle.so"), directory.join("libpintle.so.1")).unwrap();
        std::os::unix::fs::symlink("libpintle.so.1", directory.join("libpintle.so")).unwrap();
        std::fs::write(directory.join("save.c"), SAVE).unwrap();
        directory
    })
}

/// The model that `c_examples/{program}.c` initializes first.
fn of_program(program: &str) -> Simulation {
    let directory = directory();
    let (executable, model) = (directory.join(program), directory.join(format!("{program}.toml")));
    let mut compiler = tool("gcc");
    compiler.arg("-I").arg(root().join("include")).arg(root().join(format!("c_examples/{program}.c")));
    compiler.arg(directory.join("save.c")).arg("-Wl,--wrap=pintle_initialize").arg("-L").arg(directory);
    compiler.arg(format!("-Wl,-rpath,{}", directory.display())).args(["-lpintle", "-lm", "-o"]).arg(&executable);
    output(&mut compiler);
    output(std::process::Command::new(executable).env("MODEL", &model));
    Simulation::load_model(&model).unwrap()
}

/// All motions and the energy.
fn numbers(sim: &Simulation) -> Vec<f64> {
    let bodies = sim.description().count(pintle::EntityKind::Body);
    let mut numbers: Vec<f64> = Vec::new();
    for body in 0..bodies {
        numbers.extend(sim.outputs().body_pose(body).unwrap());
        numbers.extend(sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
        numbers.extend(sim.outputs().body_acceleration(body, Frame::Inertial).unwrap());
    }
    let (kinetic, potential) = sim.outputs().energy().unwrap();
    numbers.extend([kinetic, potential]);
    numbers
}

/// Runs both over a while, with what the host gives at each time; the difference of any two numbers
/// is at most `tolerance` of the larger one, or of 1.
fn assert_same(mut file: Simulation, mut program: Simulation, give: impl Fn(&mut Simulation, f64), tolerance: f64) {
    for sim in [&mut file, &mut program] {
        sim.initialize(0.0).unwrap();
    }
    if tolerance == 0.0 {
        // Of another model a state would be refused.
        file.clone().restore(&program.save().unwrap()).unwrap();
    }
    let dt = 0.005;
    for n in 1..=100 {
        for sim in [&mut file, &mut program] {
            give(sim, f64::from(n) * dt);
            sim.step(dt).unwrap();
        }
        for (k, (a, b)) in numbers(&file).into_iter().zip(numbers(&program)).enumerate() {
            let fits = if tolerance == 0.0 {
                a.to_bits() == b.to_bits()
            } else {
                (a - b).abs() <= tolerance * b.abs().max(1.0)
            };
            assert!(fits, "step {n}, number {k}: {a} and {b}");
        }
    }
}

#[test]
fn models_of_the_programs_run_bit_identically() {
    for (model, program) in [
        ("heavy_top", "heavy_top"),
        ("floating_platform", "floating_platform"),
        ("modes", "modes"),
        ("buoy", "coupled_host"),
        ("yaw_drive", "yaw_drive"),
        ("oscillator", "schemes"),
        ("spar", "spar"),
    ] {
        assert_same(shipped(model), of_program(program), |_, _| {}, 0.0);
    }
}

/// That program calls through the table of pintle_get_api, which nothing can stand in for: its
/// numbers once more.
#[test]
fn the_pendulum_is_that_of_the_dlopen_host() {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let body = sim.build().add_rigid_body(
        1.0,
        &[0.0; 3],
        &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0],
        &[1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
    );
    let body = body.unwrap();
    sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    sim.settings().set_option("rho_inf", 1.0).unwrap();
    assert_same(shipped("pendulum"), sim, |_, _| {}, 0.0);
}

/// Sines and arc cosines of the program are those of the C library, which may differ in their last
/// bit.
#[test]
fn the_four_bar_runs_as_that_of_the_program_to_rounding() {
    let speed = std::f64::consts::TAU;
    let turn = |sim: &mut Simulation, t: f64| sim.inputs().set_joint_motion(0, speed * t, speed, 0.0).unwrap();
    assert_same(shipped("four_bar"), of_program("four_bar"), turn, 1e-9);
}

/// The file has places of anchors and fairleads to 1e-8 m, the program computes them from angles.
#[test]
fn the_moored_platform_runs_as_that_of_the_program_to_the_digits_of_its_places() {
    assert_same(shipped("oc4_moored"), of_program("oc4_mooring"), |_, _| {}, 1e-6);
}

#[test]
fn the_example_of_the_hosts_page_swings() {
    let page = std::fs::read_to_string(root().join("docs/hosts.md")).unwrap();
    let text = page.split_once("```toml\n").and_then(|(_, rest)| rest.split_once("```")).expect("a model").0;
    let mut sim = crate::model_file::load(text).unwrap();
    let hook = sim.description().find(pintle::EntityKind::Marker, "hook").unwrap();
    sim.initialize(0.0).unwrap();
    let mut least = f64::INFINITY;
    for _ in 0..600 {
        sim.step(0.01).unwrap();
        least = least.min(sim.outputs().marker_pose(hook).unwrap()[0]);
    }
    // Trolley and load swing about their common centre of mass at 2.5 m, which only the dampers
    // move: from 3 m to about 2.
    assert!((1.5..2.1).contains(&least), "{least}");
}

/// The rod bends by its own weight and the ball's, and never creates energy: it starts level, with
/// a potential energy that is the largest it ever has.
#[test]
fn the_flexible_pendulum_bends_and_loses_energy() {
    let mut sim = shipped("flexible_pendulum");
    sim.initialize(0.0).unwrap();
    let ball = sim.description().find(pintle::EntityKind::Body, "ball").unwrap();
    let energy = |sim: &Simulation| sim.outputs().energy().map(|(kinetic, potential)| kinetic + potential).unwrap();
    let (start, mut before, mut nearest) = (energy(&sim), energy(&sim), f64::INFINITY);
    for _ in 0..200 {
        sim.step(0.01).unwrap();
        let [x, y, z, ..] = sim.outputs().body_pose(ball).unwrap();
        nearest = nearest.min((x * x + y * y + z * z).sqrt());
        // A step's error is far below 1e-4 J; about 20 J go from potential to kinetic energy and
        // back.
        assert!(energy(&sim) < before + 1e-4, "{} {before}", energy(&sim));
        before = energy(&sim);
    }
    // A bent rod is shorter from end to end than the straight one of 2 m; the damper takes some of
    // the energy.
    assert!((1.5..1.8).contains(&nearest) && before < start - 0.05, "{nearest} {start} {before}");
}

/// The rotor spins up by the torque on its hub. Of the work of that, what neither the generator
/// takes nor the energy has is dissipated by the beams: at all times more than before, and little
/// in all, because they are damped by some parts of a hundred.
#[test]
fn the_turbine_gains_the_work_of_its_torque_less_what_is_dissipated() {
    let mut sim = shipped("turbine");
    sim.initialize(0.0).unwrap();
    let shaft = sim.description().find(pintle::EntityKind::Joint, "shaft").unwrap();
    let energy = |sim: &Simulation| sim.outputs().energy().map(|(kinetic, potential)| kinetic + potential).unwrap();
    let (torque, generator, dt) = (1.9e7, 2.4e7, 0.02);
    let (start, mut before, mut taken, mut dissipated) = (energy(&sim), 0.0, 0.0, 0.0);
    for n in 1..=150 {
        sim.step(dt).unwrap();
        let [angle, rate, _] = sim.outputs().joint_coordinate(shaft).unwrap();
        taken += generator * 0.5 * dt * (rate * rate + before * before);
        before = rate;
        if n % 50 == 0 {
            let left = torque * angle - taken - (energy(&sim) - start);
            assert!(left > dissipated && left < 0.15 * torque * angle, "{n}: {left} after {dissipated}");
            dissipated = left;
        }
    }
    assert!((0.2..0.3).contains(&sim.outputs().joint_coordinate(shaft).unwrap()[0]));
}

/// The pendulum hits the stop three times, and rests within the angle that friction holds: m g L
/// sin(angle) below 0.9 N m.
#[test]
fn the_pendulum_of_the_stops_comes_to_rest_where_friction_holds_it() {
    let mut sim = shipped("stops");
    sim.initialize(0.0).unwrap();
    let mut hits = 0;
    for _ in 0..600 {
        sim.step(0.02).unwrap();
        let events = pintle::JointMachines::of(&sim).events().unwrap();
        hits += events.iter().filter(|event| event.change.name() == "hits").count();
    }
    let [angle, rate, _] = sim.outputs().joint_coordinate(0).unwrap();
    let from_lowest = angle - std::f64::consts::FRAC_PI_2;
    assert_eq!(hits, 3);
    assert!((2.0 * 9.81 * 0.8 * from_lowest.sin()).abs() < 0.9 && rate.abs() < 1e-9, "{angle} {rate}");
}

#[test]
fn every_shipped_model_is_tested_and_says_its_version_and_names() {
    let mut names: Vec<String> = std::fs::read_dir(root().join("models"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "buoy",
            "crane",
            "flexible_pendulum",
            "floating_platform",
            "four_bar",
            "heavy_top",
            "modes",
            "oc4_moored",
            "oscillator",
            "pendulum",
            "spar",
            "stops",
            "turbine",
            "yaw_drive"
        ]
    );
    for name in names {
        let sim = shipped(&name);
        assert!(sim.description().count(pintle::EntityKind::Body) > 0 && GROUND < 0, "{name}");
        let text = std::fs::read_to_string(root().join(format!("models/{name}.toml"))).unwrap();
        // Shapes are called as their bodies; stations have no names.
        let is_named = |line: &&str| line.starts_with("[[") && !["[[shape]]", "[[beam.station]]"].contains(line);
        let heads = text.lines().filter(is_named).count();
        assert_eq!(text.lines().filter(|line| line.starts_with("name = ")).count(), heads, "{name}: all have names");
    }
}
