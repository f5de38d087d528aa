//! Mechanisms of the literature against references that share nothing with the library: closed-form
//! kinematics, minimal coordinates, elliptic functions, published numbers.

mod jet;
mod kane;

mod bricard;
mod contradictions;
mod double_pendulum;
mod four_bar;
mod governor;
mod redundancy;
mod slider_crank;
mod squeezer;
mod torque_free;
