//! Linear analyses, equilibrium and coordinates of models with points.

use crate::common::*;
use crate::points::models::*;
use pintle::{EntityKind, Frame, GROUND, JointKind, Simulation};
use std::f64::consts::TAU;

#[test]
fn modes_of_a_row_of_masses_are_those_of_the_loaded_string() {
    // n masses between n + 1 springs: w_j = 2 sqrt(k/m) sin(j pi / (2 (n + 1))) along the row, and
    // across it with T/L for k.
    let (n, m, k, l, rest) = (4usize, 0.5, 200.0, 0.6, 0.5);
    let tension = k * (l - rest);
    for bodies in [0, 1, 2] {
        let mut sim = system("generalized-alpha");
        sim.settings().set_gravity(&[0.0; 3]).unwrap();
        // Bodies that swing beside it, with a frequency that is known.
        for b in 0..bodies {
            let at = [5.0, 3.0 * f64::from(b), 0.0];
            let body = sim
                .build()
                .add_rigid_body(1.0, &[0.0; 3], &[2.0, 2.0, 2.0, 0.0, 0.0, 0.0], &pose(at, UNROTATED))
                .unwrap();
            let hinge =
                sim.build().add_joint_at(JointKind::Revolute, GROUND, body, &at, Some(&[0.0, 0.0, 1.0])).unwrap();
            sim.build().set_joint_spring(hinge, 2.0 * 900.0, 0.0, 0.0).unwrap();
        }
        let ends = [0, n + 1].map(|i| fixed(&mut sim, [l * i as f64, 0.0, 0.0]));
        let free: Vec<_> = (1..=n).map(|i| point(&mut sim, m, [l * i as f64, 0.0, 0.0])).collect();
        let row = [&ends[..1], &free, &ends[1..]].concat();
        for pair in row.windows(2) {
            spring(&mut sim, pair[0], pair[1], k, 0.0, rest);
        }
        sim.initialize(0.0).unwrap();
        assert_eq!(sim.outputs().statistic("mobility").unwrap(), 3.0 * n as f64 + f64::from(bodies));
        assert_eq!(sim.outputs().statistic("dofs").unwrap(), 3.0 * (n + 2) as f64 + 6.0 * f64::from(bodies));
        let (modes, motion) = sim.analysis().modes().unwrap();
        assert_close("at rest", &motion, &[0.0, 0.0], 1e-11); // rounding of places, times k/m
        let of = |stiffness: f64, j: usize| {
            2.0 * (stiffness / m).sqrt() * (j as f64 * std::f64::consts::PI / (2.0 * (n + 1) as f64)).sin() / TAU
        };
        let mut expected: Vec<f64> = (1..=n).flat_map(|j| [of(k, j), of(tension / l, j), of(tension / l, j)]).collect();
        expected.extend(vec![30.0 / TAU; bodies as usize]);
        expected.sort_by(f64::total_cmp);
        let found: Vec<f64> = modes.iter().map(|mode| mode.frequency).collect();
        assert_close(&format!("{bodies} bodies"), &found, &expected, 1e-9);
        for mode in &modes {
            // Shapes are of bodies, whatever points there are.
            assert_eq!(mode.shape.len(), bodies as usize);
            let moves = mode.shape.as_flattened().iter().fold(0.0f64, |most, x| most.max(x.abs()));
            let of_a_body = (mode.frequency - 30.0 / TAU).abs() < 1e-6;
            assert_close("shape", &[moves], &[if of_a_body { 1.0 } else { 0.0 }], 1e-9);
        }
    }
}

#[test]
fn matrices_are_of_bodies_then_points_and_states_have_names() {
    let Mixed { mut sim, chain, on_hull, driven, anchor, .. } = mixed("generalized-alpha", Placed::HERE);
    sim.build().set_name(EntityKind::Point, chain[1], "middle").unwrap();
    sim.initialize(0.0).unwrap();
    let (n, m) = (12 + 3 * 6, 5 + 3);
    assert_eq!(sim.outputs().statistic("dofs").unwrap(), n as f64);
    let mass = sim.analysis().mass_matrix().unwrap();
    assert_eq!(mass.len(), n * n);
    for point in 0..6 {
        for i in 0..3 {
            let row = 12 + 3 * point + i;
            let expected = if chain.contains(&(point as i32)) { 0.5 } else { 0.0 };
            for column in 0..n {
                let x = mass[column * n + row];
                assert_eq!(x, if column == row { expected } else { 0.0 }, "point {point}");
            }
        }
    }
    // v^T M v / 2 is the kinetic energy, but for that of the point that the host moves, which is at
    // rest.
    let mut v: Vec<f64> = (0..2).flat_map(|body| sim.outputs().body_velocity(body, Frame::Inertial).unwrap()).collect();
    v.extend((0..6).flat_map(|point| sim.points().velocity(point).unwrap()));
    let twice: f64 = (0..n * n).map(|k| v[k / n] * mass[k] * v[k % n]).sum();
    assert_close("energy", &[0.5 * twice], &[sim.outputs().energy().unwrap().0], 1e-12);
    let jacobian = sim.analysis().constraint_jacobian().unwrap();
    assert_eq!(jacobian.len(), m * n);
    assert!(jacobian[m * 12..].iter().all(|x| *x == 0.0), "no constraint of a point");
    let states = 2 * sim.outputs().statistic("mobility").unwrap() as i32;
    assert_eq!(states, 2 * (12 + 9 - m as i32));
    let names: Vec<String> = (0..states).map(|k| sim.analysis().state_name(k).unwrap()).collect();
    for (point, name) in [(chain[0], "point 1"), (chain[1], "point 2 \"middle\""), (chain[2], "point 3")] {
        assert_eq!(format!("point {point}"), name[..7], "ids as in `mixed`");
        for (what, axis) in [("displacement", "x"), ("velocity", "z")] {
            let whole = format!("{name}: {what} {axis}");
            assert!(names.contains(&whole), "{whole} in {names:?}");
        }
    }
    for still in [on_hull, driven, anchor] {
        assert!(!names.iter().any(|name| name.starts_with(&format!("point {still}"))), "{names:?}");
    }
    assert!(sim.analysis().state_name(states).is_err());
}

/// A = d(xdot)/dx against differences of accelerations: small changes of bodies by
/// `eval_accelerations`, under point springs at places of the body, where the reference point is
/// not the centre of mass.
#[test]
fn linearization_about_the_hull_sees_springs_on_points_as_springs_of_bodies() {
    let build = |by_points: bool| {
        let mut sim = system("generalized-alpha");
        let j = [0.3, 0.5, 0.6, 0.01, 0.02, -0.01];
        let at = pose([0.1, 0.2, -1.0], unit([0.9, 0.2, -0.1, 0.3]));
        let body = sim.build().add_rigid_body(3.0, &[0.2, -0.1, 0.15], &j, &at).unwrap();
        sim.build().set_body_velocity(body, &[0.1, 0.2, 0.0, 0.5, -0.3, 0.4]).unwrap();
        for (k, [up, down]) in
            [[[1.0, 0.0, 0.5], [0.5, 0.0, 0.2]], [[-0.5, 0.9, 0.5], [-0.3, 0.4, 0.2]]].into_iter().enumerate()
        {
            let rest = 0.5 + 0.1 * k as f64;
            if by_points {
                let (a, b) = (fixed(&mut sim, up), attached(&mut sim, body, down));
                spring(&mut sim, a, b, 90.0, 1.0, rest);
            } else {
                sim.elements().add_spring(GROUND, &up, body, &down, 90.0, 1.0, rest, false).unwrap();
            }
        }
        let force = [1.0, -2.0, 0.5];
        let arm = [0.3, 0.1, -0.2];
        if by_points {
            let loaded = attached(&mut sim, body, arm);
            sim.inputs().set_point_load(loaded, &force).unwrap();
        } else {
            let marker = sim.build().add_marker(body, &pose(arm, UNROTATED)).unwrap();
            sim.inputs().set_marker_load(marker, Frame::Inertial, &join(force, [0.0; 3])).unwrap();
        }
        sim.initialize(0.0).unwrap();
        sim
    };
    let [one, other] = [true, false].map(build);
    let [a, b] = [&one, &other].map(|sim| sim.analysis().linearize(&[0], &[], &[]).unwrap());
    // Sums of terms k/m up to 1e3.
    assert_close("A", &a.a, &b.a, 1e-10);
    assert_close("B", &a.b, &b.b, 1e-12);
    let at = |sim: &Simulation| {
        let pose = [sim.outputs().body_pose(0).unwrap()];
        sim.analysis().eval_accelerations(&pose, &[[0.3, 0.0, -0.2, 0.1, 0.2, 0.3]]).unwrap()
    };
    assert_close("accelerations", &at(&one)[0], &at(&other)[0], 1e-11);
    let [a, b] = [&one, &other].map(|sim| sim.analysis().body_compliance(&[0], 0.01).unwrap());
    for (a, b) in a.iter().zip(&b) {
        let size = b.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        assert_close("compliance", a, b, 1e-11 * size);
    }
}

#[test]
fn coordinates_are_of_bodies_and_points_keep_their_motion() {
    // A scheme whose accelerations are those of the equations at the end of a step.
    let mut run = mixed("rk4", Placed::HERE).begin(Placed::HERE);
    run.run(Placed::HERE, [0.01; 10]);
    let sim = &mut run.sim;
    let poses = [0, 1].map(|body| sim.outputs().body_pose(body).unwrap());
    let velocities = [0, 1].map(|body| sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
    let present = [0, 1].map(|body| sim.outputs().body_acceleration(body, Frame::Inertial).unwrap());
    // At the present state, with the loads set for the end of the last step.
    let found = sim.analysis().eval_accelerations(&poses, &velocities).unwrap();
    assert_close("present", &found.concat(), &present.concat(), 1e-7);
    assert!(sim.analysis().eval_accelerations(&poses[..1], &velocities[..1]).is_err());
    // Both at rest, hanging down from the ground: the fairlead goes with its body, free points stay
    // and keep their velocities.
    let before = run.chain.map(|id| state(sim, id));
    let down = quat_exp([0.0, 0.5 * std::f64::consts::PI, 0.0]);
    let hung = [pose([0.0, 0.0, -0.5], down), pose([0.0, 0.0, -1.5], down)];
    sim.inputs().set_coordinates(&hung, &[[0.0; 6]; 2]).unwrap();
    for (id, [x, v, _]) in run.chain.into_iter().zip(before) {
        let [now, rate, _] = state(sim, id);
        assert_eq!([now, rate], [x, v], "point {id}");
    }
    let at = add([0.0, 0.0, -1.5], rotate(down, [0.5, 0.1, 0.2]));
    let [x, v, _] = state(sim, run.on_hull);
    assert_close("fairlead", &[x, v].concat(), &[at, [0.0; 3]].concat(), 1e-12);
    // Springs are where their ends are: the first one, from the fairlead to the first free point.
    let (length, tension) = sim.outputs().spring_force(0).unwrap();
    let e = sub(before[0][0], at);
    let rate = dot(before[0][1], e) / norm(e);
    assert_close("length", &[length], &[norm(e)], 1e-12);
    assert_close("tension", &[tension], &[80.0 * (norm(e) - 0.4) + 0.5 * rate], 1e-9);
    // The acceleration of that point, by hand.
    let [x0, x1] = [before[0], before[1]];
    let e1 = sub(x1[0], x0[0]);
    let rate1 = dot(sub(x1[1], x0[1]), e1) / norm(e1);
    let force = add(scale(-tension / norm(e), e), scale((80.0 * (norm(e1) - 0.4) + 0.5 * rate1) / norm(e1), e1));
    assert_close("by hand", &state(sim, run.chain[0])[2], &add(scale(2.0, force), [0.0, 0.0, -G]), 1e-9);
    sim.step(0.01).unwrap();
}

#[test]
fn equilibrium_of_bodies_and_points_balances_every_one() {
    let mut run = mixed("generalized-alpha", Placed::HERE).begin(Placed::HERE);
    run.run(Placed::HERE, [0.01; 3]);
    let sim = &mut run.sim;
    sim.solve_equilibrium(500, 1e-11).unwrap();
    for id in run.chain {
        let [_, v, a] = state(sim, id);
        assert_close("at rest", &[v, a].concat(), &[0.0; 6], 1e-8);
    }
    assert_close("hull", &sim.outputs().body_acceleration(run.hull, Frame::Inertial).unwrap(), &[0.0; 6], 1e-8);
    // The sum of all reactions (pin, anchor, driven point) balances weight and loads.
    let pin = sim.outputs().joint_reaction(0, Frame::Inertial).unwrap();
    let held = [sim.points().reaction(run.anchor).unwrap(), sim.points().reaction(run.driven).unwrap()];
    let loads = [run.chain[2], run.on_hull].map(|id| sim.given().point_load(id).unwrap());
    let weight = [0.0, 0.0, -G * (4.0 + 1.5 + 0.25)];
    let sum = [held[0], held[1], loads[0], loads[1], weight].into_iter().fold([pin[0], pin[1], pin[2]], add);
    assert_close("balance", &sum, &[0.0; 3], 1e-8);
    let before = run.places(Placed::HERE);
    // In equilibrium the model stays at rest, and so does the driven point if it is not moved.
    for _ in 0..20 {
        run.sim.step(0.01).unwrap();
    }
    assert_close("stays", &run.places(Placed::HERE), &before, 1e-8);
}
