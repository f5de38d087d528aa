//! Accelerations at a state, and projections onto the constraints.
//!
//! Both solve `[M B^T; B 0]`; with the mass as metric, projections move bodies as little as
//! possible.

use super::assembly::{Assembly, Level};
use super::coefficients::Coefficients;
use super::joints::{JointElement, Misfit};
use super::motion::are_finite;
use super::stalls::{NOISY, Stalls};
use super::views::Kinetics;
use super::workspace::Workspace;
use super::{Asking, Environment, Failure, Motion, State, System};
use crate::linear::NoMatrix;
use crate::model::{Callbacks, Hydrodynamics, Loads};
use crate::spatial::Vec3;

/// Most iterations with load callbacks that depend on accelerations, and for finite position
/// corrections.
const MOST_ITERATIONS: u32 = 50;

/// Changes of accelerations below this part of the acceleration that the acting forces would give
/// the model's mass are rounding. The accelerations of a mechanism at rest consist of such
/// rounding.
const AT_REST: f64 = 1e-12;

/// Accelerations have stopped converging where a change is above this part of the smallest change
/// so far.
const SHRUNK: f64 = 0.5;

/// Projections of positions that contract by less than this factor need new factors.
const SLOW: f64 = 0.03;

/// A correction of positions leaves gaps of at most this many times its size times the distance
/// from the motions of its factors, both in lengths of the model and radians: gradients turn with
/// bodies, which makes the factor 1 for one joint, and the corrections of many joints in series add
/// up.
const BENDS: f64 = 1e3;

/// Iterations for damped accelerations ([`Kinetics::damped_accelerations`]).
pub const DAMPED_ITERATES: u32 = 3;

impl System {
    /// Coefficients of the matrix of accelerations and projections: M over the largest mass.
    pub(super) fn acceleration_coefficients(&self) -> Coefficients {
        Coefficients { mass: 1.0 / self.scales.mass, damping: 0.0, stiffness: 0.0 }
    }
}

impl Kinetics<'_> {
    /// Factorises `[M B^T; B 0]` at the present motions and solves for `(x, y)`:
    /// `M x + B^T y = -r`, `B x = -c`, with r, c the residual (r zero without `forces`). The
    /// solution is in `workspace.solution`, y in units of multipliers. `scale` is the factor that
    /// the matrix was assembled with.
    pub fn solve_saddle_point(self, workspace: &mut Workspace, scale: f64, forces: bool) -> Result<(), Failure> {
        workspace.factorize(0)?;
        if forces {
            return self.solve_factorized(workspace, scale);
        }
        self.close_gaps(workspace)?;
        workspace.solution[self.0.dofs()..].iter_mut().for_each(|y| *y /= scale);
        Ok(())
    }

    /// The same, with forces, and with the last factorised matrix.
    fn solve_factorized(self, workspace: &mut Workspace, scale: f64) -> Result<(), Failure> {
        workspace.take_residual(scale);
        workspace.solve();
        finite(&workspace.solution)?;
        workspace.solution[self.0.dofs()..].iter_mut().for_each(|y| *y /= scale);
        Ok(())
    }

    /// Consistent accelerations and multipliers at positions and velocities of a state:
    /// `[M B^T; B 0] (vdot, lambda) = (f - g, -gamma)`. Iterates where load callbacks depend on
    /// accelerations, with a matrix that is updated from their evaluations (`forces/secant.rs`), or
    /// friction on reactions.
    pub fn accelerations(
        self,
        environment: &Environment,
        state: &mut State,
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        let iterates = environment.callbacks.any() || self.0.machines().are_loaded();
        // Imposed accelerations are known terms of the equations.
        self.0.nodes().for_each_free(|range| state.vdot[range].fill(0.0));
        state.lambda.fill(0.0);
        if self.is_linked(environment) {
            self.0.move_to(state, workspace);
            if self.factorize_links(workspace) {
                self.0.callbacks().ask_fluid(environment, workspace)?;
                self.0.callbacks().keep_fluid(state, workspace);
                return self.add_accelerations(environment, state, workspace);
            }
        }
        let (mut previous, mut stalls) = (f64::INFINITY, Stalls::new(SHRUNK));
        for iterations in 1.. {
            self.0.move_to(state, workspace);
            if iterations == 1 {
                self.0.callbacks().ask_fluid(environment, workspace)?;
                self.0.callbacks().keep_fluid(state, workspace);
            }
            let asking = Asking::Iterating { first: iterations == 1 };
            let coefficients = self.0.acceleration_coefficients();
            self.0.assemble_as(asking, environment, Level::Acceleration, coefficients, &state.lambda, workspace)?;
            self.solve_saddle_point(workspace, 1.0 / self.0.scales.mass, true)?;
            let (x, y) = workspace.solution.split_at(self.0.dofs());
            state.vdot.iter_mut().zip(x).for_each(|(vdot, x)| *vdot += x);
            state.lambda.iter_mut().zip(y).for_each(|(lambda, y)| *lambda += y);
            // Else the equations are linear: the first solution is exact.
            if !iterates {
                return Ok(());
            }
            let (change, mut size) = (largest(x), 0.0);
            // Free nodes only: nodes that are carried by others still have the accelerations of an
            // earlier evaluation.
            self.0.nodes().for_each_free(|range| size = largest(&state.vdot[range]).max(size));
            let force = self.0.scales.mass * self.largest(x, 1.0);
            let acting = self.0.largest_acting(environment.loads, &state.lambda, workspace);
            // Relative to the accelerations, or to the acceleration that the acting forces would
            // give the model's mass.
            let is_noise = change <= NOISY * size || force <= NOISY * acting;
            let has_stalled = stalls.behind(change, is_noise, workspace.lessons());
            let is_rest = force <= AT_REST * acting && change >= 0.5 * previous;
            let has_converged = change <= 1e-13 * size || (change <= 1e-9 * size && change >= previous);
            if has_converged || is_rest || has_stalled {
                return Ok(());
            }
            if iterations >= MOST_ITERATIONS + workspace.lessons() {
                if is_noise {
                    return Ok(());
                }
                return Err(Failure::NoConvergence { iterations, error: change / size, unknown: 0, energies: None });
            }
            previous = change;
        }
        Ok(())
    }

    /// Accelerations between omega x v of each body, which keeps what turns as a whole in shape, or
    /// its own of what contacts alone act on, which rolls there in another shape and begins in
    /// balance, and those that [`Kinetics::accelerations`] has just found at a state: the third
    /// iterate of a simplified Newton's method for them, from the former, with the matrix M + D in
    /// the place of M, `D = c_g/c_m G + c_k/c_m K` of all forces. On one coordinate without turning
    /// that is `(1 - (D/(M + D))^3) vdot`: where D is small, vdot changes by the third power of it,
    /// and where D dominates, vdot vanishes. The last increments and the factors are left in the
    /// workspace.
    pub fn damped_accelerations(
        self,
        environment: &Environment,
        coefficients: Coefficients,
        state: &mut State,
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        let touched = self.0.touched_alone(environment);
        let is_touched = |node: usize| touched.get(node).is_some_and(|is_touched| *is_touched);
        for node in (0..self.0.free.len()).filter(|node| self.0.free[*node] && !is_touched(*node)) {
            let range = self.0.layout.velocities(node);
            let (v, vdot) = (&state.v[range.clone()], &mut state.vdot[range]);
            vdot.fill(0.0);
            if let [x, y, z, p, q, r] = *v {
                let turned = Vec3::new(p, q, r).cross(&Vec3::new(x, y, z));
                vdot[..3].copy_from_slice(turned.as_slice());
            }
        }
        state.lambda.fill(0.0);
        let (asking, level) = (Asking::Recalling, Level::Acceleration);
        self.0.callbacks().find_damping(environment, coefficients.damping / coefficients.mass, workspace)?;
        self.0.move_to(state, workspace);
        self.0.assemble_as(asking, environment, level, coefficients, &state.lambda, workspace)?;
        workspace.factorize(0)?;
        self.add_solution(coefficients, state, workspace)?;
        for _ in 1..DAMPED_ITERATES {
            self.0.move_to(state, workspace);
            self.0.assemble_residual_as(asking, environment, level, coefficients, &state.lambda, workspace)?;
            self.add_solution(coefficients, state, workspace)?;
        }
        Ok(())
    }

    /// Adds the solution with the last factors, for the residual that was evaluated, to
    /// accelerations and multipliers.
    fn add_solution(self, c: Coefficients, state: &mut State, workspace: &mut Workspace) -> Result<(), Failure> {
        self.solve_factorized(workspace, c.mass)?;
        let (x, y) = workspace.solution.split_at(self.0.dofs());
        state.vdot.iter_mut().zip(x).for_each(|(vdot, x)| *vdot += x);
        state.lambda.iter_mut().zip(y).for_each(|(lambda, y)| *lambda += y);
        Ok(())
    }

    /// Whether there are forces with stiffness or damping; loads that only turn do not count.
    pub fn have_tangents(self, environment: &Environment) -> bool {
        !self.0.connections.ties.is_empty()
            || !self.0.lines.is_empty()
            || environment.callbacks.any()
            || environment.hydrodynamics.iter().any(Hydrodynamics::act)
            || self.0.joints.iter().any(JointElement::has_springs)
            || !self.0.clutches.is_empty()
    }

    /// Whether articulated elimination applies: a forest without callbacks, added masses, elements
    /// with mass and friction that depends on reactions.
    fn is_linked(self, environment: &Environment) -> bool {
        self.0.links.is_some()
            && !environment.callbacks.any()
            && !self.0.machines().are_loaded()
            && !self.0.elements.have_mass()
            && environment.hydrodynamics.iter().all(|fluid| fluid.added_mass.is_none())
    }

    /// Factorises `[M B^T; B 0]` at the present motions link by link, with the scaling of the
    /// matrix of the workspace; false if there is no pivot.
    fn factorize_links(self, workspace: &mut Workspace) -> bool {
        let Workspace { articulated, motions, is_by_links, .. } = workspace;
        let c = self.0.acceleration_coefficients().mass;
        *is_by_links = articulated.as_mut().is_some_and(|links| links.factorize(&self.0.inertias, motions, c));
        *is_by_links
    }

    /// Adds the accelerations and multipliers that follow from the last factors, at the present
    /// motions.
    fn add_accelerations(self, e: &Environment, state: &mut State, workspace: &mut Workspace) -> Result<(), Failure> {
        let coefficients = self.0.acceleration_coefficients();
        match &self.0.links {
            Some(links) if workspace.is_by_links => self.0.assemble_links(links, e, coefficients, workspace)?,
            _ => self.0.assemble_residual(e, Level::Acceleration, coefficients, &state.lambda, workspace)?,
        }
        self.add_solution(coefficients, state, workspace)
    }

    /// The largest entry of a vector like velocities; translations divided by `unit`, rotations
    /// multiplied by the model's length.
    #[inline(always)]
    fn largest(self, x: &[f64], unit: f64) -> f64 {
        let (bodies, points) = self.0.layout.split(x);
        let length = self.0.scales.length;
        let of_body = |b: &[f64; 6]| largest(&b[..3]).max(length * largest(&b[3..]));
        bodies.iter().map(of_body).fold(largest(points.as_flattened()), f64::max) / unit
    }

    /// Largest displacement of nodes from the motions of the workspace to a state, measured alike.
    fn distance(self, state: &State, workspace: &Workspace) -> f64 {
        let ((places, points), motions) = (self.0.layout.split_places(&state.q), &workspace.motions);
        let (bodies, of_points) = motions.split_at(places.len());
        let moved = |motion: &Motion, x: &[f64]| largest(&std::array::from_fn::<_, 3, _>(|k| x[k] - motion.x[k]));
        let mut distance = 0.0f64;
        for (motion, place) in bodies.iter().zip(places) {
            // Half of a small rotation. Where the sign of a quaternion has changed, the result is
            // far too large, which only costs a factorisation.
            let turn: [f64; 4] = std::array::from_fn(|k| place[3 + k] - motion.q.coords[k]);
            distance = distance.max(moved(motion, place) / self.0.scales.length).max(2.0 * largest(&turn));
        }
        let points = of_points.iter().zip(points).map(|(motion, place)| moved(motion, place) / self.0.scales.length);
        points.fold(distance, f64::max)
    }

    /// The correction x of least mass norm with `B x = -c`, c the constraints (`Level::Position`)
    /// or their rates (`Level::Velocity`) at a state; written to `workspace.solution`. `leads`: see
    /// [`Kinetics::lead_axes`].
    fn correction(
        self,
        (level, leads): (Level, bool),
        state: &State,
        e: &Environment,
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        self.0.move_to(state, workspace);
        if self.is_linked(e) && self.factorize_links(workspace) {
            self.gaps(level, e.loads, workspace);
            if leads {
                self.lead_axes(workspace);
            }
            return self.close_gaps(workspace);
        }
        let lambda = std::mem::take(&mut workspace.multipliers);
        // Forces do not matter here, and callbacks must see trial motions only.
        let environment = Environment { callbacks: Callbacks::nobody(), ..*e };
        let assembled = self.0.assemble(&environment, level, self.0.acceleration_coefficients(), &lambda, workspace);
        workspace.multipliers = lambda;
        assembled?;
        if leads {
            self.lead_axes(workspace);
        }
        self.solve_saddle_point(workspace, 1.0 / self.0.scales.mass, false)
    }

    /// Where axes that a joint aligns are far from that, lets the residuals of their equations lead
    /// to it: the equations alone would lead to opposite directions.
    fn lead_axes(self, workspace: &mut Workspace) {
        let Workspace { layout, motions, residual, .. } = workspace;
        for joint in &self.0.joints {
            let ends = joint.ends().map(|end| &motions[end]);
            Misfit { joint, ends }.lead(|index, phi| residual[layout.multiplier(index)] = phi);
        }
    }

    /// Projects velocities onto `B v = -nu` with the smallest change in the mass metric.
    pub fn project_velocities(
        self,
        e: &Environment,
        state: &mut State,
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        if self.0.owners.is_empty() {
            return Ok(());
        }
        self.correction((Level::Velocity, false), state, e, workspace)?;
        state.v.iter_mut().zip(&workspace.solution).for_each(|(v, x)| *v += x);
        Ok(())
    }

    /// Projects positions onto the constraints by Gauss-Newton steps of least mass norm; returns
    /// the number of steps. `from_afar`: bodies may be far from assembled, and axes that a joint
    /// aligns are led there. Errors: no convergence.
    pub fn project_positions(
        self,
        e: &Environment,
        from_afar: bool,
        state: &mut State,
        workspace: &mut Workspace,
    ) -> Result<u32, Failure> {
        if self.0.owners.is_empty() {
            return Ok(0);
        }
        // An angle may be half a turn away from its present value.
        self.0.coordinates().count_from_drives(e.loads, &mut state.coordinates);
        let mut previous = f64::INFINITY;
        for iterations in 1..=MOST_ITERATIONS {
            self.correction((Level::Position, from_afar), state, e, workspace)?;
            self.0.layout.displace(&mut state.q, &workspace.solution);
            let change = self.largest(&workspace.solution, self.0.scales.length);
            if change <= 1e-14 || (change <= 1e-9 && change >= 0.5 * previous) {
                return Ok(iterations);
            }
            if iterations == MOST_ITERATIONS || !change.is_finite() {
                let unknown = self.0.widest_gap(workspace);
                return Err(Failure::NoConvergence { iterations, error: change, unknown, energies: None });
            }
            previous = change;
        }
        Ok(MOST_ITERATIONS)
    }

    /// The same after an evaluation of accelerations nearby, whose factors are kept as long as they
    /// contract well: then an iteration evaluates the constraints only. `is_near`: there was such
    /// an evaluation since positions moved far.
    pub fn project_positions_nearby(
        self,
        e: &Environment,
        state: &mut State,
        workspace: &mut Workspace,
        mut is_near: bool,
    ) -> Result<u32, Failure> {
        let (mut previous, mut factorizations) = (f64::INFINITY, 0);
        let distance = if is_near { self.distance(state, workspace) } else { 0.0 };
        for iterations in 1..=MOST_ITERATIONS {
            if is_near {
                self.0.move_to(state, workspace);
                self.gaps(Level::Position, e.loads, workspace);
                self.close_gaps(workspace)?;
            } else {
                self.correction((Level::Position, false), state, e, workspace)?;
                (is_near, factorizations) = (true, factorizations + 1);
            }
            self.0.layout.displace(&mut state.q, &workspace.solution);
            let change = self.largest(&workspace.solution, self.0.scales.length);
            // The change that the next iteration would make: estimated from the ratio of
            // contraction after the first one.
            let left = if iterations > 1 { change / previous } else { BENDS * (distance + change) };
            if change <= 1e-14 || change * left <= 1e-15 || (change <= 1e-9 && change >= 0.5 * previous) {
                return Ok(factorizations);
            }
            if iterations == MOST_ITERATIONS || !change.is_finite() {
                let unknown = self.0.widest_gap(workspace);
                return Err(Failure::NoConvergence { iterations, error: change, unknown, energies: None });
            }
            is_near = is_near && change <= SLOW * previous;
            previous = change;
        }
        Ok(factorizations)
    }

    /// Projects velocities onto `B v = -nu` and computes accelerations and multipliers there with
    /// one factorisation; both have the same matrix if there are no load callbacks.
    pub fn project_and_accelerate(
        self,
        e: &Environment,
        state: &mut State,
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        self.0.nodes().for_each_free(|range| state.vdot[range].fill(0.0));
        state.lambda.fill(0.0);
        self.0.move_to(state, workspace);
        // Before the matrix, because added masses of points and lines depend on their depth.
        self.0.callbacks().ask_fluid(e, workspace)?;
        self.0.callbacks().keep_fluid(state, workspace);
        if self.is_linked(e) && self.factorize_links(workspace) {
            self.gaps(Level::Velocity, e.loads, workspace);
        } else {
            let coefficients = self.0.acceleration_coefficients();
            self.0.assemble(e, Level::Velocity, coefficients, &state.lambda, workspace)?;
            workspace.factorize(0)?;
        }
        self.close_gaps(workspace)?;
        state.v.iter_mut().zip(&workspace.solution).for_each(|(v, x)| *v += x);

        self.0.take_velocities(state, workspace);
        self.add_accelerations(e, state, workspace)
    }

    /// Residuals of the constraints alone, at the motions of the workspace.
    fn gaps(self, level: Level, loads: &Loads, workspace: &mut Workspace) {
        if let Some(links) = &self.0.links {
            return self.0.assemble_hinges(links, level, workspace);
        }
        let Workspace { layout, motions, coordinates, residual, tangents, multipliers, .. } = workspace;
        residual.fill(0.0);
        let coefficients = Coefficients { mass: 0.0, damping: 0.0, stiffness: 0.0 };
        let (layout, matrix, free) = (*layout, &mut NoMatrix, &self.0.free[..]);
        let turnings = &[];
        let mut assembly =
            Assembly { layout, motions, residual, tangents, turnings, matrix, free, coefficients, level };
        self.0.assemble_constraints(multipliers, coordinates, loads, &mut assembly);
    }

    /// Solves with the last factors for the correction that closes the gaps of the last evaluation.
    fn close_gaps(self, workspace: &mut Workspace) -> Result<(), Failure> {
        let dofs = self.0.dofs();
        let Workspace { solution, residual, .. } = workspace;
        solution[dofs..].iter_mut().zip(&residual[dofs..]).for_each(|(x, r)| *x = -r);
        workspace.solve_constraints();
        finite(&workspace.solution)
    }
}

/// Fails if a solution has a number that is not finite.
fn finite(solution: &[f64]) -> Result<(), Failure> {
    match are_finite(solution) {
        true => Ok(()),
        false => {
            let unknown = solution.iter().position(|x| !x.is_finite()).unwrap_or(0);
            Err(Failure::NotFinite { unknown, iterations: 0 })
        }
    }
}

/// The largest size of a number.
fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |largest: f64, x| largest.max(x.abs()))
}
