//! Linearisation about a state, constraints eliminated: `xdot = A x + B u`, `y = C x + D u` for
//! deviations x, u, y.
//!
//! x = (xi, eta): xi the minimal coordinates of `coordinates.rs`, eta the change of the same
//! components of the velocity. With v changed so that the constraints' rates are unchanged,
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
//! delta vdot of the independent components is the second half of A. The first is
//! `dxi/dt = eta + (omega x theta)_i`: the deviation is that from the motion through the state,
//! `R = exp(~theta) R0(t)`, so that `delta omega = dtheta/dt - omega x theta`. The components
//! chosen are fixed, and so A is exact at every instant of a motion, not only at rest; its
//! eigenvalues are modes where it does not change with time (equilibria, steady spin). With an
//! angular velocity W of axes that turn (`turning`), deviations are those seen from these axes,
//! whose rates lack W x delta q and W x delta v.

use super::coordinates::Coordinates;
use crate::spatial::{Vec3, Vec6, lower, upper};
use crate::system::{Coefficients, Environment, Failure, JointCoordinate, Level, State, System, Workspace};
use nalgebra::DMatrix;

/// Rows of the output of one marker: displacement and rotation, velocity, acceleration.
pub const MARKER_OUTPUTS: usize = 18;

/// A state for analyses, with loads and surroundings; accelerations and multipliers need not belong
/// to it.
pub struct Site<'a> {
    /// The assembled model.
    pub system: &'a System,
    /// Loads and surroundings.
    pub environment: Environment<'a>,
    /// The state.
    pub state: &'a State,
}

/// The point of application of a load: a wrench on a body's reference point or a marker, by index,
/// or a generalized force on a coordinate of a joint.
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
    /// Number of components of the load.
    pub fn width(&self) -> usize {
        match self {
            LoadPoint::Body(_) | LoadPoint::Marker(_) => 6,
            LoadPoint::Joint(_) => 1,
        }
    }

    /// The body and the lever arm of a wrench, inertial axes. None for loads on joints.
    pub fn arm(&self, system: &System, state: &State) -> Option<(usize, Vec3)> {
        match self {
            LoadPoint::Body(body) => Some((*body, system.references().arm(*body, state))),
            LoadPoint::Marker(marker) => Some(system.markers().arm(*marker, state)),
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

/// Linearises about a state; inputs are wrenches in I and generalized forces on joints, outputs the
/// motions of markers in I. Deviations are seen from axes that turn with `spin`.
pub fn linearize(site: &Site, inputs: &[LoadPoint], outputs: &[usize], spin: &Vec3) -> Result<Linearization, Failure> {
    let Site { system, environment, .. } = site;
    if let Some(joint) = system.joints().rolling(site.state) {
        return Err(Failure::Rolls { joint });
    }
    let (dofs, m) = (system.dofs(), system.multipliers());
    let mut state = site.state.clone();
    let mut workspace = Workspace::new(system);
    system.kinetics().accelerations(environment, &mut state, &mut workspace)?;
    let [_, damping, stiffness] =
        system.kinetics().tangent_blocks(environment, &state, &state.lambda, &mut workspace)?;
    let changes = system.constraints().changes(&state);
    let [rate_by_position, acceleration_by_position, acceleration_by_velocity] =
        [&changes.rate_by_position, &changes.acceleration_by_position, &changes.acceleration_by_velocity].map(entries);
    let mut coordinates = Coordinates::new(system, &system.constraints().jacobian(&state, environment.loads, false))?;
    let (f, count) = (coordinates.independent.len(), width(inputs));
    let mut loads = DMatrix::zeros(dofs, count);
    add_unit_loads(system, &mut loads, 0, inputs, &state);
    let sensors: Vec<_> = outputs.iter().map(|marker| system.markers().arm(*marker, &state)).collect();

    let scale = 1.0 / system.scales().mass;
    let coefficients = Coefficients { mass: scale, damping: 0.0, stiffness: 0.0 };
    system.assemble(environment, Level::Acceleration, coefficients, &state.lambda, &mut workspace)?;
    workspace.factorize(0)?;

    let mut a = DMatrix::zeros(2 * f, 2 * f);
    let mut b = DMatrix::zeros(2 * f, count);
    let mut c = DMatrix::zeros(MARKER_OUTPUTS * outputs.len(), 2 * f);
    let mut d = DMatrix::zeros(MARKER_OUTPUTS * outputs.len(), count);
    let (mut position, mut velocity) = (vec![0.0; dofs], vec![0.0; dofs]);
    let (mut forces, mut rates) = (vec![0.0; dofs], vec![0.0; m]);
    // Variations by columns: of xi, then of eta, then of the inputs.
    for column in 0..2 * f + count {
        position.fill(0.0);
        velocity.fill(0.0);
        forces.fill(0.0);
        rates.fill(0.0);
        if column < f {
            position.copy_from_slice(coordinates.basis.column(column).as_slice());
            subtract_product(&rate_by_position, &position, &mut rates);
            coordinates.complete(&mut rates, &mut velocity);
            rates.fill(0.0);
        } else if column < 2 * f {
            velocity.copy_from_slice(coordinates.basis.column(column - f).as_slice());
        } else {
            forces.iter_mut().zip(loads.column(column - 2 * f).iter()).for_each(|(force, load)| *force = -load);
        }
        if column < 2 * f {
            stiffness.multiply_add(&position, &mut forces);
            damping.multiply_add(&velocity, &mut forces);
            subtract_product(&acceleration_by_position, &position, &mut rates);
            subtract_product(&acceleration_by_velocity, &velocity, &mut rates);
        }
        let (upper, constraints) = workspace.solution.split_at_mut(dofs);
        upper.iter_mut().zip(&forces).for_each(|(x, force)| *x = -force * scale);
        constraints.copy_from_slice(&rates);
        workspace.matrix.solve(&mut workspace.solution);
        if let Some(unknown) = workspace.solution.iter().position(|x| !x.is_finite()) {
            return Err(Failure::NotFinite { unknown, iterations: 0 });
        }
        let acceleration = &workspace.solution[..dofs];
        let (mut states, mut motion) = match column.checked_sub(2 * f) {
            None => (a.column_mut(column), c.column_mut(column)),
            Some(input) => (b.column_mut(input), d.column_mut(input)),
        };
        for (k, i) in coordinates.independent.iter().enumerate() {
            states[f + k] = acceleration[*i] - crossed(system, spin, &velocity, *i);
            if column < f {
                states[k] = turned(system, &state, &position, *i) - crossed(system, spin, &position, *i);
            }
        }
        if (f..2 * f).contains(&column) {
            states[column - f] += 1.0;
        }
        point_motion(system, &state, &sensors, [&position, &velocity, acceleration], motion.as_mut_slice());
    }
    Ok(Linearization { coordinates, state, a, b, c, d })
}

/// `omega x theta` for a rotation; zero for a translation.
fn turned(system: &System, state: &State, position: &[f64], unknown: usize) -> f64 {
    let layout = system.layout();
    if !layout.is_rotation(unknown) {
        return 0.0;
    }
    let (body, _) = layout.component(unknown);
    let rates = &state.v[layout.velocities(body)];
    crossed(system, &Vec3::from_column_slice(&rates[3..]), position, unknown)
}

/// The component of `spin x x` of an unknown, x the translation or rotation that it belongs to.
pub fn crossed(system: &System, spin: &Vec3, x: &[f64], unknown: usize) -> f64 {
    let (_, component) = system.layout().component(unknown);
    let (k, first) = (component % 3, unknown - component % 3);
    spin.cross(&Vec3::from_column_slice(&x[first..first + 3]))[k]
}

/// Entries that are not zero: row, column, value.
fn entries(a: &DMatrix<f64>) -> Vec<(usize, usize, f64)> {
    let rows = a.nrows();
    let filled = a.iter().enumerate().filter(|(_, entry)| **entry != 0.0);
    filled.map(|(place, entry)| (place % rows, place / rows, *entry)).collect()
}

/// `sum -= A x`.
fn subtract_product(a: &[(usize, usize, f64)], x: &[f64], sum: &mut [f64]) {
    a.iter().for_each(|(row, column, entry)| sum[*row] -= entry * x[*column]);
}

/// Number of components of the loads at all these points.
pub fn width(points: &[LoadPoint]) -> usize {
    points.iter().map(LoadPoint::width).sum()
}

/// Adds, in one column each, the effect of unit loads at points; they have no effect on imposed
/// motions.
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
            for (body, gradient) in system.joints().coordinate_gradient(*coordinate, state).into_iter().flatten() {
                if system.layout().turns(body) && system.nodes().is_free(body) {
                    let rows = system.layout().velocities(body);
                    rows.zip(gradient.iter()).for_each(|(row, b)| forces[(row, column)] += b);
                }
            }
        }
        column += point.width();
    }
}

/// Adds, in six columns, the effect of a unit wrench at `arm` from the reference point; none on
/// prescribed bodies.
fn add_wrenches(system: &System, forces: &mut DMatrix<f64>, column: usize, body: usize, arm: &Vec3) {
    if !system.nodes().is_free(body) {
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

/// Variations of the motions of points of bodies, each at an arm in inertial axes, with the
/// variations `[delta q, delta v, delta vdot]` of the bodies: 18 rows per point.
pub fn point_motions(
    system: &System,
    state: &State,
    points: &[(usize, Vec3)],
    changes: &[&DMatrix<f64>; 3],
) -> DMatrix<f64> {
    let mut motion = DMatrix::zeros(MARKER_OUTPUTS * points.len(), changes[0].ncols());
    for (column, mut out) in motion.column_iter_mut().enumerate() {
        let of = changes.map(|change| change.column(column));
        point_motion(system, state, points, of.each_ref().map(|of| of.as_slice()), out.as_mut_slice());
    }
    motion
}

/// The same for one change.
fn point_motion(
    system: &System,
    state: &State,
    points: &[(usize, Vec3)],
    [position, velocity, acceleration]: [&[f64]; 3],
    out: &mut [f64],
) {
    for ((body, arm), out) in points.iter().zip(out.chunks_exact_mut(MARKER_OUTPUTS)) {
        let (moving, rows) = (state.body(*body), system.layout().velocities(*body));
        let (omega, omegadot) = (lower(&moving.v), lower(&moving.vdot));
        let rate = omega.cross(arm);
        let of = |change: &[f64]| {
            let six = Vec6::from_column_slice(&change[rows.clone()]);
            (upper(&six), lower(&six))
        };
        let ((u, theta), (dv, domega), (da, domegadot)) = (of(position), of(velocity), of(acceleration));
        // ds = theta x s, dsdot, dsddot as for any vector of the body
        let ds = theta.cross(arm);
        let drate = domega.cross(arm) + omega.cross(&ds);
        let dsecond = domegadot.cross(arm) + omegadot.cross(&ds) + domega.cross(&rate) + omega.cross(&drate);
        let parts = [u + ds, theta, dv + drate, domega, da + dsecond, domegadot];
        out.chunks_exact_mut(3).zip(&parts).for_each(|(out, part)| out.copy_from_slice(part.as_slice()));
    }
}

/// Accelerations at a state; those of prescribed bodies are unchanged.
pub fn accelerations(site: &Site, workspace: &mut Workspace) -> Result<State, Failure> {
    let mut state = site.state.clone();
    site.system.kinetics().accelerations(&site.environment, &mut state, workspace)?;
    Ok(state)
}
