//! Where elements put their contributions: residual, tangents, constraint rows of one evaluation.

use super::Failure;
use super::forces::callback::Slots;
use super::motion::Motion;
use crate::linear::{Assemble, Matrix};
use crate::spatial::{Mat3, Mat6, Vec3, Vec6, add_block, join, lower, upper};

/// Factors with which mass, damping and stiffness enter the iteration matrix
/// `[c_m M + c_g G + c_k (K + K_Phi) T^T, B^T; B T^T, 0]`. They contain the scaling D_L of Bottasso et al. (2008); the
/// unknowns belonging to B^T are the multipliers times the same factor, as with D_R.
#[derive(Debug, Clone, Copy)]
pub struct Coefficients {
    /// c_m.
    pub mass: f64,
    /// c_g.
    pub damping: f64,
    /// c_k; zero where only accelerations are wanted.
    pub stiffness: f64,
}

/// Which equation the constraint rows state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Phi = 0.
    Position,
    /// B v = 0.
    Velocity,
    /// B vdot + gamma = 0, gamma the terms of velocities.
    Acceleration,
}

/// Tangents of one body, before they enter the matrix.
#[derive(Debug, Clone, Copy)]
pub struct BodyTangent {
    /// c_m M + c_g G.
    pub inertia: Mat6,
    /// K.
    pub stiffness: Mat6,
}

/// Memory of an evaluation.
#[derive(Clone)]
pub struct Workspace {
    /// One per body, and the ground at the end.
    pub motions: Vec<Motion>,
    /// Equations of motion (6 per body), then constraints.
    pub residual: Vec<f64>,
    /// One per body.
    pub tangents: Vec<BodyTangent>,
    /// Iteration matrix.
    pub matrix: Matrix,
    /// Right-hand side, then solution.
    pub solution: Vec<f64>,
    /// Zero multipliers, for evaluations of geometry alone.
    pub(super) multipliers: Vec<f64>,
    /// What load callbacks are given, and what they gave last.
    pub(super) callbacks: Slots,
    /// What must be applied to each prescribed body for the motion evaluated last, inertial axes; 0 for the others.
    pub reactions: Vec<Vec6>,
}

impl Workspace {
    /// For so many bodies and multipliers.
    pub fn new(bodies: usize, multipliers: usize) -> Workspace {
        let n = 6 * bodies + multipliers;
        Workspace {
            motions: vec![Motion::ground(); bodies + 1],
            residual: vec![0.0; n],
            tangents: vec![BodyTangent { inertia: Mat6::zeros(), stiffness: Mat6::zeros() }; bodies],
            matrix: Matrix::new(std::iter::repeat_n(6, bodies), multipliers),
            solution: vec![0.0; n],
            multipliers: vec![0.0; multipliers],
            callbacks: Slots::default(),
            reactions: vec![Vec6::zeros(); bodies],
        }
    }

    /// The same with a dense matrix, whose entries can be read.
    pub fn dense(bodies: usize, multipliers: usize) -> Workspace {
        Workspace { matrix: Matrix::dense(6 * bodies + multipliers), ..Workspace::new(bodies, multipliers) }
    }

    /// How many evaluations of the present iteration taught something of load callbacks: they do not count as its own.
    pub fn lessons(&self) -> u32 {
        self.callbacks.lessons()
    }

    /// Factorises what was assembled. Numbers that overflowed make a matrix singular too, and are told as what they are.
    #[inline(always)]
    pub fn factorize(&mut self, iterations: u32) -> Result<(), Failure> {
        self.matrix.factorize().map_err(|singular| {
            let residual = self.residual.iter().position(|r| !r.is_finite());
            let finite = |m: &Mat6| m.iter().all(|x| x.is_finite());
            let tangent = |t: &BodyTangent| !(finite(&t.inertia) && finite(&t.stiffness));
            match residual.or_else(|| self.tangents.iter().position(tangent).map(|body| 6 * body)) {
                Some(unknown) => Failure::NotFinite { unknown, iterations },
                None => Failure::Singular { unknown: singular.column },
            }
        })
    }

    /// Makes `-D_L r` of the residual the right-hand side: equations of motion times `scale`, constraints as they are.
    #[inline(always)]
    pub fn take_residual(&mut self, scale: f64) {
        let dofs = 6 * self.tangents.len();
        let (x, constraints) = self.solution.split_at_mut(dofs);
        for (x, r) in x.iter_mut().zip(&self.residual) {
            *x = -scale * r;
        }
        for (x, r) in constraints.iter_mut().zip(&self.residual[dofs..]) {
            *x = -r;
        }
    }

    /// Solves `[S B^T; B T^T 0] (x, y) = (0, c)` with the matrix factorised last; c comes in, and y is left, in the
    /// last entries of `solution`.
    pub fn solve_constraints(&mut self) {
        self.matrix.solve_constraints(&mut self.solution);
    }

    /// x of the last solution for one body, as a change of its velocity or acceleration (with T^T of its motion).
    #[inline(always)]
    pub fn change(&self, body: usize) -> Vec6 {
        let x = Vec6::from_column_slice(&self.solution[6 * body..6 * body + 6]);
        join(&upper(&x), &(self.motions[body].tangent * lower(&x)))
    }
}

/// Tangent blocks between two bodies: `[row body][column body]`, wrenches `-f` over motions.
#[derive(Debug, Clone, Copy)]
pub struct PairTangent {
    /// K.
    pub stiffness: [[Mat6; 2]; 2],
    /// G.
    pub damping: [[Mat6; 2]; 2],
}

/// Gradient of one scalar constraint with respect to (u, theta) of both bodies.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Body a.
    pub a: Vec6,
    /// Body b.
    pub b: Vec6,
}

impl Row {
    /// `B x` for the vectors of both bodies.
    #[inline(always)]
    pub fn times(&self, [a, b]: [&Vec6; 2]) -> f64 {
        self.a.dot(a) + self.b.dot(b)
    }
}

/// Takes the contributions of elements during one evaluation. Bodies are indices; the ground is the one past the
/// last, and contributions to it vanish.
pub struct Assembly<'a, A: Assemble> {
    /// Motions of the bodies, the ground at the end.
    pub motions: &'a [Motion],
    pub(super) residual: &'a mut [f64],
    pub(super) tangents: &'a mut [BodyTangent],
    pub(super) matrix: &'a mut A,
    /// Whether a body moves by the equations of motion (else its motion is imposed).
    pub(super) free: &'a [bool],
    pub(super) coefficients: Coefficients,
    /// What constraint rows state.
    pub level: Level,
}

impl<A: Assemble> Assembly<'_, A> {
    /// Number of bodies.
    fn bodies(&self) -> usize {
        self.tangents.len()
    }

    /// Whether both are bodies with unknowns.
    #[inline(always)]
    fn couples(&self, row: usize, column: usize) -> bool {
        row < self.bodies() && column < self.bodies() && self.free[row] && self.free[column]
    }

    /// Keeps room in the matrix for the coupling of two bodies by an element that does not act at present: a matrix is
    /// assembled by the same sequence of calls every time.
    pub fn reserve_pair(&mut self, [a, b]: [usize; 2]) {
        if self.couples(a, b) {
            for (row, column) in [(a, b), (b, a)] {
                self.matrix.add(6 * row, 6 * column, &[[0.0; 6]; 6]);
            }
        }
    }

    /// Adds to the residual of a body's equations of motion (inertia forces +, applied wrenches -).
    #[inline(always)]
    pub fn add_residual(&mut self, body: usize, r: &Vec6) {
        if body < self.bodies() {
            for (sum, x) in self.residual[6 * body..6 * body + 6].iter_mut().zip(r.iter()) {
                *sum += x;
            }
        }
    }

    /// Whether tangents to positions and velocities are wanted (not when accelerations are computed).
    #[inline(always)]
    pub fn wants_tangents(&self) -> bool {
        self.coefficients.stiffness != 0.0 || self.coefficients.damping != 0.0
    }

    /// Adds to a body's M.
    #[inline(always)]
    pub fn add_mass(&mut self, body: usize, m: &Mat6) {
        self.tangents[body].inertia += m * self.coefficients.mass;
    }

    /// Adds to a body's G.
    #[inline(always)]
    pub fn add_damping(&mut self, body: usize, g: &Mat6) {
        if body < self.bodies() {
            self.tangents[body].inertia += g * self.coefficients.damping;
        }
    }

    /// Adds to a body's K.
    #[inline(always)]
    pub fn add_stiffness(&mut self, body: usize, k: &Mat6) {
        if body < self.bodies() {
            self.tangents[body].stiffness += k;
        }
    }

    /// Adds to the rotational block of a body's K.
    #[inline(always)]
    pub fn add_rotational_stiffness(&mut self, body: usize, k: &Mat3) {
        if body < self.bodies() {
            add_block(&mut self.tangents[body].stiffness, 1, 1, k);
        }
    }

    /// Adds the tangents of an element between two bodies.
    pub fn add_pair(&mut self, ends: [usize; 2], pair: &PairTangent) {
        for (i, row) in ends.iter().enumerate() {
            self.add_stiffness(*row, &pair.stiffness[i][i]);
            self.add_damping(*row, &pair.damping[i][i]);
            let column = ends[1 - i];
            if self.couples(*row, column) {
                let c = self.coefficients;
                let k = times_tangent(&pair.stiffness[i][1 - i], &self.motions[column].tangent) * c.stiffness
                    + pair.damping[i][1 - i] * c.damping;
                self.matrix.add(6 * row, 6 * column, &k.data.0);
            }
        }
    }

    /// Adds the blocks of K, G and M over the motion of another body; None where they are zero. Also without any it keeps
    /// room in the matrix.
    pub fn add_cross(&mut self, [row, column]: [usize; 2], k: Option<Mat6>, g: Option<Mat6>, m: Option<Mat6>) {
        if !self.couples(row, column) {
            return;
        }
        let c = self.coefficients;
        let mut block = Mat6::zeros();
        if let Some(k) = k {
            block += times_tangent(&k, &self.motions[column].tangent) * c.stiffness;
        }
        if let Some(g) = g {
            block += g * c.damping;
        }
        if let Some(m) = m {
            block += m * c.mass;
        }
        self.matrix.add(6 * row, 6 * column, &block.data.0);
    }

    /// Adds a coupling of the rotations of two different bodies to K.
    #[inline(always)]
    pub fn add_rotational_coupling(&mut self, row: usize, column: usize, k: &Mat3) {
        if self.couples(row, column) {
            let k = k * self.motions[column].tangent * self.coefficients.stiffness;
            self.matrix.add(6 * row + 3, 6 * column + 3, &k.data.0);
        }
    }

    /// Adds one constraint: its residual, gradient and multiplier. `index` None: a redundant row, left out.
    #[inline(always)]
    pub fn add_constraint(&mut self, index: Option<usize>, ends: [usize; 2], row: &Row, residual: f64, lambda: &[f64]) {
        let Some(index) = index else { return };
        let equation = 6 * self.bodies() + index;
        self.residual[equation] += residual;
        for (body, gradient) in ends.iter().zip([&row.a, &row.b]) {
            if *body < self.bodies() {
                self.add_residual(*body, &(gradient * lambda[index]));
                if !self.free[*body] {
                    continue;
                }
                self.matrix.add(6 * body, equation, &gradient.data.0);
                let rotational = self.motions[*body].tangent.tr_mul(&lower(gradient));
                let transposed = join(&upper(gradient), &rotational);
                self.matrix.add(equation, 6 * body, &transposed.data.0[0].map(|x| [x]));
            }
        }
    }

    /// Enters the tangents of the bodies into the matrix.
    pub(super) fn finish(&mut self) {
        for (body, t) in self.tangents.iter().enumerate() {
            if !self.free[body] {
                // Its increments are zero.
                self.matrix.add(6 * body, 6 * body, &Mat6::identity().data.0);
                continue;
            }
            let k = times_tangent(&t.stiffness, &self.motions[body].tangent);
            let block = t.inertia + k * self.coefficients.stiffness;
            self.matrix.add(6 * body, 6 * body, &block.data.0);
        }
    }
}

/// `A diag(I, T^T)`.
#[inline(always)]
fn times_tangent(a: &Mat6, tangent: &Mat3) -> Mat6 {
    let mut out = *a;
    let right = a.fixed_columns::<3>(3) * tangent;
    out.fixed_columns_mut::<3>(3).copy_from(&right);
    out
}

/// The wrench rows of a point: force and moment `arm x force` about the reference point.
#[inline(always)]
pub fn point_wrench(force: &Vec3, arm: &Vec3) -> Vec6 {
    join(force, &arm.cross(force))
}
