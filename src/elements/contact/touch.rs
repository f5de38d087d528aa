//! Kinematics of a contact: gap, normal, and the rate at which it slips.

use super::{Contact, Rub, Surface, Track};
use crate::elements::Site;
use crate::elements::machine::{Grip, Modes};
use crate::spatial::{Mat3, Vec3, Vec6, join};

/// Least rate along the last direction of slip in the law, as part of the last rate: a step in
/// which the slip reverses has a force against this direction all the same, and ends at the event
/// in it.
pub const LEAST_RATE: f64 = 0.05;

/// Relative motion at a contact; inertial axes.
#[derive(Debug, Clone, Copy)]
pub struct Touch {
    /// From the place on a to that on b.
    pub relative: Vec3,
    /// n, from a to b.
    pub normal: Vec3,
    /// Its derivative by the place of b in a.
    pub curvature: Mat3,
    /// From the centre on b to the point that is nearest.
    pub lever: Vec3,
    /// The gap, its rate, its acceleration.
    pub gap: [f64; 3],
    /// Velocity of the centre on b as seen from a.
    pub velocity: Vec3,
    /// The same of the nearest point of b.
    pub rate: Vec3,
    /// Its part in the tangent plane, s.
    pub slip: Vec3,
    /// The rate of s as seen from a, in the tangent plane.
    pub slip_rate: Vec3,
    /// Angular velocity of b as seen from a.
    pub spin: Vec3,
    /// Its rate as seen from a.
    pub spin_rate: Vec3,
    /// The rate of n as seen from a.
    pub turning: Vec3,
}

impl Touch {
    /// The rate that friction acts against, before its part is taken.
    pub(super) fn rate_of(&self, rub: Rub) -> Vec3 {
        if rub == Rub::Sliding { self.rate } else { self.spin }
    }

    /// s.
    pub fn slip_of(&self, rub: Rub) -> Vec3 {
        if rub == Rub::Sliding { self.slip } else { rub.part(&self.spin, &self.normal) }
    }

    /// The rate of s as seen from a, in its directions.
    pub fn slip_rate_of(&self, rub: Rub) -> Vec3 {
        let (n, change) = (self.normal, rub.part(&self.spin_rate, &self.normal));
        match rub {
            Rub::Sliding => self.slip_rate,
            Rub::Rolling => change - self.turning * n.dot(&self.spin),
            Rub::Spinning => change + n * self.turning.dot(&self.spin),
        }
    }

    /// Wrenches about the points of both nodes of a force of friction on b at the nearest point, or
    /// a moment on b, and its opposite on a: the gradient of the displacement that it acts against.
    pub fn wrenches(&self, rub: Rub, [a, b]: &[Site; 2], force: &Vec3) -> [Vec6; 2] {
        if rub != Rub::Sliding {
            return [join(&Vec3::zeros(), &-force), join(&Vec3::zeros(), force)];
        }
        let arms = [a.arm + self.relative + self.lever, b.arm + self.lever];
        [join(&-force, &-arms[0].cross(force)), join(force, &arms[1].cross(force))]
    }
}

impl Contact {
    /// The normal at a place of b in a, its derivative by the place, and the gap; all in any axes,
    /// with z of the frame in these.
    fn surface_at(&self, place: &Vec3, z: &Vec3) -> (Vec3, Mat3, f64) {
        let [radius_a, radius_b] = self.radii;
        let distance = place.norm();
        match self.surface {
            Surface::Plane => (*z, Mat3::zeros(), z.dot(place) - radius_b),
            // Centres that meet have no direction.
            Surface::Sphere | Surface::Hollow if distance == 0.0 => (*z, Mat3::zeros(), radius_a - radius_b),
            Surface::Sphere => {
                let n = place / distance;
                (n, (Mat3::identity() - n * n.transpose()) / distance, distance - radius_a - radius_b)
            }
            Surface::Hollow => {
                let n = -place / distance;
                (n, -(Mat3::identity() - n * n.transpose()) / distance, radius_a - radius_b - distance)
            }
        }
    }

    /// At motions of both places.
    #[inline(never)]
    pub fn touch(&self, [a, b]: &[Site; 2]) -> Touch {
        let relative = b.x - a.x;
        let z = a.r * (self.axes * Vec3::z());
        let (normal, curvature, gap) = self.surface_at(&relative, &z);
        let lever = -self.radii[1] * normal;
        let spin = b.omega - a.omega;
        let velocity = b.v - a.v - a.omega.cross(&relative);
        let rate = velocity + spin.cross(&lever);
        let gap_rate = normal.dot(&velocity);
        let slip = rate - normal * normal.dot(&rate);
        // As seen from a, with the acceleration of its place and Coriolis' one.
        let acceleration = b.a
            - a.a
            - a.omegadot.cross(&relative)
            - a.omega.cross(&a.omega.cross(&relative))
            - 2.0 * a.omega.cross(&velocity);
        let turning = curvature * velocity;
        let gap_acceleration = normal.dot(&acceleration) + velocity.dot(&turning);
        let spin_rate = b.omegadot - a.omegadot - a.omega.cross(&spin);
        let change = acceleration + spin_rate.cross(&lever) - self.radii[1] * spin.cross(&turning);
        let slip_rate = change - normal * normal.dot(&change) - turning * normal.dot(&rate);
        Touch {
            relative,
            normal,
            curvature,
            lever,
            gap: [gap, gap_rate, gap_acceleration],
            velocity,
            rate,
            slip,
            slip_rate,
            spin,
            spin_rate,
            turning,
        }
    }

    /// zeta of what sticks, in the directions of its friction.
    pub fn displacement(&self, rub: Rub, at: &[Site; 2], touch: &Touch, track: &Track) -> Vec3 {
        let whole = match rub {
            Rub::Sliding => self.whole_displacement(at, touch, track).0,
            Rub::Rolling | Rub::Spinning => {
                let [turns_along, turn] = track.turned(at);
                turns_along + turn
            }
        };
        rub.part(&whole, &touch.normal)
    }

    /// zeta before it is taken into the tangent plane, with what its derivatives need: its part
    /// that turns with a, the turn of b as seen from a since `track`, and the mean lever meanwhile.
    #[inline(never)]
    pub(super) fn whole_displacement(&self, at: &[Site; 2], touch: &Touch, track: &Track) -> (Vec3, [Vec3; 3]) {
        let a = &at[0];
        let turns_along = a.r * (track.vector - track.place);
        let turn = track.turn_since(at);
        let (before, ..) = self.surface_at(&track.place, &(self.axes * Vec3::z()));
        let lever = 0.5 * (touch.lever - self.radii[1] * (a.r * before));
        (turns_along + touch.relative + turn.cross(&lever), [turns_along, turn, lever])
    }

    /// s with its part v along the last rate of slip kept positive: v from 2 e on, e below zero,
    /// and a parabola between, e a part of the last rate; before its part in the directions of
    /// friction is taken. Then the last direction; what was added, and its derivative by v.
    pub(super) fn slip_direction(a: &Site, slip: &Vec3, track: &Track) -> (Vec3, Vec3, [f64; 2]) {
        let last = track.vector.norm();
        if last == 0.0 {
            return (*slip, Vec3::zeros(), [0.0; 2]);
        }
        let along = a.r * (track.vector / last);
        let (v, e) = (along.dot(slip), LEAST_RATE * last);
        let added = match v {
            _ if v >= 2.0 * e => [0.0; 2],
            _ if v <= 0.0 => [e - v, -1.0],
            _ => [v * v / (4.0 * e) + e - v, v / (2.0 * e) - 1.0],
        };
        (slip + along * added[0], along, added)
    }

    /// Unit vector in which it slips; zero where nothing says.
    #[inline(never)]
    pub fn direction(rub: Rub, at: &[Site; 2], touch: &Touch, track: &Track) -> Vec3 {
        let (whole, ..) = Contact::slip_direction(&at[0], &touch.slip_of(rub), track);
        rub.part(&whole, &touch.normal).try_normalize(f64::MIN_POSITIVE).unwrap_or_default()
    }

    /// T on b with a normal force, or the moment of a resistance.
    #[inline(never)]
    pub fn tangential(
        &self,
        rub: Rub,
        (at, touch): (&[Site; 2], &Touch),
        modes: &Modes,
        track: &Track,
        normal: f64,
    ) -> Vec3 {
        match modes.grip {
            Grip::Free => Vec3::zeros(),
            Grip::Stuck => -modes.stiffness * self.displacement(rub, at, touch, track),
            _ => -self.friction_of(rub).kinetic * normal * Contact::direction(rub, at, touch, track),
        }
    }
}
