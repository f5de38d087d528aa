//! A plot of channels over time as SVG: a panel for each quantity, with a common time axis, and
//! names at the ends of the curves. Channels that do not change are left out, unless they were
//! named in full.

use crate::angles::make_continuous;
use crate::channels::Channels;
use crate::failure::{Failure, Outcome};
use crate::whole_file::WholeFile;
use pintle::Simulation;
use plotters::prelude::*;

/// Curves of at least this number of points are thinned to the least and largest value in half as
/// many intervals, which looks the same.
const MOST_POINTS: usize = 4000;

const WIDTH: u32 = 900;
const PANEL: u32 = 220;
const TITLE: u32 = 40;

/// Margin of a panel, and size of its labels: left, below.
const MARGIN: u32 = 8;
const LABELS: [u32; 2] = [90, 36];

/// Names: size of the letters, room for a letter, most letters, and distance of lines.
const LETTERS: u32 = 13;
const LETTER: u32 = 7;
const MOST_LETTERS: u32 = 40;
const LINE: f64 = 15.0;

/// A channel does not move if it changes by less than this part of the largest value of its
/// quantity; of angles, if it changes by less than this.
const CONSTANT: f64 = 1e-6;

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
    /// Names that were asked for in full.
    named: Vec<String>,
    times: Vec<f64>,
    /// One per channel.
    curves: Vec<Vec<f64>>,
}

impl Plot {
    /// Errors: no channels.
    pub fn new(file: WholeFile, channels: Channels, named: &[String], title: &str) -> Outcome<Plot> {
        let count = channels.titles().count();
        if count == 0 {
            return Err(Failure::Input(
                "--plot: the model has no positions or tensions to plot: choose --channels".into(),
            ));
        }
        let (times, curves) = (Vec::new(), vec![Vec::new(); count]);
        Ok(Plot { file, title: title.to_owned(), channels, named: named.to_vec(), times, curves })
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
        let names: Vec<&str> = self.channels.titles().map(|(name, _)| name).collect();
        make_continuous(&names, &mut self.curves);
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|error| Failure::Run(format!("the plot cannot be drawn: {error}")))?;
        self.file.write(svg.as_bytes())?;
        self.file.finish()
    }

    /// Quantities in the order of their first channels, each with its unit and its channels.
    fn panels(&self) -> Vec<Panel<'_>> {
        let mut panels: Vec<Panel> = Vec::new();
        for (k, (name, unit)) in self.channels.titles().enumerate() {
            let quantity = quantity(name);
            match panels.iter_mut().find(|panel| panel.unit == unit && panel.quantity == quantity) {
                Some(panel) => panel.curves.push((k, name)),
                None => panels.push(Panel { quantity, unit, curves: vec![(k, name)] }),
            }
        }
        let all = panels.clone();
        for panel in &mut panels {
            let largest =
                panel.curves.iter().flat_map(|(k, _)| &self.curves[*k]).fold(0.0, |most: f64, x| most.max(x.abs()));
            let least = CONSTANT * if panel.unit == "rad" { largest.max(1.0) } else { largest };
            panel.curves.retain(|(k, name)| {
                let [low, high] = ends(&self.curves[*k]);
                high - low > least || self.named.iter().any(|named| named == name)
            });
        }
        panels.retain(|panel| !panel.curves.is_empty());
        // Of a model at rest all is drawn.
        if panels.is_empty() { all } else { panels }
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let panels = self.panels();
        let size = (WIDTH, TITLE + PANEL * panels.len() as u32);
        let area = SVGBackend::with_string(svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        let area = area.titled(&self.title, ("sans-serif", 20))?;
        let (start, end) = (self.times.first().copied().unwrap_or(0.0), self.times.last().copied().unwrap_or(1.0));
        let names = panels.iter().flat_map(|panel| &panel.curves).map(|(_, name)| name.chars().count() as u32);
        let right = MARGIN + LETTER * names.max().unwrap_or(0).min(MOST_LETTERS);
        for (cell, panel) in area.split_evenly((panels.len(), 1)).iter().zip(&panels) {
            let range = self.range(&panel.curves);
            let mut chart = ChartBuilder::on(cell)
                .margin(MARGIN)
                .margin_right(right)
                .set_label_area_size(LabelAreaPosition::Left, LABELS[0])
                .set_label_area_size(LabelAreaPosition::Bottom, LABELS[1])
                .build_cartesian_2d(start..end.max(start + f64::MIN_POSITIVE), range.clone())?;
            let digits = |value: &f64| format!("{}", (value * 1e9).round() / 1e9 + 0.0);
            let large = |value: &f64| if value.abs() >= 1e5 { format!("{value:.3e}") } else { digits(value) };
            chart
                .configure_mesh()
                .light_line_style(TRANSPARENT)
                .x_desc("time (s)")
                .y_desc(format!("{} ({})", panel.quantity, panel.unit))
                .x_label_formatter(&digits)
                .y_label_formatter(&large)
                .draw()?;
            let (columns, rows) = chart.plotting_area().get_pixel_range();
            let (left, top) = cell.get_base_pixel();
            let height = f64::from(rows.end - rows.start);
            let wanted: Vec<f64> = panel
                .curves
                .iter()
                .map(|(k, _)| {
                    let last = self.curves[*k].last().copied().unwrap_or(0.0);
                    (range.end - last) / (range.end - range.start) * height
                })
                .collect();
            for (number, ((curve, name), place)) in panel.curves.iter().zip(spread(&wanted, LINE)).enumerate() {
                let colour = COLOURS[number % COLOURS.len()];
                chart.draw_series(LineSeries::new(self.thinned(*curve), colour.stroke_width(2)))?;
                let at = (columns.end - left + 6, rows.start - top + place as i32 - LETTERS as i32 / 2);
                cell.draw(&Text::new(shortened(name), at, ("sans-serif", LETTERS).into_font().color(&colour)))?;
            }
        }
        area.present()?;
        Ok(())
    }

    /// The range of values of some curves, with a margin.
    fn range(&self, curves: &[(usize, &str)]) -> std::ops::Range<f64> {
        let [least, most] = ends(curves.iter().flat_map(|(k, _)| &self.curves[*k]));
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

/// A panel: a quantity, its unit, and its channels with their names.
#[derive(Clone)]
struct Panel<'p> {
    quantity: &'p str,
    unit: &'static str,
    curves: Vec<(usize, &'p str)>,
}

/// The quantity of a channel: the part of its name before an axis ("hull.pos.x": pos), else the
/// last part, without the end of a line ("chain.tension_a": tension).
fn quantity(name: &str) -> &str {
    let mut parts = name.rsplit('.');
    let last = parts.next().unwrap_or(name);
    match (last, parts.next()) {
        ("roll" | "pitch" | "yaw", _) => "rotation",
        ("x" | "y" | "z" | "w" | "fx" | "fy" | "fz" | "mx" | "my" | "mz", Some(before)) => before,
        _ => last.strip_suffix("_a").or_else(|| last.strip_suffix("_b")).unwrap_or(last),
    }
}

/// The least and the largest of some values.
fn ends<'v>(values: impl IntoIterator<Item = &'v f64>) -> [f64; 2] {
    values.into_iter().fold([f64::MAX, f64::MIN], |[least, most], value| [least.min(*value), most.max(*value)])
}

/// Places in the same order, moved so far that neighbours are apart: around the same mean, if none
/// is below zero then.
fn spread(places: &[f64], apart: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].total_cmp(&places[*b]));
    let mut placed = places.to_vec();
    for pair in order.windows(2) {
        placed[pair[1]] = placed[pair[1]].max(placed[pair[0]] + apart);
    }
    let shift = (places.iter().sum::<f64>() - placed.iter().sum::<f64>()) / places.len().max(1) as f64;
    let mut least = 0.0_f64;
    for k in order {
        placed[k] = (placed[k] + shift).max(least);
        least = placed[k] + apart;
    }
    placed
}

/// A name with its end in place of its middle where it is too long.
fn shortened(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= MOST_LETTERS as usize {
        return name.to_owned();
    }
    let (head, tail) = (&letters[..12], &letters[letters.len() - (MOST_LETTERS as usize - 15)..]);
    format!("{}...{}", head.iter().collect::<String>(), tail.iter().collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::{quantity, shortened, spread};

    #[test]
    fn channels_of_a_quantity_have_one_name() {
        for (name, expected) in [
            ("hull.pos.x", "pos"),
            ("hull.yaw", "rotation"),
            ("hinge.reaction.fz", "reaction"),
            ("line 1.tension_b", "tension"),
            ("spring.tension", "tension"),
            ("a.b.angle", "angle"),
            ("time", "time"),
        ] {
            assert_eq!(quantity(name), expected, "{name}");
        }
    }

    #[test]
    fn names_at_the_ends_of_curves_do_not_overlap() {
        let placed = spread(&[50.0, 50.0, 90.0, 51.0], 15.0);
        let mut sorted = placed.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 15.0 - 1e-9), "{placed:?}");
        assert!((placed.iter().sum::<f64>() - 241.0).abs() < 1e-9 && placed[2] == sorted[3]);
        assert_eq!(spread(&[1.0, 2.0], 15.0), [0.0, 15.0]);
        assert!(spread(&[], 15.0).is_empty());
    }

    #[test]
    fn long_names_keep_both_ends() {
        assert_eq!(shortened("hull.pos.x"), "hull.pos.x");
        let name = format!("{}.tension_a", "x".repeat(60));
        assert!(shortened(&name).ends_with(".tension_a") && shortened(&name).chars().count() == 40);
    }
}
