//! Draws what `scripts/demo` computed: `pintle-demo DIRECTORY` reads there the tables that the C
//! programs heavy_top, floating_platform and oc4_mooring wrote, and puts two pictures beside them.
//!
//! `moored_platform.svg` has a platform on mooring lines, from the side and over time in waves.
//! `demo.svg` has, above, left, the error of the heavy top over the step size in logarithmic axes,
//! with a line of second order; right, the motions of a platform and the tensions of its springs
//! over time; below, free decays of the moored platform.

mod moored_platform;
mod table;

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::error::Error;
use std::ops::Range;
use std::path::Path;

use table::Table;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Linear<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

const SIZE: (u32, u32) = (1440, 1300);
const UPPER: i32 = 786;
const HEAD: i32 = 74;
const LEFT: i32 = 620;

const INK: RGBColor = RGBColor(38, 43, 51);
const FAINT: RGBColor = RGBColor(225, 229, 234);
const GREY: RGBColor = RGBColor(120, 128, 138);
/// Colours that colour-blind readers can distinguish (Okabe and Ito).
const BLUE: RGBColor = RGBColor(0, 114, 178);
const ORANGE: RGBColor = RGBColor(213, 94, 0);
const GREEN: RGBColor = RGBColor(0, 158, 115);

fn main() -> Result<(), Box<dyn Error>> {
    let directory = std::env::args().nth(1).ok_or("usage: pintle-demo DIRECTORY")?;
    let directory = Path::new(&directory);
    let top = Table::read(&directory.join("heavy_top.csv"))?;
    let mut platform = Table::read(&directory.join("floating_platform.csv"))?;
    platform.scale("tension_", 1e-3);

    let decay = Table::read(&directory.join("oc4_decay.csv"))?;

    moored_platform::draw(directory)?;
    let picture = directory.join("demo.svg");
    let root = SVGBackend::new(&picture, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let (head, body) = root.split_vertically(HEAD);
    let (upper, lower) = body.split_vertically(UPPER);
    let (left, right) = upper.split_horizontally(LEFT);
    head.draw(&Text::new(
        "pintle: what three C programs computed through libpintle.so",
        (SIZE.0 as i32 / 2, 26),
        text(26, INK, HPos::Center),
    ))?;
    draw_convergence(&left, &top)?;
    draw_motions(&right, &platform)?;
    draw_decays(&lower, &decay)?;
    root.present()?;
    println!("written: {}", picture.display());
    Ok(())
}

// ---------------------------------------------------------------------------------------------------------- left: heavy top

/// Error over step size with every point labelled, and a line of slope 2.
fn draw_convergence(area: &Area, top: &Table) -> Result<(), Box<dyn Error>> {
    let points = top.points("dt_s", "error_m")?;
    let cost = top.points("iterations_per_step", "us_per_step")?;
    let failed: f64 = top.points("dt_s", "failed_steps")?.iter().map(|p| p.1).sum();
    let (dt, error) = (around(points.iter().map(|p| p.0)), around(points.iter().map(|p| p.1)));

    title(area, "Heavy top: error against the exact motion")?;
    let mut chart = ChartBuilder::on(area)
        .margin_top(64)
        .margin_bottom(14)
        .margin_left(18)
        .margin_right(34)
        .x_label_area_size(56)
        .y_label_area_size(84)
        .build_cartesian_2d(dt.clone().log_scale(), error.log_scale())?;
    chart
        .configure_mesh()
        .bold_line_style(FAINT)
        .light_line_style(WHITE.mix(0.0))
        .axis_style(GREY)
        .x_desc("step size (s)")
        .y_desc("error of the displacement at 2 s (m)")
        .x_label_formatter(&|v| power_of_ten(*v))
        .y_label_formatter(&|v| power_of_ten(*v))
        .label_style(text(16, INK, HPos::Left))
        .axis_desc_style(text(17, INK, HPos::Center))
        .draw()?;

    // The line of second order beside the points: three times their error at the smallest step
    // size.
    let (dt_min, error_min) = points.iter().copied().fold((f64::INFINITY, 0.0), |a, p| if p.0 < a.0 { p } else { a });
    let second_order = |x: f64| 3.0 * error_min * (x / dt_min).powi(2);
    let dt_top = dt_min * (0.6 * points.iter().fold(0.0_f64, |a, p| a.max(p.1)) / error_min).sqrt();
    let line = [dt_min, dt_top].map(|x| (x, second_order(x))).into_iter();
    chart.draw_series(DashedLineSeries::new(line, 9, 7, GREY.stroke_width(2)))?;
    let middle = (dt_min * dt_top).sqrt();
    chart.draw_series(std::iter::once(Text::new(
        "second order: error ~ dt²",
        (middle * 0.75, second_order(middle)),
        text(16, GREY, HPos::Right),
    )))?;

    chart.draw_series(LineSeries::new(points.iter().copied(), BLUE.stroke_width(2)))?;
    chart.draw_series(points.iter().map(|&p| Circle::new(p, 5, BLUE.filled())))?;
    chart.draw_series(points.iter().map(|&(x, y)| {
        let label = format!("{}", Scientific(y));
        EmptyElement::at((x, y)) + Text::new(label, (12, 8), text(15, BLUE, HPos::Left))
    }))?;

    let (iterations, microseconds) = cost.last().copied().unwrap_or((f64::NAN, f64::NAN));
    let notes = [
        "generalized-α, ρ∞ = 0.9, 150 rad/s spin".to_owned(),
        format!("{} failed steps", if failed == 0.0 { "no".to_owned() } else { failed.to_string() }),
        format!("{iterations:.1} iterations, {microseconds:.1} µs per step at the smallest dt"),
    ];
    let (width, height) = area.dim_in_pixel();
    for (n, note) in notes.iter().enumerate() {
        let below = 24 * (notes.len() - n) as i32;
        area.draw(&Text::new(
            note.as_str(),
            (width as i32 - 46, height as i32 - 74 - below),
            text(16, INK, HPos::Right),
        ))?;
    }
    Ok(())
}

/// A range of a logarithmic axis with some air around the values.
fn around(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, 0.0_f64), |(low, high), v| (low.min(v), high.max(v)));
    0.5 * low..2.5 * high
}

/// `10⁻⁵` for 1e-5, nothing between the powers.
fn power_of_ten(value: f64) -> String {
    let exponent = value.log10().round();
    if (value / 10f64.powf(exponent) - 1.0).abs() > 1e-6 {
        return String::new();
    }
    let raised = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    let exponent: String = format!("{exponent}").chars().map(raised).collect();
    format!("10{exponent}")
}

/// `2.4·10⁻⁵`.
struct Scientific(f64);

impl std::fmt::Display for Scientific {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let exponent = self.0.log10().floor();
        write!(f, "{:.1}·{}", self.0 / 10f64.powf(exponent), power_of_ten(10f64.powf(exponent)))
    }
}

// ------------------------------------------------------------------------------------------------- right: floating platform

/// One curve of the platform: column of the table, name in the picture, colour.
type Curve = (&'static str, &'static str, RGBColor);

/// Panels from top to bottom. Yaw is far larger than roll and pitch, so it has its own.
const PANELS: [(&str, &[Curve]); 4] = [
    ("translation (m)", &[("surge_m", "surge", ORANGE), ("sway_m", "sway", BLUE), ("heave_m", "heave", GREEN)]),
    ("roll, pitch (°)", &[("roll_deg", "roll", ORANGE), ("pitch_deg", "pitch", BLUE)]),
    ("yaw (°)", &[("yaw_deg", "yaw", GREEN)]),
    (
        "tension (kN)",
        &[("tension_1_N", "line 1", ORANGE), ("tension_2_N", "line 2", BLUE), ("tension_3_N", "line 3", GREEN)],
    ),
];

fn draw_motions(area: &Area, platform: &Table) -> Result<(), Box<dyn Error>> {
    title(area, "Floating platform on three tension-only springs under prescribed loads")?;
    stack(area, platform, &PANELS, &[31, 21, 19])
}

/// Panels of one table below each other, with these percentages of the height; the last has the
/// rest.
fn stack(area: &Area, table: &Table, panels: &[(&str, &[Curve])], shares: &[i32]) -> Result<(), Box<dyn Error>> {
    let (_, mut rest) = area.split_vertically(54);
    let height = rest.dim_in_pixel().1 as i32;
    let Some(((label, curves), others)) = panels.split_last() else { return Ok(()) };
    for ((label, curves), share) in others.iter().zip(shares) {
        let (panel, below) = rest.split_vertically(height * share / 100);
        draw_panel(&panel, table, label, curves, false)?;
        rest = below;
    }
    draw_panel(&rest, table, label, curves, true)
}

fn draw_panel(area: &Area, table: &Table, label: &str, curves: &[Curve], last: bool) -> Result<(), Box<dyn Error>> {
    let mut data = Vec::new();
    for &(column, name, colour) in curves {
        data.push((table.points("time_s", column)?, name, colour));
    }
    let all = || data.iter().flat_map(|(points, ..)| points.iter().copied());
    let end = all().fold(0.0_f64, |a, p| a.max(p.0));
    let (low, high) = all().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), p| (low.min(p.1), high.max(p.1)));
    let margin = 0.08 * (high - low).max(1e-9);

    let mut chart: Linear = ChartBuilder::on(area)
        .margin_top(10)
        .margin_bottom(if last { 14 } else { 6 })
        .margin_left(18)
        .margin_right(80)
        .x_label_area_size(if last { 56 } else { 8 })
        .y_label_area_size(84)
        .build_cartesian_2d(0.0..end, low - margin..high + margin)?;
    let mut mesh = chart.configure_mesh();
    mesh.bold_line_style(FAINT)
        .light_line_style(WHITE.mix(0.0))
        .axis_style(GREY)
        .x_labels(7)
        .y_labels(6)
        .x_label_formatter(&|v| format!("{v:.0}"))
        .y_label_formatter(&|v| format!("{}", (v * 1e6).round() / 1e6))
        .y_desc(label)
        .label_style(text(16, INK, HPos::Left))
        .axis_desc_style(text(17, INK, HPos::Center));
    if last {
        mesh.x_desc("time (s)");
    } else {
        mesh.x_label_formatter(&|_| String::new());
    }
    mesh.draw()?;

    if low < 0.0 && high > 0.0 {
        chart.draw_series(LineSeries::new([(0.0, 0.0), (end, 0.0)], GREY.mix(0.6)))?;
    }
    for (points, _, colour) in &data {
        chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
    }
    // Each name is at the end of its curve, so that no legend is needed; names that would overlap are
    // moved apart.
    let mut names: Vec<(i32, &str, RGBColor)> = Vec::new();
    for (points, name, colour) in &data {
        let last_point = points.last().copied().unwrap_or((end, 0.0));
        names.push((chart.backend_coord(&last_point).1, name, *colour));
    }
    names.sort_by_key(|n| n.0);
    for i in 1..names.len() {
        names[i].0 = names[i].0.max(names[i - 1].0 + 18);
    }
    let x = chart.backend_coord(&(end, 0.0)).0 + 8;
    for (y, name, colour) in names {
        let here = (x - area.get_pixel_range().0.start, y - area.get_pixel_range().1.start);
        area.draw(&Text::new(name, here, text(17, colour, HPos::Left)))?;
    }
    Ok(())
}

// ---------------------------------------------------------------------------------------------------------- below: moorings

/// Free decays, each of its own run.
fn draw_decays(area: &Area, decay: &Table) -> Result<(), Box<dyn Error>> {
    title(area, "OC4 DeepCwind on mooring lines, pulled aside and let go: four decays")?;
    let panels: [(&str, &[Curve]); 2] = [
        ("distance (m)", &[("surge_m", "surge", ORANGE), ("heave_m", "heave", GREEN)]),
        ("angle (°)", &[("pitch_deg", "pitch", BLUE), ("yaw_deg", "yaw", GREEN)]),
    ];
    stack(area, decay, &panels, &[43])
}

// ------------------------------------------------------------------------------------------------------------------- text

fn title(area: &Area, content: &str) -> Result<(), Box<dyn Error>> {
    area.draw(&Text::new(content, (102, 22), text(20, INK, HPos::Left)))?;
    Ok(())
}

fn text(size: i32, colour: RGBColor, horizontal: HPos) -> TextStyle<'static> {
    let font = ("sans-serif", size).into_font();
    TextStyle { font, color: colour.to_backend_color(), pos: Pos::new(horizontal, VPos::Center) }
}
