//! Morison's equation on the axis of a circular cylinder: Froude-Krylov forces, added mass, drag,
//! and the same at its ends.
//!
//! All wrenches are about end A. A place at s along the axis q moves with
//! `v + omega x s q` and `a + s c`, `c = omegadot x q + omega x (omega x q)`, where v and a are
//! those of end A. With P = I - q q^T, d the diameter, A the area of a section and alpha its part
//! in the water, the forces per length are
//!
//! ```text
//! inertia: rho A alpha (a_f + C_a P (a_f - a - s c)),     drag: rho d C_d/2 alpha |u| u,   u = P (U - v - omega x s q),
//! ```
//!
//! U, a_f the motion of the water, and along q at the ends
//!
//! ```text
//! alpha (rho C_a,end (2/3) pi R^3 (a_f - a - s c) . q + rho A C_d,end/2 |u_q| u_q),    u_q = (U - v) . q.
//! ```
//!
//! Inertia needs moments of alpha along the axis only. Drag is taken at two places of each segment
//! with the same first three moments. Derivatives include turns of the axis and the shear of the
//! current, and leave out that the part in the water changes.

use super::hydrostatics::Piece;
use crate::elements::{Site, Tangents};
use crate::spatial::{Mat3, Vec3, Vec6, add_block, join, mul_skew, skew, skew_mul, skew_skew};

/// Coefficients times density and dimensions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coefficients {
    /// rho A: mass of the displaced water per length.
    pub(super) displaced: f64,
    /// rho A C_a: added mass per length.
    pub(super) added: f64,
    /// rho d C_d/2: drag per length and squared speed.
    pub(super) drag: f64,
    /// rho C_a,end (2/3) pi R^3: added mass of an end.
    pub(super) end_added: f64,
    /// rho A C_d,end/2: drag of an end per squared speed.
    pub(super) end_drag: f64,
}

/// Motion of the water at one place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Flow {
    /// U, with the current.
    pub(super) velocity: Vec3,
    /// Its derivative by height.
    pub(super) shear: Vec3,
    /// a_f.
    pub(super) acceleration: Vec3,
}

/// Sums along the axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sums {
    /// Integrals of alpha, alpha s, alpha s^2.
    pub(super) moments: [f64; 3],
    /// Integrals of alpha a_f, alpha s a_f.
    water: [Vec3; 2],
    /// Wrench of the drag on the sides.
    pub(super) drag: Vec6,
    /// Force along the axis at the ends: added mass, drag.
    pub(super) ends: [f64; 2],
}

/// An axis and how it moves.
pub(super) struct Axis<'a> {
    pub(super) q: Vec3,
    pub(super) site: &'a Site,
}

impl Sums {
    pub(super) const NONE: Sums = Sums {
        moments: [0.0; 3],
        water: [Vec3::new(0.0, 0.0, 0.0); 2],
        drag: Vec6::new(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        ends: [0.0; 2],
    };

    /// Adds a segment that starts at s; `acceleration` of the water at both its ends, `flow` at a
    /// place.
    pub(super) fn add_segment(
        &mut self,
        axis: &Axis,
        coefficients: &Coefficients,
        (s, piece): (f64, &Piece),
        acceleration: [Vec3; 2],
        flow: &dyn Fn(f64) -> Flow,
        tangents: &mut Option<Tangents<1>>,
    ) {
        let [zeroth, first, second] = piece.moments();
        if zeroth <= 1e-12 * piece.length {
            return;
        }
        let moments = [zeroth, first + s * zeroth, second + s * (2.0 * first + s * zeroth)];
        self.moments.iter_mut().zip(moments).for_each(|(sum, moment)| *sum += moment);
        let rise = (acceleration[1] - acceleration[0]) / piece.length;
        let here = acceleration[0] * zeroth + rise * first;
        self.water[0] += here;
        self.water[1] += here * s + acceleration[0] * first + rise * second;
        if coefficients.drag > 0.0 {
            let middle = first / zeroth;
            let spread = (second / zeroth - middle * middle).max(0.0).sqrt();
            for at in [middle - spread, middle + spread] {
                axis.add_drag(0.5 * coefficients.drag * zeroth, s + at, &flow(s + at), &mut self.drag, tangents);
            }
        }
    }

    /// Adds an end at s, of which the part `alpha` is in the water.
    pub(super) fn add_end(
        &mut self,
        Axis { q, site }: &Axis,
        coefficients: &Coefficients,
        (s, alpha): (f64, f64),
        flow: &Flow,
        tangents: &mut Option<Tangents<1>>,
    ) {
        let (added, drag) = (coefficients.end_added * alpha, coefficients.end_drag * alpha);
        if added == 0.0 && drag == 0.0 {
            return;
        }
        let (spin, relative) = (q.dot(&site.omega), flow.velocity - site.v);
        let u = q.dot(&relative);
        // c . q = (omega . q)^2 - omega^2.
        let approach = flow.acceleration - site.a;
        self.ends[0] += added * (q.dot(&approach) - s * (spin * spin - site.omega.norm_squared()));
        self.ends[1] += drag * u.abs() * u;
        let Some(Tangents { stiffness: [[k]], damping: [[g]] }) = tangents else { return };
        let slope = 2.0 * drag * u.abs();
        add_block(g, 0, 0, &(q * (q * slope).transpose()));
        add_block(g, 0, 1, &(q * ((q * spin - site.omega) * (2.0 * added * s)).transpose()));
        let by_height = slope * q.dot(&flow.shear);
        let by_turn = (q.cross(&approach) - q.cross(&site.omega) * (2.0 * s * spin)) * added
            + q.cross(&relative) * slope
            + level_axis(q) * (by_height * s);
        add_block(k, 0, 1, &-(q * by_turn.transpose()));
        let mut height = Mat3::zeros();
        height.set_column(2, &(q * -by_height));
        add_block(k, 0, 0, &height);
    }

    /// The wrench of inertia, with Froude-Krylov forces; adds M and the derivatives of that and of
    /// the forces at the ends, which turn with the axis.
    pub(super) fn inertia(
        &self,
        Axis { q, site }: &Axis,
        coefficients: &Coefficients,
        mass: Option<&mut crate::spatial::Mat6>,
        tangents: &mut Option<Tangents<1>>,
        alphas: f64,
    ) -> Vec6 {
        let Coefficients { displaced, added, .. } = *coefficients;
        let Site { a, omega, omegadot, .. } = *site;
        let [m0, m1, m2] = self.moments.map(|moment| added * moment);
        let across = Mat3::identity() - q * q.transpose();
        let around = skew(q);
        if let Some(mass) = mass {
            add_block(mass, 0, 0, &(across * m0 + q * (q * (coefficients.end_added * alphas)).transpose()));
            add_block(mass, 0, 1, &(around * -m1));
            add_block(mass, 1, 0, &(around * m1));
            add_block(mass, 1, 1, &(across * m2));
        }
        let turning = omega.cross(q);
        let c = omegadot.cross(q) + omega.cross(&turning);
        let [here, lever] = self.water;
        // Integrals of rho A C_a alpha (a_f - a - s c), times 1 and s.
        let relative = [here * added - a * m0 - c * m1, lever * added - a * m1 - c * m2];
        let force = across * relative[0] + here * displaced + q * self.ends[0];
        let moment = q.cross(&(relative[1] + lever * displaced));
        if let Some(Tangents { stiffness: [[k]], damping: [[g]] }) = tangents {
            let by_spin = -skew(&turning) - skew_skew(omega, q);
            add_block(g, 0, 1, &(across * by_spin * m1));
            add_block(g, 1, 1, &(skew_mul(q, &by_spin) * m2));
            let by_turn = -skew_skew(omegadot, q) - skew_mul(omega, &skew_skew(omega, q));
            let [b0, b1] = relative;
            let force_by_turn = around * (q.dot(&b0) - self.ends[0] - self.ends[1])
                - q * q.cross(&b0).transpose()
                - across * by_turn * m1;
            add_block(k, 0, 1, &-force_by_turn);
            let moment_by_turn = skew_skew(&(b1 + lever * displaced), q) - skew_mul(q, &by_turn) * m2;
            add_block(k, 1, 1, &-moment_by_turn);
        }
        join(&force, &moment)
    }
}

/// q x z: how the rise of the axis changes with turns.
pub(super) fn level_axis(q: &Vec3) -> Vec3 {
    Vec3::new(q.y, -q.x, 0.0)
}

impl Axis<'_> {
    /// Adds the force `k |u| u` at a place.
    fn add_drag(&self, k: f64, s: f64, flow: &Flow, wrench: &mut Vec6, tangents: &mut Option<Tangents<1>>) {
        let (Axis { q, site }, shear) = (self, &flow.shear);
        let relative = flow.velocity - site.v - site.omega.cross(q) * s;
        let along = q.dot(&relative);
        let u = relative - q * along;
        let speed = u.norm();
        let force = u * (k * speed);
        *wrench += join(&force, &(q.cross(&force) * s));
        let Some(Tangents { stiffness: [[stiffness]], damping: [[damping]] }) = tangents else { return };
        if speed == 0.0 {
            return;
        }
        // D P = k (|u| P + u u^T/|u|).
        let d = (Mat3::identity() - q * q.transpose()) * (k * speed) + u * (u * (k / speed)).transpose();
        let by_spin = mul_skew(&d, q) * -s;
        add_block(damping, 0, 0, &d);
        add_block(damping, 0, 1, &by_spin);
        add_block(damping, 1, 0, &(skew_mul(q, &d) * s));
        add_block(damping, 1, 1, &(skew_mul(q, &by_spin) * s));
        // U changes with height, P and the place with turns.
        let by_turn = skew_skew(&site.omega, q) + shear * level_axis(q).transpose();
        let force_by_turn =
            mul_skew(&d, q) * along - q * (q.cross(&relative) * (k * speed)).transpose() + d * by_turn * s;
        add_block(stiffness, 0, 1, &-force_by_turn);
        add_block(stiffness, 1, 1, &((skew_skew(&force, q) + skew_mul(q, &force_by_turn)) * -s));
        let mut by_height = Mat3::zeros();
        by_height.set_column(2, &(d * shear));
        add_block(stiffness, 0, 0, &-by_height);
        add_block(stiffness, 1, 0, &(skew_mul(q, &by_height) * -s));
    }
}
