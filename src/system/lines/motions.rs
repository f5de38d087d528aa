//! Motions of the nodes of lines: copied from a state to the workspace, and those of tied ends
//! computed from their carriers.

use super::super::views::Lines;
use super::super::{BodyState, Environment, Motion, State, System, Workspace};
use super::{LineElement, LineWork, end_motion};
use crate::elements::line::{Around, Energies, Fluid, Motions, Seabed, Slow};
use crate::linear::{inverse_3, times};
use crate::model::{LineLength, SHORTEST, Water};
use crate::spatial::Vec3;
use std::ops::Range;

/// Residual force on a node, relative to its weight, its inertia and the adjacent tensions, with
/// which a step may end.
pub const BALANCE: f64 = 1e-5;

impl System {
    /// Copies motions of all nodes of lines, and the other inputs of their evaluation, from a
    /// state. Motions of the carriers must be there already.
    #[inline(never)]
    pub(in crate::system) fn move_lines_to(&self, state: &State, workspace: &mut Workspace) {
        if self.lines.is_empty() {
            return;
        }
        let layout = self.layout;
        let LineWork { x, v, a, .. } = &mut workspace.lines;
        let parts = [layout.chained_places(&state.q), layout.chained_in(&state.v), layout.chained_in(&state.vdot)];
        for (to, from) in [x, v, a].into_iter().zip(parts) {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = Vec3::from(*from));
        }
        self.tie_ends(&workspace.motions, &mut workspace.lines);
    }

    /// Computes the motions of tied ends from their carriers.
    #[inline(never)]
    pub(in crate::system) fn tie_ends(&self, motions: &[Motion], work: &mut LineWork) {
        for line in &self.lines {
            for (_, node, tie) in line.tied() {
                let k = line.nodes.start + node;
                [work.x[k], work.v[k], work.a[k], _] = end_motion(tie, motions);
            }
        }
    }

    /// Environment of a line at rest, with nodes `nodes` among those of all lines.
    #[inline(always)]
    pub(in crate::system) fn around<'a>(
        &self,
        water: &'a Water,
        nodes: &std::ops::Range<usize>,
        sticks: &'a [[f64; 2]],
        fluid: &'a [Fluid],
    ) -> Around<'a> {
        Around {
            gravity: self.gravity,
            water,
            origin: self.origin,
            fluid: fluid.get(nodes.clone()),
            sticks: &sticks[nodes.clone()],
            slow: Slow::AT_REST,
        }
    }

    /// Adapts a workspace to ends that were released, or tied again by a restored state.
    #[inline(always)]
    pub(in crate::system) fn follow_releases(&self, workspace: &mut Workspace) {
        let known = &mut workspace.lines.holds;
        if self.lines.iter().map(|line| &line.holds).ne(known.iter()) {
            known.iter_mut().zip(&self.lines).for_each(|(own, line)| *own = line.holds);
            workspace.matrix.forget_pattern();
        }
    }
}

impl Lines<'_> {
    /// The first line, or tendon after the lines, that winches make too short between two lengths,
    /// and its least length.
    pub fn too_short(self, from: &[LineLength], to: &[LineLength], duration: f64) -> Option<(usize, f64)> {
        let described = self.0.lines.iter().map(|line| line.length);
        let described = described.chain(self.0.elements.tendons.iter().map(|tendon| tendon.rest_length));
        described.zip(from.iter().zip(to)).enumerate().find_map(|(k, (described, (from, to)))| {
            let least = LineLength::least(from, to, duration);
            // A winch that stops at the shortest length passes below it by rounding.
            let noise = 16.0 * f64::EPSILON * (from.length + to.length);
            (least < SHORTEST * described - noise).then_some((k, least))
        })
    }

    /// Computes the motions of tied ends again, if the rates of their carriers have changed since.
    #[inline(always)]
    pub fn carry_ends(self, workspace: &mut Workspace) {
        if !self.0.lines.is_empty() {
            self.0.tie_ends(&workspace.motions, &mut workspace.lines);
        }
    }

    /// Writes the motions of the tied ends to a state, from those of their carriers there.
    pub fn follow_ends(self, state: &mut State) {
        for line in &self.0.lines {
            for (_, node, tie) in line.tied() {
                let motion = if tie.node < self.0.layout.carriers() {
                    Motion::of(&state.body(tie.node))
                } else {
                    Motion::ground()
                };
                let tie = crate::elements::Tie { node: 0, at: tie.at };
                let [x, v, a, _] = end_motion(&tie, std::slice::from_ref(&motion));
                let node = self.0.layout.chained_node(line.nodes.start + node);
                state.q[self.0.layout.positions(node)].copy_from_slice(x.as_slice());
                let range = self.0.layout.velocities(node);
                state.v[range.clone()].copy_from_slice(v.as_slice());
                state.vdot[range].copy_from_slice(a.as_slice());
            }
        }
    }

    /// The axes of clamped ends of a line at a state.
    pub(super) fn axes(self, line: &LineElement, state: &State) -> [Option<Vec3>; 2] {
        line.axes(|tie, axis| {
            let is_ground = tie.node >= self.0.layout.carriers();
            if is_ground { *axis } else { Motion::of(&state.body(tie.node)).arm(axis) }
        })
    }

    /// The moment of an end of a line of a given unstretched length on what it is clamped to, at a
    /// state; zero without a clamp.
    pub(super) fn clamp_moment(self, line: usize, end: usize, length: f64, state: &State) -> Vec3 {
        let element = &self.0.lines[line];
        let Some(axis) = self.axes(element, state)[end] else { return Vec3::zeros() };
        let places = self.0.layout.chained_places(&state.q);
        let place = |node: usize| Vec3::from(places[element.nodes.start + node]);
        let (node, neighbour, _) = element.chain.end(end);
        let segment = length / element.segments.len() as f64;
        element.chain.clamp_moment(segment, &axis, &(place(neighbour) - place(node)))
    }

    /// Forces of one cause on the nodes of a line (`Chain::node_loads`) at a state.
    pub fn node_loads(
        self,
        line: usize,
        what: &str,
        state: &State,
        lengths: &[LineLength],
        water: &Water,
    ) -> Vec<Vec3> {
        let element = &self.0.lines[line];
        let (places, rates) = (self.0.layout.chained_places(&state.q), self.0.layout.chained_in(&state.v));
        let [x, v] =
            [places, rates].map(|rows| rows[element.nodes.clone()].iter().map(|row| Vec3::from(*row)).collect());
        let fluid: Vec<Fluid> = state.fluid().collect();
        let around = self.0.around(water, &element.nodes, state.sticks(), &fluid);
        let around = Around { slow: element.slow(state.slow(), state.time), ..around };
        let (x, v): (Vec<Vec3>, Vec<Vec3>) = (x, v);
        let motions = Motions { x: &x, v: &v, a: &[], axes: self.axes(element, state) };
        let mut loads = element.chain.node_loads(what, element.unstretched(line, lengths), motions, &around);
        if what == "bending" || what == "net" {
            self.add_joint_loads(line, lengths, state, &mut loads);
        }
        loads
    }

    /// Energies of a line of a given unstretched length at a state.
    pub fn energies(self, line: usize, length: f64, state: &State, water: &Water) -> Energies {
        let element @ LineElement { chain, nodes, .. } = &self.0.lines[line];
        let (places, rates) = (self.0.layout.chained_places(&state.q), self.0.layout.chained_in(&state.v));
        let [x, v] = [places, rates].map(|rows| move |node: usize| Vec3::from(rows[nodes.start + node]));
        let elevation = |node: usize| state.fluid().nth(nodes.start + node).map_or(0.0, |fluid| fluid.elevation);
        let around = self.0.around(water, nodes, state.sticks(), &[]);
        let around = Around { slow: element.slow(state.slow(), state.time), ..around };
        chain.energies(length, x, v, elevation, self.axes(element, state), &around)
    }

    /// Completes an evaluation at a state that is kept: stores the forces that the host reads and
    /// slow strains, and moves stick points that were left behind.
    pub(in crate::system) fn conclude(self, environment: &Environment, state: &mut State, workspace: &mut Workspace) {
        self.follow_ends(state);
        let LineWork { x, v, a, sticks, fluid, evaluations, .. } = &mut workspace.lines;
        for (k, (line, evaluation)) in self.0.lines.iter().zip(evaluations).enumerate() {
            state.lines.tensions[line.segments.clone()].copy_from_slice(&evaluation.tensions);
            line.keep_slow(environment.time, &evaluation.slow, state.slow_mut());
            state.lines.end_forces[k] = evaluation.end_forces.map(Into::into);
            let nodes = &line.nodes;
            let axes = [None; 2];
            let motions = Motions { x: &x[nodes.clone()], v: &v[nodes.clone()], a: &a[nodes.clone()], axes };
            let around = self.0.around(environment.water, nodes, sticks, fluid);
            line.chain.settle(motions, &around, &mut state.sticks_mut()[nodes.clone()]);
        }
    }

    /// Gives the free nodes of the lines the accelerations that balance their forces of the last
    /// evaluation, which found their masses: a node's mass is its own alone.
    pub fn balance_nodes(self, state: &mut State, workspace: &Workspace) {
        let rows = self.0.layout.chained_in_mut(&mut state.vdot);
        for (line, found) in self.0.lines.iter().zip(&workspace.lines.evaluations) {
            let own = rows[line.nodes.clone()].iter_mut().zip(&found.residual).zip(&found.diagonal);
            for (_, ((vdot, r), mass)) in own.enumerate().filter(|(node, _)| line.is_free(*node)) {
                let inverse = inverse_3(1.0, &mass.data.0);
                let change: [f64; 3] = times(&inverse, &[r.x, r.y, r.z]);
                if change.iter().all(|x| x.is_finite()) {
                    vdot.iter_mut().zip(change).for_each(|(vdot, change)| *vdot -= change);
                }
            }
        }
    }

    /// Whether the forces on every free node of the lines are in balance in the last evaluation
    /// with accelerations.
    pub fn nodes_balance(self, e: &Environment, workspace: &Workspace) -> bool {
        let residual = self.0.layout.chained_in(&workspace.residual);
        self.0.lines.iter().zip(&workspace.lines.evaluations).enumerate().all(|(k, (line, evaluation))| {
            let segment = line.unstretched(k, &e.loads.lines).0 / line.segments.len() as f64;
            let mass = line.chain.node_mass(segment, e.water);
            let [x, a] = [&workspace.lines.x, &workspace.lines.a].map(|rows| &rows[line.nodes.clone()]);
            let noise = line.chain.noise(segment, x[0].amax().max(x[x.len() - 1].amax()));
            let tension = |k: usize| evaluation.tensions.get(k).map_or(0.0, |tension| tension.abs());
            (0..x.len()).filter(|node| line.is_free(*node)).all(|node| {
                let inertia = mass * (self.0.gravity.norm() + a[node].norm());
                let forces = inertia + tension(node) + node.checked_sub(1).map_or(0.0, tension);
                let left = Vec3::from(residual[line.nodes.start + node]).norm();
                // NaN is detected elsewhere.
                left.is_nan() || left <= BALANCE * forces + noise
            })
        })
    }

    /// Places the nodes of every line on the straight connection of its ends, with their motion.
    pub fn stretch(self, state: &mut State) {
        self.follow_ends(state);
        for line in &self.0.lines {
            let ends = [line.nodes.start, line.nodes.end - 1].map(|k| self.0.layout.chained_node(k));
            let [a, b] = ends.map(|node| state.body(node));
            for node in ends[0] + 1..ends[1] {
                let part = (node - ends[0]) as f64 / (ends[1] - ends[0]) as f64;
                let (x, v) = (a.x + (b.x - a.x) * part, a.v + (b.v - a.v) * part);
                state.set_body(node, &BodyState { x, v, ..a });
            }
        }
    }

    /// Sets the stick point of every node of some lines to its place on the bed, and slow strains
    /// to those of rest.
    pub fn let_stick(self, lines: Range<usize>, state: &mut State, water: &Water) {
        self.follow_ends(state);
        let bed = Seabed::new(water, self.0.origin, f64::INFINITY);
        let foot = |x: &[f64; 3]| bed.as_ref().map_or([x[0], x[1]], |bed| bed.foot(&Vec3::from(*x)));
        for line in &self.0.lines[lines] {
            line.relax(state);
            let State { layout, q, z, .. } = &mut *state;
            let sticks: &mut [[f64; 2]] = z[layout.own().sticks()].as_chunks_mut().0;
            let places = &layout.chained_places(q)[line.nodes.clone()];
            sticks[line.nodes.clone()].iter_mut().zip(places).for_each(|(stick, x)| *stick = foot(x));
        }
    }
}
