//! Extrapolation of accelerations and multipliers in the predictor of generalized-alpha, from their
//! changes in the last step.

use super::start::{Given, Started, three};
use crate::scheme::{Alpha, Point};
use crate::spatial::{Vec3, rotation};
use crate::system::System;

/// Number of steps after a start from which accelerations and multipliers are smooth.
pub const SMOOTH: u32 = 3;

/// Changes of accelerations and multipliers in the last step, for linear extrapolation.
pub struct Trend<'a> {
    /// Accelerations at the start of the last step.
    pub vdot: &'a [f64],
    /// Multipliers there.
    pub lambda: &'a [f64],
    /// Ratio of the length of the step to that of the last one; 0: no extrapolation.
    stretch: f64,
}

impl<'a> Trend<'a> {
    /// The trend for a step that starts with `start`.
    #[inline(always)]
    pub fn of(system: &System, started: Started, from: &'a Point, start: Given<'a>) -> Trend<'a> {
        match (from.history.alpha(), started) {
            (Some(Alpha { vdot, lambda, .. }), Started::On(stretch))
                if from.history.age >= SMOOTH && is_smooth(system, start.vdot, vdot) =>
            {
                Trend { vdot, lambda, stretch }
            }
            // The numbers are arbitrary: their factor is 0.
            _ => Trend { vdot: start.vdot, lambda: start.lambda, stretch: 0.0 },
        }
    }

    /// Extrapolates a number that was `last` at the start of the last step and is `x` now to the
    /// end of the step.
    #[inline(always)]
    pub fn ahead(&self, x: f64, last: f64) -> f64 {
        x + self.stretch * (x - last)
    }

    /// The acceleration of the centre of a body at the end of a step of length `h`, if it turned
    /// with the body in the last step, of length `last`: its trend is that in the body's axes then.
    /// A straight prediction would strain the stiff axis of a structure that turns by the square of
    /// the angle of the step.
    pub fn turned(&self, start: Given, first: usize, [h, last]: [f64; 2]) -> Option<Vec3> {
        let (now, before) = (three(start.vdot, first), three(self.vdot, first));
        let (omega, omegadot) = (three(start.v, first + 3), three(start.vdot, first + 3));
        let turn = |h: f64| rotation::exp(&(omega * h + omegadot * (0.5 * h * h)));
        let carried = rotation::rotate(&turn(-last).inverse(), &before);
        let does_turn = (now - carried).norm_squared() < (now - before).norm_squared();
        does_turn.then(|| rotation::rotate(&turn(h), &(now + (now - carried) * self.stretch)))
    }
}

/// True if accelerations change by less than half of their size from one step to the next. Those of
/// modes that steps do not resolve alternate: extrapolated, they would start the iteration far from
/// its solution. Angular accelerations are multiplied by the model's length, so that the result
/// does not depend on units.
fn is_smooth(system: &System, vdot: &[f64], last: &[f64]) -> bool {
    let (layout, length) = (system.layout(), system.scales().length);
    let ((bodies, points), (last_bodies, last_points)) = (layout.split(vdot), layout.split(last));
    let of_bodies = squares(bodies, last_bodies)
        .map(|[x, y, z, alpha, beta, gamma]| (x + y + z) + (alpha + beta + gamma) * (length * length));
    let of_points = squares(points, last_points).map(|[x, y, z]| x + y + z);
    let [size, last_size, change] = [0, 1, 2].map(|k| of_bodies[k] + of_points[k]);
    change <= 0.25 * size.max(last_size)
}

/// Sums of squares of the present numbers, of the last ones and of their differences, for each
/// component of a node.
#[inline(always)]
fn squares<const W: usize>(now: &[[f64; W]], last: &[[f64; W]]) -> [[f64; W]; 3] {
    let mut sums = [[0.0; W]; 3];
    for (now, last) in now.iter().zip(last) {
        for k in 0..W {
            sums[0][k] += now[k] * now[k];
            sums[1][k] += last[k] * last[k];
            sums[2][k] += (now[k] - last[k]) * (now[k] - last[k]);
        }
    }
    sums
}
