//! Lines in a run: the shapes that they start with, and how long the steps of explicit schemes may be with them.

use super::Simulation;
use crate::error::{Error, Result};
use crate::model::{EntityKind, Loads};
use crate::number::Rounded;
use crate::scheme::{Scheme, stability};
use crate::system::{State, System, Unsettled};
use nalgebra::Complex;

impl Simulation {
    /// Lays all lines where they are at rest between their ends as these stand. Errors: no such shape was found; the line and the
    /// node with the largest force out of balance are named.
    pub(super) fn hang_lines(&self, system: &System, state: &mut State, loads: &Loads) -> Result<()> {
        let found = system.hang_lines(state, &loads.lines, &self.inputs.water);
        found.map_err(|why| self.restless_line(why, state.time))
    }

    /// Lets lines follow bodies that were put elsewhere than in `before`. Errors: as above.
    pub(super) fn carry_lines(&self, system: &System, before: &State, state: &mut State, loads: &Loads) -> Result<()> {
        let found = system.carry_lines(before, state, &loads.lines, &self.inputs.water);
        found.map_err(|why| self.restless_line(why, state.time))
    }

    fn restless_line(&self, (line, unsettled): (usize, Unsettled), time: f64) -> Error {
        let entity = format!("{} node {}", self.model.describe(EntityKind::Line, line), unsettled.node);
        let Unsettled { force, distance, iterations, bends, .. } = unsettled;
        let cause = bends.map_or(String::new(), |part| {
            let given = self.model.line_types[self.model.lines[line].line_type].ei;
            let [most, given] = [part * given, given].map(Rounded);
            format!("; a shape has been found up to a bending stiffness of {most}, not for {given}: a stiffer line pushes, and segments do not")
        });
        Error::NoEquilibrium { time, iterations, entity, force, distance, cause }
    }

    /// What bounds the steps of a scheme on the lines, and the longest it allows: none for schemes that are not explicit.
    pub(super) fn line_steps(&self, scheme: Scheme) -> Vec<Vec<(&'static str, f64)>> {
        (0..self.model.lines.len()).map(|line| self.line_steps_of(scheme, line)).collect()
    }

    fn line_steps_of(&self, scheme: Scheme, line: usize) -> Vec<(&'static str, f64)> {
        let Some(run) = self.run.as_deref().filter(|_| scheme.is_explicit()) else { return Vec::new() };
        let length = self.inputs.loads.lines[line].length;
        let bounds = run.system.line_bounds(line, length, &self.inputs.water);
        let named = [("axial waves", bounds.axial), ("the seabed", bounds.seabed)];
        let steps = named.map(|(name, bound)| {
            let [w, c] = [bound.frequency, bound.damping];
            // s^2 + c s + w^2 = 0: the root that is farthest from zero.
            let half = Complex::new(-0.5 * c, 0.0);
            let root = half - (half * half - w * w).sqrt();
            (name, stability::longest_step(scheme, root))
        });
        steps.into_iter().filter(|(_, step)| step.is_finite()).collect()
    }

    /// The same of one line in words, for one that an explicit scheme made unstable.
    pub(super) fn line_limits(&self, line: usize) -> Option<String> {
        let steps = self.line_steps_of(self.inputs.scheme, line);
        let words: Vec<String> = steps.iter().map(|(name, step)| format!("{name} up to {}", Rounded(*step))).collect();
        let scheme = self.inputs.scheme;
        (!words.is_empty()).then(|| format!(" (steps that {scheme} allows: {})", words.join(", ")))
    }
}
