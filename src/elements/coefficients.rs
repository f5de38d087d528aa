//! Added mass, linear damping and quadratic drag of one body, about its reference point.
//!
//! Added mass given in the inertial frame is a constant matrix on the acceleration. Given in body
//! axes it follows Kirchhoff's equations (Lamb, Hydrodynamics, art. 124): with P, L = A (v, omega)
//! the impulse of the fluid,
//!
//! ```text
//! -wrench = A (vdot - omega x v, omegadot) + (omega x P, omega x L + v x P).
//! ```

use super::{Element, Local, Site, Surroundings};
use crate::spatial::{
    Frame, Mat3, Mat6, Vec3, Vec6, add_block, block, join, lower, mul_skew6, rotate, skew, skew_mul, upper,
};

/// A 6x6 matrix about the reference point, constant in the axes of `frame`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrameMatrix {
    /// The entries.
    pub matrix: Mat6,
    /// The axes in which they are constant.
    pub frame: Frame,
}

/// Coefficients that may change between steps; None counts as zero.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Hydrodynamics {
    /// Added mass A. Inertial frame: wrench = -A vdot. Body frame: Kirchhoff's equations.
    pub added_mass: Option<FrameMatrix>,
    /// Linear damping C: wrench = -C v.
    pub linear_damping: Option<FrameMatrix>,
    /// Quadratic drag D: wrench_i = -sum_j D_ij v_j |v_j|.
    pub quadratic_drag: Option<FrameMatrix>,
}

impl Hydrodynamics {
    /// Whether there are any.
    #[inline(always)]
    pub fn act(&self) -> bool {
        self.added_mass.is_some() || self.linear_damping.is_some() || self.quadratic_drag.is_some()
    }

    /// Kinetic energy of the added mass: 1/2 v^T A v.
    pub fn kinetic_energy(&self, at: &Site) -> f64 {
        let v = join(&at.v, &at.omega);
        self.added_mass.map_or(0.0, |added| 0.5 * v.dot(&(added.inertial(&at.r) * v)))
    }
}

/// The place is the reference point of a body.
impl Element<1> for Hydrodynamics {
    const HAS_MASS: bool = true;

    fn evaluate(&self, at: &[Site; 1], _: &Surroundings, _: &[f64], out: &mut Local<1>) {
        if let Some(added) = &self.added_mass {
            added.add_inertia(&at[0], out);
        }
        if let Some(damping) = &self.linear_damping {
            damping.add_force(&at[0], |x| x, |_| 1.0, out);
        }
        if let Some(drag) = &self.quadratic_drag {
            drag.add_force(&at[0], |x| x * x.abs(), |x| 2.0 * x.abs(), out);
        }
        out.carry(at);
    }
}

impl FrameMatrix {
    /// The matrix in inertial axes at the present orientation.
    fn inertial(&self, r: &Mat3) -> Mat6 {
        match self.frame {
            Frame::Inertial => self.matrix,
            Frame::Body => rotate(r, &self.matrix),
        }
    }

    /// Adds the inertia forces of an added mass.
    fn add_inertia(&self, at: &Site, out: &mut Local<1>) {
        let a = self.inertial(&at.r);
        if let Some(mass) = &mut out.mass {
            mass[0][0] += a;
        }
        if self.frame == Frame::Inertial {
            out.residual[0] += a * join(&at.a, &at.omegadot);
            return;
        }
        let (v, omega) = (at.v, at.omega);
        let relative = at.a - omega.cross(&v);
        let inertia = a * join(&relative, &at.omegadot);
        let impulse = a * join(&v, &omega);
        let (p, l) = (upper(&impulse), lower(&impulse));
        out.residual[0] += inertia + join(&omega.cross(&p), &(omega.cross(&l) + v.cross(&p)));
        let Some(tangents) = &mut out.tangents else { return };

        // d/dv and d/domega
        let (a11, a12, a21, a22) = (block(&a, 0, 0), block(&a, 0, 1), block(&a, 1, 0), block(&a, 1, 1));
        let damping = &mut tangents.damping[0][0];
        let (sv, so) = (skew(&v), skew(&omega));
        add_block(damping, 0, 0, &(skew_mul(&omega, &a11) - a11 * so));
        add_block(damping, 1, 0, &(skew_mul(&omega, &a21) + skew_mul(&v, &a11) - skew(&p) - a21 * so));
        add_block(damping, 0, 1, &(skew_mul(&omega, &a12) - skew(&p) + a11 * sv));
        add_block(damping, 1, 1, &(skew_mul(&omega, &a22) - skew(&l) + skew_mul(&v, &a12) + a21 * sv));

        // d/dtheta: delta A = ~theta A - A ~theta, blockwise
        let turned = |w0, w1, f: &Vec6| {
            let mut d = mul_skew6(&a, w0, w1);
            let own = [skew(&upper(f)), skew(&lower(f))];
            for (i, s) in own.iter().enumerate() {
                let part = d.fixed_view::<3, 3>(3 * i, 0) - s;
                d.fixed_view_mut::<3, 3>(3 * i, 0).copy_from(&part);
            }
            (d.fixed_view::<3, 3>(0, 0).into_owned(), d.fixed_view::<3, 3>(3, 0).into_owned())
        };
        let (f, m) = turned(&relative, &at.omegadot, &inertia);
        let (dp, dl) = turned(&v, &omega, &impulse);
        add_block(&mut tangents.stiffness[0][0], 0, 1, &(f + skew_mul(&omega, &dp)));
        add_block(&mut tangents.stiffness[0][0], 1, 1, &(m + skew_mul(&omega, &dl) + skew_mul(&v, &dp)));
    }

    /// Adds the wrench `-C phi(v)`, with phi acting on each component in the axes of C.
    fn add_force(&self, at: &Site, phi: impl Fn(f64) -> f64, slope: impl Fn(f64) -> f64, out: &mut Local<1>) {
        let in_body = self.frame == Frame::Body;
        let local = |a: &Vec3| if in_body { at.r.tr_mul(a) } else { *a };
        let v = join(&local(&at.v), &local(&at.omega));
        let minus_force = self.matrix * v.map(&phi);
        let outward = |a: &Vec6| if in_body { join(&(at.r * upper(a)), &(at.r * lower(a))) } else { *a };
        let residual = outward(&minus_force);
        out.residual[0] += residual;
        let Some(tangents) = &mut out.tangents else { return };
        let mut tangent = self.matrix;
        for j in 0..6 {
            let s = slope(v[j]);
            tangent.column_mut(j).iter_mut().for_each(|x| *x *= s);
        }
        if !in_body {
            tangents.damping[0][0] += tangent;
            return;
        }
        let damping = rotate(&at.r, &tangent);
        tangents.damping[0][0] += damping;
        let turned = mul_skew6(&damping, &at.v, &at.omega);
        let stiffness = &mut tangents.stiffness[0][0];
        add_block(stiffness, 0, 1, &(turned.fixed_view::<3, 3>(0, 0) - skew(&upper(&residual))));
        add_block(stiffness, 1, 1, &(turned.fixed_view::<3, 3>(3, 0) - skew(&lower(&residual))));
    }
}
