//! Memory of an evaluation: motions, residual, matrix, solution; and the linear solves on it.

use super::articulated::Articulated;
use super::assembly::NodeTangent;
use super::forces::callback::Slots;
use super::kinks::EnergyWork;
use super::layout::Layout;
use super::lines::LineWork;
use super::machines::MachineWork;
use super::motion::Motion;
use super::turning::Turning;
use super::{Failure, System};
use crate::linear::{Kkt, Rhs4, RhsEntry, times, update};
use crate::spatial::Vec3;

/// Memory of an evaluation.
#[derive(Clone)]
pub struct Workspace {
    /// Indices of flat vectors.
    pub layout: Layout,
    /// One per body and point; the ground is the last.
    pub motions: Vec<Motion>,
    /// Motions of the nodes of lines, and results of their evaluation.
    pub lines: LineWork,
    /// Own variables of elements and lines.
    pub z: Vec<f64>,
    /// Machines while their modes are decided.
    pub(super) machines: Vec<MachineWork>,
    /// Iterations for the forces or impulses of machines that ended before they had settled.
    pub unsettled: u64,
    /// Elements in energy form over the present step.
    pub energy: EnergyWork,
    /// Recent coordinates of the joints, from which angles are counted.
    pub coordinates: Vec<f64>,
    /// Equations of motion, then constraints.
    pub residual: Vec<f64>,
    /// Tangents of each body and point by itself.
    pub tangents: Vec<NodeTangent>,
    /// Derivatives of angular rates with respect to increments; empty where gamma' and beta'
    /// suffice.
    pub turnings: Vec<Turning>,
    /// Iteration matrix.
    pub matrix: Kkt,
    /// Articulated elimination for accelerations, where the model is a forest.
    pub(super) articulated: Option<Articulated>,
    /// Whether the last factors are those of `articulated`.
    pub(super) is_by_links: bool,
    /// Right-hand side, then solution.
    pub solution: Vec<f64>,
    /// For each body the sizes of the reactions of its joints: forces and moments.
    pub(super) reaction_sizes: Vec<[f64; 2]>,
    /// Zero multipliers, for evaluations of geometry alone.
    pub(super) multipliers: Vec<f64>,
    /// Arguments and last results of load callbacks.
    pub(super) callbacks: Slots,
    /// Wrench that must be applied to each node with imposed motion in the last evaluation,
    /// inertial axes; 0 for the others.
    pub reactions: Vec<f64>,
}

impl Workspace {
    /// For a system.
    pub fn new(system: &System) -> Workspace {
        let (layout, multipliers) = (system.layout(), system.multipliers());
        let n = layout.dofs() + multipliers;
        Workspace {
            layout,
            motions: vec![Motion::ground(); layout.carriers() + 1],
            lines: LineWork::new(system),
            z: vec![0.0; layout.own().count()],
            machines: vec![MachineWork::NONE; system.machines.len()],
            unsettled: 0,
            energy: EnergyWork::new(system),
            coordinates: vec![0.0; system.joints.len()],
            residual: vec![0.0; n],
            tangents: vec![NodeTangent::ZERO; layout.carriers()],
            turnings: Vec::new(),
            matrix: Kkt::new(layout.widths(), multipliers),
            articulated: system.links.clone().map(Articulated::new),
            is_by_links: false,
            solution: vec![0.0; n],
            reaction_sizes: vec![[0.0; 2]; layout.bodies()],
            multipliers: vec![0.0; multipliers],
            callbacks: Slots::default(),
            reactions: vec![0.0; layout.dofs()],
        }
    }

    /// Whether accelerations may be found link by link.
    pub fn has_links(&self) -> bool {
        self.articulated.is_some()
    }

    /// Sets all accelerations to zero.
    pub fn stand_still(&mut self) {
        for motion in &mut self.motions {
            (motion.vdot, motion.omegadot) = (Vec3::zeros(), Vec3::zeros());
        }
        self.lines.a.fill(Vec3::zeros());
    }

    /// Number of evaluations in the present iteration that updated A of load callbacks; they do not
    /// count as iterations.
    pub fn lessons(&self) -> u32 {
        self.callbacks.lessons()
    }

    /// Factorises the assembled matrix. A matrix with overflowed entries is reported as such, not
    /// as singular.
    #[inline(always)]
    pub fn factorize(&mut self, iterations: u32) -> Result<(), Failure> {
        self.is_by_links = false;
        self.matrix.factorize().map_err(|singular| {
            let residual = self.residual.iter().position(|r| !r.is_finite());
            let tangent = |t: &NodeTangent| !t.is_finite();
            let of_node = || self.tangents.iter().position(tangent).map(|node| self.layout.unknown(node));
            match residual.or_else(|| self.matrix.not_finite().unwrap_or_else(of_node)) {
                Some(unknown) => Failure::NotFinite { unknown, iterations },
                None => Failure::Singular { unknown: singular.column },
            }
        })
    }

    /// Makes `-D_L r` the right-hand side: equations of motion times `scale`, constraints unscaled.
    #[inline(always)]
    pub fn take_residual(&mut self, scale: f64) {
        let dofs = self.layout.dofs();
        let (of_nodes, of_constraints) = self.solution.split_at_mut(dofs);
        update([of_nodes], [&self.residual[..dofs]], |_, [r]| [-scale * r]);
        update([of_constraints], [&self.residual[dofs..]], |_, [r]| [-r]);
    }

    /// Solves `[S B^T; B T^T 0] (x, y) = (0, c)` with the last factors; c is in the last entries of
    /// `solution`, where y replaces it. Factors of `articulated` compute x alone.
    pub fn solve_constraints(&mut self) {
        let dofs = self.layout.dofs();
        if let Some(articulated) = self.articulated.as_mut().filter(|_| self.is_by_links) {
            self.solution[..dofs].fill(0.0);
            return articulated.solve(dofs, &mut self.solution, false);
        }
        self.matrix.solve_constraints(&mut self.solution);
    }

    /// Replaces the right-hand side in `solution` by the solution with the last factors.
    #[inline]
    pub fn solve(&mut self) {
        let dofs = self.layout.dofs();
        match &mut self.articulated {
            Some(articulated) if self.is_by_links => articulated.solve(dofs, &mut self.solution, true),
            _ => self.matrix.solve(&mut self.solution),
        }
    }

    /// Converts the last solution to a change of velocities or accelerations: rotations times T^T
    /// of their motions.
    #[inline(always)]
    pub fn turn_solution(&mut self) {
        let (bodies, _) = self.layout.split_mut(&mut self.solution);
        for (x, motion) in bodies.iter_mut().zip(&self.motions) {
            *x = turned(motion, x);
        }
    }

    /// Adds three of four solutions of this matrix, as changes of velocities or accelerations:
    /// `numbers[0] = v + first`, `numbers[1] += second`, `numbers[2] = vdot + third`. The solutions
    /// are set to zero.
    #[inline(always)]
    pub fn take_turned(&self, [v, vdot]: [&[f64]; 2], numbers: [&mut [f64]; 3], solutions: &mut [Rhs4]) {
        let (bodies, points) = solutions.split_at_mut(6 * self.layout.turning());
        let [first, second, third] = numbers.map(|numbers| self.layout.split_mut(numbers));
        let ((v, v_points), (vdot, vdot_points)) = (self.layout.split(v), self.layout.split(vdot));
        let changes = self.motions.iter().zip(bodies.as_chunks_mut::<6>().0);
        for (body, (motion, x)) in changes.enumerate().take(v.len()) {
            let x = std::mem::replace(x, [Rhs4::ZERO; 6]);
            let turned = times(&motion.tangent.data.0, &[x[3], x[4], x[5]]);
            let (v, vdot) = (&v[body], &vdot[body]);
            let (first, second, third) = (&mut first.0[body], &mut second.0[body], &mut third.0[body]);
            for k in 0..6 {
                let Rhs4([of_first, of_second, of_third, _]) = if k < 3 { x[k] } else { turned[k - 3] };
                first[k] = v[k] + of_first;
                second[k] += of_second;
                third[k] = vdot[k] + of_third;
            }
        }
        let [first, second, third] = [first.1, second.1, third.1].map(|points| points.as_flattened_mut());
        let given = v_points.as_flattened().iter().zip(vdot_points.as_flattened());
        let made = first.iter_mut().zip(second).zip(third);
        for ((((first, second), third), (v, vdot)), change) in made.zip(given).zip(points) {
            let Rhs4([of_first, of_second, of_third, _]) = std::mem::replace(change, Rhs4::ZERO);
            (*first, *second, *third) = (v + of_first, *second + of_second, vdot + of_third);
        }
    }
}

/// Increments of a body as a change of its rates.
#[inline(always)]
fn turned(motion: &Motion, x: &[f64; 6]) -> [f64; 6] {
    let [u, v, w, ..] = *x;
    let [p, q, r] = (motion.tangent * Vec3::new(x[3], x[4], x[5])).into();
    [u, v, w, p, q, r]
}
