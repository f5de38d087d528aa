//! The second look at a step of a model with lines or ropes: whether the forces at its end are in balance.
//!
//! A segment or a rope is taut or slack, on the bed or above it, and each of these branches has a tangent of its own. Increments are
//! computed with the tangents of the branches that the iterate is on, and the last ones may lead to others. The convergence test
//! does not see that, as it judges increments; the forces at the end of the step show it.

use super::Memory;
use super::newton::{self, Measure};
use crate::system::{Environment, Failure, State, System};

/// Whether a model has what can change its branch.
#[inline(always)]
pub fn is_needed(system: &System) -> bool {
    system.lines().count() > 0 || system.elements().have_ropes()
}

/// True if the forces at the end of a step confirm that its iteration was done. Reactions were found there; `is_fresh`: the last
/// matrix was that of the last iterate; `still`: the last increments of bodies and points were nothing or rounding.
pub fn bears_out(
    environment: &Environment,
    system: &System,
    (measure, is_fresh, still): (&Measure, bool, bool),
    state: &State,
    memory: &mut Memory,
) -> Result<bool, Failure> {
    let Memory { workspace, search, .. } = memory;
    // Reactions need the same forces, where there are any.
    if !system.balance().has_reactions() {
        system.balance().forces_at(environment, state, workspace)?;
    }
    if !(measure.lines_stand() || system.lines().nodes_balance(environment, workspace)) {
        return Ok(false);
    }
    if !measure.others_stand(search.left(newton::residual_norm(system, workspace))) {
        return Ok(false);
    }
    // Where a rope is slack now, a matrix from when it was taut gives increments that are next to nothing whatever pulls there. So
    // small increments say something only of the matrix of the last iterate.
    let [carriers_stand, ropes_stand] = [still, measure.is_rounding() || (is_fresh && still)];
    if carriers_stand && ropes_stand {
        return Ok(true);
    }
    system.measure_reactions(&state.lambda, workspace);
    Ok((carriers_stand || system.lines().carriers_balance(environment, workspace))
        && (ropes_stand || system.elements().ropes_balance(workspace)))
}
