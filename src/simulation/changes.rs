//! Numbers of the model that a host changes between steps: mass of bodies, springs, gravity.

use super::views::{Build, Memory};
use super::workplace::Workroom;
use super::{Phase, Simulation, Work};
use crate::elements::check_not_negative;
use crate::error::{Error, Result};
use crate::model::{Changes, EntityKind, Id};
use crate::scheme::Restart;
use crate::spatial::{Mat6, RigidInertia, rotate, rotation};

impl Simulation {
    /// Changes numbers of the model: in BUILDING as if described so, else from the accepted time on,
    /// where the scheme starts anew. Equal values change nothing: a scheme that starts anew in every
    /// step would lose its order.
    pub(super) fn change(&mut self, changes: &Changes) {
        if self.phase == Phase::Building {
            self.model.change_description(changes);
        } else if changes.present(&self.model) != *changes {
            self.inputs.changes.add(changes);
            self.follow_changes();
            self.restart_scheme(Restart::Discontinuity);
        }
    }

    /// Gives model and system the numbers that the inputs have, and those as described elsewhere.
    pub(super) fn follow_changes(&mut self) {
        let Some(run) = &mut self.run else { return };
        // What changes for the first time is as described.
        let mut described = self.inputs.changes.present(&self.model);
        described.add(&run.described);
        run.described = described;
        let mut has_links = true;
        for changes in [&run.described, &self.inputs.changes] {
            self.model.change(changes);
            has_links = run.system.adjust().change(changes);
        }
        run.forget_entities();
        match run.workroom.steps_mut() {
            // The memory of evaluations has other parts.
            Some(work) if work.memory.workspace.has_links() != has_links => run.workroom = Workroom::Empty,
            Some(work) => work.memory.forget_inertias(),
            None => run.workroom = Workroom::Empty,
        }
    }

    pub(super) fn require_change(&self) -> Result<()> {
        self.require(&[Phase::Building, Phase::Ready], "the model changes between steps (phase BUILDING or READY)")
    }
}

impl Build<'_> {
    /// Sets mass, centre of mass (body axes) and inertia xx yy zz xy xz yz about it of a body. Phase
    /// BUILDING, READY: then from the accepted time on, where velocities stay.
    ///
    /// Errors: as [`Build::add_rigid_body`]; with the added mass not positive semi-definite.
    pub fn set_body_mass(&mut self, body: Id, mass: f64, com: &[f64; 3], inertia: &[f64; 6]) -> Result<()> {
        self.0.require_change()?;
        let index = self.0.model.index("body", EntityKind::Body, body)?;
        let inertia = RigidInertia::from_com(mass, com, inertia)?;
        let turn = rotation::matrix(&self.0.model.bodies[index].pose.rotation.inverse());
        let added = self.0.inputs.hydrodynamics[index].added_mass.map(|added| match added.frame {
            crate::model::Frame::Body => added.matrix,
            crate::model::Frame::Inertial => rotate(&turn, &added.matrix),
        });
        if !inertia.carries(&added.unwrap_or_else(Mat6::zeros)) {
            let detail = "not positive semi-definite together with the added mass of the body";
            return Err(Error::bad_value("mass", detail));
        }
        self.0.change(&Changes { inertias: vec![(index as u64, inertia)], ..Changes::default() });
        Ok(())
    }

    /// Sets stiffness, damping and rest length of a spring. Phase BUILDING, READY: then from the
    /// accepted time on. Errors: negative; a spring with a table.
    pub fn set_spring(&mut self, spring: Id, law: [f64; 3]) -> Result<()> {
        self.0.require_change()?;
        let index = self.0.model.index("spring", EntityKind::Spring, spring)?;
        if self.0.model.elements.springs[index].table.is_some() {
            let detail = format!("{} has a table", self.0.model.describe(EntityKind::Spring, index));
            return Err(Error::bad_value("spring", detail));
        }
        for (argument, value) in ["stiffness", "damping", "rest_length"].into_iter().zip(law) {
            check_not_negative(argument, value)?;
        }
        self.0.change(&Changes { springs: vec![(index as u64, law)], ..Changes::default() });
        Ok(())
    }
}

impl Memory<'_> {
    /// An upper bound of the bytes that a change of the model in a run takes.
    pub fn change(self) -> usize {
        if self.0.phase == Phase::Building { 0 } else { self.working(Work::Model) }
    }
}
