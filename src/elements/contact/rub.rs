//! What friction of a contact acts against: the slip of the nearest point, which gives a force in
//! the tangent plane, and the relative angular velocity in that plane and about the normal, which
//! give moments (rolling and spinning resistance).
//!
//! All three have one law for a vector s: what slips has a force or moment -limit N s/|s|, what
//! sticks a spring that holds up to limit N. The limit is a coefficient of friction, or the arm of
//! the resistance.

use super::{Contact, OWN};
use crate::elements::machine::Friction;
use crate::spatial::Vec3;
use crate::spatial::axes::axes_about;

/// Turn of what holds by its resistance under the largest moment, in rad.
const HOLDING_TURN: f64 = 1e-6;

/// What friction acts against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rub {
    /// The slip of the nearest point.
    Sliding,
    /// The relative angular velocity in the tangent plane.
    Rolling,
    /// The relative angular velocity about the normal.
    Spinning,
}

impl Rub {
    /// All, in the order of their own variables.
    pub const ALL: [Rub; 3] = [Rub::Sliding, Rub::Rolling, Rub::Spinning];

    /// Those with a moment.
    pub const RESISTANCES: [Rub; 2] = [Rub::Rolling, Rub::Spinning];

    /// Where its own variables are among those of a contact.
    pub const fn first(self) -> usize {
        self as usize * OWN
    }

    /// The part of a vector that it acts on.
    pub fn part(self, x: &Vec3, normal: &Vec3) -> Vec3 {
        match self {
            Rub::Sliding | Rub::Rolling => x - normal * normal.dot(x),
            Rub::Spinning => normal * normal.dot(x),
        }
    }

    /// Unit vectors of its directions; the second one is zero where there is one direction.
    pub fn axes(self, normal: &Vec3) -> [Vec3; 2] {
        if self == Rub::Spinning {
            return [*normal, Vec3::zeros()];
        }
        let plane = axes_about(normal);
        [plane.column(0).into_owned(), plane.column(1).into_owned()]
    }
}

impl Contact {
    /// The law: `kinetic` and `holding` are parts of N, `slip` the displacement while it sticks.
    pub fn friction_of(&self, rub: Rub) -> Friction {
        let [rolling, spinning] = self.resistance.unwrap_or_default();
        let arm = match rub {
            Rub::Sliding => return self.friction,
            Rub::Rolling => rolling,
            Rub::Spinning => spinning,
        };
        Friction { kinetic: arm, holding: arm, slip: HOLDING_TURN, ..Friction::NONE }
    }

    /// Whether there is friction against it.
    pub fn has_friction(&self, rub: Rub) -> bool {
        self.friction_of(rub).holding > 0.0
    }
}
