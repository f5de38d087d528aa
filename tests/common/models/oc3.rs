//! The OC3 Hywind spar as one rigid body.
//!
//! Data: Jonkman, Definition of the Floating System for Phase IV of OC3 (NREL/TP-500-47535).

use crate::common::*;

pub const MASS: f64 = 8066048.0;

/// Inertia of platform, tower, nacelle and rotor about the tower's axis in the still water line.
pub fn inertia() -> M6 {
    let (mass, s, c, d) = (MASS, 629157033.5422733, 94000.08901115088, 8756409.874637492);
    [
        [mass, 0.0, 0.0, 0.0, -s, 0.0],
        [0.0, mass, 0.0, s, 0.0, -c],
        [0.0, 0.0, mass, 0.0, c, 0.0],
        [0.0, s, 0.0, 68027390145.333595, 0.0, d],
        [-s, 0.0, c, 0.0, 68016976156.2237, 0.0],
        [0.0, -c, 0.0, d, 0.0, 194333910.89011157],
    ]
}

/// Added mass at infinite frequency, about the same point.
pub fn added_mass() -> M6 {
    let (a, s, r) = (7982662.670101177, 495449188.77231497, 39733122671.79477);
    [
        [a, 0.0, 0.0, 0.0, -s, 0.0],
        [0.0, a, 0.0, s, 0.0, 0.0],
        [0.0, 0.0, 222882.54228366294, 0.0, 0.0, 0.0],
        [0.0, s, 0.0, r, 0.0, 0.0],
        [-s, 0.0, 0.0, 0.0, r, 0.0],
        [0.0; 6],
    ]
}

/// The additional linear damping of the report, yaw included, column-major.
pub fn additional_damping() -> [f64; 36] {
    diagonal([1e5, 1e5, 1.3e5, 0.0, 0.0, 1.3e7])
}
