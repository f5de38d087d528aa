//! Bushing: a 6x6 spring and damper between two frames, K and C possibly unsymmetric.
//!
//! With A, B the axes of both frames and e the vector between their origins, in frame a:
//! `w = K (A^T e, log(A^T B)) + C (A^T (edot - omega_a x e), A^T (omega_b - omega_a))`; -w acts on
//! b at the origin of frame b, +w on a at the same point, so that momentum is conserved.

use super::discrete_gradient::ends_in_axes;
use super::energy_form::{EnergyForm, Memory};
use super::local::point_wrench;
use super::{Attachment, Description, Element, EntityKind, Facts, Local, OutputNames, Quantity, Site};
use super::{Surroundings, Tangents};
use crate::error::Result;
use crate::spatial::pose::check_finite;
use crate::spatial::{Mat3, Mat6, Pose, Quat, Vec3, Vec6, add_block, join, lower, rotate, rotation, skew, upper};
use crate::spatial::{skew_mul, skew_skew};

/// A 6x6 spring with damper between two frames.
#[derive(Debug, Clone, Default)]
pub struct Bushing {
    /// Origins of the frames.
    pub ends: [Attachment; 2],
    /// Axes of the frames, in those of their carriers.
    pub axes: [Quat; 2],
    /// Wrench per (displacement, rotation vector), in frame a.
    pub stiffness: Mat6,
    /// Wrench per rates, in frame a.
    pub damping: Mat6,
}

/// Relative motion of both frames.
pub struct Relative {
    /// Axes of frame a.
    pub axes: Mat3,
    /// Vector from origin a to origin b.
    e: Vec3,
    /// Its rate as seen from body a, inertial axes.
    u: Vec3,
    /// Relative angular velocity, inertial axes.
    w: Vec3,
    /// Displacement and rotation vector, in frame a.
    pub displacement: Vec6,
    /// Rates, in frame a.
    rates: Vec6,
}

impl Bushing {
    /// Between two frames in the axes of their carriers; matrices column-major. Errors: a frame
    /// that is not finite, or without a unit quaternion.
    pub fn new(frames: [&[f64; 7]; 2], stiffness: &[f64; 36], damping: &[f64; 36]) -> Result<Bushing> {
        let frames = [Pose::from_array("frame_a", frames[0])?, Pose::from_array("frame_b", frames[1])?];
        let [stiffness, damping] = [stiffness, damping].map(|matrix| Mat6::from_column_slice(matrix));
        let ends = frames.map(|Pose { position, .. }| Attachment { at: position, ..Attachment::default() });
        Ok(Bushing { ends, axes: frames.map(|frame| frame.rotation), stiffness, damping })
    }

    /// At motions of both places.
    pub fn relative(&self, at: &[Site; 2]) -> Relative {
        let [a, b] = at;
        let ([axes, _], displacement) = ends_in_axes(at, &self.axes);
        let e = b.x - a.x;
        let u = b.v - a.v - a.omega.cross(&e);
        let w = b.omega - a.omega;
        let rates = join(&axes.tr_mul(&u), &axes.tr_mul(&w));
        Relative { axes, e, u, w, displacement, rates }
    }

    /// w, in frame a.
    fn wrench(&self, r: &Relative) -> Vec6 {
        self.stiffness * r.displacement + self.damping * r.rates
    }

    /// Adds its wrench at motions of both places.
    fn add(&self, at: &[Site; 2], out: &mut Local<2>) {
        let r = self.relative(at);
        let local = self.wrench(&r);
        let (force, moment) = (r.axes * upper(&local), r.axes * lower(&local));
        // The wrench acts at the origin of frame b, on both nodes.
        let moment_alone = join(&Vec3::zeros(), &moment);
        out.residual[0] -= point_wrench(&force, &(r.e + at[0].arm)) + moment_alone;
        out.residual[1] += point_wrench(&force, &at[1].arm) + moment_alone;
        if let Some(tangents) = &mut out.tangents {
            self.add_tangent(at, &r, [&force, &moment], tangents);
        }
    }

    /// Adds the derivatives of the residuals; force and moment of w in inertial axes.
    fn add_tangent(&self, [a, b]: &[Site; 2], r: &Relative, [force, moment]: [&Vec3; 2], pair: &mut Tangents<2>) {
        let (sa, sb) = (a.arm, b.arm);
        let arm_a = r.e + sa;
        // Variations of (displacement, rotation) and of the rates, inertial axes, with (u, theta)
        // of a and of b.
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
        add_block(&mut with_position[0], 0, 1, &-skew(force));
        add_block(&mut with_position[0], 1, 1, &-skew(moment));

        // From the frames to the points of both nodes: force, moment + arm x force.
        let to_node = |m: &Mat6, arm: &Vec3, sign: f64| {
            let mut out = *m;
            for column in 0..2 {
                add_block(&mut out, 1, column, &skew_mul(arm, &crate::spatial::block(m, 0, column)));
            }
            out * sign
        };
        for j in 0..2 {
            for (i, (arm, sign)) in [(&arm_a, -1.0), (&sb, 1.0)].into_iter().enumerate() {
                pair.stiffness[i][j] += to_node(&with_position[j], arm, sign);
                pair.damping[i][j] += to_node(&with_velocity[j], arm, sign);
            }
        }
        // The arms move: d(s_b) = -~s_b theta_b, d(arm_a) = u_b - ~s_b theta_b - u_a.
        let f = skew(force);
        let fs = skew_skew(force, &sb);
        add_block(&mut pair.stiffness[1][1], 1, 1, &fs);
        add_block(&mut pair.stiffness[0][1], 1, 0, &f);
        add_block(&mut pair.stiffness[0][1], 1, 1, &-fs);
        add_block(&mut pair.stiffness[0][0], 1, 0, &-f);
    }
}

impl Element<2> for Bushing {
    fn evaluate(&self, at: &[Site; 2], _: &Surroundings, _: &[f64], out: &mut Local<2>) {
        self.add(at, out);
    }

    /// Six, of its displacement and rotation vector: its axes turn with the body.
    fn memories(&self) -> usize {
        6
    }

    fn evaluate_beside(&self, at: &[Site; 2], _: &Surroundings, out: &mut Local<2>) {
        if self.damping != Mat6::zeros() {
            let damper = Bushing { stiffness: Mat6::zeros(), ..self.clone() };
            damper.add(at, out);
        }
    }

    fn evaluate_over(
        &self,
        from: &[Site; 2],
        at: &[Site; 2],
        (form, _): (&EnergyForm, &Surroundings),
        last: &[Memory],
        next: &mut [Memory],
        out: &mut Local<2>,
    ) -> Option<f64> {
        self.add_over([from, at], form, last, next, out);
        None
    }

    /// `1/2 d^T K d`: the elastic energy where K is symmetric and rotations are small or about one
    /// axis.
    fn potential(&self, at: &[Site; 2], _: &Surroundings, _: &[f64]) -> f64 {
        let d = self.relative(at).displacement;
        0.5 * d.dot(&(self.stiffness * d))
    }

    fn output_values(&self, at: &[Site; 2], _: &Surroundings, _: &[f64], each: &mut dyn FnMut(f64)) {
        let r = self.relative(at);
        r.displacement.iter().for_each(|x| each(*x));
        self.wrench(&r).iter().for_each(|x| each(-x));
    }
}

impl Description for Bushing {
    fn kind(&self) -> EntityKind {
        EntityKind::Bushing
    }

    fn nodes(&self) -> &[Attachment] {
        &self.ends
    }

    fn nodes_mut(&mut self) -> &mut [Attachment] {
        &mut self.ends
    }

    fn facts(&mut self, facts: &mut dyn Facts) -> Result<()> {
        facts.frame("frame_a", &mut self.ends[0].at, &mut self.axes[0])?;
        facts.frame("frame_b", &mut self.ends[1].at, &mut self.axes[1])?;
        facts.matrix("stiffness", &mut self.stiffness, None)?;
        facts.matrix("damping", &mut self.damping, Some(Mat6::zeros()))
    }

    fn check(&self) -> Result<()> {
        check_finite("frame_a", self.ends[0].at.as_slice())?;
        check_finite("frame_b", self.ends[1].at.as_slice())?;
        check_finite("stiffness", self.stiffness.as_slice())?;
        check_finite("damping", self.damping.as_slice())
    }

    fn stiffness(&self) -> f64 {
        self.stiffness.fixed_view::<3, 3>(0, 0).amax()
    }

    /// Zero or not would have to be decided for every direction of its matrices.
    fn damping_per_stiffness(&self) -> Option<f64> {
        Some(0.0)
    }

    /// Its matrices do not depend on where it is.
    fn relax(&mut self, _: &[Vec3], _: &Vec3) {}

    /// Displacement and rotation vector of frame b in frame a, and the wrench of a on b about the
    /// origin of frame b, in axes of frame a.
    fn outputs(&self) -> &'static OutputNames {
        &OutputNames(&[
            ("deflection.x", Quantity::Length),
            ("deflection.y", Quantity::Length),
            ("deflection.z", Quantity::Length),
            ("deflection.rx", Quantity::Angle),
            ("deflection.ry", Quantity::Angle),
            ("deflection.rz", Quantity::Angle),
            ("wrench.fx", Quantity::Force),
            ("wrench.fy", Quantity::Force),
            ("wrench.fz", Quantity::Force),
            ("wrench.mx", Quantity::Moment),
            ("wrench.my", Quantity::Moment),
            ("wrench.mz", Quantity::Moment),
        ])
    }
}
