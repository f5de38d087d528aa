//! Residual and tangents of a whole line from the motions of its nodes.

use super::{Slow, Water};
use crate::elements::energy_form::{EnergyForm, Memory, Turn};
use crate::spatial::{Mat3, Vec3};

/// How the nodes 0..=N move; inertial axes.
#[derive(Debug, Clone, Copy)]
pub struct Motions<'a> {
    /// Positions.
    pub x: &'a [Vec3],
    /// Velocities.
    pub v: &'a [Vec3],
    /// Accelerations.
    pub a: &'a [Vec3],
    /// Unit axes of the ends that are clamped, from each end into the line.
    pub axes: [Option<Vec3>; 2],
}

/// What the water does at a node.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Fluid {
    /// Velocity, to which the steady current is added.
    pub velocity: [f64; 3],
    /// Acceleration.
    pub acceleration: [f64; 3],
    /// Elevation of the surface over the node.
    pub elevation: f64,
}

impl Fluid {
    /// How many numbers it has.
    pub const NUMBERS: usize = 7;

    /// Its numbers, as a state carries them.
    pub fn numbers(&self) -> [f64; Fluid::NUMBERS] {
        let Fluid { velocity: [u, v, w], acceleration: [a, b, c], elevation } = *self;
        [u, v, w, a, b, c, elevation]
    }

    /// From these.
    pub fn from_numbers(&[u, v, w, a, b, c, elevation]: &[f64; Fluid::NUMBERS]) -> Fluid {
        Fluid { velocity: [u, v, w], acceleration: [a, b, c], elevation }
    }
}

/// What surrounds a line.
#[derive(Debug, Clone, Copy)]
pub struct Around<'a> {
    /// Acceleration of free fall.
    pub gravity: Vec3,
    /// Water and seabed.
    pub water: &'a Water,
    /// The origin of positions in the host's coordinates, whose z is the height above the mean
    /// water level.
    pub origin: Vec3,
    /// One per node, where the host tells the motion of the water; else the current of `water`.
    pub fluid: Option<&'a [Fluid]>,
    /// Stick points of friction, one per node.
    pub sticks: &'a [[f64; 2]],
    /// Slow strains of viscoelastic segments.
    pub slow: Slow<'a>,
}

/// What a line takes over from the start of a step.
#[derive(Debug, Clone, Copy)]
pub struct Over<'a> {
    /// Numbers of the step.
    pub form: &'a EnergyForm,
    /// Positions of its nodes at the start.
    pub x: &'a [Vec3],
    /// Unstretched length of its segments there.
    pub segment: f64,
    /// Strains of its segments there.
    pub strains: &'a [f64],
    /// Numerical dissipation of its segments, y as [`super::Chain::scale_memories`] leaves it.
    pub memories: &'a [Memory],
    /// That of bending at its nodes; empty without.
    pub bent: &'a [[Memory; 3]],
    /// Its clamped ends.
    pub clamps: [Option<ClampOver>; 2],
    /// What the force on each node at the end of the step has of those before.
    pub carried: &'a [[f64; 3]],
}

/// Factors with which mass, damping and stiffness enter the iteration matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Factors {
    /// c_m.
    pub mass: f64,
    /// c_g.
    pub damping: f64,
    /// c_k.
    pub stiffness: f64,
    /// With the derivatives by the directions of tangents, which time steps do without.
    pub all: bool,
}

/// A clamp at the start of a step.
#[derive(Debug, Clone, Copy)]
pub struct ClampOver {
    /// Its axis there.
    pub axis: Vec3,
    /// The rotation of its carrier over the step.
    pub turn: Turn,
}

/// What a clamp does beside the forces on the end and its neighbour, and how a rotation of the
/// carrier, which turns the axis, changes those.
#[derive(Debug, Clone, Copy)]
pub struct Clamp {
    /// The moment on the carrier by its law, or over a step ([`Over`]).
    pub effective: Vec3,
    /// Minus the moment in the equations of motion, less what is carried over a step.
    pub moment: Vec3,
    /// c_k times the derivative of the residual of the neighbour by the rotation; that of the end
    /// is the opposite.
    pub by_rotation: Mat3,
    /// c_k times the derivative of `moment` by the position of the neighbour; that by the position
    /// of the end is the opposite.
    pub by_place: Mat3,
    /// c_k times the derivative of `moment` by the rotation.
    pub moment_by_rotation: Mat3,
}

/// Blocks over the motion of an end, whose carrier may turn: its K is to be multiplied by T^T, the
/// others not.
#[derive(Debug, Clone, Default)]
pub struct EndColumns {
    /// K of the rows of the end itself, its neighbour, and the next one.
    pub stiffness: [Mat3; 3],
    /// c_m M + c_g C of these.
    pub rates: [Mat3; 3],
    /// M of the end itself, without a factor: what turns gives its velocity and acceleration to the
    /// end, and changes them by turning.
    pub mass: Mat3,
    /// C of the end itself and of its neighbour, likewise.
    pub damping: [Mat3; 2],
    /// Where the end is clamped.
    pub clamp: Option<Clamp>,
}

/// Memory of an evaluation, and what it found.
#[derive(Debug, Clone, Default)]
pub struct Evaluation {
    /// `M a - F`, one per node; of the ends with the inertia of half a segment.
    pub residual: Vec<Vec3>,
    /// Blocks (i, i) of `c_m M + c_g C + c_k K`.
    pub diagonal: Vec<Mat3>,
    /// Blocks (i, i + 1), N of them.
    pub upper: Vec<Mat3>,
    /// Blocks (i + 1, i), N of them.
    pub lower: Vec<Mat3>,
    /// Blocks (i, i + 2), N - 1 of them; empty without bending.
    pub upper_two: Vec<Mat3>,
    /// Blocks (i + 2, i), likewise.
    pub lower_two: Vec<Mat3>,
    /// The columns of the ends, c_k K and the rest apart: [A, B]. Their sum is what the blocks
    /// above have there.
    pub ends: [EndColumns; 2],
    /// Tension H of each segment, damping included, N of them.
    pub tensions: Vec<f64>,
    /// Forces of the ends on what holds them without inertia: [A, B].
    pub end_forces: [Vec3; 2],
    /// Forces of segments, bending and seabed on each node: their laws', or those over a step
    /// ([`Over`]).
    pub effective: Vec<Vec3>,
    /// Over a step: the numerical dissipation of each segment at its end.
    pub reached: Vec<Memory>,
    /// The same of bending at each node; empty without.
    pub bent: Vec<[Memory; 3]>,
    /// Number of segments whose stiffness jumped over a step in energy form.
    pub crossings: u32,
    /// Number of nodes that came to the bed in it, or left it.
    pub landings: u32,
    /// What a state has of viscoelastic segments ([`Slow`]).
    pub slow: Vec<[f64; 3]>,
}

impl Evaluation {
    /// Adds the residual of a force on the neighbour of an end, whose opposite acts on the end;
    /// `share`: what the force at the end of a step has of it.
    pub(super) fn add_pair(&mut self, [neighbour, node]: [usize; 2], end: usize, residual: &Vec3, share: f64) {
        self.effective[neighbour] -= residual;
        self.effective[node] += residual;
        let residual = residual * share;
        self.residual[neighbour] += residual;
        self.residual[node] -= residual;
        self.end_forces[end] += residual;
    }

    /// Of a line of so many segments; with memory for the bands of bending where it bends.
    pub fn new(segments: usize, bends: bool) -> Evaluation {
        let second = if bends { segments.saturating_sub(1) } else { 0 };
        Evaluation {
            residual: vec![Vec3::zeros(); segments + 1],
            diagonal: vec![Mat3::zeros(); segments + 1],
            upper: vec![Mat3::zeros(); segments],
            lower: vec![Mat3::zeros(); segments],
            upper_two: vec![Mat3::zeros(); second],
            lower_two: vec![Mat3::zeros(); second],
            ends: Default::default(),
            tensions: vec![0.0; segments],
            end_forces: [Vec3::zeros(); 2],
            effective: vec![Vec3::zeros(); segments + 1],
            reached: vec![Memory::default(); segments],
            bent: vec![Default::default(); if bends { segments + 1 } else { 0 }],
            crossings: 0,
            landings: 0,
            slow: vec![[0.0; 3]; segments],
        }
    }

    /// Bytes that one of so many segments takes.
    pub fn memory(segments: usize, bends: bool) -> usize {
        let (vector, matrix) = (size_of::<Vec3>(), size_of::<Mat3>());
        let (bands, memories) = if bends { (5, 4) } else { (3, 1) };
        segments
            .saturating_add(1)
            .saturating_mul(bands * matrix + 2 * vector + 4 * size_of::<f64>() + memories * size_of::<Memory>())
    }
}
