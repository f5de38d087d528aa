//! Calls of the host's progress callback during long calls.
//!
//! Evaluations of the equations of motion take most of the time of all long calls. They are
//! counted, and the host is called after a fixed number of them: so a repeated run makes the same
//! calls, independent of the clock.

use super::Failure;
use crate::model::ProgressFn;
use std::sync::atomic::{AtomicU32, Ordering};

/// Number of evaluations between calls, counted once per body and point: some 30 microseconds.
const WORK: u32 = 64;

/// The callback, and the work since its last call.
#[derive(Default)]
pub struct Progress {
    ask: Option<ProgressFn>,
    /// Start and end time of the call, if it moves time.
    span: Option<[f64; 2]>,
    /// Evaluations since the last call of the host. An atomic, because a simulation that is only
    /// read must count, too; only one thread at a time uses a simulation.
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
    /// Progress without a callback.
    pub fn none() -> &'static Progress {
        &NONE
    }

    /// Sets the callback; None removes it.
    pub fn set(&mut self, ask: Option<ProgressFn>) {
        self.ask = ask;
    }

    /// Whether there is a callback.
    pub fn is_asked(&self) -> bool {
        self.ask.is_some()
    }

    /// Begins a call, with its start and end time if it moves time.
    pub fn begin(&mut self, span: Option<[f64; 2]>) {
        self.span = span;
        self.work.store(0, Ordering::Relaxed);
    }

    /// Counts an evaluation of so many bodies and points at a time, and calls the host if it is
    /// due. Errors: `Stopped`.
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

    /// Calls the host now, before work that cannot be interrupted. Errors: `Stopped`.
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
