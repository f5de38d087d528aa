//! The order in which an evaluation goes through bodies and joints.
//!
//! What a body gets from its inertia and from its joints is summed up before it enters the matrix. In models of many thousand bodies
//! these sums would leave the processor's nearest cache, and come back, between a pass over all bodies, one over all joints and one over
//! all sums. So bodies are taken in groups: inertia of the group, joints of which both bodies are there by now, and sums to which
//! nothing is added any more. Along chains that is some kilobytes at a time. A sum that has entered the matrix leaves its place to
//! the next one, so that those of chains stay in that cache.

use super::joints::JointElement;
use super::layout::Layout;
use std::ops::Range;

/// Bodies of a group: what is read and written for so many stays in 32 KB.
const GROUP: usize = 16;

/// Groups in their order.
#[derive(Clone)]
pub struct Sweep {
    /// Ends of each group in the lists of bodies, joints and complete bodies.
    ends: Vec<[u32; 3]>,
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
    pub bodies: Range<usize>,
    /// Joints between these and bodies before.
    pub joints: &'a [u32],
    /// Bodies to which no joint that follows belongs.
    pub complete: &'a [u32],
}

impl Sweep {
    /// Of a model; gears act on any bodies, after all joints.
    pub fn new(layout: Layout, joints: &[JointElement], has_gears: bool) -> Sweep {
        let bodies = layout.bodies();
        let groups = bodies.div_ceil(GROUP);
        let group_of_joint = |joint: &JointElement| {
            joint.ends.iter().filter(|end| **end < bodies).map(|body| body / GROUP).max().unwrap_or(0)
        };
        let mut completed_by: Vec<usize> = (0..bodies).map(|body| body / GROUP).collect();
        for joint in joints {
            let group = group_of_joint(joint);
            for body in joint.ends.into_iter().filter(|end| *end < bodies) {
                completed_by[body] = completed_by[body].max(group);
            }
        }
        let sorted = |mut all: Vec<(usize, u32)>| {
            // By groups, each in the order of the model.
            all.sort_unstable();
            all
        };
        let joints = sorted(joints.iter().map(group_of_joint).zip(0..).collect());
        let complete = if has_gears { Vec::new() } else { sorted(completed_by.iter().copied().zip(0..).collect()) };
        let end = |of: &[(usize, u32)], group: usize| of.partition_point(|(own, _)| *own <= group) as u32;
        let ends = (0..groups).map(|k| [bodies.min((k + 1) * GROUP) as u32, end(&joints, k), end(&complete, k)]);
        let own: Vec<u32> = (0..layout.carriers() as u32).collect();
        let reused = if has_gears { own.clone() } else { reused_places(layout, &completed_by) };
        Sweep {
            ends: ends.collect(),
            places: [own, reused],
            last: if has_gears { 0 } else { bodies }..layout.carriers(),
            joints: joints.into_iter().map(|(_, joint)| joint).collect(),
            complete: complete.into_iter().map(|(_, body)| body).collect(),
        }
    }

    /// The groups.
    #[inline(always)]
    pub fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        let mut first = [0; 3];
        self.ends.iter().map(move |ends| {
            let [bodies, joints, complete] = std::array::from_fn(|k| first[k]..ends[k] as usize);
            first = ends.map(|end| end as usize);
            Group { bodies, joints: &self.joints[joints], complete: &self.complete[complete] }
        })
    }
}

/// Where sums stand if those that are complete after a group leave their places to later groups.
fn reused_places(layout: Layout, completed_by: &[usize]) -> Vec<u32> {
    let mut leaving: Vec<Vec<u32>> = vec![Vec::new(); layout.bodies().div_ceil(GROUP)];
    let (mut free, mut count) = (Vec::new(), 0);
    let mut places = Vec::with_capacity(layout.carriers());
    for (body, last) in completed_by.iter().enumerate() {
        if body % GROUP == 0 && body > 0 {
            free.append(&mut leaving[body / GROUP - 1]);
        }
        let place = free.pop().unwrap_or_else(|| {
            count += 1;
            count - 1
        });
        leaving[*last].push(place);
        places.push(place);
    }
    // Points are complete after all groups.
    let points = (layout.carriers() - layout.bodies()) as u32;
    places.extend(count..count + points);
    places
}
