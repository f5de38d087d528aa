//! Lines between bodies, with arms to their reference points, and with free ends: loads of line
//! ends on the bodies that carry them.

use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::{Frame, Id, Simulation};
use std::f64::consts::TAU;

const STRAP: Material =
    Material { d: 0.05, w: 3.0, ea: 5e4, ba: 60.0, ei: 0.0, cdn: 0.0, can: 0.0, cdt: 0.0, cat: 0.0 };
const N: usize = 4;
const COM: V3 = [0.1, -0.05, 0.2];
const MASSES: [f64; 2] = [20.0, 35.0];

fn hook(sim: &mut Simulation, body: Id, arm: V3) -> Id {
    let id = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
    sim.build().attach_point(id, body, &arm).unwrap();
    id
}

/// Two bodies that tumble, tied by two lines that are taut for a part of the time.
fn tethered(scheme: &str, of: &Material) -> (Simulation, [Id; 2], [Id; 2]) {
    let mut sim = system(scheme, &Sea { g: 0.0, ..Sea::NONE });
    sim.settings().set_option("max_time_step", 1.0).unwrap();
    let turned = unit([0.8, 0.3, -0.2, 0.4]);
    let bodies = [0, 1].map(|k| {
        let at = [[0.0; 3], [3.0, 0.5, -0.4]][k];
        let inertia = scale(MASSES[k], [0.2, 0.3, 0.25]);
        let q = [UNROTATED, turned][k];
        let inertia = [inertia[0], inertia[1], inertia[2], 0.1, 0.0, -0.2];
        let id = sim.build().add_rigid_body(MASSES[k], &COM, &inertia, &pose(at, q)).unwrap();
        let v = [[0.0, 0.3, 0.0, 0.4, 0.9, -0.5], [-0.3, 0.0, 0.2, -0.6, 0.3, 0.8]][k];
        sim.build().set_body_velocity(id, &v).unwrap();
        id
    });
    let kind = line_type(&mut sim, of);
    let mut tie = |a: V3, b: V3, part: f64| {
        // A part of the distance between its ends.
        let length = part * distance(a, add([3.0, 0.5, -0.4], rotate(turned, b)));
        let ends = [hook(&mut sim, bodies[0], a), hook(&mut sim, bodies[1], b)];
        sim.elements().add_line(kind, ends[0], ends[1], length, N as i32).unwrap()
    };
    let lines = [tie([0.4, 0.3, 0.1], [-0.3, 0.2, 0.0], 0.99), tie([0.3, -0.4, 0.2], [0.2, -0.5, 0.3], 1.02)];
    sim.initialize(0.0).unwrap();
    (sim, bodies, lines)
}

#[test]
fn bodies_tied_by_lines_keep_momentum_and_energy() {
    for of in [Material { ba: 0.0, ..STRAP }, Material { ba: 0.0, ei: 40.0, ..STRAP }] {
        for scheme in ["rk4", "generalized-alpha"] {
            let mut columns = [Vec::new(), Vec::new(), Vec::new()];
            for steps in [1000, 2000, 4000] {
                let (mut sim, _, lines) = tethered(scheme, &of);
                sim.settings().set_option("rho_inf", 1.0).unwrap();
                let about = [0.5, 0.2, -0.3];
                let (before, (k, p)) = (sim.outputs().momentum(&about).unwrap(), sim.outputs().energy().unwrap());
                let mut most = 0.0f64;
                for _ in 0..steps {
                    sim.step(1.0 / steps as f64).unwrap();
                    most = most.max(tensions(&sim, lines[0], N)[0]);
                }
                assert!(most > 200.0, "it pulls: {most}");
                let (after, (kinetic, potential)) =
                    (sim.outputs().momentum(&about).unwrap(), sim.outputs().energy().unwrap());
                let h = 1.0 / steps as f64;
                columns[0].push((h, distance([after[3], after[4], after[5]], [before[3], before[4], before[5]])));
                // An end's half segment turns with its body: its momentum is not linear in the
                // body's, and schemes err by it.
                columns[2].push((h, distance([after[0], after[1], after[2]], [before[0], before[1], before[2]])));
                columns[1].push((h, (kinetic + potential - k - p).abs()));
            }
            for (what, table) in ["angular momentum", "energy", "linear momentum"].iter().zip(columns) {
                println!("{scheme}, EI {}, {what}: {table:?} {:?}", of.ei, orders(&table));
                // Segments begin and cease to pull: forces have kinks there, so orders are told
                // loosely.
                let fell = (table[0].1 / table[2].1).ln() / 4f64.ln();
                assert!(fell > 1.6 || table[2].1 < 1e-8, "{scheme}, {what}: {table:?}");
            }
        }
    }
}

/// Explicit and implicit schemes give the same motion: tests the arms of rotating bodies in
/// residual and tangents.
#[test]
fn implicit_steps_of_tied_bodies_approach_those_of_runge_kutta() {
    let end = |scheme: &str, steps: usize| {
        let (mut sim, bodies, lines) = tethered(scheme, &STRAP);
        (0..steps).for_each(|_| sim.step(0.6 / steps as f64).unwrap());
        let mean = sim.outputs().statistic("iterations").unwrap() / steps as f64;
        let mut all = nodes(&sim, lines[0], N);
        all.extend(nodes(&sim, lines[1], N));
        all.extend(bodies.map(|body| place(&sim.outputs().body_pose(body).unwrap())));
        (all, mean)
    };
    let (exact, _) = end("rk4", 4000);
    let table: Vec<_> = [300, 600, 1200]
        .map(|steps| {
            let (found, mean) = end("generalized-alpha", steps);
            // Tolerances of 1e-12: quadratic convergence needs four.
            assert!(mean < 5.0, "{mean} iterations");
            (0.6 / steps as f64, apart(&found, &exact))
        })
        .into();
    println!("{table:?} {:?}", orders(&table));
    // Segments begin and cease to pull within steps.
    assert!((table[0].1 / table[2].1).ln() / 4f64.ln() > 1.6, "{table:?}");
}

/// A body that hangs on one segment of a line without weight is the second link of a double
/// pendulum, a twisting one, and bounces; see any textbook: L phi'' + r theta'' + g phi = 0, J
/// theta'' + m r (L phi'' + r theta'') + m g r theta = 0.
#[test]
fn a_body_on_a_line_has_the_frequencies_of_a_double_pendulum() {
    let (m, j, l, r, g, ea) = (50.0, 8.0, 2.5, 0.7, 9.81, 1e6);
    let mut sim = system("generalized-alpha", &Sea { g, ..Sea::NONE });
    let stretched = l * (1.0 + m * g / ea);
    let inertia = [j, j, 3.0, 0.0, 0.0, 0.0];
    let body =
        sim.build().add_rigid_body(m, &[0.0; 3], &inertia, &pose([0.0, 0.0, -stretched - r], UNROTATED)).unwrap();
    let ends = [fixed(&mut sim, [0.0; 3]), hook(&mut sim, body, [0.0, 0.0, r])];
    line(&mut sim, &Material { w: 1e-7, ea, ba: 0.0, ..STRAP }, ends, l, 1);
    sim.initialize(0.0).unwrap();
    sim.solve_equilibrium(50, 1e-12).unwrap();
    let (modes, rest) = sim.analysis().modes().unwrap();
    assert!(rest.iter().all(|x| x.abs() < 1e-6), "{rest:?}");
    let mut found: Vec<f64> = modes.iter().map(|mode| (TAU * mode.frequency).powi(2)).collect();
    found.sort_by(f64::total_cmp);
    // det [g - w L', -w r; -w m r L', m g r - w (J + m r^2)] = 0 with w the square of a frequency.
    let long = stretched;
    let (a, b, c) = (long * j, -(g * (j + m * r * r) + long * m * g * r), m * g * g * r);
    let root = (b * b - 4.0 * a * c).sqrt();
    let (slow, fast) = ((-b - root) / (2.0 * a), (-b + root) / (2.0 * a));
    let bounce = ea / (l * m);
    let expected = [0.0, slow, slow, fast, fast, bounce];
    assert_eq!(found.len(), 6, "{found:?}");
    for (a, b) in found.iter().zip(expected) {
        // Rounding of the largest square, 8000/s^2, and the line's weight of 1e-6 N.
        assert!((a - b).abs() < 1e-7 * (b + 10.0), "{found:?} {expected:?}");
    }
}

/// Both ends on one place, and both on one body: half the weight hangs on each.
#[test]
fn a_loop_hangs_with_half_its_weight_on_each_end() {
    let g = 9.81;
    for n in [2, 3, 10, 41] {
        for on_body in [false, true] {
            let mut sim = system("generalized-alpha", &Sea { g, ..Sea::NONE });
            let ends = if on_body {
                let body =
                    sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
                sim.build().set_body_prescribed(body, true).unwrap();
                [hook(&mut sim, body, [0.3, 0.2, 0.1]), hook(&mut sim, body, [0.3, 0.2, 0.1])]
            } else {
                [fixed(&mut sim, [1.0, 2.0, 3.0]), fixed(&mut sim, [1.0, 2.0, 3.0])]
            };
            let id = line(&mut sim, &STRAP, ends, 8.0, n);
            sim.initialize(0.0).unwrap();
            let half = 0.5 * STRAP.w * 8.0 * g;
            for force in end_forces(&sim, id) {
                // Statics end at a residual of 1e-6 or so of the weight; the lowest node may hang
                // in the middle of a fold.
                assert_close(&format!("{n} {on_body}"), &[force[2]], &[-half], 1e-3 * half);
            }
            (0..20).for_each(|_| sim.step(0.05).unwrap());
            assert!(nodes(&sim, id, n).iter().flatten().all(|x| x.is_finite() && x.abs() < 12.0));
        }
    }
}

/// An end that leaves a tumbling body: momentum stays in the sum, and the end begins with what it
/// had.
#[test]
fn an_end_let_go_of_a_body_keeps_its_motion() {
    let (mut sim, bodies, lines) = tethered("rk4", &STRAP);
    (0..100).for_each(|_| sim.step(1e-3).unwrap());
    let about = [0.0; 3];
    let before = (nodes(&sim, lines[0], N), speeds(&sim, lines[0], N), sim.outputs().momentum(&about).unwrap());
    sim.inputs().release_line(lines[0], 1).unwrap();
    let after = (nodes(&sim, lines[0], N), speeds(&sim, lines[0], N), sim.outputs().momentum(&about).unwrap());
    assert_eq!(before.0, after.0);
    assert_eq!(before.1, after.1);
    assert_close("momentum", &after.2, &before.2, 1e-10);
    sim.step(1e-6).unwrap();
    assert_close("an instant later", &sim.outputs().momentum(&about).unwrap()[..3], &before.2[..3], 1e-9);
    let force = sim.lines().end_force(lines[0], 1).unwrap();
    (0..500).for_each(|_| sim.step(1e-3).unwrap());
    assert_close("half a second later", &sim.outputs().momentum(&about).unwrap()[..3], &before.2[..3], 1e-9);
    // The second point is where the end was attached.
    let left = distance(nodes(&sim, lines[0], N)[N], sim.points().position(1).unwrap());
    println!("{left} m from its hook, {force:?}");
    assert!(left > 0.1, "{left}: it is away");
    assert!(sim.outputs().body_velocity(bodies[1], Frame::Inertial).unwrap().iter().all(|x| x.is_finite()));
}
