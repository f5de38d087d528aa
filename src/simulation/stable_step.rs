//! Stable steps of explicit schemes, estimated from the roots of each entity's force elements,
//! dampers and masses.
//!
//! Entities are examined one by one, at the initial poses and at rest, without gravity and
//! prestress, ropes taut, all other bodies held; not at all if they cannot have a root. Large ones
//! are bounded by representative roots (`analysis/spectrum.rs`), on the safe side: undamped, or
//! with damping in proportion to stiffness, these are exact up to 2 %. A neighbour of finite mass
//! increases the frequency of a shared spring to `k/m (1 + m/M)`; this factor is applied as for two
//! bodies, M at least m.
//!
//! Local steps of different lengths excite each other: let a stiffness k tie an entity of mass M to
//! one of mass m that has a mode (w, zeta). With steps H the first entity responds to that mode
//! with a relative error of k/M H^2, and k/(m w^2) of this error excites the mode. So H is limited
//! to steps that resolve the mode, or for which the product is below its damping.

use super::{Run, Simulation};
use crate::analysis::{linearization, modes, spectrum};
use crate::elements::coordinate_spring::CoordinateSpring;
use crate::elements::{Attachment, End};
use crate::model::{Callbacks, EntityKind, Hydrodynamics, Joint, JointSpring, Load, Loads, Model, PointLoad, Water};
use crate::scheme::{Entities, Scheme, Workplace, multiple, smooth, stability};
use crate::spatial::{Vec3, Vec6};
use crate::system::{Environment, Part, Progress, System, split};
use nalgebra::Complex;
use std::collections::{BTreeMap, BTreeSet};

/// Phase of a neighbour's mode in a step at the limit: at the default `cfl`, half of it, 5 steps
/// per period.
const RESOLVED: f64 = 2.4;

/// Least damping ratio of such a mode: an undamped mode may grow by 0.3 % per period.
const GROWTH: f64 = 1e-3;

/// Most unknowns of an entity for which all roots are computed, with dense matrices: six or seven
/// jointed bodies, in the time of some ten evaluations.
const ALL_ROOTS: usize = 80;

/// Stable steps, and the inputs to which they belong.
#[derive(Clone)]
pub(super) struct StableSteps {
    scheme: Scheme,
    hydrodynamics: Vec<Hydrodynamics>,
    water: Water,
    /// The shortest of tendons, as part of its described length.
    part: f64,
    /// One per entity.
    limits: Vec<f64>,
    /// One per line, preceded by its length.
    lines: Vec<[f64; 2]>,
}

impl StableSteps {
    /// The shortest.
    fn least(&self) -> f64 {
        shortest(self.limits.iter().copied()).min(shortest(self.lines.iter().map(|[_, step]| *step)))
    }
}

fn shortest(steps: impl Iterator<Item = f64>) -> f64 {
    steps.fold(f64::INFINITY, f64::min)
}

impl Simulation {
    /// The longest stable step of the scheme on this model; infinite if it is not explicit, or if
    /// there is no limit.
    pub(super) fn stable_step(&self) -> f64 {
        let Some(run) = self.run.as_deref() else { return self.estimate(0.0).least() };
        let lines = self.steps_of_lines(run, self.planned_lengths(run, 0.0));
        let of_entities = match run.stable.as_ref().filter(|known| self.is_current(known, 0.0)) {
            Some(known) => shortest(known.limits.iter().copied()),
            None => shortest(self.estimate(0.0).limits.into_iter()),
        };
        of_entities.min(shortest(lines.into_iter().map(|[_, step]| step)))
    }

    /// Whether entities take steps of their own.
    pub(super) fn has_local_steps(&self) -> bool {
        let Simulation { model, callbacks, inputs, .. } = self;
        inputs.scheme.has_local_steps([model.lines.len(), model.gears.len()], callbacks, &inputs.water)
    }

    fn is_current(&self, known: &StableSteps, dt: f64) -> bool {
        known.scheme == self.inputs.scheme
            && known.part == self.shortest_tendon(dt)
            && known.hydrodynamics == self.inputs.hydrodynamics
            && known.water == self.inputs.water
    }

    /// Computes the stable steps if a step of `dt` needs them, and plans it: the longest internal
    /// step, and for local time stepping the entities. Returns that step.
    pub(super) fn plan_internal_steps(&mut self, dt: f64) -> f64 {
        let longest = self.inputs.settings.max_time_step();
        let (scheme, is_local) = (self.inputs.scheme, self.has_local_steps());
        if !scheme.is_explicit() || (longest.is_finite() && !is_local) {
            return longest;
        }
        let known =
            self.run.as_deref().and_then(|run| run.stable.as_ref()).is_some_and(|known| self.is_current(known, dt));
        let found = if known { None } else { Some(self.estimate(dt)) };
        let lines = self.run.as_deref().and_then(|run| {
            let told_for = run.stable.as_ref()?.lines.iter().map(|[length, _]| *length);
            let stale = known && !told_for.eq(self.planned_lengths(run, dt));
            stale.then(|| self.steps_of_lines(run, self.planned_lengths(run, dt)))
        });
        let cfl = self.inputs.settings.cfl();
        let Some(run) = self.run.as_deref_mut() else { return longest };
        if found.is_some() {
            run.stable = found;
        }
        if let (Some(known), Some(lines)) = (&mut run.stable, lines) {
            known.lines = lines;
        }
        let least = run.stable.as_ref().map_or(f64::INFINITY, StableSteps::least);
        match (longest.is_finite(), is_local) {
            (true, _) => longest,
            (false, false) => cfl * least,
            (false, true) => {
                let ticks = (dt / (cfl * least) * (1.0 - 1e-12)).ceil();
                // Larger numbers are refused anyway.
                let most = self.inputs.settings.max_substeps();
                if !(ticks > 1.0 && ticks <= most) {
                    return cfl * least;
                }
                let smoothed = smooth(ticks as usize) as f64;
                dt / if smoothed <= most { smoothed } else { ticks }
            }
        }
    }

    /// Limits of the scheme for every entity, and for lines with their lengths in a step of `dt`.
    fn estimate(&self, dt: f64) -> StableSteps {
        let (scheme, shortest_tendon) = (self.inputs.scheme, self.shortest_tendon(dt));
        let parts = if scheme.is_explicit() { split(&self.model, &self.callbacks) } else { Vec::new() };
        let roots: Vec<Vec<Complex<f64>>> = parts
            .iter()
            .map(|part| {
                let heavier = self.coupling(part);
                let roots = self.roots(part, shortest_tendon).unwrap_or_default();
                roots.into_iter().map(|root| stiffened(root, heavier)).collect()
            })
            .collect();
        let own = roots.iter().map(|roots| shortest(roots.iter().map(|root| stability::longest_step(scheme, *root))));
        let mut limits: Vec<f64> = own.collect();
        if self.has_local_steps() {
            for ((k, other), stiffness) in self.ties(&parts) {
                let feed = stiffness * stiffness / (parts[k].mass() * parts[other].mass());
                for (own, other) in [(k, other), (other, k)] {
                    limits[own] = limits[own].min(shortest(roots[other].iter().map(|root| unexcited(*root, feed))));
                }
            }
        }
        StableSteps {
            scheme,
            hydrodynamics: self.inputs.hydrodynamics.clone(),
            water: self.inputs.water.clone(),
            part: shortest_tendon,
            limits,
            lines: self
                .run
                .as_deref()
                .map_or(Vec::new(), |run| self.steps_of_lines(run, self.planned_lengths(run, dt))),
        }
    }

    /// Stiffness of the elements between each two entities.
    fn ties(&self, parts: &[Part]) -> BTreeMap<(usize, usize), f64> {
        let mut of_body = vec![None; self.model.bodies.len()];
        let mut of_point = vec![None; self.model.points.len()];
        for (k, part) in parts.iter().enumerate() {
            part.own_bodies().iter().for_each(|body| of_body[*body] = Some(k));
            part.own_points().for_each(|point| of_point[point] = Some(k));
        }
        let entity = |end: &Attachment| match end.to {
            End::Ground => None,
            End::Body(body) => of_body[body],
            End::Point(point) => self.model.points[point].body().map_or(of_point[point], |body| of_body[body]),
        };
        let elements = self.model.elements.iter().map(|element| (element.nodes(), element.stiffness()));
        let mut ties = BTreeMap::new();
        for (nodes, stiffness) in elements.filter(|(_, stiffness)| *stiffness > 0.0) {
            let touched: BTreeSet<usize> = nodes.iter().filter_map(entity).collect();
            for a in &touched {
                for b in touched.range(a + 1..) {
                    *ties.entry((*a, *b)).or_insert(0.0) += stiffness;
                }
            }
        }
        ties
    }

    /// `1 + m/M`, M the mass of the lightest free body that an entity of mass m touches, at least
    /// m.
    fn coupling(&self, part: &Part) -> f64 {
        let mass = |body: &usize| self.model.bodies[*body].inertia.mass;
        let own = part.mass();
        let touched = part.touched_bodies().iter().filter(|body| !self.model.bodies[**body].prescribed);
        let points = part.touched_points().map(|point| &self.model.points[point]).filter(|point| point.is_free());
        let masses = touched.map(mass).chain(points.map(|point| point.mass));
        masses.map(|mass| 1.0 + own / mass.max(own)).filter(|x| x.is_finite()).fold(1.0, f64::max)
    }

    /// Whether an entity has anything with stiffness or damping.
    fn has_roots(&self, part: &Part) -> bool {
        let of_body =
            |body: &usize| self.inputs.hydrodynamics[*body].linear_damping.is_some() || self.callbacks.concern(*body);
        let model = &part.model;
        model.elements.iter().next().is_some()
            || model.joints.iter().any(Joint::has_springs)
            || part.own_bodies().iter().any(of_body)
    }

    /// The least damping per stiffness of an entity, `model` it at rest; zero unless every element
    /// with stiffness has damping.
    fn damping_per_stiffness(&self, part: &Part, model: &Model) -> f64 {
        if part.own_bodies().iter().any(|body| self.callbacks.concern(*body)) {
            return 0.0;
        }
        let elements = model.elements.iter().filter_map(|element| element.damping_per_stiffness());
        let joints = model.joint_springs().filter(|s| s.stiffness > 0.0).map(|s| s.damping / s.stiffness);
        let least = elements.chain(joints).fold(f64::INFINITY, f64::min);
        if least.is_finite() { least } else { 0.0 }
    }

    /// Eigenvalues of an entity at rest, or roots that bound them; its tendons shortened to a part
    /// of their lengths.
    fn roots(&self, part: &Part, shortened: f64) -> Option<Vec<Complex<f64>>> {
        if !self.has_roots(part) {
            return None;
        }
        let mut model = at_rest(&part.model);
        model.elements.tendons.iter_mut().for_each(|tendon| tendon.stiffness_ea /= shortened);
        let mut system = System::new(&model);
        system.adjust().set_ids(part.bodies.iter().map(|body| *body as i32).collect());
        let state = system.initial_state(&model);
        let own = |local: usize, body: &usize| part.is_own(local).then_some(*body);
        let hydrodynamics: Vec<Hydrodynamics> = part
            .bodies
            .iter()
            .enumerate()
            .map(|(local, body)| {
                own(local, body).map_or(Hydrodynamics::default(), |body| self.inputs.hydrodynamics[body])
            })
            .collect();
        let mut callbacks = Callbacks::default();
        part.take_callbacks(&self.callbacks, &mut callbacks);
        let loads = Loads {
            bodies: vec![Load::NONE; model.bodies.len()],
            markers: vec![Load::NONE; model.count(EntityKind::Marker)],
            beams: Vec::new(),
            joints: vec![crate::model::JointLoad::NONE; model.joints.len()],
            slides: vec![crate::model::JointLoad::NONE; model.joints.len()],
            motions: vec![None; model.bodies.len()],
            points: vec![PointLoad::NONE; model.points.len()],
            point_motions: vec![None; model.points.len()],
            lines: Vec::new(),
            clutches: Vec::new(),
        };
        let time = self.run.as_deref().map_or(0.0, |run| run.initial.time);
        let still = self.inputs.water.steady(time);
        let environment = Environment {
            time,
            loads: &loads,
            hydrodynamics: &hydrodynamics,
            water: &still,
            callbacks: &callbacks,
            progress: Progress::none(),
            form: None,
        };
        let site = linearization::Site { system: &system, environment, state: &state };
        let all = || modes::roots(&system, &linearization::linearize(&site, &[], &[], &Vec3::zeros()).ok()?).ok();
        let found = if system.dofs() + system.multipliers() > ALL_ROOTS { None } else { all() };
        found.or_else(|| spectrum::covering_roots(&site, self.damping_per_stiffness(part, &model)).ok())
    }
}

impl Run {
    /// Gives every entity the longest stable step that divides the host's step.
    pub(super) fn plan_entities(&mut self, model: &Model, callbacks: &Callbacks, cfl: f64, dt: f64, ticks: usize) {
        let Run { system, accepted, stable, workroom, .. } = self;
        let Workplace { memory, base_loads, .. } = workroom.for_steps(system, accepted);
        let entities = memory.entities.get_or_insert_with(|| {
            // About the origin of the run, whatever has changed since.
            let references = system.references();
            let placed = model.placed_from(references.origin(), !references.has_arms());
            Box::new(Entities::new(&placed, callbacks, system, accepted, base_loads))
        });
        let limits = stable.iter().flat_map(|stable| stable.limits.iter());
        let delta = dt / ticks as f64;
        entities.set_multiples(limits.map(|limit| multiple(ticks, cfl * limit / delta)));
    }
}

/// The longest step of an entity that does not excite a mode of a neighbour; `feed` is k^2/(m M).
fn unexcited(root: Complex<f64>, feed: f64) -> f64 {
    let size = root.norm();
    let damping = (-root.re / size).max(GROWTH);
    (RESOLVED / size).max((damping / feed).sqrt() * size)
}

/// A root with stiffness and damping multiplied by a factor.
fn stiffened(root: Complex<f64>, factor: f64) -> Complex<f64> {
    if root.im == 0.0 {
        return root * factor;
    }
    let (frequency, damping) = (root.norm() * factor.sqrt(), (-root.re / root.norm() * factor.sqrt()).clamp(-1.0, 1.0));
    Complex::new(-damping, (1.0 - damping * damping).sqrt()) * frequency
}

/// The model at rest, without gravity and prestress of force elements, ropes taut.
fn at_rest(model: &Model) -> Model {
    let mut model = model.clone();
    let gravity = std::mem::take(&mut model.gravity);
    model.bodies.iter_mut().for_each(|body| body.velocity = Vec6::zeros());
    model.points.iter_mut().for_each(|point| point.velocity = Vec3::zeros());
    let Model { bodies, elements, points, joints, .. } = &mut model;
    let on_body = |body: usize, at: &Vec3| bodies[body].pose.position + bodies[body].pose.rotation * at;
    let place = |end: &Attachment| match end.to {
        End::Ground => end.at,
        End::Body(body) => on_body(body, &end.at),
        End::Point(point) => {
            let point = &points[point];
            point.body().map_or(point.position, |body| on_body(body, &point.position))
        }
    };
    for Joint { spring, slide_spring, spring_tables, .. } in joints {
        for (spring, points) in [spring, slide_spring].into_iter().zip(spring_tables) {
            if let Ok(table) = CoordinateSpring::new(&std::mem::take(points)) {
                let relaxed = JointSpring { stiffness: 0.0, damping: 0.0, rest: table.free() };
                spring.get_or_insert(relaxed).stiffness += table.steepest();
            }
        }
    }
    for element in elements.iter_mut() {
        let places: Vec<Vec3> = element.nodes().iter().map(place).collect();
        element.relax(&places, &gravity);
    }
    model
}
