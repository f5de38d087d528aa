//! The present inputs, read back: loads, imposed motions, and whether callbacks are set. All
//! phases, unless noted.
//!
//! They are the values for the end of the coming step (in phase BUILDING: for the initial time), as
//! the setters left them; the loads of the state to which outputs belong may be older.

use super::outputs::{check_count, each, finite};
use super::views::Given;
use super::{Phase, Simulation};
use crate::error::{Error, Result};
use crate::model::{CoupledCallback, EntityKind, Frame, Id, JointKind, JointLoad, Load};
use crate::spatial::{BodyState, Mat3, Vec6, join, lower, rotation, upper};

impl Simulation {
    /// The rotation of a body in the state to which outputs belong: the trial if one is pending,
    /// else the accepted state; before `initialize` the initial one.
    fn rotation_of(&self, body: usize) -> Mat3 {
        let described = || self.described(body).q;
        let present = self.point().map_or_else(|_| described(), |point| point.state.body(body).q);
        rotation::matrix(&present)
    }

    /// The initial state of a body, as described: its own, or the motion that was set for a
    /// prescribed body. For the reference point, in the host's coordinates; before `initialize`.
    pub(super) fn described(&self, body: usize) -> BodyState {
        let described = &self.model.bodies[body];
        let (x, q) = (described.pose.position, described.pose.rotation);
        let own = BodyState { x, q, v: described.velocity, vdot: described.acceleration };
        self.inputs.loads.motions[body].filter(|_| self.phase == Phase::Building).unwrap_or(own)
    }
}

/// A wrench in the requested axes; bit for bit if it was given in these.
fn in_axes(load: &Load, frame: Frame, r: impl FnOnce() -> Mat3) -> Vec6 {
    let (force, moment) = (upper(&load.wrench), lower(&load.wrench));
    match (load.frame, frame) {
        (given, asked) if given == asked => load.wrench,
        (_, Frame::Inertial) => {
            let r = r();
            join(&(r * force), &(r * moment))
        }
        (_, Frame::Body) => {
            let r = r();
            join(&r.tr_mul(&force), &r.tr_mul(&moment))
        }
    }
}

impl Given<'_> {
    /// A clone. Errors in phase FAILED, where only the accepted state is valid.
    pub fn duplicate(self) -> Result<Simulation> {
        self.0.require_sound()?;
        Ok(self.0.clone())
    }

    /// Whether a discontinuity is marked at the time that outputs belong to. Phase READY, TRIAL,
    /// FAILED.
    pub fn discontinuity(&self) -> Result<bool> {
        Ok(self.0.point()?.marks.loads_jump)
    }

    fn load_on(&self, body: usize, load: &Load, frame: Frame) -> Result<[f64; 6]> {
        finite("wrench", in_axes(load, frame, || self.0.rotation_of(body)).into())
    }

    /// The load that is set on a body, in the requested axes: as it was given in these, or rotated
    /// with the body's present rotation. Errors: a bad id.
    pub fn body_load(self, body: Id, frame: Frame) -> Result<[f64; 6]> {
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        self.load_on(index, &self.0.inputs.loads.bodies[index], frame)
    }

    /// The axes in which the load on a body was given. Errors: a bad id.
    pub fn body_load_frame(self, body: Id) -> Result<Frame> {
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        Ok(self.0.inputs.loads.bodies[index].frame)
    }

    /// The axes in which the load on a marker was given. Errors: a bad id.
    pub fn marker_load_frame(self, marker: Id) -> Result<Frame> {
        let index = self.0.model.index("marker", EntityKind::Marker, marker)?;
        Ok(self.0.inputs.loads.markers[index].frame)
    }

    /// The loads that are set on all bodies. Errors: length unequal to the count.
    pub fn body_loads(self, frame: Frame, wrenches: &mut [[f64; 6]]) -> Result<()> {
        let loads = &self.0.inputs.loads.bodies;
        check_count(wrenches.len(), loads.len())?;
        each(wrenches, |k| self.load_on(k, &loads[k], frame))
    }

    /// The load that is set on a marker, in inertial axes or those of its body, as
    /// [`Given::body_load`]. Errors: a bad id.
    pub fn marker_load(self, marker: Id, frame: Frame) -> Result<[f64; 6]> {
        let Simulation { model, inputs, .. } = self.0;
        let index = model.index("marker", EntityKind::Marker, marker)?;
        self.load_on(model.markers[index].body, &inputs.loads.markers[index], frame)
    }

    /// The loads that are set on all markers. Errors: length unequal to the count.
    pub fn marker_loads(self, frame: Frame, wrenches: &mut [[f64; 6]]) -> Result<()> {
        let Simulation { model, inputs, .. } = self.0;
        check_count(wrenches.len(), model.markers.len())?;
        each(wrenches, |k| self.load_on(model.markers[k].body, &inputs.loads.markers[k], frame))
    }

    /// What is set on a joint. Errors: a bad id; a joint that does not fit.
    fn on_joint<'s>(
        &'s self,
        joint: Id,
        loads: &'s [JointLoad],
        fits: fn(JointKind) -> bool,
        why: &str,
    ) -> Result<&'s JointLoad> {
        let model = &self.0.model;
        let index = model.index("joint", EntityKind::Joint, joint)?;
        let kind = model.joints[index].kind;
        if fits(kind) {
            return Ok(&loads[index]);
        }
        Err(Error::bad_value("joint", format!("joint {index} is {}: {why}", kind.name())))
    }

    /// The generalized force that is set on the coordinate of a joint. Errors: a bad id; a joint
    /// without coordinate.
    pub fn joint_load(self, joint: Id) -> Result<f64> {
        let fits = |kind: JointKind| kind.coordinate().is_some();
        Ok(self.on_joint(joint, &self.0.inputs.loads.joints, fits, "it has no coordinate for a load")?.force)
    }

    /// The force that is set on the slide of a CYLINDRICAL joint. Errors: a bad id; another kind.
    pub fn joint_slide_load(self, joint: Id) -> Result<f64> {
        let (loads, why) = (&self.0.inputs.loads.slides, super::build::NO_FREE_SLIDE);
        Ok(self.on_joint(joint, loads, JointKind::has_free_slide, why)?.force)
    }

    /// The motion that is set on the coordinate of a driven joint. Errors: a bad id; a joint that
    /// is not driven, or whose motion was not set before `initialize`, which then determines it.
    pub fn joint_motion(self, joint: Id) -> Result<[f64; 3]> {
        let Simulation { model, inputs, .. } = self.0;
        let index = model.index("joint", EntityKind::Joint, joint)?;
        if !model.joints[index].driven {
            let detail = format!("joint {index} is not driven (pintle_set_joint_driven)");
            return Err(Error::bad_value("joint", detail));
        }
        inputs.loads.joints[index].drive.ok_or_else(|| {
            Error::bad_value("joint", format!("no motion of joint {index} is set: it will stay where it is"))
        })
    }

    /// The motion that is set on a driven slide. Errors: as [`Given::joint_motion`].
    pub fn joint_slide_motion(self, joint: Id) -> Result<[f64; 3]> {
        let Simulation { model, inputs, .. } = self.0;
        let index = model.index("joint", EntityKind::Joint, joint)?;
        if !model.joints[index].slide_driven {
            let detail = format!("the slide of joint {index} is not driven (pintle_set_joint_slide_driven)");
            return Err(Error::bad_value("joint", detail));
        }
        inputs.loads.slides[index].drive.ok_or_else(|| {
            Error::bad_value(
                "joint",
                format!("no motion of the slide of joint {index} is set: it will stay where it is"),
            )
        })
    }

    /// The motion that is set for a prescribed body, inertial axes: pose, velocity, acceleration.
    /// Before it is set, the described one. During a run positions are stored relative to the
    /// model's origin, so that far from zero they are returned with rounding. Errors: a bad id; a
    /// body that is not prescribed.
    pub fn body_motion(self, body: Id) -> Result<([f64; 7], [f64; 6], [f64; 6])> {
        let Simulation { model, inputs, run, .. } = self.0;
        let index = model.index("body", EntityKind::Body, body)?;
        if !model.bodies[index].prescribed {
            let detail = format!("body {index} is not prescribed (pintle_set_body_prescribed in phase BUILDING)");
            return Err(Error::bad_value("body", detail));
        }
        let (pose, state) = match (run, &inputs.loads.motions[index]) {
            (Some(run), Some(set)) => {
                (run.system.references().pose(index, set), run.system.references().state(index, set))
            }
            _ => {
                let state = self.0.described(index);
                (state.pose(), state)
            }
        };
        Ok((finite("pose", pose.to_array())?, state.v.into(), state.vdot.into()))
    }

    /// Whether a body has a load callback of its own. Errors: a bad id.
    pub fn has_load_callback(self, body: Id) -> Result<bool> {
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        Ok(self.0.callbacks.bodies[index].is_some())
    }

    fn coupled(&self, callback: Id) -> Result<&CoupledCallback> {
        let index = self.0.model.index("callback", EntityKind::Callback, callback)?;
        Ok(&self.0.callbacks.coupled[index])
    }

    /// The number of bodies of a coupled load callback, and whether it is still set. Errors: a bad
    /// id.
    pub fn coupled_load_callback(self, callback: Id) -> Result<(i32, bool)> {
        let callback = self.coupled(callback)?;
        Ok((callback.bodies.len() as i32, callback.function.is_some()))
    }

    /// Body `k` of a coupled load callback, in the order of its arguments. Errors: a bad id; k.
    pub fn coupled_load_body(self, callback: Id, k: i32) -> Result<Id> {
        let bodies = &self.coupled(callback)?.bodies;
        let body = usize::try_from(k).ok().and_then(|k| bodies.get(k));
        body.map(|body| *body as Id).ok_or_else(|| {
            Error::bad_value("k", format!("{k} is not in 0..{}, the bodies of callback {callback}", bodies.len()))
        })
    }

    /// Whether a progress callback is set.
    pub fn has_progress_callback(self) -> bool {
        self.0.progress.is_asked()
    }
}
