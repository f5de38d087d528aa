//! Redundant constraints, which are not solved for because they follow from others: their names,
//! and the test whether positions and accelerations satisfy them. Constraints that contradict each
//! other fail this test.

use super::hold::TURNED;
use super::joints::Misfit;
use super::views::Joints;
use super::{State, System};
use crate::spatial::{lower, upper};

/// Rounding of accelerations, relative to those that loads and reactions would cause: the unit of
/// rounding and some digits for the elimination. A smaller contradiction opens a joint by less than
/// 1e-9 m in a second.
const ROUNDING: f64 = 1e-10;

/// Turning of a disc that counts as rest, in units of the rate at which the model swings.
const STILL: f64 = 1e-6;

/// Largest violation of a redundant constraint, in lengths of the model or rad: far above the error
/// of imprecise joint frames, far below that of an open joint.
const CONTRADICTED: f64 = 1e-4;

impl System {
    /// Whether a redundant constraint, of a joint or a gear, is violated so much that it no longer
    /// follows from the others.
    pub(super) fn is_contradicted(&self, left: f64, is_length: bool) -> bool {
        left.abs() > if is_length { CONTRADICTED * self.scales.length } else { CONTRADICTED }
    }
}

impl Joints<'_> {
    /// Names of the redundant constraints of a joint, and the number of all its constraints.
    pub fn redundant(self, joint: usize) -> (Vec<&'static str>, usize) {
        let element = &self.0.joints[joint];
        let names = element.row_names().zip(&element.indices);
        (names.filter(|(_, index)| index.is_none()).map(|(name, _)| name).collect(), element.rows())
    }

    /// The first joint with a redundant constraint that the accelerations violate, and by how much.
    ///
    /// A residual without contradiction has two causes: frames that agree within `part` only, in
    /// proportion to the accelerations, and rounding, in proportion to the accelerations that loads
    /// and reactions would cause if they were not in balance. The second term is needed because
    /// accelerations at rest are rounding themselves.
    pub fn torn_by_accelerations(self, state: &State, part: f64) -> Option<(usize, f64)> {
        let limit = self.torn_limit(state, part);
        let torn = self.0.joints.iter().zip(&state.drives).map(|(joint, drives)| {
            let [a, b] = self.0.end_motions(joint.ends(), state);
            joint.torn([&a, &b], drives, self.0.scales.length)
        });
        torn.enumerate().find(|(_, torn)| *torn > limit)
    }

    /// The residual of accelerations above which there is a contradiction.
    pub(super) fn torn_limit(self, state: &State, part: f64) -> f64 {
        part * self.kinematic_size(state) + ROUNDING * self.load_size(state)
    }

    /// Largest acceleration or velocity term of a body or a drive; angles as arcs of the model's
    /// length.
    fn kinematic_size(self, state: &State) -> f64 {
        let length = self.0.scales.length;
        let bodies = state.motions().map(|body| {
            let turning = lower(&body.vdot).norm().max(lower(&body.v).norm_squared());
            upper(&body.vdot).norm().max(turning * length)
        });
        // Other joints may hold the bodies at rest against a drive that accelerates.
        let drives = self.0.joints.iter().zip(&state.drives).map(|(joint, [drive, slide])| {
            let scale = if joint.has_angle() { length } else { 1.0 };
            (scale * drive[2].abs()).max(slide[2].abs())
        });
        bodies.chain(drives).fold(0.0, f64::max)
    }

    /// Largest acceleration that gravity would cause, or a multiplier on the masses that its
    /// constraint moves.
    fn load_size(self, state: &State) -> f64 {
        let reactions = state.lambda.iter().enumerate().map(|(k, lambda)| match self.0.constraints().scale(k) {
            (_, 0.0) => 0.0,
            (true, mass) => lambda.abs() / mass,
            (false, inertia) => lambda.abs() / inertia * self.0.scales.length,
        });
        reactions.fold(self.0.gravity.norm(), f64::max)
    }

    /// The first joint whose disc rolls at a state.
    pub fn rolling(self, state: &State) -> Option<usize> {
        let still = STILL * (self.0.gravity.norm() / self.0.scales.length).sqrt();
        // At rest slips are the rates of small displacements; while disc or plane turn they are
        // not.
        self.0.discs.iter().copied().find(|joint| {
            self.0.end_motions(self.0.joints[*joint].ends(), state).iter().any(|end| end.omega.norm() > still)
        })
    }

    /// The first rolling disc with a slip that no longer follows from other constraints, as it
    /// did where the model was initialized: it slips faster than `least`, and than a part of the
    /// speed at which it turns.
    pub fn slipping(self, state: &State, least: f64) -> Option<usize> {
        self.0.left_out.iter().copied().find(|joint| {
            let element = &self.0.joints[*joint];
            let [a, b] = self.0.end_motions(element.ends(), state);
            let slip = element.left_out_slip([&a, &b]);
            slip.is_some_and(|[slip, speed]| slip > CONTRADICTED * speed + least)
        })
    }

    /// The first joint with a redundant constraint that no longer follows from the others. Imposed
    /// motions that contradict each other by half a turn fulfil all equations, but turn a joint
    /// over; `turns`: whether to test for this.
    pub fn contradicted(self, state: &State, turns: bool) -> Option<usize> {
        let system = self.0;
        if system.redundant == 0 {
            return None;
        }
        let turns = turns && system.is_imposed_on;
        let contradicts = |joint: &usize| {
            let (element, drive) = (&system.joints[*joint], &state.drives[*joint]);
            let [a, b] = system.end_motions(element.ends(), state);
            let misfit = Misfit { joint: element, ends: [&a, &b] };
            misfit.left_out(drive).any(|(phi, is_length)| system.is_contradicted(phi, is_length))
                || (turns && misfit.misalignment() > TURNED)
        };
        match turns {
            true => (0..system.joints.len()).find(contradicts),
            false => system.left_out.iter().copied().find(contradicts),
        }
    }
}
