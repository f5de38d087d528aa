//! Clutches between coordinates of joints: descriptions, capacities, and what they do at present.

use super::build::reserve;
use super::named_inputs::What;
use super::outputs::finite;
use super::{JointMachines, Simulation};
use crate::elements::friction_load::check_static_ratio;
use crate::elements::machine::{Grip, LOCKED};
use crate::elements::stop::Stop;
use crate::error::{Error, Result};
use crate::model::{Changes, Clutch, EntityKind, Id};
use crate::number::Number;
use crate::spatial::pose::check_finite;
use crate::system::{MachineOn, State, System};

/// What a clutch does at present; by default, what one on a broken joint does.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ClutchOutput {
    /// 0: open or slipping, 1: it holds, 2: at a stop, 4: one of its joints is broken.
    pub mode: i32,
    /// Generalized force of friction and stops on the coordinate of b.
    pub torque: f64,
    /// Rate of b less the ratio times that of a.
    pub slip_rate: f64,
    /// Largest forces that it holds, against the coordinate of b and along it.
    pub limits: [f64; 2],
    /// Work that it has dissipated while it slipped.
    pub dissipated: f64,
}

/// Adds a clutch between the coordinates, or slides, of two joints, with ratio, static ratio and
/// slip, and with capacities against the coordinate of b and along it. Phase BUILDING.
pub fn add_clutch(
    simulation: &mut Simulation,
    [a, b]: [(Id, bool); 2],
    [ratio, static_ratio, slip]: [f64; 3],
    capacities: [f64; 2],
) -> Result<Id> {
    simulation.require_building()?;
    let of = |arguments, (joint, slide): (Id, bool)| {
        Ok::<_, Error>((simulation.joint_named(arguments, joint, slide)?, usize::from(slide)))
    };
    let coordinates = [of(["joint_a", "slide_a"], a)?, of(["joint_b", "slide_b"], b)?];
    if coordinates[0] == coordinates[1] {
        let detail = format!("{} is joint_a too: a clutch lies between two coordinates", b.0);
        return Err(Error::bad_value("joint_b", detail));
    }
    check_finite("ratio", &[ratio])?;
    if !ratio.is_normal() || !ratio.recip().is_normal() {
        let detail = format!("{} is no clutch: the brake of a joint holds it still", Number(ratio));
        return Err(Error::bad_value("ratio", detail));
    }
    check_static_ratio(static_ratio)?;
    crate::elements::check_not_negative("slip", slip)?;
    Simulation::check_capacities(capacities, static_ratio)?;
    let id = reserve("clutch", &mut simulation.model.clutches)?;
    reserve("clutch", &mut simulation.inputs.loads.clutches)?;
    simulation.model.clutches.push(Clutch { coordinates, ratio, static_ratio, slip, stop: None });
    simulation.inputs.loads.clutches.push(capacities);
    Ok(id)
}

/// Sets the capacities of a clutch from the accepted state on. Phase BUILDING, READY, TRIAL.
pub fn set_clutch_capacity(simulation: &mut Simulation, clutch: Id, capacities: [f64; 2]) -> Result<()> {
    simulation.give_capacity(clutch, capacities)
}

impl Simulation {
    pub(super) fn give_capacity(&mut self, clutch: Id, capacities: [f64; 2]) -> Result<()> {
        self.require_input()?;
        let index = self.model.index("clutch", EntityKind::Clutch, clutch)?;
        Simulation::check_capacities(capacities, self.model.clutches[index].static_ratio)?;
        self.inputs.loads.clutches[index] = capacities;
        self.leave_series(What::ClutchCapacity, index);
        Ok(())
    }

    /// Errors: a capacity that is not a number or negative, or too large to be multiplied.
    pub(super) fn check_capacities(capacities: [f64; 2], static_ratio: f64) -> Result<()> {
        for (argument, value) in ["capacity_back", "capacity_forth"].into_iter().zip(capacities) {
            if value == f64::INFINITY {
                continue;
            }
            crate::elements::check_not_negative(argument, value)?;
            if !(value * static_ratio).is_finite() {
                return Err(Error::bad_value(argument, format!("{} is too large: INFINITY locks", Number(value))));
            }
        }
        Ok(())
    }
}

/// Sets stops of the difference of coordinates of a clutch, which are the play of gears, with
/// stiffness, damping and restitution; replaces the former ones. Bounds may be infinite. Phase
/// BUILDING, READY: then from the accepted time on.
pub fn set_clutch_stop(
    simulation: &mut Simulation,
    clutch: Id,
    bounds: [f64; 2],
    law: i32,
    numbers: [f64; 3],
) -> Result<()> {
    simulation.require_change()?;
    let index = simulation.model.index("clutch", EntityKind::Clutch, clutch)?;
    let stop = Stop::new(bounds, law, numbers)?;
    simulation.change(&Changes { stops: vec![(index as u64, Some(stop))], ..Changes::default() });
    Ok(())
}

/// Clutches: as described, what they do at present, and their events.
#[derive(Clone, Copy)]
pub struct Clutches<'a>(&'a Simulation);

impl<'a> Clutches<'a> {
    /// Of a simulation.
    pub fn of(simulation: &'a Simulation) -> Clutches<'a> {
        Clutches(simulation)
    }

    /// As described. Any phase.
    pub fn info(self, clutch: Id) -> Result<&'a Clutch> {
        Ok(&self.0.model.clutches[self.0.model.index("clutch", EntityKind::Clutch, clutch)?])
    }

    /// Capacities as set. Any phase.
    pub fn capacity(self, clutch: Id) -> Result<[f64; 2]> {
        Ok(self.0.inputs.loads.clutches[self.0.model.index("clutch", EntityKind::Clutch, clutch)?])
    }

    /// Stops as set: bounds, law, stiffness, damping and restitution; infinite bounds unless set.
    /// Any phase.
    pub fn stop(self, clutch: Id) -> Result<([f64; 2], i32, [f64; 3])> {
        Ok(Stop::numbers(self.info(clutch)?.stop))
    }

    /// What it does at present. Phase READY, TRIAL, FAILED. Errors: numbers too large for a double.
    pub fn output(self, clutch: Id) -> Result<ClutchOutput> {
        let index = self.0.model.index("clutch", EntityKind::Clutch, clutch)?;
        let found = self.at(&self.0.readable()?.system, self.0.state()?, index);
        finite("torque", [found.torque, found.slip_rate, found.dissipated])?;
        Ok(found)
    }

    /// The same in a state of the system.
    pub(super) fn at(self, system: &System, state: &State, clutch: usize) -> ClutchOutput {
        let Some(machine) = system.machines().find(MachineOn::Clutch(clutch)) else {
            return ClutchOutput { mode: 4, ..ClutchOutput::default() };
        };
        let (modes, slip_rate, [friction, stop]) = system.machines().forces(machine, state);
        let static_ratio = self.0.model.clutches[clutch].static_ratio;
        let limit = |brake: f64| if brake == LOCKED { f64::INFINITY } else { static_ratio * brake };
        ClutchOutput {
            mode: match modes.grip {
                Grip::Stuck => 1,
                _ if modes.closed.is_some() => 2,
                _ => 0,
            },
            torque: friction + stop,
            slip_rate,
            limits: modes.brake.map(limit),
            dissipated: modes.dissipated,
        }
    }

    /// The clutch of an event of the last call that advanced; None for others. Phase READY, TRIAL.
    /// Errors: an index that no event has.
    pub fn of_event(self, event: i32) -> Result<Option<Id>> {
        Ok(JointMachines::of(self.0).event(event)?.clutch().map(|clutch| clutch as Id))
    }
}
