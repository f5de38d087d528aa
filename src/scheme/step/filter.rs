//! Damping of the parasitic modes of index-3 integration.
//!
//! The position constraints fix positions. The components of v, a and vdot normal to them follow a
//! recursion with the roots -rho_inf (a double one for v and a), so that a disturbance persists
//! with alternating sign. On curved constraints it grows where 1 - rho_inf is less than about 0.7
//! of the angle per step: without this file the heavy top of the tests fails after some seconds at
//! rho_inf = 1, and a pendulum with steps of 0.05 s at rho_inf = 0.9.
//!
//! No motion that the step resolves alternates. So after each step a quarter of the second
//! difference of the violations of `B v = 0` and `B a + gamma = 0` is subtracted, normal to the
//! constraints, from the start of the next step. An alternating violation is removed entirely, a
//! smooth one changes by O(h^4), or O(h^3) in a, beyond the order of the scheme. A disturbance is
//! then halved in each step at any rho_inf: the roots of `r^2 + (3 rho_inf - 2)/4 r + 1/4 = 0` have
//! modulus 1/2.
//!
//! The state that the host reads keeps its velocities, accelerations and multipliers, which solve
//! the equations of motion at the end of the step to the tolerance. Normal means in the metric of
//! the iteration matrix, stiffness and damping included. In the metric of the mass, accelerations
//! and reactions would not balance the forces of springs and dampers.

use super::parameters::Parameters;
use crate::linear::Rhs4;
use crate::model::Settings;
use crate::scheme::point::Violations;
use crate::scheme::{Alpha, Memory, Point, Problem};
use nalgebra::Complex;

/// Fraction of the second difference of violations that is subtracted.
const DAMPED: f64 = 0.25;

/// Number of steps after a start from which three violations are known.
pub const KNOWN: u32 = 3;

/// Fraction of a change of violations that the filter subtracts at the end of a step; `steps`:
/// number of steps since the last start. 0 where the filter does not act.
pub fn damped(steps: u32, settings: &Settings) -> f64 {
    if steps >= KNOWN && settings.constraint_damping() { DAMPED } else { 0.0 }
}

/// True if disturbances normal to constraints decay. Without the filter (v, h a) follows a
/// recursion with trace `2 - (gamma + 1/2)/beta` and determinant `1 + (1/2 - gamma)/beta`; with it
/// each root mu of that gives the roots of `r^2 - (3 mu/4 + 1/2) r + 1/4 = 0`. All are inside the
/// unit circle for generalized-alpha and hht; newmark with 2 beta < gamma, or with gamma = 1/2 and
/// beta far above 1/4, is not usable on constraints.
pub fn dies_out(p: &Parameters) -> bool {
    let (trace, determinant) = (2.0 - (p.gamma + 0.5) / p.beta, 1.0 + (0.5 - p.gamma) / p.beta);
    let both = |half: Complex<f64>, product: Complex<f64>| {
        let root = (half * half - product).sqrt();
        [half + root, half - root]
    };
    let normal = both(Complex::new(0.5 * trace, 0.0), Complex::new(determinant, 0.0));
    let damped = normal.into_iter().flat_map(|mu| both(mu * 0.375 + 0.25, Complex::new(0.25, 0.0)));
    damped.into_iter().all(|r| r.norm() < 1.0)
}

/// The fraction of the second difference of one constraint's violations to subtract, negated, and
/// the violations to keep. `now`: the violations after a step `stretch` times as long as the last.
#[inline(always)]
pub fn alternating(part: f64, stretch: f64, now: [f64; 3], past: &Violations) -> (Rhs4, Violations) {
    let (mut taken, mut kept) = ([0.0; 4], Violations::default());
    for (j, growth) in [stretch * stretch, stretch, stretch].into_iter().enumerate() {
        let [last, before] = past[j].map(|violation| violation * growth);
        let alternates = part * (now[j] - 2.0 * last + before);
        kept[j] = [now[j] - alternates, last];
        taken[j] = -alternates;
    }
    (Rhs4(taken), kept)
}

/// Subtracts the alternating parts of v, a and vdot at the end of a step from the start of the next
/// one. The matrix factorised last serves as metric, and its solutions are transformed by T^T of
/// the increments that it was assembled for. A step `stretch` times as long as the last scales
/// violations of v by the square of that, those of a and vdot by that; only the difference from
/// these counts as alternating. Without option `constraint_damping` nothing is subtracted. The
/// motions of the workspace are those at the end of the step.
pub fn apply(problem: &Problem, from: &Point, stretch: f64, to: &mut Point, memory: &mut Memory) {
    let Memory { workspace, changes, .. } = memory;
    let (system, state) = (problem.system, &to.state);
    let part = damped(to.history.age, problem.settings);
    let (Some(own), last) = (to.history.alpha_mut(), from.history.alpha()) else { return };
    // The rows of nodes are zero between calls.
    let normal = &mut changes[system.dofs()..];
    let Alpha { a, filtered, violations, .. } = own;
    // Violations of the rates of the constraints by v, a and vdot.
    system.constraints().violations(&workspace.motions, problem.loads_end, [&state.v, a, &state.vdot], |first, now| {
        let own = first..first + now.len();
        let past = last.map(|last| &last.violations[own.clone()]);
        let made = normal[own.clone()].iter_mut().zip(&mut violations[own]);
        for (k, ((normal, violations), now)) in made.zip(now).enumerate() {
            let past = past.map_or(&[[0.0; 2]; 3], |past| &past[k]);
            (*normal, *violations) = alternating(part, stretch, *now, past);
        }
    });
    if part == 0.0 {
        filtered.take(state);
        return;
    }
    workspace.matrix.solve_four(changes, &mut workspace.solution);
    let starts = [&mut filtered.v[..], a, &mut filtered.vdot];
    workspace.take_turned([&state.v, &state.vdot], starts, &mut changes[..system.dofs()]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scheme::Scheme;

    #[test]
    fn every_scheme_with_its_own_parameters_holds_constraints() {
        let with = |scheme: Scheme, key: &str, value: f64| {
            let mut settings = Settings::default();
            settings.set(key, value).unwrap();
            dies_out(&Parameters::of(scheme, &settings))
        };
        assert!((0..=100).all(|k| with(Scheme::GeneralizedAlpha, "rho_inf", f64::from(k) / 100.0)));
        assert!((0..=100).all(|k| with(Scheme::Hht, "hht_alpha", -f64::from(k) / 300.0)));
        assert!(with(Scheme::Newmark, "newmark_gamma", 0.5));
    }

    /// Measured on the heavy top at 1e-3 and 5e-4 s over 5 s: the first group grew within 400
    /// steps, the second did not.
    #[test]
    fn parameters_of_newmark_that_grow_are_told_from_those_that_do_not() {
        let holds = |gamma, beta| {
            dies_out(&Parameters { alpha_m: 0.0, alpha_f: 0.0, gamma, beta, lag: 0.0, on_momentum: false })
        };
        for (gamma, beta) in [(0.5, 0.5), (0.5, 1.0 / 6.0), (0.5, 0.2)] {
            assert!(!holds(gamma, beta), "{gamma} {beta}");
        }
        for (gamma, beta) in [(0.5, 0.25), (0.5, 0.3), (0.6, 0.3), (0.6, 0.5), (0.7, 0.36), (1.0, 0.5625), (1.0, 1.0)] {
            assert!(holds(gamma, beta), "{gamma} {beta}");
        }
    }
}
