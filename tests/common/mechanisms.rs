//! Joint frames, their relative motion and the wrenches of motions, computed independently of the
//! library.

use super::algebra::*;
use pintle::{Frame, GROUND, Id, Simulation};

/// Tolerances far below the errors of the steps.
pub const TIGHT: [(&str, f64); 3] = [("rho_inf", 0.8), ("abs_tolerance", 1e-11), ("rel_tolerance", 1e-11)];

/// An empty system with tight tolerances.
pub fn system(gravity: V3) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&gravity).unwrap();
    for (key, value) in TIGHT {
        sim.settings().set_option(key, value).unwrap();
    }
    sim
}

/// a after b: the pose of a frame b given in the axes of a.
pub fn compose(a: &[f64; 7], b: &[f64; 7]) -> [f64; 7] {
    pose(add(place(a), rotate(turn(a), place(b))), quat_mul(turn(a), turn(b)))
}

/// The frame seen from the axes of a.
pub fn localize(a: &[f64; 7], frame: &[f64; 7]) -> [f64; 7] {
    pose(unrotate(turn(a), sub(place(frame), place(a))), quat_mul(conjugate(turn(a)), turn(frame)))
}

/// A rotation of z to `axis`; its x axis is arbitrary.
pub fn z_to(axis: V3) -> Quat {
    let n = scale(1.0 / norm(axis), axis);
    if n[2] < -0.9 {
        return quat_mul(z_to(scale(-1.0, n)), [0.0, 1.0, 0.0, 0.0]);
    }
    let c = cross([0.0, 0.0, 1.0], n);
    unit([1.0 + n[2], c[0], c[1], c[2]])
}

/// A frame on a body: position, orientation, velocities, accelerations, all inertial.
#[derive(Clone, Copy)]
pub struct End {
    pub x: V3,
    pub q: Quat,
    pub v: V3,
    pub w: V3,
    pub a: V3,
    pub alpha: V3,
}

impl End {
    /// Of a frame given in the axes of a body (ground: in I).
    pub fn of(sim: &Simulation, body: Id, frame: &[f64; 7]) -> End {
        let rest = [0.0; 3];
        if body == GROUND {
            return End { x: place(frame), q: turn(frame), v: rest, w: rest, a: rest, alpha: rest };
        }
        let at = sim.outputs().body_pose(body).unwrap();
        let (v, w) = halves(sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
        let (a, alpha) = halves(sim.outputs().body_acceleration(body, Frame::Inertial).unwrap());
        let s = rotate(turn(&at), place(frame));
        End {
            x: add(place(&at), s),
            q: quat_mul(turn(&at), turn(frame)),
            v: add(v, cross(w, s)),
            w,
            a: add(a, add(cross(alpha, s), cross(w, cross(w, s)))),
            alpha,
        }
    }

    /// z axis.
    pub fn z(&self) -> V3 {
        rotate(self.q, [0.0, 0.0, 1.0])
    }

    /// The origin of `other` in these axes, and its orientation relative to these.
    pub fn to(&self, other: &End) -> (V3, Quat) {
        (unrotate(self.q, sub(other.x, self.x)), quat_mul(conjugate(self.q), other.q))
    }
}

/// Angle about z, in (-pi, pi], of a rotation about z.
pub fn angle_about_z(q: Quat) -> f64 {
    let x = rotate(q, [1.0, 0.0, 0.0]);
    x[1].atan2(x[0])
}

/// The value that differs from `angle` by whole turns and is nearest to `near`.
pub fn unwrapped(angle: f64, near: f64) -> f64 {
    let tau = std::f64::consts::TAU;
    angle + tau * ((near - angle) / tau).round()
}

/// Slide along z of a of the origin of b, rate and acceleration; z, d, their rates and second
/// derivatives.
pub fn slide(a: &End, b: &End) -> [f64; 3] {
    let z = a.z();
    let zd = cross(a.w, z);
    let zdd = add(cross(a.alpha, z), cross(a.w, zd));
    let (d, dd, ddd) = (sub(b.x, a.x), sub(b.v, a.v), sub(b.a, a.a));
    [dot(z, d), dot(z, dd) + dot(zd, d), dot(z, ddd) + 2.0 * dot(zd, dd) + dot(zdd, d)]
}

/// Rate and acceleration of the angle of b about the common z axis.
pub fn spin(a: &End, b: &End) -> [f64; 2] {
    let z = a.z();
    let relative = sub(b.w, a.w);
    [dot(z, relative), dot(z, sub(b.alpha, a.alpha)) + dot(cross(a.w, z), relative)]
}

/// A force and moment at a point as force and moment about the origin of I.
pub fn about_origin(point: V3, wrench: [f64; 6]) -> [f64; 6] {
    let (f, m) = halves(wrench);
    join(f, add(m, cross(point, f)))
}

/// Mass, centre of mass (body axes), principal inertias about it (body axes).
#[derive(Clone, Copy)]
pub struct Solid {
    pub mass: f64,
    pub com: V3,
    pub inertia: V3,
}

impl Solid {
    /// Adds it to a model.
    pub fn add(&self, sim: &mut Simulation, pose: &[f64; 7], velocity: &[f64; 6]) -> Id {
        let id = sim.build().add_rigid_body(self.mass, &self.com, &six(&diag(self.inertia)), pose).unwrap();
        sim.build().set_body_velocity(id, velocity).unwrap();
        id
    }

    /// The wrench for its accelerations, in addition to its weight: (m (a - g), J alpha + omega x J
    /// omega) at the centre of mass, as force and moment about the origin of I.
    pub fn takes(&self, sim: &Simulation, id: Id, gravity: V3) -> [f64; 6] {
        let com = End::of(sim, id, &pose(self.com, UNROTATED));
        let q = com.q;
        let j = |a: V3| rotate(q, mul3(&diag(self.inertia), unrotate(q, a)));
        let force = scale(self.mass, sub(com.a, gravity));
        about_origin(com.x, join(force, add(j(com.alpha), cross(com.w, j(com.w)))))
    }
}
