//! Factors of what a block is coupled with.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::order::NONE;
use super::plan::Tie;
use super::significance::drop_negligible;
use super::small::{Columns, fetch_sum, fetch_sum_of, store};

/// Inverses of a block, and what its neighbours are coupled by.
pub struct Inverses<const W: usize, const M: usize> {
    /// `A^-1`.
    pub node: Columns<W, W>,
    /// `A^-1 B1`.
    pub right: Columns<W, M>,
    /// B2, by rows.
    pub left: Columns<W, M>,
    /// `S^-1`.
    pub schur: Columns<M, M>,
}

/// Factors of a neighbour: rows `H - G A^-1 B1` and G, columns `S^-1 (F - B2 A^-1 E)` and `A^-1 E`. All of them by rows of the
/// block, entries of the neighbour beside each other.
#[inline(always)]
pub fn couple<const W: usize, const M: usize, const L: usize>(
    block: &Inverses<W, M>,
    tie: &Tie,
    len: usize,
    values: &[f64],
    added: &[f64],
    factors: &mut [f64],
) {
    let mut first = tie.values as usize;
    let count = tie.rows(W, M);
    let (mut taken, mut given) = ([[0.0; L]; M], [[0.0; L]; M]);
    let [rows, columns] = [tie.factors, tie.back].map(|place| place as usize..place as usize + count * len);
    if W > 0 && tie.node {
        let (mut e, mut g) = ([[0.0; L]; W], [[0.0; L]; W]);
        for j in 0..len {
            let own: Columns<W, 1> = fetch_sum(values, first + W * j, added, tie.added[0], W * j);
            let back: Columns<W, 1> = fetch_sum(values, first + W * (len + j), added, tie.added[0], W * (len + j));
            for i in 0..W {
                e[i][j] = own[0][i];
                g[i][j] = back[0][i];
            }
        }
        if tie.added[0] != NONE {
            drop_negligible(&mut e);
            drop_negligible(&mut g);
        }
        let mut z = [[0.0; L]; W];
        for i in 0..W {
            for k in 0..W {
                for j in 0..L {
                    z[i][j] += block.node[k][i] * e[k][j];
                }
            }
        }
        for k in 0..M {
            for i in 0..W {
                for j in 0..L {
                    taken[k][j] += block.left[k][i] * z[i][j];
                    given[k][j] += block.right[k][i] * g[i][j];
                }
            }
        }
        store(&mut factors[rows.clone()][M * len..], &g, len);
        store(&mut factors[columns.clone()][M * len..], &z, len);
        first += 2 * W * len;
    }
    if M > 0 {
        let mut f: Columns<L, M> = fetch_sum_of(values, first, added, tie.added[1], 0, len);
        let mut h: Columns<L, M> = fetch_sum_of(values, first + M * len, added, tie.added[1], M * len, len);
        if W > 0 && tie.node {
            for k in 0..M {
                for j in 0..L {
                    f[k][j] -= taken[k][j];
                    h[k][j] -= given[k][j];
                }
            }
        }
        if tie.added[1] != NONE {
            drop_negligible(&mut f);
            drop_negligible(&mut h);
        }
        let mut p = [[0.0; L]; M];
        for k in 0..M {
            for l in 0..M {
                for j in 0..L {
                    p[k][j] += block.schur[l][k] * f[l][j];
                }
            }
        }
        store(&mut factors[rows], &h, len);
        store(&mut factors[columns], &p, len);
    }
}
