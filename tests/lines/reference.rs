//! A chain of lumped masses as the textbook has it, integrated by Runge-Kutta 4 at tiny steps.
//!
//! Node i has half of each segment beside it. Segments pull (they do not push) and damp; water
//! drags, pushes up and is carried along; the seabed is a spring and a damper that set in smoothly
//! and never pull. Formulas of Hall, Goupee (2015), with the seabed's law of docs/mooring.md.

use crate::common::*;

/// The properties of a line; `ba` is a force per rate of strain.
#[derive(Debug, Clone, Copy)]
pub struct Material {
    pub d: f64,
    pub w: f64,
    pub ea: f64,
    pub ba: f64,
    pub ei: f64,
    pub cdn: f64,
    pub can: f64,
    pub cdt: f64,
    pub cat: f64,
}

impl Material {
    /// Cross-section.
    pub fn area(&self) -> f64 {
        0.25 * std::f64::consts::PI * self.d * self.d
    }

    /// Damping as the fraction of critical of a segment of length l, as a force per rate of strain.
    pub fn damped(mut self, fraction: f64, l: f64) -> Material {
        self.ba = fraction * l * (self.ea * self.w).sqrt();
        self
    }
}

/// Water and seabed; density 0 and depth 0: none.
#[derive(Debug, Clone, Copy)]
pub struct Sea {
    pub g: f64,
    pub rho: f64,
    pub depth: f64,
    pub stiffness: f64,
    pub damping: f64,
    pub smoothing: f64,
    /// Part of a pull of the seabed that acts.
    pub adhesion: f64,
    pub current: V3,
}

impl Sea {
    pub const NONE: Sea = Sea {
        g: 9.81,
        rho: 0.0,
        depth: 0.0,
        stiffness: 3e6,
        damping: 3e5,
        smoothing: 0.1,
        adhesion: 0.0,
        current: [0.0; 3],
    };

    pub fn water(depth: f64) -> Sea {
        Sea { rho: 1025.0, depth, ..Sea::NONE }
    }
}

/// Position, velocity, acceleration at a time.
pub type Path = fn(f64) -> [V3; 3];

/// What an end is tied to.
#[derive(Clone, Copy)]
pub enum Tip {
    /// Moved by the host.
    Moved(Path),
    /// A free point: mass, volume, CdA, Ca.
    Free([f64; 4]),
}

/// A line of `n` segments; `length` gives unstretched length and its rate at a time.
#[derive(Clone, Copy)]
pub struct Chain {
    pub of: Material,
    pub n: usize,
    pub length: fn(f64) -> [f64; 2],
    pub sea: Sea,
    pub tips: [Tip; 2],
}

/// The forces on a node, separately, for the balance of energy.
#[derive(Debug, Clone, Copy, Default)]
pub struct Parts {
    /// All but inertia.
    pub force: V3,
    /// Of drag alone.
    pub drag: V3,
    /// Of the seabed's damper: whole force less the spring's.
    pub bed_damper: V3,
    /// Penetration's energy.
    pub bed_energy: f64,
}

fn drag(u: V3, q: V3, k1: f64, k2: f64) -> V3 {
    let along = dot(u, q);
    let across = sub(u, scale(along, q));
    add(scale(k1 * norm(across), across), scale(k2 * along.abs() * along, q))
}

impl Chain {
    /// Tensions of segments with damping; the strain rate includes that of the winch.
    pub fn tensions(&self, t: f64, r: &[V3], v: &[V3]) -> Vec<f64> {
        let [length, rate] = (self.length)(t);
        let (l, ldot) = (length / self.n as f64, rate / self.n as f64);
        (0..self.n)
            .map(|j| {
                let e = sub(r[j + 1], r[j]);
                let s = norm(e);
                let sdot = dot(e, sub(v[j + 1], v[j])) / s;
                (self.of.ea * (s / l - 1.0)).max(0.0) + self.of.ba * (sdot - s * ldot / l) / l
            })
            .collect()
    }

    /// Unit tangent of a node.
    fn tangent(&self, r: &[V3], i: usize) -> V3 {
        let e = sub(r[(i + 1).min(self.n)], r[i.saturating_sub(1)]);
        scale(1.0 / norm(e), e)
    }

    /// Unstretched length that belongs to a node.
    fn share(&self, t: f64, i: usize) -> f64 {
        let l = (self.length)(t)[0] / self.n as f64;
        if i == 0 || i == self.n { 0.5 * l } else { l }
    }

    /// The forces on the nodes.
    pub fn parts(&self, t: f64, r: &[V3], v: &[V3]) -> Vec<Parts> {
        let (of, sea) = (&self.of, &self.sea);
        let mut all = vec![Parts::default(); self.n + 1];
        let pull = |all: &mut Vec<Parts>, i: usize, f: V3| all[i].force = add(all[i].force, f);
        for (j, h) in self.tensions(t, r, v).into_iter().enumerate() {
            let e = sub(r[j + 1], r[j]);
            let f = scale(h / norm(e), e);
            pull(&mut all, j, f);
            pull(&mut all, j + 1, scale(-1.0, f));
        }
        if of.ei > 0.0 {
            self.bend(t, r, &mut all);
        }
        for i in 0..=self.n {
            let share = self.share(t, i);
            let volume = of.area() * share;
            let q = self.tangent(r, i);
            let u = sub(if sea.rho > 0.0 { sea.current } else { [0.0; 3] }, v[i]);
            let half = 0.5 * sea.rho * of.d * share;
            let of_water = drag(u, q, half * of.cdn, half * std::f64::consts::PI * of.cdt);
            all[i].drag = of_water;
            pull(&mut all, i, of_water);
            pull(&mut all, i, [0.0, 0.0, -sea.g * (of.w * share - sea.rho * volume)]);
            let pen = -sea.depth - r[i][2];
            if sea.depth > 0.0 && pen > 0.0 {
                let delta = sea.smoothing.min(of.d);
                let x = (pen / delta).min(1.0);
                let (f, energy) = if pen < delta {
                    (sea.stiffness * pen * pen / (2.0 * delta), sea.stiffness * pen.powi(3) / (6.0 * delta))
                } else {
                    let p = pen - 0.5 * delta;
                    // From the energy at delta on, k delta^2/6 = k (delta/2)^2/2 + k delta^2/24.
                    (sea.stiffness * p, sea.stiffness * (0.5 * p * p + delta * delta / 24.0))
                };
                let pressure = f - sea.damping * x * x * (3.0 - 2.0 * x) * v[i][2];
                let pressure = if pressure < 0.0 { sea.adhesion * pressure } else { pressure };
                let width = of.d * share;
                pull(&mut all, i, [0.0, 0.0, pressure * width]);
                all[i].bed_damper = [0.0, 0.0, (pressure - f) * width];
                all[i].bed_energy = energy * width;
            }
        }
        all
    }

    /// E = (4 EI/l)(1 - cos(theta/2)) of the angle theta between two segments, its gradient by the
    /// chain rule on cos theta.
    fn bend(&self, t: f64, r: &[V3], all: &mut [Parts]) {
        let l = (self.length)(t)[0] / self.n as f64;
        for i in 1..self.n {
            let (e1, e2) = (sub(r[i], r[i - 1]), sub(r[i + 1], r[i]));
            let (s1, s2) = (norm(e1), norm(e2));
            let c = dot(e1, e2) / (s1 * s2);
            // dE/dc, with 1 - cos(theta/2) = 1 - sqrt((1 + c)/2).
            let slope = -(4.0 * self.of.ei / l) * 0.25 / (0.5 * (1.0 + c)).sqrt();
            let of_1 = sub(scale(1.0 / (s1 * s2), e2), scale(c / (s1 * s1), e1));
            let of_2 = sub(scale(1.0 / (s1 * s2), e1), scale(c / (s2 * s2), e2));
            for (node, gradient) in [(i - 1, scale(-1.0, of_1)), (i, sub(of_1, of_2)), (i + 1, of_2)] {
                all[node].force = sub(all[node].force, scale(slope, gradient));
            }
        }
    }

    /// Energy of motion (without water), of strain and bending, of height, of the seabed's spring,
    /// without free points.
    pub fn energies(&self, t: f64, r: &[V3], v: &[V3]) -> [f64; 4] {
        let l = (self.length)(t)[0] / self.n as f64;
        let mut sums = [0.0; 4];
        for (i, part) in self.parts(t, r, v).iter().enumerate() {
            let share = self.share(t, i);
            sums[0] += 0.5 * self.of.w * share * dot(v[i], v[i]);
            sums[2] += self.sea.g * (self.of.w - self.sea.rho * self.of.area()) * share * r[i][2];
            sums[3] += part.bed_energy;
        }
        for j in 0..self.n {
            let strain = (distance(r[j], r[j + 1]) / l - 1.0).max(0.0);
            sums[1] += 0.5 * self.of.ea * l * strain * strain;
        }
        for i in 1..self.n {
            let (e1, e2) = (sub(r[i], r[i - 1]), sub(r[i + 1], r[i]));
            let c = dot(e1, e2) / (norm(e1) * norm(e2));
            sums[1] += 4.0 * self.of.ei / l * (1.0 - (0.5 * (1.0 + c)).sqrt());
        }
        sums
    }

    /// Accelerations of all nodes; those of moved ends are given.
    pub fn accelerations(&self, t: f64, r: &[V3], v: &[V3]) -> Vec<V3> {
        let (of, sea) = (&self.of, &self.sea);
        let parts = self.parts(t, r, v);
        (0..=self.n)
            .map(|i| {
                let tip = match i {
                    0 => Some(self.tips[0]),
                    i if i == self.n => Some(self.tips[1]),
                    _ => None,
                };
                let share = self.share(t, i);
                let q = self.tangent(r, i);
                let carried = sea.rho * of.area() * share;
                // M a = F with M = across I + (along - across) q q^T, solved by parts.
                let mut across = of.w * share + carried * of.can;
                let mut along = of.w * share + carried * of.cat;
                let mut f = parts[i].force;
                match tip {
                    Some(Tip::Moved(path)) => return path(t)[2],
                    Some(Tip::Free([mass, volume, cda, ca])) => {
                        let u = sub(sea.current, v[i]);
                        f = add(f, scale(0.5 * sea.rho * cda * norm(u), u));
                        f[2] -= sea.g * (mass - sea.rho * volume);
                        across += mass + sea.rho * volume * ca;
                        along += mass + sea.rho * volume * ca;
                    }
                    None => {}
                }
                let part = dot(f, q);
                add(scale(1.0 / across, sub(f, scale(part, q))), scale(part / along, q))
            })
            .collect()
    }

    /// Moves positions and velocities from `t` over `steps` steps of h.
    pub fn run(&self, t: f64, h: f64, steps: usize, r: &mut [V3], v: &mut [V3]) {
        let n = self.n + 1;
        let mut y: Vec<f64> = r.iter().chain(v.iter()).flatten().copied().collect();
        let mut rate = |t: f64, y: &[f64], dy: &mut [f64]| {
            let (mut r, mut v) = split(y, n);
            self.place_ends(t, &mut r, &mut v);
            let a = self.accelerations(t, &r, &v);
            dy[..3 * n].copy_from_slice(v.as_flattened());
            dy[3 * n..].copy_from_slice(a.as_flattened());
        };
        for k in 0..steps {
            rk4_step(&mut rate, t + k as f64 * h, h, &mut y);
        }
        let (mut r_end, mut v_end) = split(&y, n);
        self.place_ends(t + steps as f64 * h, &mut r_end, &mut v_end);
        r.copy_from_slice(&r_end);
        v.copy_from_slice(&v_end);
    }

    fn place_ends(&self, t: f64, r: &mut [V3], v: &mut [V3]) {
        for (end, i) in [(0, 0), (1, self.n)] {
            if let Tip::Moved(path) = self.tips[end] {
                let [x, xd, _] = path(t);
                (r[i], v[i]) = (x, xd);
            }
        }
    }

    /// Forces of the ends on what holds them, without inertia.
    pub fn end_forces(&self, t: f64, r: &[V3], v: &[V3]) -> [V3; 2] {
        let parts = self.parts(t, r, v);
        [parts[0].force, parts[self.n].force]
    }
}

fn split(y: &[f64], n: usize) -> (Vec<V3>, Vec<V3>) {
    let all: Vec<V3> = y.chunks_exact(3).map(|x| [x[0], x[1], x[2]]).collect();
    (all[..n].to_vec(), all[n..].to_vec())
}

/// The reference's own forces are the slopes of its own energies, and an ellipsoid of masses
/// inverts.
#[test]
fn forces_are_slopes_of_energies() {
    let of = Material { d: 0.4, w: 20.0, ea: 5e4, ba: 0.0, ei: 800.0, cdn: 0.0, can: 0.0, cdt: 0.0, cat: 0.0 };
    let chain = Chain {
        of,
        n: 5,
        length: |_| [10.0, 0.0],
        sea: Sea { stiffness: 1e4, damping: 0.0, ..Sea::water(3.0) },
        tips: [Tip::Free([0.0; 4]); 2],
    };
    let r: Vec<V3> = (0..6)
        .map(|i| {
            let x = i as f64;
            [2.1 * x, 0.7 * (1.9 * x).sin(), -2.99 + 0.3 * (2.3 * x).cos()]
        })
        .collect();
    let v = vec![[0.0; 3]; 6];
    let parts = chain.parts(0.0, &r, &v);
    assert!(parts.iter().any(|p| p.bed_energy > 0.0) && parts.iter().any(|p| p.bed_energy == 0.0));
    let total = |r: &[V3]| chain.energies(0.0, r, &v).iter().sum::<f64>();
    for (i, part) in parts.iter().enumerate() {
        for k in 0..3 {
            let h = 1e-5;
            let [mut up, mut down] = [r.clone(), r.clone()];
            up[i][k] += h;
            down[i][k] -= h;
            // Central differences: h^2 times third derivatives (EA/l^2, k d l/delta ~ 1e5),
            // rounding 1e-16 1e4 J/h.
            let slope = (total(&up) - total(&down)) / (2.0 * h);
            assert_close(&format!("node {i}, {k}"), &[part.force[k]], &[-slope], 2e-5);
        }
    }
}
