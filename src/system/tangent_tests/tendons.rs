//! Tangents of tendons: at a time and over a step, taut and slack, with a winch, with eyes on the
//! same body one after the other.

use super::*;
use crate::elements::{LineLength, Sheave, Tendon};

fn with_tendon(noise: &mut Noise, bodies: &[Option<usize>], damping: f64, rest_length: f64) -> Case {
    let mut case = two_bodies(noise);
    let points: Vec<Attachment> =
        bodies.iter().map(|body| Attachment { to: (*body).into(), at: noise.vec3() * 2.0 }).collect();
    case.model.elements.tendons.push(Tendon::new(&points, 7.0, damping, rest_length));
    // The winch has changed the length since.
    let length = LineLength { length: 0.9 * rest_length, rate: 0.3, given: true };
    case.loads.lines = vec![length];
    case
}

const THROUGH: [&[Option<usize>]; 5] = [
    &[None, Some(0)],
    &[Some(0), None, Some(1)],
    &[None, Some(1), None, Some(1)],
    &[Some(0), Some(0), Some(1)],
    &[None, Some(0), Some(1), None, Some(1), Some(0), Some(0), None],
];

#[test]
fn tangents_of_tendons() {
    let mut noise = Noise(51);
    for bodies in THROUGH {
        // A damper that is free, at its limit in one of two states, slack.
        for (damping, rest_length) in [(0.9, 1.0), (60.0, 1.0), (-60.0, 1.0), (0.9, 300.0)] {
            let case = with_tendon(&mut noise, bodies, damping, rest_length);
            case.check(&format!("{bodies:?} damping {damping} length {rest_length}"));
        }
    }
}

#[test]
fn tangents_of_tendons_in_energy_form() {
    let mut noise = Noise(52);
    let form = EnergyForm { h: 0.3, share: 1.9, dissipation: 0.1, drive: 0.4, decay: 0.3, backward: 0.0 };
    let mut branches = [false; 2];
    for bodies in THROUGH {
        for damping in [0.0, 0.05, 50.0] {
            for backward in [0.0, 0.2] {
                for _ in 0..4 {
                    let rest_length = 2.5 * (bodies.len() - 1) as f64;
                    let mut case = with_tendon(&mut noise, bodies, damping, rest_length);
                    let mut start = case.bodies.clone();
                    for body in &mut start {
                        body.x += noise.vec3() * 2.0;
                        body.q = rotation::exp(&(noise.vec3() * 0.8)) * body.q;
                    }
                    case.step = Some((EnergyForm { backward, ..form }, start, Memory { y: 0.07, kappa: 3.0 }));
                    let system = System::new(&case.model);
                    let (_, tension) = system.elements().tendon_force(0, &case.state(&system), &case.loads.lines);
                    branches[usize::from(tension > 0.0)] = true;
                    case.check(&format!("{bodies:?} damping {damping} backward {backward}"));
                }
            }
        }
    }
    assert_eq!(branches, [true; 2], "a branch was not met");
}

/// With sheaves at the inner points that are marked, about axes in all directions.
fn with_sheaves(noise: &mut Noise, bodies: &[Option<usize>], marks: &[bool], damping: f64, rest_length: f64) -> Case {
    let mut case = with_tendon(noise, bodies, damping, rest_length);
    for (sheave, _) in case.model.elements.tendons[0].sheaves_mut().iter_mut().zip(marks).filter(|(_, mark)| **mark) {
        *sheave = Sheave::new(0.15 + 0.1 * noise.vec3().x.abs(), &noise.vec3().into(), 3.0).unwrap();
    }
    case
}

/// Whether there is a path, with wraps near pi, in both states.
fn has_path(case: &Case, start: Option<&[BodyState]>) -> bool {
    let system = System::new(&case.model);
    let mut state = case.state(&system);
    let mut lost = system.elements().lost_path_in(&state).is_some();
    for (k, body) in start.into_iter().flatten().enumerate() {
        state.set_body(k, body);
        lost |= system.elements().lost_path_in(&state).is_some();
    }
    !lost
}

const OVER: [(&[Option<usize>], &[bool]); 4] = [
    (&[Some(0), None, Some(1)], &[false, true, false]),
    (&[None, Some(1), Some(0), None], &[false, true, true, false]),
    (&[Some(1), None, Some(0), Some(1), None], &[false, true, false, true, false]),
    (&[None, Some(0), Some(1), None, Some(1), Some(0), None], &[false, true, true, true, true, true, false]),
];

#[test]
fn tangents_of_tendons_over_sheaves() {
    let mut noise = Noise(53);
    for (bodies, marks) in OVER {
        let mut checked = 0;
        for _ in 0..2000 {
            for (damping, rest_length) in [(0.9, 1.0), (60.0, 1.0)] {
                let case = with_sheaves(&mut noise, bodies, marks, damping, rest_length);
                if checked < 4 && has_path(&case, None) {
                    case.check(&format!("{bodies:?} damping {damping} length {rest_length}"));
                    checked += 1;
                }
            }
        }
        assert_eq!(checked, 4, "{bodies:?}");
    }
}

#[test]
fn tangents_of_tendons_over_sheaves_in_energy_form() {
    let mut noise = Noise(54);
    let form = EnergyForm { h: 0.3, share: 1.9, dissipation: 0.1, drive: 0.4, decay: 0.3, backward: 0.0 };
    for (bodies, marks) in OVER {
        let mut checked = 0;
        for _ in 0..4000 {
            let mut case = with_sheaves(&mut noise, bodies, marks, 0.05, 2.5);
            let mut start = case.bodies.clone();
            for body in &mut start {
                body.x += noise.vec3() * 0.7;
                body.q = rotation::exp(&(noise.vec3() * 0.5)) * body.q;
            }
            if checked < 4 && has_path(&case, Some(&start)) {
                case.step = Some((form, start, Memory { y: 0.07, kappa: 3.0 }));
                case.check(&format!("{bodies:?}"));
                checked += 1;
            }
        }
        assert_eq!(checked, 4, "{bodies:?}");
    }
}

/// The same with friction at the inner points, of which some are eyes.
fn with_friction(noise: &mut Noise, bodies: &[Option<usize>], marks: &[bool], friction: f64) -> Case {
    let mut case = with_sheaves(noise, bodies, marks, 0.0, 1.0);
    for (k, sheave) in case.model.elements.tendons[0].sheaves_mut().iter_mut().enumerate() {
        if k > 0 && k + 1 < bodies.len() && k != 3 {
            sheave.friction = friction;
        }
    }
    case
}

#[test]
fn tangents_of_tendons_with_friction() {
    let mut noise = Noise(55);
    let form = EnergyForm { h: 0.3, share: 1.9, dissipation: 0.1, drive: 0.4, decay: 0.3, backward: 0.0 };
    for (bodies, marks) in OVER {
        for marks in [&[false; 8][..], marks] {
            for (friction, in_form) in [(0.02, false), (0.3, false), (0.02, true), (0.3, true)] {
                let mut checked = 0;
                for _ in 0..4000 {
                    let mut case = with_friction(&mut noise, bodies, marks, friction);
                    let mut start = case.bodies.clone();
                    for body in &mut start {
                        body.x += noise.vec3() * 0.7;
                        body.q = rotation::exp(&(noise.vec3() * 0.5)) * body.q;
                    }
                    if !has_path(&case, Some(&start)) {
                        continue;
                    }
                    case.step = in_form.then_some((form, start, Memory { y: 0.07, kappa: 3.0 }));
                    case.check(&format!("{bodies:?} {marks:?} friction {friction} form {in_form}"));
                    checked += 1;
                    if checked == 2 {
                        break;
                    }
                }
                assert_eq!(checked, 2, "{bodies:?}");
            }
        }
    }
}
