//! Gears between joints: adding and reading them.

use super::build::reserve;
use super::outputs::finite;
use super::views::{Description, Elements, Outputs};
use crate::error::{Error, Result};
use crate::model::{EntityKind, Gear, Id};
use crate::number::Number;
use crate::spatial::pose::check_finite;

impl Elements<'_> {
    /// Adds a gear: `q_b - q_b0 = ratio (q_a - q_a0)` for the coordinates of two different joints,
    /// q0 those at the initial poses. Phase BUILDING.
    pub fn add_gear(&mut self, joint_a: Id, joint_b: Id, ratio: f64) -> Result<Id> {
        self.0.require_building()?;
        let index = |argument: &'static str, joint: Id| {
            let index = self.0.model.index(argument, EntityKind::Joint, joint)?;
            let kind = self.0.model.joints[index].kind;
            match kind.coordinate() {
                Some(_) => Ok(index),
                None => {
                    let detail = format!("joint {index} is {}: it has no coordinate for a gear", kind.name());
                    Err(Error::bad_value(argument, detail))
                }
            }
        };
        let joints = [index("joint_a", joint_a)?, index("joint_b", joint_b)?];
        if joint_a == joint_b {
            return Err(Error::bad_value(
                "joint_b",
                format!("{joint_b} is joint_a too: a gear lies between two joints"),
            ));
        }
        check_finite("ratio", &[ratio])?;
        if !ratio.is_normal() {
            let detail = format!("{} is no gear: a driven joint holds still", Number(ratio));
            return Err(Error::bad_value("ratio", detail));
        }
        let id = reserve("gear", &mut self.0.model.gears)?;
        self.0.model.gears.push(Gear { joints, ratio });
        Ok(id)
    }
}

impl Description<'_> {
    /// Joints and ratio of a gear. Any phase.
    pub fn gear_info(self, gear: Id) -> Result<(Id, Id, f64)> {
        let gear = &self.0.model.gears[self.0.model.index("gear", EntityKind::Gear, gear)?];
        let [a, b] = gear.joints.map(|joint| joint as Id);
        Ok((a, b, gear.ratio))
    }
}

impl Outputs<'_> {
    /// The generalized force of a gear on the coordinate of its second joint; minus ratio times
    /// that acts on the coordinate of the first. Zero for a gear that follows from joints and gears
    /// before it.
    pub fn gear_load(self, gear: Id) -> Result<f64> {
        let (run, state) = (self.0.readable()?, self.0.state()?);
        let index = self.0.model.index("gear", EntityKind::Gear, gear)?;
        finite("torque", [run.system.gears().load(index, state)]).map(|[torque]| torque)
    }
}
