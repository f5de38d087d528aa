//! Numbering of constraints: which of them are independent.
//!
//! Rows are processed in the order of creation at the initial poses. A row in the span of the rows
//! before it is redundant and left out, so that the motion is exact and no matrix is singular. Only
//! joints in closed loops can be redundant, and only the joints of one biconnected component of the
//! graph can depend on each other: where a single joint connects two parts of a model, a rigid
//! motion of one part violates its rows without changing any other constraint.

use super::joints::{Index, JointElement, MOST_ROWS};
use super::sharing::Loop;
use super::{Motion, System};
use crate::linear::graph::cycles;
use crate::linear::rank::{SparseRow, dependent_rows};
use crate::spatial::{Mat3, Vec3, Vec6, lower, upper};

/// Part of a row's norm above which the row is independent. Hosts give joint frames with rounding
/// errors of 1e-9 and more.
const INDEPENDENT: f64 = 1e-8;

impl System {
    /// Numbers the constraints of all joints and sets their scales.
    pub(super) fn number_constraints(&mut self, motions: &[Motion]) {
        let ground = self.layout.carriers();
        let fixed = |end: usize| if end < ground && self.free[end] { end } else { ground };
        // A broken joint connects nothing.
        let edge = |joint: &JointElement| if joint.rows() == 0 { [ground; 2] } else { joint.ends().map(fixed) };
        let edges: Vec<[usize; 2]> = self.joints.iter().map(edge).collect();
        let mut left_out = vec![[false; MOST_ROWS]; self.joints.len()];
        let mut local = vec![usize::MAX; ground];
        self.loop_of = vec![None; self.joints.len()];
        for joints in cycles(ground + 1, &edges) {
            let mut bodies = Vec::new();
            for end in joints.iter().flat_map(|joint| edges[*joint]).filter(|end| *end < ground) {
                if local[end] == usize::MAX {
                    local[end] = bodies.len();
                    bodies.push(end);
                }
            }
            let mut rows = Vec::new();
            for joint in &joints {
                let ends = self.joints[*joint].ends().map(|end| &motions[end]);
                self.joints[*joint].for_each_row(ends, |_, _, row, _| {
                    rows.push(self.sparse_row(edges[*joint], [&row.a, &row.b], &local));
                });
            }
            let mut dependent = dependent_rows(bodies.len(), &rows, INDEPENDENT).into_iter();
            let redundant = self.redundant;
            for joint in &joints {
                for out in left_out[*joint].iter_mut().take(self.joints[*joint].rows()) {
                    *out = dependent.next().unwrap_or(false);
                    self.redundant += usize::from(*out);
                }
            }
            if self.redundant > redundant {
                let node = |end: usize| local.get(end).copied().unwrap_or(usize::MAX);
                let nodes = joints.iter().map(|joint| edges[*joint].map(node)).collect();
                joints.iter().for_each(|joint| self.loop_of[*joint] = Some(self.loops.len()));
                self.loops.push(Loop::new(joints, bodies.clone(), nodes));
            }
            bodies.iter().for_each(|body| local[*body] = usize::MAX);
        }
        let mut joints = std::mem::take(&mut self.joints);
        for (owner, (joint, left_out)) in joints.iter_mut().zip(left_out).enumerate() {
            let mut indices = [None; MOST_ROWS];
            let (bodies, ends) = (joint.ends(), joint.ends().map(|end| &motions[end]));
            let movable = |end: usize| (bodies[end] < ground && self.free[bodies[end]]).then_some(bodies[end]);
            let mobilities = [0, 1].map(|end| movable(end).map(|body| self.mobility(body, ends[end])));
            joint.for_each_row(ends, |k, _, row, is_length| {
                if left_out[k] {
                    return;
                }
                indices[k] = Some(Index::new(self.owners.len()));
                self.owners.push(owner);
                self.lengths.push(is_length);
                let parts = mobilities.iter().zip([&row.a, &row.b]);
                let compliance: f64 =
                    parts.filter_map(|(mobility, gradient)| Some(mobility.as_ref()?.compliance(gradient))).sum();
                self.effective_masses.push(if compliance > 0.0 { 1.0 / compliance } else { 0.0 });
            });
            joint.indices = indices;
            if left_out.contains(&true) {
                self.left_out.push(owner);
            }
        }
        self.joints = joints;
    }

    /// A row over the bodies with indices in `local`, rotations measured as lengths; ends without
    /// an index are left out.
    pub(super) fn sparse_row(&self, ends: [usize; 2], gradients: [&Vec6; 2], local: &[usize]) -> SparseRow {
        let length = self.scales.length;
        let body = |end: usize| local.get(end).copied().filter(|node| *node != usize::MAX);
        let scaled = |gradient: &Vec6| std::array::from_fn(|k| if k < 3 { gradient[k] } else { gradient[k] / length });
        ends.into_iter().zip(gradients).filter_map(|(end, row)| Some((body(end)?, scaled(row)))).collect()
    }

    /// `M^-1` of one body, with masses and inertias scaled separately; a body without mass counts
    /// as rigid.
    fn mobility(&self, body: usize, motion: &Motion) -> Mobility {
        let inertia = &self.inertias[body];
        let about_com: Mat3 = motion.r * inertia.about_com() * motion.r.transpose();
        let linear = if inertia.mass > 0.0 { 1.0 / inertia.mass } else { 0.0 };
        Mobility { linear, angular: about_com.try_inverse(), eta: motion.r * inertia.eta }
    }

    /// `b^T M^-1 b` of one body with that `M^-1`.
    pub(super) fn compliance(&self, body: usize, motion: &Motion, gradient: &Vec6) -> f64 {
        self.mobility(body, motion).compliance(gradient)
    }
}

/// Inverse mass matrix of a body.
struct Mobility {
    linear: f64,
    angular: Option<Mat3>,
    /// Centre of mass.
    eta: Vec3,
}

impl Mobility {
    fn compliance(&self, gradient: &Vec6) -> f64 {
        let moment = lower(gradient) - self.eta.cross(&upper(gradient));
        let angular = self.angular.map_or(0.0, |j| moment.dot(&(j * moment)));
        upper(gradient).norm_squared() * self.linear + angular
    }
}
