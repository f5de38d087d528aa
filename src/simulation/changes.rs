//! What a host changes of the model between steps: mass of bodies, springs, gravity, drives of
//! joints. Joints that break are in `breaking`, friction and stops in `machines`.

use super::build::NO_FREE_SLIDE;
use super::named_inputs::What;
use super::saved::Snapshot;
use super::shared::Shared;
use super::views::{Build, Memory};
use super::workplace::Workroom;
use super::{Phase, Run, Simulation, Work};
use crate::elements::check_not_negative;
use crate::error::{Error, Result};
use crate::model::{Changes, EntityKind, Id, Joint, JointKind, Loads, Model};
use crate::scheme::{Point, Restart};
use crate::spatial::{Mat6, RigidInertia, rotate, rotation};
use crate::system::{MachineOn, State, System};

impl Simulation {
    /// Changes the model: in BUILDING as if described so, else from the accepted time on, where the
    /// scheme starts anew. Equal values change nothing: a scheme that starts anew in every step
    /// would lose its order.
    pub(super) fn change(&mut self, changes: &Changes) {
        if self.phase == Phase::Building {
            self.model.change_description(changes);
            return;
        }
        let before = changes.present(&self.model);
        if before != *changes {
            self.inputs.changes.add(changes);
            self.follow_changes();
            self.begin_laws(&before, changes);
            self.restart_scheme(Restart::Discontinuity);
        }
    }

    /// Gives stops that are others than before the modes of a start at the accepted state, and
    /// frees contacts of other friction; what holds and slips is decided in the next step.
    fn begin_laws(&mut self, before: &Changes, now: &Changes) {
        let (Some(run), settings) = (&mut self.run, &self.inputs.settings) else { return };
        let (machines, state) = (run.system.machines(), &mut run.accepted.state);
        for ((place, now), (_, before)) in now.machines.iter().zip(&before.machines) {
            if now.stop != before.stop {
                machines.begin_stop(MachineOn::Joint(*place as usize / 2, *place as usize % 2), state, settings);
            }
        }
        for ((contact, now), (_, before)) in now.contacts.iter().zip(&before.contacts) {
            machines.free_contact(*contact as usize, state);
            if now.stop != before.stop {
                machines.begin_stop(MachineOn::Contact(*contact as usize), state, settings);
            }
        }
        now.resistances.iter().for_each(|(contact, _)| machines.free_contact(*contact as usize, state));
        for (clutch, _) in &now.stops {
            machines.begin_stop(MachineOn::Clutch(*clutch as usize), state, settings);
        }
    }

    /// Gives model and system what the inputs have, and all else as described.
    pub(super) fn follow_changes(&mut self) {
        let described = self.change_model();
        let Some(run) = &mut self.run else { return };
        if let Some(model) = described {
            run.take_constraints(model, &self.inputs.changes);
        }
        let mut has_links = true;
        for changes in [&run.described, &self.inputs.changes] {
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

    /// Gives the model what the inputs have, and all else as described. Returns the model as
    /// described where its constraints or strengths change.
    pub(super) fn change_model(&mut self) -> Option<Model> {
        let run = self.run.as_mut()?;
        // What changes for the first time is as described.
        let mut described = self.inputs.changes.present(&self.model);
        described.add(&run.described);
        run.described = described;
        let holds = |model: &Model| model.joints.iter().map(Joint::holds).collect::<Vec<_>>();
        let before = holds(&self.model);
        self.model.change(&run.described);
        let model = Model::clone(&self.model);
        self.model.change(&self.inputs.changes);
        (before != holds(&self.model)).then_some(model)
    }

    /// Says in a run whether the coordinate, or the slide, of a joint is imposed from the accepted
    /// time on. A drive begins with the present motion, and keeps the coordinate unless a motion is
    /// set for the end of the coming step.
    fn drive(&mut self, joint: usize, slide: bool, driven: bool) -> Result<()> {
        let (which, what) = (usize::from(slide), [What::JointMotion, What::SlideMotion][usize::from(slide)]);
        let mut drives = self.model.joints[joint].drives();
        if std::mem::replace(&mut drives[which], driven) == driven {
            return Ok(());
        }
        let run = self.readable()?;
        let joints = run.system.joints();
        let motion = |state: &State| if slide { joints.slide(joint, state) } else { joints.coordinate(joint, state) };
        let at = [&run.accepted.state, &*run.initial].map(|state| motion(state).filter(|_| driven));
        self.change(&Changes { drives: vec![(joint as u64, drives)], ..Changes::default() });
        let of = |loads: &mut Loads, drive: Option<[f64; 3]>| {
            [&mut loads.joints, &mut loads.slides][which][joint].drive = drive;
        };
        of(&mut self.inputs.loads, at[0].map(|[q, ..]| [q, 0.0, 0.0]));
        if let Some(run) = &mut self.run {
            of(&mut run.accepted.loads, at[0]);
            of(&mut run.initial_loads, at[1]);
            run.accepted.state.drives[joint][which] = at[0].unwrap_or_default();
            run.initial.drives[joint][which] = at[1].unwrap_or_default();
        }
        self.leave_series(what, joint);
        Ok(())
    }

    pub(super) fn require_change(&self) -> Result<()> {
        self.require(&[Phase::Building, Phase::Ready], "the model changes between steps (phase BUILDING or READY)")
    }
}

impl Run {
    /// Numbers the constraints of the model with other drives, and without the joints that are
    /// broken; `model` has its numbers as described.
    fn take_constraints(&mut self, model: Model, changes: &Changes) {
        let system = self.numbered(model, changes);
        self.initial = Shared::new(self.initial.numbered([&self.system, &system]));
        *self.accepted = self.accepted.numbered([&self.system, &system]);
        self.trial = self.accepted.clone();
        self.sharing = system.joints().sharing();
        self.system = Shared::new(system);
        self.workroom = Workroom::Empty;
        self.chosen = Default::default();
    }

    /// The system with these constraints.
    pub(super) fn numbered(&self, mut model: Model, changes: &Changes) -> System {
        model.change(&changes.of_constraints());
        let references = self.system.references();
        let placed = model.placed_from(references.origin(), !references.has_arms());
        self.system.constraints().with_drives(&placed)
    }
}

impl State {
    /// The same state with the multipliers of another numbering.
    pub(in crate::simulation) fn numbered(&self, [before, system]: [&System; 2]) -> State {
        let mut state = self.clone();
        state.lambda = system.constraints().multipliers_of(before, &self.lambda);
        state
    }
}

impl Point {
    /// A start from the same state with the multipliers of another numbering.
    pub(super) fn numbered(&self, systems: [&System; 2]) -> Point {
        let Point { state, loads, marks, history } = self;
        let mut point =
            Point { marks: *marks, ..Point::new(state.numbered(systems), loads.clone(), history.past.shape()) };
        (point.history.step, point.history.pace) = (history.step, history.pace);
        point
    }
}

impl Build<'_> {
    /// Says whether the coordinate of a REVOLUTE, PRISMATIC, CYLINDRICAL or POINT_ON_LINE joint is
    /// imposed by the host
    /// ([`HostInputs::set_joint_motion`](crate::simulation::HostInputs::set_joint_motion)); a
    /// motion given before goes with false. Phase BUILDING, READY: then from the accepted time on.
    pub fn set_joint_driven(&mut self, joint: Id, driven: bool) -> Result<()> {
        let detail = "only REVOLUTE, PRISMATIC, CYLINDRICAL and POINT_ON_LINE can be driven";
        self.set_drive(joint, (false, JointKind::can_be_driven, detail), driven)
    }

    /// Says whether the slide of a CYLINDRICAL joint is imposed by the host
    /// ([`HostInputs::set_joint_slide_motion`](crate::simulation::HostInputs::set_joint_slide_motion));
    /// a motion given before goes with false. Phase BUILDING, READY: then from the accepted time
    /// on.
    pub fn set_joint_slide_driven(&mut self, joint: Id, driven: bool) -> Result<()> {
        self.set_drive(joint, (true, JointKind::has_free_slide, NO_FREE_SLIDE), driven)
    }

    fn set_drive(
        &mut self,
        joint: Id,
        (slide, fits, detail): (bool, fn(JointKind) -> bool, &str),
        driven: bool,
    ) -> Result<()> {
        self.0.require_change()?;
        let own = self.0.joint_that_fits(joint, fits, detail)?;
        self.0.require_whole(own)?;
        if self.0.phase == Phase::Ready {
            return self.0.drive(joint as usize, slide, driven);
        }
        let own = &mut self.0.model.joints[own];
        *[&mut own.driven, &mut own.slide_driven][usize::from(slide)] = driven;
        if !driven {
            let loads = &mut self.0.inputs.loads;
            [&mut loads.joints, &mut loads.slides][usize::from(slide)][joint as usize].drive = None;
        }
        Ok(())
    }

    /// Sets mass, centre of mass (body axes) and inertia xx yy zz xy xz yz about it of a body.
    /// Phase BUILDING, READY: then from the accepted time on, where velocities stay.
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

    /// The same for restoring a state: that of a change where the state has others.
    pub fn restoring(self, state: &Snapshot) -> usize {
        let is_alike = state.inputs.changes == self.0.inputs.changes && !state.parts() && !self.0.parts();
        self.working(if is_alike { Work::Copy } else { Work::Model })
    }
}
