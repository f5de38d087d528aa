//! Channels under MoorDyn's names, which the host or a file adds one by one.

use super::{Object, Output, Quantity, Simulation};
use crate::error::{Error, Result};
use crate::simulation::views::HostSettings;
use crate::spatial::{Vec3, rotation};
use crate::system::{Hold, State, System};

impl Simulation {
    /// The value of such a channel.
    pub(super) fn named_value(&self, system: &System, state: &State, output: &Output) -> f64 {
        match (output.object, output.quantity) {
            (Object::Body(body), quantity) => of_body(system, state, body, quantity),
            (Object::Point(point), quantity) => match quantity {
                Quantity::Force(axis) => self.force_on_point(state, point)[axis],
                Quantity::Tension => self.force_on_point(state, point).norm(),
                _ => component(&system.nodes().point_motion(point, state), quantity),
            },
            (Object::Node(line, node), quantity) => {
                let segments = system.lines().segments(line);
                let end = if node == 0 { Some(0) } else { (node == segments.len()).then_some(1) };
                match (quantity, end) {
                    (Quantity::Force(axis), Some(end)) => state.lines.end_forces[line][end][axis],
                    (Quantity::Tension, Some(end)) => Vec3::from(state.lines.end_forces[line][end]).norm(),
                    (Quantity::Tension, None) => {
                        let tensions = &state.lines.tensions[segments];
                        0.5 * (tensions[node - 1] + tensions[node])
                    }
                    _ => {
                        let nodes = system.lines().nodes(line);
                        component(&system.nodes().motion(nodes.start + node, state), quantity)
                    }
                }
            }
        }
    }

    /// Force of all ends of lines at a point on it.
    fn force_on_point(&self, state: &State, point: usize) -> Vec3 {
        let mut force = Vec3::zeros();
        for (line, described) in self.model.lines.iter().enumerate() {
            for end in 0..2 {
                let hold = state.holds().nth(line).map_or(Hold::Point, |holds| holds[end]);
                let failure = || self.model.line_failures.iter().find(|failure| failure.ends.contains(&(line, end)));
                let tied = match hold {
                    Hold::Point => Some(described.points[end]),
                    Hold::Joined => failure().and_then(|failure| failure.point),
                    Hold::Free => None,
                };
                if tied == Some(point) {
                    force += Vec3::from(state.lines.end_forces[line][end]);
                }
            }
        }
        force
    }
}

impl HostSettings<'_> {
    /// Adds a channel under MoorDyn's name for it (docs/channels.md). Phase BUILDING. Errors:
    /// `BadValue`: unknown name, an entity that does not exist (yet), or a channel that exists
    /// already; `Unsupported`: an output that this library does not have.
    pub fn add_moordyn_channel(&mut self, name: &str) -> Result<()> {
        self.0.require_building()?;
        let output = Output::parse(&self.0.model, name)?;
        if self.0.model.outputs.iter().any(|other| other.name.eq_ignore_ascii_case(name)) {
            return Err(Error::bad_value("name", format!("\"{name}\" is a channel already")));
        }
        self.0.model.outputs.push(output);
        Ok(())
    }
}

/// A component of position, velocity or acceleration; other quantities are refused when the channel
/// is added.
fn component(motion: &[Vec3; 3], quantity: Quantity) -> f64 {
    match quantity {
        Quantity::Position(axis) => motion[0][axis],
        Quantity::Velocity(axis) => motion[1][axis],
        Quantity::Acceleration(axis) => motion[2][axis],
        _ => f64::NAN,
    }
}

fn of_body(system: &System, state: &State, body: usize, quantity: Quantity) -> f64 {
    let reference = system.references().state(body, &state.body(body));
    match quantity {
        Quantity::Position(axis) => (reference.x + system.references().origin())[axis],
        Quantity::Velocity(axis) => reference.v[axis],
        Quantity::Acceleration(axis) => reference.vdot[axis],
        Quantity::AngularVelocity(axis) => reference.v[3 + axis].to_degrees(),
        Quantity::AngularAcceleration(axis) => reference.vdot[3 + axis].to_degrees(),
        // R = Rx Ry Rz.
        Quantity::Angle(axis) => {
            let r = rotation::matrix(&reference.q);
            let angle = match axis {
                0 => (-r[(1, 2)]).atan2(r[(2, 2)]),
                1 => r[(0, 2)].atan2(r[(0, 0)].hypot(r[(0, 1)])),
                _ => (-r[(0, 1)]).atan2(r[(0, 0)]),
            };
            angle.to_degrees()
        }
        _ => f64::NAN,
    }
}
