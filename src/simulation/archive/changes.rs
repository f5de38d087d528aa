//! Archives of what has changed in a run, and of the joints that broke in its trial.

use super::{Reader, Writer};
use crate::elements::friction_load::FrictionLoad;
use crate::elements::machine::{Friction, Machine};
use crate::elements::stop::{Stop, StopLaw};
use crate::model::Changes;
use crate::spatial::{RigidInertia, Vec3};

impl Writer<'_> {
    fn law(&mut self, law: &StopLaw) {
        self.put(&[*law as u8]);
    }
}

impl Reader<'_> {
    fn law(&mut self, law: &mut StopLaw) {
        let [byte] = self.take();
        match StopLaw::from_number(i32::from(byte)) {
            Ok(read) => *law = read,
            Err(_) => self.valid = false,
        }
    }
}

macro_rules! visits {
    ($archive:ident, $numbers:path $(, $mutable:tt)?) => {
        use super::*;
        use $numbers as numbers;

        pub fn changes(changes: &$($mutable)? Changes, archive: &mut $archive) {
            let Changes { gravity, inertias, springs, preloads, drives, broken, strengths, .. } = changes;
            let Changes { machines, contacts, resistances, frictions, stops, joint_tables, bushing_tables, .. } = changes;
            archive.optional(gravity, Vec3::zeros(), |gravity, archive| numbers(gravity, archive));
            archive.count(inertias);
            for (body, RigidInertia { mass, eta, inertia }) in inertias {
                archive.integer(body);
                archive.number(mass);
                numbers(eta, archive);
                numbers(inertia, archive);
            }
            archive.count(springs);
            for (spring, law) in springs {
                archive.integer(spring);
                numbers(law, archive);
            }
            archive.count(preloads);
            for (bushing, preload) in preloads {
                archive.integer(bushing);
                numbers(preload, archive);
            }
            archive.count(drives);
            for (joint, [coordinate, slide]) in drives {
                archive.integer(joint);
                archive.flag(coordinate);
                archive.flag(slide);
            }
            archive.count(broken);
            for (joint, is_broken) in broken {
                archive.integer(joint);
                archive.flag(is_broken);
            }
            archive.count(strengths);
            for (joint, strength) in strengths {
                archive.integer(joint);
                numbers(strength, archive);
            }
            for laws in [machines, contacts] {
                archive.count(laws);
                for (place, Machine { friction, stop }) in laws {
                    archive.integer(place);
                    archive.optional(friction, Friction::NONE, friction_of);
                    archive.optional(stop, Stop::NONE, stop_of);
                }
            }
            archive.count(resistances);
            for (contact, arms) in resistances {
                archive.integer(contact);
                numbers(arms, archive);
            }
            archive.count(frictions);
            for (place, coefficient) in frictions {
                archive.integer(place);
                archive.number(coefficient);
            }
            archive.count(stops);
            for (clutch, stop) in stops {
                archive.integer(clutch);
                archive.optional(stop, Stop::NONE, stop_of);
            }
            for tables in [joint_tables, bushing_tables] {
                archive.count(tables);
                for (place, points) in tables {
                    archive.integer(place);
                    archive.count(points);
                    points.into_iter().for_each(|point| numbers(point, archive));
                }
            }
        }

        fn friction_of(friction: &$($mutable)? Friction, archive: &mut $archive) {
            let Friction { kinetic, holding, viscous, quadratic, slip, static_ratio, load } = friction;
            let FrictionLoad { axial, radial, bending, static_ratio: of_load } = load;
            for number in [kinetic, holding, viscous, quadratic, slip, static_ratio, axial, radial, bending, of_load] {
                archive.number(number);
            }
        }

        fn stop_of(stop: &$($mutable)? Stop, archive: &mut $archive) {
            let Stop { bounds, law, stiffness, damping, restitution, exponent } = stop;
            numbers(bounds, archive);
            archive.law(law);
            for number in [stiffness, damping, restitution, exponent] {
                archive.number(number);
            }
        }

        pub fn breaks(breaks: &$($mutable)? Vec<u64>, archive: &mut $archive) {
            archive.count(breaks);
            breaks.into_iter().for_each(|joint| archive.integer(joint));
        }
    };
}

/// Visits for writing.
pub mod writing {
    visits!(Writer, crate::simulation::archive::writing::numbers);
}

/// Visits for reading.
pub mod reading {
    visits!(Reader, crate::simulation::archive::reading::numbers, mut);
}
