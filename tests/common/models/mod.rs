//! Models that several tests share.

pub mod heavy_top;
pub mod oc3;
pub mod structures;
