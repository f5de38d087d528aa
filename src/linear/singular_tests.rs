//! All factorisations report the same singular matrices.

use super::matrix_tests::noise;
use super::*;

/// Masses of bodies in units of the largest, that of the last one without one about an axis that is
/// none of the axes; constraints of neighbours, the last one maybe given twice; factors of rows and
/// columns.
fn saddle_point(bodies: usize, fault: &str, unit: f64) -> (usize, Vec<(usize, usize, f64)>) {
    let mut seed = bodies as u64;
    let (n, m) = (3 * bodies, bodies - 1 + usize::from(fault == "constraint twice"));
    let mut entries = Vec::new();
    for body in 0..bodies {
        let mass = if body % 3 == 1 { unit } else { 1.0 };
        let axis = [0.48, 0.6, 0.64];
        for i in 0..3 {
            for j in 0..3 {
                let whole = if i == j { 1.0 } else { 0.0 };
                let without = fault == "no inertia about an axis" && body + 1 == bodies;
                entries.push((
                    3 * body + i,
                    3 * body + j,
                    mass * (whole - if without { axis[i] * axis[j] } else { 0.0 }),
                ));
            }
        }
    }
    for k in 0..m {
        // The faulty body has no constraint.
        let (a, b) = (k.min(bodies - 2), (k.min(bodies - 2) + 1).min(bodies - 2));
        for body in if a == b { vec![a] } else { vec![a, b] } {
            for i in 0..3 {
                let x = if k < bodies - 1 { noise(&mut seed) } else { 0.0 };
                let twice = |(row, column, x): &(usize, usize, f64)| {
                    (*row == n + k - 1 && *column == 3 * body + i).then_some(3.0 * x)
                };
                let x = if k < bodies - 1 { x } else { entries.iter().find_map(twice).unwrap_or(0.0) };
                entries.push((n + k, 3 * body + i, x));
                entries.push((3 * body + i, n + k, x));
            }
        }
    }
    (n + m, entries)
}

#[test]
fn singular_is_told_alike_at_every_size_and_scale() {
    for bodies in [3, 10, 25, 60, 250] {
        for unit in [1.0, 1e-12, 1e12] {
            for fault in ["none", "no inertia about an axis", "constraint twice"] {
                let (n, entries) = saddle_point(bodies, fault, unit);
                let mut dense = Dense::new(n);
                entries.iter().for_each(|(i, j, x)| dense.add(*i, *j, &[[*x]]));
                let mut sparse = Sparse::new(n);
                entries.iter().for_each(|(i, j, x)| sparse.add(*i, *j, &[[*x]]));
                let mut kkt = Kkt::new(vec![3; bodies], n - 3 * bodies);
                entries.iter().for_each(|(i, j, x)| kkt.add(*i, *j, &[[*x]]));
                let found = [dense.factorize(), sparse.factorize(), kkt.factorize()];
                for (path, found) in ["dense", "sparse", "blocks"].into_iter().zip(found) {
                    let claim = format!("{path}, {bodies} bodies, unit {unit:e}, fault: {fault}");
                    assert_eq!(found.is_ok(), fault == "none", "{claim}: {found:?}");
                    let column = found.err().map(|singular| singular.column.unwrap());
                    let of_fault = |column: usize| match fault {
                        "constraint twice" => column >= 3 * bodies || column / 3 + 1 < bodies,
                        _ => column / 3 + 1 == bodies,
                    };
                    assert!(column.is_none_or(of_fault), "{claim}: column {column:?}");
                }
            }
        }
    }
}

#[test]
fn singular_matrices_are_reported_not_passed() {
    for n in [6, 12, 18, 102] {
        let mut m = Kkt::new(vec![6; n / 6], 0);
        for fill in [true, false, true] {
            let value = |i: usize| if i != 4 || fill { 1.0 } else { 0.0 };
            m.clear();
            (0..n).for_each(|i| m.add(i, i, &[[value(i)]]));
            assert_eq!(m.factorize().is_ok(), fill, "n = {n}");
        }
    }
}
