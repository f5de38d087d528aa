//! A blade as BeamDyn and WindIO describe it: a reference line, and sections along it; as a beam.
//!
//! The reference line is a natural cubic spline over z through its key points. Axis 1 of a section
//! is the tangent, their z; axes 2 and 3 are their x (flap) and y (edge): x without a component
//! along y of the root, then both turned about the tangent by the twist, which they count the other
//! way round. Stations are parts of the length of the reference line.

use pintle::spatial::Vec3;
use pintle::spatial::convert::quat_from_dcm;
use pintle::{EntityKind, GROUND, Id, Simulation};

/// Most key points, and stations.
pub const MOST: usize = 100_000;

/// Where their matrices have the entry that ours have at a place: their axes are x, y, z.
pub const ORDER: [usize; 6] = [2, 0, 1, 5, 3, 4];

/// Gauss' points and weights of order 10 on (0, 1), for the length of the line.
const GAUSS: [[f64; 2]; 5] = [
    [0.046_910_077_030_668, 0.118_463_442_528_095],
    [0.230_765_344_947_158, 0.239_314_335_249_683],
    [0.5, 0.284_444_444_444_444],
    [0.769_234_655_052_842, 0.239_314_335_249_683],
    [0.953_089_922_969_332, 0.118_463_442_528_095],
];

/// A blade in the making, clamped to the ground at its root, in the axes of its root.
pub struct Blade {
    line: Line,
    system: Simulation,
    beam: Id,
}

impl Blade {
    /// Without stations. `damping` per stiffness, in our order. Errors: those of a beam.
    pub fn new(line: Line, damping: &[f64; 6]) -> pintle::Result<Blade> {
        let mut system = Simulation::new();
        let beam = system.elements().add_beam(damping)?;
        Ok(Blade { line, system, beam })
    }

    /// Adds a station at a part of the length, with stiffness and mass row after row in the order of
    /// the files. Errors: those of a station.
    pub fn add(&mut self, eta: f64, matrices: [&[f64; 36]; 2]) -> pintle::Result<()> {
        let [stiffness, mass] = matrices.map(|rows| std::array::from_fn(|k| rows[6 * ORDER[k % 6] + ORDER[k / 6]]));
        let s = eta * self.line.length;
        let pose = self.line.pose(s)?;
        self.system.elements().add_beam_station(self.beam, s, &pose, &stiffness, &mass).map(|_| ())
    }

    /// With so many elements. Errors: those of a mesh.
    pub fn mesh(mut self, elements: i32) -> pintle::Result<Simulation> {
        let Blade { system, beam, .. } = &mut self;
        system.elements().attach_beam(*beam, 0, GROUND)?;
        system.elements().mesh_beam(*beam, elements)?;
        system.build().set_name(EntityKind::Beam, *beam, "blade")?;
        Ok(self.system)
    }
}

/// Whether a part of the length is one.
pub fn is_part(eta: f64) -> bool {
    (0.0..=1.0).contains(&eta)
}

/// Between two key points: z, and of x, y and twist the values and second derivatives there.
struct Piece {
    z: [f64; 2],
    values: [[f64; 2]; 3],
    bends: [[f64; 2]; 3],
    /// Length of the line up to its start.
    before: f64,
}

/// The reference line.
#[derive(Default)]
pub struct Line {
    pieces: Vec<Piece>,
    length: f64,
}

impl Line {
    /// Adds the natural cubic spline through some points x, y, z, twist (deg), of rising z.
    pub fn add_member(&mut self, rows: &[[f64; 4]]) {
        let z: Vec<f64> = rows.iter().map(|row| row[2]).collect();
        let columns = [0, 1, 3].map(|k| rows.iter().map(|row| row[k]).collect::<Vec<f64>>());
        let bends = columns.each_ref().map(|values| second_derivatives(&z, values));
        for k in 0..rows.len() - 1 {
            let piece = Piece {
                z: [z[k], z[k + 1]],
                values: columns.each_ref().map(|values| [values[k], values[k + 1]]),
                bends: bends.each_ref().map(|bends| [bends[k], bends[k + 1]]),
                before: self.length,
            };
            self.length += piece.length_to(z[k + 1]);
            self.pieces.push(piece);
        }
    }

    /// Place and axes at a length along the line. Errors: numbers too large for a rotation.
    fn pose(&self, s: f64) -> pintle::Result<[f64; 7]> {
        let piece = &self.pieces[self.pieces.partition_point(|piece| piece.before <= s).saturating_sub(1)];
        let [mut low, mut high] = piece.z;
        // Bisections: doubles have 53 bits.
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if piece.before + piece.length_to(middle) < s { low = middle } else { high = middle }
        }
        let [[x, dx], [y, dy], [twist, _]] = [0, 1, 2].map(|k| piece.at(k, high));
        let tangent = Vec3::new(dx, dy, 1.0).normalize();
        let flap = Vec3::new(tangent.z, 0.0, -tangent.x).normalize();
        let edge = tangent.cross(&flap);
        let (sin, cos) = (-twist.to_radians()).sin_cos();
        let axes = [tangent, flap * cos + edge * sin, edge * cos - flap * sin];
        let [w, i, j, k] = quat_from_dcm(&std::array::from_fn(|entry| axes[entry / 3][entry % 3]))?;
        Ok([x, y, high, w, i, j, k])
    }
}

impl Piece {
    /// Value and slope of x, y or twist at a place.
    fn at(&self, which: usize, z: f64) -> [f64; 2] {
        let ([z0, z1], [f0, f1], [m0, m1]) = (self.z, self.values[which], self.bends[which]);
        let h = z1 - z0;
        let (a, b) = ((z1 - z) / h, (z - z0) / h);
        let value = a * f0 + b * f1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * (h * h / 6.0);
        let slope = (f1 - f0) / h + ((3.0 * b * b - 1.0) * m1 - (3.0 * a * a - 1.0) * m0) * (h / 6.0);
        [value, slope]
    }

    /// Length of the line from the start to a place.
    fn length_to(&self, z: f64) -> f64 {
        let rise = z - self.z[0];
        let speed = |x: f64| {
            let [dx, dy] = [0, 1].map(|which| self.at(which, self.z[0] + rise * x)[1]);
            (1.0 + dx * dx + dy * dy).sqrt()
        };
        rise * GAUSS.iter().map(|[x, weight]| weight * speed(*x)).sum::<f64>()
    }
}

/// Second derivatives of the natural cubic spline, by elimination of its tridiagonal system.
fn second_derivatives(z: &[f64], f: &[f64]) -> Vec<f64> {
    let n = z.len();
    let (mut upper, mut bends) = (vec![0.0; n], vec![0.0; n]);
    for k in 1..n - 1 {
        let [h0, h1] = [z[k] - z[k - 1], z[k + 1] - z[k]];
        let pivot = 2.0 * (h0 + h1) - h0 * upper[k - 1];
        upper[k] = h1 / pivot;
        let right = 6.0 * ((f[k + 1] - f[k]) / h1 - (f[k] - f[k - 1]) / h0);
        bends[k] = (right - h0 * bends[k - 1]) / pivot;
    }
    for k in (1..n - 1).rev() {
        bends[k] -= upper[k] * bends[k + 1];
    }
    bends
}
