//! The same arithmetic on every number of some lists, six at a time: those of a body. Compilers do that in registers of several
//! numbers, which they do not dare where a list might be another one's memory: there they look first, which takes as long as the
//! arithmetic of a small model.

use crate::prefetch;

/// Numbers that are done together.
const LANES: usize = 6;

/// Lists of more numbers than this are asked for in advance: some of them together are larger than the near caches.
const LONG: usize = 1 << 13;

/// Replaces the numbers at each place of M lists by what `each` makes of them and of those at the same place of K others. All
/// have the length of the first.
#[inline(always)]
pub fn update<const M: usize, const K: usize>(
    mut lists: [&mut [f64]; M],
    others: [&[f64]; K],
    each: impl Fn([f64; M], [f64; K]) -> [f64; M],
) {
    let n = lists[0].len();
    let mut start = 0;
    let is_long = n > LONG;
    while start + LANES <= n {
        if is_long {
            let next = start + LANES * prefetch::AHEAD;
            lists.iter().for_each(|list| prefetch::entry(list, next));
            others.iter().for_each(|list| prefetch::entry(list, next));
        }
        update_some::<M, K, LANES>(&mut lists, &others, start, &each);
        start += LANES;
    }
    // No loops, which compilers would make ready for long lists: at most five numbers are left.
    if start + 3 <= n {
        update_some::<M, K, 3>(&mut lists, &others, start, &each);
        start += 3;
    }
    if start + 2 <= n {
        update_some::<M, K, 2>(&mut lists, &others, start, &each);
        start += 2;
    }
    if start < n {
        update_some::<M, K, 1>(&mut lists, &others, start, &each);
    }
}

#[inline(always)]
#[allow(clippy::needless_range_loop)] // iterators and closures are not always inlined in large functions
fn update_some<const M: usize, const K: usize, const L: usize>(
    lists: &mut [&mut [f64]; M],
    others: &[&[f64]; K],
    start: usize,
    each: &impl Fn([f64; M], [f64; K]) -> [f64; M],
) {
    // All is read before anything is written.
    let (mut old, mut given) = ([[0.0; M]; L], [[0.0; K]; L]);
    for m in 0..M {
        let list = &lists[m][start..start + L];
        for i in 0..L {
            old[i][m] = list[i];
        }
    }
    for k in 0..K {
        let list = &others[k][start..start + L];
        for i in 0..L {
            given[i][k] = list[i];
        }
    }
    for i in 0..L {
        old[i] = each(old[i], given[i]);
    }
    for m in 0..M {
        let list = &mut lists[m][start..start + L];
        for i in 0..L {
            list[i] = old[i][m];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_updated_once_whatever_the_length() {
        for n in 0..=14 {
            let x: Vec<f64> = (0..n).map(f64::from).collect();
            let (mut y, mut z) = (x.clone(), vec![1.0; x.len()]);
            update([&mut y, &mut z], [&x, &x], |[y, z], [x, w]| [y + 10.0 * x, z - w]);
            for (k, (y, z)) in y.into_iter().zip(z).enumerate() {
                assert_eq!([y, z], [11.0 * k as f64, 1.0 - k as f64]);
            }
        }
    }
}
