//! Mooring lines against independent references: closed forms, and lumped-mass chains integrated by
//! Runge-Kutta 4.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/heap.rs"]
mod heap;

mod bathymetry;
mod bending;
mod carriers;
mod catenary;
mod clamps;
mod descriptions;
mod energy;
mod equilibria;
mod evaluation;
mod explicit;
mod failed_steps;
mod failures;
mod frequencies;
mod hosts;
mod invariance;
mod iteration;
mod kept;
mod models;
mod mooring;
mod motion;
mod oc3_mooring;
mod placing;
mod pressure;
mod quantities;
mod reference;
mod rest;
mod snapping;
mod statics;
mod stiffness;
mod syrope;
mod told_water;
mod variants;
mod viscoelastic;
mod water;
mod winches;
