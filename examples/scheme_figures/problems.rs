//! Six mechanisms on which `momentum-alpha` stands beside other schemes: some spin or tumble, some
//! only swing.

use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use pintle::{EntityKind, Frame, GROUND, JointKind, Result, Simulation};

/// A mechanism, what it is called, and how long it runs.
pub struct Problem {
    pub name: &'static str,
    pub end: f64,
    pub build: fn(&mut Simulation) -> Result<()>,
    /// Numbers of steps, and that of the reference, which `rk4` makes.
    pub steps: [usize; 6],
    pub fine: usize,
    /// What positions are measured by, m.
    pub length: f64,
}

pub const PROBLEMS: [Problem; 6] = [
    Problem {
        name: "heavy top, 150 rad/s, 1 s",
        end: 1.0,
        build: heavy_top,
        steps: [250, 500, 1000, 2000, 4000, 8000],
        fine: 64_000,
        length: 1.0,
    },
    Problem {
        name: "free body, 1.2 rad/s, 10 s",
        end: 10.0,
        build: free_body,
        steps: [50, 100, 200, 400, 800, 1600],
        fine: 20_000,
        length: 1.0,
    },
    Problem {
        name: "chain of 10 rods, spin 30 rad/s, 0.5 s",
        end: 0.5,
        build: chain,
        steps: [50, 100, 200, 400, 800, 1600],
        fine: 16_000,
        length: 1.0,
    },
    Problem {
        name: "floating platform in yaw, 60 s",
        end: 60.0,
        build: platform,
        steps: [75, 150, 300, 600, 1200, 2400],
        fine: 40_000,
        length: 10.0,
    },
    // It stays clear of the horizontal, where its bars lie in one line and it may go on in two
    // ways.
    Problem {
        name: "four-bar, 0.5 s",
        end: 0.5,
        build: four_bar,
        steps: [25, 50, 100, 200, 400, 800],
        fine: 10_000,
        length: 1.0,
    },
    Problem {
        name: "squeezer, 0.03 s",
        end: 0.03,
        build: squeezer,
        steps: [375, 750, 1500, 3000, 6000, 12_000],
        fine: 48_000,
        length: 1.0,
    },
];

type V3 = Vector3<f64>;

fn pose(x: V3, angle: f64) -> [f64; 7] {
    let (s, c) = (0.5 * angle).sin_cos();
    [x.x, x.y, x.z, c, 0.0, 0.0, s]
}

fn moving(v: V3, omega: V3) -> [f64; 6] {
    [v.x, v.y, v.z, omega.x, omega.y, omega.z]
}

fn heavy_top(sim: &mut Simulation) -> Result<()> {
    sim.settings().set_gravity(&[0.0, 0.0, -9.81])?;
    let arm = V3::new(0.0, 1.0, 0.0);
    let body =
        sim.build().add_rigid_body(15.0, &[0.0; 3], &[0.234375, 0.46875, 0.234375, 0.0, 0.0, 0.0], &pose(arm, 0.0))?;
    let omega = V3::new(0.0, 150.0, -4.61538);
    sim.build().set_body_velocity(body, &moving(omega.cross(&arm), omega))?;
    sim.build().add_joint_at(JointKind::Spherical, GROUND, body, &[0.0; 3], None).map(|_| ())
}

fn free_body(sim: &mut Simulation) -> Result<()> {
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 2.0, 3.0, 0.0, 0.0, 0.0], &pose(V3::zeros(), 0.0))?;
    sim.build().set_body_velocity(body, &[0.0, 0.0, 0.0, 0.7, 0.9, 0.4])
}

/// Rods of 1 m in a row along x, all turning about it, let go.
fn chain(sim: &mut Simulation) -> Result<()> {
    sim.settings().set_gravity(&[0.0, 0.0, -9.81])?;
    let mut last = GROUND;
    for k in 0..10 {
        let x = V3::new(k as f64 + 0.5, 0.0, 0.0);
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.02, 0.09, 0.09, 0.0, 0.0, 0.0], &pose(x, 0.0))?;
        sim.build().set_body_velocity(body, &[0.0, 0.0, 0.0, 30.0, 0.0, 0.0])?;
        sim.build().add_joint_at(JointKind::Spherical, last, body, &[k as f64, 0.0, 0.0], None)?;
        last = body;
    }
    Ok(())
}

/// That of `models/floating_platform.toml`, with the stiffness of the water and its added mass,
/// turning about all axes.
fn platform(sim: &mut Simulation) -> Result<()> {
    sim.settings().set_gravity(&[0.0, 0.0, -9.8124])?;
    let inertia = [1.2898e10, 1.2851e10, 1.4189e10, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(1.419625e7, &[0.0; 3], &inertia, &pose(V3::new(0.0, 0.0, -7.53), 0.0))?;
    sim.build().set_body_velocity(body, &[1.0, 0.5, 0.2, 0.02, 0.03, 0.1])?;
    sim.inputs().set_body_load(body, Frame::Inertial, &[0.0, 0.0, 141206797.99126288, 0.0, 0.0, 0.0])?;
    let diagonal = |entries: [f64; 6]| {
        let mut matrix = [0.0; 36];
        entries.into_iter().enumerate().for_each(|(k, x)| matrix[7 * k] = x);
        matrix
    };
    sim.settings().set_added_mass(body, &diagonal([8e6, 8e6, 1.4e7, 7e9, 7e9, 3e9]), Frame::Body)?;
    let origin = [0.0, 0.0, -7.53, 1.0, 0.0, 0.0, 0.0];
    let stiffness = diagonal([7e4, 7e4, 4e6, 1.4e9, 1.4e9, 1.2e8]);
    sim.elements().add_bushing(
        GROUND,
        body,
        &origin,
        &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
        &stiffness,
        &diagonal([0.0; 6]),
    )?;
    Ok(())
}

/// Links of 1 m and 1 kg, cranks upright, their tops moving at 1 m/s: a closed loop whose hinges
/// are redundant.
fn four_bar(sim: &mut Simulation) -> Result<()> {
    sim.settings().set_gravity(&[0.0, -9.81, 0.0])?;
    let inertia = [1e-3, 1.0 / 12.0, 1.0 / 12.0, 0.0, 0.0, 0.0];
    let z = Some(&[0.0, 0.0, 1.0]);
    let upright = std::f64::consts::FRAC_PI_2;
    let places = [(V3::new(0.0, 0.5, 0.0), upright), (V3::new(1.0, 0.5, 0.0), upright), (V3::new(0.5, 1.0, 0.0), 0.0)];
    let [a, b, coupler] =
        places.map(|(x, angle)| sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &pose(x, angle)));
    let (a, b, coupler) = (a?, b?, coupler?);
    for crank in [a, b] {
        sim.build().set_body_velocity(crank, &[0.5, 0.0, 0.0, 0.0, 0.0, -1.0])?;
    }
    sim.build().set_body_velocity(coupler, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
    for (from, to, at) in [
        (GROUND, a, [0.0, 0.0, 0.0]),
        (GROUND, b, [1.0, 0.0, 0.0]),
        (a, coupler, [0.0, 1.0, 0.0]),
        (b, coupler, [1.0, 1.0, 0.0]),
    ] {
        sim.build().add_joint_at(JointKind::Revolute, from, to, &at, z)?;
    }
    Ok(())
}

/// The point at distance `ra` from a and `rb` from b, to the left of the way from a to b where
/// `side` is 1.
fn apex(a: V3, b: V3, ra: f64, rb: f64, side: f64) -> V3 {
    let (way, d) = ((b - a).normalize(), (b - a).norm());
    let along = (ra * ra - rb * rb + d * d) / (2.0 * d);
    let height = (ra * ra - along * along).sqrt();
    a + way * along + V3::new(-way.y, way.x, 0.0) * (side * height)
}

/// Andrews' squeezer (Schiehlen, Multibody Systems Handbook, 1990): seven bodies, three planar
/// loops, a motor and a spring.
fn squeezer(sim: &mut Simulation) -> Result<()> {
    let at = |x: f64, y: f64| V3::new(x, y, 0.0);
    let (a, b, c) = (at(-0.06934, -0.00227), at(-0.03635, 0.03273), at(0.014, 0.072));
    let beta = -0.061_713_890_014_276_45f64;
    let crank = at(beta.cos(), beta.sin());
    let tip = crank * 7e-3;
    let p = apex(tip, b, 28e-3, 35e-3, 1.0);
    let (e, h) = (apex(a, p, 4e-2, 2e-2, 1.0), apex(a, p, 4e-2, 2e-2, -1.0));
    let (right, left) = (|u: V3| V3::new(u.y, -u.x, 0.0), |u: V3| V3::new(-u.y, u.x, 0.0));
    let (two, three, four) = ((tip - p) / 28e-3, left((p - b) / 35e-3), left((p - e) / 2e-2));
    let (five, six, seven) = ((e - a) / 4e-2, (p - h) / 2e-2, left((h - a) / 4e-2));
    let bodies = [
        (0.04325, 2.194e-6, crank * 92e-5, crank),
        (0.00365, 4.410e-7, tip - two * 115e-4, two),
        (0.02373, 5.255e-6, b + right(three) * 1874e-5 + three * 1043e-5, three),
        (0.00706, 5.667e-7, e + right(four) * (2e-2 - 1421e-5), four),
        (0.07050, 1.169e-5, a + five * 2308e-5 + left(five) * 916e-5, five),
        (0.00706, 5.667e-7, h + six * (2e-2 - 1421e-5), six),
        (0.05498, 1.912e-5, a + right(seven) * 1228e-5 - seven * 449e-5, seven),
    ];
    let mut ids = Vec::new();
    for (mass, j, x, axis) in bodies {
        ids.push(sim.build().add_rigid_body(
            mass,
            &[0.0; 3],
            &[j, j, j, 0.0, 0.0, 0.0],
            &pose(x, axis.y.atan2(axis.x)),
        )?);
    }
    let joints = [
        (GROUND, ids[0], V3::zeros()),
        (ids[0], ids[1], tip),
        (ids[1], ids[2], p),
        (ids[1], ids[3], p),
        (ids[1], ids[5], p),
        (GROUND, ids[2], b),
        (ids[3], ids[4], e),
        (GROUND, ids[4], a),
        (ids[5], ids[6], h),
        (GROUND, ids[6], a),
    ];
    for (from, to, x) in joints {
        sim.build().add_joint_at(JointKind::Revolute, from, to, &[x.x, x.y, x.z], Some(&[0.0, 0.0, 1.0]))?;
    }
    sim.inputs().set_joint_load(0, 0.033)?;
    let end = [2e-2 - 1043e-5, 1874e-5 - 18e-3, 0.0];
    sim.elements().add_spring(ids[2], &end, GROUND, &[c.x, c.y, c.z], 4530.0, 0.0, 0.07785, false).map(|_| ())
}

/// Positions and orientations of all bodies.
pub type Place = Vec<(V3, UnitQuaternion<f64>)>;

/// Where a simulation stands.
pub fn place(sim: &Simulation) -> Result<Place> {
    let of_body = |body| {
        let [x, y, z, w, i, j, k] = sim.outputs().body_pose(body)?;
        Ok((V3::new(x, y, z), UnitQuaternion::new_normalize(Quaternion::new(w, i, j, k))))
    };
    (0..sim.description().count(EntityKind::Body)).map(of_body).collect()
}

/// Largest difference of positions (in units of `length`) and of orientations (rad).
pub fn error(a: &Place, b: &Place, length: f64) -> f64 {
    let of_body = |((x, q), (y, r)): (&(V3, _), &(V3, UnitQuaternion<f64>))| {
        let q: &UnitQuaternion<f64> = q;
        ((x - y).norm() / length).max((q * r.inverse()).scaled_axis().norm())
    };
    a.iter().zip(b).map(of_body).fold(0.0, f64::max)
}
