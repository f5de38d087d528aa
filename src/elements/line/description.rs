//! What the host says of lines, their types, and what surrounds them.

use super::{Bathymetry, CurrentGrid, Syrope, Table, Viscoelastic};
use crate::elements::waves::Waves;
use crate::spatial::Vec3;
use std::sync::Arc;

/// What lines are made of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LineType {
    /// Volume-equivalent diameter d.
    pub diameter: f64,
    /// Mass per unstretched length w.
    pub mass_per_length: f64,
    /// Axial stiffness EA.
    pub ea: f64,
    /// Axial damping BA (force per strain rate); below 0: minus the fraction of critical damping of
    /// a segment.
    pub ba: f64,
    /// Bending stiffness EI.
    pub ei: f64,
    /// Drag coefficient across.
    pub cdn: f64,
    /// Added mass coefficient across.
    pub can: f64,
    /// Drag coefficient along.
    pub cdt: f64,
    /// Added mass coefficient along.
    pub cat: f64,
    /// Tension over strain, in place of EA.
    pub tension: Option<Arc<Table>>,
    /// Damping force over strain rate, in place of BA.
    pub damping: Option<Arc<Table>>,
    /// Its dynamic stiffness, where it is viscoelastic; EA and BA are then the static ones.
    pub viscoelastic: Option<Viscoelastic>,
    /// Curves of the Syrope model, of a viscoelastic type with a table, which is the original
    /// curve.
    pub syrope: Option<Syrope>,
}

/// A line as described.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Line {
    /// Its type.
    pub line_type: usize,
    /// The points at its ends A and B.
    pub points: [usize; 2],
    /// Unstretched length L.
    pub length: f64,
    /// Number of segments N.
    pub segments: usize,
    /// Clamps of its ends.
    pub clamps: [Option<Clamped>; 2],
    /// Internal pressure at its nodes 0..=N; empty for a line that never has any.
    pub pressure: Vec<f64>,
    /// Largest tensions of its segments before the start, of a type with curves of the Syrope
    /// model; empty for a line that had none.
    pub largest: Vec<f64>,
}

impl Line {
    /// Whether it has internal pressure, which may be 0.
    pub fn has_pressure(&self) -> bool {
        !self.pressure.is_empty()
    }
}

/// What an end of a line is clamped to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clamped {
    /// The body; None for the ground.
    pub body: Option<usize>,
    /// Unit vector into the line, in the axes of the body.
    pub axis: Vec3,
}

/// Water and seabed. z points upwards, the mean water level is at z = 0 of the host's coordinates.
#[derive(Debug, Clone, PartialEq)]
pub struct Water {
    /// Density; 0: no water.
    pub density: f64,
    /// Depth; 0: no seabed but that of a grid.
    pub depth: f64,
    /// Force per area and penetration of the seabed.
    pub stiffness: f64,
    /// Force per area and speed.
    pub damping: f64,
    /// Penetration over which stiffness and damping set in; at most one diameter counts.
    pub smoothing: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Distance from its stick point at which a node slips.
    pub slip: f64,
    /// Part of the pull of the damper that acts on nodes which leave the bed: from 0, none, to 1.
    pub adhesion: f64,
    /// Steady current: depths, positive downward from the mean water level, rising; velocities
    /// there.
    pub current: Vec<(f64, [f64; 3])>,
    /// A current in space and time, in addition.
    pub current_grid: Option<Arc<CurrentGrid>>,
    /// Time over which waves grow from nothing at time zero; 0: they have always been there.
    pub ramp: f64,
    /// Waves; None: no waves.
    pub waves: Option<Arc<Waves>>,
    /// Depths of the seabed on a grid, in place of `depth`.
    pub bathymetry: Option<Arc<Bathymetry>>,
}

impl Water {
    /// Whether there is a seabed.
    pub fn has_bed(&self) -> bool {
        self.depth > 0.0 || self.bathymetry.is_some()
    }

    /// The z of the seabed at a place of the host's coordinates, if there is one; kinks of a grid
    /// are not rounded.
    pub fn bed(&self, x: &Vec3) -> Option<f64> {
        let level = (self.depth > 0.0).then_some(-self.depth);
        self.bathymetry.as_ref().map(|grid| grid.height([x.x, x.y])).or(level)
    }

    /// Copies without allocation where the current has as many points.
    pub fn copy_from(&mut self, other: &Water) {
        let mut current = std::mem::take(&mut self.current);
        current.clone_from(&other.current);
        let (waves, bathymetry, current_grid) =
            (other.waves.clone(), other.bathymetry.clone(), other.current_grid.clone());
        let Water { density, depth, stiffness, damping, smoothing, friction, slip, adhesion, ramp, .. } = *other;
        *self = Water {
            density,
            depth,
            stiffness,
            damping,
            smoothing,
            friction,
            slip,
            adhesion,
            current,
            current_grid,
            ramp,
            waves,
            bathymetry,
        };
    }
}

impl Default for Water {
    fn default() -> Water {
        Water {
            density: 0.0,
            depth: 0.0,
            stiffness: 3e6,
            damping: 3e5,
            smoothing: 0.1,
            friction: 0.0,
            slip: 0.02,
            adhesion: 0.0,
            current: Vec::new(),
            current_grid: None,
            ramp: 0.0,
            waves: None,
            bathymetry: None,
        }
    }
}
