//! Force elements: adding and reading them.

use super::build::reserve;
use super::introspection::numbers;
use super::views::{Description, Elements, Outputs};
use super::{Simulation, outputs};
use crate::elements::{
    Attachment, Bushing, Curve, Cylinder, CylinderLoads, Listed, Quantity, Site, Spring, Surroundings,
};
use crate::error::{Error, Result};
use crate::model::{EntityKind, Id};
use std::sync::Arc;

impl Simulation {
    /// Adds an element with the attachments of its nodes. Errors: phase; an element that is
    /// refused.
    pub(super) fn add_element<E: Listed>(&mut self, element: E) -> Result<Id> {
        self.require_building()?;
        element.check()?;
        let kind = element.kind();
        let id = reserve(kind.name(), E::list(&mut self.model.elements))?;
        if kind == EntityKind::Tendon {
            reserve(kind.name(), &mut self.inputs.loads.lines)?;
        }
        E::list(&mut self.model.elements).push(element);
        if kind == EntityKind::Tendon {
            self.wind_tendon(id as usize);
        }
        Ok(id)
    }
}

impl Elements<'_> {
    /// Adds an element of any kind between bodies, some of which may be the ground. `describe`
    /// returns its description, with the places of its nodes in the axes of each body (ground:
    /// inertial); it is called only in phase BUILDING.
    ///
    /// Errors: those of `describe`; a bad id, or only one body; an element that is refused.
    pub fn add<E: Listed>(&mut self, bodies: &[Id], describe: impl FnOnce() -> Result<E>) -> Result<Id> {
        self.0.require_building()?;
        let mut element = describe()?;
        self.0.model.attach(element.nodes_mut(), bodies)?;
        self.0.add_element(element)
    }

    /// Adds a spring with damper between two points in body axes (ground: inertial). Phase
    /// BUILDING.
    #[allow(clippy::too_many_arguments)] // the C function's arguments
    pub fn add_spring(
        &mut self,
        body_a: Id,
        point_a: &[f64; 3],
        body_b: Id,
        point_b: &[f64; 3],
        stiffness: f64,
        damping: f64,
        rest_length: f64,
        tension_only: bool,
    ) -> Result<Id> {
        let ends = [point_a, point_b].map(Attachment::at);
        self.add(&[body_a, body_b], || Ok(Spring { ends, stiffness, damping, rest_length, tension_only, table: None }))
    }

    /// Replaces stiffness and rest length of a spring, or a former table, by a table of forces over
    /// lengths, with monotone cubic interpolation, and straight lines beyond the ends. Phase
    /// BUILDING.
    ///
    /// Errors: fewer than two points; numbers that are not finite; lengths that are negative or do
    /// not increase; forces that decrease.
    pub fn set_spring_table(&mut self, spring: Id, lengths: &[f64], forces: &[f64]) -> Result<()> {
        self.0.require_building()?;
        let index = self.0.model.index("spring", EntityKind::Spring, spring)?;
        let curve = Curve::new(lengths.to_vec(), forces.to_vec())?;
        self.0.model.elements.springs[index].set_table(Arc::new(curve));
        Ok(())
    }

    /// Adds a bushing between two frames in body axes (ground: inertial). Phase BUILDING.
    pub fn add_bushing(
        &mut self,
        body_a: Id,
        body_b: Id,
        frame_a: &[f64; 7],
        frame_b: &[f64; 7],
        stiffness: &[f64; 36],
        damping: &[f64; 36],
    ) -> Result<Id> {
        self.add(&[body_a, body_b], || Bushing::new([frame_a, frame_b], stiffness, damping))
    }

    /// Adds a cylinder in water on a body or the ground between two ends in its axes (ground:
    /// inertial); `coefficients` of drag and added mass across, then along at the ends. Phase
    /// BUILDING.
    pub fn add_cylinder(
        &mut self,
        body: Id,
        ends: [&[f64; 3]; 2],
        diameter: f64,
        segments: i32,
        coefficients: [f64; 4],
    ) -> Result<Id> {
        self.add(&[body], || Ok(Cylinder::new(ends, diameter, segments, coefficients)))
    }
}

impl<'a> Description<'a> {
    /// Lengths and forces of a spring's table, empty if it has none. Any phase.
    pub fn spring_table(self, spring: Id) -> Result<[&'a [f64]; 2]> {
        let index = self.0.model.index("spring", EntityKind::Spring, spring)?;
        Ok(self.0.model.elements.springs[index].table.as_deref().map_or([&[], &[]], Curve::points))
    }
}

impl Outputs<'_> {
    /// Wrenches of the water and of the seabed on a cylinder about its end A. Phase READY, TRIAL,
    /// FAILED. Errors: a bad id; numbers too large for a double.
    pub fn cylinder_loads(self, cylinder: Id) -> Result<CylinderLoads> {
        let loads = self.of_cylinder(cylinder, Cylinder::loads)?;
        let CylinderLoads { submerged, buoyancy, drag, inertia, seabed } = loads;
        outputs::finite("loads", [submerged, buoyancy.sum(), drag.sum(), inertia.sum(), seabed.sum()]).map(|_| loads)
    }

    /// The 6x6 matrix of the added mass of the water on a cylinder about its end A, inertial axes,
    /// column-major. Phase READY, TRIAL, FAILED. Errors: a bad id; numbers too large for a double.
    pub fn cylinder_added_mass(self, cylinder: Id) -> Result<[f64; 36]> {
        outputs::finite(
            "mass",
            numbers(&self.of_cylinder(cylinder, |cylinder, site, around, _| cylinder.added_mass(site, around))?),
        )
    }

    fn of_cylinder<T>(
        self,
        cylinder: Id,
        find: impl FnOnce(&Cylinder, &Site, &Surroundings, &[f64]) -> T,
    ) -> Result<T> {
        let (run, state) = (self.0.readable()?, self.0.state()?);
        let index = self.0.model.index("cylinder", EntityKind::Cylinder, cylinder)?;
        Ok(run.system.elements().of_cylinder(index, (state, &self.0.inputs.water), find))
    }

    /// Outputs of a force element by name: `length` and `tension` of a spring, for example. Phase
    /// READY, TRIAL, FAILED.
    ///
    /// Errors: a kind that is not a force element; a bad id; numbers too large for a double, in
    /// which case `each` is not called.
    pub fn element_outputs(
        self,
        kind: EntityKind,
        id: Id,
        each: &mut dyn FnMut(&'static str, Quantity, f64),
    ) -> Result<()> {
        let (run, state, loads) = (self.0.readable()?, self.0.state()?, &self.0.point()?.loads);
        if !EntityKind::FORCES.contains(&kind) {
            return Err(Error::bad_value("kind", format!("{} is no force element", kind.name())));
        }
        let index = self.0.model.index("id", kind, id)?;
        let water = &self.0.inputs.water;
        let mut outcome = Ok(());
        run.system.elements().outputs(kind, index, (state, loads, water), &mut |name, _, value| {
            if outcome.is_ok() {
                outcome = outputs::finite(name, [value]).map(drop);
            }
        });
        outcome?;
        run.system.elements().outputs(kind, index, (state, loads, water), each);
        Ok(())
    }
}
