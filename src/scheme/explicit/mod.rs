//! Schemes of first-order form: explicit Runge-Kutta and Adams-Bashforth methods, also with local
//! steps, and implicit formulas that are solved by relaxed substeps. `stage` evaluates rates and
//! completes steps; `numbers` has the vectors of these schemes.

pub mod adams_bashforth;
mod anderson;
mod growth;
pub mod local_time_step;
pub mod numbers;
mod relaxation;
pub mod runge_kutta;
pub mod semi_implicit;
pub mod stage;
