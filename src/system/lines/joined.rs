//! Joints of two lines without mass, through which bending passes: their forces and tangents are
//! added to those of both lines, and what couples one line with the other to the matrix.

use super::super::assembly::Assembly;
use super::super::kinks::EnergyWork;
use super::super::views::Lines;
use super::super::{Environment, State, System};
use super::{Hold, LineElement};
use crate::elements::line::{Evaluation, JoinedEnd, Joint, JointOver};
use crate::linear::Assemble;
use crate::model::LineLength;
use crate::spatial::Vec3;

/// An end of a line: the line, and which end.
type End = (usize, usize);

impl System {
    /// Adds the bending of joints to evaluations of lines at positions of their nodes. `stiffness`
    /// is the factor of derivatives, None for none.
    pub(super) fn bend_joints<A: Assemble>(
        &self,
        environment: &Environment,
        x: &[Vec3],
        energy: &EnergyWork,
        stiffness: Option<f64>,
        evaluations: &mut [Evaluation],
        assembly: &mut Assembly<A>,
    ) {
        let lengths = &environment.loads.lines;
        for ends in &self.line_joints {
            let Some(joint) = self.lines().joint(ends, lengths, |node| x[node]) else { continue };
            let Ok(both) = evaluations.get_disjoint_mut(ends.map(|(line, _)| line)) else { continue };
            let over = environment.form.as_ref().and_then(|form| {
                let mut from = self.lines().joint(ends, lengths, |node| energy.x[node])?;
                from.0.iter_mut().zip(ends).for_each(|(end, (line, _))| end.segment = energy.segments[*line]);
                let (line, end) = ends[0];
                let memories = energy.memories[self.kinks.of_line(&self.lines[line]).bent].as_chunks().0;
                let memory = memories.get(self.lines[line].chain.end(end).0)?;
                Some(JointOver { form, from, memory: *memory })
            });
            let blocks = joint.bend(stiffness, over.as_ref(), both);
            if A::TAKES {
                let [row, column] = ends.map(|(line, end)| {
                    let nodes = &self.lines[line].nodes;
                    self.layout.unknown(self.layout.chained_node([nodes.start + 1, nodes.end - 2][end]))
                });
                assembly.matrix.add(row, column, &blocks[0].data.0);
                assembly.matrix.add(column, row, &blocks[1].data.0);
            }
        }
    }
}

impl Lines<'_> {
    /// A joint, from positions of nodes of all lines; None where an end has broken off.
    fn joint<'a>(self, ends: &[End; 2], lengths: &[LineLength], place: impl Fn(usize) -> Vec3) -> Option<Joint<'a>>
    where
        Self: 'a,
    {
        let lines = &self.0.lines;
        let is_tied = |(line, end): &End| lines[*line].holds[*end] == Hold::Point;
        ends.iter().all(is_tied).then(|| {
            Joint(ends.map(|(line, end)| {
                let LineElement { chain, segments, nodes, .. } = &lines[line];
                let segment = lines[line].unstretched(line, lengths).0 / segments.len() as f64;
                let (node, neighbour, _) = chain.end(end);
                JoinedEnd { chain, end, segment, chord: place(nodes.start + neighbour) - place(nodes.start + node) }
            }))
        })
    }

    /// Joints at a state.
    fn joints_at<'a>(self, lengths: &'a [LineLength], state: &'a State) -> impl Iterator<Item = ([End; 2], Joint<'a>)>
    where
        Self: 'a,
    {
        let places = self.0.layout.chained_places(&state.q);
        let joints = self.0.line_joints.iter();
        joints.filter_map(move |ends| Some((*ends, self.joint(ends, lengths, |node| Vec3::from(places[node]))?)))
    }

    /// Adds the forces of joints by their law to those on all nodes of lines, three each, at places
    /// of these; less those of a change of each place, by line and node, times `d`.
    pub(in crate::system) fn add_joints_by_law(
        self,
        lengths: &[LineLength],
        x: &[Vec3],
        d: f64,
        change: Option<&dyn Fn(usize, usize) -> Vec3>,
        forces: &mut [f64],
    ) {
        for ends in &self.0.line_joints {
            let Some(joint) = self.joint(ends, lengths, |node| x[node]) else { continue };
            let change = change.map(|change| {
                [0, 1].map(|k| {
                    let (node, neighbour, _) = joint.0[k].chain.end(joint.0[k].end);
                    change(ends[k].0, neighbour) - change(ends[k].0, node)
                })
            });
            let residuals = joint.damped_residuals(d, change);
            for ((end, (line, _)), residual) in joint.0.iter().zip(ends).zip(&residuals) {
                let (node, neighbour, _) = end.chain.end(end.end);
                let first = self.0.kinks.of_line(&self.0.lines[*line]).forces.start;
                for (at, sign) in [(neighbour, -1.0), (node, 1.0)] {
                    let rows = &mut forces[first + 3 * at..][..3];
                    rows.iter_mut().zip(residual).for_each(|(force, r)| *force += sign * r);
                }
            }
        }
    }

    /// Energy of bending of all joints at a state.
    pub(in crate::system) fn energy_of_joints(self, lengths: &[LineLength], state: &State) -> f64 {
        self.joints_at(lengths, state).map(|(_, joint)| joint.energy()).sum()
    }

    /// The moment of an end of a line on what it is clamped to, or joined to, at a state; zero at
    /// other ends.
    pub fn end_moment(self, line: usize, end: usize, lengths: &[LineLength], state: &State) -> Vec3 {
        let mut moments = self.joints_at(lengths, state).filter_map(|(ends, joint)| {
            let k = ends.iter().position(|known| *known == (line, end))?;
            Some(joint.moment() * [1.0, -1.0][k])
        });
        let length = self.0.lines[line].unstretched(line, lengths).0;
        moments.next().unwrap_or_else(|| self.clamp_moment(line, end, length, state))
    }

    /// Adds the forces of joints to those of bending on the nodes of a line.
    pub(super) fn add_joint_loads(self, line: usize, lengths: &[LineLength], state: &State, loads: &mut [Vec3]) {
        for (ends, joint) in self.joints_at(lengths, state) {
            for ((_, end), residual) in ends.iter().zip(joint.residuals()).filter(|((of, _), _)| *of == line) {
                let (node, neighbour, _) = self.0.lines[line].chain.end(*end);
                loads[neighbour] -= residual;
                loads[node] += residual;
            }
        }
    }
}
