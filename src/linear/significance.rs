//! What numbers of a block count for: when it is eliminated without pivoting, when a pivot means nothing any more, and when a
//! coupling is none.

use super::small::Columns;

/// Largest condition of a block that is eliminated without pivoting: it costs three digits of sixteen at most.
pub const CONDITION: f64 = 1e3;

/// A pivot below this part of the terms that it is the sum of is left to the factorisation of all rows.
pub const CANCELLED: f64 = 1e-8;

/// Couplings below this are taken for zero: those with what closes a long chain fall from node to node until they are too
/// small for ordinary numbers, with which processors are a hundred times slower. Products of two of them are still ordinary.
const NEGLIGIBLE: f64 = 1e-150;

/// Sets couplings that are none to zero.
#[inline(always)]
pub fn drop_negligible<const R: usize, const C: usize>(columns: &mut Columns<R, C>) {
    for x in columns.as_flattened_mut() {
        *x = if x.abs() < NEGLIGIBLE { 0.0 } else { *x };
    }
}
