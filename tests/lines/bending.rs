//! Equilibria of lines with bending stiffness that free points join, against the equations of each
//! node, beams in closed form, and long steps of the dynamics.

use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::{Error, Id, Simulation};

const G: f64 = 9.80665;
const DEPTH: f64 = 100.0;
const SEGMENT: f64 = 5.0;

/// A power cable of 45 kg/m, 13 kg/m in water, and a part of it with floats, 19 kg/m upwards.
const CABLE: Material =
    Material { d: 0.2, w: 45.0, ea: 5e7, ba: -0.5, ei: 0.0, cdn: 1.2, can: 1.0, cdt: 0.1, cat: 0.1 };
const FLOATS: Material = Material { d: 0.35, w: 80.0, ..CABLE };
const LENGTHS: [f64; 3] = [170.0, 100.0, 180.0];
const HANG_OFF: V3 = [0.0, 0.0, -1.0];
const ANCHOR: V3 = [300.0, 0.0, -DEPTH];

/// A lazy wave from a hang-off to an anchor on the bed, its joints where a guess puts them.
struct Cable {
    sim: Simulation,
    joints: [Id; 2],
    lines: [(Id, Material, usize); 3],
}

fn cable(ei: f64, guess: [V3; 2]) -> Cable {
    let mut sim = system("generalized-alpha", &Sea { g: G, ..Sea::water(DEPTH) });
    host_tolerances(&mut sim);
    let ends = [fixed(&mut sim, HANG_OFF), fixed(&mut sim, ANCHOR)];
    let joints = guess.map(|at| free(&mut sim, 0.0, at));
    let points = [ends[0], joints[0], joints[1], ends[1]];
    let lines = [0, 1, 2].map(|k| {
        let of = Material { ei, ..[CABLE, FLOATS, CABLE][k] };
        let n = (LENGTHS[k] / SEGMENT) as usize;
        (line(&mut sim, &of, [points[k], points[k + 1]], LENGTHS[k], n), of, n)
    });
    sim.initialize(0.0).unwrap();
    Cable { sim, joints, lines }
}

impl Cable {
    fn solved(mut self) -> (Cable, u32) {
        let steps = self.sim.solve_equilibrium(200, 1e-9).unwrap();
        (self, steps)
    }

    fn joints(&self) -> [V3; 2] {
        self.joints.map(|joint| self.sim.points().position(joint).unwrap())
    }

    fn nodes(&self) -> Vec<V3> {
        self.lines.iter().flat_map(|(line, _, n)| nodes(&self.sim, *line, *n)).collect()
    }
}

/// Joints on the straight connection of the ends, on the bed, at mid-depth.
fn guesses() -> [(&'static str, [V3; 2]); 3] {
    let part = |s: f64| add(HANG_OFF, scale(s / 450.0, sub(ANCHOR, HANG_OFF)));
    let at = |z: f64| [[110.0, 0.0, z], [180.0, 0.0, z]];
    [("straight", [part(170.0), part(270.0)]), ("on the bed", at(-DEPTH)), ("at mid-depth", at(-0.5 * DEPTH))]
}

/// The largest force out of balance on nodes and joints, from the formulas of docs/mooring.md; that
/// of bending by differences of its energy.
fn largest_force(cable: &Cable) -> f64 {
    let mut joints = [[0.0; 3]; 4];
    let mut worst = 0.0f64;
    for (k, (id, of, n)) in cable.lines.iter().enumerate() {
        let (x, l) = (nodes(&cable.sim, *id, *n), SEGMENT);
        let bending = |node: usize, at: V3| {
            let place = |i: usize| if i == node { at } else { x[i] };
            let energy = |i: usize| {
                let [a, b] = [i - 1, i].map(|i| unit_of(sub(place(i + 1), place(i))));
                // cos(theta/2)^2 = (1 + c)/2.
                4.0 * of.ei / l * (1.0 - (0.5 * (1.0 + dot(a, b))).sqrt())
            };
            (node.saturating_sub(1).max(1)..=(node + 1).min(n - 1)).map(energy).sum::<f64>()
        };
        for node in 0..=*n {
            let share = if node == 0 || node == *n { 0.5 * l } else { l };
            let mut force = [0.0, 0.0, (1025.0 * of.area() - of.w) * share * G];
            let depth = (-DEPTH - x[node][2]).max(0.0);
            let smooth = 0.1f64;
            let pressure = 3e6 * if depth < smooth { 0.5 * depth * depth / smooth } else { depth - 0.5 * smooth };
            force[2] += pressure * of.d * share;
            for other in [node.checked_sub(1), (node < *n).then_some(node + 1)].into_iter().flatten() {
                let chord = sub(x[other], x[node]);
                let tension = of.ea * (norm(chord) / l - 1.0).max(0.0);
                force = add(force, scale(tension, unit_of(chord)));
            }
            for axis in 0..3 {
                let h = 2e-5;
                let at = |way: f64| {
                    let mut at = x[node];
                    at[axis] += way * h;
                    bending(node, at)
                };
                force[axis] -= (at(1.0) - at(-1.0)) / (2.0 * h);
            }
            match node {
                0 => joints[k] = add(joints[k], force),
                _ if node == *n => joints[k + 1] = add(joints[k + 1], force),
                _ => worst = worst.max(norm(force)),
            }
        }
    }
    worst.max(norm(joints[1])).max(norm(joints[2]))
}

fn unit_of(x: V3) -> V3 {
    scale(1.0 / norm(x), x)
}

#[test]
fn a_lazy_wave_comes_to_rest_from_every_guess() {
    let without = cable(0.0, guesses()[0].1).solved().0;
    for ei in [1e2, 1e3, 1e4, 1e5] {
        let moved = ("from the chain", without.joints().map(|x| add(x, [4.0, 0.0, 3.0])));
        let mut first = None;
        for (name, guess) in guesses().into_iter().chain([moved]) {
            let (found, steps) = cable(ei, guess).solved();
            let (x, force) = (found.nodes(), largest_force(&found));
            println!("EI {ei:e} {name}: {steps} steps, {:?}, {force:.1e} N", found.joints());
            // Forces on joints are balanced to 1e-9 of the first ones or the heaviest line's
            // weight, 8e4 N, nodes to 3e-5 N of rounding, EA/l times that of 300 m. Differences of
            // the energy add its rounding, 1e-13 J over 4e-5 m, and h^2/6 of its third derivative,
            // EI/l^4: 1e-8 N; at a node bent by a right angle, some hundred times that.
            assert!(force < 3e-4, "EI {ei:e} {name}: {force:e} N");
            // These forces over the stiffness across, some 10 N/m.
            let expected = first.get_or_insert_with(|| x.clone());
            assert!(apart(&x, expected) < 3e-5, "EI {ei:e} {name}: {:e}", apart(&x, expected));
        }
    }
}

/// Long steps of a scheme that damps all that they do not resolve, from some metres away, end in
/// the equilibrium: the dynamics know nothing of its search.
#[test]
fn damped_steps_of_a_lazy_wave_end_in_its_equilibrium() {
    for ei in [1e3, 1e5] {
        let found = cable(ei, guesses()[2].1).solved().0;
        let mut moving = cable(ei, found.joints().map(|x| add(x, [3.0, 1.0, 2.0])));
        for (key, value) in [("rho_inf", 0.0), ("max_time_step", 1e3)] {
            moving.sim.settings().set_option(key, value).unwrap();
        }
        let before = apart(&moving.nodes(), &found.nodes());
        for (steps, h) in [(100, 0.2), (100, 2.0), (300, 20.0)] {
            (0..steps).for_each(|_| moving.sim.step(h).unwrap());
        }
        let after = apart(&moving.nodes(), &found.nodes());
        println!("EI {ei:e}: {before} m, then {after:e} m");
        assert!(before > 2.0 && after < 1e-4, "EI {ei:e}: {before} {after:e}");
    }
}

/// The equilibrium depends smoothly on EI: it approaches the chain's to first order.
#[test]
fn a_lazy_wave_without_bending_stiffness_is_the_limit() {
    let chain = cable(0.0, guesses()[2].1).solved().0;
    let errors = [400.0, 200.0, 100.0].map(|ei| {
        let found = cable(ei, guesses()[2].1).solved().0;
        (ei, apart(&found.nodes(), &chain.nodes()))
    });
    assert_order("EI", &errors, 1.0, 0.05);
}

/// A beam of weight q between hinges, one of which is a free point that a pull P and half the
/// weight act on: `d = 5 q L^4/(384 EI) (1/cosh u - 1 + u^2/2)/(5 u^4/24)`, `u = (L/2) sqrt(P/EI)`
/// (Timoshenko, Strength of Materials II, art. 5), from a chain's parabola to Euler's beam.
#[test]
fn short_thick_lines_are_beams_in_tension() {
    let (length, pull) = (6.0, 200.0);
    let of = Material { d: 0.5, w: 3e-3, ea: 1e9, ba: -0.5, ..CABLE };
    let q = of.w * G;
    for u in [0.3f64, 1.0, 3.0] {
        let ei = pull * (0.5 * length / u).powi(2);
        let exact =
            5.0 * q * length.powi(4) / (384.0 * ei) * (1.0 / u.cosh() - 1.0 + 0.5 * u * u) / (5.0 * u.powi(4) / 24.0);
        let errors: Vec<_> = [10, 20, 40]
            .into_iter()
            .map(|n| {
                let mut sim = system("generalized-alpha", &Sea { g: G, ..Sea::NONE });
                let ends = [fixed(&mut sim, [0.0; 3]), free(&mut sim, 0.0, [length - 0.4, 0.3, -0.8])];
                let id = line(&mut sim, &Material { ei, ..of }, ends, length, n);
                sim.inputs().set_point_load(ends[1], &[pull, 0.0, 0.5 * q * length]).unwrap();
                sim.initialize(0.0).unwrap();
                let steps = sim.solve_equilibrium(200, 1e-11).unwrap();
                let x = nodes(&sim, id, n);
                // The end is level with the other: their moments balance.
                let sag = 0.5 * (x[0][2] + x[n][2]) - x[n / 2][2];
                println!("u {u}, N {n}: {steps} steps, end at {:?}, {sag} m, exact {exact}", x[n]);
                (1.0 / n as f64, (sag / exact - 1.0).abs())
            })
            .collect();
        // Hinges of the chain are the midpoint rule; slopes of 0.02 leave 1e-4 of their square.
        assert_order(&format!("u {u}"), &errors, 2.0, 0.2);
    }
}

/// Four thick lines of 1.5 m that float on a rope of 60 m, all leaning from the anchor at a guess.
fn float(ei: f64, lean: f64, current: f64) -> (Simulation, Id) {
    let mut sim = system("generalized-alpha", &Sea { g: G, current: [current, 0.0, 0.0], ..Sea::water(DEPTH) });
    host_tolerances(&mut sim);
    let along = |s: f64| [s * lean.sin(), 0.0, s * lean.cos() - DEPTH];
    let mut last = fixed(&mut sim, along(0.0));
    for k in 0..5 {
        // Rope and lines are slack at the guess: half as long.
        let next = free(&mut sim, 0.0, along(30.0 + 1.4 * f64::from(k)));
        match k {
            0 => line(&mut sim, &ROPE, [last, next], 60.0, 20),
            _ => line(&mut sim, &Material { ei, ..THICK }, [last, next], 1.5, 5),
        };
        last = next;
    }
    sim.initialize(0.0).unwrap();
    (sim, last)
}

const ROPE: Material = Material { d: 0.1, w: 10.0, ea: 1e7, ..CABLE };
const THICK: Material = Material { d: 1.0, w: 200.0, ea: 1e8, ..CABLE };

#[test]
fn a_float_of_short_thick_lines_rises_over_its_anchor() {
    // Tension is linear in the height: the midpoint rule is exact.
    let up = |of: Material| (1025.0 * of.area() - of.w) * G;
    let [rope, thick] = [up(ROPE), up(THICK)];
    let stretch = (6.0 * thick * 60.0 + 0.5 * rope * 3600.0) / ROPE.ea + 0.5 * thick * 36.0 / THICK.ea;
    for ei in [1e2, 1e4, 1e6, 1e8] {
        for lean in [0.1, 0.8, 1.4] {
            let (mut sim, top) = float(ei, lean, 0.0);
            let steps = sim.solve_equilibrium(200, 1e-9).unwrap();
            let x = sim.points().position(top).unwrap();
            println!("EI {ei:e}, {lean} rad: {steps} steps, {x:?}");
            // 1e-9 of the largest force at the guess, 1e6 N, over the least stiffness, that of the
            // upper part of the pendulum, 5e3 N/m.
            assert_close("top", &x, &[0.0, 0.0, -DEPTH + 66.0 + stretch], 1e-6);
        }
    }
}

#[test]
fn a_float_leans_in_a_current_however_it_was_guessed() {
    for ei in [1e4, 1e6] {
        let rest: Vec<_> = [0.1, 0.8, 1.4]
            .into_iter()
            .map(|lean| {
                let (mut sim, top) = float(ei, lean, 0.8);
                let steps = sim.solve_equilibrium(200, 1e-9).unwrap();
                let x = sim.points().position(top).unwrap();
                println!("EI {ei:e}, {lean} rad: {steps} steps, {x:?}");
                (0..20).for_each(|_| sim.step(0.1).unwrap());
                assert_close("stays", &sim.points().position(top).unwrap(), &x, 1e-6);
                x
            })
            .collect();
        assert!(apart(&rest[1..], &[rest[0]; 2]) < 1e-6, "{rest:?}");
    }
}

/// A cable too stiff to lie as slack as it is: the search ends, and tells up to what stiffness one
/// was found, for which there is an equilibrium.
#[test]
fn a_lazy_wave_that_is_too_stiff_is_refused_with_the_limit() {
    let most = 100;
    let why = cable(1e8, guesses()[2].1).sim.solve_equilibrium(most, 1e-9).unwrap_err();
    println!("{why}");
    let Error::NoEquilibrium { iterations, cause, .. } = &why else { panic!("{why}") };
    // From the guess, without bending stiffness, and with parts of it.
    assert!(*iterations <= 2 * most as u32 + 1000, "{why}");
    let (_, told) = cause.split_once("with ").unwrap();
    let part: f64 = told.split_once(" of the bending stiffness").unwrap().0.parse().unwrap();
    let mut found = cable(part * 1e8, guesses()[2].1);
    // The first forces are those of a bent line, 1e6 N.
    found.sim.solve_equilibrium(200, 1e-12).unwrap();
    let force = largest_force(&found);
    println!("{force:.1e} N with {part} of it");
    assert!(force < 3e-4, "{force:e}");
}
