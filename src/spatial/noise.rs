//! Numbers for tests at random states, the same in every run.

use super::{Mat6, Pose, Vec3, Vec6, rotation};

/// Deterministic numbers in (-1, 1).
pub struct Noise(pub u64);

impl Noise {
    /// The next one.
    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Three of them.
    pub fn vec3(&mut self) -> Vec3 {
        Vec3::from_fn(|_, _| self.number())
    }

    /// Six of them.
    pub fn vec6(&mut self) -> Vec6 {
        Vec6::from_fn(|_, _| self.number())
    }

    /// A matrix of them.
    pub fn mat6(&mut self) -> Mat6 {
        Mat6::from_fn(|_, _| self.number())
    }

    /// Axes turned by up to 2.6 rad at a place among them.
    pub fn pose(&mut self) -> Pose {
        Pose { position: self.vec3(), rotation: rotation::exp(&(self.vec3() * 1.5)) }
    }
}
