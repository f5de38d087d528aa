//! The discrete gradient of a law between two frames: the effective wrench of a step, and its
//! derivatives.
//!
//! Forces at the ends of a step make a stiff mode grow whose axis turns in it (docs/theory.md):
//! what they say of the axis at the start belongs to another direction at the end. A discrete
//! gradient of the potential (Gonzalez 1996, J. Nonlinear Science 6, sect. 3) does not. With 0 and
//! 1 for start and end of the step, bars for the means of both, A the axes of frame a, E the vector
//! from the point of body a to the origin of frame b, s the arm of that on body b, d = (r, phi) the
//! vector from frame a to frame b and the relative rotation vector in frame a, and for each body
//! its rotation vector psi in the step, k = tan(|psi|/2)/(|psi|/2) and c = k psi, for which `R1 -
//! R0 = ~c (R0 + R1)/2` (Cayley):
//!
//! ```text
//! r1 - r0 = Abar^T (E1 - E0 + Ebar x c_a),   n = Abar^T (c_b - c_a),
//! F = Abar w_r,   m = Abar (g Q^T w_phi + n (w_phi . (phi1 - phi0 - g P n))/|n|^2),
//! g = atan(|n|/2)/(|n|/2),   P = T^-T((phi0 + phi1)/2),
//! -F and -k_b (sbar x F + m) act on b, F and k_a (Ebar x F + m) on a.
//! ```
//!
//! w is the wrench of the law over the step. With Q = P, their work on displacements and rotation
//! vectors is -w . (d1 - d0) to rounding. A law that gives moments instead of the derivative of a
//! potential by phi has Q = I; the work is the same where P^T w_phi = w_phi.

use super::energy_form::Turn;
use super::{Local, Site};
use crate::spatial::rotation::{inverse_tangent, inverse_tangent_factors};
use crate::spatial::{Mat3, Mat6, Quat, Vec3, Vec6, join, lower, rotation, upper};

/// Length of n (rad) below which m is Abar g w_phi: the rest is of third order, and would be
/// rounding.
pub const LEAST_TURN: f64 = 3e-4;

/// Axes of both frames, and d, at one time.
pub type Ends = ([Mat3; 2], Vec6);

/// Axes of both frames, given in those of their bodies, and d.
pub fn ends_in_axes([a, b]: &[Site; 2], frames: &[Quat; 2]) -> Ends {
    let q = [rotation::compose(&a.q, &frames[0]), rotation::compose(&b.q, &frames[1])];
    let axes = q.map(|q| rotation::matrix(&q));
    let phi = rotation::log(&(q[0].inverse() * q[1]));
    (axes, join(&axes[0].tr_mul(&(b.x - a.x)), &phi))
}

/// The wrench of a step, and what its derivatives need.
pub struct Over {
    /// A1 and Abar.
    end: Mat3,
    mean: Mat3,
    /// E1, Ebar; s1, sbar.
    reach: [Vec3; 2],
    arm: [Vec3; 2],
    turns: [Turn; 2],
    /// phibar, P with the factors of its square term, and T^-T(phi1); whether Q = P.
    phi: Vec3,
    tangent: Mat3,
    is_gradient: bool,
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
    /// Between motions of both places: `ends` at the start and at the end, w with its derivative by
    /// d1, and whether w_phi is the derivative of a potential.
    #[inline(never)]
    pub fn of(
        [from, at]: [&[Site; 2]; 2],
        [start, end]: [&Ends; 2],
        (wrench, stiffness): (Vec6, Mat6),
        is_gradient: bool,
    ) -> Over {
        let mean = (start.0[0] + end.0[0]) * 0.5;
        let reach = [from, at].map(|[a, b]| b.x - a.x + a.arm);
        let turns = [0, 1].map(|k| Turn::of(&from[k].q, &at[k].q));
        let [phi0, phi1] = [start, end].map(|(_, d)| lower(d));
        let phi = (phi0 + phi1) * 0.5;
        let tangent = inverse_tangent(&phi);
        let turn = mean.tr_mul(&(turns[1].cayley - turns[0].cayley));
        let square = turn.norm_squared();
        let scale = scale(square);
        let is_long = square > LEAST_TURN * LEAST_TURN;
        let rest = if is_long { phi1 - phi0 - tangent * turn * scale[0] } else { Vec3::zeros() };
        let per_square = if is_long { 1.0 / square } else { 0.0 };
        let mut over = Over {
            end: end.0[0],
            mean,
            reach: [reach[1], (reach[0] + reach[1]) * 0.5],
            arm: [at[1].arm, (from[1].arm + at[1].arm) * 0.5],
            turns,
            phi,
            tangent,
            is_gradient,
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
        let carried = if self.is_gradient { self.tangent.tr_mul(x) } else { *x };
        carried * self.scale[0] + self.turn * (self.rest.dot(x) * self.per_square)
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
        let (phi, half, carried) = (&self.phi, turned * 0.5, self.tangent.tr_mul(&w));
        let [factor, slope] = self.factors;
        let (once, twice) = (phi.cross(&w), phi.cross(&phi.cross(&w)));
        // Of P^T w = w + phi x w/2 + factor phi x (phi x w).
        let of_tangent = half.cross(&w) * 0.5
            + (half.cross(&once) + phi.cross(&half.cross(&w))) * factor
            + twice * (2.0 * slope * phi.dot(&half));
        let mut change = self.balanced(by_wrench);
        change += if self.is_gradient { carried * rescaled + of_tangent * scale } else { w * rescaled };
        if self.per_square == 0.0 {
            return change;
        }
        let along = self.rest.dot(&w);
        let by_rest = turned.dot(&w)
            - (carried * rescaled + of_tangent * scale).dot(&self.turn)
            - carried.dot(&turn) * scale
            - 2.0 * along * self.turn.dot(&turn) * self.per_square;
        change + (turn * along + self.turn * by_rest) * self.per_square
    }

    /// Adds the wrenches and their derivatives.
    #[inline(never)]
    pub fn add(&self, out: &mut Local<2>) {
        out.residual.iter_mut().zip(self.residuals()).for_each(|(sum, residual)| *sum += residual);
        let Some(tangents) = &mut out.tangents else { return };
        // Displacements count by their difference only: those of b have minus the derivatives of
        // those of a.
        for (column, first) in [(0, 0), (1, 3)] {
            for k in first..6 {
                let unit = Vec3::ith(k % 3, 1.0);
                let (mut u, mut theta) = ([Vec3::zeros(); 2], [Vec3::zeros(); 2]);
                if k < 3 {
                    u[column] = unit
                } else {
                    theta[column] = unit
                }
                for (row, change) in self.change(&u, &theta).iter().enumerate() {
                    let mut entries = tangents.stiffness[row][column].column_mut(k);
                    entries += change;
                    if k < 3 {
                        let mut entries = tangents.stiffness[row][1].column_mut(k);
                        entries -= change;
                    }
                }
            }
        }
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
