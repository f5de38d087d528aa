//! Right solutions on all graphs and at all scales.

use super::*;

/// Deterministic numbers in (-1, 1).
pub(super) fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// A saddle point: widths of its nodes, and constraints as the nodes that they tie.
pub(super) struct Model {
    pub(super) widths: Vec<usize>,
    /// Joints: nodes, number of constraints.
    pub(super) joints: Vec<(Vec<usize>, usize)>,
    /// Nodes coupled by springs.
    pub(super) springs: Vec<[usize; 2]>,
    /// Bodies whose rotations are coupled.
    pub(super) turns: Vec<[usize; 2]>,
    /// Largest power of ten of a mass, up and down.
    pub(super) decades: f64,
    /// Whether three constraints hold points together: their gradients over translations are unit
    /// matrices, of the first node with a minus where there are two.
    pub(super) holds_points: bool,
    /// Size of lengths: moments of inertia have its square, arms of constraints itself.
    pub(super) length: f64,
}

/// One call of an assembly: (row, column), and 6 x 6, 6 x 1 or 1 x 6 entries by columns, or those
/// of 3.
pub(super) struct Part {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) rows: usize,
    pub(super) entries: Vec<f64>,
}

impl Model {
    pub(super) fn starts(&self) -> Vec<usize> {
        (0..self.widths.len()).map(|node| self.widths[..node].iter().sum()).collect()
    }

    pub(super) fn dofs(&self) -> usize {
        self.widths.iter().sum()
    }

    pub(super) fn constraints(&self) -> usize {
        self.joints.iter().map(|(_, rows)| rows).sum()
    }

    fn unit(&self, k: usize) -> f64 {
        if k < 3 { 1.0 } else { self.length }
    }

    /// Masses that dominate their rows, gyroscopic terms that are not symmetric, springs,
    /// constraints with another side of their own, each in the order in which the library
    /// assembles.
    pub(super) fn parts(&self, seed: &mut u64) -> Vec<Part> {
        let (starts, dofs) = (self.starts(), self.dofs());
        let mut parts = Vec::new();
        let block = |a: usize, b: usize, diagonal: f64, size: f64, seed: &mut u64| {
            let [rows, columns] = [a, b].map(|node| self.widths[node]);
            let entry = |i: usize, j: usize, seed: &mut u64| {
                let whole = if i == j { diagonal } else { 0.0 };
                (whole + size * noise(seed)) * self.unit(i) * self.unit(j)
            };
            let entries = (0..columns).flat_map(|j| (0..rows).map(move |i| (i, j)));
            let entries = entries.map(|(i, j)| entry(i, j, seed)).collect();
            Part { row: starts[a], column: starts[b], rows, entries }
        };
        for [a, b] in &self.springs {
            for (a, b, sign) in [(*a, *b, -1.0), (*b, *a, -1.0), (*a, *a, 1.0), (*b, *b, 1.0)] {
                parts.push(block(a, b, sign, 0.02, seed));
            }
        }
        for [a, b] in self.turns.iter().flat_map(|[a, b]| [[*a, *b], [*b, *a]]) {
            let entries = (0..9).map(|_| 0.1 * self.length * self.length * noise(seed)).collect();
            parts.push(Part { row: starts[a] + 3, column: starts[b] + 3, rows: 3, entries });
        }
        let mut equation = dofs;
        for (nodes, rows) in &self.joints {
            for k in 0..*rows {
                for node in nodes {
                    let width = self.widths[*node];
                    let is_point = self.holds_points && *rows == 3;
                    let sign = if is_point && nodes.len() > 1 && *node == nodes[0] { -1.0 } else { 1.0 };
                    let gradient = |seed: &mut u64| -> Vec<f64> {
                        let of = |i: usize, seed: &mut u64| match is_point && i < 3 {
                            true => {
                                if i == k {
                                    sign
                                } else {
                                    0.0
                                }
                            }
                            false => (if i == k % width { 1.0 } else { 0.4 * noise(seed) }) * self.unit(i),
                        };
                        (0..width).map(|i| of(i, seed)).collect()
                    };
                    let column = gradient(seed);
                    let other = |(i, x): (usize, &f64)| match is_point && i < 3 {
                        true => *x,
                        false => x * (1.0 + 0.05 * noise(seed)),
                    };
                    let row = column.iter().enumerate().map(other).collect();
                    parts.push(Part { row: starts[*node], column: equation + k, rows: width, entries: column });
                    parts.push(Part { row: equation + k, column: starts[*node], rows: 1, entries: row });
                }
            }
            equation += rows;
        }
        for node in 0..self.widths.len() {
            let mass = 10f64.powf(self.decades * noise(seed));
            parts.push(block(node, node, 2.0 * mass, 0.2 * mass, seed));
        }
        parts
    }
}

pub(super) fn enter(parts: &[Part], into: &mut impl Assemble) {
    for part in parts {
        let columns = part.entries.len() / part.rows;
        match (part.rows, columns) {
            (6, 6) => into.add(part.row, part.column, &std::array::from_fn::<[f64; 6], 6, _>(|j| entries_of(part, j))),
            (3, 3) => into.add(part.row, part.column, &std::array::from_fn::<[f64; 3], 3, _>(|j| entries_of(part, j))),
            (6, 3) => into.add(part.row, part.column, &std::array::from_fn::<[f64; 6], 3, _>(|j| entries_of(part, j))),
            (3, 6) => into.add(part.row, part.column, &std::array::from_fn::<[f64; 3], 6, _>(|j| entries_of(part, j))),
            (6, 1) => into.add(part.row, part.column, &std::array::from_fn::<[f64; 6], 1, _>(|j| entries_of(part, j))),
            (3, 1) => into.add(part.row, part.column, &std::array::from_fn::<[f64; 3], 1, _>(|j| entries_of(part, j))),
            (1, 6) => into.add(part.row, part.column, &std::array::from_fn::<[f64; 1], 6, _>(|j| entries_of(part, j))),
            (1, 3) => into.add(part.row, part.column, &std::array::from_fn::<[f64; 1], 3, _>(|j| entries_of(part, j))),
            (rows, columns) => {
                for (k, x) in part.entries.iter().enumerate() {
                    debug_assert!(k < rows * columns);
                    into.add(part.row + k % rows, part.column + k / rows, &[[*x]]);
                }
            }
        }
    }
}

fn entries_of<const R: usize>(part: &Part, column: usize) -> [f64; R] {
    std::array::from_fn(|i| part.entries[R * column + i])
}

/// The largest of |b - A x| of a solution, in terms of the largest |A| |x| of a row.
pub(super) fn residual(parts: &[Part], x: &[f64], b: &[f64]) -> f64 {
    let (mut rest, mut sizes) = (b.to_vec(), vec![0.0; b.len()]);
    for part in parts {
        for (k, a) in part.entries.iter().enumerate() {
            let (row, column) = (part.row + k % part.rows, part.column + k / part.rows);
            rest[row] -= a * x[column];
            sizes[row] += (a * x[column]).abs();
        }
    }
    let largest = |x: &[f64]| x.iter().fold(0.0f64, |a, x| if x.is_nan() { f64::NAN } else { a.max(x.abs()) });
    largest(&rest) / largest(&sizes).max(largest(b))
}

const JOINTS: [usize; 6] = [3, 5, 6, 1, 4, 2];

pub(super) fn chain(bodies: usize) -> Model {
    let joint = |k: usize| (if k == 0 { vec![0] } else { vec![k - 1, k] }, JOINTS[k % 6]);
    Model {
        widths: vec![6; bodies],
        joints: (0..bodies).map(joint).collect(),
        springs: Vec::new(),
        turns: Vec::new(),
        holds_points: false,
        decades: 0.0,
        length: 1.0,
    }
}

fn tree(bodies: usize, branches: usize) -> Model {
    let joint = |k: usize| (if k == 0 { vec![0] } else { vec![k, (k - 1) / branches] }, JOINTS[k % 6]);
    Model { joints: (0..bodies).map(joint).collect(), ..chain(bodies) }
}

/// A chain of spherical joints whose end is held too.
pub(super) fn closed(bodies: usize) -> Model {
    let mut model = chain(bodies);
    model.joints.iter_mut().for_each(|(_, rows)| *rows = 3);
    model.joints.push((vec![bodies - 1], 3));
    model
}

/// The same graph with spherical joints alone.
pub(super) fn spherical(model: Model) -> Model {
    let joints = model.joints.into_iter().map(|(nodes, _)| (nodes, 3)).collect();
    Model { joints, holds_points: true, ..model }
}

/// Rotations of all bodies that share a joint are coupled.
pub(super) fn turned(model: Model) -> Model {
    let turns =
        model.joints.iter().filter(|(nodes, _)| nodes.len() == 2).map(|(nodes, _)| [nodes[0], nodes[1]]).collect();
    Model { turns, ..model }
}

/// Two rails of bodies with rungs between them.
fn ladder(rungs: usize) -> Model {
    let mut model = chain(2 * rungs);
    model.joints = (0..rungs)
        .flat_map(|k| {
            let rails = [0, 1].map(|side| (if k == 0 { vec![side] } else { vec![2 * k - 2 + side, 2 * k + side] }, 3));
            rails.into_iter().chain([(vec![2 * k, 2 * k + 1], 1)])
        })
        .collect();
    model
}

/// A line of points: each coupled with the next two.
fn line(points: usize) -> Model {
    let next = |by: usize| (0..points - by).map(move |k| [k, k + by]);
    Model { widths: vec![3; points], joints: vec![(vec![0], 3)], springs: next(1).chain(next(2)).collect(), ..chain(0) }
}

/// A platform of 6 unknowns with lines that hang on it and end at the ground.
fn moored(lines: usize, points: usize) -> Model {
    let mut model = Model { widths: vec![6; 1], joints: Vec::new(), ..chain(0) };
    for line in 0..lines {
        let first = 1 + line * points;
        model.widths.extend(vec![3; points]);
        model.joints.push((vec![0, first], 3));
        model.joints.push((vec![first + points - 1], 3));
        model.springs.extend((first..first + points - 1).map(|k| [k, k + 1]));
        model.springs.extend((first..first + points - 2).map(|k| [k, k + 2]));
    }
    model
}

/// A platform that lines couple with as springs do: nodes coupled with the next `band`, the first
/// and the last ones with the platform; `both`: also the last ones.
fn sprung(lines: usize, points: usize, band: usize, both: bool) -> Model {
    let mut model = Model { widths: vec![6; 1], joints: Vec::new(), ..chain(0) };
    for line in 0..lines {
        let first = 1 + line * points;
        model.widths.extend(vec![3; points]);
        model.springs.extend((0..band).map(|k| [0, first + k]));
        model.springs.extend((0..band).filter(|_| both).map(|k| [0, first + points - 1 - k]));
        model.springs.extend((1..=band).flat_map(|by| (first..first + points - by).map(move |k| [k, k + by])));
    }
    model
}

/// A square of points, each tied to its neighbours by a distance.
fn net(side: usize, rows: usize) -> Model {
    let at = move |i: usize, j: usize| side * i + j;
    let across = (0..side).flat_map(move |i| (0..side - 1).map(move |j| (vec![at(i, j), at(i, j + 1)], rows)));
    let along = (0..side - 1).flat_map(move |i| (0..side).map(move |j| (vec![at(i, j), at(i + 1, j)], rows)));
    Model { widths: vec![6; side * side], joints: across.chain(along).collect(), ..chain(0) }
}

pub(super) fn graphs() -> Vec<(&'static str, Model)> {
    let gear = |mut model: Model| {
        model.joints.push((vec![1, 2, 4], 1));
        model
    };
    vec![
        ("chain of 2", chain(2)),
        ("chain of 7", chain(7)),
        ("chain of 40", chain(40)),
        ("chain of 7 with a gear", gear(tree(7, 2))),
        ("binary tree of 31", tree(31, 2)),
        ("star of 30", tree(30, 30)),
        ("closed chain of 5", closed(5)),
        ("closed chain of 40", closed(40)),
        ("ladder of 20", ladder(20)),
        ("chain of 7 that turns", turned(chain(7))),
        ("tree of 31 that turns", turned(tree(31, 2))),
        ("star of 30 that turns", turned(tree(30, 30))),
        ("closed chain of 40 that turns", turned(closed(40))),
        ("chain of 7 that turns, some on springs", Model { springs: vec![[2, 3], [3, 4], [0, 1]], ..turned(chain(7)) }),
        // The body in the middle couples with one neighbour by rotations, with the other by all.
        (
            "joint between coupled bodies",
            Model {
                joints: vec![(vec![0], 6), (vec![2], 6), (vec![0, 1], 3)],
                springs: vec![[1, 2]],
                turns: vec![[0, 1]],
                ..chain(3)
            },
        ),
        ("one body on a spherical joint", spherical(chain(1))),
        ("chain of 40 spherical joints", spherical(chain(40))),
        ("tree of 31 spherical joints", spherical(tree(31, 2))),
        ("star of 30 spherical joints", spherical(tree(30, 30))),
        ("closed chain of 40 spherical joints", Model { holds_points: true, ..closed(40) }),
        ("ladder of 20 spherical joints", Model { holds_points: true, ..ladder(20) }),
        (
            "chain of 7 spherical joints on springs",
            Model { springs: vec![[2, 3], [3, 4], [0, 1]], ..spherical(chain(7)) },
        ),
        ("line of 30", line(30)),
        ("3 moored lines of 10", moored(3, 10)),
        ("3 lines of 10 on springs", sprung(3, 10, 1, false)),
        ("2 lines of 10 in bending, held at both ends", sprung(2, 10, 2, true)),
        (
            "free line of bodies",
            Model { joints: Vec::new(), springs: vec![[0, 1], [1, 2], [2, 3], [0, 3]], ..chain(5) },
        ),
        // Masses that two bodies share, next to each other and far apart.
        ("chain of 7 with coupled masses", Model { springs: vec![[0, 1], [2, 5]], ..chain(7) }),
        (
            "chain of nodes of all widths",
            Model {
                widths: vec![6, 5, 4, 3, 2, 1, 2, 3, 4, 5, 6],
                joints: (0..11).map(|k| (if k == 0 { vec![0] } else { vec![k - 1, k] }, 1)).collect(),
                springs: vec![[0, 5], [1, 3], [4, 5], [8, 9]],
                ..chain(0)
            },
        ),
        ("net of 36", net(6, 1)),
        ("net of 64 with more constraints", net(8, 2)),
    ]
}

#[test]
fn residuals_are_those_of_dense_lu_on_all_graphs_and_scales() {
    let (mut worst, mut ways) = (0.0f64, std::collections::BTreeSet::new());
    for (name, mut model) in graphs() {
        for (decades, length) in [(0.0, 1.0), (1.0, 1e-3), (1.0, 1e3), (3.0, 1.0), (6.0, 1.0), (6.0, 1e3)] {
            (model.decades, model.length) = (decades, length);
            let mut seed = 1;
            let n = model.dofs() + model.constraints();
            let mut kkt = Kkt::new(model.widths.iter().copied(), model.constraints());
            for assembly in 0..3 {
                let parts = model.parts(&mut seed);
                let mut dense = Dense::new(n);
                enter(&parts, &mut dense);
                kkt.clear();
                enter(&parts, &mut kkt);
                let b: Vec<f64> = (0..n).map(|_| noise(&mut seed)).collect();
                let claim = format!("{name}, masses of 10^+-{decades}, lengths {length:e}, assembly {assembly}");
                dense.factorize().unwrap();
                kkt.factorize().unwrap_or_else(|e| panic!("{claim}: {e:?}"));
                let (mut x, mut y) = (b.clone(), b.clone());
                dense.solve(&mut x);
                kkt.solve(&mut y);
                let [x, y] = [x, y].map(|x| residual(&parts, &x, &b));
                // Dense LU has some roundings; blocks may lose as many digits more as the masses of
                // neighbours differ in, up to where they are checked.
                let tolerance = SPREAD * f64::EPSILON;
                assert!(x < 1e-14 && y < tolerance, "{claim}: {x:.1e} {y:.1e} by {}", kkt.path_name());
                worst = worst.max(y);
                ways.insert(kkt.path_name());
            }
        }
    }
    println!("largest residual {worst:.1e}");
    // All of them have been seen to work.
    assert!(["blocks", "some blocks pivoted"].iter().all(|way| ways.contains(way)), "{ways:?}");
}

#[test]
fn a_copy_gives_the_bits_of_one_that_learnt_the_graph_itself() {
    for (name, model) in graphs() {
        let mut seed = 5;
        let n = model.dofs() + model.constraints();
        let fresh = || Kkt::new(model.widths.iter().copied(), model.constraints());
        let mut first = fresh();
        enter(&model.parts(&mut seed), &mut first);
        first.factorize().unwrap();
        let parts = model.parts(&mut seed);
        let b: Vec<f64> = (0..n).map(|_| noise(&mut seed)).collect();
        let mut copy = first.clone();
        // Also with a matrix that was factorised with other numbers before.
        let solutions = [&mut fresh(), &mut copy, &mut first].map(|kkt| {
            kkt.clear();
            enter(&parts, kkt);
            kkt.factorize().unwrap();
            let mut x = b.clone();
            kkt.solve(&mut x);
            x
        });
        assert!(solutions[1..].iter().all(|x| x == &solutions[0]), "{name}");
        assert!(residual(&parts, &solutions[0], &b) < 1e-12, "{name}");
    }
}

#[test]
fn three_right_hand_sides_have_the_solutions_of_each_by_itself() {
    let tiny = Model { joints: vec![(vec![0], 3)], ..chain(1) };
    let pivoted = ("light bodies between heavy ones", Model { decades: 6.0, ..chain(7) });
    for (name, model) in graphs().into_iter().chain([("a body and its joint", tiny), pivoted]) {
        let mut seed = 3;
        let n = model.dofs() + model.constraints();
        let mut kkt = Kkt::new(model.widths.iter().copied(), model.constraints());
        enter(&model.parts(&mut seed), &mut kkt);
        kkt.factorize().unwrap();
        let mut together: Vec<Rhs4> = (0..n).map(|_| Rhs4(std::array::from_fn(|_| noise(&mut seed)))).collect();
        let mut apart: [Vec<f64>; 4] = std::array::from_fn(|lane| together.iter().map(|b| b.0[lane]).collect());
        kkt.solve_four(&mut together, &mut vec![0.0; n]);
        apart.iter_mut().for_each(|b| kkt.solve(b));
        for (lane, apart) in apart.iter().enumerate() {
            assert!(together.iter().zip(apart).all(|(b, x)| b.0[lane].to_bits() == x.to_bits()), "{name}, {lane}");
        }
    }
}

#[test]
fn an_entry_that_is_not_finite_is_told_by_its_row() {
    for (name, model) in graphs() {
        let mut seed = 7;
        let mut kkt = Kkt::new(model.widths.iter().copied(), model.constraints());
        enter(&model.parts(&mut seed), &mut kkt);
        assert!(kkt.factorize().is_ok() && kkt.not_finite().is_none_or(|row| row.is_none()), "{name}");
        for last in [false, true] {
            let mut parts = model.parts(&mut seed);
            let k = if last { parts.len() - 1 } else { 0 };
            let Part { row, rows, entries, .. } = &mut parts[k];
            let wrong = entries.len() - 1;
            entries[wrong] = f64::INFINITY;
            let row = *row + wrong % *rows;
            kkt.clear();
            enter(&parts, &mut kkt);
            // Kernels for nodes of lines leave it to solutions to show that they are not finite.
            let fails = kkt.factorize().is_err() || name.contains("line");
            let found = kkt.not_finite();
            assert!(fails && found.is_none_or(|found| found == Some(row)), "{name}, row {row}: {found:?}");
        }
    }
}

#[test]
fn a_long_ladder_is_eliminated_by_blocks_in_operations_that_grow_with_its_length() {
    // Each rung closes a loop with the ground, all rungs share the rails.
    let count = |rungs: usize| {
        let model = ladder(rungs);
        let mut kkt = Kkt::new(model.widths.iter().copied(), model.constraints());
        let parts = model.parts(&mut 1);
        enter(&parts, &mut kkt);
        kkt.factorize().unwrap();
        assert_eq!(kkt.path_name(), "blocks", "{rungs} rungs");
        let b = vec![1.0; kkt.unknowns()];
        let mut x = b.clone();
        kkt.solve(&mut x);
        assert!(residual(&parts, &x, &b) < 1e-12, "{rungs} rungs");
        kkt.couplings() as f64 / rungs as f64
    };
    // The ends of a ladder cost less than its middle.
    assert!((count(1200) / count(300) - 1.0).abs() < 0.02);
}

/// Every constraint has a diagonal entry: zero, that of a compliant constraint (Phi - c lambda =
/// 0), or one with zero gradients, where the constraint is inactive.
#[test]
fn constraints_with_diagonal_entries_are_eliminated_by_blocks() {
    for (name, model) in graphs().into_iter().filter(|(name, model)| model.constraints() > 0 && !name.contains("net")) {
        let (mut seed, dofs) = (11, model.dofs());
        let n = dofs + model.constraints();
        let mut kkt = Kkt::new(model.widths.iter().copied(), model.constraints());
        for assembly in 0..3 {
            let is_inactive = |unknown: usize| unknown >= dofs && (unknown + assembly).is_multiple_of(5);
            let mut parts = model.parts(&mut seed);
            for part in &mut parts {
                if is_inactive(part.row) || is_inactive(part.column) {
                    part.entries.fill(0.0);
                }
            }
            for row in dofs..n {
                let yields = if (row + assembly) % 3 == 0 { -0.1 } else { 0.0 };
                let entry = if is_inactive(row) { 1.0 } else { yields };
                parts.push(Part { row, column: row, rows: 1, entries: vec![entry] });
            }
            let b: Vec<f64> = (0..n).map(|_| noise(&mut seed)).collect();
            let (mut x, mut y, mut dense) = (b.clone(), b.clone(), Dense::new(n));
            enter(&parts, &mut dense);
            dense.factorize().unwrap();
            dense.solve(&mut x);
            kkt.clear();
            enter(&parts, &mut kkt);
            kkt.factorize().unwrap();
            kkt.solve(&mut y);
            let [of_dense, of_blocks] = [&x, &y].map(|x| residual(&parts, x, &b));
            let claim = format!("{name}, assembly {assembly}: {of_dense:.1e} {of_blocks:.1e} by {}", kkt.path_name());
            // Blocks lose no more than the condition up to which they are taken unseen.
            assert!(of_dense < 1e-14 && of_blocks < SPREAD * f64::EPSILON, "{claim}");
            assert!(["dense", "blocks", "some blocks pivoted"].contains(&kkt.path_name()), "{claim}");
            assert!((dofs..n).filter(|row| is_inactive(*row)).all(|row| (y[row] - b[row]).abs() < 1e-12), "{claim}");
        }
    }
}

#[test]
fn widths_that_no_kernel_is_made_for_are_refused_at_once() {
    for width in [0, 7, 256, 262] {
        assert!(std::panic::catch_unwind(|| Kkt::new([6, width], 3)).is_err(), "{width}");
    }
}
