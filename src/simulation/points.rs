//! Points: masses without rotation, places fixed in space or on a body, and springs between them.

use super::build::reserve;
use super::named_inputs::What;
use super::outputs::finite;
use super::views::{Build, Description, Elements, Given, HostInputs, PointOutputs};
use super::{Phase, Simulation};
use crate::elements::{Attachment, End, Spring, check_not_negative};
use crate::error::{Error, Result};
use crate::model::{EntityKind, Id, Point, PointLoad, Support};
use crate::spatial::pose::check_finite;
use crate::spatial::{BodyState, Quat, Vec3, join};

impl Simulation {
    fn point_index(&self, point: Id) -> Result<usize> {
        self.model.index("point", EntityKind::Point, point)
    }

    /// Its kind, id and name.
    fn describe_point(&self, index: usize) -> String {
        self.model.describe(EntityKind::Point, index)
    }

    /// A point without a support. Errors: it is fixed, attached or prescribed.
    pub(super) fn free_point(&mut self, point: Id) -> Result<&mut Point> {
        self.require_building()?;
        let index = self.point_index(point)?;
        let what = match self.model.points[index].support {
            Support::Free => None,
            Support::Fixed => Some("fixed".to_owned()),
            Support::Prescribed => Some("prescribed".to_owned()),
            Support::Attached(body) => Some(format!("attached to {}", self.model.describe(EntityKind::Body, body))),
            Support::Waiting => Some("waiting for a failure of lines".to_owned()),
        };
        match what {
            None => Ok(&mut self.model.points[index]),
            Some(what) => Err(Error::bad_value("point", format!("{} is {what} already", self.describe_point(index)))),
        }
    }

    /// Position, velocity and acceleration of a point; before the run as described.
    fn point_motion(&self, point: Id) -> Result<[Vec3; 3]> {
        let index = self.point_index(point)?;
        if self.phase == Phase::Building {
            return Ok(self.described_point(index));
        }
        Ok(self.readable()?.system.nodes().point_motion(index, self.state()?))
    }

    /// The described motion of a point.
    fn described_point(&self, index: usize) -> [Vec3; 3] {
        let Point { position, velocity, support, .. } = &self.model.points[index];
        match support {
            Support::Attached(body) => {
                let at = self.described(*body).at(position);
                [at.x, at.v.fixed_rows::<3>(0).into(), at.vdot.fixed_rows::<3>(0).into()]
            }
            _ => match &self.inputs.loads.point_motions[index] {
                Some(BodyState { x, v, vdot, .. }) => [*x, v.fixed_rows::<3>(0).into(), vdot.fixed_rows::<3>(0).into()],
                None => [*position, *velocity, Vec3::zeros()],
            },
        }
    }

    /// Initial position of a point, in the host's coordinates.
    pub(super) fn initial_position(&self, index: usize) -> Vec3 {
        match &self.run {
            Some(run) => run.system.nodes().point_motion(index, &run.initial)[0],
            None => self.described_point(index)[0],
        }
    }

    /// Positions, velocities or accelerations (0, 1, 2) of all points, inertial axes. Errors:
    /// length unequal to the count.
    fn point_motions(&self, order: usize, output: &'static str, rows: &mut [[f64; 3]]) -> Result<()> {
        if self.phase == Phase::Building {
            super::outputs::check_count(rows.len(), self.model.points.len())?;
            return super::outputs::fill(output, rows, |point| self.described_point(point)[order].into());
        }
        let (run, state) = (self.readable()?, self.state()?);
        super::outputs::check_count(rows.len(), self.model.points.len())?;
        super::outputs::fill(output, rows, |point| run.system.nodes().point_motion(point, state)[order].into())
    }
}

impl Build<'_> {
    /// Adds a free point of a mass (0 only if it is fixed, attached or prescribed later) and a
    /// volume. Phase BUILDING.
    pub fn add_point(&mut self, mass: f64, volume: f64, position: &[f64; 3]) -> Result<Id> {
        self.0.require_building()?;
        check_not_negative("mass", mass)?;
        check_not_negative("volume", volume)?;
        check_finite("position", position)?;
        let id = reserve("point", &mut self.0.model.points)?;
        reserve("point", &mut self.0.inputs.loads.points)?;
        reserve("point", &mut self.0.inputs.loads.point_motions)?;
        let (position, velocity) = (Vec3::from_column_slice(position), Vec3::zeros());
        self.0.model.points.push(Point { mass, volume, cda: 0.0, ca: 0.0, position, velocity, support: Support::Free });
        self.0.inputs.loads.points.push(PointLoad::NONE);
        self.0.inputs.loads.point_motions.push(None);
        Ok(id)
    }

    /// Fixes a free point at its position; removes its velocity. Phase BUILDING. Errors: it is
    /// fixed, attached or prescribed already.
    pub fn fix_point(&mut self, point: Id) -> Result<()> {
        let point = self.0.free_point(point)?;
        (point.velocity, point.support) = (Vec3::zeros(), Support::Fixed);
        Ok(())
    }

    /// Attaches a free point to a body, at a place in body axes; its mass and its buoyancy are
    /// ignored, and its velocity is removed. Phase BUILDING. Errors: it is fixed, attached or
    /// prescribed already.
    pub fn attach_point(&mut self, point: Id, body: Id, position: &[f64; 3]) -> Result<()> {
        self.0.require_building()?;
        let body = self.0.model.index("body", EntityKind::Body, body)?;
        check_finite("position", position)?;
        let point = self.0.free_point(point)?;
        let position = Vec3::from_column_slice(position);
        *point = Point { position, velocity: Vec3::zeros(), support: Support::Attached(body), ..*point };
        Ok(())
    }

    /// Says whether the motion of a point is imposed by the host; a motion given before goes with
    /// false. Phase BUILDING. Errors: a fixed or attached point.
    pub fn set_point_prescribed(&mut self, point: Id, prescribed: bool) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.point_index(point)?;
        if self.0.model.points[index].support == Support::Prescribed {
            self.0.model.points[index].support = Support::Free;
        }
        let free = self.0.free_point(point)?;
        if prescribed {
            free.support = Support::Prescribed;
        } else {
            self.0.inputs.loads.point_motions[index] = None;
        }
        Ok(())
    }

    /// Sets a point's initial velocity. Phase BUILDING. Errors: a fixed or attached point.
    pub fn set_point_velocity(&mut self, point: Id, velocity: &[f64; 3]) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.point_index(point)?;
        check_finite("velocity", velocity)?;
        if matches!(self.0.model.points[index].support, Support::Fixed | Support::Attached(_) | Support::Waiting) {
            let detail =
                format!("{} is fixed or attached: it has no velocity of its own", self.0.describe_point(index));
            return Err(Error::bad_value("point", detail));
        }
        self.0.model.points[index].velocity = Vec3::from_column_slice(velocity);
        Ok(())
    }
}

impl Elements<'_> {
    /// Adds a spring with damper between two points. Phase BUILDING. Errors: twice the same point;
    /// as `add_spring`.
    pub fn add_point_spring(
        &mut self,
        point_a: Id,
        point_b: Id,
        stiffness: f64,
        damping: f64,
        rest_length: f64,
        tension_only: bool,
    ) -> Result<Id> {
        self.0.require_building()?;
        let a = self.0.model.index("point_a", EntityKind::Point, point_a)?;
        let b = self.0.model.index("point_b", EntityKind::Point, point_b)?;
        if a == b {
            let detail = format!("{point_b} is point_a too: a spring needs two ends");
            return Err(Error::bad_value("point_b", detail));
        }
        let ends = [a, b].map(|point| Attachment { to: End::Point(point), at: Vec3::zeros() });
        self.0.add_element(Spring { ends, stiffness, damping, rest_length, tension_only, table: None })
    }
}

impl HostInputs<'_> {
    /// Sets position, velocity and acceleration of a prescribed point: initial values in BUILDING,
    /// later those at the end of the coming step. Phase BUILDING, READY, TRIAL.
    pub fn set_point_motion(
        &mut self,
        point: Id,
        position: &[f64; 3],
        velocity: &[f64; 3],
        acceleration: &[f64; 3],
    ) -> Result<()> {
        self.0.require_input()?;
        let index = self.0.point_index(point)?;
        if self.0.model.points[index].support != Support::Prescribed {
            let detail = format!(
                "{} is not prescribed (pintle_set_point_prescribed in phase BUILDING)",
                self.0.describe_point(index)
            );
            return Err(Error::bad_value("point", detail));
        }
        for (argument, value) in [("position", position), ("velocity", velocity), ("acceleration", acceleration)] {
            check_finite(argument, value)?;
        }
        // In phase BUILDING motions are stored as given: `initialize` converts them.
        let origin = self.0.run.as_ref().map_or(Vec3::zeros(), |run| *run.system.references().origin());
        let x = Vec3::from_column_slice(position) - origin;
        if !x.iter().all(|x| x.is_finite()) {
            return Err(Error::bad_value("position", super::inputs::TOO_FAR));
        }
        let linear = |v: &[f64; 3]| join(&Vec3::from_column_slice(v), &Vec3::zeros());
        self.0.inputs.loads.point_motions[index] =
            Some(BodyState { x, q: Quat::identity(), v: linear(velocity), vdot: linear(acceleration) });
        self.0.leave_series(What::PointMotion, index);
        Ok(())
    }

    /// Sets the force on a point, inertial axes; replaces the former one. On an attached point it
    /// acts on its body there. Phase BUILDING (at the initial time), READY, TRIAL (at the end of
    /// the coming step).
    pub fn set_point_load(&mut self, point: Id, force: &[f64; 3]) -> Result<()> {
        self.0.require_input()?;
        let index = self.0.point_index(point)?;
        check_finite("force", force)?;
        self.0.inputs.loads.points[index] = PointLoad { force: Vec3::from_column_slice(force), given: true };
        self.0.leave_series(What::PointLoad, index);
        Ok(())
    }
}

impl Given<'_> {
    /// The motion that is set for a prescribed point, or its described one. Any phase. Errors:
    /// another point.
    pub fn point_motion(self, point: Id) -> Result<[[f64; 3]; 3]> {
        let index = self.0.point_index(point)?;
        if self.0.model.points[index].support != Support::Prescribed {
            return Err(Error::bad_value(
                "point",
                format!("point {index} is not prescribed: it has no motion as input"),
            ));
        }
        let [x, v, a] = self.0.described_point(index);
        let origin = self.0.run.as_ref().map_or(Vec3::zeros(), |run| *run.system.references().origin());
        finite("position", (x + origin).into()).map(|x| [x, v.into(), a.into()])
    }

    /// The force on a point that is set for the end of the coming step (in BUILDING: at the initial
    /// time). Any phase.
    pub fn point_load(self, point: Id) -> Result<[f64; 3]> {
        Ok(self.0.inputs.loads.points[self.0.point_index(point)?].force.into())
    }
}

impl Description<'_> {
    /// A point as described: mass, volume, the body it is attached to, its place (initial position,
    /// or in body axes), whether it is fixed, whether it is prescribed. Any phase.
    pub fn point_info(self, point: Id) -> Result<PointInfo> {
        let described = &self.0.model.points[self.0.point_index(point)?];
        let Point { mass, volume, position, support, .. } = described;
        Ok(PointInfo {
            mass: *mass,
            volume: *volume,
            body: described.body().map(|body| body as Id),
            position: (*position).into(),
            fixed: *support == Support::Fixed,
            prescribed: *support == Support::Prescribed,
        })
    }

    /// Position and velocity with which a point was described; of an attached point its place in
    /// body axes, and zero. Any phase. Errors: a bad id.
    pub fn point_initial_motion(self, point: Id) -> Result<[[f64; 3]; 2]> {
        let Point { position, velocity, .. } = &self.0.model.points[self.0.point_index(point)?];
        Ok([*position, *velocity].map(Into::into))
    }
}

impl PointOutputs<'_> {
    /// Position of a point. Any phase; in BUILDING as described.
    pub fn position(self, point: Id) -> Result<[f64; 3]> {
        finite("position", self.0.point_motion(point)?[0].into())
    }

    /// Velocity of a point. Any phase; in BUILDING as described.
    pub fn velocity(self, point: Id) -> Result<[f64; 3]> {
        finite("velocity", self.0.point_motion(point)?[1].into())
    }

    /// Acceleration of a point. Phase READY, TRIAL, FAILED.
    pub fn acceleration(self, point: Id) -> Result<[f64; 3]> {
        self.0.readable()?;
        finite("acceleration", self.0.point_motion(point)?[2].into())
    }

    /// Positions of all points. Any phase; in BUILDING as described. Errors: length unequal to the
    /// count.
    pub fn positions(self, positions: &mut [[f64; 3]]) -> Result<()> {
        self.0.point_motions(0, "positions", positions)
    }

    /// Velocities of all points. Any phase; in BUILDING as described. Errors: length unequal to the
    /// count.
    pub fn velocities(self, velocities: &mut [[f64; 3]]) -> Result<()> {
        self.0.point_motions(1, "velocities", velocities)
    }

    /// Accelerations of all points. Phase READY, TRIAL, FAILED. Errors: length unequal to the
    /// count.
    pub fn accelerations(self, accelerations: &mut [[f64; 3]]) -> Result<()> {
        self.0.readable()?;
        self.0.point_motions(2, "accelerations", accelerations)
    }

    /// The force, inertial axes, that must be applied to a fixed or prescribed point in addition to
    /// its load for its imposed motion. Phase READY, TRIAL, FAILED. Errors: another point.
    pub fn reaction(self, point: Id) -> Result<[f64; 3]> {
        let state = self.0.state()?;
        let index = self.0.point_index(point)?;
        if !matches!(self.0.model.points[index].support, Support::Fixed | Support::Prescribed) {
            let detail =
                format!("{} is neither fixed nor prescribed: it has no reaction", self.0.describe_point(index));
            return Err(Error::bad_value("point", detail));
        }
        let range = state.layout.velocities(state.layout.point(index));
        finite("force", [0, 1, 2].map(|k| state.reactions[range.start + k]))
    }
}

/// See [`Description::point_info`](crate::simulation::Description::point_info).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointInfo {
    /// Mass.
    pub mass: f64,
    /// Volume.
    pub volume: f64,
    /// The body that it is attached to.
    pub body: Option<Id>,
    /// Initial position in inertial axes, or its place in the axes of that body.
    pub position: [f64; 3],
    /// Whether it is fixed.
    pub fixed: bool,
    /// Whether the host imposes its motion.
    pub prescribed: bool,
}
