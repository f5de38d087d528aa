//! Accelerations of a forest of bodies by the articulated-body recursion, in time proportional to
//! the number of bodies.
//!
//! Solves `[c M B^T; B 0] (x, lambda) = (r, b)`, as `linear::Kkt` does for all models. With
//! `xi = (v, omega)` of the point J of a joint, both bodies have the same v there, and
//! `omega = omega_parent + N y`, N the free axes of the joint. The bodies that hang on a joint act
//! like an inertia `A = [a b^T; b d]` at J, which resists only in the constrained directions
//! (Featherstone, Rigid Body Dynamics Algorithms, 2008, sect. 7.3,
//! here about points and axes of the inertial frame):
//!
//! ```text
//! A' = A - A N (N^T A N)^-1 N^T A,   p' = p - A N (N^T A N)^-1 N^T p,   f = A' xi_parent - p',
//! ```
//!
//! f is the wrench of the joint on the body; the multipliers are its components. Inertias are
//! transformed from joint to joint, motions and wrenches between the points that the equations are
//! about. There is no pivoting: where N^T A N has no pivot by itself, or axes that should be at
//! right angles are far from it, the caller factorises `linear::Kkt` instead.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use super::articulated_inertia::{
    Axis, Factors, Inertia, Rows, Symmetric, columns_times, halves, held_by, join, rows_times, times, without_rotations,
};
use super::forest::Link;
use super::joints::Hinge;
use super::motion::Motion;
use crate::spatial::{RigidInertia, Vec3};
use std::sync::Arc;

/// Least sine of the angle between axes that should be at right angles.
const SKEWED: f64 = 0.1;

/// The factors of one eliminated link.
#[derive(Debug, Clone, Copy)]
struct Eliminated {
    /// From the body, and from its parent, to the point of the joint.
    arms: [Vec3; 2],
    by: Way,
}

#[derive(Debug, Clone, Copy)]
#[allow(clippy::large_enum_variant)] // one list without pointers, because it is read in sequence
enum Way {
    /// Of a body without a joint to a parent: factors of d, `d^-1 b`, factors of `a - b^T d^-1 b`.
    Free { turning: Factors, coupling: Rows, moving: Factors },
    /// Of a link on a spherical joint.
    Ball { turning: Factors, coupling: Rows, held: Symmetric },
    /// Of a link with two free axes, one or none.
    Axes(Held),
}

/// The factors of a link whose joint holds one to three pairs of axes at right angles.
#[derive(Debug, Clone, Copy, Default)]
struct Held {
    /// The free axes; together with the pairs there are three.
    free: [Axis; 2],
    /// h_k with `h_k . g_j = delta_kj`, normal to the free axes, g_j the gradients of the pairs;
    /// multiplied by the link's sign.
    duals: Rows,
    /// A'.
    held: Inertia,
}

/// The links of a model and their last factors.
#[derive(Clone)]
pub struct Articulated {
    links: Arc<[Link]>,
    inertias: Vec<Inertia>,
    eliminated: Vec<Eliminated>,
    /// For each free axis, `n . p`, from the inward to the outward sweep.
    kept: Vec<[f64; 2]>,
}

impl Articulated {
    /// Memory for links.
    pub fn new(links: Arc<[Link]>) -> Articulated {
        let eliminated = links.iter().map(|link| Eliminated { arms: [Vec3::zeros(); 2], by: Way::of(link) }).collect();
        let n = links.len();
        Articulated { links, inertias: vec![Inertia::default(); n], eliminated, kept: vec![[0.0; 2]; n] }
    }

    /// Eliminates all links with masses times c, the outermost first; false if a link has no pivot.
    pub fn factorize(&mut self, inertias: &[RigidInertia], motions: &[Motion], c: f64) -> bool {
        let Articulated { links, inertias: own, eliminated, .. } = self;
        for ((link, own), into) in links.iter().zip(&mut *own).zip(&mut *eliminated) {
            if let Some(hinge) = &link.hinge {
                let [a, b] = link.ends.map(|end| &motions[end]);
                let arms = [a.arm(&hinge.point.a), b.arm(&hinge.point.b)];
                into.arms = if link.own == 0 { arms } else { [arms[1], arms[0]] };
            }
            *own = Inertia::of(&inertias[link.body], &motions[link.body], c, &into.arms[0]);
        }
        for (k, link) in links.iter().enumerate().rev() {
            let (before, rest) = own.split_at_mut(k);
            let (parents, into) = eliminated.split_at_mut(k);
            let Eliminated { arms, by } = &mut into[0];
            // The link about the joint of its parent.
            let parent = link.parent.map(|parent| (&mut before[parent], parents[parent].arms[0] - arms[1]));
            if by.eliminate(link, &rest[0], motions, parent).is_none() {
                return false;
            }
        }
        true
    }

    /// Replaces `(r, b)`, with constraints after the first `dofs` numbers, by `(x, lambda)`.
    /// Numbers of nodes that are not links are unchanged. Without `multipliers`, the numbers of
    /// constraints are unchanged, too.
    pub fn solve(&mut self, dofs: usize, numbers: &mut [f64], multipliers: bool) {
        let (bodies, constraints) = numbers.split_at_mut(dofs);
        let (bodies, _) = bodies.as_chunks_mut::<6>();
        match multipliers {
            true => self.substitute::<true>(bodies, constraints),
            false => self.substitute::<false>(bodies, constraints),
        }
    }

    fn substitute<const MULTIPLIERS: bool>(&mut self, bodies: &mut [[f64; 6]], constraints: &mut [f64]) {
        let Articulated { links, eliminated, kept, .. } = self;
        for ((link, factors), kept) in links.iter().zip(&*eliminated).zip(&mut *kept).rev() {
            let passed = factors.reduce(link, &mut bodies[link.body], constraints, kept);
            if let Some(parent) = link.parent {
                let parent = &mut bodies[links[parent].body];
                (0..6).for_each(|i| parent[i] += passed[i]);
            }
        }
        for ((link, factors), kept) in links.iter().zip(&*eliminated).zip(&*kept) {
            let parent = link.parent.map_or([0.0; 6], |parent| bodies[links[parent].body]);
            factors.follow::<MULTIPLIERS>(link, &parent, &mut bodies[link.body], constraints, kept);
        }
    }
}

impl Way {
    /// Uninitialised factors for a link.
    fn of(link: &Link) -> Way {
        let (factors, coupling) = (Factors::default(), Rows::default());
        match &link.hinge {
            None => Way::Free { turning: factors, coupling, moving: factors },
            Some(hinge) if hinge.pairs == 0 => Way::Ball { turning: factors, coupling, held: Symmetric::default() },
            Some(_) => Way::Axes(Held::default()),
        }
    }

    /// The factors of a link; adds its articulated inertia to that of its parent, whose v follows
    /// from that at the joint by the arm (`Inertia::moved`). None if there is no pivot.
    #[inline(always)]
    fn eliminate(
        &mut self,
        link: &Link,
        own: &Inertia,
        motions: &[Motion],
        parent: Option<(&mut Inertia, Vec3)>,
    ) -> Option<()> {
        match (self, &link.hinge) {
            (Way::Axes(into), Some(hinge)) => {
                into.eliminate(link, hinge, own, motions)?;
                if let Some((parent, arm)) = parent {
                    parent.add(&into.held.moved(&arm));
                }
            }
            (Way::Ball { turning, coupling, held }, _) => {
                (*turning, *coupling, *held) = without_rotations(own)?;
                if let Some((parent, arm)) = parent {
                    parent.add(&Inertia::of_translations(held, &arm));
                }
            }
            (Way::Free { turning, coupling, moving }, _) => {
                let (factors, rows, held) = without_rotations(own)?;
                (*turning, *coupling, *moving) = (factors, rows, Factors::of(&held)?);
            }
            (Way::Axes(_), None) => {}
        }
        Some(())
    }
}

impl Held {
    /// As [`Way::eliminate`]; the inertia is about the joint.
    #[inline(always)]
    fn eliminate(&mut self, link: &Link, hinge: &Hinge, own: &Inertia, motions: &[Motion]) -> Option<()> {
        let [a, b] = link.ends.map(|end| &motions[end]);
        let pair = |k: usize| [a.arm(&hinge.axes[k].a), b.arm(&hinge.axes[k].b)];
        let resisting = |axis: &Vec3| axis.dot(&times(&own.d, axis));
        let duals = match hinge.pairs {
            // A rotation of either body about its own axis keeps the other axis at right angles.
            1 => {
                let [u, w] = pair(0);
                let (left, first) = own.released(&u, resisting(&u))?;
                let (left, second) = left.released(&w, resisting(&w))?;
                (self.held, self.free) = (left, [first, second]);
                duals_of_one(&u.cross(&w))?
            }
            2 => {
                let [u, w] = pair(0);
                (self.held, self.free[0]) = own.released(&w, resisting(&w))?;
                duals_of_two(&u, &a.arm(&hinge.axes[1].a), &w)?
            }
            _ => {
                self.held = *own;
                duals_of_three([0, 1, 2].map(|k| {
                    let [u, w] = pair(k);
                    u.cross(&w)
                }))?
            }
        };
        self.duals = duals.map(|dual| dual * sign(link));
        Some(())
    }
}

/// `h . g = 1` for the gradient g of one pair of axes; None if these are far from right angles.
#[inline(always)]
fn duals_of_one(g: &Vec3) -> Option<Rows> {
    let square = g.norm_squared();
    (square > SKEWED * SKEWED).then(|| [g / square, Vec3::zeros(), Vec3::zeros()])
}

/// `h_k . g_j = delta_kj` for the gradients `u x w` and `v x w` of two pairs with one common axis w
/// of length 1, the free axis.
#[inline(always)]
fn duals_of_two(u: &Vec3, v: &Vec3, w: &Vec3) -> Option<Rows> {
    let volume = u.cross(v).dot(w);
    let c = 1.0 / volume;
    let across = |x: &Vec3| x - w * w.dot(x);
    (volume.abs() > SKEWED).then(|| [across(v) * -c, across(u) * c, Vec3::zeros()])
}

/// The same for three pairs.
#[inline(always)]
fn duals_of_three([p, q, r]: [Vec3; 3]) -> Option<Rows> {
    let normal = q.cross(&r);
    let volume = p.dot(&normal);
    (volume.abs() > SKEWED).then(|| [normal, r.cross(&p), p.cross(&q)].map(|dual| dual / volume))
}

/// 1 where the link is body b of its joint, -1 where it is a.
#[inline(always)]
fn sign(link: &Link) -> f64 {
    if link.own == 1 { 1.0 } else { -1.0 }
}

impl Eliminated {
    /// Inward sweep: replaces the wrench on a link by the intermediate result for the outward
    /// sweep, and returns the wrench on its parent. `asked`: right-hand sides of the constraints of
    /// its joint.
    #[inline(always)]
    fn reduce(&self, link: &Link, own: &mut [f64; 6], asked: &[f64], kept: &mut [f64; 2]) -> [f64; 6] {
        let [force, moment] = halves(own);
        let Eliminated { arms, by } = self;
        let moment = moment - arms[0].cross(&force);
        let passed = match by {
            Way::Free { turning, coupling, .. } => {
                *own = join([force - columns_times(coupling, &moment), turning.solve(&moment)]);
                return [0.0; 6];
            }
            Way::Ball { turning, coupling, held } => {
                let force = force - columns_times(coupling, &moment);
                *own = join([force, turning.solve(&moment)]);
                [force - times(held, &gap(link, asked)), Vec3::zeros()]
            }
            Way::Axes(held) => {
                let (left, passed) = match link.pairs() {
                    1 => held.reduce::<1, 2>(link, [force, moment], asked, kept),
                    2 => held.reduce::<2, 1>(link, [force, moment], asked, kept),
                    _ => held.reduce::<3, 0>(link, [force, moment], asked, kept),
                };
                *own = join(left);
                passed
            }
        };
        join([passed[0], passed[1] + arms[1].cross(&passed[0])])
    }

    /// Outward sweep: replaces the intermediate result by the motion of the link, which follows
    /// from that of its parent, and the right-hand sides of its constraints by the multipliers.
    #[inline(always)]
    fn follow<const MULTIPLIERS: bool>(
        &self,
        link: &Link,
        parent: &[f64; 6],
        own: &mut [f64; 6],
        multipliers: &mut [f64],
        released: &[f64; 2],
    ) {
        let ([v, omega], [force, moment]) = (halves(parent), halves(own));
        let Eliminated { arms, by } = self;
        if let Way::Free { coupling, moving, .. } = by {
            let v = moving.solve(&force);
            *own = join([v, moment - rows_times(coupling, &v)]);
            return;
        }
        let v = v + omega.cross(&arms[1]) + gap(link, multipliers);
        let omega = match by {
            Way::Ball { coupling, held, .. } => {
                if MULTIPLIERS {
                    put_force(link, &(times(held, &v) - force), multipliers);
                }
                moment - rows_times(coupling, &v)
            }
            Way::Axes(held) => {
                let (at, left) = ([v, omega], [force, moment]);
                match link.pairs() {
                    1 => held.follow::<1, 2, MULTIPLIERS>(link, at, left, multipliers, released),
                    2 => held.follow::<2, 1, MULTIPLIERS>(link, at, left, multipliers, released),
                    _ => held.follow::<3, 0, MULTIPLIERS>(link, at, left, multipliers, released),
                }
            }
            Way::Free { .. } => omega,
        };
        *own = join([v + arms[0].cross(&omega), omega]);
    }
}

impl Held {
    /// [`Eliminated::reduce`] at the joint with P pairs of axes and F free ones: the intermediate
    /// result, and the wrench on the parent.
    #[inline(always)]
    fn reduce<const P: usize, const F: usize>(
        &self,
        link: &Link,
        [mut force, mut moment]: [Vec3; 2],
        asked: &[f64],
        kept: &mut [f64; 2],
    ) -> ([Vec3; 2], [Vec3; 2]) {
        let Held { free, held, .. } = self;
        for k in 0..F {
            kept[k] = free[k].axis.dot(&moment);
            force -= free[k].linear * kept[k];
            moment -= free[k].angular * kept[k];
        }
        let [f, m] = held_by(held, &gap(link, asked), &self.asked_turn::<P>(link, asked));
        ([force, moment], [force - f, moment - m])
    }

    /// [`Eliminated::follow`] at the joint: the rotation of the link from the motion of the joint.
    #[inline(always)]
    fn follow<const P: usize, const F: usize, const MULTIPLIERS: bool>(
        &self,
        link: &Link,
        [v, omega]: [Vec3; 2],
        [force, moment]: [Vec3; 2],
        multipliers: &mut [f64],
        released: &[f64; 2],
    ) -> Vec3 {
        let Held { free, duals, held, .. } = self;
        let held_turn = omega + self.asked_turn::<P>(link, multipliers);
        let mut omega = held_turn;
        for k in (0..F).rev() {
            let Axis { axis, linear, angular, inverse } = &free[k];
            omega += axis * (released[k] * inverse - linear.dot(&v) - angular.dot(&omega));
        }
        if MULTIPLIERS {
            let [f, m] = held_by(held, &v, &held_turn);
            put_force(link, &(f - force), multipliers);
            let moment = m - moment;
            if let Some(hinge) = &link.hinge {
                for k in 0..P {
                    multipliers[hinge.multipliers[k]] = duals[k].dot(&moment);
                }
            }
        }
        omega
    }

    /// The smallest rotation of the link relative to its parent that satisfies the constraints of
    /// the pairs of axes.
    #[inline(always)]
    fn asked_turn<const P: usize>(&self, link: &Link, asked: &[f64]) -> Vec3 {
        let mut turn = Vec3::zeros();
        if let Some(hinge) = &link.hinge {
            for k in 0..P {
                turn -= self.duals[k] * asked[hinge.multipliers[k]];
            }
        }
        turn
    }
}

/// The right-hand side of the coincident points: v of the link less that of its parent.
#[inline(always)]
fn gap(link: &Link, asked: &[f64]) -> Vec3 {
    let first = link.hinge.as_ref().map_or(0, |hinge| hinge.first);
    let asked = &asked[first..first + 3];
    Vec3::new(asked[0], asked[1], asked[2]) * sign(link)
}

/// The reaction on the link as multipliers.
#[inline(always)]
fn put_force(link: &Link, force: &Vec3, multipliers: &mut [f64]) {
    let first = link.hinge.as_ref().map_or(0, |hinge| hinge.first);
    multipliers[first..first + 3].copy_from_slice((force * -sign(link)).as_slice());
}
