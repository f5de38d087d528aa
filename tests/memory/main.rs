//! Memory: steps allocate nothing, calls ask for what is in proportion to the model, a failed allocation is a status.

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/heap.rs"]
mod heap;

mod allocation;
mod growth;
mod out_of_memory;
