//! Fluid callbacks in models that have more than lines and points: joints, local time steps, linear
//! analysis. Unconnected parts of a model do not change a float or a line; and motions imposed on
//! line ends act on what hangs on the line.

use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::model::{FluidFn, FluidMotion};
use pintle::{GROUND, Id, JointKind, Simulation};
use std::sync::Arc;

const G: f64 = 9.81;
const FRESH: Sea = Sea { rho: 1000.0, ..Sea::NONE };

/// A surface that goes up and down, and water that is accelerated along x.
fn waves(height: f64, acceleration: f64) -> FluidFn {
    Arc::new(move |t: f64, _: &[[f64; 3]], motion: &mut FluidMotion| {
        motion.elevations.fill(height * (1.2 * t).sin());
        motion.accelerations.fill([acceleration * t.cos(), 0.0, 0.0]);
        Ok(())
    })
}

/// A body on a joint far from all else.
fn pendulum(sim: &mut Simulation, kind: JointKind) {
    let pose = [30.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(3.0, &[0.1, 0.0, 0.0], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose).unwrap();
    let axis = (kind == JointKind::Revolute).then_some(&[0.0, 1.0, 0.0]);
    sim.build().add_joint_at(kind, GROUND, body, &[30.0, 0.0, 0.5], axis).unwrap();
}

/// A float of 8 kg, 20 l on a soft spring to an anchor below, in waves of half a metre: its added
/// mass is that of the submerged part.
fn float(scheme: &str, h: f64, has_pendulum: bool) -> (Simulation, Id) {
    let mut sim = system(scheme, &FRESH);
    sim.settings().set_option("max_time_step", h).unwrap();
    let float = sim.build().add_point(8.0, 0.02, &[0.0; 3]).unwrap();
    sim.build().set_point_drag(float, 0.2, 0.6).unwrap();
    let anchor = fixed(&mut sim, [0.0, 0.0, -3.0]);
    sim.elements().add_point_spring(float, anchor, 100.0, 5.0, 2.5, false).unwrap();
    if has_pendulum {
        pendulum(&mut sim, JointKind::Spherical);
    }
    sim.settings().set_fluid_callback(Some(waves(0.5, 0.0)), true).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, float)
}

/// Place and acceleration of the float after so many seconds.
fn rides(scheme: &str, h: f64, has_pendulum: bool, seconds: f64) -> [V3; 2] {
    let (mut sim, float) = float(scheme, h, has_pendulum);
    (0..(seconds / h).round() as usize).for_each(|_| sim.step(h).unwrap());
    [sim.points().position(float).unwrap(), sim.points().acceleration(float).unwrap()]
}

/// The mass matrix at the end of a step has the submerged part at that time: with that of an
/// earlier surface, which the projection onto joints once used, ab4 was of first order.
#[test]
fn a_pendulum_elsewhere_does_not_change_how_a_float_rides() {
    for scheme in ["euler", "heun", "rk2", "rk3", "rk4", "ab2", "ab3", "ab4", "ab5", "lab4"] {
        let [alone, beside] = [false, true].map(|has_pendulum| rides(scheme, 0.02, has_pendulum, 1.0));
        for (quantity, unit) in [(0, 1.0), (1, G)] {
            // 50 steps of rounding
            let off = distance(alone[quantity], beside[quantity]) / unit;
            assert!(off < 50.0 * 1e-13, "{scheme}, rate {quantity} of the place: {off:e}");
        }
    }
}

/// The fluid callback gives the water at all points together and is called at every step of the
/// fastest entity: therefore all take that step.
#[test]
fn local_steps_see_the_water_of_each_step() {
    for (local, plain) in [("leuler", "euler"), ("lab2", "ab2"), ("lab3", "ab3"), ("lab4", "ab4"), ("lab5", "ab5")] {
        let [own, alike] = [local, plain].map(|scheme| {
            let (mut sim, float) = float(scheme, 0.001, false);
            // Steps of the host that are far longer than those inside.
            (0..25).for_each(|_| sim.step(0.04).unwrap());
            sim.points().position(float).unwrap()
        });
        let off = distance(own, alike);
        assert!(off < 1e-11, "{local} and {plain}: {off:e}");
    }
}

/// A line in water that is accelerated: forces on its ends after a second.
fn pulled(linear: bool, has_joint: bool) -> [V3; 2] {
    let of = Material { d: 0.05, w: 1.9635, ea: 1e5, ba: 100.0, ei: 0.0, cdn: 0.0, can: 1.0, cdt: 0.0, cat: 0.2 };
    let mut sim = system("generalized-alpha", &FRESH);
    sim.settings().set_option("linear", f64::from(u8::from(linear))).unwrap();
    let ends = [fixed(&mut sim, [0.0, 0.0, -20.0]), fixed(&mut sim, [0.0, 20.0, -20.0])];
    let id = line(&mut sim, &of, ends, 19.4, 4);
    if has_joint {
        pendulum(&mut sim, JointKind::Revolute);
    }
    sim.settings().set_fluid_callback(Some(waves(0.0, 1e-4)), true).unwrap();
    sim.initialize(0.0).unwrap();
    (0..100).for_each(|_| sim.step(0.01).unwrap());
    end_forces(&sim, id)
}

/// Small motions: linear and nonlinear analysis agree, to the square of the strain (1e-9 of 1e3 N).
#[test]
fn linear_analysis_reads_forces_of_lines_in_the_water_of_the_present() {
    let truth = pulled(false, false);
    for has_joint in [false, true] {
        for (one, other) in truth.iter().zip(pulled(true, has_joint)) {
            let off = distance(*one, other);
            assert!(off < 1e-6, "with a joint: {has_joint}: {off:e} N of {one:?}");
        }
    }
}

/// A body hangs on a taut line whose other end is moved by x = 1e-3 t^2: where it is after half a
/// second, and what moves the end.
fn towed(scheme: &str, linear: bool, on_body: bool) -> [f64; 2] {
    let of = Material { d: 0.01, w: 0.1, ea: 200.0, ba: 0.0, ei: 0.0, cdn: 0.0, can: 0.0, cdt: 0.0, cat: 0.0 };
    let mut sim = system(scheme, &Sea { g: 0.0, ..Sea::NONE });
    sim.settings().set_option("linear", f64::from(u8::from(linear))).unwrap();
    let body = |sim: &mut Simulation, x: f64| {
        let pose = [x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        sim.build().add_rigid_body(2.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose).unwrap()
    };
    let towed = body(&mut sim, 0.0);
    let tug = body(&mut sim, 3.0);
    sim.build().set_body_prescribed(tug, true).unwrap();
    let hook = free(&mut sim, 0.0, [0.0; 3]);
    sim.build().attach_point(hook, towed, &[0.0; 3]).unwrap();
    let end = if on_body {
        let end = free(&mut sim, 0.0, [2.0, 0.0, 0.0]);
        sim.build().attach_point(end, tug, &[-1.0, 0.0, 0.0]).unwrap();
        end
    } else {
        moved(&mut sim, [2.0, 0.0, 0.0])
    };
    line(&mut sim, &of, [end, hook], 1.9, 4);
    // The pull of the line at rest.
    let pull = [-200.0 * 0.1 / 1.9, 0.0, 0.0, 0.0, 0.0, 0.0];
    sim.inputs().set_body_load(towed, pintle::Frame::Inertial, &pull).unwrap();
    sim.initialize(0.0).unwrap();
    let h = 0.005;
    for n in 1..=100 {
        let t = h * f64::from(n);
        let [x, v, a] = [1e-3 * t * t, 2e-3 * t, 2e-3];
        if on_body {
            let pose = [3.0 + x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
            let six = |first| [first, 0.0, 0.0, 0.0, 0.0, 0.0];
            sim.inputs().set_body_motion(tug, &pose, &six(v), &six(a)).unwrap();
        } else {
            sim.inputs().set_point_motion(end, &[2.0 + x, 0.0, 0.0], &[v, 0.0, 0.0], &[a, 0.0, 0.0]).unwrap();
        }
        sim.step(h).unwrap();
    }
    let reaction = match on_body {
        true => sim.outputs().body_reaction(tug, pintle::Frame::Inertial).unwrap()[0],
        false => sim.points().reaction(end).unwrap()[0],
    };
    [sim.outputs().body_pose(towed).unwrap()[0], reaction]
}

/// Along a straight line nothing turns: what is not linear is the strain of 1e-4 in a stiffness
/// that does not depend on it, so both agree to what Newton's iteration leaves.
#[test]
fn imposed_motions_of_line_ends_act_in_linear_analysis() {
    for scheme in ["generalized-alpha", "momentum-alpha", "newmark", "hht"] {
        for on_body in [false, true] {
            let [nonlinear, linear] = [false, true].map(|linear| towed(scheme, linear, on_body));
            for (quantity, (one, other)) in nonlinear.iter().zip(linear).enumerate() {
                assert!(one.abs() > 1e-4, "{scheme}: nothing moved");
                let off = (one - other).abs() / one.abs();
                assert!(off < 1e-6, "{scheme}, end on a body {on_body}, quantity {quantity}: {one} and {other}");
            }
        }
    }
}
