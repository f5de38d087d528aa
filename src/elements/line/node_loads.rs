//! Forces on the nodes of a line by their causes: each is the sum of forces of a line that has
//! nothing else.

use super::axial::Axial;
use super::{Around, Chain, Evaluation, Fluid, LineType, Motions, Water};
use crate::spatial::Vec3;

/// Names of causes; the first one is their sum.
pub const NODE_LOADS: [&str; 9] =
    ["net", "tension", "bending", "pressure", "weight", "buoyancy", "drag", "froude_krylov", "seabed"];

impl Chain {
    /// The forces of one cause on the nodes, without the inertia of the line: `what` is one of
    /// [`NODE_LOADS`]. Arguments as in [`Chain::evaluate`].
    pub fn node_loads(&self, what: &str, lengths: (f64, f64), motions: Motions, around: &Around) -> Vec<Vec3> {
        let is = |name: &str| what == name || what == "net";
        let slack = LineType::default();
        let alone = Chain {
            axial: if is("tension") { self.axial.clone() } else { Axial::new(&slack) },
            bending: if is("bending") { self.bending } else { 0.0 },
            pressure: if is("pressure") { self.pressure.clone() } else { Vec::new() },
            mass: if is("weight") || what == "tension" { self.mass } else { 0.0 },
            drag: if is("drag") { self.drag } else { [0.0; 2] },
            ..self.clone()
        };
        let is_in_water = ["buoyancy", "drag", "froude_krylov"].into_iter().any(is);
        let water = Water {
            density: if is_in_water { around.water.density } else { 0.0 },
            depth: if is("seabed") { around.water.depth } else { 0.0 },
            bathymetry: around.water.bathymetry.clone().filter(|_| is("seabed")),
            ..around.water.clone()
        };
        let still = |fluid: &Fluid| Fluid {
            acceleration: if is("froude_krylov") { fluid.acceleration } else { [0.0; 3] },
            ..*fluid
        };
        let fluid: Option<Vec<Fluid>> = around.fluid.map(|fluid| fluid.iter().map(still).collect());
        let has_gravity = is("weight") || is("buoyancy");
        let around = Around {
            gravity: if has_gravity { around.gravity } else { Vec3::zeros() },
            water: &water,
            fluid: fluid.as_deref(),
            ..*around
        };
        let a = vec![Vec3::zeros(); motions.x.len()];
        let mut found = Evaluation::new(self.segments, alone.bends());
        alone.evaluate(lengths, Motions { a: &a, ..motions }, &around, None, None, &mut found);
        found.residual.iter().map(|r| -r).collect()
    }
}
