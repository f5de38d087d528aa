//! What is known of a model's matrix, for memory of evaluations to come: copies of a run need not analyse its graph again.

use super::System;
use super::workspace::Workspace;
use crate::linear::Kkt;

/// A matrix whose graph is known.
pub struct Template(Kkt);

impl Template {
    /// Of memory in which the model has been evaluated.
    pub fn of(workspace: &Workspace) -> Template {
        Template(workspace.matrix.like())
    }

    /// Memory for the same model.
    pub fn workspace(&self, system: &System) -> Workspace {
        let mut workspace = Workspace::new(system);
        workspace.matrix = self.0.like();
        workspace
    }
}
