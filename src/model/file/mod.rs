//! Model files as text: TOML parsed into typed values with their locations, and numbers written so
//! that they read back bit for bit. `simulation::model_file` has the meaning of the keys.

mod placement;
mod reader;
pub(crate) mod writer;

pub(crate) use placement::PLACEMENT;
pub(crate) use reader::{Along, Document, End, Matrix, Table};

/// Version of the format, the value of the key `pintle_model`.
pub(crate) const VERSION: i64 = 1;
