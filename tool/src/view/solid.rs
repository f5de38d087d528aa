//! Solids that are drawn: shapes of bodies, cylinders in water, joints. None has physics.

use super::json;
use pintle::Id;

/// A solid in the axes of its body.
pub enum Solid {
    /// A box about the origin of a frame (position, quaternion w x y z), with its edges along the
    /// axes.
    Box { frame: [f64; 7], size: [f64; 3] },
    /// A cylinder between the centres of its flat ends.
    Cylinder { ends: [[f64; 3]; 2], diameter: f64 },
    /// A thin rod, whose diameter the page chooses.
    Rod { ends: [[f64; 3]; 2] },
    /// The mark of a joint at the origin of its frame, with the z axis where the joint has an axis.
    Joint { frame: [f64; 7], has_axis: bool },
}

/// A solid on a body or on the ground.
pub struct Part {
    pub body: Id,
    pub name: String,
    pub solid: Solid,
}

impl Part {
    /// What the page reads.
    pub fn json(&self) -> String {
        let ends = |[a, b]: &[[f64; 3]; 2]| format!("\"a\":{},\"b\":{}", json::numbers(a), json::numbers(b));
        let (kind, keys) = match &self.solid {
            Solid::Box { frame, size } => {
                ("box", format!("\"frame\":{},\"size\":{}", json::numbers(frame), json::numbers(size)))
            }
            Solid::Cylinder { ends: both, diameter } => {
                ("cylinder", format!("{},\"diameter\":{diameter:?}", ends(both)))
            }
            Solid::Rod { ends: both } => ("rod", ends(both)),
            Solid::Joint { frame, has_axis } => {
                ("joint", format!("\"frame\":{},\"hasAxis\":{has_axis}", json::numbers(frame)))
            }
        };
        format!("{{\"kind\":\"{kind}\",\"body\":{},\"name\":{},{keys}}}", self.body, json::string(&self.name))
    }
}
