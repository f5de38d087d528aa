//! A 64-bit fingerprint of a model, so that a state is never restored into another one.
//!
//! FNV-1a over the bits of everything that `BUILDING` fixes: not settings, loads, names or
//! hydrodynamic coefficients, which may differ between runs of one model.

use super::{Clutch, EntityKind, JointSpring, Line, LineFailure, LineType, Model, Support, Syrope, Viscoelastic};
use crate::elements::machine::{Friction, Machine};
use crate::elements::stop::Stop;
use crate::elements::{Columns, End, Facts, InWater, Sheave};
use crate::error::{Error, Result};
use crate::spatial::{Mat6, Pose, Quat, Vec3, Vec6};

/// FNV-1a, 64 bit (Fowler, Noll, Vo): also the checksum of serialized states.
pub fn fnv1a(bytes: &[u8], mut hash: u64) -> u64 {
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}

/// The start value of FNV-1a.
pub const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;

struct Hash(u64);

impl Hash {
    fn integer(&mut self, value: u64) {
        self.0 = fnv1a(&value.to_le_bytes(), self.0);
    }

    fn numbers(&mut self, values: &[f64]) {
        values.iter().for_each(|x| self.integer(x.to_bits()));
    }

    fn vector(&mut self, v: &Vec3) {
        self.numbers(v.as_slice());
    }

    fn pose(&mut self, p: &Pose) {
        self.numbers(&p.to_array());
    }

    fn matrix(&mut self, m: &Mat6) {
        self.numbers(m.as_slice());
    }

    fn stop(&mut self, mark: u64, Stop { bounds, law, stiffness, damping, restitution, .. }: &Stop) {
        self.integer(mark);
        self.integer(*law as u64);
        self.numbers(&[bounds[0], bounds[1], *stiffness, *damping, *restitution]);
    }

    fn ends(&mut self, a: Option<usize>, b: Option<usize>) {
        for end in [a, b] {
            self.integer(end.map_or(u64::MAX, |i| i as u64));
        }
    }
}

/// Values count, keys do not, because their order is fixed.
impl Facts for Hash {
    fn number(&mut self, _: &'static str, value: &mut f64, _: Option<f64>) -> Result<()> {
        self.numbers(&[*value]);
        Ok(())
    }

    fn flag(&mut self, _: &'static str, value: &mut bool) -> Result<()> {
        self.integer(u64::from(*value));
        Ok(())
    }

    fn choice(&mut self, _: &'static str, value: &mut usize, _: &[&'static str]) -> Result<()> {
        self.integer(*value as u64);
        Ok(())
    }

    fn point(&mut self, _: &'static str, value: &mut Vec3) -> Result<()> {
        self.vector(value);
        Ok(())
    }

    fn frame(&mut self, _: &'static str, origin: &mut Vec3, axes: &mut Quat) -> Result<()> {
        self.pose(&Pose { position: *origin, rotation: *axes });
        Ok(())
    }

    fn matrix(&mut self, _: &'static str, value: &mut Mat6, _: Option<Mat6>) -> Result<()> {
        Hash::matrix(self, value);
        Ok(())
    }

    fn wrench(&mut self, _: &'static str, value: &mut Vec6) -> Result<()> {
        self.numbers(value.as_slice());
        Ok(())
    }

    fn columns(&mut self, key: &'static str, _: [&'static str; 2], columns: &mut Columns) -> Result<()> {
        // An element may have several, all of them optional.
        for column in columns.iter().flatten() {
            self.0 = fnv1a(key.as_bytes(), self.0);
            self.integer(column.len() as u64);
            self.numbers(column);
        }
        Ok(())
    }

    fn sheave(&mut self, key: &'static str, value: &mut Sheave) -> Result<()> {
        // Tendons through eyes have the fingerprint that they had.
        if value.radius > 0.0 {
            self.0 = fnv1a(key.as_bytes(), self.0);
            self.numbers(&[value.radius, value.wrap]);
            self.vector(&value.axis);
        }
        if value.friction > 0.0 {
            self.0 = fnv1a(key.as_bytes(), self.0);
            self.numbers(&[value.friction]);
        }
        Ok(())
    }

    fn replaces(&mut self, _: &'static str, _: &[&'static str]) -> Result<()> {
        Ok(())
    }

    fn refusal(&self, _: &'static str, cause: Error) -> Error {
        cause
    }
}

/// The fingerprint of `model`.
pub fn of(model: &Model) -> u64 {
    let mut h = Hash(FNV_OFFSET);
    h.vector(&model.gravity);
    h.vector(&model.origin);
    h.integer(model.bodies.len() as u64);
    for body in &model.bodies {
        h.numbers(&[body.inertia.mass]);
        h.vector(&body.inertia.eta);
        h.numbers(body.inertia.inertia.as_slice());
        h.pose(&body.pose);
        h.integer(u64::from(body.prescribed));
        h.vector(&body.reference);
        if let Some(InWater { volume, centre }) = &body.in_water {
            h.integer(1);
            h.numbers(&[*volume]);
            h.vector(centre);
        }
    }
    h.integer(model.joints.len() as u64);
    for joint in &model.joints {
        h.integer(joint.kind as u64);
        h.ends(joint.body_a, joint.body_b);
        h.pose(&joint.frame_a);
        h.pose(&joint.frame_b);
        h.numbers(&[joint.distance, joint.pitch, joint.offset]);
        if joint.kind.rolls() {
            h.numbers(&[joint.radius]);
        }
        for driven in [joint.driven, joint.slide_driven] {
            h.integer(u64::from(driven));
        }
        for spring in [&joint.spring, &joint.slide_spring] {
            h.numbers(&spring.as_ref().map_or([0.0; 3], JointSpring::numbers));
        }
        let tables = joint.dampers.iter().chain(&joint.spring_tables);
        for (which, points) in tables.enumerate().filter(|(_, points)| !points.is_empty()) {
            h.integer(5 + which as u64);
            h.integer(points.len() as u64);
            points.iter().for_each(|point| h.numbers(point));
        }
        if joint.strength != [f64::INFINITY; 2] {
            h.integer(9);
            h.numbers(&joint.strength);
        }
        for (which, Machine { friction, stop }) in joint.machines.iter().enumerate() {
            // What is not there adds nothing: states of models without it stay known.
            if let Some(Friction { kinetic, holding, viscous, quadratic, slip, load, .. }) = friction {
                h.integer(1 + which as u64);
                h.numbers(&[*kinetic, *holding, *viscous, *quadratic, *slip]);
                if load.is_any() {
                    h.integer(10 + which as u64);
                    h.numbers(&[load.axial, load.radial, load.bending, load.static_ratio]);
                }
            }
            stop.iter().for_each(|stop| h.stop(3 + which as u64, stop));
        }
    }
    for kind in EntityKind::FORCES {
        h.integer(model.elements.count(kind) as u64);
    }
    for element in model.elements.clone().iter_mut() {
        for node in element.nodes() {
            h.integer(match node.to {
                End::Ground => u64::MAX,
                End::Body(body) => body as u64,
                End::Point(point) => !(point as u64) - 1,
            });
        }
        // A hash cannot fail.
        let _ = element.facts(&mut h);
    }
    h.integer(model.points.len() as u64);
    for point in &model.points {
        h.numbers(&[point.mass, point.volume, point.cda, point.ca]);
        h.vector(&point.position);
        h.vector(&point.velocity);
        h.integer(match point.support {
            Support::Free => 0,
            Support::Fixed => 1,
            Support::Prescribed => 2,
            Support::Attached(body) => 3 + body as u64,
            Support::Waiting => u64::MAX,
        });
    }
    h.integer(model.markers.len() as u64);
    for marker in &model.markers {
        h.integer(marker.body as u64);
        h.pose(&marker.frame);
    }
    for gear in &model.gears {
        h.integer(gear.joints.len() as u64);
        gear.joints.iter().for_each(|joint| h.integer(*joint as u64));
        h.numbers(&gear.coefficients);
    }
    for Clutch { coordinates, ratio, static_ratio, slip, stop } in &model.clutches {
        for (joint, which) in coordinates {
            h.integer((2 * joint + which) as u64);
        }
        h.numbers(&[*ratio, *static_ratio, *slip]);
        stop.iter().for_each(|stop| h.stop(1, stop));
    }
    h.integer(model.line_types.len() as u64);
    for line_type in &model.line_types {
        let LineType { diameter, mass_per_length, ea, ba, ei, cdn, can, cdt, cat, tension, damping, .. } = line_type;
        h.numbers(&[*diameter, *mass_per_length, *ea, *ba, *ei, *cdn, *can, *cdt, *cat]);
        if let Some(Viscoelastic { stiffness, slope, damping }) = line_type.viscoelastic {
            h.numbers(&[stiffness, slope, damping]);
        }
        if let Some(Syrope { curve, k1, k2 }) = line_type.syrope {
            h.integer(curve as u64 + 1);
            h.numbers(&[k1, k2]);
        }
        for table in [tension, damping] {
            h.integer(table.as_ref().map_or(0, |table| table.x.len() as u64));
            table.iter().for_each(|table| [&table.x, &table.y].into_iter().for_each(|column| h.numbers(column)));
        }
    }
    h.integer(model.lines.len() as u64);
    for Line { line_type, points: [a, b], length, segments, clamps, pressure, largest } in &model.lines {
        [line_type, a, b, segments].into_iter().for_each(|number| h.integer(*number as u64));
        h.numbers(&[*length]);
        for clamp in clamps {
            h.integer(clamp.map_or(0, |clamp| clamp.body.map_or(1, |body| body as u64 + 2)));
            h.numbers(clamp.map_or(Vec3::zeros(), |clamp| clamp.axis).as_slice());
        }
        for numbers in [pressure, largest] {
            h.integer(numbers.len() as u64);
            h.numbers(numbers);
        }
    }
    h.integer(model.line_failures.len() as u64);
    for LineFailure { ends, time, tension, point } in &model.line_failures {
        h.integer(ends.len() as u64);
        ends.iter().for_each(|(line, end)| h.integer((2 * line + end) as u64));
        h.numbers(&[*time, *tension]);
        h.integer(point.map_or(0, |point| point as u64 + 1));
    }
    h.integer(model.line_joints.len() as u64);
    model.line_joints.iter().flatten().for_each(|(line, end)| h.integer((2 * line + end) as u64));
    h.0
}
