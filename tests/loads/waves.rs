//! Waves of the library: response and forces in closed form, statistics of a sea, order of
//! convergence, the same motion as by a fluid callback, states, model files.

use crate::common::*;
use pintle::model::{FluidFn, FluidMotion, Sea, Spectrum, Wave};
use pintle::{EntityKind, Error, Frame, GROUND, Id, Simulation};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

const G: f64 = 9.80665;
const RHO: f64 = 1025.0;

fn sea(depth: f64) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    sim.settings().set_environment("water_density", RHO).unwrap();
    sim.settings().set_environment("depth", depth).unwrap();
    sim
}

fn wave(amplitude: f64, frequency: f64, heading: f64, phase: f64) -> Wave {
    Wave { amplitude, frequency, heading, phase }
}

/// The root of the dispersion relation by bisection.
fn wavenumber(frequency: f64, depth: f64) -> f64 {
    let (mut low, mut high) = (0.0, 10.0 + frequency * frequency);
    for _ in 0..200 {
        let k = 0.5 * (low + high);
        if G * k * (k * depth).tanh() < frequency * frequency { low = k } else { high = k }
    }
    low
}

/// An upright cylinder of a draught, free, end A below.
fn buoy(sim: &mut Simulation, place: V3, [draught, diameter]: [f64; 2], ca_end: f64, segments: i32) -> Id {
    let mass = RHO * 0.25 * PI * diameter * diameter * draught;
    let inertia = six(&diag([mass * draught * draught, mass * draught * draught, mass * diameter * diameter]));
    let body = sim.build().add_rigid_body(mass, &[0.0, 0.0, 0.2 * draught], &inertia, &pose(place, UNROTATED)).unwrap();
    let ends = [&[0.0; 3], &[0.0, 0.0, 1.5 * draught]];
    sim.elements().add_cylinder(body, ends, diameter, segments, [0.0, 0.0, 0.0, ca_end]).unwrap();
    body
}

/// A free buoy with drag and added mass, tied by springs, in waves; for comparisons.
fn moored(sim: &mut Simulation) -> Id {
    let body = buoy(sim, [3.0, -2.0, -8.0], [8.0, 2.0], 0.7, 4);
    sim.elements().add_cylinder(body, [&[0.0; 3], &[0.0, 0.0, 9.0]], 0.5, 4, [1.0, 1.0, 1.0, 0.0]).unwrap();
    for anchor in [[60.0, 0.0, -20.0], [-50.0, 40.0, -20.0], [-50.0, -40.0, -20.0]] {
        sim.elements().add_spring(body, &[0.0; 3], GROUND, &anchor, 2e4, 1e3, 55.0, false).unwrap();
    }
    body
}

fn run(sim: &mut Simulation, body: Id, h: f64, end: f64) -> [f64; 7] {
    for _ in 0..(end / h).round() as usize {
        sim.step(h).unwrap();
    }
    sim.outputs().body_pose(body).unwrap()
}

/// Heave of an upright cylinder of draught T in a long wave, by Froude-Krylov force, buoyancy and
/// the added mass m_e of the wet end: `X = a e^(-kT) (rho g A - w^2 m_e)/(rho g A - w^2 (m +
/// m_e))`. Terms of second order are some k a = 3e-6 of it, accelerations are linear in segments:
/// (k l)^2/12 = 3e-6; trapezoidal steps change w^2 by (w h)^2/12 = 9e-6; transients of these sizes
/// grow to some times that in a period.
#[test]
fn a_buoy_heaves_in_a_wave_by_the_closed_form() {
    let (draught, diameter, ca_end, frequency, amplitude) = (10.0, 3.0, 0.8, 0.5, 1e-4);
    let area = 0.25 * PI * diameter * diameter;
    let k = frequency * frequency / G;
    let (m, end) = (RHO * area * draught, ca_end * RHO * 2.0 / 3.0 * PI * 3.375);
    let square = frequency * frequency;
    let decay = f64::exp(-k * draught);
    let response = amplitude * decay * (RHO * G * area - square * end) / (RHO * G * area - square * (m + end));
    let mut sim = sea(0.0);
    sim.settings().set_option("rho_inf", 1.0).unwrap();
    let body = buoy(&mut sim, [0.0, 0.0, -draught + response], [draught, diameter], ca_end, 60);
    sim.settings().set_waves(vec![wave(amplitude, frequency, 0.7, 0.0)]).unwrap();
    sim.initialize(0.0).unwrap();
    let period = TAU / frequency;
    for part in 1..=8 {
        let pose = run(&mut sim, body, period / 600.0, period / 8.0);
        let right = response * (frequency * f64::from(part) * period / 8.0).cos();
        assert!((pose[2] + draught - right).abs() < 1e-4 * response, "{part}: {} {right}", pose[2] + draught);
    }
}

/// `F = rho A (1 + Ca) w^2 a (sinh k(z2 + h) - sinh k(z1 + h))/(k sinh kh)` on a deep pile at the
/// time of the largest acceleration. Accelerations are linear between nodes: (k l)^2/12 = 5e-6; at
/// the zero of the elevation depths are not stretched.
#[test]
fn a_pile_has_the_force_of_a_linear_wave() {
    let (depth, frequency, amplitude, [z1, z2]) = (30.0, 0.9, 1.3, [-25.0, -5.0]);
    let k = wavenumber(frequency, depth);
    let mut sim = sea(depth);
    let ends = [&[4.0, 7.0, z1], &[4.0, 7.0, z2]];
    sim.elements().add_cylinder(GROUND, ends, 1.2, 200, [0.0, 1.0, 0.0, 0.0]).unwrap();
    // The elevation is a sine of phase zero at the place of the pile.
    let (heading, along) = (0.6_f64, 4.0 * 0.6_f64.cos() + 7.0 * 0.6_f64.sin());
    sim.settings().set_waves(vec![wave(amplitude, frequency, heading, -k * along + 0.5 * PI)]).unwrap();
    sim.initialize(0.0).unwrap();
    let rise = (k * (z2 + depth)).sinh() - (k * (z1 + depth)).sinh();
    let square = frequency * frequency;
    let right = RHO * PI * 0.36 * 2.0 * square * amplitude * rise / (k * (k * depth).sinh());
    let found = sim.outputs().cylinder_loads(0).unwrap().inertia;
    let [x, y] = [found[0] / heading.cos(), found[1] / heading.sin()];
    assert!((x / right - 1.0).abs() < 6e-6 && (y / right - 1.0).abs() < 6e-6, "{x} {y} {right}");
    // What the host reads is what the cylinder feels: the same acceleration at its lower end.
    let motion = &sim.outputs().water_motion(&[[4.0, 7.0, z1]]).unwrap()[0];
    let size = square * amplitude * (k * (z1 + depth)).cosh() / (k * depth).sinh();
    assert!((motion.acceleration[0] / (size * heading.cos()) - 1.0).abs() < 1e-12, "{motion:?}");
    assert!(motion.elevation.abs() < 1e-12);
}

/// Statistics of one hour of a sea of 200 components at one place. The variance errs by the
/// standard deviation `sqrt(2 pi/T int S^2 dw)/m0` = 0.09 of an hour, mean crossing periods by
/// less.
#[test]
fn an_hour_of_a_sea_has_the_statistics_of_its_spectrum() {
    let mut sim = sea(0.0);
    let spectrum = Spectrum::Jonswap { height: 6.0, period: 12.0, peak_factor: 3.3 };
    let plan = Sea { heading: 0.3, spreading: 10.0, seed: 3, components: 200 };
    sim.settings().set_irregular_waves(spectrum, &plan).unwrap();
    let waves: Vec<Wave> = sim.given().waves().to_vec();
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &six(&diag([1.0; 3])), &pose([0.0; 3], UNROTATED)).unwrap();
    sim.build().set_body_prescribed(body, true).unwrap();
    sim.initialize(0.0).unwrap();
    let samples: Vec<f64> = (0..7200)
        .map(|_| {
            sim.step(0.5).unwrap();
            sim.outputs().water_motion(&[[50.0, 80.0, 0.0]]).unwrap()[0].elevation
        })
        .collect();
    let n = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / n;
    let variance = samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    assert!((variance / 2.25 - 1.0).abs() < 0.27 && mean.abs() < 0.05, "{variance} {mean}");
    let fourth = samples.iter().map(|x| (x - mean).powi(4)).sum::<f64>() / n / variance.powi(2);
    assert!((2.5..3.6).contains(&fourth), "{fourth}");
    let moment = |p: i32| waves.iter().map(|w| 0.5 * w.amplitude.powi(2) * w.frequency.powi(p)).sum::<f64>();
    let crossings = samples.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count() as f64;
    let right = 3600.0 / TAU * (moment(2) / moment(0)).sqrt();
    assert!((crossings / right - 1.0).abs() < 0.1, "{crossings} {right}");
}

/// Half of a sea from the library and half from the host, which knows the formulas and stretches
/// depths for its own half: the same motion as all of it from the host, to the rounding of the
/// formulas and what the library leaves out, 1e-7 of the motion at the surface.
#[test]
fn waves_and_the_fluid_callback_add_up() {
    let (depth, both) = (60.0, [wave(0.9, 0.6, 0.2, 0.4), wave(0.4, 1.1, -0.5, 2.0)]);
    let motion = |split: bool| {
        let mut sim = sea(depth);
        let start = pose([3.0, 0.0, -5.0], UNROTATED);
        let body = sim.build().add_rigid_body(9e3, &[0.0; 3], &six(&diag([2e4; 3])), &start).unwrap();
        sim.elements().add_cylinder(body, [&[0.0, 0.0, -4.0], &[0.0, 0.0, 6.0]], 1.2, 4, [1.0, 1.0, 1.0, 0.5]).unwrap();
        let own = if split { &both[1..] } else { &both[..] }.to_vec();
        let host: FluidFn = Arc::new(move |t, places: &[[f64; 3]], motion: &mut FluidMotion| {
            for (i, place) in places.iter().enumerate() {
                for wave in &own {
                    let [velocity, acceleration, elevation] = kinematics(wave, depth, t, place);
                    motion.velocities[i] = add(motion.velocities[i], velocity);
                    motion.accelerations[i] = add(motion.accelerations[i], acceleration);
                    motion.elevations[i] += elevation[2];
                }
            }
            Ok(())
        });
        sim.settings().set_fluid_callback(Some(host), false).unwrap();
        sim.settings().set_waves(if split { vec![both[0]] } else { Vec::new() }).unwrap();
        sim.initialize(0.0).unwrap();
        run(&mut sim, body, 0.1, 10.0)
    };
    let (one, two) = (motion(false), motion(true));
    for k in 0..7 {
        assert!((one[k] - two[k]).abs() < 1e-7, "{one:?} {two:?}");
    }
}

/// Velocity, acceleration, and the elevation as a vector, of a component stretched for itself.
fn kinematics(wave: &Wave, depth: f64, t: f64, [x, y, z]: &[f64; 3]) -> [V3; 3] {
    let Wave { amplitude, frequency, heading, phase } = *wave;
    let k = wavenumber(frequency, depth);
    let theta = k * (x * heading.cos() + y * heading.sin()) - frequency * t + phase;
    let elevation = amplitude * theta.cos();
    let above_bed = (depth * (z + depth) / (elevation + depth)).min(depth);
    let [c, s] = [(k * above_bed).cosh(), (k * above_bed).sinh()].map(|x| x / (k * depth).sinh());
    let speed = amplitude * frequency;
    let (u, w) = (speed * c * theta.cos(), speed * s * theta.sin());
    let (du, dw) = (speed * frequency * c * theta.sin(), -speed * frequency * s * theta.cos());
    let vector = |along: f64, up: f64| [along * heading.cos(), along * heading.sin(), up];
    [vector(u, w), vector(du, dw), [0.0, 0.0, elevation]]
}

/// Water found once per step at predicted places keeps order 2, in generalized-alpha and a moving
/// frame of springs and drag; RK4, which asks at each stage, goes to the same motion.
#[test]
fn motions_in_waves_converge_at_second_order() {
    let at = |scheme: &str, h: f64| {
        let mut sim = sea(25.0);
        sim.settings().set_scheme(scheme).unwrap();
        let body = moored(&mut sim);
        sim.settings().set_waves(vec![wave(0.5, 0.8, 0.3, 0.4), wave(0.3, 1.2, -0.4, 1.0)]).unwrap();
        sim.settings().set_environment("wave_ramp", 5.0).unwrap();
        sim.initialize(0.0).unwrap();
        let pose = run(&mut sim, body, h, 8.0);
        [pose[0], pose[1], pose[2]]
    };
    let exact = at("rk4", 0.0025);
    let finer = at("rk4", 0.005);
    assert!(norm(sub(exact, finer)) < 1e-6, "{exact:?} {finer:?}");
    let errors = [0.2, 0.1, 0.05].map(|h| norm(sub(at("generalized-alpha", h), exact)));
    let orders = [errors[0] / errors[1], errors[1] / errors[2]].map(f64::log2);
    assert!(orders.iter().all(|order| (1.7..2.6).contains(order)), "{orders:?} {errors:?}");
}

/// 1e6 m away, turned about the vertical, in mm, with phases of the same waves there: the same
/// motion. Phases of 1e5 rad have a rounding of 1e-11.
#[test]
fn motions_in_waves_do_not_depend_on_place_heading_and_units() {
    let at = |offset: f64, heading: f64, u: f64| {
        let mut sim = Simulation::new();
        sim.settings().set_gravity(&[0.0, 0.0, -G * u]).unwrap();
        sim.settings().set_environment("water_density", RHO / (u * u * u)).unwrap();
        sim.settings().set_environment("depth", 25.0 * u).unwrap();
        let around = [(0.5 * heading).cos(), 0.0, 0.0, (0.5 * heading).sin()];
        let place = add(rotate(around, [1.0 * u, 2.0 * u, -6.0 * u]), [offset, -2.0 * offset, 0.0]);
        let mass = 2e4;
        let inertia = six(&diag([1e5 * u * u, 1e5 * u * u, 2e4 * u * u]));
        let body = sim.build().add_rigid_body(mass, &[0.0; 3], &inertia, &pose(place, around)).unwrap();
        let ends = [&[0.0, 0.0, -3.0 * u], &[0.0, 0.0, 8.0 * u]];
        sim.elements().add_cylinder(body, ends, 1.8 * u, 5, [1.0, 0.9, 0.8, 0.7]).unwrap();
        let waves = [wave(0.6, 0.8, 0.3, 0.4), wave(0.3, 1.3, -0.4, 1.0)].map(|one| {
            let direction = one.heading + heading;
            let k = wavenumber(one.frequency, 25.0) / u;
            let along = offset * direction.cos() - 2.0 * offset * direction.sin();
            wave(one.amplitude * u, one.frequency, direction, one.phase - k * along)
        });
        sim.settings().set_waves(waves.to_vec()).unwrap();
        sim.initialize(0.0).unwrap();
        let found = run(&mut sim, body, 0.05, 3.0);
        let moved = sub([found[0], found[1], found[2]], [offset, -2.0 * offset, 0.0]);
        scale(1.0 / u, rotate(conjugate(around), moved))
    };
    let here = at(0.0, 0.0, 1.0);
    for (other, tolerance) in [(at(1e6, 0.0, 1.0), 1e-6), (at(0.0, 2.1, 1.0), 1e-8), (at(0.0, 0.0, 1000.0), 1e-7)] {
        assert!(norm(sub(other, here)) < tolerance, "{other:?} {here:?}");
    }
}

/// Set before or after gravity and depth, waves are the same; a step that is taken back, a restored
/// state in a fresh system, and a clone repeat bit by bit, also of waves that were set between
/// steps.
#[test]
fn waves_are_part_of_states_and_do_not_depend_on_the_order_of_calls() {
    let waves = [wave(0.5, 0.8, 0.3, 0.4), wave(0.3, 1.2, -0.4, 1.0)];
    let model = |first: bool| {
        let mut sim = Simulation::new();
        if first {
            sim.settings().set_waves(waves.to_vec()).unwrap();
        }
        sim.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
        sim.settings().set_environment("water_density", RHO).unwrap();
        sim.settings().set_environment("depth", 25.0).unwrap();
        let body = moored(&mut sim);
        if !first {
            sim.settings().set_waves(waves.to_vec()).unwrap();
        }
        sim.initialize(0.0).unwrap();
        (sim, body)
    };
    let ((mut sim, body), (mut other, _)) = (model(true), model(false));
    assert_eq!(run(&mut sim, body, 0.1, 1.0), run(&mut other, body, 0.1, 1.0));
    let irregular = Spectrum::Jonswap { height: 1.0, period: 6.0, peak_factor: 3.3 };
    let plan = Sea { heading: 0.0, spreading: 4.0, seed: 11, components: 50 };
    sim.settings().set_irregular_waves(irregular, &plan).unwrap();
    run(&mut sim, body, 0.1, 0.5);
    let (saved, mut copy) = (sim.save().unwrap().to_bytes(), sim.clone());
    sim.advance(0.1).unwrap();
    sim.reject().unwrap();
    let here = run(&mut sim, body, 0.1, 2.0);
    assert_eq!(here, run(&mut copy, body, 0.1, 2.0));
    let state = other.deserialize(&saved).unwrap();
    other.restore(&state).unwrap();
    assert_eq!(other.given().waves(), sim.given().waves());
    assert_eq!(here, run(&mut other, body, 0.1, 2.0));
}

/// Growing waves leave a body in balance where it is at first.
#[test]
fn waves_that_grow_begin_without_a_jump() {
    let mut sim = sea(0.0);
    let body = buoy(&mut sim, [0.0, 0.0, -10.0], [10.0, 3.0], 0.8, 10);
    sim.settings().set_waves(vec![wave(2.0, 0.6, 0.0, 0.3)]).unwrap();
    sim.settings().set_environment("wave_ramp", 20.0).unwrap();
    sim.initialize(0.0).unwrap();
    let acceleration = sim.outputs().body_acceleration(body, Frame::Inertial).unwrap();
    assert!(acceleration.iter().all(|a| a.abs() < 1e-12), "{acceleration:?}");
    run(&mut sim, body, 0.1, 20.0);
    assert!((sim.outputs().body_pose(body).unwrap()[2] + 10.0).abs() > 0.1);
}

/// Five ways to write waves in a model file, and the file that is written again.
#[test]
fn model_files_have_waves() {
    let mut sim = sea(40.0);
    for (text, count) in [
        ("regular = { height = 2.0, period = 8.0, heading = 0.5 }", 1),
        ("jonswap = { height = 6.0, period = 12.0 }", 200),
        ("spectrum = { frequencies = [0.3, 0.9], densities = [1.0, 0.0], components = 20, seed = 4 }", 20),
        ("record = { step = 0.5, elevations = [0.1, 0.4, -0.3, 0.2, 0.0, -0.1], max_frequency = 20.0 }", 3),
        ("components = { amplitudes = [1.0], frequencies = [0.5], headings = [0.0], phases = [0.25] }", 1),
    ] {
        sim.settings().set_waves_from_text(text).unwrap();
        assert_eq!(sim.given().waves().len(), count, "{text}");
        let folder = std::env::temp_dir().join(format!("pintle_waves_{}.toml", std::process::id()));
        sim.save_model(&folder).unwrap();
        let again = Simulation::load_model(&folder).unwrap();
        std::fs::remove_file(&folder).unwrap();
        assert_eq!(again.given().waves(), sim.given().waves(), "{text}");
    }
    let regular = |sim: &Simulation| sim.given().waves()[0];
    sim.settings().set_waves_from_text("regular = { height = 2.0, period = 8.0 }").unwrap();
    assert_eq!(regular(&sim), wave(1.0, TAU / 8.0, 0.0, 0.0));
    for (text, what) in [
        ("regular = { height = 2.0 }", "period"),
        ("regular = { height = 2.0, period = 0.0 }", "period"),
        ("regular = { height = -2.0, period = 5.0 }", "amplitudes[0] = -1"),
        ("sines = 4", "sines"),
        ("", "0 ways"),
        ("regular = { height = 2.0, period = 8.0 }\njonswap = { height = 6.0, period = 12.0 }", "2 ways"),
        ("jonswap = { height = 6.0, period = 12.0, peak_factor = 0.5 }", "below 1"),
        ("jonswap = { height = 6.0, period = 12.0, components = -1 }", "components"),
        ("components = { amplitudes = [1.0], frequencies = [], headings = [0.0], phases = [0.25] }", "frequencies"),
    ] {
        let error = sim.settings().set_waves_from_text(text).unwrap_err().to_string();
        assert!(error.contains(what), "{text}: {error}");
        assert_eq!(sim.given().waves().len(), 1);
    }
}

/// Waves need water and a gravity along -z; both are refused in words, and nothing changes.
#[test]
fn waves_without_water_or_upright_gravity_are_refused() {
    let mut dry = Simulation::new();
    dry.settings().set_waves(vec![wave(1.0, 1.0, 0.0, 0.0)]).unwrap();
    dry.settings().set_gravity(&[0.0, 0.0, -G]).unwrap();
    assert!(matches!(dry.initialize(0.0), Err(Error::BadValue { argument: "water_density", .. })));
    let mut tilted = sea(0.0);
    tilted.settings().set_gravity(&[1.0, 0.0, -G]).unwrap();
    tilted.settings().set_waves(vec![wave(1.0, 1.0, 0.0, 0.0)]).unwrap();
    assert!(matches!(tilted.initialize(0.0), Err(Error::BadValue { argument: "gravity", .. })));
    let mut sim = sea(0.0);
    let body = moored(&mut sim);
    sim.initialize(0.0).unwrap();
    sim.settings().set_waves(vec![wave(1.0, 1.0, 0.0, 0.0)]).unwrap();
    let before = sim.outputs().body_acceleration(body, Frame::Inertial).unwrap();
    assert!(sim.settings().set_gravity(&[3.0, 0.0, -G]).is_err());
    assert!(sim.settings().set_environment("water_density", 0.0).is_err());
    assert_eq!(sim.outputs().body_acceleration(body, Frame::Inertial).unwrap(), before);
    for bad in [wave(-1.0, 1.0, 0.0, 0.0), wave(1.0, 0.0, 0.0, 0.0), wave(1.0, f64::NAN, 0.0, 0.0)] {
        assert!(sim.settings().set_waves(vec![bad]).is_err());
    }
    assert_eq!(sim.given().waves().len(), 1);
    assert_eq!(sim.description().count(EntityKind::Cylinder), 2);
}
