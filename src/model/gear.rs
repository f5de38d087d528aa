//! A gear: the coordinates of two or more joints move in a fixed relation.

/// `sum of c_i (q_i - q_i0) = 0`, q the coordinates of joints and q0 those at the initial poses.
#[derive(Debug, Clone)]
pub struct Gear {
    /// Its joints: different ones, each with a coordinate.
    pub joints: Vec<usize>,
    /// The coefficient of each, not zero.
    pub coefficients: Vec<f64>,
}

impl Gear {
    /// Of two joints, `q_b - q_b0 = ratio (q_a - q_a0)`.
    pub fn of_two(joints: [usize; 2], ratio: f64) -> Gear {
        Gear { joints: joints.into(), coefficients: vec![-ratio, 1.0] }
    }

    /// The coefficients over that of the last joint.
    pub fn rates(&self) -> impl Iterator<Item = f64> {
        let last = self.coefficients.last().copied().unwrap_or(1.0);
        self.coefficients.iter().map(move |coefficient| coefficient / last)
    }

    /// The joints and the ratio of a gear of two.
    pub fn two(&self) -> Option<([usize; 2], f64)> {
        let joints = self.joints[..].try_into().ok()?;
        Some((joints, -self.rates().next()?))
    }
}
