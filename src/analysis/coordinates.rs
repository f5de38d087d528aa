//! Minimal coordinates of a state: the free motions that the constraints leave.
//!
//! Coordinate partitioning (Wehage, Haug 1982, J. Mech. Design 104, 247): of the 6n displacements (u, theta) of the
//! bodies, as many independent ones are chosen as there is mobility; the constraints give the others,
//!
//! ```text
//! (u, theta) = N xi,   N = [I; -B_d^-1 B_i].
//! ```
//!
//! Against an orthonormal null space this has coordinates with a name and a unit (a displacement in I, or a rotation
//! about an axis of I, of one body). The choice is Gaussian elimination with full pivoting on B, so that B_d is well
//! conditioned; translations are preferred as dependent ones, so that rotations stay where both would serve. It depends
//! on the state alone.

use crate::system::{Failure, System};
use nalgebra::{DMatrix, Dyn, LU};

/// Weight of translations in the choice of what depends on the rest.
const TRANSLATIONS_FIRST: f64 = 4.0;

/// A pivot below this part of the first one is none: constraints that depend on each other at this state.
const SMALLEST_PIVOT: f64 = 1e-11;

/// The choice at one state.
pub struct Coordinates {
    /// Index among the 6n displacements of each coordinate.
    pub independent: Vec<usize>,
    /// N: `(u, theta) = N xi`, 6n rows.
    pub basis: DMatrix<f64>,
    dependent: Vec<usize>,
    dependent_part: LU<f64, Dyn, Dyn>,
}

impl Coordinates {
    /// From B (columns of prescribed bodies zero). Errors: the constraints depend on each other at this state.
    pub fn new(system: &System, jacobian: &DMatrix<f64>) -> Result<Coordinates, Failure> {
        let (dofs, m) = (system.dofs(), system.multipliers());
        let length = system.scales().length;
        let scale = |k: usize| if system.layout().is_rotation(k) { 1.0 } else { TRANSLATIONS_FIRST * length };
        let mut work = jacobian.clone();
        for column in 0..dofs {
            work.column_mut(column).scale_mut(scale(column));
        }
        // Rows are lengths or angles: measured by their own size.
        for mut row in work.row_iter_mut() {
            let size = row.amax();
            if size > 0.0 {
                row /= size;
            }
        }
        let mut dependent = Vec::with_capacity(m);
        let mut open: Vec<usize> = (0..dofs).filter(|column| system.is_free_unknown(*column)).collect();
        let mut first = 0.0;
        for k in 0..m {
            let (mut place, mut largest) = ((k, 0), 0.0);
            for column in open.iter().copied() {
                for row in k..m {
                    // Equal sizes but for rounding: the earlier one, on every machine.
                    if work[(row, column)].abs() > largest * (1.0 + 1e-9) {
                        (place, largest) = ((row, column), work[(row, column)].abs());
                    }
                }
            }
            first = if k == 0 { largest } else { first };
            if largest <= SMALLEST_PIVOT * first {
                return Err(Failure::Singular { unknown: Some(dofs + k) });
            }
            let (row, column) = place;
            work.swap_rows(k, row);
            let pivot = work.row(k) / work[(k, column)];
            for other in k + 1..m {
                let factor = work[(other, column)];
                if factor != 0.0 {
                    let reduced = work.row(other) - &pivot * factor;
                    work.set_row(other, &reduced);
                }
            }
            dependent.push(column);
            open.retain(|other| *other != column);
        }
        dependent.sort_unstable();
        let independent: Vec<usize> =
            (0..dofs).filter(|i| system.is_free_unknown(*i) && dependent.binary_search(i).is_err()).collect();
        let dependent_part = jacobian.select_columns(&dependent).lu();
        let mut basis = DMatrix::zeros(dofs, independent.len());
        independent.iter().enumerate().for_each(|(k, i)| basis[(*i, k)] = 1.0);
        let mut coordinates = Coordinates { independent, basis, dependent, dependent_part };
        let right = jacobian.select_columns(&coordinates.independent);
        let completion = coordinates.completion(&right)?;
        coordinates.basis += completion;
        Ok(coordinates)
    }

    /// The displacements y, zero in the independent ones, with `B y = -c` for every column of c.
    pub fn completion(&self, c: &DMatrix<f64>) -> Result<DMatrix<f64>, Failure> {
        let mut y = DMatrix::zeros(self.basis.nrows(), c.ncols());
        if self.dependent.is_empty() {
            return Ok(y);
        }
        let solved = self.dependent_part.solve(&-c).ok_or(Failure::Singular { unknown: None })?;
        for (k, i) in self.dependent.iter().enumerate() {
            y.set_row(*i, &solved.row(k));
        }
        Ok(y)
    }
}
