//! The shapes of a model (`[[shape]]` tables of its file), as the library has read them.

use super::solid::{Part, Solid};
use super::stl;
use crate::failure::{Failure, Outcome};
use crate::parameters;
use pintle::{EntityKind, GROUND, Simulation};
use std::path::Path;

/// The shapes of the model in a file. Errors: an STL file that cannot be read, with the model file,
/// line, table and key.
pub fn shapes(file: &Path, system: &Simulation) -> Outcome<Vec<Part>> {
    let part = |(k, shape): (usize, &pintle::Shape)| {
        let numbers = &shape.numbers[..];
        let ends = || [taken(numbers, 0), taken(numbers, 3)];
        let solid = match shape.kind.name {
            "box" => Solid::Box { size: taken(numbers, 0), frame: taken(numbers, 3) },
            "cylinder" => Solid::Cylinder { ends: ends(), diameter: numbers[6] },
            "capsule" => Solid::Capsule { ends: ends(), diameter: numbers[6] },
            "sphere" => Solid::Sphere { position: taken(numbers, 0), diameter: numbers[3] },
            _ => {
                let stl = file.parent().unwrap_or(Path::new("")).join(&shape.file);
                let place = || {
                    // The library, which has read the model, keeps no lines.
                    let text = std::fs::read_to_string(file).unwrap_or_default();
                    let line = parameters::line(&text, &format!("shape.{k}.file"));
                    let line = line.map_or(String::new(), |line| format!(" line {line}"));
                    format!("\"{}\"{line}, shape {k}, key \"file\": \"{}\"", file.display(), stl.display())
                };
                let read = stl::read(&stl).map_err(|what| Failure::Input(format!("{}: {what}", place())));
                let mut corners = read?;
                corners.as_flattened_mut().iter_mut().for_each(|x| *x *= numbers[0] as f32);
                Solid::Mesh { frame: taken(numbers, 1), corners }
            }
        };
        let name = match (&*shape.name, shape.body) {
            ("", GROUND) => "ground".into(),
            ("", body) => system.description().name(EntityKind::Body, body).map_err(Failure::of_run)?,
            (name, _) => name.into(),
        };
        let colour = Some(&shape.colour).filter(|colour| !colour.is_empty()).cloned();
        Ok(Part { body: shape.body, name, colour, solid })
    };
    pintle::simulation::shapes(system).iter().enumerate().map(part).collect()
}

fn taken<const N: usize>(numbers: &[f64], first: usize) -> [f64; N] {
    std::array::from_fn(|k| numbers[first + k])
}
