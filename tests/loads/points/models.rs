//! Models that several files share.

use crate::common::*;
use pintle::simulation::SCHEME_NAMES;
use pintle::{EntityKind, Frame, GROUND, Id, JointKind, Simulation};

pub const G: f64 = 9.81;

/// All schemes, the numbered ones with 4 substeps.
pub fn schemes() -> impl Iterator<Item = String> {
    SCHEME_NAMES.into_iter().map(|name| name.replace('N', "4"))
}

/// A system with tight tolerances under gravity.
pub fn system(scheme: &str) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    sim.settings().set_scheme(scheme).unwrap();
    for key in ["abs_tolerance", "rel_tolerance"] {
        sim.settings().set_option(key, 1e-13).unwrap();
    }
    sim
}

pub fn point(sim: &mut Simulation, mass: f64, at: V3) -> Id {
    sim.build().add_point(mass, 0.0, &at).unwrap()
}

pub fn fixed(sim: &mut Simulation, at: V3) -> Id {
    let id = point(sim, 0.0, at);
    sim.build().fix_point(id).unwrap();
    id
}

pub fn attached(sim: &mut Simulation, body: Id, at: V3) -> Id {
    let id = point(sim, 0.0, [0.0; 3]);
    sim.build().attach_point(id, body, &at).unwrap();
    id
}

pub fn moved(sim: &mut Simulation, mass: f64, at: V3) -> Id {
    let id = point(sim, mass, at);
    sim.build().set_point_prescribed(id, true).unwrap();
    id
}

pub fn spring(sim: &mut Simulation, a: Id, b: Id, k: f64, c: f64, rest: f64) -> Id {
    sim.elements().add_point_spring(a, b, k, c, rest, false).unwrap()
}

/// Position, velocity, acceleration.
pub fn state(sim: &Simulation, point: Id) -> [V3; 3] {
    let (x, v) = (sim.points().position(point).unwrap(), sim.points().velocity(point).unwrap());
    [x, v, sim.points().acceleration(point).unwrap()]
}

/// A mass between two springs along x, that oscillates as y0 cos(w t), w^2 = 2 k/m, while neither
/// spring turns over.
pub fn oscillator(scheme: &str, w: f64, y0: f64) -> (Simulation, Id) {
    let mut sim = system(scheme);
    sim.settings().set_gravity(&[0.0; 3]).unwrap();
    let m = 1.5;
    let bead = point(&mut sim, m, [y0, 0.0, 0.0]);
    for x in [-2.0, 2.0] {
        let end = fixed(&mut sim, [x, 0.0, 0.0]);
        spring(&mut sim, bead, end, 0.5 * m * w * w, 0.0, 2.0);
    }
    (sim, bead)
}

/// How a mixed model is placed and measured: unit of length, a rotation, and where its origin is.
#[derive(Clone, Copy)]
pub struct Placed {
    pub unit: f64,
    pub turn: Quat,
    pub shift: V3,
}

impl Placed {
    pub const HERE: Placed = Placed { unit: 1.0, turn: UNROTATED, shift: [0.0; 3] };

    pub fn at(&self, x: V3) -> V3 {
        add(self.shift, self.vector(x))
    }

    pub fn vector(&self, x: V3) -> V3 {
        scale(self.unit, rotate(self.turn, x))
    }

    /// The place in a model at the origin, in metres.
    pub fn back(&self, x: V3) -> V3 {
        scale(1.0 / self.unit, unrotate(self.turn, sub(x, self.shift)))
    }
}

/// The entities of `mixed`.
pub struct Mixed {
    pub sim: Simulation,
    pub hull: Id,
    pub chain: [Id; 3],
    pub on_hull: Id,
    pub driven: Id,
    pub anchor: Id,
}

/// A pendulum of two bodies, and from the place of a point on the second a row of three free points
/// between springs, the last one to an anchor, the middle one to a point that the host moves;
/// masses in kg, times in s whatever the unit of length.
pub fn mixed(scheme: &str, place: Placed) -> Mixed {
    let mut sim = system(scheme);
    let u = place.unit;
    sim.settings().set_gravity(&place.vector([0.0, 0.0, -G])).unwrap();
    let inertia = [0.2, 0.3, 0.4, 0.01, 0.02, 0.03].map(|j| j * u * u);
    let mut body = |x: V3| {
        let at = pose(place.at(x), place.turn);
        sim.build().add_rigid_body(2.0, &scale(u, [0.1, 0.0, -0.05]), &inertia, &at).unwrap()
    };
    let (arm, hull) = (body([0.5, 0.0, 0.0]), body([1.5, 0.0, 0.0]));
    let y = rotate(place.turn, [0.0, 1.0, 0.0]);
    sim.build().add_joint_at(JointKind::Revolute, GROUND, arm, &place.at([0.0; 3]), Some(&y)).unwrap();
    sim.build().add_joint_at(JointKind::Spherical, arm, hull, &place.at([1.0, 0.0, 0.0]), None).unwrap();
    let on_hull = attached(&mut sim, hull, scale(u, [0.5, 0.1, 0.2]));
    let chain = [2.5, 3.0, 3.5].map(|x| point(&mut sim, 0.5, place.at([x, 0.1, 0.2])));
    let anchor = fixed(&mut sim, place.at([4.0, 0.1, 0.2]));
    let driven = moved(&mut sim, 0.25, place.at([3.0, 0.1, 1.0]));
    sim.build().set_point_velocity(chain[1], &place.vector([0.0, 0.5, 0.2])).unwrap();
    let row = [on_hull, chain[0], chain[1], chain[2], anchor];
    for pair in row.windows(2) {
        spring(&mut sim, pair[0], pair[1], 80.0, 0.5, 0.4 * u);
    }
    spring(&mut sim, chain[1], driven, 60.0, 0.2, 0.7 * u);
    sim.build().set_name(EntityKind::Point, on_hull, "fairlead").unwrap();
    sim.build().set_name(EntityKind::Point, anchor, "anchor").unwrap();
    Mixed { sim, hull, chain, on_hull, driven, anchor }
}

impl Mixed {
    /// Sets the inputs for the end of a step at `t`.
    pub fn give(&mut self, place: Placed, t: f64) {
        let w = 3.0;
        let (s, c) = (w * t).sin_cos();
        let x = place.at([3.0, 0.1 + 0.1 * s, 1.0 + 0.05 * (1.0 - c)]);
        let v = place.vector([0.0, 0.1 * w * c, 0.05 * w * s]);
        let a = place.vector([0.0, -0.1 * w * w * s, 0.05 * w * w * c]);
        self.sim.inputs().set_point_motion(self.driven, &x, &v, &a).unwrap();
        self.sim.inputs().set_point_load(self.chain[2], &place.vector([0.3, 0.2 * t, -0.4])).unwrap();
        self.sim.inputs().set_point_load(self.on_hull, &place.vector([0.1, -0.2, 0.5 * t])).unwrap();
    }

    /// Describes the start of the motion of the driven point, and begins.
    pub fn begin(mut self, place: Placed) -> Mixed {
        self.give(place, 0.0);
        self.sim.initialize(0.0).unwrap();
        self
    }

    pub fn run(&mut self, place: Placed, steps: impl IntoIterator<Item = f64>) {
        for h in steps {
            let t = self.sim.time().unwrap() + h;
            self.give(place, t);
            self.sim.step(h).unwrap();
        }
    }

    /// Positions of points and of the hull, back in the model that is not moved.
    pub fn places(&self, by: Placed) -> Vec<f64> {
        let hull = place(&self.sim.outputs().body_pose(self.hull).unwrap());
        let points = self.chain.iter().chain([&self.on_hull]).map(|id| self.sim.points().position(*id).unwrap());
        points.chain([hull]).flat_map(|x| by.back(x)).collect()
    }

    /// Everything that can be read of points and hull, to the bit.
    pub fn bits(&self) -> Vec<u64> {
        let sim = &self.sim;
        let mut all: Vec<f64> =
            (0..sim.description().count(EntityKind::Point)).flat_map(|id| state(sim, id).concat()).collect();
        for id in [self.anchor, self.driven] {
            all.extend(sim.points().reaction(id).unwrap());
        }
        all.extend(sim.outputs().body_pose(self.hull).unwrap());
        all.extend(sim.outputs().body_velocity(self.hull, Frame::Inertial).unwrap());
        all.into_iter().map(f64::to_bits).collect()
    }
}
