//! The picture of a coupled case: the OC4 DeepCwind platform on its lines from the side, true to
//! scale, and what it does in waves.

use std::error::Error;
use std::path::Path;

use plotters::chart::ChartBuilder;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::table::Table;
use crate::{Area, BLUE, Curve, GREEN, GREY, INK, Linear, ORANGE, stack, text, title};

const SIZE: (u32, u32) = (1440, 1180);
const SIDE_VIEW: i32 = 384;

/// What the side view shows, m.
const WIDTH: std::ops::Range<f64> = -870.0..500.0;
const HEIGHT: std::ops::Range<f64> = -215.0..75.0;
const DEPTH: f64 = 200.0;

const WATER: RGBColor = RGBColor(222, 238, 248);
const BED: RGBColor = RGBColor(214, 200, 176);
const STEEL: RGBColor = RGBColor(240, 196, 60);

const PANELS: [(&str, &[Curve]); 3] = [
    ("wave, heave (m)", &[("elevation_m", "wave", BLUE), ("heave_m", "heave", GREEN)]),
    ("surge (m), pitch (°)", &[("surge_m", "surge", ORANGE), ("pitch_deg", "pitch", GREEN)]),
    ("tension (kN)", &[("tension_2_kN", "line 2", ORANGE), ("tension_1_kN", "lines 1, 3", BLUE)]),
];

/// Reads `oc4_lines.csv` and `oc4_waves.csv` in a directory and writes `moored_platform.svg` there.
pub fn draw(directory: &Path) -> Result<(), Box<dyn Error>> {
    let lines = Table::read(&directory.join("oc4_lines.csv"))?;
    let waves = Table::read(&directory.join("oc4_waves.csv"))?;
    let picture = directory.join("moored_platform.svg");
    let root = SVGBackend::new(&picture, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let (side, below) = root.split_vertically(SIDE_VIEW);
    side_view(&side, &lines, &waves)?;
    title(
        &below,
        "Body and lines in one iteration, steps of 0.1 s: motion in waves of 6 m and 14 s, tensions at the fairleads",
    )?;
    stack(&below, &waves, &PANELS, &[30, 32])?;
    root.present()?;
    println!("written: {}", picture.display());
    Ok(())
}

/// Sea, platform, and two of the three lines, at rest and with wind on the platform; the third line
/// is the mirror image of one.
fn side_view(area: &Area, lines: &Table, waves: &Table) -> Result<(), Box<dyn Error>> {
    title(area, "OC4 DeepCwind on its mooring lines, to scale: at rest, and with 1 MN of wind (orange)")?;
    let mut chart: Linear = ChartBuilder::on(area)
        .margin_top(50)
        .margin_left(102)
        .margin_right(80)
        .margin_bottom(6)
        .build_cartesian_2d(WIDTH, HEIGHT)?;

    // The wave of the panels below, of 14 s on deep water, at its full height.
    let height = waves.points("time_s", "elevation_m")?.iter().fold(0.0_f64, |a, p| a.max(p.1));
    let length = 9.80665 * 14.0_f64.powi(2) / std::f64::consts::TAU;
    let at = |i: u32| WIDTH.start + (WIDTH.end - WIDTH.start) * f64::from(i) / 400.0;
    let surface = (0..=400).map(|i| (at(i), height * (std::f64::consts::TAU * at(i) / length).cos()));
    let mut sea: Vec<(f64, f64)> = surface.collect();
    sea.extend([(WIDTH.end, -DEPTH), (WIDTH.start, -DEPTH)]);
    chart.draw_series([Polygon::new(sea, WATER.filled())])?;
    chart.draw_series([Rectangle::new([(WIDTH.start, -DEPTH), (WIDTH.end, HEIGHT.start)], BED.filled())])?;

    // Columns at the radius 28.87 m and the one in the middle, base columns, deck, and the lower
    // end of the tower.
    let parts = [
        (-28.87, 6.0, -20.0, 12.0),
        (14.43, 6.0, -20.0, 12.0),
        (-28.87, 12.0, -20.0, -14.0),
        (14.43, 12.0, -20.0, -14.0),
    ];
    let others = [(0.0, 3.25, -20.0, 10.0), (-7.2, 22.0, 8.5, 10.0), (0.0, 2.6, 10.0, 70.0)];
    for (x, half, low, high) in others.into_iter().chain(parts) {
        chart.draw_series([Rectangle::new([(x - half, low), (x + half, high)], STEEL.filled())])?;
        chart.draw_series([Rectangle::new([(x - half, low), (x + half, high)], INK.stroke_width(1))])?;
    }

    let of_line = lines.points("line", "node")?;
    for (x, z, colour) in [("x_wind_m", "z_wind_m", ORANGE), ("x_m", "z_m", INK)] {
        let points = lines.points(x, z)?;
        for line in [0.0, 1.0] {
            let nodes: Vec<_> = points.iter().zip(&of_line).filter(|(_, of)| of.0 == line).map(|(p, _)| *p).collect();
            chart.draw_series(LineSeries::new(nodes.iter().copied(), colour.stroke_width(2)))?;
            chart.draw_series(nodes.into_iter().map(|p| Circle::new(p, 3, colour.filled())))?;
        }
    }
    for (name, at) in [("line 2", (-560.0, -130.0)), ("lines 1 and 3", (180.0, -110.0))] {
        chart.draw_series([Text::new(name, at, text(17, INK, HPos::Left))])?;
    }
    let scale = [(300.0, 48.0), (400.0, 48.0)];
    chart.draw_series(LineSeries::new(scale, GREY.stroke_width(3)))?;
    chart.draw_series([Text::new("100 m", (410.0, 48.0), text(16, GREY, HPos::Left))])?;
    Ok(())
}
