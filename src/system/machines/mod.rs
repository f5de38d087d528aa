//! Friction and stops on coordinates of joints, on differences of two of them (clutches) and on
//! gaps of contacts, and resistance to the relative turn there: where they are, their modes in a
//! state, and what they do; and joints that break. `search` finds the first event of a step,
//! `switch` changes modes there, `holding` finds impulses and what sticks and rests, with
//! `descent`, `contacts` has friction in tangent planes, `clutches` the equations of clutches. The
//! laws are in `elements::machine` and `elements::contact`.

mod clutches;
mod contacts;
mod descent;
mod holding;
mod search;
mod switch;
mod work;

use super::joints::JointElement;
use super::views::Machines;
use super::{Environment, State, System};
use crate::elements::contact::Rub;
use crate::elements::machine::{EVENT_TOLERANCE, Friction, Grip, LOCKED, Machine, Modes, STATES};
use crate::elements::stop::{Stop, StopLaw};
use crate::elements::{Connections, Contact, Elements, Tie};
use crate::model::{EntityKind, Hydrodynamics, Loads};
use crate::spatial::Vec6;

pub use clutches::ClutchElement;
pub use search::{FirstEvent, Hit};
#[cfg(test)]
pub use switch::Change;
pub use switch::MachineEvent;
pub use work::MachineWork;

/// Slip distance in place of zero, in model lengths or rad.
const DEFAULT_SLIP: f64 = 1e-6;

/// Rates, as part of the speed at which restitution ends, that count as rest.
const AT_REST: f64 = 1e-4;

/// The coordinate that a machine acts on. Their order is that of events at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MachineOn {
    /// The coordinate (0) or the slide (1) of a joint.
    Joint(usize, usize),
    /// The gap of a contact.
    Contact(usize),
    /// The relative turn at a contact, against which it has a moment.
    Resistance(usize, Rub),
    /// The difference of coordinates of a clutch.
    Clutch(usize),
}

/// Directions in which joints leave less of 1/mass than this part count as held by them.
const HELD: f64 = 1e-12;

/// A machine of the model: its coordinate, and where its own variables begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MachinePlace {
    /// Its coordinate.
    pub on: MachineOn,
    /// In z.
    pub first: usize,
}

/// The places of all machines of a model, in order. Those of joints have their own variables behind
/// those of all elements, those of clutches are the last.
pub fn places(
    joints: &mut [JointElement],
    clutches: &mut [ClutchElement],
    elements: &Elements,
    connections: &Connections,
) -> Vec<MachinePlace> {
    let (mut places, mut first) = (Vec::new(), connections.states());
    for (joint, element) in joints.iter_mut().enumerate() {
        for which in 0..2 {
            if let Some((_, place)) = element.machine_mut(which) {
                *place = first;
                first += STATES;
            }
        }
        for which in (0..2).filter(|which| element.has_coordinate(*which)) {
            if let Some((_, first)) = element.machine(which) {
                places.push(MachinePlace { on: MachineOn::Joint(joint, which), first: *first });
            }
        }
    }
    let base = elements.place(EntityKind::Contact, 0);
    for (contact, element) in elements.contacts.iter().enumerate() {
        if !element.machine.is_none() {
            let first = connections.parts(base + contact).own.start;
            places.push(MachinePlace { on: MachineOn::Contact(contact), first });
        }
    }
    for (contact, element) in elements.contacts.iter().enumerate() {
        if !element.machine.is_none() && element.resistance.is_some() {
            let own = connections.parts(base + contact).own.start;
            for rub in Rub::RESISTANCES {
                places.push(MachinePlace { on: MachineOn::Resistance(contact, rub), first: own + rub.first() });
            }
        }
    }
    for (clutch, element) in clutches.iter_mut().enumerate() {
        element.first = first;
        first += STATES;
        if element.is_whole(joints) {
            places.push(MachinePlace { on: MachineOn::Clutch(clutch), first: element.first });
        }
    }
    places
}

/// Whether contacts are the only elements on each carrier, and there are any; no joints or lines,
/// whose ends are given.
pub fn touched_alone(
    (elements, connections): (&Elements, &Connections),
    carriers: usize,
    ends: impl Iterator<Item = usize>,
) -> Vec<bool> {
    let count = |ties: &[Tie]| {
        let mut count = vec![0; carriers];
        for node in ties.iter().map(|tie| tie.node).filter(|node| *node < carriers) {
            count[node] += 1;
        }
        count
    };
    let (all, contacts) = (count(&connections.ties), count(elements.ties_of(EntityKind::Contact, connections)));
    let mut touched: Vec<bool> =
        all.iter().zip(&contacts).map(|(all, contacts)| all == contacts && *contacts > 0).collect();
    for node in ends.filter(|node| *node < carriers) {
        touched[node] = false;
    }
    touched
}

/// The gradient of a coordinate: parts, and the nodes that they belong to; several may belong to
/// one.
type Gradient = [(Vec6, usize); 4];

/// Numbers for decisions.
#[derive(Debug, Clone, Copy)]
pub struct Rules {
    /// Rate, in model lengths or radians per time, below which nothing bounces.
    pub rest_speed: f64,
    /// Time that makes displacements of rates.
    pub time: f64,
}

impl Machines<'_> {
    /// Whether there are any, or joints that break.
    #[inline(always)]
    pub fn are_any(self) -> bool {
        !(self.0.machines.is_empty() && self.0.strengths.is_empty())
    }

    /// Whether any is a contact with friction, whose direction turns with the slip.
    pub fn any_rub(self) -> bool {
        let rubs = |contact: &Contact| Rub::ALL.into_iter().any(|rub| contact.has_friction(rub));
        self.0.elements.contacts.iter().any(rubs)
    }

    /// How many.
    pub fn count(self) -> usize {
        self.0.machines.len()
    }

    /// The index of a machine; None if there is none.
    pub fn find(self, on: MachineOn) -> Option<usize> {
        self.0.machines.binary_search_by_key(&on, |place| place.on).ok()
    }

    /// The modes of a machine, the rate of its coordinate, and the forces of friction and stops on
    /// it.
    pub fn forces(self, machine: usize, state: &State) -> (Modes, f64, [f64; 2]) {
        let (modes, [q, qdot, _]) = (self.modes(machine, state), self.motion(machine, state));
        let law = self.law(machine);
        (modes, qdot, [law.friction_force(&modes, [q, qdot])[0], law.stop_force(&modes, [q, qdot])[0]])
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
                let mean = Modes { load: 0.5 * (self.load(machine, from) + modes.load), ..modes };
                modes.dissipated += (mean.slipping_force(&friction) * (after - before)).abs();
            }
            let (track, work) = self.follow_contact(machine, [from, to], h);
            modes.dissipated += work;
            self.set(machine, &modes, to);
            if let Some(track) = track {
                self.set_track(machine, &track, to);
            }
        }
    }

    /// A coordinate, its rate and its acceleration.
    #[inline(never)]
    fn motion(self, machine: usize, state: &State) -> [f64; 3] {
        let (joint, which) = match self.0.machines[machine].on {
            MachineOn::Joint(joint, which) => (joint, which),
            MachineOn::Contact(contact) => return self.touch(contact, state).0.gap,
            MachineOn::Resistance(..) => return [0.0; 3],
            MachineOn::Clutch(clutch) => return self.clutch_motion(clutch, state),
        };
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
        let found = match self.0.machines[machine].on {
            MachineOn::Joint(joint, which) => self.0.joints[joint].machine(which).map(|(machine, _)| machine),
            MachineOn::Contact(contact) => Some(&self.0.elements.contacts[contact].machine),
            MachineOn::Resistance(..) => None,
            MachineOn::Clutch(clutch) => Some(&self.0.clutches[clutch].machine),
        };
        found.unwrap_or(&Machine { friction: None, stop: None })
    }

    fn modes(self, machine: usize, state: &State) -> Modes {
        let first = self.0.machines[machine].first;
        Modes { load: self.load(machine, state), ..Modes::read(&state.z[first..first + STATES]) }
    }

    /// What the reaction of its joint adds to friction.
    fn load(self, machine: usize, state: &State) -> f64 {
        let MachineOn::Joint(joint, which) = self.0.machines[machine].on else { return 0.0 };
        if !self.is_loaded(machine) {
            return 0.0;
        }
        let element = &self.0.joints[joint];
        let [a, b] = self.0.end_motions(element.ends(), state);
        element.friction_load(which, [&a, &b], &state.lambda)
    }

    fn is_loaded(&self, machine: usize) -> bool {
        self.law(machine).friction.is_some_and(|friction| friction.load.is_any())
    }

    /// Whether reactions add to any friction.
    pub fn are_loaded(self) -> bool {
        (0..self.0.machines.len()).any(|machine| self.is_loaded(machine))
    }

    /// A joint whose reaction adds to its friction though it is not unique: its loop has redundant
    /// constraints.
    pub fn loaded_in_redundant_loop(self) -> Option<usize> {
        let joint = |machine: usize| match self.0.machines[machine].on {
            MachineOn::Joint(joint, _) => Some(joint).filter(|_| self.is_loaded(machine)),
            MachineOn::Contact(_) | MachineOn::Resistance(..) | MachineOn::Clutch(_) => None,
        };
        (0..self.0.machines.len()).filter_map(joint).find(|joint| self.0.joints().in_redundant_loop(*joint))
    }

    fn set(self, machine: usize, modes: &Modes, state: &mut State) {
        let first = self.0.machines[machine].first;
        modes.write(&mut state.z[first..first + STATES]);
    }

    fn brake(self, machine: usize, loads: &Loads) -> [f64; 2] {
        let brake = match self.0.machines[machine].on {
            MachineOn::Joint(joint, which) => [[&loads.joints, &loads.slides][which][joint].brake; 2],
            MachineOn::Contact(_) | MachineOn::Resistance(..) => [0.0; 2],
            MachineOn::Clutch(clutch) => loads.clutches[clutch],
        };
        // Own variables are finite.
        brake.map(|capacity| capacity.min(LOCKED))
    }

    /// Length of the model, or a radian.
    fn unit(self, machine: usize) -> f64 {
        self.0.machine_unit(self.0.machines[machine].on)
    }

    /// Size of an event function that counts as zero.
    fn tolerance(self, machine: usize) -> f64 {
        EVENT_TOLERANCE * self.unit(machine)
    }

    /// Rates that count as rest.
    fn slow(self, machine: usize, rules: &Rules) -> f64 {
        AT_REST * rules.rest_speed * self.unit(machine)
    }
}

impl System {
    /// Whether contacts alone act on each carrier, by springs whose forces do not jump; nothing
    /// where a contact has a damper, or there are load callbacks or coefficients of the fluid.
    pub(super) fn touched_alone(&self, e: &Environment) -> &[bool] {
        let has_damper = |stop: Stop| stop.law == StopLaw::Spring && stop.damping > 0.0;
        let damped = self.elements.contacts.iter().any(|contact| contact.machine.stop.is_some_and(has_damper));
        if damped || e.callbacks.any() || e.hydrodynamics.iter().any(Hydrodynamics::act) { &[] } else { &self.touched }
    }

    /// Gives friction without a slip distance the default.
    pub(super) fn set_default_slips(&mut self) {
        for place in self.machines.clone() {
            let unit = self.machine_unit(place.on);
            let friction: Option<&mut Friction> = match place.on {
                MachineOn::Joint(joint, which) => {
                    self.joints[joint].machine_mut(which).and_then(|(machine, _)| machine.friction.as_mut())
                }
                MachineOn::Contact(contact) => Some(&mut self.elements.contacts[contact].friction),
                MachineOn::Resistance(..) => None,
                MachineOn::Clutch(clutch) => self.clutches[clutch].machine.friction.as_mut(),
            };
            if let Some(friction) = friction.filter(|friction| friction.slip == 0.0) {
                friction.slip = DEFAULT_SLIP * unit;
            }
        }
    }

    /// Length of the model, or a radian, by what a machine acts on.
    fn machine_unit(&self, on: MachineOn) -> f64 {
        match on {
            MachineOn::Joint(joint, 0) if self.joints[joint].has_angle() => 1.0,
            MachineOn::Resistance(..) => 1.0,
            MachineOn::Clutch(clutch) if self.clutches[clutch].is_angle(&self.joints) => 1.0,
            _ => self.scales.length,
        }
    }

    /// Number of own variables of machines.
    pub(super) fn machine_states(joints: &[crate::model::Joint], clutches: usize) -> usize {
        let on_joints = joints.iter().flat_map(|joint| &joint.machines).filter(|machine| !machine.is_none()).count();
        STATES * (on_joints + clutches)
    }
}
