//! The elastic catenary in closed form, and that it solves its differential equation.

use crate::common::*;

/// A line of unstretched length L, weight w per length in water and stiffness EA, under the forces
/// H and V of its upper end: off the bed where V > w L, else on it for the rest of its length.
#[derive(Debug, Clone, Copy)]
pub struct Catenary {
    pub w: f64,
    pub ea: f64,
    pub length: f64,
    pub h: f64,
    pub v: f64,
    pub bed: bool,
}

impl Catenary {
    /// Horizontal and vertical distance from the lower end at the unstretched length s.
    pub fn at(&self, s: f64) -> [f64; 2] {
        let Catenary { w, ea, length, h, v, .. } = *self;
        let below = v - w * length;
        let lies = if self.bed { (-below / w).max(0.0) } else { 0.0 };
        if s <= lies {
            return [s * (1.0 + h / ea), 0.0];
        }
        let (start, here) = (if lies > 0.0 { 0.0 } else { below }, v - w * (length - s));
        let x = h / w * ((here / h).asinh() - (start / h).asinh()) + h * s / ea + lies;
        let z =
            h / w * ((here / h).hypot(1.0) - (start / h).hypot(1.0)) + (here * here - start * start) / (2.0 * w * ea);
        [x, z]
    }

    /// Forces of the line on what holds its lower and upper end: away from the end along the line.
    pub fn end_forces(&self) -> [[f64; 2]; 2] {
        let below = self.v - self.w * self.length;
        [[self.h, if self.bed { below.max(0.0) } else { below }], [-self.h, -self.v]]
    }

    /// The catenary over given spans: V by bisection within a bisection for H.
    pub fn over(spans: [f64; 2], length: f64, w: f64, ea: f64, bed: bool) -> Catenary {
        let with = |h: f64| {
            let of = |v: f64| Catenary { w, ea, length, h, v, bed };
            let v = bisect(|v| of(v).at(length)[1] - spans[1], if bed { 1e-9 } else { -10.0 * w * length }, 10.0 * ea);
            of(v)
        };
        with(bisect(|h| with(h).at(length)[0] - spans[0], 1e-3, 10.0 * ea))
    }
}

/// The zero of a rising function.
pub fn bisect(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let mid = 0.5 * (low + high);
        if f(mid) < 0.0 { low = mid } else { high = mid }
    }
    0.5 * (low + high)
}

/// dx/ds = cos (1 + T/EA), dz/ds = sin (1 + T/EA) with the tension from the weight below.
#[test]
fn the_closed_form_solves_the_differential_equation() {
    for (bed, v) in [(false, 4e5), (false, 1e5), (true, 2e5)] {
        let one = Catenary { w: 700.0, ea: 4e7, length: 500.0, h: 1.5e5, v, bed };
        let rate = |s: f64| {
            let mut below = one.v - one.w * (one.length - s);
            if bed {
                below = below.max(0.0);
            }
            let t = one.h.hypot(below);
            [(one.h, 0), (below, 1)].map(|(f, _)| f / t * (1.0 + t / one.ea))
        };
        let n = 20_000;
        let ds = one.length / n as f64;
        let mut sum = [0.0; 2];
        for k in 0..n {
            let at = rate((k as f64 + 0.5) * ds);
            sum = [sum[0] + ds * at[0], sum[1] + ds * at[1]];
        }
        // Midpoint rule: L ds^2/24 times curvature w^2/H^2.
        assert_close(&format!("{bed} {v}"), &sum, &one.at(500.0), 500.0 * ds * ds * (700.0f64 / 1.5e5).powi(2));
    }
    let one = Catenary::over([848.67, 250.0], 902.2, 698.094, 384.243e6, true);
    assert_close("spans", &one.at(902.2), &[848.67, 250.0], 1e-9);
    assert!(one.v < one.w * one.length, "part of it lies");
}
