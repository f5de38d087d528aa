//! Counters and measures of a run, by key. They count work: restoring a state does not reset them.

use super::Simulation;
use super::outputs::finite;
use super::views::Outputs;
use crate::error::{Error, Result};
use crate::number::{Number, Rounded};
use crate::scheme::{EventCounts, Report};
use crate::system::Crossings;

/// Counters since `initialize`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Statistics {
    pub steps: u64,
    pub substeps: u64,
    pub iterations: u64,
    pub last_iterations: u32,
    pub factorizations: u64,
    pub rejected_steps: u64,
    pub not_converged_steps: u64,
    pub last_residual: f64,
    pub last_error: f64,
    pub last_residual_energies: [f64; 2],
    pub evaluations: u64,
    pub body_evaluations: u64,
    /// Events of friction and stops.
    pub events: EventCounts,
    /// Elements that changed branch in accepted steps.
    pub crossings: Crossings,
    /// The same in the trial.
    pub crossings_of_trial: Crossings,
    /// Internal steps made again because of their errors.
    pub rejected_by_error: u64,
    /// The estimated error of the last internal step, in tolerances.
    pub last_step_error: f64,
    /// The last step accepted without convergence.
    pub warning: Option<Unconverged>,
    /// Number of successive accepted steps, up to [`VARYING`], that changed the loads held by a
    /// scheme of higher order.
    pub varying: u32,
    /// How many accepted steps in a row, up to [`VARYING`], imposed a motion whose rates stay zero
    /// on an explicit or semi-implicit scheme.
    pub without_rates: u32,
}

/// Loads that change in so many successive steps vary with time; a load that changes now and then
/// jumps, and is rightly held.
const VARYING: u32 = 3;

/// A step that was accepted without convergence: its end and length, and the result of its
/// iteration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unconverged {
    time: f64,
    step: f64,
    iterations: u32,
    energies: Option<[f64; 2]>,
}

impl Statistics {
    /// Adds the cost of one internal step to `time`, or of a number of ticks of local time
    /// stepping.
    pub fn add(&mut self, report: &Report, ticks: usize, time: f64, step: f64) {
        self.substeps += ticks as u64;
        self.iterations += u64::from(report.iterations);
        self.last_iterations = report.iterations;
        self.factorizations += u64::from(report.factorizations);
        self.not_converged_steps += u64::from(!report.converged);
        self.last_residual = report.residual;
        self.last_error = report.error;
        self.last_residual_energies = report.energies.unwrap_or_default();
        self.evaluations += report.evaluations;
        self.body_evaluations += report.body_evaluations;
        self.crossings_of_trial.add(report.crossings);
        if !report.converged {
            let Report { iterations, energies, .. } = *report;
            self.warning = Some(Unconverged { time, step, iterations, energies });
        }
    }

    /// Adds the events of a step of the host.
    pub fn add_events(&mut self, EventCounts { events, tries, unlocated, last_unlocated, unsettled }: EventCounts) {
        self.events.events += events;
        self.events.tries += tries;
        self.events.unlocated += unlocated;
        self.events.last_unlocated = last_unlocated.or(self.events.last_unlocated);
        self.events.unsettled += unsettled;
    }
}

/// The keys of `pintle_get_statistic`.
pub const STATISTIC_KEYS: [&str; 27] = [
    "steps",
    "substeps",
    "iterations",
    "last_iterations",
    "factorizations",
    "rejected_steps",
    "not_converged_steps",
    "redundant_constraints",
    "dofs",
    "constraints",
    "last_residual",
    "last_error",
    "last_residual_energy_x",
    "last_residual_energy_r",
    "mobility",
    "evaluations",
    "body_evaluations",
    "stable_step",
    "events",
    "event_steps",
    "unlocated_events",
    "unsettled_events",
    "last_step_error",
    "suggested_step",
    "rejected_by_error",
    "crossings",
    "unresolved_snaps",
];

impl Simulation {
    /// Records whether the accepted step changed the loads, where that lowers the order of the
    /// scheme. Once they are known to vary, nothing more is compared.
    pub(super) fn note_held_loads(&mut self) {
        let (inputs, varying) = (&self.inputs, &mut self.statistics.varying);
        if *varying >= VARYING || inputs.settings.linear_inputs() || !inputs.scheme.is_of_high_order() {
            return;
        }
        let Some(run) = self.run.as_deref() else { return };
        let changed = !run.accepted.marks.loads_jump && !run.trial.loads.same_forces(&run.accepted.loads);
        *varying = if changed { *varying + 1 } else { 0 };
    }

    /// Records whether the accepted step imposed a motion without its rates, where the scheme
    /// follows these. Once that is known, nothing more is compared.
    pub(super) fn note_missing_rates(&mut self) {
        let count = &mut self.statistics.without_rates;
        if *count >= VARYING || self.inputs.scheme.is_newton() {
            return;
        }
        let Some(run) = self.run.as_deref().filter(|run| run.system.loading().imposes_motions()) else { return };
        *count = if run.trial.loads.moves_without_rates(&run.accepted.loads) { *count + 1 } else { 0 };
    }

    fn missing_rates(&self) -> Option<String> {
        let told = self.statistics.without_rates >= VARYING && !self.inputs.scheme.is_newton();
        told.then(|| {
            format!(
                "imposed positions change from step to step while their rates and accelerations are zero: {} takes forces from \
                 rates and accelerations; set these as well, or use generalized-alpha, which needs the positions alone",
                self.inputs.scheme
            )
        })
    }

    fn held_loads(&self) -> Option<String> {
        let told = self.statistics.varying >= VARYING
            && self.inputs.scheme.is_of_high_order()
            && !self.inputs.settings.linear_inputs();
        told.then(|| {
            format!(
                "loads change from step to step and are held over each (option \"input_order\" = 0): {} is of first order in them; \
                 \"input_order\" = 1, which lets them go linearly, is of second",
                self.inputs.scheme
            )
        })
    }

    fn unlocated(&self) -> Option<String> {
        let EventCounts { unlocated: count, last_unlocated, .. } = self.statistics.events;
        (count > 0).then(|| {
            let last = last_unlocated.map(|(kind, index)| format!(", the last one of {}", self.model.describe(kind, index)));
            format!(
                "{count} events of friction and stops were not located{}, because more than option \"max_events\" = {} came in \
                 one step or too many at one time: their modes changed at the ends of internal steps, which is of first order \
                 and may add energy",
                last.unwrap_or_default(),
                self.inputs.settings.events().0
            )
        })
    }

    fn unsettled(&self) -> Option<String> {
        let count = self.statistics.events.unsettled;
        (count > 0).then(|| {
            format!(
                "at {count} events of friction, stops and contacts the forces or impulses that hold them together had not settled \
                 after all sweeps over them: their balance there is not exact"
            )
        })
    }

    fn unconverged(&self) -> Option<String> {
        let s = &self.statistics;
        s.warning.map(|Unconverged { time, step, iterations, energies }| {
            let how = energies.map_or("the substeps grew".into(), |[x, theta]| {
                format!("residual energies {} of translations, {} of rotations", Rounded(x), Rounded(theta))
            });
            format!(
                "step to time {} (length {}) accepted without convergence after {iterations} iterations: {how}; {} such steps so \
                 far",
                Number(time),
                Number(step),
                s.not_converged_steps
            )
        })
    }
}

impl Outputs<'_> {
    /// Number of velocities: 6 per body, 3 per point and node of a line. Any phase.
    pub fn dofs(self) -> usize {
        let nodes: usize = self.0.model.lines.iter().map(|line| line.segments + 1).sum();
        6 * self.0.model.bodies.len() + 3 * (self.0.model.points.len() + nodes)
    }

    /// A statistic by key. Phase READY, TRIAL, FAILED. Errors: unknown key (the known ones are
    /// listed).
    ///
    /// `steps`: accepted host steps; `substeps`: internal steps that succeeded; `iterations`:
    /// Newton, or substeps of a semi-implicit scheme, in total; `last_iterations`: of the last
    /// internal step; `factorizations`; `rejected_steps`: trials thrown away (rejected, repeated or
    /// failed); `not_converged_steps`: internal steps accepted without convergence;
    /// `redundant_constraints`; `dofs`: velocity unknowns, 6 per body; `constraints`: independent
    /// ones; `mobility`: dofs of free bodies - constraints; `last_residual`: largest residual force
    /// at the last evaluation (moments over the model's length); `last_error`: last convergence
    /// measure, 1 at the limit (above it if the iteration ended at rounding level);
    /// `last_residual_energy_x`, `last_residual_energy_r`: square roots of the work of the
    /// residuals on the increments, of translations and of rotations, in the last Newton iteration
    /// (0 for schemes without); `evaluations`: of accelerations or of an iteration matrix, of all
    /// bodies or (local steps) of one entity; `body_evaluations`: the same, counted once per body;
    /// `stable_step`: longest stable step of an explicit scheme, estimated (infinite for the
    /// others); `events`: of friction and stops; `event_steps`: internal steps made again to locate
    /// them; `unlocated_events`: those taken at the end of an internal step; `unsettled_events`:
    /// those whose forces or impulses had not settled after the last sweep over them; with option
    /// `step_tolerance` (else 0) `last_step_error`: estimated error of the last internal step, 1 at
    /// the tolerance, `suggested_step`: length of the next internal step, `rejected_by_error`:
    /// internal steps made again because they erred too much, or failed; `crossings`: in accepted
    /// steps in energy form, segments of lines and other elements whose stiffness jumped, and nodes
    /// of lines that came to the bed or left it; `unresolved_snaps`: jumps of a stiffness k between
    /// masses m for which the internal step h was long, k h^2 > m.
    pub fn statistic(self, key: &str) -> Result<f64> {
        let system = &self.0.readable()?.system;
        let s = &self.0.statistics;
        let value = match key {
            "steps" => s.steps as f64,
            "substeps" => s.substeps as f64,
            "iterations" => s.iterations as f64,
            "last_iterations" => f64::from(s.last_iterations),
            "factorizations" => s.factorizations as f64,
            "rejected_steps" => s.rejected_steps as f64,
            "not_converged_steps" => s.not_converged_steps as f64,
            "redundant_constraints" => system.constraints().redundant() as f64,
            "dofs" => system.dofs() as f64,
            "constraints" => system.multipliers() as f64,
            "last_residual" => s.last_residual,
            "last_error" => s.last_error,
            "last_residual_energy_x" => s.last_residual_energies[0],
            "last_residual_energy_r" => s.last_residual_energies[1],
            "evaluations" => s.evaluations as f64,
            "body_evaluations" => s.body_evaluations as f64,
            "stable_step" => self.0.stable_step(),
            "events" => s.events.events as f64,
            "event_steps" => s.events.tries as f64,
            "unlocated_events" => s.events.unlocated as f64,
            "unsettled_events" => s.events.unsettled as f64,
            "last_step_error" => s.last_step_error,
            "suggested_step" => self.0.point()?.history.pace.next,
            "rejected_by_error" => s.rejected_by_error as f64,
            "crossings" => (s.crossings.jumps + s.crossings.landings) as f64,
            "unresolved_snaps" => s.crossings.unresolved as f64,
            "mobility" => (system.nodes().free_dofs() - system.multipliers()) as f64,
            _ => {
                let known = STATISTIC_KEYS.join(", ");
                return Err(Error::bad_value("key", format!("\"{key}\" is unknown; known: {known}")));
            }
        };
        // Infinity is a valid stable step.
        if key == "stable_step" { Ok(value) } else { Ok(finite("value", [value])?[0]) }
    }

    /// Warnings, one per line; empty if there are none: ignored entries of an input file of MoorDyn
    /// ([`Simulation::load_moordyn`]); the last step accepted without convergence (option
    /// `on_no_convergence` = 1); loads which change in every step but are held over each (option
    /// `input_order` = 0) by a scheme of higher order; imposed positions that change in every step
    /// while their rates are zero, with a scheme that follows the rates; events of friction and
    /// stops that were not located, or whose forces had not settled; a beam without elements, or
    /// with one that its reference shape bends far. Any phase.
    pub fn warning(self) -> Result<String> {
        let of_file = self.0.model.notes.iter().cloned();
        let of_run = [self.0.unconverged(), self.0.held_loads(), self.0.missing_rates(), self.0.beyond_table()];
        let others = [self.0.unlocated(), self.0.unsettled(), self.0.idle_beam(), self.0.bent_beam()];
        let of_run = of_run.into_iter().chain(others).flatten();
        Ok(of_file.chain(of_run).collect::<Vec<_>>().join("\n"))
    }
}
