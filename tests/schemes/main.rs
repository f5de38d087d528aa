//! The time schemes against the formulas of their books.

#[path = "../common/mod.rs"]
mod common;
mod models;
mod problems;

mod amplification;
mod divergence;
mod families;
mod jumps;
mod linear;
mod linear_supports;
mod local;
mod local_failures;
mod momentum;
mod order;
mod order_special;
mod relaxation;
mod spectrum;
mod stability;
