//! The parts of a model that are drawn, collected before the run: solids on bodies and on the
//! ground, beams, and strands, which are lines, springs, tendons and points.

use super::beams::{Beam, beams, is_bare};
use super::json;
use super::solid::{Part, Solid};
use crate::failure::{Failure, Outcome};
use pintle::spatial::{Mat3, Pose, Quat, RigidInertia, Vec3};
use pintle::{EntityKind, GROUND, Id, Result, Simulation, Tendons};
use std::collections::BTreeSet;

/// Most components of waves on a page: with more of them, a browser on a phone falls behind.
const MOST_WAVES: usize = 100;

/// The parts of a model.
pub struct Scene {
    /// The names of the bodies.
    pub bodies: Vec<String>,
    pub parts: Vec<Part>,
    pub beams: Vec<Beam>,
    pub strands: Vec<Strand>,
    /// The direction against gravity, +z without gravity.
    pub up: [f64; 3],
    /// Whether there is water, with its surface at z = 0 but for waves.
    pub has_water: bool,
    pub waves: Option<Sea>,
    /// The depth of the seabed, if there is one.
    pub depth: Option<f64>,
}

/// Waves, from whose components the page computes the elevation of the water at any place and time.
pub struct Sea {
    /// Amplitude, angular frequency, heading and phase: at most [`MOST_WAVES`], the largest.
    pub components: Vec<[f64; 4]>,
    pub gravity: f64,
    /// The time over which they grow from nothing; 0: they have always been there.
    pub ramp: f64,
}

/// A line, a spring, a tendon or a point: a polygon of nodes, with a tension for each segment.
pub struct Strand {
    pub name: String,
    pub kind: StrandKind,
}

/// Where its nodes and tensions come from.
pub enum StrandKind {
    /// A line, with its number of segments.
    Line(Id, usize),
    /// A spring, with both ends.
    Spring(Id, [End; 2]),
    /// A tendon, with its number of straight parts, of which several make an arc.
    Tendon(Id, usize),
    /// A point, which has no segment.
    Point(Id),
}

/// An end of a spring.
#[derive(Clone, Copy)]
pub enum End {
    Point(Id),
    /// A place in the axes of a body, or of the ground.
    Place(Id, [f64; 3]),
}

impl Strand {
    pub fn is_line(&self) -> bool {
        matches!(self.kind, StrandKind::Line(..))
    }

    /// The number of segments.
    pub fn segments(&self) -> usize {
        match self.kind {
            StrandKind::Line(_, segments) | StrandKind::Tendon(_, segments) => segments,
            StrandKind::Spring(..) => 1,
            StrandKind::Point(_) => 0,
        }
    }
}

impl Scene {
    /// The parts of a model, with its shapes. Errors: of the library.
    pub fn of(system: &Simulation, shapes: Vec<Part>) -> Outcome<Scene> {
        collect(system, shapes).map_err(Failure::of_run)
    }

    /// What the page reads.
    pub fn json(&self) -> String {
        let strand =
            |strand: &Strand| format!("{{\"name\":{},\"segments\":{}}}", json::string(&strand.name), strand.segments());
        format!(
            "\"up\":{},\"hasWater\":{},\"waves\":{},\"depth\":{},\"bodies\":{},\"parts\":{},\"beams\":{},\"strands\":{}",
            json::numbers(&self.up),
            self.has_water,
            self.waves.as_ref().map_or("null".into(), Sea::json),
            self.depth.map_or("null".into(), |depth| format!("{depth:?}")),
            json::array(self.bodies.iter().map(|name| json::string(name))),
            json::array(self.parts.iter().map(Part::json)),
            json::array(self.beams.iter().map(Beam::json)),
            json::array(self.strands.iter().map(strand))
        )
    }
}

impl Sea {
    /// The waves of a model; None without waves. Errors: of the library.
    fn of(system: &Simulation) -> Result<Option<Sea>> {
        let mut components: Vec<[f64; 4]> = system.given().waves().iter().map(|wave| wave.numbers()).collect();
        components.sort_by(|a, b| b[0].total_cmp(&a[0]));
        components.truncate(MOST_WAVES);
        let gravity = Vec3::from(system.description().gravity()).norm();
        let ramp = system.given().environment_value("wave_ramp")?;
        let has_waves = gravity > 0.0 && components.first().is_some_and(|largest| largest[0] > 0.0);
        Ok(has_waves.then_some(Sea { components, gravity, ramp }))
    }

    fn json(&self) -> String {
        let components = json::array(self.components.iter().map(|numbers| json::numbers(numbers)));
        format!("{{\"components\":{components},\"gravity\":{:?},\"ramp\":{:?}}}", self.gravity, self.ramp)
    }
}

fn collect(system: &Simulation, shapes: Vec<Part>) -> Result<Scene> {
    let (description, given) = (system.description(), system.given());
    let (strands, beams) = (strands(system)?, beams(system)?);
    let nodes: BTreeSet<Id> = beams.iter().flat_map(Beam::bodies).collect();
    let mut parts = shapes;
    parts.extend(cylinders(system)?);
    let shaped: BTreeSet<Id> = parts.iter().map(|part| part.body).collect();
    for (body, places) in (0..).zip(places(system, &strands)?) {
        // A node without mass of its own looks as its beam does.
        let is_drawn = shaped.contains(&body) || nodes.contains(&body) && is_bare(system, body)?;
        if !is_drawn {
            parts.extend(inertia_box(system, body, &places)?);
        }
    }
    parts.extend(joints(system)?);
    let gravity = Vec3::from(description.gravity());
    let up = if gravity == Vec3::zeros() { Vec3::z() } else { -gravity.normalize() };
    let depth = given.environment_value("depth")?;
    let bodies = 0..description.count(EntityKind::Body);
    Ok(Scene {
        bodies: bodies.map(|body| description.name(EntityKind::Body, body)).collect::<Result<_>>()?,
        parts,
        beams,
        strands,
        up: up.into(),
        waves: Sea::of(system)?,
        has_water: given.environment_value("water_density")? > 0.0,
        depth: (depth > 0.0).then_some(depth),
    })
}

/// Cylinders in water.
fn cylinders(system: &Simulation) -> Result<Vec<Part>> {
    let solid = |cylinder| {
        let info = system.given().cylinder_info(cylinder)?;
        let name = system.description().name(EntityKind::Cylinder, cylinder)?;
        let solid = Solid::Cylinder { ends: info.ends, diameter: info.diameter };
        Ok(Part { body: info.body, name, colour: None, solid })
    };
    (0..system.description().count(EntityKind::Cylinder)).map(solid).collect()
}

/// A body without shapes: the homogeneous box of its mass and inertia, and rods from its centre of
/// mass to `places` on it.
fn inertia_box(system: &Simulation, body: Id, places: &[[f64; 3]]) -> Result<Vec<Part>> {
    let inertia = RigidInertia::from_matrix(&system.description().body_mass(body)?)?;
    let (centre, size, axes) = match inertia.mass > 0.0 {
        true => {
            let principal = inertia.about_com().symmetric_eigen();
            let moments = principal.eigenvalues / inertia.mass;
            // Ix = m (ly^2 + lz^2)/12, so that lx^2 = 6 (Iy + Iz - Ix)/m, below 0 by rounding only.
            let edge = |k: usize| (6.0 * (moments.sum() - 2.0 * moments[k])).max(0.0).sqrt();
            (inertia.eta, [edge(0), edge(1), edge(2)], right_handed(principal.eigenvectors))
        }
        false => (Vec3::zeros(), [0.0; 3], Mat3::identity()),
    };
    let frame = Pose { position: centre, rotation: Quat::from_matrix(&axes) }.to_array();
    let name = system.description().name(EntityKind::Body, body)?;
    let away = places.iter().filter(|place| Vec3::from(**place) != centre);
    let rods = away.map(|place| Solid::Rod { ends: [centre.into(), *place] });
    let solids = [Solid::Box { frame, size }].into_iter().chain(rods);
    Ok(solids.map(|solid| Part { body, name: name.clone(), colour: None, solid }).collect())
}

/// Principal axes as a rotation.
fn right_handed(mut axes: Mat3) -> Mat3 {
    if axes.determinant() < 0.0 {
        axes.column_mut(2).neg_mut();
    }
    axes
}

/// For each body the places at which joints, springs and lines hold it.
fn places(system: &Simulation, strands: &[Strand]) -> Result<Vec<Vec<[f64; 3]>>> {
    let description = system.description();
    let mut places = vec![Vec::new(); description.count(EntityKind::Body) as usize];
    let mut add = |body: Id, place| {
        if body != GROUND {
            places[body as usize].push(place);
        }
    };
    for joint in 0..description.count(EntityKind::Joint) {
        let info = description.joint_info(joint)?;
        (0..2).for_each(|k| add(info.bodies[k], origin(&info.frames[k])));
    }
    for strand in strands {
        if let StrandKind::Spring(_, ends) = &strand.kind {
            for end in ends {
                if let End::Place(body, place) = *end {
                    add(body, place);
                }
            }
        }
    }
    for point in 0..description.count(EntityKind::Point) {
        let info = description.point_info(point)?;
        add(info.body.unwrap_or(GROUND), info.position);
    }
    Ok(places)
}

fn origin(frame: &[f64; 7]) -> [f64; 3] {
    [frame[0], frame[1], frame[2]]
}

/// Joints, at their frames on body b.
fn joints(system: &Simulation) -> Result<Vec<Part>> {
    let solid = |joint| {
        let info = system.description().joint_info(joint)?;
        let name = system.description().name(EntityKind::Joint, joint)?;
        let solid = Solid::Joint { frame: info.frames[1], has_axis: info.kind.has_axis() };
        Ok(Part { body: info.bodies[1], name, colour: None, solid })
    };
    (0..system.description().count(EntityKind::Joint)).map(solid).collect()
}

fn strands(system: &Simulation) -> Result<Vec<Strand>> {
    let description = system.description();
    let mut strands = Vec::new();
    for line in 0..description.count(EntityKind::Line) {
        let kind = StrandKind::Line(line, description.line_info(line)?.segments);
        strands.push(Strand { name: description.name(EntityKind::Line, line)?, kind });
    }
    for spring in 0..description.count(EntityKind::Spring) {
        let (info, points) = (description.spring_info(spring)?, description.spring_points(spring)?);
        let end = |k: usize| points[k].map_or(End::Place(info.bodies[k], info.points[k]), End::Point);
        let kind = StrandKind::Spring(spring, [end(0), end(1)]);
        strands.push(Strand { name: description.name(EntityKind::Spring, spring)?, kind });
    }
    for tendon in 0..description.count(EntityKind::Tendon) {
        let kind = StrandKind::Tendon(tendon, Tendons::of(system).place_count(tendon)? - 1);
        strands.push(Strand { name: description.name(EntityKind::Tendon, tendon)?, kind });
    }
    for point in 0..description.count(EntityKind::Point) {
        // Points on bodies are ends of rods or places on shapes.
        if description.point_info(point)?.body.is_none() {
            strands.push(Strand { name: description.name(EntityKind::Point, point)?, kind: StrandKind::Point(point) });
        }
    }
    Ok(strands)
}

/// The nodes and the tensions of a strand at the present state, added to both lists.
pub fn read_strand(
    system: &Simulation,
    strand: &Strand,
    nodes: &mut Vec<[f64; 3]>,
    tensions: &mut Vec<f64>,
) -> Result<()> {
    let (first, segment) = (nodes.len(), tensions.len());
    nodes.resize(first + strand.segments() + 1, [0.0; 3]);
    tensions.resize(segment + strand.segments(), 0.0);
    match &strand.kind {
        StrandKind::Line(line, _) => {
            system.lines().positions(*line, &mut nodes[first..])?;
            system.lines().tensions(*line, &mut tensions[segment..])
        }
        StrandKind::Tendon(tendon, _) => {
            nodes[first..].copy_from_slice(&Tendons::of(system).places(*tendon)?);
            tensions[segment..].fill(Tendons::of(system).force(*tendon)?.1);
            Ok(())
        }
        StrandKind::Point(point) => {
            nodes[first] = system.points().position(*point)?;
            Ok(())
        }
        StrandKind::Spring(spring, ends) => {
            for (node, end) in nodes[first..].iter_mut().zip(ends) {
                *node = match *end {
                    End::Point(point) => system.points().position(point)?,
                    End::Place(GROUND, place) => place,
                    End::Place(body, place) => {
                        let pose = Pose::from_array("pose", &system.outputs().body_pose(body)?)?;
                        (pose.position + pose.matrix() * Vec3::from(place)).into()
                    }
                };
            }
            tensions[segment] = system.outputs().spring_force(*spring)?.1;
            Ok(())
        }
    }
}
