//! The assembled model: numbering of unknowns, residual, iteration matrix, accelerations, energies.
//!
//! ```text
//! r = M vdot + g(q, v) - f(q, v, t) + B^T lambda = 0,     Phi(q) = 0,     dPhi = B (du, dtheta).
//! ```
//!
//! Unknowns: 6 per body (u, theta) in order of creation, then one multiplier per independent constraint.

mod assembly;
mod balance;
mod entities;
mod forces;
mod hydrodynamics;
mod inertia;
mod joints;
mod kinetics;
mod motion;
mod progress;
mod redundancy;
mod reference;
mod ring;
mod sharing;
#[cfg(test)]
mod sharing_tests;
#[cfg(test)]
mod tangent_tests;
mod tangents;

pub use assembly::{Coefficients, Level, Row, Workspace};
pub use entities::{Entity, Part, split};
pub use forces::callback::{Ahead, Asking};
pub use motion::{BodyState, Motion, State};
pub use progress::Progress;

use crate::linear::Assemble;
use crate::model::{Callbacks, EntityKind, Hydrodynamics, Leap, Loads, Model};
use crate::spatial::{Mat6, Pose, RigidInertia, Vec3, Vec6};
use assembly::{Assembly, BodyTangent};
use forces::bushing::BushingElement;
use forces::callback::Places;
use forces::callback::Slots;
use forces::load;
use forces::spring::SpringElement;
use joints::JointElement;
use sharing::Loop;

/// Why an evaluation or a step failed; the caller knows the names and the time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Failure {
    /// No pivot was found; the unknown it belongs to, where it is known.
    Singular {
        /// Index of the unknown.
        unknown: Option<usize>,
    },
    /// A number stopped being finite.
    NotFinite {
        /// Index of the unknown.
        unknown: usize,
        /// Iterations done.
        iterations: u32,
    },
    /// Newton did not converge.
    NoConvergence {
        /// Iterations done.
        iterations: u32,
        /// The convergence measure, 1 at the limit.
        error: f64,
        /// The unknown with the largest residual.
        unknown: usize,
        /// Residual energies of translations and rotations (Newton's iteration of a step).
        energies: Option<[f64; 2]>,
    },
    /// An iteration grew instead of shrinking.
    Diverged {
        /// Iterations done.
        iterations: u32,
        /// The unknown that changed most.
        unknown: usize,
    },
    /// A driven joint was to turn by more than half a turn in one step.
    Jump {
        /// The joint.
        joint: usize,
        /// By how much (rad).
        turn: f64,
    },
    /// The positions of an imposed motion run further from its rates than a step can follow.
    Leap(Leap),
    /// An imposed motion jumps to a rate that would turn a body further in one step than a step can follow.
    Kick {
        /// The body.
        body: usize,
        /// By how much (rad).
        turn: f64,
    },
    /// A joint came apart in a constraint that was left out because it followed from the others at the initial poses.
    Contradiction {
        /// The joint.
        joint: usize,
    },
    /// A load callback failed: its nonzero return, or None for numbers that are not finite.
    Callback {
        /// The body.
        body: usize,
        /// The return.
        code: Option<i32>,
    },
    /// The host's progress callback ended the call.
    Stopped {
        /// Its return.
        code: i32,
    },
    /// So did a coupled one.
    CoupledCallback {
        /// Its id.
        callback: usize,
        /// The return.
        code: Option<i32>,
    },
}

/// What acts on the system from outside at the time of an evaluation.
#[derive(Clone, Copy)]
pub struct Environment<'a> {
    /// Time.
    pub time: f64,
    /// Held loads.
    pub loads: &'a Loads,
    /// Coefficients of the fluid, one per body.
    pub hydrodynamics: &'a [Hydrodynamics],
    /// Load callbacks.
    pub callbacks: &'a Callbacks,
    /// Coordinates of the joints not long ago, from which angles are counted on.
    pub coordinates: &'a [f64],
}

/// Typical magnitudes of a model, against which tolerances are measured (1 where the model has none).
#[derive(Debug, Clone, Copy)]
pub struct Scales {
    /// Length: the longest arm.
    pub length: f64,
    /// Mass: the largest, a power of two (so that scaling rows by it does not round).
    pub mass: f64,
    /// Force: the largest weight or initial multiplier.
    pub force: f64,
}

/// The assembled model. It does not change during a run.
#[derive(Clone)]
pub struct System {
    gravity: Vec3,
    /// Where, in the host's coordinates, positions are measured from.
    origin: Vec3,
    /// What load callbacks know the bodies by.
    ids: Vec<i32>,
    /// Reference point of each body, from the point that moves by the equations, in body axes.
    references: Vec<Vec3>,
    inertias: Vec<RigidInertia>,
    /// Whether a body moves by the equations of motion (else the host imposes its motion).
    free: Vec<bool>,
    joints: Vec<JointElement>,
    springs: Vec<SpringElement>,
    bushings: Vec<BushingElement>,
    markers: Vec<(usize, Pose)>,
    /// The joint of each independent constraint.
    owners: Vec<usize>,
    redundant: usize,
    /// Closed loops with redundant constraints.
    loops: Vec<Loop>,
    /// Which of them each joint belongs to.
    loop_of: Vec<Option<usize>>,
    /// Effective mass of each independent constraint, `1/(B M^-1 B^T)_kk` roughly: what turns noise in Phi into noise
    /// in lambda.
    effective_masses: Vec<f64>,
    /// True where the constraint is a length.
    lengths: Vec<bool>,
    scales: Scales,
    /// Whom evaluations ask whether to go on.
    pub progress: Progress,
}

impl System {
    /// Assembles a model at its initial poses; finds the redundant constraints.
    pub fn new(model: &Model) -> System {
        let mut system = System::unnumbered(model);
        let mut motions: Vec<Motion> = model.bodies.iter().map(initial_state).map(|s| Motion::of(&s)).collect();
        motions.push(Motion::ground());
        system.number_constraints(&motions);
        system
    }

    /// The same model about other points of its bodies, with the same independent constraints.
    pub fn alike(&self, model: &Model) -> System {
        let mut system = System::unnumbered(model);
        for (joint, numbered) in system.joints.iter_mut().zip(&self.joints) {
            joint.indices = numbered.indices;
        }
        System {
            owners: self.owners.clone(),
            redundant: self.redundant,
            loops: self.loops.clone(),
            loop_of: self.loop_of.clone(),
            effective_masses: self.effective_masses.clone(),
            lengths: self.lengths.clone(),
            scales: Scales { force: self.scales.force, ..system.scales },
            ..system
        }
    }

    fn unnumbered(model: &Model) -> System {
        let ground = model.bodies.len();
        let mut system = System {
            gravity: model.gravity,
            origin: model.origin,
            ids: (0..model.bodies.len() as i32).collect(),
            references: model.bodies.iter().map(|b| b.reference).collect(),
            inertias: model.bodies.iter().map(|b| b.inertia).collect(),
            free: model.bodies.iter().map(|b| !b.prescribed).collect(),
            joints: model.joints.iter().map(|j| JointElement::new(j, ground)).collect(),
            springs: model.springs.iter().map(|s| SpringElement::new(s, ground)).collect(),
            bushings: model.bushings.iter().map(|b| BushingElement::new(b, ground)).collect(),
            markers: model.markers.iter().map(|m| (m.body, m.frame)).collect(),
            owners: Vec::new(),
            redundant: 0,
            loops: Vec::new(),
            loop_of: Vec::new(),
            effective_masses: Vec::new(),
            lengths: Vec::new(),
            scales: Scales { length: 1.0, mass: 1.0, force: 0.0 },
            progress: Progress::default(),
        };
        system.scales = system.initial_scales(model);
        system
    }

    fn initial_scales(&self, model: &Model) -> Scales {
        let arms = model.joints.iter().flat_map(|j| {
            let arm = |body: Option<usize>, frame: &Pose| body.map_or(0.0, |_| frame.position.norm());
            [arm(j.body_a, &j.frame_a), arm(j.body_b, &j.frame_b)]
        });
        let reaches =
            self.springs.iter().map(SpringElement::reach).chain(self.bushings.iter().map(BushingElement::reach));
        let distances = model.joints.iter().map(|j| j.distance);
        let gyrations = self.inertias.iter().filter(|i| i.mass > 0.0).map(|i| (i.inertia.trace() / i.mass).sqrt());
        let length = arms.chain(reaches).chain(distances).chain(gyrations).fold(0.0, f64::max);
        let mass = self.inertias.iter().map(|i| i.mass).fold(0.0, f64::max);
        Scales {
            length: if length > 0.0 { length } else { 1.0 },
            mass: if mass > 0.0 { mass.log2().round().exp2() } else { 1.0 },
            force: mass * self.gravity.norm(),
        }
    }

    /// Says what load callbacks know the bodies by: the numbers of the whole model, where this is a part.
    pub fn set_ids(&mut self, ids: Vec<i32>) {
        self.ids = ids;
    }

    /// Number of bodies.
    pub fn bodies(&self) -> usize {
        self.inertias.len()
    }

    /// Number of velocity unknowns: 6 per body.
    pub fn dofs(&self) -> usize {
        6 * self.bodies()
    }

    /// Whether a body moves by the equations of motion (else the host imposes its motion).
    pub fn is_free(&self, body: usize) -> bool {
        self.free[body]
    }

    /// Number of velocity unknowns of free bodies.
    pub fn free_dofs(&self) -> usize {
        6 * self.free.iter().filter(|free| **free).count()
    }

    /// Number of independent constraints.
    pub fn multipliers(&self) -> usize {
        self.owners.len()
    }

    /// Number of constraints left out because they follow from the others.
    pub fn redundant(&self) -> usize {
        self.redundant
    }

    /// Typical magnitudes.
    pub fn scales(&self) -> Scales {
        self.scales
    }

    /// Raises the force scale to what the initial state shows.
    pub fn note_multipliers(&mut self, lambda: &[f64]) {
        for (l, is_length) in lambda.iter().zip(&self.lengths) {
            let force = if *is_length { l.abs() } else { l.abs() / self.scales.length };
            self.scales.force = self.scales.force.max(force);
        }
    }

    /// Sets the force scale to what it was when a state was saved.
    pub fn set_force_scale(&mut self, force: f64) {
        self.scales.force = force;
    }

    /// Whether constraint `k` is a length (else dimensionless), and its effective mass.
    #[inline(always)]
    pub fn constraint_scale(&self, k: usize) -> (bool, f64) {
        (self.lengths[k], self.effective_masses[k])
    }

    /// The body or joint that an unknown belongs to.
    pub fn owner(&self, unknown: usize) -> (EntityKind, usize) {
        match unknown.checked_sub(self.dofs()) {
            None => (EntityKind::Body, unknown / 6),
            Some(k) => (EntityKind::Joint, self.owners.get(k).copied().unwrap_or(0)),
        }
    }

    /// Evaluates residual and matrix at `workspace.motions`. The residual is not scaled: the caller does that with the
    /// factor that is in the coefficients.
    pub fn assemble(
        &self,
        environment: &Environment,
        level: Level,
        coefficients: Coefficients,
        lambda: &[f64],
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        self.assemble_as(Asking::Anew, environment, level, coefficients, lambda, workspace)
    }

    /// The same, as one evaluation of an iteration on the accelerations: the matrix then also has what the evaluations
    /// since the first one showed of load callbacks beyond their own matrices.
    pub fn assemble_as(
        &self,
        asking: Asking,
        environment: &Environment,
        level: Level,
        coefficients: Coefficients,
        lambda: &[f64],
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        self.progress.count(environment.time, self.bodies())?;
        self.follow_callbacks(environment.callbacks, workspace);
        let Workspace { motions, residual, tangents, matrix, reactions, callbacks, .. } = workspace;
        let into = Evaluation { motions, residual, tangents, reactions, callbacks };
        matrix.clear();
        self.evaluate(asking, environment, level, coefficients, lambda, into, matrix)
    }

    /// The same with another matrix, to which the entries are added; that of the workspace stays as it is.
    fn assemble_into(
        &self,
        environment: &Environment,
        level: Level,
        coefficients: Coefficients,
        lambda: &[f64],
        workspace: &mut Workspace,
        matrix: &mut impl Assemble,
    ) -> Result<(), Failure> {
        self.follow_callbacks(environment.callbacks, workspace);
        let Workspace { motions, residual, tangents, reactions, callbacks, .. } = workspace;
        let into = Evaluation { motions, residual, tangents, reactions, callbacks };
        self.evaluate(Asking::Anew, environment, level, coefficients, lambda, into, matrix)
    }

    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // those of assemble, and where they go
    fn evaluate<A: Assemble>(
        &self,
        asking: Asking,
        environment: &Environment,
        level: Level,
        coefficients: Coefficients,
        lambda: &[f64],
        into: Evaluation,
        matrix: &mut A,
    ) -> Result<(), Failure> {
        let free = &self.free;
        let Evaluation { motions, residual, tangents, reactions, callbacks } = into;
        residual.fill(0.0);
        for t in tangents.iter_mut() {
            t.inertia = Mat6::zeros();
            t.stiffness = Mat6::zeros();
        }
        let mut assembly = Assembly { motions, residual, tangents, matrix, free, coefficients, level };
        self.assemble_elements(asking, environment, lambda, callbacks, &mut assembly)?;
        for (body, _) in self.free.iter().enumerate().filter(|(_, free)| !**free) {
            let rows = &mut residual[6 * body..6 * body + 6];
            reactions[body] = Vec6::from_column_slice(rows);
            rows.fill(0.0);
        }
        Ok(())
    }

    #[inline(always)]
    fn assemble_elements<A: Assemble>(
        &self,
        asking: Asking,
        environment: &Environment,
        lambda: &[f64],
        callbacks: &mut Slots,
        assembly: &mut Assembly<A>,
    ) -> Result<(), Failure> {
        for (body, inertia) in self.inertias.iter().enumerate() {
            inertia::assemble(assembly, body, inertia, &self.gravity);
            let reference = &self.references[body];
            hydrodynamics::assemble(assembly, body, &environment.hydrodynamics[body], reference);
            let arm = Some(reference).filter(|reference| **reference != Vec3::zeros());
            load::assemble(assembly, body, &environment.loads.bodies[body], arm);
        }
        for ((body, frame), load) in self.markers.iter().zip(&environment.loads.markers) {
            load::assemble(assembly, *body, load, Some(&frame.position));
        }
        let places = Places { references: &self.references, origin: &self.origin };
        callbacks.assemble(assembly, environment.callbacks, &places, environment.time, self.scales.length, asking)?;
        self.springs.iter().for_each(|spring| spring.assemble(assembly));
        self.bushings.iter().for_each(|bushing| bushing.assemble(assembly));
        for (k, (joint, near)) in self.joints.iter().zip(environment.coordinates).enumerate() {
            let loads = environment.loads;
            joint.assemble(assembly, lambda, &loads.drives(k));
            joint.assemble_forces(assembly, [loads.joints[k].force, loads.slides[k].force], *near);
        }
        assembly.finish();
        Ok(())
    }

    /// Asks load callbacks at `workspace.motions`, which the next assembly of the iteration will see, and leaves in
    /// `workspace.solution` the right-hand side, times `scale`, of what their wrenches are off from those expected there.
    /// `tolerance`: relative to the wrenches.
    pub fn ask_ahead(
        &self,
        environment: &Environment,
        coefficients: Coefficients,
        scale: f64,
        tolerance: f64,
        workspace: &mut Workspace,
    ) -> Result<Ahead, Failure> {
        let Workspace { motions, solution, callbacks, .. } = workspace;
        solution.fill(0.0);
        let Environment { callbacks: functions, time, .. } = *environment;
        let length = self.scales.length;
        let places = Places { references: &self.references, origin: &self.origin };
        let at = (&motions[..], &self.free[..], &places);
        callbacks.ask_ahead(functions, at, time, length, coefficients, tolerance, scale, solution)
    }

    /// Makes a workspace ready for callbacks that were set or removed: also for evaluations that ask none of them, which keep
    /// room for the couplings that the last ones had.
    #[inline(always)]
    pub fn follow_callbacks(&self, callbacks: &Callbacks, workspace: &mut Workspace) {
        if workspace.callbacks.follow(callbacks, &self.ids) {
            workspace.matrix.forget_pattern();
        }
    }

    /// Motions of all bodies at a state, and of the ground, into `workspace.motions`.
    pub fn move_to(&self, bodies: &[BodyState], workspace: &mut Workspace) {
        for (motion, state) in workspace.motions.iter_mut().zip(bodies) {
            *motion = Motion::of(state);
        }
    }

    /// Motions of what an element is fixed to.
    fn end_motions(&self, ends: [usize; 2], bodies: &[BodyState]) -> [Motion; 2] {
        ends.map(|end| bodies.get(end).map_or_else(Motion::ground, Motion::of))
    }

    /// Pose of a marker, in the host's coordinates.
    pub fn marker_pose(&self, marker: usize, state: &State) -> Pose {
        let (body, frame) = &self.markers[marker];
        let Pose { position, rotation } = state.bodies[*body].pose().compose(frame);
        Pose { position: position + self.origin, rotation }
    }

    /// Velocity and acceleration of a marker (rigid arm), inertial axes, and the rotation of its body.
    pub fn marker_rates(&self, marker: usize, state: &State) -> (Vec6, Vec6, crate::spatial::Mat3) {
        let (body, frame) = &self.markers[marker];
        let motion = Motion::of(&state.bodies[*body]);
        let arm = motion.arm(&frame.position);
        (
            crate::spatial::join(&motion.velocity_at(&arm), &motion.omega),
            crate::spatial::join(&motion.acceleration_at(&arm), &motion.omegadot),
            motion.r,
        )
    }
}

/// What an evaluation fills beside the matrix, and where it takes place.
struct Evaluation<'a> {
    motions: &'a [Motion],
    residual: &'a mut [f64],
    tangents: &'a mut [BodyTangent],
    reactions: &'a mut [Vec6],
    callbacks: &'a mut Slots,
}

/// The initial state of a body as described.
pub fn initial_state(body: &crate::model::Body) -> BodyState {
    BodyState { x: body.pose.position, q: body.pose.rotation, v: body.velocity, vdot: Vec6::zeros() }
}

/// Momentum of a body (about its reference point) and its centre of mass from there, inertial axes.
fn inertia_terms(inertia: &RigidInertia, motion: &Motion) -> (Vec6, Vec3) {
    let eta = motion.r * inertia.eta;
    let rho = motion.r * inertia.inertia * motion.r.transpose();
    let linear = (motion.v + motion.omega.cross(&eta)) * inertia.mass;
    let angular = rho * motion.omega + eta.cross(&motion.v) * inertia.mass;
    (crate::spatial::join(&linear, &angular), eta)
}
