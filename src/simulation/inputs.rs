//! Inputs: loads held for the end of the coming step, and load callbacks.

use super::build::NO_FREE_SLIDE;
use super::named_inputs::What;
use super::views::HostInputs;
use super::{Phase, Simulation};
use crate::error::{Error, Result};
use crate::model::{BodyLoadFn, CoupledCallback, CoupledLoadFn, EntityKind, Frame, Id, JointLoad, Load, ProgressFn};
use crate::scheme::{Marks, Restart};
use crate::spatial::pose::check_finite;
use crate::spatial::{BodyState, Pose, Vec6};

impl Simulation {
    pub(super) fn require_input(&self) -> Result<()> {
        self.require(
            &[Phase::Building, Phase::Ready, Phase::Trial],
            "inputs are set in phase BUILDING (initial values), READY or TRIAL",
        )
    }
}

/// The error for a position in a run that overflows when it is measured from the model's origin.
pub(super) const TOO_FAR: &str = "is too far: its distance from the origin of the model overflows";

impl HostInputs<'_> {
    /// Sets all loads of bodies, markers, beams, joints and points to zero; imposed motions stay.
    /// Phase BUILDING, READY, TRIAL.
    pub fn clear_loads(&mut self) -> Result<()> {
        self.0.require_input()?;
        self.0.inputs.loads.clear();
        // Entities that cannot have a load have none.
        for (load, joint) in self.0.inputs.loads.joints.iter_mut().zip(&self.0.model.joints) {
            load.given = joint.kind.coordinate().is_some();
        }
        for (load, joint) in self.0.inputs.loads.slides.iter_mut().zip(&self.0.model.joints) {
            load.given = joint.kind.has_free_slide();
        }
        use What::{BodyLoad, JointLoad, MarkerLoad, PointLoad, SlideLoad};
        self.0.leave_all_series(&[BodyLoad, MarkerLoad, JointLoad, SlideLoad, PointLoad]);
        Ok(())
    }

    /// Sets the wrench on a body about its reference point, in inertial or body axes; replaces the
    /// former one. In BUILDING it is the value at the initial time, later the value at the end of
    /// the coming step.
    pub fn set_body_load(&mut self, body: Id, frame: Frame, wrench: &[f64; 6]) -> Result<()> {
        self.0.require_input()?;
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        self.0.inputs.loads.bodies[index] = load("wrench", frame, wrench)?;
        self.0.leave_series(What::BodyLoad, index);
        Ok(())
    }

    /// Sets the wrenches on all bodies.
    pub fn set_body_loads(&mut self, frame: Frame, wrenches: &[[f64; 6]]) -> Result<()> {
        self.0.require_input()?;
        set_all(&mut self.0.inputs.loads.bodies, frame, wrenches)?;
        self.0.leave_all_series(&[What::BodyLoad]);
        Ok(())
    }

    /// Sets the wrench on a marker (about the marker; in inertial axes or those of its body);
    /// replaces the former one.
    pub fn set_marker_load(&mut self, marker: Id, frame: Frame, wrench: &[f64; 6]) -> Result<()> {
        self.0.require_input()?;
        let index = self.0.model.index("marker", EntityKind::Marker, marker)?;
        self.0.inputs.loads.markers[index] = load("wrench", frame, wrench)?;
        self.0.leave_series(What::MarkerLoad, index);
        Ok(())
    }

    /// Sets the wrenches on all markers.
    pub fn set_marker_loads(&mut self, frame: Frame, wrenches: &[[f64; 6]]) -> Result<()> {
        self.0.require_input()?;
        set_all(&mut self.0.inputs.loads.markers, frame, wrenches)?;
        self.0.leave_all_series(&[What::MarkerLoad]);
        Ok(())
    }

    /// Sets the generalized force on the coordinate of a joint (on b; the opposite acts on a);
    /// replaces the former one.
    pub fn set_joint_load(&mut self, joint: Id, force: f64) -> Result<()> {
        self.0.require_input()?;
        let index = self.0.model.index("joint", EntityKind::Joint, joint)?;
        let kind = self.0.model.joints[index].kind;
        if kind.coordinate().is_none() {
            let detail = format!("joint {index} is {}: it has no coordinate for a load", kind.name());
            return Err(Error::bad_value("joint", detail));
        }
        self.0.require_whole(index)?;
        check_finite("generalized_force", &[force])?;
        let load = &mut self.0.inputs.loads.joints[index];
        *load = JointLoad { force, given: true, ..*load };
        self.0.leave_series(What::JointLoad, index);
        Ok(())
    }

    /// Sets coordinate, rate and acceleration of a driven joint: initial values in BUILDING, later
    /// those at the end of the coming step.
    pub fn set_joint_motion(&mut self, joint: Id, q: f64, qd: f64, qdd: f64) -> Result<()> {
        self.0.require_input()?;
        let index = self.0.model.index("joint", EntityKind::Joint, joint)?;
        if !self.0.model.joints[index].driven {
            let detail = format!("joint {index} is not driven (pintle_set_joint_driven)");
            return Err(Error::bad_value("joint", detail));
        }
        self.0.require_whole(index)?;
        for (argument, value) in [("q", q), ("qd", qd), ("qdd", qdd)] {
            check_finite(argument, &[value])?;
        }
        self.0.inputs.loads.joints[index].drive = Some([q, qd, qdd]);
        self.0.leave_series(What::JointMotion, index);
        Ok(())
    }

    /// Sets the force along z on the slide of a CYLINDRICAL joint (on b; the opposite acts on a);
    /// replaces the former one.
    pub fn set_joint_slide_load(&mut self, joint: Id, force: f64) -> Result<()> {
        self.0.require_input()?;
        let index = self.0.model.index("joint", EntityKind::Joint, joint)?;
        let kind = self.0.model.joints[index].kind;
        if !kind.has_free_slide() {
            return Err(Error::bad_value("joint", format!("joint {index} is {}: {NO_FREE_SLIDE}", kind.name())));
        }
        self.0.require_whole(index)?;
        check_finite("force", &[force])?;
        let load = &mut self.0.inputs.loads.slides[index];
        *load = JointLoad { force, given: true, ..*load };
        self.0.leave_series(What::SlideLoad, index);
        Ok(())
    }

    /// Sets displacement, rate and acceleration of a driven slide: initial values in BUILDING,
    /// later those at the end of the coming step.
    pub fn set_joint_slide_motion(&mut self, joint: Id, s: f64, sd: f64, sdd: f64) -> Result<()> {
        self.0.require_input()?;
        let index = self.0.model.index("joint", EntityKind::Joint, joint)?;
        if !self.0.model.joints[index].slide_driven {
            let detail = format!("the slide of joint {index} is not driven (pintle_set_joint_slide_driven)");
            return Err(Error::bad_value("joint", detail));
        }
        self.0.require_whole(index)?;
        for (argument, value) in [("s", s), ("sd", sd), ("sdd", sdd)] {
            check_finite(argument, &[value])?;
        }
        self.0.inputs.loads.slides[index].drive = Some([s, sd, sdd]);
        self.0.leave_series(What::SlideMotion, index);
        Ok(())
    }

    /// Sets pose, velocity and acceleration of a prescribed body, inertial axes: initial values in
    /// BUILDING, later those at the end of the coming step.
    pub fn set_body_motion(
        &mut self,
        body: Id,
        pose: &[f64; 7],
        velocity: &[f64; 6],
        acceleration: &[f64; 6],
    ) -> Result<()> {
        self.0.require_input()?;
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        if !self.0.model.bodies[index].prescribed {
            let detail = format!("body {index} is not prescribed (pintle_set_body_prescribed in phase BUILDING)");
            return Err(Error::bad_value("body", detail));
        }
        let pose = Pose::from_array("pose", pose)?;
        check_finite("velocity", velocity)?;
        check_finite("acceleration", acceleration)?;
        let given = BodyState {
            x: pose.position,
            q: pose.rotation,
            v: Vec6::from_column_slice(velocity),
            vdot: Vec6::from_column_slice(acceleration),
        };
        // In phase BUILDING motions are stored as given: `initialize` converts them.
        let motion = self.0.run.as_ref().map_or(given, |run| run.system.references().integrated_state(index, &given));
        if !motion.x.iter().all(|x| x.is_finite()) {
            return Err(Error::bad_value("pose", TOO_FAR));
        }
        self.0.inputs.loads.motions[index] = Some(motion);
        self.0.leave_series(What::BodyMotion, index);
        Ok(())
    }

    /// Sets, or with None removes, the load callback of a body. It is not part of snapshots.
    pub fn set_load_callback(&mut self, body: Id, callback: Option<BodyLoadFn>) -> Result<()> {
        self.0.require_input()?;
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        self.0.callbacks.bodies[index] = callback;
        if let Some(run) = &mut self.0.run {
            // They depend on its stiffness.
            run.forget_preparations();
        }
        Ok(())
    }

    /// Sets the load callback of a set of bodies, in place of the one that this set has, or with
    /// None removes that. Returns its id, which the set keeps. It is not part of snapshots.
    ///
    /// Errors: no bodies; a bad id; a body twice; no callback to remove.
    pub fn set_coupled_load_callback(&mut self, bodies: &[Id], function: Option<CoupledLoadFn>) -> Result<Id> {
        self.0.require_input()?;
        if bodies.is_empty() {
            return Err(Error::BadSize { argument: "n", given: 0, expected: "1 or more".into() });
        }
        let index = |id: &Id| self.0.model.index("bodies", EntityKind::Body, *id);
        let bodies = bodies.iter().map(index).collect::<Result<Vec<usize>>>()?;
        let sorted = |bodies: &[usize]| {
            let mut sorted = bodies.to_vec();
            sorted.sort_unstable();
            sorted
        };
        let set = sorted(&bodies);
        if let Some(pair) = set.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::bad_value("bodies", format!("body {} is in the list twice", pair[0])));
        }
        let present = self.0.callbacks.coupled.iter().position(|callback| sorted(&callback.bodies) == set);
        let id = match present {
            Some(id) => {
                if function.is_none() && self.0.callbacks.coupled[id].function.is_none() {
                    return Err(Error::bad_value("fn", format!("callback {id} of these bodies is removed already")));
                }
                self.0.callbacks.coupled[id] = CoupledCallback { id, bodies, function };
                id
            }
            None if function.is_none() => {
                return Err(Error::bad_value("fn", "no callback of these bodies is there to be removed"));
            }
            None => {
                let id = self.0.callbacks.coupled.len();
                self.0.callbacks.coupled.push(CoupledCallback { id, bodies, function });
                self.0.model.callbacks = id + 1;
                id
            }
        };
        if let Some(run) = &mut self.0.run {
            // Callbacks tie entities together.
            run.forget_entities();
            if let Some(workspace) = run.workroom.workspace_mut() {
                run.system.callbacks().follow(&self.0.callbacks, workspace);
            }
        }
        Ok(id as Id)
    }

    /// Sets, or with None removes, the callback of long calls. It receives the time and the part of
    /// the call that is done; a nonzero return stops the call (`Stopped`) with nothing changed. It
    /// is not part of snapshots. Any phase.
    pub fn set_progress_callback(&mut self, callback: Option<ProgressFn>) {
        self.0.progress.set(callback);
    }

    /// Marks a jump of loads at the present time: the step from there starts the scheme anew, with
    /// the loads that are set for its end acting from its start on. In phase TRIAL the present time
    /// is that of the trial; if the host advances again instead of accepting it, the mark applies
    /// to that step, from the accepted state. Phase READY, TRIAL.
    pub fn mark_discontinuity(&mut self) -> Result<()> {
        self.0
            .require(&[Phase::Ready, Phase::Trial], "a discontinuity is marked during a run (phase READY or TRIAL)")?;
        self.0.mark(Marks { restart: Restart::Discontinuity, loads_jump: true });
        Ok(())
    }
}

pub(super) fn load(argument: &'static str, frame: Frame, wrench: &[f64; 6]) -> Result<Load> {
    check_finite(argument, wrench)?;
    Ok(Load { frame, wrench: Vec6::from_column_slice(wrench), given: true })
}

fn set_all(loads: &mut [Load], frame: Frame, wrenches: &[[f64; 6]]) -> Result<()> {
    if wrenches.len() != loads.len() {
        return Err(Error::BadSize {
            argument: "n",
            given: wrenches.len() as i64,
            expected: format!("{} (the count)", loads.len()),
        });
    }
    check_finite("wrenches", wrenches.as_flattened())?;
    for (own, wrench) in loads.iter_mut().zip(wrenches) {
        *own = Load { frame, wrench: Vec6::from_column_slice(wrench), given: true };
    }
    Ok(())
}
