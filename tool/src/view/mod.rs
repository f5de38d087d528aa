//! `pintle view`: a run as one HTML page that plays it, without a network and without other files.
//!
//! `scene` collects the parts that do not change (`solid`, `beams`), among them the shapes of the
//! model (`shape`; `surface` makes triangles of them), `recording` the frames, of which `film`
//! keeps so many as a page can have; `page` writes both into the page whose sources are in
//! tool/view.

mod base64;
mod beams;
mod film;
mod json;
mod page;
mod recording;
mod scene;
mod shape;
mod solid;
mod stl;
mod surface;

use crate::failure::{Failure, Outcome};
use crate::model;
use crate::steps::{Steps, positive};
use crate::whole_file::{self, WholeFile, keep_apart};
pub use base64::base64;
pub use film::{FRAMES_PER_SECOND, Film, chosen};
pub use scene::Scene;
pub use shape::shapes;
use std::path::{Path, PathBuf};
pub use surface::Surface;

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
    #[arg(long, allow_negative_numbers = true, default_value_t = FRAMES_PER_SECOND)]
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
    let shapes = shapes(&arguments.model.model, &system)?;
    steps.follow(arguments.load_table.as_deref(), &mut system)?;
    let moved = arguments.model.start(&mut system, steps.start)?;
    if !arguments.quiet {
        model::tell_moved(&moved);
    }
    let scene = Scene::of(&system, shapes)?;
    let channels = chosen(&system, &arguments.channels)?;
    let mut film = Film::new(&system, &scene, channels, &steps, arguments.fps);
    let mut file = WholeFile::create(&arguments.out)?;
    let outcome = steps.go(&mut system, arguments.quiet, |system, n| film.add(system, n));
    let failure = outcome.as_ref().err().map(Failure::message);
    let text = film.page(&system, &arguments.model.stem(), failure, arguments.channels.is_empty())?;
    file.write(text.as_bytes())?;
    file.finish()?;
    let reached = system.time().unwrap_or(f64::NAN);
    let written = film.written(&arguments.out, &text);
    if !arguments.quiet {
        model::tell_warnings(&system);
        // The page itself may go to the standard output.
        if arguments.out != Path::new("-") {
            let thinned = film.thinned();
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
