//! Bushings in energy form: the effective wrench of a step, and its derivatives.
//!
//! Forces at the ends of a step make a stiff mode grow whose axis turns in it (docs/theory.md): what
//! they say of the axis at the start belongs to another direction at the end. A discrete gradient of
//! the potential (Gonzalez 1996, J. Nonlinear Science 6, sect. 3) does not. With 0 and 1 for start
//! and end of the step, bars for the means of both, A the axes of frame a, E the vector from the
//! point of body a to the origin of frame b, s the arm of that on body b, d = (r, phi) as in
//! `bushing`, and for each body its rotation vector psi in the step, k = tan(|psi|/2)/(|psi|/2) and
//! c = k psi, for which `R1 - R0 = ~c (R0 + R1)/2` (Cayley):
//!
//! ```text
//! r1 - r0 = Abar^T (E1 - E0 + Ebar x c_a),   n = Abar^T (c_b - c_a),
//! w = K (dbar + (1/2 - alpha_f) (y1 - y0)),   F = Abar w_r,
//! m = Abar (g w_phi + n (w_phi . (phi1 - phi0 - g P n))/|n|^2),
//! g = atan(|n|/2)/(|n|/2),   P = T^-T((phi0 + phi1)/2),
//! -F and -k_b (sbar x F + m) act on b, F and k_a (Ebar x F + m) on a.
//! ```
//!
//! Their work on displacements and rotation vectors is -w . (d1 - d0) to rounding where P^T w_phi =
//! w_phi: where the law has a potential, for relative rotations that are small, about one axis, or on
//! an isotropic stiffness. Without the memory y this is the loss of potential.

use super::bushing::{Bushing, Relative};
use super::energy_form::{EnergyForm, Memory, Turn};
use super::{Local, Site};
use crate::spatial::rotation::{inverse_tangent, inverse_tangent_factors};
use crate::spatial::{Mat3, Mat6, Vec3, Vec6, join, lower, upper};

/// Length of n (rad) below which m is Abar g w_phi: the rest is of third order, and would be rounding.
const LEAST_TURN: f64 = 3e-4;

/// The wrench of a step, and what its derivatives need.
struct Over {
    /// A1 and Abar.
    end: Mat3,
    mean: Mat3,
    /// E1, Ebar; s1, sbar.
    reach: [Vec3; 2],
    arm: [Vec3; 2],
    turns: [Turn; 2],
    /// phibar, P with the factors of its square term, and T^-T(phi1).
    phi: Vec3,
    tangent: Mat3,
    factors: [f64; 2],
    tangent_at_end: Mat3,
    /// n; g and its derivative by |n|^2.
    turn: Vec3,
    scale: [f64; 2],
    /// phi1 - phi0 - g P n and 1/|n|^2, zero where n is short.
    rest: Vec3,
    per_square: f64,
    /// w, and its derivative by d1.
    wrench: Vec6,
    stiffness: Mat6,
    /// F; m in the axes of frame a.
    force: Vec3,
    local: Vec3,
    /// Moments on a and b before they are scaled by k, the one on b with a minus sign.
    moments: [Vec3; 2],
}

impl Over {
    fn of(from: &[Site; 2], at: &[Site; 2], [start, end]: [&Relative; 2], (wrench, stiffness): (Vec6, Mat6)) -> Over {
        let mean = (start.axes + end.axes) * 0.5;
        let reach = [from, at].map(|[a, b]| b.x - a.x + a.arm);
        let turns = [Turn::of(&from[0], &at[0]), Turn::of(&from[1], &at[1])];
        let [phi0, phi1] = [start, end].map(|relative| lower(&relative.displacement));
        let phi = (phi0 + phi1) * 0.5;
        let tangent = inverse_tangent(&phi);
        let turn = mean.tr_mul(&(turns[1].cayley - turns[0].cayley));
        let square = turn.norm_squared();
        let scale = scale(square);
        let is_long = square > LEAST_TURN * LEAST_TURN;
        let rest = if is_long { phi1 - phi0 - tangent * turn * scale[0] } else { Vec3::zeros() };
        let per_square = if is_long { 1.0 / square } else { 0.0 };
        let mut over = Over {
            end: end.axes,
            mean,
            reach: [reach[1], (reach[0] + reach[1]) * 0.5],
            arm: [at[1].arm, (from[1].arm + at[1].arm) * 0.5],
            turns,
            phi,
            tangent,
            factors: inverse_tangent_factors(phi.norm_squared()),
            tangent_at_end: inverse_tangent(&phi1),
            turn,
            scale,
            rest,
            per_square,
            wrench,
            stiffness,
            force: mean * upper(&wrench),
            local: Vec3::zeros(),
            moments: [Vec3::zeros(); 2],
        };
        over.local = over.balanced(&lower(&wrench));
        over.moments = [over.reach[1], over.arm[1]].map(|arm| arm.cross(&over.force) + mean * over.local);
        over
    }

    /// m of x in the place of w_phi, in the axes of frame a.
    fn balanced(&self, x: &Vec3) -> Vec3 {
        x * self.scale[0] + self.turn * (self.rest.dot(x) * self.per_square)
    }

    /// Minus the wrenches on both bodies.
    fn residuals(&self) -> [Vec6; 2] {
        let [a, b] = self.moments;
        [-join(&self.force, &(a * self.turns[0].factor)), join(&self.force, &(b * self.turns[1].factor))]
    }

    /// The change of the residuals with displacements u and rotations theta of both bodies at the
    /// end.
    fn change(&self, u: &[Vec3; 2], theta: &[Vec3; 2]) -> [Vec6; 2] {
        let [reach, mean_reach] = &self.reach;
        let [arm, mean_arm] = &self.arm;
        let moved_arm = theta[1].cross(arm);
        let moved = u[1] + moved_arm - u[0];
        let displaced = self.end.tr_mul(&(moved + reach.cross(&theta[0])));
        let turned = self.tangent_at_end * self.end.tr_mul(&(theta[1] - theta[0]));
        let wrench = self.stiffness * join(&displaced, &turned);
        // Abar changes by ~theta_a A1/2.
        let of_axes = |x: &Vec3| theta[0].cross(&(self.end * x)) * 0.5;
        let force = of_axes(&upper(&self.wrench)) + self.mean * upper(&wrench);
        let moment = of_axes(&self.local) + self.mean * self.local_change(theta, &turned, &lower(&wrench));
        let moments = [
            moved.cross(&self.force) * 0.5 + mean_reach.cross(&force) + moment,
            moved_arm.cross(&self.force) * 0.5 + mean_arm.cross(&force) + moment,
        ];
        let [a, b] = [0, 1].map(|k: usize| {
            let turn = &self.turns[k];
            join(&force, &(moments[k] * turn.factor + self.moments[k] * turn.by_turn.dot(&theta[k])))
        });
        [-a, b]
    }

    /// The change of m in the axes of frame a, with those of phi1 and of w_phi.
    fn local_change(&self, theta: &[Vec3; 2], turned: &Vec3, by_wrench: &Vec3) -> Vec3 {
        let [a, b] = [0, 1].map(|k: usize| self.turns[k].cayley_change(&theta[k]));
        let apart = self.turns[1].cayley - self.turns[0].cayley;
        let turn = self.mean.tr_mul(&(b - a)) - self.end.tr_mul(&theta[0].cross(&apart)) * 0.5;
        let (w, [scale, slope]) = (lower(&self.wrench), self.scale);
        let rescaled = 2.0 * slope * self.turn.dot(&turn);
        let change = self.balanced(by_wrench) + w * rescaled;
        if self.per_square == 0.0 {
            return change;
        }
        let (phi, half, carried) = (&self.phi, turned * 0.5, self.tangent.tr_mul(&w));
        let [factor, slope] = self.factors;
        let (once, twice) = (phi.cross(&w), phi.cross(&phi.cross(&w)));
        // Of P^T w = w + phi x w/2 + factor phi x (phi x w).
        let of_tangent = half.cross(&w) * 0.5
            + (half.cross(&once) + phi.cross(&half.cross(&w))) * factor
            + twice * (2.0 * slope * phi.dot(&half));
        let along = self.rest.dot(&w);
        let by_rest = turned.dot(&w)
            - (carried * rescaled + of_tangent * scale).dot(&self.turn)
            - carried.dot(&turn) * scale
            - 2.0 * along * self.turn.dot(&turn) * self.per_square;
        change + (turn * along + self.turn * by_rest) * self.per_square
    }
}

/// g = atan(|n|/2)/(|n|/2) and its derivative by |n|^2.
fn scale(square: f64) -> [f64; 2] {
    if square < 1e-4 {
        return [1.0 - square * (1.0 / 12.0 - square / 80.0), square / 40.0 - 1.0 / 12.0];
    }
    let half = 0.5 * square.sqrt();
    let g = half.atan() / half;
    [g, (1.0 / (1.0 + 0.25 * square) - g) / (2.0 * square)]
}

impl Bushing {
    /// Adds its spring over a step in energy form; memories are those of d.
    pub fn add_over(
        &self,
        [from, at]: [&[Site; 2]; 2],
        form: &EnergyForm,
        last: &[Memory],
        next: &mut [Memory],
        out: &mut Local<2>,
    ) {
        let [start, end] = [from, at].map(|sites| self.relative(sites));
        let change = end.displacement - start.displacement;
        let y0 = Vec6::from_fn(|k, _| last[k].y);
        let y = change * form.drive - y0 * form.decay;
        next.iter_mut().zip(&y).for_each(|(memory, y)| memory.y = *y);
        let mean = (start.displacement + end.displacement) * 0.5 + (y - y0) * form.dissipation;
        let deflection = mean + (end.displacement - mean) * form.backward;
        let share = 0.5 + form.drive * form.dissipation;
        let share = share + (1.0 - share) * form.backward;
        let over = Over::of(from, at, [&start, &end], (self.stiffness * deflection, self.stiffness * share));
        out.residual.iter_mut().zip(over.residuals()).for_each(|(sum, residual)| *sum += residual);
        let Some(tangents) = &mut out.tangents else { return };
        for column in 0..2 {
            for k in 0..6 {
                let unit = Vec3::ith(k % 3, 1.0);
                let (mut u, mut theta) = ([Vec3::zeros(); 2], [Vec3::zeros(); 2]);
                if k < 3 {
                    u[column] = unit
                } else {
                    theta[column] = unit
                }
                for (row, change) in over.change(&u, &theta).iter().enumerate() {
                    let mut entries = tangents.stiffness[row][column].column_mut(k);
                    entries += change;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::Element;
    use crate::spatial::{Quat, rotation};

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

    /// On an isotropic stiffness of rotations the wrenches do the work -dV on displacements and rotation
    /// vectors to rounding, for rotations of a step up to 1.6 rad.
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
            // Terms of the work are of the size of the potential; below LEAST_TURN a part of third order
            // in the turn is left out.
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
