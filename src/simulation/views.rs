//! Views of a simulation by concern: each borrows the simulation for a call or a few, and costs
//! nothing. The methods are in the files of their concern.
//!
//! | View | Contents |
//! |---|---|
//! | [`Simulation::build`] | bodies, joints, markers, points, and their names |
//! | [`Simulation::elements`] | force elements: springs, bushings, gears, lines |
//! | [`Simulation::settings`] | scheme, options, gravity, water, coefficients of the fluid, channels under foreign names |
//! | [`Simulation::inputs`] | loads, imposed motions, lengths of lines, callbacks |
//! | [`Simulation::given`] | inputs and settings, read back |
//! | [`Simulation::description`] | the model, read back |
//! | [`Simulation::outputs`], [`Simulation::points`], [`Simulation::lines`] | results of bodies, markers, joints, the whole; of points; of lines |
//! | [`Simulation::channels`] | outputs by name |
//! | [`Simulation::analysis`] | matrices, modes, linear models, compliance |
//! | [`Memory`] | upper bounds of the memory of calls |

use super::Simulation;

/// Describes the model; see [`Simulation::build`].
pub struct Build<'a>(pub(super) &'a mut Simulation);

/// Adds force elements between bodies and points; see [`Simulation::elements`].
pub struct Elements<'a>(pub(super) &'a mut Simulation);

/// Sets scheme, options and surroundings; see [`Simulation::settings`].
pub struct HostSettings<'a>(pub(super) &'a mut Simulation);

/// Sets loads and imposed motions; see [`Simulation::inputs`].
pub struct HostInputs<'a>(pub(super) &'a mut Simulation);

/// Inputs and settings, read back; see [`Simulation::given`].
#[derive(Clone, Copy)]
pub struct Given<'a>(pub(super) &'a Simulation);

/// The model, read back; see [`Simulation::description`].
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

/// Upper bounds of the bytes that calls allocate at one time.
#[derive(Clone, Copy)]
pub struct Memory<'a>(pub(super) &'a Simulation);

impl Simulation {
    /// Describes bodies, joints, markers, points. Phase BUILDING.
    pub fn build(&mut self) -> Build<'_> {
        Build(self)
    }

    /// Adds force elements between bodies and points: springs, bushings, gears, lines. Phase
    /// BUILDING.
    pub fn elements(&mut self) -> Elements<'_> {
        Elements(self)
    }

    /// Sets scheme, options, gravity, water, coefficients of the fluid. Mostly phase BUILDING,
    /// READY.
    pub fn settings(&mut self) -> HostSettings<'_> {
        HostSettings(self)
    }

    /// Sets loads, imposed motions, lengths of lines, callbacks: for the end of the coming step.
    pub fn inputs(&mut self) -> HostInputs<'_> {
        HostInputs(self)
    }

    /// The present inputs and settings. All phases.
    pub fn given(&self) -> Given<'_> {
        Given(self)
    }

    /// The model as described. All phases.
    pub fn description(&self) -> Description<'_> {
        Description(self)
    }

    /// Results of bodies, markers, joints and the whole: of the trial if one is pending, else of
    /// the accepted state.
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
    /// Bounds for calls to a simulation.
    pub fn of(simulation: &Simulation) -> Memory<'_> {
        Memory(simulation)
    }
}
