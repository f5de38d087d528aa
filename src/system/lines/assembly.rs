//! Adds residuals and tangents of lines: those of nodes to their own rows and columns, those of
//! tied ends to the rows and columns of their carriers.

use super::super::assembly::{Assembly, NodeTangent};
use super::super::coefficients::Coefficients;
use super::super::kinks::{EnergyWork, OfLine};
use super::super::{Environment, System};
use super::{LineElement, LineWork, end_motion};
use crate::elements::Turn;
use crate::elements::line::{Around, Clamp, ClampOver, EndColumns, Evaluation, Factors, Motions, Over};
use crate::linear::Assemble;
use crate::spatial::{Mat3, Mat6, Vec3, add_block, join, mul_skew, skew, skew_mul, skew_skew};

/// The carrier of an end, with its rows and columns of the matrix.
struct Carrier {
    /// Its node.
    node: usize,
    /// Its first unknown; None where its motion is imposed, or it is the ground.
    unknown: Option<usize>,
    /// Whether it turns.
    turns: bool,
    /// From its point to the end, inertial axes.
    arm: Vec3,
    /// T^T.
    tangent: Mat3,
    /// Angular velocity and acceleration.
    omega: Vec3,
    omegadot: Vec3,
}

impl Carrier {
    /// The part of K with respect to the lever arm s from velocity and acceleration of the end, by
    /// C and M: `delta v = ~omega delta s` and `delta a = (~omegadot + ~omega ~omega) delta s`.
    #[inline(always)]
    fn by_arm(&self, damping: &Mat3, mass: Option<&Mat3>) -> Mat3 {
        let by_velocity = mul_skew(damping, &self.omega);
        match mass {
            None => by_velocity,
            Some(mass) => {
                let turning = skew(&self.omegadot) + skew_skew(&self.omega, &self.omega);
                by_velocity + mass * turning
            }
        }
    }
}

/// `J^T B`: a force over three unknowns, as a wrench.
#[inline(always)]
fn wrench(arm: &Vec3, b: &Mat3) -> [[f64; 6]; 3] {
    let moment = skew_mul(arm, b);
    std::array::from_fn(|j| [b[(0, j)], b[(1, j)], b[(2, j)], moment[(0, j)], moment[(1, j)], moment[(2, j)]])
}

/// `K [I, -~s T^T] + R [I, -~s]`: three rows with respect to the motion of a carrier that turns;
/// `turning` is the additional part of K with respect to the arm.
#[inline(always)]
fn turned(carrier: &Carrier, k: &Mat3, turning: &Mat3, r: &Mat3) -> [Mat3; 2] {
    [k + r, -(mul_skew(&(k + turning), &carrier.arm) * carrier.tangent + mul_skew(r, &carrier.arm))]
}

impl System {
    /// Evaluates all lines, and adds their residuals and tangents.
    #[inline(always)]
    pub(in crate::system) fn assemble_lines<A: Assemble>(
        &self,
        environment: &Environment,
        work: &mut LineWork,
        energy: &EnergyWork,
        assembly: &mut Assembly<A>,
    ) {
        let LineWork { x, v, a, sticks, slow, fluid, evaluations, all_terms, wants_masses, .. } = work;
        let c = assembly.coefficients;
        let factors = match (A::TAKES, *wants_masses) {
            (true, _) => Some(Factors { mass: c.mass, damping: c.damping, stiffness: c.stiffness, all: *all_terms }),
            (false, true) => Some(Factors { mass: 1.0, damping: 0.0, stiffness: 0.0, all: false }),
            (false, false) => None,
        };
        for (k, (line, evaluation)) in self.lines.iter().zip(&mut *evaluations).enumerate() {
            let nodes = &line.nodes;
            let axes = line.axes(|tie, axis| assembly.motions[tie.node].arm(axis));
            let motions = Motions { x: &x[nodes.clone()], v: &v[nodes.clone()], a: &a[nodes.clone()], axes };
            let around = self.around(environment.water, nodes, sticks, fluid);
            let around = Around { slow: line.slow(slow, environment.time), ..around };
            let lengths = line.unstretched(k, &environment.loads.lines);
            let over = environment.form.as_ref().map(|form| {
                let OfLine { forces, segments, bent } = self.kinks.of_line(line);
                let clamps = [0, 1].map(|end| {
                    let (axis, node) = (line.clamps[end]?, line.ends[end].node);
                    let [from, at] = [&energy.origins[node], &assembly.motions[node]];
                    Some(ClampOver { axis: from.arm(&axis), turn: Turn::of(&from.q, &at.q) })
                });
                Over {
                    form,
                    x: &energy.x[nodes.clone()],
                    segment: energy.segments[k],
                    strains: &energy.strains[line.segments.clone()],
                    memories: &energy.memories[segments],
                    bent: energy.memories[bent].as_chunks().0,
                    clamps,
                    carried: energy.carried[forces].as_chunks().0,
                }
            });
            line.chain.evaluate(lengths, motions, &around, factors, over.as_ref(), evaluation);
        }
        let stiffness = factors.map(|factors| factors.stiffness);
        self.bend_joints(environment, x, energy, stiffness, evaluations, assembly);
        for (line, evaluation) in self.lines.iter().zip(evaluations) {
            self.enter_line(line, evaluation, assembly);
        }
    }

    #[inline(always)]
    fn enter_line<A: Assemble>(&self, line: &LineElement, found: &Evaluation, assembly: &mut Assembly<A>) {
        let first = self.layout.unknown(self.layout.chained_node(line.nodes.start));
        let last = line.nodes.len() - 1;
        for (node, r) in found.residual.iter().enumerate().filter(|(node, _)| line.is_free(*node)) {
            let sum = &mut assembly.residual[first + 3 * node..][..3];
            sum.iter_mut().zip(r.iter()).for_each(|(sum, r)| *sum += r);
        }
        let mut carriers = [None, None];
        for (end, node, tie) in line.tied() {
            let [.., arm] = end_motion(tie, assembly.motions);
            let r = &found.residual[node];
            let moment = found.ends[end].clamp.map_or(Vec3::zeros(), |clamp| clamp.moment);
            assembly.add_residual(tie.node, &join(r, &(arm.cross(r) + moment)));
            let is_free = tie.node < self.layout.carriers() && self.free[tie.node];
            carriers[end] = Some(Carrier {
                node: tie.node,
                unknown: is_free.then(|| self.layout.unknown(tie.node)),
                turns: self.layout.turns(tie.node),
                arm,
                tangent: assembly.motions[tie.node].tangent,
                omega: assembly.motions[tie.node].omega,
                omegadot: assembly.motions[tie.node].omegadot,
            });
        }
        if !A::TAKES {
            return;
        }
        let matrix = &mut *assembly.matrix;
        // Inner nodes, except the last, have all their neighbours in the chain.
        let inside = if found.upper_two.is_empty() { 1..last.max(2) - 1 } else { 0..0 };
        for node in 0..=last {
            let at = first + 3 * node;
            if inside.contains(&node) {
                if node == inside.start {
                    matrix.add_chain(at, inside.len(), |k| {
                        let node = inside.start + k;
                        [&found.diagonal[node].data.0, &found.upper[node].data.0, &found.lower[node].data.0]
                    });
                }
                continue;
            }
            if !line.is_free(node) {
                matrix.add(at, at, &Mat3::identity().data.0);
                continue;
            }
            matrix.add(at, at, &found.diagonal[node].data.0);
            if node < last && line.is_free(node + 1) {
                matrix.add(at, at + 3, &found.upper[node].data.0);
                matrix.add(at + 3, at, &found.lower[node].data.0);
            }
            if node + 1 < last && line.is_free(node + 2) && !found.upper_two.is_empty() {
                matrix.add(at, at + 6, &found.upper_two[node].data.0);
                matrix.add(at + 6, at, &found.lower_two[node].data.0);
            }
        }
        for end in 0..2 {
            let Some(carrier @ Carrier { unknown: Some(unknown), .. }) = &carriers[end] else { continue };
            let node = [0, last][end];
            add_own(carrier, &found.residual[node], &found.ends[end], assembly);
            let reach = if found.upper_two.is_empty() { 1 } else { 2 };
            for distance in 1..=reach.min(last) {
                let other = if end == 0 { distance } else { last - distance };
                // Motion of the end, in the row of the other node.
                let (k, r) = (&found.ends[end].stiffness[distance], &found.ends[end].rates[distance]);
                let turning = match distance {
                    1 => carrier.by_arm(&found.ends[end].damping[1], None) * assembly.coefficients.stiffness,
                    _ => Mat3::zeros(),
                };
                let mut columns = turned(carrier, k, &turning, r);
                let clamp = found.ends[end].clamp.as_ref().filter(|_| distance == 1);
                if let Some(clamp) = clamp {
                    columns[1] += clamp.by_rotation * carrier.tangent;
                }
                let matrix = &mut *assembly.matrix;
                if line.is_free(other) {
                    let at = first + 3 * other;
                    add_columns(matrix, at, (*unknown, carrier.turns), &columns);
                    // Motion of the other node, in the row of the end.
                    let block = match (end, distance) {
                        (0, 1) => &found.upper[0],
                        (0, _) => &found.upper_two[0],
                        (_, 1) => &found.lower[last - 1],
                        (..) => &found.lower_two[last - 2],
                    };
                    match carrier.turns {
                        true => matrix.add(*unknown, at, &clamped(clamp, wrench(&carrier.arm, block), |b| *b)),
                        false => matrix.add(*unknown, at, &block.data.0),
                    }
                } else if let Some(Carrier { unknown: Some(row), turns, arm, .. }) = &carriers[1 - end] {
                    match turns {
                        false => add_columns(matrix, *row, (*unknown, carrier.turns), &columns),
                        true => {
                            let [by_place, by_turn] = columns.each_ref().map(|block| wrench(arm, block));
                            let of_other = found.ends[1 - end].clamp.as_ref().filter(|_| distance == 1);
                            let turn = |b: &Mat3| -mul_skew(b, &carrier.arm) * carrier.tangent;
                            let columns = [clamped(of_other, by_place, |b| *b), clamped(of_other, by_turn, turn)];
                            matrix.add(*row, *unknown, &columns[0]);
                            if carrier.turns {
                                matrix.add(*row, *unknown + 3, &columns[1]);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Adds what a clamp has of `J^T B`: the moment on its carrier by the position of the neighbour.
#[inline(always)]
fn clamped(clamp: Option<&Clamp>, mut block: [[f64; 6]; 3], by_place: impl Fn(&Mat3) -> Mat3) -> [[f64; 6]; 3] {
    if let Some(clamp) = clamp {
        let moment = by_place(&clamp.by_place);
        for (column, moment) in block.iter_mut().zip(&moment.data.0) {
            column[3..].iter_mut().zip(moment).for_each(|(sum, moment)| *sum += moment);
        }
    }
    block
}

/// Adds three rows with respect to the motion of a carrier.
#[inline(always)]
fn add_columns<A: Assemble>(matrix: &mut A, row: usize, (column, turns): (usize, bool), [u, theta]: &[Mat3; 2]) {
    let ([a, b, c], [d, e, f]) = (u.data.0, theta.data.0);
    match turns {
        true => matrix.add(row, column, &[a, b, c, d, e, f]),
        false => matrix.add(row, column, &[a, b, c]),
    }
}

/// Adds the derivatives of the force of an end with respect to its own motion to the tangents of
/// its carrier.
#[inline(always)]
fn add_own<A: Assemble>(carrier: &Carrier, residual: &Vec3, columns: &EndColumns, assembly: &mut Assembly<A>) {
    let Coefficients { damping: cg, stiffness: c, .. } = assembly.coefficients;
    let (stiffness, rates) = (columns.stiffness[0], columns.rates[0]);
    let NodeTangent { inertia: own_inertia, stiffness: own_stiffness } = assembly.tangent(carrier.node);
    if !carrier.turns {
        add_block(own_inertia, 0, 0, &rates);
        if c != 0.0 {
            add_block(own_stiffness, 0, 0, &(stiffness / c));
        }
        return;
    }
    let arm = &carrier.arm;
    // Rows of force and moment, with respect to the translation and to the arm.
    let add = |into: &mut Mat6, b: &Mat3, by_arm: &Mat3| {
        add_block(into, 0, 0, b);
        add_block(into, 0, 1, by_arm);
        add_block(into, 1, 0, &skew_mul(arm, b));
        add_block(into, 1, 1, &skew_mul(arm, by_arm));
    };
    // Derivative of the centripetal acceleration omega x (omega x s) with respect to omega.
    let centripetal = skew(&carrier.omega.cross(arm)) + skew_skew(&carrier.omega, arm);
    let by_rates = mul_skew(&rates, arm) + columns.mass * centripetal * cg;
    add(own_inertia, &rates, &-by_rates);
    if c != 0.0 {
        let stiffness = stiffness / c;
        let turning = stiffness + carrier.by_arm(&columns.damping[0], Some(&columns.mass));
        add(own_stiffness, &stiffness, &-mul_skew(&turning, arm));
        if let Some(Clamp { by_rotation, by_place, moment_by_rotation, .. }) = &columns.clamp {
            let (force, moment) = (by_rotation / -c, by_place / -c);
            add_block(own_stiffness, 0, 1, &force);
            add_block(own_stiffness, 1, 0, &moment);
            let by_arm = skew_mul(arm, &force) - mul_skew(&moment, arm);
            add_block(own_stiffness, 1, 1, &(moment_by_rotation / c + by_arm));
        }
        // The lever arm turns: d(s x r) = ~r ~s dtheta.
        add_block(own_stiffness, 1, 1, &skew_skew(residual, arm));
    }
}
