//! Tangents of rolling discs, whose slips are equations of velocities.

use super::*;

/// gamma' of a step.
const RATE: f64 = 3.0;

/// Compares the matrix of a step with differences of its residual along increments, by which
/// velocities change by gamma' times as much; and the forces of multipliers with B.
pub fn check(case: &Case, name: &str) {
    let c = Coefficients { mass: 0.0, damping: RATE, stiffness: 1.0 };
    let residual = |bodies: &[BodyState]| case.evaluate(bodies, c, Level::Position).residual;
    let size = residual(&case.bodies).iter().fold(1.0f64, |size, r| size.max(r.abs()));
    for column in 0..12 {
        let (body, mut e) = (column / 6, Vec6::zeros());
        e[column % 6] = 1.0;
        let difference = |by_position: f64, by_velocity: f64| {
            let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|steps| {
                let (mut bodies, h) = (case.bodies.clone(), steps * STEP);
                let moved = &mut bodies[body];
                moved.x += upper(&e) * (h * by_position);
                moved.q = rotation::exp(&(lower(&e) * (h * by_position))) * moved.q;
                moved.v += e * (h * by_velocity);
                residual(&bodies)
            });
            (0..a.len()).map(|k| (a[k] - d[k] + 8.0 * (c[k] - b[k])) / (12.0 * STEP)).collect::<Vec<f64>>()
        };
        let (by_increment, by_velocity) = (difference(1.0, RATE), difference(0.0, RATE));
        for (row, numeric) in by_increment.iter().enumerate() {
            let entry = case.entry([0.0, RATE, 1.0], row, column);
            assert!((entry - numeric).abs() < TOLERANCE * size, "{name}: [{row},{column}] {entry} {numeric}");
            if (12..14).contains(&row) {
                let force = case.entry([0.0, RATE, 1.0], column, row);
                assert!((force - by_velocity[row]).abs() < TOLERANCE * size, "{name}: B[{row},{column}] {force}");
            }
        }
    }
}

/// Without a step, slips hold bodies as positions do.
#[test]
fn slips_hold_where_there_is_no_step() {
    for (name, case) in joint_cases().into_iter().filter(|(_, case)| case.model.joints[0].kind == JointKind::Rolling) {
        let c = Coefficients { mass: 1.0, damping: 0.0, stiffness: 1.0 };
        assert_eq!(case.evaluate(&case.bodies, c, Level::Position).residual[12..14], [0.0; 2], "{name}");
        for (row, column) in (12..14).flat_map(|row| (0..12).map(move |column| (row, column))) {
            let [held, rolls] = [0.0, 1e9].map(|damping| case.entry([1.0, damping, 1.0], row, column));
            // 1/gamma' of the changes of B, of order one.
            assert!((held - rolls).abs() < 1e-7, "{name}: [{row},{column}] {held} {rolls}");
        }
    }
}
