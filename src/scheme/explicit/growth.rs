//! Whether the iteration of beuler, midpoint and anderson diverges: judged by its modes, because
//! norms of changes mislead.
//!
//! On a linear system an unrelaxed substep multiplies the error, `r = G(F) - F`, by a matrix J
//! whose eigenvalues are `k h s`, s the roots of the system. A norm of r, of rates and
//! accelerations, oscillates with the phase of the motion (an oscillator whose acceleration crosses
//! zero has none in the first r, and a large one in the next), so that a contracting iteration may
//! seem to grow for some substeps. The component of a mode in r does not oscillate: each substep
//! multiplies it by a number. Therefore a doubtful step continues the iteration without relaxation
//! until three successive r fulfil one recursion `r2 = alpha r1 + beta r0`, as Krylov vectors of
//! the fastest mode do; the roots of the recursion are the eigenvalues. From these follow the
//! factor P of the whole iteration, and that of the step,
//! `R = 1 + (lambda/k) (1 - lambda P)/(1 - lambda)`. A step is refused if a mode grows because the
//! iteration does not converge, see `grows`.

use super::anderson::Norm;
use super::numbers::Numbers;
use super::relaxation;
use super::stage;
use crate::scheme::name::Implicit;
use crate::scheme::{Memory, Point, Problem, Report};
use crate::system::Failure;
use nalgebra::Complex;

/// Most substeps of the continued iteration.
const MOST: usize = 8;

/// Largest relative residual of the recursion with which its roots are accepted at once, and after
/// all substeps.
const FITS: [f64; 2] = [1e-3, 0.3];

/// Determinant of two vectors, relative to their sizes, below which they are parallel: a single
/// real root.
const PARALLEL: f64 = 1e-12;

/// Whether the iteration that ended at the rates `stages.rates[0]` diverged. Errors: a load
/// callback failed.
pub fn confirmed(
    scheme: (Implicit, u32),
    problem: &Problem,
    from: &Point,
    norm: &Norm,
    memory: &mut Memory,
    report: &mut Report,
) -> Result<bool, Failure> {
    match judge(scheme, problem, from, norm, memory, report) {
        Err(failure @ Failure::Callback { .. }) => Err(failure),
        // Numbers that overflow.
        Err(_) => Ok(true),
        grew => grew,
    }
}

/// Indices of lists among the rates of the stages: F, the residual of the recursion, successive r,
/// the first and the last r.
const F: usize = 0;
const WORK: usize = 1;
const R: [usize; 3] = [2, 3, 4];
const BEGIN: usize = 5;
const END: usize = 6;
const EVALUATED: usize = 7;

/// The same, with all failures.
fn judge(
    scheme: (Implicit, u32),
    problem: &Problem,
    from: &Point,
    norm: &Norm,
    memory: &mut Memory,
    report: &mut Report,
) -> Result<bool, Failure> {
    let k = scheme.0.ahead();
    // Accelerated substeps have no factor of their own: their first and last r are compared.
    let accelerated = scheme.0 == Implicit::Anderson && scheme.1 > 2;
    if accelerated {
        let stage::Stages { rates, start, .. } = &mut memory.stages;
        rates[WORK].copy_from(start);
        substep(k, problem, from, [WORK, BEGIN], memory, report)?;
    }
    substep(k, problem, from, [F, R[0]], memory, report)?;
    let lists = &mut memory.stages.rates;
    let (before, after) = lists.split_at_mut(END);
    after[0].copy_from(&before[R[0]]);
    substep(k, problem, from, [F, R[1]], memory, report)?;
    for left in (0..MOST).rev() {
        substep(k, problem, from, [F, R[2]], memory, report)?;
        let [_, work, r0, r1, r2, begin, end, ..] = &mut memory.stages.rates[..] else { return Ok(true) };
        let [beta, alpha] = coordinates(norm, [r0, r1], r2);
        work.copy_from(r2);
        work.add(-alpha, r1);
        work.add(-beta, r0);
        let [beside, size] = [&*work, &*r2].map(|r| norm.dot(r, r).sqrt());
        if !(beside + size).is_finite() {
            return Ok(true);
        }
        if beside <= FITS[usize::from(left == 0)] * size {
            let roots = roots(alpha, beta);
            if accelerated {
                let [begin, end] = [&*begin, &*end].map(|r| parts(coordinates(norm, [r0, r1], r), roots));
                return Ok(end > begin);
            }
            return Ok(roots.into_iter().any(|root| grows(scheme, problem, root, k)));
        }
        std::mem::swap(r0, r1);
        std::mem::swap(r1, r2);
    }
    Ok(true)
}

/// One substep without relaxation: `r = G(F) - F` (zero for bodies that are not free), and F is
/// replaced by F + r.
fn substep(
    k: f64,
    problem: &Problem,
    from: &Point,
    [f, r]: [usize; 2],
    memory: &mut Memory,
    report: &mut Report,
) -> Result<(), Failure> {
    let stage::Stages { y, rates, .. } = &mut memory.stages;
    y.set_moved(&from.state, k * problem.step, &rates[f]);
    stage::evaluate(problem, from, k, memory, report, EVALUATED)?;
    let lists = &mut memory.stages.rates;
    lists.swap(r, EVALUATED);
    let Ok([rates, r]) = lists.get_disjoint_mut([f, r]) else { return Ok(()) };
    r.add(-1.0, rates);
    for node in problem.system.nodes().imposed() {
        let range = from.state.layout.velocities(node);
        r.u[range.clone()].fill(0.0);
        r.v[range].fill(0.0);
    }
    rates.add(1.0, r);
    Ok(())
}

/// The least squares solution of `x a + y b = c`; y alone where a and b are parallel.
fn coordinates(norm: &Norm, [a, b]: [&Numbers; 2], c: &Numbers) -> [f64; 2] {
    let (aa, ab, bb) = (norm.dot(a, a), norm.dot(a, b), norm.dot(b, b));
    let (ac, bc) = (norm.dot(a, c), norm.dot(b, c));
    let determinant = aa * bb - ab * ab;
    if determinant > PARALLEL * aa * bb {
        return [(bb * ac - ab * bc) / determinant, (aa * bc - ab * ac) / determinant];
    }
    [0.0, if bb > 0.0 { bc / bb } else { 0.0 }]
}

/// Roots of `lambda^2 = alpha lambda + beta`.
fn roots(alpha: f64, beta: f64) -> [Complex<f64>; 2] {
    let middle = Complex::new(0.5 * alpha, 0.0);
    let half = Complex::new(0.25 * alpha * alpha + beta, 0.0).sqrt();
    [middle + half, middle - half]
}

/// The larger component of a mode in `x r0 + y r1`: with r1 = J r0 that is `x + lambda y`.
fn parts([x, y]: [f64; 2], roots: [Complex<f64>; 2]) -> f64 {
    roots.into_iter().map(|root| (root * y + x).norm()).fold(0.0, f64::max)
}

/// P: the factor by which all substeps of a step multiply the error of a mode. The last substep is
/// not relaxed.
fn left_by((formula, substeps): (Implicit, u32), problem: &Problem, root: Complex<f64>) -> Complex<f64> {
    (0..substeps - 1).fold(root, |product, m| {
        let f = match formula {
            Implicit::Anderson => 1.0,
            _ => relaxation::weight(problem.settings, formula, m, substeps),
        };
        product * (root * f + (1.0 - f))
    })
}

/// Whether a step is refused for a mode: the step multiplies it by more than 1, and either the
/// iteration does so too, or the formula, solved exactly, would not (`F* = s y/(1 - lambda)`; the
/// substeps give `F = F* (1 - lambda P)`). midpoint neither damps nor amplifies oscillations, so
/// that a small growth is not a failure of its iteration.
fn grows(scheme: (Implicit, u32), problem: &Problem, root: Complex<f64>, k: f64) -> bool {
    let (one, left) = (Complex::new(1.0, 0.0), left_by(scheme, problem, root));
    let step = (one + root / k * (one - root * left) / (one - root)).norm();
    let formula_damps = scheme.0 != Implicit::Midpoint && (one - root).norm() >= 1.0;
    (step > 1.0 || step.is_nan()) && (formula_damps || left.norm() > 1.0)
}
