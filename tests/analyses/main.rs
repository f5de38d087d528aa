//! Equilibria, linearisation, modes and the interface Jacobian against statics, finite differences
//! and textbook formulas.

#[path = "../common/mod.rs"]
mod common;

mod compliance;
mod equilibrium;
mod inputs;
mod linearization;
mod modes;
