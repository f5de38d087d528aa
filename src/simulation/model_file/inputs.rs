//! Inputs over time in model files: `[[input]]`.

use super::text::File;
use crate::error::{Error, Result};
use crate::model::Interpolation;
use crate::model::file::{Table, writer};
use crate::simulation::Simulation;
use crate::simulation::files::leaves_folder;
use crate::simulation::series::{Column, columns};
use std::path::Path;
use writer::numbers;

const INPUT: [&str; 6] = ["name", "times", "values", "file", "interpolation", "ends"];

/// Whether the values of a table rest at its ends, by the name of that.
const ENDS: [(&str, bool); 2] = [("rest", true), ("free", false)];

/// Lets inputs follow the tables of a file, or tables in its folder.
pub(super) fn load(system: &mut Simulation, root: &Table, path: &Path) -> Result<()> {
    let list = system.given().input_list();
    let mut found = Vec::new();
    for table in root.tables("input", &INPUT)? {
        let interpolation = chosen(&table, "interpolation", &Interpolation::ALL.map(|kind| (kind.name(), kind)))?;
        let rests = chosen(&table, "ends", &ENDS)?.unwrap_or(true);
        let Some(file) = table.get::<&str>("file")? else {
            let input = list.require(table.require("name")?).map_err(|why| table.refuse("name", why))?;
            let (times, values) = (table.require::<Vec<f64>>("times")?.into(), table.require("values")?);
            found.push(Column { input, times, values, interpolation, rests });
            continue;
        };
        ["name", "times", "values"].iter().try_for_each(|key| table.either("file", key))?;
        if leaves_folder(Path::new(file)) {
            return Err(table.refuse("file", format!("\"{file}\" is not in the folder of the model")));
        }
        let beside = path.parent().unwrap_or(Path::new("")).join(file);
        let read = columns(&beside, &list, interpolation, rests);
        found.extend(read.map_err(|error| match error {
            Error::Format { detail, .. } | Error::Io { detail, .. } => table.refuse("file", detail),
            other => other,
        })?);
    }
    root.check("input", system.follow(&list, found))
}

fn chosen<T: Copy>(table: &Table, key: &str, known: &[(&str, T)]) -> Result<Option<T>> {
    let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
    Ok(table.choice(key, &words)?.map(|index| known[index].1))
}

/// Writes each table.
pub(super) fn save(file: &mut File) {
    let system = file.system;
    if system.series.is_empty() {
        return;
    }
    let list = system.given().input_list();
    for followed in system.series.iter() {
        for (component, series) in &followed.columns {
            file.line("\n[[input]]");
            file.entry("name", writer::text(list.names_of(followed.group).nth(*component).unwrap_or_default()));
            file.entry("times", numbers(&series.times));
            file.entry("values", numbers(&series.values));
            file.entry("interpolation", writer::text(series.interpolation.name()));
            let ends = ENDS.iter().find(|(_, rests)| *rests == series.rests).map_or("", |(name, _)| name);
            file.entry("ends", writer::text(ends));
        }
    }
}
