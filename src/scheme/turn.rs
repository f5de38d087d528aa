//! How one body turns in a step of `momentum-alpha`: the formulas of `momentum` for three numbers, and their derivatives.

use super::parameters::Parameters;
use crate::spatial::{Mat3, Vec3, mul_skew, skew, skew_mul};
use crate::system::Motion;

/// Least part of the largest moment of inertia that the least one is to be; a body with less (a rod, a point) goes through
/// the step like a ball, whose momentum is its angular velocity: 1/J would magnify rounding.
const LEAST_INERTIA: f64 = 1e-6;

/// Most iterations for y, and the part of omega below whose change one more is the last.
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
}

impl Step {
    /// Of a step of length h.
    pub fn new(p: &Parameters, h: f64) -> Step {
        Step {
            h,
            velocity: h * p.gamma,
            position: h * h * p.beta,
            difference: h * h * (p.beta - 0.5 * p.gamma),
            correction: h * h / 12.0,
            rate: (1.0 - p.alpha_m) / (1.0 - p.alpha_f),
            start: 1.0 / (1.0 - p.alpha_f),
        }
    }
}

/// How one body turns in a step. Vectors are resolved in inertial axes.
#[derive(Debug, Clone)]
pub struct Turn {
    /// J* in body axes, and its inverse.
    tensor: Mat3,
    inverse: Mat3,
    /// omega(n).
    pub omega: Vec3,
    /// p(n) + h (1 - gamma) A(n).
    momentum: Vec3,
    /// alpha_m A(n) - alpha_f pdot(n).
    rate: Vec3,
    /// What psi takes from the start: h/2 omega(n) - h^2 (beta - gamma/2) y(n) + h^2/12 alpha(n).
    known: Vec3,
    /// y, and A, of the iterate.
    y: Vec3,
    algorithmic: Vec3,
    /// J at the last evaluation, and dy/dpsi.
    inertia: Mat3,
    by_psi: Mat3,
}

/// What is found of the end of the step: omega, p, alpha, and J^-1.
struct Found {
    omega: Vec3,
    momentum: Vec3,
    free: Vec3,
    inverse: Mat3,
}

impl Turn {
    /// Of a body with moments of inertia J* in body axes.
    pub fn new(inertia: &Mat3) -> Turn {
        let eigenvalues = inertia.symmetric_eigenvalues();
        let is_ball = eigenvalues.min() <= LEAST_INERTIA * eigenvalues.max();
        let tensor = if is_ball { Mat3::identity() } else { *inertia };
        let zero = Vec3::zeros();
        Turn {
            tensor,
            inverse: tensor.try_inverse().unwrap_or_else(Mat3::identity),
            omega: zero,
            momentum: zero,
            rate: zero,
            known: zero,
            y: zero,
            algorithmic: zero,
            inertia: tensor,
            by_psi: Mat3::zeros(),
        }
    }

    /// `alpha` of an angular velocity, body axes.
    fn free(&self, omega: &Vec3) -> Vec3 {
        -(self.inverse * omega.cross(&(self.tensor * omega)))
    }

    /// p and alpha of an angular velocity, inertial axes.
    #[inline(always)]
    fn momentum_and_free(&self, r: &Mat3, omega: &Vec3) -> (Vec3, Vec3) {
        let w = r.tr_mul(omega);
        let momentum = self.tensor * w;
        (r * momentum, -(r * (self.inverse * w.cross(&momentum))))
    }

    /// How alpha changes with omega where omega changes by `change`, body axes.
    fn free_change(&self, omega: &Vec3, change: &Vec3) -> Vec3 {
        -(self.inverse * (change.cross(&(self.tensor * omega)) + omega.cross(&(self.tensor * change))))
    }

    /// Takes what a step starts from: orientation, omega, omegadot, the algorithmic acceleration, and what omega lacks of the
    /// angular momentum.
    pub fn begin(&mut self, p: &Parameters, c: &Step, r: &Mat3, [omega, omegadot, a, unrounded]: [&Vec3; 4]) {
        let (momentum, free) = self.momentum_and_free(r, omega);
        // In inertial axes, as they were added: R is off from a rotation by the rounding of its quaternion, and A of a body on
        // which nothing acts would be off by that part of the free acceleration, always in the same direction.
        let y = a - free;
        let times_inertia = |x: &Vec3| r * (self.tensor * r.tr_mul(x));
        let (algorithmic, rate) = (times_inertia(&y), times_inertia(&(omegadot - free)));
        self.omega = *omega;
        // The first two are, to the last bit, what the last step ended with.
        self.momentum = momentum + unrounded + algorithmic * (c.h - c.velocity);
        self.rate = algorithmic * p.alpha_m - rate * p.alpha_f;
        self.known = omega * (0.5 * c.h) - y * c.difference + free * c.correction;
    }

    /// y and psi from predicted omega and algorithmic acceleration; alpha is carried on by its rate.
    pub fn predict(&mut self, c: &Step, r: &Mat3, [omega, omegadot, a]: [&Vec3; 3]) -> Vec3 {
        let [w, wdot] = [&self.omega, omegadot].map(|x| r.tr_mul(x));
        let free = self.free(&w);
        let free = r * (free + (w.cross(&free) + self.free_change(&w, &wdot)) * c.h);
        self.y = a - free;
        let difference = self.y * c.difference;
        self.known + omega * (0.5 * c.h) + difference + (omega.cross(&self.omega) - free) * c.correction
    }

    /// The end of the step where the body has turned by psi: fills the motion's rates and says how they follow from psi.
    #[inline(always)]
    pub fn follow(&mut self, c: &Step, psi: &Vec3, motion: &mut Motion) -> [Mat3; 2] {
        let r = &motion.r;
        let j = r * self.tensor * r.transpose();
        // Not that of the body turned, which is off from it as R is from a rotation: alpha would not balance omega x p.
        let inverse = inverted(&j);
        let carried = inverse * self.momentum;
        let known = self.known + carried * (0.5 * c.h) - psi;
        let found = |y: &Vec3| {
            let omega = carried + y * c.velocity;
            let momentum = j * omega;
            Found { omega, momentum, free: -(inverse * omega.cross(&momentum)), inverse }
        };
        let mut end = found(&self.y);
        let mut solve = Mat3::zeros();
        for _ in 0..MOST_ITERATIONS {
            let off = known + self.y * c.position + (end.omega.cross(&self.omega) - end.free) * c.correction;
            solve = inverted(&self.matrix(c, &end.slope(&j)));
            let change = solve * off;
            self.y -= change;
            end = found(&self.y);
            // What is no number ends it too: no comparison holds with it.
            let goes_on = change.norm() * c.velocity > LAST_CHANGE * end.omega.norm();
            if !goes_on {
                break;
            }
        }
        (self.inertia, self.algorithmic) = (j, j * self.y);
        (motion.omega, motion.omegadot) = (end.omega, end.free + (self.y * c.rate + inverse * self.rate * c.start));
        // The slope where omega is now: with it the linear equations of a free body have no rounding but their own.
        self.tangents(c, &carried, &end, [&end.slope(&j), &solve], &motion.tangent)
    }

    /// domega/dpsi, domegadot/dpsi; keeps dy/dpsi.
    #[inline(always)]
    fn tangents(
        &mut self,
        c: &Step,
        carried: &Vec3,
        end: &Found,
        [slope, solve]: [&Mat3; 2],
        tangent: &Mat3,
    ) -> [Mat3; 2] {
        // J^-1 x of a constant x changes with the rotation by (J^-1 ~x - ~(J^-1 x)) theta; alpha by its slope over omega, and by
        // slope ~omega - ~alpha over the rotation.
        let carried = (mul_skew(&end.inverse, &self.momentum) - skew(carried)) * tangent;
        let turned = skew_mul(&end.omega, tangent);
        let free = skew_mul(&end.free, tangent);
        let fixed = slope * (turned + carried) - free;
        let off = carried * (0.5 * c.h) - (skew_mul(&self.omega, &carried) + fixed) * c.correction;
        self.by_psi = solve * (Mat3::identity() - off);
        let velocity = carried + self.by_psi * c.velocity;
        let start = mul_skew(&end.inverse, &self.rate) - skew(&(end.inverse * self.rate));
        let acceleration = self.by_psi * c.rate + start * tangent * c.start + fixed + slope * self.by_psi * c.velocity;
        [velocity, acceleration]
    }

    /// The same of a step that ended with `motion` and the algorithmic acceleration `a`.
    pub fn tangents_at(&mut self, c: &Step, motion: &Motion, a: &Vec3) -> [Mat3; 2] {
        let r = &motion.r;
        let j = r * self.tensor * r.transpose();
        let (inverse, momentum) = (r * self.inverse * r.transpose(), j * motion.omega);
        let free = -(inverse * motion.omega.cross(&momentum));
        let end = Found { omega: motion.omega, momentum, free, inverse };
        self.y = a - free;
        self.momentum = momentum - j * self.y * c.velocity;
        let slope = end.slope(&j);
        let solve = inverted(&self.matrix(c, &slope));
        self.tangents(c, &(inverse * self.momentum), &end, [&slope, &solve], &motion.tangent)
    }

    /// Of the equations for y.
    #[inline(always)]
    fn matrix(&self, c: &Step, slope: &Mat3) -> Mat3 {
        Mat3::from_diagonal_element(c.position) - (skew(&self.omega) + slope) * (c.correction * c.velocity)
    }

    /// Takes a change of psi, to first order: A then satisfies the linear equations that gave it, to rounding.
    pub fn correct(&mut self, change: &Vec3, tangent: &Mat3) {
        let (theta, dy) = (tangent * change, self.by_psi * change);
        self.algorithmic += self.inertia * (dy - theta.cross(&self.y)) + theta.cross(&self.algorithmic);
        self.y += dy;
    }

    /// omega, omegadot and the algorithmic acceleration at the end of the step, where the body has the orientation `r`; and what
    /// this omega lacks of the angular momentum.
    pub fn conclude(&self, c: &Step, r: &Mat3) -> [Vec3; 4] {
        let per_inertia = |x: &Vec3| r * (self.inverse * r.tr_mul(x));
        let momentum = self.momentum + self.algorithmic * c.velocity;
        let omega = per_inertia(&momentum);
        // The next step makes p of this omega: what rounding takes would add up over a million steps.
        let (again, free) = self.momentum_and_free(r, &omega);
        let pdot = self.algorithmic * c.rate + self.rate * c.start;
        [omega, per_inertia(&pdot) + free, per_inertia(&self.algorithmic) + free, momentum - again]
    }

    /// What the smooth motion's `d/dt (J^-1 pdot)`, by which start values are off, has beside omegaddot; and what `J^-1 d/dt pdot`
    /// has beside that: `-d(alpha)/dt`, `J^-1 (omega x pdot) - omega x (J^-1 pdot)`.
    pub fn jerks(&self, motion: &Motion) -> [Vec3; 2] {
        let [w, wdot] = [motion.omega, motion.omegadot].map(|x| motion.r.tr_mul(&x));
        let free = self.free(&w);
        let rate = wdot - free;
        let smooth = -(w.cross(&free) + self.free_change(&w, &wdot));
        let turning = self.inverse * w.cross(&(self.tensor * rate)) - w.cross(&rate);
        [motion.r * smooth, motion.r * turning]
    }
}

impl Found {
    /// dalpha/domega.
    #[inline(always)]
    fn slope(&self, j: &Mat3) -> Mat3 {
        self.inverse * (skew(&self.momentum) - skew_mul(&self.omega, j))
    }
}

/// The inverse by cofactors; of a singular matrix numbers that are not finite, which are found later.
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
        Parameters { alpha_m: 0.3, alpha_f: 0.45, gamma: 0.65, beta: 0.33, on_momentum: true };

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

    /// Where a body that began as in [`start`] has turned by psi.
    fn moved(q: &Quat, psi: &Vec3) -> Motion {
        let (by, tangent) = rotation::exp_with_tangent(psi);
        let state = BodyState { x: Vec3::zeros(), q: by * q, v: Vec6::zeros(), vdot: Vec6::zeros() };
        Motion { tangent, ..Motion::of(&state) }
    }

    fn end(psi: &Vec3) -> (Turn, Motion, [Mat3; 2]) {
        let (mut turn, c, q) = start();
        let mut motion = moved(&q, psi);
        // Twice: the tangents of the second one belong to an y without error.
        turn.follow(&c, psi, &mut motion);
        let tangents = turn.follow(&c, psi, &mut motion);
        (turn, motion, tangents)
    }

    const PSI: Vec3 = Vec3::new(0.15, -0.32, 0.21);

    /// The formulas at the head of `momentum.rs`, as they stand there.
    #[test]
    fn the_end_of_a_step_satisfies_the_formulas() {
        let ((turn, motion, _), (_, _, q)) = (end(&PSI), start());
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
        for off in [rates, velocities, rotation] {
            assert!(off.norm() < 1e-13, "{rates} {velocities} {rotation}");
        }
    }

    /// Central differences at 1e-5: error 1e-10 |f'''|/6 + eps |f|/1e-5, both below 1e-8 with omegadot of size 60.
    #[test]
    fn tangents_are_derivatives() {
        let (turn, _, [velocity, acceleration]) = end(&PSI);
        for k in 0..3 {
            let moved = |by: f64| end(&(PSI + Vec3::from_fn(|i, _| if i == k { by } else { 0.0 })));
            let ((plus, ahead, _), (minus, behind, _)) = (moved(1e-5), moved(-1e-5));
            let by = |a: Vec3, b: Vec3| (a - b) / 2e-5;
            let found = [by(ahead.omega, behind.omega), by(ahead.omegadot, behind.omegadot), by(plus.y, minus.y)];
            for (own, found) in [velocity, acceleration, turn.by_psi].iter().zip(found) {
                assert!((own.column(k) - found).norm() < 1e-7, "{k}: {own} {found}");
            }
        }
    }

    /// What `compliance` takes from states is what the iteration had.
    #[test]
    fn tangents_follow_from_states() {
        let (mut turn, motion, tangents) = end(&PSI);
        let c = Step::new(&PARAMETERS, H);
        let by_psi = turn.by_psi;
        let a = turn.y + motion.r * turn.free(&motion.r.tr_mul(&motion.omega));
        let found = turn.tangents_at(&c, &motion, &a);
        // Numbers of size 1/(beta h^2) = 75, rounded.
        for (own, found) in [(by_psi, turn.by_psi), (tangents[0], found[0]), (tangents[1], found[1])] {
            assert!((own - found).amax() < 1e-12, "{own} {found}");
        }
    }

    /// A small correction leads to where the nonlinear equations lead, up to its square.
    #[test]
    fn a_correction_is_the_linear_part_of_what_follows() {
        let change = Vec3::new(2e-5, -1e-5, 3e-5);
        let (mut turn, motion, _) = end(&PSI);
        let (exact, ahead, _) = end(&(PSI + change));
        turn.correct(&change, &motion.tangent);
        let [omega, omegadot, a, _] = turn.conclude(&Step::new(&PARAMETERS, H), &ahead.r);
        // beta' |change|^2 times numbers of order one.
        let a_exact = exact.y + ahead.r * exact.free(&ahead.r.tr_mul(&ahead.omega));
        for (own, exact) in [(omega, ahead.omega), (omegadot, ahead.omegadot), (a, a_exact)] {
            assert!((own - exact).norm() < 1e-7, "{own} {exact}");
        }
    }

    /// `-d(alpha)/dt` along a motion, and `d(pdot)/dt`, by differences.
    #[test]
    fn jerks_are_derivatives() {
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
        let values = |motion: &Motion| {
            let j = motion.r * tensor() * motion.r.transpose();
            let p = j * motion.omega;
            let free = -(j.try_inverse().unwrap() * motion.omega.cross(&p));
            (free, j * motion.omegadot + motion.omega.cross(&p))
        };
        let (motion, [ahead, behind]) = (at(0.0), [1e-4, -1e-4].map(|t| values(&at(t))));
        let j = motion.r * tensor() * motion.r.transpose();
        let inverse = j.try_inverse().unwrap();
        let [smooth, turning] = turn.jerks(&motion);
        // Second order: 1e-8 times third derivatives.
        assert!((smooth + (ahead.0 - behind.0) / 2e-4).norm() < 1e-6);
        let pddot = inverse * (ahead.1 - behind.1) / 2e-4;
        assert!((jerk + smooth + turning - pddot).norm() < 1e-6, "{pddot}");
    }

    #[test]
    fn a_rod_goes_like_a_ball() {
        assert_eq!(Turn::new(&Mat3::from_diagonal(&Vec3::new(3.0, 3.0, 0.0))).tensor, Mat3::identity());
        assert_eq!(Turn::new(&Mat3::zeros()).inverse, Mat3::identity());
    }
}
