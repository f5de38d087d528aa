//! One pose of a search for equilibrium: forces out of balance there, and a step from it.

use crate::model::{Callbacks, Hydrodynamics, Loads, Water};
use crate::spatial::Mat3;
use crate::system::{
    Coefficients, Environment, Failure, Layout, Level, Progress, Restless, Shapes, State, System, Unrest, Workspace,
};

/// Largest turn of a body in one step (rad): beyond it the tangents mean little.
pub const MOST_TURN: f64 = 0.5;

/// Least mu, relative to the largest stiffness over mass: keeps matrices regular where there is no
/// stiffness.
pub const LEAST_INERTIA: f64 = 1e-12;

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
        /// For lines that bend, the part of their bending stiffness up to which there is an
        /// equilibrium; none without them.
        part: Option<f64>,
        /// The last element of a beam that a trial pose turned beyond its law, and the angle.
        turned: Option<(usize, f64)>,
    },
}

impl Unbalanced {
    /// Whether a callback of the host failed, or the host stopped the search.
    pub fn is_of_host(&self) -> bool {
        use Failure::{Callback, CoupledCallback, Stopped};
        matches!(self, Unbalanced::Failure(Callback { .. } | CoupledCallback { .. } | Stopped { .. }))
    }
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
pub struct Pose {
    /// With multipliers that carry as much of the load as constraints can, and the accelerations
    /// that are left.
    pub state: State,
    /// Forces out of balance, `f - B^T lambda = M vdot`.
    pub forces: Vec<f64>,
    /// The largest of them on bodies and points, moments over the model's length.
    pub size: f64,
    /// Those on the nodes of lines; lines add their rounding to `size`.
    pub lines: Unrest,
}

/// Memory of a search.
pub struct Memory<'a> {
    pub workspace: &'a mut Workspace,
    /// None where nodes of lines are unknowns.
    pub shapes: Option<Shapes>,
}

impl Statics<'_> {
    /// Writes the state that a search ended at to another one.
    pub fn take(&self, found: State, state: &mut State) {
        state.copy_motion_from(&found);
        self.system.lines().follow_ends(state);
        state.lambda = found.lambda;
        self.system.coordinates().follow(state, self.loads);
    }

    fn environment(&self) -> Environment<'_> {
        let Statics { time, loads, hydrodynamics, water, callbacks, progress, .. } = *self;
        Environment { time, loads, hydrodynamics, water, callbacks, progress, form: None }
    }

    /// The forces out of balance at poses that are first brought onto the constraints.
    /// `before` has the positions of a pose near by, if one is known.
    pub fn evaluate(&self, mut state: State, before: Option<&[f64]>, memory: &mut Memory) -> Result<Pose, Unbalanced> {
        let system = self.system;
        let environment = self.environment();
        let Memory { workspace, shapes } = memory;
        system.kinetics().project_positions(&environment, false, &mut state, workspace)?;
        let settled = match shapes {
            Some(shapes) => Some(system.lines().settle(&environment, before, &mut state, shapes)?),
            None => {
                system.lines().follow_ends(&mut state);
                None
            }
        };
        system.kinetics().accelerations(&environment, &mut state, workspace)?;
        system.coordinates().follow(&mut state, self.loads);
        // M vdot is what the residual at rest lacks.
        let forces = self.residual(&state, 0.0, 0.0, workspace)?;
        let length = system.scales().length;
        let (bodies, points) = carriers(state.layout, &forces);
        let largest = |f: &[f64]| f.iter().fold(0.0f64, |largest, f| largest.max(f.abs()));
        let of_body = |f: &[f64; 6]| largest(&f[..3]).max(largest(&f[3..]) / length);
        let size = bodies.iter().map(of_body).fold(largest(points.as_flattened()), f64::max);
        let lines = match settled {
            Some(noise) => Unrest { force: 0.0, none: true, noise },
            None => system.lines().unrest(&environment, &state, &forces),
        };
        Ok(Pose { state, forces, size, lines })
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
    pub fn step(&self, pose: &Pose, mu: f64, workspace: &mut Workspace) -> Result<(Vec<f64>, f64), Failure> {
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

pub fn norm(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// How far a node is from where it was.
pub fn distance(layout: Layout, node: usize, q: &[f64], start: &[f64]) -> f64 {
    let first = layout.positions(node).start;
    let gone: [f64; 3] = std::array::from_fn(|k| q[first + k] - start[first + k]);
    norm(&gone)
}

/// The parts of a vector for bodies and for points.
fn carriers(layout: Layout, of: &[f64]) -> (&[[f64; 6]], &[[f64; 3]]) {
    let (bodies, points) = layout.split(of);
    (bodies, &points[..points.len() - layout.chained()])
}

/// The largest turn of a body (rad).
pub fn largest_turn(layout: Layout, moves: &[f64]) -> f64 {
    layout.split(moves).0.iter().fold(0.0f64, |turn, x| turn.max(norm(&x[3..])))
}

/// The largest of translations (in lengths of the model) and rotations of bodies and points.
pub fn largest_move(layout: Layout, moves: &[f64], length: f64) -> f64 {
    let (bodies, points) = carriers(layout, moves);
    let of_body = bodies.iter().map(|x| (norm(&x[..3]) / length).max(norm(&x[3..])));
    of_body.chain(points.iter().map(|x| norm(x) / length)).fold(0.0f64, f64::max)
}
