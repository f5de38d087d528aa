//! Static equilibrium: `f(q) - B^T lambda = 0`, `Phi(q) = 0`, all bodies at rest.
//!
//! Newton's method on the constraint manifold, with line search, and with continuation in an artificial inertia mu M,
//!
//! ```text
//! [mu M + K + K_Phi, B^T; B, 0] (x, dlambda) = -(r, 0),     q <- exp(alpha x) q, brought back to Phi = 0,
//! ```
//!
//! where mu falls with the forces out of balance (pseudo-transient continuation: Kelley, Keyes 1998, SIAM J. Numer.
//! Anal. 35, 508). At large mu a step goes where the bodies would start to move, at mu = 0 it is Newton's. Loads need
//! not be cut: a step that turns a body far, or against the forces on it, is repeated with more inertia. So mechanisms
//! pass the limit points that stop a continuation in the load (a pendulum held horizontally: K + K_Phi is singular
//! there), matrices stay regular where bodies move without stiffness, and what does not move by a force stays (the
//! solution of least mass norm).

use crate::model::{Callbacks, Hydrodynamics, Loads};
use crate::spatial::{Vec6, lower, rotation, upper};
use crate::system::{BodyState, Coefficients, Environment, Failure, Level, Progress, State, System, Workspace};

/// Largest turn of a body in one step (rad): beyond it the tangents mean little.
const MOST_TURN: f64 = 0.5;

/// The turn (or travel, in lengths of the model) that the first step aims at.
const FIRST_TURN: f64 = 0.3;

/// Most steps of one line search.
const MOST_CUTS: u32 = 12;

/// Least mu, relative to the largest stiffness over mass: keeps matrices regular where there is no stiffness.
const LEAST_INERTIA: f64 = 1e-12;

/// A body that has gone so many lengths of the model will not come to rest.
const FARTHEST: f64 = 1e6;

/// Steps (rad, lengths of the model) at rounding level.
const ROUNDING: f64 = 1e-12;

/// What acts: the model with its loads at one time.
#[derive(Clone, Copy)]
pub struct Statics<'a> {
    /// The assembled model.
    pub system: &'a System,
    /// The time at which it stands still.
    pub time: f64,
    /// Held loads; imposed motions at rest.
    pub loads: &'a Loads,
    /// Coefficients of the fluid.
    pub hydrodynamics: &'a [Hydrodynamics],
    /// Load callbacks.
    pub callbacks: &'a Callbacks,
    /// Whom evaluations ask whether to go on.
    pub progress: &'a Progress,
}

/// Why there is no equilibrium.
pub enum Unbalanced {
    /// An evaluation failed.
    Failure(Failure),
    /// Forces are still out of balance.
    Moving {
        /// The body that moved most in the last step.
        body: usize,
        /// Steps done.
        iterations: u32,
        /// Largest force out of balance (moments over the model's length).
        force: f64,
        /// How far the body has gone.
        distance: f64,
    },
}

impl From<Failure> for Unbalanced {
    fn from(failure: Failure) -> Unbalanced {
        Unbalanced::Failure(failure)
    }
}

/// One point of the path, on the constraints and at rest.
struct Pose {
    bodies: Vec<BodyState>,
    coordinates: Vec<f64>,
    /// Multipliers that carry as much of the load as constraints can.
    lambda: Vec<f64>,
    /// Forces out of balance on each body, `f - B^T lambda = M vdot`.
    forces: Vec<Vec6>,
    /// The largest of them, moments over the model's length.
    size: f64,
}

/// Moves `state` to an equilibrium: poses, velocities zero, multipliers, coordinates, and accelerations, which are what
/// `tolerance` leaves of them. Forces count as balanced below `tolerance` times the largest weight, initial reaction or
/// first force out of balance. Returns the number of steps.
pub fn solve(
    statics: &Statics,
    state: &mut State,
    workspace: &mut Workspace,
    max_iterations: u32,
    tolerance: f64,
) -> Result<u32, Unbalanced> {
    let system = statics.system;
    let scales = system.scales();
    for (body, imposed) in state.bodies.iter_mut().zip(&statics.loads.motions) {
        *body = imposed.unwrap_or(*body);
        (body.v, body.vdot) = (Vec6::zeros(), Vec6::zeros());
    }
    let start = state.bodies.clone();
    let mut pose = statics.evaluate(start.clone(), state.coordinates.clone(), workspace)?;
    let reference = scales.force.max(pose.size);
    let fastest = largest_move(pose.vdot(), scales.length);
    let mut mu = fastest / FIRST_TURN;
    let mut iterations = 0;
    while pose.size > tolerance * reference {
        let moving = |pose: &Pose, steps: &[Vec6], iterations| {
            let reach = |x: &Vec6| (upper(x).norm() / scales.length).max(lower(x).norm());
            let body = (0..steps.len()).max_by(|a, b| reach(&steps[*a]).total_cmp(&reach(&steps[*b]))).unwrap_or(0);
            let distance = (pose.bodies[body].x - start[body].x).norm();
            Unbalanced::Moving { body, iterations, force: pose.size, distance }
        };
        let present: Vec<Vec6> = pose.vdot().copied().collect();
        if iterations == max_iterations {
            return Err(moving(&pose, &present, iterations));
        }
        iterations += 1;

        let (steps, stiffness) = match statics.step(&pose, mu, workspace) {
            Ok(found) => found,
            Err(Failure::Singular { .. }) if mu < f64::MAX.sqrt() => {
                mu = 8.0 * mu.max(f64::MIN_POSITIVE.sqrt());
                continue;
            }
            Err(failure) => return Err(failure.into()),
        };
        // Work of the forces along the step: positive where the step follows them.
        let work = |pose: &Pose| pose.forces.iter().zip(&steps).map(|(f, x)| f.dot(x)).sum::<f64>();
        let (slope, reach) = (work(&pose), largest_move(steps.iter(), scales.length));
        let turn = steps.iter().fold(0.0f64, |turn, x| turn.max(lower(x).norm()));
        let settled = reach <= ROUNDING && mu <= 1e-3 * stiffness;
        if !settled && (turn > MOST_TURN || slope <= 0.0) {
            mu = (4.0 * mu).max(LEAST_INERTIA * stiffness);
            continue;
        }

        // Line search: back where the forces have turned against the step and grown.
        let mut alpha = 1.0f64;
        let mut next = None;
        for _ in 0..MOST_CUTS {
            let moved = pose.bodies.iter().zip(&steps).map(|(body, x)| displace(body, &(x * alpha))).collect();
            let tried = statics.evaluate(moved, pose.coordinates.clone(), workspace);
            let (overshoot, finite) = match &tried {
                Ok(tried) => {
                    let end = work(tried);
                    let grown = tried.size > pose.size && end < -0.5 * slope;
                    (if grown { slope / (slope - end) } else { 1.0 }, tried.size.is_finite())
                }
                Err(
                    failure @ (Failure::Callback { .. } | Failure::CoupledCallback { .. } | Failure::Stopped { .. }),
                ) => return Err((*failure).into()),
                Err(_) => (0.1, false),
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
        let farthest = next.bodies.iter().zip(&start).fold(0.0f64, |far, (b, s)| far.max((b.x - s.x).norm()));
        if farthest > FARTHEST * scales.length {
            return Err(moving(&next, &steps, iterations));
        }
        // Forces fall: less inertia, down to Newton's own step; a cut step asks for more.
        let fall = (next.size / pose.size).clamp(1e-3, 1.5);
        mu = (mu * 0.5 * fall / alpha.max(1e-2)).max(LEAST_INERTIA * stiffness);
        pose = next;
        if settled {
            break;
        }
    }
    for (body, found) in state.bodies.iter_mut().zip(&pose.bodies) {
        *body = *found;
    }
    state.lambda = pose.lambda;
    state.coordinates = pose.coordinates;
    system.follow_joints(state, statics.loads);
    Ok(iterations)
}

impl Statics<'_> {
    fn environment<'a>(&'a self, coordinates: &'a [f64]) -> Environment<'a> {
        let Statics { time, loads, hydrodynamics, callbacks, progress, .. } = *self;
        Environment { time, loads, hydrodynamics, callbacks, coordinates, progress }
    }

    /// The forces out of balance at poses that are first brought onto the constraints.
    fn evaluate(&self, mut bodies: Vec<BodyState>, near: Vec<f64>, workspace: &mut Workspace) -> Result<Pose, Failure> {
        let system = self.system;
        let mut lambda = vec![0.0; system.multipliers()];
        let environment = self.environment(&near);
        system.project_positions(&environment, &mut bodies, workspace)?;
        system.accelerations(&environment, &mut bodies, &mut lambda, workspace)?;
        let mut moved = State {
            time: self.time,
            time_rest: 0.0,
            bodies,
            lambda,
            coordinates: near.clone(),
            drives: vec![[[0.0; 3]; 2]; near.len()],
            reactions: Vec::new(),
        };
        system.follow_joints(&mut moved, self.loads);
        let State { bodies, lambda, coordinates, .. } = moved;
        // M vdot is what the residual at rest lacks.
        let forces = self.residual(&bodies, &coordinates, &lambda, 0.0, 0.0, workspace)?;
        let length = system.scales().length;
        let size = forces.iter().fold(0.0f64, |size, f| size.max(upper(f).amax()).max(lower(f).amax() / length));
        Ok(Pose { bodies, coordinates, lambda, forces, size })
    }

    /// Assembles `mass M + stiffness (K + K_Phi)` at rest; returns the forces out of balance (0 on prescribed bodies).
    fn residual(
        &self,
        bodies: &[BodyState],
        coordinates: &[f64],
        lambda: &[f64],
        mass: f64,
        stiffness: f64,
        workspace: &mut Workspace,
    ) -> Result<Vec<Vec6>, Failure> {
        let environment = self.environment(coordinates);
        self.system.move_to(bodies, workspace);
        for motion in &mut workspace.motions {
            (motion.vdot, motion.omegadot) = (Default::default(), Default::default());
        }
        let coefficients = Coefficients { mass, damping: 0.0, stiffness };
        self.system.assemble(&environment, Level::Position, coefficients, lambda, workspace)?;
        let (rows, _) = workspace.residual[..self.system.dofs()].as_chunks::<6>();
        Ok(rows.iter().map(|r| -Vec6::from(*r)).collect())
    }

    /// One step with inertia mu: displacements of the bodies, and the largest stiffness over mass.
    fn step(&self, pose: &Pose, mu: f64, workspace: &mut Workspace) -> Result<(Vec<Vec6>, f64), Failure> {
        let system = self.system;
        let scales = system.scales();
        let square = scales.length * scales.length;
        let size = |m: &crate::spatial::Mat6| {
            m.fixed_view::<3, 3>(0, 0).amax().max(m.fixed_view::<3, 3>(3, 3).amax() / square)
        };
        // Unscaled first, to learn how stiff the system is; then scaled to entries of order one.
        let Pose { bodies, coordinates, lambda, .. } = pose;
        self.residual(bodies, coordinates, lambda, 1.0, 1.0, workspace)?;
        let (mut stiffest, mut ratio) = (0.0f64, 0.0f64);
        for tangent in &workspace.tangents {
            let (k, m) = (size(&tangent.stiffness), size(&tangent.inertia));
            stiffest = stiffest.max(k);
            ratio = ratio.max(if m > 0.0 { k / m } else { 0.0 });
        }
        let mu = mu.max(LEAST_INERTIA * ratio);
        let scale = 1.0 / stiffest.max(mu * scales.mass).max(f64::MIN_POSITIVE);
        self.residual(bodies, coordinates, lambda, scale * mu, scale, workspace)?;
        system.solve_saddle_point(workspace, scale, true)?;
        let (x, _) = workspace.solution[..system.dofs()].as_chunks::<6>();
        Ok((x.iter().map(|x| Vec6::from(*x)).collect(), ratio))
    }
}

impl Pose {
    fn vdot(&self) -> impl Iterator<Item = &Vec6> {
        self.bodies.iter().map(|body| &body.vdot)
    }
}

/// The largest of translations (in lengths of the model) and rotations.
fn largest_move<'a>(moves: impl Iterator<Item = &'a Vec6>, length: f64) -> f64 {
    moves.fold(0.0f64, |largest, x| largest.max(upper(x).norm() / length).max(lower(x).norm()))
}

fn displace(body: &BodyState, x: &Vec6) -> BodyState {
    let q = rotation::compose(&rotation::exp(&lower(x)), &body.q);
    BodyState { x: body.x + upper(x), q, ..*body }
}
