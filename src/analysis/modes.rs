//! Eigenvalues and mode shapes of a linearised system.
//!
//! Schur form of the state matrix, eigenvectors by back-substitution (Golub, Van Loan, Matrix
//! Computations 2013, sect. 7.6.4). Vectors of equal frequencies (surge and sway of a symmetric
//! platform) come out independent; those of motions without stiffness are the null space of A, so
//! that a rigid motion counts once though its root is double.

use super::linearization::Linearization;
use crate::system::{Failure, System};
use nalgebra::{Complex, DMatrix, DVector, Schur};

/// Roots below this part of the largest are zero where A has a null space: rounding splits a double
/// zero that far.
const ZERO_ROOT: f64 = 1e-7;

/// Most sweeps of the QR algorithm per state.
const SWEEPS: usize = 100;

/// How often it is tried again on a reflected matrix.
const REFLECTIONS: usize = 4;

/// The golden ratio: its multiples are spread evenly.
const GOLDEN: f64 = 1.618_033_988_749_895;

/// The QR algorithm did not end.
const NOT_ENDED: Failure = Failure::NoConvergence { iterations: SWEEPS as u32, error: 1.0, unknown: 0, energies: None };

/// One mode.
pub struct Mode {
    /// The eigenvalue s, Im s >= 0.
    pub root: Complex<f64>,
    /// Displacements of all nodes, its largest component 1.
    pub shape: Vec<Complex<f64>>,
}

/// All eigenvalues of a linearised system. Errors: the QR algorithm does not converge.
pub fn roots(system: &System, linear: &Linearization) -> Result<Vec<Complex<f64>>, Failure> {
    if linear.coordinates.independent.is_empty() {
        return Ok(Vec::new());
    }
    let (a, unit) = normalized(scaled(system, linear).0)?;
    let (_, t) = schur(&a)?;
    // Rounding leaves real roots an imaginary part.
    let norm = t.norm();
    let real = |root: Complex<f64>| root.im.abs() <= 1e-12 * norm;
    let root = |root: &Complex<f64>| if real(*root) { Complex::new(root.re, 0.0) } else { *root };
    Ok(t.diagonal().iter().map(|s| root(s) * unit).collect())
}

/// A in units of the model, and these units: lengths against the model's, rates against the fastest
/// motion.
fn scaled(system: &System, linear: &Linearization) -> (DMatrix<f64>, Vec<f64>) {
    let f = linear.coordinates.independent.len();
    let length = system.scales().length;
    let is_rotation = |k: usize| system.layout().is_rotation(linear.coordinates.independent[k % f]);
    let unit = |k: usize| if is_rotation(k) { 1.0 } else { length };
    let stiffest = linear.a.view((f, 0), (f, f)).map_with_location(|i, j, x| x * unit(j) / unit(i)).amax();
    let rate = if stiffest > 0.0 { stiffest.sqrt() } else { 1.0 };
    let scale: Vec<f64> = (0..2 * f).map(|k| if k < f { unit(k) } else { unit(k) * rate }).collect();
    (linear.a.map_with_location(|i, j, x| x * scale[j] / scale[i]), scale)
}

/// An entry below this part of the largest one is none: its square would underflow, and its effect
/// is below rounding.
const SMALLEST_ENTRY: f64 = 1e-100;

/// A matrix over its largest entry, and that entry: squares of numbers overflow long before these
/// do. Errors: a number that is not finite, which no iteration would end with.
fn normalized(a: DMatrix<f64>) -> Result<(DMatrix<f64>, f64), Failure> {
    if a.iter().any(|x| !x.is_finite()) {
        return Err(Failure::NotFinite { unknown: 0, iterations: 0 });
    }
    let unit = a.amax();
    if unit == 0.0 {
        return Ok((a, 1.0));
    }
    Ok((a.map(|x| if x.abs() < SMALLEST_ENTRY * unit { 0.0 } else { x / unit }), unit))
}

/// A matrix of eigenvectors, or the like.
type Complexes = DMatrix<Complex<f64>>;

/// `A = Q T Q^H`, T upper triangular.
///
/// The shifts of the QR algorithm can go round in circles, on matrices without damping whose roots
/// lie like each other's mirror images. Reflected at some plane, `(I - 2 u u^T) A (I - 2 u u^T)`,
/// the same matrix has no such symmetry. Entries that should vanish may also stay above one
/// rounding error of their neighbours: attempt k tolerates 4^k of these, at most 6e-14 of A.
fn schur(a: &DMatrix<f64>) -> Result<(Complexes, Complexes), Failure> {
    let complex = |a: &DMatrix<f64>| a.map(|x| Complex::new(x, 0.0));
    let try_schur = |a: Complexes, attempt: usize| {
        let most = SWEEPS * a.nrows() / 2;
        Schur::try_new(a, f64::EPSILON * 4f64.powi(attempt as i32), most).map(Schur::unpack)
    };
    if let Some(found) = try_schur(complex(a), 0) {
        return Ok(found);
    }
    for attempt in 1..=REFLECTIONS {
        // Angles that no two numbers share with each other.
        let u = DVector::from_fn(a.nrows(), |k, _| (GOLDEN * ((k + 1) * attempt) as f64).sin()).normalize();
        let reflection = DMatrix::identity(a.nrows(), a.nrows()) - &u * u.transpose() * 2.0;
        if let Some((q, t)) = try_schur(complex(&(&reflection * a * &reflection)), attempt) {
            return Ok((complex(&reflection) * q, t));
        }
    }
    Err(NOT_ENDED)
}

/// All modes with Im s >= 0, by |s|; a real root is a mode of its own. Errors: the QR algorithm
/// does not converge.
pub fn modes(system: &System, linear: &Linearization) -> Result<Vec<Mode>, Failure> {
    let f = linear.coordinates.independent.len();
    if f == 0 {
        return Ok(Vec::new());
    }
    let (a, scale) = scaled(system, linear);
    let (a, unit) = normalized(a)?;
    let norm = a.norm();
    let (q, t) = schur(&a)?;
    let roots: Vec<Complex<f64>> = (0..2 * f).map(|k| t[(k, k)]).collect();
    let largest = roots.iter().fold(0.0f64, |largest, root| largest.max(root.norm()));
    let null_space = null_space(&a)?;
    let rigid = |root: &Complex<f64>| !null_space.is_empty() && root.norm() <= ZERO_ROOT * largest.max(norm);

    let shape = |x: DVector<Complex<f64>>| {
        let xi = DVector::from_fn(f, |k, _| x[k] * scale[k]);
        let moved = linear.coordinates.basis.map(|n| Complex::new(n, 0.0)) * xi;
        let top =
            moved.iter().fold(
                Complex::new(0.0, 0.0),
                |top: Complex<f64>, z| {
                    if z.norm() > top.norm() * (1.0 + 1e-9) { *z } else { top }
                },
            );
        moved.iter().map(|z| if top.norm() > 0.0 { z / top } else { *z }).collect()
    };
    let still = null_space.iter().map(|x| Mode { root: Complex::new(0.0, 0.0), shape: shape(x.clone()) });
    let mut modes: Vec<Mode> = still.collect();
    for (k, root) in roots.iter().enumerate() {
        // Rounding leaves real roots an imaginary part; of a pair the upper one stands for both.
        let real = root.im.abs() <= 1e-12 * (norm + root.norm());
        if rigid(root) || (!real && root.im < 0.0) {
            continue;
        }
        let root = if real { Complex::new(root.re, 0.0) } else { *root };
        modes.push(Mode { root: root * unit, shape: shape(&q * eigenvector(&t, k, norm)) });
    }
    modes.sort_by(|a, b| a.root.norm().total_cmp(&b.root.norm()));
    Ok(modes)
}

/// The eigenvector of an upper triangular matrix for its k-th diagonal entry.
fn eigenvector(t: &DMatrix<Complex<f64>>, k: usize, norm: f64) -> DVector<Complex<f64>> {
    let mut y = DVector::zeros(t.nrows());
    y[k] = Complex::new(1.0, 0.0);
    for i in (0..k).rev() {
        let sum: Complex<f64> = (i + 1..=k).map(|j| t[(i, j)] * y[j]).sum();
        let mut gap = t[(i, i)] - t[(k, k)];
        // Equal roots: as far apart as rounding could make them.
        if gap.norm() < f64::EPSILON * norm {
            gap = Complex::new(f64::EPSILON * norm, 0.0);
        }
        y[i] = -sum / gap;
    }
    let size = y.norm();
    y / Complex::new(size, 0.0)
}

/// An orthonormal basis of the null space.
fn null_space(a: &DMatrix<f64>) -> Result<Vec<DVector<Complex<f64>>>, Failure> {
    let svd = a.clone().try_svd_unordered(false, true, f64::EPSILON, SWEEPS * a.nrows()).ok_or(NOT_ENDED)?;
    let limit = a.nrows() as f64 * 1e-14 * svd.singular_values.amax();
    let Some(v_t) = &svd.v_t else { return Ok(Vec::new()) };
    let null = svd.singular_values.iter().enumerate().filter(|(_, s)| **s <= limit);
    Ok(null.map(|(k, _)| v_t.row(k).transpose().map(|x| Complex::new(x, 0.0))).collect())
}
