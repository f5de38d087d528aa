//! A plot of channels over time as SVG: a panel for each unit, with a common time axis.

use crate::channels::Channels;
use crate::failure::{Failure, Outcome};
use crate::whole_file::WholeFile;
use pintle::Simulation;
use plotters::prelude::*;

/// Curves of at least this number of points are thinned to the least and largest value in half as
/// many intervals, which looks the same.
const MOST_POINTS: usize = 4000;

const WIDTH: u32 = 900;
const PANEL: u32 = 260;
const TITLE: u32 = 40;

/// Readable on white, and distinct in grey.
const COLOURS: [RGBColor; 8] = [
    RGBColor(31, 119, 180),
    RGBColor(214, 39, 40),
    RGBColor(44, 160, 44),
    RGBColor(148, 103, 189),
    RGBColor(255, 127, 14),
    RGBColor(23, 190, 207),
    RGBColor(140, 86, 75),
    RGBColor(90, 90, 90),
];

/// The recorded values.
pub struct Plot {
    file: WholeFile,
    title: String,
    channels: Channels,
    times: Vec<f64>,
    /// One per channel.
    curves: Vec<Vec<f64>>,
}

impl Plot {
    /// Errors: no channels.
    pub fn new(file: WholeFile, channels: Channels, title: &str) -> Outcome<Plot> {
        let count = channels.titles().count();
        if count == 0 {
            return Err(Failure::Input(
                "--plot: the model has no positions or tensions to plot: choose --channels".into(),
            ));
        }
        Ok(Plot { file, title: title.to_owned(), channels, times: Vec::new(), curves: vec![Vec::new(); count] })
    }

    /// Adds the present state.
    pub fn add(&mut self, system: &Simulation) -> Outcome {
        self.times.push(system.time().map_err(Failure::of_run)?);
        for (curve, value) in self.curves.iter_mut().zip(self.channels.read(system)?) {
            curve.push(value);
        }
        Ok(())
    }

    /// Draws and writes it. Errors: it cannot be written.
    pub fn finish(mut self) -> Outcome {
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|error| Failure::Run(format!("the plot cannot be drawn: {error}")))?;
        self.file.write(svg.as_bytes())?;
        self.file.finish()
    }

    /// Units in the order of their first channels, each with its channels.
    fn panels(&self) -> Vec<(&'static str, Vec<(usize, &str)>)> {
        let mut panels: Vec<(&'static str, Vec<(usize, &str)>)> = Vec::new();
        for (k, (name, unit)) in self.channels.titles().enumerate() {
            match panels.iter_mut().find(|(other, _)| *other == unit) {
                Some((_, curves)) => curves.push((k, name)),
                None => panels.push((unit, vec![(k, name)])),
            }
        }
        panels
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let panels = self.panels();
        let size = (WIDTH, TITLE + PANEL * panels.len() as u32);
        let area = SVGBackend::with_string(svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        let area = area.titled(&self.title, ("sans-serif", 20))?;
        let (start, end) = (self.times.first().copied().unwrap_or(0.0), self.times.last().copied().unwrap_or(1.0));
        for (cell, (unit, curves)) in area.split_evenly((panels.len(), 1)).iter().zip(&panels) {
            let mut chart = ChartBuilder::on(cell)
                .margin(8)
                .set_label_area_size(LabelAreaPosition::Left, 90)
                .set_label_area_size(LabelAreaPosition::Bottom, 36)
                .build_cartesian_2d(start..end.max(start + f64::MIN_POSITIVE), self.range(curves))?;
            let digits = |value: &f64| format!("{}", (value * 1e9).round() / 1e9);
            let large = |value: &f64| if value.abs() >= 1e5 { format!("{value:.3e}") } else { digits(value) };
            chart
                .configure_mesh()
                .light_line_style(TRANSPARENT)
                .x_desc("time (s)")
                .y_desc(*unit)
                .x_label_formatter(&digits)
                .y_label_formatter(&large)
                .draw()?;
            for (number, (curve, name)) in curves.iter().enumerate() {
                let colour = COLOURS[number % COLOURS.len()];
                let points = self.thinned(*curve);
                chart
                    .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
                    .label(*name)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
            }
            chart
                .configure_series_labels()
                .background_style(WHITE.mix(0.85))
                .border_style(RGBColor(200, 200, 200))
                .position(SeriesLabelPosition::UpperRight)
                .draw()?;
        }
        area.present()?;
        Ok(())
    }

    /// The range of values of some curves, with a margin.
    fn range(&self, curves: &[(usize, &str)]) -> std::ops::Range<f64> {
        let values = || curves.iter().flat_map(|(k, _)| &self.curves[*k]);
        let (least, most) = (values().copied().fold(f64::MAX, f64::min), values().copied().fold(f64::MIN, f64::max));
        // A constant has a scale, too: its own size.
        let air = if most > least { 0.05 * (most - least) } else { (0.1 * most.abs()).max(1e-3) };
        least - air..most + air
    }

    fn thinned(&self, curve: usize) -> Vec<(f64, f64)> {
        let values = &self.curves[curve];
        let all = || self.times.iter().copied().zip(values.iter().copied());
        if values.len() <= MOST_POINTS {
            return all().collect();
        }
        let stretch = values.len().div_ceil(MOST_POINTS / 2);
        let all: Vec<(f64, f64)> = all().collect();
        let by_value = |a: &&(f64, f64), b: &&(f64, f64)| a.1.total_cmp(&b.1);
        let ends = all.chunks(stretch).flat_map(|points| {
            let mut ends = [points.iter().min_by(by_value), points.iter().max_by(by_value)].map(|end| end.copied());
            ends.sort_by(|a, b| a.map_or(0.0, |(time, _)| time).total_cmp(&b.map_or(0.0, |(time, _)| time)));
            ends
        });
        // The last point is always drawn.
        ends.flatten().chain(all.last().copied()).collect()
    }
}
