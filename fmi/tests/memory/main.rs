//! Memory of instances: steps ask for none; each request to malloc refused in turn is a status, and the instance goes on.

#[path = "../../../tests/common/heap.rs"]
mod heap;
mod refusals;
mod steps;
#[path = "../fmu/unit.rs"]
#[allow(dead_code)] // every test takes what it needs
mod unit;
