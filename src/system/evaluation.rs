//! Evaluations: the order in which elements, joints and callbacks add to residual and iteration
//! matrix.

use super::assembly::{Assembly, Level, NodeTangent};
use super::coefficients::Coefficients;
use super::energy_form::Stepping;
use super::forces::asking::Asking;
use super::forces::callback::{Ahead, Places, Slots};
use super::forest::Link;
use super::kinks::EnergyWork;
use super::lines::LineWork;
use super::turning::Turning;
use super::views::HostCallbacks;
use super::workspace::Workspace;
use super::{Environment, Failure, Motion, System, inertia};
use crate::linear::{Assemble, Kkt, NoMatrix};
use crate::model::{Callbacks, Loads};

/// The outputs of an evaluation beside the matrix, and the motions at which it takes place.
struct Evaluation<'a> {
    motions: &'a [Motion],
    coordinates: &'a [f64],
    z: &'a [f64],
    energy: &'a mut EnergyWork,
    residual: &'a mut [f64],
    tangents: &'a mut [NodeTangent],
    turnings: &'a [Turning],
    reactions: &'a mut [f64],
    callbacks: &'a mut Slots,
    lines: &'a mut LineWork,
}

impl System {
    /// Evaluates residual and matrix at `workspace.motions`. The residual is not scaled: the caller
    /// scales it by the factor that the coefficients contain.
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

    /// The same, as one evaluation of an iteration on the accelerations: the matrix then includes
    /// the updates learnt from load callbacks since the first evaluation, in addition to their own
    /// matrices.
    pub fn assemble_as(
        &self,
        asking: Asking,
        environment: &Environment,
        level: Level,
        coefficients: Coefficients,
        lambda: &[f64],
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        let (into, matrix) = self.prepare(environment, workspace)?;
        matrix.clear();
        self.evaluate(asking, environment, level, coefficients, Some(lambda), into, matrix)
    }

    /// The residual alone; the matrix of the workspace and its factors are unchanged.
    pub(super) fn assemble_residual(
        &self,
        environment: &Environment,
        level: Level,
        coefficients: Coefficients,
        lambda: &[f64],
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        self.assemble_residual_as(Asking::Anew, environment, level, coefficients, lambda, workspace)
    }

    /// The residual alone, as one evaluation of an iteration that keeps the matrix of an earlier
    /// one.
    pub fn assemble_residual_as(
        &self,
        asking: Asking,
        environment: &Environment,
        level: Level,
        coefficients: Coefficients,
        lambda: &[f64],
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        self.evaluate_residual(asking, environment, level, coefficients, Some(lambda), workspace)
    }

    /// The same; without lambda, constraints have no part.
    fn evaluate_residual(
        &self,
        asking: Asking,
        environment: &Environment,
        level: Level,
        coefficients: Coefficients,
        lambda: Option<&[f64]>,
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        let (into, _) = self.prepare(environment, workspace)?;
        self.evaluate(asking, environment, level, coefficients, lambda, into, &mut NoMatrix)
    }

    /// The residual of accelerations of a forest without reactions.
    pub(super) fn assemble_links(
        &self,
        links: &[Link],
        environment: &Environment,
        coefficients: Coefficients,
        workspace: &mut Workspace,
    ) -> Result<(), Failure> {
        let level = Level::Acceleration;
        self.evaluate_residual(Asking::Anew, environment, level, coefficients, None, workspace)?;
        self.assemble_hinges(links, level, workspace);
        Ok(())
    }

    /// The constraint rows of a forest alone.
    pub(super) fn assemble_hinges(&self, links: &[Link], level: Level, workspace: &mut Workspace) {
        let Workspace { motions, residual, .. } = workspace;
        let constraints = &mut residual[self.dofs()..];
        for (link, hinge) in links.iter().filter_map(|link| Some((link, link.hinge.as_ref()?))) {
            hinge.equations(level, link.ends.map(|end| &motions[end]), constraints);
        }
    }

    /// The start of every evaluation: calls the progress callback, and adapts to the present load
    /// callbacks. Returns the outputs and the matrix of the workspace.
    #[inline(always)]
    fn prepare<'w>(
        &self,
        environment: &Environment,
        workspace: &'w mut Workspace,
    ) -> Result<(Evaluation<'w>, &'w mut Kkt), Failure> {
        environment.progress.count(environment.time, self.layout.nodes())?;
        self.callbacks().follow(environment.callbacks, workspace);
        self.follow_releases(workspace);
        let Workspace {
            motions,
            coordinates,
            z,
            energy,
            residual,
            tangents,
            turnings,
            matrix,
            reactions,
            callbacks,
            lines,
            ..
        } = workspace;
        let into =
            Evaluation { motions, coordinates, z, energy, residual, tangents, turnings, reactions, callbacks, lines };
        Ok((into, matrix))
    }

    #[inline(always)]
    #[allow(clippy::too_many_arguments)] // those of assemble, and the outputs
    fn evaluate<A: Assemble>(
        &self,
        asking: Asking,
        environment: &Environment,
        level: Level,
        coefficients: Coefficients,
        lambda: Option<&[f64]>,
        into: Evaluation,
        matrix: &mut A,
    ) -> Result<(), Failure> {
        let (free, layout) = (&self.free, self.layout);
        let Evaluation { motions, coordinates, z, energy, residual, tangents, turnings, reactions, callbacks, lines } =
            into;
        // Only the increments of a step are those of the scheme.
        let turnings = if level == Level::Position { turnings } else { &[] };
        // Inertia sets the residuals of bodies.
        residual[layout.unknown(layout.bodies())..].fill(0.0);
        tangents[layout.bodies()..].fill(NodeTangent::ZERO);
        let mut assembly =
            Assembly { layout, motions, residual, tangents, turnings, matrix, free, coefficients, level };
        let with = (lambda, coordinates, z);
        self.assemble_elements(asking, environment, with, (callbacks, lines, energy), &mut assembly)?;
        for node in self.nodes().imposed() {
            let range = layout.velocities(node);
            reactions[range.clone()].copy_from_slice(&residual[range.clone()]);
            residual[range].fill(0.0);
        }
        Ok(())
    }

    #[inline(always)]
    fn assemble_elements<A: Assemble>(
        &self,
        asking: Asking,
        environment: &Environment,
        (lambda, coordinates, z): (Option<&[f64]>, &[f64], &[f64]),
        (callbacks, lines, energy): (&mut Slots, &mut LineWork, &mut EnergyWork),
        assembly: &mut Assembly<A>,
    ) -> Result<(), Failure> {
        let c = match asking {
            Asking::Recalling => Coefficients { damping: 0.0, stiffness: 0.0, ..assembly.coefficients },
            _ => assembly.coefficients,
        };
        for (body, mass) in self.inertias.iter().enumerate() {
            inertia::assemble(assembly, body, mass, &self.gravity, c);
            self.elements().assemble_given(environment, body, &lines.fluid, assembly);
        }
        self.elements().assemble_points(environment, &lines.fluid, assembly);
        self.elements().assemble_markers(environment, assembly);
        let places = Places { references: &self.references, origin: &self.origin };
        let size = (self.scales.length, &self.inertias[..]);
        callbacks.assemble(assembly, environment.callbacks, &places, environment.time, size, asking)?;
        self.elements().assemble(environment, z, &lines.fluid, energy, assembly);
        if !self.lines.is_empty() {
            self.assemble_lines(environment, lines, energy, assembly);
        }
        let loads = environment.loads;
        let form = environment.form.as_ref().filter(|_| !self.kinks.on_joints.is_empty());
        let mut stepping = form.map(|form| Stepping::on_joints(form, self, energy));
        for (k, joint) in self.joints.iter().enumerate() {
            // Links, without multipliers, are for models whose friction does not depend on them.
            let with = (z, lambda.unwrap_or_default());
            joint.assemble_forces(assembly, [&loads.joints[k], &loads.slides[k]], coordinates[k], with, &mut stepping);
            if let Some(lambda) = lambda {
                joint.assemble(assembly, lambda, &self.drives(loads, k));
            }
        }
        self.assemble_clutches(coordinates, z, assembly);
        if let Some(lambda) = lambda {
            self.assemble_gears(lambda, coordinates, assembly);
        }
        (0..self.layout.carriers()).for_each(|node| assembly.finish(node));
        Ok(())
    }

    /// Adds the constraints of all joints and gears, with their reactions.
    #[inline(always)]
    pub(super) fn assemble_constraints<A: Assemble>(
        &self,
        lambda: &[f64],
        coordinates: &[f64],
        loads: &Loads,
        assembly: &mut Assembly<A>,
    ) {
        for (k, joint) in self.joints.iter().enumerate() {
            joint.assemble(assembly, lambda, &self.drives(loads, k));
        }
        self.assemble_gears(lambda, coordinates, assembly);
    }

    #[inline(always)]
    fn assemble_gears<A: Assemble>(&self, lambda: &[f64], coordinates: &[f64], assembly: &mut Assembly<A>) {
        for gear in &self.gears {
            gear.assemble(assembly, &self.joints, lambda, coordinates);
        }
    }
}

impl HostCallbacks<'_> {
    /// Calls load callbacks at `workspace.motions`, where the next assembly of the iteration will
    /// be, and writes to `workspace.solution` the right-hand side, times `scale`, of the difference
    /// between their wrenches and the expected ones. `tolerance`: relative to the wrenches.
    pub fn ask_ahead(
        self,
        environment: &Environment,
        coefficients: Coefficients,
        scale: f64,
        tolerance: f64,
        workspace: &mut Workspace,
    ) -> Result<Ahead, Failure> {
        let Workspace { motions, solution, callbacks, .. } = workspace;
        solution.fill(0.0);
        let Environment { callbacks: functions, time, .. } = *environment;
        let length = self.0.scales.length;
        let places = Places { references: &self.0.references, origin: &self.0.origin };
        let at = (self.0.layout, &motions[..], &self.0.free[..], &places);
        callbacks.ask_ahead(functions, at, time, length, coefficients, tolerance, scale, solution)
    }

    /// Finds the damping of load callbacks that return none and are stiff for steps of length h, at
    /// the motions of `Kinetics::accelerations`, which have just been found.
    pub(super) fn find_damping(self, e: &Environment, h: f64, workspace: &mut Workspace) -> Result<(), Failure> {
        let Workspace { motions, callbacks, .. } = workspace;
        let places = Places { references: &self.0.references, origin: &self.0.origin };
        let size = (self.0.scales.length, &self.0.inertias[..]);
        callbacks.find_damping(e.callbacks, (motions, &places), e.time, h, size)
    }

    /// Whether the wrenches of load callbacks changed so differently from the prediction by the
    /// factorised matrix that an iteration with this matrix would converge slowly. Differences
    /// below `tolerance`, relative to the wrenches, do not count.
    #[inline(always)]
    pub fn need_matrix(self, tolerance: f64, workspace: &Workspace) -> bool {
        workspace.callbacks.need_matrix(tolerance)
    }

    /// Makes the next assembly, which is at the same motions as the last one, use the results of
    /// its callbacks instead of calling them again.
    #[inline(always)]
    pub fn stay(self, workspace: &mut Workspace) {
        workspace.callbacks.stay();
    }

    /// Adapts a workspace to callbacks that were set or removed, also for evaluations without
    /// callbacks, which still reserve the entries of the last couplings.
    #[inline(always)]
    pub fn follow(self, callbacks: &Callbacks, workspace: &mut Workspace) {
        if workspace.callbacks.follow(callbacks, &self.0.ids) {
            workspace.matrix.forget_pattern();
        }
    }
}
