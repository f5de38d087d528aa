//! When Newton's iteration is done: the convergence test of all schemes that iterate on increments.
//!
//! Sources: weighted RMS of the increments, Arnold and Hante (2017), J. Comput. Nonlinear Dynam.
//! 12, 021002; residual energies, Ashes user manual, "Time domain simulation".

use super::step::Parameters;
use super::sums::{larger, larger_or_nan, largest, largest_at, sum};
use super::{Point, Problem};
use crate::model::{Convergence, Loads, Settings};
use crate::system::{Coefficients, Environment, Failure, NOISY, Stalls, State, System, Workspace};

/// Rounding error of an increment relative to its largest term: smaller increments carry no
/// information.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Largest predicted increment, as a fraction of the tolerance, at which the iteration ends. Where
/// increments shrink, the next one is predicted from their rate (Hairer, Wanner 1996, section IV.8)
/// and need not be computed. The fraction is small because the remaining error adds up in
/// velocities from step to step, and is magnified near singular positions.
const LEFT: f64 = 1e-3;

/// The same fraction where increments are rounding noise, by their size or because the equations
/// held to rounding before them: further iterations would not improve the solution.
const LEFT_OF_NOISE: f64 = 0.1;

/// Below this fraction of the tolerance the last increments are negligible, and the end of the step
/// is accepted without a test of its forces.
const NOTHING: f64 = 1e-2;

/// Increments that no longer shrink are rounding noise if they are below this many times
/// [`ROUNDING`].
const STAGNATION: f64 = 64.0;

/// Predicted displacement of a node, relative to the length of its line, below which the line has
/// converged. Its effect on tensions is far below what hosts resolve. Hosts cannot loosen it,
/// because a hundred times as much would strain one of forty segments by 1e-4.
const LINES_DONE: f64 = 3e-8;

/// The same limit in units of `abs_tolerance`, so that hosts can tighten it. It equals `LINES_DONE`
/// at the default tolerance.
const TOLERANCES: f64 = 3.0;

/// Limit of the last increment itself, relative to the length of the line, where increments do not
/// shrink fast enough to predict the next one.
const LINES_NOTHING: f64 = 1e-10;

/// Largest ratio of successive increments from which the next one is predicted.
const CONTRACTING: f64 = 0.5;

/// Increments that still shrink, from equations that held to rounding, count as noise only up to
/// this many times the limit of stagnating ones. Links of long chains magnify rounding by that,
/// since an increment carries the rounding of all links before it. Larger increments are motion: a
/// small body at the end of a taut line may spin about the line, whose pull is so large that its
/// rounding would hide all moments on the body.
const AMPLIFIED: f64 = 100.0;

/// Fraction of `rel_tolerance` to which the wrenches of load callbacks must agree with those that
/// the accelerations were solved for. The remaining difference is small against the error of a
/// scheme with 1000 steps per period.
const CALLBACKS: f64 = 0.01;

/// Relative rounding error of these wrenches: the least tolerance that they are given.
const LEAST_CALLBACKS: f64 = 1e-13;

/// The error of these wrenches counts as shrinking while each iteration reduces it below this
/// fraction of the smallest error so far.
const SHRUNK: f64 = 0.9;

/// The unknown whose equation has the largest residual, relative to the model's force, moment or
/// length.
fn largest_residual(system: &System, workspace: &Workspace) -> usize {
    let (scales, layout) = (system.scales(), system.layout());
    let size = |(k, r): (usize, &f64)| match k < layout.dofs() {
        true if layout.is_rotation(k) => r.abs() / (scales.force * scales.length + f64::MIN_POSITIVE),
        true => r.abs() / (scales.force + f64::MIN_POSITIVE),
        false => r.abs() / scales.length,
    };
    let sizes = workspace.residual.iter().enumerate().map(size);
    sizes.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(k, _)| k)
}

/// Largest residual of the equations of motion, moments divided by the model's length.
#[inline(always)]
pub fn residual_norm(system: &System, workspace: &Workspace) -> f64 {
    let (bodies, points) = system.layout().split(&workspace.residual);
    let [x, y, z, alpha, beta, gamma] = largest_at(bodies);
    let moment = larger(larger(alpha, beta), gamma) / system.scales().length;
    [y, z, moment, largest(points.as_flattened())].into_iter().fold(x, larger)
}

/// The convergence test over the iterations of one step.
pub struct Stop<'a> {
    /// Error of the last iteration relative to the tolerance: 1 or less is converged.
    pub error: f64,
    /// Result of the test.
    pub converged: bool,
    previous: f64,
    /// Predicted error after one more iteration with the same matrix.
    ahead: f64,
    /// Convergence test of the lines; None in models without lines.
    lines: Option<Done>,
    /// True if bodies and points converged by their predicted next increments, not by the last
    /// ones.
    is_expected: bool,
    /// Errors of the wrenches of load callbacks so far, and the body with the last one that was too
    /// large.
    stalls: Stalls,
    unsettled: Option<usize>,
    kind: Convergence,
    absolute: f64,
    relative: f64,
    energy_tolerance: f64,
    length: f64,
    force: f64,
    /// Loads and imposed motions at the end of the step.
    loads: &'a Loads,
    /// Rounding noise of positions.
    position_noise: f64,
    /// Noise of a multiplier per noise of its constraint and per effective mass: 1/(beta h^2).
    multiplier_noise: f64,
    /// Noise that the rounding of positions leaves in forces of elements.
    force_noise: f64,
}

impl<'a> Stop<'a> {
    /// The test for one step.
    pub fn new(problem: &Problem<'a>, p: &Parameters, from: &Point) -> Stop<'a> {
        let settings: &Settings = problem.settings;
        let scales = problem.system.scales();
        let position_noise = ROUNDING * (farthest(&from.state) + scales.length);
        Stop {
            error: f64::INFINITY,
            converged: false,
            previous: f64::INFINITY,
            ahead: f64::INFINITY,
            is_expected: false,
            lines: (problem.system.lines().count() > 0).then(|| Done::new(settings.abs_tolerance())),
            stalls: Stalls::new(SHRUNK),
            unsettled: None,
            kind: settings.convergence(),
            absolute: settings.abs_tolerance(),
            relative: settings.rel_tolerance(),
            energy_tolerance: settings.energy_tolerance(),
            length: scales.length,
            force: scales.force,
            loads: problem.loads_end,
            position_noise,
            multiplier_noise: 1.0 / (p.beta * problem.step * problem.step),
            force_noise: scales.stiffness * position_noise,
        }
    }

    /// Compares, once the increments have converged, the wrenches that load callbacks return at the
    /// last iterate (the motions of the workspace) with those that their matrices predict there. A
    /// test of positions alone would accept accelerations that are off by tolerance/(beta h^2).
    /// Returns true if the iteration is done with a last correction in `workspace.solution`, for
    /// which only the callbacks were evaluated again; false if no correction is needed, or if the
    /// iteration has to go on (`converged`).
    pub fn settle(
        &mut self,
        system: &System,
        environment: &Environment,
        coefficients: Coefficients,
        (iterations, is_last): (u32, bool),
        workspace: &mut Workspace,
    ) -> Result<bool, Failure> {
        let scale = coefficients.stiffness;
        let tolerance = self.tolerance_of_callbacks();
        let ahead = system.callbacks().ask_ahead(environment, coefficients, scale, tolerance, workspace)?;
        if ahead.error <= 1.0 {
            return Ok(false);
        }
        workspace.matrix.solve(&mut workspace.solution);
        let dofs = system.dofs();
        for lambda in &mut workspace.solution[dofs..] {
            *lambda /= scale;
        }
        if let Some(unknown) = workspace.solution.iter().position(|x| !x.is_finite()) {
            return Err(Failure::NotFinite { unknown, iterations });
        }
        // Positions that differ by rounding make loads differ as well.
        let layout = system.layout();
        let is_noise = |(k, dx): (usize, &f64)| {
            dx.abs() <= 0.25 * if layout.is_rotation(k) { ROUNDING } else { self.position_noise }
        };
        let within_noise = || workspace.solution[..dofs].iter().enumerate().all(is_noise);
        let is_small = ahead.relative <= NOISY;
        let stalls = self.stalls.behind(ahead.error, is_small, workspace.lessons());
        self.converged = (is_small && (is_last || stalls)) || within_noise();
        if !self.converged {
            (self.error, self.unsettled) = (ahead.error, Some(ahead.body));
        }
        Ok(self.converged)
    }

    /// Relative tolerance between the wrenches of load callbacks and their prediction.
    #[inline(always)]
    pub fn tolerance_of_callbacks(&self) -> f64 {
        (CALLBACKS * self.relative).max(LEAST_CALLBACKS)
    }

    /// The unknown that the message names if the iteration does not converge.
    pub fn largest_residual(&self, system: &System, workspace: &Workspace) -> usize {
        self.unsettled.map_or_else(|| largest_residual(system, workspace), |body| system.layout().unknown(body))
    }

    /// True if the next iteration needs a new matrix. With an earlier matrix the iteration
    /// converges linearly: the error of the matrix is proportional to the distance moved since,
    /// which the first increments measure, so the third increments are to the second as the second
    /// to the first. The second increments are the same to leading order with either matrix; a new
    /// matrix pays only if the third increments would not be the last.
    pub fn wants_matrix(&self, iterations: u32) -> bool {
        iterations == 1 || (iterations > 2 && self.ahead > 1.0)
    }

    /// True if lines may keep the matrix of an earlier iteration. `left`: the fraction of their
    /// unbalanced force that the last increments left. It is large where segments touched the bed,
    /// left it or fell slack, which that matrix does not contain.
    pub fn lines_keep(&self, left: f64) -> bool {
        self.lines.as_ref().is_none_or(|lines| lines.promises(left))
    }

    /// True if the last increments of lines were negligible, so that their unbalanced force is
    /// rounding.
    pub fn lines_stand(&self) -> bool {
        self.lines.as_ref().is_none_or(Done::stand)
    }

    /// True if the last increments of bodies and points, those in the workspace, were negligible or
    /// rounding.
    #[inline(never)]
    pub fn others_stand_still(
        &self,
        system: &System,
        workspace: &Workspace,
        increments: &[f64],
        lambda: &[f64],
    ) -> bool {
        let is_noise = || self.weighted_rms(system, workspace, increments, lambda, 1.0) <= 1.0;
        self.previous <= NOTHING || self.is_rounding() || is_noise()
    }

    /// True if a converged iteration ended because its increments were rounding noise.
    pub fn is_rounding(&self) -> bool {
        self.error > 1.0
    }

    /// True if bodies and points have converged as predicted. `left`: the fraction of the
    /// unbalanced force that the last increments left, which is larger where a tie fell slack or
    /// snapped.
    pub fn others_stand(&self, left: f64) -> bool {
        let next = self.previous * left;
        !self.is_expected || next <= 1.0 || next.is_nan()
    }

    /// Tests the increments of one iteration. `state` has the positions at which they were computed
    /// and the multipliers after them. Errors: increments that are not finite.
    #[inline(always)]
    pub fn update(
        &mut self,
        system: &System,
        workspace: &mut Workspace,
        increments: &[f64],
        state: &State,
        iterations: u32,
    ) -> Result<(), Failure> {
        let lambda = &state.lambda;
        self.unsettled = None;
        self.error = match self.kind {
            Convergence::Increments => self.weighted_rms(system, workspace, increments, lambda, 0.0),
            Convergence::Energy => energies(system, workspace).iter().sum::<f64>() / self.energy_tolerance,
        };
        let previous = std::mem::replace(&mut self.previous, self.error);
        self.ahead = self.error * (self.error / previous);
        let mut lines = 0.0;
        // Where the iteration contracts, the predicted next increment measures the error better
        // than the last one.
        let contracts = self.kind == Convergence::Increments && iterations > 1 && self.error < 0.5 * previous;
        let mut noise = None;
        if let Some(done) = &mut self.lines {
            let others = if contracts { self.ahead } else { self.error };
            self.is_expected = contracts && self.error > 1.0;
            lines = done.measure(system, &workspace.solution);
            // NaN counts as the larger of two errors.
            self.error = if lines <= others { others } else { lines };
            self.ahead = if lines <= self.ahead { self.ahead } else { lines };
        } else if contracts {
            let mut is_noise = |left: f64| {
                left <= LEFT_OF_NOISE
                    && (self.in_noise(&mut noise, system, workspace, increments, lambda) <= 1.0
                        || self.holds_to_rounding(system, workspace, lambda))
            };
            let part = if self.error > 1.0 && is_noise(self.ahead) { LEFT_OF_NOISE } else { LEFT };
            self.error = self.error.min(self.ahead / part);
        }
        if !self.error.is_finite() {
            let unknown = workspace.solution.iter().position(|x| !x.is_finite()).unwrap_or(0);
            return Err(Failure::NotFinite { unknown, iterations });
        }
        // Residual energies include the nodes of lines, so that rounding in the increments of
        // bodies alone does not show convergence.
        let may_be_noise = match (self.kind, &self.lines) {
            (Convergence::Energy, Some(done)) => done.stalls,
            _ => lines <= 1.0,
        };
        let stagnates = iterations > 2 && self.previous >= 0.25 * previous;
        let mut is_rounding = || {
            let increments = self.in_noise(&mut noise, system, workspace, increments, lambda);
            (stagnates && increments <= 1.0)
                || ((stagnates || increments <= AMPLIFIED) && self.holds_to_rounding(system, workspace, lambda))
        };
        self.converged = self.error <= 1.0 || (may_be_noise && iterations > 1 && is_rounding());
        Ok(())
    }

    /// True if every equation holds to rounding. Increments are then noise, whatever their size:
    /// near a singular position of a closed loop noise grows with the reciprocal of the remaining
    /// gradient of the constraint, in multipliers with its square.
    #[inline(never)]
    fn holds_to_rounding(&self, system: &System, workspace: &Workspace, lambda: &[f64]) -> bool {
        let (layout, mass) = (system.layout(), system.scales().mass);
        let is_length = |k: usize| system.constraints().scale(k).0;
        let lengths = lambda.iter().enumerate().filter(|(k, _)| is_length(*k));
        let largest = lengths.fold(self.force, |largest, (_, lambda)| largest.max(lambda.abs()));
        let inertial = self.position_noise * mass * self.multiplier_noise;
        let force = ROUNDING * largest + inertial + self.force_noise;
        let chained = layout.unknown(layout.carriers())..layout.dofs();
        workspace.residual.iter().enumerate().filter(|(k, _)| !chained.contains(k)).all(|(k, r)| {
            let limit = match k.checked_sub(layout.dofs()) {
                None if layout.is_rotation(k) => force * self.length,
                None => force,
                Some(constraint) => self.noise_of(system, constraint),
            };
            r.abs() <= limit
        })
    }

    /// Rounding noise of the residual of a constraint.
    #[inline(always)]
    fn noise_of(&self, system: &System, constraint: usize) -> f64 {
        system.rounding_of(constraint, ROUNDING, self.position_noise, self.loads)
    }

    /// Increments in units of [`STAGNATION`] times their rounding noise, computed once for all
    /// tests of an iteration.
    #[inline(never)]
    fn in_noise(
        &self,
        known: &mut Option<f64>,
        system: &System,
        workspace: &Workspace,
        increments: &[f64],
        lambda: &[f64],
    ) -> f64 {
        *known.get_or_insert_with(|| self.weighted_rms(system, workspace, increments, lambda, STAGNATION))
    }

    /// `sqrt(1/(k + m) (sum (dx_i/w_i)^2 + sum (dlambda_i/w_i)^2))`, w_i = atol scale_i + rtol
    /// |value_i| + noise_i. With `stagnation` > 0, w_i is that many times the noise alone, which counts
    /// that of stiff elements then.
    #[inline(always)]
    fn weighted_rms(
        &self,
        system: &System,
        workspace: &Workspace,
        increments: &[f64],
        lambda: &[f64],
        stagnation: f64,
    ) -> f64 {
        let (absolute, relative, noise) =
            if stagnation > 0.0 { (0.0, 0.0, stagnation) } else { (self.absolute, self.relative, 1.0) };
        let (layout, dofs) = (system.layout(), system.dofs());
        // One sum for each component of a body: independent additions run in parallel.
        let mut sums = [0.0; 6];
        let translation = absolute * self.length + noise * self.position_noise;
        let rotation = absolute + noise * ROUNDING;
        let ((dx, dx_points), (dq, dq_points)) = (layout.split(&workspace.solution), layout.split(increments));
        for (dx, dq) in dx.iter().zip(dq) {
            for k in 0..6 {
                let floor = if k < 3 { translation } else { rotation };
                let scaled = dx[k] / (floor + relative * dq[k].abs());
                sums[k] += scaled * scaled;
            }
        }
        let mut sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + (sums[4] + sums[5]);
        // Nodes of lines are tested by `Done`.
        let points = layout.carriers() - layout.turning();
        for (dx, dq) in dx_points[..points].as_flattened().iter().zip(dq_points.as_flattened()) {
            let scaled = dx / (translation + relative * dq.abs());
            sum += scaled * scaled;
        }
        // A sum of its own, independent of the others. Pairs are for constraints that are not
        // lengths and for lengths: the least multiplier that counts, and rounding noise per
        // effective mass.
        let mut of_constraints = 0.0;
        let least = absolute * self.force + stagnation * self.force_noise;
        let least = [self.length, 1.0].map(|length| least * length + f64::MIN_POSITIVE);
        let multiplier_noise = noise * self.multiplier_noise;
        let per_mass = [ROUNDING, self.position_noise].map(|rounding| rounding * multiplier_noise);
        let (is_plain, per_lambda) = (system.constraints().round_plainly(), noise * ROUNDING + relative);
        let increments = workspace.solution[dofs..].iter().zip(lambda);
        for (k, ((d, lambda), (is_length, mass))) in increments.zip(system.constraints().scales()).enumerate() {
            let kind = usize::from(is_length);
            let per_mass = if is_plain { per_mass[kind] } else { self.noise_of(system, k) * multiplier_noise };
            let scaled = d / (least[kind] + per_mass * mass + per_lambda * lambda.abs());
            of_constraints += scaled * scaled;
        }
        let count = workspace.solution.len() - 3 * layout.chained();
        ((sum + of_constraints) * (1.0 / count.max(1) as f64)).sqrt()
    }
}

/// Convergence test of lines: they have converged when the next increment, predicted from the last
/// two, is negligible. The prediction fails where increments lead across a kink of a force, so
/// `control` tests the forces at the end of the step.
#[derive(Debug, Clone, Copy)]
struct Done {
    previous: f64,
    /// Predicted displacement, relative to the length, at which lines have converged.
    enough: f64,
    /// True if an earlier iteration predicted less than `LINES_DONE`.
    was_near: bool,
    /// True if the increments shrank in the last iteration.
    contracted: bool,
    /// True if the last increments were rounding: small, and no longer shrinking.
    pub stalls: bool,
}

impl Done {
    /// The test before the first iteration of a step.
    pub fn new(abs_tolerance: f64) -> Done {
        let enough = LINES_DONE.min(TOLERANCES * abs_tolerance);
        Done { previous: f64::INFINITY, enough, was_near: false, contracted: false, stalls: false }
    }

    /// True if next increments of this fraction of the last ones would be the last.
    pub fn promises(&self, part: f64) -> bool {
        part * part * self.previous <= self.enough
    }

    /// True if the last increments were negligible.
    pub fn stand(&self) -> bool {
        self.previous <= LINES_NOTHING
    }

    /// The measure of the increments in a solution: 1 or less is enough.
    pub fn measure(&mut self, system: &System, solution: &[f64]) -> f64 {
        let increments = system.layout().chained_in(solution);
        let parts = system.lines().lengths().map(|(nodes, length, _)| longest(&increments[nodes]) / length);
        let last = parts.fold(0.0, larger_or_nan);
        // The first iteration has no earlier increments to compare with.
        let rate = if self.previous.is_finite() { last / self.previous } else { 1.0 };
        self.previous = last;
        let contracts = rate < CONTRACTING;
        // Rounding of stiff lines may exceed `LINES_NOTHING`: increments near convergence that fail
        // to shrink twice in a row are rounding.
        let is_rounding = self.was_near && !contracts && !self.contracted;
        let nothing = if is_rounding { LINES_DONE } else { LINES_NOTHING };
        self.contracted = contracts;
        self.stalls = !contracts && last <= nothing;
        self.was_near |= contracts && rate * last <= LINES_DONE;
        if contracts { rate * last / self.enough } else { last / nothing }
    }
}

/// Length of the longest increment; NaN if one of them is. Two independent lanes run in parallel.
pub fn longest(increments: &[[f64; 3]]) -> f64 {
    let square = |d: &[f64; 3]| d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    let (pairs, rest) = increments.as_chunks::<2>();
    let mut lanes = [0.0; 2];
    for pair in pairs {
        lanes = [larger_or_nan(lanes[0], square(&pair[0])), larger_or_nan(lanes[1], square(&pair[1]))];
    }
    let last = rest.iter().map(square).fold(lanes[0], larger_or_nan);
    larger_or_nan(last, lanes[1]).sqrt()
}

/// Residual energies R_X and R_theta, `R = sqrt(sum |r_i dx_i|)` over translations and over
/// rotations; constraints count with the work of their multipliers' increments.
#[inline(never)]
pub fn energies(system: &System, workspace: &Workspace) -> [f64; 2] {
    let (layout, dofs) = (system.layout(), system.dofs());
    let ((r, r_points), (dx, dx_points)) = (layout.split(&workspace.residual), layout.split(&workspace.solution));
    let mut work = [0.0; 6];
    for (r, dx) in r.iter().zip(dx) {
        for k in 0..6 {
            work[k] += (r[k] * dx[k]).abs();
        }
    }
    let [x, y, z, alpha, beta, gamma] = work;
    let of_points = sum(r_points.as_flattened(), dx_points.as_flattened(), |r, dx| (r * dx).abs());
    let (mut translational, mut rotational) = ((x + y + z) + of_points, alpha + beta + gamma);
    let constraints = workspace.residual[dofs..].iter().zip(&workspace.solution[dofs..]);
    for ((r, dx), (is_length, _)) in constraints.zip(system.constraints().scales()) {
        let work = (r * dx).abs();
        match is_length {
            true => translational += work,
            false => rotational += work,
        }
    }
    [translational.sqrt(), rotational.sqrt()]
}

/// The largest absolute coordinate of a node.
#[inline(always)]
pub fn farthest(state: &State) -> f64 {
    let (bodies, points) = state.layout.split_places(&state.q);
    let of_body = |far: f64, place: &[f64; 7]| place[..3].iter().fold(far, |far, x| larger(far, x.abs()));
    bodies.iter().fold(largest(points.as_flattened()), of_body)
}
