//! What lines carry through time beside how their nodes move, and what the host reads of their forces.

use super::LineElement;
use crate::elements::line::Fluid;

/// The part of a state that belongs to lines alone.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LineState {
    /// Stick points of friction, x and y as positions are measured inside; one per node of all lines.
    pub sticks: Vec<[f64; 2]>,
    /// What the host said last of the water: at the nodes of all lines, then at the points. Empty without a callback.
    pub fluid: Vec<Fluid>,
    /// Which ends of each line are tied to nothing any more.
    pub released: Vec<[bool; 2]>,
    /// Tension of the segments of all lines.
    pub tensions: Vec<f64>,
    /// Forces of the ends of each line on what holds them, without inertia; inertial axes.
    pub end_forces: Vec<[[f64; 3]; 2]>,
}

impl LineState {
    /// Of lines without forces, tied at both ends.
    pub fn new(lines: &[LineElement]) -> LineState {
        let last = lines.last();
        LineState {
            sticks: vec![[0.0; 2]; last.map_or(0, |line| line.nodes.end)],
            fluid: Vec::new(),
            released: lines.iter().map(|line| line.released).collect(),
            tensions: vec![0.0; last.map_or(0, |line| line.segments.end)],
            end_forces: vec![[[0.0; 3]; 2]; lines.len()],
        }
    }

    /// Copies without allocation (the counts of one model never change).
    pub fn copy_from(&mut self, other: &LineState) {
        let LineState { sticks, fluid, released, tensions, end_forces } = other;
        self.sticks.clone_from(sticks);
        self.fluid.clone_from(fluid);
        self.released.clone_from(released);
        self.tensions.clone_from(tensions);
        self.end_forces.clone_from(end_forces);
    }

    /// Takes what an evaluation reads.
    #[inline(always)]
    pub fn copy_history_from(&mut self, other: &LineState) {
        // Without lines and water there is nothing to take.
        if self.sticks.is_empty() && self.fluid.is_empty() && other.fluid.is_empty() {
            return;
        }
        self.sticks.clone_from(&other.sticks);
        self.fluid.clone_from(&other.fluid);
        self.released.clone_from(&other.released);
    }
}
