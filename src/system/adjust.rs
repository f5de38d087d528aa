//! Changes of an assembled model: gravity, inertia of bodies, springs, springs on joints, friction
//! and stops, the scale of forces, and the ids of bodies in load callbacks. Released ends of lines
//! are in `lines`.

use super::views::Adjust;
use crate::model::{Changes, JointSpring};
use crate::spatial::Vec3;
use std::sync::Arc;

impl Adjust<'_> {
    /// Sets the gravitational acceleration, and the force scale to that of the model without
    /// multipliers.
    pub fn set_gravity(self, gravity: &Vec3) {
        self.0.gravity = *gravity;
        self.0.scales.force = self.0.largest_weight(gravity);
    }

    /// Sets stiffness, damping and rest of the springs on joints, in the order of
    /// [`State::joint_springs`](crate::system::State::joint_springs).
    pub fn set_joint_springs(self, springs: impl Iterator<Item = [f64; 3]>) {
        let all = self.0.joints.iter_mut().flat_map(|joint| joint.springs_mut());
        all.zip(springs).for_each(|(own, numbers)| *own = JointSpring::from_numbers(numbers));
    }

    /// Changes numbers of the model; true if there are links then. The force scale does not fall.
    pub fn change(self, changes: &Changes) -> bool {
        let system = self.0;
        if let Some(gravity) = changes.gravity {
            system.gravity = gravity;
        }
        for (body, inertia) in &changes.inertias {
            let body = *body as usize;
            system.inertias[body] = inertia.about(&-system.references[body]);
        }
        system.elements.change(changes);
        for (place, machine) in &changes.machines {
            let own = system.joints[*place as usize / 2].machine_mut(*place as usize % 2);
            own.into_iter().for_each(|(own, _)| *own = *machine);
        }
        for (place, points) in &changes.joint_tables {
            system.joints[*place as usize / 4].take_points(*place as usize % 4, points);
        }
        changes.stops.iter().for_each(|(clutch, stop)| system.clutches[*clutch as usize].machine.stop = *stop);
        system.set_default_slips();
        system.scales.force = system.scales.force.max(system.largest_weight(&system.gravity));
        system.scales.stiffness = system.elements.largest_stiffness();
        if !changes.inertias.is_empty() {
            system.links = system.find_links().map(Arc::from);
        }
        system.links.is_some()
    }

    /// Sets the ids of bodies for load callbacks: those of the whole model where this system is a
    /// part of it.
    pub fn set_ids(self, ids: Vec<i32>) {
        self.0.ids = ids;
    }

    /// Raises the force scale to that of the multipliers at the initial state.
    pub fn note_multipliers(self, lambda: &[f64]) {
        for (l, is_length) in lambda.iter().zip(&self.0.lengths) {
            let force = if *is_length { l.abs() } else { l.abs() / self.0.scales.length };
            self.0.scales.force = self.0.scales.force.max(force);
        }
    }

    /// Restores the force scale from a saved state.
    pub fn set_force_scale(self, force: f64) {
        self.0.scales.force = force;
    }
}
