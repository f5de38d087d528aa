//! Dense matrices of a state for analyses: M, G, K, B, and how the constraints' rates change.

use super::assembly::{Coefficients, Level, Workspace};
use super::{BodyState, Environment, Failure, Motion, System};
use crate::linear::Blocks;
use crate::model::Loads;
use crate::spatial::{Vec3, Vec6};
use nalgebra::DMatrix;

/// Tangents of the equations of motion `r = M vdot + g - f + B^T lambda`, 6 unknowns per body; rows and columns of
/// prescribed bodies are zero.
pub struct Tangents {
    /// M, added mass included.
    pub mass: DMatrix<f64>,
    /// G = dr/dv.
    pub damping: DMatrix<f64>,
    /// K + K_Phi = dr/d(u, theta), at fixed vdot and lambda.
    pub stiffness: DMatrix<f64>,
    /// B.
    pub jacobian: DMatrix<f64>,
}

/// Derivatives of the constraints' rates, one row per constraint, columns of prescribed bodies zero.
pub struct ConstraintChanges {
    /// `d(B v)/d(u, theta)`.
    pub rate_by_position: DMatrix<f64>,
    /// `d(B vdot + gamma)/d(u, theta)`.
    pub acceleration_by_position: DMatrix<f64>,
    /// `d gamma/dv`.
    pub acceleration_by_velocity: DMatrix<f64>,
}

impl System {
    /// The tangents at a state with its accelerations and multipliers; `workspace` is a dense one.
    pub fn tangents(
        &self,
        e: &Environment,
        bodies: &[BodyState],
        lambda: &[f64],
        workspace: &mut Workspace,
    ) -> Result<Tangents, Failure> {
        self.move_to(bodies, workspace);
        let (n, dofs) = (self.dofs() + self.multipliers(), self.dofs());
        let mut part = |mass: f64, damping: f64, stiffness: f64| {
            let coefficients = Coefficients { mass, damping, stiffness };
            self.assemble(e, Level::Acceleration, coefficients, lambda, workspace)?;
            let mut block = match workspace.matrix.dense_entries() {
                Some(entries) => DMatrix::from_column_slice(n, n, entries).resize(dofs, dofs, 0.0),
                None => DMatrix::zeros(dofs, dofs),
            };
            for (body, _) in self.free.iter().enumerate().filter(|(_, free)| !**free) {
                block.view_mut((6 * body, 6 * body), (6, 6)).fill(0.0);
            }
            Ok::<_, Failure>(block)
        };
        Ok(Tangents {
            mass: part(1.0, 0.0, 0.0)?,
            damping: part(0.0, 1.0, 0.0)?,
            stiffness: part(0.0, 0.0, 1.0)?,
            jacobian: self.jacobian(bodies, e.loads, false),
        })
    }

    /// M, G, K + K_Phi of the free bodies at a state, as the blocks that are there; time and memory in proportion to the
    /// model.
    pub fn tangent_blocks(
        &self,
        e: &Environment,
        bodies: &[BodyState],
        lambda: &[f64],
        workspace: &mut Workspace,
    ) -> Result<[Blocks; 3], Failure> {
        self.move_to(bodies, workspace);
        let mut part = |mass: f64, damping: f64, stiffness: f64| {
            let coefficients = Coefficients { mass, damping, stiffness };
            let mut blocks = Blocks::new(self.bodies());
            self.assemble_into(e, Level::Acceleration, coefficients, lambda, workspace, &mut blocks)?;
            blocks.retain_nodes(|body| self.free[body]);
            Ok::<_, Failure>(blocks)
        };
        Ok([part(1.0, 0.0, 0.0)?, part(0.0, 1.0, 0.0)?, part(0.0, 0.0, 1.0)?])
    }

    /// B at the positions of `bodies`: one row per independent constraint. Columns of prescribed bodies are zero unless
    /// `all` are wanted.
    pub fn jacobian(&self, bodies: &[BodyState], loads: &Loads, all: bool) -> DMatrix<f64> {
        let mut jacobian = DMatrix::zeros(self.multipliers(), self.dofs());
        self.for_each_rate(&self.motions(bodies), loads, |k, ends, row, _, _| {
            for (body, gradient) in ends.into_iter().zip([&row.a, &row.b]) {
                if body < self.bodies() && (all || self.free[body]) {
                    for i in 0..6 {
                        jacobian[(k, 6 * body + i)] += gradient[i];
                    }
                }
            }
        });
        jacobian
    }

    /// How the constraints' rates change with the state.
    pub fn constraint_changes(&self, bodies: &[BodyState]) -> ConstraintChanges {
        let zeros = || DMatrix::zeros(self.multipliers(), self.dofs());
        let (mut v_q, mut a_q, mut a_v) = (zeros(), zeros(), zeros());
        let motions = self.motions(bodies);
        for joint in &self.joints {
            let ends = joint.ends.map(|end| &motions[end]);
            for (varied, body) in joint.ends.into_iter().enumerate() {
                if body == self.bodies() || !self.free[body] {
                    continue;
                }
                for k in 0..6 {
                    let column = 6 * body + k;
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
        ConstraintChanges { rate_by_position: v_q, acceleration_by_position: a_q, acceleration_by_velocity: a_v }
    }

    /// Motions of all bodies, the ground at the end.
    fn motions(&self, bodies: &[BodyState]) -> Vec<Motion> {
        bodies.iter().map(Motion::of).chain([Motion::ground()]).collect()
    }

    /// The body of a marker, and the arm from the body's reference point to it, inertial axes.
    pub fn marker_arm(&self, marker: usize, bodies: &[BodyState]) -> (usize, Vec3) {
        let (body, frame) = &self.markers[marker];
        (*body, Motion::of(&bodies[*body]).arm(&frame.position))
    }
}
