//! States in files of MoorDyn itself: what its `MoorDyn_SaveState` writes, and option `fileIC`
//! names.
//!
//! Bytes: "MoorDyn", two of the version, the number of the 8-byte words that follow; then, in
//! words, the number of objects, and for each of them its rows, its columns, and these numbers row
//! by row. Objects are all bodies, rods, points and lines in the order of the file. A body or rod
//! has position, quaternion x y z w, velocity and angular velocity, and those of rods turn the
//! direction of the file; a point, and each inner node of a line, has position and velocity.
//! Numbers of what has no motion of its own mean nothing.

use crate::angles;
use crate::mooring::Mooring;
use crate::nodes::Vec3;
use crate::rods::{BodyKind, Rod, RodKind};
use crate::status::{Failure, Outcome, Status};
use pintle::reserve::room;
use pintle::{EntityKind, Frame, GROUND, Id, Memory, Work};

/// The begin of such a file.
const NAME: &[u8] = b"MoorDyn";

/// Where the number of words stands, after the version.
const LENGTH: usize = NAME.len() + 2;

/// Numbers of an object in rows.
struct Object {
    rows: Vec<Vec<f64>>,
}

/// Whether a file begins as one of MoorDyn.
pub fn is_of_moordyn(bytes: &[u8]) -> bool {
    bytes.starts_with(NAME)
}

fn refused(detail: impl Into<String>) -> Failure {
    Failure::new(Status::InvalidInputFile, detail)
}

/// The objects of a file. Errors: it ends early, or is longer than it says.
fn objects(bytes: &[u8]) -> Outcome<Vec<Object>> {
    let damaged = || refused("the state of MoorDyn is damaged");
    let words: Vec<u64> =
        bytes.get(LENGTH..).ok_or_else(damaged)?.as_chunks().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
    let [length, count, words @ ..] = &words[..] else { return Err(damaged()) };
    if *length != words.len() as u64 + 1 || bytes.len() != LENGTH + 8 * (words.len() + 2) {
        return Err(damaged());
    }
    let (mut objects, mut rest) = (Vec::new(), words);
    for _ in 0..*count {
        let [rows, columns, numbers @ ..] = rest else { return Err(damaged()) };
        let size = rows.checked_mul(*columns).filter(|size| *size <= numbers.len() as u64).ok_or_else(damaged)?;
        let (own, others) = numbers.split_at(size as usize);
        let row = |row: &[u64]| row.iter().map(|word| f64::from_bits(*word)).collect();
        objects.push(Object { rows: own.chunks(((*columns).max(1)) as usize).map(row).collect() });
        rest = others;
    }
    if rest.is_empty() { Ok(objects) } else { Err(damaged()) }
}

impl Object {
    /// The numbers of a body or rod: position, quaternion w x y z, velocities.
    fn body(&self, name: &str) -> Outcome<(Vec3, [f64; 4], [f64; 6])> {
        match self.rows.first().map(Vec::as_slice) {
            Some(&[a, b, c, x, y, z, w, v0, v1, v2, w0, w1, w2]) => {
                let size = [w, x, y, z].map(|q| q * q).iter().sum::<f64>().sqrt();
                Ok(([a, b, c], [w, x, y, z].map(|q| q / size), [v0, v1, v2, w0, w1, w2]))
            }
            _ => Err(refused(format!("the state of MoorDyn has no pose of {name}"))),
        }
    }

    /// Positions and velocities of a number of nodes.
    fn nodes(&self, count: usize, name: &str) -> Outcome<Vec<[Vec3; 2]>> {
        let node = |row: &Vec<f64>| match row[..] {
            [a, b, c, u, v, w, ..] => Some([[a, b, c], [u, v, w]]),
            _ => None,
        };
        // Those of viscoelastic lines have a row more, without a node.
        let nodes: Option<Vec<_>> = self.rows.iter().take(count).map(node).collect();
        let nodes = nodes.filter(|nodes| nodes.len() == count && self.rows.len() <= count + 1);
        nodes.ok_or_else(|| refused(format!("the state of MoorDyn has not {count} nodes of {name}")))
    }
}

impl Mooring {
    /// Puts free and pinned bodies and rods, free points and, if `with_lines`, nodes of lines where
    /// a state of MoorDyn has them; time stays. Errors: a damaged state; one of other objects;
    /// places that contradict each other, some of which have been taken then.
    pub fn take_state_of_moordyn(&mut self, bytes: &[u8], with_lines: bool) -> Outcome<()> {
        self.require_started()?;
        let objects = objects(bytes)?;
        let count = self.bodies() + self.rods.len() + self.points().len() + self.lines();
        if objects.len() != count {
            let detail = format!("the state of MoorDyn has {} objects, the system {count}", objects.len());
            return Err(refused(detail));
        }
        let _model = room(Memory::of(&self.simulation).working(Work::Model))?;
        self.place_objects(&objects, with_lines)
    }

    fn place_objects(&mut self, objects: &[Object], with_lines: bool) -> Outcome<()> {
        let (bodies, rest) = objects.split_at(self.bodies());
        let (rods, rest) = rest.split_at(self.rods.len());
        let (points, lines) = rest.split_at(self.points().len());
        self.place_bodies(bodies, rods)?;
        for (k, (rod, object)) in self.rods.clone().into_iter().zip(rods).enumerate() {
            // One without length is a point.
            if rod.kind == RodKind::Free && rod.body.is_none() {
                let (x, _, [u, v, w, ..]) = object.body(&format!("rod {}", k + 1))?;
                self.simulation.inputs().set_point_coordinates(rod.ends[0], &x, &[u, v, w])?;
            }
        }
        for (k, (point, object)) in self.points().to_vec().into_iter().zip(points).enumerate() {
            if self.is_free(point)? {
                let nodes = object.nodes(1, &format!("point {}", k + 1))?;
                self.simulation.inputs().set_point_coordinates(point, &nodes[0][0], &nodes[0][1])?;
            }
        }
        for (line, object) in lines.iter().enumerate() {
            let segments = self.segments(line)?;
            let inner = object.nodes(segments - 1, &format!("line {}", line + 1))?;
            if !with_lines {
                continue;
            }
            // Ends move with what holds them.
            let held = [[[0.0; 3]; 2]];
            let nodes = held.iter().chain(&inner).chain(&held);
            let (x, v): (Vec<Vec3>, Vec<Vec3>) = nodes.map(|[x, v]| (*x, *v)).unzip();
            self.simulation.inputs().set_line_coordinates(line as Id, &x, &v)?;
        }
        Ok(())
    }

    /// Places free and pinned bodies and rods.
    fn place_bodies(&mut self, bodies: &[Object], rods: &[Object]) -> Outcome<()> {
        let count = self.simulation.description().count(EntityKind::Body);
        let mut poses = Vec::new();
        let mut velocities = Vec::new();
        for body in 0..count {
            poses.push(self.simulation.outputs().body_pose(body)?);
            velocities.push(self.simulation.outputs().body_velocity(body, Frame::Inertial)?);
        }
        // What holds a pinned rod comes before it.
        let names = (0..bodies.len())
            .map(|k| format!("body {}", k + 1))
            .chain((0..rods.len()).map(|k| format!("rod {}", k + 1)));
        let mut moves = false;
        for (k, (object, name)) in bodies.iter().chain(rods).zip(names).enumerate() {
            let (body, pin, is_rod) = match k.checked_sub(bodies.len()) {
                Some(rod) => match self.rods[rod] {
                    Rod { kind: RodKind::Free, body: Some(body), .. } => (body, None, true),
                    Rod { kind: RodKind::Pinned | RodKind::CoupledPinned, body: Some(body), pin, .. } => {
                        (body, pin, true)
                    }
                    _ => continue,
                },
                None => match (self.input.bodies[k], self.pins[k]) {
                    (BodyKind::Free, _) => (k as Id, None, false),
                    (BodyKind::CoupledPinned, pin) => (k as Id, pin, false),
                    _ => continue,
                },
            };
            let (mut x, mut turn, mut v) = object.body(&name)?;
            if is_rod {
                let [.., w, i, j, l] = match pin {
                    Some(pin) => pin.poses[1],
                    None => self.simulation.description().body_initial_motion(body)?.pose,
                };
                turn = angles::product(turn, [w, i, j, l]);
            }
            if let Some(pin) = pin {
                let (pose, velocity) = match pin.holder {
                    GROUND => (pin.poses[1], [0.0; 6]),
                    holder => pin.carried(poses[holder as usize], velocities[holder as usize]),
                };
                x.copy_from_slice(&pose[..3]);
                v[..3].copy_from_slice(&velocity[..3]);
            }
            let ([a, b, c], [w, i, j, l]) = (x, turn);
            (poses[body as usize], velocities[body as usize]) = ([a, b, c, w, i, j, l], v);
            moves = true;
        }
        if moves {
            self.simulation.inputs().set_coordinates(&poses, &velocities)?;
        }
        Ok(())
    }
}
