//! Points: masses without rotation, places fixed in space or on bodies, and springs between them.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/heap.rs"]
mod heap;

mod analyses;
mod hostile;
mod invariance;
mod kept;
mod models;
mod motion;
mod supports;
