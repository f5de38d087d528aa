//! Entities: sets of bodies tied by joints, gears and coupled load callbacks. Each is a system of its own, to which every other body is prescribed.
//!
//! Local time stepping evaluates them one by one; the stable step of a model is estimated from them.

use super::{Environment, Failure, State, System, Workspace};
use crate::model::{
    Bushing, Callbacks, CoupledCallback, Gear, Hydrodynamics, Joint, Load, Loads, Marker, Model, Spring,
};
use crate::spatial::BodyState;
use std::collections::BTreeMap;

/// The part of a model that one entity is: its bodies, then those it touches, prescribed.
#[derive(Clone)]
pub struct Part {
    /// The description of the part.
    pub model: Model,
    /// Bodies of the whole model that it consists of, in order, then those it touches.
    pub bodies: Vec<usize>,
    /// How many of these it consists of.
    pub own: usize,
    /// Its joints, in the whole model.
    joints: Vec<usize>,
    /// Its gears, in the whole model.
    gears: Vec<usize>,
    /// Markers on its own bodies, in the whole model.
    markers: Vec<usize>,
    /// Coupled load callbacks on its own bodies: place in the list of the whole model, its bodies in this part.
    callbacks: Vec<(usize, Vec<usize>)>,
    /// Number of velocity unknowns of the whole model.
    whole_dofs: usize,
}

/// The entities of a model, by their first bodies; bodies with imposed motion belong to none.
pub fn split(model: &Model, callbacks: &Callbacks) -> Vec<Part> {
    let of_body = entity_of_bodies(model, callbacks);
    let count = of_body.iter().flatten().max().map_or(0, |last| last + 1);
    let mut parts: Vec<Part> = (0..count).map(|_| Part::empty(model)).collect();
    for (body, entity) in of_body.iter().enumerate() {
        if let Some(entity) = entity {
            parts[*entity].bodies.push(body);
            parts[*entity].own += 1;
        }
    }
    // Place of each body in its own entity; elsewhere it is looked for among the bodies that the entity touches.
    let mut place = vec![0; model.bodies.len()];
    parts.iter().for_each(|part| part.bodies.iter().enumerate().for_each(|(k, body)| place[*body] = k));
    let mut touched: Vec<BTreeMap<usize, usize>> = vec![BTreeMap::new(); count];
    let mut local = |parts: &mut [Part], entity: usize, end: Option<usize>| {
        end.map(|body| {
            if of_body[body] == Some(entity) {
                return place[body];
            }
            let bodies = &mut parts[entity].bodies;
            *touched[entity].entry(body).or_insert_with(|| {
                bodies.push(body);
                bodies.len() - 1
            })
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
        let mut ends = gear.joints.into_iter().flat_map(of_joint).flatten();
        let Some(entity) = ends.find_map(|body| of_body[body]) else { continue };
        let joints = gear.joints.map(|joint| {
            place_of_joint[joint].unwrap_or_else(|| {
                // Between bodies whose motion is imposed: a joint of no entity, which this one looks at.
                let [body_a, body_b] = of_joint(joint).map(|end| local(&mut parts, entity, end));
                parts[entity].joints.push(joint);
                parts[entity].model.joints.push(Joint { body_a, body_b, ..model.joints[joint].clone() });
                parts[entity].joints.len() - 1
            })
        });
        parts[entity].gears.push(k);
        parts[entity].model.gears.push(Gear { joints, ratio: gear.ratio });
    }
    for spring in &model.springs {
        for entity in entities([spring.body_a, spring.body_b]) {
            let [body_a, body_b] = [spring.body_a, spring.body_b].map(|end| local(&mut parts, entity, end));
            parts[entity].model.springs.push(Spring { body_a, body_b, ..spring.clone() });
        }
    }
    for bushing in &model.bushings {
        for entity in entities([bushing.body_a, bushing.body_b]) {
            let [body_a, body_b] = [bushing.body_a, bushing.body_b].map(|end| local(&mut parts, entity, end));
            parts[entity].model.bushings.push(Bushing { body_a, body_b, ..bushing.clone() });
        }
    }
    for (k, marker) in model.markers.iter().enumerate() {
        if let Some(entity) = of_body[marker.body] {
            parts[entity].markers.push(k);
            parts[entity].model.markers.push(Marker { body: place[marker.body], ..marker.clone() });
        }
    }
    for (k, callback) in callbacks.coupled.iter().enumerate().filter(|(_, callback)| callback.function.is_some()) {
        // Its free bodies are of one entity.
        if let Some(entity) = callback.bodies.iter().find_map(|body| of_body[*body]) {
            let here = callback.bodies.iter().filter_map(|body| local(&mut parts, entity, Some(*body))).collect();
            parts[entity].callbacks.push((k, here));
        }
    }
    for part in &mut parts {
        part.model.bodies = part.bodies.iter().map(|body| model.bodies[*body].clone()).collect();
        part.model.bodies[part.own..].iter_mut().for_each(|body| body.prescribed = true);
    }
    parts
}

/// For each body the entity that it belongs to; none where its motion is imposed.
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
    // Leaders are the first bodies of their entities.
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
    /// Nothing yet of a model.
    fn empty(model: &Model) -> Part {
        Part {
            model: Model { gravity: model.gravity, origin: model.origin, ..Model::default() },
            bodies: Vec::new(),
            own: 0,
            joints: Vec::new(),
            gears: Vec::new(),
            markers: Vec::new(),
            callbacks: Vec::new(),
            whole_dofs: 6 * model.bodies.len(),
        }
    }

    /// The callbacks of the whole model that act on its own bodies, known to them by their places here; `into` was made
    /// by this and is filled again.
    pub fn take_callbacks(&self, whole: &Callbacks, into: &mut Callbacks) {
        into.bodies.resize(self.bodies.len(), None);
        for (own, body) in into.bodies[..self.own].iter_mut().zip(&self.bodies) {
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

/// An entity that is evaluated by itself: its system, its state and what acts on it.
#[derive(Clone)]
pub struct Entity {
    /// Which part of the model it is.
    pub part: Part,
    /// Its state; of the bodies that it touches, what its evaluations are to see.
    pub state: State,
    system: System,
    workspace: Workspace,
    loads: Loads,
    hydrodynamics: Vec<Hydrodynamics>,
    callbacks: Callbacks,
    /// Its multipliers, in the whole model.
    multipliers: Vec<usize>,
}

impl Entity {
    /// From its part of the model of `whole`.
    pub fn new(part: Part, whole: &System, host: &Callbacks) -> Entity {
        let mut system = System::new(&part.model);
        system.set_ids(part.bodies.iter().map(|body| *body as i32).collect());
        let n = part.bodies.len();
        // Rows are independent of the rows of other entities: both numberings leave out the same ones.
        let indices = |joints: &[usize]| -> Vec<usize> {
            joints.iter().flat_map(|joint| whole.joints[*joint].indices.iter().flatten().copied()).collect()
        };
        let multipliers = indices(&part.joints).into_iter().chain(whole.gear_indices(&part.gears)).collect();
        let loads = Loads {
            bodies: vec![Load::NONE; n],
            markers: vec![Load::NONE; part.markers.len()],
            joints: vec![crate::model::JointLoad::NONE; part.joints.len()],
            slides: vec![crate::model::JointLoad::NONE; part.joints.len()],
            motions: vec![None; n],
        };
        let state = State {
            time: 0.0,
            time_rest: 0.0,
            bodies: part.model.bodies.iter().map(super::initial_state).collect(),
            lambda: vec![0.0; system.multipliers()],
            coordinates: vec![0.0; part.joints.len()],
            drives: vec![[[0.0; 3]; 2]; part.joints.len()],
            reactions: Vec::new(),
        };
        let mut workspace = Workspace::new(n, system.multipliers());
        let hydrodynamics = vec![Hydrodynamics::default(); n];
        let mut callbacks = Callbacks::default();
        part.take_callbacks(host, &mut callbacks);
        // Room for all that will be asked: steps do not allocate.
        workspace.callbacks.follow(&callbacks, &system.ids);
        Entity { part, state, system, workspace, loads, hydrodynamics, callbacks, multipliers }
    }

    /// Takes what stays the same over a host step: coefficients, callbacks, and coordinates to count angles from.
    pub fn begin(&mut self, hydrodynamics: &[Hydrodynamics], callbacks: &Callbacks, coordinates: &[f64]) {
        for (local, body) in self.part.bodies[..self.part.own].iter().enumerate() {
            self.hydrodynamics[local] = hydrodynamics[*body];
        }
        self.part.take_callbacks(callbacks, &mut self.callbacks);
        for (own, joint) in self.state.coordinates.iter_mut().zip(&self.part.joints) {
            *own = coordinates[*joint];
        }
    }

    /// Gives up what `begin` took from the host.
    pub fn end(&mut self, coordinates: &mut [f64]) {
        self.callbacks.bodies.fill(None);
        self.callbacks.coupled.iter_mut().for_each(|callback| callback.function = None);
        for (own, joint) in self.state.coordinates.iter().zip(&self.part.joints) {
            coordinates[*joint] = *own;
        }
    }

    /// Takes what acts at one time; bodies that it touches move as its state says, unless their motion is imposed.
    pub fn see(&mut self, loads: &Loads) {
        for (local, body) in self.part.bodies.iter().enumerate() {
            if local < self.part.own {
                self.loads.bodies[local] = loads.bodies[*body];
            } else {
                let motion = loads.motions[*body].unwrap_or(self.state.bodies[local]);
                self.loads.motions[local] = Some(motion);
                self.state.bodies[local] = motion;
            }
        }
        for (own, marker) in self.loads.markers.iter_mut().zip(&self.part.markers) {
            *own = loads.markers[*marker];
        }
        for ((own, slide), joint) in self.loads.joints.iter_mut().zip(&mut self.loads.slides).zip(&self.part.joints) {
            (*own, *slide) = (loads.joints[*joint], loads.slides[*joint]);
        }
    }

    /// Accelerations of its bodies at its state and a time, into the state.
    pub fn accelerations(&mut self, time: f64) -> Result<(), Failure> {
        let Entity { system, state, workspace, loads, hydrodynamics, callbacks, .. } = self;
        let State { bodies, lambda, coordinates, .. } = state;
        let environment = Environment { time, loads, hydrodynamics, callbacks, coordinates };
        let outcome = system.accelerations(&environment, bodies, lambda, workspace);
        outcome.map_err(|failure| self.in_the_whole(failure))
    }

    /// Brings its state onto its constraints at a time, and follows its joints.
    pub fn project(
        &mut self,
        time: f64,
        project: impl Fn(&System, &Environment, &mut [BodyState], &mut Workspace) -> Result<u32, Failure>,
    ) -> Result<u32, Failure> {
        let Entity { system, state, workspace, loads, hydrodynamics, callbacks, .. } = self;
        let State { bodies, coordinates, .. } = state;
        let environment = Environment { time, loads, hydrodynamics, callbacks, coordinates };
        let outcome = project(system, &environment, bodies, workspace);
        self.system.follow_joints(&mut self.state, &self.loads);
        outcome.map_err(|failure| self.in_the_whole(failure))
    }

    /// A failure with the unknowns and bodies of the whole model.
    fn in_the_whole(&self, failure: Failure) -> Failure {
        let whole = |unknown: usize| match unknown.checked_sub(self.system.dofs()) {
            None => 6 * self.part.bodies[unknown / 6] + unknown % 6,
            Some(k) => self.multipliers.get(k).map_or(0, |k| self.part.whole_dofs + k),
        };
        match failure {
            Failure::Singular { unknown } => Failure::Singular { unknown: unknown.map(whole) },
            Failure::NotFinite { unknown, iterations } => Failure::NotFinite { unknown: whole(unknown), iterations },
            Failure::Diverged { unknown, iterations } => Failure::Diverged { unknown: whole(unknown), iterations },
            Failure::NoConvergence { iterations, error, unknown, energies } => {
                Failure::NoConvergence { iterations, error, unknown: whole(unknown), energies }
            }
            Failure::Callback { body, code } => Failure::Callback { body: self.part.bodies[body], code },
            other => other,
        }
    }
}
