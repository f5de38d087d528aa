//! Friction of contacts in their tangent planes: when it sticks and slips, and how large it is.
//! Rolling and spinning resistance are machines of their own (`MachineOn::Resistance`), which take
//! the normal force from that of the gap.
//!
//! At an event, forces of what sticks and impulses are found block by block (projected
//! Gauss-Seidel), with W = T M^-1 T^T on the constraints for the two directions of a tangent plane:
//!
//! ```text
//! F <- F - W^-1 (ds/dt), or, if that is longer than holding N, the disc's nearest to F - (ds/dt)/|W|
//! ```

use super::{Gradient, HELD, MachineOn, Machines, Rules};
use crate::elements::contact::{LEAST_RATE, Rub, Touch, Track};
use crate::elements::machine::{EventFunction, Grip, Modes, STUCK_TOLERANCE};
use crate::elements::{Contact, Site};
use crate::spatial::{Vec3, join};
use crate::system::{Failure, State, Workspace};

/// What is longer than the largest friction less this part of it slips: the disc's bound is
/// rounded.
pub(super) const AT_LIMIT: f64 = 1.0 - 1e-12;

/// Determinants, as part of the square of the largest 1/mass, below which only one direction moves.
const FLAT: f64 = 1e-10;

/// Part of the rate that a step's time and the acceleration give, for the direction of what begins
/// to slip.
const SOON: f64 = 0.1;

/// What is left of the last slip where its part along it has come to rest: more has turned, less
/// comes to rest, too.
const TURNS: f64 = 0.5;

/// The vector of the state that a force or an impulse changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Impulses change velocities.
    Velocity,
    /// Forces change accelerations.
    Acceleration,
}

impl Machines<'_> {
    /// The kinematics of a contact, and the motions of its places.
    #[inline(never)]
    pub(super) fn touch(self, contact: usize, state: &State) -> (Touch, [Site; 2]) {
        let at = self.0.elements().contact_sites(contact, state);
        (self.0.elements.contacts[contact].touch(&at), at)
    }

    /// The contact that a machine is on, and what its friction acts against.
    pub(super) fn rub_of(self, machine: usize) -> Option<(usize, Rub)> {
        match self.0.machines[machine].on {
            MachineOn::Joint(..) | MachineOn::Clutch(_) => None,
            MachineOn::Contact(index) => Some((index, Rub::Sliding)),
            MachineOn::Resistance(index, rub) => Some((index, rub)),
        }
    }

    /// The same with the contact, if there is friction.
    fn rough(&self, machine: usize) -> Option<(usize, Rub, &Contact)> {
        let (index, rub) = self.rub_of(machine)?;
        let contact = &self.0.elements.contacts[index];
        contact.has_friction(rub).then_some((index, rub, contact))
    }

    /// The machine of a contact's friction.
    pub(super) fn machine_of(self, contact: usize, rub: Rub) -> Option<usize> {
        match rub {
            Rub::Sliding => self.find(MachineOn::Contact(contact)),
            _ if self.0.elements.contacts[contact].resistance.is_none() => None,
            _ => self.find(MachineOn::Resistance(contact, rub)),
        }
    }

    /// The machine of the gap, whose normal force friction of a machine has.
    fn carrier(self, machine: usize) -> usize {
        match self.0.machines[machine].on {
            MachineOn::Resistance(contact, _) => self.find(MachineOn::Contact(contact)).unwrap_or(machine),
            _ => machine,
        }
    }

    fn track(self, machine: usize, state: &State) -> Track {
        Track::read(&state.z[self.0.machines[machine].first..])
    }

    pub(super) fn set_track(self, machine: usize, track: &Track, state: &mut State) {
        track.write(&mut state.z[self.0.machines[machine].first..]);
    }

    /// The gradient of the displacement of b at a contact, or of its turn, in a direction.
    pub(super) fn row_at(
        self,
        (contact, rub): (usize, Rub),
        (touch, at): (&Touch, &[Site; 2]),
        direction: &Vec3,
    ) -> Gradient {
        self.between(self.0.elements().contact_nodes(contact), touch.wrenches(rub, at, direction))
    }

    /// N at a state.
    fn pressing(self, machine: usize, contact: &Contact, touch: &Touch, state: &State) -> f64 {
        contact.normal_force(&self.modes(self.carrier(machine), state), touch.gap)[0]
    }

    /// The force or moment of friction on b at a state.
    pub(super) fn tangential_force(self, machine: usize, state: &State) -> Vec3 {
        let Some((index, rub, contact)) = self.rough(machine) else { return Vec3::zeros() };
        let ((touch, at), modes) = (self.touch(index, state), self.modes(machine, state));
        let normal = self.pressing(machine, contact, &touch, state);
        contact.tangential(rub, (&at, &touch), &modes, &self.track(machine, state), normal)
    }

    /// Holds b by a spring that begins with a force.
    fn hold_contact(self, machine: usize, state: &mut State, force: &Vec3) {
        let Some((index, rub, contact)) = self.rough(machine) else { return };
        let ((touch, at), mut modes) = (self.touch(index, state), self.modes(machine, state));
        modes.grip = Grip::Stuck;
        modes.stiffness = contact.holding_stiffness(rub, &self.modes(self.carrier(machine), state), touch.gap);
        self.set(machine, &modes, state);
        self.set_track(machine, &Track::at(&at, &(-force / modes.stiffness)), state);
    }

    /// Lets b slip in a direction, unless that is zero.
    fn slip_contact(self, machine: usize, state: &mut State, rules: Rules, direction: &Vec3) {
        let Some((index, rub)) = self.rub_of(machine) else { return };
        let ((touch, at), modes) = (self.touch(index, state), self.modes(machine, state));
        // What the rate may become within the step.
        let soon = SOON * touch.slip_rate_of(rub).norm() * rules.time;
        let least = (rules.rest_speed * self.unit(machine)).max(soon);
        let Some(direction) = direction.try_normalize(f64::MIN_POSITIVE) else { return };
        let rate = direction * touch.slip_of(rub).norm().max(least);
        self.set(machine, &Modes { grip: Grip::Forwards, ..modes }, state);
        self.set_track(machine, &Track::at(&at, &rate), state);
    }

    /// Whether the gap is open.
    fn is_open(self, machine: usize, state: &State) -> bool {
        self.modes(self.carrier(machine), state).closed.is_none()
    }

    /// Gives closed contacts that have just closed a mode of friction, or all of them (`anew`);
    /// frees those that are open.
    pub(super) fn grip_contacts(self, state: &mut State, rules: Rules, anew: bool) {
        for machine in 0..self.0.machines.len() {
            let Some((index, rub, _)) = self.rough(machine) else { continue };
            let modes = self.modes(machine, state);
            if self.is_open(machine, state) {
                self.set(machine, &Modes { grip: Grip::Free, ..modes }, state);
                continue;
            }
            if modes.grip != Grip::Free && !anew {
                continue;
            }
            let slip = self.touch(index, state).0.slip_of(rub);
            if slip.norm() > self.slow(machine, &rules) {
                self.slip_contact(machine, state, rules, &slip);
            } else if modes.grip != Grip::Stuck {
                let force = self.tangential_force(machine, state);
                self.hold_contact(machine, state, &force);
            }
        }
    }

    /// Changes the mode of friction at its own event; true if what is left of the slip has to be
    /// stopped by an impulse.
    pub(super) fn change_contact(self, machine: usize, state: &mut State, rules: Rules) -> bool {
        let Some((index, rub, _)) = self.rough(machine) else { return false };
        let (force, touch) = (self.tangential_force(machine, state), self.touch(index, state).0);
        let rate = touch.slip_of(rub);
        let (slip, last) = (rate.norm(), self.track(machine, state).vector.norm());
        match self.modes(machine, state).grip {
            Grip::Stuck => {
                // Without a normal force there may be no force that tells the direction.
                let ways = [-force, rate, touch.slip_rate_of(rub)];
                let way = ways.into_iter().find(|way| *way != Vec3::zeros()).unwrap_or_default();
                self.slip_contact(machine, state, rules, &way);
            }
            // It has turned.
            _ if slip > TURNS * last => self.slip_contact(machine, state, rules, &rate),
            _ => {
                self.hold_contact(machine, state, &force);
                return slip > self.slow(machine, &rules);
            }
        }
        false
    }

    /// The event function of friction: what sticks gives way, what slips comes to rest.
    pub(super) fn contact_event(self, machine: usize, state: &State, time: f64) -> Option<EventFunction> {
        let (index, rub, contact) = self.rough(machine)?;
        let ((touch, at), modes) = (self.touch(index, state), self.modes(machine, state));
        let (track, friction) = (self.track(machine, state), contact.friction_of(rub));
        let tolerance = self.tolerance(machine);
        match modes.grip {
            Grip::Free => None,
            Grip::Stuck => {
                let normal = self.pressing(machine, contact, &touch, state);
                let most = friction.holding * normal / modes.stiffness;
                let displacement = contact.displacement(rub, &at, &touch, &track).norm();
                let tolerance = tolerance.min(STUCK_TOLERANCE * friction.slip);
                // What nothing presses holds what nothing pulls.
                let is_idle = most == 0.0 && displacement <= tolerance;
                let value = if is_idle { 0.0 } else { most - displacement };
                Some(EventFunction { value, rate: None, tolerance })
            }
            _ => {
                let along = (at[0].r * track.vector).try_normalize(f64::MIN_POSITIVE)?;
                let [value, rate] = [touch.slip_of(rub), touch.slip_rate_of(rub)].map(|x| along.dot(&x) * time);
                Some(EventFunction { value, rate: Some(rate), tolerance })
            }
        }
    }

    /// Ends an internal step of length h: follows the displacement of what sticks and the direction
    /// of what slips. Returns the work that friction has dissipated.
    pub(super) fn follow_contact(self, machine: usize, [from, to]: [&State; 2], h: f64) -> (Option<Track>, f64) {
        let Some((index, rub, contact)) = self.rough(machine) else { return (None, 0.0) };
        let (modes, track) = (self.modes(machine, to), self.track(machine, to));
        let (touch, at) = self.touch(index, to);
        match modes.grip {
            Grip::Free => (None, 0.0),
            Grip::Stuck => (Some(Track::at(&at, &contact.displacement(rub, &at, &touch, &track))), 0.0),
            _ => {
                let power = |touch: &Touch| self.pressing(machine, contact, touch, to) * touch.slip_of(rub).norm();
                let before = self.touch(index, from).0;
                let work = 0.5 * h * contact.friction_of(rub).kinetic * (power(&before) + power(&touch));
                let slip = touch.slip_of(rub);
                let (along, last) = ((at[0].r * track.vector).dot(&slip), track.vector.norm_squared());
                ((along > LEAST_RATE * last).then(|| Track::at(&at, &slip)), work)
            }
        }
    }

    /// Takes the forces that were found for what sticks; true if it slips from now on.
    pub(super) fn take_contact_force(self, machine: usize, state: &mut State, rules: Rules, force: &Vec3) -> bool {
        let Some((index, rub, contact)) = self.rough(machine) else { return false };
        let modes = self.modes(machine, state);
        if self.is_open(machine, state) {
            self.set(machine, &Modes { grip: Grip::Free, ..modes }, state);
            return false;
        }
        if modes.grip != Grip::Stuck {
            return false;
        }
        let touch = self.touch(index, state).0;
        let most = contact.friction_of(rub).holding * self.pressing(machine, contact, &touch, state);
        if force.norm() < most * AT_LIMIT || most == 0.0 {
            self.hold_contact(machine, state, force);
            return false;
        }
        self.slip_contact(machine, state, rules, &-force);
        true
    }

    /// The gradient that a change of a resting force along the gap has with the friction of what
    /// slips, and its B M^-1 B^T; None for others, and where both would pull.
    pub(super) fn rubbing(
        self,
        machine: usize,
        state: &State,
        workspace: &mut Workspace,
    ) -> Result<Option<(Gradient, f64)>, Failure> {
        let Some(row) = self.slipping_row(machine, state) else { return Ok(None) };
        self.push_along(&row, 1.0, workspace)?;
        let inverse_mass = self.along(&self.row(machine, state), workspace);
        Ok((inverse_mass > HELD / self.0.scales.mass).then_some((row, inverse_mass)))
    }

    /// That gradient; None for what does not slip.
    fn slipping_row(self, machine: usize, state: &State) -> Option<Gradient> {
        if !self.slips(machine, state) {
            return None;
        }
        let (index, _) = self.rub_of(machine)?;
        let (touch, at) = self.touch(index, state);
        let (mut force, mut moment) = (touch.normal, Vec3::zeros());
        for rub in Rub::ALL {
            let Some(own) = self.machine_of(index, rub).filter(|own| self.slips_alone(*own, state)) else { continue };
            let direction = Contact::direction(rub, &at, &touch, &self.track(own, state));
            let part = self.0.elements.contacts[index].friction_of(rub).kinetic * direction;
            *if rub == Rub::Sliding { &mut force } else { &mut moment } -= part;
        }
        let mut row = self.row_at((index, Rub::Sliding), (&touch, &at), &force);
        row[0].0 += join(&Vec3::zeros(), &-moment);
        row[1].0 += join(&Vec3::zeros(), &moment);
        Some(row)
    }

    /// Whether friction of any kind slips at the gap of a machine.
    pub(super) fn slips(self, machine: usize, state: &State) -> bool {
        let MachineOn::Contact(index) = self.0.machines[machine].on else { return false };
        let of = |rub| self.machine_of(index, rub).is_some_and(|own| self.slips_alone(own, state));
        self.slips_alone(machine, state) || Rub::RESISTANCES.into_iter().any(of)
    }

    fn slips_alone(self, machine: usize, state: &State) -> bool {
        self.modes(machine, state).grip == Grip::Forwards && self.rough(machine).is_some()
    }

    /// The largest force or impulse in the tangent plane of what sticks or closes; None of others.
    pub(super) fn most_friction(
        self,
        machine: usize,
        state: &State,
        level: Level,
        workspace: &Workspace,
    ) -> Option<f64> {
        let (_, rub, contact) = self.rough(machine)?;
        let (friction, carrier) = (contact.friction_of(rub), self.carrier(machine));
        match level {
            Level::Velocity if workspace.machines[machine].halts => Some(f64::INFINITY),
            Level::Velocity => Some(friction.kinetic * workspace.machines[carrier].impulse.max(0.0)),
            Level::Acceleration if self.modes(machine, state).grip == Grip::Stuck => {
                Some(friction.holding * self.normal(carrier, state, workspace).max(0.0))
            }
            Level::Acceleration => None,
        }
    }

    /// One block of the iteration for friction, of what sticks or of impulses: changes velocities or
    /// accelerations of the state. Returns the size of the change and of the force, each over the
    /// length of the model for a moment.
    pub(super) fn rub(
        self,
        machine: usize,
        state: &mut State,
        level: Level,
        workspace: &mut Workspace,
    ) -> Result<[f64; 2], Failure> {
        let Some((index, rub, _)) = self.rough(machine) else { return Ok([0.0; 2]) };
        let Some(most) = self.most_friction(machine, state, level, workspace) else { return Ok([0.0; 2]) };
        let (touch, at) = self.touch(index, state);
        let axes = rub.axes(&touch.normal);
        if workspace.machines[machine].compliance[0].is_nan() {
            let rows = axes.map(|axis| self.row_at((index, rub), (&touch, &at), &axis));
            self.push_along(&rows[0], 1.0, workspace)?;
            let [xx, xy] = [0, 1].map(|k| self.along(&rows[k], workspace));
            workspace.machines[machine].compliance = match rub {
                // One direction, with the numbers of two.
                Rub::Spinning => [xx, 0.0, xx],
                Rub::Sliding | Rub::Rolling => {
                    self.push_along(&rows[1], 1.0, workspace)?;
                    [xx, xy, self.along(&rows[1], workspace)]
                }
            };
        }
        let ([xx, xy, yy], before) = (workspace.machines[machine].compliance, workspace.machines[machine].tangential);
        let (mean, half) = (0.5 * (xx + yy), 0.5 * (xx - yy));
        let largest = mean + half.hypot(xy);
        let size = self.0.scales.length / self.unit(machine);
        if largest <= HELD / (self.0.scales.mass * size * size) {
            return Ok([0.0; 2]);
        }
        let rate = if level == Level::Velocity { touch.slip_of(rub) } else { touch.slip_rate_of(rub) };
        let [x, y] = axes.map(|axis| axis.dot(&rate));
        let determinant = xx * yy - xy * xy;
        // The inverse, or with one direction that moves W/|W|^2.
        let [x, y] = match determinant > FLAT * largest * largest {
            true => [(yy * x - xy * y) / determinant, (xx * y - xy * x) / determinant],
            false => [(xx * x + xy * y) / (largest * largest), (xy * x + yy * y) / (largest * largest)],
        };
        let mut force = before - (axes[0] * x + axes[1] * y);
        if force.norm() > most {
            force = before - rate / largest;
            if force.norm() > most {
                force *= most / force.norm();
            }
        }
        workspace.machines[machine].tangential = force;
        let change = force - before;
        self.push_along(&self.row_at((index, rub), (&touch, &at), &change), 1.0, workspace)?;
        let changed = if level == Level::Velocity { &mut state.v } else { &mut state.vdot };
        changed.iter_mut().zip(&workspace.solution).for_each(|(v, x)| *v += x);
        Ok([change.norm() / size, force.norm() / size])
    }
}
