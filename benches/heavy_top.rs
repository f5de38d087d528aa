//! One step of the heavy top through the C ABI of `libpintle.so`, beside the hand-written loop of
//! `limit.cpp`.
//!
//! Both run in one `cargo bench --bench heavy_top`: the library is built and loaded as a host loads
//! it, the loop is compiled with g++ if that is installed. Same model, step 1e-3 s, rho_inf 0.9,
//! tolerances 1e-10: iterations per step are printed (the loop by hand takes 3, the library 2).

#[path = "common/limit.rs"]
mod limit;

use criterion::{Criterion, criterion_group, criterion_main};
use limit::Limit;
use std::ffi::{CString, c_char, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The functions that a host calls, by their C signatures.
struct Library {
    create: unsafe extern "C" fn(*mut *mut c_void) -> i32,
    destroy: unsafe extern "C" fn(*mut *mut c_void) -> i32,
    set_gravity: unsafe extern "C" fn(*mut c_void, *const f64) -> i32,
    add_rigid_body: unsafe extern "C" fn(*mut c_void, f64, *const f64, *const f64, *const f64, *mut i32) -> i32,
    set_body_velocity: unsafe extern "C" fn(*mut c_void, i32, *const f64) -> i32,
    add_joint_at: unsafe extern "C" fn(*mut c_void, i32, i32, i32, *const f64, *const f64, *mut i32) -> i32,
    set_option: unsafe extern "C" fn(*mut c_void, *const c_char, f64) -> i32,
    initialize: unsafe extern "C" fn(*mut c_void, f64) -> i32,
    step: unsafe extern "C" fn(*mut c_void, f64) -> i32,
    get_body_pose: unsafe extern "C" fn(*const c_void, i32, *mut f64) -> i32,
    get_statistic: unsafe extern "C" fn(*const c_void, *const c_char, *mut f64) -> i32,
}

impl Library {
    fn load(path: &Path) -> Library {
        let path = CString::new(path.to_str().expect("UTF-8 path")).expect("no NUL in a path");
        // SAFETY: a NUL-terminated path; the library stays loaded to the end of the process.
        let library = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        assert!(!library.is_null(), "cannot load {path:?}");
        macro_rules! symbol {
            ($name:literal) => {{
                // SAFETY: the types above are those of include/pintle.h, and a null symbol is
                // caught.
                let symbol = unsafe { libc::dlsym(library, $name.as_ptr()) };
                assert!(!symbol.is_null(), "{:?} is missing", $name);
                unsafe { std::mem::transmute_copy(&symbol) }
            }};
        }
        Library {
            create: symbol!(c"pintle_create"),
            destroy: symbol!(c"pintle_destroy"),
            set_gravity: symbol!(c"pintle_set_gravity"),
            add_rigid_body: symbol!(c"pintle_add_rigid_body"),
            set_body_velocity: symbol!(c"pintle_set_body_velocity"),
            add_joint_at: symbol!(c"pintle_add_joint_at"),
            set_option: symbol!(c"pintle_set_option"),
            initialize: symbol!(c"pintle_initialize"),
            step: symbol!(c"pintle_step"),
            get_body_pose: symbol!(c"pintle_get_body_pose"),
            get_statistic: symbol!(c"pintle_get_statistic"),
        }
    }

    fn heavy_top(&self) -> *mut c_void {
        let check = |status: i32| assert_eq!(status, 0);
        let mut system = std::ptr::null_mut();
        let id = &mut -1;
        let inertia = [0.234375, 0.46875, 0.234375, 0.0, 0.0, 0.0];
        // SAFETY: every pointer is to an array of the length that pintle.h asks for.
        unsafe {
            check((self.create)(&mut system));
            check((self.set_gravity)(system, [0.0, 0.0, -9.81].as_ptr()));
            let pose = [0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0];
            check((self.add_rigid_body)(system, 15.0, [0.0; 3].as_ptr(), inertia.as_ptr(), pose.as_ptr(), id));
            check((self.set_body_velocity)(system, 0, [4.61538, 0.0, 0.0, 0.0, 150.0, -4.61538].as_ptr()));
            check((self.add_joint_at)(system, 1, -1, 0, [0.0; 3].as_ptr(), std::ptr::null(), id));
            for (key, value) in [(c"rho_inf", 0.9), (c"abs_tolerance", 1e-10), (c"rel_tolerance", 1e-10)] {
                check((self.set_option)(system, key.as_ptr(), value));
            }
            check((self.initialize)(system, 0.0));
        }
        system
    }

    /// Time of `steps` steps after a warm-up, and iterations per step.
    fn run(&self, steps: u64, read: bool) -> (Duration, f64) {
        let mut system = self.heavy_top();
        let (mut pose, mut iterations) = ([0.0; 7], [0.0; 2]);
        let key = c"iterations".as_ptr();
        // SAFETY: as above.
        unsafe {
            (0..100).for_each(|_| assert_eq!((self.step)(system, 1e-3), 0));
            (self.get_statistic)(system, key, &mut iterations[0]);
            let start = Instant::now();
            for _ in 0..steps {
                assert_eq!((self.step)(system, 1e-3), 0);
                if read {
                    (self.get_body_pose)(system, 0, pose.as_mut_ptr());
                }
            }
            let time = start.elapsed();
            (self.get_statistic)(system, key, &mut iterations[1]);
            (self.destroy)(&mut system);
            (time, (iterations[1] - iterations[0]) / steps as f64)
        }
    }
}

/// Builds the library in release mode; returns its path.
fn built_library() -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["rustc", "--release", "--lib", "--crate-type", "cdylib,staticlib", "--message-format=json"])
        .args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let path = text.split('"').find(|part| part.ends_with("/libpintle.so"));
    path.unwrap_or_else(|| panic!("no libpintle.so: {}", String::from_utf8_lossy(&output.stderr))).into()
}

fn heavy_top(criterion: &mut Criterion) {
    let library = Library::load(&built_library());
    let mut group = criterion.benchmark_group("heavy top");
    group.bench_function("pintle_step", |b| b.iter_custom(|steps| library.run(steps, false).0));
    group.bench_function("pintle_step + pintle_get_body_pose", |b| b.iter_custom(|steps| library.run(steps, true).0));
    group.finish();

    // In turns, the best of five, which other programs on the machine disturb least.
    let ours = |_| {
        let (time, iterations) = library.run(200_000, false);
        (1e6 * time.as_secs_f64() / 200_000.0, iterations)
    };
    let best = |a: (f64, f64), b: (f64, f64)| if b.0 < a.0 { b } else { a };
    let limit = Limit::compiled();
    let (mut own, mut loops) = ((f64::INFINITY, 0.0), None);
    for round in 0..5 {
        own = best(own, ours(round));
        let one = limit.as_ref().and_then(|limit| limit.run("top", 2000, 7));
        loops = one.map(|one| loops.map_or(one, |before| best(before, one))).or(loops);
    }
    println!("pintle_step through the C ABI: {:.3} us/step at {:.2} iterations/step", own.0, own.1);
    match loops {
        Some((us, it)) => {
            println!(
                "benches/limit.cpp:             {us:.3} us/step at {it:.2} iterations/step; ratio {:.2}",
                own.0 / us
            )
        }
        None => println!("benches/limit.cpp:             not run (g++ is missing)"),
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).measurement_time(Duration::from_secs(3));
    targets = heavy_top
}
criterion_main!(benches);
