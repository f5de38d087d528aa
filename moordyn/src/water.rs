//! The motion of the water that the host gives (`MoorDyn_ExternalWaveKin...`), at all nodes of
//! lines, then those of rods, then all points, then the ground and all bodies. They hold until the
//! host gives new ones.

use crate::rods::Rod;
use crate::status::{Failure, Outcome, Status};
use pintle::Id;
use pintle::elements::waves::wavenumber;
use pintle::model::FluidMotion;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Velocities and accelerations at nodes, points and bodies.
pub struct HostWater {
    motion: Mutex<[Vec<[f64; 3]>; 2]>,
    places: usize,
    /// For each place of pintle (nodes of lines, points, nodes of cylinders, bodies in water) the
    /// host's.
    sources: Vec<usize>,
}

impl HostWater {
    /// Water at rest at nodes of lines and rods, at points, at the ground and at bodies, of which
    /// it is said whether the motion of the water acts on them.
    pub fn new(of_lines: usize, rods: &[Rod], points: &[Id], bodies: &[bool]) -> HostWater {
        let nodes = |rod: &Rod| rod.segments + 1;
        let of_rods: usize = rods.iter().map(nodes).sum();
        let ground = of_lines + of_rods + points.len();
        let places = ground + 1 + bodies.len();
        let (mut at_points, mut at_cylinders, mut first) = (Vec::new(), Vec::new(), of_lines);
        for rod in rods {
            let last = first + rod.segments;
            at_points.extend([(rod.ends[0], first), (rod.ends[1], last)]);
            if rod.cylinder.is_some() {
                at_cylinders.extend(first..=last);
            }
            first = last + 1;
        }
        at_points.extend(points.iter().copied().zip(first..));
        at_points.sort_unstable();
        // Ends of a rod without segments are one point.
        at_points.dedup();
        let at_bodies = bodies.iter().zip(ground + 1..).filter(|(in_water, _)| **in_water).map(|(_, place)| place);
        let at_points = at_points.into_iter().map(|(_, place)| place);
        let sources = (0..of_lines).chain(at_points).chain(at_cylinders).chain(at_bodies).collect();
        HostWater { motion: Mutex::new([vec![[0.0; 3]; places], vec![[0.0; 3]; places]]), places, sources }
    }

    fn motion(&self) -> MutexGuard<'_, [Vec<[f64; 3]>; 2]> {
        self.motion.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of nodes, points and bodies with the ground.
    pub fn places(&self) -> usize {
        self.places
    }

    /// The velocity at a place.
    pub fn velocity(&self, place: usize) -> [f64; 3] {
        self.motion()[0][place]
    }

    /// Fills what pintle asks for.
    pub fn fill(&self, out: &mut FluidMotion) {
        let motion = self.motion();
        for (out, given) in [&mut *out.velocities, &mut *out.accelerations].into_iter().zip(&*motion) {
            out.iter_mut().zip(&self.sources).for_each(|(out, source)| *out = given[*source]);
        }
    }

    /// Sets velocities and accelerations. Errors: not finite.
    pub fn set(&self, velocities: &[f64], accelerations: &[f64]) -> Outcome<()> {
        for (name, values) in [("U", velocities), ("Ud", accelerations)] {
            if let Some(k) = values.iter().position(|value| !value.is_finite()) {
                return Err(Failure::new(Status::NanError, format!("{name}[{k}] = {} is not finite", values[k])));
            }
        }
        let mut motion = self.motion();
        for (own, given) in motion.iter_mut().zip([velocities, accelerations]) {
            own.iter_mut().zip(given.as_chunks::<3>().0).for_each(|(own, given)| *own = *given);
        }
        Ok(())
    }

    /// The number of words that [`HostWater::write`] appends.
    pub fn words(&self) -> usize {
        6 * self.places
    }

    /// Appends all numbers.
    pub fn write(&self, words: &mut Vec<u64>) {
        words.extend(self.motion().iter().flatten().flatten().map(|value| value.to_bits()));
    }

    /// Takes all numbers back.
    pub fn read(&self, words: &[u64]) {
        let mut motion = self.motion();
        for (own, word) in motion.iter_mut().flatten().flatten().zip(words) {
            *own = f64::from_bits(*word);
        }
    }
}

/// The wave number of the linear dispersion relation w^2 = g k tanh(k h); 0 if there is none.
pub fn wave_number(frequency: f64, gravity: f64, depth: f64) -> f64 {
    let deep = frequency * frequency / gravity;
    if !(deep > 0.0 && deep.is_finite() && depth > 0.0) {
        return 0.0;
    }
    wavenumber(frequency, gravity, depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wave_numbers_satisfy_the_dispersion_relation() {
        for (w, g, h) in [(0.5, 9.81, 200.0), (0.1, 9.81, 5.0), (3.0, 9.80665, 1.0), (1e-3, 9.81, 1000.0)] {
            let k = wave_number(w, g, h);
            assert!((g * k * (k * h).tanh() / (w * w) - 1.0).abs() < 1e-12, "{w} {g} {h}: {k}");
        }
        for none in [(0.0, 0.0, 0.0), (0.0, 9.81, 10.0), (f64::NAN, 9.81, 10.0), (1.0, 9.81, -1.0)] {
            assert_eq!(wave_number(none.0, none.1, none.2), 0.0, "{none:?}");
        }
    }
}
