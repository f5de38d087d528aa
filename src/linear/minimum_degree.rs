//! A fill-reducing order of columns for LU with partial pivoting: approximate minimum degree on the
//! pattern of A^T A, which is not formed. Davis, Gilbert, Larimore, Ng (2004), A column approximate
//! minimum degree ordering algorithm, ACM Trans. Math. Softw. 30, 353-376.
//!
//! Whichever row becomes the pivot of a column, the fill of the other rows with an entry in that
//! column stays inside the union of all of them. So the elimination of a column replaces its rows
//! by their union without that column, the pivot row. With pairs of columns as rows, the same
//! algorithm is minimum degree on a graph.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The order in which `n` columns are eliminated. `rows`: the columns of each row, each once. The
/// degree of a column is bounded by the sum, over its rows, of the columns that are not in the last
/// pivot row.
pub fn minimum_degree(n: usize, mut rows: Vec<Vec<u32>>) -> Vec<usize> {
    // Dense rows are ignored, because they become part of every pivot row and do not affect the
    // order; of equal rows one is kept.
    let dense = (10.0 * (n as f64).sqrt()).max(16.0);
    rows.retain(|row| (row.len() as f64) < dense);
    rows.iter_mut().for_each(|row| row.sort_unstable());
    rows.sort_unstable();
    rows.dedup();
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (row, entries) in rows.iter().enumerate() {
        entries.iter().for_each(|column| columns[*column as usize].push(row as u32));
    }

    // Columns with the same rows, such as the unknowns of a body, are eliminated together: the
    // first of each group stands for all.
    let mut sorted: Vec<usize> = (0..n).collect();
    sorted.sort_by(|a, b| columns[*a].cmp(&columns[*b]).then(a.cmp(b)));
    let groups: Vec<&[usize]> = sorted.chunk_by(|a, b| columns[*a] == columns[*b] && !columns[*a].is_empty()).collect();
    let mut group_of = vec![None; n];
    groups.iter().for_each(|group| group_of[group[0]] = Some(*group));
    let weight = |column: u32| group_of[column as usize].map_or(0, |group: &[usize]| group.len());
    rows.iter_mut().for_each(|row| row.retain(|column| weight(*column) > 0));
    let mut sizes: Vec<usize> = rows.iter().map(|row| row.iter().map(|column| weight(*column)).sum()).collect();

    let others = |column: usize, row: u32| sizes[row as usize] - weight(column as u32);
    let degree = |column: usize| columns[column].iter().map(|row| others(column, *row)).sum();
    let mut degrees: Vec<usize> = (0..n).map(degree).collect();
    let firsts = groups.iter().map(|group| group[0]);
    let mut queue: BinaryHeap<_> = firsts.map(|column| Reverse((degrees[column], column))).collect();
    let mut order = Vec::with_capacity(n);
    let mut is_ordered = vec![false; n];
    // The last pivot row that has each column; the same for each row that has a column of it, with
    // the number of its other columns.
    let mut seen = vec![0; n];
    let mut outside = vec![(0, 0); rows.len()];
    while let Some(Reverse((degree, column))) = queue.pop() {
        // Entries of the queue with a former degree are obsolete.
        if is_ordered[column] || degree != degrees[column] {
            continue;
        }
        is_ordered[column] = true;
        order.extend(group_of[column].unwrap_or_default());
        let step = order.len();

        // The pivot row: the union of the rows of the column.
        let own = std::mem::take(&mut columns[column]);
        let Some(&pivot_row) = own.first() else { continue };
        let mut pivot = Vec::new();
        for row in own {
            for k in std::mem::take(&mut rows[row as usize]) {
                if !is_ordered[k as usize] && std::mem::replace(&mut seen[k as usize], step) != step {
                    pivot.push(k);
                }
            }
        }

        // How many columns the other rows have outside of it.
        for k in &pivot {
            columns[*k as usize].retain(|row| !rows[*row as usize].is_empty());
            for row in &columns[*k as usize] {
                let outside = &mut outside[*row as usize];
                if outside.0 != step {
                    *outside = (step, sizes[*row as usize]);
                }
                outside.1 -= weight(*k);
            }
        }

        // Rows inside the pivot row are absorbed by it. Columns that have no other row can be
        // eliminated now: they cause no more fill.
        pivot.retain(|k| {
            let k = *k as usize;
            columns[k].retain(|row| outside[*row as usize].1 > 0);
            if columns[k].is_empty() {
                is_ordered[k] = true;
                order.extend(group_of[k].unwrap_or_default());
            }
            !is_ordered[k]
        });
        let size: usize = pivot.iter().map(|k| weight(*k)).sum();
        for k in pivot.iter().map(|k| *k as usize) {
            let beyond: usize = columns[k].iter().map(|row| outside[*row as usize].1).sum();
            degrees[k] = (size - weight(k as u32) + beyond).min(n - order.len());
            queue.push(Reverse((degrees[k], k)));
            columns[k].push(pivot_row);
        }
        (rows[pivot_row as usize], sizes[pivot_row as usize]) = (pivot, size);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::minimum_degree;

    /// Fill of a graph, given by its edges, in an order.
    fn fill(n: usize, edges: &[(usize, usize)], order: &[usize]) -> usize {
        let mut neighbours = vec![std::collections::BTreeSet::new(); n];
        for (a, b) in edges {
            neighbours[*a].insert(*b);
            neighbours[*b].insert(*a);
        }
        let mut fill = 0;
        for k in order {
            let own = std::mem::take(&mut neighbours[*k]);
            fill += own.len();
            for a in &own {
                neighbours[*a].remove(k);
                neighbours[*a].extend(own.iter().filter(|b| *b != a));
            }
        }
        fill
    }

    fn ordered(n: usize, edges: &[(usize, usize)]) -> Vec<usize> {
        let order = minimum_degree(n, edges.iter().map(|(a, b)| vec![*a as u32, *b as u32]).collect());
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..n), "a permutation");
        order
    }

    #[test]
    fn a_tree_has_no_fill() {
        // Numbered from the root, which is the worst order for all but the last level.
        let edges: Vec<_> = (1..400).map(|k| ((k - 1) / 3, k)).collect();
        assert_eq!(fill(400, &edges, &ordered(400, &edges)), edges.len());
    }

    #[test]
    fn a_grid_has_less_fill_than_a_band() {
        const SIDE: usize = 30;
        let at = |i, j| SIDE * i + j;
        let across = (0..SIDE).flat_map(|i| (1..SIDE).map(move |j| (at(i, j - 1), at(i, j))));
        let along = (1..SIDE).flat_map(|i| (0..SIDE).map(move |j| (at(i - 1, j), at(i, j))));
        let edges: Vec<_> = across.chain(along).collect();
        let band: Vec<usize> = (0..SIDE * SIDE).collect();
        // Nested dissection: 31/4 n log2 n (George 1973); minimum degree is near it, the band has
        // n^1.5.
        assert!(2 * fill(SIDE * SIDE, &edges, &ordered(SIDE * SIDE, &edges)) < fill(SIDE * SIDE, &edges, &band));
    }

    #[test]
    fn columns_without_rows_and_dense_rows_are_ordered_too() {
        let mut rows = vec![(0..2000).collect::<Vec<u32>>(), vec![]];
        rows.extend((1..1000).map(|k| vec![k - 1, k]));
        let mut order = minimum_degree(2000, rows);
        order.sort_unstable();
        assert!(order.into_iter().eq(0..2000));
    }
}
