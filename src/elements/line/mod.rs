//! Mooring lines: lumped masses on the nodes of a line, springs and dampers between them, water and seabed around them.
//!
//! Model of Hall, Goupee (2015), Ocean Engineering 104, 590, derived anew in docs/mooring.md. A line of N segments has the
//! nodes 0..=N; node 0 is end A, node N is end B. What is told of them is how they move; the answer is the residual
//! `r = M a - F` of each node and the blocks of its tangents. What carries the ends, and where unknowns stand, `system` knows.

mod checks;
mod description;
mod evaluation;

pub use checks::{ENVIRONMENT_KEYS, check_positive};
pub use description::{Line, LineType, Table, Water};
pub use evaluation::{Around, EndColumns, Evaluation, Factors, Fluid, Motions};
