//! Clamped and joined ends of lines: as the host describes them, and the moments that they
//! transmit.

use super::Simulation;
use super::build::reserve;
use super::line_outputs::end_index;
use super::outputs::finite;
use super::views::{Elements, LineOutputs};
use crate::elements::line::Clamped;
use crate::error::{Error, Result};
use crate::model::{EntityKind, GROUND, Id, Support};
use crate::spatial::axes;

impl Simulation {
    /// Errors: the end of a line cannot be clamped to a body, or the ground, because its point is
    /// not on it.
    fn check_clamp(&self, line: usize, end: usize, holder: Option<usize>) -> Result<()> {
        let point = self.model.lines[line].points[end];
        let on = match self.model.points[point].support {
            Support::Attached(body) if holder == Some(body) => return Ok(()),
            Support::Fixed | Support::Prescribed if holder.is_none() => return Ok(()),
            Support::Attached(body) => format!("is on {}", self.model.describe(EntityKind::Body, body)),
            Support::Fixed | Support::Prescribed => "is not on a body".to_owned(),
            Support::Free | Support::Waiting => "is free".to_owned(),
        };
        let detail = format!(
            "{}, at end {} of {}, {on}: a line is clamped to the body that its point is attached to, or to GROUND",
            self.model.describe(EntityKind::Point, point),
            ["A", "B"][end],
            self.model.describe(EntityKind::Line, line),
        );
        Err(Error::bad_value("body", detail))
    }

    /// Whether an end of a line is joined to another one.
    fn is_joined(&self, end: &(usize, usize)) -> bool {
        self.model.line_joints.iter().any(|joint| joint.contains(end))
    }

    /// Errors: a point was moved from the body to which a line is clamped.
    pub(super) fn check_clamps(&self) -> Result<()> {
        let lines = self.model.lines.iter().enumerate();
        let mut clamps = lines.flat_map(|(index, line)| {
            let ends = line.clamps.iter().enumerate();
            ends.filter_map(move |(end, clamp)| clamp.as_ref().map(|clamp| (index, end, clamp.body)))
        });
        clamps.try_for_each(|(line, end, body)| self.check_clamp(line, end, body))
    }
}

impl Elements<'_> {
    /// Clamps an end of a line (0: A, 1: B) to the body that its point is attached to, or to the
    /// ground, along an axis into the line, in the axes of the body. Phase BUILDING. Errors: a bad
    /// id or end; a type without bending stiffness; a point that is not on the body; an axis
    /// without direction.
    pub fn clamp_line(&mut self, line: Id, end: i32, body: Id, axis: &[f64; 3]) -> Result<()> {
        self.0.require_building()?;
        let (index, end) = (self.0.line_index(line)?, end_index("end", end)?);
        let body = match body {
            GROUND => None,
            _ => Some(self.0.model.index("body", EntityKind::Body, body)?),
        };
        self.0.check_clamp(index, end, body)?;
        let line_type = self.0.model.lines[index].line_type;
        if self.0.model.line_types[line_type].ei == 0.0 {
            let name = self.0.model.describe(EntityKind::LineType, line_type);
            return Err(Error::bad_value("line", format!("{name} has bending stiffness 0: a clamp has no effect")));
        }
        if self.0.is_joined(&(index, end)) {
            let name = self.0.model.describe(EntityKind::Line, index);
            let detail = format!("end {} of {name} is joined to another line", ["A", "B"][end]);
            return Err(Error::bad_value("line", detail));
        }
        let axis = axes::direction("axis", axis)?;
        self.0.model.lines[index].clamps[end] = Some(Clamped { body, axis });
        Ok(())
    }

    /// Joins an end of a line (0: A, 1: B) to that of another one at the same point, so that
    /// bending passes on. Phase BUILDING. Errors: a bad id or end; one line; other points; a line
    /// without bending stiffness, or of one segment; an end that is clamped, or joined.
    pub fn join_lines(&mut self, [line_a, line_b]: [Id; 2], [end_a, end_b]: [i32; 2]) -> Result<()> {
        self.0.require_building()?;
        let mut ends = [(0, 0); 2];
        let arguments = [("line_a", "end_a", line_a, end_a), ("line_b", "end_b", line_b, end_b)];
        for (found, (argument, which, line, end)) in ends.iter_mut().zip(arguments) {
            *found = (self.0.model.index(argument, EntityKind::Line, line)?, end_index(which, end)?);
            let (index, end) = *found;
            let line = &self.0.model.lines[index];
            let why = match line.clamps[end] {
                Some(_) => "is clamped",
                None if self.0.is_joined(found) => "is joined already",
                None if self.0.model.line_types[line.line_type].ei == 0.0 => "has no bending stiffness",
                None if line.segments == 1 => "has one segment, which does not bend",
                None => continue,
            };
            let name = self.0.model.describe(EntityKind::Line, index);
            return Err(Error::bad_value(argument, format!("end {} of {name} {why}", ["A", "B"][end])));
        }
        let [a, b] = ends.map(|(line, end)| self.0.model.lines[line].points[end]);
        if line_a == line_b || a != b {
            let detail = match a == b {
                true => format!("{line_b} is line_a too: a joint has two lines"),
                false => format!(
                    "the ends are at {} and {}: expected one point",
                    self.0.model.describe(EntityKind::Point, a),
                    self.0.model.describe(EntityKind::Point, b)
                ),
            };
            return Err(Error::bad_value("line_b", detail));
        }
        reserve("line_b", &mut self.0.model.line_joints)?;
        self.0.model.line_joints.push(ends);
        Ok(())
    }
}

impl LineOutputs<'_> {
    /// The clamp of an end of a line: the body (GROUND for the ground), and its unit axis. Any
    /// phase.
    pub fn clamp(self, line: Id, end: i32) -> Result<Option<(Id, [f64; 3])>> {
        let line = &self.0.model.lines[self.0.line_index(line)?];
        let clamp = line.clamps[end_index("end", end)?].as_ref();
        Ok(clamp.map(|clamp| (clamp.body.map_or(GROUND, |body| body as Id), clamp.axis.into())))
    }

    /// The end that an end of a line is joined to, if any. Any phase.
    pub fn joint(self, line: Id, end: i32) -> Result<Option<(Id, i32)>> {
        let own = (self.0.line_index(line)?, end_index("end", end)?);
        let other = |joint: &[(usize, usize); 2]| match joint {
            [a, b] if *a == own => Some(*b),
            [a, b] if *b == own => Some(*a),
            _ => None,
        };
        Ok(self.0.model.line_joints.iter().find_map(other).map(|(line, end)| (line as Id, end as i32)))
    }

    /// The moment of an end of a line on what it is clamped to, or joined to, inertial axes, about
    /// the end; zero at other ends. Phase READY, TRIAL, FAILED.
    pub fn end_moment(self, line: Id, end: i32) -> Result<[f64; 3]> {
        let (run, point) = (self.0.readable()?, self.0.point()?);
        let (index, end) = (self.0.line_index(line)?, end_index("end", end)?);
        finite("moment", run.system.lines().end_moment(index, end, &point.loads.lines, &point.state).into())
    }
}
