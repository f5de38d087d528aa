//! Whether the residual of the equations is rounding, and the forces that it is compared with.
//!
//! A sum of terms is known to the rounding of its largest term, and a distance between two points
//! to that of their positions. If no equation has a larger residual, the iterate is as good as any
//! other: the next increments are noise, however large a long chain makes them (backward errors,
//! Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 1.5).

use super::views::{Constraints, Loading};
use super::{Motion, State, System, Workspace};
use crate::model::{Loads, Model};
use crate::spatial::{Vec3, lower, upper};

/// Relative rounding of the terms of equations.
#[derive(Clone, Copy)]
pub struct Rounding {
    /// Forces and moments.
    pub relative: f64,
    /// Values of constraints: lengths relative to the distance of their bodies from the origin of
    /// the model, others to 1.
    pub place: f64,
    /// Lever arms of reactions, relative to the same distance.
    pub arm: f64,
}

/// Constant sizes of the terms, in contiguous arrays, because every step of a long chain reads them
/// all.
#[derive(Clone)]
pub struct Sizes {
    /// For each body its mass, the distance of its centre of mass from its reference point, and the
    /// norm of its inertia tensor.
    bodies: Vec<[f64; 3]>,
    /// For each joint the distance of its frames from the reference points of both bodies.
    arms: Vec<[f64; 2]>,
}

impl Sizes {
    /// Of a model.
    pub fn of(model: &Model) -> Sizes {
        let inertias = model.bodies.iter().map(|body| &body.inertia);
        let frames = model.joints.iter().map(|joint| [&joint.frame_a, &joint.frame_b]);
        Sizes {
            bodies: inertias.map(|inertia| [inertia.mass, inertia.eta.norm(), inertia.inertia.norm()]).collect(),
            arms: frames.map(|frames| frames.map(|frame| frame.position.norm())).collect(),
        }
    }
}

impl System {
    /// Whether every equation of the last evaluation holds to rounding, at the positions and
    /// multipliers of a state. Each body is measured by its own inertia forces, weight and
    /// reactions alone, and a joint by the positions of its own bodies: where larger forces of
    /// other kinds balance each other, or gears act, the result may be false although the residual
    /// is rounding. Nodes of lines have a test of their own.
    pub fn balances_to_rounding(&self, rounding: &Rounding, state: &State, workspace: &mut Workspace) -> bool {
        let (layout, bodies, weight) = (self.layout, self.bodies(), self.gravity.norm());
        if !self.gears.is_empty() {
            return false;
        }
        let Workspace { motions, residual, limits, .. } = workspace;
        let ((of_bodies, of_points), (positions, _)) = (layout.split(residual), layout.split_places(&state.q));
        // Not if terms overflow. The sum of absolute values usually suffices, and needs no root.
        let is_within = |r: Vec3, limit: f64| (r.abs().sum() <= limit || r.norm() <= limit) && limit.is_finite();
        for ((limits, [mass, arm, _]), [x, y, z, ..]) in limits.iter_mut().zip(&self.sizes.bodies).zip(positions) {
            let force = mass * weight * rounding.relative;
            *limits = [force, arm * force, Vec3::new(*x, *y, *z).norm()];
        }
        for (joint, arms) in self.joints.iter().zip(&self.sizes.arms) {
            // The ground is at the origin of the model.
            let place = |end: usize| if end < bodies { limits[end][2] } else { 0.0 };
            let ends = joint.ends();
            let reach = (place(ends[0]) + arms[0]).max(place(ends[1]) + arms[1]);
            let limit = |index: usize| rounding.place * if self.lengths[index] { reach } else { 1.0 };
            if !joint.constraints().all(|index| residual[layout.multiplier(index)].abs() <= limit(index)) {
                return false;
            }
            let sizes = joint.reaction_sizes(ends.map(|end| &motions[end]), arms, &state.lambda);
            for (body, [force, moment]) in ends.into_iter().zip(sizes) {
                if body < bodies {
                    let limits = &mut limits[body];
                    limits[0] += force * rounding.relative;
                    limits[1] += moment * rounding.relative + force * reach * rounding.arm;
                }
            }
        }
        let holds = |body: usize| {
            let ([x, y, z, p, q, r], [force, moment, _]) = (of_bodies[body], limits[body]);
            let holds_to =
                |force: f64, moment: f64| is_within(Vec3::new(x, y, z), force) && is_within(Vec3::new(p, q, r), moment);
            // Weight and reactions usually suffice; motions of large models are far away in memory.
            holds_to(force, moment) || {
                let sizes = self.inertia_sizes(body, &motions[body]).map(|size| size * rounding.relative);
                holds_to(force + sizes[0], moment + sizes[1])
            }
        };
        if !(0..bodies).all(holds) {
            return false;
        }
        of_points.iter().zip(&self.points).all(|(r, point)| {
            let force = point.dry_mass() * (motions[point.tie.node].vdot.norm() + weight);
            is_within((*r).into(), force * rounding.relative)
        })
    }

    /// Computes the sizes of the reactions of each body's joints, forces and moments, for
    /// [`super::ropes`].
    pub fn measure_reactions(&self, lambda: &[f64], workspace: &mut Workspace) {
        let Workspace { motions, limits, .. } = workspace;
        limits.fill([0.0; 3]);
        for (joint, arms) in self.joints.iter().zip(&self.sizes.arms) {
            let ends = joint.ends();
            let sizes = joint.reaction_sizes(ends.map(|end| &motions[end]), arms, lambda);
            for (end, [force, moment]) in ends.into_iter().zip(sizes) {
                if let Some(limits) = limits.get_mut(end) {
                    limits[0] += force;
                    limits[1] += moment;
                }
            }
        }
    }

    /// Upper bounds of the inertia forces of a body and of their moments.
    fn inertia_sizes(&self, body: usize, motion: &Motion) -> [f64; 2] {
        let [mass, arm, inertia] = self.sizes.bodies[body];
        let (acceleration, spin) = (motion.vdot.norm(), motion.omegadot.norm() + motion.omega.norm_squared());
        [mass * (acceleration + arm * spin), inertia * spin + mass * arm * acceleration]
    }

    /// Rounding of the value of a constraint, where numbers are known to `relative` and lengths
    /// between bodies to `place`: imposed coordinates and gears have terms that may be larger than
    /// those of other constraints.
    #[inline(always)]
    pub fn rounding_of(&self, constraint: usize, relative: f64, place: f64, loads: &Loads) -> f64 {
        let plain = if self.lengths[constraint] { place } else { relative };
        if self.constraints().round_plainly() {
            return plain;
        }
        let owner = self.owners[constraint];
        match owner.checked_sub(self.joints.len()) {
            Some(gear) => self.gears[gear].rounding(&self.joints, relative, place),
            None => plain + relative * self.joints[owner].imposed_size(constraint, &loads.drives(owner)),
        }
    }
}

impl Loading<'_> {
    /// The largest acceleration that is known before any is computed: gravity and imposed ones;
    /// angular ones times the model's length.
    pub fn largest_acceleration(self, loads: &Loads) -> f64 {
        let length = self.0.scales.length;
        let of_motions = loads.imposed().map(|(_, motion)| {
            let vdot = &motion.vdot;
            upper(vdot).norm().max(lower(vdot).norm() * length)
        });
        let drives = |(k, joint): (usize, &super::JointElement)| {
            let [[.., qdd], [.., sdd]] = loads.drives(k);
            sdd.abs().max(if joint.has_angle() { qdd.abs() * length } else { qdd.abs() })
        };
        let of_drives = self.0.joints.iter().enumerate().map(drives);
        of_motions.chain(of_drives).fold(self.0.gravity.norm(), f64::max)
    }
}

impl System {
    /// The largest acting force: of the model, of the host and its callbacks, of a joint. Moments
    /// divided by the model's length.
    pub(super) fn largest_acting(&self, loads: &Loads, lambda: &[f64], workspace: &Workspace) -> f64 {
        let length = self.scales.length;
        let wrenches = loads.bodies.iter().chain(&loads.markers).map(|load| &load.wrench);
        let of_bodies = wrenches.map(|wrench| upper(wrench).norm().max(lower(wrench).norm() / length));
        let of_points = loads.points.iter().map(|load| load.force.norm());
        let of_motors = loads.joints.iter().zip(&self.joints).map(|(load, joint)| match joint.has_angle() {
            true => load.force.abs() / length,
            false => load.force.abs(),
        });
        let of_motors = of_motors.chain(loads.slides.iter().map(|load| load.force.abs()));
        let of_joints =
            lambda.iter().zip(&self.lengths).map(|(y, is_length)| if *is_length { y.abs() } else { y.abs() / length });
        of_bodies
            .chain(of_points)
            .chain(of_motors)
            .chain(of_joints)
            .fold(self.scales.force.max(workspace.callbacks.largest(length)), f64::max)
    }

    /// The unknown of the constraint with the largest violation in the last evaluation.
    pub(super) fn widest_gap(&self, workspace: &Workspace) -> usize {
        let (length, dofs) = (self.scales.length, self.dofs());
        let gaps = workspace.residual[dofs..].iter().zip(&self.lengths);
        let sizes = gaps.map(|(gap, is_length)| if *is_length { gap.abs() / length } else { gap.abs() });
        dofs + sizes.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(k, _)| k)
    }
}

impl Constraints<'_> {
    /// Whether the values of all constraints are zero to `relative` or, for lengths, to `place`, as
    /// in [`System::rounding_of`].
    #[inline(always)]
    pub fn round_plainly(self) -> bool {
        self.0.gears.is_empty() && !self.0.is_imposed_on
    }
}
