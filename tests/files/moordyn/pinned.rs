//! Bodies of files that turn about a place which the host moves.

use crate::moordyn::{Folder, load};
use pintle::{EntityKind, Frame, JointKind, Simulation};

const G: f64 = 9.80665;
const MASS: f64 = 1000.0;
const ARM: f64 = 2.0;
const INERTIA: f64 = 500.0;

/// A body of 1000 kg in air, 2 m below its reference point, turned by angles about x, y, z.
fn pendulum(word: &str, angles: &str) -> String {
    format!(
        "--- BODIES ---\nID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca\n\
         (#) (-) (m) (m) (m) (deg) (deg) (deg) (kg) (m) (kg-m^2) (m^3) (m^2) (-)\n\
         1 Coupled 9 9 9 0 0 0 10 0 1 0 0 0\n2 {word} 3 4 20 {angles} {MASS} -{ARM} {INERTIA} 0 0 0\n\
         --- OPTIONS ---\n100 WtrDpth\n--- END ---\n"
    )
}

fn support(sim: &Simulation) -> i32 {
    sim.description().find(EntityKind::Body, "body 2 support").unwrap()
}

/// The angle about x of the pendulum, which swings about x.
fn angle(sim: &Simulation) -> f64 {
    let [_, _, _, w, x, _, _] = sim.outputs().body_pose(1).unwrap();
    2.0 * x.atan2(w)
}

#[test]
fn a_coupled_pinned_body_is_free_on_a_joint_to_a_prescribed_one() {
    for word in ["CoupledPinned", "VesselPinned", "vespin", "CpldPin"] {
        let sim = load(pendulum(word, "0 0 90")).unwrap();
        let told = sim.description();
        assert_eq!((told.count(EntityKind::Body), support(&sim)), (3, 2));
        assert_eq!([0, 1, 2].map(|body| told.body_prescribed(body).unwrap()), [true, false, true]);
        let joint = told.joint_info(told.find(EntityKind::Joint, "body 2").unwrap()).unwrap();
        assert_eq!((joint.kind, joint.bodies), (JointKind::Spherical, [2, 1]));
        let folder = Folder::new().with("lines.txt", pendulum(word, "0 0 90"));
        let path = folder.0.join("model.toml");
        sim.save_model(&path).unwrap();
        let written = std::fs::read_to_string(&path).unwrap();
        Simulation::load_model(&path).unwrap().save_model(&path).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), written);
    }
}

/// The complete elliptic integral by the arithmetic-geometric mean.
fn quarter_period(modulus: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - modulus * modulus).sqrt());
    for _ in 0..20 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    0.5 * std::f64::consts::PI / a
}

/// From 30 degrees the pendulum is at 30 degrees again after T = 4 sqrt(J/(m g l)) K(sin(15
/// degrees)), where the angle has no slope; a quarter before it passes through 0, with an error of
/// second order.
#[test]
fn a_pinned_body_swings_in_its_period_at_second_order() {
    let inertia = INERTIA + MASS * ARM * ARM;
    let period = 4.0 * (inertia / (MASS * G * ARM)).sqrt() * quarter_period(15f64.to_radians().sin());
    let error = |steps: i32| {
        let mut sim = load(pendulum("CpldPin", "30 0 0")).unwrap();
        sim.initialize(0.0).unwrap();
        for step in 1..=steps {
            // Changing steps of the same mean: 2/3 and 4/3.
            let part = if step % 2 == 0 { 4.0 / 3.0 } else { 2.0 / 3.0 };
            sim.step(part * 0.75 * period / f64::from(steps)).unwrap();
        }
        angle(&sim)
    };
    let [coarse, fine] = [error(100), error(200)];
    assert!(fine.abs() < 2e-3 && (coarse / fine - 4.0).abs() < 0.4, "{coarse} {fine}");
}

/// The place that holds it carries weight and inertia: m (g - a) of the centre of gravity, also on
/// a place that the host accelerates along y, where the pendulum swings about atan(-a/g).
#[test]
fn the_reaction_of_a_pinned_body_is_weight_and_inertia() {
    for accelerated in [0.0, 0.5] {
        let mut sim = load(pendulum("CpldPin", "20 0 0")).unwrap();
        let (support, h) = (support(&sim), 0.01);
        let move_to = |sim: &mut Simulation, t: f64| {
            let pose = [3.0, 4.0 + 0.5 * accelerated * t * t, 20.0, 1.0, 0.0, 0.0, 0.0];
            let [velocity, acceleration] = [accelerated * t, accelerated].map(|y| [0.0, y, 0.0, 0.0, 0.0, 0.0]);
            sim.inputs().set_body_motion(support, &pose, &velocity, &acceleration).unwrap();
        };
        move_to(&mut sim, 0.0);
        sim.initialize(0.0).unwrap();
        let inertia = INERTIA + MASS * ARM * ARM;
        for step in 0..=300 {
            if step > 0 {
                move_to(&mut sim, h * f64::from(step));
                sim.step(h).unwrap();
            }
            // With w the rate of the angle: J w' = -m l (g sin + a cos).
            let (theta, w) = (angle(&sim), sim.outputs().body_velocity(1, Frame::Inertial).unwrap()[3]);
            let (sin, cos) = theta.sin_cos();
            let rate = -MASS * ARM * (G * sin + accelerated * cos) / inertia;
            let [y, z] = [accelerated + ARM * (rate * cos - w * w * sin), ARM * (rate * sin + w * w * cos)];
            let expected = [0.0, MASS * y, MASS * (G + z), 0.0, 0.0, 0.0];
            let reaction = sim.outputs().body_reaction(support, Frame::Inertial).unwrap();
            for (found, expected) in reaction.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-3 * MASS * G, "{step}: {reaction:?} {expected:?}");
            }
        }
    }
}

/// A pendulum far away, on a place that the host accelerates, with each family of schemes: it
/// swings as near the origin, to the rounding of positions, and goes on bit by bit when restored
/// into a fresh system.
#[test]
fn a_pinned_body_swings_alike_far_away_and_after_a_restart() {
    for scheme in ["generalized-alpha", "momentum-alpha", "rk4"] {
        let run = |x: f64, restart: bool| {
            let text = pendulum("CpldPin", "20 10 0").replace("CpldPin 3 4", &format!("CpldPin {x} 4"));
            let fresh = || {
                let mut sim = load(&text).unwrap();
                sim.settings().set_scheme(scheme).unwrap();
                sim.initialize(0.0).unwrap();
                sim
            };
            let mut sim = fresh();
            for step in 1..=40 {
                if restart && step == 20 {
                    let saved = sim.save().unwrap();
                    sim = fresh();
                    sim.restore(&saved).unwrap();
                }
                let t = 0.02 * f64::from(step);
                let pose = [x, 4.0 + 0.25 * t * t, 20.0, 1.0, 0.0, 0.0, 0.0];
                let [velocity, acceleration] = [0.5 * t, 0.5].map(|y| [0.0, y, 0.0, 0.0, 0.0, 0.0]);
                let support = support(&sim);
                sim.inputs().set_body_motion(support, &pose, &velocity, &acceleration).unwrap();
                sim.step(0.02).unwrap();
            }
            let [_, y, z, turn @ ..] = sim.outputs().body_pose(1).unwrap();
            (turn, [y, z], sim.outputs().body_reaction(support(&sim), Frame::Inertial).unwrap())
        };
        let (near, far) = (run(3.0, false), run(1e6, false));
        for (near, far) in near.0.iter().zip(far.0) {
            assert!((near - far).abs() < 1e-9, "{scheme}: {near} {far}");
        }
        assert!(near.0[1] < 0.0 && (near.1[0] - 4.16).abs() < 1e-6 && (near.1[1] - 20.0).abs() < 1e-6, "{near:?}");
        assert_eq!(near, run(3.0, true), "{scheme}");
    }
}
