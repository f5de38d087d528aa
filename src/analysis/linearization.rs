//! Linearisation about a state, constraints eliminated: `xdot = A x + B u`, `y = C x + D u` for deviations x, u, y.
//!
//! x = (xi, eta): xi the minimal coordinates of `coordinates.rs`, eta the change of the same components of the velocity.
//! With v changed so that the constraints' rates stay,
//!
//! ```text
//! delta q = N xi,   delta v = N eta + Z xi,   B Z = -d(B v)/dq N,   Z zero in the independent components,
//! ```
//!
//! and accelerations from the linearised equations of motion and constraints,
//!
//! ```text
//! [M B^T; B 0] (delta vdot, delta lambda)
//!     = (-(K + K_Phi) delta q - G delta v + delta f, -d(B vdot + gamma)/dq delta q - dgamma/dv delta v).
//! ```
//!
//! delta vdot of the independent components is the second half of A. The first is `dxi/dt = eta + (omega x theta)_i`:
//! the deviation is that from the motion through the state, `R = exp(~theta) R0(t)`, so that `delta omega =
//! dtheta/dt - omega x theta`. The components chosen are fixed, and so A is exact at every instant of a motion, not only
//! at rest; its eigenvalues are modes where it does not change with time (equilibria, steady spin).

use super::coordinates::Coordinates;
use crate::spatial::{Vec3, lower, upper};
use crate::system::{Coefficients, Environment, Failure, JointCoordinate, Level, State, System, Workspace};
use nalgebra::DMatrix;

/// Rows of the output of one marker: displacement and rotation, velocity, acceleration.
pub const MARKER_OUTPUTS: usize = 18;

/// A state to look at, with what acts there; accelerations and multipliers need not belong to it.
pub struct Site<'a> {
    /// The assembled model.
    pub system: &'a System,
    /// What acts.
    pub environment: Environment<'a>,
    /// The state.
    pub state: &'a State,
}

/// Where a load acts: a wrench on a body's reference point or a marker, by index, or a generalized force on a coordinate of
/// a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoadPoint {
    /// Reference point of a body.
    Body(usize),
    /// Marker.
    Marker(usize),
    /// Coordinate, or slide, of a joint that has it.
    Joint(JointCoordinate),
}

impl LoadPoint {
    /// How many numbers the load has.
    pub fn width(&self) -> usize {
        match self {
            LoadPoint::Body(_) | LoadPoint::Marker(_) => 6,
            LoadPoint::Joint(_) => 1,
        }
    }

    /// The body that a wrench acts on, and the arm to where it acts, inertial axes. None for loads on joints.
    pub fn arm(&self, system: &System, state: &State) -> Option<(usize, Vec3)> {
        match self {
            LoadPoint::Body(body) => Some((*body, system.arm_to_reference(*body, state))),
            LoadPoint::Marker(marker) => Some(system.marker_arm(*marker, state)),
            LoadPoint::Joint(_) => None,
        }
    }
}

/// A linearised system, loads as inputs.
pub struct Linearization {
    /// The coordinates.
    pub coordinates: Coordinates,
    /// The state with its consistent accelerations.
    pub state: State,
    /// A, 2f x 2f.
    pub a: DMatrix<f64>,
    /// B, 2f x inputs.
    pub b: DMatrix<f64>,
    /// C, outputs x 2f.
    pub c: DMatrix<f64>,
    /// D, outputs x inputs.
    pub d: DMatrix<f64>,
}

/// Linearises about a state; inputs are wrenches in I and generalized forces on joints, outputs the motions of markers in I.
pub fn linearize(site: &Site, inputs: &[LoadPoint], outputs: &[usize]) -> Result<Linearization, Failure> {
    let Site { system, environment, .. } = site;
    let (dofs, m, layout) = (system.dofs(), system.multipliers(), system.layout());
    let mut state = site.state.clone();
    let mut workspace = Workspace::new(system);
    system.accelerations(environment, &mut state, &mut workspace)?;
    let [_, damping, stiffness] = system.tangent_blocks(environment, &state, &state.lambda, &mut workspace)?;
    let changes = system.constraint_changes(&state);
    let coordinates = Coordinates::new(system, &system.jacobian(&state, environment.loads, false))?;
    let n = &coordinates.basis;
    let f = n.ncols();
    let mut rates = DMatrix::zeros(m, f);
    subtract_product(&changes.rate_by_position, n, &mut rates);
    let z = coordinates.completion(&-rates)?;

    // delta q and delta v by columns: first xi, then eta, then nothing for the inputs
    let count = width(inputs);
    let mut position = DMatrix::zeros(dofs, 2 * f + count);
    let mut velocity = position.clone();
    position.columns_mut(0, f).copy_from(n);
    velocity.columns_mut(0, f).copy_from(&z);
    velocity.columns_mut(f, f).copy_from(n);
    let mut forces = DMatrix::zeros(dofs, position.ncols());
    let mut product = vec![0.0; dofs];
    for (tangent, change) in [(&stiffness, &position), (&damping, &velocity)] {
        for column in 0..2 * f {
            tangent.multiply(change.column(column).as_slice(), &mut product);
            forces.column_mut(column).iter_mut().zip(&product).for_each(|(force, x)| *force -= x);
        }
    }
    add_unit_loads(system, &mut forces, 2 * f, inputs, &state);
    let mut constraints = DMatrix::zeros(m, position.ncols());
    subtract_product(&changes.acceleration_by_position, &position, &mut constraints);
    subtract_product(&changes.acceleration_by_velocity, &velocity, &mut constraints);
    let scale = 1.0 / system.scales().mass;
    let coefficients = Coefficients { mass: scale, damping: 0.0, stiffness: 0.0 };
    system.assemble(environment, Level::Acceleration, coefficients, &state.lambda, &mut workspace)?;
    workspace.factorize(0)?;
    let acceleration = solve(&mut workspace, &(forces * scale), &constraints)?;

    let mut turned = DMatrix::zeros(dofs, 2 * f);
    for body in 0..layout.bodies() {
        let (omega, row) = (lower(&state.body(body).v), layout.unknown(body) + 3);
        for column in 0..f {
            let theta = position.fixed_view::<3, 1>(row, column).into_owned();
            turned.fixed_view_mut::<3, 1>(row, column).copy_from(&omega.cross(&theta));
        }
    }
    let mut a = DMatrix::zeros(2 * f, 2 * f);
    let mut b = DMatrix::zeros(2 * f, count);
    for (k, i) in coordinates.independent.iter().enumerate() {
        a.row_mut(k).copy_from(&turned.row(*i));
        a[(k, f + k)] += 1.0;
        a.row_mut(f + k).copy_from(&acceleration.row(*i).columns(0, 2 * f));
        b.row_mut(f + k).copy_from(&acceleration.row(*i).columns(2 * f, count));
    }

    let sensors: Vec<_> = outputs.iter().map(|marker| system.marker_arm(*marker, &state)).collect();
    let motion = point_motions(system, &state, &sensors, &[&position, &velocity, &acceleration]);
    let c = motion.columns(0, 2 * f).into_owned();
    let d = motion.columns(2 * f, count).into_owned();
    Ok(Linearization { coordinates, state, a, b, c, d })
}

/// `sum -= A x` for an A with few entries in each row.
fn subtract_product(a: &DMatrix<f64>, x: &DMatrix<f64>, sum: &mut DMatrix<f64>) {
    let rows = a.nrows();
    let entries: Vec<(usize, usize, f64)> = a
        .iter()
        .enumerate()
        .filter(|(_, entry)| **entry != 0.0)
        .map(|(place, entry)| (place % rows, place / rows, *entry))
        .collect();
    for (mut sum, x) in sum.column_iter_mut().zip(x.column_iter()) {
        entries.iter().for_each(|(row, column, entry)| sum[*row] -= entry * x[*column]);
    }
}

/// The first block of the solution of `[M B^T; B 0]`, which the workspace has factorised, for each column.
fn solve(
    workspace: &mut Workspace,
    forces: &DMatrix<f64>,
    constraints: &DMatrix<f64>,
) -> Result<DMatrix<f64>, Failure> {
    let dofs = forces.nrows();
    let mut found = DMatrix::zeros(dofs, forces.ncols());
    for (column, mut into) in found.column_iter_mut().enumerate() {
        let (upper, lower) = workspace.solution.split_at_mut(dofs);
        upper.copy_from_slice(forces.column(column).as_slice());
        lower.copy_from_slice(constraints.column(column).as_slice());
        workspace.matrix.solve(&mut workspace.solution);
        if let Some(unknown) = workspace.solution.iter().position(|x| !x.is_finite()) {
            return Err(Failure::NotFinite { unknown, iterations: 0 });
        }
        into.copy_from_slice(&workspace.solution[..dofs]);
    }
    Ok(found)
}

/// How many numbers the loads at all these points have.
pub fn width(points: &[LoadPoint]) -> usize {
    points.iter().map(LoadPoint::width).sum()
}

/// Adds, in a column for each, the effect of unit loads at points; what is imposed feels none.
pub fn add_unit_loads(
    system: &System,
    forces: &mut DMatrix<f64>,
    mut column: usize,
    points: &[LoadPoint],
    state: &State,
) {
    for point in points {
        if let Some((body, arm)) = point.arm(system, state) {
            add_wrenches(system, forces, column, body, &arm);
        }
        if let LoadPoint::Joint(coordinate) = point {
            for (body, gradient) in system.coordinate_gradient(*coordinate, state).into_iter().flatten() {
                if body < system.bodies() && system.is_free(body) {
                    let rows = system.layout().velocities(body);
                    rows.zip(gradient.iter()).for_each(|(row, b)| forces[(row, column)] += b);
                }
            }
        }
        column += point.width();
    }
}

/// Adds, in six columns, the effect of a unit wrench at `arm` from the reference point; prescribed bodies feel none.
fn add_wrenches(system: &System, forces: &mut DMatrix<f64>, column: usize, body: usize, arm: &Vec3) {
    if !system.is_free(body) {
        return;
    }
    let first = system.layout().unknown(body);
    for k in 0..3 {
        let mut unit = Vec3::zeros();
        unit[k] = 1.0;
        forces[(first + k, column + k)] += 1.0;
        forces[(first + 3 + k, column + 3 + k)] += 1.0;
        let moment = arm.cross(&unit);
        for i in 0..3 {
            forces[(first + 3 + i, column + k)] += moment[i];
        }
    }
}

/// How points of bodies, each at an arm in inertial axes, move where bodies are changed by `[delta q, delta v, delta vdot]`: 18
/// rows per point.
pub fn point_motions(
    system: &System,
    state: &State,
    points: &[(usize, Vec3)],
    [position, velocity, acceleration]: &[&DMatrix<f64>; 3],
) -> DMatrix<f64> {
    let columns = position.ncols();
    let mut motion = DMatrix::zeros(MARKER_OUTPUTS * points.len(), columns);
    for (k, (body, arm)) in points.iter().enumerate() {
        let (moving, first) = (state.body(*body), system.layout().unknown(*body));
        let (omega, omegadot) = (lower(&moving.v), lower(&moving.vdot));
        let rate = omega.cross(arm);
        for column in 0..columns {
            let of = |m: &DMatrix<f64>| {
                let six = m.fixed_view::<6, 1>(first, column).into_owned();
                (upper(&six), lower(&six))
            };
            let ((u, theta), (dv, domega), (da, domegadot)) = (of(position), of(velocity), of(acceleration));
            // ds = theta x s, dsdot, dsddot as for any vector of the body
            let ds = theta.cross(arm);
            let drate = domega.cross(arm) + omega.cross(&ds);
            let dsecond = domegadot.cross(arm) + omegadot.cross(&ds) + domega.cross(&rate) + omega.cross(&drate);
            let parts = [u + ds, theta, dv + drate, domega, da + dsecond, domegadot];
            for (part, values) in parts.iter().enumerate() {
                let row = MARKER_OUTPUTS * k + 3 * part;
                motion.fixed_view_mut::<3, 1>(row, column).copy_from(values);
            }
        }
    }
    motion
}

/// Accelerations at a state, prescribed bodies keeping theirs.
pub fn accelerations(site: &Site, workspace: &mut Workspace) -> Result<State, Failure> {
    let mut state = site.state.clone();
    site.system.accelerations(&site.environment, &mut state, workspace)?;
    Ok(state)
}
