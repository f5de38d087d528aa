//! Markers: frames on bodies for loads and sensors of the host.

use crate::spatial::Pose;

/// A frame on a body for loads and sensors.
#[derive(Debug, Clone)]
pub struct Marker {
    /// The body.
    pub body: usize,
    /// The frame, in body axes.
    pub frame: Pose,
}
