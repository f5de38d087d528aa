//! The step of generalized-alpha and its family, as Table 1 of Bruls, Cardona, Arnold (2012) has
//! it: a verb a line.
//!
//! `generalized_alpha` has the verbs; `start` says where a step starts, `predictor` what is carried
//! on from the last steps, `energy` carries forces of elements in energy form, `half_turn` lets
//! accelerations turn with bodies on those whose axes turn, `filter` damps what
//! alternates normal to constraints, `momentum` and `turn` integrate rotations by their angular
//! momentum (momentum-alpha), `linear` is the step on a model frozen at its initial state. None of
//! these files knows of iterations that fail, of lines that go slack or of steps that are cut:
//! `control` does.

pub mod energy;
pub mod filter;
pub mod generalized_alpha;
pub mod half_turn;
pub mod linear;
pub mod momentum;
mod parameters;
mod predictor;
pub mod start;
mod turn;

pub use parameters::Parameters;
