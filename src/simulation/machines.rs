//! Friction, brakes and stops on coordinates of joints: descriptions, inputs, results, events.

use super::build::NO_FREE_SLIDE;
use super::named_inputs::What;
use super::views::{Build, HostInputs};
use super::{Phase, Simulation};
use crate::elements::friction_load::FrictionLoad;
use crate::elements::machine::{Friction, Grip, Machine};
use crate::elements::stop::Stop;
use crate::elements::{Curve, check_not_negative};
use crate::error::{Error, Result};
use crate::model::{Changes, Coordinate, EntityKind, Id, Joint, JointLoad, JointSpring, add_point, damper_curve};
use crate::number::Number;
use crate::scheme::Restart;
use crate::system::{MachineEvent, MachineOn, State, System};

/// What a machine on a joint does at present; by default, what a joint without one does.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct MachineOutput {
    /// 0: free or slipping, 1: friction holds it, 2: at a stop, 4: the joint is broken.
    pub mode: i32,
    /// Force of friction on b.
    pub friction: f64,
    /// Force of the stops on b.
    pub stop: f64,
    /// Work that friction has dissipated while it slipped, without its drag.
    pub dissipated: f64,
    /// Largest force of friction that holds.
    pub limit: f64,
}

impl Simulation {
    /// The index of a joint that has a coordinate, or a slide of its own.
    fn joint_with(&self, joint: Id, slide: bool) -> Result<usize> {
        self.joint_named(["joint"; 2], joint, slide)
    }

    /// The same with the names of both arguments.
    pub(super) fn joint_named(&self, arguments: [&'static str; 2], joint: Id, slide: bool) -> Result<usize> {
        let index = self.model.index(arguments[0], EntityKind::Joint, joint)?;
        let kind = self.model.joints[index].kind;
        let detail = match slide {
            true if !kind.has_free_slide() => NO_FREE_SLIDE,
            false if kind.coordinate().is_none() => "it has no coordinate",
            _ => return Ok(index),
        };
        // A flag of its own is told by its value, too.
        let flag = if slide && arguments[0] != arguments[1] { "1: " } else { "" };
        let detail = format!("{flag}joint {index} is {}: {detail}", kind.name());
        Err(Error::bad_value(arguments[usize::from(slide)], detail))
    }

    /// Changes a spring on a joint from the accepted time on; the scheme starts anew.
    pub(super) fn change_spring(&mut self, (joint, slide): (Id, bool), spring: JointSpring) -> Result<()> {
        let index = self.joint_with(joint, slide)?;
        self.require_whole(index)?;
        let joint = &self.model.joints[index];
        if [joint.spring, joint.slide_spring][usize::from(slide)].is_none() {
            let detail =
                format!("joint {index} has no spring there: one, of any stiffness, is described in phase BUILDING");
            return Err(Error::bad_value("joint", detail));
        }
        let before = self.model.joints[..index].iter().flat_map(Joint::springs);
        let place = before.count() + usize::from(slide && joint.spring.is_some());
        if let Some(run) = &mut self.run {
            run.accepted.state.joint_springs_mut()[place] = spring.numbers();
        }
        self.follow_own(false);
        self.restart_scheme(Restart::Discontinuity);
        Ok(())
    }

    /// Errors: friction, stops or strengths with a scheme that does not locate events.
    pub(super) fn check_machines(&self) -> Result<()> {
        let (scheme, settings) = (self.inputs.scheme, &self.inputs.settings);
        let breaks = |joint: &Joint| !joint.is_broken && joint.strength != [f64::INFINITY; 2];
        let has_any = |joint: &Joint| breaks(joint) || joint.machines.iter().any(|machine| !machine.is_none());
        let joint = self.model.joints.iter().position(has_any);
        let contact = self.model.elements.contacts.iter().position(|contact| !contact.machine.is_none());
        let of_joint =
            |joint: usize| if breaks(&self.model.joints[joint]) { "a strength" } else { "friction or stops" };
        let found = joint.map(|joint| (EntityKind::Joint, joint, of_joint(joint)));
        let found = found.or(contact.map(|contact| (EntityKind::Contact, contact, "a law")));
        let clutch = (!self.model.clutches.is_empty()).then_some((EntityKind::Clutch, 0, "a capacity"));
        let Some((kind, index, what)) = found.or(clutch) else { return Ok(()) };
        if !scheme.is_newton() || settings.linear() {
            let entity = self.model.describe(kind, index);
            let with = if settings.linear() { "option \"linear\" = 1".to_owned() } else { scheme.to_string() };
            let detail = format!(
                "{entity} has {what}, which {} with generalized-alpha, momentum-alpha, newmark and hht, not with {with}",
                if what == "friction or stops" { "go" } else { "goes" }
            );
            return Err(Error::Unsupported { argument: "scheme", detail });
        }
        Ok(())
    }
}

impl Simulation {
    /// Changes friction and stops of a joint: in phase BUILDING as described, in READY from the
    /// accepted time on, where some are described.
    fn change_machine(
        &mut self,
        (joint, slide): (Id, bool),
        change: impl FnOnce(&mut Machine) -> Result<()>,
    ) -> Result<()> {
        self.require_change()?;
        let index = self.joint_with(joint, slide)?;
        self.require_whole(index)?;
        let mut machine = self.model.joints[index].machines[usize::from(slide)];
        if machine.is_none() && self.phase != Phase::Building {
            let detail = format!(
                "joint {index} has no friction, brake or stop: one, of any size, is described in phase BUILDING"
            );
            return Err(Error::bad_value("joint", detail));
        }
        change(&mut machine)?;
        let place = 2 * index as u64 + u64::from(slide);
        self.change(&Changes { machines: vec![(place, machine)], ..Changes::default() });
        Ok(())
    }
}

/// Sets what the reaction of a joint adds to the friction on its coordinate, or on the slide of
/// CYLINDRICAL: see [`FrictionLoad`]. Phase BUILDING, READY.
///
/// Errors: out of range; `axial` of a displacement; in READY a joint without friction, brake and
/// stop, or one in a loop with redundant constraints, whose reactions are not unique.
pub fn set_joint_friction_load(simulation: &mut Simulation, of: (Id, bool), load: FrictionLoad) -> Result<()> {
    simulation.require_change()?;
    let index = simulation.joint_with(of.0, of.1)?;
    load.check()?;
    let is_angle = !of.1 && simulation.model.joints[index].kind.coordinate() == Some(Coordinate::Angle);
    if !is_angle && load.axial != 0.0 {
        let detail = format!("{}, but nothing presses along a displacement", Number(load.axial));
        return Err(Error::bad_value("axial", detail));
    }
    if load.is_any() && simulation.run.as_ref().is_some_and(|run| run.system.joints().in_redundant_loop(index)) {
        return Err(simulation.load_is_not_unique(index));
    }
    simulation.change_machine(of, |machine| {
        machine.friction = Some(Friction { load, ..machine.friction.unwrap_or(Friction::NONE) });
        Ok(())
    })
}

/// Which table of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointTable {
    /// Of a spring: forces over coordinates.
    Spring,
    /// Of a damper: forces over rates.
    Damper,
}

impl JointTable {
    /// By its name. Errors: an unknown one.
    pub fn of(name: &str) -> Result<JointTable> {
        match name {
            "spring" => Ok(JointTable::Spring),
            "damper" => Ok(JointTable::Damper),
            _ => Err(Error::bad_value("what", format!("\"{name}\", expected \"spring\" or \"damper\""))),
        }
    }
}

/// Replaces the points of the table of a spring or damper on the coordinate of a joint, or on the
/// slide of CYLINDRICAL. Phase BUILDING, READY: then from the accepted time on, in the place of a
/// table.
///
/// Errors: fewer than two points; numbers that are not finite; x that does not rise; y that falls;
/// a damper that drives; in READY a joint without such a table; a broken joint.
pub fn set_joint_table(
    simulation: &mut Simulation,
    of: (Id, bool),
    table: JointTable,
    [x, y]: [&[f64]; 2],
) -> Result<()> {
    simulation.require_change()?;
    let index = simulation.joint_with(of.0, of.1)?;
    simulation.require_whole(index)?;
    let points = match table {
        JointTable::Spring => joint_table([x, y], |_| true)?,
        JointTable::Damper => {
            // Every table goes through 0 at rest.
            let points = joint_table([x, y], |[rate, _]| rate != 0.0)?;
            for (k, (x, y)) in x.iter().zip(y).enumerate() {
                if x * y < 0.0 || (*x == 0.0 && *y != 0.0) {
                    let detail =
                        format!("y[{k}] = {} at a rate of {}: a damper acts against it", Number(*y), Number(*x));
                    return Err(Error::bad_value("y", detail));
                }
            }
            if damper_curve(&points).is_err() {
                let detail = "the slope next to a rate of 0 is too large for a double";
                return Err(Error::bad_value("y", detail));
            }
            points
        }
    };
    let place = 2 * usize::from(of.1) + usize::from(table == JointTable::Damper);
    if simulation.phase != Phase::Building && simulation.model.joints[index].table(place).is_empty() {
        let what = if table == JointTable::Damper { "damper" } else { "spring" };
        let detail = format!("joint {index} has no table of a {what}: one is described in phase BUILDING");
        return Err(Error::bad_value("joint", detail));
    }
    let joint_tables = vec![((4 * index + place) as u64, points)];
    simulation.change(&Changes { joint_tables, ..Changes::default() });
    Ok(())
}

/// Points of a table that are kept. Errors: as of a table.
fn joint_table([x, y]: [&[f64]; 2], keep: impl Fn([f64; 2]) -> bool) -> Result<Vec<[f64; 2]>> {
    Curve::through(["x", "y"], x.to_vec(), y.to_vec())?;
    Ok(x.iter().zip(y).map(|(x, y)| [*x, *y]).filter(|point| keep(*point)).collect())
}

impl Simulation {
    fn load_is_not_unique(&self, joint: usize) -> Error {
        let joint = self.describe_joint(joint);
        let detail = format!(
            "the reaction of {joint} is not unique, as its loop has redundant constraints: no friction follows from it"
        );
        Error::Unsupported { argument: "joint", detail }
    }

    /// Errors: friction by a reaction that is not unique.
    pub(super) fn check_friction_loads(&self, system: &System) -> Result<()> {
        system.machines().loaded_in_redundant_loop().map_or(Ok(()), |joint| Err(self.load_is_not_unique(joint)))
    }
}

impl Build<'_> {
    /// Sets stops on the coordinate of a joint or the slide of CYLINDRICAL, with stiffness, damping
    /// and restitution; replaces the former ones. Bounds may be infinite. Phase BUILDING, READY:
    /// then from the accepted time on.
    pub fn set_joint_stop(&mut self, of: (Id, bool), bounds: [f64; 2], law: i32, numbers: [f64; 3]) -> Result<()> {
        self.0.change_machine(of, |machine| {
            machine.stop = Some(Stop::new(bounds, law, numbers)?);
            Ok(())
        })
    }

    /// Sets friction on the coordinate of a joint or the slide of CYLINDRICAL; replaces the former
    /// one, but for what its reaction adds. `slip` = 0: a default. Phase BUILDING, READY: then from
    /// the accepted time on.
    pub fn set_joint_friction(
        &mut self,
        of: (Id, bool),
        [kinetic, holding, viscous, quadratic, slip]: [f64; 5],
    ) -> Result<()> {
        self.0.change_machine(of, |machine| {
            let before = machine.friction.unwrap_or(Friction::NONE);
            let friction = Friction { kinetic, holding, viscous, quadratic, slip, ..before };
            friction.check()?;
            machine.friction = Some(friction);
            Ok(())
        })
    }

    /// Adds a point to the table of a damper on the coordinate of a joint or the slide of
    /// CYLINDRICAL: the force against a rate. Phase BUILDING.
    pub fn add_joint_damper_point(&mut self, (joint, slide): (Id, bool), rate: f64, force: f64) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.joint_with(joint, slide)?;
        let points = &mut self.0.model.joints[index].dampers[usize::from(slide)];
        add_point(points, [rate, force], ["rate", "force"], &[[0.0; 2]])
    }

    /// Adds a point to the table of a spring on the coordinate of a joint or the slide of
    /// CYLINDRICAL: the force against a value of it. Phase BUILDING.
    pub fn add_joint_spring_point(&mut self, (joint, slide): (Id, bool), coordinate: f64, force: f64) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.joint_with(joint, slide)?;
        let points = &mut self.0.model.joints[index].spring_tables[usize::from(slide)];
        add_point(points, [coordinate, force], ["coordinate", "force"], &[])
    }
}

impl HostInputs<'_> {
    /// Sets the capacity of the brake on a joint, which adds to its friction, from the accepted
    /// state on. A joint without friction gets its brake in phase BUILDING.
    pub fn set_joint_brake(&mut self, joint: Id, slide: bool, capacity: f64) -> Result<()> {
        self.0.require_input()?;
        let index = self.0.joint_with(joint, slide)?;
        self.0.require_whole(index)?;
        if capacity != f64::INFINITY {
            check_not_negative("capacity", capacity)?;
        }
        let building = self.0.phase == Phase::Building;
        let friction = &mut self.0.model.joints[index].machines[usize::from(slide)].friction;
        if friction.is_none() && !building {
            let detail = format!("joint {index} has no friction and no brake: those are described in phase BUILDING");
            return Err(Error::bad_value("joint", detail));
        }
        friction.get_or_insert(Friction::NONE);
        let loads = &mut self.0.inputs.loads;
        let load = &mut if slide { &mut loads.slides } else { &mut loads.joints }[index];
        *load = JointLoad { brake: capacity, ..*load };
        self.0.leave_series(if slide { What::SlideBrake } else { What::Brake }, index);
        Ok(())
    }
}

/// Friction, brakes and stops of joints: as described, what they do at present, and their events.
#[derive(Clone, Copy)]
pub struct JointMachines<'a>(&'a Simulation);

impl<'a> JointMachines<'a> {
    /// Of a simulation.
    pub fn of(simulation: &'a Simulation) -> JointMachines<'a> {
        JointMachines(simulation)
    }

    fn machine(self, joint: Id, slide: bool) -> Result<Machine> {
        let index = self.0.joint_with(joint, slide)?;
        Ok(self.0.model.joints[index].machines[usize::from(slide)])
    }

    /// Norms of force and moment at which a joint breaks.
    pub fn strength(self, joint: Id) -> Result<[f64; 2]> {
        Ok(self.0.model.joints[self.0.model.index("joint", EntityKind::Joint, joint)?].strength)
    }

    /// Whether a joint is broken: in the trial if one is pending.
    pub fn is_broken(self, joint: Id) -> Result<bool> {
        Ok(self.0.model.joints[self.0.model.index("joint", EntityKind::Joint, joint)?].is_broken)
    }

    /// Capacity of the brake on a joint; 0 unless set.
    pub fn brake(self, joint: Id, slide: bool) -> Result<f64> {
        let (index, loads) = (self.0.joint_with(joint, slide)?, &self.0.inputs.loads);
        Ok([&loads.joints, &loads.slides][usize::from(slide)][index].brake)
    }

    /// Stops as set: bounds, law, stiffness, damping and restitution; infinite bounds unless set.
    pub fn stop(self, joint: Id, slide: bool) -> Result<([f64; 2], i32, [f64; 3])> {
        Ok(Stop::numbers(self.machine(joint, slide)?.stop))
    }

    /// What the reaction adds to friction, as set.
    pub fn friction_load(self, joint: Id, slide: bool) -> Result<FrictionLoad> {
        Ok(self.machine(joint, slide)?.friction.map_or(FrictionLoad::NONE, |friction| friction.load))
    }

    /// Friction as set: kinetic, holding, viscous, quadratic, slip; zero unless set.
    pub fn friction(self, joint: Id, slide: bool) -> Result<[f64; 5]> {
        let friction = self.machine(joint, slide)?.friction;
        Ok(friction.map_or([0.0; 5], |f| [f.kinetic, f.holding, f.viscous, f.quadratic, f.slip]))
    }

    /// Rates and forces of the table of a damper, in rising order; empty without one.
    pub fn damper(self, joint: Id, slide: bool) -> Result<&'a [[f64; 2]]> {
        let index = self.0.joint_with(joint, slide)?;
        Ok(&self.0.model.joints[index].dampers[usize::from(slide)])
    }

    /// Coordinates and forces of the table of a spring, in rising order; empty without one.
    pub fn spring(self, joint: Id, slide: bool) -> Result<&'a [[f64; 2]]> {
        let index = self.0.joint_with(joint, slide)?;
        Ok(&self.0.model.joints[index].spring_tables[usize::from(slide)])
    }

    /// Force on b of the springs at present, that with a table and the linear one; 0 without any.
    pub fn spring_force(self, joint: Id, slide: bool) -> Result<f64> {
        let index = self.0.joint_with(joint, slide)?;
        Ok(self.0.readable()?.system.joints().spring_force(index, usize::from(slide), &self.0.point()?.state))
    }

    /// Force on b of the damper with a table at present; 0 without one.
    pub fn damper_force(self, joint: Id, slide: bool) -> Result<f64> {
        let index = self.0.joint_with(joint, slide)?;
        Ok(self.0.readable()?.system.joints().damper_force(index, usize::from(slide), &self.0.point()?.state))
    }

    /// What friction and stops on a joint do at present; all zero without them.
    pub fn output(self, joint: Id, slide: bool) -> Result<MachineOutput> {
        let index = self.0.joint_with(joint, slide)?;
        Ok(self.at(&self.0.readable()?.system, &self.0.point()?.state, index, usize::from(slide)))
    }

    /// The same in a state of the system.
    pub(super) fn at(self, system: &System, state: &State, joint: usize, which: usize) -> MachineOutput {
        let Some(machine) = system.machines().find(MachineOn::Joint(joint, which)) else {
            let mode = if self.0.model.joints[joint].is_broken { 4 } else { 0 };
            return MachineOutput { mode, ..MachineOutput::default() };
        };
        let (modes, _, [friction, stop]) = system.machines().forces(machine, state);
        let law = self.0.model.joints[joint].machines[which].friction;
        let mode = match modes.grip {
            Grip::Stuck => 1,
            _ if modes.closed.is_some() => 2,
            _ => 0,
        };
        let limit = match modes.is_locked() {
            true => f64::INFINITY,
            false => law.map_or(0.0, |law| law.limits(&modes)[0]),
        };
        MachineOutput { mode, friction, stop, limit, dissipated: modes.dissipated }
    }

    /// The events of the last call that advanced. Phase READY, TRIAL.
    pub fn events(self) -> Result<&'a [MachineEvent]> {
        self.0.require(&[Phase::Ready, Phase::Trial], "events are those of a step (phase READY or TRIAL)")?;
        Ok(self.0.readable()?.workroom.steps().map_or(&[], |work| &work.events))
    }

    /// One of these. Errors: an index that no event has.
    pub fn event(self, i: i32) -> Result<&'a MachineEvent> {
        let events = self.events()?;
        let found = usize::try_from(i).ok().and_then(|index| events.get(index));
        found.ok_or_else(|| Error::bad_value("i", format!("{i} is not one of the {} events", events.len())))
    }
}
