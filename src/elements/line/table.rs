//! Tables of two columns, straight between their points: values, slopes, integrals.

/// A table of two columns, straight between its points.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// Rising.
    pub x: Vec<f64>,
    /// Values there.
    pub y: Vec<f64>,
}

/// A value and its derivative.
pub(super) type Slope = (f64, f64);

/// A table's value and slope: straight between its points, its end pieces go on beyond them.
#[inline]
pub(super) fn at(table: &Table, x: f64) -> Slope {
    let last = table.x.len() - 1;
    let k = table.x.partition_point(|point| *point <= x).clamp(1, last) - 1;
    let slope = (table.y[k + 1] - table.y[k]) / (table.x[k + 1] - table.x[k]);
    (table.y[k] + slope * (x - table.x[k]), slope)
}

/// Tension of a table at a strain, and its slope: not below zero.
pub(super) fn stretched(table: &Table, strain: f64) -> Slope {
    let (tension, slope) = at(table, strain);
    if tension > 0.0 { (tension, slope) } else { (0.0, 0.0) }
}

/// Integral of the tension of a table between two strains: exact, for it is straight between the
/// places where it bends.
pub(super) fn integral(table: &Table, from: f64, to: f64) -> f64 {
    if to < from {
        return -integral(table, to, from);
    }
    let (first, slope) = at(table, table.x[0]);
    // Where the piece that goes on below the table ends.
    let end = table.x[0] - if slope > 0.0 { first / slope } else { 0.0 };
    let places = std::iter::once(end).chain(table.x.iter().copied()).filter(|x| *x > from && *x < to);
    let mut energy = 0.0;
    let mut here = from;
    for next in places.chain(std::iter::once(to)) {
        energy += 0.5 * (next - here) * (stretched(table, here).0 + stretched(table, next).0);
        here = next;
    }
    energy
}
