//! A mass on a node that does not turn, or none on a place of a body, with forces of the water.

use super::line::{Fluid, WetPoint};
use super::{Element, Local, Site, Surroundings};
use crate::spatial::{Mat3, Vec3, add_block, join};

/// A point mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointMass {
    /// Its mass.
    pub mass: f64,
    /// Its properties in water; None if the water has no effect on it.
    pub wet: Option<WetPoint>,
}

impl PointMass {
    fn height(at: &Site, around: &Surroundings) -> f64 {
        at.x.z + around.origin.z
    }

    /// Kinetic energy of the mass, and of its added mass.
    pub fn kinetic_energy(&self, at: &Site, around: &Surroundings) -> f64 {
        let (height, elevation) = (PointMass::height(at, around), elevation(around));
        let water = self.wet.map_or(0.0, |wet| wet.kinetic_energy(height, &at.v, around.water, elevation));
        0.5 * self.mass * at.v.norm_squared() + water
    }
}

impl Element<1> for PointMass {
    const HAS_MASS: bool = true;

    #[inline(always)]
    fn evaluate(&self, [site]: &[Site; 1], around: &Surroundings, _: &[f64], out: &mut Local<1>) {
        let mut force = (site.a - around.gravity) * self.mass;
        let mut mass = self.mass;
        if let Some(wet) = self.wet.filter(|_| around.water.density > 0.0) {
            let height = PointMass::height(site, around);
            let found = wet.residual(height, &site.v, &site.a, &around.gravity, around.water, around.fluid.first());
            force += found.residual;
            mass += found.mass;
            if let Some(tangents) = &mut out.tangents {
                add_block(&mut tangents.damping[0][0], 0, 0, &found.damping);
                add_block(&mut tangents.stiffness[0][0], 0, 0, &found.stiffness);
            }
        }
        out.residual[0] += join(&force, &Vec3::zeros());
        if let Some(own) = &mut out.mass {
            add_block(&mut own[0][0], 0, 0, &(Mat3::identity() * mass));
        }
        out.carry(std::array::from_ref(site));
    }

    fn potential(&self, [site]: &[Site; 1], around: &Surroundings, _: &[f64]) -> f64 {
        let (height, elevation) = (PointMass::height(site, around), elevation(around));
        let buoyancy = self.wet.map_or(0.0, |wet| wet.energy(height, around.gravity.z, around.water, elevation));
        buoyancy - self.mass * around.gravity.dot(&(around.origin + site.x))
    }
}

/// Elevation of the surface over the mean water level, if the host gives it.
fn elevation(around: &Surroundings) -> f64 {
    around.fluid.first().map_or(0.0, |Fluid { elevation, .. }| *elevation)
}
