//! The variables of an instance: what is read and set by value references.

use crate::failure::Failure;
use crate::instance::{Instance, Mode, Outcome};
use crate::memory::room;
use crate::model::{OUTPUT_ARRAYS, Reference};
use pintle::{Memory, Work};

impl Instance {
    /// The channels.
    pub(crate) fn outputs(&mut self) -> Outcome<&[f64]> {
        self.ready()?;
        if let (false, Some(simulation)) = (self.outputs_known, &self.simulation) {
            let _reactions = room(Memory::of(simulation).channels())?;
            simulation.channels().values(&mut self.outputs)?;
            self.outputs_known = true;
        }
        Ok(&self.outputs)
    }

    fn unknown(&self, reference: u32, what: &str) -> Failure {
        Failure::error(format!("{} is not {what}", self.model.name_of(reference)))
    }

    /// How many numbers a real variable has. Errors: it is none.
    pub fn width(&self, reference: u32) -> Outcome<usize> {
        let model = &self.model;
        let width = match Reference::from_value(reference) {
            Some(Reference::Output(k)) if k < model.outputs.len() => Some(1),
            Some(Reference::Input(k)) if k < model.inputs.len() => Some(1),
            Some(Reference::Parameter(k)) if k < model.parameters.len() => Some(1),
            Some(Reference::OutputArray(carrier, what)) if carrier < model.carriers.len() => {
                Some(OUTPUT_ARRAYS[what].1.len())
            }
            Some(Reference::InputArray(carrier)) if carrier < model.carriers.len() => Some(6),
            _ => None,
        };
        width.ok_or_else(|| self.unknown(reference, "a real variable of this model"))
    }

    /// Reads a real variable into as many numbers as it has.
    pub fn get(&mut self, reference: u32, into: &mut [f64]) -> Outcome<()> {
        if self.width(reference)? != into.len() {
            return Err(self.unknown(reference, &format!("of width {}", into.len())));
        }
        match Reference::from_value(reference) {
            Some(Reference::Output(k)) => into[0] = self.outputs()?[k],
            Some(Reference::OutputArray(carrier, what)) => {
                let first = self.model.carriers[carrier].first_output;
                let range = &OUTPUT_ARRAYS[what].1;
                into.copy_from_slice(&self.outputs()?[first + range.start..first + range.end]);
            }
            Some(Reference::Input(k)) => into[0] = self.values.inputs[k],
            Some(Reference::Parameter(k)) => into[0] = self.values.parameters[k],
            Some(Reference::InputArray(carrier)) => {
                into.copy_from_slice(&self.values.wrenches[6 * carrier..6 * carrier + 6]);
            }
            Some(Reference::Scheme) | None => return Err(self.unknown(reference, "a real variable of this model")),
        }
        Ok(())
    }

    /// Sets a real variable. Errors: not one that can be set in this mode; not finite.
    pub fn set(&mut self, reference: u32, from: &[f64]) -> Outcome<()> {
        if self.width(reference)? != from.len() {
            return Err(self.unknown(reference, &format!("of width {}", from.len())));
        }
        if let Some(value) = from.iter().find(|value| !value.is_finite()) {
            return Err(Failure::error(format!("{} = {value} is not finite", self.model.name_of(reference))));
        }
        let before_steps = matches!(self.mode, Mode::Instantiated | Mode::Initialization);
        let running = before_steps || self.mode == Mode::Step;
        match Reference::from_value(reference) {
            Some(Reference::Input(k)) if running => {
                self.values.inputs[k] = from[0];
                self.touch(self.model.inputs[k].group);
            }
            Some(Reference::InputArray(carrier)) if running => {
                self.values.wrenches[6 * carrier..6 * carrier + 6].copy_from_slice(from);
                self.touch(self.model.inputs[self.model.carriers[carrier].first_input].group);
            }
            Some(Reference::Parameter(k)) if before_steps => {
                self.values.parameters[k] = from[0];
                self.forget();
            }
            Some(Reference::Parameter(_)) => {
                return Err(self.unknown(reference, "to be changed after initialization"));
            }
            Some(Reference::Input(_) | Reference::InputArray(_)) => {
                return Err(self.unknown(reference, "to be set after termination"));
            }
            _ => return Err(self.unknown(reference, "an input or a parameter")),
        }
        Ok(())
    }

    /// A group of inputs is set by the importer from now on.
    fn touch(&mut self, group: usize) {
        if !self.values.touched[group] {
            self.values.touched[group] = true;
            self.feed = None;
        }
        if self.mode != Mode::Step {
            self.forget();
        }
    }

    /// Sets the time derivative of an input over the coming step.
    pub fn set_input_derivative(&mut self, reference: u32, rate: f64) -> Outcome<()> {
        match Reference::from_value(reference) {
            Some(Reference::Input(k)) if k < self.model.inputs.len() => {
                if !rate.is_finite() {
                    let name = self.model.name_of(reference);
                    return Err(Failure::error(format!("the derivative {rate} of {name} is not finite")));
                }
                self.values.rates[k] = rate;
                self.touch(self.model.inputs[k].group);
                Ok(())
            }
            _ => Err(self.unknown(reference, "an input")),
        }
    }

    /// Reads the time scheme. Errors: another variable.
    pub fn scheme(&self, reference: u32) -> Outcome<&str> {
        match Reference::from_value(reference) {
            Some(Reference::Scheme) => Ok(&self.values.scheme),
            _ => Err(self.unknown(reference, "a text variable of this model")),
        }
    }

    /// Sets the time scheme. Errors: another variable; unknown; after initialization.
    pub fn set_scheme(&mut self, reference: u32, name: &str) -> Outcome<()> {
        self.scheme(reference)?;
        self.require(&[Mode::Instantiated, Mode::Initialization], "setting the time scheme")?;
        // Refused here what has no such name.
        let _copy = room(Memory::of(&self.model.base).working(Work::Clone))?;
        self.model.base.clone().settings().set_scheme(name)?;
        name.clone_into(&mut self.values.scheme);
        self.forget();
        Ok(())
    }
}
