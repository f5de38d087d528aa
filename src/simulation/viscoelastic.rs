//! Viscoelastic lines: their types, their slow strains and their largest tensions.

use super::outputs::{check_count, finite};
use super::views::{Elements, HostInputs, LineOutputs};
use super::{Phase, Simulation};
use crate::elements::check_not_negative;
use crate::error::{Error, Result};
use crate::model::{EntityKind, Id, Line, Syrope, Viscoelastic};
use crate::scheme::Restart;
use crate::spatial::pose::check_finite;
use crate::system::{set_slow_strains, slow_strains, spring_tensions};

impl Simulation {
    /// Changes slow strains and largest tensions of a line, by its segments, and starts the scheme
    /// anew.
    fn change_slow_strains(&mut self, line: usize, change: impl Fn(usize, [f64; 2]) -> [f64; 2]) {
        if let Some(run) = &mut self.run {
            let before: Vec<[f64; 2]> = slow_strains(&run.system, line, &run.accepted.state).collect();
            let changed = before.into_iter().enumerate().map(|(segment, own)| change(segment, own));
            set_slow_strains(&run.system, line, changed, &mut run.accepted.state);
        }
        self.restart_scheme(Restart::Discontinuity);
    }

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
        let line_type = &mut self.0.model.line_types[index];
        (line_type.viscoelastic, line_type.syrope) = (Some(law).filter(|_| !is_none), None);
        // Only lines with the Syrope model have largest tensions.
        let lines = self.0.model.lines.iter_mut().filter(|line| line.line_type == index);
        lines.for_each(|line| line.largest.clear());
        Ok(())
    }

    /// Gives a type with a table of tensions, the original curve, the Syrope model. Phase BUILDING.
    /// Errors: those of [`crate::model::LineType::check_syrope`].
    pub fn set_line_type_syrope(&mut self, line_type: Id, law: Viscoelastic, curves: Syrope) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.model.index("type", EntityKind::LineType, line_type)?;
        let line_type = &mut self.0.model.line_types[index];
        line_type.check_syrope(&law, &curves)?;
        (line_type.viscoelastic, line_type.syrope) = (Some(law), Some(curves));
        Ok(())
    }
}

impl HostInputs<'_> {
    /// Sets the slow strains of a viscoelastic line from the accepted time on. Phase READY. Errors:
    /// not finite; another line; length unequal to the number of segments.
    pub fn set_line_slow_strains(&mut self, line: Id, strains: &[f64]) -> Result<()> {
        self.0.require(&[Phase::Ready], "slow strains are set between steps (phase READY)")?;
        let index = self.0.line_index(line)?;
        if self.0.model.line_types[self.0.model.lines[index].line_type].viscoelastic.is_none() {
            let name = self.0.model.describe(EntityKind::Line, index);
            return Err(Error::bad_value("line", format!("{name} is not viscoelastic")));
        }
        check_count(strains.len(), self.0.model.lines[index].segments)?;
        check_finite("strains", strains)?;
        self.0.change_slow_strains(index, |segment, [_, largest]| [strains[segment], largest]);
        Ok(())
    }

    /// Sets the largest tensions that a line with the Syrope model has had: one number, or one for
    /// each segment. Phase BUILDING; READY, from the accepted time on. Errors: another count; not
    /// finite; negative; another line.
    pub fn set_line_largest_tensions(&mut self, line: Id, tensions: &[f64]) -> Result<()> {
        self.0.require(
            &[Phase::Building, Phase::Ready],
            "largest tensions are set before pintle_initialize or between steps (phases BUILDING, READY)",
        )?;
        let index = self.0.line_index(line)?;
        let segments = self.0.model.lines[index].segments;
        if tensions.len() != 1 && tensions.len() != segments {
            let expected = format!("1 or {segments} (the number of segments of the line)");
            return Err(Error::BadSize { argument: "n", given: tensions.len() as i64, expected });
        }
        check_finite("tensions", tensions)?;
        tensions.iter().try_for_each(|tension| check_not_negative("tensions", *tension))?;
        if self.0.model.line_types[self.0.model.lines[index].line_type].syrope.is_none() {
            let name = self.0.model.describe(EntityKind::Line, index);
            return Err(Error::bad_value("line", format!("{name} has no curves of the Syrope model")));
        }
        let at = |segment: usize| tensions[if tensions.len() == 1 { 0 } else { segment }];
        if self.0.phase == Phase::Building {
            self.0.model.lines[index].largest = (0..segments).map(at).collect();
        } else {
            self.0.change_slow_strains(index, |segment, [strain, _]| [strain, at(segment)]);
        }
        Ok(())
    }
}

impl LineOutputs<'_> {
    /// The slow strains of the segments of a line, zeros where it is not viscoelastic. Phase READY,
    /// TRIAL, FAILED. Errors: length unequal to the number of segments.
    pub fn slow_strains(self, line: Id, strains: &mut [f64]) -> Result<()> {
        let (state, index) = (self.0.state()?, self.0.line_index(line)?);
        check_count(strains.len(), self.0.model.lines[index].segments)?;
        let system = &self.0.readable()?.system;
        strains.fill(0.0);
        slow_strains(system, index, state).zip(&mut *strains).for_each(|([strain, _], to)| *to = strain);
        finite("strains", strains)?;
        Ok(())
    }

    /// The tensions of the springs of the segments of a line, without damping; of a viscoelastic
    /// line those of the slow springs, which are the mean tensions of the Syrope model. Phase
    /// READY, TRIAL, FAILED. Errors: length unequal to the number of segments.
    pub fn spring_tensions(self, line: Id, tensions: &mut [f64]) -> Result<()> {
        let (point, index) = (self.0.point()?, self.0.line_index(line)?);
        check_count(tensions.len(), self.0.model.lines[index].segments)?;
        let (system, length) = (&self.0.readable()?.system, point.loads.lines[index].length);
        let found = spring_tensions(system, index, length, &point.state);
        found.zip(&mut *tensions).for_each(|(tension, to)| *to = tension);
        finite("tensions", tensions)?;
        Ok(())
    }

    /// The largest tensions of the segments of a line, zeros where it does not have the Syrope
    /// model. Any phase. Errors: length unequal to the number of segments.
    pub fn largest_tensions(self, line: Id, tensions: &mut [f64]) -> Result<()> {
        let index = self.0.line_index(line)?;
        let described = &self.0.model.lines[index];
        check_count(tensions.len(), described.segments)?;
        tensions.fill(0.0);
        if self.0.phase == Phase::Building {
            described.largest.iter().zip(&mut *tensions).for_each(|(tension, to)| *to = *tension);
            return Ok(());
        }
        let (system, state) = (&self.0.readable()?.system, self.0.state()?);
        slow_strains(system, index, state).zip(&mut *tensions).for_each(|([_, tension], to)| *to = tension);
        finite("tensions", tensions)?;
        Ok(())
    }
}
