//! Dense against sparse LU on the iteration matrices of chains of jointed bodies, and against nalgebra's static LU on
//! the smallest: what the choices in `src/linear` rest on.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use nalgebra::{SMatrix, SVector};
use std::time::Duration;

#[path = "../src/linear/mod.rs"]
#[allow(dead_code, unused_imports)]
mod linear;

use linear::{Assemble, Dense, Sparse};

/// Deterministic numbers in (-1, 1).
fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Adds the blocks of a chain: 6x6 on the diagonal, and 3 constraints between each body and the one before.
fn assemble(matrix: &mut impl Assemble, bodies: usize) {
    let mut seed = 1;
    for body in 0..bodies {
        let mut block = [[0.0; 6]; 6];
        for (j, column) in block.iter_mut().enumerate() {
            column.iter_mut().for_each(|x| *x = 0.1 * noise(&mut seed));
            column[j] += 2.0;
        }
        matrix.add(6 * body, 6 * body, &block);
        let row = 6 * bodies + 3 * body;
        for end in [Some(body), body.checked_sub(1)].into_iter().flatten() {
            for k in 0..3 {
                let gradient: [f64; 6] = std::array::from_fn(|i| if i == k { 1.0 } else { 0.3 * noise(&mut seed) });
                matrix.add(6 * end, row + k, &[gradient]);
                matrix.add(row + k, 6 * end, &gradient.map(|x| [x]));
            }
        }
    }
}

/// The smallest of these for nalgebra.
struct Static(SMatrix<f64, 9, 9>);

impl Assemble for Static {
    fn add<const R: usize, const C: usize>(&mut self, row: usize, column: usize, block: &[[f64; R]; C]) {
        for (j, source) in block.iter().enumerate() {
            source.iter().enumerate().for_each(|(i, x)| self.0[(row + i, column + j)] += x);
        }
    }
}

fn factor_and_solve(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("assemble, factorise, solve: chain of bodies");
    for bodies in [1, 2, 4, 7, 10, 20] {
        let n = 9 * bodies;
        let right = vec![1.0; n];
        let (mut dense, mut sparse, mut x) = (Dense::new(n), Sparse::new(n), vec![0.0; n]);
        group.bench_function(BenchmarkId::new("dense", bodies), |b| {
            b.iter(|| {
                dense.clear();
                assemble(&mut dense, bodies);
                dense.factorize().unwrap();
                x.copy_from_slice(&right);
                dense.solve(&mut x);
            })
        });
        group.bench_function(BenchmarkId::new("sparse", bodies), |b| {
            b.iter(|| {
                sparse.clear();
                assemble(&mut sparse, bodies);
                sparse.factorize().unwrap();
                x.copy_from_slice(&right);
                sparse.solve(&mut x);
            })
        });
    }
    let mut entries = Dense::new(9);
    assemble(&mut entries, 1);
    let mut matrix = Static(SMatrix::zeros());
    assemble(&mut matrix, 1);
    let (mut dense, mut x) = (Dense::new(9), [0.0; 9]);
    group.bench_function("9 unknowns, factorise and solve: dense", |b| {
        b.iter(|| {
            dense.clone_from(&entries);
            dense.factorize().unwrap();
            x = [1.0; 9];
            dense.solve(&mut x);
        })
    });
    group.bench_function("9 unknowns, factorise and solve: nalgebra", |b| {
        b.iter(|| matrix.0.lu().solve(&SVector::<f64, 9>::repeat(1.0)))
    });
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(500));
    targets = factor_and_solve
}
criterion_main!(benches);
