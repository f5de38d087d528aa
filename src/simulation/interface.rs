//! Analyses with loads of the host: inputs of `linearize`, and the compliance of markers, bodies
//! and joints.

use super::views::Analysis;
use super::{LinearInputs, LinearModel, Simulation};
use crate::analysis::linearization::LoadPoint;
use crate::error::{Error, Result};
use crate::model::{EntityKind, Id};
use crate::system::JointCoordinate;

impl Simulation {
    /// Bodies or markers with wrenches, as points. Errors: a bad id.
    fn wrenches(
        &self,
        argument: &'static str,
        kind: EntityKind,
        ids: &[Id],
        point: fn(usize) -> LoadPoint,
    ) -> Result<Vec<LoadPoint>> {
        ids.iter().map(|id| self.model.index(argument, kind, *id).map(point)).collect()
    }

    /// Joints with forces on their coordinates, or on their slides, as points. Errors: a bad id, a
    /// joint without.
    fn on_joints(&self, argument: &'static str, ids: &[Id], is_slide: bool) -> Result<Vec<LoadPoint>> {
        let point = |id: &Id| {
            let joint = self.model.index(argument, EntityKind::Joint, *id)?;
            let kind = self.model.joints[joint].kind;
            let (fits, why) = match is_slide {
                true => (kind.has_free_slide(), super::build::NO_FREE_SLIDE),
                false => (kind.coordinate().is_some(), "it has no coordinate"),
            };
            if fits {
                self.require_whole(joint)?;
                return Ok(LoadPoint::Joint(JointCoordinate { joint, is_slide }));
            }
            Err(Error::bad_value(argument, format!("joint {joint} is {}: {why}", kind.name())))
        };
        ids.iter().map(point).collect()
    }

    /// All inputs as points. Errors: a bad id, a joint without coordinate or slide.
    fn load_points(&self, of: &LinearInputs) -> Result<Vec<LoadPoint>> {
        let points = [
            self.wrenches("bodies", EntityKind::Body, of.bodies, LoadPoint::Body)?,
            self.wrenches("load_markers", EntityKind::Marker, of.markers, LoadPoint::Marker)?,
            self.on_joints("joints", of.joints, false)?,
            self.on_joints("slides", of.slides, true)?,
        ];
        Ok(points.concat())
    }
}

impl Analysis<'_> {
    /// Linearises about the present state, as
    /// [`Analysis::linearize`](crate::simulation::Analysis::linearize), with loads on joints among
    /// the inputs. A load on a driven coordinate has no effect on the motion. Phase READY, TRIAL.
    /// Errors: as there; a joint without coordinate or slide.
    pub fn linearize_inputs(self, inputs: &LinearInputs, sensors: &[Id]) -> Result<LinearModel> {
        self.0.require_run()?;
        let points = self.0.load_points(inputs)?;
        let sensor = |id: &Id| self.0.model.index("sensor_markers", EntityKind::Marker, *id);
        let sensors = sensors.iter().map(sensor).collect::<Result<Vec<_>>>()?;
        self.0.linearize_at(&points, &sensors)
    }

    /// `d(acceleration, velocity, displacement)/d(wrench)` of markers at the end of a step of
    /// length `dt`, in I: three 6k x 6k matrices. In phase TRIAL at the end of the trial step
    /// (whose length `dt` must be), in READY at the accepted state, for the coming step. Not for
    /// the first step after a start or discontinuity, where loads also act on the start values.
    ///
    /// Errors: a bad id; `dt` not positive, or longer than `max_time_step`; `Unsupported` (a scheme
    /// without iteration matrix); `Singular`, `Callback`.
    pub fn load_compliance(self, markers: &[Id], dt: f64) -> Result<[Vec<f64>; 3]> {
        self.0.require_run()?;
        self.0.compliance_at(&self.0.wrenches("markers", EntityKind::Marker, markers, LoadPoint::Marker)?, dt)
    }

    /// The same for the reference points of bodies. Errors: as there.
    pub fn body_compliance(self, bodies: &[Id], dt: f64) -> Result<[Vec<f64>; 3]> {
        self.0.require_run()?;
        self.0.compliance_at(&self.0.wrenches("bodies", EntityKind::Body, bodies, LoadPoint::Body)?, dt)
    }

    /// The same for the coordinates of joints and the generalized forces on them: three k x k
    /// matrices. Errors: as there; a joint without coordinate.
    pub fn joint_compliance(self, joints: &[Id], dt: f64) -> Result<[Vec<f64>; 3]> {
        self.0.require_run()?;
        self.0.compliance_at(&self.0.on_joints("joints", joints, false)?, dt)
    }

    /// The same for reference points of bodies, markers, coordinates and slides of joints together,
    /// in this order: 6 rows and columns of each body and marker, one of each joint and slide.
    /// Errors: as there; a joint without coordinate or slide.
    pub fn compliance(self, of: &LinearInputs, dt: f64) -> Result<[Vec<f64>; 3]> {
        self.0.require_run()?;
        self.0.compliance_at(&self.0.load_points(of)?, dt)
    }
}
