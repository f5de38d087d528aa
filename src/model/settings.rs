//! Settings of the time integration: the keys of `pintle_set_option`, their ranges and defaults, in
//! one table.

use crate::error::{Error, Result, did_you_mean};
use crate::number::Number;

/// The convergence test of Newton's method (option `convergence`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convergence {
    /// 0: weighted RMS of the increments (Arnold, Hante 2017).
    Increments,
    /// 1: residual energies (Ashes): R_X + R_theta below `energy_tolerance`.
    Energy,
}

/// Form of the relaxation of semi-implicit schemes (option `relaxation`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relaxation {
    /// 0: that of MoorDyn's page on time schemes.
    Page,
    /// 1: that of its code.
    Code,
}

/// Reaction to an iteration that does not converge (option `on_no_convergence`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoConvergencePolicy {
    /// 0: the step fails.
    Fail,
    /// 1: the last iterate is accepted and counted.
    Accept,
    /// 2: the internal step is cut in halves, up to 10 times.
    Cut,
}

/// All settings, as numbers under their keys.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    values: [f64; COUNT],
}

struct Entry {
    key: &'static str,
    default: f64,
    /// Whether a value is allowed.
    allowed: fn(f64) -> bool,
    range: &'static str,
}

const COUNT: usize = 28;
const RHO_INF: usize = 0;
const ABS_TOLERANCE: usize = 1;
const REL_TOLERANCE: usize = 2;
const MAX_ITERATIONS: usize = 3;
const MAX_TIME_STEP: usize = 4;
const INPUT_ORDER: usize = 5;
const ASSEMBLE: usize = 6;
const ON_NO_CONVERGENCE: usize = 7;
const CONVERGENCE: usize = 8;
const ENERGY_TOLERANCE: usize = 9;
const INITIAL_ACCELERATION: usize = 10;
const NEWMARK_GAMMA: usize = 11;
const NEWMARK_BETA: usize = 12;
const HHT_ALPHA: usize = 13;
const RELAXATION: usize = 14;
const CFL: usize = 15;
const LINEAR: usize = 16;
const MAX_SUBSTEPS: usize = 17;
const INTEGRATE_ABOUT: usize = 18;
const CONSTRAINT_DAMPING: usize = 19;
const RELAXATION_C0: usize = 20;
const RELAXATION_C1: usize = 21;
const LINE_TENSION_CHANGE: usize = 22;
const ENERGY_FORM: usize = 23;
const MAX_EVENTS: usize = 24;
const REST_SPEED: usize = 25;
const STEP_TOLERANCE: usize = 27;

fn flag(x: f64) -> bool {
    x == 0.0 || x == 1.0
}

fn tolerance(x: f64) -> bool {
    (0.0..1.0).contains(&x)
}

/// A constant of the relaxation, or -1 for the scheme's own.
fn constant_or_own(x: f64) -> bool {
    x == -1.0 || (0.0..=1.0).contains(&x)
}

const fn entry(key: &'static str, default: f64, allowed: fn(f64) -> bool, range: &'static str) -> Entry {
    Entry { key, default, allowed, range }
}

const TABLE: [Entry; COUNT] = [
    entry("rho_inf", 0.8, |x| (0.0..=1.0).contains(&x), "0 to 1"),
    entry("abs_tolerance", 1e-8, tolerance, "0 to 1 (excluded)"),
    entry("rel_tolerance", 1e-6, tolerance, "0 to 1 (excluded)"),
    entry("max_iterations", 20.0, |x| x.fract() == 0.0 && (1.0..=1000.0).contains(&x), "whole, 1 to 1000"),
    entry("max_time_step", f64::INFINITY, |x| x > 0.0, "positive, or infinity"),
    entry("input_order", 0.0, flag, "0 or 1"),
    entry("assemble", 0.0, flag, "0 or 1"),
    entry("on_no_convergence", 0.0, |x| x == 0.0 || x == 1.0 || x == 2.0, "0, 1 or 2"),
    entry("convergence", 0.0, flag, "0 or 1"),
    entry("energy_tolerance", 1e-3, |x| x > 0.0 && x.is_finite(), "positive"),
    entry("initial_acceleration", 0.0, flag, "0 or 1"),
    entry("newmark_gamma", 0.5, |x| (0.5..=1.0).contains(&x), "0.5 to 1"),
    entry("newmark_beta", 0.25, |x| x > 0.0 && x <= 1.0, "above 0, to 1"),
    entry("hht_alpha", -0.1, |x| (-1.0 / 3.0..=0.0).contains(&x), "-1/3 to 0"),
    entry("relaxation", 1.0, flag, "0 or 1"),
    entry("cfl", 0.5, |x| x > 0.0 && x <= 1.0, "above 0, to 1"),
    entry("linear", 0.0, flag, "0 or 1"),
    entry("max_substeps", 1e4, |x| x.fract() == 0.0 && (1.0..=1e9).contains(&x), "whole, 1 to 1e9"),
    entry("integrate_about", 0.0, flag, "0 or 1"),
    entry("constraint_damping", 1.0, flag, "0 or 1"),
    entry("relaxation_c0", -1.0, constant_or_own, "0 to 1, or -1 for the scheme's own"),
    entry("relaxation_c1", -1.0, constant_or_own, "0 to 1, or -1 for the scheme's own"),
    entry("line_tension_change", 0.0, |x| x >= 0.0 && x.is_finite(), "0 (off) or positive"),
    entry("energy_form", 1.0, flag, "0 or 1"),
    entry("max_events", 200.0, |x| x.fract() == 0.0 && (0.0..=1e6).contains(&x), "whole, 0 to 1e6"),
    entry("rest_speed", 1e-4, |x| x > 0.0 && x.is_finite(), "positive"),
    entry("rotating_modes", 0.0, flag, "0 or 1"),
    entry("step_tolerance", 0.0, tolerance, "0 (off) to 1 (excluded)"),
];

/// The keys, in the order of the table.
pub const OPTION_KEYS: [&str; COUNT] = {
    let mut keys = [""; COUNT];
    let mut i = 0;
    while i < COUNT {
        keys[i] = TABLE[i].key;
        i += 1;
    }
    keys
};

impl Default for Settings {
    fn default() -> Settings {
        Settings { values: std::array::from_fn(|i| TABLE[i].default) }
    }
}

impl Settings {
    fn position(key: &str) -> Result<usize> {
        TABLE.iter().position(|entry| entry.key == key).ok_or_else(|| {
            let near = did_you_mean(key, &mut OPTION_KEYS.into_iter());
            Error::bad_value("key", format!("\"{key}\" is unknown; known: {}{near}", OPTION_KEYS.join(", ")))
        })
    }

    /// Sets an option. Errors: unknown key (the known ones are listed), NaN, value outside its
    /// range.
    pub fn set(&mut self, key: &str, value: f64) -> Result<()> {
        let i = Settings::position(key)?;
        if value.is_nan() || (value.is_infinite() && i != MAX_TIME_STEP) {
            return Err(Error::NotFinite { argument: "value", index: None, value });
        }
        if !(TABLE[i].allowed)(value) {
            return Err(Error::bad_value(
                "value",
                format!("{} for \"{key}\", expected {}", Number(value), TABLE[i].range),
            ));
        }
        self.values[i] = value;
        Ok(())
    }

    /// Reads an option. Errors: unknown key.
    pub fn get(&self, key: &str) -> Result<f64> {
        Settings::position(key).map(|i| self.values[i])
    }

    /// All values in the order of [`OPTION_KEYS`], for snapshots.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// From such values; None if one is outside its range.
    pub fn from_values(values: &[f64]) -> Option<Settings> {
        let values: [f64; COUNT] = values.try_into().ok()?;
        let valid = values.iter().zip(&TABLE).all(|(x, entry)| !x.is_nan() && (entry.allowed)(*x));
        valid.then_some(Settings { values })
    }

    /// Spectral radius at infinite frequency: 1 no numerical damping, 0 the most.
    pub fn rho_inf(&self) -> f64 {
        self.values[RHO_INF]
    }

    /// Absolute tolerance of the increments, in units of the model's scales.
    pub fn abs_tolerance(&self) -> f64 {
        self.values[ABS_TOLERANCE]
    }

    /// Relative tolerance of the increments.
    pub fn rel_tolerance(&self) -> f64 {
        self.values[REL_TOLERANCE]
    }

    /// Most Newton iterations in one internal step.
    pub fn max_iterations(&self) -> u32 {
        self.values[MAX_ITERATIONS] as u32
    }

    /// Longest internal step.
    pub fn max_time_step(&self) -> f64 {
        self.values[MAX_TIME_STEP]
    }

    /// Most internal steps of one host step.
    pub fn max_substeps(&self) -> f64 {
        self.values[MAX_SUBSTEPS]
    }

    /// Whether inputs vary linearly over the host's step instead of being held.
    pub fn linear_inputs(&self) -> bool {
        self.values[INPUT_ORDER] == 1.0
    }

    /// Whether `initialize` moves bodies onto the constraints.
    pub fn assemble(&self) -> bool {
        self.values[ASSEMBLE] == 1.0
    }

    /// See [`NoConvergencePolicy`].
    pub fn on_no_convergence(&self) -> NoConvergencePolicy {
        match self.values[ON_NO_CONVERGENCE] as u32 {
            0 => NoConvergencePolicy::Fail,
            1 => NoConvergencePolicy::Accept,
            _ => NoConvergencePolicy::Cut,
        }
    }

    /// See [`Convergence`].
    pub fn convergence(&self) -> Convergence {
        if self.values[CONVERGENCE] == 0.0 { Convergence::Increments } else { Convergence::Energy }
    }

    /// Bound of the residual energies.
    pub fn energy_tolerance(&self) -> f64 {
        self.values[ENERGY_TOLERANCE]
    }

    /// The settings in the formulas of schemes: a change of these starts a scheme's history anew.
    pub fn of_schemes(&self) -> [f64; 7] {
        [RHO_INF, NEWMARK_GAMMA, NEWMARK_BETA, HHT_ALPHA, CFL, LINEAR, ENERGY_FORM].map(|i| self.values[i])
    }

    /// gamma and beta of newmark.
    pub fn newmark(&self) -> [f64; 2] {
        [self.values[NEWMARK_GAMMA], self.values[NEWMARK_BETA]]
    }

    /// alpha of hht.
    pub fn hht_alpha(&self) -> f64 {
        self.values[HHT_ALPHA]
    }

    /// See [`Relaxation`].
    pub fn relaxation(&self) -> Relaxation {
        if self.values[RELAXATION] == 0.0 { Relaxation::Page } else { Relaxation::Code }
    }

    /// C0 and C1 of the relaxation; None: the scheme's own.
    pub fn relaxation_constants(&self) -> [Option<f64>; 2] {
        [RELAXATION_C0, RELAXATION_C1].map(|i| (self.values[i] >= 0.0).then_some(self.values[i]))
    }

    /// Part of the stable step that explicit schemes take.
    pub fn cfl(&self) -> f64 {
        self.values[CFL]
    }

    /// Largest change of a tension in one internal step; larger ones cut the step. 0: no limit.
    pub fn line_tension_change(&self) -> f64 {
        self.values[LINE_TENSION_CHANGE]
    }

    /// Whether elements whose stiffness jumps are taken in energy form.
    pub fn energy_form(&self) -> bool {
        self.values[ENERGY_FORM] == 1.0
    }

    /// Most events of friction and stops that are located in one step of the host, and the rate, in
    /// model lengths or radians per time, below which nothing bounces.
    pub fn events(&self) -> (u32, f64) {
        (self.values[MAX_EVENTS] as u32, self.values[REST_SPEED])
    }

    /// Most that an internal step may err, in model lengths and rad; 0: steps follow no tolerance.
    pub fn step_tolerance(&self) -> f64 {
        self.values[STEP_TOLERANCE]
    }

    /// Whether the model is frozen at its initial state.
    pub fn linear(&self) -> bool {
        self.values[LINEAR] == 1.0
    }

    /// Whether equations are about the host's reference points, not about centres of mass.
    pub fn integrate_about(&self) -> bool {
        self.values[INTEGRATE_ABOUT] == 1.0
    }

    /// Whether alternating motion normal to constraints is damped after each step.
    pub fn constraint_damping(&self) -> bool {
        self.values[CONSTRAINT_DAMPING] == 1.0
    }

    /// Whether a model that is initialized now has equations about the reference points: with
    /// option `linear`, deviations are those of the reference points.
    pub fn about_reference_points(&self) -> bool {
        self.integrate_about() || self.linear()
    }

    /// Whether the host gives the initial accelerations (then the start is not perturbed).
    pub fn given_initial_accelerations(&self) -> bool {
        self.values[INITIAL_ACCELERATION] == 1.0
    }
}
