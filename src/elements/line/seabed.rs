//! The seabed under a node: spring and damper that set in smoothly, and friction that sticks.
//!
//! Spring and damper grow from zero over a smoothing depth, and the sum never pulls: so force and
//! residual are continuous at touch-down and lift-off, whatever the speed. A damper that is there
//! at once makes the force jump by `c v`, and the equations of an implicit step need not have a
//! solution then. Friction is a spring to a stick point that follows when the node is farther from
//! it than the distance of slip: it holds still for ever, which friction by velocity does not.

use super::Water;
use super::lanes::Two;
use crate::spatial::{Mat3, Vec3};

/// The seabed as a line of one diameter meets it.
#[derive(Debug, Clone, Copy)]
pub struct Seabed {
    /// Its z in the coordinates of positions.
    level: f64,
    stiffness: f64,
    damping: f64,
    /// Penetration over which both set in.
    smoothing: f64,
    friction: f64,
    slip: f64,
    /// Part of a pull that acts.
    adhesion: f64,
}

/// Pressures of the bed on two nodes per area, and their derivatives.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contacts {
    /// Upward force B per area.
    pub(super) pressure: Two,
    /// `-dB/dz`.
    pub(super) stiffness: Two,
    /// `-dB/dzdot`.
    pub(super) damping: Two,
}

impl Contacts {
    /// None.
    pub(super) const NONE: Contacts = Contacts { pressure: Two::ZERO, stiffness: Two::ZERO, damping: Two::ZERO };

    /// That of a lane.
    pub(super) fn lane(&self, k: usize) -> Contact {
        let [pressure, stiffness, damping] = [self.pressure, self.stiffness, self.damping].map(|x| x.to_array()[k]);
        Contact { pressure, stiffness, damping }
    }
}

/// The same of one node.
#[derive(Debug, Clone, Copy)]
pub struct Contact {
    /// Upward force B per area.
    pub pressure: f64,
    /// `-dB/dz`.
    pub stiffness: f64,
    /// `-dB/dzdot`.
    pub damping: f64,
}

impl Seabed {
    /// The bed of these waters, if there is one; `origin` as in [`super::Around`].
    pub fn new(water: &Water, origin: f64, diameter: f64) -> Option<Seabed> {
        (water.depth > 0.0).then_some(Seabed {
            level: -water.depth - origin,
            stiffness: water.stiffness,
            damping: water.damping,
            smoothing: water.smoothing.min(diameter),
            friction: water.friction,
            slip: water.slip,
            adhesion: water.adhesion,
        })
    }

    /// How deep a node is in it.
    #[inline]
    pub fn penetration(&self, z: f64) -> f64 {
        self.level - z
    }

    /// The same of two nodes.
    #[inline(always)]
    pub(super) fn penetrations(&self, z: Two) -> Two {
        Two::splat(self.level) - z
    }

    /// Its z in the coordinates of positions.
    pub(super) fn level(&self) -> f64 {
        self.level
    }

    /// How deep a node is in it at rest under a force per area.
    pub(super) fn penetration_under(&self, pressure: f64) -> f64 {
        let (k, delta) = (self.stiffness, self.smoothing);
        let smooth = (2.0 * delta * pressure / k).sqrt();
        if smooth < delta { smooth } else { pressure / k + 0.5 * delta }
    }

    /// Whether nodes on it are held by friction.
    #[inline]
    pub(super) fn holds(&self) -> bool {
        self.friction > 0.0
    }

    /// What it does to two nodes at some penetration; nothing where they are off the bed. Where the
    /// sum would pull, the part of it that adheres is left.
    #[inline(always)]
    pub(super) fn contacts(&self, penetration: Two, zdot: Two) -> Contacts {
        let [k, delta, c] = [self.stiffness, self.smoothing, self.damping].map(Two::splat);
        // Beyond the smoothing depth both have set in.
        let x = (penetration / delta).fast_min(Two::ONE);
        let spring = k * x * (penetration - Two::HALF * delta * x);
        let damper = c * x * x * (Two::splat(3.0) - x - x);
        let damper_slope = Two::splat(6.0) * c * x * (Two::ONE - x) / delta;
        let pressure = spring - damper * zdot;
        let (pushes, touches) = (pressure.simd_gt(Two::ZERO), penetration.simd_gt(Two::ZERO));
        let part = pushes.bitselect(Two::ONE, Two::splat(self.adhesion));
        let acting = |whole: Two| (whole & touches) * part;
        Contacts { pressure: acting(pressure), stiffness: acting(k * x - damper_slope * zdot), damping: acting(damper) }
    }

    /// What it does to one node at a height.
    pub fn contact(&self, z: f64, zdot: f64) -> Contact {
        self.contacts(Two::splat(self.penetration(z)), Two::splat(zdot)).lane(0)
    }

    /// What it does to two nodes over a step of length h between two penetrations: the mean of the
    /// spring over the depths, and a damper on the mean velocity. Where the sum would pull, the
    /// part of it that adheres is left. `stiffness` is the derivative by the penetration at the
    /// end, `damping` zero.
    #[inline(always)]
    pub(super) fn contacts_over(&self, from: Two, to: Two, h: f64) -> Contacts {
        let [k, delta, c] = [self.stiffness, self.smoothing, self.damping].map(Two::splat);
        let (change, per_step) = (to - from, Two::splat(1.0 / h));
        let over = Two::ONE / change;
        // The part of the step in the smooth depths and the part beyond, and whether the end is
        // there. Energy there: k a^3/(6 delta) + k b (b + delta)/2, a and b the depths in each.
        let [smooth_before, smooth] = [from, to].map(|p| p.fast_max(Two::ZERO).fast_min(delta));
        let [deep_before, deep] = [from, to].map(|p| p.fast_max(delta));
        let is_smooth = to.simd_gt(Two::ZERO) & delta.simd_ge(to);
        let is_deep = to.simd_gt(delta);
        let was_smooth = from.simd_gt(Two::ZERO) & delta.simd_ge(from);
        let was_deep = from.simd_gt(delta);
        let stays = !((is_smooth ^ was_smooth) | (is_deep ^ was_deep));
        let part = |ends: [Two; 2], is_there: Two| stays.bitselect(Two::ONE & is_there, (ends[1] - ends[0]) * over);
        let of_smooth = part([smooth_before, smooth], is_smooth) * (k / (Two::splat(6.0) * delta));
        let of_deep = part([deep_before, deep], is_deep) * k * Two::HALF;
        let spring = of_smooth * (smooth * smooth + smooth * smooth_before + smooth_before * smooth_before)
            + of_deep * (deep + deep_before - delta);
        let x = (smooth / delta, smooth_before / delta);
        let spring_at_end = Two::HALF * k * x.0 * smooth + k * (deep - delta);
        let slope_of_stay = of_smooth * (smooth + smooth + smooth_before) + of_deep;
        let spring_slope = stays.bitselect(slope_of_stay, (spring_at_end - spring) * over);
        let damper_at = |x: Two| c * x * x * (Two::splat(3.0) - x - x);
        let damper = Two::HALF * (damper_at(x.0) + damper_at(x.1));
        let damper_slope = Two::splat(3.0) * c * x.0 * (Two::ONE - x.0) / delta;
        let rate = change * per_step;
        let pressure = spring + damper * rate;
        let part = pressure.simd_gt(Two::ZERO).bitselect(Two::ONE, Two::splat(self.adhesion));
        let slope = spring_slope + damper * per_step + damper_slope * rate;
        Contacts { pressure: pressure * part, stiffness: slope * part, damping: Two::ZERO }
    }

    /// Energy of the spring per area.
    pub fn energy(&self, penetration: f64) -> f64 {
        let (k, delta) = (self.stiffness, self.smoothing);
        if penetration <= 0.0 {
            0.0
        } else if penetration < delta {
            k * penetration * penetration * penetration / (6.0 * delta)
        } else {
            // The integral of k (p - delta/2) from delta on, and that of the smooth part.
            0.5 * k * penetration * (penetration - delta) + k * delta * delta / 6.0
        }
    }

    /// Friction's part of a node's residual, for `area` of it, with its derivatives K and C by
    /// position and velocity, those of the pressure among them.
    #[inline]
    pub(super) fn friction_tangent(
        &self,
        x: &Vec3,
        stick: &[f64; 2],
        contact: &Contact,
        area: f64,
    ) -> (Vec3, Mat3, Mat3) {
        let (a, b) = (x.x - stick[0], x.y - stick[1]);
        let distance = (a * a + b * b).sqrt();
        let coefficient = self.friction * area;
        let length = distance.max(self.slip);
        let (n, m) = (a / length, b / length);
        let k = coefficient * contact.pressure / length;
        let (kn, cn) = (-coefficient * contact.stiffness, -coefficient * contact.damping);
        let slips = if distance > self.slip { 1.0 } else { 0.0 };
        let stiffness = Mat3::new(
            k * (1.0 - slips * n * n),
            -k * slips * n * m,
            kn * n,
            -k * slips * n * m,
            k * (1.0 - slips * m * m),
            kn * m,
            0.0,
            0.0,
            0.0,
        );
        let damping = Mat3::new(0.0, 0.0, cn * n, 0.0, 0.0, cn * m, 0.0, 0.0, 0.0);
        (Vec3::new(k * a, k * b, 0.0), stiffness, damping)
    }

    /// Where the stick point of a node is after a step that ended at x: it follows when the node
    /// slips, and goes with a node that has left the bed.
    #[inline]
    pub(super) fn settled(&self, x: &Vec3, stick: [f64; 2]) -> [f64; 2] {
        if !self.holds() || self.penetration(x.z) <= 0.0 {
            return [x.x, x.y];
        }
        let (a, b) = (x.x - stick[0], x.y - stick[1]);
        let distance = (a * a + b * b).sqrt();
        if distance <= self.slip {
            return stick;
        }
        let back = self.slip / distance;
        [x.x - back * a, x.y - back * b]
    }
}
