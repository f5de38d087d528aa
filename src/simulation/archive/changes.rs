//! Archives of what has changed in a run, and of the joints that broke in its trial.

use super::{Reader, Writer};
use crate::model::Changes;
use crate::spatial::{RigidInertia, Vec3};

macro_rules! visits {
    ($archive:ident, $numbers:path $(, $mutable:tt)?) => {
        use super::*;
        use $numbers as numbers;

        pub fn changes(changes: &$($mutable)? Changes, archive: &mut $archive) {
            let Changes { gravity, inertias, springs, preloads, drives, broken, strengths } = changes;
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
