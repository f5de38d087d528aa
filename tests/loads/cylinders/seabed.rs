//! Cylinders that lie on the seabed or fall on it: closed forms of rest, energy, repetition.

use super::*;

const DEPTH: f64 = 20.0;
const STIFFNESS: f64 = 3e4;
/// No cylinder here is thinner.
const SMOOTHING: f64 = 0.1;
const ROD: Rod = Rod { length: 6.0, diameter: 0.5, mass: 400.0, segments: 3, coefficients: [1.0, 1.0, 0.5, 0.5] };

/// A sea with a bed of a damping per area.
fn shallow(damping: f64) -> Simulation {
    let mut sim = sea();
    let bed = [("depth", DEPTH), ("seabed_stiffness", STIFFNESS), ("seabed_damping", damping)];
    bed.into_iter().for_each(|(key, value)| sim.settings().set_environment(key, value).unwrap());
    sim
}

/// Weight less buoyancy per length.
fn weight() -> f64 {
    (ROD.mass - RHO * ROD.area()) * G
}

/// How deep a part of the axis is in the bed under a force per area that is beyond the smoothing
/// depth.
fn penetration(pressure: f64) -> f64 {
    let deep = pressure / STIFFNESS + 0.5 * SMOOTHING;
    assert!(deep > SMOOTHING);
    deep
}

fn energy(sim: &Simulation) -> f64 {
    sim.outputs().energy().map(|(a, b)| a + b).unwrap()
}

/// Height of end A.
fn height(sim: &Simulation, body: Id) -> f64 {
    sim.outputs().body_pose(body).unwrap()[2]
}

/// The force of the bed.
fn support(sim: &Simulation) -> f64 {
    let count = sim.channels().count().unwrap();
    let place = (0..count).position(|k| sim.channels().name(k).unwrap().ends_with(".seabed")).unwrap();
    let mut values = vec![0.0; count as usize];
    sim.channels().values(&mut values).unwrap();
    values[place]
}

/// A level rod sinks until its bed carries the weight of its length; there it stays, without any
/// motion, in steps of any length and far away.
#[test]
fn a_level_rod_lies_on_the_bed() {
    let expected = -DEPTH - penetration(weight() / ROD.diameter);
    for x in [0.0, 1e6] {
        let mut sim = shallow(1e4);
        let body = ROD.add(&mut sim, [x, 2.0, -DEPTH], tilt(0.5 * PI));
        sim.initialize(0.0).unwrap();
        sim.solve_equilibrium(50, 1e-10).unwrap();
        assert!((height(&sim, body) - expected).abs() < 1e-9, "{} {expected}", height(&sim, body));
        for h in [0.01, 0.1, 0.5, 0.02] {
            sim.step(h).unwrap();
        }
        let velocity = sim.outputs().body_velocity(body, Frame::Inertial).unwrap();
        assert!(
            (height(&sim, body) - expected).abs() < 1e-9 && velocity.iter().all(|v| v.abs() < 1e-8),
            "{velocity:?}"
        );
    }
}

/// A heavy rod hinged at end A leans with end B on the bed, which carries half of its weight with
/// half a segment.
#[test]
fn a_hinged_rod_leans_on_the_bed_with_half_its_weight() {
    let mut sim = shallow(1e4);
    let place = [0.0, 0.0, -DEPTH + 1.0];
    let body = ROD.add(&mut sim, place, tilt(0.5 * PI + 0.2));
    hinge(&mut sim, body, place);
    sim.initialize(0.0).unwrap();
    sim.solve_equilibrium(50, 1e-10).unwrap();
    let force = 0.5 * weight() * ROD.length;
    let area = 0.5 * ROD.diameter * ROD.length / f64::from(ROD.segments);
    let end = place[2] + ROD.length * angle(&sim, body).cos();
    assert!((end + DEPTH + penetration(force / area)).abs() < 1e-9, "{end}");
    assert!((support(&sim) / force - 1.0).abs() < 1e-8, "{} {force}", support(&sim));
}

/// A falling rod without drag and added mass, which the bed alone damps; from a place and with
/// steps of changing length.
fn fall(scheme: &str, damping: f64, x: f64) -> (Simulation, Id) {
    let mut sim = shallow(damping);
    sim.settings().set_scheme(scheme).unwrap();
    let body = Rod { coefficients: [0.0; 4], ..ROD }.add(&mut sim, [x, 0.0, -DEPTH + 0.5], tilt(0.5 * PI - 0.3));
    sim.build().set_body_velocity(body, &[0.3, 0.1, 0.0, 0.0, 0.2, 0.1]).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, body)
}

/// Steps of h and h/2 for some time; returns the most by which the energy was above that of before.
fn rise(sim: &mut Simulation, h: f64, time: f64) -> f64 {
    let (mut least, mut most) = (energy(sim), 0.0f64);
    for _ in 0..(time / (1.5 * h)).round() as usize {
        for h in [h, 0.5 * h] {
            sim.step(h).unwrap();
            let now = energy(sim);
            most = most.max(now - least);
            least = least.min(now);
        }
    }
    most
}

/// Without a damper the bed gives back what it takes, but for errors of the steps, which are of
/// second order. With one, energy is lost only: all but that of the rest at the end.
#[test]
fn a_rod_that_falls_on_the_bed_loses_energy_only() {
    let scale = weight() * ROD.length;
    for x in [0.0, 1e6] {
        let elastic = [0.02, 0.01, 0.005].map(|h| rise(&mut fall("generalized-alpha", 0.0, x).0, h, 3.0) / scale);
        let ratios = [elastic[0] / elastic[1], elastic[1] / elastic[2]];
        assert!(ratios.iter().all(|ratio| (3.2..4.8).contains(ratio)), "{elastic:?}");
        let level = -DEPTH - penetration(weight() / ROD.diameter);
        for h in [0.3, 0.1, 0.02, 0.005] {
            // Rounding of the energy, whose parts are up to 400 times the scale.
            let (mut sim, body) = fall("generalized-alpha", 1e4, x);
            let rise = rise(&mut sim, h, 12.0) / scale;
            assert!(rise < 1e-12, "{h}: {rise}");
            assert!((height(&sim, body) - level).abs() < 1e-5, "{} {level}", height(&sim, body));
        }
    }
}

/// Against small steps of rk4, errors of implicit steps fall fourfold per halving.
#[test]
fn steps_on_the_bed_converge_at_second_order() {
    let run = |scheme: &str, h: f64| {
        let (mut sim, body) = fall(scheme, 3e3, 0.0);
        (0..(1.2 / h).round() as usize).for_each(|_| sim.step(h).unwrap());
        height(&sim, body)
    };
    let exact = run("rk4", 0.000_5);
    for scheme in ["generalized-alpha", "momentum-alpha"] {
        let errors = [0.02, 0.01, 0.005].map(|h| (run(scheme, h) - exact).abs());
        let orders = [errors[0] / errors[1], errors[1] / errors[2]].map(f64::log2);
        assert!(orders.iter().all(|order| (1.7..2.6).contains(order)), "{scheme}: {orders:?} {errors:?}");
    }
}

/// A rod in the bed repeats bit by bit after a rejected step, and in a fresh system.
#[test]
fn a_rod_on_the_bed_repeats_bit_by_bit() {
    let (mut sim, body) = fall("generalized-alpha", 1e4, 0.0);
    (0..60).for_each(|_| sim.step(0.01).unwrap());
    assert!(support(&sim) > 0.0);
    let bytes = sim.save().unwrap().to_bytes();
    let (mut fresh, _) = fall("generalized-alpha", 1e4, 0.0);
    fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
    sim.advance(0.03).unwrap();
    sim.reject().unwrap();
    for one in [&mut sim, &mut fresh] {
        (0..20).for_each(|_| one.step(0.01).unwrap());
    }
    assert!(sim.save().unwrap().to_bytes() == fresh.save().unwrap().to_bytes(), "{}", height(&sim, body));
}

/// A grid of equal depths is the level bed but for rounding, here and far away.
#[test]
fn a_rod_falls_on_a_grid_of_equal_depths_as_on_the_level_bed() {
    let run = |is_grid: bool, x: f64| {
        let (mut sim, body) = fall("generalized-alpha", 1e4, x);
        let grid = [-9.0, 9.0].map(|y| [-9.0, 4.0, 9.0].map(|dx| [x + dx, y, DEPTH])).concat();
        sim.settings().set_seabed_grid(if is_grid { &grid } else { &[] }).unwrap();
        (0..150).for_each(|k| sim.step(if k % 3 == 0 { 0.01 } else { 0.02 }).unwrap());
        sim.outputs().body_pose(body).unwrap()
    };
    for (x, tolerance) in [(0.0, 1e-9), (1e6, 1e-6)] {
        let [level, grid] = [run(false, x), run(true, x)];
        assert!((0..7).all(|k| (level[k] - grid[k]).abs() < tolerance), "{level:?} {grid:?}");
    }
}

/// A level rod across a plane slope, without drag and added mass, slides down with its weight in
/// water along the slope over its mass.
#[test]
fn a_level_rod_slides_down_a_slope() {
    let angle = 0.2f64;
    let mut sim = shallow(1e4);
    let depth = |x: f64| DEPTH + x * angle.tan();
    sim.settings().set_seabed_grid(&[-90.0, 90.0].map(|y| [-90.0, 90.0].map(|x| [x, y, depth(x)])).concat()).unwrap();
    // Axis along y.
    let along = [0.5f64.sqrt(), -(0.5f64.sqrt()), 0.0, 0.0];
    let body = Rod { coefficients: [0.0; 4], ..ROD }.add(&mut sim, [0.0, -3.0, -DEPTH], along);
    sim.initialize(0.0).unwrap();
    let speed = |sim: &Simulation| sim.outputs().body_velocity(body, Frame::Inertial).unwrap();
    // Until it no longer bounces.
    (0..200).for_each(|_| sim.step(0.02).unwrap());
    let before = speed(&sim);
    (0..50).for_each(|_| sim.step(0.02).unwrap());
    let after = speed(&sim);
    let expected = G * (1.0 - RHO * ROD.area() / ROD.mass) * angle.sin();
    let found = [after[0] - before[0], before[2] - after[2]];
    // The spring is at rest to 1e-6 of the weight.
    assert!((found[0] - expected * angle.cos()).abs() < 1e-5, "{found:?} {expected}");
    assert!((found[1] - expected * angle.sin()).abs() < 1e-5, "{found:?} {expected}");
}

/// A rod across x on a level bed with friction, at rest in its depth, without drag and added mass.
fn laid(mu: f64, x: f64) -> (Simulation, Id) {
    let mut sim = shallow(1e4);
    sim.settings().set_environment("seabed_friction", mu).unwrap();
    sim.settings().set_environment("friction_slip", SLIP).unwrap();
    let along = [0.5f64.sqrt(), -(0.5f64.sqrt()), 0.0, 0.0];
    let depth = DEPTH + penetration(weight() / ROD.diameter);
    let body = Rod { coefficients: [0.0; 4], ..ROD }.add(&mut sim, [x, -3.0, -depth], along);
    (sim, body)
}

const SLIP: f64 = 0.01;

/// Friction mu N stops a rod that slides along the bed: v^2 = v0^2 - 2 a (s - slip/2) with a = mu
/// N/m, for the force rises along the first slip; at rest it swings about a place that stays.
#[test]
fn friction_stops_a_rod_and_holds_it() {
    let mu = 0.4;
    let a = mu * weight() / ROD.mass;
    let stop = 0.5 / a + 0.5 * SLIP;
    for x in [0.0, 1e6] {
        let (mut sim, body) = laid(mu, x);
        sim.build().set_body_velocity(body, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        sim.initialize(0.0).unwrap();
        let (h, mut has_stopped) = (1e-3, false);
        for step in 1..=4000 {
            sim.step(h).unwrap();
            let s = sim.outputs().body_pose(body).unwrap()[0] - x;
            let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[0];
            has_stopped |= v <= 0.0;
            if s > SLIP && !has_stopped {
                let expected = 1.0 - 2.0 * a * (s - 0.5 * SLIP);
                // A tenth of the slip passes in a step: the sum for the integral errs by that part
                // of the work of the slip.
                assert!((v * v - expected).abs() < 0.1 * a * SLIP, "step {step}: {v} {s}");
            }
            // The slip is the amplitude of the swing.
            assert!(s < stop + 1e-3 * SLIP, "{s} {stop}");
            assert!(step < 2000 || s > stop - 2.1 * SLIP, "step {step}: {s} {stop}");
        }
    }
}

/// On a slope below its angle of friction a rod stays within the slip, above it the rod slides with
/// the rest of the force.
#[test]
fn friction_holds_a_rod_on_a_slope_up_to_its_angle() {
    let angle = 0.2f64;
    let run = |mu: f64, steps: usize| {
        let (mut sim, body) = laid(mu, 0.0);
        let depth = |x: f64| DEPTH + x * angle.tan();
        let grid = [-90.0, 90.0].map(|y| [-90.0, 90.0].map(|x| [x, y, depth(x)])).concat();
        sim.settings().set_seabed_grid(&grid).unwrap();
        sim.initialize(0.0).unwrap();
        (0..steps).for_each(|_| sim.step(0.02).unwrap());
        let state = |sim: &Simulation| {
            let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap();
            [sim.outputs().body_pose(body).unwrap()[0], v[0]]
        };
        let before = state(&sim);
        (0..50).for_each(|_| sim.step(0.02).unwrap());
        (before, state(&sim))
    };
    // A rod that starts in the depth of a level bed is pushed along by some of the depth first.
    let (before, after) = run(1.2 * angle.tan(), 6000);
    assert!((after[0] - before[0]).abs() < 2.0 * SLIP && before[0] < 0.2, "{before:?} {after:?}");
    let mu = 0.5 * angle.tan();
    let (before, after) = run(mu, 200);
    let expected = weight() / ROD.mass * (angle.sin() - mu * angle.cos()) * angle.cos();
    assert!((after[1] - before[1] - expected).abs() < 1e-4, "{before:?} {after:?} {expected}");
}

/// Stick points are part of the state.
#[test]
fn a_rod_that_friction_holds_repeats_bit_by_bit() {
    let begin = || {
        let (mut sim, body) = laid(0.4, 0.0);
        sim.build().set_body_velocity(body, &[0.3, 0.1, 0.0, 0.0, 0.0, 0.2]).unwrap();
        sim.initialize(0.0).unwrap();
        sim
    };
    let mut sim = begin();
    (0..60).for_each(|_| sim.step(0.002).unwrap());
    let bytes = sim.save().unwrap().to_bytes();
    let mut fresh = begin();
    fresh.restore(&fresh.deserialize(&bytes).unwrap()).unwrap();
    sim.advance(0.03).unwrap();
    sim.reject().unwrap();
    let mut copy = sim.clone();
    for one in [&mut sim, &mut fresh, &mut copy] {
        (0..300).for_each(|_| one.step(0.002).unwrap());
    }
    let [own, restored, copied] = [&sim, &fresh, &copy].map(|one| one.save().unwrap().to_bytes());
    assert!(own == restored && own == copied);
}

/// A pile on the ground reaches into the bed without force.
#[test]
fn a_pile_of_the_ground_stands_in_the_bed() {
    let mut sim = shallow(1e4);
    sim.elements().add_cylinder(GROUND, [&[0.0, 0.0, -2.0 * DEPTH], &[0.0; 3]], 1.0, 4, [0.0; 4]).unwrap();
    sim.initialize(0.0).unwrap();
    assert_eq!(support(&sim), 0.0);
}
