//! Inertia of a beam element, whose material points follow the poses of both ends.
//!
//! A point moves as `x = N_a x_a + R_a p_a + N_b x_b + R_b p_b` with constants N, p and N_a + N_b =
//! 1 (`sections`). So the kinetic energy is a quadratic form of the rates of Y = (x_a, R_a, x_b,
//! R_b), a 3 x 8 matrix, `T = 1/2 tr(Y' C Y'^T)`, with one constant 8 x 8 matrix C. It is exact for
//! rigid motions, and weight is that of the same points. With the blocks m_ij, s_ij (x_i with R_j),
//! J_ij of C, and for each end O = ~omegadot + ~omega ~omega and the acceleration a - gravity:
//!
//! ```text
//! b = R_j s_ij,   c = R_i s_ji,   W = R_j J_ji R_i^T,
//! force on i = sum_j m_ij a_j + O_j b,   moment on i = axl(sum_j a_j c^T + O_j W),
//! axl(Z) = (Z32 - Z23, Z13 - Z31, Z21 - Z12).
//! ```
//!
//! Derivatives follow from `~a ~b = b a^T - (a . b) I`, `axl(a b^T) = b x a` and
//! `axl(~a Z) = (tr(Z) I - Z) a`.

use super::super::{Local, Site};
use crate::spatial::rotation::axial;
use crate::spatial::{Mat3, Vec3, add_block, join, mul_skew, skew, skew_mul, skew_skew};

/// C.
pub type Mat8 = nalgebra::SMatrix<f64, 8, 8>;

/// Blocks of C between two ends.
struct Blocks {
    m: f64,
    /// x_i with R_j, x_j with R_i.
    s: [Vec3; 2],
    /// Rows R_j, columns R_i.
    j: Mat3,
}

fn blocks(c: &Mat8, i: usize, j: usize) -> Blocks {
    let row = |x: usize, r: usize| Vec3::from_fn(|k, _| c[(4 * x, 4 * r + 1 + k)]);
    Blocks { m: c[(4 * i, 4 * j)], s: [row(i, j), row(j, i)], j: c.fixed_view::<3, 3>(4 * j + 1, 4 * i + 1).into() }
}

/// axl(Z).
pub fn axl(z: &Mat3) -> Vec3 {
    axial(z) * 2.0
}

/// tr(Z) I - Z.
fn spread(z: &Mat3) -> Mat3 {
    Mat3::from_diagonal_element(z.trace()) - z
}

/// Adds inertia forces less weight at the places of both ends, whose axes are given, with their
/// derivatives.
pub fn add(c: &Mat8, at: &[Site; 2], axes: &[Mat3; 2], gravity: &Vec3, out: &mut Local<2>) {
    let spins = [0, 1].map(|j: usize| skew(&at[j].omegadot) + skew_skew(&at[j].omega, &at[j].omega));
    for i in 0..2 {
        let (mut force, mut z) = (Vec3::zeros(), Mat3::zeros());
        for j in 0..2 {
            let Blocks { m, s, j: inertia } = blocks(c, i, j);
            let (b, arm, w) = (axes[j] * s[0], axes[i] * s[1], axes[j] * inertia * axes[i].transpose());
            let (a, spin, omega) = (at[j].a - gravity, &spins[j], &at[j].omega);
            force += a * m + spin * b;
            z += a * arm.transpose() + spin * w;
            if let Some(mass) = &mut out.mass {
                let mass = &mut mass[i][j];
                add_block(mass, 0, 0, &Mat3::from_diagonal_element(m));
                add_block(mass, 0, 1, &-skew(&b));
                add_block(mass, 1, 0, &skew(&arm));
                add_block(mass, 1, 1, &spread(&w));
            }
            if let Some(tangents) = &mut out.tangents {
                let damping = &mut tangents.damping[i][j];
                add_block(damping, 0, 1, &-(skew(&omega.cross(&b)) + skew_skew(omega, &b)));
                let (skew_omega, turned, twist) = (skew(omega), skew_mul(omega, &w.transpose()), axl(&w));
                // Of axl((~e ~omega + ~omega ~e) W) by e.
                let by_spin = skew(&w.tr_mul(omega)) - turned - twist * (omega * 2.0).transpose();
                add_block(damping, 1, 1, &by_spin);
                let stiffness = &mut tangents.stiffness[i][j];
                add_block(stiffness, 0, 1, &-(mul_skew(spin, &b)));
                // Of axl(O ~e W) by e.
                let rate = &at[j].omegadot;
                let by_turn = skew(&w.tr_mul(rate))
                    - twist * rate.transpose()
                    - turned * skew_omega
                    - spread(&w) * omega.norm_squared();
                add_block(stiffness, 1, 1, &by_turn);
            }
        }
        out.residual[i] += join(&force, &axl(&z));
        if let Some(tangents) = &mut out.tangents {
            // Of axl(Z ~e^T) by e.
            add_block(&mut tangents.stiffness[i][i], 1, 1, &-spread(&z.transpose()));
        }
    }
}

/// The sum of weight times height over all points, less its value at the origin of positions.
pub fn potential(c: &Mat8, x: &[Vec3; 2], axes: &[Mat3; 2], gravity: &Vec3) -> f64 {
    let parts = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| {
        let Blocks { m, s, .. } = blocks(c, i, j);
        gravity.dot(&(x[i] * m + axes[i] * s[1]))
    });
    -parts.iter().sum::<f64>()
}
