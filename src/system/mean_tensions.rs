//! Mean tensions of lines and springs over a step, which coupled hosts read: where tensions snap,
//! those at the ends of steps swing about the means, which are the impulses over the time.
//!
//! In energy form the mean is the tension that acted over the step (`elements::energy_form`), of
//! all else that of the tensions at both ends.

use super::kinks::{Crossings, EnergyWork};
use super::motion::site;
use super::{EnergyForm, State, System, Workspace};
use crate::elements::{Element, Tie};
use crate::model::EntityKind;

/// Tensions of the end segments of lines and of springs at a state.
fn tensions<'s>(system: &'s System, state: &'s State) -> impl Iterator<Item = f64> + 's {
    let ends = system.lines.iter().flat_map(|line| [line.segments.start, line.segments.end - 1]);
    let springs = (0..system.elements.springs.len()).map(|k| system.elements().spring_force(k, state).1);
    ends.map(|segment| state.lines.tensions[segment]).chain(springs)
}

/// Sets the means of a state that no step has made to its tensions.
pub fn begin_means(system: &System, state: &mut State) {
    let mut means = std::mem::take(&mut state.lines.means);
    means.iter_mut().zip(tensions(system, state)).for_each(|(mean, tension)| *mean = tension);
    state.lines.means = means;
}

/// Sets the means of a step in which no element is in energy form.
pub fn sample_means(system: &System, from: &State, to: &mut State) {
    let mut means = std::mem::take(&mut to.lines.means);
    let ends = tensions(system, from).zip(tensions(system, to));
    means.iter_mut().zip(ends).for_each(|(mean, (start, end))| *mean = 0.5 * (start + end));
    to.lines.means = means;
}

/// Sets the means of a step that was evaluated last in energy form.
pub fn keep_means(system: &System, form: &EnergyForm, workspace: &Workspace, to: &mut State) {
    let (means, of_springs) = to.lines.means.split_at_mut(2 * system.lines.len());
    for (means, found) in means.chunks_exact_mut(2).zip(&workspace.lines.evaluations) {
        (means[0], means[1]) = (found.tensions[0], found.tensions[found.tensions.len() - 1]);
    }
    let EnergyWork { origins, memories, .. } = &workspace.energy;
    // Springs are the first elements of the list.
    let mut memories = memories.iter();
    let ties: &[[Tie; 2]] = system.elements.ties_of(EntityKind::Spring, &system.connections).as_chunks().0;
    for ((spring, ties), mean) in system.elements.springs.iter().zip(ties).zip(of_springs) {
        let [from, at] = [origins, &workspace.motions].map(|at| ties.each_ref().map(|tie| site(&at[tie.node], tie)));
        *mean = match spring.has_kink().then(|| memories.next()).flatten() {
            Some(last) => spring.mean_tension(&from, &at, form, last),
            None => 0.5 * (spring.length_and_tension(&from).1 + spring.length_and_tension(&at).1),
        };
    }
}

impl System {
    /// A jump of a stiffness between nodes in a step of length h. Their masses count as free:
    /// joints and arms would change them.
    pub(in crate::system) fn jump(&self, stiffness: f64, nodes: &[usize], h: f64) -> Crossings {
        let inverse = |node: usize| match node < self.layout.carriers() && self.nodes().is_free(node) {
            true if node < self.inertias.len() => 1.0 / self.inertias[node].mass,
            true => 1.0 / self.points[node - self.layout.turning()].dry_mass(),
            false => 0.0,
        };
        let inverse: f64 = nodes.iter().map(|node| inverse(*node)).sum();
        Crossings { jumps: 1, unresolved: u64::from(stiffness * h * h * inverse > 1.0), landings: 0 }
    }
}
