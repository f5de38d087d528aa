//! Analyses of a state: equilibrium, minimal coordinates and linearisation, modes, compliance to loads.
//!
//! None of it is on the path of a step: matrices are dense and come from `system`, decompositions are nalgebra's.
//!
//! What may not live here: time schemes, and what is kept from one call to the next: an analysis is a function of a state.

pub mod compliance;
pub mod coordinates;
pub mod equilibrium;
pub mod linearization;
pub mod modes;
pub mod spectrum;
