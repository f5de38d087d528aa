//! The Fortran interface: `include/pintle_raw.f90` is generated from the header and agrees with it,
//! `include/pintle.f90` is based on it and has every function, wrong calls do not compile, the
//! examples compute the same results as their C versions.
//!
//! The tests need gfortran and gcc, and fail without them: `scripts/setup --install gcc gfortran`
//! installs both.

mod agreement;
mod compile;
mod hosts_page;
mod programs;
mod raw_module;
mod toolchain;
