//! Energies of a line.

use super::chain::Chain;
use super::seabed::Seabed;
use super::water::wet_energy;
use super::{Around, Motions};
use crate::spatial::Vec3;

/// Energies of a whole line, its ends included.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energies {
    /// Of its own mass; that of the water that moves along is the water's.
    pub kinetic: f64,
    /// Of stretched segments, with that of internal pressure.
    pub axial: f64,
    /// Of bending.
    pub bending: f64,
    /// Of weight and buoyancy, from positions whose z is the height above the mean water level.
    pub gravity: f64,
    /// Of the spring of the seabed.
    pub seabed: f64,
}

impl Energies {
    /// All that is not kinetic.
    pub fn potential(&self) -> f64 {
        self.axial + self.bending + self.gravity + self.seabed
    }
}

impl Chain {
    /// Energies at an unstretched length of the whole line, from positions and velocities of its
    /// nodes, the elevation of the surface over them, and the axes of clamped ends ([`Motions`]).
    /// Buoyancy has a potential as long as the water is still and gravity acts along z.
    pub fn energies(
        &self,
        length: f64,
        x: impl Fn(usize) -> Vec3,
        v: impl Fn(usize) -> Vec3,
        elevation: impl Fn(usize) -> f64,
        axes: [Option<Vec3>; 2],
        around: &Around,
    ) -> Energies {
        let l = length / self.segments as f64;
        let seabed = Seabed::new(around.water, around.origin, self.diameter);
        let gravity = around.gravity;
        let water = around.water.density * self.area;
        let pairs = self.axial.pairs(self.mass, l);
        let mut energies = Energies::default();
        for i in 0..=self.segments {
            let x = x(i);
            let share = self.share(i, l);
            let mass = self.mass * share;
            energies.kinetic += 0.5 * mass * v(i).norm_squared();
            energies.gravity -= mass * (gravity.dot(&x) + gravity.z * around.origin.z);
            if let Some(bed) = &seabed {
                energies.seabed += self.diameter * share * bed.energy(bed.ground(&x).penetration);
            }
        }
        let depth = |node: usize| elevation(node) - (x(node).z + around.origin.z);
        for j in 0..self.segments {
            let strain = (x(j + 1) - x(j)).norm() / l - 1.0;
            energies.axial += l * match &pairs {
                Some(pairs) => pairs.energy(pairs.slow(&around.slow, j, strain), strain),
                None => self.axial.energy(strain),
            };
            if water > 0.0 {
                let below = wet_energy([depth(j), depth(j + 1)], self.surfacing);
                energies.gravity -= water * l * gravity.z * below;
            }
        }
        energies.axial += self.pressure_energy(l, &x);
        if self.bends() {
            energies.bending = self.bending_energy(l, &x, axes);
        }
        energies
    }

    /// Moves the stick points of friction after an accepted step.
    pub fn settle(&self, motions: Motions, around: &Around, sticks: &mut [[f64; 2]]) {
        let Some(bed) = Seabed::new(around.water, around.origin, self.diameter) else { return };
        for (stick, x) in sticks.iter_mut().zip(motions.x) {
            *stick = bed.settled(x, *stick);
        }
    }
}
