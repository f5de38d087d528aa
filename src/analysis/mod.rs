//! Analyses of a state: equilibrium, minimal coordinates and linearisation, modes, compliance to loads.
//!
//! None of it is on the path of a step: matrices are dense and come from `system`, decompositions are nalgebra's.

pub mod compliance;
pub mod coordinates;
pub mod equilibrium;
pub mod linearization;
pub mod modes;
pub mod spectrum;
