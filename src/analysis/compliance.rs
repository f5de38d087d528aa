//! How motions at the end of an implicit step answer to loads there: the interface Jacobian of a partitioned coupling.
//!
//! A change dW of the wrenches at the end of the step changes the increments of the iteration by
//!
//! ```text
//! [beta' M + gamma' G + (K + K_Phi) T^T, B^T; B T^T, 0] (dx, dlambda) = (dW, 0),
//! ```
//!
//! and with them velocities by gamma' dx, accelerations by beta' dx, displacements by (du, T^T dpsi). With it a host
//! corrects loads by a Newton step of its own where a fixed-point iteration diverges (added mass larger than the body's:
//! Causin, Gerbeau, Nobile 2005, Comput. Methods Appl. Mech. Eng. 194, 4506).

use super::linearization::{MARKER_OUTPUTS, Site, add_wrenches, marker_motions};
use crate::spatial::Mat3;
use crate::system::{Coefficients, Failure, Level, Workspace};
use nalgebra::DMatrix;

/// The end of the step.
pub struct End<'a> {
    /// The state there, accelerations included.
    pub site: Site<'a>,
    /// Multipliers there.
    pub lambda: &'a [f64],
    /// T^T of each body's increment over the step.
    pub tangents: &'a [Mat3],
    /// gamma': change of velocities per increment.
    pub velocity: f64,
    /// beta': change of accelerations per increment.
    pub acceleration: f64,
}

/// `d(acceleration, velocity, displacement)/d(wrench)` of markers, each 6k x 6k, column-major, in I.
pub fn compliance(end: &End, markers: &[usize]) -> Result<[DMatrix<f64>; 3], Failure> {
    let Site { system, environment, state } = &end.site;
    let dofs = system.dofs();
    let size = 6 * markers.len();
    let mut workspace = Workspace::new(system);
    system.move_to(state, &mut workspace);
    for (motion, tangent) in workspace.motions.iter_mut().zip(end.tangents) {
        motion.tangent = *tangent;
    }
    let scale = 1.0 / (end.acceleration * system.scales().mass);
    let coefficients = Coefficients { mass: scale * end.acceleration, damping: scale * end.velocity, stiffness: scale };
    system.assemble(environment, Level::Position, coefficients, end.lambda, &mut workspace)?;
    workspace.matrix.factorize().map_err(|s| Failure::Singular { unknown: s.column })?;

    let mut forces = DMatrix::zeros(dofs, size);
    for (k, marker) in markers.iter().enumerate() {
        let (body, arm) = system.marker_arm(*marker, state);
        add_wrenches(system, &mut forces, 6 * k, body, &arm);
    }
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
    let mut displacement = increments.clone();
    for (body, tangent) in end.tangents.iter().enumerate() {
        for column in 0..size {
            let row = system.layout().unknown(body) + 3;
            let psi = increments.fixed_view::<3, 1>(row, column).into_owned();
            displacement.fixed_view_mut::<3, 1>(row, column).copy_from(&(tangent * psi));
        }
    }
    let (velocity, acceleration) = (&increments * end.velocity, &increments * end.acceleration);
    let motion = marker_motions(system, state, markers, &[&displacement, &velocity, &acceleration]);
    let part = |first: usize| {
        DMatrix::from_fn(size, size, |row, column| motion[(MARKER_OUTPUTS * (row / 6) + first + row % 6, column)])
    };
    Ok([part(12), part(6), part(0)])
}
