//! Angles that are continuous over time. Channels have principal values: roll and yaw jump by a
//! turn at half a turn, and all three angles of a body where its pitch passes 90 degrees, since
//! roll, pitch, yaw and roll + pi, pi - pitch, yaw + pi are the same attitude.

use std::f64::consts::{PI, TAU};

/// Adds turns to the curves of roll and yaw, and takes the other angles of the same attitude where
/// they are nearer to those of the time before and all three of a body are there.
pub fn make_continuous(names: &[&str], curves: &mut [Vec<f64>]) {
    let place = |body: &str, angle: &str| names.iter().position(|name| name.strip_suffix(angle) == Some(body));
    for (k, name) in names.iter().enumerate() {
        let body = ["roll", "pitch", "yaw"].iter().find_map(|angle| name.strip_suffix(angle));
        let Some(body) = body.filter(|body| body.ends_with('.')) else { continue };
        let places = ["roll", "pitch", "yaw"].map(|angle| place(body, angle));
        match places {
            [Some(roll), Some(pitch), Some(yaw)] if k == roll => attitude([roll, pitch, yaw], curves),
            [Some(_), Some(_), Some(_)] => {}
            [_, pitch, _] if pitch == Some(k) => {}
            _ => {
                let mut before = curves[k].first().copied().unwrap_or(0.0);
                for angle in &mut curves[k] {
                    before = nearest(*angle, before);
                    *angle = before;
                }
            }
        }
    }
}

/// The same for roll, pitch and yaw of a body.
fn attitude(places: [usize; 3], curves: &mut [Vec<f64>]) {
    let mut before: Option<[f64; 3]> = None;
    for time in 0..curves[places[0]].len() {
        let [roll, pitch, yaw] = places.map(|place| curves[place][time]);
        let given = [roll, pitch, yaw];
        let angles = before.map_or(given, |before| {
            let near = [given, [roll + PI, PI - pitch, yaw + PI]]
                .map(|angles| std::array::from_fn::<f64, 3, _>(|k| nearest(angles[k], before[k])));
            let distance = near.map(|angles| (0..3).map(|k| (angles[k] - before[k]).powi(2)).sum::<f64>());
            near[usize::from(distance[1] < distance[0])]
        });
        before = Some(angles);
        places.iter().zip(angles).for_each(|(place, angle)| curves[*place][time] = angle);
    }
}

/// An angle plus turns, as near to another one as can be.
fn nearest(angle: f64, other: f64) -> f64 {
    angle - TAU * ((angle - other) / TAU).round()
}

#[cfg(test)]
mod tests {
    use super::make_continuous;
    use pintle::spatial::convert::{quat_from_euler_zyx, quat_to_euler_zyx};

    /// A body that tumbles: its angles go on where the principal values jump.
    #[test]
    fn angles_of_a_tumbling_body_are_continuous() {
        let exact = |n: usize| {
            let t = 0.01 * n as f64;
            [0.3 * t, 2.0 * t + 0.2, -0.7 * t]
        };
        let mut curves = vec![Vec::new(); 5];
        for n in 0..2000 {
            let [roll, pitch, yaw] = quat_to_euler_zyx(&quat_from_euler_zyx(&exact(n)).unwrap()).unwrap();
            for (curve, value) in curves.iter_mut().zip([yaw, n as f64, roll, pitch, yaw]) {
                curve.push(value);
            }
        }
        let raw = curves.clone();
        make_continuous(&["a.yaw", "a.pos.x", "b.roll", "b.pitch", "b.yaw"], &mut curves);
        for (k, curve) in curves[2..].iter().enumerate() {
            for (n, angle) in curve.iter().enumerate() {
                assert!((angle - exact(n)[k]).abs() < 1e-9, "{n} {k}: {angle} {:?}", exact(n));
            }
        }
        // Alone, a yaw has no jumps of a turn.
        assert!(raw[0].windows(2).any(|pair| (pair[1] - pair[0]).abs() > 4.0));
        assert!(curves[0].windows(2).all(|pair| (pair[1] - pair[0]).abs() < 3.2));
        assert_eq!(curves[1], raw[1]);
    }
}
