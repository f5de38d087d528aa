//! Waves and the current of a grid, and the motion of the water at places that the host asks for.

use super::Simulation;
use super::views::{Given, HostSettings, Outputs};
use crate::elements::line::{Fluid, current};
use crate::elements::waves::{Phasors, record};
use crate::error::Result;
use crate::model::{Sea, Spectrum, Water, Wave};
use crate::spatial::Vec3;
use crate::spatial::pose::check_finite;

impl Simulation {
    fn change_waves(&mut self, components: impl FnOnce() -> Result<Vec<Wave>>) -> Result<()> {
        self.change_motion(|water| water.set_waves(components()?))
    }

    fn change_motion(&mut self, change: impl FnOnce(&mut Water) -> Result<()>) -> Result<()> {
        self.change_water(change)?;
        // The next step needs memory for the motion of the water at all places.
        if let Some(run) = &mut self.run {
            run.forget_preparations();
        }
        Ok(())
    }
}

impl HostSettings<'_> {
    /// Sets a current by velocities (inertial axes) at the nodes of a grid, in addition to the
    /// steady one: rows of x, y, depth below the mean water level, time and velocity, x rising
    /// fastest and time slowest; none: no such current. Phase BUILDING, READY.
    pub fn set_current_grid(&mut self, points: &[[f64; 7]]) -> Result<()> {
        self.0.change_motion(|water| water.set_current_grid(points))
    }

    /// Sets the components of the waves; replaces the former ones; none: no waves. Phase BUILDING,
    /// READY.
    pub fn set_waves(&mut self, components: Vec<Wave>) -> Result<()> {
        self.0.change_waves(|| Ok(components))
    }

    /// Sets waves of an irregular sea. Phase BUILDING, READY.
    pub fn set_irregular_waves(&mut self, spectrum: Spectrum, sea: &Sea) -> Result<()> {
        self.0.change_waves(|| spectrum.components(sea))
    }

    /// Sets waves from a record of the elevation at x = y = 0, with a first time and a step, and a
    /// highest angular frequency. Phase BUILDING, READY.
    pub fn set_wave_record(
        &mut self,
        [start, step]: [f64; 2],
        elevations: &[f64],
        heading: f64,
        max_frequency: f64,
    ) -> Result<()> {
        self.0.change_waves(|| record(start, step, elevations, heading, max_frequency))
    }
}

impl<'a> Given<'a> {
    /// The components of the waves. Any phase.
    pub fn waves(self) -> &'a [Wave] {
        self.0.inputs.water.waves.as_ref().map_or(&[], |waves| waves.components())
    }
}

/// The pressure of the waves at a place at the present time, without that of the still water: 0
/// where there are no waves. Phase READY, TRIAL, FAILED.
pub fn wave_pressure(simulation: &Simulation, place: &[f64; 3]) -> Result<f64> {
    check_finite("place", place)?;
    Ok(simulation.inputs.water.wave_pressure(simulation.point()?.state.time, place))
}

impl Outputs<'_> {
    /// The motion of the water at places at the present time: currents and waves, without what a
    /// fluid callback adds. Phase READY, TRIAL, FAILED.
    pub fn water_motion(self, positions: &[[f64; 3]]) -> Result<Vec<Fluid>> {
        check_finite("positions", positions.as_flattened())?;
        let (water, time) = (&self.0.inputs.water, self.0.point()?.state.time);
        let mut phasors = Phasors::new();
        let at = |position: &[f64; 3]| {
            let fluid = water.motion(time, position, &mut phasors);
            let (steady, _) = current(water, -position[2]);
            Fluid { velocity: (Vec3::from(fluid.velocity) + steady).into(), ..fluid }
        };
        Ok(positions.iter().map(at).collect())
    }
}
