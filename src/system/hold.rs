//! Whether joints are still closed, and in the same assembly, at the end of a step.
//!
//! Steps that are far too long for a motion may end with bodies far outside the model, where
//! increments look small against positions, or with joints in another solution of their equations,
//! such as axes that point against each other. Residuals show neither. In both cases a body
//! deviates from straight flight by more than a length of the model, or turns by more than an
//! eighth of a turn: if both bodies of a joint turn by less, axes that were aligned are within a
//! right angle. Joints are checked after such steps only.

use super::State;
use super::joints::Misfit;
use super::views::Joints;

/// How far a joint may be open, in lengths of the model: far above any sensible tolerance.
const OPEN: f64 = 0.1;

/// How far its frames may be misaligned (rad); other solutions of its equations are half a turn
/// away.
pub const TURNED: f64 = 1.0;

/// Cosine of half of an eighth of a turn.
const SMALL_TURN: f64 = 0.923_879_532_511_286_7;

/// A joint that is open or turned over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Torn {
    /// Which one.
    pub joint: usize,
    /// Distance of its origins.
    pub length: f64,
    /// Angle between axes that should be aligned (rad).
    pub angle: f64,
}

impl Joints<'_> {
    /// The first joint that is open or turned over at the end of a step of `h`. `may_open`: only
    /// turned joints count, because iterations without convergence are accepted.
    pub fn torn_in_step(self, from: &State, to: &State, h: f64, may_open: bool) -> Option<Torn> {
        if self.0.joints.is_empty() || !self.leaps(from, to, h) {
            return None;
        }
        let open = OPEN * self.0.scales.length;
        self.0.joints.iter().zip(&to.drives).enumerate().find_map(|(joint, (element, drives))| {
            let [a, b] = self.0.end_motions(element.ends(), to);
            let misfit = Misfit { joint: element, ends: [&a, &b] };
            let (gap, turned) = (misfit.gap(drives), misfit.misalignment());
            let holds = turned <= TURNED && (may_open || (gap.length <= open && gap.angle <= TURNED));
            (!holds).then_some(Torn { joint, length: gap.length, angle: gap.angle })
        })
    }

    /// The first disc that may have been turned over in a step, because its axis turns further than
    /// it leans: which one, how far it leans and turns (rad).
    pub fn overturns(self, from: &State, to: &State) -> Option<(usize, [f64; 2])> {
        self.0.discs.iter().find_map(|joint| {
            let element = &self.0.joints[*joint];
            let [start, end] = [from, to].map(|state| self.0.end_motions(element.ends(), state));
            let (axis, lean) = element.lean([&start[0], &start[1]])?;
            let (later, leans) = element.lean([&end[0], &end[1]])?;
            let turn = axis.cross(&later).norm().atan2(axis.dot(&later));
            let least = lean.min(leans);
            // NaN counts as far.
            let stands = turn <= least;
            (!stands).then_some((*joint, [least, turn]))
        })
    }

    /// Whether a body moves so far that its joints must be checked.
    #[inline(always)]
    fn leaps(self, from: &State, to: &State, h: f64) -> bool {
        let layout = self.0.layout;
        let (starts, ends) = (layout.split_places(&from.q).0, layout.split_places(&to.q).0);
        let far = self.0.scales.length * self.0.scales.length;
        let rates = layout.split(&from.v).0;
        // NaN counts as far.
        let stays = |k: usize| {
            let (start, end, v) = (&starts[k], &ends[k], &rates[k]);
            let off = |k: usize| end[k] - start[k] - h * v[k];
            let cosine = start[3] * end[3] + start[4] * end[4] + start[5] * end[5] + start[6] * end[6];
            off(0) * off(0) + off(1) * off(1) + off(2) * off(2) <= far && cosine.abs() >= SMALL_TURN
        };
        !(0..layout.bodies()).all(stays)
    }
}
