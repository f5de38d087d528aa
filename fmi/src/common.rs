//! Common parts of the functions of FMI 2.0 and 3.0: texts, lists of values that are set completely
//! or not at all, states, derivatives.

use crate::arguments::{array, output, scalar, text};
use crate::boundary::{Held, free_state, new_state, state};
use crate::failure::Failure;
use crate::instance::Outcome;
use std::ffi::{CString, c_char, c_void};

/// Gives texts out, which the instance keeps until the next call.
pub fn texts(held: &mut Held, references: &[u32], places: &mut [*const c_char]) -> Outcome<()> {
    let texts = references.iter().map(|vr| Ok(CString::new(held.instance.scheme(*vr)?).unwrap_or_default()));
    held.texts = texts.collect::<Outcome<_>>()?;
    places.iter_mut().zip(&held.texts).for_each(|(place, text)| *place = text.as_ptr());
    Ok(())
}

/// Sets the time scheme, all texts or none.
pub fn set_schemes(held: &mut Held, references: &[u32], values: &[*const c_char]) -> Outcome<()> {
    let names = values.iter().map(|value| text("value", *value)).collect::<Outcome<Vec<_>>>()?;
    references.iter().zip(&names).try_for_each(|(vr, name)| held.instance.check_scheme(*vr, name))?;
    names.iter().for_each(|name| held.instance.set_scheme(name));
    Ok(())
}

/// Copies the state into a new one, or into the one that is there.
pub fn get_state(held: &mut Held, place: *mut *mut c_void) -> Outcome<()> {
    let place = scalar("FMUState", place)?;
    let present = if place.is_null() { None } else { Some(state(*place)?) };
    if let Some(made) = held.instance.state(present)? {
        *place = new_state(made);
    }
    Ok(())
}

/// Frees a state.
pub fn drop_state(place: *mut *mut c_void) -> Outcome<()> {
    if place.is_null() {
        return Ok(());
    }
    let place = scalar("FMUState", place)?;
    free_state(*place)?;
    *place = std::ptr::null_mut();
    Ok(())
}

/// The bytes of a state.
pub fn bytes(held: &Held, handle: *mut c_void) -> Outcome<Vec<u8>> {
    let state = state(handle)?;
    let _copies = held.instance.room_to_exchange()?;
    Ok(state.to_bytes())
}

/// Writes the bytes of a state. Errors: too few places.
pub fn serialize(held: &Held, handle: *mut c_void, into: *mut u8, size: usize) -> Outcome<()> {
    let bytes = bytes(held, handle)?;
    let place = output("serializedState", into, size)?;
    let Some(place) = place.get_mut(..bytes.len()) else {
        return Err(Failure::error(format!("size = {size} is too small: the state has {} bytes", bytes.len())));
    };
    place.copy_from_slice(&bytes);
    Ok(())
}

/// A new state from bytes.
pub fn deserialize(held: &mut Held, from: *const u8, size: usize, place: *mut *mut c_void) -> Outcome<()> {
    let place = scalar("FMUState", place)?;
    let made = held.instance.deserialize(array("serializedState", from, size)?)?;
    *place = new_state(made);
    Ok(())
}

/// Directional derivatives.
pub fn directional(
    held: &mut Held,
    (unknowns, n_unknowns): (*const u32, usize),
    (knowns, n_knowns): (*const u32, usize),
    (seed, n_seed): (*const f64, usize),
    (sensitivity, n_sensitivity): (*mut f64, usize),
) -> Outcome<()> {
    let (unknowns, knowns) = (array("unknowns", unknowns, n_unknowns)?, array("knowns", knowns, n_knowns)?);
    let _room = held.instance.room_to_differentiate()?;
    let found = held.instance.directional(unknowns, knowns, array("seed", seed, n_seed)?)?;
    if found.len() != n_sensitivity {
        let detail = format!("{n_sensitivity} places for the derivatives, expected {}", found.len());
        return Err(Failure::error(detail));
    }
    output("sensitivity", sensitivity, n_sensitivity)?.copy_from_slice(&found);
    Ok(())
}
