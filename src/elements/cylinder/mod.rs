//! Circular cylinders in water on a body or the ground: hydrostatics in closed form, and forces by
//! Morison's equation on the part in the water (docs/water.md).
//!
//! With x_A the place of end A, q the axis from A to B, c = q_z, z the height of end A over the
//! surface and U(z, c) the potential of buoyancy, the force is `-U_z zhat`, the moment about end A
//! `-U_c (q x zhat)`. Where the host gives the motion of the water, the surface is straight between
//! the nodes, at which it is asked for. Forces that depend on the motion are in `morison`, those of
//! the seabed in `seabed`.

mod hydrostatics;
mod morison;
mod seabed;

use super::line::{Fluid, check_positive, current};
use super::{Attachment, Description, Element, End, EntityKind, Facts, Local, OutputNames, Quantity, Site};
use super::{Surroundings, Tangents, check_not_negative};
use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::pose::check_finite;
use crate::spatial::{Mat3, Mat6, Vec3, Vec6, add_block, join};
use hydrostatics::{Piece, Potential};
use morison::{Axis, Coefficients, Flow, Sums, level_axis};
use std::f64::consts::PI;

/// Most segments.
const MOST_SEGMENTS: i32 = 1000;

/// A cylinder.
#[derive(Debug, Clone, Default)]
pub struct Cylinder {
    /// The body, and the centre of end A.
    pub node: [Attachment; 1],
    /// The centre of end B, as it was given.
    pub end_b: Vec3,
    /// From end A to end B.
    axis: Vec3,
    /// Its diameter.
    pub diameter: f64,
    /// Number of segments.
    pub segments: i32,
    /// Coefficients of drag and of added mass across the axis, then along it at the ends.
    pub coefficients: [f64; 4],
    /// Gravity of a cylinder that has stiffness but no force, for estimates of stable steps.
    relaxed: Option<f64>,
}

/// Keys of the coefficients.
const COEFFICIENTS: [&str; 4] = ["cd", "ca", "cd_end", "ca_end"];

/// The wrenches of the water on a cylinder about its end A, inertial axes.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CylinderLoads {
    /// Length of the axis in the water, cross-sections that the surface cuts by their parts.
    pub submerged: f64,
    /// Buoyancy.
    pub buoyancy: Vec6,
    /// Drag on the sides and the ends.
    pub drag: Vec6,
    /// Froude-Krylov forces, and added mass at the present acceleration.
    pub inertia: Vec6,
    /// The force of the seabed.
    pub seabed: Vec6,
}

impl Cylinder {
    /// From both ends in the axes of its body, and `[cd, ca, cd_end, ca_end]`.
    pub fn new(ends: [&[f64; 3]; 2], diameter: f64, segments: i32, coefficients: [f64; 4]) -> Cylinder {
        let (node, end_b) = ([Attachment::at(ends[0])], Vec3::from(*ends[1]));
        Cylinder { node, end_b, axis: end_b - node[0].at, diameter, segments, coefficients, relaxed: None }
    }

    /// The wrenches of the water; M and derivatives are added, about end A.
    fn act(
        &self,
        site: &Site,
        around: &Surroundings,
        mass: Option<&mut Mat6>,
        tangents: &mut Option<Tangents<1>>,
    ) -> CylinderLoads {
        let (water, fluid) = (around.water, around.fluid);
        let (length, radius) = (self.axis.norm(), 0.5 * self.diameter);
        let axis = Axis { q: site.r * self.axis / length, site };
        let (c, height) = (axis.q.z, site.x.z + around.origin.z);
        let [cd, ca, cd_end, ca_end] = self.coefficients;
        let displaced = water.density * PI * radius * radius;
        let coefficients = Coefficients {
            displaced,
            added: displaced * ca,
            drag: 0.5 * water.density * self.diameter * cd,
            end_added: water.density * ca_end * (2.0 / 3.0) * PI * radius * radius * radius,
            end_drag: 0.5 * displaced * cd_end,
        };
        let segment = length / f64::from(self.segments);
        let flow = |s: f64| {
            flow(s / segment, fluid, |velocity| {
                // Shear is by height, the current by depth.
                let (steady, slope) = current(water, -(height + c * s));
                (steady + velocity, -slope.unwrap_or_default())
            })
        };
        let (mut sums, mut ends) = (Sums::NONE, [0.0; 2]);
        for (k, (s, piece)) in self.pieces(self.segments as usize, [height, c], fluid).enumerate() {
            let acceleration = match fluid.get(k..k + 2) {
                Some(told) => [told[0].acceleration.into(), told[1].acceleration.into()],
                None => [Vec3::zeros(); 2],
            };
            sums.add_segment(&axis, &coefficients, (s, &piece), acceleration, &flow, tangents);
            let [first, last] = piece.ends();
            ends = [if k == 0 { first } else { ends[0] }, last];
        }
        for (s, alpha) in [(0.0, ends[0]), (length, ends[1])] {
            sums.add_end(&axis, &coefficients, (s, alpha), &flow(s), tangents);
        }
        let alphas = ends[0] + ends[1];
        let inertia = sums.inertia(&axis, &coefficients, mass, tangents, alphas);
        let gravity = self.relaxed.unwrap_or(-around.gravity.z);
        let potential = self.hydrostatics([height, c], fluid);
        let buoyancy = self.buoyancy(&axis.q, displaced * gravity, &potential, tangents);
        let drag = sums.drag + join(&(axis.q * sums.ends[1]), &Vec3::zeros());
        CylinderLoads { submerged: sums.moments[0], buoyancy, drag, inertia, seabed: Vec6::zeros() }
    }

    /// The axis in n equal pieces, with their distances from end A: it starts at `height` over the
    /// mean water level and rises by c per length, and the surface over each piece is plane.
    fn pieces(&self, n: usize, [height, c]: [f64; 2], fluid: &[Fluid]) -> impl Iterator<Item = (f64, Piece)> {
        let (length, radius) = (self.axis.norm() / n as f64, 0.5 * self.diameter);
        (0..n).map(move |k| {
            let (s, told) = (length * k as f64, fluid.get(k..k + 2));
            let [zeta, end] = told.map_or([0.0; 2], |told| [told[0].elevation, told[1].elevation]);
            let c_surface = (c - (end - zeta) / length).clamp(-1.0, 1.0);
            (s, Piece { z: height + c * s - zeta, c: c_surface, length, radius })
        })
    }

    /// The potential of buoyancy over rho g A: of one piece in still water.
    fn hydrostatics(&self, place: [f64; 2], fluid: &[Fluid]) -> Potential {
        let n = if fluid.is_empty() { 1 } else { self.segments as usize };
        let mut sum = Potential::default();
        self.pieces(n, place, fluid).for_each(|(s, piece)| sum.add_piece(s, &piece.potential()));
        sum
    }

    /// The wrench of a potential in units of `weight`; adds its tangent.
    fn buoyancy(&self, q: &Vec3, weight: f64, u: &Potential, tangents: &mut Option<Tangents<1>>) -> Vec6 {
        let (vertical, n, prestress) = (Vec3::z(), level_axis(q), if self.relaxed.is_some() { 0.0 } else { weight });
        let [uz, uc] = u.first.map(|slope| slope * prestress);
        if let Some(Tangents { stiffness: [[k]], .. }) = tangents {
            let [zz, zc, cc] = u.second.map(|second| second * weight);
            add_block(k, 0, 0, &(vertical * vertical.transpose() * zz));
            add_block(k, 0, 1, &(vertical * n.transpose() * zc));
            add_block(k, 1, 0, &(n * vertical.transpose() * zc));
            let turned = (q * vertical.transpose() - Mat3::identity() * q.z) * uc;
            add_block(k, 1, 1, &(n * n.transpose() * cc + turned));
        }
        join(&(vertical * -uz), &(n * -uc))
    }

    /// The loads of the water and of the seabed at a motion of end A, with stick points of
    /// friction.
    pub fn loads(&self, site: &Site, around: &Surroundings, sticks: &[f64]) -> CylinderLoads {
        let in_water = (around.water.density > 0.0).then(|| self.act(site, around, None, &mut None));
        CylinderLoads { seabed: self.bed_wrench(site, around, sticks, &mut None), ..in_water.unwrap_or_default() }
    }

    /// The added mass of the water about end A, inertial axes.
    pub fn added_mass(&self, site: &Site, around: &Surroundings) -> Mat6 {
        let mut mass = Mat6::zeros();
        if around.water.density > 0.0 {
            self.act(site, around, Some(&mut mass), &mut None);
        }
        mass
    }
}

impl Potential {
    /// Adds a piece that starts at s: its height is `z + s c`.
    fn add_piece(&mut self, s: f64, piece: &Potential) {
        let ([z, c], [zz, zc, cc]) = (piece.first, piece.second);
        self.value += piece.value;
        self.first = [self.first[0] + z, self.first[1] + c + s * z];
        let [own_zz, own_zc, own_cc] = self.second;
        self.second = [own_zz + zz, own_zc + zc + s * zz, own_cc + cc + s * (2.0 * zc + s * zz)];
    }
}

/// The flow at a place between nodes, x in segments from end A: linear between the values of the
/// host, with the current by `steady`.
fn flow(x: f64, fluid: &[Fluid], steady: impl Fn(Vec3) -> (Vec3, Vec3)) -> Flow {
    let k = (x as usize).min(fluid.len().saturating_sub(2));
    let Some([a, b]) = fluid.get(k..k + 2) else {
        let (velocity, shear) = steady(Vec3::zeros());
        return Flow { velocity, shear, acceleration: Vec3::zeros() };
    };
    let mean = |a: [f64; 3], b: [f64; 3]| Vec3::from(a).lerp(&Vec3::from(b), x - k as f64);
    let (velocity, shear) = steady(mean(a.velocity, b.velocity));
    Flow { velocity, shear, acceleration: mean(a.acceleration, b.acceleration) }
}

impl Element<1> for Cylinder {
    const HAS_MASS: bool = true;

    fn water_places(&self) -> usize {
        self.segments as usize + 1
    }

    fn water_place(&self, k: usize, [site]: &[Site; 1]) -> Vec3 {
        site.x + site.r * self.axis * (k as f64 / f64::from(self.segments))
    }

    fn states(&self) -> usize {
        2 * self.water_places()
    }

    fn begin(&self, [site]: &[Site; 1], around: &Surroundings, z: &mut [f64]) {
        self.set_sticks(site, around, z, |bed, x, _| bed.foot(x));
    }

    fn advance(&self, [site]: &[Site; 1], around: &Surroundings, z: &mut [f64], _: f64) {
        self.set_sticks(site, around, z, |bed, x, stick| bed.settled(x, stick));
    }

    #[inline(never)]
    fn evaluate(&self, at: &[Site; 1], around: &Surroundings, z: &[f64], out: &mut Local<1>) {
        if around.water.density > 0.0 {
            let Local { residual, mass, tangents } = out;
            let mass = mass.as_mut().map(|[[mass]]| mass);
            let loads = self.act(&at[0], around, mass, tangents);
            residual[0] -= loads.buoyancy + loads.drag + loads.inertia;
        }
        out.residual[0] -= self.bed_wrench(&at[0], around, z, &mut out.tangents);
        out.carry(at);
    }

    #[inline(never)]
    fn potential(&self, [site]: &[Site; 1], around: &Surroundings, _: &[f64]) -> f64 {
        let (height, c) = (site.x.z + around.origin.z, (site.r * self.axis).z / self.axis.norm());
        let area = 0.25 * PI * self.diameter * self.diameter;
        let buoyant = -around.gravity.z * around.water.density * area;
        buoyant * self.hydrostatics([height, c], around.fluid).value + self.bed_energy(site, around)
    }

    fn output_values(&self, [site]: &[Site; 1], around: &Surroundings, z: &[f64], each: &mut dyn FnMut(f64)) {
        let CylinderLoads { submerged, buoyancy, drag, inertia, seabed } = self.loads(site, around, z);
        [submerged, buoyancy.z].into_iter().for_each(&mut *each);
        drag.iter().take(3).chain(inertia.iter().take(3)).for_each(|x| each(*x));
        each(seabed.z);
    }
}

impl Description for Cylinder {
    fn kind(&self) -> EntityKind {
        EntityKind::Cylinder
    }

    fn nodes(&self) -> &[Attachment] {
        &self.node
    }

    fn nodes_mut(&mut self) -> &mut [Attachment] {
        &mut self.node
    }

    fn facts(&mut self, facts: &mut dyn Facts) -> Result<()> {
        facts.point("end_a", &mut self.node[0].at)?;
        facts.point("end_b", &mut self.end_b)?;
        self.axis = self.end_b - self.node[0].at;
        facts.number("diameter", &mut self.diameter, None)?;
        let mut segments = f64::from(self.segments);
        facts.number("segments", &mut segments, Some(10.0))?;
        self.segments = segments as i32;
        if f64::from(self.segments) != segments {
            let detail = format!("{} is not a whole number from 1 to {MOST_SEGMENTS}", Number(segments));
            return Err(facts.refusal("segments", Error::bad_value("segments", detail)));
        }
        for (key, value) in COEFFICIENTS.into_iter().zip(&mut self.coefficients) {
            facts.number(key, value, Some(0.0))?;
        }
        Ok(())
    }

    fn check(&self) -> Result<()> {
        check_finite("end_a", self.node[0].at.as_slice())?;
        check_finite("end_b", self.end_b.as_slice())?;
        check_positive("diameter", self.diameter)?;
        let length = self.axis.norm();
        if length == 0.0 || !length.is_finite() {
            return Err(Error::bad_value("end_b", format!("the length from end_a is {}", Number(length))));
        }
        if !(1..=MOST_SEGMENTS).contains(&self.segments) {
            let detail = format!("{} is not from 1 to {MOST_SEGMENTS}", self.segments);
            return Err(Error::bad_value("segments", detail));
        }
        COEFFICIENTS.into_iter().zip(self.coefficients).try_for_each(|(key, value)| check_not_negative(key, value))
    }

    /// It couples no two places.
    fn stiffness(&self) -> f64 {
        0.0
    }

    /// Nothing damps small motions.
    fn damping_per_stiffness(&self) -> Option<f64> {
        Some(0.0)
    }

    fn relax(&mut self, _: &[Vec3], gravity: &Vec3) {
        self.relaxed = Some(-gravity.z);
    }

    fn outputs(&self) -> &'static OutputNames {
        &OutputNames(&[
            ("submerged", Quantity::Length),
            ("buoyancy", Quantity::Force),
            ("drag.fx", Quantity::Force),
            ("drag.fy", Quantity::Force),
            ("drag.fz", Quantity::Force),
            ("inertia.fx", Quantity::Force),
            ("inertia.fy", Quantity::Force),
            ("inertia.fz", Quantity::Force),
            ("seabed", Quantity::Force),
        ])
    }
}
