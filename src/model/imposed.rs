//! Imposed motions where the scheme starts anew: their initial rates, and whether they jump.
//!
//! Hosts give positions, rates and accelerations at the ends of their steps, and these may be
//! inconsistent: a motor gets 3 rad/s from rest, a body stops suddenly, accelerations or rates are
//! left at zero throughout. Positions are always used; rates and accelerations only as far as they
//! fit the positions.

use super::{EntityKind, Loads};
use crate::spatial::{BodyState, Vec3, join, lower, upper};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Part of the mean rate by which rates and positions may disagree: those of a motion sin(w t) do
/// by (w h)^2/12.
const FIT: f64 = 0.25;

/// Largest difference between an angle and the one predicted by its rates over one step (rad).
const MOST_TURN: f64 = FRAC_PI_2;

/// Largest relative difference between the rotation by the poses and that by the rates, apart from
/// whole turns, at which both describe the same motion.
const LOST: f64 = 0.1;

/// Rounding of positions, in units of their size.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The start of the imposed motions of one step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Beginning {
    /// Rates at the end fit the positions and those at the start do not: a motion jumps to its new
    /// rate.
    pub jumps: bool,
    /// Rates at neither end of some motion fit its positions.
    pub is_unfit: bool,
    /// The motion that differs most from its rates, if these are not all zero.
    pub farthest: Option<Leap>,
}

/// A motion whose positions jump.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leap {
    /// Joint, body or point.
    pub kind: EntityKind,
    /// Index of the entity.
    pub index: usize,
    /// Difference from the motion predicted by its rates (a length, or rad).
    pub by: f64,
    /// Whether that is an angle.
    pub is_angle: bool,
    /// The same divided by the most that a step can follow: a quarter turn, or the model's length.
    pub part: f64,
}

/// Classes of a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Smooth,
    Jump,
    Unfit,
}

/// One motion over a step: displacement, rates and accelerations at both ends.
#[derive(Debug, Clone, Copy)]
struct Way {
    gone: Vec3,
    rates: [Vec3; 2],
    seconds: [Vec3; 2],
    /// Rounding of the displacement.
    noise: f64,
}

impl Way {
    fn kind(&self, h: f64) -> Kind {
        let [v0, v1] = self.rates;
        let [a0, a1] = self.seconds;
        let fits = |misfit: Vec3, size: f64| misfit.norm() <= FIT * size + self.noise;
        // The trapezoidal rule, also with its end correction: ramps t^3 and t^5 from rest are
        // smooth.
        let mean = 0.5 * h * (v0.norm() + v1.norm());
        if fits(self.misfit(h), mean) || fits(self.misfit(h) - (a0 - a1) * (h * h / 12.0), mean) {
            return Kind::Smooth;
        }
        let backwards = self.gone - v1 * h;
        let largest = h * v0.norm().max(v1.norm());
        match fits(backwards, largest) || fits(backwards + a1 * (0.5 * h * h), largest) {
            true => Kind::Jump,
            false => Kind::Unfit,
        }
    }

    /// The displacement less the mean of the rates times h.
    fn misfit(&self, h: f64) -> Vec3 {
        self.gone - (self.rates[0] + self.rates[1]) * (0.5 * h)
    }

    /// Rate and acceleration of a new start.
    fn start(&self, kind: Kind, h: f64) -> [Vec3; 2] {
        let [v0, v1] = self.rates;
        let [a0, a1] = self.seconds;
        match kind {
            Kind::Smooth => {
                // The initial acceleration is that of the cubic with the positions and rates if the
                // given one does not fit: after a jump, or if none was given.
                let fits = ((v1 - v0) / h - (a0 + a1) * 0.5).norm() <= FIT * 0.5 * (a0.norm() + a1.norm());
                [v0, if fits { a0 } else { (self.gone * (6.0 / h) - v0 * 4.0 - v1 * 2.0) / h }]
            }
            // Parabola with both positions and the rate at the end: the acceleration was not given,
            // or is zero.
            Kind::Jump if a1 == Vec3::zeros() => [self.gone * (2.0 / h) - v1, (v1 - self.gone / h) * (2.0 / h)],
            // Cubic with both positions, and rate and acceleration at the end.
            Kind::Jump => {
                let jerk_part = (self.gone - v1 * h + a1 * (0.5 * h * h)) * (6.0 / (h * h)); // h times the jerk
                [v1 - a1 * h + jerk_part * (0.5 * h), a1 - jerk_part]
            }
            Kind::Unfit => [self.gone / h, Vec3::zeros()],
        }
    }
}

impl Loads {
    /// Classifies the start of the imposed motions from here, the accepted state, to `end` within
    /// `h`. If one jumps, or the scheme starts `anew` anyway, rates and accelerations here become
    /// those of the lowest-order smooth motions that lead to the end: after a jump, those after it.
    /// `turns`: whether the coordinate of a joint is an angle; leaps of others are relative to the
    /// model's `length`. `far`: distance of the model from the host's origin, where the host has
    /// rounded positions.
    pub fn begin_motions(
        &mut self,
        end: &Loads,
        h: f64,
        anew: bool,
        [length, far]: [f64; 2],
        turns: impl Fn(usize) -> bool,
    ) -> Beginning {
        let mut found = Beginning::default();
        self.for_each_way(end, far, turns, |kind, index, is_angle, way| {
            match way.kind(h) {
                Kind::Smooth => {}
                Kind::Jump => found.jumps = true,
                Kind::Unfit => {
                    found.is_unfit = true;
                    let by = way.misfit(h).norm();
                    // Rates that are always zero contain no information.
                    let says = way.rates.iter().any(|rate| *rate != Vec3::zeros());
                    let part = by / if is_angle { MOST_TURN } else { length };
                    if says && found.farthest.is_none_or(|leap| leap.part < part) {
                        found.farthest = Some(Leap { kind, index, by, is_angle, part });
                    }
                }
            }
            None
        });
        if anew || found.jumps {
            self.for_each_way(end, far, |_| false, |_, _, _, way| Some(way.start(way.kind(h), h)));
        }
        found
    }

    /// The first body that rotates by more than half a turn according to its rates, but differently
    /// according to its poses: poses determine rotations below half a turn only, so that the body
    /// would turn back.
    pub fn lost_turn(&mut self, end: &Loads, h: f64) -> Option<Leap> {
        let mut lost = None;
        self.for_each_way(
            end,
            0.0,
            |_| false,
            |kind, index, is_angle, way| {
                let (by, said) = (way.misfit(h).norm(), (way.rates[0] + way.rates[1]) * (0.5 * h));
                // Only if the rates agree with the poses except for whole turns.
                let turns = (by / TAU).round();
                let fits = turns >= 1.0 && (by - turns * TAU).abs() <= LOST * said.norm();
                let is_lost = kind == EntityKind::Body && is_angle && said.norm() > PI && fits;
                if is_lost && lost.is_none() {
                    lost = Some(Leap { kind, index, by, is_angle, part: by / MOST_TURN });
                }
                None
            },
        );
        lost
    }

    /// Calls `each(kind, index, whether it is an angle, way)` for every imposed motion; those of a
    /// body are its position and its rotation vector from here. The result, if any, becomes rate
    /// and acceleration here.
    fn for_each_way(
        &mut self,
        end: &Loads,
        far: f64,
        turns: impl Fn(usize) -> bool,
        mut each: impl FnMut(EntityKind, usize, bool, &Way) -> Option<[Vec3; 2]>,
    ) {
        let coordinates = self.joints.iter_mut().zip(&end.joints).enumerate().map(|(k, ends)| (k, turns(k), ends));
        let slides = self.slides.iter_mut().zip(&end.slides).enumerate().map(|(k, ends)| (k, false, ends));
        for (index, is_angle, (own, end)) in coordinates.chain(slides) {
            if let (Some(from), Some(to)) = (&mut own.drive, &end.drive) {
                let along = |x: f64| Vec3::new(x, 0.0, 0.0);
                let way = Way {
                    gone: along(to[0] - from[0]),
                    rates: [along(from[1]), along(to[1])],
                    seconds: [along(from[2]), along(to[2])],
                    noise: ROUNDING * (to[0].abs() + from[0].abs()),
                };
                if let Some([rate, second]) = each(EntityKind::Joint, index, is_angle, &way) {
                    (from[1], from[2]) = (rate.x, second.x);
                }
            }
        }
        let bodies = self.motions.iter_mut().zip(&end.motions).enumerate();
        let points = self.point_motions.iter_mut().zip(&end.point_motions).enumerate();
        let of_kind = |kind: EntityKind| move |(index, ends)| (kind, index, ends);
        for (kind, index, (own, end)) in
            bodies.map(of_kind(EntityKind::Body)).chain(points.map(of_kind(EntityKind::Point)))
        {
            let (Some(from), Some(to)) = (own, end) else { continue };
            let way = Way {
                gone: to.x - from.x,
                rates: [upper(&from.v), upper(&to.v)],
                seconds: [upper(&from.vdot), upper(&to.vdot)],
                noise: ROUNDING * (to.x.norm() + from.x.norm() + far),
            };
            let moved = each(kind, index, false, &way);
            let [psi, rate, second] = BodyState::turned(from, to);
            let way =
                Way { gone: psi, rates: [lower(&from.v), rate], seconds: [lower(&from.vdot), second], noise: ROUNDING };
            let turned = each(kind, index, true, &way);
            if let (Some([rate, second]), Some([turning, turning_second])) = (moved, turned) {
                (from.v, from.vdot) = (join(&rate, &turning), join(&second, &turning_second));
            }
        }
    }
}
