//! The frames of a run, and their encoding.
//!
//! Times, poses and channels are float32. Nodes of strands are rounded to 16 bits of the range of
//! all nodes, tensions to 8 bits, because they are many and only drawn. A column is one number over
//! all frames. For compression, columns are stored as differences from frame to frame (of floats:
//! of their bits), and of all numbers of one width the low bytes stand first, the high bytes last.

use super::base64::base64;
use super::json;
use super::scene::{Strand, read_strand};
use crate::channels::Channels;
use crate::failure::{Failure, Outcome};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use pintle::{EntityKind, Id, Simulation};
use std::io::Write;

/// Numbers of a pose.
const POSE: usize = 7;

/// Part of all tensions that may be above the range of the colours, and below it, so that the shock
/// of a slack line does not leave the rest one colour.
const OUTSIDE: f64 = 0.002;

/// A channel is constant if it changes by less than this part of the largest value of its unit; of
/// angles, if it changes by less than this.
const CONSTANT: f64 = 1e-6;

/// Frames, each a row in every list.
pub struct Recording<'s> {
    bodies: Id,
    strands: &'s [Strand],
    channels: Channels,
    /// Columns of channels that the page gets.
    chosen: Vec<usize>,
    times: Vec<f64>,
    poses: Rows<f32>,
    values: Rows<f32>,
    nodes: Rows<f64>,
    tensions: Rows<f64>,
}

/// Rows of a table.
struct Rows<T> {
    width: usize,
    values: Vec<T>,
}

impl<T: Copy> Rows<T> {
    fn new(width: usize) -> Rows<T> {
        Rows { width, values: Vec::new() }
    }

    /// Keeps the first row, the third, the fifth, ...
    fn drop_every_second(&mut self) {
        let rows = self.values.chunks(self.width.max(1)).step_by(2);
        self.values = rows.flatten().copied().collect();
    }

    fn column(&self, k: usize) -> impl Iterator<Item = T> {
        self.values.iter().skip(k).step_by(self.width).copied()
    }
}

impl<'s> Recording<'s> {
    pub fn new(system: &Simulation, strands: &'s [Strand], channels: Channels) -> Recording<'s> {
        let bodies = system.description().count(EntityKind::Body);
        let segments: usize = strands.iter().map(Strand::segments).sum();
        let count = channels.titles().count();
        Recording {
            bodies,
            strands,
            channels,
            chosen: (0..count).collect(),
            times: Vec::new(),
            poses: Rows::new(POSE * bodies as usize),
            values: Rows::new(count),
            nodes: Rows::new(3 * (segments + strands.len())),
            tensions: Rows::new(segments),
        }
    }

    /// The count of numbers in a frame.
    pub fn width(&self) -> usize {
        1 + self.poses.width + self.values.width + self.nodes.width + self.tensions.width
    }

    /// The number of frames.
    pub fn frames(&self) -> usize {
        self.times.len()
    }

    /// The time of the first frame.
    fn start(&self) -> f64 {
        self.times.first().copied().unwrap_or(0.0)
    }

    /// Records the present state, unless the last frame has the same time. Errors: of the library.
    pub fn add(&mut self, system: &Simulation) -> Outcome {
        let time = system.time().map_err(Failure::of_run)?;
        if self.times.last() == Some(&time) {
            return Ok(());
        }
        let (mut nodes, mut poses) = (Vec::new(), Vec::new());
        for body in 0..self.bodies {
            poses.extend(system.outputs().body_pose(body).map_err(Failure::of_run)?.map(|x| x as f32));
        }
        let mut tensions = Vec::new();
        for strand in self.strands {
            read_strand(system, strand, &mut nodes, &mut tensions).map_err(Failure::of_run)?;
        }
        self.values.values.extend(self.channels.read(system)?.map(|value| value as f32));
        self.times.push(time);
        self.poses.values.extend(poses);
        self.nodes.values.extend(nodes.as_flattened());
        self.tensions.values.extend(tensions);
        Ok(())
    }

    /// Keeps the first frame, the third, the fifth, ...
    pub fn drop_every_second_frame(&mut self) {
        self.times = self.times.iter().step_by(2).copied().collect();
        [&mut self.poses, &mut self.values].into_iter().for_each(Rows::drop_every_second);
        [&mut self.nodes, &mut self.tensions].into_iter().for_each(Rows::drop_every_second);
    }

    /// Leaves out channels that do not change, and all but the first `most_of_unit` of each unit.
    pub fn keep_moving_channels(&mut self, most_of_unit: usize) {
        let units: Vec<&str> = self.channels.titles().map(|(_, unit)| unit).collect();
        let ranges: Vec<[f64; 2]> = (0..units.len()).map(|k| range(self.values.column(k).map(f64::from))).collect();
        let scale = |unit| {
            let of_unit = ranges.iter().zip(&units).filter(|(_, other)| **other == unit);
            of_unit.map(|([least, most], _)| most.max(-least)).fold(f64::from(u8::from(unit == "rad")), f64::max)
        };
        let mut kept: Vec<usize> = Vec::new();
        for (k, [least, most]) in ranges.iter().enumerate() {
            let of_unit = kept.iter().filter(|other| units[**other] == units[k]).count();
            if most - least > CONSTANT * scale(units[k]) && of_unit < most_of_unit {
                kept.push(k);
            }
        }
        self.chosen = kept;
    }

    /// What the page must know to decode the frames.
    pub fn json(&self) -> String {
        let titles: Vec<(&str, &str)> = self.channels.titles().collect();
        let channels = self.chosen.iter().map(|k| {
            let (name, unit) = titles[*k];
            format!("{{\"name\":{},\"unit\":{}}}", json::string(name), json::string(unit))
        });
        let nodes: Vec<[f64; 2]> = (0..3).map(|axis| self.axis_range(axis)).collect();
        format!(
            "\"start\":{:?},\"frames\":{},\"channels\":{},\"nodeRanges\":{},\"tensionRange\":{}",
            self.start(),
            self.frames(),
            json::array(channels),
            json::array(nodes.iter().map(|ends| json::numbers(ends))),
            json::numbers(&self.tension_range())
        )
    }

    /// The range of the nodes along an axis.
    fn axis_range(&self, axis: usize) -> [f64; 2] {
        range(self.nodes.values.iter().skip(axis).step_by(3).copied())
    }

    /// The range of the tensions of lines but for [`OUTSIDE`], and of springs only if there are no
    /// lines: springs that push would leave lines a small part of the colours.
    fn tension_range(&self) -> [f64; 2] {
        let lines = self.strands.iter().filter(|strand| strand.is_line()).map(Strand::segments).sum();
        let columns = if lines > 0 { lines } else { self.tensions.width };
        let mut sorted: Vec<f64> = (0..columns).flat_map(|k| self.tensions.column(k)).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let outside = (OUTSIDE * sorted.len() as f64) as usize;
        range(sorted[outside..sorted.len() - outside].iter().copied())
    }

    /// The frames, compressed as zlib does it, then as base64.
    pub fn encoded(&self) -> Outcome<String> {
        let bits = |value: f32| value.to_bits();
        let mut exact = differences(self.times.iter().map(|time| bits((time - self.start()) as f32)));
        let columns = (0..self.poses.width).map(|k| self.poses.column(k).map(bits));
        columns.for_each(|column| exact.extend(differences(column)));
        self.chosen.iter().for_each(|k| exact.extend(differences(self.values.column(*k).map(bits))));
        let axes = [0, 1, 2].map(|axis| self.axis_range(axis));
        let places = (0..self.nodes.width).map(|k| rounded(self.nodes.column(k), axes[k % 3], u16::MAX.into()));
        let nodes: Vec<u32> = places.flat_map(differences).collect();
        let range = self.tension_range();
        let parts = (0..self.tensions.width).map(|k| rounded(self.tensions.column(k), range, u8::MAX.into()));
        let tensions: Vec<u32> = parts.flat_map(differences).collect();

        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        let bytes = [planes(&exact, 4), planes(&nodes, 2), planes(&tensions, 1)].concat();
        let compressed = encoder.write_all(&bytes).and_then(|()| encoder.finish());
        compressed.map(|bytes| base64(&bytes)).map_err(|error| Failure::output("the frames", &error))
    }
}

/// The least and the largest value; zeros if there is none.
fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let ends = values.fold([f64::MAX, f64::MIN], |[least, most], value| [least.min(value), most.max(value)]);
    if ends[0] <= ends[1] { ends } else { [0.0; 2] }
}

/// A column in parts of a range, 0 to `parts`; values outside of the range are moved to its ends.
fn rounded(column: impl Iterator<Item = f64>, [least, most]: [f64; 2], parts: u32) -> impl Iterator<Item = u32> {
    let scale = if most > least { f64::from(parts) / (most - least) } else { 0.0 };
    column.map(move |value| ((value - least) * scale).round().clamp(0.0, parts.into()) as u32)
}

/// The differences of a column modulo 2^32, the first one from 0.
fn differences(column: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut before = 0;
    column.map(|value| value.wrapping_sub(std::mem::replace(&mut before, value))).collect()
}

/// The lowest bytes of all numbers, then the second bytes, up to the width.
fn planes(numbers: &[u32], width: usize) -> Vec<u8> {
    (0..width).flat_map(|k| numbers.iter().map(move |number| number.to_le_bytes()[k])).collect()
}
