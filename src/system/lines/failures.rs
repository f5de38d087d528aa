//! Ends of lines that break off: whether they do at a state, and what they are tied to afterwards.

use super::super::State;
use super::super::views::{Adjust, Lines};
use super::{LineElement, free};
use crate::elements::Tie;
use crate::model::LineFailure;
use crate::spatial::{BodyState, Vec3};

/// What an end of a line is tied to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Hold {
    /// The carrier of its point.
    Point,
    /// Nothing.
    Free,
    /// The point of its failure, with the other ends of it.
    Joined,
}

impl Hold {
    /// From its number in states.
    pub(super) fn from_number(number: f64) -> Hold {
        match number {
            0.0 => Hold::Point,
            1.0 => Hold::Free,
            _ => Hold::Joined,
        }
    }
}

impl Lines<'_> {
    /// The earliest time after `start` at which ends break off that are tied in a state.
    pub fn next_failure(self, state: &State, start: f64) -> Option<f64> {
        let times = self.0.failures.iter().filter(|failure| failure.time > start);
        let tied = times.filter(|failure| failure.ends.iter().any(|end| is_tied(state, *end)));
        tied.map(|failure| failure.time).reduce(f64::min)
    }

    /// Breaks off the ends that do so at a state, at whose time `rounding` is nothing. Returns true
    /// if there are any; the system must then follow the state ([`Adjust::follow_lines`]).
    pub fn fail(self, state: &mut State, rounding: f64) -> bool {
        let mut any = false;
        for failure in &self.0.failures {
            let tension = |(line, end): (usize, usize)| {
                let segments = &self.0.lines[line].segments;
                state.lines.tensions[[segments.start, segments.end - 1][end]]
            };
            let mut tied = failure.ends.iter().copied().filter(|end| is_tied(state, *end));
            let is_due = failure.time > 0.0 && failure.time <= state.time + rounding;
            let is_torn = failure.tension > 0.0 && tied.clone().any(|end| tension(end) > failure.tension);
            let Some((line, end)) = tied.next().filter(|_| is_due || is_torn) else {
                self.rest(failure, state);
                continue;
            };
            any = true;
            if let Some(point) = failure.point {
                let LineElement { nodes, .. } = &self.0.lines[line];
                let node = self.0.layout.chained_node([nodes.start, nodes.end - 1][end]);
                state.set_body(self.0.layout.point(point), &BodyState { ..state.body(node) });
            }
            let hold = if failure.point.is_some() { Hold::Joined } else { Hold::Free };
            for (line, end) in failure.ends.iter().copied() {
                let mut holds = held(state, line);
                if holds[end] == Hold::Point {
                    holds[end] = hold;
                    state.set_holds(line, holds);
                }
            }
        }
        any
    }

    /// Schemes leave numbers of a waiting point that no motion is imposed on: it is at rest.
    fn rest(self, failure: &LineFailure, state: &mut State) {
        let is_joined = |(line, end): &(usize, usize)| held(state, *line)[*end] == Hold::Joined;
        if let Some(point) = failure.point.filter(|_| !failure.ends.iter().any(is_joined)) {
            let range = self.0.layout.velocities(self.0.layout.point(point));
            for numbers in [&mut state.v, &mut state.vdot, &mut state.reactions] {
                numbers[range.clone()].fill(0.0);
            }
        }
    }

    /// Whether ends of lines are tied to the same here and in a state, and lines are as stiff
    /// and have the same internal pressure.
    pub fn are_as_in(self, state: &State) -> bool {
        self.own().eq(state.holds().zip(state.stiffnesses().iter().copied()))
            && self.pressures().eq(state.pressures().iter().copied())
    }

    /// What the ends of all lines are tied to, and EA.
    pub(in crate::system) fn own(self) -> impl Iterator<Item = ([Hold; 2], f64)> {
        self.0.lines.iter().map(|line| (line.holds, line.chain.stiffness()))
    }

    /// Internal pressures, as states have them.
    pub(in crate::system) fn pressures(self) -> impl Iterator<Item = f64> {
        self.0.lines.iter().flat_map(|line| line.chain.pressures()).copied()
    }
}

/// Whether an end of a line is tied to its point in a state.
fn is_tied(state: &State, (line, end): (usize, usize)) -> bool {
    held(state, line)[end] == Hold::Point
}

/// What the ends of a line are tied to in a state.
pub fn held(state: &State, line: usize) -> [Hold; 2] {
    state.holds().nth(line).unwrap_or([Hold::Point; 2])
}

impl Adjust<'_> {
    /// Ties ends of lines to their carriers or releases them, and sets their stiffness and
    /// pressure, as in a state. The graph of a matrix is updated in its next assembly.
    pub fn follow_lines(self, state: &State) {
        self.set_lines(state.holds().zip(state.stiffnesses().iter().copied()), state.pressures().iter().copied());
    }

    /// The same as in another system of the same model.
    pub fn take_lines(self, other: Lines) {
        self.set_lines(other.own(), other.pressures());
    }

    fn set_lines(self, own: impl Iterator<Item = ([Hold; 2], f64)>, pressures: impl Iterator<Item = f64>) {
        let system = self.0;
        let places = system.lines.iter_mut().flat_map(|line| line.chain.pressures_mut());
        places.zip(pressures).for_each(|(own, pressure)| *own = pressure);
        for (line, (holds, ea)) in system.lines.iter_mut().zip(own) {
            line.holds = holds;
            line.chain.set_stiffness(ea);
        }
        for failure in &system.failures {
            let Some(point) = failure.point else { continue };
            let node = system.layout.point(point);
            system.free[node] = false;
            for (line, end) in &failure.ends {
                let line = &mut system.lines[*line];
                let is_joined = line.holds[*end] == Hold::Joined;
                line.ends[*end] = if is_joined { Tie { node, at: Vec3::zeros() } } else { line.described[*end] };
                system.free[node] |= is_joined;
            }
        }
        let first = system.layout.carriers();
        system.free[first..].iter_mut().zip(free(&system.lines)).for_each(|(own, free)| *own = free);
    }
}
