//! Relaxation of the semi-implicit schemes: the weight of each evaluation in the next substep.
//!
//! `new = (1 - f) old + f evaluated`; the last of M substeps is not relaxed. There are two forms,
//! both from MoorDyn: that of its page "Time Schemes", and that of its code (version 2.7), which
//! has the weight `R = 1 - f` of the old value. wilson has the constants of beuler: MoorDyn's own
//! use R as the weight of the new value, and contract only up to w h = 1.8.

use crate::model::{Relaxation, Settings};
use crate::scheme::name::Implicit;

/// Weight f of the evaluation in substep `m` of `substeps`, both forms for m = 0 .. M-2, with the
/// constants of the options if these were set.
pub fn weight(settings: &Settings, formula: Implicit, m: u32, substeps: u32) -> f64 {
    let (m, of) = (f64::from(m), f64::from(substeps));
    let constants = |own: [f64; 2]| {
        let given = settings.relaxation_constants();
        [0, 1].map(|k| given[k].unwrap_or(own[k]))
    };
    match settings.relaxation() {
        // f = C0/M + C1 tanh(m/M)
        Relaxation::Page => {
            let own = if substeps < 10 { [0.1 - 0.01 * of, 0.0] } else { [0.07, 1.0 / (10.0 + 0.051 * of * of)] };
            let [c0, c1] = constants(own);
            (c0 / of + c1 * (m / of).tanh()).clamp(0.0, 1.0)
        }
        // R = C0 (1 - 1/M) + C1 (1 - (tanh(4 ((m + 1)/M - 1/2)) + 1)/2)
        Relaxation::Code => {
            let [c0, c1] = constants(match formula {
                Implicit::AverageAcceleration => [0.9, 0.15],
                _ => [0.9, 0.0],
            });
            let ramp = 0.5 * ((4.0 * ((m + 1.0) / of - 0.5)).tanh() + 1.0);
            (1.0 - (c0 * (1.0 - 1.0 / of) + c1 * (1.0 - ramp))).clamp(0.0, 1.0)
        }
    }
}
