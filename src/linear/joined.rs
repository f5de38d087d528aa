//! Bodies on spherical joints: blocks of a node of six unknowns and three constraints in which its translations stand by themselves.
//!
//! There the block is `[A B1; B2 0]` with `B1 = [s1 I; Z]` and `B2 = [s2 I, Y]`, s1 and s2 signs. Translations and multipliers are
//! eliminated first, whose pivots are units, and what is left is of three unknowns, the rotations about the joint: a third of the
//! arithmetic of the general way, half of its operations one after the other, and fewer factors. With right-hand sides u, t, l of
//! translations, rotations and constraints, and l' = s2 l,
//!
//! ```text
//! rotations    r = D (t - Z' u - W l'),      D = (Art' - Z' V)^-1,  Art' = Arr - Art Y'
//! translations x = l' - Y' r,                V = Atr - Att Y',  W = Art - Z' Att,
//! multipliers  y = s1 (u - Att l' - V r),    Z' = s1 Z,  Y' = s2 Y.
//! ```
//!
//! It is the recursion of articulated bodies (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 7) as an elimination:
//! `Att - V D W` is what the joint feels of the body and of all that hangs on it. Factors of neighbours are the rows `[H; G]` as
//! they are, and the columns of the solution for `[F; E]`, constraints before the node.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::block::{CARRYING, Spread};
use super::order::NONE;
use super::plan::{Block, Plan, Tie};
use super::processor::{self, Work};
use super::several::Number;
use super::significance::{CANCELLED, CONDITION, drop_negligible};
use super::small::{Columns, column, condition, dot, dot_of, fetch_sum, fetch_sum_of, first, put, store};
use super::substitution::{Kernel, Substitute, leave, leave_any};
use super::threes::{Threes, inverse, less, product, short, threes};
use std::ops::Range;

/// Numbers of a block's own factors: two signs, and Z', W, D, Y', Att, V by columns. They stand right before those of its neighbours.
const OWN: usize = 2 + 6 * 9;

/// Where they begin, in the room that the general way takes.
const SKIPPED: usize = 6 * 6 + 6 * 3 + 3 * 3 - OWN;

/// The factors of a block, where it is of this kind and the rotations that are left have significant pivots.
struct Eliminate<'a> {
    block: &'a Block,
    ties: &'a [Tie],
    values: &'a [f64],
    added: &'a [f64],
    factors: &'a mut [f64],
    spread: &'a mut Spread,
}

/// What the columns of neighbours follow from.
struct Inverses {
    signs: [f64; 2],
    z: Columns<3, 3>,
    y: Columns<3, 3>,
    att: Columns<3, 3>,
    v: Columns<3, 3>,
    d: Columns<3, 3>,
    /// D W.
    dw: Columns<3, 3>,
    /// Att - V D W.
    felt: Columns<3, 3>,
}

/// The sign of a unit matrix that the first three rows of these columns are; None where they are none.
#[inline(always)]
fn sign_of(columns: &Columns<6, 3>) -> Option<f64> {
    let sign = columns[0][0];
    let mut is_unit = sign.abs() == 1.0;
    for k in 0..3 {
        for i in 0..3 {
            is_unit &= columns[k][i] == if i == k { sign } else { 0.0 };
        }
    }
    is_unit.then_some(sign)
}

impl Work for Eliminate<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Eliminate { block, ties, values, added, factors, spread } = self;
        let start = block.values as usize;
        let b1: Columns<6, 3> = fetch_sum(values, start + 36, added, block.added[1], 0);
        let b2: Columns<6, 3> = fetch_sum(values, start + 54, added, block.added[1], 18);
        let (Some(s1), Some(s2)) = (sign_of(&b1), sign_of(&b2)) else { return false };
        // No call of an assembly couples constraints with each other.
        if block.added[2] != NONE {
            return false;
        }
        let a: Columns<6, 6> = fetch_sum(values, start, added, block.added[0], 0);
        let part = |rows: usize, columns: usize| -> Threes { std::array::from_fn(|j| threes(&a[columns + j][rows..])) };
        let (att, atr, art, arr) = (part(0, 0), part(0, 3), part(3, 0), part(3, 3));
        let z: Threes = std::array::from_fn(|k| threes(&b1[k][3..]).times(s1));
        // B2 is by rows.
        let y: Threes = std::array::from_fn(|j| threes(&[b2[0][3 + j], b2[1][3 + j], b2[2][3 + j]]).times(s2));
        let v = less(&atr, &product(&att, &y));
        let w = less(&art, &product(&z, &att));
        let t = less(&less(&arr, &product(&art, &y)), &product(&z, &v));
        let d = inverse(&t);
        let dw = product(&d, &w);
        let taken = product(&v, &dw);
        let felt = less(&att, &taken);

        let most = if block.added[0] != NONE { CARRYING } else { CONDITION };
        let (t, d) = (short(&t), short(&d));
        let mut good = condition(&t, &d) <= most;
        for i in 0..3 {
            let (mut turned, mut moved) = (arr[i].0[i].abs(), att[i].0[i].abs() + taken[i].0[i].abs());
            for k in 0..3 {
                turned += (art[k].0[i] * y[i].0[k]).abs() + (z[k].0[i] * v[i].0[k]).abs();
            }
            if block.added[0] != NONE {
                let terms = &added[block.added[0] as usize + 36..][..6];
                (moved, turned) = (moved + terms[i], turned + terms[3 + i]);
            }
            good &= t[i][i].abs() > CANCELLED * turned;
            // Where a joint feels next to nothing of what hangs on it, the general way keeps more digits of that.
            good &= felt[i].0[i].abs() > CANCELLED * moved;
        }
        if !good {
            return false;
        }
        spread.count_node::<6>(block, &values[start..start + 36]);
        let own = &mut factors[block.factors as usize + SKIPPED..][..OWN];
        (own[0], own[1]) = (s1, s2);
        let (z, w, y, att, v) = (short(&z), short(&w), short(&y), short(&att), short(&v));
        for (into, matrix) in own[2..].chunks_exact_mut(9).zip([&z, &w, &d, &y, &att, &v]) {
            store(into, matrix, 3);
        }
        let inverses = Inverses { signs: [s1, s2], z, y, att, v, d, dw: short(&dw), felt: short(&felt) };
        for tie in ties {
            let inverses = std::hint::black_box(&inverses);
            match tie.len {
                6 => couple::<6>(inverses, tie, 6, values, added, factors),
                5 => couple::<5>(inverses, tie, 5, values, added, factors),
                3 => couple::<3>(inverses, tie, 3, values, added, factors),
                len => couple::<6>(inverses, tie, len.into(), values, added, factors),
            }
        }
        true
    }
}

/// Rows of L entries.
type Rows<const L: usize> = Columns<L, 3>;

/// `into += sign m rows`.
#[inline(always)]
fn add<const L: usize>(into: &mut Rows<L>, sign: f64, m: &Columns<3, 3>, rows: &Rows<L>) {
    for i in 0..3 {
        for k in 0..3 {
            let factor = sign * m[k][i];
            for j in 0..L {
                into[i][j] += factor * rows[k][j];
            }
        }
    }
}

/// Factors of a neighbour.
#[inline(always)]
fn couple<const L: usize>(own: &Inverses, tie: &Tie, len: usize, values: &[f64], added: &[f64], factors: &mut [f64]) {
    let [s1, s2] = own.signs;
    let mut beyond = tie.values as usize;
    let [rows, columns] = [(tie.factors, tie.rows(6, 3)), (tie.back, 9)]
        .map(|(place, count)| place as usize..place as usize + count * len);
    let (mut e, mut g) = ([[0.0; L]; 6], [[0.0; L]; 6]);
    if tie.node {
        for j in 0..len {
            let to: Columns<6, 1> = fetch_sum(values, beyond + 6 * j, added, tie.added[0], 6 * j);
            let from: Columns<6, 1> = fetch_sum(values, beyond + 6 * (len + j), added, tie.added[0], 6 * (len + j));
            for i in 0..6 {
                (e[i][j], g[i][j]) = (to[0][i], from[0][i]);
            }
        }
        if tie.added[0] != NONE {
            drop_negligible(&mut e);
            drop_negligible(&mut g);
        }
        beyond += 12 * len;
    }
    let mut f: Rows<L> = fetch_sum_of(values, beyond, added, tie.added[1], 0, len);
    let mut h: Rows<L> = fetch_sum_of(values, beyond + 3 * len, added, tie.added[1], 3 * len, len);
    if tie.added[1] != NONE {
        drop_negligible(&mut f);
        drop_negligible(&mut h);
    }
    f.as_flattened_mut().iter_mut().for_each(|x| *x *= s2);
    let (mut turned, mut multipliers, mut moved) = ([[0.0; L]; 3], [[0.0; L]; 3], f);
    add(&mut turned, -1.0, &own.dw, &f);
    if tie.node {
        let (eu, mut et): (Rows<L>, Rows<L>) = ([e[0], e[1], e[2]], [e[3], e[4], e[5]]);
        add(&mut et, -1.0, &own.z, &eu);
        add(&mut turned, 1.0, &own.d, &et);
        add(&mut multipliers, -s1, &own.att, &f);
        add(&mut multipliers, -s1, &own.v, &turned);
        for k in 0..3 {
            for j in 0..L {
                multipliers[k][j] += s1 * eu[k][j];
            }
        }
    } else {
        add(&mut multipliers, -s1, &own.felt, &f);
    }
    add(&mut moved, -1.0, &own.y, &turned);
    let rows = &mut factors[rows];
    store(rows, &h, len);
    if tie.node {
        store(&mut rows[3 * len..], &g, len);
    }
    for (into, part) in factors[columns].chunks_exact_mut(3 * len).zip([&multipliers, &moved, &turned]) {
        store(into, part, len);
    }
}

/// Factors of a block of this kind; false, with nothing done that counts, where it is none.
#[inline(always)]
pub fn eliminate(
    block: &Block,
    ties: &[Tie],
    values: &[f64],
    added: &[f64],
    factors: &mut [f64],
    spread: &mut Spread,
) -> bool {
    block.joins && processor::run(Eliminate { block, ties, values, added, factors, spread })
}

/// Substitution through such blocks, one after the other: forward, or `BACK`.
#[inline(always)]
pub fn substitute<T: Number, const BACK: bool>(plan: &Plan, range: Range<usize>, factors: &[f64], b: &mut [T]) {
    processor::run(Substitute::<Joined, T, BACK>::new(plan, range, factors, b));
}

struct Joined;

impl<T: Number> Kernel<T> for Joined {
    #[inline(always)]
    fn forward(block: &Block, ties: &[Tie], factors: &[f64], b: &mut [T]) {
        forward(block, ties, factors, b);
    }

    #[inline(always)]
    fn backward(block: &Block, ties: &[Tie], factors: &[f64], b: &mut [T]) {
        backward(block, ties, factors, b);
    }
}

/// `into - m x`.
#[inline(always)]
fn minus<T: Number>(into: [T; 3], m: &[f64], x: &[T; 3]) -> [T; 3] {
    let mut out = into;
    for k in 0..3 {
        let column: &[f64; 3] = column(m, k);
        for i in 0..3 {
            out[i] = out[i].minus(x[k].times(column[i]));
        }
    }
    out
}

#[inline(always)]
fn forward<T: Number>(block: &Block, ties: &[Tie], factors: &[f64], b: &mut [T]) {
    let own = &factors[block.factors as usize + SKIPPED..][..OWN];
    let (s1, s2) = (own[0], own[1]);
    let part = |k: usize| &own[2 + 9 * k..11 + 9 * k];
    let (node, constraints) = (block.node.0 as usize, block.constraints.0 as usize);
    let all: [T; 6] = first(&b[node..]);
    let l: [T; 3] = first::<3, T>(&b[constraints..]).map(|x| x.times(s2));
    let (u, t) = ([all[0], all[1], all[2]], [all[3], all[4], all[5]]);
    let right = minus(minus(t, part(0), &u), part(1), &l);
    let mut r = [T::ZERO; 3];
    for k in 0..3 {
        let column: &[f64; 3] = column(part(2), k);
        for i in 0..3 {
            r[i] = r[i].plus(right[k].times(column[i]));
        }
    }
    let x = minus(l, part(3), &r);
    let y = minus(minus(u, part(4), &l), part(5), &r).map(|y| y.times(s1));
    let all = [x[0], x[1], x[2], r[0], r[1], r[2]];
    put(&mut b[node..], &all);
    put(&mut b[constraints..], &y);
    for tie in ties {
        let (start, len) = (tie.start as usize, usize::from(tie.len));
        let rows = &factors[tie.factors as usize..][..tie.rows(6, 3) * len];
        let into = &mut b[start..start + len];
        match len {
            6 => leave::<6, 3, 6, T>(tie, rows, &all, &y, into),
            _ => leave_any(rows, &all, &y, into),
        }
    }
}

#[inline(always)]
fn backward<T: Number>(block: &Block, ties: &[Tie], factors: &[f64], b: &mut [T]) {
    let (node, constraints) = (block.node.0 as usize, block.constraints.0 as usize);
    let (mut x, mut y): ([T; 6], [T; 3]) = (first(&b[node..]), first(&b[constraints..]));
    for tie in ties {
        let (start, len) = (tie.start as usize, usize::from(tie.len));
        let columns = &factors[tie.back as usize..][..9 * len];
        let from = &b[start..start + len];
        if len == 6 {
            let from: [T; 6] = first(from);
            for k in 0..3 {
                y[k] = y[k].minus(dot(column::<6>(columns, k), &from));
            }
            for k in 0..6 {
                x[k] = x[k].minus(dot(column::<6>(columns, 3 + k), &from));
            }
        } else {
            for (column, into) in columns.chunks_exact(len).zip(y.iter_mut().chain(&mut x)) {
                *into = into.minus(dot_of(column, from));
            }
        }
    }
    put(&mut b[node..], &x);
    put(&mut b[constraints..], &y);
}
