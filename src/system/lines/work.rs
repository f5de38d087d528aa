//! Memory of evaluations of lines, which workspaces own: motions of nodes, motion of the water,
//! results.

use super::super::{State, System};
use super::{Hold, LineElement};
use crate::elements::line::{Evaluation, Fluid};
use crate::elements::waves::Phasors;
use crate::spatial::Vec3;

/// Memory of evaluations of lines: motions of their nodes, and results.
#[derive(Clone, Default)]
pub struct LineWork {
    /// Positions of the nodes of all lines.
    pub x: Vec<Vec3>,
    /// Velocities.
    pub v: Vec<Vec3>,
    /// Accelerations.
    pub a: Vec<Vec3>,
    /// Stick points of friction.
    pub sticks: Vec<[f64; 2]>,
    /// Numbers of viscoelastic lines.
    pub slow: Vec<f64>,
    /// The motion of the water at the nodes, then at the points, then at the places of elements,
    /// from waves and the fluid callback.
    pub fluid: Vec<Fluid>,
    /// The arguments and results of the last call of the fluid callback.
    pub(super) asked: Asked,
    /// One per line.
    pub evaluations: Vec<Evaluation>,
    /// What ends were tied to when the graph of the matrix was learnt.
    pub(super) holds: Vec<[Hold; 2]>,
    /// Whether tangents are to have the derivatives by the directions of tangents, which time steps
    /// do without.
    pub all_terms: bool,
    /// Whether evaluations without a matrix are to find the masses of nodes.
    pub wants_masses: bool,
    /// Whether the host has told the motion of the water here, and is not asked again.
    pub knows_water: bool,
}

impl LineWork {
    /// Takes what evaluations of lines and points read of the own variables of a state.
    #[inline(always)]
    pub fn take_own(&mut self, state: &State) {
        self.sticks.copy_from_slice(state.sticks());
        self.slow.copy_from_slice(state.slow());
        self.fluid.clear();
        self.fluid.extend(state.fluid());
    }

    /// For a system.
    pub fn new(system: &System) -> LineWork {
        let n = system.layout.chained();
        let zeros = || vec![Vec3::zeros(); n];
        let evaluation = |line: &LineElement| Evaluation::new(line.chain.segments(), line.chain.bends());
        LineWork {
            x: zeros(),
            v: zeros(),
            a: zeros(),
            sticks: vec![[0.0; 2]; n],
            slow: vec![0.0; system.layout.own().slow().len()],
            fluid: Vec::new(),
            asked: Default::default(),
            evaluations: system.lines.iter().map(evaluation).collect(),
            holds: system.lines.iter().map(|line| line.holds).collect(),
            all_terms: false,
            wants_masses: false,
            knows_water: false,
        }
    }
}

/// Arguments and results of the fluid callback, in the order of nodes of lines, points, places of
/// elements.
#[derive(Clone, Default)]
pub struct Asked {
    pub(super) positions: Vec<[f64; 3]>,
    pub(super) velocities: Vec<[f64; 3]>,
    pub(super) accelerations: Vec<[f64; 3]>,
    pub(super) elevations: Vec<f64>,
    /// Memory of waves.
    pub(super) phasors: Phasors,
}

impl Asked {
    /// Resizes the lists for `n` places.
    pub(super) fn resize(&mut self, n: usize) {
        for rows in [&mut self.positions, &mut self.velocities, &mut self.accelerations] {
            rows.resize(n, [0.0; 3]);
        }
        self.elevations.resize(n, 0.0);
    }
}
