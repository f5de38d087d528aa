//! One body on a spherical joint and nothing else: a dense matrix of nine unknowns, solved by the formulas at the head of `joined`.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::lanes::{Lanes, WorkInLanes};
use super::several::{Four, Number};
use super::spherical::{Spherical, sign_of};
use super::threes::{Threes, part, read, scaled, three, threes, times, written};

/// Unknowns: those of the node, then the multipliers.
pub const N: usize = 9;

/// The factors of such a matrix.
#[derive(Clone)]
pub struct Lone {
    signs: [f64; 2],
    z: Threes,
    y: Threes,
    att: Threes,
    v: Threes,
    w: Threes,
    d: Threes,
}

impl Lone {
    /// No factors yet.
    pub const NONE: Lone = {
        let zeros = [Four::ZERO; 3];
        Lone { signs: [0.0; 2], z: zeros, y: zeros, att: zeros, v: zeros, w: zeros, d: zeros }
    };
}

/// Finds the factors of a matrix by columns; false, with nothing done, where it is no such one or needs pivoting.
pub struct Factorize<'a>(pub &'a [[f64; N]; N], pub &'a mut Lone);

impl WorkInLanes for Factorize<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let Factorize(columns, lone) = self;
        for k in 6..N {
            for i in 6..N {
                if columns[k][i] != 0.0 {
                    return false;
                }
            }
        }
        let (Some(s1), Some(s2)) = (sign_of(columns, 0, 6), sign_of(columns, 6, 0)) else { return false };
        let a = columns.first_chunk().expect("six of nine columns");
        let (z, y) = (part(lanes, columns, 3, 6), part(lanes, columns, 6, 3));
        let Some(found) = Spherical::of(lanes, [s1, s2], a, &z, &y, None) else { return false };
        let Spherical { z, y, att, v, w, d, .. } = found;
        *lone = Lone {
            signs: [s1, s2],
            z: written(lanes, &z),
            y: written(lanes, &y),
            att: written(lanes, &att),
            v: written(lanes, &v),
            w: written(lanes, &w),
            d: written(lanes, &d),
        };
        true
    }
}

/// Solves for one right-hand side in place.
pub struct Solve<'a, 'b>(pub &'a Lone, pub &'b mut [f64; N]);

impl WorkInLanes for Solve<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Solve(Lone { signs: [s1, s2], z, y, att, v, w, d }, b) = self;
        let of = |m, x| times(lanes, &read(lanes, m), x);
        let at = |k: usize| threes(lanes, &[b[k], b[k + 1], b[k + 2]]);
        let (u, t, l) = (at(0), at(3), lanes.scaled(at(6), *s2));
        let r = of(d, lanes.minus(lanes.minus(t, of(z, u)), of(w, l)));
        let multipliers = lanes.scaled(lanes.minus(lanes.minus(u, of(att, l)), of(v, r)), *s1);
        let x = lanes.minus(l, of(y, r));
        for (b, x) in b.as_chunks_mut().0.iter_mut().zip([x, r, multipliers]) {
            *b = three(lanes, x);
        }
    }
}

/// The same for four right-hand sides, each of which has the bits of a solution by itself.
pub struct SolveFour<'a, 'b>(pub &'a Lone, pub &'b mut [Four; N]);

impl WorkInLanes for SolveFour<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let SolveFour(Lone { signs: [s1, s2], z, y, att, v, w, d }, b) = self;
        // `m x`, its rows.
        let row = |m: &Threes, i: usize, x: &Threes<L>| {
            let (first, second) = (lanes.scaled(x[0], m[0].0[i]), lanes.scaled(x[1], m[1].0[i]));
            lanes.plus(lanes.plus(first, second), lanes.scaled(x[2], m[2].0[i]))
        };
        let [u0, u1, u2, t0, t1, t2, l0, l1, l2] = *b;
        let (u, t) = (read(lanes, &[u0, u1, u2]), read(lanes, &[t0, t1, t2]));
        let l = scaled(lanes, &read(lanes, &[l0, l1, l2]), *s2);
        let (mut left, mut r) = (t, t);
        for i in 0..3 {
            left[i] = lanes.minus(lanes.minus(t[i], row(z, i, &u)), row(w, i, &l));
        }
        for i in 0..3 {
            r[i] = row(d, i, &left);
        }
        for i in 0..3 {
            let multiplier = lanes.minus(lanes.minus(u[i], row(att, i, &l)), row(v, i, &r));
            b[i] = Four(lanes.numbers(lanes.minus(l[i], row(y, i, &r))));
            b[3 + i] = Four(lanes.numbers(r[i]));
            b[6 + i] = Four(lanes.numbers(lanes.scaled(multiplier, *s1)));
        }
    }
}
