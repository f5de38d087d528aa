//! Friction of contacts in their tangent planes: when it sticks and slips, and how large it is.
//!
//! At an event, forces of what sticks and impulses are found block by block (projected
//! Gauss-Seidel), with W = T M^-1 T^T on the constraints for the two directions of a tangent plane:
//!
//! ```text
//! F <- F - W^-1 (ds/dt), or, if that is longer than holding N, the disc's nearest to F - (ds/dt)/|W|
//! ```

use super::{Gradient, HELD, MachineOn, Machines, Rules};
use crate::elements::contact::{LEAST_RATE, Touch, Track};
use crate::elements::machine::{EventFunction, Grip, Modes, STUCK_TOLERANCE};
use crate::elements::{Contact, Site};
use crate::spatial::Vec3;
use crate::spatial::axes::axes_about;
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

    /// The contact of a machine, if it has friction.
    fn rough(&self, machine: usize) -> Option<(usize, &Contact)> {
        match self.0.machines[machine].on {
            MachineOn::Joint(..) | MachineOn::Clutch(_) => None,
            MachineOn::Contact(index) => {
                Some((index, &self.0.elements.contacts[index])).filter(|(_, contact)| contact.has_friction())
            }
        }
    }

    fn track(self, machine: usize, state: &State) -> Track {
        Track::read(&state.z[self.0.machines[machine].first..])
    }

    pub(super) fn set_track(self, machine: usize, track: &Track, state: &mut State) {
        track.write(&mut state.z[self.0.machines[machine].first..]);
    }

    /// The gradient of the displacement of b at a contact in a direction.
    pub(super) fn row_at(self, contact: usize, (touch, at): (&Touch, &[Site; 2]), direction: &Vec3) -> Gradient {
        self.between(self.0.elements().contact_nodes(contact), Contact::wrenches(at, touch, direction))
    }

    /// The force of friction on b at a state.
    pub(super) fn tangential_force(self, machine: usize, state: &State) -> Vec3 {
        let Some((index, contact)) = self.rough(machine) else { return Vec3::zeros() };
        let ((touch, at), modes) = (self.touch(index, state), self.modes(machine, state));
        let [normal, ..] = contact.normal_force(&modes, touch.gap);
        contact.tangential(&at, &touch, &modes, &self.track(machine, state), normal)
    }

    /// Holds b by a spring that begins with a force.
    fn hold_contact(self, machine: usize, state: &mut State, force: &Vec3) {
        let Some((index, contact)) = self.rough(machine) else { return };
        let ((touch, at), mut modes) = (self.touch(index, state), self.modes(machine, state));
        modes.grip = Grip::Stuck;
        modes.stiffness = contact.holding_stiffness(&modes, touch.gap);
        self.set(machine, &modes, state);
        self.set_track(machine, &Track::at(&at, &(-force / modes.stiffness)), state);
    }

    /// Lets b slip in a direction, unless that is zero.
    fn slip_contact(self, machine: usize, state: &mut State, rules: Rules, direction: &Vec3) {
        let MachineOn::Contact(index) = self.0.machines[machine].on else { return };
        let ((touch, at), modes) = (self.touch(index, state), self.modes(machine, state));
        // What the rate may become within the step.
        let least = (rules.rest_speed * self.unit(machine)).max(SOON * touch.slip_rate.norm() * rules.time);
        let Some(direction) = direction.try_normalize(f64::MIN_POSITIVE) else { return };
        let rate = direction * touch.slip.norm().max(least);
        self.set(machine, &Modes { grip: Grip::Forwards, ..modes }, state);
        self.set_track(machine, &Track::at(&at, &rate), state);
    }

    /// Gives closed contacts that have just closed a mode of friction, or all of them (`anew`);
    /// frees those that are open.
    pub(super) fn grip_contacts(self, state: &mut State, rules: Rules, anew: bool) {
        for machine in 0..self.0.machines.len() {
            let Some((index, _)) = self.rough(machine) else { continue };
            let modes = self.modes(machine, state);
            if modes.closed.is_none() {
                self.set(machine, &Modes { grip: Grip::Free, ..modes }, state);
                continue;
            }
            if modes.grip != Grip::Free && !anew {
                continue;
            }
            let slip = self.touch(index, state).0.slip;
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
        let Some((index, _)) = self.rough(machine) else { return false };
        let (force, touch) = (self.tangential_force(machine, state), self.touch(index, state).0);
        let (slip, last) = (touch.slip.norm(), self.track(machine, state).vector.norm());
        match self.modes(machine, state).grip {
            Grip::Stuck => self.slip_contact(machine, state, rules, &-force),
            // It has turned.
            _ if slip > TURNS * last => self.slip_contact(machine, state, rules, &touch.slip),
            _ => {
                self.hold_contact(machine, state, &force);
                return slip > self.slow(machine, &rules);
            }
        }
        false
    }

    /// The event function of friction: what sticks gives way, what slips comes to rest.
    pub(super) fn contact_event(self, machine: usize, state: &State, time: f64) -> Option<EventFunction> {
        let (index, contact) = self.rough(machine)?;
        let ((touch, at), modes) = (self.touch(index, state), self.modes(machine, state));
        let track = self.track(machine, state);
        let tolerance = self.tolerance(machine);
        match modes.grip {
            Grip::Free => None,
            Grip::Stuck => {
                let [normal, ..] = contact.normal_force(&modes, touch.gap);
                let most = contact.friction.holding * normal / modes.stiffness;
                let value = most - contact.displacement(&at, &touch, &track).norm();
                let tolerance = tolerance.min(STUCK_TOLERANCE * contact.friction.slip);
                Some(EventFunction { value, rate: None, tolerance })
            }
            _ => {
                let along = (at[0].r * track.vector).try_normalize(f64::MIN_POSITIVE)?;
                let value = along.dot(&touch.slip) * time;
                Some(EventFunction { value, rate: Some(along.dot(&touch.slip_rate) * time), tolerance })
            }
        }
    }

    /// Ends an internal step of length h: follows the displacement of what sticks and the direction
    /// of what slips. Returns the work that friction has dissipated.
    pub(super) fn follow_contact(self, machine: usize, [from, to]: [&State; 2], h: f64) -> (Option<Track>, f64) {
        let Some((index, contact)) = self.rough(machine) else { return (None, 0.0) };
        let (modes, track) = (self.modes(machine, to), self.track(machine, to));
        let (touch, at) = self.touch(index, to);
        match modes.grip {
            Grip::Free => (None, 0.0),
            Grip::Stuck => (Some(Track::at(&at, &contact.displacement(&at, &touch, &track))), 0.0),
            _ => {
                let power = |touch: &Touch| contact.normal_force(&modes, touch.gap)[0] * touch.slip.norm();
                let before = self.touch(index, from).0;
                let work = 0.5 * h * contact.friction.kinetic * (power(&before) + power(&touch));
                let (along, last) = ((at[0].r * track.vector).dot(&touch.slip), track.vector.norm_squared());
                ((along > LEAST_RATE * last).then(|| Track::at(&at, &touch.slip)), work)
            }
        }
    }

    /// Takes the forces that were found for what sticks; true if it slips from now on.
    pub(super) fn take_contact_force(self, machine: usize, state: &mut State, rules: Rules, force: &Vec3) -> bool {
        let Some((index, contact)) = self.rough(machine) else { return false };
        let modes = self.modes(machine, state);
        if modes.closed.is_none() {
            self.set(machine, &Modes { grip: Grip::Free, ..modes }, state);
            return false;
        }
        if modes.grip != Grip::Stuck {
            return false;
        }
        let touch = self.touch(index, state).0;
        let most = contact.friction.holding * contact.normal_force(&modes, touch.gap)[0];
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
        let (index, contact) = self.rough(machine)?;
        if self.modes(machine, state).grip != Grip::Forwards {
            return None;
        }
        let (touch, at) = self.touch(index, state);
        let direction = contact.direction(&at, &touch, &self.track(machine, state));
        Some(self.row_at(index, (&touch, &at), &(touch.normal - contact.friction.kinetic * direction)))
    }

    /// The largest force or impulse in the tangent plane of what sticks or closes; None of others.
    pub(super) fn most_friction(
        self,
        machine: usize,
        state: &State,
        (level, normal): (Level, f64),
        workspace: &Workspace,
    ) -> Option<f64> {
        let (_, contact) = self.rough(machine)?;
        match level {
            Level::Velocity if workspace.machines[machine].halts => Some(f64::INFINITY),
            Level::Velocity => Some(contact.friction.kinetic * normal.max(0.0)),
            Level::Acceleration if self.modes(machine, state).grip == Grip::Stuck => {
                Some(contact.friction.holding * normal.max(0.0))
            }
            Level::Acceleration => None,
        }
    }

    /// One block of the iteration for friction, of what sticks or of impulses, with the normal
    /// force or impulse: changes velocities or accelerations of the state. Returns the size of the
    /// change.
    pub(super) fn rub(
        self,
        machine: usize,
        state: &mut State,
        (level, normal): (Level, f64),
        workspace: &mut Workspace,
    ) -> Result<[f64; 2], Failure> {
        let Some((index, _)) = self.rough(machine) else { return Ok([0.0; 2]) };
        let Some(most) = self.most_friction(machine, state, (level, normal), workspace) else { return Ok([0.0; 2]) };
        let (touch, at) = self.touch(index, state);
        let plane = axes_about(&touch.normal);
        let axes = [plane.column(0).into_owned(), plane.column(1).into_owned()];
        if workspace.machines[machine].compliance[0].is_nan() {
            let rows = axes.map(|axis| self.row_at(index, (&touch, &at), &axis));
            self.push_along(&rows[0], 1.0, workspace)?;
            let [xx, xy] = [0, 1].map(|k| self.along(&rows[k], workspace));
            self.push_along(&rows[1], 1.0, workspace)?;
            workspace.machines[machine].compliance = [xx, xy, self.along(&rows[1], workspace)];
        }
        let ([xx, xy, yy], before) = (workspace.machines[machine].compliance, workspace.machines[machine].tangential);
        let (mean, half) = (0.5 * (xx + yy), 0.5 * (xx - yy));
        let largest = mean + half.hypot(xy);
        if largest <= HELD / self.0.scales.mass {
            return Ok([0.0; 2]);
        }
        let rate = if level == Level::Velocity { touch.slip } else { touch.slip_rate };
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
        self.push_along(&self.row_at(index, (&touch, &at), &change), 1.0, workspace)?;
        let changed = if level == Level::Velocity { &mut state.v } else { &mut state.vdot };
        changed.iter_mut().zip(&workspace.solution).for_each(|(v, x)| *v += x);
        Ok([change.norm(), force.norm()])
    }
}
