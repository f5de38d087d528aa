//! The same arithmetic on every number of some lists.

/// Replaces the numbers at each place of M lists by what `each` makes of them and of those at the same place of K others. All
/// lists have the length of the first.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // the same place of several lists
pub fn update<const M: usize, const K: usize>(
    lists: [&mut [f64]; M],
    others: [&[f64]; K],
    each: impl Fn([f64; M], [f64; K]) -> [f64; M],
) {
    let n = lists[0].len();
    let (lists, others) = (lists.map(|list| &mut list[..n]), others.map(|list| &list[..n]));
    for i in 0..n {
        let new = each(std::array::from_fn(|m| lists[m][i]), std::array::from_fn(|k| others[k][i]));
        for m in 0..M {
            lists[m][i] = new[m];
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
