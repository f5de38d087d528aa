//! Forces of a line against closed forms, its own energies, and what may not change them.
#![allow(clippy::needless_range_loop)] // rows and columns of several matrices at once, as in the formulas

use std::f64::consts::PI;
use std::sync::Arc;

use super::tangent_tests::{Case, Random};
use super::{Factors, Fluid, Table, Water};
use crate::spatial::{Mat3, Vec3};

const SLANTED: Vec3 = Vec3::new(1.0, 0.4, 0.7);

/// A case at rest.
fn still(random: &mut Random, direction: Vec3, stretch: f64, deviation: f64) -> Case {
    let mut case = Case::new(random, direction, stretch, deviation);
    for motion in [&mut case.v, &mut case.a] {
        motion.iter_mut().for_each(|x| *x = Vec3::zeros());
    }
    case
}

/// The residual at rest is the gradient of the potential energy.
fn check_gradient(name: &str, case: &Case) {
    let step = 1e-4;
    let residual = case.evaluate(None).residual;
    let scale = residual.iter().map(|r| r.amax()).fold(0.0, f64::max);
    for node in 0..case.x.len() {
        for k in 0..3 {
            let at = |moved: f64| {
                let mut case = case.clone();
                case.x[node][k] += moved;
                case.chain()
                    .energies(
                        case.length,
                        |i| case.motions().x[i],
                        |i| case.motions().v[i],
                        |i| case.elevation(i),
                        [None; 2],
                        &case.around(),
                    )
                    .potential()
            };
            let slope = (8.0 * (at(step) - at(-step)) - (at(2.0 * step) - at(-2.0 * step))) / (12.0 * step);
            // Rounding of energies of 1e6 J, over the step.
            let error = (slope - residual[node][k]).abs();
            assert!(error <= 1e-6 * scale, "{name}: node {node}, {k}: {slope} is not {}", residual[node][k]);
        }
    }
}

#[test]
fn forces_at_rest_are_the_gradient_of_the_energies() {
    let mut random = Random(4711);
    check_gradient("slanted", &still(&mut random, SLANTED, 1.1, 0.2));
    let mut bent = still(&mut random, SLANTED, 1.0, 0.6);
    bent.line_type.ei = 4e4;
    check_gradient("bent", &bent);
    let mut grounded = still(&mut random, Vec3::new(1.0, 0.3, 0.0), 1.01, 0.0);
    grounded.water.depth = 20.0;
    grounded.x.iter_mut().for_each(|x| x.z += -0.06 + 0.055 * random.next());
    check_gradient("grounded", &grounded);
    for direction in [Vec3::new(0.5, 0.0, 1.0), Vec3::new(1.0, 0.0, 0.03), Vec3::new(0.2, 0.0, -1.0)] {
        let mut floating = still(&mut random, direction, 1.1, 0.05);
        floating.line_type.diameter = 0.4;
        floating.origin = 20.1;
        check_gradient("through the surface", &floating);
    }
    let mut table = still(&mut random, SLANTED, 1.1, 0.3);
    table.line_type.tension = Some(Arc::new(Table { x: vec![0.05, 0.09, 0.2], y: vec![3e3, 8e3, 9e4] }));
    check_gradient("table", &table);
}

#[test]
fn forces_inside_cancel() {
    let mut random = Random(12);
    let mut case = Case::new(&mut random, SLANTED, 1.0, 0.5);
    (case.line_type.ei, case.water.density) = (3e4, 0.0);
    let mass = |i: usize| if i == 0 || i == 5 { 30.0 } else { 60.0 };
    let expected: Vec3 = case.a.iter().enumerate().map(|(i, a)| (a - case.gravity) * mass(i)).sum();
    let out = case.evaluate(None);
    let sum: Vec3 = out.residual.iter().sum();
    assert!((sum - expected).norm() <= 1e-10 * out.residual.iter().map(|r| r.norm()).sum::<f64>());
    // No moment either, weight and inertia aside.
    let moment: Vec3 = (0..6).map(|i| case.x[i].cross(&(out.residual[i] - (case.a[i] - case.gravity) * mass(i)))).sum();
    assert!(moment.norm() <= 1e-9 * out.residual.iter().map(|r| r.norm()).sum::<f64>());
}

/// A level line along x in still air or water.
fn level() -> Case {
    let mut case = still(&mut Random(1), Vec3::x(), 1.0, 0.0);
    case.length *= 1.0 + 1e-9;
    case
}

#[test]
fn weight_buoyancy_and_drag_of_a_level_line() {
    let mut case = level();
    let (rho, d, l) = (1025.0, 0.1, case.length / 5.0);
    let volume = 0.25 * PI * d * d * l;
    case.water.current = vec![(0.0, [0.5, 0.0, 2.0])];
    let out = case.evaluate(None);
    let across = 0.5 * rho * d * l * 1.6 * 4.0;
    let along = 0.5 * rho * PI * d * l * 0.3 * 0.25;
    let expected = Vec3::new(along, 0.0, across - 9.81 * (30.0 * l - rho * volume));
    for i in 0..6 {
        let share = if i == 0 || i == 5 { 0.5 } else { 1.0 };
        assert!((out.residual[i] + expected * share).norm() <= 1e-12 * expected.norm(), "node {i}");
    }
    for (end, force) in out.end_forces.iter().enumerate() {
        assert!((force - expected * 0.5).norm() <= 1e-12 * expected.norm(), "end {end}");
    }
}

#[test]
fn inertia_of_a_level_line_and_of_the_water_that_passes() {
    let mut case = level();
    let l = case.length / 5.0;
    let (mass, water) = (30.0 * l, 1025.0 * 0.25 * PI * 0.01 * l);
    case.gravity = Vec3::zeros();
    let factors = Factors { mass: 1.0, damping: 0.0, stiffness: 0.0, all: false };
    let own = Mat3::from_diagonal(&Vec3::new(mass + 0.4 * water, mass + water, mass + water));
    let out = case.evaluate(Some(factors));
    assert!((out.diagonal[2] - own).norm() <= 1e-12 * own.norm());
    assert!((out.ends[0].rates[0] - own * 0.5).norm() <= 1e-12 * own.norm());
    let acceleration = [0.3, -0.2, 0.7];
    case.fluid = Some(vec![Fluid { acceleration, ..Fluid::default() }; 6]);
    let force = Vec3::new(1.4 * 0.3, 2.0 * -0.2, 2.0 * 0.7) * water;
    let out = case.evaluate(None);
    assert!((out.residual[2] + force).norm() <= 1e-12 * force.norm());
    assert!((out.end_forces[1] - force * 0.5).norm() <= 1e-12 * force.norm());
}

#[test]
fn forces_of_ends_are_without_inertia() {
    let mut random = Random(5);
    let mut case = Case::new(&mut random, SLANTED, 1.1, 0.3);
    (case.line_type.ei, case.water.depth) = (2e4, 19.97);
    let with = case.evaluate(None);
    case.a.iter_mut().for_each(|a| *a = Vec3::zeros());
    let without = case.evaluate(None);
    for (end, node) in [(0, 0), (1, 5)] {
        assert!((with.end_forces[end] + without.residual[node]).norm() <= 1e-11 * with.end_forces[end].norm());
    }
}

#[test]
fn tensions_of_strain_rate_and_winch() {
    let mut case = level();
    case.length = 10.0;
    let stretch = 1.03;
    let start = case.x[0];
    case.x.iter_mut().enumerate().for_each(|(i, x)| *x = start + Vec3::x() * (2.0 * stretch * i as f64));
    // Strain rate 0.1 from the motion of the nodes, 0.02 from the winch that takes the line in:
    // -s/l ldot/l.
    case.v.iter_mut().enumerate().for_each(|(i, v)| *v = Vec3::x() * (0.2 * i as f64));
    case.rate = -0.02 * 10.0 / stretch;
    let expected = 2e5 * 0.03 + 3e3 * 0.12;
    for tension in case.evaluate(None).tensions {
        assert!((tension - expected).abs() <= 1e-10 * expected);
    }
    // Slack: what is left is damping.
    case.length = 11.0;
    case.rate = 0.0;
    for tension in case.evaluate(None).tensions {
        assert!((tension - 3e3 * 0.2 / 2.2).abs() <= 1e-9);
    }
    case.line_type.ba = -0.8;
    let ba = 0.8 * 2.2 * (2e5_f64 * 30.0).sqrt();
    for tension in case.evaluate(None).tensions {
        assert!((tension - ba * 0.2 / 2.2).abs() <= 1e-9 * ba);
    }
}

#[test]
fn lines_without_length_are_finite() {
    let mut case = Case::new(&mut Random(9), SLANTED, 1.0, 0.1);
    case.line_type.ei = 1e4;
    // A segment without length, and a fold on the spot.
    case.x[2] = case.x[1];
    case.x[5] = case.x[3];
    let factors = Factors { mass: 1.0, damping: 1.0, stiffness: 1.0, all: true };
    let out = case.evaluate(Some(factors));
    let finite = |blocks: &[Mat3]| blocks.iter().all(|block| block.iter().all(|x| x.is_finite()));
    assert!(out.residual.iter().all(|r| r.iter().all(|x| x.is_finite())));
    assert!([&out.diagonal, &out.upper, &out.lower, &out.upper_two, &out.lower_two].into_iter().all(|b| finite(b)));
    assert!(out.tensions.iter().all(|tension| tension.is_finite()));
    assert!(
        case.chain()
            .energies(
                case.length,
                |i| case.motions().x[i],
                |i| case.motions().v[i],
                |i| case.elevation(i),
                [None; 2],
                &case.around()
            )
            .potential()
            .is_finite()
    );
}

#[test]
fn what_is_under_water_does_not_know_of_the_surface() {
    let mut case = Case::new(&mut Random(21), SLANTED, 1.1, 0.3);
    case.water.current = vec![(0.0, [0.4, 0.2, 0.0])];
    let below = case.evaluate(None).residual;
    case.fluid = Some(vec![Fluid { elevation: 500.0, ..Fluid::default() }; 6]);
    assert_eq!(below, case.evaluate(None).residual);
    // Nor does what is above it know of the water.
    case.fluid = Some(vec![Fluid { elevation: -500.0, ..Fluid::default() }; 6]);
    let above = case.evaluate(None).residual;
    (case.fluid, case.water) = (None, Water::default());
    assert_eq!(above, case.evaluate(None).residual);
}

#[test]
fn places_directions_and_units_do_not_matter() {
    let mut random = Random(33);
    let mut case = Case::new(&mut random, Vec3::new(1.0, 0.4, 0.2), 1.1, 0.3);
    (case.line_type.ei, case.water.depth, case.water.friction) = (2e4, 19.95, 0.5);
    case.water.current = vec![(0.0, [0.4, 0.2, 0.0]), (50.0, [0.1, 0.0, 0.0])];
    case.sticks.iter_mut().for_each(|stick| stick[0] += 0.05);
    let wanted = case.evaluate(None).residual;
    let scale = wanted.iter().map(|r| r.norm()).fold(0.0, f64::max);
    let differs = |case: &Case, back: &dyn Fn(&Vec3) -> Vec3| {
        let pairs =
            case.evaluate(None).residual.iter().zip(&wanted).map(|(a, b)| (back(a) - b).norm()).fold(0.0, f64::max);
        pairs / scale
    };
    // 1e6 m away, positions have digits of 1e-10 m: times EA/l over the scale.
    let mut far = case.clone();
    let shift = Vec3::new(1e6, -2e6, 1e6);
    far.x.iter_mut().for_each(|x| *x += shift);
    far.sticks.iter_mut().for_each(|stick| (stick[0], stick[1]) = (stick[0] + shift.x, stick[1] + shift.y));
    far.origin = -shift.z;
    let rounding = 5e-10 * (1e5 + case.water.stiffness) / scale;
    assert!(differs(&far, &|r| *r) <= rounding, "{} of {rounding}", differs(&far, &|r| *r));
    // Turned about z.
    let turn = Mat3::new(0.6, -0.8, 0.0, 0.8, 0.6, 0.0, 0.0, 0.0, 1.0);
    let mut turned = case.clone();
    for motion in [&mut turned.x, &mut turned.v, &mut turned.a] {
        motion.iter_mut().for_each(|x| *x = turn * *x);
    }
    turned.water.current.iter_mut().for_each(|(_, u)| *u = (turn * Vec3::from(*u)).into());
    for (i, stick) in turned.sticks.iter_mut().enumerate() {
        let at = turn * Vec3::new(case.sticks[i][0], case.sticks[i][1], 0.0);
        *stick = [at.x, at.y];
    }
    assert!(differs(&turned, &|r| turn.transpose() * r) <= 1e-11);
    // In lengths of 1000 and of 0.001.
    for unit in [1e3, 1e-3] {
        let mut scaled = case.clone();
        for motion in [&mut scaled.x, &mut scaled.v, &mut scaled.a] {
            motion.iter_mut().for_each(|x| *x *= unit);
        }
        let (t, w) = (&mut scaled.line_type, &mut scaled.water);
        t.diameter *= unit;
        t.mass_per_length /= unit;
        (t.ea, t.ba, t.ei) = (t.ea * unit, t.ba * unit, t.ei * unit.powi(3));
        w.density /= unit.powi(3);
        (w.depth, w.smoothing, w.slip) = (w.depth * unit, w.smoothing * unit, w.slip * unit);
        (w.stiffness, w.damping) = (w.stiffness / unit.powi(2), w.damping / unit.powi(2));
        w.current.iter_mut().for_each(|(depth, u)| (*depth, *u) = (*depth * unit, u.map(|u| u * unit)));
        scaled.sticks.iter_mut().for_each(|stick| *stick = stick.map(|s| s * unit));
        scaled.gravity *= unit;
        scaled.length *= unit;
        assert!(differs(&scaled, &|r| r / unit) <= 1e-11, "unit {unit}");
    }
}

/// What the bed adds to nodes that leave it, are thrown at it, and stay above it: nothing that
/// pulls, that part of it, or all of it. All of it over a depth that is small is what MoorDyn has,
/// (kB p - cB zdot) d l.
#[test]
fn a_bed_that_adheres_holds_what_leaves_it() {
    let mut case = level();
    case.water = Water { depth: 20.0, friction: 0.6, smoothing: 1e-9, ..Water::default() };
    let area = 0.1 * case.length / 5.0;
    case.x.iter_mut().for_each(|x| x.z = -20.0 - 0.02);
    case.x[4].z = -20.0 + 0.02;
    // 6e4 N/m^2 of the spring, and what the damper makes of these speeds.
    let speeds = [0.0, 0.5, -0.3, 0.1, 0.5, 0.0];
    case.v.iter_mut().zip(speeds).for_each(|(v, zdot)| v.z = zdot);
    for adhesion in [0.0, 0.25, 1.0] {
        case.water.adhesion = adhesion;
        let without = Case { water: Water { depth: 0.0, ..case.water.clone() }, ..case.clone() };
        let (with, without) = (case.evaluate(None).residual, without.evaluate(None).residual);
        let moordyn = |i: usize| 3e6 * 0.02 - 3e5 * speeds[i];
        let expected = [moordyn(1) * adhesion, moordyn(2), moordyn(3), 0.0];
        for (i, pressure) in (1..5).zip(expected) {
            let force = without[i] - with[i];
            // The spring lacks half the smoothing depth: 5e-10 m of 0.02 m.
            assert!((force.z - pressure * area).abs() <= 1e-7 * 6e4 * area, "node {i}: {force}, {pressure}");
            assert_eq!((force.x, force.y), (0.0, 0.0));
        }
        // Friction is of what pushes.
        case.sticks.iter_mut().for_each(|stick| stick[0] -= 1.0);
        let rubbed = case.evaluate(None).residual;
        for (i, pressure) in (1..5).zip(expected) {
            let force = rubbed[i].x - with[i].x;
            assert!((force - 0.6 * pressure.max(0.0) * area).abs() <= 1e-7 * 6e4 * area, "node {i}: {force}");
        }
        case.sticks.iter_mut().for_each(|stick| stick[0] += 1.0);
    }
}

#[test]
fn stick_points_follow_nodes_that_slip() {
    let mut case = level();
    case.water = Water { depth: 20.05, friction: 0.6, ..Water::default() };
    case.x[1].x += 0.015;
    case.x[2] += Vec3::new(0.3, 0.4, 0.0);
    case.x[3] += Vec3::new(1.0, 1.0, 1.0);
    // On the bed at a depth of 20 m, but for node 3.
    case.x.iter_mut().for_each(|x| x.z -= 0.06);
    let friction = |case: &Case| {
        let slippery = Case { water: Water { friction: 0.0, ..case.water.clone() }, ..case.clone() };
        let (with, without) = (case.evaluate(None).residual, slippery.evaluate(None).residual);
        with.iter().zip(&without).map(|(a, b)| b - a).collect::<Vec<_>>()
    };
    let pressure = 0.5 * 3e6 * 0.01 * 0.01 / 0.1 * 0.1 * case.length / 5.0;
    let forces = friction(&case);
    assert!((forces[1] + Vec3::x() * (0.6 * pressure * 0.75)).norm() <= 1e-8 * pressure);
    assert!((forces[2] + Vec3::new(0.6, 0.8, 0.0) * (0.6 * pressure)).norm() <= 1e-8 * pressure);
    assert_eq!((forces[0], forces[3]), (Vec3::zeros(), Vec3::zeros()));
    let before = case.sticks.clone();
    let mut sticks = before.clone();
    case.chain().settle(case.motions(), &case.around(), &mut sticks);
    assert_eq!(sticks[..2], before[..2]);
    let slipped = [before[2][0] + 0.3 - 0.6 * 0.02, before[2][1] + 0.4 - 0.8 * 0.02];
    assert!((0..2).all(|k| (sticks[2][k] - slipped[k]).abs() < 1e-12));
    assert_eq!(sticks[3], [case.x[3].x, case.x[3].y]);
    // A node that slipped is held as before, and does not slip further.
    case.sticks = sticks.clone();
    let again = friction(&case);
    assert!((0..3).all(|i| (again[i] - forces[i]).norm() <= 1e-7 * pressure));
    case.chain().settle(case.motions(), &case.around(), &mut sticks);
    assert!((0..2).all(|k| (sticks[2][k] - case.sticks[2][k]).abs() < 1e-12));
}

#[test]
fn bounds_hold_and_are_near() {
    let mut case = level();
    case.line_type.ba = 500.0;
    case.water.depth = 20.1;
    for ei in [0.0, 4e4] {
        case.line_type.ei = ei;
        let nodes = case.x.len();
        // On the bed, stretched.
        case.x.iter_mut().enumerate().for_each(|(i, x)| *x = Vec3::new(2.0 * i as f64 * 1.0001, 0.0, -20.3));
        let factors = Factors { mass: 0.0, damping: 0.0, stiffness: 0.0, all: false };
        let dense = |factors: Factors| {
            let out = case.evaluate(Some(factors));
            let mut full = nalgebra::DMatrix::zeros(3 * nodes, 3 * nodes);
            let mut put = |row: usize, column: usize, block: &Mat3| {
                full.view_mut((3 * row, 3 * column), (3, 3)).copy_from(block);
            };
            for i in 0..nodes {
                put(i, i, &out.diagonal[i]);
                if i + 1 < nodes {
                    put(i, i + 1, &out.upper[i]);
                    put(i + 1, i, &out.lower[i]);
                }
                if i + 2 < nodes && ei > 0.0 {
                    put(i, i + 2, &out.upper_two[i]);
                    put(i + 2, i, &out.lower_two[i]);
                }
            }
            full
        };
        let mass = dense(Factors { mass: 1.0, ..factors });
        let root = nalgebra::Cholesky::new(mass).expect("mass").inverse();
        let largest =
            |matrix| nalgebra::DMatrix::complex_eigenvalues(&(&root * matrix)).iter().map(|z| z.re).fold(0.0, f64::max);
        let bounds = case.chain().bounds(case.length, &case.water);
        let stiff = largest(dense(Factors { stiffness: 1.0, ..factors })).sqrt();
        let damped = largest(dense(Factors { damping: 1.0, ..factors }));
        let (frequency, damping) =
            (bounds.axial.frequency.hypot(bounds.seabed.frequency), bounds.axial.damping + bounds.seabed.damping);
        assert!(stiff <= frequency && stiff >= 0.6 * frequency, "{stiff}, {frequency}");
        assert!(damped <= damping && damped >= 0.6 * damping, "{damped}, {damping}");
    }
    case.water.depth = 0.0;
    assert_eq!(case.chain().bounds(case.length, &case.water).seabed.frequency, 0.0);
}
