//! Vectors of first-order form: y = (q, v), or rates of it.
//!
//! `xdot = v`, `qdot = 1/2 (0, omega) q`: quaternions are integrated as four numbers, and
//! normalised where they enter a state.

use crate::system::{Layout, State};
use nalgebra::Quaternion;

/// A vector of first-order form: y, whose quaternions need not be normalised, or rates of y.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Numbers {
    /// Positions.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
}

/// `1/2 (0, omega) q`, with quaternions i j k w.
#[inline(always)]
fn spin(omega: &[f64], q: &[f64]) -> Quaternion<f64> {
    Quaternion::new(0.0, omega[0], omega[1], omega[2]) * Quaternion::new(q[3], q[0], q[1], q[2]) * 0.5
}

/// The position of a body with its quaternion normalised.
#[inline(always)]
fn normalised(y: &[f64; 7]) -> [f64; 7] {
    let [x0, x1, x2, i, j, k, w] = *y;
    let c = 1.0 / (i * i + j * j + k * k + w * w).sqrt();
    [x0, x1, x2, c * i, c * j, c * k, c * w]
}

impl Numbers {
    /// Zeros.
    pub fn zeros(layout: Layout) -> Numbers {
        Numbers { q: vec![0.0; layout.places()], v: vec![0.0; layout.dofs()] }
    }

    /// Copies without allocation where sizes agree.
    pub fn copy_from(&mut self, other: &Numbers) {
        self.q.clone_from(&other.q);
        self.v.clone_from(&other.v);
    }

    /// Sets all numbers to zero.
    pub fn clear(&mut self) {
        self.q.fill(0.0);
        self.v.fill(0.0);
    }

    /// Copies them from a state.
    pub fn take(&mut self, state: &State) {
        self.q.clone_from(&state.q);
        self.v.clone_from(&state.v);
    }

    /// `self += c other`.
    #[inline(always)]
    pub fn add(&mut self, c: f64, other: &Numbers) {
        self.q.iter_mut().zip(&other.q).for_each(|(own, x)| *own += c * x);
        self.v.iter_mut().zip(&other.v).for_each(|(own, x)| *own += c * x);
    }

    /// `self *= c`.
    #[inline(always)]
    pub fn scale(&mut self, c: f64) {
        self.q.iter_mut().chain(&mut self.v).for_each(|x| *x *= c);
    }

    /// The state's y plus `c` times rates.
    pub fn set_moved(&mut self, state: &State, c: f64, rates: &Numbers) {
        self.set_moved_by(state, [(c, rates)]);
    }

    /// The state's y plus multiples of M rates, added in their order, in one pass.
    #[inline(always)]
    pub fn set_moved_by<const M: usize>(&mut self, state: &State, rates: [(f64, &Numbers); M]) {
        let sum = |into: &mut [f64], from: &[f64], rates: [(f64, &[f64]); M]| {
            let (into, n) = (&mut into[..from.len()], from.len());
            let rates = rates.map(|(c, rates)| (c, &rates[..n]));
            for i in 0..n {
                into[i] = rates.iter().fold(from[i], |sum, (c, rates)| sum + c * rates[i]);
            }
        };
        sum(&mut self.q, &state.q, rates.map(|(c, rates)| (c, &rates.q[..])));
        sum(&mut self.v, &state.v, rates.map(|(c, rates)| (c, &rates.v[..])));
    }

    /// Rates at y, with the accelerations vdot.
    #[inline(always)]
    pub fn set_rates(&mut self, layout: Layout, y: &Numbers, vdot: &[f64]) {
        self.v.copy_from_slice(vdot);
        let ((rates, rates_of_points), (places, _)) = (layout.split_places_mut(&mut self.q), layout.split_places(&y.q));
        let (bodies, points) = layout.split(&y.v);
        for ((rate, q), v) in rates.iter_mut().zip(places).zip(bodies) {
            rate[..3].copy_from_slice(&v[..3]);
            rate[3..].copy_from_slice(spin(&v[3..], &q[3..]).coords.as_slice());
        }
        rates_of_points.copy_from_slice(points);
    }

    /// The same for one node, with its own vdot.
    #[inline(always)]
    pub fn set_rates_at(&mut self, layout: Layout, node: usize, y: &Numbers, vdot: &[f64]) {
        let (places, range) = (layout.positions(node), layout.velocities(node));
        let (rate, v) = (&mut self.q[places.clone()], &y.v[range.clone()]);
        rate[..3].copy_from_slice(&v[..3]);
        if v.len() > 3 {
            rate[3..].copy_from_slice(spin(&v[3..], &y.q[places][3..]).coords.as_slice());
        }
        self.v[range].copy_from_slice(vdot);
    }

    /// Copies them to a state, with quaternions normalised.
    #[inline(always)]
    pub fn enter(&self, state: &mut State) {
        let layout = state.layout;
        state.v.copy_from_slice(&self.v);
        let ((places, points), (y, y_of_points)) =
            (layout.split_places_mut(&mut state.q), layout.split_places(&self.q));
        for (q, y) in places.iter_mut().zip(y) {
            *q = normalised(y);
        }
        points.copy_from_slice(y_of_points);
    }

    /// Copies one node to one of a state, which may have another layout; `own` is its index here.
    #[inline(always)]
    pub fn enter_node(&self, node: usize, (layout, own): (Layout, usize), state: &mut State) {
        let y = &self.q[layout.positions(own)];
        let (places, range) = (state.layout.positions(node), state.layout.velocities(node));
        let q = &mut state.q[places];
        match <&[f64; 7]>::try_from(y) {
            Ok(y) => q.copy_from_slice(&normalised(y)),
            Err(_) => q.copy_from_slice(y),
        }
        state.v[range].copy_from_slice(&self.v[layout.velocities(own)]);
    }

    /// Copies one node from a state, where its index is `node`.
    pub fn take_node(&mut self, (layout, own): (Layout, usize), node: usize, state: &State) {
        self.q[layout.positions(own)].copy_from_slice(&state.q[state.layout.positions(node)]);
        self.v[layout.velocities(own)].copy_from_slice(&state.v[state.layout.velocities(node)]);
    }

    /// Velocities (xdot, omega) that correspond to rates of positions at positions `q`.
    pub fn motion(&self, layout: Layout, q: &[f64], motion: &mut [f64]) {
        let ((rates, rates_of_points), (places, _)) = (layout.split_places(&self.q), layout.split_places(q));
        let (bodies, points) = layout.split_mut(motion);
        for ((motion, rate), place) in bodies.iter_mut().zip(rates).zip(places) {
            let q = |p: &[f64; 7]| Quaternion::new(p[6], p[3], p[4], p[5]);
            let spin = q(rate) * q(place).conjugate() * 2.0;
            *motion = [rate[0], rate[1], rate[2], spin.i, spin.j, spin.k];
        }
        points.copy_from_slice(rates_of_points);
    }
}
