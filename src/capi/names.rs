//! Names. An entity is found by its kind and name, or counted by its kind.

use std::ffi::c_char;

use super::boundary::{on, pintle_system, scalar_output, text, with_system, with_system_mut};
use crate::EntityKind;

/// Names an entity; messages and pintle_find use the name.
///
/// - `sys`: the system.
/// - `kind`: "body", "joint", "spring", "bushing", "cylinder", "beam_element", "contact",
///   "tendon", "marker",
///   "callback" (coupled load callbacks), "point", "gear", "line", "line_type", "beam" or "clutch".
/// - `id`: id of that kind.
/// - `name`: text of 1 to 255 bytes, unique among its kind; copied.
///
/// Phases: BUILDING. Errors: BAD_PHASE, BAD_UTF8, BAD_ID, BAD_VALUE (kind unknown, name empty or
/// taken).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_set_name(
    sys: *mut pintle_system,
    kind: *const c_char,
    id: i32,
    name: *const c_char,
) -> i32 {
    with_system_mut(on("pintle_set_name", "id", id), sys, |system| {
        let (kind, name) = (text("kind", kind)?, text("name", name)?);
        system.build().set_name(EntityKind::from_name(kind)?, id, name)
    })
}

/// The id of the entity with a name.
///
/// - `sys`: the system.
/// - `kind`: "body", "joint", "spring", "bushing", "cylinder", "beam_element", "contact",
///   "tendon", "marker",
///   "callback" (coupled load callbacks), "point", "gear", "line", "line_type", "beam" or "clutch".
/// - `name`: as given to pintle_set_name.
/// - `id`: receives the id.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_UTF8, BAD_VALUE (kind or name unknown).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_find(
    sys: *const pintle_system,
    kind: *const c_char,
    name: *const c_char,
    id: *mut i32,
) -> i32 {
    with_system("pintle_find", sys, |system| {
        let (kind, name) = (text("kind", kind)?, text("name", name)?);
        let id = scalar_output("id", id)?;
        id.write(system.description().find(EntityKind::from_name(kind)?, name)?)
    })
}

/// How many entities of a kind the model has.
///
/// - `sys`: the system.
/// - `kind`: "body", "joint", "spring", "bushing", "cylinder", "beam_element", "contact",
///   "tendon", "marker",
///   "callback" (coupled load callbacks), "point", "gear", "line", "line_type", "beam" or "clutch".
/// - `count`: receives the number.
///
/// Phases: BUILDING, READY, TRIAL, FAILED. Errors: BAD_UTF8, BAD_VALUE (kind unknown).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pintle_count(sys: *const pintle_system, kind: *const c_char, count: *mut i32) -> i32 {
    with_system("pintle_count", sys, |system| {
        let kind = text("kind", kind)?;
        let count = scalar_output("count", count)?;
        count.write(system.description().count(EntityKind::from_name(kind)?))
    })
}
