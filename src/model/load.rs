//! Loads of the host: held wrenches on bodies and markers, and load callbacks.

use super::{Id, LineLength, Load, PointLoad};
use crate::spatial::BodyState;
use crate::spatial::body_state::quintic;
use std::sync::Arc;

/// Load and imposed motion of the coordinate of a joint, or of its slide, at one time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointLoad {
    /// Generalized force on b (the opposite acts on a).
    pub force: f64,
    /// Imposed coordinate, rate, acceleration; None until the host gives it.
    pub drive: Option<Drive>,
    /// Whether the host has given the force.
    pub given: bool,
    /// Capacity of the brake.
    pub brake: f64,
}

/// An imposed coordinate, its rate and its acceleration.
pub type Drive = [f64; 3];

impl JointLoad {
    /// No load, never given.
    pub const NONE: JointLoad = JointLoad { force: 0.0, drive: None, given: false, brake: 0.0 };
}

/// All loads and imposed motions at one time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Loads {
    /// One per body.
    pub bodies: Vec<Load>,
    /// One per marker.
    pub markers: Vec<Load>,
    /// One per place of a beam at which loads act.
    pub beams: Vec<Load>,
    /// One per joint: on its coordinate.
    pub joints: Vec<JointLoad>,
    /// One per joint: on the slide of CYLINDRICAL, zero for other kinds.
    pub slides: Vec<JointLoad>,
    /// One per body; None until the host gives it.
    pub motions: Vec<Option<BodyState>>,
    /// One per point.
    pub points: Vec<PointLoad>,
    /// Motions of points, as of bodies that do not turn; None until the host gives one.
    pub point_motions: Vec<Option<BodyState>>,
    /// One per line, then one per tendon.
    pub lines: Vec<LineLength>,
    /// Capacities, one pair per clutch: against its coordinate, and along it.
    pub clutches: Vec<[f64; 2]>,
}

impl Loads {
    /// Wrenches on bodies, markers and beams.
    fn wrenches(&self) -> impl Iterator<Item = &Load> {
        self.bodies.iter().chain(&self.markers).chain(&self.beams)
    }

    /// The same, mutable.
    fn wrenches_mut(&mut self) -> impl Iterator<Item = &mut Load> {
        self.bodies.iter_mut().chain(&mut self.markers).chain(&mut self.beams)
    }

    /// Sets every load of bodies, markers and beams, and every force of joints, to zero (as given
    /// by the host).
    pub fn clear(&mut self) {
        for load in self.wrenches_mut() {
            *load = Load { given: true, ..Load::NONE };
        }
        for joint in self.on_joints_mut() {
            *joint = JointLoad { force: 0.0, given: true, ..*joint };
        }
        self.points.fill(PointLoad { given: true, ..PointLoad::NONE });
    }

    /// The imposed motion of a node: bodies come first, then points.
    #[inline(always)]
    pub fn motion(&self, node: usize) -> Option<&BodyState> {
        match node.checked_sub(self.motions.len()) {
            None => self.motions[node].as_ref(),
            Some(point) => self.point_motions.get(point).and_then(Option::as_ref),
        }
    }

    /// The imposed motions by nodes.
    #[inline(always)]
    pub fn imposed(&self) -> impl Iterator<Item = (usize, &BodyState)> {
        let all = self.motions.iter().chain(&self.point_motions).enumerate();
        all.filter_map(|(node, motion)| motion.as_ref().map(|motion| (node, motion)))
    }

    /// The same, mutable.
    pub fn imposed_mut(&mut self) -> impl Iterator<Item = (usize, &mut BodyState)> {
        let all = self.motions.iter_mut().chain(&mut self.point_motions).enumerate();
        all.filter_map(|(node, motion)| motion.as_mut().map(|motion| (node, motion)))
    }

    /// Motions of all nodes, imposed or not.
    fn of_nodes(&self) -> impl Iterator<Item = &Option<BodyState>> {
        self.motions.iter().chain(&self.point_motions)
    }

    /// The same, mutable.
    fn of_nodes_mut(&mut self) -> impl Iterator<Item = &mut Option<BodyState>> {
        self.motions.iter_mut().chain(&mut self.point_motions)
    }

    /// Imposed values of the coordinate and of the slide of a joint; zero if there are none.
    #[inline(always)]
    pub fn drives(&self, joint: usize) -> [Drive; 2] {
        [&self.joints, &self.slides].map(|loads| loads[joint].drive.unwrap_or_default())
    }

    /// Loads on coordinates, then those on slides.
    fn on_joints(&self) -> impl Iterator<Item = &JointLoad> {
        self.joints.iter().chain(&self.slides)
    }

    /// The same, mutable.
    pub fn on_joints_mut(&mut self) -> impl Iterator<Item = &mut JointLoad> {
        self.joints.iter_mut().chain(&mut self.slides)
    }

    /// Sets the loads to those at a fraction of a step of `duration` between two times. Forces are
    /// interpolated linearly, in the axes of both (`Loading::turn`), or are those of the end
    /// (`held`; those of the start at fraction 0); imposed motions are smooth.
    pub fn at(&mut self, from: &Loads, to: &Loads, fraction: f64, duration: f64, held: bool) {
        let forces = match (held, fraction == 0.0) {
            (true, true) => 0.0,
            (true, false) => 1.0,
            (false, _) => fraction,
        };
        for ((out, from), to) in self.wrenches_mut().zip(from.wrenches()).zip(to.wrenches()) {
            *out = if forces == 0.0 { *from } else { *to };
            if forces < 1.0 {
                out.wrench = from.wrench + (to.wrench - from.wrench) * forces;
            }
        }
        for ((out, from), to) in self.on_joints_mut().zip(from.on_joints()).zip(to.on_joints()) {
            *out = *to;
            out.force = if forces == 1.0 { to.force } else { from.force + (to.force - from.force) * forces };
            if let (Some(start), Some(end)) = (&from.drive, &to.drive) {
                out.drive = Some(quintic(start, end, fraction, duration));
            }
        }
        for ((out, from), to) in self.points.iter_mut().zip(&from.points).zip(&to.points) {
            let force = if forces == 1.0 { to.force } else { from.force + (to.force - from.force) * forces };
            *out = PointLoad { force, given: to.given };
        }
        for ((out, from), to) in self.of_nodes_mut().zip(from.of_nodes()).zip(to.of_nodes()) {
            *out = match (from, to) {
                (Some(start), Some(end)) => Some(BodyState::between(start, end, fraction, duration)),
                _ => *to,
            };
        }
        self.clutches.copy_from_slice(&to.clutches);
        for ((out, from), to) in self.lines.iter_mut().zip(&from.lines).zip(&to.lines) {
            *out = match fraction {
                0.0 => *from,
                1.0 => *to,
                _ => LineLength::between(from, to, fraction, duration),
            };
        }
    }

    /// Whether loads on bodies, markers or beams are in other axes than those of `other`.
    pub fn changes_axes(&self, other: &Loads) -> bool {
        self.wrenches().zip(other.wrenches()).any(|(a, b)| a.frame != b.frame)
    }

    /// True if an imposed motion goes from its place in `before` to another one, with rates of zero
    /// at both.
    pub fn moves_without_rates(&self, before: &Loads) -> bool {
        let of_joint = |(from, to): (&JointLoad, &JointLoad)| match (from.drive, to.drive) {
            (Some([q0, rate0, _]), Some([q1, rate1, _])) => q0 != q1 && [rate0, rate1] == [0.0; 2],
            _ => false,
        };
        let of_node = |(from, to): (&Option<BodyState>, &Option<BodyState>)| match (from, to) {
            (Some(from), Some(to)) => {
                (from.x != to.x || from.q != to.q) && from.v.norm_squared() == 0.0 && to.v.norm_squared() == 0.0
            }
            _ => false,
        };
        before.on_joints().zip(self.on_joints()).any(of_joint) || before.of_nodes().zip(self.of_nodes()).any(of_node)
    }

    /// Whether all forces equal those of `other`.
    pub fn same_forces(&self, other: &Loads) -> bool {
        self.wrenches().zip(other.wrenches()).all(|(a, b)| a.frame == b.frame && a.wrench == b.wrench)
            && self.on_joints().zip(other.on_joints()).all(|(a, b)| a.force == b.force)
            && self.points.iter().zip(&other.points).all(|(a, b)| a.force == b.force)
    }

    /// Extrapolates from the end of a step between `from` and `to` to a fraction beyond 1: forces
    /// linearly unless `held`, motions with accelerations that change at the rate of the step.
    pub fn extrapolate(&mut self, from: &Loads, to: &Loads, fraction: f64, duration: f64, held: bool) {
        let (ahead, beyond) = (fraction - 1.0, (fraction - 1.0) * duration);
        if !held {
            for ((out, from), to) in self.wrenches_mut().zip(from.wrenches()).zip(to.wrenches()) {
                out.wrench = to.wrench + (to.wrench - from.wrench) * ahead;
            }
            for ((out, from), to) in self.on_joints_mut().zip(from.on_joints()).zip(to.on_joints()) {
                out.force = to.force + (to.force - from.force) * ahead;
            }
            for ((out, from), to) in self.points.iter_mut().zip(&from.points).zip(&to.points) {
                out.force = to.force + (to.force - from.force) * ahead;
            }
        }
        for ((out, from), to) in self.on_joints_mut().zip(from.on_joints()).zip(to.on_joints()) {
            let before = from.drive.or(to.drive);
            out.drive = to.drive.zip(before).map(|([q, qd, qdd], [.., qdd_before])| {
                let jerk = (qdd - qdd_before) / duration;
                let [a, b, c] = [1.0, 2.0, 3.0].map(|k| beyond / k);
                [q + a * (qd + b * (qdd + c * jerk)), qd + a * (qdd + b * jerk), qdd + a * jerk]
            });
        }
        for ((out, from), to) in self.of_nodes_mut().zip(from.of_nodes()).zip(to.of_nodes()) {
            let before = from.as_ref().or(to.as_ref());
            *out = to
                .as_ref()
                .zip(before)
                .map(|(motion, before)| motion.extrapolate_with(beyond, &((motion.vdot - before.vdot) / duration)));
        }
        for (out, to) in self.lines.iter_mut().zip(&to.lines) {
            *out = LineLength { length: to.length + beyond * to.rate, ..*to };
        }
    }

    /// Copies from `later` each load that was never given here.
    pub fn complete_from(&mut self, later: &Loads) {
        for (own, later) in self.wrenches_mut().zip(later.wrenches()).filter(|(own, _)| !own.given) {
            *own = *later;
        }
        for (own, later) in self.on_joints_mut().zip(later.on_joints()) {
            if !own.given {
                own.force = later.force;
            }
        }
        for (own, later) in self.points.iter_mut().zip(&later.points).filter(|(own, _)| !own.given) {
            *own = *later;
        }
    }

    /// Copies the forces of `other`, not its motions.
    pub fn copy_forces_from(&mut self, other: &Loads) {
        self.bodies.clone_from(&other.bodies);
        self.markers.clone_from(&other.markers);
        self.beams.clone_from(&other.beams);
        for (own, other) in self.on_joints_mut().zip(other.on_joints()) {
            own.force = other.force;
        }
        self.points.clone_from(&other.points);
    }

    /// Copies without allocation (the counts of one model never change).
    pub fn copy_from(&mut self, other: &Loads) {
        self.copy_but_motions_from(other);
        self.motions.clone_from(&other.motions);
        self.point_motions.clone_from(&other.point_motions);
    }

    /// The same for loads without imposed motions of nodes, which take half of the memory.
    pub fn copy_but_motions_from(&mut self, other: &Loads) {
        self.bodies.clone_from(&other.bodies);
        self.markers.clone_from(&other.markers);
        self.beams.clone_from(&other.beams);
        self.joints.clone_from(&other.joints);
        self.slides.clone_from(&other.slides);
        self.points.clone_from(&other.points);
        self.lines.clone_from(&other.lines);
        self.clutches.clone_from(&other.clutches);
    }
}

/// Motion of a body for a load callback: the trial motion of the present iteration, inertial axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyMotion {
    /// Time of the load.
    pub time: f64,
    /// The body.
    pub body: Id,
    /// Position of the reference point, then quaternion w x y z.
    pub pose: [f64; 7],
    /// Linear, then angular velocity.
    pub velocity: [f64; 6],
    /// Linear, then angular acceleration.
    pub acceleration: [f64; 6],
}

/// Results of a load callback; zero on entry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyLoad {
    /// Force and moment about the reference point, inertial axes.
    pub wrench: [f64; 6],
    /// `-dw/d(displacement, rotation)`, column-major; may stay zero, which slows Newton's
    /// iteration.
    pub stiffness: [f64; 36],
    /// `-dw/dvelocity`, column-major; may stay zero.
    pub damping: [f64; 36],
}

/// A load that depends on the motion, evaluated inside the iteration. `Err(code)` fails the step.
pub type BodyLoadFn = Arc<dyn Fn(&BodyMotion, &mut BodyLoad) -> Result<(), i32> + Send + Sync>;
