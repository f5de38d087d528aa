//! The sections of a MoorDyn file, and the rows of each after the names and units of their columns.

use super::lexer::{Line, Row, lines, number};
use crate::error::Result;
use std::path::Path;

/// A kind of section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    LineTypes,
    RodTypes,
    Bodies,
    Rods,
    Points,
    Lines,
    Failure,
    Control,
    ExternalLoads,
    SyropeIc,
    Options,
    Outputs,
}

/// Names in headers, in versions 1 and 2; a header may have more text.
const NAMES: [(&str, Section); 25] = [
    ("LINE DICTIONARY", Section::LineTypes),
    ("LINE TYPES", Section::LineTypes),
    ("ROD DICTIONARY", Section::RodTypes),
    ("ROD TYPES", Section::RodTypes),
    ("BODIES", Section::Bodies),
    ("BODY LIST", Section::Bodies),
    ("BODY PROPERTIES", Section::Bodies),
    ("RODS", Section::Rods),
    ("ROD LIST", Section::Rods),
    ("ROD PROPERTIES", Section::Rods),
    ("POINTS", Section::Points),
    ("POINT LIST", Section::Points),
    ("POINT PROPERTIES", Section::Points),
    ("CONNECTION PROPERTIES", Section::Points),
    ("CONNECTIONS", Section::Points),
    ("NODE PROPERTIES", Section::Points),
    ("FAILURE", Section::Failure),
    ("CONTROL", Section::Control),
    ("EXTERNAL LOADS", Section::ExternalLoads),
    ("SYROPE IC", Section::SyropeIc),
    ("LINES", Section::Lines),
    ("LINE LIST", Section::Lines),
    ("LINE PROPERTIES", Section::Lines),
    ("OPTIONS", Section::Options),
    ("OUTPUT", Section::Outputs),
];

impl Section {
    fn from_header(name: &str) -> Option<Section> {
        NAMES.iter().find(|(known, _)| name.contains(known)).map(|(_, section)| *section)
    }

    /// Whether its rows follow names and units of columns.
    fn is_table(self) -> bool {
        !matches!(self, Section::Options | Section::Outputs)
    }
}

/// A section.
#[derive(Debug)]
pub(super) struct Table {
    section: Section,
    header: Row,
    /// Names of columns, if any.
    pub names: Option<Row>,
    /// Units of columns, if any.
    pub units: Option<Row>,
    /// Its rows.
    pub rows: Vec<Row>,
}

impl Table {
    /// The name in its header.
    pub fn title(&self) -> &str {
        &self.header.words()[0]
    }

    /// The name of a column in capitals, empty if there is none.
    pub fn name(&self, column: usize) -> String {
        self.named().get(column).map_or_else(String::new, |name| name.to_uppercase())
    }

    /// Whether a column has this name, in capitals.
    pub fn has(&self, name: &str) -> bool {
        self.named().iter().any(|own| own.to_uppercase() == name)
    }

    /// The names of columns as the file has them.
    pub fn named(&self) -> &[String] {
        self.names.as_ref().map_or(&[], Row::words)
    }

    /// Removes names and units from the rows, and checks the number of rows if it is given.
    fn split_off_head(&mut self) -> Result<()> {
        if !self.section.is_table() || self.rows.is_empty() {
            return Ok(());
        }
        let count = is_count(&self.rows[0]).then(|| self.rows.remove(0));
        if let [names, ..] = &self.rows[..] {
            if names.words().iter().skip(1).any(|word| number(word).is_some()) {
                return Err(names.refuse(0, "the names of the columns are expected here, their units on the next line"));
            }
            self.names = Some(self.rows.remove(0));
        }
        if let [units, ..] = &self.rows[..] {
            if !units.words()[0].starts_with(['(', '[']) {
                return Err(units.refuse(0, "the units of the columns are expected here, in brackets"));
            }
            self.units = Some(self.rows.remove(0));
        }
        if let Some(count) = count
            && count.words()[0].parse() != Ok(self.rows.len())
        {
            return Err(count.refuse(0, format!("the section has {} rows", self.rows.len())));
        }
        Ok(())
    }
}

/// `3 NLines - number of lines`: how version 1 of OpenFAST's module begins its tables.
fn is_count(row: &Row) -> bool {
    let counts = |word: &String| word.len() > 2 && word.starts_with('N') && word[1..].starts_with(char::is_uppercase);
    row.words()[0].parse::<usize>().is_ok() && row.words().get(1).is_some_and(counts)
}

/// All sections of a file.
#[derive(Debug)]
pub(super) struct Sections {
    tables: Vec<Table>,
    /// The first line with contents after the end, which is ignored.
    pub behind: Option<Row>,
}

impl Sections {
    /// Splits a file. Errors: an unknown section; one twice; names or units of columns missing.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<Sections> {
        let mut sections = Sections { tables: Vec::new(), behind: None };
        let (mut is_open, mut is_closed) = (false, false);
        for line in lines(path, bytes) {
            match line {
                Line::Words(row) if is_open => {
                    if let Some(table) = sections.tables.last_mut() {
                        table.rows.push(row);
                    }
                }
                // Text before the first section is a title.
                Line::Words(row) => {
                    if is_closed && sections.behind.is_none() {
                        sections.behind = Some(row);
                    }
                }
                Line::Header(name, row) => {
                    let is_title =
                        sections.tables.is_empty() && (name.contains("MOORDYN") || name.contains("INPUT FILE"));
                    match Section::from_header(&name) {
                        Some(section) if !is_title => {
                            if sections.table(section).is_some() {
                                return Err(row.refuse(0, "a second section of this kind"));
                            }
                            let (names, units, rows) = (None, None, Vec::new());
                            sections.tables.push(Table { section, header: row, names, units, rows });
                            is_open = true;
                        }
                        _ if sections.tables.is_empty() => {}
                        _ if name.is_empty() || name.contains("NEED THIS LINE") || name.starts_with("END") => {
                            (is_open, is_closed) = (false, true);
                        }
                        _ => return Err(row.unsupported(0, "no section of this name is known")),
                    }
                }
            }
        }
        sections.tables.iter_mut().try_for_each(Table::split_off_head)?;
        Ok(sections)
    }

    /// A section, if the file has it.
    pub fn table(&self, section: Section) -> Option<&Table> {
        self.tables.iter().find(|table| table.section == section)
    }

    /// The rows of a section; empty if the file does not have it.
    pub fn rows(&self, section: Section) -> &[Row] {
        self.table(section).map_or(&[], |table| &table.rows)
    }

    /// Errors: a section that this library does not support is not empty.
    pub fn refuse(&self, section: Section, detail: &str) -> Result<()> {
        match self.rows(section) {
            [] => Ok(()),
            [row, ..] => Err(row.unsupported(0, detail)),
        }
    }

    /// Start of the last section: the location of errors about missing sections.
    pub fn last_header(&self) -> Option<&Row> {
        self.tables.last().map(|table| &table.header)
    }
}
