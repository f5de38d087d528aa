//! Matrices of a state for analyses: M, G, K, B, and the derivatives of the constraints' rates.

use super::assembly::Level;
use super::coefficients::Coefficients;
use super::views::{Constraints, Kinetics};
use super::workspace::Workspace;
use super::{Environment, Failure, Motion, State, System};
use crate::linear::{Blocks, Kkt};
use crate::model::Loads;
use crate::spatial::Vec6;
use nalgebra::DMatrix;

/// Derivatives of the constraints' rates, one row per constraint, columns of prescribed bodies
/// zero.
pub struct ConstraintChanges {
    /// `d(B v)/d(u, theta)`.
    pub rate_by_position: DMatrix<f64>,
    /// `d(B vdot + gamma)/d(u, theta)`.
    pub acceleration_by_position: DMatrix<f64>,
    /// `d gamma/dv`.
    pub acceleration_by_velocity: DMatrix<f64>,
}

impl Kinetics<'_> {
    /// M at a state, added mass included: 6 rows and columns per body, those of prescribed bodies
    /// zero.
    pub fn mass_matrix(
        self,
        e: &Environment,
        state: &State,
        workspace: &mut Workspace,
    ) -> Result<DMatrix<f64>, Failure> {
        let lambda = vec![0.0; self.0.multipliers()];
        let [blocks, ..] = self.tangent_blocks(e, state, &lambda, workspace)?;
        let mut mass = DMatrix::zeros(self.0.dofs(), self.0.dofs());
        for (row, column, block) in blocks.iter() {
            let (i, j) = (self.0.layout.velocities(row), self.0.layout.velocities(column));
            for (column, entries) in j.zip(block) {
                i.clone().zip(entries).for_each(|(row, x)| mass[(row, column)] = *x);
            }
        }
        Ok(mass)
    }

    /// M, G, K + K_Phi of the free bodies at a state, as sparse blocks; time and memory in
    /// proportion to the model.
    pub fn tangent_blocks(
        self,
        e: &Environment,
        state: &State,
        lambda: &[f64],
        workspace: &mut Workspace,
    ) -> Result<[Blocks; 3], Failure> {
        self.0.move_to(state, workspace);
        workspace.lines.all_terms = true;
        // A fresh matrix takes the entries. The iteration matrix keeps its graph, unless callbacks
        // or ends of lines that broke off changed it.
        self.0.callbacks().follow(e.callbacks, workspace);
        self.0.follow_releases(workspace);
        let fresh = Kkt::new(self.0.layout.widths(), self.0.multipliers());
        let kept = std::mem::replace(&mut workspace.matrix, fresh);
        let mut part = |mass: f64, damping: f64, stiffness: f64| {
            let coefficients = Coefficients { mass, damping, stiffness };
            self.0.assemble(e, Level::Acceleration, coefficients, lambda, workspace)?;
            let mut blocks = workspace.matrix.node_blocks();
            blocks.retain_nodes(|node| self.0.free[node]);
            Ok::<_, Failure>(blocks)
        };
        let parts = [part(1.0, 0.0, 0.0), part(0.0, 1.0, 0.0), part(0.0, 0.0, 1.0)];
        workspace.matrix = kept;
        workspace.lines.all_terms = false;
        let [mass, damping, stiffness] = parts;
        Ok([mass?, damping?, stiffness?])
    }
}

impl System {
    /// Motions of all bodies and points, the ground at the end.
    fn motions(&self, state: &State) -> Vec<Motion> {
        state.motions().map(|node| Motion::of(&node)).chain([Motion::ground()]).collect()
    }
}

impl Constraints<'_> {
    /// B at the positions of a state: one row per independent constraint. Columns of prescribed
    /// bodies are zero unless `all` are wanted.
    pub fn jacobian(self, state: &State, loads: &Loads, all: bool) -> DMatrix<f64> {
        let mut jacobian = DMatrix::zeros(self.0.multipliers(), self.0.dofs());
        self.for_each_rate(&self.0.motions(state), loads, |k, ends, row, _, _| {
            for (body, gradient) in ends.into_iter().zip([&row.a, &row.b]) {
                if body < self.0.bodies() && (all || self.0.free[body]) {
                    for (i, x) in self.0.layout.velocities(body).zip(gradient) {
                        jacobian[(k, i)] += x;
                    }
                }
            }
        });
        jacobian
    }

    /// Derivatives of the constraints' rates with respect to the state.
    pub fn changes(self, state: &State) -> ConstraintChanges {
        let zeros = || DMatrix::zeros(self.0.multipliers(), self.0.dofs());
        let (mut v_q, mut a_q, mut a_v) = (zeros(), zeros(), zeros());
        let motions = self.0.motions(state);
        for joint in &self.0.joints {
            let ends = joint.ends().map(|end| &motions[end]);
            for (varied, body) in joint.ends().into_iter().enumerate() {
                if body >= self.0.bodies() || !self.0.free[body] {
                    continue;
                }
                for k in 0..6 {
                    let column = self.0.layout.unknown(body) + k;
                    let mut unit = Vec6::zeros();
                    unit[k] = 1.0;
                    joint.for_each_change(ends, varied, &unit, &Vec6::zeros(), |index, rate, acceleration| {
                        v_q[(index, column)] += rate;
                        a_q[(index, column)] += acceleration;
                    });
                    joint.for_each_change(ends, varied, &Vec6::zeros(), &unit, |index, _, acceleration| {
                        a_v[(index, column)] += acceleration;
                    });
                }
            }
        }
        for body in (0..self.0.bodies()).filter(|body| self.0.free[*body] && self.0.is_geared(*body)) {
            for k in 0..6 {
                let column = self.0.layout.unknown(body) + k;
                let (mut unit, still) = (Vec6::zeros(), Vec6::zeros());
                unit[k] = 1.0;
                self.0.for_each_gear_change(&motions, body, &unit, &still, |index, rate, acceleration| {
                    v_q[(index, column)] += rate;
                    a_q[(index, column)] += acceleration;
                });
                self.0.for_each_gear_change(&motions, body, &still, &unit, |index, _, acceleration| {
                    a_v[(index, column)] += acceleration;
                });
            }
        }
        ConstraintChanges { rate_by_position: v_q, acceleration_by_position: a_q, acceleration_by_velocity: a_v }
    }
}
