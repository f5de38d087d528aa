//! The repository as a reader finds it: pages, generated files, the layers of the source.

#[path = "../common/mod.rs"]
mod common;

mod generated;
mod layering;
mod pages;
mod scheme_page;
