//! Lines in model files: `[environment]`, `[[line_type]]`, `[[line]]`.

use super::{text::File, waves};
use crate::error::Result;
use crate::model::file::{Along, End, Table, writer};
use crate::model::{
    ENVIRONMENT_KEYS, EntityKind, GROUND, Id, Line, LineFailure, LineType, Syrope, Viscoelastic, Water, WorkingCurve,
};
use crate::simulation::{Bed, CurrentGrids, Simulation};
use writer::{number, numbers};

const LINE_TYPE: [&str; 18] = [
    "name",
    "diameter",
    "mass_per_length",
    "ea",
    "ba",
    "ei",
    "cdn",
    "can",
    "cdt",
    "cat",
    "ea_table",
    "ba_table",
    "ea_dynamic",
    "ea_slope",
    "ba_dynamic",
    "working_curve",
    "k1",
    "k2",
];
const VISCOELASTIC: [&str; 3] = ["ea_dynamic", "ea_slope", "ba_dynamic"];
const LINE: [&str; 10] =
    ["name", "type", "point_a", "point_b", "length", "segments", "clamp_a", "clamp_b", "pressure", "largest_tensions"];
const CLAMPS: [&str; 2] = ["clamp_a", "clamp_b"];
const LINE_FAILURE: [&str; 5] = ["lines", "ends", "time", "tension", "point"];
const LINE_JOINT: [&str; 2] = ["lines", "ends"];
const ENDS: [&str; 2] = ["a", "b"];

/// Tables of a type: key, which one, columns.
const TABLES: [(&str, &str, [&str; 2]); 2] =
    [("ea_table", "ea", ["strain", "tension"]), ("ba_table", "ba", ["strain_rate", "tension"])];

/// Writes water and seabed, where they are not the default.
pub(super) fn save_environment(file: &mut File) {
    let water = &file.system.inputs.water;
    if *water == Water::default() {
        return;
    }
    file.line("\n[environment]");
    for (key, value) in ENVIRONMENT_KEYS.iter().zip(water.values()) {
        file.entry(key, number(value));
    }
    let points: Vec<String> = Bed::of(file.system).grid().iter().map(|point| numbers(point)).collect();
    if !points.is_empty() {
        file.entry("seabed_grid", format!("[{}]", points.join(", ")));
    }
    let points: Vec<String> = CurrentGrids::of(file.system).points().iter().map(|point| numbers(point)).collect();
    if !points.is_empty() {
        file.entry("current_grid", format!("[{}]", points.join(", ")));
    }
    if !water.current.is_empty() {
        let depths: Vec<f64> = water.current.iter().map(|(depth, _)| *depth).collect();
        let velocities: Vec<String> = water.current.iter().map(|(_, velocity)| numbers(velocity)).collect();
        file.line("[environment.current]");
        file.entry("depths", numbers(&depths));
        file.entry("velocities", format!("[{}]", velocities.join(", ")));
    }
    waves::save(file);
    if file.system.callbacks.fluid.is_some() {
        file.line("# The fluid callback is not part of a model file: set it again.");
    }
}

/// Writes types and lines.
pub(super) fn save(file: &mut File) {
    let model = &file.system.model;
    for (index, line_type) in model.line_types.iter().enumerate() {
        file.entity(EntityKind::LineType, index);
        let LineType { diameter, mass_per_length, ea, ba, ei, cdn, can, cdt, cat, tension, damping, .. } = line_type;
        let values = [diameter, mass_per_length, ea, ba, ei, cdn, can, cdt, cat];
        LINE_TYPE[1..].iter().zip(values).for_each(|(key, value)| file.entry(key, number(*value)));
        for ((key, _, [x, y]), table) in TABLES.into_iter().zip([tension, damping]) {
            if let Some(table) = table {
                file.entry(key, format!("{{ {x} = {}, {y} = {} }}", numbers(&table.x), numbers(&table.y)));
            }
        }
        if let Some(law) = line_type.viscoelastic {
            VISCOELASTIC.iter().zip(law.numbers()).for_each(|(key, value)| file.entry(key, number(value)));
        }
        if let Some(Syrope { curve, k1, k2 }) = line_type.syrope {
            file.entry("working_curve", writer::text(curve.name()));
            file.entry("k1", number(k1));
            file.entry("k2", number(k2));
        }
    }
    for (index, line) in model.lines.iter().enumerate() {
        let Line { line_type, points: [a, b], length, segments, clamps, pressure, largest } = line;
        file.entity(EntityKind::Line, index);
        file.entry("type", file.named(EntityKind::LineType, *line_type));
        file.entry("point_a", file.named(EntityKind::Point, *a));
        file.entry("point_b", file.named(EntityKind::Point, *b));
        file.entry("length", number(*length));
        file.entry("segments", segments);
        for (key, clamp) in CLAMPS.iter().zip(clamps) {
            if let Some(clamp) = clamp {
                file.entry(key, numbers(clamp.axis.as_slice()));
            }
        }
        if !pressure.is_empty() {
            file.entry("pressure", numbers(pressure));
        }
        if !largest.is_empty() {
            file.entry("largest_tensions", numbers(largest));
        }
    }
    for ends in &model.line_joints {
        file.line("\n[[line_joint]]");
        save_ends(file, ends);
    }
    for LineFailure { ends, time, tension, point } in &model.line_failures {
        file.line("\n[[line_failure]]");
        save_ends(file, ends);
        file.entry("time", number(*time));
        file.entry("tension", number(*tension));
        if let Some(point) = point {
            file.entry("point", file.named(EntityKind::Point, *point));
        }
    }
}

fn save_ends(file: &mut File, ends: &[(usize, usize)]) {
    let lines: Vec<String> = ends.iter().map(|(line, _)| file.named(EntityKind::Line, *line)).collect();
    file.entry("lines", format!("[{}]", lines.join(", ")));
    let ends: Vec<String> = ends.iter().map(|(_, end)| writer::text(ENDS[*end])).collect();
    file.entry("ends", format!("[{}]", ends.join(", ")));
}

/// Reads water and seabed.
pub(super) fn load_environment(system: &mut Simulation, root: &Table) -> Result<()> {
    let known = [&ENVIRONMENT_KEYS[..], &["seabed_grid", "current_grid", "current", "waves"]].concat();
    let Some(table) = root.table("environment", &known)? else { return Ok(()) };
    for key in ENVIRONMENT_KEYS {
        if let Some(value) = table.get(key)? {
            table.check(key, system.settings().set_environment(key, value))?;
        }
    }
    if let Some(points) = table.get::<Vec<[f64; 3]>>("seabed_grid")? {
        table.check("seabed_grid", system.settings().set_seabed_grid(&points))?;
    }
    if let Some(points) = table.get::<Vec<[f64; 7]>>("current_grid")? {
        table.check("current_grid", system.settings().set_current_grid(&points))?;
    }
    if let Some(current) = table.table("current", &["depths", "velocities"])? {
        let (depths, velocities): (Vec<f64>, Vec<[f64; 3]>) =
            (current.require("depths")?, current.require("velocities")?);
        current.check("depths", system.settings().set_current(&depths, &velocities))?;
    }
    waves::load(system, &table)
}

/// Adds types and lines to a system that has its points.
pub(super) fn load(system: &mut Simulation, root: &Table) -> Result<()> {
    for table in root.tables("line_type", &LINE_TYPE)? {
        let or_zero = |key: &str| Ok(table.get(key)?.unwrap_or(0.0));
        let given = LineType {
            diameter: table.require("diameter")?,
            mass_per_length: table.require("mass_per_length")?,
            ea: or_zero("ea")?,
            ba: or_zero("ba")?,
            ei: or_zero("ei")?,
            cdn: or_zero("cdn")?,
            can: or_zero("can")?,
            cdt: or_zero("cdt")?,
            cat: or_zero("cat")?,
            ..LineType::default()
        };
        let id = table.check("diameter", system.elements().add_line_type(given))?;
        system.load_name(&table, EntityKind::LineType, id)?;
        for (key, what, columns) in TABLES {
            if let Some(inner) = table.table(key, &columns)? {
                let (x, y): (Vec<f64>, Vec<f64>) = (inner.require(columns[0])?, inner.require(columns[1])?);
                table.check(key, system.elements().set_line_type_table(id, what, &x, &y))?;
            }
        }
        if VISCOELASTIC.iter().chain(&["working_curve", "k1", "k2"]).any(|key| table.has(key)) {
            let [stiffness, slope, damping] = VISCOELASTIC.map(or_zero);
            let law = Viscoelastic { stiffness: stiffness?, slope: slope?, damping: damping? };
            let set = match table.get::<&str>("working_curve")? {
                None => system.elements().set_line_type_viscoelastic(id, law),
                Some(name) => {
                    let curve = table.check("working_curve", WorkingCurve::from_name(name))?;
                    let curves = Syrope { curve, k1: table.require("k1")?, k2: or_zero("k2")? };
                    system.elements().set_line_type_syrope(id, law, curves)
                }
            };
            table.check("ea_dynamic", set)?;
        }
    }
    for table in root.tables("line", &LINE)? {
        let line_type = system.load_id(&table, "type", EntityKind::LineType)?;
        let a = system.load_id(&table, "point_a", EntityKind::Point)?;
        let b = system.load_id(&table, "point_b", EntityKind::Point)?;
        let segments: i64 = table.require("segments")?;
        let segments = i32::try_from(segments)
            .map_err(|_| table.refuse("segments", format!("{segments} is no number of segments")))?;
        let line =
            table.check("type", system.elements().add_line(line_type, a, b, table.require("length")?, segments))?;
        system.load_name(&table, EntityKind::Line, line)?;
        for (end, (key, point)) in CLAMPS.into_iter().zip([a, b]).enumerate() {
            if let Some(axis) = table.get::<[f64; 3]>(key)? {
                let body = system.model.points[point as usize].body().map_or(GROUND, |body| body as Id);
                table.check(key, system.elements().clamp_line(line, end as i32, body, &axis))?;
            }
        }
        if let Some(Along(pressure)) = table.get("pressure")? {
            table.check("pressure", system.inputs().set_line_pressure(line, &pressure))?;
        }
        if let Some(Along(tensions)) = table.get("largest_tensions")? {
            table.check("largest_tensions", system.inputs().set_line_largest_tensions(line, &tensions))?;
        }
    }
    for table in root.tables("line_joint", &LINE_JOINT)? {
        let (lines, ends) = load_ends(system, &table)?;
        let two = || table.refuse("lines", format!("{} lines: expected two", lines.len()));
        let (&[a, b], &[end_a, end_b]) = (&lines[..], &ends[..]) else { return Err(two()) };
        table.check("lines", system.elements().join_lines([a, b], [end_a, end_b]))?;
    }
    for table in root.tables("line_failure", &LINE_FAILURE)? {
        let (lines, ends) = load_ends(system, &table)?;
        let point = if table.has("point") { system.load_id(&table, "point", EntityKind::Point)? } else { -1 };
        let [time, tension] = [table.get("time")?.unwrap_or(0.0), table.get("tension")?.unwrap_or(0.0)];
        table.check("lines", system.elements().set_line_failure(&lines, &ends, time, tension, point))?;
    }
    Ok(())
}

/// Lines, and which ends of them.
fn load_ends(system: &Simulation, table: &Table) -> Result<(Vec<Id>, Vec<i32>)> {
    let lines: Vec<End> = table.require("lines")?;
    let lines = lines.into_iter().map(|line| system.find_id(table, "lines", EntityKind::Line, line));
    let lines = lines.collect::<Result<Vec<Id>>>()?;
    let names: Vec<&str> = table.require("ends")?;
    let end = |name: &&str| {
        let end = ENDS.iter().position(|known| known == name).map(|end| end as i32);
        end.ok_or_else(|| table.refuse("ends", format!("\"{name}\" is neither \"a\" nor \"b\"")))
    };
    let ends = names.iter().map(end).collect::<Result<Vec<i32>>>()?;
    match ends.len() == lines.len() {
        true => Ok((lines, ends)),
        false => Err(table.refuse("ends", format!("{} for {} lines", ends.len(), lines.len()))),
    }
}
