//! `pintle run`: steps from the start to the end, with loads from a table, and rows, pictures and
//! frames.
//!
//! Results before a failure or an interruption are kept: files end with the last record, complete.

use crate::channels::{ChannelTable, Channels};
use crate::failure::{self, Failure, Outcome};
use crate::model;
use crate::plot::Plot;
use crate::steps::{Steps, positive};
use crate::vtk::Frames;
use crate::whole_file::{WholeFile, keep_apart};
use pintle::Simulation;
use std::path::{Path, PathBuf};

/// Channels of the plot if none is chosen.
const PLOTTED: [&str; 4] = ["*.pos.?", "*.angle", "*.displacement", "*.tension_?"];

/// The model, the time, and what is written.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    model: model::Arguments,
    /// Length of a step, s
    #[arg(long, allow_negative_numbers = true)]
    step: f64,
    /// Time at which the run ends, s
    #[arg(long, allow_negative_numbers = true)]
    end: f64,
    /// Time at which it starts, s
    #[arg(long, allow_negative_numbers = true, default_value_t = 0.0)]
    start: f64,
    /// Table of channels as CSV; - is the standard output, which is the default if no other output
    /// is chosen
    #[arg(long, value_name = "CSV")]
    out: Option<PathBuf>,
    /// Number of steps from one record to the next
    #[arg(long, value_name = "STEPS", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Channels of table and plot, by name or pattern (*.pos.x,hull.*); default: all, and of a plot
    /// positions and tensions
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    channels: Vec<String>,
    /// Plot of channels over time, a panel for each unit
    #[arg(long, value_name = "SVG")]
    plot: Option<PathBuf>,
    /// Folder for ParaView: MODEL.pvd and the frames that it names
    #[arg(long, value_name = "FOLDER")]
    vtk: Option<PathBuf>,
    /// Time between frames, s
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value_t = 0.04)]
    vtk_interval: f64,
    /// Inputs by name over time, as CSV: time, body.hull.load.fx, ...
    #[arg(long, value_name = "CSV")]
    load_table: Option<PathBuf>,
    /// Prints nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

/// The outputs of a run.
struct Outputs {
    table: Option<ChannelTable>,
    plot: Option<Plot>,
    frames: Option<Frames>,
    /// Steps between frames.
    frame_steps: u64,
}

/// Errors: of arguments and files, before anything is written; of the run, after all results before
/// it are written.
pub fn run(arguments: &Arguments) -> Outcome {
    let steps = Steps { start: arguments.start, end: arguments.end, length: arguments.step };
    steps.check()?;
    positive("--vtk-interval", arguments.vtk_interval)?;
    let read = [Some(arguments.model.input()), arguments.load_table.as_deref().map(|path| ("--load-table", path))];
    let read: Vec<_> = read.into_iter().flatten().collect();
    keep_apart(&read, &[("--out", arguments.out.as_deref()), ("--plot", arguments.plot.as_deref())])?;
    let mut system = arguments.model.load()?;
    let loads = steps.loads(arguments.load_table.as_deref(), &mut system)?;
    let moved = arguments.model.start(&mut system, steps.start)?;
    if !arguments.quiet {
        model::tell_moved(&moved);
    }
    let mut outputs = arguments.outputs(&system)?;
    let (every, frame_steps, last) = (arguments.every, outputs.frame_steps, steps.count());
    let outcome = steps.go(&mut system, loads, arguments.quiet, |system, n| {
        outputs.record(system, n % every == 0 || n == last, n % frame_steps == 0 || n == last)
    });
    if let Err(failure @ (Failure::Output(_) | Failure::ClosedPipe)) = outcome {
        return Err(failure);
    }
    let rows = outputs.table.as_ref().map(|table| (table.rows, table.channels.titles().count()));
    outputs.finish()?;
    if !arguments.quiet {
        model::tell_warnings(&system);
    }
    let reached = system.time().unwrap_or(f64::NAN);
    let written = match (rows, arguments.out.as_deref()) {
        (Some((rows, channels)), Some(path)) if path != Path::new("-") => {
            format!("; {rows} rows of {channels} channels in {}", path.display())
        }
        _ => String::new(),
    };
    match outcome {
        Ok(()) if !arguments.quiet => {
            let steps = system.outputs().statistic("steps").unwrap_or(f64::NAN);
            failure::tell(&format!("{steps} steps to t = {reached:.6} s{written}"));
            Ok(())
        }
        Err(Failure::Interrupted { signal, .. }) => {
            Err(Failure::Interrupted { signal, left: format!(" at t = {reached:.6} s{written}") })
        }
        other => other,
    }
}

impl Arguments {
    /// Opens the outputs, so that errors are found before the run.
    fn outputs(&self, system: &Simulation) -> Outcome<Outputs> {
        let chosen: Vec<&str> = self.channels.iter().map(String::as_str).collect();
        let standard = (self.plot.is_none() && self.vtk.is_none()).then_some(Path::new("-"));
        let table = self.out.as_deref().or(standard).map(|path| {
            let all = if chosen.is_empty() { vec!["*"] } else { [&["time"], &chosen[..]].concat() };
            ChannelTable::new(WholeFile::create(path)?, Channels::choose(system, &all)?)
        });
        let plot = self.plot.as_deref().map(|path| {
            let channels = match chosen.is_empty() {
                false => Channels::choose(system, &chosen)?,
                true => Channels::usual(system, &PLOTTED)?,
            };
            Plot::new(WholeFile::create(path)?, channels, &self.model.stem())
        });
        let frames = self.vtk.as_deref().map(|folder| Frames::new(folder, &self.model.stem(), system));
        Ok(Outputs {
            table: table.transpose()?,
            plot: plot.transpose()?,
            frames: frames.transpose()?,
            frame_steps: ((self.vtk_interval / self.step).round() as u64).max(1),
        })
    }
}

impl Outputs {
    /// Adds the present state, to tables and to frames.
    fn record(&mut self, system: &Simulation, row: bool, frame: bool) -> Outcome {
        if row {
            self.table.as_mut().map_or(Ok(()), |table| table.write(system))?;
            self.plot.as_mut().map_or(Ok(()), |plot| plot.add(system))?;
        }
        self.frames.as_mut().filter(|_| frame).map_or(Ok(()), |frames| frames.add(system))
    }

    /// Moves all outputs to their places.
    fn finish(self) -> Outcome {
        self.table.map_or(Ok(()), ChannelTable::finish)?;
        self.frames.map_or(Ok(()), Frames::finish)?;
        self.plot.map_or(Ok(()), Plot::finish)
    }
}
