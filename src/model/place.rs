//! The points that are integrated: bodies move about their centres of mass, and positions are
//! measured from a point near the model.
//!
//! The host describes bodies about reference points of its choice, in coordinates of its choice.
//! Equations about the centre of mass conserve momentum for any choice, and positions near zero
//! keep their digits: a gap of a joint at 1e6 m is known to 1e-10 m only. So the description is
//! transformed once, and states are transformed back where the host reads them.

use super::{Body, Joint, Marker, Model, Names, Point};
use crate::elements::{Attachment, End};
use crate::spatial::{BodyState, Pose, RigidInertia, Vec3};

/// A model nearer to zero than so many of its lengths is not moved: it loses two digits at most.
const FAR: f64 = 100.0;

impl Model {
    /// The same model about its integrated points, which `origin` and the `reference` of its bodies
    /// identify. Bodies with imposed motion keep their reference points, as do all others if
    /// `about_reference_points`.
    pub fn placed(&self, about_reference_points: bool) -> Model {
        let centred = self.placed_from(&Vec3::zeros(), about_reference_points);
        let middle = centred.middle();
        match middle == Vec3::zeros() {
            true => centred,
            false => self.placed_from(&middle, about_reference_points),
        }
    }

    /// The same about an origin that is given.
    pub fn placed_from(&self, origin: &Vec3, about_reference_points: bool) -> Model {
        let centre = |body: &Body| {
            let stays = about_reference_points || body.prescribed;
            if stays { Vec3::zeros() } else { body.centre() }
        };
        self.about(origin, centre)
    }

    /// The same model about its reference points, positions measured from `origin`.
    pub fn measured_from(&self, origin: &Vec3) -> Model {
        self.about(origin, |_| Vec3::zeros())
    }

    /// The model with bodies about the points at `centre` (body axes) from the present ones,
    /// positions from `origin`.
    fn about(&self, origin: &Vec3, centre: impl Fn(&Body) -> Vec3) -> Model {
        let shift = |body: Option<usize>| body.map_or(*origin, |index| centre(&self.bodies[index]));
        let frame = |body, frame: &Pose| Pose { position: frame.position - shift(body), ..*frame };
        let joint = |joint: &Joint| {
            let (frame_a, frame_b) = (frame(joint.body_a, &joint.frame_a), frame(joint.body_b, &joint.frame_b));
            Joint { frame_a, frame_b, ..joint.clone() }
        };
        let mut elements = self.elements.clone();
        for end in elements.iter_mut().flat_map(|element| element.nodes_mut()) {
            match end.to {
                // Positions of points are moved below.
                End::Point(_) => {}
                End::Ground | End::Body(_) => end.at -= shift(end.to.body()),
            }
        }
        let point = |point: &Point| {
            // Positions of free and fixed points are in the coordinates of the ground.
            Point { position: point.position - shift(point.body()), ..point.clone() }
        };
        let marker = |marker: &Marker| Marker { frame: frame(Some(marker.body), &marker.frame), ..marker.clone() };
        Model {
            gravity: self.gravity,
            bodies: self.bodies.iter().map(|body| moved(body, origin, &centre(body))).collect(),
            joints: self.joints.iter().map(joint).collect(),
            elements,
            markers: self.markers.iter().map(marker).collect(),
            points: self.points.iter().map(point).collect(),
            gears: self.gears.clone(),
            clutches: self.clutches.clone(),
            line_types: self.line_types.clone(),
            lines: self.lines.clone(),
            line_joints: self.line_joints.clone(),
            line_failures: self.line_failures.clone(),
            // Their elements are placed above.
            beams: Vec::new(),
            names: Names::default(),
            origin: self.origin + origin,
            callbacks: self.callbacks,
            openfast_platform: self.openfast_platform,
            outputs: self.outputs.clone(),
            shapes: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The mean of the initial positions in those directions in which the model is far from zero,
    /// zero in the others.
    fn middle(&self) -> Vec3 {
        // Points count if there are no bodies.
        let places: Vec<Vec3> = match self.bodies.is_empty() {
            true => self.points.iter().map(|point| point.position).collect(),
            false => self.bodies.iter().map(|body| body.pose.position).collect(),
        };
        let parts = places.len().max(1) as f64;
        let mean = places.iter().fold(Vec3::zeros(), |sum, place| sum + place / parts);
        let bodies = self.bodies.iter().map(|body| {
            let RigidInertia { mass, inertia, .. } = &body.inertia;
            let gyration = if *mass > 0.0 { (inertia.trace() / mass).sqrt() } else { 0.0 };
            (body.pose.position - mean).amax().max(gyration)
        });
        let on_body = |body: Option<usize>, point: &Vec3| body.map_or(0.0, |_| point.amax());
        let joints = self.joints.iter().flat_map(|joint| {
            [on_body(joint.body_a, &joint.frame_a.position), on_body(joint.body_b, &joint.frame_b.position)]
        });
        let points = self.points.iter().map(|point| match point.body() {
            Some(_) => point.position.amax(),
            None => (point.position - mean).amax(),
        });
        let ends = self.elements.iter().flat_map(|element| element.nodes());
        let ends = ends.map(|end: &Attachment| on_body(end.to.body(), &end.at));
        let extent = bodies.chain(points).chain(joints).chain(ends).fold(0.0, f64::max);
        let limit = FAR * if extent > 0.0 { extent } else { 1.0 };
        mean.map(|x| if x.abs() > limit { x } else { 0.0 })
    }
}

/// A body about the point at `centre` (body axes) from its present one, its position from `origin`.
fn moved(body: &Body, origin: &Vec3, centre: &Vec3) -> Body {
    let Body { pose, velocity, acceleration, .. } = *body;
    let given = BodyState { x: pose.position - origin, q: pose.rotation, v: velocity, vdot: acceleration };
    let state = given.at(centre);
    Body {
        inertia: body.inertia.about(centre),
        pose: state.pose(),
        velocity: state.v,
        acceleration: state.vdot,
        prescribed: body.prescribed,
        in_water: body.in_water,
        centre: body.centre.map(|own| own - centre),
        reference: body.reference - centre,
    }
}
