//! Derivatives of the rates of constraints with respect to positions and velocities, which
//! linearisation needs beside B and gamma.
//!
//! `B v` and `B vdot + gamma` are the first and second time derivatives of Phi, so their variations
//! contain third derivatives of Phi. They are computed exactly with truncated Taylor series: a
//! [`Jet`] carries value, rate and second derivative in time, and the variation of each in one
//! direction (Griewank, Walther, Evaluating Derivatives, 2008, ch. 13). Every primitive is a short
//! formula in jets of the vectors that its bodies carry.

use super::{JointElement, Primitive};
use crate::spatial::{Vec3, Vec6, lower, upper};
use crate::system::motion::Motion;
use std::array;

/// A function of time: value, rate, second derivative; and the variation of each in one direction.
#[derive(Debug, Clone, Copy)]
struct Jet {
    time: [f64; 3],
    change: [f64; 3],
}

/// `(a b)`, its rate, its second derivative.
fn product(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[0] * b[0], a[1] * b[0] + a[0] * b[1], a[2] * b[0] + 2.0 * a[1] * b[1] + a[0] * b[2]]
}

/// `a/b`, from `(a/b) b = a`.
fn quotient(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    let c0 = a[0] / b[0];
    let c1 = (a[1] - c0 * b[1]) / b[0];
    [c0, c1, (a[2] - 2.0 * c1 * b[1] - c0 * b[2]) / b[0]]
}

fn sum(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    array::from_fn(|k| a[k] + b[k])
}

fn scaled(a: &[f64; 3], c: f64) -> [f64; 3] {
    a.map(|x| c * x)
}

impl Jet {
    fn plus(&self, other: &Jet, factor: f64) -> Jet {
        Jet {
            time: sum(&self.time, &scaled(&other.time, factor)),
            change: sum(&self.change, &scaled(&other.change, factor)),
        }
    }

    fn times(&self, other: &Jet) -> Jet {
        let change = sum(&product(&self.change, &other.time), &product(&self.time, &other.change));
        Jet { time: product(&self.time, &other.time), change }
    }

    /// e of `e e = self`.
    fn root(&self) -> Jet {
        let e0 = self.time[0].sqrt();
        let e1 = 0.5 * self.time[1] / e0;
        let time = [e0, e1, (0.5 * self.time[2] - e1 * e1) / e0];
        Jet { time, change: quotient(&scaled(&self.change, 0.5), &time) }
    }

    /// The angle of (cosine, sine): `(s^2 + c^2) dphi = c ds - s dc`, for rates as for variations.
    fn angle(sine: &Jet, cosine: &Jet) -> Jet {
        let (s, c) = (&sine.time, &cosine.time);
        let size = sum(&product(s, s), &product(c, c));
        let first = (c[0] * s[1] - s[0] * c[1]) / size[0];
        let second = (c[0] * s[2] - s[0] * c[2] - first * size[1]) / size[0];
        let change = sum(&product(c, &sine.change), &scaled(&product(s, &cosine.change), -1.0));
        Jet { time: [s[0].atan2(c[0]), first, second], change: quotient(&change, &size) }
    }
}

/// A vector of jets.
type JetVector = [Jet; 3];

fn dot(a: &JetVector, b: &JetVector) -> Jet {
    a[0].times(&b[0]).plus(&a[1].times(&b[1]), 1.0).plus(&a[2].times(&b[2]), 1.0)
}

fn minus(a: &JetVector, b: &JetVector) -> JetVector {
    array::from_fn(|k| a[k].plus(&b[k], -1.0))
}

fn cross(a: &JetVector, b: &JetVector) -> JetVector {
    array::from_fn(|k| {
        let [i, j] = [(k + 1) % 3, (k + 2) % 3];
        a[i].times(&b[j]).plus(&a[j].times(&b[i]), -1.0)
    })
}

fn scaled_by(a: &JetVector, factor: &Jet) -> JetVector {
    a.each_ref().map(|x| x.times(factor))
}

/// A body with a direction of variation: (u, theta) of its position, and its velocity.
struct Varied<'a> {
    motion: &'a Motion,
    position: Vec6,
    velocity: Vec6,
}

impl Varied<'_> {
    /// A vector fixed in the body: `ds = theta x s`, `dsdot = domega x s + omega x ds`, and so on.
    fn arm(&self, local: &Vec3) -> JetVector {
        let m = self.motion;
        let (theta, domega) = (lower(&self.position), lower(&self.velocity));
        let s = m.arm(local);
        let rate = m.omega.cross(&s);
        let second = m.omegadot.cross(&s) + m.omega.cross(&rate);
        let ds = theta.cross(&s);
        let drate = domega.cross(&s) + m.omega.cross(&ds);
        let dsecond = m.omegadot.cross(&ds) + domega.cross(&rate) + m.omega.cross(&drate);
        array::from_fn(|k| Jet { time: [s[k], rate[k], second[k]], change: [ds[k], drate[k], dsecond[k]] })
    }

    /// The point that the body is integrated about.
    fn centre(&self) -> JetVector {
        let m = self.motion;
        let (u, dv) = (upper(&self.position), upper(&self.velocity));
        array::from_fn(|k| Jet { time: [m.x[k], m.v[k], m.vdot[k]], change: [u[k], dv[k], 0.0] })
    }

    /// Velocity of that point and angular velocity, up to their rates.
    fn velocities(&self) -> (JetVector, JetVector) {
        let m = self.motion;
        let [dv, domega] = [upper(&self.velocity), lower(&self.velocity)];
        let jets = |rate: &Vec3, second: &Vec3, change: &Vec3| {
            array::from_fn(|k| Jet { time: [rate[k], second[k], 0.0], change: [change[k], 0.0, 0.0] })
        };
        (jets(&m.v, &m.vdot, &dv), jets(&m.omega, &m.omegadot, &domega))
    }

    /// A point fixed in the body.
    fn point(&self, local: &Vec3) -> JetVector {
        let (own, arm) = (self.centre(), self.arm(local));
        array::from_fn(|k| own[k].plus(&arm[k], 1.0))
    }
}

/// The equations of a rolling disc as jets, whose values are not used: velocities are known up to
/// their rates.
fn rolling(p: &super::Rolling, a: &Varied, b: &Varied) -> [Jet; 3] {
    let (n, z) = (a.arm(&p.normal), b.arm(&p.axis));
    let d = minus(&n, &scaled_by(&z, &dot(&n, &z)));
    let size = dot(&d, &d).root();
    let inverse = [1.0, 0.0, 0.0];
    let time = quotient(&inverse, &size.time);
    let change = scaled(&quotient(&product(&time, &size.change), &size.time), -1.0);
    let steepest = scaled_by(&d, &Jet { time, change });
    let heading = cross(&z, &steepest);
    let lowest: JetVector = array::from_fn(|k| b.point(&p.b)[k].plus(&steepest[k], -p.radius));
    let velocity = |body: &Varied| {
        let (linear, turning) = body.velocities();
        let arm = cross(&turning, &minus(&lowest, &body.centre()));
        array::from_fn(|k| linear[k].plus(&arm[k], 1.0))
    };
    let slip = minus(&velocity(b), &velocity(a));
    [heading, cross(&n, &heading), n].map(|e| {
        let Jet { time: [rate, second, _], change: [rate_change, second_change, _] } = dot(&e, &slip);
        Jet { time: [0.0, rate, second], change: [0.0, rate_change, second_change] }
    })
}

impl Primitive {
    /// Phi as a jet, one per equation.
    fn jets(&self, a: &Varied, b: &Varied) -> ([Jet; 3], usize) {
        let height = |p: &super::Height| dot(&a.arm(&p.axis), &minus(&b.point(&p.b), &a.point(&p.a)));
        let angle = |p: &super::Angle| {
            let ([xa, ya], [xb, yb]) = (p.a.map(|axis| a.arm(&axis)), p.b.map(|axis| b.arm(&axis)));
            Jet::angle(&dot(&xb, &ya).plus(&dot(&yb, &xa), -1.0), &dot(&xb, &xa).plus(&dot(&yb, &ya), 1.0))
        };
        let one = match self {
            Primitive::Coincident(p) => return (minus(&b.point(&p.b), &a.point(&p.a)), 3),
            Primitive::Perpendicular(p) => dot(&a.arm(&p.a), &b.arm(&p.b)),
            Primitive::Height(p) => height(p),
            Primitive::Distance(p) => {
                let d = minus(&b.point(&p.b), &a.point(&p.a));
                dot(&d, &d).root()
            }
            Primitive::Angle(p) => angle(p),
            Primitive::Rolling(p) => return (rolling(p, a, b), 3),
            Primitive::Screw(p) => height(&p.slide).plus(&angle(&p.angle), -p.pitch / std::f64::consts::TAU),
        };
        ([one; 3], 1)
    }
}

impl JointElement {
    /// Variations of rate and second derivative of the coordinate with position (u, theta) and
    /// velocity of one end, at constant vdot.
    pub fn coordinate_change(
        &self,
        ends: [&Motion; 2],
        varied: usize,
        position: &Vec6,
        velocity: &Vec6,
    ) -> Option<[f64; 2]> {
        let of = |end: usize| {
            let here = if end == varied { 1.0 } else { 0.0 };
            Varied { motion: ends[end], position: position * here, velocity: velocity * here }
        };
        let ([jet, ..], _) = self.rest.coordinate.as_ref()?.jets(&of(0), &of(1));
        Some([jet.change[1], jet.change[2]])
    }

    /// Calls `each(index, d(B v), d(B vdot + gamma))` for every independent constraint, with the
    /// variations by position (u, theta) and velocity of one end, at constant vdot and imposed
    /// values.
    pub fn for_each_change(
        &self,
        ends: [&Motion; 2],
        varied: usize,
        position: &Vec6,
        velocity: &Vec6,
        mut each: impl FnMut(usize, f64, f64),
    ) {
        let of = |end: usize| {
            let here = if end == varied { 1.0 } else { 0.0 };
            Varied { motion: ends[end], position: position * here, velocity: velocity * here }
        };
        let (a, b) = (of(0), of(1));
        let mut first = 0;
        for primitive in self.primitives.iter() {
            let (jets, rows) = primitive.jets(&a, &b);
            for (jet, index) in jets.iter().zip(&self.indices[first..first + rows]) {
                if let Some(index) = index {
                    each(index.get(), jet.change[1], jet.change[2]);
                }
            }
            first += rows;
        }
    }

    /// Variations of the coordinate (or the slide), its rate and its acceleration with a variation
    /// `[position (u, theta), velocity, acceleration]` of both ends. None if there is no such
    /// coordinate.
    pub fn coordinate_variation(
        &self,
        is_slide: bool,
        ends: [&Motion; 2],
        changes: &[[Vec6; 3]; 2],
    ) -> Option<[f64; 3]> {
        let primitive = if is_slide { &self.rest.slide } else { &self.rest.coordinate };
        let of = |end: usize| Varied { motion: ends[end], position: changes[end][0], velocity: changes[end][1] };
        let ([jet, ..], _) = primitive.as_ref()?.jets(&of(0), &of(1));
        // The jet has constant accelerations: their variation enters by the gradient.
        let row = self.gradient(is_slide, ends)?;
        let by_acceleration = row.a.dot(&changes[0][2]) + row.b.dot(&changes[1][2]);
        Some([jet.change[0], jet.change[1], jet.change[2] + by_acceleration])
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Angle, Coincident, Distance, Height, Perpendicular, Rolling, Screw, acceleration, rate};
    use super::*;
    use crate::spatial::{BodyState, rotation};

    /// Deterministic numbers in (-1, 1).
    fn noise(seed: &mut u64) -> f64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// `B v` and `B vdot + gamma` of each equation.
    fn rates(primitive: &Primitive, bodies: &[BodyState; 2]) -> Vec<[f64; 2]> {
        let (a, b) = (Motion::of(&bodies[0]), Motion::of(&bodies[1]));
        let gamma = primitive.velocity_terms(&a, &b);
        let mut out = Vec::new();
        primitive.for_each_row(&a, &b, |k, _, row| {
            out.push([rate(&row, &a, &b), acceleration(&row, &a, &b) + gamma[k]]);
        });
        out
    }

    #[test]
    fn changes_of_rates_equal_finite_differences() {
        let mut seed = 11;
        let mut vec3 = || Vec3::from_fn(|_, _| noise(&mut seed));
        let height = Height { axis: vec3().normalize(), a: vec3(), b: vec3() };
        let axes = |r: crate::spatial::Quat| [0, 1].map(|k| Vec3::from(rotation::matrix(&r).column(k)));
        let angle = Angle { a: axes(rotation::exp(&vec3())), b: axes(rotation::exp(&vec3())) };
        let disc = Rolling { a: vec3(), normal: vec3().normalize(), b: vec3(), axis: vec3().normalize(), radius: 0.8 };
        let primitives = [
            Primitive::Rolling(Box::new(disc)),
            Primitive::Coincident(Coincident { a: vec3(), b: vec3() }),
            Primitive::Perpendicular(Perpendicular { a: vec3(), b: vec3() }),
            Primitive::Height(Box::new(height.clone())),
            Primitive::Distance(Box::new(Distance { a: vec3(), b: vec3() * 3.0, length: 1.0 })),
            Primitive::Angle(Box::new(angle.clone())),
            Primitive::Screw(Box::new(Screw { slide: height, angle, pitch: 0.7 })),
        ];
        let mut body = || BodyState {
            x: vec3(),
            q: rotation::exp(&vec3()),
            v: crate::spatial::join(&vec3(), &vec3()),
            vdot: crate::spatial::join(&vec3(), &vec3()),
        };
        let bodies = [body(), body()];
        let h = 1e-5;
        for primitive in &primitives {
            for (end, k, of_velocity) in (0..24).map(|i| (i / 12, i % 6, i % 12 > 5)) {
                let mut unit = Vec6::zeros();
                unit[k] = 1.0;
                let still = Vec6::zeros();
                let (position, velocity) = if of_velocity { (still, unit) } else { (unit, still) };
                let moved = |s: f64| {
                    let mut bodies = bodies;
                    let body = &mut bodies[end];
                    body.x += upper(&position) * s;
                    body.q = rotation::exp(&(lower(&position) * s)) * body.q;
                    body.v += velocity * s;
                    rates(primitive, &bodies)
                };
                let motions = bodies.map(|body| Motion::of(&body));
                let of = |which: usize| {
                    let here = if which == end { 1.0 } else { 0.0 };
                    Varied { motion: &motions[which], position: position * here, velocity: velocity * here }
                };
                let (jets, rows) = primitive.jets(&of(0), &of(1));
                let present = rates(primitive, &bodies);
                for (row, (plus, minus)) in moved(h).iter().zip(moved(-h)).enumerate() {
                    assert!(row < rows);
                    for order in 0..2 {
                        let found = jets[row].change[order + 1];
                        let difference = (plus[order] - minus[order]) / (2.0 * h);
                        // h^2/6 of third derivatives, which 1/size^3 of distance and angle make
                        // some 1e3; eps/h
                        assert!(
                            (found - difference).abs() < 1e-7 * (1.0 + difference.abs()),
                            "{primitive:?} {end} {k}"
                        );
                        assert!((jets[row].time[order + 1] - present[row][order]).abs() < 1e-12 * (1.0 + found.abs()));
                    }
                }
            }
        }
    }
}
