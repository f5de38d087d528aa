//! Andrews' squeezer mechanism: 7 bodies, 10 revolute joints, 3 planar loops, a motor and a spring.
//!
//! Data as the test sets and several public codes agree on them: Schiehlen (ed.), Multibody Systems
//! Handbook (1990); Hairer, Wanner, Solving ODEs II, sect. VII.7; Test Set for IVP Solvers, chapter
//! "Andrews' squeezing mechanism", with its reference at t = 0.03 s (PSIDE, tolerance 1e-14). Our
//! own reference closes the loops in closed form (three dyads over the crank angle beta) and
//! integrates one equation.

use crate::common::*;
use crate::mechanisms::jet::{Jet, Vector, constant, fixed};
use crate::mechanisms::kane::*;
use pintle::{GROUND, Id, JointKind, Simulation};

const INERTIA: [(f64, f64); 7] = [
    (0.04325, 2.194e-6),
    (0.00365, 4.410e-7),
    (0.02373, 5.255e-6),
    (0.00706, 5.667e-7),
    (0.07050, 1.169e-5),
    (0.00706, 5.667e-7),
    (0.05498, 1.912e-5),
];
const A: V3 = [-0.06934, -0.00227, 0.0];
const B: V3 = [-0.03635, 0.03273, 0.0];
const C: V3 = [0.014, 0.072, 0.0];
const D: f64 = 28e-3;
const DA: f64 = 115e-4;
const E: f64 = 2e-2;
const EA: f64 = 1421e-5;
const RR: f64 = 7e-3;
const RA: f64 = 92e-5;
const SS: f64 = 35e-3;
const SA: f64 = 1874e-5;
const SB: f64 = 1043e-5;
const SC: f64 = 18e-3;
const SD: f64 = 2e-2;
const TA: f64 = 2308e-5;
const TB: f64 = 916e-5;
const U: f64 = 4e-2;
const UA: f64 = 1228e-5;
const UB: f64 = 449e-5;
const ZF: f64 = 2e-2;
const ZT: f64 = 4e-2;
const FA: f64 = 1421e-5;
const TORQUE: f64 = 0.033;
const C0: f64 = 4530.0;
const LO: f64 = 0.07785;

/// beta, Theta, gamma, phi, delta, Omega, epsilon at the start; rates are zero.
const START: [f64; 7] = [
    -0.061_713_890_014_276_45,
    0.0,
    0.455_279_819_163_070_38,
    0.222_668_390_165_885_88,
    0.487_364_979_543_842_55,
    -0.222_668_390_165_885_88,
    1.230_547_444_549_821_2,
];
/// The same at t = 0.03 s, and their rates.
const END: [f64; 7] = [
    0.158_107_711_962_990_4e2,
    -0.157_563_710_598_429_8e2,
    0.408_222_401_307_310_1e-1,
    -0.534_730_116_322_694_8,
    0.524_409_965_880_530_4,
    0.534_730_116_322_694_8,
    0.104_808_074_104_226_3e1,
];
const END_RATES: [f64; 7] = [
    0.113_992_030_215_120_8e4,
    -0.142_437_929_499_411_1e4,
    0.110_329_122_193_713_4e2,
    0.192_933_746_442_138_5e2,
    0.573_569_928_479_080_8,
    -0.192_933_746_442_138_5e2,
    0.323_179_165_802_695_5,
];

/// Perpendicular, turned by -90 degrees: (sin, -cos) of (cos, sin).
fn right(u: Vector) -> Vector {
    Vector([u.0[1], -u.0[0], constant(0.0)])
}

fn left(u: Vector) -> Vector {
    right(u) * -1.0
}

fn mechanism() -> Mechanism {
    let kinematics = |q: &[Jet]| {
        let (a, b) = (fixed(A), fixed(B));
        let crank = Vector([q[0].cos(), q[0].sin(), constant(0.0)]);
        let tip = crank * RR;
        // P, where bodies 2, 3, 4 and 6 meet; then the dyads P-A of bodies 4, 5 and of 6, 7
        let p = apex(tip, b, D, SS, 1.0);
        let (e, h) = (apex(a, p, ZT, E, 1.0), apex(a, p, U, ZF, -1.0));
        let two = (tip - p) * (1.0 / D);
        let three = left((p - b) * (1.0 / SS));
        let four = left((p - e) * (1.0 / E));
        let five = (e - a) * (1.0 / ZT);
        let six = (p - h) * (1.0 / ZF);
        let seven = left((h - a) * (1.0 / U));
        let at = |center: Vector, u: Vector| Placement { center, axes: along(u) };
        let bodies = vec![
            at(crank * RA, crank),
            at(tip - two * DA, two),
            at(b + right(three) * SA + three * SB, three),
            at(e + right(four) * (E - EA), four),
            at(a + five * TA + left(five) * TB, five),
            at(h + six * (ZF - FA), six),
            at(a + right(seven) * UA - seven * UB, seven),
        ];
        let end = b + right(three) * SC + three * SD;
        let length = (end - fixed(C)).norm();
        let forces = vec![(q[0], TORQUE), (length, -C0 * (length.x - LO))];
        let potential = 0.5 * C0 * (length.x - LO) * (length.x - LO) - TORQUE * q[0].x;
        Configuration { bodies, forces, potential }
    };
    let inertia = INERTIA.map(|(m, j)| (m, [j, j, j])).to_vec();
    Mechanism { gravity: [0.0; 3], inertia, kinematics: Box::new(kinematics) }
}

/// Absolute angles of the seven bodies from the seven relative ones.
fn absolute(q: &[f64; 7]) -> [f64; 7] {
    [q[0], q[0] + q[1], q[2], q[3] + q[4], q[4], q[5] + q[6], q[6]]
}

fn build() -> (Simulation, Vec<Id>) {
    let (mechanism, mut sim) = (mechanism(), tight(0.8));
    let ids = mechanism.add_to(&mut sim, &[START[0], 0.0]);
    let from = |id: usize, x: V3, y: f64| {
        // a point of body id: its centre of mass plus x, y in the axes of the body
        mechanism.at(&[START[0]], &[0.0], &[0.0]).bodies[id].point([x[0], y, 0.0]).value()
    };
    let tip = from(0, [RR - RA, 0.0, 0.0], 0.0);
    let p = from(1, [DA - D, 0.0, 0.0], 0.0);
    let e = from(3, [0.0; 3], E - EA);
    let h = from(5, [FA - ZF, 0.0, 0.0], 0.0);
    let z = [0.0, 0.0, 1.0];
    let g = [GROUND, GROUND, GROUND, GROUND];
    let joints = [
        (g[0], ids[0], [0.0; 3]),
        (ids[0], ids[1], tip),
        (ids[1], ids[2], p),
        (ids[1], ids[3], p),
        (ids[1], ids[5], p),
        (g[1], ids[2], B),
        (ids[3], ids[4], e),
        (g[2], ids[4], A),
        (ids[5], ids[6], h),
        (g[3], ids[6], A),
    ];
    for (a, b, point) in joints {
        sim.build().add_joint_at(JointKind::Revolute, a, b, &point, Some(&z)).unwrap();
    }
    sim.inputs().set_joint_load(0, TORQUE).unwrap();
    // body 3 from its centre of mass: x along gamma, y along -(P - B)
    sim.elements().add_spring(ids[2], &[SD - SB, SA - SC, 0.0], GROUND, &C, C0, 0.0, LO, false).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, ids)
}

fn angle_of(axes: &[Vector; 3]) -> (f64, f64) {
    let u = axes[0];
    (u.0[1].x.atan2(u.0[0].x), u.0[0].x * u.0[1].dx - u.0[1].x * u.0[0].dx)
}

/// Difference of angles, whole turns apart.
fn difference(a: f64, b: f64) -> f64 {
    (0.5 * (a - b)).sin().abs() * 2.0
}

#[test]
fn reference_meets_the_published_numbers() {
    let mechanism = mechanism();
    let start = mechanism.at(&[START[0]], &[0.0], &[0.0]);
    for (body, angle) in start.bodies.iter().zip(absolute(&START)) {
        assert!(difference(angle_of(&body.axes).0, angle) < 1e-14, "start");
    }
    // initial acceleration of the crank as published with the problem
    let first = mechanism.accelerations(&[START[0]], &[0.0])[0];
    assert_close("crank", &[first], &[14222.443919954114], 1e-6);
    let end = mechanism.samples(&[START[0], 0.0], 0.03, 1, 12_000).pop().unwrap();
    // RK4 at 2.5e-6 s, converged to 1e-12 (48000 steps change beta by 6e-13); the published beta is
    // 1.1e-9 rad from it, the published rates 1e-10 of the rates: what PSIDE left at its tolerance
    let last = mechanism.free(&end);
    for ((body, angle), rate) in last.bodies.iter().zip(absolute(&END)).zip(absolute(&END_RATES)) {
        let (own, own_rate) = angle_of(&body.axes);
        assert!(difference(own, angle) < 1e-8, "{own} against {angle}");
        assert!((own_rate - rate).abs() < 1e-5, "{own_rate} against {rate}");
    }
}

#[test]
fn squeezer_meets_the_published_numbers_at_second_order() {
    let mut tables = [(); 2].map(|()| Vec::new());
    for dt in [2e-5f64, 1e-5, 5e-6, 2.5e-6] {
        let (mut sim, ids) = build();
        assert_eq!(sim.outputs().statistic("redundant_constraints").unwrap(), 9.0, "3 in each planar loop");
        assert_eq!(sim.outputs().statistic("mobility").unwrap(), 1.0);
        for _ in 0..(0.03 / dt).round() as usize {
            sim.step(dt).unwrap();
        }
        let mut worst = [0.0f64; 2];
        for ((id, angle), rate) in ids.iter().zip(absolute(&END)).zip(absolute(&END_RATES)) {
            let own = rotation_vector(turn(&sim.outputs().body_pose(*id).unwrap()))[2];
            let spin = sim.outputs().body_velocity(*id, pintle::Frame::Inertial).unwrap()[5];
            worst[0] = worst[0].max(difference(own, angle));
            worst[1] = worst[1].max((spin - rate).abs());
        }
        // the coordinate of the crank counts its turns
        let beta = sim.outputs().joint_coordinate(0).unwrap()[0] + START[0];
        assert!((beta - END[0]).abs() <= worst[0] + 1e-9, "beta {beta} over more than two turns");
        for (table, error) in tables.iter_mut().zip(worst) {
            table.push((dt, error));
        }
    }
    assert_order("squeezer, angles", &tables[0], 2.0, 0.1);
    assert_order("squeezer, rates", &tables[1], 2.0, 0.1);
}
