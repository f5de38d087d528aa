//! Numbers that look random and are the same in every run.

use super::algebra::*;

/// Knuth's 64-bit linear congruence, from a seed.
pub struct Random(pub u64);

impl Random {
    fn advance(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0
    }

    /// A number in [-1, 1).
    pub fn signed(&mut self) -> f64 {
        (self.advance() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Numbers in [-1, 1).
    pub fn many<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.signed())
    }

    /// An orientation.
    pub fn turn(&mut self) -> Quat {
        unit(self.many())
    }

    /// A place within 10 of the origin, and an orientation.
    pub fn pose(&mut self) -> [f64; 7] {
        let q = self.turn();
        pose(scale(10.0, self.many()), q)
    }

    /// A symmetric positive definite matrix, A^T A + 1.
    pub fn definite(&mut self) -> [f64; 36] {
        let a: [f64; 36] = self.many();
        let product = |i: usize, j: usize| (0..6).map(|l| a[6 * i + l] * a[6 * j + l]).sum::<f64>();
        std::array::from_fn(|k| product(k % 6, k / 6) + f64::from(u8::from(k % 7 == 0)))
    }

    /// A whole number below 2^31.
    pub fn whole(&mut self) -> u64 {
        self.advance() >> 33
    }

    /// A whole number below n.
    pub fn below(&mut self, n: usize) -> usize {
        self.whole() as usize % n
    }
}
