//! Beams in model files: `[[beam]]`, with its stations, or as a straight beam of one section.

use super::text::{File, frame_name, pose, vector, vector6};
use crate::error::Result;
use crate::model::file::{End, Matrix, Table, writer};
use crate::model::{Beam, EntityKind, Frame, Id, Load, Loads};
use crate::simulation::Simulation;
use writer::numbers;

const BEAM: [&str; 14] = [
    "name",
    "damping",
    "lumped",
    "station",
    "point_a",
    "point_b",
    "axis",
    "stiffness",
    "mass",
    "attach",
    "nodes",
    "elements",
    "ends",
    "load",
];
const STATION: [&str; 4] = ["s", "pose", "stiffness", "mass"];
const LOAD: [&str; 5] = ["s", "offset", "distributed", "frame", "wrench"];

/// Keys of a straight beam of one section, which has no stations in the file.
const STRAIGHT: [&str; 5] = ["point_a", "point_b", "axis", "stiffness", "mass"];

/// Writes all of them: nodes are bodies of the file.
pub(super) fn save(file: &mut File, loads: &Loads) {
    for (index, beam) in file.system.model.beams.iter().enumerate() {
        let Beam { sections, damping, lumped, attached, ends, nodes, .. } = beam;
        file.entity(EntityKind::Beam, index);
        file.entry("damping", numbers(damping));
        if *lumped {
            file.entry("lumped", true);
        }
        if nodes.is_empty() {
            for (node, body) in attached {
                file.line("[[beam.attach]]");
                file.entry("node", node);
                file.entry("body", file.end(*body));
            }
        } else {
            let nodes: Vec<String> = nodes.iter().map(|node| file.end(*node)).collect();
            file.entry("nodes", format!("[{}]", nodes.join(", ")));
            file.entry("ends", numbers(ends));
        }
        for station in &sections.0 {
            file.line("[[beam.station]]");
            file.entry("s", writer::number(station.s));
            file.entry("pose", pose(&station.pose));
            file.entry("stiffness", writer::matrix(&station.stiffness));
            file.entry("mass", writer::matrix(&station.mass));
        }
        for place in &beam.loads {
            file.line("[[beam.load]]");
            file.entry("s", writer::number(place.s));
            file.entry("offset", vector(&place.offset));
            file.entry("distributed", place.distributed);
            let Load { frame, wrench, given } = &loads.beams[place.index];
            if *given {
                file.entry("frame", frame_name(*frame));
                file.entry("wrench", vector6(wrench));
            }
        }
    }
}

/// Adds all of them to a system that has its bodies.
pub(super) fn load(system: &mut Simulation, root: &Table) -> Result<()> {
    root.tables("beam", &BEAM)?.iter().try_for_each(|table| system.load_beam(table))
}

impl Simulation {
    fn load_beam(&mut self, table: &Table) -> Result<()> {
        let damping = table.get("damping")?.unwrap_or([0.0; 6]);
        let beam = if table.has("station") {
            STRAIGHT.iter().try_for_each(|key| table.either("station", key))?;
            let beam = table.check("damping", self.elements().add_beam(&damping))?;
            for station in table.tables("station", &STATION)? {
                let Matrix(stiffness) = station.require("stiffness")?;
                let Matrix(mass) = station.require("mass")?;
                let (s, pose) = (station.require("s")?, station.require("pose")?);
                station.check("s", self.elements().add_beam_station(beam, s, &pose, &stiffness, &mass))?;
            }
            beam
        } else {
            let ends = [&table.require("point_a")?, &table.require("point_b")?];
            let (axis, stiffness) = (table.require("axis")?, table.require("stiffness")?);
            let mass = table.require("mass")?;
            table.check("axis", self.elements().add_uniform_beam(ends, &axis, &stiffness, &mass, &damping))?
        };
        self.load_name(table, EntityKind::Beam, beam)?;
        if let Some(lumped) = table.get("lumped")? {
            table.check("lumped", self.elements().lump_beam(beam, lumped))?;
        }
        self.load_nodes(table, beam)?;
        for load in table.tables("load", &LOAD)? {
            let offset = load.get("offset")?.unwrap_or([0.0; 3]);
            let (s, distributed) = (load.require("s")?, load.get("distributed")?.unwrap_or(false));
            let place = load.check("s", self.elements().add_beam_load(beam, s, &offset, distributed))?;
            if let Some(wrench) = load.get("wrench")? {
                let frame = load.check("frame", Frame::from_name(load.require("frame")?))?;
                load.check("wrench", self.inputs().set_beam_load(beam, place, frame, &wrench))?;
            }
        }
        Ok(())
    }

    /// Attaches nodes, makes the elements, and names nodes that are new bodies after the beam.
    fn load_nodes(&mut self, table: &Table, beam: Id) -> Result<()> {
        for other in ["attach", "elements"] {
            table.either("nodes", other)?;
        }
        table.either("elements", "ends")?;
        for (node, end) in table.get::<Vec<End>>("nodes")?.into_iter().flatten().enumerate() {
            let body = self.find_end(table, "nodes", end)?;
            table.check("nodes", self.elements().attach_beam(beam, node as i32, body))?;
        }
        for attach in table.tables("attach", &["node", "body"])? {
            let body = self.load_end(&attach, "body")?;
            let node = attach.require::<i64>("node")?;
            let node = i32::try_from(node).unwrap_or(-1);
            attach.check("node", self.elements().attach_beam(beam, node, body))?;
        }
        let first = self.model.bodies.len();
        if let Some(ends) = table.get::<Vec<f64>>("ends")? {
            for s in ends {
                table.check("ends", self.elements().add_beam_node(beam, s))?;
            }
            table.check("ends", self.elements().mesh_beam(beam, 0))?;
        } else if !table.has("elements") && table.has("nodes") {
            return Err(table.refuse("nodes", "goes with \"ends\", the arc lengths of the nodes"));
        } else if let Some(elements) = table.get::<i64>("elements")? {
            let elements = i32::try_from(elements).unwrap_or(-1);
            table.check("elements", self.elements().mesh_beam(beam, elements))?;
        }
        let Some(name) = table.get::<&str>("name")? else { return Ok(()) };
        for (node, body) in self.model.beams[beam as usize].nodes.clone().into_iter().enumerate() {
            if let Some(body) = body.filter(|body| *body >= first) {
                let name = format!("{name}.{node}");
                table.check("name", self.build().set_name(EntityKind::Body, body as Id, &name))?;
            }
        }
        Ok(())
    }
}
