//! The C ABI: the contract of the header, what compiled programs rely on (`docs/abi.md` lists it),
//! bad input, panics.

#[path = "../common/mod.rs"]
mod common;

mod bad_input;
mod contract;
mod finite;
mod floating_point;
mod functions;
mod header;
mod host;
mod julia;
mod languages;
mod loader;
mod memory;
#[cfg(feature = "test-panic")]
mod panic_injection;
mod promises;
mod signatures;
mod statuses;
mod symbols;
mod table;
mod threads;
mod wrapper;
