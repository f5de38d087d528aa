//! Bushings in energy form: `w = K (dbar + (1/2 - alpha_f) (y1 - y0)) - p` over a step, and the
//! mean force of the step of each table (`discrete_gradient`, `energy_form`).
//!
//! The moment of a bushing is w_phi, not P^T w_phi. Its work is the loss of potential for relative
//! rotations that are small, about one axis, or on an isotropic stiffness.

use super::bushing::Bushing;
use super::discrete_gradient::{Ends, Over, ends_in_axes};
use super::energy_form::{EnergyForm, Memory};
use super::{Local, Site};

impl Bushing {
    /// Adds its springs over a step in energy form; memories are those of d. Returns the stiffness
    /// that jumped, if one did.
    pub fn add_over(
        &self,
        [from, at]: [&[Site; 2]; 2],
        form: &EnergyForm,
        last: &[Memory],
        next: &mut [Memory],
        out: &mut Local<2>,
    ) -> Option<f64> {
        let [start, end]: [Ends; 2] = [from, at].map(|sites| ends_in_axes(sites, &self.axes));
        let mean = (start.1 + end.1) * 0.5 + form.advance_memories(&(end.1 - start.1), last, next);
        let deflection = mean + (end.1 - mean) * form.backward;
        let share = 0.5 + form.drive * form.dissipation;
        let share = share + (1.0 - share) * form.backward;
        let (mut wrench, mut stiffness) = (self.stiffness * deflection - self.preload, self.stiffness * share);
        let mut jumped = None;
        for (axis, table) in self.with_tables() {
            let (pull, is_jump) = table.pull(form, [start.1[axis], end.1[axis]], &last[axis]);
            wrench[axis] += pull.tension;
            stiffness[(axis, axis)] += pull.slope;
            next[axis] = pull.memory;
            jumped = jumped.or(is_jump.then(|| table.steepest()));
        }
        Over::of([from, at], [&start, &end], (wrench, stiffness), false).add(out);
        jumped
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::Element;
    use crate::elements::discrete_gradient::LEAST_TURN;
    use crate::spatial::{Mat3, Mat6, Quat, Vec3, Vec6, join, rotation, upper};

    fn bushing() -> Bushing {
        let half = Mat3::from_fn(|i, j| ((7 * i + 3 * j) as f64).sin());
        let mut stiffness = Mat6::from_diagonal_element(2.0);
        stiffness.fixed_view_mut::<3, 3>(0, 0).copy_from(&(half * half.transpose()));
        let turned = rotation::exp(&Vec3::new(0.3, -0.5, 0.2));
        Bushing { axes: [turned, Quat::identity()], stiffness, ..Bushing::default() }
    }

    fn site(x: &Vec3, arm: &Vec3, psi: &Vec3, q: &Quat) -> Site {
        let (q, zero) = (rotation::exp(psi) * q, Vec3::zeros());
        let r = rotation::matrix(&q);
        Site { x: x + r * arm, v: zero, a: zero, arm: r * arm, q, r, omega: zero, omegadot: zero }
    }

    /// On an isotropic stiffness of rotations the wrenches do the work -dV on displacements and
    /// rotation vectors to rounding, for rotations of a step up to 1.6 rad.
    #[test]
    fn work_of_a_step_is_the_loss_of_potential() {
        let form = EnergyForm { h: 1.0, share: 1.0, dissipation: 0.0, drive: 0.4, decay: 0.3, backward: 0.0 };
        let bushing = bushing();
        let zero = Vec3::zeros();
        for size in [1e-6, 1e-3, 0.1, 1.0] {
            let arms = [Vec3::new(0.3, -0.7, 0.4), Vec3::new(-0.2, 0.5, 0.6)];
            let q = [Quat::identity(), rotation::exp(&Vec3::new(0.9, -0.4, 0.7))];
            let x = [Vec3::new(0.2, 0.1, 0.0), Vec3::new(1.0, 2.0, 3.0)];
            let u = [Vec3::new(0.1, 0.4, -0.3) * size, Vec3::new(-0.5, 0.2, 0.6) * size];
            let psi = [Vec3::new(0.6, 0.9, -1.2) * size, Vec3::new(-0.5, 1.1, 0.4) * size];
            let from = [0, 1].map(|k| site(&x[k], &arms[k], &zero, &q[k]));
            let at = [0, 1].map(|k| site(&(x[k] + u[k]), &arms[k], &psi[k], &q[k]));
            let (mut out, mut next) = (Local::zero(false, false), [Memory::default(); 6]);
            bushing.add_over([&from, &at], &form, &[Memory::default(); 6], &mut next, &mut out);
            let work: f64 = (0..2).map(|k| -out.residual[k].dot(&join(&u[k], &psi[k]))).sum();
            let potential = |sites| {
                let d = bushing.relative(sites).displacement;
                0.5 * d.dot(&(bushing.stiffness * d))
            };
            let loss = potential(&from) - potential(&at);
            // Terms of the work are of the size of the potential; below LEAST_TURN a part of third
            // order in the turn is left out.
            let error = (work - loss).abs();
            assert!(error < 64.0 * f64::EPSILON * potential(&from) + LEAST_TURN.powi(3), "{size}: {error:.1e}");
            assert!(loss.abs() > 1e-3 * size * potential(&from));
        }
    }

    /// Where nothing turns, the force at the end of the step that the scheme makes of F is that of
    /// the law: the same scheme as for forces at the ends of steps.
    #[test]
    fn without_turning_the_wrench_of_a_step_is_linear() {
        let form = EnergyForm { h: 1.0, share: 1.7, dissipation: 0.2, drive: 0.4, decay: 0.3, backward: 0.0 };
        let (bushing, zero, q) = (bushing(), Vec3::zeros(), Quat::identity());
        let ends = |x: Vec3| [site(&zero, &zero, &zero, &q), site(&x, &zero, &zero, &q)];
        let (from, at) = (ends(Vec3::new(0.1, 0.2, 0.3)), ends(Vec3::new(0.4, 0.1, 0.5)));
        let (mut out, mut next) = (Local::zero(false, false), [Memory::default(); 6]);
        let last = [0, 1, 2, 3, 4, 5].map(|k| Memory { y: 0.01 * f64::from(k), kappa: 0.0 });
        bushing.add_over([&from, &at], &form, &last, &mut next, &mut out);
        let d = [&from, &at].map(|sites| bushing.relative(sites).displacement);
        let y0 = Vec6::from_fn(|k, _| last[k].y);
        let y1 = (d[1] - d[0]) * 0.4 - y0 * 0.3;
        let local = bushing.stiffness * ((d[0] + d[1]) * 0.5 + (y1 - y0) * 0.2);
        let expected = bushing.relative(&from).axes * upper(&local);
        assert!((upper(&out.residual[1]) - expected).norm() < 1e-15 * bushing.stiffness.norm());
        assert!(bushing.memories() == 6 && (0..6).all(|k| (next[k].y - y1[k]).abs() < 1e-16));
    }
}
