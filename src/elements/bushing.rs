//! Bushing: a 6x6 spring and damper between two frames, K and C possibly unsymmetric.
//!
//! With A, B the axes of both frames and e the vector between their origins, in frame a:
//!
//! ```text
//! d = (A^T e, log(A^T B)),   w = K d + t(d) - p + C (A^T (edot - omega_a x e), A^T (omega_b - omega_a)),
//! ```
//!
//! with the preload p and, for components of d that have a table, its force t instead of their
//! diagonal entry of K. -w acts on b at the origin of frame b, +w on a at the same point, so that
//! momentum is conserved.

use super::coordinate_spring::CoordinateSpring;
use super::discrete_gradient::ends_in_axes;
use super::energy_form::{EnergyForm, Memory};
use super::local::point_wrench;
use super::{Attachment, Curve, Description, Element, EntityKind, Facts, Local, OutputNames, Quantity, Site};
use super::{Surroundings, Tangents};
use crate::error::Result;
use crate::spatial::pose::check_finite;
use crate::spatial::{Mat3, Mat6, Pose, Quat, Vec3, Vec6, add_block, join, lower, rotate, rotation, skew, upper};
use crate::spatial::{skew_mul, skew_skew};
use std::sync::Arc;

/// Keys of the tables of its axes in model files.
const TABLES: [&str; 6] = ["table_x", "table_y", "table_z", "table_rx", "table_ry", "table_rz"];

/// Names of the columns of these tables, and arguments of the C function.
const COLUMNS: [&str; 2] = ["deflections", "forces"];

/// A 6x6 spring with damper between two frames.
#[derive(Debug, Clone, Default)]
pub struct Bushing {
    /// Origins of the frames.
    pub ends: [Attachment; 2],
    /// Axes of the frames, in those of their carriers.
    pub axes: [Quat; 2],
    /// Wrench per (displacement, rotation vector), in frame a; its diagonal entries are zero where
    /// there are tables.
    pub stiffness: Mat6,
    /// Wrench per rates, in frame a.
    pub damping: Mat6,
    /// Wrench of a on b without deflection, in frame a.
    pub preload: Vec6,
    /// Laws of single components of the deflection.
    pub tables: [Option<Arc<CoordinateSpring>>; 6],
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
        let axes = frames.map(|frame| frame.rotation);
        Ok(Bushing { ends, axes, stiffness, damping, ..Bushing::default() })
    }

    /// Takes the force on one component of the deflection from a table, in the place of its
    /// diagonal entry of the stiffness. Errors: those of a table.
    pub fn set_table(&mut self, axis: usize, [deflections, forces]: [Vec<f64>; 2]) -> Result<()> {
        let curve = Curve::through(COLUMNS, deflections, forces)?;
        self.tables[axis] = Some(Arc::new(CoordinateSpring::of(curve)));
        self.stiffness[(axis, axis)] = 0.0;
        Ok(())
    }

    /// The same of points that are those of a table.
    pub fn take_points(&mut self, axis: usize, points: &[[f64; 2]]) {
        if let Ok(table) = CoordinateSpring::new(points) {
            self.tables[axis] = Some(Arc::new(table));
        }
    }

    /// Points of its table on an axis; none without one.
    pub fn points(&self, axis: usize) -> Vec<[f64; 2]> {
        let columns = self.tables[axis].as_ref().map(|table| table.points());
        columns.map_or(Vec::new(), |[x, y]| x.iter().zip(y).map(|(x, y)| [*x, *y]).collect())
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

    /// Its axes with tables.
    pub(super) fn with_tables(&self) -> impl Iterator<Item = (usize, &CoordinateSpring)> {
        self.tables.iter().enumerate().filter_map(|(axis, table)| Some((axis, table.as_deref()?)))
    }

    /// The part of w that depends on the deflection, in frame a, and its derivative.
    fn elastic(&self, deflection: &Vec6) -> (Vec6, Mat6) {
        let (mut wrench, mut stiffness) = (self.stiffness * deflection - self.preload, self.stiffness);
        for (axis, table) in self.with_tables() {
            let value = table.at(deflection[axis]);
            wrench[axis] += value.force;
            stiffness[(axis, axis)] += value.slope;
        }
        (wrench, stiffness)
    }

    /// Adds its wrench at motions of both places.
    fn add(&self, at: &[Site; 2], out: &mut Local<2>) {
        let r = self.relative(at);
        let (elastic, stiffness) = self.elastic(&r.displacement);
        let local = elastic + self.damping * r.rates;
        let (force, moment) = (r.axes * upper(&local), r.axes * lower(&local));
        // The wrench acts at the origin of frame b, on both nodes.
        let moment_alone = join(&Vec3::zeros(), &moment);
        out.residual[0] -= point_wrench(&force, &(r.e + at[0].arm)) + moment_alone;
        out.residual[1] += point_wrench(&force, &at[1].arm) + moment_alone;
        if let Some(tangents) = &mut out.tangents {
            self.add_tangent(at, (&r, &stiffness), [&force, &moment], tangents);
        }
    }

    /// Adds the derivatives of the residuals; force and moment of w in inertial axes.
    fn add_tangent(
        &self,
        [a, b]: &[Site; 2],
        (r, stiffness): (&Relative, &Mat6),
        [force, moment]: [&Vec3; 2],
        pair: &mut Tangents<2>,
    ) {
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
        let (k, c) = (rotate(&r.axes, stiffness), rotate(&r.axes, &self.damping));
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

    fn has_kink(&self) -> bool {
        self.with_tables().any(|(_, table)| table.has_kink())
    }

    /// Six, of its displacement and rotation vector: its axes turn with the body.
    fn memories(&self) -> usize {
        6
    }

    fn evaluate_beside(&self, at: &[Site; 2], _: &Surroundings, out: &mut Local<2>) {
        if self.damping != Mat6::zeros() {
            let Bushing { ends, axes, damping, .. } = *self;
            Bushing { ends, axes, damping, ..Bushing::default() }.add(at, out);
        }
    }

    fn evaluate_over(
        &self,
        from: &[Site; 2],
        at: &[Site; 2],
        (form, ..): (&EnergyForm, &Surroundings, &[f64]),
        last: &[Memory],
        next: &mut [Memory],
        out: &mut Local<2>,
    ) -> Option<f64> {
        self.add_over([from, at], form, last, next, out)
    }

    /// `1/2 d^T K d - p^T d` with the energies of tables: the elastic energy where K is symmetric
    /// and rotations are small or about one axis.
    fn potential(&self, at: &[Site; 2], _: &Surroundings, _: &[f64]) -> f64 {
        let d = self.relative(at).displacement;
        let tables: f64 = self.with_tables().map(|(axis, table)| table.at(d[axis]).energy).sum();
        0.5 * d.dot(&(self.stiffness * d)) - self.preload.dot(&d) + tables
    }

    fn output_values(&self, at: &[Site; 2], _: &Surroundings, _: &[f64], each: &mut dyn FnMut(f64)) {
        let r = self.relative(at);
        r.displacement.iter().for_each(|x| each(*x));
        (self.elastic(&r.displacement).0 + self.damping * r.rates).iter().for_each(|x| each(-x));
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
        facts.matrix("damping", &mut self.damping, Some(Mat6::zeros()))?;
        facts.wrench("preload", &mut self.preload)?;
        for (axis, key) in TABLES.into_iter().enumerate() {
            let mut columns = self.tables[axis].as_deref().map(|table| table.points().map(<[f64]>::to_vec));
            facts.columns(key, COLUMNS, &mut columns)?;
            if let (Some(columns), None) = (columns, &self.tables[axis]) {
                self.set_table(axis, columns).map_err(|cause| facts.refusal(key, cause))?;
            }
        }
        Ok(())
    }

    fn check(&self) -> Result<()> {
        check_finite("frame_a", self.ends[0].at.as_slice())?;
        check_finite("frame_b", self.ends[1].at.as_slice())?;
        check_finite("stiffness", self.stiffness.as_slice())?;
        check_finite("damping", self.damping.as_slice())?;
        check_finite("preload", self.preload.as_slice())
    }

    fn stiffness(&self) -> f64 {
        let tables = self.with_tables().filter(|(axis, _)| *axis < 3).map(|(_, table)| table.steepest());
        tables.fold(self.stiffness.fixed_view::<3, 3>(0, 0).amax(), f64::max)
    }

    /// Zero or not would have to be decided for every direction of its matrices.
    fn damping_per_stiffness(&self) -> Option<f64> {
        Some(0.0)
    }

    /// Its matrices do not depend on where it is.
    fn relax(&mut self, _: &[Vec3], _: &Vec3) {
        self.preload = Vec6::zeros();
        for (axis, table) in std::mem::take(&mut self.tables).iter().enumerate() {
            self.stiffness[(axis, axis)] += table.as_deref().map_or(0.0, CoordinateSpring::steepest);
        }
    }

    fn memory(&self) -> usize {
        self.with_tables().map(|(_, table)| Curve::memory(table.points()[0].len())).sum()
    }

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
