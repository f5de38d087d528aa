//! Times of calls on models of N and of 4 N bodies: what grows faster than the model. `cargo bench --bench growth`

#[path = "../tests/growth/models.rs"]
mod models;

use models::{NAMES, build};
use pintle::{EntityKind, Frame, Id, Simulation};
use std::time::Instant;

/// The shortest of some runs, in microseconds; each on a simulation of its own.
fn shortest(prepare: &dyn Fn() -> Simulation, act: &dyn Fn(&mut Simulation)) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..5 {
        let mut sim = prepare();
        let start = Instant::now();
        act(&mut sim);
        least = least.min(start.elapsed().as_secs_f64() * 1e6);
    }
    least
}

fn ready(name: &str, bodies: usize, stiff: bool, scheme: &str, linear: f64, steps: u32) -> Simulation {
    let mut sim = build(name, bodies, stiff);
    sim.set_scheme(scheme).unwrap();
    sim.set_option("linear", linear).unwrap();
    sim.initialize(0.0).unwrap();
    (0..steps).for_each(|_| sim.step(1e-4).unwrap());
    sim
}

type Call = (&'static str, bool, &'static str, f64, u32, fn(&mut Simulation));

const CALLS: [Call; 20] = [
    ("first step", false, "generalized-alpha", 0.0, 0, |sim| sim.step(1e-4).unwrap()),
    ("step", false, "generalized-alpha", 0.0, 2, |sim| sim.step(1e-4).unwrap()),
    ("first step, linear", true, "generalized-alpha", 1.0, 0, |sim| sim.step(1e-4).unwrap()),
    ("step, linear", true, "generalized-alpha", 1.0, 2, |sim| sim.step(1e-4).unwrap()),
    ("first step, rk4", false, "rk4", 0.0, 0, |sim| sim.step(1e-4).unwrap()),
    ("first step, rk4, stiff", true, "rk4", 0.0, 0, |sim| sim.step(1e-4).unwrap()),
    ("step, rk4, stiff", true, "rk4", 0.0, 2, |sim| sim.step(1e-4).unwrap()),
    ("first step, lab2, stiff", true, "lab2", 0.0, 0, |sim| sim.step(1e-4).unwrap()),
    ("step, lab2, stiff", true, "lab2", 0.0, 2, |sim| sim.step(1e-4).unwrap()),
    ("one reaction", false, "generalized-alpha", 0.0, 1, |sim| _ = sim.joint_reaction(0, Frame::Inertial).unwrap()),
    ("all reactions", false, "generalized-alpha", 0.0, 1, |sim| {
        (0..sim.count(EntityKind::Joint)).for_each(|joint| _ = sim.joint_reaction(joint, Frame::Inertial).unwrap())
    }),
    ("energy", false, "generalized-alpha", 0.0, 1, |sim| _ = sim.energy().unwrap()),
    ("violation", false, "generalized-alpha", 0.0, 1, |sim| _ = sim.constraint_violation().unwrap()),
    ("redundant constraints", false, "generalized-alpha", 0.0, 1, |sim| _ = sim.redundant_constraints().unwrap()),
    ("save", false, "generalized-alpha", 0.0, 1, |sim| drop(sim.save().unwrap())),
    ("clone", false, "generalized-alpha", 0.0, 1, |sim| drop(sim.clone())),
    ("compliance", true, "generalized-alpha", 0.0, 1, |sim| _ = sim.load_compliance(&[0], 1e-4).unwrap()),
    ("evaluate accelerations", false, "rk4", 0.0, 1, |sim| {
        let n = sim.count(EntityKind::Body) as usize;
        let (mut poses, mut velocities) = (vec![[0.0; 7]; n], vec![[0.0; 6]; n]);
        sim.body_poses(&mut poses).unwrap();
        sim.body_velocities(&mut velocities).unwrap();
        sim.eval_accelerations(&poses, &velocities).unwrap();
    }),
    ("set coordinates", false, "rk4", 0.0, 1, |sim| {
        let n = sim.count(EntityKind::Body) as usize;
        let (mut poses, mut velocities) = (vec![[0.0; 7]; n], vec![[0.0; 6]; n]);
        sim.body_poses(&mut poses).unwrap();
        sim.body_velocities(&mut velocities).unwrap();
        sim.set_coordinates(&poses, &velocities).unwrap();
    }),
    ("equilibrium, one step", true, "generalized-alpha", 0.0, 0, |sim| _ = sim.solve_equilibrium(1, 1e-3)),
];

fn row(what: &str, name: &str, times: [f64; 2]) {
    println!("{what:26} {name:14} {:12.1} {:12.1} {:7.1}", times[0], times[1], times[1] / times[0]);
}

fn main() {
    let sizes = [75, 300];
    println!(
        "{:26} {:14} {:>12} {:>12} {:>7}   (us at {} and {} bodies)",
        "call", "model", "N", "4 N", "ratio", sizes[0], sizes[1]
    );
    for name in NAMES {
        row("build", name, sizes.map(|n| shortest(&Simulation::new, &|sim| *sim = build(name, n, false))));
        row(
            "initialize",
            name,
            sizes.map(|n| shortest(&|| build(name, n, false), &|sim| sim.initialize(0.0).unwrap())),
        );
        for (what, stiff, scheme, linear, steps, act) in CALLS {
            let prepare = |n: usize| move || ready(name, n, stiff, scheme, linear, steps);
            row(what, name, sizes.map(|n| shortest(&prepare(n), &act)));
        }
        let naming = |sim: &mut Simulation| {
            for k in 0..sim.count(EntityKind::Body) {
                sim.set_name(EntityKind::Body, k, &format!("body number {k}")).unwrap();
            }
            for k in 0..sim.count(EntityKind::Body) {
                assert_eq!(sim.find(EntityKind::Body, &format!("body number {k}")).unwrap(), k as Id);
            }
        };
        row("all names", name, sizes.map(|n| shortest(&|| build(name, n, false), &naming)));
    }
    for n in [15, 60] {
        let sim = ready("tree", n, false, "generalized-alpha", 0.0, 1);
        let start = Instant::now();
        sim.state_name(0).unwrap();
        let first = start.elapsed().as_secs_f64() * 1e6;
        let start = Instant::now();
        (0..2 * n as i32).for_each(|state| drop(sim.state_name(state).unwrap()));
        println!("state names, tree of {n}: first {first:.1} us, all {:.1} us", start.elapsed().as_secs_f64() * 1e6);
    }
}
