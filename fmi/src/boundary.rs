//! The boundary to importers: the object of an `fmi2Component` or `fmi3Instance`, the panic
//! barrier, the floating-point environment, and the importer's log.
//!
//! A handle is distinguished from other pointers by its first number. A second entry during a call
//! is refused. After a panic an instance is `fmi*Fatal` for good.

use crate::failure::{Failure, Status};
use crate::instance::{Instance, Outcome};
use crate::memory::room;
use crate::model::Model;
use crate::state::State;
use pintle::floating_point::Environment;
use pintle::reserve;
use std::cell::{Cell, UnsafeCell};
use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};

/// The logger of FMI 2.0: environment, instance, status, category, format, arguments.
pub type Logger2 = unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char, ...);

/// The logger of FMI 3.0: environment, status, category, message.
pub type Logger3 = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);

/// The importer's logger.
#[derive(Clone, Copy)]
pub enum Logger {
    /// None.
    None,
    /// FMI 2.0.
    Two(Logger2),
    /// FMI 3.0.
    Three(Logger3),
}

/// The importer's log.
pub struct Log {
    logger: Logger,
    environment: *mut c_void,
    name: CString,
    /// Whether warnings are logged; failures always are.
    pub wordy: bool,
}

/// A text without NUL inside.
fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', "?")).unwrap_or_default()
}

impl Log {
    /// The log of an instance with a name.
    pub fn new(logger: Logger, environment: *mut c_void, name: &str, wordy: bool) -> Log {
        Log { logger, environment, name: c_text(name), wordy }
    }

    /// Logs a message.
    pub fn tell(&self, status: Status, message: &str) {
        let category = match status {
            Status::Ok => c"logEvents",
            Status::Warning => c"logStatusWarning",
            Status::Discard => c"logStatusDiscard",
            Status::Error => c"logStatusError",
            Status::Fatal => c"logStatusFatal",
        };
        let message = c_text(message);
        // SAFETY: the importer's function, with texts that live until it returns; the message is an
        // argument, not the format.
        as_host(|| unsafe {
            match self.logger {
                Logger::None => {}
                Logger::Two(logger) => logger(
                    self.environment,
                    self.name.as_ptr(),
                    status as c_int,
                    category.as_ptr(),
                    c"%s".as_ptr(),
                    message.as_ptr(),
                ),
                Logger::Three(logger) => {
                    logger(self.environment, status as c_int, category.as_ptr(), message.as_ptr());
                }
            }
        });
    }
}

/// The contents of a handle.
pub struct Held {
    /// The running model.
    pub instance: Instance,
    /// The importer's log.
    pub log: Log,
    /// The texts of the last call, which live until the next one.
    pub texts: Vec<CString>,
    /// The last warnings.
    warned: String,
    /// Whether steps may end early (FMI 3.0).
    pub may_stop: bool,
}

struct Shell {
    magic: u64,
    busy: AtomicBool,
    failed: AtomicBool,
    value: UnsafeCell<Held>,
}

const INSTANCE: u64 = u64::from_le_bytes(*b"pin:fmui");
const STATE: u64 = u64::from_le_bytes(*b"pin:fmus");
const DEAD: u64 = 0;

thread_local! {
    /// Whether a call of an importer is in progress: its panics are logged, not printed.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
    /// The importer's floating-point environment during such a call.
    static HOST: Cell<Environment> = const { Cell::new(Environment::DEFAULT) };
}

/// Runs the importer's code in its floating-point environment, and stores the environment that it
/// leaves.
fn as_host<R>(code: impl FnOnce() -> R) -> R {
    HOST.get().set();
    let result = code();
    HOST.set(Environment::present());
    Environment::DEFAULT.set();
    result
}

/// Sets the default floating-point environment until drop: traps of the importer do not end its
/// process, and its modes do not change bits. Every call of an importer that computes or logs
/// begins with one.
pub struct DefaultEnvironment {
    /// The importer's environment in the call whose logger made this one.
    outer: Environment,
}

impl DefaultEnvironment {
    /// Saves the importer's environment and sets the default one.
    pub fn enter() -> DefaultEnvironment {
        let outer = HOST.replace(Environment::present());
        Environment::DEFAULT.set();
        DefaultEnvironment { outer }
    }
}

impl Drop for DefaultEnvironment {
    fn drop(&mut self) {
        HOST.replace(self.outer).set();
    }
}

/// Runs `body`; a panic becomes a failure, and is not printed.
fn caught<T>(body: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    static SILENCE: Once = Once::new();
    SILENCE.call_once(|| {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !INSIDE.get() {
                others(panic);
            }
        }));
    });
    let before = INSIDE.replace(true);
    let outcome = catch_unwind(AssertUnwindSafe(body));
    INSIDE.set(before);
    outcome.unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no text");
        let message = format!("internal error (please report): {text}");
        Err(Failure { status: Status::Fatal, message })
    })
}

/// The folder of a resource location: a path, or a URI with the scheme `file`.
pub fn resources(location: &str) -> Outcome<PathBuf> {
    let Some(rest) = location.strip_prefix("file:") else {
        return if location.is_empty() {
            Err(Failure::error("no resource location is given: the model is in resources/model.toml"))
        } else {
            Ok(PathBuf::from(location))
        };
    };
    // file:///a, file://host/a, file:/a
    let path = match rest.strip_prefix("//") {
        Some(after) => &after[after.find('/').unwrap_or(after.len())..],
        None => rest,
    };
    let mut bytes = Vec::with_capacity(path.len());
    let mut at = path.as_bytes();
    while let Some((first, others)) = at.split_first() {
        let code = others.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match code.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                at = &others[2..];
            }
            _ => {
                bytes.push(*first);
                at = others;
            }
        }
    }
    let path = String::from_utf8(bytes).map_err(|_| Failure::error("the resource location is not UTF-8"))?;
    // file:///C:/a
    let of_drive = path.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    Ok(PathBuf::from(if of_drive { &path[1..] } else { &path }))
}

/// A new instance of the model in a folder; NULL, with a message in the log, if that fails. A
/// token, if given, must be that of the model.
pub fn instantiate(log: Log, token: Outcome<&str>, location: Outcome<&str>, may_stop: bool) -> *mut c_void {
    let made = caught(|| {
        let _small = reserve::ready()?;
        let (token, path) = (token?, resources(location?)?.join("model.toml"));
        let model = Model::load(Path::new(&path))?;
        if !token.is_empty() && token != model.token {
            return Err(Failure::error(format!(
                "the token {token} is not that of {}, which is {}: the FMU was made of another model, or by another version",
                path.display(),
                model.token
            )));
        }
        let _lists = room(model.list_memory())?;
        Ok(Instance::new(Arc::new(model)))
    });
    match made {
        Ok(instance) => {
            let held = Held { instance, log, texts: Vec::new(), warned: String::new(), may_stop };
            let (busy, failed) = (AtomicBool::new(false), AtomicBool::new(false));
            let shell = Shell { magic: INSTANCE, busy, failed, value: UnsafeCell::new(held) };
            Box::into_raw(Box::new(shell)).cast()
        }
        Err(failure) => {
            log.tell(failure.status, &format!("instantiation: {}", failure.message));
            std::ptr::null_mut()
        }
    }
}

/// The object of a handle, if it is valid.
fn shell<'a>(handle: *mut c_void) -> Option<&'a Shell> {
    let shell = handle.cast::<Shell>();
    if shell.is_null() || !shell.is_aligned() {
        return None;
    }
    // SAFETY: handles come from `instantiate`; other memory that is readable is recognised by its
    // first number. Volatile, because the compiler must not reason about a freed shell.
    unsafe { ((&raw const (*shell).magic).read_volatile() == INSTANCE).then(|| &*shell) }
}

/// Releases the exclusive use.
struct Busy<'a>(&'a AtomicBool);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// Runs an entry. A failure is logged and becomes the status.
pub fn enter(function: &str, handle: *mut c_void, body: impl FnOnce(&mut Held) -> Outcome<()>) -> c_int {
    let _environment = DefaultEnvironment::enter();
    let Some(shell) = shell(handle) else { return Status::Error as c_int };
    if shell.busy.swap(true, Ordering::Acquire) {
        return Status::Error as c_int;
    }
    let busy = Busy(&shell.busy);
    // SAFETY: `busy` gives exclusive access to the value, until it is cleared.
    let held = unsafe { &mut *shell.value.get() };
    let outcome = if shell.failed.load(Ordering::Relaxed) {
        Err(Failure { status: Status::Fatal, message: "the instance failed before: it can only be freed".into() })
    } else {
        caught(|| {
            let _small = reserve::ready()?;
            body(held)
        })
    };
    let status = match outcome {
        Ok(()) => Status::Ok,
        Err(Failure { status, message }) => {
            shell.failed.fetch_or(status == Status::Fatal, Ordering::Relaxed);
            held.log.tell(status, &format!("{function}: {message}"));
            status
        }
    };
    drop(busy);
    status as c_int
}

impl Held {
    /// Logs warnings of the simulation that are new, if warnings are logged.
    pub fn warn(&mut self) -> Outcome<()> {
        if !self.log.wordy {
            return Ok(());
        }
        let warning = self.instance.warning()?;
        if warning != self.warned {
            if !warning.is_empty() {
                self.log.tell(Status::Warning, &warning);
            }
            self.warned = warning;
        }
        Ok(())
    }
}

/// Frees an instance; other pointers are ignored.
pub fn free(handle: *mut c_void) {
    let _environment = DefaultEnvironment::enter();
    let Some(shell) = shell(handle) else { return };
    if shell.busy.swap(true, Ordering::Acquire) {
        return;
    }
    let shell = handle.cast::<Shell>();
    // SAFETY: live (just checked), from `instantiate`, and never touched again.
    let _ = caught(|| unsafe {
        (&raw mut (*shell).magic).write_volatile(DEAD);
        drop(Box::from_raw(shell));
        Ok(())
    });
}

// ---- States ----------------------------------------------------------------------------------------------------------

struct StateShell {
    magic: u64,
    state: State,
}

/// The state of a handle. Errors: NULL; not a state.
pub fn state<'a>(handle: *mut c_void) -> Outcome<&'a mut State> {
    let shell = handle.cast::<StateShell>();
    // SAFETY: as for instances.
    let live =
        !shell.is_null() && shell.is_aligned() && unsafe { (&raw const (*shell).magic).read_volatile() == STATE };
    if live {
        // SAFETY: live, and used by one thread at a time, as the caller guarantees.
        Ok(unsafe { &mut (*shell).state })
    } else {
        Err(Failure::error("the FMU state is NULL, or none that this FMU made"))
    }
}

/// A handle for a new state.
pub fn new_state(state: State) -> *mut c_void {
    Box::into_raw(Box::new(StateShell { magic: STATE, state })).cast()
}

/// Frees the state of a handle; NULL is ignored.
pub fn free_state(handle: *mut c_void) -> Outcome<()> {
    if handle.is_null() {
        return Ok(());
    }
    state(handle)?;
    let shell = handle.cast::<StateShell>();
    // SAFETY: live (just checked), from `new_state`, and never touched again.
    unsafe {
        (&raw mut (*shell).magic).write_volatile(DEAD);
        drop(Box::from_raw(shell));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure_that_says_what_happened() {
        let failure = caught::<()>(|| panic!("lost {}", 3)).unwrap_err();
        assert_eq!((failure.status, failure.message.ends_with("lost 3")), (Status::Fatal, true), "{failure:?}");
        assert_eq!(caught(|| Ok(5)), Ok(5));
    }

    #[test]
    fn resource_locations_are_paths_or_uris() {
        let cases = [
            ("/a b/c", "/a b/c"),
            ("file:///a%20b/c", "/a b/c"),
            ("file://localhost/a", "/a"),
            ("file:/a/%c3%bc", "/a/\u{fc}"),
            ("file:///100%", "/100%"),
        ];
        for (location, path) in cases {
            assert_eq!(resources(location).unwrap(), PathBuf::from(path), "{location}");
        }
        assert_eq!(resources("").unwrap_err().status, Status::Error);
    }
}
