//! A rigid body: mass properties, initial motion, and its 6x6 hydrodynamic coefficients.

use super::Frame;
use crate::spatial::{Mat6, Pose, RigidInertia, Vec3, Vec6};

/// A 6x6 matrix about the reference point, constant in the axes of `frame`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameMatrix {
    /// The entries.
    pub matrix: Mat6,
    /// The axes in which they are constant.
    pub frame: Frame,
}

/// Coefficients that may change between steps; None acts as zero.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Hydrodynamics {
    /// Added mass A. Inertial frame: wrench = -A vdot. Body frame: Kirchhoff's equations.
    pub added_mass: Option<FrameMatrix>,
    /// Linear damping C: wrench = -C v.
    pub linear_damping: Option<FrameMatrix>,
    /// Quadratic drag D: wrench_i = -sum_j D_ij v_j |v_j|.
    pub quadratic_drag: Option<FrameMatrix>,
}

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
    /// The reference point of the host from the point whose pose this is, in body axes: zero but where `Model::placed`
    /// chose another point.
    pub reference: Vec3,
}
