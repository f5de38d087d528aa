//! Points: the node of a mass without rotation.

use super::assembly::Assembly;
use crate::elements::line::{Fluid, WetPoint};
use crate::linear::Assemble;
use crate::model::{Model, Point, Water};
use crate::spatial::{BodyState, Mat3, Mat6, Quat, Vec3, Vec6, add_block, join, skew_skew};

/// A point as the system evaluates it.
#[derive(Debug, Clone)]
pub struct PointElement {
    /// Its own node, or the body that it is attached to.
    pub node: usize,
    /// From there to it, body axes.
    pub arm: Vec3,
    /// Zero where it is attached.
    pub mass: f64,
    /// What the water acts on; None where that is nothing, or it is attached.
    pub wet: Option<WetPoint>,
}

impl PointElement {
    /// From the description and the node of its own.
    pub fn new(point: &Point, node: usize) -> PointElement {
        match point.body() {
            Some(body) => PointElement { node: body, arm: point.position, mass: 0.0, wet: None },
            None => {
                let wet = WetPoint { volume: point.volume, cda: point.cda, ca: point.ca };
                let wet = (wet.volume > 0.0 || wet.cda > 0.0).then_some(wet);
                PointElement { node, arm: Vec3::zeros(), mass: point.mass, wet }
            }
        }
    }

    /// Adds inertia, weight and the load of the host.
    #[inline(always)]
    pub fn assemble<A: Assemble>(&self, assembly: &mut Assembly<A>, load: &Vec3, gravity: &Vec3) {
        let motion = &assembly.motions[self.node];
        if self.arm != Vec3::zeros() {
            let arm = motion.arm(&self.arm);
            assembly.add_residual(self.node, &-join(load, &arm.cross(load)));
            // The arm turns: -d(s x f) = -~f ~s dtheta.
            assembly.add_rotational_stiffness(self.node, &-skew_skew(load, &arm));
            return;
        }
        let force = (motion.vdot - gravity) * self.mass - load;
        assembly.add_residual(self.node, &join(&force, &Vec3::zeros()));
        let mut mass = Mat6::zeros();
        add_block(&mut mass, 0, 0, &(Mat3::identity() * self.mass));
        assembly.add_mass(self.node, &mass);
    }

    /// Adds drag, added mass and buoyancy, where there is water; `origin` leads from the mean water level to where positions are measured from.
    #[inline(always)]
    pub fn assemble_water<A: Assemble>(
        &self,
        assembly: &mut Assembly<A>,
        gravity: &Vec3,
        origin: f64,
        water: &Water,
        fluid: Option<&Fluid>,
    ) {
        let Some(wet) = &self.wet else { return };
        let motion = &assembly.motions[self.node];
        let found = wet.residual(motion.x.z + origin, &motion.v, &motion.vdot, gravity, water, fluid);
        assembly.add_residual(self.node, &join(&found.residual, &Vec3::zeros()));
        let wide = |block: &Mat3| {
            let mut wide = Mat6::zeros();
            add_block(&mut wide, 0, 0, block);
            wide
        };
        assembly.add_mass(self.node, &wide(&(Mat3::identity() * found.mass)));
        if assembly.wants_tangents() {
            assembly.add_damping(self.node, &wide(&found.damping));
            assembly.add_stiffness(self.node, &wide(&found.stiffness));
        }
    }
}

/// The initial state of the node of a point, as of a body that does not turn. The node of an attached point stays at the
/// origin: nothing acts on it.
pub fn initial_state(point: &Point) -> BodyState {
    let free = |v: Vec3| if point.body().is_some() { Vec3::zeros() } else { v };
    let v = join(&free(point.velocity), &Vec3::zeros());
    BodyState { x: free(point.position), q: Quat::identity(), v, vdot: Vec6::zeros() }
}

/// The largest distance of a point of a model from the first one that is not attached to a body.
pub fn extent(model: &Model) -> f64 {
    let places = || model.points.iter().filter(|point| point.body().is_none()).map(|point| point.position);
    let first = places().next().unwrap_or_default();
    places().map(|place| (place - first).norm()).fold(0.0, f64::max)
}
