//! The motion of the water by waves, the current of a grid and the fluid callback: found for all
//! nodes of all lines, all points, all places of elements, and all bodies in water, at once.

use super::super::motion::site;
use super::super::views::HostCallbacks;
use super::super::{Environment, Failure, Motion, State, Workspace};
use super::work::Asked;
use crate::elements::line::Fluid;
use crate::elements::{EachElement, Element, Parts, Tie};
use crate::model::{FluidFailure, FluidMotion};
use crate::spatial::Vec3;

/// Writes the places of elements, in the host's coordinates.
struct Places<'p> {
    motions: &'p [Motion],
    origin: &'p Vec3,
    positions: &'p mut [[f64; 3]],
}

impl EachElement for Places<'_> {
    fn element<E: Element<N>, const N: usize>(&mut self, element: &E, ties: &[Tie; N], parts: Parts) {
        if !parts.water.is_empty() {
            let at = ties.each_ref().map(|tie| site(&self.motions[tie.node], tie));
            for (k, position) in self.positions[parts.water].iter_mut().enumerate() {
                *position = (element.water_place(k, &at) + self.origin).into();
            }
        }
    }
}

impl HostCallbacks<'_> {
    /// Finds the motion of the water at the motions of a workspace, for the next evaluations: that
    /// of waves and the current of a grid, and what the fluid callback adds; removes earlier
    /// results if there is none. Errors: the callback failed.
    pub fn ask_fluid(self, environment: &Environment, workspace: &mut Workspace) -> Result<(), Failure> {
        let callback = &environment.callbacks.fluid;
        if callback.is_none() && !environment.water.moves() {
            workspace.lines.fluid.clear();
            return Ok(());
        }
        if workspace.lines.knows_water {
            return Ok(());
        }
        let Workspace { motions, lines, .. } = workspace;
        let (n, system) = (self.0.layout.chained(), self.0);
        let places = system.layout.own().places;
        lines.asked.resize(places);
        let Asked { positions, velocities, accelerations, elevations, phasors } = &mut lines.asked;
        let points = system.points.iter().map(|point| {
            let motion = &motions[point.tie.node];
            motion.x + motion.arm(&point.tie.at)
        });
        for (position, x) in positions.iter_mut().zip(lines.x.iter().copied().chain(points)) {
            *position = (x + system.origin).into();
        }
        for ((motion, reference), in_water) in motions.iter().zip(&system.references).zip(&system.in_water) {
            if let Some((place, _)) = in_water {
                positions[*place] = (motion.x + motion.arm(reference) + system.origin).into();
            }
        }
        let of_elements = &mut positions[n + system.points.len()..];
        if !of_elements.is_empty() {
            let mut pass = Places { motions, origin: &system.origin, positions: of_elements };
            system.elements.each(&system.connections, &mut pass);
        }
        lines.fluid.resize(places, Fluid::default());
        for (fluid, position) in lines.fluid.iter_mut().zip(&*positions) {
            *fluid = environment.water.motion(environment.time, position, phasors);
        }
        let Some(callback) = callback else { return Ok(()) };
        let mut motion = FluidMotion { velocities, accelerations, elevations };
        callback.ask(environment.time, positions, &mut motion).map_err(|failure| match failure {
            FluidFailure::Code(code) => Failure::Fluid { place: None, code: Some(code) },
            FluidFailure::NotFinite(k) => {
                let place = match k.checked_sub(n) {
                    None => Some(system.layout.chained_node(k)),
                    Some(k) => (k < system.points.len()).then(|| system.layout.point(k)),
                };
                Failure::Fluid { place, code: None }
            }
        })?;
        let rows = lines.asked.velocities.iter().zip(&lines.asked.accelerations).zip(&lines.asked.elevations);
        for (fluid, ((velocity, acceleration), elevation)) in lines.fluid.iter_mut().zip(rows) {
            for k in 0..3 {
                fluid.velocity[k] += velocity[k];
                fluid.acceleration[k] += acceleration[k];
            }
            fluid.elevation += elevation;
        }
        Ok(())
    }

    /// Copies the last results to a state, so that later evaluations there have the same water.
    #[inline(always)]
    pub fn keep_fluid(self, state: &mut State, workspace: &Workspace) {
        state.set_fluid(&workspace.lines.fluid);
    }
}
