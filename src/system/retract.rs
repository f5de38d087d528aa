//! Operations on positions with rotations: moving them by increments, and their difference.
//!
//! Increments are resolved in inertial axes: `q(n+1) = exp(dq) o q(n)`, translations added,
//! rotations composed from the left.

use super::layout::Layout;
use super::{State, System, Workspace};
use crate::spatial::{Quat, Vec3, rotation};
use nalgebra::Quaternion;

/// The quaternion of a body's positions.
#[inline(always)]
pub(super) fn quaternion(place: &[f64; 7]) -> Quat {
    let [_, _, _, i, j, k, w] = *place;
    Quat::new_unchecked(Quaternion::new(w, i, j, k))
}

/// Combines position and quaternion.
#[inline(always)]
fn place(x: [f64; 3], q: &Quat) -> [f64; 7] {
    let q = q.coords;
    [x[0], x[1], x[2], q[0], q[1], q[2], q[3]]
}

/// `q1 = exp(dq) o q0` of one node.
pub fn move_node(q0: &[f64], dq: &[f64], q1: &mut [f64]) {
    match (q0, dq) {
        (&[x, y, z, i, j, k, w], &[dx, dy, dz, a, b, c]) => {
            let from = [x, y, z, i, j, k, w];
            let turn = rotation::exp(&Vec3::new(a, b, c));
            let turned = rotation::compose(&turn, &quaternion(&from));
            q1.copy_from_slice(&place([x + dx, y + dy, z + dz], &turned));
        }
        _ => q1.iter_mut().zip(q0.iter().zip(dq)).for_each(|(to, (from, d))| *to = from + d),
    }
}

impl System {
    /// `q1 = exp(dq) o q0` of all free nodes; positions with imposed motion are unchanged.
    #[inline(always)]
    pub fn retract(&self, q0: &[f64], dq: &[f64], q1: &mut [f64]) {
        let ((from, from_points), (dq, dq_points)) = (self.layout.split_places(q0), self.layout.split(dq));
        let (to, to_points) = self.layout.split_places_mut(q1);
        let (free, free_points) = self.free.split_at(self.layout.turning());
        for (body, to) in to.iter_mut().enumerate().filter(|(body, _)| free[*body]) {
            let (d, from) = (&dq[body], &from[body]);
            let turn = rotation::exp(&Vec3::new(d[3], d[4], d[5]));
            *to = place([from[0] + d[0], from[1] + d[1], from[2] + d[2]], &rotation::compose(&turn, &quaternion(from)));
        }
        for (((to, from), d), _) in
            to_points.iter_mut().zip(from_points).zip(dq_points).zip(free_points).filter(|(_, free)| **free)
        {
            *to = std::array::from_fn(|k| from[k] + d[k]);
        }
    }

    /// The same for the state of an iteration, with the motions of the workspace for the next
    /// evaluation, and with T^T of the increments there, if `turns`; evaluations without a matrix
    /// do not need T^T. This is one function, not inlined, because a step of a small model takes as
    /// long as the loading of its code into the cache.
    #[inline(never)]
    pub fn retract_to(&self, q0: &[f64], dq: &[f64], turns: bool, to: &mut State, workspace: &mut Workspace) {
        let layout = self.layout;
        let ((from, from_points), (dq, dq_points)) = (layout.split_places(q0), layout.split(dq));
        let State { q, v, vdot, .. } = to;
        let (places, places_of_points) = layout.split_places_mut(q);
        let ((v, v_points), (vdot, vdot_points)) = (layout.split(v), layout.split(vdot));
        let (motions, motions_of_points) = workspace.motions.split_at_mut(layout.turning());
        for (body, motion) in motions.iter_mut().enumerate().filter(|(body, _)| self.free[*body]) {
            let (d, start) = (&dq[body], &from[body]);
            let psi = Vec3::new(d[3], d[4], d[5]);
            let half = rotation::HalfAngle::of(&psi);
            let turn = half.exp(&psi);
            if turns {
                motion.tangent = half.tangent(&psi);
            }
            let q = rotation::compose(&turn, &quaternion(start));
            let x = [start[0] + d[0], start[1] + d[1], start[2] + d[2]];
            places[body] = place(x, &q);
            let (v, vdot) = (&v[body], &vdot[body]);
            motion.take(&place(x, &q), v, vdot);
        }
        let points = motions_of_points.len() - 1;
        for (point, motion) in motions_of_points.iter_mut().enumerate().take(points) {
            if self.free[layout.point(point)] {
                let x: [f64; 3] = std::array::from_fn(|k| from_points[point][k] + dq_points[point][k]);
                places_of_points[point] = x;
                (motion.x, motion.v, motion.vdot) = (x.into(), v_points[point].into(), vdot_points[point].into());
            }
        }
        if self.lines.is_empty() {
            return;
        }
        let free = &self.free[layout.carriers()..];
        let (from, dq, places) = (&from_points[points..], &dq_points[points..], &mut places_of_points[points..]);
        let (v, vdot) = (&v_points[points..], &vdot_points[points..]);
        let lines = &mut workspace.lines;
        for k in (0..free.len()).filter(|k| free[*k]) {
            let x: [f64; 3] = std::array::from_fn(|i| from[k][i] + dq[k][i]);
            places[k] = x;
            (lines.x[k], lines.v[k], lines.a[k]) = (x.into(), v[k].into(), vdot[k].into());
        }
        self.tie_ends(&workspace.motions, &mut workspace.lines);
    }
}

impl Layout {
    /// `q <- exp(dq) o q` of all nodes.
    pub fn displace(&self, q: &mut [f64], dq: &[f64]) {
        let ((places, points), (dq, dq_points)) = (self.split_places_mut(q), self.split(dq));
        for (to, d) in places.iter_mut().zip(dq) {
            let turn = rotation::exp(&Vec3::new(d[3], d[4], d[5]));
            *to = place([to[0] + d[0], to[1] + d[1], to[2] + d[2]], &rotation::compose(&turn, &quaternion(to)));
        }
        for (to, d) in points.iter_mut().zip(dq_points) {
            to.iter_mut().zip(d).for_each(|(x, d)| *x += d);
        }
    }

    /// The increments that lead from one set of positions to another, rotations by less than half a
    /// turn.
    pub fn difference(&self, q0: &[f64], q1: &[f64], dq: &mut [f64]) {
        let ((from, from_points), (to, to_points)) = (self.split_places(q0), self.split_places(q1));
        let (bodies, points) = self.split_mut(dq);
        for ((d, from), to) in bodies.iter_mut().zip(from).zip(to) {
            let turn = rotation::log(&(quaternion(to) * quaternion(from).inverse()));
            *d = [to[0] - from[0], to[1] - from[1], to[2] - from[2], turn.x, turn.y, turn.z];
        }
        for ((d, from), to) in points.iter_mut().zip(from_points).zip(to_points) {
            *d = std::array::from_fn(|k| to[k] - from[k]);
        }
    }
}
