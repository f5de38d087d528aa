//! Time schemes: order, stability, energy, the formulas of their books; how Newton stops and what
//! happens when it does not.

#[path = "../common/mod.rs"]
mod common;

mod amplification;
mod changing_steps;
mod conservation;
mod divergence;
mod every_call_returns;
mod families;
mod forests;
mod heavy_top;
mod imposed_jumps;
mod jumps;
mod linear;
mod linear_supports;
mod local;
mod local_failures;
mod models;
mod momentum;
mod no_convergence;
mod options;
mod order;
mod order_special;
mod pendulum;
mod problems;
mod relaxation;
mod rounding;
mod spectrum;
mod spin;
mod stability;
mod starts;
mod tolerance;
mod torn;
mod turning;
