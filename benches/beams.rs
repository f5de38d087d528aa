//! Time of steps of beams: a cantilevered blade of 10, 100 and 1000 elements that its weight sets
//! in motion, and a rotor of three blades on a driven hub at the top of a tower of beams. `cargo
//! bench --bench beams [-- steps]` prints processor times of generalized-alpha: per step, and per
//! element and iteration, which is constant where time grows in proportion to the elements. Times
//! are those of the fastest of several rounds, because other programs on the machine only add time.
//! With a number of steps, the blade of 10 elements alone makes them: for profilers.

use pintle::{GROUND, Id, JointKind, Simulation};

const ROUNDS: usize = 12;
const STEP: f64 = 0.01;
const X: [f64; 3] = [1.0, 0.0, 0.0];

/// EA, GA2, GA3, GJ, EI2, EI3 in N and N m2, and mass per length with moments of inertia, of a
/// blade of some 60 m and of a tower.
const BLADE: ([f64; 6], [f64; 4]) = ([4e9, 4e8, 4e8, 2e8, 3e9, 4e9], [300.0, 300.0, 150.0, 150.0]);
const TOWER: ([f64; 6], [f64; 4]) = ([1e11, 4e10, 4e10, 3e11, 4e11, 4e11], [4000.0, 3e4, 1.5e4, 1.5e4]);

/// Processor time of this process, s.
fn processor_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a pointer to a timespec of this frame.
    assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) }, 0);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

fn empty() -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    sim
}

/// Adds a beam between two points, its ends parts of bodies that are given.
fn beam(
    sim: &mut Simulation,
    ends: [&[f64; 3]; 2],
    (stiffness, mass): ([f64; 6], [f64; 4]),
    elements: i32,
    attached: &[(i32, Id)],
    mu: f64,
) {
    let beam = sim.elements().add_uniform_beam(ends, &X, &stiffness, &mass, &[mu; 6]).unwrap();
    attached.iter().for_each(|(node, body)| sim.elements().attach_beam(beam, *node, *body).unwrap());
    sim.elements().mesh_beam(beam, elements).unwrap();
}

/// A blade along y, its root on the ground.
fn blade(elements: i32, mu: f64) -> Simulation {
    let mut sim = empty();
    beam(&mut sim, [&[0.0; 3], &[0.0, 60.0, 0.0]], BLADE, elements, &[(0, GROUND)], mu);
    sim
}

/// Three blades on a hub that is driven at the top of a tower; its blades, tower, speed.
fn rotor(elements: i32) -> Simulation {
    const HEIGHT: f64 = 90.0;
    let mut sim = empty();
    let at = |z: f64| [0.0, 0.0, z, 1.0, 0.0, 0.0, 0.0];
    let mut body = |mass: f64| {
        let inertia = [mass, mass, mass, 0.0, 0.0, 0.0];
        sim.build().add_rigid_body(mass, &[0.0; 3], &inertia, &at(HEIGHT)).unwrap()
    };
    let (nacelle, hub) = (body(2.4e5), body(6e4));
    beam(&mut sim, [&[0.0; 3], &[0.0, 0.0, HEIGHT]], TOWER, 10, &[(0, GROUND), (10, nacelle)], 2e-3);
    let centre = [0.0, 0.0, HEIGHT];
    let hinge = sim.build().add_joint_at(JointKind::Revolute, nacelle, hub, &centre, Some(&X)).unwrap();
    sim.build().set_joint_driven(hinge, true).unwrap();
    for k in 0..3 {
        let angle = std::f64::consts::TAU * k as f64 / 3.0;
        let point = |r: f64| [0.0, -r * angle.sin(), HEIGHT + r * angle.cos()];
        beam(&mut sim, [&point(1.5), &point(61.5)], BLADE, elements, &[(0, hub)], 2e-3);
    }
    sim
}

/// A model in motion, and the times of its rounds.
struct Run {
    name: &'static str,
    sim: Simulation,
    elements: usize,
    /// Microseconds per step, iterations per step.
    steps: Vec<f64>,
    iterations: f64,
    time: f64,
}

impl Run {
    fn new(name: &'static str, mut sim: Simulation, elements: usize) -> Run {
        sim.initialize(0.0).unwrap();
        let mut run = Run { name, sim, elements, steps: vec![], iterations: 0.0, time: 0.0 };
        (0..20).for_each(|_| run.step());
        run
    }

    fn step(&mut self) {
        self.time += STEP;
        if self.name.starts_with("rotor") {
            // The first joint is the hub's hinge; the rotor spins up in 10 s.
            let (t, rise) = (self.time, 0.1f64);
            let [q, qd, qdd] = if t < 10.0 { [0.5 * rise * t * t, rise * t, rise] } else { [t - 5.0, 1.0, 0.0] };
            self.sim.inputs().set_joint_motion(0, q, qd, qdd).unwrap();
        }
        self.sim.step(STEP).unwrap();
    }

    fn round(&mut self) {
        let steps = (2000 / self.elements).max(5);
        self.step();
        let before = self.sim.outputs().statistic("iterations").unwrap();
        let begin = processor_time();
        (0..steps).for_each(|_| self.step());
        let time = 1e6 * (processor_time() - begin);
        self.iterations = (self.sim.outputs().statistic("iterations").unwrap() - before) / steps as f64;
        self.steps.push(time / steps as f64);
    }
}

fn main() {
    // Cargo's own arguments start with a dash.
    if let Some(steps) = std::env::args().skip(1).find_map(|argument| argument.parse::<usize>().ok()) {
        let mut run = Run::new("blade", blade(10, 0.0), 10);
        let begin = processor_time();
        (0..steps).for_each(|_| run.step());
        println!("{:.1} us per step", 1e6 * (processor_time() - begin) / steps as f64);
        return;
    }
    let mut runs = [
        Run::new("blade", blade(10, 0.0), 10),
        Run::new("blade", blade(100, 0.0), 100),
        Run::new("blade", blade(1000, 0.0), 1000),
        Run::new("blade, damped", blade(10, 2e-3), 10),
        Run::new("rotor and tower, damped", rotor(10), 40),
    ];
    (0..ROUNDS).for_each(|_| runs.iter_mut().for_each(Run::round));
    println!("{:24} {:>8} {:>12} {:>7} {:>14}", "model", "elements", "us/step", "it/step", "us/element/it");
    for run in &runs {
        let step = run.steps.iter().copied().fold(f64::INFINITY, f64::min);
        let (elements, iterations) = (run.elements, run.iterations);
        let share = step / elements as f64 / iterations;
        println!("{:24} {elements:8} {step:12.1} {iterations:7.2} {share:14.2}", run.name);
    }
}
