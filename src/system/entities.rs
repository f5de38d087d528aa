//! Entities: sets of bodies tied by joints, gears and coupled load callbacks, and single points.
//! Each is a system of its own, in which every other node is prescribed.
//!
//! Local time stepping evaluates them one by one; the stable step of a model is estimated from
//! them.

use super::layout::Layout;
use super::{Environment, Failure, Progress, State, System, Turned, Workspace};
use crate::elements::{Attachment, Description, End};
use crate::linear::Kkt;
use crate::model::{
    Callbacks, CoupledCallback, Gear, Hydrodynamics, Joint, Load, Loads, Marker, Model, Point, PointLoad, Support,
    Water,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The part of a model that is one entity: its own bodies, then the bodies that it touches,
/// prescribed.
#[derive(Clone)]
pub struct Part {
    /// The description of the part.
    pub model: Model,
    /// Bodies of the whole model: its own, in order, then those it touches.
    pub bodies: Vec<usize>,
    /// How many of these are its own.
    own_bodies: usize,
    /// Its joints, in the whole model.
    joints: Vec<usize>,
    /// Its elements, by their indices in the order of the whole model.
    elements: Vec<usize>,
    /// Its gears, in the whole model.
    gears: Vec<usize>,
    /// Markers on its own bodies, in the whole model.
    markers: Vec<usize>,
    /// Coupled load callbacks on its own bodies: index in the list of the whole model, its bodies
    /// in this part.
    callbacks: Vec<(usize, Vec<usize>)>,
    /// Nodes of the whole model.
    whole: Layout,
    /// Free points of the whole model: its own, then those it touches; attached points go with
    /// their bodies.
    points: Vec<usize>,
    /// How many of these are its own.
    own_points: usize,
    /// Nodes: index in the part, and in the whole model.
    pub places: Vec<(usize, usize)>,
}

/// The entities of a model, by their first bodies; bodies with imposed motion belong to none.
pub fn split(model: &Model, callbacks: &Callbacks) -> Vec<Part> {
    let of_body = entity_of_bodies(model, callbacks);
    let mut count = of_body.iter().flatten().max().map_or(0, |last| last + 1);
    // A free point is an entity by itself; an attached one belongs to that of its body.
    let of_point: Vec<Option<usize>> = model
        .points
        .iter()
        .map(|point| match point.support {
            Support::Attached(body) => of_body[body],
            Support::Free => {
                count += 1;
                Some(count - 1)
            }
            _ => None,
        })
        .collect();
    let mut parts: Vec<Part> = (0..count).map(|_| Part::empty(model)).collect();
    for (body, entity) in of_body.iter().enumerate() {
        if let Some(entity) = entity {
            parts[*entity].bodies.push(body);
            parts[*entity].own_bodies += 1;
        }
    }
    for (point, entity) in of_point.iter().enumerate() {
        if let Some(entity) = entity {
            parts[*entity].points.push(point);
            parts[*entity].own_points += 1;
        }
    }
    // Index of each own body in its entity; touched bodies are searched for.
    let mut place = vec![0; model.bodies.len()];
    parts.iter().for_each(|part| part.bodies.iter().enumerate().for_each(|(k, body)| place[*body] = k));
    let mut touched: Vec<BTreeMap<usize, usize>> = vec![BTreeMap::new(); count];
    let mut local = |parts: &mut [Part], entity: usize, end: Option<usize>| {
        end.map(|body| {
            if of_body[body] == Some(entity) {
                return place[body];
            }
            place_of(&mut touched[entity], &mut parts[entity].bodies, body)
        })
    };
    // An element belongs to the entities of both of its ends.
    let entities = |ends: [Option<usize>; 2]| {
        let [a, b] = ends.map(|end| end.and_then(|body| of_body[body]));
        a.into_iter().chain(b.filter(|b| a != Some(*b)))
    };
    // Entity of each joint, and its place there; a joint of free bodies has one only.
    let mut place_of_joint = vec![None; model.joints.len()];
    for (k, joint) in model.joints.iter().enumerate() {
        for entity in entities([joint.body_a, joint.body_b]) {
            place_of_joint[k] = Some(parts[entity].joints.len());
            let [body_a, body_b] = [joint.body_a, joint.body_b].map(|end| local(&mut parts, entity, end));
            parts[entity].joints.push(k);
            parts[entity].model.joints.push(Joint { body_a, body_b, ..joint.clone() });
        }
    }
    for (k, gear) in model.gears.iter().enumerate() {
        let of_joint = |joint: usize| [model.joints[joint].body_a, model.joints[joint].body_b];
        let mut ends = gear.joints.iter().flat_map(|joint| of_joint(*joint)).flatten();
        let Some(entity) = ends.find_map(|body| of_body[body]) else { continue };
        let joints = gear.joints.iter().map(|joint| {
            place_of_joint[*joint].unwrap_or_else(|| {
                // A joint between bodies with imposed motion belongs to no entity.
                let [body_a, body_b] = of_joint(*joint).map(|end| local(&mut parts, entity, end));
                parts[entity].joints.push(*joint);
                parts[entity].model.joints.push(Joint { body_a, body_b, ..model.joints[*joint].clone() });
                parts[entity].joints.len() - 1
            })
        });
        let gear = Gear { joints: joints.collect(), ..gear.clone() };
        parts[entity].gears.push(k);
        parts[entity].model.gears.push(gear);
    }
    // Elements of each entity by index, with their ends in it. Ends on attached points are on their
    // bodies there.
    let mut picks = vec![Vec::new(); count];
    let mut touched_points: Vec<BTreeMap<usize, usize>> = vec![BTreeMap::new(); count];
    for (place, element) in model.elements.iter().enumerate() {
        let ends = element.nodes().iter().map(|end| match end.to {
            End::Point(point) => match model.points[point].body() {
                Some(body) => Attachment { to: End::Body(body), at: model.points[point].position },
                None => *end,
            },
            End::Ground | End::Body(_) => *end,
        });
        let ends: Vec<Attachment> = ends.collect();
        let entities: BTreeSet<usize> = ends
            .iter()
            .filter_map(|end| match end.to {
                End::Ground => None,
                End::Body(body) => of_body[body],
                End::Point(point) => of_point[point],
            })
            .collect();
        for entity in entities {
            let here = ends.iter().map(|end| {
                let to = match end.to {
                    End::Ground => End::Ground,
                    End::Body(body) => local(&mut parts, entity, Some(body)).into(),
                    End::Point(point) => {
                        let points = &mut parts[entity].points;
                        // A part with a free point of its own has no other point of its own.
                        let own = of_point[point] == Some(entity);
                        End::Point(if own { 0 } else { place_of(&mut touched_points[entity], points, point) })
                    }
                };
                Attachment { to, at: end.at }
            });
            let here: Vec<Attachment> = here.collect();
            picks[entity].push((place, here));
        }
    }
    for (part, picks) in parts.iter_mut().zip(picks) {
        part.elements = picks.iter().map(|(place, _)| *place).collect();
        let tied =
            |here: Vec<Attachment>| move |element: &mut dyn Description| element.nodes_mut().copy_from_slice(&here);
        part.model.elements = model.elements.picked(picks.into_iter().map(|(place, here)| (place, tied(here))));
    }
    for (k, marker) in model.markers.iter().enumerate() {
        if let Some(entity) = of_body[marker.body] {
            parts[entity].markers.push(k);
            parts[entity].model.markers.push(Marker { body: place[marker.body], ..marker.clone() });
        }
    }
    for (k, callback) in callbacks.coupled.iter().enumerate().filter(|(_, callback)| callback.function.is_some()) {
        // Its free bodies belong to one entity.
        if let Some(entity) = callback.bodies.iter().find_map(|body| of_body[*body]) {
            let here = callback.bodies.iter().filter_map(|body| local(&mut parts, entity, Some(*body))).collect();
            parts[entity].callbacks.push((k, here));
        }
    }
    for part in &mut parts {
        part.model.bodies = part.bodies.iter().map(|body| model.bodies[*body].clone()).collect();
        part.model.bodies[part.own_bodies..].iter_mut().for_each(|body| body.prescribed = true);
        let own_points = part.own_points;
        let described = part.points.iter().enumerate().map(|(local, point)| {
            let point = model.points[*point].clone();
            let support = match point.support {
                Support::Attached(body) => Support::Attached(place[body]),
                own if local < own_points => own,
                _ => Support::Prescribed,
            };
            Point { support, ..point }
        });
        part.model.points = described.collect();
        let points = part.points.iter().map(|point| part.whole.point(*point));
        part.places = part.bodies.iter().copied().chain(points).enumerate().collect();
    }
    parts
}

/// Index of a touched node, which is appended if it is new.
fn place_of(known: &mut BTreeMap<usize, usize>, all: &mut Vec<usize>, touched: usize) -> usize {
    *known.entry(touched).or_insert_with(|| {
        all.push(touched);
        all.len() - 1
    })
}

/// The entity of each body; None if its motion is imposed.
fn entity_of_bodies(model: &Model, callbacks: &Callbacks) -> Vec<Option<usize>> {
    let mut leader: Vec<usize> = (0..model.bodies.len()).collect();
    fn root(leader: &mut [usize], mut body: usize) -> usize {
        while leader[body] != body {
            leader[body] = leader[leader[body]];
            body = leader[body];
        }
        body
    }
    let free = |body: Option<usize>| body.filter(|body| !model.bodies[*body].prescribed);
    let mut tie = |a: usize, b: usize| {
        let (a, b) = (root(&mut leader, a), root(&mut leader, b));
        leader[a.max(b)] = a.min(b);
    };
    for joint in &model.joints {
        if let (Some(a), Some(b)) = (free(joint.body_a), free(joint.body_b)) {
            tie(a, b);
        }
    }
    for gear in &model.gears {
        let ends = gear.joints.iter().flat_map(|joint| [model.joints[*joint].body_a, model.joints[*joint].body_b]);
        let mut set = ends.filter_map(free);
        if let Some(first) = set.next() {
            set.for_each(|other| tie(first, other));
        }
    }
    for callback in callbacks.active() {
        let mut set = callback.bodies.iter().filter_map(|body| free(Some(*body)));
        if let Some(first) = set.next() {
            set.for_each(|other| tie(first, other));
        }
    }
    // A leader is the first body of its entity.
    let mut of_body = vec![None; leader.len()];
    let mut count = 0;
    for body in (0..leader.len()).filter(|body| free(Some(*body)).is_some()) {
        let first = root(&mut leader, body);
        if first == body {
            of_body[body] = Some(count);
            count += 1;
        } else {
            of_body[body] = of_body[first];
        }
    }
    of_body
}

impl Part {
    /// A part without bodies.
    fn empty(model: &Model) -> Part {
        Part {
            model: Model { gravity: model.gravity, origin: model.origin, ..Model::default() },
            bodies: Vec::new(),
            own_bodies: 0,
            joints: Vec::new(),
            elements: Vec::new(),
            gears: Vec::new(),
            markers: Vec::new(),
            callbacks: Vec::new(),
            whole: Layout::new(model.bodies.len(), model.points.len(), 0),
            points: Vec::new(),
            own_points: 0,
            places: Vec::new(),
        }
    }

    /// Its own bodies, in the whole model.
    pub fn own_bodies(&self) -> &[usize] {
        &self.bodies[..self.own_bodies]
    }

    /// The bodies that it touches, in the whole model.
    pub fn touched_bodies(&self) -> &[usize] {
        &self.bodies[self.own_bodies..]
    }

    /// Its own free points, in the whole model.
    pub fn own_points(&self) -> impl Iterator<Item = usize> + '_ {
        let own = self.points[..self.own_points].iter().zip(&self.model.points);
        own.filter(|(_, point)| point.is_free()).map(|(point, _)| *point)
    }

    /// The points that it touches, in the whole model.
    pub fn touched_points(&self) -> impl Iterator<Item = usize> + '_ {
        self.points[self.own_points..].iter().copied()
    }

    /// Whether a node of the part is its own.
    pub fn is_own(&self, local: usize) -> bool {
        match local.checked_sub(self.bodies.len()) {
            None => local < self.own_bodies,
            Some(point) => self.model.points[point].is_free(),
        }
    }

    /// Its own nodes: index in the part, and in the whole model.
    pub fn own_places(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.places.iter().copied().filter(|(local, _)| self.is_own(*local))
    }

    /// Its own nodes in the whole model.
    pub fn own(&self) -> impl Iterator<Item = usize> + '_ {
        self.own_places().map(|(_, node)| node)
    }

    /// Mass of its own bodies and points.
    pub fn mass(&self) -> f64 {
        let points = self.model.points.iter().filter(|point| point.is_free()).map(|point| point.mass);
        self.model.bodies[..self.own_bodies].iter().map(|body| body.inertia.mass).chain(points).sum()
    }

    /// Copies the callbacks of the whole model that act on its own bodies, with the indices of
    /// these in the part, to `into`, which an earlier call has made.
    pub fn take_callbacks(&self, whole: &Callbacks, into: &mut Callbacks) {
        into.bodies.resize(self.bodies.len(), None);
        for (own, body) in into.bodies[..self.own_bodies].iter_mut().zip(&self.bodies) {
            *own = whole.bodies.get(*body).cloned().flatten();
        }
        if into.coupled.len() != self.callbacks.len() {
            let known = |(k, bodies): &(usize, Vec<usize>)| {
                let id = whole.coupled[*k].id;
                CoupledCallback { id, bodies: bodies.clone(), function: None }
            };
            into.coupled = self.callbacks.iter().map(known).collect();
        }
        for (own, (k, _)) in into.coupled.iter_mut().zip(&self.callbacks) {
            own.function = whole.coupled[*k].function.clone();
        }
    }
}

/// An entity that is evaluated by itself: its system, its state and its loads.
#[derive(Clone)]
pub struct Entity {
    /// Which part of the model it is.
    pub part: Part,
    /// Its state; for touched bodies, the motions that its evaluations see.
    pub state: State,
    /// The state at the start of its step: joint angles are counted from there.
    before: State,
    system: System,
    workspace: Workspace,
    loads: Loads,
    hydrodynamics: Vec<Hydrodynamics>,
    water: Water,
    callbacks: Callbacks,
    /// Its multipliers, in the whole model.
    multipliers: Vec<usize>,
    /// Own variables of its elements: ranges here, and in the whole model.
    own: Vec<[Range<usize>; 2]>,
}

impl Entity {
    /// The matrix that its evaluations factorise.
    pub fn matrix(&mut self) -> &mut Kkt {
        &mut self.workspace.matrix
    }

    /// From its part of the model of `whole`.
    pub fn new(part: Part, whole: &System, host: &Callbacks) -> Entity {
        let mut system = System::new(&part.model);
        system.adjust().set_ids(part.bodies.iter().map(|body| *body as i32).collect());
        let n = part.bodies.len();
        // Rows are independent of those of other entities: both numberings leave out the same ones.
        let indices = |joints: &[usize]| -> Vec<usize> {
            joints
                .iter()
                .flat_map(|joint| whole.joints[*joint].indices.iter().flatten().map(|index| index.get()))
                .collect()
        };
        let multipliers = indices(&part.joints).into_iter().chain(whole.gear_indices(&part.gears)).collect();
        let loads = Loads {
            bodies: vec![Load::NONE; n],
            markers: vec![Load::NONE; part.markers.len()],
            beams: vec![Load::NONE; whole.elements().load_places()],
            joints: vec![crate::model::JointLoad::NONE; part.joints.len()],
            slides: vec![crate::model::JointLoad::NONE; part.joints.len()],
            motions: vec![None; n],
            points: vec![PointLoad::NONE; part.points.len()],
            point_motions: vec![None; part.points.len()],
            ..Loads::default()
        };
        let of_part =
            |(here, place): (usize, &usize)| [system.connections.parts(here).own, whole.connections.parts(*place).own];
        let own = part.elements.iter().enumerate().map(of_part).filter(|[own, _]| !own.is_empty()).collect();
        let state = system.initial_state(&part.model);
        let mut workspace = Workspace::new(&system);
        let hydrodynamics = vec![Hydrodynamics::default(); n];
        let mut callbacks = Callbacks::default();
        part.take_callbacks(host, &mut callbacks);
        // Allocates all memory now: steps do not allocate.
        workspace.callbacks.follow(&callbacks, &system.ids);
        let water = Water::default();
        let before = state.clone();
        Entity { part, state, before, system, workspace, loads, hydrodynamics, water, callbacks, multipliers, own }
    }

    /// Copies what is constant over a host step: coefficients, callbacks, and from the state of the
    /// whole model the coordinates from which angles are counted and own variables of elements.
    pub fn begin(&mut self, hydrodynamics: &[Hydrodynamics], water: &Water, callbacks: &Callbacks, whole: &State) {
        for [here, there] in &self.own {
            self.state.z[here.clone()].copy_from_slice(&whole.z[there.clone()]);
        }
        self.water.clone_from(water);
        for (local, body) in self.part.own_bodies().iter().enumerate() {
            self.hydrodynamics[local] = hydrodynamics.get(*body).copied().unwrap_or_default();
        }
        self.part.take_callbacks(callbacks, &mut self.callbacks);
        for (local, node) in self.part.places.iter().copied() {
            self.state.take_node(local, node, whole);
        }
        for (own, joint) in self.state.coordinates.iter_mut().zip(&self.part.joints) {
            *own = whole.coordinates[*joint];
        }
    }

    /// Begins a step of its own, at the end of which its bodies are placed next.
    pub fn begin_step(&mut self) {
        self.before.copy_motion_from(&self.state);
    }

    /// Counts the angles of its joints over a step of length h, from rates at both ends of the
    /// step.
    pub fn count_angles(&mut self, h: f64) {
        let State { q, v, coordinates, .. } = &mut self.state;
        self.system.coordinates().expect_angles(&self.before, Turned::Rates(h, v), q, coordinates);
        self.system.coordinates().follow(&mut self.state, &self.loads);
    }

    /// Returns coordinates to the whole model at the end of a host step and drops the host's
    /// callbacks.
    pub fn end(&mut self, coordinates: &mut [f64]) {
        self.callbacks.bodies.fill(None);
        self.callbacks.coupled.iter_mut().for_each(|callback| callback.function = None);
        for (own, joint) in self.state.coordinates.iter().zip(&self.part.joints) {
            coordinates[*joint] = *own;
        }
    }

    /// Copies loads and imposed motions at one time; touched bodies move as the state says, unless
    /// their motion is imposed.
    pub fn see(&mut self, loads: &Loads) {
        for (own, body) in self.loads.bodies.iter_mut().zip(self.part.own_bodies()) {
            *own = loads.bodies[*body];
        }
        for (own, point) in self.loads.points.iter_mut().zip(&self.part.points[..self.part.own_points]) {
            *own = loads.points[*point];
        }
        let bodies = self.part.bodies.len();
        for (local, node) in self.part.places.iter().copied() {
            let is_attached = local >= bodies && self.part.model.points[local - bodies].body().is_some();
            if self.part.is_own(local) || is_attached {
                continue;
            }
            let motion = loads.motion(node).copied().unwrap_or_else(|| self.state.body(local));
            self.state.set_body(local, &motion);
            match local.checked_sub(bodies) {
                None => self.loads.motions[local] = Some(motion),
                Some(point) => self.loads.point_motions[point] = Some(motion),
            }
        }
        for (own, marker) in self.loads.markers.iter_mut().zip(&self.part.markers) {
            *own = loads.markers[*marker];
        }
        self.loads.beams.clone_from(&loads.beams);
        self.loads.lines.clone_from(&loads.lines);
        for ((own, slide), joint) in self.loads.joints.iter_mut().zip(&mut self.loads.slides).zip(&self.part.joints) {
            (*own, *slide) = (loads.joints[*joint], loads.slides[*joint]);
        }
    }

    /// Accelerations of its bodies at its state and a time, into the state.
    pub fn accelerations(&mut self, time: f64) -> Result<(), Failure> {
        let Entity { system, state, workspace, loads, hydrodynamics, water, callbacks, .. } = self;
        let environment =
            Environment { time, loads, hydrodynamics, water, callbacks, progress: Progress::none(), form: None };
        let outcome = system.kinetics().accelerations(&environment, state, workspace);
        outcome.map_err(|failure| self.in_the_whole(failure))
    }

    /// Projects its state onto its constraints at a time.
    pub fn project(
        &mut self,
        time: f64,
        project: impl Fn(&System, &Environment, &mut State, &mut Workspace) -> Result<u32, Failure>,
    ) -> Result<u32, Failure> {
        let Entity { system, state, workspace, loads, hydrodynamics, water, callbacks, .. } = self;
        let environment =
            Environment { time, loads, hydrodynamics, water, callbacks, progress: Progress::none(), form: None };
        project(system, &environment, state, workspace).map_err(|failure| self.in_the_whole(failure))
    }

    /// Translates a failure to the unknowns and bodies of the whole model.
    fn in_the_whole(&self, failure: Failure) -> Failure {
        let whole = |unknown: usize| match unknown.checked_sub(self.system.dofs()) {
            None => {
                let (local, component) = self.system.layout().component(unknown);
                self.part.whole.unknown(self.part.places[local].1) + component
            }
            Some(k) => self.multipliers.get(k).map_or(0, |k| self.part.whole.multiplier(*k)),
        };
        match failure {
            Failure::Singular { unknown } => Failure::Singular { unknown: unknown.map(whole) },
            Failure::NotFinite { unknown, iterations } => Failure::NotFinite { unknown: whole(unknown), iterations },
            Failure::Diverged { growing, unknown, iterations } => {
                Failure::Diverged { growing, unknown: whole(unknown), iterations }
            }
            Failure::NoConvergence { iterations, error, unknown, energies } => {
                Failure::NoConvergence { iterations, error, unknown: whole(unknown), energies }
            }
            Failure::Callback { body, code } => Failure::Callback { body: self.part.bodies[body], code },
            other => other,
        }
    }
}
