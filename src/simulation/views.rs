//! What a simulation can do beside moving through time, by concern: each a view that borrows the simulation for a call or a
//! few, and costs nothing. The methods stand in the files of their concern.
//!
//! | View | What |
//! |---|---|
//! | [`Simulation::build`] | bodies, joints, markers, points, and their names |
//! | [`Simulation::elements`] | what acts between them: springs, bushings, gears, lines |
//! | [`Simulation::settings`] | scheme, options, gravity, water, coefficients of the fluid, channels under foreign names |
//! | [`Simulation::inputs`] | loads, imposed motions, lengths of lines, callbacks |
//! | [`Simulation::given`] | inputs and settings, read back |
//! | [`Simulation::description`] | the model, read back |
//! | [`Simulation::outputs`], [`Simulation::points`], [`Simulation::lines`] | results of bodies, markers, joints, the whole; of points; of lines |
//! | [`Simulation::channels`] | outputs by name |
//! | [`Simulation::analysis`] | matrices, modes, linear models, compliance |
//! | [`Memory`] | what calls may ask of the heap |

use super::Simulation;

/// Describes the model; see [`Simulation::build`].
pub struct Build<'a>(pub(super) &'a mut Simulation);

/// Adds what acts between bodies and points; see [`Simulation::elements`].
pub struct Elements<'a>(pub(super) &'a mut Simulation);

/// Chooses how the model is moved and what surrounds it; see [`Simulation::settings`].
pub struct HostSettings<'a>(pub(super) &'a mut Simulation);

/// Sets what acts on the model; see [`Simulation::inputs`].
pub struct HostInputs<'a>(pub(super) &'a mut Simulation);

/// What the host set; see [`Simulation::given`].
#[derive(Clone, Copy)]
pub struct Given<'a>(pub(super) &'a Simulation);

/// What the host said of the model; see [`Simulation::description`].
#[derive(Clone, Copy)]
pub struct Description<'a>(pub(super) &'a Simulation);

/// Results of bodies, markers, joints, elements and the whole; see [`Simulation::outputs`].
#[derive(Clone, Copy)]
pub struct Outputs<'a>(pub(super) &'a Simulation);

/// Results of points; see [`Simulation::points`].
#[derive(Clone, Copy)]
pub struct PointOutputs<'a>(pub(super) &'a Simulation);

/// Results of lines; see [`Simulation::lines`].
#[derive(Clone, Copy)]
pub struct LineOutputs<'a>(pub(super) &'a Simulation);

/// Outputs by name; see [`Simulation::channels`].
#[derive(Clone, Copy)]
pub struct OutputChannels<'a>(pub(super) &'a Simulation);

/// Analyses of the present state; see [`Simulation::analysis`].
#[derive(Clone, Copy)]
pub struct Analysis<'a>(pub(super) &'a Simulation);

/// How many bytes a call may ask of the heap at one time.
#[derive(Clone, Copy)]
pub struct Memory<'a>(pub(super) &'a Simulation);

impl Simulation {
    /// Describes bodies, joints, markers, points. Phase BUILDING.
    pub fn build(&mut self) -> Build<'_> {
        Build(self)
    }

    /// Adds what acts between bodies and points: springs, bushings, gears, lines. Phase BUILDING.
    pub fn elements(&mut self) -> Elements<'_> {
        Elements(self)
    }

    /// Chooses scheme, options, gravity, water, coefficients of the fluid. Mostly phase BUILDING, READY.
    pub fn settings(&mut self) -> HostSettings<'_> {
        HostSettings(self)
    }

    /// Sets loads, imposed motions, lengths of lines, callbacks: for the end of the coming step.
    pub fn inputs(&mut self) -> HostInputs<'_> {
        HostInputs(self)
    }

    /// The inputs and settings that are set. All phases.
    pub fn given(&self) -> Given<'_> {
        Given(self)
    }

    /// The model as described. All phases.
    pub fn description(&self) -> Description<'_> {
        Description(self)
    }

    /// Results of bodies, markers, joints and the whole: of the trial if one is pending, else of the accepted state.
    pub fn outputs(&self) -> Outputs<'_> {
        Outputs(self)
    }

    /// Results of points, of the same state.
    pub fn points(&self) -> PointOutputs<'_> {
        PointOutputs(self)
    }

    /// Results of lines, of the same state.
    pub fn lines(&self) -> LineOutputs<'_> {
        LineOutputs(self)
    }

    /// Outputs by name, of the same state.
    pub fn channels(&self) -> OutputChannels<'_> {
        OutputChannels(self)
    }

    /// Matrices, modes, linear models, compliance of the same state.
    pub fn analysis(&self) -> Analysis<'_> {
        Analysis(self)
    }
}

impl Memory<'_> {
    /// Of calls to a simulation.
    pub fn of(simulation: &Simulation) -> Memory<'_> {
        Memory(simulation)
    }
}
