//! Forces of the water on a point: drag, added mass, buoyancy.

use super::water::current;
use super::{Fluid, Water};
use crate::spatial::{Mat3, Vec3};

/// Hydrodynamic properties of a point.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WetPoint {
    /// Volume V.
    pub volume: f64,
    /// Drag area, Cd times A.
    pub cda: f64,
    /// Added mass coefficient Ca.
    pub ca: f64,
    /// Whether it is a part of a body, to which its volume with buoyancy and Froude-Krylov force
    /// belongs: then V only says how much its added mass is.
    pub on_body: bool,
}

/// Contribution of the water to a point's residual `M a - F`, and its tangents.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PointWater {
    /// Residual, added inertia included.
    pub residual: Vec3,
    /// Added mass.
    pub mass: f64,
    /// Derivative of the residual by the velocity, C.
    pub damping: Mat3,
    /// Derivative of the residual by the position, K.
    pub stiffness: Mat3,
}

impl WetPoint {
    /// Residual and tangents at a point that moves with `velocity` and `acceleration`. `height` is
    /// z above the mean water level. Buoyancy acts against `gravity`. A point that is partly out of
    /// the water counts with the submerged share of a sphere of its volume; K includes the
    /// derivative of that share by z.
    pub fn residual(
        &self,
        height: f64,
        velocity: &Vec3,
        acceleration: &Vec3,
        gravity: &Vec3,
        water: &Water,
        fluid: Option<&Fluid>,
    ) -> PointWater {
        let rho = water.density;
        let radius = self.radius();
        let elevation = fluid.map_or(0.0, |fluid| fluid.elevation);
        let (share, share_slope) = submerged(elevation - height, radius);
        if rho == 0.0 || share == 0.0 {
            return PointWater::default();
        }
        let (steady, shear) = current(water, -height);
        let (given, fluid_acceleration) =
            fluid.map_or((Vec3::zeros(), Vec3::zeros()), |fluid| (fluid.velocity.into(), fluid.acceleration.into()));
        let u = steady + given - velocity;
        let speed = u.norm();
        let drag = 0.5 * rho * self.cda;
        let mass = rho * self.volume;
        let own = if self.on_body { 0.0 } else { mass };
        let whole = (acceleration - fluid_acceleration) * (mass * self.ca) + (gravity - fluid_acceleration) * own
            - u * (drag * speed);
        let mut damping = Mat3::identity() * (drag * speed * share);
        if speed > 0.0 {
            damping += u * u.transpose() * (drag * share / speed);
        }
        // The depth decreases with z, and with it the share and, in a sheared current, the speed.
        let mut column = whole * -share_slope;
        if let Some(slope) = shear {
            column += damping * slope;
        }
        let mut stiffness = Mat3::zeros();
        stiffness.set_column(2, &column);
        PointWater { residual: whole * share, mass: mass * self.ca * share, damping, stiffness }
    }

    /// Kinetic energy of the water that moves with the point, by its added mass.
    pub fn kinetic_energy(&self, height: f64, velocity: &Vec3, water: &Water, elevation: f64) -> f64 {
        let (share, _) = submerged(elevation - height, self.radius());
        0.5 * water.density * self.volume * self.ca * share * velocity.norm_squared()
    }

    /// Potential energy of the buoyancy; `gravity` is the component of gravity along z.
    pub fn energy(&self, height: f64, gravity: f64, water: &Water, elevation: f64) -> f64 {
        if self.on_body {
            return 0.0;
        }
        let (radius, depth) = (self.radius(), elevation - height);
        let primitive = if depth >= radius {
            depth
        } else if depth <= -radius {
            0.0
        } else {
            let x = (depth + radius) / (2.0 * radius);
            2.0 * radius * x * x * x * (1.0 - 0.5 * x)
        };
        -water.density * self.volume * gravity * primitive
    }

    /// Radius of a sphere of the point's volume or, for a point that has drag only, of a disk of
    /// its drag area.
    fn radius(&self) -> f64 {
        let pi = std::f64::consts::PI;
        if self.volume > 0.0 { (0.75 * self.volume / pi).cbrt() } else { (self.cda / pi).sqrt() }
    }
}

/// Submerged share of a sphere whose centre is at this depth, and its derivative.
fn submerged(depth: f64, radius: f64) -> (f64, f64) {
    if depth >= radius {
        (1.0, 0.0)
    } else if depth <= -radius {
        (0.0, 0.0)
    } else {
        let x = (depth + radius) / (2.0 * radius);
        (x * x * (3.0 - 2.0 * x), 3.0 * x * (1.0 - x) / radius)
    }
}
