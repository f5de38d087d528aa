//! FMUs as an importer uses them: the exported functions, called in the order of a co-simulation
//! master, in both standards.

mod derivatives;
mod misuse;
mod packages;
mod parameters;
mod places;
mod runs;
mod unit;
