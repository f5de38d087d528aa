//! Dense LU, block elimination and sparse LU on the same matrices, assembled, factorised and
//! solved: the measurements behind the choice of the solver in `src/linear/matrix.rs`.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use std::time::Duration;

#[path = "../src/linear/mod.rs"]
#[allow(dead_code, unused_imports)]
mod linear;

use linear::{Assemble, Dense, Kkt, Sparse};

/// Deterministic numbers in (-1, 1).
fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Bodies, and the joints between them: one or two bodies, number of constraints.
struct Model {
    bodies: usize,
    joints: Vec<(Vec<usize>, usize)>,
}

impl Model {
    fn chain(bodies: usize) -> Model {
        let joint = |k: usize| (if k == 0 { vec![0] } else { vec![k - 1, k] }, 3);
        Model { bodies, joints: (0..bodies).map(joint).collect() }
    }

    fn closed(bodies: usize) -> Model {
        let mut model = Model::chain(bodies);
        model.joints.push((vec![bodies - 1], 3));
        model
    }

    fn tree(bodies: usize) -> Model {
        let joint = |k: usize| (if k == 0 { vec![0] } else { vec![(k - 1) / 2, k] }, 3);
        Model { bodies, joints: (0..bodies).map(joint).collect() }
    }

    /// Two chains with a constraint between them at each step.
    fn ladder(bodies: usize) -> Model {
        let rail = |k: usize| (if k < 2 { vec![k] } else { vec![k - 2, k] }, 3);
        let rungs = (0..bodies / 2).map(|k| (vec![2 * k, 2 * k + 1], 1));
        Model { bodies, joints: (0..bodies).map(rail).chain(rungs).collect() }
    }

    /// A square with a constraint between neighbours.
    fn net(bodies: usize) -> Model {
        let side = bodies.isqrt();
        let pairs = (0..side).flat_map(|i| (1..side).map(move |j| (i, j)));
        let joints = pairs.flat_map(|(i, j)| {
            [(vec![side * i + j - 1, side * i + j], 1), (vec![side * (j - 1) + i, side * j + i], 1)]
        });
        Model { bodies: side * side, joints: joints.collect() }
    }

    fn constraints(&self) -> usize {
        self.joints.iter().map(|(_, rows)| rows).sum()
    }

    fn unknowns(&self) -> usize {
        6 * self.bodies + self.constraints()
    }

    fn assemble(&self, matrix: &mut impl Assemble) {
        let mut seed = 1;
        let mut row = 6 * self.bodies;
        for (ends, rows) in &self.joints {
            for k in 0..*rows {
                for end in ends {
                    let gradient: [f64; 6] = std::array::from_fn(|i| if i == k { 1.0 } else { 0.3 * noise(&mut seed) });
                    matrix.add(6 * end, row + k, &[gradient]);
                    matrix.add(row + k, 6 * end, &gradient.map(|x| [x]));
                }
            }
            row += rows;
        }
        for body in 0..self.bodies {
            let entry = |i, j, seed: &mut u64| 0.1 * noise(seed) + if i == j { 2.0 } else { 0.0 };
            let block: [[f64; 6]; 6] = std::array::from_fn(|j| std::array::from_fn(|i| entry(i, j, &mut seed)));
            matrix.add(6 * body, 6 * body, &block);
        }
    }
}

/// Builds a model of about the given number of bodies.
type Build = fn(usize) -> Model;

fn factor_and_solve(criterion: &mut Criterion) {
    let models: [(&str, Build, &[usize]); 5] = [
        ("chain", Model::chain, &[1, 2, 4, 10, 100, 1000, 10_000]),
        ("closed chain", Model::closed, &[100, 1000]),
        ("tree", Model::tree, &[127, 1023]),
        ("ladder", Model::ladder, &[100, 1000, 10_000]),
        ("net", Model::net, &[36, 100, 400, 900]),
    ];
    for (name, model, sizes) in models {
        let mut group = criterion.benchmark_group(format!("assemble, factorise, solve: {name}"));
        for bodies in sizes {
            let model = model(*bodies);
            let n = model.unknowns();
            let mut x = vec![1.0; n];
            let mut kkt = Kkt::new(std::iter::repeat_n(6, model.bodies), model.constraints());
            group.bench_function(BenchmarkId::new("as chosen", bodies), |b| {
                b.iter(|| {
                    kkt.clear();
                    model.assemble(&mut kkt);
                    kkt.factorize().unwrap();
                    x.fill(1.0);
                    kkt.solve(&mut x);
                })
            });
            if *bodies <= 1100 {
                let mut sparse = Sparse::new(n);
                group.bench_function(BenchmarkId::new("sparse", bodies), |b| {
                    b.iter(|| {
                        sparse.clear();
                        model.assemble(&mut sparse);
                        sparse.factorize().unwrap();
                        x.fill(1.0);
                        sparse.solve(&mut x);
                    })
                });
            }
            if n <= 100 {
                let mut dense = Dense::new(n);
                group.bench_function(BenchmarkId::new("dense", bodies), |b| {
                    b.iter(|| {
                        dense.clear();
                        model.assemble(&mut dense);
                        dense.factorize().unwrap();
                        x.fill(1.0);
                        dense.solve(&mut x);
                    })
                });
            }
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(500));
    targets = factor_and_solve
}
criterion_main!(benches);
