//! Conventions of x, and states: repeated steps, files, foreign bytes.

use crate::system::*;
use moordyn_pintle::version2::*;

const START: [f64; 3] = [5.2, 0.0, -70.0];

/// The fairlead's motion.
fn motion(t: f64) -> ([f64; 3], [f64; 3]) {
    let w = 0.6;
    ([5.2 + (w * t).sin(), 0.0, -70.0], [w * (w * t).cos(), 0.0, 0.0])
}

#[test]
fn repeated_steps_after_deserialize_are_equal_bit_for_bit() {
    let system = System::started(&one_line("1 WaveKin", "-"), &START);
    for k in 0..10 {
        let (x, xd) = motion(0.1 * f64::from(k));
        system.step(&x, &xd, 0.1);
    }
    let saved = system.serialized();
    let (x, xd) = motion(1.0);
    let run = || -> Vec<u64> {
        let (mut f, t) = system.step(&x, &xd, 0.1);
        f.push(t);
        f.extend((0..=20).flat_map(|i| node(system.line(1), i)));
        f.extend(system.step(&x, &xd, 0.05).0);
        f.iter().map(|value| value.to_bits()).collect()
    };
    let first = run();
    for _ in 0..3 {
        assert_eq!(system.deserialize(&saved), OK, "{}", last_error());
        assert_eq!(run(), first);
    }
    // As another host, which tries a longer step before, and as another system of the same file.
    assert_eq!(system.deserialize(&saved), OK);
    system.step(&x, &[5.0, 1.0, 0.0], 0.7);
    assert_eq!(system.deserialize(&saved), OK);
    assert_eq!(run(), first);
    assert_eq!(system.deserialize(&saved), OK);
    assert_eq!(system.serialized(), saved);
}

#[test]
fn a_saved_file_continues_in_another_process() {
    let system = System::started(&one_line("", "-"), &START);
    let (x, xd) = motion(0.0);
    system.step(&x, &xd, 0.5);
    let other = System::new(&one_line("", "-"));
    unsafe {
        assert_eq!(MoorDyn_Save(system.handle, system.folder.path("state").as_ptr()), OK);
        assert_eq!(MoorDyn_Load(other.handle, system.folder.path("state").as_ptr()), INVALID_VALUE);
        assert_eq!(MoorDyn_Init_NoIC(other.handle, START.as_ptr(), std::ptr::null()), OK);
        assert_eq!(MoorDyn_Load(other.handle, system.folder.path("state").as_ptr()), OK, "{}", last_error());
    }
    let (x, xd) = motion(0.5);
    assert_eq!(system.step(&x, &xd, 0.1), other.step(&x, &xd, 0.1));
    assert!((other.step(&x, &xd, 0.0).1 - 0.6).abs() < 1e-12, "the clock is that of the file");
}

#[test]
fn foreign_and_damaged_states_are_refused_and_change_nothing() {
    let system = System::started(&one_line("", "-"), &START);
    system.step(&START, &[0.1, 0.0, 0.0], 0.5);
    let saved = system.serialized();
    let other = System::started(&body_and_point(), &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 300.0, -10.0]);
    assert_eq!(other.deserialize(&saved), INVALID_VALUE);
    let mut foreign = saved.clone();
    foreign[0] ^= 1;
    assert_eq!(system.deserialize(&foreign), INVALID_VALUE);
    assert!(last_error().contains("not a state that this library wrote"), "{}", last_error());
    for word in [1, 2, 3] {
        for value in [0, 3, u64::MAX, saved[word] + 1] {
            if value == saved[word] {
                continue;
            }
            let mut damaged = saved.clone();
            damaged[word] = value;
            // As long as the longest length that is accepted.
            damaged.resize(8 * saved.len(), 0);
            assert_ne!(system.deserialize(&damaged), OK, "word {word} = {value}");
        }
    }
    let mut damaged = saved.clone();
    damaged[20] ^= 1 << 40;
    assert_ne!(system.deserialize(&damaged), OK);
    assert_eq!(system.serialized(), saved);
    std::fs::write(system.folder.0.join("short"), [0; 12]).unwrap();
    let load = |name: &str| unsafe { MoorDyn_Load(system.handle, system.folder.path(name).as_ptr()) };
    assert_eq!([load("short"), load("missing")], [-1, -1]);
    std::fs::write(system.folder.0.join("lines.ic"), b"MoorDyn\x02\x07 and more than that").unwrap();
    assert_eq!(load("lines.ic"), INVALID_VALUE);
}

/// MoorDyn's convention: the step ends at x + xd dt; the other one: at x.
#[test]
fn x_is_the_start_of_a_step_or_its_end_as_the_host_chooses() {
    let fairlead = |system: &System| position(system.point(2));
    let started = || System::started(&one_line("", "-"), &START);
    let (moordyn, end) = (started(), started());
    assert_eq!(unsafe { PintleMoorDyn_SetMotion(end.handle, 1) }, OK);
    assert_eq!(unsafe { PintleMoorDyn_SetMotion(end.handle, 2) }, INVALID_VALUE);
    let (mut x, xd) = (START, [0.5, 0.0, 0.1]);
    for _ in 0..10 {
        let ends = std::array::from_fn(|k| x[k] + 0.1 * xd[k]);
        let f = [moordyn.step(&x, &xd, 0.1).0, end.step(&ends, &xd, 0.1).0];
        assert_eq!(f[0], f[1]);
        assert_eq!((fairlead(&moordyn), fairlead(&end)), (ends, ends));
        x = ends;
    }
}

/// Of all motions, one end of a step is the start of the next: its length does not matter.
#[test]
fn histories_converge_with_the_step_of_the_host() {
    let run = |dt: f64| {
        let system = System::started(&one_line("", "-"), &START);
        assert_eq!(unsafe { PintleMoorDyn_SetMotion(system.handle, 1) }, OK);
        let steps = (10.0 / dt).round() as i32;
        let mut f = vec![];
        for k in 1..=steps {
            let t = dt * f64::from(k);
            // From rest.
            let s = (t / 5.0).min(1.0);
            let (a, b) = (s * s * (3.0 - 2.0 * s), if s < 1.0 { 6.0 * s * (1.0 - s) / 5.0 } else { 0.0 });
            let (x, xd) = motion(t);
            let x = [5.2 + a * (x[0] - 5.2), x[1], x[2]];
            let xd = [a * xd[0] + b * (motion(t).0[0] - 5.2), 0.0, 0.0];
            (f, _) = system.step(&x, &xd, dt);
        }
        f
    };
    let fine = run(0.0125);
    for (dt, bound) in [(0.1, 6e-3), (0.05, 3e-3)] {
        let f = run(dt);
        let error = norm(std::array::from_fn(|k| f[k] - fine[k])) / norm([fine[0], fine[1], fine[2]]);
        assert!(error < bound, "{dt}: {error}");
    }
}
