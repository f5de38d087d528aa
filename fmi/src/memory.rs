//! Upper bounds of the memory of calls: a call reserves it before it begins, so that a failed
//! allocation is a status with nothing changed ([`pintle::reserve`]). Small allocations, such as
//! messages, come from the fixed part of the reserve.

use crate::instance::{Instance, Outcome};
use crate::model::Model;
use pintle::reserve::Promise;
pub(crate) use pintle::reserve::room;
use pintle::{Memory, Simulation, Work};

/// Reserved memory of a running call.
pub(crate) type Room = Option<Promise>;

/// Bytes per variable for lists over all of them: values, copies, directions.
const PER_VARIABLE: usize = 128;

impl Model {
    /// For lists of an instance, or a state, over the variables.
    pub(crate) fn list_memory(&self) -> usize {
        let Model { outputs, inputs, parameters, carriers, .. } = self;
        (outputs.len() + inputs.len() + parameters.len() + 6 * carriers.len()) * PER_VARIABLE
    }

    /// For the variables of a system in phase BUILDING with their names, computed on an initialized
    /// clone.
    pub(crate) fn variable_memory(base: &Simulation) -> usize {
        Memory::of(base).working(Work::Model).saturating_mul(2)
    }
}

impl Instance {
    /// For the start of a simulation: a clone of the model, and its initialization.
    pub(crate) fn start_memory(&self) -> usize {
        let model = Memory::of(&self.model.base).working(Work::Model);
        model.saturating_mul(2).saturating_add(self.model.list_memory())
    }

    /// Reserves memory for the start of a simulation.
    pub(crate) fn room_to_build(&self) -> Outcome<Room> {
        Ok(room(self.start_memory())?)
    }

    /// Reserves memory for a step: the first one, or the first with more inputs.
    pub(crate) fn room_to_step(&self) -> Outcome<Room> {
        let step = self.simulation.as_ref().map_or(0, |simulation| Memory::of(simulation).working(Work::Step));
        let lists = if self.feed.is_none() { self.model.list_memory() } else { 0 };
        Ok(room(step.saturating_add(lists))?)
    }

    /// Reserves memory for a copy of the state.
    pub(crate) fn room_to_copy(&self) -> Outcome<Room> {
        let copy = Memory::of(&self.model.base).working(Work::Copy);
        Ok(room(copy.saturating_add(2 * self.model.list_memory()))?)
    }

    /// Reserves memory for the conversion of a state from or to bytes, and for restoring a state of
    /// another instance.
    pub(crate) fn room_to_exchange(&self) -> Outcome<Room> {
        let model = Memory::of(&self.model.base).working(Work::Model);
        Ok(room(self.start_memory().saturating_add(model).saturating_add(self.model.list_memory()))?)
    }

    /// Reserves memory for derivatives: matrices over all loads, or steps of a copy.
    pub(crate) fn room_to_differentiate(&self) -> Outcome<Room> {
        let columns = 3 * 6 * self.model.carriers.len();
        let matrices = Memory::of(&self.model.base).working(Work::Matrices { columns });
        Ok(room(matrices.saturating_add(self.start_memory()).saturating_add(self.model.list_memory()))?)
    }
}
