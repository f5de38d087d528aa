//! The coordinate of a joint and its slide: values (angles over any number of turns), rates, and
//! the springs, dampers, loads, friction and stops on them.

use super::scalar::{Angle, Scalar};
use super::{Assembly, JointElement, Motion, Primitive, Row, Tangents, acceleration, rate, wrap};
use crate::elements::coordinate_spring::CoordinateSpring;
use crate::elements::friction_load::FrictionLoad;
use crate::elements::machine::{Machine, Modes, STATES};
use crate::elements::{Curve, EnergyForm, Local, Memory, Tie, coordinate_spring};
use crate::linear::Assemble;
use crate::model::{Coordinate, JointLoad, JointSpring, damper_curve};
use crate::spatial::{Vec3, Vec6, lower};
use crate::system::energy_form::Stepping;
use crate::system::motion::site;
use std::sync::Arc;

/// The spring of a table; None without points. They are checked when they are given.
pub(super) fn table_of(points: &[[f64; 2]]) -> Option<Arc<CoordinateSpring>> {
    CoordinateSpring::new(points).ok().filter(|_| !points.is_empty()).map(Arc::new)
}

/// The same of a damper.
pub(super) fn damper_of(points: &[[f64; 2]]) -> Option<Arc<Curve>> {
    damper_curve(points).ok().filter(|_| !points.is_empty()).map(Arc::new)
}

impl JointElement {
    /// Whether the coordinate is an angle.
    pub fn has_angle(&self) -> bool {
        self.kind.coordinate() == Some(Coordinate::Angle)
    }

    /// Whether the coordinate is imposed.
    #[inline(always)]
    pub fn is_driven(&self) -> bool {
        self.driven[0]
    }

    /// Whether a spring acts on an angle that is not driven; None for other coordinates.
    pub fn free_angle(&self) -> Option<bool> {
        (self.rest.coordinate.is_some() && self.has_angle() && !self.driven[0]).then_some(self.is_sprung[0])
    }

    /// The axis of rotation of the angle, in axes of body a.
    pub fn axis(&self) -> Vec3 {
        self.rest.frames[0].rotation * Vec3::z()
    }

    /// The coordinate nearest to `near` (angles are periodic), its rate and its acceleration. None
    /// for joints without a coordinate.
    pub fn coordinate(&self, [a, b]: [&Motion; 2], near: f64) -> Option<[f64; 3]> {
        let scalar = self.coordinate_scalar([a, b])?;
        let q = self.counted(scalar.value, near);
        let qdd = acceleration(&scalar.row, a, b) + scalar.velocity_term(a, b);
        Some([q, rate(&scalar.row, a, b), qdd])
    }

    /// The coordinate alone; 0 for joints without one.
    pub fn coordinate_value(&self, [a, b]: [&Motion; 2], near: f64) -> f64 {
        self.rest.coordinate.as_ref().map_or(0.0, |primitive| self.counted(primitive.value(a, b), near))
    }

    /// Its angle, for counting turns apart from the joint, and the offset; None for joints without
    /// an angle.
    pub(in crate::system) fn angle(&self) -> Option<(Angle, f64)> {
        match &self.rest.coordinate {
            Some(Primitive::Angle(angle)) => Some((Angle::clone(angle), self.rest.offset)),
            _ => None,
        }
    }

    /// Whether the coordinate is a displacement.
    pub(in crate::system) fn has_displacement(&self) -> bool {
        self.rest.coordinate.is_some() && self.kind.coordinate() == Some(Coordinate::Displacement)
    }

    /// The coordinate less its offset, angles within half a turn of zero, with its derivatives.
    /// None for joints without one.
    #[inline(always)]
    pub fn coordinate_scalar(&self, [a, b]: [&Motion; 2]) -> Option<Scalar> {
        self.rest.coordinate.as_ref()?.scalar(a, b)
    }

    /// The coordinate of a value, with the number of turns that is nearest to `near`.
    pub fn counted(&self, value: f64, near: f64) -> f64 {
        match self.kind.coordinate() {
            Some(Coordinate::Angle) => near + wrap(value + self.rest.offset - near),
            _ => value + self.rest.offset,
        }
    }

    /// The coordinate of a value after a number of turns.
    pub(in crate::system) fn after_turns(&self, value: f64, turns: f64) -> f64 {
        value + self.rest.offset + std::f64::consts::TAU * turns
    }

    /// Whether the slide is proportional to the angle.
    pub(in crate::system) fn is_screw(&self) -> bool {
        self.primitives.iter().any(|primitive| matches!(primitive, Primitive::Screw(_)))
    }

    /// The coordinate of a screw from its slide, which determines the turns. None for other joints.
    pub(in crate::system) fn screwed(&self, [a, b]: [&Motion; 2]) -> Option<f64> {
        self.primitives.iter().find_map(|primitive| match primitive {
            Primitive::Screw(screw) => Some(screw.angle_by_slide(a, b) + self.rest.offset),
            _ => None,
        })
    }

    /// Number of turns between a value of an angle and the coordinate nearest to `near`; 0 for a
    /// displacement.
    pub fn turns(&self, value: f64, near: f64) -> f64 {
        if self.has_angle() { ((near - self.rest.offset - value) / std::f64::consts::TAU).round() } else { 0.0 }
    }

    /// Displacement of b along z of a, its rate and its acceleration. None for joints that do not
    /// slide.
    pub fn slide(&self, [a, b]: [&Motion; 2]) -> Option<[f64; 3]> {
        let scalar = self.rest.slide.as_ref()?.scalar(a, b)?;
        let acceleration = acceleration(&scalar.row, a, b) + scalar.velocity_term(a, b);
        Some([scalar.value, rate(&scalar.row, a, b), acceleration])
    }

    /// The gradient of the coordinate, or of the slide.
    pub fn gradient(&self, is_slide: bool, ends: [&Motion; 2]) -> Option<Row> {
        Some(self.scalar_of(usize::from(is_slide), ends)?.row)
    }

    /// The coordinate (0), as [`JointElement::coordinate_scalar`], or the slide (1).
    pub(in crate::system) fn scalar_of(&self, which: usize, [a, b]: [&Motion; 2]) -> Option<Scalar> {
        let primitive = if which == 0 { &self.rest.coordinate } else { &self.rest.slide };
        primitive.as_ref()?.scalar(a, b)
    }

    /// Whether it has the coordinate (0) or the slide (1).
    pub(in crate::system) fn has_coordinate(&self, which: usize) -> bool {
        [&self.rest.coordinate, &self.rest.slide][which].is_some()
    }

    /// Springs on its coordinate and slide.
    pub(in crate::system) fn springs(&self) -> impl Iterator<Item = &JointSpring> {
        self.rest.springs.iter().flatten()
    }

    /// Replaces the points of a table, by its place in the description.
    pub(in crate::system) fn take_points(&mut self, place: usize, points: &[[f64; 2]]) {
        match place % 2 {
            0 => self.rest.tables[place / 2] = table_of(points),
            _ => self.rest.dampers[place / 2] = damper_of(points),
        }
    }

    /// The same, to change them.
    pub(in crate::system) fn springs_mut(&mut self) -> impl Iterator<Item = &mut JointSpring> {
        self.rest.springs.iter_mut().flatten()
    }

    /// Coordinate (0) or slide (1) with its rate and acceleration; None where the joint has none.
    #[inline(never)]
    pub(in crate::system) fn motion_of(&self, which: usize, ends: [&Motion; 2], near: f64) -> Option<[f64; 3]> {
        if which == 0 { self.coordinate(ends, near) } else { self.slide(ends) }
    }

    /// Force of the springs on its coordinate (0) or slide (1) at a value of it.
    pub(in crate::system) fn spring_force(&self, which: usize, q: f64) -> f64 {
        let linear = self.rest.springs[which].map_or(0.0, |spring| -spring.stiffness * (q - spring.rest));
        linear - self.rest.tables[which].as_ref().map_or(0.0, |table| table.at(q).force)
    }

    /// Which of these have tables that steps take in energy form.
    pub(in crate::system) fn kinks(&self) -> impl Iterator<Item = usize> {
        [0, 1].into_iter().filter(|which| self.rest.tables[*which].as_ref().is_some_and(|table| table.has_kink()))
    }

    /// The force of such a table by its law: minus its wrenches, about the points of both ends.
    #[inline(never)]
    pub(in crate::system) fn table_by_law(
        &self,
        which: usize,
        ends: [&Motion; 2],
        near: f64,
        wants_tangents: bool,
    ) -> Local<2> {
        let mut local = Local::zero(false, wants_tangents);
        let (Some(table), Some(scalar)) = (&self.rest.tables[which], self.scalar_of(which, ends)) else { return local };
        let q = if which == 0 { self.counted(scalar.value, near) } else { scalar.value };
        let (value, rows) = (table.at(q), [scalar.row.a, scalar.row.b]);
        local.residual = rows.map(|row| row * value.force);
        if let Some(tangents) = &mut local.tangents {
            for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let outer = rows[i] * rows[j].transpose();
                tangents.stiffness[i][j] = outer * value.slope + scalar.second[i][j] * value.force;
            }
        }
        local
    }

    /// Adds minus the effective wrenches of such a table over a step in energy form, in which its
    /// coordinate goes from `q0` to that nearest to `near`, and their derivatives. Returns its
    /// memory at the end, and whether its stiffness jumped.
    pub(in crate::system) fn table_over(
        &self,
        (which, form): (usize, &EnergyForm),
        [from, at]: [[&Motion; 2]; 2],
        (q0, near): (f64, f64),
        last: &Memory,
        out: &mut Local<2>,
    ) -> (Memory, bool) {
        let motion = self.motion_of(which, at, near);
        let (Some(table), Some([q1, ..])) = (&self.rest.tables[which], motion) else { return (*last, false) };
        let (pull, jumped) = table.pull(form, [q0, q1], last);
        let [a, b] = &self.rest.frames;
        if which == 0 && self.has_angle() {
            let row = self.gradient(false, at).map_or(Vec3::zeros(), |row| lower(&row.b));
            coordinate_spring::add_turning([from, at].map(|[a, _]| a.arm(&self.axis())), &row, &pull, out);
        } else {
            let sites = |[on_a, on_b]: [&Motion; 2]| {
                [(on_a, a), (on_b, b)].map(|(motion, frame)| site(motion, &Tie { node: 0, at: frame.position }))
            };
            coordinate_spring::add_sliding([&sites(from), &sites(at)], &a.rotation, &pull, out);
        }
        (pull.memory, jumped)
    }

    /// Force of the damper with a table on its coordinate (0) or slide (1) at a rate.
    pub fn damper_force(&self, which: usize, rate: f64) -> f64 {
        self.rest.dampers[which].as_ref().map_or(0.0, |damper| -damper.at(rate).force)
    }

    /// Friction and stops on its coordinate (0) or slide (1), and where their own variables begin.
    pub(in crate::system) fn machine(&self, which: usize) -> Option<&(Machine, usize)> {
        self.rest.machines[which].as_ref()
    }

    /// What its reaction adds to friction on its coordinate (0) or slide (1), with multipliers.
    pub(in crate::system) fn friction_load(&self, which: usize, ends: [&Motion; 2], lambda: &[f64]) -> f64 {
        let friction = self.machine(which).and_then(|(machine, _)| machine.friction);
        let Some(load) = friction.map(|friction| friction.load).filter(FrictionLoad::is_any) else { return 0.0 };
        let multiplier = |index: Option<super::Index>| lambda.get(index?.get()).copied();
        let multipliers = self.indices.map(|index| multiplier(index).unwrap_or(0.0));
        load.of(&self.reaction(ends, 1, &multipliers), &ends[0].arm(&self.axis()))
    }

    /// Friction and stops there, to change them.
    pub(in crate::system) fn machine_mut(&mut self, which: usize) -> Option<&mut (Machine, usize)> {
        self.rest.machines[which].as_mut()
    }

    /// Energy of the springs on coordinate and slide, with own variables `z`.
    pub fn potential(&self, ends: [&Motion; 2], near: f64, z: &[f64]) -> f64 {
        let energy = |spring: &Option<JointSpring>, at: Option<[f64; 3]>| match (spring, at) {
            (Some(spring), Some([q, ..])) => 0.5 * spring.stiffness * (q - spring.rest) * (q - spring.rest),
            _ => 0.0,
        };
        let of_table = |which: usize, at: Option<[f64; 3]>| match (&self.rest.tables[which], at) {
            (Some(table), Some([q, ..])) => table.at(q).energy,
            _ => 0.0,
        };
        let held = |which: usize, at: Option<[f64; 3]>| match (self.machine(which), at) {
            (Some((machine, first)), Some([q, qdot, _])) => {
                machine.potential(&Modes::read(&z[*first..first + STATES]), [q, qdot])
            }
            _ => 0.0,
        };
        let [coordinate, slide] = [self.coordinate(ends, near), self.slide(ends)];
        energy(&self.rest.springs[0], coordinate)
            + energy(&self.rest.springs[1], slide)
            + of_table(0, coordinate)
            + of_table(1, slide)
            + held(0, coordinate)
            + held(1, slide)
    }

    /// Adds the generalized forces `tau = load - k (q - rest) - c qdot`, less those of springs and
    /// dampers with tables and of machines, on coordinate and slide: B^T tau acts in opposite
    /// directions on the two bodies. `lambda`: all multipliers. `stepping`: where springs with
    /// tables are wanted in energy form.
    #[inline(always)]
    pub fn assemble_forces<A: Assemble>(
        &self,
        assembly: &mut Assembly<A>,
        loads: [&JointLoad; 2],
        near: f64,
        (z, lambda): (&[f64], &[f64]),
        stepping: &mut Option<Stepping>,
    ) {
        for (which, load) in loads.into_iter().enumerate() {
            let Some(turns_only) = self.moves[which] else { continue };
            if !self.is_sprung[which] && load.force == 0.0 {
                assembly.reserve_pair(self.ends(), turns_only);
                continue;
            }
            let motions = assembly.motions;
            let ends = self.ends().map(|end| &motions[end]);
            let primitive = if which == 0 { &self.rest.coordinate } else { &self.rest.slide };
            if let (Some(primitive), Some(now)) = (primitive, self.motion_of(which, ends, near)) {
                self.assemble_force(assembly, primitive, (load.force, which), now, (z, lambda), stepping);
            }
        }
    }

    /// Whether springs or dampers act on it.
    pub fn has_springs(&self) -> bool {
        self.is_sprung.contains(&true)
    }

    /// Adds the force on one of them, with a load; `q`, `qdot` are the coordinate and rate of
    /// `primitive`.
    fn assemble_force<A: Assemble>(
        &self,
        assembly: &mut Assembly<A>,
        primitive: &Primitive,
        (load, which): (f64, usize),
        [q, qdot, _]: [f64; 3],
        (z, lambda): (&[f64], &[f64]),
        stepping: &mut Option<Stepping>,
    ) {
        let motions = assembly.motions;
        let [a, b] = self.ends().map(|end| &motions[end]);
        let Some(scalar) = primitive.scalar(a, b) else { return };
        let (mut tau, mut k, mut c) = (load, 0.0, 0.0);
        if let Some(spring) = &self.rest.springs[which] {
            (k, c) = (spring.stiffness, spring.damping);
            tau -= k * (q - spring.rest) + c * qdot;
        }
        let mut over = None;
        if let Some(table) = &self.rest.tables[which] {
            match stepping {
                Some(stepping) if table.has_kink() => {
                    over = Some(stepping.on_joint(self, which, [a, b], q, assembly.wants_tangents()));
                }
                _ => {
                    let value = table.at(q);
                    (tau, k) = (tau - value.force, k + value.slope);
                }
            }
        }
        if let Some(damper) = &self.rest.dampers[which] {
            let value = damper.at(qdot);
            (tau, c) = (tau - value.force, c + value.slope);
        }
        if let Some((machine, first)) = self.machine(which) {
            let modes =
                Modes { load: self.friction_load(which, [a, b], lambda), ..Modes::read(&z[*first..first + STATES]) };
            let [force, by_q, by_rate] = machine.force(&modes, [q, qdot]);
            (tau, k, c) = (tau + force, k - by_q, c - by_rate);
        }
        let rows = [scalar.row.a, scalar.row.b];
        let of_rate = scalar.rate_gradient(a, b);
        let turn = [of_rate.a, of_rate.b];
        let outer = |i: usize, other: &Vec6| rows[i] * other.transpose();
        let stiffness = |i: usize, j: usize| outer(i, &(rows[j] * k + turn[j] * c)) - scalar.second[i][j] * tau;
        let damping = |i: usize, j: usize| outer(i, &(rows[j] * c));
        for (i, row) in rows.iter().enumerate() {
            assembly.add_residual(self.ends()[i], &(row * -tau));
        }
        let mut tangents = Tangents {
            stiffness: [[stiffness(0, 0), stiffness(0, 1)], [stiffness(1, 0), stiffness(1, 1)]],
            damping: [[damping(0, 0), damping(0, 1)], [damping(1, 0), damping(1, 1)]],
        };
        if let Some(Local { residual, tangents: by_step, .. }) = &over {
            self.ends().iter().zip(residual).for_each(|(end, residual)| assembly.add_residual(*end, residual));
            by_step.iter().for_each(|own| tangents.add_stiffness(own));
        }
        assembly.add_pair(self.ends(), &tangents, primitive.turns_only());
    }
}
