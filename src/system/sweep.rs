//! The order in which an evaluation goes through bodies and joints.
//!
//! What a body gets from its inertia and from its joints is summed up before it enters the matrix. In models of many thousand bodies
//! these sums would leave the processor's nearest cache, and come back, between a pass over all bodies, one over all joints and one over
//! all sums. So bodies are taken in groups: inertia of the group, joints of which both bodies are there by now, and sums to which
//! nothing is added any more. Along chains that is some kilobytes at a time. A sum that has entered the matrix leaves its place to
//! the next one, so that those of chains stay in that cache.
//!
//! Groups go from the leaves of the model towards the ground, as far as the order in which bodies were described does: so the elimination
//! of the matrix follows group by group, while the entries of a group are in that cache, too.

use super::joints::JointElement;
use super::layout::Layout;
use std::collections::VecDeque;
use std::ops::Range;

/// Bodies of a group: what is read and written for so many stays in 32 KB.
const GROUP: usize = 16;

/// Groups in their order.
#[derive(Clone)]
pub struct Sweep {
    /// Ends of each group in the lists of bodies, joints and complete bodies.
    ends: Vec<[u32; 3]>,
    bodies: Vec<u32>,
    /// Whether bodies, joints and complete bodies come from the last to the first.
    goes_back: bool,
    joints: Vec<u32>,
    complete: Vec<u32>,
    /// Where the sums of each node stand: in a place of their own, or in one that is free when the node's group begins.
    pub places: [Vec<u32>; 2],
    /// Nodes that are complete after all groups.
    pub last: Range<usize>,
}

/// One group.
pub struct Group<'a> {
    /// Its bodies.
    pub bodies: &'a [u32],
    /// Joints between these and bodies before.
    pub joints: &'a [u32],
    /// Bodies to which no joint that follows belongs.
    pub complete: &'a [u32],
}

impl Sweep {
    /// Of a model; gears act on any bodies, after all joints.
    pub fn new(layout: Layout, joints: &[JointElement], has_gears: bool) -> Sweep {
        let order = leaves_first(layout.bodies(), joints);
        let mut group_of = vec![0; order.len()];
        order.iter().enumerate().for_each(|(k, body)| group_of[*body as usize] = k / GROUP);
        let groups = order.len().div_ceil(GROUP);
        let group_of_joint =
            |joint: &JointElement| joint.ends().iter().filter_map(|end| group_of.get(*end)).copied().max().unwrap_or(0);
        let mut completed_by = group_of.clone();
        for joint in joints {
            let group = group_of_joint(joint);
            for body in joint.ends().into_iter().filter(|end| *end < order.len()) {
                completed_by[body] = completed_by[body].max(group);
            }
        }
        let goes_back = order.first() > order.last();
        let sorted = |mut all: Vec<(usize, u32)>| {
            // By groups, and within them as bodies go: processors fetch ahead what is read in one direction.
            all.sort_unstable_by_key(|(group, k)| (*group, if goes_back { u32::MAX - k } else { *k }));
            all
        };
        let joints = sorted(joints.iter().map(group_of_joint).zip(0..).collect());
        let complete = if has_gears { Vec::new() } else { sorted(completed_by.iter().copied().zip(0..).collect()) };
        let end = |of: &[(usize, u32)], group: usize| of.partition_point(|(own, _)| *own <= group) as u32;
        let ends = (0..groups).map(|k| [order.len().min((k + 1) * GROUP) as u32, end(&joints, k), end(&complete, k)]);
        let own: Vec<u32> = (0..layout.carriers() as u32).collect();
        let reused = if has_gears { own.clone() } else { reused_places(layout, &order, &completed_by) };
        Sweep {
            ends: ends.collect(),
            places: [own, reused],
            last: if has_gears { 0 } else { order.len() }..layout.carriers(),
            joints: joints.into_iter().map(|(_, joint)| joint).collect(),
            complete: complete.into_iter().map(|(_, body)| body).collect(),
            bodies: order,
            goes_back,
        }
    }

    /// The body or joint whose turn is so many places later, where they are numbered in the order of the groups; else any number.
    #[inline(always)]
    pub fn ahead(&self, k: u32, places: usize) -> usize {
        if self.goes_back { (k as usize).wrapping_sub(places) } else { k as usize + places }
    }

    /// The groups.
    #[inline(always)]
    pub fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        let mut first = [0; 3];
        self.ends.iter().map(move |ends| {
            let [bodies, joints, complete] = std::array::from_fn(|k| first[k]..ends[k] as usize);
            first = ends.map(|end| end as usize);
            let Sweep { bodies: all, joints: of_joints, complete: of_complete, .. } = self;
            Group { bodies: &all[bodies], joints: &of_joints[joints], complete: &of_complete[complete] }
        })
    }
}

/// All bodies in the order of the model, or turned round where most of them hang on bodies before: leaves come first.
fn leaves_first(bodies: usize, joints: &[JointElement]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..bodies as u32).collect();
    let above = above(bodies, joints);
    let hangs_on_later =
        above.iter().enumerate().filter(|(body, above)| above.is_some_and(|above| above > *body)).count();
    if 2 * hangs_on_later < above.iter().flatten().count() {
        order.reverse();
    }
    order
}

/// What each body hangs on in a tree that grows from the ground along joints, nearer bodies before others; None for the ground.
fn above(bodies: usize, joints: &[JointElement]) -> Vec<Option<usize>> {
    // Joints at each body and, behind the last one, at the ground.
    let mut first = vec![0; bodies + 2];
    let ends = || joints.iter().map(|joint| joint.ends().map(|end| end.min(bodies))).filter(|[a, b]| a != b);
    ends().flatten().for_each(|end| first[end + 1] += 1);
    (0..=bodies).for_each(|k| first[k + 1] += first[k]);
    let (mut next, mut others) = (first.clone(), vec![0; first[bodies + 1]]);
    for [a, b] in ends() {
        for (end, other) in [(a, b), (b, a)] {
            others[next[end]] = other;
            next[end] += 1;
        }
    }
    let (mut above, mut reached) = (vec![None; bodies], vec![false; bodies + 1]);
    let mut queue = VecDeque::new();
    for root in std::iter::once(bodies).chain(0..bodies) {
        if std::mem::replace(&mut reached[root], true) {
            continue;
        }
        queue.push_back(root);
        while let Some(end) = queue.pop_front() {
            for other in &others[first[end]..first[end + 1]] {
                if !std::mem::replace(&mut reached[*other], true) {
                    above[*other] = Some(end).filter(|end| *end < bodies);
                    queue.push_back(*other);
                }
            }
        }
    }
    above
}

/// Where sums stand if those that are complete after a group leave their places to later groups.
fn reused_places(layout: Layout, order: &[u32], completed_by: &[usize]) -> Vec<u32> {
    let mut leaving: Vec<Vec<u32>> = vec![Vec::new(); order.len().div_ceil(GROUP)];
    let (mut free, mut count) = (Vec::new(), 0);
    let mut places = vec![0; order.len()];
    for (k, body) in order.iter().map(|body| *body as usize).enumerate() {
        if k % GROUP == 0 && k > 0 {
            free.append(&mut leaving[k / GROUP - 1]);
        }
        let place = free.pop().unwrap_or_else(|| {
            count += 1;
            count - 1
        });
        leaving[completed_by[body]].push(place);
        places[body] = place;
    }
    // Points are complete after all groups.
    let points = (layout.carriers() - layout.bodies()) as u32;
    places.extend(count..count + points);
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Joint, JointKind};
    use crate::spatial::Pose;

    /// A tree in which body k hangs on body (k - 1)/2, numbered from the ground or from the leaves.
    fn tree(bodies: usize, from_leaves: bool) -> (Layout, Vec<JointElement>) {
        let number = |body: usize| if from_leaves { bodies - 1 - body } else { body };
        let hangs = |k: usize| {
            let above = k.checked_sub(1).map(|k| number(k / 2));
            Joint::new(JointKind::Spherical, above, Some(number(k)), Pose::identity(), Pose::identity())
        };
        let joints: Vec<Joint> =
            if from_leaves { (0..bodies).rev().map(hangs).collect() } else { (0..bodies).map(hangs).collect() };
        (Layout::new(bodies, 0, 0), JointElement::all(&joints, bodies))
    }

    #[test]
    fn groups_have_everything_once_when_it_is_there_and_go_in_one_direction() {
        for (bodies, from_leaves) in [(1, false), (15, false), (16, true), (100, false), (100, true), (1000, false)] {
            let (layout, joints) = tree(bodies, from_leaves);
            let sweep = Sweep::new(layout, &joints, false);
            let (mut seen, mut ended) = (vec![false; bodies], vec![false; bodies]);
            let mut joined = vec![false; joints.len()];
            for group in sweep.groups() {
                group.bodies.iter().for_each(|body| assert!(!std::mem::replace(&mut seen[*body as usize], true)));
                for joint in group.joints.iter().map(|joint| *joint as usize) {
                    assert!(!std::mem::replace(&mut joined[joint], true));
                    for end in joints[joint].ends().into_iter().filter(|end| *end < bodies) {
                        assert!(seen[end] && !ended[end]);
                    }
                }
                group.complete.iter().for_each(|body| assert!(!std::mem::replace(&mut ended[*body as usize], true)));
                for list in [group.bodies, group.joints, group.complete] {
                    let rises = |pair: &[u32]| pair[0] < pair[1];
                    // Leaves come first, and so do lower or higher numbers.
                    assert!(list.windows(2).all(|pair| rises(pair) == from_leaves), "{bodies} {from_leaves} {list:?}");
                }
            }
            assert!([seen, ended, joined].into_iter().flatten().all(|there| there));
        }
    }
}
