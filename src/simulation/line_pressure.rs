//! Internal pressure of lines.

use super::outputs::{check_count, fill};
use super::views::{HostInputs, LineOutputs};
use super::{Phase, Simulation};
use crate::error::{Error, Result};
use crate::model::{EntityKind, Id};
use crate::scheme::Restart;
use crate::spatial::pose::check_finite;
use std::ops::Range;

impl Simulation {
    /// Where a state has the pressures of a line; empty for one that has none.
    fn pressures_of(&self, line: usize) -> Range<usize> {
        let before = self.model.lines[..line].iter().map(|line| line.pressure.len()).sum();
        before..before + self.model.lines[line].pressure.len()
    }
}

impl HostInputs<'_> {
    /// Sets the internal pressure of a line: one number, or one for each node. Phase BUILDING;
    /// READY for a line that was given one in BUILDING, from the accepted time on. Errors: another
    /// count; not finite.
    pub fn set_line_pressure(&mut self, line: Id, pressure: &[f64]) -> Result<()> {
        self.0.require(
            &[Phase::Building, Phase::Ready],
            "a pressure is set before pintle_initialize or between steps (phases BUILDING, READY)",
        )?;
        let index = self.0.line_index(line)?;
        let nodes = self.0.model.lines[index].segments + 1;
        if pressure.len() != 1 && pressure.len() != nodes {
            let expected = format!("1 or {nodes} (the number of nodes of the line)");
            return Err(Error::BadSize { argument: "n", given: pressure.len() as i64, expected });
        }
        check_finite("pressure", pressure)?;
        let at = |node: usize| pressure[if pressure.len() == 1 { 0 } else { node }];
        if self.0.phase == Phase::Building {
            self.0.model.lines[index].pressure = (0..nodes).map(at).collect();
            return Ok(());
        }
        let range = self.0.pressures_of(index);
        if range.is_empty() {
            let name = self.0.model.describe(EntityKind::Line, index);
            let detail = format!("{name} was given no internal pressure before pintle_initialize, not even 0");
            return Err(Error::bad_value("line", detail));
        }
        if let Some(run) = &mut self.0.run {
            let own = &mut run.accepted.state.pressures_mut()[range];
            own.iter_mut().enumerate().for_each(|(node, own)| *own = at(node));
        }
        self.0.follow_own(false);
        self.0.restart_scheme(Restart::Discontinuity);
        Ok(())
    }
}

impl LineOutputs<'_> {
    /// Internal pressure at the nodes of a line, zeros for one without. Any phase. Errors: length
    /// unequal to their number.
    pub fn pressure(self, line: Id, pressure: &mut [[f64; 1]]) -> Result<()> {
        let index = self.0.line_index(line)?;
        check_count(pressure.len(), self.0.model.lines[index].segments + 1)?;
        let present = match self.0.phase {
            Phase::Building => &self.0.model.lines[index].pressure[..],
            _ => &self.0.state()?.pressures()[self.0.pressures_of(index)],
        };
        fill("pressure", pressure, |node| [present.get(node).copied().unwrap_or(0.0)])
    }
}
