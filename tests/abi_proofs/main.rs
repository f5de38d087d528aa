//! The ABI proofs: what programs that were compiled against `pintle.h` rely on, each proven by a named test
//! (`docs/abi.md` lists them). What the header says and how it compiles is in `tests/header.rs`.

#[path = "../common/programs.rs"]
mod programs;

mod contract;
mod floating_point;
mod host;
mod languages;
mod loader;
mod memory;
mod promises;
mod signatures;
mod symbols;
mod table;
mod threads;
mod wrapper;
