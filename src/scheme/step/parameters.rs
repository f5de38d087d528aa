//! Parameters of the generalized-alpha family, and the coefficients that a step of one length makes
//! of them.
//!
//! Sources: Chung, Hulbert (1993), J. Applied Mechanics 60, eqs. 17 and 25; Hilber, Hughes, Taylor
//! (1977).

use crate::linear::update;
use crate::model::Settings;
use crate::scheme::{Problem, Scheme};
use crate::system::Coefficients;

/// Parameters of the family.
#[derive(Debug, Clone, Copy)]
pub struct Parameters {
    /// alpha_m.
    pub alpha_m: f64,
    /// alpha_f.
    pub alpha_f: f64,
    /// gamma.
    pub gamma: f64,
    /// beta.
    pub beta: f64,
    /// Lag of a behind vdot at the end of a first step ([`Parameters::first_step`]); else 0.
    pub lag: f64,
    /// True if rotations are integrated by their angular momentum (`momentum.rs`).
    pub on_momentum: bool,
}

/// The coefficients of a step of one length.
#[derive(Debug, Clone, Copy)]
pub struct StepCoefficients {
    /// h.
    pub h: f64,
    /// gamma' = gamma/(h beta): change of velocities per increment.
    pub gamma_prime: f64,
    /// beta' = (1 - alpha_m)/(h^2 beta (1 - alpha_f)): change of accelerations per increment.
    pub beta_prime: f64,
    /// D_L = beta h^2 over the mass of the model: all blocks of the scaled matrix are of order one.
    pub scale: f64,
}

impl Parameters {
    /// The parameters of a scheme of the family under its options.
    pub fn of(scheme: Scheme, settings: &Settings) -> Parameters {
        match scheme {
            Scheme::Newmark => {
                let [gamma, beta] = settings.newmark();
                Parameters { alpha_m: 0.0, alpha_f: 0.0, gamma, beta, lag: 0.0, on_momentum: false }
            }
            Scheme::Hht => {
                let alpha = settings.hht_alpha();
                let beta = 0.25 * (1.0 - alpha) * (1.0 - alpha);
                Parameters { alpha_m: 0.0, alpha_f: -alpha, gamma: 0.5 - alpha, beta, lag: 0.0, on_momentum: false }
            }
            _ => Parameters { on_momentum: scheme == Scheme::MomentumAlpha, ..Parameters::optimal(settings.rho_inf()) },
        }
    }

    /// The parameters for a spectral radius at infinite frequency (Chung, Hulbert 1993).
    fn optimal(rho_inf: f64) -> Parameters {
        let alpha_m = (2.0 * rho_inf - 1.0) / (rho_inf + 1.0);
        let alpha_f = rho_inf / (rho_inf + 1.0);
        let gamma = 0.5 + alpha_f - alpha_m;
        let beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
        Parameters { alpha_m, alpha_f, gamma, beta, lag: 0.0, on_momentum: false }
    }

    /// d = alpha_f - alpha_m: on smooth motion `a = vdot - d h vddot`.
    pub fn offset(&self) -> f64 {
        self.alpha_f - self.alpha_m
    }

    /// Of the first step after a start, which knows vdot(n) but no a(n). With the a of smooth
    /// motion at both ends,
    ///
    /// ```text
    /// a(n) = vdot(n) - d (vdot(n+1) - vdot(n)),   a(n+1) = vdot(n+1) - d (vdot(n+1) - vdot(n)),
    /// ```
    ///
    /// the formulas of the scheme hold for a, and become those of Newmark with gamma - d = 1/2 and
    /// beta - d/2: of second order from the first step on.
    pub fn first_step(&self) -> Parameters {
        let lag = self.offset();
        let (gamma, beta) = (self.gamma - lag, self.beta - 0.5 * lag);
        Parameters { alpha_m: 0.0, alpha_f: 0.0, gamma, beta, lag, ..*self }
    }

    /// The coefficients of M and of D = h G + delta/2 h^2 K, by which the accelerations at the
    /// start of the first step are damped; delta = gamma - 1/2 of the scheme. With its own damping
    /// delta that of springs vanishes: undamped oscillators would gain from it where starts follow
    /// each other.
    pub fn damping_at_start(&self, problem: &Problem) -> Coefficients {
        let (h, mass) = (problem.step, problem.system.scales().mass);
        let delta = self.lag + self.gamma - 0.5;
        Coefficients { mass: 1.0 / mass, damping: h / mass, stiffness: 0.5 * delta * h * h / mass }
    }

    /// a(n+1) for the next step, from a(n+1) of this step and vdot(n).
    #[inline(always)]
    pub fn kept(&self, a: f64, last_vdot: f64) -> f64 {
        a - self.lag * (a - last_vdot)
    }

    /// a(n+1) of `(1 - alpha_m) a(n+1) + alpha_m a(n) = (1 - alpha_f) vdot(n+1) + alpha_f vdot(n)`,
    /// as the next step takes it, into `a`, from vdot(n+1), vdot(n) and a(n).
    #[inline(always)]
    pub fn algorithmic(&self, vdot: &[f64], last_vdot: &[f64], last_a: &[f64], a: &mut [f64]) {
        update([a], [vdot, last_vdot, last_a], |_, [vdot, last_vdot, last_a]| {
            [self.kept(self.algorithmic_of(vdot, last_vdot, last_a), last_vdot)]
        });
    }

    /// The same of one number, as this step takes it.
    #[inline(always)]
    pub fn algorithmic_of(&self, vdot: f64, last_vdot: f64, last_a: f64) -> f64 {
        let share = 1.0 / (1.0 - self.alpha_m);
        (vdot * (1.0 - self.alpha_f) + last_vdot * self.alpha_f - last_a * self.alpha_m) * share
    }

    /// gamma' and beta': how velocities and accelerations follow the increments of a step of length
    /// h.
    pub fn rates(&self, h: f64) -> [f64; 2] {
        [self.gamma / (h * self.beta), (1.0 - self.alpha_m) / (h * h * self.beta * (1.0 - self.alpha_f))]
    }

    /// The coefficients of a step of length h on a model of a given mass.
    pub fn coefficients(&self, h: f64, mass: f64) -> StepCoefficients {
        let [gamma_prime, beta_prime] = self.rates(h);
        StepCoefficients { h, gamma_prime, beta_prime, scale: self.beta * h * h / mass }
    }
}

impl StepCoefficients {
    /// Factors of M, G and K in the scaled iteration matrix.
    pub fn tangent(&self) -> Coefficients {
        let StepCoefficients { gamma_prime, beta_prime, scale, .. } = *self;
        Coefficients { mass: scale * beta_prime, damping: scale * gamma_prime, stiffness: scale }
    }
}
