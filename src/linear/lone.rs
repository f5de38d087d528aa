//! One body on a spherical joint and nothing else: a dense matrix of nine unknowns, solved by the formulas at the head of `joined`.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::processor::Work;
use super::several::{Four, Number};
use super::spherical::{Spherical, sign_of};
use super::threes::{Threes, part, threes, times};

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

impl Work for Factorize<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
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
        let (z, y) = (part(columns, 3, 6), part(columns, 6, 3));
        let Some(Spherical { z, y, att, v, w, d, .. }) = Spherical::of([s1, s2], a, &z, &y, None) else { return false };
        *lone = Lone { signs: [s1, s2], z, y, att, v, w, d };
        true
    }
}

/// Solves for one right-hand side in place.
pub struct Solve<'a, 'b>(pub &'a Lone, pub &'b mut [f64; N]);

impl Work for Solve<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Solve(Lone { signs: [s1, s2], z, y, att, v, w, d }, b) = self;
        let (u, t, l) = (threes(&b[..]), threes(&b[3..]), threes(&b[6..]).times(*s2));
        let r = times(d, t.minus(times(z, u)).minus(times(w, l)));
        let multipliers = u.minus(times(att, l)).minus(times(v, r)).times(*s1);
        let x = l.minus(times(y, r));
        *b = [x.0[0], x.0[1], x.0[2], r.0[0], r.0[1], r.0[2], multipliers.0[0], multipliers.0[1], multipliers.0[2]];
    }
}

/// The same for four right-hand sides, each of which has the bits of a solution by itself.
pub struct SolveFour<'a, 'b>(pub &'a Lone, pub &'b mut [Four; N]);

impl Work for SolveFour<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let SolveFour(Lone { signs: [s1, s2], z, y, att, v, w, d }, b) = self;
        let [u0, u1, u2, t0, t1, t2, l0, l1, l2] = *b;
        let (u, t, l) = ([u0, u1, u2], [t0, t1, t2], [l0.times(*s2), l1.times(*s2), l2.times(*s2)]);
        // A row of `m x`.
        let row = |m: &Threes, i: usize, x: &[Four; 3]| {
            x[0].times(m[0].0[i]).plus(x[1].times(m[1].0[i])).plus(x[2].times(m[2].0[i]))
        };
        let (mut left, mut r) = ([Four::ZERO; 3], [Four::ZERO; 3]);
        for i in 0..3 {
            left[i] = t[i].minus(row(z, i, &u)).minus(row(w, i, &l));
        }
        for i in 0..3 {
            r[i] = row(d, i, &left);
        }
        for i in 0..3 {
            b[i] = l[i].minus(row(y, i, &r));
            b[3 + i] = r[i];
            b[6 + i] = u[i].minus(row(att, i, &l)).minus(row(v, i, &r)).times(*s1);
        }
    }
}
