//! Numbers of first-order form, which the schemes of that form add and scale: y = (u, v), or rates
//! of it.
//!
//! `u` are increments of positions since the start of the step, translations and rotation vectors
//! psi in inertial axes: a place is `exp(u) o q(n)`. Their rates are `xdot = v` and
//! `psidot = T^-T(psi) omega`, so that classical schemes keep their order on rotations
//! (Munthe-Kaas 1998, BIT 38), and a body that turns at a constant rate turns by exactly that.

use crate::spatial::{Vec3, rotation};
use crate::system::{Layout, State, System, move_node};

/// Numbers of first-order form: y, or rates of y.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Numbers {
    /// Increments of positions.
    pub u: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
}

impl Numbers {
    /// Zeros.
    pub fn zeros(layout: Layout) -> Numbers {
        Numbers { u: vec![0.0; layout.dofs()], v: vec![0.0; layout.dofs()] }
    }

    /// Copies without allocation where sizes agree.
    pub fn copy_from(&mut self, other: &Numbers) {
        self.u.clone_from(&other.u);
        self.v.clone_from(&other.v);
    }

    /// Sets all numbers to zero.
    pub fn clear(&mut self) {
        self.u.fill(0.0);
        self.v.fill(0.0);
    }

    /// y at a state that the step starts from.
    pub fn begin(&mut self, state: &State) {
        self.u.fill(0.0);
        self.v.clone_from(&state.v);
    }

    /// `self += c other`.
    #[inline(always)]
    pub fn add(&mut self, c: f64, other: &Numbers) {
        self.u.iter_mut().zip(&other.u).for_each(|(own, x)| *own += c * x);
        self.v.iter_mut().zip(&other.v).for_each(|(own, x)| *own += c * x);
    }

    /// `self *= c`.
    #[inline(always)]
    pub fn scale(&mut self, c: f64) {
        self.u.iter_mut().chain(&mut self.v).for_each(|x| *x *= c);
    }

    /// y after `c` times rates from the start of the step at `state`.
    pub fn set_moved(&mut self, state: &State, c: f64, rates: &Numbers) {
        self.set_moved_by(state, [(c, rates)]);
    }

    /// y after multiples of M rates from the start of the step, added in their order, all in one
    /// pass.
    #[inline(always)]
    pub fn set_moved_by<const M: usize>(&mut self, state: &State, rates: [(f64, &Numbers); M]) {
        let n = self.u.len();
        let of = rates.map(|(c, rates)| (c, &rates.u[..n], &rates.v[..n]));
        for i in 0..n {
            self.u[i] = of.iter().fold(0.0, |sum, (c, u, _)| sum + c * u[i]);
        }
        let (v, from) = (&mut self.v[..n], &state.v[..n]);
        for i in 0..n {
            v[i] = of.iter().fold(from[i], |sum, (c, _, v)| sum + c * v[i]);
        }
    }

    /// Rates at y, with the accelerations vdot.
    #[inline(always)]
    pub fn set_rates(&mut self, layout: Layout, y: &Numbers, vdot: &[f64]) {
        self.u.copy_from_slice(&y.v);
        self.v.copy_from_slice(vdot);
        for (rate, u) in layout.split_mut(&mut self.u).0.iter_mut().zip(layout.split(&y.u).0) {
            let [psi, omega] = [u, &*rate].map(|numbers| Vec3::new(numbers[3], numbers[4], numbers[5]));
            rate[3..].copy_from_slice(rotation::vector_rate(&psi, &omega).as_slice());
        }
    }

    /// Moves a state from the start of the step to this y. Places of imposed motions stay as they
    /// are.
    #[inline(always)]
    pub fn enter(&self, system: &System, start: &State, state: &mut State) {
        state.v.copy_from_slice(&self.v);
        system.retract(&start.q, &self.u, &mut state.q);
    }

    /// Moves one node from the start of its step to this y, into a state that may have another
    /// layout: `to` is where it has the node.
    pub fn enter_node(
        &self,
        (layout, node): (Layout, usize),
        start: &State,
        (own, to): (Layout, usize),
        state: &mut State,
    ) {
        let range = layout.velocities(node);
        let place = &start.q[layout.positions(node)];
        move_node(place, &self.u[range.clone()], &mut state.q[own.positions(to)]);
        state.v[own.velocities(to)].copy_from_slice(&self.v[range]);
    }
}
