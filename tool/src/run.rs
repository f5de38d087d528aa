//! `pintle run`: steps from the start to the end, with loads from a table, and rows, pictures and
//! frames. Without step, end and outputs it writes a table and a page named after the model.
//!
//! Results before a failure or an interruption are kept: files end with the last record, complete.

use crate::channels::{ChannelTable, Channels};
use crate::failure::{self, Failure, Outcome};
use crate::model;
use crate::plot::Plot;
use crate::steps::{Steps, positive};
use crate::view::{self, FRAMES_PER_SECOND, Film, Scene};
use crate::vtk::Frames;
use crate::whole_file::{WholeFile, keep_apart};
use pintle::Simulation;
use std::path::{Path, PathBuf};

/// Step and end of a run, in s, unless they are given.
const STEP: f64 = 0.01;
const END: f64 = 60.0;

/// The model, the time, and what is written.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    model: model::Arguments,
    /// Length of a step, s; default 0.01
    #[arg(long, allow_negative_numbers = true)]
    step: Option<f64>,
    /// Time at which the run ends, s; default 60
    #[arg(long, allow_negative_numbers = true)]
    end: Option<f64>,
    /// Time at which it starts, s
    #[arg(long, allow_negative_numbers = true, default_value_t = 0.0)]
    start: f64,
    /// Table of channels as CSV; - is the standard output. Default, if no other output is chosen:
    /// the standard output, and without --step and --end MODEL.csv beside a page MODEL.html
    #[arg(long, value_name = "CSV")]
    out: Option<PathBuf>,
    /// Number of steps from one record to the next
    #[arg(long, value_name = "STEPS", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Channels of table, plot and page, by name or pattern (*.pos.x,hull.*); default: all, and of
    /// a plot and a page positions, angles and tensions that change
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    channels: Vec<String>,
    /// Plot of channels over time, a panel for each quantity; what does not change is left out
    #[arg(long, value_name = "SVG")]
    plot: Option<PathBuf>,
    /// Folder for ParaView: MODEL.pvd and the frames that it names, one file each
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
struct Outputs<'s> {
    table: Option<ChannelTable>,
    plot: Option<Plot>,
    page: Option<(WholeFile, Film<'s>)>,
    frames: Option<Frames>,
    /// Steps between frames.
    frame_steps: u64,
}

/// Errors: of arguments and files, before anything is written; of the run, after all results before
/// it are written.
pub fn run(arguments: &Arguments) -> Outcome {
    let steps = arguments.steps();
    steps.check()?;
    positive("--vtk-interval", arguments.vtk_interval)?;
    let (out, page) = arguments.files();
    let read = [Some(arguments.model.input()), arguments.load_table.as_deref().map(|path| ("--load-table", path))];
    let read: Vec<_> = read.into_iter().flatten().collect();
    keep_apart(
        &read,
        &[("--out", out.as_deref()), ("--plot", arguments.plot.as_deref()), ("the page", page.as_deref())],
    )?;
    let mut system = arguments.model.load()?;
    let is_drawn = page.is_some() || arguments.vtk.is_some();
    let shapes = if is_drawn { view::shapes(&arguments.model.model, &system)? } else { Vec::new() };
    steps.follow(arguments.load_table.as_deref(), &mut system)?;
    let moved = arguments.model.start(&mut system, steps.start)?;
    if !arguments.quiet {
        model::tell_moved(&moved);
    }
    let scene = is_drawn.then(|| Scene::of(&system, shapes)).transpose()?;
    let film = match &scene {
        Some(scene) if page.is_some() => {
            let channels = view::chosen(&system, &arguments.channels)?;
            Some(Film::new(&system, scene, channels, &steps, FRAMES_PER_SECOND))
        }
        _ => None,
    };
    let mut outputs = arguments.outputs(&system, out.as_deref(), page.as_deref().zip(film), scene.as_ref())?;
    let (every, frame_steps, last) = (arguments.every, outputs.frame_steps, steps.count());
    let outcome = steps.go(&mut system, arguments.quiet, |system, n| {
        outputs.record(system, n, n % every == 0 || n == last, n % frame_steps == 0 || n == last)
    });
    if let Err(failure @ (Failure::Output(_) | Failure::ClosedPipe)) = outcome {
        return Err(failure);
    }
    let rows = outputs.table.as_ref().map(|table| (table.rows, table.channels.titles().count()));
    let shown = outputs.finish(&system, arguments, outcome.as_ref().err().map(Failure::message))?;
    if !arguments.quiet {
        model::tell_warnings(&system);
    }
    let reached = system.time().unwrap_or(f64::NAN);
    let mut written = match (rows, out.as_deref()) {
        (Some((rows, channels)), Some(path)) if path != Path::new("-") => {
            format!("; {rows} rows of {channels} channels in {}", path.display())
        }
        _ => String::new(),
    };
    if let (Some(shown), Some(path)) = (shown, &page) {
        written.push_str(&format!("; {shown}: open {} in a browser", path.display()));
    }
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
    fn steps(&self) -> Steps {
        Steps { start: self.start, end: self.end.unwrap_or(END), length: self.step.unwrap_or(STEP) }
    }

    /// The table, if there is one, and the page, if there is one.
    fn files(&self) -> (Option<PathBuf>, Option<PathBuf>) {
        if self.out.is_some() || self.plot.is_some() || self.vtk.is_some() {
            return (self.out.clone(), None);
        }
        if self.step.is_some() || self.end.is_some() {
            return (Some("-".into()), None);
        }
        let name = |kind: &str| Some(format!("{}.{kind}", self.model.stem()).into());
        (name("csv"), name("html"))
    }

    /// Opens the outputs, so that errors are found before the run.
    fn outputs<'s>(
        &self,
        system: &Simulation,
        out: Option<&Path>,
        page: Option<(&Path, Film<'s>)>,
        scene: Option<&Scene>,
    ) -> Outcome<Outputs<'s>> {
        let chosen: Vec<&str> = self.channels.iter().map(String::as_str).collect();
        let table = out.map(|path| {
            let all = if chosen.is_empty() { vec!["*"] } else { [&["time"], &chosen[..]].concat() };
            ChannelTable::new(WholeFile::create(path)?, Channels::choose(system, &all)?)
        });
        let plot = self.plot.as_deref().map(|path| {
            let channels = view::chosen(system, &self.channels)?;
            Plot::new(WholeFile::create(path)?, channels, &self.channels, &self.model.stem())
        });
        let folder = self.vtk.as_deref().zip(scene);
        let frames = folder.map(|(folder, scene)| Frames::new(folder, &self.model.stem(), system, scene));
        Ok(Outputs {
            table: table.transpose()?,
            plot: plot.transpose()?,
            page: page.map(|(path, film)| Ok((WholeFile::create(path)?, film))).transpose()?,
            frames: frames.transpose()?,
            frame_steps: ((self.vtk_interval / self.steps().length).round() as u64).max(1),
        })
    }
}

impl Outputs<'_> {
    /// Adds the present state, after a number of steps, to tables, frames and the page.
    fn record(&mut self, system: &Simulation, n: u64, row: bool, frame: bool) -> Outcome {
        self.page.as_mut().map_or(Ok(()), |(_, film)| film.add(system, n))?;
        if row {
            self.table.as_mut().map_or(Ok(()), |table| table.write(system))?;
            self.plot.as_mut().map_or(Ok(()), |plot| plot.add(system))?;
        }
        self.frames.as_mut().filter(|_| frame).map_or(Ok(()), |frames| frames.add(system))
    }

    /// Moves all outputs to their places; returns what is said of the page.
    fn finish(self, system: &Simulation, arguments: &Arguments, failure: Option<String>) -> Outcome<Option<String>> {
        self.table.map_or(Ok(()), ChannelTable::finish)?;
        self.frames.map_or(Ok(()), Frames::finish)?;
        self.plot.map_or(Ok(()), Plot::finish)?;
        let Some((mut file, mut film)) = self.page else { return Ok(None) };
        let text = film.page(system, &arguments.model.stem(), failure, arguments.channels.is_empty())?;
        file.write(text.as_bytes())?;
        file.finish()?;
        Ok(Some(film.written(Path::new("page"), &text)))
    }
}
