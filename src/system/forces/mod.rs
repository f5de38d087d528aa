//! Load callbacks: forces at the host's word, asked for inside the iteration.

pub mod callback;
mod secant;
