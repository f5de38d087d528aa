//! Energy form of generalized-alpha, for elements whose stiffness jumps: which force acts over a
//! step.
//!
//! The work of a step is that of its effective force, which the scheme takes from forces at both
//! ends. Where a stiffness jumps in between, such a force does more work than the element gives up.
//! Here it is the discrete gradient of the potential Phi along the length s of the element, with
//! the numerical dissipation of the scheme as a memory y (docs/theory.md, energy form; 0 at the
//! start of the step, 1 at its end):
//!
//! ```text
//! F = H t*,   H = (Phi(s1) - Phi(s0))/(s1 - s0) + (1/2 - alpha_f) kappa (y1 - y0),   t* = (e1 + e0)/(s1 + s0),   t* . (e1 - e0) = s1 - s0,
//! (1 - alpha_m) y1 + alpha_m y0 = delta (s1 - s0),   delta = gamma - 1/2.
//! ```
//!
//! So F does the work -dPhi, less what the memory dissipates, whatever happens in the step. On
//! linear elements F is what the scheme makes of the forces at both ends.

use super::{Local, Site};
use crate::spatial::{
    Mat3, Mat6, Quat, Vec3, Vec6, add_block, block, join, lower, mul_skew, skew_mul, skew_skew, upper,
};

/// Numbers of a step of one length of a scheme.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EnergyForm {
    /// h.
    pub h: f64,
    /// c_1: how much of F the force at the end of the step has.
    pub share: f64,
    /// 1/2 - alpha_f; 0 where the scheme has no memory (`newmark`).
    pub dissipation: f64,
    /// delta/(1 - alpha_m).
    pub drive: f64,
    /// alpha_m/(1 - alpha_m).
    pub decay: f64,
    /// 2 delta of `newmark`, which weighs the end of the step more: H += 2 delta (T(s1) - H). Else
    /// 0.
    pub backward: f64,
}

/// Numerical dissipation of one element, carried from step to step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Memory {
    /// y, a length.
    pub y: f64,
    /// kappa of the last step, a stiffness: kappa y^2/4 is what the memory holds (`rho_inf`).
    pub kappa: f64,
}

/// Tension of a law at the end of a step and over the step, s from `s0` to `s1`.
#[derive(Debug, Clone, Copy)]
pub struct Mean {
    /// H, the mean of the tension over s.
    pub tension: f64,
    /// dH/ds1.
    pub slope: f64,
    /// Secant of the tension over the step, as part of the greatest stiffness.
    pub secant: f64,
    /// Its derivative by s1.
    pub secant_slope: f64,
    /// Tension at the end, and its derivative.
    pub end: [f64; 2],
}

/// The pull of an element over a step.
#[derive(Debug, Clone, Copy)]
pub struct Pull {
    /// H with dissipation.
    pub tension: f64,
    /// Its derivative by s1.
    pub slope: f64,
    /// The memory at the end.
    pub memory: Memory,
}

impl EnergyForm {
    /// Advances the memories y of six strains that change over the step, from `last` to `next`;
    /// returns (1/2 - alpha_f) (y1 - y0), by which the strains count more.
    pub fn advance_memories(&self, change: &Vec6, last: &[Memory], next: &mut [Memory]) -> Vec6 {
        let y0 = Vec6::from_fn(|k, _| last[k].y);
        let y = change * self.drive - y0 * self.decay;
        next.iter_mut().zip(&y).for_each(|(memory, y)| memory.y = *y);
        (y - y0) * self.dissipation
    }

    /// H and what follows from it, of a law with the greatest stiffness `k` and a damper `c` that
    /// carries no more than the law does. `last`: the memory at the start.
    #[inline]
    pub fn pull(&self, mean: &Mean, [s0, s1]: [f64; 2], [k, c]: [f64; 2], last: &Memory) -> Pull {
        let (mut tension, mut slope) = (mean.tension, mean.slope);
        let [end, end_slope] = mean.end;
        tension += self.backward * (end - tension);
        slope += self.backward * (end_slope - slope);
        // The rate of the step: such a damper dissipates at every step.
        let (viscous, by_end) = (c * (s1 - s0) / self.h, c / self.h);
        let (viscous, by_end) = match c > 0.0 {
            true if viscous >= tension => (tension, slope),
            true if viscous <= -tension => (-tension, -slope),
            _ => (viscous, by_end),
        };
        tension += viscous;
        slope += by_end;
        // What the memory holds does not grow where the element becomes stiffer.
        let kappa = k * mean.secant;
        let (y0, change) = match last.kappa < kappa {
            true => {
                let y0 = last.y * (last.kappa / kappa).sqrt();
                (y0, -0.5 * y0 * mean.secant_slope / mean.secant)
            }
            false => (last.y, 0.0),
        };
        let y = self.drive * (s1 - s0) - self.decay * y0;
        tension += self.dissipation * kappa * (y - y0);
        let by_end = mean.secant * (self.drive - (1.0 + self.decay) * change) + mean.secant_slope * (y - y0);
        slope += self.dissipation * k * by_end;
        Pull { tension, slope, memory: Memory { y, kappa } }
    }
}

/// The rotation of a node over a step, phi about the axis n.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    /// c = 2 tan(phi/2) n: a place moves by c x the mean of its arms at both ends.
    pub cayley: Vec3,
    /// What makes a moment work on the rotation vector psi as it does on c: tan(phi/2)/(phi/2).
    pub factor: f64,
    /// Its derivative by the rotation.
    pub by_turn: Vec3,
}

/// The arm of a place over a step.
struct Arm {
    /// The mean of the arms at both ends, and the arm at the end.
    mean: Vec3,
    end: Vec3,
    turn: Turn,
}

/// Largest rotation (rad) of a step for which a moment is scaled exactly: the factor is infinite
/// for half a turn.
const MOST_TURN: f64 = 2.0;

impl Turn {
    /// From one orientation of a node to another.
    pub fn of(from: &Quat, at: &Quat) -> Turn {
        let turn = at.quaternion() * from.quaternion().conjugate();
        let (v, w) = if turn.w < 0.0 { (-turn.imag(), -turn.w) } else { (turn.imag(), turn.w) };
        let n = v.norm();
        let phi = 2.0 * n.atan2(w);
        if phi < 1e-4 {
            return Turn { cayley: v * (2.0 / w), factor: 1.0 + phi * phi / 12.0, by_turn: v * (2.0 / 6.0) };
        }
        let bounded = phi.min(MOST_TURN);
        let tangent = (0.5 * bounded).tan();
        let factor = 2.0 * tangent / bounded;
        let slope = if phi > MOST_TURN { 0.0 } else { (1.0 + tangent * tangent - factor) / (phi * phi) };
        Turn { cayley: v * (2.0 * tangent / n), factor, by_turn: v * (phi / n * slope) }
    }

    /// The change of c where the node turns by theta at the end.
    pub fn cayley_change(&self, theta: &Vec3) -> Vec3 {
        theta - self.cayley.cross(theta) * 0.5 + self.cayley * (0.25 * self.cayley.dot(theta))
    }
}

impl Arm {
    fn of(from: &Site, at: &Site) -> Arm {
        Arm { mean: (from.arm + at.arm) * 0.5, end: at.arm, turn: Turn::of(&from.q, &at.q) }
    }
}

/// From one place to another at one time: the vector and its length.
pub fn chord([a, b]: &[Site; 2]) -> (Vec3, f64) {
    let e = b.x - a.x;
    (e, e.norm())
}

/// Adds a pull between two places that move over a step.
pub fn add_pull(from: &[Site; 2], at: &[Site; 2], tension: f64, slope: f64, out: &mut Local<2>) {
    let ((e0, s0), (e1, s1)) = (chord(from), chord(at));
    let sum = s0 + s1;
    if sum == 0.0 {
        // No direction: as at the free length, only a law without tension there has a limit.
        let slope = if tension == 0.0 { slope } else { 0.0 };
        let by_end = Mat3::from_diagonal_element(slope);
        return add_forces(from, at, &[Vec3::zeros(); 2], |i, j| if i == j { by_end } else { -by_end }, out);
    }
    let direction = (e1 + e0) / sum;
    let unit = if s1 > 0.0 { e1 / s1 } else { Vec3::zeros() };
    // d(H t*)/de1 = t* t1^T (dH - H/(s1 + s0)) + I H/(s1 + s0).
    let across = tension / sum;
    let by_end = direction * (unit * (slope - across)).transpose() + Mat3::from_diagonal_element(across);
    let force = direction * tension;
    add_forces(from, at, &[force, -force], |i, j| if i == j { by_end } else { -by_end }, out);
}

/// Adds forces on the first places, with minus their derivatives by these places at the end.
#[inline]
pub fn add_forces<const N: usize>(
    from: &[Site; N],
    at: &[Site; N],
    forces: &[Vec3],
    by_place: impl Fn(usize, usize) -> Mat3,
    out: &mut Local<N>,
) {
    let arms: [Arm; N] = std::array::from_fn(|k| Arm::of(&from[k], &at[k]));
    for (i, force) in forces.iter().enumerate() {
        let own = &arms[i];
        let moment = own.mean.cross(force);
        out.residual[i] -= join(force, &(moment * own.turn.factor));
        let Some(tangents) = &mut out.tangents else { continue };
        let turning = skew_skew(force, &own.end) * (-0.5 * own.turn.factor) - moment * own.turn.by_turn.transpose();
        add_block(&mut tangents.stiffness[i][i], 1, 1, &turning);
        for (j, other) in arms.iter().enumerate().take(forces.len()) {
            // d x = u - ~s theta.
            let by_place = by_place(i, j);
            let by_turn = -mul_skew(&by_place, &other.end);
            for (half, k) in [by_place, by_turn].iter().enumerate() {
                add_block(&mut tangents.stiffness[i][j], 0, half, k);
                add_block(&mut tangents.stiffness[i][j], 1, half, &(skew_mul(&own.mean, k) * own.turn.factor));
            }
        }
    }
}

/// Adds wrenches on the first places, with minus their derivatives by the motions of these places
/// at the end.
pub fn add_wrenches<const N: usize>(
    from: &[Site; N],
    at: &[Site; N],
    wrenches: &[Vec6],
    by_motion: impl Fn(usize, usize) -> Mat6,
    out: &mut Local<N>,
) {
    let arms: [Arm; N] = std::array::from_fn(|k| Arm::of(&from[k], &at[k]));
    let forces: [Vec3; N] = std::array::from_fn(|k| wrenches.get(k).map_or(Vec3::zeros(), upper));
    // Forces that do not change, then what changes.
    add_forces(from, at, &forces[..wrenches.len()], |_, _| Mat3::zeros(), out);
    for (i, wrench) in wrenches.iter().enumerate() {
        let own = &arms[i];
        out.residual[i] -= join(&Vec3::zeros(), &lower(wrench));
        let Some(tangents) = &mut out.tangents else { continue };
        for (j, other) in arms.iter().enumerate().take(wrenches.len()) {
            let k = by_motion(i, j);
            for half in 0..2 {
                let by_place = block(&k, half, 0);
                for (column, k) in [by_place, block(&k, half, 1) - mul_skew(&by_place, &other.end)].iter().enumerate() {
                    add_block(&mut tangents.stiffness[i][j], half, column, k);
                    if half == 0 {
                        let lever = skew_mul(&own.mean, k) * own.turn.factor;
                        add_block(&mut tangents.stiffness[i][j], 1, column, &lever);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spatial::rotation;

    fn site(x: Vec3, arm: Vec3, psi: Vec3) -> Site {
        let (q, zero) = (rotation::exp(&psi), Vec3::zeros());
        let r = rotation::matrix(&q);
        Site { x: x + r * arm, v: zero, a: zero, arm: r * arm, q, r, omega: zero, omegadot: zero }
    }

    /// Moments do the work of the forces at the places, on rotation vectors of any length.
    #[test]
    fn wrenches_of_a_step_do_the_work_of_the_pull() {
        let (arm, still) = (Vec3::new(0.3, -0.7, 0.4), Vec3::zeros());
        for turn in [0.0, 1e-5, 0.1, 1.0, 1.9] {
            let (u, psi) = (Vec3::new(0.1, 0.2, -0.3), Vec3::new(0.6, 0.0, -0.8) * turn);
            let start = Quat::identity();
            let from = [site(still, still, still), site(Vec3::new(1.0, 2.0, 3.0), arm, still)];
            let at = [from[0], site(Vec3::new(1.0, 2.0, 3.0) + u, arm, psi)];
            assert_eq!(from[1].q, start);
            let mut out = Local::zero(false, false);
            add_pull(&from, &at, 7.0, 0.0, &mut out);
            let wrench = -out.residual[1];
            let work = wrench.fixed_rows::<3>(0).dot(&u) + wrench.fixed_rows::<3>(3).dot(&psi);
            let expected = -7.0 * (chord(&at).1 - chord(&from).1);
            assert!((work - expected).abs() < 1e-14 * 7.0 * 4.0, "{turn}: {work} {expected}");
        }
    }
}
