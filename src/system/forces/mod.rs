//! Load callbacks: forces that the host computes inside the iteration.

pub mod callback;
mod secant;
