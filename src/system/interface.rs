//! Loads and outputs at the interface to hosts: markers, axes of loads, imposed motions, and
//! coordinates of joints with their violations, gradients and variations, which analyses need.

use super::joints::Misfit;
use super::views::{Joints, Loading, Markers};
use super::{Motion, State};
use crate::model::{Frame, JointSpring, Load, Loads};
use crate::spatial::{Mat3, Pose, Vec3, Vec6, join, lower, rotation, upper};

/// A coordinate of a joint that takes a load: its coordinate proper, or the slide of CYLINDRICAL
/// beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JointCoordinate {
    /// The joint.
    pub joint: usize,
    /// Whether it is the slide.
    pub is_slide: bool,
}

impl Loading<'_> {
    /// Resolves loads that acted at a state, on bodies, markers and beams, in the axes of `later`
    /// ones, because they are interpolated by components.
    pub fn turn(self, state: &State, loads: &mut Loads, later: &Loads) {
        let turn_by = |load: &mut Load, later: &Load, r: &dyn Fn() -> Mat3| {
            if load.frame == later.frame {
                return;
            }
            let r = r();
            let r = if later.frame == Frame::Body { r.transpose() } else { r };
            load.wrench = join(&(r * upper(&load.wrench)), &(r * lower(&load.wrench)));
            load.frame = later.frame;
        };
        let turn = |load: &mut Load, later: &Load, body: usize| {
            turn_by(load, later, &|| rotation::matrix(&state.body(body).q));
        };
        for (body, (load, later)) in loads.bodies.iter_mut().zip(&later.bodies).enumerate() {
            turn(load, later, body);
        }
        for ((load, later), (body, _)) in loads.markers.iter_mut().zip(&later.markers).zip(&self.0.markers) {
            turn(load, later, *body);
        }
        if loads.beams.iter().zip(&later.beams).any(|(load, later)| load.frame != later.frame) {
            self.0
                .elements()
                .each_load_axes(state, |load, r| turn_by(&mut loads.beams[load], &later.beams[load], &|| r));
        }
    }

    /// Whether motions of joints, nodes or line lengths are imposed. Otherwise loads have none.
    #[inline(always)]
    pub fn imposes_motions(self) -> bool {
        self.0.is_imposed_on
    }

    /// Copies the imposed motions of a state into `loads`.
    pub fn note_motions(self, state: &State, loads: &mut Loads) {
        for ((load, slide), [drive, slide_drive]) in loads.joints.iter_mut().zip(&mut loads.slides).zip(&state.drives) {
            load.drive = load.drive.map(|_| *drive);
            slide.drive = slide.drive.map(|_| *slide_drive);
        }
        loads.imposed_mut().for_each(|(node, motion)| *motion = state.body(node));
    }
}

impl Joints<'_> {
    /// The gradient of a coordinate with respect to (u, theta) of both ends of its joint; an end
    /// that is not a body is the ground. None if the joint has no such coordinate.
    pub fn coordinate_gradient(self, of: JointCoordinate, state: &State) -> Option<[(usize, Vec6); 2]> {
        let element = &self.0.joints[of.joint];
        let [a, b] = self.0.end_motions(element.ends(), state);
        let row = element.gradient(of.is_slide, [&a, &b])?;
        Some([(element.ends()[0], row.a), (element.ends()[1], row.b)])
    }

    /// Variations of a coordinate, its rate and its acceleration with position (u, theta), velocity
    /// and acceleration of the bodies, each `change(body)`. None if the joint has no such
    /// coordinate.
    pub fn coordinate_variation(
        self,
        of: JointCoordinate,
        state: &State,
        change: impl Fn(usize) -> [Vec6; 3],
    ) -> Option<[f64; 3]> {
        let element = &self.0.joints[of.joint];
        let [a, b] = self.0.end_motions(element.ends(), state);
        let changes = element.ends().map(|end| if end < self.0.bodies() { change(end) } else { [Vec6::zeros(); 3] });
        element.coordinate_variation(of.is_slide, [&a, &b], &changes)
    }

    /// Whether a joint's coordinate is an angle.
    pub fn is_angle(self, joint: usize) -> bool {
        self.0.joints[joint].has_angle()
    }

    /// The coordinate of a joint, its rate and its acceleration; None if it has none.
    pub fn coordinate(self, joint: usize, state: &State) -> Option<[f64; 3]> {
        let element = &self.0.joints[joint];
        let [a, b] = self.0.end_motions(element.ends(), state);
        element.coordinate([&a, &b], state.coordinates[joint])
    }

    /// Displacement of b along z of a in a joint, its rate and its acceleration; None if the joint
    /// does not slide.
    pub fn slide(self, joint: usize, state: &State) -> Option<[f64; 3]> {
        let element = &self.0.joints[joint];
        let [a, b] = self.0.end_motions(element.ends(), state);
        element.slide([&a, &b])
    }

    /// Stiffness, damping and rest of all springs on joints.
    pub fn springs(self) -> impl Iterator<Item = [f64; 3]> {
        self.0.joints.iter().flat_map(|joint| joint.springs()).map(JointSpring::numbers)
    }

    /// Whether springs or dampers with tables act on any joint.
    #[inline(always)]
    pub fn have_tables(self) -> bool {
        self.0.has_tables
    }

    /// Force on the coordinate (0) or the slide (1) of the damper with a table; 0 without one.
    pub fn damper_force(self, joint: usize, which: usize, state: &State) -> f64 {
        self.motion_of(joint, which, state).map_or(0.0, |[_, rate, _]| self.0.joints[joint].damper_force(which, rate))
    }

    /// The same of the springs there.
    pub fn spring_force(self, joint: usize, which: usize, state: &State) -> f64 {
        self.motion_of(joint, which, state).map_or(0.0, |[q, ..]| self.0.joints[joint].spring_force(which, q))
    }

    fn motion_of(self, joint: usize, which: usize, state: &State) -> Option<[f64; 3]> {
        let element = &self.0.joints[joint];
        let [a, b] = self.0.end_motions(element.ends(), state);
        element.motion_of(which, [&a, &b], state.coordinates[joint])
    }

    /// For every joint its violation and the rate of it:
    /// `each(joint, length, angle, length rate, angle rate)`.
    pub fn for_each_gap(self, state: &State, mut each: impl FnMut(usize, f64, f64, f64, f64)) {
        for (index, (joint, drive)) in self.0.joints.iter().zip(&state.drives).enumerate() {
            let [a, b] = self.0.end_motions(joint.ends(), state);
            let misfit = Misfit { joint, ends: [&a, &b] };
            let (gap, rate) = (misfit.gap(drive), misfit.rates(drive));
            each(index, gap.length, gap.angle, rate.length, rate.angle);
        }
    }
}

impl Markers<'_> {
    /// Pose of a marker, in the host's coordinates.
    pub fn pose(self, marker: usize, state: &State) -> Pose {
        let (body, frame) = &self.0.markers[marker];
        let Pose { position, rotation } = state.pose(*body).compose(frame);
        Pose { position: position + self.0.origin, rotation }
    }

    /// Velocity and acceleration of a marker (rigid arm), inertial axes, and the rotation of its
    /// body.
    pub fn rates(self, marker: usize, state: &State) -> (Vec6, Vec6, Mat3) {
        let (body, frame) = &self.0.markers[marker];
        let motion = Motion::of(&state.body(*body));
        let arm = motion.arm(&frame.position);
        (
            join(&motion.velocity_at(&arm), &motion.omega),
            join(&motion.acceleration_at(&arm), &motion.omegadot),
            motion.r,
        )
    }

    /// The body of a marker, and the arm from the body's reference point to it, inertial axes.
    pub fn arm(self, marker: usize, state: &State) -> (usize, Vec3) {
        let (body, frame) = &self.0.markers[marker];
        (*body, Motion::of(&state.body(*body)).arm(&frame.position))
    }
}
