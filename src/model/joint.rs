//! A joint: kind, the two bodies, the joint frames on them, and springs on its coordinate and
//! slide.

use super::JointKind;
use crate::elements::Curve;
use crate::elements::coordinate_spring::CoordinateSpring;
use crate::elements::machine::Machine;
use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::Pose;
use crate::spatial::pose::check_finite;

/// A spring with damper on a joint's coordinate: generalized force `-k (q - rest) - c qdot`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointSpring {
    /// k.
    pub stiffness: f64,
    /// c.
    pub damping: f64,
    /// q without force.
    pub rest: f64,
}

/// A joint as described; None is the ground.
#[derive(Debug, Clone)]
pub struct Joint {
    /// Its kind.
    pub kind: JointKind,
    /// First body.
    pub body_a: Option<usize>,
    /// Second body.
    pub body_b: Option<usize>,
    /// Joint frame in the axes of the first body.
    pub frame_a: Pose,
    /// Joint frame in the axes of the second body.
    pub frame_b: Pose,
    /// Initial distance of the origins, which DISTANCE keeps.
    pub distance: f64,
    /// Displacement per turn of SCREW; zero until it is set.
    pub pitch: f64,
    /// Radius of the disc of ROLLING; zero until it is set.
    pub radius: f64,
    /// Whether the coordinate is imposed by the host.
    pub driven: bool,
    /// On the coordinate.
    pub spring: Option<JointSpring>,
    /// The coordinate at coincident joint frames.
    pub offset: f64,
    /// Whether the slide of CYLINDRICAL is imposed by the host.
    pub slide_driven: bool,
    /// On the slide of CYLINDRICAL.
    pub slide_spring: Option<JointSpring>,
    /// Coordinates and forces of springs with tables on the coordinate, and on the slide of
    /// CYLINDRICAL, in rising order; empty without one.
    pub spring_tables: [Vec<[f64; 2]>; 2],
    /// Rates and forces of dampers on the coordinate, and on the slide of CYLINDRICAL, in rising
    /// order and without the origin, which belongs to all; empty without a damper.
    pub dampers: [Vec<[f64; 2]>; 2],
    /// Friction and stops on the coordinate, and on the slide of CYLINDRICAL.
    pub machines: [Machine; 2],
    /// Norms of force and moment of its reaction at which it breaks; infinite: never.
    pub strength: [f64; 2],
    /// Whether it is broken in a run: it holds nothing, and forces on its coordinate act no more.
    pub is_broken: bool,
}

impl JointSpring {
    /// Stiffness, damping and rest.
    pub fn numbers(&self) -> [f64; 3] {
        [self.stiffness, self.damping, self.rest]
    }

    /// From these.
    pub fn from_numbers([stiffness, damping, rest]: [f64; 3]) -> JointSpring {
        JointSpring { stiffness, damping, rest }
    }
}

impl Joint {
    /// Its springs, that on the coordinate before that on the slide.
    pub fn springs(&self) -> impl Iterator<Item = &JointSpring> {
        self.spring.iter().chain(&self.slide_spring)
    }

    /// Whether its coordinate, and its slide, are imposed by the host.
    pub fn drives(&self) -> [bool; 2] {
        [self.driven, self.slide_driven]
    }

    /// What constraints and events of a model depend on, and may change in a run: whether
    /// coordinate and slide are imposed, whether it is broken, and its strength.
    pub fn holds(&self) -> ([bool; 2], bool, [f64; 2]) {
        (self.drives(), self.is_broken, self.strength)
    }

    /// Whether springs or dampers act on its coordinate or slide.
    pub fn has_springs(&self) -> bool {
        self.springs().next().is_some() || self.has_tables()
    }

    /// Points of a table by its place: 0 the spring, 1 the damper on the coordinate, 2 and 3 those
    /// on the slide.
    pub fn table(&self, place: usize) -> &[[f64; 2]] {
        &[&self.spring_tables, &self.dampers][place % 2][place / 2]
    }

    /// The same to be changed.
    pub fn table_mut(&mut self, place: usize) -> &mut Vec<[f64; 2]> {
        &mut [&mut self.spring_tables, &mut self.dampers][place % 2][place / 2]
    }

    /// Whether springs or dampers with tables do.
    pub fn has_tables(&self) -> bool {
        self.spring_tables.iter().chain(&self.dampers).any(|points| !points.is_empty())
    }

    /// A joint without springs, drives and offset.
    pub fn new(kind: JointKind, body_a: Option<usize>, body_b: Option<usize>, frame_a: Pose, frame_b: Pose) -> Joint {
        Joint {
            kind,
            body_a,
            body_b,
            frame_a,
            frame_b,
            distance: 0.0,
            pitch: 0.0,
            radius: 0.0,
            driven: false,
            spring: None,
            offset: 0.0,
            slide_driven: false,
            slide_spring: None,
            spring_tables: [Vec::new(), Vec::new()],
            dampers: [Vec::new(), Vec::new()],
            machines: [Machine::default(); 2],
            strength: [f64::INFINITY; 2],
            is_broken: false,
        }
    }
}

/// Adds a point to a table, in rising order of x, whose y may not fall with x; `origin`: points
/// that belong to it besides. Errors name the x or the y by its argument.
pub fn add_point(
    points: &mut Vec<[f64; 2]>,
    [x, y]: [f64; 2],
    [of_x, of_y]: [&'static str; 2],
    origin: &[[f64; 2]],
) -> Result<()> {
    check_finite(of_x, &[x])?;
    check_finite(of_y, &[y])?;
    let others = || points.iter().chain(origin);
    if others().any(|point| point[0] == x) {
        let why = if origin.is_empty() { "" } else { ": every table goes through 0 at rest" };
        return Err(Error::bad_value(of_x, format!("{} has a {of_y}{why}", Number(x))));
    }
    // Between the forces of the neighbours.
    let low = others().filter(|point| point[0] < x).map(|point| point[1]).fold(f64::NEG_INFINITY, f64::max);
    let high = others().filter(|point| point[0] > x).map(|point| point[1]).fold(f64::INFINITY, f64::min);
    if y < low || y > high {
        let [x, y, low, high] = [x, y, low, high].map(Number);
        let detail = format!("{y} at {of_x} {x} is not in {low} to {high}: forces must not fall with the {of_x}");
        return Err(Error::bad_value(of_y, detail));
    }
    let place = points.partition_point(|point| point[0] < x);
    points.insert(place, [x, y]);
    let is_table = if origin.is_empty() { CoordinateSpring::new(points).is_ok() } else { damper_curve(points).is_ok() };
    if !is_table {
        points.remove(place);
        return Err(Error::bad_value(of_y, format!("the slope at {} is too large for a double", Number(y))));
    }
    Ok(())
}

/// The force of a damper over the rate, against which it acts: through the origin and the points,
/// and where these are all on one side, through what mirrors them. Errors: as of a table.
pub fn damper_curve(points: &[[f64; 2]]) -> Result<Curve> {
    let is_one_sided = points.iter().all(|[rate, _]| *rate > 0.0) || points.iter().all(|[rate, _]| *rate < 0.0);
    let mirrored = points.iter().map(|[rate, force]| [-rate, -force]).filter(|_| is_one_sided);
    let mut all: Vec<[f64; 2]> = points.iter().copied().chain(mirrored).chain([[0.0; 2]]).collect();
    all.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let column = |k: usize| all.iter().map(|point| point[k]).collect();
    Curve::through(["lengths", "forces"], column(0), column(1))
}
