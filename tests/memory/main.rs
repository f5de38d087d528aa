//! Memory: steps allocate nothing, other calls allocate in proportion to the model, a failed
//! allocation returns a status.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/heap.rs"]
mod heap;

mod allocation;
mod growth;
mod out_of_memory;
