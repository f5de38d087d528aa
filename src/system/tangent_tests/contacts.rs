//! Tangents of contacts: planes and spheres, with friction that sticks and slips.

use super::*;
use crate::elements::Contact;
use crate::elements::contact::{Rub, Surface, Track};
use crate::elements::machine::{Friction, Grip, Modes, STATES};
use crate::elements::stop::{Stop, StopLaw};
use crate::spatial::{Quat, join};

/// A contact between both bodies of a case, or one of them and the ground, indented by 0.1, in a
/// mode of friction; `held`: the slip is slower than the direction of the last one allows.
fn with_contact(noise: &mut Noise, surface: Surface, law: StopLaw, grip: Grip, held: bool, on_ground: bool) -> Case {
    let mut case = with_reference_points(noise);
    let (place, axes) = (noise.pose(), noise.pose().rotation);
    let radii = if surface == Surface::Plane { [0.0, 0.3] } else { [1.1, 0.3] };
    let mut contact = Contact::new(surface, [&place.position, &(noise.vec3() * 0.5)], axes, radii);
    let (damping, exponent) = match law {
        StopLaw::Spring => (0.3, 1.0),
        StopLaw::Impulse => (0.0, 1.0),
        StopLaw::Restitution => (0.0, 1.5),
    };
    let stop = Stop { law, stiffness: 20.0, damping, restitution: 0.5, exponent, ..Stop::NONE };
    contact.set_law(Some(stop), Friction { kinetic: 0.4, holding: 0.6, slip: 0.01, ..Friction::NONE });
    contact.ends[0].to = if on_ground { None } else { Some(0) }.into();
    contact.ends[1].to = Some(1).into();
    // b at an indentation of 0.1 along the normal of the plane, or another direction.
    let a = match on_ground {
        true => BodyState { x: Vec3::zeros(), q: Quat::identity(), v: Vec6::zeros(), vdot: Vec6::zeros() },
        false => case.bodies[0],
    };
    let normal = a.q * (axes * Vec3::z());
    let distance = match surface {
        Surface::Plane => radii[1],
        Surface::Sphere => radii[0] + radii[1],
        Surface::Hollow => radii[1] - radii[0],
    } - 0.1;
    let centre = a.x + a.q * place.position + normal * distance;
    let b = &mut case.bodies[1];
    b.x = centre - b.q * contact.ends[1].at;
    // Fast enough that the third derivative of s/|s| does not matter to the differences.
    b.v += join(&(normal.cross(&noise.vec3().normalize()) * 6.0), &Vec3::zeros());
    let (b, mut own) = (*b, vec![0.0; 3 * (STATES + 10)]);
    // 1 + chi d delta/dt stays positive at the rates of the case.
    let level = if law == StopLaw::Impulse { 0.02 } else { 0.05 };
    let modes = Modes { grip, stiffness: 7.0, closed: Some(0), level, rest: 15.0, ..Modes::NONE };
    modes.write(&mut own[..STATES]);
    // Of the last step: b was turned and moved a little against a; the last slip was faster, or
    // slower.
    let turn = a.q.inverse() * rotation::exp(&(noise.vec3() * 0.2)) * b.q;
    let moved = a.q.inverse() * (centre - a.x - a.q * place.position) + noise.vec3() * 0.02;
    let vector = noise.vec3() * if held { 1000.0 } else { 0.05 };
    Track { vector, place: moved, turn }.write(&mut own);
    // The same modes of the resistances, whose displacements are turns, whose rates are slower.
    contact.resistance = Some([0.3, 0.2]);
    for rub in Rub::RESISTANCES {
        let own = &mut own[rub.first()..];
        Modes { grip, stiffness: 3.0, ..Modes::NONE }.write(&mut own[..STATES]);
        Track { vector: noise.vec3() * if held { 100.0 } else { 0.05 }, place: moved, turn }.write(own);
    }
    case.model.elements.contacts.push(contact);
    case.own = own;
    case
}

#[test]
fn tangents_of_contacts() {
    let mut noise = Noise(43);
    for surface in Surface::ALL {
        for law in StopLaw::ALL {
            for (grip, held) in
                [(Grip::Free, false), (Grip::Stuck, false), (Grip::Forwards, false), (Grip::Forwards, true)]
            {
                for on_ground in [false, true] {
                    let case = with_contact(&mut noise, surface, law, grip, held, on_ground);
                    case.check(&format!("{surface:?}, {law:?}, {grip:?}, held {held}, ground {on_ground}"));
                }
            }
        }
    }
}
