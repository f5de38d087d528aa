//! Work and precision of every scheme on the heavy top: error at 1 s over evaluations and over
//! time.

use crate::drawing::{
    self, Area, BLUE, CIRCLE, DIAMOND, DOWN, GREEN, GREY, INK, Mark, ORANGE, Outline, PURPLE, SQUARE, UP, text,
};
use crate::heavy_top::{self, Motion, Run};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use std::error::Error;
use std::path::Path;

/// The schemes, those with substeps with five.
pub fn schemes() -> Vec<String> {
    pintle::simulation::SCHEME_NAMES.iter().map(|name| name.replace('N', "5")).collect()
}

/// Numbers of steps in a second.
const STEPS: [usize; 9] = [125, 250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000];

/// Runs whose shortest time counts.
const REPEATS: usize = 5;

/// Errors beyond this say nothing.
const LOST: f64 = 1e2;

/// Runs of one scheme, the longest steps first.
pub struct Curve {
    scheme: String,
    runs: Vec<Run>,
}

/// All curves.
pub fn measure() -> Result<Vec<Curve>, Box<dyn Error>> {
    let exact = Motion::reference();
    let mut curves = Vec::new();
    for scheme in schemes() {
        let mut runs = Vec::new();
        for steps in STEPS {
            let mut best: Option<Run> = None;
            for _ in 0..REPEATS {
                let Some((motion, run)) = heavy_top::run(&scheme, steps)? else { break };
                let seconds = best.map_or(run.seconds, |best| best.seconds.min(run.seconds));
                best = Some(Run { error: motion.error(&exact), seconds, ..run });
            }
            runs.extend(best);
        }
        curves.push(Curve { scheme, runs });
    }
    Ok(curves)
}

/// Prints the table: error at some steps, order, and cost.
pub fn print(curves: &[Curve]) {
    println!(
        "Heavy top, error at {} s (largest component, SI) at steps of so many per second; cost of a step",
        heavy_top::END
    );
    print!("{:<18}", "scheme");
    STEPS.iter().for_each(|steps| print!("{steps:>10}"));
    println!("{:>8}{:>8}{:>8}{:>8}", "order", "evals", "iters", "us");
    for Curve { scheme, runs } in curves {
        print!("{scheme:<18}");
        for steps in STEPS {
            let run = runs.iter().find(|run| (run.step * steps as f64 - heavy_top::END).abs() < 1e-9);
            print!("{:>10}", run.map_or("failed".to_owned(), |run| format!("{:.2e}", run.error)));
        }
        // order between 0.5 ms and 0.25 ms, cost at 0.25 ms
        let at = |steps: usize| runs.iter().find(|run| (run.step * steps as f64 - heavy_top::END).abs() < 1e-9);
        if let (Some(coarse), Some(fine)) = (at(2000), at(4000)) {
            let steps = heavy_top::END / fine.step;
            let order = (coarse.error / fine.error).log2();
            let (evaluations, iterations) = (fine.evaluations / steps, fine.iterations / steps);
            print!("{order:>8.2}{evaluations:>8.2}{iterations:>8.2}{:>8.2}", 1e6 * fine.seconds / steps);
        }
        println!();
    }
}

// ------------------------------------------------------------------------------------------------------------- figure

/// Families: name, colour, whether marks are hollow and large, members with their marks.
type Family = (&'static str, RGBColor, bool, &'static [(&'static str, Outline)]);

const FAMILIES: [Family; 5] = [
    (
        "implicit, Newton",
        BLUE,
        false,
        &[("generalized-alpha", CIRCLE), ("momentum-alpha", DIAMOND), ("newmark", SQUARE), ("hht", UP)],
    ),
    (
        "Runge-Kutta",
        ORANGE,
        false,
        &[("euler", CIRCLE), ("heun", SQUARE), ("rk2", UP), ("rk3", DOWN), ("rk4", DIAMOND)],
    ),
    ("Adams-Bashforth", GREEN, false, &[("ab2", SQUARE), ("ab3", UP), ("ab4", DOWN), ("ab5", DIAMOND)]),
    (
        "local steps (one entity here)",
        INK,
        true,
        &[("leuler", CIRCLE), ("lab2", SQUARE), ("lab3", UP), ("lab4", DOWN), ("lab5", DIAMOND)],
    ),
    (
        "semi-implicit, 5 substeps",
        PURPLE,
        false,
        &[("beuler5", CIRCLE), ("anderson5", DIAMOND), ("midpoint5", SQUARE), ("aca5", UP), ("wilson5", DOWN)],
    ),
];

/// Draws the figure.
pub fn draw(curves: &[Curve], picture: &Path) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::new(picture, (1440, 810)).into_drawing_area();
    root.fill(&WHITE)?;
    root.draw(&Text::new(
        "Heavy top, 1 s at a spin of 150 rad/s: error over cost",
        (20, 26),
        text(22, INK, HPos::Left),
    ))?;
    let subtitle = "largest component of the errors of position, orientation, velocity, angular velocity (SI) at 1 s, steps of 8 ms to 0.03 ms";
    root.draw(&Text::new(subtitle, (20, 54), text(16, GREY, HPos::Left)))?;
    let (_, body) = root.split_vertically(70);
    let (left, rest) = body.split_horizontally(600);
    let (right, legend) = rest.split_horizontally(580);
    panel(&left, curves, "evaluations of accelerations or of an iteration matrix", |run| run.evaluations)?;
    panel(&right, curves, &format!("time of the run (s), best of {REPEATS}"), |run| run.seconds)?;
    let mut y = 40;
    for (family, colour, hollow, members) in FAMILIES {
        legend.draw(&Text::new(family, (10, y), text(16, colour, HPos::Left)))?;
        for (name, mark) in members {
            y += 22;
            legend.draw(&PathElement::new([(14, y), (46, y)], colour.stroke_width(1)))?;
            legend.draw(&(EmptyElement::at((30, y)) + Mark { outline: mark, colour, hollow }.element()))?;
            legend.draw(&Text::new(*name, (56, y), text(15, INK, HPos::Left)))?;
        }
        y += 32;
    }
    root.present()?;
    Ok(())
}

/// Error over a measure of cost.
fn panel(area: &Area, curves: &[Curve], cost_name: &str, cost: fn(&Run) -> f64) -> Result<(), Box<dyn Error>> {
    let shown = |run: &&Run| run.error < LOST;
    let mut lines = Vec::new();
    for (_, colour, hollow, members) in FAMILIES {
        for (name, outline) in members {
            let Some(curve) = curves.iter().find(|curve| curve.scheme == *name) else { continue };
            let points = curve.runs.iter().filter(shown).map(|run| (cost(run), run.error)).collect();
            lines.push(drawing::Line { points, mark: Mark { outline, colour, hollow } });
        }
    }
    drawing::panel(area, [cost_name, "error"], &lines)
}
