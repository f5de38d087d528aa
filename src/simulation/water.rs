//! Water and seabed around lines and points: their parameters, the steady current, the callback for
//! the motion of the water.

use super::Work;
use super::views::{Given, HostSettings, Memory};
use super::{Phase, Simulation};
use crate::elements::{InWater, check_not_negative};
use crate::error::Result;
use crate::model::{EntityKind, FluidCallback, FluidFn, Id, Model, Water};
use crate::scheme::Restart;
use crate::spatial::Vec3;
use crate::spatial::pose::check_finite;

impl Simulation {
    /// Changes water or seabed. Phase BUILDING, READY: the change acts from the accepted time on.
    pub(super) fn change_water(&mut self, change: impl FnOnce(&mut Water) -> Result<()>) -> Result<()> {
        self.require_between_steps()?;
        let mut water = self.inputs.water.clone();
        change(&mut water)?;
        water.renew_waves(&self.model.gravity);
        if self.phase != Phase::Building {
            // In phase BUILDING, depth and gravity may be set later.
            water.check_bed()?;
            water.check_waves(&self.model.gravity)?;
        }
        if water == self.inputs.water {
            return Ok(());
        }
        self.replace_water(water, |sim| if sim.starts_anew() { sim.start_in_water() } else { Ok(()) })?;
        self.restart_scheme(Restart::Discontinuity);
        Ok(())
    }

    /// Puts water in place and starts in it; if that fails, the former water is back.
    pub(super) fn replace_water(
        &mut self,
        water: Water,
        start: impl FnOnce(&mut Simulation) -> Result<()>,
    ) -> Result<()> {
        let before = std::mem::replace(&mut self.inputs.water, water);
        let started = start(self);
        if started.is_err() {
            self.inputs.water = before;
        }
        started
    }

    /// Whether the start of the run must be computed again in new water: before the first step, if
    /// there are lines, points, cylinders or bodies in water.
    fn starts_anew(&self) -> bool {
        let Model { lines, points, elements, bodies, .. } = &*self.model;
        let is_wet = !lines.is_empty()
            || !points.is_empty()
            || !elements.cylinders.is_empty()
            || bodies.iter().any(|body| body.in_water.is_some());
        is_wet && self.has_first_step_ahead()
    }

    /// Computes the start of the run again in new water; lines get new shapes at rest if nothing
    /// else has moved since `initialize`.
    fn start_in_water(&mut self) -> Result<()> {
        self.check_lines()?;
        let gravity = self.model.gravity;
        self.start_under(&gravity)
    }
}

impl HostSettings<'_> {
    /// Sets a number of the water or the seabed (keys: [`crate::model::ENVIRONMENT_KEYS`]). Phase
    /// BUILDING, READY.
    pub fn set_environment(&mut self, key: &str, value: f64) -> Result<()> {
        self.0.change_water(|water| water.set(key, value))
    }

    /// Sets the steady current by velocities (inertial axes) at depths below the mean water level;
    /// replaces the former one; no depths: no current. Phase BUILDING, READY.
    pub fn set_current(&mut self, depths: &[f64], velocities: &[[f64; 3]]) -> Result<()> {
        self.0.change_water(|water| water.set_current(depths, velocities))
    }

    /// Sets the depths of the seabed at the nodes of a grid: rows of x, y and depth, x rising
    /// first; none: as "depth" says. Phase BUILDING, READY.
    pub fn set_seabed_grid(&mut self, points: &[[f64; 3]]) -> Result<()> {
        self.0.change_water(|water| water.set_bathymetry(points))
    }

    /// Lets the motion of the water at its reference point act on a body, or not (None): added mass
    /// and drag then act with the motion relative to the water, drag by speeds, and the
    /// acceleration of the water on the mass of a volume of it. Phase BUILDING. Errors: not finite;
    /// a negative volume.
    pub fn set_body_in_water(&mut self, body: Id, part: Option<InWater>) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        if let Some(InWater { volume, centre }) = &part {
            check_not_negative("volume", *volume)?;
            check_finite("centre", centre.as_slice())?;
        }
        self.0.model.bodies[index].in_water = part;
        Ok(())
    }

    /// Sets, or with None removes, the function that returns the motion of the water at all nodes
    /// of lines, points, cylinders and bodies in water: called at every iterate if `implicit`, else
    /// once per step. It is not part of snapshots. Phase BUILDING, READY, TRIAL.
    pub fn set_fluid_callback(&mut self, function: Option<FluidFn>, implicit: bool) -> Result<()> {
        self.0.require_input()?;
        self.0.callbacks.fluid = function.map(|function| FluidCallback { function, implicit });
        self.0.restart_scheme(Restart::Discontinuity);
        if let Some(run) = &mut self.0.run {
            run.forget_preparations();
        }
        Ok(())
    }
}

impl<'a> Given<'a> {
    /// A number of the water or the seabed. Any phase.
    pub fn environment_value(self, key: &str) -> Result<f64> {
        self.0.inputs.water.get(key)
    }

    /// The steady current: depths, and velocities there. Any phase.
    pub fn current(self) -> &'a [(f64, [f64; 3])] {
        &self.0.inputs.water.current
    }

    /// Whether there is a fluid callback, and whether it is called at every iterate. Any phase.
    pub fn fluid_callback(self) -> (bool, bool) {
        let callback = self.0.callbacks.fluid.as_ref();
        (callback.is_some(), callback.is_some_and(|callback| callback.implicit))
    }
}

impl Memory<'_> {
    /// The same for setting a parameter of the water or the current, after which the start may be
    /// computed again.
    pub fn water(self) -> usize {
        if self.0.starts_anew() { self.working(Work::Model) } else { 0 }
    }
}

/// The current of a grid, read back.
#[derive(Clone, Copy)]
pub struct CurrentGrids<'a>(&'a Simulation);

impl<'a> CurrentGrids<'a> {
    /// Of a simulation.
    pub fn of(simulation: &'a Simulation) -> CurrentGrids<'a> {
        CurrentGrids(simulation)
    }

    /// Rows of x, y, depth, time and velocity at its nodes. Any phase.
    pub fn points(self) -> Vec<[f64; 7]> {
        self.0.inputs.water.current_grid.iter().flat_map(|grid| grid.points()).collect()
    }
}

/// Bodies on which the motion of the water acts, read back.
#[derive(Clone, Copy)]
pub struct BodiesInWater<'a>(&'a Simulation);

impl<'a> BodiesInWater<'a> {
    /// Of a simulation.
    pub fn of(simulation: &'a Simulation) -> BodiesInWater<'a> {
        BodiesInWater(simulation)
    }

    /// What the motion of the water acts on; None if it has no effect on the body. Any phase.
    /// Errors: a bad id.
    pub fn part(self, body: Id) -> Result<Option<InWater>> {
        let model = &self.0.model;
        Ok(model.bodies[model.index("body", EntityKind::Body, body)?].in_water)
    }
}

/// The seabed, read back.
#[derive(Clone, Copy)]
pub struct Bed<'a>(&'a Simulation);

impl<'a> Bed<'a> {
    /// Of a simulation.
    pub fn of(simulation: &'a Simulation) -> Bed<'a> {
        Bed(simulation)
    }

    /// The nodes of its grid: x, y, depth. Any phase.
    pub fn grid(self) -> Vec<[f64; 3]> {
        self.0.inputs.water.bathymetry.iter().flat_map(|grid| grid.points()).collect()
    }

    /// Its z under x and y; None: there is none. Any phase.
    pub fn height(self, [x, y]: [f64; 2]) -> Option<f64> {
        self.0.inputs.water.bed(&Vec3::new(x, y, 0.0))
    }
}
