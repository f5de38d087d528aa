//! Schemes of first-order form: explicit Runge-Kutta and Adams-Bashforth methods, with local steps too, and implicit formulas that
//! are iterated by relaxed substeps. `stage` evaluates rates and ends steps; `numbers` is what they add up.

pub mod adams_bashforth;
mod anderson;
mod growth;
pub mod local_time_step;
pub mod numbers;
mod relaxation;
pub mod runge_kutta;
pub mod semi_implicit;
pub mod stage;
