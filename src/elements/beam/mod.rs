//! Beam element: a geometrically exact beam (Reissner, Simo) between two nodes, curved, twisted and
//! tapered as its sections are.
//!
//! Both ends carry frames with the axes of the chord in the reference shape. The elastic wrenches
//! follow from a potential of their relative pose (`law`), inertia and weight from points that
//! follow both poses (`inertia`). Only the relative pose enters the elastic part, so that it is
//! objective, and the sum of its wrenches is zero. With A the axes of end a, V the potential,
//! d = (r, phi), P = U^-1 and D a constant matrix:
//!
//! ```text
//! w = dV/dd + D dd/dt,   F = A w_r,   m = A P^T w_phi,
//! -F and -m act on end b, F and r x F + m on end a.
//! ```
//!
//! D = K F_mu K, K the stiffness of the reference shape, F_mu the integral that gives the
//! flexibility F0, of the compliance of sections times the damping mu of each strain: what strains
//! S (M + mu dM/dt) of sections make of an element at first order in mu.

mod factors;
mod inertia;
mod law;
mod loads;
mod over;
mod sections;

use loads::LoadPoint;
pub use loads::{LoadPlace, Reference, Stretch};
pub use sections::{Sections, Station};

use super::discrete_gradient::ends_in_axes;
use super::{Attachment, Description, Element, EnergyForm, EntityKind, Facts, Local, Memory, OutputNames, Quantity};
use super::{Site, Surroundings, Tangents};
use crate::error::Result;
use crate::spatial::rotation::inverse_tangent;
use crate::spatial::{Mat3, Mat6, Pose, Quat, Vec3, Vec6, add_block, join, lower, rotate, rotation, skew, skew_skew};
use crate::spatial::{product, skew_mul, upper};
use inertia::Mat8;
use law::Law;

/// Largest relative rotation of the ends of an element (rad): the law is singular at 2 pi, and far
/// from linear elasticity long before.
pub const MOST_TURN: f64 = 2.5;

/// One element of a beam.
#[derive(Debug, Clone, Default)]
pub struct BeamElement {
    /// Its ends.
    pub ends: [Attachment; 2],
    /// Axes of the frames at the ends, in those of their carriers.
    pub axes: [Quat; 2],
    /// Constants.
    law: Law,
    /// D.
    damping: Mat6,
    /// K, of the reference shape.
    reference: Mat6,
    /// C, and Phi of its points.
    inertia: Mat8,
    shear: f64,
    /// Where loads of the host act; and the places at which they are given, with the loads.
    loads: Vec<LoadPoint>,
    places: Vec<(usize, Pose)>,
}

impl Default for Law {
    fn default() -> Law {
        Law::new(1.0, [Mat6::identity(), Mat6::zeros(), Mat6::zeros()], [0.0; 2])
    }
}

/// Relative motion of both ends, in the axes of end a.
struct Relative {
    /// Axes of both ends.
    axes: [Mat3; 2],
    /// d = (r, phi).
    d: Vec6,
    /// dd/dt.
    rate: Vec6,
    /// Angular velocity of end a; velocity and angular velocity of end b less those of end a.
    spin: Vec3,
    apart: [Vec3; 2],
}

impl BeamElement {
    /// Between two arc lengths of a beam whose strains are damped by mu, its inertia lumped at the
    /// ends or not, with its ends on carriers at these poses. None if the ends coincide, or the
    /// stiffness is not positive definite.
    pub fn new(
        sections: &Sections,
        [from, to]: [f64; 2],
        (mu, lumped): (&[f64; 6], bool),
        carriers: [&Pose; 2],
    ) -> Option<BeamElement> {
        let sections::Integrals { law, damped, inertia, shear, ends } = sections.element(from, to, mu, lumped)?;
        let places = [0, 1].map(|k: usize| carriers[k].localize(&ends[k]));
        let reference = law.at(&join(&(Vec3::x() * law.length), &Vec3::zeros()))?.hessian();
        Some(BeamElement {
            ends: places.map(|place| Attachment::at(&place.position.into())),
            axes: places.map(|place| place.rotation),
            damping: reference * carried(&damped, law.length) * reference,
            reference,
            law,
            inertia,
            shear,
            loads: Vec::new(),
            places: Vec::new(),
        })
    }

    fn relative(&self, at: &[Site; 2]) -> Relative {
        let ([a, b], (axes, d)) = (at, ends_in_axes(at, &self.axes));
        let turn = |x: Vec3| axes[0].tr_mul(&x);
        let (spin, apart) = (turn(a.omega), [turn(b.v - a.v), turn(b.omega - a.omega)]);
        let rate = join(&(apart[0] + upper(&d).cross(&spin)), &(inverse_tangent(&lower(&d)) * apart[1]));
        Relative { axes, d, rate, spin, apart }
    }

    /// The angle by which its ends are turned against each other (rad), zero in the reference
    /// shape.
    pub fn turn(&self, at: &[Site; 2]) -> f64 {
        lower(&ends_in_axes(at, &self.axes).1).norm()
    }

    /// Adds the wrenches of the potential, unless only of damping, at motions of both places.
    #[inline(never)]
    fn add(&self, at: &[Site; 2], is_elastic: bool, out: &mut Local<2>) {
        let relative = self.relative(at);
        let Relative { axes: [axes, _], d, rate, .. } = &relative;
        let mut wrench = self.damping * rate;
        let mut stiffness = Mat6::zeros();
        if is_elastic {
            let Some(deformed) = self.law.at(d).filter(|_| lower(d).norm() < MOST_TURN) else {
                return out.residual.iter_mut().for_each(|wrench| wrench.fill(f64::NAN));
            };
            wrench += deformed.gradient();
            if out.tangents.is_some() {
                stiffness = deformed.hessian();
            }
        }
        let moment = inverse_tangent(&lower(d)).tr_mul(&lower(&wrench));
        let turned = |f: &Vec3, m: &Vec3| join(&(axes * f), &(axes * m));
        let force = upper(&wrench);
        out.residual[0] -= turned(&force, &(upper(d).cross(&force) + moment));
        out.residual[1] += turned(&force, &moment);
        if let Some(tangents) = &mut out.tangents {
            self.add_tangents(&relative, &wrench, &stiffness, tangents);
        }
    }

    /// Adds the derivatives of these wrenches; `stiffness` is d2V/dd2.
    fn add_tangents(&self, relative: &Relative, wrench: &Vec6, stiffness: &Mat6, tangents: &mut Tangents<2>) {
        let Relative { axes: [axes, _], d, spin, apart, .. } = relative;
        let (r, phi, inverse) = (upper(d), lower(d), inverse_tangent(&lower(d)));
        let (force, moment) = (upper(wrench), inverse.tr_mul(&lower(wrench)));
        let at_a = r.cross(&force) + moment;
        let factors = law::factors(phi.norm_squared());
        let (of_moment, of_rate) = (
            law::tangent_change(&phi, &lower(wrench), -1.0, factors),
            law::tangent_change(&phi, &apart[1], 1.0, factors),
        );
        let six = |blocks: [[Mat3; 2]; 2]| {
            let mut m = Mat6::zeros();
            for (i, row) in blocks.iter().enumerate() {
                row.iter().enumerate().for_each(|(j, block)| add_block(&mut m, i, j, block));
            }
            m
        };
        let (one, zero) = (Mat3::identity(), Mat3::zeros());
        // Derivatives of d by (u, theta) of both places, in the axes of end a, which are those of
        // dd/dt by velocities; those of dd/dt by positions.
        let moved = [six([[-one, skew(&r)], [zero, -inverse]]), six([[one, zero], [zero, inverse]])];
        let spin_a = skew(spin);
        let by_turn = of_rate * inverse;
        let rates = [
            six([
                [spin_a, skew(&apart[0]) + skew_skew(&r, spin) - skew_skew(spin, &r)],
                [zero, inverse * skew(&apart[1]) - by_turn],
            ]),
            six([[-spin_a, zero], [zero, by_turn]]),
        ];
        for j in 0..2 {
            let by_position = product(stiffness, &moved[j]) + product(&self.damping, &rates[j]);
            let by_velocity = product(&self.damping, &moved[j]);
            for (is_position, change) in [(true, &by_position), (false, &by_velocity)] {
                // Rows of force and moment at end b, then at end a: minus the force, minus (r x F +
                // m).
                let mut rows = [*change; 2];
                let carried = [0, 1].map(|k| inverse.tr_mul(&crate::spatial::block(change, 1, k)));
                for (k, carried) in carried.iter().enumerate() {
                    rows[1].fixed_view_mut::<3, 3>(3, 3 * k).copy_from(carried);
                }
                if is_position {
                    let turn = if j == 0 { -inverse } else { inverse };
                    add_block(&mut rows[1], 1, 1, &(of_moment * turn));
                }
                let force_rows = [0, 1].map(|k| crate::spatial::block(change, 0, k));
                rows[0] = rows[1];
                for (k, force_rows) in force_rows.iter().enumerate() {
                    add_block(&mut rows[0], 1, k, &skew_mul(&r, force_rows));
                }
                if is_position {
                    let sign = if j == 0 { 1.0 } else { -1.0 };
                    // dr x F = -~F dr, dr = -u_a + ~r theta_a + u_b.
                    add_block(&mut rows[0], 1, 0, &(skew(&force) * sign));
                    if j == 0 {
                        add_block(&mut rows[0], 1, 1, &-skew_skew(&force, &r));
                        // The axes turn with end a.
                        for (row, moment) in [(0, &at_a), (1, &moment)] {
                            add_block(&mut rows[row], 0, 1, &-skew(&force));
                            add_block(&mut rows[row], 1, 1, &-skew(moment));
                        }
                    }
                }
                let to = if is_position { &mut tangents.stiffness } else { &mut tangents.damping };
                to[0][j] -= rotate(axes, &rows[0]);
                to[1][j] += rotate(axes, &rows[1]);
            }
        }
    }

    /// Adds inertia and weight.
    #[inline(never)]
    fn add_inertia(&self, at: &[Site; 2], gravity: &Vec3, out: &mut Local<2>) {
        let axes = [0, 1].map(|k: usize| rotation::matrix(&rotation::compose(&at[k].q, &self.axes[k])));
        inertia::add(&self.inertia, at, &axes, gravity, out);
    }

    /// The motion of a section that was at `reference` in the axes of the chord from end a: its
    /// pose, and the velocity of its place with its angular velocity. Places move as those of the
    /// inertia do, axes turn evenly from end to end.
    pub fn section_motion(&self, at: &[Site; 2], reference: &Pose) -> (Pose, Vec6) {
        let relative = self.relative(at);
        let (z, phi) = (reference.position.x / self.law.length, lower(&relative.d));
        let (mut x, mut v) = (Vec3::zeros(), Vec3::zeros());
        let weights = sections::weights(&reference.position, self.law.length, self.shear);
        for ((site, axes), (n, p)) in at.iter().zip(&relative.axes).zip(weights) {
            let arm = axes * p;
            x += site.x * n + arm;
            v += site.v * n + site.omega.cross(&arm);
        }
        let first = rotation::compose(&at[0].q, &self.axes[0]);
        let (turn, tangent) = rotation::exp_with_tangent(&(phi * z));
        let rotation = rotation::compose(&rotation::compose(&first, &turn), &reference.rotation);
        let omega = at[0].omega + relative.axes[0] * (tangent * (lower(&relative.rate) * z));
        (Pose { position: x, rotation }, join(&v, &omega))
    }

    /// Adds inertia, weight, and loads of the host.
    fn add_rest(&self, at: &[Site; 2], around: &Surroundings, out: &mut Local<2>) {
        self.add_inertia(at, &around.gravity, out);
        if !self.loads.is_empty() {
            self.add_loads(at, around.loads, out);
        }
    }

    /// Adds all, about the places of both ends.
    fn evaluate_here(&self, at: &[Site; 2], around: &Surroundings, out: &mut Local<2>) {
        self.add(at, true, out);
        self.add_rest(at, around, out);
    }

    /// Section forces and moments at both ends: what the part of the beam behind each place does on
    /// the part before it, in the axes of the end.
    fn section_loads(&self, at: &[Site; 2], around: &Surroundings) -> [Vec6; 2] {
        let mut out = Local::zero(false, false);
        self.evaluate_here(at, around, &mut out);
        let axes = self.relative(at).axes;
        let turned = |k: usize, sign: f64| {
            let wrench = out.residual[k] * sign;
            join(&axes[k].tr_mul(&upper(&wrench)), &axes[k].tr_mul(&lower(&wrench)))
        };
        [turned(0, -1.0), turned(1, 1.0)]
    }
}

/// A flexibility by e in that by d = (r, phi) at the reference shape, where e = (r - L e1 - phi x
/// L e1/2, phi).
fn carried(flexibility: &Mat6, length: f64) -> Mat6 {
    let mut back = Mat6::identity();
    add_block(&mut back, 0, 1, &(skew(&Vec3::x()) * (-0.5 * length)));
    back * flexibility * back.transpose()
}

impl Element<2> for BeamElement {
    const HAS_MASS: bool = true;

    // Not inlined: every kind of pass over elements would have a copy of a large function.
    #[inline(never)]
    fn evaluate(&self, at: &[Site; 2], around: &Surroundings, _: &[f64], out: &mut Local<2>) {
        self.evaluate_here(at, around, out);
        out.carry(at);
    }

    /// Six, of d: its axes turn with the nodes.
    fn memories(&self) -> usize {
        6
    }

    #[inline(never)]
    fn evaluate_beside(&self, at: &[Site; 2], around: &Surroundings, out: &mut Local<2>) {
        let is_damped = self.damping != Mat6::zeros();
        if at.iter().all(|site| site.arm == Vec3::zeros()) {
            if is_damped {
                self.add(at, false, out);
            }
            return self.add_rest(at, around, out);
        }
        // `out` has wrenches about the points of the nodes already.
        let mut own = Local::zero(out.mass.is_some(), out.tangents.is_some());
        if is_damped {
            self.add(at, false, &mut own);
        }
        self.add_rest(at, around, &mut own);
        own.carry(at);
        out.add(&own);
    }

    /// Without inertia, weight and loads.
    #[inline(never)]
    fn evaluate_parts(&self, at: &[Site; 2], _: &Surroundings, _: &[f64], [all, beside]: [&mut Local<2>; 2]) {
        self.add(at, true, all);
        all.carry(at);
        if self.damping != Mat6::zeros() {
            self.add(at, false, beside);
            beside.carry(at);
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
        self.add_over([from, at], form, last, next, out);
        None
    }

    /// Elastic energy, and that of weight.
    fn potential(&self, at: &[Site; 2], around: &Surroundings, _: &[f64]) -> f64 {
        let (axes, d) = ends_in_axes(at, &self.axes);
        let elastic = self.law.at(&d).map_or(f64::NAN, |deformed| deformed.potential());
        let x = [0, 1].map(|k: usize| at[k].x + around.origin);
        elastic + inertia::potential(&self.inertia, &x, &axes, &around.gravity)
    }

    fn output_values(&self, at: &[Site; 2], around: &Surroundings, _: &[f64], each: &mut dyn FnMut(f64)) {
        self.section_loads(at, around).iter().flatten().for_each(|x| each(*x));
    }
}

impl Description for BeamElement {
    fn kind(&self) -> EntityKind {
        EntityKind::BeamElement
    }

    fn nodes(&self) -> &[Attachment] {
        &self.ends
    }

    fn nodes_mut(&mut self) -> &mut [Attachment] {
        &mut self.ends
    }

    /// Constants of the law, of damping and of inertia: for the fingerprint. Model files have the
    /// beam instead.
    fn facts(&mut self, facts: &mut dyn Facts) -> Result<()> {
        for (key, end, axes) in [("frame_a", 0, 0), ("frame_b", 1, 1)] {
            facts.frame(key, &mut self.ends[end].at, &mut self.axes[axes])?;
        }
        facts.number("length", &mut self.law.length, None)?;
        for (key, matrix) in ["flexibility", "flexibility_1", "flexibility_2"].into_iter().zip(&mut self.law.compliance)
        {
            facts.matrix(key, matrix, None)?;
        }
        facts.matrix("damping", &mut self.damping, None)?;
        for (key, (row, column)) in [("mass_aa", (0, 0)), ("mass_ab", (0, 4)), ("mass_bb", (4, 4))] {
            let mut part = Mat6::zeros();
            part.fixed_view_mut::<4, 4>(0, 0).copy_from(&self.inertia.fixed_view::<4, 4>(row, column));
            facts.matrix(key, &mut part, None)?;
        }
        for (Pose { mut position, mut rotation }, mut shares) in self.load_points() {
            facts.frame("load", &mut position, &mut rotation)?;
            shares.iter_mut().try_for_each(|share| facts.number("share", share, None))?;
        }
        Ok(())
    }

    fn memory(&self) -> usize {
        self.load_memory()
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn stiffness(&self) -> f64 {
        self.reference.fixed_view::<3, 3>(0, 0).amax()
    }

    /// Zero or not would have to be decided for every direction of its matrices.
    fn damping_per_stiffness(&self) -> Option<f64> {
        Some(0.0)
    }

    /// Its law does not depend on where it is.
    fn relax(&mut self, _: &[Vec3], _: &Vec3) {}

    /// Force and moment of the section at both ends, in the axes of the frame there: axis 1 is the
    /// chord of the reference shape, turned with the end.
    fn outputs(&self) -> &'static OutputNames {
        &OutputNames(&[
            ("section_a.fx", Quantity::Force),
            ("section_a.fy", Quantity::Force),
            ("section_a.fz", Quantity::Force),
            ("section_a.mx", Quantity::Moment),
            ("section_a.my", Quantity::Moment),
            ("section_a.mz", Quantity::Moment),
            ("section_b.fx", Quantity::Force),
            ("section_b.fy", Quantity::Force),
            ("section_b.fz", Quantity::Force),
            ("section_b.mx", Quantity::Moment),
            ("section_b.my", Quantity::Moment),
            ("section_b.mz", Quantity::Moment),
        ])
    }
}
