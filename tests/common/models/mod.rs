//! Models that several tests share.

pub mod structures;
