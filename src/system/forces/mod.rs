//! Force elements: loads of the host, load callbacks, springs, bushings. A new one is one file here and one line in `System::assemble`.

pub mod bushing;
pub mod callback;
pub mod load;
mod secant;
pub mod spring;
