//! `momentum-alpha`: its formulas step by step, conserved quantities, cases in which it equals
//! generalized-alpha, and its accuracy compared with that.

use crate::common::*;
use crate::problems::*;
use pintle::{Frame, Id, Simulation};

const NAME: &str = "momentum-alpha";
const J: V3 = [1.0, 2.0, 3.0];
const TIGHT: [(&str, f64); 2] = [("abs_tolerance", 1e-13), ("rel_tolerance", 1e-13)];

/// A free body with J (1, 2, 3) that turns with omega, no forces.
fn free(scheme: &str, omega: V3, options: &[(&str, f64)]) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    for (key, value) in options {
        sim.settings().set_option(key, *value).unwrap();
    }
    let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &[J[0], J[1], J[2], 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    sim.build().set_body_velocity(body, &join([0.0; 3], omega)).unwrap();
    (sim, body)
}

/// Orientation and angular velocity.
fn spin(sim: &Simulation, body: Id) -> (Quat, V3) {
    (
        turn(&sim.outputs().body_pose(body).unwrap()),
        halves(sim.outputs().body_velocity(body, Frame::Inertial).unwrap()).1,
    )
}

fn times(j: V3, w: V3) -> V3 {
    [j[0] * w[0], j[1] * w[1], j[2] * w[2]]
}

/// Angular momentum and kinetic energy.
fn momentum(sim: &Simulation, body: Id) -> (V3, f64) {
    let (q, w) = spin(sim, body);
    let local = unrotate(q, w);
    (rotate(q, times(J, local)), 0.5 * dot(local, times(J, local)))
}

/// One body with a constant moment in inertial axes, by the formulas alone: fixed-point iteration
/// on the rotation, in body axes of the time.
struct Reference {
    q: Quat,
    omega: V3,
    pdot: V3,
    /// A.
    rate: V3,
}

impl Reference {
    fn inertia(q: Quat, w: V3) -> V3 {
        rotate(q, times(J, unrotate(q, w)))
    }

    fn inverse(q: Quat, p: V3) -> V3 {
        let p = unrotate(q, p);
        rotate(q, [p[0] / J[0], p[1] / J[1], p[2] / J[2]])
    }

    fn free(q: Quat, w: V3) -> V3 {
        scale(-1.0, Reference::inverse(q, cross(w, Reference::inertia(q, w))))
    }

    fn step(&mut self, h: f64, rho: f64, moment: V3) {
        let [am, af, beta, gamma] = generalized_alpha(rho);
        let sum = |parts: &[(f64, V3)]| parts.iter().fold([0.0; 3], |sum, (c, x)| add(sum, scale(*c, *x)));
        // The moment is constant: rates follow at once.
        let rate =
            sum(&[((1.0 - af) / (1.0 - am), moment), (af / (1.0 - am), self.pdot), (-am / (1.0 - am), self.rate)]);
        let start = Reference::inertia(self.q, self.omega);
        let p = sum(&[(1.0, start), (h * (1.0 - gamma), self.rate), (h * gamma, rate)]);
        let (mut q, mut omega) = (self.q, self.omega);
        for _ in 0..200 {
            let psi = sum(&[
                (0.5 * h, self.omega),
                (0.5 * h, omega),
                (h * h * (beta - 0.5 * gamma), Reference::inverse(q, rate)),
                (-h * h * (beta - 0.5 * gamma), Reference::inverse(self.q, self.rate)),
                (h * h / 12.0, cross(omega, self.omega)),
                (h * h / 12.0, Reference::free(self.q, self.omega)),
                (-h * h / 12.0, Reference::free(q, omega)),
            ]);
            q = unit(quat_mul(quat_exp(psi), self.q));
            omega = Reference::inverse(q, p);
        }
        *self = Reference { q, omega, pdot: moment, rate };
    }
}

#[test]
fn steps_are_those_of_the_formulas() {
    // Iterations end at 1e-13, quadratically, and the fixed point at rounding; 100 steps of 0.15
    // rad in a motion that is not chaotic: some 1e-13 each, times what a deviation grows by, below
    // ten.
    for rho in [0.0, 0.6, 1.0] {
        let options = [TIGHT[0], TIGHT[1], ("rho_inf", rho)];
        let (mut sim, body) = free(NAME, [0.7, 0.9, 0.4], &options);
        let moment = [0.3, -0.5, 0.4];
        sim.inputs().set_body_load(body, Frame::Inertial, &join([0.0; 3], moment)).unwrap();
        sim.initialize(0.0).unwrap();
        // Without constraints the scheme starts with the accelerations as they are: A = pdot, the
        // moment.
        let mut own = Reference { q: UNROTATED, omega: [0.7, 0.9, 0.4], pdot: moment, rate: moment };
        for n in 1..=100 {
            sim.step(0.1).unwrap();
            own.step(0.1, rho, moment);
            let (q, w) = spin(&sim, body);
            let off = quat_error(q, own.q).max(distance(w, own.omega));
            assert!(off < 1e-10, "rho_inf {rho}, step {n}: {off:e}");
        }
    }
}

/// Largest error of the rotation vector between orientations at 10 s.
fn free_error(scheme: &str, omega: V3, h: f64) -> f64 {
    let rate = |_: f64, y: &[f64], dy: &mut [f64]| {
        let w = [y[4], y[5], y[6]];
        dy[..4].copy_from_slice(&quat_mul([y[0], y[1], y[2], y[3]], [0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2]]));
        let gyro = cross(w, times(J, w));
        dy[4..].copy_from_slice(&[-gyro[0] / J[0], -gyro[1] / J[1], -gyro[2] / J[2]]);
    };
    let y = last(rate, &[1.0, 0.0, 0.0, 0.0, omega[0], omega[1], omega[2]], 10.0);
    let (mut sim, body) = free(scheme, omega, &TIGHT);
    sim.initialize(0.0).unwrap();
    (0..(10.0 / h).round() as usize).for_each(|_| sim.step(h).unwrap());
    angle_between(spin(&sim, body).0, unit([y[0], y[1], y[2], y[3]]))
}

#[test]
fn free_rotation_is_of_fourth_order() {
    let errors = [0.1, 0.05, 0.025].map(|h| (h, free_error(NAME, [0.7, 0.9, 0.4], h)));
    println!("free body: {errors:?}");
    // 1.2e-4 measured where the scheme was found; asked is 1.5e-4.
    assert!(errors[0].1 < 1.5e-4, "{errors:?}");
    // The next term is of sixth order: (0.1)^2 relative.
    assert_order("free rotation", &errors, 4.0, 0.1);
    let ratio = free_error("generalized-alpha", [0.7, 0.9, 0.4], 0.1) / errors[0].1;
    assert!(ratio > 100.0, "{ratio}");
}

/// Largest errors, relative, of angular momentum (as a vector) and of energy over a million steps
/// of a body that tumbles about its middle axis at 1 rad/s.
fn kept(rho: f64, angle: f64) -> [f64; 2] {
    let (mut sim, body) = free(NAME, [0.001, 1.0, 0.001], &[("rho_inf", rho)]);
    sim.initialize(0.0).unwrap();
    let (p0, t0) = momentum(&sim, body);
    let mut worst = [0.0f64; 2];
    for n in 0..1_000_000 {
        sim.step(angle).unwrap();
        if n % 10 == 0 {
            let (p, t) = momentum(&sim, body);
            worst = [worst[0].max(distance(p, p0) / norm(p0)), worst[1].max((t / t0 - 1.0).abs())];
        }
    }
    worst
}

#[test]
fn momentum_of_free_bodies_is_kept_to_rounding_over_a_million_steps() {
    // p goes from step to step unrounded, and pdot is zero to rounding of itself: what is left is
    // the rounding of p as it is read here, 4e-15 at most. Where p was made of omega at each step,
    // and pdot of omegadot and omega x p, 1.5e-12 was measured. Asked is 1e-12.
    let cases = [(0.0, 0.4), (0.5, 0.1), (1.0, 0.4)];
    let found: Vec<[f64; 2]> = std::thread::scope(|scope| {
        let runs: Vec<_> =
            cases.iter().map(|&(rho, angle): &(f64, f64)| scope.spawn(move || kept(rho, angle))).collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    for ((rho, angle), [momentum, energy]) in cases.into_iter().zip(found) {
        println!("rho_inf {rho}, {angle} rad: momentum {momentum:.1e}, energy {energy:.1e}");
        assert!(momentum < 1e-13, "rho_inf {rho}, {angle} rad: {momentum:e}");
        // The energy follows from the momentum and an orientation of fourth order: it stays within
        // h^4 of what it is, without drift (angle^4 = 2.6e-2 at 0.4).
        assert!(energy < 0.1 * angle.powi(4), "rho_inf {rho}, {angle} rad: {energy:e}");
    }
}

#[test]
fn linear_systems_see_generalized_alpha() {
    // Nothing turns, or about one principal axis: the formulas are the same ones. Rounding of
    // numbers of size one.
    let both = |build: &dyn Fn(&str) -> Simulation, steps: usize, h: f64| {
        let mut runs = ["generalized-alpha", NAME].map(build);
        for n in 0..steps {
            let [a, b] = runs.each_mut().map(|sim| {
                sim.step(h).unwrap();
                let body = sim.description().count(pintle::EntityKind::Body) - 1;
                (sim.outputs().body_pose(body).unwrap(), sim.outputs().body_velocity(body, Frame::Inertial).unwrap())
            });
            let off = (0..7).map(|k| (a.0[k] - b.0[k]).abs()).chain((0..6).map(|k| (a.1[k] - b.1[k]).abs()));
            let off = off.fold(0.0, f64::max);
            assert!(off < 1e-12, "step {n}: {off:e}");
        }
    };
    let oscillator = |scheme: &str| {
        let mut sim = (linear_oscillator().build)();
        sim.settings().set_scheme(scheme).unwrap();
        TIGHT.iter().for_each(|(key, value)| sim.settings().set_option(key, *value).unwrap());
        sim.initialize(0.0).unwrap();
        sim
    };
    both(&oscillator, 200, 0.05);
    // Six coupled coordinates, frozen at the initial state.
    let frozen = |scheme: &str| {
        let mut sim = (platform().build)();
        sim.settings().set_scheme(scheme).unwrap();
        sim.settings().set_option("linear", 1.0).unwrap();
        sim.initialize(0.0).unwrap();
        sim
    };
    both(&frozen, 200, 0.05);
    // A torsional spring: a bushing that holds a turning body.
    let torsion = |scheme: &str| {
        let (mut sim, body) = free(scheme, [0.0, 0.0, 1.3], &[TIGHT[0], TIGHT[1], ("rho_inf", 0.6)]);
        let stiffness = diagonal([50.0, 50.0, 50.0, 8.0, 8.0, 8.0]);
        sim.elements().add_bushing(pintle::GROUND, body, &ORIGIN, &ORIGIN, &stiffness, &diagonal([0.1; 6])).unwrap();
        sim.initialize(0.0).unwrap();
        sim
    };
    both(&torsion, 200, 0.05);
}

#[test]
fn a_step_over_half_a_turn_is_refused() {
    let (mut sim, body) = free(NAME, [0.1, 0.2, 3.3], &[]);
    sim.initialize(0.0).unwrap();
    let before = spin(&sim, body);
    let error = sim.step(1.0).unwrap_err().to_string();
    assert!(error.contains("body 0") && error.contains("half a turn"), "{error}");
    assert_eq!(spin(&sim, body), before, "the object stays as it was");
    // A step of nearly half a turn is accepted.
    sim.step(0.9).unwrap();
}

#[test]
fn it_is_as_good_as_generalized_alpha_on_the_problems_of_the_tests() {
    // The norm of all four errors at steps in the range of second order; `ratio`: error of
    // momentum-alpha over that of generalized-alpha.
    for problem in [linear_oscillator(), heavy_top(), pendulum(), pendulum_on_a_joint_spring(), platform()] {
        let steps = 4 * problem.fewest[1];
        let size = |scheme| errors(&problem, scheme, &[], steps).iter().map(|e| e * e).sum::<f64>().sqrt();
        let [plain, own] = ["generalized-alpha", NAME].map(size);
        println!("{}: generalized-alpha {plain:.2e}, {NAME} {own:.2e}, ratio {:.3}", problem.name, own / plain);
        // Asked for: nowhere more than 1.2 times less accurate.
        assert!(own < 1.2 * plain, "{}: {own:e}, {plain:e}", problem.name);
    }
}
