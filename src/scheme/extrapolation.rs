//! What the predictor of generalized-alpha carries on beside velocities: how accelerations and multipliers changed in the last step.

use super::start::{Given, Started};
use super::sums::{lane_sums, sum};
use super::{Alpha, Point};
use crate::system::System;

/// Steps after a start from which accelerations and multipliers are smooth.
pub const SMOOTH: u32 = 3;

/// How accelerations and multipliers changed in the last step: on they go, linearly.
pub struct Trend<'a> {
    /// Accelerations at the start of the last step.
    pub vdot: &'a [f64],
    /// Multipliers there.
    pub lambda: &'a [f64],
    /// Length of the step in units of the last one; 0 where nothing is carried on.
    stretch: f64,
}

impl<'a> Trend<'a> {
    /// That of a step which starts with `start`.
    #[inline(always)]
    pub fn of(system: &System, started: Started, from: &'a Point, start: Given<'a>) -> Trend<'a> {
        match (from.history.alpha(), started) {
            (Some(Alpha { vdot, lambda, .. }), Started::On(stretch))
                if from.history.age >= SMOOTH && is_smooth(system, start.vdot, vdot) =>
            {
                Trend { vdot, lambda, stretch }
            }
            // Any numbers do: they count times 0.
            _ => Trend { vdot: start.vdot, lambda: start.lambda, stretch: 0.0 },
        }
    }

    /// The number at the end of the step that was `last` at the start of the last one, and is `x` now.
    #[inline(always)]
    pub fn ahead(&self, x: f64, last: f64) -> f64 {
        x + self.stretch * (x - last)
    }
}

/// Whether accelerations change by less than half of their size from one step to the next. Those of modes that steps do not
/// resolve alternate: carried on, they would start the iteration far from its solution. Angular ones count times the model's length:
/// the answer does not depend on units.
fn is_smooth(system: &System, vdot: &[f64], last: &[f64]) -> bool {
    let (layout, length) = (system.layout(), system.scales().length);
    let ((bodies, points), (last_bodies, last_points)) = (layout.split(vdot), layout.split(last));
    let (bodies, last_bodies) = (bodies.as_flattened(), last_bodies.as_flattened());
    let (points, last_points) = (points.as_flattened(), last_points.as_flattened());
    let total = |lanes: [f64; 6], points: f64| {
        let [x, y, z, alpha, beta, gamma] = lanes;
        (x + y + z) + (alpha + beta + gamma) * (length * length) + points
    };
    let square = |x: f64, _: f64| x * x;
    let size = |bodies, points| total(lane_sums(bodies, bodies, square), sum(points, points, square));
    let difference = |now: f64, last: f64| (now - last) * (now - last);
    let change = total(lane_sums(bodies, last_bodies, difference), sum(points, last_points, difference));
    change <= 0.25 * size(bodies, points).max(size(last_bodies, last_points))
}
