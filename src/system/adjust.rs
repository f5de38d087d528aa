//! What may change of an assembled model: gravity, what forces are measured by, and the numbers that load callbacks know bodies by.
//! Ends that are released stand with the lines.

use super::views::Adjust;
use crate::spatial::Vec3;

impl Adjust<'_> {
    /// Sets the gravitational acceleration, and the force scale to what the model shows without multipliers.
    pub fn set_gravity(self, gravity: &Vec3) {
        self.0.gravity = *gravity;
        self.0.scales.force = self.0.largest_weight(gravity);
    }

    /// Says what load callbacks know the bodies by: the numbers of the whole model, where this is a part.
    pub fn set_ids(self, ids: Vec<i32>) {
        self.0.ids = ids;
    }

    /// Raises the force scale to what the initial state shows.
    pub fn note_multipliers(self, lambda: &[f64]) {
        for (l, is_length) in lambda.iter().zip(&self.0.lengths) {
            let force = if *is_length { l.abs() } else { l.abs() / self.0.scales.length };
            self.0.scales.force = self.0.scales.force.max(force);
        }
    }

    /// Sets the force scale to what it was when a state was saved.
    pub fn set_force_scale(self, force: f64) {
        self.0.scales.force = force;
    }
}
