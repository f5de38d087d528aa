//! What local steps bring: a chain of twenty slow bodies (1 kg, 0.3 to 2.2 rad/s) with one small
//! fast one on it (10 g, 40 rad/s).

use pintle::{Frame, GROUND, Result, Simulation};
use std::error::Error;
use std::time::Instant;

const ORIGIN: [f64; 7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
const SLOW: usize = 20;
const END: f64 = 4.0;

/// One run: positions and velocities at the end, evaluations counted per body, time.
struct Run {
    end: Vec<f64>,
    body_evaluations: f64,
    seconds: f64,
}

/// Prints the table.
pub fn print() -> std::result::Result<(), Box<dyn Error>> {
    let exact = run("rk4", 0.002, 0.05)?;
    println!(
        "One fast body on a chain of {SLOW} slow ones, host step 0.1 s, {END} s: error, evaluations per body, time"
    );
    println!("{:<8}{:>8}{:>12}{:>18}{:>10}", "scheme", "cfl", "error", "body_evaluations", "ms");
    for scheme in ["euler", "leuler", "ab2", "lab2", "ab3", "lab3", "ab4", "lab4", "ab5", "lab5"] {
        for cfl in [0.5, 0.25, 0.125] {
            let run = run(scheme, 0.1, cfl)?;
            let error = run.end.iter().zip(&exact.end).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            println!("{scheme:<8}{cfl:>8}{error:>12.2e}{:>18}{:>10.2}", run.body_evaluations, 1e3 * run.seconds);
        }
    }
    println!();
    Ok(())
}

fn run(scheme: &str, step: f64, cfl: f64) -> Result<Run> {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme)?;
    sim.settings().set_option("cfl", cfl)?;
    for k in 0..=SLOW {
        let mass = if k < SLOW { 1.0 } else { 0.01 };
        let pose = [if k % 3 == 0 { 0.1 } else { -0.05 }, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        sim.build().add_rigid_body(mass, &[0.0; 3], &[mass, mass, mass, 0.0, 0.0, 0.0], &pose)?;
    }
    let mut tie = |a: i32, b: i32, k: f64, c: f64| {
        let [mut stiffness, mut damping] = [[0.0; 36]; 2];
        (stiffness[0], damping[0]) = (k, c);
        sim.elements().add_bushing(a, b, &ORIGIN, &ORIGIN, &stiffness, &damping)
    };
    for k in 0..SLOW as i32 {
        tie(GROUND, k, 0.09, 0.01)?;
        if k > 0 {
            tie(k - 1, k, 1.1, 0.01)?;
        }
    }
    tie(0, SLOW as i32, 0.01 * 1600.0, 0.01 * 2.0 * 0.1 * 40.0)?;
    sim.initialize(0.0)?;
    let start = Instant::now();
    for _ in 0..(END / step).round() as usize {
        sim.step(step)?;
    }
    let seconds = start.elapsed().as_secs_f64();
    let mut end = Vec::new();
    for body in 0..=SLOW as i32 {
        end.extend([sim.outputs().body_pose(body)?[0], sim.outputs().body_velocity(body, Frame::Inertial)?[0]]);
    }
    Ok(Run { end, body_evaluations: sim.outputs().statistic("body_evaluations")?, seconds })
}
