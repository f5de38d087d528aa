//! Derivatives of motions at the end of an implicit step with respect to loads there: the interface
//! Jacobian of a partitioned coupling.
//!
//! A change dW of the wrenches at the end of the step changes the increments of the iteration by
//!
//! ```text
//! [beta' M + gamma' G + (K + K_Phi) T^T, B^T; B T^T, 0] (dx, dlambda) = (dW, 0),
//! ```
//!
//! and thereby velocities by gamma' dx, accelerations by beta' dx, displacements by (du, T^T dpsi);
//! with `momentum-alpha` angular rates change by additional matrices. With this Jacobian a host
//! corrects loads by a Newton step of its own where a fixed-point iteration diverges (added mass
//! larger than the body's mass: Causin, Gerbeau, Nobile 2005, Comput. Methods Appl. Mech. Eng. 194,
//! 4506).

use super::linearization::{LoadPoint, Site, add_unit_loads, point_motions, width};
use crate::model::LineLength;
use crate::spatial::{Mat3, Vec6};
use crate::system::{Coefficients, Environment, Failure, Level, Memory, State, Turning, Workspace};
use nalgebra::DMatrix;

/// Displacements of central differences, in lengths of the model: their truncation is a part of
/// 1e-10, their rounding of 1e-11.
const DIFFERENCE: f64 = 1e-5;

/// The end of the step.
pub struct End<'a> {
    /// The state there, accelerations included.
    pub site: Site<'a>,
    /// The start of the step, with the unstretched lengths of lines and the memories of elements
    /// there, where the environment has the step's energy form.
    pub from: (&'a State, &'a [LineLength], &'a [Memory]),
    /// Multipliers at the end.
    pub lambda: &'a [f64],
    /// T^T of each body's increment over the step.
    pub tangents: &'a [Mat3],
    /// Derivatives of each body's angular rates; empty if gamma' and beta' suffice.
    pub turnings: &'a [Turning],
    /// gamma': change of velocities per increment.
    pub velocity: f64,
    /// beta': change of accelerations per increment.
    pub acceleration: f64,
}

/// `d(acceleration, velocity, displacement)/d(load)` of points, in I: of reference points and
/// markers 6 rows and columns each, of coordinates of joints one.
pub fn compliance(end: &End, points: &[LoadPoint]) -> Result<[DMatrix<f64>; 3], Failure> {
    let Site { system, environment, state } = &end.site;
    let dofs = system.dofs();
    let size = width(points);
    let mut workspace = Workspace::new(system);
    if environment.form.is_some() {
        let (from, lengths, memories) = end.from;
        system.elements().forms().begin(from, lengths, &mut workspace);
        workspace.energy.memories.copy_from_slice(memories);
        system.elements().forms().scale_memories(&mut workspace);
    }
    system.move_to(state, &mut workspace);
    for (motion, tangent) in workspace.motions.iter_mut().zip(end.tangents) {
        motion.tangent = *tangent;
    }
    workspace.turnings = end.turnings.to_vec();
    let scale = 1.0 / (end.acceleration * system.scales().mass);
    let coefficients = Coefficients { mass: scale * end.acceleration, damping: scale * end.velocity, stiffness: scale };
    system.assemble(environment, Level::Position, coefficients, end.lambda, &mut workspace)?;
    workspace.matrix.factorize().map_err(|s| Failure::Singular { unknown: s.column })?;

    let mut forces = DMatrix::zeros(dofs, size);
    add_unit_loads(system, &mut forces, 0, points, state);
    let mut increments = DMatrix::zeros(dofs, size);
    for column in 0..size {
        workspace.solution.fill(0.0);
        for (x, force) in workspace.solution.iter_mut().zip(forces.column(column).iter()) {
            *x = scale * force;
        }
        workspace.matrix.solve(&mut workspace.solution);
        increments.column_mut(column).copy_from_slice(&workspace.solution[..dofs]);
    }
    if let Some(place) = increments.iter().position(|x| !x.is_finite()) {
        return Err(Failure::NotFinite { unknown: place % dofs, iterations: 0 });
    }
    let [mut displacement, mut velocity, mut acceleration] =
        [1.0, end.velocity, end.acceleration].map(|factor| &increments * factor);
    for (body, tangent) in end.tangents.iter().enumerate() {
        let row = system.layout().unknown(body) + 3;
        let turn = |columns: &mut DMatrix<f64>, by: &Mat3| {
            for column in 0..size {
                let psi = columns.fixed_view::<3, 1>(row, column).into_owned();
                columns.fixed_view_mut::<3, 1>(row, column).copy_from(&(by * psi));
            }
        };
        turn(&mut displacement, tangent);
        if let Some(turning) = end.turnings.get(body) {
            turn(&mut velocity, &turning.velocity());
            turn(&mut acceleration, &turning.acceleration());
        }
    }
    if environment.form.is_some() {
        acceleration = accelerations_by_laws(end, &forces, &displacement, &velocity, &mut workspace)?;
    }
    let mut parts = [0; 3].map(|_| DMatrix::zeros(size, size));
    let mut first = 0;
    for point in points {
        match point {
            LoadPoint::Joint(coordinate) => {
                for column in 0..size {
                    let of =
                        |m: &DMatrix<f64>, first: usize| -> Vec6 { m.fixed_view::<6, 1>(first, column).into_owned() };
                    let place = |body| system.layout().unknown(body);
                    let change = |body| [&displacement, &velocity, &acceleration].map(|m| of(m, place(body)));
                    let changes = system.joints().coordinate_variation(*coordinate, state, change).unwrap_or_default();
                    for (part, change) in parts.iter_mut().zip(changes.into_iter().rev()) {
                        part[(first, column)] = change;
                    }
                }
            }
            _ => {
                let arms: Vec<_> = point.arm(system, state).into_iter().collect();
                let motion = point_motions(system, state, &arms, &[&displacement, &velocity, &acceleration]);
                for (part, start) in parts.iter_mut().zip([12, 6, 0]) {
                    part.rows_mut(first, 6).copy_from(&motion.rows(start, 6));
                }
            }
        }
        first += point.width();
    }
    Ok(parts)
}

/// Changes of the accelerations that the host reads where elements are in energy form: with the
/// laws of these at the end of the step. The part of displacements and velocities is found by
/// central differences.
fn accelerations_by_laws(
    end: &End,
    forces: &DMatrix<f64>,
    displacement: &DMatrix<f64>,
    velocity: &DMatrix<f64>,
    workspace: &mut Workspace,
) -> Result<DMatrix<f64>, Failure> {
    let Site { system, environment, state } = &end.site;
    let laws = Environment { form: None, ..*environment };
    let mass = Coefficients { mass: 1.0 / system.scales().mass, damping: 0.0, stiffness: 0.0 };
    system.move_to(state, workspace);
    system.assemble(&laws, Level::Acceleration, mass, end.lambda, workspace)?;
    workspace.matrix.factorize().map_err(|s| Failure::Singular { unknown: s.column })?;
    let mut out = forces * mass.mass;
    for mut column in out.column_iter_mut() {
        workspace.solution.fill(0.0);
        workspace.solution[..column.len()].copy_from_slice(column.as_slice());
        workspace.matrix.solve(&mut workspace.solution);
        column.copy_from_slice(&workspace.solution[..column.len()]);
    }
    let mut moved = (*state).clone();
    for (k, mut column) in out.column_iter_mut().enumerate() {
        let (displacement, velocity) = (displacement.column(k), velocity.column(k));
        let length = DIFFERENCE * system.scales().length / displacement.amax();
        for step in if length.is_finite() { [length, -length] } else { continue } {
            system.retract(&state.q, (displacement * step).as_slice(), &mut moved.q);
            moved.v.iter_mut().zip(state.v.iter().zip(&velocity)).for_each(|(v, (from, rate))| *v = from + rate * step);
            system.kinetics().accelerations(&laws, &mut moved, workspace)?;
            column.iter_mut().zip(&moved.vdot).for_each(|(sum, vdot)| *sum += vdot / (2.0 * step));
        }
    }
    Ok(out)
}
