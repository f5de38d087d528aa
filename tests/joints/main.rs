//! Joints, drives, gears, prescribed bodies and the mechanisms made of them, against closed forms
//! and minimal coordinates.

#[path = "../common/mod.rs"]
mod common;

mod at_rest;
mod balance;
mod breaking;
mod changed_drives;
mod changed_machines;
mod changed_models;
mod changed_springs;
mod changed_tables;
mod clutches;
mod coordinates;
mod counting;
mod couplings;
mod damper_tables;
mod drives;
mod fixed;
mod friction_loads;
mod geared_drives;
mod gears;
mod kinds;
mod machines;
mod mechanisms;
mod motions;
mod numbering;
mod point_masses;
mod prescribed;
mod prescribed_mechanisms;
mod random_machines;
mod redundant_supports;
mod rolling;
mod singular;
mod slides;
mod spring_tables;
mod two_bodies;
