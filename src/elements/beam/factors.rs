//! Factors `L D L^T` of a symmetric positive definite 6 x 6 matrix (Golub, Van Loan, Matrix
//! Computations 2013, sect. 4.1): loops of constant length, where generic code has views.

use crate::spatial::{Mat6, Vec6};

/// L without its diagonal of ones, by columns, and 1/D.
pub struct Factors {
    lower: [[f64; 6]; 6],
    reciprocal: [f64; 6],
}

impl Factors {
    /// Of a matrix, of which the lower triangle counts; None if it is not positive definite.
    pub fn of(matrix: &Mat6) -> Option<Factors> {
        let (mut rest, mut lower, mut reciprocal) = (matrix.data.0, [[0.0; 6]; 6], [0.0; 6]);
        for j in 0..6 {
            let (pivot, column) = (rest[j][j], rest[j]);
            if pivot.is_nan() || pivot <= 0.0 {
                return None;
            }
            reciprocal[j] = 1.0 / pivot;
            for k in j + 1..6 {
                let factor = column[k] * reciprocal[j];
                lower[j][k] = factor;
                // Rows above k are not read again.
                rest[k].iter_mut().zip(&column).for_each(|(entry, x)| *entry -= x * factor);
            }
        }
        Some(Factors { lower, reciprocal })
    }

    /// The solution for a right-hand side.
    pub fn solve(&self, b: &Vec6) -> Vec6 {
        let Factors { lower, reciprocal } = self;
        let mut x = b.data.0[0];
        for (j, column) in lower.iter().enumerate() {
            let known = x[j];
            x.iter_mut().zip(column).for_each(|(x, l)| *x -= l * known);
        }
        x.iter_mut().zip(reciprocal).for_each(|(x, d)| *x *= d);
        for j in (0..5).rev() {
            x[j] -= lower[j].iter().zip(&x).map(|(l, x)| l * x).sum::<f64>();
        }
        Vec6::from(x)
    }

    /// The inverse of the matrix.
    pub fn inverse(&self) -> Mat6 {
        Mat6::from_columns(&[0, 1, 2, 3, 4, 5].map(|k| self.solve(&Vec6::ith(k, 1.0))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::noise::Noise;

    #[test]
    fn the_inverse_times_the_matrix_is_one_and_an_indefinite_matrix_has_none() {
        let mut noise = Noise(7);
        let half = noise.mat6();
        let matrix = half * half.transpose() + Mat6::identity() * 0.1;
        // Rounding grows with the condition number, here below 1e3.
        let product = matrix * Factors::of(&matrix).unwrap().inverse();
        assert!((product - Mat6::identity()).amax() < 1e3 * f64::EPSILON);
        let shifted = matrix - Mat6::identity() * (1.01 * matrix.symmetric_eigenvalues().min());
        assert!(Factors::of(&shifted).is_none());
        assert!(Factors::of(&(matrix * f64::NAN)).is_none());
    }
}
