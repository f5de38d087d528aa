//! Minimal coordinates of a state: independent displacements of the bodies under the constraints.
//!
//! Coordinate partitioning (Wehage, Haug 1982, J. Mech. Design 104, 247): of the 6n displacements
//! (u, theta) of the bodies, as many independent ones are chosen as the mobility; the constraints
//! determine the others,
//!
//! ```text
//! (u, theta) = N xi,   N = [I; -B_d^-1 B_i].
//! ```
//!
//! Compared with an orthonormal null space, such coordinates have a name and a unit (a displacement
//! in I, or a rotation about an axis of I, of one body). They are chosen by Gaussian elimination
//! with full pivoting on B, so that B_d is well conditioned; translations are preferred as
//! dependent ones, so that rotations remain where either is possible. The choice depends on the
//! state alone.

use crate::linear::{Assemble, Sparse};
use crate::system::{Failure, System};
use nalgebra::DMatrix;

/// Weight of translations in the choice of the dependent displacements.
const TRANSLATIONS_FIRST: f64 = 4.0;

/// A pivot below this part of the first one counts as zero: constraints depend on each other at
/// this state.
const SMALLEST_PIVOT: f64 = 1e-11;

/// The choice at one state.
pub struct Coordinates {
    /// Index among the 6n displacements of each coordinate.
    pub independent: Vec<usize>,
    /// N: `(u, theta) = N xi`, 6n rows.
    pub basis: DMatrix<f64>,
    dependent: Vec<usize>,
    /// B_d with its factors.
    dependent_part: Sparse,
}

impl Coordinates {
    /// From B (columns of prescribed bodies zero). Errors: the constraints depend on each other at
    /// this state.
    pub fn new(system: &System, jacobian: &DMatrix<f64>) -> Result<Coordinates, Failure> {
        let (dofs, m) = (system.dofs(), system.multipliers());
        let dependent = dependent_columns(system, jacobian)?;
        let independent: Vec<usize> =
            (0..dofs).filter(|i| system.nodes().is_free_unknown(*i) && dependent.binary_search(i).is_err()).collect();
        let mut dependent_part = Sparse::new(m);
        for (place, column) in dependent.iter().enumerate() {
            for (row, x) in jacobian.column(*column).iter().enumerate().filter(|(_, x)| **x != 0.0) {
                dependent_part.add(row, place, &[[*x]]);
            }
        }
        if m > 0 {
            dependent_part.factorize().map_err(|_| Failure::Singular { unknown: None })?;
        }
        let mut basis = DMatrix::zeros(dofs, independent.len());
        let mut coordinates = Coordinates { independent, basis: DMatrix::zeros(0, 0), dependent, dependent_part };
        let mut right = vec![0.0; m];
        for k in 0..coordinates.independent.len() {
            let own = coordinates.independent[k];
            right.iter_mut().zip(jacobian.column(own).iter()).for_each(|(right, b)| *right = -b);
            let column = &mut basis.as_mut_slice()[k * dofs..(k + 1) * dofs];
            coordinates.complete(&mut right, column);
            column[own] = 1.0;
        }
        coordinates.basis = basis;
        Ok(coordinates)
    }

    /// Writes the solution of `B y = c` to the dependent displacements of y, whose independent ones
    /// are zero; overwrites c.
    pub fn complete(&mut self, c: &mut [f64], y: &mut [f64]) {
        if c.iter().any(|c| *c != 0.0) {
            self.dependent_part.solve(c);
        }
        self.dependent.iter().zip(c).for_each(|(i, c)| y[*i] = *c);
    }
}

/// The dependent displacements, in increasing order. Errors: the constraints depend on each other.
fn dependent_columns(system: &System, jacobian: &DMatrix<f64>) -> Result<Vec<usize>, Failure> {
    let (dofs, m) = (system.dofs(), system.multipliers());
    let length = system.scales().length;
    let scale = |k: usize| if system.layout().is_rotation(k) { 1.0 } else { TRANSLATIONS_FIRST * length };
    let mut work = jacobian.clone();
    for column in 0..dofs {
        work.column_mut(column).scale_mut(scale(column));
    }
    // Rows are lengths or angles: scaled by their own size.
    for mut row in work.row_iter_mut() {
        let size = row.amax();
        if size > 0.0 {
            row /= size;
        }
    }
    let mut dependent = Vec::with_capacity(m);
    let mut open: Vec<usize> = (0..dofs).filter(|column| system.nodes().is_free_unknown(*column)).collect();
    let most = |work: &DMatrix<f64>, column: usize, k: usize| {
        work.column(column).rows(k, m - k).iter().fold(0.0f64, |most, x| most.max(x.abs()))
    };
    // The largest remaining entry of each column.
    let mut largest_of: Vec<f64> = (0..dofs).map(|column| most(&work, column, 0)).collect();
    let (mut reduced_rows, mut reduced_columns) = (Vec::new(), Vec::new());
    let mut first = 0.0;
    for k in 0..m {
        let (mut place, mut largest) = ((k, 0), 0.0);
        // Of sizes equal up to rounding, the first is chosen on every machine.
        let exceeds = |x: f64, largest: f64| x > largest * (1.0 + 1e-9);
        for column in open.iter().copied() {
            if !exceeds(largest_of[column], largest) {
                continue;
            }
            for row in k..m {
                if exceeds(work[(row, column)].abs(), largest) {
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
        dependent.push(column);
        open.retain(|other| *other != column);
        // Most entries are zero and stay so.
        let pivot = work[(k, column)];
        reduced_rows.clear();
        reduced_rows.extend((k + 1..m).map(|row| (row, work[(row, column)])).filter(|(_, factor)| *factor != 0.0));
        reduced_columns.clear();
        reduced_columns.extend(open.iter().map(|other| (*other, work[(k, *other)] / pivot)).filter(|(_, x)| *x != 0.0));
        for (other, x) in &reduced_columns {
            let mut entries = work.column_mut(*other);
            reduced_rows.iter().for_each(|(row, factor)| entries[*row] -= x * factor);
            largest_of[*other] = most(&work, *other, k + 1);
        }
    }
    dependent.sort_unstable();
    Ok(dependent)
}
