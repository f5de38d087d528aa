//! Tangents of beam elements: curved, twisted, tapered, with couplings and damping.

use super::*;
use crate::elements::beam::{LoadPlace, Sections, Station, Stretch};
use crate::elements::{BeamElement, Element, Local, Site, Surroundings};
use crate::spatial::{Mat3, Mat6, Pose, Quat};

/// Stations of a curved and twisted beam from the origin, with full matrices.
fn sections(noise: &mut Noise) -> Sections {
    let station = |noise: &mut Noise, s: f64| {
        let half = noise.mat6();
        let centre: [f64; 3] = (noise.vec3() * 0.2).into();
        let mass = RigidInertia::from_com(0.7 + 0.2 * s, &centre, &[0.3, 0.2, 0.15, 0.0, 0.01, 0.02]).unwrap();
        let turn = Vec3::new(0.5 * s, -0.2 * s, 0.3 * s);
        let pose = Pose { position: Vec3::new(s, 0.15 * s * s, 0.1 * s * s), rotation: rotation::exp(&turn) };
        let stiffness = half * half.transpose() + Mat6::identity() * 4.0;
        Station { s, pose, stiffness, mass: mass.matrix() }
    };
    Sections([0.0, 0.7, 1.3].map(|s| station(noise, s)).into())
}

/// An element between both bodies of a case, or one of them and the ground, near its reference
/// shape.
fn with_element(noise: &mut Noise, ends: (Option<usize>, Option<usize>), damping: f64) -> Case {
    with_sections(noise, ends, damping).0
}

/// The same, and its sections.
fn with_sections(
    noise: &mut Noise,
    (body_a, body_b): (Option<usize>, Option<usize>),
    damping: f64,
) -> (Case, Sections) {
    let mut case = with_reference_points(noise);
    case.model.gravity = noise.vec3() * 3.0;
    let sections = sections(noise);
    let mu = [1.0, 2.0, 3.0, 1.5, 2.5, 0.5].map(|mu| mu * damping);
    let bodies = [body_a, body_b];
    let at_reference = [Pose::identity(), sections.pose(1.3)];
    // Carriers somewhere beside the ends, and the bodies turned a little from there.
    let carriers = [0, 1].map(|k: usize| match bodies[k] {
        None => Pose::identity(),
        Some(_) => at_reference[k].compose(&Pose { position: noise.vec3() * 0.5, rotation: noise.pose().rotation }),
    });
    let mut element = BeamElement::new(&sections, [0.0, 1.3], (&mu, false), [&carriers[0], &carriers[1]]).unwrap();
    for (k, body) in bodies.into_iter().enumerate() {
        element.ends[k].to = body.into();
        if let Some(body) = body {
            let body = &mut case.bodies[body];
            body.x = carriers[k].position + noise.vec3() * 0.2;
            body.q = rotation::exp(&(noise.vec3() * 0.4)) * carriers[k].rotation;
        }
    }
    case.model.elements.beam_elements.push(element);
    (case, sections)
}

#[test]
fn tangents_of_beam_elements() {
    let mut noise = Noise(41);
    for ends in ENDS {
        for damping in [0.0, 0.1] {
            for k in 0..4 {
                with_element(&mut noise, ends, damping).check(&format!("beam {ends:?} damping {damping} {k}"));
            }
        }
    }
}

/// Places of loads: two single ones, and three of a load per length, all at offsets.
fn places(noise: &mut Noise) -> Vec<LoadPlace> {
    let kinds = [(0.2, false), (0.3, true), (0.7, true), (1.1, false), (1.3, true)];
    let place = |(index, (s, distributed))| LoadPlace { s, offset: noise.vec3() * 0.3, distributed, index };
    kinds.into_iter().enumerate().map(place).collect()
}

fn stretch<'a>(sections: &'a Sections, places: &'a [LoadPlace]) -> Stretch<'a> {
    let (chord, _) = sections.chord(0.0, 1.3).unwrap();
    Stretch { beam: (sections, places), ends: [0.0, 1.3], is_last: true, chord }
}

/// Wrenches in inertial axes, in those of sections, or in turns.
fn loads(noise: &mut Noise, which: usize) -> Vec<Load> {
    let frame = |k: usize| [Frame::Inertial, Frame::Body][if which < 2 { which } else { k % 2 }];
    (0..5).map(|k| Load { frame: frame(k), wrench: noise.vec6() * 2.0, given: true }).collect()
}

#[test]
fn tangents_of_loads_along_beams() {
    let mut noise = Noise(45);
    for ends in ENDS {
        for which in 0..3 {
            let (mut case, sections) = with_sections(&mut noise, ends, 0.0);
            let places = places(&mut noise);
            case.model.elements.beam_elements[0].take_places(&stretch(&sections, &places));
            case.loads.beams = loads(&mut noise, which);
            case.check(&format!("loads {ends:?} {which}"));
        }
    }
}

/// Loads on a beam of any shape do as much work on a small motion of the ends as the host's
/// wrenches on the motion of their places; those per length at the points of Gauss's rule.
#[test]
fn loads_do_the_work_of_the_host_at_its_places() {
    let mut noise = Noise(46);
    let sections = sections(&mut noise);
    let end = sections.pose(1.3);
    let water = Water::default();
    for which in 0..3 {
        let (places, loads) = (places(&mut noise), loads(&mut noise, which));
        let mut element =
            BeamElement::new(&sections, [0.0, 1.3], (&[0.0; 6], false), [&Pose::identity(), &end]).unwrap();
        // Inertia and elasticity are what there is without loads.
        let bare = element.clone();
        let stretch = stretch(&sections, &places);
        element.take_places(&stretch);
        let zero = Vec3::zeros();
        let at = [
            site(noise.vec3() * 0.2, &(noise.vec3() * 0.3), noise.vec3(), noise.vec3(), zero, zero),
            site(end.position + noise.vec3() * 0.2, &(noise.vec3() * 0.3), noise.vec3(), noise.vec3(), zero, zero),
        ];
        let around = Surroundings {
            time: 0.0,
            gravity: zero,
            origin: zero,
            water: &water,
            loads: &loads,
            lengths: [&[]; 2],
            fluid: &[],
        };
        let power = |element: &BeamElement| {
            let mut out = Local::zero(false, false);
            element.evaluate(&at, &around, &[], &mut out);
            (0..2).map(|k| -out.residual[k].dot(&crate::spatial::join(&at[k].v, &at[k].omega))).sum::<f64>()
        };
        let at_place = |place: &LoadPlace, load: &Load| {
            let (pose, velocity) = element.load_motion(&at, &stretch.reference(place));
            let r = match load.frame {
                Frame::Inertial => Mat3::identity(),
                Frame::Body => rotation::matrix(&pose.rotation),
            };
            (r * upper(&load.wrench)).dot(&upper(&velocity)) + (r * lower(&load.wrench)).dot(&lower(&velocity))
        };
        let single = [0, 3].map(|k| at_place(&places[k], &loads[k])).iter().sum::<f64>();
        let distributed = [(1, 2), (2, 4)].map(|(a, b)| {
            // Places of their own at two Gauss points, with the loads there.
            [0.5 - 0.5 / 3.0f64.sqrt(), 0.5 + 0.5 / 3.0f64.sqrt()].map(|t| {
                let s = places[a].s * (1.0 - t) + places[b].s * t;
                let offset = places[a].offset * (1.0 - t) + places[b].offset * t;
                let place = LoadPlace { s, offset, ..places[a] };
                let part = |k: usize, share: f64| at_place(&place, &loads[k]) * share;
                (part(a, 1.0 - t) + part(b, t)) * (0.5 * (places[b].s - places[a].s))
            })
        });
        let expected = single + distributed.as_flattened().iter().sum::<f64>();
        let found = power(&element) - power(&bare);
        // Rounding of sums whose terms are below 100.
        assert!((found - expected).abs() < 1e-12, "{which}: {found} {expected}");
        assert!(expected.abs() > 1e-2, "{which}");
    }
}

#[test]
fn tangents_of_beam_elements_in_energy_form() {
    let mut noise = Noise(42);
    let form = EnergyForm { h: 0.3, share: 1.9, dissipation: 0.1, drive: 0.4, decay: 0.3, backward: 0.0 };
    for ends in ENDS {
        for backward in [0.0, 0.2] {
            for turn in [0.0, 1e-2, 0.3, 0.6] {
                let mut case = with_element(&mut noise, ends, 0.1);
                let mut start = case.bodies.clone();
                for body in &mut start {
                    body.x += noise.vec3() * (0.4 * turn);
                    body.q = rotation::exp(&(noise.vec3() * turn)) * body.q;
                }
                case.step = Some((EnergyForm { backward, ..form }, start, Memory { y: 0.07, kappa: 0.0 }));
                case.check(&format!("{ends:?} turn {turn} backward {backward}"));
            }
        }
    }
}

fn site(x: Vec3, psi: &Vec3, v: Vec3, omega: Vec3, a: Vec3, omegadot: Vec3) -> Site {
    let q: Quat = rotation::exp(psi);
    Site { x, v, a, arm: Vec3::zeros(), q, r: rotation::matrix(&q), omega, omegadot }
}

/// Over a step the elastic wrenches do the work -dV to rounding, for turns of a radian.
#[test]
fn work_of_a_step_is_the_loss_of_potential() {
    let mut noise = Noise(43);
    let form = EnergyForm { h: 1.0, share: 1.0, dissipation: 0.0, drive: 0.4, decay: 0.3, backward: 0.0 };
    let sections = sections(&mut noise);
    let end = sections.pose(1.3);
    let element = BeamElement::new(&sections, [0.0, 1.3], (&[0.0; 6], false), [&Pose::identity(), &end]).unwrap();
    let (water, zero) = (Water::default(), Vec3::zeros());
    let around = Surroundings {
        time: 0.0,
        gravity: zero,
        origin: zero,
        water: &water,
        loads: &[],
        lengths: [&[]; 2],
        fluid: &[],
    };
    for size in [1e-3, 0.1, 1.0] {
        let turned = |psi: &Vec3, q: &Quat| rotation::log(&(rotation::exp(psi) * q));
        let u = [noise.vec3() * (0.2 * size), noise.vec3() * (0.2 * size)];
        let common = noise.vec3().normalize() * size;
        let psi = [common, common + noise.vec3() * (0.2 * size)];
        let (q, x) = ([Quat::identity(), end.rotation], [zero, end.position + Vec3::new(0.1, -0.1, 0.2)]);
        let at = |k: usize, u: &Vec3, psi: &Vec3| site(x[k] + u, &turned(psi, &q[k]), zero, zero, zero, zero);
        let from = [at(0, &zero, &zero), at(1, &zero, &zero)];
        let to = [at(0, &u[0], &psi[0]), at(1, &u[1], &psi[1])];
        let (mut out, mut next) = (Local::zero(false, false), [Memory::default(); 6]);
        element.add_over([&from, &to], &form, &[Memory::default(); 6], &mut next, &mut out);
        let work: f64 = (0..2).map(|k| -out.residual[k].dot(&crate::spatial::join(&u[k], &psi[k]))).sum();
        let [before, after] = [&from, &to].map(|at| element.potential(at, &around, &[]));
        // Terms of the work have the size of the potential; below a turn of 3e-4 rad a part of
        // third order in it is left out.
        let error = (work - before + after).abs();
        assert!(
            error < 1e3 * f64::EPSILON * (before + after) + 3e-4f64.powi(3),
            "{size}: {error:.1e} of {before:.2} {after:.2}"
        );
        assert!((before - after).abs() > 1e-3 * size * before, "{size}");
    }
}

/// A rigid motion has the inertia forces of a rigid body: net force m (a - g) at the centre of
/// mass, and no elastic wrench.
#[test]
fn a_rigid_motion_has_the_inertia_of_the_rigid_body() {
    let mut noise = Noise(44);
    let sections = sections(&mut noise);
    let end = sections.pose(1.3);
    let element = BeamElement::new(&sections, [0.0, 1.3], (&[0.1; 6], false), [&Pose::identity(), &end]).unwrap();
    let (gravity, water) = (noise.vec3() * 9.0, Water::default());
    let around = Surroundings {
        time: 0.0,
        gravity,
        origin: Vec3::zeros(),
        water: &water,
        loads: &[],
        lengths: [&[]; 2],
        fluid: &[],
    };
    let (omega, omegadot) = (noise.vec3() * 2.0, noise.vec3() * 3.0);
    let (v, a, q) = (noise.vec3(), noise.vec3() * 2.0, noise.pose().rotation);
    let moved = |pose: &Pose| {
        let arm = q * pose.position;
        let turning = omegadot.cross(&arm) + omega.cross(&omega.cross(&arm));
        site(arm, &rotation::log(&(q * pose.rotation)), v + omega.cross(&arm), omega, a + turning, omegadot)
    };
    let at = [moved(&Pose::identity()), moved(&end)];
    let mut out = Local::zero(false, false);
    element.evaluate(&at, &around, &[], &mut out);
    // The rigid body, by Gauss quadrature of its own (degree 199) over both intervals.
    let (mut force, mut moment, mut mass) = (Vec3::zeros(), Vec3::zeros(), 0.0);
    let n = 20_000;
    for (from, to) in [(0.0, 0.7), (0.7, 1.3)] {
        let (i, j) = if from == 0.0 { (0, 1) } else { (1, 2) };
        let h = (to - from) / n as f64;
        for k in 0..n {
            let t = (k as f64 + 0.5) / n as f64;
            let matrix = sections.0[i].mass * (1.0 - t) + sections.0[j].mass * t;
            let pose = sections.pose(from + t * (to - from));
            let r = rotation::matrix(&(q * pose.rotation));
            let m = matrix[(0, 0)];
            let eta = r * rotation::axial(&crate::spatial::block(&matrix, 1, 0)) / m;
            let about = r * (crate::spatial::block(&matrix, 1, 1)) * r.transpose();
            let centred = about + crate::spatial::skew_skew(&eta, &eta) * m;
            let arm = q * pose.position + eta;
            let acceleration = a + omegadot.cross(&arm) + omega.cross(&omega.cross(&arm)) - gravity;
            force += acceleration * (m * h);
            moment += (arm.cross(&acceleration) * m + centred * omegadot + omega.cross(&(centred * omega))) * h;
            mass += m * h;
        }
    }
    let [first, last] = out.residual;
    let sum = upper(&first) + upper(&last);
    let about_origin = lower(&first) + lower(&last) + (at[1].x).cross(&upper(&last));
    // The midpoint rule has errors of h^2/24 f'': 1e-10; four Gauss points leave 1e-9 of the curved
    // axis.
    assert!((sum - force).norm() < 1e-8 * force.norm(), "{sum} {force}");
    assert!((about_origin - moment).norm() < 1e-8 * moment.norm(), "{about_origin} {moment}");
    assert!(mass > 0.0);
}
