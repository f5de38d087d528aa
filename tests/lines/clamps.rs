//! Clamped ends of lines with bending stiffness: beams in closed form, and what bodies get of them.

use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::model::JointKind;
use pintle::{Frame, GROUND, Id, Simulation};
use std::f64::consts::TAU;

/// A slender beam that weighs nothing to speak of.
const BEAM: Material = Material { d: 0.1, w: 1e-9, ea: 1e7, ba: 0.0, ei: 1e6, cdn: 0.0, can: 0.0, cdt: 0.0, cat: 0.0 };
const G: f64 = 9.81;
const LENGTH: f64 = 10.0;

/// A pose of what holds an end: the ground, a fixed or a prescribed body.
#[derive(Clone, Copy)]
struct Place {
    at: V3,
    turn: Quat,
    on_body: bool,
    /// Of the tip of a beam, upwards.
    tip_speed: f64,
}

const HERE: Place = Place { at: [0.0; 3], turn: UNROTATED, on_body: false, tip_speed: 0.0 };

impl Place {
    fn of(&self, local: V3) -> V3 {
        add(self.at, rotate(self.turn, local))
    }

    /// A point that does not move at a local position, and what lines are clamped to there.
    fn holder(&self, sim: &mut Simulation, local: V3) -> (Id, Id) {
        if !self.on_body {
            return (fixed(sim, self.of(local)), GROUND);
        }
        // The body has axes of its own.
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.0; 6], &pose(self.at, self.turn)).unwrap();
        sim.build().set_body_prescribed(body, true).unwrap();
        let point = free(sim, 0.0, [0.0; 3]);
        sim.build().attach_point(point, body, &local).unwrap();
        (point, body)
    }

    /// Local axes in those of the holder.
    fn axis(&self, local: V3) -> V3 {
        if self.on_body { local } else { rotate(self.turn, local) }
    }
}

/// A beam along x of a place, clamped at x = 0 (its end `end`), with a mass at its tip.
fn cantilever(of: &Material, n: usize, mass: f64, end: usize, g: f64, here: Place) -> (Simulation, Id, Id) {
    let mut sim = system("generalized-alpha", &Sea { g, ..Sea::NONE });
    let (root, holder) = here.holder(&mut sim, [0.0; 3]);
    let tip = free(&mut sim, mass, here.of([LENGTH, 0.0, 0.0]));
    sim.build().set_point_velocity(tip, &[0.0, 0.0, here.tip_speed]).unwrap();
    let ends = if end == 0 { [root, tip] } else { [tip, root] };
    let beam = line(&mut sim, of, ends, LENGTH, n);
    // Of any length.
    sim.elements().clamp_line(beam, end as i32, holder, &here.axis([3.0, 0.0, 0.0])).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, beam, tip)
}

#[test]
fn cantilevers_sink_as_beams_of_hinges_do() {
    // Half a segment bends at the clamp: with joints of 2 EI/l there and EI/l between segments, a
    // force P at the tip lowers it by P L^3/(3 EI) (1 + 1/(2 N^2)), and a weight p per length, half
    // a segment of it at the tip, by p L^4/(8 EI) (1 + 1/N^2).
    for (n, end, here) in [
        (1, 0, HERE),
        (4, 0, HERE),
        (4, 1, HERE),
        (10, 1, Place { turn: quat_exp([0.0, 0.0, 2.0]), on_body: true, ..HERE }),
        (10, 0, Place { at: [1e6, -1e6, 1e6], on_body: true, ..HERE }),
        (10, 0, Place { at: [1e6, -1e6, 1e6], turn: quat_exp([0.0, 0.0, -1.0]), ..HERE }),
    ] {
        // Angles are below 2e-4, whose squares are neglected. Forces on each node are known to the
        // rounding of positions times stiffness; the least force is 1 N.
        let l = LENGTH / n as f64;
        let rounding = 8.0 * f64::EPSILON * (norm(here.at) + LENGTH) * (BEAM.ea / l + 16.0 * BEAM.ei / l.powi(3));
        let tolerance = 4e-8 + rounding * n as f64;
        let squared = (n * n) as f64;
        let (force, weight) = (1.0, 0.4);
        let of_force = force * LENGTH.powi(3) / (3.0 * BEAM.ei) * (1.0 + 0.5 / squared);
        let of_weight = weight * LENGTH.powi(4) / (8.0 * BEAM.ei) * (1.0 + 1.0 / squared);
        for (w, mass, expected) in
            [(BEAM.w, force / G, of_force), (weight / G, 0.0, of_weight), (weight / G, force / G, of_force + of_weight)]
        {
            let (mut sim, beam, tip) = cantilever(&Material { w, ..BEAM }, n, mass, end, G, here);
            sim.solve_equilibrium(100, 1e-13).unwrap();
            let sunk = here.at[2] - sim.points().position(tip).unwrap()[2];
            assert_close(&format!("sinking, N {n}, end {end}"), &[sunk / expected], &[1.0], tolerance);
            // The clamp carries the moments of all weights.
            let moment = sim.lines().end_moment(beam, end as i32).unwrap();
            let expected = scale(mass * G * LENGTH + 0.5 * w * G * LENGTH * LENGTH, rotate(here.turn, [0.0, 1.0, 0.0]));
            assert_close("moment", &moment, &expected, tolerance * norm(expected));
            assert_eq!(sim.lines().end_moment(beam, 1 - end as i32).unwrap(), [0.0; 3], "the other end is hinged");
        }
    }
}

#[test]
fn the_clamp_carries_the_moments_of_weights_at_any_bend() {
    // The tip hangs down by more than half of the length; moments balance about the clamp.
    let of = Material { w: 3.0, ei: 2e3, ea: 1e6, ..BEAM };
    for n in [1, 3, 12] {
        let (mut sim, beam, tip) = cantilever(&of, n, 5.0, 0, G, HERE);
        sim.solve_equilibrium(200, 1e-13).unwrap();
        let places = nodes(&sim, beam, n);
        assert!(sim.points().position(tip).unwrap()[2] < -0.5 * LENGTH, "{places:?}");
        let segment = of.w * LENGTH / n as f64;
        let weights = (0..=n).map(|k| match k {
            0 => 0.5 * segment,
            k if k == n => 0.5 * segment + 5.0,
            _ => segment,
        });
        let expected: f64 = weights.zip(&places).map(|(mass, place)| mass * G * place[0]).sum();
        let moment = sim.lines().end_moment(beam, 0).unwrap();
        // Forces are balanced to 1e-13 of the largest, about the whole weight.
        assert_close(&format!("moment, N {n}"), &moment, &[0.0, expected, 0.0], 1e-9 * expected);
        let force = sim.lines().end_force(beam, 0).unwrap();
        assert_close("force", &force, &[0.0, 0.0, -(of.w * LENGTH + 5.0) * G], 1e-9 * expected);
    }
}

#[test]
fn a_beam_between_clamps_along_an_arc_is_a_circle() {
    // A polygon with equal angles theta, half of that at its clamps, is in balance without forces:
    // its chords have the length l = 2 R sin(theta/2), and M = (2 EI/l) sin(theta/2) = EI/R
    // everywhere.
    let turn = quat_exp([0.7, -1.1, 0.4]);
    for (n, angle) in [(1, 0.5), (2, 1.0), (8, 2.0), (20, 3.0), (20, -1.0)] {
        let turned = Place { turn, on_body: true, ..HERE };
        let far = Place { at: [1e6, 2e6, -1e6], ..turned };
        // In metres, millimetres and kilometres: lengths and forces in units of length.
        for (here, unit) in [(HERE, 1.0f64), (turned, 1.0), (far, 1.0), (turned, 1e3), (HERE, 1e-3)] {
            let length = LENGTH * unit;
            let mut sim = system("generalized-alpha", &Sea { g: 0.0, ..Sea::NONE });
            let radius = length / n as f64 / (2.0 * (0.5 * angle / n as f64).sin());
            let on_circle = |angle: f64| [radius * angle.sin(), 0.0, radius * (1.0 - angle.cos())];
            let tangent = |angle: f64| [angle.cos(), 0.0, angle.sin()];
            let (a, b) = (here.holder(&mut sim, [0.0; 3]), here.holder(&mut sim, on_circle(angle)));
            let of = Material { ei: 500.0 * unit.powi(3), ea: 1e4 * unit, w: 1.0 / unit, d: BEAM.d * unit, ..BEAM };
            let beam = line(&mut sim, &of, [a.0, b.0], length, n);
            sim.elements().clamp_line(beam, 0, a.1, &here.axis(tangent(0.0))).unwrap();
            sim.elements().clamp_line(beam, 1, b.1, &here.axis(scale(-1.0, tangent(angle)))).unwrap();
            sim.initialize(0.0).unwrap();
            let far = norm(here.at);
            // Rest is a force below the rounding of that of a stretched segment, on the stiffness
            // of bending, which is 16 EI/l^3 between nodes and EI/L^3 as a whole.
            let l = length / n as f64;
            let noise = 64.0 * f64::EPSILON * (of.ea / l + 16.0 * of.ei / l.powi(3)) * (far + length);
            let place = 1e-9 * unit + noise * length.powi(3) / of.ei;
            for (k, node) in nodes(&sim, beam, n).iter().enumerate() {
                let expected = here.of(on_circle(angle * k as f64 / n as f64));
                assert_close(&format!("node {k} of {n}, angle {angle}, far {far}"), node, &expected, place);
            }
            let moment = rotate(here.turn, [0.0, of.ei / radius, 0.0]);
            let [at_a, at_b] = [0, 1].map(|end| sim.lines().end_moment(beam, end).unwrap());
            // Of the angle between an axis and a segment.
            let off = 2.0 * of.ei / l * 2.0 * place / l;
            assert_close("moment at A", &at_a, &scale(-1.0, moment), off);
            assert_close("moment at B", &at_b, &moment, off);
            // The energy of a bar bent to a circle is M^2 L/(2 EI); of the chain 4 EI/l (1 -
            // cos(theta/2)) for each of N - 1 nodes, and of each clamp half of that.
            let expected = 4.0 * of.ei / l * (1.0 - (0.5 * angle / n as f64).cos()) * n as f64;
            assert_close("energy", &[sim.outputs().energy().unwrap().1], &[expected], 1e-9 * expected + off);
        }
    }
}

/// Frequencies of bending, rising.
fn frequencies(sim: &Simulation) -> Vec<f64> {
    let (modes, _) = sim.analysis().modes().unwrap();
    let mut all: Vec<f64> = modes.iter().map(|mode| TAU * mode.frequency).collect();
    // Along, a beam without tension has no stiffness.
    all.retain(|frequency| *frequency > 1e-3);
    all.sort_by(f64::total_cmp);
    all
}

#[test]
fn clamped_beams_swing_as_those_of_bernoulli_do() {
    // The first roots of cos(x) cosh(x) = -1 (a free tip) and +1 (both ends clamped): x^2
    // sqrt(EI/w)/L^2 is the frequency. Each bends in two planes.
    let of = Material { ei: 2e3, w: 3.0, ea: 1e7, ..BEAM };
    let unit = (of.ei / of.w).sqrt() / LENGTH.powi(2);
    for (roots, both) in [
        ([1.875_104_068_711_961, 4.694_091_132_974_175], false),
        ([4.730_040_744_862_704, 7.853_204_624_095_838], true),
    ] {
        let errors = |n: usize| {
            let mut sim = system("generalized-alpha", &Sea { g: 0.0, ..Sea::NONE });
            let root = fixed(&mut sim, [0.0; 3]);
            let at = [LENGTH, 0.0, 0.0];
            let tip = if both { fixed(&mut sim, at) } else { free(&mut sim, 0.0, at) };
            let beam = line(&mut sim, &of, [root, tip], LENGTH, n);
            sim.elements().clamp_line(beam, 0, GROUND, &[1.0, 0.0, 0.0]).unwrap();
            if both {
                sim.elements().clamp_line(beam, 1, GROUND, &[-1.0, 0.0, 0.0]).unwrap();
            }
            sim.initialize(0.0).unwrap();
            let found = frequencies(&sim);
            [0, 1].map(|k| {
                let expected = f64::powi(roots[k], 2) * unit;
                assert!((found[2 * k] / found[2 * k + 1] - 1.0).abs() < 1e-6, "two planes: {found:?}");
                (found[2 * k] / expected - 1.0).abs()
            })
        };
        let [coarse, middle, fine]: [[f64; 2]; 3] = [8, 16, 32].map(errors);
        for k in 0..2 {
            let orders = [(coarse[k] / middle[k]).log2(), (middle[k] / fine[k]).log2()];
            assert!(
                orders.iter().all(|order| (order - 2.0).abs() < 0.2),
                "mode {k}, both ends {both}: orders {orders:?}"
            );
            // Second differences of a wave number k are short by (k l)^2/12 of it, their squares by
            // twice that; under what is spread along it, a chain is softer by 1/N^2 (first test).
            let short = ((roots[k] / 32.0).powi(2) / 6.0) + 1.0 / (32.0 * 32.0);
            assert!(fine[k] < short, "mode {k}, both ends {both}: {}", fine[k]);
        }
    }
}

#[test]
fn a_hinge_carries_force_and_moment_of_a_clamped_beam() {
    // A body on a hinge with a spring, a beam clamped to it aside: k phi = (r x F + M) . y.
    let mut sim = system("generalized-alpha", &Sea { g: G, ..Sea::NONE });
    let body = sim
        .build()
        .add_rigid_body(2.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([0.0; 3], UNROTATED))
        .unwrap();
    let hinge = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    let stiffness = 3e3;
    sim.build().set_joint_spring(hinge, stiffness, 0.0, 0.0).unwrap();
    let arm = [1.0, 0.0, 0.5];
    let root = free(&mut sim, 0.0, [0.0; 3]);
    sim.build().attach_point(root, body, &arm).unwrap();
    let tip = free(&mut sim, 4.0, [1.0 + LENGTH, 0.0, 0.5]);
    let of = Material { w: 2.0, ei: 4e3, ea: 1e6, ..BEAM };
    let beam = line(&mut sim, &of, [root, tip], LENGTH, 10);
    sim.elements().clamp_line(beam, 0, body, &[1.0, 0.0, 0.0]).unwrap();
    sim.initialize(0.0).unwrap();
    sim.solve_equilibrium(200, 1e-13).unwrap();
    let turn = turn(&sim.outputs().body_pose(body).unwrap());
    let (force, moment) = (sim.lines().end_force(beam, 0).unwrap(), sim.lines().end_moment(beam, 0).unwrap());
    let about_hinge = add(cross(rotate(turn, arm), force), moment)[1];
    let [angle, ..] = sim.outputs().joint_coordinate(hinge).unwrap();
    assert!(angle > 0.05, "{angle}");
    assert_close("balance of the hinge", &[stiffness * angle], &[about_hinge], 1e-9 * stiffness * angle);
}

/// A spinning body in space with a beam clamped to it aside, and a mass at its tip.
fn satellite(scheme: &str) -> (Simulation, Id) {
    let mut sim = system(scheme, &Sea { g: 0.0, ..Sea::NONE });
    let turn = quat_exp([0.2, -0.4, 0.3]);
    let body = sim
        .build()
        .add_rigid_body(6.0, &[0.1, 0.0, 0.2], &[2.0, 3.0, 4.0, 0.1, -0.2, 0.3], &pose([1.0, 2.0, 3.0], turn))
        .unwrap();
    sim.build().set_body_velocity(body, &[0.3, -0.1, 0.2, 0.4, 0.7, -0.5]).unwrap();
    let root = free(&mut sim, 0.0, [0.0; 3]);
    sim.build().attach_point(root, body, &[0.5, 0.2, -0.1]).unwrap();
    let axis = [0.6, 0.0, 0.8];
    let tip = free(&mut sim, 0.5, add([1.0, 2.0, 3.0], rotate(turn, add([0.5, 0.2, -0.1], scale(4.0, axis)))));
    let of = Material { w: 1.0, ei: 30.0, ea: 2e3, ..BEAM };
    let beam = line(&mut sim, &of, [root, tip], 4.0, 4);
    sim.elements().clamp_line(beam, 0, body, &axis).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, beam)
}

fn run(sim: &mut Simulation, steps: usize, h: f64) {
    for _ in 0..steps {
        sim.step(h).unwrap();
    }
}

#[test]
fn momenta_and_energy_of_a_body_with_a_clamped_beam_are_kept() {
    let (mut sim, beam) = satellite("rk4");
    let quantities = |sim: &Simulation| {
        let (kinetic, potential) = sim.outputs().energy().unwrap();
        (sim.outputs().momentum(&[0.0; 3]).unwrap(), kinetic + potential)
    };
    let before = quantities(&sim);
    let mut largest = 0.0f64;
    for _ in 0..40 {
        run(&mut sim, 200, 2.5e-4);
        largest = largest.max(norm(sim.lines().end_moment(beam, 0).unwrap()));
    }
    // It does bend: M = EI/R.
    assert!(largest > 3.0, "{largest}");
    let after = quantities(&sim);
    // The highest frequency, of a stretched segment, is about 130 rad/s: h w is 0.033, and
    // Runge-Kutta 4 loses (h w)^6/72 of the energy of its swing in a step, 1e-7 of it in 8000;
    // others less.
    assert_close("momentum", &after.0, &before.0, 1e-7 * norm(halves(before.0).1));
    assert_close("energy", &[after.1], &[before.1], 1e-7 * before.1);
}

#[test]
fn a_body_with_a_clamped_beam_moves_with_order_two() {
    let place = |scheme: &str, h: f64| {
        let (mut sim, beam) = satellite(scheme);
        run(&mut sim, (0.4 / h).round() as usize, h);
        let mut found: Vec<f64> = sim.outputs().body_pose(0).unwrap().to_vec();
        found.extend(nodes(&sim, beam, 4).as_flattened());
        found
    };
    let reference = place("rk4", 2e-4);
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht", "heun"] {
        let table: Vec<(f64, f64)> = [2e-3, 1e-3, 5e-4]
            .into_iter()
            .map(|h| {
                let found = place(scheme, h);
                (h, found.iter().zip(&reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max))
            })
            .collect();
        assert_order(scheme, &table, 2.0, 0.2);
    }
}

#[test]
fn every_scheme_moves_a_clamped_beam_alike() {
    let place = |scheme: &str, h: f64| {
        let (mut sim, beam) = satellite(scheme);
        run(&mut sim, (0.1 / h).round() as usize, h);
        let mut found: Vec<f64> = sim.outputs().body_pose(0).unwrap().to_vec();
        found.extend(nodes(&sim, beam, 4).as_flattened());
        found
    };
    let reference = place("rk4", 1e-3);
    // Bodies move by 0.1 m and segments are stretched by less than 0.01 m, at 130 rad/s: schemes of
    // first order err by half the step times the frequency of these, which is 7 % of that.
    for scheme in schemes() {
        let found = place(&scheme, 1e-3);
        let error = found.iter().zip(&reference).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(error < 2e-3, "{scheme}: {error}");
    }
}

#[test]
fn a_clamp_ends_with_the_tie_and_is_restored_with_it() {
    let (mut sim, beam) = satellite("generalized-alpha");
    run(&mut sim, 5, 0.01);
    let state = sim.save().unwrap().to_bytes();
    let bits = |sim: &mut Simulation| {
        run(sim, 5, 0.01);
        let moment = sim.lines().end_moment(beam, 0).unwrap();
        (sim.save().unwrap().to_bytes(), moment.map(f64::to_bits))
    };
    let straight = bits(&mut sim);
    sim.inputs().release_line(beam, 0).unwrap();
    assert_eq!(sim.lines().end_moment(beam, 0).unwrap(), [0.0; 3]);
    let velocity = sim.outputs().body_velocity(0, Frame::Inertial).unwrap();
    let momentum = sim.outputs().momentum(&[0.0; 3]).unwrap();
    run(&mut sim, 20, 0.01);
    // The body is free: its momentum is its own, and so is that of the line.
    assert_close("momentum", &sim.outputs().momentum(&[0.0; 3]).unwrap()[..3], &momentum[..3], 1e-9);
    assert!(velocity.iter().all(|v| v.is_finite()));
    let (mut fresh, _) = satellite("generalized-alpha");
    fresh.restore(&fresh.deserialize(&state).unwrap()).unwrap();
    assert_eq!(bits(&mut fresh), straight);
    // And into the one whose line broke off.
    sim.restore(&sim.deserialize(&state).unwrap()).unwrap();
    assert_eq!(bits(&mut sim), straight);
}

#[test]
fn clamps_want_a_body_that_holds_the_end() {
    let mut sim = system("generalized-alpha", &Sea::NONE);
    let body = sim
        .build()
        .add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([0.0; 3], UNROTATED))
        .unwrap();
    let (ground, tip, aside) =
        (fixed(&mut sim, [0.0; 3]), free(&mut sim, 1.0, [1.0, 0.0, 0.0]), free(&mut sim, 1.0, [0.0; 3]));
    let bends = line(&mut sim, &BEAM, [ground, tip], 1.0, 2);
    let limp = line(&mut sim, &Material { ei: 0.0, ..BEAM }, [ground, tip], 1.0, 2);
    let refused = |sim: &mut Simulation, line, end, body, axis: V3, words: &str| {
        let why = sim.elements().clamp_line(line, end, body, &axis).unwrap_err().to_string();
        assert!(why.contains(words), "{why}");
    };
    let along = [1.0, 0.0, 0.0];
    refused(&mut sim, bends, 1, GROUND, along, "point 1, at end B of line 0, is free");
    refused(&mut sim, bends, 0, body, along, "point 0, at end A of line 0, is not on a body");
    refused(&mut sim, limp, 0, GROUND, along, "line_type 1 has bending stiffness 0");
    refused(&mut sim, bends, 2, GROUND, along, "end: 2 is neither");
    refused(&mut sim, bends, 0, GROUND, [0.0; 3], "axis");
    refused(&mut sim, bends, 0, 7, along, "body = 7 is not a body");
    assert_eq!(sim.lines().clamp(bends, 0).unwrap(), None);
    sim.elements().clamp_line(bends, 0, GROUND, &[0.0, 0.0, -2.0]).unwrap();
    assert_eq!(sim.lines().clamp(bends, 0).unwrap(), Some((GROUND, [0.0, 0.0, -1.0])));
    // The end is moved to a body afterwards.
    sim.build().attach_point(aside, body, &[0.0; 3]).unwrap();
    let moved = line(&mut sim, &BEAM, [aside, tip], 1.0, 2);
    sim.elements().clamp_line(moved, 0, body, &along).unwrap();
    refused(&mut sim, moved, 0, GROUND, along, "point 2, at end A of line 2, is on body 0");
    sim.initialize(0.0).unwrap();
}

/// A beam along x, clamped at x = 0, in two lines that are joined at a free point without mass.
fn spliced(
    of: [Material; 2],
    segments: [usize; 2],
    mass: f64,
    reversed: bool,
    speed: f64,
) -> (Simulation, [Id; 2], Id) {
    let g = if speed == 0.0 { G } else { 0.0 };
    let mut sim = system("generalized-alpha", &Sea { g, ..Sea::NONE });
    let l = LENGTH / (segments[0] + segments[1]) as f64;
    let lengths = segments.map(|n| n as f64 * l);
    let root = fixed(&mut sim, [0.0; 3]);
    let middle = free(&mut sim, 0.0, [lengths[0], 0.0, 0.0]);
    let tip = free(&mut sim, mass, [LENGTH, 0.0, 0.0]);
    for (point, part) in [(middle, lengths[0] / LENGTH), (tip, 1.0)] {
        sim.build().set_point_velocity(point, &[0.0, 0.0, speed * part]).unwrap();
    }
    let first = line(&mut sim, &of[0], [root, middle], lengths[0], segments[0]);
    let ends = if reversed { [tip, middle] } else { [middle, tip] };
    let second = line(&mut sim, &of[1], ends, lengths[1], segments[1]);
    sim.elements().clamp_line(first, 0, GROUND, &[1.0, 0.0, 0.0]).unwrap();
    let end = i32::from(reversed);
    // In either order.
    match reversed {
        true => sim.elements().join_lines([second, first], [end, 1]).unwrap(),
        false => sim.elements().join_lines([first, second], [1, end]).unwrap(),
    }
    assert_eq!(sim.lines().joint(first, 1).unwrap(), Some((second, end)));
    sim.initialize(0.0).unwrap();
    (sim, [first, second], tip)
}

#[test]
fn a_spliced_beam_is_one_beam() {
    let of = Material { w: 3.0, ei: 2e3, ea: 1e5, ..BEAM };
    for (segments, reversed) in [([2, 6], false), ([5, 3], true)] {
        // Straight, and with a speed that rises along it: the same start for both.
        let (mut whole, beam, _) = cantilever(&of, 8, 2.0, 0, 0.0, Place { tip_speed: 3.0, ..HERE });
        let (mut parts, lines, _) = spliced([of, of], segments, 2.0, reversed, 3.0);
        let compare = |whole: &Simulation, parts: &Simulation, tolerance: f64| {
            let places = nodes(whole, beam, 8);
            let first = nodes(parts, lines[0], segments[0]);
            let mut second = nodes(parts, lines[1], segments[1]);
            if reversed {
                second.reverse();
            }
            assert!(apart(&first, &places[..=segments[0]]) < tolerance, "{}", apart(&first, &places[..=segments[0]]));
            assert!(apart(&second, &places[segments[0]..]) < tolerance, "{}", apart(&second, &places[segments[0]..]));
            let [one, other] = [whole, parts].map(|sim| sim.outputs().energy().unwrap());
            assert_close("energies", &[one.0, one.1], &[other.0, other.1], 1e3 * tolerance);
            let [one, other] =
                [(whole, beam), (parts, lines[0])].map(|(sim, line)| sim.lines().end_moment(line, 0).unwrap());
            assert_close("moment of the clamp", &one, &other, 1e4 * tolerance);
        };
        // 40 steps through large angles: iterations end below 1e-12 m.
        for _ in 0..40 {
            run(&mut whole, 1, 0.02);
            run(&mut parts, 1, 0.02);
            compare(&whole, &parts, 1e-9);
        }
        for sim in [&mut whole, &mut parts] {
            sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
            sim.solve_equilibrium(200, 1e-13).unwrap();
        }
        compare(&whole, &parts, 1e-9);
        let [one, other] = [frequencies(&whole), frequencies(&parts)];
        assert_close("frequencies", &one[..10], &other[..10], 1e-6 * one[9]);
        // The joint carries the moments of the weights behind it.
        let end = i32::from(reversed);
        let places = nodes(&parts, lines[1], segments[1]);
        let mut loads = vec![[0.0; 3]; segments[1] + 1];
        parts.lines().node_loads(lines[1], "weight", &mut loads).unwrap();
        loads[if reversed { 0 } else { segments[1] }][2] -= 2.0 * G;
        let at = places[if reversed { segments[1] } else { 0 }];
        let about = places.iter().zip(&loads).map(|(x, f)| cross(sub(*x, at), *f)).fold([0.0; 3], add);
        let on_first = parts.lines().end_moment(lines[1], end).unwrap();
        assert_close("moment of the joint", &on_first, &about, 1e-8 * norm(about));
        assert_close(
            "and back",
            &parts.lines().end_moment(lines[0], 1).unwrap(),
            &scale(-1.0, about),
            1e-8 * norm(about),
        );
        // Forces on nodes are in balance, those of the joint included.
        let (mut net, n) = (vec![[0.0; 3]; segments[1] + 1], segments[1]);
        parts.lines().node_loads(lines[1], "net", &mut net).unwrap();
        for force in &net[1..n] {
            assert!(norm(*force) < 1e-6, "{net:?}");
        }
    }
}

#[test]
fn a_splice_of_two_stiffnesses_bends_as_both_end_segments_do() {
    // Half a segment of each line bends at the joint: its stiffness is 2/(l/EI1 + l/EI2). A force
    // at the tip turns each joint by its moment over its stiffness.
    let (segments, stiffnesses) = ([4, 6], [1e6, 3e5]);
    let of = stiffnesses.map(|ei| Material { ei, ..BEAM });
    let (mut sim, _, tip) = spliced(of, segments, 1.0 / G, false, 0.0);
    sim.solve_equilibrium(100, 1e-13).unwrap();
    let l = LENGTH / 10.0;
    let [first, second] = stiffnesses;
    let joint = |k: usize| match k {
        0 => 2.0 * first / l,
        1..=3 => first / l,
        4 => 2.0 / (l / first + l / second),
        _ => second / l,
    };
    let sinking: f64 = (0..10).map(|k| (LENGTH - l * k as f64).powi(2) / joint(k)).sum();
    let sunk = -sim.points().position(tip).unwrap()[2];
    // Angles are below 2e-4; as in `cantilevers_sink_as_beams_of_hinges_do`.
    let rounding = 8.0 * f64::EPSILON * LENGTH * (BEAM.ea / l + 16.0 * first / l.powi(3));
    assert_close("sinking", &[sunk / sinking], &[1.0], 4e-8 + 10.0 * rounding);
}

/// A search that does not converge at once tries lines without bending stiffness, joined ones too.
#[test]
fn equilibria_of_joined_lines_may_be_sought_without_their_bending_stiffness() {
    let of = Material { w: 3.0, ei: 2e3, ea: 1e5, ..BEAM };
    for reversed in [false, true] {
        let (mut sim, ..) = spliced([of, of], [3, 5], 2.0, reversed, 0.0);
        let found = sim.solve_equilibrium(1, 1e-10);
        assert!(matches!(found, Ok(_) | Err(pintle::Error::NoEquilibrium { .. })), "{found:?}");
    }
}

#[test]
fn joints_want_two_lines_that_bend() {
    let mut sim = system("generalized-alpha", &Sea::NONE);
    let points = [0.0, 1.0, 2.0].map(|x| free(&mut sim, 1.0, [x, 0.0, 0.0]));
    let root = fixed(&mut sim, [-1.0, 0.0, 0.0]);
    let first = line(&mut sim, &BEAM, [root, points[0]], 1.0, 2);
    let second = line(&mut sim, &BEAM, [points[0], points[1]], 1.0, 2);
    let third = line(&mut sim, &BEAM, [points[1], points[2]], 1.0, 2);
    let short = line(&mut sim, &BEAM, [points[1], points[2]], 1.0, 1);
    let limp = line(&mut sim, &Material { ei: 0.0, ..BEAM }, [points[1], points[2]], 1.0, 2);
    let refused = |sim: &mut Simulation, lines, ends, words: &str| {
        let why = sim.elements().join_lines(lines, ends).unwrap_err().to_string();
        assert!(why.contains(words), "{why}");
    };
    refused(&mut sim, [second, third], [0, 0], "the ends are at point 0 and point 1: expected one point");
    refused(&mut sim, [second, second], [0, 0], "1 is line_a too");
    refused(&mut sim, [second, short], [1, 0], "line_b: end A of line 3 has one segment, which does not bend");
    refused(&mut sim, [limp, second], [0, 1], "line_a: end A of line 4 has no bending stiffness");
    refused(&mut sim, [second, third], [1, 2], "end_b");
    refused(&mut sim, [9, third], [1, 0], "line_a = 9");
    sim.elements().clamp_line(first, 0, GROUND, &[1.0, 0.0, 0.0]).unwrap();
    sim.elements().join_lines([first, second], [1, 0]).unwrap();
    refused(&mut sim, [second, first], [0, 1], "line_a: end A of line 1 is joined already");
    let why = sim.elements().clamp_line(first, 1, GROUND, &[1.0, 0.0, 0.0]).unwrap_err().to_string();
    assert!(why.contains("point 0, at end B of line 0, is free"), "{why}");
    refused(&mut sim, [first, second], [0, 1], "line_a: end A of line 0 is clamped");
}
