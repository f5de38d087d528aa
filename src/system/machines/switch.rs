//! Changes of modes: at a start, at an event, by brakes that changed, and on the way to an
//! equilibrium.

use super::holding::hold;
use super::{Hit, MachineOn, MachineWork, Machines, Rules};
use crate::elements::contact::Rub;
use crate::elements::machine::{EventFunction, Friction, Grip, Modes, Switch};
use crate::elements::stop::{Stop, StopLaw};
use crate::model::Settings;
use crate::system::{Environment, Failure, State, Workspace};

/// Internal steps in a half-wave of a stop with its mass, and how many half-waves are resolved.
const CONTACT_STEPS: f64 = 20.0;
const CONTACT_TIME: f64 = 4.0;

/// Gaps, in model lengths or rad, with which a stop takes part in the impulse of another.
const NEAR: f64 = 1e-8;

/// What happens at an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// A stop closes.
    Closes,
    /// A stop opens.
    Opens,
    /// A stop is hit, and velocities jump.
    Hits,
    /// Friction holds.
    Sticks,
    /// Friction gives way, or changes its direction.
    Slips,
    /// A joint breaks.
    Breaks,
}

impl Change {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Change::Closes => "closes",
            Change::Opens => "opens",
            Change::Hits => "hits",
            Change::Sticks => "sticks",
            Change::Slips => "slips",
            Change::Breaks => "breaks",
        }
    }
}

/// An event that happened.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MachineEvent {
    /// When.
    pub time: f64,
    /// What.
    pub change: Change,
    /// Where.
    pub on: MachineOn,
    /// Impulse of a hit on the coordinate or along the gap; else 0.
    pub impulse: f64,
}

impl MachineEvent {
    /// The joint, and 1 if it is its slide, else 0; None for a contact or a clutch.
    pub fn joint(&self) -> Option<(usize, usize)> {
        match self.on {
            MachineOn::Joint(joint, which) => Some((joint, which)),
            MachineOn::Contact(_) | MachineOn::Resistance(..) | MachineOn::Clutch(_) => None,
        }
    }

    /// The contact; None for a joint or a clutch.
    pub fn contact(&self) -> Option<usize> {
        match self.on {
            MachineOn::Joint(..) | MachineOn::Clutch(_) => None,
            MachineOn::Contact(contact) | MachineOn::Resistance(contact, _) => Some(contact),
        }
    }

    /// The clutch; None for a joint or a contact.
    pub fn clutch(&self) -> Option<usize> {
        match self.on {
            MachineOn::Joint(..) | MachineOn::Contact(_) | MachineOn::Resistance(..) => None,
            MachineOn::Clutch(clutch) => Some(clutch),
        }
    }
}

impl Machines<'_> {
    /// Sets all modes to those of a start at a state: what moves slips, what is at rest may stick.
    /// Writes accelerations and multipliers there.
    pub fn begin(
        self,
        e: &Environment,
        state: &mut State,
        settings: &Settings,
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        if !self.are_any() {
            return Ok(());
        }
        let rules = Rules { rest_speed: settings.events().1, time: 1.0 };
        for machine in 0..self.0.machines.len() {
            self.set(machine, &Modes::NONE, state);
            self.close_stops(machine, state, &rules);
        }
        self.follow_brakes(e, state, rules, workspace, &mut |_| ())
    }

    /// Closes the stop beyond which a coordinate is, and opens the other. What moves into a stop of
    /// a law with restitution hits it in the next step.
    fn close_stops(self, machine: usize, state: &mut State, rules: &Rules) {
        let Some(stop) = self.law(machine).stop else { return };
        let (mut modes, [q, qdot, _]) = (self.modes(machine, state), self.motion(machine, state));
        let slow = self.slow(machine, rules);
        modes.open();
        for which in 0..2 {
            let [delta, rate] = stop.indentation(which, [q, qdot]);
            let hits = stop.law != StopLaw::Spring && rate > slow;
            if delta >= 0.0 && rate >= -slow && !(delta == 0.0 && rate < 0.0) && !hits {
                modes.closed = Some(which);
                modes.level = if stop.law == StopLaw::Impulse { -delta } else { 0.0 };
                modes.rest = stop.stiffness;
            }
        }
        self.set(machine, &modes, state);
    }

    /// Gives a stop that has changed the mode of a start at a state.
    pub fn begin_stop(self, on: MachineOn, state: &mut State, settings: &Settings) {
        if let Some(machine) = self.find(on) {
            self.close_stops(machine, state, &Rules { rest_speed: settings.events().1, time: 1.0 });
        }
    }

    /// Lets friction of a contact that has changed be decided anew in the next step, as that of
    /// joints is.
    pub fn free_contact(self, contact: usize, state: &mut State) {
        for machine in Rub::ALL.into_iter().filter_map(|rub| self.machine_of(contact, rub)) {
            self.set(machine, &Modes { grip: Grip::Free, ..self.modes(machine, state) }, state);
        }
    }

    /// Switches friction off, and closes the stops beyond which coordinates are: for an
    /// equilibrium.
    pub fn release(self, state: &mut State) {
        for machine in 0..self.0.machines.len() {
            self.set(machine, &Modes::NONE, state);
        }
        self.follow_stops(state);
    }

    /// Most changes of stops on the way to an equilibrium.
    pub fn most_stops(self) -> usize {
        4 * self.0.machines.len()
    }

    /// Closes the stops beyond which coordinates are, and opens the others; true if any changed.
    pub fn follow_stops(self, state: &mut State) -> bool {
        let mut changed = false;
        for machine in 0..self.0.machines.len() {
            let Some(stop) = self.law(machine).stop else { continue };
            let (mut modes, [q, ..]) = (self.modes(machine, state), self.motion(machine, state));
            let closed = (0..2).find(|which| stop.indentation(*which, [q, 0.0])[0] > 0.0);
            changed |= closed != modes.closed;
            (modes.closed, modes.rest) = (closed, stop.stiffness);
            self.set(machine, &modes, state);
        }
        changed
    }

    /// Takes the brakes of the loads, and decides anew what sticks and rests.
    pub fn follow_brakes(
        self,
        e: &Environment,
        state: &mut State,
        rules: Rules,
        workspace: &mut Workspace,
        tell: &mut dyn FnMut(MachineEvent),
    ) -> Result<(), Failure> {
        self.note(state, workspace);
        for machine in 0..self.0.machines.len() {
            let (mut modes, [q, qdot, _]) = (self.modes(machine, state), self.motion(machine, state));
            let Some(friction) = self.law(machine).friction else { continue };
            let force = modes.holding_force(q);
            modes.brake = self.brake(machine, e.loads);
            let [back, forth] = friction.limits(&modes);
            let grip = match modes.grip {
                Grip::Free if qdot.abs() > self.slow(machine, &rules) => Grip::along(qdot),
                Grip::Free => Grip::Stuck,
                grip => grip,
            };
            modes.grip = match grip {
                _ if [back, forth] == [0.0; 2] && !friction.load.is_any() => Grip::Free,
                // `lock` stops it.
                grip if modes.blocks(grip) => Grip::Stuck,
                grip => grip,
            };
            hold(&mut modes, &friction, q, force.clamp(-back, forth));
            self.set(machine, &modes, state);
        }
        self.0.kinetics().accelerations(e, state, workspace)?;
        let jumps = self.lock(state, rules, workspace)?;
        self.settle(e, state, (jumps, rules), workspace, tell)
    }

    /// Finds velocities behind impulses if there are any, decides what sticks and rests, and tells
    /// what has changed. Writes accelerations and multipliers.
    fn settle(
        self,
        e: &Environment,
        state: &mut State,
        (jumps, rules): (bool, Rules),
        workspace: &mut Workspace,
        tell: &mut dyn FnMut(MachineEvent),
    ) -> Result<(), Failure> {
        self.grip_contacts(state, rules, false);
        if jumps {
            self.impulses(state, rules, workspace)?;
            self.grip_anew(state, rules, workspace)?;
        }
        self.0.kinetics().accelerations(e, state, workspace)?;
        self.decide(e, state, rules, workspace)?;
        self.tell(state, workspace, tell);
        Ok(())
    }

    /// Gives what is locked, in one direction or both, or holds by the load of its joint, its
    /// stiffness; true if anything that is locked moves.
    fn lock(self, state: &mut State, rules: Rules, workspace: &mut Workspace) -> Result<bool, Failure> {
        let mut moves = false;
        for machine in 0..self.0.machines.len() {
            let (mut modes, [q, qdot, _]) = (self.modes(machine, state), self.motion(machine, state));
            let holds = |friction: &Friction| modes.grip == Grip::Stuck && friction.holds_by_mass(&modes);
            let Some(friction) = self.law(machine).friction.filter(holds) else { continue };
            let (force, locks) = (modes.holding_force(q), modes.locks().is_some());
            modes.stiffness = self.stiffness(machine, state, rules, workspace)?;
            hold(&mut modes, &friction, q, force);
            moves |= locks && modes.stiffness > 0.0 && qdot.abs() > self.slow(machine, &rules);
            self.set(machine, &modes, state);
        }
        Ok(moves)
    }

    /// Changes the mode of a part whose event is at a state, and of all others that have theirs at
    /// the same time; finds velocities behind impulses, and what sticks and rests. Writes
    /// accelerations and multipliers behind the event.
    pub fn switch(
        self,
        e: &Environment,
        state: &mut State,
        (hit, rules): (Hit, Rules),
        workspace: &mut Workspace,
        tell: &mut dyn FnMut(MachineEvent),
    ) -> Result<(), Failure> {
        self.note(state, workspace);
        // Factors for the masses behind the coordinates.
        self.0.kinetics().accelerations(e, state, workspace)?;
        let mut has_hit = false;
        for machine in 0..self.0.machines.len() {
            for switch in Switch::ALL {
                let own = Hit { machine, switch };
                let found = self.event_function(own, state, rules.time, self.is_inside(own, state));
                let falls = |function: EventFunction| match function.rate {
                    Some(rate) => function.value.abs() <= function.tolerance && rate < 0.0,
                    None => function.value < 0.0,
                };
                if own == hit || found.is_some_and(falls) {
                    has_hit |= self.change(own, state, rules, workspace)?;
                }
            }
        }
        if has_hit {
            self.close_near(state);
        }
        self.settle(e, state, (has_hit, rules), workspace, tell)
    }

    /// Closes all stops of law impulse that are nearly reached where one is hit, so that they take
    /// part in its impulse: two corners of a body would hit in turn within the rounding of times.
    /// Those that rebound open again.
    fn close_near(self, state: &mut State) {
        for machine in 0..self.0.machines.len() {
            let Some(stop) = self.law(machine).stop.filter(|stop| stop.law == StopLaw::Impulse) else { continue };
            let (mut modes, [q, qdot, _]) = (self.modes(machine, state), self.motion(machine, state));
            if modes.closed.is_some() {
                continue;
            }
            for which in 0..2 {
                let [delta, _] = stop.indentation(which, [q, qdot]);
                if delta.abs() <= NEAR * self.unit(machine) {
                    modes.rest_on(which, &stop, delta);
                    self.set(machine, &modes, state);
                }
            }
        }
    }

    /// Changes the mode of one part; true if that gives an impulse.
    fn change(
        self,
        Hit { machine, switch }: Hit,
        state: &mut State,
        rules: Rules,
        workspace: &mut Workspace,
    ) -> Result<bool, Failure> {
        let (mut modes, [q, qdot, _]) = (self.modes(machine, state), self.motion(machine, state));
        let law = self.law(machine);
        let mut has_hit = false;
        match (switch, &law.friction, &law.stop) {
            (Switch::Grip, None, _) => {
                let halts = self.change_contact(machine, state, rules);
                workspace.machines[machine].halts = halts;
                return Ok(halts);
            }
            (Switch::Grip, Some(friction), _) => match modes.grip {
                Grip::Stuck => modes.grip = law.gives_way(&modes, q),
                _ => {
                    self.catch(machine, state, (&mut modes, friction, q), rules, workspace)?;
                    // Where its event was not located.
                    has_hit = modes.locks().is_some() && qdot.abs() > self.slow(machine, &rules);
                }
            },
            (Switch::Stop(which), _, Some(_)) if modes.closed == Some(which) => modes.open(),
            (Switch::Stop(which), _, Some(stop)) => {
                let [delta, rate] = stop.indentation(which, [q, qdot]);
                has_hit = stop.law == StopLaw::Impulse;
                match has_hit {
                    true => modes.rest_on(which, stop, delta),
                    false => {
                        modes.closed = Some(which);
                        modes.level = if stop.law == StopLaw::Restitution { f64::INFINITY } else { 0.0 };
                        self.press(machine, state, (&mut modes, stop, rate), rules, workspace)?;
                    }
                }
            }
            _ => {}
        }
        self.set(machine, &modes, state);
        Ok(has_hit)
    }

    /// A stop with a spring is pressed in at a rate, from which its damping counts if it is the
    /// fastest since it closed: internal steps resolve what follows.
    pub(super) fn press(
        self,
        machine: usize,
        state: &State,
        (modes, stop, rate): (&mut Modes, &Stop, f64),
        rules: Rules,
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        if stop.law == StopLaw::Restitution {
            let slowest = rules.rest_speed * self.unit(machine);
            modes.level = modes.level.min(stop.damping_ratio() / rate.max(slowest));
        }
        let inverse_mass = self.inverse_mass(machine, state, workspace)?;
        if inverse_mass > 0.0 {
            let half_wave = stop.contact_time(inverse_mass, rate.max(rules.rest_speed * self.unit(machine)));
            (modes.longest, modes.left) = (half_wave / CONTACT_STEPS, CONTACT_TIME * half_wave);
        }
        Ok(())
    }

    /// The break of a joint at a state; None for a part of a machine.
    pub fn breaks(self, hit: Hit, state: &State) -> Option<MachineEvent> {
        let (joint, _) = *self.0.strengths.get(hit.machine).filter(|_| hit.switch == Switch::Strength)?;
        Some(MachineEvent { time: state.time, change: Change::Breaks, on: MachineOn::Joint(joint, 0), impulse: 0.0 })
    }

    /// Remembers the modes before an event.
    fn note(self, state: &State, workspace: &mut Workspace) {
        for machine in 0..self.0.machines.len() {
            workspace.machines[machine] = MachineWork { before: self.modes(machine, state), ..MachineWork::NONE };
        }
    }

    /// Tells what changed since.
    fn tell(self, state: &State, workspace: &Workspace, tell: &mut dyn FnMut(MachineEvent)) {
        for (machine, place) in self.0.machines.iter().enumerate() {
            let (MachineWork { before, hit, sign, .. }, after) =
                (workspace.machines[machine], self.modes(machine, state));
            let mut event = |change, impulse| {
                tell(MachineEvent { time: state.time, change, on: place.on, impulse });
            };
            if hit != 0.0 {
                event(Change::Hits, sign * hit);
            }
            match (before.closed, after.closed) {
                (None, Some(_)) => event(Change::Closes, 0.0),
                (Some(_), None) => event(Change::Opens, 0.0),
                _ => {}
            }
            match (before.grip, after.grip) {
                (before, after) if before == after => {}
                (Grip::Forwards | Grip::Backwards, Grip::Stuck) => event(Change::Sticks, 0.0),
                (_, Grip::Forwards | Grip::Backwards) => event(Change::Slips, 0.0),
                _ => {}
            }
        }
    }
}
