//! Loads of the host along beams, and the loads and strains of sections.

use super::build::reserve;
use super::views::{Elements, HostInputs};
use super::{Beams, Simulation, outputs};
use crate::elements::beam::LoadPlace;
use crate::error::{Error, Result};
use crate::model::{Beam, EntityKind, Frame, Id, Load, Model};
use crate::number::Number;
use crate::spatial::pose::check_finite;
use crate::spatial::{Pose, Vec6, join, lower, upper};

/// Index of a place of loads. Errors: not one of the beam's.
fn place(of: &Beam, place: i32) -> Result<usize> {
    let found = usize::try_from(place).ok().filter(|index| *index < of.loads.len());
    found.ok_or_else(|| Error::bad_value("place", format!("{place}: the beam has {}", of.loads.len())))
}

impl Elements<'_> {
    /// Adds a place to a beam at which the host gives loads: at an arc length, with an offset from
    /// the axis in the axes of the section; a wrench, or one per length that is linear to the next
    /// place of this kind. Returns its number in the beam. Phase BUILDING, after `mesh_beam`.
    /// Errors: not on the beam; per length, and not behind the last one of that kind.
    pub fn add_beam_load(&mut self, beam: Id, s: f64, offset: &[f64; 3], distributed: bool) -> Result<Id> {
        self.0.require_building()?;
        let index = self.0.model.index("beam", EntityKind::Beam, beam)?;
        let Simulation { model, inputs, .. } = &mut *self.0;
        let Model { beams, elements, .. } = &mut **model;
        let described = &mut beams[index];
        if described.nodes.is_empty() {
            let detail = format!("beam {index} has no elements: places of loads come after pintle_mesh_beam");
            return Err(Error::bad_value("beam", detail));
        }
        check_finite("offset", offset)?;
        let last = described.element_at(s)?;
        let before = described.loads.iter().rev().find(|place| place.distributed && distributed).map(|place| place.s);
        if let Some(before) = before.filter(|before| s <= *before) {
            let (s, before) = (Number(s), Number(before));
            return Err(Error::bad_value(
                "s",
                format!("{s} is not above {before}, that of the distributed load before"),
            ));
        }
        let first = before.map_or(Ok(last), |before| described.element_at(before))?;
        let id = reserve("place", &mut described.loads)?;
        reserve("place", &mut inputs.loads.beams)?;
        let load = inputs.loads.beams.len();
        inputs.loads.beams.push(Load::NONE);
        described.loads.push(LoadPlace { s, offset: (*offset).into(), distributed, index: load });
        for k in first..=last {
            elements.beam_elements[described.first_element + k].take_places(&described.stretch(k));
        }
        Ok(id)
    }
}

impl HostInputs<'_> {
    /// Sets the wrench at a place of a beam, or per length there, about the place; in inertial
    /// axes, or in those of the section, with which it turns. Replaces the former one; a value for
    /// the end of the coming step as those of bodies.
    pub fn set_beam_load(&mut self, beam: Id, at: i32, frame: Frame, wrench: &[f64; 6]) -> Result<()> {
        self.0.require_input()?;
        let described = &self.0.model.beams[self.0.model.index("beam", EntityKind::Beam, beam)?];
        let index = described.loads[place(described, at)?].index;
        self.0.inputs.loads.beams[index] = super::inputs::load("wrench", frame, wrench)?;
        Ok(())
    }
}

impl<'a> Beams<'a> {
    /// A place of loads of a beam, and the load that is set there. Any phase.
    pub fn load(self, beam: Id, at: i32) -> Result<(&'a LoadPlace, &'a Load)> {
        let described = self.get(beam)?;
        let place = &described.loads[place(described, at)?];
        Ok((place, &self.0.inputs.loads.beams[place.index]))
    }

    /// The pose of a place of loads, and the velocity on which its load does work: that of its
    /// place, and the angular velocity. Phase READY, TRIAL, FAILED.
    pub fn load_motion(self, beam: Id, at: i32) -> Result<([f64; 7], [f64; 6])> {
        let (run, state) = (self.0.readable()?, self.0.state()?);
        let described = self.get(beam)?;
        let place = &described.loads[place(described, at)?];
        let k = described.element_at(place.s)?;
        let reference = described.stretch(k).reference(place);
        self.told(run.system.elements().load_motion(described.first_element + k, &reference, state))
    }

    /// A motion measured from the model's origin, for the host. Errors: not finite.
    pub(super) fn told(self, (pose, velocity): (Pose, Vec6)) -> Result<([f64; 7], [f64; 6])> {
        let origin = self.0.readable()?.system.references().origin();
        let placed = Pose { position: pose.position + origin, ..pose };
        let (place, velocity) = (placed.to_array(), velocity.into());
        outputs::finite("pose", place)?;
        outputs::finite("velocity", velocity).map(|velocity| (place, velocity))
    }

    /// The wrench of the section at an arc length, inertial axes or its own, with its pose. Phase
    /// READY, TRIAL, FAILED.
    fn section(self, beam: Id, s: f64, frame: Frame, damped: bool) -> Result<Vec6> {
        let (run, point) = (self.0.readable()?, self.0.point()?);
        let described = self.get(beam)?;
        let k = described.element_at(s)?;
        let of = (&point.state, &point.loads.beams[..], &self.0.inputs.water);
        let elements = run.system.elements();
        let found = elements.section_wrench(described.first_element + k, (&described.stretch(k), s, damped), of);
        let (pose, wrench) = found.unwrap_or((Pose::identity(), Vec6::from_element(f64::NAN)));
        let r = pose.rotation.inverse();
        Ok(match frame {
            Frame::Inertial => wrench,
            Frame::Body => join(&(r * upper(&wrench)), &(r * lower(&wrench))),
        })
    }

    /// Force and moment of the section at an arc length about its place: what the part of the beam
    /// behind it does on the part before it; just before a load at a place. Phase READY, TRIAL,
    /// FAILED.
    pub fn section_load(self, beam: Id, s: f64, frame: Frame) -> Result<[f64; 6]> {
        outputs::finite("wrench", self.section(beam, s, frame, true)?.into())
    }

    /// Strains of the section at an arc length, in its axes: extension, shear 2 and 3, twist,
    /// bending 2 and 3. Phase READY, TRIAL, FAILED.
    pub fn strains(self, beam: Id, s: f64) -> Result<[f64; 6]> {
        let wrench = self.section(beam, s, Frame::Body, false)?;
        let compliance = self.get(beam)?.sections.compliance(s);
        let strains = compliance.map_or(Vec6::from_element(f64::NAN), |compliance| compliance * wrench);
        outputs::finite("strains", strains.into())
    }
}
