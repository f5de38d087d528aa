//! Added mass, linear damping and quadratic drag of one body, about its reference point.
//!
//! Added mass given in the inertial frame is a constant matrix on the acceleration. Given in body
//! axes it follows Kirchhoff's equations (Lamb, Hydrodynamics, art. 124): with P, L = A (v, omega)
//! the impulse of the fluid,
//!
//! ```text
//! -wrench = A (vdot - omega x v, omegadot) + (omega x P, omega x L + v x P).
//! ```
//!
//! In moving water ([`BodyInWater`]) v is the velocity relative to the water at the reference
//! point, and vdot less the acceleration of the water there; omega is that of the body.

use super::line::current;
use super::{Element, Local, Site, Surroundings};
use crate::spatial::{
    Frame, Mat3, Mat6, Vec3, Vec6, add_block, block, join, lower, mul_skew6, rotate, skew, skew_mul, skew_skew, upper,
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
    /// None.
    pub const NONE: Hydrodynamics = Hydrodynamics { added_mass: None, linear_damping: None, quadratic_drag: None };

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
            damping.add_force(&at[0], |v| (*v, Mat6::identity()), out);
        }
        if let Some(drag) = &self.quadratic_drag {
            let by_components = |v: &Vec6| (v.map(|x| x * x.abs()), Mat6::from_diagonal(&(v.abs() * 2.0)));
            drag.add_force(&at[0], by_components, out);
        }
        out.carry(at);
    }
}

/// The part of a body that the acceleration of the water acts on.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct InWater {
    /// Volume V of displaced water: the Froude-Krylov force is rho V times the acceleration of the
    /// water.
    pub volume: f64,
    /// The centre of this volume from the reference point, body axes, where the force acts.
    pub centre: Vec3,
}

/// A body that feels the motion of the water at its reference point; it counts as wholly in the
/// water.
pub struct BodyInWater<'a> {
    /// Its coefficients: added mass and drag act with the motion relative to the water, linear
    /// damping with that of the body.
    pub coefficients: &'a Hydrodynamics,
    /// Where the acceleration of the water acts.
    pub part: InWater,
}

impl Element<1> for BodyInWater<'_> {
    const HAS_MASS: bool = true;

    fn evaluate(&self, at: &[Site; 1], around: &Surroundings, _: &[f64], out: &mut Local<1>) {
        let [site] = at;
        let Hydrodynamics { added_mass, linear_damping, quadratic_drag } = self.coefficients;
        let (steady, shear) = current(around.water, -(site.x.z + around.origin.z));
        let told = around.fluid.first().copied().unwrap_or_default();
        let acceleration = Vec3::from(told.acceleration);
        let relative = Site { v: site.v - steady - Vec3::from(told.velocity), a: site.a - acceleration, ..*site };
        if let Some(added) = added_mass {
            added.add_inertia(&relative, out);
        }
        if let Some(drag) = quadratic_drag {
            drag.add_force(&relative, by_speeds, out);
        }
        if let (Some(slope), Some(tangents)) = (shear, &mut out.tangents) {
            // The current depends on the depth, which decreases with z.
            let change = tangents.damping[0][0].fixed_columns::<3>(0) * slope;
            let mut column = tangents.stiffness[0][0].column_mut(2);
            column += change;
        }
        if let Some(damping) = linear_damping {
            damping.add_force(site, |v| (*v, Mat6::identity()), out);
        }
        let (force, arm) = (acceleration * (around.water.density * self.part.volume), site.r * self.part.centre);
        out.residual[0] -= join(&force, &arm.cross(&force));
        if let Some(tangents) = &mut out.tangents {
            add_block(&mut tangents.stiffness[0][0], 1, 1, &-skew_skew(&force, &arm));
        }
        out.carry(at);
    }
}

/// Velocities times the speeds of translation and of rotation, |v| v and |omega| omega, and their
/// derivatives: in all axes the same for what has no direction of its own.
fn by_speeds(v: &Vec6) -> (Vec6, Mat6) {
    let mut tangent = Mat6::zeros();
    let mut half = |k: usize, v: &Vec3| {
        let speed = v.norm();
        let along = if speed > 0.0 { v * v.transpose() / speed } else { Mat3::zeros() };
        add_block(&mut tangent, k, k, &(Mat3::identity() * speed + along));
        v * speed
    };
    let phi = join(&half(0, &upper(v)), &half(1, &lower(v)));
    (phi, tangent)
}

impl FrameMatrix {
    /// Zero in the same axes.
    pub fn zero(&self) -> FrameMatrix {
        FrameMatrix { matrix: Mat6::zeros(), frame: self.frame }
    }

    /// Whether it is the same in all axes.
    pub fn has_no_axes(&self) -> bool {
        let blocks = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| block(&self.matrix, i, j));
        blocks.iter().all(|block| *block == Mat3::identity() * block[(0, 0)])
    }

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

    /// Adds the wrench `-C phi(v)`, with phi and its derivative of the velocity in the axes of C.
    fn add_force(&self, at: &Site, phi: impl Fn(&Vec6) -> (Vec6, Mat6), out: &mut Local<1>) {
        let in_body = self.frame == Frame::Body;
        let local = |a: &Vec3| if in_body { at.r.tr_mul(a) } else { *a };
        let v = join(&local(&at.v), &local(&at.omega));
        let (phi, slope) = phi(&v);
        let minus_force = self.matrix * phi;
        let outward = |a: &Vec6| if in_body { join(&(at.r * upper(a)), &(at.r * lower(a))) } else { *a };
        let residual = outward(&minus_force);
        out.residual[0] += residual;
        let Some(tangents) = &mut out.tangents else { return };
        let tangent = self.matrix * slope;
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
