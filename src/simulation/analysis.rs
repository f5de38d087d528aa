//! Analyses of the present state: equilibrium, coordinates and accelerations, linearisation, modes,
//! load compliance.
//!
//! Except for `solve_equilibrium` and `set_coordinates`, they read the trial if one is pending,
//! else the accepted state, under the present loads, and change nothing. Matrices are column-major.

use super::outputs::finite;
use super::stepping::count_parts;
use super::views::{Analysis, HostInputs};
use super::{LinearInputs, LinearModel, Phase, Simulation};
use crate::analysis::compliance::{self, End};
use crate::analysis::equilibrium::{self, Statics, Unbalanced};
use crate::analysis::linearization::{self, LoadPoint, Site};
use crate::analysis::{modes, turning};
use crate::error::{Error, Result};
use crate::model::{EntityKind, Id, Loads};
use crate::number::{Number, Rounded};
use crate::scheme::Point;
use crate::spatial::pose::check_finite;
use crate::spatial::{Pose, Vec3, Vec6, lower, rotation, upper};
use crate::system::{BodyState, Environment, Failure, Restless, State, System, Workspace, begin_means};
use nalgebra::DMatrix;

/// Why there is no steady turning.
const NOT_TURNING: &str = "gravity, loads or supports do not turn with the model, as option \"rotating_modes\" needs it: \
                           they must look the same after any turn about the axis";

/// A natural mode `exp(s t)`.
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// `|s|/(2 pi)`: the undamped natural frequency (Hz).
    pub frequency: f64,
    /// `-Re s/|s|`: 1 for a real root that decays, -1 for one that grows, 0 for s = 0.
    pub damping_ratio: f64,
    /// Per body: real parts of displacement and rotation in I, then imaginary parts. The largest
    /// component of all, including those of points, which are not returned, is 1.
    pub shape: Vec<[f64; 12]>,
}

/// Most iterations and the tolerance of [`Simulation::solve_equilibrium`] where nothing else is
/// asked for.
pub const EQUILIBRIUM_SEARCH: (i32, f64) = (200, 1e-8);

impl Simulation {
    /// Moves the accepted state to a static equilibrium under the present loads at constant time.
    /// Phase READY.
    ///
    /// Velocities become zero; imposed motions keep their accepted positions, at rest, until others
    /// are given. The next step starts anew. `tolerance`: largest residual force relative to the
    /// largest weight, initial reaction or first residual force. A state in equilibrium is kept,
    /// whether stable or not. Returns the number of steps. Where lines have bending stiffness,
    /// `max_iterations` bounds each of up to three searches; while that stiffness grows there are
    /// at most a thousand more steps.
    ///
    /// Errors: `max_iterations` < 1, `tolerance` outside 0..1; `NoEquilibrium` names the body or
    /// point that keeps moving, or the line without a shape at rest, and its node; `Callback`,
    /// `Singular`, `Unstable`.
    pub fn solve_equilibrium(&mut self, max_iterations: i32, tolerance: f64) -> Result<u32> {
        self.require(&[Phase::Ready], "an equilibrium becomes the accepted state (phase READY)")?;
        let most = u32::try_from(max_iterations).ok().filter(|most| *most > 0);
        let most =
            most.ok_or_else(|| Error::bad_value("max_iterations", format!("{max_iterations} is not positive")))?;
        check_finite("tolerance", &[tolerance])?;
        if !(tolerance > 0.0 && tolerance < 1.0) {
            return Err(Error::bad_value(
                "tolerance",
                format!("{} is not between 0 and 1 (both excluded)", Number(tolerance)),
            ));
        }
        let run = self.readable()?;
        let mut state = run.accepted.state.clone();
        let mut loads = self.loads_at(&run.system, &state)?;
        for drive in loads.on_joints_mut().filter_map(|joint| joint.drive.as_mut()) {
            *drive = [drive[0], 0.0, 0.0];
        }
        loads.lines.iter_mut().for_each(|line| line.rate = 0.0);
        for (_, motion) in loads.imposed_mut() {
            *motion = BodyState { v: Vec6::zeros(), vdot: Vec6::zeros(), ..*motion };
        }
        let statics = Statics {
            system: &run.system,
            time: state.time,
            loads: &loads,
            hydrodynamics: self.inputs.wet(),
            water: &self.inputs.water,
            callbacks: &self.callbacks,
            progress: &self.progress,
        };
        let mut workspace = run.workspace();
        let time = state.time;
        let machines = run.system.machines();
        machines.release(&mut state);
        let solve = |state: &mut State, workspace: &mut Workspace| {
            equilibrium::solve(&statics, state, workspace, most, tolerance).map_err(|why| match why {
                Unbalanced::Failure(failure) => {
                    let turned = run.system.elements().overturned(&workspace.motions);
                    let lost = run.system.elements().lost_path(&workspace.motions);
                    let error = self.with_overturned(self.explain(failure, &run.system, time, 0.0), turned);
                    self.with_lost_path(error, lost)
                }
                Unbalanced::Restless(Restless { node, force, distance, iterations }) => {
                    let (kind, index) = run.system.nodes().entity(node);
                    let (_, of_line) = run.system.lines().of_node(node).unwrap_or_default();
                    let entity = format!("{} node {of_line}", self.model.describe(kind, index));
                    Error::NoEquilibrium { time, iterations, entity, force, distance, cause: String::new() }
                }
                Unbalanced::Moving { node, iterations, force, distance, part, turned } => {
                    let (kind, index) = run.system.nodes().entity(node);
                    let node_of_line = run.system.lines().of_node(node).map(|(_, node)| format!(" node {node}"));
                    let cause = part.map_or(String::new(), |part| {
                        format!(
                            "; with {} of the bending stiffness of the lines there is an equilibrium, \
                             with more none was found",
                            Rounded(part)
                        )
                    });
                    let entity = self.model.describe(kind, index) + &node_of_line.unwrap_or_default();
                    let error = Error::NoEquilibrium { time, iterations, entity, force, distance, cause };
                    self.with_overturned(error, turned)
                }
            })
        };
        let mut steps = solve(&mut state, &mut workspace)?;
        // Each pass closes or opens stops; every one of them once in each direction.
        let mut passes = machines.most_stops();
        while machines.follow_stops(&mut state) {
            if passes == 0 {
                let detail = "stops or contacts close and open in turn without an end".to_owned();
                return Err(Error::Unsupported { argument: "sys", detail });
            }
            passes -= 1;
            steps += solve(&mut state, &mut workspace)?;
        }
        let environment = self.environment(time, &loads);
        let explain = |failure| self.explain(failure, &run.system, time, 0.0);
        machines.begin(&environment, &mut state, &self.inputs.settings, &mut workspace).map_err(explain)?;
        run.system.balance().reactions(&environment, &mut state, &mut workspace).map_err(explain)?;
        self.require_finite(&run.system, &state)?;
        self.restart_at(state, &loads);
        self.inputs.loads = loads;
        Ok(steps)
    }

    /// Makes a state the accepted one, with its loads, and discards the history.
    /// Makes a state with other places and velocities the accepted one: accelerations and reactions
    /// follow, and the next step starts anew. Errors: as [`HostInputs::set_coordinates`].
    pub(super) fn go_on_from(&mut self, mut state: State, loads: &Loads) -> Result<()> {
        let run = self.readable()?;
        let (system, mut workspace, time) = (&run.system, run.workspace(), state.time);
        let environment = self.environment(time, loads);
        system
            .machines()
            .begin(&environment, &mut state, &self.inputs.settings, &mut workspace)
            .and_then(|()| system.kinetics().accelerations(&environment, &mut state, &mut workspace))
            .and_then(|()| system.balance().reactions(&environment, &mut state, &mut workspace))
            .map_err(|failure| self.explain(failure, system, time, 0.0))?;
        self.require_finite(system, &state)?;
        self.restart_at(state, loads);
        Ok(())
    }

    fn restart_at(&mut self, mut state: State, loads: &Loads) {
        if let Some(run) = &mut self.run {
            begin_means(&run.system, &mut state);
            let shape = run.accepted.history.past.shape();
            *run.accepted = Point::new(state, loads.clone(), shape);
        }
    }

    pub(super) fn require_run(&self) -> Result<()> {
        self.require(&[Phase::Ready, Phase::Trial], "analyses need an initialized model (phase READY or TRIAL)")
    }

    /// The present loads, with the imposed motions of a state and the present lengths of lines,
    /// because the ones that are set for these hold at the end of the coming step.
    pub(super) fn loads_at(&self, system: &System, state: &State) -> Result<Loads> {
        let mut loads = self.inputs.loads.clone();
        system.loading().note_motions(state, &mut loads);
        loads.lines.clone_from(&self.point()?.loads.lines);
        Ok(loads)
    }

    pub(super) fn environment<'a>(&'a self, time: f64, loads: &'a Loads) -> Environment<'a> {
        let Simulation { inputs, callbacks, progress, .. } = self;
        Environment { time, loads, hydrodynamics: inputs.wet(), water: &inputs.water, callbacks, progress, form: None }
    }

    /// Calls `analyse` with the present state, its loads and surroundings, about the reference
    /// points of the bodies.
    pub(super) fn at_present<T>(&self, analyse: impl FnOnce(&Site) -> std::result::Result<T, Failure>) -> Result<T> {
        self.require_run()?;
        let (system, state) = (&self.readable()?.system, &self.point()?.state);
        if !system.references().has_arms() {
            return self.analyse(system, state, analyse);
        }
        let about_reference_points = system.alike(&self.model.measured_from(system.references().origin()));
        let mut told = state.clone();
        for index in 0..told.bodies() {
            let moved = system.references().state(index, &told.body(index));
            told.set_body(index, &moved);
        }
        self.analyse(&about_reference_points, &told, analyse)
    }

    fn analyse<T>(
        &self,
        system: &System,
        state: &State,
        analyse: impl FnOnce(&Site) -> std::result::Result<T, Failure>,
    ) -> Result<T> {
        let loads = self.loads_at(system, state)?;
        let site = Site { system, environment: self.environment(state.time, &loads), state };
        analyse(&site).map_err(|failure| self.explain(failure, system, state.time, 0.0))
    }

    /// Sets poses and velocities of a state; prescribed bodies keep theirs.
    fn enter_coordinates(
        &self,
        system: &System,
        state: &mut State,
        poses: &[[f64; 7]],
        velocities: &[[f64; 6]],
    ) -> Result<()> {
        let count = state.bodies();
        for given in [poses.len(), velocities.len()] {
            if given != count {
                let expected = format!("{count} (the number of bodies)");
                return Err(Error::BadSize { argument: "n", given: given as i64, expected });
            }
        }
        check_finite("poses", poses.as_flattened())?;
        check_finite("velocities", velocities.as_flattened())?;
        for (k, (pose, velocity)) in poses.iter().zip(velocities).enumerate() {
            let pose = Pose::of_many("poses", pose, || self.model.describe(EntityKind::Body, k))?;
            if !self.model.bodies[k].prescribed {
                // Accelerations are computed from these.
                let (v, vdot) = (Vec6::from_column_slice(velocity), Vec6::zeros());
                let given = BodyState { x: pose.position, q: pose.rotation, v, vdot };
                let vdot = state.body(k).vdot;
                state.set_body(k, &BodyState { vdot, ..system.references().integrated_state(k, &given) });
            }
        }
        Ok(())
    }

    /// The same for given points. Phase READY, TRIAL.
    pub(super) fn linearize_at(&self, inputs: &[LoadPoint], sensors: &[usize]) -> Result<LinearModel> {
        let linear = self.at_present(|site| linearization::linearize(site, inputs, sensors, &Vec3::zeros()))?;
        let columns = |name, matrix: DMatrix<f64>| finite(name, Vec::from(matrix.data));
        Ok(LinearModel {
            states: linear.a.nrows(),
            coordinates: linear.coordinates.independent,
            basis: columns("basis", linear.coordinates.basis)?,
            a: columns("a", linear.a)?,
            b: columns("b", linear.b)?,
            c: columns("c", linear.c)?,
            d: columns("d", linear.d)?,
        })
    }

    /// `d(acceleration, velocity, displacement)/d(load)` of points at the end of a step of length
    /// `dt`, in I: three matrices. In phase TRIAL at the end of the trial step (whose length `dt`
    /// must be), in READY at the accepted state, for the coming step. Not for the first step after
    /// a start or discontinuity, where loads also act on the start values.
    ///
    /// Errors: `dt` not positive, or longer than `max_time_step`; `Unsupported` (a scheme without
    /// iteration matrix); `Singular`, `Callback`.
    pub(super) fn compliance_at(&self, points: &[LoadPoint], dt: f64) -> Result<[Vec<f64>; 3]> {
        self.require_run()?;
        check_finite("dt", &[dt])?;
        let longest = self.inputs.settings.max_time_step();
        let time = self.readable()?.accepted.state.time;
        if dt <= 0.0 || count_parts(dt, time, longest, &self.inputs)? > 1.0 {
            return Err(Error::bad_value(
                "dt",
                format!("{} is not in 0..{} (the longest internal step)", Number(dt), Number(longest)),
            ));
        }
        let (accepted, present) = (&self.readable()?.accepted.state, &self.point()?.state);
        let tried = present.time_since(accepted);
        // If the step was cut, the matrix is that of its last part.
        let internal = self.point()?.history.step;
        let is_tried = |length: f64| (dt - length).abs() <= 1e-9 * length;
        if self.phase() == Phase::Trial && !is_tried(tried) && !is_tried(internal) {
            return Err(Error::bad_value(
                "dt",
                format!("{} is not the length of the trial step, {}", Number(dt), Number(tried)),
            ));
        }
        let rates = self.inputs.scheme.rates_per_increment(&self.inputs.settings, dt);
        let [velocity, acceleration] = rates.filter(|_| !self.inputs.settings.linear()).ok_or_else(|| {
            let detail = format!(
                "no iteration matrix in {} (generalized-alpha, momentum-alpha, newmark, hht without option \"linear\")",
                self.inputs.scheme
            );
            Error::Unsupported { argument: "scheme", detail }
        })?;
        let turned = (0..accepted.bodies())
            .map(|body| (accepted.body(body), present.body(body)))
            .map(|(from, to)| rotation::exp_with_tangent(&rotation::log(&(to.q * from.q.inverse()))).1);
        let tangents: Vec<_> = turned.collect();
        let (system, points_of_step) = (&self.readable()?.system, [&self.readable()?.accepted, self.point()?]);
        let turnings = self.inputs.scheme.turnings(&self.inputs.settings, (system, dt), points_of_step, &tangents);
        let [start, _] = points_of_step;
        let memories = start.history.alpha().map_or(&[][..], |alpha| &alpha.kinks.memories);
        let form = self.inputs.scheme.energy_form(&self.inputs.settings, system, dt).filter(|_| !memories.is_empty());
        let found = self.analyse(system, present, |site| {
            let environment = Environment { form, ..site.environment };
            let end = End {
                site: Site { system: site.system, environment, state: site.state },
                from: (&start.state, &start.loads.lines, memories),
                lambda: &present.lambda,
                tangents: &tangents,
                turnings: &turnings,
                velocity,
                acceleration,
            };
            compliance::compliance(&end, points)
        })?;
        let found = found.map(|matrix| matrix.as_slice().to_vec());
        for matrix in &found {
            finite("out", matrix)?;
        }
        Ok(found)
    }
}

impl HostInputs<'_> {
    /// Makes given poses and velocities the accepted state at constant time, under the present
    /// loads; the next step starts anew. Prescribed bodies keep their motion; lines follow
    /// (`Lines::carry`). Phase READY.
    ///
    /// Errors: as `eval_accelerations`; `NoEquilibrium` for a line without a shape at rest there;
    /// `InconsistentState` names the joint that the state violates (with option `assemble` = 1 it
    /// is projected instead); `RedundantConstraints` where joints contradict each other there.
    pub fn set_coordinates(&mut self, poses: &[[f64; 7]], velocities: &[[f64; 6]]) -> Result<()> {
        self.0.require(&[Phase::Ready], "coordinates become the accepted state (phase READY)")?;
        let run = self.0.readable()?;
        let (system, mut state) = (&run.system, run.accepted.state.clone());
        let loads = self.0.loads_at(system, &state)?;
        self.0.enter_coordinates(system, &mut state, poses, velocities)?;
        system.coordinates().count_anew(&run.accepted.state, &mut state, &loads);
        let mut workspace = run.workspace();
        self.0.make_admissible(system, &mut state, &loads, &mut workspace)?;
        self.0.carry_lines(system, &run.accepted.state, &mut state, &loads)?;
        system.coordinates().count_anew(&run.accepted.state, &mut state, &loads);
        self.0.go_on_from(state, &loads)
    }
}

impl Analysis<'_> {
    /// M including added mass, in I: 6 rows per body, then 3 per point; rows and columns of
    /// prescribed, fixed and attached ones are zero. Phase READY, TRIAL.
    pub fn mass_matrix(self) -> Result<Vec<f64>> {
        self.0
            .at_present(|site| {
                let (system, state) = (site.system, site.state);
                let mut workspace = Workspace::new(system);
                Ok(system.kinetics().mass_matrix(&site.environment, state, &mut workspace)?.as_slice().to_vec())
            })
            .and_then(|mass| finite("mass", mass))
    }

    /// B, with `B (v, omega)` the rates of the constraints: independent constraints x (6 per body,
    /// 3 per point). Phase READY, TRIAL.
    pub fn constraint_jacobian(self) -> Result<Vec<f64>> {
        self.0
            .at_present(|site| {
                Ok(site.system.constraints().jacobian(site.state, site.environment.loads, true).as_slice().to_vec())
            })
            .and_then(|jacobian| finite("jacobian", jacobian))
    }

    /// Accelerations of all bodies at given poses and velocities, under the present loads;
    /// prescribed bodies keep their motion. Phase READY, TRIAL. Errors: lengths unequal to the
    /// count, not finite, quaternion not of unit norm.
    pub fn eval_accelerations(self, poses: &[[f64; 7]], velocities: &[[f64; 6]]) -> Result<Vec<[f64; 6]>> {
        self.0.require_run()?;
        let (run, state) = (self.0.readable()?, &self.0.point()?.state);
        let system = &run.system;
        let mut given = state.clone();
        self.0.enter_coordinates(system, &mut given, poses, velocities)?;
        let loads = self.0.loads_at(system, state)?;
        system.coordinates().count_anew(state, &mut given, &loads);
        let site = Site { system, environment: self.0.environment(given.time, &loads), state: &given };
        // A copy of the run's workspace, because its matrix has been analysed.
        let found = linearization::accelerations(&site, &mut run.workspace());
        let found = found.map_err(|failure| self.0.explain(failure, system, state.time, 0.0))?;
        let told = |k| finite("accelerations", system.references().state(k, &found.body(k)).vdot.into());
        (0..found.bodies()).map(told).collect()
    }

    /// Linearises about the present state. Inputs are the wrenches on `bodies`, then on `loads`
    /// (markers), outputs the motions of `sensors` (markers). Phase READY, TRIAL. Errors: a bad id;
    /// `Singular`, `Callback`.
    pub fn linearize(self, bodies: &[Id], loads: &[Id], sensors: &[Id]) -> Result<LinearModel> {
        self.linearize_inputs(&LinearInputs { bodies, markers: loads, joints: &[], slides: &[] }, sensors)
    }

    /// Natural modes of the present state, and the largest velocity and acceleration of a body or
    /// point there (rotations times the model's length): modes belong to an equilibrium only where
    /// both vanish. With option `rotating_modes` those about steady turning. Phase READY, TRIAL.
    /// Errors: gravity, loads or supports that do not turn with the model.
    pub fn modes(self) -> Result<(Vec<Mode>, [f64; 2])> {
        let rotating = self.0.inputs.settings.get("rotating_modes")? == 1.0;
        self.0
            .at_present(|site| {
                let linear = match rotating {
                    true => turning::linearize_turning(site)?,
                    false => Some(linearization::linearize(site, &[], &[], &Vec3::zeros())?),
                };
                let Some(linear) = linear else { return Ok(None) };
                let length = site.system.scales().length;
                let largest = |of: fn(&BodyState) -> &Vec6| {
                    let sizes = linear
                        .state
                        .motions()
                        .map(|body| upper(of(&body)).norm().max(lower(of(&body)).norm() * length));
                    sizes.fold(0.0f64, f64::max)
                };
                let motion = match rotating && turning::turns(&linear.state) {
                    true => [0.0; 2],
                    false => [largest(|body| &body.v), largest(|body| &body.vdot)],
                };
                // The computation of eigenvalues cannot be interrupted.
                site.environment.progress.ask(site.environment.time)?;
                let found = modes::modes(site.system, &linear)?.into_iter().map(|mode| {
                    let size = mode.root.norm();
                    // Displacements of bodies; those of points come after them.
                    let (bodies, _) = mode.shape.split_at(6 * linear.state.bodies());
                    let shape = bodies.as_chunks::<6>().0.iter();
                    Mode {
                        frequency: size / std::f64::consts::TAU,
                        damping_ratio: if size > 0.0 { -mode.root.re / size } else { 0.0 },
                        shape: shape
                            .map(|six| std::array::from_fn(|k| if k < 6 { six[k].re } else { six[k - 6].im }))
                            .collect(),
                    }
                });
                Ok(Some((found.collect(), motion)))
            })
            .and_then(|found: Option<(Vec<Mode>, _)>| {
                let (modes, motion) = found.ok_or_else(|| Error::bad_value("sys", NOT_TURNING))?;
                for mode in &modes {
                    finite("frequencies", [mode.frequency, mode.damping_ratio])?;
                    finite("shapes", mode.shape.as_flattened())?;
                }
                Ok((modes, finite("motion", motion)?))
            })
    }
}
