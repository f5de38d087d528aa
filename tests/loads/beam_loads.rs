//! Loads of the host along beams, and loads and strains of sections: closed forms, orders of
//! convergence, balance, invariance, inputs in time, bad input.

use crate::beams::{SCHEMES, Straight, at, settle, still};
use crate::common::*;
use pintle::simulation::{Beams, read_model};
use pintle::{EntityKind, Error, Frame, GROUND, Id, JointKind, Simulation};
use std::path::Path;

const ORIGIN: [f64; 3] = [0.0; 3];

const SOFT: Straight = Straight {
    length: 4.0,
    stiffness: [1e5, 4e4, 3e4, 900.0, 700.0, 1200.0],
    mass: [1.5, 0.2, 0.1, 0.1],
    damping: 0.0,
    lumped: false,
};

/// Places at the ends of beam 0 for a load per length.
fn along(sim: &mut Simulation, length: f64) -> [Id; 2] {
    [0.0, length].map(|s| sim.elements().add_beam_load(0, s, &ORIGIN, true).unwrap())
}

/// The equilibrium under one load per length on a cantilever along x; the bodies of its nodes.
fn loaded(beam: &Straight, elements: i32, frame: Frame, wrench: [f64; 6]) -> (Simulation, Vec<Id>) {
    let mut sim = still();
    let nodes = beam.add(&mut sim, elements, Some(GROUND));
    for place in along(&mut sim, beam.length) {
        sim.inputs().set_beam_load(0, place, frame, &wrench).unwrap();
    }
    sim.initialize(0.0).unwrap();
    sim.solve_equilibrium(500, 1e-10).unwrap();
    (sim, nodes)
}

/// A small load q per length: q L^4/(8 EI) + q L^2/(2 GA) at the tip, with one element exactly;
/// forces q (L - s), moments q (L - s)^2/2 and their strains anywhere inside it.
#[test]
fn a_load_per_length_bends_a_cantilever_as_in_the_closed_form() {
    let (l, [_, _, ga, _, ei, _]) = (SOFT.length, SOFT.stiffness);
    // Deflections of 1e-5 L: 1e-10 of nonlinearity.
    let q = 1e-5 * 8.0 * ei / l.powi(3);
    for elements in [1, 3] {
        let (sim, nodes) = loaded(&SOFT, elements, Frame::Inertial, [0.0, 0.0, q, 0.0, 0.0, 0.0]);
        let tip = at(&sim, nodes[elements as usize])[2];
        let exact = q * l.powi(4) / (8.0 * ei) + q * l * l / (2.0 * ga);
        assert!((tip / exact - 1.0).abs() < 1e-8, "{elements}: {tip:e} {exact:e}");
        for s in [0.0, 0.3, 1.0, 2.7, l] {
            let left = l - s;
            let wrench = Beams::of(&sim).section_load(0, s, Frame::Body).unwrap();
            let expected = [0.0, 0.0, q * left, 0.0, -q * left * left / 2.0, 0.0];
            // The axes of the section turn by 1e-5, and with them 1e-5 of the force is along it.
            assert_close("load", &wrench, &expected, 3e-5 * q * l);
            let strains = Beams::of(&sim).strains(0, s).unwrap();
            let expected = [0.0, 0.0, q * left / ga, 0.0, -q * left * left / (2.0 * ei), 0.0];
            assert_close("strains", &strains, &expected, 3e-5 * q * l * l / ei);
        }
    }
}

/// Weight of a hanging beam is the tension m g (L - s), inside an element too; a place with a force
/// adds it to what is before.
#[test]
fn tension_of_a_hanging_beam_is_the_weight_below() {
    let (l, g, force, place) = (SOFT.length, 9.0, 30.0, 1.7);
    for lumped in [false, true] {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[g, 0.0, 0.0]).unwrap();
        Straight { lumped, ..SOFT }.add(&mut sim, 2, Some(GROUND));
        let id = sim.elements().add_beam_load(0, place, &ORIGIN, false).unwrap();
        sim.inputs().set_beam_load(0, id, Frame::Body, &[force, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(100, 1e-11).unwrap();
        for s in [0.0, 0.4, 1.7, 1.8, 2.0, 3.9, l] {
            let expected = 1.5 * g * (l - s) + if s <= place { force } else { 0.0 };
            let found = Beams::of(&sim).section_load(0, s, Frame::Inertial).unwrap();
            // The tolerance of the equilibrium.
            assert_close("tension", &found, &[expected, 0.0, 0.0, 0.0, 0.0, 0.0], 1e-8);
        }
    }
}

/// A moment m per length bends a cantilever to the angle m (L s - s^2/2)/EI without any force, dead
/// or follower: its tip is at the integral of the direction. Of fourth order in the elements, to
/// half a turn.
#[test]
fn a_moment_per_length_bends_a_cantilever_to_a_spiral() {
    let (l, ei) = (SOFT.length, SOFT.stiffness[5]);
    let m = 2.0 * 3.0 * ei / (l * l);
    // Gauss-Legendre of order 2 on many pieces: 1e-13.
    let direction = |s: f64| (m / ei * (l * s - 0.5 * s * s)).sin_cos();
    let pieces = 20_000;
    let mut exact = [0.0; 3];
    for k in 0..pieces {
        for t in [0.5 - 0.5 / 3.0f64.sqrt(), 0.5 + 0.5 / 3.0f64.sqrt()] {
            let (sin, cos) = direction(l * (f64::from(k) + t) / f64::from(pieces));
            exact = add(exact, scale(0.5 * l / f64::from(pieces), [cos, sin, 0.0]));
        }
    }
    let stiff = Straight { stiffness: [1e8, 4e7, 3e7, 900.0, 700.0, 1200.0], ..SOFT };
    for frame in [Frame::Inertial, Frame::Body] {
        let table = [4, 8, 16].map(|elements| {
            let (sim, nodes) = loaded(&stiff, elements, frame, [0.0, 0.0, 0.0, 0.0, 0.0, m]);
            let tip = *nodes.last().unwrap();
            (l / f64::from(elements), distance(at(&sim, tip), exact))
        });
        assert!(table[2].1 < 1e-4 * l, "{frame:?}: {table:?}");
        assert_order("spiral", &table, 4.0, 0.5);
    }
}

/// Large forces per length: of fourth order in the elements if dead, of second order if they turn
/// with sections, whose axes turn evenly between nodes. Shear is stiff: elements leave out the
/// moment of the force on shear strains, a part of second order.
#[test]
fn deflections_under_large_loads_per_length_converge() {
    let load = [-20.0, 60.0, 90.0, 0.0, 0.0, 0.0];
    let stiff = Straight { stiffness: [1e8, 4e7, 3e7, 900.0, 700.0, 1200.0], ..SOFT };
    let mut tips = Vec::new();
    for (frame, order) in [(Frame::Inertial, 4.0), (Frame::Body, 2.0)] {
        let tip = |elements: i32| {
            let (sim, nodes) = loaded(&stiff, elements, frame, load);
            at(&sim, *nodes.last().unwrap())
        };
        let fine = tip(64);
        tips.push(fine);
        assert!(norm(sub(fine, [SOFT.length, 0.0, 0.0])) > 0.5 * SOFT.length, "{fine:?}");
        // Of second order, 64 elements have a sixteenth of the error of 16.
        let table = [4, 8, 16].map(|elements| (SOFT.length / f64::from(elements), distance(tip(elements), fine)));
        assert_order(&format!("{frame:?}"), &table, order, 0.3);
    }
    assert!(distance(tips[0], tips[1]) > 0.05 * SOFT.length, "{tips:?}");
}

/// A load at a place on a node is that on the node's body: dead and follower, at an offset, when
/// its axes change within a run, with every scheme, and with steps of changing length.
#[test]
fn a_load_at_a_node_is_that_of_its_body() {
    let soft = Straight { length: 2.0, stiffness: [200.0, 100.0, 100.0, 10.0, 5.0, 5.0], damping: 0.02, ..SOFT };
    let offset = [0.1, -0.2, 0.3];
    for order in [0.0, 1.0] {
        for scheme in SCHEMES {
            let run = |on_place: bool| {
                let mut sim = still();
                sim.settings().set_scheme(scheme).unwrap();
                sim.settings().set_option("input_order", order).unwrap();
                let nodes = soft.add(&mut sim, 2, Some(GROUND));
                let tip = nodes[2];
                let place = sim.elements().add_beam_load(0, 2.0, &offset, false).unwrap();
                let marker = sim.build().add_marker(tip, &pose(offset, UNROTATED)).unwrap();
                let set = |sim: &mut Simulation, t: f64| {
                    let frame = if t < 0.02 { Frame::Inertial } else { Frame::Body };
                    let wrench = [0.5 * t, -1.0 - 20.0 * t, 0.7, 0.1, 3.0 * t, -0.2];
                    match on_place {
                        true => sim.inputs().set_beam_load(0, place, frame, &wrench).unwrap(),
                        false => sim.inputs().set_marker_load(marker, frame, &wrench).unwrap(),
                    }
                };
                set(&mut sim, 0.0);
                sim.initialize(0.0).unwrap();
                let mut t = 0.0;
                for k in 0..40 {
                    let h = if k % 3 == 0 { 0.5e-3 } else { 1e-3 };
                    t += h;
                    set(&mut sim, t);
                    sim.step(h).unwrap();
                }
                at(&sim, tip)
            };
            let (found, expected) = (run(true), run(false));
            assert!(norm(sub(expected, [2.0, 0.0, 0.0])) > 1e-4, "{scheme}: {expected:?}");
            // Both are the same numbers to the iteration: 1e-8 of the length in a step, and
            // rounding in explicit schemes.
            assert!(distance(found, expected) < 1e-8, "{scheme} {order}: {found:?} {expected:?}");
        }
    }
}

/// In motion, the wrench of the section at the root is that of the joint which holds the root, to
/// rounding, and with lumped inertia it is the sum of loads, weights and inertia forces of the
/// nodes.
#[test]
fn the_section_at_the_root_has_the_reaction() {
    for lumped in [false, true] {
        let beam = Straight { lumped, damping: 1e-3, ..SOFT };
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[1.0, -2.0, -9.0]).unwrap();
        let root = sim
            .build()
            .add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([0.0; 3], UNROTATED))
            .unwrap();
        let joint =
            sim.build().add_joint_at(JointKind::Fixed, GROUND, root, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
        let nodes = beam.add(&mut sim, 4, Some(root));
        let places = along(&mut sim, beam.length);
        let single = sim.elements().add_beam_load(0, 1.3, &[0.0, 0.2, -0.1], false).unwrap();
        let (per_length, force) = ([3.0, 5.0, 20.0, 0.0, 0.0, 0.0], [4.0, -30.0, 8.0, 1.0, 2.0, 3.0]);
        sim.inputs().set_beam_load(0, places[0], Frame::Inertial, &[0.0; 6]).unwrap();
        sim.inputs().set_beam_load(0, places[1], Frame::Inertial, &per_length).unwrap();
        sim.inputs().set_beam_load(0, single, Frame::Inertial, &force).unwrap();
        sim.initialize(0.0).unwrap();
        for _ in 0..50 {
            sim.step(0.01).unwrap();
            let found = Beams::of(&sim).section_load(0, 0.0, Frame::Inertial).unwrap();
            // The joint holds the root, of mass 1 at rest, against the beam and its weight.
            let reaction = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap();
            let weight = [1.0, -2.0, -9.0, 0.0, 0.0, 0.0];
            let held: [f64; 6] = std::array::from_fn(|k| -reaction[k] - weight[k]);
            // Forces out of balance are those of the iteration, 1e-8 of the largest.
            assert_close("reaction", &found, &held, 1e-5);
            if lumped {
                let mut sum = add(scale(0.5 * beam.length, [3.0, 5.0, 20.0]), [4.0, -30.0, 8.0]);
                for (k, node) in nodes.iter().enumerate() {
                    let mass = beam.mass[0] * beam.length / 4.0 * if k % 4 == 0 { 0.5 } else { 1.0 };
                    let (a, _) = halves(sim.outputs().body_acceleration(*node, Frame::Inertial).unwrap());
                    sum = add(sum, scale(mass, sub([1.0, -2.0, -9.0], a)));
                }
                assert_close("sum", &halves(found).0, &sum, 1e-5);
            }
        }
    }
}

/// A section between nodes of a rod that turns steadily holds m W^2 (L^2 - s^2)/2.
#[test]
fn the_tension_of_a_turning_rod_is_what_turns_the_rest() {
    let rod = Straight { stiffness: [1e7, 4e6, 4e6, 1e5, 1e5, 1e5], ..SOFT };
    let (l, w) = (rod.length, 3.0);
    let mut sim = still();
    let hub = sim
        .build()
        .add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([0.0; 3], UNROTATED))
        .unwrap();
    sim.build().add_joint_at(JointKind::Revolute, GROUND, hub, &[0.0; 3], Some(&[0.0, 0.0, 1.0])).unwrap();
    sim.build().set_body_velocity(hub, &[0.0, 0.0, 0.0, 0.0, 0.0, w]).unwrap();
    let nodes = Straight { damping: 1e-3, ..rod }.add(&mut sim, 2, Some(hub));
    for (k, node) in nodes.iter().enumerate().skip(1) {
        sim.build().set_body_velocity(*node, &[0.0, w * 2.0 * k as f64, 0.0, 0.0, 0.0, w]).unwrap();
    }
    sim.initialize(0.0).unwrap();
    for _ in 0..200 {
        sim.step(0.01).unwrap();
    }
    for s in [0.0, 0.7, 1.9, 2.0, 3.3] {
        let found = Beams::of(&sim).section_load(0, s, Frame::Body).unwrap();
        let exact = 1.5 * w * w * (l * l - s * s) / 2.0;
        // Steps turn by 0.03 rad: 1e-4 of the acceleration; the rod is longer by 1e-5.
        assert!((found[0] / exact - 1.0).abs() < 1e-3, "{s}: {found:?} {exact}");
    }
}

/// Loads turn and move with the model: a beam a million metres away, turned, with its follower
/// loads, deflects as at home.
#[test]
fn loads_along_a_beam_are_the_same_far_away_and_turned() {
    let rotation = quat_exp([0.7, -1.1, 0.4]);
    let deflected = |origin: V3, rotation: Quat, frame: Frame| {
        let mut sim = still();
        let x = |s: f64| pose(add(origin, rotate(rotation, [s, 0.0, 0.0])), rotation);
        let beam = sim.elements().add_beam(&[0.0; 6]).unwrap();
        for s in [0.0, 4.0] {
            let (stiffness, mass) = (diagonal(SOFT.stiffness), diagonal([1.5, 1.5, 1.5, 0.2, 0.1, 0.1]));
            sim.elements().add_beam_station(beam, s, &x(s), &stiffness, &mass).unwrap();
        }
        sim.elements().attach_beam(beam, 0, GROUND).unwrap();
        sim.elements().mesh_beam(beam, 4).unwrap();
        let (force, moment) = ([3.0, 40.0, -20.0], [1.0, 2.0, 3.0]);
        let wrench = match frame {
            Frame::Inertial => join(rotate(rotation, force), rotate(rotation, moment)),
            Frame::Body => join(force, moment),
        };
        for (s, distributed) in [(0.5, true), (1.1, false), (3.9, true)] {
            let place = sim.elements().add_beam_load(beam, s, &[0.1, 0.2, 0.3], distributed).unwrap();
            sim.inputs().set_beam_load(beam, place, frame, &wrench).unwrap();
        }
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(200, 1e-10).unwrap();
        let place = place(&Beams::of(&sim).load_motion(beam, 1).unwrap().0);
        let tip = at(&sim, Beams::of(&sim).body(beam, 4).unwrap());
        let section = halves(Beams::of(&sim).section_load(beam, 0.3, Frame::Inertial).unwrap());
        let home = |x: V3| unrotate(rotation, sub(x, origin));
        [home(tip), home(place), unrotate(rotation, section.0), unrotate(rotation, section.1)]
    };
    for frame in [Frame::Inertial, Frame::Body] {
        let here = deflected([0.0; 3], UNROTATED, frame);
        assert!(norm(sub(here[0], [4.0, 0.0, 0.0])) > 0.3, "{here:?}");
        for origin in [[0.0; 3], [1e6, -2e6, 3e5]] {
            let there = deflected(origin, rotation, frame);
            // Places of 1e6 m are rounded to 1e-10 m, by which stations are off; forces then by
            // stiffness times that over a length.
            for (k, tolerance) in [1e-7, 1e-7, 1e-4, 1e-4].into_iter().enumerate() {
                assert_close(&format!("{frame:?} {k}"), &here[k], &there[k], tolerance);
            }
        }
    }
}

/// Places and loads come back from a model file; loads, as inputs, from a state, with which the run
/// goes on to the bit.
#[test]
fn loads_along_a_beam_are_in_files_and_states() {
    let mut sim = Simulation::new();
    let nodes = Straight { damping: 1e-3, ..SOFT }.add(&mut sim, 3, Some(GROUND));
    let places = along(&mut sim, SOFT.length);
    let single = sim.elements().add_beam_load(0, 1.3, &[0.1, 0.2, -0.3], false).unwrap();
    assert_eq!((places, single), ([0, 1], 2));
    let first = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    sim.inputs().set_beam_load(0, single, Frame::Body, &first).unwrap();
    let read = |text: &str| read_model(Path::new("blade.toml"), text.as_bytes());
    let text = sim.description().model_text().unwrap();
    let mut other = read(&text).unwrap();
    assert_eq!(other.description().model_text().unwrap(), text);
    sim.initialize(0.0).unwrap();
    other.initialize(0.0).unwrap();
    assert_eq!(sim.description().model_text().unwrap(), text);
    let drive = |sim: &mut Simulation, from: i32| {
        for k in from..from + 10 {
            let t = f64::from(k);
            sim.inputs().set_beam_load(0, places[1], Frame::Inertial, &[t, 10.0 * t, -t, 0.0, 0.1 * t, 0.0]).unwrap();
            sim.inputs().set_beam_load(0, single, Frame::Body, &[-t, t, 2.0 * t, 0.3, 0.0, t]).unwrap();
            sim.step(0.01).unwrap();
        }
    };
    drive(&mut sim, 0);
    let mut clone = sim.clone();
    let bytes = sim.save().unwrap().to_bytes();
    let snapshot = other.deserialize(&bytes).unwrap();
    other.restore(&snapshot).unwrap();
    assert_eq!(Beams::of(&other).load(0, single).unwrap().1.wrench.as_slice(), [-9.0, 9.0, 18.0, 0.3, 0.0, 9.0]);
    let poses = |sim: &Simulation| {
        nodes[1..].iter().map(|body| sim.outputs().body_pose(*body).unwrap().map(f64::to_bits)).collect::<Vec<_>>()
    };
    for sim in [&mut sim, &mut clone, &mut other] {
        drive(sim, 10);
    }
    assert_eq!(poses(&sim), poses(&clone));
    assert_eq!(poses(&sim), poses(&other));
    // Without the loads the end is another one; and another place makes another model.
    let mut unloaded = read(&text).unwrap();
    unloaded.initialize(0.0).unwrap();
    (0..20).for_each(|_| unloaded.step(0.01).unwrap());
    assert_ne!(poses(&sim), poses(&unloaded));
    let mut moved = read(&text.replace("s = 1.3", "s = 1.4")).unwrap();
    moved.initialize(0.0).unwrap();
    assert!(matches!(moved.deserialize(&bytes), Err(Error::Fingerprint { .. })));
    sim.inputs().clear_loads().unwrap();
    assert_eq!(Beams::of(&sim).load(0, single).unwrap().1.wrench.as_slice(), [0.0; 6]);
}

/// What is refused says why, and leaves the model as it was.
#[test]
fn loads_that_cannot_be_are_refused() {
    let mut sim = still();
    let told = |outcome: Result<(), Error>, expected: &str| {
        let error = outcome.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    let nodes = SOFT.add(&mut sim, 2, Some(GROUND));
    let bare = sim.elements().add_beam(&[0.0; 6]).unwrap();
    told(sim.elements().add_beam_load(bare, 0.0, &ORIGIN, false).map(drop), "beam 1 has no elements");
    told(sim.elements().add_beam_load(0, 4.5, &ORIGIN, false).map(drop), "4.5 is not on the beam, 0 to 4");
    told(sim.elements().add_beam_load(0, f64::NAN, &ORIGIN, false).map(drop), "s = NaN is not finite");
    told(sim.elements().add_beam_load(0, 1.0, &[0.0, f64::INFINITY, 0.0], true).map(drop), "offset[1]");
    let place = sim.elements().add_beam_load(0, 2.0, &ORIGIN, true).unwrap();
    told(sim.elements().add_beam_load(0, 2.0, &ORIGIN, true).map(drop), "2 is not above 2");
    assert_eq!(Beams::of(&sim).get(0).unwrap().loads.len(), 1);
    told(sim.inputs().set_beam_load(0, 1, Frame::Body, &[0.0; 6]), "1: the beam has 1");
    told(sim.inputs().set_beam_load(0, -1, Frame::Body, &[0.0; 6]), "-1: the beam has 1");
    told(sim.inputs().set_beam_load(2, 0, Frame::Body, &[0.0; 6]), "beam = 2");
    told(sim.inputs().set_beam_load(0, place, Frame::Body, &[0.0, 0.0, 0.0, f64::NAN, 0.0, 0.0]), "wrench[3]");
    assert_eq!(Beams::of(&sim).load(0, place).unwrap().1.wrench.as_slice(), [0.0; 6]);
    told(Beams::of(&sim).section_load(0, 1.0, Frame::Body).map(drop), "not allowed in phase");
    settle(&mut sim, nodes[2], [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    told(sim.elements().add_beam_load(0, 3.0, &ORIGIN, true).map(drop), "not allowed in phase");
    told(Beams::of(&sim).section_load(0, -0.1, Frame::Body).map(drop), "-0.1 is not on the beam");
    told(Beams::of(&sim).strains(bare, 0.0).map(drop), "is not on the beam");
    told(Beams::of(&sim).load_motion(0, 7).map(drop), "7: the beam has 1");
    let text = sim.description().model_text().unwrap();
    for (from, to, at) in
        [("s = 2.0\noffset", "s = 9.0\noffset", "key \"s\""), ("distributed = true", "distribute = true", "distribute")]
    {
        assert!(text.contains(from), "{text}");
        let error = read_model(Path::new("blade.toml"), text.replace(from, to).as_bytes()).err().unwrap().to_string();
        assert!(error.contains(at), "{error}");
    }
    assert_eq!(sim.description().count(EntityKind::BeamElement), 2);
}
