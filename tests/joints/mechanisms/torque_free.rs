//! The free turning of an asymmetric body: Euler's solution in Jacobi's elliptic functions (Landau,
//! Lifshitz, Mechanics, par. 37), about the axes of least and greatest inertia and, tumbling, near
//! the intermediate one.

use crate::common::*;
use crate::mechanisms::kane::tight;
use pintle::{Frame, Id, Simulation};

/// Principal moments of inertia, increasing.
const J: V3 = [1.0, 2.0, 2.6];
const MASS: f64 = 2.0;

/// sn, cn, dn of u for the parameter m = k^2, by the arithmetic-geometric mean (Abramowitz, Stegun
/// 16.4).
fn jacobi(u: f64, m: f64) -> [f64; 3] {
    let mut levels = vec![(1.0f64, m.sqrt())];
    let mut b = (1.0 - m).sqrt();
    while levels.last().unwrap().1 > 1e-16 && levels.len() < 12 {
        let a = levels.last().unwrap().0;
        levels.push((0.5 * (a + b), 0.5 * (a - b)));
        b = (a * b).sqrt();
    }
    let n = levels.len() - 1;
    let mut phi = 2f64.powi(n as i32) * levels[n].0 * u;
    for (a, c) in levels[1..].iter().rev() {
        phi = 0.5 * (phi + (c / a * phi.sin()).asin());
    }
    [phi.sin(), phi.cos(), (1.0 - m * phi.sin().powi(2)).sqrt()]
}

/// Angular velocity in body axes at time t: energy and momentum follow from `first` (about 1) and
/// `third` (about 3), the values where omega_2 vanishes; the phase is counted from there.
struct Euler {
    first: f64,
    third: f64,
    phase: f64,
}

impl Euler {
    /// omega in body axes, for the case in which the momentum circles axis 3 (M^2 > 2 E J_2), or
    /// axis 1.
    fn omega(&self, t: f64) -> V3 {
        let [j1, j2, j3] = J;
        let energy = j1 * self.first * self.first + j3 * self.third * self.third; // 2 E
        let square = (j1 * self.first).powi(2) + (j3 * self.third).powi(2); // M^2
        let (near, far) = (square - energy * j1, energy * j3 - square);
        let second = |x: f64, other: f64| (x / (j2 * other)).sqrt();
        if square > energy * j2 {
            let rate = ((j3 - j2) * near / (j1 * j2 * j3)).sqrt();
            let m = (j2 - j1) * far / ((j3 - j2) * near);
            let [sn, cn, dn] = jacobi(rate * t + self.phase, m);
            [self.first * cn, second(far, j3 - j2) * sn, self.third * dn]
        } else {
            let rate = ((j2 - j1) * far / (j1 * j2 * j3)).sqrt();
            let m = (j3 - j2) * near / ((j2 - j1) * far);
            let [sn, cn, dn] = jacobi(rate * t + self.phase, m);
            [self.first * dn, second(near, j2 - j1) * sn, self.third * cn]
        }
    }

    /// Precession rate about the momentum: M (J_1 w_1^2 + J_2 w_2^2)/(J_1^2 w_1^2 + J_2^2 w_2^2),
    /// axis 3 as figure axis.
    fn precession(&self, t: f64) -> f64 {
        let w = self.omega(t);
        let momentum = norm([J[0] * w[0], J[1] * w[1], J[2] * w[2]]);
        let (a, b) = (J[0] * w[0] * w[0] + J[1] * w[1] * w[1], (J[0] * w[0]).powi(2) + (J[1] * w[1]).powi(2));
        momentum * a / b
    }
}

/// From momentum in body axes and precession angle: the orientation with the momentum along z, the
/// line of nodes at `node`.
fn orientation(w: V3, node: f64) -> Quat {
    let l = [J[0] * w[0], J[1] * w[1], J[2] * w[2]];
    let theta = (l[2] / norm(l)).acos();
    let psi = l[0].atan2(l[1]);
    let about = |axis: usize, angle: f64| {
        let mut v = [0.0; 3];
        v[axis] = angle;
        quat_exp(v)
    };
    quat_mul(quat_mul(about(2, node), about(0, theta)), about(2, psi))
}

const CASES: [(&str, Euler); 3] = [
    ("about the greatest", Euler { first: 0.8, third: 2.0, phase: 0.3 }),
    ("about the least", Euler { first: 2.5, third: 0.5, phase: 0.3 }),
    // M^2 = 2 E J_2 at third = 1.201: from the middle of a flip to axis 2, past it, and through the
    // next flip at 9.4 s
    ("near the intermediate", Euler { first: 1.5, third: 1.205, phase: 0.0 }),
];

fn build(w: V3, q: Quat) -> (Simulation, Id) {
    let mut sim = tight(0.8);
    let body = sim.build().add_rigid_body(MASS, &[0.0; 3], &six(&diag(J)), &pose([0.0; 3], q)).unwrap();
    sim.build().set_body_velocity(body, &join([0.3, -0.2, 0.1], rotate(q, w))).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, body)
}

#[test]
fn elliptic_functions_obey_euler() {
    // J w' + w x J w = 0, by central differences of 1e-4: (1e-4)^2 of third derivatives up to 50
    let [sn, cn, dn] = jacobi(0.7, 0.5);
    // Abramowitz, Stegun, table 16: sn(0.7 | 0.5) from the definition u = F(phi | m) by Simpson's
    // rule
    let phi = sn.atan2(cn);
    let f = |x: f64| 1.0 / (1.0 - 0.5 * x.sin().powi(2)).sqrt();
    let u = simpson(f, 0.0, phi, 200);
    assert!((u - 0.7).abs() < 1e-12 && (dn * dn + 0.5 * sn * sn - 1.0).abs() < 1e-14);
    for (claim, case) in &CASES {
        for n in 0..40 {
            let (t, d) = (0.37 * n as f64, 1e-4);
            let (w, before, after) = (case.omega(t), case.omega(t - d), case.omega(t + d));
            let gyroscopic = cross(w, [J[0] * w[0], J[1] * w[1], J[2] * w[2]]);
            for k in 0..3 {
                let inertia = J[k] * (after[k] - before[k]) / (2.0 * d);
                assert!((inertia + gyroscopic[k]).abs() < 1e-6, "{claim} at {t}: {inertia} {}", gyroscopic[k]);
            }
        }
    }
}

fn simpson(f: impl Fn(f64) -> f64, a: f64, b: f64, n: usize) -> f64 {
    let h = (b - a) / n as f64;
    (0..n).map(|k| a + k as f64 * h).map(|x| h / 6.0 * (f(x) + 4.0 * f(x + 0.5 * h) + f(x + h))).sum()
}

#[test]
fn free_turning_follows_euler_at_second_order() {
    for (claim, case) in &CASES {
        let (fine, intervals) = (2.5e-3, 4800);
        let mut nodes = vec![0.4];
        for n in 0..intervals {
            let t = n as f64 * fine;
            nodes.push(nodes[n] + simpson(|t| case.precession(t), t, t + fine, 2));
        }
        let mut tables = [(); 2].map(|()| Vec::new());
        for stride in [8, 4, 2, 1] {
            let (mut sim, body) = build(case.omega(0.0), orientation(case.omega(0.0), nodes[0]));
            let mut worst = [0.0f64; 2];
            for n in 1..=intervals / stride {
                sim.step(stride as f64 * fine).unwrap();
                let w = case.omega((n * stride) as f64 * fine);
                let velocity = halves(sim.outputs().body_velocity(body, Frame::Body).unwrap());
                worst[0] = worst[0].max(distance(velocity.1, w));
                let exact = orientation(w, nodes[n * stride]);
                worst[1] = worst[1].max(quat_error(turn(&sim.outputs().body_pose(body).unwrap()), exact));
            }
            for (table, error) in tables.iter_mut().zip(worst) {
                table.push((stride as f64 * fine, error));
            }
        }
        assert_order(&format!("{claim} axis, rates"), &tables[0], 2.0, 0.1);
        assert_order(&format!("{claim} axis, orientation"), &tables[1], 2.0, 0.1);
    }
}

#[test]
fn only_the_intermediate_axis_is_unstable() {
    for (axis, turns_over) in [(0, false), (1, true), (2, false)] {
        let mut w = [1e-3; 3];
        w[axis] = 3.0;
        let (mut sim, body) = build(w, UNROTATED);
        let mut least = 3.0f64;
        for _ in 0..4000 {
            sim.step(5e-3).unwrap();
            least = least.min(sim.outputs().body_velocity(body, Frame::Body).unwrap()[3 + axis]);
        }
        // a flip reverses the rate: w_2 runs from 3 to -3; about the other axes it keeps to
        // (1e-3)^2
        assert_eq!(least < -2.9, turns_over, "axis {axis}: least rate {least}");
        assert!(turns_over || least > 3.0 - 1e-5, "axis {axis}: least rate {least}");
    }
}
