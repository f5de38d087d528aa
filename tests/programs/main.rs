//! Programs as users build and run them: the C examples, ensembles, the installation with its two
//! builds, examples in C# and for MATLAB, the measurements of other codes.

#[path = "../common/mod.rs"]
mod common;

mod builds;
mod c_programs;
mod csharp;
mod ensembles;
mod install;
mod limit;
mod octave;
mod peers;
