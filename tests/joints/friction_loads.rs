//! Friction that grows with the reaction of its joint against closed forms and quadratures.

use crate::common::*;
use pintle::{
    BodyLoad, BodyMotion, FrictionLoad, GROUND, Id, JointKind, JointMachines, Simulation, set_joint_friction_load,
};
use std::sync::Arc;

const SCHEMES: [&str; 4] = ["generalized-alpha", "momentum-alpha", "newmark", "hht"];
const G: f64 = 9.81;
const M: f64 = 2.0;
const J: f64 = 0.1;

fn load(axial: f64, radial: f64, bending: f64, static_ratio: f64) -> FrictionLoad {
    FrictionLoad { axial, radial, bending, static_ratio }
}

/// A body on a joint along an axis at `at`, its centre of mass `arm` from there, with a rate about
/// or along it.
fn on_joint(kind: JointKind, axis: [f64; 3], at: [f64; 3], arm: [f64; 3], rate: f64) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let centre = std::array::from_fn(|k| at[k] + arm[k]);
    let body = sim.build().add_rigid_body(M, &[0.0; 3], &[J, J, J, 0.0, 0.0, 0.0], &pose(centre, UNROTATED)).unwrap();
    let along: [f64; 3] = std::array::from_fn(|k| rate * axis[k]);
    let velocity = match kind {
        JointKind::Prismatic => [along[0], along[1], along[2], 0.0, 0.0, 0.0],
        _ => {
            let v = cross(along, arm);
            [v[0], v[1], v[2], along[0], along[1], along[2]]
        }
    };
    sim.build().set_body_velocity(body, &velocity).unwrap();
    let joint = sim.build().add_joint_at(kind, GROUND, body, &at, Some(&axis)).unwrap();
    (sim, joint)
}

fn motion(sim: &Simulation, joint: Id) -> [f64; 2] {
    let [q, rate, _] = sim.outputs().joint_coordinate(joint).unwrap();
    [q, rate]
}

fn limit(sim: &Simulation, joint: Id) -> f64 {
    JointMachines::of(sim).output(joint, false).unwrap().limit
}

/// A rotor of weight m g slows down by the torque of its bearing: radial |F| where the axis is
/// level, axial F_z where it stands, and with the overhang L also bending m g L.
#[test]
fn a_rotor_runs_down_by_the_load_of_its_bearing() {
    let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    let cases = [
        (y, [0.0; 3], load(0.5, 0.006, 0.3, 1.0), 0.006 * M * G),
        (x, [0.4, 0.0, 0.0], load(0.0, 0.006, 0.01, 1.5), (0.006 + 0.01 * 0.4) * M * G),
        (z, [0.0, 0.0, 0.3], load(0.008, 0.5, 0.5, 1.2), 0.008 * M * G),
        // A negative axial counts force against the axis, of which there is none.
        (z, [0.0; 3], load(-0.008, 0.5, 0.5, 1.2), 0.0),
    ];
    for scheme in SCHEMES {
        for (far, (axis, arm, load, torque)) in [0.0, 1e6].into_iter().flat_map(|far| cases.map(|case| (far, case))) {
            let (mut sim, joint) = on_joint(JointKind::Revolute, axis, [far, 0.0, 0.0], arm, 20.0);
            sim.settings().set_scheme(scheme).unwrap();
            set_joint_friction_load(&mut sim, (joint, false), load).unwrap();
            sim.initialize(0.0).unwrap();
            let what = format!("{scheme} {axis:?} {far}");
            // Positions 1e6 m away are rounded to 1e-10 m, and so are reactions, to 1e-10 m/h^2 of
            // the mass; half as many of these remain in the mean.
            let rounding = if far == 0.0 { 1e-12 } else { 1e-6 };
            assert!((limit(&sim, joint) - load.static_ratio * torque).abs() < 1e-9 * M * G, "{what}");
            let stops = if torque > 0.0 { 20.0 * J / torque } else { f64::INFINITY };
            let (mut steps, end) = (0, stops.min(15.0));
            while sim.time().unwrap() < 0.8 * end {
                sim.step(if steps % 3 == 0 { 0.02 } else { 0.007 }).unwrap();
                steps += 1;
            }
            let t = sim.time().unwrap();
            let [q, rate] = motion(&sim, joint);
            assert!((rate - (20.0 - torque / J * t)).abs() < 20.0 * rounding * steps as f64, "{what}: {rate}");
            assert!((q - (20.0 - 0.5 * torque / J * t) * t).abs() < 300.0 * rounding * steps as f64, "{what}: {q}");
            if torque == 0.0 {
                continue;
            }
            while sim.time().unwrap() < 1.2 * stops {
                sim.step(0.01).unwrap();
            }
            let [q, rate] = motion(&sim, joint);
            let output = JointMachines::of(&sim).output(joint, false).unwrap();
            assert_eq!(output.mode, 1, "{what}");
            assert!(rate.abs() < 10.0 * rounding, "{what}: {rate}");
            assert!((q - 10.0 * stops).abs() < 1e3 * rounding * steps as f64, "{what}: {}", q - 10.0 * stops);
            let spent = 0.5 * J * 400.0;
            assert!((output.dissipated - spent).abs() < 1e3 * rounding * steps as f64, "{what}: {}", output.dissipated);
            // It holds without creeping.
            (0..1000).for_each(|_| sim.step(0.05).unwrap());
            let crept = motion(&sim, joint)[0] - q;
            assert!(crept.abs() < 10.0 * rounding, "{what}: {crept}");
        }
    }
}

/// Coulomb's law of a block on a slope: the normal force is the reaction of its slide.
#[test]
fn a_block_holds_and_slides_on_a_slope_by_its_normal_force() {
    for scheme in SCHEMES {
        for (tan, mu, ratio) in [(0.55f64, 0.5, 1.2), (0.7, 0.5, 1.2), (0.45, 0.5, 1.0)] {
            let axis = [tan.atan().cos(), 0.0, -tan.atan().sin()];
            let (mut sim, joint) = on_joint(JointKind::Prismatic, axis, [0.0; 3], [0.0; 3], 0.0);
            sim.settings().set_scheme(scheme).unwrap();
            set_joint_friction_load(&mut sim, (joint, false), load(0.0, mu, 0.0, ratio)).unwrap();
            sim.initialize(0.0).unwrap();
            let holds = tan < mu * ratio;
            let n = if holds { 20_000 } else { 100 };
            (0..n).for_each(|_| sim.step(0.02).unwrap());
            let acceleration = if holds { 0.0 } else { G * (tan.atan().sin() - mu * tan.atan().cos()) };
            let t = 0.02 * f64::from(n);
            let [q, rate] = motion(&sim, joint);
            assert!((q - 0.5 * acceleration * t * t).abs() < 1e-12, "{scheme} {tan}: {q}");
            assert!((rate - acceleration * t).abs() < 1e-12, "{scheme} {tan}: {rate}");
            let output = JointMachines::of(&sim).output(joint, false).unwrap();
            assert_eq!(output.mode, i32::from(holds), "{scheme} {tan}");
            let normal = M * G * tan.atan().cos();
            assert!((output.limit - ratio * mu * normal).abs() < 1e-9, "{scheme} {tan}: {}", output.limit);
        }
    }
}

/// Up a slope and back: both accelerations, and the time between, are those of Coulomb's law.
#[test]
fn a_block_thrown_up_a_slope_returns_as_its_friction_lets_it() {
    for (scheme, h) in SCHEMES.into_iter().flat_map(|scheme| [(scheme, 0.02), (scheme, 0.1)]) {
        let ((sin, cos), mu, v) = (0.5f64.sin_cos(), 0.2, 2.0);
        let (mut sim, joint) = on_joint(JointKind::Prismatic, [cos, 0.0, sin], [0.0; 3], [0.0; 3], v);
        sim.settings().set_scheme(scheme).unwrap();
        set_joint_friction_load(&mut sim, (joint, false), load(0.0, mu, 0.0, 1.2)).unwrap();
        sim.initialize(0.0).unwrap();
        while sim.time().unwrap() < 0.9 - 1e-9 {
            sim.step(h).unwrap();
        }
        let [up, down] = [G * (sin + mu * cos), G * (sin - mu * cos)];
        let (turns, t) = (v / up, sim.time().unwrap());
        let expected = 0.5 * v * v / up - 0.5 * down * (t - turns) * (t - turns);
        // The turn is located to 1e-11.
        let error = (motion(&sim, joint)[0] - expected).abs();
        assert!(error < 1e-10, "{scheme} {h}: {error}");
    }
}

const ARM: f64 = 0.5;

/// Acceleration of a pendulum with friction mu r |F| of its pin: F_r = m (l w^2 + g cos q) towards
/// the pin, F_t = m (l dw/dt + g sin q), found by iteration, as friction is small.
fn angular_acceleration(q: f64, w: f64, radial: f64) -> f64 {
    let inertia = J + M * ARM * ARM;
    let mut a = 0.0f64;
    for _ in 0..60 {
        let force = (M * (ARM * w * w + G * q.cos())).hypot(M * (ARM * a + G * q.sin()));
        let friction = if w == 0.0 { -(-q).signum() } else { -w.signum() } * radial * force;
        a = (-M * G * ARM * q.sin() + friction) / inertia;
    }
    a
}

/// A pendulum about y that is let go level to x, and falls to -x.
fn pendulum(radial: f64) -> (Simulation, Id) {
    let (mut sim, joint) =
        on_joint(JointKind::Revolute, [0.0, -1.0, 0.0], [0.0; 3], [ARM * 1f64.sin(), 0.0, -ARM * 1f64.cos()], 0.0);
    set_joint_friction_load(&mut sim, (joint, false), load(0.0, radial, 0.0, 1.3)).unwrap();
    (sim, joint)
}

#[test]
fn a_pendulum_with_friction_of_its_pin_converges_to_a_quadrature_and_comes_to_rest() {
    let (radial, t) = (0.02, 0.48);
    // Runge-Kutta of order four, to 1e-12.
    let n = 4000;
    let h = t / f64::from(n);
    let (mut q, mut w) = (1.0, 0.0);
    for _ in 0..n {
        let f = |q: f64, w: f64| (w, angular_acceleration(q, w, radial));
        let k1 = f(q, w);
        let k2 = f(q + 0.5 * h * k1.0, w + 0.5 * h * k1.1);
        let k3 = f(q + 0.5 * h * k2.0, w + 0.5 * h * k2.1);
        let k4 = f(q + h * k3.0, w + h * k3.1);
        q += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        w += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
    }
    assert!(w < -1.0 && q < 0.3, "not yet back: {q} {w}");
    for scheme in SCHEMES {
        let errors = [24, 48, 96].map(|n| {
            let (mut sim, joint) = pendulum(radial);
            sim.settings().set_scheme(scheme).unwrap();
            sim.initialize(0.0).unwrap();
            (0..n).for_each(|_| sim.step(t / f64::from(n)).unwrap());
            motion(&sim, joint)[0] + 1.0 - q
        });
        let orders = [errors[0] / errors[1], errors[1] / errors[2]].map(|ratio: f64| ratio.log2());
        assert!(orders.iter().all(|order| (order - 2.0).abs() < 0.25), "{scheme}: {errors:?} {orders:?}");
        let (mut sim, joint) = pendulum(radial);
        sim.settings().set_scheme(scheme).unwrap();
        sim.initialize(0.0).unwrap();
        let (mut last, mut time) = (f64::INFINITY, 0.0);
        while JointMachines::of(&sim).output(joint, false).unwrap().mode != 1 {
            sim.step(0.01).unwrap();
            time += 0.01;
            assert!(time < 60.0, "{scheme}");
            let (kinetic, potential) = sim.outputs().energy().unwrap();
            // The dissipation of an internal step is above its error, but for newmark's, which has
            // none: h^2 w^2/12 of what a swing has.
            assert!(kinetic + potential < last + 5e-4, "{scheme} {time}: {}", kinetic + potential - last);
            last = last.min(kinetic + potential);
        }
        let rests = motion(&sim, joint)[0] + 1.0;
        assert!((M * G * ARM * rests.sin()).abs() <= 1.3 * radial * M * G, "{scheme}: {rests}");
        (0..1200).for_each(|_| sim.step(0.05).unwrap());
        let crept = motion(&sim, joint)[0] + 1.0 - rests;
        // What is left of the last swing rings in the spring of the joint: 1e-4 of what its force
        // moves it in a step.
        assert!(crept.abs() < 1e-7, "{scheme}: {crept}");
    }
}

/// Friction of the three pins of a chain takes energy and never gives any.
#[test]
fn a_chain_with_friction_of_its_pins_loses_its_energy() {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    let (mut before, mut joints) = (GROUND, Vec::new());
    for k in 0..3 {
        let x = f64::from(k);
        let body = sim
            .build()
            .add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &pose([x + 0.5, 0.0, 0.0], UNROTATED))
            .unwrap();
        let joint = sim
            .build()
            .add_joint_at(JointKind::Revolute, before, body, &[x, 0.0, 0.0], Some(&[0.0, 1.0, 0.0]))
            .unwrap();
        set_joint_friction_load(&mut sim, (joint, false), load(0.0, 0.08, 0.0, 1.1)).unwrap();
        joints.push(joint);
        before = body;
    }
    sim.initialize(0.0).unwrap();
    let energy = |sim: &Simulation| {
        let (kinetic, potential) = sim.outputs().energy().unwrap();
        kinetic + potential
    };
    let (start, mut least) = (energy(&sim), f64::INFINITY);
    for k in 0..4000 {
        sim.step(0.005).unwrap();
        let now = energy(&sim);
        // Within a step's error of some 44 J: (w h)^2/12 with w up to 10 rad/s.
        assert!(now < least + 1e-2, "{k}: {}", now - least);
        least = least.min(now);
    }
    let taken: f64 = joints.iter().map(|joint| JointMachines::of(&sim).output(*joint, false).unwrap().dissipated).sum();
    // The works are sums of means over steps, and the scheme's own dissipation is small.
    assert!((start - energy(&sim) - taken).abs() < 0.02 * taken, "{} {taken}", start - energy(&sim));
    let modes = joints.iter().map(|joint| JointMachines::of(&sim).output(*joint, false).unwrap().mode);
    assert_eq!(modes.collect::<Vec<_>>(), [1, 1, 1]);
}

/// The load changes in READY: the speed falls by the one, then by the other.
#[test]
fn a_changed_load_acts_from_the_accepted_time_on_and_belongs_to_the_state() {
    let build = || {
        let (mut sim, joint) = on_joint(JointKind::Revolute, [0.0, 1.0, 0.0], [0.0; 3], [0.0; 3], 20.0);
        set_joint_friction_load(&mut sim, (joint, false), load(0.0, 0.006, 0.0, 1.0)).unwrap();
        sim.initialize(0.0).unwrap();
        (sim, joint)
    };
    let (mut sim, joint) = build();
    (0..100).for_each(|_| sim.step(0.01).unwrap());
    set_joint_friction_load(&mut sim, (joint, false), load(0.0, 0.015, 0.0, 1.0)).unwrap();
    let saved = sim.save().unwrap();
    let run = |sim: &mut Simulation| {
        (0..100).for_each(|_| sim.step(0.01).unwrap());
        motion(sim, joint)
    };
    let [_, rate] = run(&mut sim);
    let expected = 20.0 - (0.006 + 0.015) * M * G / J;
    assert!((rate - expected).abs() < 1e-10, "{rate} {expected}");
    let mut bytes = vec![0; saved.serialized_len()];
    saved.serialize_into(&mut bytes).unwrap();
    let (mut fresh, _) = build();
    let snapshot = fresh.deserialize(&bytes).unwrap();
    fresh.restore(&snapshot).unwrap();
    assert_eq!(JointMachines::of(&fresh).friction_load(joint, false).unwrap().radial, 0.015);
    assert_eq!(run(&mut fresh), motion(&sim, joint));
    // A trial leaves nothing.
    fresh.restore(&snapshot).unwrap();
    fresh.advance(0.5).unwrap();
    fresh.reject().unwrap();
    assert_eq!(run(&mut fresh), motion(&sim, joint));
}

/// The reactions of a planar four-bar linkage with hinges are not unique.
/// A rotor with an overhang that runs down and holds, in metres, millimetres and kilometres.
#[test]
fn friction_by_load_does_not_depend_on_units() {
    let run = |unit: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -G * unit]).unwrap();
        let inertia = [J, J, J, 0.0, 0.0, 0.0].map(|x| x * unit * unit);
        let at = pose([0.4 * unit, 0.0, 0.0], UNROTATED);
        let body = sim.build().add_rigid_body(M, &[0.0; 3], &inertia, &at).unwrap();
        sim.build().set_body_velocity(body, &[0.0, 0.0, 0.0, 20.0, 0.0, 0.0]).unwrap();
        let x = [1.0, 0.0, 0.0];
        let joint = sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &[0.0; 3], Some(&x)).unwrap();
        set_joint_friction_load(&mut sim, (joint, false), load(0.0, 0.02 * unit, 0.03, 1.5)).unwrap();
        sim.initialize(0.0).unwrap();
        let mut angles = [0.0; 8];
        for angle in &mut angles {
            (0..25).for_each(|_| sim.step(0.02).unwrap());
            *angle = motion(&sim, joint)[0];
        }
        let output = JointMachines::of(&sim).output(joint, false).unwrap();
        (angles, output.mode, output.dissipated / (unit * unit))
    };
    let (angles, mode, dissipated) = run(1.0);
    // Stops after 20 J/(0.032 m g) = 3.2 s.
    assert!(mode == 1 && (dissipated - 0.5 * J * 400.0).abs() < 1e-9, "{mode} {dissipated}");
    for unit in [1e-3, 1e3] {
        let found = run(unit);
        // Events are located to 1e-11 model lengths and radians.
        assert_close("angles", &found.0, &angles, 1e-9);
        assert!(found.1 == 1 && (found.2 - dissipated).abs() < 1e-8, "{unit}: {} {}", found.1, found.2);
    }
}

/// A block goes up a slope and back as if it were alone, with a marker on it, a mass that swings on
/// a spring beside it, and a load callback without matrices that gives its weight.
#[test]
fn friction_by_load_is_the_same_beside_other_elements() {
    for scheme in SCHEMES {
        let ((sin, cos), mu, v) = (0.5f64.sin_cos(), 0.2, 2.0);
        let run = |company: bool| {
            let (mut sim, joint) = on_joint(JointKind::Prismatic, [cos, 0.0, sin], [0.0; 3], [0.0; 3], v);
            sim.settings().set_scheme(scheme).unwrap();
            set_joint_friction_load(&mut sim, (joint, false), load(0.0, mu, 0.0, 1.2)).unwrap();
            if company {
                let block = 0;
                sim.build().add_marker(block, &pose([0.1, 0.2, 0.3], UNROTATED)).unwrap();
                let inertia = [0.1, 0.1, 0.1, 0.0, 0.0, 0.0];
                let away = pose([5.0, 0.0, -1.2], UNROTATED);
                let mass = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &away).unwrap();
                let mut elements = sim.elements();
                elements.add_spring(GROUND, &[5.0, 0.0, 0.0], mass, &[0.0; 3], 50.0, 0.0, 1.0, false).unwrap();
                sim.settings().set_gravity(&[0.0; 3]).unwrap();
                for (body, weight) in [(block, M * G), (mass, G)] {
                    let pull = move |_: &BodyMotion, load: &mut BodyLoad| {
                        load.wrench[2] = -weight;
                        Ok(())
                    };
                    sim.inputs().set_load_callback(body, Some(Arc::new(pull))).unwrap();
                }
            }
            sim.initialize(0.0).unwrap();
            let mut places = Vec::new();
            for k in 0..45 {
                if k == 20 {
                    // A change between steps is that of a block alone, too.
                    set_joint_friction_load(&mut sim, (joint, false), load(0.0, 0.5 * mu, 0.0, 1.2)).unwrap();
                }
                sim.step(if k % 2 == 0 { 0.01 } else { 0.03 }).unwrap();
                places.extend(motion(&sim, joint));
            }
            places
        };
        // The turn is located to 1e-11, and Newton's method ends within its tolerance.
        assert_close(scheme, &run(true), &run(false), 1e-9);
    }
}

#[test]
fn friction_by_a_reaction_that_is_not_unique_is_refused() {
    let mut sim = Simulation::new();
    let y = Some(&[0.0, 1.0, 0.0]);
    let mut add = |x: f64, z: f64| {
        sim.build()
            .add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &pose([x, 0.0, z], UNROTATED))
            .unwrap()
    };
    let bars = [add(0.0, 0.5), add(0.5, 1.0), add(1.0, 0.5)];
    let hinges = [
        (GROUND, bars[0], 0.0, 0.0),
        (bars[0], bars[1], 0.0, 1.0),
        (bars[1], bars[2], 1.0, 1.0),
        (bars[2], GROUND, 1.0, 0.0),
    ]
    .map(|(a, b, x, z)| sim.build().add_joint_at(JointKind::Revolute, a, b, &[x, 0.0, z], y).unwrap());
    sim.build().set_joint_friction((hinges[1], false), [0.1, 0.1, 0.0, 0.0, 0.0]).unwrap();
    let mut refused = sim.clone();
    set_joint_friction_load(&mut refused, (hinges[1], false), load(0.0, 0.01, 0.0, 1.0)).unwrap();
    let text = refused.initialize(0.0).unwrap_err().to_string();
    assert!(text.contains("reaction of joint 1") && text.contains("redundant constraints"), "{text}");
    sim.initialize(0.0).unwrap();
    let text =
        set_joint_friction_load(&mut sim, (hinges[1], false), load(0.0, 0.01, 0.0, 1.0)).unwrap_err().to_string();
    assert!(text.contains("reaction of joint 1"), "{text}");
    sim.step(0.01).unwrap();
}
