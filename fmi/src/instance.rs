//! An instance: its mode, the values of the importer, the simulation and its steps.
//!
//! A step stays a trial until the next one begins: so directional derivatives are those of that
//! step, and a saved state contains it. In Initialization Mode the simulation is built again
//! whenever outputs are read after a value was set, so that they are right before the first step.

use crate::failure::{Failure, Status, is_numerics};
use crate::memory::room;
use crate::model::Model;
use crate::parameters::{Target, set_physical, settle};
use pintle::{EntityKind, InputChoice, Memory, Phase, Simulation};
use std::sync::Arc;

/// Result of an importer's call.
pub type Outcome<T> = Result<T, Failure>;

/// The mode of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Parameters and start values can be set.
    Instantiated = 0,
    /// The same, and outputs are valid.
    Initialization = 1,
    /// Steps are made.
    Step = 2,
    /// Outputs can be read.
    Terminated = 3,
}

/// Values of the importer.
#[derive(Debug, PartialEq)]
pub struct Values {
    /// By the numbers of the inputs.
    pub inputs: Vec<f64>,
    /// Six per carrier, added to the load of its inputs.
    pub wrenches: Vec<f64>,
    /// Time derivatives of inputs over the coming step.
    pub rates: Vec<f64>,
    /// Whether each group of inputs was set.
    pub touched: Vec<bool>,
    /// By the numbers of the parameters.
    pub parameters: Vec<f64>,
    /// The time scheme.
    pub scheme: String,
}

impl Clone for Values {
    fn clone(&self) -> Values {
        let Values { inputs, wrenches, rates, touched, parameters, scheme } = self;
        Values {
            inputs: inputs.clone(),
            wrenches: wrenches.clone(),
            rates: rates.clone(),
            touched: touched.clone(),
            parameters: parameters.clone(),
            scheme: scheme.clone(),
        }
    }

    /// Reuses the existing memory, because masters save states in every step.
    fn clone_from(&mut self, other: &Values) {
        let Values { inputs, wrenches, rates, touched, parameters, scheme } = other;
        self.inputs.clone_from(inputs);
        self.wrenches.clone_from(wrenches);
        self.rates.clone_from(rates);
        self.touched.clone_from(touched);
        self.parameters.clone_from(parameters);
        self.scheme.clone_from(scheme);
    }
}

impl Values {
    /// Those of the model file.
    pub fn of(model: &Model) -> Values {
        Values {
            inputs: model.inputs.iter().map(|input| input.start).collect(),
            wrenches: vec![0.0; 6 * model.carriers.len()],
            rates: vec![0.0; model.inputs.len()],
            touched: vec![false; model.groups],
            parameters: model.parameters.iter().map(|parameter| parameter.start).collect(),
            scheme: model.base.given().scheme(),
        }
    }

    /// Whether both have the same parameters, so that the simulation need not be built again.
    pub fn same_parameters(&self, other: &Values) -> bool {
        self.scheme == other.scheme && self.parameters == other.parameters
    }
}

/// The result of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reached {
    /// The time that was reached.
    pub time: f64,
    /// Whether that is less than the requested time.
    pub early: bool,
}

/// The inputs that were set, in the form of the simulation.
pub(crate) struct Feed {
    choice: InputChoice,
    /// Their numbers.
    inputs: Vec<usize>,
    values: Vec<f64>,
}

/// A running model.
pub struct Instance {
    pub(crate) model: Arc<Model>,
    pub(crate) mode: Mode,
    pub(crate) start_time: f64,
    /// No step may pass this time.
    pub(crate) stop_time: Option<f64>,
    pub(crate) values: Values,
    /// The values with which the simulation was built.
    pub(crate) built_with: Option<Values>,
    pub(crate) simulation: Option<Simulation>,
    /// Length of the trial step; 0 if there is none.
    pub(crate) last_step: f64,
    /// Whether the trial step is the first one.
    pub(crate) is_first: bool,
    /// Whether it was not cut.
    pub(crate) is_whole: bool,
    pub(crate) feed: Option<Feed>,
    pub(crate) outputs: Vec<f64>,
    pub(crate) outputs_known: bool,
}

/// How often a failed step is halved if the importer allows early return.
const MOST_HALVES: i32 = 10;

impl Instance {
    /// An instance of a model, in mode Instantiated.
    pub fn new(model: Arc<Model>) -> Instance {
        let (values, outputs) = (Values::of(&model), vec![0.0; model.outputs.len()]);
        Instance {
            model,
            mode: Mode::Instantiated,
            start_time: 0.0,
            stop_time: None,
            values,
            built_with: None,
            simulation: None,
            last_step: 0.0,
            is_first: true,
            is_whole: false,
            feed: None,
            outputs,
            outputs_known: false,
        }
    }

    /// The mode.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The variables.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Restores mode Instantiated, with the values of the model file.
    pub fn reset(&mut self) -> Outcome<()> {
        let _lists = room(self.model.list_memory())?;
        *self = Instance::new(self.model.clone());
        Ok(())
    }

    pub(crate) fn require(&self, modes: &[Mode], what: &str) -> Outcome<()> {
        if modes.contains(&self.mode) {
            return Ok(());
        }
        Err(Failure::error(format!("{what} is not allowed in mode {:?}", self.mode)))
    }

    /// Sets the start time and the stop time. Mode Instantiated.
    pub fn set_times(&mut self, start: f64, stop: Option<f64>) -> Outcome<()> {
        self.require(&[Mode::Instantiated], "setting the start time")?;
        if !start.is_finite() {
            return Err(Failure::error(format!("the start time {start} is not finite")));
        }
        if let Some(stop) = stop.filter(|stop| stop.is_nan() || *stop < start) {
            return Err(Failure::error(format!("the stop time {stop} is not after the start time {start}")));
        }
        (self.start_time, self.stop_time) = (start, stop);
        self.forget();
        Ok(())
    }

    /// Instantiated -> Initialization.
    pub fn enter_initialization(&mut self) -> Outcome<()> {
        self.require(&[Mode::Instantiated], "entering Initialization Mode")?;
        self.mode = Mode::Initialization;
        Ok(())
    }

    /// Initialization -> Step. Errors: no consistent start with these values.
    pub fn exit_initialization(&mut self) -> Outcome<()> {
        self.require(&[Mode::Initialization], "leaving Initialization Mode")?;
        self.ready().map_err(|failure| Failure { status: Status::Error, ..failure })?;
        self.mode = Mode::Step;
        Ok(())
    }

    /// Step -> Terminated.
    pub fn terminate(&mut self) -> Outcome<()> {
        self.require(&[Mode::Step, Mode::Initialization], "terminating")?;
        self.mode = Mode::Terminated;
        Ok(())
    }

    /// Marks the simulation as outdated; before the first step it is built again.
    pub(crate) fn forget(&mut self) {
        if matches!(self.mode, Mode::Instantiated | Mode::Initialization) {
            self.simulation = None;
        }
        self.outputs_known = false;
    }

    /// A simulation that starts with given values.
    pub(crate) fn build(&self, values: &Values) -> Outcome<Simulation> {
        let model = &self.model;
        let mut system = model.base.clone();
        if values.scheme != system.given().scheme() {
            system.settings().set_scheme(&values.scheme)?;
        }
        let (mut moved, mut settled) = (false, false);
        for (parameter, value) in model.parameters.iter().zip(&values.parameters) {
            if *value == parameter.start {
                continue;
            }
            match parameter.target {
                Target::Option("max_time_step") if *value == 0.0 => {
                    system.settings().set_option("max_time_step", f64::INFINITY)
                }
                Target::Option(key) => system.settings().set_option(key, *value),
                Target::Initial(..) => {
                    moved = true;
                    Ok(())
                }
                Target::Equilibrium if *value == 1.0 => {
                    settled = true;
                    Ok(())
                }
                Target::Equilibrium => {
                    return Err(Failure::error(format!("{} = {value} is not 0 or 1", parameter.name)));
                }
                Target::Physical(..) => Ok(()),
            }
            .map_err(|error| Failure { message: format!("{}: {error}", parameter.name), ..error.into() })?;
        }
        set_physical(&model.parameters, &values.parameters, &mut system)?;
        // Winches act during a run only.
        let is_initial = |kind| kind != EntityKind::Line;
        if let Some(mut feed) = self.feed(values, is_initial)? {
            feed.fill(model, values, 0.0);
            system.inputs().set_chosen_inputs(&feed.choice, &feed.values)?;
        }
        system.initialize(self.start_time)?;
        if moved {
            self.place(&mut system, values)?;
        }
        if settled {
            settle(&mut system)?;
        }
        Ok(system)
    }

    /// Sets initial poses and velocities from the parameters.
    fn place(&self, system: &mut Simulation, values: &Values) -> Outcome<()> {
        let count = system.description().count(EntityKind::Body);
        let mut poses = (0..count).map(|body| system.outputs().body_pose(body)).collect::<pintle::Result<Vec<_>>>()?;
        let velocity = |body| system.outputs().body_velocity(body, pintle::Frame::Inertial);
        let mut velocities = (0..count).map(velocity).collect::<pintle::Result<Vec<_>>>()?;
        for (parameter, value) in self.model.parameters.iter().zip(&values.parameters) {
            if let Target::Initial(body, k) = parameter.target {
                match k {
                    0..7 => poses[body as usize][k] = *value,
                    _ => velocities[body as usize][k - 7] = *value,
                }
            }
        }
        for (body, pose) in poses.iter_mut().enumerate() {
            let norm = pose[3..].iter().map(|x| x * x).sum::<f64>().sqrt();
            if !(0.5..=2.0).contains(&norm) {
                return Err(Failure::error(format!("the initial quaternion of body {body} has norm {norm}, not 1")));
            }
            // A norm that is 1 up to rounding is kept.
            if (norm - 1.0).abs() > 1e-12 {
                pose[3..].iter_mut().for_each(|x| *x /= norm);
            }
        }
        Ok(system.inputs().set_coordinates(&poses, &velocities)?)
    }

    /// The simulation, built if necessary.
    pub(crate) fn ready(&mut self) -> Outcome<&mut Simulation> {
        if self.simulation.is_none() {
            let _start = self.room_to_build()?;
            let simulation = self.build(&self.values)?;
            self.built_with = Some(self.values.clone());
            (self.last_step, self.is_first, self.feed, self.outputs_known) = (0.0, true, None, false);
            self.simulation = Some(simulation);
        }
        self.simulation.as_mut().ok_or_else(|| Failure::error("the instance has no simulation"))
    }

    /// The inputs that were set, of some kinds of entities.
    fn feed(&self, values: &Values, kinds: impl Fn(EntityKind) -> bool) -> Outcome<Option<Feed>> {
        let chosen = self.model.inputs.iter().enumerate().filter(|(_, input)| values.touched[input.group]);
        let inputs: Vec<usize> = chosen.filter(|(_, input)| kinds(input.owner.0)).map(|(k, _)| k).collect();
        if inputs.is_empty() {
            return Ok(None);
        }
        let choice = self.model.list.choose(&inputs)?;
        Ok(Some(Feed { choice, values: vec![0.0; inputs.len()], inputs }))
    }

    /// Sets the inputs for the end of a step of length `dt` in a simulation.
    pub(crate) fn apply(&self, system: &mut Simulation, feed: &mut Feed, values: &Values, dt: f64) -> Outcome<()> {
        feed.fill(&self.model, values, dt);
        Ok(system.inputs().set_chosen_inputs(&feed.choice, &feed.values)?)
    }

    /// All inputs that were set.
    pub(crate) fn whole_feed(&self, values: &Values) -> Outcome<Option<Feed>> {
        self.feed(values, |_| true)
    }

    /// Steps from `time` by `dt`. With `may_stop` a failed step ends at the time that was reached.
    /// Mode Step.
    ///
    /// Errors: `time` is not the time of the instance; `dt` not positive, or past the stop time;
    /// `Discard` if no step succeeds, with the instance unchanged.
    pub fn step(&mut self, time: f64, dt: f64, may_stop: bool) -> Outcome<Reached> {
        self.require(&[Mode::Step], "a step")?;
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(Failure::error(format!("the communication step size {dt} is not positive and finite")));
        }
        let _step = self.room_to_step()?;
        let mut feed = match self.feed.take() {
            Some(feed) => Some(feed),
            None => self.whole_feed(&self.values)?,
        };
        let Some(mut simulation) = self.simulation.take() else {
            return Err(Failure::error("the instance has no simulation"));
        };
        let outcome = self.step_from(&mut simulation, &mut feed, time, dt, may_stop);
        (self.simulation, self.feed, self.outputs_known) = (Some(simulation), feed, false);
        outcome
    }

    fn step_from(
        &mut self,
        simulation: &mut Simulation,
        feed: &mut Option<Feed>,
        time: f64,
        dt: f64,
        may_stop: bool,
    ) -> Outcome<Reached> {
        let now = simulation.time()?;
        // Importers sum their steps, with other rounding errors.
        if (time - now).abs() > 1e-3 * dt + 1e-12 * now.abs() || time.is_nan() {
            return Err(Failure::error(format!(
                "the communication point {time} is not {now}, where the last step ended"
            )));
        }
        if let Some(stop) = self.stop_time
            && now + dt > stop + 1e-3 * dt + 1e-12 * now.abs()
        {
            return Err(Failure::error(format!("a step from {now} by {dt} passes the stop time {stop}")));
        }
        if simulation.phase() == Phase::Trial {
            simulation.accept()?;
            self.is_first = false;
        }
        self.last_step = 0.0;
        self.choose_input_order(simulation)?;
        let mut first_failure = None;
        for halves in 0..=if may_stop { MOST_HALVES } else { 0 } {
            let part = dt * 0.5f64.powi(halves);
            if let Some(feed) = feed {
                self.apply(simulation, feed, &self.values, part)?;
            }
            let before = simulation.outputs().statistic("substeps")?;
            match simulation.advance(part) {
                Ok(()) => {
                    self.last_step = part;
                    self.is_whole = simulation.outputs().statistic("substeps")? == before + 1.0;
                    self.values.rates.fill(0.0);
                    return Ok(Reached { time: simulation.time()?, early: halves > 0 });
                }
                Err(error) if is_numerics(&error) => first_failure = first_failure.or(Some(error)),
                Err(error) => return Err(error.into()),
            }
        }
        Err(first_failure.map_or_else(|| Failure::error("no step was made"), Failure::from))
    }

    /// Inputs are linear over the step if the parameters or given derivatives require it.
    pub(crate) fn choose_input_order(&self, simulation: &mut Simulation) -> Outcome<()> {
        let parameters = self.model.parameters.iter().zip(&self.values.parameters);
        let chosen = parameters.clone().find(|(parameter, _)| parameter.target == Target::Option("input_order"));
        let given = chosen.map_or(0.0, |(_, value)| *value);
        let order = if self.values.rates.iter().any(|rate| *rate != 0.0) { 1.0 } else { given };
        if simulation.given().option("input_order")? != order {
            let _history = room(Memory::of(simulation).choice(None, Some(("input_order", order))))?;
            simulation.settings().set_option("input_order", order)?;
        }
        Ok(())
    }

    /// The time of the instance.
    pub fn time(&self) -> f64 {
        self.simulation.as_ref().and_then(|simulation| simulation.time().ok()).unwrap_or(self.start_time)
    }

    /// Warnings of the simulation, one per line; empty if there are none.
    pub fn warning(&self) -> Outcome<String> {
        Ok(self.simulation.as_ref().map(|simulation| simulation.outputs().warning()).transpose()?.unwrap_or_default())
    }

    /// Called after another state was restored.
    pub(crate) fn replaced(&mut self) {
        (self.feed, self.outputs_known) = (None, false);
    }
}

impl Feed {
    /// Computes the inputs for the end of a step of length `dt`.
    fn fill(&mut self, model: &Model, values: &Values, dt: f64) {
        for (own, input) in self.values.iter_mut().zip(&self.inputs) {
            *own = values.inputs[*input] + dt * values.rates[*input];
        }
        for (carrier, wrench) in model.carriers.iter().zip(values.wrenches.as_chunks::<6>().0) {
            if *wrench != [0.0; 6] && values.touched[model.inputs[carrier.first_input].group] {
                let first = self.inputs.partition_point(|input| *input < carrier.first_input);
                self.values[first..].iter_mut().zip(wrench).for_each(|(own, component)| *own += component);
            }
        }
    }
}
