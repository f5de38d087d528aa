//! A failed allocation is a status: every call of the C API, with each of its requests to malloc refused in turn, alone or
//! with all that follow, either succeeds or returns PINTLE_ERR_OUT_OF_MEMORY and changes nothing; nothing ends the process.

mod bounds;
mod later;
mod models;
mod sweep;
