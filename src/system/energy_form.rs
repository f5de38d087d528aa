//! Elements in energy form (`elements::energy_form`) in the assembled model: which nodes they act
//! on, their forces over a step, and what of these the scheme carries from step to step.

use super::coefficients::Coefficients;
use super::joints::JointElement;
use super::kinks::{Crossings, EnergyWork, Kinks, OfLine};
use super::layout::Layout;
use super::lines::LineElement;
use super::motion::{Motion, State, site};
use super::views::{ElementForces, EnergyForms};
use super::workspace::Workspace;
use super::{Environment, System};
use crate::elements::line::{Around, Damped};
use crate::elements::{EachElement, Element, EnergyForm, Local, Parts, Surroundings, Tie};
use crate::linear::update;
use crate::model::{LineLength, Water};
use crate::spatial::{Vec3, Vec6, lower, upper};
use std::f64::consts::PI;

/// How an evaluation takes elements in energy form.
pub struct Stepping<'p> {
    form: &'p EnergyForm,
    system: &'p System,
    kinks: &'p Kinks,
    work: &'p mut EnergyWork,
    next: usize,
}

impl<'p> Stepping<'p> {
    /// Of a step.
    pub fn begin(form: &'p EnergyForm, system: &'p System, work: &'p mut EnergyWork) -> Stepping<'p> {
        work.effective.fill(0.0);
        work.crossings = Crossings::default();
        Stepping { form, system, kinks: &system.kinks, work, next: 0 }
    }

    /// The same for springs with tables on joints, after the elements of the list.
    pub fn on_joints(form: &'p EnergyForm, system: &'p System, work: &'p mut EnergyWork) -> Stepping<'p> {
        Stepping { form, system, kinks: &system.kinks, work, next: system.kinks.first_on_joints() }
    }

    /// What the next of these has in the equations at the end of the step, where its coordinate is
    /// the one nearest to `near`.
    #[inline(never)]
    pub fn on_joint(
        &mut self,
        joint: &JointElement,
        which: usize,
        at: [&Motion; 2],
        near: f64,
        wants_tangents: bool,
    ) -> Local<2> {
        let EnergyWork { origins, memories, reached, crossings, effective, coordinates, .. } = &mut *self.work;
        let (own, ends) = (self.next, joint.ends());
        self.next += 1;
        let from = ends.map(|end| &origins[end]);
        let mut local = Local::zero(false, wants_tangents);
        let values = (coordinates[own - self.kinks.first_on_joints()], near);
        let (memory, jumped) = joint.table_over((which, self.form), [from, at], values, &memories[own], &mut local);
        reached[own] = memory;
        crossings.jumps += u64::from(jumped);
        self.kinks.add(ends, &local, effective);
        self.share(&mut local);
        local
    }

    /// Weighs a part with what the force at the end of the step has of F.
    fn share<const N: usize>(&self, local: &mut Local<N>) {
        let share = self.form.share;
        local.residual.iter_mut().for_each(|r| *r *= share);
        let blocks = local.tangents.iter_mut().flat_map(|tangents| tangents.stiffness.as_flattened_mut());
        blocks.for_each(|k| *k *= share);
    }

    /// Adds what an element has in the equations at the end of the step to `local`, which is zero;
    /// `at` are its places there.
    pub fn element<E: Element<N>, const N: usize>(
        &mut self,
        element: &E,
        ties: &[Tie; N],
        at: &[crate::elements::Site; N],
        (around, z): (&Surroundings, &[f64]),
        local: &mut Local<N>,
    ) {
        let EnergyWork { origins, memories, reached, crossings, effective, lengths, .. } = &mut *self.work;
        let over = Surroundings { lengths: [lengths, around.lengths[1]], ..*around };
        let from = ties.each_ref().map(|tie| site(&origins[tie.node], tie));
        let own = self.next..self.next + element.memories();
        self.next = own.end;
        let (last, next) = (&memories[own.clone()], &mut reached[own]);
        let nodes = ties.each_ref().map(|tie| tie.node);
        if let Some(stiffness) = element.evaluate_over(&from, at, (self.form, &over, z), last, next, local) {
            crossings.add(self.system.jump(stiffness, &nodes, self.form.h));
        }
        self.kinks.add(nodes, local, effective);
        self.share(local);
        element.evaluate_beside(at, around, local);
    }

    /// Adds what the start of the step has in the forces at its end to the residual.
    pub fn end(self, residual: &mut [f64]) {
        for [unknown, width, place] in &self.kinks.nodes {
            update(
                [&mut residual[*unknown..unknown + width]],
                [&self.work.carried[*place..place + width]],
                |[r], [f]| [r - f],
            );
        }
    }
}

/// Where nothing was damped.
const UNDAMPED: Coefficients = Coefficients { mass: 1.0, damping: 0.0, stiffness: 0.0 };

/// Forces by the laws themselves, of what steps take in energy form; less what D makes of a change
/// u of accelerations, as in `Kinetics::damped_accelerations`.
struct Laws<'p> {
    layout: Layout,
    d: Coefficients,
    u: &'p [f64],
    kinks: &'p Kinks,
    motions: &'p [Motion],
    around: Surroundings<'p>,
    z: &'p [f64],
    forces: &'p mut [f64],
}

/// u of a node; zero of the ground.
fn change(layout: Layout, u: &[f64], node: usize) -> Vec6 {
    let mut change = Vec6::zeros();
    if node < layout.carriers() {
        let range = layout.velocities(node);
        change.as_mut_slice()[..range.len()].copy_from_slice(&u[range]);
    }
    change
}

/// The same of a node of a line; tied ends go with their carriers.
fn change_of(system: &System, line: &LineElement, node: usize, u: &[f64], motions: &[Motion]) -> Vec3 {
    match line.tied().find(|(_, tied, _)| *tied == node) {
        None => Vec3::from(system.layout.chained_in(u)[line.nodes.start + node]),
        Some((.., tie)) => {
            let change = change(system.layout, u, tie.node);
            upper(&change) + lower(&change).cross(&motions[tie.node].arm(&tie.at))
        }
    }
}

impl Laws<'_> {
    /// Of a spring with a table on a joint.
    fn on_joint(&mut self, joint: &JointElement, which: usize, near: f64) {
        let has_damping = self.d.damping != 0.0 || self.d.stiffness != 0.0;
        let ends = joint.ends();
        let mut local = joint.table_by_law(which, ends.map(|end| &self.motions[end]), near, has_damping);
        if has_damping {
            let u = ends.map(|node| change(self.layout, self.u, node));
            local.add_change([self.d.damping, self.d.stiffness].map(|c| c / self.d.mass), &u);
        }
        self.kinks.add(ends, &local, self.forces);
    }
}

impl EachElement for Laws<'_> {
    #[inline(never)]
    fn element<E: Element<N>, const N: usize>(&mut self, element: &E, ties: &[Tie; N], parts: Parts) {
        if element.memories() > 0 {
            let at = ties.each_ref().map(|tie| site(&self.motions[tie.node], tie));
            // Without a kink, and with no part of the acceleration but its own, a linear element
            // starts as in other forms.
            let motions = ties.iter().map(|tie| &self.motions[tie.node]);
            let turns = || motions.into_iter().any(|motion| motion.omega.cross(&motion.v) != Vec3::zeros());
            let has_damping = self.d.damping != 0.0 || self.d.stiffness != 0.0;
            let is_damped = has_damping && (element.has_kink() || turns());
            let (mut local, mut beside) = (Local::zero(false, is_damped), Local::zero(false, is_damped));
            element.evaluate_parts(&at, &self.around, &self.z[parts.own], [&mut local, &mut beside]);
            if is_damped {
                let u = ties.each_ref().map(|tie| change(self.layout, self.u, tie.node));
                let d = [self.d.damping, self.d.stiffness].map(|c| c / self.d.mass);
                [&mut local, &mut beside].into_iter().for_each(|local| local.add_change(d, &u));
            }
            local.residual.iter_mut().zip(&beside.residual).for_each(|(all, beside)| *all -= beside);
            self.kinks.add(ties.each_ref().map(|tie| tie.node), &local, self.forces);
        }
    }
}

impl<'a> ElementForces<'a> {
    /// Those that steps take in energy form.
    #[inline(always)]
    pub fn forms(self) -> EnergyForms<'a> {
        EnergyForms(self.0)
    }
}

impl EnergyForms<'_> {
    /// Whether there are elements that steps take in energy form.
    #[inline(always)]
    pub fn are_any(self) -> bool {
        self.0.kinks.counts.memories > 0
    }

    /// Whether the stiffness of any of them jumps.
    #[inline(always)]
    pub fn may_jump(self) -> bool {
        self.0.kinks.jump
    }

    /// Whether there are any without kinks, which are taken so because their axes turn.
    #[inline(always)]
    pub fn may_turn(self) -> bool {
        !self.0.kinks.turning.is_empty()
    }

    /// The first unknown of each free body that these act on.
    pub fn turning(self) -> impl Iterator<Item = usize> {
        self.0.kinks.turning.iter().map(|body| self.0.layout.unknown(*body))
    }

    /// The first of these bodies whose increments turn it by more than half a turn, and the angle.
    pub fn over_half_a_turn(self, dq: &[f64]) -> Option<(usize, f64)> {
        let bodies = self.0.kinks.turning.iter();
        let turns = bodies.map(|body| (*body, lower(&change(self.0.layout, dq, *body)).norm()));
        turns.into_iter().find(|(_, turn)| *turn > PI)
    }

    /// Takes the motions of all carriers and of the nodes of lines at the start of a step, with the
    /// unstretched lengths of these and of tendons there.
    pub fn begin(self, state: &State, unstretched: &[LineLength], workspace: &mut Workspace) {
        workspace.lines.take_own(state);
        let EnergyWork { origins, x, v, strains, segments, coordinates, lengths, .. } = &mut workspace.energy;
        state.enter_motions_anew(origins);
        let of_tendons = self.0.elements().lengths(unstretched);
        lengths.iter_mut().zip(of_tendons).for_each(|(to, from)| *to = *from);
        for (to, [joint, which]) in coordinates.iter_mut().zip(&self.0.kinks.on_joints) {
            let element = &self.0.joints[*joint];
            let ends = element.ends().map(|end| &origins[end]);
            *to = element.motion_of(*which, ends, state.coordinates[*joint]).map_or(0.0, |[q, ..]| q);
        }
        let layout = self.0.layout;
        for (to, from) in [(&mut *x, layout.chained_places(&state.q)), (v, layout.chained_in(&state.v))] {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = Vec3::from(*from));
        }
        for ((k, line), segment) in self.0.lines.iter().enumerate().zip(segments) {
            *segment = line.unstretched(k, unstretched).0 / line.segments.len() as f64;
            let nodes = x[line.nodes.clone()].windows(2);
            let strains = strains[line.segments.clone()].iter_mut().zip(nodes);
            strains.for_each(|(strain, ends)| *strain = (ends[1] - ends[0]).norm() / *segment - 1.0);
        }
    }

    /// Makes the numerical dissipation that segments of lines carry ready for a step.
    pub fn scale_memories(self, workspace: &mut Workspace) {
        for line in &self.0.lines {
            let OfLine { segments, .. } = self.0.kinks.of_line(line);
            line.chain.scale_memories(&mut workspace.energy.memories[segments]);
        }
    }

    /// Takes what the last evaluation found of lines to what it found of the elements of the list.
    pub fn collect(self, form: &EnergyForm, water: &Water, workspace: &mut Workspace) {
        let Workspace { energy, lines, .. } = workspace;
        let EnergyWork { reached, effective, crossings, segments: lengths, .. } = energy;
        for ((line, evaluation), length) in self.0.lines.iter().zip(&lines.evaluations).zip(lengths) {
            let OfLine { forces, segments, bent } = self.0.kinks.of_line(line);
            let rows = effective[forces].as_chunks_mut().0.iter_mut().zip(&evaluation.effective);
            rows.for_each(|(row, force): (&mut [f64; 3], _)| *row = (*force).into());
            reached[segments].copy_from_slice(&evaluation.reached);
            reached[bent].copy_from_slice(evaluation.bent.as_flattened());
            self.0.kinks.add_clamps(line, evaluation, effective);
            let [jumps, landings] = [evaluation.crossings, evaluation.landings].map(u64::from);
            let unresolved = if jumps == 0 || line.chain.resolves(*length, form.h, water) { 0 } else { jumps };
            crossings.add(Crossings { jumps, unresolved, landings });
        }
    }

    /// Finds the forces of these elements by their laws where the workspace is, into
    /// `energy.actual`; those of lines were evaluated last.
    pub fn find_actual(self, e: &Environment, workspace: &mut Workspace) {
        self.find_of_list(e, false, None, workspace);
        let Workspace { energy: EnergyWork { actual, .. }, lines, .. } = workspace;
        for (line, evaluation) in self.0.lines.iter().zip(&lines.evaluations) {
            let own = self.0.kinks.of_line(line).forces;
            let rows = actual[own].as_chunks_mut().0.iter_mut().zip(&evaluation.effective);
            rows.for_each(|(row, force): (&mut [f64; 3], _)| *row = (*force).into());
            self.0.kinks.add_clamps(line, evaluation, actual);
        }
    }

    /// The same at the start of the step, less D u where accelerations were damped there: by these
    /// coefficients, with the last increments u.
    pub fn find_at_start(self, e: &Environment, damped: Option<(Coefficients, &[f64])>, workspace: &mut Workspace) {
        self.find_of_list(e, true, damped, workspace);
        let (system, Workspace { energy, lines, .. }) = (self.0, workspace);
        let EnergyWork { origins, x, v, actual: forces, .. } = energy;
        let (d, u) = damped.unwrap_or((UNDAMPED, &[]));
        for (k, line) in system.lines.iter().enumerate() {
            let around = system.around(e.water, &line.nodes, &lines.sticks, &[]);
            let around = Around { slow: line.slow(&lines.slow, e.time), ..around };
            let (nodes, lengths) = (line.nodes.clone(), line.unstretched(k, &e.loads.lines));
            let change = |node: usize| change_of(system, line, node, u, origins);
            let d = [d.damping, d.stiffness].map(|c| c / d.mass);
            let damped = damped.map(|_| Damped { d, change: &change });
            let own = system.kinks.of_line(line).forces;
            let rows = forces[own.clone()].as_chunks_mut().0;
            line.chain.forces_by_laws(lengths, (&x[nodes.clone()], &v[nodes.clone()]), &around, damped, rows);
            let axes = line.axes(|tie, axis| origins[tie.node].arm(axis));
            for (end, axis) in axes.iter().enumerate().filter_map(|(end, axis)| Some((end, axis.as_ref()?))) {
                let ((node, neighbour, _), carrier) = (line.chain.end(end), line.ends[end].node);
                let chord = x[nodes.start + neighbour] - x[nodes.start + node];
                let segment = lengths.0 / line.segments.len() as f64;
                let change = damped.map(|damped| {
                    let rotation = lower(&self::change(system.layout, u, carrier));
                    [(damped.change)(neighbour) - (damped.change)(node), rotation]
                });
                let [force, moment] = line.chain.clamp_by_law(segment, axis, &chord, d[1], change);
                for (node, sign) in [(neighbour, 1.0), (node, -1.0)] {
                    let rows = forces[own.clone()].as_chunks_mut::<3>().0[node].iter_mut();
                    rows.zip(&force).for_each(|(sum, force)| *sum += sign * force);
                }
                system.kinks.add_moment(carrier, &moment, forces);
            }
        }
        let change = |line: usize, node: usize| change_of(system, &system.lines[line], node, u, origins);
        let change = damped.map(|_| &change as &dyn Fn(usize, usize) -> Vec3);
        system.lines().add_joints_by_law(&e.loads.lines, x, d.stiffness / d.mass, change, forces);
    }

    fn find_of_list(
        self,
        e: &Environment,
        at_start: bool,
        damped: Option<(Coefficients, &[f64])>,
        workspace: &mut Workspace,
    ) {
        let (system, Workspace { energy, motions, z, coordinates: counted, .. }) = (self.0, workspace);
        let EnergyWork { origins, coordinates, actual: forces, .. } = energy;
        forces.fill(0.0);
        if system.kinks.memories > 0 {
            let motions = if at_start { origins } else { motions };
            let around = system.elements().around(e);
            let (d, u) = damped.unwrap_or((UNDAMPED, &[]));
            let (layout, kinks) = (system.layout, &system.kinks);
            let mut laws = Laws { layout, d, u, kinks, motions, around, z, forces };
            system.elements.each(&system.connections, &mut laws);
            for ([joint, which], start) in kinks.on_joints.iter().zip(coordinates) {
                let near = if at_start { *start } else { counted[*joint] };
                laws.on_joint(&system.joints[*joint], *which, near);
            }
        }
    }

    /// The forces at the end of a step as they balance the accelerations there: those that were
    /// evaluated and what they left in the residual; into `force`.
    pub fn balanced(self, form: &EnergyForm, workspace: &Workspace, force: &mut [f64]) {
        let Workspace { energy: EnergyWork { effective, carried, .. }, residual, .. } = workspace;
        let first = self.0.kinks.forces;
        let of_lines = effective[first..].iter().zip(&carried[first..]);
        let residuals = self.0.layout.chained_in(residual).as_flattened();
        for ((f, (effective, carried)), r) in force[first..].iter_mut().zip(of_lines).zip(residuals) {
            // That of a tied end is none: its carrier has it.
            *f = form.share * effective + carried + r;
        }
        for [unknown, width, place] in &self.0.kinks.nodes {
            let there = *place..place + width;
            let terms = effective[there.clone()].iter().zip(&carried[there.clone()]).zip(&residual[*unknown..]);
            force[there].iter_mut().zip(terms).for_each(|(f, ((effective, carried), r))| {
                *f = form.share * effective + carried + r;
            });
        }
    }

    /// Whether forces of a step on bodies and points differ from those by the laws, found last, by
    /// more than a part of the largest; moments over the model's length.
    pub fn differ(self, force: &[f64], part: f64, workspace: &Workspace) -> bool {
        let (length, actual) = (self.0.scales.length, &workspace.energy.actual);
        let (mut largest, mut difference) = (0.0f64, 0.0f64);
        for line in &self.0.lines {
            let own = self.0.kinks.of_line(line).forces;
            for (_, node, tie) in line.tied() {
                let is_free = tie.node < self.0.layout.carriers() && self.0.free[tie.node];
                for k in (0..if is_free { 3 } else { 0 }).map(|k| own.start + 3 * node + k) {
                    largest = largest.max(force[k].abs()).max(actual[k].abs());
                    difference = difference.max((force[k] - actual[k]).abs());
                }
            }
        }
        for [_, width, place] in &self.0.kinks.nodes {
            for k in 0..*width {
                let (unit, k) = (if k < 3 { 1.0 } else { 1.0 / length }, place + k);
                largest = largest.max(force[k].abs() * unit).max(actual[k].abs() * unit);
                difference = difference.max((force[k] - actual[k]).abs() * unit);
            }
        }
        difference > part * largest
    }
}
