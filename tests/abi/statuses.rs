//! Every status that a function returns is listed in its comment in include/pintle.h: random
//! sequences of calls of all functions, with ordinary and with huge numbers, record the statuses
//! and compare them with the header.

use crate::functions::header::Declared;
use crate::functions::table::{Function, Role};
use crate::functions::world::{Value, World, message};
use crate::functions::{subject, subjects};
use pintle::capi::library::pintle_status_name;
use pintle::capi::status::*;
use std::collections::BTreeSet;
use std::ffi::CStr;
use std::ptr::null;

/// A linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % n
    }

    fn size(&mut self) -> f64 {
        [1.0, 1.0, 1.0, -1.0, 0.0, 1e-308, 1e-160, 1e-20, 1e20, 1e160, -1e200, 1e308, f64::NAN][self.below(13)]
    }

    /// A value for a parameter: mostly the valid one, or that with numbers of any size.
    fn value(&mut self, role: &Role, world: &World) -> Value {
        let valid = role.valid(world);
        if self.below(3) > 0 {
            return valid;
        }
        match (role, valid) {
            (Role::Unit(_), Value::Reals(mut numbers)) => {
                let places = numbers.len() - 4;
                numbers[..places].iter_mut().for_each(|x| *x *= self.size());
                Value::Reals(numbers)
            }
            (_, Value::Reals(mut numbers)) => {
                let scale = self.size();
                let spread = self.below(2) == 0;
                numbers.iter_mut().for_each(|x| *x *= if spread { self.size() } else { scale });
                Value::Reals(numbers)
            }
            (_, Value::Real(x)) => Value::Real(x * self.size()),
            (
                Role::Id(_)
                | Role::Chosen(..)
                | Role::End(_)
                | Role::Holder(_)
                | Role::Flag
                | Role::Frame
                | Role::JointKind,
                Value::Int(_),
            ) => Value::Int(self.below(10) as i64 - 2),
            (_, valid) => valid,
        }
    }
}

fn name(status: i32) -> String {
    unsafe { CStr::from_ptr(pintle_status_name(status)) }.to_str().expect("ASCII").to_owned()
}

/// False for functions that a random sequence leaves out: those that create or destroy systems, or
/// write files.
fn walks(function: &Function) -> bool {
    let kept = |role: &Role| {
        !matches!(
            role,
            Role::SystemSlot
                | Role::NewSystem
                | Role::StateSlot
                | Role::Path
                | Role::ModelFile
                | Role::MoordynFile
                | Role::TableSize
        )
    };
    function.parameters.iter().all(|(_, role)| kept(role))
}

/// `PINTLE_RANDOM_SEQUENCES=66667` makes 1e7 calls (`PINTLE_FIRST_SEQUENCE`: from that number on).
#[test]
fn every_status_that_random_calls_return_stands_in_the_header() {
    let number = |name: &str, default: u64| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (first, count) = (number("PINTLE_FIRST_SEQUENCE", 0), number("PINTLE_RANDOM_SEQUENCES", 150));
    let subjects: Vec<(Function, Declared)> = subjects().into_iter().filter(|(function, _)| walks(function)).collect();
    let mut seen: BTreeSet<(&str, String)> = BTreeSet::new();
    for seed in first..first + count {
        if count > 1000 && seed % 1000 == 0 {
            println!("sequence {seed}");
        }
        let mut random = Random(seed * 7919 + 17);
        let phase = [PINTLE_PHASE_BUILDING, PINTLE_PHASE_READY, PINTLE_PHASE_TRIAL][random.below(3)];
        let mut world = World::new(phase);
        for _ in 0..150 {
            let (function, declared) = &subjects[random.below(subjects.len())];
            let values: Vec<Value> = function.parameters.iter().map(|(_, role)| random.value(role, &world)).collect();
            let (status, _) = world.call(function, &values);
            if status == PINTLE_OK {
                continue;
            }
            let named = name(status);
            let said = message(null());
            assert_ne!(status, PINTLE_ERR_PANIC, "seed {seed}: {}{values:?}: {said}", function.name);
            assert!(declared.lists(&named), "seed {seed}: {} returns {named}, not listed: {said}", function.name);
            seen.insert((function.name, named));
        }
    }
    let statuses: BTreeSet<&str> = seen.iter().map(|(_, status)| status.as_str()).collect();
    println!("{} pairs, statuses {statuses:?}", seen.len());
    assert!(seen.len() > 150, "{} pairs are too few to prove anything", seen.len());
    assert!(statuses.contains("PINTLE_ERR_UNSTABLE") && statuses.contains("PINTLE_ERR_SINGULAR"), "{statuses:?}");
}

#[test]
fn messages_of_random_calls_have_no_endless_numbers() {
    // 1e-160 as a decimal has 160 zeros in a row, 1e200 two hundred
    let (function, _) = subject("pintle_step");
    let mut world = World::new(PINTLE_PHASE_READY);
    for dt in [-1e200, -1e-200, 1e-200, f64::INFINITY] {
        let values = function.arguments(&world, &[("dt", Value::Real(dt))]);
        let (status, _) = world.call(&function, &values);
        assert!(status != PINTLE_OK);
        let said = message(null());
        assert!(!said.contains("0000000000"), "{said}");
        assert!(said.contains(&dt.to_string()) || said.contains("e+200") || said.contains("e-200"), "{said}");
    }
}
