//! Lines as every scheme moves them: with ends that are fixed, prescribed, attached and free, in changing steps, in other
//! units, far away, restored.

use pintle::Simulation;
use pintle::model::{FluidMotion, LineType};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

const G: f64 = 9.80665;

/// Length and mass units of a test, and where in the plane it stands.
#[derive(Clone, Copy)]
struct Units {
    length: f64,
    mass: f64,
    place: [f64; 2],
}

const SI: Units = Units { length: 1.0, mass: 1.0, place: [0.0, 0.0] };

impl Units {
    fn at(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        [x, y, z]
            .map(|x| x * self.length)
            .into_iter()
            .zip([self.place[0], self.place[1], 0.0])
            .map(|(x, p)| x + p)
            .collect::<Vec<_>>()
            .try_into()
            .unwrap()
    }

    fn force(&self) -> f64 {
        self.mass * self.length
    }
}

/// The line of OC3 Hywind, Jonkman (2010), NREL/TP-500-47535, table 5-1.
fn oc3(u: Units) -> LineType {
    LineType {
        diameter: 0.09 * u.length,
        mass_per_length: 77.7066 * u.mass / u.length,
        ea: 384.243e6 * u.force(),
        ba: -0.8,
        cdn: 1.6,
        can: 1.0,
        cdt: 0.1,
        ..LineType::default()
    }
}

fn sea(u: Units, friction: f64) -> Simulation {
    let mut s = Simulation::new();
    s.settings().set_gravity(&[0.0, 0.0, -G * u.length]).unwrap();
    let (l, m) = (u.length, u.mass);
    let pressure = m / (l * l);
    for (key, value) in [
        ("water_density", 1025.0 * m / (l * l * l)),
        ("depth", 320.0 * l),
        ("seabed_stiffness", 3e6 * pressure),
        ("seabed_damping", 3e5 * pressure),
        ("seabed_smoothing", 0.1 * l),
        ("friction_slip", 0.02 * l),
        ("seabed_friction", friction),
    ] {
        s.settings().set_environment(key, value).unwrap();
    }
    s
}

/// A line of OC3 from an anchor to a fairlead whose motion is imposed.
fn driven(u: Units, segments: i32, friction: f64) -> Simulation {
    let mut s = sea(u, friction);
    let a = s.build().add_point(0.0, 0.0, &u.at([853.87, 0.0, -320.0])).unwrap();
    let b = s.build().add_point(0.0, 0.0, &u.at([5.2, 0.0, -70.0])).unwrap();
    s.build().fix_point(a).unwrap();
    s.build().set_point_prescribed(b, true).unwrap();
    let t = s.elements().add_line_type(oc3(u)).unwrap();
    s.elements().add_line(t, a, b, 902.2 * u.length, segments).unwrap();
    s
}

/// Surge 2 m in 10 s, sway 0.5 in 13, heave 1 in 9, on a smooth ramp of 10 s.
fn sway(s: &mut Simulation, u: Units, t: f64) {
    let x = (t / 10.0).min(1.0);
    let ramp =
        [x * x * (3.0 - 2.0 * x), 6.0 * x * (1.0 - x) / 10.0, if t < 10.0 { (6.0 - 12.0 * x) / 100.0 } else { 0.0 }];
    let parts = [(2.0, 10.0), (0.5, 13.0), (1.0, 9.0)].map(|(size, period)| {
        let w = std::f64::consts::TAU / period;
        let [f, v, a] = [size * (w * t).sin(), size * w * (w * t).cos(), -size * w * w * (w * t).sin()];
        [ramp[0] * f, ramp[1] * f + ramp[0] * v, ramp[2] * f + 2.0 * ramp[1] * v + ramp[0] * a].map(|x| x * u.length)
    });
    let of = |k: usize| parts.map(|part| part[k]);
    let rest = u.at([5.2, 0.0, -70.0]);
    let position: Vec<f64> = of(0).iter().zip(rest).map(|(x, rest)| x + rest).collect();
    s.inputs().set_point_motion(1, &position.try_into().unwrap(), &of(1), &of(2)).unwrap();
}

fn size(f: [f64; 3]) -> f64 {
    (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]).sqrt()
}

/// Net forces at the fairlead over some seconds in steps of h, every `h_out`.
fn run(s: &mut Simulation, u: Units, h: f64, seconds: f64) -> Vec<f64> {
    let steps = (seconds / h).round() as usize;
    let every = (0.5 / h).round() as usize;
    let mut forces = Vec::new();
    for k in 1..=steps {
        sway(s, u, k as f64 * h);
        s.step(h).unwrap();
        if k % every == 0 {
            forces.push(size(s.lines().end_force(0, 1).unwrap()) / u.force());
        }
    }
    forces
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn a_line_starts_at_rest_and_stays_there() {
    let mut s = driven(SI, 20, 0.0);
    s.initialize(0.0).unwrap();
    let first = size(s.lines().end_force(0, 1).unwrap());
    // The catenary has 911.09 kN there; 20 segments are 0.13 % off (second order in their length).
    assert!((first - 911.09e3).abs() < 0.002 * 911.09e3);
    for _ in 0..200 {
        s.step(0.1).unwrap();
    }
    let last = size(s.lines().end_force(0, 1).unwrap());
    // Nothing is to be done in a step.
    assert_eq!(s.outputs().statistic("iterations").unwrap(), 200.0);
    assert!((last - first).abs() < 1e-6 * first);
}

#[test]
fn steps_of_a_tenth_of_a_second_take_few_iterations() {
    for segments in [20, 100] {
        let mut s = driven(SI, segments, 0.0);
        s.settings().set_option("rho_inf", 0.3).unwrap();
        s.initialize(0.0).unwrap();
        let clock = std::time::Instant::now();
        let coarse = run(&mut s, SI, 0.1, 60.0);
        println!("{} us per step", clock.elapsed().as_secs_f64() / 600.0 * 1e6);
        let per_step = s.outputs().statistic("iterations").unwrap() / s.outputs().statistic("substeps").unwrap();
        let mut fine = driven(SI, segments, 0.0);
        fine.settings().set_option("rho_inf", 0.3).unwrap();
        fine.initialize(0.0).unwrap();
        let fine = run(&mut fine, SI, 0.025, 60.0);
        let most = fine.iter().copied().fold(0.0, f64::max);
        let off = largest_difference(&coarse, &fine) / most;
        println!(
            "N {segments}: {per_step} iterations, cut {}, off {off}",
            s.outputs().statistic("rejected_steps").unwrap()
        );
        // Two, and some more where nodes touch the bed or leave it on the way and forces are not in balance after two.
        assert!(per_step <= 2.6, "{per_step} iterations per step");
        assert_eq!(s.outputs().statistic("rejected_steps").unwrap(), 0.0);
        assert!(off < 0.005, "{off}");
    }
}

#[test]
fn lines_do_not_depend_on_units_and_place() {
    let reference = {
        let mut s = driven(SI, 10, 0.4);
        s.initialize(0.0).unwrap();
        run(&mut s, SI, 0.1, 20.0)
    };
    let most = reference.iter().copied().fold(0.0, f64::max);
    for units in [
        Units { length: 1e3, mass: 1e3, place: [0.0; 2] },
        Units { length: 1e-3, mass: 1e-3, place: [0.0; 2] },
        Units { length: 1.0, mass: 1.0, place: [1e6, -1e6] },
    ] {
        let mut s = driven(units, 10, 0.4);
        s.initialize(0.0).unwrap();
        let off = largest_difference(&run(&mut s, units, 0.1, 20.0), &reference) / most;
        // Iterations end within 1e-8 of a length: 1e-5 m on EA/l of 4e6 N/m is 40 N of 1e6.
        assert!(off < 1e-4, "{off}");
    }
}

#[test]
fn explicit_schemes_move_lines_within_their_limit_and_name_it_beyond() {
    let reference = {
        let mut s = driven(SI, 10, 0.0);
        s.initialize(0.0).unwrap();
        run(&mut s, SI, 0.01, 5.0)
    };
    let most = reference.iter().copied().fold(0.0, f64::max);
    for scheme in
        ["rk4", "rk2", "ab4", "euler", "beuler6", "midpoint6", "anderson6", "aca6", "wilson6", "newmark", "hht"]
    {
        let mut s = driven(SI, 10, 0.0);
        s.settings().set_scheme(scheme).unwrap();
        if scheme.ends_with('6') {
            s.settings().set_option("max_time_step", 0.0025).unwrap();
        }
        s.initialize(0.0).unwrap();
        let off = largest_difference(&run(&mut s, SI, 0.1, 5.0), &reference) / most;
        println!(
            "{scheme}: off {off}, stable {}, substeps {}",
            s.outputs().statistic("stable_step").unwrap(),
            s.outputs().statistic("substeps").unwrap()
        );
    }
    let mut s = driven(SI, 10, 0.0);
    s.settings().set_scheme("rk4").unwrap();
    s.settings().set_option("max_time_step", 0.1).unwrap();
    s.initialize(0.0).unwrap();
    let failure = (1..1000).find_map(|k| {
        sway(&mut s, SI, k as f64 * 0.1);
        s.step(0.1).err()
    });
    let failure = failure.unwrap().to_string();
    for word in ["line 0 node", "axial waves up to 0.05", "the seabed up to 0.008"] {
        assert!(failure.contains(word), "{failure}");
    }
}

/// Lines tie what they lead to: with local steps all takes the step of the fastest, as with the scheme without them, to the
/// last bit.
#[test]
fn local_steps_are_one_step_where_lines_tie() {
    for (local, plain) in [("leuler", "euler"), ("lab3", "ab3"), ("lab5", "ab5")] {
        let tensions = |scheme: &str| {
            let mut s = driven(SI, 5, 0.0);
            s.settings().set_scheme(scheme).unwrap();
            s.initialize(0.0).unwrap();
            let tensions = run(&mut s, SI, 0.1, 2.0);
            (tensions, s.outputs().statistic("substeps").unwrap())
        };
        let (found, expected) = (tensions(local), tensions(plain));
        assert!(expected.1 > 20.0, "{plain} took {} steps", expected.1);
        assert_eq!(found, expected, "{local} beside {plain}");
    }
}

/// A body with a fairlead off its centre, a buoy between two lines, an anchor, friction; springs in place of the water.
fn moored_body() -> Simulation {
    let mut s = sea(SI, 0.5);
    let pose = [0.0, 0.0, -10.0, 1.0, 0.0, 0.0, 0.0];
    let body = s.build().add_rigid_body(2e6, &[0.0; 3], &[2e8, 2e8, 3e8, 0.0, 0.0, 0.0], &pose).unwrap();
    for (x, y) in [(-20.0, 0.0), (20.0, 20.0), (20.0, -20.0)] {
        s.elements().add_spring(body, &[x, y, 0.0], pintle::GROUND, &[x, y, 50.0], 3e5, 2e4, 40.0, false).unwrap();
    }
    let fairlead = s.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
    s.build().attach_point(fairlead, body, &[5.0, 1.0, -3.0]).unwrap();
    let buoy = s.build().add_point(500.0, 1.0, &[200.0, 20.0, -150.0]).unwrap();
    s.build().set_point_drag(buoy, 2.0, 0.5).unwrap();
    let anchor = s.build().add_point(0.0, 0.0, &[600.0, 0.0, -320.0]).unwrap();
    s.build().fix_point(anchor).unwrap();
    let t = s.elements().add_line_type(oc3(SI)).unwrap();
    s.elements().add_line(t, fairlead, buoy, 250.0, 8).unwrap();
    s.elements().add_line(t, anchor, buoy, 460.0, 12).unwrap();
    s.build().add_marker(body, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]).unwrap();
    s
}

#[test]
fn bodies_points_and_lines_move_together_and_come_to_the_equilibrium() {
    let mut s = moored_body();
    s.initialize(0.0).unwrap();
    let mut other = moored_body();
    other.initialize(0.0).unwrap();
    let steps = other.solve_equilibrium(100, 1e-8).unwrap();
    assert!(steps < 40, "{steps}");
    let distance = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).abs()).fold(0.0, f64::max);
    let place = |s: &Simulation| {
        let pose = s.outputs().body_pose(0).unwrap();
        [s.points().position(1).unwrap(), [pose[0], pose[1], pose[2]]]
    };
    let found = place(&other);
    for _ in 0..50 {
        other.step(0.2).unwrap();
    }
    // The tolerance leaves 1e-8 of the weight of 2e6 kg, 0.2 N; a line with a tension of 1e5 N over 250 m gives way by that over
    // 400 N/m, 5e-4 m.
    for (before, after) in found.into_iter().zip(place(&other)) {
        assert!(distance(before, after) < 1e-3, "{before:?} {after:?}");
    }
    // From elsewhere it is reached in time, but for the friction of the bed, which holds lines aside.
    for _ in 0..3000 {
        s.step(0.1).unwrap();
    }
    for (rest, moving) in found.into_iter().zip(place(&s)) {
        assert!(distance(rest, moving) < 2.5, "{rest:?} {moving:?}");
    }
    let iterations = s.outputs().statistic("iterations").unwrap() / 3000.0;
    assert!(iterations < 2.5 && s.outputs().statistic("rejected_steps").unwrap() == 0.0, "{iterations}");
}

/// A fairlead that moves so fast that the line falls slack and snaps: steps of a tenth of a second get through, and with
/// option `line_tension_change` they come nearer to what short steps say.
#[test]
fn snaps_are_passed_and_resolved_where_that_is_wanted() {
    let snap = |h: f64, most: f64| {
        let mut s = driven(SI, 20, 0.0);
        s.settings().set_option("rho_inf", 0.3).unwrap();
        s.settings().set_option("line_tension_change", most).unwrap();
        s.initialize(0.0).unwrap();
        let mut largest = [0.0f64; 2];
        let every = (0.1 / h).round() as usize;
        for k in 1..=(40.0 / h) as usize {
            let t = k as f64 * h;
            let (w, size) = (std::f64::consts::TAU / 6.0, 6.0);
            let x = (t / 10.0).min(1.0);
            let ramp = x * x * (3.0 - 2.0 * x);
            let rate = 6.0 * x * (1.0 - x) / 10.0;
            let second = if t < 10.0 { (6.0 - 12.0 * x) / 100.0 } else { 0.0 };
            let [f, v, a] = [size * (w * t).sin(), size * w * (w * t).cos(), -size * w * w * (w * t).sin()];
            let motion = [ramp * f, rate * f + ramp * v, second * f + 2.0 * rate * v + ramp * a];
            let [x, v, a] = motion.map(|m| [-0.6 * m, 0.0, 0.8 * m]);
            s.inputs().set_point_motion(1, &[5.2 + x[0], 0.0, -70.0 + x[2]], &v, &a).unwrap();
            s.step(h).unwrap();
            if k % every == 0 {
                let mut tensions = [0.0; 20];
                s.lines().tensions(0, &mut tensions).unwrap();
                largest[0] = largest[0].max(tensions[19]);
                largest[1] = largest[1].max(-tensions[19]);
            }
        }
        (
            largest,
            s.outputs().statistic("substeps").unwrap(),
            s.outputs().statistic("rejected_steps").unwrap(),
            s.outputs().statistic("iterations").unwrap(),
        )
    };
    let [(coarse, _, failed, iterations), (cut, parts, ..), (fine, ..)] =
        [(0.1, 0.0), (0.1, 2e5), (0.0025, 0.0)].map(|(h, most)| snap(h, most));
    // The tension rises to three times that at rest, and the damper pushes where the line is slack.
    assert!(fine[0] > 2.7e6 && fine[1] > 4e4, "{fine:?}");
    assert!(iterations / 400.0 < 3.5 && failed <= 4.0, "{iterations} iterations, {failed} cuts");
    let off = |run: [f64; 2]| (run[0] - fine[0]).abs() / fine[0];
    assert!(off(cut) < 0.5 * off(coarse) && off(coarse) < 0.08, "{coarse:?} {cut:?} {fine:?}");
    assert!(parts < 1000.0, "{parts} internal steps in place of 400");
}

/// A winch takes in line at a constant rate: a taut line without weight has the tension `EA (d/L - 1)`, and a step of a second
/// cut in ten shows it in every part.
#[test]
fn a_winch_tightens_a_line_as_it_takes_it_in() {
    let mut s = Simulation::new();
    let a = s.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
    let b = s.build().add_point(0.0, 0.0, &[10.0, 0.0, 0.0]).unwrap();
    s.build().fix_point(a).unwrap();
    s.build().fix_point(b).unwrap();
    let rope = LineType { diameter: 0.02, mass_per_length: 1e-3, ea: 1e5, ba: -1.0, ..LineType::default() };
    let t = s.elements().add_line_type(rope).unwrap();
    s.elements().add_line(t, a, b, 10.0, 4).unwrap();
    s.settings().set_option("max_time_step", 0.1).unwrap();
    s.initialize(0.0).unwrap();
    for k in 1..=5 {
        let length = 10.0 - 0.01 * k as f64;
        s.inputs().set_line_length(0, length, -0.01).unwrap();
        s.step(1.0).unwrap();
        let mut tensions = [0.0; 4];
        s.lines().tensions(0, &mut tensions).unwrap();
        // The damper: BA = l sqrt(EA w) times the strain rate d/L^2 rate.
        let ba = length / 4.0 * (1e5f64 * 1e-3).sqrt();
        let tension = 1e5 * (10.0 / length - 1.0) + ba * 10.0 / (length * length) * 0.01;
        for each in tensions {
            // A jump of the rate at the start leaves waves of the damped rope only: they are gone.
            assert!((each - tension).abs() < 1e-6 * tension, "{each} {tension}");
        }
    }
}

/// Energy of a line that swings without water: what numerical damping takes is of second order.
#[test]
fn a_line_in_air_keeps_its_energy() {
    let run = |h: f64| {
        let mut s = Simulation::new();
        s.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
        let a = s.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
        s.build().fix_point(a).unwrap();
        let b = s.build().add_point(50.0, 0.0, &[6.0, 0.0, -7.0]).unwrap();
        let t = s
            .elements()
            .add_line_type(LineType { diameter: 0.05, mass_per_length: 5.0, ea: 2e5, ..LineType::default() })
            .unwrap();
        s.elements().add_line(t, a, b, 10.0, 4).unwrap();
        s.settings().set_option("rho_inf", 1.0).unwrap();
        s.initialize(0.0).unwrap();
        let start = s.outputs().energy().unwrap();
        let mut worst = 0.0f64;
        for _ in 0..(2.0 / h) as usize {
            s.step(h).unwrap();
            let now = s.outputs().energy().unwrap();
            worst = worst.max((now.0 + now.1 - start.0 - start.1).abs());
        }
        worst
    };
    let errors = [0.002, 0.001, 0.0005].map(run);
    // Second order: a quarter for half the step, and at most a third more of it by the next term.
    for pair in errors.windows(2) {
        assert!((3.0..7.0).contains(&(pair[0] / pair[1])), "{errors:?}");
    }
}

#[test]
fn a_restored_line_goes_on_bit_by_bit() {
    let mut s = driven(SI, 12, 0.6);
    s.initialize(0.0).unwrap();
    run(&mut s, SI, 0.1, 12.0);
    s.inputs().release_line(0, 1).unwrap();
    s.step(0.1).unwrap();
    let saved = s.save().unwrap();
    let mut other = driven(SI, 12, 0.6);
    other.initialize(0.0).unwrap();
    other.restore(&saved).unwrap();
    let end = |s: &mut Simulation| {
        for _ in 0..50 {
            s.step(0.1).unwrap();
        }
        let mut x = vec![[0.0; 3]; 13];
        s.lines().positions(0, &mut x).unwrap();
        x
    };
    let (a, b) = (end(&mut s), end(&mut other));
    assert_eq!(a, b);
    // The end has fallen.
    assert!(a[12][2] < -71.0);
}

/// Water that a host lets flow evenly is a steady current; it is asked once in a step, or at every iterate, for all nodes and
/// points at once.
#[test]
fn a_callback_that_tells_an_even_flow_is_a_current() {
    let flow = [0.8, -0.3, 0.1];
    let moved = |mut s: Simulation| {
        s.initialize(0.0).unwrap();
        for _ in 0..100 {
            s.step(0.1).unwrap();
        }
        let mut x = vec![[0.0; 3]; 11];
        s.lines().positions(0, &mut x).unwrap();
        (x, s.outputs().statistic("iterations").unwrap())
    };
    let held = || {
        let mut s = driven(SI, 10, 0.0);
        s.build().set_point_prescribed(1, false).unwrap();
        s.build().fix_point(1).unwrap();
        s
    };
    let mut s = held();
    s.settings().set_current(&[0.0], &[flow]).unwrap();
    let (reference, _) = moved(s);
    for implicit in [false, true] {
        let asked = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&asked);
        let callback = move |_: f64, positions: &[[f64; 3]], motion: &mut FluidMotion| {
            assert_eq!(positions.len(), 11 + 2);
            assert_eq!(positions[11], [853.87, 0.0, -320.0]);
            count.fetch_add(1, Ordering::Relaxed);
            motion.velocities.fill(flow);
            Ok(())
        };
        let mut s = held();
        s.settings().set_fluid_callback(Some(Arc::new(callback)), implicit).unwrap();
        let (found, iterations) = moved(s);
        let most =
            found.iter().zip(&reference).flat_map(|(a, b)| (0..3).map(|k| (a[k] - b[k]).abs())).fold(0.0, f64::max);
        // The same sums in another order: rounding of 1e3 m, and what iterations leave.
        assert!(most < 1e-7, "{most}");
        // Once at the initial time, and once more where the first step starts from accelerations of its own.
        let asked = f64::from(asked.load(Ordering::Relaxed));
        let expected = if implicit { iterations } else { 100.0 };
        assert!(asked >= expected + 1.0 && asked <= expected + 2.0, "{asked} of {expected}");
    }
}

/// A host that fails, or tells what is no number, is named with the place.
#[test]
fn a_fluid_callback_that_fails_fails_the_step() {
    for (code, word) in [(7, "returned 7"), (0, "line 0 node 4")] {
        let mut s = driven(SI, 10, 0.0);
        s.initialize(0.0).unwrap();
        let callback = move |_: f64, _: &[[f64; 3]], motion: &mut FluidMotion| {
            motion.velocities[4][1] = f64::NAN;
            if code == 0 { Ok(()) } else { Err(code) }
        };
        s.settings().set_fluid_callback(Some(Arc::new(callback)), false).unwrap();
        let error = s.step(0.1).unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
        s.settings().set_fluid_callback(None, false).unwrap();
        s.step(0.1).unwrap();
    }
}

/// A taut line between two fixed points' places, one of them a mass that is free.
fn winched() -> Simulation {
    let mut s = Simulation::new();
    s.settings().set_gravity(&[0.0; 3]).unwrap();
    let [a, b] = [0.0, 20.0].map(|x| s.build().add_point(0.0, 0.0, &[x, 0.0, 0.0]).unwrap());
    [a, b].into_iter().for_each(|point| s.build().fix_point(point).unwrap());
    let t = s.elements().add_line_type(LineType { ea: 1e6, ba: 0.0, ..oc3(SI) }).unwrap();
    s.elements().add_line(t, a, b, 19.9, 8).unwrap();
    s.initialize(0.0).unwrap();
    s
}

/// What is set for the end of the coming step has not happened yet.
#[test]
fn analyses_see_a_line_as_long_as_it_is() {
    let seen = |s: &Simulation| {
        let (modes, motion) = s.analysis().modes().unwrap();
        let frequencies: Vec<f64> = modes.iter().map(|mode| mode.frequency).collect();
        (frequencies, motion, s.analysis().mass_matrix().unwrap(), s.lines().length(0).unwrap())
    };
    let mut s = winched();
    let before = seen(&s);
    s.inputs().set_line_length(0, 19.0, -3.0).unwrap();
    assert_eq!(seen(&s), before, "READY");
    s.advance(0.01).unwrap();
    s.reject().unwrap();
    assert_eq!(seen(&s), before, "rejected");
    s.inputs().set_line_length(0, 19.9, 0.0).unwrap();
    s.advance(0.01).unwrap();
    let tried = seen(&s);
    s.inputs().set_line_length(0, 19.0, 0.0).unwrap();
    assert_eq!(seen(&s), tried, "TRIAL");
    s.accept().unwrap();
    assert_eq!(seen(&s), tried, "accepted");
    s.step(1.0).unwrap();
    assert_eq!(s.lines().length(0), Ok((19.0, 0.0)));
    // The first mode of a taut string of tension T: sqrt(T/m)/(2 L), T = EA (20/19 - 1), m = mass per stretched length.
    let linear = oc3(SI).mass_per_length * 19.0 / 20.0;
    let expected = (1e6 * (20.0 / 19.0 - 1.0) / linear).sqrt() / 40.0;
    let found = seen(&s).0.into_iter().filter(|f| *f > 1e-6).fold(f64::INFINITY, f64::min);
    // Eight segments are off by (pi/8)^2/24.
    assert!((found / expected - 1.0).abs() < 0.01, "{found} {expected}");
}

#[test]
fn an_equilibrium_stops_winches_and_coordinates_leave_them() {
    let mut s = winched();
    s.inputs().set_line_length(0, 19.0, -3.0).unwrap();
    s.solve_equilibrium(50, 1e-6).unwrap();
    assert_eq!(s.lines().length(0), Ok((19.9, 0.0)));
    s.step(0.5).unwrap();
    assert_eq!(s.lines().length(0), Ok((19.9, 0.0)));
}

#[test]
fn a_line_that_would_be_too_short_on_the_way_is_refused() {
    for scheme in ["generalized-alpha", "hht", "rk4", "ab3"] {
        let mut s = winched();
        s.settings().set_scheme(scheme).unwrap();
        s.settings().set_option("max_time_step", 1e-3).unwrap();
        (0..2).for_each(|_| s.step(1e-3).unwrap());
        // From 19.9 to 18 and 400 m/s in half a second: the cubic dips by 4/27 of 200 m.
        s.inputs().set_line_length(0, 18.0, 400.0).unwrap();
        let before = s.save().unwrap().to_bytes();
        let error = s.step(0.5).unwrap_err().to_string();
        assert!(error.contains("line 0") && error.contains("long on the way"), "{scheme}: {error}");
        assert!(s.save().unwrap().to_bytes() == before, "{scheme}: changed");
        s.inputs().set_line_length(0, 19.9, 0.0).unwrap();
        s.step(1e-3).unwrap();
    }
}

/// Whatever rounding makes of the last of it.
#[test]
fn a_line_may_be_reeled_in_to_the_shortest_that_is_allowed() {
    for (from, rate, h) in [(19.0, -3.0, 5.0), (15.3, -4.285275945797478, 9.914268560758163), (17.0, 0.0, 3.0)] {
        let mut s = winched();
        s.settings().set_option("max_time_step", 1.0).unwrap();
        s.inputs().set_line_length(0, from, rate).unwrap();
        s.advance(1.0).unwrap();
        s.accept().unwrap();
        s.inputs().set_line_length(0, 0.199, 0.0).unwrap();
        match s.step(h) {
            Ok(()) => assert_eq!(s.lines().length(0), Ok((0.199, 0.0))),
            Err(error) => assert!(!error.to_string().contains("on the way"), "{from} {rate} {h}: {error}"),
        }
    }
}

/// A line that comes to rest anew somewhere else does not go on swinging as it did.
#[test]
fn a_line_whose_end_is_put_far_away_is_at_rest_there() {
    let mut s = sea(SI, 0.0);
    let body = s
        .build()
        .add_rigid_body(1e4, &[0.0; 3], &[1e4, 1e4, 1e4, 0.0, 0.0, 0.0], &[0.0, 0.0, -70.0, 1.0, 0.0, 0.0, 0.0])
        .unwrap();
    let anchor = s.build().add_point(0.0, 0.0, &[800.0, 0.0, -320.0]).unwrap();
    let fairlead = s.build().add_point(0.0, 0.0, &[0.0; 3]).unwrap();
    s.build().fix_point(anchor).unwrap();
    s.build().attach_point(fairlead, body, &[0.0; 3]).unwrap();
    let t = s.elements().add_line_type(oc3(SI)).unwrap();
    s.elements().add_line(t, anchor, fairlead, 902.2, 12).unwrap();
    s.initialize(0.0).unwrap();
    (0..40).for_each(|_| s.step(0.05).unwrap());
    let mut velocities = [[0.0; 3]; 13];
    s.lines().velocities(0, &mut velocities).unwrap();
    assert!(velocities.iter().any(|v| size(*v) > 0.1), "it swings");
    s.settings().set_option("assemble", 1.0).unwrap();
    s.inputs().set_coordinates(&[[-100.0, 0.0, -70.0, 1.0, 0.0, 0.0, 0.0]], &[[0.0; 6]]).unwrap();
    s.lines().velocities(0, &mut velocities).unwrap();
    assert_eq!(velocities, [[0.0; 3]; 13]);
    // Carried along by an end that moves: in proportion.
    s.inputs().set_coordinates(&[[0.0, 0.0, -70.0, 1.0, 0.0, 0.0, 0.0]], &[[1.2, 0.0, 0.0, 0.0, 0.0, 0.0]]).unwrap();
    s.lines().velocities(0, &mut velocities).unwrap();
    for (node, v) in velocities.iter().enumerate() {
        assert!((v[0] - 0.1 * node as f64).abs() < 1e-12 && v[1] == 0.0 && v[2] == 0.0, "{node}: {v:?}");
    }
}
