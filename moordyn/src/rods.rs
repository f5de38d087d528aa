//! Rods of MoorDyn's files: which bodies, points and cylinders `load_moordyn_for_hosts` has made
//! of them, by their names there, and what MoorDyn reports of them.

use crate::angles;
use crate::input::Input;
use crate::mooring::Mooring;
use crate::nodes::{Mat6, Vec3, add_about, cross, minus, times};
use crate::status::{Failure, Outcome};
use pintle::elements::CylinderLoads;
use pintle::{EntityKind, Frame, GROUND, Id, Simulation};

/// The support of a body, as `MoorDyn_GetBodyType` distinguishes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind {
    /// The host moves it.
    Coupled,
    /// None.
    Free,
    /// It does not move.
    Fixed,
    /// It turns about its reference point, which the host moves.
    CoupledPinned,
}

impl BodyKind {
    /// From the word of a file that pintle has accepted.
    pub fn from_word(word: &str) -> BodyKind {
        let word = word.to_uppercase();
        match &word[..] {
            "FREE" => BodyKind::Free,
            "FIXED" | "FIX" | "ANCHOR" => BodyKind::Fixed,
            _ if word.ends_with("PIN") || word.ends_with("PINNED") => BodyKind::CoupledPinned,
            _ => BodyKind::Coupled,
        }
    }

    /// MoorDyn's number.
    pub fn number(self) -> i32 {
        match self {
            BodyKind::Coupled => -1,
            BodyKind::Free => 0,
            BodyKind::Fixed => 1,
            BodyKind::CoupledPinned => 2,
        }
    }
}

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

/// The support of a body that turns about its reference point, such as end A of a rod.
#[derive(Debug, Clone, Copy)]
pub struct Pin {
    /// The body that turns.
    pub body: Id,
    /// The joint.
    pub joint: Id,
    /// The body that holds it, or [`GROUND`].
    pub holder: Id,
    /// The poses of the holder and of the body in the file.
    pub poses: [[f64; 7]; 2],
}

impl Pin {
    /// Pose and velocity of the body if it moved as a part of its holder, from those of the holder.
    pub fn carried(&self, after: [f64; 7], [vx, vy, vz, spin @ ..]: [f64; 6]) -> ([f64; 7], [f64; 6]) {
        let [before, pose] = self.poses;
        let pose = angles::carried(pose, [before, after]);
        let [x, y, z] = cross(spin, std::array::from_fn(|k| pose[k] - after[k]));
        (pose, [vx + x, vy + y, vz + z, spin[0], spin[1], spin[2]])
    }
}

/// The pin of a body, which has its name.
pub fn find_pin(simulation: &Simulation, name: &str, body: Id) -> Outcome<Option<Pin>> {
    let description = simulation.description();
    let Ok(joint) = description.find(EntityKind::Joint, name) else { return Ok(None) };
    let holder = description.joint_info(joint)?.bodies[0];
    let pose = |body| simulation.outputs().body_pose(body);
    let of_holder = if holder == GROUND { [0.0; 7] } else { pose(holder)? };
    Ok(Some(Pin { body, joint, holder, poses: [of_holder, pose(body)?] }))
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
        let pin = match body {
            Some(body) => find_pin(simulation, &name, body)?,
            None => None,
        };
        Ok(Rod { kind: *kind, body, mover, ends: [a, b], cylinder, segments, pin })
    };
    input.rods.iter().enumerate().map(rod).collect()
}

impl Mooring {
    /// Carries bodies and rods that turn about a place on what the host moves from where the file
    /// has that to where it starts: bodies first, as rods may turn about places on them.
    pub(crate) fn carry_pinned(&mut self) -> Outcome<()> {
        for pin in self.pins.iter().flatten().copied().chain(self.rods.iter().filter_map(|rod| rod.pin)) {
            let Pin { body, holder, poses: [before, _], .. } = pin;
            if holder == GROUND {
                continue;
            }
            let (after, velocity) = match self.simulation.description().body_prescribed(holder)? {
                true => {
                    let (pose, velocity, _) = self.simulation.given().body_motion(holder)?;
                    (pose, velocity)
                }
                false => {
                    let outputs = self.simulation.outputs();
                    (outputs.body_pose(holder)?, outputs.body_velocity(holder, Frame::Inertial)?)
                }
            };
            if after == before && velocity == [0.0; 6] {
                continue;
            }
            let (pose, velocity) = pin.carried(after, velocity);
            let mut build = self.simulation.build();
            build.set_body_pose(body, &pose)?;
            build.set_body_velocity(body, &velocity)?;
        }
        Ok(())
    }

    /// Position or velocity of a node of a rod, which is rigid. Errors: a node that it does not
    /// have.
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

    /// The net force and moment on a rod about its end A: of what the host moves, with its inertia;
    /// otherwise without it and without the force of a pin, a body or the ground that holds the
    /// rod.
    pub fn rod_force(&mut self, rod: usize) -> Outcome<[f64; 6]> {
        self.require_started()?;
        let Rod { kind, mover, pin, body, .. } = self.rods[rod];
        match (mover, body) {
            (Some(mover), _) if kind == RodKind::Coupled => self.host_force(mover, 6),
            (Some(mover), _) => self.host_force(mover, 3),
            (None, Some(body)) => self.net_force(body, pin),
            (None, None) => self.fixed_rod_force(rod),
        }
    }

    /// The force on a body that the host moves, with its inertia: the first components, others
    /// are 0.
    pub(crate) fn host_force(&self, body: Id, components: usize) -> Outcome<[f64; 6]> {
        let reaction = self.simulation.outputs().body_reaction(body, Frame::Inertial)?;
        Ok(std::array::from_fn(|k| if k < components { -reaction[k] } else { 0.0 }))
    }

    /// What the mass matrix of a free body and its acceleration need, less the force of its pin.
    pub(crate) fn net_force(&mut self, body: Id, pin: Option<Pin>) -> Outcome<[f64; 6]> {
        let acceleration = self.simulation.outputs().body_acceleration(body, Frame::Inertial)?;
        let mut force = times(&self.body_mass(body as usize)?, acceleration);
        if let Some(Pin { joint, .. }) = pin {
            let reaction = self.simulation.outputs().joint_reaction(joint, Frame::Inertial)?;
            force.iter_mut().zip(reaction).take(3).for_each(|(force, pin)| *force -= pin);
        }
        Ok(force)
    }

    /// Weight, forces of the water and the seabed, and of the ends of lines, on a rod that is part
    /// of a body or of the ground, without inertia and that of the added mass.
    fn fixed_rod_force(&mut self, rod: usize) -> Outcome<[f64; 6]> {
        let Rod { ends, cylinder, .. } = self.rods[rod];
        let a = self.simulation.points().position(ends[0])?;
        let mut wrench = [0.0; 6];
        let mut act = |force: Vec3, arm: Vec3, moment: Vec3| {
            let lever = cross(arm, force);
            (0..3).for_each(|k| {
                wrench[k] += force[k];
                wrench[3 + k] += moment[k] + lever[k];
            });
        };
        if let Some(cylinder) = cylinder {
            let body = self.simulation.given().cylinder_info(cylinder)?.body;
            let outputs = self.simulation.outputs();
            let CylinderLoads { buoyancy, drag, inertia, seabed, .. } = outputs.cylinder_loads(cylinder)?;
            let loads = buoyancy + drag + inertia + seabed;
            act([loads[0], loads[1], loads[2]], [0.0; 3], [loads[3], loads[4], loads[5]]);
            if body != GROUND {
                let [x, y, z] = self.simulation.points().acceleration(ends[0])?;
                let [_, _, _, turns @ ..] = outputs.body_acceleration(body, Frame::Inertial)?;
                let added = self.added_mass(cylinder)?;
                let [x, y, z, moment @ ..] = times(&added, [x, y, z, turns[0], turns[1], turns[2]]);
                act([x, y, z], [0.0; 3], moment);
            }
            let (mass, centre, _) = self.solid(rod)?;
            act([0.0, 0.0, -self.gravity() * mass], centre, [0.0; 3]);
        }
        for point in &ends[..1 + usize::from(ends[0] != ends[1])] {
            let arm = minus(self.simulation.points().position(*point)?, a);
            for at in 0..self.line_end_at(*point, 0)?.1 {
                if let Some((line, end)) = self.line_end_at(*point, at)?.0 {
                    let lines = self.simulation.lines();
                    let (line, end) = (line as Id, end as i32);
                    act(lines.end_force(line, end)?, arm, lines.end_moment(line, end)?);
                }
            }
        }
        Ok(wrench)
    }

    /// The mass of a rod, its centre from end A, and its inertia about that.
    fn solid(&self, rod: usize) -> Outcome<(f64, Vec3, Mat6)> {
        let Rod { ends: [a, b], cylinder, .. } = self.rods[rod];
        let position = |point| self.simulation.points().position(point);
        let axis = minus(position(b)?, position(a)?);
        let square: f64 = axis.iter().map(|component| component * component).sum();
        let diameter = match cylinder {
            Some(cylinder) => self.simulation.given().cylinder_info(cylinder)?.diameter,
            None => 0.0,
        };
        let (mass, radius) = (self.input.rod_mass(rod)? * square.sqrt(), 0.5 * diameter);
        let across = radius * radius / 4.0 + square / 12.0;
        let along = (0.5 * radius * radius - across) / square.max(f64::MIN_POSITIVE);
        let mut inertia = [[0.0; 6]; 6];
        for i in 0..3 {
            inertia[i][i] = mass;
            inertia[3 + i][3 + i] = mass * across;
            (0..3).for_each(|j| inertia[3 + i][3 + j] += mass * along * axis[i] * axis[j]);
        }
        Ok((mass, axis.map(|component| 0.5 * component), inertia))
    }

    /// Mass matrix of a rod about its end A, with added mass and the ends of lines.
    pub fn rod_mass(&mut self, rod: usize) -> Outcome<Mat6> {
        self.require_started()?;
        let Rod { body, ends, cylinder, .. } = self.rods[rod];
        if let Some(body) = body {
            return self.body_mass(body as usize);
        }
        let (_, centre, own) = self.solid(rod)?;
        let mut mass = [[0.0; 6]; 6];
        add_about(&mut mass, &own, centre);
        if let Some(cylinder) = cylinder {
            add_about(&mut mass, &self.added_mass(cylinder)?, [0.0; 3]);
        }
        let a = self.simulation.points().position(ends[0])?;
        for point in &ends[..1 + usize::from(ends[0] != ends[1])] {
            self.add_point(*point, a, &mut mass)?;
        }
        Ok(mass)
    }

    /// Adds the added mass of the cylinders on a body, about a place.
    pub(crate) fn add_cylinders(&self, body: Id, about: Vec3, mass: &mut Mat6) -> Outcome<()> {
        for rod in &self.rods {
            let Some(cylinder) = rod.cylinder else { continue };
            if self.simulation.given().cylinder_info(cylinder)?.body != body {
                continue;
            }
            let arm = minus(self.simulation.points().position(rod.ends[0])?, about);
            add_about(mass, &self.added_mass(cylinder)?, arm);
        }
        Ok(())
    }

    /// The added mass of a cylinder about its end A.
    fn added_mass(&self, cylinder: Id) -> Outcome<Mat6> {
        let added = self.simulation.outputs().cylinder_added_mass(cylinder)?;
        Ok(std::array::from_fn(|i| std::array::from_fn(|j| added[6 * j + i])))
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
