//! Dependent rows of a sparse matrix: those in the span of the rows before them.
//!
//! QR of the transpose, row after row, by fronts that merge where rows share nodes (multifrontal:
//! Liu 1992, SIAM Rev. 34, 82; Davis 2011, ACM Trans. Math. Softw. 38, 8). The norm of the part of
//! a row orthogonal to those before it is the diagonal entry of R, as with Gram-Schmidt, but with a
//! rounding error of its size and not of its square. A dependent row is skipped. Neither Q nor R is
//! kept. Loops in the order in which they were built take time in proportion to their length.

/// A row: nodes with six entries each.
pub type SparseRow = Vec<(usize, [f64; 6])>;

/// Pending rows of the transposed matrix, over the same columns (which are rows of the matrix
/// given).
struct Front {
    columns: Vec<usize>,
    rows: Vec<Vec<f64>>,
}

/// For each row whether it lies within `tolerance`, relative to its norm, of the span of those
/// before it that do not. Nodes are 0..`nodes`.
pub fn dependent_rows(nodes: usize, rows: &[SparseRow], tolerance: f64) -> Vec<bool> {
    let mut fronts: Vec<Front> = (0..nodes).map(|_| Front { columns: Vec::new(), rows: vec![Vec::new(); 6] }).collect();
    for (k, row) in rows.iter().enumerate() {
        let norm = row.iter().flat_map(|(_, x)| x).fold(0.0f64, |norm, x| norm.hypot(*x));
        if norm == 0.0 {
            continue;
        }
        for (node, x) in row {
            let front = &mut fronts[*node];
            front.columns.push(k);
            front.rows.iter_mut().zip(x).for_each(|(row, x)| row.push(x / norm));
        }
    }
    let mut waiting: Vec<Vec<Front>> = rows.iter().map(|_| Vec::new()).collect();
    let enter = |front: Front, waiting: &mut Vec<Vec<Front>>| {
        if let Some(first) = front.columns.first() {
            waiting[*first].push(front);
        }
    };
    fronts.into_iter().for_each(|front| enter(front, &mut waiting));
    (0..rows.len())
        .map(|k| {
            let Some(mut front) = merged(std::mem::take(&mut waiting[k])) else { return true };
            let size = front.reflect(0, 0);
            let dependent = size < tolerance;
            if !dependent {
                front.rows.swap_remove(0);
            }
            front.columns.remove(0);
            for row in &mut front.rows {
                row.remove(0);
            }
            front.compress();
            enter(front, &mut waiting);
            dependent
        })
        .collect()
}

/// All rows of several fronts over all of their columns; None if there are no fronts.
fn merged(mut fronts: Vec<Front>) -> Option<Front> {
    if fronts.len() < 2 {
        return fronts.pop();
    }
    let mut columns: Vec<usize> = fronts.iter().flat_map(|front| front.columns.iter().copied()).collect();
    columns.sort_unstable();
    columns.dedup();
    let mut rows = Vec::new();
    for front in fronts {
        let mut at = 0;
        let places = front.columns.iter().map(|column| {
            at += columns[at..].partition_point(|c| c < column);
            at
        });
        let places: Vec<usize> = places.collect();
        for row in front.rows {
            let mut out = vec![0.0; columns.len()];
            places.iter().zip(row).for_each(|(place, x)| out[*place] = x);
            rows.push(out);
        }
    }
    Some(Front { columns, rows })
}

impl Front {
    /// Eliminates a column's entries below row `first` by a Householder reflection of the rows from
    /// there on; returns their norm (Golub, Van Loan, Matrix Computations 2013, algorithm 5.1.1).
    fn reflect(&mut self, first: usize, column: usize) -> f64 {
        let mut v: Vec<f64> = self.rows[first..].iter().map(|row| row[column]).collect();
        let size = v.iter().fold(0.0f64, |norm, x| norm.hypot(*x));
        if size == 0.0 {
            return 0.0;
        }
        v[0] += size.copysign(v[0]);
        let square: f64 = v.iter().map(|x| x * x).sum();
        for j in column..self.columns.len() {
            let sum: f64 = v.iter().zip(&self.rows[first..]).map(|(v, row)| v * row[j]).sum();
            let factor = 2.0 * sum / square;
            v.iter().zip(&mut self.rows[first..]).for_each(|(v, row)| row[j] -= factor * v);
        }
        size
    }

    /// Reduces the rows to as many as there are columns.
    fn compress(&mut self) {
        let n = self.columns.len();
        if self.rows.len() > n {
            for k in 0..n {
                self.reflect(k, k);
            }
            self.rows.truncate(n);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// By Gram-Schmidt, twice, as dense vectors.
    fn by_gram_schmidt(nodes: usize, rows: &[SparseRow], tolerance: f64) -> Vec<bool> {
        let mut basis: Vec<Vec<f64>> = Vec::new();
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        rows.iter()
            .map(|row| {
                let mut x = vec![0.0; 6 * nodes];
                row.iter().for_each(|(node, six)| (0..6).for_each(|i| x[6 * node + i] += six[i]));
                let size = norm(&x);
                x.iter_mut().for_each(|x| *x /= size);
                for b in basis.iter().chain(&basis) {
                    let part: f64 = b.iter().zip(&x).map(|(b, x)| b * x).sum();
                    x.iter_mut().zip(b).for_each(|(x, b)| *x -= part * b);
                }
                let left = norm(&x);
                x.iter_mut().for_each(|x| *x /= left);
                let dependent = left.is_nan() || left < tolerance;
                if !dependent {
                    basis.push(x);
                }
                dependent
            })
            .collect()
    }

    #[test]
    fn rows_are_dependent_where_orthogonalisation_leaves_nothing() {
        let mut seed = 3;
        for case in 0..200 {
            let nodes = 1 + case % 7;
            let mut rows: Vec<SparseRow> = Vec::new();
            for k in 0..5 * nodes {
                let pick = |seed: &mut u64, n: usize| ((noise(seed) + 1.0) * 0.5 * n as f64) as usize;
                // Combinations of rows over the same nodes, off by rounding or by 1e-10, and rows
                // of few numbers.
                let copy = (k > 2 && noise(&mut seed) > 0.2).then(|| pick(&mut seed, k));
                let row = match copy {
                    Some(from) if noise(&mut seed) > 0.0 => {
                        let off = if noise(&mut seed) > 0.0 { 1e-10 } else { 0.0 };
                        let c = 3.0 * noise(&mut seed);
                        rows[from].iter().map(|(node, x)| (*node, x.map(|x| c * x + off * noise(&mut seed)))).collect()
                    }
                    _ => {
                        let a = pick(&mut seed, nodes);
                        let ends = if a + 1 < nodes { vec![a, a + 1] } else { vec![a] };
                        let entry = |seed: &mut u64| (2.0 * noise(seed)).round();
                        ends.into_iter().map(|node| (node, std::array::from_fn(|_| entry(&mut seed)))).collect()
                    }
                };
                rows.push(row);
            }
            assert_eq!(dependent_rows(nodes, &rows, 1e-8), by_gram_schmidt(nodes, &rows, 1e-8), "case {case}");
        }
    }
}
