//! Frames for ParaView: a .vtp of everything at each time, and the .pvd that lists them.
//!
//! Everything is in the inertial frame. The number at `part` tells bodies, joints, points, springs,
//! lines, shapes and tendons apart. Shapes are the surfaces that pages of `pintle view` have, too; a body
//! has its reference point and spokes to joints, springs, bushings, markers and points on it
//! besides.

use crate::failure::{Failure, Outcome};
use crate::view::{Scene, Surface};
use crate::vtp::PolyData;
use crate::whole_file::WholeFile;
use pintle::spatial::{Pose, Vec3, rotation};
use pintle::{EntityKind, Frame, GROUND, Id, Result, Simulation, Tendons};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The frames written so far.
pub struct Frames {
    folder: PathBuf,
    stem: String,
    /// Ends of spokes, in body axes.
    spokes: Vec<(Id, [f64; 3])>,
    /// Surfaces, in body axes.
    shapes: Vec<(Id, Surface)>,
    /// The entries of the .pvd.
    listed: String,
    count: usize,
}

/// How a part of a frame is drawn.
type Draw = fn(&Frames, &Simulation) -> Result<PolyData>;

/// The parts of a frame, in the order of their numbers.
const PARTS: [Draw; 7] = [
    Frames::bodies,
    |_, system| joints(system),
    |_, system| points(system),
    |_, system| springs(system),
    |_, system| lines(system),
    Frames::shapes,
    |_, system| tendons(system),
];

impl Frames {
    /// Errors: the folder cannot be made.
    pub fn new(folder: &Path, stem: &str, system: &Simulation, scene: &Scene) -> Outcome<Frames> {
        std::fs::create_dir_all(folder).map_err(|error| Failure::output(folder.display(), &error))?;
        let spokes = spokes(system).map_err(Failure::of_run)?;
        let shapes = scene.parts.iter().filter_map(|part| Some((part.body, Surface::of(&part.solid)?))).collect();
        Ok(Frames { folder: folder.to_owned(), stem: stem.to_owned(), spokes, shapes, listed: String::new(), count: 0 })
    }

    /// Writes the present state. Errors: it cannot be written.
    pub fn add(&mut self, system: &Simulation) -> Outcome {
        let time = system.time().map_err(Failure::of_run)?;
        let parts: Result<Vec<PolyData>> = PARTS.iter().map(|draw| draw(self, system)).collect();
        let drawn = PolyData::merged(parts.map_err(Failure::of_run)?);
        let file = format!("{}_{:06}.vtp", self.stem, self.count);
        WholeFile::write_all(&self.folder.join(&file), drawn.text().as_bytes())?;
        let file = file.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
        // Writing to a string does not fail.
        let _ = writeln!(self.listed, "<DataSet timestep=\"{time:?}\" file=\"{file}\"/>");
        self.count += 1;
        Ok(())
    }

    /// Writes the .pvd. Errors: it cannot be written.
    pub fn finish(self) -> Outcome {
        let text = format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n\
             <Collection>\n{}</Collection>\n</VTKFile>\n",
            self.listed
        );
        WholeFile::write_all(&self.folder.join(format!("{}.pvd", self.stem)), text.as_bytes())
    }

    /// Reference points, then spokes.
    fn bodies(&self, system: &Simulation) -> Result<PolyData> {
        let mut drawn = PolyData::default();
        for body in 0..system.description().count(EntityKind::Body) {
            let pose = system.outputs().body_pose(body)?;
            let point = drawn.point([pose[0], pose[1], pose[2]]);
            drawn.vertex(point);
            drawn.id_at_cell("body", body);
            self.motion(&mut drawn, system, body, &[0.0; 3])?;
        }
        for (body, place) in &self.spokes {
            let pose = Pose::from_array("pose", &system.outputs().body_pose(*body)?)?;
            let end = drawn.point((pose.position + pose.matrix() * Vec3::from(*place)).into());
            drawn.line([*body as usize, end]);
            drawn.id_at_cell("body", *body);
            self.motion(&mut drawn, system, *body, place)?;
        }
        Ok(drawn)
    }

    /// Surfaces of bodies, and of the ground.
    fn shapes(&self, system: &Simulation) -> Result<PolyData> {
        let mut drawn = PolyData::default();
        for (body, Surface { corners, triangles }) in &self.shapes {
            let pose = match *body {
                GROUND => Pose::identity(),
                body => Pose::from_array("pose", &system.outputs().body_pose(body)?)?,
            };
            let (axes, first) = (pose.matrix(), drawn.points());
            for corner in corners {
                drawn.point((pose.position + axes * Vec3::from(*corner)).into());
                drawn.id_at_point("body", *body);
            }
            for corners in triangles {
                drawn.triangle(corners.map(|corner| first + corner));
                drawn.id_at_cell("body", *body);
            }
        }
        Ok(drawn)
    }

    /// The motion of a place on a body, and the axes of the body.
    fn motion(&self, drawn: &mut PolyData, system: &Simulation, body: Id, place: &[f64; 3]) -> Result<()> {
        let pose = system.outputs().body_pose(body)?;
        let axes = Pose::from_array("pose", &pose)?.matrix();
        let v = system.outputs().body_velocity(body, Frame::Inertial)?;
        let (linear, omega) = (Vec3::new(v[0], v[1], v[2]), Vec3::new(v[3], v[4], v[5]));
        let velocity = linear + omega.cross(&(axes * Vec3::from(*place)));
        drawn.id_at_point("body", body);
        drawn.at_point("velocity", velocity.as_slice());
        drawn.at_point("omega", omega.as_slice());
        drawn.at_point("quaternion", &pose[3..]);
        for (k, name) in ["axis_x", "axis_y", "axis_z"].into_iter().enumerate() {
            drawn.at_point(name, axes.column(k).as_slice());
        }
        Ok(())
    }
}

/// All places on bodies with an entity, except their reference points; each once.
fn spokes(system: &Simulation) -> Result<Vec<(Id, [f64; 3])>> {
    let (description, mut places) = (system.description(), Vec::new());
    let of_pose = |pose: &[f64; 7]| [pose[0], pose[1], pose[2]];
    for joint in 0..system.description().count(EntityKind::Joint) {
        let info = description.joint_info(joint)?;
        places.extend((0..2).map(|k| (info.bodies[k], of_pose(&info.frames[k]))));
    }
    for spring in 0..system.description().count(EntityKind::Spring) {
        let (info, points) = (description.spring_info(spring)?, description.spring_points(spring)?);
        places.extend((0..2).filter(|k| points[*k].is_none()).map(|k| (info.bodies[k], info.points[k])));
    }
    for bushing in 0..system.description().count(EntityKind::Bushing) {
        let info = description.bushing_info(bushing)?;
        places.extend((0..2).map(|k| (info.bodies[k], of_pose(&info.frames[k]))));
    }
    for marker in 0..system.description().count(EntityKind::Marker) {
        let (body, frame) = description.marker_info(marker)?;
        places.push((body, of_pose(&frame)));
    }
    for point in 0..system.description().count(EntityKind::Point) {
        let info = system.description().point_info(point)?;
        places.extend(info.body.map(|body| (body, info.position)));
    }
    let mut seen = BTreeSet::new();
    places
        .retain(|(body, place)| *body != GROUND && *place != [0.0; 3] && seen.insert((*body, place.map(f64::to_bits))));
    Ok(places)
}

/// The position of a place of a body, or of the ground.
fn located(system: &Simulation, body: Id, place: &[f64; 3]) -> Result<[f64; 3]> {
    if body == GROUND {
        return Ok(*place);
    }
    let pose = Pose::from_array("pose", &system.outputs().body_pose(body)?)?;
    Ok((pose.position + pose.matrix() * Vec3::from(*place)).into())
}

/// Origins of the joints' frames on b, with their z axes and the reaction of a on b.
fn joints(system: &Simulation) -> Result<PolyData> {
    let mut drawn = PolyData::default();
    for joint in 0..system.description().count(EntityKind::Joint) {
        let info = system.description().joint_info(joint)?;
        let frame = Pose::from_array("frame", &info.frames[1])?;
        let outer = match info.bodies[1] {
            GROUND => Pose::identity(),
            body => Pose::from_array("pose", &system.outputs().body_pose(body)?)?,
        };
        let placed = outer.compose(&frame);
        let point = drawn.point(placed.position.into());
        drawn.vertex(point);
        let wrench = system.outputs().joint_reaction(joint, Frame::Inertial)?;
        drawn.id_at_point("joint", joint);
        drawn.at_point("axis_z", rotation::matrix(&placed.rotation).column(2).as_slice());
        drawn.at_point("force", &wrench[..3]);
        drawn.at_point("moment", &wrench[3..]);
    }
    Ok(drawn)
}

fn points(system: &Simulation) -> Result<PolyData> {
    let mut drawn = PolyData::default();
    for id in 0..system.description().count(EntityKind::Point) {
        let point = drawn.point(system.points().position(id)?);
        drawn.vertex(point);
        drawn.id_at_point("point", id);
        drawn.at_point("velocity", &system.points().velocity(id)?);
        // Points that are neither fixed nor prescribed have zero.
        drawn.at_point("reaction", &system.points().reaction(id).unwrap_or_default());
    }
    Ok(drawn)
}

fn springs(system: &Simulation) -> Result<PolyData> {
    let (description, mut drawn) = (system.description(), PolyData::default());
    for spring in 0..system.description().count(EntityKind::Spring) {
        let (info, points) = (description.spring_info(spring)?, description.spring_points(spring)?);
        let end = |k: usize| match points[k] {
            Some(point) => system.points().position(point),
            None => located(system, info.bodies[k], &info.points[k]),
        };
        let ends = [drawn.point(end(0)?), drawn.point(end(1)?)];
        drawn.line(ends);
        let (length, tension) = system.outputs().spring_force(spring)?;
        drawn.id_at_cell("spring", spring);
        drawn.at_cell("tension", tension);
        drawn.at_cell("length", length);
    }
    Ok(drawn)
}

/// A cell for each straight part, and several for each arc on a sheave.
fn tendons(system: &Simulation) -> Result<PolyData> {
    let mut drawn = PolyData::default();
    for tendon in 0..system.description().count(EntityKind::Tendon) {
        let (length, tension) = Tendons::of(system).force(tendon)?;
        let places = Tendons::of(system).places(tendon)?;
        let nodes: Vec<usize> = places.into_iter().map(|place| drawn.point(place)).collect();
        for ends in nodes.windows(2) {
            drawn.line([ends[0], ends[1]]);
            drawn.id_at_cell("tendon", tendon);
            drawn.at_cell("tension", tension);
            drawn.at_cell("length", length);
        }
    }
    Ok(drawn)
}

/// A cell for each segment.
fn lines(system: &Simulation) -> Result<PolyData> {
    let mut drawn = PolyData::default();
    for line in 0..system.description().count(EntityKind::Line) {
        let segments = system.description().line_info(line)?.segments;
        let (mut positions, mut velocities) = (vec![[0.0; 3]; segments + 1], vec![[0.0; 3]; segments + 1]);
        let mut tensions = vec![0.0; segments];
        system.lines().positions(line, &mut positions)?;
        system.lines().velocities(line, &mut velocities)?;
        system.lines().tensions(line, &mut tensions)?;
        let mut nodes = Vec::with_capacity(segments + 1);
        for (position, velocity) in positions.iter().zip(&velocities) {
            nodes.push(drawn.point(*position));
            drawn.at_point("velocity", velocity);
        }
        for (ends, tension) in nodes.windows(2).zip(&tensions) {
            drawn.line([ends[0], ends[1]]);
            drawn.id_at_cell("line", line);
            drawn.at_cell("tension", *tension);
        }
    }
    Ok(drawn)
}
