//! Runs calls with each of their allocations failing in turn.

use crate::heap::with_refusal;
use crate::out_of_memory::models::{build, first_failure, ready};
use pintle::capi::boundary::{pintle_state, pintle_system};
use pintle::capi::{
    analysis, breaking, fluid, inputs, library, life_cycle, model, model_file, names, outputs, settings, state,
    stepping,
};
use std::ffi::{CStr, CString, c_void};
use std::ptr::{null, null_mut};

const OUT_OF_MEMORY: i32 = 401;

/// An input file of MoorDyn with each kind of entity.
const MOORDYN: &str = "\
--- LINE TYPES ---
Name Diam Mass/m EA BA EI Cd Ca CdAx CaAx
(-) (m) (kg/m) (N) (N-s) (N-m^2) (-) (-) (-) (-)
chain 0.1 150.0 7.5e8 -0.8 0 2.0 0.8 0.4 0.25
--- BODIES ---
ID Attachment X0 Y0 Z0 r0 p0 y0 Mass CG I Volume CdA Ca
(#) (word) (m) (m) (m) (deg) (deg) (deg) (kg) (m) (kg-m^2) (m^3) (m^2) (-)
1 Free 0 0 -5 0 0 0 1000 0 500 1 1 1
--- POINTS ---
ID Attachment X Y Z Mass Volume CdA Ca
(#) (word) (m) (m) (m) (kg) (m^3) (m^2) (-)
1 Fixed 400 0 -50 0 0 0 0
2 Body1 0 0 -1 0 0 0 0
--- LINES ---
ID LineType AttachA AttachB UnstrLen NumSegs Outputs
(#) (name) (#) (#) (m) (-) (-)
1 chain 1 2 420 10 -
--- OPTIONS ---
50 WtrDpth
0.1 dtM
--- OUTPUTS ---
FairTen1
--- need this line ---
";

/// A call on an initialized system.
type Call<'a> = (&'a str, &'a dyn Fn(*mut pintle_system) -> i32);

/// The thread's last message.
fn message() -> String {
    let mut text = [0u8; 512];
    unsafe { library::pintle_error_message(null(), 512, text.as_mut_ptr().cast(), null_mut()) };
    CStr::from_bytes_until_nul(&text).unwrap().to_str().unwrap().to_owned()
}

/// The outputs of a system.
fn seen(sys: *mut pintle_system) -> (i32, f64, Vec<f64>) {
    let (mut phase, mut time, mut poses) = (0, 0.0, vec![0.0; 28]);
    unsafe {
        life_cycle::pintle_phase(sys, &mut phase);
        if phase > 0 {
            stepping::pintle_time(sys, &mut time);
            outputs::pintle_get_body_poses(sys, 4, poses.as_mut_ptr());
        }
    }
    (phase, time, poses)
}

/// Makes one allocation of `call` fail, a later one in each run, on systems from `make`, until no
/// allocation is left to fail.
fn sweep(name: &str, make: &dyn Fn() -> *mut pintle_system, call: &dyn Fn(*mut pintle_system) -> i32) -> u64 {
    let mut swept = 0;
    for for_good in [false, true] {
        let mut grants = 0;
        loop {
            let mut sys = make();
            let before = seen(sys);
            let (refused, status) = with_refusal(grants, for_good, || call(sys));
            let what =
                || format!("{name}, request {grants} refused{}", if for_good { " with all after it" } else { "" });
            assert!(status == 0 || status == OUT_OF_MEMORY, "{}: status {status}, {}", what(), message());
            if status == OUT_OF_MEMORY {
                assert!(refused > 0, "{}: nothing was refused", what());
                let text = message();
                assert!(text.contains("out of memory"), "{}: {text}", what());
                assert_eq!(seen(sys), before, "{}", what());
                assert_eq!(call(sys), 0, "{}: again with memory, {}", what(), message());
            }
            unsafe { assert_eq!(life_cycle::pintle_destroy(&mut sys), 0) };
            if refused == 0 {
                break;
            }
            swept += 1;
            // Every one of the first allocations fails once, of later ones fewer and fewer, because
            // calls with many allocations repeat the same ones.
            grants += 1 + grants / 40;
        }
    }
    swept
}

/// Loads that are zero.
unsafe extern "C" fn nothing(
    _: *mut c_void,
    _: f64,
    _: i32,
    _: *const i32,
    _: *const f64,
    _: *const f64,
    _: *const f64,
    _: *mut f64,
    _: *mut f64,
    _: *mut f64,
    _: *mut f64,
) -> i32 {
    0
}

unsafe extern "C" fn go_on(_: *mut c_void, _: f64, _: f64) -> i32 {
    0
}

fn path(name: &str) -> CString {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    CString::new(path.to_str().unwrap()).unwrap()
}

#[test]
fn calls_of_a_run_return_a_status_when_memory_is_refused() {
    let (checkpoint, file) = (path("refused.checkpoint"), path("refused.toml"));
    let moordyn = path("refused.txt");
    std::fs::write(moordyn.to_str().unwrap(), MOORDYN).unwrap();
    unsafe {
        let mut sys = ready();
        assert_eq!(state::pintle_write_checkpoint(sys, checkpoint.as_ptr()), 0);
        assert_eq!(model_file::pintle_save_model(sys, file.as_ptr()), 0);
        life_cycle::pintle_destroy(&mut sys);
    }
    let with_scheme = |name: &'static CStr| move |sys: *mut pintle_system| first_failure! { settings::pintle_set_scheme(sys, name.as_ptr()); stepping::pintle_step(sys, 1e-3); };
    let in_state = |sys: *mut pintle_system, deserialized: bool| {
        let mut saved: *mut pintle_state = null_mut();
        let mut status = unsafe { state::pintle_state_save(sys, &mut saved) };
        let mut bytes = [0u8; 1 << 15];
        let mut length = 0;
        unsafe {
            if status == 0 && deserialized {
                status = state::pintle_state_serialize(saved, 1 << 15, bytes.as_mut_ptr(), &mut length);
                state::pintle_state_destroy(&mut saved);
                if status == 0 {
                    status = state::pintle_state_deserialize(sys, length, bytes.as_ptr(), &mut saved);
                }
            }
            if status == 0 {
                status = state::pintle_state_restore(sys, saved);
            }
            state::pintle_state_destroy(&mut saved);
        }
        status
    };
    let matrix = |f: &dyn Fn(*mut f64) -> i32| f([0.0f64; 4096].as_mut_ptr());
    let text = |f: &dyn Fn(*mut std::ffi::c_char) -> i32| f([0 as std::ffi::c_char; 1024].as_mut_ptr());
    let calls: &[Call] = &[
        ("pintle_step", &|sys| unsafe { stepping::pintle_step(sys, 1e-3) }),
        ("rk4", &with_scheme(c"rk4")),
        ("ab4", &with_scheme(c"ab4")),
        ("lab3", &with_scheme(c"lab3")),
        ("anderson4", &with_scheme(c"anderson4")),
        (
            "linear",
            &|sys| first_failure! { settings::pintle_set_option(sys, c"linear".as_ptr(), 1.0); stepping::pintle_step(sys, 1e-3); },
        ),
        ("trial", &|sys| {
            first_failure! { stepping::pintle_advance(sys, 1e-3); stepping::pintle_reject(sys); }
        }),
        ("pintle_clone", &|sys| {
            let mut clone = null_mut();
            let status = unsafe { life_cycle::pintle_clone(sys, &mut clone) };
            unsafe { life_cycle::pintle_destroy(&mut clone) };
            status
        }),
        ("pintle_state_save and restore", &|sys| in_state(sys, false)),
        ("pintle_state_deserialize", &|sys| in_state(sys, true)),
        ("pintle_write_checkpoint", &|sys| unsafe { state::pintle_write_checkpoint(sys, checkpoint.as_ptr()) }),
        ("pintle_read_checkpoint", &|sys| unsafe { state::pintle_read_checkpoint(sys, checkpoint.as_ptr()) }),
        ("pintle_save_model", &|sys| unsafe { model_file::pintle_save_model(sys, file.as_ptr()) }),
        ("pintle_load_model", &|_| {
            let mut loaded = null_mut();
            let status = unsafe { model_file::pintle_load_model(file.as_ptr(), &mut loaded) };
            unsafe { life_cycle::pintle_destroy(&mut loaded) };
            status
        }),
        ("pintle_load_moordyn", &|_| {
            let mut loaded = null_mut();
            let status = unsafe { model_file::pintle_load_moordyn(moordyn.as_ptr(), &mut loaded) };
            unsafe { life_cycle::pintle_destroy(&mut loaded) };
            status
        }),
        ("pintle_set_body_load", &|sys| unsafe { inputs::pintle_set_body_load(sys, 3, 0, [1.0; 6].as_ptr()) }),
        ("pintle_set_coupled_load_callback and a step", &|sys| unsafe {
            let set = inputs::pintle_set_coupled_load_callback(
                sys,
                2,
                [0, 3].as_ptr(),
                Some(nothing),
                null_mut(),
                null_mut(),
            );
            if set == 0 { stepping::pintle_step(sys, 1e-3) } else { set }
        }),
        ("pintle_set_progress_callback", &|sys| unsafe {
            stepping::pintle_set_progress_callback(sys, Some(go_on), null_mut())
        }),
        ("pintle_set_added_mass", &|sys| unsafe {
            fluid::pintle_set_added_mass(sys, 3, crate::common::diagonal([2.0; 6]).as_ptr(), 1)
        }),
        ("pintle_set_body_mass", &|sys| unsafe {
            model::pintle_set_body_mass(sys, 3, 3.0, [0.1, 0.0, 0.0].as_ptr(), [1.0, 1.0, 1.0, 0.0, 0.0, 0.0].as_ptr())
        }),
        ("pintle_set_joint_driven", &|sys| unsafe { model::pintle_set_joint_driven(sys, 0, 1) }),
        ("pintle_break_joint", &|sys| unsafe { breaking::pintle_break_joint(sys, 0) }),
        ("pintle_set_joint_strength", &|sys| unsafe {
            let set = breaking::pintle_set_joint_strength(sys, 0, 0.0, 1.0);
            if set == 0 { stepping::pintle_step(sys, 1e-3) } else { set }
        }),
        ("pintle_get_mass_matrix", &|sys| matrix(&|m| unsafe { analysis::pintle_get_mass_matrix(sys, 24, m) })),
        ("pintle_eval_accelerations", &|sys| {
            let (mut x, mut v, mut a) = ([0.0; 28], [0.0; 24], [0.0; 24]);
            first_failure! {
                analysis::pintle_get_coordinates(sys, 4, x.as_mut_ptr(), v.as_mut_ptr());
                analysis::pintle_eval_accelerations(sys, 4, x.as_ptr(), v.as_ptr(), a.as_mut_ptr());
            }
        }),
        ("pintle_get_load_compliance", &|sys| {
            matrix(&|m| unsafe { analysis::pintle_get_load_compliance(sys, 1, [0].as_ptr(), 1e-3, 108, m) })
        }),
        ("pintle_get_modes", &|sys| {
            let mut mobility = 0.0;
            let status = unsafe { stepping::pintle_get_statistic(sys, c"mobility".as_ptr(), &mut mobility) };
            let (n, mut count, mut values) = (2 * mobility as i32, 0, [[0.0; 64]; 3]);
            let [frequencies, ratios, motion] = &mut values;
            let (f, r, m) = (frequencies.as_mut_ptr(), ratios.as_mut_ptr(), motion.as_mut_ptr());
            let mut shapes = [0.0; 4096];
            let modes = unsafe { analysis::pintle_get_modes(sys, n, &mut count, f, r, 4, shapes.as_mut_ptr(), m) };
            status.max(modes)
        }),
        ("pintle_get_state_name", &|sys| {
            text(&|t| unsafe { analysis::pintle_get_state_name(sys, 0, 1024, t, null_mut()) })
        }),
        ("pintle_get_redundant_constraints", &|sys| {
            text(&|t| unsafe { outputs::pintle_get_redundant_constraints(sys, 1024, t, null_mut()) })
        }),
        ("pintle_get_joint_reaction", &|sys| matrix(&|m| unsafe { outputs::pintle_get_joint_reaction(sys, 1, 0, m) })),
        ("stable_step", &|sys| matrix(&|m| unsafe { stepping::pintle_get_statistic(sys, c"stable_step".as_ptr(), m) })),
        ("pintle_solve_equilibrium", &|sys| unsafe { analysis::pintle_solve_equilibrium(sys, 500, 1e-6) }),
    ];
    for (name, call) in calls {
        let swept = sweep(name, &ready, call);
        println!("{name}: {swept} refusals");
    }
}

#[test]
fn building_returns_a_status_when_memory_is_refused() {
    // Create, build, initialize and step as one, with a fresh system each time: the first failure
    // ends it.
    let mut all = 0;
    for for_good in [false, true] {
        let mut grants = 0;
        loop {
            let mut sys = null_mut();
            let (refused, status) = with_refusal(grants, for_good, || {
                first_failure! {
                    life_cycle::pintle_create(&mut sys);
                    build(sys);
                    life_cycle::pintle_initialize(sys, 0.0);
                    stepping::pintle_step(sys, 1e-3);
                    stepping::pintle_step(sys, 1e-3);
                }
            });
            assert!(status == 0 || status == OUT_OF_MEMORY, "request {grants}: status {status}");
            unsafe { life_cycle::pintle_destroy(&mut sys) };
            if refused == 0 {
                break;
            }
            all += 1;
            grants += 1;
        }
    }
    assert!(all > 100, "the calls ask for memory: {all}");
}

#[test]
fn bad_input_is_told_though_memory_is_refused() {
    let sys = ready();
    for (what, call) in [
        ("id", &|| unsafe { inputs::pintle_set_body_load(sys, 99, 0, [0.0; 6].as_ptr()) } as _),
        ("NaN", &|| unsafe { inputs::pintle_set_body_load(sys, 0, 0, [f64::NAN; 6].as_ptr()) } as _),
        ("key", &|| unsafe { settings::pintle_set_option(sys, c"nothing".as_ptr(), 0.0) }),
    ] as [(&str, &dyn Fn() -> i32); 3]
    {
        let (_, status) = with_refusal(0, true, call);
        assert!((200..300).contains(&status), "{what}: {status}");
        assert!(message().contains("pintle_set_"), "{what}: {}", message());
    }
    let mut sys = sys;
    unsafe { life_cycle::pintle_destroy(&mut sys) };
}

/// Forty bodies in a closed planar chain, initialized: three redundant constraints.
fn closed_chain() -> *mut pintle_system {
    let (n, mut sys) = (40, null_mut());
    let (mut id, mut joint, axis) = (0, 0, [0.0, 1.0, 0.0]);
    let point = |k: i32| {
        let angle = std::f64::consts::PI * f64::from(k) / f64::from(n);
        [-10.0 * angle.cos(), 0.0, -10.0 * angle.sin()]
    };
    unsafe {
        assert_eq!(life_cycle::pintle_create(&mut sys), 0);
        for k in 0..n {
            let (a, b) = (point(k), point(k + 1));
            let at = crate::common::pose([0.5 * (a[0] + b[0]), 0.0, 0.5 * (a[2] + b[2])], crate::common::UNROTATED);
            let inertia = [0.02, 0.03, 0.04, 0.0, 0.0, 0.0];
            let (com, inertia) = ([0.0; 3].as_ptr(), inertia.as_ptr());
            assert_eq!(model::pintle_add_rigid_body(sys, 1.0, com, inertia, at.as_ptr(), &mut id), 0);
            assert_eq!(model::pintle_add_joint_at(sys, 2, k - 1, k, a.as_ptr(), axis.as_ptr(), &mut joint), 0);
        }
        assert_eq!(model::pintle_add_joint_at(sys, 2, n - 1, -1, point(n).as_ptr(), axis.as_ptr(), &mut joint), 0);
        assert_eq!(life_cycle::pintle_initialize(sys, 0.0), 0);
    }
    sys
}

#[test]
fn reactions_of_a_long_loop_return_a_status_when_memory_is_refused() {
    type Reaction = unsafe extern "C" fn(*const pintle_system, i32, i32, *mut f64) -> i32;
    for reaction in [outputs::pintle_get_joint_reaction as Reaction, outputs::pintle_get_joint_reaction_on_a] {
        let mut exact = [0.0; 6];
        let mut sys = closed_chain();
        assert_eq!(unsafe { reaction(sys, 7, 0, exact.as_mut_ptr()) }, 0);
        // A later state in existing memory: nothing is allocated.
        assert_eq!(unsafe { stepping::pintle_step(sys, 1e-3) }, 0);
        let (refused, status) = with_refusal(0, true, || unsafe { reaction(sys, 8, 0, [0.0; 6].as_mut_ptr()) });
        assert_eq!((refused, status), (0, 0));
        unsafe { life_cycle::pintle_destroy(&mut sys) };
        for for_good in [false, true] {
            for grants in 0.. {
                let (mut sys, mut wrench) = (closed_chain(), [0.0; 6]);
                let (refused, status) =
                    with_refusal(grants, for_good, || unsafe { reaction(sys, 7, 0, wrench.as_mut_ptr()) });
                assert!(status == 0 || status == OUT_OF_MEMORY, "request {grants}: status {status}");
                assert!(grants > 0 || status == OUT_OF_MEMORY, "the first request is the promise: {status}");
                assert_eq!(wrench, if status == 0 { exact } else { [0.0; 6] }, "request {grants}");
                unsafe { life_cycle::pintle_destroy(&mut sys) };
                if refused == 0 {
                    break;
                }
            }
        }
    }
}

#[test]
fn ten_thousand_names_under_refusal_are_set_or_refused() {
    let mut sys = null_mut();
    let six = crate::common::diagonal([3.0; 6]);
    let mut id = 0;
    unsafe {
        assert_eq!(life_cycle::pintle_create(&mut sys), 0);
        for _ in 0..10_000 {
            assert_eq!(model::pintle_add_body(sys, six.as_ptr(), crate::common::ORIGIN.as_ptr(), &mut id), 0);
        }
    }
    let name = |k: i32| CString::new(format!("body number {k}")).unwrap();
    let names: Vec<CString> = (0..10_000).map(name).collect();
    let mut given = vec![1; names.len()];
    with_refusal(0, true, || {
        for (k, name) in names.iter().enumerate() {
            given[k] = unsafe { names::pintle_set_name(sys, c"body".as_ptr(), k as i32, name.as_ptr()) };
        }
        0
    });
    // The reserve serves the first calls; later ones are refused and change nothing.
    assert!(given.contains(&0) && given.contains(&OUT_OF_MEMORY), "some of both");
    for (k, name) in names.iter().enumerate() {
        assert!(given[k] == 0 || given[k] == OUT_OF_MEMORY, "{k}: {}", given[k]);
        let found = unsafe { names::pintle_find(sys, c"body".as_ptr(), name.as_ptr(), &mut id) };
        assert_eq!(found == 0, given[k] == 0, "{k}");
        if given[k] != 0 {
            assert_eq!(unsafe { names::pintle_set_name(sys, c"body".as_ptr(), k as i32, name.as_ptr()) }, 0);
        }
    }
    unsafe { life_cycle::pintle_destroy(&mut sys) };
}
