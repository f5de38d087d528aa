//! Loops that share bodies: time and digits must not depend on how many loops there are.

use super::matrix_tests::{Part, enter, noise, residual};
use super::*;

/// Four-bars in the plane y = 0 in series, each hung at the coupler of the one before it: bars that
/// are light about their own axes, hinges about y of five constraints, and of two where a loop
/// closes.
fn four_bars_in_series(loops: usize) -> (usize, usize, Vec<Part>) {
    let dofs = 18 * loops;
    let (mut parts, mut equation) = (Vec::new(), dofs);
    let centre = |[a, b]: [[f64; 2]; 2]| [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
    let mut coupler = None;
    for k in 0..loops {
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        let points = [[0.0, 0.0], [0.3, 1.0], [1.2, 1.2], [1.0, 0.0]].map(|[x, z]| [x + k as f64, side * z]);
        let bars = [0, 1, 2].map(|bar| (18 * k + 6 * bar, [points[bar], points[bar + 1]]));
        for (start, [a, b]) in bars {
            let length = (b[0] - a[0]).hypot(b[1] - a[1]);
            let along = [(b[0] - a[0]) / length, 0.0, (b[1] - a[1]) / length];
            let inertia = |i: usize, j: usize| match (i < 3, j < 3) {
                (true, true) | (false, false) if i == j && i < 3 => 1.0,
                (false, false) => (if i == j { 0.08 } else { 0.0 }) - 0.079 * along[i - 3] * along[j - 3],
                _ => 0.0,
            };
            let entries = (0..6).flat_map(|j| (0..6).map(move |i| inertia(i, j))).collect();
            parts.push(Part { row: start, column: start, rows: 6, entries });
        }
        let ends = [coupler, Some(bars[0]), Some(bars[1]), Some(bars[2]), coupler];
        for (joint, at) in points.into_iter().enumerate() {
            // The geometric stiffness of a joint couples the rotations of both bodies.
            if let [Some((a, _)), Some((b, _))] = [ends[joint], ends[joint + 1]] {
                for (row, column) in [(a, b), (b, a)] {
                    parts.push(Part { row: row + 3, column: column + 3, rows: 3, entries: vec![0.0; 9] });
                }
            }
            let turned = [[0.0, 0.0, 0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]];
            for row in if joint < 3 { vec![0, 1, 2, 3, 4] } else { vec![0, 2] } {
                for ((start, points), sign) in [(ends[joint], -1.0), (ends[joint + 1], 1.0)]
                    .into_iter()
                    .filter_map(|(end, sign)| Some((end?, sign)))
                {
                    let from = centre(points);
                    let arm = [at[0] - from[0], at[1] - from[1]];
                    // The velocity of the point in the direction e: that of the centre, and w .
                    // (arm x e).
                    let gradient = match row {
                        0 => [1.0, 0.0, 0.0, 0.0, arm[1], 0.0],
                        1 => [0.0, 1.0, 0.0, -arm[1], 0.0, arm[0]],
                        2 => [0.0, 0.0, 1.0, 0.0, -arm[0], 0.0],
                        _ => turned[row - 3],
                    };
                    let entries: Vec<f64> = gradient.iter().map(|x| sign * x).collect();
                    parts.push(Part { row: start, column: equation, rows: 6, entries: entries.clone() });
                    parts.push(Part { row: equation, column: start, rows: 1, entries });
                }
                equation += 1;
            }
        }
        coupler = Some(bars[1]);
    }
    (3 * loops, equation - dofs, parts)
}

/// Block elimination must work at any number of loops: at no length is another factorisation
/// needed, a block pivoted, or a solution refined.
#[test]
fn four_bars_in_series_are_eliminated_alike_at_every_length() {
    let mut couplings = Vec::new();
    for loops in [50, 200, 800, 3200] {
        let (bodies, constraints, parts) = four_bars_in_series(loops);
        let n = 6 * bodies + constraints;
        let mut kkt = Kkt::new(vec![6; bodies], constraints);
        kkt.clear();
        enter(&parts, &mut kkt);
        kkt.factorize().unwrap();
        let mut seed = 1;
        let b: Vec<f64> = (0..n).map(|i| if i < 6 * bodies { noise(&mut seed) } else { 0.0 }).collect();
        let mut x = b.clone();
        kkt.solve(&mut x);
        let rest = residual(&parts, &x, &b);
        println!("{loops} loops: {rest:.1e} by {}, {} couplings", kkt.path_name(), kkt.couplings());
        assert_eq!(kkt.path_name(), "blocks", "{loops} loops");
        assert!(rest < SPREAD * f64::EPSILON, "{loops} loops: {rest:.1e}");
        couplings.push(kkt.couplings() as f64 / loops as f64);
    }
    assert!(couplings.iter().all(|per_loop| *per_loop <= 1.1 * couplings[0]), "{couplings:?}");
}
