//! A rigid body: mass properties, initial motion.

use crate::elements::InWater;
use crate::spatial::{Pose, RigidInertia, Vec3, Vec6};

/// A rigid body as described.
#[derive(Debug, Clone)]
pub struct Body {
    /// Mass, centre of mass, inertia, in body axes.
    pub inertia: RigidInertia,
    /// Initial (reference) pose.
    pub pose: Pose,
    /// Initial velocity, inertial axes.
    pub velocity: Vec6,
    /// Initial acceleration, used only with option `initial_acceleration` = 1.
    pub acceleration: Vec6,
    /// Whether the host imposes its motion.
    pub prescribed: bool,
    /// What the motion of the water acts on; None if it has no effect on the body.
    pub in_water: Option<InWater>,
    /// The centre of mass as described, body axes, where the inertia has changed since.
    pub centre: Option<Vec3>,
    /// The reference point of the host, from the point whose pose this is, in body axes: zero
    /// unless `Model::placed` has chosen another point.
    pub reference: Vec3,
}

impl Body {
    /// A free body with its initial motion.
    pub fn new(inertia: RigidInertia, pose: Pose, velocity: Vec6, acceleration: Vec6) -> Body {
        let reference = Vec3::zeros();
        Body { inertia, pose, velocity, acceleration, prescribed: false, in_water: None, centre: None, reference }
    }

    /// The point about which a free body moves: its centre of mass as described, body axes.
    pub fn centre(&self) -> Vec3 {
        let described = if self.inertia.mass == 0.0 { Vec3::zeros() } else { self.inertia.eta };
        self.centre.unwrap_or(described)
    }
}
