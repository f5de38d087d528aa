//! The message of the last failed call: the text of the calling thread, and the conversion of
//! errors to messages.
//!
//! The library has no other global state. The thread's text has a fixed size and no destructor: a
//! thread-local with a destructor would keep the library mapped after `dlclose`.

use std::any::Any;
use std::cell::RefCell;
use std::fmt::{self, Write};
use std::panic::PanicHookInfo;
use std::sync::OnceLock;

use super::status;
use super::thread::THREAD;
use crate::Error;

/// Why a call failed: an error of the core, or a handle that is in use.
pub(super) enum Failure {
    /// An error of the core or of an argument.
    Error(Error),
    /// The object of this argument is in use by a call that has not returned.
    Busy(&'static str),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Error(error)
    }
}

impl Failure {
    /// The status for the caller.
    pub(super) fn status(&self) -> i32 {
        match self {
            Failure::Error(error) => status::of(error),
            Failure::Busy(_) => status::PINTLE_ERR_BAD_PHASE,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Error(error) => error.fmt(out),
            Failure::Busy(argument) => write!(
                out,
                "{argument} is in use: a load callback may not call back into its own system, and a system belongs to \
                 one thread at a time"
            ),
        }
    }
}

/// The function and its entities, with which the message starts and ends.
#[derive(Clone, Copy)]
pub(super) struct Call {
    function: &'static str,
    ids: [Option<(&'static str, i32)>; 2],
}

impl From<&'static str> for Call {
    fn from(function: &'static str) -> Call {
        Call { function, ids: [None; 2] }
    }
}

/// A call about one entity, which is formatted only if it fails.
#[derive(Clone, Copy)]
pub(super) struct On {
    function: &'static str,
    kind: &'static str,
    id: i32,
}

impl From<On> for Call {
    fn from(On { function, kind, id }: On) -> Call {
        Call { function, ids: [Some((kind, id)), None] }
    }
}

/// A call about one entity: `on("pintle_set_body_load", "body", body)`.
#[inline]
pub(super) fn on(function: &'static str, kind: &'static str, id: i32) -> On {
    On { function, kind, id }
}

/// A call about two bodies.
pub(super) fn between(function: &'static str, body_a: i32, body_b: i32) -> Call {
    about(function, [("body_a", body_a), ("body_b", body_b)])
}

/// A call about two entities.
pub(super) fn about(function: &'static str, ids: [(&'static str, i32); 2]) -> Call {
    Call { function, ids: ids.map(Some) }
}

impl Call {
    /// `function: failure (body 3)`; without the entity if the failure names it.
    pub(super) fn message(&self, failure: &Failure) -> String {
        let mut message = format!("{}: {failure}", self.function);
        let unnamed = |(kind, id): &(&str, i32)| {
            !message.contains(&format!("{kind} = {id}")) && !message.contains(&format!("{kind} {id}"))
        };
        let ids: Vec<_> = self.ids.iter().flatten().filter(|entity| unnamed(entity)).collect();
        for (k, (kind, id)) in ids.iter().enumerate() {
            let opening = if k == 0 { " (" } else { ", " };
            let closing = if k + 1 == ids.len() { ")" } else { "" };
            message.push_str(&format!("{opening}{kind} {id}{closing}"));
        }
        message
    }
}

/// Text of at most 1024 bytes, cut between characters; it does not allocate.
struct FixedText {
    len: usize,
    bytes: [u8; 1024],
}

impl FixedText {
    const EMPTY: FixedText = FixedText { len: 0, bytes: [0; 1024] };

    fn set(&mut self, text: fmt::Arguments<'_>) {
        self.len = 0;
        // Never fails: text that does not fit is cut.
        let _ = self.write_fmt(text);
    }

    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

/// Number of bytes of whole characters among the first `room` bytes of a text.
/// (`str::floor_char_boundary` is newer than the oldest supported Rust.)
pub(super) fn fitting(text: &str, room: usize) -> usize {
    (0..=room.min(text.len())).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0)
}

impl Write for FixedText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let fits = fitting(text, self.bytes.len() - self.len);
        self.bytes[self.len..self.len + fits].copy_from_slice(&text.as_bytes()[..fits]);
        self.len += fits;
        Ok(())
    }
}

/// The texts of the calling thread. No field has a destructor.
struct Texts {
    /// The message of the last failed call.
    last: RefCell<FixedText>,
    /// Message and place of the last caught panic.
    panic: RefCell<FixedText>,
}

thread_local! {
    static TEXTS: Texts = const {
        Texts {
            last: RefCell::new(FixedText::EMPTY),
            panic: RefCell::new(FixedText::EMPTY),
        }
    };
}

/// Sets whether this thread is inside the barrier; returns the former value.
#[inline]
pub(super) fn set_inside(inside: bool) -> bool {
    THREAD.with(|thread| thread.inside.replace(inside))
}

/// Stores the thread's last message.
pub(super) fn store(message: &str) {
    TEXTS.with(|texts| {
        if let Ok(mut last) = texts.last.try_borrow_mut() {
            last.set(format_args!("{message}"));
        }
    });
}

/// Passes the thread's last message to `read`.
pub(super) fn read<R>(read: impl FnOnce(&str) -> R) -> R {
    TEXTS.with(|texts| match texts.last.try_borrow() {
        Ok(last) => read(last.as_str()),
        Err(_) => read(""),
    })
}

/// The error of the panic that was just caught on this thread: with its location, if our hook was
/// called (a Rust host may have set another one since).
pub(super) fn caught_panic(payload: &(dyn Any + Send)) -> Error {
    let stored = TEXTS.with(|texts| match texts.panic.try_borrow_mut() {
        Ok(mut text) => std::mem::replace(&mut *text, FixedText::EMPTY),
        Err(_) => FixedText::EMPTY,
    });
    let said = || payload.downcast_ref::<&str>().copied().or(payload.downcast_ref::<String>().map(String::as_str));
    let detail = if stored.len > 0 { stored.as_str() } else { said().unwrap_or("no message") };
    Error::Panic { detail: detail.to_owned() }
}

/// The type of panic hooks.
type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send>;

/// The former hook. Neither it nor ours captures anything in `libpintle.so`, so that `dlclose`
/// leaks no allocation.
static PREVIOUS_HOOK: OnceLock<Hook> = OnceLock::new();

/// Sets a panic hook, once per process, that stores panics inside the barrier in the thread's text
/// instead of printing them. All others go to the former hook. (In `libpintle.so` the hook is
/// private to the library.)
#[inline]
pub(super) fn silence_panics() {
    if PREVIOUS_HOOK.get().is_none() && !std::thread::panicking() {
        PREVIOUS_HOOK.get_or_init(|| {
            let previous = std::panic::take_hook();
            std::panic::set_hook(Box::new(|panic| {
                if !store_panic(panic)
                    && let Some(previous) = PREVIOUS_HOOK.get()
                {
                    previous(panic);
                }
            }));
            previous
        });
    }
}

/// Stores message and location if this thread is inside the barrier; returns whether it is.
fn store_panic(panic: &PanicHookInfo<'_>) -> bool {
    let inside = THREAD.with(|thread| thread.inside.get());
    TEXTS.with(|texts| {
        if inside && let Ok(mut text) = texts.panic.try_borrow_mut() {
            let payload = panic.payload();
            let formatted = payload.downcast_ref::<String>().map(String::as_str);
            let message = formatted.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
            match panic.location() {
                Some(place) => text.set(format_args!("{message} ({}:{})", place.file(), place.line())),
                None => text.set(format_args!("{message}")),
            }
        }
    });
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_ends_between_characters() {
        let text = "a\u{e9}\u{1f6a2}";
        assert_eq!([0, 1, 2, 3, 4, 6, 7, 9].map(|room| fitting(text, room)), [0, 1, 1, 3, 3, 3, 7, 7]);
        assert_eq!(fitting("", 5), 0);
    }

    #[test]
    fn a_message_names_function_argument_entity_and_value_once() {
        let not_finite = Failure::Error(Error::NotFinite { argument: "wrench", index: Some(2), value: f64::NAN });
        assert_eq!(
            Call::from(on("pintle_set_body_load", "body", 3)).message(&not_finite),
            "pintle_set_body_load: wrench[2] = NaN is not finite (body 3)"
        );
        assert_eq!(Call::from("pintle_step").message(&not_finite), "pintle_step: wrench[2] = NaN is not finite");

        let bad_id = Failure::Error(Error::BadId { argument: "body", kind: "body", id: 3, count: 1 });
        assert_eq!(
            Call::from(on("pintle_set_body_load", "body", 3)).message(&bad_id),
            "pintle_set_body_load: body = 3 is not a body: the model has 1"
        );

        let null = Failure::Error(Error::NullArgument { argument: "frame_a" });
        assert_eq!(
            between("pintle_add_joint", -1, 0).message(&null),
            "pintle_add_joint: frame_a is NULL (body_a -1, body_b 0)"
        );
    }

    #[test]
    fn the_thread_text_is_cut_between_characters() {
        let mut text = FixedText::EMPTY;
        text.set(format_args!("a{}", "é".repeat(2000)));
        assert_eq!(text.as_str().len(), 1023);
        assert!(text.as_str().ends_with('é'));
        text.set(format_args!("short"));
        assert_eq!(text.as_str(), "short");
    }

    #[test]
    fn nothing_of_the_thread_has_a_destructor() {
        assert!(!std::mem::needs_drop::<Texts>());
    }
}
