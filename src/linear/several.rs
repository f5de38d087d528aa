//! Several right-hand sides in one pass: what substitutions do to a number, they do to four side by side, one in each lane of the
//! processor's registers. Each lane has the bits that a solution by itself has.

/// One right-hand side's number, or those of several.
pub trait Number: Copy {
    /// Zero.
    const ZERO: Self;

    /// `self + other`.
    fn plus(self, other: Self) -> Self;

    /// `self - other`.
    fn minus(self, other: Self) -> Self;

    /// `factor self`.
    fn times(self, factor: f64) -> Self;
}

impl Number for f64 {
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
pub struct Four(pub [f64; 4]);

impl Number for Four {
    const ZERO: Four = Four([0.0; 4]);

    #[inline(always)]
    fn plus(self, other: Four) -> Four {
        let (Four([a, b, c, d]), Four([e, f, g, h])) = (self, other);
        Four([a + e, b + f, c + g, d + h])
    }

    #[inline(always)]
    fn minus(self, other: Four) -> Four {
        let (Four([a, b, c, d]), Four([e, f, g, h])) = (self, other);
        Four([a - e, b - f, c - g, d - h])
    }

    #[inline(always)]
    fn times(self, factor: f64) -> Four {
        let Four([a, b, c, d]) = self;
        Four([a * factor, b * factor, c * factor, d * factor])
    }
}
