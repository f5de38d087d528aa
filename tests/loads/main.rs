//! What acts on bodies and points: loads and callbacks of the host, springs, bushings, ropes, the
//! fluid.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/heap.rs"]
mod heap;

mod beam_cases;
mod beam_loads;
mod beams;
mod bushing_tables;
mod bushings;
mod callbacks;
mod capstan;
mod contact_resistance;
mod contacts;
mod coupled_callbacks;
mod currents;
mod cylinders;
mod damped_ropes;
mod fluid;
mod fluid_coefficients;
mod free_body;
mod host;
mod in_water;
mod kinks;
mod machine_cases;
mod mean_tensions;
mod oc3_hywind;
mod platform;
mod points;
mod random_contacts;
mod ropes;
mod rotating;
mod sheaves;
mod spring_tables;
mod springs;
mod tendons;
mod unknown_added_mass;
mod warnings;
mod waves;
mod woodpecker;
