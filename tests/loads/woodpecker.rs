//! Glocker's woodpecker toy: a bird on a spring beats a pole, its sleeve jams and slides down by
//! friction. Three contacts with friction on three coordinates, which are linear in the published
//! model: bodies on slides and hinges, coupled linearly, have just these.

use crate::common::*;
use pintle::{ContactLaw, GROUND, Id, JointKind, JointMachines, Simulation};

// Sleeve: mass, inertia. Bird: mass, inertia. Arms of the hinge and of the bird's centre of mass;
// stiffness of the spring (Glocker 2001, Set-Valued Force Laws, SI units).
const M_SLEEVE: f64 = 3e-4;
const J_SLEEVE: f64 = 5e-9;
const M_BIRD: f64 = 4.5e-3;
const J_BIRD: f64 = 7e-7;
const L_SLEEVE: f64 = 0.010;
const L_BIRD: f64 = 0.015;
const SPRING: f64 = 5.6e-3;
// Half the height of the sleeve, arms of the beak, radii of pole and sleeve.
const H_SLEEVE: f64 = 0.0058;
const L_BEAK: f64 = 0.0201;
const H_BEAK: f64 = 0.02;
const R_POLE: f64 = 0.0025;
const R_SLEEVE: f64 = 0.0031;
const FRICTION: f64 = 0.3;

/// The point of a contact has a mass of a millionth of the sleeve's.
const POINT: f64 = 3e-10;

/// Height and angles of sleeve and bird at the start, and their rates.
const ANGLES: [f64; 2] = [-0.1036, -0.2788];
const RATES: [f64; 3] = [-0.3411, 0.0, -7.4583];

struct Toy {
    sim: Simulation,
    height: Id,
    sleeve: Id,
    bird: Id,
}

impl Toy {
    fn new() -> Toy {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
        let [up, rate_of_sleeve, rate_of_bird] = RATES;
        let mut slide = |on: Id, mass: f64, place: [f64; 3], velocity: [f64; 3], axis: [f64; 3]| {
            let j = 1e-4 * mass;
            let body = sim
                .build()
                .add_rigid_body(mass, &[0.0; 3], &[j, j, j, 0.0, 0.0, 0.0], &pose(place, UNROTATED))
                .unwrap();
            let [x, y, z] = velocity;
            sim.build().set_body_velocity(body, &[x, y, z, 0.0, 0.0, 0.0]).unwrap();
            (body, sim.build().add_joint_at(JointKind::Prismatic, on, body, &place, Some(&axis)).unwrap())
        };
        let (x, z) = ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
        let (_, height) = slide(GROUND, M_SLEEVE, [0.0, 1.0, 0.0], [0.0, 0.0, up], z);
        let falls = up + L_SLEEVE * rate_of_sleeve + L_BIRD * rate_of_bird;
        let (_, centre) = slide(GROUND, M_BIRD, [0.0, 2.0, 0.0], [0.0, 0.0, falls], z);
        // Gap and slip of the contacts of the beak, and of the lower and upper edge of the sleeve:
        // constant, factors of height and both angles.
        let clearance = R_SLEEVE - R_POLE;
        let gaps = [
            (L_SLEEVE + L_BIRD - L_BEAK - R_POLE, [0.0, 0.0, -H_BEAK]),
            (clearance, [0.0, H_SLEEVE, 0.0]),
            (clearance, [0.0, -H_SLEEVE, 0.0]),
        ];
        let slips = [[1.0, L_SLEEVE, L_BIRD - L_BEAK], [1.0, R_SLEEVE, 0.0], [1.0, R_SLEEVE, 0.0]];
        let times = |factors: [f64; 3], by: [f64; 3]| factors.iter().zip(by).map(|(a, b)| a * b).sum::<f64>();
        let points: Vec<(Id, Id, Id)> = gaps
            .iter()
            .zip(slips)
            .enumerate()
            .map(|(k, ((constant, gap), slip))| {
                let place = [constant + times(*gap, [0.0, ANGLES[0], ANGLES[1]]), 3.0 + k as f64, 0.0];
                let (away, along) = (times(*gap, RATES), times(slip, RATES));
                let (carrier, on_gap) = slide(GROUND, POINT, place, [away, 0.0, 0.0], x);
                let (point, on_slip) = slide(carrier, POINT, place, [away, 0.0, along], z);
                (point, on_gap, on_slip)
            })
            .collect();
        let mut hinge = |on: Id, inertia: f64, angle: f64, rate: f64| {
            let body = sim
                .build()
                .add_rigid_body(
                    1e-3,
                    &[0.0; 3],
                    &[inertia, inertia, inertia, 0.0, 0.0, 0.0],
                    &pose([0.0; 3], UNROTATED),
                )
                .unwrap();
            sim.build().set_body_velocity(body, &[0.0, 0.0, 0.0, 0.0, rate, 0.0]).unwrap();
            let joint =
                sim.build().add_joint_at(JointKind::Revolute, on, body, &[0.0; 3], Some(&[0.0, 1.0, 0.0])).unwrap();
            sim.build().set_joint_offset(joint, angle).unwrap();
            (body, joint)
        };
        // The bird turns on the sleeve: its joint has the difference of both angles.
        let (body, sleeve) = hinge(GROUND, J_SLEEVE, ANGLES[0], rate_of_sleeve);
        let (_, bird) = hinge(body, J_BIRD, ANGLES[1] - ANGLES[0], rate_of_bird);
        sim.build().set_joint_spring(bird, SPRING, 0.0, 0.0).unwrap();
        let mut follows = |joint: Id, [of_height, of_sleeve, of_bird]: [f64; 3]| {
            let all = [(height, of_height), (sleeve, of_sleeve + of_bird), (bird, of_bird), (joint, -1.0)];
            let (joints, factors): (Vec<_>, Vec<_>) = all.into_iter().filter(|(_, factor)| *factor != 0.0).unzip();
            sim.elements().add_coupling(&joints, &factors).unwrap();
        };
        follows(centre, [1.0, L_SLEEVE, L_BIRD]);
        for (((_, gap), slip), (_, on_gap, on_slip)) in gaps.iter().zip(slips).zip(&points) {
            follows(*on_gap, *gap);
            follows(*on_slip, slip);
        }
        // The pole's side: its normal is x.
        let side = quat_exp([0.0, std::f64::consts::FRAC_PI_2, 0.0]);
        for (k, (point, ..)) in points.into_iter().enumerate() {
            let contact =
                sim.elements().add_contact_plane(GROUND, &pose([0.0; 3], side), point, &[0.0; 3], 0.0).unwrap();
            let law = ContactLaw {
                law: 1,
                stiffness: 1e7,
                exponent: 1.0,
                damping: 0.0,
                restitution: if k == 0 { 0.5 } else { 0.0 },
                kinetic: FRICTION,
                holding: FRICTION,
                slip: 1e-7,
            };
            sim.elements().set_contact_law(contact, law).unwrap();
        }
        sim.initialize(0.0).unwrap();
        Toy { sim, height, sleeve, bird }
    }

    /// Height, angle of the sleeve, angle of the bird.
    fn state(&self) -> [f64; 3] {
        let [y, a, b] =
            [self.height, self.sleeve, self.bird].map(|joint| self.sim.outputs().joint_coordinate(joint).unwrap()[0]);
        [y, a, a + b]
    }
}

#[test]
fn the_woodpecker_pecks_as_published() {
    let mut toy = Toy::new();
    let mut beats: Vec<(f64, f64)> = Vec::new();
    while toy.sim.time().unwrap() < 1.0 {
        toy.sim.step(2.5e-4).unwrap();
        let events = JointMachines::of(&toy.sim).events().unwrap();
        let hits = events.iter().filter(|event| event.change.name() == "hits" && event.contact() == Some(0));
        beats.extend(hits.map(|event| (event.time, 0.0)));
        if let Some((_, height)) = beats.last_mut().filter(|(_, height)| *height == 0.0) {
            *height = toy.state()[0];
        }
    }
    // The limit cycle of fine steps: 0.14597 s and 19.44 mm for each peck.
    let [first, last] = [beats[1], beats[beats.len() - 1]];
    let pecks = (beats.len() - 2) as f64;
    let [period, falls] = [(last.0 - first.0) / pecks, (first.1 - last.1) / pecks];
    // The height is that behind the step of the hit, in which the toy falls by 0.1 mm at most.
    assert!((period - 0.14597).abs() < 5e-5, "{period}");
    assert!((falls - 0.01944).abs() < 5e-5, "{falls}");
    let ends = |h: f64| {
        let mut toy = Toy::new();
        (0..(0.3 / h).round() as usize).for_each(|_| toy.sim.step(h).unwrap());
        toy.state()
    };
    let fine = ends(5e-5);
    let errors = [1e-3, 5e-4, 2.5e-4].map(|h| (ends(h)[0] - fine[0]).abs());
    // 0.12 mm at 1 ms, where nonsmooth generalized-alpha is 13.7 mm off (the same model, first
    // order); then second order.
    assert!(errors[0] < 1.5e-4, "{errors:?}");
    assert!(errors[1] < 0.4 * errors[0] && errors[2] < 0.4 * errors[1], "{errors:?}");
}

/// The last of 15,000 steps of the toy among Siconos' examples (`Woodpecker.ref`: time stepping of
/// Moreau and Jean with h = 20 us).
#[test]
fn the_woodpecker_is_where_that_of_siconos_is() {
    let mut toy = Toy::new();
    let rates = |toy: &Toy| {
        let of = |joint| toy.sim.outputs().joint_coordinate(joint).unwrap()[1];
        [of(toy.height), of(toy.sleeve) + of(toy.bird)]
    };
    (0..6000).for_each(|_| toy.sim.step(0.29998 / 6000.0).unwrap());
    let ([y, sleeve, bird], [fall, turn]) = (toy.state(), rates(&toy));
    let published = [-0.04134819, -0.10346847, -0.34093398, -0.26013733, -8.3275554];
    for (found, expected) in [y, sleeve, bird, fall, turn].into_iter().zip(published) {
        // Theirs are of first order: nonsmooth generalized-alpha at 20 us is 0.24 mm of 41 off.
        assert!((found / expected - 1.0).abs() < 5e-3, "{found} {expected}");
    }
}
