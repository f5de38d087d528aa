//! The assembled model: numbering of unknowns, residual, iteration matrix, accelerations, energies.
//!
//! ```text
//! r = M vdot + g(q, v) - f(q, v, t) + B^T lambda = 0,     Phi(q) = 0,     dPhi = B (du, dtheta).
//! ```
//!
//! Unknowns: those of the nodes, then one multiplier per independent constraint (`layout`).
//!
//! What may not live here: time steps and parameters of schemes, phases, accepted and trial states,
//! the host's view. Joints and loads know their own physics only: they receive motions and the
//! assembly, not the system that they are part of.

mod adjust;
mod articulated;
mod articulated_inertia;
#[cfg(test)]
mod articulated_tests;
mod assembly;
mod balance;
mod coefficients;
mod constraints;
mod contradiction;
mod counting;
mod elements;
mod energy_form;
mod entities;
mod evaluation;
mod failure;
mod forces;
mod forest;
mod gears;
mod hold;
mod inertia;
mod interface;
mod joints;
mod kinetics;
mod kinks;
mod layout;
mod lines;
mod machines;
mod mean_tensions;
mod motion;
mod nodes;
mod points;
mod progress;
mod redundancy;
mod reference;
mod retract;
mod ring;
mod ropes;
mod rounding;
mod sharing;
#[cfg(test)]
mod sharing_tests;
mod stalls;
#[cfg(test)]
mod tangent_tests;
mod tangents;
mod turning;
mod views;
mod workspace;

pub use assembly::{Level, Row};
pub use coefficients::Coefficients;
pub use counting::Turned;
pub use entities::{Entity, Part, split};
pub use failure::{Failure, Growing};
pub use forces::asking::Asking;
pub use gears::GearGap;
pub use hold::Torn;
pub use interface::JointCoordinate;
pub use joints::scalar::wrap;
pub use kinetics::DAMPED_ITERATES;
pub use kinks::{Crossings, EnergyWork};
pub use layout::Layout;
pub use lines::{
    Hold, LineForces, Restless, Shapes, Unrest, Unsettled, held, relax_lines, set_slow_strains, slow_strains,
    spring_tensions,
};
#[cfg(test)]
pub use machines::Change;
pub use machines::{FirstEvent, Hit, MachineEvent, MachineOn, Rules};
pub use mean_tensions::{begin_means, keep_means, sample_means};
pub use motion::{BodyState, Motion, State, are_finite};
pub use progress::Progress;
pub use retract::move_node;
pub use sharing::Sharing;
pub use stalls::{NOISY, Stalls};
pub use turning::Turning;
pub use workspace::Workspace;

use crate::elements::{Connections, Elements, InWater};
pub use crate::elements::{EnergyForm, Memory};
use crate::model::{Callbacks, Hydrodynamics, Joint, LineFailure, Loads, Model, Point, Water};
use crate::spatial::{Pose, RigidInertia, Vec3, Vec6};
use counting::CountedJoints;
use forest::Link;
use gears::GearElement;
use joints::{Drives, JointElement};
use kinks::Kinks;
use lines::LineElement;
use machines::{ClutchElement, MachinePlace};
use points::PointElement;
use sharing::Loop;
use std::sync::Arc;

/// Loads and surroundings of the system at the time of an evaluation.
#[derive(Clone, Copy)]
pub struct Environment<'a> {
    /// Time.
    pub time: f64,
    /// Held loads.
    pub loads: &'a Loads,
    /// Coefficients of the fluid, one per body; bodies after the end of the list have none.
    pub hydrodynamics: &'a [Hydrodynamics],
    /// Water and seabed around lines and points.
    pub water: &'a Water,
    /// Load callbacks.
    pub callbacks: &'a Callbacks,
    /// The host's progress callback.
    pub progress: &'a Progress,
    /// Of what step the forces of elements are wanted that have an energy form; None: those of the
    /// laws at one time.
    pub form: Option<EnergyForm>,
}

/// Typical magnitudes of a model, relative to which tolerances are measured (1 where the model has
/// none).
#[derive(Debug, Clone, Copy)]
pub struct Scales {
    /// Length: the longest arm.
    pub length: f64,
    /// Mass: the largest, a power of two (so that scaling rows by it does not round).
    pub mass: f64,
    /// Force: the largest weight or initial multiplier.
    pub force: f64,
    /// Stiffness: the largest of an element between its places.
    pub stiffness: f64,
}

/// The assembled model. During a run only [`System::adjust`] changes it. Its methods number
/// unknowns, move positions and evaluate the equations; all else is in views by concern (`views`).
#[derive(Clone)]
pub struct System {
    gravity: Vec3,
    /// Origin of positions, in the host's coordinates.
    origin: Vec3,
    /// Ids of bodies for load callbacks.
    ids: Vec<i32>,
    /// Reference point of each body, from the integrated point, in body axes.
    references: Vec<Vec3>,
    /// Whether any of these is not zero.
    has_arms: bool,
    inertias: Vec<RigidInertia>,
    /// Of each body on which the motion of the water acts, its place among those of the water, and
    /// its part in it.
    in_water: Vec<Option<(usize, InWater)>>,
    points: Vec<PointElement>,
    lines: Vec<LineElement>,
    failures: Vec<LineFailure>,
    /// Ends of lines that pass bending on to each other: line, and which end.
    line_joints: Vec<[(usize, usize); 2]>,
    layout: Layout,
    /// Whether a node moves by the equations of motion (else its motion is imposed).
    free: Vec<bool>,
    /// Whether all of them do.
    all_free: bool,
    joints: Vec<JointElement>,
    gears: Vec<GearElement>,
    clutches: Vec<ClutchElement>,
    /// Friction and stops on coordinates of joints.
    machines: Vec<MachinePlace>,
    /// Joints that break, with the norms of force and moment at which they do.
    strengths: Vec<(usize, [f64; 2])>,
    /// Elements that the host described.
    elements: Elements,
    /// Whether springs or dampers with tables act on joints, whose force may bend within an
    /// increment.
    has_tables: bool,
    /// Whether there are tension-only springs.
    has_ropes: bool,
    /// Ties of the elements, and indices of their own variables.
    connections: Connections,
    /// Those that steps take in energy form.
    kinks: Kinks,
    /// Whether contacts alone act on a carrier, and there are any.
    touched: Vec<bool>,
    markers: Vec<(usize, Pose)>,
    /// The joint of each independent constraint.
    owners: Vec<usize>,
    /// Number of constraints that follow from others.
    redundant: usize,
    /// Joints with redundant constraints.
    left_out: Vec<usize>,
    /// Joints whose disc rolls.
    discs: Vec<usize>,
    /// Closed loops with redundant constraints.
    loops: Vec<Loop>,
    /// The loop of each joint.
    loop_of: Vec<Option<usize>>,
    /// Effective mass of each independent constraint, roughly `1/(B M^-1 B^T)_kk`: the factor
    /// between rounding in Phi and in lambda.
    effective_masses: Vec<f64>,
    /// Whether each constraint is a length.
    lengths: Vec<bool>,
    /// Whether a joint is driven, a node has an imposed motion, or there are lines with their
    /// lengths.
    is_imposed_on: bool,
    scales: Scales,
    /// The tree structure, where the model is a forest.
    links: Option<Arc<[Link]>>,
    /// For each joint the distance of its frames from the reference points of both bodies.
    arms: Vec<[f64; 2]>,
    /// Joints whose turns are counted.
    counted: CountedJoints,
}

impl System {
    /// Assembles a model at its initial poses; finds the redundant constraints.
    pub fn new(model: &Model) -> System {
        let mut system = System::unnumbered(model);
        let bodies = model.bodies.iter().map(initial_state);
        let nodes = bodies.chain(model.points.iter().map(points::initial_state));
        let motions: Vec<Motion> = nodes.map(|state| Motion::of(&state)).chain([Motion::ground()]).collect();
        system.number_constraints(&motions);
        system.add_gears(&model.gears, &motions);
        system.find_counted_joints();
        system.links = system.find_links().map(Arc::from);
        system
    }

    /// The same model about other reference points of its bodies, with the same independent
    /// constraints.
    pub fn alike(&self, model: &Model) -> System {
        let mut system = System::unnumbered(model);
        for (joint, numbered) in system.joints.iter_mut().zip(&self.joints) {
            joint.indices = numbered.indices;
        }
        system.take_gears(self);
        system.adjust().take_lines(self.lines());
        system.adjust().set_joint_springs(self.joints().springs());
        let mut system = System {
            owners: self.owners.clone(),
            redundant: self.redundant,
            left_out: self.left_out.clone(),
            loops: self.loops.clone(),
            loop_of: self.loop_of.clone(),
            effective_masses: self.effective_masses.clone(),
            lengths: self.lengths.clone(),
            scales: Scales { force: self.scales.force, ..system.scales },
            counted: self.counted.clone(),
            ..system
        };
        system.links = system.find_links().map(Arc::from);
        system
    }

    fn unnumbered(model: &Model) -> System {
        let layout = Layout::new(model.bodies.len(), model.points.len(), lines::count_nodes(model));
        let connections = model.elements.connections(elements::ties(model, layout));
        let carriers_free: Vec<bool> =
            model.bodies.iter().map(|body| !body.prescribed).chain(model.points.iter().map(Point::is_free)).collect();
        let segments = model.lines.iter().map(|line| line.segments).sum();
        let bends = model.lines.iter().any(|line| model.line_types[line.line_type].ei > 0.0);
        let clamps = model.lines.iter().flat_map(|line| line.clamps);
        let clamping = clamps.filter_map(|clamp| clamp?.body);
        let wet_bodies = model.bodies.iter().filter(|body| body.in_water.is_some()).count();
        let mut joints = JointElement::all(&model.joints, layout.carriers());
        let kinks =
            Kinks::of((&model.elements, &connections), &joints, (segments, bends), clamping, layout, &carriers_free);
        let states = connections.states() + System::machine_states(&model.joints, model.clutches.len());
        let layout = layout.with_own(
            [
                model.lines.len(),
                model.lines.iter().map(|line| line.pressure.len()).sum(),
                lines::count_slow(model),
                model.joint_springs().count(),
            ],
            [states, connections.water_places() + wet_bodies],
            kinks.counts,
        );
        let lines = lines::elements(model, layout);
        let failures = model.line_failures.clone();
        let bodies = model.bodies.iter().map(|body| !body.prescribed);
        let breaks = |joint: &Joint| !joint.is_broken && joint.strength != [f64::INFINITY; 2];
        let strengths =
            model.joints.iter().enumerate().filter(|(_, joint)| breaks(joint)).map(|(k, joint)| (k, joint.strength));
        let mut clutches: Vec<ClutchElement> = model.clutches.iter().map(ClutchElement::new).collect();
        let machines = machines::places(&mut joints, &mut clutches, &model.elements, &connections);
        let touched = machines::touched_alone(
            (&model.elements, &connections),
            layout.carriers(),
            (joints.iter().flat_map(JointElement::ends))
                .chain(lines.iter().flat_map(|line| line.ends.map(|tie| tie.node))),
        );
        let mut wet_places = layout.own().places - wet_bodies..;
        let in_water = model.bodies.iter().map(|body| body.in_water.and_then(|part| Some((wet_places.next()?, part))));
        let in_water = in_water.collect();
        let points = model.points.iter().map(Point::is_free);
        let free: Vec<bool> = bodies.chain(points).chain(lines::free(&lines)).collect();
        let mut system = System {
            gravity: model.gravity,
            origin: model.origin,
            ids: (0..model.bodies.len() as i32).collect(),
            references: model.bodies.iter().map(|b| b.reference).collect(),
            has_arms: model.bodies.iter().any(|b| b.reference != Vec3::zeros()),
            inertias: model.bodies.iter().map(|b| b.inertia).collect(),
            in_water,
            points: model
                .points
                .iter()
                .enumerate()
                .map(|(k, point)| PointElement::new(point, layout.point(k)))
                .collect(),
            layout,
            all_free: free.iter().all(|free| *free),
            free,
            lines,
            failures,
            line_joints: model.line_joints.clone(),
            joints,
            gears: Vec::new(),
            clutches,
            machines,
            strengths: strengths.collect(),
            elements: model.elements.clone(),
            has_tables: model.joints.iter().any(Joint::has_tables),
            has_ropes: !model.elements.tendons.is_empty()
                || model.elements.springs.iter().any(|spring| spring.tension_only),
            touched,
            connections,
            kinks,
            markers: model.markers.iter().map(|m| (m.body, m.frame)).collect(),
            owners: Vec::new(),
            redundant: 0,
            left_out: Vec::new(),
            discs: Vec::new(),
            loops: Vec::new(),
            loop_of: Vec::new(),
            effective_masses: Vec::new(),
            lengths: Vec::new(),
            is_imposed_on: model.joints.iter().any(|joint| joint.driven || joint.slide_driven)
                || model.bodies.iter().any(|body| body.prescribed)
                || !model.points.iter().all(Point::is_free)
                // Lines and tendons have winches.
                || !(model.lines.is_empty() && model.elements.tendons.is_empty()),
            scales: Scales { length: 1.0, mass: 1.0, force: 0.0, stiffness: 0.0 },
            links: None,
            arms: model
                .joints
                .iter()
                .map(|joint| [&joint.frame_a, &joint.frame_b].map(|f| f.position.norm()))
                .collect(),
            counted: CountedJoints::default(),
        };
        system.discs = (0..system.joints.len()).filter(|joint| system.joints[*joint].rolls()).collect();
        system.scales = system.initial_scales(model);
        system.set_default_slips();
        system
    }

    fn initial_scales(&self, model: &Model) -> Scales {
        let arms = model.joints.iter().flat_map(|j| {
            let arm = |body: Option<usize>, frame: &Pose| body.map_or(0.0, |_| frame.position.norm());
            [arm(j.body_a, &j.frame_a), arm(j.body_b, &j.frame_b)]
        });
        // The shorter arm of an element, because the other one may be as long as the distance of a
        // body from the origin of the ground.
        let mut others = &self.connections.ties[..];
        let reaches = model.elements.iter().filter_map(|element| {
            let (own, behind) = others.split_at(element.reserved());
            others = behind;
            own[..element.nodes().len()].iter().map(|tie| tie.at.norm()).reduce(f64::min)
        });
        let distances = model.joints.iter().map(|j| j.distance);
        let gyrations = self.inertias.iter().filter(|i| i.mass > 0.0).map(|i| (i.inertia.trace() / i.mass).sqrt());
        let length = arms.chain(reaches).chain(distances).chain(gyrations).fold(0.0, f64::max);
        // Points and nodes of beams have no size: distances count where there is no other length.
        let length = if length > 0.0 { length } else { points::extent(model) };
        let mass = self.largest_mass();
        Scales {
            length: if length > 0.0 { length } else { 1.0 },
            mass: if mass > 0.0 { mass.log2().round().exp2() } else { 1.0 },
            force: self.largest_weight(&self.gravity),
            stiffness: self.elements.largest_stiffness(),
        }
    }

    /// The largest weight; finite also where gravity is as large as the largest numbers.
    fn largest_weight(&self, gravity: &Vec3) -> f64 {
        match self.largest_mass() {
            0.0 => 0.0,
            mass => (mass * gravity.norm()).min(f64::MAX),
        }
    }

    /// The largest mass of a body, a point or a line.
    fn largest_mass(&self) -> f64 {
        let masses =
            self.inertias.iter().map(|inertia| inertia.mass).chain(self.points.iter().map(PointElement::dry_mass));
        masses.chain(self.lines.iter().map(|line| line.mass)).fold(0.0, f64::max)
    }

    /// Number of bodies.
    pub(super) fn bodies(&self) -> usize {
        self.inertias.len()
    }

    /// The indices of flat vectors.
    #[inline(always)]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Number of velocity unknowns of all nodes.
    #[inline(always)]
    pub fn dofs(&self) -> usize {
        self.layout.dofs()
    }

    /// Number of independent constraints.
    pub fn multipliers(&self) -> usize {
        self.owners.len()
    }

    /// Typical magnitudes.
    pub fn scales(&self) -> Scales {
        self.scales
    }

    /// Imposed coordinates of a joint; without reading memory if no joint is driven.
    #[inline(always)]
    fn drives(&self, loads: &Loads, joint: usize) -> Drives {
        if self.is_imposed_on { loads.drives(joint) } else { Drives::default() }
    }

    /// Copies motions of all nodes, and the coordinates from which joints are counted, from a state
    /// to a workspace.
    pub fn move_to(&self, state: &State, workspace: &mut Workspace) {
        state.enter_motions_anew(&mut workspace.motions);
        workspace.coordinates.copy_from_slice(&state.coordinates);
        self.elements().take_own(state, workspace);
        self.move_lines_to(state, workspace);
    }

    /// Copies velocities alone from a state whose positions and accelerations are in the workspace.
    fn take_velocities(&self, state: &State, workspace: &mut Workspace) {
        if !self.lines.is_empty() {
            return self.move_to(state, workspace);
        }
        let (bodies, points) = state.layout.split(&state.v);
        let (motions, of_points) = workspace.motions.split_at_mut(bodies.len());
        for (motion, v) in motions.iter_mut().zip(bodies) {
            (motion.v, motion.omega) = (Vec3::new(v[0], v[1], v[2]), Vec3::new(v[3], v[4], v[5]));
        }
        // The ground, which follows the points, has no velocity there.
        of_points.iter_mut().zip(points).for_each(|(motion, v)| motion.v = (*v).into());
    }

    /// Motion of a carrier, or of the ground.
    fn motion_of(&self, node: usize, state: &State) -> Motion {
        if node < self.layout.carriers() { Motion::of(&state.body(node)) } else { Motion::ground() }
    }

    /// Motions of the ends of a joint.
    fn end_motions(&self, ends: [usize; 2], state: &State) -> [Motion; 2] {
        ends.map(|end| self.motion_of(end, state))
    }
}

impl System {
    /// The initial state of a model, without accelerations and multipliers.
    pub fn initial_state(&self, model: &Model) -> State {
        let mut state = State::new(self.layout, self.multipliers(), self.joints.len());
        state.lines = LineForces::zeros(&self.lines, self.elements.springs.len());
        for (k, (holds, ea)) in self.lines().own().enumerate() {
            state.set_holds(k, holds);
            state.stiffnesses_mut()[k] = ea;
        }
        state.pressures_mut().iter_mut().zip(self.lines().pressures()).for_each(|(own, pressure)| *own = pressure);
        lines::begin_lines(self, model, &mut state);
        lines::relax_lines(self, &mut state);
        state.joint_springs_mut().iter_mut().zip(self.joints().springs()).for_each(|(own, spring)| *own = spring);
        let points = model.points.iter().map(points::initial_state);
        model.bodies.iter().map(initial_state).chain(points).enumerate().for_each(|(node, s)| state.set_body(node, &s));
        self.lines().stretch(&mut state);
        // Where the bed is, is known when lines are placed.
        self.elements().begin(&mut state, &Water::default(), &[]);
        state
    }
}

/// The initial state of a body.
pub fn initial_state(body: &crate::model::Body) -> BodyState {
    BodyState { x: body.pose.position, q: body.pose.rotation, v: body.velocity, vdot: Vec6::zeros() }
}

/// Momentum of a body (about its reference point), and its centre of mass from there, inertial
/// axes.
fn inertia_terms(inertia: &RigidInertia, motion: &Motion) -> (Vec6, Vec3) {
    let eta = motion.r * inertia.eta;
    let rho = motion.r * inertia.inertia * motion.r.transpose();
    let linear = (motion.v + motion.omega.cross(&eta)) * inertia.mass;
    let angular = rho * motion.omega + eta.cross(&motion.v) * inertia.mass;
    (crate::spatial::join(&linear, &angular), eta)
}
