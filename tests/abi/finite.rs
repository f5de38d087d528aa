//! For any arguments, calls that succeed return finite numbers, and no call panics or fails to
//! return.

use pintle::capi::library::pintle_suggest_time_step;
use pintle::spatial::convert;
use pintle::{EntityKind, Error, Frame, GROUND, JointKind, Simulation};

const POSE: [f64; 7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

/// Numbers of the host: mostly sensible ones, some of any size a double can have.
struct Hostile {
    seed: u64,
    /// How many of a hundred numbers are of any size.
    wild: u64,
}

impl Hostile {
    fn next(&mut self) -> u64 {
        self.seed = self.seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.seed >> 33
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn unit(&mut self) -> f64 {
        self.next() as f64 / (1u64 << 31) as f64
    }

    fn number(&mut self) -> f64 {
        let sensible = 4.0 * self.unit() - 2.0;
        if self.next() % 100 >= self.wild {
            return sensible;
        }
        sensible * [1e-308, 1e-200, 1e-160, 1e-80, 1e-20, 1e20, 1e80, 1e154, 1e200, 5e307, 0.0][self.below(11)]
    }

    fn positive(&mut self) -> f64 {
        self.number().abs()
    }

    fn numbers<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.number())
    }

    /// A symmetric positive semi-definite matrix.
    fn diagonal(&mut self) -> [f64; 36] {
        let d: [f64; 6] = std::array::from_fn(|_| self.positive());
        std::array::from_fn(|k| if k % 7 == 0 { d[k / 7] } else { 0.0 })
    }

    fn pose(&mut self) -> [f64; 7] {
        let q = convert::quat_from_rotvec(&[self.unit(), self.unit(), self.unit()]).expect("a rotation");
        [self.number(), self.number(), self.number(), q[0], q[1], q[2], q[3]]
    }
}

/// Errors are allowed; returned numbers must be finite.
fn check<T: AsRef<[f64]>>(what: &str, seed: u64, found: Result<T, Error>) {
    if let Ok(numbers) = found {
        let numbers = numbers.as_ref();
        assert!(numbers.iter().all(|x| x.is_finite()), "seed {seed}: {what} gives {numbers:?}");
    }
}

/// Reads everything that can be read.
fn read_all(sim: &Simulation, seed: u64, wild: &mut Hostile) {
    check("time", seed, sim.time().map(|t| [t]));
    for body in 0..sim.description().count(EntityKind::Body) {
        check("pose", seed, sim.outputs().body_pose(body));
        check("displacement", seed, sim.outputs().body_displacement(body));
        for frame in [Frame::Inertial, Frame::Body] {
            check("velocity", seed, sim.outputs().body_velocity(body, frame));
            check("acceleration", seed, sim.outputs().body_acceleration(body, frame));
            check("body reaction", seed, sim.outputs().body_reaction(body, frame));
        }
    }
    let bodies = sim.description().count(EntityKind::Body) as usize;
    let mut six = vec![[0.0; 6]; bodies];
    let mut seven = vec![[0.0; 7]; bodies];
    check("poses", seed, sim.outputs().body_poses(&mut seven).map(|()| seven.as_flattened()));
    check("velocities", seed, sim.outputs().body_velocities(&mut six).map(|()| six.as_flattened()));
    let mut six = vec![[0.0; 6]; bodies];
    check("body accelerations", seed, sim.outputs().body_accelerations(&mut six).map(|()| six.as_flattened()));
    for marker in 0..sim.description().count(EntityKind::Marker) {
        check("marker pose", seed, sim.outputs().marker_pose(marker));
        for frame in [Frame::Inertial, Frame::Body] {
            check("marker velocity", seed, sim.outputs().marker_velocity(marker, frame));
            check("marker acceleration", seed, sim.outputs().marker_acceleration(marker, frame));
        }
    }
    let count = sim.description().count(EntityKind::Marker) as usize;
    let mut six = vec![[0.0; 6]; count];
    let mut seven = vec![[0.0; 7]; count];
    check("marker poses", seed, sim.outputs().marker_poses(&mut seven).map(|()| seven.as_flattened()));
    check("marker velocities", seed, sim.outputs().marker_velocities(&mut six).map(|()| six.as_flattened()));
    let mut six = vec![[0.0; 6]; count];
    check("marker accelerations", seed, sim.outputs().marker_accelerations(&mut six).map(|()| six.as_flattened()));
    for joint in 0..sim.description().count(EntityKind::Joint) {
        check("coordinate", seed, sim.outputs().joint_coordinate(joint));
        check("slide", seed, sim.outputs().joint_slide(joint));
        for frame in [Frame::Inertial, Frame::Body] {
            check("reaction", seed, sim.outputs().joint_reaction(joint, frame));
            check("reaction on a", seed, sim.outputs().joint_reaction_on_a(joint, frame));
        }
    }
    for spring in 0..sim.description().count(EntityKind::Spring) {
        check("spring", seed, sim.outputs().spring_force(spring).map(|(l, t)| [l, t]));
    }
    check("violation", seed, sim.outputs().constraint_violation().map(|(x, v)| [x, v]));
    check("energy", seed, sim.outputs().energy().map(|(k, p)| [k, p]));
    check("momentum", seed, sim.outputs().momentum(&wild.numbers()));
    for key in pintle::simulation::STATISTIC_KEYS {
        match sim.outputs().statistic(key) {
            // no limit is a limit, too
            Ok(value) if key == "stable_step" => assert!(!value.is_nan() && value >= 0.0, "seed {seed}: {key} {value}"),
            found => check(key, seed, found.map(|value| [value])),
        }
    }
}

/// The analyses of the present state.
fn analyse(sim: &mut Simulation, seed: u64, wild: &mut Hostile) {
    check("mass matrix", seed, sim.analysis().mass_matrix());
    check("jacobian", seed, sim.analysis().constraint_jacobian());
    let markers: Vec<i32> = (0..sim.description().count(EntityKind::Marker)).collect();
    if let Ok(linear) = sim.analysis().linearize(&[0], &markers, &markers) {
        for (what, matrix) in [("a", linear.a), ("b", linear.b), ("c", linear.c), ("d", linear.d)] {
            check(what, seed, Ok(matrix));
        }
    }
    if let Ok((modes, motion)) = sim.analysis().modes() {
        check("motion", seed, Ok(motion));
        for mode in modes {
            check("mode", seed, Ok([mode.frequency, mode.damping_ratio]));
            check("shape", seed, Ok(mode.shape.as_flattened()));
        }
    }
    if let Ok(found) = sim.analysis().load_compliance(&markers, wild.positive()) {
        found.into_iter().for_each(|matrix| check("compliance", seed, Ok(matrix)));
    }
    let n = sim.description().count(EntityKind::Body) as usize;
    let poses: Vec<[f64; 7]> = (0..n).map(|_| wild.pose()).collect();
    let velocities: Vec<[f64; 6]> = (0..n).map(|_| wild.numbers()).collect();
    check("accelerations", seed, sim.analysis().eval_accelerations(&poses, &velocities).map(|a| a.concat()));
    if wild.below(4) == 0 {
        let _ = sim.inputs().set_coordinates(&poses, &velocities);
    }
    if wild.below(4) == 0 {
        let _ = sim.solve_equilibrium(20, 1e-6);
    }
}

const KINDS: [JointKind; 10] = [
    JointKind::Fixed,
    JointKind::Spherical,
    JointKind::Revolute,
    JointKind::Prismatic,
    JointKind::Cylindrical,
    JointKind::Universal,
    JointKind::Planar,
    JointKind::Distance,
    JointKind::PointOnLine,
    JointKind::PointOnPlane,
];

fn model(wild: &mut Hostile) -> Simulation {
    let mut sim = Simulation::new();
    let _ = sim.settings().set_gravity(&wild.numbers());
    let bodies = 1 + wild.below(3) as i32;
    for _ in 0..bodies {
        let (mass, j, com, pose) = (wild.positive(), wild.positive(), wild.numbers(), wild.pose());
        let sensible = sim.build().add_rigid_body(mass, &com, &[j, j, j, 0.0, 0.0, 0.0], &pose);
        if sensible.is_err() {
            sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &POSE).expect("a body");
        }
    }
    for body in 0..bodies {
        let _ = sim.build().set_body_velocity(body, &wild.numbers());
        let _ = sim.build().set_body_acceleration(body, &wild.numbers());
        let _ = sim.build().set_body_prescribed(body, wild.below(5) == 0);
        let _ = sim.build().add_marker(body, &wild.pose());
        if wild.below(3) == 0 {
            let _ = sim.settings().set_added_mass(body, &wild.diagonal(), Frame::Body);
            let _ = sim.settings().set_linear_damping(body, &wild.numbers(), Frame::Inertial);
            let _ = sim.settings().set_quadratic_drag(body, &wild.numbers(), Frame::Body);
        }
        let other = if body == 0 { GROUND } else { body - 1 };
        let numbers: [f64; 3] = std::array::from_fn(|_| wild.positive());
        match wild.below(6) {
            0 => drop(sim.elements().add_spring(
                other,
                &wild.numbers(),
                body,
                &wild.numbers(),
                numbers[0],
                numbers[1],
                numbers[2],
                false,
            )),
            1 => drop(sim.elements().add_bushing(
                other,
                body,
                &wild.pose(),
                &wild.pose(),
                &wild.diagonal(),
                &wild.numbers(),
            )),
            2 | 3 => {
                let kind = KINDS[wild.below(KINDS.len())];
                let axis = wild.numbers();
                let point = wild.numbers();
                if let Ok(joint) =
                    sim.build().add_joint_at(kind, other, body, &point, (wild.below(2) == 0).then_some(&axis))
                {
                    let _ = sim.build().set_joint_driven(joint, wild.below(2) == 0);
                    let _ = sim.build().set_joint_spring(joint, numbers[0], numbers[1], wild.number());
                    let _ = sim.inputs().set_joint_motion(joint, wild.number(), wild.number(), wild.number());
                }
            }
            _ => {}
        }
    }
    sim
}

fn give_inputs(sim: &mut Simulation, wild: &mut Hostile) {
    for body in 0..sim.description().count(EntityKind::Body) {
        let _ = sim.inputs().set_body_load(body, Frame::Body, &wild.numbers());
        let _ = sim.inputs().set_body_motion(body, &wild.pose(), &wild.numbers(), &wild.numbers());
    }
    for marker in 0..sim.description().count(EntityKind::Marker) {
        let _ = sim.inputs().set_marker_load(marker, Frame::Inertial, &wild.numbers());
    }
    for joint in 0..sim.description().count(EntityKind::Joint) {
        let _ = sim.inputs().set_joint_load(joint, wild.number());
        let _ = sim.inputs().set_joint_motion(joint, wild.number(), wild.number(), wild.number());
    }
}

const SCHEMES: [&str; 15] = [
    "generalized-alpha",
    "momentum-alpha",
    "newmark",
    "hht",
    "euler",
    "heun",
    "rk4",
    "ab3",
    "lab2",
    "lab4",
    "beuler2",
    "midpoint3",
    "anderson4",
    "aca3",
    "wilson2",
];

#[test]
fn calls_that_succeed_give_finite_numbers() {
    let (mut initialized, mut stepped) = (0, 0);
    for seed in 0..4000 {
        let mut wild = Hostile { seed: seed * 7919 + 1, wild: [0, 3, 10, 40][(seed % 4) as usize] };
        (0..4).for_each(|_| _ = wild.next());
        let mut sim = model(&mut wild);
        let _ = sim.settings().set_scheme(SCHEMES[wild.below(SCHEMES.len())]);
        let _ = sim.settings().set_option("assemble", 1.0);
        let _ = sim.settings().set_option("input_order", wild.below(2) as f64);
        let _ = sim.settings().set_option("on_no_convergence", wild.below(3) as f64);
        // explicit schemes cut the step by themselves; a thousand parts are enough here
        let _ = sim.settings().set_option("max_time_step", 1.0);
        if sim.initialize(wild.number()).is_err() {
            continue;
        }
        initialized += 1;
        read_all(&sim, seed, &mut wild);
        for _ in 0..4 {
            give_inputs(&mut sim, &mut wild);
            let dt = wild.positive();
            if dt <= 1000.0 && sim.advance(dt).is_ok() {
                stepped += 1;
                read_all(&sim, seed, &mut wild);
                sim.accept().expect("a trial is pending");
            }
            read_all(&sim, seed, &mut wild);
            analyse(&mut sim, seed, &mut wild);
        }
    }
    println!("{initialized} models, {stepped} steps");
    assert!(initialized > 1000 && stepped > 3000, "too few cases are left: {initialized} models, {stepped} steps");
}

#[test]
fn a_step_whose_end_is_no_number_fails_and_leaves_the_state() {
    // h^2 is zero
    let mut sim = Simulation::new();
    sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &POSE).unwrap();
    sim.build().set_body_prescribed(0, true).unwrap();
    sim.initialize(0.0).unwrap();
    let before = sim.save().unwrap().to_bytes();
    match sim.step(1e-160) {
        Ok(()) => read_all(&sim, 0, &mut Hostile { seed: 1, wild: 0 }),
        Err(error) => {
            assert!(matches!(error, Error::Unstable { .. }), "{error:?}");
            assert!(sim.save().unwrap().to_bytes() == before);
        }
    }
    // a force that no double can hold as an acceleration
    let mut sim = Simulation::new();
    sim.build().add_rigid_body(1e-200, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &POSE).unwrap();
    sim.initialize(0.0).unwrap();
    let before = sim.outputs().body_pose(0).unwrap();
    for scheme in SCHEMES {
        sim.settings().set_scheme(scheme).unwrap();
        sim.inputs().set_body_load(0, Frame::Inertial, &[1e200, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
        let error = sim.step(0.1).expect_err(scheme);
        assert!(
            matches!(error, Error::Unstable { .. } | Error::Singular { .. } | Error::NoConvergence { .. }),
            "{error:?}"
        );
        assert!(!error.to_string().contains("without mass"), "{scheme}: {error}");
    }
    sim.inputs().clear_loads().unwrap();
    sim.settings().set_scheme("generalized-alpha").unwrap();
    assert_eq!((sim.time(), sim.outputs().body_pose(0)), (Ok(0.0), Ok(before)));
}

#[test]
fn results_that_no_double_holds_are_refused() {
    let mut sim = Simulation::new();
    sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &POSE).unwrap();
    sim.build().set_body_velocity(0, &[1e200, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap();
    sim.initialize(0.0).unwrap();
    assert!(matches!(sim.outputs().energy(), Err(Error::Overflow { .. })), "{:?}", sim.outputs().energy());
    assert_eq!(sim.outputs().momentum(&[0.0; 3]).unwrap()[0], 1e200);
    assert!(matches!(sim.outputs().momentum(&[0.0, 1e200, 0.0]), Err(Error::Overflow { .. })));
    // the end of time
    assert!(matches!(sim.step(f64::MAX), Err(Error::Unstable { .. } | Error::BadValue { .. })));
}

#[test]
fn setters_refuse_what_overflows_when_it_is_turned_or_moved() {
    let argument = |outcome: Result<(), Error>| match outcome {
        Err(Error::BadValue { argument, detail }) if detail.contains("overflows") => argument,
        other => panic!("{other:?}"),
    };
    let (mut sim, far) = (Simulation::new(), 1.7e308);
    let q = convert::quat_from_rotvec(&[0.0, 0.0, 0.8]).unwrap();
    let at = |x: f64| [x, 0.0, 0.0, q[0], q[1], q[2], q[3]];
    let inertia = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0];
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &at(0.0)).unwrap();
    let before = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    sim.build().set_body_velocity(body, &before).unwrap();
    for fast in [[far, far, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, far, -far, 0.0]] {
        let outcome = sim.build().set_body_velocity_in(body, Frame::Body, &fast);
        assert_eq!(argument(outcome), "velocity");
        assert_eq!(sim.outputs().body_velocity(body, Frame::Inertial).unwrap(), before);
    }
    let joint = sim.build().add_joint(JointKind::Distance, GROUND, body, &at(1e200), &POSE);
    assert_eq!(argument(joint.map(drop)), "frame_b");

    // In a run positions are measured from the model.
    let mut sim = Simulation::new();
    let body = sim.build().add_rigid_body(1.0, &[0.0; 3], &inertia, &at(-1e308)).unwrap();
    sim.build().set_body_prescribed(body, true).unwrap();
    let point = sim.build().add_point(1.0, 0.0, &[-1e308, 0.0, 0.0]).unwrap();
    sim.build().set_point_prescribed(point, true).unwrap();
    sim.initialize(0.0).unwrap();
    let (motion, of_point) = (sim.given().body_motion(body).unwrap(), sim.given().point_motion(point).unwrap());
    assert_eq!(argument(sim.inputs().set_body_motion(body, &at(far), &[0.0; 6], &[0.0; 6])), "pose");
    assert_eq!(argument(sim.inputs().set_point_motion(point, &[far, 0.0, 0.0], &[0.0; 3], &[0.0; 3])), "position");
    assert_eq!(sim.given().body_motion(body).unwrap(), motion);
    assert_eq!(sim.given().point_motion(point).unwrap(), of_point);
}

#[test]
fn large_angles_and_radii_have_their_answers() {
    let q = convert::quat_from_rotvec(&[0.0, 1e200, 0.0]).unwrap();
    assert!((q[0] - (0.5e200f64).cos()).abs() < 1e-15 && (q[2] - (0.5e200f64).sin()).abs() < 1e-15, "{q:?}");
    let mut dt = 0.0;
    assert_eq!(unsafe { pintle_suggest_time_step(1e308, &mut dt) }, 0);
    // 2 pi/(6 x 11.4) x 2/360 = 5.1e-4 per metre
    assert!((dt / 5e304 - 1.0).abs() < 1e-12, "{dt}");
    assert!(convert::quat_from_dcm(&[1e200; 9]).is_err());
    assert!(matches!(
        convert::retract(&[[1.7e308, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]], &[[1e308; 6]]),
        Err(Error::Overflow { .. })
    ));
}

#[test]
fn a_joint_without_any_constraint_of_its_own_carries_nothing() {
    // between a prescribed body and the ground: all six constraints follow from the imposed motion
    for kind in [JointKind::Fixed, JointKind::Revolute, JointKind::Spherical] {
        let mut sim = Simulation::new();
        sim.build().add_rigid_body(2.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &POSE).unwrap();
        sim.build().set_body_prescribed(0, true).unwrap();
        sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
        let axis = (kind == JointKind::Revolute).then_some(&[0.0, 0.0, 1.0]);
        let joint = sim.build().add_joint_at(kind, GROUND, 0, &[0.0; 3], axis).unwrap();
        sim.initialize(0.0).unwrap();
        for frame in [Frame::Inertial, Frame::Body] {
            assert_eq!(sim.outputs().joint_reaction(joint, frame), Ok([0.0; 6]), "{kind:?}");
            assert_eq!(sim.outputs().joint_reaction_on_a(joint, frame), Ok([0.0; 6]), "{kind:?}");
        }
        // the reaction to the imposed motion carries the weight
        assert!((sim.outputs().body_reaction(0, Frame::Inertial).unwrap()[2] - 2.0 * 9.81).abs() < 1e-12);
    }
}

#[test]
fn modes_of_enormous_and_tiny_numbers_end() {
    for (mass, stiffness) in
        [(1.0, 1e200), (1e-200, 1.0), (1e-200, 1e200), (1e200, 1e-200), (1.0, 1e300), (1e300, 1e300)]
    {
        let mut sim = Simulation::new();
        sim.build().add_rigid_body(mass, &[0.0; 3], &[mass, mass, mass, 0.0, 0.0, 0.0], &POSE).unwrap();
        let k: [f64; 36] = std::array::from_fn(|i| if i % 7 == 0 { stiffness } else { 0.0 });
        sim.elements().add_bushing(GROUND, 0, &POSE, &POSE, &k, &[0.0; 36]).unwrap();
        if sim.initialize(0.0).is_err() {
            continue;
        }
        let exact = (stiffness / mass).sqrt() / std::f64::consts::TAU;
        match sim.analysis().modes() {
            Ok((modes, _)) => {
                assert_eq!(modes.len(), 6, "{mass} {stiffness}");
                for mode in modes {
                    assert!(
                        (mode.frequency - exact).abs() <= 1e-13 * exact,
                        "{mass} {stiffness}: {} {exact}",
                        mode.frequency
                    );
                }
            }
            Err(error) => assert!(!(stiffness / mass).is_finite(), "{mass} {stiffness}: {error}"),
        }
    }
}

#[test]
fn stable_step_ends_where_a_root_grows() {
    // two bodies, a spring, and a bushing with negative damping
    for scheme in
        ["euler", "heun", "rk2", "rk3", "rk4", "ab2", "ab3", "ab4", "ab5", "leuler", "lab2", "lab3", "lab4", "lab5"]
    {
        for damping in [-0.5, -5.0, -500.0] {
            let mut sim = Simulation::new();
            for x in [0.0, 1.0] {
                let pose = [x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
                sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose).unwrap();
            }
            sim.elements().add_spring(0, &[0.0; 3], 1, &[0.0; 3], 100.0, 0.0, 1.0, false).unwrap();
            let c: [f64; 36] = std::array::from_fn(|i| if i % 7 == 0 { damping } else { 0.0 });
            sim.elements().add_bushing(0, 1, &POSE, &POSE, &[0.0; 36], &c).unwrap();
            sim.settings().set_scheme(scheme).unwrap();
            sim.initialize(0.0).unwrap();
            let step = sim.outputs().statistic("stable_step").unwrap();
            assert!(step > 0.0 && step.is_finite(), "{scheme} {damping}: {step}");
            // and one is taken
            sim.step(0.01).unwrap_or_else(|error| panic!("{scheme} {damping}: {error}"));
        }
    }
}

#[test]
fn divergence_is_told_as_what_it_is() {
    // two bodies in a chain on revolute joints with negative damping, and a step too long for the
    // explicit schemes
    let mut failed = 0;
    for scheme in SCHEMES {
        for (damping, dt) in [(-2.0, 0.05), (-50.0, 0.2), (-1e4, 0.5)] {
            let mut sim = Simulation::new();
            sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
            for x in [0.5, 1.5] {
                let pose = [x, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
                sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.1, 0.1, 0.1, 0.0, 0.0, 0.0], &pose).unwrap();
            }
            for (other, body) in [(GROUND, 0), (0, 1)] {
                let axis = [0.0, 1.0, 0.0];
                sim.build()
                    .add_joint_at(JointKind::Revolute, other, body, &[f64::from(body), 0.0, 0.0], Some(&axis))
                    .unwrap();
                let c: [f64; 36] = std::array::from_fn(|i| if i % 7 == 0 { damping } else { 0.0 });
                sim.elements().add_bushing(other, body, &POSE, &POSE, &[0.0; 36], &c).unwrap();
            }
            sim.settings().set_scheme(scheme).unwrap();
            sim.settings().set_option("max_time_step", dt).unwrap();
            sim.initialize(0.0).unwrap();
            let Some(error) = (0..3000).find_map(|_| sim.step(dt).err()) else { continue };
            failed += 1;
            let text = error.to_string();
            assert!(!text.contains("without mass"), "{scheme} {damping}: {text}");
            assert!(!text.contains(&"0".repeat(20)), "{scheme} {damping}: {text}");
            read_all(&sim, 0, &mut Hostile { seed: 1, wild: 0 });
        }
    }
    assert!(failed > 20, "only {failed} runs diverged");
}
