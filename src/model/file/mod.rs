//! Model files as text: TOML read into typed values that know their place, and numbers written so that they read back
//! bit for bit. What the keys mean stands in `simulation::model_file`.

mod reader;
pub(crate) mod writer;

pub(crate) use reader::{Document, End, Matrix, Table};

/// Version of the format, the value of the key `pintle_model`.
pub(crate) const VERSION: i64 = 1;
