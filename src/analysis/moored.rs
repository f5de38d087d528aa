//! Static equilibrium of models with lines: lines, points and bodies together.
//!
//! Slack segments have no stiffness across, those on the bed none along, taut ones a thousand times that of anything else: the
//! forces out of balance of a good step may be larger than those before it. So Newton's steps,
//!
//! ```text
//! [mu M + K + K_Phi, B^T; B, 0] (x, dlambda) = -(r, 0),
//! ```
//!
//! are taken as long as the forces do not grow beyond all bounds: mu falls with every step that is taken, and rises where one
//! is taken back. It begins at a part of the axial stiffness of segments over their mass, which is far above all others.

use super::equilibrium::{Statics, Unbalanced, distance, norm};
use crate::system::{Failure, State, Workspace};

/// mu over the largest axial stiffness over mass: at first, and at least.
const FIRST: f64 = 1e-3;
const LEAST: f64 = 1e-12;

/// Its factors after steps taken and taken back.
const FALL: f64 = 0.25;
const RISE: f64 = 8.0;

/// A step that raises the forces by more is taken back.
const WORST: f64 = 100.0;

/// Most that a node goes in one step, in unstretched lengths of its segments, and most that a body turns (rad).
const FARTHEST: f64 = 0.5;
const MOST_TURN: f64 = 0.3;

/// A node that has gone so many lengths of the model will not come to rest.
const LOST: f64 = 1e4;

/// As `equilibrium::solve`, of a model with lines.
pub fn solve(
    statics: &Statics,
    state: &mut State,
    workspace: &mut Workspace,
    max_iterations: u32,
    tolerance: f64,
) -> Result<u32, Unbalanced> {
    let system = statics.system;
    let (scales, layout) = (system.scales(), system.layout());
    state.impose(statics.loads);
    state.v.fill(0.0);
    state.vdot.fill(0.0);
    let start = state.q.clone();
    let stiffest = (0..system.lines()).map(|line| {
        let length = statics.loads.lines[line].length;
        system.line_bounds(line, length, statics.water).axial.frequency.powi(2)
    });
    let stiffest = stiffest.fold(0.0f64, f64::max);
    let mut pose = statics.evaluate(state.clone(), workspace)?;
    let reference = scales.force.max(pose.size);
    let mut mu = FIRST * stiffest;
    let mut iterations = 0;
    let mut last = pose.state.vdot.clone();
    while pose.size > tolerance * reference {
        let farthest = |steps: &[f64]| {
            let reach = |node: &usize| norm(&steps[layout.velocities(*node)][..3]);
            (0..layout.nodes()).max_by(|a, b| reach(a).total_cmp(&reach(b))).unwrap_or(0)
        };
        let gone = |node: usize, q: &[f64]| distance(layout, node, q, &start);
        let lost = (0..layout.nodes()).any(|node| gone(node, &pose.state.q) > LOST * scales.length);
        if iterations == max_iterations || lost {
            let node = farthest(&last);
            let distance = gone(node, &pose.state.q);
            return Err(Unbalanced::Moving { node, iterations, force: pose.size, distance });
        }
        iterations += 1;
        let mut steps = match statics.step(&pose, mu, workspace) {
            Ok((steps, _)) => steps,
            Err(Failure::Singular { .. }) if mu < f64::MAX.sqrt() => {
                mu *= RISE;
                continue;
            }
            Err(failure) => return Err(failure.into()),
        };
        let increments = layout.chained_in(&steps);
        let mut excess = system
            .line_lengths()
            .flat_map(|(nodes, length, segments)| {
                increments[nodes].iter().map(move |d| norm(d) * segments as f64 / (FARTHEST * length))
            })
            .fold(1.0f64, f64::max);
        for body in layout.split(&steps).0 {
            excess = excess.max(norm(&body[3..]) / MOST_TURN);
        }
        steps.iter_mut().for_each(|x| *x /= excess);
        let mut moved = pose.state.clone();
        system.displace(&mut moved.q, &steps);
        match statics.evaluate(moved, workspace) {
            Ok(next) if next.size <= WORST * pose.size => {
                (pose, last) = (next, steps);
                mu = (mu * FALL).max(LEAST * stiffest);
            }
            Ok(_) | Err(Failure::NotFinite { .. } | Failure::NoConvergence { .. } | Failure::Singular { .. }) => {
                mu *= RISE;
            }
            Err(failure) => return Err(failure.into()),
        }
    }
    state.copy_motion_from(&pose.state);
    state.lambda = pose.state.lambda;
    system.follow_joints(state, statics.loads);
    Ok(iterations)
}
