//! Constraints of all joints and gears: their rows and rates, the violations at a state, and their
//! numbers where drives come or go.

use super::assembly::Row;
use super::joints::Misfit;
use super::views::Constraints;
use super::{Motion, State, System};
use crate::model::{Loads, Model};

impl Constraints<'_> {
    /// The model with other drives, numbered anew; lines, springs and scales are those of this
    /// system.
    pub fn with_drives(self, model: &Model) -> System {
        let mut system = System::new(model);
        system.adjust().take_lines(self.0.lines());
        system.adjust().set_joint_springs(self.0.joints().springs());
        system.adjust().set_force_scale(self.0.scales.force);
        system
    }

    /// Multipliers that another system of the model, with other drives, has at its constraints; 0
    /// at constraints that it does not have.
    pub fn multipliers_of(self, other: &System, lambda: &[f64]) -> Vec<f64> {
        let mut own = vec![0.0; self.0.multipliers()];
        for (joint, before) in self.0.joints.iter().zip(&other.joints) {
            for (k, index) in joint.indices.iter().enumerate().filter_map(|(k, index)| Some((k, (*index)?))) {
                let alike = |row: &usize| match joint.drive_of(k) {
                    None => *row == k && before.drive_of(k).is_none(),
                    drive => before.drive_of(*row) == drive,
                };
                let row = (0..before.rows()).find(alike).and_then(|row| before.indices[row]);
                own[index.get()] = row.map_or(0.0, |row| lambda[row.get()]);
            }
        }
        for (gear, before) in self.0.gears.iter().zip(&other.gears) {
            if let (Some(index), Some(row)) = (gear.number(), before.number()) {
                own[index] = lambda[row];
            }
        }
        own
    }

    /// Calls `each(k, ends, B_k, nu_k, gamma_k)` for every independent constraint k,
    /// `dPhi_k/dt = B_k v + nu_k`, `d^2 Phi_k/dt^2 = B_k vdot + gamma_k`, at motions of all bodies
    /// and the ground. An end that is not a body is the ground. A constraint on more than two
    /// bodies is a sum of parts, each with a call of its own with the same k.
    #[inline(always)]
    pub fn for_each_rate(
        self,
        motions: &[Motion],
        loads: &Loads,
        mut each: impl FnMut(usize, [usize; 2], &Row, f64, f64),
    ) {
        for (k, joint) in self.0.joints.iter().enumerate() {
            let ends = joint.ends().map(|end| &motions[end]);
            joint.for_each_rate(ends, &loads.drives(k), |k, row, nu, gamma| each(k, joint.ends(), row, nu, gamma));
        }
        self.0.for_each_gear_rate(motions, |k, ends, row, gamma| each(k, ends, row, 0.0, gamma));
    }

    /// Violations of `B v + nu = 0` by velocities, and of `B vdot + gamma = 0` by each of two kinds
    /// of accelerations, at motions: calls `each(k, left)` for all independent constraints, for
    /// several of them from k on in one call.
    #[inline(always)]
    pub fn violations(
        self,
        motions: &[Motion],
        loads: &Loads,
        numbers: [&Vec<f64>; 3],
        mut each: impl FnMut(usize, &[[f64; 3]]),
    ) {
        let bodies = numbers.map(|numbers| self.0.layout.split(numbers).0);
        // The ground is no body.
        let of_ends = |ends: [usize; 2]| ends.map(|end| (end < bodies[0].len()).then(|| bodies.map(|x| &x[end])));
        for (k, joint) in self.0.joints.iter().enumerate() {
            let ends = joint.ends().map(|end| &motions[end]);
            joint.violations(ends, &self.0.drives(loads, k), of_ends(joint.ends()), &mut each);
        }
        self.0.gear_violations(motions, of_ends, each);
    }

    /// Calls `each(k)` for the independent constraints that are slips of rolling discs, which
    /// velocities fulfil and positions do not know.
    pub fn for_each_slip(self, mut each: impl FnMut(usize)) {
        for joint in self.0.discs.iter().map(|joint| &self.0.joints[*joint]) {
            joint.slips().for_each(|index| each(index.get()));
        }
    }

    /// Largest violations over all constraints, redundant ones included: of positions (a length, or
    /// an angle in rad times the model's length scale where larger) and of velocities.
    pub fn largest_violations(self, state: &State) -> (f64, f64) {
        let (mut position, mut velocity) = (0.0f64, 0.0f64);
        // NaN counts as the largest.
        let worst = |a: f64, b: f64| if b <= a { a } else { b };
        for (joint, drive) in self.0.joints.iter().zip(&state.drives) {
            let [a, b] = self.0.end_motions(joint.ends(), state);
            let misfit = Misfit { joint, ends: [&a, &b] };
            position = worst(position, misfit.largest(drive));
            let rate = misfit.rates(drive);
            velocity = worst(worst(velocity, rate.length), rate.angle);
        }
        for gap in self.0.gears().gaps(state) {
            (position, velocity) = (worst(position, gap.value.abs()), worst(velocity, gap.rate.abs()));
        }
        (position, velocity)
    }

    /// Number of constraints left out because they follow from the others.
    pub fn redundant(self) -> usize {
        self.0.redundant
    }

    /// The number of all constraints.
    #[inline(always)]
    pub fn scales(self) -> impl Iterator<Item = (bool, f64)> {
        self.0.lengths.iter().copied().zip(self.0.effective_masses.iter().copied())
    }

    /// Whether constraint `k` is a length (else dimensionless), and its effective mass.
    #[inline(always)]
    pub fn scale(self, k: usize) -> (bool, f64) {
        (self.0.lengths[k], self.0.effective_masses[k])
    }
}
