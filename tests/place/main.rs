//! Where a model is, about which points it is described and in which units: nothing of its motion depends on it.

#[path = "../common/mod.rs"]
mod common;

mod analyses;
mod far;
mod model;
mod reference;
