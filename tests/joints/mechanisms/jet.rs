//! Numbers and vectors that carry their first two derivatives in time, so that a position written
//! in closed form gives velocity and acceleration without further formulas (chain rule, no
//! differences).

use crate::common::V3;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A value with its first and second derivative in time.
#[derive(Debug, Clone, Copy)]
pub struct Jet {
    pub x: f64,
    pub dx: f64,
    pub ddx: f64,
}

/// A number that does not change.
pub fn constant(x: f64) -> Jet {
    Jet { x, dx: 0.0, ddx: 0.0 }
}

impl Jet {
    /// f(self) from f, f' and f'' there.
    fn chain(self, f: f64, f1: f64, f2: f64) -> Jet {
        Jet { x: f, dx: f1 * self.dx, ddx: f2 * self.dx * self.dx + f1 * self.ddx }
    }

    pub fn sin(self) -> Jet {
        let (s, c) = self.x.sin_cos();
        self.chain(s, c, -s)
    }

    pub fn cos(self) -> Jet {
        let (s, c) = self.x.sin_cos();
        self.chain(c, -s, -c)
    }

    pub fn sqrt(self) -> Jet {
        let r = self.x.sqrt();
        self.chain(r, 0.5 / r, -0.25 / (r * self.x))
    }

    pub fn asin(self) -> Jet {
        let c = (1.0 - self.x * self.x).sqrt();
        self.chain(self.x.asin(), 1.0 / c, self.x / (c * c * c))
    }
}

impl Add for Jet {
    type Output = Jet;
    fn add(self, b: Jet) -> Jet {
        Jet { x: self.x + b.x, dx: self.dx + b.dx, ddx: self.ddx + b.ddx }
    }
}

impl Sub for Jet {
    type Output = Jet;
    fn sub(self, b: Jet) -> Jet {
        self + -b
    }
}

impl Neg for Jet {
    type Output = Jet;
    fn neg(self) -> Jet {
        Jet { x: -self.x, dx: -self.dx, ddx: -self.ddx }
    }
}

impl Mul for Jet {
    type Output = Jet;
    fn mul(self, b: Jet) -> Jet {
        let ddx = self.ddx * b.x + 2.0 * self.dx * b.dx + self.x * b.ddx;
        Jet { x: self.x * b.x, dx: self.dx * b.x + self.x * b.dx, ddx }
    }
}

impl Div for Jet {
    type Output = Jet;
    fn div(self, b: Jet) -> Jet {
        self * b.chain(1.0 / b.x, -1.0 / (b.x * b.x), 2.0 / (b.x * b.x * b.x))
    }
}

impl Mul<f64> for Jet {
    type Output = Jet;
    fn mul(self, c: f64) -> Jet {
        Jet { x: c * self.x, dx: c * self.dx, ddx: c * self.ddx }
    }
}

/// A vector in inertial axes.
#[derive(Debug, Clone, Copy)]
pub struct Vector(pub [Jet; 3]);

/// A vector that does not change.
pub fn fixed(a: V3) -> Vector {
    Vector(a.map(constant))
}

impl Vector {
    /// Value, first, second derivative.
    pub fn value(&self) -> V3 {
        self.0.map(|c| c.x)
    }

    pub fn rate(&self) -> V3 {
        self.0.map(|c| c.dx)
    }

    pub fn acceleration(&self) -> V3 {
        self.0.map(|c| c.ddx)
    }

    pub fn dot(self, b: Vector) -> Jet {
        self.0[0] * b.0[0] + self.0[1] * b.0[1] + self.0[2] * b.0[2]
    }

    pub fn cross(self, b: Vector) -> Vector {
        let ([a, b], minor) = ([self.0, b.0], |a: [Jet; 3], b: [Jet; 3], i: usize, j: usize| a[i] * b[j] - a[j] * b[i]);
        Vector([minor(a, b, 1, 2), minor(a, b, 2, 0), minor(a, b, 0, 1)])
    }

    pub fn norm(self) -> Jet {
        self.dot(self).sqrt()
    }

    pub fn unit(self) -> Vector {
        self * (constant(1.0) / self.norm())
    }

    /// Turned by `angle` about the unit vector `u` (Rodrigues).
    pub fn turned(self, u: Vector, angle: Jet) -> Vector {
        let (s, c) = (angle.sin(), angle.cos());
        self * c + u.cross(self) * s + u * (u.dot(self) * (constant(1.0) - c))
    }
}

impl Add for Vector {
    type Output = Vector;
    fn add(self, b: Vector) -> Vector {
        Vector(std::array::from_fn(|i| self.0[i] + b.0[i]))
    }
}

impl Sub for Vector {
    type Output = Vector;
    fn sub(self, b: Vector) -> Vector {
        Vector(std::array::from_fn(|i| self.0[i] - b.0[i]))
    }
}

impl Mul<Jet> for Vector {
    type Output = Vector;
    fn mul(self, c: Jet) -> Vector {
        Vector(self.0.map(|x| x * c))
    }
}

impl Mul<f64> for Vector {
    type Output = Vector;
    fn mul(self, c: f64) -> Vector {
        Vector(self.0.map(|x| x * c))
    }
}
