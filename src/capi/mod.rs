//! The C API: a thin layer that converts C arguments to checked Rust values, and Rust errors to
//! status and message.
//!
//! One file per section of the header; an entry is a few lines that name it, convert its arguments
//! and call the [`Simulation`](crate::Simulation). All `unsafe` blocks are in `boundary`,
//! `arguments` and `host`. The list below is the order of the header.
//!
//! What may not live here: physics, mathematics, decisions about phases. Only the exports of the
//! crate's root are used, and the pure functions of [`spatial`](crate::spatial) for calls without a
//! system; nothing below `simulation`.
//!
//! To add a function: write it in its section's file, and run `scripts/generate`; `docs/abi.md` has
//! the steps.

// C names; and the obligations of callers are one contract for all entries: the head of
// include/pintle.h.
#![allow(non_camel_case_types, clippy::missing_safety_doc, clippy::too_many_arguments)]
// rustdoc takes the sizes of arrays that comments tell cbindgen, `[[pose;7]]`, for links.
#![allow(rustdoc::broken_intra_doc_links)]

pub mod status;

mod arguments;
pub mod boundary;
pub mod breaking;
mod last_error;

/// cbindgen:ignore
mod floating_point;

/// cbindgen:ignore
mod thread;

pub mod host;

pub mod contacts;
pub mod elements;
pub mod events;

pub mod beam_loads;
pub mod beams;

pub mod clutches;
pub mod gears;
pub mod joint_tables;
pub mod line_changes;
pub mod line_clamps;
pub mod lines;
pub mod machines;
pub mod points;
pub mod tendons;
pub mod viscoelastic;

pub mod water;
pub mod waves;

pub mod library;
pub mod life_cycle;
pub mod model;

pub mod names;
pub mod shapes;

pub mod fluid;

pub mod model_file;
pub mod settings;

pub mod introspection;

pub mod given;
pub mod inputs;
pub mod stepping;

pub mod channels;
pub mod outputs;
pub mod state;

pub mod rotation;

pub mod analysis;
pub mod interface;

pub mod api_table;

/// cbindgen:ignore
#[cfg(feature = "test-panic")]
pub mod test_panic;

/// cbindgen:ignore
#[cfg(test)]
mod boundary_tests;
