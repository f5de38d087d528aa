//! Numbering of constraints: which of them are independent, and what multipliers the others share.
//!
//! Rows are orthogonalised one after the other (Gram-Schmidt, twice) at the initial poses; a row that leaves nothing
//! follows from those before it and is left out, so that the motion is exact and no matrix is singular. Only joints in
//! closed loops can be redundant: a joint that hangs a body on a tree has full rank on that body.

use super::joints::{JointElement, MOST_ROWS};
use super::{Motion, State, System};
use crate::spatial::{Mat3, Vec6, lower, upper};
use nalgebra::{DMatrix, DVector};

/// Part of a row's norm that counts as new. Hosts give joint frames with rounding of 1e-9 and coarser.
const INDEPENDENT: f64 = 1e-8;

/// Most sweeps of the singular value decomposition per row.
const MOST_SWEEPS: usize = 300;

impl System {
    /// Numbers the constraints of all joints and sets their scales.
    pub(super) fn number_constraints(&mut self, motions: &[Motion]) {
        let in_loop = loops(&self.joints, &self.free);
        let dofs = self.dofs();
        let length = self.scales.length;
        let mut basis: Vec<DVector<f64>> = Vec::new();
        let mut joints = std::mem::take(&mut self.joints);
        for (joint, in_loop) in joints.iter_mut().zip(in_loop) {
            let mut rows = Vec::new();
            let ends = joint.ends.map(|end| &motions[end]);
            joint.for_each_row(ends, |_, _, row, is_length| rows.push((row, is_length)));
            let mut indices = [None; MOST_ROWS];
            for (k, (row, is_length)) in rows.into_iter().enumerate() {
                if in_loop {
                    let mut dense = DVector::zeros(dofs);
                    scatter(&mut dense, joint.ends, [&row.a, &row.b], length);
                    self.fix_prescribed(&mut dense);
                    if dense.norm() == 0.0 {
                        self.redundant += 1;
                        continue;
                    }
                    dense.normalize_mut();
                    for _ in 0..2 {
                        for b in &basis {
                            let part = dense.dot(b);
                            dense.axpy(-part, b, 1.0);
                        }
                    }
                    if dense.norm() < INDEPENDENT {
                        self.redundant += 1;
                        continue;
                    }
                    basis.push(dense.normalize());
                }
                indices[k] = Some(self.multipliers);
                self.multipliers += 1;
                self.lengths.push(is_length);
                let compliance: f64 = [(joint.ends[0], &row.a), (joint.ends[1], &row.b)]
                    .into_iter()
                    .filter(|(body, _)| *body < self.inertias.len() && self.free[*body])
                    .map(|(body, gradient)| self.compliance(body, &motions[body], gradient))
                    .sum();
                self.effective_masses.push(if compliance > 0.0 { 1.0 / compliance } else { 0.0 });
            }
            joint.indices = indices;
        }
        self.joints = joints;
    }

    /// Takes the columns of prescribed bodies out of a row.
    fn fix_prescribed(&self, dense: &mut DVector<f64>) {
        for (body, _) in self.free.iter().enumerate().filter(|(_, free)| !**free) {
            dense.rows_mut(6 * body, 6).fill(0.0);
        }
    }

    /// `b^T M^-1 b` of one body, with masses and inertias taken apart; what has no mass counts as rigid.
    fn compliance(&self, body: usize, motion: &Motion, gradient: &Vec6) -> f64 {
        let inertia = &self.inertias[body];
        let linear = if inertia.mass > 0.0 { upper(gradient).norm_squared() / inertia.mass } else { 0.0 };
        let about_com: Mat3 = motion.r * inertia.about_com() * motion.r.transpose();
        let eta = motion.r * inertia.eta;
        let moment = lower(gradient) - eta.cross(&upper(gradient));
        let angular = about_com.try_inverse().map_or(0.0, |j| moment.dot(&(j * moment)));
        linear + angular
    }

    /// Multipliers of all rows, redundant ones included, of least norm among those with the same effect `B^T lambda`.
    ///
    /// With `B_d = C B_i` for the rows left out, `lambda_i - C^T lambda_d` may replace `lambda_i`; the norm is least for
    /// `(C C^T + I) lambda_d = C lambda_i`.
    pub(super) fn least_norm_multipliers(&self, state: &State) -> Vec<f64> {
        let rows: usize = self.joints.iter().map(JointElement::rows).sum();
        let length = self.scales.length;
        let mut independent = DMatrix::zeros(self.dofs(), self.multipliers);
        let mut dependent = DMatrix::zeros(self.dofs(), self.redundant);
        let mut places = Vec::with_capacity(rows);
        let mut left_out = 0;
        for joint in &self.joints {
            let [a, b] = self.end_motions(joint.ends, &state.bodies);
            joint.for_each_row([&a, &b], |k, _, row, _| {
                let mut dense = DVector::zeros(self.dofs());
                scatter(&mut dense, joint.ends, [&row.a, &row.b], length);
                self.fix_prescribed(&mut dense);
                match joint.indices[k] {
                    Some(index) => independent.set_column(index, &dense),
                    None => {
                        dependent.set_column(left_out, &dense);
                        left_out += 1;
                    }
                }
                places.push(joint.indices[k]);
            });
        }
        if self.multipliers == 0 {
            // No joint has an independent constraint: none can carry anything.
            return vec![0.0; rows];
        }
        let lambda = DVector::from_column_slice(&state.lambda);
        // C^T: the coefficients of the dependent rows in the independent ones, by least squares; rows that overflowed have none.
        // (A singular value decomposition of nalgebra loses up to half of the digits here.)
        let finite = independent.iter().chain(dependent.iter()).all(|x| x.is_finite());
        let solved =
            finite.then(|| independent.qr()).and_then(|qr| qr.r().solve_upper_triangular(&(qr.q().tr_mul(&dependent))));
        let Some(c) = solved else {
            return places.iter().map(|p| p.map_or(0.0, |k| lambda[k])).collect();
        };
        let gram = c.transpose() * &c + DMatrix::identity(self.redundant, self.redundant);
        let shared = gram.cholesky().map_or(DVector::zeros(self.redundant), |g| g.solve(&(c.transpose() * &lambda)));
        let own = &lambda - &c * &shared;
        let mut left_out = 0;
        places
            .iter()
            .map(|place| match place {
                Some(k) => own[*k],
                None => {
                    left_out += 1;
                    shared[left_out - 1]
                }
            })
            .collect()
    }
}

/// Puts a row's gradients into a dense vector, rotations measured as lengths.
fn scatter(dense: &mut DVector<f64>, ends: [usize; 2], gradients: [&Vec6; 2], length: f64) {
    for (body, gradient) in ends.into_iter().zip(gradients) {
        if 6 * body < dense.len() {
            for k in 0..6 {
                dense[6 * body + k] += if k < 3 { gradient[k] } else { gradient[k] / length };
            }
        }
    }
}

/// For each joint whether it belongs to a connected part of the model that has a closed loop. Prescribed bodies are
/// part of the ground here.
fn loops(joints: &[JointElement], free: &[bool]) -> Vec<bool> {
    let ground = free.len();
    let mut parent: Vec<usize> = (0..=ground).collect();
    (0..ground).filter(|body| !free[*body]).for_each(|body| parent[body] = ground);
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    let mut closing = Vec::new();
    for joint in joints {
        let (a, b) = (root(&mut parent, joint.ends[0]), root(&mut parent, joint.ends[1]));
        if a == b {
            closing.push(joint.ends[0]);
        } else {
            parent[a] = b;
        }
    }
    let looped: Vec<usize> = closing.into_iter().map(|end| root(&mut parent, end)).collect();
    joints.iter().map(|joint| looped.contains(&root(&mut parent, joint.ends[0]))).collect()
}
