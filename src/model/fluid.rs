//! The fluid callback, which returns the motion of the water at nodes of lines and at points.

use std::sync::Arc;

/// Motion of the water at some places; zero before the host fills it.
#[derive(Debug, PartialEq)]
pub struct FluidMotion<'a> {
    /// Velocities, inertial axes, in addition to the steady current.
    pub velocities: &'a mut [[f64; 3]],
    /// Accelerations.
    pub accelerations: &'a mut [[f64; 3]],
    /// Elevations of the surface over the mean water level.
    pub elevations: &'a mut [f64],
}

/// Computes the motion of the water at a time and at places in the host's coordinates. `Err(code)`
/// fails the step.
pub type FluidFn = Arc<dyn Fn(f64, &[[f64; 3]], &mut FluidMotion) -> Result<(), i32> + Send + Sync>;

/// How a fluid callback failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FluidFailure {
    /// It returned this code.
    Code(i32),
    /// The numbers for this place are not finite.
    NotFinite(usize),
}

/// A fluid callback.
#[derive(Clone)]
pub struct FluidCallback {
    /// The host's function.
    pub function: FluidFn,
    /// Whether it is called at every iterate; else once per step, at the predicted positions.
    pub implicit: bool,
}

impl FluidCallback {
    /// Calls it at a time for all places. Errors: its code; the first place at which a number is
    /// not finite.
    pub fn ask(&self, time: f64, positions: &[[f64; 3]], motion: &mut FluidMotion) -> Result<(), FluidFailure> {
        motion.velocities.fill([0.0; 3]);
        motion.accelerations.fill([0.0; 3]);
        motion.elevations.fill(0.0);
        (self.function)(time, positions, motion).map_err(FluidFailure::Code)?;
        let FluidMotion { velocities, accelerations, elevations } = motion;
        let rows = velocities.iter().zip(accelerations.iter()).zip(elevations.iter());
        let is_finite =
            |((v, a), eta): ((&[f64; 3], &[f64; 3]), &f64)| v.iter().chain(a).all(|x| x.is_finite()) && eta.is_finite();
        match rows.into_iter().position(|row| !is_finite(row)) {
            Some(place) => Err(FluidFailure::NotFinite(place)),
            None => Ok(()),
        }
    }
}
