//! Mooring lines as the host describes them, and the winches that change their lengths.

use super::Simulation;
use super::build::reserve;
use super::named_inputs::What;
use super::views::{Build, Description, Elements, Given, HostInputs};
use crate::elements::check_not_negative;
use crate::elements::line::check_positive;
use crate::error::{Error, Result};
use crate::model::{EntityKind, Id, Line, LineLength, LineType, Model, SHORTEST, Support, Table};
use crate::number::Number;
use crate::spatial::Vec3;
use crate::spatial::pose::check_finite;
use std::sync::Arc;

/// How far below the seabed a point may be described, as part of the depth, because of rounding.
const ROUNDING_OF_DEPTH: f64 = 1e-9;

/// Tables of a line type, by the host's names.
const TABLES: [&str; 2] = ["ea", "ba"];

impl Simulation {
    pub(super) fn line_index(&self, line: Id) -> Result<usize> {
        self.model.index("line", EntityKind::Line, line)
    }

    /// A line or a tendon whose length may be set now. Errors: the phase; a bad id.
    pub(super) fn winch(&self, what: What, id: Id) -> Result<usize> {
        use super::Phase::{Ready, Trial};
        self.require(
            &[Ready, Trial],
            "winches act during a run; what adds it sets the initial length (phase READY, TRIAL)",
        )?;
        self.winch_index(what, id)
    }

    fn winch_index(&self, what: What, id: Id) -> Result<usize> {
        let kind = what.winch();
        self.model.index(kind.name(), kind, id)
    }

    /// The length of a line or a tendon as described.
    pub(super) fn described_length(&self, what: What, index: usize) -> f64 {
        match what {
            What::TendonLength => self.model.elements.tendons[index].rest_length,
            _ => self.model.lines[index].length,
        }
    }

    /// Its place in the list of lengths.
    fn place_of_length(&self, what: What, index: usize) -> usize {
        index + if what == What::TendonLength { self.model.lines.len() } else { 0 }
    }

    /// Errors: a length that is too short.
    pub(super) fn check_line_length(&self, what: What, index: usize, length: f64) -> Result<()> {
        let described = self.described_length(what, index);
        if length < SHORTEST * described {
            let detail = format!(
                "{} is less than a hundredth of the {} that {} was described with",
                Number(length),
                Number(described),
                self.model.describe(what.winch(), index)
            );
            return Err(Error::bad_value("length", detail));
        }
        Ok(())
    }

    /// Sets the length of a line or a tendon at the end of the coming step, and its rate there.
    pub(super) fn set_length(&mut self, what: What, id: Id, length: f64, rate: f64) -> Result<()> {
        let index = self.winch(what, id)?;
        check_finite("length", &[length])?;
        check_finite("rate", &[rate])?;
        self.check_line_length(what, index, length)?;
        let place = self.place_of_length(what, index);
        self.inputs.loads.lines[place] = LineLength { length, rate, given: true };
        self.leave_series(what, index);
        Ok(())
    }

    /// Its length and rate: set for the end of the coming step, or at present. Any phase.
    pub(super) fn length(&self, what: What, id: Id, at_present: bool) -> Result<(f64, f64)> {
        let place = self.place_of_length(what, self.winch_index(what, id)?);
        let loads = match at_present && self.phase != super::Phase::Building {
            true => &self.point()?.loads,
            false => &self.inputs.loads,
        };
        let LineLength { length, rate, .. } = loads.lines[place];
        Ok((length, rate))
    }

    /// Checks of lines that need the whole description. Errors: a type without stiffness; seabed
    /// settings without a depth; a point below the seabed.
    pub(super) fn check_lines(&self) -> Result<()> {
        let model: &Model = &self.model;
        if let Some(index) = model.line_types.iter().position(|line_type| !line_type.is_elastic()) {
            let name = model.describe(EntityKind::LineType, index);
            let detail = format!("{name} has axial stiffness 0 and no table in its place (pintle_set_line_type_table)");
            return Err(Error::bad_value("ea", detail));
        }
        self.check_line_failures()?;
        self.check_clamps()?;
        self.check_viscoelastic()?;
        let water = &self.inputs.water;
        water.check_bed()?;
        water.check_waves(&model.gravity)?;
        if !water.has_bed() {
            return Ok(());
        }
        for index in 0..model.points.len() {
            let position: Vec3 = self.initial_position(index);
            let Some(bed) = water.bed(&position) else { continue };
            if position.z < bed - ROUNDING_OF_DEPTH * bed.abs() {
                let what = match model.points[index].support {
                    Support::Attached(body) => format!(" on {}", model.describe(EntityKind::Body, body)),
                    _ => String::new(),
                };
                let (name, z) = (model.describe(EntityKind::Point, index), Number(position.z));
                let detail = format!("{name}{what} is at z = {z}, below the seabed at {}", Number(bed));
                return Err(Error::bad_value("depth", detail));
            }
        }
        Ok(())
    }
}

impl Build<'_> {
    /// Sets drag and added mass of a point in water: drag coefficient times area, and added mass as
    /// part of the displaced mass. Phase BUILDING. Attached points ignore them, as they ignore mass
    /// and volume.
    pub fn set_point_drag(&mut self, point: Id, cda: f64, ca: f64) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.model.index("point", EntityKind::Point, point)?;
        check_not_negative("cda", cda)?;
        check_not_negative("ca", ca)?;
        let point = &mut self.0.model.points[index];
        (point.cda, point.ca) = (cda, ca);
        Ok(())
    }
}

impl Elements<'_> {
    /// Adds a type of lines. Phase BUILDING. Errors: not finite; diameter or mass not above 0;
    /// another number negative, except `ba`, whose negative values are fractions of critical
    /// damping.
    pub fn add_line_type(&mut self, line_type: LineType) -> Result<Id> {
        self.0.require_building()?;
        line_type.check()?;
        let id = reserve("type", &mut self.0.model.line_types)?;
        self.0.model.line_types.push(line_type);
        Ok(id)
    }

    /// Replaces a number of a type by a table: "ea": tensions over strains; "ba": damping forces
    /// over strain rates. Phase BUILDING. Errors: another `what`; columns that are not a table
    /// ([`Table::new`]); no tension anywhere.
    pub fn set_line_type_table(&mut self, line_type: Id, what: &str, x: &[f64], y: &[f64]) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.model.index("type", EntityKind::LineType, line_type)?;
        let place = |line_type: &mut LineType, table: Table| match what {
            "ea" => line_type.tension = Some(Arc::new(table)),
            _ => line_type.damping = Some(Arc::new(table)),
        };
        check_table_name(what)?;
        let table = Table::new(x, y)?;
        if what == "ea" && y.iter().all(|tension| *tension == 0.0) {
            return Err(Error::bad_value("y", "all tensions are 0: nothing resists stretching"));
        }
        let line_type = &mut self.0.model.line_types[index];
        if line_type.viscoelastic.is_some() {
            return Err(Error::bad_value("type", "it is viscoelastic, with numbers EA and BA"));
        }
        place(line_type, table);
        Ok(())
    }

    /// Adds a line of a number of segments between two points. Phase BUILDING. Errors: a bad id;
    /// both ends on one point; a length that is not above 0; no segments.
    pub fn add_line(&mut self, line_type: Id, point_a: Id, point_b: Id, length: f64, segments: i32) -> Result<Id> {
        self.0.require_building()?;
        let line_type = self.0.model.index("type", EntityKind::LineType, line_type)?;
        let a = self.0.model.index("point_a", EntityKind::Point, point_a)?;
        let b = self.0.model.index("point_b", EntityKind::Point, point_b)?;
        if a == b {
            let detail = format!("{point_b} is point_a too: a line lies between two points");
            return Err(Error::bad_value("point_b", detail));
        }
        check_positive("length", length)?;
        let segments = usize::try_from(segments).ok().filter(|segments| *segments > 0).ok_or_else(|| {
            Error::bad_value("segments", format!("{segments} is no number of segments: a line has 1 or more"))
        })?;
        let id = reserve("line", &mut self.0.model.lines)?;
        reserve("line", &mut self.0.inputs.loads.lines)?;
        self.0.model.lines.push(Line { line_type, points: [a, b], length, segments, ..Line::default() });
        // Those of tendons come last.
        self.0.inputs.loads.lines.insert(id as usize, LineLength::described(length));
        Ok(id)
    }
}

impl HostInputs<'_> {
    /// Sets the unstretched length of a line at the end of the coming step, and its rate there.
    /// Phase READY, TRIAL. Errors: not finite; less than a hundredth of the described length.
    pub fn set_line_length(&mut self, line: Id, length: f64, rate: f64) -> Result<()> {
        self.0.set_length(What::LineLength, line, length, rate)
    }
}

impl Given<'_> {
    /// Length and rate that are set for the end of the coming step. Any phase.
    pub fn line_length(self, line: Id) -> Result<(f64, f64)> {
        self.0.length(What::LineLength, line, false)
    }
}

impl<'a> Description<'a> {
    /// A table of a type, empty if it has none. Any phase. Errors: another `what` than "ea" and
    /// "ba".
    pub fn line_type_table(self, line_type: Id, what: &str) -> Result<[&'a [f64]; 2]> {
        check_table_name(what)?;
        let LineType { tension, damping, .. } = self.line_type_info(line_type)?;
        let table = if what == "ea" { tension } else { damping };
        Ok(table.as_deref().map_or([&[], &[]], |Table { x, y }| [x, y]))
    }

    /// A type as it was described. Any phase.
    pub fn line_type_info(self, line_type: Id) -> Result<&'a LineType> {
        let index = self.0.model.index("type", EntityKind::LineType, line_type)?;
        Ok(&self.0.model.line_types[index])
    }

    /// Drag and added mass of [`Build::set_point_drag`](crate::simulation::Build::set_point_drag).
    /// Any phase.
    pub fn point_drag(self, point: Id) -> Result<(f64, f64)> {
        let point = &self.0.model.points[self.0.model.index("point", EntityKind::Point, point)?];
        Ok((point.cda, point.ca))
    }

    /// A line as it was described. Any phase.
    pub fn line_info(self, line: Id) -> Result<&'a Line> {
        Ok(&self.0.model.lines[self.0.line_index(line)?])
    }
}

/// Errors: a line type has no table of this name.
fn check_table_name(what: &str) -> Result<()> {
    if TABLES.contains(&what) {
        return Ok(());
    }
    Err(Error::bad_value("what", format!("\"{what}\" is unknown; known: {}", TABLES.join(", "))))
}
