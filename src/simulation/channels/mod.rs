//! Outputs by name: a table of channels (name, unit, function) that is fixed from `initialize` on;
//! before, names and units are those of the model as described so far.
//!
//! Their order: those of the system, then entity by entity in the order of kinds and ids, then
//! OpenFAST's names for its platform, then MoorDyn's names. `columns` has the lists of each kind,
//! `labels` the labels of entities, `lines` the channels that depend on the segments of a line,
//! `named` those of MoorDyn. Only the first channel of each entity is stored; names are formatted
//! on request.

mod columns;
mod labels;
mod lines;
mod named;

use super::outputs::{check_count, finite};
use super::{Run, Simulation};
use crate::error::{Error, Result};
use crate::model::{EntityKind, GROUND, Id, LineLength, Model, Object, Output, Quantity};
use crate::phase::Phase;
use crate::scheme::Point;
use crate::simulation::clutches::Clutches;
use crate::simulation::machines::JointMachines;
use crate::simulation::views::{Given, HostSettings, OutputChannels};
use crate::spatial::{Pose, Vec6, convert, rotation};
use crate::system::{State, System, wrap};
use columns::{
    Columns, LINE, LineEnds, MOTION, Moving, Named, OPENFAST, Outputs, POINT, POINT_REACTION, REACTION, SLIDE,
    SLIDE_FORCE, SYSTEM, Whole,
};
use lines::Name;
use std::borrow::Cow;
use std::sync::Arc;

/// Kinds of entities that have channels, in the order of the table: force elements follow joints.
const KINDS: [EntityKind; 7 + EntityKind::FORCES.len()] = {
    let last = [EntityKind::Marker, EntityKind::Point, EntityKind::Gear, EntityKind::Line, EntityKind::Clutch];
    let mut kinds = [EntityKind::Body; 7 + EntityKind::FORCES.len()];
    kinds[1] = EntityKind::Joint;
    let mut k = 2;
    while k < kinds.len() {
        let place = k - 2;
        let forces = EntityKind::FORCES.len();
        kinds[k] = if place < forces { EntityKind::FORCES[place] } else { last[place - forces] };
        k += 1;
    }
    kinds
};

/// The first channel of each entity, then that of the platform; MoorDyn's are the last.
#[derive(Debug, Clone)]
pub(super) struct Channels {
    starts: Arc<[usize]>,
    count: usize,
}

impl Channels {
    /// Of a model.
    pub fn new(model: &Model) -> Channels {
        let mut next = SYSTEM.len();
        let entities = KINDS.into_iter().flat_map(|kind| (0..model.count(kind)).map(move |index| (kind, index)));
        let mut starts: Vec<usize> = Vec::with_capacity(KINDS.iter().map(|kind| model.count(*kind)).sum::<usize>() + 1);
        for (kind, index) in entities {
            starts.push(next);
            next += columns::lists(model, kind, index).map(Named::count).sum::<usize>();
            next += if kind == EntityKind::Line { lines::count(&model.lines[index]) } else { 0 };
        }
        starts.push(next);
        let platform = if model.openfast_platform.is_some() { OPENFAST.len() } else { 0 };
        Channels { starts: starts.into(), count: next + platform + model.outputs.len() }
    }

    /// A channel by its index in the table.
    fn find<'m>(&self, model: &'m Model, channel: usize) -> Option<Channel<'m>> {
        if channel < SYSTEM.len() {
            return SYSTEM.named(channel).map(|(name, unit)| Channel { entity: None, name: Name::Given(name), unit });
        }
        let mut place = self.starts.partition_point(|start| *start <= channel) - 1;
        let mut k = channel - self.starts[place];
        for kind in KINDS {
            if place < model.count(kind) {
                for list in columns::lists(model, kind, place) {
                    if let Some((name, unit)) = list.named(k) {
                        return Some(Channel { entity: Some((kind, place)), name: Name::Given(name), unit });
                    }
                    k -= list.count();
                }
                let line = if kind == EntityKind::Line { model.lines.get(place) } else { None };
                let (name, unit) = lines::named(line?, k)?;
                return Some(Channel { entity: Some((kind, place)), name, unit });
            }
            place -= model.count(kind);
        }
        if model.openfast_platform.is_some() {
            if let Some((name, unit)) = OPENFAST.named(k) {
                return Some(Channel { entity: None, name: Name::Given(name), unit });
            }
            k -= OPENFAST.len();
        }
        model.outputs.get(k).map(|output| Channel {
            entity: None,
            name: Name::Given(&output.name),
            unit: output.unit(),
        })
    }
}

/// The name of a channel.
struct Channel<'m> {
    /// The entity with the label; None for whole names.
    entity: Option<(EntityKind, usize)>,
    name: Name<'m>,
    unit: &'static str,
}

/// Receives the outputs of entities: first to check them, then for the host, which gets all of them
/// or none.
trait Sink {
    /// Whether angles are needed: they are finite if poses are.
    const ANGLES: bool;
    /// Takes the channels of one list, which start at `first`. Errors: one is not finite.
    fn put<T: Outputs>(&mut self, first: usize, list: &Columns<T>, outputs: &T) -> Result<()>;
    /// Takes one channel, which messages call `output`. Errors: it is not finite.
    fn put_one(&mut self, channel: usize, output: &'static str, value: f64) -> Result<()>;
}

struct Check;

impl Sink for Check {
    const ANGLES: bool = false;

    fn put<T: Outputs>(&mut self, _: usize, list: &Columns<T>, outputs: &T) -> Result<()> {
        list.check(outputs)
    }

    fn put_one(&mut self, _: usize, output: &'static str, value: f64) -> Result<()> {
        finite(output, [value]).map(drop)
    }
}

impl Sink for &mut [f64] {
    const ANGLES: bool = true;

    fn put<T: Outputs>(&mut self, first: usize, list: &Columns<T>, outputs: &T) -> Result<()> {
        list.write(outputs, &mut self[first..]);
        Ok(())
    }

    fn put_one(&mut self, channel: usize, _: &'static str, value: f64) -> Result<()> {
        self[channel] = value;
        Ok(())
    }
}

/// The source of the channels of a body or marker.
fn moving<S: Sink>(pose: Pose, velocity: Vec6, acceleration: Vec6) -> Moving {
    let angles = if S::ANGLES { convert::euler_zyx(&rotation::matrix(&pose.rotation)) } else { [0.0; 3] };
    Moving { pose: pose.to_array(), velocity, acceleration, angles }
}

fn of_body<S: Sink>(system: &System, state: &State, body: usize) -> Moving {
    let reference = system.references().state(body, &state.body(body));
    let Pose { position, rotation } = reference.pose();
    moving::<S>(Pose { position: position + system.references().origin(), rotation }, reference.v, reference.vdot)
}

/// The motion of the platform, its yaw the one nearest to the counted one.
fn of_platform<S: Sink>(system: &System, state: &State, body: usize) -> Moving {
    let mut platform = of_body::<S>(system, state, body);
    let [.., yaw] = &mut platform.angles;
    *yaw = state.yaw + wrap(*yaw - state.yaw);
    platform
}

impl Run {
    /// Counts the yaw of the platform over a step: the one of the trial that is nearest to the yaw
    /// at the start plus the mean angular velocity about z times the step. So no turn is lost where
    /// the platform makes several in one step.
    pub(super) fn count_yaw(&mut self, body: usize, dt: f64) {
        let at = |point: &Point| of_platform::<&mut [f64]>(&self.system, &point.state, body);
        let (from, to) = (at(&self.accepted), at(&self.trial));
        let near = from.angles[2] + 0.5 * dt * (from.velocity[5] + to.velocity[5]);
        self.trial.state.yaw = near + wrap(to.angles[2] - near);
    }
}

impl Simulation {
    /// The table of the run; in phase BUILDING a temporary one for the model so far.
    fn channel_table(&self) -> Result<Cow<'_, Channels>> {
        match self.phase {
            Phase::Building => Ok(Cow::Owned(Channels::new(&self.model))),
            _ => Ok(Cow::Borrowed(&self.readable()?.channels)),
        }
    }

    fn channel(&self, channel: i32) -> Result<Channel<'_>> {
        let channels = self.channel_table()?;
        let index = usize::try_from(channel).ok().filter(|index| *index < channels.count);
        index
            .and_then(|index| channels.find(&self.model, index))
            .ok_or_else(|| Error::bad_value("i", format!("{channel} is not one of the {} channels", channels.count)))
    }

    /// The outputs of all entities, each with its first channel.
    fn put_channels<S: Sink>(&self, energy: [f64; 2], sink: &mut S) -> Result<()> {
        let (run, point) = (self.readable()?, self.point()?);
        let (system, state) = (&run.system, &point.state);
        sink.put(0, &SYSTEM, &Whole { time: state.time, energy })?;
        // First channels of the entities in the order of the table.
        let starts = &run.channels.starts[..];
        let joints = self.model.bodies.len();
        let forces = joints + self.model.joints.len();
        let markers = forces + EntityKind::FORCES.map(|kind| self.model.count(kind)).iter().sum::<usize>();
        let points = markers + self.model.markers.len();
        let gears = points + self.model.points.len();
        let first_line = gears + self.model.gears.len();
        let clutches = first_line + self.model.lines.len();
        let platform = clutches + self.model.clutches.len();
        for (k, body) in self.model.bodies.iter().enumerate() {
            sink.put(starts[k], &MOTION, &of_body::<S>(system, state, k))?;
            if body.prescribed {
                let reaction = std::array::from_fn(|i| state.reactions[state.layout.unknown(k) + i]);
                sink.put(starts[k] + MOTION.len(), &REACTION, &reaction)?;
            }
        }
        for (k, joint) in self.model.joints.iter().enumerate() {
            let mut next = starts[joints + k];
            // What a broken joint does not have is 0.
            let acts = |force: &f64| if joint.is_broken { 0.0 } else { *force };
            if let Some((columns, load)) = joint.kind.coordinate().map(columns::of_coordinate) {
                sink.put(next, columns, &system.joints().coordinate(k, state).unwrap_or_default())?;
                sink.put(next + columns.len(), load, &acts(&point.loads.joints[k].force))?;
                next += columns.len() + load.len();
            }
            if joint.kind.has_slide() {
                sink.put(next, &SLIDE, &system.joints().slide(k, state).unwrap_or_default())?;
                next += SLIDE.len();
            }
            if joint.kind.has_free_slide() {
                sink.put(next, &SLIDE_FORCE, &acts(&point.loads.slides[k].force))?;
                next += SLIDE_FORCE.len();
            }
            for which in 0..2 {
                if let Some(columns) = columns::of_machine(joint, which) {
                    let of = JointMachines::of(self).at(system, state, k, which);
                    sink.put(next, columns, &[f64::from(of.mode), of.friction, of.stop, of.dissipated])?;
                    next += columns.len();
                }
            }
        }
        // Not joint by joint, because the reactions of a loop are computed together. They come
        // last.
        let mut outcome = Ok(());
        system.joints().for_each_reaction(state, &run.sharing, |joint, wrench| {
            if outcome.is_ok() {
                outcome = sink.put(starts[joints + joint + 1] - REACTION.len(), &REACTION, &(*wrench).into());
            }
        });
        outcome?;
        let elements =
            EntityKind::FORCES.into_iter().flat_map(|kind| (0..self.model.count(kind)).map(move |k| (kind, k)));
        for ((kind, k), start) in elements.zip(&starts[forces..]) {
            let (mut channel, mut outcome) = (*start, Ok(()));
            system.elements().outputs(kind, k, (state, &point.loads, &self.inputs.water), &mut |output, _, value| {
                if outcome.is_ok() {
                    outcome = sink.put_one(channel, output, value);
                }
                channel += 1;
            });
            outcome?;
        }
        for k in 0..self.model.markers.len() {
            let (velocity, acceleration, _) = system.markers().rates(k, state);
            sink.put(
                starts[markers + k],
                &MOTION,
                &moving::<S>(system.markers().pose(k, state), velocity, acceleration),
            )?;
        }
        for (k, point) in self.model.points.iter().enumerate() {
            sink.put(starts[points + k], &POINT, &system.nodes().point_motion(k, state).map(Into::into))?;
            if columns::has_reaction(point) {
                let first = state.layout.unknown(state.layout.point(k));
                let reaction: [f64; 3] = std::array::from_fn(|i| state.reactions[first + i]);
                sink.put(starts[points + k] + POINT.len(), &POINT_REACTION, &reaction)?;
            }
        }
        for k in 0..self.model.gears.len() {
            sink.put(starts[gears + k], columns::of_gear(&self.model, k), &system.gears().load(k, state))?;
        }
        for k in 0..self.model.clutches.len() {
            let of = Clutches::of(self).at(system, state, k);
            let numbers = [f64::from(of.mode), of.torque, of.slip_rate, of.dissipated];
            sink.put(starts[clutches + k], columns::of_clutch(&self.model, k), &numbers)?;
        }
        for (k, line) in self.model.lines.iter().enumerate() {
            let (LineLength { length, rate, .. }, segments) = (point.loads.lines[k], system.lines().segments(k));
            let tensions = [segments.start, segments.end - 1].map(|segment| state.lines.tensions[segment]);
            let means = [2 * k, 2 * k + 1].map(|mean| state.lines.means[mean]);
            let ends = LineEnds { length: [length, rate], tensions, means, forces: state.lines.end_forces[k] };
            sink.put(starts[first_line + k], &LINE, &ends)?;
            let first = starts[first_line + k] + LINE.len();
            for (k, tension) in state.lines.tensions[segments].iter().enumerate() {
                sink.put_one(first + k, "values", *tension)?;
            }
            for (k, node) in system.lines().nodes(k).enumerate() {
                let [position, ..] = system.nodes().motion(node, state);
                for (axis, x) in position.iter().enumerate() {
                    sink.put_one(first + line.segments + 3 * k + axis, "values", *x)?;
                }
            }
        }
        if let Some(body) = self.model.openfast_platform {
            sink.put(starts[platform], &OPENFAST, &of_platform::<S>(system, state, body).in_degrees())?;
        }
        let first = run.channels.count - self.model.outputs.len();
        for (k, output) in self.model.outputs.iter().enumerate() {
            sink.put_one(first + k, "values", self.named_value(system, state, output))?;
        }
        Ok(())
    }
}

impl HostSettings<'_> {
    /// Adds the channels of OpenFAST's module ElastoDyn for a floating platform (PtfmSurge to
    /// PtfmRAzi), which are those of `body` in I, angles in deg, PtfmYaw counted over turns; -1 for
    /// none. Phase BUILDING.
    pub fn set_openfast_platform(&mut self, body: Id) -> Result<()> {
        self.0.require_building()?;
        let platform = if body == GROUND { None } else { Some(self.0.model.index("body", EntityKind::Body, body)?) };
        self.0.model.openfast_platform = platform;
        Ok(())
    }
}

impl Given<'_> {
    /// The body of these channels, -1 for none. Any phase.
    pub fn openfast_platform(self) -> Id {
        self.0.model.openfast_platform.map_or(GROUND, |body| body as Id)
    }
}

impl OutputChannels<'_> {
    /// Number of channels. Any phase; in BUILDING for the model so far, like names and units.
    pub fn count(self) -> Result<i32> {
        Ok(i32::try_from(self.0.channel_table()?.count).unwrap_or(i32::MAX))
    }

    /// The name of a channel. No two are alike. Any phase.
    pub fn name(self, channel: i32) -> Result<String> {
        let Channel { entity, name, .. } = self.0.channel(channel)?;
        Ok(match entity {
            Some((kind, index)) => format!("{}.{name}", labels::label(&self.0.model, kind, index)),
            None => name.to_string(),
        })
    }

    /// The unit of a channel, as the SI symbol of its dimension. Any phase.
    pub fn unit(self, channel: i32) -> Result<&'static str> {
        Ok(self.0.channel(channel)?.unit)
    }

    /// The entity of a channel; None for those of the system and for whole names. Any phase.
    pub fn entity(self, channel: i32) -> Result<Option<(EntityKind, Id)>> {
        Ok(self.0.channel(channel)?.entity.map(|(kind, index)| (kind, index as Id)))
    }

    /// The part of a channel's name after the entity's label; otherwise the whole name. For callers
    /// that form names by rules of their own. Any phase.
    pub fn suffix(self, channel: i32) -> Result<String> {
        Ok(self.0.channel(channel)?.name.to_string())
    }

    /// The values of all channels, of the trial if one is pending, else of the accepted state: the
    /// results of the getters. Phase READY, TRIAL, FAILED. Errors: length unequal to the count; a
    /// number too large for a double.
    pub fn values(self, mut values: &mut [f64]) -> Result<()> {
        check_count(values.len(), self.0.readable()?.channels.count)?;
        let energy = self.0.outputs().energy()?.into();
        self.0.put_channels(energy, &mut Check)?;
        self.0.put_channels(energy, &mut values)
    }
}
