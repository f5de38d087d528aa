//! Outputs: of the trial if one is pending, else of the accepted state. Phase READY, TRIAL, FAILED.
//! Every number is finite, or the call fails with `Overflow`. Poses and velocities of bodies and
//! markers can also be read in phase BUILDING, as described (`as_described`).

use super::views::Outputs;
use super::{Phase, Simulation};
use crate::error::{Error, Result};
use crate::model::{EntityKind, Frame, Id};
use crate::spatial::pose::check_finite;
use crate::spatial::{BodyState, Mat3, Vec3, Vec6, join, lower, rotation, upper};
use crate::system::{State, System};

/// A 6-vector of inertial axes, resolved in the requested axes.
fn in_frame(a: &Vec6, frame: Frame, r: &Mat3) -> [f64; 6] {
    match frame {
        Frame::Inertial => (*a).into(),
        Frame::Body => join(&r.tr_mul(&upper(a)), &r.tr_mul(&lower(a))).into(),
    }
}

/// A result, if it is finite. States are; quantities computed from them may overflow.
#[inline]
pub(super) fn finite<T: AsRef<[f64]>>(output: &'static str, numbers: T) -> Result<T> {
    if numbers.as_ref().iter().all(|x| x.is_finite()) { Ok(numbers) } else { Err(Error::Overflow { output }) }
}

/// Errors unless `given` equals the count.
pub(super) fn check_count(given: usize, count: usize) -> Result<()> {
    if given == count {
        Ok(())
    } else {
        Err(Error::BadSize { argument: "n", given: given as i64, expected: format!("{count} (the count)") })
    }
}

/// Writes one row after the other, or none if one is not finite.
pub(super) fn fill<const N: usize>(
    output: &'static str,
    rows: &mut [[f64; N]],
    row: impl Fn(usize) -> [f64; N],
) -> Result<()> {
    // Zero times a number that is not finite is NaN.
    let mut nothing = [0.0; N];
    for k in 0..rows.len() {
        nothing.iter_mut().zip(row(k)).for_each(|(sum, x)| *sum += 0.0 * x);
    }
    finite(output, nothing)?;
    rows.iter_mut().enumerate().for_each(|(k, out)| *out = row(k));
    Ok(())
}

/// The same for rows that are finite or return an error.
pub(super) fn each<const N: usize>(rows: &mut [[f64; N]], row: impl Fn(usize) -> Result<[f64; N]>) -> Result<()> {
    for k in 0..rows.len() {
        row(k)?;
    }
    for (k, out) in rows.iter_mut().enumerate() {
        *out = row(k)?;
    }
    Ok(())
}

/// The initial motion in phase BUILDING: that of `pintle_add_body` and `pintle_set_body_velocity`,
/// or the motion that was set for a prescribed body. Joints and drives have not moved anything yet.
struct AsDescribed<'a>(&'a Simulation);

impl AsDescribed<'_> {
    fn body_pose(&self, body: usize) -> Result<[f64; 7]> {
        finite("pose", self.0.described(body).pose().to_array())
    }

    /// In inertial axes, and the rotation of the body.
    fn body_velocity(&self, body: usize) -> (Vec6, Mat3) {
        let state = self.0.described(body);
        (state.v, rotation::matrix(&state.q))
    }

    fn marker_pose(&self, marker: usize) -> Result<[f64; 7]> {
        let marker = &self.0.model.markers[marker];
        finite("pose", self.0.described(marker.body).pose().compose(&marker.frame).to_array())
    }

    /// In inertial axes, and the rotation of its body.
    fn marker_velocity(&self, marker: usize) -> (Vec6, Mat3) {
        let marker = &self.0.model.markers[marker];
        let state = self.0.described(marker.body);
        (state.at(&marker.frame.position).v, rotation::matrix(&state.q))
    }
}

impl Simulation {
    /// The source of outputs in phase BUILDING.
    fn as_described(&self) -> Option<AsDescribed<'_>> {
        (self.phase == Phase::Building).then_some(AsDescribed(self))
    }

    pub(super) fn state(&self) -> Result<&State> {
        Ok(&self.point()?.state)
    }

    /// The state of a body's reference point, measured from the system's origin.
    fn body_state(&self, body: Id) -> Result<BodyState> {
        let (run, state) = (self.readable()?, self.state()?);
        let index = self.body_index(body)?;
        Ok(run.system.references().state(index, &state.body(index)))
    }

    fn body_index(&self, body: Id) -> Result<usize> {
        self.model.index("body", EntityKind::Body, body)
    }

    fn marker_index(&self, marker: Id) -> Result<usize> {
        self.model.index("marker", EntityKind::Marker, marker)
    }

    /// The system and its state; errors unless it has `given` bodies.
    fn bodies(&self, given: usize) -> Result<(&System, &State)> {
        let (run, state) = (self.readable()?, self.state()?);
        check_count(given, state.bodies())?;
        Ok((&run.system, state))
    }
}

impl Outputs<'_> {
    /// Fast path for the pose of a body's reference point, whose numbers stay in registers. None:
    /// use [`Outputs::body_pose`], which also reports errors.
    #[inline(always)]
    #[cfg(feature = "capi")]
    pub(crate) fn plain_body_pose(self, body: Id) -> Option<[f64; 7]> {
        let (run, state) = (self.0.readable().ok()?, self.0.state().ok()?);
        let (places, origin) = run.system.references().plain_places(state)?;
        let [x, y, z, i, j, k, w] = *places.get(usize::try_from(body).ok()?)?;
        Some([x + origin.x, y + origin.y, z + origin.z, w, i, j, k])
    }

    /// The same of its velocity, in inertial axes.
    #[inline(always)]
    #[cfg(feature = "capi")]
    pub(crate) fn plain_body_velocity(self, body: Id) -> Option<[f64; 6]> {
        let (run, state) = (self.0.readable().ok()?, self.0.state().ok()?);
        run.system.references().plain_rates(&state.v)?.get(usize::try_from(body).ok()?).copied()
    }

    /// Pose of a body's reference point.
    // Inlined, because a result that is copied as a whole is read in larger pieces than it was
    // written in, which stalls the processor (store forwarding).
    #[inline(always)]
    pub fn body_pose(self, body: Id) -> Result<[f64; 7]> {
        if let Some(described) = self.0.as_described() {
            return described.body_pose(self.0.body_index(body)?);
        }
        let (run, state) = (self.0.readable()?, self.0.state()?);
        let index = self.0.body_index(body)?;
        finite("pose", run.system.references().pose(index, &state.body(index)).to_array())
    }

    /// Displacement u = x - x0 and rotation R R0^T (quaternion, w >= 0 not enforced) from the
    /// reference pose.
    pub fn body_displacement(self, body: Id) -> Result<[f64; 7]> {
        let now = self.0.body_state(body)?;
        let reference = &self.0.model.bodies[self.0.body_index(body)?].pose;
        let u = now.x - (reference.position - self.0.readable()?.system.references().origin());
        let q = rotation::compose(&now.q, &reference.rotation.inverse());
        finite("displacement", [u.x, u.y, u.z, q.w, q.i, q.j, q.k])
    }

    /// Velocity of a body's reference point and angular velocity, in inertial or body axes.
    #[inline(always)]
    pub fn body_velocity(self, body: Id, frame: Frame) -> Result<[f64; 6]> {
        if let Some(described) = self.0.as_described() {
            let (velocity, r) = described.body_velocity(self.0.body_index(body)?);
            return finite("velocity", in_frame(&velocity, frame, &r));
        }
        let (run, state) = (self.0.readable()?, self.0.state()?);
        let index = self.0.body_index(body)?;
        let body = &state.body(index);
        let velocity = run.system.references().velocity(index, body);
        finite(
            "velocity",
            match frame {
                Frame::Inertial => velocity.into(),
                Frame::Body => in_frame(&velocity, frame, &rotation::matrix(&body.q)),
            },
        )
    }

    /// Acceleration of a body's reference point and angular acceleration, in inertial or body axes.
    pub fn body_acceleration(self, body: Id, frame: Frame) -> Result<[f64; 6]> {
        let body = self.0.body_state(body)?;
        finite("acceleration", in_frame(&body.vdot, frame, &rotation::matrix(&body.q)))
    }

    /// Poses of all bodies. Errors: length unequal to the count.
    pub fn body_poses(self, poses: &mut [[f64; 7]]) -> Result<()> {
        if let Some(described) = self.0.as_described() {
            check_count(poses.len(), self.0.model.bodies.len())?;
            return each(poses, |k| described.body_pose(k));
        }
        let (system, state) = self.0.bodies(poses.len())?;
        if let Some((places, origin)) = system.references().plain_places(state) {
            for (pose, [x, y, z, i, j, k, w]) in poses.iter_mut().zip(places) {
                *pose = [x + origin.x, y + origin.y, z + origin.z, *w, *i, *j, *k];
            }
            return Ok(());
        }
        fill("poses", poses, |k| system.references().pose(k, &state.body(k)).to_array())
    }

    /// Velocities of all bodies, inertial axes. Errors: length unequal to the count.
    pub fn body_velocities(self, velocities: &mut [[f64; 6]]) -> Result<()> {
        if let Some(described) = self.0.as_described() {
            check_count(velocities.len(), self.0.model.bodies.len())?;
            return each(velocities, |k| Ok(described.body_velocity(k).0.into()));
        }
        let (system, state) = self.0.bodies(velocities.len())?;
        if let Some(plain) = system.references().plain_rates(&state.v) {
            velocities.copy_from_slice(plain);
            return Ok(());
        }
        fill("velocities", velocities, |k| system.references().velocity(k, &state.body(k)).into())
    }

    /// Accelerations of all bodies, inertial axes. Errors: length unequal to the count.
    pub fn body_accelerations(self, accelerations: &mut [[f64; 6]]) -> Result<()> {
        let (system, state) = self.0.bodies(accelerations.len())?;
        if let Some(plain) = system.references().plain_rates(&state.vdot) {
            accelerations.copy_from_slice(plain);
            return Ok(());
        }
        fill("accelerations", accelerations, |k| system.references().state(k, &state.body(k)).vdot.into())
    }

    /// Pose of a marker.
    pub fn marker_pose(self, marker: Id) -> Result<[f64; 7]> {
        if let Some(described) = self.0.as_described() {
            return described.marker_pose(self.0.marker_index(marker)?);
        }
        let state = self.0.state()?;
        finite("pose", self.0.readable()?.system.markers().pose(self.0.marker_index(marker)?, state).to_array())
    }

    /// Velocity of a marker and angular velocity, in inertial axes or those of its body.
    pub fn marker_velocity(self, marker: Id, frame: Frame) -> Result<[f64; 6]> {
        if let Some(described) = self.0.as_described() {
            let (velocity, r) = described.marker_velocity(self.0.marker_index(marker)?);
            return finite("velocity", in_frame(&velocity, frame, &r));
        }
        let (velocity, _, r) = self.0.readable()?.system.markers().rates(self.0.marker_index(marker)?, self.0.state()?);
        finite("velocity", in_frame(&velocity, frame, &r))
    }

    /// Acceleration of a marker and angular acceleration, in inertial axes or those of its body.
    pub fn marker_acceleration(self, marker: Id, frame: Frame) -> Result<[f64; 6]> {
        let (_, acceleration, r) =
            self.0.readable()?.system.markers().rates(self.0.marker_index(marker)?, self.0.state()?);
        finite("acceleration", in_frame(&acceleration, frame, &r))
    }

    /// Poses of all markers. Errors: length unequal to the count.
    pub fn marker_poses(self, poses: &mut [[f64; 7]]) -> Result<()> {
        if let Some(described) = self.0.as_described() {
            check_count(poses.len(), self.0.model.markers.len())?;
            return each(poses, |k| described.marker_pose(k));
        }
        let (run, state) = (self.0.readable()?, self.0.state()?);
        check_count(poses.len(), self.0.model.markers.len())?;
        fill("poses", poses, |k| run.system.markers().pose(k, state).to_array())
    }

    /// Velocities of all markers, inertial axes. Errors: length unequal to the count.
    pub fn marker_velocities(self, velocities: &mut [[f64; 6]]) -> Result<()> {
        if let Some(described) = self.0.as_described() {
            check_count(velocities.len(), self.0.model.markers.len())?;
            return each(velocities, |k| finite("velocities", described.marker_velocity(k).0.into()));
        }
        let (run, state) = (self.0.readable()?, self.0.state()?);
        check_count(velocities.len(), self.0.model.markers.len())?;
        fill("velocities", velocities, |k| run.system.markers().rates(k, state).0.into())
    }

    /// Accelerations of all markers, inertial axes. Errors: length unequal to the count.
    pub fn marker_accelerations(self, accelerations: &mut [[f64; 6]]) -> Result<()> {
        let (run, state) = (self.0.readable()?, self.0.state()?);
        check_count(accelerations.len(), self.0.model.markers.len())?;
        fill("accelerations", accelerations, |k| run.system.markers().rates(k, state).1.into())
    }

    /// The wrench of body a on body b at the origin of b's joint frame, in inertial axes or those
    /// of body b.
    pub fn joint_reaction(self, joint: Id, frame: Frame) -> Result<[f64; 6]> {
        let (run, state) = (self.0.readable()?, self.0.state()?);
        let index = self.0.model.index("joint", EntityKind::Joint, joint)?;
        finite("wrench", run.system.joints().reaction(index, 1, frame, state, &run.sharing).into())
    }

    /// The wrench of body b on body a at the origin of a's joint frame, in inertial axes or those
    /// of body a: the opposite of `joint_reaction`, moved to the other origin.
    pub fn joint_reaction_on_a(self, joint: Id, frame: Frame) -> Result<[f64; 6]> {
        let (run, state) = (self.0.readable()?, self.0.state()?);
        let index = self.0.model.index("joint", EntityKind::Joint, joint)?;
        finite("wrench", run.system.joints().reaction(index, 0, frame, state, &run.sharing).into())
    }

    /// Coordinate of a joint (angles over any number of turns), its rate and its acceleration.
    /// Errors: a kind without.
    pub fn joint_coordinate(self, joint: Id) -> Result<[f64; 3]> {
        let (run, state) = (self.0.readable()?, self.0.state()?);
        let index = self.0.model.index("joint", EntityKind::Joint, joint)?;
        self.0.require_whole(index)?;
        let found = run.system.joints().coordinate(index, state).ok_or_else(|| {
            let kind = self.0.model.joints[index].kind.name();
            Error::bad_value("joint", format!("joint {index} is {kind}: it has no coordinate"))
        })?;
        finite("q, qd or qdd", found)
    }

    /// Displacement of b along z of a in a joint, its rate and its acceleration. Errors: a kind
    /// that does not slide.
    pub fn joint_slide(self, joint: Id) -> Result<[f64; 3]> {
        let (run, state) = (self.0.readable()?, self.0.state()?);
        let index = self.0.model.index("joint", EntityKind::Joint, joint)?;
        self.0.require_whole(index)?;
        let found = run.system.joints().slide(index, state).ok_or_else(|| {
            let kind = self.0.model.joints[index].kind.name();
            Error::bad_value("joint", format!("joint {index} is {kind}: it does not slide"))
        })?;
        finite("s, sd or sdd", found)
    }

    /// The wrench about the reference point that the imposed motion of a prescribed body needs, in
    /// inertial or body axes. Errors: a body that is not prescribed.
    pub fn body_reaction(self, body: Id, frame: Frame) -> Result<[f64; 6]> {
        let state = self.0.state()?;
        let index = self.0.body_index(body)?;
        if !self.0.model.bodies[index].prescribed {
            return Err(Error::bad_value("body", format!("body {index} is not prescribed: it has no reaction")));
        }
        let reaction = Vec6::from_column_slice(&state.reactions[state.layout.velocities(index)]);
        finite("wrench", in_frame(&reaction, frame, &rotation::matrix(&state.body(index).q)))
    }

    /// Length and tension of a spring (negative: it pushes).
    pub fn spring_force(self, spring: Id) -> Result<(f64, f64)> {
        let (run, state) = (self.0.readable()?, self.0.state()?);
        let index = self.0.model.index("spring", EntityKind::Spring, spring)?;
        let (length, tension) = run.system.elements().spring_force(index, state);
        finite("length or tension", [length, tension]).map(|_| (length, tension))
    }

    /// Largest violations over all constraints, of positions and of velocities.
    pub fn constraint_violation(self) -> Result<(f64, f64)> {
        let (position, velocity) = self.0.readable()?.system.constraints().largest_violations(self.0.state()?);
        finite("position or velocity", [position, velocity]).map(|_| (position, velocity))
    }

    /// Kinetic energy (bodies and added mass) and potential energy (weight, springs, bushings).
    pub fn energy(self) -> Result<(f64, f64)> {
        let (point, inputs) = (self.0.point()?, &self.0.inputs);
        let (h, water) = (&inputs.hydrodynamics, &inputs.water);
        let (kinetic, potential) =
            self.0.readable()?.system.balance().energy(&point.state, h, water, &point.loads.lines);
        finite("kinetic or potential", [kinetic, potential]).map(|_| (kinetic, potential))
    }

    /// Linear momentum of all bodies, points and lines, and angular momentum about a point. Errors:
    /// `about` not finite.
    pub fn momentum(self, about: &[f64; 3]) -> Result<[f64; 6]> {
        let (run, point) = (self.0.readable()?, self.0.point()?);
        check_finite("about", about)?;
        let about = Vec3::from_column_slice(about);
        finite("momentum", run.system.balance().momentum(&point.state, &about, &point.loads.lines).into())
    }
}
