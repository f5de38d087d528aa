//! The C ABI as data, for tests that must not forget a function: `header` reads what
//! include/pintle.h declares, `calls` calls each function, `table` says what its parameters are,
//! `world` has the systems that it is called on.
#![allow(dead_code)] // every test file takes what it needs

pub mod calls;
pub mod header;
pub mod table;
pub mod world;

use header::{Declared, declared};
use table::{CANNOT_FAIL, Function, functions};

/// Each function that can fail, with what the header says about it.
pub fn subjects() -> Vec<(Function, Declared)> {
    let can_fail = |d: &Declared| CANNOT_FAIL.iter().all(|(name, _)| d.name != *name);
    let pairs: Vec<_> = functions().into_iter().zip(declared().into_iter().filter(can_fail)).collect();
    assert!(pairs.iter().all(|(function, declared)| function.name == declared.name), "the table is not the header");
    pairs
}

pub fn subject(name: &str) -> (Function, Declared) {
    subjects().into_iter().find(|(function, _)| function.name == name).expect("a function of the table")
}
