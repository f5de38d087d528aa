//! Mass properties of a rigid body, and the checks that make a 6x6 matrix a physical one.

use super::{Mat3, Mat6, Vec3, add_block, block, skew, skew_skew};
use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::pose::check_finite;

/// Relative tolerance of the checks on symmetry, definiteness and the triangle inequality:
/// published data carry five or more digits, and equality (thin plates, rods) is allowed.
const TOLERANCE: f64 = 1e-6;

/// Relative tolerance for matrices that hosts compute: asymmetry and negative eigenvalues from
/// single precision. Its unit of rounding is 6e-8; transforming a matrix to other axes and another
/// point takes some ten operations on terms that may be ten times as large as the result.
const SINGLE_PRECISION: f64 = 1e-5;

/// Mass, offset of the centre of mass, and inertia about the reference point, in body axes:
/// `M* = [m I, m ~eta^T; m ~eta, J]`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RigidInertia {
    /// Mass m.
    pub mass: f64,
    /// Centre of mass from the reference point.
    pub eta: Vec3,
    /// Inertia tensor about the reference point.
    pub inertia: Mat3,
}

impl RigidInertia {
    /// No mass.
    pub const NONE: RigidInertia = RigidInertia {
        mass: 0.0,
        eta: Vec3::new(0.0, 0.0, 0.0),
        inertia: Mat3::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    };

    /// From the inertia about the centre of mass. Errors: not finite, negative mass, inertia not
    /// positive semi-definite or violating the triangle inequality.
    pub fn from_com(mass: f64, com: &[f64; 3], inertia: &[f64; 6]) -> Result<RigidInertia> {
        check_mass(mass, com)?;
        check_finite("inertia", inertia)?;
        let about_com = tensor(inertia);
        check_inertia("inertia", &about_com, about_com.amax())?;
        let eta = Vec3::from_column_slice(com);
        RigidInertia { mass, eta, inertia: about_com - skew_skew(&eta, &eta) * mass }.finite("com")
    }

    /// From the inertia xx yy zz xy xz yz about the reference point, which is stored. Errors as
    /// [`RigidInertia::from_com`].
    pub fn about_reference(mass: f64, com: &[f64; 3], inertia: &[f64; 6]) -> Result<RigidInertia> {
        let argument = "inertia_about_reference";
        check_mass(mass, com)?;
        check_finite(argument, inertia)?;
        let body = RigidInertia { mass, eta: Vec3::from_column_slice(com), inertia: tensor(inertia) };
        let body = body.finite("com")?;
        // The parallel-axis term is subtracted: its rounding is part of the tolerance. An inertia
        // that has passed in another description with exactly the tolerance passes here, too.
        check_inertia(argument, &body.about_com(), body.inertia.amax() * (1.0 + 1e-5))?;
        Ok(body)
    }

    /// From the 6x6 matrix, column-major. Errors: not finite, unsymmetric, not of the form of a
    /// rigid body, not positive semi-definite, inertia about the centre of mass violating the
    /// triangle inequality.
    pub fn from_matrix(a: &[f64; 36]) -> Result<RigidInertia> {
        let argument = "mass";
        check_finite(argument, a)?;
        let m = symmetric(argument, a)?;
        let scale = (m[(0, 0)] + m[(1, 1)] + m[(2, 2)]) / 3.0;
        if scale < 0.0 {
            return Err(Error::bad_value(
                argument,
                format!("mass {} is negative: not positive semi-definite", Number(scale)),
            ));
        }
        let shape = |what: &str, value: f64| {
            Error::bad_value(
                argument,
                format!(
                    "not the matrix of a rigid body [m I, m~eta^T; m~eta, J]: {what} = {value} \
                     (an added mass goes to pintle_set_added_mass)"
                ),
            )
        };
        let deviation = (block(&m, 0, 0) - Mat3::identity() * scale).amax();
        if deviation > TOLERANCE * scale {
            return Err(shape("largest deviation of the upper left block from m I", deviation));
        }
        let coupling = block(&m, 1, 0);
        let deviation = (coupling + coupling.transpose()).amax();
        if deviation > TOLERANCE * coupling.amax() {
            return Err(shape("symmetric part of the lower left block", deviation));
        }
        let first_moment = super::rotation::axial(&coupling);
        if scale == 0.0 && first_moment.amax() > 0.0 {
            return Err(shape("first moment without mass", first_moment.amax()));
        }
        let eta = if scale > 0.0 { first_moment / scale } else { Vec3::zeros() };
        let inertia = block(&m, 1, 1);
        // The parallel-axis term is subtracted: its rounding is part of the tolerance.
        let body = RigidInertia { mass: scale, eta, inertia }.finite(argument)?;
        check_inertia(argument, &body.about_com(), inertia.amax())?;
        Ok(body)
    }

    /// Returns the inertia, or an error if derived numbers overflow, so that an accepted inertia
    /// can be used and saved.
    fn finite(self, argument: &'static str) -> Result<RigidInertia> {
        let parts = self.eta.iter().chain(self.inertia.iter());
        if self.about_com().iter().chain(parts).all(|x| x.is_finite()) {
            return Ok(self);
        }
        let detail = "mass, distance of the centre of mass and inertia are too large together: their product overflows";
        Err(Error::bad_value(argument, detail))
    }

    /// The same body about its centre of mass.
    pub fn centred(&self) -> RigidInertia {
        let about_com = self.about_com();
        RigidInertia { mass: self.mass, eta: Vec3::zeros(), inertia: (about_com + about_com.transpose()) * 0.5 }
    }

    /// The same body about another point, from the present one in body axes.
    pub fn about(&self, point: &Vec3) -> RigidInertia {
        if *point == Vec3::zeros() {
            return *self;
        }
        let (eta, centred) = (self.eta - point, self.centred());
        if eta == Vec3::zeros() {
            return centred;
        }
        let RigidInertia { mass, inertia, .. } = centred;
        RigidInertia { mass, eta, inertia: inertia - skew_skew(&eta, &eta) * mass }
    }

    /// The 6x6 matrix `M*`.
    pub fn matrix(&self) -> Mat6 {
        let mut m = Mat6::zeros();
        let coupling = skew(&self.eta) * self.mass;
        add_block(&mut m, 0, 0, &(Mat3::identity() * self.mass));
        add_block(&mut m, 1, 0, &coupling);
        add_block(&mut m, 0, 1, &coupling.transpose());
        add_block(&mut m, 1, 1, &self.inertia);
        m
    }

    /// Whether the kinetic energy together with an added mass in the axes of the body is never
    /// negative: the tolerance on `added` is relative to `added`, not to a light body.
    pub fn carries(&self, added: &Mat6) -> bool {
        let m = self.matrix() + added;
        // Scaled by its diagonal, so that kilograms and kilogram square metres are comparable.
        let s: [f64; 6] = std::array::from_fn(|i| if m[(i, i)] > 0.0 { m[(i, i)].sqrt().recip() } else { 1.0 });
        Mat6::from_fn(|i, j| s[i] * m[(i, j)] * s[j]).symmetric_eigenvalues().min() >= -TOLERANCE
    }

    /// Inertia tensor about the centre of mass.
    pub fn about_com(&self) -> Mat3 {
        self.inertia + skew_skew(&self.eta, &self.eta) * self.mass
    }
}

fn check_mass(mass: f64, com: &[f64; 3]) -> Result<()> {
    check_finite("mass", &[mass])?;
    check_finite("com", com)?;
    if mass < 0.0 { Err(Error::bad_value("mass", format!("{} is negative", Number(mass)))) } else { Ok(()) }
}

/// The tensor with the entries xx yy zz xy xz yz.
fn tensor([xx, yy, zz, xy, xz, yz]: &[f64; 6]) -> Mat3 {
    Mat3::new(*xx, *xy, *xz, *xy, *yy, *yz, *xz, *yz, *zz)
}

/// The entries xx yy zz xy xz yz of a symmetric tensor.
pub fn entries(m: &Mat3) -> [f64; 6] {
    [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)].map(|at| m[at])
}

/// The symmetric part of a column-major matrix. Errors: not finite; unsymmetric beyond 1e-5 of the
/// largest entry of the 3x3 block concerned, or, off the diagonal blocks, of the geometric mean of
/// the two diagonal blocks if that is larger: entries of different blocks have different units, and
/// a block that is zero up to rounding has no size of its own.
pub fn symmetric(argument: &'static str, a: &[f64; 36]) -> Result<Mat6> {
    check_finite(argument, a)?;
    let m = Mat6::from_column_slice(a);
    let size = |row: usize, column: usize| {
        let (own, other) = (block(&m, row, column).amax(), block(&m, column, row).amax());
        let mean = block(&m, row, row).amax().sqrt() * block(&m, column, column).amax().sqrt();
        own.max(other).max(mean)
    };
    for j in 0..6 {
        for i in 0..j {
            // Halved: the difference of the largest numbers does not overflow.
            if (0.5 * m[(i, j)] - 0.5 * m[(j, i)]).abs() > 0.5 * SINGLE_PRECISION * size(i / 3, j / 3) {
                return Err(Error::bad_value(
                    argument,
                    format!("unsymmetric: a[{i},{j}] = {}, a[{j},{i}] = {}", Number(m[(i, j)]), Number(m[(j, i)])),
                ));
            }
        }
    }
    // Halves first: the sum of two large numbers overflows.
    Ok(m.zip_map(&m.transpose(), |a, b| if a == b { a } else { 0.5 * a + 0.5 * b }))
}

/// A symmetric positive semi-definite 6x6 matrix. Errors as [`symmetric`], and an eigenvalue below
/// -1e-5 of the largest entry, rotations scaled to the size of translations.
pub fn positive_semi_definite(argument: &'static str, a: &[f64; 36]) -> Result<Mat6> {
    let m = symmetric(argument, a)?;
    let (translations, rotations) = (block(&m, 0, 0).amax(), block(&m, 1, 1).amax());
    let both = translations > 0.0 && rotations > 0.0;
    let s = if both { translations.sqrt() / rotations.sqrt() } else { 1.0 };
    let scaled = Mat6::from_fn(|i, j| m[(i, j)] * if i < 3 { 1.0 } else { s } * if j < 3 { 1.0 } else { s });
    // The iteration for eigenvalues would not end.
    if !scaled.iter().all(|x| x.is_finite()) {
        return Err(Error::bad_value(argument, "numbers too large or too small to be compared"));
    }
    // Of order one: squares of large numbers overflow.
    let size = scaled.amax().max(f64::MIN_POSITIVE);
    let least = (scaled / size).map(not_tiny).symmetric_eigenvalues().min();
    if least < -SINGLE_PRECISION {
        let least = Number(least * size);
        return Err(Error::bad_value(
            argument,
            format!(
                "not positive semi-definite: with rotations scaled to translations its least eigenvalue is {least}"
            ),
        ));
    }
    Ok(m)
}

/// An entry of a matrix whose largest is 1, or zero if its square underflows: it does not affect
/// eigenvalues, and their iteration may not end with it.
fn not_tiny(x: f64) -> f64 {
    if x.abs() < 1e-100 { 0.0 } else { x }
}

/// Checks an inertia tensor about the centre of mass; rounding is relative to `scale`.
fn check_inertia(argument: &'static str, about_com: &Mat3, scale: f64) -> Result<()> {
    if !about_com.iter().all(|x| x.is_finite()) {
        return Err(Error::bad_value(argument, "inertia about the centre of mass is too large"));
    }
    let size = about_com.amax();
    if size == 0.0 {
        return Ok(());
    }
    // Of order one, so that no square of an entry overflows or vanishes.
    let e = (about_com / size).map(not_tiny).symmetric_eigenvalues();
    let tolerance = TOLERANCE * (scale / size);
    if e.min() < -tolerance {
        let least = Number(e.min() * size);
        return Err(Error::bad_value(
            argument,
            format!("inertia about the centre of mass is not positive semi-definite: least eigenvalue {least}"),
        ));
    }
    if e.max() > e.sum() - e.max() + tolerance {
        let [x, y, z] = [e[0], e[1], e[2]].map(|e| Number(e * size));
        let detail = format!(
            "principal inertias ({x}, {y}, {z}) violate the triangle inequality: no mass distribution has them"
        );
        return Err(Error::bad_value(argument, detail));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_descriptions_agree() {
        let a = RigidInertia::from_com(2.0, &[0.1, -0.2, 0.3], &[1.0, 1.5, 2.0, 0.1, 0.2, -0.1]).unwrap();
        let m = a.matrix();
        let b = RigidInertia::from_matrix(&std::array::from_fn(|k| m[k])).unwrap();
        assert!((a.eta - b.eta).norm() < 1e-15 && (a.inertia - b.inertia).norm() < 1e-15 && a.mass == b.mass);
    }

    #[test]
    fn impossible_inertias_are_refused() {
        let refused = |j: [f64; 6]| RigidInertia::from_com(1.0, &[0.0; 3], &j).is_err();
        assert!(refused([1.0, 1.0, 2.1, 0.0, 0.0, 0.0]));
        assert!(refused([-1.0, 1.0, 1.0, 0.0, 0.0, 0.0]));
        assert!(refused([1.0, 1.0, 1.0, 1.5, 0.0, 0.0]));
        assert!(!refused([0.234375, 0.46875, 0.234375, 0.0, 0.0, 0.0]));
        assert!(!refused([0.0; 6]));
    }
}
