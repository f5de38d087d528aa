//! The first event of a step: where the event function of a machine falls through zero, or the
//! reaction of a joint reaches its strength.

use super::{MachineOn, Machines};
use crate::elements::machine::{EventFunction, Switch};
use crate::model::{EntityKind, Frame};
use crate::spatial::{lower, upper};
use crate::system::{Sharing, State};

/// The part of its strength to which the reaction at a break is found.
const STRENGTH_TOLERANCE: f64 = 1e-9;

/// A part of a machine that switches, or a joint that breaks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The machine, or the place among the strengths.
    pub machine: usize,
    /// Its part.
    pub switch: Switch,
}

/// The first event of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FirstEvent {
    /// What switches.
    pub hit: Hit,
    /// After which part of the step, by a cubic through values and rates at both ends.
    pub fraction: f64,
}

/// The first place in (0, 1] where a cubic with values and slopes at 0 and 1, not negative at 0,
/// falls below `-tolerance`; None if it does not.
fn first_fall([f0, d0]: [f64; 2], [f1, d1]: [f64; 2], tolerance: f64) -> Option<f64> {
    let rise = f1 - f0;
    let (b, c) = (3.0 * rise - 2.0 * d0 - d1, d0 + d1 - 2.0 * rise);
    let value = |x: f64| f0 + x * (d0 + x * (b + x * c));
    // Zeros of the slope d0 + 2 b x + 3 c x^2.
    let root = (b * b - 3.0 * c * d0).max(0.0).sqrt();
    let sum = -(b + b.signum() * root);
    let mut ends = [sum / (3.0 * c), d0 / sum, 1.0].map(|x| if x > 0.0 && x < 1.0 { x } else { 1.0 });
    ends.sort_by(f64::total_cmp);
    let mut low = 0.0;
    for end in ends {
        if (if end == 1.0 { f1 } else { value(end) }) < -tolerance {
            let mut high = end;
            // Bisections: doubles have 53 bits.
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if value(middle) >= 0.0 { low = middle } else { high = middle }
            }
            return Some(high);
        }
        low = end;
    }
    None
}

impl Machines<'_> {
    /// The first event between the start and the end of an internal step of length h, in which no
    /// mode changed. `time` makes displacements of rates; `sharing` keeps reactions of loops.
    pub fn first_event(self, [from, to]: [&State; 2], [h, time]: [f64; 2], sharing: &Sharing) -> Option<FirstEvent> {
        let mut first: Option<FirstEvent> = None;
        for machine in 0..self.0.machines.len() {
            for switch in Switch::ALL {
                let fraction = self.event_in_step(Hit { machine, switch }, [from, to], [h, time]);
                if let Some(fraction) = fraction.filter(|x| first.is_none_or(|first| *x < first.fraction)) {
                    first = Some(FirstEvent { hit: Hit { machine, switch }, fraction });
                }
            }
        }
        for place in 0..self.0.strengths.len() {
            let [start, end] = [from, to].map(|state| self.strength_left(place, state, sharing));
            let fraction = if start > 0.0 { start / (start - end) } else { 0.0 };
            if (start <= 0.0 || end <= 0.0) && first.is_none_or(|first| fraction < first.fraction) {
                first = Some(FirstEvent { hit: Hit { machine: place, switch: Switch::Strength }, fraction });
            }
        }
        first
    }

    /// What is left of the strength of a joint, as part of it.
    fn strength_left(self, place: usize, state: &State, sharing: &Sharing) -> f64 {
        let (joint, strength) = self.0.strengths[place];
        let wrench = self.0.joints().reaction(joint, 1, Frame::Inertial, state, sharing);
        let norms = [upper(&wrench).norm(), lower(&wrench).norm()];
        let left = |(norm, strength): (f64, f64)| if strength > 0.0 { 1.0 - norm / strength } else { -1.0 };
        norms.into_iter().zip(strength).map(left).fold(1.0, f64::min)
    }

    fn event_in_step(self, hit: Hit, [from, to]: [&State; 2], [h, time]: [f64; 2]) -> Option<f64> {
        let inside = self.is_inside(hit, from);
        let [start, end] = [from, to].map(|state| self.event_function(hit, state, time, inside));
        let (start, end) = (start?, end?);
        // What begins below zero counts from that level until it is clear.
        let level = start.value.min(0.0);
        let [f0, f1] = [start.value - level, end.value - level];
        let slope = f1 - f0;
        let [d0, d1] = [start.rate, end.rate].map(|rate| rate.map_or(slope, |rate| h * rate));
        match f0 <= 0.0 && d0 <= 0.0 && f1 < 0.0 {
            true => Some(0.0),
            false => first_fall([f0, d0], [f1, d1], start.tolerance),
        }
    }

    /// The event function of a part at the end of a step that began at `from`, and the size of
    /// values that count as zero.
    pub fn event_value(self, hit: Hit, [from, to]: [&State; 2], time: f64, sharing: &Sharing) -> [f64; 2] {
        if hit.switch == Switch::Strength {
            return [self.strength_left(hit.machine, to, sharing), STRENGTH_TOLERANCE];
        }
        let inside = self.is_inside(hit, from);
        let value = |state| self.event_function(hit, state, time, inside);
        match (value(from), value(to)) {
            (Some(start), Some(end)) => [end.value - start.value.min(0.0), end.tolerance],
            _ => [f64::INFINITY, 0.0],
        }
    }

    /// The entity on which something switches.
    pub fn entity(self, hit: Hit) -> Option<(EntityKind, usize)> {
        if hit.switch == Switch::Strength {
            return self.0.strengths.get(hit.machine).map(|(joint, _)| (EntityKind::Joint, *joint));
        }
        Some(match self.0.machines.get(hit.machine)?.on {
            MachineOn::Joint(joint, _) => (EntityKind::Joint, joint),
            MachineOn::Contact(contact) | MachineOn::Resistance(contact, _) => (EntityKind::Contact, contact),
            MachineOn::Clutch(clutch) => (EntityKind::Clutch, clutch),
        })
    }

    pub(super) fn is_inside(self, Hit { machine, switch }: Hit, state: &State) -> bool {
        let (Some(stop), Switch::Stop(which)) = (self.law(machine).stop, switch) else { return false };
        if stop.bounds[which].is_infinite() {
            return false;
        }
        let [q, qdot, _] = self.motion(machine, state);
        stop.indentation(which, [q, qdot])[0] > 0.0
    }

    pub(super) fn event_function(self, hit: Hit, state: &State, time: f64, inside: bool) -> Option<EventFunction> {
        let Hit { machine, switch } = hit;
        if switch == Switch::Grip && self.rub_of(machine).is_some() {
            return self.contact_event(machine, state, time);
        }
        let law = self.law(machine);
        if !law.has(switch) {
            return None;
        }
        let modes = self.modes(machine, state);
        law.event(switch, &modes, self.motion(machine, state), (self.unit(machine), time), inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubic_falls_at_its_first_root() {
        // (x - 0.25)(x - 0.5)(x - 2), mirrored: 0.25 is the first fall.
        let value = |x: f64| -(x - 0.25) * (x - 0.5) * (x - 2.0);
        let slope = |x: f64| -((x - 0.5) * (x - 2.0) + (x - 0.25) * (x - 2.0) + (x - 0.25) * (x - 0.5));
        let found = first_fall([value(0.0), slope(0.0)], [value(1.0), slope(1.0)], 1e-12);
        assert!((found.unwrap() - 0.25).abs() < 1e-14);
        // A throw from zero returns at 0.5: x (0.5 - x).
        let found = first_fall([0.0, 0.5], [-0.5, -1.5], 1e-12);
        assert!((found.unwrap() - 0.5).abs() < 1e-14);
        // A dip below zero between two ends above: (x - 0.5)^2 - 0.01.
        let found = first_fall([0.24, -1.0], [0.24, 1.0], 1e-12);
        assert!((found.unwrap() - 0.4).abs() < 1e-14);
        // A straight line, and one that stays above.
        assert!((first_fall([1.0, -2.0], [-1.0, -2.0], 0.0).unwrap() - 0.5).abs() < 1e-15);
        assert_eq!(first_fall([1.0, -0.5], [0.5, -0.5], 0.0), None);
        assert_eq!(first_fall([0.0, 0.0], [0.0, 0.0], 0.0), None);
    }
}
