//! No heap allocation in a step after the first one, nor in save_into, restore, trial steps and
//! getters.

use crate::common::*;
use pintle::model::LineType;
use pintle::{BodyLoad, BodyMotion, CoupledLoad, CoupledMotion, Frame, GROUND, JointKind, Simulation};
use std::sync::Arc;

fn requests(action: impl FnOnce()) -> u64 {
    // freeing is heap traffic too
    crate::heap::traffic(action)
}

#[test]
fn counter_sees_an_allocation() {
    assert!(requests(|| drop(std::hint::black_box(vec![1u8; 100]))) >= 2);
    assert_eq!(requests(|| _ = std::hint::black_box(1 + 1)), 0);
}

fn heavy_top() -> Simulation {
    let (mut sim, body, _) = models::heavy_top::top();
    sim.build().add_marker(body, &ORIGIN).unwrap();
    sim
}

fn floating_platform() -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.8124]).unwrap();
    let at = pose([0.0, 0.0, -7.53], UNROTATED);
    let body = sim
        .build()
        .add_rigid_body(1.419625e7, &[0.0; 3], &[1.2898e10, 1.2851e10, 1.4189e10, 0.0, 0.0, 0.0], &at)
        .unwrap();
    for (x, y) in [(-40.87, 0.0), (20.43, -35.39), (20.43, 35.39)] {
        sim.elements()
            .add_spring(body, &[x, y, -6.47], GROUND, &[2.58 * x, 2.58 * y, -58.4], 48.9e3, 1e3, 55.432, true)
            .unwrap();
    }
    sim.settings().set_added_mass(body, &diagonal([1e6, 1e6, 2e6, 1e9, 1e9, 1e9]), Frame::Body).unwrap();
    sim.settings().set_linear_damping(body, &diagonal([1e5, 1e5, 1e5, 1e8, 1e8, 1e8]), Frame::Inertial).unwrap();
    sim.settings().set_quadratic_drag(body, &diagonal([1e4, 1e4, 1e4, 1e7, 1e7, 1e7]), Frame::Body).unwrap();
    sim.build().add_marker(body, &ORIGIN).unwrap();
    sim.inputs().set_body_load(body, Frame::Inertial, &[0.0, 1e6, 1.41e8, 0.0, 0.0, 1e6]).unwrap();
    sim
}

fn bushing_and_callback() -> Simulation {
    let mut sim = Simulation::new();
    let j = [0.4, 0.5, 0.6, 0.0, 0.0, 0.0];
    let one = sim.build().add_rigid_body(1.0, &[0.1, 0.0, 0.0], &j, &ORIGIN).unwrap();
    let two = sim.build().add_rigid_body(1.0, &[0.0; 3], &j, &pose([1.0, 0.0, 0.0], UNROTATED)).unwrap();
    let frame = pose([0.5, 0.0, 0.0], UNROTATED);
    sim.elements()
        .add_bushing(one, two, &frame, &pose([-0.4, 0.0, 0.0], UNROTATED), &diagonal([50.0; 6]), &diagonal([0.5; 6]))
        .unwrap();
    let callback = |motion: &BodyMotion, load: &mut BodyLoad| {
        for i in 0..3 {
            load.wrench[i] = -20.0 * motion.pose[i];
            load.stiffness[7 * i] = 20.0;
        }
        Ok(())
    };
    sim.inputs().set_load_callback(one, Some(Arc::new(callback))).unwrap();
    sim.build().set_body_velocity(two, &[0.0, 0.5, 0.0, 0.0, 0.3, 0.0]).unwrap();
    sim.build().add_marker(two, &ORIGIN).unwrap();
    sim
}

/// Two bodies with a common added mass, whose callback gives the matrix for one direction only: the
/// iteration learns the rest in each step.
fn coupled_callback() -> Simulation {
    let mut sim = bushing_and_callback();
    let callback = |motion: &CoupledMotion, load: &mut CoupledLoad| {
        for i in 0..6 {
            let relative = motion.accelerations[1][i] - motion.accelerations[0][i];
            (load.wrenches[0][i], load.wrenches[1][i]) = (0.7 * relative, -0.7 * relative);
        }
        for (row, column, sign) in [(0, 0, 1.0), (6, 6, 1.0), (0, 6, -1.0), (6, 0, -1.0)] {
            load.mass[row + 12 * column] = 0.7 * sign;
        }
        Ok(())
    };
    sim.inputs().set_coupled_load_callback(&[0, 1], Some(Arc::new(callback))).unwrap();
    sim
}

/// 30 links in alternating joints: the sparse path.
fn chain() -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let mut last = GROUND;
    for k in 0..30 {
        let at = pose([k as f64 + 0.5, 0.0, 0.0], UNROTATED);
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.2, 0.2, 0.0, 0.0, 0.0], &at).unwrap();
        let (kind, axis) =
            if k % 2 == 0 { (JointKind::Spherical, None) } else { (JointKind::Revolute, Some(&[0.0, 1.0, 0.0])) };
        sim.build().add_joint_at(kind, last, body, &[k as f64, 0.0, 0.0], axis).unwrap();
        last = body;
    }
    sim.build().add_marker(last, &ORIGIN).unwrap();
    sim
}

/// A row of wheels, each geared to the next, the last two twice.
fn geared_wheels() -> Simulation {
    let mut sim = Simulation::new();
    let axis = Some(&[0.0, 0.0, 1.0]);
    for k in 0..12 {
        let x = k as f64;
        let body = sim.build().add_rigid_body(
            1.0,
            &[0.0; 3],
            &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0],
            &pose([x, 0.0, 0.0], UNROTATED),
        );
        sim.build().add_joint_at(JointKind::Revolute, GROUND, body.unwrap(), &[x, 0.0, 0.0], axis).unwrap();
    }
    (0..11).for_each(|k| _ = sim.elements().add_gear(k, k + 1, -1.2).unwrap());
    sim.elements().add_gear(11, 10, -1.0 / 1.2).unwrap();
    sim.inputs().set_joint_load(0, 0.3).unwrap();
    sim.build().add_marker(0, &ORIGIN).unwrap();
    sim
}

/// Schemes with different memory: Newton, stages, history, local steps, substeps, differences.
const SCHEMES: [&str; 11] = [
    "generalized-alpha",
    "momentum-alpha",
    "hht",
    "rk4",
    "heun",
    "ab5",
    "lab3",
    "midpoint4",
    "anderson6",
    "aca2",
    "wilson3",
];

/// Everything that a host does between two steps, after a warm-up of one round.
fn assert_no_allocation(name: &str, model: fn() -> Simulation, dt: f64) {
    for scheme in SCHEMES {
        let mut sim = model();
        sim.settings().set_scheme(scheme).unwrap();
        assert_none(&format!("{name}, {scheme}"), sim, dt);
    }
    let mut sim = model();
    sim.settings().set_option("linear", 1.0).unwrap();
    assert_none(&format!("{name}, linear"), sim, dt);
}

fn assert_none(name: &str, mut sim: Simulation, dt: f64) {
    for (cut, order) in [(f64::INFINITY, 0.0), (0.4 * dt, 1.0)] {
        if cut.is_finite() {
            sim.settings().set_option("max_time_step", cut).unwrap();
        }
        sim.settings().set_option("input_order", order).unwrap();
        if sim.phase() == pintle::Phase::Building {
            sim.initialize(0.0).unwrap();
        }
        sim.step(dt).unwrap();
        let mut snapshot = sim.save().unwrap();
        let bodies = sim.description().count(pintle::EntityKind::Body) as usize;
        let mut poses = vec![[0.0; 7]; bodies];
        let mut rates = vec![[0.0; 6]; bodies];
        let loads = vec![[0.0; 6]; bodies];
        let mut bytes = vec![0; snapshot.serialized_len()];

        let steps = requests(|| (0..50).for_each(|_| sim.step(dt).unwrap()));
        assert_eq!(steps, 0, "{name}: heap requests in 50 steps (order {order})");
        let trials = requests(|| {
            for _ in 0..10 {
                sim.advance(dt).unwrap();
                sim.advance(dt).unwrap();
                sim.reject().unwrap();
                sim.advance(dt).unwrap();
                sim.accept().unwrap();
            }
        });
        assert_eq!(trials, 0, "{name}: heap requests in advance, reject, accept");
        let state = requests(|| {
            for _ in 0..10 {
                sim.save_into(&mut snapshot).unwrap();
                sim.step(dt).unwrap();
                sim.restore(&snapshot).unwrap();
                sim.step(dt).unwrap();
            }
            snapshot.serialize_into(&mut bytes).unwrap();
        });
        assert_eq!(state, 0, "{name}: heap requests in save_into, restore, serialize_into");
        let sizes = requests(|| (0..6).for_each(|k| sim.step([dt, 0.5 * dt, 0.7 * dt][k % 3]).unwrap()));
        assert_eq!(sizes, 0, "{name}: heap requests when the step size changes");
        let inputs = requests(|| {
            sim.inputs().set_body_loads(Frame::Inertial, &loads).unwrap();
            sim.inputs().set_body_load(0, Frame::Body, &[0.1; 6]).unwrap();
            sim.inputs().set_marker_load(0, Frame::Body, &[0.1; 6]).unwrap();
            sim.inputs().mark_discontinuity().unwrap();
            sim.step(dt).unwrap();
            sim.inputs().clear_loads().unwrap();
            sim.step(dt).unwrap();
        });
        assert_eq!(inputs, 0, "{name}: heap requests in inputs and a marked discontinuity");
        let mut channels = vec![0.0; sim.channels().count().unwrap() as usize];
        let outputs = requests(|| {
            sim.channels().values(&mut channels).unwrap();
            for i in 0..channels.len() as i32 {
                sim.channels().unit(i).unwrap();
            }
            for frame in [Frame::Inertial, Frame::Body] {
                sim.outputs().body_velocity(0, frame).unwrap();
                sim.outputs().body_acceleration(0, frame).unwrap();
                sim.outputs().marker_velocity(0, frame).unwrap();
                sim.outputs().marker_acceleration(0, frame).unwrap();
                for joint in 0..sim.description().count(pintle::EntityKind::Joint) {
                    sim.outputs().joint_reaction(joint, frame).unwrap();
                }
            }
            for gear in 0..sim.description().count(pintle::EntityKind::Gear) {
                sim.outputs().gear_load(gear).unwrap();
                sim.description().gear(gear).unwrap();
            }
            for spring in 0..sim.description().count(pintle::EntityKind::Spring) {
                sim.outputs().spring_force(spring).unwrap();
            }
            sim.outputs().body_pose(0).unwrap();
            sim.outputs().body_displacement(0).unwrap();
            sim.outputs().marker_pose(0).unwrap();
            sim.outputs().body_poses(&mut poses).unwrap();
            sim.outputs().body_velocities(&mut rates).unwrap();
            sim.outputs().body_accelerations(&mut rates).unwrap();
            sim.outputs().constraint_violation().unwrap();
            sim.outputs().energy().unwrap();
            sim.outputs().momentum(&[0.0; 3]).unwrap();
            sim.time().unwrap();
            sim.outputs().statistic("iterations").unwrap();
            sim.given().option("rho_inf").unwrap();
        });
        let read_back = requests(|| {
            let (said, given) = (sim.description(), sim.given());
            said.gravity();
            said.body_mass(0).unwrap();
            said.body_initial_motion(0).unwrap();
            said.added_mass(0).unwrap();
            said.marker_info(0).unwrap();
            for joint in 0..sim.description().count(pintle::EntityKind::Joint) {
                said.joint_info(joint).unwrap();
            }
            for spring in 0..sim.description().count(pintle::EntityKind::Spring) {
                said.spring_info(spring).unwrap();
            }
            given.has_load_callback(0).unwrap();
            for frame in [Frame::Inertial, Frame::Body] {
                given.body_load(0, frame).unwrap();
                given.marker_load(0, frame).unwrap();
                given.body_loads(frame, &mut rates).unwrap();
            }
        });
        assert_eq!(read_back, 0, "{name}: heap requests in what reads the model and its inputs");
        assert_eq!(outputs, 0, "{name}: heap requests in getters");
    }
}

#[test]
fn heavy_top_steps_without_allocation() {
    assert_no_allocation("heavy top", heavy_top, 1e-3);
}

#[test]
fn platform_steps_without_allocation() {
    assert_no_allocation("platform", floating_platform, 0.05);
}

#[test]
fn bushing_and_callback_step_without_allocation() {
    assert_no_allocation("bushing and callback", bushing_and_callback, 0.01);
}

#[test]
fn coupled_callback_steps_without_allocation() {
    assert_no_allocation("coupled callback", coupled_callback, 0.01);
}

#[test]
fn geared_wheels_step_without_allocation() {
    assert_no_allocation("geared wheels", geared_wheels, 0.01);
}

/// A beam on a hub with dead and follower loads, per length and at a place.
fn loaded_beam() -> Simulation {
    let (mut sim, at) = (Simulation::new(), pose([0.0; 3], UNROTATED));
    let hub = sim.build().add_rigid_body(5.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &at).unwrap();
    sim.build().add_joint_at(JointKind::Revolute, GROUND, hub, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    sim.build().add_marker(hub, &at).unwrap();
    let (stiffness, mass) = ([400.0, 200.0, 200.0, 20.0, 20.0, 20.0], [1.0, 0.2, 0.1, 0.1]);
    let (ends, axis) = ([&[0.0; 3], &[4.0, 0.0, 0.0]], [0.0, 1.0, 0.0]);
    let beam = sim.elements().add_uniform_beam(ends, &axis, &stiffness, &mass, &[1e-3; 6]).unwrap();
    sim.elements().attach_beam(beam, 0, hub).unwrap();
    sim.elements().mesh_beam(beam, 4).unwrap();
    for (s, distributed, frame) in [(0.0, true, Frame::Inertial), (2.5, false, Frame::Body), (4.0, true, Frame::Body)] {
        let place = sim.elements().add_beam_load(beam, s, &[0.0, 0.1, 0.0], distributed).unwrap();
        sim.inputs().set_beam_load(beam, place, frame, &[0.1, 0.4, -0.2, 0.1, 0.0, 0.1]).unwrap();
    }
    sim
}

#[test]
fn a_loaded_beam_steps_without_allocation() {
    assert_no_allocation("loaded beam", loaded_beam, 1e-3);
    let mut sim = loaded_beam();
    sim.initialize(0.0).unwrap();
    let beams = pintle::simulation::Beams::of(&sim);
    let outputs = requests(|| {
        beams.section_load(0, 1.2, Frame::Body).unwrap();
        beams.strains(0, 2.7).unwrap();
        beams.load_motion(0, 1).unwrap();
    });
    assert_eq!(outputs, 0, "heap requests in getters of sections");
}

/// A bar on a hinge with friction that falls between two stops.
fn bouncing_bar(law: i32) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let at = pose([1.0, 0.0, 0.0], UNROTATED);
    let bar = sim.build().add_rigid_body(2.0, &[0.0; 3], &[0.2, 0.2, 0.2, 0.0, 0.0, 0.0], &at).unwrap();
    let hinge = sim.build().add_joint_at(JointKind::Revolute, GROUND, bar, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
    sim.build().set_joint_friction((hinge, false), [0.5, 0.6, 0.1, 0.0, 1e-6]).unwrap();
    sim.build().set_joint_stop((hinge, false), [-1.0, 0.1], law, [1e5, 10.0, 0.6]).unwrap();
    sim.build().add_marker(bar, &at).unwrap();
    sim
}

#[test]
fn joints_that_stick_bounce_and_rest_step_without_allocation() {
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht"] {
        for law in 0..3 {
            let mut sim = bouncing_bar(law);
            sim.settings().set_scheme(scheme).unwrap();
            assert_none(&format!("bouncing bar, {scheme}, law {law}"), sim, 0.01);
        }
    }
}

/// Two lines from a body to a free point and on to an anchor, over a bed with friction, in water
/// that waves, a current and a host move.
fn moored_body() -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    for (key, value) in [("water_density", 1025.0), ("depth", 60.0), ("seabed_friction", 0.5)] {
        sim.settings().set_environment(key, value).unwrap();
    }
    let at = pose([0.0, 0.0, -5.0], UNROTATED);
    let body = sim.build().add_rigid_body(1e5, &[0.0; 3], &[1e6, 1e6, 2e6, 0.0, 0.0, 0.0], &at).unwrap();
    sim.elements().add_spring(body, &[0.0; 3], GROUND, &[0.0, 0.0, 45.0], 3e4, 1e4, 20.0, false).unwrap();
    let eyes = [[0.0, -30.0, 40.0], [0.0, 0.0, 2.0], [0.0, 30.0, 40.0]];
    sim.elements().add_tendon(&[GROUND, body, GROUND], &eyes, 1e4, 1e3, 90.0).unwrap();
    let spectrum = pintle::model::Spectrum::Jonswap { height: 2.0, period: 8.0, peak_factor: 3.3 };
    let sea = pintle::model::Sea { heading: 0.4, spreading: 5.0, seed: 1, components: 21 };
    sim.settings().set_irregular_waves(spectrum, &sea).unwrap();
    let current = [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 9.0, 0.5, 0.0, 0.0]];
    sim.settings().set_current_grid(&current).unwrap();
    sim.settings().set_seabed_grid(&[[-200.0, 0.0, 60.0], [200.0, 0.0, 60.0]]).unwrap();
    let points =
        [[0.0; 3], [50.0, 0.0, -40.0], [120.0, 0.0, -60.0]].map(|x| sim.build().add_point(200.0, 0.1, &x).unwrap());
    sim.build().attach_point(points[0], body, &[2.0, 0.0, -1.0]).unwrap();
    sim.build().set_point_drag(points[1], 1.0, 0.5).unwrap();
    sim.build().fix_point(points[2]).unwrap();
    let chain = LineType {
        diameter: 0.1,
        mass_per_length: 40.0,
        ea: 1e7,
        ba: -0.5,
        ei: 1e3,
        cdn: 1.2,
        can: 1.0,
        ..LineType::default()
    };
    let chain = sim.elements().add_line_type(chain).unwrap();
    sim.elements().add_line(chain, points[0], points[1], 63.0, 5).unwrap();
    sim.elements().add_line(chain, points[1], points[2], 78.0, 6).unwrap();
    let wave = |time: f64, positions: &[[f64; 3]], motion: &mut pintle::model::FluidMotion| {
        for (v, x) in motion.velocities.iter_mut().zip(positions) {
            *v = [0.3 * (time - 0.1 * x[0]).sin(), 0.0, 0.0];
        }
        Ok(())
    };
    sim.settings().set_fluid_callback(Some(Arc::new(wave)), true).unwrap();
    sim.build().add_marker(body, &ORIGIN).unwrap();
    sim
}

#[test]
fn lines_move_without_allocation() {
    for scheme in SCHEMES {
        let mut sim = moored_body();
        sim.settings().set_scheme(scheme).unwrap();
        assert_none(&format!("moored body, {scheme}"), sim, 1e-3);
    }
    let mut sim = moored_body();
    sim.settings().set_option("linear", 1.0).unwrap();
    assert_none("moored body, linear", sim, 1e-3);
}

#[test]
fn chain_of_thirty_bodies_steps_without_allocation() {
    assert_no_allocation("chain", chain, 2e-3);
}

/// Three thin rods that hang below each other along z and swing about y.
/// A body that follows tables: of a load, of a motion, and of all of its orientation.
fn followed_bodies() -> Simulation {
    let mut text = "pintle_model = 1\n".to_owned();
    for name in ["ship", "boat"] {
        text += &format!("[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [1, 1, 1, 0, 0, 0]\nposition = [0, 0, 0]\n");
        text += if name == "ship" {
            "prescribed = true\n"
        } else {
            "[[marker]]\nbody = \"boat\"\nframe = [0, 0, 0, 1, 0, 0, 0]\n"
        };
    }
    for (name, values) in [
        ("body.ship.motion.pos.x", [0.0, 1.0]),
        ("body.ship.motion.quat.w", [1.0, 0.8]),
        ("body.ship.motion.quat.x", [0.0, 0.6]),
        ("body.ship.motion.quat.y", [0.0, 0.0]),
        ("body.ship.motion.quat.z", [0.0, 0.0]),
        ("body.boat.load.fx", [1.0, 2.0]),
    ] {
        text += &format!("[[input]]\nname = \"{name}\"\ntimes = [0, 5]\nvalues = {values:?}\n");
    }
    pintle::simulation::read_model(std::path::Path::new("followed.toml"), text.as_bytes()).unwrap()
}

#[test]
fn bodies_follow_tables_without_allocation() {
    assert_no_allocation("followed bodies", followed_bodies, 1e-3);
}

fn thin_rods(scheme: &str, kind: JointKind) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    sim.settings().set_scheme(scheme).unwrap();
    let axis = (kind == JointKind::Revolute).then_some(&[0.0, 1.0, 0.0]);
    let mut last = GROUND;
    for k in 0..3 {
        let z = -f64::from(k);
        let at = pose([0.0, 0.0, z - 0.5], UNROTATED);
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.08, 0.08, 1e-10, 0.0, 0.0, 0.0], &at).unwrap();
        sim.build().set_body_velocity(body, &[3.0 * (0.5 - z), 0.0, 0.0, 0.0, -3.0, 0.0]).unwrap();
        sim.build().add_joint_at(kind, last, body, &[0.0, 0.0, z], axis).unwrap();
        last = body;
    }
    sim.initialize(0.0).unwrap();
    sim
}

/// On ball joints, rotations of the rods about their own axes have a pivot link by link while they
/// hang along z, not once they are askew. The step in which that happens allocates the matrix, one
/// later step may allocate a factorisation with pivoting among all rows if block pivots fail, and
/// no other step allocates; the motion is that of the rods on hinges, whose rotations always have
/// pivots.
#[test]
fn links_that_lose_their_pivot_ask_for_memory_once() {
    for scheme in ["rk4", "ab3", "heun"] {
        let [mut balls, mut hinges] = [JointKind::Spherical, JointKind::Revolute].map(|kind| thin_rods(scheme, kind));
        balls.step(1e-3).unwrap();
        hinges.step(1e-3).unwrap();
        let (mut asking, mut last) = (0, 0);
        for n in 1..400 {
            if requests(|| balls.step(1e-3).unwrap()) > 0 {
                (asking, last) = (asking + 1, n);
            }
            assert_eq!(requests(|| hinges.step(1e-3).unwrap()), 0, "{scheme}, hinges");
        }
        assert!((1..=2).contains(&asking), "{scheme}: {asking} steps asked for memory, the last one was {last}");
        for body in 0..3 {
            let [ball, hinge] = [&balls, &hinges].map(|sim| place(&sim.outputs().body_pose(body).unwrap()));
            // Rounding error of pivots that are 1e-8 of the numbers whose difference they are.
            assert!(distance(ball, hinge) < f64::EPSILON / 1e-8, "{scheme}, rod {body}: {ball:?}, {hinge:?}");
        }
    }
}
