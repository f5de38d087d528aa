//! Places and velocities that the host gives free points and nodes of lines in a run.

use super::Phase;
use super::outputs::check_count;
use super::views::HostInputs;
use crate::error::{Error, Result};
use crate::model::{EntityKind, Id, Support};
use crate::spatial::pose::check_finite;
use crate::spatial::{BodyState, Vec3, join};
use crate::system::System;

/// A node without rotation at a place of the host's coordinates.
fn placed(system: &System, [x, v]: [&[f64; 3]; 2], before: BodyState) -> BodyState {
    let (x, v) = (Vec3::from(*x) - system.references().origin(), join(&Vec3::from(*v), &Vec3::zeros()));
    BodyState { x, v, ..before }
}

impl HostInputs<'_> {
    /// Moves a free point at constant time, with the nodes of its lines (`Lines::carry`); the next
    /// step starts anew. Phase READY. Errors: a bad id; not finite; a point that is not free;
    /// `NoEquilibrium` for a line without a shape at rest there.
    pub fn set_point_coordinates(&mut self, point: Id, position: &[f64; 3], velocity: &[f64; 3]) -> Result<()> {
        self.0.require(&[Phase::Ready], "coordinates become the accepted state (phase READY)")?;
        let index = self.0.model.index("point", EntityKind::Point, point)?;
        check_finite("position", position)?;
        check_finite("velocity", velocity)?;
        if self.0.model.points[index].support != Support::Free {
            let name = self.0.model.describe(EntityKind::Point, index);
            return Err(Error::bad_value("point", format!("{name} is not free: it moves with what holds it")));
        }
        let run = self.0.readable()?;
        let (system, before) = (&run.system, &run.accepted.state);
        let mut state = before.clone();
        let node = state.layout.point(index);
        state.set_body(node, &placed(system, [position, velocity], before.body(node)));
        let loads = self.0.loads_at(system, before)?;
        self.0.carry_lines(system, before, &mut state, &loads)?;
        self.0.go_on_from(state, &loads)
    }

    /// Moves the nodes of a line at constant time, but for the ends that are tied; the next step
    /// starts anew. Stick points of friction go to the places of nodes. Phase READY. Errors: a bad
    /// id; lengths unequal to the number of nodes; not finite.
    pub fn set_line_coordinates(&mut self, line: Id, positions: &[[f64; 3]], velocities: &[[f64; 3]]) -> Result<()> {
        self.0.require(&[Phase::Ready], "coordinates become the accepted state (phase READY)")?;
        let index = self.0.line_index(line)?;
        let run = self.0.readable()?;
        let (system, before) = (&run.system, &run.accepted.state);
        let nodes = system.lines().nodes(index);
        [positions.len(), velocities.len()].into_iter().try_for_each(|given| check_count(given, nodes.len()))?;
        check_finite("positions", positions.as_flattened())?;
        check_finite("velocities", velocities.as_flattened())?;
        let mut state = before.clone();
        for (node, (x, v)) in nodes.zip(positions.iter().zip(velocities)) {
            state.set_body(node, &placed(system, [x, v], before.body(node)));
        }
        system.lines().let_stick(index..index + 1, &mut state, &self.0.inputs.water);
        let loads = self.0.loads_at(system, before)?;
        self.0.go_on_from(state, &loads)
    }
}
