//! The frames of a run while it goes on, thinned to so many as a page can have, and the page of
//! them.

use super::beams;
use super::page::Page;
use super::recording::Recording;
use super::scene::Scene;
use crate::channels::Channels;
use crate::failure::{Failure, Outcome};
use crate::steps::Steps;
use pintle::{EntityKind, Simulation};
use std::path::Path;

/// Frames per second of a run, unless others are asked for.
pub const FRAMES_PER_SECOND: f64 = 25.0;

/// Most frames of a page. Between frames the page interpolates.
const MOST_FRAMES: usize = 2000;

/// Most numbers in all frames, so that pages of large models can be opened.
const MOST_NUMBERS: usize = 4_000_000;

/// Most channels of one unit if none is chosen.
const MOST_OF_UNIT: usize = 8;

/// Channels of the charts if none is chosen, as far as they change: of bodies, then of the rest.
const USUAL_OF_BODIES: [&str; 4] = ["pos.?", "roll", "pitch", "yaw"];
const USUAL: [&str; 4] = ["*.angle", "*.displacement", "*.tension", "*.tension_?"];

/// The frames of a run.
pub struct Film<'s> {
    scene: &'s Scene,
    recording: Recording<'s>,
    /// Steps from frame to frame: those that were asked for, and those that are taken.
    asked: u64,
    interval: u64,
    last: u64,
    most: usize,
    length: f64,
}

impl<'s> Film<'s> {
    /// Of steps that are to come, with so many frames per second of the run.
    pub fn new(system: &Simulation, scene: &'s Scene, channels: Channels, steps: &Steps, fps: f64) -> Film<'s> {
        let recording = Recording::new(system, &scene.strands, channels);
        let most = (MOST_NUMBERS / recording.width()).clamp(2, MOST_FRAMES);
        let asked = ((1.0 / (fps * steps.length)).round() as u64).max(1);
        Film { scene, recording, asked, interval: asked, last: steps.count(), most, length: steps.length }
    }

    /// Records the present state, after a number of steps, if it is a frame. Errors: of the
    /// library.
    pub fn add(&mut self, system: &Simulation, n: u64) -> Outcome {
        if n.is_multiple_of(self.interval) || n == self.last {
            self.recording.add(system)?;
        }
        // The run may end early, so that its length is no measure of the interval. One less than
        // the limit, because the last state is kept in any case.
        if n != self.last && self.recording.frames() > self.most - 1 {
            self.recording.drop_every_second_frame();
            self.interval *= 2;
        }
        Ok(())
    }

    /// The page, with a failure that ended the run if there was one; `by_default`: of the channels,
    /// those that move. Errors: the frames cannot be compressed.
    pub fn page(
        &mut self,
        system: &Simulation,
        title: &str,
        failure: Option<String>,
        by_default: bool,
    ) -> Outcome<String> {
        if failure.is_some() {
            // The last accepted state, if it can still be read.
            let _ = self.recording.add(system);
        }
        if by_default {
            self.recording.keep_moving_channels(MOST_OF_UNIT);
        }
        let reached = system.time().unwrap_or(f64::NAN);
        let failure = failure.map(|message| format!("{message} (at t = {reached:.6} s)"));
        let page = Page {
            title,
            scheme: &format!("{}, steps of {} s", system.given().scheme(), self.length),
            thinned: &self.thinned(),
            failure: failure.as_deref().unwrap_or_default(),
            scene: self.scene,
            recording: &self.recording,
        };
        page.text()
    }

    /// What is said of a page that is written.
    pub fn written(&self, path: &Path, text: &str) -> String {
        let (frames, size) = (self.recording.frames(), text.len() as f64 / 1e6);
        format!("{}: {frames} frame{}, {size:.2} MB", path.display(), if frames == 1 { "" } else { "s" })
    }

    /// A sentence about frames that were left out, if there are more steps between frames than were
    /// asked for.
    pub fn thinned(&self) -> String {
        if self.interval == self.asked {
            return String::new();
        }
        let time = |steps: u64| (steps as f64 * self.length * 1e6).round() / 1e6;
        format!(
            "Thinned to a frame every {} s in place of {} s, because a page of this model has at most {} frames",
            time(self.interval),
            time(self.asked),
            self.most
        )
    }
}

/// The channels of the charts, by patterns; without any, the usual ones, before those that do not
/// change are left out.
pub fn chosen(system: &Simulation, patterns: &[String]) -> Outcome<Channels> {
    let patterns: Vec<&str> = patterns.iter().map(String::as_str).collect();
    if !patterns.is_empty() {
        return Channels::choose(system, &patterns);
    }
    // Bodies and markers have roll, bodies first. Of a beam the last node stands for all.
    let rolls = Channels::usual(system, &["*.roll"])?;
    let names = rolls.titles().filter_map(|(name, _)| name.strip_suffix("roll"));
    let inner = beams::inner_nodes(system).map_err(Failure::of_run)?;
    let bodies = (0..system.description().count(EntityKind::Body)).zip(names).filter(|(body, _)| !inner.contains(body));
    let mut usual: Vec<String> = bodies
        .take(MOST_OF_UNIT)
        .flat_map(|(_, body)| USUAL_OF_BODIES.map(|channel| format!("{body}{channel}")))
        .collect();
    if usual.is_empty() {
        usual.push("*.pos.?".into());
    }
    usual.extend(USUAL.map(str::to_owned));
    Channels::usual(system, &usual.iter().map(String::as_str).collect::<Vec<_>>())
}
