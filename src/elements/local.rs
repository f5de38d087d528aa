//! Contributions of an element to the equations of its nodes, by blocks of nodes.

use super::Site;
use crate::spatial::{
    Mat3, Mat6, Vec3, Vec6, add_block, block, join, lower, mul_skew, skew, skew_mul, skew_skew, upper,
};

/// 6 x 6 blocks between the nodes of an element, `[row node][column node]`.
pub type Blocks<const N: usize> = [[Mat6; N]; N];

/// Contributions of an element with N nodes to the equations `M vdot + g - f = 0`: residuals, and
/// their derivatives with respect to the motion of the nodes. Wrenches are about the points of the
/// nodes, axes are inertial; for a node that does not turn only translations count.
#[derive(Debug, Clone)]
pub struct Local<const N: usize> {
    /// Inertia forces minus applied wrenches, of each node.
    pub residual: [Vec6; N],
    /// M, derivatives with respect to accelerations: Some if the element has any and a matrix is
    /// wanted.
    pub mass: Option<Blocks<N>>,
    /// Derivatives with respect to velocities and positions: Some if they are wanted.
    pub tangents: Option<Tangents<N>>,
}

/// Derivatives of the residuals with respect to the velocities of the nodes, and to their
/// translations and rotations (u, theta).
#[derive(Debug, Clone, Copy)]
pub struct Tangents<const N: usize> {
    /// K.
    pub stiffness: Blocks<N>,
    /// G.
    pub damping: Blocks<N>,
}

impl<const N: usize> Tangents<N> {
    /// Zeros.
    #[inline(always)]
    pub fn zero() -> Tangents<N> {
        Tangents { stiffness: [[Mat6::zeros(); N]; N], damping: [[Mat6::zeros(); N]; N] }
    }

    /// Adds K of others.
    pub fn add_stiffness(&mut self, other: &Tangents<N>) {
        let all = self.stiffness.as_flattened_mut().iter_mut().zip(other.stiffness.as_flattened());
        all.for_each(|(own, other)| *own += other);
    }
}

impl<const N: usize> Local<N> {
    /// Zeros, with the matrices that are wanted.
    #[inline(always)]
    pub fn zero(wants_mass: bool, wants_tangents: bool) -> Local<N> {
        Local {
            residual: [Vec6::zeros(); N],
            mass: if wants_mass { Some([[Mat6::zeros(); N]; N]) } else { None },
            tangents: if wants_tangents { Some(Tangents::zero()) } else { None },
        }
    }

    /// Adds all of another one with the same matrices.
    pub fn add(&mut self, other: &Local<N>) {
        let sum = |own: &mut Blocks<N>, other: &Blocks<N>| {
            own.as_flattened_mut().iter_mut().zip(other.as_flattened()).for_each(|(own, other)| *own += other);
        };
        self.residual.iter_mut().zip(&other.residual).for_each(|(own, other)| *own += other);
        if let (Some(own), Some(other)) = (&mut self.mass, &other.mass) {
            sum(own, other);
        }
        if let (Some(own), Some(other)) = (&mut self.tangents, &other.tangents) {
            sum(&mut own.stiffness, &other.stiffness);
            sum(&mut own.damping, &other.damping);
        }
    }

    /// Adds what D, of G and K by coefficients over that of M, makes of vectors at the nodes.
    pub fn add_change(&mut self, [damping, stiffness]: [f64; 2], u: &[Vec6; N]) {
        let Some(tangents) = &self.tangents else { return };
        for (i, residual) in self.residual.iter_mut().enumerate() {
            for (j, u) in u.iter().enumerate() {
                *residual += (tangents.damping[i][j] * damping + tangents.stiffness[i][j] * stiffness) * u;
            }
        }
    }

    /// Adds the force on a place as a wrench on its node, with a minus sign.
    #[inline(always)]
    pub fn add_force(&mut self, node: usize, at: &Site, force: &Vec3) {
        self.residual[node] -= point_wrench(force, &at.arm);
        if let Some(tangents) = &mut self.tangents {
            // The lever arm turns: d(s x f) = -~f d s = ~f ~s dtheta.
            add_block(&mut tangents.stiffness[node][node], 1, 1, &-skew_skew(force, &at.arm));
        }
    }

    /// Adds the derivatives of the force on place `row` with respect to the position and the
    /// velocity of place `column`: K and G are minus these derivatives.
    #[inline(always)]
    pub fn add_force_by(
        &mut self,
        (row, column): (usize, usize),
        at: &[Site; N],
        by_position: &Mat3,
        by_velocity: &Mat3,
    ) {
        let Some(tangents) = &mut self.tangents else { return };
        let (arm, site) = (&at[row].arm, &at[column]);
        // d x = u - ~s theta, d v = udot - ~s domega + ~omega (theta x s).
        let k = [-by_position, mul_skew(by_position, &site.arm) + by_velocity * skew_skew(&site.omega, &site.arm)];
        let c = [-by_velocity, mul_skew(by_velocity, &site.arm)];
        for half in 0..2 {
            let (stiffness, damping) = (&mut tangents.stiffness[row][column], &mut tangents.damping[row][column]);
            add_block(stiffness, 0, half, &k[half]);
            add_block(stiffness, 1, half, &skew_mul(arm, &k[half]));
            add_block(damping, 0, half, &c[half]);
            add_block(damping, 1, half, &skew_mul(arm, &c[half]));
        }
    }

    /// Transforms residuals and derivatives from the places of an element to the points of the
    /// nodes.
    pub fn carry(&mut self, at: &[Site; N]) {
        if at.iter().all(|site| site.arm == Vec3::zeros()) {
            return;
        }
        for row in 0..N {
            let arm = &at[row].arm;
            for (column, site) in at.iter().enumerate() {
                let zero = Mat6::zeros();
                let given = [
                    self.mass.as_ref().map_or(zero, |mass| mass[row][column]),
                    self.tangents.as_ref().map_or(zero, |tangents| tangents.damping[row][column]),
                    self.tangents.as_ref().map_or(zero, |tangents| tangents.stiffness[row][column]),
                ];
                let [mass, damping, stiffness] = columns(site, &given).map(|tangent| rows(arm, &tangent));
                if let Some(own) = &mut self.mass {
                    own[row][column] = mass;
                }
                if let Some(tangents) = &mut self.tangents {
                    (tangents.damping[row][column], tangents.stiffness[row][column]) = (damping, stiffness);
                }
            }
            let force = upper(&self.residual[row]);
            if let Some(tangents) = &mut self.tangents {
                // The lever arm turns: d(s x f) = (theta x s) x f = ~f ~s theta.
                add_block(&mut tangents.stiffness[row][row], 1, 1, &skew_skew(&force, arm));
            }
            self.residual[row] = join(&force, &(lower(&self.residual[row]) + arm.cross(&force)));
        }
    }
}

/// The wrench about a node's point of a force at `arm` from there.
#[inline(always)]
pub fn point_wrench(force: &Vec3, arm: &Vec3) -> Vec6 {
    join(force, &arm.cross(force))
}

/// Transforms derivatives `[M, G, K]` with respect to acceleration, velocity and position of a
/// place to the motion of the point of its node.
pub fn columns(site: &Site, [mass, damping, stiffness]: &[Mat6; 3]) -> [Mat6; 3] {
    let Site { arm, omega, omegadot, .. } = site;
    // theta x s enters positions, omega x (theta x s) velocities, omegadot x (theta x s) + omega x
    // (omega x (theta x s)) accelerations; domega x s velocities, domega x (omega x s) + omega x
    // (domega x s) accelerations.
    let turn = -skew(arm);
    let velocity_by_turn = -skew_skew(omega, arm);
    let acceleration_by_turn = skew_mul(omega, &velocity_by_turn) - skew_skew(omegadot, arm);
    let acceleration_by_spin = velocity_by_turn - skew(&omega.cross(arm));
    let by = |m: &Mat6, row: usize, arm: &Mat3| block(m, row, 0) * arm;
    let (mut out_mass, mut out_damping, mut out_stiffness) = (*mass, *damping, *stiffness);
    for row in 0..2 {
        add_block(&mut out_mass, row, 1, &-mul_skew(&block(mass, row, 0), arm));
        let by_spin = by(damping, row, &turn) + by(mass, row, &acceleration_by_spin);
        add_block(&mut out_damping, row, 1, &by_spin);
        let by_turn =
            by(stiffness, row, &turn) + by(damping, row, &velocity_by_turn) + by(mass, row, &acceleration_by_turn);
        add_block(&mut out_stiffness, row, 1, &by_turn);
    }
    [out_mass, out_damping, out_stiffness]
}

/// Transforms wrench rows about a place at `arm` to the point of its node.
pub fn rows(arm: &Vec3, tangent: &Mat6) -> Mat6 {
    let mut out = *tangent;
    for column in 0..2 {
        add_block(&mut out, 1, column, &skew_mul(arm, &block(tangent, 0, column)));
    }
    out
}
