//! The order in which an evaluation goes through bodies and joints.
//!
//! What a body gets from its inertia and from its joints is summed up before it enters the matrix. In models of many thousand bodies
//! these sums would leave the processor's nearest cache, and come back, between a pass over all bodies, one over all joints and one over
//! all sums. So bodies are taken in groups: inertia of the group, joints of which both bodies are there by now, and sums to which
//! nothing is added any more. Along chains that is some kilobytes at a time. A sum that has entered the matrix leaves its place to
//! the next one, so that those of chains stay in that cache.
//!
//! Groups go from the leaves of the model towards the ground, as far as the order in which bodies were described does: so the elimination
//! of the matrix follows group by group, while the entries of a group are in that cache, too. Large trees go branch by branch: of a tree
//! that is described level by level, half of all sums would wait for the bodies above.

use super::joints::JointElement;
use super::layout::Layout;
use crate::linear::graph::incidence;
use std::collections::VecDeque;
use std::ops::Range;

/// Bodies of a group: what is read and written for so many stays in 32 KB.
const GROUP: usize = 16;

/// Most bodies of a branch. Sums of so many stay in the second cache until what they hang on comes; smaller branches were slower, because
/// bodies that follow each other in memory come in shorter runs.
const BRANCH: usize = 2047;

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

/// All bodies in the order of the model, or turned round where most of them hang on bodies before: leaves come first. Without loops
/// large models go branch by branch.
fn leaves_first(bodies: usize, joints: &[JointElement]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..bodies as u32).collect();
    let tree = Tree::new(bodies, joints);
    let hangs_on_later = |(body, above): &(usize, &Option<usize>)| above.is_some_and(|above| above > *body);
    if 2 * tree.above.iter().enumerate().filter(hangs_on_later).count() < tree.above.iter().flatten().count() {
        order.reverse();
    }
    if bodies > BRANCH && !tree.has_loops { branches(&order, &tree, BRANCH) } else { order }
}

/// The bodies of a forest in an order in which branches of up to `most` bodies come one after the other, and behind them what they
/// hang on. Within a branch they come as in `order`, and so do branches that hang on the same body.
fn branches(order: &[u32], tree: &Tree, most: usize) -> Vec<u32> {
    let (bodies, Tree { above, reached, .. }) = (order.len(), tree);
    let mut sizes = vec![1; bodies];
    for body in reached.iter().rev() {
        if let Some(above) = above[*body] {
            sizes[above] += sizes[*body];
        }
    }
    // The root of the branch that a body belongs to.
    let mut branch: Vec<usize> = (0..bodies).collect();
    for body in reached {
        if let Some(above) = above[*body].filter(|above| sizes[*above] <= most) {
            branch[*body] = branch[above];
        }
    }
    // Of each body the last branch that hangs on it, and of each branch the one before it; the ground is the body past the last.
    let (mut last, mut before) = (vec![None; bodies + 1], vec![None; bodies]);
    for root in order.iter().map(|body| *body as usize).filter(|body| branch[*body] == *body) {
        before[root] = last[above[root].unwrap_or(bodies)].replace(root);
    }
    // From the last place to the first: a body comes behind what hangs on it.
    let (mut place, mut places, mut open) = (bodies, vec![0; bodies], vec![last[bodies]]);
    while let Some(next) = open.pop() {
        if let Some(root) = next {
            place -= 1;
            places[root] = place;
            open.extend([before[root], last[root]]);
        }
    }
    let mut out = order.to_vec();
    out.sort_by_key(|body| places[branch[*body as usize]]);
    out
}

/// A tree that grows from the ground along joints, nearer bodies before others.
struct Tree {
    /// What each body hangs on; None for the ground.
    above: Vec<Option<usize>>,
    /// Bodies in the order in which it reaches them.
    reached: Vec<usize>,
    /// Whether there are joints that it does not need.
    has_loops: bool,
}

impl Tree {
    fn new(bodies: usize, joints: &[JointElement]) -> Tree {
        // The ground is the node behind the last body.
        let ends = joints.iter().map(|joint| joint.ends().map(|end| end.min(bodies)));
        let edges: Vec<[usize; 2]> = ends.filter(|[a, b]| a != b).collect();
        let (first, incident) = incidence(bodies + 1, &edges);
        let mut tree = Tree { above: vec![None; bodies], reached: Vec::with_capacity(bodies), has_loops: false };
        let (mut is_reached, mut queue, mut used) = (vec![false; bodies + 1], VecDeque::new(), 0);
        for root in std::iter::once(bodies).chain(0..bodies) {
            if std::mem::replace(&mut is_reached[root], true) {
                continue;
            }
            queue.push_back(root);
            while let Some(end) = queue.pop_front() {
                tree.reached.extend(Some(end).filter(|end| *end < bodies));
                for [a, b] in incident[first[end]..first[end + 1]].iter().map(|edge| edges[*edge]) {
                    let other = a + b - end;
                    if !std::mem::replace(&mut is_reached[other], true) {
                        tree.above[other] = Some(end).filter(|end| *end < bodies);
                        used += 1;
                        queue.push_back(other);
                    }
                }
            }
        }
        tree.has_loops = used < edges.len();
        tree
    }
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
    fn branches_of_a_tree_come_one_after_the_other() {
        let order_of = |from_leaves: bool| {
            let (_, joints) = tree(15, from_leaves);
            let mut order: Vec<u32> = (0..15).collect();
            if !from_leaves {
                order.reverse();
            }
            branches(&order, &Tree::new(15, &joints), 3)
        };
        let order = [14, 13, 6, 12, 11, 5, 2, 10, 9, 4, 8, 7, 3, 1, 0];
        assert_eq!(order_of(false), order);
        assert_eq!(order_of(true), order.map(|body| 14 - body));
    }

    #[test]
    fn sums_of_a_large_tree_wait_for_no_more_bodies_than_a_branch_has() {
        let (bodies, from_leaves) = (16_383, false);
        let (layout, joints) = tree(bodies, from_leaves);
        let sweep = Sweep::new(layout, &joints, false);
        // Those of a branch wait, and of the branch beside it on the way up.
        let places = sweep.places[1].iter().max().unwrap();
        assert!((*places as usize) < 2 * BRANCH, "{places}");
        assert!(!Tree::new(bodies, &joints).has_loops);
        let again = Joint::new(JointKind::Spherical, Some(0), Some(bodies - 1), Pose::identity(), Pose::identity());
        let with_loop: Vec<JointElement> = joints.into_iter().chain(JointElement::all(&[again], bodies)).collect();
        assert!(Tree::new(bodies, &with_loop).has_loops);
        let all: Vec<u32> = (0..bodies as u32).rev().collect();
        assert_eq!(leaves_first(bodies, &with_loop), all);
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
