//! The fluid callback: called for all nodes of all lines, and all points, at once.

use super::super::views::HostCallbacks;
use super::super::{Environment, Failure, State, Workspace};
use super::work::Asked;
use crate::elements::line::Fluid;
use crate::model::{FluidFailure, FluidMotion};

impl HostCallbacks<'_> {
    /// Calls the fluid callback, if there is one, at the motions of a workspace, for the next
    /// evaluations; else removes earlier results. Errors: it failed.
    pub fn ask_fluid(self, environment: &Environment, workspace: &mut Workspace) -> Result<(), Failure> {
        let Some(callback) = &environment.callbacks.fluid else {
            workspace.lines.fluid.clear();
            return Ok(());
        };
        if workspace.lines.knows_water {
            return Ok(());
        }
        let Workspace { motions, lines, .. } = workspace;
        let n = self.0.layout.chained();
        lines.asked.resize(n + self.0.points.len());
        let Asked { positions, velocities, accelerations, elevations } = &mut lines.asked;
        let places = self.0.points.iter().map(|point| {
            let motion = &motions[point.tie.node];
            motion.x + motion.arm(&point.tie.at)
        });
        for (position, x) in positions.iter_mut().zip(lines.x.iter().copied().chain(places)) {
            *position = (x + self.0.origin).into();
        }
        let mut motion = FluidMotion { velocities, accelerations, elevations };
        callback.ask(environment.time, positions, &mut motion).map_err(|failure| match failure {
            FluidFailure::Code(code) => Failure::Fluid { place: None, code: Some(code) },
            FluidFailure::NotFinite(k) => {
                let is_node = k < n;
                let place = if is_node { self.0.layout.chained_node(k) } else { self.0.layout.point(k - n) };
                Failure::Fluid { place: Some(place), code: None }
            }
        })?;
        lines.fluid.resize(n + self.0.points.len(), Fluid::default());
        let rows = lines.asked.velocities.iter().zip(&lines.asked.accelerations).zip(&lines.asked.elevations);
        for (fluid, ((velocity, acceleration), elevation)) in lines.fluid.iter_mut().zip(rows) {
            *fluid = Fluid { velocity: *velocity, acceleration: *acceleration, elevation: *elevation };
        }
        Ok(())
    }

    /// Copies the last results to a state, so that later evaluations there have the same water.
    #[inline(always)]
    pub fn keep_fluid(self, state: &mut State, workspace: &Workspace) {
        state.set_fluid(&workspace.lines.fluid);
    }
}
