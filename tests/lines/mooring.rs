//! A body on two lines with a clump weight and every feature of lines, at various places and in
//! various units.

use crate::common::*;
use crate::models::*;
use crate::reference::{Material, Sea};
use pintle::{Frame, Id, Simulation};

const HAWSER: Material =
    Material { d: 0.12, w: 40.0, ea: 2e6, ba: 2e4, ei: 500.0, cdn: 1.6, can: 1.0, cdt: 0.2, cat: 0.1 };
const DEPTH: f64 = 40.0;
pub const N: usize = 8;

/// Units of length and mass, turn about the vertical, shift of the host's horizontal origin, and of
/// its time.
#[derive(Clone, Copy)]
pub struct Placed {
    pub unit: f64,
    pub mass: f64,
    pub turn: f64,
    pub shift: [f64; 2],
    pub time: f64,
}

impl Placed {
    pub const HERE: Placed = Placed { unit: 1.0, mass: 1.0, turn: 0.0, shift: [0.0; 2], time: 0.0 };

    fn quat(&self) -> Quat {
        quat_exp([0.0, 0.0, self.turn])
    }

    pub fn vector(&self, x: V3) -> V3 {
        scale(self.unit, if self.turn == 0.0 { x } else { rotate(self.quat(), x) })
    }

    pub fn at(&self, x: V3) -> V3 {
        add(self.vector(x), [self.shift[0], self.shift[1], 0.0])
    }

    pub fn back(&self, x: V3) -> V3 {
        let x = scale(1.0 / self.unit, sub(x, [self.shift[0], self.shift[1], 0.0]));
        if self.turn == 0.0 { x } else { unrotate(self.quat(), x) }
    }

    pub fn vector_back(&self, x: V3) -> V3 {
        let x = scale(1.0 / self.unit, x);
        if self.turn == 0.0 { x } else { unrotate(self.quat(), x) }
    }
}

/// A body held up by a load, two lines to the bed, and a weight on a line to a point that the host
/// moves.
pub struct Mooring {
    pub sim: Simulation,
    pub body: Id,
    pub lines: [Id; 3],
    pub weight: Id,
    pub driven: Id,
    pub at: Placed,
}

impl Mooring {
    pub fn new(scheme: &str, at: Placed) -> Mooring {
        let (u, m) = (at.unit, at.mass);
        let sea = Sea {
            g: 9.81 * u,
            rho: 1025.0 * m / u.powi(3),
            depth: DEPTH * u,
            stiffness: 3e5 * m / (u * u),
            damping: 3e4 * m / (u * u),
            smoothing: 0.1 * u,
            adhesion: 0.4,
            current: [0.0; 3],
        };
        let mut sim = system(scheme, &sea);
        // Relaxed schemes have limits and do not cut by themselves: segments have 300/s, damped
        // with 900/s.
        if scheme.ends_with('4') && !scheme.ends_with("k4") && !scheme.ends_with("b4") {
            sim.settings().set_option("max_time_step", 5e-4).unwrap();
        }
        sim.settings().set_environment("seabed_friction", 0.5).unwrap();
        sim.settings().set_environment("friction_slip", 0.02 * u).unwrap();
        sim.settings()
            .set_current(&[0.0, 20.0 * u], &[at.vector([0.5, 0.2, 0.0]), at.vector([0.1, 0.3, 0.0])])
            .unwrap();
        let of = Material {
            d: HAWSER.d * u,
            w: HAWSER.w * m / u,
            ea: HAWSER.ea * m * u,
            ba: HAWSER.ba * m * u,
            ei: HAWSER.ei * m * u.powi(3),
            ..HAWSER
        };
        let inertia = [4e4, 5e4, 6e4, 0.0, 0.0, 0.0].map(|j| j * m * u * u);
        let pose = pose(at.at([0.0, 0.0, -8.0]), at.quat());
        let body = sim.build().add_rigid_body(2e4 * m, &[0.0; 3], &inertia, &pose).unwrap();
        let kind = line_type(&mut sim, &of);
        let mut lines = [0; 3];
        for (line, side) in lines.iter_mut().zip([-1.0, 1.0]) {
            let anchor = fixed(&mut sim, at.at([40.0 * side, 3.0 * side, -DEPTH]));
            let fairlead = sim.build().add_point(0.0, 0.0, &at.at([0.0; 3])).unwrap();
            sim.build().attach_point(fairlead, body, &scale(u, [2.0 * side, 0.5, -1.0])).unwrap();
            *line = sim.elements().add_line(kind, anchor, fairlead, 56.0 * u, N as i32).unwrap();
        }
        let weight = sim.build().add_point(300.0 * m, 0.05 * u.powi(3), &at.at([1.0, 9.0, -22.0])).unwrap();
        sim.build().set_point_drag(weight, 0.4 * u * u, 0.6).unwrap();
        let driven = moved(&mut sim, at.at([0.0, 8.0, -10.0]));
        lines[2] = sim.elements().add_line(kind, driven, weight, 12.0 * u, N as i32).unwrap();
        Mooring { sim, body, lines, weight, driven, at }
    }

    pub fn give(&mut self, t: f64) {
        let (at, w) = (self.at, 2.0);
        let (s, c) = (w * t).sin_cos();
        let x = at.at([0.3 * (1.0 - c), 8.0, -10.0 + 0.2 * (1.0 - c)]);
        let [v, a] = [[0.3 * w * s, 0.0, 0.2 * w * s], [0.3 * w * w * c, 0.0, 0.2 * w * w * c]].map(|x| at.vector(x));
        self.sim.inputs().set_point_motion(self.driven, &x, &v, &a).unwrap();
        let force = scale(at.mass, at.vector([3e3 * (1.0 - c), 2e3 * s, 2e4 * 9.81 + 6e3]));
        self.sim.inputs().set_body_load(self.body, Frame::Inertial, &join(force, [0.0; 3])).unwrap();
        if t > 0.0 {
            self.sim
                .inputs()
                .set_line_length(self.lines[2], (12.0 - 0.1 * t * t) * at.unit, -0.2 * t * at.unit)
                .unwrap();
        }
    }

    pub fn begin(mut self) -> Mooring {
        self.give(0.0);
        self.sim.initialize(self.at.time).unwrap();
        self
    }

    pub fn run(&mut self, steps: impl IntoIterator<Item = f64>) {
        for h in steps {
            let t = self.sim.time().unwrap() - self.at.time + h;
            self.give(t);
            self.sim.step(h).unwrap();
        }
    }

    /// Places of body, weight and nodes, and end forces over 1e5 N, in the axes and units of the
    /// model at the origin.
    pub fn told(&self) -> Vec<f64> {
        let mut all = self.at.back(place(&self.sim.outputs().body_pose(self.body).unwrap())).to_vec();
        all.extend(self.at.back(self.sim.points().position(self.weight).unwrap()));
        for id in self.lines {
            all.extend(nodes(&self.sim, id, N).into_iter().flat_map(|x| self.at.back(x)));
            all.extend(
                end_forces(&self.sim, id).into_iter().flat_map(|f| scale(1e-5 / self.at.mass, self.at.vector_back(f))),
            );
        }
        all
    }

    /// Everything that can be read, to the bit.
    pub fn bits(&self) -> Vec<u64> {
        let sim = &self.sim;
        let mut all: Vec<f64> = sim.outputs().body_pose(self.body).unwrap().to_vec();
        all.extend(sim.outputs().body_velocity(self.body, Frame::Inertial).unwrap());
        all.extend(sim.outputs().body_acceleration(self.body, Frame::Inertial).unwrap());
        all.extend(sim.points().reaction(self.driven).unwrap());
        for point in 0..sim.description().count(pintle::EntityKind::Point) {
            all.extend(sim.points().position(point).unwrap());
            all.extend(sim.points().acceleration(point).unwrap());
        }
        for id in self.lines {
            all.extend(nodes(sim, id, N).into_iter().flatten());
            all.extend(speeds(sim, id, N).into_iter().flatten());
            all.extend(tensions(sim, id, N));
            all.extend(end_forces(sim, id).into_iter().flatten());
        }
        let (kinetic, potential) = sim.outputs().energy().unwrap();
        all.extend([kinetic, potential]);
        all.into_iter().map(f64::to_bits).collect()
    }
}

pub const STEPS: [f64; 60] = {
    let mut steps = [0.02; 60];
    let mut k = 0;
    while k < 60 {
        steps[k] = [0.02, 0.016, 0.024][k % 3];
        k += 1;
    }
    steps
};
