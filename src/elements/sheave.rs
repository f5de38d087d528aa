//! Sheaves that a tendon runs over: its path, the gradient of its length, and the derivatives of
//! that.
//!
//! Sheave k has the centre c, the axis n that turns with its body, and the radius r; the rope runs
//! right-handed about n. A part of the rope leaves the sheave at c_a + r_a e_a and arrives at the
//! next one at c_b + r_b e_b, where it is a tangent as seen along each axis. With t = n x e, D from
//! the one point to the other, s = |D|, u = D/s, and angles phi of e on the bodies, the length is
//! the sum over parts of
//!
//! ```text
//! s + r_a phi_a - r_b phi_b,   e_a . D = 0,   e_b . D = 0.
//! ```
//!
//! Its gradient is that of s + r_a phi_a - r_b phi_b + l_a e_a . D + l_b e_b . D at given phi, with
//! the multipliers l for which this does not change with phi: with f = u + l_a e_a + l_b e_b,
//!
//! ```text
//! -f on c_a,   e_a x (l_a D - r_a f) on the rotation of a,   f on c_b,   e_b x (l_b D + r_b f) on that of b.
//! ```
//!
//! The multipliers are zero where the rope runs in the plane of the sheave. An eye is a sheave of
//! radius 0, without e. The moments about n of both parts at a sheave are -r and r: it turns freely
//! under the rope.

use super::line::check_positive;
use super::{MOST_NODES, Site, check_not_negative};
use crate::error::Result;
use crate::spatial::{Mat6, Vec3, Vec6, axes, join, lower, upper};
use nalgebra::{Matrix4, SMatrix};
use std::f64::consts::{PI, TAU};

/// Most by which the wrap may differ from the one that was described (rad).
pub const MOST_CHANGE: f64 = 5.0 / 6.0 * PI;

/// Iterations for both points of a part between two sheaves; planar ones need two.
const MOST_ITERATIONS: usize = 30;

/// A sheave of a tendon; one of radius 0 is an eye.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sheave {
    /// Radius, to the centre of the rope.
    pub radius: f64,
    /// Its axis in the axes of the body, of any length.
    pub axis: Vec3,
    /// The unit vector along it.
    direction: Vec3,
    /// An angle (rad) from which that of the wrap differs by less than half a turn.
    pub wrap: f64,
    /// Coefficient of friction, of an eye, too.
    pub friction: f64,
}

impl Sheave {
    /// With an axis of any length. Errors: numbers that are not finite; radius not above 0; an axis
    /// of length zero; a negative wrap.
    pub fn new(radius: f64, axis: &[f64; 3], wrap: f64) -> Result<Sheave> {
        check_positive("radius", radius)?;
        let direction = axes::direction("axis", axis)?;
        check_not_negative("wrap", wrap)?;
        Ok(Sheave { radius, axis: (*axis).into(), direction, wrap, friction: 0.0 })
    }

    /// The axis at one time.
    pub(super) fn normal(&self, at: &Site) -> Vec3 {
        at.r * self.direction
    }

    pub(super) fn rim(&self, at: &Site) -> Rim {
        Rim { c: at.x, n: self.normal(at), r: self.radius }
    }

    /// The wrap of a rope that arrives and leaves at unit vectors from the centre; 0 of an eye. None
    /// where it differs by more than [`MOST_CHANGE`] from the one described.
    pub(super) fn wrap_between(
        &self,
        k: usize,
        normal: &Vec3,
        [arrived, left]: [&Vec3; 2],
    ) -> std::result::Result<f64, NoPath> {
        if self.radius == 0.0 {
            return Ok(0.0);
        }
        let angle = normal.dot(&arrived.cross(left)).atan2(arrived.dot(left));
        let wrap = angle + TAU * ((self.wrap - angle) / TAU).round();
        match (wrap - self.wrap).abs() > MOST_CHANGE {
            true => Err(NoPath { point: k, wrap: Some(wrap) }),
            false => Ok(wrap),
        }
    }

    /// The angle of a unit vector on the body, from a direction across the axis.
    pub(super) fn angle(&self, at: &Site, e: &Vec3) -> f64 {
        let d = &self.direction;
        let across = at.r * d.cross(&if d.x.abs() < 0.7 { Vec3::x() } else { Vec3::y() });
        self.normal(at).dot(&across.cross(e)).atan2(across.dot(e))
    }
}

/// Centre, axis and radius at one time.
#[derive(Clone, Copy)]
pub(super) struct Rim {
    pub c: Vec3,
    pub n: Vec3,
    pub r: f64,
}

/// The end of a part: e and t; zeros at an eye.
#[derive(Clone, Copy, Default)]
pub(super) struct Contact {
    pub e: Vec3,
    t: Vec3,
}

impl Rim {
    fn contact(&self, e: Vec3) -> Contact {
        Contact { e, t: self.n.cross(&e) }
    }

    fn place(&self, contact: &Contact) -> Vec3 {
        self.c + contact.e * self.r
    }

    /// Where the tangent to a place touches, of the rope that leaves (1) or arrives (-1). None
    /// within the circle.
    fn touch(&self, place: &Vec3, sense: f64) -> Option<Contact> {
        if self.r == 0.0 {
            return Some(Contact::default());
        }
        let d = place - self.c;
        let d = d - self.n * self.n.dot(&d);
        let distance = d.norm();
        let cosine = self.r / distance;
        let is_outside = cosine < 1.0;
        is_outside.then(|| {
            let (along, sine) = (d / distance, (1.0 - cosine * cosine).sqrt());
            self.contact(along * cosine - self.n.cross(&along) * (sense * sine))
        })
    }

    /// The same contact after a turn by an angle about the axis.
    fn turned(&self, contact: &Contact, angle: f64) -> Contact {
        let (sine, cosine) = angle.sin_cos();
        self.contact((contact.e * cosine + contact.t * sine).try_normalize(0.0).unwrap_or_default())
    }
}

/// A straight part from one rim to the next.
pub(super) struct Part {
    pub rims: [Rim; 2],
    pub contacts: [Contact; 2],
    /// D, s and u.
    d: Vec3,
    pub s: f64,
    pub u: Vec3,
    /// l_a and l_b.
    multipliers: [f64; 2],
}

/// Changes of the gradient and of u, and of the conditions on phi and l that they follow from.
type Change = (SMatrix<f64, 15, 1>, SMatrix<f64, 4, 1>);

/// Derivatives by the motions of both rims of a part: of the gradient, of u, and of the angles phi.
pub(super) struct Bent {
    pub gradient: SMatrix<f64, 12, 12>,
    pub direction: SMatrix<f64, 3, 12>,
    pub angles: SMatrix<f64, 2, 12>,
}

impl Part {
    pub(super) fn between(rims: [Rim; 2]) -> Option<Part> {
        let [a, b] = rims;
        let mut contacts = [a.touch(&b.c, 1.0)?, b.touch(&a.c, -1.0)?];
        let both = a.r > 0.0 && b.r > 0.0;
        if both {
            contacts[0] = a.touch(&b.place(&contacts[1]), 1.0)?;
            contacts[1] = b.touch(&a.place(&contacts[0]), -1.0)?;
        }
        for _ in 0..if both { MOST_ITERATIONS } else { 0 } {
            let [p, q] = contacts;
            let d = b.place(&q) - a.place(&p);
            let [[pp, pq], [qp, qq]] = [[p.t.dot(&d), b.r * p.e.dot(&q.t)], [-a.r * q.e.dot(&p.t), q.t.dot(&d)]];
            let (left, right) = (-p.e.dot(&d), -q.e.dot(&d));
            let determinant = pp * qq - pq * qp;
            let turns = [(left * qq - right * pq) / determinant, (right * pp - left * qp) / determinant];
            contacts = [a.turned(&p, turns[0].clamp(-0.5, 0.5)), b.turned(&q, turns[1].clamp(-0.5, 0.5))];
            if turns[0].abs().max(turns[1].abs()) < 1e-9 {
                break;
            }
        }
        let [p, q] = contacts;
        let d = b.place(&q) - a.place(&p);
        let s = d.norm();
        let is_tangent =
            |rim: &Rim, at: &Contact| rim.r == 0.0 || (at.t.dot(&d) > 0.0 && at.e.dot(&d).abs() < 1e-9 * s);
        // Eyes that meet have no direction between them.
        let u = if s > 0.0 { d / s } else { Vec3::zeros() };
        (is_tangent(&a, &p) && is_tangent(&b, &q)).then(|| {
            let mut part = Part { rims, contacts, d, s, u, multipliers: [0.0; 2] };
            let diagonal = |rim: &Rim, at: &Contact| if rim.r == 0.0 { 1.0 } else { at.t.dot(&d) };
            let (pp, qq) = (diagonal(&a, &p), diagonal(&b, &q));
            let (pq, qp) = (-a.r * q.e.dot(&p.t), b.r * p.e.dot(&q.t));
            // r (1 - u . t) without cancellation: both are unit vectors, or r is zero.
            let out = [(&a, &p), (&b, &q)].map(|(rim, at)| 0.5 * rim.r * (u - at.t).norm_squared());
            let [left, right] = [-out[0], out[1]];
            let determinant = pp * qq - pq * qp;
            part.multipliers = [(left * qq - right * pq) / determinant, (right * pp - left * qp) / determinant];
            part
        })
    }

    /// f.
    fn force(&self) -> Vec3 {
        self.u + self.contacts[0].e * self.multipliers[0] + self.contacts[1].e * self.multipliers[1]
    }

    /// l_a D - r_a f, l_b D + r_b f.
    fn levers(&self) -> [Vec3; 2] {
        let f = self.force();
        [-1.0, 1.0].map(|sign| {
            let k = usize::from(sign > 0.0);
            self.d * self.multipliers[k] + f * (sign * self.rims[k].r)
        })
    }

    /// By the motions of both rims.
    pub(super) fn gradient(&self) -> [Vec6; 2] {
        let (f, levers) = (self.force(), self.levers());
        [join(&-f, &self.contacts[0].e.cross(&levers[0])), join(&f, &self.contacts[1].e.cross(&levers[1]))]
    }

    /// How the gradient and the conditions change where the centres move, e and t turn, and the
    /// multipliers change.
    fn change(&self, moved: [Vec3; 2], turned: [Vec3; 2], multipliers: [f64; 2]) -> Change {
        let (contacts, levers) = (&self.contacts, self.levers());
        let e: [Vec3; 2] = [0, 1].map(|k| turned[k].cross(&contacts[k].e));
        let t: [Vec3; 2] = [0, 1].map(|k| turned[k].cross(&contacts[k].t));
        let d = moved[1] + e[1] * self.rims[1].r - moved[0] - e[0] * self.rims[0].r;
        let u = if self.s > 0.0 { (d - self.u * self.u.dot(&d)) / self.s } else { Vec3::zeros() };
        let mut f = u;
        for k in 0..2 {
            f += contacts[k].e * multipliers[k] + e[k] * self.multipliers[k];
        }
        let (mut gradient, mut conditions): Change = (SMatrix::zeros(), SMatrix::zeros());
        for (k, sign) in [-1.0, 1.0].into_iter().enumerate() {
            let lever = self.d * multipliers[k] + d * self.multipliers[k] + f * (sign * self.rims[k].r);
            let moment = e[k].cross(&levers[k]) + contacts[k].e.cross(&lever);
            gradient.fixed_rows_mut::<6>(6 * k).copy_from(&join(&(f * sign), &moment));
            conditions[k] = t[k].dot(&levers[k]) + contacts[k].t.dot(&lever);
            conditions[2 + k] = e[k].dot(&self.d) + contacts[k].e.dot(&d);
        }
        gradient.fixed_rows_mut::<3>(12).copy_from(&u);
        (gradient, conditions)
    }

    /// None where the rope does not determine its points.
    pub(super) fn bend(&self) -> Option<Bent> {
        let zero = [Vec3::zeros(); 2];
        let at = |k: usize, x: Vec3| if k == 0 { [x, Vec3::zeros()] } else { [Vec3::zeros(), x] };
        let (mut by_motion, mut conditions) = (SMatrix::<f64, 15, 12>::zeros(), SMatrix::<f64, 4, 12>::zeros());
        for column in 0..12 {
            let (k, unit) = (column / 6, Vec3::from_fn(|i, _| f64::from(u8::from(i == column % 3))));
            let (moved, turned) = if column % 6 < 3 { (at(k, unit), zero) } else { (zero, at(k, unit)) };
            let (gradient, condition) = self.change(moved, turned, [0.0; 2]);
            by_motion.set_column(column, &gradient);
            conditions.set_column(column, &condition);
        }
        let (mut inner, mut outer) = (SMatrix::<f64, 15, 4>::zeros(), Matrix4::zeros());
        for k in 0..2 {
            if self.rims[k].r == 0.0 {
                // An eye has neither phi nor l.
                (outer[(k, k)], outer[(2 + k, 2 + k)]) = (1.0, 1.0);
                continue;
            }
            let by_angle = self.change(zero, at(k, self.rims[k].n), [0.0; 2]);
            let by_multiplier = self.change(zero, zero, [f64::from(u8::from(k == 0)), f64::from(u8::from(k == 1))]);
            for (column, (gradient, condition)) in [(k, by_angle), (2 + k, by_multiplier)] {
                inner.set_column(column, &gradient);
                outer.set_column(column, &condition);
            }
        }
        let by_inner = outer.try_inverse()? * conditions;
        let all = by_motion - inner * by_inner;
        Some(Bent {
            gradient: all.fixed_rows::<12>(0).into_owned(),
            direction: all.fixed_rows::<3>(12).into_owned(),
            angles: -by_inner.fixed_rows::<2>(0),
        })
    }
}

/// The path of a tendon at one time: six numbers for each of its points, of translation and
/// rotation.
pub struct Path {
    /// L.
    pub length: f64,
    /// The angle of the wrap at each sheave, in the sense of its axis.
    pub wraps: [f64; MOST_NODES],
    /// dL/dx.
    pub gradient: [Vec6; MOST_NODES],
    /// Where the rope arrives at each sheave, from its centre over the radius.
    arrivals: [Vec3; MOST_NODES],
}

/// Derivatives of the gradient of a length.
pub type Bend = [[Mat6; MOST_NODES]; MOST_NODES];

/// Where a path is none: the point, and its wrap if it has one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoPath {
    /// The point.
    pub point: usize,
    /// The angle that differs by more than [`MOST_CHANGE`] from the one described.
    pub wrap: Option<f64>,
}

impl Path {
    /// Over sheaves at these places; with derivatives of the gradient, if wanted.
    pub fn over(sheaves: &[Sheave], at: &[Site], mut bend: Option<&mut Bend>) -> std::result::Result<Path, NoPath> {
        let rim = |k: usize| sheaves[k].rim(&at[k]);
        let (mut length, mut wraps) = (0.0, [0.0; MOST_NODES]);
        let mut gradient = [Vec6::zeros(); MOST_NODES];
        let mut arrivals = [Vec3::zeros(); MOST_NODES];
        for k in 0..sheaves.len() - 1 {
            let lost = || NoPath { point: if sheaves[k].radius > 0.0 { k } else { k + 1 }, wrap: None };
            let part = Part::between([rim(k), rim(k + 1)]).ok_or_else(lost)?;
            length += part.s;
            let [own, next] = part.gradient();
            gradient[k] += own;
            gradient[k + 1] += next;
            wraps[k] = sheaves[k].wrap_between(k, &part.rims[0].n, [&arrivals[k], &part.contacts[0].e])?;
            length += sheaves[k].radius * wraps[k];
            arrivals[k + 1] = part.contacts[1].e;
            if let Some(bend) = &mut bend {
                let own = part.bend().ok_or_else(lost)?.gradient;
                for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    bend[k + i][k + j] += own.fixed_view::<6, 6>(6 * i, 6 * j);
                }
            }
        }
        Ok(Path { length, wraps, gradient, arrivals })
    }

    /// A place of the rope on sheave `k`: part `s`, 0 to 1, of the arc.
    pub fn place(&self, k: usize, sheave: &Sheave, at: &Site, s: f64) -> Vec3 {
        let (e, (sine, cosine)) = (self.arrivals[k], (s * self.wraps[k]).sin_cos());
        at.x + (e * cosine + sheave.normal(at).cross(&e) * sine) * sheave.radius
    }

    /// dL/dt.
    pub fn rate(&self, at: &[Site]) -> f64 {
        let rate = |(g, at): (&Vec6, &Site)| upper(g).dot(&at.v) + lower(g).dot(&at.omega);
        self.gradient.iter().zip(at).map(rate).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::mean_gradient::{Over, ROUNDING};
    use super::*;
    use crate::spatial::noise::Noise;
    use crate::spatial::{Quat, rotation};

    fn site(x: Vec3, q: Quat) -> Site {
        let zero = Vec3::zeros();
        Site { x, v: zero, a: zero, arm: zero, q, r: rotation::matrix(&q), omega: zero, omegadot: zero }
    }

    fn at(x: f64, y: f64) -> Site {
        site(Vec3::new(x, y, 0.0), Quat::identity())
    }

    fn sheave(radius: f64, z: f64, wrap: f64) -> Sheave {
        Sheave::new(radius, &[0.0, 0.0, z], wrap).unwrap()
    }

    /// Belts, open and crossed, of known lengths: with d between the centres, the straight parts
    /// are sqrt(d^2 - (r1 -+ r2)^2).
    #[test]
    fn lengths_of_belts_are_those_of_closed_forms() {
        let (d, r1, r2): (f64, f64, f64) = (3.0, 0.8, 0.5);
        let (eye, far) = (Sheave::default(), 40.0);
        // Comes from the left below, goes about the left sheave clockwise, to the right one, and on.
        for crossed in [false, true] {
            let sign = if crossed { 1.0 } else { -1.0 };
            let sheaves = [eye, sheave(r1, -1.0, 3.0), sheave(r2, sign, 3.0), eye];
            let end = if crossed { at(d - far, r2) } else { at(d - far, -r2) };
            let path = Path::over(&sheaves, &[at(far, -r1), at(0.0, 0.0), at(d, 0.0), end], None).unwrap();
            let (straight, lean) = if crossed {
                ((d * d - (r1 + r2).powi(2)).sqrt(), ((r1 + r2) / d).asin())
            } else {
                ((d * d - (r1 - r2).powi(2)).sqrt(), ((r1 - r2) / d).asin())
            };
            let wraps = [PI + lean, if crossed { PI + lean } else { PI - lean }];
            let expected = 2.0 * far + straight + r1 * wraps[0] + r2 * wraps[1];
            for (found, wrap) in path.wraps[1..3].iter().zip(wraps) {
                assert!((found - wrap).abs() < 4e-15, "{crossed}: wrap {found} {wrap}");
            }
            assert!((path.length - expected).abs() < 1e-13, "{crossed}: {} {expected}", path.length);
        }
    }

    /// Wraps count turns as described, and become negative where the rope would lift off.
    #[test]
    fn wraps_count_turns_from_the_described_one() {
        let path = |wrap: f64, y: f64| {
            let sheaves = [Sheave::default(), sheave(1.0, -1.0, wrap), Sheave::default()];
            Path::over(&sheaves, &[at(-5.0, y), at(0.0, 0.0), at(5.0, y)], None)
        };
        // Tangents from (5, -y) to the circle: both sides lean by the same angle.
        for y in [-3.0, -1.0, 0.0, 0.9] {
            let reach = f64::hypot(5.0, y);
            let lean = (-y / 5.0f64).atan() + (1.0 / reach).asin();
            let found = path(1.0, y).unwrap();
            assert!((found.wraps[1] - 2.0 * lean).abs() < 1e-14, "{y}: {} {lean}", found.wraps[1]);
            let turned = path(1.0 + 3.0 * TAU, y).unwrap();
            assert!((turned.wraps[1] - 2.0 * lean - 3.0 * TAU).abs() < 1e-13);
            assert!((turned.length - found.length - 3.0 * TAU).abs() < 1e-13);
        }
        assert!(path(1.0, 1.5).unwrap().wraps[1] < 0.0);
        let lost = path(2.9, 1.5).err().unwrap();
        assert!(lost.point == 1 && lost.wrap.is_some(), "{lost:?}");
        let sheaves = [Sheave::default(), sheave(1.0, 1.0, 1.0), Sheave::default()];
        let inside = Path::over(&sheaves, &[at(-0.5, 0.0), at(0.0, 0.0), at(3.0, 0.0)], None).err();
        assert_eq!(inside, Some(NoPath { point: 1, wrap: None }));
    }

    /// Places and sheaves in all directions that have a path.
    fn random(noise: &mut Noise) -> ([Sheave; 4], [Site; 4]) {
        for _ in 0..10_000 {
            let mut sheaves = [Sheave::default(); 4];
            for sheave in &mut sheaves[1..3] {
                *sheave = Sheave::new(0.3, &noise.vec3().into(), 3.0).unwrap();
            }
            let sites: [Site; 4] =
                std::array::from_fn(|_| site(noise.vec3() * 2.0, rotation::exp(&(noise.vec3() * 2.0))));
            if Path::over(&sheaves, &sites, None).is_ok() {
                return (sheaves, sites);
            }
        }
        panic!("no path");
    }

    fn moved(at: &Site, by: &Vec6) -> Site {
        site(at.x + upper(by), rotation::exp(&lower(by)) * at.q)
    }

    /// Forces and moments of the length are in balance, as those of a rope are, and it is the
    /// gradient by differences; spin about an axis does not change it.
    #[test]
    fn the_gradient_is_that_of_the_length() {
        let mut noise = Noise(7);
        for _ in 0..20 {
            let (sheaves, sites) = random(&mut noise);
            let path = Path::over(&sheaves, &sites, None).unwrap();
            let force: Vec3 = path.gradient.iter().map(upper).sum();
            let moment: Vec3 = path.gradient.iter().zip(&sites).map(|(g, at)| lower(g) + at.x.cross(&upper(g))).sum();
            assert!(force.norm() < 1e-14 && moment.norm() < 1e-13, "{force} {moment}");
            for k in 0..4 {
                let spin = lower(&path.gradient[k]).dot(&(sites[k].r * sheaves[k].direction));
                assert!(spin.abs() < 1e-14, "{spin}");
                for i in 0..6 {
                    let mut by = Vec6::zeros();
                    by[i] = 1e-5;
                    let length = |sign: f64| {
                        let mut sites = sites;
                        sites[k] = moved(&sites[k], &(by * sign));
                        Path::over(&sheaves, &sites, None).unwrap().length
                    };
                    let slope = (length(1.0) - length(-1.0)) / 2e-5;
                    assert!((slope - path.gradient[k][i]).abs() < 1e-8, "{k} {i}: {slope} {}", path.gradient[k][i]);
                }
            }
        }
    }

    /// The mean gradient does the work of the change of length, for steps of any size.
    #[test]
    fn work_of_the_mean_gradient_is_the_change_of_length() {
        let mut noise = Noise(8);
        for size in [1e-12, 1e-8, 1e-4, 1e-2, 0.1] {
            for _ in 0..20 {
                let (sheaves, from) = random(&mut noise);
                let by: [Vec6; 4] = std::array::from_fn(|_| noise.vec6() * size);
                let to: [Site; 4] = std::array::from_fn(|k| moved(&from[k], &by[k]));
                let Ok(end) = Path::over(&sheaves, &to, None) else { continue };
                let start = Path::over(&sheaves, &from, None).unwrap();
                let bend = [[Mat6::zeros(); MOST_NODES]; MOST_NODES];
                let ends = [&start, &end].map(|path| (path.length, &path.gradient));
                let over = Over::of(&sheaves, [&from, &to], ends, &bend);
                let work: f64 = over.gradient.iter().zip(&by).map(|(g, by)| g.dot(by)).sum();
                let error = work - (end.length - start.length);
                assert!(error.abs() < 2.0 * ROUNDING * end.length, "{size}: {error:e}");
                // And is near the gradient: no noise where the step is short.
                let off = (0..4).map(|k| (over.gradient[k] - start.gradient[k]).norm()).fold(0.0, f64::max);
                assert!(off < 100.0 * size + 1e-9, "{size}: {off:e}");
            }
        }
    }
}
