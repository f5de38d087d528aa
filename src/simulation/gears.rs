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
        let joints = [self.gear_joint("joint_a", joint_a)?, self.gear_joint("joint_b", joint_b)?];
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
        self.push_gear(Gear::of_two(joints, ratio))
    }

    /// Adds a gear between the coordinates of two or more different joints:
    /// `sum of c_i (q_i - q_i0) = 0`, q0 the coordinates at the initial poses. Phase BUILDING.
    pub fn add_coupling(&mut self, joints: &[Id], coefficients: &[f64]) -> Result<Id> {
        self.0.require_building()?;
        if joints.len() < 2 {
            let expected = "2 or more joints".into();
            return Err(Error::BadSize { argument: "n", given: joints.len() as i64, expected });
        }
        if coefficients.len() != joints.len() {
            let (given, expected) = (coefficients.len() as i64, format!("{}, one per joint", joints.len()));
            return Err(Error::BadSize { argument: "coefficients", given, expected });
        }
        check_finite("coefficients", coefficients)?;
        let indices = joints.iter().map(|joint| self.gear_joint("joints", *joint)).collect::<Result<Vec<_>>>()?;
        let mut sorted = indices.clone();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(Error::bad_value("joints", format!("joint {} is there twice", twice[0])));
        }
        let gear = Gear { joints: indices, coefficients: coefficients.into() };
        // Rates whose inverses are numbers, too.
        if let Some(k) = gear.rates().position(|rate| !rate.is_normal() || !rate.recip().is_normal()) {
            let (this, last) = (Number(coefficients[k]), Number(coefficients[coefficients.len() - 1]));
            let detail = match coefficients[k] {
                0.0 => format!("coefficients[{k}] = 0: joint {} is not coupled", joints[k]),
                _ => format!("coefficients[{k}] = {this} over the last one, {last}, is beyond the range of numbers"),
            };
            return Err(Error::bad_value("coefficients", detail));
        }
        self.push_gear(gear)
    }

    /// The index of a joint with a coordinate.
    fn gear_joint(&self, argument: &'static str, joint: Id) -> Result<usize> {
        let index = self.0.model.index(argument, EntityKind::Joint, joint)?;
        let kind = self.0.model.joints[index].kind;
        match kind.coordinate() {
            Some(_) => Ok(index),
            None => {
                let detail = format!("joint {index} is {}: it has no coordinate for a gear", kind.name());
                Err(Error::bad_value(argument, detail))
            }
        }
    }

    fn push_gear(&mut self, gear: Gear) -> Result<Id> {
        let id = reserve("gear", &mut self.0.model.gears)?;
        self.0.model.gears.push(gear);
        Ok(id)
    }
}

impl<'a> Description<'a> {
    /// A gear: its joints, by their ids, and their coefficients. Any phase.
    pub fn gear(self, gear: Id) -> Result<&'a Gear> {
        Ok(&self.0.model.gears[self.0.model.index("gear", EntityKind::Gear, gear)?])
    }
}

impl Outputs<'_> {
    /// The generalized force of a gear on the coordinate of its last joint; on the others their
    /// coefficients over the last one times that. Zero for a gear that follows from joints and
    /// gears before it.
    pub fn gear_load(self, gear: Id) -> Result<f64> {
        let (run, state) = (self.0.readable()?, self.0.state()?);
        let index = self.0.model.index("gear", EntityKind::Gear, gear)?;
        finite("torque", [run.system.gears().load(index, state)]).map(|[torque]| torque)
    }
}
