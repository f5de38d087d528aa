//! Every tangent against finite differences of the residual, at random states, element by element.
//!
//! Central differences at step h have an error of `h^2/6 |f'''| + eps |f|/h`, about 1e-10 of the
//! residual's size at h = 1e-5 for motions and forces of order one.

use super::*;
use crate::elements::{Attachment, Bushing, Curve, Memory, Spring, Trio};
use crate::model::{
    Body, BodyLoad, BodyMotion, Frame, FrameMatrix, Joint, JointKind, JointLoad, JointSpring, Load, Marker,
};
use crate::spatial::{Vec6, join, lower, noise::Noise, rotation, upper};

mod beams;
mod clutches;
mod contacts;
mod cylinders;
mod gears;
mod rolling;
mod tables;
mod tendons;

const STEP: f64 = 1e-5;
const TOLERANCE: f64 = 2e-8;

/// A model, its loads and surroundings, and a state.
struct Case {
    model: Model,
    loads: Loads,
    hydrodynamics: Vec<Hydrodynamics>,
    callbacks: Callbacks,
    bodies: Vec<BodyState>,
    lambda: Vec<f64>,
    /// For evaluations in energy form: the step, the places of the bodies at its start, and what
    /// elements remember.
    step: Option<(EnergyForm, Vec<BodyState>, Memory)>,
    water: Water,
    /// The host's motion of the water at the places of elements.
    fluid: Vec<crate::elements::line::Fluid>,
    /// Own variables of elements, in place of those at a start moved a little; empty: not given.
    own: Vec<f64>,
}

fn two_bodies(noise: &mut Noise) -> Case {
    let mut model = Model { gravity: noise.vec3() * 9.0, ..Model::default() };
    let mut bodies = Vec::new();
    for _ in 0..2 {
        let com: [f64; 3] = noise.vec3().into();
        let inertia = RigidInertia::from_com(1.3, &com, &[1.0, 1.2, 0.9, 0.1, -0.2, 0.05]).unwrap();
        let pose = noise.pose();
        let (velocity, acceleration) = (Vec6::zeros(), Vec6::zeros());
        model.bodies.push(Body::new(inertia, pose, velocity, acceleration));
        bodies.push(BodyState { x: pose.position, q: pose.rotation, v: noise.vec6(), vdot: noise.vec6() });
    }
    let loads = Loads { bodies: vec![Load::NONE; 2], motions: vec![None; 2], ..Loads::default() };
    let hydrodynamics = vec![Hydrodynamics::default(); 2];
    let (callbacks, water, fluid) = (Callbacks::default(), Water::default(), Vec::new());
    let (lambda, step, own) = (Vec::new(), None, Vec::new());
    Case { model, loads, hydrodynamics, callbacks, bodies, lambda, step, water, fluid, own }
}

impl Case {
    fn evaluate(&self, bodies: &[BodyState], c: Coefficients, level: Level) -> Workspace {
        let system = System::new(&self.model);
        let mut workspace = Workspace::new(&system);
        workspace.matrix = crate::linear::Kkt::dense(workspace.residual.len());
        let mut state = self.state(&system);
        bodies.iter().enumerate().for_each(|(node, body)| state.set_body(node, body));
        if let Some((_, start, memory)) = &self.step {
            let mut from = state.clone();
            start.iter().enumerate().for_each(|(node, body)| from.set_body(node, body));
            system.elements().forms().begin(&from, &[], &mut workspace);
            workspace.energy.memories.fill(*memory);
        }
        system.move_to(&state, &mut workspace);
        let environment = Environment {
            time: 0.0,
            loads: &self.loads,
            hydrodynamics: &self.hydrodynamics,
            water: &self.water,
            callbacks: &self.callbacks,
            progress: crate::system::Progress::none(),
            form: self.step.as_ref().map(|(form, ..)| *form),
        };
        system.assemble(&environment, level, c, &self.lambda, &mut workspace).unwrap();
        workspace
    }

    fn state(&self, system: &System) -> State {
        let mut state = system.initial_state(&self.model);
        self.bodies.iter().enumerate().for_each(|(node, body)| state.set_body(node, body));
        state.coordinates.iter_mut().zip([0.3, -0.2]).for_each(|(own, q)| *own = q);
        state.z.iter_mut().for_each(|z| *z += 0.4);
        state.z.iter_mut().zip(&self.own).for_each(|(z, own)| *z = *own);
        state.set_fluid(&self.fluid);
        state
    }

    fn entry(&self, c: [f64; 3], row: usize, column: usize) -> f64 {
        let c = Coefficients { mass: c[0], damping: c[1], stiffness: c[2] };
        let workspace = self.evaluate(&self.bodies, c, Level::Position);
        workspace.matrix.dense_entries().unwrap()[row + workspace.residual.len() * column]
    }

    fn residual(&self, bodies: &[BodyState], level: Level) -> Vec<f64> {
        self.evaluate(bodies, Coefficients { mass: 0.0, damping: 0.0, stiffness: 1.0 }, level).residual
    }

    /// Derivative of the residual when `change(body, +-h)` acts, by differences of fourth order.
    fn difference(&self, body: usize, change: impl Fn(&mut BodyState, f64)) -> Vec<f64> {
        let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|steps| {
            let mut bodies = self.bodies.clone();
            change(&mut bodies[body], steps * STEP);
            self.residual(&bodies, Level::Position)
        });
        (0..a.len()).map(|k| (a[k] - d[k] + 8.0 * (c[k] - b[k])) / (12.0 * STEP)).collect()
    }

    /// Compares M, G, K (with K_Phi), B and B^T with differences of the residual.
    fn check(&self, name: &str) {
        let dofs = 12;
        let n = dofs + self.lambda.len();
        let size = self.residual(&self.bodies, Level::Position).iter().fold(1.0f64, |a, r| a.max(r.abs()));
        for column in 0..dofs {
            let (body, k) = (column / 6, column % 6);
            let mut e = Vec6::zeros();
            e[k] = 1.0;
            let by_position = self.difference(body, |b, h| {
                b.x += upper(&e) * h;
                b.q = rotation::exp(&(lower(&e) * h)) * b.q;
            });
            let by_velocity = self.difference(body, |b, h| b.v += e * h);
            let by_acceleration = self.difference(body, |b, h| b.vdot += e * h);
            for row in 0..n {
                let k = self.entry([0.0, 0.0, 1.0], row, column);
                let close = |a: f64, b: f64, what: &str| {
                    assert!(
                        (a - b).abs() < TOLERANCE * size,
                        "{name}: {what}[{row},{column}] = {a}, differences say {b}"
                    );
                };
                close(k, by_position[row], if row < dofs { "K" } else { "B" });
                if row < dofs {
                    close(self.entry([0.0, 1.0, 1.0], row, column) - k, by_velocity[row], "G");
                    close(self.entry([1.0, 0.0, 1.0], row, column) - k, by_acceleration[row], "M");
                } else {
                    close(self.entry([0.0, 0.0, 1.0], column, row), k, "B^T");
                }
            }
        }
    }
}

#[test]
fn tangents_of_inertia_and_weight() {
    two_bodies(&mut Noise(1)).check("inertia");
}

#[test]
fn tangents_of_hydrodynamic_forces() {
    for frame in [Frame::Inertial, Frame::Body] {
        let mut noise = Noise(2);
        for which in 0..3 {
            let mut case = two_bodies(&mut noise);
            for h in &mut case.hydrodynamics {
                let a = noise.mat6();
                let symmetric = FrameMatrix { matrix: a * a.transpose(), frame };
                match which {
                    0 => h.added_mass = Some(symmetric),
                    1 => h.linear_damping = Some(FrameMatrix { matrix: a, frame }),
                    _ => h.quadratic_drag = Some(FrameMatrix { matrix: a, frame }),
                }
            }
            case.check(&format!("hydrodynamics {which} {frame:?}"));
        }
    }
}

#[test]
fn tangents_of_loads() {
    for frame in [Frame::Inertial, Frame::Body] {
        let mut noise = Noise(3);
        let mut case = two_bodies(&mut noise);
        case.model.markers.push(Marker { body: 1, frame: noise.pose() });
        case.loads.bodies[0] = Load { frame, wrench: noise.vec6() * 3.0, given: true };
        case.loads.markers.push(Load { frame, wrench: noise.vec6() * 3.0, given: true });
        case.check(&format!("loads {frame:?}"));
    }
}

/// Reference points other than the integrated points, so that no term of a tangent vanishes.
fn with_reference_points(noise: &mut Noise) -> Case {
    let mut case = two_bodies(noise);
    case.model.bodies.iter_mut().for_each(|body| body.reference = noise.vec3() * 2.0);
    case.model.origin = noise.vec3() * 5.0;
    case
}

#[test]
fn tangents_of_forces_about_reference_points() {
    let mut noise = Noise(8);
    for frame in [Frame::Inertial, Frame::Body] {
        for which in 0..4 {
            let mut case = with_reference_points(&mut noise);
            for (h, load) in case.hydrodynamics.iter_mut().zip(&mut case.loads.bodies) {
                let a = noise.mat6();
                match which {
                    0 => h.added_mass = Some(FrameMatrix { matrix: a * a.transpose(), frame }),
                    1 => h.linear_damping = Some(FrameMatrix { matrix: a, frame }),
                    2 => h.quadratic_drag = Some(FrameMatrix { matrix: a, frame }),
                    _ => *load = Load { frame, wrench: noise.vec6() * 3.0, given: true },
                }
            }
            case.check(&format!("about reference points {which} {frame:?}"));
        }
    }
}

#[test]
fn tangents_of_callbacks_about_reference_points() {
    let mut noise = Noise(9);
    let mut case = with_reference_points(&mut noise);
    let (mut k, c) = (noise.mat6(), noise.mat6());
    // a force of the position alone: its dependence on rotations comes from the arm
    k.fixed_columns_mut::<3>(3).fill(0.0);
    let spring = move |motion: &BodyMotion, load: &mut BodyLoad| {
        let mut position = Vec6::zeros();
        position.rows_mut(0, 3).copy_from_slice(&motion.pose[..3]);
        load.wrench = (-(k * position + c * Vec6::from(motion.velocity))).into();
        load.stiffness.copy_from_slice(k.as_slice());
        load.damping.copy_from_slice(c.as_slice());
        Ok(())
    };
    case.callbacks.bodies = vec![Some(std::sync::Arc::new(spring)), None];
    case.check("callback");
}

/// Springs over a step, from lengths to lengths on every branch of their laws: taut and slack at
/// either end, tables, dampers of ropes below and above their limit, with a memory of numerical
/// dissipation.
#[test]
fn tangents_of_springs_in_energy_form() {
    let mut noise = Noise(14);
    let form = EnergyForm { h: 0.3, share: 1.9, dissipation: 0.1, drive: 0.4, decay: 0.3, backward: 0.0 };
    let mut branches = [false; 4];
    for (body_a, body_b) in ENDS.into_iter().chain([(Some(0), Some(0))]) {
        for damping in [0.0, 0.05, 50.0] {
            for backward in [0.0, 0.2] {
                for k in 0..24 {
                    let mut case = two_bodies(&mut noise);
                    let ends = [body_a, body_b].map(|body| Attachment { to: body.into(), at: noise.vec3() * 2.0 });
                    let is_table = k % 3 == 0;
                    let mut spring = Spring {
                        ends,
                        stiffness: 7.0,
                        damping,
                        rest_length: 2.0,
                        tension_only: !is_table || k % 2 == 0,
                        table: None,
                    };
                    if is_table {
                        let lengths = vec![0.5, 1.0, 2.0, 3.0, 5.0];
                        spring.set_table(Curve::new(lengths, vec![-2.0, -1.0, 1.0, 9.0, 11.0]).unwrap().into());
                    }
                    let mut start = case.bodies.clone();
                    for body in &mut start {
                        body.x += noise.vec3() * 2.0;
                        body.q = rotation::exp(&(noise.vec3() * 0.8)) * body.q;
                    }
                    let length = |bodies: &[BodyState]| {
                        let place = |end: usize| match ends[end].to.body() {
                            Some(body) => bodies[body].x + bodies[body].q * ends[end].at,
                            None => ends[end].at,
                        };
                        (place(1) - place(0)).norm()
                    };
                    let taut = [&start, &case.bodies].map(|bodies| length(bodies) > spring.rest_length);
                    branches[usize::from(taut[0]) + 2 * usize::from(taut[1])] = true;
                    case.model.elements.springs.push(spring);
                    case.step = Some((EnergyForm { backward, ..form }, start, Memory { y: 0.07, kappa: 3.0 }));
                    case.check(&format!("{body_a:?} {body_b:?} damping {damping} {k}"));
                }
            }
        }
    }
    assert_eq!(branches, [true; 4], "a branch was not met");
}

#[test]
fn tangents_of_springs() {
    let mut noise = Noise(4);
    for (body_a, body_b) in ENDS {
        // Ropes with a damper that is free (0.9), at its limit in one of two states (60), slack.
        for (rest_length, tension_only, damping) in [
            (0.3, false, 0.9),
            (0.3, true, 0.9),
            (0.3, true, 60.0),
            (0.3, true, -60.0),
            (50.0, true, 0.9),
            (0.0, false, 0.9),
        ] {
            let mut case = two_bodies(&mut noise);
            let ends = [body_a, body_b].map(|body| Attachment { to: body.into(), at: noise.vec3() });
            let spring = Spring { ends, stiffness: 7.0, damping, rest_length, tension_only, table: None };
            case.model.elements.springs.push(spring.clone());
            case.check("spring");
            // A table that stiffens and softens; within it, below it and beyond it.
            for scale in [1.0, 100.0, 0.05] {
                let lengths = [0.1, 1.0, 2.0, 2.5, 6.0].map(|length| length * scale);
                let mut spring = spring.clone();
                spring.set_table(Curve::new(lengths.to_vec(), vec![-2.0, 3.0, 5.0, 11.0, 12.0]).unwrap().into());
                case.model.elements.springs[0] = spring;
                case.check("spring with a table");
            }
        }
    }
}

/// Tables that stiffen and soften on three axes, and a preload.
fn with_tables(mut bushing: Bushing, noise: &mut Noise) -> Bushing {
    bushing.preload = join(&noise.vec3(), &noise.vec3());
    for axis in [0, 2, 4] {
        let deflections = vec![-1.0, -0.3, 0.1, 0.6, 2.0];
        bushing.set_table(axis, [deflections, vec![-4.0, -3.0, 0.5, 3.0, 3.5]]).unwrap();
    }
    bushing
}

#[test]
fn tangents_of_bushings() {
    let mut noise = Noise(5);
    for (body_a, body_b) in ENDS {
        let mut case = two_bodies(&mut noise);
        let frames = [noise.pose(), noise.pose()];
        let ends = [0, 1].map(|k| Attachment { to: [body_a, body_b][k].into(), at: frames[k].position });
        let (stiffness, damping) = (noise.mat6() * 3.0, noise.mat6());
        let axes = frames.map(|frame| frame.rotation);
        let linear = Bushing { ends, axes, stiffness, damping, ..Bushing::default() };
        case.model.elements.bushings.push(linear.clone());
        case.check("bushing");
        case.model.elements.bushings[0] = with_tables(linear, &mut noise);
        case.check("bushing with tables");
    }
}

/// With turns of the step from zero, where the gradient of rotations has a limit, to 1.4 rad.
#[test]
fn tangents_of_bushings_in_energy_form() {
    let mut noise = Noise(15);
    let form = EnergyForm { h: 0.3, share: 1.9, dissipation: 0.1, drive: 0.4, decay: 0.3, backward: 0.0 };
    for (body_a, body_b) in ENDS.into_iter().chain([(Some(0), Some(0))]) {
        for backward in [0.0, 0.2] {
            for turn in [0.0, 1e-2, 0.3, 0.8] {
                let mut case = two_bodies(&mut noise);
                let frames = [noise.pose(), noise.pose()];
                let ends = [0, 1].map(|k| Attachment { to: [body_a, body_b][k].into(), at: frames[k].position });
                let (stiffness, damping) = (noise.mat6() * 3.0, noise.mat6());
                let axes = frames.map(|frame| frame.rotation);
                let linear = Bushing { ends, axes, stiffness, damping, ..Bushing::default() };
                case.model.elements.bushings.push(linear.clone());
                let mut start = case.bodies.clone();
                for body in &mut start {
                    body.x += noise.vec3() * turn;
                    body.q = rotation::exp(&(noise.vec3() * turn)) * body.q;
                }
                case.step = Some((EnergyForm { backward, ..form }, start, Memory { y: 0.07, kappa: 0.0 }));
                case.check(&format!("{body_a:?} {body_b:?} turn {turn} backward {backward}"));
                case.model.elements.bushings[0] = with_tables(linear, &mut noise);
                case.check(&format!("{body_a:?} {body_b:?} turn {turn} backward {backward} with tables"));
            }
        }
    }
}

/// With its mass, which couples the accelerations of two nodes, and with an own variable; two
/// places may be on one body.
#[test]
fn tangents_of_an_element_with_three_nodes_and_mass() {
    let mut noise = Noise(10);
    for bodies in [[Some(0), Some(1), None], [Some(0), Some(1), Some(0)], [None, Some(0), Some(1)]] {
        let mut case = two_bodies(&mut noise);
        let nodes = bodies.map(|body: Option<usize>| Attachment { to: body.into(), at: noise.vec3() * 3.0 });
        let trio = Trio { nodes, stiffness: 7.0, damping: 0.9, rest_length: 0.8, memory: 2.0, mass: 1.7 };
        case.model.elements.trios.push(trio);
        case.check("three nodes");
    }
}

impl Case {
    fn add_joint(&mut self, joint: Joint, noise: &mut Noise) {
        let drive = joint.driven.then(|| [noise.number(), noise.number(), noise.number()]);
        self.model.joints.push(joint);
        self.loads.joints.push(JointLoad { drive, ..JointLoad::NONE });
        let drive = self.model.joints[0].slide_driven.then(|| [noise.number(), noise.number(), noise.number()]);
        self.loads.slides.push(JointLoad { drive, ..JointLoad::NONE });
        let rows = System::new(&self.model).multipliers();
        self.lambda = (0..rows).map(|_| 5.0 * noise.number()).collect();
    }
}

const ENDS: [(Option<usize>, Option<usize>); 3] = [(Some(0), Some(1)), (None, Some(1)), (Some(1), None)];

/// Joints at random states (the constraints need not be satisfied for their derivatives to be
/// right).
fn joint_cases() -> Vec<(String, Case)> {
    let mut noise = Noise(6);
    let mut cases = Vec::new();
    let all = JointKind::ALL.map(|kind| (kind, [kind.can_be_driven(), kind.has_free_slide()]));
    let slides = [[false, false], [true, false], [false, true]].map(|driven| (JointKind::Cylindrical, driven));
    for (kind, driven) in all.into_iter().chain(slides) {
        for (body_a, body_b) in ENDS {
            let mut case = two_bodies(&mut noise);
            let mut joint = Joint::new(kind, body_a, body_b, noise.pose(), noise.pose());
            (joint.distance, joint.pitch, joint.radius, joint.offset) = (0.7, 0.9, 0.8, 0.3);
            [joint.driven, joint.slide_driven] = driven;
            case.add_joint(joint, &mut noise);
            cases.push((format!("{kind:?} {driven:?} {body_a:?} {body_b:?}"), case));
        }
    }
    cases
}

#[test]
fn tangents_of_springs_and_loads_on_joints() {
    let mut noise = Noise(7);
    for kind in JointKind::ALL.into_iter().filter(|kind| kind.coordinate().is_some()) {
        for (body_a, body_b) in ENDS {
            let mut case = two_bodies(&mut noise);
            let mut joint = Joint::new(kind, body_a, body_b, noise.pose(), noise.pose());
            joint.pitch = -0.4;
            joint.spring = Some(JointSpring { stiffness: 2.5, damping: 0.8, rest: 0.4 });
            joint.dampers = [vec![[0.5, 0.4], [3.0, 4.0]], vec![[-2.0, -3.0], [1.0, 0.5]]];
            case.add_joint(joint, &mut noise);
            case.loads.joints[0].force = 1.7;
            if kind.has_free_slide() {
                case.model.joints[0].slide_spring = Some(JointSpring { stiffness: 3.5, damping: 0.6, rest: -0.2 });
                case.loads.slides[0].force = -1.3;
            }
            case.check(&format!("spring on {kind:?} {body_a:?} {body_b:?}"));
        }
    }
}

#[test]
fn tangents_of_joints_with_geometric_stiffness() {
    for (name, case) in joint_cases() {
        if case.model.joints[0].kind == JointKind::Rolling {
            rolling::check(&case, &name);
        } else {
            case.check(&name);
        }
    }
}

#[test]
fn constraint_accelerations_are_the_rates_of_constraint_rates() {
    for (name, mut case) in joint_cases().into_iter().chain(gears::cases()) {
        let drives = [&case.loads.joints, &case.loads.slides].map(|loads| loads[0].drive);
        let analytic = case.residual(&case.bodies, Level::Acceleration);
        let mut at = |s: f64| {
            for (load, drive) in case.loads.on_joints_mut().zip(drives) {
                load.drive = drive.map(|[q, qd, qdd]| [q, qd + s * qdd, qdd]);
            }
            let bodies: Vec<BodyState> = case.bodies.iter().map(|b| b.extrapolate(s)).collect();
            case.residual(&bodies, Level::Velocity)
        };
        let (plus, minus) = (at(STEP), at(-STEP));
        for row in 12..analytic.len() {
            let numeric = (plus[row] - minus[row]) / (2.0 * STEP);
            // Angles at random states have derivatives of a hundred.
            let size = 1.0 + numeric.abs();
            assert!((numeric - analytic[row]).abs() < TOLERANCE * 10.0 * size, "{name}: {numeric} {}", analytic[row]);
        }
    }
}
