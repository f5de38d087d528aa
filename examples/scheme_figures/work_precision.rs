//! Work and precision of every scheme on the heavy top: error at 1 s over evaluations and over time.

use crate::drawing::{self, BLUE, GREEN, GREY, INK, ORANGE, PURPLE, power_of_ten, text};
use crate::heavy_top::{self, Motion, Run};
use plotters::coord::Shift;
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

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Marks: outlines about (0, 0), in units of their size.
const CIRCLE: &[(f64, f64)] =
    &[(1.0, 0.0), (0.71, 0.71), (0.0, 1.0), (-0.71, 0.71), (-1.0, 0.0), (-0.71, -0.71), (0.0, -1.0), (0.71, -0.71)];
const SQUARE: &[(f64, f64)] = &[(0.85, 0.85), (-0.85, 0.85), (-0.85, -0.85), (0.85, -0.85)];
const UP: &[(f64, f64)] = &[(0.0, -1.15), (1.0, 0.75), (-1.0, 0.75)];
const DOWN: &[(f64, f64)] = &[(0.0, 1.15), (1.0, -0.75), (-1.0, -0.75)];
const DIAMOND: &[(f64, f64)] = &[(0.0, -1.25), (1.0, 0.0), (0.0, 1.25), (-1.0, 0.0)];

/// Families: name, colour, whether marks are hollow and large, members with their marks.
type Family = (&'static str, RGBColor, bool, &'static [(&'static str, &'static [(f64, f64)])]);

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
            legend.draw(&(EmptyElement::at((30, y)) + Mark { mark, colour, hollow }.outline()))?;
            legend.draw(&Text::new(*name, (56, y), text(15, INK, HPos::Left)))?;
        }
        y += 32;
    }
    root.present()?;
    Ok(())
}

/// A mark in its colour.
struct Mark {
    mark: &'static [(f64, f64)],
    colour: RGBColor,
    hollow: bool,
}

impl Mark {
    /// Relative to its place.
    fn outline(&self) -> PathElement<(i32, i32)> {
        let size = if self.hollow { 9.0 } else { 5.0 };
        let corners = self.mark.iter().chain(&self.mark[..1]);
        let points: Vec<(i32, i32)> =
            corners.map(|(x, y)| ((x * size).round() as i32, (y * size).round() as i32)).collect();
        let style = if self.hollow { self.colour.stroke_width(1) } else { self.colour.stroke_width(2) };
        PathElement::new(points, style)
    }
}

/// Error over a measure of cost.
fn panel(area: &Area, curves: &[Curve], cost_name: &str, cost: fn(&Run) -> f64) -> Result<(), Box<dyn Error>> {
    let shown = |run: &&Run| run.error < LOST;
    let all = || curves.iter().flat_map(|curve| curve.runs.iter().filter(shown));
    let range = |of: &dyn Fn(&Run) -> f64| {
        let (low, high) = all().map(of).fold((f64::INFINITY, 0.0f64), |(a, b), x| (a.min(x), b.max(x)));
        0.7 * low..1.4 * high
    };
    let mut chart = ChartBuilder::on(area)
        .margin_top(10)
        .margin_bottom(12)
        .margin_left(10)
        .margin_right(16)
        .x_label_area_size(52)
        .y_label_area_size(70)
        .build_cartesian_2d(range(&cost).log_scale(), range(&|run| run.error).log_scale())?;
    drawing::mesh(&mut chart.configure_mesh())
        .x_desc(cost_name)
        .y_desc("error")
        .x_label_formatter(&|v| power_of_ten(*v))
        .y_label_formatter(&|v| power_of_ten(*v))
        .draw()?;
    for (_, colour, hollow, members) in FAMILIES {
        for (name, mark) in members {
            let Some(curve) = curves.iter().find(|curve| curve.scheme == *name) else { continue };
            let points: Vec<(f64, f64)> = curve.runs.iter().filter(shown).map(|run| (cost(run), run.error)).collect();
            if !hollow {
                chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(1)))?;
            }
            let outline = || Mark { mark, colour, hollow }.outline();
            chart.draw_series(points.iter().map(|&point| EmptyElement::at(point) + outline()))?;
        }
    }
    Ok(())
}
