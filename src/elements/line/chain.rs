//! A line made ready to be evaluated: what follows from its description.

use super::axial::Axial;
use super::{Line, LineType, Water};
use crate::spatial::Vec3;

/// A segment shorter than this times its unstretched length has no direction of its own.
pub(super) const NO_LENGTH: f64 = 1e-9;

/// The axis that a segment, or a tangent, is given when it has no length: any will do, for its
/// forces are those of a line that is folded up, and its derivative by the positions is left out.
pub(super) const NO_DIRECTION: Vec3 = Vec3::new(0.0, 0.0, 1.0);

/// A line as it is evaluated.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    /// Number of segments N.
    pub(super) segments: usize,
    /// Diameter d.
    pub(super) diameter: f64,
    /// How far the axis is above and below the surface where a cross-section leaves the water: its
    /// radius.
    pub(super) surfacing: f64,
    /// Area of the cross-section A.
    pub(super) area: f64,
    /// Mass per unstretched length w.
    pub(super) mass: f64,
    /// Tension and damping.
    pub(super) axial: Axial,
    /// Bending stiffness EI.
    pub(super) bending: f64,
    /// Internal pressure at the nodes 0..=N; empty without.
    pub(super) pressure: Vec<f64>,
    /// Drag coefficients across and along.
    pub(super) drag: [f64; 2],
    /// Added mass coefficients across and along.
    pub(super) added: [f64; 2],
}

/// What bounds the step of explicit schemes.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bound {
    /// Largest undamped angular frequency.
    pub frequency: f64,
    /// Largest damping per mass.
    pub damping: f64,
}

/// The same for the parts of a line's physics that bound it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bounds {
    /// Waves along the line, and of bending, which has its own share in them.
    pub axial: Bound,
    /// Spring and damper of the seabed; zeros without one.
    pub seabed: Bound,
}

impl Chain {
    /// Of a line and its type.
    pub fn new(line: &Line, line_type: &LineType) -> Chain {
        let d = line_type.diameter;
        Chain {
            segments: line.segments,
            diameter: d,
            surfacing: 0.5 * d,
            area: 0.25 * std::f64::consts::PI * d * d,
            mass: line_type.mass_per_length,
            axial: Axial::new(line_type),
            bending: line_type.ei,
            pressure: line.pressure.clone(),
            drag: [line_type.cdn, line_type.cdt],
            added: [line_type.can, line_type.cat],
        }
    }

    /// The slow strain of a segment, of which a state has these numbers.
    pub fn slow_strain(&self, own: &[f64; 3]) -> f64 {
        self.axial.pairs(self.mass, 1.0).map_or(0.0, |pairs| pairs.slow_strain(*own))
    }

    /// The numbers that a state is to have of a segment with a slow strain, a strain and a largest
    /// tension.
    pub fn with_slow_strain(&self, slow: f64, strain: f64, largest: f64) -> [f64; 3] {
        let pairs = self.axial.pairs(self.mass, 1.0);
        pairs.map_or([slow, strain, largest], |pairs| pairs.with_slow_strain(slow, strain, largest))
    }

    /// The tension of a segment's spring without damping; of a viscoelastic one, that of its slow
    /// spring, of which a state has these numbers.
    pub fn spring_tension(&self, strain: f64, own: &[f64; 3]) -> f64 {
        let pairs = self.axial.pairs(self.mass, 1.0);
        pairs.map_or_else(|| self.axial.tension(strain).0, |pairs| pairs.slow_tension(*own))
    }

    /// EA, 0 where a table says.
    pub fn stiffness(&self) -> f64 {
        self.axial.linear().unwrap_or(0.0)
    }

    /// Sets EA, where no table says.
    pub fn set_stiffness(&mut self, ea: f64) {
        self.axial.set_stiffness(ea);
    }

    /// Number of segments N.
    pub fn segments(&self) -> usize {
        self.segments
    }

    /// Whether it has bending stiffness, so that each node feels the two next ones.
    pub fn bends(&self) -> bool {
        self.bending > 0.0
    }

    /// Unstretched length of line that belongs to a node: half a segment at the ends.
    #[inline]
    pub(super) fn share(&self, node: usize, segment: f64) -> f64 {
        if node == 0 || node == self.segments { 0.5 * segment } else { segment }
    }

    /// Rounding of the forces on a node: positions are known to that of the largest coordinate,
    /// `far`, and so are forces.
    pub fn noise(&self, segment: f64, far: f64) -> f64 {
        let stiffness = self.axial.stiffest() / segment + 16.0 * self.bending / (segment * segment * segment);
        8.0 * f64::EPSILON * stiffness * (far + segment)
    }

    /// A bound of the mass of a segment with the water that moves along.
    pub fn node_mass(&self, segment: f64, water: &Water) -> f64 {
        segment * (self.mass + water.density * self.area * self.added[0].max(self.added[1]))
    }

    /// Whether a step of length h resolves how a segment of an unstretched length tightens between
    /// its nodes: k h^2 <= m, their mass against each other.
    pub fn resolves(&self, segment: f64, h: f64, water: &Water) -> bool {
        self.axial.stiffest() / segment * h * h <= 0.5 * self.node_mass(segment, water)
    }

    /// Upper bounds of frequencies and damping rates at an unstretched length of the whole line,
    /// from the largest eigenvalues of a chain of equal masses: `4 k/m` of springs, `16 EI/l^3/m`
    /// of bending. The same bounds hold for an end that moves with half a mass. On the seabed the
    /// water that moves along counts as far as it moves in every direction; for waves it does not,
    /// for a line may hang in air.
    pub fn bounds(&self, length: f64, water: &Water) -> Bounds {
        let l = length / self.segments as f64;
        let moved = water.density * self.area * self.added[0].min(self.added[1]);
        let mass = self.mass + moved;
        let (stiffness, damping) = self.axial.largest(self.mass, l);
        let axial = 4.0 * stiffness / (l * l * self.mass);
        let bending = 16.0 * self.bending / (l * l * l * l * self.mass);
        let mut bounds = Bounds::default();
        bounds.axial.frequency = (axial + bending).sqrt();
        bounds.axial.damping = 4.0 * damping / (l * l * self.mass);
        if water.has_bed() {
            // On a slope, force and penetration are measured along z.
            let steepness = water.bathymetry.as_ref().map_or(1.0, |grid| grid.steepness());
            bounds.seabed.frequency = (water.stiffness * self.diameter * steepness / mass).sqrt();
            bounds.seabed.damping = water.damping * self.diameter * steepness / mass;
        }
        bounds
    }
}
