//! Accelerations that turn with the bodies of a stiff structure, in the place of a(n).
//!
//! The dissipation of the scheme acts on a(n+1) - a(n). In a structure that turns steadily by theta
//! in each step that is theta a: inertial axes let turning itself be damped. The positions of
//! bodies on elements whose axes turn (bushings, beams) follow from accelerations b that turn
//! along. With S half the turn of the body in the step, b' = S b(n) and b~ the acceleration at the
//! end, both in the axes half-way:
//!
//! ```text
//! (v(n+1) - v(n))/h = (1 - gamma) b' + gamma b~,     dx = h v(n) + h^2 ((1/2 - beta) b' + beta b~),     b(n+1) = S b~.
//! ```
//!
//! v(n+1) is that of the scheme: its impulse is that of the forces, and momentum is kept. Only
//! positions change, by h^2 (1/2 - beta/gamma) (b' - a(n)), which is known at the start of the
//! step; the iteration is the same. With beta = gamma/2 + delta^2/4 and effective forces that do
//! the work -dV the energy falls as in inertial axes, as b(n+1) is as long as b~:
//!
//! ```text
//! d[T + V + (h^2 delta^2/8) b.M b] = -(h^2 delta^3/4) (b~ - b').M (b~ - b').
//! ```
//!
//! In steady turning b~ = b', and nothing is damped. The history has b - a, which is zero where the
//! scheme starts anew. Steps of another length than the last take a(n): h stands in the energy
//! above, and turning with steps that alternate between lengths would gain energy.

use super::parameters::Parameters;
use super::start::{Given, Started, three};
use crate::scheme::{Alpha, Point, Problem};
use crate::spatial::{Quat, Vec3, rotation};
use crate::system::System;

/// Of each body on which such elements act: S and b'; none in steps that take a(n).
#[derive(Debug, Clone, Default)]
pub struct HalfTurns(Vec<(Quat, Vec3)>);

impl HalfTurns {
    /// Finds b' at the start of a step, and adds to the increments of positions what it makes of
    /// them.
    pub fn begin(
        &mut self,
        p: &Parameters,
        problem: &Problem,
        (started, from): (Started, &Point),
        start: Given,
        dq: &mut [f64],
    ) {
        let (h, forms) = (problem.step, problem.system.elements().forms());
        self.0.clear();
        let last = match (started, from.history.alpha()) {
            (Started::On(1.0), Some(last)) => &last.kinks.turned[..],
            (Started::On(_), _) => return,
            (Started::Anew(_), _) => &[],
        };
        let besides = last.iter().copied().chain(std::iter::repeat([0.0; 3]));
        for (first, beside) in forms.turning().zip(besides) {
            let [a, omega] = [(start.a, first), (start.v, first + 3)].map(|(numbers, k)| three(numbers, k));
            let half = (omega + three(start.vdot, first + 3) * (0.5 * h)) * (0.5 * h);
            let turn = rotation::exp(&half);
            let turned = rotation::rotate(&turn, &(a + Vec3::from(beside)));
            let change = (turned - a) * (h * h * (0.5 - p.beta / p.gamma));
            dq[first..first + 3].iter_mut().zip(&change).for_each(|(dx, change)| *dx += change);
            self.0.push((turn, turned));
        }
    }

    /// b(n+1) - a(n+1) for the next step, where a(n+1) has been found; both with the lag of a first step
    /// ([`Parameters::kept`]).
    pub fn conclude(&self, p: &Parameters, system: &System, start: Given, own: &mut Alpha) {
        own.kinks.turned.fill([0.0; 3]);
        let turning = system.elements().forms().turning().zip(&mut own.kinks.turned);
        for ((turn, turned), (first, beside)) in self.0.iter().zip(turning) {
            let [a, vdot, next] = [start.a, start.vdot, &own.a].map(|numbers| three(numbers, first));
            let of_start = (a - turned) * ((1.0 - p.gamma) / p.gamma * (1.0 - p.lag));
            let reached = next + of_start + (rotation::rotate(turn, &vdot) - vdot) * p.lag;
            *beside = (rotation::rotate(turn, &reached) - next).into();
        }
    }
}
