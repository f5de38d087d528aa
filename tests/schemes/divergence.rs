//! Which steps of beuler, midpoint and anderson are refused as divergent: no step of an oscillator
//! whose recursion decays, at any phase of the motion, and some step of every run whose recursion
//! grows (of midpoint, which does not damp: also if the iteration grows).
//!
//! With s a root of the oscillator, lambda = k h s, k = 1 or 1/2: a substep of weight f multiplies
//! the residual of the formula by 1 - f + f lambda, all N by P = lambda product(1 - f_m + f_m
//! lambda), and the step multiplies the motion by R = 1 + (lambda/k)(1 - lambda P)/(1 - lambda).

use crate::amplification::weight;
use crate::models::*;
use pintle::Error;

const W: f64 = 1.7;

/// P and R at a root.
pub fn factors(family: &str, code: bool, substeps: usize, root: C) -> [C; 2] {
    let (one, k) = (C(1.0, 0.0), if family == "midpoint" { 0.5 } else { 1.0 });
    let z = root.times(k);
    let f = |m| if family == "anderson" { 1.0 } else { weight(code, [0.9, 0.0], m, substeps) };
    let left = (0..substeps - 1).fold(z, |p, m| p * (C(1.0 - f(m), 0.0) + z.times(f(m))));
    [left, one + z.times(1.0 / k) * (one - z * left) / (one - z)]
}

/// One step of the recursion from (y, y'); anderson from its third substep on takes the differences
/// of all before.
fn exact(family: &str, substeps: usize, y: [f64; 2], zeta: f64, h: f64) -> [f64; 2] {
    let k = if family == "midpoint" { 0.5 } else { 1.0 };
    let rate = |y: [f64; 2]| [y[1], -W * W * y[0] - 2.0 * zeta * W * y[1]];
    let mut f = rate(y);
    let mut before = None;
    for m in 0..substeps {
        let g = rate([0, 1].map(|i| y[i] + k * h * f[i]));
        let r = [0, 1].map(|i| g[i] - f[i]);
        let next = match (family, before) {
            _ if m + 1 == substeps => g,
            ("anderson", Some((old, r_old))) => {
                // one difference: gamma = (dr, r)/(dr, dr), rates over h against accelerations
                let (df, dr): ([f64; 2], [f64; 2]) = (difference(f, old), difference(r, r_old));
                let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] / (h * h) + a[1] * b[1];
                let gamma = dot(dr, r) / dot(dr, dr);
                [0, 1].map(|i| g[i] - gamma * (df[i] + dr[i]))
            }
            ("anderson", None) => g,
            _ => {
                let part = weight(true, [0.9, 0.0], m, substeps);
                [0, 1].map(|i| f[i] + part * r[i])
            }
        };
        before = Some((f, r));
        f = next;
    }
    [0, 1].map(|i| y[i] + h * f[i])
}

fn difference(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

/// The oscillator at a phase of its motion, with an amplitude of 1 m or 1e-6 rad: turns that grow
/// stay far below half a turn.
fn at_phase(along: Along, zeta: f64, phase: f64, scheme: &str) -> pintle::Simulation {
    let amplitude = if matches!(along, Along::Turn) { 1e-6 } else { 1.0 };
    let start = [phase.cos(), -W * phase.sin()].map(|x| amplitude * x);
    oscillator(along, W, zeta, start, scheme, &[("abs_tolerance", 0.0), ("rel_tolerance", 0.0)])
}

const FAMILIES: [&str; 3] = ["beuler", "midpoint", "anderson"];
const PHASES: usize = 12;

fn phases() -> impl Iterator<Item = f64> {
    (0..PHASES).map(|n| std::f64::consts::TAU * n as f64 / PHASES as f64)
}

/// Roots of the oscillator over w: a pair, or two real ones.
fn roots(zeta: f64) -> [C; 2] {
    let d = zeta * zeta - 1.0;
    let (re, im) = (d.max(0.0).sqrt(), (-d).max(0.0).sqrt());
    [C(-zeta + re, im), C(-zeta - re, -im)]
}

#[test]
fn no_step_of_a_decaying_oscillator_is_refused() {
    let mut count = 0;
    for family in FAMILIES {
        for substeps in 1..=5 {
            for zeta in [0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0, 1.5] {
                for wh in [0.1, 0.3, 0.5, 0.7, 0.9, 1.1, 1.4, 1.8] {
                    let grows = |root: C| factors(family, true, substeps, root.times(wh))[1].size() > 1.0;
                    // accelerated substeps have no factor of their own; their iteration contracts
                    // without acceleration, too
                    let accelerated = family == "anderson" && substeps > 2;
                    let fastest = roots(zeta).map(C::size).into_iter().fold(0.0, f64::max);
                    if (accelerated && wh * fastest >= 1.0) || roots(zeta).into_iter().any(grows) {
                        continue;
                    }
                    for phase in phases() {
                        let scheme = format!("{family}{substeps}");
                        let mut sim = at_phase(Along::X, zeta, phase, &scheme);
                        let claim = format!("{scheme}, zeta {zeta}, w h {wh}, phase {phase:.2}");
                        let mut y = [phase.cos(), -W * phase.sin()];
                        let mut largest = 1.0f64;
                        for n in 0..40 {
                            sim.step(wh / W).unwrap_or_else(|error| panic!("{claim}, step {n}: {error}"));
                            y = exact(family, substeps, y, zeta, wh / W);
                            let [x, v, _] = motion(&sim, Along::X);
                            largest = largest.max(x.abs()).max(v.abs() / W);
                            // written down for one difference
                            let compared = family != "anderson" || substeps <= 3;
                            let off = (x - y[0]).abs().max((v - y[1]).abs() / W);
                            // a step rounds some units of its largest number, and later steps carry
                            // them no further than the motion, over the largest angle between the
                            // eigenvectors' directions (a double root: n steps)
                            assert!(
                                !compared || off < 64.0 * f64::EPSILON * ((n + 1) * (n + 1)) as f64 * largest,
                                "{claim}, step {n}: off {off:e}"
                            );
                        }
                        let [x, v, _] = motion(&sim, Along::X);
                        assert!(x.hypot(v / W) < largest, "{claim}: does not decay from {largest}");
                        count += 1;
                    }
                }
            }
        }
    }
    println!("{count} decaying oscillators");
    assert!(count >= 2430);
}

#[test]
fn every_oscillator_that_its_iteration_makes_grow_is_refused() {
    let (mut count, mut later) = (0, 0);
    for family in FAMILIES {
        for substeps in [1, 2, 3, 5, 8, 20] {
            for zeta in [0.0, 0.05, 0.3, 0.7, 1.0] {
                for wh in [1.1, 1.5, 2.0, 3.0, 5.0, 9.0, 20.0, 60.0] {
                    // near 1 a run grows too slowly to be refused within a few steps
                    let grows = |root: C| {
                        let [left, step] = factors(family, true, substeps, root.times(wh)).map(C::size);
                        (family != "midpoint" || left > 1.05) && step > 1.05
                    };
                    if (family == "anderson" && substeps > 2) || !roots(zeta).into_iter().any(grows) {
                        continue;
                    }
                    for (along, phase) in phases().map(|phase| (Along::X, phase)).chain([(Along::Turn, 0.3)]) {
                        let scheme = format!("{family}{substeps}");
                        let mut sim = at_phase(along, zeta, phase, &scheme);
                        let refused = (0..3).find_map(|n| sim.step(wh / W).err().map(|error| (n, error)));
                        let claim = format!("{scheme} along {along:?}, zeta {zeta}, w h {wh}, phase {phase:.2}");
                        match refused {
                            Some((n, Error::Diverged { .. } | Error::Unstable { .. })) => later += usize::from(n > 0),
                            // A turn that grows within the step.
                            Some((n, Error::TooFar { .. })) if matches!(along, Along::Turn) => {
                                later += usize::from(n > 0)
                            }
                            other => panic!("{claim}: {other:?}"),
                        }
                        count += 1;
                    }
                }
            }
        }
    }
    println!("{count} growing oscillators refused, {later} of them not in the first step");
    assert!(count >= 2430 && later < count / 100);
}
