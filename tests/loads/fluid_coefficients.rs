//! Added mass, damping and drag as hosts give them: in single precision, nearly symmetric, between
//! steps and in trials.

use crate::common::*;
use pintle::{Error, Frame, Id, Simulation};

/// A platform of 1.4e7 kg.
fn platform() -> (Simulation, Id) {
    let mut sim = Simulation::new();
    let inertia = [6.8e9, 6.9e9, 1.2e10, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(1.4e7, &[0.0, 0.0, -13.0], &inertia, &pose([0.0; 3], UNROTATED)).unwrap();
    (sim, body)
}

/// Added mass of a semi-submersible as a panel code writes it: surge and pitch, sway and roll
/// coupled, and the two entries of roll and yaw that are known from OpenFAST's own file, which
/// differ in the fourth digit: 1e-10 of the rotational block.
fn panel_code() -> M6 {
    let mut a = [[0.0; 6]; 6];
    for (i, d) in [6.5e6, 6.5e6, 1.5e7, 7.2e9, 7.2e9, 5.0e9].into_iter().enumerate() {
        a[i][i] = d;
    }
    (a[0][4], a[4][0]) = (-8.5e7, -8.5003e7);
    (a[1][3], a[3][1]) = (8.5e7, 8.5001e7);
    (a[3][5], a[5][3]) = (-13274.50, -13275.89);
    a
}

#[test]
fn matrix_of_a_panel_code_is_taken_by_its_symmetric_part() {
    let accelerations = |a: &M6| {
        let (mut sim, body) = platform();
        sim.settings().set_added_mass(body, &columns(a), Frame::Body).unwrap();
        sim.inputs().set_body_load(body, Frame::Body, &[1e6, 2e6, -3e6, 4e7, -5e7, 6e7]).unwrap();
        sim.initialize(0.0).unwrap();
        sim.outputs().body_acceleration(body, Frame::Body).unwrap()
    };
    let given = panel_code();
    let symmetric: M6 = std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (given[i][j] + given[j][i])));
    assert_eq!(accelerations(&given), accelerations(&symmetric));
}

#[test]
fn asymmetry_that_is_no_rounding_is_refused() {
    let (mut sim, body) = platform();
    // 1e-4 of the largest entry of the block: ten times what is allowed.
    for (i, j, difference) in [(3, 5, 7.2e5), (0, 2, 1.5e3), (0, 4, 3.3e4)] {
        let mut a = panel_code();
        a[i][j] += difference;
        let refused = sim.settings().set_added_mass(body, &columns(&a), Frame::Body).unwrap_err();
        assert!(refused.to_string().contains(&format!("unsymmetric: a[{i},{j}] =")), "{refused}");
    }
}

#[test]
fn negative_added_mass_is_refused() {
    let (mut sim, body) = platform();
    for (i, value) in [(0, -1.5e3), (5, -7.2e5)] {
        let mut a = panel_code();
        a[i][i] = value;
        let refused = sim.settings().set_added_mass(body, &columns(&a), Frame::Body).unwrap_err();
        assert!(refused.to_string().contains("not positive semi-definite"), "{refused}");
    }
    // Within the tolerance of the matrix, but more than a light body has of its own: together they
    // would be no inertia.
    let mut sim = Simulation::new();
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0; 3].map_six(), &pose([0.0; 3], UNROTATED)).unwrap();
    for frame in [Frame::Body, Frame::Inertial] {
        let refused =
            sim.settings().set_added_mass(body, &diagonal([1e6, 1e6, -2.0, 1e6, 1e6, 1e6]), frame).unwrap_err();
        assert!(refused.to_string().contains("together with the mass matrix"), "{refused}");
        sim.settings().set_added_mass(body, &diagonal([1e6, 1e6, -0.5, 1e6, 1e6, 1e6]), frame).unwrap();
    }
}

/// The diagonal tensor of three equal moments.
trait MapSix {
    fn map_six(self) -> [f64; 6];
}

impl MapSix for [f64; 3] {
    fn map_six(self) -> [f64; 6] {
        [self[0], self[1], self[2], 0.0, 0.0, 0.0]
    }
}

/// `T A T^T` in single precision, as a host would compute it.
fn transformed(t: &[[f32; 6]; 6], a: &[[f32; 6]; 6]) -> [[f32; 6]; 6] {
    let times = |a: &[[f32; 6]; 6], b: &[[f32; 6]; 6]| -> [[f32; 6]; 6] {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..6).map(|k| a[i][k] * b[k][j]).sum()))
    };
    let transposed = std::array::from_fn(|i| std::array::from_fn(|j| t[j][i]));
    times(&times(t, a), &transposed)
}

#[test]
fn matrices_that_hosts_turn_and_shift_in_single_precision_are_accepted() {
    let mut random = Random(5);
    for case in 0..500 {
        // Full ones, and those of strips, which have no added mass along the strip and about it.
        let d: [f64; 6] = match case % 3 {
            0 => [6.5e6, 6.5e6, 1.5e7, 7.2e9, 7.2e9, 5.0e9],
            1 => [6.5e6, 6.5e6, 0.0, 7.2e9, 7.2e9, 0.0],
            _ => [0.0, 0.0, 1.5e7, 0.0, 0.0, 0.0],
        };
        let a: [[f32; 6]; 6] = std::array::from_fn(|i| std::array::from_fn(|j| if i == j { d[i] as f32 } else { 0.0 }));
        let q = random.turn();
        let (r, arm) = (dcm(q), random.many::<3>().map(|x| 20.0 * x));
        // (force, moment) about another point, in other axes
        let shift = skew(arm);
        let turned = |i: usize, j: usize| r[i][j] as f32;
        let t: [[f32; 6]; 6] = std::array::from_fn(|i| {
            std::array::from_fn(|j| match (i / 3, j / 3) {
                (0, 0) => turned(i, j),
                (1, 1) => turned(i - 3, j - 3),
                (1, 0) => (0..3).map(|k| shift[i - 3][k] as f32 * turned(k, j)).sum(),
                _ => 0.0,
            })
        });
        let given = transformed(&t, &a);
        let a: M6 = given.map(|row| row.map(f64::from));
        for frame in [Frame::Body, Frame::Inertial] {
            let (mut sim, body) = platform();
            let outcome = sim.settings().set_added_mass(body, &columns(&a), frame);
            outcome.unwrap_or_else(|error| panic!("case {case}: {error}"));
        }
    }
}

const SCHEMES: [&str; 9] =
    ["generalized-alpha", "newmark", "hht", "rk4", "ab4", "aca5", "beuler3", "wilson3", "anderson3"];

/// A body that falls through a fluid, spinning, in a scheme.
fn falling(scheme: &str) -> (Simulation, Id) {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap_or_else(|error| panic!("{error}"));
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let body = sim.build().add_rigid_body(2.0, &[0.1, 0.0, 0.05], &[0.5, 0.6, 0.8, 0.0, 0.0, 0.0], &ORIGIN).unwrap();
    sim.build().set_body_velocity(body, &[1.0, -0.4, 0.6, 0.8, -1.1, 0.7]).unwrap();
    sim.settings().set_added_mass(body, &diagonal([1.0, 2.0, 3.0, 0.1, 0.2, 0.3]), Frame::Body).unwrap();
    sim.initialize(0.0).unwrap();
    (sim, body)
}

fn other_coefficients(sim: &mut Simulation, body: Id) {
    sim.settings().set_added_mass(body, &diagonal([4.0, 0.5, 1.0, 0.2, 0.1, 0.4]), Frame::Body).unwrap();
    sim.settings().set_linear_damping(body, &diagonal([2.0, 3.0, 1.0, 0.1, 0.2, 0.1]), Frame::Body).unwrap();
    sim.settings().set_quadratic_drag(body, &diagonal([0.5, 0.3, 1.0, 0.1, 0.05, 0.1]), Frame::Inertial).unwrap();
}

fn bits(sim: &Simulation, body: Id) -> Vec<u64> {
    let (p, v) = (sim.outputs().body_pose(body).unwrap(), sim.outputs().body_velocity(body, Frame::Inertial).unwrap());
    let a = sim.outputs().body_acceleration(body, Frame::Inertial).unwrap();
    p.into_iter().chain(v).chain(a).map(f64::to_bits).collect()
}

#[test]
fn coefficients_set_in_a_trial_belong_to_the_next_advance() {
    const H: f64 = 0.01;
    for scheme in SCHEMES {
        // Advanced again: as if set before the first advance.
        let (mut tried, body) = falling(scheme);
        let (mut plain, _) = falling(scheme);
        for sim in [&mut tried, &mut plain] {
            (0..7).for_each(|_| sim.step(H).unwrap());
        }
        tried.advance(H).unwrap();
        other_coefficients(&mut tried, body);
        other_coefficients(&mut plain, body);
        for _ in 0..7 {
            for sim in [&mut tried, &mut plain] {
                sim.advance(H).unwrap();
                sim.accept().unwrap();
            }
            assert_eq!(bits(&tried, body), bits(&plain, body), "{scheme}: advanced again");
        }
    }
}

#[test]
fn coefficients_set_in_a_trial_that_is_accepted_act_from_its_end_on() {
    const H: f64 = 0.01;
    for scheme in SCHEMES {
        let (mut tried, body) = falling(scheme);
        let (mut plain, _) = falling(scheme);
        for sim in [&mut tried, &mut plain] {
            (0..7).for_each(|_| sim.step(H).unwrap());
            sim.advance(H).unwrap();
        }
        let trial = bits(&plain, body);
        other_coefficients(&mut tried, body);
        assert_eq!(bits(&tried, body), trial, "{scheme}: the trial stays what it is");
        tried.accept().unwrap();
        plain.accept().unwrap();
        other_coefficients(&mut plain, body);
        // Through a saved state too: what was set in the trial is part of it.
        let state = tried.save().unwrap();
        tried.step(H).unwrap();
        tried.restore(&state).unwrap();
        for _ in 0..7 {
            tried.step(H).unwrap();
            plain.step(H).unwrap();
            assert_eq!(bits(&tried, body), bits(&plain, body), "{scheme}: accepted");
        }
    }
}

#[test]
fn velocity_is_exact_when_added_mass_changes_in_accepted_trials() {
    // A constant force on a mass of 2 kg that drags along another added mass every ten steps, set
    // in the trial that is then accepted: v = sum F t/(m + a). The start of the scheme at constant
    // acceleration is exact.
    const H: f64 = 0.01;
    let mut sim = Simulation::new();
    let body = sim.build().add_rigid_body(2.0, &[0.0; 3], &[1.0; 3].map_six(), &ORIGIN).unwrap();
    sim.inputs().set_body_load(body, Frame::Inertial, &[6.0, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    sim.initialize(0.0).unwrap();
    let mut exact = 0.0;
    for (added, next) in [(0.0, 1.0), (1.0, 4.0), (4.0, 0.5), (0.5, 0.5)] {
        for n in 0..10 {
            sim.advance(H).unwrap();
            if n == 9 {
                sim.settings().set_added_mass(body, &diagonal([next; 6]), Frame::Inertial).unwrap();
            }
            sim.accept().unwrap();
        }
        exact += 6.0 * 10.0 * H / (2.0 + added);
        let v = sim.outputs().body_velocity(body, Frame::Inertial).unwrap()[0];
        assert_close("velocity", &[v], &[exact], 1e-13);
    }
}

#[test]
fn coefficients_of_a_failed_system_stay() {
    let (mut sim, body) = falling("generalized-alpha");
    sim.mark_failed();
    let outcome = sim.settings().set_added_mass(body, &diagonal([1.0; 6]), Frame::Body);
    assert!(matches!(outcome, Err(Error::BadPhase { .. })), "{outcome:?}");
}

/// Three bodies side by side, of which the second one alone is given coefficients.
fn three() -> (Simulation, [Id; 3]) {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let bodies = [0.0, 3.0, 6.0].map(|x| {
        let at = pose([x, 0.0, 0.0], UNROTATED);
        sim.build().add_rigid_body(2.0, &[0.1, 0.0, 0.05], &[0.5, 0.6, 0.8, 0.0, 0.0, 0.0], &at).unwrap()
    });
    for body in bodies {
        sim.build().set_body_velocity(body, &[1.0, -0.4, 0.6, 0.8, -1.1, 0.7]).unwrap();
    }
    sim.initialize(0.0).unwrap();
    (sim, bodies)
}

#[test]
fn coefficients_of_one_body_of_three_go_with_states_into_objects_that_have_none_and_out_of_those_that_have() {
    const H: f64 = 0.01;
    let (mut first, bodies) = three();
    first.step(H).unwrap();
    let dry = first.save().unwrap().to_bytes();
    other_coefficients(&mut first, bodies[1]);
    first.step(H).unwrap();
    let wet = first.save().unwrap().to_bytes();
    let follow = |sim: &mut Simulation, bytes: &[u8]| {
        let state = sim.deserialize(bytes).unwrap();
        sim.restore(&state).unwrap();
        (0..20).for_each(|_| sim.step(H).unwrap());
        bodies.map(|body| bits(sim, body))
    };
    let (mut fresh, _) = three();
    let (with, without) = (follow(&mut fresh, &wet), follow(&mut first, &dry));
    assert_eq!(with, follow(&mut first, &wet));
    assert_eq!(without, follow(&mut three().0, &dry));
    // Where they act, and where not.
    let (mut same, _) = three();
    (0..21).for_each(|_| same.step(H).unwrap());
    let never = bodies.map(|body| bits(&same, body));
    assert_eq!(without, never);
    assert_ne!(with[1], follow(&mut fresh, &dry)[1]);
}
