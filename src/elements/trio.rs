//! An element for tests: a rope through three places with memory and mass, which has everything
//! that an element may have.
//!
//! With l the length from place 0 over place 1 to place 2, s = l - l0, and an own variable z that
//! follows s within the time tau, the tension is `T = k (s - z) + c dl/dt`, and
//! `dz/dt = (s - z)/tau`. Its mass m is that of a bar between places 0 and 1 with velocities linear
//! between them: M = m/6 [2, 1; 1, 2]. It switches where s changes its sign.

use super::{Attachment, Description, Element, EntityKind, Facts, Local, OutputNames, Quantity, Site, Surroundings};
use crate::error::Result;
use crate::spatial::{Mat3, Vec3, add_block, join};

/// See the head of the file.
#[derive(Debug, Clone, Default)]
pub struct Trio {
    /// Its places.
    pub nodes: [Attachment; 3],
    /// k.
    pub stiffness: f64,
    /// c.
    pub damping: f64,
    /// l0.
    pub rest_length: f64,
    /// tau.
    pub memory: f64,
    /// m.
    pub mass: f64,
}

/// Signs of the places in the vectors of both parts.
const PARTS: [[f64; 3]; 2] = [[-1.0, 1.0, 0.0], [0.0, -1.0, 1.0]];

impl Trio {
    /// Length l of both parts together, its rate, its gradient by the places.
    fn length(&self, at: &[Site; 3]) -> (f64, f64, [Vec3; 3]) {
        let parts = [at[1].x - at[0].x, at[2].x - at[1].x];
        let gradient = [0, 1, 2].map(|i| (0..2).map(|part| parts[part].normalize() * PARTS[part][i]).sum::<Vec3>());
        let rate = gradient.iter().zip(at).map(|(gradient, site)| gradient.dot(&site.v)).sum();
        (parts.iter().map(|part| part.norm()).sum(), rate, gradient)
    }

    /// s.
    pub fn stretch(&self, at: &[Site; 3]) -> f64 {
        self.length(at).0 - self.rest_length
    }
}

impl Element<3> for Trio {
    const HAS_MASS: bool = true;
    const HAS_EVENTS: bool = true;

    fn states(&self) -> usize {
        1
    }

    fn begin(&self, at: &[Site; 3], _: &Surroundings, z: &mut [f64]) {
        z[0] = self.stretch(at);
    }

    fn evaluate(&self, at: &[Site; 3], _: &Surroundings, z: &[f64], out: &mut Local<3>) {
        let (length, rate, gradient) = self.length(at);
        let tension = self.stiffness * (length - self.rest_length - z[0]) + self.damping * rate;
        let parts = [at[1].x - at[0].x, at[2].x - at[1].x];
        let across = parts.map(|part| {
            let n = part.normalize();
            (Mat3::identity() - n * n.transpose()) / part.norm()
        });
        for i in 0..3 {
            out.residual[i] += join(&(gradient[i] * tension), &Vec3::zeros());
            let Some(tangents) = &mut out.tangents else { continue };
            for j in 0..3 {
                let second = |i: usize, j: usize| {
                    (0..2).map(|part| across[part] * (PARTS[part][i] * PARTS[part][j])).sum::<Mat3>()
                };
                let rate_by_place = (0..3).map(|l| second(j, l) * at[l].v).sum::<Vec3>();
                let by_place = gradient[j] * self.stiffness + rate_by_place * self.damping;
                let stiffness = gradient[i] * by_place.transpose() + second(i, j) * tension;
                add_block(&mut tangents.stiffness[i][j], 0, 0, &stiffness);
                let damping = gradient[i] * gradient[j].transpose() * self.damping;
                add_block(&mut tangents.damping[i][j], 0, 0, &damping);
            }
        }
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let mass = self.mass / 6.0 * if i == j { 2.0 } else { 1.0 };
            out.residual[i] += join(&(at[j].a * mass), &Vec3::zeros());
            if let Some(own) = &mut out.mass {
                add_block(&mut own[i][j], 0, 0, &(Mat3::identity() * mass));
            }
        }
        out.carry(at);
    }

    fn potential(&self, at: &[Site; 3], _: &Surroundings, z: &[f64]) -> f64 {
        0.5 * self.stiffness * (self.stretch(at) - z[0]).powi(2)
    }

    fn advance(&self, at: &[Site; 3], _: &Surroundings, z: &mut [f64], h: f64) {
        z[0] += (self.stretch(at) - z[0]) * (1.0 - (-h / self.memory).exp());
    }

    fn event(&self, from: (&[Site; 3], &[f64]), to: (&[Site; 3], &[f64])) -> Option<f64> {
        let [before, after] = [from, to].map(|(at, _)| self.stretch(at));
        (before * after < 0.0).then(|| before / (before - after))
    }

    fn output_values(&self, at: &[Site; 3], _: &Surroundings, z: &[f64], each: &mut dyn FnMut(f64)) {
        each(self.stretch(at));
        each(z[0]);
    }
}

impl Description for Trio {
    fn kind(&self) -> EntityKind {
        EntityKind::Trio
    }

    fn nodes(&self) -> &[Attachment] {
        &self.nodes
    }

    fn nodes_mut(&mut self) -> &mut [Attachment] {
        &mut self.nodes
    }

    fn facts(&mut self, facts: &mut dyn Facts) -> Result<()> {
        for (key, node) in ["point_a", "point_b", "point_c"].into_iter().zip(&mut self.nodes) {
            facts.point(key, &mut node.at)?;
        }
        facts.number("stiffness", &mut self.stiffness, None)?;
        facts.number("damping", &mut self.damping, None)?;
        facts.number("rest_length", &mut self.rest_length, None)?;
        facts.number("memory", &mut self.memory, None)?;
        facts.number("mass", &mut self.mass, None)
    }

    fn check(&self) -> Result<()> {
        Ok(())
    }

    fn stiffness(&self) -> f64 {
        self.stiffness
    }

    fn damping_per_stiffness(&self) -> Option<f64> {
        Some(0.0)
    }

    fn relax(&mut self, places: &[Vec3], _: &Vec3) {
        self.rest_length = places.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    }

    fn outputs(&self) -> &'static OutputNames {
        &OutputNames(&[("stretch", Quantity::Length), ("remembered", Quantity::Length)])
    }
}
