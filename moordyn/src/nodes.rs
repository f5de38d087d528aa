//! Quantities of nodes, points and bodies that MoorDyn reports and pintle has in other terms.

use crate::angles::matrix;
use crate::mooring::Mooring;
use crate::rods::BodyKind;
use crate::status::{Failure, Outcome};
use pintle::elements::line::Fluid;
use pintle::{EntityKind, Id};
use std::f64::consts::PI;

/// A vector of three components.
pub type Vec3 = [f64; 3];

/// A symmetric 3x3 matrix.
pub type Mat3 = [[f64; 3]; 3];

/// A symmetric 6x6 matrix.
pub type Mat6 = [[f64; 6]; 6];

/// a - b.
pub fn minus(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|k| a[k] - b[k])
}

fn dot(a: Vec3, b: Vec3) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The length of a vector.
pub fn norm(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// The direction of a vector; zero of the zero vector.
fn unit(a: Vec3) -> Vec3 {
    let length = norm(a);
    a.map(|component| if length > 0.0 { component / length } else { 0.0 })
}

/// a x b.
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|k| a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3])
}

/// Adds to a mass matrix about a place another one, which is about the place with this arm.
pub fn add_about(mass: &mut Mat6, other: &Mat6, [a, b, c]: Vec3) {
    // The velocity there is v - s x omega.
    let mut j: Mat6 = std::array::from_fn(|i| std::array::from_fn(|k| f64::from(u8::from(i == k))));
    for (row, lever) in j.iter_mut().zip([[0.0, c, -b], [-c, 0.0, a], [b, -a, 0.0]]) {
        row[3..].copy_from_slice(&lever);
    }
    for (i, row) in mass.iter_mut().enumerate() {
        for (k, entry) in row.iter_mut().enumerate() {
            *entry += (0..36).map(|n| j[n / 6][i] * other[n / 6][n % 6] * j[n % 6][k]).sum::<f64>();
        }
    }
}

/// The product of a matrix and a vector.
pub fn times(matrix: &Mat6, vector: [f64; 6]) -> [f64; 6] {
    matrix.map(|row| row.iter().zip(vector).map(|(m, x)| m * x).sum())
}

/// Adds a vector to another one.
fn add(sum: &mut Vec3, other: Vec3) {
    sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += other);
}

impl Mooring {
    /// Gravity, which input files of MoorDyn have along -z.
    pub fn gravity(&self) -> f64 {
        -self.simulation.description().gravity()[2]
    }

    fn density(&self) -> Outcome<f64> {
        Ok(self.simulation.given().environment_value("water_density")?)
    }

    /// The number of segments of a line.
    pub fn segments(&self, line: usize) -> Outcome<usize> {
        Ok(self.simulation.description().line_info(line as Id)?.segments)
    }

    /// Errors: a node that the line does not have.
    pub fn check_node(&self, line: usize, node: usize) -> Outcome<()> {
        match self.segments(line)? {
            last if node <= last => Ok(()),
            last => Err(Failure::value(format!("i = {node} is not a node of line {}: it has 0 to {last}", line + 1))),
        }
    }

    /// Positions of the nodes of a line.
    pub fn positions(&mut self, line: usize) -> Outcome<&[Vec3]> {
        self.require_started()?;
        let nodes = self.segments(line)? + 1;
        self.simulation.lines().positions(line as Id, &mut self.nodes[..nodes])?;
        Ok(&self.nodes[..nodes])
    }

    /// Velocities of the nodes of a line.
    pub fn velocities(&mut self, line: usize) -> Outcome<&[Vec3]> {
        self.require_started()?;
        let nodes = self.segments(line)? + 1;
        self.simulation.lines().velocities(line as Id, &mut self.nodes[..nodes])?;
        Ok(&self.nodes[..nodes])
    }

    /// Tensions of the segments of a line.
    pub fn tensions(&mut self, line: usize) -> Outcome<&[f64]> {
        self.require_started()?;
        let segments = self.segments(line)?;
        self.simulation.lines().tensions(line as Id, &mut self.tensions[..segments])?;
        Ok(&self.tensions[..segments])
    }

    /// Tensions of the segments of a line without damping, as MoorDyn's files have them.
    pub fn spring_tensions(&mut self, line: usize) -> Outcome<&[f64]> {
        self.require_started()?;
        let segments = self.segments(line)?;
        self.simulation.lines().spring_tensions(line as Id, &mut self.tensions[..segments])?;
        Ok(&self.tensions[..segments])
    }

    /// The tension at a node as a vector along the line: at an end that of its segment, within the
    /// line the mean of both segments.
    pub fn node_tension(&mut self, line: usize, node: usize) -> Outcome<Vec3> {
        self.check_node(line, node)?;
        self.tensions(line)?;
        let (segments, nodes) = (self.segments(line)?, self.positions(line)?.len());
        let (mut sum, mut count) = ([0.0; 3], 0.0);
        for k in node.saturating_sub(1)..(node + 1).min(segments) {
            let along = unit(minus(self.nodes[(k + 1).min(nodes - 1)], self.nodes[k]));
            add(&mut sum, along.map(|component| component * self.tensions[k]));
            count += 1.0;
        }
        Ok(sum.map(|component| component / count))
    }

    /// Length of line at a node, mass, volume, and the fluid's density there: that of air, 0, above
    /// the mean surface.
    fn share(&mut self, line: usize, node: usize) -> Outcome<(f64, f64, f64)> {
        self.check_node(line, node)?;
        let description = self.simulation.description();
        let info = description.line_info(line as Id)?;
        let (segments, line_type) = (info.segments, description.line_type_info(info.line_type as Id)?);
        let (w, d) = (line_type.mass_per_length, line_type.diameter);
        let (length, _) = self.simulation.lines().length(line as Id)?;
        let ends = if node == 0 || node == segments { 0.5 } else { 1.0 };
        let share = ends * length / segments as f64;
        let density = self.density()?;
        let wet = if self.positions(line)?[node][2] <= 0.0 { density } else { 0.0 };
        Ok((w * share, 0.25 * PI * d * d * share, wet))
    }

    /// Weight less buoyancy of a node.
    pub fn node_weight(&mut self, line: usize, node: usize) -> Outcome<Vec3> {
        let (mass, volume, density) = self.share(line, node)?;
        Ok([0.0, 0.0, -self.gravity() * (mass - density * volume)])
    }

    /// Mass with added mass of a node.
    pub fn node_mass(&mut self, line: usize, node: usize) -> Outcome<Mat3> {
        let (mass, volume, density) = self.share(line, node)?;
        let info = self.simulation.description().line_info(line as Id)?;
        let line_type = self.simulation.description().line_type_info(info.line_type as Id)?;
        let (across, along) = (line_type.can, line_type.cat);
        let nodes = self.positions(line)?;
        let q = unit(minus(nodes[(node + 1).min(nodes.len() - 1)], nodes[node.saturating_sub(1)]));
        let displaced = density * volume;
        Ok(std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let diagonal = if i == j { mass + displaced * across } else { 0.0 };
                diagonal + displaced * (along - across) * q[i] * q[j]
            })
        }))
    }

    /// The net force of a node without inertia: of an end on its point; within the line, mass times
    /// acceleration.
    pub fn node_force(&mut self, line: usize, node: usize) -> Outcome<Vec3> {
        let last = self.segments(line)?;
        if node == 0 || node == last {
            return Ok(self.simulation.lines().end_force(line as Id, i32::from(node == last))?);
        }
        let mass = self.node_mass(line, node)?;
        self.simulation.lines().accelerations(line as Id, &mut self.nodes[..=last])?;
        let acceleration = self.nodes[node];
        Ok(mass.map(|row| dot(row, acceleration)))
    }

    /// The force of one cause on a node (pintle_get_line_node_loads).
    pub fn node_load(&mut self, line: usize, node: usize, what: &str) -> Outcome<Vec3> {
        self.check_node(line, node)?;
        self.require_started()?;
        let nodes = self.segments(line)? + 1;
        self.simulation.lines().node_loads(line as Id, what, &mut self.nodes[..nodes])?;
        Ok(self.nodes[node])
    }

    /// The curvature at a node, 2 sin(theta/2)/l for the angle theta between both segments; ends
    /// are hinges and have none.
    pub fn node_curvature(&mut self, line: usize, node: usize) -> Outcome<f64> {
        self.check_node(line, node)?;
        let last = self.segments(line)?;
        if node == 0 || node == last {
            return Ok(0.0);
        }
        let (length, _) = self.simulation.lines().length(line as Id)?;
        let nodes = self.positions(line)?;
        let [before, after] = [node - 1, node].map(|k| unit(minus(nodes[k + 1], nodes[k])));
        Ok(norm(minus(after, before)) * last as f64 / length)
    }

    /// The line and node at a point of a broken end.
    fn broken_end(&self, point: usize) -> Outcome<Option<(usize, usize)>> {
        let Some(k) = point.checked_sub(self.points().len()) else { return Ok(None) };
        let (line, end) = *self.broken.get(k).ok_or_else(|| Failure::value("point: no line broke off to it"))?;
        Ok(Some((line, end * self.segments(line)?)))
    }

    /// Position and velocity of a point.
    pub fn point_motion(&mut self, point: usize) -> Outcome<[Vec3; 2]> {
        if let Some((line, node)) = self.broken_end(point)? {
            return Ok([self.positions(line)?[node], self.velocities(line)?[node]]);
        }
        let (points, id) = (self.simulation.points(), self.points()[point]);
        Ok([points.position(id)?, points.velocity(id)?])
    }

    /// MoorDyn's number of a point's kind: -1 coupled, 0 free, 1 fixed or on a body.
    pub fn point_kind(&self, point: usize) -> Outcome<i32> {
        if self.broken_end(point)?.is_some() {
            return Ok(0);
        }
        let info = self.simulation.description().point_info(self.points()[point])?;
        Ok(if info.prescribed { -1 } else { i32::from(info.fixed || info.body.is_some()) })
    }

    /// The k-th end (line, 0 or 1) of a line at a point, in the order of lines, and their number.
    pub fn attached(&self, point: usize, k: usize) -> Outcome<(Option<(usize, usize)>, usize)> {
        if let Some((line, node)) = self.broken_end(point)? {
            return Ok(((k == 0).then_some((line, usize::from(node > 0))), 1));
        }
        self.line_end_at(self.points()[point], k)
    }

    /// The same by pintle's id of the point.
    pub(crate) fn line_end_at(&self, point: Id, k: usize) -> Outcome<(Option<(usize, usize)>, usize)> {
        let (mut found, mut count) = (None, 0);
        for line in 0..self.lines() {
            let released = self.simulation.lines().released(line as Id)?;
            let points = self.simulation.description().line_info(line as Id)?.points;
            for end in 0..2 {
                if points[end] == point as usize && !released[end] {
                    found = found.or((count == k).then_some((line, end)));
                    count += 1;
                }
            }
        }
        Ok((found, count))
    }

    /// The net force on a point without its inertia: lines, weight, buoyancy, drag, external force.
    pub fn point_force(&mut self, point: usize) -> Outcome<Vec3> {
        self.require_started()?;
        if self.broken_end(point)?.is_some() {
            return Ok([0.0; 3]);
        }
        let id = self.points()[point];
        let info = self.simulation.description().point_info(id)?;
        if info.fixed || info.prescribed {
            return Ok(self.simulation.points().reaction(id)?.map(|component| -component));
        }
        let mut force = self.simulation.given().point_load(id)?;
        for k in 0..self.attached(point, 0)?.1 {
            if let Some((line, end)) = self.attached(point, k)?.0 {
                add(&mut force, self.simulation.lines().end_force(line as Id, end as i32)?);
            }
        }
        if info.body.is_some() {
            return Ok(force);
        }
        let [position, velocity] = self.point_motion(point)?;
        let (wet, (area, _)) =
            (self.submerged(info.volume, position[2]), self.simulation.description().point_drag(id)?);
        let density = self.density()? * wet;
        force[2] += self.gravity() * (density * info.volume - info.mass);
        let u = minus(self.water_velocity(position, point)?, velocity);
        let speed = norm(u);
        add(&mut force, u.map(|component| 0.5 * density * area * speed * component));
        Ok(force)
    }

    /// The submerged part of a sphere of a volume at a height; of a point without volume 0 or 1.
    fn submerged(&self, volume: f64, z: f64) -> f64 {
        let diameter = (6.0 * volume / PI).cbrt();
        let x = if diameter > 0.0 { 0.5 - z / diameter } else { 0.5 - 1e300 * z };
        let x = x.clamp(0.0, 1.0);
        x * x * (3.0 - 2.0 * x)
    }

    /// The velocity of the water at a point: current, waves, and the host's.
    fn water_velocity(&self, position: Vec3, point: usize) -> Outcome<Vec3> {
        let mut velocity = self.water_motion(position)?.velocity;
        if self.simulation.given().fluid_callback().0 {
            add(&mut velocity, self.water.velocity(self.water.places() - self.points().len() + point));
        }
        Ok(velocity)
    }

    /// The motion of the water at a place, without what the host gives.
    pub fn water_motion(&self, position: Vec3) -> Outcome<Fluid> {
        Ok(self.simulation.outputs().water_motion(&[position])?.remove(0))
    }

    /// Mass with added mass of a point, with those of the ends of its lines.
    pub fn point_mass(&mut self, point: usize) -> Outcome<Mat3> {
        self.require_started()?;
        if let Some((line, node)) = self.broken_end(point)? {
            return self.node_mass(line, node);
        }
        self.mass_at(self.points()[point])
    }

    /// The same by pintle's id of the point.
    fn mass_at(&mut self, point: Id) -> Outcome<Mat3> {
        let info = self.simulation.description().point_info(point)?;
        let (_, ca) = self.simulation.description().point_drag(point)?;
        let wet = self.submerged(info.volume, self.simulation.points().position(point)?[2]);
        let own = info.mass + self.density()? * wet * info.volume * ca;
        let mut mass = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { own } else { 0.0 }));
        for k in 0..self.line_end_at(point, 0)?.1 {
            if let Some((line, end)) = self.line_end_at(point, k)?.0 {
                let of_end = self.node_mass(line, end * self.segments(line)?)?;
                mass.iter_mut().zip(of_end).for_each(|(row, other)| add(row, other));
            }
        }
        Ok(mass)
    }

    /// The net force and moment on a body about its reference point: of what the host moves or the
    /// file holds, with its inertia; of a free body without it.
    pub fn body_force(&mut self, body: usize) -> Outcome<[f64; 6]> {
        self.require_started()?;
        match (self.input.bodies[body], self.pins[body]) {
            (BodyKind::Free, _) => self.net_force(body as Id, None),
            (BodyKind::CoupledPinned, Some(pin)) => self.host_force(pin.holder, 3),
            _ => self.host_force(body as Id, 6),
        }
    }

    /// Mass with added mass of a body about its reference point, inertial axes, with those of its
    /// cylinders and of the ends of its lines.
    pub fn body_mass(&mut self, body: usize) -> Outcome<Mat6> {
        self.require_started()?;
        let id = body as Id;
        let [x, y, z, q @ ..] = self.simulation.outputs().body_pose(id)?;
        let r = matrix(q);
        let description = self.simulation.description();
        let (own, (added, _)) = (description.body_mass(id)?, description.added_mass(id)?);
        let local = |i: usize, j: usize| own[6 * j + i] + added[6 * j + i];
        let mut mass: Mat6 = std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let (first, second) = (3 * (i / 3), 3 * (j / 3));
                let term = |k: usize, l: usize| r[i % 3][k] * local(first + k, second + l) * r[j % 3][l];
                (0..9).map(|n| term(n / 3, n % 3)).sum()
            })
        });
        self.add_cylinders(id, [x, y, z], &mut mass)?;
        for point in 0..self.simulation.description().count(EntityKind::Point) {
            if self.simulation.description().point_info(point)?.body != Some(id) {
                continue;
            }
            self.add_point(point, [x, y, z], &mut mass)?;
        }
        Ok(mass)
    }

    /// Adds the mass of a point with the ends of lines there, about a place.
    pub(crate) fn add_point(&mut self, point: Id, about: Vec3, mass: &mut Mat6) -> Outcome<()> {
        let mut of_point = [[0.0; 6]; 6];
        of_point.iter_mut().zip(self.mass_at(point)?).for_each(|(row, m)| row[..3].copy_from_slice(&m));
        add_about(mass, &of_point, minus(self.simulation.points().position(point)?, about));
        Ok(())
    }

    /// Net forces of both ends of a line as OpenFAST's version 7 has them: horizontal size, and
    /// vertical less the weight in air of the end's node; of end B, then of end A.
    pub fn fast_tensions(&mut self, line: usize) -> Outcome<[f32; 4]> {
        let (last, g) = (self.segments(line)?, self.gravity());
        let mut found = [0.0; 4];
        for (end, out) in [1, 0].into_iter().zip(found.as_chunks_mut::<2>().0) {
            let [x, y, z] = self.simulation.lines().end_force(line as Id, end)?;
            let (mass, ..) = self.share(line, end as usize * last)?;
            *out = [x.hypot(y) as f32, (z - mass * g) as f32];
        }
        Ok(found)
    }

    /// The number of places at which the host gives the motion of the water: nodes of lines and
    /// rods, points, the ground and bodies.
    pub fn water_places(&self) -> usize {
        self.water.places()
    }

    /// These places.
    pub fn write_water_places(&mut self, places: &mut [Vec3]) -> Outcome<()> {
        let mut at = 0;
        for line in 0..self.lines() {
            let nodes = self.positions(line)?;
            places[at..at + nodes.len()].copy_from_slice(nodes);
            at += nodes.len();
        }
        for (rod, segments) in self.rods.iter().map(|rod| rod.segments).enumerate() {
            for node in 0..=segments {
                places[at] = self.rod_position(rod, node)?;
                at += 1;
            }
        }
        for point in self.points() {
            places[at] = self.simulation.points().position(*point)?;
            at += 1;
        }
        places[at] = [0.0; 3];
        for body in 0..self.bodies() {
            let [x, y, z, ..] = self.simulation.outputs().body_pose(body as Id)?;
            places[at + 1 + body] = [x, y, z];
        }
        Ok(())
    }
}
