//! Rounding of constraints, and the forces that residuals are compared with.

use super::views::{Constraints, Loading};
use super::{System, Workspace};
use crate::model::Loads;
use crate::spatial::{lower, upper};

impl System {
    /// Computes the sizes of the reactions of each body's joints, forces and moments, for
    /// [`super::ropes`].
    pub fn measure_reactions(&self, lambda: &[f64], workspace: &mut Workspace) {
        let Workspace { motions, reaction_sizes, .. } = workspace;
        reaction_sizes.fill([0.0; 2]);
        for (joint, arms) in self.joints.iter().zip(&self.arms) {
            let ends = joint.ends();
            let sizes = joint.reaction_sizes(ends.map(|end| &motions[end]), arms, lambda);
            for (end, [force, moment]) in ends.into_iter().zip(sizes) {
                if let Some(sums) = reaction_sizes.get_mut(end) {
                    sums[0] += force;
                    sums[1] += moment;
                }
            }
        }
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
        let of_beams = self.elements.beam_elements.iter().map(|element| element.largest_load(&loads.beams, length));
        let of_points = loads.points.iter().map(|load| load.force.norm());
        let of_motors = loads.joints.iter().zip(&self.joints).map(|(load, joint)| match joint.has_angle() {
            true => load.force.abs() / length,
            false => load.force.abs(),
        });
        let of_motors = of_motors.chain(loads.slides.iter().map(|load| load.force.abs()));
        let of_joints =
            lambda.iter().zip(&self.lengths).map(|(y, is_length)| if *is_length { y.abs() } else { y.abs() / length });
        of_bodies
            .chain(of_beams)
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
