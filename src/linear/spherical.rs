//! A body on a spherical joint, `[A B1; B2 0]` with `B1 = [s1 I; Z]` and `B2 = [s2 I, Y]`: what its solution is made of. The formulas
//! stand at the head of `joined`.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::block::CARRYING;
use super::significance::{CANCELLED, CONDITION};
use super::small::{Columns, condition};
use super::threes::{Threes, inverse, less, part, product, scaled, short};

/// The matrices of its solution.
pub struct Spherical {
    /// Z', Y'.
    pub z: Threes,
    pub y: Threes,
    pub att: Threes,
    pub v: Threes,
    pub w: Threes,
    pub d: Threes,
    /// D W.
    pub dw: Threes,
    /// Att - V D W.
    pub felt: Threes,
}

impl Spherical {
    /// From s1 and s2, the node, which are the first six rows, Z and Y. `carried`: sizes of what was added to the diagonal of the node by
    /// bodies that hang on it. None where the rotations that are left have no significant pivots.
    #[inline(always)]
    pub fn of<const R: usize>(
        [s1, s2]: [f64; 2],
        a: &Columns<R, 6>,
        z: &Threes,
        y: &Threes,
        carried: Option<&[f64]>,
    ) -> Option<Spherical> {
        let (att, atr, art, arr) = (part(a, 0, 0), part(a, 0, 3), part(a, 3, 0), part(a, 3, 3));
        let (z, y) = (scaled(z, s1), scaled(y, s2));
        let v = less(&atr, &product(&att, &y));
        let w = less(&art, &product(&z, &att));
        let t = less(&less(&arr, &product(&art, &y)), &product(&z, &v));
        let d = inverse(&t);
        let dw = product(&d, &w);
        let taken = product(&v, &dw);
        let felt = less(&att, &taken);

        let most = if carried.is_some() { CARRYING } else { CONDITION };
        let t = short(&t);
        let mut good = condition(&t, &short(&d)) <= most;
        for i in 0..3 {
            let (mut turned, mut moved) = (arr[i].0[i].abs(), att[i].0[i].abs() + taken[i].0[i].abs());
            for k in 0..3 {
                turned += (art[k].0[i] * y[i].0[k]).abs() + (z[k].0[i] * v[i].0[k]).abs();
            }
            if let Some(terms) = carried {
                (moved, turned) = (moved + terms[i], turned + terms[3 + i]);
            }
            good &= t[i][i].abs() > CANCELLED * turned;
            // Where a joint feels next to nothing of what hangs on it, the general way keeps more digits of that.
            good &= felt[i].0[i].abs() > CANCELLED * moved;
        }
        good.then_some(Spherical { z, y, att, v, w, d, dw, felt })
    }
}

/// The sign of a unit matrix: three rows of three columns, from some on. None where it is none.
#[inline(always)]
pub fn sign_of<const R: usize, const C: usize>(m: &Columns<R, C>, row: usize, column: usize) -> Option<f64> {
    let sign = m[column][row];
    let mut is_unit = sign.abs() == 1.0;
    for j in 0..3 {
        for i in 0..3 {
            is_unit &= m[column + j][row + i] == if i == j { sign } else { 0.0 };
        }
    }
    is_unit.then_some(sign)
}
