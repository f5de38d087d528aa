//! The state of a run and what can be read of it: trials, saved states, clones, channels; nothing
//! depends on where a model is.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/heap.rs"]
mod heap;

mod channels;
mod clock;
mod clones;
mod combinations;
mod every_scheme;
mod files;
mod held_inputs;
mod introspection;
mod long_calls;
mod model;
mod other_runs;
mod place;
mod rollback;
mod trial_inputs;
mod tried;
