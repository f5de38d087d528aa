//! Systems from input files of MoorDyn: entities in the order of the file, through the checked
//! functions that a host calls. `model::moordyn` reads the files; docs/mooring.md describes the
//! conversion.

use super::introspection::numbers;
use super::moordyn_rods::{RodEnds, Solid, solid};
use super::{Simulation, files};
use crate::elements::{InWater, check_not_negative};
use crate::error::{Error, Result};
use crate::model::moordyn::{
    Attachment, Body, BodyKind, ExternalLoad, Failure, LINES, Law, Line, LineType, Loaded, Mooring, Number, Output,
    Point, PointKind, RodKind, Row, Worn, curve, working_curve,
};
use crate::model::{self, EntityKind, Frame, Id};
use crate::spatial::{Mat3, Mat6, Quat, Vec3, skew, skew_skew};
use std::path::Path;

/// MoorDyn's defaults of gravity and density of water.
const GRAVITY: f64 = 9.80665;
const DENSITY: f64 = 1025.0;

/// Properties that bodies and points need.
#[derive(Clone, Copy)]
struct World {
    gravity: f64,
    density: f64,
    water_moves: bool,
}

impl World {
    /// The buoyancy of a volume.
    fn buoyancy(&self, volume: f64) -> f64 {
        self.density * self.gravity * volume
    }
}

/// As [`Simulation::load_moordyn`] of a trusted file, for hosts of MoorDyn-C: as there, bodies that
/// the host or the file moves have no mass, inertia, volume and coefficients of their own, which
/// are the host's. Returns the names of all outputs, too: those that this library has no channels
/// for are left to the caller.
pub fn load_moordyn_for_hosts(path: &Path) -> Result<(Simulation, Vec<String>)> {
    let mut mooring = Mooring::parse(path, &files::read(path)?)?;
    for body in mooring.bodies.iter_mut().filter(|body| matches!(body.kind, BodyKind::Coupled | BodyKind::Fixed)) {
        let bare = body.bare();
        if body.mass != 0.0 || body.volume != 0.0 {
            let place = body.row.place(8);
            mooring
                .notes
                .push(format!("{place}: not needed, mass and volume of a body that the host moves are the host's"));
        }
        *body = bare;
    }
    let mut system = Simulation::load_mooring(&mooring, path, true)?;
    for output in &mooring.outputs {
        match system.load_output(output) {
            Err(Error::InFile { cause, .. }) if matches!(*cause, Error::Unsupported { .. }) => {}
            loaded => loaded?,
        }
    }
    Ok((system, mooring.outputs.into_iter().map(|output| output.name).collect()))
}

impl Simulation {
    /// A new system in phase BUILDING from an input file of MoorDyn, version 1 or 2. Errors, with
    /// file, line and word: `Io`; `Format` if it is not such a file; `Unsupported` for entries that
    /// are not modelled; `InFile` for values that a checked function refuses.
    /// [`Outputs::warning`](crate::simulation::Outputs::warning) lists entries that are ignored.
    /// Unless the host trusts the input file, `Format` too for a table in a file outside its
    /// folder.
    pub fn load_moordyn(path: &Path, is_trusted: bool) -> Result<Simulation> {
        let mooring = Mooring::parse(path, &files::read(path)?)?;
        let mut system = Simulation::load_mooring(&mooring, path, is_trusted)?;
        mooring.outputs.iter().try_for_each(|output| system.load_output(output))?;
        Ok(system)
    }

    fn load_output(&mut self, output: &Output) -> Result<()> {
        let added = self.settings().add_moordyn_channel(&output.name);
        added.map_err(|cause| output.row.refused(output.column, cause))
    }

    fn load_mooring(mooring: &Mooring, path: &Path, is_trusted: bool) -> Result<Simulation> {
        let mut system = Simulation::new();
        let mut notes = mooring.notes.clone();
        let world = system.load_world(path, is_trusted, mooring, &mut notes)?;
        for (index, body) in mooring.bodies.iter().enumerate() {
            let points = mooring.points.iter().filter(|point| point.kind == PointKind::Attached(index));
            let rods = mooring.rods.iter().filter(|rod| rod.kind == RodKind::Attached(index));
            let solids = rods.map(|rod| solid(rod, &mooring.rod_types[rod.rod_type]));
            // Quadratic damping is by velocities along axes, unlike drag in moving water.
            let is_damped = |load: &ExternalLoad| load.object == Loaded::Body(index) && load.damping[1] != [0.0; 3];
            let water_moves = world.water_moves && !mooring.external_loads.iter().any(is_damped);
            let world = World { water_moves, ..world };
            system.load_moored_body(body, &points.collect::<Vec<_>>(), solids, &world)?;
        }
        for (index, body) in mooring.bodies.iter().enumerate().filter(|(_, body)| body.kind == BodyKind::CoupledPinned)
        {
            let pinned = system.load_pin(&format!("body {}", index + 1), index as Id, &body.position);
            pinned.map_err(|cause| body.row.refused(1, cause))?;
        }
        for point in &mooring.points {
            system.load_moored_point(point, &world)?;
        }
        let ends = system.load_rods(mooring)?;
        for line_type in &mooring.types {
            system.load_line_type(path, is_trusted, line_type)?;
        }
        for line in &mooring.lines {
            system.load_line(line, &ends)?;
        }
        system.load_bending(&mooring.lines, &mooring.types, &ends)?;
        system.load_external_loads(mooring, &ends)?;
        for Worn { row, lines, largest } in &mooring.worn {
            for line in lines {
                let set = system.inputs().set_line_largest_tensions(*line as Id, &[*largest]);
                set.map_err(|cause| row.refused(row.words().len() - 2, cause))?;
            }
        }
        for failure in &mooring.failures {
            system.load_failure(failure)?;
        }
        system.model.notes = notes;
        Ok(system)
    }

    /// Gravity, water, seabed and current.
    fn load_world(
        &mut self,
        path: &Path,
        is_trusted: bool,
        mooring: &Mooring,
        notes: &mut Vec<String>,
    ) -> Result<World> {
        let options = &mooring.options;
        let value = |given: &Option<Number>, usual: f64| given.as_ref().map_or(usual, |given| given.value);
        let (gravity, density) = (value(&options.gravity, GRAVITY), value(&options.density, DENSITY));
        if let Some(given) = &options.gravity {
            check_not_negative("gravity", gravity).map_err(|cause| given.row.refused(0, cause))?;
        }
        self.settings().set_gravity(&[0.0, 0.0, -gravity])?;
        match &options.density {
            Some(given) => self.load_environment("water_density", given)?,
            None => self.settings().set_environment("water_density", DENSITY)?,
        }
        match &options.depth {
            Some(given) if given.value <= 0.0 => {
                return Err(given.row.unsupported(0, "a seabed at the mean water level or above is not supported"));
            }
            Some(given) => self.load_environment("depth", given)?,
            None if options.seafloor.is_some() => {}
            None => self.load_lowest_depth(mooring, notes)?,
        }
        if let Some(row) = &options.seafloor {
            self.load_seafloor(path, is_trusted, row, options.depth.is_some())?;
        }
        let bed = [
            ("seabed_stiffness", &options.stiffness),
            ("seabed_damping", &options.damping),
            ("seabed_friction", &options.friction),
        ];
        let has_bed = self.inputs.water.has_bed();
        for (key, given) in bed {
            match given {
                Some(given) if has_bed => self.load_environment(key, given)?,
                Some(given) => notes.push(format!("{}: not needed, there is no seabed", given.row.place(1))),
                None => {}
            }
        }
        if let Some((file, row)) = &options.current {
            self.load_current(path, *file, row)?;
        }
        if let Some((file, row)) = &options.waves {
            self.load_waves(path, *file, row)?;
        }
        let water_moves = options.current.is_some() || options.waves.is_some() || options.waves_of_host;
        Ok(World { gravity, density, water_moves })
    }

    fn load_environment(&mut self, key: &str, given: &Number) -> Result<()> {
        self.settings().set_environment(key, given.value).map_err(|cause| given.row.refused(0, cause))
    }

    /// Where no depth is given, MoorDyn takes that of the lowest point.
    fn load_lowest_depth(&mut self, mooring: &Mooring, notes: &mut Vec<String>) -> Result<()> {
        let height = |point: &&Point| point.position[2];
        let in_space = mooring.points.iter().filter(|point| !matches!(point.kind, PointKind::Attached(_)));
        let lowest = in_space.min_by(|a, b| height(a).total_cmp(&height(b))).filter(|point| height(point) < 0.0);
        if let Some(point) = lowest {
            self.settings().set_environment("depth", -point.position[2])?;
            notes.push(format!("{}: the seabed is taken to be here, as no WtrDpth is given", point.row.place(4)));
        }
        Ok(())
    }

    /// Adds a body with the points and rods on it, whose masses and volumes become part of the
    /// body.
    fn load_moored_body(
        &mut self,
        body: &Body,
        points: &[&Point],
        rods: impl Iterator<Item = Solid>,
        world: &World,
    ) -> Result<()> {
        check_not_negative("volume", body.volume).map_err(|cause| body.row.refused(Body::VOLUME, cause))?;
        let centre = Vec3::from(body.centre);
        let mut mass = body.mass;
        let mut moment = centre * mass;
        let (mut volume, mut volume_moment) = (body.volume, centre * body.volume);
        let mut inertia = Mat3::from_diagonal(&Vec3::from(body.inertia)) - skew_skew(&centre, &centre) * mass;
        let along = Vec3::from(body.added_mass) * world.density * body.volume;
        let mut added = Mat6::from_diagonal(&along.push(0.0).push(0.0).push(0.0));
        for point in points {
            let at = Vec3::from(point.position);
            mass += point.mass;
            moment += at * point.mass;
            volume += point.volume;
            volume_moment += at * point.volume;
            inertia -= skew_skew(&at, &at) * point.mass;
            added += point_mass(world.density * point.volume * point.added_mass, &at);
        }
        for rod in rods {
            mass += rod.mass;
            moment += rod.centre * rod.mass;
            inertia += rod.inertia - skew_skew(&rod.centre, &rod.centre) * rod.mass;
        }
        let com = if mass > 0.0 { moment / mass } else { Vec3::zeros() };
        let inertia = crate::spatial::inertia::entries(&inertia);
        let pose = pose(body);
        // Without masses of points and rods, the numbers of the file are kept exactly.
        let id = if mass == body.mass {
            let [x, y, z] = body.inertia;
            self.build().add_rigid_body(mass, &body.centre, &[x, y, z, 0.0, 0.0, 0.0], &pose)
        } else {
            self.build().add_body_about_reference(mass, &com.into(), &inertia, &pose)
        };
        let id = id.map_err(|cause| body.row.refused(8, cause))?;
        self.build().set_body_prescribed(id, matches!(body.kind, BodyKind::Coupled | BodyKind::Fixed))?;
        if added != Mat6::zeros() {
            self.settings()
                .set_added_mass(id, &numbers(&added), Frame::Body)
                .map_err(|cause| body.row.refused(13, cause))?;
        }
        let has_drag = body.drag != [0.0; 6];
        if has_drag || world.water_moves && (volume > 0.0 || added != Mat6::zeros()) {
            let part = InWater { volume, centre: if volume > 0.0 { volume_moment / volume } else { centre } };
            self.settings().set_body_in_water(id, Some(part)).map_err(|cause| body.row.refused(Body::VOLUME, cause))?;
        }
        if has_drag {
            let drag = Mat6::from_diagonal(&(crate::spatial::Vec6::from(body.drag) * 0.5 * world.density));
            self.settings()
                .set_quadratic_drag(id, &numbers(&drag), Frame::Body)
                .map_err(|cause| body.row.refused(Body::DRAG, cause))?;
        }
        self.load_buoyancy(body, id, world)
    }

    /// Buoyancy acts at the centre of gravity: on a marker there, whose load the host may change.
    fn load_buoyancy(&mut self, body: &Body, id: Id, world: &World) -> Result<()> {
        if body.volume == 0.0 {
            return Ok(());
        }
        let [x, y, z] = body.centre;
        let marker =
            self.build().add_marker(id, &[x, y, z, 1.0, 0.0, 0.0, 0.0]).map_err(|cause| body.row.refused(9, cause))?;
        self.build().set_name(EntityKind::Marker, marker, &format!("buoyancy of body {}", id + 1))?;
        let wrench = [0.0, 0.0, world.buoyancy(body.volume), 0.0, 0.0, 0.0];
        self.inputs()
            .set_marker_load(marker, Frame::Inertial, &wrench)
            .map_err(|cause| body.row.refused(Body::VOLUME, cause))
    }

    fn load_moored_point(&mut self, point: &Point, world: &World) -> Result<()> {
        let refused = |cause| point.row.refused(1, cause);
        let mut force = point.force;
        if let PointKind::Attached(body) = point.kind {
            if point.mass < 0.0 || point.volume < 0.0 || point.added_mass < 0.0 {
                return Err(point.row.refuse(5, "mass, volume and added mass must not be negative"));
            }
            let id = self.build().add_point(0.0, 0.0, &point.position).map_err(refused)?;
            self.build().attach_point(id, body as Id, &point.position).map_err(refused)?;
            // Its added mass is part of that of the body.
            self.build()
                .set_point_drag(id, point.drag, 0.0)
                .map_err(|cause| point.row.refused(point.drag_column, cause))?;
            force[2] += world.buoyancy(point.volume);
            return self.load_force(id, point, &force);
        }
        let id = self
            .build()
            .add_point(point.mass, point.volume, &point.position)
            .map_err(|cause| point.row.refused(5, cause))?;
        match point.kind {
            PointKind::Fixed => self.build().fix_point(id).map_err(refused)?,
            PointKind::Coupled => self.build().set_point_prescribed(id, true).map_err(refused)?,
            PointKind::Free | PointKind::Attached(_) => {}
        }
        self.build()
            .set_point_drag(id, point.drag, point.added_mass)
            .map_err(|cause| point.row.refused(point.drag_column, cause))?;
        self.load_force(id, point, &force)
    }

    fn load_force(&mut self, id: Id, point: &Point, force: &[f64; 3]) -> Result<()> {
        if *force == [0.0; 3] {
            return Ok(());
        }
        self.inputs().set_point_load(id, force).map_err(|cause| point.row.refused(7, cause))
    }

    fn load_line_type(&mut self, path: &Path, is_trusted: bool, line_type: &LineType) -> Result<()> {
        let row = &line_type.row;
        let open = |name: &str, row: &Row, column: usize| {
            if !is_trusted && files::leaves_folder(Path::new(name)) {
                let detail = "is outside the folder of this file: pintle_load_trusted_moordyn reads it";
                return Err(row.refuse(column, detail));
            }
            let path = path.with_file_name("").join(name);
            let bytes = files::read(&path).map_err(|cause| row.refused(column, cause))?;
            Ok((path, bytes))
        };
        let mut curves = None;
        let mut read = |law: &Law, column: usize| -> Result<Option<[Vec<f64>; 2]>> {
            let (path, bytes) = match law {
                Law::Number(_) => return Ok(None),
                Law::File(name) => open(name, row, column)?,
                Law::Curves(name) => {
                    let (path, bytes) = open(name, row, column)?;
                    let (original, law) = working_curve(&path, &bytes)?;
                    curves = Some(law);
                    open(original.word(0, "OWC")?, &original, 0)?
                }
            };
            curve(&path, &bytes).map(Some)
        };
        let tables = [
            (LineType::EA, "ea", read(&line_type.ea, LineType::EA)?),
            (LineType::BA, "ba", read(&line_type.ba, LineType::BA)?),
        ];
        let number = |law: &Law| match law {
            Law::Number(value) => *value,
            Law::File(_) | Law::Curves(_) => 0.0,
        };
        if line_type.ea == Law::Number(0.0) {
            return Err(row.refuse(LineType::EA, "EA: a line needs stiffness: expected more than 0"));
        }
        let described = model::LineType {
            diameter: line_type.diameter,
            mass_per_length: line_type.mass,
            ea: number(&line_type.ea),
            ba: number(&line_type.ba),
            ei: line_type.ei,
            cdn: line_type.drag[0],
            cdt: line_type.drag[1],
            can: line_type.added_mass[0],
            cat: line_type.added_mass[1],
            ..Default::default()
        };
        let id = self.elements().add_line_type(described).map_err(|cause| row.refused(0, cause))?;
        for (column, what, table) in tables {
            if let Some([x, y]) = table {
                self.elements().set_line_type_table(id, what, &x, &y).map_err(|cause| row.refused(column, cause))?;
            }
        }
        if let Some([stiffness, slope, damping]) = line_type.viscoelastic {
            let law = model::Viscoelastic { stiffness, slope, damping };
            let added = match curves {
                None => self.elements().set_line_type_viscoelastic(id, law),
                Some(curves) => self.elements().set_line_type_syrope(id, law, curves),
            };
            added.map_err(|cause| row.refused(LineType::EA, cause))?;
        }
        self.build().set_name(EntityKind::LineType, id, &line_type.name).map_err(|cause| row.refused(0, cause))
    }

    /// Adds a failure; several ends remain together on a point that is added for them.
    fn load_failure(&mut self, failure: &Failure) -> Result<()> {
        let Failure { row, ends, time, tension } = failure;
        let point = match ends[..] {
            [(line, end), _, ..] => {
                let at = self.points().position(self.model.lines[line].points[end] as Id)?;
                let point = self.build().add_point(0.0, 0.0, &at)?;
                self.build().set_name(EntityKind::Point, point, &format!("failure {}", row.words()[0]))?;
                point
            }
            _ => -1,
        };
        let (lines, ends): (Vec<Id>, Vec<i32>) = ends.iter().map(|(line, end)| (*line as Id, *end as i32)).unzip();
        let added = self.elements().set_line_failure(&lines, &ends, *time, *tension, point);
        added.map_err(|cause| row.refused(LINES, cause))
    }

    /// Adds a line.
    fn load_line(&mut self, line: &Line, rods: &[RodEnds]) -> Result<()> {
        let [a, b] = line.ends.map(|end| match end {
            Attachment::Point(point) => point as Id,
            Attachment::Rod(rod, end) => rods[rod].points[end],
        });
        self.elements()
            .add_line(line.line_type as Id, a, b, line.length, line.segments)
            .map(drop)
            .map_err(|cause| line.row.refused(line.column(cause.argument()), cause))
    }
}

/// Position, and the quaternion of angles about x, the new y, and the new z.
fn pose(body: &Body) -> [f64; 7] {
    let [x, y, z] = body.angles.map(f64::to_radians);
    let about = |axis: nalgebra::Unit<Vec3>, angle: f64| Quat::from_axis_angle(&axis, angle);
    let q = about(Vec3::x_axis(), x) * about(Vec3::y_axis(), y) * about(Vec3::z_axis(), z);
    let [px, py, pz] = body.position;
    [px, py, pz, q.w, q.i, q.j, q.k]
}

/// The inertia of a point mass about the origin.
fn point_mass(mass: f64, at: &Vec3) -> Mat6 {
    let mut m = Mat6::zeros();
    let lever = skew(at) * mass;
    m.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Mat3::identity() * mass));
    m.fixed_view_mut::<3, 3>(3, 0).copy_from(&lever);
    m.fixed_view_mut::<3, 3>(0, 3).copy_from(&lever.transpose());
    m.fixed_view_mut::<3, 3>(3, 3).copy_from(&(skew_skew(at, at) * -mass));
    m
}
