//! Friction and stops on the coordinate of a joint, or on the difference of two: force laws with
//! modes.
//!
//! A mode (stuck, slips forwards, open, closed, ..) does not change inside an internal step, so
//! that Newton's method iterates on smooth laws. Between steps a mode changes where its event
//! function [`Machine::event`] falls through zero.
//!
//! With q the coordinate, and the gap g = q - lower or upper - q of a stop, delta = -g:
//!
//! ```text
//! stuck:                       F = -k (q - q0),  k = (holding + static brake)/slip
//! slips in direction d:        F = -d (kinetic + brake)
//! viscous drag, in any mode:   F = -viscous qdot - quadratic |qdot| qdot
//! stop, law spring:            F = k delta + c ddelta/dt      from g = 0 until F = 0
//! stop, law restitution:       F = k delta^p max(0, 1 + chi ddelta/dt)   from g = 0 until g = 0
//! stop, law impulse:           a jump of velocities; F = k' (delta + level) where it rests
//! ```
//!
//! A clutch has brakes of two capacities: the first limits forces against the coordinate and acts
//! on what slips forwards, the second those along it. The reaction of a joint may add to its
//! friction ([`FrictionLoad`]), with the multipliers of the same time; Newton's matrix leaves that
//! out.
//!
//! The springs of what sticks and rests begin with the force that balances the others: q0 and the
//! level are set where the mode begins, with k' >= k, under which a body moves little by this
//! force. chi = x/v0 gives the restitution e exactly at the speed v0 of closing: m v dv = -k delta
//! (1 + chi v) ddelta on both ways leads to x - ln(1 + x) = -e x - ln(1 - e x).

use super::check_not_negative;
use super::friction_load::FrictionLoad;
use super::stop::{Stop, StopLaw};
use crate::error::{Error, Result};
use crate::number::Number;

/// Number of own variables of a machine.
pub const STATES: usize = 11;

/// The capacity of a brake that holds whatever comes.
pub const LOCKED: f64 = f64::MAX;

/// Friction on a coordinate; forces, or torques for an angle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Friction {
    /// Size of the force while it slips.
    pub kinetic: f64,
    /// Largest size of the force while it sticks.
    pub holding: f64,
    /// Drag per rate.
    pub viscous: f64,
    /// Drag per square of the rate.
    pub quadratic: f64,
    /// Displacement of what sticks under the largest force.
    pub slip: f64,
    /// Capacity of a brake that holds, over the one that slips.
    pub static_ratio: f64,
    /// What the reaction adds.
    pub load: FrictionLoad,
}

/// Friction and stops on one coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Machine {
    /// Friction, with the brake.
    pub friction: Option<Friction>,
    /// Stops.
    pub stop: Option<Stop>,
}

/// Mode of friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grip {
    /// No limit.
    Free,
    /// Held by a spring.
    Stuck,
    /// Slips in the direction of increasing q.
    Forwards,
    /// Slips in the other one.
    Backwards,
}

impl Grip {
    /// d: 1 forwards, -1 backwards, else 0.
    pub fn direction(self) -> f64 {
        match self {
            Grip::Free | Grip::Stuck => 0.0,
            Grip::Forwards => 1.0,
            Grip::Backwards => -1.0,
        }
    }

    /// The slip in the direction of a number.
    pub fn along(x: f64) -> Grip {
        if x < 0.0 { Grip::Backwards } else { Grip::Forwards }
    }
}

/// Modes of a machine, and what its laws remember: its own variables.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Modes {
    /// Of friction.
    pub grip: Grip,
    /// q0.
    pub zero: f64,
    /// k of what sticks.
    pub stiffness: f64,
    /// Capacities of the brake that the modes belong to: against the coordinate, and along it.
    pub brake: [f64; 2],
    /// The closed stop: 0 lower, 1 upper.
    pub closed: Option<usize>,
    /// Law restitution: chi; law impulse: the level.
    pub level: f64,
    /// Law impulse: k' of what rests.
    pub rest: f64,
    /// Longest internal step, for a time; 0: no limit.
    pub longest: f64,
    /// That time.
    pub left: f64,
    /// Work that friction has dissipated while slipping.
    pub dissipated: f64,
    /// What the reaction adds to friction that slips: no own variable, as it follows from the
    /// multipliers.
    pub load: f64,
}

const GRIPS: [Grip; 4] = [Grip::Free, Grip::Stuck, Grip::Forwards, Grip::Backwards];

impl Modes {
    /// Free and open.
    pub const NONE: Modes = Modes {
        grip: Grip::Free,
        zero: 0.0,
        stiffness: 0.0,
        brake: [0.0; 2],
        closed: None,
        level: 0.0,
        rest: 0.0,
        longest: 0.0,
        left: 0.0,
        dissipated: 0.0,
        load: 0.0,
    };

    /// From own variables.
    #[inline(always)]
    pub fn read(z: &[f64]) -> Modes {
        let [grip, zero, stiffness, back, forth, closed, level, rest, longest, left, dissipated] = *z else {
            return Modes::NONE;
        };
        let grip = GRIPS.get(grip as usize).copied().unwrap_or(Grip::Free);
        let closed = (closed as usize).checked_sub(1).filter(|which| *which < 2);
        let brake = [back, forth];
        Modes { grip, zero, stiffness, brake, closed, level, rest, longest, left, dissipated, load: 0.0 }
    }

    /// To own variables.
    pub fn write(&self, z: &mut [f64]) {
        let Modes { grip, zero, stiffness, brake, closed, level, rest, longest, left, dissipated, .. } = *self;
        let closed = closed.map_or(0.0, |which| (which + 1) as f64);
        z.copy_from_slice(&[
            grip as usize as f64,
            zero,
            stiffness,
            brake[0],
            brake[1],
            closed,
            level,
            rest,
            longest,
            left,
            dissipated,
        ]);
    }

    /// Whether a brake without limit holds it.
    pub fn is_locked(&self) -> bool {
        self.grip == Grip::Stuck && self.brake == [LOCKED; 2]
    }

    /// Whether nothing slips in a direction, because the brake has no limit there.
    pub fn blocks(&self, grip: Grip) -> bool {
        match grip {
            Grip::Free | Grip::Stuck => false,
            Grip::Forwards => self.brake[0] == LOCKED,
            Grip::Backwards => self.brake[1] == LOCKED,
        }
    }

    /// Bounds of impulses by a brake without limit; None if there is a limit in both directions.
    pub fn locks(&self) -> Option<[f64; 2]> {
        let [back, forth] = self.brake.map(|brake| if brake == LOCKED { f64::INFINITY } else { 0.0 });
        (back + forth > 0.0).then_some([-back, forth])
    }

    /// The force of what sticks, at a coordinate.
    pub fn holding_force(&self, q: f64) -> f64 {
        if self.grip == Grip::Stuck { -self.stiffness * (q - self.zero) } else { 0.0 }
    }

    /// The force of dry friction that slips; 0 if it does not.
    pub fn slipping_force(&self, friction: &Friction) -> f64 {
        let [back, forth] = self.brake;
        let brake = if self.grip == Grip::Backwards { forth } else { back };
        -self.grip.direction() * (friction.kinetic + brake + self.load)
    }

    /// Lets a coordinate rest on a stop of law impulse at an indentation, for now without a force.
    pub fn rest_on(&mut self, which: usize, stop: &Stop, delta: f64) {
        *self = Modes { closed: Some(which), level: -delta, rest: stop.stiffness, ..*self };
    }

    /// Opens the stop.
    pub fn open(&mut self) {
        *self = Modes { closed: None, level: 0.0, rest: 0.0, longest: 0.0, left: 0.0, ..*self };
    }
}

/// A part of a machine that switches by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// Friction.
    Grip,
    /// The lower (0) or upper (1) stop.
    Stop(usize),
    /// A joint that breaks: no part of a machine.
    Strength,
}

impl Switch {
    /// Those of machines, in the order in which events at one time are handled.
    pub const ALL: [Switch; 3] = [Switch::Grip, Switch::Stop(0), Switch::Stop(1)];
}

/// An event function: it switches where the value falls through zero.
#[derive(Debug, Clone, Copy)]
pub struct EventFunction {
    /// Its value, in units of the coordinate.
    pub value: f64,
    /// Its rate; None: it is taken as linear over a step.
    pub rate: Option<f64>,
    /// Size of values that count as zero.
    pub tolerance: f64,
}

/// Size of coordinates, in model lengths and radians, below which an event function is zero.
pub const EVENT_TOLERANCE: f64 = 1e-11;

/// The same of what sticks, as part of its slip distance.
pub const STUCK_TOLERANCE: f64 = 1e-5;

/// The tolerance of what sticks by a stiffness of its mass, as part of that of others.
const STIFF_TOLERANCE: f64 = 1e-3;

impl Default for Friction {
    fn default() -> Friction {
        Friction::NONE
    }
}

impl Friction {
    /// None, for a brake alone.
    pub const NONE: Friction = Friction {
        kinetic: 0.0,
        holding: 0.0,
        viscous: 0.0,
        quadratic: 0.0,
        slip: 0.0,
        static_ratio: 1.0,
        load: FrictionLoad::NONE,
    };

    /// Errors: a number out of its range, by the name of its argument.
    pub fn check(&self) -> Result<()> {
        let &Friction { kinetic, holding, viscous, quadratic, slip, .. } = self;
        let arguments = ["kinetic", "holding", "viscous", "quadratic", "slip"];
        for (argument, value) in arguments.into_iter().zip([kinetic, holding, viscous, quadratic, slip]) {
            check_not_negative(argument, value)?;
        }
        if holding < kinetic {
            let detail = format!("{} is below kinetic = {}", Number(holding), Number(kinetic));
            return Err(Error::bad_value("holding", detail));
        }
        Ok(())
    }

    /// Largest forces of what sticks, against the coordinate and along it; without limit, LOCKED.
    pub fn limits(&self, modes: &Modes) -> [f64; 2] {
        let holding = self.holding + self.load.static_ratio * modes.load;
        modes.brake.map(|brake| if brake == LOCKED { LOCKED } else { holding + self.static_ratio * brake })
    }

    /// k of what sticks below these limits.
    pub fn stiffness(&self, modes: &Modes) -> f64 {
        let [back, forth] = self.limits(modes);
        back.max(forth) / self.slip
    }

    /// Whether what sticks has a stiffness by its mass, as it has no limit or one that may come to
    /// zero.
    pub fn holds_by_mass(&self, modes: &Modes) -> bool {
        modes.locks().is_some() || self.load.is_any()
    }
}

impl Machine {
    /// Whether nothing is described.
    pub fn is_none(&self) -> bool {
        self.friction.is_none() && self.stop.is_none()
    }

    /// Whether it has a part that may switch.
    pub fn has(&self, switch: Switch) -> bool {
        match switch {
            Switch::Grip => self.friction.is_some(),
            Switch::Stop(which) => self.stop.is_some_and(|stop| stop.bounds[which].is_finite()),
            Switch::Strength => false,
        }
    }

    /// The force of friction on the coordinate, and its derivatives by coordinate and rate.
    pub fn friction_force(&self, modes: &Modes, [q, qdot]: [f64; 2]) -> [f64; 3] {
        let Some(friction) = &self.friction else { return [0.0; 3] };
        let Friction { viscous, quadratic, .. } = *friction;
        let drag = -(viscous + quadratic * qdot.abs()) * qdot;
        let by_rate = -(viscous + 2.0 * quadratic * qdot.abs());
        let k = if modes.grip == Grip::Stuck { modes.stiffness } else { 0.0 };
        [drag + modes.holding_force(q) + modes.slipping_force(friction), -k, by_rate]
    }

    /// The same of the stops.
    pub fn stop_force(&self, modes: &Modes, at: [f64; 2]) -> [f64; 3] {
        let (Some(stop), Some(which)) = (&self.stop, modes.closed) else { return [0.0; 3] };
        let [force, by_delta, by_rate] = stop.force(stop.indentation(which, at), [modes.level, modes.rest]);
        [Stop::sign(which) * force, -by_delta, -by_rate]
    }

    /// The force of both, and its derivatives.
    #[inline(always)]
    pub fn force(&self, modes: &Modes, at: [f64; 2]) -> [f64; 3] {
        let (friction, stop) = (self.friction_force(modes, at), self.stop_force(modes, at));
        std::array::from_fn(|k| friction[k] + stop[k])
    }

    /// Energy of its springs.
    pub fn potential(&self, modes: &Modes, at: [f64; 2]) -> f64 {
        let mut energy = 0.0;
        if modes.grip == Grip::Stuck {
            energy += 0.5 * modes.stiffness * (at[0] - modes.zero).powi(2);
        }
        if let (Some(stop), Some(which)) = (&self.stop, modes.closed) {
            let [delta, _] = stop.indentation(which, at);
            energy += match stop.law {
                StopLaw::Impulse => 0.5 * modes.rest * (delta + modes.level).powi(2),
                _ if stop.exponent == 1.0 => 0.5 * stop.stiffness * delta * delta,
                _ => stop.elastic(delta)[0] * delta / (stop.exponent + 1.0),
            };
        }
        energy
    }

    /// The displacements up to which friction still holds, forwards and backwards, and the size of
    /// those that count as zero.
    fn left_of_grip(&self, friction: &Friction, modes: &Modes, q: f64, tolerance: f64) -> (f64, [f64; 2]) {
        let moved = q - modes.zero;
        if !friction.holds_by_mass(modes) {
            // Of limits that are alike both are the slip, without rounding.
            let [back, forth] = friction.limits(modes);
            let least = back.min(forth) / back.max(forth) * friction.slip;
            let [ahead, behind] = if back < forth { [least, friction.slip] } else { [friction.slip, least] };
            return (tolerance.min(STUCK_TOLERANCE * friction.slip), [ahead - moved, behind + moved]);
        }
        // What holds by a stiffness of its mass is stiff: it lets go a little behind its limit.
        let tolerance = (STIFF_TOLERANCE * tolerance).max(2.0 * f64::EPSILON * q.abs());
        let reach = |limit: f64| if limit == LOCKED { f64::INFINITY } else { limit / modes.stiffness + tolerance };
        let [ahead, behind] = friction.limits(modes).map(reach);
        (tolerance, [ahead - moved, behind + moved])
    }

    /// The direction in which what sticks gives way at its event.
    pub fn gives_way(&self, modes: &Modes, q: f64) -> Grip {
        let friction = self.friction.unwrap_or(Friction::NONE);
        let (_, [forwards, backwards]) = self.left_of_grip(&friction, modes, q, 0.0);
        Grip::along(backwards - forwards)
    }

    /// The event function of a part at a coordinate with its rate and acceleration. `unit`: length
    /// of the model, or a radian. `time`: that makes displacements of rates. `inside`: whether an
    /// open stop has been left with the coordinate still beyond it.
    pub fn event(
        &self,
        switch: Switch,
        modes: &Modes,
        [q, qdot, qddot]: [f64; 3],
        (unit, time): (f64, f64),
        inside: bool,
    ) -> Option<EventFunction> {
        let tolerance = EVENT_TOLERANCE * unit;
        // What sticks rings by its spring, which steps do not resolve: rates say nothing of its way.
        let is_held = self.friction.is_some() && modes.grip == Grip::Stuck;
        let of = |value, rate: Option<f64>| Some(EventFunction { value, rate: rate.filter(|_| !is_held), tolerance });
        match switch {
            Switch::Strength => None,
            Switch::Grip => {
                let friction = self.friction.as_ref()?;
                match modes.grip {
                    Grip::Free => None,
                    Grip::Stuck if modes.is_locked() => None,
                    Grip::Stuck => {
                        let (tolerance, [forwards, backwards]) = self.left_of_grip(friction, modes, q, tolerance);
                        Some(EventFunction { value: forwards.min(backwards), rate: None, tolerance })
                    }
                    slips => of(slips.direction() * qdot * time, Some(slips.direction() * qddot * time)),
                }
            }
            Switch::Stop(which) => {
                let stop = self.stop.as_ref()?;
                let ([delta, rate], sign) = (stop.indentation(which, [q, qdot]), Stop::sign(which));
                // F/k of law spring.
                let lag = stop.damping / stop.stiffness;
                let [pushed, pushed_rate] = [delta + lag * rate, rate - lag * sign * qddot];
                match (modes.closed == Some(which), stop.law) {
                    (true, StopLaw::Spring) => of(pushed, Some(pushed_rate)),
                    (true, StopLaw::Impulse) => of(delta + modes.level, None),
                    (true, StopLaw::Restitution) => of(delta, Some(rate)),
                    (false, StopLaw::Spring) if inside => of(-pushed, Some(-pushed_rate)),
                    (false, _) => of(-delta, Some(-rate)),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn derivatives_of_the_force_are_those_of_differences() {
        let friction =
            Some(Friction { kinetic: 2.0, holding: 3.0, viscous: 0.7, quadratic: 0.4, slip: 0.1, ..Friction::NONE });
        for law in StopLaw::ALL {
            let exponent = if law == StopLaw::Restitution { 1.5 } else { 1.0 };
            let stop =
                Some(Stop { bounds: [-0.4, 0.5], law, stiffness: 50.0, damping: 3.0, restitution: 0.5, exponent });
            let machine = Machine { friction, stop };
            for (k, closed) in [None, Some(0), Some(1)].into_iter().enumerate() {
                for grip in GRIPS {
                    let modes = Modes {
                        grip,
                        zero: 0.05,
                        stiffness: 35.0,
                        brake: [0.5, 0.7],
                        closed,
                        level: 0.3,
                        rest: 40.0,
                        ..Modes::NONE
                    };
                    let at = [[0.1, 0.3], [-0.6, -0.2], [0.7, 0.9]][k];
                    let (h, [_, by_q, by_rate]) = (1e-6, machine.force(&modes, at));
                    let force = |dq: f64, dv: f64| machine.force(&modes, [at[0] + dq, at[1] + dv])[0];
                    // Central differences: h^2 of third derivatives, and rounding/h = 1e-9.
                    assert!((by_q - (force(h, 0.0) - force(-h, 0.0)) / (2.0 * h)).abs() < 1e-7);
                    assert!((by_rate - (force(0.0, h) - force(0.0, -h)) / (2.0 * h)).abs() < 1e-7);
                }
            }
        }
    }

    #[test]
    fn modes_survive_their_numbers() {
        let mut z = [0.0; STATES];
        for grip in GRIPS {
            for closed in [None, Some(0), Some(1)] {
                let numbers = Modes {
                    zero: 1.5,
                    stiffness: 7.0,
                    brake: [2.0, 9.0],
                    level: 3.0,
                    rest: 8.0,
                    longest: 4.0,
                    left: 5.0,
                    dissipated: 6.0,
                    ..Modes::NONE
                };
                let modes = Modes { grip, closed, ..numbers };
                modes.write(&mut z);
                assert_eq!(Modes::read(&z), modes);
            }
        }
        assert_eq!(Modes::read(&[0.0; STATES]), Modes::NONE);
    }
}
