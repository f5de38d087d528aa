//! Bushings whose forces are not linear, or that are preloaded.

use super::introspection::BushingInfo;
use super::{Phase, Simulation};
use crate::elements::Bushing;
use crate::error::{Error, Result};
use crate::model::{Changes, EntityKind, Id};
use crate::spatial::pose::check_finite;

/// Takes the force or moment of a bushing on one component of its deflection (0 to 2 x, y, z; 3 to
/// 5 the rotation vector) from a table, in the place of the diagonal entry of its stiffness or a
/// former table, with monotone cubic interpolation, and straight lines beyond the ends. Phase
/// BUILDING, READY: then from the accepted time on, in the place of a table.
///
/// Errors: an axis outside 0 to 5; fewer than two points; numbers that are not finite; deflections
/// that do not increase; forces that decrease; in READY an axis without a table.
pub fn set_bushing_table(
    simulation: &mut Simulation,
    bushing: Id,
    axis: i32,
    deflections: &[f64],
    forces: &[f64],
) -> Result<()> {
    simulation.require_change()?;
    let index = simulation.model.index("bushing", EntityKind::Bushing, bushing)?;
    let axis = checked(axis)?;
    let columns = [deflections, forces].map(<[f64]>::to_vec);
    if simulation.phase == Phase::Building {
        return simulation.model.elements.bushings[index].set_table(axis, columns);
    }
    if simulation.model.elements.bushings[index].tables[axis].is_none() {
        let detail = format!("{axis} has no table: one is described in phase BUILDING");
        return Err(Error::bad_value("axis", detail));
    }
    let mut changed = Bushing::default();
    changed.set_table(axis, columns)?;
    let bushing_tables = vec![((6 * index + axis) as u64, changed.points(axis))];
    simulation.change(&Changes { bushing_tables, ..Changes::default() });
    Ok(())
}

/// Sets the force and moment that a bushing exerts without deflection, of a on b in axes of frame
/// a. Phase BUILDING, READY: then from the accepted time on. Errors: not finite.
pub fn set_bushing_preload(simulation: &mut Simulation, bushing: Id, preload: &[f64; 6]) -> Result<()> {
    simulation.require_change()?;
    let index = simulation.model.index("bushing", EntityKind::Bushing, bushing)?;
    check_finite("preload", preload)?;
    simulation.change(&Changes { preloads: vec![(index as u64, *preload)], ..Changes::default() });
    Ok(())
}

impl<'a> BushingInfo<'a> {
    /// Deflections and forces of its table on one component of its deflection, empty if it has
    /// none. Errors: an axis outside 0 to 5.
    pub fn table(&self, axis: i32) -> Result<[&'a [f64]; 2]> {
        checked(axis).map(|axis| self.tables[axis])
    }
}

/// Errors: an axis that no bushing has.
fn checked(axis: i32) -> Result<usize> {
    let index = usize::try_from(axis).ok().filter(|axis| *axis < 6);
    index.ok_or_else(|| Error::bad_value("axis", format!("{axis}, expected 0 to 5")))
}
