//! Lines in a run: their initial shapes, and their bounds on the steps of explicit schemes.

use super::{Run, Simulation};
use crate::error::{Error, Result};
use crate::model::{EntityKind, LineLength, Loads};
use crate::number::Rounded;
use crate::scheme::stability;
use crate::system::{State, System, Unsettled};
use nalgebra::Complex;

/// Ratio of successive lengths for which steps are planned.
const SHORTER: f64 = 0.95;

/// A length for which steps are planned, of one that changes over a step of `dt`.
fn planned(described: f64, (now, then): (&LineLength, &LineLength), dt: f64) -> f64 {
    let length = LineLength::least(now, then, dt);
    let part: f64 = length / described;
    let steps = (part.ln() / SHORTER.ln()).ceil();
    (described * SHORTER.powf(steps)).min(length)
}

impl Simulation {
    /// Places all lines at rest between their ends, and sets the own variables of elements to those
    /// of a start there. Errors: no such shape was found; the message names the line and the node
    /// with the largest residual force.
    pub(super) fn hang_lines(&self, system: &System, state: &mut State, loads: &Loads) -> Result<()> {
        let found = system.lines().hang(state, &loads.lines, &self.inputs.water);
        system.elements().wind_tendons(state);
        system.elements().begin(state, &self.inputs.water, &loads.lines);
        found.map_err(|why| self.restless_line(why, state.time))
    }

    /// Moves lines with bodies that were moved from their poses in `before`, and resets the own
    /// variables of elements. Errors: as above.
    pub(super) fn carry_lines(&self, system: &System, before: &State, state: &mut State, loads: &Loads) -> Result<()> {
        let found = system.lines().carry(before, state, &loads.lines, &self.inputs.water);
        system.elements().begin(state, &self.inputs.water, &loads.lines);
        found.map_err(|why| self.restless_line(why, state.time))
    }

    fn restless_line(&self, (line, unsettled): (usize, Unsettled), time: f64) -> Error {
        let entity = format!("{} node {}", self.model.describe(EntityKind::Line, line), unsettled.node);
        let Unsettled { force, distance, iterations, bends, .. } = unsettled;
        let cause = bends.map_or(String::new(), |part| {
            let given = self.model.line_types[self.model.lines[line].line_type].ei;
            let [most, given] = [part * given, given].map(Rounded);
            format!("; a shape has been found up to a bending stiffness of {most}, not for {given}: a stiffer line would need segments that carry compression")
        });
        Error::NoEquilibrium { time, iterations, entity, force, distance, cause }
    }

    /// Lengths for which internal steps are planned, not above the least length in a step of `dt`.
    /// They decrease from the described lengths in steps of a twentieth, so that stable steps are
    /// not computed again in every step of a winch, and are the same in a restored run.
    pub(super) fn planned_lengths<'a>(&'a self, run: &'a Run, dt: f64) -> impl Iterator<Item = f64> + 'a {
        let ends = run.accepted.loads.lines.iter().zip(&self.inputs.loads.lines);
        self.model.lines.iter().zip(ends).map(move |(line, ends)| planned(line.length, ends, dt))
    }

    /// The shortest of tendons, as a part of what it was described with, at most 1, for the same.
    pub(super) fn shortest_tendon(&self, dt: f64) -> f64 {
        let Some(run) = &self.run else { return 1.0 };
        let ends = run.accepted.loads.lines.iter().zip(&self.inputs.loads.lines).skip(self.model.lines.len());
        let parts = self.model.elements.tendons.iter().zip(ends);
        parts.map(|(tendon, ends)| planned(tendon.rest_length, ends, dt) / tendon.rest_length).fold(1.0, f64::min)
    }

    /// The longest steps that an explicit scheme allows on lines of some lengths; each preceded by
    /// the length.
    pub(super) fn steps_of_lines(&self, run: &Run, lengths: impl Iterator<Item = f64>) -> Vec<[f64; 2]> {
        if !self.inputs.scheme.is_explicit() {
            return Vec::new();
        }
        let of_line = |(line, length): (usize, f64)| {
            let [(_, waves), (_, bed)] = self.line_steps(run, line, length);
            [length, waves.min(bed)]
        };
        lengths.enumerate().map(of_line).collect()
    }

    /// The bounds on the steps of a line of some length, and the longest step that the scheme
    /// allows for each.
    fn line_steps(&self, run: &Run, line: usize, length: f64) -> [(&'static str, f64); 2] {
        let bounds = run.system.lines().bounds(line, length, &self.inputs.water);
        [("axial waves", bounds.axial), ("the seabed", bounds.seabed)].map(|(name, bound)| {
            let [w, c] = [bound.frequency, bound.damping];
            // s^2 + c s + w^2 = 0: the root with the largest modulus.
            let half = Complex::new(-0.5 * c, 0.0);
            let root = half - (half * half - w * w).sqrt();
            (name, stability::longest_step(self.inputs.scheme, root))
        })
    }

    /// The bounds on the steps of a line as text, for a line that an explicit scheme made unstable.
    pub(super) fn line_limits(&self, line: usize) -> Option<String> {
        let run = self.run.as_deref().filter(|_| self.inputs.scheme.is_explicit())?;
        let shorter = self.inputs.loads.lines[line].length.min(run.accepted.loads.lines[line].length);
        let steps = self.line_steps(run, line, shorter);
        let finite = steps.iter().filter(|(_, step)| step.is_finite());
        let words: Vec<String> = finite.map(|(name, step)| format!("{name} up to {}", Rounded(*step))).collect();
        let scheme = self.inputs.scheme;
        (!words.is_empty()).then(|| format!(" (steps that {scheme} allows: {})", words.join(", ")))
    }
}
