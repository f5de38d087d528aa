//! Spring with damper between two points: tension `T = k (L - L0) + c dL/dt` along their
//! connection, or `T = t(L) + c dL/dt` with t from a table ([`Curve`]).
//!
//! A tension-only spring is slack where its elastic tension `t <= 0`, which for the linear one is
//! `L <= L0`; where it is taut its damper carries no more than the spring does: `T = t + min(max(c
//! dL/dt, -t), t)`. So the tension starts from zero at the free length, whatever the speed at which
//! the line tightens: with the full force of the damper there it would jump, and the equations of
//! an implicit step that ends near the jump have no solution. The limit from below is that a line
//! never pushes.

use super::curve::{SHORT, Value};
use super::energy_form::{EnergyForm, Mean, Memory, Pull, add_pull, chord};
use super::{Attachment, Curve, Description, Element, EntityKind, Facts, Local, OutputNames, Quantity, Site};
use super::{Surroundings, check_not_negative};
use crate::error::Result;
use crate::spatial::pose::check_finite;
use crate::spatial::{Mat3, Vec3};
use std::sync::Arc;

/// A spring with a damper between two points.
#[derive(Debug, Clone, Default)]
pub struct Spring {
    /// Its ends.
    pub ends: [Attachment; 2],
    /// Force per length; with a table its largest slope.
    pub stiffness: f64,
    /// Force per rate of length.
    pub damping: f64,
    /// Length without force; with a table the greatest length without tension.
    pub rest_length: f64,
    /// A rope: pulls, never pushes.
    pub tension_only: bool,
    /// Tension over length, in place of stiffness and rest length.
    pub table: Option<Arc<Curve>>,
}

/// Force `phi(e, edot)` that b exerts on a, and its derivatives.
struct Force {
    length: f64,
    tension: f64,
    phi: Vec3,
    /// d phi / de
    stiffness: Mat3,
    /// d phi / d(edot)
    damping: Mat3,
}

impl Spring {
    /// Takes tension over length from a table.
    pub fn set_table(&mut self, curve: Arc<Curve>) {
        self.stiffness = curve.steepest();
        self.rest_length = curve.free_length();
        self.table = Some(curve);
    }

    /// Stiffness, damping and rest length.
    pub fn law(&self) -> [f64; 3] {
        [self.stiffness, self.damping, self.rest_length]
    }

    /// Sets these, of a spring without a table.
    pub fn set_law(&mut self, law: [f64; 3]) {
        [self.stiffness, self.damping, self.rest_length] = law;
    }

    /// What the spring alone does at a length.
    #[inline]
    pub(super) fn elastic(&self, length: f64) -> Value {
        match &self.table {
            Some(curve) => curve.at(length),
            None => {
                let extension = length - self.rest_length;
                let (force, slope) = (self.stiffness * extension, self.stiffness);
                Value { force, slope, energy: 0.5 * self.stiffness * extension * extension }
            }
        }
    }

    /// From the vector between the points and its rate.
    fn force(&self, e: &Vec3, edot: &Vec3) -> Force {
        let length = e.norm();
        let none = Force { length, tension: 0.0, phi: Vec3::zeros(), stiffness: Mat3::zeros(), damping: Mat3::zeros() };
        let Value { force: elastic, slope, .. } = self.elastic(length);
        // Points that meet have no direction between them: only a spring without force there has a
        // limit, k e.
        if length == 0.0 {
            let k = if elastic == 0.0 { slope } else { 0.0 };
            return Force { stiffness: Mat3::identity() * k, ..none };
        }
        let n = e / length;
        let rate = n.dot(edot);
        let Some([tension, k, c]) = self.pull(elastic, slope, rate) else { return none };
        let along = n * n.transpose();
        let across = Mat3::identity() - along;
        // d(rate)/de = (edot - n rate)/L
        let turn = n * ((edot - n * rate) * (c / length)).transpose();
        Force {
            length,
            tension,
            phi: n * tension,
            stiffness: along * k + across * (tension / length) + turn,
            damping: along * c,
        }
    }

    /// The tension at an elastic tension with this slope and a rate of the length, and its
    /// derivatives by length and rate; None where a rope is slack.
    #[inline]
    pub(super) fn pull(&self, elastic: f64, slope: f64, rate: f64) -> Option<[f64; 3]> {
        let viscous = self.damping * rate;
        match self.tension_only {
            true if elastic <= 0.0 || viscous <= -elastic => None,
            true if viscous >= elastic => Some([2.0 * elastic, 2.0 * slope, 0.0]),
            _ => Some([elastic + viscous, slope, self.damping]),
        }
    }

    /// Tension and slope of the elastic law at a length, none where a rope is slack.
    pub(super) fn tension(&self, length: f64) -> [f64; 2] {
        let Value { force, slope, .. } = self.elastic(length);
        if self.is_slack(length) { [0.0; 2] } else { [force, slope] }
    }

    /// What it stores at a length.
    pub(super) fn stored(&self, length: f64) -> f64 {
        let elastic = self.elastic(length);
        if self.tension_only && elastic.force <= 0.0 { 0.0 } else { elastic.energy }
    }

    /// Whether it is a rope that is too short to pull.
    fn is_slack(&self, length: f64) -> bool {
        self.tension_only && length <= self.rest_length
    }

    /// The elastic law over a step.
    pub(super) fn mean(&self, s0: f64, s1: f64) -> Mean {
        let (ds, start, end) = (s1 - s0, self.tension(s0), self.tension(s1));
        let is_crossing = self.is_slack(s0) != self.is_slack(s1);
        let (x0, x1) = match self.tension_only {
            true => (s0.max(self.rest_length), s1.max(self.rest_length)),
            false => (s0, s1),
        };
        // Of the lengths at which it pulls.
        let [tension, slope] = match &self.table {
            _ if x0 == x1 && self.tension_only && x1 == self.rest_length => [0.0; 2],
            Some(curve) => curve.mean(x0, x1),
            None => [0.5 * self.stiffness * (x0 + x1 - 2.0 * self.rest_length), 0.5 * self.stiffness],
        };
        let (tension, slope) = match is_crossing {
            true => {
                let tension = tension * ((x1 - x0) / ds);
                (tension, (end[0] - tension) / ds)
            }
            false => (tension, slope),
        };
        let unit = if self.stiffness > 0.0 { 1.0 / self.stiffness } else { 0.0 };
        let (secant, secant_slope) = match is_crossing || ds.abs() > SHORT * s1 {
            // Two points of one straight line have no difference but rounding.
            _ if self.table.is_none() && !is_crossing => (end[1] * unit, 0.0),
            true => {
                let secant = (end[0] - start[0]) / ds;
                (secant * unit, (end[1] - secant) / ds * unit)
            }
            false => (end[1] * unit, 0.0),
        };
        Mean { tension, slope, secant, secant_slope, end }
    }

    /// Over a step in energy form: the lengths at its ends, the law and the pull between them.
    fn over(&self, from: &[Site; 2], at: &[Site; 2], form: &EnergyForm, last: &Memory) -> ([f64; 2], Mean, Pull) {
        let lengths = [chord(from).1, chord(at).1];
        let mean = self.mean(lengths[0], lengths[1]);
        // The damper of a rope is cut by its kink; any other is linear.
        let damping = if self.tension_only { self.damping } else { 0.0 };
        let pull = form.pull(&mean, lengths, [self.stiffness, damping], last);
        (lengths, mean, pull)
    }

    /// The tension that acts over a step in energy form, with its damper.
    pub fn mean_tension(&self, from: &[Site; 2], at: &[Site; 2], form: &EnergyForm, last: &Memory) -> f64 {
        let ([s0, s1], _, pull) = self.over(from, at, form, last);
        let beside = if self.tension_only { 0.0 } else { self.damping };
        pull.tension + beside * (s1 - s0) / form.h
    }

    fn between(&self, [a, b]: &[Site; 2]) -> Force {
        self.force(&(b.x - a.x), &(b.v - a.v))
    }

    /// Length and tension (negative: it pushes).
    pub fn length_and_tension(&self, ends: &[Site; 2]) -> (f64, f64) {
        let force = self.between(ends);
        (force.length, force.tension)
    }
}

impl Force {
    /// Adds it on one end, and its opposite on the other.
    fn add(&self, at: &[Site; 2], out: &mut Local<2>) {
        out.add_force(0, &at[0], &self.phi);
        out.add_force(1, &at[1], &-self.phi);
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let sign = if i == j { -1.0 } else { 1.0 };
            out.add_force_by((i, j), at, &(self.stiffness * sign), &(self.damping * sign));
        }
    }
}

impl Element<2> for Spring {
    fn evaluate(&self, at: &[Site; 2], _: &Surroundings, _: &[f64], out: &mut Local<2>) {
        self.between(at).add(at, out);
    }

    fn has_kink(&self) -> bool {
        self.tension_only || self.table.as_ref().is_some_and(|curve| !curve.is_straight())
    }

    fn evaluate_beside(&self, at: &[Site; 2], _: &Surroundings, out: &mut Local<2>) {
        if !self.tension_only && self.damping > 0.0 {
            let damper = Spring { ends: self.ends, damping: self.damping, ..Spring::default() };
            damper.between(at).add(at, out);
        }
    }

    fn evaluate_over(
        &self,
        from: &[Site; 2],
        at: &[Site; 2],
        (form, ..): (&EnergyForm, &Surroundings, &[f64]),
        last: &[Memory],
        next: &mut [Memory],
        out: &mut Local<2>,
    ) -> Option<f64> {
        let (lengths, mean, pull) = self.over(from, at, form, &last[0]);
        next[0] = pull.memory;
        add_pull(from, at, pull.tension, pull.slope, out);
        let jump = self.tension(lengths[0])[1] - mean.end[1];
        (jump.abs() > 0.5 * self.stiffness).then_some(self.stiffness)
    }

    fn potential(&self, at: &[Site; 2], _: &Surroundings, _: &[f64]) -> f64 {
        self.stored(self.between(at).length)
    }

    /// Its mean tension follows, which is in the state (`system::mean_tensions`).
    fn output_values(&self, at: &[Site; 2], _: &Surroundings, _: &[f64], each: &mut dyn FnMut(f64)) {
        let (length, tension) = self.length_and_tension(at);
        each(length);
        each(tension);
    }
}

impl Description for Spring {
    fn kind(&self) -> EntityKind {
        EntityKind::Spring
    }

    fn nodes(&self) -> &[Attachment] {
        &self.ends
    }

    fn nodes_mut(&mut self) -> &mut [Attachment] {
        &mut self.ends
    }

    fn facts(&mut self, facts: &mut dyn Facts) -> Result<()> {
        facts.point("point_a", &mut self.ends[0].at)?;
        facts.point("point_b", &mut self.ends[1].at)?;
        let mut columns = self.table.as_deref().map(|curve| curve.points().map(<[f64]>::to_vec));
        facts.columns("table", ["lengths", "forces"], &mut columns)?;
        let has_table = columns.is_some();
        if has_table {
            facts.replaces("table", &["stiffness", "rest_length"])?;
        } else {
            facts.number("stiffness", &mut self.stiffness, None)?;
        }
        facts.number("damping", &mut self.damping, Some(0.0))?;
        if !has_table {
            facts.number("rest_length", &mut self.rest_length, None)?;
        }
        if let (Some([lengths, forces]), None) = (columns, &self.table) {
            let curve = Curve::new(lengths, forces).map_err(|cause| facts.refusal("table", cause))?;
            self.set_table(Arc::new(curve));
        }
        facts.flag("tension_only", &mut self.tension_only)
    }

    fn check(&self) -> Result<()> {
        check_finite("point_a", self.ends[0].at.as_slice())?;
        check_finite("point_b", self.ends[1].at.as_slice())?;
        if self.table.is_none() {
            check_not_negative("stiffness", self.stiffness)?;
        }
        check_not_negative("damping", self.damping)?;
        if self.table.is_none() {
            check_not_negative("rest_length", self.rest_length)?;
        }
        Ok(())
    }

    fn stiffness(&self) -> f64 {
        self.stiffness
    }

    fn damping_per_stiffness(&self) -> Option<f64> {
        // Points that meet have no direction to damp.
        let damping = if self.rest_length > 0.0 { self.damping } else { 0.0 };
        (self.stiffness > 0.0).then(|| damping / self.stiffness)
    }

    fn relax(&mut self, places: &[Vec3], _: &Vec3) {
        self.table = None;
        self.tension_only = false;
        self.rest_length = places.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    }

    fn memory(&self) -> usize {
        self.table.as_deref().map_or(0, |curve| Curve::memory(curve.points()[0].len()))
    }

    fn outputs(&self) -> &'static OutputNames {
        &OutputNames(&[("length", Quantity::Length), ("tension", Quantity::Force), ("tension_mean", Quantity::Force)])
    }
}
