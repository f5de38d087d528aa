//! Tendons with friction (`capstan`): their forces, over a step in energy form too, and their own
//! variables.

use super::capstan::{OWN, PerRun, Runs};
use super::divided::Divided;
use super::energy_form::add_wrenches;
use super::mean_gradient::Over;
use super::sheave::NoPath;
use super::{LineLength, Local, MOST_NODES, Site, Tendon};
use crate::spatial::{Mat6, Vec6};

/// Part of a limit from which a rope counts as slipping.
const AT_LIMIT: f64 = 1e-9;

/// What friction does at a point of a tendon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TendonSlip {
    /// The tensions before and after it.
    pub tensions: [f64; 2],
    /// The largest factor between both.
    pub limit: f64,
    /// Whether they differ by that.
    pub slips: bool,
    /// The energy that was dissipated there since the start.
    pub dissipated: f64,
}

impl Tendon {
    /// How many points have friction.
    pub(super) fn frictions(&self) -> usize {
        self.sheaves().iter().filter(|sheave| sheave.friction > 0.0).count()
    }

    pub(super) fn rubs(&self) -> bool {
        self.frictions() > 0
    }

    /// Its runs at places, with own variables of the last step. Errors: it has no path.
    pub(super) fn rubbing(
        &self,
        at: &[Site; MOST_NODES],
        (z, lengths): (&[f64], &[LineLength]),
        wants_derivatives: bool,
    ) -> Result<(Divided, Runs), NoPath> {
        let own = z.as_chunks::<OWN>().0;
        let marks = std::array::from_fn(|k| own.get(k).map_or(0.0, |own| own[1]));
        let divided = Divided::over(self.sheaves(), at, (!own.is_empty()).then_some(&marks), wants_derivatives)?;
        if self.pushes {
            let ea = self.stiffness_ea * divided.lengths.iter().sum::<f64>() / self.rest_length;
            let runs = Runs::held(ea, &divided.lengths[..divided.count], &divided.lengths);
            return Ok((divided, runs));
        }
        let whole = self.unstretched(lengths).length;
        let behind = |j: usize| own.get(j).map_or(0.0, |own| own[0]);
        let rope = std::array::from_fn(|j| if j == 0 { whole } else { behind(j - 1) } - behind(j));
        let exponents = std::array::from_fn(|k| self.sheaves()[divided.points[k]].friction * divided.wraps[k]);
        let lengths = &divided.lengths[..divided.count];
        let runs = Runs::slide(self.stiffness_ea, lengths, &rope, &divided.carried, &exponents);
        Ok((divided, runs))
    }

    /// Tensions of all runs, and their derivatives by the motion of each place.
    fn tensions_by(&self, divided: &Divided, runs: &Runs) -> (PerRun, [[Vec6; MOST_NODES]; MOST_NODES]) {
        let tensions = std::array::from_fn(|j| if j < divided.count { runs.tension(j) } else { 0.0 });
        let [by_length, by_carried, by_limit] = runs.derivatives();
        let mut by = [[Vec6::zeros(); MOST_NODES]; MOST_NODES];
        for (j, by) in by.iter_mut().enumerate().take(divided.count) {
            for (place, by) in by.iter_mut().enumerate().take(self.sheaves().len()) {
                for i in 0..divided.count {
                    let friction = self.sheaves()[divided.points[i]].friction;
                    *by += divided.gradients[i][place] * by_length[j][i]
                        + divided.carries[i][place] * by_carried[j][i]
                        + divided.turns[i][place] * (by_limit[j][i] * friction);
                }
            }
        }
        (tensions, by)
    }

    /// What friction does at a point. None without a path, or friction there.
    pub fn slip(&self, at: &[Site; MOST_NODES], own: (&[f64], &[LineLength]), point: usize) -> Option<TendonSlip> {
        let (divided, runs) = self.rubbing(at, own, false).ok()?;
        let k = (0..divided.count - 1).find(|k| divided.points[*k] == point)?;
        let tensions = [runs.tension(k), runs.tension(k + 1)];
        let limit = runs.limits[k];
        let [low, high] = [tensions[0].min(tensions[1]), tensions[0].max(tensions[1])];
        let slips = high > 0.0 && high >= low * limit * (1.0 - AT_LIMIT);
        Some(TendonSlip { tensions, limit, slips, dissipated: own.0[OWN * k + 2] })
    }

    /// Adds the residual, each run with its own tension.
    #[inline(never)]
    pub(super) fn evaluate_rubbing(
        &self,
        at: &[Site; MOST_NODES],
        own: (&[f64], &[LineLength]),
        out: &mut Local<MOST_NODES>,
    ) {
        let wants_tangents = out.tangents.is_some();
        let Ok((divided, runs)) = self.rubbing(at, own, wants_tangents) else {
            out.residual.iter_mut().for_each(|residual| residual.fill(f64::NAN));
            return;
        };
        let mut local = Local::zero(false, wants_tangents);
        let count = self.sheaves().len();
        for j in 0..divided.count {
            for (residual, gradient) in local.residual.iter_mut().zip(&divided.gradients[j][..count]) {
                *residual += gradient * runs.tension(j);
            }
        }
        if let Some(tangents) = &mut local.tangents {
            let (tensions, by) = self.tensions_by(&divided, &runs);
            let bend = divided.bend(&tensions);
            for (i, j) in (0..count).flat_map(|i| (0..count).map(move |j| (i, j))) {
                tangents.stiffness[i][j] = bend[i][j];
                for (gradients, by) in divided.gradients.iter().zip(&by).take(divided.count) {
                    tangents.stiffness[i][j] += gradients[i] * by[j].transpose();
                }
            }
        }
        local.carry(at);
        out.add(&local);
    }

    /// The same over a step in energy form: the tensions at the end do at most the work that the
    /// rope gives, on mean gradients, whose work is the change of each run.
    #[inline(never)]
    pub(super) fn add_rubbing_over(
        &self,
        [from, at]: [&[Site; MOST_NODES]; 2],
        own: (&[f64], &[LineLength]),
        out: &mut Local<MOST_NODES>,
    ) {
        let (Ok(start), Ok((end, runs))) =
            (Divided::over(self.sheaves(), from, None, false), self.rubbing(at, own, true))
        else {
            out.residual.iter_mut().for_each(|residual| residual.fill(f64::NAN));
            return;
        };
        let (tensions, by) = self.tensions_by(&end, &runs);
        let mut wrenches = [Vec6::zeros(); MOST_NODES];
        let mut stiffness = [[Mat6::zeros(); MOST_NODES]; MOST_NODES];
        for run in 0..end.count {
            let ends = [&start, &end].map(|path| (path.lengths[run], &path.gradients[run]));
            let only = std::array::from_fn(|j| f64::from(u8::from(j == run)));
            let over = Over::of(self.sheaves(), [from, at], ends, &end.bend(&only));
            for (j, by) in by[run].iter().enumerate().take(self.sheaves().len()) {
                wrenches[j] -= over.gradient[j] * tensions[run];
                for (i, stiffness) in stiffness.iter_mut().enumerate() {
                    stiffness[j] += over.bend[i][j] * tensions[run] + over.gradient[i] * by.transpose();
                }
            }
        }
        add_wrenches(from, at, &wrenches[..self.sheaves().len()], |i, j| stiffness[i][j], out);
    }

    /// Sets own variables: all of the rope has one tension at first; rope that was there before
    /// slips where friction does not hold it.
    pub(super) fn begin_rubbing(&self, at: &[Site; MOST_NODES], z: &mut [f64], lengths: &[LineLength]) {
        if z.first().is_some_and(|rope| *rope > 0.0) {
            return self.advance_rubbing(at, z, lengths);
        }
        let Ok(divided) = Divided::over(self.sheaves(), at, None, false) else { return };
        let part = self.unstretched(lengths).length / divided.lengths.iter().sum::<f64>();
        for (k, own) in z.as_chunks_mut::<OWN>().0.iter_mut().enumerate() {
            *own = [part * divided.lengths[k + 1..].iter().sum::<f64>(), divided.middles[k], 0.0];
        }
    }

    /// Advances own variables to the end of a step.
    pub(super) fn advance_rubbing(&self, at: &[Site; MOST_NODES], z: &mut [f64], lengths: &[LineLength]) {
        let Ok((divided, runs)) = self.rubbing(at, (z, lengths), false) else { return };
        for (k, [rope, mark, dissipated]) in z.as_chunks_mut::<OWN>().0.iter_mut().enumerate() {
            *rope += runs.moved[k];
            *mark = divided.middles[k];
            *dissipated += runs.loss(k);
        }
    }
}
