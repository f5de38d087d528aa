//! External loads of MoorDyn's files: forces become loads on markers and points, damping that of
//! bodies.

use super::Simulation;
use super::introspection::numbers;
use super::moordyn_rods::RodEnds;
use crate::elements::FrameMatrix;
use crate::error::Result;
use crate::model::moordyn::{ExternalLoad, Loaded, Mooring, Rod};
use crate::model::{EntityKind, Frame, GROUND, Id};
use crate::spatial::{Mat3, Mat6, Vec3, skew};

impl Simulation {
    /// Adds all external loads to bodies, points and rods that have been added.
    pub(super) fn load_external_loads(&mut self, mooring: &Mooring, ends: &[RodEnds]) -> Result<()> {
        for load in &mooring.external_loads {
            let ExternalLoad { row, object, force, damping, in_body } = load;
            let refused = |cause| row.refused(ExternalLoad::OBJECT, cause);
            let [linear, quadratic] = damping.map(|damping| damping != [0.0; 3]);
            let frame = if *in_body { Frame::Body } else { Frame::Inertial };
            match *object {
                Loaded::Body(body) => {
                    let id = body as Id;
                    if *force != [0.0; 3] {
                        let marker =
                            self.build().add_marker(id, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).map_err(refused)?;
                        let name = format!("external load {}", row.words()[0]);
                        self.build().set_name(EntityKind::Marker, marker, &name)?;
                        let [x, y, z] = *force;
                        self.inputs().set_marker_load(marker, frame, &[x, y, z, 0.0, 0.0, 0.0]).map_err(refused)?;
                    }
                    let matrix = |[x, y, z]: [f64; 3]| FrameMatrix {
                        matrix: Mat6::from_diagonal(&Vec3::new(x, y, z).push(0.0).push(0.0).push(0.0)),
                        frame,
                    };
                    if linear {
                        self.add_damping(load, id, matrix(damping[0]))?;
                    }
                    if quadratic {
                        self.add_quadratic(load, id, matrix(damping[1]))?;
                    }
                }
                Loaded::Point(point) => {
                    for (column, acts) in [(ExternalLoad::LINEAR, linear), (ExternalLoad::QUADRATIC, quadratic)] {
                        if acts {
                            return Err(row.unsupported(column, "damping of points is not supported"));
                        }
                    }
                    self.add_point_force(load, point as Id)?;
                }
                Loaded::Rod(rod) => {
                    if quadratic {
                        let detail = "quadratic damping of rods is not supported";
                        return Err(row.unsupported(ExternalLoad::QUADRATIC, detail));
                    }
                    self.add_point_force(load, ends[rod].points[0])?;
                    if linear {
                        self.add_rod_damping(load, &mooring.rods[rod], &ends[rod])?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a force to that on a point.
    fn add_point_force(&mut self, load: &ExternalLoad, point: Id) -> Result<()> {
        let own = self.given().point_load(point)?;
        let sum: [f64; 3] = std::array::from_fn(|k| own[k] + load.force[k]);
        if sum == own {
            return Ok(());
        }
        self.inputs().set_point_load(point, &sum).map_err(|cause| load.row.refused(ExternalLoad::FORCE, cause))
    }

    /// Adds linear damping of a body. Errors: the sum has no axes in which it is constant.
    fn add_damping(&mut self, load: &ExternalLoad, body: Id, added: FrameMatrix) -> Result<()> {
        let own = self.inputs.hydrodynamics[body as usize].linear_damping.unwrap_or(added.zero());
        let frame = match (own.has_no_axes(), added.has_no_axes()) {
            (_, true) => own.frame,
            (true, false) => added.frame,
            _ if own.frame == added.frame => own.frame,
            _ => {
                let detail = "damping of one body in the axes of the body and in global ones is not supported";
                return Err(load.row.unsupported(ExternalLoad::LINEAR, detail));
            }
        };
        let set = self.settings().set_linear_damping(body, &numbers(&(own.matrix + added.matrix)), frame);
        set.map_err(|cause| load.row.refused(ExternalLoad::LINEAR, cause))
    }

    /// Adds quadratic damping of a body, by the velocities along each axis.
    fn add_quadratic(&mut self, load: &ExternalLoad, body: Id, added: FrameMatrix) -> Result<()> {
        let unsupported = |detail: &str| Err(load.row.unsupported(ExternalLoad::QUADRATIC, detail));
        let index = body as usize;
        if self.model.bodies[index].in_water.is_some() {
            return unsupported("quadratic damping of a body that has drag in water (CdA) is not supported");
        }
        let own = self.inputs.hydrodynamics[index].quadratic_drag.unwrap_or(added.zero());
        if own.frame != added.frame {
            return unsupported("quadratic damping of one body in its axes and in global ones is not supported");
        }
        let set = self.settings().set_quadratic_drag(body, &numbers(&(own.matrix + added.matrix)), added.frame);
        set.map_err(|cause| load.row.refused(ExternalLoad::QUADRATIC, cause))
    }

    /// Linear damping of a rod, evenly along it: for places at r from the reference point of its
    /// body the integral of T^T B T, T = [I, -~r], which is quadratic in the place: Simpson's rule
    /// is exact.
    fn add_rod_damping(&mut self, load: &ExternalLoad, rod: &Rod, ends: &RodEnds) -> Result<()> {
        let (body, axis) = match ends.axis {
            Some(found) if rod.segments > 0 => found,
            _ => {
                return Err(load
                    .row
                    .unsupported(ExternalLoad::LINEAR, "damping of rods without length is not supported"));
            }
        };
        if body == GROUND {
            return Ok(());
        }
        let [a, b] = rod.ends.map(Vec3::from);
        let (from, length) = (Vec3::from(self.model.points[ends.points[0] as usize].position), (b - a).norm());
        let [across, along, _] = load.damping[0];
        let local = Mat3::identity() * across + axis * axis.transpose() * (along - across);
        let mut matrix = Mat6::zeros();
        for (part, weight) in [(0.0, 1.0 / 6.0), (0.5, 4.0 / 6.0), (1.0, 1.0 / 6.0)] {
            let arm = skew(&(from + axis * (length * part)));
            let columns = [Mat3::identity(), -arm];
            for (i, row) in columns.iter().enumerate() {
                for (j, column) in columns.iter().enumerate() {
                    let mut own = matrix.fixed_view_mut::<3, 3>(3 * i, 3 * j);
                    own += row.transpose() * local * column * weight;
                }
            }
        }
        self.add_damping(load, body, FrameMatrix { matrix, frame: Frame::Body })
    }
}
