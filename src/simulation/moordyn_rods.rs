//! Rods of MoorDyn's files: a cylinder in water on a body of its own with its reference point at
//! end A and its z axis along the rod, on a body of the file, or on the ground. Lines that bend are
//! clamped to it; those at both ends of a rod without length that turns freely are joined.

use super::Simulation;
use crate::error::{Error, Result};
use crate::model::moordyn::{Attachment, Line, LineType, Mooring, Rod, RodKind, RodType};
use crate::model::{EntityKind, GROUND, Id, JointKind};
use crate::spatial::{Mat3, Pose, Vec3, axes, convert};

/// What lines end on at a rod.
pub(super) struct RodEnds {
    /// Points at its ends A and B.
    pub points: [Id; 2],
    /// The body that has its axis, and its unit vector from A to B there; None where a rod without
    /// length turns freely, or has no direction.
    pub axis: Option<(Id, Vec3)>,
}

/// A solid cylinder: its mass, its centre, and its inertia about that.
pub(super) struct Solid {
    pub mass: f64,
    pub centre: Vec3,
    pub inertia: Mat3,
}

/// Masses of a rod: m (R^2/4 + L^2/12) across its axis and m R^2/2 along it; none without segments.
pub(super) fn solid(rod: &Rod, rod_type: &RodType) -> Solid {
    let [a, b] = rod.ends.map(Vec3::from);
    let axis = if rod.segments == 0 { Vec3::zeros() } else { b - a };
    let (length, radius) = (axis.norm(), 0.5 * rod_type.diameter);
    let mass = rod_type.mass * length;
    let [across, along] = moments(mass, length, radius);
    let q = axis / length.max(f64::MIN_POSITIVE);
    let inertia = Mat3::identity() * across + q * q.transpose() * (along - across);
    Solid { mass, centre: a + axis * 0.5, inertia }
}

fn moments(mass: f64, length: f64, radius: f64) -> [f64; 2] {
    [mass * (radius * radius / 4.0 + length * length / 12.0), mass * radius * radius / 2.0]
}

impl Simulation {
    /// Clamps ends of lines that bend to their rods. At a rod without length that turns freely, the
    /// line at its end A and that at its end B are joined.
    pub(super) fn load_bending(&mut self, lines: &[Line], types: &[LineType], rods: &[RodEnds]) -> Result<()> {
        let mut hinged: Vec<[Option<(Id, i32)>; 2]> = vec![[None; 2]; rods.len()];
        for (index, line) in lines.iter().enumerate().filter(|(_, line)| types[line.line_type].ei > 0.0) {
            let id = index as Id;
            for (end, attachment) in line.ends.iter().enumerate() {
                let Attachment::Rod(rod, side) = *attachment else { continue };
                let column = line.column(Some(["point_a", "point_b"][end]));
                let refused = |cause: Error| line.row.refused(column, cause);
                let end = end as i32;
                if let Some((body, axis)) = rods[rod].axis {
                    let axis = axis * [-1.0, 1.0][side];
                    self.elements().clamp_line(id, end, body, &axis.into()).map_err(refused)?;
                    continue;
                }
                if hinged[rod][side].replace((id, end)).is_some() {
                    let detail = "another line with bending stiffness is there: a rod without length joins one at its end A with one at its end B";
                    return Err(line.row.unsupported(column, detail));
                }
                if let [Some(a), Some(b)] = hinged[rod] {
                    self.elements().join_lines([a.0, b.0], [a.1, b.1]).map_err(refused)?;
                }
            }
        }
        Ok(())
    }

    /// Adds all rods after bodies and points of the file.
    pub(super) fn load_rods(&mut self, mooring: &Mooring) -> Result<Vec<RodEnds>> {
        let rods = mooring.rods.iter().enumerate();
        rods.map(|(index, rod)| self.load_rod(index + 1, rod, &mooring.rod_types[rod.rod_type])).collect()
    }

    fn load_rod(&mut self, number: usize, rod: &Rod, rod_type: &RodType) -> Result<RodEnds> {
        let refused = |cause: Error| match RodType::column(cause.argument()) {
            Some(column) => rod_type.row.refused(column, cause),
            None if cause.argument() == Some("segments") => rod.row.refused(Rod::SEGMENTS, cause),
            None => rod.row.refused(Rod::SUPPORT, cause),
        };
        let name = format!("rod {number}");
        let has_length = rod.segments != 0;
        // The body or the ground that holds end A.
        let holder = match rod.kind {
            RodKind::Attached(body) | RodKind::AttachedPinned(body) => body as Id,
            RodKind::CoupledPinned => self.load_support(&name, &rod.ends[0]).map_err(refused)?,
            RodKind::Free | RodKind::Fixed | RodKind::Pinned | RodKind::Coupled => GROUND,
        };
        let is_own = match rod.kind {
            RodKind::Fixed | RodKind::Attached(_) => false,
            RodKind::Coupled => true,
            _ => has_length,
        };
        let (body, mut ends) = match is_own {
            true => self.load_rod_body(&name, rod, rod_type, holder).map_err(refused)?,
            false if rod.kind == RodKind::CoupledPinned => (holder, [[0.0; 3]; 2]),
            false => (holder, rod.ends),
        };
        if has_length {
            let [a, b] = &ends;
            let added =
                self.elements().add_cylinder(body, [a, b], rod_type.diameter, rod.segments, rod_type.coefficients);
            let cylinder = added.map_err(refused)?;
            self.build().set_name(EntityKind::Cylinder, cylinder, &name)?;
        } else {
            ends[1] = ends[0];
        }
        let mut points = [0; 2];
        for (k, end) in ["A", "B"].into_iter().enumerate() {
            // Ends of a rod without segments are one point.
            if k == 1 && !has_length {
                points[1] = points[0];
                break;
            }
            let point = self.build().add_point(0.0, 0.0, &ends[k]).map_err(refused)?;
            match body {
                GROUND if rod.kind == RodKind::Free => {}
                GROUND => self.build().fix_point(point)?,
                _ => self.build().attach_point(point, body, &ends[k]).map_err(refused)?,
            }
            self.build().set_name(EntityKind::Point, point, &format!("{name} end {end}"))?;
            points[k] = point;
        }
        let is_held = matches!(rod.kind, RodKind::Fixed | RodKind::Attached(_) | RodKind::Coupled);
        let along = match is_own {
            true => Some(Vec3::z()),
            false => (Vec3::from(rod.ends[1]) - Vec3::from(rod.ends[0])).try_normalize(0.0),
        };
        let axis = along.filter(|_| (has_length || is_held) && rod.ends[0] != rod.ends[1]);
        Ok(RodEnds { points, axis: axis.map(|axis| (body, axis)) })
    }

    /// A body for a rod, held at end A if it is pinned. Returns it, and the ends in its axes.
    fn load_rod_body(&mut self, name: &str, rod: &Rod, rod_type: &RodType, holder: Id) -> Result<(Id, [[f64; 3]; 2])> {
        let frame = match rod.kind {
            RodKind::AttachedPinned(body) => self.model.bodies[body].pose,
            _ => Pose::identity(),
        };
        let [a, b] = rod.ends.map(|end| frame.position + frame.rotation * Vec3::from(end));
        let length = if rod.segments == 0 { 0.0 } else { (b - a).norm() };
        let rotation = match a == b {
            true => frame.rotation,
            false => convert::from_matrix(&axes::axes_about(&(b - a).normalize())),
        };
        let mass = rod_type.mass * length;
        let [across, along] = moments(mass, length, 0.5 * rod_type.diameter);
        let (centre, pose) = ([0.0, 0.0, 0.5 * length], Pose { position: a, rotation }.to_array());
        let body = self.build().add_rigid_body(mass, &centre, &[across, across, along, 0.0, 0.0, 0.0], &pose)?;
        self.build().set_name(EntityKind::Body, body, name)?;
        match rod.kind {
            RodKind::Coupled => self.build().set_body_prescribed(body, true)?,
            RodKind::Free => {}
            _ => self.load_hinge(name, [holder, body], &a.into())?,
        }
        Ok((body, [[0.0; 3], [0.0, 0.0, length]]))
    }

    /// Lets a body turn about a place that the host moves.
    pub(super) fn load_pin(&mut self, name: &str, body: Id, at: &[f64; 3]) -> Result<()> {
        let support = self.load_support(name, at)?;
        self.load_hinge(name, [support, body], at)
    }

    /// A body without mass that the host moves.
    fn load_support(&mut self, name: &str, [x, y, z]: &[f64; 3]) -> Result<Id> {
        let body = self.build().add_rigid_body(0.0, &[0.0; 3], &[0.0; 6], &[*x, *y, *z, 1.0, 0.0, 0.0, 0.0])?;
        self.build().set_name(EntityKind::Body, body, &format!("{name} support"))?;
        self.build().set_body_prescribed(body, true)?;
        Ok(body)
    }

    fn load_hinge(&mut self, name: &str, [holder, body]: [Id; 2], at: &[f64; 3]) -> Result<()> {
        let joint = self.build().add_joint_at(JointKind::Spherical, holder, body, at, None)?;
        self.build().set_name(EntityKind::Joint, joint, name)
    }
}
