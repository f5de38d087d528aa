//! Tangents of clutches that hold, slip and are at stops, between joints that share bodies.

use super::*;
use crate::elements::machine::{Grip, Modes, STATES};
use crate::elements::stop::{Stop, StopLaw};
use crate::model::Clutch;

#[test]
fn tangents_of_clutches() {
    let mut noise = Noise(71);
    let with_coordinate = || JointKind::ALL.into_iter().filter(|kind| kind.coordinate().is_some());
    for (kind_a, kind_b) in with_coordinate().flat_map(|a| with_coordinate().map(move |b| (a, b))) {
        for (k, [a, b]) in [[ENDS[0], ENDS[1]], [ENDS[2], ENDS[0]], [ENDS[0], ENDS[0]]].into_iter().enumerate() {
            let mut case = two_bodies(&mut noise);
            for (kind, (body_a, body_b)) in [(kind_a, a), (kind_b, b)] {
                let mut joint = Joint::new(kind, body_a, body_b, noise.pose(), noise.pose());
                (joint.pitch, joint.offset) = (0.9, 0.3);
                case.add_joint(joint, &mut noise);
            }
            // The slide of a CYLINDRICAL joint b.
            let which = usize::from(kind_b == JointKind::Cylindrical);
            let coordinates = [(0, 0), (1, which)];
            let (bounds, law) = ([-0.5, 0.1], StopLaw::Spring);
            let stop = Stop { bounds, law, stiffness: 6.0, damping: 2.0, restitution: 0.0, exponent: 1.0 };
            let ratio = [-1.7, 0.6, 2.0][k];
            case.model.clutches.push(Clutch { coordinates, ratio, static_ratio: 1.0, slip: 0.01, stop: Some(stop) });
            case.loads.clutches.push([3.0, 5.0]);
            let grip = [Grip::Stuck, Grip::Stuck, Grip::Backwards][k];
            case.own = vec![0.0; STATES];
            let closed = [None, Some(0), Some(1)][k];
            Modes { grip, zero: 0.4, stiffness: 7.0, brake: [3.0, 5.0], closed, ..Modes::NONE }.write(&mut case.own);
            case.check(&format!("clutch of {kind_a:?} and {kind_b:?}, {a:?}, {b:?}, {grip:?}"));
        }
    }
}
