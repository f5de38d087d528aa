//! Which residuals are rounding.
//!
//! What the terms of an equation sum up to is known to the rounding of the largest of them. Moments of reactions are known to what the
//! rounding of places makes of lever arms, too. An iterate that leaves no more than that in any equation is as good as any
//! other: increments that follow from it are noise, however large a long chain or a nearly singular loop makes them (backward errors,
//! Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 1.5).

use super::{System, Workspace};

/// To what the terms of equations are known.
#[derive(Clone, Copy)]
pub struct Rounding {
    /// Forces and moments, and what constraints without dimension state: relative to their terms.
    pub relative: f64,
    /// Lever arms.
    pub arm: f64,
    /// Lengths that constraints state.
    pub length: f64,
}

impl System {
    /// Whether every equation of the last evaluation holds to rounding, with `lambda` for the multipliers. Each is measured by its
    /// own inertia forces, weight and reactions alone: where larger forces of other kinds balance each other, the answer may
    /// be no without need.
    pub fn holds_to_rounding(&self, rounding: &Rounding, lambda: &[f64], workspace: &mut Workspace) -> bool {
        let (layout, bodies) = (self.layout, self.bodies());
        let Workspace { motions, residual, limits, .. } = workspace;
        let constraints = &residual[layout.dofs()..];
        let holds = |(r, is_length): (&f64, &bool)| {
            r.abs() <= if *is_length { rounding.length } else { rounding.relative }
        };
        if !constraints.iter().zip(&self.lengths).all(holds) {
            return false;
        }
        let (of_bodies, of_points) = layout.split_mut(limits);
        let weight = self.gravity.norm();
        for ((limits, inertia), motion) in of_bodies.iter_mut().zip(&self.inertias).zip(&motions[..]) {
            let (pull, spin) = (motion.vdot.norm() + weight, motion.omegadot.norm() + motion.omega.norm_squared());
            let arm = inertia.eta.norm();
            let force = inertia.mass * (pull + arm * spin) * rounding.relative;
            let moment = (inertia.inertia.norm() * spin + inertia.mass * arm * pull) * rounding.relative;
            *limits = [force, force, force, moment, moment, moment];
        }
        // Nodes of lines have a measure of their own.
        of_points.fill([f64::INFINITY; 3]);
        for (limits, point) in of_points.iter_mut().zip(&self.points) {
            *limits = [point.mass * (motions[point.node].vdot.norm() + weight) * rounding.relative; 3];
        }
        for joint in &self.joints {
            joint.for_each_gradient(joint.ends.map(|end| &motions[end]), |index, row| {
                let reaction = lambda[index].abs();
                let by_arm = if self.lengths[index] { rounding.arm * reaction } else { 0.0 };
                for (body, gradient) in joint.ends.iter().zip([&row.a, &row.b]).filter(|(body, _)| **body < bodies) {
                    for (k, (limit, share)) in of_bodies[*body].iter_mut().zip(gradient.iter()).enumerate() {
                        *limit += reaction * share.abs() * rounding.relative + if k < 3 { 0.0 } else { by_arm };
                    }
                }
            });
        }
        residual.iter().zip(&*limits).all(|(r, limit)| r.abs() <= *limit)
    }
}
