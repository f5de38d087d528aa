//! Histories of elements in energy form (`elements::energy_form`): the forces that a step takes
//! over from the last one, and those that it stores.
//!
//! Per unknown that such elements act on, the scheme carries their force f and its filter A, as it
//! carries vdot and a. With F the effective force of a step, the sum of what the elements say:
//!
//! ```text
//! F = (1/2 - delta) A(n) + (1/2 + delta) A(n+1),   (1 - alpha_m) A(n+1) + alpha_m A(n) = (1 - alpha_f) f(n+1) + alpha_f f(n):
//! f(n+1) = c_1 F + c_A A(n) - c_f f(n),   c_1 = (1 - alpha_m)/((1/2 + delta) (1 - alpha_f)).
//! ```
//!
//! f(n+1) stands in the equations of motion at n+1. After a step that crossed a kink it rings about
//! the force of the law, and vdot with it: the host is told accelerations, multipliers and
//! reactions of the laws, and the scheme keeps its own.

use super::parameters::Parameters;
use super::start::{Started, growth};
use crate::linear::update;
use crate::scheme::point::SETTLED;
use crate::scheme::{Memory, Point, Problem};
use crate::system::{EnergyForm, EnergyWork, Environment, Failure, keep_means};

/// Reported forces are those of the scheme if they differ from those of the laws by less than this
/// fraction of the largest.
const SAME: f64 = 1e-6;

impl Parameters {
    /// Coefficients of a step of length h for elements in energy form.
    pub fn energy_form(&self, h: f64) -> EnergyForm {
        let Parameters { alpha_m, alpha_f, gamma, lag, .. } = *self;
        let has_memory = alpha_m != 0.0 || alpha_f != 0.0;
        EnergyForm {
            h,
            share: (1.0 - alpha_m) / (gamma * (1.0 - alpha_f)),
            // The first step after a start only fills the memory.
            dissipation: if lag > 0.0 { 0.0 } else { 0.5 - alpha_f },
            drive: (alpha_f - alpha_m) / (1.0 - alpha_m) + lag,
            decay: alpha_m / (1.0 - alpha_m),
            backward: if has_memory { 0.0 } else { 2.0 * gamma - 1.0 },
        }
    }
}

/// Prepares the elements of the model for a step in energy form; None if the model has no such
/// elements or the option is off.
pub fn begin(
    p: &Parameters,
    problem: &Problem,
    started: Started,
    from: &Point,
    memory: &mut Memory,
) -> Option<EnergyForm> {
    let forms = problem.system.elements().forms();
    if !forms.are_any() || !problem.settings.energy_form() {
        return None;
    }
    let (form, Memory { workspace, state: start, dq, .. }) = (p.energy_form(problem.step), memory);
    match (started, from.history.alpha()) {
        (Started::On(stretch), Some(last)) => {
            forms.begin(&from.state, &problem.loads_start.lines, workspace);
            let (EnergyWork { algorithmic, force, memories, .. }, growth) =
                (&mut workspace.energy, growth(from, stretch));
            force.copy_from_slice(&last.kinks.force);
            update([algorithmic], [&last.kinks.algorithmic, force], |_, [a, f]| [f + growth * (a - f)]);
            memories.copy_from_slice(&last.kinks.memories);
            memories.iter_mut().for_each(|memory| memory.y *= growth);
        }
        _ => {
            // The forces for which the accelerations at the start were computed; `dq` has the last
            // increments of the damped accelerations.
            forms.begin(if started.is_first() { start } else { &from.state }, &problem.loads_start.lines, workspace);
            let at_start = problem.environment(from.state.time, problem.loads_start);
            let damped = started.is_first().then(|| (p.damping_at_start(problem), &dq[..]));
            forms.find_at_start(&at_start, damped, workspace);
            let EnergyWork { algorithmic, force, memories, actual, .. } = &mut workspace.energy;
            force.copy_from_slice(actual);
            algorithmic.copy_from_slice(actual);
            memories.fill(Default::default());
        }
    }
    forms.scale_memories(workspace);
    let EnergyWork { algorithmic, force, carried, .. } = &mut workspace.energy;
    // c_0 (1/2 - delta), c_0 = c_1 (1 - alpha_f).
    let of_a = (p.alpha_m - form.share * (1.0 - p.alpha_f) * (1.0 - p.gamma)) / (1.0 - p.alpha_f);
    let of_f = p.alpha_f / (1.0 - p.alpha_f);
    update([carried], [algorithmic, force], |_, [a, f]| [of_a * a - of_f * f]);
    Some(form)
}

/// Stores the histories of the elements in energy form, whose forces at the end were evaluated
/// last. Where the forces of the scheme differ from those of the laws, replaces accelerations and
/// multipliers by those of the laws. Computes the reactions. Returns true if a matrix was
/// factorised for this.
pub fn keep(
    p: &Parameters,
    (problem, started): (&Problem, Started),
    environment: &Environment,
    (from, to): (&Point, &mut Point),
    memory: &mut Memory,
) -> Result<bool, Failure> {
    let Some(form) = environment.form else { return Ok(false) };
    let (forms, Memory { workspace, state: scratch, .. }) = (problem.system.elements().forms(), memory);
    let Point { state, history, .. } = to;
    let Some(own) = history.alpha_mut() else { return Ok(false) };
    forms.collect(&form, environment.water, workspace);
    keep_means(problem.system, &form, workspace, state);
    forms.balanced(&form, workspace, &mut own.kinks.force);
    let EnergyWork { algorithmic, force, reached, crossings, .. } = &workspace.energy;
    p.algorithmic(&own.kinks.force, force, algorithmic, &mut own.kinks.algorithmic);
    own.kinks.memories.copy_from_slice(reached);
    let since = match from.history.alpha() {
        Some(last) if !started.is_anew() => last.kinks.since,
        _ => SETTLED,
    };
    own.kinks.since = if crossings.jumps > 0 { 0 } else { (since + 1).min(SETTLED) };
    let laws = Environment { form: None, ..*environment };
    let (system, balance) = (problem.system, problem.system.balance());
    let has_lines = system.lines().count() > 0;
    if has_lines {
        workspace.lines.wants_masses = true;
        let evaluated = balance.forces_at(&laws, state, workspace);
        workspace.lines.wants_masses = false;
        evaluated?;
    }
    forms.find_actual(&laws, workspace);
    let mut solved = forms.differ(&own.kinks.force, SAME, workspace);
    if solved {
        scratch.copy_motion_from(state);
        workspace.lines.knows_water = true;
        let found = system.kinetics().accelerations(&laws, scratch, workspace);
        workspace.lines.knows_water = false;
        solved = match found {
            Ok(()) => true,
            // The laws alone may have no solution, as in a singular position: the accelerations of
            // the scheme remain.
            Err(Failure::Singular { .. } | Failure::NotFinite { .. } | Failure::NoConvergence { .. }) => false,
            Err(failure) => return Err(failure),
        };
    } else if has_lines {
        // Only nodes of lines differ, each of which has a mass of its own.
        system.lines().balance_nodes(state, workspace);
        balance.keep_reactions(&laws, state, workspace);
        return Ok(false);
    }
    if solved {
        state.vdot.copy_from_slice(&scratch.vdot);
        state.lambda.copy_from_slice(&scratch.lambda);
    }
    balance.reactions(&laws, state, workspace)?;
    Ok(solved)
}
