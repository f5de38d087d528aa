//! How long the steps of an explicit scheme may be: estimated from the roots of each entity's springs, bushings, dampers
//! and masses.
//!
//! Entities are looked at one by one, at the initial poses and at rest, without gravity and prestress, ropes taut, all
//! other bodies held. What a neighbour of finite mass adds to the frequency of a shared spring, `k/m (1 + m/M)`, is
//! added as for two bodies, M at least m.

use super::{Run, Simulation};
use crate::analysis::{linearization, modes};
use crate::model::{BodyLoadFn, EntityKind, Hydrodynamics, Load, Loads, Model};
use crate::scheme::{Entities, Scheme, multiple, smooth, stability};
use crate::spatial::Vec6;
use crate::system::{BodyState, Environment, Part, System, initial_state, split};
use nalgebra::Complex;

/// What is known of stable steps, and what it follows from.
#[derive(Clone)]
pub(super) struct StableSteps {
    scheme: Scheme,
    hydrodynamics: Vec<Hydrodynamics>,
    /// One per entity.
    limits: Vec<f64>,
}

impl StableSteps {
    /// The shortest.
    fn least(&self) -> f64 {
        self.limits.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

impl Simulation {
    /// The longest stable step of the scheme on this model; infinite where it is not explicit, or nothing limits it.
    pub(super) fn stable_step(&self) -> f64 {
        match self.run.as_deref().and_then(|run| run.stable.as_ref()).filter(|known| self.is_current(known)) {
            Some(known) => known.least(),
            None => self.estimate().least(),
        }
    }

    fn is_current(&self, known: &StableSteps) -> bool {
        known.scheme == self.inputs.scheme && known.hydrodynamics == self.inputs.hydrodynamics
    }

    /// Makes sure that the run knows the stable steps where a step of `dt` needs them, and plans it: the longest internal
    /// step, and for local time stepping the entities. Returns that step.
    pub(super) fn plan_internal_steps(&mut self, dt: f64) -> f64 {
        let longest = self.inputs.settings.max_time_step();
        let scheme = self.inputs.scheme;
        if !scheme.is_explicit() || (longest.is_finite() && !scheme.is_local()) {
            return longest;
        }
        let known = self.run.as_deref().and_then(|run| run.stable.as_ref()).is_some_and(|known| self.is_current(known));
        let found = if known { None } else { Some(self.estimate()) };
        let cfl = self.inputs.settings.cfl();
        let Some(run) = self.run.as_deref_mut() else { return longest };
        if found.is_some() {
            run.stable = found;
        }
        let least = run.stable.as_ref().map_or(f64::INFINITY, StableSteps::least);
        match (longest.is_finite(), scheme.is_local()) {
            (true, _) => longest,
            (false, false) => cfl * least,
            (false, true) => {
                let ticks = (dt / (cfl * least) * (1.0 - 1e-12)).ceil();
                // Beyond any sensible number the step is refused anyway.
                if ticks > 1.0 && ticks < 1e9 { dt / smooth(ticks as usize) as f64 } else { cfl * least }
            }
        }
    }

    /// Roots of every entity, as limits of the scheme.
    fn estimate(&self) -> StableSteps {
        let limit = |part: &Part| {
            let heavier = self.coupling(part);
            let roots = self.roots(part).unwrap_or_default();
            roots
                .into_iter()
                .map(|root| stability::longest_step(self.inputs.scheme, stiffened(root, heavier)))
                .fold(f64::INFINITY, f64::min)
        };
        StableSteps {
            scheme: self.inputs.scheme,
            hydrodynamics: self.inputs.hydrodynamics.clone(),
            limits: if self.inputs.scheme.is_explicit() {
                split(&self.model).iter().map(limit).collect()
            } else {
                Vec::new()
            },
        }
    }

    /// `1 + m/M`, M the mass of the lightest free body that an entity of mass m touches, at least m.
    fn coupling(&self, part: &Part) -> f64 {
        let mass = |body: &usize| self.model.bodies[*body].inertia.mass;
        let own: f64 = part.bodies[..part.own].iter().map(mass).sum();
        let touched = part.bodies[part.own..].iter().filter(|body| !self.model.bodies[**body].prescribed);
        touched.map(|body| 1.0 + own / mass(body).max(own)).filter(|x| x.is_finite()).fold(1.0, f64::max)
    }

    /// Eigenvalues of an entity at rest.
    fn roots(&self, part: &Part) -> Option<Vec<Complex<f64>>> {
        let model = at_rest(&part.model);
        let mut system = System::new(&model);
        system.set_ids(part.bodies.iter().map(|body| *body as i32).collect());
        let bodies: Vec<BodyState> = model.bodies.iter().map(initial_state).collect();
        let own = |local: usize, body: &usize| (local < part.own).then_some(*body);
        let hydrodynamics: Vec<Hydrodynamics> = part
            .bodies
            .iter()
            .enumerate()
            .map(|(local, body)| {
                own(local, body).map_or(Hydrodynamics::default(), |body| self.inputs.hydrodynamics[body])
            })
            .collect();
        let callbacks: Vec<Option<BodyLoadFn>> = part
            .bodies
            .iter()
            .enumerate()
            .map(|(local, body)| own(local, body).and_then(|body| self.callbacks.get(body).cloned().flatten()))
            .collect();
        let loads = Loads {
            bodies: vec![Load::NONE; model.bodies.len()],
            markers: vec![Load::NONE; model.count(EntityKind::Marker)],
            joints: vec![crate::model::JointLoad::NONE; model.joints.len()],
            motions: vec![None; model.bodies.len()],
        };
        let coordinates = vec![0.0; model.joints.len()];
        let time = self.run.as_deref().map_or(0.0, |run| run.initial.time);
        let environment = Environment {
            time,
            loads: &loads,
            hydrodynamics: &hydrodynamics,
            callbacks: &callbacks,
            coordinates: &coordinates,
        };
        let site = linearization::Site { system: &system, environment, bodies: &bodies };
        let linear = linearization::linearize(&site, &[], &[]).ok()?;
        modes::roots(&system, &linear).ok()
    }
}

impl Run {
    /// Gives every entity the longest step that divides the host's and is stable.
    pub(super) fn plan_entities(&mut self, model: &Model, cfl: f64, dt: f64, ticks: usize) {
        let Run { memory, system, accepted, base_loads, stable, .. } = self;
        let entities =
            memory.entities.get_or_insert_with(|| Box::new(Entities::new(model, system, accepted, base_loads)));
        let limits = stable.iter().flat_map(|stable| stable.limits.iter());
        let delta = dt / ticks as f64;
        entities.set_multiples(limits.map(|limit| multiple(ticks, cfl * limit / delta)));
    }
}

/// A root where stiffness and damping are larger by a factor.
fn stiffened(root: Complex<f64>, factor: f64) -> Complex<f64> {
    if root.im == 0.0 {
        return root * factor;
    }
    let (frequency, damping) = (root.norm() * factor.sqrt(), (-root.re / root.norm() * factor.sqrt()).min(1.0));
    Complex::new(-damping, (1.0 - damping * damping).sqrt()) * frequency
}

/// The model at rest, without gravity and prestress of springs, ropes taut.
fn at_rest(model: &Model) -> Model {
    let mut model = model.clone();
    model.gravity = Default::default();
    model.bodies.iter_mut().for_each(|body| body.velocity = Vec6::zeros());
    let end = |body: Option<usize>, point: &crate::spatial::Vec3| {
        body.map_or(*point, |body| model.bodies[body].pose.position + model.bodies[body].pose.rotation * point)
    };
    let lengths: Vec<f64> =
        model.springs.iter().map(|s| (end(s.body_b, &s.point_b) - end(s.body_a, &s.point_a)).norm()).collect();
    for (spring, length) in model.springs.iter_mut().zip(lengths) {
        spring.tension_only = false;
        spring.rest_length = length;
    }
    model
}
