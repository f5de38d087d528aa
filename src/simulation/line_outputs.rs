//! Outputs of lines, for the trial if one is pending, else for the accepted state; and releasing
//! ends.

use super::named_inputs::What;
use super::outputs::{check_count, each, fill, finite};
use super::views::{HostInputs, LineOutputs};
use super::{Phase, Simulation};
use crate::elements::line::{NODE_LOADS, check_positive};
use crate::error::{Error, Result};
use crate::model::{EntityKind, Id};
use crate::number::{Number, Rounded};
use crate::scheme::Restart;
use crate::spatial::Vec3;
use crate::system::{Hold, held};

/// Which end of a line: 0 is A, 1 is B.
pub(super) fn end_index(argument: &'static str, end: i32) -> Result<usize> {
    match end {
        0 | 1 => Ok(end as usize),
        _ => Err(Error::bad_value(argument, format!("{end} is neither 0 (end A) nor 1 (end B)"))),
    }
}

impl Simulation {
    /// Positions, velocities or accelerations (0, 1, 2) of all nodes of a line. Errors: length
    /// unequal to their number.
    fn line_motions(&self, line: Id, order: usize, output: &'static str, rows: &mut [[f64; 3]]) -> Result<()> {
        let (run, state) = (self.readable()?, self.state()?);
        let nodes = run.system.lines().nodes(self.line_index(line)?);
        check_count(rows.len(), nodes.len())?;
        fill(output, rows, |k| run.system.nodes().motion(nodes.start + k, state)[order].into())
    }

    /// Gives lines the ends and the stiffness, and joints the springs, that they have in the trial,
    /// if `pending` and there is one, else in the accepted state.
    pub(super) fn follow_own(&mut self, pending: bool) {
        let pending = pending && self.phase == Phase::Trial;
        let Some(run) = &mut self.run else { return };
        let at = if pending { &run.trial } else { &run.accepted };
        let springs = at.state.joint_springs();
        if !run.system.lines().are_as_in(&at.state) || !run.system.joints().springs().eq(springs.iter().copied()) {
            run.system.adjust().follow_lines(&at.state);
            run.system.adjust().set_joint_springs(springs.iter().copied());
            self.model.set_joint_springs(springs);
            run.forget_entities();
            run.stable = None;
            if let Some(workplace) = run.workroom.steps_mut() {
                workplace.memory.frozen = None;
            }
        }
    }

    /// A warning for the first segment whose strain is beyond the table of its type, where straight
    /// lines continue it.
    pub(super) fn beyond_table(&self) -> Option<String> {
        let (run, point) = (self.run.as_deref()?, self.point().ok()?);
        for (index, line) in self.model.lines.iter().enumerate() {
            let table = self.model.line_types[line.line_type].tension.as_deref();
            let Some(end) = table.and_then(|table| table.x.last().copied()) else { continue };
            let nodes = run.system.lines().nodes(index).map(|node| run.system.nodes().motion(node, &point.state)[0]);
            let nodes: Vec<Vec3> = nodes.collect();
            let segment = point.loads.lines[index].length / line.segments as f64;
            let mut strains = nodes.windows(2).map(|pair| (pair[1] - pair[0]).norm() / segment - 1.0).enumerate();
            if let Some((k, strain)) = strains.find(|(_, strain)| *strain > end) {
                let name = self.model.describe(EntityKind::Line, index);
                return Some(format!(
                    "segment {k} of {name} is strained by {}, beyond the table of its type, which ends at {} and is continued linearly",
                    Rounded(strain),
                    Number(end)
                ));
            }
        }
        None
    }
}

impl HostInputs<'_> {
    /// Releases an end of a line (0: A, 1: B): from the accepted time on it is not tied, and moves
    /// by the equations of motion. Phase READY. Errors: it is released already.
    pub fn release_line(&mut self, line: Id, end: i32) -> Result<()> {
        self.0.require(&[Phase::Ready], "an end is let go between steps (phase READY)")?;
        let (index, end) = (self.0.line_index(line)?, end_index("end", end)?);
        let mut holds = held(self.0.state()?, index);
        if holds[end] == Hold::Free {
            let name = self.0.model.describe(EntityKind::Line, index);
            return Err(Error::bad_value("end", format!("end {} of {name} is free already", ["A", "B"][end])));
        }
        if let Some(run) = &mut self.0.run {
            holds[end] = Hold::Free;
            run.accepted.state.set_holds(index, holds);
        }
        self.0.follow_own(false);
        self.0.restart_scheme(Restart::Discontinuity);
        Ok(())
    }
}

impl HostInputs<'_> {
    /// Sets the axial stiffness of a line from the accepted time on. Phase READY. Errors: not above
    /// 0; the type of the line has a table.
    pub fn set_line_stiffness(&mut self, line: Id, ea: f64) -> Result<()> {
        self.0.require(&[Phase::Ready], "a stiffness is set between steps (phase READY)")?;
        let index = self.0.line_index(line)?;
        check_positive("ea", ea)?;
        let line_type = &self.0.model.line_types[self.0.model.lines[index].line_type];
        let refuse = |why: &str| {
            let name = self.0.model.describe(EntityKind::Line, index);
            Err(Error::bad_value("ea", format!("{name} {why}")))
        };
        if line_type.tension.is_some() {
            return refuse("has a table in place of a stiffness");
        }
        if line_type.viscoelastic.is_some() {
            return refuse("is viscoelastic: its static stiffness does not change");
        }
        if let Some(run) = &mut self.0.run {
            run.accepted.state.stiffnesses_mut()[index] = ea;
        }
        self.0.follow_own(false);
        self.0.restart_scheme(Restart::Discontinuity);
        Ok(())
    }
}

impl LineOutputs<'_> {
    /// The axial stiffness of a line, 0 for a table. Any phase.
    pub fn stiffness(self, line: Id) -> Result<f64> {
        let index = self.0.line_index(line)?;
        let line_type = &self.0.model.line_types[self.0.model.lines[index].line_type];
        match self.0.phase {
            _ if line_type.tension.is_some() => Ok(0.0),
            _ if line_type.viscoelastic.is_some() => Ok(line_type.ea),
            Phase::Building => Ok(line_type.ea),
            _ => Ok(self.0.state()?.stiffnesses()[index]),
        }
    }

    /// The forces of one cause on the nodes of a line, inertial axes, without its inertia. Phase
    /// READY, TRIAL, FAILED. Errors: another cause; length unequal to the number of nodes.
    pub fn node_loads(self, line: Id, what: &str, loads: &mut [[f64; 3]]) -> Result<()> {
        let (run, point) = (self.0.readable()?, self.0.point()?);
        let index = self.0.line_index(line)?;
        check_count(loads.len(), run.system.lines().nodes(index).len())?;
        if !NODE_LOADS.contains(&what) {
            return Err(Error::bad_value("what", format!("\"{what}\" is unknown; known: {}", NODE_LOADS.join(", "))));
        }
        let found = run.system.lines().node_loads(index, what, &point.state, &point.loads.lines, &self.0.inputs.water);
        fill("out", loads, |node| found[node].into())
    }

    /// Unstretched length of a line and its rate. Any phase; in BUILDING as described.
    pub fn length(self, line: Id) -> Result<(f64, f64)> {
        self.0.length(What::LineLength, line, true)
    }

    /// Positions of the nodes of a line, inertial axes. Phase READY, TRIAL, FAILED. Errors: length
    /// unequal to their number.
    pub fn positions(self, line: Id, positions: &mut [[f64; 3]]) -> Result<()> {
        self.0.line_motions(line, 0, "positions", positions)
    }

    /// Their velocities. Phase READY, TRIAL, FAILED. Errors: length unequal to their number.
    pub fn velocities(self, line: Id, velocities: &mut [[f64; 3]]) -> Result<()> {
        self.0.line_motions(line, 1, "velocities", velocities)
    }

    /// Their accelerations. Phase READY, TRIAL, FAILED. Errors: length unequal to their number.
    pub fn accelerations(self, line: Id, accelerations: &mut [[f64; 3]]) -> Result<()> {
        self.0.line_motions(line, 2, "accelerations", accelerations)
    }

    /// Tensions of the segments of a line, damping included, signed. Phase READY, TRIAL, FAILED.
    /// Errors: length unequal to their number.
    pub fn tensions(self, line: Id, tensions: &mut [f64]) -> Result<()> {
        let (run, state) = (self.0.readable()?, self.0.state()?);
        let present = &state.lines.tensions[run.system.lines().segments(self.0.line_index(line)?)];
        check_count(tensions.len(), present.len())?;
        finite("tensions", present)?;
        tensions.copy_from_slice(present);
        Ok(())
    }

    /// Net force of an end of a line (0: A, 1: B) on its point, without inertia; inertial axes.
    /// Phase READY, TRIAL, FAILED.
    pub fn end_force(self, line: Id, end: i32) -> Result<[f64; 3]> {
        let state = self.0.state()?;
        let index = self.0.line_index(line)?;
        finite("force", state.lines.end_forces[index][end_index("end", end)?])
    }

    /// Tensions of the end segments of all lines, those at A and at B. Phase READY, TRIAL, FAILED.
    /// Errors: length unequal to the number of lines.
    pub fn end_tensions(self, tensions: &mut [[f64; 2]]) -> Result<()> {
        let (run, state) = (self.0.readable()?, self.0.state()?);
        check_count(tensions.len(), self.0.model.lines.len())?;
        fill("tensions", tensions, |line| {
            let segments = run.system.lines().segments(line);
            [segments.start, segments.end - 1].map(|k| state.lines.tensions[k])
        })
    }

    /// Mean tensions of the end segments of all lines over the last step of the host, those at A
    /// and at B. Phase READY, TRIAL, FAILED. Errors: length unequal to the number of lines.
    pub fn mean_tensions(self, tensions: &mut [[f64; 2]]) -> Result<()> {
        let state = self.0.state()?;
        check_count(tensions.len(), self.0.model.lines.len())?;
        fill("tensions", tensions, |line| [2 * line, 2 * line + 1].map(|mean| state.lines.means[mean]))
    }

    /// Mean tension of a spring over the last step of the host.
    pub fn spring_mean_tension(self, spring: Id) -> Result<f64> {
        let state = self.0.state()?;
        let index = self.0.model.index("spring", EntityKind::Spring, spring)?;
        finite("tension", [state.lines.means[2 * self.0.model.lines.len() + index]]).map(|[mean]| mean)
    }

    /// Net forces of the ends of all lines: of A, then of B. Phase READY, TRIAL, FAILED. Errors:
    /// length unequal to the number of lines.
    pub fn end_forces(self, forces: &mut [[f64; 6]]) -> Result<()> {
        let state = self.0.state()?;
        check_count(forces.len(), self.0.model.lines.len())?;
        each(forces, |line| {
            let [[ax, ay, az], [bx, by, bz]] = state.lines.end_forces[line];
            finite("forces", [ax, ay, az, bx, by, bz])
        })
    }

    /// Which ends of a line have left their points. Any phase.
    pub fn released(self, line: Id) -> Result<[bool; 2]> {
        let index = self.0.line_index(line)?;
        if self.0.phase == Phase::Building {
            return Ok([false; 2]);
        }
        Ok(held(self.0.state()?, index).map(|hold| hold != Hold::Point))
    }
}
