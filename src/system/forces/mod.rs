//! Force elements: loads of the host, springs, bushings. A new one is one file here and one line in `System::assemble`.

pub mod bushing;
pub mod load;
pub mod spring;
