//! `pintle view`: a run as one HTML page that plays it, without a network and without other files.
//!
//! `scene` collects the parts that do not change (`solid`), among them the shapes of the model file
//! (`shape`), `recording` the frames, `page` writes
//! both into the page whose sources are in tool/view.

mod base64;
mod json;
mod page;
mod recording;
mod scene;
mod shape;
mod solid;
mod stl;

use crate::channels::Channels;
use crate::failure::{Failure, Outcome};
use crate::model;
use crate::steps::{Steps, positive};
use crate::whole_file::{self, WholeFile, keep_apart};
use page::Page;
use pintle::{EntityKind, Simulation};
use recording::Recording;
use scene::Scene;
pub use shape::shapes;
use std::path::{Path, PathBuf};

/// Most frames of a page. Between frames the page interpolates.
const MOST_FRAMES: usize = 2000;

/// Most numbers in all frames, so that pages of large models can be opened.
const MOST_NUMBERS: usize = 4_000_000;

/// Most channels of one unit if none is chosen.
const MOST_OF_UNIT: usize = 8;

/// Channels of the charts if none is chosen, as far as they change: of bodies, then of the rest.
const USUAL_OF_BODIES: [&str; 4] = ["pos.?", "roll", "pitch", "yaw"];
const USUAL: [&str; 4] = ["*.angle", "*.displacement", "*.tension", "*.tension_?"];

/// The model, the time, and the page.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    model: model::Arguments,
    /// Time at which the run ends, s
    #[arg(long, allow_negative_numbers = true, default_value_t = 60.0)]
    end: f64,
    /// Length of a step, s
    #[arg(long, allow_negative_numbers = true, default_value_t = 0.01)]
    step: f64,
    /// Time at which it starts, s
    #[arg(long, allow_negative_numbers = true, default_value_t = 0.0)]
    start: f64,
    /// Frames per second of the run; at most one a step, and 2000 in all
    #[arg(long, allow_negative_numbers = true, default_value_t = 25.0)]
    fps: f64,
    /// The page to write; - is the standard output
    #[arg(short, long, value_name = "HTML")]
    out: PathBuf,
    /// Channels of the charts, by name or pattern (*.pos.x,hull.*); default: positions, angles and
    /// tensions that change, at most 8 of a unit
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    channels: Vec<String>,
    /// Inputs by name over time, as CSV: time, body.hull.load.fx, ...
    #[arg(long, value_name = "CSV")]
    load_table: Option<PathBuf>,
    /// Prints nothing but errors
    #[arg(long, short)]
    quiet: bool,
}

/// Errors: of arguments and files, before the page is written; of the run, after a page with the
/// frames before the error is written.
pub fn view(arguments: &Arguments) -> Outcome {
    let steps = Steps { start: arguments.start, end: arguments.end, length: arguments.step };
    steps.check()?;
    positive("--fps", arguments.fps)?;
    let read = [Some(arguments.model.input()), arguments.load_table.as_deref().map(|path| ("--load-table", path))];
    let read: Vec<_> = read.into_iter().flatten().collect();
    keep_apart(&read, &[("--out", Some(&arguments.out))])?;
    let mut system = arguments.model.load()?;
    let shapes = shapes(&arguments.model, &system)?;
    let loads = steps.loads(arguments.load_table.as_deref(), &mut system)?;
    let moved = arguments.model.start(&mut system, steps.start)?;
    if !arguments.quiet {
        model::tell_moved(&moved);
    }
    let scene = Scene::of(&system, shapes)?;
    let mut recording = Recording::new(&system, &scene.strands, arguments.chosen(&system)?);
    let mut file = WholeFile::create(&arguments.out)?;

    // One less than the limit, because the last state is kept in any case.
    let most = (MOST_NUMBERS / recording.width()).clamp(2, MOST_FRAMES) - 1;
    let asked = ((1.0 / (arguments.fps * arguments.step)).round() as u64).max(1);
    let (mut interval, last) = (asked, steps.count());
    let outcome = steps.go(&mut system, loads, arguments.quiet, |system, n| {
        if n % interval == 0 || n == last {
            recording.add(system)?;
        }
        // The run may end early, so that its length is no measure of the interval.
        if n != last && recording.frames() > most {
            recording.drop_every_second_frame();
            interval *= 2;
        }
        Ok(())
    });
    let thinned = arguments.thinned(asked, interval, most + 1);
    if outcome.is_err() {
        // The last accepted state, if it can still be read.
        let _ = recording.add(&system);
    }
    if arguments.channels.is_empty() {
        recording.keep_moving_channels(MOST_OF_UNIT);
    }
    let reached = system.time().unwrap_or(f64::NAN);
    let failure = outcome.as_ref().err().map(|failure| format!("{} (at t = {reached:.6} s)", failure.message()));
    let page = Page {
        title: &arguments.model.stem(),
        scheme: &format!("{}, steps of {} s", system.given().scheme(), arguments.step),
        thinned: &thinned,
        failure: failure.as_deref().unwrap_or_default(),
        scene: &scene,
        recording: &recording,
    };
    let text = page.text()?;
    file.write(text.as_bytes())?;
    file.finish()?;
    let (frames, size) = (recording.frames(), text.len() as f64 / 1e6);
    let plural = if frames == 1 { "" } else { "s" };
    let written = format!("{}: {frames} frame{plural}, {size:.2} MB", arguments.out.display());
    if !arguments.quiet {
        model::tell_warnings(&system);
        // The page itself may go to the standard output.
        if arguments.out != Path::new("-") {
            whole_file::print(&format!("{written}\n{thinned}{}", if thinned.is_empty() { "" } else { "\n" }))?;
        }
    }
    match outcome {
        Err(Failure::Interrupted { signal, .. }) => {
            Err(Failure::Interrupted { signal, left: format!(" at t = {reached:.6} s; {written}") })
        }
        other => other,
    }
}

impl Arguments {
    /// The channels of the charts, before those that do not change are left out.
    fn chosen(&self, system: &Simulation) -> Outcome<Channels> {
        let chosen: Vec<&str> = self.channels.iter().map(String::as_str).collect();
        if !chosen.is_empty() {
            return Channels::choose(system, &chosen);
        }
        // Bodies and markers have roll, bodies first.
        let rolls = Channels::usual(system, &["*.roll"])?;
        let count = MOST_OF_UNIT.min(system.description().count(EntityKind::Body) as usize);
        let bodies = rolls.titles().filter_map(|(name, _)| name.strip_suffix("roll")).take(count);
        let mut usual: Vec<String> =
            bodies.flat_map(|body| USUAL_OF_BODIES.map(|channel| format!("{body}{channel}"))).collect();
        if usual.is_empty() {
            usual.push("*.pos.?".into());
        }
        usual.extend(USUAL.map(str::to_owned));
        Channels::usual(system, &usual.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// A sentence about frames that were left out, if there are more steps between frames than
    /// `--fps` asks for.
    fn thinned(&self, asked: u64, taken: u64, most: usize) -> String {
        if taken == asked {
            return String::new();
        }
        let time = |steps: u64| (steps as f64 * self.step * 1e6).round() / 1e6;
        format!(
            "Thinned to a frame every {} s in place of {} s, because a page of this model has at most {most} frames",
            time(taken),
            time(asked)
        )
    }
}
