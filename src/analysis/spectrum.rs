//! Roots that bound those of a large system in the search for the stable step, without its dense
//! matrices.
//!
//! A mode x of `s^2 M + s C + K`, `x^H M x = 1`, has s^2 + c s + k = 0 with c = x^H C x and k = x^H
//! K x. So all roots are roots of such polynomials with c and k between zero and the largest
//! eigenvalues of (C, M) and (K, M) on the constraints, and with c >= g k where damping is at least
//! proportional to stiffness (C - g K positive). The largest eigenvalues are computed by the
//! Lanczos method in the scalar product of M, whose steps are solutions with `[M B^T; B 0]`; it
//! underestimates them by a few per cent at most with near certainty (Kuczynski, Wozniakowski 1992,
//! SIAM J. Matrix Anal. Appl. 13, 1094), which are added.

use super::linearization::Site;
use crate::linear::Blocks;
use crate::system::{Failure, System, Workspace};
use nalgebra::{Complex, DMatrix};

/// Most steps of the Lanczos method.
const STEPS: usize = 40;

/// Relative margin added to an eigenvalue, in addition to its residual.
const MARGIN: f64 = 0.02;

/// A residual below this part of the eigenvalue ends the iteration.
const SETTLED: f64 = 1e-3;

/// Number of squared frequencies between zero and the largest: each is a quarter of the one before.
const FREQUENCIES: i32 = 10;

/// Dampings between the least and the largest, as damping ratios.
const RATIOS: [f64; 4] = [0.25, 0.5, 0.7, 1.0];

/// Roots such that all roots of a system at rest are between them, or nearer to zero in their
/// directions. `damping_per_stiffness`: g, if the symmetric part of C - g K is positive
/// semi-definite.
pub fn covering_roots(site: &Site, damping_per_stiffness: f64) -> Result<Vec<Complex<f64>>, Failure> {
    let Site { system, environment, state } = site;
    let mut workspace = Workspace::new(system);
    let lambda = vec![0.0; system.multipliers()];
    let [mass, damping, stiffness] = system.kinetics().tangent_blocks(environment, state, &lambda, &mut workspace)?;
    // Factorises the matrix of accelerations, with which the solutions below are computed.
    system.kinetics().accelerations(environment, &mut (*state).clone(), &mut workspace)?;
    let (damping, turned_c) = symmetric(system, &damping);
    let (stiffness, turned_k) = symmetric(system, &stiffness);
    let largest_k = largest(system, &mut workspace, &mass, &stiffness)?;
    let largest_c = largest(system, &mut workspace, &mass, &damping)?;
    let least = if turned_c || turned_k { 0.0 } else { damping_per_stiffness };
    let mut roots = Vec::new();
    let squares = (0..FREQUENCIES).map(|j| largest_k * 0.25f64.powi(j));
    for k in squares.filter(|k| *k > 0.0) {
        let from = (least * k).min(largest_c);
        let between = RATIOS.iter().map(|ratio| 2.0 * ratio * k.sqrt()).filter(|c| *c > from && *c < largest_c);
        for c in [from].into_iter().chain(between).chain([largest_c]) {
            roots.extend(roots_of(c, k));
        }
    }
    if largest_c > 0.0 {
        roots.push(Complex::new(-largest_c, 0.0));
    }
    Ok(roots)
}

/// The roots of `s^2 + c s + k` with Im s >= 0.
fn roots_of(c: f64, k: f64) -> Vec<Complex<f64>> {
    let discriminant = 0.25 * c * c - k;
    if discriminant < 0.0 {
        return vec![Complex::new(-0.5 * c, (-discriminant).sqrt())];
    }
    let fast = -0.5 * c - discriminant.sqrt();
    vec![Complex::new(fast, 0.0), Complex::new(if fast == 0.0 { 0.0 } else { k / fast }, 0.0)]
}

/// A symmetric matrix whose quadratic form bounds that of a matrix, and whether the matrix itself
/// is not symmetric: the absolute value of each entry of the skew part is added to the diagonals of
/// its row and column.
fn symmetric(system: &System, matrix: &Blocks) -> (Blocks, bool) {
    let (mut symmetric, skew) = matrix.split_symmetric();
    let length = system.scales().length;
    let unit = |i: usize| if system.layout().is_rotation(i) { 1.0 } else { length };
    let size = symmetric.iter().flat_map(|(.., block)| block.as_flattened()).fold(0.0f64, |a, x| a.max(x.abs()));
    let mut turned = false;
    for (row, column, x) in skew {
        symmetric.add_diagonal(row, 0.5 * x * unit(column) / unit(row));
        symmetric.add_diagonal(column, 0.5 * x * unit(row) / unit(column));
        turned |= x > 1e-12 * size;
    }
    (symmetric, turned)
}

/// An upper bound of the largest absolute eigenvalue of a symmetric matrix with respect to M on the
/// constraints.
fn largest(system: &System, workspace: &mut Workspace, mass: &Blocks, matrix: &Blocks) -> Result<f64, Failure> {
    if matrix.iter().next().is_none() {
        return Ok(0.0);
    }
    let dofs = system.dofs();
    let scale = 1.0 / system.scales().mass;
    // x = P M^-1 f, through the factorised matrix.
    let mut solve = |f: &[f64], x: &mut Vec<f64>| {
        workspace.solution.fill(0.0);
        workspace.solution.iter_mut().zip(f).for_each(|(x, f)| *x = scale * f);
        workspace.solve();
        x.clear();
        x.extend_from_slice(&workspace.solution[..dofs]);
        match x.iter().position(|x| !x.is_finite()) {
            Some(unknown) => Err(Failure::NotFinite { unknown, iterations: 0 }),
            None => Ok(()),
        }
    };
    let mut product = vec![0.0; dofs];
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let mut seed = 1u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    // The start is in the range of P M^-1 A, which is invariant under the iteration.
    let length = system.scales().length;
    let noise: Vec<f64> =
        (0..dofs).map(|i| if system.layout().is_rotation(i) { random() / length } else { random() }).collect();
    matrix.multiply(&noise, &mut product);
    let mut x = Vec::new();
    solve(&product, &mut x)?;
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut times_mass: Vec<Vec<f64>> = Vec::new();
    let (mut diagonal, mut beside) = (Vec::new(), Vec::new());
    let mut found = 0.0f64;
    for step in 0..STEPS.min(dofs) {
        mass.multiply(&x, &mut product);
        let norm = dot(&x, &product).max(0.0).sqrt();
        if norm == 0.0 || (step > 0 && norm <= 1e-14 * found) {
            break;
        }
        if step > 0 {
            beside.push(norm);
        }
        basis.push(x.iter().map(|x| x / norm).collect());
        times_mass.push(product.iter().map(|x| x / norm).collect());
        let last = &basis[step];
        matrix.multiply(last, &mut product);
        diagonal.push(dot(last, &product));
        solve(&product, &mut x)?;
        // Twice, against all vectors, because rounding brings back converged ones.
        for _ in 0..2 {
            for (v, m_v) in basis.iter().zip(&times_mass) {
                let part = dot(&x, m_v);
                x.iter_mut().zip(v).for_each(|(x, v)| *x -= part * v);
            }
        }
        mass.multiply(&x, &mut product);
        let next = dot(&x, &product).max(0.0).sqrt();
        let n = diagonal.len();
        let tridiagonal = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
            0 => diagonal[i],
            1 => beside[i.min(j)],
            _ => 0.0,
        });
        let eigen = tridiagonal.symmetric_eigen();
        let at =
            eigen.eigenvalues.iter().enumerate().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).map_or(0, |(k, _)| k);
        let residual = next * eigen.eigenvectors[(n - 1, at)].abs();
        found = eigen.eigenvalues[at].abs();
        if step > 7 && residual <= SETTLED * found || step + 1 == STEPS {
            found += residual;
            break;
        }
    }
    // A small space that was exhausted gives the exact eigenvalue.
    Ok(found * (1.0 + MARGIN))
}
