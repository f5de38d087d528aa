//! Analyses of a state: equilibrium, minimal coordinates and linearisation, modes, compliance to
//! loads.
//!
//! Time steps do not use these: matrices are dense and come from `system`, decompositions are
//! nalgebra's.
//!
//! What may not live here: time schemes, and data that is kept between calls: an analysis is a
//! function of a state.

mod bending;
pub mod compliance;
pub mod coordinates;
pub mod equilibrium;
pub mod linearization;
pub mod modes;
mod pose;
pub mod spectrum;
pub mod turning;
