//! A failed allocation is a status: every call of the C API, with each of its requests to malloc refused in turn, alone or
//! with all that follow, either succeeds or returns PINTLE_ERR_OUT_OF_MEMORY and changes nothing; nothing ends the process.

mod bounds;
#[path = "../common/mod.rs"]
mod common;
#[path = "../common/heap.rs"]
mod heap;
mod later;
mod models;
mod sweep;
