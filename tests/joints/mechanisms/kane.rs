//! References in minimal coordinates: Kane's equations from the positions of the bodies in closed
//! form.
//!
//! For coordinates q, sum over the bodies of m (a - g) . dv/dqd_j + (I alpha + omega x I omega) .
//! domega/dqd_j equals the generalized force j (Kane, Levinson 1985, ch. 6). Velocities and
//! accelerations are computed by jets, loops are closed by the closed form itself: the references
//! have no constraints, no multipliers, and nothing in common with the library.

use crate::common::*;
use crate::mechanisms::jet::{Jet, Vector, constant, fixed};
use pintle::{Frame, Id, Simulation};

/// Where a body is: its centre of mass and its axes (principal ones), inertial.
#[derive(Debug, Clone, Copy)]
pub struct Placement {
    pub center: Vector,
    pub axes: [Vector; 3],
}

/// The inertial axes.
pub fn unturned() -> [Vector; 3] {
    [fixed([1.0, 0.0, 0.0]), fixed([0.0, 1.0, 0.0]), fixed([0.0, 0.0, 1.0])]
}

/// Axes of a body whose x axis has the direction `u` (unit) in the xy plane.
pub fn along(u: Vector) -> [Vector; 3] {
    [u, Vector([-u.0[1], u.0[0], constant(0.0)]), fixed([0.0, 0.0, 1.0])]
}

/// The end of the second leg of a planar dyad: the point at distance `ra` from a and `rb` from b,
/// left of the way from a to b for side = 1, right for -1.
pub fn apex(a: Vector, b: Vector, ra: f64, rb: f64, side: f64) -> Vector {
    let d = b - a;
    let square = d.dot(d);
    let part = (constant(ra * ra - rb * rb) / square + constant(1.0)) * 0.5;
    let height = (constant(ra * ra) / square - part * part).sqrt() * side;
    a + d * part + Vector([-d.0[1], d.0[0], constant(0.0)]) * height
}

impl Placement {
    /// A point given in body axes.
    pub fn point(&self, local: V3) -> Vector {
        (0..3).fold(self.center, |sum, k| sum + self.axes[k] * local[k])
    }

    /// Angular velocity and acceleration, from sum_k u_k x u_k' = 2 omega for the three axes.
    pub fn turning(&self) -> (V3, V3) {
        let (mut omega, mut alpha) = ([0.0; 3], [0.0; 3]);
        for u in &self.axes {
            omega = add(omega, scale(0.5, cross(u.value(), u.rate())));
            alpha = add(alpha, scale(0.5, cross(u.value(), u.acceleration())));
        }
        (omega, alpha)
    }

    /// pose[7].
    pub fn pose(&self) -> [f64; 7] {
        pose(self.center.value(), self.quaternion())
    }

    /// velocity[6].
    pub fn velocity(&self) -> [f64; 6] {
        join(self.center.rate(), self.turning().0)
    }

    /// From the largest of its four components (Shepperd 1978).
    fn quaternion(&self) -> Quat {
        let r = |i: usize, j: usize| self.axes[j].0[i].x;
        let [x, y, z] = self.axes.map(|u| u.value());
        assert!(distance(cross(x, y), z) < 1e-12, "axes that are not right-handed and square");
        let trace = r(0, 0) + r(1, 1) + r(2, 2);
        let squares = [trace, r(0, 0), r(1, 1), r(2, 2)];
        let largest = (0..4).max_by(|&i, &j| squares[i].total_cmp(&squares[j])).unwrap();
        let w = [1.0 + trace, r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)];
        unit(match largest {
            0 => w,
            1 => [w[1], 1.0 + 2.0 * r(0, 0) - trace, r(0, 1) + r(1, 0), r(0, 2) + r(2, 0)],
            2 => [w[2], r(0, 1) + r(1, 0), 1.0 + 2.0 * r(1, 1) - trace, r(1, 2) + r(2, 1)],
            _ => [w[3], r(0, 2) + r(2, 0), r(1, 2) + r(2, 1), 1.0 + 2.0 * r(2, 2) - trace],
        })
    }
}

/// Everything about a mechanism at one time.
pub struct Configuration {
    pub bodies: Vec<Placement>,
    /// Applied forces and the lengths or angles along which they act: the power is force times
    /// rate.
    pub forces: Vec<(Jet, f64)>,
    /// Energy of springs.
    pub potential: f64,
}

/// From coordinates to where everything is.
pub type Kinematics = Box<dyn Fn(&[Jet]) -> Configuration>;

/// A mechanism without friction: mass and principal moments of inertia of each body, and where they
/// are.
pub struct Mechanism {
    pub gravity: V3,
    pub inertia: Vec<(f64, V3)>,
    pub kinematics: Kinematics,
}

impl Mechanism {
    /// The configuration at q with rates and accelerations.
    pub fn at(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Configuration {
        let jets: Vec<Jet> = (0..q.len()).map(|k| Jet { x: q[k], dx: qd[k], ddx: qdd[k] }).collect();
        (self.kinematics)(&jets)
    }

    /// I a for body b, a in inertial axes.
    fn tensor(&self, b: usize, placement: &Placement, a: V3) -> V3 {
        let axes = placement.axes.map(|u| u.value());
        (0..3).fold([0.0; 3], |sum, k| add(sum, scale(self.inertia[b].1[k] * dot(axes[k], a), axes[k])))
    }

    /// What joints and applied forces together must exert on body b: force, and moment about its
    /// centre of mass.
    pub fn wrench(&self, b: usize, configuration: &Configuration) -> (V3, V3) {
        let body = &configuration.bodies[b];
        let (omega, alpha) = body.turning();
        let force = scale(self.inertia[b].0, sub(body.center.acceleration(), self.gravity));
        (force, add(self.tensor(b, body, alpha), cross(omega, self.tensor(b, body, omega))))
    }

    /// Configurations that move at unit rate in one coordinate each.
    fn partials(&self, q: &[f64]) -> Vec<Configuration> {
        let zero = vec![0.0; q.len()];
        let direction = |j: usize| (0..q.len()).map(|k| if k == j { 1.0 } else { 0.0 }).collect::<Vec<_>>();
        (0..q.len()).map(|j| self.at(q, &direction(j), &zero)).collect()
    }

    /// Generalized forces of the drives for this motion.
    pub fn drives(&self, q: &[f64], qd: &[f64], qdd: &[f64]) -> Vec<f64> {
        let now = self.at(q, qd, qdd);
        let wrenches: Vec<_> = (0..self.inertia.len()).map(|b| self.wrench(b, &now)).collect();
        let of = |partial: &Configuration| {
            let inertia: f64 = (partial.bodies.iter().zip(&wrenches))
                .map(|(body, (force, moment))| dot(body.center.rate(), *force) + dot(body.turning().0, *moment))
                .sum();
            let applied: f64 = now.forces.iter().zip(&partial.forces).map(|((_, f), (x, _))| f * x.dx).sum();
            inertia - applied
        };
        self.partials(q).iter().map(of).collect()
    }

    /// qdd of the free mechanism.
    pub fn accelerations(&self, q: &[f64], qd: &[f64]) -> Vec<f64> {
        let partials = self.partials(q);
        let n = q.len();
        let entry = |j: usize, k: usize| -> f64 {
            let pairs = partials[j].bodies.iter().zip(&partials[k].bodies).enumerate();
            pairs
                .map(|(b, (x, y))| {
                    let linear = self.inertia[b].0 * dot(x.center.rate(), y.center.rate());
                    linear + dot(x.turning().0, self.tensor(b, y, y.turning().0))
                })
                .sum()
        };
        let mass = (0..n).map(|j| (0..n).map(|k| entry(j, k)).collect()).collect();
        let missing = self.drives(q, qd, &vec![0.0; n]);
        solve(mass, missing.iter().map(|x| -x).collect())
    }

    /// The configuration of the free motion at (q, qd).
    pub fn free(&self, state: &[f64]) -> Configuration {
        let (q, qd) = state.split_at(state.len() / 2);
        self.at(q, qd, &self.accelerations(q, qd))
    }

    /// Kinetic and potential energy.
    pub fn energy(&self, state: &[f64]) -> f64 {
        let (q, qd) = state.split_at(state.len() / 2);
        let now = self.at(q, qd, &vec![0.0; q.len()]);
        let bodies: f64 = (now.bodies.iter().enumerate())
            .map(|(b, body)| {
                let (v, (omega, _), m) = (body.center.rate(), body.turning(), self.inertia[b].0);
                0.5 * m * dot(v, v) + 0.5 * dot(omega, self.tensor(b, body, omega))
                    - m * dot(self.gravity, body.center.value())
            })
            .sum();
        bodies + now.potential
    }

    /// States (q, qd) at 0, interval, ... by Runge-Kutta 4.
    pub fn samples(&self, start: &[f64], interval: f64, intervals: usize, substeps: usize) -> Vec<Vec<f64>> {
        let rate = |_: f64, y: &[f64], dy: &mut [f64]| {
            let (q, qd) = y.split_at(y.len() / 2);
            dy[..q.len()].copy_from_slice(qd);
            dy[q.len()..].copy_from_slice(&self.accelerations(q, qd));
        };
        rk4_samples(rate, start, interval, intervals, substeps)
    }

    /// Adds the bodies to a simulation, with the poses and velocities of a state (q, qd).
    pub fn add_to(&self, sim: &mut Simulation, state: &[f64]) -> Vec<Id> {
        sim.settings().set_gravity(&self.gravity).unwrap();
        let (q, qd) = state.split_at(state.len() / 2);
        let now = self.at(q, qd, &vec![0.0; q.len()]);
        let add = |((mass, j), body): (&(f64, V3), &Placement)| {
            let id = sim.build().add_rigid_body(*mass, &[0.0; 3], &six(&diag(*j)), &body.pose()).unwrap();
            sim.build().set_body_velocity(id, &body.velocity()).unwrap();
            id
        };
        self.inertia.iter().zip(&now.bodies).map(add).collect()
    }
}

/// Largest errors over all bodies so far: positions (and axes), rates (linear and angular).
#[derive(Debug, Default, Clone, Copy)]
pub struct Worst {
    pub position: f64,
    pub rate: f64,
    pub force: f64,
}

impl Worst {
    /// Takes a state of the simulation into account; angles are measured as lengths at the radius
    /// `length`.
    pub fn note(&mut self, sim: &Simulation, ids: &[Id], exact: &Configuration, length: f64) {
        for (id, body) in ids.iter().zip(&exact.bodies) {
            let (p, v) =
                (sim.outputs().body_pose(*id).unwrap(), sim.outputs().body_velocity(*id, Frame::Inertial).unwrap());
            let expected = body.velocity();
            self.position = self.position.max(distance(place(&p), body.center.value()));
            for (k, axis) in body.axes.iter().enumerate() {
                let mut unit = [0.0; 3];
                unit[k] = 1.0;
                self.position = self.position.max(length * distance(rotate(turn(&p), unit), axis.value()));
            }
            for k in 0..6 {
                let error = (v[k] - expected[k]).abs();
                self.rate = self.rate.max(if k < 3 { error } else { length * error });
            }
        }
    }

    /// Takes a force (or moment) into account.
    pub fn note_force(&mut self, got: V3, exact: V3) {
        self.force = self.force.max(distance(got, exact));
    }
}

/// A mechanism and how it is to be compared with its reference.
pub struct Comparison<'a> {
    pub mechanism: &'a Mechanism,
    /// q and qd at the start.
    pub start: &'a [f64],
    /// The shortest step, Runge-Kutta steps of the reference in it, and the end.
    pub fine: f64,
    pub substeps: usize,
    pub end: f64,
    /// At which angles count as lengths.
    pub length: f64,
}

impl Comparison<'_> {
    /// Runs the mechanism with 8, 4, 2 and 1 of the shortest steps at a time, and asserts second
    /// order in positions, in rates and in the forces that `force` compares.
    pub fn assert_second_order(
        &self,
        claim: &str,
        build: impl Fn() -> (Simulation, Vec<Id>),
        force: impl Fn(&Simulation, &Configuration, &mut Worst),
    ) {
        let intervals = (self.end / self.fine).round() as usize;
        let samples = self.mechanism.samples(self.start, self.fine, intervals, self.substeps);
        let mut tables = [(); 3].map(|()| Vec::new());
        for stride in [8, 4, 2, 1] {
            let (mut sim, ids) = build();
            let mut worst = Worst::default();
            let dt = self.fine * stride as f64;
            for n in 1..=intervals / stride {
                sim.step(dt).unwrap_or_else(|e| panic!("{claim}, step {n}: {e}"));
                let exact = self.mechanism.free(&samples[n * stride]);
                worst.note(&sim, &ids, &exact, self.length);
                force(&sim, &exact, &mut worst);
            }
            for (table, error) in tables.iter_mut().zip([worst.position, worst.rate, worst.force]) {
                table.push((dt, error));
            }
        }
        for (table, what) in tables.iter().zip(["positions", "rates", "forces"]) {
            assert_order(&format!("{claim}, {what}"), table, 2.0, 0.1);
        }
    }
}

/// A simulation with tight tolerances and this rho_inf.
pub fn tight(rho_inf: f64) -> Simulation {
    let mut sim = Simulation::new();
    for (key, value) in [("rho_inf", rho_inf), ("abs_tolerance", 1e-10), ("rel_tolerance", 1e-10)] {
        sim.settings().set_option(key, value).unwrap();
    }
    sim
}
