//! Small vectors and matrices of two nodes, or of two segments, at once: a lane of the processor's
//! registers for each. Lanes do not know of each other, so a node has the bits that it would have
//! alone.

use crate::spatial::{Mat3, Vec3};
use std::ops::{Add, Mul, Neg, Sub};
pub(super) use wide::f64x2 as Two;

/// The second lane of what came before, and the first of what comes now.
#[inline(always)]
pub(super) fn after(before: Two, now: Two) -> Two {
    Two::new([before.to_array()[1], now.to_array()[0]])
}

/// Counts the lanes that are set, of as many as there are.
#[inline(always)]
pub(super) fn count(mask: Two, lanes: usize) -> u32 {
    (mask.to_bitmask() & if lanes > 1 { 3 } else { 1 }).count_ones()
}

/// Writes as many lanes as there is room for.
#[inline(always)]
pub(super) fn put(numbers: Two, into: &mut [f64]) {
    match into {
        [first, second] => [*first, *second] = numbers.to_array(),
        [first] => *first = numbers.to_array()[0],
        _ => (),
    }
}

/// A vector per lane.
#[derive(Clone, Copy)]
pub(super) struct Vectors {
    pub(super) x: Two,
    pub(super) y: Two,
    pub(super) z: Two,
}

impl Vectors {
    pub(super) const ZERO: Vectors = Vectors { x: Two::ZERO, y: Two::ZERO, z: Two::ZERO };

    #[inline(always)]
    pub(super) fn new(first: &Vec3, second: &Vec3) -> Vectors {
        let two = |a: f64, b: f64| Two::new([a, b]);
        Vectors { x: two(first.x, second.x), y: two(first.y, second.y), z: two(first.z, second.z) }
    }

    #[inline(always)]
    pub(super) fn both(vector: &Vec3) -> Vectors {
        Vectors { x: Two::splat(vector.x), y: Two::splat(vector.y), z: Two::splat(vector.z) }
    }

    /// That of a lane.
    #[inline(always)]
    pub(super) fn lane(self, k: usize) -> Vec3 {
        Vec3::new(self.x.to_array()[k], self.y.to_array()[k], self.z.to_array()[k])
    }

    /// Writes as many lanes as there is room for.
    #[inline(always)]
    pub(super) fn put(self, into: &mut [Vec3]) {
        match into {
            [first, second] => {
                let (x, y, z) = (self.x.to_array(), self.y.to_array(), self.z.to_array());
                (first.x, first.y, first.z) = (x[0], y[0], z[0]);
                (second.x, second.y, second.z) = (x[1], y[1], z[1]);
            }
            [first] => *first = self.lane(0),
            _ => (),
        }
    }

    #[inline(always)]
    pub(super) fn after(before: Vectors, now: Vectors) -> Vectors {
        Vectors { x: after(before.x, now.x), y: after(before.y, now.y), z: after(before.z, now.z) }
    }

    #[inline(always)]
    pub(super) fn dot(self, other: Vectors) -> Two {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    /// In each lane its own where `mask` says so, else the other's.
    #[inline(always)]
    pub(super) fn or(self, mask: Two, other: Vectors) -> Vectors {
        let select = |own, other| mask.bitselect(own, other);
        Vectors { x: select(self.x, other.x), y: select(self.y, other.y), z: select(self.z, other.z) }
    }
}

impl Add for Vectors {
    type Output = Vectors;
    #[inline(always)]
    fn add(self, other: Vectors) -> Vectors {
        Vectors { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

impl Sub for Vectors {
    type Output = Vectors;
    #[inline(always)]
    fn sub(self, other: Vectors) -> Vectors {
        Vectors { x: self.x - other.x, y: self.y - other.y, z: self.z - other.z }
    }
}

impl Neg for Vectors {
    type Output = Vectors;
    #[inline(always)]
    fn neg(self) -> Vectors {
        Vectors { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl Mul<Two> for Vectors {
    type Output = Vectors;
    #[inline(always)]
    fn mul(self, factor: Two) -> Vectors {
        Vectors { x: self.x * factor, y: self.y * factor, z: self.z * factor }
    }
}

/// A matrix per lane, by columns.
#[derive(Clone, Copy)]
pub(super) struct Matrices([Two; 9]);

impl Matrices {
    pub(super) const ZERO: Matrices = Matrices([Two::ZERO; 9]);

    /// `a b^T + d I`.
    #[inline(always)]
    pub(super) fn dyad(a: Vectors, b: Vectors, d: Two) -> Matrices {
        Matrices([
            a.x * b.x + d,
            a.y * b.x,
            a.z * b.x,
            a.x * b.y,
            a.y * b.y + d,
            a.z * b.y,
            a.x * b.z,
            a.y * b.z,
            a.z * b.z + d,
        ])
    }

    /// `d I + f a a^T + g b b^T`.
    #[inline(always)]
    pub(super) fn symmetric(d: Two, (f, a): (Two, Vectors), (g, b): (Two, Vectors)) -> Matrices {
        let (fa, gb) = (a * f, b * g);
        let (xx, yy, zz) = (fa.x * a.x + gb.x * b.x, fa.y * a.y + gb.y * b.y, fa.z * a.z + gb.z * b.z);
        let (xy, xz, yz) = (fa.x * a.y + gb.x * b.y, fa.x * a.z + gb.x * b.z, fa.y * a.z + gb.y * b.z);
        Matrices([xx + d, xy, xz, xy, yy + d, yz, xz, yz, zz + d])
    }

    #[inline(always)]
    pub(super) fn after(before: &Matrices, now: &Matrices) -> Matrices {
        Matrices(std::array::from_fn(|k| after(before.0[k], now.0[k])))
    }

    /// That of a lane.
    #[inline(always)]
    pub(super) fn lane(&self, k: usize) -> Mat3 {
        Mat3::from_fn(|row, column| self.0[3 * column + row].to_array()[k])
    }

    /// Writes as many lanes as there is room for.
    #[inline(always)]
    pub(super) fn put(&self, into: &mut [Mat3]) {
        match into {
            [first, second] => {
                let (first, second) = (first.data.0.as_flattened_mut(), second.data.0.as_flattened_mut());
                for ((first, second), entry) in first.iter_mut().zip(second).zip(&self.0) {
                    [*first, *second] = entry.to_array();
                }
            }
            [first] => *first = self.lane(0),
            _ => (),
        }
    }

    /// Adds to the last entry, of zz.
    #[inline(always)]
    pub(super) fn add_upright(&mut self, x: Two) {
        self.0[8] += x;
    }

    /// What `mask` selects, else zeros.
    #[inline(always)]
    pub(super) fn masked(&self, mask: Two) -> Matrices {
        Matrices(self.0.map(|entry| entry & mask))
    }
}

impl Add for &Matrices {
    type Output = Matrices;
    #[inline(always)]
    fn add(self, other: &Matrices) -> Matrices {
        Matrices(std::array::from_fn(|k| self.0[k] + other.0[k]))
    }
}

impl Neg for &Matrices {
    type Output = Matrices;
    #[inline(always)]
    fn neg(self) -> Matrices {
        Matrices(self.0.map(|entry| -entry))
    }
}
