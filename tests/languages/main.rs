//! The library from Fortran and from the adapters of `hosts/`.

#[path = "../common/mod.rs"]
mod common;

mod fortran;
mod hosts;
