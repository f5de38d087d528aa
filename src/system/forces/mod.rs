//! Load callbacks: forces that the host computes inside the iteration.

pub mod asking;
pub mod callback;
mod secant;
