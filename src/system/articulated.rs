//! Accelerations of a forest of bodies, from the outermost ones to the ground and back, in the time of its bodies.
//!
//! Solves `[c M B^T; B 0] (x, lambda) = (r, b)`, what `linear::kkt` solves for all models. With
//! `xi = (v, omega)` of the point J that a joint keeps together, both bodies have the same v there, and
//! `omega = omega_parent + N y`, N the axes that the joint leaves free. What hangs on a body acts like an inertia
//! `A = [a b^T; b d]` at J that resists only where the joint holds (Featherstone, Rigid Body Dynamics Algorithms, 2008, sect. 7.3,
//! here about points and axes of the inertial frame):
//!
//! ```text
//! A' = A - A N (N^T A N)^-1 N^T A,   p' = p - A N (N^T A N)^-1 N^T p,   f = A' xi_parent - p',
//! ```
//!
//! f the wrench of the joint on the body, of which the multipliers are components. Nothing is pivoted: where N^T A N has no
//! pivot by itself, or axes are not what they should be, the caller takes the general way.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::forest::Link;
use super::motion::Motion;
use crate::spatial::{RigidInertia, Vec3};
use std::sync::Arc;

/// A pivot below this part of what it is left of counts as none.
const CANCELLED: f64 = 1e-8;

/// Least sine of angles between axes that should be at right angles.
const SKEWED: f64 = 0.1;

/// Three numbers; a symmetric matrix as xx, xy, xz, yy, yz, zz; any matrix by rows.
type Three = [f64; 3];
type Symmetric = [f64; 6];
type Rows = [Three; 3];

/// Where row i, column j of a symmetric matrix stands.
const PLACE: [[usize; 3]; 3] = [[0, 1, 2], [1, 3, 4], [2, 4, 5]];

#[inline(always)]
fn dot(x: &Three, y: &Three) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

#[inline(always)]
fn cross(x: &Three, y: &Three) -> Three {
    [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
}

/// `x + c y`.
#[inline(always)]
fn add(x: &Three, c: f64, y: &Three) -> Three {
    [x[0] + c * y[0], x[1] + c * y[1], x[2] + c * y[2]]
}

#[inline(always)]
fn times(a: &Symmetric, x: &Three) -> Three {
    [
        a[0] * x[0] + a[1] * x[1] + a[2] * x[2],
        a[1] * x[0] + a[3] * x[1] + a[4] * x[2],
        a[2] * x[0] + a[4] * x[1] + a[5] * x[2],
    ]
}

/// `B x`.
#[inline(always)]
fn rows_times(b: &Rows, x: &Three) -> Three {
    [dot(&b[0], x), dot(&b[1], x), dot(&b[2], x)]
}

/// `B^T x`.
#[inline(always)]
fn columns_times(b: &Rows, x: &Three) -> Three {
    std::array::from_fn(|j| b[0][j] * x[0] + b[1][j] * x[1] + b[2][j] * x[2])
}

/// `L D L^T` of a symmetric matrix: l10, l20, l21, then the inverses of D.
#[derive(Debug, Clone, Copy, Default)]
struct Factors([f64; 6]);

impl Factors {
    /// None where a pivot is none.
    #[inline(always)]
    fn of(a: &Symmetric) -> Option<Factors> {
        let [xx, xy, xz, yy, yz, zz] = *a;
        let i0 = 1.0 / xx;
        let (l10, l20) = (xy * i0, xz * i0);
        let d1 = yy - l10 * xy;
        let i1 = 1.0 / d1;
        let left = yz - l20 * xy;
        let l21 = left * i1;
        let d2 = zz - l20 * xz - l21 * left;
        // Also false for what is no number.
        let good = xx > CANCELLED * (xx + yy + zz) && d1 > CANCELLED * yy && d2 > CANCELLED * zz;
        good.then_some(Factors([l10, l20, l21, i0, i1, 1.0 / d2]))
    }

    #[inline(always)]
    fn solve(&self, x: &Three) -> Three {
        let [l10, l20, l21, i0, i1, i2] = self.0;
        let y = x[1] - l10 * x[0];
        let z = (x[2] - l20 * x[0] - l21 * y) * i2;
        let y = y * i1 - l21 * z;
        [x[0] * i0 - l10 * y - l20 * z, y, z]
    }
}

/// `[a b^T; b d]` on (v, omega).
#[derive(Debug, Clone, Copy, Default)]
struct Inertia {
    a: Symmetric,
    b: Rows,
    d: Symmetric,
}

impl Inertia {
    /// That of a body, times c.
    #[inline(always)]
    fn of(body: &RigidInertia, motion: &Motion, c: f64) -> Inertia {
        let m = c * body.mass;
        let r = &motion.r;
        let turned = r * body.inertia;
        let entry = |i: usize, j: usize| {
            c * (turned[(i, 0)] * r[(j, 0)] + turned[(i, 1)] * r[(j, 1)] + turned[(i, 2)] * r[(j, 2)])
        };
        let d = [entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)];
        let mut b = [[0.0; 3]; 3];
        if body.eta != Vec3::zeros() {
            let [x, y, z] = (r * body.eta * m).into();
            b = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]];
        }
        Inertia { a: [m, 0.0, 0.0, m, 0.0, m], b, d }
    }

    /// The same on (v, omega) of another point, from which v here follows as `v + c x omega`: `b' = b - ~c a`,
    /// `d' = d - ~c b^T + b' ~c`.
    #[inline(always)]
    fn moved(&self, c: &Three) -> Inertia {
        let Inertia { a, b, d } = self;
        let entry = |i: usize, j: usize| a[PLACE[i][j]];
        let moved: Rows = std::array::from_fn(|i| {
            let (k, l) = ((i + 1) % 3, (i + 2) % 3);
            std::array::from_fn(|j| b[i][j] - (c[k] * entry(l, j) - c[l] * entry(k, j)))
        });
        let turned = |i: usize, j: usize| {
            let [(k, l), (m, n)] = [i, j].map(|i| ((i + 1) % 3, (i + 2) % 3));
            d[PLACE[i][j]] - (c[k] * b[j][l] - c[l] * b[j][k]) + (moved[i][m] * c[n] - moved[i][n] * c[m])
        };
        let d = [turned(0, 0), turned(0, 1), turned(0, 2), turned(1, 1), turned(1, 2), turned(2, 2)];
        Inertia { a: *a, b: moved, d }
    }

    /// The same of one that resists v alone.
    #[inline(always)]
    fn of_translations(a: &Symmetric, c: &Three) -> Inertia {
        let entry = |i: usize, j: usize| a[PLACE[i][j]];
        let b: Rows = std::array::from_fn(|i| {
            let (k, l) = ((i + 1) % 3, (i + 2) % 3);
            std::array::from_fn(|j| c[l] * entry(k, j) - c[k] * entry(l, j))
        });
        let turned = |i: usize, j: usize| {
            let (m, n) = ((j + 1) % 3, (j + 2) % 3);
            b[i][m] * c[n] - b[i][n] * c[m]
        };
        let d = [turned(0, 0), turned(0, 1), turned(0, 2), turned(1, 1), turned(1, 2), turned(2, 2)];
        Inertia { a: *a, b, d }
    }

    #[inline(always)]
    fn add(&mut self, other: &Inertia) {
        let sum = |x: &mut [f64], y: &[f64]| x.iter_mut().zip(y).for_each(|(x, y)| *x += y);
        sum(&mut self.a, &other.a);
        sum(self.b.as_flattened_mut(), other.b.as_flattened());
        sum(&mut self.d, &other.d);
    }

    /// Takes away what resists rotations about `axis`; None where that is nothing, of `before`.
    #[inline(always)]
    fn release(&mut self, axis: &Three, before: f64) -> Option<Axis> {
        let (linear, angular) = (columns_times(&self.b, axis), times(&self.d, axis));
        let pivot = dot(axis, &angular);
        let significant = pivot > CANCELLED * before;
        let inverse = 1.0 / pivot;
        let (v, w) = (linear.map(|x| x * inverse), angular.map(|x| x * inverse));
        for i in 0..3 {
            for j in i..3 {
                self.a[PLACE[i][j]] -= linear[i] * v[j];
                self.d[PLACE[i][j]] -= angular[i] * w[j];
            }
            for j in 0..3 {
                self.b[i][j] -= angular[i] * v[j];
            }
        }
        significant.then_some(Axis { axis: *axis, linear: v, angular: w, inverse })
    }
}

/// An axis n that a joint leaves free.
#[derive(Debug, Clone, Copy, Default)]
struct Axis {
    /// n.
    axis: Three,
    /// `A n / (n^T A n)`.
    linear: Three,
    angular: Three,
    /// `1/(n^T A n)`.
    inverse: f64,
}

/// What the elimination of a link leaves.
#[derive(Debug, Clone, Copy)]
enum Eliminated {
    /// Of a body that hangs on nothing: factors of d, `d^-1 b`, factors of `a - b^T d^-1 b`.
    Free { turning: Factors, coupling: Rows, moving: Factors },
    /// Of one that turns about a point in all ways.
    Ball { arms: [Three; 2], turning: Factors, coupling: Rows, held: Symmetric },
    /// About `count` axes. `duals`: h_k with `h_k . g_j = delta_kj`, normal to the free axes, g_j the gradients of the pairs.
    Axes { arms: [Three; 2], free: [Axis; 2], count: usize, duals: Rows, held: Inertia },
}

/// The links of a model and what was factorised of them last.
#[derive(Clone)]
pub struct Articulated {
    links: Arc<[Link]>,
    inertias: Vec<Inertia>,
    eliminated: Vec<Eliminated>,
    /// Of each free axis, `n . p`, between both sweeps.
    kept: Vec<[f64; 2]>,
}

impl Articulated {
    /// Memory for links.
    pub fn new(links: Arc<[Link]>) -> Articulated {
        let none =
            Eliminated::Free { turning: Factors::default(), coupling: Rows::default(), moving: Factors::default() };
        let n = links.len();
        Articulated { links, inertias: vec![Inertia::default(); n], eliminated: vec![none; n], kept: vec![[0.0; 2]; n] }
    }

    /// Eliminates all links with masses times c, the outermost first; false where one has no pivot.
    pub fn factorize(&mut self, inertias: &[RigidInertia], motions: &[Motion], c: f64) -> bool {
        let Articulated { links, inertias: own, eliminated, .. } = self;
        for (link, own) in links.iter().zip(&mut *own) {
            *own = Inertia::of(&inertias[link.body], &motions[link.body], c);
        }
        for (k, (link, into)) in links.iter().zip(eliminated).enumerate().rev() {
            let (before, rest) = own.split_at_mut(k);
            let parent = link.parent.map(|parent| &mut before[parent]);
            if eliminate(link, &rest[0], motions, into, parent).is_none() {
                return false;
            }
        }
        true
    }

    /// Replaces `(r, b)`, in which constraints stand behind `dofs` numbers, by `(x, lambda)`. Numbers of nodes that are no
    /// links stay as they are.
    pub fn solve(&mut self, dofs: usize, numbers: &mut [f64]) {
        let (bodies, multipliers) = numbers.split_at_mut(dofs);
        let (bodies, _) = bodies.as_chunks_mut::<6>();
        let Articulated { links, eliminated, kept, .. } = self;
        for ((link, factors), kept) in links.iter().zip(&*eliminated).zip(&mut *kept).rev() {
            let passed = factors.reduce(link, &mut bodies[link.body], multipliers, kept);
            if let Some(parent) = link.parent {
                let parent = &mut bodies[links[parent].body];
                (0..6).for_each(|i| parent[i] += passed[i]);
            }
        }
        for ((link, factors), kept) in links.iter().zip(&*eliminated).zip(&*kept) {
            let parent = link.parent.map_or([0.0; 6], |parent| bodies[links[parent].body]);
            factors.follow(link, &parent, &mut bodies[link.body], multipliers, kept);
        }
    }
}

/// The factors of a link, and what is left of its inertia into that of its parent. None where it has no pivot.
#[inline(always)]
fn eliminate(
    link: &Link,
    own: &Inertia,
    motions: &[Motion],
    into: &mut Eliminated,
    parent: Option<&mut Inertia>,
) -> Option<()> {
    let Some(hinge) = &link.hinge else {
        let (turning, coupling, held) = without_rotations(own)?;
        *into = Eliminated::Free { turning, coupling, moving: Factors::of(&held)? };
        return Some(());
    };
    let ends = link.ends.map(|end| &motions[end]);
    let other = 1 - link.own;
    // Of the body itself, then of its parent.
    let arms: [Three; 2] = [link.own, other].map(|end| ends[end].arm(&hinge.points[end]).into());
    let back = arms[1].map(|x| -x);
    let mut at_joint = own.moved(&arms[0]);
    if hinge.pairs == 0 {
        let (turning, coupling, held) = without_rotations(&at_joint)?;
        *into = Eliminated::Ball { arms, turning, coupling, held };
        if let Some(parent) = parent {
            parent.add(&Inertia::of_translations(&held, &back));
        }
        return Some(());
    }
    let pair = |k: usize| -> [Three; 2] {
        let [u, w] = &hinge.axes[k];
        [ends[0].arm(u).into(), ends[1].arm(w).into()]
    };
    let gradient = |k: usize| -> Three {
        let [u, w] = pair(k);
        cross(&u, &w)
    };
    let none = [0.0; 3];
    let (duals, axes, count) = match hinge.pairs {
        // Rotations of either body about its own axis keep the other one at right angles.
        1 => (duals_of_one(&gradient(0))?, pair(0), 2),
        2 => {
            let (duals, axis) = duals_of_two(&gradient(0), &gradient(1))?;
            (duals, [axis, none], 1)
        }
        _ => (duals_of_three([0, 1, 2].map(gradient))?, [none; 2], 0),
    };
    let mut free = [Axis::default(); 2];
    let resisting = axes.map(|axis| dot(&axis, &times(&at_joint.d, &axis)));
    for k in 0..count {
        free[k] = at_joint.release(&axes[k], resisting[k])?;
    }
    *into = Eliminated::Axes { arms, free, count, duals, held: at_joint };
    if let Some(parent) = parent {
        parent.add(&at_joint.moved(&back));
    }
    Some(())
}

/// `L D L^T` of d, `d^-1 b` and `a - b^T d^-1 b`.
#[inline(always)]
fn without_rotations(inertia: &Inertia) -> Option<(Factors, Rows, Symmetric)> {
    let Inertia { a, b, d } = inertia;
    let turning = Factors::of(d)?;
    let mut coupling = [[0.0; 3]; 3];
    for j in 0..3 {
        let column = turning.solve(&[b[0][j], b[1][j], b[2][j]]);
        (0..3).for_each(|i| coupling[i][j] = column[i]);
    }
    let mut held = *a;
    for i in 0..3 {
        for j in i..3 {
            held[PLACE[i][j]] -= b[0][i] * coupling[0][j] + b[1][i] * coupling[1][j] + b[2][i] * coupling[2][j];
        }
    }
    Some((turning, coupling, held))
}

/// `h . g = 1` for the gradient g of one pair of axes; None where these are not at right angles by far.
#[inline(always)]
fn duals_of_one(g: &Three) -> Option<Rows> {
    let square = dot(g, g);
    (square > SKEWED * SKEWED).then(|| [g.map(|x| x / square), [0.0; 3], [0.0; 3]])
}

/// `h_k . g_j = delta_kj` for two gradients, and the axis normal to both.
#[inline(always)]
fn duals_of_two(p: &Three, q: &Three) -> Option<(Rows, Three)> {
    let n = cross(p, q);
    let square = dot(&n, &n);
    let c = 1.0 / square;
    let duals = [cross(q, &n).map(|x| c * x), cross(&n, p).map(|x| c * x), [0.0; 3]];
    (square > SKEWED * SKEWED).then_some((duals, n))
}

/// The same for three.
#[inline(always)]
fn duals_of_three([p, q, r]: [Three; 3]) -> Option<Rows> {
    let normal = cross(&q, &r);
    let volume = dot(&p, &normal);
    let duals = [normal, cross(&r, &p), cross(&p, &q)].map(|x| x.map(|x| x / volume));
    (volume.abs() > SKEWED).then_some(duals)
}

/// Force and moment, or v and omega.
#[inline(always)]
fn halves(x: &[f64; 6]) -> [Three; 2] {
    [[x[0], x[1], x[2]], [x[3], x[4], x[5]]]
}

#[inline(always)]
fn join([x, y]: [Three; 2]) -> [f64; 6] {
    [x[0], x[1], x[2], y[0], y[1], y[2]]
}

/// 1 where the link is body b of its joint, -1 where it is a.
#[inline(always)]
fn sign(link: &Link) -> f64 {
    if link.own == 1 { 1.0 } else { -1.0 }
}

impl Eliminated {
    /// From the wrench on a link and what its constraints ask for: what is kept until motions are known takes the place of the
    /// wrench; the wrench that its parent gets.
    #[inline(always)]
    fn reduce(&self, link: &Link, own: &mut [f64; 6], asked: &[f64], kept: &mut [f64; 2]) -> [f64; 6] {
        let [force, moment] = halves(own);
        match self {
            Eliminated::Free { turning, coupling, .. } => {
                let force = add(&force, -1.0, &columns_times(coupling, &moment));
                *own = join([force, turning.solve(&moment)]);
                [0.0; 6]
            }
            Eliminated::Ball { arms, turning, coupling, held } => {
                let moment = add(&moment, -1.0, &cross(&arms[0], &force));
                let force = add(&force, -1.0, &columns_times(coupling, &moment));
                let passed = add(&force, -sign(link), &times(held, &gap(link, asked)));
                *own = join([force, turning.solve(&moment)]);
                join([passed, cross(&arms[1], &passed)])
            }
            Eliminated::Axes { arms, free, count, duals, held } => {
                let mut force = force;
                let mut moment = add(&moment, -1.0, &cross(&arms[0], &force));
                for (axis, kept) in free.iter().zip(kept).take(*count) {
                    *kept = dot(&axis.axis, &moment);
                    force = add(&force, -*kept, &axis.linear);
                    moment = add(&moment, -*kept, &axis.angular);
                }
                let (v, omega) = (gap(link, asked), asked_turn(link, duals, asked));
                let [f, m] = held_by(held, &v.map(|x| sign(link) * x), &omega);
                let passed = [add(&force, -1.0, &f), add(&moment, -1.0, &m)];
                let at_parent = add(&passed[1], 1.0, &cross(&arms[1], &passed[0]));
                *own = join([force, moment]);
                join([passed[0], at_parent])
            }
        }
    }

    /// From the motion of the parent and what was kept, in its place: the motion of the link; the multipliers take the place of
    /// what their constraints ask for.
    #[inline(always)]
    fn follow(&self, link: &Link, parent: &[f64; 6], own: &mut [f64; 6], multipliers: &mut [f64], released: &[f64; 2]) {
        let ([v_parent, omega_parent], [force, moment]) = (halves(parent), halves(own));
        let at_joint = |arms: &[Three; 2], multipliers: &[f64]| {
            let v = add(&v_parent, 1.0, &cross(&omega_parent, &arms[1]));
            add(&v, sign(link), &gap(link, multipliers))
        };
        match self {
            Eliminated::Free { coupling, moving, .. } => {
                let v = moving.solve(&force);
                *own = join([v, add(&moment, -1.0, &rows_times(coupling, &v))]);
            }
            Eliminated::Ball { arms, coupling, held, .. } => {
                let v = at_joint(arms, multipliers);
                let omega = add(&moment, -1.0, &rows_times(coupling, &v));
                let reaction = add(&times(held, &v), -1.0, &force);
                put_force(link, &reaction, multipliers);
                *own = join([add(&v, 1.0, &cross(&arms[0], &omega)), omega]);
            }
            Eliminated::Axes { arms, free, count, duals, held } => {
                let v = at_joint(arms, multipliers);
                let mut omega = add(&omega_parent, 1.0, &asked_turn(link, duals, multipliers));
                let [f, m] = held_by(held, &v, &omega);
                for (axis, released) in free.iter().zip(released).take(*count).rev() {
                    let y = released * axis.inverse - dot(&axis.linear, &v) - dot(&axis.angular, &omega);
                    omega = add(&omega, y, &axis.axis);
                }
                put_force(link, &add(&f, -1.0, &force), multipliers);
                let moment = add(&m, -1.0, &moment);
                if let Some(hinge) = &link.hinge {
                    for (index, dual) in hinge.multipliers.iter().zip(duals).take(hinge.pairs) {
                        multipliers[*index] = sign(link) * dot(dual, &moment);
                    }
                }
                *own = join([add(&v, 1.0, &cross(&arms[0], &omega)), omega]);
            }
        }
    }
}

/// `A (v, omega)`.
#[inline(always)]
fn held_by(inertia: &Inertia, v: &Three, omega: &Three) -> [Three; 2] {
    let Inertia { a, b, d } = inertia;
    [add(&times(a, v), 1.0, &columns_times(b, omega)), add(&rows_times(b, v), 1.0, &times(d, omega))]
}

/// What the constraints ask for of the points that they keep together: v of b less that of a.
#[inline(always)]
fn gap(link: &Link, asked: &[f64]) -> Three {
    let first = link.hinge.as_ref().map_or(0, |hinge| hinge.first);
    [asked[first], asked[first + 1], asked[first + 2]]
}

/// The reaction on the link as multipliers.
#[inline(always)]
fn put_force(link: &Link, force: &Three, multipliers: &mut [f64]) {
    let first = link.hinge.as_ref().map_or(0, |hinge| hinge.first);
    multipliers[first..first + 3].copy_from_slice(&force.map(|x| -sign(link) * x));
}

/// The least turn of the link against its parent that the pairs of axes ask for.
#[inline(always)]
fn asked_turn(link: &Link, duals: &Rows, asked: &[f64]) -> Three {
    let mut turn = [0.0; 3];
    if let Some(hinge) = &link.hinge {
        for (index, dual) in hinge.multipliers.iter().zip(duals).take(hinge.pairs) {
            turn = add(&turn, -sign(link) * asked[*index], dual);
        }
    }
    turn
}
