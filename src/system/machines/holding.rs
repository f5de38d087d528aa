//! Impulses where stops close, and which elements stick and rest, decided together.
//!
//! At an event one part of a machine changes its mode. Where a stop of law impulse closes, or a
//! brake locks what moves, Newton's restitution and the joints give the velocities behind
//! (projected Gauss-Seidel):
//!
//! ```text
//! v+ = v- + M^-1 (sum B^T Lambda + G^T Lambda_G),   Lambda >= 0  complementary to  B v+ + e B v- >= 0
//! ```
//!
//! Then all forces that may hold something are found together, at the level of accelerations, with
//! w = B M^-1 B^T on the constraints:
//!
//! ```text
//! F <- clip(F - (B vdot + dB/dt v)/w)   to [-limit, limit] of friction, [0, inf) of a resting stop
//! ```
//!
//! What is inside of its bounds sticks or rests, by a spring that begins with just this force; the
//! others slip or open. A sweep carries forces over one contact; between sweeps `descent` solves
//! for all that is inside of its bounds. Every loop is bounded.

use super::contacts::Level;
use super::{DEFAULT_SLIP, Gradient, HELD, MachineOn, MachineWork, Machines, Rules};
use crate::elements::contact::Rub;
use crate::elements::machine::{Friction, Grip, LOCKED, Modes};
use crate::elements::stop::{Stop, StopLaw};
use crate::spatial::{Vec3, Vec6};
use crate::system::assembly::Row;
use crate::system::motion::are_finite;
use crate::system::{Environment, Failure, State, Workspace};

/// Stiffness of a lock, and of what locks in one direction or holds by its load, in masses over
/// squares of the time of a step.
const LOCK: f64 = 1e6;
const ONE_WAY: f64 = 1e4;

/// Height of a bounce, in sizes of a gap that count as zero, below which nothing bounces: hits are
/// located to that size, and what returns from less would return faster than it left.
const LOW: f64 = 4.0;

/// Most passes of impulses at one event.
const MOST_PASSES: usize = 10;

/// Most sweeps of a Gauss-Seidel iteration.
const MOST_SWEEPS: u32 = 100;

/// Most passes of a decision that follow limits by the load of joints.
const MOST_LOADS: usize = 30;

/// Most solutions between sweeps behind which changes of forces have not fallen.
const PATIENCE: u32 = 3;

/// Changes of forces, relative to the largest, at which it ends.
const SETTLED: f64 = 1e-13;

/// The same after the last sweep, above which forces count as not settled.
const UNSETTLED: f64 = 1e-8;

impl Machines<'_> {
    /// The stop of law impulse that is closed.
    pub(super) fn resting(self, machine: usize, state: &State) -> Option<(Stop, usize)> {
        let stop = self.law(machine).stop.filter(|stop| stop.law == StopLaw::Impulse)?;
        Some((stop, self.modes(machine, state).closed?))
    }

    /// Velocities behind the impulses of all closed stops of law impulse, and of what is locked.
    /// Stops that rebound open.
    ///
    /// An impulse on what moves away in its free direction would give energy. A freewheel that
    /// overruns takes no part, therefore, until the impulses of others have turned its slip: then
    /// it is stopped in a second pass, in which stops that have rebounded take no part, and so on.
    pub(super) fn impulses(self, state: &mut State, rules: Rules, workspace: &mut Workspace) -> Result<(), Failure> {
        let count = self.0.machines.len();
        for pass in 0..MOST_PASSES {
            if !self.begin_pass(pass, state, &rules, workspace) {
                break;
            }
            self.pass(state, workspace)?;
            workspace.machines.iter_mut().for_each(|work| work.hit += work.impulse);
        }
        for machine in 0..count {
            let Some((stop, which)) = self.resting(machine, state) else { continue };
            let ([q, qdot, _], mut modes) = (self.motion(machine, state), self.modes(machine, state));
            if -stop.indentation(which, [q, qdot])[1] > self.slow(machine, &rules) {
                modes.open();
                self.set(machine, &modes, state);
            }
        }
        Ok(())
    }

    /// Notes what takes part in a pass of impulses; false if nothing is left to be stopped.
    fn begin_pass(self, pass: usize, state: &State, rules: &Rules, workspace: &mut Workspace) -> bool {
        let mut is_needed = pass == 0;
        for machine in 0..self.0.machines.len() {
            let ([q, qdot, qddot], slow) = (self.motion(machine, state), self.slow(machine, rules));
            let (least, tolerance) = (rules.rest_speed * self.unit(machine), self.tolerance(machine));
            let work = &mut workspace.machines[machine];
            work.impulse = 0.0;
            if pass > 0 {
                work.tangential = Vec3::zeros();
            }
            if let Some((stop, which)) = self.resting(machine, state) {
                work.approach = -stop.indentation(which, [q, qdot])[1];
                let rests = -work.approach < least || work.approach.powi(2) < 2.0 * LOW * tolerance * qddot.abs();
                work.rebound = if rests { 0.0 } else { stop.restitution * work.approach };
                work.sign = Stop::sign(which);
                work.separates = pass > 0 && work.approach > slow;
                is_needed |= work.approach < -slow && work.inverse_mass != 0.0;
            }
            if let Some([low, high]) = self.modes(machine, state).locks() {
                work.separates = (low == 0.0 && qdot > slow) || (high == 0.0 && qdot < -slow);
                is_needed |= !work.separates && qdot.abs() > slow && work.inverse_mass != 0.0;
            }
        }
        is_needed
    }

    /// One pass of impulses.
    fn pass(self, state: &mut State, workspace: &mut Workspace) -> Result<(), Failure> {
        self.sweep(Level::Velocity, state, workspace, |state, workspace| {
            let mut sweep = Sweep::default();
            for machine in 0..self.0.machines.len() {
                let locked = self.modes(machine, state).locks();
                let resting = self.resting(machine, state).filter(|_| locked.is_none());
                let on = self.0.machines[machine].on;
                if workspace.machines[machine].halts || matches!(on, MachineOn::Resistance(..)) {
                    sweep.note(self.rub(machine, state, Level::Velocity, workspace)?);
                }
                let Some([low, high]) = locked.or(resting.map(|_| [0.0, f64::INFINITY])) else { continue };
                if workspace.machines[machine].separates {
                    continue;
                }
                let inverse_mass = self.inverse_mass(machine, state, workspace)?;
                if inverse_mass == 0.0 {
                    continue;
                }
                let MachineWork { rebound, impulse: before, .. } = workspace.machines[machine];
                let (rate, sign) = self.rebound(machine, state, rebound);
                let impulse = (before - rate / inverse_mass).clamp(low, high);
                workspace.machines[machine].impulse = impulse;
                self.push(machine, state, sign * (impulse - before), workspace)?;
                state.v.iter_mut().zip(&workspace.solution).for_each(|(v, x)| *v += x);
                sweep.note([(impulse - before).abs(), impulse.abs()]);
                if !workspace.machines[machine].halts {
                    sweep.note(self.rub(machine, state, Level::Velocity, workspace)?);
                }
            }
            Ok(sweep)
        })
    }

    /// The rate that an impulse makes zero: of a stop from which what hits it rebounds at a rate,
    /// of what is locked; and the direction of the impulse on the coordinate.
    pub(super) fn rebound(self, machine: usize, state: &State, rebound: f64) -> (f64, f64) {
        let [q, qdot, _] = self.motion(machine, state);
        match self.resting(machine, state).filter(|_| self.modes(machine, state).locks().is_none()) {
            None => (qdot, 1.0),
            Some((stop, which)) => (-stop.indentation(which, [q, qdot])[1] + rebound, Stop::sign(which)),
        }
    }

    /// Bounds of the forces of friction that sticks and of the resting stop.
    pub(super) fn bounds(self, machine: usize, state: &State) -> [Option<[f64; 2]>; 2] {
        let modes = self.modes(machine, state);
        let sticking = self.law(machine).friction.filter(|_| modes.grip == Grip::Stuck);
        [
            sticking.map(|friction| friction.limits(&modes)).map(|[back, forth]| [-back, forth]),
            self.resting(machine, state).map(|(_, which)| match which {
                0 => [0.0, f64::INFINITY],
                _ => [f64::NEG_INFINITY, 0.0],
            }),
        ]
    }

    /// After impulses: what moves slips, what does not may stick, and closed stops with springs
    /// that are pressed in count from this speed.
    pub(super) fn grip_anew(self, state: &mut State, rules: Rules, workspace: &mut Workspace) -> Result<(), Failure> {
        for machine in 0..self.0.machines.len() {
            let (mut modes, [q, qdot, _]) = (self.modes(machine, state), self.motion(machine, state));
            if let (Some(stop), Some(which)) = (self.law(machine).stop, modes.closed)
                && stop.law != StopLaw::Impulse
            {
                let [_, rate] = stop.indentation(which, [q, qdot]);
                if rate > rules.rest_speed * self.unit(machine) {
                    self.press(machine, state, (&mut modes, &stop, rate), rules, workspace)?;
                    self.set(machine, &modes, state);
                }
            }
            let Some(friction) = self.law(machine).friction.filter(|_| modes.grip != Grip::Free) else { continue };
            if modes.is_locked() {
                continue;
            }
            // What held rings by its spring: it slips where the impulse moves it.
            let least = match workspace.machines[machine].before.grip {
                Grip::Stuck => rules.rest_speed * self.unit(machine),
                _ => self.slow(machine, &rules),
            };
            if qdot.abs() > least && !modes.blocks(Grip::along(qdot)) {
                modes.grip = Grip::along(qdot);
            } else if modes.grip != Grip::Stuck {
                self.catch(machine, state, (&mut modes, &friction, q), rules, workspace)?;
            }
            self.set(machine, &modes, state);
        }
        self.grip_contacts(state, rules, true);
        Ok(())
    }

    /// Lets friction stick from now on, with the force with which it slipped.
    pub(super) fn catch(
        self,
        machine: usize,
        state: &State,
        (modes, friction, q): (&mut Modes, &Friction, f64),
        rules: Rules,
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        let force = modes.slipping_force(friction);
        modes.grip = Grip::Stuck;
        if friction.holds_by_mass(modes) {
            modes.stiffness = self.stiffness(machine, state, rules, workspace)?;
        }
        hold(modes, friction, q, force);
        Ok(())
    }

    /// Stiffness of what holds without limit, or by the load of its joint, which moves it by a
    /// little of what its force moves it in a step: by 1e-6, or 1e-4 where it may let go.
    pub(super) fn stiffness(
        self,
        machine: usize,
        state: &State,
        rules: Rules,
        workspace: &mut Workspace,
    ) -> Result<f64, Failure> {
        let lock = if self.modes(machine, state).brake == [LOCKED; 2] { LOCK } else { ONE_WAY };
        Ok(match self.inverse_mass(machine, state, workspace)? {
            0.0 => 0.0,
            inverse_mass => lock / (inverse_mass * rules.time * rules.time),
        })
    }

    /// Decides what sticks and rests, from accelerations at a state with the forces that held until
    /// now.
    pub(super) fn decide(
        self,
        e: &Environment,
        state: &mut State,
        rules: Rules,
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        let (count, are_loaded) = (self.0.machines.len(), self.are_loaded());
        // Every pass but the last makes at least one machine slip, or follows its load.
        for _ in 0..=count + if are_loaded { MOST_LOADS } else { 0 } {
            for machine in 0..count {
                let [q, ..] = self.motion(machine, state);
                let (law, modes) = (self.law(machine), self.modes(machine, state));
                workspace.machines[machine].forces = [modes.holding_force(q), 0.0];
                if self.resting(machine, state).is_some() {
                    let force = law.stop_force(&modes, [q, 0.0])[0];
                    workspace.machines[machine].forces[1] = force;
                }
                workspace.machines[machine].tangential = self.tangential_force(machine, state);
                workspace.machines[machine].load = modes.load;
            }
            self.balance(state, workspace)?;
            let slips = self.take_forces(state, rules, workspace);
            if !slips && !are_loaded {
                break;
            }
            self.0.kinetics().accelerations(e, state, workspace)?;
            let keeps = |machine: usize| {
                let [before, now] = [workspace.machines[machine].load, self.load(machine, state)];
                (now - before).abs() <= SETTLED * before.max(now)
            };
            if !slips && (0..count).all(keeps) {
                break;
            }
        }
        // With the springs that hold these forces.
        self.0.kinetics().accelerations(e, state, workspace)?;
        self.0.balance().reactions(e, state, workspace)
    }

    /// Gauss-Seidel iteration for the forces of what sticks and rests; accelerations follow.
    fn balance(self, state: &mut State, workspace: &mut Workspace) -> Result<(), Failure> {
        self.sweep(Level::Acceleration, state, workspace, |state, workspace| {
            let mut sweep = Sweep::default();
            for machine in 0..self.0.machines.len() {
                let bounds = self.bounds(machine, state);
                for (k, [low, high]) in bounds.into_iter().enumerate().filter_map(|(k, bounds)| Some((k, bounds?))) {
                    let alone = self.inverse_mass(machine, state, workspace)?;
                    if alone == 0.0 {
                        continue;
                    }
                    let (row, inverse_mass) = match self.rubbing(machine, state, workspace)? {
                        Some(rubbing) => rubbing,
                        None => (self.row(machine, state), alone),
                    };
                    let before = workspace.machines[machine].forces[k];
                    let force = (before - self.motion(machine, state)[2] / inverse_mass).clamp(low, high);
                    workspace.machines[machine].forces[k] = force;
                    self.push_along(&row, force - before, workspace)?;
                    state.vdot.iter_mut().zip(&workspace.solution).for_each(|(vdot, x)| *vdot += x);
                    sweep.note([(force - before).abs(), force.abs()]);
                }
                sweep.note(self.rub(machine, state, Level::Acceleration, workspace)?);
            }
            Ok(sweep)
        })
    }

    /// Repeats a sweep over all machines until it changes nothing, and solves between sweeps for
    /// what is inside of its bounds.
    fn sweep(
        self,
        level: Level,
        state: &mut State,
        workspace: &mut Workspace,
        mut once: impl FnMut(&mut State, &mut Workspace) -> Result<Sweep, Failure>,
    ) -> Result<(), Failure> {
        let (mut patience, mut last) = (PATIENCE, f64::INFINITY);
        for left in (0..MOST_SWEEPS).rev() {
            let Sweep { change, largest } = once(state, workspace)?;
            if change <= SETTLED * largest {
                break;
            }
            if left == 0 {
                workspace.unsettled += u64::from(change > UNSETTLED * largest);
                break;
            }
            // Sweeps alone end cycles of forces that slip and stick in turn.
            (patience, last) = (patience.saturating_sub(u32::from(change >= last)), change);
            if patience > 0 {
                self.descend(level, state, workspace)?;
            }
        }
        Ok(())
    }

    /// Modes by these forces; true if something slips that was stuck.
    fn take_forces(self, state: &mut State, rules: Rules, workspace: &Workspace) -> bool {
        let mut slips = false;
        for machine in 0..self.0.machines.len() {
            let (mut modes, [q, qdot, qddot]) = (self.modes(machine, state), self.motion(machine, state));
            let [of_friction, of_stop] = workspace.machines[machine].forces;
            if let Some(friction) = self.law(machine).friction.filter(|_| modes.grip == Grip::Stuck) {
                let [back, forth] = friction.limits(&modes);
                // What has no limit to overcome in a direction holds until it is pulled there.
                let is_pulled = |limit: f64| limit > 0.0 || qddot.abs() * rules.time > self.slow(machine, &rules);
                if of_friction <= -back && is_pulled(back) {
                    modes.grip = Grip::Forwards;
                    slips = true;
                } else if of_friction >= forth && is_pulled(forth) {
                    modes.grip = Grip::Backwards;
                    slips = true;
                } else {
                    hold(&mut modes, &friction, q, of_friction);
                }
            }
            if let Some((stop, which)) = self.resting(machine, state) {
                let force = Stop::sign(which) * of_stop;
                if force > 0.0 {
                    // A soft spring would store work that nothing has done.
                    modes.rest = stop.stiffness.max(force / (DEFAULT_SLIP * self.unit(machine)));
                    modes.level = force / modes.rest - stop.indentation(which, [q, qdot])[0];
                } else if modes.grip == Grip::Stuck {
                    // Friction holds it there: opened, it would close again with the next rounding.
                    (modes.rest, modes.level) = (stop.stiffness, -stop.indentation(which, [q, qdot])[0]);
                } else {
                    modes.open();
                }
            }
            self.set(machine, &modes, state);
            slips |= self.take_contact_force(machine, state, rules, &workspace.machines[machine].tangential);
        }
        slips
    }

    /// The force of the closed stop: as it is found for what rests, by its law otherwise.
    pub(super) fn normal(self, machine: usize, state: &State, workspace: &Workspace) -> f64 {
        if self.resting(machine, state).is_some() {
            return workspace.machines[machine].forces[1];
        }
        let [q, qdot, _] = self.motion(machine, state);
        self.law(machine).stop_force(&self.modes(machine, state), [q, qdot])[0]
    }

    /// w = B M^-1 B^T; 0 where joints hold the coordinate.
    pub(super) fn inverse_mass(self, machine: usize, state: &State, workspace: &mut Workspace) -> Result<f64, Failure> {
        let known = workspace.machines[machine].inverse_mass;
        if !known.is_nan() {
            return Ok(known);
        }
        self.push(machine, state, 1.0, workspace)?;
        let found = self.along(&self.row(machine, state), workspace);
        let size = self.0.scales.length / self.unit(machine);
        let found = if found > HELD / (self.0.scales.mass * size * size) { found } else { 0.0 };
        workspace.machines[machine].inverse_mass = found;
        Ok(found)
    }

    /// B x of the last push.
    pub(super) fn along(self, row: &Gradient, workspace: &Workspace) -> f64 {
        let layout = self.0.layout;
        let of = |(row, end): &(Vec6, usize)| -> f64 {
            if *end >= layout.carriers() {
                return 0.0;
            }
            row.iter().zip(&workspace.solution[layout.velocities(*end)]).map(|(b, x)| b * x).sum()
        };
        row.iter().map(of).sum()
    }

    /// Change of accelerations by a force on the coordinate, or of velocities by an impulse, with
    /// the last factors at this state; in `workspace.solution`.
    fn push(self, machine: usize, state: &State, force: f64, workspace: &mut Workspace) -> Result<(), Failure> {
        self.push_along(&self.row(machine, state), force, workspace)
    }

    /// The same of a force along a row.
    pub(super) fn push_along(self, row: &Gradient, force: f64, workspace: &mut Workspace) -> Result<(), Failure> {
        workspace.solution.fill(0.0);
        self.add_along(row, force, workspace);
        self.solve_pushed(workspace)
    }

    /// Adds a force along a row to the right-hand side.
    pub(super) fn add_along(self, row: &Gradient, force: f64, workspace: &mut Workspace) {
        let scale = self.0.acceleration_coefficients().mass;
        for (row, end) in row {
            if *end < self.0.layout.carriers() && self.0.free[*end] {
                let range = self.0.layout.velocities(*end);
                workspace.solution[range].iter_mut().zip(row).for_each(|(sum, b)| *sum += scale * force * b);
            }
        }
    }

    pub(super) fn solve_pushed(self, workspace: &mut Workspace) -> Result<(), Failure> {
        workspace.solve();
        match are_finite(&workspace.solution) {
            true => Ok(()),
            false => Err(Failure::NotFinite { unknown: 0, iterations: 0 }),
        }
    }

    /// B of a coordinate.
    pub(super) fn row(self, machine: usize, state: &State) -> Gradient {
        let (joint, which) = match self.0.machines[machine].on {
            MachineOn::Joint(joint, which) => (joint, which),
            MachineOn::Contact(contact) => {
                let (touch, at) = self.touch(contact, state);
                return self.row_at((contact, Rub::Sliding), (&touch, &at), &touch.normal);
            }
            // Its friction has rows of its own.
            MachineOn::Resistance(contact, _) => {
                return self.between(self.0.elements().contact_nodes(contact), [Vec6::zeros(); 2]);
            }
            MachineOn::Clutch(clutch) => return self.clutch_row(clutch, state),
        };
        let element = &self.0.joints[joint];
        let [a, b] = self.0.end_motions(element.ends(), state);
        let row = element.gradient(which == 1, [&a, &b]).unwrap_or(Row { a: Vec6::zeros(), b: Vec6::zeros() });
        self.between(element.ends(), [row.a, row.b])
    }

    /// The gradient of a coordinate of two nodes.
    pub(super) fn between(self, [a, b]: [usize; 2], rows: [Vec6; 2]) -> Gradient {
        let unused = (Vec6::zeros(), self.0.layout.carriers());
        [(rows[0], a), (rows[1], b), unused, unused]
    }
}

/// What a sweep has changed.
#[derive(Debug, Default)]
struct Sweep {
    /// Largest change of a force or an impulse.
    change: f64,
    /// The largest of them.
    largest: f64,
}

impl Sweep {
    /// Notes a change, and the size of what has changed.
    fn note(&mut self, [change, size]: [f64; 2]) {
        (self.change, self.largest) = (self.change.max(change), self.largest.max(size));
    }
}

/// Places the spring of what sticks, so that it begins with a force.
pub(super) fn hold(modes: &mut Modes, friction: &Friction, q: f64, force: f64) {
    if modes.grip == Grip::Stuck {
        if !friction.holds_by_mass(modes) {
            modes.stiffness = friction.stiffness(modes);
        } else if modes.stiffness > 0.0 {
            // A soft spring would store work that nothing has done.
            modes.stiffness = modes.stiffness.max(force.abs() / friction.slip);
        }
        // Without stiffness, joints or a drive hold what is locked.
        modes.zero = if modes.stiffness == 0.0 { q } else { q + force / modes.stiffness };
    }
}
