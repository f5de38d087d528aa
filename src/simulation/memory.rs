//! Upper bounds of the memory that calls need: the C API reserves it before a call begins, so that
//! the call itself cannot run out of memory (`crate::reserve`).
//!
//! The numbers are measured bounds, not sizes of types: `tests/memory/out_of_memory` compares them
//! with the memory of calls on chains, loops, meshes of springs and coupled loads of several sizes.

use super::Simulation;
use super::moordyn_water::WATER_FILES;
use super::views::Memory;
use crate::elements::Curve;
use crate::model::{EntityKind, Id};
use crate::scheme::Scheme;
use std::path::Path;

/// Kinds of calls by their use of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// A step: nothing, after the first step of the scheme in use.
    Step,
    /// Copies of states.
    Copy,
    /// A clone of everything, in phase BUILDING also of the model.
    Clone,
    /// Copies of the description, and its text; a line is one entity, whatever the number of its
    /// segments.
    Description,
    /// Copies of the model, its assembly and factorisation.
    Model,
    /// Dense matrices over all unknowns, and additional columns.
    Matrices {
        /// Right-hand sides, outputs.
        columns: usize,
    },
    /// The same and all modes.
    Modes,
    /// Solutions with the matrix of a step.
    Solutions {
        /// Right-hand sides.
        columns: usize,
    },
}

/// Bytes of any call, whatever the model.
const BASE: usize = 48 << 10;

/// Bytes per body, joint and other entity for copies of states.
const COPY: [usize; 3] = [6 << 10, 2 << 10, 1 << 10];

/// Bytes per body, joint and other entity for everything that grows linearly with the model.
const MODEL: [usize; 3] = [40 << 10, 48 << 10, 16 << 10];

/// Bytes per node of a line, for copies of states and for everything.
const NODE: [usize; 2] = [2 << 10, 16 << 10];

/// Dense matrices over the bodies of a coupled load callback, which couples all of them.
const COUPLED: usize = 48;

/// Numbers of dense matrices over velocities at one time, of those over velocities and constraints,
/// and of those over the states of free motions for all modes; and of columns of solutions.
/// all modes take; columns of solutions.
const MATRICES: usize = 10;
const JACOBIANS: usize = 4;
const SPECTRA: usize = 64;
const SOLUTIONS: usize = 16;

/// Bytes per byte of a force element's own size: mostly its text in a model file, and the growth of
/// that.
const PER_OWN: usize = 8;

/// Bytes per byte of a model file.
const PER_TEXT: usize = 128;

/// Bytes per component of waves, sample of a record, or node of a current; and for the tables of a
/// spectrum.
const WAVE: usize = 512;
const SPECTRUM: usize = 512 << 10;

/// Bytes per byte of a file of waves or currents: its words, with their places, and its numbers.
const PER_WORD: usize = 32;

/// Bytes per station and per element of a beam.
const STATION: usize = 4 << 10;
const BEAM_ELEMENT: usize = 16 << 10;

/// Bytes for the tables that a file names, inputs over time or those of MoorDyn: thousands of rows.
const TABLES: usize = 4 << 20;

/// Bytes of a file; 0 if it does not exist.
fn length(path: &Path) -> usize {
    std::fs::metadata(path).map_or(0, |file| usize::try_from(file.len()).unwrap_or(usize::MAX))
}

impl Simulation {
    /// Bytes of a call with a number of elements in dense arrays; 0 for None.
    fn dense_memory(&self, numbers: Option<usize>) -> usize {
        let dense = |numbers: usize| numbers.saturating_mul(size_of::<f64>());
        numbers.map_or(0, |numbers| Memory::of(self).working(Work::Model).saturating_add(dense(numbers)))
    }

    /// The state on which the memory of a step depends beside the model.
    pub(super) fn preparation(&self) -> (Scheme, bool) {
        (self.inputs.scheme, self.inputs.settings.linear())
    }
}

impl Memory<'_> {
    /// An upper bound of the bytes that a call allocates at one time.
    pub fn working(self, work: Work) -> usize {
        let nodes = self.0.model.lines.iter().map(|line| line.segments + 1).fold(0, usize::saturating_add);
        let linear = |[body, joint, other]: [usize; 3], node: usize| {
            let count = |kind| self.0.description().count(kind) as usize;
            let others = EntityKind::FORCES.map(count).iter().sum::<usize>()
                + [EntityKind::Marker, EntityKind::Line, EntityKind::LineType].map(count).iter().sum::<usize>();
            let joints = count(EntityKind::Joint) + count(EntityKind::Gear) + count(EntityKind::Clutch);
            let lines = nodes.saturating_mul(node);
            let water = &self.0.inputs.water;
            let currents = water.current_grid.as_ref().map_or(0, |grid| grid.points().len());
            let waves = WAVE.saturating_mul(self.0.given().waves().len() + currents);
            lines.saturating_add(waves).saturating_add(
                BASE + body * (count(EntityKind::Body) + count(EntityKind::Point)) + joint * joints + other * others,
            )
        };
        let dense = |side: usize, count: usize| side.saturating_mul(side).saturating_mul(count * size_of::<f64>());
        let model = |node: usize| {
            let coupled = self.0.callbacks.active().map(|set| dense(6 * set.bodies.len(), COUPLED));
            let own = self.0.model.elements.iter().map(|element| element.memory().saturating_mul(PER_OWN));
            let tables = self.0.model.line_types.iter().flat_map(|one| [&one.tension, &one.damping]).flatten();
            let tables = tables.map(|table| (16 * table.x.len()).saturating_mul(PER_OWN));
            let beams = self.0.model.beams.iter().map(|beam| beam.memory().saturating_mul(PER_OWN));
            let series = std::iter::once(self.0.series_numbers().saturating_mul(PER_OWN * size_of::<f64>()));
            coupled.chain(own).chain(tables).chain(beams).chain(series).fold(linear(MODEL, node), usize::saturating_add)
        };
        let (description, model) = (|| model(0), || model(NODE[1]));
        match work {
            Work::Step => match self.0.run.as_deref() {
                Some(run) if run.workroom.steps().is_some_and(|w| w.prepared == Some(self.0.preparation())) => 0,
                _ => model(),
            },
            Work::Copy => linear(COPY, NODE[0]),
            Work::Clone if self.0.run.is_some() => linear(COPY, NODE[0]),
            Work::Clone | Work::Description => description(),
            Work::Model => model(),
            Work::Matrices { columns } => {
                let [dofs, constraints, _] = self.unknowns(nodes);
                let jacobians = dofs.saturating_mul(constraints).saturating_mul(JACOBIANS * size_of::<f64>());
                model().saturating_add(dense(dofs.saturating_add(columns), MATRICES)).saturating_add(jacobians)
            }
            Work::Modes => {
                let [dofs, _, freedoms] = self.unknowns(nodes);
                let shapes = dofs.saturating_mul(freedoms).saturating_mul(SOLUTIONS * size_of::<f64>());
                let matrices = self.working(Work::Matrices { columns: 0 });
                matrices.saturating_add(dense(freedoms, SPECTRA)).saturating_add(shapes)
            }
            Work::Solutions { columns } => {
                let [dofs, ..] = self.unknowns(nodes);
                let numbers = dofs.saturating_add(columns).saturating_mul(columns);
                model().saturating_add(numbers.saturating_mul(SOLUTIONS * size_of::<f64>()))
            }
        }
    }

    /// Velocities, constraints, and free velocities; upper bounds before `initialize`.
    fn unknowns(self, nodes: usize) -> [usize; 3] {
        if let Some(run) = self.0.run.as_deref() {
            let (system, constraints) = (&run.system, run.system.multipliers());
            return [system.dofs(), constraints, system.nodes().free_dofs().saturating_sub(constraints)];
        }
        let count = |kind| self.0.description().count(kind) as usize;
        let points = count(EntityKind::Point).saturating_add(nodes);
        let dofs = 6 * count(EntityKind::Body) + points.saturating_mul(3);
        [dofs, 6 * count(EntityKind::Joint) + count(EntityKind::Gear), dofs]
    }

    /// The same for choosing a scheme, or an option, by name: the history of the new scheme, if it
    /// is of another kind. 0 for names that are refused.
    pub fn choice(self, scheme: Option<&str>, option: Option<(&str, f64)>) -> usize {
        let mut settings = self.0.inputs.settings.clone();
        let chosen = scheme.map_or(Ok(self.0.inputs.scheme), Scheme::from_name);
        let set = option.map_or(Ok(()), |(key, value)| settings.set(key, value));
        let present = self.0.run.as_ref().map(|run| run.accepted.history.past.shape());
        match (chosen, set, present) {
            (Ok(scheme), Ok(()), Some(present)) if scheme.shape(&settings) != present => self.working(Work::Copy),
            _ => 0,
        }
    }

    /// The same for the reaction of a joint: the first one in a loop with redundant constraints
    /// allocates memory that later ones reuse. 0 for a bad id.
    pub fn reaction(self, joint: Id) -> usize {
        let joint = usize::try_from(joint).unwrap_or(usize::MAX);
        self.0.dense_memory(
            self.0.run.as_deref().and_then(|run| run.system.joints().reaction_numbers(joint, &run.sharing)),
        )
    }

    /// The same for names of channels: their table, which exists from `initialize` on.
    pub fn channel_table(self) -> usize {
        let description = self.0.description();
        let entities = || EntityKind::ALL.iter().map(|kind| description.count(*kind) as usize).sum::<usize>();
        // One number each, in a list and its copy.
        if self.0.run.is_some() { 0 } else { (entities() + 1) * 2 * size_of::<usize>() }
    }

    /// The same for the values of all channels, the reactions of all joints among them.
    pub fn channels(self) -> usize {
        self.0
            .dense_memory(self.0.run.as_deref().and_then(|run| run.system.joints().all_reaction_numbers(&run.sharing)))
    }

    /// The same for the table of a spring of so many points, including intermediate copies.
    pub fn spring_table(points: usize) -> usize {
        Curve::memory(points).saturating_mul(2)
    }

    /// The same for a grid of the seabed with so many nodes, including intermediate copies.
    pub fn seabed_grid(nodes: usize) -> usize {
        // Rows, axes with two changes per node, depths.
        BASE.saturating_add(nodes.saturating_mul(12 * size_of::<f64>()))
    }

    /// The same for a grid of currents with so many nodes, including intermediate copies.
    pub fn current_grid(self, nodes: usize) -> usize {
        // Rows, axes, velocities, and the motion of the water at all places in the next step.
        self.water().saturating_add(BASE).saturating_add(nodes.saturating_mul(24 * size_of::<f64>()))
    }

    /// The same for adding a beam of so many stations and elements.
    pub fn beam(stations: usize, elements: usize) -> usize {
        BASE.saturating_add(stations.saturating_mul(STATION)).saturating_add(elements.saturating_mul(BEAM_ELEMENT))
    }

    /// The same for setting waves of so many components, or of a record of so many samples.
    pub fn waves(self, numbers: usize) -> usize {
        self.water().saturating_add(SPECTRUM).saturating_add(numbers.saturating_mul(WAVE))
    }

    /// The same for the motion of the water at so many places.
    pub fn water_motion(self, places: usize) -> usize {
        BASE.saturating_add((places + self.0.given().waves().len()).saturating_mul(WAVE))
    }

    /// The same for a statistic: only the longest stable step needs memory.
    pub fn statistic(self, key: &str) -> usize {
        if key == "stable_step" { self.working(Work::Model) } else { 0 }
    }

    /// The same for reading a model file, with its tables in other files; for tables alone if it
    /// does not exist, which the reading reports.
    pub fn model_file(path: &Path) -> usize {
        length(path).saturating_mul(PER_TEXT).saturating_add(TABLES)
    }

    /// The same for an input file of MoorDyn, with its tables in other files.
    pub fn moordyn(path: &Path) -> usize {
        let of_water = |name: &str| length(&path.with_file_name(name)).saturating_mul(PER_WORD);
        WATER_FILES.into_iter().map(of_water).fold(Memory::model_file(path), usize::saturating_add)
    }
}
