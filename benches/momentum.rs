//! Processor time of a step of `momentum-alpha` and of one of `generalized-alpha`, measured in
//! turns through the C functions. `cargo bench --bench momentum` prints the ratios, and the time
//! that an error of 1e-4 m of the heavy top takes.
//!
//! With the arguments MODEL SCHEME STEPS it makes STEPS steps and nothing else, for
//! `valgrind --tool=callgrind`: the difference of two runs with different STEPS is the cost of
//! steps alone.

mod common;

use common::{Owned, ok};
use pintle::capi::{elements, fluid, life_cycle, model, outputs, settings, stepping};
use std::ffi::CString;
use std::ptr::{null, null_mut};

const SPHERICAL: i32 = 1;
const SCHEMES: [&str; 2] = ["generalized-alpha", "momentum-alpha"];

/// The position of the heavy top at 2 s to twelve decimals, from Euler's equations about the fixed
/// point (tests/schemes/heavy_top.rs).
const TOP_AT_2_S: [f64; 3] = [-0.150416822747, -0.724165591637, -0.673022269560];

impl Owned {
    fn new(scheme: &str, gravity: f64) -> Owned {
        let (mut sys, scheme) = (null_mut(), CString::new(scheme).expect("a name"));
        unsafe {
            ok(life_cycle::pintle_create(&mut sys));
            ok(settings::pintle_set_scheme(sys, scheme.as_ptr()));
            ok(model::pintle_set_gravity(sys, [0.0, 0.0, -gravity].as_ptr()));
        }
        Owned(sys)
    }

    fn body(&self, mass: f64, inertia: [f64; 3], x: [f64; 3], velocity: [f64; 6]) -> i32 {
        let (mut id, [jx, jy, jz]) = (0, inertia);
        let (inertia, pose) = ([jx, jy, jz, 0.0, 0.0, 0.0], [x[0], x[1], x[2], 1.0, 0.0, 0.0, 0.0]);
        unsafe {
            let com = [0.0; 3];
            ok(model::pintle_add_rigid_body(self.0, mass, com.as_ptr(), inertia.as_ptr(), pose.as_ptr(), &mut id));
            ok(model::pintle_set_body_velocity(self.0, id, velocity.as_ptr()));
        }
        id
    }

    fn ball(&self, parent: i32, child: i32, at: [f64; 3]) {
        ok(unsafe { model::pintle_add_joint_at(self.0, SPHERICAL, parent, child, at.as_ptr(), null(), &mut 0) });
    }

    fn ready(self) -> Owned {
        ok(unsafe { life_cycle::pintle_initialize(self.0, 0.0) });
        self
    }

    fn steps(&self, count: usize, dt: f64) {
        for _ in 0..count {
            ok(unsafe { stepping::pintle_step(self.0, dt) });
        }
    }
}

/// The heavy top of the literature: 150 rad/s, a spherical joint.
fn heavy_top(scheme: &str) -> Owned {
    let sys = Owned::new(scheme, 9.81);
    // The centre of mass is 1 m along y from the joint.
    let velocity = [4.61538, 0.0, 0.0, 0.0, 150.0, -4.61538];
    let top = sys.body(15.0, [0.234375, 0.46875, 0.234375], [0.0, 1.0, 0.0], velocity);
    sys.ball(-1, top, [0.0; 3]);
    sys.ready()
}

/// A pendulum of ten rods of 1 m, released from a horizontal line.
fn chain(scheme: &str) -> Owned {
    let sys = Owned::new(scheme, 9.81);
    for k in 0..10 {
        let body = sys.body(1.0, [0.02, 0.09, 0.09], [f64::from(k) + 0.5, 0.0, 0.0], [0.0; 6]);
        sys.ball(body - 1, body, [f64::from(k), 0.0, 0.0]);
    }
    sys.ready()
}

/// A floating platform with hydrostatic and mooring stiffness, drag and added mass, rotating about
/// all axes.
fn platform(scheme: &str) -> Owned {
    let diagonal = |entries: [f64; 6]| {
        let mut matrix = [0.0; 36];
        entries.into_iter().enumerate().for_each(|(k, x)| matrix[7 * k] = x);
        matrix
    };
    let sys = Owned::new(scheme, 0.0);
    let body = sys.body(1.42e7, [1.29e10, 1.285e10, 1.42e10], [0.0, 0.0, -7.5], [1.0, 0.5, 0.2, 0.02, 0.03, 0.1]);
    let stiffness = diagonal([7e4, 7e4, 4e6, 1.4e9, 1.4e9, 1.2e8]);
    unsafe {
        let added = diagonal([8e6, 8e6, 1.4e7, 7e9, 7e9, 3e9]);
        ok(fluid::pintle_set_added_mass(sys.0, body, added.as_ptr(), 1));
        let drag = diagonal([4e5, 4e5, 2e6, 4e9, 4e9, 4e8]);
        ok(fluid::pintle_set_quadratic_drag(sys.0, body, drag.as_ptr(), 1));
        let (place, origin) = ([0.0, 0.0, -7.5, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        let (damping, mut id) = ([0.0; 36], 0);
        ok(elements::pintle_add_bushing(
            sys.0,
            -1,
            body,
            place.as_ptr(),
            origin.as_ptr(),
            stiffness.as_ptr(),
            damping.as_ptr(),
            &mut id,
        ));
    }
    sys.ready()
}

type Model = (&'static str, fn(&str) -> Owned, f64);

/// Models with their time steps, s.
const MODELS: [Model; 3] = [("top", heavy_top, 1e-3), ("chain", chain, 1e-3), ("platform", platform, 0.05)];

/// Processor time of this process, s.
fn processor_time() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a place for the result.
    assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut now) }, 0);
    now.tv_sec as f64 + 1e-9 * now.tv_nsec as f64
}

/// Microseconds and iterations per step: the least of many runs of 1000 steps, both schemes in
/// turns.
fn compare(build: fn(&str) -> Owned, dt: f64) -> [(f64, f64); 2] {
    let mut best = [(f64::INFINITY, 0.0); 2];
    for _ in 0..60 {
        for (scheme, best) in SCHEMES.iter().zip(&mut best) {
            let sys = build(scheme);
            sys.steps(10, dt);
            let iterations = || {
                let mut value = 0.0;
                ok(unsafe { stepping::pintle_get_statistic(sys.0, c"iterations".as_ptr(), &mut value) });
                value
            };
            let before = iterations();
            let start = processor_time();
            sys.steps(1000, dt);
            let time = 1e3 * (processor_time() - start);
            *best = (best.0.min(time), (iterations() - before) * 1e-3);
        }
    }
    best
}

/// The error of the heavy top at 2 s (rho_inf 0.9, largest component of the position, m), and
/// processor time per simulated second (ms), with the given number of steps.
fn top_at_two_seconds(scheme: &str, steps: usize) -> (f64, f64) {
    let (mut error, mut best) = (0.0, f64::INFINITY);
    for _ in 0..20 {
        let sys = heavy_top(scheme);
        ok(unsafe { settings::pintle_set_option(sys.0, c"rho_inf".as_ptr(), 0.9) });
        let start = processor_time();
        sys.steps(steps, 2.0 / steps as f64);
        best = f64::min(best, 0.5e3 * (processor_time() - start));
        let mut pose = [0.0; 7];
        ok(unsafe { outputs::pintle_get_body_pose(sys.0, 0, pose.as_mut_ptr()) });
        error = pose.iter().zip(TOP_AT_2_S).map(|(x, exact)| (x - exact).abs()).fold(0.0, f64::max);
    }
    (error, best)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    if let [model, scheme, steps] = &words[..] {
        let (_, build, dt) = MODELS.iter().find(|(name, ..)| name == model).expect("top, chain or platform");
        build(scheme).steps(steps.parse().expect("a number of steps"), *dt);
        return;
    }
    println!("a step (us of processor time, iterations)");
    println!("{:10} {:>22} {:>22} {:>7}", "model", SCHEMES[0], SCHEMES[1], "ratio");
    for (name, build, dt) in MODELS {
        let [plain, own] = compare(build, dt);
        let shown = |(time, iterations): (f64, f64)| format!("{time:.3} {iterations:.2}");
        println!("{name:10} {:>22} {:>22} {:7.2}", shown(plain), shown(own), own.0 / plain.0);
    }
    println!("\nheavy top at 2 s, rho_inf 0.9: error (m), processor time per simulated second (ms)");
    for (scheme, counts) in SCHEMES.into_iter().zip([[9600, 9800, 10_000], [1300, 1360, 1420]]) {
        for steps in counts {
            let (error, time) = top_at_two_seconds(scheme, steps);
            println!("{scheme:18} h {:.4} ms: {error:.3e} {time:.3}", 2e3 / steps as f64);
        }
    }
}
