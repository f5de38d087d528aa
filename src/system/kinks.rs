//! Which elements of a model steps take in energy form, the nodes that they act on, and the memory of
//! their evaluation over a step.

use super::System;
use super::layout::Layout;
use super::motion::Motion;
use crate::elements::{Connections, EachElement, Element, Elements, Local, Memory, Tie};
use std::ops::Range;

/// No node that they act on.
const NONE: u32 = u32::MAX;

/// The elements of a model that steps take in energy form.
#[derive(Debug, Clone, Default)]
pub struct Kinks {
    /// Their number.
    pub elements: usize,
    /// The first unknown of each carrier that they act on, its width, and where its forces stand.
    pub nodes: Vec<[usize; 3]>,
    /// Which of these each carrier is, or [`NONE`].
    places: Vec<u32>,
    /// Number of these forces.
    pub forces: usize,
}

/// Finds the elements, and the nodes that they are tied to.
struct Finding {
    elements: usize,
    nodes: Vec<usize>,
}

impl EachElement for Finding {
    fn element<E: Element<N>, const N: usize>(&mut self, element: &E, ties: &[Tie; N], _: Range<usize>) {
        if element.has_kink() {
            self.elements += 1;
            self.nodes.extend(ties.iter().map(|tie| tie.node));
        }
    }
}

impl Kinks {
    /// Of the elements of a model; `free`: whether a node moves by the equations of motion.
    pub fn of(elements: &Elements, connections: &Connections, layout: Layout, free: &[bool]) -> Kinks {
        let mut found = Finding { elements: 0, nodes: Vec::new() };
        elements.each(connections, &mut found);
        let Finding { elements, mut nodes } = found;
        nodes.retain(|node| *node < layout.carriers() && free[*node]);
        nodes.sort_unstable();
        nodes.dedup();
        let mut kinks = Kinks { elements, ..Kinks::default() };
        if elements > 0 {
            kinks.places = vec![NONE; layout.carriers() + 1];
        }
        for node in nodes {
            let width = layout.width(node);
            kinks.places[node] = kinks.nodes.len() as u32;
            kinks.nodes.push([layout.unknown(node), width, kinks.forces]);
            kinks.forces += width;
        }
        kinks
    }

    /// Adds the forces of an element, minus its residuals, to those on its nodes.
    pub fn add<const N: usize>(&self, ties: &[Tie; N], local: &Local<N>, forces: &mut [f64]) {
        for (tie, residual) in ties.iter().zip(&local.residual) {
            if let Some([_, width, first]) = self.nodes.get(self.places[tie.node] as usize) {
                forces[*first..first + width].iter_mut().zip(residual).for_each(|(sum, r)| *sum -= r);
            }
        }
    }
}

/// Elements in energy form over the step that is made.
#[derive(Debug, Clone, Default)]
pub struct EnergyWork {
    /// Motions of all carriers at the start of the step, the ground at the end.
    pub origins: Vec<Motion>,
    /// Memories of the elements at its start, and at its end as evaluated last.
    pub memories: Vec<Memory>,
    pub reached: Vec<Memory>,
    /// Whether the stiffness of an element jumped, as evaluated last.
    pub has_crossed: bool,
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
        let Kinks { elements, forces, .. } = system.kinks;
        if elements == 0 {
            return EnergyWork::default();
        }
        let zeros = || vec![0.0; forces];
        EnergyWork {
            origins: vec![Motion::ground(); system.layout.carriers() + 1],
            memories: vec![Memory::default(); elements],
            reached: vec![Memory::default(); elements],
            has_crossed: false,
            effective: zeros(),
            algorithmic: zeros(),
            force: zeros(),
            carried: zeros(),
            actual: zeros(),
        }
    }
}
