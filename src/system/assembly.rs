//! The residual, tangents and constraint rows of one evaluation, to which elements add their
//! contributions.

use super::coefficients::Coefficients;
use super::layout::Layout;
use super::motion::Motion;
use super::turning::{self, Turning};
use crate::elements::{Local, Tangents};
use crate::linear::Assemble;
use crate::spatial::{Mat3, Mat6, Vec3, Vec6, add_block, block, join, lower, times_tangent, upper};

/// Level of differentiation of the constraint rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Phi = 0.
    Position,
    /// B v = 0.
    Velocity,
    /// B vdot + gamma = 0, gamma the terms of velocities.
    Acceleration,
}

/// Tangents of one node, before they enter the matrix; a point uses the translations only.
#[derive(Debug, Clone, Copy)]
pub struct NodeTangent {
    /// c_m M + c_g G.
    pub(super) inertia: Mat6,
    /// K.
    pub(super) stiffness: Mat6,
}

impl NodeTangent {
    /// Zero.
    pub const ZERO: NodeTangent =
        NodeTangent { inertia: Mat6::from_array_storage(NO_ENTRIES), stiffness: Mat6::from_array_storage(NO_ENTRIES) };

    /// The diagonal blocks of translations and rotations, of the inertia and of the stiffness.
    pub fn diagonals(&self) -> [[Mat3; 2]; 2] {
        [&self.inertia, &self.stiffness].map(|m| [block(m, 0, 0), block(m, 1, 1)])
    }

    /// Whether all entries are finite.
    pub(super) fn is_finite(&self) -> bool {
        self.inertia.iter().chain(&self.stiffness).all(|x| x.is_finite())
    }

    /// `c_m M + c_g G + c_k K diag(I, T^T)`, in one pass over the columns.
    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formula
    fn by_increments(&self, c: f64, tangent: &Mat3) -> Mat6 {
        let (rates, k) = (&self.inertia.data.0, &self.stiffness.data.0);
        let mut out = NO_ENTRIES;
        for j in 0..3 {
            for i in 0..6 {
                out.0[j][i] = rates[j][i] + c * k[j][i];
                out.0[3 + j][i] = self.turned(c, tangent, i, j);
            }
        }
        Mat6::from_array_storage(out)
    }

    /// The entry of row i and the column of rotation j.
    #[inline(always)]
    fn turned(&self, c: f64, tangent: &Mat3, i: usize, j: usize) -> f64 {
        let (rates, k, t) = (&self.inertia.data.0, &self.stiffness.data.0, &tangent.data.0);
        rates[3 + j][i] + c * (k[3][i] * t[j][0] + k[4][i] * t[j][1] + k[5][i] * t[j][2])
    }
}

const NO_ENTRIES: nalgebra::ArrayStorage<f64, 6, 6> = nalgebra::ArrayStorage([[0.0; 6]; 6]);

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
    pub fn times(&self, a: &[f64; 6], b: &[f64; 6]) -> f64 {
        let product = |g: &Vec6, x: &[f64; 6]| {
            let term = |i: usize| g[i] * x[i];
            (term(0) + term(1)) + (term(2) + term(3)) + (term(4) + term(5))
        };
        product(&self.a, a) + product(&self.b, b)
    }
}

/// Receives the contributions of elements during one evaluation. Nodes are bodies and points, by
/// their indices; the ground has the index after the last. Contributions to the ground are dropped,
/// as are moments on points.
pub struct Assembly<'a, A: Assemble> {
    pub(super) layout: Layout,
    /// Motions of bodies and points, the ground at the end.
    pub motions: &'a [Motion],
    pub(super) residual: &'a mut [f64],
    pub(super) tangents: &'a mut [NodeTangent],
    /// One per body; empty where gamma' and beta' alone relate rates to increments.
    pub(super) turnings: &'a [Turning],
    pub(super) matrix: &'a mut A,
    /// Whether a node moves by the equations of motion (else its motion is imposed).
    pub(super) free: &'a [bool],
    pub(super) coefficients: Coefficients,
    /// Level of the constraint rows.
    pub level: Level,
}

impl<A: Assemble> Assembly<'_, A> {
    /// Number of bodies and points.
    fn nodes(&self) -> usize {
        self.tangents.len()
    }

    /// Tangents of a node.
    #[inline(always)]
    pub(super) fn tangent(&mut self, node: usize) -> &mut NodeTangent {
        &mut self.tangents[node]
    }

    /// Whether both are nodes with unknowns.
    #[inline(always)]
    fn couples(&self, row: usize, column: usize) -> bool {
        A::TAKES && row < self.nodes() && column < self.nodes() && self.free[row] && self.free[column]
    }

    /// Enters a block of the matrix at two nodes, as far as they have rotations.
    #[inline(always)]
    fn add_block(&mut self, [row, column]: [usize; 2], block: &Mat6) {
        let (i, j) = (self.layout.unknown(row), self.layout.unknown(column));
        let entries = &block.data.0;
        let short = |column: &[f64; 6]| [column[0], column[1], column[2]];
        match (self.layout.width(row), self.layout.width(column)) {
            (6, 6) => self.matrix.add(i, j, entries),
            (6, _) => self.matrix.add(i, j, &[entries[0], entries[1], entries[2]]),
            (_, 6) => self.matrix.add(i, j, &entries.each_ref().map(short)),
            _ => self.matrix.add(i, j, &[&entries[0], &entries[1], &entries[2]].map(short)),
        }
    }

    /// Reserves entries of the matrix for the coupling of two nodes, or of their rotations alone,
    /// by an element that does not act at present, because a matrix is assembled by the same
    /// sequence of calls every time.
    #[inline(always)]
    pub fn reserve_pair(&mut self, [a, b]: [usize; 2], turns_only: bool) {
        if self.couples(a, b) {
            for (row, column) in [(a, b), (b, a)] {
                if turns_only {
                    self.add_turns([row, column], &Mat3::zeros());
                } else {
                    self.add_block([row, column], &Mat6::zeros());
                }
            }
        }
    }

    /// Enters a block of the matrix at the rotations of two bodies.
    #[inline(always)]
    fn add_turns(&mut self, [row, column]: [usize; 2], block: &Mat3) {
        self.matrix.add(self.layout.unknown(row) + 3, self.layout.unknown(column) + 3, &block.data.0);
    }

    /// Begins the residual of a body's equations of motion.
    #[inline(always)]
    pub fn set_residual(&mut self, body: usize, r: &Vec6) {
        let first = self.layout.unknown(body);
        self.residual[first..first + 6].copy_from_slice(r.as_slice());
    }

    /// Adds to the residual of a node's equations of motion (inertia forces +, applied wrenches -).
    #[inline(always)]
    pub fn add_residual(&mut self, node: usize, r: &Vec6) {
        if self.layout.turns(node) {
            let first = self.layout.unknown(node);
            for (sum, x) in self.residual[first..first + 6].iter_mut().zip(r.iter()) {
                *sum += x;
            }
        } else if node < self.nodes() {
            let first = self.layout.unknown(node);
            for (sum, x) in self.residual[first..first + 3].iter_mut().zip(r.iter()) {
                *sum += x;
            }
        }
    }

    /// Whether tangents with respect to positions and velocities are wanted (not for accelerations
    /// or a residual alone).
    #[inline(always)]
    pub fn wants_tangents(&self) -> bool {
        A::TAKES && (self.coefficients.stiffness != 0.0 || self.coefficients.damping != 0.0)
    }

    /// The relation of a body's angular rates to its increments; None: gamma' and beta'.
    #[inline(always)]
    pub fn turning(&self, body: usize) -> Option<&Turning> {
        turning::of(self.turnings, body, &self.coefficients)
    }

    /// Sets the tangents of a body, by blocks of 3 x 3: c_m M + c_g G, and the columns of rotations
    /// of K (the others are zero).
    #[inline(always)]
    #[allow(clippy::needless_range_loop)] // columns of several matrices at once
    pub fn set_tangents(&mut self, body: usize, inertia: &[[Mat3; 2]; 2], stiffness: &[Mat3; 2]) {
        if !A::TAKES {
            return;
        }
        let NodeTangent { inertia: rates, stiffness: own } = self.tangent(body);
        let (rates, own) = (&mut rates.data.0, &mut own.data.0);
        for j in 0..3 {
            own[j] = [0.0; 6];
            for half in 0..2 {
                let rows = 3 * half..3 * half + 3;
                rates[j][rows.clone()].copy_from_slice(&inertia[half][0].data.0[j]);
                rates[3 + j][rows.clone()].copy_from_slice(&inertia[half][1].data.0[j]);
                own[3 + j][rows].copy_from_slice(&stiffness[half].data.0[j]);
            }
        }
    }

    /// Adds to a node's M.
    #[inline(always)]
    pub fn add_mass(&mut self, node: usize, m: &Mat6) {
        if !A::TAKES {
            return;
        }
        let m = turning::over_increments(m, self.turning(node).map(Turning::acceleration));
        let m = m * self.coefficients.mass;
        self.tangent(node).inertia += m;
    }

    /// Adds to a body's G.
    #[inline(always)]
    pub fn add_damping(&mut self, body: usize, g: &Mat6) {
        if body < self.nodes() {
            let g = turning::over_increments(g, self.turning(body).map(Turning::velocity));
            let g = g * self.coefficients.damping;
            self.tangent(body).inertia += g;
        }
    }

    /// Adds to a body's K.
    #[inline(always)]
    pub fn add_stiffness(&mut self, body: usize, k: &Mat6) {
        if body < self.nodes() {
            self.tangent(body).stiffness += k;
        }
    }

    /// Adds to the rotational block of a body's K.
    #[inline(always)]
    pub fn add_rotational_stiffness(&mut self, body: usize, k: &Mat3) {
        if body < self.nodes() {
            add_block(&mut self.tangent(body).stiffness, 1, 1, k);
        }
    }

    /// Adds the tangents of an element between two nodes, or between the rotations of two bodies
    /// alone.
    pub fn add_pair(&mut self, ends: [usize; 2], pair: &Tangents<2>, turns_only: bool) {
        for (i, row) in ends.iter().enumerate() {
            self.add_stiffness(*row, &pair.stiffness[i][i]);
            self.add_damping(*row, &pair.damping[i][i]);
            let column = ends[1 - i];
            if self.couples(*row, column) {
                let c = self.coefficients;
                let velocity = self.turning(column).map(Turning::velocity);
                let k = times_tangent(&pair.stiffness[i][1 - i], &self.motions[column].tangent) * c.stiffness
                    + turning::over_increments(&pair.damping[i][1 - i], velocity) * c.damping;
                if turns_only {
                    self.add_turns([*row, column], &block(&k, 1, 1));
                } else {
                    self.add_block([*row, column], &k);
                }
            }
        }
    }

    /// Adds residuals and tangents of an element with these nodes. Blocks that are not wanted still
    /// reserve their entries of the matrix.
    #[inline(always)]
    pub fn add_local<const N: usize>(&mut self, nodes: [usize; N], local: &Local<N>) {
        for (node, residual) in nodes.iter().zip(&local.residual) {
            self.add_residual(*node, residual);
        }
        if !A::TAKES {
            return;
        }
        let (mass, tangents) = (local.mass.as_ref(), local.tangents.as_ref());
        for (i, row) in nodes.iter().enumerate() {
            for (j, column) in nodes.iter().enumerate() {
                let [k, g] = [tangents.map(|t| &t.stiffness[i][j]), tangents.map(|t| &t.damping[i][j])];
                let m = mass.map(|mass| &mass[i][j]);
                if row != column {
                    self.add_cross([*row, *column], k, g, m);
                } else if *row < self.nodes() {
                    // Two places may be on one node.
                    k.into_iter().for_each(|k| self.add_stiffness(*row, k));
                    g.into_iter().for_each(|g| self.add_damping(*row, g));
                    m.into_iter().for_each(|m| self.add_mass(*row, m));
                }
            }
        }
    }

    /// Adds the blocks of K, G and M with respect to the motion of another body; None where they
    /// are zero. Without any it reserves the entries of the matrix.
    pub fn add_cross(&mut self, [row, column]: [usize; 2], k: Option<&Mat6>, g: Option<&Mat6>, m: Option<&Mat6>) {
        if !self.couples(row, column) {
            return;
        }
        let (c, turning) = (self.coefficients, self.turning(column));
        let mut block = Mat6::zeros();
        if let Some(k) = k {
            block += times_tangent(k, &self.motions[column].tangent) * c.stiffness;
        }
        if let Some(g) = g {
            block += turning::over_increments(g, turning.map(Turning::velocity)) * c.damping;
        }
        if let Some(m) = m {
            block += turning::over_increments(m, turning.map(Turning::acceleration)) * c.mass;
        }
        self.add_block([row, column], &block);
    }

    /// Adds a coupling of the rotations of two different bodies to K.
    #[inline(always)]
    pub fn add_rotational_coupling(&mut self, row: usize, column: usize, k: &Mat3) {
        if self.couples(row, column) {
            let k = k * self.motions[column].tangent * self.coefficients.stiffness;
            self.add_turns([row, column], &k);
        }
    }

    /// Adds one constraint of bodies: its residual, gradient and multiplier. `index` is None for a
    /// redundant row, which is left out.
    #[inline(always)]
    pub fn add_constraint(&mut self, index: Option<usize>, ends: [usize; 2], row: &Row, residual: f64, lambda: &[f64]) {
        let Some(index) = index else { return };
        let equation = self.layout.multiplier(index);
        self.residual[equation] += residual;
        for (body, gradient) in ends.iter().zip([&row.a, &row.b]) {
            if self.layout.turns(*body) {
                self.add_residual(*body, &(gradient * lambda[index]));
                if !A::TAKES || !self.free[*body] {
                    continue;
                }
                let unknown = self.layout.unknown(*body);
                self.matrix.add(unknown, equation, &gradient.data.0);
                let rotational = self.motions[*body].tangent.tr_mul(&lower(gradient));
                let transposed = join(&upper(gradient), &rotational);
                self.matrix.add(equation, unknown, &transposed.data.0[0].map(|x| [x]));
            }
        }
    }

    /// Adds one constraint on velocities at the end of a step, `B v/gamma' = 0`: B and its
    /// derivative `v^T dB/dq` are given, `velocity` is B v. The gradient with respect to increments
    /// is that of B v, divided by gamma'. Outside of a step B alone holds the bodies.
    #[inline(never)]
    pub fn add_slip(&mut self, index: usize, ends: [usize; 2], rows: [&Row; 2], velocity: f64, lambda: &[f64]) {
        let ([row, by_position], c) = (rows, self.coefficients);
        if c.damping == 0.0 || c.stiffness == 0.0 {
            return self.add_constraint(Some(index), ends, row, 0.0, lambda);
        }
        let share = c.stiffness / c.damping;
        let equation = self.layout.multiplier(index);
        self.residual[equation] += velocity * share;
        let layout = self.layout;
        let parts = ends.into_iter().zip([(&row.a, &by_position.a), (&row.b, &by_position.b)]);
        for (body, (gradient, by_position)) in parts.filter(|(body, _)| layout.turns(*body)) {
            let by_position = by_position * share;
            self.add_residual(body, &(gradient * lambda[index]));
            if A::TAKES && self.free[body] {
                let unknown = self.layout.unknown(body);
                self.matrix.add(unknown, equation, &gradient.data.0);
                let by_rate = self.turning(body).map_or(lower(gradient), |t| t.velocity().tr_mul(&lower(gradient)));
                let turned = self.motions[body].tangent.tr_mul(&lower(&by_position)) + by_rate;
                let transposed = join(&(upper(gradient) + upper(&by_position)), &turned);
                self.matrix.add(equation, unknown, &transposed.data.0[0].map(|x| [x]));
            }
        }
    }

    /// Adds one constraint of the rotations of two bodies, with opposite gradients: `gradient` is
    /// that of the first.
    #[inline(always)]
    pub fn add_turning_constraint(
        &mut self,
        index: usize,
        ends: [usize; 2],
        gradient: &Vec3,
        residual: f64,
        lambda: f64,
    ) {
        let equation = self.layout.multiplier(index);
        self.residual[equation] += residual;
        for (body, gradient) in ends.into_iter().zip([*gradient, -gradient]) {
            if !self.layout.turns(body) {
                continue;
            }
            let unknown = self.layout.unknown(body);
            for (sum, x) in self.residual[unknown + 3..unknown + 6].iter_mut().zip(gradient.iter()) {
                *sum += x * lambda;
            }
            if A::TAKES && self.free[body] {
                let [x, y, z] = gradient.into();
                self.matrix.add(unknown, equation, &[[0.0, 0.0, 0.0, x, y, z]]);
                let [x, y, z] = self.motions[body].tangent.tr_mul(&gradient).into();
                self.matrix.add(equation, unknown, &[0.0, 0.0, 0.0, x, y, z].map(|x| [x]));
            }
        }
    }

    /// Adds the three constraints from `first` on of coincident points of two bodies: residual,
    /// gradient `[+-I, -+~s]`, s the arms of the points, and multipliers.
    #[inline(always)]
    pub fn add_coincidence(&mut self, first: usize, ends: [usize; 2], arms: [&Vec3; 2], gap: &Vec3, lambda: &Vec3) {
        let equation = self.layout.multiplier(first);
        for (sum, x) in self.residual[equation..equation + 3].iter_mut().zip(gap.iter()) {
            *sum += x;
        }
        for ((body, arm), sign) in ends.into_iter().zip(arms).zip([-1.0, 1.0]) {
            if !self.layout.turns(body) {
                continue;
            }
            let force = lambda * sign;
            self.add_residual(body, &join(&force, &arm.cross(&force)));
            if !A::TAKES || !self.free[body] {
                continue;
            }
            let unknown = self.layout.unknown(body);
            let s = arm * sign;
            let gradient =
                [[sign, 0.0, 0.0, 0.0, s.z, -s.y], [0.0, sign, 0.0, -s.z, 0.0, s.x], [0.0, 0.0, sign, s.y, -s.x, 0.0]];
            self.matrix.add(unknown, equation, &gradient);
            // -~s T^T, by columns.
            let mut rows = [[0.0; 3]; 6];
            for (k, column) in self.motions[body].tangent.column_iter().enumerate() {
                rows[k][k] = sign;
                rows[3 + k] = column.cross(&s).into();
            }
            self.matrix.add(equation, unknown, &rows);
        }
    }

    /// Enters the tangents of a node into the matrix, once they are complete.
    #[inline(always)]
    pub(super) fn finish(&mut self, node: usize) {
        if !A::TAKES {
            return;
        }
        // Increments of imposed motions are zero.
        let t = &self.tangents[node];
        match self.free[node] {
            false => self.add_block([node, node], &Mat6::identity()),
            true => {
                let block = t.by_increments(self.coefficients.stiffness, &self.motions[node].tangent);
                self.add_block([node, node], &block);
            }
        }
    }
}
