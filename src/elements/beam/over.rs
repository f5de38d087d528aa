//! Beam elements in energy form: the effective wrench of a step.
//!
//! Over a step from d0 to d1, w is a discrete gradient of the potential V (Gonzalez 1996), with the
//! numerical dissipation of the scheme as memories y of d, on the stiffness K of the reference
//! shape (`energy_form`, `discrete_gradient`). dm is the mean of d0 and d1, D d1 - d0, and W the
//! metric
//! |r|^2/L^2 + |phi|^2:
//!
//! ```text
//! w = V'(dm) + W D (V(d1) - V(d0) - V'(dm) . D)/(D . W D) + (1/2 - alpha_f) K (y1 - y0).
//! ```

use super::super::discrete_gradient::{Ends, Over, ends_in_axes};
use super::super::{EnergyForm, Local, Memory, Site};
use super::{BeamElement, MOST_TURN};
use crate::spatial::{Mat6, Vec6, lower};

/// Length of D (rad, or parts of L) below which the second term is left out: it is of third order
/// in D, and would be rounding.
const LEAST_CHANGE: f64 = 1e-4;

impl BeamElement {
    /// Adds its potential over a step in energy form; memories are those of d.
    #[inline(never)]
    pub fn add_over(
        &self,
        [from, at]: [&[Site; 2]; 2],
        form: &EnergyForm,
        last: &[Memory],
        next: &mut [Memory],
        out: &mut Local<2>,
    ) {
        let [start, end]: [Ends; 2] = [from, at].map(|sites| ends_in_axes(sites, &self.axes));
        let remembered = form.advance_memories(&(end.1 - start.1), last, next);
        let Some((mut wrench, mut stiffness)) = self.mean(&start.1, &end.1, form.backward, out.tangents.is_some())
        else {
            return out.residual.iter_mut().for_each(|wrench| wrench.fill(f64::NAN));
        };
        wrench += self.reference * remembered;
        stiffness += self.reference * (form.dissipation * form.drive);
        Over::of([from, at], [&start, &end], (wrench, stiffness), true).add(out);
    }

    /// The discrete gradient, weighted with the gradient at the end, and its derivative by d1. None
    /// where the law has no value.
    fn mean(&self, d0: &Vec6, d1: &Vec6, backward: f64, wants_tangents: bool) -> Option<(Vec6, Mat6)> {
        if lower(d1).norm() > MOST_TURN {
            return None;
        }
        let change = d1 - d0;
        let middle = self.law.at(&((d0 + d1) * 0.5))?;
        let slope = middle.gradient();
        let half = if wants_tangents { middle.hessian() * 0.5 } else { Mat6::zeros() };
        let (mut wrench, mut stiffness) = (slope, half);
        let per_square = self.law.length.powi(-2);
        let weighted = Vec6::from_fn(|k, _| change[k] * if k < 3 { per_square } else { 1.0 });
        let square = change.dot(&weighted);
        if square > LEAST_CHANGE * LEAST_CHANGE {
            let (at_end, by_end) = if wants_tangents {
                let end = self.law.at(d1)?;
                (end.potential(), end.gradient())
            } else {
                (self.law.potential(d1)?, Vec6::zeros())
            };
            let rest = (at_end - self.law.potential(d0)? - slope.dot(&change)) / square;
            wrench += weighted * rest;
            if wants_tangents {
                let by_end = (by_end - slope - half * change - weighted * (2.0 * rest)) / square;
                stiffness += weighted * by_end.transpose();
                (0..6).for_each(|k| stiffness[(k, k)] += rest * if k < 3 { per_square } else { 1.0 });
            }
        }
        if backward > 0.0 {
            let end = self.law.at(d1)?;
            wrench += (end.gradient() - wrench) * backward;
            let by_end = if wants_tangents { end.hessian() } else { Mat6::zeros() };
            stiffness += (by_end - stiffness) * backward;
        }
        Some((wrench, stiffness))
    }
}
