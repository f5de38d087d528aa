//! Hosts of MoorDyn on this library: physics, conventions, states, files, misuse, and the exported
//! symbols.

mod misuse;
mod outputs;
mod physics;
mod pinned;
mod random;
mod rods;
mod states;
mod symbols;
mod system;
