//! Own variables of lines and joints in a state: stick points, what ends are tied to, stiffness,
//! internal pressure, slow strains, springs on joints, motion of the water.

use super::super::{State, System};
use super::{Hold, LineElement};
use crate::elements::line::{Fluid, Slow};
use crate::model::Model;
use crate::spatial::Vec3;

/// The time of slow strains that are those at rest, whatever the strains are.
const AT_REST: f64 = f64::MIN;

impl LineElement {
    /// Its slow strains among the numbers of all viscoelastic lines, at a time.
    pub fn slow<'a>(&self, numbers: &'a [f64], time: f64) -> Slow<'a> {
        match numbers.get(self.slow.clone()) {
            Some([since, strains @ ..]) => {
                let since = if *since == AT_REST { f64::INFINITY } else { (time - since).max(0.0) };
                Slow { strains: strains.as_chunks().0, since }
            }
            _ => Slow::AT_REST,
        }
    }

    /// The same at rest, with the largest tensions of a state.
    pub(super) fn settled<'a>(&self, state: &'a State) -> Slow<'a> {
        Slow { since: f64::INFINITY, ..self.slow(state.slow(), 0.0) }
    }

    /// Stores the slow strains and strains of a time.
    pub(super) fn keep_slow(&self, time: f64, strains: &[[f64; 3]], numbers: &mut [f64]) {
        if let Some([since, own @ ..]) = numbers.get_mut(self.slow.clone()) {
            *since = time;
            own.as_chunks_mut().0.copy_from_slice(strains);
        }
    }
}

/// Gives segments the largest tensions that the lines of a model had before the start.
pub fn begin_lines(system: &System, model: &Model, state: &mut State) {
    for (element, line) in system.lines.iter().zip(&model.lines) {
        if let Some([_, own @ ..]) = state.slow_mut().get_mut(element.slow.clone()) {
            own.as_chunks_mut::<3>().0.iter_mut().zip(&line.largest).for_each(|(own, largest)| own[2] = *largest);
        }
    }
}

/// Gives viscoelastic lines the slow strains of rest at whatever strains they have.
pub fn relax_lines(system: &System, state: &mut State) {
    system.lines.iter().for_each(|line| line.relax(state));
}

/// Slow strain and largest tension of each segment of a viscoelastic line at a state; none of
/// another line.
pub fn slow_strains(system: &System, line: usize, state: &State) -> impl Iterator<Item = [f64; 2]> {
    let element = &system.lines[line];
    let numbers = element.slow(state.slow(), state.time).strains;
    numbers.iter().map(|own| [element.chain.slow_strain(own), own[2]])
}

/// Tensions of the springs of a line of an unstretched length, without damping: of the slow ones of
/// a viscoelastic line.
pub fn spring_tensions(system: &System, line: usize, length: f64, state: &State) -> impl Iterator<Item = f64> {
    let element = &system.lines[line];
    let segment = length / element.segments.len() as f64;
    let own = element.slow(state.slow(), state.time).strains;
    let places = &system.layout.chained_places(&state.q)[element.nodes.clone()];
    places.windows(2).enumerate().map(move |(k, ends)| {
        let strain = (Vec3::from(ends[1]) - Vec3::from(ends[0])).norm() / segment - 1.0;
        element.chain.spring_tension(strain, own.get(k).unwrap_or(&[0.0; 3]))
    })
}

/// Gives segments of a viscoelastic line slow strains and largest tensions.
pub fn set_slow_strains(system: &System, line: usize, found: impl Iterator<Item = [f64; 2]>, state: &mut State) {
    let element = &system.lines[line];
    if let Some([_, own @ ..]) = state.slow_mut().get_mut(element.slow.clone()) {
        for (own, [strain, largest]) in own.as_chunks_mut::<3>().0.iter_mut().zip(found) {
            *own = element.chain.with_slow_strain(strain, own[1], largest);
        }
    }
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

    /// Stiffness, damping and rest of the springs on joints, joint by joint, of the coordinate
    /// before that of the slide.
    pub fn joint_springs(&self) -> &[[f64; 3]] {
        self.z[self.layout.own().springs()].as_chunks().0
    }

    /// The same, mutable.
    pub fn joint_springs_mut(&mut self) -> &mut [[f64; 3]] {
        self.z[self.layout.own().springs()].as_chunks_mut().0
    }

    /// The last results of the fluid callback: at the nodes of all lines, then at the points, then
    /// at the places of elements. None without a callback.
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
