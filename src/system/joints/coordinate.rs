//! The coordinate of a joint and its slide: values (angles over any number of turns), rates, and
//! the springs, dampers, loads, friction and stops on them.

use super::scalar::{Angle, Scalar};
use super::{Assembly, JointElement, Motion, Primitive, Row, Tangents, acceleration, rate, wrap};
use crate::elements::machine::{Machine, Modes, STATES};
use crate::linear::Assemble;
use crate::model::{Coordinate, JointLoad, JointSpring};
use crate::spatial::{Vec3, Vec6};

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
        (self.has_angle() && !self.driven[0]).then_some(self.is_sprung[0])
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
        self.kind.coordinate() == Some(Coordinate::Displacement)
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
    pub fn gradient(&self, is_slide: bool, [a, b]: [&Motion; 2]) -> Option<Row> {
        let primitive = if is_slide { &self.rest.slide } else { &self.rest.coordinate };
        Some(primitive.as_ref()?.scalar(a, b)?.row)
    }

    /// Springs on its coordinate and slide.
    pub(in crate::system) fn springs(&self) -> impl Iterator<Item = &JointSpring> {
        self.rest.springs.iter().flatten()
    }

    /// The same, to change them.
    pub(in crate::system) fn springs_mut(&mut self) -> impl Iterator<Item = &mut JointSpring> {
        self.rest.springs.iter_mut().flatten()
    }

    /// Force of the damper with a table on its coordinate (0) or slide (1) at a rate.
    pub fn damper_force(&self, which: usize, rate: f64) -> f64 {
        self.rest.dampers[which].as_ref().map_or(0.0, |damper| -damper.at(rate).force)
    }

    /// Friction and stops on its coordinate (0) or slide (1), and where their own variables begin.
    pub(in crate::system) fn machine(&self, which: usize) -> Option<&(Machine, usize)> {
        self.rest.machines[which].as_ref()
    }

    /// The same, to change it.
    pub(in crate::system) fn machine_mut(&mut self, which: usize) -> Option<&mut (Machine, usize)> {
        self.rest.machines[which].as_mut()
    }

    /// Energy of the springs on coordinate and slide, with own variables `z`.
    pub fn potential(&self, ends: [&Motion; 2], near: f64, z: &[f64]) -> f64 {
        let energy = |spring: &Option<JointSpring>, at: Option<[f64; 3]>| match (spring, at) {
            (Some(spring), Some([q, ..])) => 0.5 * spring.stiffness * (q - spring.rest) * (q - spring.rest),
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
            + held(0, coordinate)
            + held(1, slide)
    }

    /// Adds the generalized forces `tau = load - k (q - rest) - c qdot`, less those of dampers with
    /// tables and of machines, on coordinate and slide:
    /// B^T tau acts in opposite directions on the two bodies.
    #[inline(always)]
    pub fn assemble_forces<A: Assemble>(
        &self,
        assembly: &mut Assembly<A>,
        loads: [&JointLoad; 2],
        near: f64,
        z: &[f64],
    ) {
        for (which, load) in loads.into_iter().enumerate() {
            let Some(turns_only) = self.moves[which] else { continue };
            if !self.is_sprung[which] && load.force == 0.0 {
                assembly.reserve_pair(self.ends(), turns_only);
                continue;
            }
            let motions = assembly.motions;
            let ends = self.ends().map(|end| &motions[end]);
            let (primitive, now) = match which {
                0 => (&self.rest.coordinate, self.coordinate(ends, near)),
                _ => (&self.rest.slide, self.slide(ends)),
            };
            if let (Some(primitive), Some(now)) = (primitive, now) {
                self.assemble_force(assembly, primitive, (load.force, which), now, z);
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
        z: &[f64],
    ) {
        let motions = assembly.motions;
        let [a, b] = self.ends().map(|end| &motions[end]);
        let Some(scalar) = primitive.scalar(a, b) else { return };
        let (mut tau, mut k, mut c) = (load, 0.0, 0.0);
        if let Some(spring) = &self.rest.springs[which] {
            (k, c) = (spring.stiffness, spring.damping);
            tau -= k * (q - spring.rest) + c * qdot;
        }
        if let Some(damper) = &self.rest.dampers[which] {
            let value = damper.at(qdot);
            (tau, c) = (tau - value.force, c + value.slope);
        }
        if let Some((machine, first)) = self.machine(which) {
            let modes = Modes::read(&z[*first..first + STATES]);
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
        assembly.add_pair(
            self.ends(),
            &Tangents {
                stiffness: [[stiffness(0, 0), stiffness(0, 1)], [stiffness(1, 0), stiffness(1, 1)]],
                damping: [[damping(0, 0), damping(0, 1)], [damping(1, 0), damping(1, 1)]],
            },
            primitive.turns_only(),
        );
    }
}
