//! Schemes of second order on six mechanisms, beside `rk4` and `ab5`: error over step and over
//! time.

use crate::drawing::{
    self, Area, BLUE, CIRCLE, DIAMOND, GREEN, GREY, INK, Mark, ORANGE, Outline, PURPLE, SQUARE, UP, text,
};
use crate::problems::{self, PROBLEMS, Problem};
use pintle::Simulation;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use std::error::Error;
use std::path::Path;
use std::time::Instant;

const SCHEMES: [(&str, Outline, RGBColor); 5] = [
    ("generalized-alpha", CIRCLE, BLUE),
    ("momentum-alpha", DIAMOND, ORANGE),
    ("newmark", SQUARE, PURPLE),
    ("rk4", UP, GREEN),
    ("ab5", DIAMOND, INK),
];

/// Runs whose shortest time counts.
const REPEATS: usize = 3;

/// Errors beyond this say nothing.
const LOST: f64 = 3.0;

/// One run.
#[derive(Clone, Copy)]
struct Run {
    step: f64,
    error: f64,
    seconds: f64,
}

/// All runs of a problem, by scheme.
pub struct Curves {
    problem: &'static Problem,
    runs: Vec<Vec<Run>>,
}

/// Where a scheme ends with so many steps, and how long they took; None where it fails.
fn run(problem: &Problem, scheme: &str, steps: usize) -> Result<Option<(problems::Place, f64)>, Box<dyn Error>> {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme)?;
    let step = problem.end / steps as f64;
    for (key, value) in [("max_time_step", step), ("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)] {
        sim.settings().set_option(key, value)?;
    }
    (problem.build)(&mut sim)?;
    sim.initialize(0.0)?;
    let start = Instant::now();
    for _ in 0..steps {
        if sim.step(step).is_err() {
            return Ok(None);
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    Ok(Some((problems::place(&sim)?, seconds)))
}

/// Runs all.
pub fn measure() -> Result<Vec<Curves>, Box<dyn Error>> {
    let mut all = Vec::new();
    for problem in &PROBLEMS {
        let Some((exact, _)) = run(problem, "rk4", problem.fine)? else { return Err("the reference failed".into()) };
        let mut runs = Vec::new();
        for (scheme, ..) in SCHEMES {
            let mut curve = Vec::new();
            for steps in problem.steps {
                let mut best: Option<Run> = None;
                for _ in 0..REPEATS {
                    let Some((end, seconds)) = run(problem, scheme, steps)? else { break };
                    let error = problems::error(&end, &exact, problem.length);
                    let seconds = best.map_or(seconds, |best| best.seconds.min(seconds));
                    best = Some(Run { step: problem.end / steps as f64, error, seconds });
                }
                curve.extend(best);
            }
            runs.push(curve);
        }
        all.push(Curves { problem, runs });
    }
    Ok(all)
}

/// Prints the tables.
pub fn print(all: &[Curves]) {
    println!("Six mechanisms: error at the end (positions over a length, rad) and us per step, by number of steps");
    for Curves { problem, runs } in all {
        println!("{}", problem.name);
        for ((scheme, ..), runs) in SCHEMES.iter().zip(runs) {
            print!("  {scheme:<18}");
            for steps in problem.steps {
                let step = problem.end / steps as f64;
                let found = runs.iter().find(|run| (run.step / step - 1.0).abs() < 1e-9);
                let shown = found.map(|run| format!("{:.2e} {:.2}", run.error, 1e6 * run.seconds / steps as f64));
                print!("{:>16}", shown.unwrap_or("failed".to_owned()));
            }
            println!();
        }
    }
}

/// Draws the figure: two panels for each mechanism.
pub fn draw(all: &[Curves], picture: &Path) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::new(picture, (1440, 1250)).into_drawing_area();
    root.fill(&WHITE)?;
    let (head, body) = root.split_vertically(70);
    let title = "Six mechanisms: error over step and over time";
    head.draw(&Text::new(title, (20, 24), text(22, INK, HPos::Left)))?;
    let subtitle = "largest error at the end of positions (over a length) and of orientations (rad)";
    head.draw(&Text::new(subtitle, (20, 52), text(16, GREY, HPos::Left)))?;
    for (k, (scheme, outline, colour)) in SCHEMES.into_iter().enumerate() {
        let x = 700 + 150 * k as i32;
        head.draw(&PathElement::new([(x, 24), (x + 30, 24)], colour.stroke_width(1)))?;
        head.draw(&(EmptyElement::at((x + 15, 24)) + Mark { outline, colour, hollow: false }.element()))?;
        head.draw(&Text::new(scheme, (x + 38, 24), text(14, INK, HPos::Left)))?;
    }
    for (area, curves) in body.split_evenly((3, 2)).iter().zip(all) {
        let (name, panels) = area.split_vertically(28);
        name.draw(&Text::new(curves.problem.name, (80, 16), text(16, INK, HPos::Left)))?;
        let (left, right) = panels.split_horizontally(360);
        panel(&left, curves, "step (s)", |run| run.step)?;
        panel(&right, curves, &format!("time (s), best of {REPEATS}"), |run| run.seconds)?;
    }
    root.present()?;
    Ok(())
}

/// Errors over a measure.
fn panel(area: &Area, curves: &Curves, name: &str, of: fn(&Run) -> f64) -> Result<(), Box<dyn Error>> {
    let shown = |run: &&Run| run.error < LOST && run.error > 0.0;
    let line = |((_, outline, colour), runs): ((&str, Outline, RGBColor), &Vec<Run>)| drawing::Line {
        points: runs.iter().filter(shown).map(|run| (of(run), run.error)).collect(),
        mark: Mark { outline, colour, hollow: false },
    };
    let lines: Vec<_> = SCHEMES.into_iter().zip(&curves.runs).map(line).collect();
    drawing::panel(area, [name, "error"], &lines)
}
