//! Tangents of lines between moving carriers against finite differences of the residual of the
//! whole system.

use super::super::{BodyState, Callbacks, Coefficients, Environment, Level, Loads, System, Workspace};
use super::Hold;
use crate::elements::line::Clamped;
use crate::elements::{EnergyForm, Memory};
use crate::model::{Body, Hydrodynamics, Line, LineType, Model, Point, Support, Water};
use crate::spatial::noise::Noise;
use crate::spatial::{Pose, RigidInertia, Vec3, Vec6, rotation};

const STEP: f64 = 1e-5;

/// Two bodies, a free point, a fixed one, and lines of one, two and four segments between all of
/// these.
fn model(noise: &mut Noise, ei: f64) -> Model {
    let mut model =
        Model { gravity: Vec3::new(0.3, -0.2, -9.0), origin: Vec3::new(1.0, 2.0, -3.0), ..Model::default() };
    for _ in 0..2 {
        let inertia = RigidInertia::from_com(1.3, &[0.0; 3], &[1.0, 1.2, 0.9, 0.1, -0.2, 0.05]).unwrap();
        let pose = Pose { position: noise.vec3() * 3.0, rotation: rotation::exp(&noise.vec3()) };
        let (velocity, acceleration, reference) = (Vec6::zeros(), Vec6::zeros(), Vec3::zeros());
        model.bodies.push(Body { reference, ..Body::new(inertia, pose, velocity, acceleration) });
    }
    let mut point = |support, position| {
        let (mass, volume, cda, ca) = (0.4, 0.2, 0.7, 0.5);
        model.points.push(Point { mass, volume, cda, ca, position, velocity: Vec3::zeros(), support });
    };
    point(Support::Attached(0), noise.vec3());
    point(Support::Attached(1), noise.vec3());
    point(Support::Free, noise.vec3() * 3.0);
    point(Support::Fixed, noise.vec3() * 3.0);
    point(Support::Attached(0), noise.vec3());
    model.line_types.push(LineType {
        diameter: 0.4,
        mass_per_length: 2.0,
        ea: 50.0,
        ba: 3.0,
        ei,
        cdn: 1.2,
        can: 1.0,
        cdt: 0.3,
        cat: 0.4,
        ..LineType::default()
    });
    for (segments, points) in
        [(1, [0, 1]), (2, [1, 0]), (4, [0, 2]), (3, [3, 1]), (1, [2, 1]), (2, [2, 3]), (3, [0, 4]), (1, [4, 0])]
    {
        // Clamps act on bodies and the ground.
        let clamps = points.map(|point| {
            let axis = noise.vec3().normalize();
            let body = match model.points[point].support {
                Support::Attached(body) => Some(body),
                _ => None,
            };
            Some(Clamped { body, axis }).filter(|_| ei > 0.0 && point != 2)
        });
        // Tensions are 30 or so.
        let pressure = match segments {
            3 => Vec::new(),
            _ => (0..=segments).map(|_| 80.0 * noise.number()).collect(),
        };
        model.lines.push(Line { line_type: 0, points, length: 2.0, segments, clamps, pressure, ..Line::default() });
    }
    if ei > 0.0 {
        // Joints at the free point, on a body, and on the ground.
        for ends in [[(2, 1), (5, 0)], [(3, 1), (1, 0)], [(5, 1), (3, 0)]] {
            ends.iter().for_each(|(line, end): &(usize, usize)| model.lines[*line].clamps[*end] = None);
            model.line_joints.push(ends);
        }
    }
    model
}

/// Increments, velocities and accelerations of all unknowns, from a state.
#[derive(Clone)]
struct Motion([Vec<f64>; 3]);

struct Case {
    system: System,
    state: super::super::State,
    /// For evaluations in energy form: the step, and the state at its start.
    step: Option<(EnergyForm, super::super::State)>,
    water: Water,
    loads: Loads,
}

impl Case {
    fn new(noise: &mut Noise, ei: f64, released: bool) -> Case {
        let model = model(noise, ei);
        let mut system = System::new(&model);
        let mut state = system.initial_state(&model);
        if released {
            state.set_holds(2, [Hold::Free, Hold::Point]);
            state.set_holds(3, [Hold::Point, Hold::Free]);
            system.adjust().follow_lines(&state);
        }
        // The bed holds some of the nodes.
        let current = vec![(0.0, [0.3, 0.5, 0.1]), (4.0, [-0.4, 0.2, 0.0])];
        let (stiffness, damping, friction) = (30.0, 4.0, 0.6);
        let water = Water {
            density: 2.0,
            depth: 3.4,
            stiffness,
            damping,
            smoothing: 1.0,
            friction,
            current,
            ..Water::default()
        };
        system.lines().stretch(&mut state);
        let layout = system.layout();
        for node in layout.carriers()..layout.nodes() {
            let body = state.body(node);
            state.set_body(node, &BodyState { x: body.x + noise.vec3() * 0.3, ..body });
        }
        state.sticks_mut().iter_mut().for_each(|stick| *stick = [stick[0] + 0.2 * noise.number(), stick[1]]);
        let mut loads = Loads { bodies: vec![crate::model::Load::NONE; 2], motions: vec![None; 2], ..Loads::default() };
        loads.points = vec![crate::model::PointLoad::NONE; model.points.len()];
        loads.lines = model.lines.iter().map(|line| crate::model::LineLength::described(line.length)).collect();
        Case { system, state, step: None, water, loads }
    }

    fn evaluate(&self, motion: &Motion, c: Coefficients) -> Workspace {
        let system = &self.system;
        let Motion([dq, v, vdot]) = motion;
        let mut workspace = Workspace::new(system);
        workspace.matrix = crate::linear::Kkt::dense(workspace.residual.len());
        workspace.lines.all_terms = true;
        if let Some((_, start)) = &self.step {
            system.elements().forms().begin(start, &self.loads.lines, &mut workspace);
            workspace.energy.memories.fill(Memory { y: 0.07, kappa: 3.0 });
        }
        system.move_to(&self.state, &mut workspace);
        let mut state = self.state.clone();
        state.v.copy_from_slice(v);
        state.vdot.copy_from_slice(vdot);
        system.retract_to(&self.state.q, dq, true, &mut state, &mut workspace);
        let environment = Environment {
            time: 0.0,
            loads: &self.loads,
            hydrodynamics: &[Hydrodynamics::default(), Hydrodynamics::default()],
            water: &self.water,
            callbacks: &Callbacks::default(),
            progress: super::super::Progress::none(),
            form: self.step.as_ref().map(|(form, _)| *form),
        };
        system.assemble(&environment, Level::Position, c, &[], &mut workspace).unwrap();
        workspace
    }

    /// K, G and M against differences, for all unknowns that move by the equations, with increments
    /// of turned bodies.
    fn check(&self, noise: &mut Noise, name: &str) {
        let n = self.system.dofs();
        let mut random = |size: f64| (0..n).map(|_| noise.number() * size).collect::<Vec<_>>();
        let motion = Motion([random(0.4), random(1.0), random(1.0)]);
        let free = |unknown: usize| self.system.nodes().is_free_unknown(unknown);
        let none = Coefficients { mass: 0.0, damping: 0.0, stiffness: 0.0 };
        let kinds = [
            Coefficients { stiffness: 1.0, ..none },
            Coefficients { damping: 1.0, ..none },
            Coefficients { mass: 1.0, ..none },
        ];
        for (which, c) in kinds.into_iter().enumerate() {
            let found = self.evaluate(&motion, c);
            let entries = found.matrix.dense_entries().unwrap();
            let scale = entries.iter().fold(0.0f64, |a, b| a.max(b.abs()));
            for column in (0..n).filter(|column| free(*column)) {
                let at = |h: f64| {
                    let mut motion = motion.clone();
                    motion.0[which][column] += h;
                    self.evaluate(&motion, c).residual
                };
                let (plus, minus) = (at(STEP), at(-STEP));
                for row in (0..n).filter(|row| free(*row)) {
                    let wanted = (plus[row] - minus[row]) / (2.0 * STEP);
                    let own = entries[row + n * column];
                    // Differences of second order with rounding: 1e-10 of the forces each.
                    let error = (own - wanted).abs();
                    let (a, b) = (self.system.layout().component(row), self.system.layout().component(column));
                    assert!(
                        error < 1e-7 * scale,
                        "{name}, kind {which}: (node, component) {a:?} by {b:?}: {own}, differences say {wanted}, of {scale}"
                    );
                }
            }
        }
    }
}

#[test]
fn tangents_of_lines_between_bodies_and_points() {
    for seed in 1..=3 {
        for ei in [0.0, 20.0] {
            for released in [false, true] {
                let noise = &mut Noise(seed);
                let mut case = Case::new(noise, ei, released);
                let name = format!("seed {seed}, EI {ei}, released {released}");
                case.check(noise, &name);
                let form = EnergyForm { h: 0.3, share: 1.9, dissipation: 0.1, drive: 0.4, decay: 0.3, backward: 0.0 };
                for backward in [0.0, 0.2] {
                    let mut start = case.state.clone();
                    let system = &case.system;
                    for node in 0..system.layout().nodes() {
                        let body = start.body(node);
                        let q = rotation::exp(&(noise.vec3() * 0.3)) * body.q;
                        start.set_body(node, &BodyState { x: body.x + noise.vec3() * 0.2, q, ..body });
                    }
                    system.lines().follow_ends(&mut start);
                    case.step = Some((EnergyForm { backward, ..form }, start));
                    case.check(noise, &format!("{name}, backward {backward}"));
                }
            }
        }
    }
}
