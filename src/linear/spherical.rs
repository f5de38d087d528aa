//! A body on a spherical joint, `[A B1; B2 0]` with `B1 = [s1 I; Z]` and `B2 = [s2 I, Y]`: what its solution is made of. The formulas
//! stand at the head of `joined`.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::block::CARRYING;
use super::lanes::Lanes;
use super::significance::{CANCELLED, CONDITION};
use super::small::{Columns, condition};
use super::threes::{Threes, diagonal, inverse, less, part, product, scaled, short, threes, transposed};

/// The matrices of its solution.
pub struct Spherical<L: Lanes> {
    /// Z', Y'.
    pub z: Threes<L>,
    pub y: Threes<L>,
    pub att: Threes<L>,
    pub v: Threes<L>,
    pub w: Threes<L>,
    pub d: Threes<L>,
    /// D W.
    pub dw: Threes<L>,
    /// Att - V D W.
    pub felt: Threes<L>,
}

impl<L: Lanes> Spherical<L> {
    /// From s1 and s2, the node, which are the first six rows, Z and Y. `carried`: sizes of what was added to the diagonal of the node by
    /// bodies that hang on it. None where the rotations that are left have no significant pivots.
    #[inline(always)]
    pub fn of<const R: usize>(
        lanes: L,
        [s1, s2]: [f64; 2],
        a: &Columns<R, 6>,
        z: &Threes<L>,
        y: &Threes<L>,
        carried: Option<&[f64; 6]>,
    ) -> Option<Spherical<L>> {
        let (att, atr) = (part(lanes, a, 0, 0), part(lanes, a, 0, 3));
        let (art, arr) = (part(lanes, a, 3, 0), part(lanes, a, 3, 3));
        let (z, y) = (scaled(lanes, z, s1), scaled(lanes, y, s2));
        let v = less(lanes, &atr, &product(lanes, &att, &y));
        let w = less(lanes, &art, &product(lanes, &z, &att));
        let t = less(lanes, &less(lanes, &arr, &product(lanes, &art, &y)), &product(lanes, &z, &v));
        let d = inverse(lanes, &t);
        let dw = product(lanes, &d, &w);
        let taken = product(lanes, &v, &dw);
        let felt = less(lanes, &att, &taken);
        let whole = Spherical { z, y, att, v, w, d, dw, felt };

        let (y, v) = (transposed(lanes, &y), transposed(lanes, &v));
        let mut turned = sizes(lanes, &arr);
        for k in 0..3 {
            let (by_y, by_v) = (lanes.abs(lanes.times(art[k], y[k])), lanes.abs(lanes.times(z[k], v[k])));
            turned = lanes.plus(turned, lanes.plus(by_y, by_v));
        }
        let mut moved = lanes.plus(sizes(lanes, &att), sizes(lanes, &taken));
        if let Some([x, y, z, of_x, of_y, of_z]) = carried {
            moved = lanes.plus(moved, threes(lanes, &[*x, *y, *z]));
            turned = lanes.plus(turned, threes(lanes, &[*of_x, *of_y, *of_z]));
        }
        let most = if carried.is_some() { CARRYING } else { CONDITION };
        let good = condition(&short(lanes, &t), &short(lanes, &d)) <= most
            && lanes.exceed(sizes(lanes, &t), lanes.scaled(turned, CANCELLED))
            // Where a joint feels next to nothing of what hangs on it, the general way keeps more digits of that.
            && lanes.exceed(sizes(lanes, &felt), lanes.scaled(moved, CANCELLED));
        good.then_some(whole)
    }
}

/// Sizes of the numbers on a diagonal. No closure, which would not be compiled for the registers of these lanes.
#[inline(always)]
fn sizes<L: Lanes>(lanes: L, m: &Threes<L>) -> L::Four {
    lanes.abs(diagonal(lanes, m))
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
