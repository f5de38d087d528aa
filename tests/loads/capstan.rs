//! Friction of ropes: over held drums (Euler, Eytelwein), over sheaves that turn with them, band
//! brakes, energy, restoring.

use crate::common::energy::{G, gains, system};
use crate::common::*;
use crate::tendons::check_elsewhere;
use pintle::{Frame, GROUND, Id, JointKind, Simulation, TendonSlip, Tendons, set_tendon_friction, set_tendon_sheave};
use std::f64::consts::PI;

const SCHEMES: [&str; 5] = ["generalized-alpha", "momentum-alpha", "hht", "newmark", "rk4"];

fn body(sim: &mut Simulation, mass: f64, x: V3) -> Id {
    let inertia = [0.4, 0.4, 0.4, 0.0, 0.0, 0.0].map(|x| x * mass);
    sim.build().add_rigid_body(mass, &[0.0; 3], &inertia, &pose(x, UNROTATED)).unwrap()
}

fn fall(sim: &Simulation, body: Id) -> f64 {
    -sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[2]
}

fn height(sim: &Simulation, body: Id) -> f64 {
    sim.outputs().body_pose(body).unwrap()[2]
}

/// Two masses on a rope over a drum of radius 0.5 on a body or the ground at a place, up on the left
/// and down on the right, which is stretched by the smaller weight.
fn over_drum(sim: &mut Simulation, drum: Id, at: V3, m: [f64; 2], ea: f64, friction: f64) -> ([Id; 2], Id) {
    let (y, r) = (8.0, 0.5);
    let masses = [0, 1].map(|k| body(sim, m[k], add(at, [[-r, r][k], 0.0, -y])));
    let rest = (2.0 * y + PI * r) / (1.0 + m[0].min(m[1]) * G / ea);
    let place = if drum == GROUND { at } else { [0.0; 3] };
    let tendon =
        sim.elements().add_tendon(&[masses[0], drum, masses[1]], &[[0.0; 3], place, [0.0; 3]], ea, 0.0, rest).unwrap();
    set_tendon_sheave(sim, tendon, 1, r, &[0.0, 1.0, 0.0], PI).unwrap();
    set_tendon_friction(sim, tendon, 1, friction).unwrap();
    (masses, tendon)
}

/// With F = exp(mu pi) the heavy mass falls with g (m1 - F m2)/(m1 + F m2) where this is above 0.
#[test]
fn a_rope_over_a_held_drum_slips_as_euler_and_eytelwein_say() {
    for scheme in SCHEMES {
        let (m, ea) = ([2.0, 1.0], 1e6);
        let mut sim = system(scheme, &[]);
        let (masses, tendon) = over_drum(&mut sim, GROUND, [0.0; 3], m, ea, 0.2);
        sim.initialize(0.0).unwrap();
        let (h, half) = if scheme == "rk4" { (2e-4, 2500) } else { (5e-3, 100) };
        (0..half).for_each(|_| sim.step(h).unwrap());
        let start = fall(&sim, masses[0]);
        (0..half).for_each(|_| sim.step(h).unwrap());
        let factor = (0.2 * PI).exp();
        let a = G * (m[0] - factor * m[1]) / (m[0] + factor * m[1]);
        let found = (fall(&sim, masses[0]) - start) / (h * f64::from(half));
        // Oscillations of the rope are not damped by rk4.
        let within = if scheme == "rk4" { 2e-2 } else { 1e-5 };
        assert_close(scheme, &[found], &[a], within * a);
        let TendonSlip { tensions: [before, after], limit, slips, dissipated: lost } =
            Tendons::of(&sim).slip(tendon, 1).unwrap();
        assert_close(scheme, &[limit], &[factor], 1e-13);
        if scheme != "rk4" {
            assert!(slips, "{scheme}");
            assert_close(scheme, &[before / after], &[factor], 1e-9);
            assert_close(scheme, &[after], &[m[1] * (G + a)], 1e-4 * G);
        }
        // (T1 - T2) over the way.
        let way = -8.0 - height(&sim, masses[0]);
        let expected = (factor - 1.0) * m[1] * (G + a) * way;
        assert_close(scheme, &[lost], &[expected], if scheme == "rk4" { 0.1 } else { 1e-3 } * expected);
    }
}

/// A rope that holds is let go by a smaller coefficient, and slips with the acceleration of that one;
/// the change belongs to the state.
#[test]
fn friction_of_a_rope_changes_between_steps() {
    for scheme in ["generalized-alpha", "momentum-alpha", "hht", "newmark"] {
        let (m, h) = ([2.0, 1.0], 5e-3);
        let new = || {
            let mut sim = system(scheme, &[]);
            let (masses, tendon) = over_drum(&mut sim, GROUND, [0.0; 3], m, 1e6, 0.4);
            sim.initialize(0.0).unwrap();
            (sim, masses, tendon)
        };
        let (mut sim, masses, tendon) = new();
        (0..200).for_each(|_| sim.step(h).unwrap());
        assert!(fall(&sim, masses[0]).abs() < 1e-6, "{scheme}: it holds");
        let early = sim.save().unwrap();
        set_tendon_friction(&mut sim, tendon, 1, 0.2).unwrap();
        assert_eq!(Tendons::of(&sim).friction(tendon, 1).unwrap(), 0.2);
        let late = sim.save().unwrap();
        let run = |sim: &mut Simulation| {
            (0..100).for_each(|_| sim.step(h).unwrap());
            let start = fall(sim, masses[0]);
            (0..100).for_each(|_| sim.step(h).unwrap());
            (fall(sim, masses[0]) - start) / (100.0 * h)
        };
        let found = run(&mut sim);
        let factor = (0.2 * PI).exp();
        let a = G * (m[0] - factor * m[1]) / (m[0] + factor * m[1]);
        assert_close(scheme, &[found], &[a], 1e-5 * a);
        let mut bytes = vec![0; late.serialized_len()];
        late.serialize_into(&mut bytes).unwrap();
        let (mut fresh, ..) = new();
        fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
        assert_eq!(run(&mut fresh), found, "{scheme}: from bytes in a fresh object");
        fresh.restore(&early).unwrap();
        assert_eq!(Tendons::of(&fresh).friction(tendon, 1).unwrap(), 0.4, "{scheme}");
        assert!(run(&mut fresh).abs() < 1e-6, "{scheme}: it holds again");
        for (point, coefficient) in [(1, 0.0), (1, -0.1), (1, f64::NAN), (0, 0.2)] {
            set_tendon_friction(&mut fresh, tendon, point, coefficient).unwrap_err();
        }
    }
}

#[test]
fn a_rope_over_a_drum_holds_below_the_limit_for_long() {
    for scheme in ["generalized-alpha", "momentum-alpha"] {
        let mut sim = system(scheme, &[]);
        let (masses, tendon) = over_drum(&mut sim, GROUND, [0.0; 3], [2.0, 1.0], 1e6, 0.4);
        sim.initialize(0.0).unwrap();
        (0..400).for_each(|_| sim.step(0.05).unwrap());
        let start = masses.map(|mass| height(&sim, mass));
        let lost = Tendons::of(&sim).slip(tendon, 1).unwrap().dissipated;
        (0..20_000).for_each(|_| sim.step(0.05).unwrap());
        assert_close(scheme, &masses.map(|mass| height(&sim, mass)), &start, 1e-12);
        let TendonSlip { tensions: [before, after], slips, dissipated: now, .. } =
            Tendons::of(&sim).slip(tendon, 1).unwrap();
        assert_close(scheme, &[before, after], &[2.0 * G, G], 1e-6 * G);
        assert!(!slips && now == lost, "{scheme}: {slips} {now} {lost}");
    }
}

/// Friction enough: the drum turns with the rope, a = (m1 - m2) g/(m1 + m2 + J/r^2), by more than
/// half a turn.
#[test]
fn a_rope_turns_a_sheave_with_inertia() {
    for (scheme, at) in [("generalized-alpha", [0.0; 3]), ("momentum-alpha", [0.0; 3]), ("newmark", [1e6, -2e6, 5e5])] {
        let (m, r, ea) = ([3.0, 2.0], 0.5, 1e6);
        let mut sim = system(scheme, &[]);
        let drum = body(&mut sim, 10.0, at);
        let hinge = sim.build().add_joint_at(JointKind::Revolute, GROUND, drum, &at, Some(&[0.0, 1.0, 0.0])).unwrap();
        let (masses, tendon) = over_drum(&mut sim, drum, at, m, ea, 0.6);
        sim.initialize(0.0).unwrap();
        let h = 5e-3;
        (0..100).for_each(|_| sim.step(h).unwrap());
        let start = [fall(&sim, masses[0]), fall(&sim, masses[1]), sim.outputs().joint_coordinate(hinge).unwrap()[1]];
        (0..600).for_each(|_| sim.step(h).unwrap());
        let [angle, rate, _] = sim.outputs().joint_coordinate(hinge).unwrap();
        let a = (m[0] - m[1]) * G / (m[0] + m[1] + 4.0 / (r * r));
        let gain = a * 3.0;
        let found = [fall(&sim, masses[0]) - start[0], start[1] - fall(&sim, masses[1]), r * (start[2] - rate)];
        // Strains are 3e-5: rope that moves over the drum changes its length by that.
        assert_close(scheme, &found, &[gain; 3], 2e-3 * gain);
        assert!(angle.abs() > PI, "{angle}");
        let TendonSlip { tensions: [before, after], slips, .. } = Tendons::of(&sim).slip(tendon, 1).unwrap();
        assert!(!slips);
        assert_close(scheme, &[before, after], &[m[0] * (G - a), m[1] * (G + a)], 2e-3 * G);
    }
}

/// A band over a drum that turns, with both ends held: the moment (T1 - T2) r with T1 = exp(mu w) T2
/// stops it; what it had is dissipated.
#[test]
fn a_band_brake_stops_a_drum() {
    let (r, ea, mu, y) = (0.5, 1e5, 0.3, 2.0);
    // The longest steps turn the drum by a radian, and do not resolve how the rope begins to slip.
    for (scheme, spin, h) in [("generalized-alpha", 20.0, 2e-3), ("hht", -20.0, 2e-3), ("momentum-alpha", 20.0, 0.05)] {
        let mut sim = system(scheme, &[]);
        let drum = body(&mut sim, 10.0, [0.0; 3]);
        sim.build().set_body_velocity(drum, &[0.0, 0.0, 0.0, 0.0, spin, 0.0]).unwrap();
        let hinge =
            sim.build().add_joint_at(JointKind::Revolute, GROUND, drum, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
        let length = 2.0 * y + PI * r;
        let rest = length / 1.001;
        let points = [[-r, 0.0, -y], [0.0; 3], [r, 0.0, -y]];
        let tendon = sim.elements().add_tendon(&[GROUND, drum, GROUND], &points, ea, 0.0, rest).unwrap();
        set_tendon_sheave(&mut sim, tendon, 1, r, &[0.0, 1.0, 0.0], PI).unwrap();
        set_tendon_friction(&mut sim, tendon, 1, mu).unwrap();
        sim.initialize(0.0).unwrap();
        // Halves of one length: 1/(1 + x) + 1/(1 + F x) = 2 rest/length.
        let factor = (mu * PI).exp();
        let excess = |x: f64| 1.0 / (1.0 + x) + 1.0 / (1.0 + factor * x) - 2.0 * rest / length;
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            if excess(middle) > 0.0 { low = middle } else { high = middle }
        }
        let [slack, tight] = [ea * low, ea * low * factor];
        let slowing = (tight - slack) * r / 4.0;
        let steps = |time: f64| 0..(time / h).round() as usize;
        steps(0.2).for_each(|_| sim.step(h).unwrap());
        let start = sim.outputs().joint_coordinate(hinge).unwrap()[1];
        steps(0.4).for_each(|_| sim.step(h).unwrap());
        let rate = sim.outputs().joint_coordinate(hinge).unwrap()[1];
        assert_close(scheme, &[start.abs() - rate.abs()], &[0.4 * slowing], 1e-6 * slowing);
        let TendonSlip { tensions: [before, after], slips, .. } = Tendons::of(&sim).slip(tendon, 1).unwrap();
        let expected = if spin > 0.0 { [tight, slack] } else { [slack, tight] };
        assert_close(scheme, &[before, after], &expected, 1e-7 * tight);
        assert!(slips);
        // Until it rests, with the rope twisted.
        steps(40.0).for_each(|_| sim.step(h).unwrap());
        let [_, rate, _] = sim.outputs().joint_coordinate(hinge).unwrap();
        assert!(rate.abs() < 1e-3, "{scheme}: {rate}");
        let lost = Tendons::of(&sim).slip(tendon, 1).unwrap().dissipated;
        let had = 0.5 * 4.0 * spin * spin;
        assert_close(scheme, &[lost], &[had], 2e-2 * had);
    }
}

/// A load on a rope with friction on both sides of its block, which falls into the slack rope.
#[test]
fn no_energy_comes_out_of_friction_at_any_step() {
    for (scheme, options) in [
        ("generalized-alpha", &[("rho_inf", 0.0)][..]),
        ("generalized-alpha", &[("rho_inf", 1.0)]),
        ("momentum-alpha", &[]),
        ("hht", &[]),
        ("newmark", &[("newmark_gamma", 0.6), ("newmark_beta", 0.3025)]),
    ] {
        for wh in [0.1, 1.0, 10.0] {
            for h in [1e-2, 0.1] {
                for friction in [0.05, 0.4] {
                    let case = format!("{scheme} {options:?} w h {wh} h {h} friction {friction}");
                    let mut sim = system(scheme, options);
                    let (mass, l, w) = (100.0, 5.6, wh / h);
                    let ea = 0.25 * w * w * mass * l;
                    let load = body(&mut sim, mass, [0.0, 0.0, -2.0]);
                    let (at, z) = ([0.0, 0.0, -2.0], [0.0, 0.0, 1.0]);
                    sim.build().add_joint_at(JointKind::Cylindrical, GROUND, load, &at, Some(&z)).unwrap();
                    let points = [[-0.5, 0.0, 0.0], [-0.2, 0.0, 0.0], [0.2, 0.0, 0.1], [0.7, 0.0, 0.0]];
                    let bodies = [GROUND, load, load, GROUND];
                    let tendon = sim.elements().add_tendon(&bodies, &points, ea, 0.0, l).unwrap();
                    set_tendon_sheave(&mut sim, tendon, 1, 0.1, &[0.0, -1.0, 0.0], 0.5 * PI).unwrap();
                    (1..3).for_each(|point| set_tendon_friction(&mut sim, tendon, point, friction).unwrap());
                    sim.initialize(0.0).unwrap();
                    let [largest, _] = gains(&mut sim, h, 300, mass * G * 0.5, &case);
                    assert!(largest < 1e-9, "{case}: {largest:e}");
                }
            }
        }
    }
}

/// Three eyes with friction turn the rope by half a turn together.
#[test]
fn factors_of_several_eyes_multiply() {
    let (m, mu, ea) = ([2.0, 1.0], 0.2, 1e6);
    let mut sim = system("generalized-alpha", &[]);
    let masses = [0, 1].map(|k| body(&mut sim, m[k], [[-1.0, 1.0][k], 0.0, -8.0]));
    let points = [[0.0; 3], [-1.0, 0.0, 0.0], [0.0, 0.0, 0.5], [1.0, 0.0, 0.0], [0.0; 3]];
    let bodies = [masses[0], GROUND, GROUND, GROUND, masses[1]];
    let rest = 16.0 + 2.0 * f64::hypot(1.0, 0.5) - 1e-4;
    let tendon = sim.elements().add_tendon(&bodies, &points, ea, 0.0, rest).unwrap();
    (1..4).for_each(|point| set_tendon_friction(&mut sim, tendon, point, mu).unwrap());
    sim.initialize(0.0).unwrap();
    (0..200).for_each(|_| sim.step(5e-3).unwrap());
    let start = fall(&sim, masses[0]);
    (0..100).for_each(|_| sim.step(5e-3).unwrap());
    let factor = (mu * PI).exp();
    let a = G * (m[0] - factor * m[1]) / (m[0] + factor * m[1]);
    assert_close("acceleration", &[(fall(&sim, masses[0]) - start) / 0.5], &[a], 1e-5 * a);
    let at = [1, 3].map(|point| Tendons::of(&sim).slip(tendon, point).unwrap());
    assert_close("tensions", &[at[0].tensions[0] / at[1].tensions[1]], &[factor], 1e-8);
}

#[test]
fn runs_with_friction_go_on_alike_after_restoring_and_trials() {
    let build = || {
        let mut sim = system("generalized-alpha", &[]);
        let drum = body(&mut sim, 10.0, [0.0; 3]);
        let hinge =
            sim.build().add_joint_at(JointKind::Revolute, GROUND, drum, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
        let (masses, tendon) = over_drum(&mut sim, drum, [0.0; 3], [4.0, 1.0], 1e5, 0.15);
        sim.elements().add_spring(GROUND, &[-2.0, 1.0, -8.0], masses[0], &[0.0; 3], 20.0, 1.0, 2.0, false).unwrap();
        let marker = sim.build().add_marker(masses[1], &pose([0.0, 0.1, 0.0], UNROTATED)).unwrap();
        sim.inputs().set_marker_load(marker, Frame::Body, &[0.3, 0.1, 0.2, 0.0, 0.0, 0.05]).unwrap();
        sim.initialize(0.0).unwrap();
        (sim, hinge, masses[0], tendon)
    };
    let follow = |sim: &mut Simulation, (hinge, mass, tendon): (Id, Id, Id)| {
        let mut seen = Vec::new();
        for n in 0..40 {
            sim.step(if n % 2 == 0 { 0.01 } else { 0.004 }).unwrap();
            let TendonSlip { tensions: [before, after], dissipated: lost, .. } =
                Tendons::of(sim).slip(tendon, 1).unwrap();
            seen.extend(sim.outputs().joint_coordinate(hinge).unwrap());
            seen.extend([height(sim, mass), before, after, lost]);
        }
        seen
    };
    let (mut sim, hinge, mass, tendon) = build();
    (0..37).for_each(|_| sim.step(0.01).unwrap());
    let (bytes, mut copy) = (sim.save().unwrap().to_bytes(), sim.clone());
    let expected = follow(&mut sim, (hinge, mass, tendon));
    let (mut fresh, ..) = build();
    let state = fresh.deserialize(&bytes).unwrap();
    fresh.restore(&state).unwrap();
    assert_eq!(follow(&mut fresh, (hinge, mass, tendon)), expected, "from bytes");
    for h in [0.01, 0.02, 0.003] {
        copy.advance(h).unwrap();
        copy.reject().unwrap();
    }
    assert_eq!(follow(&mut copy, (hinge, mass, tendon)), expected, "after trials");
}

/// A load that swings moves the middle of the wrap to and fro, and does not pull rope over.
#[test]
fn rope_that_holds_a_swinging_load_does_not_creep() {
    let (m, r, ea) = (1.0, 0.5, 1e4);
    let mut sim = system("generalized-alpha", &[("rho_inf", 1.0)]);
    let load = body(&mut sim, m, [r, 0.0, -4.0]);
    sim.build().set_body_velocity(load, &[1.5, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    let rest = (10.0 + PI * r) / (1.0 + 0.5 * m * G / ea);
    let points = [[-r, 0.0, -6.0], [0.0; 3], [0.0; 3]];
    let tendon = sim.elements().add_tendon(&[GROUND, GROUND, load], &points, ea, 0.0, rest).unwrap();
    set_tendon_sheave(&mut sim, tendon, 1, r, &[0.0, 1.0, 0.0], PI).unwrap();
    set_tendon_friction(&mut sim, tendon, 1, 0.6).unwrap();
    sim.initialize(0.0).unwrap();
    // The mean of the extremes on the other side, over a time of two swings.
    let mut middle = || {
        let (mut low, mut high) = (f64::MAX, 0.0f64);
        for _ in 0..800 {
            sim.step(0.01).unwrap();
            let slip = Tendons::of(&sim).slip(tendon, 1).unwrap();
            assert!(!slip.slips && slip.dissipated == 0.0, "{slip:?}");
            (low, high) = (low.min(slip.tensions[0]), high.max(slip.tensions[0]));
        }
        assert!(high > 1.005 * low, "{low} {high}");
        0.5 * (low + high)
    };
    let start = middle();
    let end = (0..6).map(|_| middle()).last().unwrap();
    assert_close("tension", &[end], &[start], 1e-5 * start);
}

/// A winch pulls a load over a held drum at a constant rate: its rope carries exp(mu w) of the weight,
/// and rope that comes over is stretched less.
#[test]
fn a_winch_hauls_a_load_over_a_held_drum() {
    for scheme in ["generalized-alpha", "hht"] {
        let (m, r, ea, mu, rate, h) = (1.0, 0.5, 1e4, 0.25, -0.5, 0.02);
        let mut sim = system(scheme, &[]);
        let load = body(&mut sim, m, [r, 0.0, -8.0]);
        let rest = (10.0 + PI * r) / (1.0 + m * G / ea);
        let points = [[-r, 0.0, -2.0], [0.0; 3], [0.0; 3]];
        let tendon = sim.elements().add_tendon(&[GROUND, GROUND, load], &points, ea, 0.0, rest).unwrap();
        set_tendon_sheave(&mut sim, tendon, 1, r, &[0.0, 1.0, 0.0], PI).unwrap();
        set_tendon_friction(&mut sim, tendon, 1, mu).unwrap();
        sim.initialize(0.0).unwrap();
        let mut l = rest;
        let mut wind = |sim: &mut Simulation, steps: usize| {
            for _ in 0..steps {
                l += rate * h;
                sim.inputs().set_tendon_length(tendon, l, rate).unwrap();
                sim.step(h).unwrap();
            }
        };
        wind(&mut sim, 250);
        let start = (height(&sim, load), Tendons::of(&sim).slip(tendon, 1).unwrap().dissipated);
        wind(&mut sim, 50);
        let slip = Tendons::of(&sim).slip(tendon, 1).unwrap();
        let (low, high) = (m * G, m * G * (mu * PI).exp());
        assert_close(scheme, &slip.tensions, &[high, low], 1e-6 * high);
        let way = -rate * h * 50.0;
        assert_close(scheme, &[height(&sim, load) - start.0], &[way * (1.0 + low / ea)], 1e-7 * way);
        let chi = |tension: f64| tension + 0.5 * tension * tension / ea;
        let lost = way * (chi(high) - chi(low));
        assert_close(scheme, &[slip.dissipated - start.1], &[lost], 1e-6 * lost);
    }
}

/// Rope that holds is fixed at the drum: its part alone swings, and the other one keeps its tension.
/// In equilibrium no more of it has slipped than needed.
#[test]
fn equilibrium_modes_and_stable_steps_are_those_of_rope_that_holds() {
    let (m, r, ea, w) = (2.0, 0.5, 1e4, PI);
    for mu in [0.1, 0.4] {
        let mut sim = system("generalized-alpha", &[]);
        let load = body(&mut sim, m, [r, 0.0, -1.0]);
        let joint =
            sim.build().add_joint_at(JointKind::Prismatic, GROUND, load, &[r, 0.0, -1.0], Some(&[0.0, 0.0, 1.0]));
        joint.unwrap();
        // Half of the weight at first.
        let length = 31.0 + w * r;
        let part = 1.0 / (1.0 + 0.5 * m * G / ea);
        let points = [[-r, 0.0, -30.0], [0.0; 3], [0.0; 3]];
        let tendon = sim.elements().add_tendon(&[GROUND, GROUND, load], &points, ea, 0.0, length * part).unwrap();
        set_tendon_sheave(&mut sim, tendon, 1, r, &[0.0, 1.0, 0.0], w).unwrap();
        set_tendon_friction(&mut sim, tendon, 1, mu).unwrap();
        sim.initialize(0.0).unwrap();
        let before = Tendons::of(&sim).slip(tendon, 1).unwrap();
        assert_close("one tension", &before.tensions, &[0.5 * m * G; 2], 1e-9 * m * G);
        sim.solve_equilibrium(200, 1e-10).unwrap();
        let slip = Tendons::of(&sim).slip(tendon, 1).unwrap();
        let held = f64::max(0.5, (-mu * w).exp()) * m * G;
        assert_close("at rest", &slip.tensions, &[held, m * G], 1e-7 * m * G);
        assert_eq!(slip.slips, mu < 0.2, "{mu}");
        // w^2 = EA/(l m) of the rope behind the middle of the wrap.
        let behind = 0.5 * w * r - height(&sim, load);
        let frequency = (ea * (1.0 + m * G / ea) / (behind * m)).sqrt();
        let (modes, _) = sim.analysis().modes().unwrap();
        assert_eq!(modes.len(), 1);
        assert_close("frequency", &[modes[0].frequency * 2.0 * PI], &[frequency], 1e-7 * frequency);
        let start = height(&sim, load);
        (0..100).for_each(|_| sim.step(0.05).unwrap());
        assert_close("stays", &[height(&sim, load)], &[start], 1e-9);
        sim.settings().set_scheme("rk4").unwrap();
        let stable = sim.outputs().statistic("stable_step").unwrap();
        assert_close("stable step", &[stable], &[8f64.sqrt() / frequency], 0.02 / frequency);
        (0..200).for_each(|_| sim.step(0.5 * stable).unwrap());
        assert_close("stays, rk4", &[height(&sim, load)], &[start], 1e-7);
    }
}

/// A drum that a load turns and that slips, in other places, directions and units.
#[test]
fn places_turns_and_units_make_no_difference_to_friction() {
    let run = |at: V3, turned: Quat, unit: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&rotate(turned, [0.0, 0.0, -G * unit])).unwrap();
        let (r, y) = (0.5 * unit, 8.0 * unit);
        let there = |x: V3| add(at, rotate(turned, x));
        let inertia = [0.4, 0.4, 0.4, 0.0, 0.0, 0.0].map(|x| x * unit * unit);
        let mut body = |m: f64, x: V3| {
            let inertia = inertia.map(|x| x * m);
            sim.build().add_rigid_body(m, &[0.0; 3], &inertia, &pose(there(x), turned)).unwrap()
        };
        let (drum, masses) = (body(10.0, [0.0; 3]), [body(4.0, [-r, 0.0, -y]), body(1.0, [r, 0.0, -y])]);
        let axis = rotate(turned, [0.0, 1.0, 0.0]);
        sim.build().add_joint_at(JointKind::Revolute, GROUND, drum, &at, Some(&axis)).unwrap();
        let (ea, bodies) = (1e5 * unit, [masses[0], drum, masses[1]]);
        let rest = (2.0 * y + PI * r) / (1.0 + G * unit / ea);
        let tendon = sim.elements().add_tendon(&bodies, &[[0.0; 3]; 3], ea, 0.0, rest).unwrap();
        set_tendon_sheave(&mut sim, tendon, 1, r, &[0.0, 1.0, 0.0], PI).unwrap();
        set_tendon_friction(&mut sim, tendon, 1, 0.15).unwrap();
        sim.initialize(0.0).unwrap();
        (0..100).for_each(|_| sim.step(0.01).unwrap());
        let slip = Tendons::of(&sim).slip(tendon, 1).unwrap();
        assert!(slip.slips);
        let x = unrotate(turned, scale(1.0 / unit, sub(place(&sim.outputs().body_pose(masses[0]).unwrap()), at)));
        let [before, after] = slip.tensions.map(|tension| tension / unit / 1e3);
        [x[0], x[1], x[2], before, after, slip.dissipated / unit / unit / 1e3]
    };
    check_elsewhere(run);
}

#[test]
fn frictions_are_refused_with_dampers_and_at_ends() {
    let mut sim = system("generalized-alpha", &[]);
    let load = body(&mut sim, 1.0, [0.0, 0.0, -1.0]);
    let tendon = sim.elements().add_tendon(&[GROUND, load, GROUND], &[[0.0; 3]; 3], 1e3, 1.0, 2.0).unwrap();
    let told = |result: pintle::Result<()>| result.unwrap_err().to_string();
    let error = told(set_tendon_friction(&mut sim, tendon, 1, 0.2));
    assert!(error.contains("coefficient") && error.contains("0.2: tendon 0 has a damper"), "{error}");
    let error = told(set_tendon_friction(&mut sim, tendon, 2, 0.2));
    assert!(error.contains("2: the inner points of tendon 0 are 1 to 1"), "{error}");
    let error = told(set_tendon_friction(&mut sim, tendon, 1, -0.2));
    assert!(error.contains("-0.2 is negative"), "{error}");
    set_tendon_friction(&mut sim, tendon, 1, 0.0).unwrap();
    sim.initialize(0.0).unwrap();
    assert!(told(set_tendon_friction(&mut sim, tendon, 1, 0.0)).contains("phase"), "phase");
}
