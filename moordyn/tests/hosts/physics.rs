//! Forces and motions against closed forms and against pintle's own functions.

use crate::system::*;
use moordyn_pintle::parts::*;
use moordyn_pintle::version2::*;
use pintle::Frame;
use pintle::simulation::load_moordyn_for_hosts;

/// Horizontal and vertical force at the top of an elastic catenary that lies on the bed in part.
fn catenary(length: f64, w: f64, ea: f64, x: f64, z: f64) -> [f64; 2] {
    let span = |h: f64| {
        // The hanging part has the height z for a vertical force v.
        let height = |v: f64| h / w * ((1.0 + (v / h).powi(2)).sqrt() - 1.0) + v * v / (2.0 * ea * w);
        let (mut low, mut high) = (0.0, w * length);
        for _ in 0..200 {
            let v = 0.5 * (low + high);
            if height(v) < z { low = v } else { high = v }
        }
        (length - low / w + h / w * (low / h).asinh() + h * length / ea, low)
    };
    let (mut low, mut high) = (1.0, ea);
    for _ in 0..200 {
        let h = 0.5 * (low + high);
        if span(h).0 < x { low = h } else { high = h }
    }
    [low, span(low).1]
}

#[test]
fn the_fairlead_force_is_that_of_the_catenary() {
    let input = one_line("", "-").replace(" 902.2 20 ", " 902.2 100 ");
    let system = System::started(&input, &[5.2, 0.0, -70.0]);
    let w = (77.7066 - 1025.0 * std::f64::consts::PI * 0.09 * 0.09 / 4.0) * 9.80665;
    let [h, v] = catenary(902.2, w, 384.243e6, 853.87 - 5.2, 250.0);
    let [fx, fy, fz] = point_force(system.point(2));
    assert!((fx / h - 1.0).abs() < 1e-3 && fy.abs() < 1e-6 && (fz / -v - 1.0).abs() < 1e-3, "{fx} {fz}, {h} {v}");
    let [tension] = vector::<1>(|out| unsafe { MoorDyn_GetLineFairTen(system.line(1), out) });
    assert!((tension / h.hypot(v) - 1.0).abs() < 3e-3, "{tension}");
    let [largest] = vector::<1>(|out| unsafe { MoorDyn_GetLineMaxTen(system.line(1), out) });
    assert!(largest <= tension && largest > 0.98 * tension, "{largest} {tension}");
}

#[test]
fn forces_are_the_opposite_of_pintles_reactions() {
    let system = System::started(&body_and_point(), &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 300.0, -10.0]);
    let (mut own, _) = load_moordyn_for_hosts(&system.folder.0.join("lines.txt")).unwrap();
    own.settings().set_option("rho_inf", 0.3).unwrap();
    own.settings().set_option("max_time_step", 0.05).unwrap();
    own.initialize(0.0).unwrap();
    let xd = [0.5, 0.1, -0.2, 0.01, -0.02, 0.03, 0.3, 0.2, 0.1];
    let mut x = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 300.0, -10.0];
    for step in 1..=20 {
        let (f, t) = system.step(&x, &xd, 0.1);
        x.iter_mut().zip(xd).for_each(|(x, v)| *x += v * 0.1);
        let [p, v] = [moordyn_pintle::angles::pose(x[..6].try_into().unwrap()), [0.0; 7]];
        own.inputs().set_body_motion(0, &p, xd[..6].try_into().unwrap(), v[..6].try_into().unwrap()).unwrap();
        own.inputs().set_point_motion(4, x[6..].try_into().unwrap(), xd[6..].try_into().unwrap(), &[0.0; 3]).unwrap();
        own.step(0.1).unwrap();
        assert!((t - 0.1 * f64::from(step)).abs() < 1e-12);
        let body = own.outputs().body_reaction(0, Frame::Inertial).unwrap();
        let point = own.points().reaction(4).unwrap();
        for (k, reaction) in body.iter().chain(&point).enumerate() {
            assert!((f[k] + reaction).abs() <= 1e-9 * reaction.abs().max(1e3), "{step}, {k}: {} {reaction}", f[k]);
        }
        assert_eq!(f[..6], vector::<6>(|out| unsafe { MoorDyn_GetBodyForce(system.body(1), out) }));
        assert_eq!(f[6..], point_force(system.point(5)));
    }
    // The sum of the ends of its lines, without inertia, as nothing else acts on the point.
    let end = vector::<3>(|out| unsafe { MoorDyn_GetLineNodeForce(system.line(3), 20, out) });
    let force = point_force(system.point(5));
    assert!(norm(std::array::from_fn(|k| end[k] - force[k])) < 1e-9 * norm(force), "{end:?} {force:?}");
    let r = vector::<3>(|out| unsafe { MoorDyn_GetBodyAngle(system.body(1), out) });
    assert!(r.iter().zip(&x[3..]).all(|(own, given)| (own - given).abs() < 1e-12), "{r:?}");
    let v = vector::<3>(|out| unsafe { MoorDyn_GetBodyAngVel(system.body(1), out) });
    assert!(v.iter().zip(&xd[3..]).all(|(own, given)| (own - given).abs() < 1e-12), "{v:?}");
}

/// The stiffness of a line changes its tension in proportion, and forces of all causes are those
/// that weight and tension say of a line at rest.
#[test]
fn stiffness_changes_and_forces_have_causes() {
    let system = System::started(&one_line("", "-"), &[5.2, 0.0, -70.0]);
    let line = system.line(1);
    let tension = || {
        let mut tension = 0.0;
        assert_eq!(unsafe { MoorDyn_GetLineFairTen(line, &mut tension) }, OK);
        tension
    };
    let of = |get: unsafe extern "C" fn(_, _, _) -> _, i: u32| vector::<3>(|out| unsafe { get(line, i, out) });
    // Neighbours pull a node up by H times the change of slope; node 10 hangs and tells H.
    let lift = |i: u32| {
        let [a, b, c] = [i - 1, i, i + 1].map(|i| of(MoorDyn_GetLineNodePos, i));
        (c[2] - b[2]) / (b[0] - c[0]) - (b[2] - a[2]) / (a[0] - b[0])
    };
    let weight = of(MoorDyn_GetLineNodeWeight, 10)[2];
    let h = -weight / lift(10);
    for i in 1..20 {
        let bed = of(MoorDyn_GetLineNodeSeabedForce, i)[2];
        assert!((weight + bed + h * lift(i)).abs() < 1e-6 * h, "{i}: {weight} {bed} {h}");
        assert_eq!(bed > 0.0, i < 4);
    }
    for get in [MoorDyn_GetLineNodeDrag, MoorDyn_GetLineNodeFroudeKrilov, MoorDyn_GetLineNodeBendStiff] {
        assert_eq!(of(get, 15).map(f64::abs), [0.0; 3]);
    }
    let before = tension();
    let mut ea = 0.0;
    assert_eq!(unsafe { MoorDyn_GetLineConstantEA(line, &mut ea) }, OK);
    assert_eq!(unsafe { MoorDyn_SetLineConstantEA(line, 1.01 * ea) }, OK);
    system.step(&[5.2, 0.0, -70.0], &[0.0; 3], 1e-5);
    assert!((tension() / before - 1.01).abs() < 1e-3, "{before} {}", tension());
    assert_eq!(unsafe { MoorDyn_SetLineConstantEA(line, -1.0) }, INVALID_VALUE);
}

#[test]
fn a_line_at_rest_stays_at_rest() {
    let system = System::started(&one_line("", "-"), &[5.2, 0.0, -70.0]);
    let before: Vec<[f64; 3]> = (0..=20).map(|i| node(system.line(1), i)).collect();
    let (force, _) = system.step(&[5.2, 0.0, -70.0], &[0.0; 3], 0.0);
    for _ in 0..50 {
        system.step(&[5.2, 0.0, -70.0], &[0.0; 3], 0.2);
    }
    for (i, before) in before.iter().enumerate() {
        let moved = norm(std::array::from_fn(|k| node(system.line(1), i as u32)[k] - before[k]));
        assert!(moved < 1e-6, "node {i} moved by {moved}");
    }
    let (after, t) = system.step(&[5.2, 0.0, -70.0], &[0.0; 3], 0.0);
    assert!(after.iter().zip(&force).all(|(after, before)| (after - before).abs() < 1.0), "{after:?} {force:?}");
    assert!((t - 10.0).abs() < 1e-9);
}

/// A free heavy point on a line is a pendulum, which starts where the file places it.
#[test]
fn a_pendulum_swings_with_its_period() {
    let input = format!(
        "--- LINE TYPES ---\nName D m EA BA EI Cd Ca CdAx CaAx\n(-) (-) (-) (-) (-) (-) (-) (-) (-) (-)\n\
         main 0.1 7.85398 1.0E9 -1.0 0 0 0 0 0\n{POINTS}1 Fixed 0 0 0 0 0 0 0\n2 Free 10 0 -100 1e5 0 0 0\n\
         {LINES}1 main 1 2 100.4987562 20 -\n--- OPTIONS ---\n1000 WtrDnsty\n500 WtrDpth\n"
    );
    let system = System::started(&input, &[]);
    assert_eq!(position(system.point(2))[0], 10.0);
    // 2 pi sqrt(L/g), more for the amplitude of 0.1 rad, the stretch, and the inertia of the line,
    // which has no weight in water.
    let (amplitude, stretch, inertia) = (0.09967f64.powi(2) / 16.0, 0.5 * 1e5 * 9.80665 / 1e9, 785.4 / 6e5);
    let period = std::f64::consts::TAU * (100.4987562f64 / 9.80665).sqrt() * (1.0 + amplitude + stretch + inertia);
    let (mut t, mut x, mut before) = (0.0, 10.0, 10.0);
    while x > 0.0 {
        before = x;
        (_, t) = system.step(&[], &[], 0.01);
        x = position(system.point(2))[0];
    }
    let quarter = t - 0.01 * x / (x - before);
    assert!((4.0 * quarter / period - 1.0).abs() < 5e-4, "{quarter} {period}");
}

#[test]
fn a_light_joint_starts_at_rest() {
    let input = format!(
        "{LINE_TYPES}{POINTS}1 Fixed -400 0 -100 0 0 0 0\n2 Free 0 0 -60 0.1 0 0 0\n3 Coupled 400 0 -50 0 0 0 0\n\
         {LINES}1 main 1 2 420 10 -\n2 main 2 3 420 10 -\n--- OPTIONS ---\n100 WtrDpth\n"
    );
    let system = System::started(&input, &[400.0, 0.0, -50.0]);
    let force = point_force(system.point(2));
    let [tension] = vector::<1>(|out| unsafe { MoorDyn_GetLineFairTen(system.line(2), out) });
    assert!(norm(force) < 1e-4 * tension, "{force:?} of {tension}");
}

/// Beside a heavy point and a free body, which start where the file places them; from another place
/// of the joint too, it is at rest where it is without them.
#[test]
fn a_light_joint_starts_at_rest_beside_heavy_objects() {
    let joint = |heavy: &str, body: &str, place: &str| {
        let input = format!(
            "{LINE_TYPES}{BODIES}{body}{POINTS}1 Fixed -400 0 -100 0 0 0 0\n2 Free {place} 0.1 0 0 0\n\
             3 Coupled 400 0 -50 0 0 0 0\n{heavy}{LINES}1 main 1 2 420 10 -\n2 main 2 3 420 10 -\n\
             --- OPTIONS ---\n100 WtrDpth\n"
        );
        let system = System::started(&input, &[400.0, 0.0, -50.0]);
        let force = point_force(system.point(2));
        let [tension] = vector::<1>(|out| unsafe { MoorDyn_GetLineFairTen(system.line(2), out) });
        assert!(norm(force) < 1e-4 * tension, "{force:?} of {tension}");
        if !heavy.is_empty() {
            assert_eq!(position(system.point(4)), [10.0, 20.0, -30.0]);
        }
        position(system.point(2))
    };
    let alone = joint("", "", "0 0 -60");
    let body = "1 Free 0 50 -5 0 0 0 1000 0 1000 0.5 1 1\n";
    for place in ["0 0 -60", "20 5 -40"] {
        let beside = joint("4 Free 10 20 -30 500 0 0 0\n", body, place);
        // The search ends at 1e-9 of the forces.
        assert!((0..3).all(|k| (beside[k] - alone[k]).abs() < 1e-4), "{beside:?} {alone:?}");
    }
}

#[test]
fn a_broken_line_falls_and_its_end_is_a_new_point() {
    let system = System::started(&one_line("", "-"), &[5.2, 0.0, -70.0]);
    unsafe {
        assert_eq!(MoorDyn_BreakLine(system.handle, system.point(1), system.line(1)), OK);
        assert_eq!(MoorDyn_BreakLine(system.handle, system.point(1), system.line(1)), INVALID_VALUE);
        assert_eq!(MoorDyn_BreakLine(system.handle, system.point(2), system.line(1)), OK);
        let mut n = 0;
        assert_eq!((MoorDyn_GetNumberPoints(system.handle, &mut n), n), (OK, 4));
        let (mut line, mut end) = (std::ptr::null_mut(), -1);
        assert_eq!(MoorDyn_GetPointAttached(system.point(4), 0, &mut line, &mut end), OK);
        assert_eq!((line, end), (system.line(1), 1));
    }
    let before = position(system.point(4));
    let mut f = vec![];
    for _ in 0..20 {
        (f, _) = system.step(&[5.2, 0.0, -70.0], &[0.0; 3], 0.1);
    }
    assert_eq!(f, [0.0; 3]);
    let after = position(system.point(4));
    assert!(before[2] == -70.0 && after[2] < -72.0 && after == node(system.line(1), 20), "{before:?} {after:?}");
    assert_eq!(position(system.point(2)), [5.2, 0.0, -70.0]);
}

#[test]
fn a_winch_holds_its_rate_until_another_is_set() {
    let system = System::started(&one_line("", "-"), &[5.2, 0.0, -70.0]);
    let length = || vector::<1>(|out| unsafe { MoorDyn_GetLineUnstretchedLength(system.line(1), out) })[0];
    unsafe {
        assert_eq!(MoorDyn_SetLineUnstretchedLengthVel(system.line(1), -0.5), OK);
        system.step(&[5.2, 0.0, -70.0], &[0.0; 3], 1.0);
        system.step(&[5.2, 0.0, -70.0], &[0.0; 3], 1.0);
        assert!((length() - 901.2).abs() < 1e-9);
        // A step that fails does not pay out.
        let nan = system.try_step(&[5.2, f64::NAN, -70.0], &[0.0; 3], 1.0);
        assert_eq!(nan.0, NAN);
        assert!((length() - 901.2).abs() < 1e-9);
        assert_eq!(MoorDyn_SetLineUnstretchedLengthVel(system.line(1), 0.0), OK);
        assert_eq!(MoorDyn_SetLineUnstretchedLength(system.line(1), 900.0), OK);
    }
    system.step(&[5.2, 0.0, -70.0], &[0.0; 3], 1.0);
    assert_eq!(length(), 900.0);
}

/// A point's mass: half of a segment's, with its added mass.
#[test]
fn masses_are_those_of_the_file_with_water() {
    let system = System::started(&body_and_point(), &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 300.0, -10.0]);
    let m = vector::<9>(|out| unsafe { MoorDyn_GetPointM(system.point(5), out) });
    let half = 640.0 / 40.0;
    let displaced = 1025.0 * std::f64::consts::PI * 0.09 * 0.09 / 4.0 * half;
    let trace = 3.0 * 77.7066 * half + 2.0 * displaced;
    assert!(((m[0] + m[4] + m[8]) / trace - 1.0).abs() < 1e-9, "{m:?}");
    let m = vector::<36>(|out| unsafe { MoorDyn_GetBodyM(system.body(1), out) });
    // That of the coupled body itself is the host's.
    assert!(m[0] > 2.0 * 77.7066 * half && m[0] < 1e4, "{}", m[0]);
    let symmetric = (0..36).all(|k| (m[k] - m[6 * (k % 6) + k / 6]).abs() < 1e-6);
    assert!(symmetric, "{m:?}");
    let weight = vector::<3>(|out| unsafe { MoorDyn_GetLineNodeWeight(system.line(3), 20, out) });
    assert!((weight[2] / (-9.80665 * (77.7066 * half - displaced)) - 1.0).abs() < 1e-9, "{weight:?}");
}

#[test]
fn water_of_the_host_carries_lines_along() {
    let system = System::started(&one_line("1 WaveKin", "-"), &[5.2, 0.0, -70.0]);
    let mut n = 0;
    unsafe {
        assert_eq!((MoorDyn_ExternalWaveKinInit(system.handle, &mut n), n), (OK, 21 + 2 + 1));
        let mut places = vec![0.0; 3 * n as usize];
        assert_eq!(MoorDyn_ExternalWaveKinGetCoordinates(system.handle, places.as_mut_ptr()), OK);
        assert_eq!(places[3 * 20..3 * 21], node(system.line(1), 20));
        assert_eq!(places[3 * 22..3 * 23], [5.2, 0.0, -70.0]);
        let u: Vec<f64> = (0..n).flat_map(|_| [0.0, 1.0, 0.0]).collect();
        let ud = vec![0.0; 3 * n as usize];
        assert_eq!(MoorDyn_ExternalWaveKinSet(system.handle, u.as_ptr(), ud.as_ptr(), 0.0), OK);
    }
    for _ in 0..50 {
        system.step(&[5.2, 0.0, -70.0], &[0.0; 3], 0.1);
    }
    assert!(node(system.line(1), 15)[1] > 0.5, "{:?}", node(system.line(1), 15));
}

/// Depths are z of the grid: bilinear, constant beyond the edges. Without a grid there is no
/// seafloor.
#[test]
fn the_seafloor_is_that_of_the_file() {
    let folder = Folder::new();
    let bed = "2 2\n-900 900\n-500 500\n-900 -500 -310\n900 -500 -330\n-900 500 -320\n900 500 -350\n";
    std::fs::write(folder.0.join("bed.txt"), bed).unwrap();
    let system = System::new_in(folder, &one_line("bed.txt SeafloorFile\n", "-")).start(&[5.2, 0.0, -70.0]);
    let seafloor = unsafe { MoorDyn_GetSeafloor(system.handle) };
    let mut depth = 0.0;
    for ([x, y], expected) in [([0.0, 0.0], -327.5), ([450.0, 0.0], -333.75), ([2e3, -1e3], -330.0)] {
        assert_eq!(unsafe { MoorDyn_GetDepthAt(seafloor, x, y, &mut depth) }, 0);
        assert!((depth - expected).abs() < 1e-10, "{depth} {expected}");
    }
    assert_eq!((unsafe { MoorDyn_GetAverageDepth(seafloor, &mut depth) }, depth), (0, -327.5));
    assert_eq!((unsafe { MoorDyn_GetMinDepth(seafloor, &mut depth) }, depth), (0, -310.0));
    assert_eq!(unsafe { MoorDyn_GetMinDepth(seafloor, std::ptr::null_mut()) }, -6, "{}", last_error());
    let level = System::started(&one_line("", "-"), &[5.2, 0.0, -70.0]);
    assert!(unsafe { MoorDyn_GetSeafloor(level.handle) }.is_null());
    assert_eq!(unsafe { MoorDyn_GetDepthAt(std::ptr::null_mut(), 0.0, 0.0, &mut depth) }, -6);
}

/// A current that grows for 4 s: linear in time and height, with its derivative by time; it moves
/// the line.
#[test]
fn a_current_over_time_is_that_of_the_file() {
    let folder = Folder::new();
    let rows = "a\nb\nc\nd\n-100 0\n\n0 0 0\n4 0.4 1.6\n";
    std::fs::write(folder.0.join("current_profile_dynamic.txt"), rows).unwrap();
    let fairlead = [5.2, 0.0, -70.0];
    let system = System::new_in(folder, &one_line("2 Currents\n", "-")).start(&fairlead);
    let before = node(system.line(1), 15);
    let waves = unsafe { MoorDyn_GetWaves(system.handle) };
    for step in 1..=8 {
        let (_, t) = system.step(&fairlead, &[0.0; 3], 1.0);
        assert_eq!(t, f64::from(step));
        let (mut u, mut ud, mut zeta, null) = ([0.0; 3], [0.0; 3], 0.0, std::ptr::null_mut());
        let place = [3.0, 2.0, -25.0];
        let [x, y, z] = place;
        let found = unsafe {
            MoorDyn_GetWavesKin(waves, x, y, z, u.as_mut_ptr(), ud.as_mut_ptr(), &mut zeta, std::ptr::null_mut(), null)
        };
        // 0.1 and 0.4 m/s^2 at the two heights; at 4 s, where it becomes steady, the mean of both
        // sides.
        let slope = [0.325, 0.1625, 0.0][usize::from(step >= 4) + usize::from(step > 4)];
        assert!((u[0] - 0.325 * t.min(4.0)).abs() < 1e-12 && (ud[0] - slope).abs() < 1e-12, "{t}: {u:?} {ud:?}");
        assert_eq!((found, zeta), (OK, 0.0));
    }
    let moved = node(system.line(1), 15)[0] - before[0];
    assert!(moved > 1e-3, "{moved}");
}

/// A profile at heights -100 and 0, and one component: velocities add up, at the time of the start.
#[test]
fn waves_and_current_are_those_of_the_files() {
    let folder = Folder::new();
    std::fs::write(folder.0.join("current_profile.txt"), "-100 0.2 0 0\n0 1.2 0 0\n").unwrap();
    std::fs::write(folder.0.join("wave_frequencies.txt"), "0.6 0.5 0\n").unwrap();
    let input = one_line("1 Currents\n7 WaveKin\n", "-");
    let system = System::new_in(folder, &input).start(&[5.2, 0.0, -70.0]);
    let waves = unsafe { MoorDyn_GetWaves(system.handle) };
    let (mut u, mut ud, mut zeta, null) = ([0.0; 3], [0.0; 3], 0.0, std::ptr::null_mut());
    let mut ask = |pressure: *mut f64| unsafe {
        MoorDyn_GetWavesKin(waves, 0.0, 0.0, -20.0, u.as_mut_ptr(), ud.as_mut_ptr(), &mut zeta, pressure, null)
    };
    assert_eq!(ask(std::ptr::null_mut()), 0);
    let mut pressure = 0.0;
    assert_eq!(ask(&mut pressure), 0, "{}", last_error());
    assert!(pressure.abs() < 1e-6, "the elevation and with it the pressure are zero: {pressure}");
    // The elevation |A| sin(w t - k l) is zero at first, when the water rises and accelerates along
    // x.
    let k = 0.36 / 9.80665;
    assert!(zeta.abs() < 1e-9 && (u[0] - 1.0).abs() < 1e-9 && u[1] == 0.0, "{zeta} {u:?}");
    assert!((u[2] - 0.5 * 0.6 * f64::exp(-20.0 * k)).abs() < 1e-6, "{u:?}");
    assert!((ud[0] - 0.5 * 0.36 * f64::exp(-20.0 * k)).abs() < 1e-6 && ud[2].abs() < 1e-9, "{ud:?}");
    // Under the crest, a quarter of a wave before, the water is stretched by 0.5 m on 320 m.
    let x = -0.5 * std::f64::consts::PI / k;
    let crest = unsafe {
        MoorDyn_GetWavesKin(waves, x, 0.0, -20.0, u.as_mut_ptr(), ud.as_mut_ptr(), &mut zeta, &mut pressure, null)
    };
    let stretched = 320.0 * 300.0 / 320.5 - 320.0;
    let expected = 1025.0 * 9.80665 * 0.5 * f64::exp(k * stretched);
    assert!(crest == 0 && (pressure / expected - 1.0).abs() < 1e-6, "{pressure} {expected}");
}

/// On a line of one segment internal pressure acts along its chord, with the mean of both nodes.
#[test]
fn internal_pressure_pushes_segments_apart() {
    let input = one_line("", "-").replace(" 902.2 20 ", " 880 1 ");
    let fairlead = [5.2, 0.0, -70.0];
    let pressure = [3e5, 1e5];
    let force = |enabled: bool| {
        let system = System::new(&input);
        let line = system.line(1);
        let mut acts = -1;
        unsafe {
            if enabled {
                assert_eq!(MoorDyn_SetLinePressBend(line, 1), OK);
            }
            assert_eq!((MoorDyn_IsLinePressBend(line, &mut acts), acts), (OK, i32::from(enabled)));
            let status = if enabled { OK } else { INVALID_VALUE };
            assert_eq!(MoorDyn_SetLinePressInt(line, pressure.as_ptr()), status);
            assert_eq!(MoorDyn_SetLinePressInt(line, std::ptr::null()), INVALID_VALUE);
        }
        let system = system.start(&fairlead);
        let before = system.step(&fairlead, &[0.0; 3], 0.1).0;
        unsafe {
            assert_eq!(MoorDyn_SetLinePressBend(line, 0), OK);
            assert_eq!(MoorDyn_SetLinePressBend(line, 1), if enabled { OK } else { INVALID_VALUE });
        }
        [before, system.step(&fairlead, &[0.0; 3], 0.1).0]
    };
    let [without, with] = [false, true].map(force);
    let chord = [5.2 - 853.87, 0.0, 250.0];
    let thrust = 2e5 * std::f64::consts::PI * 0.09 * 0.09 / 4.0 / chord.iter().map(|x| x * x).sum::<f64>().sqrt();
    for k in 0..3 {
        // Forces are known to the rounding of the tension, 2 MN.
        assert!((with[0][k] - without[0][k] - thrust * chord[k]).abs() < 1e-6, "{with:?} {without:?}");
        assert!((with[1][k] - without[1][k]).abs() < 1e-6, "{with:?} {without:?}");
    }
}

/// Where nothing is free, MoorDyn's search for rest is one interval, in which a viscoelastic rope
/// creeps from a strain that is all slow: z falls to EA/E_s of it with the rate (E + E_s)/(B_s +
/// B_d).
#[test]
fn a_rope_between_held_ends_starts_as_moordyns() {
    let types = LINE_TYPES.replace("main ", "rope 0.1 20 1e8|2e8 9e8|1e8 0 0 0 0 0\nmain ");
    let input = format!(
        "{types}{POINTS}1 Fixed 0 0 0 0 0 0 0\n2 Coupled 1.01 0 0 0 0 0 0\n{LINES}1 rope 1 2 1.0 1 -\n\
         --- OPTIONS ---\n0 g\n0 rho\n2.5 dtIC\n"
    );
    let system = System::started(&input, &[1.01, 0.0, 0.0]);
    // E_s = E, 1/E_s + 1/E = 1/EA.
    let (strain, e, slow, fast) = (0.01, 2e8, 9e8, 1e8);
    let lambda = 2.0 * e / (slow + fast);
    for step in 0..5 {
        let z = strain * (0.5 + 0.5 * (-lambda * (2.5 + 0.1 * f64::from(step))).exp());
        let expected = e * z + slow * (e * (strain - z) - e * z) / (slow + fast);
        let [tension] = vector::<1>(|out| unsafe { MoorDyn_GetLineFairTen(system.line(1), out) });
        assert!((tension / expected - 1.0).abs() < 1e-9, "{tension} {expected}");
        system.step(&[1.01, 0.0, 0.0], &[0.0; 3], 0.1);
    }
}

/// A free body with drag, of the density of water, is carried along by the water that the host
/// gives at bodies, which come after the ground: by U t/(t + T), T = m/(rho CdA U/2).
#[test]
fn water_of_the_host_carries_bodies_along() {
    let mut input = one_line("1 WaveKin", "-");
    input.insert_str(input.find("--- POINTS").unwrap(), &format!("{BODIES}1 Free 500 0 -50 0 0 0 2050 0 900 2 4 0\n"));
    let system = System::started(&input, &[5.2, 0.0, -70.0]);
    let mut n = 0;
    unsafe {
        assert_eq!((MoorDyn_ExternalWaveKinInit(system.handle, &mut n), n), (OK, 21 + 2 + 2));
        let mut places = vec![0.0; 3 * n as usize];
        assert_eq!(MoorDyn_ExternalWaveKinGetCoordinates(system.handle, places.as_mut_ptr()), OK);
        assert_eq!(places[3 * 24..], [500.0, 0.0, -50.0]);
        let mut u = vec![0.0; 3 * n as usize];
        u[3 * 24 + 1] = 1.5;
        let ud = vec![0.0; 3 * n as usize];
        assert_eq!(MoorDyn_ExternalWaveKinSet(system.handle, u.as_ptr(), ud.as_ptr(), 0.0), OK);
    }
    for _ in 0..40 {
        system.step(&[5.2, 0.0, -70.0], &[0.0; 3], 0.05);
    }
    let mut rates = [0.0; 6];
    let at: [f64; 6] = vector(|out| unsafe { MoorDyn_GetBodyState(system.body(1), out, rates.as_mut_ptr()) });
    let period = 2050.0 / (0.5 * 1025.0 * 4.0 * 1.5);
    assert!((rates[1] - 1.5 * 2.0 / (2.0 + period)).abs() < 2e-3, "{rates:?} {at:?}");
}
