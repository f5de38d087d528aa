//! The seabed under a node: spring and damper that set in smoothly, and friction that sticks.
//!
//! Spring and damper grow from zero over a smoothing depth, and the sum never pulls: so force and
//! residual are continuous at touch-down and lift-off, whatever the speed. A damper that is there
//! at once makes the force jump by `c v`, and the equations of an implicit step need not have a
//! solution then. Friction is a spring to a stick point that follows when the node is farther from
//! it than the distance of slip: it holds still for ever, which friction by velocity does not.
//!
//! Where the depth is that of a grid, `h(x, y)` the height of the bed, the penetration is `p = h -
//! z` and the energy a function of p alone. With `n = (-dh/dx, -dh/dy, 1)`, which is normal to the
//! bed, the force is `B n`, and friction acts along the bed up to the friction coefficient times
//! `B |n|`.

use super::Water;
use super::bathymetry::{Bathymetry, Surface};
use super::lanes::Two;
use crate::spatial::{Mat3, Vec3};

/// The seabed as a line of one diameter meets it.
#[derive(Debug, Clone, Copy)]
pub struct Seabed<'a> {
    /// Its z in the coordinates of positions, without a grid.
    level: f64,
    /// Its depths on a grid, and what is to be added to positions for its coordinates.
    grid: Option<&'a Bathymetry>,
    origin: Vec3,
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

/// The bed under a node.
#[derive(Debug, Clone, Copy)]
pub struct Ground {
    /// How deep the node is in it.
    pub penetration: f64,
    /// Normal to it, upward, with 1 along z: minus the derivative of the penetration by the
    /// position.
    pub normal: Vec3,
    /// Derivatives of the slopes: xx, xy, yy.
    curvature: [f64; 3],
}

/// Level ground.
const LEVEL: Vec3 = Vec3::new(0.0, 0.0, 1.0);

/// A force of the bed on a node, and its tangents: minus its derivatives by position and velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Push {
    /// The force.
    pub force: Vec3,
    /// Minus its derivative by the position.
    pub stiffness: Mat3,
    /// Minus its derivative by the velocity.
    pub damping: Mat3,
    /// Whether the node came to the bed in the step, or left it.
    pub lands: bool,
}

impl Ground {
    /// How the normal changes with the position.
    fn bend(&self, dx: &Vec3) -> Vec3 {
        let [xx, xy, yy] = self.curvature;
        -Vec3::new(xx * dx.x + xy * dx.y, xy * dx.x + yy * dx.y, 0.0)
    }

    /// The same as a matrix, which is symmetric.
    fn bends(&self) -> Mat3 {
        let [xx, xy, yy] = self.curvature;
        Mat3::new(-xx, -xy, 0.0, -xy, -yy, 0.0, 0.0, 0.0, 0.0)
    }

    /// Velocity away from the bed.
    pub fn rate(&self, v: &Vec3) -> f64 {
        self.normal.dot(v)
    }

    /// The place nearest to a node at x on the plane that touches the bed there.
    fn foot(&self, x: &Vec3) -> Vec3 {
        x + self.normal * (self.penetration / self.normal.norm_squared())
    }

    /// From a stick point to the foot of a node at x, along the bed.
    fn slid(&self, x: &Vec3, stick: &[f64; 2]) -> Vec3 {
        let foot = self.foot(x);
        let (a, b) = (foot.x - stick[0], foot.y - stick[1]);
        Vec3::new(a, b, -(self.normal.x * a + self.normal.y * b))
    }

    /// The pressure of a contact on an area of a node that moves with v.
    pub fn push(&self, contact: &Contact, area: f64, v: &Vec3) -> Push {
        let n = self.normal;
        let by_place = n * (area * contact.stiffness) + self.bend(v) * (area * contact.damping);
        Push {
            force: n * (area * contact.pressure),
            stiffness: n * by_place.transpose() - self.bends() * (area * contact.pressure),
            damping: n * n.transpose() * (area * contact.damping),
            lands: false,
        }
    }
}

impl<'a> Seabed<'a> {
    /// The bed of these waters, if there is one; `origin` as in [`super::Around`].
    pub fn new(water: &'a Water, origin: Vec3, diameter: f64) -> Option<Seabed<'a>> {
        water.has_bed().then_some(Seabed {
            level: -water.depth - origin.z,
            grid: water.bathymetry.as_deref(),
            origin,
            stiffness: water.stiffness,
            damping: water.damping,
            smoothing: water.smoothing.min(diameter),
            friction: water.friction,
            slip: water.slip,
            adhesion: water.adhesion,
        })
    }

    /// Whether its depth is that of a grid.
    #[inline(always)]
    pub(super) fn has_grid(&self) -> bool {
        self.grid.is_some()
    }

    /// Its z under a node, in the coordinates of positions.
    pub(super) fn height(&self, x: &Vec3) -> f64 {
        self.grid.map_or(self.level, |grid| grid.surface(self.place(x)).height - self.origin.z)
    }

    /// The bed under a node.
    #[inline]
    pub fn ground(&self, x: &Vec3) -> Ground {
        match self.grid {
            None => Ground { penetration: self.level - x.z, normal: LEVEL, curvature: [0.0; 3] },
            Some(grid) => self.sloped(x, &grid.surface(self.place(x))),
        }
    }

    /// The bed under a node over a step: the penetration at its end, the mean normal, and how that
    /// changes with the end.
    pub(super) fn ground_over(&self, from: &Vec3, to: &Vec3) -> Ground {
        match self.grid {
            None => self.ground(to),
            Some(grid) => self.sloped(to, &grid.over(self.place(from), self.place(to))),
        }
    }

    fn place(&self, x: &Vec3) -> [f64; 2] {
        [x.x + self.origin.x, x.y + self.origin.y]
    }

    fn sloped(&self, x: &Vec3, Surface { height, slope: [a, b], curvature }: &Surface) -> Ground {
        let penetration = (height - self.origin.z) - x.z;
        Ground { penetration, normal: Vec3::new(-a, -b, 1.0), curvature: *curvature }
    }

    /// How deep two nodes are in it, if it is level.
    #[inline(always)]
    pub(super) fn penetrations(&self, z: Two) -> Two {
        Two::splat(self.level) - z
    }

    /// How deep a node is in it at rest under a force per area.
    pub(super) fn penetration_under(&self, pressure: f64) -> f64 {
        let (k, delta) = (self.stiffness, self.smoothing);
        let smooth = (2.0 * delta * pressure / k).sqrt();
        if smooth < delta { smooth } else { pressure / k + 0.5 * delta }
    }

    /// Whether nodes on it are held by friction.
    #[inline]
    pub fn holds(&self) -> bool {
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

    /// What it does to one node at some penetration that leaves it at a rate.
    pub fn contact(&self, penetration: f64, rate: f64) -> Contact {
        self.contacts(Two::splat(penetration), Two::splat(rate)).lane(0)
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

    /// What a bed with slopes does to an area of a node over a step of length h, whose velocity is
    /// in its positions; None where it is off the bed.
    pub(super) fn push_over(&self, from: &Vec3, to: &Vec3, h: f64, area: f64) -> Option<Push> {
        let (before, end) = (self.ground(from).penetration, self.ground(to));
        if before.max(end.penetration) <= 0.0 {
            return None;
        }
        let mean = self.ground_over(from, to);
        let contact = self.contacts_over(Two::splat(before), Two::splat(end.penetration), h).lane(0);
        let (n, pressure) = (mean.normal, area * contact.pressure);
        let stiffness = n * (end.normal * (area * contact.stiffness)).transpose() - mean.bends() * pressure;
        let lands = (before > 0.0) != (end.penetration > 0.0);
        Some(Push { force: n * pressure, stiffness, damping: Mat3::zeros(), lands })
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

    /// The place of the bed that is nearest to a node: where its stick point is when nothing holds
    /// it.
    pub fn foot(&self, x: &Vec3) -> [f64; 2] {
        let foot = self.ground(x).foot(x);
        [foot.x, foot.y]
    }

    /// Friction on an area of a node at x that moves with v, those tangents of the pressure among
    /// its own.
    pub fn friction(
        &self,
        (x, v): (&Vec3, &Vec3),
        stick: &[f64; 2],
        ground: &Ground,
        contact: &Contact,
        area: f64,
    ) -> Push {
        let (n, w) = (ground.normal, ground.normal.norm());
        let t = ground.slid(x, stick);
        let distance = t.norm();
        let length = distance.max(self.slip);
        let coefficient = self.friction * area;
        let k = coefficient * w * contact.pressure / length;
        // How t, the pressure and |n| change with the position; the pressure with the velocity,
        // too.
        let (level, part) = (t - LEVEL * t.z, 1.0 / (w * w));
        let rise = n - LEVEL;
        let lowers = n * part + ground.bend(&n) * (2.0 * part * part * ground.penetration);
        let mut slides = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, 0.0)) - rise * lowers.transpose()
            + ground.bends() * (part * ground.penetration);
        slides -= LEVEL * (slides.transpose() * n + ground.bend(&level)).transpose();
        if distance > self.slip {
            let unit = t / distance;
            slides -= unit * (slides.transpose() * unit).transpose();
        }
        let by_rate = n * contact.stiffness + ground.bend(v) * contact.damping;
        let by_place = ground.bend(&n) * (contact.pressure / w) - by_rate * w;
        let direction = t * (coefficient / length);
        Push {
            force: t * -k,
            stiffness: slides * k + direction * by_place.transpose(),
            damping: direction * (n * (-w * contact.damping)).transpose(),
            lands: false,
        }
    }

    /// Where the stick point of a node is after a step that ended at x: it follows when the node
    /// slips, and goes with a node that has left the bed.
    #[inline]
    pub fn settled(&self, x: &Vec3, stick: [f64; 2]) -> [f64; 2] {
        let ground = self.ground(x);
        let foot = ground.foot(x);
        if !self.holds() || ground.penetration <= 0.0 {
            return [foot.x, foot.y];
        }
        let (a, b) = (foot.x - stick[0], foot.y - stick[1]);
        let distance = ground.slid(x, &stick).norm();
        if distance <= self.slip {
            return stick;
        }
        let back = self.slip / distance;
        [foot.x - back * a, foot.y - back * b]
    }
}
