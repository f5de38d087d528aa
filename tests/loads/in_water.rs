//! Bodies and points on bodies in moving water: motions and forces in closed form, one motion in
//! all frames, the water of the host, states, refusals.

use crate::common::*;
use pintle::elements::InWater;
use pintle::model::{FluidFn, FluidMotion, Wave};
use pintle::simulation::SCHEME_NAMES;
use pintle::{BodiesInWater, Error, Frame, GROUND, Id, Simulation};
use std::sync::Arc;

const G: f64 = 9.80665;
const RHO: f64 = 1025.0;

fn sea(scheme: &str) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    sim.settings().set_environment("water_density", RHO).unwrap();
    sim.settings().set_scheme(&scheme.replace('N', "4")).unwrap();
    for key in ["abs_tolerance", "rel_tolerance"] {
        sim.settings().set_option(key, 1e-11).unwrap();
    }
    sim
}

fn part(volume: f64, centre: V3) -> Option<InWater> {
    Some(InWater { volume, centre: centre.into() })
}

/// Sets a current that is the same at all depths.
fn flow(sim: &mut Simulation, velocity: V3) {
    sim.settings().set_current(&[0.0], &[velocity]).unwrap();
}

/// A body without weight, with drag d and added mass a that are the same in all directions.
fn ball(sim: &mut Simulation, mass: f64, [d, a]: [f64; 2], at: &[f64; 7]) -> Id {
    let body = sim.build().add_rigid_body(mass, &[0.0; 3], &six(&diag([mass; 3])), at).unwrap();
    let [drag, added] = [d, a].map(|x| diagonal([x, x, x, 0.0, 0.0, 0.0]));
    sim.settings().set_quadratic_drag(body, &drag, Frame::Body).unwrap();
    sim.settings().set_added_mass(body, &added, Frame::Body).unwrap();
    sim.settings().set_body_in_water(body, part(0.0, [0.0; 3])).unwrap();
    sim.inputs().set_body_load(body, Frame::Inertial, &[0.0, 0.0, mass * G, 0.0, 0.0, 0.0]).unwrap();
    body
}

/// From rest, M u' = -D |u| u for the velocity u relative to the current U gives u = -U/(1 + t/T),
/// T = M/(D |U|), M with the added mass: along U, in whatever direction the body and the current
/// are turned.
#[test]
fn a_current_carries_a_body_to_its_own_speed() {
    let (mass, d, added) = (900.0, 300.0, 400.0);
    for scheme in SCHEME_NAMES {
        for (k, at) in [[0.0, 0.0, -20.0], [1e6, -1e6, -20.0]].into_iter().enumerate() {
            let q = unit([1.0, 0.5 * k as f64, -0.3, 0.8]);
            let current = [[1.5, 0.0, 0.0], [0.8, -1.1, 0.4]][k];
            let mut sim = sea(scheme);
            flow(&mut sim, current);
            let body = ball(&mut sim, mass, [d, added], &pose(at, q));
            sim.initialize(0.0).unwrap();
            for k in 0..200 {
                sim.step([0.02, 0.01, 0.03][k % 3]).unwrap();
            }
            let (t, speed) = (sim.time().unwrap(), norm(current));
            let period = (mass + added) / (d * speed);
            let [v, x] = [t / (t + period), t - period * (1.0 + t / period).ln()].map(|part| scale(part, current));
            let found: [f64; 3] = sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[..3].try_into().unwrap();
            let way = sub(place(&sim.outputs().body_pose(body).unwrap()), at);
            // Of (h/T)^2/12 of schemes of order 2, h/T of those of order 1, steps of 0.03 and T =
            // 2.9, what is left at the end.
            let is_first = ["euler", "leuler", "beulerN", "andersonN"].contains(&scheme);
            let limit = if is_first { 2e-3 } else { 1e-5 };
            assert!(distance(found, v) < limit * speed, "{scheme} {at:?}: {found:?} for {v:?}");
            assert!(distance(way, x) < 2.0 * limit * speed * period, "{scheme} {at:?}: {way:?} for {x:?}");
        }
    }
}

/// A body with any coefficients, turned, spinning, in a frame that moves with the water: Galileo.
fn tumbling(scheme: &str, [current, from]: [V3; 2], q: Quat) -> Simulation {
    let mut sim = sea(scheme);
    flow(&mut sim, current);
    let turned = |a: V3| rotate(q, a);
    let orientation = quat_mul(q, unit([0.9, 0.2, -0.4, 0.1]));
    let body = sim
        .build()
        .add_rigid_body(700.0, &[0.3, -0.2, 0.1], &[300.0, 400.0, 250.0, 10.0, -20.0, 5.0], &pose(from, orientation))
        .unwrap();
    let (linear, spin) = (add(turned([0.4, 0.3, -0.2]), current), turned([0.5, -0.7, 0.3]));
    sim.build().set_body_velocity(body, &join(linear, spin)).unwrap();
    let mut added = [[0.0; 6]; 6];
    for (i, row) in added.iter_mut().enumerate() {
        row[i] = [300.0, 500.0, 800.0, 200.0, 150.0, 90.0][i];
    }
    (added[0][4], added[4][0]) = (60.0, 60.0);
    sim.settings().set_added_mass(body, &columns(&added), Frame::Body).unwrap();
    let drag = diagonal([200.0, 300.0, 100.0, 80.0, 60.0, 40.0]);
    sim.settings().set_quadratic_drag(body, &drag, Frame::Body).unwrap();
    sim.settings().set_body_in_water(body, part(0.5, [0.1, 0.2, 0.3])).unwrap();
    sim.inputs().set_body_load(body, Frame::Inertial, &[0.0, 0.0, 700.0 * G, 0.0, 0.0, 0.0]).unwrap();
    // On the body, too: a place of its own in the water.
    let point = sim.build().add_point(0.0, 0.3, &[0.0; 3]).unwrap();
    sim.build().attach_point(point, body, &[0.7, 0.5, -0.4]).unwrap();
    sim.build().set_point_drag(point, 0.2, 0.6).unwrap();
    sim.initialize(0.0).unwrap();
    sim
}

/// In a uniform current all moves as in still water, seen from a frame that is carried along, from
/// other places and in other axes: with Munk's moment, drag in all directions, rotations, and a
/// point on the body.
#[test]
fn a_body_in_a_current_moves_as_in_still_water_that_is_carried_along() {
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "rk4", "ab4"] {
        let (mut still, steps) = (tumbling(scheme, [[0.0; 3], [0.0, 0.0, -30.0]], UNROTATED), 150);
        let turned = unit([0.6, 0.0, 0.0, 0.8]);
        let cases = [([1.2, -0.5, 0.1], [0.0, 0.0, -30.0], UNROTATED), ([0.7, 0.9, 0.0], [1e6, 2e6, -30.0], turned)];
        let mut others = cases.map(|(u, from, q)| tumbling(scheme, [u, from], q));
        for k in 0..steps {
            let h = [0.01, 0.02, 0.015][k % 3];
            still.step(h).unwrap();
            others.iter_mut().for_each(|sim| sim.step(h).unwrap());
        }
        let own = still.outputs().body_pose(0).unwrap();
        for ((u, from, q), other) in cases.into_iter().zip(&others) {
            let found = other.outputs().body_pose(0).unwrap();
            let way = sub(sub(place(&found), from), scale(other.time().unwrap(), u));
            let right = rotate(q, sub(place(&own), [0.0, 0.0, -30.0]));
            // Positions of 1e6 m have digits of 1e-10 m.
            assert!(distance(way, right) < 1e-7, "{scheme} {u:?}: {way:?} for {right:?}");
            assert!(quat_error(turn(&found), quat_mul(q, turn(&own))) < 1e-7, "{scheme} {u:?}");
        }
    }
}

/// A light body in long waves of small height follows them: with buoyancy that carries its weight,
/// (m + A) a = (rho V + A) a_U, so that its velocity is (rho V + A)/(m + A) times that of the
/// water.
#[test]
fn a_small_body_follows_small_waves() {
    let (volume, added, mass, w, at) = (0.4, 250.0, 700.0, 0.9, [12.0, -7.0, -6.0]);
    let ratio = (RHO * volume + added) / (mass + added);
    for scheme in ["generalized-alpha", "newmark", "rk4"] {
        for heading in [0.0, 0.7] {
            let waves = || {
                let mut sim = sea(scheme);
                sim.settings().set_environment("depth", 40.0).unwrap();
                sim.settings().set_waves(vec![Wave { amplitude: 1e-3, frequency: w, heading, phase: 0.4 }]).unwrap();
                sim
            };
            let (mut sim, mut empty) = (waves(), waves());
            empty.initialize(0.0).unwrap();
            let body = ball(&mut sim, mass, [0.0, added], &pose(at, unit([0.3, 0.7, -0.2, 0.4])));
            sim.settings().set_body_in_water(body, part(volume, [0.0; 3])).unwrap();
            let start = empty.outputs().water_motion(&[at]).unwrap()[0].velocity;
            sim.build().set_body_velocity(body, &join(scale(ratio, start), [0.0; 3])).unwrap();
            sim.initialize(0.0).unwrap();
            for _ in 0..400 {
                sim.step(0.05).unwrap();
                let water = sim.outputs().water_motion(&[at]).unwrap()[0].velocity;
                let v: V3 = sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[..3].try_into().unwrap();
                // The body is within 1e-3 m, a part k a of 1e-4 of the wave; (w h)^2/12 of the
                // step.
                let limit = 1e-3 * w * (3e-4 + (w * 0.05).powi(2) / 6.0);
                assert!(distance(v, scale(ratio, water)) < limit, "{scheme} {heading}: {v:?} {water:?} {limit}");
            }
        }
    }
}

/// A prescribed body at rest in water that accelerates needs minus the forces of the water: the
/// Froude-Krylov force at the centre of the volume, added mass and drag at the reference point,
/// whatever units.
#[test]
fn forces_on_a_held_body_are_those_of_the_formula() {
    for unit_of_length in [1.0, 1e-3, 1e3] {
        let l = 1.0 / unit_of_length;
        let (q, centre, u, a) = (
            unit([0.4, 0.2, 0.5, -0.7]),
            [0.5 * l, -0.2 * l, 0.3 * l],
            [0.6 * l, -0.9 * l, 0.2 * l],
            [0.3 * l, 0.1 * l, -0.4 * l],
        );
        let density = RHO / (l * l * l);
        let mut sim = Simulation::new();
        sim.settings().set_environment("water_density", density).unwrap();
        let (volume, added, drag) = (0.8 * l * l * l, [100.0, 200.0, 300.0], [50.0 / l, 70.0 / l, 20.0 / l]);
        let at = [3.0 * l, 4.0 * l, -9.0 * l];
        let body = sim
            .build()
            .add_rigid_body(
                500.0,
                &[0.1 * l, 0.0, 0.0],
                &[100.0 * l * l, 100.0 * l * l, 100.0 * l * l, 0.0, 0.0, 0.0],
                &pose(at, q),
            )
            .unwrap();
        sim.build().set_body_prescribed(body, true).unwrap();
        let of = |[x, y, z]: V3| diagonal([x, y, z, 0.0, 0.0, 0.0]);
        sim.settings().set_added_mass(body, &of(added), Frame::Body).unwrap();
        sim.settings().set_quadratic_drag(body, &of(drag), Frame::Body).unwrap();
        sim.settings().set_linear_damping(body, &of(drag), Frame::Body).unwrap();
        sim.settings().set_body_in_water(body, part(volume, centre)).unwrap();
        let asked = Arc::new(std::sync::Mutex::new(Vec::new()));
        let places = Arc::clone(&asked);
        let function: FluidFn = Arc::new(move |_, x: &[[f64; 3]], motion: &mut FluidMotion| {
            *places.lock().unwrap() = x.to_vec();
            motion.velocities.fill(u);
            motion.accelerations.fill(a);
            Ok(())
        });
        sim.settings().set_fluid_callback(Some(function), false).unwrap();
        sim.initialize(0.0).unwrap();
        assert!(asked.lock().unwrap().len() == 1 && distance(asked.lock().unwrap()[0], at) < 1e-12 * l);
        let found = sim.outputs().body_reaction(body, Frame::Inertial).unwrap();
        let (local_u, local_a) = (unrotate(q, u), unrotate(q, a));
        let speed = norm(u);
        let at_reference: V3 = std::array::from_fn(|k| added[k] * local_a[k] + drag[k] * speed * local_u[k]);
        // Kirchhoff's equations with u = -U: Munk's moment u x (A u).
        let impulse: V3 = std::array::from_fn(|k| added[k] * local_u[k]);
        let munk = scale(-1.0, cross(local_u, impulse));
        let krylov = scale(density * volume, local_a);
        let force = rotate(q, add(at_reference, krylov));
        let moment = rotate(q, add(munk, cross(centre, krylov)));
        let (f, m) = halves(found);
        let size = norm(force);
        assert!(norm(add(f, force)) < 1e-12 * size, "{f:?} {force:?}");
        assert!(norm(add(m, moment)) < 1e-12 * size * l, "{m:?} {moment:?}");
    }
}

/// Drag on a point of a body that turns: rho CdA/2 |u| u, u the water less the point's own
/// velocity, at its arm; its added mass resists its acceleration there; above the water it has
/// neither.
#[test]
fn a_point_on_a_body_has_its_forces_at_its_place() {
    let (at, spin, v, u) = ([0.0, 5.0, -12.0], [0.3, -0.2, 0.5], [0.4, 0.1, -0.6], [1.1, -0.3, 0.2]);
    let (q, arm, cda, ca, volume) = (unit([0.7, -0.1, 0.4, 0.3]), [1.5, -0.8, 0.6], 0.9, 0.7, 0.2);
    for height in [0.0, 40.0] {
        let at = add(at, [0.0, 0.0, height]);
        let mut sim = sea("generalized-alpha");
        flow(&mut sim, u);
        let body = sim.build().add_rigid_body(0.0, &[0.0; 3], &[0.0; 6], &pose(at, q)).unwrap();
        sim.build().set_body_prescribed(body, true).unwrap();
        let (a, spun) = ([0.7, 0.2, -0.5], [-0.4, 0.6, 0.1]);
        sim.inputs().set_body_motion(body, &pose(at, q), &join(v, spin), &join(a, spun)).unwrap();
        let point = sim.build().add_point(5.0, volume, &[0.0; 3]).unwrap();
        sim.build().attach_point(point, body, &arm).unwrap();
        sim.build().set_point_drag(point, cda, ca).unwrap();
        sim.initialize(0.0).unwrap();
        let (f, m) = halves(sim.outputs().body_reaction(body, Frame::Inertial).unwrap());
        let s = rotate(q, arm);
        let w = sub(u, add(v, cross(spin, s)));
        let acceleration = add(a, add(cross(spun, s), cross(spin, cross(spin, s))));
        let in_water = if height > 0.0 { 0.0 } else { 1.0 };
        let force = scale(in_water, sub(scale(0.5 * RHO * cda * norm(w), w), scale(RHO * volume * ca, acceleration)));
        assert!(norm(add(f, force)) < 1e-11 * (1.0 + norm(force)), "{f:?} {force:?}");
        assert!(norm(add(m, cross(s, force))) < 1e-11 * (1.0 + norm(force)), "{m:?} {force:?}");
    }
}

/// A point mass on a body without rotation, with the weight of the body, falls through the surface
/// as a free point.
#[test]
fn a_point_on_a_body_is_braked_as_a_free_point() {
    for scheme in ["generalized-alpha", "newmark", "rk4"] {
        let mut sim = sea(scheme);
        flow(&mut sim, [0.9, 0.3, 0.0]);
        let (mass, cda, at) = (200.0, 0.3, [1.0, 2.0, 0.2]);
        let body = sim.build().add_rigid_body(mass, &[0.0; 3], &six(&diag([mass; 3])), &pose(at, UNROTATED)).unwrap();
        let on_body = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
        sim.build().attach_point(on_body, body, &[0.0; 3]).unwrap();
        let free = sim.build().add_point(mass, 0.0, &at).unwrap();
        for point in [on_body, free] {
            sim.build().set_point_drag(point, cda, 0.5).unwrap();
        }
        sim.initialize(0.0).unwrap();
        (0..300).for_each(|_| sim.step(0.01).unwrap());
        let [a, b] = [on_body, free].map(|point| sim.points().position(point).unwrap());
        assert!(distance(a, b) < 1e-9 && a[2] < -3.0, "{scheme}: {a:?} {b:?}");
        let v = sim.points().velocity(on_body).unwrap();
        // It sinks at the speed of balance, carried along.
        let sinks = (mass * G / (0.5 * RHO * cda)).sqrt();
        assert!(distance(v, [0.9, 0.3, -sinks]) < 1e-3, "{scheme}: {v:?} {sinks}");
    }
}

/// A body on springs in a current rests where they hold the drag; in shear the current is that of
/// its depth.
#[test]
fn a_body_on_springs_rests_where_drag_is_held() {
    let (k, d) = (2000.0, 400.0);
    let mut sim = sea("generalized-alpha");
    sim.settings().set_current(&[0.0, 20.0], &[[2.0, 0.0, 0.0], [0.0; 3]]).unwrap();
    let body = ball(&mut sim, 300.0, [d, 50.0], &pose([0.0, 0.0, -5.0], UNROTATED));
    let stiff = diagonal([k, k, k, 1e4, 1e4, 1e4]);
    let at = pose([0.0, 0.0, -5.0], UNROTATED);
    sim.elements().add_bushing(GROUND, body, &at, &ORIGIN, &stiff, &[0.0; 36]).unwrap();
    sim.inputs().set_body_load(body, Frame::Inertial, &[0.0, 0.0, 300.0 * G - 2000.0, 0.0, 0.0, 0.0]).unwrap();
    sim.initialize(0.0).unwrap();
    sim.solve_equilibrium(50, 1e-10).unwrap();
    let [x, _, z, ..] = sim.outputs().body_pose(body).unwrap();
    let u = 2.0 * (1.0 + z / 20.0);
    assert!((z + 6.0).abs() < 1e-9 && (x - d * u * u / k).abs() < 1e-8, "{x} {z}");
}

/// A local scheme, whose entities take steps of their own in a steady current, and a global one
/// agree.
#[test]
fn steps_of_entities_feel_the_current() {
    let mut ends = ["rk4", "lab4"].map(|scheme| {
        let mut sim = sea(scheme);
        flow(&mut sim, [0.9, 0.3, 0.1]);
        for k in 0..2 {
            let body = ball(&mut sim, 300.0, [200.0, 0.0], &pose([0.0, f64::from(k), -9.0], UNROTATED));
            let point = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
            sim.build().attach_point(point, body, &[0.5, 0.1, 0.2]).unwrap();
            sim.build().set_point_drag(point, 0.3, 0.0).unwrap();
            sim.elements()
                .add_spring(
                    body,
                    &[0.0; 3],
                    GROUND,
                    &[0.0, f64::from(k), -8.0],
                    500.0 + 5e4 * f64::from(k),
                    10.0,
                    1.0,
                    false,
                )
                .unwrap();
        }
        sim.initialize(0.0).unwrap();
        (0..200).for_each(|_| sim.step(0.005).unwrap());
        [0, 1].map(|body| sim.outputs().body_pose(body).unwrap())
    });
    let [a, b] = &mut ends;
    assert!(a.iter().zip(b).all(|(a, b)| distance(place(a), place(b)) < 1e-6), "{ends:?}");
}

fn in_waves(scheme: &str, volume: f64) -> (Simulation, Id) {
    let mut sim = sea(scheme);
    flow(&mut sim, [0.5, 0.1, 0.0]);
    sim.settings().set_waves(vec![Wave { amplitude: 0.8, frequency: 0.9, heading: 0.3, phase: 0.1 }]).unwrap();
    let body = ball(&mut sim, 300.0, [200.0, 90.0], &pose([0.0, 1.0, -4.0], unit([0.9, 0.1, 0.3, 0.2])));
    sim.settings().set_body_in_water(body, part(volume, [0.1, 0.0, 0.2])).unwrap();
    let point = sim.build().add_point(0.0, 0.1, &[0.0; 3]).unwrap();
    sim.build().attach_point(point, body, &[0.5, 0.1, 0.2]).unwrap();
    sim.build().set_point_drag(point, 0.3, 0.4).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, body)
}

#[test]
fn a_restored_run_goes_on_to_the_bit_and_belongs_to_its_volume() {
    for scheme in SCHEME_NAMES {
        let (mut sim, body) = in_waves(scheme, 0.3);
        (0..10).for_each(|_| sim.step(0.02).unwrap());
        let bytes = sim.save().unwrap().to_bytes();
        let (mut fresh, _) = in_waves(scheme, 0.3);
        fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
        for h in [0.02, 0.01, 0.03] {
            sim.step(h).unwrap();
            fresh.step(h).unwrap();
        }
        let poses = [&sim, &fresh].map(|sim| sim.outputs().body_pose(body).unwrap().map(f64::to_bits));
        assert_eq!(poses[0], poses[1], "{scheme}");
        let (other, _) = in_waves(scheme, 0.4);
        assert!(matches!(other.deserialize(&bytes), Err(Error::Fingerprint { .. })), "{scheme}");
    }
}

/// Smooth waves keep the order of schemes, with drag, inertia and a point.
#[test]
fn waves_keep_the_order_of_schemes() {
    let end = |scheme: &str, h: f64| {
        let (mut sim, body) = in_waves(scheme, 0.3);
        (0..(2.0 / h).round() as usize).for_each(|_| sim.step(h).unwrap());
        place(&sim.outputs().body_pose(body).unwrap())
    };
    let exact = end("rk4", 0.0025);
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "rk2"] {
        let table = [0.1, 0.05, 0.025].map(|h| (h, distance(end(scheme, h), exact)));
        assert_order(scheme, &table, 2.0, 0.35);
    }
}

/// In still water, along one axis, the flag changes nothing.
#[test]
fn along_one_axis_in_still_water_nothing_differs() {
    let run = |in_water: bool| {
        let mut sim = sea("generalized-alpha");
        let body = ball(&mut sim, 300.0, [200.0, 90.0], &pose([0.0, 0.0, -4.0], UNROTATED));
        sim.settings().set_body_in_water(body, part(0.3, [0.0; 3]).filter(|_| in_water)).unwrap();
        sim.build().set_body_velocity(body, &[0.0, 1.5, 0.0, 0.0, 0.0, 0.0]).unwrap();
        sim.initialize(0.0).unwrap();
        (0..100).for_each(|_| sim.step(0.02).unwrap());
        sim.outputs().body_pose(body).unwrap()[1]
    };
    assert!((run(true) - run(false)).abs() < 1e-12);
}

#[test]
fn bad_volumes_and_late_calls_are_refused() {
    let mut sim = sea("rk4");
    let body = ball(&mut sim, 1.0, [1.0, 1.0], &ORIGIN);
    for (volume, centre, word) in
        [(-1.0, [0.0; 3], "volume"), (1.0, [0.0, f64::NAN, 0.0], "centre"), (f64::INFINITY, [0.0; 3], "volume")]
    {
        let why = sim.settings().set_body_in_water(body, part(volume, centre)).unwrap_err().to_string();
        assert!(why.contains(word), "{why}");
    }
    assert_eq!(BodiesInWater::of(&sim).part(body).unwrap(), part(0.0, [0.0; 3]));
    assert!(BodiesInWater::of(&sim).part(3).is_err());
    sim.initialize(0.0).unwrap();
    assert!(matches!(sim.settings().set_body_in_water(body, None), Err(Error::BadPhase { .. })));
}
