//! The boundary to hosts: handles, the panic barrier, the floating-point environment, the last
//! error.
//!
//! Handles of systems are owned by the host, those of their parts are borrowed from the system and
//! live as long. Both are distinguished from other pointers by their first number, on a best-effort
//! basis after `MoorDyn_Close`. A second entry during a call is refused. After a panic a system can
//! only be closed.

use crate::log::{Log, SILENCE};
use crate::mooring::Mooring;
use crate::output::Output;
use crate::status::{Failure, Outcome, Status};
use pintle::floating_point::Environment;
use pintle::reserve;
use std::cell::{Cell, RefCell, UnsafeCell};
use std::ffi::{c_int, c_void};
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// The kinds of a system's parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A body.
    Body,
    /// A rod.
    Rod,
    /// A point; those of broken lines come last.
    Point,
    /// A line.
    Line,
    /// The waves.
    Waves,
    /// The seafloor of a grid.
    Seafloor,
}

/// A part of a system, as its handle points to it.
pub struct Part {
    magic: u64,
    owner: *mut c_void,
    kind: Kind,
    index: usize,
}

/// The contents of a handle.
pub struct Held {
    /// The model and its run.
    pub mooring: Mooring,
    /// The log.
    pub log: Log,
    /// Output files.
    pub output: Output,
    /// The last serialised state, kept for its memory.
    pub words: Vec<u64>,
    /// The list of parts, which belongs to the shell.
    parts: *const [Part],
}

struct Shell {
    magic: u64,
    busy: AtomicBool,
    failed: AtomicBool,
    parts: Box<[Part]>,
    held: UnsafeCell<Held>,
}

const SYSTEM: u64 = u64::from_le_bytes(*b"pin:moor");
const PART: u64 = u64::from_le_bytes(*b"pin:part");
const DEAD: u64 = 0;

/// The level of console messages of new systems.
pub static CONSOLE: AtomicI32 = AtomicI32::new(crate::log::WARNING);

thread_local! {
    /// Whether a call of a host is in progress: its panics are logged, not printed.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    static LAST_ERROR: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Sets the default floating-point environment until drop: traps of the host do not end its
/// process, and its modes do not change bits.
struct DefaultEnvironment(Environment);

impl DefaultEnvironment {
    fn enter() -> DefaultEnvironment {
        let host = Environment::present();
        Environment::DEFAULT.set();
        DefaultEnvironment(host)
    }
}

impl Drop for DefaultEnvironment {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// Runs `body`; a panic becomes a failure, and is not printed.
fn caught<T>(body: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    static SILENT: Once = Once::new();
    SILENT.call_once(|| {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !INSIDE.get() {
                others(panic);
            }
        }));
    });
    let before = INSIDE.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let _small = reserve::ready()?;
        body()
    }));
    INSIDE.set(before);
    outcome.unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no text");
        Err(Failure::new(Status::UnhandledError, format!("internal error (please report): {text}")))
    })
}

/// The status of a call, whose failure becomes the last error of the thread.
fn noted(function: &str, outcome: Outcome<()>) -> c_int {
    match outcome {
        Ok(()) => Status::Success as c_int,
        Err(failure) => {
            LAST_ERROR.with(|last| *last.borrow_mut() = format!("{function}: {}", failure.message));
            failure.status as c_int
        }
    }
}

/// Runs an entry that has no system: its failure goes to standard error.
pub fn alone(function: &str, body: impl FnOnce() -> Outcome<()>) -> c_int {
    let _environment = DefaultEnvironment::enter();
    let outcome = caught(body);
    if let (Err(failure), true) = (&outcome, CONSOLE.load(Ordering::Relaxed) < SILENCE) {
        let _ = writeln!(std::io::stderr(), "ERR {function}: {}", failure.message);
    }
    noted(function, outcome)
}

/// The message of the last failure in this thread.
pub fn with_last_error<R>(read: impl FnOnce(&str) -> R) -> R {
    LAST_ERROR.with(|last| read(&last.borrow()))
}

/// A handle for a new system, with its parts.
pub fn new_handle(mooring: Mooring, log: Log, output: Output) -> *mut c_void {
    let part = |kind| move |index| Part { magic: PART, owner: std::ptr::null_mut(), kind, index };
    // Each end of a line may break off, to a point of its own.
    let points = mooring.points().len() + 2 * mooring.lines();
    let bodies = (0..mooring.bodies()).map(part(Kind::Body));
    let rods = (0..mooring.rods.len()).map(part(Kind::Rod));
    let points = (0..points).map(part(Kind::Point));
    let lines = (0..mooring.lines()).map(part(Kind::Line));
    let water = [Kind::Waves, Kind::Seafloor].into_iter().map(|kind| part(kind)(0));
    let parts = bodies.chain(rods).chain(points).chain(lines).chain(water).collect::<Box<[Part]>>();
    let held = Held { mooring, log, output, words: Vec::new(), parts: &raw const *parts };
    let (busy, failed) = (AtomicBool::new(false), AtomicBool::new(false));
    let shell = Box::into_raw(Box::new(Shell { magic: SYSTEM, busy, failed, parts, held: UnsafeCell::new(held) }));
    // SAFETY: live, and not known to anyone else yet.
    unsafe {
        let parts = &mut (*shell).parts;
        parts.iter_mut().for_each(|part| part.owner = shell.cast());
        (*shell).held.get_mut().parts = &raw const **parts;
    }
    shell.cast()
}

impl Held {
    /// Logs what pintle notes of the run, such as strains beyond a table.
    pub fn warn(&mut self) -> Outcome<()> {
        self.log.warn(&self.mooring.simulation.outputs().warning()?);
        Ok(())
    }

    /// The handle of a part, NULL if there is none.
    pub fn handle(&self, kind: Kind, index: usize) -> *mut c_void {
        // SAFETY: the list lives and does not change as long as the shell.
        let parts = unsafe { &*self.parts };
        let found = parts.iter().find(|part| part.kind == kind && part.index == index);
        found.map_or(std::ptr::null_mut(), |part| std::ptr::from_ref(part).cast_mut().cast())
    }
}

/// The object of a handle. Errors: NULL; another object.
fn shell<'a>(handle: *mut c_void) -> Outcome<&'a Shell> {
    let shell = handle.cast::<Shell>();
    if shell.is_null() {
        return Err(Failure::value("system is NULL"));
    }
    // SAFETY: handles come from `new_handle`; other memory that is readable is recognised by its
    // first number. Volatile, because the compiler must not reason about a freed shell.
    let live = shell.is_aligned() && unsafe { (&raw const (*shell).magic).read_volatile() == SYSTEM };
    // SAFETY: live.
    if live { Ok(unsafe { &*shell }) } else { Err(Failure::value("system is not a live MoorDyn system")) }
}

/// Releases the exclusive use.
struct Busy<'a>(&'a AtomicBool);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Runs an entry of a system. A failure is logged and becomes the code.
pub fn enter(function: &'static str, handle: *mut c_void, body: impl FnOnce(&mut Held) -> Outcome<()>) -> c_int {
    let shell = match shell(handle) {
        Ok(shell) => shell,
        Err(failure) => return alone(function, || Err(failure)),
    };
    let _environment = DefaultEnvironment::enter();
    if shell.busy.swap(true, Ordering::Acquire) {
        return noted(function, Err(Failure::value("another call to this system is in progress")));
    }
    let _busy = Busy(&shell.busy);
    // SAFETY: `_busy` gives exclusive access to the value, until it is dropped.
    let held = unsafe { &mut *shell.held.get() };
    let outcome = if shell.failed.load(Ordering::Relaxed) {
        Err(Failure::new(Status::UnhandledError, "the system failed before: it can only be closed"))
    } else {
        caught(|| body(held))
    };
    if let Err(failure) = &outcome {
        let is_panic = failure.message.starts_with("internal error");
        shell.failed.fetch_or(is_panic, Ordering::Relaxed);
        held.log.failed(function, failure);
    }
    noted(function, outcome)
}

/// The system and the index of a part. Errors: NULL; another object.
fn owner(handle: *mut c_void, kind: Kind) -> Outcome<(*mut c_void, usize)> {
    let part = handle.cast::<Part>();
    let name = match kind {
        Kind::Body => "body",
        Kind::Rod => "rod",
        Kind::Point => "point",
        Kind::Line => "line",
        Kind::Waves => "waves",
        Kind::Seafloor => "seafloor",
    };
    if part.is_null() {
        return Err(Failure::value(format!("{name} is NULL")));
    }
    // SAFETY: as for systems.
    let live = part.is_aligned() && unsafe { (&raw const (*part).magic).read_volatile() == PART };
    // SAFETY: live.
    match live.then(|| unsafe { &*part }).filter(|part| part.kind == kind) {
        Some(part) => Ok((part.owner, part.index)),
        None => Err(Failure::value(format!("{name} is not a live MoorDyn {name}"))),
    }
}

/// Runs an entry of a part.
pub fn enter_part(
    function: &'static str,
    handle: *mut c_void,
    kind: Kind,
    body: impl FnOnce(&mut Held, usize) -> Outcome<()>,
) -> c_int {
    match owner(handle, kind) {
        Ok((system, index)) => enter(function, system, |held| body(held, index)),
        Err(failure) => alone(function, || Err(failure)),
    }
}

/// The index of a part of a system. Errors: NULL; another object; a part of another system.
pub fn index_in(handle: *mut c_void, kind: Kind, system: *mut c_void) -> Outcome<usize> {
    match owner(handle, kind)? {
        (owner, index) if owner == system => Ok(index),
        _ => Err(Failure::value("the part belongs to another system")),
    }
}

/// Frees a system. Errors: NULL; another object; a call is in progress.
pub fn free(function: &str, handle: *mut c_void) -> c_int {
    alone(function, || {
        if shell(handle)?.busy.swap(true, Ordering::Acquire) {
            return Err(Failure::value("another call to this system is in progress"));
        }
        let shell = handle.cast::<Shell>();
        // SAFETY: live (just checked), from `new_handle`, not in use, and never touched again.
        unsafe {
            let _ = (*shell).held.get_mut().warn();
            (*shell).parts.iter_mut().for_each(|part| (&raw mut part.magic).write_volatile(DEAD));
            (&raw mut (*shell).magic).write_volatile(DEAD);
            drop(Box::from_raw(shell));
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure_that_says_what_happened() {
        let failure = caught::<()>(|| panic!("lost {}", 3)).unwrap_err();
        assert_eq!((failure.status, failure.message.ends_with("lost 3")), (Status::UnhandledError, true));
        assert_eq!(caught(|| Ok(5)), Ok(5));
    }
}
