//! Rods of MoorDyn's files: which bodies, points and cylinders `Simulation::load_moordyn` has made
//! of them, by their names there, and what MoorDyn reports of them.

use crate::angles;
use crate::input::Input;
use crate::mooring::Mooring;
use crate::nodes::{Mat6, Vec3, add_about, cross, minus};
use crate::status::{Failure, Outcome};
use pintle::{EntityKind, Frame, GROUND, Id, Simulation};

/// The support of a rod, as `MoorDyn_GetRodType` distinguishes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RodKind {
    /// The host moves it.
    Coupled,
    /// It turns about its end A, which the host moves.
    CoupledPinned,
    /// None.
    Free,
    /// It turns about its end A.
    Pinned,
    /// It is part of a body or of the ground.
    Fixed,
}

impl RodKind {
    /// From the word of a file that pintle has accepted.
    pub fn from_word(word: &str) -> RodKind {
        let word = word.to_uppercase();
        let is_pinned = word.ends_with("PIN") || word.ends_with("PINNED");
        let is_coupled = ["COUPLED", "VES", "CPLD"].iter().any(|start| word.starts_with(start));
        let is_free = ["FREE", "POINT", "CON"].iter().any(|start| word.starts_with(start));
        match (is_coupled, is_pinned) {
            (true, true) => RodKind::CoupledPinned,
            (true, false) => RodKind::Coupled,
            (false, true) => RodKind::Pinned,
            (false, false) if is_free => RodKind::Free,
            (false, false) => RodKind::Fixed,
        }
    }

    /// MoorDyn's number.
    pub fn number(self) -> i32 {
        match self {
            RodKind::Coupled => -2,
            RodKind::CoupledPinned => -1,
            RodKind::Free => 0,
            RodKind::Pinned => 1,
            RodKind::Fixed => 2,
        }
    }
}

/// A rod.
#[derive(Debug, Clone, Copy)]
pub struct Rod {
    /// Its support.
    pub kind: RodKind,
    /// Its own body, which has its reference point at end A.
    pub body: Option<Id>,
    /// The body that the host moves: its own, or the one at end A that it turns about.
    pub mover: Option<Id>,
    /// The points at ends A and B; without segments the same.
    pub ends: [Id; 2],
    /// Its cylinder; none without segments.
    pub cylinder: Option<Id>,
    /// The number of segments.
    pub segments: usize,
    /// What it turns about.
    pub pin: Option<Pin>,
}

/// The support of a rod that turns about its end A.
#[derive(Debug, Clone, Copy)]
pub struct Pin {
    /// The joint.
    pub joint: Id,
    /// A body that the host moves or the file holds, with its pose in the file; None on a free body
    /// or the ground.
    pub holder: Option<(Id, [f64; 7])>,
    /// The pose of the rod in the file.
    pub pose: [f64; 7],
}

/// All rods of a file.
pub fn find(simulation: &Simulation, input: &Input) -> Outcome<Vec<Rod>> {
    let description = simulation.description();
    let rod = |(index, kind): (usize, &RodKind)| {
        let name = format!("rod {}", index + 1);
        let of = |kind, name: &str| description.find(kind, name).ok();
        let body = of(EntityKind::Body, &name);
        let mover = match kind {
            RodKind::Coupled => body,
            RodKind::CoupledPinned => of(EntityKind::Body, &format!("{name} support")),
            _ => None,
        };
        let a = description.find(EntityKind::Point, &format!("{name} end A"))?;
        let b = of(EntityKind::Point, &format!("{name} end B")).unwrap_or(a);
        let cylinder = of(EntityKind::Cylinder, &name);
        let segments = match cylinder {
            Some(cylinder) => simulation.given().cylinder_info(cylinder)?.segments as usize,
            None => 0,
        };
        let pin = match (of(EntityKind::Joint, &name), body) {
            (Some(joint), Some(body)) => {
                let holder = description.joint_info(joint)?.bodies[0];
                let is_moved = holder != GROUND && description.body_prescribed(holder)?;
                let pose = |body| simulation.outputs().body_pose(body);
                let holder = if is_moved { Some((holder, pose(holder)?)) } else { None };
                Some(Pin { joint, holder, pose: pose(body)? })
            }
            _ => None,
        };
        Ok(Rod { kind: *kind, body, mover, ends: [a, b], cylinder, segments, pin })
    };
    input.rods.iter().enumerate().map(rod).collect()
}

impl Mooring {
    /// Carries rods that turn about an end A on what the host moves from where the file has that to
    /// where it starts.
    pub(crate) fn carry_pinned_rods(&mut self) -> Outcome<()> {
        for rod in &self.rods {
            let (Some(body), Some(Pin { holder: Some((holder, before)), pose, .. })) = (rod.body, rod.pin) else {
                continue;
            };
            let (after, [vx, vy, vz, spin @ ..], _) = self.simulation.given().body_motion(holder)?;
            let pose = angles::carried(pose, [before, after]);
            let [x, y, z] = cross(spin, std::array::from_fn(|k| pose[k] - after[k]));
            let mut build = self.simulation.build();
            build.set_body_pose(body, &pose)?;
            build.set_body_velocity(body, &[vx + x, vy + y, vz + z, spin[0], spin[1], spin[2]])?;
        }
        Ok(())
    }

    /// Position or velocity of a node of a rod, which is rigid. Errors: a node that it does not have.
    fn between_ends(&self, rod: usize, node: usize, of: impl Fn(Id) -> pintle::Result<Vec3>) -> Outcome<Vec3> {
        let Rod { ends, segments, .. } = self.rods[rod];
        if node > segments {
            let text = format!("i = {node} is not a node of rod {}: it has 0 to {segments}", rod + 1);
            return Err(Failure::value(text));
        }
        let [a, b] = [of(ends[0])?, of(ends[1])?];
        let part = node as f64 / segments.max(1) as f64;
        Ok(std::array::from_fn(|k| a[k] + part * (b[k] - a[k])))
    }

    /// The position of a node of a rod.
    pub fn rod_position(&self, rod: usize, node: usize) -> Outcome<Vec3> {
        self.between_ends(rod, node, |point| self.simulation.points().position(point))
    }

    /// The velocity of a node of a rod.
    pub fn rod_velocity(&self, rod: usize, node: usize) -> Outcome<Vec3> {
        self.between_ends(rod, node, |point| self.simulation.points().velocity(point))
    }

    /// The body of a rod. Errors: it is part of another body or of the ground.
    fn rod_body(&self, rod: usize) -> Outcome<Id> {
        self.require_started()?;
        self.rods[rod].body.ok_or_else(|| Failure::missing("forces and masses of rods that are fixed"))
    }

    /// The net force and moment on a rod about its end A: of what the host moves, with its inertia;
    /// otherwise without it and without the force of a pin.
    pub fn rod_force(&mut self, rod: usize) -> Outcome<[f64; 6]> {
        let (Rod { kind, mover, pin, .. }, body) = (self.rods[rod], self.rod_body(rod)?);
        let outputs = self.simulation.outputs();
        if let Some(mover) = mover {
            let [x, y, z, moments @ ..] = outputs.body_reaction(mover, Frame::Inertial)?.map(|component| -component);
            let [a, b, c] = if kind == RodKind::Coupled { moments } else { [0.0; 3] };
            return Ok([x, y, z, a, b, c]);
        }
        let acceleration = outputs.body_acceleration(body, Frame::Inertial)?;
        let mass = self.body_mass(body as usize)?;
        let mut force = mass.map(|row| row.iter().zip(acceleration).map(|(m, a)| m * a).sum());
        if let Some(Pin { joint, .. }) = pin {
            let reaction = self.simulation.outputs().joint_reaction(joint, Frame::Inertial)?;
            force.iter_mut().zip(reaction).take(3).for_each(|(force, pin)| *force -= pin);
        }
        Ok(force)
    }

    /// Mass matrix of a rod about its end A, with added mass and the ends of lines.
    pub fn rod_mass(&mut self, rod: usize) -> Outcome<Mat6> {
        let body = self.rod_body(rod)?;
        self.body_mass(body as usize)
    }

    /// Adds the added mass of the cylinders on a body, about a place.
    pub(crate) fn add_cylinders(&self, body: Id, about: Vec3, mass: &mut Mat6) -> Outcome<()> {
        for rod in &self.rods {
            let Some(cylinder) = rod.cylinder else { continue };
            if self.simulation.given().cylinder_info(cylinder)?.body != body {
                continue;
            }
            let added = self.simulation.outputs().cylinder_added_mass(cylinder)?;
            let arm = minus(self.simulation.points().position(rod.ends[0])?, about);
            add_about(mass, &std::array::from_fn(|i| std::array::from_fn(|j| added[6 * j + i])), arm);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_those_of_moordyns_words() {
        for (word, number) in [
            ("Coupled", -2),
            ("vessel", -2),
            ("Ves", -2),
            ("CpldPin", -1),
            ("VesselPinned", -1),
            ("Free", 0),
            ("Point", 0),
            ("Connect", 0),
            ("Pinned", 1),
            ("PIN", 1),
            ("Body2Pinned", 1),
            ("Fixed", 2),
            ("Anchor", 2),
            ("Body1", 2),
        ] {
            assert_eq!(RodKind::from_word(word).number(), number, "{word}");
        }
    }
}
