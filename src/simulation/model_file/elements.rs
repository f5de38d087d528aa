//! Force elements in model files: `[[spring]]`, `[[bushing]]`, `[[tendon]]`, each with its
//! attachments, a name, and its facts ([`Facts`]).

use super::text::{File, POINT_KEYS, pose, vector};
use crate::elements::{
    Attachment, Columns, EachKind, Elements, End, Facts, Keys, Listed, MOST_NODES, Sheave, check_not_negative,
};
use crate::error::{Error, Result};
use crate::model::file::{Matrix, Table, writer};
use crate::model::{EntityKind, body_keys};
use crate::simulation::Simulation;
use crate::spatial::{Mat6, Pose, Quat, Vec3, Vec6};
use writer::{number, numbers};

/// Places of the nodes of an element on their bodies.
const PLACE_KEYS: [&str; MOST_NODES] =
    ["point_a", "point_b", "point_c", "point_d", "point_e", "point_f", "point_g", "point_h"];

/// Writes all of them but those of beams.
pub(super) fn save(file: &mut File) {
    // `facts` may also read, so that it needs a mutable element.
    let mut elements = file.system.model.elements.clone();
    let mut last: Option<(EntityKind, usize)> = None;
    for element in elements.iter_mut() {
        let kind = element.kind();
        let index = last.filter(|(former, _)| *former == kind).map_or(0, |(_, index)| index + 1);
        last = Some((kind, index));
        // Their beams have been written.
        if kind == EntityKind::BeamElement {
            continue;
        }
        file.entity(kind, index);
        file.element_nodes(element.nodes());
        // Writing to a text cannot fail.
        let _ = element.facts(file);
    }
}

/// Adds all of them to a system.
pub(super) fn load(system: &mut Simulation, root: &Table) -> Result<()> {
    Elements::each_kind(&mut Loading { system, root })
}

/// Reads kind after kind.
struct Loading<'l, 'd> {
    system: &'l mut Simulation,
    root: &'l Table<'d>,
}

impl EachKind for Loading<'_, '_> {
    type Error = Error;

    fn kind<E: Listed>(&mut self) -> Result<()> {
        let mut element = E::default();
        let mut facts = Keys::default();
        element.facts(&mut facts)?;
        // Points do not turn: elements with frames at their nodes are between bodies only.
        let between_points = facts.0.contains(&PLACE_KEYS[0]) && element.kind() != EntityKind::Tendon;
        let at_points = if between_points { &POINT_KEYS[..E::NODES] } else { &[] };
        let known = [&["name"], body_keys(E::NODES), at_points, &facts.0].concat();
        for table in self.root.tables(element.kind().name(), &known)? {
            self.system.load_element(&table, E::default())?;
        }
        Ok(())
    }
}

impl Simulation {
    fn load_element<E: Listed>(&mut self, table: &Table, mut element: E) -> Result<()> {
        element.take_nodes(&|k| [body_keys(E::NODES)[k], PLACE_KEYS[k]].into_iter().any(|key| table.has(key)));
        let (n, last) = (element.nodes().len(), element.nodes().len() - 1);
        let points = POINT_KEYS[..n].iter().map(|key| self.load_point_end(table, key));
        let points = points.collect::<Result<Vec<_>>>()?;
        let of = |is_point: bool| points.iter().position(|point| point.is_some() == is_point);
        match (of(true), of(false)) {
            (Some(point), Some(other)) => {
                return Err(table.refuse(POINT_KEYS[point], format!("goes with {}", POINT_KEYS[other])));
            }
            (Some(_), None) => {
                for (k, point) in points.iter().enumerate() {
                    let others = [body_keys(n)[k], PLACE_KEYS[k]];
                    others.into_iter().try_for_each(|other| table.either(POINT_KEYS[k], other))?;
                    element.nodes_mut()[k].to = point.map_or(End::Ground, End::Point);
                }
                element.facts(&mut Reader { table, at_points: true })?;
                element.nodes_mut().iter_mut().for_each(|Attachment { at, .. }| *at = Vec3::zeros());
                if last > 0 && points.iter().all(|point| *point == points[0]) {
                    return Err(table.refuse(POINT_KEYS[last], "is at_point_a too: an element needs two ends"));
                }
            }
            (None, _) => {
                let bodies = body_keys(n).iter().map(|key| self.load_end(table, key));
                let bodies = bodies.collect::<Result<Vec<_>>>()?;
                element.facts(&mut Reader { table, at_points: false })?;
                table.check(body_keys(n)[last], self.model.attach(element.nodes_mut(), &bodies))?;
            }
        }
        let kind = element.kind();
        let id = table.check(body_keys(n)[0], self.add_element(element))?;
        self.load_name(table, kind, id)
    }

    /// The point at an end of an element in a file, by name or id.
    fn load_point_end(&self, table: &Table, key: &str) -> Result<Option<usize>> {
        if !table.has(key) {
            return Ok(None);
        }
        let id = self.load_id(table, key, EntityKind::Point)?;
        table.check(key, self.model.index("point", EntityKind::Point, id)).map(Some)
    }
}

impl Facts for File<'_> {
    fn number(&mut self, key: &'static str, value: &mut f64, _: Option<f64>) -> Result<()> {
        self.entry(key, number(*value));
        Ok(())
    }

    fn flag(&mut self, key: &'static str, value: &mut bool) -> Result<()> {
        if *value {
            self.entry(key, true);
        }
        Ok(())
    }

    fn choice(&mut self, key: &'static str, value: &mut usize, words: &[&'static str]) -> Result<()> {
        self.entry(key, writer::text(words[*value]));
        Ok(())
    }

    fn point(&mut self, key: &'static str, value: &mut Vec3) -> Result<()> {
        if !self.at_points {
            self.entry(key, vector(value));
        }
        Ok(())
    }

    fn frame(&mut self, key: &'static str, origin: &mut Vec3, axes: &mut Quat) -> Result<()> {
        self.entry(key, pose(&Pose { position: *origin, rotation: *axes }));
        Ok(())
    }

    fn matrix(&mut self, key: &'static str, value: &mut Mat6, _: Option<Mat6>) -> Result<()> {
        self.entry(key, writer::matrix(value));
        Ok(())
    }

    fn wrench(&mut self, key: &'static str, value: &mut Vec6) -> Result<()> {
        if *value != Vec6::zeros() {
            self.entry(key, numbers(value.as_slice()));
        }
        Ok(())
    }

    fn columns(&mut self, key: &'static str, names: [&'static str; 2], columns: &mut Columns) -> Result<()> {
        if let Some([a, b]) = columns {
            self.entry(key, format!("{{ {} = {}, {} = {} }}", names[0], numbers(a), names[1], numbers(b)));
        }
        Ok(())
    }

    fn sheave(&mut self, key: &'static str, value: &mut Sheave) -> Result<()> {
        let mut facts = Vec::new();
        if value.radius > 0.0 {
            let (radius, axis, wrap) = (number(value.radius), vector(&value.axis), number(value.wrap));
            facts.push(format!("radius = {radius}, axis = {axis}, wrap = {wrap}"));
        }
        if value.friction > 0.0 {
            facts.push(format!("friction = {}", number(value.friction)));
        }
        if !facts.is_empty() {
            self.entry(key, format!("{{ {} }}", facts.join(", ")));
        }
        Ok(())
    }

    fn replaces(&mut self, _: &'static str, _: &[&'static str]) -> Result<()> {
        Ok(())
    }

    fn refusal(&self, _: &'static str, cause: Error) -> Error {
        cause
    }
}

/// Reads facts from the table of an element.
struct Reader<'l, 'd> {
    table: &'l Table<'d>,
    /// Its ends are points: a file has no places on them.
    at_points: bool,
}

impl Facts for Reader<'_, '_> {
    fn number(&mut self, key: &'static str, value: &mut f64, default: Option<f64>) -> Result<()> {
        *value = match default {
            None => self.table.require(key)?,
            Some(default) => self.table.get(key)?.unwrap_or(default),
        };
        Ok(())
    }

    fn flag(&mut self, key: &'static str, value: &mut bool) -> Result<()> {
        *value = self.table.get(key)?.unwrap_or(false);
        Ok(())
    }

    fn choice(&mut self, key: &'static str, value: &mut usize, words: &[&'static str]) -> Result<()> {
        *value = self.table.choice(key, words)?.unwrap_or(0);
        Ok(())
    }

    fn point(&mut self, key: &'static str, value: &mut Vec3) -> Result<()> {
        if !self.at_points {
            let coordinates: [f64; 3] = self.table.require(key)?;
            *value = coordinates.into();
        }
        Ok(())
    }

    fn frame(&mut self, key: &'static str, origin: &mut Vec3, axes: &mut Quat) -> Result<()> {
        let pose = self.table.check(key, Pose::from_array(key, &self.table.pose(key)?))?;
        (*origin, *axes) = (pose.position, pose.rotation);
        Ok(())
    }

    fn matrix(&mut self, key: &'static str, value: &mut Mat6, default: Option<Mat6>) -> Result<()> {
        let given: Option<Matrix> = match default {
            None => Some(self.table.require(key)?),
            Some(_) => self.table.get(key)?,
        };
        *value = given.map(|Matrix(entries)| Mat6::from_column_slice(&entries)).or(default).unwrap_or_default();
        Ok(())
    }

    fn wrench(&mut self, key: &'static str, value: &mut Vec6) -> Result<()> {
        *value = self.table.get::<[f64; 6]>(key)?.unwrap_or_default().into();
        Ok(())
    }

    fn columns(&mut self, key: &'static str, names: [&'static str; 2], columns: &mut Columns) -> Result<()> {
        *columns = match self.table.table(key, &names)? {
            None => None,
            Some(inner) => Some([inner.require(names[0])?, inner.require(names[1])?]),
        };
        Ok(())
    }

    fn sheave(&mut self, key: &'static str, value: &mut Sheave) -> Result<()> {
        let Some(inner) = self.table.table(key, &["radius", "axis", "wrap", "friction"])? else { return Ok(()) };
        // An eye with friction has nothing else.
        if !inner.has("friction") || ["radius", "axis", "wrap"].into_iter().any(|key| inner.has(key)) {
            let (radius, axis): (f64, [f64; 3]) = (inner.require("radius")?, inner.require("axis")?);
            *value = self.table.check(key, Sheave::new(radius, &axis, inner.require("wrap")?))?;
        }
        value.friction = inner.get("friction")?.unwrap_or_default();
        self.table.check(key, check_not_negative("friction", value.friction))?;
        Ok(())
    }

    fn replaces(&mut self, key: &'static str, others: &[&'static str]) -> Result<()> {
        others.iter().try_for_each(|other| self.table.either(key, other))
    }

    fn refusal(&self, key: &'static str, cause: Error) -> Error {
        self.table.refused(key, cause)
    }
}
