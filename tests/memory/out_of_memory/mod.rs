//! A failed allocation returns a status: every call of the C ABI, with each of its allocations
//! failing in turn, alone or with all later ones, either succeeds or returns
//! PINTLE_ERR_OUT_OF_MEMORY and changes nothing; none ends the process.

mod bounds;
mod later;
mod models;
mod sweep;
