//! Shapes of bodies: adding and reading them.

use super::Simulation;
use super::build::reserve;
use crate::error::{Error, Result};
use crate::model::{Id, Shape};
use crate::spatial::pose::check_finite;

/// Adds a shape to a body or to the ground. Phase BUILDING.
///
/// Errors: a bad id; numbers, texts that [`Shape::checked`] refuses.
pub fn add_shape(system: &mut Simulation, shape: Shape) -> Result<Id> {
    system.require_building()?;
    system.model.body_or_ground("body", shape.body)?;
    check_finite("numbers", &shape.numbers)?;
    let shape = shape.checked()?;
    let id = reserve("shape", &mut system.model.shapes)?;
    system.model.shapes.push(shape);
    Ok(id)
}

/// The shapes of a model, in the order in which they were added. Any phase.
pub fn shapes(system: &Simulation) -> &[Shape] {
    &system.model.shapes
}

/// A shape. Any phase. Errors: a bad id.
pub fn shape(system: &Simulation, id: Id) -> Result<&Shape> {
    let shapes = shapes(system);
    let bad = Error::BadId { argument: "shape", kind: "shape", id, count: shapes.len() };
    usize::try_from(id).ok().and_then(|index| shapes.get(index)).ok_or(bad)
}
