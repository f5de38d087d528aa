//! The model, as the host describes it in phase BUILDING, and the settings.

use super::views::{Build, Description, Given, HostSettings};
use super::{Phase, Simulation};
use crate::elements::check_not_negative;
use crate::error::{Error, Result, did_you_mean};
use crate::model::{
    Body, EntityKind, Frame, FrameMatrix, GROUND, Hydrodynamics, Id, Joint, JointKind, JointLoad, JointSpring, Load,
    Loads, Marker,
};
use crate::number::Number;
use crate::scheme::{Restart, Scheme};
use crate::spatial::inertia::positive_semi_definite;
use crate::spatial::pose::check_finite;
use crate::spatial::{Mat6, Pose, RigidInertia, Vec3, Vec6, axes, convert, join, lower, rotate, rotation, upper};

/// The error for a joint without a slide of its own.
pub(super) const NO_FREE_SLIDE: &str = "only CYLINDRICAL has a slide beside its coordinate";

/// A spring on a coordinate or a slide. Errors: not finite, negative.
fn joint_spring(stiffness: f64, damping: f64, rest: f64) -> Result<JointSpring> {
    check_not_negative("stiffness", stiffness)?;
    check_not_negative("damping", damping)?;
    check_finite("rest", &[rest])?;
    Ok(JointSpring { stiffness, damping, rest })
}

/// Reserves memory for one more entity, whose id must be an i32.
pub(super) fn reserve<T>(argument: &'static str, entities: &mut Vec<T>) -> Result<Id> {
    let bytes = std::mem::size_of::<T>();
    entities.try_reserve(1).map_err(|_| Error::OutOfMemory { argument, bytes })?;
    Id::try_from(entities.len()).map_err(|_| Error::BadSize {
        argument,
        given: entities.len() as i64,
        expected: format!("at most {}", Id::MAX),
    })
}

fn finite_matrix(argument: &'static str, a: &[f64; 36]) -> Result<Mat6> {
    check_finite(argument, a)?;
    Ok(Mat6::from_column_slice(a))
}

/// Sets the radius of the disc of a ROLLING joint, positive. Phase BUILDING.
pub fn set_joint_radius(simulation: &mut Simulation, joint: Id, radius: f64) -> Result<()> {
    let joint = simulation.joint_to_change(joint, JointKind::rolls, "only ROLLING has a radius")?;
    check_finite("radius", &[radius])?;
    if radius <= 0.0 {
        return Err(Error::bad_value("radius", format!("{} is not positive", Number(radius))));
    }
    joint.radius = radius;
    Ok(())
}

impl Simulation {
    pub(super) fn push_body(&mut self, inertia: RigidInertia, pose: Pose) -> Result<Id> {
        let id = reserve("body", &mut self.model.bodies)?;
        reserve("body", &mut self.inputs.loads.bodies)?;
        reserve("body", &mut self.inputs.loads.motions)?;
        reserve("body", &mut self.inputs.hydrodynamics)?;
        reserve("body", &mut self.callbacks.bodies)?;
        self.model.bodies.push(Body::new(inertia, pose, Vec6::zeros(), Vec6::zeros()));
        self.inputs.loads.bodies.push(Load::NONE);
        self.inputs.loads.motions.push(None);
        self.inputs.hydrodynamics.push(Hydrodynamics::default());
        self.callbacks.bodies.push(None);
        Ok(id)
    }

    fn push_joint(&mut self, mut joint: Joint) -> Result<Id> {
        if joint.kind.keeps_distance() {
            // The origin, and the largest of the numbers that were added.
            let origin = |body: Option<usize>, frame: &Pose| match body {
                None => (frame.position, frame.position.norm()),
                Some(i) => {
                    let pose = &self.model.bodies[i].pose;
                    (pose.compose(frame).position, pose.position.norm() + frame.position.norm())
                }
            };
            let ((a, size_a), (b, size_b)) =
                (origin(joint.body_a, &joint.frame_a), origin(joint.body_b, &joint.frame_b));
            joint.distance = (b - a).norm();
            if !joint.distance.is_finite() {
                return Err(Error::bad_value("frame_b", "is too far from frame_a: the distance overflows"));
            }
            // A distance that is rounding counts as zero.
            if joint.distance <= 1e-14 * (size_a + size_b) {
                let detail = "its origin is that of frame_a: SPHERICAL holds points together, DISTANCE apart";
                return Err(Error::bad_value("frame_b", detail));
            }
        }
        let id = reserve("joint", &mut self.model.joints)?;
        let Loads { joints, slides, .. } = &mut self.inputs.loads;
        for loads in [&mut *joints, &mut *slides] {
            reserve("joint", loads)?;
        }
        self.model.joints.push(joint);
        joints.push(JointLoad::NONE);
        slides.push(JointLoad::NONE);
        Ok(id)
    }

    /// A joint that may be changed. Errors: phase, id, a kind that `fits` refuses with `detail`.
    fn joint_to_change(&mut self, joint: Id, fits: fn(JointKind) -> bool, detail: &str) -> Result<&mut Joint> {
        self.require_building()?;
        let index = self.joint_that_fits(joint, fits, detail)?;
        Ok(&mut self.model.joints[index])
    }

    /// The index of a joint. Errors: id, a kind that `fits` refuses with `detail`.
    pub(super) fn joint_that_fits(&self, joint: Id, fits: fn(JointKind) -> bool, detail: &str) -> Result<usize> {
        let index = self.model.index("joint", EntityKind::Joint, joint)?;
        let kind = self.model.joints[index].kind;
        match fits(kind) {
            true => Ok(index),
            false => Err(Error::bad_value("joint", format!("joint {index} is {}: {detail}", kind.name()))),
        }
    }

    /// Allocates the scheme's history in the accepted state, and removes that of another family.
    fn make_room_for_history(&mut self) {
        let shape = self.inputs.scheme.shape(&self.inputs.settings);
        if let Some(run) = &mut self.run {
            run.accepted.history.take_shape(shape, run.system.layout(), run.system.multipliers());
        }
    }
}

impl Build<'_> {
    /// Adds a rigid body by its 6x6 mass matrix about the reference point, body axes. Phase
    /// BUILDING.
    pub fn add_body(&mut self, mass: &[f64; 36], pose: &[f64; 7]) -> Result<Id> {
        self.0.require_building()?;
        let inertia = RigidInertia::from_matrix(mass)?;
        self.0.push_body(inertia, Pose::from_array("pose", pose)?)
    }

    /// Adds a rigid body by mass, centre of mass (body axes) and inertia xx yy zz xy xz yz about
    /// it. Phase BUILDING.
    pub fn add_rigid_body(&mut self, mass: f64, com: &[f64; 3], inertia: &[f64; 6], pose: &[f64; 7]) -> Result<Id> {
        self.0.require_building()?;
        let inertia = RigidInertia::from_com(mass, com, inertia)?;
        self.0.push_body(inertia, Pose::from_array("pose", pose)?)
    }

    /// Adds a rigid body by mass, centre of mass (body axes) and inertia xx yy zz xy xz yz about
    /// the reference point. Phase BUILDING.
    pub fn add_body_about_reference(
        &mut self,
        mass: f64,
        com: &[f64; 3],
        inertia: &[f64; 6],
        pose: &[f64; 7],
    ) -> Result<Id> {
        self.0.require_building()?;
        let inertia = RigidInertia::about_reference(mass, com, inertia)?;
        self.0.push_body(inertia, Pose::from_array("pose", pose)?)
    }

    /// Sets a body's initial pose in place of that it was added with. Frames, joints and points
    /// that were added at it keep their places in body axes. Phase BUILDING.
    pub fn set_body_pose(&mut self, body: Id, pose: &[f64; 7]) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        self.0.model.bodies[index].pose = Pose::from_array("pose", pose)?;
        Ok(())
    }

    /// Sets a body's initial velocity, inertial axes. Phase BUILDING.
    pub fn set_body_velocity(&mut self, body: Id, velocity: &[f64; 6]) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        check_finite("velocity", velocity)?;
        self.0.model.bodies[index].velocity = Vec6::from_column_slice(velocity);
        Ok(())
    }

    /// Sets a body's initial velocity in inertial axes or in those of the body at its initial pose.
    /// Phase BUILDING. Errors: a velocity that overflows when it is turned.
    pub fn set_body_velocity_in(&mut self, body: Id, frame: Frame, velocity: &[f64; 6]) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        check_finite("velocity", velocity)?;
        let given = Vec6::from_column_slice(velocity);
        let body = &mut self.0.model.bodies[index];
        let turn = |v: Vec3| body.pose.rotation * v;
        let turned = match frame {
            Frame::Inertial => given,
            Frame::Body => join(&turn(upper(&given)), &turn(lower(&given))),
        };
        // Refused, because a velocity that overflows could not be read back or saved.
        if !turned.iter().all(|x| x.is_finite()) {
            return Err(Error::bad_value("velocity", "is too large: turned into inertial axes it overflows"));
        }
        body.velocity = turned;
        Ok(())
    }

    /// Sets a body's initial acceleration, used with option `initial_acceleration` = 1 only. Phase
    /// BUILDING.
    pub fn set_body_acceleration(&mut self, body: Id, acceleration: &[f64; 6]) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        check_finite("acceleration", acceleration)?;
        self.0.model.bodies[index].acceleration = Vec6::from_column_slice(acceleration);
        Ok(())
    }

    /// Adds a joint by its frames in the axes of both bodies (ground: inertial). Phase BUILDING.
    pub fn add_joint(
        &mut self,
        kind: JointKind,
        body_a: Id,
        body_b: Id,
        frame_a: &[f64; 7],
        frame_b: &[f64; 7],
    ) -> Result<Id> {
        self.0.require_building()?;
        let (body_a, body_b) = self.0.model.two_ends(body_a, body_b)?;
        let frame_a = Pose::from_array("frame_a", frame_a)?;
        let frame_b = Pose::from_array("frame_b", frame_b)?;
        self.0.push_joint(Joint::new(kind, body_a, body_b, frame_a, frame_b))
    }

    /// Adds a joint by a point and an axis (for kinds that have one) in inertial axes at the
    /// initial poses. Phase BUILDING.
    pub fn add_joint_at(
        &mut self,
        kind: JointKind,
        body_a: Id,
        body_b: Id,
        point: &[f64; 3],
        axis: Option<&[f64; 3]>,
    ) -> Result<Id> {
        self.0.require_building()?;
        let (body_a, body_b) = self.0.model.two_ends(body_a, body_b)?;
        check_finite("point", point)?;
        let z = match (kind, axis) {
            (kind, None) if kind.has_axis() => return Err(Error::NullArgument { argument: "axis" }),
            (kind, _) if kind.keeps_distance() => {
                let detail = "a DISTANCE joint lies between two points: use pintle_add_joint";
                return Err(Error::bad_value("kind", detail));
            }
            (kind, _) if kind.rolls() => {
                let detail = "a ROLLING joint lies between a plane and a disc: use pintle_add_joint";
                return Err(Error::bad_value("kind", detail));
            }
            (_, None) => Vec3::z(),
            (_, Some(axis)) => axes::direction("axis", axis)?,
        };
        let frame =
            Pose { position: Vec3::from_column_slice(point), rotation: convert::from_matrix(&axes::axes_about(&z)) };
        let local = |body: Option<usize>| body.map_or(frame, |i| self.0.model.bodies[i].pose.localize(&frame));
        let (frame_a, frame_b) = (local(body_a), local(body_b));
        if let Some(far) = [&frame_a, &frame_b].into_iter().find(|frame| !frame.position.iter().all(|x| x.is_finite()))
        {
            let detail = format!("is too far from a body: its distance {} overflows", far.position.norm());
            return Err(Error::bad_value("point", detail));
        }
        self.0.push_joint(Joint::new(kind, body_a, body_b, frame_a, frame_b))
    }

    /// Sets the displacement per turn of a SCREW joint, not zero; negative for a left-hand screw.
    /// Phase BUILDING.
    pub fn set_joint_pitch(&mut self, joint: Id, pitch: f64) -> Result<()> {
        let joint = self.0.joint_to_change(joint, JointKind::has_pitch, "only SCREW has a pitch")?;
        check_finite("pitch", &[pitch])?;
        if pitch == 0.0 {
            return Err(Error::bad_value("pitch", "0 is no screw: REVOLUTE turns in place"));
        }
        joint.pitch = pitch;
        Ok(())
    }

    /// Sets the coordinate of a joint at coincident joint frames, zero unless set: the offset of
    /// coordinates, springs and drives. Phase BUILDING.
    pub fn set_joint_offset(&mut self, joint: Id, q0: f64) -> Result<()> {
        let has_coordinate: fn(JointKind) -> bool = |kind| kind.coordinate().is_some();
        let joint = self.0.joint_to_change(joint, has_coordinate, "it has no coordinate for an offset")?;
        check_finite("q0", &[q0])?;
        joint.offset = q0;
        Ok(())
    }

    /// Sets spring and damper on the slide of a CYLINDRICAL joint, `-k (s - rest) - c sdot`;
    /// replaces the former ones. Phase BUILDING, and READY if it has them: then from the accepted
    /// time on.
    pub fn set_joint_slide_spring(&mut self, joint: Id, stiffness: f64, damping: f64, rest: f64) -> Result<()> {
        if self.0.phase == Phase::Ready {
            return self.0.change_spring((joint, true), joint_spring(stiffness, damping, rest)?);
        }
        let joint = self.0.joint_to_change(joint, JointKind::has_free_slide, NO_FREE_SLIDE)?;
        joint.slide_spring = Some(joint_spring(stiffness, damping, rest)?);
        Ok(())
    }

    /// Sets spring and damper on the coordinate of a joint, `-k (q - rest) - c qdot`; replaces the
    /// former ones. Phase BUILDING, and READY if it has them: then from the accepted time on.
    pub fn set_joint_spring(&mut self, joint: Id, stiffness: f64, damping: f64, rest: f64) -> Result<()> {
        if self.0.phase == Phase::Ready {
            return self.0.change_spring((joint, false), joint_spring(stiffness, damping, rest)?);
        }
        let has_coordinate: fn(JointKind) -> bool = |kind| kind.coordinate().is_some();
        let joint = self.0.joint_to_change(joint, has_coordinate, "it has no coordinate for a spring")?;
        joint.spring = Some(joint_spring(stiffness, damping, rest)?);
        Ok(())
    }

    /// Says whether the motion of a body is imposed by the host
    /// ([`HostInputs::set_body_motion`](crate::simulation::HostInputs::set_body_motion)); a motion
    /// given before goes with false. Phase BUILDING.
    pub fn set_body_prescribed(&mut self, body: Id, prescribed: bool) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        self.0.model.bodies[index].prescribed = prescribed;
        if !prescribed {
            self.0.inputs.loads.motions[index] = None;
        }
        Ok(())
    }

    /// Adds a marker: a frame in body axes for loads and sensors. Phase BUILDING.
    pub fn add_marker(&mut self, body: Id, frame: &[f64; 7]) -> Result<Id> {
        self.0.require_building()?;
        let body = self.0.model.index("body", EntityKind::Body, body)?;
        let frame = Pose::from_array("frame", frame)?;
        let id = reserve("marker", &mut self.0.model.markers)?;
        reserve("marker", &mut self.0.inputs.loads.markers)?;
        self.0.model.markers.push(Marker { body, frame });
        self.0.inputs.loads.markers.push(Load::NONE);
        Ok(id)
    }

    /// Names an entity. Phase BUILDING.
    pub fn set_name(&mut self, kind: EntityKind, id: Id, name: &str) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.model.index("id", kind, id)?;
        self.0.model.names.set(kind, index, name)
    }
}

impl HostSettings<'_> {
    /// Sets a body's added mass, symmetric positive semi-definite, about its reference point. Phase
    /// BUILDING, READY, TRIAL: it acts from the accepted time on, or, set in TRIAL and accepted
    /// there, from the end of the trial on.
    ///
    /// Errors: asymmetry or a negative eigenvalue beyond rounding in single precision; a sum with
    /// the body's inertia that is not positive semi-definite.
    pub fn set_added_mass(&mut self, body: Id, a: &[f64; 36], frame: Frame) -> Result<()> {
        self.0.require_input()?;
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        let matrix = positive_semi_definite("a", a)?;
        let body = &self.0.model.bodies[index];
        let in_body = match frame {
            Frame::Body => matrix,
            Frame::Inertial => rotate(&rotation::matrix(&body.pose.rotation.inverse()), &matrix),
        };
        if !body.inertia.carries(&in_body) {
            return Err(Error::bad_value("a", "not positive semi-definite together with the mass matrix of the body"));
        }
        let is_first = self.0.inputs.hydrodynamics.iter().all(|fluid| fluid.added_mass.is_none());
        if let (true, Some(run)) = (is_first, &mut self.0.run) {
            // Accelerations of chains and trees use the general matrix from now on.
            run.forget_room();
        }
        self.change_fluid(index, |fluid| &mut fluid.added_mass, FrameMatrix { matrix, frame });
        Ok(())
    }

    /// Sets a body's linear damping, wrench = -C v. Phase BUILDING, READY, TRIAL (as
    /// [`HostSettings::set_added_mass`](crate::simulation::HostSettings::set_added_mass)).
    pub fn set_linear_damping(&mut self, body: Id, c: &[f64; 36], frame: Frame) -> Result<()> {
        self.0.require_input()?;
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        let matrix = finite_matrix("c", c)?;
        self.change_fluid(index, |fluid| &mut fluid.linear_damping, FrameMatrix { matrix, frame });
        Ok(())
    }

    /// Sets a body's quadratic drag, wrench_i = -sum_j d_ij v_j |v_j|. Phase BUILDING, READY, TRIAL
    /// (as [`HostSettings::set_added_mass`](crate::simulation::HostSettings::set_added_mass)).
    pub fn set_quadratic_drag(&mut self, body: Id, d: &[f64; 36], frame: Frame) -> Result<()> {
        self.0.require_input()?;
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        let matrix = finite_matrix("d", d)?;
        self.change_fluid(index, |fluid| &mut fluid.quadratic_drag, FrameMatrix { matrix, frame });
        Ok(())
    }

    /// Sets a coefficient. An equal value changes nothing: a scheme that starts anew in every step
    /// would lose its order.
    fn change_fluid(
        &mut self,
        body: usize,
        of: impl Fn(&mut Hydrodynamics) -> &mut Option<FrameMatrix>,
        to: FrameMatrix,
    ) {
        if of(&mut self.0.inputs.hydrodynamics[body]).replace(to) != Some(to) {
            self.0.inputs.coefficients_mut(body);
            self.0.restart_scheme(Restart::Discontinuity);
        }
    }

    /// Selects the time scheme. Phase BUILDING, READY (the scheme's history restarts).
    pub fn set_scheme(&mut self, name: &str) -> Result<()> {
        self.0.require_between_steps()?;
        let scheme = Scheme::from_name(name)?;
        if self.0.inputs.settings.linear() && !scheme.is_newton() {
            return Err(not_linear("name", scheme));
        }
        if std::mem::replace(&mut self.0.inputs.scheme, scheme) != scheme {
            self.0.restart_scheme(Restart::Parameters);
        }
        self.0.make_room_for_history();
        Ok(())
    }

    /// Sets an option (keys: [`crate::model::OPTION_KEYS`]). Phase BUILDING, READY.
    pub fn set_option(&mut self, key: &str, value: f64) -> Result<()> {
        self.0.require_between_steps()?;
        let mut settings = self.0.inputs.settings.clone();
        settings.set(key, value)?;
        if settings.linear() && !self.0.inputs.scheme.is_newton() {
            return Err(not_linear("value", self.0.inputs.scheme));
        }
        if settings.integrate_about() != self.0.inputs.settings.integrate_about() {
            self.0.require_building()?;
        }
        if settings.of_schemes() != self.0.inputs.settings.of_schemes() {
            self.0.restart_scheme(Restart::Parameters);
        }
        self.0.inputs.settings = settings;
        self.0.make_room_for_history();
        Ok(())
    }
}

impl Given<'_> {
    /// The time scheme's name. Any phase.
    pub fn scheme(self) -> String {
        self.0.inputs.scheme.to_string()
    }

    /// The value of an option. Any phase.
    pub fn option(self, key: &str) -> Result<f64> {
        self.0.inputs.settings.get(key)
    }
}

impl Description<'_> {
    /// The entity with a name. Any phase.
    pub fn find(self, kind: EntityKind, name: &str) -> Result<Id> {
        let names = &self.0.model.names;
        let unknown = || {
            let near = did_you_mean(name, &mut names.all(kind));
            Error::bad_value("name", format!("no {} is named \"{name}\"{near}", kind.name()))
        };
        names.find(kind, name).map(|index| index as Id).ok_or_else(unknown)
    }

    /// How many entities of a kind there are. Any phase.
    pub fn count(self, kind: EntityKind) -> i32 {
        self.0.model.count(kind) as i32
    }
}

/// The error where option `linear` is refused.
fn not_linear(argument: &'static str, scheme: Scheme) -> Error {
    let detail = format!(
        "option \"linear\" = 1 goes with generalized-alpha, momentum-alpha, newmark and hht, not with {scheme}"
    );
    Error::Unsupported { argument, detail }
}

/// For messages: the ids of both ends of a joint.
pub(super) fn ends(joint: &Joint) -> (Id, Id) {
    let id = |end: Option<usize>| end.map_or(GROUND, |i| i as Id);
    (id(joint.body_a), id(joint.body_b))
}
