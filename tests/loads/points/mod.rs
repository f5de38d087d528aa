//! Points: masses without rotation, places fixed in space or on bodies, and springs between them.

mod analyses;
mod hostile;
mod invariance;
mod kept;
mod models;
mod motion;
mod supports;
