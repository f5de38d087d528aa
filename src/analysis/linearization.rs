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
use crate::system::{BodyState, Environment, Failure, JointCoordinate, System, Workspace};
use nalgebra::{DMatrix, Dyn, LU};

/// Rows of the output of one marker: displacement and rotation, velocity, acceleration.
pub const MARKER_OUTPUTS: usize = 18;

/// A state to look at, with what acts there; accelerations and multipliers need not belong to it.
pub struct Site<'a> {
    /// The assembled model.
    pub system: &'a System,
    /// What acts.
    pub environment: Environment<'a>,
    /// The state.
    pub bodies: &'a [BodyState],
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
    pub fn arm(&self, system: &System, bodies: &[BodyState]) -> Option<(usize, Vec3)> {
        match self {
            LoadPoint::Body(body) => Some((*body, system.reference_arm(*body, bodies))),
            LoadPoint::Marker(marker) => Some(system.marker_arm(*marker, bodies)),
            LoadPoint::Joint(_) => None,
        }
    }
}

/// A linearised system, loads as inputs.
pub struct Linearization {
    /// The coordinates.
    pub coordinates: Coordinates,
    /// The state with its consistent accelerations.
    pub bodies: Vec<BodyState>,
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
    let (dofs, m) = (system.dofs(), system.multipliers());
    let mut bodies = site.bodies.to_vec();
    let mut lambda = vec![0.0; m];
    let mut workspace = Workspace::dense(system.bodies(), m);
    system.accelerations(environment, &mut bodies, &mut lambda, &mut workspace)?;
    let tangents = system.tangents(environment, &bodies, &lambda, &mut workspace)?;
    let changes = system.constraint_changes(&bodies);
    let coordinates = Coordinates::new(system, &tangents.jacobian)?;
    let n = &coordinates.basis;
    let f = n.ncols();
    let z = coordinates.completion(&(&changes.rate_by_position * n))?;
    let matrix = saddle_point(system, &tangents.mass, &tangents.jacobian);

    // delta q and delta v by columns: first xi, then eta, then nothing for the inputs
    let count = width(inputs);
    let mut position = DMatrix::zeros(dofs, 2 * f + count);
    let mut velocity = position.clone();
    position.columns_mut(0, f).copy_from(n);
    velocity.columns_mut(0, f).copy_from(&z);
    velocity.columns_mut(f, f).copy_from(n);
    let mut forces = -(&tangents.stiffness * &position + &tangents.damping * &velocity);
    add_unit_loads(system, &mut forces, 2 * f, inputs, &bodies);
    let constraints = -(&changes.acceleration_by_position * &position + &changes.acceleration_by_velocity * &velocity);
    let acceleration = solve(&matrix, &forces, &(constraints * system.scales().mass))?;

    let mut turned = DMatrix::zeros(dofs, 2 * f);
    for (body, state) in bodies.iter().enumerate() {
        for column in 0..f {
            let theta = position.fixed_view::<3, 1>(6 * body + 3, column).into_owned();
            turned.fixed_view_mut::<3, 1>(6 * body + 3, column).copy_from(&lower(&state.v).cross(&theta));
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

    let sensors: Vec<_> = outputs.iter().map(|marker| system.marker_arm(*marker, &bodies)).collect();
    let motion = point_motions(&bodies, &sensors, &[&position, &velocity, &acceleration]);
    let c = motion.columns(0, 2 * f).into_owned();
    let d = motion.columns(2 * f, count).into_owned();
    Ok(Linearization { coordinates, bodies, a, b, c, d })
}

/// `[M B^T; B 0]`, with the identity for prescribed bodies.
fn saddle_point(system: &System, mass: &DMatrix<f64>, jacobian: &DMatrix<f64>) -> LU<f64, Dyn, Dyn> {
    let (dofs, m) = (system.dofs(), system.multipliers());
    // Multipliers in units of the largest mass, so that pivots of masses and of constraints compare.
    let scale = system.scales().mass;
    let mut matrix = DMatrix::zeros(dofs + m, dofs + m);
    matrix.view_mut((0, 0), (dofs, dofs)).copy_from(mass);
    matrix.view_mut((dofs, 0), (m, dofs)).copy_from(&(jacobian * scale));
    matrix.view_mut((0, dofs), (dofs, m)).copy_from(&(jacobian.transpose() * scale));
    for i in (0..dofs).filter(|i| !system.is_free(i / 6)) {
        matrix[(i, i)] = scale;
    }
    matrix.lu()
}

/// The first block of the solution.
fn solve(
    matrix: &LU<f64, Dyn, Dyn>,
    forces: &DMatrix<f64>,
    constraints: &DMatrix<f64>,
) -> Result<DMatrix<f64>, Failure> {
    let (dofs, m) = (forces.nrows(), constraints.nrows());
    let mut right = forces.clone().resize_vertically(dofs + m, 0.0);
    right.rows_mut(dofs, m).copy_from(constraints);
    let solution = matrix.solve(&right).ok_or(Failure::Singular { unknown: None })?;
    match solution.iter().position(|x| !x.is_finite()) {
        Some(place) => Err(Failure::NotFinite { unknown: place % (dofs + m), iterations: 0 }),
        None => Ok(solution.rows(0, dofs).into_owned()),
    }
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
    bodies: &[BodyState],
) {
    for point in points {
        if let Some((body, arm)) = point.arm(system, bodies) {
            add_wrenches(system, forces, column, body, &arm);
        }
        if let LoadPoint::Joint(coordinate) = point {
            for (body, gradient) in system.coordinate_gradient(*coordinate, bodies).into_iter().flatten() {
                if body < system.bodies() && system.is_free(body) {
                    (0..6).for_each(|i| forces[(6 * body + i, column)] += gradient[i]);
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
    for k in 0..3 {
        let mut unit = Vec3::zeros();
        unit[k] = 1.0;
        forces[(6 * body + k, column + k)] += 1.0;
        forces[(6 * body + 3 + k, column + 3 + k)] += 1.0;
        let moment = arm.cross(&unit);
        for i in 0..3 {
            forces[(6 * body + 3 + i, column + k)] += moment[i];
        }
    }
}

/// How points of bodies, each at an arm in inertial axes, move where bodies are changed by `[delta q, delta v, delta vdot]`: 18
/// rows per point.
pub fn point_motions(
    bodies: &[BodyState],
    points: &[(usize, Vec3)],
    [position, velocity, acceleration]: &[&DMatrix<f64>; 3],
) -> DMatrix<f64> {
    let columns = position.ncols();
    let mut motion = DMatrix::zeros(MARKER_OUTPUTS * points.len(), columns);
    for (k, (body, arm)) in points.iter().enumerate() {
        let (body, (omega, omegadot)) = (*body, (lower(&bodies[*body].v), lower(&bodies[*body].vdot)));
        let rate = omega.cross(arm);
        for column in 0..columns {
            let of = |m: &DMatrix<f64>| {
                let six = m.fixed_view::<6, 1>(6 * body, column).into_owned();
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
pub fn accelerations(site: &Site, workspace: &mut Workspace) -> Result<Vec<BodyState>, Failure> {
    let system = site.system;
    let mut bodies = site.bodies.to_vec();
    let mut lambda = vec![0.0; system.multipliers()];
    system.accelerations(&site.environment, &mut bodies, &mut lambda, workspace)?;
    Ok(bodies)
}
