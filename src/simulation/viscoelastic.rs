//! Viscoelastic lines: their types, and their slow strains.

use super::outputs::{check_count, finite};
use super::views::{Elements, HostInputs, LineOutputs};
use super::{Phase, Simulation};
use crate::error::{Error, Result};
use crate::model::{EntityKind, Id, Line, Viscoelastic};
use crate::scheme::Restart;
use crate::spatial::pose::check_finite;
use crate::system::{set_slow_strains, slow_strains};

impl Simulation {
    /// Errors: a viscoelastic line with option `linear`, which freezes the stiffness.
    pub(super) fn check_viscoelastic(&self) -> Result<()> {
        let is_so = |line: &Line| self.model.line_types[line.line_type].viscoelastic.is_some();
        match self.model.lines.iter().position(is_so).filter(|_| self.inputs.settings.linear()) {
            None => Ok(()),
            Some(line) => {
                let name = self.model.describe(EntityKind::Line, line);
                let detail = format!("{name} is viscoelastic, which option \"linear\" = 1 cannot freeze");
                Err(Error::Unsupported { argument: "scheme", detail })
            }
        }
    }
}

impl Elements<'_> {
    /// Makes a type viscoelastic; stiffness 0: elastic again. Phase BUILDING. Errors: those of
    /// [`crate::model::LineType::check_viscoelastic`].
    pub fn set_line_type_viscoelastic(&mut self, line_type: Id, law: Viscoelastic) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.model.index("type", EntityKind::LineType, line_type)?;
        let is_none = law == Viscoelastic::NONE;
        if !is_none {
            self.0.model.line_types[index].check_viscoelastic(&law)?;
        }
        self.0.model.line_types[index].viscoelastic = Some(law).filter(|_| !is_none);
        Ok(())
    }
}

impl HostInputs<'_> {
    /// Sets the slow strains of a viscoelastic line from the accepted time on. Phase READY. Errors:
    /// not finite; another line; length unequal to the number of segments.
    pub fn set_line_slow_strains(&mut self, line: Id, strains: &[f64]) -> Result<()> {
        self.0.require(&[Phase::Ready], "slow strains are set between steps (phase READY)")?;
        let index = self.0.line_index(line)?;
        let range = slow_strains(&self.0.model, index);
        if range.is_empty() {
            let name = self.0.model.describe(EntityKind::Line, index);
            return Err(Error::bad_value("line", format!("{name} is not viscoelastic")));
        }
        check_count(strains.len(), range.len() / 2)?;
        check_finite("strains", strains)?;
        if let Some(run) = &mut self.0.run {
            set_slow_strains(&self.0.model, index, strains, &mut run.accepted.state);
        }
        self.0.restart_scheme(Restart::Discontinuity);
        Ok(())
    }
}

impl LineOutputs<'_> {
    /// The slow strains of the segments of a line, zeros where it is not viscoelastic. Phase READY,
    /// TRIAL, FAILED. Errors: length unequal to the number of segments.
    pub fn slow_strains(self, line: Id, strains: &mut [f64]) -> Result<()> {
        let (state, index) = (self.0.state()?, self.0.line_index(line)?);
        check_count(strains.len(), self.0.model.lines[index].segments)?;
        let own: &[[f64; 2]] = state.slow()[slow_strains(&self.0.model, index)].as_chunks().0;
        let slow = |segment: usize| own.get(segment).map_or(0.0, |own| own[0]);
        (0..strains.len()).for_each(|segment| strains[segment] = slow(segment));
        finite("strains", strains)?;
        Ok(())
    }
}
