//! Conventions of x, and states: repeated steps, files, foreign bytes.

use crate::system::*;
use moordyn_pintle::parts::*;
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
    assert_eq!(load("lines.ic"), -1);
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

/// The bytes of a state as MoorDyn writes it: rows of equal length of each object.
fn moordyn_state(objects: &[Vec<Vec<f64>>]) -> Vec<u8> {
    let mut words = vec![objects.len() as u64];
    for rows in objects {
        words.extend([rows.len() as u64, rows.first().map_or(0, Vec::len) as u64]);
        words.extend(rows.iter().flatten().map(|x| x.to_bits()));
    }
    let mut bytes = b"MoorDyn\x02\x07".to_vec();
    bytes.extend((words.len() as u64).to_le_bytes());
    bytes.extend(words.iter().flat_map(|word| word.to_le_bytes()));
    bytes
}

/// A free body, a free rod, one on the ground, a coupled and a free point, and a line between
/// these.
fn free_objects(options: &str) -> String {
    format!(
        "{LINE_TYPES}{ROD_TYPES}tube 0.5 100 1 1 1 1\n{BODIES}1 Free 0 0 -5 10 20 30 1000 0 1000 1.2 1 1\n\
         {RODS}1 tube Free 50 0 -10 53 4 -10 4 -\n2 tube Fixed 150 0 -10 153 4 -10 4 -\n\
         {POINTS}1 Coupled 5.2 0 -10 0 0 0 0\n2 Free 60 0 -30 100 0.2 0 0\n{LINES}1 main 2 1 60 3 -\n\
         --- OPTIONS ---\n320 WtrDpth\n0 TmaxIC\n{options}\n"
    )
}

/// Objects in the order of the file; quaternions have their real part last, and that of a rod turns
/// its direction in the file.
fn places() -> Vec<Vec<Vec<f64>>> {
    let h = 0.5f64.sqrt();
    vec![
        // A quarter about z.
        vec![vec![1.0, 2.0, -6.0, 0.0, 0.0, h, h, 0.1, 0.2, 0.3, 0.01, 0.02, 0.03]],
        vec![vec![51.0, 1.0, -11.0, 0.0, 0.0, h, h, -0.1, -0.2, -0.3, 0.0, 0.0, 0.5]],
        vec![vec![0.0; 13]],
        vec![vec![0.0; 6]],
        vec![vec![58.0, 1.0, -31.0, 0.4, 0.5, -0.6]],
        vec![vec![40.0, 0.5, -28.0, -0.4, 0.0, -1.1], vec![21.0, 0.2, -21.0, -0.5, 0.1, -0.9]],
    ]
}

#[test]
fn a_state_of_moordyn_puts_free_objects_and_nodes_where_it_has_them() {
    let fairlead = [5.2, 0.0, -10.0];
    let folder = Folder::new();
    std::fs::write(folder.0.join("start.ic"), moordyn_state(&places())).unwrap();
    let named = System::new_in(folder, &free_objects("start.ic fileIC")).start(&fairlead);
    let loaded = System::started(&free_objects(""), &fairlead);
    std::fs::write(loaded.folder.0.join("later.ic"), moordyn_state(&places())).unwrap();
    assert_eq!(unsafe { MoorDyn_LoadState(loaded.handle, loaded.folder.path("later.ic").as_ptr()) }, OK);
    for system in [&named, &loaded] {
        let mut pose = [[0.0; 6]; 2];
        let [r, v] = &mut pose;
        assert_eq!(unsafe { MoorDyn_GetBodyState(system.body(1), r.as_mut_ptr(), v.as_mut_ptr()) }, OK);
        let expected = [1.0, 2.0, -6.0, 0.0, 0.0, std::f64::consts::FRAC_PI_2];
        assert!((0..6).all(|k| (pose[0][k] - expected[k]).abs() < 1e-12), "{pose:?}");
        assert!((0..6).all(|k| (pose[1][k] - places()[0][0][7 + k]).abs() < 1e-12), "{pose:?}");
        // (3, 4, 0) turned by a quarter.
        let node = |i| vector::<3>(|out| unsafe { MoorDyn_GetRodNodePos(system.rod(1), i, out) });
        let (a, b) = (node(0), node(4));
        assert!((0..3).all(|k| (a[k] - [51.0, 1.0, -11.0][k]).abs() < 1e-12), "{a:?}");
        assert!((0..3).all(|k| (b[k] - [47.0, 4.0, -11.0][k]).abs() < 1e-12), "{b:?}");
        let held = vector::<3>(|out| unsafe { MoorDyn_GetRodNodePos(system.rod(2), 4, out) });
        assert!((0..3).all(|k| (held[k] - [153.0, 4.0, -10.0][k]).abs() < 1e-9), "{held:?}");
        let node = |i| vector::<3>(|out| unsafe { MoorDyn_GetLineNodePos(system.line(1), i, out) });
        let velocity = |i| vector::<3>(|out| unsafe { MoorDyn_GetLineNodeVel(system.line(1), i, out) });
        for (i, row) in [(0, &places()[4][0]), (1, &places()[5][0]), (2, &places()[5][1])] {
            assert!((0..3).all(|k| (node(i)[k] - row[k]).abs() < 1e-12), "node {i}: {:?}", node(i));
            assert!((0..3).all(|k| (velocity(i)[k] - row[3 + k]).abs() < 1e-12), "node {i}: {:?}", velocity(i));
        }
        assert_eq!(node(3), fairlead);
    }
    // Both go on alike.
    let steps = [&named, &loaded].map(|system| system.step(&fairlead, &[0.0; 3], 0.05).0);
    assert_eq!(steps[0], steps[1]);
}

#[test]
fn a_state_of_moordyn_that_is_damaged_or_of_other_objects_changes_nothing() {
    let fairlead = [5.2, 0.0, -10.0];
    let system = System::started(&free_objects(""), &fairlead);
    let before = system.serialized();
    let whole = moordyn_state(&places());
    let refuses = |bytes: &[u8]| {
        std::fs::write(system.folder.0.join("bad.ic"), bytes).unwrap();
        let status = unsafe { MoorDyn_LoadState(system.handle, system.folder.path("bad.ic").as_ptr()) };
        assert!(status != OK && system.serialized() == before, "{status} {}", last_error());
    };
    (7..whole.len()).for_each(|length| refuses(&whole[..length]));
    refuses(&[&whole[..], &[0; 8]].concat());
    refuses(&moordyn_state(&places()[1..]));
    // Rows of another length, too few nodes, and numbers that are none.
    for (object, rows) in
        [(0, vec![vec![0.0; 6]]), (4, vec![vec![f64::NAN; 6]]), (5, vec![vec![0.0; 6]]), (0, vec![vec![0.0; 13]])]
    {
        let mut other = places();
        other[object] = rows;
        refuses(&moordyn_state(&other));
    }
    // A number of rows that no memory has.
    let mut huge = whole.clone();
    huge[17 + 8..17 + 16].copy_from_slice(&u64::MAX.to_le_bytes());
    refuses(&huge);
    // At the start: then the host may start again.
    let folder = Folder::new();
    let unstarted = System::new_in(folder, &free_objects("start.ic fileIC"));
    for bytes in [None, Some(&whole[..60])] {
        if let Some(bytes) = bytes {
            std::fs::write(unstarted.folder.0.join("start.ic"), bytes).unwrap();
        }
        assert_ne!(unsafe { MoorDyn_Init(unstarted.handle, fairlead.as_ptr(), std::ptr::null()) }, OK);
    }
    std::fs::write(unstarted.folder.0.join("start.ic"), &whole).unwrap();
    unstarted.start(&fairlead);
}
