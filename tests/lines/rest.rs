//! A model in equilibrium stays there, with one iteration per step; after a disturbance it returns.

use crate::common::*;
use crate::models::*;
use crate::reference::Sea;
use pintle::{Frame, Id, Simulation};

/// The platform with friction of the bed.
fn moored(friction: f64) -> (Simulation, Id, Vec<Id>) {
    let (mut sim, body, lines) = platform([0.0; 3]);
    sim.settings().set_environment("seabed_friction", friction).unwrap();
    (sim, body, lines)
}

#[test]
fn an_equilibrium_is_at_rest_and_takes_one_iteration() {
    for friction in [0.0, 0.6] {
        let (mut sim, body, lines) = moored(friction);
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(200, 1e-10).unwrap();
        // Tolerances of a host from here on.
        host_tolerances(&mut sim);
        let places = |sim: &Simulation| -> Vec<V3> {
            let mut all: Vec<V3> = lines.iter().flat_map(|id| nodes(sim, *id, 20)).collect();
            all.push(place(&sim.outputs().body_pose(body).unwrap()));
            all
        };
        let forces = |sim: &Simulation| -> Vec<V3> { lines.iter().flat_map(|id| end_forces(sim, *id)).collect() };
        let (begun, pulled) = (places(&sim), forces(&sim));
        let steps = 100;
        let before = sim.outputs().statistic("iterations").unwrap();
        (0..steps).for_each(|_| sim.step(0.1).unwrap());
        let mean = (sim.outputs().statistic("iterations").unwrap() - before) / f64::from(steps);
        println!(
            "friction {friction}: {mean} iterations, {:e} m, {:e} N",
            apart(&begun, &places(&sim)),
            apart(&pulled, &forces(&sim))
        );
        // 1e-9 of 800 m and of 1 MN.
        assert!(apart(&begun, &places(&sim)) < 1e-6, "{:e} m", apart(&begun, &places(&sim)));
        assert!(apart(&pulled, &forces(&sim)) < 10.0, "{:e} N", apart(&pulled, &forces(&sim)));
        assert!(mean <= 1.05, "{mean} iterations");
    }
}

/// A jump of a load: the step after it converges, and the body moves in the direction of the load.
#[test]
fn a_jump_of_a_load_is_taken_in_a_step() {
    let (mut sim, body, _) = moored(0.0);
    sim.initialize(0.0).unwrap();
    sim.solve_equilibrium(200, 1e-10).unwrap();
    let push = 2e6;
    let load = [push, 0.0, 1.4e7 * 9.81 + 1.8e6, 0.0, 0.0, 0.0];
    sim.inputs().set_body_load(body, Frame::Inertial, &load).unwrap();
    (0..20).for_each(|_| sim.step(0.1).unwrap());
    // Inertia alone, less what three lines of 95 t each and their stiffness take over two seconds:
    // EA/L = 0.9 MN/m at the most, as long as drag holds their sag, on 14000 t: (w t)^2/12 of it.
    let moved = sim.outputs().body_pose(body).unwrap()[0];
    let free = 0.5 * push / 1.4e7 * 4.0;
    assert!(moved < free && moved > 0.9 * free, "{moved} for {free}");
    assert_eq!(sim.outputs().statistic("not_converged_steps").unwrap(), 0.0);
}

/// Changes of the water before the first step are used by the initial equilibrium: as if the model
/// had been described so.
#[test]
fn water_that_is_set_before_the_first_step_hangs_the_lines_anew() {
    let run = |late: bool| {
        let (sea, air) = (Sea::water(60.0), Sea::NONE);
        let mut sim = system("generalized-alpha", if late { &air } else { &sea });
        let ends = [fixed(&mut sim, [0.0, 0.0, -60.0]), moved(&mut sim, [70.0, 0.0, -5.0])];
        let id = line(&mut sim, &OC3, ends, 100.0, 12);
        sim.initialize(0.0).unwrap();
        if late {
            let keys =
                ["water_density", "seabed_stiffness", "seabed_damping", "seabed_smoothing", "seabed_adhesion", "depth"];
            let values = [sea.rho, sea.stiffness, sea.damping, sea.smoothing, sea.adhesion, sea.depth];
            keys.iter().zip(values).for_each(|(key, value)| sim.settings().set_environment(key, value).unwrap());
        }
        let start = nodes(&sim, id, 12);
        (0..20).for_each(|_| sim.step(0.05).unwrap());
        assert!(apart(&nodes(&sim, id, 12), &start) < 1e-6, "at rest (late: {late})");
        (start, sim)
    };
    let [(described, _), (late, mut sim)] = [false, true].map(run);
    // Both searches end where forces are below 1e-9 of the weight of a segment.
    assert!(apart(&described, &late) < 1e-6, "{}", apart(&described, &late));
    // Once time runs, lines move by the equations.
    let before = nodes(&sim, 0, 12);
    sim.settings().set_environment("water_density", 0.0).unwrap();
    assert_eq!(nodes(&sim, 0, 12), before);
}

#[test]
fn a_bed_above_a_point_is_refused_before_the_first_step() {
    let mut sim = system("generalized-alpha", &Sea::water(60.0));
    let ends = [fixed(&mut sim, [0.0, 0.0, -60.0]), fixed(&mut sim, [70.0, 0.0, -5.0])];
    let id = line(&mut sim, &OC3, ends, 100.0, 12);
    sim.initialize(0.0).unwrap();
    let before = nodes(&sim, id, 12);
    let said = sim.settings().set_environment("depth", 50.0).expect_err("below the bed").to_string();
    assert!(said.contains("below the seabed"), "{said}");
    assert_eq!((sim.given().environment_value("depth").unwrap(), nodes(&sim, id, 12)), (60.0, before));
    sim.step(0.1).unwrap();
}

/// set_coordinates moves a body on a line: if it is near, the line keeps its shape and motion, if
/// it is far, the line hangs in equilibrium as one described there.
#[test]
fn lines_follow_bodies_that_are_put_elsewhere() {
    let built = |x: V3| {
        let mut sim = system("generalized-alpha", &Sea::water(60.0));
        let body = sim
            .build()
            .add_rigid_body(5e4, &[0.0; 3], &[1e5, 1e5, 1e5, 0.0, 0.0, 0.0], &pose(x, [0.0, 0.0, 0.0, 1.0]))
            .unwrap();
        let anchor = fixed(&mut sim, [-80.0, 0.0, -60.0]);
        let fairlead = sim.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
        sim.build().attach_point(fairlead, body, &[-2.0, 0.0, -1.0]).unwrap();
        let id = line(&mut sim, &OC3, [anchor, fairlead], 110.0, 11);
        sim.initialize(0.0).unwrap();
        (sim, id)
    };
    let put = |sim: &mut Simulation, x: V3| {
        sim.inputs().set_coordinates(&[pose(x, [0.0, 0.0, 0.0, 1.0])], &[[0.0; 6]]).unwrap();
    };
    let (mut sim, id) = built([0.0, 0.0, -4.0]);
    let start = nodes(&sim, id, 11);
    // The same place: bit for bit.
    put(&mut sim, [0.0, 0.0, -4.0]);
    assert_eq!(nodes(&sim, id, 11), start);
    // By less than half a segment: in proportion.
    put(&mut sim, [1.0, -2.0, -4.5]);
    for (k, (from, to)) in start.iter().zip(nodes(&sim, id, 11)).enumerate() {
        let part = k as f64 / 11.0;
        assert!(norm(sub(to, add(*from, scale(part, [1.0, -2.0, -0.5])))) < 1e-12, "node {k}");
    }
    // Far: as described there.
    for x in [[8.0, 0.0, -4.0], [-30.0, 50.0, -10.0]] {
        put(&mut sim, x);
        let (other, other_id) = built(x);
        let off = apart(&nodes(&sim, id, 11), &nodes(&other, other_id, 11));
        assert!(off < 1e-6, "{off}");
        let [a, b] = [sim.lines().end_force(id, 1).unwrap(), other.lines().end_force(other_id, 1).unwrap()];
        assert!(norm(sub(a, b)) < 1e-6 * norm(b), "{a:?} is not {b:?}");
    }
    // A place that the line does not reach is taut, not an error: it stretches.
    put(&mut sim, [60.0, 0.0, -4.0]);
    assert!(tensions(&sim, id, 11).iter().all(|t| *t > 0.0));
}

/// A line that gets a new equilibrium elsewhere does not keep its old velocities.
#[test]
fn a_line_whose_end_is_put_far_away_is_at_rest_there() {
    let mut s = system("generalized-alpha", &Sea::water(OC3_DEPTH));
    let at = |x: f64| pose([x, 0.0, -70.0], UNROTATED);
    let body = s.build().add_rigid_body(1e4, &[0.0; 3], &[1e4, 1e4, 1e4, 0.0, 0.0, 0.0], &at(0.0)).unwrap();
    let ends = [fixed(&mut s, [800.0, 0.0, -OC3_DEPTH]), free(&mut s, 0.0, [0.0; 3])];
    s.build().attach_point(ends[1], body, &[0.0; 3]).unwrap();
    let id = line(&mut s, &OC3.damped(0.8, OC3_LENGTH / 12.0), ends, OC3_LENGTH, 12);
    s.initialize(0.0).unwrap();
    (0..40).for_each(|_| s.step(0.05).unwrap());
    assert!(speeds(&s, id, 12).iter().any(|v| norm(*v) > 0.1), "it swings");
    s.settings().set_option("assemble", 1.0).unwrap();
    s.inputs().set_coordinates(&[at(-100.0)], &[[0.0; 6]]).unwrap();
    assert_eq!(speeds(&s, id, 12), [[0.0; 3]; 13]);
    // Carried along by an end that moves: in proportion.
    s.inputs().set_coordinates(&[at(0.0)], &[[1.2, 0.0, 0.0, 0.0, 0.0, 0.0]]).unwrap();
    for (node, v) in speeds(&s, id, 12).iter().enumerate() {
        assert!((v[0] - 0.1 * node as f64).abs() < 1e-12 && v[1] == 0.0 && v[2] == 0.0, "{node}: {v:?}");
    }
}
