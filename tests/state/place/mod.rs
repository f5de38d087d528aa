//! Where a model is, about which points it is described and in which units: nothing of its motion
//! depends on it.

mod analyses;
mod far;
mod model;
mod reference;
