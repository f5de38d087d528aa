//! Which elements of a model steps take in energy form, the nodes that they act on, and the memory
//! of their evaluation over a step. Those of the list come first, then springs with tables on
//! joints, then the segments of lines, then the nodes of lines where any bends; their forces on
//! carriers, then those of lines on their own nodes, tied ends included.

use super::System;
use super::joints::JointElement;
use super::layout::{KinkCounts, Layout};
use super::lines::LineElement;
use super::motion::Motion;
use crate::elements::line::Evaluation;
use crate::elements::{Connections, EachElement, Element, Elements, LineLength, Local, Memory, Parts, Tie};
use crate::spatial::Vec3;
use std::ops::Range;

/// No node that they act on.
const NONE: u32 = u32::MAX;

/// The elements of a model that steps take in energy form.
#[derive(Debug, Clone, Default)]
pub struct Kinks {
    /// Number of memories of those in the list and on joints.
    pub memories: usize,
    /// Springs with tables on joints, in order, one memory each: the joint, and 0 for its
    /// coordinate or 1 for its slide.
    pub on_joints: Vec<[usize; 2]>,
    /// The first unknown of each carrier that they act on, its width, and where its forces stand.
    pub nodes: Vec<[usize; 3]>,
    /// Which of these each carrier is, or [`NONE`].
    places: Vec<u32>,
    /// Number of these forces.
    pub forces: usize,
    /// Whether the stiffness of any jumps, lines included.
    pub jump: bool,
    /// The free bodies on which elements act whose axes turn.
    pub turning: Vec<usize>,
    /// Number of segments of lines.
    segments: usize,
    /// Numbers of all, with lines.
    pub counts: KinkCounts,
}

/// Where numbers of a line stand.
pub struct OfLine {
    /// The forces on its nodes.
    pub forces: Range<usize>,
    /// The memories of its segments, and those of bending, three of each node; none where no line
    /// bends.
    pub segments: Range<usize>,
    pub bent: Range<usize>,
}

/// Finds the elements, and the nodes that they are tied to.
#[derive(Default)]
struct Finding {
    memories: usize,
    jump: bool,
    nodes: Vec<usize>,
    turning: Vec<usize>,
}

impl EachElement for Finding {
    fn element<E: Element<N>, const N: usize>(&mut self, element: &E, ties: &[Tie; N], _: Parts) {
        let memories = element.memories();
        if memories > 0 {
            self.memories += memories;
            self.jump |= element.has_kink();
            let nodes = ties.iter().map(|tie| tie.node);
            // Laws of several components turn with their frames; the others act along a line.
            if memories > 1 {
                self.turning.extend(nodes.clone());
            }
            self.nodes.extend(nodes);
        }
    }
}

impl Kinks {
    /// Of the elements of a model and its lines, which have so many segments; whether any line
    /// bends; `clamping`: the nodes that lines are clamped to; `free`: whether a node moves by the
    /// equations of motion.
    pub fn of(
        (elements, connections): (&Elements, &Connections),
        joints: &[JointElement],
        (segments, bends): (usize, bool),
        clamping: impl Iterator<Item = usize>,
        layout: Layout,
        free: &[bool],
    ) -> Kinks {
        let mut found = Finding::default();
        elements.each(connections, &mut found);
        let Finding { mut memories, mut jump, mut nodes, mut turning } = found;
        let curved = joints.iter().enumerate().flat_map(|(k, joint)| joint.kinks().map(move |which| [k, which]));
        let on_joints: Vec<[usize; 2]> = curved.collect();
        memories += on_joints.len();
        jump |= !on_joints.is_empty();
        nodes.extend(on_joints.iter().flat_map(|[k, _]| joints[*k].ends()));
        nodes.extend(clamping);
        for (nodes, most) in [(&mut nodes, layout.carriers()), (&mut turning, layout.bodies())] {
            nodes.retain(|node| *node < most && free[*node]);
            nodes.sort_unstable();
            nodes.dedup();
        }
        let mut kinks =
            Kinks { memories, on_joints, jump: jump || segments > 0, turning, segments, ..Kinks::default() };
        if memories > 0 || !nodes.is_empty() {
            kinks.places = vec![NONE; layout.carriers() + 1];
        }
        for node in nodes {
            let width = layout.width(node);
            kinks.places[node] = kinks.nodes.len() as u32;
            kinks.nodes.push([layout.unknown(node), width, kinks.forces]);
            kinks.forces += width;
        }
        let of_lines = if segments > 0 { 3 * layout.chained() } else { 0 };
        let of_bending = if bends { 3 * layout.chained() } else { 0 };
        let turning = kinks.turning.len();
        kinks.counts =
            KinkCounts { memories: memories + segments + of_bending, forces: kinks.forces + of_lines, turning };
        kinks
    }

    /// The first memory of springs with tables on joints.
    pub fn first_on_joints(&self) -> usize {
        self.memories - self.on_joints.len()
    }

    /// Where the numbers of a line stand.
    pub fn of_line(&self, line: &LineElement) -> OfLine {
        let from =
            |first: usize, range: &Range<usize>, width: usize| first + width * range.start..first + width * range.end;
        let bent = if line.chain.bends() { line.nodes.clone() } else { 0..0 };
        OfLine {
            forces: from(self.forces, &line.nodes, 3),
            segments: from(self.memories, &line.segments, 1),
            bent: from(self.memories + self.segments, &bent, 3),
        }
    }

    /// Adds moments on a carrier.
    pub fn add_moment(&self, node: usize, moment: &Vec3, forces: &mut [f64]) {
        let place = self.places.get(node).and_then(|place| self.nodes.get(*place as usize));
        if let Some([_, 6, first]) = place {
            forces[first + 3..first + 6].iter_mut().zip(moment).for_each(|(sum, moment)| *sum += moment);
        }
    }

    /// Adds the moments of the clamps of a line, as evaluated, to those on its carriers.
    pub fn add_clamps(&self, line: &LineElement, found: &Evaluation, forces: &mut [f64]) {
        for (end, tie) in found.ends.iter().zip(&line.ends) {
            end.clamp.iter().for_each(|clamp| self.add_moment(tie.node, &clamp.effective, forces));
        }
    }

    /// Adds the forces of an element, minus its residuals, to those on its nodes.
    pub fn add<const N: usize>(&self, nodes: [usize; N], local: &Local<N>, forces: &mut [f64]) {
        for (node, residual) in nodes.iter().zip(&local.residual) {
            if let Some([_, width, first]) = self.nodes.get(self.places[*node] as usize) {
                forces[*first..first + width].iter_mut().zip(residual).for_each(|(sum, r)| *sum -= r);
            }
        }
    }
}

/// How many elements changed branch over a step.
#[derive(Debug, Clone, Copy, Default)]
pub struct Crossings {
    /// Whose stiffness jumped.
    pub jumps: u64,
    /// Those of them for which the step is too long to resolve how forces change: k h^2 > m.
    pub unresolved: u64,
    /// Nodes of lines that came to the bed or left it.
    pub landings: u64,
}

impl Crossings {
    /// Adds those of others.
    pub fn add(&mut self, other: Crossings) {
        self.jumps += other.jumps;
        self.unresolved += other.unresolved;
        self.landings += other.landings;
    }
}

/// Elements in energy form over the step that is made.
#[derive(Debug, Clone, Default)]
pub struct EnergyWork {
    /// Motions of all carriers at the start of the step, the ground at the end.
    pub origins: Vec<Motion>,
    /// Positions and velocities of the nodes of lines there, and strains of their segments, whose
    /// unstretched lengths are one per line.
    pub x: Vec<Vec3>,
    pub v: Vec<Vec3>,
    pub strains: Vec<f64>,
    pub segments: Vec<f64>,
    /// Coordinates of joints on which springs with tables act, there.
    pub coordinates: Vec<f64>,
    /// Lengths of tendons there.
    pub lengths: Vec<LineLength>,
    /// Memories of the elements at its start, and at its end as evaluated last.
    pub memories: Vec<Memory>,
    pub reached: Vec<Memory>,
    /// Elements that changed branch over it, as evaluated last.
    pub crossings: Crossings,
    /// F: the effective forces of the elements on their nodes, as evaluated last.
    pub effective: Vec<f64>,
    /// A and f at the start of the step, and what f at its end has of them.
    pub algorithmic: Vec<f64>,
    pub force: Vec<f64>,
    pub carried: Vec<f64>,
    /// Forces by the laws themselves, as evaluated last.
    pub actual: Vec<f64>,
}

impl EnergyWork {
    /// For a system.
    pub fn new(system: &System) -> EnergyWork {
        let KinkCounts { memories, forces, .. } = system.kinks.counts;
        if memories == 0 {
            return EnergyWork::default();
        }
        let zeros = || vec![0.0; forces];
        let of_nodes = || vec![Vec3::zeros(); system.layout.chained()];
        EnergyWork {
            origins: vec![Motion::ground(); system.layout.carriers() + 1],
            x: of_nodes(),
            v: of_nodes(),
            strains: vec![0.0; system.kinks.segments],
            segments: vec![0.0; system.lines.len()],
            coordinates: vec![0.0; system.kinks.on_joints.len()],
            lengths: system.elements.tendons.iter().map(|tendon| LineLength::described(tendon.rest_length)).collect(),
            memories: vec![Memory::default(); memories],
            reached: vec![Memory::default(); memories],
            crossings: Crossings::default(),
            effective: zeros(),
            algorithmic: zeros(),
            force: zeros(),
            carried: zeros(),
            actual: zeros(),
        }
    }
}
