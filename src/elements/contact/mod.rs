//! Contact of a sphere on b with a plane, a sphere or the inside of a sphere on a.
//!
//! The gap g is the coordinate of a stop (`elements::machine`), whose laws give the normal force
//! N, which is not negative. Dry friction acts in the tangent plane at the point of the sphere that
//! is nearest, with the rate s at which it slips on a:
//!
//! ```text
//! sticks:  T = -k zeta,              until |T| = holding N
//! slips:   T = -kinetic N s/|s|,     until s has come to rest
//! ```
//!
//! zeta is how far it has been displaced while it stuck, rolling left out; k and the place where
//! zeta = 0 are set where the mode begins, so that T balances what acts. The forces on a and b act
//! at the same point. Rolling and spinning resistance are moments of the same law (`rub`). `touch`
//! has the kinematics, `tangent` the derivatives of the forces.

mod rub;
mod tangent;
mod touch;

pub use rub::Rub;
pub use touch::{LEAST_RATE, Touch};

use super::machine::{Friction, Grip, Machine, Modes, STATES};
use super::stop::{Stop, StopLaw};
use super::{Attachment, Description, Element, EntityKind, Facts, Local, OutputNames, Quantity, Site};
use super::{Surroundings, check_not_negative};
use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::pose::check_finite;
use crate::spatial::{Quat, Vec3, join, rotation};

/// What the sphere on b touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Surface {
    /// The plane of x and y of a frame.
    #[default]
    Plane,
    /// A sphere.
    Sphere,
    /// A hollow sphere, in which b is.
    Hollow,
}

impl Surface {
    /// All, in the order of their names.
    pub const ALL: [Surface; 3] = [Surface::Plane, Surface::Sphere, Surface::Hollow];

    /// Names in model files.
    const NAMES: [&'static str; 3] = ["plane", "sphere", "hollow_sphere"];
}

/// Names of laws in model files: none, then those of stops.
const LAWS: [&str; 4] = ["none", StopLaw::Spring.name(), StopLaw::Impulse.name(), StopLaw::Restitution.name()];

/// A contact.
#[derive(Debug, Clone, Default)]
pub struct Contact {
    /// Origin of the frame on a, or centre of the sphere there; centre of the sphere on b.
    pub ends: [Attachment; 2],
    /// Axes of the frame, in those of a.
    pub axes: Quat,
    /// On a.
    pub surface: Surface,
    /// Radii of the spheres; 0 of a plane.
    pub radii: [f64; 2],
    /// The stop on the gap, none if only the gap is of interest. Its friction is in `friction`.
    pub machine: Machine,
    /// Friction in the tangent plane: coefficients, and the displacement while it sticks.
    pub friction: Friction,
    /// Arms of rolling and spinning resistance, if it is described with any.
    pub resistance: Option<[f64; 2]>,
}

/// What friction remembers, in axes of a: its own variables after [`Modes`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Track {
    /// zeta at `place` and `turn` while it sticks; the last rate of slip while it slips.
    pub vector: Vec3,
    /// Position of b in a.
    pub place: Vec3,
    /// Orientation of b in a.
    pub turn: Quat,
}

/// Number of own variables of a contact with a law, and of each resistance.
const OWN: usize = STATES + 10;

impl Track {
    /// At a start.
    pub fn at([a, b]: &[Site; 2], vector: &Vec3) -> Track {
        Track { vector: a.r.tr_mul(vector), place: a.r.tr_mul(&(b.x - a.x)), turn: a.q.inverse() * b.q }
    }

    /// From own variables.
    #[inline(always)]
    pub fn read(z: &[f64]) -> Track {
        let at = |k: usize| Vec3::from_column_slice(&z[STATES + k..STATES + k + 3]);
        let turn = nalgebra::Quaternion::new(z[STATES + 9], z[STATES + 6], z[STATES + 7], z[STATES + 8]);
        Track { vector: at(0), place: at(3), turn: Quat::new_unchecked(turn) }
    }

    /// The turn of b as seen from a since then.
    fn turn_since(&self, [a, b]: &[Site; 2]) -> Vec3 {
        a.r * rotation::log(&(a.q.inverse() * b.q * self.turn.inverse()))
    }

    /// The vector, which turns with a, and the turn of b since then.
    fn turned(&self, at: &[Site; 2]) -> [Vec3; 2] {
        [at[0].r * self.vector, self.turn_since(at)]
    }

    /// To own variables.
    pub fn write(&self, z: &mut [f64]) {
        z[STATES..STATES + 3].copy_from_slice(self.vector.as_slice());
        z[STATES + 3..STATES + 6].copy_from_slice(self.place.as_slice());
        z[STATES + 6..STATES + 10].copy_from_slice(self.turn.coords.as_slice());
    }
}

/// Normal force, force of friction on b, and place where they act.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ContactForces {
    /// The gap; negative inside.
    pub gap: f64,
    /// 0: open, 1: slips, 2: sticks.
    pub mode: i32,
    /// N.
    pub normal: f64,
    /// T, inertial axes.
    pub tangential: Vec3,
    /// The point of the sphere on b that is nearest.
    pub point: Vec3,
    /// Modes of rolling and spinning resistance: 0: open or none, 1: turns, 2: sticks.
    pub resistance_modes: [i32; 2],
    /// The moment of both on b, inertial axes.
    pub moment: Vec3,
}

impl Contact {
    /// Of its gap.
    pub const BOUNDS: [f64; 2] = [0.0, f64::INFINITY];

    /// A contact without a law.
    pub fn new(surface: Surface, places: [&Vec3; 2], axes: Quat, radii: [f64; 2]) -> Contact {
        let ends = places.map(|at| Attachment { at: *at, ..Attachment::default() });
        let (machine, friction) = (Machine::default(), Friction::NONE);
        Contact { ends, axes, surface, radii, machine, friction, resistance: None }
    }

    /// Sets its law: the stop, without bounds, and friction.
    pub fn set_law(&mut self, stop: Option<Stop>, friction: Friction) {
        self.machine.stop = stop.map(|stop| Stop { bounds: Contact::BOUNDS, ..stop });
        self.friction = friction;
    }

    /// Its law: the stop and friction.
    pub fn law(&self) -> Machine {
        Machine { friction: Some(self.friction), stop: self.machine.stop }
    }

    /// Adds the forces of a closed contact, and their derivatives if they are wanted.
    #[inline(never)]
    fn add(&self, at: &[Site; 2], z: &[f64], out: &mut Local<2>) {
        let (touch, modes, track) = (self.touch(at), Modes::read(&z[..STATES]), Track::read(z));
        let normal = self.normal_force(&modes, touch.gap);
        let tangential = self.tangential(Rub::Sliding, (at, &touch), &modes, &track, normal[0]);
        let force = touch.normal * normal[0] + tangential;
        let arms = [touch.relative + touch.lever, touch.lever];
        out.residual[0] += join(&force, &arms[0].cross(&force));
        out.residual[1] -= join(&force, &arms[1].cross(&force));
        for (_, _, moment) in self.moments(at, &touch, z, normal[0]) {
            out.residual[0] += join(&Vec3::zeros(), &moment);
            out.residual[1] -= join(&Vec3::zeros(), &moment);
        }
        if let Some(tangents) = &mut out.tangents {
            self.add_tangents(at, &touch, z, (normal, &force), tangents);
        }
        out.carry(at);
    }

    /// Resistances with their modes and moments on b.
    fn moments<'a>(
        &'a self,
        at: &'a [Site; 2],
        touch: &'a Touch,
        z: &'a [f64],
        normal: f64,
    ) -> impl Iterator<Item = (Rub, Modes, Vec3)> + 'a {
        let described = Rub::RESISTANCES.into_iter().filter(|rub| rub.first() < z.len());
        described.map(move |rub| {
            let own = &z[rub.first()..];
            let (modes, track) = (Modes::read(&own[..STATES]), Track::read(own));
            (rub, modes, self.tangential(rub, (at, touch), &modes, &track, normal))
        })
    }

    /// N, and its derivatives by the gap and its rate.
    pub fn normal_force(&self, modes: &Modes, [gap, rate, _]: [f64; 3]) -> [f64; 3] {
        let force = self.machine.stop_force(modes, [gap, rate]);
        // A step may end a little behind the place where it opens.
        if force[0] > 0.0 { force } else { [0.0; 3] }
    }

    /// k of what begins to stick: its spring moves by the slip at the largest force, as the normal
    /// force is, or would be at an indentation by the slip of sliding where the contact has just
    /// closed.
    pub fn holding_stiffness(&self, rub: Rub, modes: &Modes, gap: [f64; 3]) -> f64 {
        let Friction { holding, slip, .. } = self.friction_of(rub);
        let least = self.machine.stop.map_or(0.0, |stop| stop.elastic(self.friction.slip)[0]);
        holding * self.normal_force(modes, gap)[0].max(least) / slip
    }

    /// All of it at motions of the places.
    pub fn forces(&self, at: &[Site; 2], z: &[f64]) -> ContactForces {
        let touch = self.touch(at);
        let (gap, point) = (touch.gap[0], at[1].x + touch.lever);
        let open = ContactForces { gap, point, ..ContactForces::default() };
        if z.is_empty() {
            return open;
        }
        let modes = Modes::read(&z[..STATES]);
        if modes.closed.is_none() {
            return open;
        }
        let [normal, ..] = self.normal_force(&modes, touch.gap);
        let tangential = self.tangential(Rub::Sliding, (at, &touch), &modes, &Track::read(z), normal);
        let mode = if modes.grip == Grip::Stuck { 2 } else { 1 };
        let mut forces = ContactForces { mode, normal, tangential, ..open };
        for ((_, modes, moment), mode) in self.moments(at, &touch, z, normal).zip(&mut forces.resistance_modes) {
            *mode = match modes.grip {
                Grip::Free => 0,
                Grip::Stuck => 2,
                _ => 1,
            };
            forces.moment += moment;
        }
        forces
    }
}

/// Errors: arms of resistance that are negative or not finite.
pub fn check_resistance([rolling, spinning]: [f64; 2]) -> Result<()> {
    check_not_negative("rolling", rolling)?;
    check_not_negative("spinning", spinning)
}

impl Element<2> for Contact {
    fn states(&self) -> usize {
        match (self.machine.stop, self.resistance) {
            (None, _) => 0,
            (Some(_), None) => OWN,
            (Some(_), Some(_)) => Rub::ALL.len() * OWN,
        }
    }

    fn evaluate(&self, at: &[Site; 2], _: &Surroundings, z: &[f64], out: &mut Local<2>) {
        if !z.is_empty() && Modes::read(&z[..STATES]).closed.is_some() {
            self.add(at, z, out);
        }
    }

    fn potential(&self, at: &[Site; 2], _: &Surroundings, z: &[f64]) -> f64 {
        if z.is_empty() {
            return 0.0;
        }
        let (touch, modes) = (self.touch(at), Modes::read(&z[..STATES]));
        let held: f64 = Rub::ALL.into_iter().filter(|rub| rub.first() < z.len()).fold(0.0, |sum, rub| {
            let own = &z[rub.first()..];
            let modes = Modes::read(&own[..STATES]);
            match modes.grip {
                Grip::Stuck => {
                    let displacement = self.displacement(rub, at, &touch, &Track::read(own));
                    sum + 0.5 * modes.stiffness * displacement.norm_squared()
                }
                _ => sum,
            }
        });
        let [gap, rate, _] = touch.gap;
        let normal = Modes { grip: Grip::Free, ..modes };
        held + self.machine.potential(&normal, [gap, rate])
    }

    fn output_values(&self, at: &[Site; 2], _: &Surroundings, z: &[f64], each: &mut dyn FnMut(f64)) {
        let forces = self.forces(at, z);
        each(forces.gap);
        each(forces.normal);
        forces.tangential.iter().chain(&forces.moment).for_each(|x| each(*x));
    }
}

impl Description for Contact {
    fn kind(&self) -> EntityKind {
        EntityKind::Contact
    }

    fn nodes(&self) -> &[Attachment] {
        &self.ends
    }

    fn nodes_mut(&mut self) -> &mut [Attachment] {
        &mut self.ends
    }

    fn facts(&mut self, facts: &mut dyn Facts) -> Result<()> {
        let mut surface = self.surface as usize;
        facts.choice("surface", &mut surface, &Surface::NAMES)?;
        self.surface = Surface::ALL[surface];
        facts.frame("frame_a", &mut self.ends[0].at, &mut self.axes)?;
        facts.point("centre_b", &mut self.ends[1].at)?;
        facts.number("radius_a", &mut self.radii[0], Some(0.0))?;
        facts.number("radius_b", &mut self.radii[1], Some(0.0))?;
        let mut stop = self.machine.stop.unwrap_or(Stop::NONE);
        let mut law = self.machine.stop.map_or(0, |stop| 1 + stop.law as usize);
        facts.choice("law", &mut law, &LAWS)?;
        let stiffness = if law == 0 { Some(0.0) } else { None };
        facts.number("stiffness", &mut stop.stiffness, stiffness)?;
        facts.number("damping", &mut stop.damping, Some(0.0))?;
        facts.number("restitution", &mut stop.restitution, Some(0.0))?;
        facts.number("exponent", &mut stop.exponent, Some(1.0))?;
        facts.number("kinetic", &mut self.friction.kinetic, Some(0.0))?;
        facts.number("holding", &mut self.friction.holding, Some(self.friction.kinetic))?;
        facts.number("slip", &mut self.friction.slip, Some(0.0))?;
        let mut arms = self.resistance.unwrap_or_default();
        facts.number("rolling", &mut arms[0], Some(0.0))?;
        facts.number("spinning", &mut arms[1], Some(0.0))?;
        if arms != [0.0; 2] {
            self.resistance = Some(arms);
        }
        self.set_law(law.checked_sub(1).map(|law| Stop { law: StopLaw::ALL[law], ..stop }), self.friction);
        Ok(())
    }

    fn check(&self) -> Result<()> {
        let place = if self.surface == Surface::Plane { "frame_a" } else { "centre_a" };
        check_finite(place, self.ends[0].at.as_slice())?;
        check_finite("centre_b", self.ends[1].at.as_slice())?;
        check_not_negative("radius_a", self.radii[0])?;
        check_not_negative("radius_b", self.radii[1])?;
        if self.surface == Surface::Hollow && self.radii[0] <= self.radii[1] {
            let [a, b] = self.radii.map(Number);
            return Err(Error::bad_value("radius_a", format!("{a} does not hold a sphere of radius_b = {b}")));
        }
        self.machine.stop.iter().try_for_each(Stop::check)?;
        if self.machine.stop.is_none() && self.has_friction(Rub::Sliding) {
            return Err(Error::bad_value("holding", "friction needs a law of the normal force".to_owned()));
        }
        if let Some(arms) = self.resistance {
            check_resistance(arms)?;
            if self.machine.stop.is_none() {
                let argument = if arms[0] > 0.0 { "rolling" } else { "spinning" };
                return Err(Error::bad_value(argument, "resistance needs a law of the normal force".to_owned()));
            }
        }
        self.friction.check()
    }

    /// Explicit schemes, which locate no events, refuse it.
    fn stiffness(&self) -> f64 {
        0.0
    }

    fn damping_per_stiffness(&self) -> Option<f64> {
        None
    }

    fn relax(&mut self, _: &[Vec3], _: &Vec3) {
        self.machine = Machine::default();
    }

    fn outputs(&self) -> &'static OutputNames {
        &OutputNames(&[
            ("gap", Quantity::Length),
            ("normal", Quantity::Force),
            ("tangential.x", Quantity::Force),
            ("tangential.y", Quantity::Force),
            ("tangential.z", Quantity::Force),
            ("moment.x", Quantity::Moment),
            ("moment.y", Quantity::Moment),
            ("moment.z", Quantity::Moment),
        ])
    }
}
