//! A model file in progress: lines, heads of entities, attachments of elements.

use crate::elements::{Attachment, End, MOST_NODES};
use crate::model::file::writer;
use crate::model::{EntityKind, Frame, body_keys};
use crate::simulation::Simulation;
use crate::spatial::{Pose, Vec3, Vec6};
use writer::numbers;

/// Points that carry the nodes of an element.
pub(super) const POINT_KEYS: [&str; MOST_NODES] =
    ["at_point_a", "at_point_b", "at_point_c", "at_point_d", "at_point_e", "at_point_f", "at_point_g", "at_point_h"];

/// The text, and the system.
pub(super) struct File<'s> {
    pub(super) system: &'s Simulation,
    pub(super) text: String,
    /// The ends of the present element are points: places on them are left out.
    pub(super) at_points: bool,
}

impl<'s> File<'s> {
    /// Starts with a text.
    pub(super) fn new(system: &'s Simulation, head: &str) -> File<'s> {
        File { system, text: head.to_owned(), at_points: false }
    }

    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(super) fn entry(&mut self, key: &str, value: impl std::fmt::Display) {
        self.line(&format!("{key} = {value}"));
    }

    /// The head of an entity, and its name if it has one.
    pub(super) fn entity(&mut self, kind: EntityKind, index: usize) {
        self.line(&format!("\n[[{}]] # {index}", kind.name()));
        if let Some(name) = self.system.model.names.of(kind, index) {
            self.entry("name", writer::text(name));
        }
    }

    /// The attachments of an element's nodes.
    pub(super) fn element_nodes(&mut self, nodes: &[Attachment]) {
        self.at_points = nodes.iter().all(|node| matches!(node.to, End::Point(_)));
        for (k, node) in nodes.iter().enumerate() {
            match node.to {
                End::Point(point) => self.entry(POINT_KEYS[k], self.named(EntityKind::Point, point)),
                end => self.entry(body_keys(nodes.len())[k], self.end(end.body())),
            }
        }
    }

    /// The name of an entity if it has one that is not the ground's, else its id.
    pub(super) fn named(&self, kind: EntityKind, index: usize) -> String {
        let name = self.system.model.names.of(kind, index).filter(|name| *name != "ground");
        name.map_or_else(|| index.to_string(), writer::text)
    }

    pub(super) fn ends(&mut self, body_a: Option<usize>, body_b: Option<usize>) {
        self.entry("body_a", self.end(body_a));
        self.entry("body_b", self.end(body_b));
    }

    /// The name of a body if it has one that is not the ground's, else its id.
    pub(super) fn end(&self, body: Option<usize>) -> String {
        body.map_or_else(|| writer::text("ground"), |index| self.named(EntityKind::Body, index))
    }
}

pub(super) fn pose(pose: &Pose) -> String {
    numbers(&pose.to_array())
}

pub(super) fn vector(v: &Vec3) -> String {
    numbers(v.as_slice())
}

pub(super) fn frame_name(frame: Frame) -> String {
    writer::text(frame.name())
}

pub(super) fn vector6(v: &Vec6) -> String {
    numbers(v.as_slice())
}
