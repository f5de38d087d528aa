//! Mooring lines against references that know nothing of the library: closed forms, chains of masses by Runge-Kutta.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/heap.rs"]
mod heap;

mod carriers;
mod catenary;
mod descriptions;
mod equilibria;
mod evaluation;
mod explicit;
mod failed_steps;
mod frequencies;
mod hosts;
mod invariance;
mod iteration;
mod kept;
mod models;
mod mooring;
mod motion;
mod oc3_mooring;
mod quantities;
mod reference;
mod rest;
mod snapping;
mod statics;
mod told_water;
mod variants;
mod water;
mod winches;
