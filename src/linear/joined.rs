//! Bodies on spherical joints: blocks of a node of six unknowns and three constraints in which its translations stand by themselves.
//!
//! There the block is `[A B1; B2 0]` with `B1 = [s1 I; Z]` and `B2 = [s2 I, Y]`, s1 and s2 signs. Translations and multipliers are
//! eliminated first, whose pivots are units, and what is left is of three unknowns, the rotations about the joint: a third of the
//! arithmetic of the general way, half of its operations one after the other, and fewer factors. With right-hand sides u, t, l of
//! translations, rotations and constraints, and l' = s2 l,
//!
//! ```text
//! rotations    r = D (t - Z' u - W l'),      D = (Arr - Art Y' - Z' V)^-1,
//! multipliers  y = s1 (u - Att l' - V r),    V = Atr - Att Y',  W = Art - Z' Att,
//! translations x = l' - Y' r,                Z' = s1 Z,  Y' = s2 Y.
//! ```
//!
//! Neighbours are mostly coupled with the constraints alone, by rows F, and what follows from their unknowns z follows from
//! the three numbers c = s2 F z: the way back takes c from l', adds D W c to r and s1 (Att - V D W) c to y, and finds x at last, so
//! that translations wait as l'. It is the recursion of articulated bodies (Featherstone, Rigid Body Dynamics Algorithms, 2008,
//! chapter 7) as an elimination: `Att - V D W` is what the joint feels of the body and of all that hangs on it. Factors of neighbours are the rows `[H; G]` as
//! they are, and s2 F, or where the node is coupled, too, the columns of the solution for `[F; E]`, constraints before the node.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::block::Spread;
use super::lanes::Plain;
use super::order::NONE;
use super::plan::{Block, OWN, Plan, SKIPPED, Tie};
use super::processor::{self, Work};
use super::several::Number;
use super::significance::drop_negligible;
use super::small::{Columns, column, dot, dot_of, fetch_sum, fetch_sum_of, first, put, store, times_these};
use super::spherical::{Spherical, sign_of};
use super::substitution::{Kernel, Substitute, leave, leave_any};
use super::threes::{part, scaled, short, threes};
use std::ops::Range;

/// Numbers of a block's own factors for the way back: D W, Y', s1 (Att - V D W).
pub const OWN_BACK: usize = 3 * 9;

/// Columns of the solution for one neighbour, of six unknowns at most.
pub const COLUMNS: usize = 9 * 6;

/// The factors of a block, where it is of this kind and the rotations that are left have significant pivots.
struct Eliminate<'a> {
    block: &'a Block,
    ties: &'a [Tie],
    values: &'a [f64],
    added: &'a [f64],
    factors: &'a mut [f64],
    columns: &'a mut [f64],
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
    /// s1 (Att - V D W).
    felt: Columns<3, 3>,
}

impl Work for Eliminate<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self) -> bool {
        let Eliminate { block, ties, values, added, factors, columns, spread } = self;
        let start = block.values as usize;
        let b1: Columns<6, 3> = fetch_sum(values, start + 36, added, block.added[1], 0);
        let b2: Columns<6, 3> = fetch_sum(values, start + 54, added, block.added[1], 18);
        let (Some(s1), Some(s2)) = (sign_of(&b1, 0, 0), sign_of(&b2, 0, 0)) else { return false };
        let a: Columns<6, 6> = fetch_sum(values, start, added, block.added[0], 0);
        // B2 is by rows.
        let column = |j: usize| threes(Plain, &[b2[0][j], b2[1][j], b2[2][j]]);
        let (z, y) = (part(Plain, &b1, 3, 0), [column(3), column(4), column(5)]);
        let sizes = |start: usize| added[start + 36..].first_chunk().expect("six sizes");
        let carried = (block.added[0] != NONE).then(|| sizes(block.added[0] as usize));
        let Some(Spherical { z, y, att, v, w, d, dw, felt }) = Spherical::of(Plain, [s1, s2], &a, &z, &y, carried)
        else {
            return false;
        };
        spread.count_node::<6>(block, &values[start..start + 36]);
        let own = &mut factors[block.factors as usize + SKIPPED as usize..][..OWN];
        (own[0], own[1]) = (s1, s2);
        let (z, w, y) = (short(Plain, &z), short(Plain, &w), short(Plain, &y));
        let (att, v) = (short(Plain, &att), short(Plain, &v));
        let (d, dw, felt) = (short(Plain, &d), short(Plain, &dw), short(Plain, &scaled(Plain, &felt, s1)));
        for (into, matrix) in own[2..].chunks_exact_mut(9).zip([&z, &w, &d, &att, &v]) {
            store(into, matrix, 3);
        }
        let back = &mut factors[block.back as usize..][..OWN_BACK];
        for (into, matrix) in back.chunks_exact_mut(9).zip([&dw, &y, &felt]) {
            store(into, matrix, 3);
        }
        let inverses = Inverses { signs: [s1, s2], z, y, att, v, d, dw, felt };
        let wants_all = ties.iter().any(|tie| tie.node);
        for (tie, columns) in ties.iter().zip(columns.chunks_exact_mut(COLUMNS)) {
            let (own, places) = (std::hint::black_box(&inverses), (values, added));
            match tie.len {
                6 => couple::<6>(own, tie, 6, places, factors, columns, wants_all),
                5 => couple::<5>(own, tie, 5, places, factors, columns, wants_all),
                3 => couple::<3>(own, tie, 3, places, factors, columns, wants_all),
                len => couple::<6>(own, tie, len.into(), places, factors, columns, wants_all),
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

/// Factors of a neighbour, and the columns of the solution for it: what of them `change` asks for, or all.
#[inline(always)]
fn couple<const L: usize>(
    own: &Inverses,
    tie: &Tie,
    len: usize,
    (values, added): (&[f64], &[f64]),
    factors: &mut [f64],
    columns: &mut [f64],
    wants_all: bool,
) {
    let [s1, s2] = own.signs;
    let mut beyond = tie.values as usize;
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
    let rows = &mut factors[tie.factors as usize..][..tie.rows(6, 3) * len];
    store(rows, &h, len);
    if tie.node {
        store(&mut rows[3 * len..], &g, len);
    }

    let (mut turned, mut multipliers, mut moved) = ([[0.0; L]; 3], [[0.0; L]; 3], f);
    if tie.node {
        let (eu, mut et): (Rows<L>, Rows<L>) = ([e[0], e[1], e[2]], [e[3], e[4], e[5]]);
        add(&mut et, -1.0, &own.z, &eu);
        add(&mut turned, 1.0, &own.d, &et);
        add(&mut turned, -1.0, &own.dw, &f);
        add(&mut multipliers, -s1, &own.att, &f);
        add(&mut multipliers, -s1, &own.v, &turned);
        for k in 0..3 {
            for j in 0..L {
                multipliers[k][j] += s1 * eu[k][j];
            }
        }
    } else {
        add(&mut multipliers, -1.0, &own.felt, &f);
    }
    let columns = &mut columns[..9 * len];
    store(columns, &multipliers, len);
    if wants_all {
        if !tie.node {
            add(&mut turned, -1.0, &own.dw, &f);
        }
        add(&mut moved, -1.0, &own.y, &turned);
        store(&mut columns[3 * len..], &moved, len);
        store(&mut columns[6 * len..], &turned, len);
    }
    let back = &mut factors[tie.back as usize..][..tie.rows(6, 3) * len];
    match tie.node {
        true => back.copy_from_slice(columns),
        false => store(back, &f, len),
    }
}

/// Factors of a block of this kind, and for `change` the columns of solutions for its neighbours, [`COLUMNS`] for each; false, with
/// nothing done that counts, where it is none.
#[inline(always)]
pub fn eliminate(
    block: &Block,
    ties: &[Tie],
    values: &[f64],
    added: &[f64],
    factors: &mut [f64],
    columns: &mut [f64],
    spread: &mut Spread,
) -> bool {
    block.joins && processor::run(Eliminate { block, ties, values, added, factors, columns, spread })
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
    let own = &factors[(block.factors + SKIPPED) as usize..][..OWN];
    let (s1, s2) = (own[0], own[1]);
    let part = |k: usize| &own[2 + 9 * k..11 + 9 * k];
    let (node, constraints) = (block.node.0 as usize, block.constraints.0 as usize);
    let all: [T; 6] = first(&b[node..]);
    let l: [T; 3] = first::<3, T>(&b[constraints..]).map(|x| x.times(s2));
    let (u, t) = ([all[0], all[1], all[2]], [all[3], all[4], all[5]]);
    let r = times_these(part(2), &minus(minus(t, part(0), &u), part(1), &l));
    let y = minus(minus(u, part(3), &l), part(4), &r).map(|y| y.times(s1));
    let join = |x: [T; 3]| [x[0], x[1], x[2], r[0], r[1], r[2]];
    put(&mut b[node..], &join(l));
    put(&mut b[constraints..], &y);
    for tie in ties {
        let (start, len) = (tie.start as usize, usize::from(tie.len));
        let rows = &factors[tie.factors as usize..][..tie.rows(6, 3) * len];
        let into = &mut b[start..start + len];
        // Where the node has a part in it.
        let all = if tie.node { join(minus(l, y_of(block, factors), &r)) } else { all };
        match len {
            6 => leave::<6, 3, 6, T>(tie, rows, &all, &y, into),
            _ => leave_any(rows, &all, &y, into),
        }
    }
}

/// Y'.
#[inline(always)]
fn y_of<'a>(block: &Block, factors: &'a [f64]) -> &'a [f64] {
    &factors[block.back as usize + 9..][..9]
}

#[inline(always)]
fn backward<T: Number>(block: &Block, ties: &[Tie], factors: &[f64], b: &mut [T]) {
    let (node, constraints) = (block.node.0 as usize, block.constraints.0 as usize);
    let (all, mut y): ([T; 6], [T; 3]) = (first(&b[node..]), first(&b[constraints..]));
    let (mut l, mut r) = ([all[0], all[1], all[2]], [all[3], all[4], all[5]]);
    let mut c = [T::ZERO; 3];
    for tie in ties.iter().filter(|tie| !tie.node) {
        add_products(&mut c, &factors[tie.back as usize..], tie, b);
    }
    let own = &factors[block.back as usize..][..OWN_BACK];
    let (turned, felt): ([T; 3], [T; 3]) = (times_these(own, &c), times_these(&own[18..], &c));
    for k in 0..3 {
        (l[k], r[k], y[k]) = (l[k].minus(c[k]), r[k].plus(turned[k]), y[k].plus(felt[k]));
    }
    let mut x = minus(l, y_of(block, factors), &r);
    for tie in ties.iter().filter(|tie| tie.node) {
        let (columns, len) = (&factors[tie.back as usize..], usize::from(tie.len));
        let mut taken = [[T::ZERO; 3]; 3];
        for (taken, columns) in taken.iter_mut().zip(columns.chunks_exact(3 * len)) {
            add_products(taken, columns, tie, b);
        }
        for k in 0..3 {
            (y[k], x[k], r[k]) = (y[k].minus(taken[0][k]), x[k].minus(taken[1][k]), r[k].minus(taken[2][k]));
        }
    }
    put(&mut b[node..], &[x[0], x[1], x[2], r[0], r[1], r[2]]);
    put(&mut b[constraints..], &y);
}

/// Adds three rows of a neighbour, times its unknowns.
#[inline(always)]
fn add_products<T: Number>(into: &mut [T; 3], rows: &[f64], tie: &Tie, b: &[T]) {
    let (start, len) = (tie.start as usize, usize::from(tie.len));
    let from = &b[start..start + len];
    if len == 6 {
        let from: [T; 6] = first(from);
        for k in 0..3 {
            into[k] = into[k].plus(dot(column::<6>(rows, k), &from));
        }
    } else {
        for (row, into) in rows.chunks_exact(len).zip(into) {
            *into = into.plus(dot_of(row, from));
        }
    }
}
