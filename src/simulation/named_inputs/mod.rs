//! Inputs by name: the counterpart of channels, for hosts that set numbers by name. `columns` has
//! the inputs of each entity, `list` names and selections; this file passes selected values to the
//! setters of `simulation::inputs`, `points` and `lines`, and reads them back.
//!
//! A choice is made once; setting and reading by it allocate nothing.

mod columns;
mod list;

pub use list::{InputChoice, InputList};

use super::Simulation;
use crate::elements::machine::LOCKED;
use crate::error::{Error, Result};
use crate::model::EntityKind;
use crate::number::Number;
use crate::simulation::views::{Given, HostInputs};
use crate::spatial::pose::UNIT_TOLERANCE;
pub(super) use columns::{QUATERNION, WIDEST, What, derivatives};
pub(super) use list::Group;
use list::Pick;

/// The numbers of a group; the remaining ones are zero.
pub(super) type Numbers = [f64; WIDEST];

/// A quaternion that was interpolated between two is shorter than 1. One this short is between
/// orientations more than 4/3 of a half turn apart, and is meaningless.
const SHORTEST_QUATERNION: f64 = 0.5;

/// Consecutive numbers of a group from an index on.
fn part<const N: usize>(numbers: &Numbers, first: usize) -> [f64; N] {
    std::array::from_fn(|k| numbers[first + k])
}

/// The first two numbers as capacities of brakes: inputs are finite, and the largest one locks.
fn capacities(numbers: &Numbers) -> [f64; 2] {
    part(numbers, 0).map(|capacity: f64| if capacity == LOCKED { f64::INFINITY } else { capacity })
}

fn numbers(parts: &[&[f64]]) -> Numbers {
    let mut all = [0.0; WIDEST];
    all.iter_mut().zip(parts.iter().flat_map(|part| part.iter())).for_each(|(own, given)| *own = *given);
    all
}

impl Simulation {
    /// The numbers of a group with the given ones inserted. Errors: finite numbers that a setter
    /// would refuse.
    fn checked(&self, pick: &Pick, values: &[f64], choice: &InputChoice) -> Result<Numbers> {
        let Group { what, kind, id } = pick.group;
        let first = || pick.components.first().map_or(String::new(), |(_, place)| choice.names[*place].clone());
        let index = self.model.index("choice", kind, id)?;
        if !columns::groups(&self.model, kind, index).any(|(own, _)| own == what) {
            let detail = format!("{} is an input of another model: this one has none there", first());
            return Err(Error::bad_value("choice", detail));
        }
        if what.is_length() {
            self.winch(what, id)?;
        }
        if kind == EntityKind::Joint {
            self.require_whole(index)?;
        }
        let mut numbers = if pick.whole { [0.0; WIDEST] } else { self.read(pick.group)? };
        for (component, place) in &pick.components {
            numbers[*component] = values[*place];
        }
        self.settle(what, index, &mut numbers, &first)?;
        Ok(numbers)
    }

    /// Normalises the quaternion of a body's motion. Errors: it is much shorter or longer than 1,
    /// in a motion that is called by a name; a line that is too short.
    #[inline(never)]
    pub(super) fn settle(
        &self,
        what: What,
        index: usize,
        numbers: &mut Numbers,
        name: &dyn Fn() -> String,
    ) -> Result<()> {
        match what {
            What::BodyMotion => {
                let norm = numbers[QUATERNION].iter().map(|x| x * x).sum::<f64>().sqrt();
                if !(SHORTEST_QUATERNION..=1.0 / SHORTEST_QUATERNION).contains(&norm) {
                    let detail = format!("the quaternion of {} has norm {}, not 1", name(), Number(norm));
                    return Err(Error::bad_value("values", detail));
                }
                // A quaternion that was read back, or is 1 up to rounding, is kept.
                if (norm - 1.0).abs() > UNIT_TOLERANCE {
                    numbers[QUATERNION].iter_mut().for_each(|x| *x /= norm);
                }
            }
            What::LineLength | What::TendonLength => self.check_line_length(what, index, numbers[0])?,
            What::Brake | What::SlideBrake | What::ClutchCapacity => {
                let ratio = self.model.clutches.get(index).filter(|_| what == What::ClutchCapacity);
                let ratio = ratio.map_or(1.0, |clutch| clutch.static_ratio);
                let refused = |error| Error::bad_value("values", format!("{}: {error}", name()));
                Simulation::check_capacities(capacities(numbers), ratio).map_err(refused)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// The present numbers of a group. Errors: another model.
    pub(super) fn read(&self, Group { what, id, .. }: Group) -> Result<Numbers> {
        let (loads, given) = (&self.inputs.loads, self.given());
        Ok(match what {
            What::BodyLoad => {
                let load = &loads.bodies[self.model.index("body", EntityKind::Body, id)?];
                numbers(&[load.wrench.as_slice()])
            }
            What::MarkerLoad => {
                let load = &loads.markers[self.model.index("marker", EntityKind::Marker, id)?];
                numbers(&[load.wrench.as_slice()])
            }
            What::BodyMotion => {
                let (pose, velocity, acceleration) = given.body_motion(id)?;
                numbers(&[&pose, &velocity, &acceleration])
            }
            What::JointLoad => numbers(&[&[given.joint_load(id)?]]),
            What::JointMotion => numbers(&[&given.joint_motion(id)?]),
            What::SlideLoad => numbers(&[&[given.joint_slide_load(id)?]]),
            What::SlideMotion => numbers(&[&given.joint_slide_motion(id)?]),
            What::PointLoad => numbers(&[&self.given().point_load(id)?]),
            What::PointMotion => {
                let [position, velocity, acceleration] = self.given().point_motion(id)?;
                numbers(&[&position, &velocity, &acceleration])
            }
            What::LineLength | What::TendonLength => {
                let (length, rate) = self.length(what, id, false)?;
                numbers(&[&[length, rate]])
            }
            What::Brake | What::SlideBrake => {
                let loads = if what == What::Brake { &loads.joints } else { &loads.slides };
                let index = self.model.index("joint", EntityKind::Joint, id)?;
                numbers(&[&[loads[index].brake.min(LOCKED)]])
            }
            What::ClutchCapacity => {
                let capacities = loads.clutches[self.model.index("clutch", EntityKind::Clutch, id)?];
                numbers(&[&capacities.map(|capacity| capacity.min(LOCKED))])
            }
        })
    }

    /// Passes a group to its setter. Errors: another model.
    pub(super) fn write(&mut self, Group { what, id, .. }: Group, numbers: &Numbers) -> Result<()> {
        match what {
            What::BodyLoad => {
                let frame = self.inputs.loads.bodies[self.model.index("body", EntityKind::Body, id)?].frame;
                self.inputs().set_body_load(id, frame, &part(numbers, 0))
            }
            What::MarkerLoad => {
                let frame = self.inputs.loads.markers[self.model.index("marker", EntityKind::Marker, id)?].frame;
                self.inputs().set_marker_load(id, frame, &part(numbers, 0))
            }
            What::BodyMotion => {
                self.inputs().set_body_motion(id, &part(numbers, 0), &part(numbers, 7), &part(numbers, 13))
            }
            What::JointLoad => self.inputs().set_joint_load(id, numbers[0]),
            What::JointMotion => self.inputs().set_joint_motion(id, numbers[0], numbers[1], numbers[2]),
            What::SlideLoad => self.inputs().set_joint_slide_load(id, numbers[0]),
            What::SlideMotion => self.inputs().set_joint_slide_motion(id, numbers[0], numbers[1], numbers[2]),
            What::PointLoad => self.inputs().set_point_load(id, &part(numbers, 0)),
            What::PointMotion => {
                self.inputs().set_point_motion(id, &part(numbers, 0), &part(numbers, 3), &part(numbers, 6))
            }
            What::LineLength | What::TendonLength => self.set_length(what, id, numbers[0], numbers[1]),
            What::Brake | What::SlideBrake => {
                let [capacity, _] = capacities(numbers);
                self.inputs().set_joint_brake(id, what == What::SlideBrake, capacity)
            }
            What::ClutchCapacity => self.give_capacity(id, capacities(numbers)),
        }
    }
}

impl HostInputs<'_> {
    /// Sets selected inputs for the end of the coming step (in phase BUILDING: for the initial
    /// time), as the setters of these numbers do; components of a wrench or a motion that are not
    /// selected keep their values. Wrenches are in the axes in which the load of the body or marker
    /// was given, inertial if there was none. A quaternion is normalised. Phase BUILDING, READY,
    /// TRIAL; lengths of lines and tendons READY, TRIAL.
    ///
    /// Errors: length unequal to that of the choice; not finite; a quaternion much shorter or
    /// longer than 1; a line shorter than a hundredth of its described length; in BUILDING a part
    /// of a motion of a driven joint that has none yet.
    pub fn set_chosen_inputs(&mut self, choice: &InputChoice, values: &[f64]) -> Result<()> {
        self.0.require_input()?;
        check_length(choice, values)?;
        if let Some(k) = values.iter().position(|value| !value.is_finite()) {
            let detail = format!("{} = {} is not finite", choice.names[k], Number(values[k]));
            return Err(Error::bad_value("values", detail));
        }
        // All or nothing: errors are found before anything is set.
        for pick in &choice.picks {
            self.0.checked(pick, values, choice)?;
        }
        for pick in &choice.picks {
            let numbers = self.0.checked(pick, values, choice)?;
            self.0.write(pick.group, &numbers)?;
        }
        Ok(())
    }
}

impl Given<'_> {
    /// The inputs by name: loads of bodies, joints, markers and points, imposed motions, lengths of
    /// lines and tendons, capacities of brakes and clutches. The list is that of the model as
    /// described now; from `initialize` on it does not change. Any phase.
    pub fn input_list(self) -> InputList {
        InputList::new(&self.0.model)
    }

    /// The values of chosen inputs that are set for the end of the coming step (in phase BUILDING:
    /// for the initial time). Any phase. Errors: length unequal to that of the choice; in BUILDING
    /// a motion of a driven joint that has none yet.
    pub fn chosen_inputs(self, choice: &InputChoice, values: &mut [f64]) -> Result<()> {
        check_length(choice, values)?;
        for pick in &choice.picks {
            self.0.read(pick.group)?;
        }
        for pick in &choice.picks {
            let numbers = self.0.read(pick.group)?;
            for (component, place) in &pick.components {
                values[*place] = numbers[*component];
            }
        }
        Ok(())
    }
}

fn check_length(choice: &InputChoice, values: &[f64]) -> Result<()> {
    if values.len() == choice.len() {
        return Ok(());
    }
    let expected = format!("{} (the chosen inputs)", choice.len());
    Err(Error::BadSize { argument: "values", given: values.len() as i64, expected })
}
