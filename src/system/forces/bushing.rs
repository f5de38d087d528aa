//! Bushing: a 6x6 spring and damper between two frames, K and C possibly unsymmetric.
//!
//! With A, B the axes of both frames and e the vector between their origins, in frame a:
//! `w = K (A^T e, log(A^T B)) + C (A^T (edot - omega_a x e), A^T (omega_b - omega_a))`; -w acts on b at the origin of
//! frame b, +w on a at the same point, so that momentum is conserved.

use crate::linear::Assemble;
use crate::model::Bushing;
use crate::spatial::{Mat3, Mat6, Pose, Quat, Vec3, Vec6, add_block, join, lower, rotate, rotation, skew, upper};
use crate::spatial::{skew_mul, skew_skew};
use crate::system::assembly::{Assembly, PairTangent, point_wrench};
use crate::system::motion::Motion;

/// A bushing as the system evaluates it.
#[derive(Debug, Clone)]
pub struct BushingElement {
    /// Both bodies; the ground is the index past the last body.
    pub ends: [usize; 2],
    frames: [Pose; 2],
    stiffness: Mat6,
    damping: Mat6,
}

/// Relative motion of both frames.
struct Relative {
    /// Axes of frame a.
    axes: Mat3,
    /// Arms from the reference points to the origins.
    arms: [Vec3; 2],
    /// Vector from origin a to origin b.
    e: Vec3,
    /// Its rate as seen from body a, inertial axes.
    u: Vec3,
    /// Relative angular velocity, inertial axes.
    w: Vec3,
    /// Displacement and rotation vector, in frame a.
    displacement: Vec6,
    /// Rates, in frame a.
    rates: Vec6,
}

impl BushingElement {
    /// From the description; `ground` is the index that stands for the ground.
    pub fn new(bushing: &Bushing, ground: usize) -> BushingElement {
        BushingElement {
            ends: [bushing.body_a.unwrap_or(ground), bushing.body_b.unwrap_or(ground)],
            frames: [bushing.frame_a, bushing.frame_b],
            stiffness: bushing.stiffness,
            damping: bushing.damping,
        }
    }

    fn relative(&self, [a, b]: [&Motion; 2]) -> Relative {
        let qa: Quat = rotation::compose(&a.q, &self.frames[0].rotation);
        let qb: Quat = rotation::compose(&b.q, &self.frames[1].rotation);
        let axes = rotation::matrix(&qa);
        let arms = [a.arm(&self.frames[0].position), b.arm(&self.frames[1].position)];
        let e = (b.x + arms[1]) - (a.x + arms[0]);
        let u = b.velocity_at(&arms[1]) - a.velocity_at(&arms[0]) - a.omega.cross(&e);
        let w = b.omega - a.omega;
        let phi = rotation::log(&(qa.inverse() * qb));
        let displacement = join(&axes.tr_mul(&e), &phi);
        let rates = join(&axes.tr_mul(&u), &axes.tr_mul(&w));
        Relative { axes, arms, e, u, w, displacement, rates }
    }

    /// `1/2 d^T K d`: the elastic energy where K is symmetric and rotations are small or about one axis.
    pub fn potential(&self, ends: [&Motion; 2]) -> f64 {
        let d = self.relative(ends).displacement;
        0.5 * d.dot(&(self.stiffness * d))
    }

    /// Distance of the frames from their reference points, for the length scale of the model.
    pub fn reach(&self) -> f64 {
        let reach = |end: usize| self.frames[end].position.norm();
        reach(0).min(reach(1))
    }

    /// Adds its wrenches and tangents.
    pub fn assemble<A: Assemble>(&self, assembly: &mut Assembly<A>) {
        let motions = assembly.motions;
        let (a, b) = (&motions[self.ends[0]], &motions[self.ends[1]]);
        let r = self.relative([a, b]);
        let local = self.stiffness * r.displacement + self.damping * r.rates;
        let (force, moment) = (r.axes * upper(&local), r.axes * lower(&local));
        let [sa, sb] = r.arms;
        let arm_a = (b.x + sb) - a.x; // the point of action, from a's reference point
        let on_b = point_wrench(&force, &sb) + join(&Vec3::zeros(), &moment);
        let on_a = point_wrench(&force, &arm_a) + join(&Vec3::zeros(), &moment);
        assembly.add_residual(self.ends[1], &on_b);
        assembly.add_residual(self.ends[0], &-on_a);

        // Variations of (displacement, rotation) and of the rates, inertial axes, with (u, theta) of a and of b.
        let six = |blocks: [[Mat3; 2]; 2]| {
            let mut m = Mat6::zeros();
            for (i, row) in blocks.iter().enumerate() {
                for (j, block) in row.iter().enumerate() {
                    add_block(&mut m, i, j, block);
                }
            }
            m
        };
        let (one, zero) = (Mat3::identity(), Mat3::zeros());
        let turn = r.axes * rotation::inverse_tangent(&lower(&r.displacement)) * r.axes.transpose();
        let omega_a = skew(&a.omega);
        let displaced = [
            six([[-one, skew(&sa) + skew(&r.e)], [zero, -turn]]), // d(e) + ~e theta_a
            six([[one, -skew(&sb)], [zero, turn]]),
        ];
        let rates_with_position = [
            six([[omega_a, skew(&r.u)], [zero, skew(&r.w)]]),
            six([[-omega_a, skew_skew(&a.omega, &sb) - skew_skew(&b.omega, &sb)], [zero, zero]]),
        ];
        let rates_with_velocity =
            [six([[-one, skew(&sa) + skew(&r.e)], [zero, -one]]), six([[one, -skew(&sb)], [zero, one]])];
        let (k, c) = (rotate(&r.axes, &self.stiffness), rotate(&r.axes, &self.damping));
        let mut with_position = [0, 1].map(|j: usize| k * displaced[j] + c * rates_with_position[j]);
        let with_velocity = [0, 1].map(|j: usize| c * rates_with_velocity[j]);
        add_block(&mut with_position[0], 0, 1, &-skew(&force));
        add_block(&mut with_position[0], 1, 1, &-skew(&moment));

        // To both reference points: force, moment + arm x force.
        let to_reference = |m: &Mat6, arm: &Vec3, sign: f64| {
            let mut out = *m;
            for column in 0..2 {
                add_block(&mut out, 1, column, &skew_mul(arm, &crate::spatial::block(m, 0, column)));
            }
            out * sign
        };
        let mut pair = PairTangent {
            stiffness: [
                [0, 1].map(|j: usize| to_reference(&with_position[j], &arm_a, -1.0)),
                [0, 1].map(|j: usize| to_reference(&with_position[j], &sb, 1.0)),
            ],
            damping: [
                [0, 1].map(|j: usize| to_reference(&with_velocity[j], &arm_a, -1.0)),
                [0, 1].map(|j: usize| to_reference(&with_velocity[j], &sb, 1.0)),
            ],
        };
        // The arms move: d(s_b) = -~s_b theta_b, d(arm_a) = u_b - ~s_b theta_b - u_a.
        let f = skew(&force);
        let fs = skew_skew(&force, &sb);
        add_block(&mut pair.stiffness[1][1], 1, 1, &fs);
        add_block(&mut pair.stiffness[0][1], 1, 0, &f);
        add_block(&mut pair.stiffness[0][1], 1, 1, &-fs);
        add_block(&mut pair.stiffness[0][0], 1, 0, &-f);
        assembly.add_pair(self.ends, &pair);
    }
}
