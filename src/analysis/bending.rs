//! Equilibria of models whose lines have bending stiffness: Newton's method on bodies, points and
//! nodes of lines at once.
//!
//! `equilibrium` computes the shape of every line at rest at each trial pose. A line that bends may
//! have none there, because its segments carry no compression, and to find one that exists may take
//! thousands of steps. Here the nodes of lines are unknowns like the others,
//!
//! ```text
//! [mu M + K + K_Phi, B^T; B, 0] (x, dlambda) = -(r, 0),     q <- exp(alpha x) q, brought back to Phi = 0,
//! ```
//!
//! in the matrix of an implicit step, which eliminates them block by block. A step changes no chord
//! by more than half a segment and turns no body by more than half a radian. mu falls with every
//! step that lowers the forces, and rises where a step raises them a hundredfold, which is undone.
//! Smaller rises are accepted: where nodes move across a stiff segment, it stretches to second
//! order, which the next step takes back.
//!
//! Where this does not converge from the start, EI is continued: from the equilibrium without
//! bending stiffness, which `equilibrium` finds, to the full stiffness in as few parts as converge.
//! The first step of each part, `K dx = -dEI dr/dEI`, is the tangent predictor of the path.

use super::pose::{MOST_TURN, Memory, Pose, Statics, Unbalanced, distance, largest_turn, norm};
use crate::system::{State, Workspace};

/// mu relative to the largest stiffness over mass of a line: at first, and at least.
const FIRST: f64 = 1e-3;
const LEAST: f64 = 1e-12;

/// Factors of mu after a step that is accepted, and after one that is undone.
const FALL: f64 = 0.25;
const RISE: f64 = 8.0;

/// A step that raises the largest force by more than this factor is undone.
const WORST: f64 = 100.0;

/// Largest change of a chord in one step, in unstretched lengths of its segment.
const MOST_CHANGE: f64 = 0.5;

/// The largest factor from one part of EI to the next, the least one, and the least part.
const MORE: f64 = 10.0;
const LEAST_MORE: f64 = 1.05;
const LEAST_PART: f64 = 1e-6;

/// Most steps to the equilibrium with the next part of EI, and to all of them.
const STEPS_OF_PART: u32 = 150;
const STEPS_OF_PARTS: u32 = 850;

/// Where a search ended.
pub struct Search {
    pub steps: u32,
    /// Whether all forces are balanced there.
    pub is_balanced: bool,
    /// Largest force on a body or a point that counts as none.
    pub enough: f64,
}

/// At most `max_iterations` steps from `state`, which is moved if they reach an equilibrium.
pub fn search(
    statics: &Statics,
    state: &mut State,
    workspace: &mut Workspace,
    max_iterations: u32,
    tolerance: f64,
) -> Result<Search, Unbalanced> {
    let memory = &mut Memory { workspace, shapes: None };
    let start = statics.evaluate(state.clone(), None, memory)?;
    let enough = tolerance * statics.system.scales().force.max(start.size);
    let Relaxed { pose, steps, is_balanced } = relax(statics, start, memory, max_iterations, enough)?;
    if is_balanced {
        statics.take(pose.state, state);
    }
    Ok(Search { steps, is_balanced, enough })
}

/// Moves `state` from an equilibrium without bending stiffness to one with it: with the whole at
/// once, else in parts from one that is small enough. Returns `steps` and its own.
pub fn stiffen(
    statics: &Statics,
    state: &mut State,
    workspace: &mut Workspace,
    enough: f64,
    mut steps: u32,
) -> Result<u32, Unbalanced> {
    let memory = &mut Memory { workspace, shapes: None };
    let mut soft = statics.system.clone();
    let from = state.q.clone();
    let most = steps + STEPS_OF_PARTS;
    let (mut part, mut next, mut factor) = (0.0, 1.0, MORE);
    while part < 1.0 {
        soft.adjust().soften(statics.system, next);
        let softer = Statics { system: &soft, ..*statics };
        let start = softer.evaluate(state.clone(), None, memory)?;
        let found = relax(&softer, start, memory, STEPS_OF_PART, enough)?;
        steps += found.steps;
        if found.is_balanced {
            softer.take(found.pose.state.clone(), state);
            (part, factor) = (next, (factor * factor).min(MORE));
        } else if part == 0.0 {
            next /= MORE;
        } else {
            factor = factor.sqrt();
        }
        if part > 0.0 {
            next = (part * factor).min(1.0);
        }
        if part < 1.0 && (next < LEAST_PART || factor < LEAST_MORE || steps >= most) {
            let (node, force) = softer.restless(&found.pose);
            let distance = distance(state.layout, node, &found.pose.state.q, &from);
            return Err(Unbalanced::Moving {
                node,
                iterations: steps,
                force,
                distance,
                part: Some(part),
                turned: None,
            });
        }
    }
    Ok(steps)
}

/// Where an iteration ended, and whether all forces are balanced there.
struct Relaxed {
    pose: Pose,
    steps: u32,
    is_balanced: bool,
}

/// At most so many steps from a pose, to forces on bodies and points below `enough` and lines at
/// rest. Errors: a callback failed, or the host stopped the search.
fn relax(
    statics: &Statics,
    mut pose: Pose,
    memory: &mut Memory,
    most: u32,
    enough: f64,
) -> Result<Relaxed, Unbalanced> {
    let Statics { system, loads, water, .. } = *statics;
    let layout = pose.state.layout;
    let largest = |pose: &Pose| if pose.size <= pose.lines.force { pose.lines.force } else { pose.size };
    let stiffness = system.lines().stiffest(&loads.lines, water);
    let mut mu = FIRST;
    let mut steps = 0;
    let balanced = |pose: &Pose| pose.lines.none && pose.size <= enough.max(pose.lines.noise);
    while !balanced(&pose) && steps < most {
        steps += 1;
        let mut step = match statics.step(&pose, mu * stiffness, memory.workspace) {
            Ok((step, _)) => step,
            Err(failure) => {
                let why = Unbalanced::from(failure);
                if why.is_of_host() {
                    return Err(why);
                }
                mu *= RISE;
                continue;
            }
        };
        let moved = |step: &[f64]| {
            let mut moved = pose.state.clone();
            layout.displace(&mut moved.q, step);
            system.lines().follow_ends(&mut moved);
            moved
        };
        let mut next = moved(&step);
        let change = system.lines().largest_change(&pose.state, &next, &loads.lines);
        let part = (MOST_CHANGE / change).min(MOST_TURN / largest_turn(layout, &step));
        if part < 1.0 {
            step.iter_mut().for_each(|x| *x *= part);
            next = moved(&step);
        }
        match statics.evaluate(next, None, memory) {
            Ok(tried) if largest(&tried) <= WORST * largest(&pose) => {
                let fell = largest(&tried) <= largest(&pose);
                mu = (mu * if fell { FALL } else { 1.0 }).max(LEAST);
                pose = tried;
            }
            Err(why) if why.is_of_host() => return Err(why),
            _ => mu *= RISE,
        }
    }
    let is_balanced = balanced(&pose);
    Ok(Relaxed { pose, steps, is_balanced })
}

impl Statics<'_> {
    /// The free node with the largest force out of balance, and that force (moments over the
    /// model's length).
    fn restless(&self, pose: &Pose) -> (usize, f64) {
        let length = self.system.scales().length;
        let size = |node: usize| {
            let f = &pose.forces[pose.state.layout.velocities(node)];
            norm(&f[..3]).max(norm(&f[3..]) / length)
        };
        let nodes = (0..pose.state.layout.nodes()).map(|node| (node, size(node)));
        nodes.fold((0, 0.0), |worst, of| if of.1 <= worst.1 { worst } else { of })
    }
}
