//! Outputs: of the trial if one is pending, else of the accepted state. Phase READY, TRIAL, FAILED.

use super::Simulation;
use crate::error::{Error, Result};
use crate::model::{EntityKind, Frame, Id};
use crate::spatial::pose::check_finite;
use crate::spatial::{Mat3, Vec3, Vec6, join, lower, rotation, upper};
use crate::system::State;

/// A 6-vector of inertial axes in the axes asked for.
fn in_frame(a: &Vec6, frame: Frame, r: &Mat3) -> [f64; 6] {
    match frame {
        Frame::Inertial => (*a).into(),
        Frame::Body => join(&r.tr_mul(&upper(a)), &r.tr_mul(&lower(a))).into(),
    }
}

/// Errors unless `given` equals the count.
fn check_count(given: usize, count: usize) -> Result<()> {
    if given == count {
        Ok(())
    } else {
        Err(Error::BadSize { argument: "n", given: given as i64, expected: format!("{count} (the count)") })
    }
}

impl Simulation {
    fn state(&self) -> Result<&State> {
        Ok(&self.point()?.state)
    }

    fn body_index(&self, body: Id) -> Result<usize> {
        self.model.index("body", EntityKind::Body, body)
    }

    fn marker_index(&self, marker: Id) -> Result<usize> {
        self.model.index("marker", EntityKind::Marker, marker)
    }

    /// Pose of a body's reference point.
    pub fn body_pose(&self, body: Id) -> Result<[f64; 7]> {
        let state = self.state()?;
        Ok(state.bodies[self.body_index(body)?].pose().to_array())
    }

    /// Displacement u = x - x0 and rotation R R0^T (quaternion, w >= 0 not enforced) from the reference pose.
    pub fn body_displacement(&self, body: Id) -> Result<[f64; 7]> {
        let state = self.state()?;
        let index = self.body_index(body)?;
        let (now, reference) = (&state.bodies[index], &self.model.bodies[index].pose);
        let u = now.x - reference.position;
        let q = rotation::compose(&now.q, &reference.rotation.inverse());
        Ok([u.x, u.y, u.z, q.w, q.i, q.j, q.k])
    }

    /// Velocity of a body's reference point and angular velocity, in inertial or body axes.
    pub fn body_velocity(&self, body: Id, frame: Frame) -> Result<[f64; 6]> {
        let body = &self.state()?.bodies[self.body_index(body)?];
        Ok(in_frame(&body.v, frame, &rotation::matrix(&body.q)))
    }

    /// Acceleration of a body's reference point and angular acceleration, in inertial or body axes.
    pub fn body_acceleration(&self, body: Id, frame: Frame) -> Result<[f64; 6]> {
        let body = &self.state()?.bodies[self.body_index(body)?];
        Ok(in_frame(&body.vdot, frame, &rotation::matrix(&body.q)))
    }

    /// Poses of all bodies. Errors: length unequal to the count.
    pub fn body_poses(&self, poses: &mut [[f64; 7]]) -> Result<()> {
        let state = self.state()?;
        check_count(poses.len(), state.bodies.len())?;
        poses.iter_mut().zip(&state.bodies).for_each(|(out, b)| *out = b.pose().to_array());
        Ok(())
    }

    /// Velocities of all bodies, inertial axes. Errors: length unequal to the count.
    pub fn body_velocities(&self, velocities: &mut [[f64; 6]]) -> Result<()> {
        let state = self.state()?;
        check_count(velocities.len(), state.bodies.len())?;
        velocities.iter_mut().zip(&state.bodies).for_each(|(out, b)| *out = b.v.into());
        Ok(())
    }

    /// Accelerations of all bodies, inertial axes. Errors: length unequal to the count.
    pub fn body_accelerations(&self, accelerations: &mut [[f64; 6]]) -> Result<()> {
        let state = self.state()?;
        check_count(accelerations.len(), state.bodies.len())?;
        accelerations.iter_mut().zip(&state.bodies).for_each(|(out, b)| *out = b.vdot.into());
        Ok(())
    }

    /// Pose of a marker.
    pub fn marker_pose(&self, marker: Id) -> Result<[f64; 7]> {
        let state = self.state()?;
        Ok(self.readable()?.system.marker_pose(self.marker_index(marker)?, state).to_array())
    }

    /// Velocity of a marker and angular velocity, in inertial axes or those of its body.
    pub fn marker_velocity(&self, marker: Id, frame: Frame) -> Result<[f64; 6]> {
        let (velocity, _, r) = self.readable()?.system.marker_rates(self.marker_index(marker)?, self.state()?);
        Ok(in_frame(&velocity, frame, &r))
    }

    /// Acceleration of a marker and angular acceleration, in inertial axes or those of its body.
    pub fn marker_acceleration(&self, marker: Id, frame: Frame) -> Result<[f64; 6]> {
        let (_, acceleration, r) = self.readable()?.system.marker_rates(self.marker_index(marker)?, self.state()?);
        Ok(in_frame(&acceleration, frame, &r))
    }

    /// Poses of all markers. Errors: length unequal to the count.
    pub fn marker_poses(&self, poses: &mut [[f64; 7]]) -> Result<()> {
        let (run, state) = (self.readable()?, self.state()?);
        check_count(poses.len(), self.model.markers.len())?;
        poses.iter_mut().enumerate().for_each(|(k, out)| *out = run.system.marker_pose(k, state).to_array());
        Ok(())
    }

    /// Velocities of all markers, inertial axes. Errors: length unequal to the count.
    pub fn marker_velocities(&self, velocities: &mut [[f64; 6]]) -> Result<()> {
        let (run, state) = (self.readable()?, self.state()?);
        check_count(velocities.len(), self.model.markers.len())?;
        velocities.iter_mut().enumerate().for_each(|(k, out)| *out = run.system.marker_rates(k, state).0.into());
        Ok(())
    }

    /// Accelerations of all markers, inertial axes. Errors: length unequal to the count.
    pub fn marker_accelerations(&self, accelerations: &mut [[f64; 6]]) -> Result<()> {
        let (run, state) = (self.readable()?, self.state()?);
        check_count(accelerations.len(), self.model.markers.len())?;
        accelerations.iter_mut().enumerate().for_each(|(k, out)| *out = run.system.marker_rates(k, state).1.into());
        Ok(())
    }

    /// The wrench of body a on body b at the origin of b's joint frame, in inertial axes or those of body b.
    pub fn joint_reaction(&self, joint: Id, frame: Frame) -> Result<[f64; 6]> {
        let (run, state) = (self.readable()?, self.state()?);
        let index = self.model.index("joint", EntityKind::Joint, joint)?;
        Ok(run.system.joint_reaction(index, 1, frame, state).into())
    }

    /// The wrench of body b on body a at the origin of a's joint frame, in inertial axes or those of body a: the opposite
    /// of `joint_reaction`, moved to the other origin.
    pub fn joint_reaction_on_a(&self, joint: Id, frame: Frame) -> Result<[f64; 6]> {
        let (run, state) = (self.readable()?, self.state()?);
        let index = self.model.index("joint", EntityKind::Joint, joint)?;
        Ok(run.system.joint_reaction(index, 0, frame, state).into())
    }

    /// Coordinate of a joint (angles over any number of turns), its rate and its acceleration. Errors: a kind without.
    pub fn joint_coordinate(&self, joint: Id) -> Result<[f64; 3]> {
        let (run, state) = (self.readable()?, self.state()?);
        let index = self.model.index("joint", EntityKind::Joint, joint)?;
        run.system.joint_coordinate(index, state).ok_or_else(|| {
            let kind = self.model.joints[index].kind.name();
            Error::bad_value("joint", format!("joint {index} is {kind}: it has no coordinate"))
        })
    }

    /// Displacement of b along z of a in a joint, its rate and its acceleration. Errors: a kind that does not slide.
    pub fn joint_slide(&self, joint: Id) -> Result<[f64; 3]> {
        let (run, state) = (self.readable()?, self.state()?);
        let index = self.model.index("joint", EntityKind::Joint, joint)?;
        run.system.joint_slide(index, state).ok_or_else(|| {
            let kind = self.model.joints[index].kind.name();
            Error::bad_value("joint", format!("joint {index} is {kind}: it does not slide"))
        })
    }

    /// The wrench about the reference point that the host's motion of a prescribed body takes, in inertial or body axes.
    /// Errors: a body that is not prescribed.
    pub fn body_reaction(&self, body: Id, frame: Frame) -> Result<[f64; 6]> {
        let state = self.state()?;
        let index = self.body_index(body)?;
        if !self.model.bodies[index].prescribed {
            return Err(Error::bad_value("body", format!("body {index} is not prescribed: it has no reaction")));
        }
        Ok(in_frame(&state.reactions[index], frame, &rotation::matrix(&state.bodies[index].q)))
    }

    /// Length and tension of a spring (negative: it pushes).
    pub fn spring_force(&self, spring: Id) -> Result<(f64, f64)> {
        let (run, state) = (self.readable()?, self.state()?);
        let index = self.model.index("spring", EntityKind::Spring, spring)?;
        Ok(run.system.spring_force(index, state))
    }

    /// Largest violations over all constraints, of positions and of velocities.
    pub fn constraint_violation(&self) -> Result<(f64, f64)> {
        Ok(self.readable()?.system.violation(self.state()?))
    }

    /// Kinetic energy (bodies and added mass) and potential energy (weight, springs, bushings).
    pub fn energy(&self) -> Result<(f64, f64)> {
        Ok(self.readable()?.system.energy(self.state()?, &self.inputs.hydrodynamics))
    }

    /// Linear momentum of all bodies, and angular momentum about a point. Errors: `about` not finite.
    pub fn momentum(&self, about: &[f64; 3]) -> Result<[f64; 6]> {
        let (run, state) = (self.readable()?, self.state()?);
        check_finite("about", about)?;
        Ok(run.system.momentum(state, &Vec3::from_column_slice(about)).into())
    }
}
