//! What lines carry through time beside how their nodes move, among the own variables of a state.

use super::super::State;
use crate::elements::line::Fluid;

impl State {
    /// Stick points of friction, x and y as positions are measured inside; one per node of all lines.
    #[inline(always)]
    pub fn sticks(&self) -> &[[f64; 2]] {
        self.z[self.layout.own().sticks()].as_chunks().0
    }

    /// The same to change.
    #[inline(always)]
    pub fn sticks_mut(&mut self) -> &mut [[f64; 2]] {
        self.z[self.layout.own().sticks()].as_chunks_mut().0
    }

    /// Which ends of each line are tied to nothing any more.
    pub fn released(&self) -> impl ExactSizeIterator<Item = [bool; 2]> + '_ {
        self.z[self.layout.own().released()]
            .as_chunks()
            .0
            .iter()
            .map(|ends: &[f64; 2]| ends.map(|released| released != 0.0))
    }

    /// Lets ends of a line go, or ties them again.
    pub fn set_released(&mut self, line: usize, released: [bool; 2]) {
        let own: &mut [[f64; 2]] = self.z[self.layout.own().released()].as_chunks_mut().0;
        own[line] = released.map(f64::from);
    }

    /// What the host said last of the water: at the nodes of all lines, then at the points. None without a callback.
    #[inline(always)]
    pub fn fluid(&self) -> impl ExactSizeIterator<Item = Fluid> + '_ {
        self.z[self.layout.own().count()..].as_chunks().0.iter().map(Fluid::from_numbers)
    }

    /// Notes what the host said of the water.
    #[inline(always)]
    pub fn set_fluid(&mut self, fluid: &[Fluid]) {
        self.z.truncate(self.layout.own().count());
        self.z.extend(fluid.iter().flat_map(Fluid::numbers));
    }
}
