//! Clutches, freewheels and dog clutches between coordinates of joints against closed forms.

use crate::common::*;
use crate::gears::wheel;
use pintle::{
    Clutches, EntityKind, GROUND, Id, JointKind, JointMachines, Simulation, add_clutch, set_clutch_capacity,
    set_clutch_stop,
};

const SCHEMES: [&str; 4] = ["generalized-alpha", "momentum-alpha", "newmark", "hht"];
const Z: [f64; 3] = [0.0, 0.0, 1.0];
const LOCKED: f64 = f64::INFINITY;

/// A clutch between coordinates, with default slip.
fn clutch(sim: &mut Simulation, [a, b]: [Id; 2], ratio: f64, capacities: [f64; 2]) -> Id {
    add_clutch(sim, [(a, false), (b, false)], [ratio, 1.0, 0.0], capacities).unwrap()
}

/// Two wheels of these inertias and speeds, with a clutch.
fn two_wheels(j: [f64; 2], w: [f64; 2], ratio: f64, capacities: [f64; 2]) -> (Simulation, [Id; 2], Id) {
    two_wheels_at(0.0, j, w, ratio, capacities)
}

/// The same at some distance.
fn two_wheels_at(far: f64, j: [f64; 2], w: [f64; 2], ratio: f64, capacities: [f64; 2]) -> (Simulation, [Id; 2], Id) {
    let mut sim = Simulation::new();
    let joints = [wheel(&mut sim, j[0], far, w[0]), wheel(&mut sim, j[1], far + 3.0, w[1])];
    let clutch = clutch(&mut sim, joints, ratio, capacities);
    (sim, joints, clutch)
}

fn rates(sim: &Simulation, joints: [Id; 2]) -> [f64; 2] {
    joints.map(|joint| sim.outputs().joint_coordinate(joint).unwrap()[1])
}

fn energy(sim: &Simulation) -> f64 {
    let (kinetic, potential) = sim.outputs().energy().unwrap();
    kinetic + potential
}

/// The events of clutches of a step: name and time.
fn events(sim: &Simulation) -> Vec<(&'static str, f64)> {
    let events = JointMachines::of(sim).events().unwrap().iter().filter(|event| event.clutch().is_some());
    events.map(|event| (event.change.name(), event.time)).collect()
}

/// Speeds of b less ratio times a fall at T (1/J_b + ratio^2/J_a); what that takes of the energy is
/// half its square over that sum.
#[test]
fn a_closing_clutch_locks_when_and_where_momentum_says() {
    for scheme in SCHEMES {
        for (ratio, w) in [(1.0, [50.0, 0.0]), (-0.4, [50.0, 8.0]), (2.5, [-3.0, 40.0])] {
            let (j, torque) = ([0.3, 0.5], 2.0);
            let (mut sim, joints, clutch) = two_wheels(j, w, ratio, [torque, torque]);
            sim.settings().set_scheme(scheme).unwrap();
            sim.initialize(0.0).unwrap();
            let (slip, mobility) = (w[1] - ratio * w[0], 1.0 / j[1] + ratio * ratio / j[0]);
            let (locks, start) = (slip.abs() / (torque * mobility), energy(&sim));
            let (mut all, mut k) = (Vec::new(), 0);
            while sim.time().unwrap() < 1.2 * locks {
                k += 1;
                sim.step(locks / 17.3 * if k % 2 == 0 { 0.4 } else { 1.3 }).unwrap();
                all.extend(events(&sim));
            }
            assert_eq!(all.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["sticks"], "{scheme} {ratio}");
            // The rate is zero to 1e-11 rad per step.
            assert!((all[0].1 - locks).abs() < 1e-10 * locks, "{scheme} {ratio}: {}", all[0].1 - locks);
            let impulse = -slip / mobility;
            let expected = [w[0] - ratio * impulse / j[0], w[1] + impulse / j[1]];
            assert_close("speeds", &rates(&sim, joints), &expected, 1e-10 * w[0].abs().max(w[1].abs()));
            let lost = 0.5 * slip * slip / mobility;
            let output = Clutches::of(&sim).output(clutch).unwrap();
            assert!((output.dissipated - lost).abs() < 1e-9 * lost, "{scheme} {ratio}: {}", output.dissipated - lost);
            assert!((start - energy(&sim) - lost).abs() < 1e-9 * start, "{scheme}");
            assert_eq!((output.mode, output.limits), (1, [torque; 2]));
            // Its spring turns a rate of 1e-10 rad/s into 1e-8 of the torque.
            assert!(output.slip_rate.abs() < 1e-8 && output.torque.abs() < 1e-6 * torque);
        }
    }
}

/// What turns together for hours does not creep, although the angles make thousands of turns.
#[test]
fn what_a_clutch_holds_does_not_creep() {
    let (j, torque) = ([0.3, 0.5], 2.0);
    let (mut sim, joints, clutch) = two_wheels(j, [30.0, 30.0], 1.0, [torque, torque]);
    sim.inputs().set_joint_load(joints[0], 1.9).unwrap();
    sim.inputs().set_joint_load(joints[1], -1.9).unwrap();
    sim.initialize(0.0).unwrap();
    let apart = |sim: &Simulation| {
        let [a, b] = joints.map(|joint| sim.outputs().joint_coordinate(joint).unwrap()[0]);
        b - a
    };
    let start = apart(&sim);
    (0..20_000).for_each(|_| sim.step(0.05).unwrap());
    // The coordinates are rounded at 3e4 rad.
    assert!((apart(&sim) - start).abs() < 1e-10, "{}", apart(&sim) - start);
    let output = Clutches::of(&sim).output(clutch).unwrap();
    assert_eq!((output.mode, output.dissipated), (1, 0.0));
    assert!((output.torque - 1.9).abs() < 1e-9, "{}", output.torque);
    assert_close("speeds", &rates(&sim, joints), &[30.0; 2], 1e-8);
}

/// It holds to static_ratio times the capacity, and slips with the capacity, which differs by
/// direction.
#[test]
fn a_clutch_slips_above_its_static_capacity() {
    let j = [0.3, 0.5];
    let mut sim = Simulation::new();
    let joints = [wheel(&mut sim, j[0], 0.0, 0.0), wheel(&mut sim, j[1], 3.0, 0.0)];
    let of = joints.map(|joint| (joint, false));
    let id = add_clutch(&mut sim, of, [1.0, 1.5, 1e-5], [2.0, 3.0]).unwrap();
    sim.initialize(0.0).unwrap();
    // A load M on a is carried to b by the part J_b/(J_a + J_b).
    let part = j[1] / (j[0] + j[1]);
    for (capacity, sign) in [(2.0, -1.0), (3.0, 1.0)] {
        let limit = 1.5 * capacity;
        let held = 0.999 * limit / part;
        // A load that jumps, not one that grows over a step: the spring of what holds rings then.
        sim.inputs().set_joint_load(joints[0], sign * held).unwrap();
        if sim.time().unwrap() > 0.0 {
            sim.inputs().mark_discontinuity().unwrap();
        }
        (0..10).for_each(|_| sim.step(0.01).unwrap());
        let output = Clutches::of(&sim).output(id).unwrap();
        assert_eq!((output.mode, output.limits), (1, [3.0, 4.5]));
        assert!((output.torque - sign * 0.999 * limit).abs() < 1e-6, "{}", output.torque);
        let load = 1.001 * limit / part;
        sim.inputs().set_joint_load(joints[0], sign * load).unwrap();
        sim.inputs().mark_discontinuity().unwrap();
        sim.step(0.01).unwrap();
        assert_eq!(events(&sim)[0].0, "slips");
        let before = rates(&sim, joints);
        (0..10).for_each(|_| sim.step(0.01).unwrap());
        let gained = [0, 1].map(|k| rates(&sim, joints)[k] - before[k]);
        let expected = [sign * 0.1 * (load - capacity) / j[0], sign * 0.1 * capacity / j[1]];
        assert_close("slips", &gained, &expected, 1e-10);
        // The other way, until it holds again.
        sim.inputs().set_joint_load(joints[0], 0.0).unwrap();
        while Clutches::of(&sim).output(id).unwrap().mode == 0 {
            sim.step(0.01).unwrap();
        }
    }
}

/// Two shafts in a gearbox that flies: the reaction on it is (ratio - 1) T, and the momenta of the
/// whole are kept.
#[test]
fn a_clutch_in_a_free_gearbox_keeps_the_momentum() {
    for (far, ratio) in [(0.0, 1.0), (0.0, -2.0), (1e6, 0.3)] {
        let mut sim = Simulation::new();
        let (j, torque) = ([0.3, 0.5, 2.0], 4.0);
        let speeds = [20.0, -5.0, 1.0];
        let at = pose([far, -far, 0.5 * far], UNROTATED);
        let bodies: Vec<Id> = j
            .iter()
            .zip(speeds)
            .map(|(j, speed)| {
                let inertia = [*j, *j, *j, 0.0, 0.0, 0.0];
                let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &at).unwrap();
                sim.build().set_body_velocity(body, &[0.7, 0.0, -0.2, 0.0, 0.0, speed]).unwrap();
                body
            })
            .collect();
        let origin = [far, -far, 0.5 * far];
        let joints = [bodies[0], bodies[1]]
            .map(|shaft| sim.build().add_joint_at(JointKind::Revolute, bodies[2], shaft, &origin, Some(&Z)).unwrap());
        clutch(&mut sim, joints, ratio, [torque, torque]);
        sim.initialize(0.0).unwrap();
        let momentum = |sim: &Simulation| sim.outputs().momentum(&origin).unwrap();
        let start = momentum(&sim);
        let slip = (speeds[1] - speeds[2]) - ratio * (speeds[0] - speeds[2]);
        let mobility = 1.0 / j[1] + ratio * ratio / j[0] + (1.0 - ratio) * (1.0 - ratio) / j[2];
        let locks = slip.abs() / (torque * mobility);
        let mut found = Vec::new();
        while sim.time().unwrap() < 1.1 * locks {
            sim.step(locks / 30.7).unwrap();
            found.extend(events(&sim));
        }
        assert_eq!(found.len(), 1);
        // Positions are rounded to 1e-10 m at 1e6 m.
        let tolerance = if far > 0.0 { 1e-7 } else { 1e-9 };
        assert!((found[0].1 - locks).abs() < tolerance * locks, "{far} {ratio}: {}", found[0].1 - locks);
        let impulse = -slip / mobility;
        let expected = [
            speeds[0] - ratio * impulse / j[0],
            speeds[1] + impulse / j[1],
            speeds[2] + (ratio - 1.0) * impulse / j[2],
        ];
        let spins: Vec<f64> =
            bodies.iter().map(|body| sim.outputs().body_velocity(*body, pintle::Frame::Inertial).unwrap()[5]).collect();
        assert_close("spins", &spins, &expected, 1e2 * tolerance);
        assert_close("momentum", &momentum(&sim)[3..], &start[3..], 1e2 * tolerance);
    }
}

/// A dog clutch closes by the impulse that its slip asks for.
#[test]
fn a_dog_clutch_closes_by_an_impulse() {
    for ratio in [1.0, -3.0] {
        let (j, w) = ([0.3, 0.5], [40.0, 7.0]);
        let (mut sim, joints, id) = two_wheels(j, w, ratio, [0.0, 0.0]);
        sim.initialize(0.0).unwrap();
        sim.step(0.01).unwrap();
        assert_close("open", &rates(&sim, joints), &w, 1e-12);
        set_clutch_capacity(&mut sim, id, [LOCKED; 2]).unwrap();
        sim.inputs().set_joint_load(joints[0], 3.0).unwrap();
        sim.step(0.01).unwrap();
        let slip = w[1] - ratio * w[0];
        let impulse = -slip / (1.0 / j[1] + ratio * ratio / j[0]);
        let hit = JointMachines::of(&sim).events().unwrap()[0];
        assert_eq!((hit.change.name(), hit.clutch()), ("hits", Some(0)));
        assert!((hit.impulse - impulse).abs() < 1e-12 * impulse.abs(), "{}", hit.impulse - impulse);
        (0..99).for_each(|_| sim.step(0.01).unwrap());
        // Both turn under the load as one, J_a + ratio^2 J_b.
        let before = rates(&sim, joints);
        assert!((before[0] - (w[0] - ratio * impulse / j[0] + 3.0 / (j[0] + ratio * ratio * j[1]))).abs() < 0.1);
        (0..100).for_each(|_| sim.step(0.01).unwrap());
        let gained = 3.0 / (j[0] + ratio * ratio * j[1]);
        let expected = [before[0] + gained, before[1] + ratio * gained];
        assert_close("locked", &rates(&sim, joints), &expected, 1e-8);
        let output = Clutches::of(&sim).output(id).unwrap();
        assert_eq!((output.mode, output.limits), (1, [LOCKED; 2]));
        let torque = ratio * j[1] * 3.0 / (j[0] + ratio * ratio * j[1]);
        // The stiff spring turns the rounding of the angles, 1e-15 rad, into 1e-6 of the torque.
        assert!((output.torque - torque).abs() < 1e-5, "{}", output.torque - torque);
        // It opens, and b keeps its speed.
        set_clutch_capacity(&mut sim, id, [0.0; 2]).unwrap();
        let before = rates(&sim, joints);
        sim.step(0.01).unwrap();
        assert_close("opened", &rates(&sim, joints), &[before[0] + 0.01 * 3.0 / j[0], before[1]], 1e-9);
    }
}

/// A freewheel whose drive swings: b is driven while it would be slower than a, and runs on against
/// its load M otherwise. It lets go where the drive slows down faster than M/J, and takes hold
/// where the speeds meet.
#[test]
fn a_freewheel_ratchets() {
    for (scheme, back) in SCHEMES.into_iter().flat_map(|scheme| [(scheme, false), (scheme, true)]) {
        let errors = [0.01, 0.005].map(|h| ratchet(scheme, back, h));
        // Speeds of what is driven are of second order.
        assert!(errors[0].abs() < 1e-3 && errors[1].abs() < 0.3 * errors[0].abs().max(1e-4), "{scheme}: {errors:?}");
    }
}

/// Runs it; the error of the angle of b after 4 s.
fn ratchet(scheme: &str, back: bool, h: f64) -> f64 {
    let (amplitude, w, j, load) = (0.5, 4.0f64, 0.5, 1.0);
    // The mirror image holds b back.
    let side = if back { -1.0 } else { 1.0 };
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    let joints = [wheel(&mut sim, 0.3, 0.0, 0.0), wheel(&mut sim, j, 3.0, 0.0)];
    sim.build().set_joint_driven(joints[0], true).unwrap();
    let id = clutch(&mut sim, joints, 1.0, if back { [LOCKED, 0.0] } else { [0.0, LOCKED] });
    let drive = |sim: &mut Simulation, t: f64| {
        let (sin, cos) = (w * t).sin_cos();
        let motion = [1.0 - cos, w * sin, w * w * cos].map(|x| side * amplitude * x);
        sim.inputs().set_joint_motion(joints[0], motion[0], motion[1], motion[2]).unwrap();
    };
    drive(&mut sim, 0.0);
    sim.inputs().set_joint_load(joints[1], -side * load).unwrap();
    sim.initialize(0.0).unwrap();
    let mut found = Vec::new();
    for k in 1..=(4.0 / h).round() as usize {
        drive(&mut sim, k as f64 * h);
        sim.step(h).unwrap();
        found.extend(events(&sim));
    }
    // Lets go at cos(w t) = -M/(J A w^2); b then has the angle and the speed of a.
    let speed = |t: f64| amplitude * w * (w * t).sin();
    let angle = |t: f64| amplitude * (1.0 - (w * t).cos());
    let period = std::f64::consts::TAU / w;
    let lets_go = (-load / (j * amplitude * w * w)).acos() / w;
    let (end, mut expected, mut turned, mut last) = (4.0, Vec::new(), 0.0, 0.0);
    for turn in 0..3 {
        let from = f64::from(turn) * period + lets_go;
        turned += angle(from) - angle(last);
        let free = |t: f64| speed(from) - load / j * (t - from);
        let (mut low, mut high) = (from + 1e-3, from + period);
        while high - low > 1e-14 * high {
            let t = 0.5 * (low + high);
            if free(t) > speed(t) { low = t } else { high = t }
        }
        last = low.min(end);
        turned += speed(from) * (last - from) - 0.5 * load / j * (last - from).powi(2);
        expected.push(("slips", from));
        if low < end {
            expected.push(("sticks", low));
        }
    }
    // Newmark does not damp the torque of what is held, which lets go and takes hold once more.
    if scheme != "newmark" && h == 0.01 {
        assert_eq!(found.len(), expected.len(), "{scheme} {back}: {found:?}");
        for ((name, time), (right_name, right)) in found.iter().zip(&expected) {
            assert_eq!(name, right_name);
            assert!((time - right).abs() < 2e-5, "{scheme} {back} {name}: {}", time - right);
        }
    }
    let reached = side * sim.outputs().joint_coordinate(joints[1]).unwrap()[0];
    assert_eq!(sim.outputs().statistic("unlocated_events").unwrap(), 0.0);
    assert_eq!(Clutches::of(&sim).output(id).unwrap().dissipated, 0.0);
    reached - turned
}

/// A freewheel that is put in while it would have to slip the wrong way takes up the slip by an
/// impulse; one that overruns does nothing.
#[test]
fn a_freewheel_catches_one_way_only() {
    let j = [0.3, 0.5];
    for (w, catches) in [([10.0, 4.0], true), ([4.0, 10.0], false)] {
        let (mut sim, joints, id) = two_wheels(j, w, 1.0, [0.0, 0.0]);
        sim.initialize(0.0).unwrap();
        sim.step(0.01).unwrap();
        set_clutch_capacity(&mut sim, id, [0.0, LOCKED]).unwrap();
        (0..10).for_each(|_| sim.step(0.01).unwrap());
        let common = (j[0] * w[0] + j[1] * w[1]) / (j[0] + j[1]);
        let expected = if catches { [common; 2] } else { w };
        assert_close("speeds", &rates(&sim, joints), &expected, 1e-11);
        // Nothing pulls: what holds without a load stays where it is, without events.
        (0..100).for_each(|_| sim.step(0.01).unwrap());
        assert_close("later", &rates(&sim, joints), &expected, 1e-11);
        assert!(sim.outputs().statistic("events").unwrap() < 2.0, "{}", sim.outputs().statistic("events").unwrap());
        assert_eq!(sim.outputs().statistic("unlocated_events").unwrap(), 0.0);
    }
}

/// A rack: the clutch between the angle of a wheel and a displacement, in metres, millimetres and
/// kilometres.
#[test]
fn clutches_do_not_depend_on_units() {
    let run = |unit: f64| {
        let mut sim = Simulation::new();
        let square = unit * unit;
        let inertia = [0.3, 0.3, 0.3, 0.0, 0.0, 0.0].map(|x| x * square);
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose([0.0; 3], UNROTATED)).unwrap();
        sim.build().set_body_velocity(body, &join([0.0; 3], scale(20.0, Z))).unwrap();
        let pinion = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&Z)).unwrap();
        let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &inertia, &pose([unit, 0.0, 0.0], UNROTATED)).unwrap();
        let rack = sim.build().add_joint_at(JointKind::Prismatic, GROUND, body, &[unit, 0.0, 0.0], Some(&Z)).unwrap();
        let id = clutch(&mut sim, [pinion, rack], 0.2 * unit, [3.0 * unit, 5.0 * unit]);
        sim.initialize(0.0).unwrap();
        (0..60).for_each(|_| sim.step(0.02).unwrap());
        sim.inputs().set_joint_load(rack, 30.0 * unit).unwrap();
        (0..30).for_each(|_| sim.step(0.02).unwrap());
        let coordinate = |joint| sim.outputs().joint_coordinate(joint).unwrap();
        let dissipated = Clutches::of(&sim).output(id).unwrap().dissipated;
        (coordinate(pinion)[..2].to_vec(), coordinate(rack).map(|x| x / unit)[..2].to_vec(), dissipated / square)
    };
    let right = run(1.0);
    assert!(right.2 > 1.0);
    for unit in [1e-3, 1e3] {
        let found = run(unit);
        assert_close("pinion", &found.0, &right.0, 1e-8);
        assert_close("rack", &found.1, &right.1, 1e-8);
        assert!((found.2 - right.2).abs() < 1e-8, "{unit}");
    }
}

/// Wheels with loads and clutches of every kind between neighbours.
fn train(count: usize) -> (Simulation, Vec<Id>, Vec<Id>) {
    let mut sim = Simulation::new();
    let joints: Vec<Id> =
        (0..count).map(|k| wheel(&mut sim, 0.2 + 0.01 * (k % 7) as f64, k as f64, (k % 5) as f64)).collect();
    let ids = joints.windows(2).enumerate().map(|(k, pair)| {
        let capacities = [[1.0, 2.0], [0.0, LOCKED], [3.0, 3.0], [LOCKED, 0.5]][k % 4];
        clutch(&mut sim, [pair[0], pair[1]], [1.0, -0.5, 1.5][k % 3], capacities)
    });
    let ids = ids.collect();
    for (k, joint) in joints.iter().enumerate() {
        sim.inputs().set_joint_load(*joint, [0.4, -1.0, 0.2][k % 3]).unwrap();
    }
    (sim, joints, ids)
}

/// A state that is saved while some clutches hold and others slip goes on to the bit in a fresh
/// object, and a trial that is rejected leaves nothing.
#[test]
fn restored_and_repeated_steps_have_the_same_bits() {
    let bits = |sim: &Simulation, joints: &[Id]| -> Vec<u64> {
        joints.iter().flat_map(|joint| sim.outputs().joint_coordinate(*joint).unwrap()).map(f64::to_bits).collect()
    };
    let (mut sim, joints, ids) = train(9);
    sim.initialize(0.0).unwrap();
    (0..37).for_each(|_| sim.step(0.01).unwrap());
    let modes: Vec<i32> = ids.iter().map(|id| Clutches::of(&sim).output(*id).unwrap().mode).collect();
    assert!(modes.contains(&0) && modes.contains(&1), "{modes:?}");
    let saved = sim.save().unwrap();
    let mut bytes = vec![0; saved.serialized_len()];
    saved.serialize_into(&mut bytes).unwrap();
    let (mut fresh, ..) = train(9);
    fresh.initialize(0.0).unwrap();
    fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
    let mut copy = sim.clone();
    for sim in [&mut sim, &mut fresh] {
        set_clutch_capacity(sim, ids[0], [5.0, 0.0]).unwrap();
        (0..20).for_each(|_| sim.step(0.01).unwrap());
    }
    for k in 0..20 {
        // A trial with other capacities is dropped.
        set_clutch_capacity(&mut copy, ids[0], [LOCKED, LOCKED]).unwrap();
        set_clutch_capacity(&mut copy, ids[3], [0.0, 0.1 * k as f64]).unwrap();
        copy.advance(0.013).unwrap();
        copy.reject().unwrap();
        set_clutch_capacity(&mut copy, ids[0], [5.0, 0.0]).unwrap();
        set_clutch_capacity(&mut copy, ids[3], [LOCKED, 0.5]).unwrap();
        copy.advance(0.01).unwrap();
        copy.accept().unwrap();
    }
    assert_eq!(bits(&sim, &joints), bits(&fresh, &joints));
    assert_eq!(bits(&sim, &joints), bits(&copy, &joints));
}

/// A host that closes the clutch along a ramp: the capacity of each step is that for its end.
#[test]
fn capacities_act_from_the_accepted_time_on() {
    let (j, w, h) = ([0.3, 0.5], [50.0, 0.0], 0.01);
    let (mut sim, joints, id) = two_wheels(j, w, 1.0, [0.0, 0.0]);
    sim.initialize(0.0).unwrap();
    let mut impulse = 0.0;
    for k in 1..=50 {
        let capacity = 0.1 * k as f64;
        set_clutch_capacity(&mut sim, id, [capacity, capacity]).unwrap();
        sim.step(h).unwrap();
        impulse += h * capacity;
        assert_eq!(Clutches::of(&sim).output(id).unwrap().torque, capacity);
    }
    assert_close("speeds", &rates(&sim, joints), &[w[0] - impulse / j[0], impulse / j[1]], 1e-11);
}

/// Both joints are driven: the clutch changes their reactions alone.
#[test]
fn a_clutch_between_drives_changes_reactions() {
    let (mut sim, joints, id) = two_wheels([0.3, 0.5], [1.0, 3.0], 2.0, [1.5, 1.5]);
    for (joint, rate) in joints.into_iter().zip([1.0, 3.0]) {
        sim.build().set_joint_driven(joint, true).unwrap();
        sim.inputs().set_joint_motion(joint, 0.0, rate, 0.0).unwrap();
    }
    sim.initialize(0.0).unwrap();
    for k in 1..=20 {
        for (joint, rate) in joints.into_iter().zip([1.0, 3.0]) {
            sim.inputs().set_joint_motion(joint, 0.01 * k as f64 * rate, rate, 0.0).unwrap();
        }
        sim.step(0.01).unwrap();
    }
    let output = Clutches::of(&sim).output(id).unwrap();
    assert_eq!((output.mode, output.torque), (0, -1.5));
    assert!((output.slip_rate - 1.0).abs() < 1e-12 && (output.dissipated - 0.3).abs() < 1e-12);
    let named = |suffix: &str| {
        let channels = sim.channels();
        let names = (0..channels.count().unwrap()).map(|k| channels.name(k).unwrap().to_owned());
        let k = names.collect::<Vec<_>>().iter().position(|name| *name == format!("clutch0.{suffix}")).unwrap();
        let mut all = vec![0.0; channels.count().unwrap() as usize];
        channels.values(&mut all).unwrap();
        all[k]
    };
    assert_eq!(
        ["mode", "torque", "slip_rate", "slip_energy"].map(named),
        [0.0, -1.5, output.slip_rate, output.dissipated]
    );
    let moments = joints.map(|joint| sim.outputs().joint_reaction(joint, pintle::Frame::Inertial).unwrap()[5]);
    // The reaction on b of each joint balances 3 and -1.5.
    assert_close("reactions", &moments, &[-3.0, 1.5], 1e-9);
}

/// Two shafts in the play of their gears: teeth hit where the difference of their angles has
/// crossed the play, with an impulse -(1 + e) ds/dt/(1/J_b + ratio^2/J_a) on b and -ratio times
/// that on a.
#[test]
fn gears_with_backlash_hit_at_both_ends_of_their_play() {
    for scheme in SCHEMES {
        let cases = [(0.0, 1.0, 1.0), (0.0, -0.4, 0.7), (0.0, 2.5, 0.5), (1e6, 2.5, 0.5)];
        for (far, ratio, e) in cases {
            let (j, mut w) = ([0.3, 0.5], [3.0, 1.0]);
            let (mut sim, joints, id) = two_wheels_at(far, j, w, ratio, [0.0, 0.0]);
            sim.settings().set_scheme(scheme).unwrap();
            set_clutch_stop(&mut sim, id, [-0.02, 0.05], 1, [1e5, 0.0, e]).unwrap();
            sim.initialize(0.0).unwrap();
            let (start, momentum) = (energy(&sim), j[1] * w[1] * ratio + j[0] * w[0]);
            let mobility = 1.0 / j[1] + ratio * ratio / j[0];
            let (mut q, mut hits) = ([0.0; 2], 0);
            for k in 0..60 {
                let h = if k % 2 == 0 { 0.004 } else { 0.013 };
                sim.step(h).unwrap();
                let mut left = h;
                loop {
                    let (s, rate) = (q[1] - ratio * q[0], w[1] - ratio * w[0]);
                    let reaches = if rate > 0.0 { (0.05 - s) / rate } else { (-0.02 - s) / rate };
                    if reaches > left {
                        break;
                    }
                    q = [q[0] + w[0] * reaches, q[1] + w[1] * reaches];
                    let impulse = -(1.0 + e) * rate / mobility;
                    w = [w[0] - ratio * impulse / j[0], w[1] + impulse / j[1]];
                    (left, hits) = (left - reaches, hits + 1);
                }
                q = [q[0] + w[0] * left, q[1] + w[1] * left];
                // Each hit is located to 1e-11 rad.
                assert_close("speeds", &rates(&sim, joints), &w, 1e-9);
                let found = joints.map(|joint| sim.outputs().joint_coordinate(joint).unwrap()[0]);
                assert_close("angles", &found, &q, 1e-9);
            }
            assert!(hits >= 3, "{scheme} {ratio}: {hits}");
            let [a, b] = rates(&sim, joints);
            assert!((j[1] * b * ratio + j[0] * a - momentum).abs() < 1e-11 || ratio != 1.0, "{scheme} {ratio}");
            // It falls by (1 - e^2)/2 of what slips, at each hit.
            let slips = 0.5 * (1.0 - ratio * 3.0).powi(2) / mobility;
            let expected = start - slips * (1.0 - e.powi(2 * hits));
            assert!((energy(&sim) - expected).abs() < 1e-9, "{scheme} {ratio}: {}", energy(&sim) - expected);
        }
    }
}

/// A wheel that rattles in the play 2 b of one that swings by A sin(W t): flights of half a period
/// at the rate u, which is reversed where
///
/// ```text
/// A sin = u T/4 - b,   A W cos = -u (1 - e)/(1 + e)
/// ```
#[test]
fn a_loose_gear_rattles_at_the_rate_of_the_closed_form() {
    let (amplitude, frequency, play, e) = (0.005, 10.0, 0.01, 0.6);
    let (quarter, slope) = (std::f64::consts::FRAC_PI_2 / frequency, (1.0 - e) / ((1.0 + e) * frequency));
    // (u T/4 - b)^2 + (u slope)^2 = A^2, the larger root.
    let (a, b, c) = (quarter * quarter + slope * slope, -2.0 * quarter * play, play * play - amplitude * amplitude);
    let u = (-b + f64::sqrt(b * b - 4.0 * a * c)) / (2.0 * a);
    // The time of a hit at the upper stop.
    let hit = f64::atan2(u * quarter - play, -u * slope) / frequency;
    let error = |scheme: &str, n: usize| {
        let mut sim = Simulation::new();
        let start = 0.3 * quarter;
        let swings = amplitude * frequency * (frequency * (hit + start)).cos();
        let joints = [wheel(&mut sim, 0.3, 0.0, swings), wheel(&mut sim, 0.5, 3.0, -u)];
        sim.build().set_joint_driven(joints[0], true).unwrap();
        let id = clutch(&mut sim, joints, 1.0, [0.0, 0.0]);
        set_clutch_stop(&mut sim, id, [-play, play], 1, [1e5, 0.0, e]).unwrap();
        sim.settings().set_scheme(scheme).unwrap();
        let drive = |sim: &mut Simulation, t: f64| {
            let (sin, cos) = (frequency * t).sin_cos();
            let motion = [amplitude * sin, amplitude * frequency * cos, -amplitude * frequency * frequency * sin];
            sim.inputs().set_joint_motion(joints[0], motion[0], motion[1], motion[2]).unwrap();
        };
        // The angle of b counts from that at the start, where it flies down from the hit.
        drive(&mut sim, hit + start);
        sim.build().set_joint_offset(joints[0], amplitude * (frequency * (hit + start)).sin()).unwrap();
        let offset = u * (quarter - start);
        sim.build().set_joint_offset(joints[1], offset).unwrap();
        sim.initialize(0.0).unwrap();
        let h = 4.0 * quarter / n as f64;
        let mut largest = 0.0f64;
        for k in 1..=4 * n {
            let t = h * k as f64;
            drive(&mut sim, hit + start + t);
            sim.step(h).unwrap();
            // A zigzag between plus and minus u T/4.
            let phase = (start + t).rem_euclid(4.0 * quarter);
            let flown = if phase < 2.0 * quarter { quarter - phase } else { phase - 3.0 * quarter };
            largest = largest.max((sim.outputs().joint_coordinate(joints[1]).unwrap()[0] - u * flown).abs());
        }
        assert!(sim.outputs().statistic("events").unwrap() >= 8.0, "{scheme}");
        largest
    };
    for scheme in SCHEMES {
        let errors = [40, 80, 160].map(|n| error(scheme, n));
        // The motion of the drive between the ends of steps is of third order or better.
        assert!(errors[0] < 0.01 * play, "{scheme}: {errors:?}");
        assert!(errors[1] < 0.4 * errors[0] && errors[2] < 0.4 * errors[1], "{scheme}: {errors:?}");
    }
}

/// What its teeth are pressed together with is carried by a spring and damper, too, and the stops
/// may change between steps.
#[test]
fn stops_of_clutches_change_between_steps_and_belong_to_the_state() {
    let build = || {
        let (mut sim, joints, id) = two_wheels([0.3, 0.5], [0.0, 2.0], 1.0, [0.0, 0.0]);
        set_clutch_stop(&mut sim, id, [-0.05, 0.05], 0, [500.0, 1.0, 0.0]).unwrap();
        sim.initialize(0.0).unwrap();
        (sim, joints, id)
    };
    let run = |sim: &mut Simulation, joints: [Id; 2]| {
        (0..40).for_each(|_| sim.step(0.005).unwrap());
        rates(sim, joints)
    };
    let (mut sim, joints, id) = build();
    let start = energy(&sim);
    run(&mut sim, joints);
    // It has hit once, and the damper has taken some of the energy.
    assert!(energy(&sim) < 0.99 * start && sim.outputs().statistic("events").unwrap() >= 2.0);
    assert_close("momentum", &[0.3 * rates(&sim, joints)[0] + 0.5 * rates(&sim, joints)[1]], &[1.0], 1e-11);
    set_clutch_stop(&mut sim, id, [f64::NEG_INFINITY, 0.3], 1, [1e4, 0.0, 0.5]).unwrap();
    let saved = sim.save().unwrap();
    let mut bytes = vec![0; saved.serialized_len()];
    saved.serialize_into(&mut bytes).unwrap();
    let expected = run(&mut sim, joints);
    let (mut fresh, ..) = build();
    fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
    assert_eq!(Clutches::of(&fresh).stop(id).unwrap(), ([f64::NEG_INFINITY, 0.3], 1, [1e4, 0.0, 0.5]));
    assert_eq!(run(&mut fresh, joints), expected);
}

#[test]
fn a_clutch_on_a_broken_joint_does_nothing() {
    let (mut sim, joints, id) = two_wheels([0.3, 0.5], [10.0, 0.0], 1.0, [2.0, 2.0]);
    sim.initialize(0.0).unwrap();
    sim.step(0.01).unwrap();
    pintle::break_joint(&mut sim, joints[0]).unwrap();
    let rate = |sim: &Simulation| sim.outputs().joint_coordinate(joints[1]).unwrap()[1];
    let before = rate(&sim);
    (0..10).for_each(|_| sim.step(0.01).unwrap());
    assert_close("free", &[rate(&sim)], &[before], 1e-12);
    assert_eq!(Clutches::of(&sim).output(id).unwrap().mode, 4);
}

#[test]
fn clutches_need_a_scheme_that_locates_events() {
    for scheme in ["rk4", "lab2"] {
        let (mut sim, ..) = two_wheels([0.3, 0.5], [10.0, 0.0], 1.0, [2.0, 2.0]);
        sim.settings().set_scheme(scheme).unwrap();
        let error = sim.initialize(0.0).unwrap_err().to_string();
        assert!(error.contains("clutch 0 has a capacity, which goes with"), "{error}");
    }
    assert_eq!(EntityKind::from_name("clutch").unwrap(), EntityKind::Clutch);
}
