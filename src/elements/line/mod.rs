//! Mooring lines: lumped masses on the nodes of a line, springs and dampers between them, water and
//! seabed around them.
//!
//! Model of Hall, Goupee (2015), Ocean Engineering 104, 590, derived anew in docs/mooring.md. A
//! line of N segments has the nodes 0..=N; node 0 is end A, node N is end B. What is told of them
//! is how they move; the answer is the residual `r = M a - F` of each node and the blocks of its
//! tangents. What carries the ends, and where unknowns stand, `system` knows.

mod algebra;
mod axial;
mod bathymetry;
mod bending;
mod bending_over;
mod catenary;
mod chain;
mod checks;
mod corrections;
mod crossing;
mod current_grid;
mod descent;
mod description;
mod energy;
mod evaluation;
mod grid;
mod lanes;
mod node_loads;
mod over;
mod pair;
mod point;
mod pressure;
mod seabed;
mod statics;
mod sweep;
mod syrope;
mod syrope_step;
mod table;
mod viscoelastic;
mod water;

#[cfg(test)]
mod evaluation_tests;
#[cfg(test)]
mod over_tests;
#[cfg(test)]
mod point_tests;
#[cfg(test)]
mod statics_tests;
#[cfg(test)]
mod surface_tests;
#[cfg(test)]
mod tangent_tests;

pub use bathymetry::Bathymetry;
pub use bending::{JoinedEnd, Joint, JointOver};
pub use chain::{Bound, Bounds, Chain};
pub use checks::{ENVIRONMENT_KEYS, check_positive};
pub use current_grid::CurrentGrid;
pub use description::{Clamped, Line, LineType, Water};
pub use energy::Energies;
pub use evaluation::{Around, Clamp, ClampOver, EndColumns, Evaluation, Factors, Fluid, Motions, Over};
pub use node_loads::NODE_LOADS;
pub use over::Damped;
pub use point::{PointWater, WetPoint};
pub use seabed::{Push, Seabed};
pub use statics::{Settled, Statics, Unsettled};
pub use syrope::{Syrope, WorkingCurve};
pub use table::Table;
pub use viscoelastic::{Slow, Viscoelastic};
pub use water::current;
