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

use super::articulated_inertia::{
    Axis, Factors, Inertia, Rows, Symmetric, Three, add, columns_times, cross, dot, halves, held_by, join, rows_times,
    times, without_rotations,
};
use super::forest::Link;
use super::motion::Motion;
use crate::spatial::RigidInertia;
use std::sync::Arc;

/// Least sine of angles between axes that should be at right angles.
const SKEWED: f64 = 0.1;

/// What the elimination of a link leaves.
#[derive(Debug, Clone, Copy)]
#[allow(clippy::large_enum_variant)] // one list, which a box would scatter
enum Eliminated {
    /// Of a body that hangs on nothing: factors of d, `d^-1 b`, factors of `a - b^T d^-1 b`.
    Free { turning: Factors, coupling: Rows, moving: Factors },
    /// Of one that turns about a point in all ways.
    Ball { arms: [Three; 2], turning: Factors, coupling: Rows, held: Symmetric },
    /// About two axes, one or none.
    Axes(Held),
}

/// What the elimination leaves of a link that some pairs of axes hold.
#[derive(Debug, Clone, Copy)]
struct Held {
    arms: [Three; 2],
    /// The axes left free, which together with the pairs are three.
    free: [Axis; 2],
    pairs: usize,
    /// h_k with `h_k . g_j = delta_kj`, normal to the free axes, g_j the gradients of the pairs; times the link's sign.
    duals: Rows,
    /// A'.
    held: Inertia,
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
    let arms: [Three; 2] = [ends[0].arm(&hinge.point.a).into(), ends[1].arm(&hinge.point.b).into()];
    // Of the body itself, then of its parent.
    let arms = if link.own == 0 { arms } else { [arms[1], arms[0]] };
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
        let axes = &hinge.axes[k];
        [ends[0].arm(&axes.a).into(), ends[1].arm(&axes.b).into()]
    };
    let gradient = |k: usize| -> Three {
        let [u, w] = pair(k);
        cross(&u, &w)
    };
    let none = [0.0; 3];
    let (duals, axes) = match hinge.pairs {
        // Rotations of either body about its own axis keep the other one at right angles.
        1 => (duals_of_one(&gradient(0))?, pair(0)),
        2 => {
            let (duals, axis) = duals_of_two(&gradient(0), &gradient(1))?;
            (duals, [axis, none])
        }
        _ => (duals_of_three([0, 1, 2].map(gradient))?, [none; 2]),
    };
    let mut free = [Axis::default(); 2];
    let resisting = axes.map(|axis| dot(&axis, &times(&at_joint.d, &axis)));
    for k in 0..3 - hinge.pairs {
        free[k] = at_joint.release(&axes[k], resisting[k])?;
    }
    let duals = duals.map(|dual| dual.map(|x| sign(link) * x));
    *into = Eliminated::Axes(Held { arms, free, pairs: hinge.pairs, duals, held: at_joint });
    if let Some(parent) = parent {
        parent.add(&at_joint.moved(&back));
    }
    Some(())
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
            Eliminated::Axes(held) => match held.pairs {
                1 => held.reduce::<1, 2>(link, own, asked, kept),
                2 => held.reduce::<2, 1>(link, own, asked, kept),
                _ => held.reduce::<3, 0>(link, own, asked, kept),
            },
        }
    }

    /// From the motion of the parent and what was kept, in its place: the motion of the link; the multipliers take the place of
    /// what their constraints ask for.
    #[inline(always)]
    fn follow(&self, link: &Link, parent: &[f64; 6], own: &mut [f64; 6], multipliers: &mut [f64], released: &[f64; 2]) {
        let ([v_parent, omega_parent], [force, moment]) = (halves(parent), halves(own));
        match self {
            Eliminated::Free { coupling, moving, .. } => {
                let v = moving.solve(&force);
                *own = join([v, add(&moment, -1.0, &rows_times(coupling, &v))]);
            }
            Eliminated::Ball { arms, coupling, held, .. } => {
                let v = add(&v_parent, 1.0, &cross(&omega_parent, &arms[1]));
                let v = add(&v, sign(link), &gap(link, multipliers));
                let omega = add(&moment, -1.0, &rows_times(coupling, &v));
                let reaction = add(&times(held, &v), -1.0, &force);
                put_force(link, &reaction, multipliers);
                *own = join([add(&v, 1.0, &cross(&arms[0], &omega)), omega]);
            }
            Eliminated::Axes(held) => match held.pairs {
                1 => held.follow::<1, 2>(link, parent, own, multipliers, released),
                2 => held.follow::<2, 1>(link, parent, own, multipliers, released),
                _ => held.follow::<3, 0>(link, parent, own, multipliers, released),
            },
        }
    }
}

impl Held {
    /// [`Eliminated::reduce`] with P pairs of axes and F free ones.
    #[inline(always)]
    fn reduce<const P: usize, const F: usize>(
        &self,
        link: &Link,
        own: &mut [f64; 6],
        asked: &[f64],
        kept: &mut [f64; 2],
    ) -> [f64; 6] {
        let Held { arms, free, held, .. } = self;
        let [mut force, moment] = halves(own);
        let mut moment = add(&moment, -1.0, &cross(&arms[0], &force));
        for k in 0..F {
            kept[k] = dot(&free[k].axis, &moment);
            force = add(&force, -kept[k], &free[k].linear);
            moment = add(&moment, -kept[k], &free[k].angular);
        }
        let v = gap(link, asked).map(|x| sign(link) * x);
        let [f, m] = held_by(held, &v, &self.asked_turn::<P>(link, asked));
        let passed = [add(&force, -1.0, &f), add(&moment, -1.0, &m)];
        *own = join([force, moment]);
        join([passed[0], add(&passed[1], 1.0, &cross(&arms[1], &passed[0]))])
    }

    /// [`Eliminated::follow`], likewise.
    #[inline(always)]
    fn follow<const P: usize, const F: usize>(
        &self,
        link: &Link,
        parent: &[f64; 6],
        own: &mut [f64; 6],
        multipliers: &mut [f64],
        released: &[f64; 2],
    ) {
        let Held { arms, free, duals, held, .. } = self;
        let ([v, omega], [force, moment]) = (halves(parent), halves(own));
        let v = add(&add(&v, 1.0, &cross(&omega, &arms[1])), sign(link), &gap(link, multipliers));
        let mut omega = add(&omega, 1.0, &self.asked_turn::<P>(link, multipliers));
        let [f, m] = held_by(held, &v, &omega);
        for k in (0..F).rev() {
            let Axis { axis, linear, angular, inverse } = &free[k];
            let y = released[k] * inverse - dot(linear, &v) - dot(angular, &omega);
            omega = add(&omega, y, axis);
        }
        put_force(link, &add(&f, -1.0, &force), multipliers);
        let moment = add(&m, -1.0, &moment);
        if let Some(hinge) = &link.hinge {
            for k in 0..P {
                multipliers[hinge.multipliers[k]] = dot(&duals[k], &moment);
            }
        }
        *own = join([add(&v, 1.0, &cross(&arms[0], &omega)), omega]);
    }

    /// The least turn of the link against its parent that the pairs of axes ask for.
    #[inline(always)]
    fn asked_turn<const P: usize>(&self, link: &Link, asked: &[f64]) -> Three {
        let mut turn = [0.0; 3];
        if let Some(hinge) = &link.hinge {
            for k in 0..P {
                turn = add(&turn, -asked[hinge.multipliers[k]], &self.duals[k]);
            }
        }
        turn
    }
}

/// What the constraints ask for of the points that they keep together: v of b less that of a.
#[inline(always)]
fn gap(link: &Link, asked: &[f64]) -> Three {
    let first = link.hinge.as_ref().map_or(0, |hinge| hinge.first);
    let asked = &asked[first..first + 3];
    [asked[0], asked[1], asked[2]]
}

/// The reaction on the link as multipliers.
#[inline(always)]
fn put_force(link: &Link, force: &Three, multipliers: &mut [f64]) {
    let first = link.hinge.as_ref().map_or(0, |hinge| hinge.first);
    multipliers[first..first + 3].copy_from_slice(&force.map(|x| -sign(link) * x));
}
