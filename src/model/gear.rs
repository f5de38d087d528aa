//! A gear: the coordinates of two joints move in a fixed ratio.

/// `q_b - q_b0 = ratio (q_a - q_a0)`, q the coordinates of two joints and q0 those at the initial
/// poses.
#[derive(Debug, Clone)]
pub struct Gear {
    /// The joints a and b: two different ones, each with a coordinate.
    pub joints: [usize; 2],
    /// Rate of b over rate of a, not zero.
    pub ratio: f64,
}
