//! Force elements between bodies, and markers where the host applies loads and reads motions.

use crate::spatial::{Mat6, Pose, Vec3};

/// A spring with a damper between two points; None stands for the ground.
#[derive(Debug, Clone)]
pub struct Spring {
    /// First body.
    pub body_a: Option<usize>,
    /// Point on it, body axes.
    pub point_a: Vec3,
    /// Second body.
    pub body_b: Option<usize>,
    /// Point on it, body axes.
    pub point_b: Vec3,
    /// Force per length.
    pub stiffness: f64,
    /// Force per rate of length.
    pub damping: f64,
    /// Length without force.
    pub rest_length: f64,
    /// A rope: pulls, never pushes.
    pub tension_only: bool,
}

/// A 6x6 spring with damper between two frames; None stands for the ground.
#[derive(Debug, Clone)]
pub struct Bushing {
    /// First body.
    pub body_a: Option<usize>,
    /// Second body.
    pub body_b: Option<usize>,
    /// Frame on the first body.
    pub frame_a: Pose,
    /// Frame on the second body.
    pub frame_b: Pose,
    /// Wrench per (displacement, rotation vector), in frame a.
    pub stiffness: Mat6,
    /// Wrench per rates, in frame a.
    pub damping: Mat6,
}

/// A frame on a body for loads and sensors.
#[derive(Debug, Clone)]
pub struct Marker {
    /// The body.
    pub body: usize,
    /// The frame, in body axes.
    pub frame: Pose,
}
