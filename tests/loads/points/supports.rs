//! Points that are fixed, attached or prescribed: their reactions, and the loads that they carry.

use crate::common::*;
use crate::points::models::*;
use pintle::{Error, Frame, GROUND, Id, Simulation};

/// A row of free points of weight W between two fixed ones: the funicular polygon. Spring i carries
/// the horizontal force H and the vertical one V_i = W (i - n/2), has the length l0 + T/k, and lies
/// along (H, V_i).
#[test]
fn a_row_of_points_hangs_as_the_funicular_polygon() {
    let (n, m, k, l0, h) = (9usize, 0.8, 400.0, 0.5, 12.0f64);
    let w = m * G;
    let mut nodes = vec![[0.0; 3]];
    for i in 0..=n {
        let v = w * (i as f64 - 0.5 * n as f64);
        let tension = h.hypot(v);
        let along = scale((l0 + tension / k) / tension, [h, 0.0, v]);
        nodes.push(add(nodes[i], along));
    }
    for shift in [0.0, 1e6] {
        let mut sim = system("generalized-alpha");
        let far = |x: V3| add(x, [shift; 3]);
        let ends = [nodes[0], nodes[n + 1]].map(|x| fixed(&mut sim, far(x)));
        // Somewhere above and beside.
        let free: Vec<Id> =
            (1..=n).map(|i| point(&mut sim, m, far(add(nodes[i], [0.02, 0.05 * i as f64, 0.1])))).collect();
        let row: Vec<Id> = [ends[0]].into_iter().chain(free.clone()).chain([ends[1]]).collect();
        let springs: Vec<Id> = row.windows(2).map(|pair| spring(&mut sim, pair[0], pair[1], k, 1.0, l0)).collect();
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(200, 1e-11).unwrap();
        // Out of plane the row is held by its tension alone; positions at 1e6 are rounded to 1e-10.
        for (i, id) in free.iter().enumerate() {
            let [x, v, a] = state(&sim, *id);
            assert_close("place", &sub(x, [shift; 3]), &nodes[i + 1], 1e-9);
            assert_close("rest", &[norm(v), norm(a)], &[0.0; 2], 1e-8);
        }
        for (i, id) in springs.iter().enumerate() {
            let tension = h.hypot(w * (i as f64 - 0.5 * n as f64));
            assert_close("tension", &[sim.outputs().spring_force(*id).unwrap().1], &[tension], 1e-6);
        }
        let v = 0.5 * n as f64 * w;
        assert_close("left", &sim.points().reaction(ends[0]).unwrap(), &[-h, 0.0, v], 1e-6);
        assert_close("right", &sim.points().reaction(ends[1]).unwrap(), &[h, 0.0, v], 1e-6);
        // In equilibrium it stays at rest.
        for _ in 0..100 {
            sim.step(0.01).unwrap();
        }
        assert_close("stays", &sub(state(&sim, free[4])[0], [shift; 3]), &nodes[5], 1e-8);
    }
}

/// A body on three springs with a load at a place of it: by points, or by the springs and markers
/// of bodies.
fn hung(scheme: &str, by_points: bool, [about, linear]: [f64; 2]) -> Vec<f64> {
    let mut sim = system(scheme);
    sim.settings().set_option("integrate_about", about).unwrap();
    sim.settings().set_option("linear", linear).unwrap();
    let j = [0.3, 0.5, 0.6, 0.01, 0.02, -0.01];
    let at = pose([0.1, 0.2, -1.0], unit([0.9, 0.2, -0.1, 0.3]));
    let body = sim.build().add_rigid_body(3.0, &[0.2, -0.1, 0.15], &j, &at).unwrap();
    sim.build().set_body_velocity(body, &[0.1, 0.2, 0.0, 0.5, -0.3, 0.4]).unwrap();
    let lines: [[V3; 2]; 3] = [
        [[1.0, 0.0, 0.5], [0.5, 0.0, 0.2]],
        [[-0.5, 0.9, 0.5], [-0.3, 0.4, 0.2]],
        [[-0.5, -0.9, 0.5], [-0.3, -0.4, 0.2]],
    ];
    for [up, down] in lines {
        if by_points {
            let (a, b) = (fixed(&mut sim, up), attached(&mut sim, body, down));
            sim.elements().add_point_spring(a, b, 90.0, 1.0, 1.2, true).unwrap();
        } else {
            sim.elements().add_spring(GROUND, &up, body, &down, 90.0, 1.0, 1.2, true).unwrap();
        }
    }
    let place_of_load = [0.4, 0.3, -0.2];
    let loaded = attached(&mut sim, body, place_of_load);
    let marker = sim.build().add_marker(body, &pose(place_of_load, UNROTATED)).unwrap();
    sim.initialize(0.0).unwrap();
    let mut out = Vec::new();
    for n in 1..=50 {
        let force = [2.0, -f64::from(n) / 50.0, 0.5];
        if by_points {
            sim.inputs().set_point_load(loaded, &force).unwrap();
        } else {
            sim.inputs().set_marker_load(marker, Frame::Inertial, &join(force, [0.0; 3])).unwrap();
        }
        sim.step(0.01).unwrap();
        out.extend(sim.outputs().body_pose(body).unwrap());
        out.extend(sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
        out.extend(sim.outputs().body_acceleration(body, Frame::Inertial).unwrap());
        // An attached point moves as the marker there.
        let [x, v, a] = state(&sim, loaded);
        assert_close("x", &x, &place(&sim.outputs().marker_pose(marker).unwrap()), 1e-14);
        assert_close("v", &v, &sim.outputs().marker_velocity(marker, Frame::Inertial).unwrap()[..3], 1e-13);
        assert_close("a", &a, &sim.outputs().marker_acceleration(marker, Frame::Inertial).unwrap()[..3], 1e-12);
    }
    out
}

#[test]
fn springs_and_loads_on_attached_points_act_on_the_body_there() {
    // Anderson's least squares weigh rotations by the length of the model, to which fixed points
    // add: they agree when they have converged.
    for scheme in schemes().map(|name| name.replace("anderson4", "anderson40")) {
        let iterates = ["generalized-alpha", "newmark", "hht"].contains(&scheme.as_str());
        for options in [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]] {
            if options[1] == 1.0 && !iterates {
                continue;
            }
            let [one, other] = [true, false].map(|by_points| hung(&scheme, by_points, options));
            // Places are measured from the mean of other nodes: rounding, through Newton's limit
            // 1e-13 and stiffness 90.
            assert_close(&format!("{scheme}, integrate_about and linear {options:?}"), &one, &other, 1e-9);
        }
    }
}

/// A point that oscillates as given in closed form, tied to a fixed one by a spring with damper.
#[test]
fn the_reaction_of_a_prescribed_point_is_what_its_motion_takes() {
    let (m, k, c, rest) = (1.3, 25.0, 0.8, 0.5);
    for scheme in schemes() {
        let mut sim = system(&scheme);
        let anchor = fixed(&mut sim, [0.0; 3]);
        let hand = moved(&mut sim, m, [1.0, 0.0, 0.0]);
        spring(&mut sim, anchor, hand, k, c, rest);
        let motion = |t: f64| {
            let (s, o) = (2.0 * t).sin_cos();
            [[1.0 + 0.2 * s, 0.0, 0.0], [0.4 * o, 0.0, 0.0], [-0.8 * s, 0.0, 0.0]]
        };
        let [x, v, a] = motion(0.0);
        sim.inputs().set_point_motion(hand, &x, &v, &a).unwrap();
        sim.initialize(0.0).unwrap();
        for n in 0..=20 {
            let t = 0.05 * f64::from(n);
            let [x, v, a] = motion(t);
            let load = [0.3, 0.0, t];
            if n > 0 {
                sim.inputs().set_point_motion(hand, &x, &v, &a).unwrap();
                sim.inputs().set_point_load(hand, &load).unwrap();
                sim.step(0.05).unwrap();
            }
            for (found, given) in state(&sim, hand).into_iter().zip([x, v, a]) {
                assert_close(&format!("{scheme} {t}"), &found, &given, 1e-12);
            }
            let tension = k * (x[0] - rest) + c * v[0];
            let load = if n > 0 { load } else { [0.0; 3] };
            let needed = sub([m * a[0] + tension, 0.0, m * G], load);
            assert_close(&format!("{scheme} {t}, hand"), &sim.points().reaction(hand).unwrap(), &needed, 1e-11);
            assert_close(
                &format!("{scheme} {t}, anchor"),
                &sim.points().reaction(anchor).unwrap(),
                &[-tension, 0.0, 0.0],
                1e-11,
            );
        }
    }
}

/// The motion of masses that hang on a driven point, or on a prescribed body in its place.
fn dragged(scheme: &str, by_point: bool, motion: &dyn Fn(f64) -> [V3; 3], marks: bool) -> Vec<f64> {
    let mut sim = system(scheme);
    sim.settings().set_option("max_time_step", 0.011).unwrap();
    let [x, v, a] = motion(0.0);
    let bob = sim
        .build()
        .add_rigid_body(0.7, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose([0.1, 0.0, -1.1], UNROTATED))
        .unwrap();
    let hand = if by_point {
        let hand = moved(&mut sim, 0.5, x);
        let on_bob = attached(&mut sim, bob, [0.0; 3]);
        spring(&mut sim, hand, on_bob, 50.0, 0.6, 1.0);
        hand
    } else {
        let hand =
            sim.build().add_rigid_body(0.5, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose(x, UNROTATED)).unwrap();
        sim.build().set_body_prescribed(hand, true).unwrap();
        sim.elements().add_spring(hand, &[0.0; 3], bob, &[0.0; 3], 50.0, 0.6, 1.0, false).unwrap();
        hand
    };
    let give = |sim: &mut Simulation, [x, v, a]: [V3; 3]| match by_point {
        true => sim.inputs().set_point_motion(hand, &x, &v, &a).unwrap(),
        false => {
            let six = |v: V3| join(v, [0.0; 3]);
            sim.inputs().set_body_motion(hand, &pose(x, UNROTATED), &six(v), &six(a)).unwrap();
        }
    };
    give(&mut sim, [x, v, a]);
    sim.initialize(0.0).unwrap();
    let mut out = Vec::new();
    for n in 1..=40 {
        if marks && n == 20 {
            sim.inputs().mark_discontinuity().unwrap();
        }
        give(&mut sim, motion(0.03 * f64::from(n)));
        sim.step(0.03).unwrap();
        out.extend(place(&sim.outputs().body_pose(bob).unwrap()));
        out.extend(&sim.outputs().body_velocity(bob, Frame::Inertial).unwrap()[..3]);
        out.extend(&sim.outputs().body_acceleration(bob, Frame::Inertial).unwrap()[..3]);
        out.extend(match by_point {
            true => sim.points().reaction(hand).unwrap().to_vec(),
            false => sim.outputs().body_reaction(hand, Frame::Inertial).unwrap()[..3].to_vec(),
        });
    }
    out
}

#[test]
fn points_are_moved_between_steps_and_through_jumps_as_prescribed_bodies() {
    let smooth = |t: f64| {
        let (s, c) = (3.0 * t).sin_cos();
        [[0.2 * s, 0.1 * c, 0.0], [0.6 * c, -0.3 * s, 0.0], [-1.8 * s, -0.9 * c, 0.0]]
    };
    // From rest to a speed between two steps.
    let jump =
        |t: f64| if t < 0.6 { [[0.0; 3]; 3] } else { [[0.5 * (t - 0.585), 0.0, 0.0], [0.5, 0.0, 0.0], [0.0; 3]] };
    for scheme in schemes() {
        for marks in [false, true] {
            for (name, motion) in [("smooth", &smooth as &dyn Fn(f64) -> [V3; 3]), ("jump", &jump)] {
                let [one, other] = [true, false].map(|by_point| dragged(&scheme, by_point, motion, marks));
                assert_close(&format!("{scheme}, {name}, {marks}"), &one, &other, 1e-8);
            }
        }
    }
}

#[test]
fn a_point_of_no_mass_that_moves_freely_is_refused_with_advice() {
    for springs in [false, true] {
        for scheme in ["generalized-alpha", "rk4", "leuler", "beuler4"] {
            let mut sim = system(scheme);
            point(&mut sim, 1.0, [0.0; 3]);
            let light = point(&mut sim, 0.0, [1.0, 0.0, 0.0]);
            if springs {
                let anchor = fixed(&mut sim, [2.0, 0.0, 0.0]);
                spring(&mut sim, light, anchor, 10.0, 1.0, 0.5);
            }
            match sim.initialize(0.0) {
                Err(error @ Error::Singular { .. }) => {
                    let said = error.to_string();
                    assert!(said.contains("point 1") && said.contains("mass") && said.contains("fix"), "{said}");
                }
                other => panic!("{scheme}: {other:?}"),
            }
        }
    }
}

/// Water that is set after `initialize` and before the first step acts on points as if it had been
/// set before.
#[test]
fn water_before_the_first_step_is_there_from_the_start() {
    let outputs = |before: bool| {
        let mut sim = system("generalized-alpha");
        let held = moved(&mut sim, 25.0, [3.0, 0.0, -20.0]);
        let float = sim.build().add_point(40.0, 0.03, &[0.0, 0.0, -20.0]).unwrap();
        for point in [held, float] {
            sim.build().set_point_drag(point, 0.8, 0.7).unwrap();
        }
        if !before {
            sim.initialize(0.0).unwrap();
        }
        sim.settings().set_environment("water_density", 1025.0).unwrap();
        sim.settings().set_current(&[0.0], &[[2.0, 0.5, 0.0]]).unwrap();
        if before {
            sim.initialize(0.0).unwrap();
        }
        let mut found = [state(&sim, float).to_vec(), vec![sim.points().reaction(held).unwrap()]].concat();
        assert!(found[2][0] > 1.0 && found[3][0] < -100.0, "{found:?}");
        (0..5).for_each(|_| sim.step(0.01).unwrap());
        found.extend(state(&sim, float));
        found
    };
    assert_eq!(outputs(true), outputs(false));
}
