//! Currents that change in time: forces on fixed lines and cylinders in closed form, what drifts
//! along, order of convergence, the same as a steady current, equilibria, states, model files.

use crate::common::*;
use pintle::model::LineType;
use pintle::{CurrentGrids, GROUND, Id, Simulation};
use std::f64::consts::PI;

const G: f64 = 9.80665;
const RHO: f64 = 1025.0;

/// x, y, depth, time, velocity.
type Node = [f64; 7];

fn sea() -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    sim.settings().set_environment("water_density", RHO).unwrap();
    sim
}

/// A profile over time: velocities along x and y at the depths 0 and 40, and times.
fn profile(rows: &[(f64, [[f64; 2]; 2])]) -> Vec<Node> {
    let nodes = |(time, velocities): &(f64, [[f64; 2]; 2])| {
        [(0.0, velocities[0]), (40.0, velocities[1])].map(|(depth, [u, v])| [0.0, 0.0, depth, *time, u, v, 0.0])
    };
    rows.iter().flat_map(nodes).collect()
}

/// The same velocity along x at all depths.
fn uniform(rows: &[(f64, f64)]) -> Vec<Node> {
    rows.iter().map(|(time, u)| [0.0, 0.0, 0.0, *time, *u, 0.0, 0.0]).collect()
}

/// An upright pile from z = -30 to -10 in U = s t (1 - depth/40) along x: drag is `rho d/2 Cd int
/// U^2 dz`, and the force of acceleration `rho A (1 + Ca) int dU/dt dz`. Strips take these
/// integrals of at most quadratic functions exactly; water is linear between nodes.
#[test]
fn a_pile_in_a_current_that_grows_has_drag_and_the_force_of_acceleration() {
    let ([d, cd, ca], slope) = ([1.2, 0.9, 0.7], [0.3, -0.2]);
    for x in [0.0, 1e6] {
        let mut sim = sea();
        let ends = [&[x, 7.0, -30.0], &[x, 7.0, -10.0]];
        sim.elements().add_cylinder(GROUND, ends, d, 8, [cd, ca, 0.0, 0.0]).unwrap();
        sim.settings()
            .set_current_grid(&profile(&[(0.0, [[0.0; 2]; 2]), (20.0, [slope.map(|s| 20.0 * s), [0.0; 2]])]))
            .unwrap();
        sim.initialize(0.0).unwrap();
        for h in [0.5, 1.0, 0.25] {
            sim.step(h).unwrap();
            let t = sim.time().unwrap();
            let loads = sim.outputs().cylinder_loads(0).unwrap();
            let size = slope[0].hypot(slope[1]);
            // With f = 1 - depth/40: f from 1/4 to 3/4, dz = 40 df.
            let [square, mean] = [40.0 / 3.0 * (27.0 - 1.0) / 64.0, 20.0 * 0.5];
            for (k, slope) in slope.into_iter().enumerate() {
                let drag = 0.5 * RHO * d * cd * size * slope * t * t * square;
                let inertia = RHO * 0.25 * PI * d * d * (1.0 + ca) * slope * mean;
                assert!((loads.drag[k] / drag - 1.0).abs() < 1e-12, "{} {drag}", loads.drag[k]);
                assert!((loads.inertia[k] / inertia - 1.0).abs() < 1e-12, "{} {inertia}", loads.inertia[k]);
            }
            let motion = &sim.outputs().water_motion(&[[x, -3.0, -10.0]]).unwrap()[0];
            let right = [0.75 * slope[0] * t, 0.75 * slope[0]];
            assert!((motion.velocity[0] - right[0]).abs() < 1e-14 && (motion.acceleration[0] - right[1]).abs() < 1e-14);
            assert!(motion.elevation == 0.0);
        }
    }
}

/// A taut upright line that is held at both ends, at the start of a run: drag across is `rho d l
/// Cdn/2 U^2` per node, Froude-Krylov `rho A l (1 + Can) dU/dt`; outside of the times of the grid
/// the water is steady.
#[test]
fn a_line_in_a_current_that_grows_has_drag_and_the_force_of_acceleration() {
    let (d, cdn, can, n) = (0.2, 1.3, 0.8, 10);
    for (t, speed, slope) in [(3.0, 1.2, 0.4), (9.0, 2.0, 0.0)] {
        let mut sim = sea();
        let given = LineType { diameter: d, mass_per_length: 60.0, ea: 1e8, cdn, can, cdt: 0.3, ..LineType::default() };
        let line_type = sim.elements().add_line_type(given).unwrap();
        let ends = [-30.0, -10.0].map(|z| {
            let point = sim.build().add_point(0.0, 0.0, &[5.0, 0.0, z]).unwrap();
            sim.build().fix_point(point).unwrap();
            point
        });
        let line = sim.elements().add_line(line_type, ends[0], ends[1], 19.9, n).unwrap();
        sim.settings().set_current_grid(&uniform(&[(0.0, 0.0), (5.0, 2.0)])).unwrap();
        sim.initialize(t).unwrap();
        let loads = |what: &str| {
            let mut loads = vec![[0.0; 3]; n as usize + 1];
            sim.lines().node_loads(line, what, &mut loads).unwrap();
            loads[4]
        };
        let l = 19.9 / f64::from(n);
        let drag = 0.5 * RHO * d * l * cdn * speed * speed;
        let acceleration = RHO * 0.25 * PI * d * d * l * (1.0 + can) * slope;
        let [found, other] = [loads("drag"), loads("froude_krylov")];
        assert!((found[0] / drag - 1.0).abs() < 1e-12 && found[1].abs() < 1e-12 * drag, "{found:?} {drag}");
        assert!((other[0] - acceleration).abs() < 1e-12 * drag, "{other:?} {acceleration}");
    }
}

/// A point of the density of the water in a current u(t).
fn drifter(scheme: &str, nodes: &[Node], cda: f64, at: f64) -> (Simulation, Id) {
    let mut sim = sea();
    sim.settings().set_scheme(scheme).unwrap();
    let point = sim.build().add_point(0.5 * RHO, 0.5, &[at, 0.0, -20.0]).unwrap();
    sim.build().set_point_drag(point, cda, 0.6).unwrap();
    sim.settings().set_current_grid(nodes).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, point)
}

/// The accelerations of the point and of the water are equal, whatever Ca, and drag keeps both
/// together: in a ramp it follows the water but for rounding, in equal and in changing steps, also
/// far away.
#[test]
fn a_point_of_the_density_of_water_follows_a_ramp() {
    for scheme in ["generalized-alpha", "newmark", "rk4"] {
        for (at, tolerance) in [(0.0, 1e-11), (1e6, 1e-8)] {
            let (mut sim, point) = drifter(scheme, &uniform(&[(0.0, 0.0), (50.0, 20.0)]), 0.9, at);
            for k in 0..60 {
                sim.step([0.1, 0.05, 0.2][k % 3]).unwrap();
            }
            let t = sim.time().unwrap();
            let (x, v) = (sim.points().position(point).unwrap()[0] - at, sim.points().velocity(point).unwrap()[0]);
            assert!((v - 0.4 * t).abs() < 1e-10 && (x - 0.2 * t * t).abs() < tolerance, "{scheme} {t}: {x} {v}");
        }
    }
}

/// Where the current changes its slope at ends of steps, schemes keep their order; the way of the
/// water, without drag, is met by the rule of trapezoids.
#[test]
fn kinks_at_ends_of_steps_keep_the_order() {
    let kinks = uniform(&[(0.0, 0.0), (1.0, 2.0), (2.0, 2.0), (3.0, -1.0)]);
    let (way, end) = (1.0 + 2.0 + 0.5 - 1.0, 4.0);
    for h in [0.25, 0.1] {
        let (mut sim, point) = drifter("newmark", &kinks, 0.0, 0.0);
        (0..(end / h) as usize).for_each(|_| sim.step(h).unwrap());
        let (x, v) = (sim.points().position(point).unwrap()[0], sim.points().velocity(point).unwrap()[0]);
        // Half of a jump of acceleration on either side of a kink: the velocity is exact, the way
        // errs by some h^2.
        assert!((v + 1.0).abs() < 1e-10 && (x - way).abs() < 1.5 * h * h, "{h}: {x} {v}");
    }
    // A heavy point that is dragged along in a current of two kinks.
    let at = |scheme: &str, h: f64| {
        let mut sim = sea();
        sim.settings().set_scheme(scheme).unwrap();
        let point = sim.build().add_point(900.0, 0.5, &[0.0, 0.0, -20.0]).unwrap();
        sim.build().set_point_drag(point, 0.9, 0.6).unwrap();
        sim.settings()
            .set_current_grid(&profile(&[
                (0.0, [[0.0, 0.3], [1.0, 0.0]]),
                (1.0, [[2.0, 0.0], [0.5, 0.5]]),
                (2.0, [[0.0, 1.0], [0.0, 1.5]]),
            ]))
            .unwrap();
        sim.initialize(0.0).unwrap();
        (0..(4.0 / h).round() as usize).for_each(|_| sim.step(h).unwrap());
        sim.points().position(point).unwrap()
    };
    let exact = at("rk4", 0.001);
    for scheme in ["generalized-alpha", "momentum-alpha", "rk2"] {
        let table = [0.1, 0.05, 0.025].map(|h| (h, norm(sub(at(scheme, h), exact))));
        assert_order(scheme, &table, 2.0, 0.3);
    }
}

/// A rod on a sphere in shear, at rest in still water, a line beside it.
fn moored(current: impl FnOnce(&mut Simulation)) -> (Simulation, Id) {
    let mut sim = sea();
    sim.settings().set_environment("depth", 40.0).unwrap();
    let inertia = six(&diag([9e4, 9e4, 2e3]));
    let body =
        sim.build().add_rigid_body(6e3, &[0.0, 0.0, 3.0], &inertia, &pose([3.0, 0.0, -14.0], UNROTATED)).unwrap();
    let ends = [&[0.0; 3], &[0.0, 0.0, 10.0]];
    sim.elements().add_cylinder(body, ends, 1.0, 6, [1.0, 0.9, 0.8, 0.6]).unwrap();
    let given = LineType {
        diameter: 0.1,
        mass_per_length: 40.0,
        ea: 1e7,
        ba: -0.8,
        cdn: 1.6,
        can: 1.0,
        cdt: 0.1,
        ..LineType::default()
    };
    let line_type = sim.elements().add_line_type(given).unwrap();
    let top = sim.build().add_point(0.0, 0.0, &[3.0, 0.0, -14.0]).unwrap();
    sim.build().attach_point(top, body, &[0.0; 3]).unwrap();
    for [x, y] in [[40.0, 0.0], [-17.0, 30.0], [-17.0, -30.0]] {
        let anchor = sim.build().add_point(0.0, 0.0, &[x, y, -40.0]).unwrap();
        sim.build().fix_point(anchor).unwrap();
        sim.elements().add_line(line_type, anchor, top, 47.0, 12).unwrap();
    }
    current(&mut sim);
    sim.initialize(0.0).unwrap();
    (sim, body)
}

fn end(sim: &mut Simulation, body: Id, [h, end]: [f64; 2]) -> [f64; 7] {
    (0..(end / h).round() as usize).for_each(|_| sim.step(h).unwrap());
    sim.outputs().body_pose(body).unwrap()
}

const SHEAR: [[f64; 2]; 2] = [[1.1, 0.4], [0.2, 0.0]];

/// A grid of a single time is a steady current. Its derivative by depth is not in the tangents of a
/// step, and water is linear between the nodes of a cylinder, as the profile is: the step differs
/// by the prediction of the place, of the order of h^2 in the water times its shear.
#[test]
fn a_grid_of_one_time_is_a_steady_current() {
    let steady = |sim: &mut Simulation| {
        let row = |[u, v]: [f64; 2]| [u, v, 0.0];
        sim.settings().set_current(&[0.0, 40.0], &SHEAR.map(row)).unwrap();
    };
    let grid = |sim: &mut Simulation| sim.settings().set_current_grid(&profile(&[(5.0, SHEAR)])).unwrap();
    let difference = |h: f64| {
        let [(mut one, a), (mut other, b)] = [moored(steady), moored(grid)];
        let [one, other] = [end(&mut one, a, [h, 6.0]), end(&mut other, b, [h, 6.0])];
        norm(sub([one[0], one[1], one[2]], [other[0], other[1], other[2]]))
    };
    let [coarse, fine] = [difference(0.1), difference(0.05)];
    assert!(coarse < 5e-4 && fine < 0.4 * coarse, "{coarse:e} {fine:e}");
    // Equilibria take it as a steady current, bit by bit; of a grid that changes in time the
    // present time.
    let over_time = |sim: &mut Simulation| {
        let twice = SHEAR.map(|row| row.map(|u| 2.0 * u));
        sim.settings().set_current_grid(&profile(&[(-1.0, [[0.0; 2]; 2]), (1.0, twice)])).unwrap();
    };
    let rest = |(mut sim, body): (Simulation, Id)| {
        sim.solve_equilibrium(200, 1e-10).unwrap();
        sim.outputs().body_pose(body).unwrap()
    };
    let (right, still) = (rest(moored(steady)), rest(moored(|_| ())));
    assert_eq!(rest(moored(grid)), right);
    assert!((right[0] - still[0]).abs() > 0.1);
    let found = rest(moored(over_time));
    // The spin of the cylinder is free.
    assert!((0..3).all(|k| (found[k] - right[k]).abs() < 1e-9), "{found:?} {right:?}");
    // Both together are the sum.
    let halves = |sim: &mut Simulation| {
        let half = |[u, v]: [f64; 2]| [0.5 * u, 0.5 * v, 0.0];
        sim.settings().set_current(&[0.0, 40.0], &SHEAR.map(half)).unwrap();
        let middle = [0, 1].map(|k| 0.25 * (SHEAR[0][k] + SHEAR[1][k]));
        let row = |depth: f64, [u, v]: [f64; 2]| [0.0, 0.0, depth, 0.0, u, v, 0.0];
        let [top, bottom] = SHEAR.map(|row| row.map(|u| 0.5 * u));
        sim.settings().set_current_grid(&[row(0.0, top), row(20.0, middle), row(40.0, bottom)]).unwrap();
    };
    let found = rest(moored(halves));
    assert!((0..3).all(|k| (found[k] - right[k]).abs() < 1e-9), "{found:?} {right:?}");
}

/// A grid of still water moves nothing; what rests goes on to rest.
#[test]
fn still_water_on_a_grid_moves_nothing() {
    let (mut sim, body) = moored(|sim| sim.settings().set_current_grid(&uniform(&[(0.0, 0.0), (9.0, 0.0)])).unwrap());
    sim.solve_equilibrium(200, 1e-10).unwrap();
    let before = sim.outputs().body_pose(body).unwrap();
    let after = end(&mut sim, body, [0.1, 10.0]);
    assert!((0..7).all(|k| (before[k] - after[k]).abs() < 1e-6), "{before:?} {after:?}");
}

const STORM: [(f64, [[f64; 2]; 2]); 3] =
    [(0.0, [[0.0; 2]; 2]), (2.0, [[1.5, 0.2], [0.3, 0.1]]), (5.0, [[0.2, 1.0], [0.0, -0.3]])];

/// Steps that are taken back, a restored state in a fresh system with another grid, and a clone
/// repeat bit by bit; a grid that is set between steps acts from then on, and one that is refused
/// changes nothing.
#[test]
fn the_grid_belongs_to_the_state() {
    let storm = |sim: &mut Simulation| sim.settings().set_current_grid(&profile(&STORM)).unwrap();
    let ((mut sim, body), (mut fresh, _)) = (moored(storm), moored(|_| ()));
    end(&mut sim, body, [0.1, 1.0]);
    let without = sim.clone();
    let said = sim
        .settings()
        .set_current_grid(&[STORM[0], STORM[0]].map(|(t, _)| [0.0, 0.0, 1.0, t, 0.0, 0.0, 0.0]))
        .unwrap_err();
    assert!(said.to_string().contains("time"), "{said}");
    assert!(sim.save().unwrap().to_bytes() == without.save().unwrap().to_bytes());
    let other = [[-50.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0], [50.0, 0.0, 0.0, 0.5, 0.0, 1.0, 0.0]];
    let other = [other, other.map(|row| [row[0], 0.0, 0.0, 3.0, row[5], row[4], 0.1])].concat();
    sim.settings().set_current_grid(&other).unwrap();
    end(&mut sim, body, [0.1, 0.5]);
    let (saved, mut copy) = (sim.save().unwrap().to_bytes(), sim.clone());
    sim.advance(0.1).unwrap();
    sim.reject().unwrap();
    let right = end(&mut sim, body, [0.1, 2.0]);
    assert_eq!(right, end(&mut copy, body, [0.1, 2.0]));
    let state = fresh.deserialize(&saved).unwrap();
    fresh.restore(&state).unwrap();
    assert_eq!(CurrentGrids::of(&fresh).points(), other);
    assert_eq!(right, end(&mut fresh, body, [0.1, 2.0]));
    let (mut again, _) = moored(storm);
    assert!(end(&mut again, body, [0.1, 3.5]) != right);
}

/// 1e6 m away the same motion; positions there are known to 1e-10 m.
#[test]
fn currents_that_differ_in_space_do_not_depend_on_the_origin() {
    let at = |offset: f64| {
        let mut sim = sea();
        let point = sim.build().add_point(700.0, 0.5, &[offset + 1.0, -offset, -20.0]).unwrap();
        sim.build().set_point_drag(point, 0.9, 0.6).unwrap();
        let node =
            |x: f64, y: f64, t: f64| [offset + x, y - offset, 0.0, t, 0.1 * x + 0.2 * t, 0.2 - 0.05 * y * t, 0.3];
        let times = [0.0, 2.0].map(|t| [-30.0, 30.0].map(|y| [-30.0, 30.0].map(|x| node(x, y, t))).concat());
        sim.settings().set_current_grid(&times.concat()).unwrap();
        sim.initialize(0.0).unwrap();
        (0..80).for_each(|k| sim.step([0.05, 0.03][k % 2]).unwrap());
        sub(sim.points().position(point).unwrap(), [offset, -offset, 0.0])
    };
    let [here, there] = [at(0.0), at(1e6)];
    assert!(norm(sub(here, there)) < 1e-7, "{here:?} {there:?}");
    assert!((here[0] - 1.0).abs() > 0.1);
}
