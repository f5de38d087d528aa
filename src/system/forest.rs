//! Finds the tree structure of models whose joints make no loop.
//!
//! This applies to models of rigid bodies alone whose joints turn about a point (`joints::Hinge`):
//! chains and trees on the ground, on bodies with imposed motion, or free.

use super::System;
use super::joints::{Hinge, Index};
use crate::linear::SPREAD;

/// A free body and the joint to its parent.
#[derive(Debug, Clone)]
pub struct Link {
    /// The body.
    pub body: usize,
    /// None for a body without a parent.
    pub hinge: Option<Hinge>,
    /// Bodies of the hinge; the ground has the index after the last body.
    pub ends: [usize; 2],
    /// Which of them is this body.
    pub own: usize,
    /// The link of the other body; None if that has no equations of motion.
    pub parent: Option<usize>,
}

impl Link {
    /// How many pairs of axes its joint holds at right angles.
    #[inline(always)]
    pub fn pairs(&self) -> usize {
        self.hinge.as_ref().map_or(0, |hinge| hinge.pairs)
    }
}

impl System {
    /// All free bodies, each after its parent; None if the model is not such a forest.
    pub(super) fn find_links(&self) -> Option<Vec<Link>> {
        let bodies = self.layout.bodies();
        // Broken joints have no rows.
        let whole = || self.joints.iter().enumerate().filter(|(_, joint)| joint.rows() > 0);
        let others = self.layout.nodes() > bodies || !self.gears.is_empty() || self.redundant > 0;
        if others || whole().count() > bodies || !self.has_little_spread() {
            return None;
        }
        let free = |end: usize| end < bodies && self.free[end];
        // The joints of each body, one list after the other.
        let mut starts = vec![0; bodies + 1];
        let ends = || whole().flat_map(|(k, joint)| joint.ends().map(|end| (k, end)));
        ends().filter(|(_, end)| free(*end)).for_each(|(_, end)| starts[end + 1] += 1);
        (0..bodies).for_each(|body| starts[body + 1] += starts[body]);
        let (mut places, mut of_bodies) = (starts.clone(), vec![0; starts[bodies]]);
        for (k, end) in ends().filter(|(_, end)| free(*end)) {
            of_bodies[places[end]] = k;
            places[end] += 1;
        }

        let mut links: Vec<Link> = Vec::with_capacity(bodies);
        let mut is_known = vec![false; bodies];
        // Start from fixed and imposed bodies; then from one free body of each remaining tree.
        for (k, joint) in whole() {
            match joint.ends().map(free) {
                [false, false] => return None,
                [true, true] => {}
                [of_a, _] => self.hang(k, usize::from(!of_a), None, &mut links, &mut is_known)?,
            }
        }
        let (mut next, mut root) = (0, 0);
        loop {
            while next < links.len() {
                let (parent, hinge) = (links[next].body, links[next].hinge.as_ref().map(|hinge| hinge.first));
                for k in &of_bodies[starts[parent]..starts[parent + 1]] {
                    let joint = &self.joints[*k];
                    let is_own = hinge.is_some() && hinge == joint.indices[0].map(Index::get);
                    if !is_own {
                        let own = usize::from(joint.ends()[0] == parent);
                        self.hang(*k, own, Some(next), &mut links, &mut is_known)?;
                    }
                }
                next += 1;
            }
            match (root..bodies).find(|body| self.free[*body] && !is_known[*body]) {
                None => return Some(links),
                Some(body) => {
                    is_known[body] = true;
                    links.push(Link { body, hinge: None, ends: [bodies; 2], own: 0, parent: None });
                    root = body + 1;
                }
            }
        }
    }

    /// Makes the end `own` of a joint a child of the other end; None if it has a parent already, or
    /// the joint is of another kind.
    fn hang(
        &self,
        joint: usize,
        own: usize,
        parent: Option<usize>,
        links: &mut Vec<Link>,
        is_known: &mut [bool],
    ) -> Option<()> {
        let joint = &self.joints[joint];
        let body = joint.ends()[own];
        let is_free = self.free.get(body).is_some_and(|free| *free);
        if !is_free || std::mem::replace(&mut is_known[body], true) {
            return None;
        }
        links.push(Link { body, hinge: Some(joint.hinge()?), ends: joint.ends(), own, parent });
        Some(())
    }

    /// Whether masses, and moments of inertia, of all free bodies have similar sizes. Light bodies
    /// among heavy ones lose digits, which iterative refinement of the iteration matrix recovers
    /// (`linear::refine`).
    fn has_little_spread(&self) -> bool {
        let free = || self.inertias.iter().zip(&self.free).filter(|(_, free)| **free).map(|(inertia, _)| inertia);
        let is_little = |least: f64, largest: f64| largest <= SPREAD * least;
        let (masses, moments) = (|| free().map(|i| i.mass), || free().map(|i| i.inertia.trace()));
        is_little(masses().fold(f64::INFINITY, f64::min), masses().fold(0.0, f64::max))
            && is_little(moments().fold(f64::INFINITY, f64::min), moments().fold(0.0, f64::max))
    }
}
