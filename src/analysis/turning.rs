//! Steady turning: the state in which a model turns as a whole about an axis, and its linearisation
//! in axes that turn with it.
//!
//! With the angular velocity W and a point c of the axis, all nodes have v = W x (x - c), omega =
//! W, and the state is steady where their accelerations are W x v. In axes that turn with W nothing
//! depends on time then, and eigenvalues of the linearisation there are modes: its A has the
//! gyroscopic and centrifugal terms (Campbell diagrams). The steady state is found by Newton's
//! method with the same A: from a state whose accelerations are off by a,
//!
//! ```text
//! A (xi, eta) = (0, -a),   q <- exp(N xi) q.
//! ```

use super::linearization::{Linearization, Site, crossed, linearize};
use super::pose::largest_move;
use crate::linear::{Assemble, Sparse};
use crate::spatial::{Vec3, Vec6, join, lower, rotation, upper};
use crate::system::{Failure, State, System, Workspace};

/// Most iterations.
const MOST_ITERATIONS: u32 = 60;

/// The longest step (rad, lengths of the model).
const LONGEST: f64 = 0.3;

/// Steps below this (rad, lengths of the model) end the iteration at once, and below the next where
/// they have stopped shrinking.
const ROUNDING: f64 = 1e-13;
const SMALL: f64 = 1e-8;

/// An angle by which a model is turned to see whether loads and supports turn with it, and how far
/// (rad, lengths of the model) it may then be from the steady state.
const TURN: f64 = 1.0;
const SAME: f64 = 1e-6;

/// How a model turns.
struct Turning {
    spin: Vec3,
    /// A point of the axis.
    centre: Vec3,
}

impl Turning {
    /// That of the first body that turns; None if nothing does.
    fn of(state: &State) -> Option<Turning> {
        let body = state.motions().take(state.bodies()).find(|body| lower(&body.v).norm_squared() > 0.0)?;
        let spin = lower(&body.v);
        // What is along the axis of the velocity is left out.
        Some(Turning { spin, centre: body.x + spin.cross(&upper(&body.v)) / spin.norm_squared() })
    }

    /// Sets the velocities of all free nodes.
    fn set(&self, system: &System, state: &mut State) {
        for node in (0..state.layout.nodes()).filter(|node| system.nodes().is_free(*node)) {
            let x = Vec3::from_column_slice(&state.q[state.layout.positions(node)][..3]);
            let v = join(&self.spin.cross(&(x - self.centre)), &self.spin);
            let rates = &mut state.v[state.layout.velocities(node)];
            rates.copy_from_slice(&v.as_slice()[..rates.len()]);
        }
    }

    /// Turns the whole model about the axis.
    fn turn(&self, state: &mut State) {
        let turn = rotation::exp(&(self.spin.normalize() * TURN));
        for node in 0..state.layout.nodes() {
            let mut body = state.body(node);
            body.x = self.centre + turn * (body.x - self.centre);
            body.q = rotation::compose(&turn, &body.q);
            let turned = |six: &Vec6| join(&(turn * upper(six)), &(turn * lower(six)));
            (body.v, body.vdot) = (turned(&body.v), turned(&body.vdot));
            state.set_body(node, &body);
        }
    }
}

/// True if a body turns.
pub fn turns(state: &State) -> bool {
    Turning::of(state).is_some()
}

/// The linearisation about the steady turning near the present state, in axes that turn; at a state
/// where nothing turns the usual one. None if loads or supports do not turn with the model.
pub fn linearize_turning(site: &Site) -> Result<Option<Linearization>, Failure> {
    let (system, environment) = (site.system, site.environment);
    let Some(turning) = Turning::of(site.state) else {
        return linearize(site, &[], &[], &Vec3::zeros()).map(Some);
    };
    let mut state = site.state.clone();
    let mut workspace = Workspace::new(system);
    let (mut last, mut error) = (f64::INFINITY, 1.0);
    for _ in 0..MOST_ITERATIONS {
        turning.set(system, &mut state);
        let linear = linearize(&Site { system, environment, state: &state }, &[], &[], &turning.spin)?;
        let moves = step(system, &linear, &turning.spin)?;
        let size = largest_move(state.layout, &moves, system.scales().length);
        if size <= ROUNDING || (size <= SMALL && size >= 0.5 * last) {
            // Loads and supports turn with the model if, turned as a whole, it is steady too.
            turning.turn(&mut state);
            let there = linearize(&Site { system, environment, state: &state }, &[], &[], &turning.spin)?;
            let moves = step(system, &there, &turning.spin)?;
            let is_steady = largest_move(state.layout, &moves, system.scales().length) <= SAME;
            return Ok(is_steady.then_some(linear));
        }
        let part = (LONGEST / size).min(1.0);
        let moves: Vec<f64> = moves.iter().map(|x| x * part).collect();
        system.layout().displace(&mut state.q, &moves);
        system.kinetics().project_positions(&environment, false, &mut state, &mut workspace)?;
        (last, error) = (size, size);
    }
    Err(Failure::NoConvergence { iterations: MOST_ITERATIONS, error, unknown: 0, energies: None })
}

/// Newton's step towards steady turning: displacements of all nodes.
fn step(system: &System, linear: &Linearization, spin: &Vec3) -> Result<Vec<f64>, Failure> {
    let Linearization { coordinates, state, a, .. } = linear;
    let f = coordinates.independent.len();
    let mut matrix = Sparse::new(2 * f);
    let mut right = vec![0.0; 2 * f];
    for (k, x) in a.iter().enumerate().filter(|(_, x)| **x != 0.0) {
        matrix.add(k % (2 * f), k / (2 * f), &[[*x]]);
    }
    for (k, unknown) in coordinates.independent.iter().enumerate() {
        right[f + k] = crossed(system, spin, &state.v, *unknown) - state.vdot[*unknown];
    }
    matrix.factorize().map_err(|_| Failure::Singular { unknown: None })?;
    matrix.solve(&mut right);
    let moves = &coordinates.basis * nalgebra::DVector::from_column_slice(&right[..f]);
    match moves.iter().position(|x| !x.is_finite()) {
        Some(unknown) => Err(Failure::NotFinite { unknown, iterations: 0 }),
        None => Ok(moves.as_slice().to_vec()),
    }
}
