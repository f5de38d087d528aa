//! Solids that are drawn: shapes of bodies, cylinders in water, joints. None has physics.

use super::base64::base64;
use super::json;
use pintle::Id;

/// A solid in the axes of its body.
pub enum Solid {
    /// A box about the origin of a frame (position, quaternion w x y z), with its edges along the
    /// axes.
    Box { frame: [f64; 7], size: [f64; 3] },
    /// A cylinder between the centres of its flat ends.
    Cylinder { ends: [[f64; 3]; 2], diameter: f64 },
    /// A cylinder with half spheres on its ends, which are at their centres.
    Capsule { ends: [[f64; 3]; 2], diameter: f64 },
    /// A sphere about a point.
    Sphere { position: [f64; 3], diameter: f64 },
    /// Triangles, in a frame.
    Mesh { frame: [f64; 7], corners: Vec<[f32; 3]> },
    /// A thin rod, whose diameter the page chooses.
    Rod { ends: [[f64; 3]; 2] },
    /// The mark of a joint at the origin of its frame, with the z axis where the joint has an axis.
    Joint { frame: [f64; 7], has_axis: bool },
}

/// A solid on a body or on the ground.
pub struct Part {
    pub body: Id,
    pub name: String,
    /// As `#rrggbb`; None: the page chooses.
    pub colour: Option<String>,
    pub solid: Solid,
}

impl Part {
    /// What the page reads.
    pub fn json(&self) -> String {
        let frame = |frame: &[f64; 7]| format!("\"frame\":{}", json::numbers(frame));
        let ends = |[a, b]: &[[f64; 3]; 2]| format!("\"a\":{},\"b\":{}", json::numbers(a), json::numbers(b));
        let (kind, keys) = match &self.solid {
            Solid::Box { frame: at, size } => ("box", format!("{},\"size\":{}", frame(at), json::numbers(size))),
            Solid::Cylinder { ends: both, diameter } => {
                ("cylinder", format!("{},\"diameter\":{diameter:?}", ends(both)))
            }
            Solid::Capsule { ends: both, diameter } => ("capsule", format!("{},\"diameter\":{diameter:?}", ends(both))),
            Solid::Sphere { position, diameter } => {
                ("sphere", format!("\"position\":{},\"diameter\":{diameter:?}", json::numbers(position)))
            }
            Solid::Mesh { frame: at, corners } => {
                let bytes: Vec<u8> = corners.as_flattened().iter().flat_map(|x| x.to_le_bytes()).collect();
                ("mesh", format!("{},\"corners\":\"{}\"", frame(at), base64(&bytes)))
            }
            Solid::Rod { ends: both } => ("rod", ends(both)),
            Solid::Joint { frame: at, has_axis } => ("joint", format!("{},\"hasAxis\":{has_axis}", frame(at))),
        };
        let colour = self.colour.as_deref().map_or("null".into(), json::string);
        let name = json::string(&self.name);
        format!("{{\"kind\":\"{kind}\",\"body\":{},\"name\":{name},\"colour\":{colour},{keys}}}", self.body)
    }
}
