//! Forces at the host's word: held loads and load callbacks. What acts between two places of the model lives in
//! `crate::elements`.

pub mod callback;
pub mod load;
mod secant;
