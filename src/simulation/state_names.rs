//! Names of the states of `linearize`; the choice of coordinates is cached between calls.

use super::views::Analysis;
use crate::analysis::coordinates::Coordinates;
use crate::error::{Error, Result};
use std::sync::{Mutex, PoisonError};

/// The last chosen coordinates, and the poses at which they were chosen: names are requested one by
/// one.
#[derive(Debug, Default)]
pub(super) struct Chosen(Mutex<Choice>);

#[derive(Debug, Default)]
struct Choice {
    poses: Vec<f64>,
    /// Index among the displacements of all nodes of each coordinate.
    independent: Vec<usize>,
}

impl Clone for Chosen {
    fn clone(&self) -> Chosen {
        Chosen::default()
    }
}

impl Analysis<'_> {
    /// The name of a state of `linearize`: `body 0 "hull": rotation z`. Phase READY, TRIAL. Errors:
    /// not a state.
    ///
    /// The first call at a state chooses the coordinates as `linearize` does; further ones reuse
    /// them.
    pub fn state_name(self, state: i32) -> Result<String> {
        let chosen = &self.0.readable()?.chosen.0;
        let (independent, f) = self.0.at_present(|site| {
            let mut chosen = chosen.lock().unwrap_or_else(PoisonError::into_inner);
            let Choice { poses, independent } = &mut *chosen;
            if *poses != site.state.q {
                poses.clear();
                let jacobian = site.system.constraints().jacobian(site.state, site.environment.loads, false);
                *independent = Coordinates::new(site.system, &jacobian)?.independent;
                poses.extend(&site.state.q);
            }
            let f = independent.len();
            let index = usize::try_from(state).ok().filter(|index| *index < 2 * f);
            let layout = site.system.layout();
            let place = |index: usize| {
                let (node, component) = layout.component(independent[index % f]);
                (site.system.nodes().entity(node), site.system.lines().of_node(node), component, index >= f)
            };
            Ok((index.map(place), f))
        })?;
        let ((kind, entity), node_of_line, component, second) = independent.ok_or_else(|| {
            Error::bad_value("state", format!("{state} is not one of the {} states (twice the mobility)", 2 * f))
        })?;
        let axis = ["x", "y", "z"][component % 3];
        let what = match (component < 3, second) {
            (true, false) => "displacement",
            (false, false) => "rotation",
            (true, true) => "velocity",
            (false, true) => "angular velocity",
        };
        let node = node_of_line.map_or(String::new(), |(_, node)| format!(" node {node}"));
        Ok(format!("{}{node}: {what} {axis}", self.0.model.describe(kind, entity)))
    }
}
