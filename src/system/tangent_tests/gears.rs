//! Tangents and rates of gears of two and three joints.

use super::*;
use crate::model::Gear;

/// A gear between two joints of every two kinds that have a coordinate, on two bodies and the
/// ground.
pub(super) fn cases() -> Vec<(String, Case)> {
    let mut noise = Noise(8);
    let with_coordinate = || JointKind::ALL.into_iter().filter(|kind| kind.coordinate().is_some());
    let mut cases = Vec::new();
    for (kind_a, kind_b) in with_coordinate().flat_map(|a| with_coordinate().map(move |b| (a, b))) {
        for ([a, b], ratio) in [(ENDS[0], ENDS[1]), (ENDS[2], ENDS[0]), (ENDS[0], ENDS[0])]
            .map(<[_; 2]>::from)
            .into_iter()
            .zip([-1.7, 0.6, 2.0])
        {
            let mut case = two_bodies(&mut noise);
            for (kind, (body_a, body_b)) in [(kind_a, a), (kind_b, b)] {
                let mut joint = Joint::new(kind, body_a, body_b, noise.pose(), noise.pose());
                (joint.pitch, joint.offset) = (0.9, 0.3);
                case.add_joint(joint, &mut noise);
            }
            // On every other one, a third joint between the two bodies.
            if cases.len() % 2 == 0 {
                case.model.gears.push(Gear::of_two([0, 1], ratio));
            } else {
                let mut third = Joint::new(JointKind::Cylindrical, Some(0), Some(1), noise.pose(), noise.pose());
                third.offset = -0.2;
                case.add_joint(third, &mut noise);
                case.model.gears.push(Gear { joints: vec![0, 1, 2], coefficients: vec![ratio, 1.3, -0.7] });
            }
            case.lambda = (0..System::new(&case.model).multipliers()).map(|_| 5.0 * noise.number()).collect();
            cases.push((format!("gear of {kind_a:?} and {kind_b:?}, {a:?}, {b:?}"), case));
        }
    }
    cases
}

#[test]
fn tangents_of_gears_with_geometric_stiffness() {
    for (name, case) in cases() {
        case.check(&name);
    }
}

#[test]
fn rates_of_gears_change_as_their_finite_differences() {
    for (name, case) in cases() {
        let system = System::new(&case.model);
        let changes = system.constraints().changes(&case.state(&system));
        for column in 0..12 {
            let (body, k) = (column / 6, column % 6);
            let mut e = Vec6::zeros();
            e[k] = 1.0;
            let difference = |level: Level, change: &dyn Fn(&mut BodyState, f64)| {
                let at = |h: f64| {
                    let mut bodies = case.bodies.clone();
                    change(&mut bodies[body], h);
                    case.residual(&bodies, level)
                };
                let (plus, minus) = (at(STEP), at(-STEP));
                move |row: usize| (plus[12 + row] - minus[12 + row]) / (2.0 * STEP)
            };
            let moved = |b: &mut BodyState, h: f64| {
                b.x += upper(&e) * h;
                b.q = rotation::exp(&(lower(&e) * h)) * b.q;
            };
            let pushed = |b: &mut BodyState, h: f64| b.v += e * h;
            let rate = difference(Level::Velocity, &moved);
            let second = difference(Level::Acceleration, &moved);
            let by_velocity = difference(Level::Acceleration, &pushed);
            for row in 0..system.multipliers() {
                let found = [
                    (changes.rate_by_position[(row, column)], rate(row)),
                    (changes.acceleration_by_position[(row, column)], second(row)),
                    (changes.acceleration_by_velocity[(row, column)], by_velocity(row)),
                ];
                for (analytic, numeric) in found {
                    // Third derivatives of angles at random states are of order ten to a hundred.
                    let size = 1.0 + numeric.abs();
                    assert!((analytic - numeric).abs() < 1e-6 * size, "{name}: row {row} {analytic} {numeric}");
                }
            }
        }
    }
}
