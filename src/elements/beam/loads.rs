//! Loads of the host along a beam, and the loads of its sections.
//!
//! Loads are wrenches at places, or wrenches per length that are linear between places. A force f
//! acts on the axis, with the moment M = m + a x f of its offset a, which turns with the section,
//! R(z) = A exp(~(z phi)) Q. The axis moves as the material points of the inertia do
//! (`sections::weights`), and sections turn as those of a straight beam with shear between both
//! ends, with r from a to b, the mean omega of both ends, and c = 6 z (1 - z)/(1 + Phi):
//!
//! ```text
//! omega(z) = w_a omega_a + w_b omega_b + c r x (v_b - v_a - omega x r)/|r|^2,   w_b = z, w_a = 1 - z.
//! ```
//!
//! Ends get the transpose of that motion, which does the same work; + for b, - for a:
//!
//! ```text
//! y = c M x r/|r|^2,   force N_i f +- y,   moment (R_i p_i) x f + w_i M - r x y/2.
//! ```
//!
//! R(z) has the variation W_a theta_a + W_b theta_b, W_b = z A T^T(z phi) U^-1 A^T, W_a = I - W_b.

use super::super::discrete_gradient::ends_in_axes;
use super::super::{Load, Local, Site, Surroundings};
use super::sections::{Sections, weights};
use super::{BeamElement, inertia};
use crate::spatial::rotation::{self, inverse_tangent};
use crate::spatial::{Frame, Mat3, Pose, Vec3, Vec6, add_block, join, lower, skew, skew_mul, skew_skew, upper};

/// A place of a beam at which the host gives loads.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadPlace {
    /// Arc length.
    pub s: f64,
    /// From the axis, in the axes of the section.
    pub offset: Vec3,
    /// Whether its load is per length, linear to the next place of this kind.
    pub distributed: bool,
    /// Its load in the list of the model.
    pub index: usize,
}

/// Loads with the parts of them that act at one point.
type Shares = [(usize, f64); 2];

/// A point of an element at which loads act: a place, or a point of a quadrature between two.
#[derive(Debug, Clone)]
pub struct LoadPoint {
    at: Reference,
    shares: Shares,
}

/// Where a load acts in the reference shape.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The section on the axis, in the axes of the chord from end a.
    pub section: Pose,
    /// From there to the place, in the axes of the chord.
    pub arm: Vec3,
}

/// A point of an element in motion, and how its load acts on both ends.
struct Acting {
    /// Place on the axis, and the arm from there.
    x: Vec3,
    arm: Vec3,
    /// Axes of the section.
    r: Mat3,
    /// Of both ends: N, R p, w.
    ends: [(f64, Vec3, f64); 2],
    /// W of both ends.
    turns: [Mat3; 2],
    /// From end a to end b; c/|r|^2.
    chord: Vec3,
    bending: f64,
}

/// Points of the Gauss rule with two points on 0 to 1; both have the weight 1/2.
const GAUSS: [f64; 2] = [0.211_324_865_405_187_1, 0.788_675_134_594_812_9];

/// The points between two arc lengths at which loads act, in inertial axes of the reference shape;
/// with places at `to` if `closed`.
fn points<'p>(
    sections: &'p Sections,
    places: &'p [LoadPlace],
    [from, to]: [f64; 2],
    closed: bool,
) -> impl Iterator<Item = (Reference, Shares)> + 'p {
    let at = |s: f64, offset: &Vec3| {
        let section = sections.pose(s);
        Reference { arm: section.rotation * offset, section }
    };
    let here = move |s: f64| s >= from && (s < to || closed && s == to);
    let single = places.iter().filter(move |place| !place.distributed && here(place.s));
    let single = single.map(move |place| (at(place.s, &place.offset), [(place.index, 1.0), (place.index, 0.0)]));
    let distributed = || places.iter().filter(|place| place.distributed);
    let pieces = distributed().zip(distributed().skip(1)).flat_map(move |(a, b)| {
        let (start, end) = (a.s.max(from), b.s.min(to));
        let length = (end - start).max(0.0);
        GAUSS.into_iter().filter(move |_| length > 0.0).map(move |part| {
            let s = start + length * part;
            let t = (s - a.s) / (b.s - a.s);
            let offset = a.offset * (1.0 - t) + b.offset * t;
            (at(s, &offset), [(a.index, 0.5 * length * (1.0 - t)), (b.index, 0.5 * length * t)])
        })
    });
    single.chain(pieces)
}

/// The parts of loads at a point: those with inertial axes, and those with the axes of the section.
fn wrenches(shares: &Shares, loads: &[Load]) -> [Vec6; 2] {
    let mut sums = [Vec6::zeros(); 2];
    for (load, share) in shares.iter().filter_map(|(index, share)| Some((loads.get(*index)?, share))) {
        sums[usize::from(load.frame == Frame::Body)] += load.wrench * *share;
    }
    sums
}

/// Both halves of a wrench in other axes.
fn turned(r: &Mat3, wrench: &Vec6) -> Vec6 {
    join(&(r * upper(wrench)), &(r * lower(wrench)))
}

/// A wrench about another place, `arm` from there to its own.
fn about(arm: &Vec3, wrench: &Vec6) -> Vec6 {
    join(&upper(wrench), &(lower(wrench) + arm.cross(&upper(wrench))))
}

/// Where an element is in its beam, and what the beam has there.
pub struct Stretch<'b> {
    /// The sections, and places of loads.
    pub beam: (&'b Sections, &'b [LoadPlace]),
    /// Arc lengths of both ends.
    pub ends: [f64; 2],
    /// Whether it is the last element.
    pub is_last: bool,
    /// Frame of the chord of the reference shape.
    pub chord: Pose,
}

impl Stretch<'_> {
    /// A place in inertial axes in those of the chord.
    fn localize(&self, Reference { section, arm }: &Reference) -> Reference {
        Reference { section: self.chord.localize(section), arm: self.chord.rotation.inverse() * arm }
    }

    /// The place of a load in the axes of the chord.
    pub fn reference(&self, place: &LoadPlace) -> Reference {
        let section = self.beam.0.pose(place.s);
        self.localize(&Reference { arm: section.rotation * place.offset, section })
    }
}

impl BeamElement {
    /// Takes the places of its beam at which loads act.
    pub fn take_places(&mut self, stretch: &Stretch) {
        let (sections, places) = stretch.beam;
        let here = points(sections, places, stretch.ends, stretch.is_last);
        let here = here.map(|(at, shares)| LoadPoint { at: stretch.localize(&at), shares });
        self.loads = here.collect();
        let [from, to] = stretch.ends;
        let here = places.iter().filter(|place| place.s >= from && (place.s < to || stretch.is_last));
        self.places = here.map(|place| (place.index, stretch.reference(place).section)).collect();
    }

    /// The places of loads on it: their loads, and the rotations of their sections at these ends.
    pub fn load_axes<'e>(&'e self, at: &'e [Site; 2]) -> impl Iterator<Item = (usize, Mat3)> + 'e {
        let axes = |reference: &Pose| rotation::matrix(&self.section_motion(at, reference).0.rotation);
        self.places.iter().map(move |(load, reference)| (*load, axes(reference)))
    }

    /// The points at which loads act, in numbers: for the fingerprint.
    pub(super) fn load_points(&self) -> impl Iterator<Item = (Pose, [f64; 7])> + '_ {
        self.loads.iter().map(|LoadPoint { at: Reference { section, arm }, shares: [(a, p), (b, q)] }| {
            (*section, [arm.x, arm.y, arm.z, *a as f64, *p, *b as f64, *q])
        })
    }

    /// How many loads of the model there are up to the last one on it.
    pub fn load_places(&self) -> usize {
        self.places.iter().map(|(load, _)| load + 1).max().unwrap_or(0)
    }

    /// Bytes of memory of these points.
    pub(super) fn load_memory(&self) -> usize {
        let places = self.places.len().saturating_mul(size_of::<(usize, Pose)>());
        self.loads.len().saturating_mul(size_of::<LoadPoint>()).saturating_add(places)
    }

    /// The largest force of the host on it; moments over a length.
    pub fn largest_load(&self, loads: &[Load], length: f64) -> f64 {
        let size = |wrench: &Vec6| upper(wrench).norm().max(lower(wrench).norm() / length);
        self.loads.iter().flat_map(|point| wrenches(&point.shares, loads)).map(|wrench| size(&wrench)).sum()
    }

    /// A place in motion.
    fn acting(&self, at: &[Site; 2], Reference { section, arm }: &Reference) -> Acting {
        let (axes, d) = ends_in_axes(at, &self.axes);
        let (phi, z) = (lower(&d), section.position.x / self.law.length);
        let (turn, tangent) = rotation::exp_with_tangent(&(phi * z));
        let turned = axes[0] * rotation::matrix(&turn);
        let by_b = axes[0] * (tangent * inverse_tangent(&phi) * z) * axes[0].transpose();
        let [(n_a, p_a), (n_b, p_b)] = weights(&section.position, self.law.length, self.shear);
        let ends = [(n_a, axes[0] * p_a, 1.0 - z), (n_b, axes[1] * p_b, z)];
        let chord = at[1].x - at[0].x;
        Acting {
            x: at[0].x * n_a + ends[0].1 + at[1].x * n_b + ends[1].1,
            arm: turned * arm,
            r: turned * rotation::matrix(&section.rotation),
            ends,
            turns: [Mat3::identity() - by_b, by_b],
            chord,
            bending: 6.0 * z * (1.0 - z) / ((1.0 + self.shear) * chord.norm_squared()),
        }
    }

    /// Adds the loads of the host at the places of both ends.
    #[inline(never)]
    pub(super) fn add_loads(&self, at: &[Site; 2], loads: &[Load], out: &mut Local<2>) {
        for point in &self.loads {
            let [dead, follower] = wrenches(&point.shares, loads);
            if dead == Vec6::zeros() && follower == Vec6::zeros() {
                continue;
            }
            let acting = self.acting(at, &point.at);
            let Acting { arm, ends, turns, chord, bending, .. } = &acting;
            let turning = turned(&acting.r, &follower);
            let force = upper(&(dead + turning));
            let moment = lower(&(dead + turning)) + arm.cross(&force);
            let y = moment.cross(chord) * *bending;
            // By the turn of the section: force, moment, y. By r: y.
            let force_by_turn = -skew(&upper(&turning));
            let moment_by_turn = skew_skew(&force, arm) - skew_skew(arm, &upper(&turning)) - skew(&lower(&turning));
            let y_by_turn = skew_mul(chord, &moment_by_turn) * -*bending;
            let y_by_chord = skew(&moment) * *bending - y * chord.transpose() * (2.0 / chord.norm_squared());
            for (i, (n, p, w)) in ends.iter().enumerate() {
                let sign = [-1.0, 1.0][i];
                out.residual[i] -=
                    join(&(force * *n + y * sign), &(p.cross(&force) + moment * *w - chord.cross(&y) * 0.5));
                let Some(tangents) = &mut out.tangents else { continue };
                add_block(&mut tangents.stiffness[i][i], 1, 1, &-skew_skew(&force, p));
                let by_turn = [
                    force_by_turn * *n + y_by_turn * sign,
                    skew_mul(p, &force_by_turn) + moment_by_turn * *w - skew_mul(chord, &y_by_turn) * 0.5,
                ];
                for (j, turn) in turns.iter().enumerate() {
                    let (stiffness, side) = (&mut tangents.stiffness[i][j], [-1.0, 1.0][j]);
                    add_block(stiffness, 0, 0, &(y_by_chord * (-sign * side)));
                    add_block(stiffness, 1, 0, &((skew_mul(chord, &y_by_chord) - skew(&y)) * (0.5 * side)));
                    (0..2).for_each(|row| add_block(stiffness, row, 1, &-(by_turn[row] * turn)));
                }
            }
        }
    }

    /// The motion of a place of a load: its pose, and the velocities on which force and moment do
    /// work.
    pub fn load_motion(&self, at: &[Site; 2], reference: &Reference) -> (Pose, Vec6) {
        let Acting { x, arm, ends, chord, bending, .. } = self.acting(at, reference);
        let apart = at[1].v - at[0].v - (at[0].omega + at[1].omega).cross(&chord) * 0.5;
        let (mut v, mut omega) = (Vec3::zeros(), chord.cross(&apart) * bending);
        for (site, (n, p, w)) in at.iter().zip(&ends) {
            v += site.v * *n + site.omega.cross(p);
            omega += site.omega * *w;
        }
        let (section, _) = self.section_motion(at, &reference.section);
        (Pose { position: x + arm, rotation: section.rotation }, join(&(v + omega.cross(&arm)), &omega))
    }

    /// The wrench of the section at an arc length about its place, in inertial axes: what the part
    /// of the beam behind it does on the part before it; and the pose of the section. It is that of
    /// both ends less loads and inertia between, weighted by the distances. Without `damped`, what
    /// strains alone make of it.
    pub fn section_wrench(
        &self,
        at: &[Site; 2],
        around: &Surroundings,
        stretch: &Stretch,
        s: f64,
        damped: bool,
    ) -> Option<(Pose, Vec6)> {
        let Stretch { beam: (sections, places), ends: [from, to], chord, .. } = stretch;
        let (pose, _) = self.section_motion(at, &chord.localize(&sections.pose(s)));
        let place = pose.position;
        let mut whole = Local::zero(false, false);
        self.evaluate_here(at, around, &mut whole);
        if !damped {
            let mut rates = Local::zero(false, false);
            self.add(at, false, &mut rates);
            (0..2).for_each(|k| whole.residual[k] -= rates.residual[k]);
        }
        let (axes, _) = ends_in_axes(at, &self.axes);
        let spins = [0, 1].map(|k: usize| skew(&at[k].omegadot) + skew_skew(&at[k].omega, &at[k].omega));
        // Loads less inertia between two arc lengths, about the place.
        let between = |part: [f64; 2], closed: bool| {
            let mut sum = Vec6::zeros();
            for (reference, shares) in points(sections, places, part, closed) {
                let Acting { x, arm, r, .. } = self.acting(at, &stretch.localize(&reference));
                let [dead, follower] = wrenches(&shares, around.loads);
                sum += about(&(x + arm - place), &(dead + turned(&r, &follower)));
            }
            for (s, weight) in sections.points(part[0], part[1]) {
                let slice = sections.slice(s, chord)?;
                let z = slice.place.x / self.law.length;
                let (mut x, mut a, [mut r, mut rate]) = (Vec3::zeros(), -around.gravity, [Mat3::zeros(); 2]);
                for (k, (n, p)) in weights(&slice.place, self.law.length, self.shear).into_iter().enumerate() {
                    let (arm, w) = (axes[k] * p, [1.0 - z, z][k]);
                    x += at[k].x * n + arm;
                    a += at[k].a * n + spins[k] * arm;
                    r += axes[k] * w;
                    rate += spins[k] * axes[k] * w;
                }
                let moment = inertia::axl(&(rate * slice.spread * r.transpose()));
                sum -= about(&(x - place), &join(&(a * slice.mass), &moment)) * weight;
            }
            Some(sum)
        };
        let before = about(&(at[0].x - place), &-whole.residual[0]) - between([*from, s], false)?;
        let behind = about(&(at[1].x - place), &whole.residual[1]) + between([s, *to], stretch.is_last)?;
        let part = (s - from) / (to - from);
        Some((pose, before * (1.0 - part) + behind * part))
    }
}
