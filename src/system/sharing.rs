//! How redundant constraints share the load: multipliers of least norm, loop by loop.
//!
//! With `B_d = C B_i` for the rows left out, `lambda_i - C^T lambda_d` may replace `lambda_i` with the same effect
//! `B^T lambda`; the norm is least for `(C C^T + I) lambda_d = C lambda_i`. C is found by least squares,
//!
//! ```text
//! [alpha I, B_i^T; B_i, 0] (x, c) = (b_d, 0),     c a row of C, x what B_i does not reach of b_d,
//! ```
//!
//! one factorisation for all rows left out of a loop. Bodies and joints outside have no part in it.

use super::joints::MOST_ROWS;
use super::{State, System};
use crate::linear::rank::SparseRow;
use crate::linear::{Assemble, Matrix};
use crate::spatial::{BodyState, Quat, Vec3};
use nalgebra::{DMatrix, DVector};
use std::sync::Mutex;

/// alpha, for rows of norm 1: the condition of the matrix is about 1/alpha, or one over the smallest singular value of B_i
/// (Bjorck, Numerical Methods for Least Squares Problems, 1996, sect. 2.5.3).
const ALPHA: f64 = 1e-4;

/// A closed loop, or several that share a part, with redundant constraints.
#[derive(Debug)]
pub struct Loop {
    /// In the order of creation.
    joints: Vec<usize>,
    /// Free bodies of the loop.
    bodies: Vec<usize>,
    /// Multipliers at the state that was asked about last. Who reads outputs of one system from several threads is served
    /// one after the other.
    shared: Mutex<Shared>,
}

/// What one state gave.
#[derive(Debug, Default)]
struct Shared {
    /// Poses of the bodies and multipliers that it belongs to.
    poses: Vec<(Vec3, Quat)>,
    lambda: Vec<f64>,
    /// One set per joint.
    multipliers: Vec<[f64; MOST_ROWS]>,
}

impl Clone for Loop {
    fn clone(&self) -> Loop {
        Loop::new(self.joints.clone(), self.bodies.clone())
    }
}

impl Loop {
    /// Of joints in the order of creation, and free bodies.
    pub fn new(joints: Vec<usize>, bodies: Vec<usize>) -> Loop {
        Loop { joints, bodies, shared: Mutex::default() }
    }

    /// Whether known multipliers belong to a state.
    fn holds(&self, shared: &Shared, system: &System, state: &State) -> bool {
        let pose = |body: &BodyState| (body.x, body.q);
        shared.multipliers.len() == self.joints.len()
            && self.bodies.iter().zip(&shared.poses).all(|(body, known)| pose(&state.bodies[*body]) == *known)
            && self.multipliers(system, state).eq(shared.lambda.iter().copied())
    }

    /// Multipliers of its independent constraints.
    fn multipliers<'a>(&'a self, system: &'a System, state: &'a State) -> impl Iterator<Item = f64> + 'a {
        let joints = self.joints.iter().map(|joint| &system.joints[*joint]);
        joints.flat_map(|joint| joint.indices.iter().flatten()).map(|index| state.lambda[*index])
    }
}

impl System {
    /// Multipliers of all rows of a joint. Where its loop has redundant ones, those of least norm among all of the loop with
    /// the same effect; they are kept until another state is asked about.
    pub(super) fn joint_multipliers(&self, joint: usize, state: &State) -> [f64; MOST_ROWS] {
        let own = self.joints[joint].indices.map(|index| index.map_or(0.0, |k| state.lambda[k]));
        let Some(found) = self.loop_of[joint].map(|k| &self.loops[k]) else { return own };
        // A panic of another thread leaves numbers that the comparison below tells from those of this state.
        let mut shared = found.shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !found.holds(&shared, self, state) {
            shared.multipliers.clear();
            shared.poses.clear();
            shared.poses.extend(found.bodies.iter().map(|body| (state.bodies[*body].x, state.bodies[*body].q)));
            shared.lambda.clear();
            shared.lambda.extend(found.multipliers(self, state));
            shared.multipliers = self.least_norm(found, &shared.lambda, state);
        }
        found.joints.binary_search(&joint).map_or(own, |k| shared.multipliers[k])
    }

    /// Multipliers of least norm of a loop whose independent constraints have those in `lambda`.
    fn least_norm(&self, found: &Loop, lambda: &[f64], state: &State) -> Vec<[f64; MOST_ROWS]> {
        let (independent, dependent) = self.loop_rows(found, state);
        let (dofs, m, r) = (6 * found.bodies.len(), independent.len(), dependent.len());
        let norm = |row: &SparseRow| row.iter().flat_map(|(_, x)| x).fold(0.0f64, |norm, x| norm.hypot(*x));
        let norms: Vec<f64> = independent.iter().map(norm).collect();
        let mut matrix = Matrix::new(dofs + m);
        let enter = |matrix: &mut dyn FnMut(usize, usize, f64)| {
            (0..dofs).for_each(|i| matrix(i, i, ALPHA));
            for (k, (row, norm)) in independent.iter().zip(&norms).enumerate() {
                for (i, x) in
                    row.iter().flat_map(|(node, six)| six.iter().enumerate().map(move |(i, x)| (6 * node + i, x)))
                {
                    matrix(i, dofs + k, x / norm);
                    matrix(dofs + k, i, x / norm);
                }
            }
        };
        match &mut matrix {
            Matrix::Dense(dense) => enter(&mut |row, column, x| dense.add(row, column, &[[x]])),
            Matrix::Sparse(sparse) => enter(&mut |row, column, x| sparse.add(row, column, &[[x]])),
        }
        let mut c = DMatrix::zeros(m, r);
        let regular = matrix.factorize().is_ok();
        for (row, mut column) in dependent.iter().zip(c.column_iter_mut()).filter(|_| regular) {
            let mut right = vec![0.0; dofs + m];
            row.iter().for_each(|(node, six)| right[6 * node..6 * node + 6].copy_from_slice(six));
            matrix.solve(&mut right);
            column.iter_mut().zip(&right[dofs..]).zip(&norms).for_each(|((c, y), norm)| *c = y / norm);
        }
        let lambda = DVector::from_column_slice(lambda);
        let gram = c.tr_mul(&c) + DMatrix::identity(r, r);
        let shared = gram.cholesky().map_or(DVector::zeros(r), |gram| gram.solve(&c.tr_mul(&lambda)));
        let own = lambda - &c * &shared;
        let (mut own, mut shared) = (own.iter(), shared.iter());
        let joints = found.joints.iter().map(|joint| {
            let joint = &self.joints[*joint];
            let mut multipliers = [0.0; MOST_ROWS];
            for (multiplier, index) in multipliers.iter_mut().zip(&joint.indices).take(joint.rows()) {
                let next = if index.is_some() { own.next() } else { shared.next() };
                *multiplier = next.copied().unwrap_or(0.0);
            }
            multipliers
        });
        joints.collect()
    }

    /// The rows of a loop at a state: independent ones, and those left out.
    fn loop_rows(&self, found: &Loop, state: &State) -> (Vec<SparseRow>, Vec<SparseRow>) {
        // Bodies of the loop by their number in it: few of them, found by search.
        let mut order: Vec<usize> = (0..found.bodies.len()).collect();
        order.sort_unstable_by_key(|node| found.bodies[*node]);
        let node =
            |end: &usize| order.binary_search_by_key(end, |node| found.bodies[*node]).map_or(usize::MAX, |k| order[k]);
        let (mut independent, mut dependent) = (Vec::new(), Vec::new());
        for joint in found.joints.iter().map(|joint| &self.joints[*joint]) {
            let [a, b] = self.end_motions(joint.ends, &state.bodies);
            let nodes = joint.ends.map(|end| node(&end));
            joint.for_each_row([&a, &b], |k, _, row, _| {
                let row = self.sparse_row([0, 1], [&row.a, &row.b], &nodes);
                if joint.indices[k].is_some() { independent.push(row) } else { dependent.push(row) }
            });
        }
        (independent, dependent)
    }
}
