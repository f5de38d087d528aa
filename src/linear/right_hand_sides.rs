//! Several right-hand sides at once: substitution processes the same unknown of four right-hand
//! sides in four SIMD lanes. Each lane gives the same bits as a solution with one right-hand side.

/// The same unknown of one right-hand side (`f64`), or of four ([`Rhs4`]).
pub trait RhsEntry: Copy {
    /// Zero.
    const ZERO: Self;

    /// `self + other`.
    fn plus(self, other: Self) -> Self;

    /// `self - other`.
    fn minus(self, other: Self) -> Self;

    /// `factor self`.
    fn times(self, factor: f64) -> Self;
}

impl RhsEntry for f64 {
    const ZERO: f64 = 0.0;

    #[inline(always)]
    fn plus(self, other: f64) -> f64 {
        self + other
    }

    #[inline(always)]
    fn minus(self, other: f64) -> f64 {
        self - other
    }

    #[inline(always)]
    fn times(self, factor: f64) -> f64 {
        factor * self
    }
}

/// The same unknown of four right-hand sides.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(32))]
pub struct Rhs4(pub [f64; 4]);

impl RhsEntry for Rhs4 {
    const ZERO: Rhs4 = Rhs4([0.0; 4]);

    #[inline(always)]
    fn plus(self, other: Rhs4) -> Rhs4 {
        let (Rhs4([a, b, c, d]), Rhs4([e, f, g, h])) = (self, other);
        Rhs4([a + e, b + f, c + g, d + h])
    }

    #[inline(always)]
    fn minus(self, other: Rhs4) -> Rhs4 {
        let (Rhs4([a, b, c, d]), Rhs4([e, f, g, h])) = (self, other);
        Rhs4([a - e, b - f, c - g, d - h])
    }

    #[inline(always)]
    fn times(self, factor: f64) -> Rhs4 {
        let Rhs4([a, b, c, d]) = self;
        Rhs4([a * factor, b * factor, c * factor, d * factor])
    }
}
