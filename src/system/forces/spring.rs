//! Spring with damper between two points: tension `T = k (L - L0) + c dL/dt` along their connection.
//!
//! A tension-only spring is slack where `e = L - L0 <= 0`; where it is taut its damper carries no more than the spring does:
//! `T = k e + min(max(c de/dt, -k e), k e)`. So the tension starts from zero at the rest length, whatever the speed at which
//! the line tightens: with the full force of the damper there it would jump, and the equations of an implicit step that ends
//! near the jump have no solution. The limit from below is that a line never pushes.

use crate::linear::Assemble;
use crate::model::Spring;
use crate::spatial::{Mat3, Mat6, Vec3, add_block, skew, skew_mul, skew_skew};
use crate::system::assembly::{Assembly, PairTangent, point_wrench};
use crate::system::motion::Motion;

/// A spring as the system evaluates it.
#[derive(Debug, Clone)]
pub struct SpringElement {
    /// Both bodies; the ground is the index past the last body.
    pub ends: [usize; 2],
    points: [Vec3; 2],
    stiffness: f64,
    damping: f64,
    rest_length: f64,
    tension_only: bool,
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

impl SpringElement {
    /// From the description; `ground` is the index that stands for the ground.
    pub fn new(spring: &Spring, ground: usize) -> SpringElement {
        SpringElement {
            ends: [spring.body_a.unwrap_or(ground), spring.body_b.unwrap_or(ground)],
            points: [spring.point_a, spring.point_b],
            stiffness: spring.stiffness,
            damping: spring.damping,
            rest_length: spring.rest_length,
            tension_only: spring.tension_only,
        }
    }

    /// From the vector between the points and its rate.
    fn force(&self, e: &Vec3, edot: &Vec3) -> Force {
        let length = e.norm();
        let none = Force { length, tension: 0.0, phi: Vec3::zeros(), stiffness: Mat3::zeros(), damping: Mat3::zeros() };
        // Points that meet have no direction between them: only a spring without rest length has a limit, k e.
        if length == 0.0 {
            let k = if self.rest_length == 0.0 { self.stiffness } else { 0.0 };
            return Force { stiffness: Mat3::identity() * k, ..none };
        }
        let n = e / length;
        let rate = n.dot(edot);
        let (elastic, viscous) = (self.stiffness * (length - self.rest_length), self.damping * rate);
        // Tension, dT/dL, dT/d(rate).
        let (tension, k, c) = match self.tension_only {
            true if elastic <= 0.0 || viscous <= -elastic => return none,
            true if viscous >= elastic => (2.0 * elastic, 2.0 * self.stiffness, 0.0),
            _ => (elastic + viscous, self.stiffness, self.damping),
        };
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

    fn between(&self, [a, b]: [&Motion; 2]) -> ([Vec3; 2], Force) {
        let arms = [a.arm(&self.points[0]), b.arm(&self.points[1])];
        let e = (b.x + arms[1]) - (a.x + arms[0]);
        let edot = b.velocity_at(&arms[1]) - a.velocity_at(&arms[0]);
        (arms, self.force(&e, &edot))
    }

    /// Length and tension (negative: it pushes).
    pub fn length_and_tension(&self, ends: [&Motion; 2]) -> (f64, f64) {
        let force = self.between(ends).1;
        (force.length, force.tension)
    }

    /// Elastic energy.
    pub fn potential(&self, ends: [&Motion; 2]) -> f64 {
        let extension = self.between(ends).1.length - self.rest_length;
        if self.tension_only && extension <= 0.0 { 0.0 } else { 0.5 * self.stiffness * extension * extension }
    }

    /// Distance of both points from their reference points, for the length scale of the model.
    pub fn reach(&self) -> f64 {
        let reach = |end: usize| self.points[end].norm();
        reach(0).min(reach(1))
    }

    /// Adds its wrenches and tangents.
    pub fn assemble<A: Assemble>(&self, assembly: &mut Assembly<A>) {
        let motions = assembly.motions;
        let (arms, force) = self.between(self.ends.map(|end| &motions[end]));
        // residual -f: + phi on b, - phi on a
        let signs = [-1.0, 1.0];
        let mut pair = PairTangent { stiffness: [[Mat6::zeros(); 2]; 2], damping: [[Mat6::zeros(); 2]; 2] };
        for i in 0..2 {
            assembly.add_residual(self.ends[i], &(point_wrench(&force.phi, &arms[i]) * signs[i]));
            for j in 0..2 {
                let sign = signs[i] * signs[j];
                // point j moves by du - ~s dtheta, its velocity by dv - ~s domega - ~omega ~s dtheta
                let turn = force.stiffness * skew(&arms[j])
                    + force.damping * skew_skew(&motions[self.ends[j]].omega, &arms[j]);
                let k = [force.stiffness * sign, turn * -sign];
                let c = [force.damping * sign, force.damping * skew(&arms[j]) * -sign];
                for column in 0..2 {
                    add_block(&mut pair.stiffness[i][j], 0, column, &k[column]);
                    add_block(&mut pair.stiffness[i][j], 1, column, &skew_mul(&arms[i], &k[column]));
                    add_block(&mut pair.damping[i][j], 0, column, &c[column]);
                    add_block(&mut pair.damping[i][j], 1, column, &skew_mul(&arms[i], &c[column]));
                }
            }
            // the arm turns: d(s x phi) = ~phi ~s dtheta
            add_block(&mut pair.stiffness[i][i], 1, 1, &(skew_skew(&force.phi, &arms[i]) * signs[i]));
        }
        assembly.add_pair(self.ends, &pair);
    }
}
