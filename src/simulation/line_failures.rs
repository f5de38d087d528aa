//! Ends of lines that break off at a time or a tension, as the host describes them.

use super::Simulation;
use super::build::reserve;
use super::line_outputs::end_index;
use super::views::{Elements, LineOutputs};
use crate::elements::{End, check_not_negative};
use crate::error::{Error, Result};
use crate::model::{EntityKind, Id, LineFailure, Support};

impl Simulation {
    /// Errors: a point of a failure carries something before it.
    pub(super) fn check_line_failures(&self) -> Result<()> {
        for point in self.model.line_failures.iter().filter_map(|failure| failure.point) {
            let has_element = |end: &End| *end == End::Point(point);
            let line = self.model.lines.iter().position(|line| line.points.contains(&point));
            let element =
                self.model.elements.iter().find(|element| element.nodes().iter().any(|node| has_element(&node.to)));
            let what = match (line, element) {
                (Some(line), _) => self.model.describe(EntityKind::Line, line),
                (None, Some(_)) => "an element".to_owned(),
                (None, None) => continue,
            };
            let point = self.model.describe(EntityKind::Point, point);
            return Err(Error::bad_value("point", format!("{point} waits for a failure of lines, but carries {what}")));
        }
        Ok(())
    }
}

impl Elements<'_> {
    /// Lets ends of lines (0: A, 1: B) break off at a time or above a tension of one of them, 0 for
    /// none. With a free point, which waits until then, they remain tied to it together. Phase
    /// BUILDING. Errors: a bad id or end; ends on several points; an end that has a failure;
    /// neither time nor tension; a point that is not free.
    pub fn set_line_failure(&mut self, lines: &[Id], ends: &[i32], time: f64, tension: f64, point: Id) -> Result<()> {
        self.0.require_building()?;
        if lines.is_empty() {
            return Err(Error::bad_value("n", "0 ends break off: expected 1 or more"));
        }
        let mut broken: Vec<(usize, usize)> = Vec::with_capacity(lines.len());
        for (line, end) in lines.iter().zip(ends) {
            let index = self.0.model.index("lines", EntityKind::Line, *line)?;
            let end = end_index("ends", *end)?;
            let first = broken.first().copied().unwrap_or((index, end));
            let at = |(line, end): (usize, usize)| self.0.model.lines[line].points[end];
            let name = || format!("end {} of {}", ["A", "B"][end], self.0.model.describe(EntityKind::Line, index));
            if at(first) != at((index, end)) {
                return Err(Error::bad_value("lines", format!("{} is not at the point of the first end", name())));
            }
            let mut failures = self.0.model.line_failures.iter();
            if broken.contains(&(index, end)) || failures.any(|failure| failure.ends.contains(&(index, end))) {
                return Err(Error::bad_value("lines", format!("{} has a failure already", name())));
            }
            broken.push((index, end));
        }
        check_not_negative("time", time)?;
        check_not_negative("tension", tension)?;
        if time == 0.0 && tension == 0.0 {
            return Err(Error::bad_value("tension", "0 with time 0: nothing would break"));
        }
        let joint = match point {
            -1 => None,
            _ => {
                let index = self.0.model.index("point", EntityKind::Point, point)?;
                self.0.free_point(point)?;
                Some(index)
            }
        };
        reserve("n", &mut self.0.model.line_failures)?;
        self.0.model.line_failures.push(LineFailure { ends: broken, time, tension, point: joint });
        if let Some(point) = joint {
            self.0.model.points[point].support = Support::Waiting;
        }
        Ok(())
    }
}

impl<'a> LineOutputs<'a> {
    /// The failure of an end of a line, if it has one. Any phase.
    pub fn failure(self, line: Id, end: i32) -> Result<Option<&'a LineFailure>> {
        let end = (self.0.line_index(line)?, end_index("end", end)?);
        Ok(self.0.model.line_failures.iter().find(|failure| failure.ends.contains(&end)))
    }
}
