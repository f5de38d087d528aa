//! Beams: adding and reading them.

use super::Simulation;
use super::build::reserve;
use super::views::Elements;
use crate::elements::BeamElement;
use crate::elements::beam::MOST_TURN;
use crate::error::{Error, Result};
use crate::model::beam::{check_neighbours, station};
use crate::model::{Beam, EntityKind, GROUND, Id};
use crate::number::{Number, Rounded};
use crate::spatial::pose::check_finite;
use crate::spatial::{Mat3, Pose, RigidInertia, Vec3, axes, convert};

/// The most elements of a beam.
const MOST_ELEMENTS: usize = 100_000;

/// Rotation of the sections within an element in the reference shape (rad), above which there is a
/// warning.
const MOST_REFERENCE_TURN: f64 = 1.0;

/// Appends what a step or an equilibrium failed of to its error.
pub(super) fn add_cause(error: &mut Error, told: &str) {
    match error {
        Error::Unstable { entity: text, .. }
        | Error::NoConvergence { energies: text, .. }
        | Error::NoEquilibrium { cause: text, .. }
        | Error::Singular { detail: text, .. }
        | Error::Diverged { detail: text, .. } => *text += told,
        _ => {}
    }
}

impl Simulation {
    /// A beam that may be changed. Errors: phase; id; a beam that has its elements.
    fn beam_to_change(&mut self, beam: Id) -> Result<&mut Beam> {
        self.require_building()?;
        let index = self.model.index("beam", EntityKind::Beam, beam)?;
        if !self.model.beams[index].nodes.is_empty() {
            let detail = format!("beam {index} has its elements: stations and attachments come before");
            return Err(Error::bad_value("beam", detail));
        }
        Ok(&mut self.model.beams[index])
    }

    /// A warning of the first beam that was not divided into elements before `initialize`.
    pub(super) fn idle_beam(&self) -> Option<String> {
        self.run.as_ref()?;
        let index = self.model.beams.iter().position(|beam| beam.nodes.is_empty())?;
        let beam = self.model.describe(EntityKind::Beam, index);
        Some(format!("{beam} has no elements (pintle_mesh_beam), and no effect"))
    }

    /// A warning of the first beam with an element whose sections turn by more than
    /// [`MOST_REFERENCE_TURN`] in the reference shape, and of the one that turns furthest.
    pub(super) fn bent_beam(&self) -> Option<String> {
        self.run.as_ref()?;
        let (index, turned) =
            self.model.beams.iter().enumerate().find_map(|(index, beam)| Some((index, beam.bent?)))?;
        let (element, turn) = turned;
        let beam = self.model.describe(EntityKind::Beam, index);
        let turn = Rounded(turn);
        Some(format!(
            "{beam}: its sections turn by {turn} rad within element {element}, and more than \
             {MOST_REFERENCE_TURN} rad make it inaccurate: use more elements"
        ))
    }

    /// The error of a step or an equilibrium, and which element of a beam was turned beyond its
    /// law.
    pub(super) fn with_overturned(&self, mut error: Error, turned: Option<(usize, f64)>) -> Error {
        let Some((element, turn)) = turned else { return error };
        let has = |beam: &Beam| (beam.first_element..beam.first_element + beam.elements()).contains(&element);
        let Some(index) = self.model.beams.iter().position(has) else { return error };
        let (beam, k) = (self.model.describe(EntityKind::Beam, index), element - self.model.beams[index].first_element);
        let turn = Rounded(turn);
        let told = format!(
            " (ends of element {k} of {beam} were turned by {turn} rad against each other, beyond the {MOST_TURN} rad that \
             an element can follow: cut the step, raise the load in steps, or use more elements)"
        );
        add_cause(&mut error, &told);
        error
    }

    /// The bodies of the nodes of a beam at these arc lengths, None for new ones, with their poses.
    fn beam_nodes(&self, beam: &Beam, ends: &[f64]) -> Result<Vec<(Option<Option<usize>>, Pose)>> {
        let carrier = |(k, s): (usize, &f64)| match beam.attached.iter().find(|(node, _)| *node == k) {
            // As a host would give it.
            None => Ok((None, Pose::from_array("pose", &beam.sections.pose(*s).to_array())?)),
            Some((_, None)) => Ok((Some(None), Pose::identity())),
            Some((_, Some(body))) => Ok((Some(Some(*body)), self.model.bodies[*body].pose)),
        };
        let carriers = ends.iter().enumerate().map(carrier).collect::<Result<Vec<_>>>()?;
        if let Some((node, _)) = beam.attached.iter().find(|(node, _)| *node >= ends.len()) {
            let detail = format!("{node} is attached, but the last node is {}", ends.len() - 1);
            return Err(Error::bad_value("node", detail));
        }
        match carriers.windows(2).position(|pair| pair[0].0.is_some() && pair[0].0 == pair[1].0) {
            Some(k) => Err(Error::bad_value("node", format!("{k} and {} are attached to the same body", k + 1))),
            None => Ok(carriers),
        }
    }

    /// Makes nodes and elements of a beam between these arc lengths.
    fn make_beam(&mut self, index: usize, ends: Vec<f64>) -> Result<()> {
        let beam = &self.model.beams[index];
        let carriers = self.beam_nodes(beam, &ends)?;
        let mut made = Vec::with_capacity(ends.len());
        for (k, pair) in carriers.windows(2).enumerate() {
            let poses = [&pair[0].1, &pair[1].1];
            let element = BeamElement::new(&beam.sections, [ends[k], ends[k + 1]], (&beam.damping, beam.lumped), poses);
            made.push(element.ok_or_else(|| {
                let detail = format!("{index}: the ends of element {k} coincide, or axis 2 is along it");
                Error::bad_value("beam", detail)
            })?);
        }
        let first_element = self.model.elements.beam_elements.len();
        let mut nodes = Vec::with_capacity(carriers.len());
        for (body, pose) in carriers {
            nodes.push(match body {
                None => Some(self.push_body(RigidInertia::NONE, pose)? as usize),
                Some(body) => body,
            });
        }
        for (k, mut element) in made.into_iter().enumerate() {
            element.ends[0].to = nodes[k].into();
            element.ends[1].to = nodes[k + 1].into();
            self.add_element(element)?;
        }
        let beam = &mut self.model.beams[index];
        let turns = ends.windows(2).map(|pair| beam.sections.turn(pair[0], pair[1])).enumerate();
        beam.bent = turns.filter(|turn| turn.1 > MOST_REFERENCE_TURN).max_by(|a, b| a.1.total_cmp(&b.1));
        (beam.ends, beam.nodes, beam.first_element) = (ends, nodes, first_element);
        Ok(())
    }
}

impl Elements<'_> {
    /// Adds a beam without stations. `damping`: mu of each strain, a time. Phase BUILDING. Errors:
    /// not finite; negative.
    pub fn add_beam(&mut self, damping: &[f64; 6]) -> Result<Id> {
        self.0.require_building()?;
        check_finite("damping", damping)?;
        if let Some(k) = damping.iter().position(|mu| *mu < 0.0) {
            return Err(Error::bad_value("damping", format!("[{k}] = {} is negative", Number(damping[k]))));
        }
        let id = reserve("beam", &mut self.0.model.beams)?;
        self.0.model.beams.push(Beam { damping: *damping, ..Beam::default() });
        Ok(id)
    }

    /// Adds a station behind the others. Phase BUILDING. Errors: those of [`station`] and
    /// [`check_neighbours`]; a beam that has its elements.
    pub fn add_beam_station(
        &mut self,
        beam: Id,
        s: f64,
        pose: &[f64; 7],
        stiffness: &[f64; 36],
        mass: &[f64; 36],
    ) -> Result<()> {
        let beam = self.0.beam_to_change(beam)?;
        let station = station(s, pose, stiffness, mass)?;
        if let Some(last) = beam.sections.0.last() {
            check_neighbours(last, &station)?;
        }
        reserve("station", &mut beam.sections.0)?;
        beam.sections.0.push(station);
        Ok(())
    }

    /// Adds a straight beam of one section, with two stations: EA, GA2, GA3, GJ, EI2, EI3; mass per
    /// length and moments of inertia per length about the axes 1, 2, 3 of the section. Axis 2 is
    /// `axis`, as far as it is across. Phase BUILDING.
    pub fn add_uniform_beam(
        &mut self,
        [point_a, point_b]: [&[f64; 3]; 2],
        axis: &[f64; 3],
        stiffness: &[f64; 6],
        mass: &[f64; 4],
        damping: &[f64; 6],
    ) -> Result<Id> {
        self.0.require_building()?;
        check_finite("point_a", point_a)?;
        check_finite("point_b", point_b)?;
        check_finite("stiffness", stiffness)?;
        check_finite("mass", mass)?;
        let (a, b) = (Vec3::from(*point_a), Vec3::from(*point_b));
        let (length, across) = ((b - a).norm(), axes::direction("axis", axis)?);
        let first = (b - a) / length;
        let second = (across - first * first.dot(&across)).try_normalize(1e-3);
        let Some(second) = second.filter(|_| length > 0.0 && length.is_finite()) else {
            return Err(Error::bad_value("axis", "is along the beam, or the beam has no length"));
        };
        let turned = Mat3::from_columns(&[first, second, first.cross(&second)]);
        let rotation = convert::from_matrix(&turned);
        let [m, j1, j2, j3] = *mass;
        let matrix = |diagonal: [f64; 6]| std::array::from_fn(|k| if k % 7 == 0 { diagonal[k / 7] } else { 0.0 });
        let (stiffness, mass) = (matrix(*stiffness), matrix([m, m, m, j1, j2, j3]));
        let station = |s: f64, position: Vec3| {
            let pose = Pose { position, rotation }.to_array();
            station(s, &pose, &stiffness, &mass)
        };
        let stations = [station(0.0, a)?, station(length, b)?];
        let beam = self.add_beam(damping)?;
        self.0.model.beams[beam as usize].sections.0.extend(stations);
        Ok(beam)
    }

    /// Says whether the inertia of each element is lumped at its ends. Phase BUILDING. Errors: a
    /// bad id; a beam that has its elements.
    pub fn lump_beam(&mut self, beam: Id, lumped: bool) -> Result<()> {
        self.0.beam_to_change(beam)?.lumped = lumped;
        Ok(())
    }

    /// Says which body of the host, None for the ground, a node of a beam is; the body carries the
    /// beam there at its initial pose. Phase BUILDING. Errors: ids; a beam that has its elements; a
    /// node that is attached already.
    pub fn attach_beam(&mut self, beam: Id, node: i32, body: Id) -> Result<()> {
        self.0.require_building()?;
        let body = self.0.model.body_or_ground("body", body)?;
        let beam = self.0.beam_to_change(beam)?;
        let index = usize::try_from(node).ok().filter(|node| *node <= MOST_ELEMENTS);
        let index = index.ok_or_else(|| Error::bad_value("node", format!("{node} is not 0 to {MOST_ELEMENTS}")))?;
        if beam.attached.iter().any(|(other, _)| *other == index) {
            return Err(Error::bad_value("node", format!("{node} is attached already")));
        }
        reserve("node", &mut beam.attached)?;
        beam.attached.push((index, body));
        Ok(())
    }

    /// Adds a node at an arc length behind the others. Phase BUILDING. Errors: not finite; an arc
    /// length that does not rise or is not on the beam; a beam that has its elements.
    pub fn add_beam_node(&mut self, beam: Id, s: f64) -> Result<()> {
        let beam = self.0.beam_to_change(beam)?;
        check_finite("s", &[s])?;
        let [first, last] = beam.span()?;
        let least = beam.ends.last().map_or(first, |end| end.next_up());
        if !(least..=last).contains(&s) || beam.ends.len() > MOST_ELEMENTS {
            let (s, first, last) = (Number(s), Number(first), Number(last));
            return Err(Error::bad_value("s", format!("{s}: nodes must rise, between {first} and {last}")));
        }
        reserve("node", &mut beam.ends)?;
        beam.ends.push(s);
        Ok(())
    }

    /// Makes so many elements of equal arc length; 0 for elements between the nodes that were
    /// added. Nodes that are not attached are new bodies without mass of their own, at the
    /// sections. Phase BUILDING.
    ///
    /// Errors: fewer than two stations or nodes; both nodes and a number; attached nodes that it
    /// does not have; two neighbours on one body.
    pub fn mesh_beam(&mut self, beam: Id, elements: i32) -> Result<()> {
        let described = &*self.0.beam_to_change(beam)?;
        let [first, last] = described.span()?;
        let nodes = described.ends.len();
        let count = usize::try_from(elements).ok().filter(|count| *count <= MOST_ELEMENTS);
        let ends = match count {
            Some(0) if nodes >= 2 => described.ends.clone(),
            Some(count) if count > 0 && nodes == 0 => {
                let even = |k: usize| first + (last - first) * (k as f64 / count as f64);
                (0..=count).map(|k| if k == count { last } else { even(k) }).collect()
            }
            _ => {
                let detail = format!("{elements} is not 1 to {MOST_ELEMENTS}, or 0 for nodes that were added: {nodes}");
                return Err(Error::bad_value("n_elements", detail));
            }
        };
        self.0.make_beam(beam as usize, ends)
    }
}

/// Beams, read back, and the motion of their sections.
#[derive(Clone, Copy)]
pub struct Beams<'a>(pub(super) &'a Simulation);

impl<'a> Beams<'a> {
    /// Of a simulation.
    pub fn of(simulation: &'a Simulation) -> Beams<'a> {
        Beams(simulation)
    }

    /// A beam as described. Any phase.
    pub fn get(self, beam: Id) -> Result<&'a Beam> {
        Ok(&self.0.model.beams[self.0.model.index("beam", EntityKind::Beam, beam)?])
    }

    /// The body that is a node of a beam, or the ground. Any phase. Errors: a bad id; a node that
    /// it does not have.
    pub fn body(self, beam: Id, node: i32) -> Result<Id> {
        let Beam { nodes, .. } = self.get(beam)?;
        let found = usize::try_from(node).ok().and_then(|index| nodes.get(index));
        let none = || Error::bad_value("node", format!("{node}: beam {beam} has {} nodes", nodes.len()));
        found.ok_or_else(none).map(|body| body.map_or(GROUND, |index| index as Id))
    }

    /// The pose of the section at an arc length of a beam, and its velocity. Phase READY, TRIAL,
    /// FAILED. Errors: a bad id; an arc length outside the beam; numbers too large for a double.
    pub fn motion(self, beam: Id, s: f64) -> Result<([f64; 7], [f64; 6])> {
        let (run, state) = (self.0.readable()?, self.0.state()?);
        let described = self.get(beam)?;
        let k = described.element_at(s)?;
        let reference = described.stretch(k).chord.localize(&described.sections.pose(s));
        let motion = run.system.elements().section_motion(described.first_element + k, &reference, state);
        self.told(motion)
    }
}
