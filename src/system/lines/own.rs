//! Own variables of lines and joints in a state: stick points, what ends are tied to, stiffness,
//! internal pressure, slow strains, springs on joints, motion of the water.

use super::super::{State, System};
use super::{Hold, LineElement, slow_strains};
use crate::elements::line::{Fluid, Slow};
use crate::model::Model;

/// The time of slow strains that are those at rest, whatever the strains are.
const AT_REST: f64 = f64::MIN;

impl LineElement {
    /// Its slow strains among the numbers of all viscoelastic lines, at a time.
    pub fn slow<'a>(&self, numbers: &'a [f64], time: f64) -> Slow<'a> {
        match numbers.get(self.slow.clone()) {
            Some([since, strains @ ..]) if *since != AT_REST => {
                Slow { strains: strains.as_chunks().0, since: (time - since).max(0.0) }
            }
            _ => Slow::AT_REST,
        }
    }

    /// Stores the slow strains and strains of a time.
    pub(super) fn keep_slow(&self, time: f64, strains: &[[f64; 2]], numbers: &mut [f64]) {
        if let Some([since, own @ ..]) = numbers.get_mut(self.slow.clone()) {
            *since = time;
            own.as_chunks_mut().0.copy_from_slice(strains);
        }
    }
}

/// Gives viscoelastic lines the slow strains of rest at whatever strains they have.
pub fn relax_lines(system: &System, state: &mut State) {
    system.lines.iter().for_each(|line| line.relax(state));
}

/// Sets the slow strains of a viscoelastic line of a model.
pub fn set_slow_strains(model: &Model, line: usize, strains: &[f64], state: &mut State) {
    let own: &mut [[f64; 2]] = state.slow_mut()[slow_strains(model, line)].as_chunks_mut().0;
    own.iter_mut().zip(strains).for_each(|(own, strain)| own[0] = *strain);
}

impl LineElement {
    /// The same of one line.
    pub(super) fn relax(&self, state: &mut State) {
        if let Some(since) = state.slow_mut().get_mut(self.slow.start).filter(|_| !self.slow.is_empty()) {
            *since = AT_REST;
        }
    }
}

impl State {
    /// Stick points of friction, x and y from the model's origin; one per node of all lines.
    #[inline(always)]
    pub fn sticks(&self) -> &[[f64; 2]] {
        self.z[self.layout.own().sticks()].as_chunks().0
    }

    /// The same, mutable.
    #[inline(always)]
    pub fn sticks_mut(&mut self) -> &mut [[f64; 2]] {
        self.z[self.layout.own().sticks()].as_chunks_mut().0
    }

    /// What the ends of each line are tied to.
    pub fn holds(&self) -> impl ExactSizeIterator<Item = [Hold; 2]> + '_ {
        let own = self.z[self.layout.own().holds()].as_chunks().0.iter();
        own.map(|ends: &[f64; 2]| ends.map(Hold::from_number))
    }

    /// Sets what the ends of a line are tied to.
    pub fn set_holds(&mut self, line: usize, holds: [Hold; 2]) {
        let own: &mut [[f64; 2]] = self.z[self.layout.own().holds()].as_chunks_mut().0;
        own[line] = holds.map(|hold| f64::from(hold as u8));
    }

    /// EA of each line, 0 where a table says.
    pub fn stiffnesses(&self) -> &[f64] {
        &self.z[self.layout.own().stiffnesses()]
    }

    /// The same, mutable.
    pub fn stiffnesses_mut(&mut self) -> &mut [f64] {
        &mut self.z[self.layout.own().stiffnesses()]
    }

    /// Internal pressures of the lines that have them, line by line, at each node.
    pub fn pressures(&self) -> &[f64] {
        &self.z[self.layout.own().pressures()]
    }

    /// The same, mutable.
    pub fn pressures_mut(&mut self) -> &mut [f64] {
        &mut self.z[self.layout.own().pressures()]
    }

    /// Numbers of viscoelastic lines.
    #[inline(always)]
    pub fn slow(&self) -> &[f64] {
        &self.z[self.layout.own().slow()]
    }

    /// The same, mutable.
    pub(super) fn slow_mut(&mut self) -> &mut [f64] {
        &mut self.z[self.layout.own().slow()]
    }

    /// Stiffness, damping and rest of the springs on joints, joint by joint, of the coordinate before
    /// that of the slide.
    pub fn joint_springs(&self) -> &[[f64; 3]] {
        self.z[self.layout.own().springs()].as_chunks().0
    }

    /// The same, mutable.
    pub fn joint_springs_mut(&mut self) -> &mut [[f64; 3]] {
        self.z[self.layout.own().springs()].as_chunks_mut().0
    }

    /// The last results of the fluid callback: at the nodes of all lines, then at the points, then at
    /// the places of elements. None without a callback.
    #[inline(always)]
    pub fn fluid(&self) -> impl ExactSizeIterator<Item = Fluid> + '_ {
        self.z[self.layout.own().count()..].as_chunks().0.iter().map(Fluid::from_numbers)
    }

    /// Stores the results of the fluid callback.
    #[inline(always)]
    pub fn set_fluid(&mut self, fluid: &[Fluid]) {
        self.z.truncate(self.layout.own().count());
        self.z.extend(fluid.iter().flat_map(Fluid::numbers));
    }
}
