//! Memory of machines while their modes are decided.

use crate::elements::machine::Modes;
use crate::spatial::Vec3;

/// Memory of one machine while modes are decided.
#[derive(Debug, Clone, Copy)]
pub struct MachineWork {
    /// Modes before the event.
    pub before: Modes,
    /// w; NaN until it is known.
    pub inverse_mass: f64,
    /// Of friction and of the closed stop.
    pub forces: [f64; 2],
    /// Rate of the gap before impulses.
    pub approach: f64,
    /// The impulse: of a stop away from it, of a lock on the coordinate.
    pub impulse: f64,
    /// The sign on the coordinate of an impulse of 1.
    pub sign: f64,
    /// Whether an impulse of friction stops a contact.
    pub halts: bool,
    /// Force or impulse of a contact in its tangent plane.
    pub tangential: Vec3,
    /// W for the axes of that plane: xx, xy, yy; NaN until it is known.
    pub compliance: [f64; 3],
}

impl MachineWork {
    /// Nothing known.
    pub const NONE: MachineWork = MachineWork {
        before: Modes::NONE,
        inverse_mass: f64::NAN,
        forces: [0.0; 2],
        approach: 0.0,
        impulse: 0.0,
        sign: 1.0,
        halts: false,
        tangential: Vec3::new(0.0, 0.0, 0.0),
        compliance: [f64::NAN; 3],
    };
}
