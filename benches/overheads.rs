//! Times of calls other than steps, through the C functions: clone and save, initialize, the first
//! step of each scheme and a later one, getters and setters, linearize.
//! `cargo bench --bench overheads`; arguments select among the parts.

mod common;

use common::{Owned, ok};
use pintle::capi::boundary::{pintle_state, pintle_system};
use pintle::capi::{analysis, inputs, life_cycle, model, outputs, settings, state, stepping};
use pintle::simulation::SCHEME_NAMES;
use std::ffi::CString;
use std::hint::black_box;
use std::ptr::{null, null_mut};
use std::time::Instant;

const SPHERICAL: i32 = 1;
const INERTIA: [f64; 6] = [0.02, 0.03, 0.04, 0.0, 0.0, 0.0];

impl Owned {
    fn step(&self, dt: f64) {
        ok(unsafe { stepping::pintle_step(self.0, dt) });
    }

    fn initialize(&self) {
        ok(unsafe { life_cycle::pintle_initialize(self.0, 0.0) });
    }

    fn set_scheme(&self, name: &str) {
        let name = CString::new(name).unwrap();
        ok(unsafe { settings::pintle_set_scheme(self.0, name.as_ptr()) });
    }

    fn clone_it(&self) -> Owned {
        let mut copy = null_mut();
        ok(unsafe { life_cycle::pintle_clone(self.0, &mut copy) });
        Owned(copy)
    }
}

/// Pendulums, chains of `links` bodies on spherical joints; free bodies if `links` is 0.
fn chains(bodies: i32, links: i32) -> Owned {
    let mut sys = null_mut();
    unsafe {
        ok(life_cycle::pintle_create(&mut sys));
        ok(model::pintle_set_gravity(sys, [0.0, 0.0, -9.81].as_ptr()));
        for k in 0..bodies {
            let (place, row) = if links > 0 { (k % links, k / links) } else { (k % 100, k / 100) };
            let pose = [f64::from(place) + 0.5, 2.0 * f64::from(row), 0.0, 1.0, 0.0, 0.0, 0.0];
            let mut id = 0;
            let com = [0.0; 3];
            ok(model::pintle_add_rigid_body(sys, 1.0, com.as_ptr(), INERTIA.as_ptr(), pose.as_ptr(), &mut id));
            if links > 0 {
                let parent = if place == 0 { -1 } else { id - 1 };
                let at = [f64::from(place), 2.0 * f64::from(row), 0.0];
                let mut joint = 0;
                ok(model::pintle_add_joint_at(sys, SPHERICAL, parent, id, at.as_ptr(), null(), &mut joint));
            }
        }
    }
    Owned(sys)
}

/// The least time of several runs of `act` on the result of `prepare`, in microseconds, without the
/// time to free it.
fn shortest<P, R>(prepare: impl Fn() -> P, act: impl Fn(&P) -> R) -> f64 {
    let mut least = f64::INFINITY;
    let begin = Instant::now();
    for run in 0..200 {
        if run > 2 && begin.elapsed().as_secs_f64() > 1.0 {
            break;
        }
        let prepared = prepare();
        let start = Instant::now();
        let result = act(&prepared);
        least = least.min(start.elapsed().as_secs_f64() * 1e6);
        drop(result);
    }
    least
}

/// The least time of one of many equal calls, in nanoseconds.
fn each(call: impl Fn()) -> f64 {
    let runs = (0..50).map(|_| {
        let start = Instant::now();
        (0..1000).for_each(|_| call());
        start.elapsed().as_secs_f64() * 1e6
    });
    runs.fold(f64::INFINITY, f64::min)
}

fn clones() {
    println!("\nclone against save into a fresh state (us), chain of spherical joints");
    println!("{:>8} {:>10} {:>10} {:>7} {:>18} {:>10}", "bodies", "save", "clone", "ratio", "clone's 1st step", "step");
    for bodies in [10, 100, 1000] {
        let sys = chains(bodies, bodies);
        sys.initialize();
        (0..3).for_each(|_| sys.step(1e-4));
        let save = shortest(
            || (),
            |()| {
                let mut kept: *mut pintle_state = null_mut();
                ok(unsafe { state::pintle_state_save(sys.0, &mut kept) });
                Saved(kept)
            },
        );
        let clone = shortest(|| (), |()| sys.clone_it());
        let first = shortest(|| sys.clone_it(), |copy| copy.step(1e-4));
        let step = shortest(|| (), |()| sys.step(1e-4));
        println!("{bodies:8} {save:10.2} {clone:10.2} {:7.2} {first:18.1} {step:10.1}", clone / save);
    }
}

struct Saved(*mut pintle_state);

impl Drop for Saved {
    fn drop(&mut self) {
        ok(unsafe { state::pintle_state_destroy(&mut self.0) });
    }
}

fn initialize() {
    println!("\ninitialize (ms)");
    println!("{:>8} {:>12} {:>16}", "bodies", "free", "chains of 10");
    for bodies in [1000, 10_000, 100_000] {
        let [free, chained] = [0, 10].map(|links| shortest(|| chains(bodies, links), |sys| sys.initialize()) * 1e-3);
        println!("{bodies:8} {free:12.1} {chained:16.1}");
    }
}

fn first_steps() {
    println!("\nthe first step against a later one (us), chain of spherical joints");
    println!(
        "{:18} {:>10} {:>10} {:>7}   {:>10} {:>10} {:>7}",
        "scheme", "first, 10", "later", "ratio", "first, 100", "later", "ratio"
    );
    for name in SCHEME_NAMES {
        // Schemes with sub-steps have the number of them in their names.
        let name = &name.replace('N', "2");
        print!("{name:18}");
        for bodies in [10, 100] {
            let prepare = || {
                let sys = chains(bodies, bodies);
                sys.set_scheme(name);
                sys.initialize();
                sys
            };
            let first = shortest(prepare, |sys| sys.step(1e-4));
            let sys = prepare();
            (0..8).for_each(|_| sys.step(1e-4));
            let later = shortest(|| (), |()| sys.step(1e-4));
            print!(" {first:10.1} {later:10.1} {:7.1}  ", first / later);
        }
        println!();
    }
}

fn calls() {
    println!("\none call (ns)");
    let sys = chains(1000, 0);
    sys.initialize();
    let load = [1.0, 2.0, 3.0, 0.0, 0.0, 0.0];
    let one = |what: &str, call: &dyn Fn()| println!("{what:40} {:10.1}", each(call));
    one("pintle_time", &|| {
        let mut time = 0.0;
        ok(unsafe { stepping::pintle_time(black_box(sys.0), &mut time) });
        black_box(time);
    });
    one("pintle_get_body_pose", &|| {
        let mut pose = [0.0; 7];
        ok(unsafe { outputs::pintle_get_body_pose(black_box(sys.0), 17, pose.as_mut_ptr()) });
        black_box(pose);
    });
    one("pintle_get_body_velocity", &|| {
        let mut velocity = [0.0; 6];
        ok(unsafe { outputs::pintle_get_body_velocity(black_box(sys.0), 17, 0, velocity.as_mut_ptr()) });
        black_box(velocity);
    });
    one("pintle_set_body_load", &|| {
        ok(unsafe { inputs::pintle_set_body_load(black_box(sys.0), 17, 0, black_box(load).as_ptr()) });
    });
    // The reference points of half of the bodies, then of all, are 0.1 m off their centres of mass.
    let [half, all] = [1000, 0].map(|plain| {
        let sys = chains(plain, 0);
        for body in 0..1000 {
            let pose = [f64::from(body), -1.0, 0.0, 1.0, 0.0, 0.0, 0.0];
            let com = [0.1, 0.0, 0.0];
            ok(unsafe {
                model::pintle_add_rigid_body(sys.0, 1.0, com.as_ptr(), INERTIA.as_ptr(), pose.as_ptr(), &mut 0)
            });
        }
        sys.initialize();
        sys
    });
    let mut numbers = vec![0.0; 14_000];
    let pointer = numbers.as_mut_ptr();
    type Many = unsafe extern "C" fn(*const pintle_system, i32, *mut f64) -> i32;
    let getters: [(&str, Many); 3] = [
        ("poses", outputs::pintle_get_body_poses),
        ("velocities", outputs::pintle_get_body_velocities),
        ("accelerations", outputs::pintle_get_body_accelerations),
    ];
    for (what, get) in getters {
        one(&format!("pintle_get_body_{what} of 1000"), &|| ok(unsafe { get(black_box(sys.0), 1000, pointer) }));
        one("the same of 1000 with arms", &|| ok(unsafe { get(black_box(all.0), 1000, pointer) }));
        one("the same of 2000, half with arms", &|| ok(unsafe { get(black_box(half.0), 2000, pointer) }));
    }
    black_box(numbers);
}

fn linearize() {
    println!("\nlinearize (ms)");
    println!("{:>8} {:>12} {:>12}", "bodies", "free", "one chain");
    for bodies in [10, 30, 100] {
        let times = [0, bodies].map(|links| {
            let sys = chains(bodies, links);
            sys.initialize();
            let mobility = if links == 0 { 6 * bodies } else { 3 * bodies };
            let states = 2 * mobility as usize;
            let mut a = vec![0.0; states * states];
            let pointer = a.as_mut_ptr();
            let none = null_mut();
            shortest(
                || (),
                |()| {
                    ok(unsafe {
                        analysis::pintle_linearize(
                            sys.0,
                            0,
                            null(),
                            0,
                            null(),
                            0,
                            null(),
                            states as i32,
                            pointer,
                            none,
                            none,
                            none,
                        )
                    });
                },
            ) * 1e-3
        });
        println!("{bodies:8} {:12.2} {:12.2}", times[0], times[1]);
    }
}

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let parts: [(&str, fn()); 5] = [
        ("clone", clones),
        ("initialize", initialize),
        ("first", first_steps),
        ("calls", calls),
        ("linearize", linearize),
    ];
    for (name, part) in parts {
        if chosen.is_empty() || chosen.iter().any(|word| word == name) {
            part();
        }
    }
}
