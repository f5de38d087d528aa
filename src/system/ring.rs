//! Single closed loops: the wrenches that such a loop can hold without any load (self-stresses).
//!
//! Where every body of a loop has two joints in it, a self-stress is the same wrench at all joints.
//! It does no work on the freedoms of any joint: with S_j, whose columns span the twists (about one
//! point) that joint j allows, it is a w with `S_j^T w = 0` for all j. These w are a space of at
//! most six dimensions, whatever the length of the loop (Davies 1981, Mech. Mach. Theory 16, 171:
//! Kirchhoff's circulation law). It follows from a 6x6 triangular matrix that is updated by one
//! freedom after the other with Givens rotations.

use super::joints::MOST_ROWS;
use super::{State, System};
use crate::spatial::{Mat6, Vec3, Vec6, join, lower, upper};

/// The part of the largest singular value below which a wrench counts as a self-stress: constraints
/// hold to 1e-9 or so.
const HELD: f64 = 1e-4;

/// Part of a row's norm above which it is independent of the rows before it in the same joint.
const NEW: f64 = 1e-6;

/// A joint on the way round the loop.
#[derive(Debug, Clone, Copy)]
struct Passage {
    joint: usize,
    /// The end whose body is reached: 0 or 1, never a fixed one.
    end: usize,
    /// Sign of the wrench on that body.
    sign: f64,
}

/// A closed loop in the order in which its joints follow each other.
#[derive(Debug, Clone)]
pub struct Ring {
    /// In the order of creation of the loop's joints.
    passages: Vec<Passage>,
}

/// One number per row of a joint.
pub type Multipliers = [f64; MOST_ROWS];

/// Results at one state, in reused memory.
#[derive(Debug, Default)]
pub struct Memory {
    rows: Vec<Rows>,
    /// Sets of multipliers of the self-stresses, one after the other, each with one item per joint.
    pub held: Vec<Multipliers>,
}

/// The rows R of a joint about its body's point, moments in units of the model's length:
/// `R^T = Q T`.
#[derive(Debug)]
struct Rows {
    count: usize,
    /// Q.
    basis: Mat6,
    /// T.
    triangle: Mat6,
}

impl Ring {
    /// A ring of joints (in increasing order) between nodes (`nodes[k]`: the nodes of the k-th
    /// joint; `fixed`: the node of all that is fixed). None if a body has more than two of the
    /// joints.
    pub fn new(joints: &[usize], nodes: &[[usize; 2]], fixed: usize) -> Option<Ring> {
        let mut places: Vec<(usize, usize)> =
            nodes.iter().enumerate().flat_map(|(k, ends)| ends.map(|node| (node, k))).collect();
        places.sort_unstable();
        let at = |node: usize| {
            let first = places.partition_point(|(other, _)| *other < node);
            let of_node = places[first..].iter().take_while(move |(other, _)| *other == node);
            of_node.map(|(_, joint)| *joint)
        };
        if joints.len() < 2 || nodes.iter().flatten().any(|node| at(*node).count() != 2) {
            return None;
        }
        let mut passages = vec![None; joints.len()];
        let (mut joint, mut into) = (0, 1);
        while passages[joint].is_none() {
            let free = nodes[joint][into] != fixed;
            let (end, sign) = if free { (into, 1.0) } else { (1 - into, -1.0) };
            passages[joint] = Some(Passage { joint: joints[joint], end, sign });
            let node = nodes[joint][into];
            let next = at(node).find(|next| *next != joint)?;
            into = usize::from(nodes[next][0] == node);
            joint = next;
        }
        Some(Ring { passages: passages.into_iter().collect::<Option<_>>()? })
    }

    /// Fills `held` with the self-stresses of the loop: `redundant` sets of multipliers (one per
    /// joint, in the order of the loop's joints), one after the other, orthonormal; fewer if the
    /// joints no longer hold that many. False if the rows of one joint depend on each other, which
    /// this method does not handle.
    pub fn find_held(&self, system: &System, state: &State, redundant: usize, memory: &mut Memory) -> bool {
        let unit = system.scales.length;
        let point = |passage: &Passage| state.body(system.joints[passage.joint].ends()[passage.end]).x;
        let centre = self.passages.iter().map(point).sum::<Vec3>() / self.passages.len() as f64;
        let length = self.passages.iter().map(|passage| (point(passage) - centre).norm()).fold(unit, f64::max);
        let Memory { rows, held } = memory;
        rows.clear();
        held.clear();
        let mut triangle = Mat6::zeros();
        for passage in &self.passages {
            let joint = &system.joints[passage.joint];
            let [a, b] = system.end_motions(joint.ends(), state);
            let mut scaled = Mat6::zeros();
            joint.for_each_row([&a, &b], |k, _, row, _| {
                let row = [&row.a, &row.b][passage.end];
                scaled.set_column(k, &join(&upper(row), &(lower(row) / unit)));
            });
            let Some(rows_of_joint) = Rows::new(&scaled, joint.rows()) else { return false };
            let arm = point(passage) - centre;
            for freedom in rows_of_joint.freedoms() {
                // Rotations in units of 1/length, as moments of the rows are in units of force
                // times length.
                let turn = lower(&freedom) / unit;
                let twist = join(&(upper(&freedom) - turn.cross(&arm)), &(turn * length));
                take_up(&mut triangle, twist.normalize());
            }
            rows.push(rows_of_joint);
        }
        if !triangle.iter().all(|x| x.is_finite()) {
            return false;
        }
        let Some(svd) = triangle.try_svd_unordered(false, true, f64::EPSILON, 200) else { return false };
        let Some(directions) = svd.v_t else { return false };
        let limit = HELD * svd.singular_values.amax();
        let mut order: [usize; 6] = std::array::from_fn(|k| k);
        order.sort_unstable_by(|a, b| svd.singular_values[*a].total_cmp(&svd.singular_values[*b]));
        for k in order.into_iter().take(redundant).filter(|k| svd.singular_values[*k] <= limit) {
            let direction = directions.row(k).transpose();
            let (force, moment) = (upper(&direction), lower(&direction) * length);
            let first = held.len();
            for (passage, rows) in self.passages.iter().zip(&*rows) {
                let arm = point(passage) - centre;
                let here = join(&force, &((moment - arm.cross(&force)) / unit)) * passage.sign;
                held.push(rows.multipliers(&here));
            }
            let (before, new) = held.split_at_mut(first);
            for known in before.chunks_exact(self.passages.len()).chain(before.chunks_exact(self.passages.len())) {
                let part = dot(known, new);
                subtract(new, part, known);
            }
            let norm = dot(new, new).sqrt();
            new.as_flattened_mut().iter_mut().for_each(|x| *x /= norm);
        }
        held.as_flattened().iter().all(|x| x.is_finite())
    }
}

/// Sum of the products of multipliers.
pub fn dot(a: &[Multipliers], b: &[Multipliers]) -> f64 {
    a.as_flattened().iter().zip(b.as_flattened()).map(|(a, b)| a * b).sum()
}

/// `a -= factor b`.
pub fn subtract(a: &mut [Multipliers], factor: f64, b: &[Multipliers]) {
    a.as_flattened_mut().iter_mut().zip(b.as_flattened()).for_each(|(a, b)| *a -= factor * b);
}

impl Rows {
    /// From columns of which the first `count` are rows of a joint, by Gram-Schmidt, twice. None if
    /// one of them depends on those before it.
    fn new(rows: &Mat6, count: usize) -> Option<Rows> {
        let (mut basis, mut triangle) = (Mat6::zeros(), Mat6::zeros());
        for k in 0..count {
            let mut row = rows.column(k).into_owned();
            let size = row.norm();
            for i in (0..k).chain(0..k) {
                let part = basis.column(i).dot(&row);
                triangle[(i, k)] += part;
                row -= basis.column(i) * part;
            }
            let new = row.norm();
            if new.is_nan() || new <= NEW * size {
                return None;
            }
            triangle[(k, k)] = new;
            basis.set_column(k, &(row / new));
        }
        Some(Rows { count, basis, triangle })
    }

    /// Orthonormal vectors that complete the basis.
    fn freedoms(&self) -> impl Iterator<Item = Vec6> {
        let (mut basis, count) = (self.basis, self.count);
        (count..6).map(move |k| {
            // The axis with the smallest component in the basis: at least (6 - k)/6 of its square
            // is new.
            let known = |axis: &usize| basis.row(*axis).norm_squared();
            let axis = (0..6).min_by(|a, b| known(a).total_cmp(&known(b))).unwrap_or(0);
            let mut new = Vec6::zeros();
            new[axis] = 1.0;
            for i in (0..k).chain(0..k) {
                let part = basis.column(i).dot(&new);
                new -= basis.column(i) * part;
            }
            new.normalize_mut();
            basis.set_column(k, &new);
            new
        })
    }

    /// Multipliers with which the rows make a wrench.
    fn multipliers(&self, wrench: &Vec6) -> Multipliers {
        let mut multipliers = [0.0; MOST_ROWS];
        for k in (0..self.count).rev() {
            let known: f64 = (k + 1..self.count).map(|i| self.triangle[(k, i)] * multipliers[i]).sum();
            multipliers[k] = (self.basis.column(k).dot(wrench) - known) / self.triangle[(k, k)];
        }
        multipliers
    }
}

/// Adds a row to an upper triangular matrix by Givens rotations (Golub, Van Loan, Matrix
/// Computations 2013, sect. 6.5.3).
fn take_up(triangle: &mut Mat6, mut row: Vec6) {
    for k in 0..6 {
        let size = triangle[(k, k)].hypot(row[k]);
        if size == 0.0 {
            continue;
        }
        let (c, s) = (triangle[(k, k)] / size, row[k] / size);
        for j in k..6 {
            let (above, below) = (triangle[(k, j)], row[j]);
            triangle[(k, j)] = c * above + s * below;
            row[j] = c * below - s * above;
        }
    }
}
