//! Sections along a beam, and what an element needs of them: moments of the compliance along its
//! chord, and the matrix of its inertia.

use super::inertia::Mat8;
use super::law::Law;
use crate::spatial::{Mat3, Mat6, Pose, Quat, Vec3, add_block, block, convert, rotate, rotation, skew, skew_skew};

/// One station of a beam.
#[derive(Debug, Clone, PartialEq)]
pub struct Station {
    /// Arc length of the reference shape.
    pub s: f64,
    /// Place and axes of the section, axis 1 along the beam.
    pub pose: Pose,
    /// Stiffness C: force and moment per strain and curvature, in the axes of the section.
    pub stiffness: Mat6,
    /// Mass per length about the place of the section.
    pub mass: Mat6,
}

/// A section between stations.
struct Section {
    x: Vec3,
    r: Mat3,
    compliance: Mat6,
    mass: Mat6,
}

/// A slice of a beam of length one, in the axes of a chord from its start: its mass, the place of
/// the centre of that, and the spread tr(J)/2 - J of the mass about it.
pub struct Slice {
    pub mass: f64,
    pub place: Vec3,
    pub spread: Mat3,
}

/// Gauss points on 0 to 1, with their weights: four of them, so that integrals over a piece
/// between stations are exact for polynomials of degree seven.
const GAUSS: [[f64; 2]; 4] = [
    [0.069_431_844_202_973_71, 0.173_927_422_568_726_92],
    [0.330_009_478_207_571_9, 0.326_072_577_431_273_1],
    [0.669_990_521_792_428_1, 0.326_072_577_431_273_1],
    [0.930_568_155_797_026_3, 0.173_927_422_568_726_92],
];

/// The stations of a beam, of rising arc length.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sections(pub Vec<Station>);

/// What an element has of its sections.
#[derive(Debug, Clone)]
pub struct Integrals {
    pub law: Law,
    /// The same moment as F0 of the compliance weighted by the damping of the strains.
    pub damped: Mat6,
    pub inertia: Mat8,
    /// Phi: the share of shear over that of bending in the lateral flexibility.
    pub shear: f64,
    /// Poses of the ends, both with the axes of the chord.
    pub ends: [Pose; 2],
}

impl Sections {
    /// The interval of stations that has an arc length, and the part of the interval before it.
    fn interval(&self, s: f64) -> (&[Station], f64) {
        let last = self.0.len() - 2;
        let index = self.0.partition_point(|station| station.s <= s).saturating_sub(1).min(last);
        let pair = &self.0[index..index + 2];
        (pair, (s - pair[0].s) / (pair[1].s - pair[0].s))
    }

    /// The pose of the section at an arc length: rotations on the geodesic, positions on the cubic
    /// with the directions of axis 1 at both stations.
    pub fn pose(&self, s: f64) -> Pose {
        let (pair, t) = self.interval(s);
        let [a, b] = [&pair[0], &pair[1]];
        let h = b.s - a.s;
        let (xa, xb) = (a.pose.position, b.pose.position);
        let [da, db] = [a, b].map(|station| station.pose.rotation * Vec3::x() * h);
        let (t2, t3) = (t * t, t * t * t);
        let rise = xb - xa;
        let position = xa + rise * (3.0 * t2 - 2.0 * t3) + da * (t3 - 2.0 * t2 + t) + db * (t3 - t2);
        let turn = rotation::log(&(b.pose.rotation * a.pose.rotation.inverse()));
        let rotation: Quat = rotation::compose(&rotation::exp(&(turn * t)), &a.pose.rotation);
        Pose { position, rotation }
    }

    /// The angle by which axes turn from station to station between two arc lengths, all summed up.
    pub fn turn(&self, from: f64, to: f64) -> f64 {
        let between = self.0.iter().map(|station| station.s).filter(|s| *s > from && *s < to);
        let mut last = self.pose(from).rotation;
        let turns = between.chain([to]).map(|s| {
            let before = std::mem::replace(&mut last, self.pose(s).rotation);
            rotation::log(&(last * before.inverse())).norm()
        });
        turns.sum()
    }

    fn section(&self, s: f64) -> Option<Section> {
        let (pair, t) = self.interval(s);
        let between = |a: &Mat6, b: &Mat6| a * (1.0 - t) + b * t;
        let stiffness = between(&pair[0].stiffness, &pair[1].stiffness);
        let Pose { position: x, rotation } = self.pose(s);
        let compliance = stiffness.cholesky()?.inverse();
        Some(Section { x, r: rotation::matrix(&rotation), compliance, mass: between(&pair[0].mass, &pair[1].mass) })
    }

    /// Gauss points of all pieces of stations between two arc lengths, with their weights.
    pub fn points(&self, from: f64, to: f64) -> impl Iterator<Item = (f64, f64)> {
        self.0.windows(2).flat_map(move |pair| {
            let (start, end) = (pair[0].s.max(from), pair[1].s.min(to));
            let length = (end - start).max(0.0);
            let points = if length > 0.0 { &GAUSS[..] } else { &[] };
            points.iter().map(move |[place, weight]| (start + length * place, length * weight))
        })
    }

    /// The place of the end at `from`, with the axes of the chord to the end at `to`: axis 1 along
    /// the chord, axis 2 that of the section in the middle as far as it is across; and the length
    /// of the chord. None if both ends coincide, or axis 2 is along the chord.
    pub fn chord(&self, from: f64, to: f64) -> Option<(Pose, f64)> {
        let [start, end] = [from, to].map(|s| self.pose(s).position);
        let chord = end - start;
        let first = chord.try_normalize(0.0)?;
        let across = self.pose(0.5 * (from + to)).rotation * Vec3::y();
        let second = (across - first * first.dot(&across)).try_normalize(1e-6)?;
        let axes = Mat3::from_columns(&[first, second, first.cross(&second)]);
        Some((Pose { position: start, rotation: convert::from_matrix(&axes) }, chord.norm()))
    }

    /// Of the element between two arc lengths; `damping`: mu of the strains; `lumped`: inertia at
    /// the ends only. None if its ends coincide or a stiffness is not positive definite.
    pub fn element(&self, from: f64, to: f64, damping: &[f64; 6], lumped: bool) -> Option<Integrals> {
        let (start, length) = self.chord(from, to)?;
        let axes = start.matrix();
        let middle = Vec3::x() * (0.5 * length);

        let [mut f0, mut s1, mut s2, mut damped, mut local] = [Mat6::zeros(); 5];
        let scale = damping.map(f64::sqrt);
        for (s, weight) in self.points(from, to) {
            let Section { x, r, compliance, .. } = self.section(s)?;
            let (r, c) = (axes.tr_mul(&r), axes.tr_mul(&(x - start.position)));
            let t = c.x - middle.x;
            let turned = rotate(&r, &compliance);
            let mut carry = Mat6::zeros();
            add_block(&mut carry, 0, 0, &r.transpose());
            add_block(&mut carry, 1, 0, &(r.transpose() * skew(&(middle - c))));
            add_block(&mut carry, 1, 1, &r.transpose());
            f0 += carry.tr_mul(&(compliance * carry)) * weight;
            let lossy = compliance.map_with_location(|i, j, x| x * scale[i] * scale[j]);
            damped += carry.tr_mul(&(lossy * carry)) * weight;
            s1 += turned * (t * weight);
            s2 += turned * (t * t * weight);
            local += turned * weight;
        }
        let bending = [1, 2].map(|k: usize| 1.0 - local[(k, k)] / f0[(k, k)]);
        let shortening = bending.map(|b| (b - 0.4 * b * b) / length);
        let law = Law::new(length, [f0, s1, s2], shortening);
        let bending = 0.5 * (bending[0] + bending[1]);
        let shear = (1.0 - bending) / bending;
        let inertia = self.inertia([from, to], (&start, length), shear, lumped)?;
        let ends = [start, Pose { position: self.pose(to).position, ..start }];
        Some(Integrals { law, damped, inertia, shear, ends })
    }

    /// The slice at an arc length. None if a stiffness is not positive definite.
    pub fn slice(&self, s: f64, start: &Pose) -> Option<Slice> {
        let Section { x, r, mass, .. } = self.section(s)?;
        let axes = start.matrix();
        let r = axes.tr_mul(&r);
        let m = mass[(0, 0)];
        let eta = if m > 0.0 { rotation::axial(&block(&mass, 1, 0)) / m } else { Vec3::zeros() };
        let about_centre = block(&mass, 1, 1) + skew_skew(&eta, &eta) * m;
        let spread = Mat3::from_diagonal_element(0.5 * about_centre.trace()) - about_centre;
        let place = axes.tr_mul(&(x - start.position)) + r * eta;
        Some(Slice { mass: m, place, spread: r * spread * r.transpose() })
    }

    /// The compliance of the section at an arc length, in its axes.
    pub fn compliance(&self, s: f64) -> Option<Mat6> {
        Some(self.section(s)?.compliance)
    }

    /// The matrix of the inertia of an element (`inertia`). Two parts that no rigid motion changes
    /// make extension, torsion and bending of fourth order. If lumped, each half of the element has
    /// its mass and its moments of inertia at the end there, as far from the axis as they are: of
    /// second order, but no element couples the inertia of two nodes.
    fn inertia(&self, [from, to]: [f64; 2], (start, length): (&Pose, f64), shear: f64, lumped: bool) -> Option<Mat8> {
        type Rows = nalgebra::SMatrix<f64, 8, 3>;
        let rows = |a: f64, b: f64| {
            let mut rows = Rows::zeros();
            (0..3).for_each(|k| (rows[(1 + k, k)], rows[(5 + k, k)]) = (a, b));
            rows
        };
        let eight = |weights: Weights| {
            let mut out = nalgebra::SVector::<f64, 8>::zeros();
            for (end, (n, p)) in weights.into_iter().enumerate() {
                out[4 * end] = n;
                (0..3).for_each(|k| out[4 * end + 1 + k] = p[k]);
            }
            out
        };
        let half = Vec3::x() * (-0.5 * length);
        let lagging = eight([(-1.0, half), (1.0, half)]);
        let mut inertia = Mat8::zeros();
        for (s, weight) in self.points(from, to) {
            let Slice { mass: m, place, spread } = self.slice(s, start)?;
            let z = match lumped {
                true => (place.x / length).round().clamp(0.0, 1.0),
                false => place.x / length,
            };
            let w = match lumped {
                true => eight([1.0 - z, z].map(|n| (n, Vec3::new(0.0, place.y, place.z) * n))),
                false => eight(weights(&place, length, shear)),
            };
            let linear = rows(1.0 - z, z);
            inertia += (w * w.transpose() * m + linear * spread * linear.transpose()) * weight;
            if !lumped {
                let apart = rows(1.0, -1.0);
                let lag = m * (9.0 / 70.0 - 1.0 / 12.0) / (1.0 + shear).powi(2);
                inertia += (apart * spread * apart.transpose() / 12.0 + lagging * lagging.transpose() * lag) * weight;
            }
        }
        Some(inertia)
    }
}

/// N and p of both ends of a material point (`inertia`).
pub type Weights = [(f64, Vec3); 2];

/// Those of a place in the axes of the chord, from end a: the cubics of a beam with Phi = `shear`,
/// the share of shear over that of bending in its lateral flexibility.
pub fn weights(place: &Vec3, length: f64, shear: f64) -> Weights {
    let (z, o) = (place.x / length, Vec3::new(0.0, place.y, place.z));
    let (z2, z3) = (z * z, z * z * z);
    let of_b = (3.0 * z2 - 2.0 * z3 + shear * z) / (1.0 + shear);
    let bend = 0.5 * shear * (z - z2);
    let slope_a = length * (z - 2.0 * z2 + z3 + bend) / (1.0 + shear);
    let slope_b = length * (z3 - z2 - bend) / (1.0 + shear);
    [(1.0 - of_b, Vec3::x() * slope_a + o * (1.0 - z)), (of_b, Vec3::x() * slope_b + o * z)]
}
