//! Load callbacks of sets of bodies: cross terms, a mass matrix, and setting and removing them
//! during a run.

use crate::common::*;
use pintle::{CoupledLoad, CoupledLoadFn, CoupledMotion, EntityKind, Error, Frame, GROUND, Id, JointKind, Simulation};
use std::sync::Arc;

/// Bodies of the tests of two: isotropic inertia, so that no gyroscopic terms appear.
const BODIES: [(f64, f64); 2] = [(2.0, 0.8), (3.0, 1.1)];
const PLACES: [V3; 2] = [[0.3, -0.2, 0.1], [1.4, 0.3, -0.2]];
const VELOCITIES: [[f64; 6]; 2] = [[0.4, -0.3, 0.2, 0.5, 0.1, -0.4], [-0.2, 0.5, 0.1, -0.3, 0.6, 0.2]];

/// A full symmetric positive definite 12 x 12 matrix, diagonal `size` times that of the inertia.
fn full(size: f64, phase: f64) -> Vec<Vec<f64>> {
    let d = |k: usize| size * if k % 6 < 3 { BODIES[k / 6].0 } else { BODIES[k / 6].1 };
    let entry = |i: usize, j: usize| {
        let (low, high) = (i.min(j) as f64, i.max(j) as f64);
        let cosine = if i == j { 1.0 } else { 0.07 * (phase + 3.0 * low + 5.0 * high).cos() };
        cosine * f64::sqrt(d(i) * d(j))
    };
    (0..12).map(|i| (0..12).map(|j| entry(i, j)).collect()).collect()
}

fn times(m: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    m.iter().map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum()).collect()
}

/// K on displacements (rotations are not charged), C on velocities, A on accelerations.
fn matrices(added: f64) -> [Vec<Vec<f64>>; 3] {
    let mut k = full(12.0, 1.0);
    for (i, row) in k.iter_mut().enumerate() {
        row.iter_mut().enumerate().filter(|(j, _)| i % 6 > 2 || j % 6 > 2).for_each(|(_, entry)| *entry = 0.0);
    }
    [k, full(0.5, 2.0), full(added, 0.0)]
}

fn linear_load(added: f64, with_matrices: bool) -> CoupledLoadFn {
    let [k, c, a] = matrices(added);
    Arc::new(move |m: &CoupledMotion, out: &mut CoupledLoad| {
        let x: Vec<f64> = m.poses.iter().flat_map(|p| [p[0], p[1], p[2], 0.0, 0.0, 0.0]).collect();
        let parts = [times(&k, &x), times(&c, m.velocities.as_flattened()), times(&a, m.accelerations.as_flattened())];
        for (i, w) in out.wrenches.as_flattened_mut().iter_mut().enumerate() {
            assert_eq!(*w, 0.0, "arrives zeroed");
            *w = -(parts[0][i] + parts[1][i] + parts[2][i]);
        }
        if with_matrices {
            for (matrix, source) in [(&mut *out.stiffness, &k), (&mut *out.damping, &c), (&mut *out.mass, &a)] {
                (0..144).for_each(|n| matrix[n] += source[n % 12][n / 12]);
            }
        }
        Ok(())
    })
}

fn two_bodies(scheme: &str) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    for k in 0..2 {
        let (m, j) = BODIES[k];
        let id =
            sim.build().add_rigid_body(m, &[0.0; 3], &[j, j, j, 0.0, 0.0, 0.0], &pose(PLACES[k], UNROTATED)).unwrap();
        sim.build().set_body_velocity(id, &VELOCITIES[k]).unwrap();
    }
    sim
}

/// (M + A) vdot = -K x - C v by elimination: what `rk4_samples` integrates, y = positions,
/// velocities.
fn dense_rate(added: f64) -> impl Fn(f64, &[f64], &mut [f64]) {
    let [k, c, a] = matrices(added);
    move |_, y, dy| {
        let x: Vec<f64> = (0..2).flat_map(|b| [y[3 * b], y[3 * b + 1], y[3 * b + 2], 0.0, 0.0, 0.0]).collect();
        let (stiff, damped) = (times(&k, &x), times(&c, &y[6..]));
        let mut mass = a.clone();
        (0..12).for_each(|i| mass[i][i] += if i % 6 < 3 { BODIES[i / 6].0 } else { BODIES[i / 6].1 });
        let right = (0..12).map(|i| -stiff[i] - damped[i]).collect();
        for b in 0..2 {
            (0..3).for_each(|i| dy[3 * b + i] = y[6 + 6 * b + i]);
        }
        dy[6..].copy_from_slice(&solve(mass, right));
    }
}

fn start() -> Vec<f64> {
    PLACES.iter().flatten().chain(VELOCITIES.iter().flatten()).copied().collect()
}

fn state(sim: &Simulation) -> Vec<f64> {
    let places = (0..2).flat_map(|k| place(&sim.outputs().body_pose(k).unwrap()));
    let velocities = (0..2).flat_map(|k| sim.outputs().body_velocity(k, Frame::Inertial).unwrap());
    places.chain(velocities).collect()
}

/// Against a model that shares nothing with the library: dense elimination and Runge-Kutta. Added
/// mass of 0.5 and 30 times the bodies'.
#[test]
fn two_bodies_in_one_fluid_move_as_a_dense_model_at_the_order_of_every_scheme() {
    for added in [0.5, 30.0] {
        let exact = rk4_samples(dense_rate(added), &start(), 1e-3, 1000, 2).pop().unwrap();
        for (scheme, order, first) in [
            ("generalized-alpha", 2.0, 0.04),
            ("newmark", 2.0, 0.04),
            ("hht", 2.0, 0.04),
            ("rk2", 2.0, 0.04),
            ("rk4", 4.0, 0.04),
            ("ab3", 3.0, 0.02),
            ("lab2", 2.0, 0.02),
            ("aca10", 2.0, 0.04),
            ("midpoint10", 2.0, 0.04),
            ("beuler20", 1.0, 0.02),
        ] {
            let mut tables: [Vec<(f64, f64)>; 2] = Default::default();
            for halving in 0..4 {
                let dt = first / f64::from(1 << halving);
                for (with_matrices, table) in [(true, 0), (false, 1)] {
                    let mut sim = two_bodies(scheme);
                    let id = sim
                        .inputs()
                        .set_coupled_load_callback(&[0, 1], Some(linear_load(added, with_matrices)))
                        .unwrap();
                    assert_eq!((id, sim.description().count(EntityKind::Callback)), (0, 1));
                    sim.settings().set_option("max_time_step", dt).unwrap();
                    sim.initialize(0.0).unwrap();
                    let steps = (1.0 / dt).round() as usize;
                    for n in 0..steps {
                        sim.step(dt).unwrap_or_else(|e| panic!("{scheme} {added} {with_matrices} {dt} {n}: {e}"));
                    }
                    let found = state(&sim);
                    let error = found.iter().zip(&exact).fold(0.0f64, |e, (a, b)| e.max((a - b).abs()));
                    println!(
                        "{scheme} {added} {with_matrices} {dt}: {error:e}, {}",
                        sim.outputs().statistic("iterations").unwrap()
                    );
                    tables[table].push((dt, error));
                }
            }
            for table in &tables {
                assert_order(&format!("{scheme} {added}"), table, order, 0.2);
            }
            for (with, without) in tables[0].iter().zip(&tables[1]) {
                assert!(without.1 <= 1.5 * with.1 + 1e-9, "{scheme} {added}: {without:?} for {with:?}");
            }
        }
    }
}

#[test]
fn the_mass_matrix_is_that_of_the_system() {
    let added = 5.0;
    let mut sim = two_bodies("generalized-alpha");
    sim.inputs().set_coupled_load_callback(&[1, 0], Some(swapped(linear_load(added, true)))).unwrap();
    sim.initialize(0.0).unwrap();
    let [.., a] = matrices(added);
    let mass = sim.analysis().mass_matrix().unwrap();
    for i in 0..12 {
        for j in 0..12 {
            let own = if i != j {
                0.0
            } else if i % 6 < 3 {
                BODIES[i / 6].0
            } else {
                BODIES[i / 6].1
            };
            assert!((mass[i + 12 * j] - a[i][j] - own).abs() < 1e-13 * added * 3.0, "{i} {j}");
        }
    }
    let mut dy = vec![0.0; 18];
    dense_rate(added)(0.0, &start(), &mut dy);
    let poses = [0, 1].map(|k| sim.outputs().body_pose(k).unwrap());
    let found = sim.analysis().eval_accelerations(&poses, &VELOCITIES).unwrap();
    assert_close("accelerations", found.as_flattened(), &dy[6..], 1e-12 * 20.0);

    // States of the linearised system: the 12 displacements, then the 12 velocities. The lower half
    // of A is d vdot.
    let linear = sim.analysis().linearize(&[], &[], &[]).unwrap();
    assert_eq!(linear.states, 24);
    let step = 1e-6;
    for column in 0..24 {
        let at = |sign: f64| {
            let (mut poses, mut velocities) = (poses, VELOCITIES);
            let (body, k) = (column % 12 / 6, column % 6);
            match (column < 12, k < 3) {
                (true, true) => poses[body][k] += sign * step,
                (true, false) => {
                    let mut turn_by = [0.0; 3];
                    turn_by[k - 3] = sign * step;
                    let turned = quat_mul(quat_exp(turn_by), turn(&poses[body]));
                    poses[body][3..].copy_from_slice(&turned);
                }
                _ => velocities[body][k] += sign * step,
            }
            sim.analysis().eval_accelerations(&poses, &velocities).unwrap()
        };
        let (plus, minus) = (at(1.0), at(-1.0));
        for row in 0..12 {
            let difference = (plus[row / 6][row % 6] - minus[row / 6][row % 6]) / (2.0 * step);
            // rounding of accelerations of 10 over 2e-6
            let found = linear.a[12 + row + 24 * column];
            assert!((found - difference).abs() < 1e-8, "{row} {column}: {found} {difference}");
        }
    }
}

/// The same load for the set in reverse order.
fn swapped(function: CoupledLoadFn) -> CoupledLoadFn {
    Arc::new(move |m: &CoupledMotion, out: &mut CoupledLoad| {
        assert_eq!(m.bodies, [1, 0]);
        let swap7 = [m.poses[1], m.poses[0]];
        let swap = |x: &[[f64; 6]]| [x[1], x[0]];
        let (velocities, accelerations) = (swap(m.velocities), swap(m.accelerations));
        let mut wrenches = [[0.0; 6]; 2];
        let mut matrices = [[0.0; 144]; 3];
        let [stiffness, damping, mass] = &mut matrices;
        let motion = CoupledMotion {
            poses: &swap7,
            velocities: &velocities,
            accelerations: &accelerations,
            bodies: &[0, 1],
            ..*m
        };
        function(&motion, &mut CoupledLoad { wrenches: &mut wrenches, stiffness, damping, mass })?;
        out.wrenches.copy_from_slice(&swap(&wrenches));
        for (to, from) in [&mut out.stiffness, &mut out.damping, &mut out.mass].into_iter().zip(&matrices) {
            (0..144).for_each(|n| to[n] = from[(n % 12 + 6) % 12 + 12 * ((n / 12 + 6) % 12)]);
        }
        Ok(())
    })
}

/// A chain of 30 links: it has a sparse matrix, whose pattern changes when callbacks are set and
/// removed.
fn chain(scheme: &str) -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    let mut last = GROUND;
    for k in 0..30 {
        let at = pose([k as f64 + 0.5, 0.0, 0.0], UNROTATED);
        let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.2, 0.2, 0.0, 0.0, 0.0], &at).unwrap();
        sim.build().add_joint_at(JointKind::Spherical, last, body, &[k as f64, 0.0, 0.0], None).unwrap();
        last = body;
    }
    sim
}

/// A spring and a common mass between two bodies.
fn tie(with_matrices: bool) -> CoupledLoadFn {
    Arc::new(move |m: &CoupledMotion, out: &mut CoupledLoad| {
        for i in 0..3 {
            let force = 40.0 * (m.poses[1][i] - m.poses[0][i]) + 2.0 * (m.accelerations[1][i] - m.accelerations[0][i]);
            (out.wrenches[0][i], out.wrenches[1][i]) = (force, -force);
            if with_matrices {
                for (row, column, sign) in [(i, i, 1.0), (6 + i, 6 + i, 1.0), (i, 6 + i, -1.0), (6 + i, i, -1.0)] {
                    out.stiffness[row + 12 * column] = 40.0 * sign;
                    out.mass[row + 12 * column] = 2.0 * sign;
                }
            }
        }
        Ok(())
    })
}

fn bits(sim: &Simulation) -> Vec<u64> {
    let bodies = sim.description().count(EntityKind::Body);
    let all = (0..bodies).flat_map(|k| {
        let rates = [
            sim.outputs().body_velocity(k, Frame::Inertial).unwrap(),
            sim.outputs().body_acceleration(k, Frame::Inertial).unwrap(),
        ];
        sim.outputs().body_pose(k).unwrap().into_iter().chain(rates.concat())
    });
    all.map(f64::to_bits).collect()
}

fn largest_difference(a: &Simulation, b: &Simulation) -> f64 {
    let pairs = bits(a).into_iter().zip(bits(b)).map(|(a, b)| (f64::from_bits(a) - f64::from_bits(b)).abs());
    pairs.fold(0.0, f64::max)
}

#[test]
fn a_callback_set_and_removed_during_a_run_couples_and_uncouples_far_bodies() {
    for scheme in ["generalized-alpha", "momentum-alpha", "rk4", "aca3", "lab2"] {
        let mut sim = chain(scheme);
        sim.settings().set_option("max_time_step", 1e-3).unwrap();
        sim.initialize(0.0).unwrap();
        (0..5).for_each(|_| sim.step(1e-3).unwrap());
        let free = sim.save().unwrap();
        // Set in READY, removed in TRIAL, and a system that had it from the start: all see the
        // same.
        let mut early = chain(scheme);
        early.inputs().set_coupled_load_callback(&[3, 25], Some(tie(true))).unwrap();
        early.initialize(0.0).unwrap();
        early.restore(&free).unwrap();
        assert_eq!(sim.inputs().set_coupled_load_callback(&[3, 25], Some(tie(true))).unwrap(), 0);
        for _ in 0..5 {
            sim.step(1e-3).unwrap();
            early.step(1e-3).unwrap();
            assert_eq!(bits(&sim), bits(&early), "{scheme}");
        }
        let mut bare = chain(scheme);
        bare.initialize(0.0).unwrap();
        bare.restore(&free).unwrap();
        bare.inputs().set_coupled_load_callback(&[25, 3], Some(tie(false))).unwrap();
        (0..5).for_each(|_| bare.step(1e-3).unwrap());
        // Iterations to 1e-8 of the wrench, 1e3 N on 1 kg: 1e-5 in accelerations.
        assert!(largest_difference(&sim, &bare) < 1e-4, "{scheme}: {:e}", largest_difference(&sim, &bare));

        let tied = sim.save().unwrap();
        let mut copy = sim.clone();
        sim.advance(1e-3).unwrap();
        copy.step(1e-3).unwrap();
        assert_eq!(bits(&sim), bits(&copy), "{scheme}: a clone keeps it");
        assert_eq!(sim.inputs().set_coupled_load_callback(&[25, 3], None).unwrap(), 0);
        sim.reject().unwrap();
        let mut without = chain(scheme);
        without.initialize(0.0).unwrap();
        without.restore(&tied).unwrap();
        for _ in 0..5 {
            sim.step(1e-3).unwrap();
            without.step(1e-3).unwrap();
            assert_eq!(bits(&sim), bits(&without), "{scheme}: removed");
        }
        assert!(largest_difference(&sim, &copy) > 1e-3, "{scheme}: it did act");
    }
}

#[test]
fn sets_keep_their_ids_and_wrong_ones_are_refused() {
    let mut sim = chain("generalized-alpha");
    assert_eq!(sim.inputs().set_coupled_load_callback(&[0, 1], Some(tie(true))).unwrap(), 0);
    assert_eq!(sim.inputs().set_coupled_load_callback(&[1, 2], Some(tie(true))).unwrap(), 1);
    assert_eq!(sim.inputs().set_coupled_load_callback(&[4, 5], Some(tie(true))).unwrap(), 2);
    assert_eq!(sim.inputs().set_coupled_load_callback(&[1, 0], None).unwrap(), 0);
    assert_eq!(sim.inputs().set_coupled_load_callback(&[2, 1], Some(tie(false))).unwrap(), 1, "replaced");
    assert_eq!(sim.inputs().set_coupled_load_callback(&[5, 6], Some(tie(true))).unwrap(), 3, "ids are not used again");
    assert_eq!(sim.inputs().set_coupled_load_callback(&[0, 1], Some(tie(true))).unwrap(), 0, "but by the set itself");
    assert_eq!(sim.description().count(EntityKind::Callback), 4);
    sim.build().set_name(EntityKind::Callback, 1, "gap").unwrap();
    assert_eq!(sim.description().find(EntityKind::Callback, "gap").unwrap(), 1);
    let refused: [(&[Id], bool); 6] =
        [(&[], true), (&[0, 30], true), (&[-1], true), (&[7, 8, 7], true), (&[7, 8], false), (&[0], false)];
    for (set, has_function) in refused {
        let outcome = sim.inputs().set_coupled_load_callback(set, has_function.then(|| tie(true)));
        match outcome {
            Err(Error::BadSize { .. }) => assert!(set.is_empty()),
            Err(Error::BadId { argument: "bodies", .. }) => assert!(set.contains(&30) || set.contains(&-1)),
            Err(Error::BadValue { detail, .. }) => assert!(!has_function || detail.contains("body 7"), "{detail}"),
            other => panic!("{set:?}: {other:?}"),
        }
    }
    assert_eq!(sim.description().count(EntityKind::Callback), 4);
    sim.initialize(0.0).unwrap();
    sim.step(1e-3).unwrap();
    let before = bits(&sim);
    for fails in [true, false] {
        let function = move |_: &CoupledMotion, out: &mut CoupledLoad| {
            out.mass[3] = f64::NAN;
            if fails { Err(42) } else { Ok(()) }
        };
        sim.inputs().set_coupled_load_callback(&[2, 1], Some(Arc::new(function))).unwrap();
        let text = match sim.step(1e-3) {
            Err(error @ Error::Callback { .. }) => error.to_string(),
            other => panic!("{other:?}"),
        };
        let why = if fails { "42" } else { "not finite" };
        for part in ["callback 1 \"gap\"", "body 2, body 1", why] {
            assert!(text.contains(part), "{text}");
        }
        assert_eq!(bits(&sim), before);
    }
}

/// Body 1 is moved by the host with constant acceleration b: with A the mass of the callback, body
/// 0 answers with (M + A_00) vdot = -A_01 b, and the host must apply M b + A_11 b + A_10 vdot to
/// body 1.
#[test]
fn a_prescribed_body_in_the_set_moves_the_others_and_takes_its_wrench_as_reaction() {
    let a = full(4.0, 0.0);
    let b = [0.5, -0.2, 0.3, 0.0, 0.0, 0.0];
    for scheme in ["generalized-alpha", "rk4", "lab2"] {
        for with_matrices in [true, false] {
            let mut sim = two_bodies(scheme);
            let a_of = a.clone();
            let function = move |m: &CoupledMotion, out: &mut CoupledLoad| {
                let w = times(&a_of, m.accelerations.as_flattened());
                out.wrenches.as_flattened_mut().iter_mut().zip(&w).for_each(|(out, w)| *out = -w);
                if with_matrices {
                    (0..144).for_each(|n| out.mass[n] = a_of[n % 12][n / 12]);
                }
                Ok(())
            };
            sim.build().set_body_prescribed(1, true).unwrap();
            sim.inputs().set_coupled_load_callback(&[0, 1], Some(Arc::new(function))).unwrap();
            let motion = |t: f64| {
                let x: V3 = std::array::from_fn(|i| PLACES[1][i] + 0.5 * b[i] * t * t);
                (pose(x, UNROTATED), b.map(|b| b * t), b)
            };
            let set = |sim: &mut Simulation, t: f64| {
                let (pose, velocity, acceleration) = motion(t);
                sim.inputs().set_body_motion(1, &pose, &velocity, &acceleration).unwrap();
            };
            set(&mut sim, 0.0);
            sim.settings().set_option("max_time_step", 0.01).unwrap();
            sim.initialize(0.0).unwrap();
            for n in 1..=20 {
                set(&mut sim, 0.01 * f64::from(n));
                sim.step(0.01).unwrap();
            }
            let block =
                |i: usize, j: usize| (0..6).map(|r| a[6 * i + r][6 * j..6 * j + 6].to_vec()).collect::<Vec<_>>();
            let (m, j) = BODIES[0];
            let mut own = block(0, 0);
            (0..6).for_each(|k| own[k][k] += if k < 3 { m } else { j });
            let vdot = solve(own, times(&block(0, 1), &b).iter().map(|x| -x).collect());
            assert_close(scheme, &sim.outputs().body_acceleration(0, Frame::Inertial).unwrap(), &vdot, 1e-7);
            let (direct, cross) = (times(&block(1, 1), &b), times(&block(1, 0), &vdot));
            let reaction: Vec<f64> =
                (0..6).map(|k| direct[k] + cross[k] + if k < 3 { 3.0 * b[k] } else { 0.0 }).collect();
            assert_close(scheme, &sim.outputs().body_reaction(1, Frame::Inertial).unwrap(), &reaction, 1e-6);
        }
    }
}

/// Equilibrium, linear analysis and load compliance with cross terms.
#[test]
fn analyses_see_the_matrices_of_the_set() {
    let added = 2.0;
    let mut sim = two_bodies("generalized-alpha");
    // Rotations are held by bushings: the load leaves them free.
    for k in 0..2 {
        let at = pose(PLACES[k as usize], UNROTATED);
        let stiffness = diagonal([0.0, 0.0, 0.0, 5.0, 5.0, 5.0]);
        sim.elements().add_bushing(GROUND, k, &at, &ORIGIN, &stiffness, &diagonal([0.0; 6])).unwrap();
    }
    sim.inputs().set_coupled_load_callback(&[0, 1], Some(linear_load(added, true))).unwrap();
    let force = [1.0, -2.0, 0.5, 0.0, 0.0, 0.0];
    sim.inputs().set_body_load(0, Frame::Inertial, &force).unwrap();
    sim.initialize(0.0).unwrap();
    let [k, ..] = matrices(added);
    sim.solve_equilibrium(100, 1e-12).unwrap();
    let free = |n: usize| if n < 3 { n } else { n + 3 };
    let stiffness: Vec<Vec<f64>> = (0..6).map(|i| (0..6).map(|j| k[free(i)][free(j)]).collect()).collect();
    let rest = solve(stiffness, vec![force[0], force[1], force[2], 0.0, 0.0, 0.0]);
    let found: Vec<f64> = (0..2).flat_map(|k| place(&sim.outputs().body_pose(k).unwrap())).collect();
    assert_close("equilibrium", &found, &rest, 1e-10);

    // 1 s of linear analysis is the motion itself: the model is linear but for the small rotations
    // that A and C excite.
    let [linear, full] = [1.0, 0.0].map(|option| {
        let mut sim = sim.clone();
        sim.settings().set_option("linear", option).unwrap();
        sim.inputs().set_body_load(0, Frame::Inertial, &force.map(|f| 1.001 * f)).unwrap();
        (0..100).for_each(|_| sim.step(0.01).unwrap());
        state(&sim)
    });
    let change = found.iter().zip(&full).fold(0.0f64, |c, (a, b)| c.max((a - b).abs()));
    assert!(change > 1e-5);
    assert_close("linear analysis", &linear, &full, 1e-2 * change);
}

/// An added mass between a body that is moved and one that is free: (m + a) x'' = -b s'', so that x
/// answers to s alone. Steps that look beyond their end (wilson) see the imposed acceleration go on
/// there.
#[test]
fn an_imposed_acceleration_acts_at_the_order_of_every_scheme() {
    let (mass, own, cross) = (1.0, 0.7, 0.5);
    let s = |t: f64| [0.3 * (2.0 * t).sin(), 0.6 * (2.0 * t).cos(), -1.2 * (2.0 * t).sin()];
    for (scheme, order) in [
        ("wilson1", 2.0),
        ("wilson5", 2.0),
        ("aca5", 2.0),
        ("midpoint10", 2.0),
        ("generalized-alpha", 2.0),
        ("rk2", 2.0),
    ] {
        let table = [0.05, 0.025, 0.0125].map(|h: f64| {
            let mut sim = Simulation::new();
            sim.settings().set_scheme(scheme).unwrap();
            let [moved, free] = [0.0, 1.0].map(|x| {
                let inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
                sim.build().add_rigid_body(mass, &[0.0; 3], &inertia, &pose([x, 0.0, 0.0], UNROTATED)).unwrap()
            });
            sim.build().set_body_prescribed(moved, true).unwrap();
            let load = move |m: &CoupledMotion, out: &mut CoupledLoad| {
                out.wrenches[1][0] = -cross * m.accelerations[0][0] - own * m.accelerations[1][0];
                (out.mass[6], out.mass[6 + 12 * 6]) = (cross, own);
                Ok(())
            };
            sim.inputs().set_coupled_load_callback(&[moved, free], Some(Arc::new(load))).unwrap();
            let give = |sim: &mut Simulation, t: f64| {
                let [x, v, a] = s(t);
                let along = |x: f64| join([x, 0.0, 0.0], [0.0; 3]);
                sim.inputs().set_body_motion(moved, &pose([x, 0.0, 0.0], UNROTATED), &along(v), &along(a)).unwrap();
            };
            give(&mut sim, 0.0);
            sim.initialize(0.0).unwrap();
            let mut worst: f64 = 0.0;
            for n in 1..=(2.0 / h).round() as usize {
                let t = h * n as f64;
                give(&mut sim, t);
                sim.step(h).unwrap();
                let exact = 1.0 - cross / (mass + own) * (s(t)[0] - t * s(0.0)[1]);
                worst = worst.max((sim.outputs().body_pose(free).unwrap()[0] - exact).abs());
            }
            (h, worst)
        });
        assert_order(scheme, &table, order, 0.1);
    }
}
