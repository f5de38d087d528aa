//! Position, velocity and acceleration of a body at one time, and smooth motion between two such
//! states.

use super::{Pose, Quat, Vec3, Vec6, join, lower, rotation, upper};

/// The quintic polynomial with given value, rate and second derivative at both ends of `duration`,
/// at a fraction of it: value, rate, second derivative.
pub fn quintic(start: &[f64; 3], end: &[f64; 3], fraction: f64, duration: f64) -> [f64; 3] {
    if fraction <= 0.0 {
        return *start;
    }
    if fraction >= 1.0 {
        return *end;
    }
    let (h, s) = (duration, fraction);
    // in s: value, h rate, h^2 second derivative; p = a0 + a1 s + a2 s^2 + a3 s^3 + a4 s^4 + a5 s^5
    let [p0, v0, a0] = [start[0], h * start[1], h * h * start[2]];
    let [p1, v1, a1] = [end[0], h * end[1], h * h * end[2]];
    let (d, e, f) = (p1 - p0 - v0 - 0.5 * a0, v1 - v0 - a0, a1 - a0);
    let (c3, c4, c5) = (10.0 * d - 4.0 * e + 0.5 * f, -15.0 * d + 7.0 * e - f, 6.0 * d - 3.0 * e + 0.5 * f);
    let value = p0 + s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5))));
    let rate = v0 + s * (a0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)));
    let second = a0 + s * (6.0 * c3 + s * (12.0 * c4 + s * 20.0 * c5));
    [value, rate / h, second / (h * h)]
}

/// Position, velocity and acceleration of a point of a body, inertial axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyState {
    /// Position.
    pub x: Vec3,
    /// Orientation.
    pub q: Quat,
    /// Velocity (xdot, omega).
    pub v: Vec6,
    /// Acceleration vdot.
    pub vdot: Vec6,
}

impl BodyState {
    /// As a pose.
    pub fn pose(&self) -> Pose {
        Pose { position: self.x, rotation: self.q }
    }

    /// The state of the point of the same body at `arm` (body axes) from this one.
    pub fn at(&self, arm: &Vec3) -> BodyState {
        if *arm == Vec3::zeros() {
            return *self;
        }
        let arm = rotation::rotate(&self.q, arm);
        let (omega, omegadot) = (lower(&self.v), lower(&self.vdot));
        let rate = omega.cross(&arm);
        BodyState {
            x: self.x + arm,
            q: self.q,
            v: join(&(upper(&self.v) + rate), &omega),
            vdot: join(&(upper(&self.vdot) + omegadot.cross(&arm) + omega.cross(&rate)), &omegadot),
        }
    }

    /// The state after a time `s` at constant acceleration: `x + s v + s^2/2 vdot`, rotations by
    /// the exponential; `v + s vdot`.
    pub fn extrapolate(&self, s: f64) -> BodyState {
        let increment = self.v * s + self.vdot * (0.5 * s * s);
        BodyState {
            x: self.x + upper(&increment),
            q: rotation::compose(&rotation::exp(&lower(&increment)), &self.q),
            v: self.v + self.vdot * s,
            vdot: self.vdot,
        }
    }

    /// The same with an acceleration that changes at a constant rate.
    pub fn extrapolate_with(&self, s: f64, jerk: &Vec6) -> BodyState {
        let middle = BodyState { vdot: self.vdot + jerk * (s / 3.0), ..*self };
        let BodyState { x, q, .. } = middle.extrapolate(s);
        BodyState { x, q, v: self.v + (self.vdot + jerk * (0.5 * s)) * s, vdot: self.vdot + jerk * s }
    }

    /// The rotation vector from the orientation of `start` to that of `end` (less than half a
    /// turn), its rate and its second derivative there. At the start, where it is zero, these are
    /// omega and omegadot.
    pub fn turned(start: &BodyState, end: &BodyState) -> [Vec3; 3] {
        // omega = T^T psi', omegadot = T^T psi'' + (dT^T/dt) psi'
        let psi = rotation::log(&(end.q * start.q.inverse()));
        let inverse = rotation::inverse_tangent(&psi);
        let rate = inverse * lower(&end.v);
        let second = inverse * (lower(&end.vdot) - rotation::tangent_rate(&psi, &rate) * rate);
        [psi, rate, second]
    }

    /// A state between two motions `duration` apart: quintic in position and in the rotation vector
    /// from the start's orientation, which must be below half a turn. At the ends it is exactly the
    /// given state.
    pub fn between(start: &BodyState, end: &BodyState, fraction: f64, duration: f64) -> BodyState {
        if fraction <= 0.0 || fraction >= 1.0 {
            return if fraction <= 0.0 { *start } else { *end };
        }
        let blend = |start: [Vec3; 3], end: [Vec3; 3]| {
            let mut out = [Vec3::zeros(); 3];
            for k in 0..3 {
                let at = |m: &[Vec3; 3]| [m[0][k], m[1][k], m[2][k]];
                let found = quintic(&at(&start), &at(&end), fraction, duration);
                (0..3).for_each(|order| out[order][k] = found[order]);
            }
            out
        };
        let [x, xdot, xddot] =
            blend([start.x, upper(&start.v), upper(&start.vdot)], [end.x, upper(&end.v), upper(&end.vdot)]);
        let turned = BodyState::turned(start, end);
        let [psi, rate, second] = blend([Vec3::zeros(), lower(&start.v), lower(&start.vdot)], turned);
        let (turn, tangent) = rotation::exp_with_tangent(&psi);
        let omegadot = tangent * second + rotation::tangent_rate(&psi, &rate) * rate;
        BodyState {
            x,
            q: rotation::compose(&turn, &start.q),
            v: join(&xdot, &(tangent * rate)),
            vdot: join(&xddot, &omegadot),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn motion(k: f64) -> BodyState {
        let v = |a: f64| Vec3::new((a * k).sin(), (1.3 * a + k).cos(), 0.4 * a - k);
        BodyState {
            x: v(1.0),
            q: rotation::exp(&v(0.7)),
            v: join(&v(2.0), &v(1.1)),
            vdot: join(&v(0.3), &(v(-0.6) * 2.0)),
        }
    }

    #[test]
    fn ends_are_met_with_rates_and_accelerations() {
        let (start, end) = (motion(0.2), motion(0.9));
        for (fraction, exact) in [(1e-9, start), (1.0 - 1e-9, end)] {
            let m = BodyState::between(&start, &end, fraction, 0.5);
            // 1e-9 of the way the jerk, of order 60 (differences)/h^3 = 500, makes 5e-7
            let off = (m.x - exact.x).norm() + (m.v - exact.v).norm() + (m.vdot - exact.vdot).norm();
            assert!(off + rotation::log(&(m.q * exact.q.inverse())).norm() < 1e-5, "{off}");
        }
    }

    #[test]
    fn velocities_and_accelerations_are_the_derivatives() {
        let (start, end) = (motion(0.2), motion(0.9));
        let h = 1e-5;
        for fraction in [0.1, 0.5, 0.83] {
            let at = |s: f64| BodyState::between(&start, &end, fraction + s / 0.5, 0.5);
            let (plus, m, minus) = (at(h), at(0.0), at(-h));
            let omega = rotation::log(&(plus.q * minus.q.inverse())) / (2.0 * h);
            let xdot = (plus.x - minus.x) / (2.0 * h);
            let vdot = (plus.v - minus.v) / (2.0 * h);
            // central differences: h^2/6 times third derivatives of order 1e3
            assert!((join(&xdot, &omega) - m.v).norm() < 1e-6, "{fraction}");
            assert!((vdot - m.vdot).norm() < 1e-6 * (1.0 + m.vdot.norm()), "{fraction}");
        }
    }
}
