//! Input files of MoorDyn, versions 1 and 2, as text: their contents, checked for syntax, with the
//! location of every word.
//!
//! `simulation::moordyn` makes a simulation of them. The format is described in docs/mooring.md.
//! Entities are numbered from 0 here, as everywhere in this library; files number them from 1.

mod bodies;
mod currents;
mod curves;
mod external_loads;
mod failures;
mod heads;
mod lexer;
mod line_types;
mod lines;
mod options;
mod outputs;
mod points;
mod rods;
mod sections;
mod syrope;

pub(crate) use bodies::{Body, BodyKind};
pub(crate) use currents::{current, current_grid, current_over_time};
pub(crate) use curves::{components, curve, depth_table, elevations, seafloor, spectrum};
pub(crate) use external_loads::{ExternalLoad, Loaded};
pub(crate) use failures::{Failure, LINES};
pub(crate) use lexer::Row;
pub(crate) use line_types::{Law, LineType};
pub(crate) use lines::{Attachment, Line};
pub(crate) use options::{CurrentFile, Number, Options, SeabedFile, WaveFile};
pub(crate) use outputs::Output;
pub(crate) use points::{Point, PointKind};
pub(crate) use rods::{Rod, RodKind, RodType};
pub(crate) use syrope::{Worn, working_curve};

use crate::error::{Error, Result};
use sections::{Section, Sections};
use std::path::Path;

/// The contents of a file.
#[derive(Debug)]
pub(crate) struct Mooring {
    /// Line types, in the order of the file, as all else.
    pub types: Vec<LineType>,
    /// Rigid bodies.
    pub bodies: Vec<Body>,
    /// Rod types.
    pub rod_types: Vec<RodType>,
    /// Rods.
    pub rods: Vec<Rod>,
    /// Points.
    pub points: Vec<Point>,
    /// Lines.
    pub lines: Vec<Line>,
    /// Largest tensions of lines before the start.
    pub worn: Vec<Worn>,
    /// Failures of lines.
    pub failures: Vec<Failure>,
    /// External loads.
    pub external_loads: Vec<ExternalLoad>,
    /// Options.
    pub options: Options,
    /// Outputs of the file.
    pub outputs: Vec<Output>,
    /// Entries that were read and are ignored, a sentence each, with the location.
    pub notes: Vec<String>,
}

impl Mooring {
    /// Parses a file. Errors, each with file, line and word: `Format` if it is not such a file;
    /// `Unsupported` for entries that this library does not model.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Mooring> {
        let sections = Sections::read(path, bytes)?;
        sections.refuse(
            Section::Control,
            "control channels are not supported: the host sets lengths (pintle_set_line_length)",
        )?;
        let parts = [Section::Bodies, Section::Rods, Section::Points, Section::Lines];
        if parts.iter().all(|part| sections.table(*part).is_none()) {
            let detail = format!("\"{}\" line 1: no section of MoorDyn's input files is in this file", path.display());
            return Err(match sections.last_header() {
                Some(header) => {
                    header.refuse(0, "the last section of the file, and none is of bodies, rods, points or lines")
                }
                None => Error::Format { argument: "path", detail },
            });
        }
        let mut notes = Vec::new();
        let types = line_types::read(sections.table(Section::LineTypes), &mut notes)?;
        let bodies = bodies::read(sections.table(Section::Bodies), &mut notes)?;
        let points = points::read(sections.table(Section::Points), bodies.len(), &mut notes)?;
        let (rod_types, rods) =
            rods::read(sections.table(Section::RodTypes), sections.table(Section::Rods), bodies.len(), &mut notes)?;
        let parts = [points.len(), rods.len()];
        let lines = lines::read(sections.table(Section::Lines), &types, parts, &mut notes)?;
        let worn = syrope::read(sections.table(Section::SyropeIc), &lines, &types, &mut notes)?;
        let failures = failures::read(sections.table(Section::Failure), &lines, parts, &mut notes)?;
        let objects = [bodies.len(), points.len(), rods.len()];
        let external_loads = external_loads::read(sections.table(Section::ExternalLoads), objects, &mut notes)?;
        let options = Options::read(sections.rows(Section::Options), &mut notes)?;
        let outputs = outputs::read(sections.rows(Section::Outputs));
        if let Some(row) = &sections.behind {
            notes.push(format!("{}: behind the end of the file's sections, not read", row.place(0)));
        }
        Ok(Mooring {
            types,
            bodies,
            rod_types,
            rods,
            points,
            lines,
            worn,
            failures,
            external_loads,
            options,
            outputs,
            notes,
        })
    }
}
