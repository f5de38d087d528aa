//! Programs as users build and run them: the C examples, ensembles, the installation with its two
//! builds, an example in C#, the measurements of other codes.

#[path = "../common/mod.rs"]
mod common;

mod builds;
mod c_programs;
mod csharp;
mod ensembles;
mod install;
mod limit;
mod peers;
