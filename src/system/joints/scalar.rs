//! Scalar constraints and coordinates with their second derivatives: distance, height over a plane,
//! angle, screw.
//!
//! Each is a function of the motions of two bodies. It evaluates value, gradient B and the
//! derivative of the gradient, from which follow the geometric stiffness `lambda dB/dq`, the
//! velocity term `v^T dB/dq v` and the change of a rate with the position, `v^T dB/dq`.

use crate::spatial::{Mat3, Mat6, Vec3, add_block, join, lower, skew, skew_skew, upper};
use crate::system::assembly::Row;
use crate::system::motion::Motion;

/// A value with its first and second derivative.
#[derive(Debug, Clone, Copy)]
pub struct Scalar {
    /// Phi.
    pub value: f64,
    /// B.
    pub row: Row,
    /// `[i][j]`: change of body i's part of B with (u, theta) of body j.
    pub second: [[Mat6; 2]; 2],
}

impl Scalar {
    /// `v^T dB/dq v`: the velocity term of the second derivative with respect to time.
    pub fn velocity_term(&self, a: &Motion, b: &Motion) -> f64 {
        let v = [join(&a.v, &a.omega), join(&b.v, &b.omega)];
        let rate = self.rate_gradient(a, b);
        rate.times(v[0].as_ref(), v[1].as_ref())
    }

    /// `v^T dB/dq`: the gradient of the rate `B v` at constant velocities.
    pub fn rate_gradient(&self, a: &Motion, b: &Motion) -> Row {
        let v = [join(&a.v, &a.omega), join(&b.v, &b.omega)];
        let by = |j: usize| self.second[0][j].tr_mul(&v[0]) + self.second[1][j].tr_mul(&v[1]);
        Row { a: by(0), b: by(1) }
    }

    /// `factor self`.
    pub fn times(mut self, factor: f64) -> Scalar {
        self.value *= factor;
        self.row = Row { a: self.row.a * factor, b: self.row.b * factor };
        self.second.as_flattened_mut().iter_mut().for_each(|block| *block *= factor);
        self
    }

    /// `self + factor other`.
    fn plus(mut self, other: &Scalar, factor: f64) -> Scalar {
        self.value += factor * other.value;
        self.row = Row { a: self.row.a + other.row.a * factor, b: self.row.b + other.row.b * factor };
        for i in 0..2 {
            for j in 0..2 {
                self.second[i][j] += other.second[i][j] * factor;
            }
        }
        self
    }
}

/// `B v`.
#[inline(always)]
pub fn rate(row: &Row, a: &Motion, b: &Motion) -> f64 {
    upper(&row.a).dot(&a.v) + lower(&row.a).dot(&a.omega) + upper(&row.b).dot(&b.v) + lower(&row.b).dot(&b.omega)
}

/// `B vdot`.
#[inline(always)]
pub fn acceleration(row: &Row, a: &Motion, b: &Motion) -> f64 {
    upper(&row.a).dot(&a.vdot)
        + lower(&row.a).dot(&a.omegadot)
        + upper(&row.b).dot(&b.vdot)
        + lower(&row.b).dot(&b.omegadot)
}

/// `x - 2 pi n`, within half a turn of zero.
pub fn wrap(x: f64) -> f64 {
    x - std::f64::consts::TAU * (x / std::f64::consts::TAU).round()
}

/// Points and an axis of body a: the height of point b over the plane through point a, `u . d`, d =
/// b - a.
#[derive(Debug, Clone)]
pub struct Height {
    /// u, on body a.
    pub axis: Vec3,
    /// Point on body a.
    pub a: Vec3,
    /// Point on body b.
    pub b: Vec3,
}

impl Height {
    /// `B_a = (-u, u x (s_a + d))`, `B_b = (u, s_b x u)`.
    pub fn evaluate(&self, a: &Motion, b: &Motion) -> Scalar {
        let (sa, sb, u) = (a.arm(&self.a), b.arm(&self.b), a.arm(&self.axis));
        let d = (b.x + sb) - (a.x + sa);
        let reach = sa + d;
        let row = Row { a: join(&-u, &u.cross(&reach)), b: join(&u, &sb.cross(&u)) };
        let mut second = [[Mat6::zeros(); 2]; 2];
        let su = skew(&u);
        add_block(&mut second[0][0], 0, 1, &su);
        add_block(&mut second[0][0], 1, 0, &-su);
        add_block(&mut second[0][0], 1, 1, &skew_skew(&reach, &u));
        add_block(&mut second[0][1], 1, 0, &su);
        add_block(&mut second[0][1], 1, 1, &-skew_skew(&u, &sb));
        add_block(&mut second[1][0], 0, 1, &-su);
        add_block(&mut second[1][0], 1, 1, &-skew_skew(&sb, &u));
        add_block(&mut second[1][1], 1, 1, &skew_skew(&u, &sb));
        Scalar { value: u.dot(&d), row, second }
    }
}

/// Distance of two points less a length: `|d| - L`.
#[derive(Debug, Clone)]
pub struct Distance {
    /// Point on body a.
    pub a: Vec3,
    /// Point on body b.
    pub b: Vec3,
    /// L.
    pub length: f64,
}

impl Distance {
    /// `B_a = -(n, s_a x n)`, `B_b = (n, s_b x n)`, n = d/|d|; n keeps the direction x where d
    /// vanishes.
    pub fn evaluate(&self, a: &Motion, b: &Motion) -> Scalar {
        let arms = [a.arm(&self.a), b.arm(&self.b)];
        let d = (b.x + arms[1]) - (a.x + arms[0]);
        let size = d.norm();
        let n = if size > 0.0 { d / size } else { Vec3::x() };
        let across = if size > 0.0 { (Mat3::identity() - n * n.transpose()) / size } else { Mat3::zeros() };
        let row = Row { a: -join(&n, &arms[0].cross(&n)), b: join(&n, &arms[1].cross(&n)) };
        let mut second = [[Mat6::zeros(); 2]; 2];
        let signs = [-1.0, 1.0];
        for i in 0..2 {
            for j in 0..2 {
                // dn = across sign_j (du_j - ~s_j dtheta_j)
                let by = [across * signs[j], across * skew(&arms[j]) * -signs[j]];
                for (column, dn) in by.iter().enumerate() {
                    add_block(&mut second[i][j], 0, column, &(dn * signs[i]));
                    add_block(&mut second[i][j], 1, column, &(skew(&arms[i]) * dn * signs[i]));
                }
            }
            // the arm turns: d(s x n) = ~n ~s dtheta
            add_block(&mut second[i][i], 1, 1, &(skew_skew(&n, &arms[i]) * signs[i]));
        }
        Scalar { value: size - self.length, row, second }
    }
}

/// The angle about the common z axis from x of frame a to x of frame b, within half a turn of zero.
#[derive(Debug, Clone)]
pub struct Angle {
    /// x and y of frame a, on body a.
    pub a: [Vec3; 2],
    /// x and y of frame b, on body b.
    pub b: [Vec3; 2],
}

impl Angle {
    /// `atan2(s, c)`, as below.
    pub fn value(&self, a: &Motion, b: &Motion) -> f64 {
        let [xa, ya] = self.a.map(|axis| a.arm(&axis));
        let [xb, yb] = self.b.map(|axis| b.arm(&axis));
        (xb.dot(&ya) - yb.dot(&xa)).atan2(xb.dot(&xa) + yb.dot(&ya))
    }

    /// `atan2(s, c)`, s = x_b . y_a - y_b . x_a, c = x_b . x_a + y_b . y_a; its gradient is z where
    /// the z axes agree.
    pub fn evaluate(&self, a: &Motion, b: &Motion) -> Scalar {
        let [xa, ya] = self.a.map(|axis| a.arm(&axis));
        let [xb, yb] = self.b.map(|axis| b.arm(&axis));
        let (s, c) = (xb.dot(&ya) - yb.dot(&xa), xb.dot(&xa) + yb.dot(&ya));
        // gradients for a rotation of b (of a: the opposite), and how they change when b or a turns
        let (ds, dc) = (xb.cross(&ya) - yb.cross(&xa), xb.cross(&xa) + yb.cross(&ya));
        let by_b = |p: &Vec3, r: &Vec3| p * r.transpose() - Mat3::identity() * p.dot(r);
        let by_a = |p: &Vec3, r: &Vec3| Mat3::identity() * p.dot(r) - r * p.transpose();
        let size = s * s + c * c;
        let gradient = (ds * c - dc * s) / size;
        let turned = |sign: f64, dds: Mat3, ddc: Mat3| {
            let numerator = (ds * dc.transpose() - dc * ds.transpose()) * sign + dds * c - ddc * s;
            let of_size = (ds * s + dc * c) * (2.0 * sign);
            (numerator - gradient * of_size.transpose()) / size
        };
        let with_b = turned(1.0, by_b(&xb, &ya) - by_b(&yb, &xa), by_b(&xb, &xa) + by_b(&yb, &ya));
        let with_a = turned(-1.0, by_a(&xb, &ya) - by_a(&yb, &xa), by_a(&xb, &xa) + by_a(&yb, &ya));
        let mut second = [[Mat6::zeros(); 2]; 2];
        for (i, sign) in [(0, -1.0), (1, 1.0)] {
            add_block(&mut second[i][0], 1, 1, &(with_a * sign));
            add_block(&mut second[i][1], 1, 1, &(with_b * sign));
        }
        let row = Row { a: join(&Vec3::zeros(), &-gradient), b: join(&Vec3::zeros(), &gradient) };
        Scalar { value: s.atan2(c), row, second }
    }
}

/// Slide and angle in proportion, with a pitch p (length per turn): `slide - p/(2 pi) angle = 0`
/// over any number of turns.
#[derive(Debug, Clone)]
pub struct Screw {
    /// Displacement along z.
    pub slide: Height,
    /// Rotation about z.
    pub angle: Angle,
    /// p.
    pub pitch: f64,
}

impl Screw {
    /// The angle, over any number of turns, that corresponds to the slide.
    pub fn angle_by_slide(&self, a: &Motion, b: &Motion) -> f64 {
        self.slide.evaluate(a, b).value / (self.pitch / std::f64::consts::TAU)
    }

    /// The turns are those of the slide, so that the value is within half a pitch of zero.
    pub fn evaluate(&self, a: &Motion, b: &Motion) -> Scalar {
        let (slide, angle) = (self.slide.evaluate(a, b), self.angle.evaluate(a, b));
        let per_radian = self.pitch / std::f64::consts::TAU;
        let mut screw = slide.plus(&angle, -per_radian);
        screw.value = per_radian * wrap(slide.value / per_radian - angle.value);
        screw
    }
}
