//! Times of calls on models of N and of 4 N bodies, to find calls whose time grows faster than the
//! model. `cargo bench --bench growth`

#[path = "../tests/common/models/structures.rs"]
mod models;

use models::{NAMES, build};
use pintle::{EntityKind, Frame, Id, Simulation};
use std::time::Instant;

/// The shortest of several runs, in microseconds; each on a new simulation.
fn shortest(prepare: &dyn Fn() -> Simulation, act: &dyn Fn(&mut Simulation)) -> f64 {
    let mut least = f64::INFINITY;
    // As many runs as fit into half a second, because other programs on the machine disturb the
    // shortest one least.
    let begin = Instant::now();
    for run in 0..60 {
        if run > 4 && begin.elapsed().as_secs_f64() > 0.5 {
            break;
        }
        let mut sim = prepare();
        let start = Instant::now();
        act(&mut sim);
        least = least.min(start.elapsed().as_secs_f64() * 1e6);
    }
    least
}

fn ready(name: &str, bodies: usize, stiff: bool, scheme: &str, linear: f64, steps: u32) -> Simulation {
    let mut sim = build(name, bodies, stiff);
    sim.settings().set_scheme(scheme).unwrap();
    sim.settings().set_option("linear", linear).unwrap();
    sim.initialize(0.0).unwrap();
    (0..steps).for_each(|_| sim.step(1e-4).unwrap());
    sim
}

type Call = (&'static str, bool, &'static str, f64, u32, fn(&mut Simulation));

const CALLS: [Call; 28] = [
    ("first step", false, "generalized-alpha", 0.0, 0, |sim| sim.step(1e-4).unwrap()),
    ("step", false, "generalized-alpha", 0.0, 2, |sim| sim.step(1e-4).unwrap()),
    ("first step, linear", true, "generalized-alpha", 1.0, 0, |sim| sim.step(1e-4).unwrap()),
    ("step, linear", true, "generalized-alpha", 1.0, 2, |sim| sim.step(1e-4).unwrap()),
    ("first step, rk4", false, "rk4", 0.0, 0, |sim| sim.step(1e-4).unwrap()),
    ("step, rk4", false, "rk4", 0.0, 2, |sim| sim.step(1e-4).unwrap()),
    ("step, newmark", false, "newmark", 0.0, 2, |sim| sim.step(1e-4).unwrap()),
    ("first step, rk4, stiff", true, "rk4", 0.0, 0, |sim| sim.step(1e-4).unwrap()),
    ("step, rk4, stiff", true, "rk4", 0.0, 2, |sim| sim.step(1e-4).unwrap()),
    ("first step, lab2, stiff", true, "lab2", 0.0, 0, |sim| sim.step(1e-4).unwrap()),
    ("step, lab2, stiff", true, "lab2", 0.0, 2, |sim| sim.step(1e-4).unwrap()),
    ("one reaction", false, "generalized-alpha", 0.0, 1, |sim| {
        _ = sim.outputs().joint_reaction(0, Frame::Inertial).unwrap()
    }),
    ("all reactions", false, "generalized-alpha", 0.0, 1, |sim| {
        (0..sim.description().count(EntityKind::Joint))
            .for_each(|joint| _ = sim.outputs().joint_reaction(joint, Frame::Inertial).unwrap())
    }),
    ("energy", false, "generalized-alpha", 0.0, 1, |sim| _ = sim.outputs().energy().unwrap()),
    ("violation", false, "generalized-alpha", 0.0, 1, |sim| _ = sim.outputs().constraint_violation().unwrap()),
    ("redundant constraints", false, "generalized-alpha", 0.0, 1, |sim| {
        _ = sim.analysis().redundant_constraints().unwrap()
    }),
    ("save", false, "generalized-alpha", 0.0, 1, |sim| drop(sim.save().unwrap())),
    ("restore", false, "generalized-alpha", 0.0, 1, |sim| sim.restore(&sim.save().unwrap()).unwrap()),
    ("serialize, deserialize", false, "generalized-alpha", 0.0, 1, |sim| {
        drop(sim.deserialize(&sim.save().unwrap().to_bytes()).unwrap());
    }),
    ("checkpoint", false, "generalized-alpha", 0.0, 1, |sim| {
        let path = std::env::temp_dir().join(format!("pintle growth {}.checkpoint", std::process::id()));
        sim.write_checkpoint(&path).unwrap();
        sim.read_checkpoint(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
    }),
    ("model file", false, "generalized-alpha", 0.0, 1, |sim| {
        let path = std::env::temp_dir().join(format!("pintle growth {}.toml", std::process::id()));
        sim.save_model(&path).unwrap();
        drop(Simulation::load_model(&path).unwrap());
        std::fs::remove_file(&path).unwrap();
    }),
    ("stable_step, stiff", true, "rk4", 0.0, 0, |sim| _ = sim.outputs().statistic("stable_step").unwrap()),
    ("clone", false, "generalized-alpha", 0.0, 1, |sim| drop(sim.clone())),
    ("compliance", true, "generalized-alpha", 0.0, 1, |sim| _ = sim.analysis().load_compliance(&[0], 1e-4).unwrap()),
    ("evaluate accelerations", false, "rk4", 0.0, 1, |sim| {
        let n = sim.description().count(EntityKind::Body) as usize;
        let (mut poses, mut velocities) = (vec![[0.0; 7]; n], vec![[0.0; 6]; n]);
        sim.outputs().body_poses(&mut poses).unwrap();
        sim.outputs().body_velocities(&mut velocities).unwrap();
        sim.analysis().eval_accelerations(&poses, &velocities).unwrap();
    }),
    ("set coordinates", false, "rk4", 0.0, 1, |sim| {
        let n = sim.description().count(EntityKind::Body) as usize;
        let (mut poses, mut velocities) = (vec![[0.0; 7]; n], vec![[0.0; 6]; n]);
        sim.outputs().body_poses(&mut poses).unwrap();
        sim.outputs().body_velocities(&mut velocities).unwrap();
        sim.inputs().set_coordinates(&poses, &velocities).unwrap();
    }),
    ("warnings", true, "generalized-alpha", 0.0, 1, |sim| drop(sim.outputs().warning().unwrap())),
    ("equilibrium, one step", true, "generalized-alpha", 0.0, 0, |sim| _ = sim.solve_equilibrium(1, 1e-3)),
];

fn row(what: &str, name: &str, times: [f64; 2]) {
    println!("{what:26} {name:14} {:12.1} {:12.1} {:7.1}", times[0], times[1], times[1] / times[0]);
}

/// Calls that name one entity, whose time should not depend on the size of the model: nanoseconds
/// per call, on 10 and on 10,000 free bodies.
fn single_calls() {
    type Single = (&'static str, fn(&mut Simulation, Id));
    let calls: [Single; 5] = [
        ("count", |sim, _| _ = std::hint::black_box(sim.description().count(EntityKind::Body))),
        ("body pose", |sim, id| _ = std::hint::black_box(sim.outputs().body_pose(id).unwrap())),
        ("set body load", |sim, id| sim.inputs().set_body_load(id, Frame::Inertial, &[1.0; 6]).unwrap()),
        ("find", |sim, id| {
            _ = sim.description().find(EntityKind::Body, if id % 2 == 0 { "body 3" } else { "body 7" }).unwrap()
        }),
        ("statistic", |sim, _| _ = sim.outputs().statistic("mobility").unwrap()),
    ];
    println!("{:26} {:>12} {:>12} {:>7}   (ns on 10 and 10,000 bodies)", "one call", "10", "10,000", "ratio");
    let mut sims = [10, 10_000].map(|n| {
        let mut sim = Simulation::new();
        for k in 0..n {
            let pose = [k as f64, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
            let id = sim.build().add_rigid_body(1.0, &[0.0; 3], &[1.0, 1.0, 1.0, 0.0, 0.0, 0.0], &pose).unwrap();
            sim.build().set_name(EntityKind::Body, id, &format!("body {k}")).unwrap();
        }
        sim.initialize(0.0).unwrap();
        sim
    });
    for (what, call) in calls {
        let times = sims.each_mut().map(|sim| {
            let runs = (0..20).map(|_| {
                let start = Instant::now();
                (0..1000).for_each(|k| call(sim, k % 10));
                start.elapsed().as_secs_f64() * 1e6
            });
            runs.fold(f64::INFINITY, f64::min)
        });
        println!("{what:26} {:12.1} {:12.1} {:7.1}", times[0], times[1], times[1] / times[0]);
    }
}

fn main() {
    single_calls();
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
            for k in 0..sim.description().count(EntityKind::Body) {
                sim.build().set_name(EntityKind::Body, k, &format!("body number {k}")).unwrap();
            }
            for k in 0..sim.description().count(EntityKind::Body) {
                assert_eq!(sim.description().find(EntityKind::Body, &format!("body number {k}")).unwrap(), k as Id);
            }
        };
        row("all names", name, sizes.map(|n| shortest(&|| build(name, n, false), &naming)));
    }
    for n in [15, 60] {
        let sim = ready("tree", n, false, "generalized-alpha", 0.0, 1);
        let start = Instant::now();
        sim.analysis().state_name(0).unwrap();
        let first = start.elapsed().as_secs_f64() * 1e6;
        let start = Instant::now();
        (0..2 * n as i32).for_each(|state| drop(sim.analysis().state_name(state).unwrap()));
        println!("state names, tree of {n}: first {first:.1} us, all {:.1} us", start.elapsed().as_secs_f64() * 1e6);
    }
}
