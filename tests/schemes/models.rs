//! Small models and numbers that several files share: the oscillator, Adams-Bashforth weights,
//! complex numbers.

use crate::common::*;
use pintle::{Frame, GROUND, Simulation};

/// Mass, and inertia about every axis, of the oscillator.
const MASS: f64 = 2.0;

/// The coordinate of the oscillation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Along {
    X,
    /// Rotation about z.
    Turn,
}

/// y'' + 2 zeta w y' + w^2 y = 0 as one body on a bushing to the ground, y(0) = start\[0\], y'(0) =
/// start\[1\].
pub fn oscillator(
    along: Along,
    w: f64,
    zeta: f64,
    start: [f64; 2],
    scheme: &str,
    options: &[(&str, f64)],
) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    let (at, place_of) = match along {
        Along::X => (0, pose([start[0], 0.0, 0.0], UNROTATED)),
        Along::Turn => (5, pose([0.0; 3], quat_exp([0.0, 0.0, start[0]]))),
    };
    let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &[MASS, MASS, MASS, 0.0, 0.0, 0.0], &place_of).unwrap();
    let acceleration = -2.0 * zeta * w * start[1] - w * w * start[0];
    // With option `initial_acceleration` the formulas start from this.
    sim.build()
        .set_body_acceleration(body, &std::array::from_fn(|k| if k == at { acceleration } else { 0.0 }))
        .unwrap();
    let only = |value: f64| diagonal(std::array::from_fn(|k| if k == at { value } else { 0.0 }));
    sim.build().set_body_velocity(body, &std::array::from_fn(|k| if k == at { start[1] } else { 0.0 })).unwrap();
    sim.elements()
        .add_bushing(GROUND, body, &ORIGIN, &ORIGIN, &only(MASS * w * w), &only(2.0 * zeta * w * MASS))
        .unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

/// y, y', y'' of the oscillator.
pub fn motion(sim: &Simulation, along: Along) -> [f64; 3] {
    let p = sim.outputs().body_pose(0).unwrap();
    let (v, a) = (
        sim.outputs().body_velocity(0, Frame::Inertial).unwrap(),
        sim.outputs().body_acceleration(0, Frame::Inertial).unwrap(),
    );
    match along {
        Along::X => [p[0], v[0], a[0]],
        Along::Turn => [2.0 * p[6].atan2(p[3]), v[5], a[5]],
    }
}

/// Weights of Adams-Bashforth of order 1 to 5, the latest rate first (Hairer, Norsett, Wanner I,
/// table III.1.1).
pub fn adams_bashforth(order: usize) -> Vec<f64> {
    match order {
        1 => vec![1.0],
        2 => vec![1.5, -0.5],
        3 => [23.0, -16.0, 5.0].map(|b| b / 12.0).to_vec(),
        4 => [55.0, -59.0, 37.0, -9.0].map(|b| b / 24.0).to_vec(),
        _ => [1901.0, -2774.0, 2616.0, -1274.0, 251.0].map(|b| b / 720.0).to_vec(),
    }
}

/// A complex number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C(pub f64, pub f64);

impl C {
    pub fn polar(size: f64, angle: f64) -> C {
        C(size * angle.cos(), size * angle.sin())
    }
    pub fn size(self) -> f64 {
        self.0.hypot(self.1)
    }
    pub fn angle(self) -> f64 {
        self.1.atan2(self.0)
    }
    pub fn times(self, c: f64) -> C {
        C(self.0 * c, self.1 * c)
    }
}

impl std::ops::Add for C {
    type Output = C;
    fn add(self, b: C) -> C {
        C(self.0 + b.0, self.1 + b.1)
    }
}

impl std::ops::Sub for C {
    type Output = C;
    fn sub(self, b: C) -> C {
        C(self.0 - b.0, self.1 - b.1)
    }
}

impl std::ops::Mul for C {
    type Output = C;
    fn mul(self, b: C) -> C {
        C(self.0 * b.0 - self.1 * b.1, self.0 * b.1 + self.1 * b.0)
    }
}

impl std::ops::Div for C {
    type Output = C;
    fn div(self, b: C) -> C {
        let n = b.0 * b.0 + b.1 * b.1;
        C((self.0 * b.0 + self.1 * b.1) / n, (self.1 * b.0 - self.0 * b.1) / n)
    }
}

/// `sum_k z^k / k!` up to the order: the stability polynomial of a Runge-Kutta method with as many
/// stages as its order.
pub fn exponential(order: usize, z: C) -> C {
    (1..=order).rev().fold(C(1.0, 0.0), |sum, k| C(1.0, 0.0) + z * sum.times(1.0 / k as f64))
}

/// Order of a Runge-Kutta method of the library by its name.
pub fn runge_kutta_order(name: &str) -> Option<usize> {
    Some(match name {
        "euler" | "leuler" => 1,
        "heun" | "rk2" => 2,
        "rk3" => 3,
        "rk4" => 4,
        _ => return None,
    })
}
