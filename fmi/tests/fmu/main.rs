//! FMUs in the hands of an importer: the exported functions, called as a master calls them, in both standards.

mod derivatives;
mod misuse;
mod packages;
mod places;
mod runs;
mod unit;
