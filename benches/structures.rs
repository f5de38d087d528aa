//! How the time of a step grows with the size of structures: chains and trees of up to 10,000
//! bodies, rings of four-bars, a ladder of loops that share bodies, a net, chains closed to a loop.
//! `cargo bench --bench structures [-- word]` prints, for families whose name contains the word,
//! processor times of generalized-alpha at steps of 1 ms: per step, per body and iteration, and the
//! latter over that of the smallest model of the family (1.00: linear). Then it prints each loop
//! beside the open chain of the same bodies. All sizes of a family are measured in turns; times are
//! those of the fastest rounds, because other programs on the machine only add time. The chain of
//! spherical joints is measured in turns with the hand-written loop of `limit.cpp`, if g++ is
//! installed, which shows the growth that is due to the caches of the machine.

#[path = "common/limit.rs"]
mod limit;

use limit::Limit;
use pintle::{GROUND, Id, JointKind, Simulation};

const Y: [f64; 3] = [0.0, 1.0, 0.0];
const STEP: f64 = 1e-3;
const ROUNDS: usize = 15;

/// Builds a model of about the given number of bodies.
type Build = fn(usize) -> Simulation;

const FAMILIES: [(&str, Build, &[usize]); 7] = [
    ("chain, spherical", |n| chain(n, JointKind::Spherical, false), &[10, 100, 1000, 10_000]),
    ("chain, revolute", |n| chain(n, JointKind::Revolute, false), &[10, 100, 1000, 10_000]),
    ("binary tree, spherical", |n| tree(n, JointKind::Spherical), &[15, 127, 1023, 8191]),
    ("binary tree, revolute", |n| tree(n, JointKind::Revolute), &[15, 127, 1023, 8191]),
    ("rings of four-bars", four_bars, &[30, 300, 3000]),
    ("ladder", ladder, &[30, 300, 3000]),
    ("chain-mail", chain_mail, &[64, 289, 1156]),
];

/// Both ends on the ground; without the joint at the end it is the open chain.
const LOOPS: [(&str, JointKind); 2] =
    [("chain, spherical", JointKind::Spherical), ("chain, revolute", JointKind::Revolute)];

/// Processor time of this process, s.
fn processor_time() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: a pointer to a timespec of this frame.
    assert_eq!(unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) }, 0);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn empty() -> Simulation {
    let mut sim = Simulation::new();
    sim.settings().set_gravity(&[0.0, 0.0, -9.81]).unwrap();
    for tolerance in ["abs_tolerance", "rel_tolerance"] {
        sim.settings().set_option(tolerance, 1e-10).unwrap();
    }
    sim
}

/// A bar of 1 kg and the length of the two points' distance, in the plane y = 0.
fn bar(sim: &mut Simulation, [xa, za]: [f64; 2], [xb, zb]: [f64; 2]) -> Id {
    let square = (xb - xa).powi(2) + (zb - za).powi(2);
    let half = 0.5 * (za - zb).atan2(xb - xa);
    let pose = [0.5 * (xa + xb), 0.0, 0.5 * (za + zb), half.cos(), 0.0, half.sin(), 0.0];
    let across = square / 12.0 + 0.0005;
    sim.build().add_rigid_body(1.0, &[0.0; 3], &[0.001, across, across, 0.0, 0.0, 0.0], &pose).unwrap()
}

fn join(sim: &mut Simulation, kind: JointKind, a: Id, b: Id, [x, z]: [f64; 2]) {
    let axis = (kind == JointKind::Revolute).then_some(&Y);
    sim.build().add_joint_at(kind, a, b, &[x, 0.0, z], axis).unwrap();
}

/// Rows of bars side by side, each a chain on spherical joints that hangs from the ground; every
/// fourth bar is also joined to its neighbour in the next row.
fn chain_mail(bodies: usize) -> Simulation {
    let mut sim = empty();
    let side = bodies.isqrt();
    let at = |row: usize, k: usize| [row as f64, -0.5 * k as f64 + 0.01 * row as f64];
    let mut rows = vec![vec![]; side];
    for (row, ids) in rows.iter_mut().enumerate() {
        for k in 0..side {
            let id = bar(&mut sim, at(row, k), at(row, k + 1));
            join(&mut sim, JointKind::Spherical, ids.last().copied().unwrap_or(GROUND), id, at(row, k));
            ids.push(id);
        }
    }
    for row in 1..side {
        for k in (row % 4..side).step_by(4) {
            let [x, z] = at(row, k);
            join(&mut sim, JointKind::Spherical, rows[row - 1][k], rows[row][k], [x - 0.5, z - 0.25]);
        }
    }
    sim
}

/// Bars along an arc below the ground; if `closed`, the last one is joined to the ground too.
fn chain(bodies: usize, kind: JointKind, closed: bool) -> Simulation {
    let mut sim = empty();
    let point = |k: usize| {
        let angle = std::f64::consts::PI * k as f64 / bodies as f64;
        [-angle.cos() * bodies as f64 / 6.0, -angle.sin() * bodies as f64 / 6.0]
    };
    for k in 0..bodies {
        let id = bar(&mut sim, point(k), point(k + 1));
        join(&mut sim, kind, id - 1, id, point(k));
    }
    if closed {
        join(&mut sim, kind, bodies as Id - 1, GROUND, point(bodies));
    }
    sim
}

/// Two bars hang on each bar's end.
fn tree(bodies: usize, kind: JointKind) -> Simulation {
    let mut sim = empty();
    let mut ends: Vec<[f64; 2]> = Vec::new();
    for k in 0..bodies {
        let (parent, [x, z]) = if k == 0 { (GROUND, [0.0, 0.0]) } else { ((k as Id - 1) / 2, ends[(k - 1) / 2]) };
        let angle = 0.3 * (k as f64).sin() + if k % 2 == 0 { 0.4 } else { -0.4 };
        ends.push([x + 0.5 * angle.sin(), z - 0.5 * angle.cos()]);
        let id = bar(&mut sim, [x, z], ends[k]);
        join(&mut sim, kind, parent, id, [x, z]);
    }
    sim
}

/// Loops of three bars and the ground that share no bodies.
fn four_bars(bodies: usize) -> Simulation {
    let mut sim = empty();
    for k in 0..bodies / 3 {
        let x = 3.0 * k as f64;
        // Upright cranks would be in equilibrium.
        let points = [[x, 0.0], [x + 0.3, 1.0], [x + 1.2, 1.2], [x + 1.0, 0.0]];
        let links = [0, 1, 2].map(|link| bar(&mut sim, points[link], points[link + 1]));
        let ends = [GROUND, links[0], links[1], links[2], GROUND];
        (0..4).for_each(|joint| join(&mut sim, JointKind::Revolute, ends[joint], ends[joint + 1], points[joint]));
    }
    sim
}

/// Two rails of bars that hang side by side, with a rung between them at each joint: each rung
/// closes a loop, and neighbouring loops share a rung. One cell has three bars and one degree of
/// freedom.
fn ladder(bodies: usize) -> Simulation {
    let mut sim = empty();
    let (mut rails, hinge) = ([GROUND; 2], JointKind::Revolute);
    for k in 0..bodies / 3 {
        let (top, bottom) = (-0.5 * k as f64, -0.5 * (k + 1) as f64);
        // Rails that lean a little, so that the ladder moves.
        let points = [0.0, 1.0].map(|x| ([x + 0.05 * k as f64, top], [x + 0.05 * (k + 1) as f64, bottom]));
        for (rail, (from, to)) in rails.iter_mut().zip(points) {
            let id = bar(&mut sim, from, to);
            join(&mut sim, hinge, *rail, id, from);
            *rail = id;
        }
        let rung = bar(&mut sim, points[0].1, points[1].1);
        join(&mut sim, hinge, rails[0], rung, points[0].1);
        join(&mut sim, hinge, rung, rails[1], points[1].1);
    }
    sim
}

/// A model in motion, and the times of its steps.
struct Run {
    sim: Simulation,
    bodies: usize,
    initialize: f64,
    first: f64,
    /// Microseconds per step, and per body and iteration, of each round.
    steps: Vec<f64>,
    shares: Vec<f64>,
    iterations: f64,
}

impl Run {
    fn new(mut sim: Simulation) -> Run {
        let begin = processor_time();
        sim.initialize(0.0).unwrap();
        let initialized = processor_time();
        sim.step(STEP).unwrap();
        let stepped = processor_time();
        // The second step still fills caches.
        sim.step(STEP).unwrap();
        let bodies = sim.description().count(pintle::EntityKind::Body) as usize;
        let (initialize, first) = (1e6 * (initialized - begin), 1e6 * (stepped - initialized));
        Run { sim, bodies, initialize, first, steps: vec![], shares: vec![], iterations: 0.0 }
    }

    /// A round of steps, after one step that is not counted: it reloads the caches, which another
    /// model has used since the last round.
    fn round(&mut self) {
        let steps = steps_of(self.bodies);
        self.sim.step(STEP).unwrap();
        let before = self.sim.outputs().statistic("iterations").unwrap();
        let begin = processor_time();
        (0..steps).for_each(|_| self.sim.step(STEP).unwrap());
        let time = 1e6 * (processor_time() - begin);
        let iterations = self.sim.outputs().statistic("iterations").unwrap() - before;
        self.steps.push(time / steps as f64);
        self.shares.push(time / self.bodies as f64 / iterations);
        self.iterations = iterations / steps as f64;
    }
}

/// Number of steps in a round: 3000 over the number of bodies, at least five.
fn steps_of(bodies: usize) -> usize {
    (3000 / bodies).max(5)
}

/// Measures all sizes of a family in turns, with a program that accepts the same sizes.
fn family(name: &str, build: Build, sizes: &[usize], limit: Option<&Limit>) {
    let mut runs: Vec<Run> = sizes.iter().map(|n| Run::new(build(*n))).collect();
    let mut loops: Vec<Loop> = limit.iter().flat_map(|_| sizes).map(|n| Loop::new(*n)).collect();
    for _ in 0..ROUNDS {
        runs.iter_mut().for_each(Run::round);
        limit.iter().for_each(|limit| loops.iter_mut().for_each(|one| one.round(limit)));
    }
    let over = |shares: &[f64], smallest: &[f64]| least(shares) / least(smallest);
    for run in &runs {
        let step = least(&run.steps);
        println!(
            "{name:24} {:7} {step:12.1} {:7.2} {:10.3} {:8.2} {:12.1} {:8.1}",
            run.bodies,
            run.iterations,
            least(&run.shares),
            over(&run.shares, &runs[0].shares),
            run.initialize,
            run.first / step,
        );
    }
    for one in &loops {
        let share = least(&one.shares);
        let (step, linear) = (share * one.bodies as f64 * one.iterations, over(&one.shares, &loops[0].shares));
        println!(
            "{:24} {:7} {step:12.1} {:7.2} {share:10.3} {linear:8.2}",
            "  loop by hand", one.bodies, one.iterations
        );
    }
}

/// The hand-written loop on a chain, and its times per body and iteration.
struct Loop {
    bodies: usize,
    shares: Vec<f64>,
    iterations: f64,
}

impl Loop {
    fn new(bodies: usize) -> Loop {
        Loop { bodies, shares: vec![], iterations: 0.0 }
    }

    /// Twice the steps of a round, of which the faster half counts, because the first ones fill the
    /// caches.
    fn round(&mut self, limit: &Limit) {
        let (step, iterations) = limit.run(&self.bodies.to_string(), steps_of(self.bodies), 2).expect("the loop runs");
        self.shares.push(step / self.bodies as f64 / iterations);
        self.iterations = iterations;
    }
}

/// Measures the closed chain and the open one in turns.
fn closed_beside_open(name: &str, kind: JointKind) {
    for bodies in [10, 100, 1000] {
        let mut runs = [true, false].map(|closed| Run::new(chain(bodies, kind, closed)));
        for _ in 0..ROUNDS {
            runs.iter_mut().for_each(Run::round);
        }
        let [[steps, shares], [open_steps, open_shares]] = runs.map(|run| [least(&run.steps), least(&run.shares)]);
        println!(
            "{name:24} {bodies:7} {:12.1} {:12.1} {:12.2} {:22.2}",
            steps,
            open_steps,
            steps / open_steps,
            shares / open_shares
        );
    }
}

fn main() {
    // Cargo's own arguments start with a dash.
    let word = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let limit = Limit::compiled();
    // The first model of a process waits until its code has been read from the file.
    let mut sim = chain(10, JointKind::Spherical, false);
    sim.initialize(0.0).unwrap();
    sim.step(STEP).unwrap();
    println!(
        "{:24} {:>7} {:>12} {:>7} {:>10} {:>8} {:>12} {:>8}",
        "structure", "bodies", "us/step", "it/step", "us/body/it", "linear", "us, initial.", "first"
    );
    for (name, build, sizes) in FAMILIES {
        if name.contains(&word) {
            family(name, build, sizes, limit.as_ref().filter(|_| name == "chain, spherical"));
        }
    }
    println!(
        "\n{:24} {:>7} {:>12} {:>12} {:>12} {:>22}",
        "closed", "bodies", "closed, us", "open, us", "ratio", "ratio per iteration"
    );
    for (name, kind) in LOOPS {
        if name.contains(&word) {
            closed_beside_open(name, kind);
        }
    }
    if "initialize".contains(&word) {
        let mut sim = chain(100_000, JointKind::Spherical, false);
        let begin = processor_time();
        sim.initialize(0.0).unwrap();
        println!("\ninitialize a chain of 100,000 bodies: {:.3} s", processor_time() - begin);
    }
}
