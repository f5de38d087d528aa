//! Tendon: a massless rope through two to eight eyes, in which it slides without friction, so that
//! it has one tension. With L the sum of the straight parts between the eyes and l the unstretched
//! length, which a winch may change,
//!
//! ```text
//! T = EA (L - l)/l + c (dL/dt - L/l dl/dt),   F_k = T p_k,   p_k = n_k - n_(k-1),
//! ```
//!
//! n_k the unit vector from eye k to the next. It pulls only, as ropes do (`spring`): it is slack
//! where L <= l, and its damper carries no more than its stiffness. So F = -T dL/dx, and equal
//! forces act on both sides of each part. Eyes that meet have no direction between them: such a
//! part has no force.
//!
//! Over a step in energy form (`energy_form`) each part has its own t* in the place of n, for which
//! `sum t* . (e1 - e0) = L1 - L0`, and the length at the start is taken as L0 l1/l0: the strain is
//! what the law depends on.

use super::capstan::OWN;
use super::energy_form::{EnergyForm, Memory, Pull, add_forces, add_wrenches};
use super::line::check_positive;
use super::mean_gradient::Over;
use super::sheave::{Bend, NoPath, Path, Sheave};
use super::{Attachment, Description, Element, EntityKind, Facts, LineLength, Local, MOST_NODES, OutputNames};
use super::{Quantity, Site, Spring, Surroundings, check_not_negative};
use crate::error::{Error, Result};
use crate::number::Number;
use crate::spatial::pose::check_finite;
use crate::spatial::{Mat3, Mat6, Vec3, Vec6, join};

/// Names of its points in model files.
const POINTS: [&str; MOST_NODES] =
    ["point_a", "point_b", "point_c", "point_d", "point_e", "point_f", "point_g", "point_h"];

/// Names of its sheaves in model files.
const SHEAVES: [&str; MOST_NODES] =
    ["sheave_a", "sheave_b", "sheave_c", "sheave_d", "sheave_e", "sheave_f", "sheave_g", "sheave_h"];

/// How many parts an arc on a sheave is drawn with.
const ARC: usize = 12;
/// A rope through several points.
#[derive(Debug, Clone)]
pub struct Tendon {
    /// Its points; those beyond their number are not used.
    places: [Attachment; MOST_NODES],
    /// Number of points.
    count: usize,
    /// The sheaves at its points; those of radius 0 are eyes.
    sheaves: [Sheave; MOST_NODES],
    /// EA: force per strain.
    pub stiffness_ea: f64,
    /// Force per rate of length.
    pub damping: f64,
    /// The unstretched length as described.
    pub rest_length: f64,
    /// Its length in the list of the model.
    pub index: usize,
    /// Whether it pushes, too, for estimates of stable steps.
    pub(super) pushes: bool,
}

impl Default for Tendon {
    fn default() -> Tendon {
        Tendon::new(&[Attachment::default(); MOST_NODES], 0.0, 0.0, 0.0)
    }
}

/// The straight parts at one time: of each a direction n, and d n/d e.
struct Parts {
    directions: [Vec3; MOST_NODES],
    across: [Mat3; MOST_NODES],
}

impl Parts {
    /// p_k.
    fn gradient(directions: &[Vec3; MOST_NODES]) -> [Vec3; MOST_NODES] {
        std::array::from_fn(|k| if k == 0 { directions[0] } else { directions[k] - directions[k - 1] })
    }

    /// d p_i/d x_j.
    fn bend(&self, i: usize, j: usize) -> Mat3 {
        match i.abs_diff(j) {
            0 if i == 0 => -self.across[0],
            0 => -self.across[i] - self.across[i - 1],
            1 => self.across[i.min(j)],
            _ => Mat3::zeros(),
        }
    }
}

impl Tendon {
    /// Through some of [`MOST_NODES`] points; more are left out.
    pub fn new(points: &[Attachment], stiffness_ea: f64, damping: f64, rest_length: f64) -> Tendon {
        let (mut places, count) = ([Attachment::default(); MOST_NODES], points.len().min(MOST_NODES));
        places[..count].copy_from_slice(&points[..count]);
        let sheaves = [Sheave::default(); MOST_NODES];
        Tendon { places, count, sheaves, stiffness_ea, damping, rest_length, index: 0, pushes: false }
    }

    /// Its sheaves.
    pub fn sheaves(&self) -> &[Sheave] {
        &self.sheaves[..self.count]
    }

    /// The same, mutable.
    pub fn sheaves_mut(&mut self) -> &mut [Sheave] {
        &mut self.sheaves[..self.count]
    }

    fn has_sheaves(&self) -> bool {
        self.sheaves().iter().any(|sheave| sheave.radius > 0.0)
    }

    /// Its path over sheaves. Errors: there is none.
    pub fn path(&self, at: &[Site; MOST_NODES], bend: Option<&mut Bend>) -> std::result::Result<Path, NoPath> {
        Path::over(self.sheaves(), at, bend)
    }

    /// How many places along the rope there are.
    pub fn place_count(&self) -> usize {
        self.sheaves().iter().map(|sheave| if sheave.radius == 0.0 { 1 } else { ARC + 1 }).sum()
    }

    /// Places along the rope at present: its points, and for sheaves those of an arc of
    /// `ARC` parts, or their centres if there is no path.
    pub fn polygon(&self, at: &[Site; MOST_NODES]) -> Vec<Vec3> {
        let path = self.path(at, None).ok();
        let mut places = Vec::new();
        for (k, (sheave, at)) in self.sheaves().iter().zip(at).enumerate() {
            match &path {
                _ if sheave.radius == 0.0 => places.push(at.x),
                Some(path) => places.extend((0..=ARC).map(|i| path.place(k, sheave, at, i as f64 / ARC as f64))),
                None => places.extend([at.x; ARC + 1]),
            }
        }
        places
    }

    /// Where its path is none.
    pub fn lost(&self, at: &[Site; MOST_NODES]) -> Option<NoPath> {
        if self.has_sheaves() { self.path(at, None).err() } else { None }
    }

    /// Its unstretched length and the rate of this in a list of lengths.
    pub(super) fn unstretched(&self, lengths: &[LineLength]) -> LineLength {
        lengths.get(self.index).copied().unwrap_or(LineLength::described(self.rest_length))
    }

    /// The law at an unstretched length.
    fn law(&self, length: f64) -> Spring {
        Spring {
            stiffness: self.stiffness_ea / length,
            damping: self.damping,
            rest_length: length,
            tension_only: !self.pushes,
            ..Spring::default()
        }
    }

    /// The vector and the length of each part.
    fn chords(&self, at: &[Site; MOST_NODES]) -> impl Iterator<Item = (usize, (Vec3, f64))> {
        let vector = |pair: &[Site]| pair[1].x - pair[0].x;
        at[..self.count].windows(2).map(vector).map(|e| (e, e.norm())).enumerate()
    }

    /// L; NaN without a path.
    fn length(&self, at: &[Site; MOST_NODES]) -> f64 {
        if self.has_sheaves() {
            return self.path(at, None).map_or(f64::NAN, |path| path.length);
        }
        self.chords(at).map(|(_, (_, length))| length).sum()
    }

    /// L and dL/dt.
    fn motion(&self, at: &[Site; MOST_NODES]) -> [f64; 2] {
        if self.has_sheaves() {
            return self.path(at, None).map_or([f64::NAN; 2], |path| [path.length, path.rate(at)]);
        }
        let rate = |(k, (e, s)): (usize, (Vec3, f64))| if s > 0.0 { e.dot(&(at[k + 1].v - at[k].v)) / s } else { 0.0 };
        [self.length(at), self.chords(at).map(rate).sum()]
    }

    /// Tension at a length and its rate, with its derivatives by both.
    fn pull(&self, [length, length_rate]: [f64; 2], lengths: &[LineLength]) -> [f64; 3] {
        let LineLength { length: l, rate, .. } = self.unstretched(lengths);
        let law = self.law(l);
        let elastic = law.elastic(length);
        let [tension, k, c] =
            law.pull(elastic.force, elastic.slope, length_rate - length / l * rate).unwrap_or_default();
        [tension, k - c * rate / l, c]
    }

    /// Length, and the tension at its first point and the largest one.
    pub fn length_and_tensions(&self, at: &[Site; MOST_NODES], z: &[f64], lengths: &[LineLength]) -> (f64, [f64; 2]) {
        if self.rubs() {
            let Ok((divided, runs)) = self.rubbing(at, (z, lengths), false) else { return (f64::NAN, [f64::NAN; 2]) };
            let most = (0..divided.count).map(|j| runs.tension(j)).fold(0.0, f64::max);
            return (divided.lengths.iter().sum(), [runs.tension(0), most]);
        }
        let (length, tension) = self.length_and_tension(at, lengths);
        (length, [tension; 2])
    }

    /// Length and tension, without friction.
    fn length_and_tension(&self, at: &[Site; MOST_NODES], lengths: &[LineLength]) -> (f64, f64) {
        let motion = self.motion(at);
        let [tension, ..] = self.pull(motion, lengths);
        (motion[0], if motion[0].is_nan() { motion[0] } else { tension })
    }

    /// Adds the residual of a tendon over sheaves. Numbers that are none end an iteration in which
    /// it has no path.
    #[inline(never)]
    fn evaluate_over_sheaves(&self, at: &[Site; MOST_NODES], lengths: &[LineLength], out: &mut Local<MOST_NODES>) {
        let mut bend = [[Mat6::zeros(); MOST_NODES]; MOST_NODES];
        let wants_tangents = out.tangents.is_some();
        let Ok(path) = self.path(at, wants_tangents.then_some(&mut bend)) else {
            out.residual.iter_mut().for_each(|residual| residual.fill(f64::NAN));
            return;
        };
        let [tension, by_length, by_rate] = self.pull([path.length, path.rate(at)], lengths);
        if tension == 0.0 && by_length == 0.0 {
            return;
        }
        let mut own = Local::zero(false, wants_tangents);
        let velocity = |k: usize| join(&at[k].v, &at[k].omega);
        for (i, g) in path.gradient[..self.count].iter().enumerate() {
            own.residual[i] = g * tension;
            let Some(tangents) = &mut own.tangents else { continue };
            for (j, other) in path.gradient[..self.count].iter().enumerate() {
                let rate: Vec6 = (0..self.count).map(|k| bend[k][j].tr_mul(&velocity(k))).sum();
                tangents.stiffness[i][j] = bend[i][j] * tension + g * (other * by_length + rate * by_rate).transpose();
                tangents.damping[i][j] = g * other.transpose() * by_rate;
            }
        }
        own.carry(at);
        out.add(&own);
    }

    /// The same over a step in energy form, with a pull on it.
    #[inline(never)]
    fn add_over_sheaves(&self, [from, at]: [&[Site; MOST_NODES]; 2], pull: &Pull, out: &mut Local<MOST_NODES>) {
        let mut bend = [[Mat6::zeros(); MOST_NODES]; MOST_NODES];
        let paths = (self.path(from, None), self.path(at, Some(&mut bend)));
        let (Ok(start), Ok(end)) = paths else {
            out.residual.iter_mut().for_each(|residual| residual.fill(f64::NAN));
            return;
        };
        let ends = [&start, &end].map(|path| (path.length, &path.gradient));
        let over = Over::of(self.sheaves(), [from, at], ends, &bend);
        let wrenches = over.gradient.map(|g| g * -pull.tension);
        let by_motion = |i: usize, j: usize| {
            over.bend[i][j] * pull.tension + over.gradient[i] * end.gradient[j].transpose() * pull.slope
        };
        add_wrenches(from, at, &wrenches[..self.count], by_motion, out);
    }
}

impl Element<MOST_NODES> for Tendon {
    #[inline(never)]
    fn evaluate(&self, at: &[Site; MOST_NODES], around: &Surroundings, z: &[f64], out: &mut Local<MOST_NODES>) {
        if self.rubs() {
            return self.evaluate_rubbing(at, (z, around.lengths[1]), out);
        }
        if self.has_sheaves() {
            return self.evaluate_over_sheaves(at, around.lengths[1], out);
        }
        let [tension, by_length, by_rate] = self.pull(self.motion(at), around.lengths[1]);
        if tension == 0.0 && by_length == 0.0 {
            return;
        }
        let mut parts = Parts { directions: [Vec3::zeros(); MOST_NODES], across: [Mat3::zeros(); MOST_NODES] };
        // d(dL/dt)/dx, at constant velocities.
        let mut rate_by_place = [Vec3::zeros(); MOST_NODES];
        for (k, (e, length)) in self.chords(at).filter(|(_, (_, length))| *length > 0.0) {
            let n = e / length;
            parts.directions[k] = n;
            parts.across[k] = (Mat3::identity() - n * n.transpose()) / length;
            let turn = parts.across[k] * (at[k + 1].v - at[k].v);
            rate_by_place[k] -= turn;
            rate_by_place[k + 1] += turn;
        }
        let p = Parts::gradient(&parts.directions);
        for i in 0..self.count {
            out.add_force(i, &at[i], &(p[i] * tension));
            for j in 0..if out.tangents.is_some() { self.count } else { 0 } {
                let by_place = rate_by_place[j] * by_rate - p[j] * by_length;
                let by_position = p[i] * by_place.transpose() + parts.bend(i, j) * tension;
                out.add_force_by((i, j), at, &by_position, &(p[i] * p[j].transpose() * -by_rate));
            }
        }
    }

    fn has_kink(&self) -> bool {
        true
    }

    fn states(&self) -> usize {
        OWN * self.frictions()
    }

    fn begin(&self, at: &[Site; MOST_NODES], around: &Surroundings, z: &mut [f64]) {
        self.begin_rubbing(at, z, around.lengths[1]);
    }

    fn advance(&self, at: &[Site; MOST_NODES], around: &Surroundings, z: &mut [f64], _: f64) {
        self.advance_rubbing(at, z, around.lengths[1]);
    }

    #[inline(never)]
    fn evaluate_over(
        &self,
        from: &[Site; MOST_NODES],
        at: &[Site; MOST_NODES],
        (form, around, z): (&EnergyForm, &Surroundings, &[f64]),
        last: &[Memory],
        next: &mut [Memory],
        out: &mut Local<MOST_NODES>,
    ) -> Option<f64> {
        if self.rubs() {
            next[0] = Memory::default();
            self.add_rubbing_over([from, at], (z, around.lengths[1]), out);
            return None;
        }
        let [l0, l1] = around.lengths.map(|lengths| self.unstretched(lengths).length);
        let lengths = [self.length(from) * (l1 / l0), self.length(at)];
        let law = self.law(l1);
        let mean = law.mean(lengths[0], lengths[1]);
        let pull = form.pull(&mean, lengths, [law.stiffness, self.damping], &last[0]);
        next[0] = pull.memory;
        let jump = law.tension(lengths[0])[1] - mean.end[1];
        let jumped = (jump.abs() > 0.5 * law.stiffness).then_some(law.stiffness);
        if self.has_sheaves() {
            self.add_over_sheaves([from, at], &pull, out);
            return jumped;
        }
        let mut parts = Parts { directions: [Vec3::zeros(); MOST_NODES], across: [Mat3::zeros(); MOST_NODES] };
        let mut units = [Vec3::zeros(); MOST_NODES];
        for ((k, (e0, s0)), (_, (e1, s1))) in self.chords(from).zip(self.chords(at)) {
            let sum = s0 + s1;
            if sum > 0.0 {
                parts.directions[k] = (e0 + e1) / sum;
                units[k] = if s1 > 0.0 { e1 / s1 } else { Vec3::zeros() };
                parts.across[k] = (Mat3::identity() - parts.directions[k] * units[k].transpose()) / sum;
            }
        }
        let (p, end) = (Parts::gradient(&parts.directions), Parts::gradient(&units));
        let forces = p.map(|p| p * pull.tension);
        let by_place = |i: usize, j: usize| p[i] * end[j].transpose() * pull.slope - parts.bend(i, j) * pull.tension;
        add_forces(from, at, &forces[..self.count], by_place, out);
        jumped
    }

    fn potential(&self, at: &[Site; MOST_NODES], around: &Surroundings, z: &[f64]) -> f64 {
        if self.rubs() {
            let runs = self.rubbing(at, (z, around.lengths[1]), false);
            return runs.map_or(f64::NAN, |(_, runs)| runs.energy());
        }
        self.law(self.unstretched(around.lengths[1]).length).stored(self.length(at))
    }

    fn output_values(&self, at: &[Site; MOST_NODES], around: &Surroundings, z: &[f64], each: &mut dyn FnMut(f64)) {
        let (length, [tension, _]) = self.length_and_tensions(at, z, around.lengths[1]);
        each(length);
        each(tension);
    }
}

impl Description for Tendon {
    fn kind(&self) -> EntityKind {
        EntityKind::Tendon
    }

    fn nodes(&self) -> &[Attachment] {
        &self.places[..self.count]
    }

    fn nodes_mut(&mut self) -> &mut [Attachment] {
        &mut self.places[..self.count]
    }

    fn reserved(&self) -> usize {
        MOST_NODES
    }

    fn take_nodes(&mut self, are_there: &dyn Fn(usize) -> bool) {
        self.count = (2..MOST_NODES).rev().find(|k| are_there(*k)).map_or(2, |last| last + 1);
    }

    fn facts(&mut self, facts: &mut dyn Facts) -> Result<()> {
        for (key, place) in POINTS.into_iter().zip(self.nodes_mut()) {
            facts.point(key, &mut place.at)?;
        }
        for (key, sheave) in SHEAVES.into_iter().zip(&mut self.sheaves) {
            facts.sheave(key, sheave)?;
        }
        facts.number("stiffness_ea", &mut self.stiffness_ea, None)?;
        facts.number("damping", &mut self.damping, Some(0.0))?;
        facts.number("rest_length", &mut self.rest_length, None)
    }

    fn check(&self) -> Result<()> {
        self.nodes().iter().try_for_each(|place| check_finite("points", place.at.as_slice()))?;
        check_positive("stiffness_ea", self.stiffness_ea)?;
        check_not_negative("damping", self.damping)?;
        check_positive("rest_length", self.rest_length)?;
        let last = self.count - 1;
        let has_one = |k: &usize| self.sheaves[*k] != Sheave::default();
        if let Some(k) = (0..MOST_NODES).filter(|k| *k == 0 || *k >= last).find(has_one) {
            return Err(Error::bad_value(
                "point",
                format!("{k} has a sheave or friction, but only points 1 to {} may", last - 1),
            ));
        }
        if self.damping > 0.0 && self.frictions() > 0 {
            return Err(Error::bad_value("damping", "is above 0, but a tendon with friction has no damper"));
        }
        if !(self.stiffness_ea / self.rest_length).is_normal() {
            let (ea, length) = (Number(self.stiffness_ea), Number(self.rest_length));
            let detail = format!("{ea} over rest_length = {length} is beyond the range of numbers");
            return Err(Error::bad_value("stiffness_ea", detail));
        }
        Ok(())
    }

    /// An eye between two parts moves the length by twice as much as itself.
    fn stiffness(&self) -> f64 {
        4.0 * self.stiffness_ea / self.rest_length
    }

    fn damping_per_stiffness(&self) -> Option<f64> {
        Some(self.damping * self.rest_length / self.stiffness_ea)
    }

    fn relax(&mut self, places: &[Vec3], _: &Vec3) {
        self.pushes = true;
        if self.rubs() {
            return;
        }
        let length = places.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum::<f64>();
        // With the stiffness that it had.
        let length = if length > 0.0 { length } else { self.rest_length };
        self.stiffness_ea *= length / self.rest_length;
        self.rest_length = length;
        // Its directions differ little from those from centre to centre.
        self.sheaves = [Sheave::default(); MOST_NODES];
    }

    fn outputs(&self) -> &'static OutputNames {
        &OutputNames(&[("length", Quantity::Length), ("tension", Quantity::Force)])
    }
}
