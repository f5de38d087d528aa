//! Beams: published statics, frequencies and spin-up, closed forms, orders of convergence,
//! conservation, invariance, bad input.

use crate::common::*;
use pintle::simulation::{Beams, read_model};
use pintle::{EntityKind, Error, Frame, GROUND, Id, JointKind, Simulation};
use std::f64::consts::{PI, TAU};
use std::path::Path;

/// A straight beam of one section along x from the origin.
#[derive(Clone, Copy)]
pub struct Straight {
    pub length: f64,
    /// EA, GA2, GA3, GJ, EI2, EI3.
    pub stiffness: [f64; 6],
    /// Mass per length, and moments of inertia per length.
    pub mass: [f64; 4],
    pub damping: f64,
    pub lumped: bool,
}

/// The blade of Kane, Ryan and Banerjee (1987, J. Guidance 10), which Simo and Vu-Quoc (1986) spin
/// up.
const BLADE: Straight = Straight {
    length: 10.0,
    stiffness: [2.8e7, 1e7, 1e7, 1.4e4, 1.4e4, 1.4e4],
    mass: [1.2, 6e-4, 6e-4, 6e-4],
    damping: 0.0,
    lumped: false,
};

impl Straight {
    /// Adds it with so many elements, its root a part of `root` if there is one; the bodies of its
    /// nodes.
    pub fn add(&self, sim: &mut Simulation, elements: i32, root: Option<Id>) -> Vec<Id> {
        let ends = [&[0.0; 3], &[self.length, 0.0, 0.0]];
        let Straight { stiffness, mass, damping, .. } = self;
        let beam = sim.elements().add_uniform_beam(ends, &[0.0, 1.0, 0.0], stiffness, mass, &[*damping; 6]).unwrap();
        sim.elements().lump_beam(beam, self.lumped).unwrap();
        if let Some(root) = root {
            sim.elements().attach_beam(beam, 0, root).unwrap();
        }
        sim.elements().mesh_beam(beam, elements).unwrap();
        nodes(sim, beam, elements)
    }
}

pub const SCHEMES: [&str; 23] = [
    "generalized-alpha",
    "momentum-alpha",
    "newmark",
    "hht",
    "euler",
    "leuler",
    "heun",
    "rk2",
    "rk3",
    "rk4",
    "ab2",
    "ab3",
    "ab4",
    "ab5",
    "lab2",
    "lab3",
    "lab4",
    "lab5",
    "beuler5",
    "midpoint5",
    "anderson5",
    "aca5",
    "wilson5",
];

fn nodes(sim: &Simulation, beam: Id, elements: i32) -> Vec<Id> {
    (0..=elements).map(|node| Beams::of(sim).body(beam, node).unwrap()).collect()
}

/// Without gravity.
pub fn still() -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0; 3]).unwrap();
    sim
}

pub fn at(sim: &Simulation, body: Id) -> V3 {
    place(&sim.outputs().body_pose(body).unwrap())
}

/// The equilibrium under a load on one body, which the library alone brings on.
pub fn settle(sim: &mut Simulation, body: Id, load: [f64; 6]) {
    sim.inputs().set_body_load(body, Frame::Inertial, &load).unwrap();
    sim.initialize(0.0).unwrap();
    sim.solve_equilibrium(500, 1e-10).unwrap();
}

/// Stations at (s, pose), one section, clamped at the first; displacement of the last node under a
/// force.
pub fn deflection(stations: &[(f64, [f64; 7])], stiffness: &[f64; 36], elements: i32, force: V3) -> V3 {
    let mut sim = still();
    let beam = sim.elements().add_beam(&[0.0; 6]).unwrap();
    let mass = diagonal([1.0, 1.0, 1.0, 0.2, 0.1, 0.1]);
    for (s, pose) in stations {
        sim.elements().add_beam_station(beam, *s, pose, stiffness, &mass).unwrap();
    }
    sim.elements().attach_beam(beam, 0, GROUND).unwrap();
    sim.elements().mesh_beam(beam, elements).unwrap();
    let tip = *nodes(&sim, beam, elements).last().unwrap();
    settle(&mut sim, tip, join(force, [0.0; 3]));
    sub(at(&sim, tip), place(&stations.last().unwrap().1))
}

/// M = 2 pi EI/L bends a cantilever to a closed circle (Simo, Vu-Quoc 1986), with elements of
/// constant strain exactly; places on the way are on the circle, and axes turn evenly.
#[test]
fn a_moment_rolls_a_cantilever_up_to_a_circle() {
    let (length, ei) = (10.0, 500.0);
    for elements in [4, 8] {
        let beam = Straight {
            length,
            stiffness: [1e4, 1e4, 1e4, ei, ei, ei],
            mass: [1.0, 0.2, 0.1, 0.1],
            damping: 0.0,
            lumped: false,
        };
        let mut sim = still();
        let nodes = beam.add(&mut sim, elements, Some(GROUND));
        settle(&mut sim, nodes[elements as usize], [0.0, 0.0, 0.0, 0.0, 0.0, TAU * ei / length]);
        // The iteration ends where the last increment is 1e-10 of the model's length.
        assert!(norm(at(&sim, nodes[elements as usize])) < 1e-9 * length, "{elements}");
        let radius = length / TAU;
        for (k, node) in nodes.iter().enumerate().skip(1) {
            let angle = TAU * k as f64 / f64::from(elements);
            let on_circle = [radius * angle.sin(), radius * (1.0 - angle.cos()), 0.0];
            assert!(distance(at(&sim, *node), on_circle) < 1e-9 * length, "{elements} {k}");
        }
        let (pose, _) = Beams::of(&sim).motion(0, length / 8.0).unwrap();
        assert!(angle_between(turn(&pose), quat_exp([0.0, 0.0, PI / 4.0])) < 1e-9, "{elements}");
    }
}

/// An arc of 45 degrees under a force out of its plane (Bathe, Bolourchi 1979; Simo, Vu-Quoc 1986:
/// 15.79, 47.23, 53.37 with 8 linear elements). The limit is that of two independent elements to
/// six digits: 15.6848, 47.1504, 53.4749.
#[test]
fn a_curved_cantilever_converges_at_fourth_order() {
    let (radius, angle, stations) = (100.0, 0.25 * PI, 32);
    let arc: Vec<(f64, [f64; 7])> = (0..=stations)
        .map(|k| {
            let turned = angle * f64::from(k) / f64::from(stations);
            let x = [radius * turned.sin(), radius * (1.0 - turned.cos()), 0.0];
            (radius * turned, pose(x, quat_exp([0.0, 0.0, turned])))
        })
        .collect();
    let stiffness = diagonal([1e7, 5e6, 5e6, 5e6 / 6.0, 1e7 / 12.0, 1e7 / 12.0]);
    let end = place(&arc.last().unwrap().1);
    let tip = |elements| add(end, deflection(&arc, &stiffness, elements, [0.0, 0.0, 600.0]));
    let fine = tip(64);
    assert_close("45 degree bend", &fine, &[47.1504, 15.6848, 53.4749], 1e-4);
    for (found, published) in fine.iter().zip([47.23, 15.79, 53.37]) {
        assert!((found - published).abs() < 0.12, "{found} {published}");
    }
    let table = [4, 8, 16].map(|elements| (radius * angle / f64::from(elements), distance(tip(elements), fine)));
    assert_order("45 degree bend", &table, 4.0, 0.5);
}

/// A composite beam with coupled bending and twist: published to twelve digits for Legendre
/// spectral elements (Kynema-FMB, equal to BeamDyn's). 32 elements of fourth order, of which soft
/// shear coupled with twist leaves 1e-7 of the length.
#[test]
fn a_composite_beam_deflects_as_published() {
    let mut k = [[0.0; 6]; 6];
    for (i, x) in [1368.17e3, 88.56e3, 38.78e3, 16.96e3, 59.12e3, 141.47e3].into_iter().enumerate() {
        k[i][i] = x;
    }
    for (i, j, x) in [(3, 4, 17.61e3), (3, 5, -0.351e3), (4, 5, -0.370e3)] {
        (k[i][j], k[j][i]) = (x, x);
    }
    let stations = [0.0, 10.0].map(|s| (s, pose([s, 0.0, 0.0], UNROTATED)));
    let found = deflection(&stations, &columns(&k), 32, [0.0, 0.0, 150.0]);
    assert_close("composite", &found, &[-0.0902726627566, -0.0647488486259, 1.22973648292], 1e-6);
}

/// A beam twisted by 90 degrees (Kynema-FMB, BeamDyn).
#[test]
fn a_twisted_beam_deflects_as_published() {
    let stiffness = diagonal([2.5e10, 8.2604167e9, 8.2604167e9, 1.41872656e8, 5.20833e8, 1.30208333e8]);
    let stations = [0.0, 10.0].map(|s| (s, pose([s, 0.0, 0.0], quat_exp([0.05 * PI * s, 0.0, 0.0]))));
    let published = [-1.14152599954, -1.71805334646, -3.59321324027];
    let error = |elements| distance(deflection(&stations, &stiffness, elements, [0.0, 0.0, -4e6]), published);
    // Of 32 elements 8e-8 of the length, the size of the published solution's own error.
    assert!(error(32) < 2e-6, "{:e}", error(32));
    let table = [4, 8, 16].map(|elements| (10.0 / f64::from(elements), error(elements)));
    assert_order("twisted beam", &table, 4.0, 0.5);
}

/// Frequencies of a cantilever (Euler, Bernoulli): torsion and extension of fourth order, bending
/// to what rotary inertia and shear leave; damping ratios mu w/2.
#[test]
fn frequencies_of_a_cantilever_converge_at_fourth_order() {
    let (ei, m, l, ea, gj, j, mu) = (1e4, 2.0, 10.0, 1e7, 3e3, 2e-4, 1e-3);
    let beam = Straight {
        length: l,
        stiffness: [ea, 1e10, 1e10, gj, ei, 4.0 * ei],
        mass: [m, j, 0.5 * j, 0.5 * j],
        damping: mu,
        lumped: false,
    };
    let modes = |beam: Straight, elements| {
        let mut sim = still();
        beam.add(&mut sim, elements, Some(GROUND));
        sim.initialize(0.0).unwrap();
        sim.analysis().modes().unwrap().0
    };
    let nearest = |modes: &[pintle::simulation::Mode], exact: f64| {
        let found = modes.iter().map(|mode| TAU * mode.frequency / exact - 1.0);
        found.min_by(|a, b| a.abs().total_cmp(&b.abs())).unwrap()
    };
    let rod = |k: f64, ratio: f64| (k - 0.5) * PI / l * ratio.sqrt();
    let found = [2, 4, 8].map(|elements| (elements, modes(beam, elements)));
    for (name, exact) in [("torsion", rod(1.0, gj / j)), ("extension", rod(1.0, ea / m))] {
        let table = found.each_ref().map(|(elements, modes)| (l / f64::from(*elements), nearest(modes, exact).abs()));
        assert_order(name, &table, 4.0, 0.2);
    }
    // Rotary inertia lowers the frequency of mode k by about (k pi/2 r/L)^2/2 with r^2 = J/(2 m):
    // 1e-6 of the third.
    for (factor, most) in [(3.516015269, 2e-6), (22.03449156, 1e-4), (61.69721441, 6e-4)] {
        let exact = factor * (ei / (m * l.powi(4))).sqrt();
        let error = nearest(&found[2].1, exact);
        assert!(error.abs() < most, "{factor}: {error:e}");
        // Lumped: of second order, and too low.
        let lumped = nearest(&modes(Straight { lumped: true, ..beam }, 8), exact);
        assert!(lumped < 0.0 && lumped.abs() > 10.0 * error.abs(), "{factor}: {lumped:e} {error:e}");
    }
    for mode in found[2].1.iter().take(6) {
        let expected = 0.5 * mu * TAU * mode.frequency;
        // Rounding of eigenvalues: 1e-10 of the largest, over the smallest.
        assert!((mode.damping_ratio - expected).abs() < 1e-6 * expected.max(1e-3), "{} {expected}", mode.damping_ratio);
    }
}

/// Angle, rate and acceleration of the root: to 6 rad/s within 15 s.
pub fn spin_up(t: f64) -> [f64; 3] {
    let (w, end) = (TAU / 15.0, 15.0);
    if t >= end {
        return [6.0 * t - 45.0, 6.0, 0.0];
    }
    let c = 6.0 / 15.0;
    [c * (0.5 * t * t + ((w * t).cos() - 1.0) / (w * w)), c * (t - (w * t).sin() / w), c * (1.0 - (w * t).cos())]
}

/// Spin-up of a blade on a driven hub (Simo, Vu-Quoc 1986): largest lag of the tip -0.576 m, then
/// the steady extension tan(a)/a - 1 with a = W L sqrt(m/EA). With up to 0.3 rad per step, in two
/// iterations.
#[test]
fn a_blade_is_spun_up_to_its_steady_extension() {
    let lumped = Straight { lumped: true, ..BLADE };
    for (blade, rho, h) in
        [(BLADE, 0.8, 0.02), (BLADE, 0.9, 0.05), (BLADE, 0.5, 0.05), (lumped, 1.0, 0.02), (lumped, 0.8, 0.05)]
    {
        let mut sim = still();
        sim.settings().set_option("rho_inf", rho).unwrap();
        let inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
        let hub = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose([0.0; 3], UNROTATED)).unwrap();
        let axis = [0.0, 0.0, 1.0];
        let root = sim.build().add_joint_at(JointKind::Revolute, GROUND, hub, &[0.0; 3], Some(&axis)).unwrap();
        sim.build().set_joint_driven(root, true).unwrap();
        sim.inputs().set_joint_motion(root, 0.0, 0.0, 0.0).unwrap();
        let tip = *blade.add(&mut sim, 10, Some(hub)).last().unwrap();
        sim.initialize(0.0).unwrap();
        let steps = (30.0f64 / h).round() as usize;
        let (mut lag, mut sum, mut count) = (0.0f64, 0.0, 0);
        for k in 1..=steps {
            let [q, v, a] = spin_up(k as f64 * h);
            sim.inputs().set_joint_motion(root, q, v, a).unwrap();
            sim.step(h).unwrap_or_else(|error| panic!("rho {rho} h {h} step {k}: {error}"));
            let local = unrotate(quat_exp([0.0, 0.0, q]), at(&sim, tip));
            lag = lag.min(local[1]);
            if k as f64 * h > 20.0 {
                (sum, count) = (sum + local[0] - 10.0, count + 1);
            }
        }
        let (a, turned) = (6.0 * 10.0 * (1.2f64 / 2.8e7).sqrt(), 6.0 * h);
        let (steady, mean) = (10.0 * (a.tan() / a - 1.0), sum / f64::from(count));
        // The speed of a turning place is v = W r (1 + theta^2/12): theta^2/6 of the extension; and
        // the bending that rings on by 1e-3 m shortens the beam by 1e-6 m.
        let tolerance = turned * turned / 6.0 + 5e-3;
        assert!((mean / steady - 1.0).abs() < tolerance, "rho {rho} h {h}: {mean:e} {steady:e}");
        // Published -0.576; lumped mass has it at second order of the elements.
        assert!((lag + 0.576).abs() < 0.01, "rho {rho} h {h}: {lag}");
        let iterations = sim.outputs().statistic("iterations").unwrap() / steps as f64;
        assert!(iterations < 3.0, "rho {rho} h {h}: {iterations}");
    }
}

/// A free blade, bent and turning: lumped inertia keeps linear momentum to rounding, and numerical
/// dissipation never adds energy; with weight, the whole falls as a stone.
#[test]
fn a_free_blade_keeps_its_momentum_and_gains_no_energy() {
    let mut sim = still();
    let blade = Straight { lumped: true, ..BLADE };
    let bodies = blade.add(&mut sim, 8, None);
    for (k, body) in bodies.iter().enumerate() {
        let x = 10.0 * k as f64 / 8.0;
        let v = [0.5, 6.0 * (x - 5.0), 2.0 * (0.2 * PI * x).sin(), 0.0, 0.0, 6.0];
        sim.build().set_body_velocity(*body, &v).unwrap();
    }
    sim.initialize(0.0).unwrap();
    let energy = |sim: &Simulation| sim.outputs().energy().map(|(kinetic, potential)| kinetic + potential).unwrap();
    let (start, first) = (sim.outputs().momentum(&[0.0; 3]).unwrap(), energy(&sim));
    let mut last = first;
    for k in 0..500 {
        sim.step(0.01).unwrap();
        let now = energy(&sim);
        // Rotational inertia of nodes is not part of the balance of energy forms: 1e-5 of all here.
        assert!(now < last + 1e-4 * first, "step {k}: {now} after {last}");
        last = now;
    }
    assert!(last < first, "{last} {first}");
    let end = sim.outputs().momentum(&[0.0; 3]).unwrap();
    for k in 0..3 {
        // 500 steps with residuals at 1e-10 of the largest forces, 1e3 N over 0.01 s.
        assert!((end[k] - start[k]).abs() < 1e-6 * norm([12.0 * 0.5, 0.0, 12.0 * 2.0]), "{k}: {} {}", end[k], start[k]);
    }
}

/// A free blade that turns by 0.12 rad per step with lumped inertia, or by 0.06 rad with inertia
/// spread over its elements: accelerations that turn along are not damped, where inertial ones
/// would lose delta^3 theta^4/2 of the energy in each step, and half of that of the spin. Inertia
/// that couples nodes is not part of the balance of energy forms: 6e-9 gained here, of the sixth
/// order in the step.
#[test]
fn a_free_blade_keeps_its_spin() {
    for (lumped, h) in [(false, 0.01), (true, 0.02)] {
        let mut sim = still();
        let bodies = Straight { lumped, ..BLADE }.add(&mut sim, 8, None);
        for (k, body) in bodies.iter().enumerate() {
            let v = [0.0, 6.0 * (10.0 * k as f64 / 8.0 - 5.0), 0.0, 0.0, 0.0, 6.0];
            sim.build().set_body_velocity(*body, &v).unwrap();
        }
        sim.initialize(0.0).unwrap();
        let (steps, settling) = (2000, 500);
        let measure = |sim: &Simulation| {
            let (kinetic, potential) = sim.outputs().energy().unwrap();
            (kinetic + potential, halves(sim.outputs().momentum(&[5.0, 0.0, 0.0]).unwrap()).1[2])
        };
        let mut settled = measure(&sim);
        for n in 1..=steps {
            sim.step(h).unwrap();
            if n == settling {
                settled = measure(&sim);
            }
        }
        let (energy, spin) = measure(&sim);
        let [energy, spin] = [energy / settled.0 - 1.0, spin / settled.1 - 1.0];
        let inertial = f64::from(steps - settling) * (0.2f64 / 1.8).powi(3) * (6.0 * h).powi(4) / 2.0;
        println!("lumped {lumped}: energy {energy:e}, spin {spin:e}, inertial {inertial:e}");
        assert!(energy.abs() < 1e-3 * inertial && spin.abs() < 1e-3 * inertial, "{energy:e} {spin:e}");
    }
}

/// A blade without weight on a driven hinge that begins to turn: forces of 1e-5 N beside the
/// rounding of a stiffness of 1e7 N/m. The tip stays behind by less than twice the static
/// deflection 11 m L^5 a/(120 EI) under its inertia.
#[test]
fn a_blade_that_hardly_moves_converges() {
    for tilt in [0.0f64, 0.3] {
        let mut sim = still();
        let (ends, Straight { stiffness, mass, .. }) = ([[0.0; 3], [10.0 * tilt.cos(), 10.0 * tilt.sin(), 0.0]], BLADE);
        let across = [-tilt.sin(), tilt.cos(), 0.0];
        let ends = ends.each_ref();
        let beam = sim.elements().add_uniform_beam(ends, &across, &stiffness, &mass, &[0.0; 6]).unwrap();
        sim.elements().mesh_beam(beam, 2).unwrap();
        let bodies = nodes(&sim, beam, 2);
        let axis = [0.0, 0.0, 1.0];
        let root = sim.build().add_joint_at(JointKind::Revolute, GROUND, bodies[0], &[0.0; 3], Some(&axis)).unwrap();
        sim.build().set_joint_driven(root, true).unwrap();
        sim.initialize(0.0).unwrap();
        for n in 1..=40 {
            let [q, w, a] = spin_up(f64::from(n) / 60.0);
            sim.inputs().set_joint_motion(root, q, w, a).unwrap();
            sim.step(1.0 / 60.0).unwrap_or_else(|e| panic!("tilt {tilt}, step {n}: {e}"));
            let rigid = [10.0 * (tilt + q).cos(), 10.0 * (tilt + q).sin(), 0.0];
            let behind = distance(at(&sim, bodies[2]), rigid);
            assert!(behind < 2.0 * 11.0 * 1.2 * 1e5 * a / (120.0 * 1.4e4), "tilt {tilt}, step {n}: {behind:e}");
        }
    }
}

/// A soft cantilever that falls under its weight: all schemes follow the same motion, those that
/// iterate in energy form and those that take forces alike, with inertia between the nodes and
/// without.
#[test]
fn every_scheme_moves_a_beam_the_same_way() {
    let soft = Straight {
        length: 2.0,
        stiffness: [200.0, 100.0, 100.0, 10.0, 5.0, 5.0],
        mass: [1.0, 0.2, 0.1, 0.1],
        damping: 0.02,
        lumped: false,
    };
    let tip_after = |scheme: &str, lumped: bool, h: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -2.0]).unwrap();
        sim.settings().set_scheme(scheme).unwrap();
        let nodes = Straight { lumped, ..soft }.add(&mut sim, 2, Some(GROUND));
        sim.initialize(0.0).unwrap();
        (0..(0.6 / h).round() as usize).for_each(|_| sim.step(h).unwrap());
        at(&sim, nodes[2])
    };
    for lumped in [false, true] {
        let reference = tip_after("rk4", lumped, 2e-4);
        // It has fallen by far more than any error.
        assert!(reference[2] < -0.1, "{reference:?}");
        for scheme in SCHEMES {
            // The stiffest mode has some 30 rad/s: w h = 0.03, of which errors are a part of the
            // amplitude 0.01 m of that mode.
            let bound = match scheme {
                "euler" | "leuler" | "beuler5" | "anderson5" => 1e-3,
                "rk3" | "ab3" | "lab3" => 1e-7,
                "rk4" | "ab4" | "ab5" | "lab4" | "lab5" => 1e-9,
                _ => 1e-5,
            };
            let error = distance(tip_after(scheme, lumped, 1e-3), reference);
            assert!(error < bound, "{scheme}, lumped {lumped}: {error:e}");
        }
    }
}

/// Section loads at the root are the weight and its moment, and those of a node agree from both
/// sides.
#[test]
fn section_loads_balance_weight_and_load() {
    let (m, l, g, force) = (3.0, 4.0, 9.0, 50.0);
    let beam = Straight {
        length: l,
        stiffness: [1e7, 1e7, 1e7, 1e6, 1e6, 1e6],
        mass: [m, 0.2, 0.1, 0.1],
        damping: 0.01,
        lumped: false,
    };
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -g]).unwrap();
    let nodes = beam.add(&mut sim, 3, Some(GROUND));
    settle(&mut sim, nodes[3], [0.0, 0.0, -force, 0.0, 0.0, 0.0]);
    let loads = |element: Id| {
        let mut values = Vec::new();
        sim.outputs().element_outputs(EntityKind::BeamElement, element, &mut |_, _, value| values.push(value)).unwrap();
        values
    };
    let root = loads(0);
    let (turned, tip) = (at(&sim, nodes[3]), at(&sim, nodes[3])[0]);
    let weight = m * l * g + force;
    // The part behind pulls down, and turns about y by the weight at its middle and the force at
    // the tip.
    assert!((root[2] + weight).abs() < 1e-8 * weight, "{root:?}");
    // Deflections of 1e-3 of the length shorten arms by 1e-6.
    assert!((root[4] - (m * l * g * 0.5 * l + force * tip)).abs() < 1e-5 * weight * l, "{root:?} {turned:?}");
    let (before, behind) = (loads(1), loads(2));
    for k in 0..6 {
        // Axes of both differ by the turn between the elements' chords, which is none at this
        // node's own axes.
        assert!((before[6 + k] - behind[k]).abs() < 1e-7 * weight * l, "{k}: {before:?} {behind:?}");
    }
}

/// The same beam a million metres away and turned deflects the same way.
#[test]
fn a_beam_is_the_same_far_away_and_turned() {
    let rotation = quat_exp([0.7, -1.1, 0.4]);
    let deflected = |origin: V3, rotation: Quat| {
        let mut sim = still();
        let beam = sim.elements().add_beam(&[0.0; 6]).unwrap();
        let (stiffness, mass) =
            (diagonal([1e5, 4e4, 3e4, 900.0, 700.0, 1200.0]), diagonal([1.0, 1.0, 1.0, 0.2, 0.1, 0.1]));
        for s in [0.0, 2.0, 4.0] {
            let local = quat_exp([0.2 * s, 0.0, 0.0]);
            let x = add(origin, rotate(rotation, [s, 0.0, 0.0]));
            sim.elements().add_beam_station(beam, s, &pose(x, quat_mul(rotation, local)), &stiffness, &mass).unwrap();
        }
        sim.elements().attach_beam(beam, 0, GROUND).unwrap();
        sim.elements().mesh_beam(beam, 4).unwrap();
        let tip = *nodes(&sim, beam, 4).last().unwrap();
        settle(&mut sim, tip, join(rotate(rotation, [-20.0, 30.0, 50.0]), [0.0; 3]));
        unrotate(rotation, sub(at(&sim, tip), origin))
    };
    let here = deflected([0.0; 3], UNROTATED);
    assert!(norm(sub(here, [4.0, 0.0, 0.0])) > 0.5);
    // Rounding of the iteration, and of places of 1e6 m (1e-10 m), which stations have.
    assert!(distance(here, deflected([0.0; 3], rotation)) < 1e-8);
    assert!(distance(here, deflected([1e6, -2e6, 3e5], rotation)) < 1e-7);
}

/// A model file gives the same model back, and a state goes on in it to the bit.
#[test]
fn a_beam_goes_on_from_its_file_and_its_state_to_the_bit() {
    let mut sim = Simulation::new();
    let hub = sim
        .build()
        .add_rigid_body(5.0, &[0.1, 0.0, 0.0], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([-0.3, 0.0, 0.0], UNROTATED))
        .unwrap();
    sim.build().add_joint_at(JointKind::Revolute, GROUND, hub, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    let blade = Straight { damping: 1e-3, ..BLADE };
    let bodies = blade.add(&mut sim, 4, Some(hub));
    sim.build().set_name(EntityKind::Beam, 0, "blade").unwrap();
    let text = sim.description().model_text().unwrap();
    let mut other = read_model(Path::new("blade.toml"), text.as_bytes()).unwrap();
    assert_eq!(other.description().model_text().unwrap(), text);
    let steps = |sim: &mut Simulation, count| (0..count).for_each(|_| sim.step(0.02).unwrap());
    sim.initialize(0.0).unwrap();
    other.initialize(0.0).unwrap();
    steps(&mut sim, 20);
    let bytes = sim.save().unwrap().to_bytes();
    let snapshot = other.deserialize(&bytes).unwrap();
    other.restore(&snapshot).unwrap();
    steps(&mut sim, 20);
    steps(&mut other, 20);
    let poses = |sim: &Simulation| {
        bodies.iter().map(|body| sim.outputs().body_pose(*body).unwrap().map(f64::to_bits)).collect::<Vec<_>>()
    };
    assert_eq!(poses(&sim), poses(&other));
}

/// A file by hand: a straight beam on a named body, its nodes named after it.
#[test]
fn files_describe_straight_beams_in_a_few_lines() {
    let text = "\
pintle_model = 1
[[body]]
name = \"hub\"
mass = 100.0
inertia = [10.0, 10.0, 10.0, 0.0, 0.0, 0.0]
pose = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
[[beam]]
name = \"boom\"
point_a = [0.5, 0.0, 0.0]
point_b = [6.5, 0.0, 0.0]
axis = [0.0, 0.0, 1.0]
stiffness = [1e8, 1e7, 1e7, 1e6, 1e6, 2e6]
mass = [20.0, 0.4, 0.2, 0.2]
attach = [{ node = 0, body = \"hub\" }]
elements = 3
[[joint]]
kind = \"fixed\"
body_a = \"ground\"
body_b = \"hub\"
frame_a = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
frame_b = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
";
    let read = |text: &str| read_model(Path::new("boom.toml"), text.as_bytes());
    let mut sim = read(text).unwrap();
    sim.initialize(0.0).unwrap();
    assert_eq!(sim.description().find(EntityKind::Body, "boom.3").unwrap(), 3);
    assert_eq!(at(&sim, 3), [6.5, 0.0, 0.0]);
    for (from, to, told) in [
        ("axis = [0.0, 0.0, 1.0]", "axis = [1.0, 0.0, 0.0]", "line 11, beam 0, key \"axis\""),
        ("elements = 3", "elements = -3", "line 15, beam 0, key \"elements\""),
        ("body = \"hub\" }", "body = \"hud\" }", "hub"),
        ("elements = 3", "element = 3", "elements"),
        ("mass = [20.0", "mass = [-20.0", "line 13"),
    ] {
        let error = read(&text.replace(from, to)).err().unwrap().to_string();
        assert!(error.contains(told), "{to}: {error}");
    }
}

/// An element whose ends turn by more than 2.5 rad against each other has no law: steps and
/// equilibria that need it say which one, by whichever scheme.
#[test]
fn an_element_that_is_turned_too_far_is_named() {
    let (length, ei) = (10.0, 500.0);
    let beam = Straight {
        length,
        stiffness: [1e4, 1e4, 1e4, ei, ei, ei],
        mass: [1.0, 0.2, 0.1, 0.1],
        damping: 0.01,
        lumped: false,
    };
    // One element would turn by 3.5 rad, two by 1.75 rad each.
    let moment = [0.0, 0.0, 0.0, 0.0, 0.0, 3.5 * ei / length];
    let told = |error: Error| {
        let text = error.to_string();
        let told =
            text.contains("ends of element 0 of beam 0 \"boom\" were turned by") && text.contains("beyond the 2.5 rad");
        assert!(told, "{text}");
    };
    for elements in [1, 2] {
        let bent = |scheme: &str| {
            let mut sim = still();
            sim.settings().set_scheme(scheme).unwrap();
            let nodes = beam.add(&mut sim, elements, Some(GROUND));
            sim.build().set_name(EntityKind::Beam, 0, "boom").unwrap();
            sim.inputs().set_body_load(nodes[elements as usize], Frame::Inertial, &moment).unwrap();
            sim.initialize(0.0).unwrap();
            sim
        };
        let outcome = bent("generalized-alpha").solve_equilibrium(200, 1e-9);
        if elements == 2 {
            outcome.unwrap();
            continue;
        }
        told(outcome.unwrap_err());
        for (scheme, h) in
            [("generalized-alpha", 0.05), ("generalized-alpha", 1.0), ("momentum-alpha", 0.05), ("rk4", 2e-3)]
        {
            let mut sim = bent(scheme);
            let failed = (0..4000).find_map(|_| sim.step(h).err());
            told(failed.unwrap_or_else(|| panic!("{scheme} {h} went on to {}", sim.time().unwrap())));
        }
    }
}

/// A reference shape that turns by more than 1 rad within an element gives a warning; elements
/// enough give none.
#[test]
fn a_reference_that_turns_far_within_an_element_is_warned_of() {
    for (elements, told) in [(1, Some("turn by 3.2 rad within element 0")), (2, Some("turn by 1.6 rad")), (4, None)] {
        let mut sim = still();
        let beam = sim.elements().add_beam(&[0.0; 6]).unwrap();
        // Twisted by 3.2 rad in all: more than half a turn.
        for k in 0..=4 {
            let s = 0.25 * f64::from(k);
            let axes = quat_exp([3.2 * s, 0.0, 0.0]);
            sim.elements()
                .add_beam_station(beam, s, &pose([s, 0.0, 0.0], axes), &diagonal([2.0; 6]), &diagonal([0.5; 6]))
                .unwrap();
        }
        sim.build().set_name(EntityKind::Beam, beam, "blade").unwrap();
        sim.elements().mesh_beam(beam, elements).unwrap();
        assert!(sim.outputs().warning().unwrap().is_empty());
        sim.initialize(0.0).unwrap();
        let warning = sim.outputs().warning().unwrap();
        match told {
            Some(told) => assert!(warning.contains("beam 0 \"blade\"") && warning.contains(told), "{warning}"),
            None => assert!(warning.is_empty(), "{warning}"),
        }
    }
}

/// What is refused says why, and leaves the model as it was.
#[test]
fn beams_that_cannot_be_are_refused() {
    let mut sim = still();
    let beam = sim.elements().add_beam(&[0.0; 6]).unwrap();
    let (k, m) = (diagonal([2.0; 6]), diagonal([0.5; 6]));
    let x = |x: f64| pose([x, 0.0, 0.0], UNROTATED);
    let told = |outcome: Result<(), Error>, expected: &str| {
        let error = outcome.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let mut elements = sim.elements();
    told(elements.add_beam(&[0.0, -1.0, 0.0, 0.0, 0.0, 0.0]).map(drop), "[1] = -1 is negative");
    elements.add_beam_station(beam, 0.0, &x(0.0), &k, &m).unwrap();
    told(elements.mesh_beam(beam, 2), "has 1 stations");
    told(elements.add_beam_station(beam, 0.0, &x(1.0), &k, &m), "0 is not above 0");
    told(elements.add_beam_station(beam, 0.5, &x(1.0), &k, &m), "shorter than the line between both stations, 1");
    let across = pose([1.0, 0.0, 0.0], quat_exp([0.0, 0.5 * PI, 0.0]));
    told(elements.add_beam_station(beam, 1.0, &across, &k, &m), "axis 1 of this station is");
    let soft = diagonal([2.0, 2.0, 0.0, 2.0, 2.0, 2.0]);
    told(elements.add_beam_station(beam, 1.0, &x(1.0), &soft, &m), "not positive definite");
    let negative = diagonal([-0.5, -0.5, -0.5, 0.5, 0.5, 0.5]);
    told(elements.add_beam_station(beam, 1.0, &x(1.0), &k, &negative), "negative");
    elements.add_beam_station(beam, 1.0, &x(1.0), &k, &m).unwrap();
    elements.attach_beam(beam, 0, GROUND).unwrap();
    told(elements.attach_beam(beam, 0, GROUND), "0 is attached already");
    elements.attach_beam(beam, 3, GROUND).unwrap();
    told(elements.mesh_beam(beam, 2), "3 is attached, but the last node is 2");
    told(elements.mesh_beam(beam, 0), "0 is not 1 to 100000");
    told(elements.add_beam_node(beam, 1.5), "between 0 and 1");
    elements.mesh_beam(beam, 3).unwrap();
    told(elements.add_beam_station(beam, 2.0, &x(2.0), &k, &m), "has its elements");
    assert_eq!(sim.description().count(EntityKind::Body), 2);
    assert_eq!(sim.description().count(EntityKind::BeamElement), 3);
    let idle = sim.elements().add_beam(&[0.0; 6]).unwrap();
    sim.initialize(0.0).unwrap();
    assert!(sim.outputs().warning().unwrap().contains(&format!("beam {idle} has no elements")));
    told(Beams::of(&sim).motion(beam, 1.5).map(drop), "1.5 is not on the beam, 0 to 1");
    told(Beams::of(&sim).motion(idle, 0.0).map(drop), "is not on the beam");
}
