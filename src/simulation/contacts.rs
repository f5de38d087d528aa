//! Contacts of spheres with planes and spheres: descriptions and results.

use super::views::Elements;
use super::{Phase, Simulation};
use crate::elements::contact::{Surface, check_resistance};
use crate::elements::machine::{Friction, Machine};
use crate::elements::stop::{Stop, StopLaw};
use crate::elements::{Contact, ContactForces, End};
use crate::error::{Error, Result};
use crate::model::{Changes, EntityKind, GROUND, Id};
use crate::simulation::outputs;
use crate::spatial::{Pose, Quat, Vec3};

/// A contact as it was added.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactInfo {
    /// 0: a plane, 1: a sphere, 2: a hollow sphere.
    pub surface: i32,
    /// Ids of both bodies, one of them perhaps the ground.
    pub bodies: [Id; 2],
    /// Frame of the plane, or centre of the sphere, in the axes of body a (ground: inertial).
    pub frame: [f64; 7],
    /// Centre of the sphere in those of body b.
    pub centre: [f64; 3],
    /// Radii of the spheres; 0 of a plane.
    pub radii: [f64; 2],
}

/// The law of a contact, as set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactLaw {
    /// Number of the law of a stop; -1: none.
    pub law: i32,
    /// Force per power of the indentation.
    pub stiffness: f64,
    /// The power, of law restitution.
    pub exponent: f64,
    /// Force per rate, of law spring.
    pub damping: f64,
    /// Of the other laws.
    pub restitution: f64,
    /// Coefficient of friction while it slips.
    pub kinetic: f64,
    /// Coefficient of friction up to which it sticks.
    pub holding: f64,
    /// Displacement while it sticks with the largest force; 0: a default.
    pub slip: f64,
}

impl Elements<'_> {
    /// Adds a contact of a sphere on body b with the half-space below the plane of x and y of a
    /// frame on body a, both in body axes (ground: inertial). Phase BUILDING.
    pub fn add_contact_plane(
        &mut self,
        body_a: Id,
        frame: &[f64; 7],
        body_b: Id,
        centre: &[f64; 3],
        radius: f64,
    ) -> Result<Id> {
        self.add(&[body_a, body_b], || {
            let Pose { position, rotation } = Pose::from_array("frame_a", frame)?;
            Ok(Contact::new(Surface::Plane, [&position, &(*centre).into()], rotation, [0.0, radius]))
        })
    }

    /// Adds a contact of a sphere on body b with one on body a, or with its inside. Phase BUILDING.
    pub fn add_contact_spheres(
        &mut self,
        bodies: [Id; 2],
        centres: [&[f64; 3]; 2],
        radii: [f64; 2],
        inside: bool,
    ) -> Result<Id> {
        let surface = if inside { Surface::Hollow } else { Surface::Sphere };
        let [a, b] = centres.map(|centre| Vec3::from(*centre));
        self.add(&bodies, || Ok(Contact::new(surface, [&a, &b], Quat::identity(), radii)))
    }

    /// Sets the law of a contact, in place of the former one. Phase BUILDING, READY: then of one
    /// with a law, from the accepted time on.
    pub fn set_contact_law(&mut self, contact: Id, given: ContactLaw) -> Result<()> {
        self.0.require_change()?;
        let index = self.0.model.index("contact", EntityKind::Contact, contact)?;
        if self.0.phase == Phase::Ready && self.0.model.elements.contacts[index].machine.is_none() {
            let detail = format!("contact {index} has no law: one, of any stiffness, is described in phase BUILDING");
            return Err(Error::bad_value("contact", detail));
        }
        let ContactLaw { law, stiffness, exponent, damping, restitution, kinetic, holding, slip } = given;
        let stop = Stop { law: StopLaw::from_number(law)?, stiffness, damping, restitution, exponent, ..Stop::NONE };
        stop.check()?;
        let friction = Friction { kinetic, holding, slip, ..Friction::NONE };
        friction.check()?;
        let law = Machine { friction: Some(friction), stop: Some(Stop { bounds: Contact::BOUNDS, ..stop }) };
        self.0.change(&Changes { contacts: vec![(index as u64, law)], ..Changes::default() });
        Ok(())
    }
}

/// Sets the arms of rolling and spinning resistance of a contact with a law. Phase BUILDING, READY:
/// then of one that is described with resistance, from the accepted time on.
pub fn set_contact_resistance(simulation: &mut Simulation, contact: Id, arms: [f64; 2]) -> Result<()> {
    simulation.require_change()?;
    let index = simulation.model.index("contact", EntityKind::Contact, contact)?;
    let is_building = simulation.phase == Phase::Building;
    let own = &mut simulation.model.elements.contacts[index];
    let lacks = match (own.machine.stop, own.resistance) {
        (None, _) => Some("no law of the normal force"),
        (Some(_), None) if !is_building => Some("no resistance: one above 0 is described in phase BUILDING"),
        _ => None,
    };
    if let Some(what) = lacks {
        return Err(Error::bad_value("contact", format!("contact {index} has {what}")));
    }
    check_resistance(arms)?;
    if is_building {
        own.resistance = (arms != [0.0; 2]).then_some(arms);
        return Ok(());
    }
    simulation.change(&Changes { resistances: vec![(index as u64, arms)], ..Changes::default() });
    Ok(())
}

/// Contacts: as described, what they do at present, and their events.
#[derive(Clone, Copy)]
pub struct Contacts<'a>(&'a Simulation);

impl<'a> Contacts<'a> {
    /// Of a simulation.
    pub fn of(simulation: &'a Simulation) -> Contacts<'a> {
        Contacts(simulation)
    }

    fn contact(self, contact: Id) -> Result<(usize, &'a Contact)> {
        let index = self.0.model.index("contact", EntityKind::Contact, contact)?;
        Ok((index, &self.0.model.elements.contacts[index]))
    }

    /// As it was added.
    pub fn info(self, contact: Id) -> Result<ContactInfo> {
        let (_, Contact { ends, axes, surface, radii, .. }) = self.contact(contact)?;
        let body = |end: End| end.body().map_or(GROUND, |index| index as Id);
        Ok(ContactInfo {
            surface: *surface as i32,
            bodies: [body(ends[0].to), body(ends[1].to)],
            frame: Pose { position: ends[0].at, rotation: *axes }.to_array(),
            centre: ends[1].at.into(),
            radii: *radii,
        })
    }

    /// Its law as set.
    pub fn law(self, contact: Id) -> Result<ContactLaw> {
        let (_, Contact { machine, friction, .. }) = self.contact(contact)?;
        let Friction { kinetic, holding, slip, .. } = *friction;
        let Stop { stiffness, exponent, damping, restitution, .. } = machine.stop.unwrap_or(Stop::NONE);
        let law = machine.stop.map_or(-1, |stop| stop.law as i32);
        Ok(ContactLaw { law, stiffness, exponent, damping, restitution, kinetic, holding, slip })
    }

    /// Arms of its rolling and spinning resistance, as set.
    pub fn resistance(self, contact: Id) -> Result<[f64; 2]> {
        Ok(self.contact(contact)?.1.resistance.unwrap_or_default())
    }

    /// What it does at present. Phase READY, TRIAL, FAILED. Errors: a bad id; numbers too large for
    /// a double.
    pub fn forces(self, contact: Id) -> Result<ContactForces> {
        let (index, _) = self.contact(contact)?;
        let system = &self.0.readable()?.system;
        let forces = system.elements().contact_forces(index, self.0.state()?);
        let point = forces.point + system.references().origin();
        let sums = [forces.tangential, forces.moment, point].map(|vector| vector.sum());
        outputs::finite("normal", [forces.gap, forces.normal, sums[0], sums[1], sums[2]])?;
        Ok(ContactForces { point, ..forces })
    }

    /// The contact of an event of the last call that advanced; None for an event of a joint. Phase
    /// READY, TRIAL. Errors: an index that no event has.
    pub fn of_event(self, event: i32) -> Result<Option<Id>> {
        Ok(super::JointMachines::of(self.0).event(event)?.contact().map(|contact| contact as Id))
    }
}
