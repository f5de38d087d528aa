//! Memory of machines while their modes are decided.

use super::contacts::Level;
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
    /// What the reaction of its joint adds to friction.
    pub load: f64,
    /// Rate of the gap before impulses.
    pub approach: f64,
    /// The part of it that restitution gives back; 0 of what rests.
    pub rebound: f64,
    /// The impulse of a pass: of a stop away from it, of a lock on the coordinate.
    pub impulse: f64,
    /// The sum of the impulses of all passes.
    pub hit: f64,
    /// Whether it moves away in its free direction, and takes no part in the pass.
    pub separates: bool,
    /// The sign on the coordinate of an impulse of 1.
    pub sign: f64,
    /// Whether an impulse of friction stops a contact.
    pub halts: bool,
    /// Force or impulse of a contact in its tangent plane.
    pub tangential: Vec3,
    /// W for the axes of that plane: xx, xy, yy; NaN until it is known.
    pub compliance: [f64; 3],
    /// Whether the force that `descent` may change on the coordinate is that of a resting stop.
    pub rests: bool,
    /// What `descent` may change: the force or impulse on the coordinate, with its bounds, and that
    /// in the tangent plane.
    pub free: (Option<[f64; 2]>, bool),
    /// Minus the rates of what is free, which are to become zero.
    pub residual: Unknowns,
    /// W times the direction.
    pub image: Unknowns,
    /// The direction of the search.
    pub direction: Unknowns,
}

/// Numbers of one machine, along its coordinate and in the tangent plane of a contact.
#[derive(Debug, Clone, Copy)]
pub struct Unknowns {
    /// Along the coordinate.
    pub along: f64,
    /// In the plane.
    pub across: Vec3,
}

impl Unknowns {
    /// Zero.
    pub const NONE: Unknowns = Unknowns { along: 0.0, across: Vec3::new(0.0, 0.0, 0.0) };

    /// The scalar product.
    pub fn dot(&self, other: &Unknowns) -> f64 {
        self.along * other.along + self.across.dot(&other.across)
    }

    /// Adds a multiple of others.
    pub fn add(&mut self, factor: f64, other: &Unknowns) {
        self.along += factor * other.along;
        self.across += other.across * factor;
    }
}

impl MachineWork {
    /// Nothing known.
    pub const NONE: MachineWork = MachineWork {
        before: Modes::NONE,
        inverse_mass: f64::NAN,
        forces: [0.0; 2],
        load: 0.0,
        approach: 0.0,
        rebound: 0.0,
        impulse: 0.0,
        hit: 0.0,
        separates: false,
        sign: 1.0,
        halts: false,
        tangential: Vec3::new(0.0, 0.0, 0.0),
        compliance: [f64::NAN; 3],
        rests: false,
        free: (None, false),
        residual: Unknowns::NONE,
        image: Unknowns::NONE,
        direction: Unknowns::NONE,
    };

    /// The force or impulse on the coordinate that `descent` may change.
    pub fn along(&self, level: Level) -> f64 {
        if level == Level::Velocity { self.impulse } else { self.forces[usize::from(self.rests)] }
    }

    /// Changes it.
    pub fn along_mut(&mut self, level: Level) -> &mut f64 {
        if level == Level::Velocity { &mut self.impulse } else { &mut self.forces[usize::from(self.rests)] }
    }

    /// The residual over the diagonal of W, of what is free.
    pub fn scaled_residual(&self) -> Unknowns {
        let Unknowns { along, across } = self.residual;
        Unknowns {
            along: if self.free.0.is_some() { along / self.inverse_mass } else { 0.0 },
            across: if self.free.1 { across / self.inverse_mass_across() } else { Vec3::zeros() },
        }
    }

    /// What the curvature along the direction would be by the diagonal of W.
    pub fn curvature_alone(&self) -> f64 {
        let Unknowns { along, across } = self.direction;
        let of_gap = if self.free.0.is_some() { self.inverse_mass * along * along } else { 0.0 };
        let of_plane = if self.free.1 { self.inverse_mass_across() * across.norm_squared() } else { 0.0 };
        of_gap + of_plane
    }

    /// The mean of 1/mass in the tangent plane.
    fn inverse_mass_across(&self) -> f64 {
        let [xx, _, yy] = self.compliance;
        0.5 * (xx + yy)
    }
}
