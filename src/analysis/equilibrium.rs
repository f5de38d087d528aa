//! Static equilibrium: `f(q) - B^T lambda = 0`, `Phi(q) = 0`, all bodies at rest.
//!
//! Newton's method on the constraint manifold, with line search, and with continuation in an
//! artificial inertia mu M,
//!
//! ```text
//! [mu M + K + K_Phi, B^T; B, 0] (x, dlambda) = -(r, 0),     q <- exp(alpha x) q, brought back to Phi = 0,
//! ```
//!
//! where mu falls with the forces out of balance (pseudo-transient continuation: Kelley, Keyes
//! 1998, SIAM J. Numer. Anal. 35, 508). At large mu a step goes where the bodies would start to
//! move, at mu = 0 it is Newton's. Loads need not be cut: a step that turns a body far, or against
//! the forces on it, is repeated with more inertia. So mechanisms pass the limit points that stop a
//! continuation in the load (a pendulum held horizontally: K + K_Phi is singular there), matrices
//! stay regular where bodies move without stiffness, and bodies on which no force acts stay (the
//! solution of least mass norm).
//!
//! Lines have an equilibrium shape for every pose of the bodies at their ends
//! (`system::lines::shapes`), which is computed at every pose that is tried. The unknowns are
//! therefore those of bodies and points only, and the forces of lines are smooth functions of them;
//! the stiffness of lines is in the matrix, which includes their nodes. Where lines have bending
//! stiffness, their nodes are unknowns like the others (`bending`). Friction is switched off,
//! because with it the shape depends on the history; nodes stick where the line comes to rest. The
//! current acts, that of a grid as a steady one; the fluid callback is not called.

use super::bending;
use super::pose::{LEAST_INERTIA, MOST_TURN, Memory, Pose, distance, largest_move, largest_turn, norm};
pub use super::pose::{Statics, Unbalanced};
use crate::model::{Callbacks, Water};
use crate::system::{Failure, State, Workspace, relax_lines};

/// The turn (or travel, in lengths of the model) that the first step aims at.
const FIRST_TURN: f64 = 0.3;

/// Most steps of one line search.
const MOST_CUTS: u32 = 12;

/// Trial poses between which a line has no shape at rest, after which a search ends: it takes
/// thousands of evaluations to learn that there is none. Searches that succeed meet four at most.
const MOST_RESTLESS: u32 = 20;

/// A body that has gone so many lengths of the model will not come to rest.
const FARTHEST: f64 = 1e6;

/// Steps (rad, lengths of the model) at rounding level.
const ROUNDING: f64 = 1e-12;

/// Moves `state` to an equilibrium: poses, velocities zero, multipliers, coordinates, and
/// accelerations, which are what `tolerance` leaves of them. Forces count as balanced below
/// `tolerance` times the largest weight, initial reaction or first force out of balance. Returns
/// the number of steps.
pub fn solve(
    statics: &Statics,
    state: &mut State,
    workspace: &mut Workspace,
    max_iterations: u32,
    tolerance: f64,
) -> Result<u32, Unbalanced> {
    let system = statics.system;
    let water = Water { friction: 0.0, ..statics.water.steady(statics.time) };
    let callbacks = Callbacks { fluid: None, ..statics.callbacks.clone() };
    let fluid: Vec<_> = state.fluid().collect();
    state.set_fluid(&[]);
    state.impose(statics.loads);
    state.v.fill(0.0);
    state.vdot.fill(0.0);
    relax_lines(system, state);
    let still = Statics { water: &water, callbacks: &callbacks, ..*statics };
    workspace.lines.all_terms = true;
    let found = if system.lines().bend() {
        search_bending(&still, state, workspace, max_iterations, tolerance)
    } else {
        search(&still, state, workspace, max_iterations, tolerance)
    };
    workspace.lines.all_terms = false;
    state.set_fluid(&fluid);
    system.lines().let_stick(0..system.lines().count(), state, statics.water);
    system.elements().begin(state, statics.water, &statics.loads.lines);
    found
}

/// The same without friction and callbacks of the water, for lines that bend: with their nodes as
/// unknowns from `state`, else from an equilibrium without bending stiffness. Slack lines on the
/// bed may need their shapes at each trial pose all the same, for their nodes hardly resist.
fn search_bending(
    statics: &Statics,
    state: &mut State,
    workspace: &mut Workspace,
    max_iterations: u32,
    tolerance: f64,
) -> Result<u32, Unbalanced> {
    let direct = bending::search(statics, state, workspace, max_iterations, tolerance)?;
    if direct.is_balanced {
        return Ok(direct.steps);
    }
    let mut soft = statics.system.clone();
    soft.adjust().soften(statics.system, 0.0);
    // Without bending stiffness the matrix has another graph: it needs a workspace of its own.
    let mut limp = Workspace::new(&soft);
    limp.lines.all_terms = true;
    let chains = Statics { system: &soft, ..*statics };
    let start = state.clone();
    let found = search(&chains, state, &mut limp, max_iterations, tolerance)
        .and_then(|steps| bending::stiffen(statics, state, workspace, direct.enough, direct.steps + steps));
    found.or_else(|why| {
        if why.is_of_host() {
            return Err(why);
        }
        *state = start;
        let shaped = search(statics, state, workspace, max_iterations, tolerance);
        shaped.map_err(|last| if last.is_of_host() { last } else { why })
    })
}

/// The same with lines in their shapes at rest at each trial pose.
fn search(
    statics: &Statics,
    state: &mut State,
    workspace: &mut Workspace,
    max_iterations: u32,
    tolerance: f64,
) -> Result<u32, Unbalanced> {
    let system = statics.system;
    let memory = &mut Memory { workspace, shapes: Some(system.lines().shapes()) };
    let scales = system.scales();
    let start = state.q.clone();
    let layout = state.layout;
    // Unknowns of bodies and points; those of lines follow them.
    let carried = ..layout.unknown(layout.carriers());
    let mut pose = statics.evaluate(state.clone(), None, memory)?;
    let reference = scales.force.max(pose.size);
    let fastest = largest_move(layout, &pose.state.vdot, scales.length);
    let mut mu = fastest / FIRST_TURN;
    let (mut iterations, mut restless, mut turned) = (0, 0, None);
    while pose.size > (tolerance * reference).max(pose.lines.noise) {
        let moving = |pose: &Pose, steps: &[f64], iterations, turned| {
            let reach = |node: &usize| {
                let x = &steps[layout.velocities(*node)];
                (norm(&x[..3]) / scales.length).max(norm(&x[3..]))
            };
            let node = (0..layout.carriers()).max_by(|a, b| reach(a).total_cmp(&reach(b))).unwrap_or(0);
            let distance = distance(layout, node, &pose.state.q, &start);
            Unbalanced::Moving { node, iterations, force: pose.size, distance, part: None, turned }
        };
        if iterations == max_iterations {
            return Err(moving(&pose, &pose.state.vdot, iterations, turned));
        }
        iterations += 1;

        let (steps, stiffness) = match statics.step(&pose, mu, memory.workspace) {
            Ok(found) => found,
            Err(Failure::Singular { .. }) if mu < f64::MAX.sqrt() => {
                mu = 8.0 * mu.max(f64::MIN_POSITIVE.sqrt());
                continue;
            }
            Err(failure) => return Err(failure.into()),
        };
        // Work of the forces along the step: positive where the step follows them.
        let work = |pose: &Pose| pose.forces[carried].iter().zip(&steps).map(|(f, x)| f * x).sum::<f64>();
        let (slope, reach) = (work(&pose), largest_move(layout, &steps, scales.length));
        let settled = reach <= ROUNDING && mu <= 1e-3 * stiffness;
        if !settled && (largest_turn(layout, &steps) > MOST_TURN || slope <= 0.0) {
            mu = (4.0 * mu).max(LEAST_INERTIA * stiffness);
            continue;
        }

        // Line search: back where the forces have turned against the step and grown.
        let mut alpha = 1.0f64;
        let mut next = None;
        for _ in 0..MOST_CUTS {
            let mut moved = pose.state.clone();
            let part: Vec<f64> = steps.iter().map(|x| x * alpha).collect();
            system.layout().displace(&mut moved.q, &part);
            let tried = statics.evaluate(moved, Some(&pose.state.q), memory);
            let (overshoot, finite) = match &tried {
                Ok(tried) => {
                    let end = work(tried);
                    let grown = tried.size > pose.size && end < -0.5 * slope;
                    (if grown { slope / (slope - end) } else { 1.0 }, tried.size.is_finite())
                }
                Err(why) if why.is_of_host() => return tried.map(|_| iterations),
                Err(_) => {
                    restless += u32::from(matches!(&tried, Err(Unbalanced::Restless(_))));
                    if restless > MOST_RESTLESS {
                        return tried.map(|_| iterations);
                    }
                    turned = system.elements().overturned(&memory.workspace.motions).or(turned);
                    (0.1, false)
                }
            };
            if finite && overshoot == 1.0 {
                next = tried.ok();
                break;
            }
            alpha *= if finite { overshoot.max(0.1) } else { 0.1 };
        }
        let Some(next) = next else {
            if settled {
                break;
            }
            mu = 8.0 * mu.max(LEAST_INERTIA * stiffness);
            continue;
        };
        let far = |node| distance(layout, node, &next.state.q, &start);
        let farthest = (0..layout.carriers()).map(far).fold(0.0f64, f64::max);
        if farthest > FARTHEST * scales.length {
            return Err(moving(&next, &steps, iterations, turned));
        }
        // If forces decrease, mu decreases, down to Newton's step; after a cut step it increases.
        let fall = (next.size / pose.size).clamp(1e-3, 1.5);
        mu = (mu * 0.5 * fall / alpha.max(1e-2)).max(LEAST_INERTIA * stiffness);
        pose = next;
        if settled {
            break;
        }
    }
    statics.take(pose.state, state);
    Ok(iterations)
}
