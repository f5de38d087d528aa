//! Hydrostatics of a straight piece of a circular cylinder under a plane water surface, in closed
//! form.
//!
//! The axis of a piece of length L starts at height z over the surface and rises by c per length.
//! The surface cuts a cross-section, R its radius, along a chord at the distance `u = z/e` of its
//! radius from the centre, `e = R sqrt(1 - c^2)`. With y the height of a point of the section over
//! its centre in units of e, whose distribution is `2/pi sqrt(1 - y^2)`, the parts of the section
//! in the water and their integrals are
//!
//! ```text
//! alpha(u) = P(y > u),   beta(u) = int_u^1 alpha,   gamma(u) = int_u^1 beta,   delta(u) = int_u^1 gamma.
//! ```
//!
//! The potential of buoyancy is `rho g A L` times the mean of `e beta(z/e)` along the axis. Flat
//! ends at right angles to the axis are part of it, because every point of the cylinder belongs to
//! one section.

use std::f64::consts::PI;

/// Added to `1 - c^2`: so the end of an upright cylinder enters the water within 3e-5 of its
/// radius, and derivatives are finite there. It changes moments of a cut by 1e-9.
const ROUNDED: f64 = 1e-9;

/// A piece whose ends differ in height by less than this part of its radius is integrated by
/// Gauss' points, because the closed form would cancel.
const LEVEL: f64 = 0.01;

/// Points and weights of Gauss on 0..1, exact for polynomials of degree 11.
const GAUSS: [(f64, f64); 6] = [
    (0.033_765_242_898_423_99, 0.085_662_246_189_585_17),
    (0.169_395_306_766_867_74, 0.180_380_786_524_069_3),
    (0.380_690_406_958_401_55, 0.233_956_967_286_345_52),
    (0.619_309_593_041_598_5, 0.233_956_967_286_345_52),
    (0.830_604_693_233_132_3, 0.180_380_786_524_069_3),
    (0.966_234_757_101_576, 0.085_662_246_189_585_17),
];

/// A straight piece of the axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// z, the height of its start over the surface.
    pub(super) z: f64,
    /// c, the rise of the axis over the surface per length.
    pub(super) c: f64,
    /// L.
    pub(super) length: f64,
    /// R.
    pub(super) radius: f64,
}

/// The potential of buoyancy over `rho g A`, and its derivatives by z and c.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Potential {
    /// U.
    pub(super) value: f64,
    /// U_z, U_c.
    pub(super) first: [f64; 2],
    /// U_zz, U_zc, U_cc.
    pub(super) second: [f64; 3],
}

/// Of a cross-section.
#[derive(Debug, Clone, Copy)]
struct Section {
    u: f64,
    alpha: f64,
    beta: f64,
    gamma: f64,
    delta: f64,
    /// `sqrt(1 - u^2)`, 0 where the surface does not cut it.
    root: f64,
}

impl Section {
    fn new(u: f64) -> Section {
        if u >= 1.0 {
            return Section { u, alpha: 0.0, beta: 0.0, gamma: 0.0, delta: 0.0, root: 0.0 };
        }
        let square = u * u;
        let (gamma, delta) = (0.5 * square + 0.125, -u * (square / 6.0 + 0.125));
        if u <= -1.0 {
            return Section { u, alpha: 1.0, beta: -u, gamma, delta, root: 0.0 };
        }
        let (root, angle) = ((1.0 - square).sqrt(), u.acos());
        Section {
            u,
            alpha: (angle - u * root) / PI,
            beta: (root * (2.0 + square) / 3.0 - u * angle) / PI,
            gamma: (gamma * angle - u * root * (13.0 + 2.0 * square) / 24.0) / PI,
            delta: (delta * angle + root * (16.0 + square * (83.0 + 6.0 * square)) / 360.0) / PI,
            root,
        }
    }

    /// `beta + u alpha`.
    fn kappa(&self) -> f64 {
        2.0 * self.root * self.root * self.root / (3.0 * PI)
    }
}

impl Piece {
    /// `e^2`, and its derivatives by c.
    fn e_squared(&self) -> [f64; 3] {
        let square = self.radius * self.radius;
        [square * ((1.0 - self.c * self.c).max(0.0) + ROUNDED), -2.0 * square * self.c, -2.0 * square]
    }

    /// Height of its end.
    fn end(&self) -> f64 {
        self.z + self.c * self.length
    }

    /// Which part of its first and last cross-sections is in the water.
    pub(super) fn ends(&self) -> [f64; 2] {
        let e = self.e_squared()[0].sqrt();
        [self.z, self.end()].map(|z| Section::new(z / e).alpha)
    }

    /// Integrals over its length of alpha, alpha s, alpha s^2, s measured from its start.
    pub(super) fn moments(&self) -> [f64; 3] {
        let (l, e) = (self.length, self.e_squared()[0].sqrt());
        let [a, b] = [self.z / e, self.end() / e];
        if a.max(b) <= -1.0 {
            return [l, l * l / 2.0, l * l * l / 3.0];
        }
        if a.min(b) >= 1.0 {
            return [0.0; 3];
        }
        if (b - a).abs() < LEVEL {
            let mut moments = [0.0; 3];
            self.each_point(e, &mut |s, weight, section| {
                let weight = weight * section.alpha;
                moments.iter_mut().zip([1.0, s, s * s]).for_each(|(sum, power)| *sum += weight * power);
            });
            return moments;
        }
        // By parts, u' = (b - a)/l.
        let (per, a, b) = (l / (b - a), Section::new(a), Section::new(b));
        [
            per * (a.beta - b.beta),
            per * (per * (a.gamma - b.gamma) - l * b.beta),
            per * (2.0 * per * (per * (a.delta - b.delta) - l * b.gamma) - l * l * b.beta),
        ]
    }

    /// The potential of buoyancy.
    pub(super) fn potential(&self) -> Potential {
        let (l, c, [square, slope, bend]) = (self.length, self.c, self.e_squared());
        let e = square.sqrt();
        let [highest, lowest] = [self.z.max(self.end()), self.z.min(self.end())];
        if lowest >= e {
            return Potential::default();
        }
        if highest <= -e {
            let value = -l * (self.z + 0.5 * c * l);
            return Potential { value, first: [-l, -0.5 * l * l], second: [0.0; 3] };
        }
        if highest - lowest < LEVEL * self.radius {
            return self.level(e, [square, slope, bend]);
        }
        // U = (G(z) - G(z + c l))/c, G = e^2 gamma(z/e), by the derivatives of its numerator.
        let (a, b) = (Section::new(self.z / e), Section::new(self.end() / e));
        let by_square = |s: &Section| s.gamma + 0.5 * s.u * s.beta;
        let by_both = |s: &Section| -s.kappa() / (2.0 * e);
        let twice_by_square = |s: &Section| s.u * s.kappa() / (4.0 * square);
        let d = square * (a.gamma - b.gamma);
        let [dz, dc] = [e * (b.beta - a.beta), slope * (by_square(&a) - by_square(&b)) + l * e * b.beta];
        let dzz = a.alpha - b.alpha;
        let dzc = slope * (by_both(&a) - by_both(&b)) - l * b.alpha;
        let dcc = bend * (by_square(&a) - by_square(&b)) + slope * slope * (twice_by_square(&a) - twice_by_square(&b))
            - 2.0 * slope * l * by_both(&b)
            - l * l * b.alpha;
        let value = d / c;
        let of_c = (dc - value) / c;
        Potential { value, first: [dz / c, of_c], second: [dzz / c, (dzc - dz / c) / c, (dcc - 2.0 * of_c) / c] }
    }

    /// The same by Gauss' points.
    #[cold]
    fn level(&self, e: f64, [square, slope, bend]: [f64; 3]) -> Potential {
        let mut sum = Potential::default();
        self.each_point(e, &mut |s, weight, section| {
            let Section { u, alpha, beta, root, .. } = *section;
            // e beta(z/e), and its derivatives by z and e^2.
            let by_square = section.kappa() / (2.0 * e);
            let twice_by_height = 2.0 * root / (PI * e);
            let by_both = -u * root / (PI * square);
            let twice_by_square = (u * u * root / (2.0 * PI) - 0.25 * section.kappa()) / (square * e);
            sum.value += weight * e * beta;
            sum.first[0] -= weight * alpha;
            sum.first[1] += weight * (by_square * slope - alpha * s);
            sum.second[0] += weight * twice_by_height;
            sum.second[1] += weight * (twice_by_height * s + by_both * slope);
            let by_slope = 2.0 * by_both * s * slope + twice_by_square * slope * slope + by_square * bend;
            sum.second[2] += weight * (twice_by_height * s * s + by_slope);
        });
        sum
    }

    /// Passes Gauss' points along its axis, with their weights and cross-sections, between places
    /// at which the surface begins or ends to cut it.
    #[cold]
    fn each_point(&self, e: f64, each: &mut dyn FnMut(f64, f64, &Section)) {
        let (start, rise) = (self.z / e, self.c * self.length / e);
        let cut = |u: f64| if rise == 0.0 { 0.0 } else { ((u - start) / rise).clamp(0.0, 1.0) };
        let [one, other] = [cut(-1.0), cut(1.0)];
        let places = [0.0, one.min(other), one.max(other), 1.0];
        for part in places.windows(2).filter(|part| part[1] > part[0]) {
            for (x, weight) in GAUSS {
                // A substitution without roots where the surface begins to cut the cylinder.
                let (mapped, rate) = (x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x));
                let tau = part[0] + (part[1] - part[0]) * mapped;
                let weight = weight * rate * (part[1] - part[0]) * self.length;
                each(tau * self.length, weight, &Section::new(start + rise * tau));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::noise::Noise;

    /// Random pieces of every kind: cut, dry, under water, nearly level, upright.
    fn pieces() -> Vec<Piece> {
        let mut noise = Noise(3);
        let mut pieces = Vec::new();
        for k in 0..400 {
            let c = match k % 4 {
                0 => noise.number() * 4e-3,
                1 => noise.number().signum() * (1.0 - 1e-3 * noise.number().abs()),
                _ => noise.number(),
            };
            let (length, radius) = (2.0 + noise.number(), 1.0 + 0.8 * noise.number());
            let z = -0.5 * c * length + noise.number() * (0.6 * c.abs() * length + 1.2 * radius * (1.0 - c * c).sqrt());
            pieces.push(Piece { z, c: c.clamp(-1.0, 1.0), length, radius });
        }
        pieces
    }

    /// Volume and first moments by sums over a cross-section and along the axis: the error of the
    /// sum is below 1e-3 of a section's share.
    #[test]
    fn moments_are_those_of_the_volume_in_the_water() {
        for piece in pieces().into_iter().take(60) {
            let (n, m) = (400, 400);
            let e = piece.radius * (1.0 - piece.c * piece.c).sqrt();
            let mut sums = [0.0; 3];
            for i in 0..n {
                let s = piece.length * (f64::from(i) + 0.5) / f64::from(n);
                for j in 0..m {
                    // Strips of the section at equal angles.
                    let angle = PI * (f64::from(j) + 0.5) / f64::from(m);
                    let weight = 2.0 * angle.sin().powi(2) / f64::from(m) * piece.length / f64::from(n);
                    let wet = if piece.z + piece.c * s + e * angle.cos() < 0.0 { weight } else { 0.0 };
                    sums.iter_mut().zip([1.0, s, s * s]).for_each(|(sum, power)| *sum += wet * power);
                }
            }
            for ((found, sum), scale) in piece.moments().into_iter().zip(sums).zip([1.0, 2.0, 5.0]) {
                assert!((found - sum).abs() < 1e-2 * piece.length * scale, "{piece:?}: {found} {sum}");
            }
        }
    }

    /// Central differences of step 1e-6 have rounding errors of 1e-9, and truncation errors of
    /// 1e-12 times third derivatives, of up to 1e5 for upright pieces.
    #[test]
    fn derivatives_are_those_of_the_potential() {
        let mut checked = 0;
        for piece in pieces() {
            let h = 1e-6;
            let at = |dz: f64, dc: f64| Piece { z: piece.z + dz, c: piece.c + dc, ..piece }.potential();
            let own = piece.potential();
            let (z, c) = ([at(h, 0.0), at(-h, 0.0)], [at(0.0, h), at(0.0, -h)]);
            // Beyond an upright axis there is nothing; and third derivatives have no bound where a
            // face of an upright cylinder, or the side of a level one, touches the surface.
            let e = piece.e_squared()[0].sqrt();
            let touches = [piece.z, piece.end()].iter().any(|z| (z.abs() / e - 1.0).abs() < 0.02);
            if piece.c.abs() > 0.99 || touches {
                continue;
            }
            checked += 1;
            let difference =
                |pair: &[Potential; 2], of: fn(&Potential) -> f64| (of(&pair[0]) - of(&pair[1])) / (2.0 * h);
            let first = [difference(&z, |p| p.value), difference(&c, |p| p.value)];
            let second =
                [difference(&z, |p| p.first[0]), difference(&z, |p| p.first[1]), difference(&c, |p| p.first[1])];
            let size = 1.0 + own.second.iter().fold(0.0f64, |size, x| size.max(x.abs()));
            for k in 0..2 {
                assert!((own.first[k] - first[k]).abs() < 2e-8 * size, "{piece:?}: {:?} {first:?}", own.first);
            }
            for k in 0..3 {
                assert!((own.second[k] - second[k]).abs() < 1e-6 * size, "{piece:?}: {:?} {second:?}", own.second);
            }
        }
        assert!(checked > 230, "{checked}");
    }

    /// The moment about the start of a piece that pierces the surface has the textbook's waterplane
    /// term: `A h^2/2 + I (1 + tan^2/2)` with I = A R^2/4.
    #[test]
    fn a_pierced_piece_has_the_moment_of_the_waterplane() {
        for c in [0.3, 0.7, 0.95] {
            let piece = Piece { z: -6.0 * c, c, length: 10.0, radius: 0.5 };
            let (h, tangent) = (6.0, (1.0 - c * c) / (c * c));
            let expected = 0.5 * h * h + 0.25 * 0.25 * (1.0 + 0.5 * tangent);
            let found = -piece.potential().first[1];
            // 1e-9 of the term of the waterplane is added by ROUNDED.
            assert!((found / expected - 1.0).abs() < 1e-9, "{found} {expected}");
        }
    }

    /// Closed form and Gauss' points agree where one takes the place of the other, and pieces in
    /// series are one piece.
    #[test]
    fn level_pieces_and_parts_of_pieces_agree() {
        for piece in pieces() {
            let e = piece.e_squared();
            let (own, by_points) = (piece.potential(), piece.level(e[0].sqrt(), e));
            let rise = piece.c.abs() * piece.length / piece.radius;
            if rise < 0.03 {
                assert!((own.value - by_points.value).abs() < 1e-7 * piece.length * piece.radius, "{piece:?}");
                assert!((own.first[1] - by_points.first[1]).abs() < 1e-6 * piece.length, "{piece:?}");
            }
            let half = Piece { length: 0.5 * piece.length, ..piece };
            let other = Piece { z: piece.z + half.length * piece.c, ..half };
            let sum = half.potential().value + other.potential().value;
            assert!((own.value - sum).abs() < 1e-7 * piece.length * piece.radius, "{piece:?}: {} {sum}", own.value);
        }
    }
}
