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
//! the stiffness of lines is in the matrix, which includes their nodes. Friction is switched off,
//! because with it the shape depends on the history; nodes stick where the line comes to rest. The
//! current acts; the fluid callback is not called.

use crate::model::{Callbacks, Hydrodynamics, Loads, Water};
use crate::spatial::Mat3;
use crate::system::{
    Coefficients, Environment, Failure, Layout, Level, Progress, Restless, Shapes, State, System, Workspace,
};

/// Largest turn of a body in one step (rad): beyond it the tangents mean little.
const MOST_TURN: f64 = 0.5;

/// The turn (or travel, in lengths of the model) that the first step aims at.
const FIRST_TURN: f64 = 0.3;

/// Most steps of one line search.
const MOST_CUTS: u32 = 12;

/// Least mu, relative to the largest stiffness over mass: keeps matrices regular where there is no
/// stiffness.
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
    /// The time at which loads and imposed motions are evaluated.
    pub time: f64,
    /// Held loads; imposed motions at rest.
    pub loads: &'a Loads,
    /// Coefficients of the fluid, one per body; bodies past the end of the list have none.
    pub hydrodynamics: &'a [Hydrodynamics],
    /// Water and seabed around lines and points.
    pub water: &'a Water,
    /// Load callbacks.
    pub callbacks: &'a Callbacks,
    /// Whom evaluations ask whether to go on.
    pub progress: &'a Progress,
}

/// Why there is no equilibrium.
pub enum Unbalanced {
    /// An evaluation failed.
    Failure(Failure),
    /// A line has no shape at rest between its ends.
    Restless(Restless),
    /// Forces are still out of balance.
    Moving {
        /// The node that moved most in the last step.
        node: usize,
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

impl From<Restless> for Unbalanced {
    fn from(line: Restless) -> Unbalanced {
        Unbalanced::Restless(line)
    }
}

/// One point of the path, on the constraints and at rest.
struct Pose {
    /// With multipliers that carry as much of the load as constraints can, and the accelerations
    /// that are left.
    state: State,
    /// Forces out of balance, `f - B^T lambda = M vdot`.
    forces: Vec<f64>,
    /// The largest of them on bodies and points, moments over the model's length.
    size: f64,
    /// The part of `size` that lines have from rounding.
    noise: f64,
}

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
    let water = Water { friction: 0.0, ..statics.water.clone() };
    let callbacks = Callbacks { fluid: None, ..statics.callbacks.clone() };
    let fluid: Vec<_> = state.fluid().collect();
    state.set_fluid(&[]);
    let mut memory = Memory { workspace, shapes: system.lines().shapes() };
    memory.workspace.lines.all_terms = true;
    let still = Statics { water: &water, callbacks: &callbacks, ..*statics };
    let found = search(&still, state, &mut memory, max_iterations, tolerance);
    memory.workspace.lines.all_terms = false;
    state.set_fluid(&fluid);
    system.lines().let_stick(state);
    system.elements().begin(state);
    found
}

/// Memory of a search.
struct Memory<'a> {
    workspace: &'a mut Workspace,
    shapes: Shapes,
}

/// The same without friction and callbacks of the water.
fn search(
    statics: &Statics,
    state: &mut State,
    memory: &mut Memory,
    max_iterations: u32,
    tolerance: f64,
) -> Result<u32, Unbalanced> {
    let system = statics.system;
    let scales = system.scales();
    state.impose(statics.loads);
    state.v.fill(0.0);
    state.vdot.fill(0.0);
    let start = state.q.clone();
    let layout = state.layout;
    // Unknowns of bodies and points; those of lines follow them.
    let carried = ..layout.unknown(layout.carriers());
    let mut pose = statics.evaluate(state.clone(), None, memory)?;
    let reference = scales.force.max(pose.size);
    let fastest = largest_move(layout, &pose.state.vdot, scales.length);
    let mut mu = fastest / FIRST_TURN;
    let mut iterations = 0;
    while pose.size > (tolerance * reference).max(pose.noise) {
        let moving = |pose: &Pose, steps: &[f64], iterations| {
            let reach = |node: &usize| {
                let x = &steps[layout.velocities(*node)];
                (norm(&x[..3]) / scales.length).max(norm(&x[3..]))
            };
            let node = (0..layout.carriers()).max_by(|a, b| reach(a).total_cmp(&reach(b))).unwrap_or(0);
            let distance = distance(layout, node, &pose.state.q, &start);
            Unbalanced::Moving { node, iterations, force: pose.size, distance }
        };
        if iterations == max_iterations {
            return Err(moving(&pose, &pose.state.vdot, iterations));
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
        let turn = layout.split(&steps).0.iter().fold(0.0f64, |turn, x| turn.max(norm(&x[3..])));
        let settled = reach <= ROUNDING && mu <= 1e-3 * stiffness;
        if !settled && (turn > MOST_TURN || slope <= 0.0) {
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
                Err(Unbalanced::Failure(
                    failure @ (Failure::Callback { .. } | Failure::CoupledCallback { .. } | Failure::Stopped { .. }),
                )) => return Err((*failure).into()),
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
        let far = |node| distance(layout, node, &next.state.q, &start);
        let farthest = (0..layout.carriers()).map(far).fold(0.0f64, f64::max);
        if farthest > FARTHEST * scales.length {
            return Err(moving(&next, &steps, iterations));
        }
        // If forces decrease, mu decreases, down to Newton's step; after a cut step it increases.
        let fall = (next.size / pose.size).clamp(1e-3, 1.5);
        mu = (mu * 0.5 * fall / alpha.max(1e-2)).max(LEAST_INERTIA * stiffness);
        pose = next;
        if settled {
            break;
        }
    }
    let Pose { state: found, .. } = pose;
    state.copy_motion_from(&found);
    system.lines().follow_ends(state);
    state.lambda = found.lambda;
    system.coordinates().follow(state, statics.loads);
    Ok(iterations)
}

impl Statics<'_> {
    fn environment(&self) -> Environment<'_> {
        let Statics { time, loads, hydrodynamics, water, callbacks, progress, .. } = *self;
        Environment { time, loads, hydrodynamics, water, callbacks, progress, form: None }
    }

    /// The forces out of balance at poses that are first brought onto the constraints.
    /// `before` has the positions of a pose near by, if one is known.
    fn evaluate(&self, mut state: State, before: Option<&[f64]>, memory: &mut Memory) -> Result<Pose, Unbalanced> {
        let system = self.system;
        let environment = self.environment();
        let Memory { workspace, shapes } = memory;
        system.kinetics().project_positions(&environment, false, &mut state, workspace)?;
        let noise = system.lines().settle(&environment, before, &mut state, shapes)?;
        system.kinetics().accelerations(&environment, &mut state, workspace)?;
        system.coordinates().follow(&mut state, self.loads);
        // M vdot is what the residual at rest lacks.
        let forces = self.residual(&state, 0.0, 0.0, workspace)?;
        let length = system.scales().length;
        let (bodies, points) = carriers(state.layout, &forces);
        let largest = |f: &[f64]| f.iter().fold(0.0f64, |largest, f| largest.max(f.abs()));
        let of_body = |f: &[f64; 6]| largest(&f[..3]).max(largest(&f[3..]) / length);
        let size = bodies.iter().map(of_body).fold(largest(points.as_flattened()), f64::max);
        Ok(Pose { state, forces, size, noise })
    }

    /// Assembles `mass M + stiffness (K + K_Phi)` at rest; returns the forces out of balance (0 on
    /// imposed motions).
    fn residual(
        &self,
        state: &State,
        mass: f64,
        stiffness: f64,
        workspace: &mut Workspace,
    ) -> Result<Vec<f64>, Failure> {
        self.system.move_to(state, workspace);
        workspace.stand_still();
        let coefficients = Coefficients { mass, damping: 0.0, stiffness };
        self.system.assemble(&self.environment(), Level::Position, coefficients, &state.lambda, workspace)?;
        Ok(workspace.residual[..self.system.dofs()].iter().map(|r| -r).collect())
    }

    /// One step with inertia mu: displacements of the nodes, and the largest stiffness over mass.
    fn step(&self, pose: &Pose, mu: f64, workspace: &mut Workspace) -> Result<(Vec<f64>, f64), Failure> {
        let system = self.system;
        let scales = system.scales();
        let square = scales.length * scales.length;
        let size = |[translations, rotations]: [Mat3; 2]| translations.amax().max(rotations.amax() / square);
        // Unscaled first, to learn how stiff the system is; then scaled to entries of order one.
        self.residual(&pose.state, 1.0, 1.0, workspace)?;
        let (mut stiffest, mut ratio) = (0.0f64, 0.0f64);
        for tangent in &workspace.tangents {
            let [m, k] = tangent.diagonals().map(size);
            stiffest = stiffest.max(k);
            ratio = ratio.max(if m > 0.0 { k / m } else { 0.0 });
        }
        let mu = mu.max(LEAST_INERTIA * ratio);
        let scale = 1.0 / stiffest.max(mu * scales.mass).max(f64::MIN_POSITIVE);
        self.residual(&pose.state, scale * mu, scale, workspace)?;
        system.kinetics().solve_saddle_point(workspace, scale, true)?;
        Ok((workspace.solution[..system.dofs()].to_vec(), ratio))
    }
}

fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// How far a node is from where it was.
fn distance(layout: Layout, node: usize, q: &[f64], start: &[f64]) -> f64 {
    let first = layout.positions(node).start;
    let gone: [f64; 3] = std::array::from_fn(|k| q[first + k] - start[first + k]);
    norm(&gone)
}

/// The parts of a vector for bodies and for points.
fn carriers(layout: Layout, of: &[f64]) -> (&[[f64; 6]], &[[f64; 3]]) {
    let (bodies, points) = layout.split(of);
    (bodies, &points[..points.len() - layout.chained()])
}

/// The largest of translations (in lengths of the model) and rotations of bodies and points.
fn largest_move(layout: Layout, moves: &[f64], length: f64) -> f64 {
    let (bodies, points) = carriers(layout, moves);
    let of_body = bodies.iter().map(|x| (norm(&x[..3]) / length).max(norm(&x[3..])));
    of_body.chain(points.iter().map(|x| norm(x) / length)).fold(0.0f64, f64::max)
}
