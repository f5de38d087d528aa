//! Shapes of bodies in model files: `[[shape]]`.

use super::text::File;
use crate::error::{Error, Result};
use crate::model::file::{Table, writer};
use crate::model::{Shape, ShapeKind};
use crate::simulation::files::leaves_folder;
use crate::simulation::{Simulation, add_shape};
use std::path::Path;
use writer::{number, numbers};

/// Keys of all kinds.
const COMMON: [&str; 4] = ["name", "body", "kind", "colour"];

/// The keys of a kind.
fn keys(kind: &ShapeKind) -> Vec<&'static str> {
    let file = (kind.name == "stl").then_some("file");
    COMMON.into_iter().chain(file).chain(kind.parts.iter().map(|(key, _)| *key)).collect()
}

/// Adds the shapes of a file. The STL files that it names are not read.
pub(super) fn load(system: &mut Simulation, root: &Table) -> Result<()> {
    for table in root.list("shape")? {
        let kind = table.check("kind", ShapeKind::from_name(table.require("kind")?))?;
        table.only(&keys(kind))?;
        let body = system.load_end(&table, "body")?;
        let file: &str = if kind.name == "stl" { table.require("file")? } else { "" };
        if leaves_folder(Path::new(file)) {
            return Err(table.refuse("file", format!("\"{file}\" is not in the folder of the model")));
        }
        let text = |key| Ok::<_, Error>(table.get::<&str>(key)?.unwrap_or_default().to_owned());
        let mut all = Vec::with_capacity(kind.count());
        for (key, count) in kind.parts {
            let is_given = table.has(key);
            match (*key, count) {
                ("frame", _) if is_given => all.extend(table.pose(key)?),
                ("frame", _) => all.extend([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]),
                ("position", _) if !is_given => all.extend([0.0; 3]),
                ("scale", _) if !is_given => all.push(1.0),
                (_, 1) => all.push(table.require(key)?),
                _ => all.extend(table.require::<[f64; 3]>(key)?),
            }
        }
        let (file, name, colour) = (file.to_owned(), text("name")?, text("colour")?);
        let shape = table.check("kind", Shape { body, kind, numbers: all, file, name, colour }.checked())?;
        table.check("body", add_shape(system, shape))?;
    }
    Ok(())
}

/// Writes all of them. The reader allows no STL file outside of the folder of the model.
pub(super) fn save(file: &mut File) {
    for shape in &file.system.model.shapes {
        let body = file.end(usize::try_from(shape.body).ok());
        if leaves_folder(Path::new(&shape.file)) {
            let outside = writer::text(&shape.file);
            file.line(&format!("\n# A shape of body = {body} has the file {outside} in another folder: add it again."));
            continue;
        }
        file.line("\n[[shape]]");
        file.entry("body", body);
        file.entry("kind", writer::text(shape.kind.name));
        for (key, text) in [("name", &shape.name), ("colour", &shape.colour), ("file", &shape.file)] {
            if !text.is_empty() {
                file.entry(key, writer::text(text));
            }
        }
        for (key, part) in shape.parts() {
            file.entry(key, if let [x] = part { number(*x) } else { numbers(part) });
        }
    }
}
