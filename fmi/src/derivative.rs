//! Directional derivatives: how outputs answer to inputs.
//!
//! After a step they are those of its end over the loads that were given for it: by the load
//! compliance of the step on trial, exact to rounding, between loads and motions of bodies, markers
//! and joints; everything else, and before the first step everything, by one central difference
//! along the direction, the step or the start being made twice more.

use crate::failure::Failure;
use crate::instance::{Instance, Mode, Outcome};
use crate::model::{OUTPUT_ARRAYS, Reference};
use pintle::{EntityKind, Frame, Id, LinearInputs, Phase, Simulation};

/// Relative size of a difference. With steps solved to `TIGHT` its two errors, of rounding and of
/// truncation, are both about 1e-8 of what the direction changes.
const DIFFERENCE: f64 = 1e-4;

/// Absolute and relative tolerance of the steps that a difference is made of.
const TIGHT: [f64; 2] = [1e-13, 1e-11];

/// How the motion of one place changes: acceleration, velocity, displacement.
type Changes<const N: usize> = [[f64; N]; 3];

impl Instance {
    /// The changes of the unknowns, one number per element, when the knowns change by `seed`.
    /// Unknowns are outputs, knowns inputs, or before the first step parameters too. Modes
    /// Initialization, Step.
    pub fn directional(&mut self, unknowns: &[u32], knowns: &[u32], seed: &[f64]) -> Outcome<Vec<f64>> {
        if !matches!(self.mode, Mode::Initialization | Mode::Step) {
            return Err(Failure::error(format!("derivatives are not there in mode {:?}", self.mode)));
        }
        let channels = self.channels_of(unknowns)?;
        let direction = self.direction(knowns, seed)?;
        if let Some(exact) = self.by_compliance(&channels, &direction)? {
            return Ok(exact);
        }
        self.by_difference(&channels, &direction)
    }

    /// The channels that unknowns consist of. Errors: not an output.
    fn channels_of(&self, unknowns: &[u32]) -> Outcome<Vec<usize>> {
        let mut channels = Vec::new();
        for reference in unknowns {
            self.width(*reference)?;
            match Reference::from_value(*reference) {
                Some(Reference::Output(k)) => channels.push(k),
                Some(Reference::OutputArray(carrier, what)) => {
                    let first = self.model.carriers[carrier].first_output;
                    channels.extend(OUTPUT_ARRAYS[what].1.clone().map(|k| first + k));
                }
                _ => return Err(Failure::error(format!("{} is not an output", self.model.name_of(*reference)))),
            }
        }
        Ok(channels)
    }

    /// The changes of inputs and parameters along a direction. Errors: sizes that do not match;
    /// variables that are no inputs and no parameters that can still change.
    fn direction(&self, knowns: &[u32], seed: &[f64]) -> Outcome<Direction> {
        let model = &self.model;
        let mut direction =
            Direction { inputs: vec![0.0; model.inputs.len()], parameters: vec![0.0; model.parameters.len()] };
        let mut rest = seed;
        for reference in knowns {
            let width = self.width(*reference)?;
            let Some((given, others)) = rest.split_at_checked(width) else {
                return Err(Failure::error(format!("{} numbers are too few for the knowns", seed.len())));
            };
            rest = others;
            match Reference::from_value(*reference) {
                Some(Reference::Input(k)) => direction.inputs[k] += given[0],
                Some(Reference::InputArray(carrier)) => {
                    let first = model.carriers[carrier].first_input;
                    direction.inputs[first..].iter_mut().zip(given).for_each(|(d, x)| *d += x);
                }
                Some(Reference::Parameter(k)) if self.mode == Mode::Initialization => {
                    direction.parameters[k] += given[0];
                }
                _ => {
                    let name = model.name_of(*reference);
                    return Err(Failure::error(format!("{name} is not an input that derivatives are known for")));
                }
            }
        }
        if !rest.is_empty() {
            return Err(Failure::error(format!("{} numbers are too many for the knowns", seed.len())));
        }
        if seed.iter().any(|x| !x.is_finite()) {
            return Err(Failure::error("the direction is not finite"));
        }
        Ok(direction)
    }

    // ---- Exactly -----------------------------------------------------------------------------------------------------

    /// Derivatives by the compliance of the trial step; None if it does not have them.
    fn by_compliance(&self, channels: &[usize], direction: &Direction) -> Outcome<Option<Vec<f64>>> {
        let model = &self.model;
        let Some(simulation) = &self.simulation else { return Ok(None) };
        let told = self.mode == Mode::Step && self.last_step > 0.0 && !self.is_first && self.is_whole;
        if !told || simulation.phase() != Phase::Trial {
            return Ok(None);
        }
        let mut places = Places::default();
        for channel in channels {
            let output = &model.outputs[*channel];
            let Some(owner) = output.owner else { return Ok(None) };
            if !places.add(owner, &output.suffix) {
                return Ok(None);
            }
        }
        for (input, change) in model.inputs.iter().zip(&direction.inputs) {
            if *change != 0.0 && !(input.suffix.contains("load") && places.add(input.owner, input.suffix)) {
                return Ok(None);
            }
        }
        let list = LinearInputs {
            bodies: &places.bodies,
            markers: &places.markers,
            joints: &places.joints,
            slides: &places.slides,
        };
        let Ok(matrices) = simulation.analysis().compliance(&list, self.last_step) else { return Ok(None) };
        let loads = self.loads_along(&places, simulation, direction)?;
        let changes = matrices.map(|matrix| product(&matrix, &loads));
        let mut found = Vec::with_capacity(channels.len());
        for channel in channels {
            let output = &model.outputs[*channel];
            let Some(change) = places.change(simulation, output.owner, &output.suffix, &changes)? else {
                return Ok(None);
            };
            found.push(change);
        }
        Ok(Some(found))
    }

    /// The change of the loads on the places, wrenches in inertial axes.
    fn loads_along(&self, places: &Places, simulation: &Simulation, direction: &Direction) -> Outcome<Vec<f64>> {
        let mut loads = vec![0.0; places.width()];
        for (input, change) in self.model.inputs.iter().zip(&direction.inputs).filter(|(_, change)| **change != 0.0) {
            if let Some(place) = places.find(input.owner, input.suffix) {
                loads[place + component(input.suffix)] += change;
            }
        }
        // Loads that were given in body axes turn with the body.
        let given = simulation.given();
        for (place, owner) in places.carriers() {
            let (frame, pose) = match owner.0 {
                EntityKind::Body => (given.body_load_frame(owner.1)?, simulation.outputs().body_pose(owner.1)?),
                _ => {
                    let (body, _) = simulation.description().marker_info(owner.1)?;
                    (given.marker_load_frame(owner.1)?, simulation.outputs().body_pose(body)?)
                }
            };
            if frame == Frame::Body {
                for half in [place, place + 3] {
                    let turned = rotate(&pose[3..], &loads[half..half + 3]);
                    loads[half..half + 3].copy_from_slice(&turned);
                }
            }
        }
        Ok(loads)
    }

    // ---- By differences ----------------------------------------------------------------------------------------------

    fn by_difference(&mut self, channels: &[usize], direction: &Direction) -> Outcome<Vec<f64>> {
        let size = self.difference(direction);
        if size == 0.0 {
            return Ok(vec![0.0; channels.len()]);
        }
        let [ahead, behind] = [size, -size].map(|by| self.outputs_beside(direction, by));
        let (ahead, behind) = (ahead?, behind?);
        Ok(channels.iter().map(|k| (ahead[*k] - behind[*k]) / (2.0 * size)).collect())
    }

    /// The length of the finite difference along the direction to each side: the first value then
    /// changes by `DIFFERENCE` times its own magnitude, or for a load times that of the model's
    /// forces.
    fn difference(&self, direction: &Direction) -> f64 {
        let weight = self.weight();
        let inputs = self.model.inputs.iter().zip(&self.values.inputs).zip(&direction.inputs);
        let inputs = inputs.map(|((input, value), change)| {
            let is_load = input.unit.starts_with('N');
            (value.abs().max(if is_load { weight } else { 1.0 }), *change)
        });
        let parameters = self.values.parameters.iter().zip(&direction.parameters);
        let parameters = parameters.map(|(value, change)| (value.abs().max(1.0), *change));
        let all = inputs.chain(parameters).filter(|(_, change)| *change != 0.0);
        let least = all.map(|(size, change)| size / change.abs()).fold(f64::INFINITY, f64::min);
        if least.is_finite() { DIFFERENCE * least } else { 0.0 }
    }

    /// The weight of all bodies, or their mass where nothing falls.
    fn weight(&self) -> f64 {
        let base = &self.model.base;
        let description = base.description();
        let mass = |body| description.body_mass(body).map_or(0.0, |mass| mass[0]);
        let masses: f64 = (0..base.description().count(EntityKind::Body)).map(mass).sum();
        let gravity = description.gravity().iter().map(|x| x * x).sum::<f64>().sqrt();
        let weight = masses * if gravity > 0.0 { gravity } else { 1.0 };
        if weight > 0.0 { weight } else { 1.0 }
    }

    /// All channels with values moved by `by` along the direction: at the end of the last step,
    /// which is repeated, or at another start.
    fn outputs_beside(&self, direction: &Direction, by: f64) -> Outcome<Vec<f64>> {
        let mut outputs = vec![0.0; self.model.outputs.len()];
        match &self.simulation {
            Some(simulation) if self.last_step > 0.0 => {
                self.step_beside(simulation, direction, by)?.channels().values(&mut outputs)?;
            }
            _ if self.mode == Mode::Step && !self.is_first => {
                return Err(Failure::error("the last step failed: there is none to take derivatives of"));
            }
            _ => {
                let mut values = self.values.clone();
                let moved = |values: &mut [f64], direction: &[f64]| {
                    values.iter_mut().zip(direction).for_each(|(value, change)| *value += by * change);
                };
                moved(&mut values.inputs, &direction.inputs);
                moved(&mut values.parameters, &direction.parameters);
                for (input, change) in self.model.inputs.iter().zip(&direction.inputs) {
                    values.touched[input.group] |= *change != 0.0;
                }
                self.build(&values)?.channels().values(&mut outputs)?;
            }
        }
        Ok(outputs)
    }

    /// The last step once more with other inputs than those that it was made with, which the
    /// simulation still has.
    fn step_beside(&self, simulation: &Simulation, direction: &Direction, by: f64) -> Outcome<Simulation> {
        let model = &self.model;
        let mut again = simulation.clone();
        again.reject()?;
        for (key, value) in ["abs_tolerance", "rel_tolerance"].into_iter().zip(TIGHT) {
            let own = again.given().option(key)?;
            again.settings().set_option(key, value.min(own))?;
        }
        let mut moves = vec![false; model.groups];
        for (input, change) in model.inputs.iter().zip(&direction.inputs) {
            moves[input.group] |= *change != 0.0;
        }
        let chosen: Vec<usize> = (0..model.inputs.len()).filter(|k| moves[model.inputs[*k].group]).collect();
        let choice = model.list.choose(&chosen)?;
        let mut values = vec![0.0; chosen.len()];
        again.given().chosen_inputs(&choice, &mut values)?;
        values.iter_mut().zip(&chosen).for_each(|(value, k)| *value += by * direction.inputs[*k]);
        again.inputs().set_chosen_inputs(&choice, &values)?;
        again.advance(self.last_step)?;
        Ok(again)
    }
}

/// By how much inputs and parameters change.
struct Direction {
    inputs: Vec<f64>,
    parameters: Vec<f64>,
}

/// The bodies, markers, joints and slides of a compliance, in its order.
#[derive(Default)]
struct Places {
    bodies: Vec<Id>,
    markers: Vec<Id>,
    joints: Vec<Id>,
    slides: Vec<Id>,
}

/// True if a variable of a joint belongs to its slide, not to its coordinate.
fn is_of_slide(suffix: &str) -> bool {
    suffix.starts_with("slide")
}

/// Which component of a load an input is.
fn component(suffix: &str) -> usize {
    ["load.fx", "load.fy", "load.fz", "load.mx", "load.my", "load.mz"]
        .iter()
        .position(|own| *own == suffix)
        .unwrap_or(0)
}

impl Places {
    /// Adds the place that a variable is of; false where there is none.
    fn add(&mut self, (kind, id): (EntityKind, Id), suffix: &str) -> bool {
        let list = match kind {
            EntityKind::Body => &mut self.bodies,
            EntityKind::Marker => &mut self.markers,
            EntityKind::Joint if is_of_slide(suffix) => &mut self.slides,
            EntityKind::Joint if !suffix.starts_with("reaction") => &mut self.joints,
            _ => return false,
        };
        if !list.contains(&id) {
            list.push(id);
        }
        true
    }

    fn width(&self) -> usize {
        6 * (self.bodies.len() + self.markers.len()) + self.joints.len() + self.slides.len()
    }

    /// Bodies and markers with the first of their six numbers.
    fn carriers(&self) -> impl Iterator<Item = (usize, (EntityKind, Id))> {
        let bodies = self.bodies.iter().map(|id| (EntityKind::Body, *id));
        let markers = self.markers.iter().map(|id| (EntityKind::Marker, *id));
        bodies.chain(markers).enumerate().map(|(k, owner)| (6 * k, owner))
    }

    /// The first number of a place.
    fn find(&self, (kind, id): (EntityKind, Id), suffix: &str) -> Option<usize> {
        let place = |list: &[Id]| list.iter().position(|own| *own == id);
        let joints = 6 * (self.bodies.len() + self.markers.len());
        match kind {
            EntityKind::Body => place(&self.bodies).map(|k| 6 * k),
            EntityKind::Marker => place(&self.markers).map(|k| 6 * (self.bodies.len() + k)),
            EntityKind::Joint if is_of_slide(suffix) => place(&self.slides).map(|k| joints + self.joints.len() + k),
            EntityKind::Joint => place(&self.joints).map(|k| joints + k),
            _ => None,
        }
    }

    /// The change of an output; None if it does not follow from the changes.
    fn change(
        &self,
        simulation: &Simulation,
        owner: Option<(EntityKind, Id)>,
        suffix: &str,
        changes: &[Vec<f64>; 3],
    ) -> Outcome<Option<f64>> {
        let Some((owner, place)) = owner.and_then(|owner| Some((owner, self.find(owner, suffix)?))) else {
            return Ok(None);
        };
        if owner.0 == EntityKind::Joint {
            let which = match suffix {
                "angle" | "displacement" | "slide" => 2,
                "rate" | "slide_rate" => 1,
                "acc" | "slide_acc" => 0,
                _ => return Ok(None),
            };
            return Ok(Some(changes[which][place]));
        }
        let six: Changes<6> = [0, 1, 2].map(|k| std::array::from_fn(|i| changes[k][place + i]));
        let pose = match owner.0 {
            EntityKind::Body => simulation.outputs().body_pose(owner.1)?,
            _ => simulation.outputs().marker_pose(owner.1)?,
        };
        Ok(of_motion(suffix, &pose, &six))
    }
}

/// How an output of a body or marker follows from how its motion changes.
fn of_motion(suffix: &str, pose: &[f64; 7], [acceleration, velocity, displacement]: &Changes<6>) -> Option<f64> {
    let (quantity, axis) = suffix.split_once('.').unwrap_or((suffix, ""));
    let k = match axis {
        "x" => 0,
        "y" => 1,
        "z" => 2,
        _ => 3,
    };
    let [_, _, _, w, x, y, z] = *pose;
    let [a, b, c] = [displacement[3], displacement[4], displacement[5]];
    Some(match quantity {
        "pos" => displacement[k],
        // Half of the rotation times the quaternion.
        "quat" => {
            let change =
                [-(a * x + b * y + c * z), a * w + b * z - c * y, b * w + c * x - a * z, c * w + a * y - b * x];
            0.5 * change[if k == 3 { 0 } else { k + 1 }]
        }
        "roll" | "pitch" | "yaw" => {
            // R = Rz(yaw) Ry(pitch) Rx(roll); the rotation is yaw' e_z + pitch' (-sin yaw, cos
            // yaw, 0) + roll' (x axis of R).
            let first = [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)];
            let level = first[0].hypot(first[1]);
            if level < 1e-8 {
                return None;
            }
            let (cos, sin) = (first[0] / level, first[1] / level);
            let roll = (a * cos + b * sin) / level;
            match quantity {
                "roll" => roll,
                "pitch" => b * cos - a * sin,
                _ => c - roll * first[2],
            }
        }
        "vel" => velocity[k],
        "omega" => velocity[3 + k],
        "acc" => acceleration[k],
        "alpha" => acceleration[3 + k],
        _ => return None,
    })
}

/// A vector turned by a quaternion w x y z.
fn rotate(q: &[f64], v: &[f64]) -> [f64; 3] {
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let (axis, v) = ([q[1], q[2], q[3]], [v[0], v[1], v[2]]);
    let once = cross(axis, v).map(|x| 2.0 * x);
    let twice = cross(axis, once);
    std::array::from_fn(|k| v[k] + q[0] * once[k] + twice[k])
}

/// A square matrix, column-major, times a vector.
fn product(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
    let n = vector.len();
    (0..n).map(|row| vector.iter().enumerate().map(|(column, x)| matrix[column * n + row] * x).sum()).collect()
}
