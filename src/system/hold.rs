//! Whether joints still hold their bodies at the end of a step.
//!
//! Steps far too long for a motion may end with bodies that have left the model, from where increments look small beside what they are
//! added to, or with joints in another of the positions that their equations allow, such as axes that point against each other.
//! Neither shows in residuals. Both take a body that leaves the line of its flight by more than a length of the model, or that turns by
//! more than an eighth of a turn: where each turns by less, axes that were aligned are within a right angle. Joints are looked at
//! behind such steps only.

use super::State;
use super::joints::Misfit;
use super::views::Joints;

/// How far a joint may be open, in lengths of the model: far more than any sensible tolerance leaves.
const OPEN: f64 = 0.1;

/// How far its frames may be out of line (rad); other positions that fulfil its equations are half a turn away.
pub const TURNED: f64 = 1.0;

/// Cosine of half of an eighth of a turn.
const SMALL_TURN: f64 = 0.923_879_532_511_286_7;

/// A joint that does not hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Torn {
    /// Which one.
    pub joint: usize,
    /// Distance of its origins.
    pub length: f64,
    /// Angle between what it keeps aligned (rad).
    pub angle: f64,
}

impl Joints<'_> {
    /// The first joint that does not hold at the end of a step of `h`; `may_open`: where iterations without convergence are accepted, joints
    /// may be open, but not turned over.
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

    /// Whether a body moves so far that its joints may not hold any more.
    #[inline(always)]
    fn leaps(self, from: &State, to: &State, h: f64) -> bool {
        let layout = self.0.layout;
        let (starts, ends) = (layout.split_places(&from.q).0, layout.split_places(&to.q).0);
        let far = self.0.scales.length * self.0.scales.length;
        let rates = layout.split(&from.v).0;
        // What is no number leaps.
        let stays = |k: usize| {
            let (start, end, v) = (&starts[k], &ends[k], &rates[k]);
            let off = |k: usize| end[k] - start[k] - h * v[k];
            let cosine = start[3] * end[3] + start[4] * end[4] + start[5] * end[5] + start[6] * end[6];
            off(0) * off(0) + off(1) * off(1) + off(2) * off(2) <= far && cosine.abs() >= SMALL_TURN
        };
        !(0..layout.bodies()).all(stays)
    }
}
