//! The figure "speedup against number of iterations" of MoorDyn's page on time schemes, for both
//! forms of option "relaxation": the longest stable step of M substeps over that of one.
//!
//! - The page's own experiment: one step of `r(dt) = r0 + dt^2/2 r''(dt)` on `r'' = -w^2 r` from
//!   rest, stable where |r(dt)| <= r0. The iteration starts from r''(0).
//! - The library's beulerM on the same spring by the same criterion, and by one that holds for more
//!   than one step: no growth of the amplitude, the spectral radius of the step's matrix.
//!
//! All limits are first ends: a longer step may be stable again, by chance.

use crate::drawing::{self, BLUE, GREEN, GREY, INK, ORANGE, text};
use crate::oscillator::{Oscillator, first_end};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use std::error::Error;
use std::path::Path;

/// Most substeps of the figure.
const MOST: usize = 40;

/// Largest stable w dt of M substeps, by [page, code].
pub struct Limits {
    substeps: usize,
    /// The page's iteration of r''.
    scalar: [f64; 2],
    /// The last of its stable intervals, up to w dt = 50: where some would read the limit.
    last: [f64; 2],
    /// beulerM, |r(dt)| <= r0.
    one_step: [f64; 2],
    /// beulerM, no growth.
    growth: [f64; 2],
    /// beulerM, no PINTLE_ERR_UNSTABLE.
    accepted: [f64; 2],
}

/// f of substep m of M, by the formulas of MoorDyn's page and of its code, written anew.
fn weight(form: usize, m: usize, substeps: usize) -> f64 {
    let (m, of) = (m as f64, substeps as f64);
    match (form, substeps) {
        (0, ..10) => (0.1 - 0.01 * of) / of,
        (0, _) => 0.07 / of + (m / of).tanh() / (10.0 + 0.051 * of * of),
        _ => 1.0 - 0.9 * (1.0 - 1.0 / of),
    }
}

/// r(dt)/r0 of the page's iteration, of z = (w dt)^2/2; accelerations in units of w^2 r0.
fn page(form: usize, substeps: usize, z: f64) -> f64 {
    let mut acceleration = -1.0;
    for m in 0..substeps {
        let f = if m + 1 == substeps { 1.0 } else { weight(form, m, substeps) };
        acceleration = (1.0 - f) * acceleration - f * (1.0 + z * acceleration);
    }
    1.0 + z * acceleration
}

/// All limits.
pub fn measure() -> Result<Vec<Limits>, Box<dyn Error>> {
    let mut table = Vec::new();
    for substeps in 1..=MOST {
        let scheme = format!("beuler{substeps}");
        let mut limits = Limits {
            substeps,
            scalar: [0.0; 2],
            last: [0.0; 2],
            one_step: [0.0; 2],
            growth: [0.0; 2],
            accepted: [0.0; 2],
        };
        for form in 0..2 {
            let by_page = |h: f64| page(form, substeps, 0.5 * h * h).abs() <= 1.0 + 1e-12;
            limits.scalar[form] = first_end(|h| Ok(by_page(h)))?;
            limits.last[form] = (1..=50_000).map(|k| 1e-3 * f64::from(k)).filter(|h| by_page(*h)).fold(0.0, f64::max);
            let spring = Oscillator { scheme: &scheme, relaxation: form as f64, damping: 0.0, policy: 1.0 };
            limits.one_step[form] =
                first_end(|h| Ok(spring.one_step(1.0, 0.0, h)?.is_some_and(|[x, _]| x.abs() <= 1.0 + 1e-9)))?;
            limits.growth[form] = first_end(|h| Ok(spring.spectral_radius(h)? <= 1.0 + 1e-9))?;
            let strict = Oscillator { policy: 0.0, ..spring };
            limits.accepted[form] = first_end(|h| Ok(strict.one_step(1.0, 0.0, h)?.is_some()))?;
        }
        table.push(limits);
    }
    Ok(table)
}

/// Prints the table.
pub fn print(table: &[Limits]) {
    println!("Longest stable step, w dt, of beulerM by form of relaxation (page, code)");
    println!(
        "{:>3} | {:^17} | {:^17} | {:^17} | {:^17} | {:^17}",
        "M", "page's iteration", "its last interval", "library, |r|<=r0", "library, growth", "library, no error"
    );
    for l in table {
        print!("{:>3}", l.substeps);
        for [page, code] in [l.scalar, l.last, l.one_step, l.growth, l.accepted] {
            print!(" | {page:>8.3} {code:>8.3}");
        }
        println!();
    }
}

/// A curve of the figure.
type Curve<'a> = (&'a str, RGBColor, Box<dyn Fn(&Limits) -> [f64; 2]>);

/// Draws the figure.
pub fn draw(table: &[Limits], picture: &Path) -> Result<(), Box<dyn Error>> {
    let root = SVGBackend::new(picture, (1040, 620)).into_drawing_area();
    root.fill(&WHITE)?;
    root.draw(&Text::new("Semi-implicit relaxation on one spring", (20, 26), text(22, INK, HPos::Left)))?;
    root.draw(&Text::new(
        "longest stable step of M substeps over that of one substep, by the same criterion",
        (20, 54),
        text(16, GREY, HPos::Left),
    ))?;
    let curves: [Curve; 3] = [
        ("page's iteration of r'', |r(dt)| ≤ r0", BLUE, Box::new(|l| l.scalar)),
        ("library, beulerM, |r(dt)| ≤ r0", ORANGE, Box::new(|l| l.one_step)),
        ("library, beulerM, amplitude does not grow", GREEN, Box::new(|l| l.growth)),
    ];
    let speedup = |of: &dyn Fn(&Limits) -> [f64; 2], form: usize| -> Vec<(f64, f64)> {
        table.iter().map(|l| (l.substeps as f64, of(l)[form] / of(&table[0])[form])).collect()
    };
    let highest =
        curves.iter().flat_map(|c| [0, 1].map(|form| speedup(&c.2, form))).flatten().fold(0.0, |a, p| p.1.max(a));
    let mut chart = ChartBuilder::on(&root)
        .margin_top(80)
        .margin_bottom(12)
        .margin_left(10)
        .margin_right(30)
        .x_label_area_size(52)
        .y_label_area_size(64)
        .build_cartesian_2d(0.0..MOST as f64 + 0.5, 0.0..1.6 * highest)?;
    drawing::mesh(&mut chart.configure_mesh())
        .x_desc("substeps M")
        .y_desc("speed-up of the step")
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("{y:.1}"))
        .draw()?;
    for (row, (name, colour, of)) in curves.iter().enumerate() {
        for (form, label) in [(1, "relaxation 1, code"), (0, "relaxation 0, page")] {
            let points = speedup(of, form);
            let style = colour.stroke_width(2);
            match form {
                1 => chart.draw_series(LineSeries::new(points.iter().copied(), style))?,
                _ => chart.draw_series(DashedLineSeries::new(points.iter().copied(), 6, 4, style))?,
            };
            let y = 100 + 24 * (2 * row + 1 - form) as i32;
            let dashes: &[(i32, i32)] = if form == 1 { &[(100, 140)] } else { &[(100, 112), (118, 130), (136, 140)] };
            for (from, to) in dashes {
                root.draw(&PathElement::new([(*from, y), (*to, y)], style))?;
            }
            root.draw(&Text::new(format!("{name}; {label}"), (150, y), text(15, *colour, HPos::Left)))?;
        }
    }
    root.present()?;
    Ok(())
}
