//! What lines do, of the trial if one is pending, else of the accepted state; and the ends that are let go.

use super::outputs::{check_count, each, fill, finite};
use super::{Phase, Simulation};
use crate::error::{Error, Result};
use crate::model::{EntityKind, Id, LineLength};
use crate::number::{Number, Rounded};
use crate::scheme::Restart;
use crate::spatial::Vec3;

/// Which end of a line: 0 is A, 1 is B.
fn end_index(end: i32) -> Result<usize> {
    match end {
        0 | 1 => Ok(end as usize),
        _ => Err(Error::bad_value("end", format!("{end} is neither 0 (end A) nor 1 (end B)"))),
    }
}

impl Simulation {
    /// Unstretched length of a line and its rate. Any phase; in BUILDING as described.
    pub fn line_length(&self, line: Id) -> Result<(f64, f64)> {
        let index = self.line_index(line)?;
        let LineLength { length, rate, .. } = match self.phase {
            Phase::Building => self.inputs.loads.lines[index],
            _ => self.point()?.loads.lines[index],
        };
        Ok((length, rate))
    }

    /// Positions, velocities or accelerations (0, 1, 2) of all nodes of a line. Errors: length unequal to their number.
    fn line_motions(&self, line: Id, order: usize, output: &'static str, rows: &mut [[f64; 3]]) -> Result<()> {
        let (run, state) = (self.readable()?, self.state()?);
        let nodes = run.system.line_nodes(self.line_index(line)?);
        check_count(rows.len(), nodes.len())?;
        fill(output, rows, |k| run.system.node_motion(nodes.start + k, state)[order].into())
    }

    /// Positions of the nodes of a line, inertial axes. Phase READY, TRIAL, FAILED. Errors: length unequal to their number.
    pub fn line_positions(&self, line: Id, positions: &mut [[f64; 3]]) -> Result<()> {
        self.line_motions(line, 0, "positions", positions)
    }

    /// Their velocities. Phase READY, TRIAL, FAILED. Errors: length unequal to their number.
    pub fn line_velocities(&self, line: Id, velocities: &mut [[f64; 3]]) -> Result<()> {
        self.line_motions(line, 1, "velocities", velocities)
    }

    /// Their accelerations. Phase READY, TRIAL, FAILED. Errors: length unequal to their number.
    pub fn line_accelerations(&self, line: Id, accelerations: &mut [[f64; 3]]) -> Result<()> {
        self.line_motions(line, 2, "accelerations", accelerations)
    }

    /// Tensions of the segments of a line, damping included, signed. Phase READY, TRIAL, FAILED. Errors: length unequal to their
    /// number.
    pub fn line_tensions(&self, line: Id, tensions: &mut [f64]) -> Result<()> {
        let (run, state) = (self.readable()?, self.state()?);
        let present = &state.lines.tensions[run.system.line_segments(self.line_index(line)?)];
        check_count(tensions.len(), present.len())?;
        finite("tensions", present)?;
        tensions.copy_from_slice(present);
        Ok(())
    }

    /// Net force of an end of a line (0: A, 1: B) on its point, without inertia; inertial axes. Phase READY, TRIAL, FAILED.
    pub fn line_end_force(&self, line: Id, end: i32) -> Result<[f64; 3]> {
        let state = self.state()?;
        let index = self.line_index(line)?;
        finite("force", state.lines.end_forces[index][end_index(end)?])
    }

    /// Tensions of the end segments of all lines, those at A and at B. Phase READY, TRIAL, FAILED. Errors: length unequal to
    /// the number of lines.
    pub fn line_end_tensions(&self, tensions: &mut [[f64; 2]]) -> Result<()> {
        let (run, state) = (self.readable()?, self.state()?);
        check_count(tensions.len(), self.model.lines.len())?;
        fill("tensions", tensions, |line| {
            let segments = run.system.line_segments(line);
            [segments.start, segments.end - 1].map(|k| state.lines.tensions[k])
        })
    }

    /// Net forces of the ends of all lines: of A, then of B. Phase READY, TRIAL, FAILED. Errors: length unequal to the number of
    /// lines.
    pub fn line_end_forces(&self, forces: &mut [[f64; 6]]) -> Result<()> {
        let state = self.state()?;
        check_count(forces.len(), self.model.lines.len())?;
        each(forces, |line| {
            let [[ax, ay, az], [bx, by, bz]] = state.lines.end_forces[line];
            finite("forces", [ax, ay, az, bx, by, bz])
        })
    }

    /// Lets an end of a line (0: A, 1: B) go: from the accepted time on it moves by the equations, tied to nothing. Phase READY.
    /// Errors: it is free already.
    pub fn release_line(&mut self, line: Id, end: i32) -> Result<()> {
        self.require(&[Phase::Ready], "an end is let go between steps (phase READY)")?;
        let (index, end) = (self.line_index(line)?, end_index(end)?);
        if self.line_released(line)?[end] {
            let name = self.model.describe(EntityKind::Line, index);
            return Err(Error::bad_value("end", format!("end {} of {name} is free already", ["A", "B"][end])));
        }
        if let Some(run) = &mut self.run {
            run.accepted.state.lines.released[index][end] = true;
        }
        self.follow_releases();
        self.restart_scheme(Restart::Discontinuity);
        Ok(())
    }

    /// Ties the ends of lines as the accepted state says: after an end was let go, and in a state that was restored.
    pub(super) fn follow_releases(&mut self) {
        let Some(run) = &mut self.run else { return };
        if run.system.is_released_as(&run.accepted.state) {
            return;
        }
        run.system.set_released(&run.accepted.state.lines.released);
        run.forget_entities();
    }

    /// That a segment is strained beyond the table of its type, where straight lines go on, in words: the first such one.
    pub(super) fn beyond_table(&self) -> Option<String> {
        let (run, point) = (self.run.as_deref()?, self.point().ok()?);
        for (index, line) in self.model.lines.iter().enumerate() {
            let table = self.model.line_types[line.line_type].tension.as_deref();
            let Some(end) = table.and_then(|table| table.x.last().copied()) else { continue };
            let nodes = run.system.line_nodes(index).map(|node| run.system.node_motion(node, &point.state)[0]);
            let nodes: Vec<Vec3> = nodes.collect();
            let segment = point.loads.lines[index].length / line.segments as f64;
            let mut strains = nodes.windows(2).map(|pair| (pair[1] - pair[0]).norm() / segment - 1.0).enumerate();
            if let Some((k, strain)) = strains.find(|(_, strain)| *strain > end) {
                let name = self.model.describe(EntityKind::Line, index);
                return Some(format!(
                    "segment {k} of {name} is strained by {}, beyond the table of its type, which ends at {} and goes on straight",
                    Rounded(strain),
                    Number(end)
                ));
            }
        }
        None
    }

    /// Which ends of a line were let go. Any phase.
    pub fn line_released(&self, line: Id) -> Result<[bool; 2]> {
        let index = self.line_index(line)?;
        if self.phase == Phase::Building { Ok([false; 2]) } else { Ok(self.state()?.lines.released[index]) }
    }
}
