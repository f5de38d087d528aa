//! Accelerations, reactions and the forces of springs and dampers at the end of every step, as the
//! host reads them, balance: Newton's and Euler's equations of each body, written out here. Steps
//! are long compared with the periods of the springs, so that any contribution of the scheme to
//! velocities and accelerations normal to the constraints would show.

use crate::common::*;
use pintle::{Frame, GROUND, Id, JointKind, Simulation};

const MASS: f64 = 2.0;
const G: V3 = [0.0, 0.0, -9.81];
const CENTRE: V3 = [0.1, 0.05, -0.2];
const J: M3 = [[0.4, 0.02, 0.0], [0.02, 0.5, -0.01], [0.0, -0.01, 0.3]];

/// How stiff the torsion spring of a hinge is, and its damper.
type Spring = (f64, f64);

/// Where a spring rests: it begins with 300 N m.
fn rest(stiffness: f64) -> f64 {
    if stiffness > 0.0 { 300.0 / stiffness } else { 0.0 }
}

/// Two bodies on hinges with springs, the second hung on the first, and a third on a ball below.
struct Chain {
    sim: Simulation,
    bodies: [Id; 3],
    joints: [Id; 3],
    springs: [Spring; 2],
}

fn chain(scheme: &str, rho: Option<f64>, springs: [Spring; 2]) -> Chain {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&G).unwrap();
    sim.settings().set_scheme(scheme).unwrap();
    let options = [("abs_tolerance", 1e-11), ("rel_tolerance", 1e-11), ("max_iterations", 50.0)];
    options.into_iter().chain(rho.map(|rho| ("rho_inf", rho))).for_each(|(key, value)| {
        sim.settings().set_option(key, value).unwrap();
    });
    let inertia = [J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2]];
    let mut build = sim.build();
    let bodies = [0.5, 1.5, 2.5].map(|x| {
        let place = pose([x, 0.0, 0.0], unit([0.9, 0.1, 0.3, -0.2]));
        build.add_rigid_body(MASS, &CENTRE, &inertia, &place).unwrap()
    });
    let kinds = [JointKind::Revolute, JointKind::Revolute, JointKind::Spherical];
    let joints = [0, 1, 2].map(|k| {
        let before = if k == 0 { GROUND } else { bodies[k - 1] };
        let axis = if k == 0 { [0.0, 1.0, 0.1] } else { [0.3, 1.0, -0.4] };
        let axis = if k < 2 { Some(&axis) } else { None };
        let joint = build.add_joint_at(kinds[k], before, bodies[k], &[k as f64, 0.0, 0.0], axis).unwrap();
        if let Some((stiffness, damping)) = springs.get(k) {
            build.set_joint_spring(joint, *stiffness, *damping, rest(*stiffness)).unwrap();
        }
        joint
    });
    sim.initialize(0.0).unwrap();
    Chain { sim, bodies, joints, springs }
}

/// The wrench of a joint on its body a or b about a point of space, the torque of its spring
/// included.
fn wrench(chain: &Chain, k: usize, on_b: bool, about: V3) -> [f64; 6] {
    let out = chain.sim.outputs();
    let (a, b) = (if k == 0 { None } else { Some(chain.bodies[k - 1]) }, chain.bodies[k]);
    let all = match on_b {
        true => out.joint_reaction(chain.joints[k], Frame::Inertial),
        false => out.joint_reaction_on_a(chain.joints[k], Frame::Inertial),
    };
    let (force, mut moment) = halves(all.unwrap());
    // Both origins are at the joint, k metres along x of the initial configuration.
    let own = out.body_pose(b).unwrap();
    let start = pose([k as f64 + 0.5, 0.0, 0.0], unit([0.9, 0.1, 0.3, -0.2]));
    let moved = |x: V3| rotate(orientation(&own), unrotate(orientation(&start), x));
    let at = add(position(&own), moved([-0.5, 0.0, 0.0]));
    if let Some((stiffness, damping)) = chain.springs.get(k) {
        let [angle, rate, _] = out.joint_coordinate(chain.joints[k]).unwrap();
        let axis = if a.is_none() { [0.0, 1.0, 0.1] } else { [0.3, 1.0, -0.4] };
        let torque = -(stiffness * (angle - rest(*stiffness)) + damping * rate) * if on_b { 1.0 } else { -1.0 };
        moment = add(moment, scale(torque / norm(axis), moved(axis)));
    }
    join(force, add(moment, cross(sub(at, about), force)))
}

/// The residual of Newton's and Euler's equations of all bodies, and their largest term.
fn imbalance(chain: &Chain) -> (f64, f64) {
    let (mut left, mut largest) = (0.0_f64, 0.0_f64);
    let out = chain.sim.outputs();
    for (k, body) in chain.bodies.into_iter().enumerate() {
        let pose = out.body_pose(body).unwrap();
        let (_, w) = halves(out.body_velocity(body, Frame::Inertial).unwrap());
        let (a, wdot) = halves(out.body_acceleration(body, Frame::Inertial).unwrap());
        let q = orientation(&pose);
        let arm = rotate(q, CENTRE);
        let centre = add(position(&pose), arm);
        let times_j = |x: V3| rotate(q, mul3(&J, unrotate(q, x)));
        let acceleration = add(a, add(cross(wdot, arm), cross(w, cross(w, arm))));
        let inertia = join(scale(MASS, sub(acceleration, G)), add(times_j(wdot), cross(w, times_j(w))));
        let above = wrench(chain, k, true, centre);
        let below = if k + 1 < chain.bodies.len() { wrench(chain, k + 1, false, centre) } else { [0.0; 6] };
        for i in 0..6 {
            left = left.max((inertia[i] - above[i] - below[i]).abs());
            largest = [inertia[i], above[i], below[i]].into_iter().fold(largest, |most, x| most.max(x.abs()));
        }
    }
    (left, largest)
}

/// Of every step beyond the start, the largest imbalance as part of the largest term of the run.
fn worst(mut chain: Chain, steps: impl Iterator<Item = f64>) -> f64 {
    let (mut left, mut largest) = (0.0_f64, 0.0_f64);
    for h in steps {
        chain.sim.step(h).unwrap();
        let now = imbalance(&chain);
        (left, largest) = (left.max(now.0), largest.max(now.1));
    }
    left / largest
}

/// Periods of some 0.2 s (k = 2000 N m) and 0.03 s (1e5 N m) beside steps of 0.02 to 0.05 s.
const SPRINGS: [[Spring; 2]; 4] =
    [[(0.0, 0.0), (0.0, 0.0)], [(2e3, 0.0), (1e3, 5.0)], [(1e5, 10.0), (2e3, 0.0)], [(0.0, 100.0), (1e3, 300.0)]];

const SCHEMES: [(&str, Option<f64>); 7] = [
    ("generalized-alpha", Some(0.0)),
    ("generalized-alpha", Some(0.8)),
    ("generalized-alpha", Some(1.0)),
    ("momentum-alpha", Some(0.8)),
    ("momentum-alpha", Some(1.0)),
    ("newmark", None),
    ("hht", None),
];

/// The last iterate's equations hold to 1e-11 of their terms, but for what the last increment, of
/// 1e-11 of the motion, changes: 1e-11 / (beta h^2) of accelerations beside forces of 1e5 N m /
/// rad; 1e-8 of the whole.
#[test]
fn accelerations_and_reactions_balance_the_forces() {
    for springs in SPRINGS {
        for (scheme, rho) in SCHEMES {
            for lengths in [[0.05, 0.05, 0.05], [0.02, 0.035, 0.05], [0.05, 0.03, 0.04]] {
                let found = worst(chain(scheme, rho, springs), lengths.into_iter().cycle().take(60));
                println!("{scheme} {rho:?} {springs:?} {lengths:?}: {found:e}");
                assert!(found < 1e-8, "{scheme} {rho:?} {springs:?} {lengths:?}: {found:e}");
            }
        }
    }
}
