//! What the generalized-alpha scheme conserves, with the figures of docs/schemes.md: a body turning freely about its middle axis.

mod common;

use common::*;
use pintle::{Frame, Simulation};

const J: V3 = [1.0, 2.0, 3.0];

/// Relative losses of the angular momentum's length, its greatest turn (rad), loss of kinetic energy, change of linear momentum.
#[derive(Debug)]
struct Losses {
    momentum: f64,
    turn: f64,
    energy: f64,
    linear: f64,
}

fn losses(rho: f64, angle: f64, steps: usize) -> Losses {
    let mut sim = Simulation::new();
    for (key, value) in [("rho_inf", rho), ("abs_tolerance", 1e-12), ("rel_tolerance", 1e-12)] {
        sim.set_option(key, value).unwrap();
    }
    let body = sim.add_rigid_body(2.0, &[0.0; 3], &[J[0], J[1], J[2], 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    let start = [0.3, -0.2, 0.1, 0.001, 1.0, 0.001];
    sim.set_body_velocity(body, &start).unwrap();
    sim.initialize(0.0).unwrap();
    let read = |sim: &Simulation| {
        let q = turn(&sim.body_pose(body).unwrap());
        let (v, w) = halves(sim.body_velocity(body, Frame::Inertial).unwrap());
        let local = unrotate(q, w);
        let l = [J[0] * local[0], J[1] * local[1], J[2] * local[2]];
        (rotate(q, l), 0.5 * dot(local, l), v)
    };
    let (l0, t0, v0) = read(&sim);
    let mut greatest = 0.0f64;
    for _ in 0..steps {
        sim.step(angle).unwrap();
        let (l, ..) = read(&sim);
        greatest = greatest.max((dot(l, l0) / norm(l) / norm(l0)).clamp(-1.0, 1.0).acos());
    }
    let (l, t, v) = read(&sim);
    Losses {
        momentum: 1.0 - norm(l) / norm(l0),
        turn: greatest,
        energy: 1.0 - t / t0,
        linear: distance(v, v0) / norm(v0),
    }
}

#[test]
fn losses_are_those_that_the_page_says() {
    for (rho, angle) in [(1.0, 0.1), (0.8, 0.1), (0.5, 0.1), (0.0, 0.1), (1.0, 0.4), (0.8, 0.4), (0.8, 0.05)] {
        println!("{rho} {angle} {:?}", losses(rho, angle, 20_000));
    }
}
