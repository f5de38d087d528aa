//! Reactions of redundant constraints: multipliers of least norm, loop by loop.
//!
//! For a single loop, where every body has two of its joints, `ring` computes the self-stresses,
//! which are subtracted from the multipliers. For all others: with `B_d = C B_i` for the redundant
//! rows, `lambda_i - C^T lambda_d` may replace `lambda_i` with the same effect `B^T lambda`; the
//! norm is least for `(C C^T + I) lambda_d = C lambda_i`. C follows from least squares,
//! found by least squares,
//!
//! ```text
//! [alpha I, B_i^T; B_i, 0] (x, c) = (b_d, 0),     c a row of C, x the residual of b_d,
//! ```
//!
//! with one factorisation for all redundant rows of a loop, whose pattern and memory are kept.
//! Bodies and joints outside the loop are not involved.

use super::joints::{JointElement, MOST_ROWS};
use super::ring::{self, Multipliers, Ring};
use super::views::Joints;
use super::{State, System};
use crate::linear::{Assemble, Kkt};
use crate::model::Frame;
use crate::spatial::{BodyState, Quat, Vec3, Vec6, join, lower, upper};
use nalgebra::{DMatrix, DVector};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// alpha, for rows of norm 1: the condition of the matrix is the larger of 1/alpha and one over the
/// smallest singular value of B_i (Bjorck, Numerical Methods for Least Squares Problems, 1996,
/// sect. 2.5.3).
const ALPHA: f64 = 1e-4;

/// A closed loop, or several that share a part, with redundant constraints.
#[derive(Debug, Clone)]
pub struct Loop {
    /// In the order of creation.
    joints: Vec<usize>,
    /// Free bodies of the loop.
    bodies: Vec<usize>,
    /// Nodes of each joint: indices among the bodies; fixed ones have the index after the last.
    nodes: Vec<[usize; 2]>,
    /// Its joints in their order round the loop, if it is a single loop.
    ring: Option<Ring>,
}

/// Cached multipliers of the loops of a system for one run, at the last requested state. Threads
/// that read outputs of one run wait for each other; runs that share a system do not.
pub struct Sharing(Vec<Mutex<Shared>>);

/// A clone has an empty cache.
impl Clone for Sharing {
    fn clone(&self) -> Sharing {
        Sharing(self.0.iter().map(|_| Mutex::default()).collect())
    }
}

impl Sharing {
    /// The cache of a loop. A panic of another thread cannot leave wrong numbers: the stored state
    /// shows whether they are valid.
    fn of(&self, of_loop: usize) -> Option<MutexGuard<'_, Shared>> {
        self.0.get(of_loop).map(|shared| shared.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether `ring` sufficed for all loops.
    #[cfg(test)]
    pub fn was_walked(&self) -> bool {
        (0..self.0.len()).all(|k| self.of(k).is_some_and(|shared| shared.least_squares.is_none()))
    }
}

/// Results at one state, and the memory to compute them.
#[derive(Default)]
struct Shared {
    /// Poses of the bodies and multipliers to which the results belong.
    poses: Vec<(Vec3, Quat)>,
    lambda: Vec<f64>,
    /// Multipliers of the independent constraints after redistribution.
    own: Vec<f64>,
    /// One set per joint.
    multipliers: Vec<Multipliers>,
    ring: ring::Memory,
    least_squares: Option<LeastSquares>,
}

/// The least squares problem of a loop.
struct LeastSquares {
    /// All rows, joint by joint: gradients of both ends, rotations measured as lengths.
    rows: Vec<[Vec6; 2]>,
    /// Norms of the independent rows.
    norms: Vec<f64>,
    matrix: Kkt,
    /// Right-hand sides, then solutions, one redundant row after the other.
    right: Vec<f64>,
    /// C C^T + I.
    gram: DMatrix<f64>,
    /// C lambda_i, then lambda_d.
    left_out: DVector<f64>,
}

impl LeastSquares {
    fn new(rows: usize, bodies: usize, independent: usize, redundant: usize) -> LeastSquares {
        let n = 6 * bodies + independent;
        LeastSquares {
            rows: vec![[Vec6::zeros(); 2]; rows],
            norms: Vec::with_capacity(independent),
            matrix: Kkt::new(std::iter::repeat_n(6, bodies), independent),
            right: vec![0.0; n * redundant],
            gram: DMatrix::zeros(redundant, redundant),
            left_out: DVector::zeros(redundant),
        }
    }
}

impl Loop {
    /// From joints in the order of creation, free bodies, and the nodes of the joints: indices
    /// among the bodies, larger ones for fixed nodes.
    pub fn new(joints: Vec<usize>, bodies: Vec<usize>, mut nodes: Vec<[usize; 2]>) -> Loop {
        let fixed = bodies.len();
        nodes.as_flattened_mut().iter_mut().for_each(|node| *node = fixed.min(*node));
        let ring = Ring::new(&joints, &nodes, fixed);
        Loop { joints, bodies, nodes, ring }
    }

    /// Number of elements of the dense arrays for least squares; None if they are allocated
    /// already.
    fn dense_numbers(&self, system: &System, shared: &Shared) -> Option<usize> {
        if !shared.multipliers.is_empty() {
            return None;
        }
        let joints = || self.joints.iter().map(|joint| &system.joints[*joint]);
        let rows: usize = joints().map(JointElement::rows).sum();
        let independent: usize = joints().map(|joint| joint.indices.iter().flatten().count()).sum();
        let redundant = rows - independent;
        let n = 6 * self.bodies.len() + independent;
        Some(if self.ring.is_some() { 0 } else { redundant * (n + 2 * redundant) })
    }

    /// The same, to be solved by least squares.
    #[cfg(test)]
    pub fn without_ring(&self) -> Loop {
        Loop { ring: None, ..self.clone() }
    }

    /// Whether cached multipliers belong to a state.
    fn holds(&self, shared: &Shared, system: &System, state: &State) -> bool {
        let pose = |body: BodyState| (body.x, body.q);
        shared.multipliers.len() == self.joints.len()
            && self.bodies.iter().zip(&shared.poses).all(|(body, known)| pose(state.body(*body)) == *known)
            && self.multipliers(system, state).eq(shared.lambda.iter().copied())
    }

    /// Multipliers of its independent constraints.
    fn multipliers<'a>(&'a self, system: &'a System, state: &'a State) -> impl Iterator<Item = f64> + 'a {
        let joints = self.joints.iter().map(|joint| &system.joints[*joint]);
        joints.flat_map(|joint| joint.indices.iter().flatten()).map(|index| state.lambda[index.get()])
    }
}

impl Joints<'_> {
    /// An empty cache for the loops of a run.
    pub fn sharing(self) -> Sharing {
        Sharing(self.0.loops.iter().map(|_| Mutex::default()).collect())
    }

    /// Number of elements of the dense arrays that the reaction of a joint needs; None if it
    /// allocates nothing.
    pub fn reaction_numbers(self, joint: usize, sharing: &Sharing) -> Option<usize> {
        let of_joint = self.0.loop_of.get(joint).copied().flatten()?;
        self.0.loops[of_joint].dense_numbers(self.0, &*sharing.of(of_joint)?)
    }

    /// The same for the reactions of all joints.
    pub fn all_reaction_numbers(self, sharing: &Sharing) -> Option<usize> {
        let of_loop = |(k, found): (usize, &Loop)| found.dense_numbers(self.0, &*sharing.of(k)?);
        self.0.loops.iter().enumerate().filter_map(of_loop).reduce(usize::saturating_add)
    }

    /// Whether a joint belongs to a loop with redundant constraints.
    pub fn in_redundant_loop(self, joint: usize) -> bool {
        self.0.loop_of.get(joint).is_some_and(Option::is_some)
    }

    /// The wrench of body a on body b at b's joint frame, inertial axes, for all joints:
    /// `each(joint, wrench)`.
    pub fn for_each_reaction(self, state: &State, sharing: &Sharing, mut each: impl FnMut(usize, &Vec6)) {
        self.0.for_each_joint_multipliers(state, sharing, |joint, multipliers| {
            let element = &self.0.joints[joint];
            let [a, b] = self.0.end_motions(element.ends(), state);
            each(joint, &element.reaction([&a, &b], 1, multipliers));
        });
    }

    /// The wrench of the other body on body a (`end` 0) or on body b (1) at its joint frame, in
    /// inertial axes or those of that body. Multipliers of redundant constraints are those of least
    /// norm.
    pub fn reaction(self, joint: usize, end: usize, frame: Frame, state: &State, sharing: &Sharing) -> Vec6 {
        let element = &self.0.joints[joint];
        let [a, b] = self.0.end_motions(element.ends(), state);
        let multipliers = self.0.joint_multipliers(joint, state, sharing);
        let wrench = element.reaction([&a, &b], end, &multipliers);
        let r = [&a, &b][end].r;
        match frame {
            Frame::Inertial => wrench,
            Frame::Body => join(&r.tr_mul(&upper(&wrench)), &r.tr_mul(&lower(&wrench))),
        }
    }
}

impl System {
    /// Multipliers of all rows of a joint. If its loop has redundant rows, those of least norm in
    /// the loop with the same effect, which are cached for this state.
    pub(super) fn joint_multipliers(&self, joint: usize, state: &State, sharing: &Sharing) -> [f64; MOST_ROWS] {
        let own = self.own_multipliers(joint, state);
        let shared =
            self.loop_of[joint].and_then(|k| Some((&self.loops[k], self.shared_multipliers(k, state, sharing)?)));
        let Some((found, shared)) = shared else { return own };
        found.joints.binary_search(&joint).map_or(own, |k| shared.multipliers[k])
    }

    /// Multipliers of all joints: `each(joint, multipliers)`, loop by loop, so that a loop is
    /// computed once.
    pub(super) fn for_each_joint_multipliers(
        &self,
        state: &State,
        sharing: &Sharing,
        mut each: impl FnMut(usize, &[f64; MOST_ROWS]),
    ) {
        for joint in (0..self.joints.len()).filter(|joint| self.loop_of[*joint].is_none()) {
            each(joint, &self.own_multipliers(joint, state));
        }
        for (k, found) in self.loops.iter().enumerate() {
            if let Some(shared) = self.shared_multipliers(k, state, sharing) {
                found.joints.iter().zip(&shared.multipliers).for_each(|(joint, multipliers)| each(*joint, multipliers));
            }
        }
    }

    /// Multipliers of the rows of a joint in the solution; 0 for redundant rows.
    fn own_multipliers(&self, joint: usize, state: &State) -> [f64; MOST_ROWS] {
        self.joints[joint].indices.map(|index| index.map_or(0.0, |k| state.lambda[k.get()]))
    }

    /// The cached results of a loop at a state.
    fn shared_multipliers<'s>(&self, k: usize, state: &State, sharing: &'s Sharing) -> Option<MutexGuard<'s, Shared>> {
        let (found, mut shared) = (&self.loops[k], sharing.of(k)?);
        if !found.holds(&shared, self, state) {
            shared.multipliers.clear();
            shared.poses.clear();
            shared.poses.extend(found.bodies.iter().map(|body| state.body(*body)).map(|body| (body.x, body.q)));
            shared.lambda.clear();
            shared.lambda.extend(found.multipliers(self, state));
            self.share(found, &mut shared, state);
        }
        Some(shared)
    }

    /// Redistributes multipliers of a loop, whose independent constraints have `shared.lambda`, to
    /// least norm.
    fn share(&self, found: &Loop, shared: &mut Shared, state: &State) {
        let Shared { lambda, own, multipliers, ring, least_squares, .. } = shared;
        own.clone_from(lambda);
        let joints = || found.joints.iter().map(|joint| &self.joints[*joint]);
        let redundant = joints().map(|joint| joint.rows() - joint.indices.iter().flatten().count()).sum();
        let walked = found.ring.as_ref().is_some_and(|walk| walk.find_held(self, state, redundant, ring));
        let mut left_out: &[f64] = &[];
        if !walked {
            let system = least_squares.get_or_insert_with(|| {
                LeastSquares::new(joints().map(JointElement::rows).sum(), found.bodies.len(), lambda.len(), redundant)
            });
            self.solve_least_squares(found, own, state, system);
            left_out = system.left_out.as_slice();
        }
        let (mut own, mut left_out) = (own.iter().copied(), left_out.iter().copied());
        multipliers.extend(joints().map(|joint| {
            let mut of_joint = [0.0; MOST_ROWS];
            for (multiplier, index) in of_joint.iter_mut().zip(&joint.indices).take(joint.rows()) {
                *multiplier = if index.is_some() { own.next() } else { left_out.next() }.unwrap_or(0.0);
            }
            of_joint
        }));
        if walked {
            for held in ring.held.chunks_exact(found.joints.len()) {
                let part = ring::dot(held, multipliers);
                ring::subtract(multipliers, part, held);
            }
        }
    }

    /// Redistributes multipliers of independent constraints between them and the redundant rows to
    /// least norm; those of the redundant rows are written to the system. If the independent rows
    /// depend on each other at this state, nothing changes.
    fn solve_least_squares(&self, found: &Loop, lambda: &mut [f64], state: &State, system: &mut LeastSquares) {
        let (dofs, n) = (6 * found.bodies.len(), 6 * found.bodies.len() + lambda.len());
        if n == 0 {
            // A joint between fixed bodies has no independent row.
            return;
        }
        let LeastSquares { rows, norms, matrix, right, gram, left_out } = system;
        rows.fill([Vec6::zeros(); 2]);
        norms.clear();
        right.fill(0.0);
        left_out.fill(0.0);
        let scaled = |gradient: &Vec6| join(&upper(gradient), &(lower(gradient) / self.scales.length));
        let mut first = 0;
        for joint in found.joints.iter().map(|joint| &self.joints[*joint]) {
            let [a, b] = self.end_motions(joint.ends(), state);
            joint.for_each_row([&a, &b], |k, _, row, _| rows[first + k] = [scaled(&row.a), scaled(&row.b)]);
            first += joint.rows();
        }
        // Each row with the nodes of its joint, and whether it is independent.
        let all = || {
            let joints = found.joints.iter().zip(&found.nodes);
            let places = joints.flat_map(|(joint, nodes)| {
                let joint = &self.joints[*joint];
                joint.indices.iter().take(joint.rows()).map(move |index| (nodes, index.is_some()))
            });
            rows.iter().zip(places).map(|(row, (nodes, independent))| {
                let parts = nodes.iter().zip(row).filter(|(node, _)| 6 * **node < dofs);
                let entries =
                    parts.flat_map(|(node, six)| six.iter().enumerate().map(move |(i, x)| (6 * node + i, *x)));
                (entries, independent)
            })
        };
        let norm = |entries: &mut dyn Iterator<Item = (usize, f64)>| {
            entries.fold(0.0f64, |norm, (_, x)| norm.hypot(x)).max(f64::MIN_POSITIVE)
        };
        norms.extend(all().filter(|(_, independent)| *independent).map(|(mut row, _)| norm(&mut row)));
        let enter = |add: &mut dyn FnMut(usize, usize, f64)| {
            (0..dofs).for_each(|i| add(i, i, ALPHA));
            let independent = all().filter(|(_, independent)| *independent).map(|(row, _)| row);
            for (k, (row, norm)) in independent.zip(&*norms).enumerate() {
                for (i, x) in row {
                    add(i, dofs + k, x / norm);
                    add(dofs + k, i, x / norm);
                }
            }
        };
        matrix.clear();
        enter(&mut |row, column, x| matrix.add(row, column, &[[x]]));
        if matrix.factorize().is_err() {
            return;
        }
        let dependent = all().filter(|(_, independent)| !independent).map(|(row, _)| row);
        for (row, right) in dependent.zip(right.chunks_exact_mut(n)) {
            row.for_each(|(i, x)| right[i] += x);
            matrix.solve(right);
            right[dofs..].iter_mut().zip(&*norms).for_each(|(y, norm)| *y /= norm);
        }
        let c = |k: usize| &right[n * k + dofs..n * (k + 1)];
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        for i in 0..left_out.len() {
            (0..=i).for_each(|j| gram[(i, j)] = dot(c(i), c(j)) + if i == j { 1.0 } else { 0.0 });
            left_out[i] = dot(c(i), lambda);
        }
        // The factorisation consumes the matrix and returns its memory.
        match std::mem::take(gram).cholesky() {
            Some(factor) => {
                factor.solve_mut(left_out);
                *gram = factor.unpack_dirty();
            }
            None => {
                *gram = DMatrix::zeros(left_out.len(), left_out.len());
                left_out.fill(0.0);
            }
        }
        for (k, factor) in left_out.iter().enumerate() {
            lambda.iter_mut().zip(c(k)).for_each(|(own, c)| *own -= factor * c);
        }
    }
}
