//! The variables of an instance: reading and setting by value references.

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

    /// Number of elements of a real variable. Errors: it is not one.
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

    /// Reads all elements of a real variable.
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

    /// The real variable of a reference, to be set. Errors: it cannot be set in this mode; not
    /// finite.
    pub fn check_set(&self, reference: u32, from: &[f64]) -> Outcome<Reference> {
        if self.width(reference)? != from.len() {
            return Err(self.unknown(reference, &format!("of width {}", from.len())));
        }
        if let Some(value) = from.iter().find(|value| !value.is_finite()) {
            return Err(Failure::error(format!("{} = {value} is not finite", self.model.name_of(reference))));
        }
        let before_steps = matches!(self.mode, Mode::Instantiated | Mode::Initialization);
        let running = before_steps || self.mode == Mode::Step;
        match Reference::from_value(reference) {
            Some(input @ (Reference::Input(_) | Reference::InputArray(_))) if running => Ok(input),
            Some(Reference::Input(_) | Reference::InputArray(_)) => {
                Err(self.unknown(reference, "to be set after termination"))
            }
            Some(parameter @ Reference::Parameter(_)) if before_steps => Ok(parameter),
            Some(Reference::Parameter(_)) => Err(self.unknown(reference, "to be changed after initialization")),
            _ => Err(self.unknown(reference, "an input or a parameter")),
        }
    }

    /// Sets a real variable. Errors: those of [`Instance::check_set`].
    pub fn set(&mut self, reference: u32, from: &[f64]) -> Outcome<()> {
        match self.check_set(reference, from)? {
            Reference::Input(k) => {
                self.values.inputs[k] = from[0];
                self.touch(self.model.inputs[k].group);
            }
            Reference::InputArray(carrier) => {
                self.values.wrenches[6 * carrier..6 * carrier + 6].copy_from_slice(from);
                self.touch(self.model.inputs[self.model.carriers[carrier].first_input].group);
            }
            Reference::Parameter(k) => {
                self.values.parameters[k] = from[0];
                self.forget();
            }
            Reference::Output(_) | Reference::OutputArray(..) | Reference::Scheme => {}
        }
        Ok(())
    }

    /// Marks a group of inputs as set by the importer.
    fn touch(&mut self, group: usize) {
        if !self.values.touched[group] {
            self.values.touched[group] = true;
            self.feed = None;
        }
        if self.mode != Mode::Step {
            self.forget();
        }
    }

    /// The input of a reference, whose time derivative is to be set. Errors: another variable; not
    /// finite.
    pub fn check_input_derivative(&self, reference: u32, rate: f64) -> Outcome<usize> {
        match Reference::from_value(reference) {
            Some(Reference::Input(k)) if k < self.model.inputs.len() => {
                if !rate.is_finite() {
                    let name = self.model.name_of(reference);
                    return Err(Failure::error(format!("the derivative {rate} of {name} is not finite")));
                }
                Ok(k)
            }
            _ => Err(self.unknown(reference, "an input")),
        }
    }

    /// Sets the time derivative of an input over the coming step. Errors: those of
    /// [`Instance::check_input_derivative`].
    pub fn set_input_derivative(&mut self, reference: u32, rate: f64) -> Outcome<()> {
        let k = self.check_input_derivative(reference, rate)?;
        self.values.rates[k] = rate;
        self.touch(self.model.inputs[k].group);
        Ok(())
    }

    /// Reads the time scheme. Errors: another variable.
    pub fn scheme(&self, reference: u32) -> Outcome<&str> {
        match Reference::from_value(reference) {
            Some(Reference::Scheme) => Ok(&self.values.scheme),
            _ => Err(self.unknown(reference, "a text variable of this model")),
        }
    }

    /// Errors: another variable than the time scheme; no scheme has this name; after
    /// initialization.
    pub fn check_scheme(&self, reference: u32, name: &str) -> Outcome<()> {
        self.scheme(reference)?;
        self.require(&[Mode::Instantiated, Mode::Initialization], "setting the time scheme")?;
        let _copy = room(Memory::of(&self.model.base).working(Work::Clone))?;
        Ok(self.model.base.clone().settings().set_scheme(name)?)
    }

    /// Sets the time scheme to one that [`Instance::check_scheme`] accepted.
    pub fn set_scheme(&mut self, name: &str) {
        name.clone_into(&mut self.values.scheme);
        self.forget();
    }
}
