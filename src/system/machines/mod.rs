//! Friction and stops on coordinates of joints: where they are, their modes in a state, and what
//! they do. `search` finds the first event of a step, `switch` changes modes there, `holding` finds
//! impulses and what sticks and rests. The laws are in `elements::machine`.

mod holding;
mod search;
mod switch;
mod work;

use super::joints::JointElement;
use super::views::Machines;
use super::{State, System};
use crate::elements::machine::{Grip, LOCKED, Machine, Modes, STATES};
use crate::model::Loads;

pub use search::{FirstEvent, Hit};
#[cfg(test)]
pub use switch::Change;
pub use switch::MachineEvent;
pub use work::MachineWork;

/// Slip distance in place of zero, in model lengths or rad.
const DEFAULT_SLIP: f64 = 1e-6;

/// Rates, as part of the speed at which restitution ends, that count as rest.
const AT_REST: f64 = 1e-4;

/// A machine of the model: its coordinate, and where its own variables begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MachinePlace {
    /// The joint.
    pub joint: usize,
    /// 0: its coordinate, 1: its slide.
    pub which: usize,
    /// In z.
    pub first: usize,
}

/// The places of all machines of a model, whose own variables begin at `first`.
pub fn places(joints: &mut [JointElement], mut first: usize) -> Vec<MachinePlace> {
    let mut places = Vec::new();
    for (joint, element) in joints.iter_mut().enumerate() {
        for which in 0..2 {
            if let Some((_, place)) = element.machine_mut(which) {
                *place = first;
                places.push(MachinePlace { joint, which, first });
                first += STATES;
            }
        }
    }
    places
}

/// Numbers for decisions.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Rate, in model lengths or radians per time, below which nothing bounces.
    pub rest_speed: f64,
    /// Time that makes displacements of rates.
    pub time: f64,
}

impl Machines<'_> {
    /// Whether there are any.
    #[inline(always)]
    pub fn are_any(self) -> bool {
        !self.0.machines.is_empty()
    }

    /// How many.
    pub fn count(self) -> usize {
        self.0.machines.len()
    }

    /// The index of a machine; None if the coordinate has none.
    pub fn find(self, joint: usize, which: usize) -> Option<usize> {
        self.0.machines.binary_search_by_key(&(joint, which), |place| (place.joint, place.which)).ok()
    }

    /// The modes of a machine, and the forces of friction and stops on its coordinate.
    pub fn forces(self, machine: usize, state: &State) -> (Modes, [f64; 2]) {
        let (modes, [q, qdot, _]) = (self.modes(machine, state), self.motion(machine, state));
        let law = self.law(machine);
        (modes, [law.friction_force(&modes, [q, qdot])[0], law.stop_force(&modes, [q, qdot])[0]])
    }

    /// The longest internal step that closed stops allow.
    pub fn longest_step(self, state: &State) -> f64 {
        let of = |machine| match self.modes(machine, state).longest {
            0.0 => f64::INFINITY,
            longest => longest,
        };
        (0..self.0.machines.len()).map(of).fold(f64::INFINITY, f64::min)
    }

    /// Whether the brakes differ from those that the modes belong to.
    pub fn brakes_changed(self, state: &State, loads: &Loads) -> bool {
        (0..self.0.machines.len()).any(|machine| self.modes(machine, state).brake != self.brake(machine, loads))
    }

    /// Ends an internal step of length h, in which no mode changed.
    pub fn advance(self, from: &State, to: &mut State, h: f64) {
        for machine in 0..self.0.machines.len() {
            let mut modes = self.modes(machine, to);
            modes.left = (modes.left - h).max(0.0);
            if modes.left == 0.0 {
                modes.longest = 0.0;
            }
            if let (Some(friction), Grip::Forwards | Grip::Backwards) = (self.law(machine).friction, modes.grip) {
                let [before, after] = [from, &*to].map(|state| self.motion(machine, state)[0]);
                modes.dissipated += (friction.kinetic + modes.brake) * (after - before).abs();
            }
            self.set(machine, &modes, to);
        }
    }

    /// A coordinate, its rate and its acceleration.
    fn motion(self, machine: usize, state: &State) -> [f64; 3] {
        let MachinePlace { joint, which, .. } = self.0.machines[machine];
        let element = &self.0.joints[joint];
        let [a, b] = self.0.end_motions(element.ends(), state);
        match which {
            0 => element.coordinate([&a, &b], state.coordinates[joint]),
            _ => element.slide([&a, &b]),
        }
        .unwrap_or_default()
    }

    /// The law of a machine.
    fn law(&self, machine: usize) -> &Machine {
        let MachinePlace { joint, which, .. } = self.0.machines[machine];
        match self.0.joints[joint].machine(which) {
            Some((machine, _)) => machine,
            None => &Machine { friction: None, stop: None },
        }
    }

    fn modes(self, machine: usize, state: &State) -> Modes {
        let first = self.0.machines[machine].first;
        Modes::read(&state.z[first..first + STATES])
    }

    fn set(self, machine: usize, modes: &Modes, state: &mut State) {
        let first = self.0.machines[machine].first;
        modes.write(&mut state.z[first..first + STATES]);
    }

    fn brake(self, machine: usize, loads: &Loads) -> f64 {
        let MachinePlace { joint, which, .. } = self.0.machines[machine];
        // Own variables are finite.
        [&loads.joints, &loads.slides][which][joint].brake.min(LOCKED)
    }

    /// Length of the model, or a radian.
    fn unit(self, machine: usize) -> f64 {
        let MachinePlace { joint, which, .. } = self.0.machines[machine];
        if which == 0 && self.0.joints[joint].has_angle() { 1.0 } else { self.0.scales.length }
    }

    /// Rates that count as rest.
    fn slow(self, machine: usize, rules: &Rules) -> f64 {
        AT_REST * rules.rest_speed * self.unit(machine)
    }
}

impl System {
    /// Gives friction without a slip distance the default.
    pub(super) fn set_default_slips(&mut self) {
        for place in self.machines.clone() {
            let unit = if place.which == 0 && self.joints[place.joint].has_angle() { 1.0 } else { self.scales.length };
            if let Some((Machine { friction: Some(friction), .. }, _)) =
                self.joints[place.joint].machine_mut(place.which)
                && friction.slip == 0.0
            {
                friction.slip = DEFAULT_SLIP * unit;
            }
        }
    }

    /// Number of own variables of machines.
    pub(super) fn machine_states(joints: &[crate::model::Joint]) -> usize {
        STATES * joints.iter().flat_map(|joint| &joint.machines).filter(|machine| !machine.is_none()).count()
    }
}
