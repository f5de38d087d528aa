//! Damping of load callbacks that return none, by differences, for the start of a step
//! (`Kinetics::damped_accelerations`): one more call tells whether they are stiff, and 6 per body
//! find their matrix where they are.

use super::{Places, Slot, Slots, secant, set_block};
use crate::model::Callbacks;
use crate::spatial::{Mat6, RigidInertia, Vec6, join, lower, upper};
use crate::system::{Failure, Motion};

/// Changes of velocities, as part of the fastest one of the bodies, and at least as part of the
/// model's length per step: large against rounding, small against what bends a law.
const PART: f64 = 1e-4;
const LEAST: f64 = 1e-6;

/// A callback is stiff where a step changes the velocities by this part of what it damps.
const STIFF: f64 = 0.1;

impl Slots {
    /// Finds the damping of those that returned none in the iteration which has just ended at the
    /// motions, for steps of length h.
    pub fn find_damping(
        &mut self,
        callbacks: &Callbacks,
        (motions, places): (&mut [Motion], &Places),
        time: f64,
        h: f64,
        (length, inertias): (f64, &[RigidInertia]),
    ) -> Result<(), Failure> {
        for slot in self.slots.iter_mut().filter(|slot| slot.secant.known && !slot.has_damping) {
            let fastest = slot.bodies.iter().map(|body| motions[*body].v.norm() + length * motions[*body].omega.norm());
            let small = (PART * fastest.fold(0.0, f64::max)).max(LEAST * length / h);
            let size = secant::size(&slot.secant.vdot, length);
            if size == 0.0 {
                continue;
            }
            // Stiff forces are in the direction of the accelerations that they make.
            let mut change = std::mem::take(&mut slot.now);
            change.iter_mut().zip(&slot.secant.vdot).for_each(|(change, vdot)| *change = vdot * (small / size));
            let answer = slot.ask_beside(callbacks, motions, places, time, &change);
            slot.now = change;
            answer?;
            let is_stiff = slot.bodies.iter().enumerate().any(|(k, body)| {
                let (w, RigidInertia { mass, inertia, .. }) = (&slot.mismatch[k], &inertias[*body]);
                let rate = upper(w).norm() / mass + length * lower(w).norm() / inertia.diagonal().min();
                h * rate > STIFF * small
            });
            if is_stiff {
                slot.difference(callbacks, (motions, places), time, [small, small / length])?;
            }
        }
        Ok(())
    }
}

impl Slot {
    /// Calls the host at velocities that differ by so much; the change of the wrenches is left in
    /// `mismatch`, the velocities are as before.
    fn ask_beside(
        &mut self,
        callbacks: &Callbacks,
        motions: &mut [Motion],
        places: &Places,
        time: f64,
        change: &[Vec6],
    ) -> Result<(), Failure> {
        for (k, body) in self.bodies.iter().enumerate() {
            let motion = &mut motions[*body];
            self.step[k] = join(&motion.v, &motion.omega);
            (motion.v, motion.omega) = (motion.v + upper(&change[k]), motion.omega + lower(&change[k]));
        }
        let answer = self.ask(callbacks, motions, places, time);
        for (k, body) in self.bodies.iter().enumerate() {
            (motions[*body].v, motions[*body].omega) = (upper(&self.step[k]), lower(&self.step[k]));
            self.mismatch[k] = Vec6::from(self.wrenches[k]) - self.secant.wrenches[k];
        }
        answer
    }

    /// The damping by differences of so much, of translations and of rotations.
    fn difference(
        &mut self,
        callbacks: &Callbacks,
        (motions, places): (&mut [Motion], &Places),
        time: f64,
        small: [f64; 2],
    ) -> Result<(), Failure> {
        let n = self.bodies.len();
        let mut change = std::mem::take(&mut self.now);
        for (j, column) in (0..n).flat_map(|j| (0..6).map(move |column| (j, column))) {
            change.fill(Vec6::zeros());
            change[j][column] = small[column / 3];
            if let Err(failure) = self.ask_beside(callbacks, motions, places, time, &change) {
                self.now = change;
                return Err(failure);
            }
            for i in 0..n {
                self.factorised[i + n * j].set_column(column, &(self.mismatch[i] / -small[column / 3]));
            }
        }
        self.now = change;
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let block: &Mat6 = &self.factorised[i + n * j];
            set_block(&mut self.damping, n, i, j, block);
        }
        self.has_damping = true;
        Ok(())
    }
}
