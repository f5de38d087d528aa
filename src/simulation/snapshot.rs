//! Snapshots: all data that a step reads, in memory and as bytes, so that a restored run continues
//! bit by bit.
//!
//! A snapshot holds the accepted state with its loads and the scheme's history, the trial if one is
//! pending, inputs, coefficients of the fluid, options and scheme, and data from the start of the
//! run on which later numbers depend. It does not hold the model of phase BUILDING, which the
//! fingerprint identifies, callbacks, or statistics.
//!
//! Bytes: magic, format version, payload length, fingerprint of the model, payload (`archive`),
//! checksum (FNV-1a) of all before; little-endian throughout.

use super::archive::{Reader, Writer, reading, writing};
use super::saved::{Reference, Snapshot};
use super::workplace::Workroom;
use super::{Inputs, Phase, Run, Simulation};
use crate::error::{Error, Result};
use crate::model::fingerprint::{FNV_OFFSET, fnv1a};
use crate::model::{Changes, Hydrodynamics};
use crate::scheme::Point;
use crate::system::State;

const MAGIC: [u8; 8] = *b"PINTLEST";

/// 2: of version 0.1. 3: loads and marks with their point, the start of the run, drives of slides.
/// 4: flat vectors, points. 5: lines. 6: adhesion of the seabed. 7: violations of linear analysis.
/// 8: filtered velocities and accelerations. 9: own variables of elements and lines.
/// 10: forces of elements in energy form. 11: those of lines. 12: those of bushings. 13: yaw of
/// OpenFAST's platform. 14: waves. 15: stiffness of lines. 16: loads on beams.
/// 17: friction and stops. 18: springs on joints, lengths of steps by tolerance, two options.
/// 19: changes of mass, springs and gravity. 20: grid of the seabed. 21: grid of currents.
/// 22: internal pressure and slow strains of lines, stick points of cylinders.
/// 23: largest tensions of lines. 24: broken joints and strengths; tendons, and their lengths.
/// 25: accelerations of bodies that turn, mean tensions.
/// 26: clutches, and brakes of two capacities; preloads of bushings.
/// 27: changes of friction, stops and laws of contacts.
/// 28: changes of tables of joints and bushings; friction of tendons; resistances of contacts.
const FORMAT: u32 = 28;
const HEADER: usize = 8 + 4 + 8 + 8;
const CHECKSUM: usize = 8;

impl Reference {
    fn of(run: &Run) -> Reference {
        let force_scale = run.system.scales().force;
        let initial = run.whole.as_ref().map_or(&run.initial, |whole| &whole.initial).clone();
        Reference { initial, initial_loads: run.initial_loads.clone(), force_scale }
    }

    fn copy_from(&mut self, run: &Run) {
        *self = Reference::of(run);
    }

    fn restore(&self, run: &mut Run) {
        let Reference { initial, initial_loads, force_scale } = self;
        let same = run.initial.is_same(initial) && run.initial_loads.is_same(initial_loads);
        if !same && (run.initial != *initial || run.initial_loads != *initial_loads) {
            // They belong to other inputs.
            run.stable = None;
            if let Some(workplace) = run.workroom.steps_mut() {
                workplace.memory.frozen = None;
            }
        }
        if !same {
            (run.initial, run.initial_loads) = (initial.clone(), initial_loads.clone());
        }
        // The system is shared; a run with the same start has the same scale.
        if run.system.scales().force != *force_scale {
            run.system.adjust().set_force_scale(*force_scale);
        }
    }
}

impl Simulation {
    /// Saves the state. Phase READY, TRIAL.
    pub fn save(&self) -> Result<Snapshot> {
        self.require(&[Phase::Ready, Phase::Trial], "there is a state to save in phase READY or TRIAL")?;
        let run = self.readable()?;
        Ok(self.snapshot(run))
    }

    fn snapshot(&self, run: &Run) -> Snapshot {
        let mut inputs = self.inputs.clone();
        inputs.take_broken(run);
        Snapshot {
            fingerprint: run.fingerprint,
            trial_pending: self.phase == Phase::Trial,
            accepted: (*run.accepted).clone(),
            trial: self.pending(run).clone(),
            inputs,
            reference: Reference::of(run),
            breaks: self.breaks(),
        }
    }

    /// The trial; the accepted state if none is pending, because an old trial has no meaning.
    fn pending<'a>(&self, run: &'a Run) -> &'a Point {
        if self.phase == Phase::Trial { &run.trial } else { &run.accepted }
    }

    /// Saves into an existing snapshot, without allocation when it came from this model. Phase
    /// READY, TRIAL.
    pub fn save_into(&self, snapshot: &mut Snapshot) -> Result<()> {
        self.require(&[Phase::Ready, Phase::Trial], "there is a state to save in phase READY or TRIAL")?;
        let run = self.readable()?;
        let Snapshot { fingerprint, trial_pending, accepted, trial, inputs, reference, breaks } = snapshot;
        *fingerprint = run.fingerprint;
        *trial_pending = self.phase == Phase::Trial;
        accepted.copy_from(&run.accepted);
        trial.copy_from(self.pending(run));
        inputs.copy_from(&self.inputs);
        inputs.take_broken(run);
        reference.copy_from(run);
        *breaks = self.breaks();
        Ok(())
    }

    /// Restores a saved state, and its phase. Phase READY, TRIAL, FAILED. Errors: `Fingerprint` for
    /// a state of another model.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<()> {
        let Snapshot { fingerprint, trial_pending, accepted, trial, inputs, reference, breaks } = snapshot;
        let run = self.readable()?;
        if *fingerprint != run.fingerprint {
            return Err(Error::Fingerprint {
                argument: "state",
                file: None,
                given: *fingerprint,
                own: run.fingerprint,
            });
        }
        self.mend();
        if self.inputs.changes != inputs.changes {
            self.inputs.changes.clone_from(&inputs.changes);
            self.follow_changes();
        }
        if let Some(run) = &mut self.run {
            run.accepted.copy_from(accepted);
            run.trial.copy_from(trial);
            reference.restore(run);
        }
        self.inputs.copy_from(inputs);
        if snapshot.parts() {
            self.part(breaks, &trial.state);
            if let Some(run) = &mut self.run {
                run.workroom = Workroom::Empty;
            }
        }
        self.phase = if *trial_pending { Phase::Trial } else { Phase::Ready };
        self.follow_own(true);
        Ok(())
    }

    /// A snapshot from bytes. Phase READY, TRIAL, FAILED. Errors: `Format` for damaged or foreign
    /// bytes, `Fingerprint` for a state of another model.
    pub fn deserialize(&self, bytes: &[u8]) -> Result<Snapshot> {
        let run = self.readable()?;
        let format = |detail: String| Error::Format { argument: "bytes", detail };
        if bytes.len() < HEADER + CHECKSUM || bytes[..8] != MAGIC {
            return Err(format(format!("{} bytes that are not a pintle state", bytes.len())));
        }
        let mut reader = Reader { bytes: &bytes[8..bytes.len() - CHECKSUM], valid: true };
        let (mut version, mut length, mut fingerprint) = (0, 0, 0);
        reader.integer32(&mut version);
        if version != FORMAT {
            let age = if version < FORMAT { "an older" } else { "a newer" };
            let detail = format!("format {version} of a pintle state, of {age} version: this library reads {FORMAT}");
            return Err(format(detail));
        }
        reader.integer(&mut length);
        if length != (bytes.len() - HEADER - CHECKSUM) as u64 {
            return Err(format(format!("{} bytes, the header says {length} and {}", bytes.len(), HEADER + CHECKSUM)));
        }
        let (body, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        if fnv1a(body, FNV_OFFSET).to_le_bytes() != checksum {
            return Err(format("checksum does not match: damaged".into()));
        }
        reader.integer(&mut fingerprint);
        if fingerprint != run.fingerprint {
            return Err(Error::Fingerprint { argument: "bytes", file: None, given: fingerprint, own: run.fingerprint });
        }
        let damaged = || format("content does not belong to this model: damaged".into());
        let mut changes = Changes::default();
        reading::changes(&mut changes, &mut reader);
        let mut breaks: Vec<u64> = Vec::new();
        reading::breaks(&mut breaks, &mut reader);
        let are_joints = breaks.iter().all(|joint| *joint < self.model.joints.len() as u64);
        if !(reader.valid && changes.fit(&self.model) && are_joints) {
            return Err(damaged());
        }
        // Counts are those of the model with its drives, because the fingerprint is.
        let is_alike = changes.of_constraints() == self.inputs.changes.of_constraints();
        let mut snapshot = match is_alike && breaks.is_empty() && !self.parts() {
            true => self.snapshot(run),
            false => self.clone().with_changes(&changes, &breaks)?,
        };
        snapshot.inputs.changes = changes;
        reading::snapshot(&mut snapshot, &mut reader);
        let Inputs { hydrodynamics, wet, .. } = &mut snapshot.inputs;
        *wet = hydrodynamics.iter().rposition(|fluid| *fluid != Hydrodynamics::default()).map_or(0, |last| last + 1);
        let Snapshot { accepted, trial, reference, .. } = &snapshot;
        let has_own = |state: &State| state.has_own_variables();
        let have_own = [&accepted.state, &trial.state, &reference.initial].into_iter().all(has_own);
        let is_whole = snapshot.trial_pending || !snapshot.parts();
        let valid = reader.valid && reader.bytes.is_empty() && have_own && is_whole;
        if valid { Ok(snapshot) } else { Err(damaged()) }
    }

    /// A snapshot after changes, in any state.
    fn with_changes(mut self, changes: &Changes, breaks: &[u64]) -> Result<Snapshot> {
        self.mend();
        self.inputs.changes.clone_from(changes);
        self.follow_changes();
        let mut accepted = self.readable()?.accepted.clone();
        if !breaks.is_empty() {
            let before = self.readable()?.system.clone();
            self.part(breaks, &accepted.state);
            self.phase = Phase::Trial;
            *accepted = accepted.numbered([&before, &self.readable()?.system]);
        }
        if let Some(run) = &mut self.run {
            run.trial = accepted;
        }
        self.readable().map(|run| self.snapshot(run))
    }
}

impl Inputs {
    /// Takes the joints that are broken in the accepted state of a run, not in its trial.
    fn take_broken(&mut self, run: &Run) {
        if let Some(whole) = &run.whole {
            self.changes.broken.clone_from(&whole.broken);
        }
    }

    /// Coefficients of the fluid of a body, mutable.
    pub(super) fn coefficients_mut(&mut self, body: usize) -> &mut Hydrodynamics {
        self.wet = self.wet.max(body + 1);
        &mut self.hydrodynamics[body]
    }

    /// Coefficients of the first bodies; those after the end of the list have none.
    pub(super) fn wet(&self) -> &[Hydrodynamics] {
        &self.hydrodynamics[..self.wet]
    }

    fn copy_from(&mut self, other: &Inputs) {
        let Inputs { loads, hydrodynamics, wet, water, changes, settings, scheme, follows } = other;
        self.loads.copy_from(loads);
        self.hydrodynamics.clone_from(hydrodynamics);
        self.wet = *wet;
        self.water.copy_from(water);
        self.changes.clone_from(changes);
        self.settings.clone_from(settings);
        self.scheme = *scheme;
        self.follows.clone_from(follows);
    }
}

impl Snapshot {
    fn writer<'a>(&self, bytes: &'a mut [u8]) -> Writer<'a> {
        Writer { bytes, at: 0 }
    }

    /// Number of bytes of the serialized form.
    pub fn serialized_len(&self) -> usize {
        let mut counter = self.writer(&mut []);
        writing::changes(&self.inputs.changes, &mut counter);
        writing::breaks(&self.breaks, &mut counter);
        writing::snapshot(self, &mut counter);
        HEADER + counter.at + CHECKSUM
    }

    /// Writes the serialized form. Errors: `BufferTooSmall` if `bytes` is too short.
    pub fn serialize_into(&self, bytes: &mut [u8]) -> Result<()> {
        let length = self.serialized_len();
        if bytes.len() < length {
            let (given, needed) = (bytes.len() as i64, length as i64);
            return Err(Error::BufferTooSmall { argument: "cap", given, needed });
        }
        let mut writer = self.writer(bytes);
        writer.put(&MAGIC);
        writer.integer32(&FORMAT);
        writer.integer(&((length - HEADER - CHECKSUM) as u64));
        writer.integer(&self.fingerprint);
        writing::changes(&self.inputs.changes, &mut writer);
        writing::breaks(&self.breaks, &mut writer);
        writing::snapshot(self, &mut writer);
        let checksum = fnv1a(&writer.bytes[..writer.at], FNV_OFFSET);
        writer.integer(&checksum);
        Ok(())
    }

    /// The serialized form.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.serialized_len()];
        // The buffer has the required length.
        let _ = self.serialize_into(&mut bytes);
        bytes
    }
}
