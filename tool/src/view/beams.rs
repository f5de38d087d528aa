//! Beams that are drawn: tubes with elliptic sections, through nodes that move with bodies.

use super::json;
use pintle::spatial::Pose;
use pintle::{Beams, EntityKind, GROUND, Id, Result, Simulation};
use std::collections::BTreeSet;

/// Least and largest half axis of a section that is drawn, as parts of the length of its beam.
const HALF_AXES: [f64; 2] = [0.003, 0.05];

/// A beam.
pub struct Beam {
    name: String,
    nodes: Vec<Node>,
}

/// A node, whose section moves with a body or stands on the ground.
struct Node {
    body: Id,
    /// The axes of the section in those of the body, axis 1 along the beam.
    frame: [f64; 7],
    /// Half of the extent of the section along its axes 2 and 3.
    half_axes: [f64; 2],
}

impl Beam {
    /// The bodies of its nodes, among them perhaps the ground.
    pub fn bodies(&self) -> impl Iterator<Item = Id> {
        self.nodes.iter().map(|node| node.body)
    }

    /// What the page reads.
    pub fn json(&self) -> String {
        let node = |Node { body, frame, half_axes }: &Node| {
            let (frame, half_axes) = (json::numbers(frame), json::numbers(half_axes));
            format!("{{\"body\":{body},\"frame\":{frame},\"halfAxes\":{half_axes}}}")
        };
        format!("{{\"name\":{},\"nodes\":{}}}", json::string(&self.name), json::array(self.nodes.iter().map(node)))
    }
}

/// The beams of a model that have elements. Errors: of the library.
pub fn beams(system: &Simulation) -> Result<Vec<Beam>> {
    let mut beams = Vec::new();
    for beam in 0..system.description().count(EntityKind::Beam) {
        let places = &Beams::of(system).get(beam)?.ends;
        let nodes = if Beams::of(system).get(beam)?.elements() > 0 { places.len() } else { 0 };
        let nodes: Vec<Node> = (0..nodes).map(|k| node(system, beam, k as i32, places[k])).collect::<Result<_>>()?;
        if !nodes.is_empty() {
            beams.push(Beam { name: system.description().name(EntityKind::Beam, beam)?, nodes });
        }
    }
    Ok(beams)
}

/// Whether a body that is a node of a beam has no mass of its own. Errors: of the library.
pub fn is_bare(system: &Simulation, body: Id) -> Result<bool> {
    Ok(body != GROUND && system.description().body_mass(body)?[0] == 0.0)
}

/// The bodies without mass of their own that are nodes of beams, but for the last node of each.
pub fn inner_nodes(system: &Simulation) -> Result<BTreeSet<Id>> {
    let mut inner = BTreeSet::new();
    for beam in 0..system.description().count(EntityKind::Beam) {
        for node in 0..Beams::of(system).get(beam)?.elements() {
            let body = Beams::of(system).body(beam, node as i32)?;
            if is_bare(system, body)? {
                inner.insert(body);
            }
        }
    }
    Ok(inner)
}

/// A node at an arc length.
fn node(system: &Simulation, beam: Id, node: i32, s: f64) -> Result<Node> {
    let body = Beams::of(system).body(beam, node)?;
    let section = Pose::from_array("pose", &Beams::of(system).motion(beam, s)?.0)?;
    let frame = match body {
        GROUND => section,
        _ => Pose::from_array("pose", &system.outputs().body_pose(body)?)?.localize(&section),
    };
    Ok(Node { body, frame: frame.to_array(), half_axes: half_axes(system, beam, s)? })
}

/// Those of the homogeneous ellipse with the ratios of EI to EA of the section: EI3 = EA a^2 / 4
/// for the half axis a along axis 2.
fn half_axes(system: &Simulation, beam: Id, s: f64) -> Result<[f64; 2]> {
    let described = Beams::of(system).get(beam)?;
    let stations = &described.sections.0;
    let next = stations.partition_point(|station| station.s <= s).clamp(1, stations.len() - 1);
    let [a, b] = [&stations[next - 1], &stations[next]];
    let part = (s - a.s) / (b.s - a.s);
    let entry = |k: usize| a.stiffness[(k, k)] * (1.0 - part) + b.stiffness[(k, k)] * part;
    let length = stations[stations.len() - 1].s - stations[0].s;
    Ok([5, 4].map(|k| {
        let half_axis = 2.0 * (entry(k) / entry(0)).sqrt();
        half_axis.clamp(HALF_AXES[0] * length, HALF_AXES[1] * length)
    }))
}
