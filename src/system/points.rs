//! Points in the assembled model: the node of a point, and its forces.

use crate::elements::line::WetPoint;
use crate::elements::{PointMass, Tie};
use crate::model::{Model, Point};
use crate::spatial::{BodyState, Quat, Vec3, Vec6, join};

/// A point in the assembled model.
#[derive(Debug, Clone)]
pub struct PointElement {
    /// Its own node, or the body that it is attached to.
    pub tie: Tie,
    /// Its mass, none of a point on a body, and what the water acts on; None if neither is there.
    pub mass: Option<PointMass>,
}

impl PointElement {
    /// From the description and the index of its own node.
    pub fn new(point: &Point, node: usize) -> PointElement {
        let Point { volume, cda, ca, .. } = *point;
        match point.body() {
            Some(body) => {
                let wet = (cda > 0.0 || volume * ca > 0.0).then_some(WetPoint { volume, cda, ca, on_body: true });
                let mass = wet.map(|wet| PointMass { mass: 0.0, wet: Some(wet) });
                PointElement { tie: Tie { node: body, at: point.position }, mass }
            }
            None => {
                let wet = (volume > 0.0 || cda > 0.0).then_some(WetPoint { volume, cda, ca, on_body: false });
                let mass = PointMass { mass: point.mass, wet };
                PointElement { tie: Tie { node, at: Vec3::zeros() }, mass: Some(mass) }
            }
        }
    }

    /// Its own mass, without water.
    pub fn dry_mass(&self) -> f64 {
        self.mass.map_or(0.0, |own| own.mass)
    }
}

/// The initial state of the node of a point, as of a body that does not turn. The node of an
/// attached point stays at the origin, without forces.
pub fn initial_state(point: &Point) -> BodyState {
    let free = |v: Vec3| if point.body().is_some() { Vec3::zeros() } else { v };
    let v = join(&free(point.velocity), &Vec3::zeros());
    BodyState { x: free(point.position), q: Quat::identity(), v, vdot: Vec6::zeros() }
}

/// The largest distance of a body or a point of a model from the first one; points on bodies are
/// left out.
pub fn extent(model: &Model) -> f64 {
    let points = || model.points.iter().filter(|point| point.body().is_none()).map(|point| point.position);
    let places = || model.bodies.iter().map(|body| body.pose.position).chain(points());
    let first = places().next().unwrap_or_default();
    places().map(|place| (place - first).norm()).fold(0.0, f64::max)
}
