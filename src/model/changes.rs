//! What a host changes of a model between steps: gravity, inertia of bodies, springs, preloads of
//! bushings, drives and strengths of joints, which of these break, friction, stops, laws and
//! resistances of contacts, friction of tendons, and tables of joints and bushings.
//!
//! Changes are inputs: a saved state has those of its time. The fingerprint is that of the model as
//! described, and bodies move about the points chosen for it.

use super::Model;
use crate::elements::contact::check_resistance;
use crate::elements::coordinate_spring::CoordinateSpring;
use crate::elements::machine::{Friction, Machine};
use crate::elements::stop::Stop;
use crate::elements::{Elements, MOST_NODES};
use crate::model::damper_curve;
use crate::spatial::{RigidInertia, Vec3};

/// Values by index, in the order of their first change.
pub type Changed<T> = Vec<(u64, T)>;

/// Points of a table.
pub type Table = Vec<[f64; 2]>;

/// What has changed; everything else is as described.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changes {
    /// Gravitational acceleration.
    pub gravity: Option<Vec3>,
    /// Inertia of bodies about the reference points of the host, body axes.
    pub inertias: Changed<RigidInertia>,
    /// Stiffness, damping and rest length of springs.
    pub springs: Changed<[f64; 3]>,
    /// Preloads of bushings.
    pub preloads: Changed<[f64; 6]>,
    /// Whether coordinate and slide of joints are imposed.
    pub drives: Changed<[bool; 2]>,
    /// Whether joints are broken.
    pub broken: Changed<bool>,
    /// Strengths of joints.
    pub strengths: Changed<[f64; 2]>,
    /// Friction and stops of coordinate and slide of joints, at twice the index and behind it.
    pub machines: Changed<Machine>,
    /// Laws of contacts, with their friction.
    pub contacts: Changed<Machine>,
    /// Arms of rolling and spinning resistance of contacts.
    pub resistances: Changed<[f64; 2]>,
    /// Coefficients of friction of tendons, at [`MOST_NODES`] times the index and the point behind
    /// it.
    pub frictions: Changed<f64>,
    /// Stops of clutches.
    pub stops: Changed<Option<Stop>>,
    /// Points of tables of joints, at the places of [`Joint::table`](super::Joint::table) behind
    /// four times the index.
    pub joint_tables: Changed<Table>,
    /// Points of tables of bushings, at six times the index and the axis behind it.
    pub bushing_tables: Changed<Table>,
}

/// Sets the value of an index.
fn set<T: Clone>(list: &mut Changed<T>, (index, value): &(u64, T)) {
    match list.iter_mut().find(|(own, _)| own == index) {
        Some((_, own)) => own.clone_from(value),
        None => list.push((*index, value.clone())),
    }
}

impl Changes {
    /// Adds those of `later`, which replace earlier ones.
    pub fn add(&mut self, later: &Changes) {
        self.gravity = later.gravity.or(self.gravity);
        later.inertias.iter().for_each(|change| set(&mut self.inertias, change));
        later.springs.iter().for_each(|change| set(&mut self.springs, change));
        later.preloads.iter().for_each(|change| set(&mut self.preloads, change));
        later.drives.iter().for_each(|change| set(&mut self.drives, change));
        later.broken.iter().for_each(|change| set(&mut self.broken, change));
        later.strengths.iter().for_each(|change| set(&mut self.strengths, change));
        later.machines.iter().for_each(|change| set(&mut self.machines, change));
        later.contacts.iter().for_each(|change| set(&mut self.contacts, change));
        later.resistances.iter().for_each(|change| set(&mut self.resistances, change));
        later.frictions.iter().for_each(|change| set(&mut self.frictions, change));
        later.stops.iter().for_each(|change| set(&mut self.stops, change));
        later.joint_tables.iter().for_each(|change| set(&mut self.joint_tables, change));
        later.bushing_tables.iter().for_each(|change| set(&mut self.bushing_tables, change));
    }

    /// The present values in a model of all that changes here.
    pub fn present(&self, model: &Model) -> Changes {
        let spring = |index: usize| model.elements.springs[index].law();
        let preload = |index: usize| model.elements.bushings[index].preload.into();
        let joint = |index: &u64| &model.joints[*index as usize];
        let machine = |place: &u64| joint(&(place / 2)).machines[*place as usize % 2];
        let contact = |index: &u64| &model.elements.contacts[*index as usize];
        let rubs = |place: &u64| model.elements.tendons[tendon_of(*place)].sheaves()[point_of(*place)].friction;
        let arms = |index: &u64| contact(index).resistance.unwrap_or_default();
        let of_joint = |place: &u64| joint(&(place / 4)).table(*place as usize % 4).to_vec();
        let of_bushing = |place: &u64| model.elements.bushings[*place as usize / 6].points(*place as usize % 6);
        Changes {
            gravity: self.gravity.map(|_| model.gravity),
            inertias: self.inertias.iter().map(|(body, _)| (*body, model.bodies[*body as usize].inertia)).collect(),
            springs: self.springs.iter().map(|(index, _)| (*index, spring(*index as usize))).collect(),
            preloads: self.preloads.iter().map(|(index, _)| (*index, preload(*index as usize))).collect(),
            drives: self.drives.iter().map(|(index, _)| (*index, joint(index).drives())).collect(),
            broken: self.broken.iter().map(|(index, _)| (*index, joint(index).is_broken)).collect(),
            strengths: self.strengths.iter().map(|(index, _)| (*index, joint(index).strength)).collect(),
            machines: self.machines.iter().map(|(place, _)| (*place, machine(place))).collect(),
            contacts: self.contacts.iter().map(|(index, _)| (*index, contact(index).law())).collect(),
            resistances: self.resistances.iter().map(|(index, _)| (*index, arms(index))).collect(),
            frictions: self.frictions.iter().map(|(place, _)| (*place, rubs(place))).collect(),
            stops: self.stops.iter().map(|(index, _)| (*index, model.clutches[*index as usize].stop)).collect(),
            joint_tables: self.joint_tables.iter().map(|(place, _)| (*place, of_joint(place))).collect(),
            bushing_tables: self.bushing_tables.iter().map(|(place, _)| (*place, of_bushing(place))).collect(),
        }
    }

    /// Those on which constraints and events depend.
    pub fn of_constraints(&self) -> Changes {
        let Changes { drives, broken, strengths, .. } = self;
        let (drives, broken, strengths) = (drives.clone(), broken.clone(), strengths.clone());
        Changes { drives, broken, strengths, ..Changes::default() }
    }

    /// Whether a model has all that changes here, and the values are possible ones.
    pub fn fit(&self, model: &Model) -> bool {
        let Changes { gravity, inertias, springs, preloads, drives, broken, strengths, machines, .. } = self;
        let Changes { contacts, resistances, frictions, stops, joint_tables, bushing_tables, .. } = self;
        let contact_at = |index: u64| usize::try_from(index).ok().and_then(|index| model.elements.contacts.get(index));
        let joints = model.joints.len() as u64;
        let is_finite = |numbers: &[f64]| numbers.iter().all(|x| x.is_finite());
        gravity.is_none_or(|gravity| is_finite(gravity.as_slice()))
            && inertias.iter().all(|(body, inertia)| {
                let numbers = [inertia.eta.as_slice(), inertia.inertia.as_slice()];
                *body < model.bodies.len() as u64
                    && (0.0..f64::INFINITY).contains(&inertia.mass)
                    && numbers.into_iter().all(is_finite)
            })
            && springs.iter().all(|(index, law)| {
                *index < model.elements.springs.len() as u64 && law.iter().all(|x| (0.0..f64::INFINITY).contains(x))
            })
            && preloads
                .iter()
                .all(|(index, preload)| *index < model.elements.bushings.len() as u64 && is_finite(preload))
            && drives.iter().all(|(joint, drives)| {
                let joint = usize::try_from(*joint).ok().and_then(|joint| model.joints.get(joint));
                joint.is_some_and(|joint| {
                    let can = [joint.kind.can_be_driven(), joint.kind.has_free_slide()];
                    drives.iter().zip(can).all(|(is_driven, can)| can || !is_driven)
                })
            })
            && broken.iter().all(|(joint, _)| *joint < joints)
            && strengths.iter().all(|(joint, strength)| *joint < joints && strength.iter().all(|x| *x >= 0.0))
            && machines.iter().all(|(place, machine)| {
                let joint = usize::try_from(place / 2).ok().and_then(|joint| model.joints.get(joint));
                let described = joint.map(|joint| joint.machines[(place % 2) as usize]);
                described.is_some_and(|described| !described.is_none()) && !machine.is_none() && is_law(machine)
            })
            && contacts.iter().all(|(index, law)| {
                let has_law = contact_at(*index).is_some_and(|contact| contact.machine.stop.is_some());
                has_law && law.stop.is_some() && is_law(law)
            })
            && frictions.iter().all(|(place, coefficient)| {
                let tendon = model.elements.tendons.get(tendon_of(*place));
                let sheave = tendon.and_then(|tendon| tendon.sheaves().get(point_of(*place)));
                // Its own variables are described.
                let rubs = |x: f64| x > 0.0 && x.is_finite();
                sheave.is_some_and(|sheave| rubs(sheave.friction)) && rubs(*coefficient)
            })
            && resistances.iter().all(|(index, arms)| {
                let has_any = contact_at(*index).is_some_and(|contact| contact.resistance.is_some());
                has_any && check_resistance(*arms).is_ok()
            })
            && stops.iter().all(|(index, stop)| {
                *index < model.clutches.len() as u64 && is_law(&Machine { friction: None, stop: *stop })
            })
            && joint_tables.iter().all(|(place, points)| {
                let joint = usize::try_from(place / 4).ok().and_then(|joint| model.joints.get(joint));
                let is_described = joint.is_some_and(|joint| !joint.table((place % 4) as usize).is_empty());
                is_described && !points.is_empty() && is_joint_table(place % 4, points)
            })
            && bushing_tables.iter().all(|(place, points)| {
                let bushing = usize::try_from(place / 6).ok().and_then(|index| model.elements.bushings.get(index));
                let is_described = bushing.is_some_and(|bushing| !bushing.points((place % 6) as usize).is_empty());
                is_described && points.len() > 1 && CoordinateSpring::new(points).is_ok()
            })
    }
}

/// Whether the numbers of friction and stops are possible ones.
fn is_law(Machine { friction, stop }: &Machine) -> bool {
    let of_friction = |friction: &Friction| friction.check().and_then(|()| friction.load.check());
    friction.iter().try_for_each(of_friction).and_then(|()| stop.iter().try_for_each(Stop::check)).is_ok()
}

/// The tendon of a coefficient of friction, by its place, and the point.
fn tendon_of(place: u64) -> usize {
    place as usize / MOST_NODES
}

fn point_of(place: u64) -> usize {
    place as usize % MOST_NODES
}

/// Whether these are points of a table of a joint, by its place.
fn is_joint_table(place: u64, points: &[[f64; 2]]) -> bool {
    if place.is_multiple_of(2) { CoordinateSpring::new(points).is_ok() } else { damper_curve(points).is_ok() }
}

impl Elements {
    /// Changes the numbers of elements.
    pub fn change(&mut self, changes: &Changes) {
        let Changes { springs, preloads, contacts, resistances, frictions, bushing_tables, .. } = changes;
        for (place, coefficient) in frictions {
            self.tendons[tendon_of(*place)].sheaves_mut()[point_of(*place)].friction = *coefficient;
        }
        springs.iter().for_each(|(index, law)| self.springs[*index as usize].set_law(*law));
        preloads.iter().for_each(|(index, preload)| self.bushings[*index as usize].preload = (*preload).into());
        for (place, points) in bushing_tables {
            self.bushings[*place as usize / 6].take_points(*place as usize % 6, points);
        }
        for (index, Machine { friction, stop }) in contacts {
            self.contacts[*index as usize].set_law(*stop, friction.unwrap_or(Friction::NONE));
        }
        resistances.iter().for_each(|(index, arms)| self.contacts[*index as usize].resistance = Some(*arms));
    }
}

impl Model {
    /// Changes the numbers of a model in a run; bodies keep the points about which they move.
    pub fn change(&mut self, changes: &Changes) {
        for (body, _) in &changes.inertias {
            let body = &mut self.bodies[*body as usize];
            body.centre = Some(body.centre());
        }
        self.change_description(changes);
    }

    /// Changes the numbers of a description.
    pub fn change_description(&mut self, changes: &Changes) {
        self.gravity = changes.gravity.unwrap_or(self.gravity);
        changes.inertias.iter().for_each(|(body, inertia)| self.bodies[*body as usize].inertia = *inertia);
        self.elements.change(changes);
        for (joint, drives) in &changes.drives {
            let joint = &mut self.joints[*joint as usize];
            [joint.driven, joint.slide_driven] = *drives;
        }
        changes.broken.iter().for_each(|(joint, is_broken)| self.joints[*joint as usize].is_broken = *is_broken);
        changes.strengths.iter().for_each(|(joint, strength)| self.joints[*joint as usize].strength = *strength);
        for (place, machine) in &changes.machines {
            self.joints[*place as usize / 2].machines[*place as usize % 2] = *machine;
        }
        changes.stops.iter().for_each(|(clutch, stop)| self.clutches[*clutch as usize].stop = *stop);
        for (place, points) in &changes.joint_tables {
            self.joints[*place as usize / 4].table_mut(*place as usize % 4).clone_from(points);
        }
    }
}
