//! Relaxation of the semi-implicit schemes: how much of each evaluation enters before the next substep.
//!
//! `new = (1 - f) old + f evaluated`; the last of M substeps is not relaxed. Two forms, both of MoorDyn: that of its
//! page "Time Schemes", and that of its code (version 2.7), which gives the weight `R = 1 - f` of the old value.

use super::name::Implicit;
use crate::model::Relaxation;

/// Weight f of the value evaluated in substep `m` of `substeps`, both forms for m = 0 .. M-2.
pub fn weight(form: Relaxation, formula: Implicit, m: u32, substeps: u32) -> f64 {
    let (m, of) = (f64::from(m), f64::from(substeps));
    match form {
        // f = C0/M + C1 tanh(m/M)
        Relaxation::Page => {
            let (c0, c1) = if substeps < 10 { (0.1 - 0.01 * of, 0.0) } else { (0.07, 1.0 / (10.0 + 0.051 * of * of)) };
            c0 / of + c1 * (m / of).tanh()
        }
        // R = C0 (1 - 1/M) + C1 (1 - (tanh(4 ((m + 1)/M - 1/2)) + 1)/2)
        Relaxation::Code => {
            let (c0, c1) = match formula {
                Implicit::BackwardEuler | Implicit::Midpoint | Implicit::Anderson => (0.9, 0.0),
                Implicit::AverageAcceleration => (0.9, 0.15),
                Implicit::Wilson => (0.015, 0.0),
            };
            let ramp = 0.5 * ((4.0 * ((m + 1.0) / of - 0.5)).tanh() + 1.0);
            1.0 - (c0 * (1.0 - 1.0 / of) + c1 * (1.0 - ramp))
        }
    }
}
