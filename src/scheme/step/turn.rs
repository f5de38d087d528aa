//! Rotation of one body in a step of `momentum-alpha`: the formulas of `momentum` for three
//! numbers, and their derivatives.

use super::parameters::Parameters;
use crate::spatial::{Mat3, Vec3, mul_skew, skew, skew_mul};
use crate::system::{Motion, Turning};

/// Least ratio of the smallest to the largest moment of inertia. A body below it (a rod, a point)
/// is integrated like a ball, whose momentum is its angular velocity, because 1/J would magnify
/// rounding.
const LEAST_INERTIA: f64 = 1e-6;

/// Most iterations for y, and the change relative to omega at which they end. Each iteration
/// reduces the error by the relative error of its matrix, which is that of nearly the same
/// rotation, times the angle of the step.
const MOST_ITERATIONS: u32 = 20;
const LAST_CHANGE: f64 = 1e-5;

/// The coefficients of one step.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    h: f64,
    /// h gamma.
    velocity: f64,
    /// h^2 beta.
    position: f64,
    /// h^2 (beta - gamma/2).
    difference: f64,
    /// h^2/12.
    correction: f64,
    /// (1 - alpha_m)/(1 - alpha_f).
    rate: f64,
    /// 1/(1 - alpha_f).
    start: f64,
    /// gamma', beta'.
    rates: [f64; 2],
    /// Lag of A behind pdot at the end of a first step.
    lag: f64,
}

impl Step {
    /// The coefficients of a step of length h.
    pub fn new(p: &Parameters, h: f64) -> Step {
        Step {
            h,
            velocity: h * p.gamma,
            position: h * h * p.beta,
            difference: h * h * (p.beta - 0.5 * p.gamma),
            correction: h * h / 12.0,
            rate: (1.0 - p.alpha_m) / (1.0 - p.alpha_f),
            start: 1.0 / (1.0 - p.alpha_f),
            rates: p.rates(h),
            lag: p.lag,
        }
    }
}

/// Rotation of one body in a step. Vectors are resolved in inertial axes.
#[derive(Debug, Clone)]
pub struct Turn {
    /// J* in body axes, and its inverse.
    tensor: Mat3,
    inverse: Mat3,
    is_ball: bool,
    /// omega(n).
    pub omega: Vec3,
    /// p(n) + h (1 - gamma) A(n).
    momentum: Vec3,
    /// A(n).
    start: Vec3,
    /// alpha_m A(n) - alpha_f pdot(n).
    rate: Vec3,
    /// The terms of psi at the start of the step: h/2 omega(n) - h^2 (beta - gamma/2) y(n) + h^2/12
    /// alpha(n).
    known: Vec3,
    /// y and A of the iterate.
    y: Vec3,
    algorithmic: Vec3,
    /// The inverse of the matrix of the equations for y; dy/dpsi and dA/dpsi. All belong to the
    /// last iteration matrix.
    solve: Mat3,
    by_psi: Mat3,
    algorithmic_by_psi: Mat3,
}

/// Rates at the end of a step: J and its inverse, `J^-1 (p(n) + h (1 - gamma) A(n))`, omega, p,
/// alpha.
struct Found {
    inertia: Mat3,
    inverse: Mat3,
    carried: Vec3,
    omega: Vec3,
    momentum: Vec3,
    free: Vec3,
}

impl Turn {
    /// A body with moments of inertia J* in body axes.
    pub fn new(inertia: &Mat3) -> Turn {
        let eigenvalues = inertia.symmetric_eigenvalues();
        let is_ball = eigenvalues.min() <= LEAST_INERTIA * eigenvalues.max();
        let tensor = if is_ball { Mat3::identity() } else { *inertia };
        let zero = Vec3::zeros();
        Turn {
            tensor,
            is_ball,
            inverse: tensor.try_inverse().unwrap_or_else(Mat3::identity),
            omega: zero,
            momentum: zero,
            start: zero,
            rate: zero,
            known: zero,
            y: zero,
            algorithmic: zero,
            solve: Mat3::zeros(),
            by_psi: Mat3::zeros(),
            algorithmic_by_psi: Mat3::zeros(),
        }
    }

    /// The free acceleration `alpha` at an angular velocity, in body axes.
    fn free(&self, omega: &Vec3) -> Vec3 {
        -(self.inverse * omega.cross(&(self.tensor * omega)))
    }

    /// p and alpha at an angular velocity, in inertial axes.
    #[inline(always)]
    fn momentum_and_free(&self, r: &Mat3, omega: &Vec3) -> (Vec3, Vec3) {
        let w = r.tr_mul(omega);
        let momentum = self.tensor * w;
        (r * momentum, -(r * (self.inverse * w.cross(&momentum))))
    }

    /// Derivative of alpha by omega times `change`, in body axes.
    fn free_change(&self, omega: &Vec3, change: &Vec3) -> Vec3 {
        -(self.inverse * (change.cross(&(self.tensor * omega)) + omega.cross(&(self.tensor * change))))
    }

    /// Sets the start of a step: orientation, omega, omegadot, the algorithmic acceleration, and
    /// the angular momentum that omega has lost by rounding.
    pub fn begin(&mut self, p: &Parameters, c: &Step, r: &Mat3, [omega, omegadot, a, unrounded]: [&Vec3; 4]) {
        let (momentum, free) = self.momentum_and_free(r, omega);
        // The difference is taken in inertial axes, in which the sum was made. R differs from a
        // rotation by the rounding of its quaternion; in body axes A of a body without loads would
        // have an error of that part of the free acceleration, always in the same direction.
        let y = a - free;
        let times_inertia = |x: &Vec3| r * (self.tensor * r.tr_mul(x));
        let (algorithmic, rate) = (times_inertia(&y), times_inertia(&(omegadot - free)));
        self.omega = *omega;
        // In a free body the first two terms are, to the last bit, the momentum at the end of the
        // last step.
        self.momentum = momentum + unrounded + algorithmic * (c.h - c.velocity);
        self.start = algorithmic;
        self.rate = algorithmic * p.alpha_m - rate * p.alpha_f;
        self.known = omega * (0.5 * c.h) - y * c.difference + free * c.correction;
    }

    /// y and psi from predicted omega and algorithmic acceleration; alpha is extrapolated by its
    /// rate.
    pub fn predict(&mut self, c: &Step, r: &Mat3, [omega, omegadot, a]: [&Vec3; 3]) -> Vec3 {
        let [w, wdot] = [&self.omega, omegadot].map(|x| r.tr_mul(x));
        let free = self.free(&w);
        let free = r * (free + (w.cross(&free) + self.free_change(&w, &wdot)) * c.h);
        self.y = a - free;
        let difference = self.y * c.difference;
        self.known + omega * (0.5 * c.h) + difference + (omega.cross(&self.omega) - free) * c.correction
    }

    /// Rates at the end of the step for a rotation psi, written to `motion`; pdot, and with
    /// `renews` (the iteration has a new matrix) the derivatives of all rates by psi, written to
    /// `turning`.
    #[inline(always)]
    pub fn follow(&mut self, c: &Step, psi: &Vec3, renews: bool, motion: &mut Motion, turning: &mut Turning) {
        let r = &motion.r;
        let inertia = r * self.tensor * r.transpose();
        // The inverse of this matrix, not the rotated inverse: R differs from a rotation by
        // rounding, and alpha would not balance omega x p.
        let inverse = inverted(&inertia);
        let carried = inverse * self.momentum;
        let known = self.known + carried * (0.5 * c.h) - psi;
        let found = |y: &Vec3| {
            let omega = carried + y * c.velocity;
            let momentum = inertia * omega;
            let free = -(inverse * omega.cross(&momentum));
            Found { inertia, inverse, carried, omega, momentum, free }
        };
        let mut end = found(&self.y);
        let mut slope = Mat3::zeros();
        if renews {
            slope = end.slope();
            self.solve = inverted(&self.matrix(c, &slope));
        }
        for _ in 0..MOST_ITERATIONS {
            let off = known + self.y * c.position + (end.omega.cross(&self.omega) - end.free) * c.correction;
            let change = self.solve * off;
            self.y -= change;
            end = found(&self.y);
            // NaN ends the iteration too, because no comparison with NaN holds.
            let goes_on = change.norm() * c.velocity > LAST_CHANGE * end.omega.norm();
            if !goes_on {
                break;
            }
        }
        self.algorithmic = inertia * self.y;
        turning.rate = self.algorithmic * c.rate + self.rate * c.start;
        (motion.omega, motion.omegadot) = (end.omega, end.free + inverse * turning.rate);
        if renews {
            self.take_tangents(c, &end, &slope, &motion.tangent, turning);
        }
    }

    /// Derivatives of the rates by psi; stores dy/dpsi and dA/dpsi.
    #[inline(always)]
    fn take_tangents(&mut self, c: &Step, end: &Found, slope: &Mat3, tangent: &Mat3, turning: &mut Turning) {
        // The derivative of J^-1 x by the rotation is J^-1 ~x - ~(J^-1 x) for constant x, that of J
        // x is J ~x - ~(J x). The derivative of alpha is `slope` by omega, and slope ~omega -
        // ~alpha by the rotation.
        let turned = |a: &Mat3, x: &Vec3, ax: &Vec3| mul_skew(a, x) - skew(ax);
        let carried = turned(&end.inverse, &(end.inertia * end.carried), &end.carried);
        let free = slope * (skew(&end.omega) + carried) - skew(&end.free);
        let off = carried * (0.5 * c.h) - (skew_mul(&self.omega, &carried) + free) * c.correction;
        self.by_psi = self.solve * (Mat3::identity() - off * tangent);
        self.algorithmic_by_psi =
            end.inertia * self.by_psi + turned(&end.inertia, &self.y, &self.algorithmic) * tangent;
        let [velocity, acceleration] = c.rates;
        *turning = Turning {
            is_own: !self.is_ball,
            rate: turning.rate,
            rate_by_psi: self.algorithmic_by_psi * c.rate,
            inverse: end.inverse,
            by_psi: self.by_psi,
            carried,
            slope: *slope,
            free,
            tangent: *tangent,
            factors: [c.velocity, 1.0 / velocity, 1.0 / acceleration],
        };
    }

    /// The same for a step that was begun and ended with `motion`.
    pub fn turning_at(&mut self, c: &Step, motion: &Motion) -> Turning {
        let r = &motion.r;
        let inertia = r * self.tensor * r.transpose();
        let (inverse, momentum) = (inverted(&inertia), inertia * motion.omega);
        let free = -(inverse * motion.omega.cross(&momentum));
        // Not the acceleration that the next step starts from: the filter of constraints has
        // changed that one.
        let rate = inertia * (motion.omegadot - free);
        self.algorithmic = (rate - self.rate * c.start) / c.rate;
        self.y = inverse * self.algorithmic;
        let carried = motion.omega - self.y * c.velocity;
        let end = Found { inertia, inverse, carried, omega: motion.omega, momentum, free };
        let slope = end.slope();
        self.solve = inverted(&self.matrix(c, &slope));
        let mut turning = Turning { rate, ..Turning::PLAIN };
        self.take_tangents(c, &end, &slope, &motion.tangent, &mut turning);
        turning
    }

    /// The matrix of the equations for y.
    #[inline(always)]
    fn matrix(&self, c: &Step, slope: &Mat3) -> Mat3 {
        Mat3::from_diagonal_element(c.position) - (skew(&self.omega) + slope) * (c.correction * c.velocity)
    }

    /// Changes y and A by a change of psi, to first order, with the derivatives of the matrix that
    /// gave it: A then satisfies its linear equations to rounding.
    pub fn correct(&mut self, change: &Vec3) {
        self.algorithmic += self.algorithmic_by_psi * change;
        self.y += self.by_psi * change;
    }

    /// omega, omegadot and the algorithmic acceleration at the end of the step, where the body has
    /// the orientation `r`; and the angular momentum that this omega loses by rounding.
    pub fn conclude(&self, c: &Step, r: &Mat3) -> [Vec3; 4] {
        let per_inertia = |x: &Vec3| r * (self.inverse * r.tr_mul(x));
        let momentum = self.momentum + self.algorithmic * c.velocity;
        let omega = per_inertia(&momentum);
        // The next step computes p from this omega; the rounding would add up over a million steps.
        let (again, free) = self.momentum_and_free(r, &omega);
        let pdot = self.algorithmic * c.rate + self.rate * c.start;
        let kept = self.algorithmic - (self.algorithmic - self.start) * c.lag;
        [omega, per_inertia(&pdot) + free, per_inertia(&kept) + free, momentum - again]
    }

    /// `-d(alpha)/dt`: the part of `d/dt (J^-1 pdot)` beside omegaddot, by which the velocities of
    /// a start are perturbed.
    pub fn jerk(&self, motion: &Motion) -> Vec3 {
        let [w, wdot] = [motion.omega, motion.omegadot].map(|x| motion.r.tr_mul(&x));
        let free = self.free(&w);
        motion.r * -(w.cross(&free) + self.free_change(&w, &wdot))
    }
}

impl Found {
    /// dalpha/domega.
    #[inline(always)]
    fn slope(&self) -> Mat3 {
        self.inverse * (skew(&self.momentum) - skew_mul(&self.omega, &self.inertia))
    }
}

/// The inverse by cofactors. That of a singular matrix is not finite, which the test of the
/// solution detects.
#[inline(always)]
fn inverted(a: &Mat3) -> Mat3 {
    let [x, y, z] = [0, 1, 2].map(|k| Vec3::new(a[(0, k)], a[(1, k)], a[(2, k)]));
    let (yz, zx, xy) = (y.cross(&z), z.cross(&x), x.cross(&y));
    Mat3::from_columns(&[yz, zx, xy]).transpose() / x.dot(&yz)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::{BodyState, Quat, Vec6, rotation};

    const H: f64 = 0.2;
    const PARAMETERS: Parameters =
        Parameters { alpha_m: 0.3, alpha_f: 0.45, gamma: 0.65, beta: 0.33, lag: 0.0, on_momentum: true };

    fn tensor() -> Mat3 {
        let turn = rotation::matrix(&rotation::exp(&Vec3::new(0.4, -0.7, 0.2)));
        turn * Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 2.6)) * turn.transpose()
    }

    fn start() -> (Turn, Step, Quat) {
        let (mut turn, c) = (Turn::new(&tensor()), Step::new(&PARAMETERS, H));
        let q = rotation::exp(&Vec3::new(1.1, 0.3, -0.8));
        let rates = [Vec3::new(0.9, -1.4, 0.6), Vec3::new(0.3, 1.2, -0.7), Vec3::new(0.5, 1.0, -0.9), Vec3::zeros()];
        turn.begin(&PARAMETERS, &c, &rotation::matrix(&q), rates.each_ref());
        (turn, c, q)
    }

    /// Motion of a body that began as in [`start`] and has turned by psi.
    fn moved(q: &Quat, psi: &Vec3) -> Motion {
        let (by, tangent) = rotation::exp_with_tangent(psi);
        let state = BodyState { x: Vec3::zeros(), q: by * q, v: Vec6::zeros(), vdot: Vec6::zeros() };
        Motion { tangent, ..Motion::of(&state) }
    }

    fn end(psi: &Vec3) -> (Turn, Motion, Turning) {
        let (mut turn, c, q) = start();
        let mut motion = moved(&q, psi);
        // y begins far from the solution: the tangents of the last iteration belong to a converged
        // y.
        let mut turning = Turning::PLAIN;
        (0..4).for_each(|_| turn.follow(&c, psi, true, &mut motion, &mut turning));
        (turn, motion, turning)
    }

    const PSI: Vec3 = Vec3::new(0.15, -0.32, 0.21);

    /// The formulas at the head of `momentum.rs`, written out.
    #[test]
    fn the_end_of_a_step_satisfies_the_formulas() {
        let ((turn, motion, turning), (_, _, q)) = (end(&PSI), start());
        let Parameters { alpha_m, alpha_f, gamma, beta, .. } = PARAMETERS;
        let at = |r: &Mat3, omega: Vec3, omegadot: Vec3| {
            let j = r * tensor() * r.transpose();
            let p = j * omega;
            (j, p, j * omegadot + omega.cross(&p), -(j.try_inverse().unwrap() * omega.cross(&p)))
        };
        let omega = Vec3::new(0.9, -1.4, 0.6);
        let (j, p, pdot, free) = at(&rotation::matrix(&q), omega, Vec3::new(0.3, 1.2, -0.7));
        let y = Vec3::new(0.5, 1.0, -0.9) - free;
        let (j1, p1, pdot1, free1) = at(&motion.r, motion.omega, motion.omegadot);
        let (a, a1) = (j * y, j1 * turn.y);
        let rates = a1 * (1.0 - alpha_m) + a * alpha_m - pdot1 * (1.0 - alpha_f) - pdot * alpha_f;
        let velocities = p + (a * (1.0 - gamma) + a1 * gamma) * H - p1;
        let rotation = (omega + motion.omega) * (0.5 * H)
            + (turn.y - y) * (H * H * (beta - 0.5 * gamma))
            + (motion.omega.cross(&omega) + free - free1) * (H * H / 12.0)
            - PSI;
        // y is of size |psi|/(beta h^2) = 30: rounding of that.
        for off in [rates, velocities, rotation, turning.rate - pdot1] {
            assert!(off.norm() < 1e-13, "{rates} {velocities} {rotation} {} {pdot1}", turning.rate);
        }
    }

    /// Central differences at 1e-5: error 1e-10 |f'''|/6 + eps |f|/1e-5, both below 1e-8 with
    /// omegadot of size 60.
    #[test]
    fn tangents_are_derivatives() {
        let (turn, _, turning) = end(&PSI);
        for k in 0..3 {
            let moved = |by: f64| end(&(PSI + Vec3::from_fn(|i, _| if i == k { by } else { 0.0 })));
            let ((plus, ahead, turning_ahead), (minus, behind, turning_behind)) = (moved(1e-5), moved(-1e-5));
            let by = |a: Vec3, b: Vec3| (a - b) / 2e-5;
            let found = [
                by(ahead.omega, behind.omega),
                by(ahead.omegadot, behind.omegadot),
                by(turning_ahead.rate, turning_behind.rate),
                by(plus.y, minus.y),
                by(plus.algorithmic, minus.algorithmic),
            ];
            let [velocity, acceleration] = PARAMETERS.rates(H);
            let rates = [turning.velocity() * velocity, turning.acceleration() * acceleration, turning.rate_by_psi];
            for (own, found) in rates.iter().chain([&turn.by_psi, &turn.algorithmic_by_psi]).zip(found) {
                assert!((own.column(k) - found).norm() < 1e-7, "{k}: {own} {found}");
            }
        }
    }

    /// `compliance` finds from states the tangents that the iteration had.
    #[test]
    fn tangents_follow_from_states() {
        let (mut turn, motion, own) = end(&PSI);
        let c = Step::new(&PARAMETERS, H);
        let found = turn.turning_at(&c, &motion);
        // Numbers of size 1/(beta h^2) = 75, times moments of inertia, rounded.
        for (own, found) in [
            (own.by_psi, found.by_psi),
            (own.velocity(), found.velocity()),
            (own.acceleration(), found.acceleration()),
            (own.rate_by_psi, found.rate_by_psi),
        ] {
            assert!((own - found).amax() < 1e-12, "{own} {found}");
        }
        assert!((own.rate - found.rate).norm() < 1e-12, "{} {}", own.rate, found.rate);
    }

    /// A small correction leads to the solution of the nonlinear equations, up to its square.
    #[test]
    fn a_correction_is_the_linear_part_of_what_follows() {
        let change = Vec3::new(2e-5, -1e-5, 3e-5);
        let (mut turn, ..) = end(&PSI);
        let (exact, ahead, _) = end(&(PSI + change));
        turn.correct(&change);
        let [omega, omegadot, a, _] = turn.conclude(&Step::new(&PARAMETERS, H), &ahead.r);
        // beta' |change|^2 times numbers of order one.
        let a_exact = exact.y + ahead.r * exact.free(&ahead.r.tr_mul(&ahead.omega));
        for (own, exact) in [(omega, ahead.omega), (omegadot, ahead.omegadot), (a, a_exact)] {
            assert!((own - exact).norm() < 1e-7, "{own} {exact}");
        }
    }

    /// `-d(alpha)/dt` along a motion, by differences.
    #[test]
    fn jerk_is_a_derivative() {
        let turn = Turn::new(&tensor());
        let (q, omega) = (rotation::exp(&Vec3::new(1.1, 0.3, -0.8)), Vec3::new(0.9, -1.4, 0.6));
        let (omegadot, jerk) = (Vec3::new(0.3, 1.2, -0.7), Vec3::new(-0.6, 0.4, 0.8));
        // psi with psi(0) = 0, omega = T^T psi', of which omega and its two rates follow at 0.
        let at = |t: f64| {
            let rate = omega + omegadot * t + jerk * (0.5 * t * t);
            let psi = omega * t + omegadot * (0.5 * t * t) + (jerk + omega.cross(&omegadot) * -0.5) * (t * t * t / 6.0);
            let mut motion = moved(&q, &psi);
            (motion.omega, motion.omegadot) = (rate, omegadot + jerk * t);
            motion
        };
        let free = |motion: &Motion| {
            let j = motion.r * tensor() * motion.r.transpose();
            -(j.try_inverse().unwrap() * motion.omega.cross(&(j * motion.omega)))
        };
        let [ahead, behind] = [1e-4, -1e-4].map(|t| free(&at(t)));
        // Second order: 1e-8 times third derivatives.
        assert!((turn.jerk(&at(0.0)) + (ahead - behind) / 2e-4).norm() < 1e-6);
    }

    #[test]
    fn a_rod_goes_like_a_ball() {
        assert_eq!(Turn::new(&Mat3::from_diagonal(&Vec3::new(3.0, 3.0, 0.0))).tensor, Mat3::identity());
        assert_eq!(Turn::new(&Mat3::zeros()).inverse, Mat3::identity());
    }
}
