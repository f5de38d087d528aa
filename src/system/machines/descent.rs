//! Between two sweeps over all machines: what is inside of its bounds is solved for together.
//!
//! A sweep (projected Gauss-Seidel) tells which forces or impulses are at their bounds, but carries
//! a change over one contact only. The others have W x = -(rates), W = B M^-1 B^T on the
//! constraints: conjugate gradients with the diagonal of W, up to the first bound that is met
//! (Robinson, Feng, Nocedal, Pang, Subspace accelerated matrix splitting algorithms, SIAM Journal
//! on Optimization 23, 2013). W times a direction takes one solution with the factors. The next
//! sweep checks the result.

use super::contacts::{AT_LIMIT, Level};
use super::work::Unknowns;
use super::{Gradient, Machines};
use crate::spatial::Vec3;
use crate::system::{Failure, State, Workspace};

/// Residuals, as part of the first one, at which the iteration ends.
const SOLVED: f64 = 1e-14;

/// Forces of a stop, as part of that of friction on the same coordinate, that count as none.
const LITTLE: f64 = 1e-9;

/// Curvatures, as part of those by the diagonal of W, below which nothing moves in a direction:
/// redundant contacts.
const FLAT: f64 = 1e-10;

impl Machines<'_> {
    /// Changes the forces or impulses that are inside of their bounds, and accelerations or
    /// velocities with them, so that their rates vanish.
    pub(super) fn descend(self, level: Level, state: &mut State, workspace: &mut Workspace) -> Result<(), Failure> {
        let machines = 0..self.0.machines.len();
        let mut unknowns = 0;
        for machine in machines.clone() {
            // A stop that hardly rests leaves the coordinate to friction that sticks.
            let [of_friction, of_stop] = workspace.machines[machine].forces;
            let rests = self.resting(machine, state).is_some() && of_stop.abs() > LITTLE * of_friction.abs();
            workspace.machines[machine].rests = rests;
            let free = self.free(machine, level, state, workspace);
            let rates = self.rates(machine, level, state, workspace);
            unknowns += usize::from(free.0.is_some()) + 2 * usize::from(free.1);
            let work = &mut workspace.machines[machine];
            work.free = free;
            work.residual = Unknowns {
                along: if free.0.is_some() { -rates.along } else { 0.0 },
                across: if free.1 { -rates.across } else { Vec3::zeros() },
            };
            work.direction = work.scaled_residual();
        }
        // One unknown alone is settled by its sweep.
        if unknowns < 2 {
            return Ok(());
        }
        let product = |workspace: &Workspace| -> f64 {
            workspace.machines.iter().map(|work| work.residual.dot(&work.scaled_residual())).sum()
        };
        let first = product(workspace);
        let mut last = first;
        for _ in 0..unknowns {
            workspace.solution.fill(0.0);
            for machine in machines.clone() {
                let Unknowns { along, across } = workspace.machines[machine].direction;
                if along != 0.0 {
                    let sign = self.sign(machine, level, state, workspace);
                    self.add_along(&self.row(machine, state), sign * along, workspace);
                }
                if let Some(row) = self.row_across(machine, state, &across) {
                    self.add_along(&row, 1.0, workspace);
                }
            }
            self.solve_pushed(workspace)?;
            let (mut curvature, mut alone, mut longest) = (0.0, 0.0, f64::INFINITY);
            for machine in machines.clone() {
                let image = self.image(machine, level, state, workspace);
                let work = &mut workspace.machines[machine];
                work.image = image;
                curvature += work.direction.dot(&image);
                alone += work.curvature_alone();
                if let Some([low, high]) = work.free.0 {
                    let (slope, value) = (work.direction.along, work.along(level));
                    let bound = if slope > 0.0 { high } else { low };
                    longest = longest.min(if slope == 0.0 { f64::INFINITY } else { (bound - value) / slope });
                }
            }
            if !(curvature > FLAT * alone && last > SOLVED * SOLVED * first) {
                break;
            }
            let length = (last / curvature).min(longest);
            for work in &mut workspace.machines {
                *work.along_mut(level) += length * work.direction.along;
                work.tangential += work.direction.across * length;
                let image = work.image;
                work.residual.add(-length, &image);
            }
            let changed = if level == Level::Velocity { &mut state.v } else { &mut state.vdot };
            changed.iter_mut().zip(&workspace.solution).for_each(|(v, x)| *v += length * x);
            if length == longest {
                break;
            }
            let next = product(workspace);
            for work in &mut workspace.machines {
                let mut direction = work.scaled_residual();
                direction.add(next / last, &work.direction);
                work.direction = direction;
            }
            last = next;
        }
        Ok(())
    }

    /// Which forces or impulses of a machine are inside of their bounds: that on the coordinate,
    /// with the bounds, and that in the tangent plane.
    fn free(self, machine: usize, level: Level, state: &State, workspace: &Workspace) -> (Option<[f64; 2]>, bool) {
        let work = &workspace.machines[machine];
        let modes = self.modes(machine, state);
        let bounds = match level {
            Level::Velocity if work.separates => None,
            Level::Velocity => modes.locks().or(self.resting(machine, state).map(|_| [0.0, f64::INFINITY])),
            // Friction of what slips changes with it: no symmetric matrix.
            Level::Acceleration if self.slips(machine, state) => None,
            Level::Acceleration => self.bounds(machine, state)[usize::from(work.rests)],
        };
        let is_inside =
            |[low, high]: &[f64; 2]| (*low..*high).contains(&work.along(level)) && work.along(level) != *low;
        let bounds = bounds.filter(|bounds| work.inverse_mass > 0.0 && is_inside(bounds));
        let most = self.most_friction(machine, state, level, workspace);
        let [xx, xy, yy] = work.compliance;
        let moves = xx * yy > xy * xy;
        (bounds, moves && most.is_some_and(|most| work.tangential.norm() < most * AT_LIMIT))
    }

    /// The rates that are to become zero.
    fn rates(self, machine: usize, level: Level, state: &State, workspace: &Workspace) -> Unknowns {
        let touch = self.rub_of(machine).map(|(contact, rub)| (self.touch(contact, state).0, rub));
        match level {
            Level::Velocity => Unknowns {
                along: self.rebound(machine, state, workspace.machines[machine].rebound).0,
                across: touch.map_or(Vec3::zeros(), |(touch, rub)| touch.slip_of(rub)),
            },
            Level::Acceleration => Unknowns {
                along: self.motion(machine, state)[2],
                across: touch.map_or(Vec3::zeros(), |(touch, rub)| touch.slip_rate_of(rub)),
            },
        }
    }

    /// The direction on the coordinate of a positive force or impulse.
    fn sign(self, machine: usize, level: Level, state: &State, workspace: &Workspace) -> f64 {
        match level {
            Level::Velocity if self.modes(machine, state).locks().is_none() => workspace.machines[machine].sign,
            _ => 1.0,
        }
    }

    /// What the last push does to a machine.
    fn image(self, machine: usize, level: Level, state: &State, workspace: &Workspace) -> Unknowns {
        let (along, across) = workspace.machines[machine].free;
        let mut image = Unknowns::NONE;
        if along.is_some() {
            let sign = self.sign(machine, level, state, workspace);
            image.along = sign * self.along(&self.row(machine, state), workspace);
        }
        if across && let Some((contact, rub)) = self.rub_of(machine) {
            let (touch, at) = self.touch(contact, state);
            for axis in rub.axes(&touch.normal) {
                image.across += axis * self.along(&self.row_at((contact, rub), (&touch, &at), &axis), workspace);
            }
        }
        image
    }

    /// The gradient of the displacement in a direction of a contact's tangent plane; None of zero.
    fn row_across(self, machine: usize, state: &State, direction: &Vec3) -> Option<Gradient> {
        let (contact, rub) = self.rub_of(machine).filter(|_| *direction != Vec3::zeros())?;
        let (touch, at) = self.touch(contact, state);
        Some(self.row_at((contact, rub), (&touch, &at), direction))
    }
}
