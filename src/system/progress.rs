//! Long calls ask the host now and then whether they are to go on.
//!
//! What takes time in every long call is evaluations of the equations of motion, so these are counted, and the host is asked
//! each time that enough have been made: as often in a run as in its repetition, whatever the clock says.

use super::Failure;
use crate::model::ProgressFn;
use std::sync::atomic::{AtomicU32, Ordering};

/// The host is asked after so many evaluations, counted once per body and point: some 30 microseconds.
const WORK: u32 = 64;

/// Whom to ask, and how much has been done since it was asked last.
#[derive(Default)]
pub struct Progress {
    ask: Option<ProgressFn>,
    /// The times between which the call goes, where it does.
    span: Option<[f64; 2]>,
    /// Evaluations since the host was asked. Only one thread at a time uses a simulation; one that is only read must still be
    /// allowed to count.
    work: AtomicU32,
}

impl Clone for Progress {
    fn clone(&self) -> Progress {
        Progress { ask: self.ask.clone(), span: self.span, work: AtomicU32::new(0) }
    }
}

/// See [`Progress::none`].
static NONE: Progress = Progress { ask: None, span: None, work: AtomicU32::new(0) };

impl Progress {
    /// For evaluations that ask nobody.
    pub fn none() -> &'static Progress {
        &NONE
    }

    /// Asks from now on, or with None no longer.
    pub fn set(&mut self, ask: Option<ProgressFn>) {
        self.ask = ask;
    }

    /// Whether there is somebody to ask.
    pub fn is_asked(&self) -> bool {
        self.ask.is_some()
    }

    /// A call begins, from one time to another where it moves time.
    pub fn begin(&mut self, span: Option<[f64; 2]>) {
        self.span = span;
        self.work.store(0, Ordering::Relaxed);
    }

    /// Counts an evaluation of so many bodies and points at a time, and asks if it is time to. Errors: `Stopped`.
    #[inline(always)]
    pub fn count(&self, time: f64, nodes: usize) -> Result<(), Failure> {
        if self.ask.is_none() { Ok(()) } else { self.add(time, nodes) }
    }

    fn add(&self, time: f64, nodes: usize) -> Result<(), Failure> {
        let nodes = u32::try_from(nodes).unwrap_or(WORK).min(WORK);
        let work = self.work.load(Ordering::Relaxed) + nodes;
        self.work.store(work, Ordering::Relaxed);
        if work < WORK { Ok(()) } else { self.ask(time) }
    }

    /// Asks now: before work that cannot be interrupted. Errors: `Stopped`.
    pub fn ask(&self, time: f64) -> Result<(), Failure> {
        let Some(ask) = &self.ask else { return Ok(()) };
        self.work.store(0, Ordering::Relaxed);
        let fraction = match self.span {
            Some([from, to]) if to > from => ((time - from) / (to - from)).clamp(0.0, 1.0),
            _ => 0.0,
        };
        match ask(time, fraction) {
            0 => Ok(()),
            code => Err(Failure::Stopped { code }),
        }
    }
}
